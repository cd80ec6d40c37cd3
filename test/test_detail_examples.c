// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the details of scenes/: they fit their scenes, and still mean what they did when they were
// learned.

#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "weft/weft_io.h"

enum { SETTLED = 45, STEPS = 60 };

static double square_error(const double* x, const double* y, int vertices) {
    double sum = 0;
    for (int k = 0; k < 3 * vertices; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
    return sum;
}

// What is left of the offsets of a dense simulation, at a pace that nobody learned from.
static double left_by(const WeftScene* scene, const WeftDetail* learned) {
    int parts = weft_detail_parts(learned), vertices = weft_detail_vertex_count(learned);
    double with = 0, without = 0, *shown = malloc(3 * sizeof(double) * (size_t)vertices);
    WeftMesh dense;
    WeftRefinement map;
    WeftDetail* flat = NULL;
    WeftPair* pair = NULL;
    const WeftMesh* coarse = &scene->meshes[0];
    CHECK(!weft_refine_mesh(coarse, parts, NULL, &dense, &map, NULL));
    CHECK(!weft_create_detail(coarse, &dense, &map, WEFT_SURFACE_FLAT, NULL, &flat, NULL));
    CHECK(!weft_create_pair(scene, 0, parts, NULL, &pair, NULL));
    for (int i = 0; i < STEPS; i++) {
        CHECK(!weft_step_pair(pair, NULL));
        if (i < SETTLED) continue;
        weft_apply_detail(learned, &pair->frame, NULL, shown);
        with += square_error(shown, pair->dense, vertices);
        weft_apply_detail(flat, &pair->frame, NULL, shown);
        without += square_error(shown, pair->dense, vertices);
    }
    weft_destroy_pair(pair);
    weft_destroy_detail(flat);
    weft_destroy_refinement(&map);
    weft_destroy_mesh(&dense);
    free(shown);
    return sqrt(with / without);
}

static void check_example(const char* path, double pace, double most) {
    WeftScene* scene = NULL;
    WeftDetail* detail = NULL;
    WeftError error;
    CHECK(!weft_load_scene(path, NULL, NULL, &scene, &error));
    CHECK(!weft_read_detail_file(scene->details[0].file, &scene->meshes[0], NULL, &detail, &error));
    scene->pace = pace;
    CHECK_BELOW(left_by(scene, detail), most);
    weft_destroy_detail(detail);
    weft_destroy_scene(scene);
}

static void swing(void) { check_example(WEFT_SCENES "/detail_swing.json", 0.85, 0.8); }
static void skirt(void) { check_example(WEFT_SCENES "/detail_skirt.json", 0.8, 0.95); }

TEST_MAIN(SLOW_CASE(swing), LONG_CASE(skirt))
