// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards hidden surfaces: what is below cloth, and what could be seen past it.

#include <math.h>
#include <string.h>

#include "mesh_test.h"
#include "runners.h"
#include "weft/weft_io.h"
#include "weft/weft_render.h"

// A tube about y, open at its ends.
typedef struct Tube {
    int vertex_count, triangle_count;
    double* positions;
    int* triangles;
} Tube;

enum { AROUND = 40 };

static Tube make_tube(double radius, double low, double high, double edge) {
    int rows = (int)ceil((high - low) / edge), n = 0;
    Tube tube = {.vertex_count = AROUND * (rows + 1), .triangle_count = 2 * AROUND * rows};
    tube.positions = malloc(3 * (size_t)tube.vertex_count * sizeof(double));
    tube.triangles = malloc(3 * (size_t)tube.triangle_count * sizeof(int));
    for (int i = 0; i < tube.vertex_count; i++) {
        double angle = 2 * 3.14159265358979 * (i % AROUND) / AROUND;
        tube.positions[3 * i] = radius * sin(angle);
        tube.positions[3 * i + 1] = low + (high - low) * (i / AROUND) / rows;
        tube.positions[3 * i + 2] = radius * cos(angle);
    }
    for (int i = 0; i < AROUND * rows; i++) {
        int a = i, b = i / AROUND * AROUND + (i + 1) % AROUND, c = a + AROUND, d = b + AROUND;
        const int all[6] = {a, b, d, a, d, c};
        memcpy(tube.triangles + n, all, sizeof all);
        n += 6;
    }
    return tube;
}

static void free_tube(Tube* tube) { free(tube->positions), free(tube->triangles); }

static WeftHiddenDef hide(const Tube* body, const Tube* cover) {
    WeftHiddenDef def = weft_default_hidden_def();
    def.vertex_count = body->vertex_count, def.positions = body->positions;
    def.triangle_count = body->triangle_count, def.triangles = body->triangles;
    def.cover_vertex_count = cover->vertex_count, def.cover_positions = cover->positions;
    def.cover_triangle_count = cover->triangle_count, def.cover_triangles = cover->triangles;
    return def;
}

static void span_of_triangle(const Tube* tube, int t, double span[2]) {
    span[0] = HUGE_VAL, span[1] = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double y = tube->positions[3 * tube->triangles[3 * t + k] + 1];
        span[0] = fmin(span[0], y), span[1] = fmax(span[1], y);
    }
}

// A limb in a sleeve: hidden as far as neither the margin nor a look past the hem reaches.
static void limb_in_a_sleeve(void) {
    const double edge = 0.01, gap = 0.01;
    Tube limb = make_tube(0.1, 0, 1, edge), sleeve = make_tube(0.1 + gap, 0.3, 0.8, edge);
    WeftHiddenDef def = hide(&limb, &sleeve);
    unsigned char* hidden = malloc((size_t)limb.triangle_count);
    // margins that are no multiples of an edge
    const double angles[] = {0, 60, 80}, margins[] = {0.003, 0.033, 0.053};
    for (int a = 0; a < 3; a++)
        for (int m = 0; m < 3; m++) {
            def.angle = angles[a], def.margin = margins[m];
            CHECK(!weft_find_hidden(&def, hidden, NULL));
            double in = gap * tan(angles[a] * 3.14159265358979 / 180) + margins[m];
            for (int t = 0; t < limb.triangle_count; t++) {
                double span[2];
                span_of_triangle(&limb, t, span);
                // directions are ten, so the one that looks down is up to 18 degrees off
                bool inside = span[0] > 0.3 + in + 2 * edge && span[1] < 0.8 - in - 2 * edge;
                bool outside = span[0] < 0.3 + 0.9 * in - edge || span[1] > 0.8 - 0.9 * in + edge;
                if (inside) CHECK(hidden[t] == 1);
                if (outside) CHECK(hidden[t] == 0);
            }
        }
    // cloth that is too far away, or not there
    def.reach = 0.009;
    CHECK(!weft_find_hidden(&def, hidden, NULL));
    CHECK(!memchr(hidden, 1, (size_t)limb.triangle_count));
    def.cover_triangle_count = 0;
    CHECK(!weft_find_hidden(&def, hidden, NULL));
    CHECK(!memchr(hidden, 1, (size_t)limb.triangle_count));
    free(hidden);
    free_tube(&limb), free_tube(&sleeve);
}

// A hole shows what is below it.
static void holes(void) {
    Tube limb = make_tube(0.1, 0, 1, 0.01), sleeve = make_tube(0.11, 0, 1, 0.02);
    sleeve.triangles[3 * 2500 / 2] = sleeve.triangles[3 * 2500 / 2 + 1];
    int* v = sleeve.triangles + 3 * 2000;
    double middle[3] = {0, 0, 0};
    for (int k = 0; k < 9; k++) middle[k % 3] += sleeve.positions[3 * v[k / 3] + k % 3] / 3;
    v[0] = v[1];
    WeftHiddenDef def = hide(&limb, &sleeve);
    unsigned char* hidden = malloc((size_t)limb.triangle_count);
    CHECK(!weft_find_hidden(&def, hidden, NULL));
    int shown = 0;
    for (int t = 0; t < limb.triangle_count; t++) {
        double span[2];
        span_of_triangle(&limb, t, span);
        if (span[0] < 0.1 || span[1] > 0.9) continue;
        const double* x = limb.positions + 3 * (long)limb.triangles[3 * t];
        double far =
            sqrt(pow(x[0] - middle[0], 2) + pow(x[1] - middle[1], 2) + pow(x[2] - middle[2], 2));
        shown += far < 0.02 && !hidden[t];
        if (far < 0.02) CHECK(!hidden[t]);
    }
    CHECK(shown > 0);
    free(hidden);
    free_tube(&limb), free_tube(&sleeve);
}

// A skirt on the mannequin: hips are hidden, all above the waist and below the knees is not.
static void skirt_on_a_body(void) {
    WeftScene* scene = NULL;
    WeftError error = {0};
    WeftModel* model = NULL;
    WeftState* state = NULL;
    if (!CHECK(!weft_load_scene(WEFT_SCENES "/detail_skirt.json", NULL, NULL, &scene, &error))) {
        printf("%s\n", error.message);
        return;
    }
    CHECK(!weft_create_model(&scene->model, &model, &error));
    CHECK(!weft_create_state(model, &state, &error));
    int body = -1;
    for (int i = 0; i < weft_body_count(model); i++)
        if (weft_body_vertex_count(model, i) > 1000) body = i;
    if (CHECK(body >= 0)) {
        Tube skin = {weft_body_vertex_count(model, body), weft_body_triangle_count(model, body),
                     NULL, NULL};
        skin.positions = malloc(3 * (size_t)skin.vertex_count * sizeof(double));
        skin.triangles = (int*)(uintptr_t)weft_body_triangles(model, body);
        weft_copy_body(state, body, skin.positions);
        Tube cloth = {weft_vertex_count(model), weft_triangle_count(model),
                      (double*)(uintptr_t)weft_positions(state),
                      (int*)(uintptr_t)weft_triangles(model)};
        WeftHiddenDef def = hide(&skin, &cloth);
        unsigned char* hidden = malloc((size_t)skin.triangle_count);
        int runs = 0, count = 0;
        CHECK(!weft_find_hidden(&def, hidden, NULL));
        double low = HUGE_VAL, high = -HUGE_VAL, top = -HUGE_VAL, bottom = HUGE_VAL;
        for (int i = 0; i < cloth.vertex_count; i++) {
            top = fmax(top, cloth.positions[3 * i + 1]);
            bottom = fmin(bottom, cloth.positions[3 * i + 1]);
        }
        for (int t = 0; t < skin.triangle_count; t++) {
            double span[2];
            span_of_triangle(&skin, t, span);
            count += hidden[t];
            if (hidden[t]) low = fmin(low, span[0]), high = fmax(high, span[1]);
        }
        CHECK(count > skin.triangle_count / 20);
        CHECK_BELOW(high, top), CHECK_BELOW(bottom + 0.05, low);
        unsigned char* again = malloc((size_t)skin.triangle_count);
        def.jobs = (WeftJobs){.run = run_backwards, .user = &runs};
        CHECK(!weft_find_hidden(&def, again, NULL));
        CHECK(runs > 0 && memcmp(hidden, again, (size_t)skin.triangle_count) == 0);
        free(hidden), free(again), free(skin.positions);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

static Tube memory_tubes[2];

static WeftResult make_hidden(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    WeftHiddenDef def = hide(&memory_tubes[0], &memory_tubes[1]);
    unsigned char* hidden = malloc((size_t)memory_tubes[0].triangle_count);
    *mesh = (WeftMesh){0};
    def.allocator = *allocator;
    WeftResult result = weft_find_hidden(&def, hidden, error);
    free(hidden);
    return result;
}

static void refusals_and_memory(void) {
    for (int k = 0; k < 2; k++) memory_tubes[k] = make_tube(0.1 + 0.1 * k, 0, 1, 0.2);
    check_every_allocation(make_hidden);
    WeftHiddenDef def = hide(&memory_tubes[0], &memory_tubes[1]);
    WeftError error;
    unsigned char hidden[1];
    def.angle = (double)NAN;
    CHECK(weft_find_hidden(&def, hidden, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "angle");
    def.angle = 0;
    memory_tubes[1].positions[3] = HUGE_VAL;
    CHECK(weft_find_hidden(&def, hidden, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "the cover: vertex 1 is at inf");
    memory_tubes[0].triangles[4] = -1;
    CHECK(weft_find_hidden(&def, hidden, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "the surface: triangle 1");
    for (int k = 0; k < 2; k++) free_tube(&memory_tubes[k]);
}

TEST_MAIN(SLOW_CASE(limb_in_a_sleeve), CASE(holes), SLOW_CASE(skirt_on_a_body),
          CASE(refusals_and_memory))
