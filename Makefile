# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# The short way in. CMake does the work, in build/release, build/debug and build/thread; see
# CMakePresets.json.

PREFIX ?= /usr/local
export JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BIN = build/release/bin
MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL = help
.PHONY: help setup build demo test test-long bench install format clean

help:
	@echo 'make demo        build weft, run a scene, write out/demo.glb and out/demo.obj'
	@echo 'make test        build and test: optimised, then under three sanitizers'
	@echo 'make test-long   the same with all slow cases under sanitizers, with clang, and the glTF validator'
	@echo 'make bench       tables of speed and accuracy, against Eigen, CHOLMOD and Bullet'
	@echo 'make build       build the libraries and the tool: $(BIN)/weft'
	@echo 'make install     install them under PREFIX=$(PREFIX)'
	@echo 'make setup       install what building takes; the others do it for you'
	@echo 'make format      lay out the sources by .clang-format'
	@echo 'make clean       remove build/ and out/'

setup:
	@tools/setup.sh

build: setup
	@tools/build.sh release

demo: setup
	@tools/build.sh release weft_tool
	@mkdir -p out
	@$(BIN)/weft run scenes/demo.json --out out/demo.glb --last out/demo.obj
	@echo 'out/demo.glb is the motion, out/demo.obj its last frame; both open in any viewer'

test: setup
	@tools/check.sh release debug thread

test-long: setup
	@tools/setup.sh tools/packages-long.txt
	@WEFT_SLOW=1 tools/check.sh release debug thread clang
	@$(BIN)/weft run scenes/demo.json --frames 30 --quiet --out build/demo.glb
	@test/validate_glb.sh build/demo.glb

bench: build
	@$(BIN)/weft bench all

install: build
	@cmake --install build/release --prefix '$(PREFIX)' >/dev/null
	@echo 'installed into $(DESTDIR)$(PREFIX)'

format:
	@tools/setup.sh tools/packages-long.txt
	@git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean:
	@rm -rf build out
