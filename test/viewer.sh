#!/usr/bin/env bash
# SPDX-FileCopyrightText: The weft authors
# SPDX-License-Identifier: MIT

# viewer.sh XVFB_RUN VIEWER PICTURE: the viewer draws a cape for two seconds: red on both the
# figure's back and the picture, and neither all of it nor next to nothing.
set -euo pipefail
"$1" -a -s "-screen 0 800x600x24" "$2" --frames 120 --shot "$3"
perl -e '
    binmode STDIN;
    local $/;
    my ($width, $height, $pixels) = <STDIN> =~ /^P6\n(\d+) (\d+)\n255\n(.*)/s or die "no picture\n";
    my $red = 0;
    for my $i (0 .. $width * $height - 1) {
        my ($r, $g, $b) = unpack "x" . 3 * $i . "CCC", $pixels;
        $red++ if $r > 60 && $r > 2 * $g && $r > 2 * $b;
    }
    my $part = $red / ($width * $height);
    printf "the cape covers %.1f %% of the picture\n", 100 * $part;
    exit !($part > 0.01 && $part < 0.5);' < "$3"
