// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The passes over the tree, and vectors in and out; what is done with a node is in solve_kernel.h.
//
// Subtrees run in parallel: what they add to their ancestors goes into slots of their own, which
// are added up in the order of the subtrees.

#include "sparse/solve.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/simd.h"

// ---------------------------------------------------------------------------------------------
// Trees

size_t wf_solve_scratch_count(const WfCholesky* c) { return 4 * (size_t)c->nodes.slot_count; }

static void clear_outside(const WfSolve* solve, int t) {
    const WfSubtree* subtree = &solve->cholesky->nodes.subtrees[t];
    size_t count = (size_t)wf_node_height(&solve->cholesky->nodes, subtree->end - 1);
    memset(solve->slots + 4 * (size_t)subtree->first_slot, 0, 4 * count * sizeof(float));
}

static void forward_subtree(void* context, int t) {
    const WfSolve* solve = context;
    const WfSupernodes* s = &solve->cholesky->nodes;
    clear_outside(solve, t);
    for (int k = s->subtrees[t].begin; k < s->subtrees[t].end; k++)
        solve->kernel->forward(s, solve->factor, k, solve->slots);
}

// Between the slots of a subtree and those of its ancestors.
static void add_outside(const WfSolve* solve, int t) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    int root = s->subtrees[t].end - 1, count = wf_node_height(s, root);
    const int* rows = s->rows + s->row_start[root];
    const float* from = solve->slots + 4 * (size_t)s->subtrees[t].first_slot;
    for (int i = 0; i < count; i++) {
        float* to = wf_slot_at(solve->slots, s->slot[rows[i]]);
        wf_quad_store(to, wf_quad_add(wf_quad_load(to), wf_quad_load(from + 4 * i)));
    }
}

static void copy_outside(const WfSolve* solve, int t) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    int root = s->subtrees[t].end - 1, count = wf_node_height(s, root);
    const int* rows = s->rows + s->row_start[root];
    float* to = solve->slots + 4 * (size_t)s->subtrees[t].first_slot;
    for (int i = 0; i < count; i++)
        wf_quad_store(to + 4 * i, wf_quad_load(wf_slot_at(solve->slots, s->slot[rows[i]])));
}

static void backward_subtree(void* context, int t) {
    const WfSolve* solve = context;
    const WfSupernodes* s = &solve->cholesky->nodes;
    const WfSubtree* subtree = &s->subtrees[t];
    copy_outside(solve, t);
    for (int k = subtree->end - 1; k >= subtree->begin; k--)
        solve->kernel->backward(s, solve->factor, k, solve->slots);
}

void wf_solve_forward(const WfSolve* solve) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    wf_parallel(solve->jobs, s->subtree_count, forward_subtree, (void*)solve);
    for (int t = 0; t < s->subtree_count; t++) add_outside(solve, t);
    for (int k = 0; k < s->top_count; k++)
        solve->kernel->forward(s, solve->factor, s->top[k], solve->slots);
}

void wf_solve_backward(const WfSolve* solve) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    for (int k = s->top_count - 1; k >= 0; k--)
        solve->kernel->backward(s, solve->factor, s->top[k], solve->slots);
    wf_parallel(solve->jobs, s->subtree_count, backward_subtree, (void*)solve);
}

void wf_solve_clear_marked(const WfSolve* solve, const unsigned char* marked) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    for (int k = 0; k < s->count; k++) {
        size_t first = 4 * (size_t)s->own_slot[k], end = 4 * (size_t)s->own_slot[k + 1];
        if (marked[k]) memset(solve->slots + first, 0, (end - first) * sizeof(float));
    }
}

void wf_solve_forward_marked(const WfSolve* solve, const unsigned char* marked) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    for (int t = 0; t < s->subtree_count; t++) {
        const WfSubtree* subtree = &s->subtrees[t];
        if (!marked[subtree->end - 1]) continue;
        clear_outside(solve, t);
        for (int k = subtree->begin; k < subtree->end; k++)
            if (marked[k]) solve->kernel->forward(s, solve->factor, k, solve->slots);
        add_outside(solve, t);
    }
    for (int k = 0; k < s->top_count; k++)
        if (marked[s->top[k]]) solve->kernel->forward(s, solve->factor, s->top[k], solve->slots);
}

// ---------------------------------------------------------------------------------------------
// Vectors

// b times `scale` into the slots; the largest number there.
static float load(const WfSolve* solve, const double* b, double scale) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    WfQuad most = wf_quad_set(0), zero = most;
    for (int k = 0; k < s->count; k++) {
        float *slot = wf_slot_at(solve->slots, s->own_slot[k]),
              *end = wf_slot_at(solve->slots, s->own_slot[k + 1]);
        for (int j = s->first[k]; j < s->first[k + 1]; j++, slot += 4) {
            const double* from = b + 3 * (size_t)s->order[j];
            const double scaled[3] = {scale * from[0], scale * from[1], scale * from[2]};
            WfQuad v = wf_quad_narrow(scale == 1 ? from : scaled);
            most = wf_quad_max(most, wf_quad_max(v, wf_quad_sub(zero, v)));
            wf_quad_store(slot, v);
        }
        for (; slot < end; slot += 4) wf_quad_store(slot, zero);
    }
    float lanes[4];
    wf_quad_store(lanes, most);
    return fmaxf(fmaxf(lanes[0], lanes[1]), lanes[2]);
}

static double largest_of(const double* b, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(b[i]));
    return largest;
}

// Numbers of everyday size are taken as they are.
double wf_solve_load(const WfSolve* solve, const double* b) {
    float size = load(solve, b, 1);
    if (size > 1e-20f && size < 1e20f) return 1;
    double largest = largest_of(b, 3 * (size_t)solve->cholesky->nodes.n);
    if (!(largest > 0) || !isfinite(largest)) return 1;
    int exponent;
    frexp(largest, &exponent);
    exponent = exponent < -1020 ? -1020 : exponent > 1020 ? 1020 : exponent;  // 2^+-it is a number
    load(solve, b, ldexp(1, -exponent));
    return ldexp(1, exponent);
}

void wf_solve_store(const WfSolve* solve, double scale, double* x) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    for (int k = 0; k < s->count; k++) {
        const float* slot = wf_slot_at(solve->slots, s->own_slot[k]);
        for (int j = s->first[k]; j < s->first[k + 1]; j++, slot += 4)
            wf_quad_widen(wf_quad_load(slot), x + 3 * (size_t)s->order[j]);
    }
    if (scale != 1)
        for (size_t i = 0; i < 3 * (size_t)s->n; i++) x[i] *= scale;
}

void wf_solve(const WfSolve* solve, const double* b, double* x) {
    double scale = wf_solve_load(solve, b);
    wf_solve_forward(solve);
    wf_solve_backward(solve);
    wf_solve_store(solve, scale, x);
}
