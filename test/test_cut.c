// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards cutting: what is cut moves as a cloth that was made so, weighs the same and gains nothing;
// the model it was made with and other states stay as they are; lines find the edges along them;
// copies, bytes and hashes know of it at every moment; threads change no bit.

#include "counting.h"
#include "sim/model.h"
#include "sim/state.h"
#include "tear_test.h"

static void set_windy(Curtain* c) {
    c->step.wind[0] = 0.5;
    c->step.wind[2] = 2;
}

// ---------------------------------------------------------------------------------------------
// Motion

// Of `count` vertices from `first` on.
static double mean_height(const double* vectors, int first, int count) {
    double sum = 0;
    for (int i = first; i < first + count; i++) sum += vectors[3 * i + 1];
    return sum / count;
}

static void falls_apart(void) {
    enum { N = 12 };
    Curtain c;
    curtain_def(&c, N);
    c.step.air_density = 0;
    curtain_open(&c);
    take_steps(c.state, &c.step, 5);
    CHECK(cut_line(c.state, &c, false, 6, 0, N) == N);
    CHECK(cut_line(c.state, &c, false, 6, 0, N) == 0);  // asked for already
    CHECK(wait_torn(c.state, &c.step) == 4);
    CHECK(weft_report(c.state)->torn);
    const WeftModel* torn = weft_state_model(c.state);
    CHECK(torn != c.model && weft_vertex_count(c.model) == (N + 1) * (N + 1));
    CHECK(weft_vertex_count(torn) == (N + 1) * (N + 2));
    CHECK(weft_triangle_count(torn) == weft_triangle_count(c.model));
    CHECK(count_pieces(torn) == 2);
    CHECK_NEAR(sum_of_masses(torn), sum_of_masses(c.model), 1e-12);
    for (int i = 0; i < N + 1; i++)
        CHECK(weft_torn_from(c.state, (N + 1) * (N + 1) + i) == vertex_at(&c, i, 6));
    // free fall of the lower part, from where it hung
    int first = vertex_at(&c, 0, 7), count = (N + 1) * (N - 6), high = vertex_at(&c, N / 2, 3);
    double from = mean_height(weft_positions(c.state), first, count);
    double v = mean_height(weft_velocities(c.state), first, count);
    double held = weft_positions(c.state)[3 * high + 1];
    take_steps(c.state, &c.step, 30);
    // BDF2 feels that a force has gone half a step late
    bool small = c.step.method == WEFT_METHOD_SMALL_STEPS;
    double t = 0.5, late = small ? 0 : c.step.dt / 2 / 2;
    double fallen = from + v * t - 9.81 / 2 * (t - late) * (t - late);
    CHECK_NEAR(mean_height(weft_positions(c.state), first, count), fallen, 0.02);
    CHECK_NEAR(weft_positions(c.state)[3 * high + 1], held, 0.02);
    curtain_close(&c);
}

static void springs(Curtain* c) { (void)c; }
static void triangles(Curtain* c) { c->cloth.stretch = WEFT_STRETCH_TRIANGLES; }
static void bend_springs(Curtain* c) { c->cloth.bend_by = WEFT_BEND_BY_SPRINGS; }
static void implicit(Curtain* c) {
    c->cloth.stretch = WEFT_STRETCH_BIQUADRATIC;
    c->step.method = WEFT_METHOD_IMPLICIT;
    c->step.tolerance = 1e-10;
    c->def.step = c->step;
}
static void relaxation(Curtain* c) {
    c->step.method = WEFT_METHOD_RELAXATION;
    c->def.step = c->step;
}
static void limited(Curtain* c) {
    c->cloth.stretch_limit = 1.02;
    c->cloth.tethers = true;
}
static void bare(Curtain* c) { c->cloth.material = NULL; }

// Two fabrics, scales, a flat shape by corners, and a band that holds what is cut across it.
static void sewn(Curtain* c) {
    static WeftFabric stiff;
    static int of_triangle[2 * MOST_CELLS * MOST_CELLS], band[MOST_CELLS + 1];
    static double scale[(MOST_CELLS + 1) * (MOST_CELLS + 1)];
    static WeftThread thread;
    stiff = weft_default_fabric();
    stiff.stretch_warp = 3000;
    stiff.density = 0.3;
    for (int t = 0; t < c->mesh.triangle_count; t++) of_triangle[t] = t % 5 == 0 ? 0 : -1;
    for (int i = 0; i < c->mesh.vertex_count; i++) scale[i] = 1 + 0.1 * (i % 3);
    for (int i = 0; i <= c->cells; i++) band[i] = vertex_at(c, i, 7);
    thread =
        (WeftThread){.kind = WEFT_THREAD_BAND, .count = c->cells + 1, .ratio = 0.95, .stretch = 20};
    c->cloth.fabrics = &stiff;
    c->cloth.fabric_count = 1;
    c->cloth.triangle_fabric = of_triangle;
    c->cloth.stretch_scale = c->cloth.bend_scale = c->cloth.density_scale = scale;
    c->cloth.triangle_material = c->cloth.triangles;
    c->cloth.threads = &thread;
    c->cloth.thread_count = 1;
    c->cloth.thread_vertices = band;
    c->cloth.thread_vertex_count = c->cells + 1;
}

static const struct {
    const char* name;
    void (*set)(Curtain*);
} ways[] = {{"springs", springs},           {"triangles", triangles},
            {"bend springs", bend_springs}, {"implicit membrane", implicit},
            {"relaxation", relaxation},     {"limited", limited},
            {"no flat shape", bare},        {"sewn", sewn}};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static double distance(const WeftState* a, const WeftState* b) {
    double most = 0;
    for (int i = 0; i < 3 * weft_vertex_count(weft_state_model(a)); i++)
        most = fmax(most, fabs(weft_positions(a)[i] - weft_positions(b)[i]));
    return most;
}

// A cloth that has the torn one's triangles from the start.
static WeftState* made_so(const Curtain* c, WeftModel** model) {
    const WeftModel* torn = weft_state_model(c->state);
    int n = weft_vertex_count(torn), pins[2 * MOST_CELLS], pin_count = 0;
    double* x = malloc(3 * (size_t)n * sizeof *x);
    double* flat = malloc(2 * (size_t)n * sizeof *flat);
    double* scale = malloc((size_t)n * sizeof *scale);
    for (int i = 0; i < n; i++) {
        int from = weft_torn_from(c->state, i);
        memcpy(x + 3 * i, c->mesh.positions + 3 * from, 3 * sizeof *x);
        memcpy(flat + 2 * i, c->mesh.material + 2 * from, 2 * sizeof *flat);
        scale[i] = c->cloth.stretch_scale ? c->cloth.stretch_scale[from] : 1;
        if (weft_is_pinned(c->state, i)) pins[pin_count++] = i;
    }
    WeftClothDef cloth = c->cloth;
    cloth.vertex_count = n;
    cloth.positions = x;
    if (!cloth.triangle_material) {
        cloth.material_count = n;
        cloth.material = c->cloth.material ? flat : NULL;
    }
    if (cloth.stretch_scale) cloth.stretch_scale = cloth.bend_scale = cloth.density_scale = scale;
    cloth.triangles = weft_triangles(torn);
    cloth.pins = pins;
    cloth.pin_count = pin_count;
    WeftModelDef def = c->def;
    def.cloths = &cloth;
    def.tearable = false;
    WeftState* state = NULL;
    CHECK(!weft_create_model(&def, model, NULL) && !weft_create_state(*model, &state, NULL));
    free(x);
    free(flat);
    free(scale);
    return state;
}

static void moves_as_if_made_so(void) {
    enum { N = 14 };
    for (int w = 0; w < WAY_COUNT; w++) {
        Curtain c;
        WeftModel* model;
        curtain_def(&c, N);
        ways[w].set(&c);
        set_windy(&c);
        curtain_open(&c);
        take_steps(c.state, &c.step, 20);
        cut_line(c.state, &c, true, 5, 0, 9);
        cut_line(c.state, &c, false, 9, 5, 11);
        wait_torn(c.state, &c.step);
        WeftState* other = made_so(&c, &model);
        int added = weft_vertex_count(model) - weft_vertex_count(c.model);
        CHECK(added == (ways[w].set == sewn ? 14 : 15));
        CHECK_NEAR(sum_of_masses(model), sum_of_masses(c.model), 1e-12);
        for (int i = 0; i < weft_vertex_count(model); i++)
            CHECK_NEAR(weft_masses(model)[i], weft_masses(weft_state_model(c.state))[i], 1e-15);
        weft_continue_state(other, c.state);
        take_steps(c.state, &c.step, 15);
        take_steps(other, &c.step, 15);
        if (!CHECK_BELOW(distance(c.state, other), 1e-6)) printf("  %s\n", ways[w].name);
        weft_destroy_state(other);
        weft_destroy_model(model);
        curtain_close(&c);
    }
}

// Triangles have all the energy of stretch in themselves: a cut changes nothing of it. Bending
// across it is lost.
static void gains_nothing(void) {
    enum { N = 14 };
    Curtain c;
    WeftMeasure before, after;
    curtain_def(&c, N);
    triangles(&c);
    set_windy(&c);
    curtain_open(&c);
    take_steps(c.state, &c.step, 20);
    cut_line(c.state, &c, true, 5, 2, N);
    do {
        take_steps(c.state, &c.step, 1);
    } while (!weft_report(c.state)->torn);
    WeftState* whole = NULL;
    CHECK(!weft_create_state(c.model, &whole, NULL));
    weft_set_positions(whole, weft_positions(c.state));  // the first of both: those of the cloth
    weft_set_velocities(whole, weft_velocities(c.state));
    CHECK(!weft_measure(whole, c.step.gravity, &before));
    CHECK(!weft_measure(c.state, c.step.gravity, &after));
    CHECK_NEAR(after.stretch, before.stretch, 1e-12);
    CHECK_NEAR(after.kinetic, before.kinetic, 1e-12);
    CHECK_NEAR(after.gravity, before.gravity, 1e-12);
    CHECK(after.bend < before.bend);
    weft_destroy_state(whole);
    curtain_close(&c);
}

// ---------------------------------------------------------------------------------------------
// Lines

static void follows_lines(void) {
    enum { N = 16 };
    Curtain c;
    curtain_def(&c, N);
    curtain_open(&c);
    // off the cloth: nothing happens
    uint64_t hash = weft_hash_state(c.state);
    CHECK(cut_points(c.state, 2, (double[]){0, 1, 1, 1, 1, 1}) == 0);
    CHECK(cut_points(c.state, 2, (double[]){-1, -0.5, 0, -0.2, -0.5, 0}) == 0);
    CHECK(weft_hash_state(c.state) == hash);
    take_steps(c.state, &c.step, 1);
    CHECK(!weft_report(c.state)->tearing && weft_state_model(c.state) == c.model);
    // straight across, from one side to the other, a bit beside the vertices
    CHECK(cut_points(c.state, 2, (double[]){-1, -0.51, 0.01, 2, -0.51, 0.01}) == N);
    wait_torn(c.state, &c.step);
    CHECK(count_pieces(weft_state_model(c.state)) == 2);
    // aslant through the upper part, out of both borders; across the old cut the lower part stays
    CHECK(cut_points(c.state, 3, (double[]){0.2, 0.5, 0, 0.6, -0.25, 0, 1.5, -0.3, 0}) > N / 2);
    wait_torn(c.state, &c.step);
    CHECK(count_pieces(weft_state_model(c.state)) == 3);
    CHECK_NEAR(sum_of_masses(weft_state_model(c.state)), sum_of_masses(c.model), 1e-12);
    curtain_close(&c);
}

static void edges_inside_wait(void) {
    Curtain c;
    curtain_def(&c, 8);
    curtain_open(&c);
    CHECK(cut_line(c.state, &c, true, 4, 3, 4) == 1);
    take_steps(c.state, &c.step, 2);
    CHECK(!weft_report(c.state)->tearing && weft_state_model(c.state) == c.model);
    CHECK(cut_line(c.state, &c, true, 4, 4, 5) == 1);  // together they open
    wait_torn(c.state, &c.step);
    CHECK(weft_vertex_count(weft_state_model(c.state)) == 82);
    CHECK(weft_torn_from(c.state, 81) == vertex_at(&c, 4, 4));
    curtain_close(&c);
}

// Vertices of later cloths move up; those of the cut one keep their numbers in it.
static void second_cloth(void) {
    enum { N = 6, COUNT = (N + 1) * (N + 1) };
    Curtain c;
    WeftError error;
    curtain_def(&c, N);
    WeftClothDef cloths[2] = {c.cloth, c.cloth};
    double* x = malloc(3 * COUNT * sizeof *x);
    for (int i = 0; i < 3 * COUNT; i++) x[i] = c.mesh.positions[i] + (i % 3 == 2);
    cloths[1].positions = x;
    c.def.cloths = cloths;
    c.def.cloth_count = 2;
    CHECK(!weft_create_model(&c.def, &c.model, &error));
    CHECK(!weft_create_state(c.model, &c.state, &error));
    weft_pin(c.state, COUNT + 40);
    take_steps(c.state, &c.step, 5);
    double at[3];
    memcpy(at, weft_positions(c.state) + 3 * (COUNT + 45), sizeof at);
    cut_line(c.state, &c, true, 3, 3, N);
    for (int i = 0; i < 4; i++) {
        memcpy(at, weft_positions(c.state) + 3 * (COUNT + 45), sizeof at);
        take_steps(c.state, &c.step, 1);
    }
    const WeftModel* torn = weft_state_model(c.state);
    CHECK(weft_first_vertex(torn, 1) == COUNT + N - 3);
    CHECK(weft_torn_from(c.state, COUNT + N - 3 + 45) == COUNT + 45);
    for (int i = 0; i < 2 * COUNT; i++) {
        CHECK(weft_torn_to(c.state, i) == (i < COUNT ? i : i + N - 3));
        CHECK(weft_torn_from(c.state, weft_torn_to(c.state, i)) == i);
    }
    CHECK(weft_is_pinned(c.state, COUNT + N - 3 + 40) && !weft_is_pinned(c.state, COUNT + 40));
    const double* now = weft_positions(c.state) + 3 * (COUNT + N - 3 + 45);
    CHECK_NEAR(now[2], at[2], 1e-3);
    CHECK_NEAR(now[1], at[1], 0.05);
    free(x);
    curtain_close(&c);
}

// ---------------------------------------------------------------------------------------------
// Copies, bytes, threads

static void restores_at_every_moment(void) {
    enum { N = 10, STEPS = 24 };
    Curtain c;
    curtain_def(&c, N);
    set_windy(&c);
    curtain_open(&c);
    WeftState *other = NULL, *copy = NULL;
    CHECK(!weft_create_state(c.model, &other, NULL) && !weft_create_state(c.model, &copy, NULL));
    take_steps(c.state, &c.step, 4);
    for (int i = 0; i < STEPS; i++) {
        if (i == 2) cut_line(c.state, &c, true, 5, 4, N);
        if (i == 5) cut_line(c.state, &c, false, 7, 0, 4);  // while the first is in the making
        if (i == 6) weft_pin(c.state, vertex_at(&c, 2, 8));
        size_t size = weft_saved_size(c.state);
        void* bytes = malloc(size);
        weft_save_state(c.state, bytes);
        CHECK(!weft_load_state(other, bytes, size, NULL));
        weft_copy_state(copy, c.state);
        CHECK(weft_hash_state(other) == weft_hash_state(c.state));
        CHECK(weft_hash_state(copy) == weft_hash_state(c.state));
        take_steps(c.state, &c.step, 1);
        take_steps(other, &c.step, 1);
        CHECK(weft_hash_state(other) == weft_hash_state(c.state));
        free(bytes);
    }
    CHECK(weft_vertex_count(weft_state_model(c.state)) > 121 + 6);
    // and back to a whole one
    WeftState* whole = NULL;
    CHECK(!weft_create_state(c.model, &whole, NULL));
    weft_copy_state(other, whole);
    CHECK(weft_state_model(other) == c.model);
    CHECK(weft_hash_state(other) == weft_hash_state(whole));
    weft_destroy_state(whole);
    weft_destroy_state(other);
    weft_destroy_state(copy);
    curtain_close(&c);
}

static void refuses_damaged_bytes(void) {
    enum { N = 6 };
    Curtain c;
    WeftError error;
    curtain_def(&c, N);
    curtain_open(&c);
    cut_line(c.state, &c, true, 3, 3, N);
    wait_torn(c.state, &c.step);
    size_t size = weft_saved_size(c.state);
    unsigned char* bytes = malloc(size);
    weft_save_state(c.state, bytes);
    uint64_t hash = weft_hash_state(c.state);
    for (size_t short_by = 1; short_by < size; short_by += size / 40)
        CHECK(weft_load_state(c.state, bytes, size - short_by, &error));
    // vertices and triangles, which begin behind the header
    for (size_t at = 80; at < 1124; at += 36) {
        bytes[at] ^= 0x41;
        wf_seal_saved(bytes, size);
        CHECK(weft_load_state(c.state, bytes, size, &error));
        CHECK_TEXT(error.message, "damaged");
        bytes[at] ^= 0x41;
    }
    wf_seal_saved(bytes, size);
    CHECK(weft_hash_state(c.state) == hash);
    CHECK(!weft_load_state(c.state, bytes, size, &error));
    free(bytes);
    curtain_close(&c);
}

static uint64_t hash_with_threads(int threads) {
    Curtain c;
    curtain_def(&c, 24);
    set_windy(&c);
    c.def.jobs.thread_count = threads;
    c.def.contact = WEFT_CONTACT_ALL;
    curtain_open(&c);
    take_steps(c.state, &c.step, 5);
    cut_line(c.state, &c, true, 11, 0, 24);
    take_steps(c.state, &c.step, 15);
    uint64_t hash = weft_hash_state(c.state);
    CHECK(weft_vertex_count(weft_state_model(c.state)) == 26 * 25);
    curtain_close(&c);
    return hash;
}

static void same_bits_with_threads(void) { CHECK(hash_with_threads(1) == hash_with_threads(3)); }

// Another state of the same model knows nothing of it.
static void leaves_others_alone(void) {
    Curtain c;
    curtain_def(&c, 8);
    curtain_open(&c);
    WeftState *other = NULL, *alone = NULL;
    CHECK(!weft_create_state(c.model, &other, NULL) && !weft_create_state(c.model, &alone, NULL));
    cut_line(c.state, &c, true, 4, 2, 8);
    for (int i = 0; i < 12; i++) {
        take_steps(c.state, &c.step, 1);
        take_steps(other, &c.step, 1);
    }
    take_steps(alone, &c.step, 12);
    CHECK(weft_hash_state(other) == weft_hash_state(alone));
    weft_destroy_state(other);
    weft_destroy_state(alone);
    curtain_close(&c);
}

// ---------------------------------------------------------------------------------------------
// Contact, budgets, many cuts

static void add_sphere(Curtain* c, WeftBodyDef* body) {
    *body = weft_default_body_def();
    body->radius = 0.25;
    body->position[0] = 0.5;
    body->position[1] = -0.8;
    body->position[2] = 0.1;
    c->def.bodies = body;
    c->def.body_count = 1;
    c->def.contact = WEFT_CONTACT_ALL;
}

static void stays_apart(void) {
    enum { N = 20 };
    Curtain c;
    WeftBodyDef body;
    curtain_def(&c, N);
    add_sphere(&c, &body);
    body.position[2] = 0.27;
    c.cloth.pin_count = 0;
    for (int i = 0; i < c.mesh.vertex_count; i++) {  // lies above the sphere
        c.mesh.positions[3 * i + 2] = 0.27 + 0.5 + c.mesh.positions[3 * i + 1];
        c.mesh.positions[3 * i + 1] = -0.5;
    }
    curtain_open(&c);
    take_steps(c.state, &c.step, 30);
    cut_line(c.state, &c, true, 10, 0, N);
    wait_torn(c.state, &c.step);
    double fastest = 0;
    for (int i = 0; i < 40; i++) {
        WeftMeasure measure;
        take_steps(c.state, &c.step, 1);
        CHECK(!weft_measure(c.state, c.step.gravity, &measure));
        fastest = fmax(fastest, measure.max_speed);
        CHECK(weft_report(c.state)->unstopped == 0);
    }
    CHECK(weft_report(c.state)->tangles <= 0);
    CHECK_BELOW(fastest, 6);  // nothing is thrown: a fall of 0.7 s is 7 m/s
    curtain_close(&c);
}

static double tick(void* user) { return *(double*)user += 1e-5; }

static void keeps_to_a_budget(void) {
    enum { N = 16 };
    Curtain c;
    double time = 0;
    curtain_def(&c, N);
    c.def.clock = (WeftClock){tick, &time};
    c.step.budget_ms = 4;
    c.def.step = c.step;
    curtain_open(&c);
    take_steps(c.state, &c.step, 20);
    cut_line(c.state, &c, true, 8, 4, N);
    CHECK(wait_torn(c.state, &c.step) == 4);
    take_steps(c.state, &c.step, 40);
    CHECK(weft_vertex_count(weft_state_model(c.state)) == 17 * 17 + 12);
    // all that a budget may choose is there again
    const WeftModel* torn = weft_state_model(c.state);
    CHECK(c.model->factor_count > 2 && torn->factor_count >= c.model->factor_count);
    WeftState* other = NULL;
    CHECK(!weft_create_state(c.model, &other, NULL));
    weft_copy_state(other, c.state);
    CHECK(weft_state_model(other)->factor_count == torn->factor_count);
    weft_destroy_state(other);
    curtain_close(&c);
}

// Without memory the step fails and nothing has happened; the next one tries again.
static void survive_without_memory(bool at_once) {
    enum { N = 6 };
    for (long n = 1, calls = 1; n <= calls; n += 5) {
        Curtain c;
        Counting counting = {0};
        curtain_def(&c, N);
        c.def.allocator = counting_allocator(&counting);
        c.def.contact = WEFT_CONTACT_ALL;
        c.def.tear_at_once = at_once;
        curtain_open(&c);
        take_steps(c.state, &c.step, 2);
        cut_line(c.state, &c, true, 3, 2, N);
        long before = counting.calls;
        counting.fail_at = before + n;
        int failed = 0;
        for (int i = 0; i < 8; i++) {
            double time = weft_time(c.state);
            if (!weft_step(c.state, &c.step)) continue;
            failed++;
            CHECK(weft_time(c.state) == time);
        }
        calls = counting.calls - before;
        CHECK(failed <= 1);
        take_steps(c.state, &c.step, 4);
        CHECK(weft_vertex_count(weft_state_model(c.state)) == 49 + 4);
        curtain_close(&c);
        CHECK(counting.live == 0);
    }
}

static void survives_want_of_memory(void) {
    survive_without_memory(false);
    survive_without_memory(true);
}

// A step that fails at any moment leaves what is in the making as good as it was.
static void goes_on_behind_failed_steps(void) {
    for (int bad = 0; bad < 7; bad++) {
        Curtain c;
        curtain_def(&c, 6);
        curtain_open(&c);
        take_steps(c.state, &c.step, 2);
        cut_line(c.state, &c, true, 3, 2, 6);
        for (int i = 0; i < 9; i++) {
            WeftStepDef step = c.step;
            if (i == bad) step.dt = NAN;
            CHECK((weft_step(c.state, &step) != WEFT_OK) == (i == bad));
            if (i == bad) CHECK(weft_step(c.state, &step));
        }
        CHECK(weft_vertex_count(weft_state_model(c.state)) == 49 + 4);
        CHECK(!weft_report(c.state)->tearing);
        curtain_close(&c);
    }
}

// Every vertex has one fan of triangles, and triangles that they had before.
static void check_fans(const WeftModel* model) {
    int n = weft_vertex_count(model), count = weft_triangle_count(model);
    const int* t = weft_triangles(model);
    int* ends = calloc((size_t)n, sizeof *ends);  // of border edges
    for (int i = 0; i < 3 * count; i++) {
        int a = t[i], b = t[i / 3 * 3 + (i + 1) % 3];
        bool inner = false;
        for (int j = 0; j < 3 * count && !inner; j++)
            inner = t[j] == b && t[j / 3 * 3 + (j + 1) % 3] == a;
        if (!inner) ends[a]++, ends[b]++;
    }
    for (int i = 0; i < n; i++) CHECK(ends[i] == 0 || ends[i] == 2);
    free(ends);
}

static void cut_at_random(int cells, int cuts, WeftContact contact) {
    Curtain c;
    WeftBodyDef body;
    unsigned random = 1;
    curtain_def(&c, cells);
    if (contact != WEFT_CONTACT_NONE) add_sphere(&c, &body);
    c.def.contact = contact;
    curtain_open(&c);
    for (int k = 0; k < cuts; k++) {
        double points[6];
        const WeftModel* model = weft_state_model(c.state);
        for (int end = 0; end < 2; end++) {
            random = random * 1664525u + 1013904223u;
            int vertex = (int)((random >> 8) % (unsigned)weft_vertex_count(model));
            memcpy(points + 3 * end, weft_positions(c.state) + 3 * vertex, 3 * sizeof *points);
        }
        cut_points(c.state, 2, points);
        take_steps(c.state, &c.step, 4);
    }
    wait_torn(c.state, &c.step);
    const WeftModel* torn = weft_state_model(c.state);
    CHECK_NEAR(sum_of_masses(torn), sum_of_masses(c.model), 1e-9);
    CHECK(weft_vertex_count(torn) > weft_vertex_count(c.model));
    check_fans(torn);
    curtain_close(&c);
}

static void many_cuts(void) { cut_at_random(10, 25, WEFT_CONTACT_NONE); }
static void a_hundred_cuts(void) {
    cut_at_random(16, 100, WEFT_CONTACT_NONE);
    cut_at_random(16, 100, WEFT_CONTACT_ALL);
}

// ---------------------------------------------------------------------------------------------

static void refuses(void) {
    Curtain c;
    WeftError error;
    curtain_def(&c, 4);
    WeftCutDef cut = weft_default_cut_def();
    c.def.tearable = false;
    curtain_open(&c);
    CHECK(weft_cut(c.state, &cut, NULL, &error) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(error.message, "tearable");
    curtain_close(&c);

    curtain_def(&c, 4);
    curtain_open(&c);
    cut.vertices = (int[]){0, 7};
    cut.vertex_count = 2;
    CHECK(weft_cut(c.state, &cut, NULL, &error));
    CHECK_TEXT(error.message, "no edge joins the vertices 0 and 7");
    cut.vertices = (int[]){0, 25};
    CHECK(weft_cut(c.state, &cut, NULL, &error));
    CHECK_TEXT(error.message, "vertex 25");
    cut = weft_default_cut_def();
    cut.points = (double[]){0, 0, 0, 0, NAN, 0};
    cut.point_count = 2;
    CHECK(weft_cut(c.state, &cut, NULL, &error));
    CHECK_TEXT(error.message, "point 1");
    cut.points = (double[]){0, 0, 0, 0, 1, 0};
    cut.cloth = 1;
    CHECK(weft_cut(c.state, &cut, NULL, &error));
    CHECK_TEXT(error.message, "cloth is 1");
    curtain_close(&c);

    curtain_def(&c, 4);
    c.def.cloths = &c.cloth;
    c.def.cloth_count = 1;
    c.cloth.tear_load = -1;
    CHECK(weft_create_model(&c.def, &c.model, &error));
    CHECK_TEXT(error.message, "cloth 0: tear_load is -1");
    c.cloth.tear_load = 0;
    c.def.mirror.kind = WEFT_MIRROR_EXACT;
    c.def.mirror.plane.point[0] = 0.5;
    CHECK(weft_create_model(&c.def, &c.model, &error) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(error.message, "mirror");
    weft_destroy_mesh(&c.mesh);
}

static void by_small_steps(void) {
    static const CurtainCase all[] = {{"falls apart", falls_apart},
                                      {"moves as if made so", moves_as_if_made_so},
                                      {"gains nothing", gains_nothing},
                                      {"follows lines", follows_lines},
                                      {"edges inside wait", edges_inside_wait},
                                      {"second cloth", second_cloth},
                                      {"restores at every moment", restores_at_every_moment},
                                      {"same bits with threads", same_bits_with_threads},
                                      {"leaves others alone", leaves_others_alone},
                                      {"survives want of memory", survives_want_of_memory},
                                      {"goes on behind failed steps", goes_on_behind_failed_steps},
                                      {"many cuts", many_cuts}};
    run_by_small_steps(all, sizeof all / sizeof *all);
}

TEST_MAIN(CASE(by_small_steps), CASE(falls_apart), CASE(moves_as_if_made_so), CASE(gains_nothing),
          CASE(follows_lines), CASE(edges_inside_wait), CASE(second_cloth),
          CASE(restores_at_every_moment), CASE(refuses_damaged_bytes), CASE(same_bits_with_threads),
          CASE(leaves_others_alone), SLOW_CASE(stays_apart), CASE(keeps_to_a_budget),
          CASE(survives_want_of_memory), CASE(goes_on_behind_failed_steps), CASE(many_cuts),
          LONG_CASE(a_hundred_cuts), CASE(refuses))
