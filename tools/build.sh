#!/usr/bin/env bash
# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# build.sh PRESET [TARGET...]: configure and build into build/PRESET, all of it or the targets named;
# quiet unless something goes wrong.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
mkdir -p "build/$preset"
log=build/$preset/build.log
configure=cmake
if [ "$preset" = web ]; then
    configure="emcmake cmake"
    # Emscripten's own scripts find their modules only where Node.js is Debian's, unless told
    export NODE_PATH=${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs
fi
if ! { $configure --preset "$preset" &&
       cmake --build "build/$preset" -j "${JOBS:-$(nproc)}" --target "${@:-all}"; } >"$log" 2>&1; then
    # without the lines that say what went well
    grep -v '^-- \|^\[[0-9]*/[0-9]*\] \(Building\|Linking\|Creating\|Re-checking\)' "$log" >&2 || true
    echo "FAILED: build of build/$preset (the log is $log)" >&2
    exit 1
fi
