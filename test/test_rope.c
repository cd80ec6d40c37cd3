// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards ropes: their mesh, what they weigh and resist, that every method takes them, alone or sewn
// to cloth, and what is refused.

#include "base/vec.h"
#include "mesh_test.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Meshes

static void mesh(void) {
    WeftRopeDef def = weft_default_rope_def();
    CHECK(def.length == 1 && def.segments == 50);
    def.length = 3, def.segments = 4;
    WeftMesh mesh;
    CHECK(weft_make_rope(&def, NULL, &mesh, NULL) == WEFT_OK);
    CHECK(mesh.vertex_count == 5 && mesh.triangle_count == 0 && mesh.triangles == NULL);
    CHECK(mesh.material == NULL && mesh.material_count == 0 && mesh.springs == NULL);
    CHECK(mesh.thread_count == 1 && mesh.thread_vertex_count == 5);
    CHECK(mesh.threads[0].kind == WEFT_THREAD_ROPE && mesh.threads[0].first == 0);
    CHECK(mesh.threads[0].count == 5);
    for (int i = 0; i < 5; i++) {
        CHECK(mesh.thread_vertices[i] == i);
        CHECK_NEAR(mesh.positions[3 * i], 0.75 * i, 1e-15);
        CHECK(mesh.positions[3 * i + 1] == 0 && mesh.positions[3 * i + 2] == 0);
    }
    weft_destroy_mesh(&mesh);
    CHECK(mesh.threads == NULL && mesh.positions == NULL);
}

static void rope_of_nothing(void) {
    const struct {
        double length;
        int segments;
        const char* words;
    } bad[] = {{0, 5, "a rope of 0 m has no length"},
               {-1, 5, "a rope of -1 m"},
               {NAN, 5, "a rope of nan m"},
               {INFINITY, 5, "a rope of inf m"},
               {1, 0, "a rope of 0 segments"},
               {1, -3, "a rope of -3 segments"},
               {1, 5000000, "more than 5000000 vertices"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        WeftRopeDef def = {bad[i].length, bad[i].segments};
        WeftMesh made = {.vertex_count = 7};
        WeftError error = {0};
        CHECK(weft_make_rope(&def, NULL, &made, &error) == WEFT_ERROR_INPUT);
        CHECK_TEXT(error.message, bad[i].words);
        CHECK(made.vertex_count == 0 && made.positions == NULL);
    }
}

static WeftResult make_rope(const WeftAllocator* allocator, WeftMesh* made, WeftError* error) {
    WeftRopeDef def = weft_default_rope_def();
    return weft_make_rope(&def, allocator, made, error);
}

static void every_allocation(void) { check_every_allocation(make_rope); }

// ---------------------------------------------------------------------------------------------
// Models

typedef struct Rope {
    WeftMesh mesh;
    WeftClothDef cloth;
    WeftStepDef step;
    int pin;
    WeftModel* model;
    WeftState* state;
} Rope;

static Rope rope_def(double length, int segments) {
    Rope rope = {.cloth = weft_default_cloth_def(), .step = weft_default_step_def()};
    WeftRopeDef def = {length, segments};
    CHECK(weft_make_rope(&def, NULL, &rope.mesh, NULL) == WEFT_OK);
    weft_use_mesh(&rope.cloth, &rope.mesh);
    rope.step.air_density = 0;
    return rope;
}

static bool open_rope(Rope* rope) {
    WeftModelDef def = weft_default_model_def();
    def.cloths = &rope->cloth;
    def.cloth_count = 1;
    def.step = rope->step;
    def.jobs.thread_count = 1;
    WeftError error = {0};
    bool good = !weft_create_model(&def, &rope->model, &error) &&
                !weft_create_state(rope->model, &rope->state, &error);
    if (!CHECK(good)) printf("    %s\n", error.message);
    return good;
}

static void close_rope(Rope* rope) {
    weft_destroy_state(rope->state);
    weft_destroy_model(rope->model);
    weft_destroy_mesh(&rope->mesh);
}

static void hold_first(Rope* rope) {
    rope->cloth.pins = &rope->pin;
    rope->cloth.pin_count = 1;
}

static WeftMeasure measure(const Rope* rope) {
    WeftMeasure m;
    CHECK(weft_measure(rope->state, rope->step.gravity, &m) == WEFT_OK);
    return m;
}

static void read_back(void) {
    Rope rope = rope_def(2, 4);
    rope.cloth.fabric.rope_density = 0.1;
    if (!open_rope(&rope)) return;
    CHECK(weft_vertex_count(rope.model) == 5 && weft_triangle_count(rope.model) == 0);
    CHECK(weft_edge_count(rope.model) == 4);
    for (int e = 0; e < 4; e++)
        CHECK(weft_edges(rope.model)[2 * e] == e && weft_edges(rope.model)[2 * e + 1] == e + 1);
    for (int i = 0; i < 5; i++) CHECK_NEAR(weft_masses(rope.model)[i], i % 4 ? 0.05 : 0.025, 1e-15);
    CHECK(weft_model_bytes(rope.model) > 0);
    WeftMeasure m = measure(&rope);
    CHECK(m.stretch < 1e-20 && m.bend < 1e-20 && fabs(m.max_stretch - 1) < 1e-12);
    double x[15] = {0};
    for (int i = 0; i < 5; i++) x[3 * i] = 0.55 * i;  // a tenth longer
    weft_set_positions(rope.state, x);
    m = measure(&rope);
    CHECK_NEAR(m.stretch, 2000 * 0.01 / 2 * 2, 1e-9);  // rope_stretch e^2/2 per length
    CHECK_NEAR(m.max_stretch, 1.1, 1e-12);
    CHECK_NEAR(m.p99_stretch, 1.1, 1e-12);
    float positions[15], normals[15];
    weft_copy_floats(rope.state, positions, normals);
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(positions[3 * i], 0.55 * i, 1e-6);
        CHECK(normals[3 * i] == 0 && normals[3 * i + 1] == 1 && normals[3 * i + 2] == 0);
    }
    close_rope(&rope);
}

// A rope along a circle of radius R, by both kinds of bending: rope_bend/2 per R^2 and length. The
// rest lengths are the chords, and the inner vertices bend.
static double bending_of_circle(WeftBendBy by, int segments, double angle, double R) {
    Rope rope = rope_def(1, segments);
    rope.step.method = WEFT_METHOD_IMPLICIT;
    rope.cloth.bend_by = by;
    rope.cloth.fabric.rope_bend = 3;
    for (int i = 0; i <= segments; i++) {
        rope.mesh.positions[3 * i] = R * sin(angle * i);
        rope.mesh.positions[3 * i + 1] = R * cos(angle * i);
    }
    if (!open_rope(&rope)) return NAN;
    double energy = measure(&rope).bend;
    close_rope(&rope);
    return energy;
}

static void circles(void) {
    const double R = 0.7;
    static const double angles[3] = {0.1, 0.2, 0.4}, curvatures[3] = {1.0013, 1.0050, 1.0203};
    for (int i = 0; i < 3; i++) {
        double D = 2 * R * sin(angles[i] / 2);  // a chord
        double energy = bending_of_circle(WEFT_BEND_BY_THREADS, 2, angles[i], R);
        CHECK_NEAR(sqrt(2 * energy / (3 * D)) * R, curvatures[i], 5e-5);
        // |c| = 2 sin(angle/2) exactly
        energy = bending_of_circle(WEFT_BEND_BY_HINGES, 2, angles[i], R);
        CHECK_NEAR(sqrt(2 * energy / (3 * D)) * R, 1, 1e-12);
        energy = bending_of_circle(WEFT_BEND_BY_HINGES, 7, angles[i], R);
        CHECK_NEAR(energy, 6 * 3 / (R * R) * D / 2, 1e-12);
    }
}

// Unequal segments bend alike: at one joint |c| = kappa D for any two lengths on a wide circle.
static void uneven_segments(void) {
    for (int by = 0; by < 3; by += 2) {
        Rope rope = rope_def(1, 2);
        const double R = 10, angles[3] = {0, 0.01, 0.04};
        rope.step.method = WEFT_METHOD_IMPLICIT;
        rope.cloth.bend_by = (WeftBendBy)by;
        rope.cloth.fabric.rope_bend = 3;
        for (int i = 0; i < 3; i++) {
            rope.mesh.positions[3 * i] = R * sin(angles[i]);
            rope.mesh.positions[3 * i + 1] = R * cos(angles[i]);
        }
        if (!open_rope(&rope)) return;
        double D = R * 0.02;
        CHECK_NEAR(measure(&rope).bend, 3 / (R * R) * D / 2, 1e-3 * 3 / (R * R) * D / 2);
        close_rope(&rope);
    }
}

// ---------------------------------------------------------------------------------------------
// Motion

static const WeftMethod methods[] = {WEFT_METHOD_PREFACTORED, WEFT_METHOD_IMPLICIT,
                                     WEFT_METHOD_MATRIX_FREE, WEFT_METHOD_SYMPLECTIC};

// Hung up straight, a rope is stretched by what hangs below each segment.
static void hangs(void) {
    for (int way = 0; way < 4; way++) {
        Rope rope = rope_def(1, 10);
        rope.step.method = methods[way];
        rope.cloth.fabric.rope_stretch = 100;
        rope.cloth.fabric.rope_density = 0.5;
        rope.cloth.fabric.mass_damping = 10;
        hold_first(&rope);
        for (int i = 0; i <= 10; i++) {
            rope.mesh.positions[3 * i] = 0;
            rope.mesh.positions[3 * i + 1] = -0.1 * i;
        }
        if (!open_rope(&rope)) return;
        for (int k = 0; k < 180; k++) CHECK(!weft_step(rope.state, &rope.step));
        double depth = 0;
        for (int i = 1; i <= 10; i++) {
            double below = 0.5 * 9.81 * (1 - 0.1 * (i - 0.5));
            depth += 0.1 * (1 + below / 100);
            CHECK_NEAR(weft_positions(rope.state)[3 * i + 1], -depth, 1e-5);
        }
        CHECK_NEAR(depth, 1 + 0.5 * 9.81 / 2 / 100, 1e-12);
        close_rope(&rope);
    }
}

// A stiff, light rope held level at one end bends down by q L^4/(8 EI).
static void sags(void) {
    for (int by = 0; by < 3; by += 2) {
        Rope rope = rope_def(1, 40);
        int pins[2] = {0, 1};  // held level
        rope.cloth.pins = pins;
        rope.cloth.pin_count = 2;
        rope.cloth.bend_by = (WeftBendBy)by;
        rope.cloth.fabric.rope_bend = 5;
        rope.cloth.fabric.mass_damping = 5;
        rope.step.method = by ? WEFT_METHOD_IMPLICIT : WEFT_METHOD_PREFACTORED;
        rope.step.tolerance = 1e-8;
        rope.step.solve_tolerance = 1e-8;
        if (!open_rope(&rope)) return;
        for (int k = 0; k < 240; k++) CHECK(!weft_step(rope.state, &rope.step));
        // bending begins at the second vertex
        double free_length = 1 - 0.5 / 40, sag = 0.025 * 9.81 * pow(free_length, 4) / (8 * 5);
        CHECK_NEAR(-weft_positions(rope.state)[3 * 40 + 1], sag, 0.02 * sag);
        close_rope(&rope);
    }
}

// Every method swings a rope of the default fabric through, and hardly stretches it. Nothing is
// softened: the default step works with the rope's own stiffness.
static void swings(void) {
    for (int way = 0; way < 4; way++)
        for (int bend = 0; bend < 3; bend++) {
            Rope rope = rope_def(1, 30);
            rope.step.method = methods[way];
            rope.cloth.bend = (WeftBend)bend;
            // one Newton step is not enough where springs turn by 0.1 rad per step
            rope.step.newton_steps = 3;
            rope.step.tolerance = 1e-6;
            hold_first(&rope);
            if (!open_rope(&rope)) return;
            double lowest = 0, stretch = 0;
            for (int k = 0; k < 60; k++) {
                CHECK(!weft_step(rope.state, &rope.step));
                lowest = fmin(lowest, weft_positions(rope.state)[3 * 30 + 1]);
                stretch = fmax(stretch, measure(&rope).max_stretch);
            }
            CHECK(weft_report(rope.state)->stiffness_scale == 1);
            // of the springs: k = 2000 N times 30 per metre, m = 25 g in 31 parts
            double h = rope.step.dt / weft_report(rope.state)->substeps;
            double beta = 2000 * 30 * h * h / (0.025 / 31);
            CHECK_NEAR(weft_report(rope.state)->stiffness_number, beta, 1e-9 * beta);
            CHECK_NEAR(lowest, -0.96, 0.05);
            CHECK_BELOW(stretch, 1.2);
            close_rope(&rope);
        }
}

// What is saved goes on as the original does.
static void saved(void) {
    Rope rope = rope_def(1, 20);
    hold_first(&rope);
    if (!open_rope(&rope)) return;
    for (int k = 0; k < 5; k++) CHECK(!weft_step(rope.state, &rope.step));
    size_t size = weft_saved_size(rope.state);
    void* bytes = malloc(size);
    weft_save_state(rope.state, bytes);
    for (int k = 0; k < 5; k++) CHECK(!weft_step(rope.state, &rope.step));
    uint64_t hash = weft_hash_state(rope.state);
    CHECK(weft_load_state(rope.state, bytes, size, NULL) == WEFT_OK);
    CHECK(weft_hash_state(rope.state) != hash);
    for (int k = 0; k < 5; k++) CHECK(!weft_step(rope.state, &rope.step));
    CHECK(weft_hash_state(rope.state) == hash);
    free(bytes);
    close_rope(&rope);
}

// A closed rope, thrown as a square, becomes nearly round by bending; nothing pulls it.
static void loops(void) {
    enum { N = 24 };
    Rope rope = rope_def(1, N - 1);
    int names[N + 1];
    WeftThread thread = {.kind = WEFT_THREAD_ROPE, .count = N + 1};
    for (int i = 0; i <= N; i++) names[i] = i % N;
    rope.cloth.threads = &thread;
    rope.cloth.thread_vertices = names;
    rope.cloth.thread_vertex_count = N + 1;
    rope.cloth.fabric.mass_damping = 5;
    rope.cloth.fabric.rope_bend = 1e-2;
    memset(rope.step.gravity, 0, sizeof rope.step.gravity);
    for (int i = 0; i < N; i++) {
        static const double corners[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
        int side = 4 * i / N;
        double part = (double)(i % (N / 4)) / (N / 4);
        for (int c = 0; c < 2; c++)
            rope.mesh.positions[3 * i + c] =
                corners[side][c] + part * (corners[side + 1][c] - corners[side][c]);
    }
    if (!open_rope(&rope)) return;
    CHECK(weft_edge_count(rope.model) == N);
    double before = measure(&rope).bend;
    for (int k = 0; k < 300; k++) CHECK(!weft_step(rope.state, &rope.step));
    CHECK_BELOW(measure(&rope).bend, 0.4 * before);
    CHECK_NEAR(measure(&rope).max_stretch, 1, 0.01);
    close_rope(&rope);
}

// ---------------------------------------------------------------------------------------------
// With cloth

// A light cloth with a rope in its lower side: the rope's weight is there, its stiffness is its own
// while the cloth is softened.
static void sewn_to_cloth(void) {
    for (int linear = 0; linear < 2; linear++) {
        Rope rope = {.cloth = weft_default_cloth_def(), .step = weft_default_step_def()};
        WeftGridDef grid = {1, 1, 12, 12, WEFT_GRID_WOVEN};
        CHECK(weft_make_grid(&grid, NULL, &rope.mesh, NULL) == WEFT_OK);
        rope.mesh.threads[0].kind = WEFT_THREAD_ROPE;
        weft_use_mesh(&rope.cloth, &rope.mesh);
        if (linear) weft_set_estimator(&rope.cloth, WEFT_ESTIMATOR_VERTEX, 2);
        if (linear) rope.step.stretch_tolerance = 0;
        int pins[2] = {12 * 13, 13 * 13 - 1};
        rope.cloth.pins = pins;
        rope.cloth.pin_count = 2;
        rope.cloth.fabric.stretch_warp = rope.cloth.fabric.stretch_weft = 20000;
        if (!open_rope(&rope)) return;
        double sum = 0;
        for (int i = 0; i < 169; i++) sum += weft_masses(rope.model)[i];
        CHECK_NEAR(sum, 0.187 + 0.025, 1e-12);
        CHECK(weft_edge_count(rope.model) == 2 * 12 * 13 + 144 + 12);
        for (int k = 0; k < 60; k++) CHECK(!weft_step(rope.state, &rope.step));
        if (!linear) CHECK_BELOW(weft_report(rope.state)->stiffness_scale, 0.5);
        CHECK_BELOW(measure(&rope).max_stretch, 1.1);
        // what is measured: rope and cloth at their real stiffness
        double x[3 * 169];
        for (int i = 0; i < 169; i++) {
            memcpy(x + 3 * i, rope.mesh.positions + 3 * i, 3 * sizeof *x);
            x[3 * i] *= 1.01;  // along the rope
        }
        weft_set_positions(rope.state, x);
        double along = measure(&rope).stretch;
        rope.cloth.threads = NULL, rope.cloth.thread_count = 0;
        Rope bare = rope;
        bare.model = NULL, bare.state = NULL;
        if (open_rope(&bare)) {
            weft_set_positions(bare.state, x);
            CHECK_NEAR(along - measure(&bare).stretch, 2000 * 1e-4 / 2, 1e-9);
        }
        weft_destroy_state(bare.state);
        weft_destroy_model(bare.model);
        close_rope(&rope);
    }
}

// A rope and a cloth in one model: numbered through, and neither feels the other.
static void beside_cloth(void) {
    Rope rope = rope_def(1, 8), alone = rope_def(1, 8);
    WeftGridDef grid = {1, 1, 3, 3, WEFT_GRID_ALTERNATING};
    WeftMesh sheet;
    CHECK(weft_make_grid(&grid, NULL, &sheet, NULL) == WEFT_OK);
    WeftClothDef cloths[2] = {weft_default_cloth_def(), rope.cloth};
    weft_use_mesh(&cloths[0], &sheet);
    cloths[1].pins = &rope.pin;
    cloths[1].pin_count = 1;
    hold_first(&alone);
    alone.step.method = WEFT_METHOD_SYMPLECTIC;
    alone.step.substeps = 64;
    WeftModelDef def = weft_default_model_def();
    def.cloths = cloths;
    def.cloth_count = 2;
    def.step = alone.step;
    CHECK(weft_create_model(&def, &rope.model, NULL) == WEFT_OK);
    CHECK(weft_create_state(rope.model, &rope.state, NULL) == WEFT_OK);
    if (!open_rope(&alone)) return;
    CHECK(weft_first_vertex(rope.model, 1) == 16 && weft_vertex_count(rope.model) == 25);
    int edges = weft_edge_count(rope.model);
    CHECK(edges == 24 + 9 + 8 && weft_edges(rope.model)[2 * edges - 1] == 24);
    for (int k = 0; k < 20; k++) {
        CHECK(!weft_step(rope.state, &alone.step));
        CHECK(!weft_step(alone.state, &alone.step));
    }
    for (int i = 0; i < 27; i++)
        CHECK_NEAR(weft_positions(rope.state)[48 + i], weft_positions(alone.state)[i], 1e-12);
    weft_destroy_mesh(&sheet);
    close_rope(&rope);
    close_rope(&alone);
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void refuse(WeftClothDef cloth, WeftMethod method, const char* words) {
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.step.method = method;
    WeftModel* model = NULL;
    WeftError error = {0};
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_COMBINATION && model == NULL);
    CHECK_TEXT(error.message, words);
}

static void combinations(void) {
    WeftMesh plain, woven;
    WeftGridDef grid = {1, 1, 4, 4, WEFT_GRID_ALTERNATING};
    CHECK(weft_make_grid(&grid, NULL, &plain, NULL) == WEFT_OK);
    grid.kind = WEFT_GRID_WOVEN;
    CHECK(weft_make_grid(&grid, NULL, &woven, NULL) == WEFT_OK);
    WeftClothDef good = weft_default_cloth_def(), cloth;
    const WeftMethod implicit = WEFT_METHOD_IMPLICIT;
    weft_use_mesh(&good, &plain);
    cloth = good, cloth.stretch = WEFT_STRETCH_THREADS;
    refuse(cloth, implicit, "cloth 0: stretch by threads needs a mesh with warp or weft threads");
    cloth = good, cloth.shear = WEFT_SHEAR_AREA;
    refuse(cloth, implicit, "cloth 0: shear by area needs a mesh with warp and weft threads");
    cloth = good, cloth.bend_by = WEFT_BEND_BY_THREADS;
    refuse(cloth, implicit, "cloth 0: bending by threads needs a mesh with threads");
    cloth = good, cloth.stretch = WEFT_STRETCH_ONE_SIDED;
    weft_set_estimator(&cloth, WEFT_ESTIMATOR_VERTEX, 2);
    refuse(cloth, implicit, "cloth 0: one-sided springs have no linear model");
    weft_use_mesh(&good, &woven);
    cloth = good, cloth.stretch = WEFT_STRETCH_THREADS;
    weft_set_estimator(&cloth, WEFT_ESTIMATOR_PREVIOUS, 1);
    refuse(cloth, implicit, "cloth 0: threads have no linear model");
    // no constant matrix is above them; as forces at the start of a step they are fine
    cloth = good, cloth.shear = WEFT_SHEAR_AREA, cloth.bend_by = WEFT_BEND_BY_THREADS;
    cloth.bend = WEFT_BEND_EXPLICIT;
    refuse(cloth, WEFT_METHOD_PREFACTORED, "cloth 0: no constant matrix bounds the area");
    cloth.bend = WEFT_BEND_IMPLICIT, cloth.explicit_shear = true;
    refuse(cloth, WEFT_METHOD_PREFACTORED, "cloth 0: no constant matrix bounds the curvature");
    cloth.bend = WEFT_BEND_EXPLICIT;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    WeftModel* model = NULL;
    CHECK(weft_create_model(&def, &model, NULL) == WEFT_OK);
    weft_destroy_model(model);
    weft_destroy_mesh(&plain);
    weft_destroy_mesh(&woven);
}

// ---------------------------------------------------------------------------------------------
// Bands

// A band along one side of a sheet gathers it, to its own length and no further.
static void band_gathers(void) {
    enum { N = 21 };
    WeftGridDef grid = {.width = 0.4, .height = 0.2, .columns = N - 1, .rows = 10};
    WeftMesh sheet;
    CHECK(!weft_make_grid(&grid, NULL, &sheet, NULL));
    int chain[N];
    for (int i = 0; i < N; i++) chain[i] = i;
    WeftThread band = {.kind = WEFT_THREAD_BAND, .count = N, .ratio = 0.7, .stretch = 200};
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &sheet);
    cloth.stretch = WEFT_STRETCH_TRIANGLES;
    cloth.threads = &band, cloth.thread_count = 1;
    cloth.thread_vertices = chain, cloth.thread_vertex_count = N;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    CHECK(!weft_create_model(&def, &model, NULL) && !weft_create_state(model, &state, NULL));
    WeftStepDef step = def.step;
    step.gravity[1] = 0;
    for (int i = 0; i < 120; i++) CHECK(!weft_step(state, &step));
    double length = 0, other = 0;
    const double* x = weft_positions(state);
    for (int i = 0; i + 1 < N; i++) {
        length += wf_length(wf_sub(wf_load(x, i + 1), wf_load(x, i)));
        other += wf_length(wf_sub(wf_load(x, i + 1 + 10 * N), wf_load(x, i + 10 * N)));
    }
    CHECK_BELOW(length, 0.8 * grid.width);
    CHECK(length > 0.68 * grid.width && other > 0.9 * grid.width);
    weft_destroy_state(state);
    weft_destroy_model(model);
    band.ratio = 1.2;
    WeftError error;
    CHECK(weft_create_model(&def, &model, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "cloth 0: thread 0, a band, has a ratio of 1.2");
    weft_destroy_mesh(&sheet);
}

TEST_MAIN(CASE(mesh), CASE(rope_of_nothing), CASE(every_allocation), CASE(read_back), CASE(circles),
          CASE(uneven_segments), CASE(hangs), CASE(sags), CASE(swings), CASE(saved), CASE(loops),
          CASE(sewn_to_cloth), CASE(beside_cloth), CASE(combinations), CASE(band_gathers))
