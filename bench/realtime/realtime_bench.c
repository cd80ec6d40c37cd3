// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// realtime: cloth with contact as games have it, scene by scene: does a step fit into a frame, and
// is what it shows right?

#include <stdio.h>
#include <string.h>

#include "realtime.h"

// A part is a name of its own here, or that of scenes.
static const struct {
    const char* name;
    bool always;  // without --part, too
    int (*run)(const BenchOptions* options, Report* report);
} parts[] = {
    {"scenes", true, run_realtime_scenes},
    {"crowd", true, run_realtime_crowd},
    {"budget", false, run_realtime_budget},
    {"xpbd", false, run_realtime_xpbd},
};
enum { PART_COUNT = sizeof parts / sizeof *parts };

static bool is_scene(const char* part) {
    for (int s = 0; realtime_scenes[s].name; s++)
        if (strcmp(realtime_scenes[s].part, part) == 0 ||
            strcmp(realtime_scenes[s].name, part) == 0)
            return true;
    return false;
}

static int run_realtime(const BenchOptions* options, Report* report) {
    BenchOptions own = *options;
    int code = EXIT_GOOD, count = 0;
    bool scene = own.part && is_scene(own.part);
    if (scene) return run_realtime_scenes(options, report);
    own.part = NULL;
    for (int i = 0; i < PART_COUNT && !code; i++) {
        bool named = options->part && strcmp(options->part, parts[i].name) == 0;
        if (options->part ? !named : !parts[i].always && !options->full) continue;
        code = parts[i].run(&own, report);
        count++;
    }
    if (count == 0)
        return complain(EXIT_USAGE,
                        "realtime has no part \"%s\"; cape, skirt, dress, coat, sheet, layers, "
                        "heap, funnel, scenes, crowd, budget and xpbd it has",
                        options->part);
    return code;
}

const Bench realtime_bench = {
    .name = "realtime",
    .text = "cloth with contact as games have it: ms, worst ms, stretch, crossings, rest",
    .details =
        "A cape that walks and turns, a skirt, a dress and a coat on a mannequin that walks, "
        "three\n"
        "layers of garments, sheets on a sphere, a heap, a funnel: by each method, milliseconds\n"
        "per step and by phase, stretch, crossings in every frame, how still it is at the end.\n"
        "Parts: cape, skirt, dress, coat, sheet, layers, heap, funnel; scenes, all of these;\n"
        "crowd, 200 small capes of one model. With --full or by --part also budget, steps within "
        "4\n"
        "and 8 ms; xpbd, small-step XPBD at equal error (--only METHOD: beside that\n"
        "one). --quick: a few frames of small scenes;\n"
        "--full also compares with 64 substeps. Garments are put on once and kept in the user's\n"
        "cache, with a scene to look at (realtime-dress.json) for `weft run`; --fresh: anew.",
    .has_parts = true,
    .run = run_realtime,
};
