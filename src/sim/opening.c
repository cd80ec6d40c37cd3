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
// It opens, and does not jump open: the faster edges get longer the less the load grows, and where
// they gain 0.4 of their lengths per second it shrinks. (A tube of canvas that had sunk to a third
// of its area threw itself 10 cm into the air, and a skirt flared.)
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
static const double HASTE = 0.4;      // of their lengths per second, by which edges get longer
static const double HELD = 0.3;       // of the first load
static const double RECOVERY = 4;     // seconds per second, of what is not pressed

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

// Sums over the edges of a vertex.
typedef struct Edges {
    double *lengths, *missing;  // at rest, and of that now
    double* growing;            // m/s, of those that are too short
} Edges;

static void measure_edges(const WeftState* state, Edges* sums) {
    const WeftModel* m = state->model;
    size_t n = (size_t)m->system.vertex_count;
    memset(sums->lengths, 0, n * sizeof *sums->lengths);
    memset(sums->missing, 0, n * sizeof *sums->missing);
    memset(sums->growing, 0, n * sizeof *sums->growing);
    for (int e = 0; e < m->edge_count; e++) {
        int a = m->edges[2 * (long)e], b = m->edges[2 * (long)e + 1];
        WfVec edge = wf_sub(wf_load(state->x, b), wf_load(state->x, a));
        double rest = m->edge_lengths[e], now = wf_length(edge);
        sums->lengths[a] += rest, sums->lengths[b] += rest;
        if (now >= rest) continue;
        WfVec apart = wf_sub(wf_load(state->v, b), wf_load(state->v, a));
        double rate = now > 0 ? wf_dot(apart, edge) / now : 0;
        sums->missing[a] += rest - now, sums->missing[b] += rest - now;
        sums->growing[a] += rate, sums->growing[b] += rate;
    }
}

// How the age of a vertex goes on, in seconds per second.
static double aging(double length, double missing, double growing, double carries) {
    if (missing > PRESSED * length) return fmax(1 - fmax(0, growing) / (HASTE * length), -1);
    return missing <= carries * length ? -RECOVERY : 0;
}

void wf_opening_end(WeftState* state, double h) {
    const WeftModel* m = state->model;
    Edges sums = {state->work.z, state->work.r, state->work.p};
    state->opens = false;
    if (!gives_way(m)) return;
    measure_edges(state, &sums);
    for (int c = 0; c < m->cloth_count; c++) {
        double carries = HELD * m->gives[c] / state->scales[c];
        for (int i = m->first_vertex[c]; i < m->first_vertex[c + 1]; i++) {
            double length = sums.lengths[i], missing = sums.missing[i];
            bool pressed = missing > PRESSED * length;
            state->opens = state->opens || (pressed && state->firming[i] < MOST);
            double rate = aging(length, missing, sums.growing[i], carries);
            state->ages[i] = fmax(0, state->ages[i] + rate * h);
        }
    }
}
