// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sweeps over the vertices, in place where there are rows: u_i += (b_i - (H u)_i)/D_i, and a vertex
// with contacts of its own then settles on them.

#include <string.h>

#include "base/vec.h"
#include "respond/layers.h"
#include "respond/run.h"
#include "respond/singles.h"
#include "respond/swept.h"

static const double SLACK = 0.25;  // margins from its end: a leash

static bool is_slack(const WfTouch* touch, const WfContact* c) {
    int i = c->vertices[0];
    const double* load = touch->loads + 4 * (long)i;
    WfVec u = wf_load(touch->work->u, i);
    if (load[0] != 0 || load[1] != 0 || load[2] != 0) return false;
    double open = c->ball > 0 ? c->ball - wf_length(wf_from_centre(c, u))
                              : wf_dot(c->normal, wf_add(u, wf_contact_offset(c)));
    return open > SLACK * touch->margin;
}

// All vertices, or those of contacts. Newton's matrix is soft across the cloth, and conjugate
// gradients do well without sweeps beside the contacts. (With the constant matrix they do not:
// sliding would be wrong.)
//
// Most leashes are slack, and every vertex may have one: those that are neither at their end where
// the response begins nor were before are left to directions, which close them. (Of a
// cape that walks on leashes, half of them taut, the response took 4.0 ms of a step, and 3.6 so.)
void wf_run_choose_swept(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfContacts* contacts = touch->contacts;
    WfTouchWork* work = touch->work;
    int n = touch->vertex_count;
    memset(work->is_swept, !run->plan->local, (size_t)n);
    for (int k = 0; k < contacts->count; k++) {
        const WfContact* c = &contacts->all[k];
        if (c->of_skin && run->keeps && is_slack(touch, c)) continue;
        for (int v = 0; v < c->count; v++) work->is_swept[c->vertices[v]] = 1;
    }
    memset(work->pull, 0, 3 * (size_t)n * sizeof(double));
    memset(work->moved, 0, 3 * (size_t)n * sizeof(double));
    work->swept_count = 0;
    for (int i = 0; i < n; i++)
        if (work->is_swept[i] && !touch->pinned[i]) work->swept[work->swept_count++] = i;
}

// The step of a vertex by its residual: by its own block where nothing touches it.
static WfVec relax_vertex(const WfRun* run, int i, bool touched, WfVec left) {
    const WfTouchWork* work = run->touch->work;
    if (run->model->rows && !touched && work->layers[i] == 0) {
        if (!run->model->inverses) return (WfVec){0, 0, 0};
        const float* inverse = run->model->inverses + 6 * (long)i;
        double m[6];
        for (int k = 0; k < 6; k++) m[k] = (double)inverse[k];
        return wf_sym_mul(m, left);
    }
    return wf_mul(1 / (work->diagonal[i] + work->layers[i]), left);
}

// pull = what layers (and, without rows, H) have at u. Layers alone leave it zero elsewhere.
static void find_pull(const WfRun* run) {
    const WfTouchWork* work = run->touch->work;
    bool rows = run->model->pattern || run->model->rows;
    if (!rows) run->model->product(run->model->context, work->u, work->pull);
    if (run->model->beyond)
        memset(work->pull, 0, (size_t)run->touch->vectors.n * sizeof *work->pull);
    wf_layers_press(run->touch, work->u, 1, rows, work->pull);
    if (run->model->beyond) run->model->beyond(run->model->context, work->u, work->pull);
}

// Where vertex i goes that has `left` over, and settles.
static WfVec relaxed(const WfRun* run, int i, WfVec left) {
    const WfContacts* contacts = run->touch->contacts;
    int first, end = wf_singles_of(contacts, i, &first);
    WfVec to = wf_add(wf_load(run->touch->work->u, i), relax_vertex(run, i, first >= 0, left));
    return first >= 0 ? wf_singles_settle(contacts->all, first, end, to) : to;
}

typedef struct SweepJob {
    const WfRun* run;
    const int* chunks;
} SweepJob;

// As `relaxed`, of the k-th; what does not change in sweeps is at hand.
static WfVec packed_relaxed(const WfRun* run, int k, WfVec at, WfVec left) {
    const WfTouchWork* work = run->touch->work;
    const WfSwept* packed = &work->packed;
    int i = work->swept[k], first = packed->first[k];
    bool apart = first < 0 && work->layers[i] == 0;
    WfVec step = apart ? relax_vertex(run, i, false, left) : wf_mul(packed->inverses[k], left);
    WfVec to = wf_add(at, step);
    if (first < 0) return to;
    return wf_singles_settle(run->touch->contacts->all, first, packed->end[k], to);
}

static void packed_chunk(void* context, int index) {
    const SweepJob* job = context;
    const WfTouchWork* work = job->run->touch->work;
    int first = job->chunks[index] * WF_SWEPT_CHUNK, end = first + WF_SWEPT_CHUNK;
    for (int k = first; k < end && k < work->swept_count; k++) {
        int i = work->swept[k];
        WfVec left = wf_sub(wf_load(work->residual, i), wf_load(work->pull, i));
        WfVec at = wf_load(work->u, i);
        left =
            wf_plane_let(&job->run->touch->mirror, i, wf_sub(left, wf_swept_row(&work->packed, k)));
        WfVec to = packed_relaxed(job->run, k, at, left);
        WfVec moved = wf_add(wf_load(work->moved, i), wf_sub(to, at));
        wf_store(work->u, i, to);
        wf_store(work->moved, i, moved);
        wf_swept_move(&work->packed, k, moved);
    }
}

enum { WORTH_THREADS = 4 };

static void sweep_packed(const WfRun* run) {
    const WfSwept* packed = &run->touch->work->packed;
    for (int c = 0; c < packed->colour_count; c++) {
        int first = packed->colour_start[c], count = packed->colour_start[c + 1] - first;
        SweepJob job = {run, packed->chunks + first};
        // chunks of one colour are few, and worth more than other blocks
        wf_parallel_from(run->touch->vectors.jobs, WORTH_THREADS, count, packed_chunk, &job);
    }
}

static WfVec scalar_row(const WfQuadratic* model, int i, const double* u) {
    const WfPattern* pattern = model->pattern;
    WfVec sum = {0, 0, 0};
    for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
        sum = wf_madd(sum, model->values[e], wf_load(u, pattern->index[e]));
    return sum;
}

static void sweep_rows(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfQuadratic* model = run->model;
    const WfTouchWork* work = touch->work;
    const double* from = run->keeps ? work->residual : work->right;
    double *u = work->u, *v = run->keeps ? work->moved : u;
    for (int k = 0, count = work->swept_count; k < count; k++) {
        int i = work->swept[k];
        WfVec left = wf_sub(wf_load(from, i), wf_load(work->pull, i));
        if (model->pattern) left = wf_sub(left, scalar_row(model, i, v));
        if (model->rows) left = wf_sub(left, wf_rows_row(model->rows, i, v));
        WfVec to = relaxed(run, i, wf_plane_let(&touch->mirror, i, left));
        if (run->keeps) wf_accumulate(v, i, 1, wf_sub(to, wf_load(u, i)));
        wf_store(u, i, to);
    }
}

void wf_run_sweep(const WfRun* run, int count) {
    if (run->packed) wf_swept_begin(run);
    for (int k = 0; k < count; k++) {
        if (run->plan->own_sweeps && !wf_pace_go_on(run->touch->pace)) break;
        find_pull(run);
        if (run->packed)
            sweep_packed(run);
        else
            sweep_rows(run);
    }
}
