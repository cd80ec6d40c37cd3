// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// contact: does it hold, what does it cost, does it come to rest, with every method?

#include "contact.h"

#include <string.h>

const char* const contact_scenes[] = {"sphere_springs", "sphere_ier",
                                      "sphere_ivt",     "sphere_triangles",
                                      "sphere_iar",     "sphere_triangle_ivt",
                                      "plane",          "rotating_sphere",
                                      "funnel",         "ribbon",
                                      "heap",           "capsule",
                                      "needles",        "breathing",
                                      "tangled",        NULL};

static const struct {
    const char* name;
    int (*run)(const BenchOptions* options, Report* report);
} parts[] = {
    {"scenes", run_contact_scenes},   {"rest", run_contact_rest},
    {"drape", run_contact_drape},     {"methods", run_contact_methods},
    {"density", run_contact_density}, {"body", run_contact_body},
};
enum { PART_COUNT = sizeof parts / sizeof *parts };

static int run_contact(const BenchOptions* options, Report* report) {
    int code = EXIT_GOOD, run_count = 0;
    for (int i = 0; i < PART_COUNT && !code; i++) {
        if (options->part && strcmp(options->part, parts[i].name) != 0) continue;
        code = parts[i].run(options, report);
        run_count++;
    }
    if (run_count == 0)
        return complain(
            EXIT_USAGE,
            "contact has no part \"%s\"; scenes, rest, drape, methods, density and body "
            "it has",
            options->part);
    return code;
}

const Bench contact_bench = {
    .name = "contact",
    .text = "every scene with contact: what crosses, what it costs, does it come to rest",
    .details =
        "Parts: scenes, all of them at three densities: crossings of triangles in every frame, by\n"
        "the judge of `weft check-contact`; depth in bodies; ms per step by phase; how the time "
        "of\n"
        "contact grows with the vertices (growth_exponent). rest: a sheet on a sphere and on a\n"
        "plane after 5 s. drape: a sheet on a sphere, 4225 and 6400 vertices, against ARCSim.\n"
        "methods: every method on every scene. density: a sheet on a sphere and a tube around a\n"
        "capsule that moves, 1 and 2 mm thick, with 4,225 to 40,401 vertices (--full: 160,801).\n"
        "body: a sheet on a mesh that deforms, of 2,000 and 20,000 triangles. Reads the scenes\n"
        "from the sources it was built from, or from the folder that WEFT_SCENES names.",
    .has_parts = true,
    .run = run_contact,
};
