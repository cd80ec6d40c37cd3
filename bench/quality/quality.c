// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// quality: which method, and which of its levels, is how close and how firm in which time.

#include "quality.h"

#include <string.h>

typedef enum What { WHAT_PICTURE, WHAT_FEW, WHAT_LADDER, WHAT_PAIRS } What;

static const struct {
    const char* name;
    What what;
    bool always, full;  // without --part; only with --full
} parts[] = {
    {"picture", WHAT_PICTURE, true, false},
    {"levels", WHAT_FEW, false, false},
    {"ladder", WHAT_LADDER, true, false},
    {"pairs", WHAT_PAIRS, true, true},
};
enum { PART_COUNT = sizeof parts / sizeof *parts };

static int run_part(const BenchOptions* options, What what, Report* report) {
    bool picture = what == WHAT_PICTURE || what == WHAT_FEW;
    if (picture) return run_quality_picture(options, what == WHAT_FEW, report);
    return run_quality_ladder(options, what == WHAT_PAIRS, report);
}

static int run_quality(const BenchOptions* options, Report* report) {
    int code = EXIT_GOOD, count = 0;
    for (int i = 0; i < PART_COUNT && !code; i++) {
        bool named = options->part && strcmp(options->part, parts[i].name) == 0;
        bool usual = parts[i].always && (options->full || !parts[i].full);
        if (options->part ? !named : !usual) continue;
        code = run_part(options, parts[i].what, report);
        count++;
    }
    if (count > 0) return code;
    return complain(EXIT_USAGE,
                    "quality has no part \"%s\"; picture, levels, ladder and pairs it has",
                    options->part);
}

const Bench quality_bench = {
    .name = "quality",
    .text = "every method over its settings: error against time, as one picture; levels",
    .details =
        "picture: a square metre at 32 x 32 and 64 x 64 cells that swings, collapses and drapes\n"
        "over a sphere: ms per frame and the worst rms distance from the motion itself over the\n"
        "first second, for every method of the tool over its settings and substeps, and for XPBD\n"
        "with small steps. Which is closest within 0.5, 1, 2, 4, 8 and 16 ms; which XPBD is as\n"
        "close as a level of quality, and stretches no more. Ratios xpbd_1k, xpbd_4k, and the "
        "same\n"
        "with _firm: its time over that of quality 4. --plot draws it, by gnuplot. Part levels:\n"
        "the levels of quality and XPBD alone.\n"
        "\n"
        "ladder: levels 1 to 8 of the prefactored method and of small steps in six motions: these\n"
        "three, and with contact a dress on a walk, a cape that turns and a heap of three sheets:\n"
        "error, stretch, ms, crossings. Ratios _closer, _firmer, _dearer: is each level better\n"
        "than the one before? Part pairs, and --full: small steps by substeps x sweeps in the\n"
        "same motions. --only NAME: one of them. The motions themselves are kept between runs, in\n"
        "the user's cache; --fresh makes them anew.",
    .has_parts = true,
    .run = run_quality,
    .plot = plot_quality,
};
