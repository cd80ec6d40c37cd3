// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the numbers per vertex that colours show, on shapes whose answer is known: a cloth rolled
// into a cylinder, a dome, a rope in a circle, a cloth pulled long, a cloth in motion.

#include "swing.h"
#include "test.h"

enum { N = 33, VERTICES = N * N };

static void set_shape(Swing* s, void (*shape)(double u, double v, double x[3])) {
    double* x = malloc(3 * VERTICES * sizeof *x);
    for (int i = 0; i < VERTICES; i++)
        shape(s->mesh.material[2 * i], s->mesh.material[2 * i + 1], x + 3 * i);
    weft_set_positions(s->state, x);
    free(x);
}

static Swing open_swing(void) {
    Swing s = swing_def(N, 10);
    swing_open(&s);
    return s;
}

static void field_of(const Swing* s, WeftField field, float values[VERTICES]) {
    CHECK(weft_copy_field(s->state, field, values) == WEFT_OK);
}

static bool is_inside(int i) { return i % N > 0 && i % N < N - 1 && i / N > 0 && i / N < N - 1; }

static const double RADIUS = 0.4;

static void cylinder(double u, double v, double x[3]) {
    x[0] = RADIUS * sin(u / RADIUS), x[1] = RADIUS * cos(u / RADIUS), x[2] = -v;
}

static void curvature_of_a_cylinder(void) {
    Swing s = open_swing();
    float values[VERTICES];
    set_shape(&s, cylinder);
    field_of(&s, WEFT_FIELD_CURVATURE, values);
    for (int i = 0; i < VERTICES; i++)
        if (is_inside(i)) CHECK_NEAR(values[i], 1 / RADIUS, 0.01 / RADIUS);
    field_of(&s, WEFT_FIELD_STRETCH, values);  // rolled, not stretched
    for (int i = 0; i < VERTICES; i++) CHECK_NEAR(values[i], 0, 1e-3);
    swing_close(&s);
}

static void sphere(double u, double v, double x[3]) {
    double r = hypot(u - 0.5, v - 0.5), angle = r / 2;  // radius 2: nearly as long as flat
    double side = r > 0 ? 2 * sin(angle) / r : 1;
    x[0] = side * (u - 0.5), x[1] = 2 * cos(angle), x[2] = -side * (v - 0.5);
}

static void curvature_of_a_sphere(void) {
    Swing s = open_swing();
    float values[VERTICES];
    set_shape(&s, sphere);
    field_of(&s, WEFT_FIELD_CURVATURE, values);
    for (int i = 0; i < VERTICES; i++)
        if (is_inside(i)) CHECK_NEAR(values[i], 1, 0.05);
    swing_close(&s);
}

static void flat_cloth_is_not_curved(void) {
    Swing s = open_swing();
    float values[VERTICES];
    field_of(&s, WEFT_FIELD_CURVATURE, values);
    for (int i = 0; i < VERTICES; i++) CHECK_NEAR(values[i], 0, 1e-6);  // the rim, too
    swing_close(&s);
}

static void pulled(double u, double v, double x[3]) {
    x[0] = u < 0.5 ? 1.1 * u : 0.55 + 0.8 * (u - 0.5), x[1] = 0, x[2] = -v;
}

static void stretch_keeps_its_sign(void) {
    Swing s = open_swing();
    float values[VERTICES];
    set_shape(&s, pulled);
    field_of(&s, WEFT_FIELD_STRETCH, values);
    for (int i = 0; i < VERTICES; i++) {
        if (i % N < N / 2) CHECK_NEAR(values[i], 0.1, 1e-6);
        if (i % N >= N / 2) CHECK_NEAR(values[i], -0.2, 1e-6);  // what is worst off counts
    }
    swing_close(&s);
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double edge_length(const Swing* s, int e) {
    const int* v = weft_edges(s->model) + 2 * e;
    const double *a = weft_positions(s->state) + 3 * v[0], *b = weft_positions(s->state) + 3 * v[1];
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

// Of cloth pulled about at random, by sorting.
static void the_99th_percentile_is_found(void) {
    Swing s = open_swing();
    int count = weft_edge_count(s.model);
    double *rest = malloc((size_t)count * sizeof *rest), x[3 * VERTICES];
    unsigned random = 1;
    for (int e = 0; e < count; e++) rest[e] = edge_length(&s, e);
    for (int trial = 0; trial < 20; trial++) {
        for (int i = 0; i < 3 * VERTICES; i++) {
            random = random * 1664525u + 1013904223u;
            // many alike in some trials
            double noise = trial % 2 ? (random >> 24) / 256.0 : (random >> 31);
            x[i] = s.mesh.positions[i] + 0.01 * noise;
        }
        weft_set_positions(s.state, x);
        double* ratios = malloc((size_t)count * sizeof *ratios);
        for (int e = 0; e < count; e++) ratios[e] = edge_length(&s, e) / rest[e];
        qsort(ratios, (size_t)count, sizeof *ratios, compare_doubles);
        WeftMeasure measure;
        CHECK(weft_measure(s.state, s.step.gravity, &measure) == WEFT_OK);
        CHECK_NEAR(measure.p99_stretch, ratios[(int)(0.99 * (count - 1))], 1e-12);
        CHECK_NEAR(measure.max_stretch, ratios[count - 1], 1e-12);
        free(ratios);
    }
    free(rest);
    swing_close(&s);
}

static void speed_is_that_of_the_vertices(void) {
    Swing s = open_swing();
    float values[VERTICES];
    for (int k = 0; k < 10; k++) CHECK(swing_step(&s));
    field_of(&s, WEFT_FIELD_SPEED, values);
    double fastest = 0;
    for (int i = 0; i < VERTICES; i++) {
        const double* v = weft_velocities(s.state) + 3 * i;
        CHECK_NEAR(values[i], sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), 1e-6);
        fastest = fmax(fastest, (double)values[i]);
    }
    CHECK(fastest > 1);
    swing_close(&s);
}

static void curvature_of_a_rope(void) {
    enum { SEGMENTS = 60 };
    WeftMesh mesh;
    WeftRopeDef rope = weft_default_rope_def();
    rope.segments = SEGMENTS;
    CHECK(weft_make_rope(&rope, NULL, &mesh, NULL) == WEFT_OK);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    CHECK(weft_create_model(&def, &model, NULL) == WEFT_OK);
    CHECK(weft_create_state(model, &state, NULL) == WEFT_OK);
    double x[3 * (SEGMENTS + 1)];
    for (int i = 0; i <= SEGMENTS; i++) cylinder(i / (double)SEGMENTS, 0, x + 3 * i);
    weft_set_positions(state, x);
    float values[SEGMENTS + 1];
    CHECK(weft_copy_field(state, WEFT_FIELD_CURVATURE, values) == WEFT_OK);
    for (int i = 1; i < SEGMENTS; i++) CHECK_NEAR(values[i], 1 / RADIUS, 0.001 / RADIUS);
    CHECK(values[0] == 0 && values[SEGMENTS] == 0);  // ends have none
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_mesh(&mesh);
}

TEST_MAIN(CASE(curvature_of_a_cylinder), CASE(curvature_of_a_sphere),
          CASE(flat_cloth_is_not_curved), CASE(stretch_keeps_its_sign),
          CASE(the_99th_percentile_is_found), CASE(speed_is_that_of_the_vertices),
          CASE(curvature_of_a_rope))
