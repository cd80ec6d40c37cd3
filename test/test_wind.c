// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards wind that differs from place to place: each part against what is said of it, divergence
// by finite differences, grid and callback against the same field given otherwise, the wind of a
// space that moves against that in the world, the same bits for any number of threads.

#include "base/vec.h"
#include "contact/body.h"
#include "swing.h"
#include "test.h"

enum { N = 9, VERTICES = N * N };

static WfVec wind_at(const WeftWind* w, double time, WfVec x) {
    double place[3], v[3];
    wf_store(place, 0, x);
    weft_copy_wind(1, w, time, 1, place, v);
    return wf_load(v, 0);
}

// 1/s, by central differences
static double divergence(const WeftWind* w, double time, WfVec x, double step) {
    WfVec ex = {step, 0, 0}, ey = {0, step, 0}, ez = {0, 0, step};
    double sum = wind_at(w, time, wf_add(x, ex)).x - wind_at(w, time, wf_sub(x, ex)).x;
    sum += wind_at(w, time, wf_add(x, ey)).y - wind_at(w, time, wf_sub(x, ey)).y;
    sum += wind_at(w, time, wf_add(x, ez)).z - wind_at(w, time, wf_sub(x, ez)).z;
    return sum / (2 * step);
}

static WfVec place(int k) {
    return (WfVec){3 * sin(1.7 * k), 2 * cos(2.9 * k) + 0.5, 4 * sin(0.61 * k + 1)};
}

static WeftWind turbulent(void) {
    WeftWind w = weft_default_wind();
    w.kind = WEFT_WIND_TURBULENCE;
    w.strength = 2;
    w.length = 1.5;
    w.velocity[0] = 8;
    return w;
}

// ---------------------------------------------------------------------------------------------
// Parts

static void sources(void) {
    WeftWind w = weft_default_wind();
    w.kind = WEFT_WIND_SOURCE;
    w.strength = 6;
    w.length = 0.5;
    w.position[1] = 1;
    CHECK_NEAR(wind_at(&w, 0, (WfVec){1, 1, 0}).x, 1.5, 1e-14);
    CHECK_NEAR(wind_at(&w, 0, (WfVec){0.5, 1, 0}).x, 6, 1e-14);
    CHECK_NEAR(wind_at(&w, 0, (WfVec){0, 1.25, 0}).y, 3, 1e-14);
    CHECK(wf_length(wind_at(&w, 0, (WfVec){0, 1, 0})) == 0);
    CHECK_NEAR(divergence(&w, 0, (WfVec){0.7, 1.4, 0.9}, 1e-4), 0, 1e-6);
}

static void vortices(void) {
    WeftWind w = weft_default_wind();
    w.kind = WEFT_WIND_VORTEX;
    w.strength = 10;
    w.length = 0.3;
    // about y, from x towards -z
    WfVec v = wind_at(&w, 0, (WfVec){2, 5, 0});
    CHECK_NEAR(v.z, -10 * 2 / (2 * 3.14159265358979 * (4 + 0.09)), 1e-12);
    CHECK(v.x == 0 && v.y == 0);
    for (int k = 0; k < 20; k++) CHECK_NEAR(divergence(&w, 0, place(k), 1e-4), 0, 1e-6);
    // the circulation around a wide circle
    double sum = 0, r = 30;
    for (int k = 0; k < 360; k++) {
        double a = k * 3.14159265358979 / 180;
        WfVec along = {-sin(a), 0, -cos(a)};
        sum += wf_dot(along, wind_at(&w, 0, (WfVec){r * cos(a), 1, -r * sin(a)}));
    }
    CHECK_NEAR(sum * r * 3.14159265358979 / 180, 10, 0.01);
}

static void turbulence_is_free_of_divergence(void) {
    WeftWind w = turbulent();
    for (int k = 0; k < 50; k++) CHECK_NEAR(divergence(&w, 0.1 * k, place(k), 1e-5), 0, 2e-4);
}

static void turbulence_is_as_strong_as_it_says(void) {
    for (unsigned seed = 1; seed < 6; seed++) {
        WeftWind w = turbulent();
        WfVec mean = {0, 0, 0};
        double squares = 0;
        enum { COUNT = 4000 };
        w.seed = seed;
        for (int k = 0; k < COUNT; k++) {
            WfVec x = {0.37 * k, 13 * sin(0.11 * k), 17 * cos(0.07 * k)}, v = wind_at(&w, 0, x);
            mean = wf_madd(mean, 1.0 / COUNT, v);
            squares += wf_dot(v, v) / COUNT;
        }
        CHECK_NEAR(sqrt(squares), 2, 0.15);
        CHECK_BELOW(wf_length(mean), 0.2);
    }
}

// Eddies go along with what carries them, and change: soon they are the same, later they are not.
static void turbulence_is_carried(void) {
    WeftWind w = turbulent();
    double soon = 0, late = 0;
    for (int k = 0; k < 50; k++) {
        WfVec x = place(k), v = wind_at(&w, 3, x);
        WfVec after = wf_madd(x, 0.01, (WfVec){8, 0, 0}), later = wf_madd(x, 5, (WfVec){8, 0, 0});
        soon += wf_length(wf_sub(wind_at(&w, 3.01, after), v)) / 50;
        late += wf_length(wf_sub(wind_at(&w, 8, later), v)) / 50;
    }
    CHECK_BELOW(soon, 0.2);
    CHECK(late > 1);
    WeftWind other = turbulent();
    other.seed = 2;
    CHECK(wf_length(wf_sub(wind_at(&w, 0, place(3)), wind_at(&other, 0, place(3)))) > 0.1);
}

static void gusts(void) {
    WeftWind w = weft_default_wind();
    w.kind = WEFT_WIND_GUSTS;
    w.velocity[2] = -5;
    w.strength = 0.3;
    w.length = 10;
    double mean = 0, squares = 0, least = 1e9;
    enum { COUNT = 20000 };
    for (int k = 0; k < COUNT; k++) {
        WfVec v = wind_at(&w, 0.05 * k, (WfVec){1, 2, 3});
        CHECK(v.x == 0 && v.y == 0);
        mean += v.z / COUNT;
        squares += (v.z + 5) * (v.z + 5) / COUNT;
        least = fmin(least, -v.z);
    }
    CHECK_NEAR(mean, -5, 0.1);
    CHECK_NEAR(sqrt(squares), 1.5, 0.1);
    CHECK(least >= 0);
    // fronts travel with the wind, and stand across it
    WfVec v = wind_at(&w, 1, (WfVec){0, 0, 0});
    CHECK_NEAR(wind_at(&w, 3, (WfVec){0, 0, -10}).z, v.z, 1e-9);
    CHECK_NEAR(wind_at(&w, 1, (WfVec){7, -4, 0}).z, v.z, 1e-9);
    w.strength = 3;
    for (int k = 0; k < 100; k++) CHECK(wind_at(&w, 0.3 * k, (WfVec){0, 0, 0}).z <= 0);
}

enum { CELLS = 4 };

static void fill_grid(float grid[CELLS][CELLS][CELLS][3], WeftWind* w) {
    for (int k = 0; k < CELLS; k++)
        for (int j = 0; j < CELLS; j++)
            for (int i = 0; i < CELLS; i++) {
                grid[k][j][i][0] = (float)(i - 2 * j);
                grid[k][j][i][1] = (float)(3 + k);
                grid[k][j][i][2] = (float)(i + j + k);
            }
    *w = weft_default_wind();
    w->kind = WEFT_WIND_GRID;
    w->grid = &grid[0][0][0][0];
    for (int d = 0; d < 3; d++) {
        w->counts[d] = CELLS;
        w->cell[d] = 0.5;
        w->origin[d] = -0.75;
    }
}

static void grids(void) {
    float grid[CELLS][CELLS][CELLS][3];
    WeftWind w;
    fill_grid(grid, &w);
    // linear in between
    WfVec v = wind_at(&w, 0, (WfVec){-0.75 + 0.6, -0.75 + 0.1, -0.75 + 1.3});
    CHECK_NEAR(v.x, 1.2 - 0.4, 1e-6);
    CHECK_NEAR(v.y, 3 + 2.6, 1e-6);
    CHECK_NEAR(v.z, 1.2 + 0.2 + 2.6, 1e-6);
    // it fades around it, and is nothing beyond
    CHECK_NEAR(wind_at(&w, 0, (WfVec){-1, -0.75, -0.75}).y, 1.5, 1e-6);
    CHECK(wf_length(wind_at(&w, 0, (WfVec){-1.3, 0, 0})) == 0);
    CHECK(wf_length(wind_at(&w, 0, (WfVec){1e30, 0, 0})) == 0);
    w.repeats = true;
    WfVec far = wind_at(&w, 0, (WfVec){-0.15 + 2 * 3, -0.65 - 2 * 5, 0.55});
    CHECK_NEAR(wf_length(wf_sub(far, v)), 0, 1e-6);
}

// ---------------------------------------------------------------------------------------------
// In a step

static void call_grid(void* user, int count, const double* positions, double time, double* v) {
    for (int i = 0; i < 3 * count; i++) CHECK(v[i] == 0);
    weft_copy_wind(1, user, time, count, positions, v);
}

static uint64_t blown(const WeftWind* winds, int count, int threads, double* x) {
    Swing s = swing_def(N, 100);
    s.step.air_density = 1.2;
    s.step.winds = winds;
    s.step.wind_count = count;
    s.jobs.thread_count = threads;
    swing_open(&s);
    for (int k = 0; k < 30; k++) CHECK(swing_step(&s));
    if (x) memcpy(x, weft_positions(s.state), 3 * VERTICES * sizeof *x);
    uint64_t hash = weft_hash_state(s.state);
    swing_close(&s);
    return hash;
}

static void by_grid_or_by_callback(void) {
    float grid[CELLS][CELLS][CELLS][3];
    WeftWind by_grid, by_call = weft_default_wind();
    fill_grid(grid, &by_grid);
    by_grid.repeats = true;
    by_call.kind = WEFT_WIND_CALLBACK;
    by_call.function = call_grid;
    by_call.user = &by_grid;
    CHECK(blown(&by_grid, 1, 1, NULL) == blown(&by_call, 1, 1, NULL));
}

static void the_same_everywhere(void) {
    WeftWind w[] = {turbulent(), turbulent(), weft_default_wind()};
    w[1].kind = WEFT_WIND_GUSTS;
    w[1].strength = 0.4;
    w[2].kind = WEFT_WIND_VORTEX;
    w[2].strength = 3;
    CHECK(blown(w, 3, 1, NULL) == blown(w, 3, 4, NULL));
    // bits, on every machine: of parts alone, since solves may round otherwise
    WfVec v = wind_at(&w[0], 12.5, (WfVec){1, 2, 3});
    WfVec u = wind_at(&w[1], 12.5, (WfVec){1, 2, 3});
    CHECK_NEAR(v.x, 0.689298883, 1e-9);
    CHECK_NEAR(u.x, 8.63840029, 1e-8);
}

static void uniform_is_wind(void) {
    WeftWind w = weft_default_wind();
    w.velocity[1] = 3, w.velocity[2] = -1;
    double x[3 * VERTICES], worst = 0;
    blown(&w, 1, 1, x);
    Swing s = swing_def(N, 100);
    s.step.air_density = 1.2;
    s.step.wind[1] = 3, s.step.wind[2] = -1;
    swing_open(&s);
    for (int k = 0; k < 30; k++) CHECK(swing_step(&s));
    for (int i = 0; i < 3 * VERTICES; i++)
        worst = fmax(worst, fabs(weft_positions(s.state)[i] - x[i]));
    CHECK_BELOW(worst, 1e-6);
    swing_close(&s);
}

// The wind is of the world, wherever the space of a state goes.
static void in_a_space_that_moves(void) {
    WeftWind w[] = {turbulent(), weft_default_wind()};
    w[1].kind = WEFT_WIND_VORTEX;
    w[1].strength = 6;
    w[1].position[0] = 1;
    Swing local = swing_def(N, 100), world = swing_def(N, 100);
    Swing* both[] = {&local, &world};
    for (int k = 0; k < 2; k++) {
        both[k]->step.air_density = 1.2;
        both[k]->step.winds = w;
        both[k]->step.wind_count = 2;
        both[k]->step.guard = false;
        both[k]->step.substeps = 3;
        both[k]->step.solve_tolerance = 1e-13;
        swing_open(both[k]);
    }
    double worst = 0, start[3 * VERTICES];
    memcpy(start, weft_positions(world.state), sizeof start);
    WfPose to;
    for (int k = 1; k <= 40; k++) {
        double t = k / 60.0, turn[4] = {0, sin(0.5 / 60), 0, cos(0.5 / 60)};
        to = (WfPose){{0.5 * t * t, 0, 0.1 * sin(5 * t)}, {0, sin(t / 2), 0, cos(t / 2)}};
        weft_move_space(local.state, to.position, to.rotation);
        for (int p = 0; p < 2; p++) {
            double x[3];
            wf_store(x, 0, wf_pose_point(&to, wf_load(start, world.pins[p])));
            weft_turn_pin(world.state, world.pins[p], x, turn);
        }
        CHECK(swing_step(&local) && swing_step(&world));
    }
    for (int i = 0; i < VERTICES; i++) {
        WfVec x = wf_pose_point(&to, wf_load(weft_positions(local.state), i));
        worst = fmax(worst, wf_length(wf_sub(x, wf_load(weft_positions(world.state), i))));
    }
    CHECK_BELOW(worst, 1e-9);
    swing_close(&local);
    swing_close(&world);
}

static void refused(void) {
    Swing s = swing_def(N, 100);
    WeftWind w[2] = {weft_default_wind(), weft_default_wind()};
    swing_open(&s);
    s.step.wind_count = 2;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    s.step.winds = w;
    w[1].velocity[0] = NAN;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "part 1 of the wind: a value is not a number");
    w[1] = turbulent();
    w[1].length = 0;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "length is 0 m");
    w[1].length = 1;
    w[1].kind = WEFT_WIND_VORTEX;
    w[1].axis[1] = 0;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    w[1].kind = WEFT_WIND_GRID;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "0 nodes along x");
    w[1].kind = WEFT_WIND_CALLBACK;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    w[1].kind = WEFT_WIND_UNIFORM;
    CHECK(swing_step(&s));
    swing_close(&s);
}

// Winds of 10,000 m/s were taken, and cloth that touches stood still in them, or was 900 km away
// within seconds.
static void no_wind_is_faster_than_sound(void) {
    Swing s = swing_def(N, 100);
    WeftWind w = weft_default_wind();
    const WeftWindKind kinds[] = {WEFT_WIND_UNIFORM, WEFT_WIND_GUSTS};
    swing_open(&s);
    s.step.wind[0] = 1e4;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "wind is 10000 m/s; it must be 340 at most");
    s.step.wind[0] = 0;
    s.step.winds = &w, s.step.wind_count = 1;
    for (int k = 0; k < 2; k++) {
        w.kind = kinds[k];
        w.velocity[2] = -400;
        CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
        CHECK_TEXT(weft_state_error(s.state)->message, "part 0 of the wind: it blows at 400 m/s");
    }
    w = turbulent();
    w.strength = -1000;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    w.kind = WEFT_WIND_SOURCE;
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    w.kind = WEFT_WIND_VORTEX;  // 53 m/s at most
    CHECK(swing_step(&s));
    w.length = 0.1;  // 796 m/s
    CHECK(weft_step(s.state, &s.step) == WEFT_ERROR_INPUT);
    CHECK_TEXT(weft_state_error(s.state)->message, "it blows at 795.7");
    swing_close(&s);
}

static void blast(void* user, int count, const double* positions, double time, double* velocities) {
    (void)user, (void)positions, (void)time;
    for (int i = 0; i < count; i++) velocities[3 * i] = 3e4, velocities[3 * i + 1] = 4e4;
}

// What a field has that is too fast keeps its direction; cloth that touches goes along with it.
static void fields_are_slowed(void) {
    WeftWind w = weft_default_wind();
    w.kind = WEFT_WIND_CALLBACK;
    w.function = blast;
    WfVec v = wind_at(&w, 0, (WfVec){1, 2, 3});
    CHECK_NEAR(v.x, 204, 1e-9);
    CHECK_NEAR(v.y, 272, 1e-9);
    Swing s = swing_def(N, 100);
    swing_make_mesh(&s);
    s.cloth.pin_count = 0;
    s.step = weft_default_step_def();
    s.step.winds = &w, s.step.wind_count = 1;
    WeftModelDef def = swing_model_def(&s);
    def.contact = WEFT_CONTACT_ALL;
    CHECK(!weft_create_model(&def, &s.model, NULL) && !weft_create_state(s.model, &s.state, NULL));
    for (int k = 0; k < 30; k++) CHECK(swing_step(&s));
    WfVec x = wf_load(weft_positions(s.state), 0);
    CHECK(x.y > 1 && wf_length(x) < 340 * 0.5 + 2);
    swing_close(&s);
}

TEST_MAIN(CASE(sources), CASE(vortices), CASE(turbulence_is_free_of_divergence),
          CASE(turbulence_is_as_strong_as_it_says), CASE(turbulence_is_carried), CASE(gusts),
          CASE(grids), CASE(by_grid_or_by_callback), CASE(the_same_everywhere),
          CASE(uniform_is_wind), CASE(in_a_space_that_moves), CASE(refused),
          CASE(no_wind_is_faster_than_sound), CASE(fields_are_slowed))
