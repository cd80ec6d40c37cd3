#!/usr/bin/env bash
# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# check.sh PRESET...: configure, build and test each preset of CMakePresets.json, one line each;
# stops at the first failure and shows it. JOBS sets the number of parallel jobs. The preset `web` is
# the page, tested in Node.js and in a browser, against the tool of the release build. With
# WEFT_LONG=1 tests of the label `long` run as well.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc)}
total=0
choice=(-LE '^long$')
if [ "${WEFT_LONG:-0}" = 1 ]; then choice=(); fi

# Both set `count`, the number of tests that passed.
check_programs() {
    local preset=$1 log=build/$1/tests.log still=()
    tools/build.sh "$preset"
    # the thread sanitizer cannot place its tables where addresses are scattered too widely
    if [ "$preset" = thread ] && setarch -R true 2>/dev/null; then still=(setarch -R); fi
    if ! "${still[@]}" ctest --test-dir "build/$preset" -j "$jobs" "${choice[@]}" --output-on-failure >"$log" 2>&1; then
        grep -v '^ *Start \|  Passed  \|^Internal ctest' "$log" >&2 || true
        echo "FAILED: tests of build/$preset (the log is $log)" >&2
        exit 1
    fi
    # "100% tests passed, 0 tests failed out of 23"
    count=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$log")
}

check_page() {
    local log=build/web/tests.log
    tools/build.sh release weft_tool
    tools/web.sh
    if ! (cd web && npm test --silent -- --reporter=verbose --no-color) >"$log" 2>&1; then
        grep -v '^ *✓' "$log" >&2 || true
        echo "FAILED: tests of the page (the log is $log)" >&2
        exit 1
    fi
    # "      Tests  80 passed (80)"
    count=$(sed -n 's/^ *Tests  *\([0-9]*\) passed.*/\1/p' "$log")
}

for preset in "$@"; do
    start=$SECONDS
    count=0
    if [ "$preset" = web ]; then check_page; else check_programs "$preset"; fi
    if [ "${count:-0}" -eq 0 ]; then
        echo "FAILED: build/$preset has no tests" >&2
        exit 1
    fi
    total=$((total + count))
    printf '%-12s %3d tests passed in %d s\n' "$preset" "$count" $((SECONDS - start))
done
echo "in $# builds ($*), $SECONDS s"
echo "$total passed, 0 failed"
