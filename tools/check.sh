#!/usr/bin/env bash
# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# check.sh PRESET...: configure, build and test each preset of CMakePresets.json, one line each;
# stops at the first failure and shows it. JOBS sets the number of parallel jobs.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc)}
total=0
for preset in "$@"; do
    start=$SECONDS
    tools/build.sh "$preset"
    # the thread sanitizer cannot place its tables where addresses are scattered too widely
    # it also has nothing to say about tests that run on one thread
    still=()
    only=.
    if [ "$preset" = thread ]; then only='parallel|determinism|scatter|rows|blocks|_cg|jobs|sweep|test_solve|test_cholesky'; fi
    if [ "$preset" = thread ] && setarch -R true 2>/dev/null; then still=(setarch -R); fi
    log=build/$preset/tests.log
    if ! "${still[@]}" ctest --test-dir "build/$preset" -R "$only" -j "$jobs" --output-on-failure >"$log" 2>&1; then
        grep -v '^ *Start \|  Passed  \|^Internal ctest' "$log" >&2 || true
        echo "FAILED: tests of build/$preset (the log is $log)" >&2
        exit 1
    fi
    # "100% tests passed, 0 tests failed out of 23"
    count=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$log")
    if [ "${count:-0}" -eq 0 ]; then
        echo "FAILED: build/$preset has no tests" >&2
        exit 1
    fi
    total=$((total + count))
    printf '%-12s %3d tests passed in %d s\n' "$preset" "$count" $((SECONDS - start))
done
echo "in $# builds ($*), $SECONDS s"
echo "$total passed, 0 failed"
