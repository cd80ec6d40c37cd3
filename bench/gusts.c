// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "gusts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Cloths

// A square metre that hangs by its upper side.
static int make_cloth(int columns, int rows, GustCloth* cloth) {
    WeftGridDef grid = weft_default_grid_def();
    WeftError error;
    cloth->columns = columns;
    cloth->rows = rows;
    grid.columns = columns - 1;
    grid.rows = rows - 1;
    if (weft_make_grid(&grid, NULL, &cloth->mesh, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    double* x = cloth->mesh.positions;
    for (int i = 0; i < cloth->mesh.vertex_count; i++, x += 3) {
        x[1] = x[2];  // from lying to hanging
        x[2] = 0;
    }
    cloth->pins = need((size_t)columns, sizeof *cloth->pins);
    for (int i = 0; i < columns; i++) cloth->pins[i] = i;
    cloth->def = weft_default_cloth_def();
    weft_use_mesh(&cloth->def, &cloth->mesh);
    cloth->def.fabric.mass_damping = 1;
    cloth->def.pins = cloth->pins;
    cloth->def.pin_count = columns;
    return EXIT_GOOD;
}

int create_gust_cloth(int columns, int rows, double (*clock)(void* user),
                      const WeftStepDef* const* steps, GustCloth* cloth) {
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    *cloth = (GustCloth){0};
    int code = make_cloth(columns, rows, cloth);
    if (code) return code;
    def.cloths = &cloth->def;
    def.cloth_count = 1;
    def.step = *steps[0];
    def.jobs.thread_count = 1;
    def.clock.now = clock;
    bool good = !weft_create_model(&def, &cloth->model, &error);
    for (int i = 1; steps[i] && good; i++)
        good = !weft_prepare_model(cloth->model, steps[i], &error);
    good = good && !weft_create_state(cloth->model, &cloth->start, &error) &&
           !weft_create_state(cloth->model, &cloth->state, &error);
    reset_gust_cloth(cloth);
    return good ? EXIT_GOOD : complain(EXIT_FAILED, "%s", error.message);
}

void destroy_gust_cloth(GustCloth* cloth) {
    weft_destroy_state(cloth->state);
    weft_destroy_state(cloth->start);
    weft_destroy_model(cloth->model);
    weft_destroy_mesh(&cloth->mesh);
    free(cloth->pins);
    *cloth = (GustCloth){0};
}

void reset_gust_cloth(GustCloth* cloth) {
    if (cloth->state) weft_copy_state(cloth->state, cloth->start);
}

// ---------------------------------------------------------------------------------------------
// The script

bool gust_cloth_is_present(int cloth, int frame) {
    static const struct {
        int cloth, from, end;
    } visits[] = {{1, 60, 160},  {2, 120, 240}, {1, 300, 500},  {2, 420, 640},
                  {1, 560, 700}, {2, 760, 880}, {1, 820, 1100}, {2, 1000, 1160}};
    for (size_t i = 0; i < sizeof visits / sizeof *visits; i++)
        if (visits[i].cloth == cloth && frame >= visits[i].from && frame < visits[i].end)
            return true;
    return cloth == 0;
}

static const double TURN = 6.283185307179586;

// 0 before `from`, 1 after `end`, smooth between
static double rise(double t, double from, double end) {
    double s = fmin(fmax((t - from) / (end - from), 0), 1);
    return s * s * (3 - 2 * s);
}

// From the front, up to 2 m/s, about every two seconds; the direction wanders.
void set_gust(int frame, WeftStepDef* step) {
    double t = frame / 60.0, phase = fmod(t, 2.1);
    double gust = 2 * (rise(phase, 0.2, 0.8) - rise(phase, 0.9, 1.7));
    double side = 0.4 * sin(TURN * t / 3.7);
    step->wind[0] = gust * sin(side);
    step->wind[1] = 0;
    step->wind[2] = gust * cos(side);
}

// Vertices are grabbed, led within half a second to where they swing about the upper side, and let
// go. In the first seconds a whole row at a time, and no higher than the cloth is long: what is
// lifted or held by a point folds, and how it folds no method can tell (measured: 20 mm between two
// converged solutions after a second, however much damping; without it 0.2 mm).
typedef struct Grab {
    int from, end;            // frames
    double column, row;       // where, as parts of the cloth; column < 0: every HELD_EVERY-th
    double angle, amplitude;  // of the swing, radians from the vertical
} Grab;

static const Grab grabs[] = {
    {40, 100, -1, 1, 0.25, 0.15},    {150, 200, -1, 0.9, 0.2, 0.1},  {230, 280, -1, 1, 0.2, 0.1},
    {320, 380, 1, 1, 0.5, 0.3},      {340, 400, 0.3, 0.6, 0.3, 0.2}, {430, 500, 0, 1, 0.6, 0.4},
    {520, 580, -1, 1, 0.6, 0.4},     {600, 640, 0.5, 1, 0.8, 0.2},   {650, 700, 0.2, 0.9, 0.4, 0.3},
    {660, 720, 0.8, 0.9, 0.4, 0.3},  {760, 800, -1, 0.5, 0.5, 0.3},  {820, 900, 1, 1, 0.5, 0.5},
    {830, 890, 0, 1, 0.5, -0.5},     {940, 980, 0.5, 0.5, 0.4, 0.2}, {1000, 1080, -1, 1, 0.3, 0.3},
    {1100, 1140, 0.7, 1, 0.5, -0.2},
};
enum { GRAB_COUNT = sizeof grabs / sizeof *grabs, HELD_EVERY = 5 };

static double rest_column(const GustCloth* cloth, int column) {
    return (double)column / (cloth->columns - 1);
}

static void lead_vertex(const Grab* grab, int frame, const GustCloth* cloth, int vertex,
                        WeftState* state) {
    double t = (frame + 1 - grab->from) / 60.0, part = rise(t, 0, 0.5), goal[3];
    double angle = grab->angle + grab->amplitude * sin(TURN * t);
    double path[3] = {rest_column(cloth, vertex % cloth->columns), -grab->row * cos(angle),
                      grab->row * sin(angle)};
    // from wherever it was: what is left of that halves, and more, with every frame
    const double* x = weft_positions(state) + 3 * vertex;
    for (int d = 0; d < 3; d++) goal[d] = x[d] + part * (path[d] - x[d]);
    weft_move_pin(state, vertex, goal);
}

void play_hands(const GustCloth* cloth, int frame, WeftState* state) {
    for (int g = 0; g < GRAB_COUNT; g++) {
        const Grab* grab = &grabs[g];
        if (frame < grab->from || frame > grab->end) continue;
        int row = (int)lround(grab->row * (cloth->rows - 1));
        int one = (int)lround(grab->column * (cloth->columns - 1));
        for (int column = 0; column < cloth->columns; column++) {
            int vertex = row * cloth->columns + column;
            if (grab->column < 0 ? column % HELD_EVERY != 0 : column != one) continue;
            if (frame == grab->from) weft_pin(state, vertex);
            if (frame < grab->end) lead_vertex(grab, frame, cloth, vertex, state);
            if (frame == grab->end) weft_unpin(state, vertex);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The motion itself

// To a gradient of 1e-5 of the weight's.
static WeftStepDef motion_step(int substeps) {
    WeftStepDef step = weft_default_step_def();
    step.method = WEFT_METHOD_IMPLICIT;
    step.order = 2;
    step.substeps = substeps;
    step.scheme = WEFT_SCHEME_JAJ;
    step.newton_steps = 100;
    step.newton_tolerance = 1e-5;
    step.tolerance = 0.1;
    return step;
}

int find_gust_motion(GustCloth* cloth, int substeps, bool fresh, Trajectory* trajectory) {
    WeftStepDef step = motion_step(substeps);
    WeftError error;
    char definition[160];
    double seconds;
    snprintf(definition, sizeof definition,
             "gusts 4: %d x %d vertices, %d frames, %d substeps, gradient %g, weft %s",
             cloth->columns, cloth->rows, trajectory->frame_count, substeps, step.newton_tolerance,
             weft_version());
    if (!fresh && load_trajectory(definition, trajectory, &seconds)) return EXIT_GOOD;
    if (weft_prepare_model(cloth->model, &step, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    double start = wall_time(NULL);
    reset_gust_cloth(cloth);
    for (int frame = 0; frame < trajectory->frame_count; frame++) {
        if (frame % 30 == 0)
            show_progress("the motion itself, %d substeps: frame %d of %d", substeps, frame,
                          trajectory->frame_count);
        set_gust(frame, &step);
        play_hands(cloth, frame, cloth->state);
        if (weft_step(cloth->state, &step))
            return complain(EXIT_FAILED, "%s", weft_state_error(cloth->state)->message);
        memcpy(trajectory_frame(trajectory, frame), weft_positions(cloth->state),
               3 * (size_t)trajectory->vertex_count * sizeof(double));
    }
    keep_trajectory(definition, trajectory, wall_time(NULL) - start);
    return EXIT_GOOD;
}
