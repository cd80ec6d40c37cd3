// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const double FRAME = 0.25, GRAVITY = 0.03, DRAG = 0.05, TYPE_2 = 0.1;
static const double SPEED_LIMIT = 50;  // the fastest vertex of the motion itself reaches 0.8

// ---------------------------------------------------------------------------------------------
// The cloth

int make_sheet(int side, double stiffness, int sample_count, Sheet* sheet) {
    WeftGridDef grid = weft_default_grid_def();
    WeftError error;
    *sheet = (Sheet){.side = side, .stiffness = stiffness, .sample_count = sample_count};
    grid.columns = grid.rows = side - 1;
    grid.width = grid.height = side - 1;
    grid.kind = WEFT_GRID_CROSSED_TWICE;
    sheet->pins[0] = (side - 1) * side;
    sheet->pins[1] = side * side - 1;
    if (weft_make_grid(&grid, NULL, &sheet->mesh, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

void destroy_sheet(Sheet* sheet) { weft_destroy_mesh(&sheet->mesh); }

int sheet_frames(const Sheet* sheet) { return SAMPLE_EVERY * sheet->sample_count; }

WeftStepDef sheet_step(void) {
    WeftStepDef step = weft_default_step_def();
    step.dt = FRAME;
    step.gravity[1] = -GRAVITY;
    step.air_density = 0;
    step.stretch_tolerance = 0;
    return step;
}

int create_sheet(const Sheet* sheet, WeftStretch stretch, const WeftStepDef* step,
                 WeftModel** model, WeftState** state) {
    double n = sheet->side;
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    weft_use_mesh(&cloth, &sheet->mesh);
    cloth.uniform_mass = true;
    cloth.fabric.density = n * n / ((n - 1) * (n - 1));
    cloth.fabric.stretch_warp = cloth.fabric.stretch_weft = sheet->stiffness;
    cloth.fabric.shear = sheet->stiffness;
    cloth.fabric.bend_spring = TYPE_2;
    cloth.fabric.compression = WEFT_UNYIELDING;
    cloth.fabric.mass_damping = DRAG;
    cloth.stretch = stretch;
    cloth.bend_by = WEFT_BEND_BY_SPRINGS;
    cloth.bend = WEFT_BEND_EXPLICIT;
    cloth.pins = sheet->pins;
    cloth.pin_count = 2;
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.step = *step;
    def.jobs.thread_count = 1;
    def.clock.now = thread_time;
    *model = NULL;
    *state = NULL;
    if (!weft_create_model(&def, model, &error) && !weft_create_state(*model, state, &error))
        return EXIT_GOOD;
    weft_destroy_model(*model);
    *model = NULL;
    return complain(EXIT_FAILED, "%s", error.message);
}

double mean_height(const double* x, int vertex_count) {
    double sum = 0;
    for (int i = 0; i < vertex_count; i++) sum += x[3 * i + 1];
    return sum / vertex_count;
}

// ---------------------------------------------------------------------------------------------
// Falling

// The sample that falls on the end of step `index`; -1: none.
static int sample_at(const Sheet* sheet, const Fall* fall, int index) {
    double samples = (index + 1) * fall->step.dt / (SAMPLE_EVERY * FRAME);
    int sample = (int)lround(samples) - 1;
    bool due = sample >= 0 && fabs(samples - (sample + 1)) < 1e-6;
    return due && sample < sheet->sample_count ? sample : -1;
}

static int count_steps(const Sheet* sheet, const Fall* fall) {
    return (int)floor(sheet_frames(sheet) * FRAME / fall->step.dt + 1e-6);
}

static void take_sample(const Sheet* sheet, Fall* fall, int sample, const double* x) {
    int n = sheet->mesh.vertex_count;
    fall->heights[sample] = mean_height(x, n);
    add_frame(&fall->implicit, sample, x);
    add_frame(&fall->fine, sample, x);
    if (fall->record) memcpy(trajectory_frame(fall->record, sample), x, 3 * (size_t)n * sizeof *x);
}

// Sum of the squares of the speeds: twice the kinetic energy, for unit masses.
static double sum_squares(const WeftModel* model, const WeftState* state, double* fastest) {
    const double* v = weft_velocities(state);
    double sum = 0, most = 0;
    for (int i = 0; i < weft_vertex_count(model); i++, v += 3) {
        double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        sum += square;
        if (!(square <= most)) most = square;  // not a number counts, too
    }
    *fastest = sqrt(most);
    return sum;
}

static void take_steps(const Sheet* sheet, Fall* fall, const WeftModel* model, WeftState* state) {
    bool first = fall->rounds == 0;
    int count = count_steps(sheet, fall);
    double squares = 0, iterations = 0, fastest;
    for (int i = 0; i < count; i++) {
        double start = thread_time(NULL);
        bool failed = weft_step(state, &fall->step);
        double time = thread_time(NULL) - start, before = squares;
        fall->spent += time;
        squares = sum_squares(model, state, &fastest);
        if (failed || !(fastest <= SPEED_LIMIT)) {
            fall->unstable_step = i + 1;
            return;
        }
        if (first || time < fall->seconds[i]) fall->seconds[i] = time;
        iterations += weft_report(state)->cg_iterations;
        if (!first) continue;
        fall->dragged += fall->step.dt * DRAG * (before + squares) / 2;
        int sample = sample_at(sheet, fall, i);
        if (sample >= 0) take_sample(sheet, fall, sample, weft_positions(state));
    }
    fall->substeps = weft_report(state)->substeps;
    fall->iterations = iterations / count;
}

int take_fall(const Sheet* sheet, Fall* fall) {
    WeftModel* model;
    WeftState *start, *state = NULL;
    WeftMeasure before, after;
    WeftError error;
    int code = create_sheet(sheet, fall->stretch, &fall->step, &model, &start);
    if (code) return complain(code, "this was %s", fall->name);
    if (!fall->seconds)
        fall->seconds = need((size_t)count_steps(sheet, fall), sizeof *fall->seconds);
    for (int i = 0; i < MAX_SAMPLES && fall->rounds == 0; i++) fall->heights[i] = (double)NAN;
    // the first step allocates, and does not count
    bool good = !weft_create_state(model, &state, &error) && !weft_step(state, &fall->step) &&
                !weft_measure(start, fall->step.gravity, &before);
    if (good) {
        weft_copy_state(state, start);
        take_steps(sheet, fall, model, state);
        good = !weft_measure(state, fall->step.gravity, &after);
    }
    if (good) {
        fall->rounds++;
        fall->lost = before.total - after.total;
        fall->max_stretch = after.max_stretch;
    }
    weft_destroy_state(state);
    weft_destroy_state(start);
    weft_destroy_model(model);
    return good ? EXIT_GOOD : complain(EXIT_FAILED, "%s: a first step fails", fall->name);
}

void destroy_fall(Fall* fall) {
    free(fall->seconds);
    *fall = (Fall){0};
}

double frame_ms(const Sheet* sheet, const Fall* fall) {
    double sum = 0;
    int count = count_steps(sheet, fall);
    if (fall->rounds == 0 || fall->unstable_step) return (double)NAN;
    for (int i = 0; i < count; i++) sum += fall->seconds[i];
    return 1000 * sum / count * FRAME / fall->step.dt;
}

double height_deviation(const Fall* fall, const Trajectory* from) {
    double sum = 0, drop = (double)NAN;
    int count = 0;
    for (int i = 0; i < from->frame_count; i++) {
        drop = mean_height(trajectory_frame(from, i), from->vertex_count);
        if (isnan(fall->heights[i])) continue;
        double difference = fall->heights[i] - drop;
        sum += difference * difference;
        count++;
    }
    return count > 0 ? sqrt(sum / count) / fabs(drop) : (double)NAN;
}

// ---------------------------------------------------------------------------------------------
// The motion itself

static int record_fall(const Sheet* sheet, WeftStretch stretch, int substeps, Trajectory* record) {
    Fall fall = {.stretch = stretch, .step = sheet_step(), .record = record};
    snprintf(fall.name, sizeof fall.name, "symplectic, %d substeps", substeps);
    show_progress("k1 %g: %s", sheet->stiffness, fall.name);
    fall.step.method = WEFT_METHOD_SYMPLECTIC;
    fall.step.substeps = substeps;
    create_trajectory(record, sheet->sample_count, sheet->mesh.vertex_count);
    int code = take_fall(sheet, &fall);
    if (!code && fall.unstable_step) code = complain(EXIT_FAILED, "%s: unstable", fall.name);
    destroy_fall(&fall);
    return code;
}

int find_sheet_motion(const Sheet* sheet, WeftStretch stretch, int substeps, bool keep, bool fresh,
                      Trajectory* motion, double* floor) {
    char definition[200];
    Trajectory half = {0};
    Distance distance = {.from = motion};
    snprintf(definition, sizeof definition,
             "weft %s, sheet, side %d, k1 %g, stretch %d, symplectic %d, samples %d of %d",
             weft_version(), sheet->side, sheet->stiffness, (int)stretch, substeps,
             sheet->sample_count, SAMPLE_EVERY);
    create_trajectory(motion, sheet->sample_count, sheet->mesh.vertex_count);
    if (keep && !fresh && load_trajectory(definition, motion, floor)) return EXIT_GOOD;
    destroy_trajectory(motion);
    int code = record_fall(sheet, stretch, substeps, motion);
    if (!code) code = record_fall(sheet, stretch, substeps / 2, &half);
    for (int i = 0; i < sheet->sample_count && !code; i++)
        add_frame(&distance, i, trajectory_frame(&half, i));
    *floor = rms_distance(&distance);
    if (!code && keep) keep_trajectory(definition, motion, *floor);
    destroy_trajectory(&half);
    return code;
}
