// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// garments: do they go on, do they stay on, and what does it cost?

#include <string.h>

#include "garments.h"

static const struct {
    const char* name;
    int (*run)(const BenchOptions* options, Report* report);
} parts[] = {{"wardrobe", run_wardrobe},
             {"batch", run_batch},
             {"phases", run_step_phases},
             {"mesh", run_panel_meshes}};
enum { PART_COUNT = sizeof parts / sizeof *parts };

// Without a part, the first.
static int run_garments(const BenchOptions* options, Report* report) {
    for (int i = 0; i < PART_COUNT; i++)
        if (strcmp(options->part ? options->part : "wardrobe", parts[i].name) == 0)
            return parts[i].run(options, report);
    return complain(EXIT_USAGE,
                    "garments has no part \"%s\"; wardrobe, batch, phases and mesh it has",
                    options->part);
}

const Bench garments_bench = {
    .name = "garments",
    .text = "every garment in three fabrics on three bodies: dressed, walked, checked",
    .details =
        "Parts: wardrobe, the one that runs where none is named: every garment in three fabrics\n"
        "on three sizes of the mannequin (--bodies female, male, child or all) is put on, walks\n"
        "for 5 s, and is checked in every frame; rows are told as they come. batch, or --batch:\n"
        "patterns that are varied (--runs N, 40) and 26 that are broken on purpose; --patterns\n"
        "DIR adds the patterns of a folder, with the body (.obj) beside them. phases, or\n"
        "--phases: ms per step by phase, 10,000 vertices on a body of 20,000 triangles. mesh, or\n"
        "--mesh: the triangles of all panels against those of gmsh, where it is installed.\n"
        "--only NAME takes one garment, --garments DIR those of a folder.",
    .has_parts = true,
    .run = run_garments,
};
