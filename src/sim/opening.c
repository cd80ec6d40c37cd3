// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Folds below the mesh open again. Pressed cloth gives way at once, by a load that is far below
// what its folds would carry at rest: steps of a frame are too long, and their iterations too few,
// for folds that the mesh could show to grow meanwhile (material/fabric.c). Left at that, cloth
// that is set down stays shrunk within itself: a heap at two thirds of its area, a tube on its end
// at a fifth. So where a vertex has been pressed for a quarter of a second, the load grows with the
// fourth power of time, and after a second and a half its surroundings push as hard as they pull:
// what was hidden becomes folds, or room. An upright sheet is as close to its motion with it as
// without (86 mm), and ends on the floor with 0.97 of its area instead of 0.64.
//
// The age of a vertex is for how long its edges have been shorter than at rest, by a hundredth of
// their lengths together. It stays while they press with more than they would carry at first (of
// all edges of a vertex a third, those that run that way), or cloth that lies or hangs under its
// own weight would sink and rise for ever; after that it goes back four times as fast.

#include "sim/opening.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

static const double PRESSED = 0.01;   // of the edges of a vertex
static const double PATIENCE = 0.25;  // s, before the load begins to grow
static const double GROWTH = 0.15;    // s, in which it is 16 times as large
static const double MOST = 1e4;       // times as large: as if it never gave way
static const double HELD = 0.3;       // of the first load
static const double RECOVERY = 4;

static double load_factor(double age) {
    double t = 1 + fmax(0, age - PATIENCE) / GROWTH, square = t * t;
    return fmin(square * square, MOST);
}

static bool gives_way(const WeftModel* m) {
    bool gives = false;
    for (int c = 0; c < m->cloth_count && !gives; c++) gives = m->gives[c] > 0;
    return gives;
}

void wf_opening_begin(WeftState* state) {
    for (int i = 0; i < state->model->system.vertex_count; i++)
        state->firming[i] = load_factor(state->ages[i]);
}

void wf_opening_end(WeftState* state, double h) {
    const WeftModel* m = state->model;
    size_t n = (size_t)m->system.vertex_count;
    double *missing = state->work.r, *length = state->work.z;
    state->opens = false;
    if (!gives_way(m)) return;
    memset(missing, 0, n * sizeof *missing);
    memset(length, 0, n * sizeof *length);
    for (int e = 0; e < m->edge_count; e++) {
        int a = m->edges[2 * (long)e], b = m->edges[2 * (long)e + 1];
        double now = wf_length(wf_sub(wf_load(state->x, a), wf_load(state->x, b)));
        double rest = m->edge_lengths[e], less = fmax(0, rest - now);
        missing[a] += less, missing[b] += less;
        length[a] += rest, length[b] += rest;
    }
    for (int c = 0; c < m->cloth_count; c++) {
        double carries = HELD * m->gives[c] / state->scales[c];
        for (int i = m->first_vertex[c]; i < m->first_vertex[c + 1]; i++) {
            bool pressed = missing[i] > PRESSED * length[i];
            state->opens = state->opens || (pressed && state->firming[i] < MOST);
            if (pressed || missing[i] <= carries * length[i])
                state->ages[i] = fmax(0, state->ages[i] + (pressed ? h : -RECOVERY * h));
        }
    }
    wf_opening_begin(state);
}
