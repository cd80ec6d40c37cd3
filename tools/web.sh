#!/usr/bin/env bash
# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# web.sh: build the page: the module by Emscripten, the rest by Vite, into build/web/site, which any
# static host can serve; and the program of `weft bench web` into build/web/bench. The scene that the
# page shows first is dressed here, by the tool, so that it begins at once.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "web: Node.js and npm are missing: install Node.js 20.19 or newer" >&2
    exit 1
fi
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number);
              process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
    echo "web: Node.js $(node --version) is too old: the page's tools take 20.19 or newer" >&2
    exit 1
fi

tools/build.sh web
tools/build.sh release weft_tool
log=build/web/page.log
# what web/src/scene/garments.ts calls the first outfit, with its mesh and with the coarser one for weak
# machines; dressed again where tool or pattern are newer
mkdir -p build/web/dressed
dress() {
    local dressed=build/web/dressed/$1
    if [ build/release/bin/weft -ot "$dressed" ] && [ ! garments/dress.json -nt "$dressed" ] &&
       [ ! tools/web.sh -nt "$dressed" ]; then
        return
    fi
    # threads would wait for each other where the machine is busy
    if ! build/release/bin/weft dress dress --body female --clip walk "${@:2}" --duration 0.01 \
             --threads 1 --quiet --dressed "$dressed" >"$log" 2>&1; then
        cat "$log" >&2
        echo "FAILED: the page's first scene could not be dressed" >&2
        exit 1
    fi
}
dress dress.start.json --edge 0.03
dress dress.coarse.start.json --edge 0.048 --body-edge 0.0304
# npm ci removes and installs everything, so only where the list of packages is another
stamp=web/node_modules/.installed
if ! cmp -s web/package-lock.json "$stamp"; then
    if ! (cd web && npm ci --no-fund --no-audit) >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        echo "FAILED: npm could not install the page's packages (the log is $log)" >&2
        exit 1
    fi
    cp web/package-lock.json "$stamp"
fi
if ! (cd web && npm run --silent check && npm run --silent build) >"$log" 2>&1; then
    cat "$log" >&2
    echo "FAILED: build of the page (the log is $log)" >&2
    exit 1
fi
cp LICENSE NOTICE build/web/site

# what a visitor loads, as it is and as hosts send it
first=$(find build/web/site/assets -name '*.js' ! -name 'later-*')
size() { printf '%s kB, compressed %s kB' "$(($(cat "$@" | wc -c) / 1000))" "$(($(cat "$@" | gzip -9 | wc -c) / 1000))"; }
cat >build/web/size.txt <<END
module    $(size build/web/site/assets/weft-*.wasm)
script    $(size $first build/web/site/assets/*.css build/web/site/index.html)
END
