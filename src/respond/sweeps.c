// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Sweeps over the vertices, in place where there are rows: u_i += (b_i - (H u)_i)/D_i, and a vertex
// with contacts of its own then settles on them.

#include <string.h>

#include "base/vec.h"
#include "respond/layers.h"
#include "respond/run.h"
#include "respond/singles.h"

// All vertices, or those of contacts. Newton's matrix is soft across the cloth, and conjugate
// gradients do well without sweeps beside the contacts. (With the constant matrix they do not:
// sliding would be wrong.)
void wf_run_choose_swept(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfContacts* contacts = touch->contacts;
    WfTouchWork* work = touch->work;
    int n = touch->vertex_count;
    memset(work->is_swept, !run->plan->local, (size_t)n);
    for (int k = 0; k < contacts->count; k++)
        for (int v = 0; v < contacts->all[k].count; v++)
            work->is_swept[contacts->all[k].vertices[v]] = 1;
    memset(work->pull, 0, 3 * (size_t)n * sizeof(double));
    work->swept_count = 0;
    for (int i = 0; i < n; i++)
        if (work->is_swept[i] && !touch->pinned[i]) work->swept[work->swept_count++] = i;
}

static WfVec scalar_row(const WfQuadratic* model, int i, const double* u) {
    WfVec sum = {0, 0, 0};
    for (int e = model->pattern->start[i]; e < model->pattern->start[i + 1]; e++)
        sum = wf_madd(sum, model->values[e], wf_load(u, model->pattern->index[e]));
    return sum;
}

static WfVec block_row(const WfRows* rows, int i, const double* u) {
    const WfRowsPattern* pattern = rows->pattern;
    WfVec sum = {0, 0, 0};
    for (int e = pattern->block_start[i]; e < pattern->block_start[i + 1]; e++) {
        const double* m = rows->blocks + 9 * (long)e;
        WfVec v = wf_load(u, pattern->block_index[e]);
        sum.x += m[0] * v.x + m[2] * v.y + m[4] * v.z;
        sum.y += m[1] * v.x + m[3] * v.y + m[5] * v.z;
        sum.z += m[6] * v.x + m[7] * v.y + m[8] * v.z;
    }
    for (int e = pattern->scalar_start[i]; e < pattern->scalar_start[i + 1]; e++)
        sum = wf_madd(sum, rows->scalars[e], wf_load(u, pattern->scalar_index[e]));
    return sum;
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
    const WfContacts* contacts = run->touch->contacts;
    const WfTouchWork* work = run->touch->work;
    if (!run->model->pattern && !run->model->rows) {
        run->model->product(run->model->context, work->u, work->pull);
    } else {
        for (int k = contacts->single_count; k < contacts->count; k++)
            for (int v = 0; v < contacts->all[k].count; v++)
                wf_store(work->pull, contacts->all[k].vertices[v], (WfVec){0, 0, 0});
    }
    wf_layers_press(run->touch, work->u, work->pull);
}

void wf_run_sweep(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfQuadratic* model = run->model;
    const WfContacts* contacts = touch->contacts;
    const WfTouchWork* work = touch->work;
    const int* swept = work->swept;
    const double* right = work->right;
    const double* pull = work->pull;
    double* u = work->u;
    find_pull(run);
    for (int k = 0, count = work->swept_count; k < count; k++) {
        int i = swept[k];
        WfVec left = wf_sub(wf_load(right, i), wf_load(pull, i));
        if (model->pattern) left = wf_sub(left, scalar_row(model, i, u));
        if (model->rows) left = wf_sub(left, block_row(model->rows, i, u));
        int first, end = wf_singles_of(contacts, i, &first);
        WfVec to = wf_add(wf_load(u, i), relax_vertex(run, i, first >= 0, left));
        if (first >= 0) to = wf_singles_settle(contacts->all, first, end, to);
        wf_store(u, i, to);
    }
}
