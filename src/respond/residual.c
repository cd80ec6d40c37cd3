// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// b - H u, kept up to date. It begins as minus the gradient; a direction takes its part of H d from
// it, which conjugate gradients have found on their way; what sweeps and closings move, they move
// at vertices of contacts, so that only the rows beside those are looked at. (A product for each of
// these was half of all products.) Where sweeps go over all vertices, or there are no rows, it is
// one product with H whenever it is asked for.

#include <string.h>

#include "base/vec.h"
#include "respond/layers.h"
#include "respond/run.h"

// ---------------------------------------------------------------------------------------------
// Rows beside swept vertices

static void mark_beside(const int* index, int first, int end, unsigned char* is_near) {
    for (int e = first; e < end; e++) is_near[index[e]] = 1;
}

static void mark_row(const WfRowsPattern* p, int i, unsigned char* is_near) {
    mark_beside(p->block_index, p->block_start[i], p->block_start[i + 1], is_near);
    mark_beside(p->scalar_index, p->scalar_start[i], p->scalar_start[i + 1], is_near);
}

void wf_run_choose_near(const WfRun* run) {
    WfTouchWork* work = run->touch->work;
    const WfRowsPattern* p = run->model->rows->pattern;
    int n = run->touch->vertex_count;
    memset(work->is_near, 0, (size_t)n);
    for (int k = 0; k < work->swept_count; k++) mark_row(p, work->swept[k], work->is_near);
    // slack leashes are not swept, but may be closed
    const WfContacts* contacts = run->touch->contacts;
    for (int k = 0; k < contacts->single_count; k++)
        if (contacts->all[k].of_skin) mark_row(p, contacts->all[k].vertices[0], work->is_near);
    work->near_count = 0;
    for (int i = 0; i < n; i++)
        if (work->is_near[i]) work->near[work->near_count++] = i;
}

typedef struct NearJob {
    const WfRun* run;
    const double* p;
    double* q;
    bool subtract;
} NearJob;

static void near_block(void* context, int block) {
    const NearJob* job = context;
    const WfTouchWork* work = job->run->touch->work;
    for (int k = block * WF_ITEM_BLOCK; k < wf_item_end(work->near_count, block); k++) {
        int i = work->near[k];
        WfVec product = wf_rows_row(job->run->model->rows, i, job->p);
        wf_store(job->q, i, job->subtract ? wf_sub(wf_load(job->q, i), product) : product);
    }
}

static void for_near(NearJob* job) {
    const WfTouch* touch = job->run->touch;
    wf_parallel(touch->vectors.jobs, wf_item_blocks(touch->work->near_count), near_block, job);
}

void wf_run_near_product(const WfRun* run, const double* p, double* q) {
    for_near(&(NearJob){.run = run, .p = p, .q = q});
}

// ---------------------------------------------------------------------------------------------

// residual = b - H u, now that some vertices have moved
static void renew(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    if (!run->keeps) {
        run->model->product(run->model->context, work->u, work->residual);
        wf_vector_xpay(&touch->vectors, work->right, -1, work->residual);
        return;
    }
    for_near(&(NearJob){.run = run, .p = work->moved, .q = work->residual, .subtract = true});
    memset(work->moved, 0, (size_t)touch->vectors.n * sizeof(double));
}

void wf_run_residual(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfTouchWork* work = touch->work;
    renew(run);
    memcpy(work->r, work->residual, (size_t)touch->vectors.n * sizeof(double));
    wf_layers_press(touch, work->u, -1, false, work->r);
    wf_touch_hold_pins(touch, work->r);
}
