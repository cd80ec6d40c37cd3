#!/usr/bin/env bash
# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# Install the Debian packages of packages.txt (or of the files named) that are missing. Does
# nothing and asks nothing when none is. "wine64 [amd64]" is for machines of that kind alone.
set -euo pipefail

here=$(dirname "$0")
files=("$@")
[ ${#files[@]} -gt 0 ] || files=("$here/packages.txt")
machine=$(dpkg --print-architecture 2>/dev/null || true)
mapfile -t packages < <(grep -hv '^ *\(#\|$\)' "${files[@]}" | sed -n "s/ \[$machine\]$//; /\[/!p")

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # not Debian: the programs may be there under other names, so say what is needed and go on
    for program in cc c++ cmake ninja pkg-config; do
        command -v "$program" >/dev/null && continue
        echo "setup: '$program' is missing, and this is no Debian system to install it on." >&2
        echo "setup: install by hand what these Debian packages hold: ${packages[*]}" >&2
        exit 1
    done
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -q &&
       "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "setup: apt-get could not install ${missing[*]}" >&2
    exit 1
fi
