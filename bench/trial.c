// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "kept.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Trajectories

void create_trajectory(Trajectory* trajectory, int frame_count, int vertex_count) {
    size_t count = 3 * (size_t)vertex_count * (size_t)frame_count;
    *trajectory = (Trajectory){frame_count, vertex_count, need(count, sizeof(double))};
}

void destroy_trajectory(Trajectory* trajectory) {
    free(trajectory->positions);
    *trajectory = (Trajectory){0};
}

double* trajectory_frame(const Trajectory* trajectory, int frame) {
    return trajectory->positions + 3 * (long)trajectory->vertex_count * frame;
}

void add_frame(Distance* distance, int frame, const double* x) {
    const Trajectory* from = distance->from;
    if (!from || !from->positions || frame >= from->frame_count) return;
    const double* y = trajectory_frame(from, frame);
    for (int i = 0; i < from->vertex_count; i++, x += 3, y += 3) {
        double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
        double square = dx * dx + dy * dy + dz * dz;
        distance->sum += square;
        distance->largest = fmax(distance->largest, sqrt(square));
    }
    distance->frames++;
}

double rms_distance(const Distance* distance) {
    if (distance->frames == 0) return (double)NAN;
    return sqrt(distance->sum / distance->frames / distance->from->vertex_count);
}

double mean_distance(const Trajectory* from, const Trajectory* to) {
    Distance distance = {.from = from};
    for (int frame = 0; frame < to->frame_count; frame++)
        add_frame(&distance, frame, trajectory_frame(to, frame));
    return rms_distance(&distance);
}

// ---------------------------------------------------------------------------------------------
// Trajectories that are kept

// Its name has a hash of what it is.
static bool trajectory_path(const char* definition, char path[KEPT_PATH_SIZE]) {
    char name[32];
    snprintf(name, sizeof name, "swing-%016" PRIx64, kept_hash(definition));
    return kept_path(name, path);
}

// The head of a kept file, then the positions.
typedef struct Kept {
    int frame_count, vertex_count;
    double number;
} Kept;

static size_t position_count(const Trajectory* trajectory) {
    return 3 * (size_t)trajectory->vertex_count * (size_t)trajectory->frame_count;
}

bool load_trajectory(const char* definition, Trajectory* trajectory, double* number) {
    char path[KEPT_PATH_SIZE];
    FILE* file = trajectory_path(definition, path) ? fopen(path, "rb") : NULL;
    if (!file) return false;
    Kept kept;
    size_t count = position_count(trajectory);
    bool good = fread(&kept, sizeof kept, 1, file) == 1 &&
                kept.frame_count == trajectory->frame_count &&
                kept.vertex_count == trajectory->vertex_count &&
                fread(trajectory->positions, sizeof(double), count, file) == count;
    fclose(file);
    if (good) *number = kept.number;
    return good;
}

// Under another name until it is whole.
void keep_trajectory(const char* definition, const Trajectory* trajectory, double number) {
    char path[KEPT_PATH_SIZE], part[KEPT_PATH_SIZE + 8];
    if (!trajectory_path(definition, path)) return;
    snprintf(part, sizeof part, "%s.part", path);
    FILE* file = fopen(part, "wb");
    if (!file) return;
    Kept kept = {trajectory->frame_count, trajectory->vertex_count, number};
    size_t count = position_count(trajectory);
    bool good = fwrite(&kept, sizeof kept, 1, file) == 1 &&
                fwrite(trajectory->positions, sizeof(double), count, file) == count;
    good = fclose(file) == 0 && good;
    if (!good || rename(part, path)) remove(part);
}

// ---------------------------------------------------------------------------------------------
// Steps

static int create_eigen(Trial* trial) {
    const WeftStepDef* step = &trial->method->step;
    if (create_net(trial->model, trial->start, &trial->square.cloth.fabric, &trial->net))
        trial->eigen = create_eigen_step(&trial->net, trial->method->fill, step->dt, step->gravity,
                                         step->tolerance, thread_time);
    return trial->eigen ? EXIT_GOOD : complain(EXIT_FAILED, "out of memory");
}

// The first step allocates, and what it reads is not in the cache: it does not count.
static int warm_up(Trial* trial) {
    EigenReport report;
    if (!trial->eigen) return weft_step(trial->state, &trial->method->step);
    return take_eigen_step(trial->eigen, &report) ? EXIT_GOOD : EXIT_FAILED;
}

int create_trial(const Method* method, const Square* square, int threads, Trial* trial) {
    WeftError error;
    *trial = (Trial){.method = method, .square = *square};
    trial->rest_max = trial->rest_p99 = trial->rest_speed = (double)NAN;
    if (method->stretch) trial->square.cloth.stretch = method->stretch;
    if (method->estimator) weft_set_estimator(&trial->square.cloth, method->estimator, 2);
    int code = create_square(&trial->square, &method->step, threads,
                             threads == 1 ? thread_time : wall_time, &trial->model, &trial->start);
    if (!code && weft_create_state(trial->model, &trial->state, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    if (!code && method->role == ROLE_EIGEN) code = create_eigen(trial);
    if (!code && warm_up(trial))
        code =
            complain(EXIT_FAILED, "%s: %s", method->name, weft_state_error(trial->state)->message);
    if (code) destroy_trial(trial);
    return code;
}

void destroy_trial(Trial* trial) {
    destroy_eigen_step(trial->eigen);
    destroy_net(&trial->net);
    weft_destroy_state(trial->state);
    weft_destroy_state(trial->start);
    weft_destroy_model(trial->model);
    *trial = (Trial){0};
}

static double top_speed(const WeftModel* model, const WeftState* state) {
    const double* v = weft_velocities(state);
    double square = 0;
    for (int i = 0; i < weft_vertex_count(model); i++, v += 3)
        square = fmax(square, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return sqrt(square);
}

// NULL also where it has become unstable, and may.
static const double* take_our_step(Trial* trial, WeftTimes* times) {
    bool failed = weft_step(trial->state, &trial->method->step);
    if (trial->speed_limit > 0 &&
        (failed || top_speed(trial->model, trial->state) > trial->speed_limit))
        return NULL;
    if (failed) {
        complain(EXIT_FAILED, "%s: %s", trial->method->name,
                 weft_state_error(trial->state)->message);
        return NULL;
    }
    const WeftStepReport* report = weft_report(trial->state);
    *times = report->times;
    trial->iterations += report->cg_iterations;
    trial->newton_steps += report->newton_steps;
    trial->solves += report->solve_count;
    trial->unconverged += !report->converged;
    trial->stiffness_scale = report->stiffness_scale;
    return weft_positions(trial->state);
}

static const double* take_their_step(Trial* trial, WeftTimes* times) {
    EigenReport report;
    if (!take_eigen_step(trial->eigen, &report)) {
        complain(EXIT_FAILED, "out of memory");
        return NULL;
    }
    *times = (WeftTimes){.force = report.force,
                         .build = report.build,
                         .solve = report.solve,
                         .update = report.update,
                         .total = report.total};
    trial->iterations += report.iterations;
    trial->newton_steps++;
    trial->stiffness_scale = 1;
    return eigen_positions(trial->eigen);
}

static void compare_frame(Trial* trial, int frame, const double* x) {
    add_frame(&trial->converged, frame, x);
    add_frame(&trial->fine, frame, x);
    add_frame(&trial->other, frame, x);
    Trajectory* record = trial->record;
    if (record && frame < record->frame_count)
        memcpy(trajectory_frame(record, frame), x, 3 * (size_t)record->vertex_count * sizeof *x);
}

int run_trial(Trial* trial, int frame_count) {
    bool first = trial->repeat_count == 0;
    trial->iterations = trial->newton_steps = trial->solves = trial->unconverged = 0;
    trial->frame_count = frame_count;
    if (trial->eigen)
        reset_eigen_step(trial->eigen);
    else
        weft_copy_state(trial->state, trial->start);
    for (int frame = 0; frame < frame_count; frame++) {
        WeftTimes times;
        const double* x =
            trial->eigen ? take_their_step(trial, &times) : take_our_step(trial, &times);
        if (!x && trial->speed_limit > 0) {
            trial->unstable_frame = frame + 1;
            return EXIT_GOOD;
        }
        if (!x) return EXIT_FAILED;
        if (first) compare_frame(trial, frame, x);
        if (first || times.total < trial->times[frame].total) trial->times[frame] = times;
        trial->spent += times.total;
    }
    trial->repeat_count++;
    return EXIT_GOOD;
}

WeftTimes mean_times(const Trial* trial) {
    WeftTimes mean = {0};
    double part = 1.0 / trial->frame_count;
    for (int frame = 0; frame < trial->frame_count; frame++) {
        const WeftTimes* times = &trial->times[frame];
        mean.predict += part * times->predict;
        mean.force += part * times->force;
        mean.build += part * times->build;
        mean.factor += part * times->factor;
        mean.solve += part * times->solve;
        mean.update += part * times->update;
        mean.total += part * times->total;
    }
    return mean;
}

// ---------------------------------------------------------------------------------------------
// Rest

static const double SETTLING_DAMPING = 6;  // 1/s: about critical for a pendulum of a metre
static const double RESTING_SPEED = 1e-3;  // m/s
enum { REST_FRAMES = 600, SETTLE_FRAMES = 120, LEAST_FRAMES = 10 };

static int settle(const WeftModel* model, WeftState* state, const WeftStepDef* step, int frames) {
    for (int i = 0; i < frames; i++) {
        if (weft_step(state, step))
            return complain(EXIT_FAILED, "%s", weft_state_error(state)->message);
        if (i >= LEAST_FRAMES && top_speed(model, state) < RESTING_SPEED) break;
    }
    return EXIT_GOOD;
}

// Not by swinging down: it starts ten degrees off the vertical. Newton steps are taken at x(n): one
// step from the predicted positions keeps a cloth as stiff as this one trembling.
int find_rest(const Square* square, double* positions) {
    Square damped = *square;
    WeftStepDef step = still_air_step();
    WeftModel* model;
    WeftState* state;
    damped.cloth.fabric.mass_damping = SETTLING_DAMPING;
    step.method = WEFT_METHOD_IMPLICIT;
    step.order = 1;
    step.start = WEFT_START_PREVIOUS;
    step.scheme = WEFT_SCHEME_JAJ;
    int code = create_square(&damped, &step, 1, NULL, &model, &state);
    if (code) return code;
    size_t n = (size_t)weft_vertex_count(model);
    memcpy(positions, weft_positions(state), 3 * n * sizeof *positions);
    double z0 = positions[2];
    for (size_t i = 0; i < n; i++) {
        double away = positions[3 * i + 2] - z0;  // from the pinned side
        positions[3 * i + 1] = -0.984807753 * fabs(away);
        positions[3 * i + 2] = z0 + 0.173648178 * away;
    }
    weft_set_positions(state, positions);
    code = settle(model, state, &step, REST_FRAMES);
    if (!code) memcpy(positions, weft_positions(state), 3 * n * sizeof *positions);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return code;
}

int settle_trial(Trial* trial, const double* rest) {
    const WeftStepDef* step = &trial->method->step;
    Square damped = trial->square;
    WeftModel* model;
    WeftState* state;
    WeftMeasure measure;
    damped.cloth.fabric.mass_damping = SETTLING_DAMPING;
    int code = create_square(&damped, step, 1, NULL, &model, &state);
    if (code) return code;
    weft_set_positions(state, rest);
    code = settle(model, state, step, SETTLE_FRAMES);
    if (!code && weft_measure(state, step->gravity, &measure))
        code = complain(EXIT_FAILED, "out of memory");
    if (!code) {
        trial->rest_max = measure.max_stretch;
        trial->rest_p99 = measure.p99_stretch;
        trial->rest_speed = measure.max_speed;
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    return code;
}
