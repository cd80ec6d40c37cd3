# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The short way in. CMake does the work, in build/release, build/debug and build/thread; see
# CMakePresets.json.

PREFIX ?= /usr/local
export JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BIN = build/release/bin
MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL = help
.PHONY: help setup setup-web setup-test build single web gallery detail-examples demo test test-long bench install \
        format clean

help:
	@echo 'make demo        build weft, dress a mannequin, let it walk, write out/demo.glb and out/demo.obj'
	@echo 'make web         build the page: build/web/site, for any static host and for weft view'
	@echo 'make gallery     draw the pictures of the documentation with the page, into docs/gallery and into the page'
	@echo 'make detail-examples   learn the details of scenes/ anew: minutes'
	@echo 'make test        build and test: optimised, under three sanitizers, and in a browser'
	@echo 'make test-long   the same, all long cases, 10,000 random scenes, clang, mingw-w64, the glTF validator: hours'
	@echo 'make bench       tables of speed and accuracy, against Eigen, CHOLMOD and Bullet'
	@echo 'make build       build the libraries and the tool: $(BIN)/weft'
	@echo 'make single      write the core library as one file: build/single/weft.c, with its headers'
	@echo 'make install     install them under PREFIX=$(PREFIX)'
	@echo 'make setup       install what building takes; the others do it for you'
	@echo 'make format      lay out the sources by .clang-format'
	@echo 'make clean       remove build/ and out/'

setup:
	@tools/setup.sh

setup-web: setup
	@tools/setup.sh tools/packages-web.txt

setup-test: setup-web
	@tools/setup.sh tools/packages-test.txt

build: setup
	@tools/build.sh release

single:
	@tools/single.pl build/single
	@echo 'build/single/weft.c is the core library: `cc -O2 -c weft.c`; weft.h lies beside it'

web: setup-web
	@tools/web.sh
	@tools/build.sh release weft_tool
	@cat build/web/size.txt
	@echo 'build/web/site is the page; `$(BIN)/weft view` shows it'

gallery: web
	@cd web && npm run --silent gallery -- ../docs/gallery

detail-examples: setup
	@tools/build.sh release weft_tool
	@$(BIN)/weft detail train scenes/detail_swing.json --out scenes/detail_swing.detail
	@$(BIN)/weft detail train scenes/detail_skirt.json --out scenes/detail_skirt.detail

demo: setup
	@tools/build.sh release weft_tool
	@mkdir -p out
	@$(BIN)/weft dress dress --clip walk --duration 3 --out out/demo.glb --last out/demo.obj
	@echo 'out/demo.glb is the motion, out/demo.obj its last frame; both open in any viewer'

test: setup-test
	@tools/check.sh release debug thread web

test-long: setup-test
	@tools/setup.sh tools/packages-long.txt
	@WEFT_LONG=1 WEFT_STRESS=10000 tools/check.sh release debug thread clang mingw web
	@$(BIN)/weft run scenes/demo.json --frames 30 --quiet --out build/demo.glb
	@test/validate_glb.sh build/demo.glb

bench: build web
	@$(BIN)/weft bench all

install: build
	@cmake --install build/release --prefix '$(PREFIX)' >/dev/null
	@echo 'installed into $(DESTDIR)$(PREFIX)'

format:
	@tools/setup.sh tools/packages-long.txt
	@git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp' | xargs clang-format -i
	@cd web && npx prettier --log-level warn --write src test gallery *.ts index.html

clean:
	@rm -rf build out
