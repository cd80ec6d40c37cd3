// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards src/small_steps/levels.c, level_build.c, level_fabric.c and src/mesh/geodesic.c: that
// distances are those along the cloth; that members, weights and masses are whole; that levels and
// the limit pull and never push, keep momentum, and leave what rests, turns or is pinned; that they
// make up for what one sweep leaves missing, no more; and that the bits are the same everywhere.

#include "mesh/geodesic.h"
#include "sim/model.h"
#include "small_steps/kernel.h"
#include "swing.h"
#include "test.h"

static const double PI = 3.14159265358979;

// ---------------------------------------------------------------------------------------------
// The levels of a sheet

typedef struct Sheet {
    Swing swing;
    const WfLevels* levels;
    WfLevelsWork work;
    WfArena arena;
    WfPoint4 *x, *before;
    int count;
} Sheet;

static Sheet open_sheet(int n, bool pinned) {
    Sheet s = {.swing = swing_def(n, 100), .count = n * n};
    s.swing.cloth.fabric.stretch_warp = s.swing.cloth.fabric.stretch_weft = 2000;
    s.swing.cloth.uniform_mass = false;
    if (!pinned) s.swing.cloth.pins = s.swing.pins, s.swing.cloth.pin_count = 0;
    s.swing.step.method = WEFT_METHOD_SMALL_STEPS;
    swing_open(&s.swing);
    CHECK(!weft_prepare_model(s.swing.model, &s.swing.step, NULL));
    s.levels = &s.swing.model->small.levels;
    WeftAllocator allocator = wf_allocator(NULL);
    WfArena measure = {0};
    wf_levels_layout(s.levels, 1, &measure, &s.work);
    CHECK(wf_arena_create(&s.arena, &allocator, measure.used));
    memset(s.arena.base, 0, measure.used);
    wf_levels_layout(s.levels, 1, &s.arena, &s.work);
    s.x = calloc(2 * ((size_t)s.count + WF_IDLE_POINTS), sizeof *s.x);
    s.before = s.x + s.count + WF_IDLE_POINTS;
    const WeftModel* m = s.swing.model;
    for (int i = 0; i < s.count; i++) {
        const double* p = m->positions + 3 * (size_t)i;
        double w = m->pinned[i] ? 0 : 1 / m->system.masses[i];
        s.x[i] = s.before[i] = (WfPoint4){(float)p[0], (float)p[1], (float)p[2], (float)w};
    }
    return s;
}

static void close_sheet(Sheet* s) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_arena_destroy(&s->arena, &allocator);
    free(s->x);
    swing_close(&s->swing);
}

static void move_sheet(Sheet* s, float h) {
    static const WfNearPlanes none = {0};
    const WfLocalJob job = {.x = s->x, .before = s->before, .h = h, .sweeps = 1};
    wf_levels_begin(s->levels, s->x, s->count, &none, &s->work);
    wf_levels_move(s->levels, &job, &none, 1, &s->work);
}

static void limit_sheet(Sheet* s, float h) {
    const WfLocalJob job = {.x = s->x, .before = s->before, .h = h, .sweeps = 1};
    wf_levels_limit(s->levels, &job);
}

// How far it has moved at most, m.
static double most_moved(const Sheet* s) {
    double most = 0;
    for (int i = 0; i < s->count; i++) {
        const WfPoint4 *p = &s->x[i], *q = &s->before[i];
        most = fmax(most, fabs((double)(p->x - q->x)));
        most = fmax(most, fabs((double)(p->y - q->y)));
        most = fmax(most, fabs((double)(p->z - q->z)));
    }
    return most;
}

// ---------------------------------------------------------------------------------------------

// On a flat sheet they are straight, whichever way.
static void distances(void) {
    Sheet s = open_sheet(33, false);
    WeftAllocator allocator = wf_allocator(NULL);
    WfWayMesh mesh = wf_way_mesh(s.swing.model, s.swing.model->pinned);
    WfGeodesic g;
    CHECK(!wf_geodesic_create(&allocator, &mesh, &g));
    static const int from[] = {0, 16 * 33 + 16, 5 * 33 + 27};
    for (int k = 0; k < 3; k++) {
        double worst = 0;
        wf_geodesic_march(&g, from[k], HUGE_VAL, NULL);
        CHECK(g.reached == s.count);
        for (int i = 0; i < s.count; i++) {
            const WfPoint4 *p = &s.x[from[k]], *q = &s.x[i];
            double x = (double)(p->x - q->x), y = (double)(p->y - q->y), z = (double)(p->z - q->z);
            double straight = sqrt(x * x + y * y + z * z);
            if (i != from[k]) worst = fmax(worst, fabs(g.distance[i] / straight - 1));
        }
        CHECK_BELOW(worst, 0.01);
    }
    wf_geodesic_march(&g, 0, 0.3, NULL);
    for (int k = 0; k < g.reached; k++) CHECK(g.distance[g.order[k]] <= 0.3);
    CHECK(g.reached > 60 && g.reached < 120);  // a quarter of a disc
    wf_geodesic_destroy(&allocator, &g);
    close_sheet(&s);
}

// Members are nested and each once; weights are 1 together, masses all there is; the corners that
// hold the sheet are members of every level.
static void whole(void) {
    Sheet s = open_sheet(65, true);
    CHECK(s.levels->count == 3);
    double total = 0;
    for (int i = 0; i < s.count; i++) total += s.swing.model->system.masses[i];
    for (int k = 0; k < s.levels->member_count; k++)
        CHECK(s.levels->ranks[s.levels->members[k]] == k);
    for (int k = 0; k < 2; k++) CHECK(s.levels->ranks[s.swing.pins[k]] < 2);
    for (int l = 0; l < s.levels->count; l++) {
        const WfCoarseLevel* level = &s.levels->level[l];
        double sum = 0;
        CHECK(level->member_count == s.count >> 2 * (l + 1));
        for (int c = 0; c < level->member_count; c++) sum += (double)level->masses[c];
        CHECK_NEAR(sum / total, 1, 1e-5);
        for (long k = 0; k < level->spread.count; k++) {
            const float* P = level->spread.weights + WF_LEVEL_WEIGHTS * k;
            CHECK_NEAR((double)(P[0] + P[1] + P[2] + P[3]), 1, 1e-6);
            for (int m = 0; m < WF_LEVEL_WEIGHTS; m++) CHECK(P[m] >= 0);
        }
    }
    close_sheet(&s);
}

// Nothing moves at rest, nor turned and carried off, nor folded, nor pressed together.
static void rests(void) {
    Sheet s = open_sheet(33, false);
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < s.count; i++) {
            double p[3], angle = 0.7;
            for (int k = 0; k < 3; k++) p[k] = s.swing.model->positions[3 * (size_t)i + k];
            double u = p[0], v = p[2];
            if (kind == 1) p[0] = cos(angle) * u - sin(angle) * v + 1;
            if (kind == 1) p[2] = sin(angle) * u + cos(angle) * v, p[1] += 2;
            if (kind == 2) p[0] = u < 0.3 ? 0.6 - u : u;
            if (kind == 3) p[0] = 0.8 * u, p[1] += 0.01 * sin(20 * PI * v);
            if (kind == 3) p[2] = 0.7 * v;
            float w = s.x[i].w;
            s.x[i] = s.before[i] = (WfPoint4){(float)p[0], (float)p[1], (float)p[2], w};
        }
        move_sheet(&s, 1e-3f);
        limit_sheet(&s, 1e-3f);
        CHECK_BELOW(most_moved(&s), 2e-6);
    }
    close_sheet(&s);
}

// What is pulled long becomes shorter, and its mass stays where it is in the mean.
static void keeps_momentum(void) {
    Sheet s = open_sheet(33, false);
    for (int part = 0; part < 2; part++) {
        double before[3] = {0}, after[3] = {0};
        for (int i = 0; i < s.count; i++) {
            const double* p = s.swing.model->positions + 3 * (size_t)i;
            s.x[i].x = (float)(1.2 * p[0] + 0.1 * p[0] * p[2]), s.x[i].z = (float)p[2];
            s.x[i].y = (float)(0.05 * sin(7 * p[0]));
            s.before[i] = s.x[i];
        }
        if (part == 0) move_sheet(&s, 1e-3f);
        if (part == 1) limit_sheet(&s, 1e-3f);
        for (int i = 0; i < s.count; i++) {
            double m = s.swing.model->system.masses[i];
            const WfPoint4 *p = &s.x[i], *q = &s.before[i];
            before[0] += m * (double)q->x, after[0] += m * (double)p->x;
            before[1] += m * (double)q->y, after[1] += m * (double)p->y;
            before[2] += m * (double)q->z, after[2] += m * (double)p->z;
        }
        CHECK(most_moved(&s) > 0.002);
        for (int k = 0; k < 3; k++) CHECK_NEAR(after[k], before[k], 0.15 * 2e-7);
    }
    close_sheet(&s);
}

// Where all members go, all go.
static void follows(void) {
    Sheet s = open_sheet(65, true);
    for (int l = 0; l < s.levels->count; l++) {
        const WfLevelSpread* spread = &s.levels->level[l].spread;
        for (long k = 0; k < spread->count; k++) {
            float sum = 0;
            for (int m = 0; m < WF_LEVEL_WEIGHTS; m++)
                sum += spread->weights[WF_LEVEL_WEIGHTS * k + m] * 0.25f;
            CHECK_NEAR((double)sum, 0.25, 1e-6);
        }
    }
    for (int i = 0; i < s.count; i++) s.x[i].x *= 1.1f, s.before[i] = s.x[i];
    move_sheet(&s, 1e-3f);
    limit_sheet(&s, 1e-3f);
    CHECK(most_moved(&s) > 0.001);
    for (int k = 0; k < 2; k++)
        CHECK(!memcmp(&s.x[s.swing.pins[k]], &s.before[s.swing.pins[k]], sizeof *s.x));
    close_sheet(&s);
}

static void same_bits(void) {
    Sheet s = open_sheet(33, false);
    size_t size = (size_t)s.count * sizeof *s.x;
    WfPoint4* x = malloc(size);
    WfLocal limit = s.levels->limit;
    WfLocalJob job = {.x = s.x, .before = s.before, .h = 1e-3f, .sweeps = 1};
    for (int i = 0; i < s.count; i++) s.x[i].x *= 1.07f, s.x[i].y = 0.03f * s.x[i].x * s.x[i].z;
    memcpy(x, s.x, size);
    limit.sweep = wf_small_plain.pulls;
    wf_local_run(&limit, &job, false);
    for (int i = 0; i < s.count; i++) {
        WfPoint4 moved = s.x[i];
        s.x[i] = x[i], x[i] = moved;
    }
    limit.sweep = wf_small_wide()->pulls;
    wf_local_run(&limit, &job, false);
    CHECK(!memcmp(x, s.x, size));
    free(x);
    close_sheet(&s);
}

// ---------------------------------------------------------------------------------------------
// In motion

typedef struct Stretch {
    double p99, most, last;
} Stretch;

static Stretch swing_for_a_second(int n, int sweeps) {
    Swing s = swing_def(n, 100);
    Stretch worst = {0, 0, 0};
    s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = 2000;
    s.cloth.uniform_mass = false;
    s.step.method = WEFT_METHOD_SMALL_STEPS, s.step.substeps = 16, s.step.iterations[0] = sweeps;
    swing_open(&s);
    for (int f = 0; f < 60 && swing_step(&s); f++) {
        WeftMeasure m;
        weft_measure(s.state, s.step.gravity, &m);
        worst.p99 = fmax(worst.p99, m.p99_stretch), worst.last = m.p99_stretch;
        worst.most = fmax(worst.most, m.max_stretch);
    }
    swing_close(&s);
    return worst;
}

// Whatever the mesh; without levels it is 1.13, 1.6 and 1.35, 4.0.
static void any_mesh(void) {
    for (int n = 33; n <= 65; n += 32) {
        Stretch s = swing_for_a_second(n, 1);
        printf("    %d x %d vertices: p99 %.4f, most %.4f\n", n, n, s.p99, s.most);
        CHECK_BELOW(s.p99, 1.04);
        CHECK_BELOW(s.most, 1.15);
    }
}

// A sheet that hangs by a side, of k N/m, comes to rest as long as it is in the converged step.
static double hang(int n, int substeps, double k, double* speed) {
    Swing s = swing_def(n, 100);
    double *x = malloc(3 * (size_t)(n * n) * sizeof *x), sum = 0;
    int* pins = malloc((size_t)n * sizeof *pins);
    for (int i = 0; i < n; i++) pins[i] = n * (n - 1) + i;
    s.cloth.pins = pins, s.cloth.pin_count = n;
    s.cloth.fabric.stretch_warp = s.cloth.fabric.stretch_weft = k;
    s.cloth.fabric.mass_damping = 4, s.cloth.uniform_mass = false;
    s.step.method = substeps ? WEFT_METHOD_SMALL_STEPS : WEFT_METHOD_IMPLICIT;
    s.step.substeps = substeps ? substeps : 1, s.step.iterations[0] = substeps ? 1 : 0;
    if (!substeps) s.step.newton_steps = 30;
    swing_open(&s);
    const double* start = weft_positions(s.state);
    for (int i = 0; i < n * n; i++) {
        double far = (n - 1 - i / n) / (double)(n - 1);
        WfVec at = wf_load(start, n * (n - 1) + i % n);
        wf_store(x, i, (WfVec){at.x, at.y - far, at.z});
    }
    weft_set_positions(s.state, x);
    for (int f = 0; f < 150 && swing_step(&s); f++) {
    }
    double top = weft_positions(s.state)[3 * n * (n - 1) + 1];
    for (int i = 0; i < n; i++) sum += (top - weft_positions(s.state)[3 * i + 1]) / n;
    WeftMeasure m;
    weft_measure(s.state, s.step.gravity, &m);
    *speed = m.max_speed;
    swing_close(&s);
    free(x), free(pins);
    return sum - 1;
}

static void hangs(void) {
    double speed, truth = hang(33, 0, 100, &speed);
    for (int n = 32; n <= 64; n *= 2) {
        double long_by = hang(33, n, 100, &speed);
        printf("    %d substeps: longer by %.4g for %.4g, %.2g m/s\n", n, long_by, truth, speed);
        CHECK_NEAR(long_by / truth, 1, 0.05);
        CHECK_BELOW(speed, 0.01);
    }
    hang(33, 16, 2000, &speed);
    CHECK_BELOW(speed, 0.002);
}

// ---------------------------------------------------------------------------------------------

// Two sheets and a rope have members of their own; ropes, and cloth of a few vertices, none.
static void pieces(void) {
    WeftMesh sheet, rope;
    WeftGridDef grid = {.width = 1, .height = 1, .columns = 32, .rows = 32};
    WeftRopeDef line = {.length = 1, .segments = 300};
    CHECK(!weft_make_grid(&grid, NULL, &sheet, NULL) && !weft_make_rope(&line, NULL, &rope, NULL));
    for (int count = 1; count <= 3; count += 2) {
        WeftClothDef cloths[3];
        WeftModelDef def = weft_default_model_def();
        WeftModel* model = NULL;
        WeftState* state = NULL;
        for (int k = 0; k < 3; k++) cloths[k] = weft_default_cloth_def();
        weft_use_mesh(&cloths[0], &rope);
        weft_use_mesh(&cloths[1], &sheet);
        weft_use_mesh(&cloths[2], &sheet);
        def.cloths = cloths, def.cloth_count = count;
        def.step.method = WEFT_METHOD_SMALL_STEPS;
        CHECK(!weft_create_model(&def, &model, NULL) && !weft_create_state(model, &state, NULL));
        for (int f = 0; f < 5; f++) CHECK(!weft_step(state, &def.step));
        CHECK(!weft_prepare_model(model, &def.step, NULL));
        const WfLevels* levels = &model->small.levels;
        CHECK(levels->count == (count > 1 ? 2 : 0));
        int members[3] = {0};
        for (int k = 0; k < levels->member_count; k++)
            members[(levels->members[k] >= 301) + (levels->members[k] >= 301 + 1089)]++;
        CHECK(members[0] == 0);
        if (count > 1) CHECK(members[1] > 240 && members[2] > 240);
        weft_destroy_state(state);
        weft_destroy_model(model);
    }
    weft_destroy_mesh(&sheet);
    weft_destroy_mesh(&rope);
}

TEST_MAIN(CASE(distances), CASE(whole), CASE(rests), CASE(keeps_momentum), CASE(follows),
          CASE(same_bits), CASE(any_mesh), CASE(hangs), CASE(pieces))
