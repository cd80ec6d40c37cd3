// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The constant matrix and its factor, for those who study them.

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "sim/model.h"
#include "weft/weft_study.h"

WeftFactorInfo weft_factor_info(const WeftModel* m) {
    const WfSystem* s = &m->system;
    if (s->matrices != WEFT_MATRICES_ALL) return (WeftFactorInfo){0};
    return (WeftFactorInfo){
        .ordering = s->ordering,
        .matrix_count = s->pattern.start[s->vertex_count],
        .factor_count = s->cholesky.nodes.fill,
        .stored_count = (long long)wf_cholesky_value_count(&s->cholesky),
        .flops = s->cholesky.flops,
        .order_time = s->order_time,
        .analysis_time = s->analysis_time,
        .factor_time = m->factor_count > 0 ? m->factors[m->factor_count - 1].time : 0,
    };
}

const int* weft_elimination_order(const WeftModel* m) { return m->system.cholesky.nodes.order; }

int weft_factor_column(const WeftModel* m, int column, int* rows) {
    const WfSupernodes* nodes = &m->system.cholesky.nodes;
    wf_assert(column >= 0 && column < nodes->n);
    int node = nodes->node[column], count = 0;
    for (int i = column; i < nodes->first[node + 1]; i++) rows[count++] = i;
    for (size_t r = nodes->row_start[node]; r < nodes->row_start[node + 1]; r++)
        rows[count++] = nodes->rows[r];
    return count;
}

// What the terms keep in a state between force and product.
static size_t kept_doubles(const WfSystem* s) {
    size_t sum = 0;
    for (int t = 0; t < s->term_count; t++) {
        size_t memory, scratch, partial;
        s->terms[t]->type->count(s->terms[t], &memory, &scratch, &partial);
        if (s->terms[t]->type->kind == WF_TERM_NONLINEAR && !s->terms[t]->is_explicit)
            sum += scratch;
    }
    return sum;
}

static size_t block_bytes(const WfSystem* s) {
    size_t n = (size_t)s->vertex_count, upper = (size_t)s->blocks.start[n];
    return (6 * n + 9 * upper) * sizeof(double) + (n + 2 * upper) * sizeof(int);
}

// values, columns and sources of the rows, and the places of elements in the blocks
static size_t row_bytes(const WfSystem* s) {
    size_t n = (size_t)s->vertex_count, blocks = (size_t)s->rows.block_start[n];
    size_t scalars = (size_t)s->rows.scalar_start[n];
    return (9 * blocks + scalars) * sizeof(double) + 2 * (n + blocks + scalars) * sizeof(int);
}

// blocks, inverses and vectors of the sweeps, and the columns of the blocks
static size_t sweep_bytes(const WfSystem* s) {
    size_t n = (size_t)s->vertex_count, blocks = (size_t)s->rows.block_start[n];
    return (9 * blocks + 12 * n) * sizeof(float) + (n + 2 * blocks) * sizeof(int);
}

size_t weft_solver_bytes(const WeftModel* m, const WeftStepDef* step) {
    const WfSystem* s = &m->system;
    size_t n = (size_t)s->vertex_count, vector = 3 * n * sizeof(double);
    if (wf_check_step(s, step, NULL) || wf_method(step)->is_explicit) return 0;
    WeftStepDef def = wf_resolve_step(s, step);
    size_t bytes = kept_doubles(s) * sizeof(double);
    // gradient and direction; r, z, p, q of conjugate gradients
    bytes += (wf_method(step)->conjugate ? 6 : 2) * vector;
    bytes += (size_t)s->linear_pattern.start[n] * (sizeof(double) + sizeof(int));
    if (wf_step_needs(&def, WF_NEED_INVERSES)) bytes += vector;  // as floats
    if (wf_step_needs(&def, WF_NEED_BLOCKS)) bytes += block_bytes(s);
    if (wf_step_needs(&def, WF_NEED_ROWS)) bytes += row_bytes(s);
    if (wf_step_needs(&def, WF_NEED_SWEEPS)) bytes += sweep_bytes(s);
    if (wf_step_needs(&def, WF_NEED_FACTOR))
        bytes += wf_cholesky_value_count(&s->cholesky) * sizeof(float) +
                 (size_t)s->pattern.start[n] * (sizeof(double) + sizeof(int));
    return bytes;
}

WeftResult weft_get_matrix(const WeftModel* m, const WeftStepDef* step, const int** start,
                           const int** index, double* values, WeftError* error) {
    const WfSystem* s = &m->system;
    WeftResult result = wf_check_step(s, step, error);
    if (result) return result;
    if (s->matrices != WEFT_MATRICES_ALL)
        return wf_fail(error, WEFT_ERROR_COMBINATION, "the model was made without this matrix");
    *start = s->pattern.start;
    *index = s->pattern.index;
    if (!values) return WEFT_OK;
    WeftStepDef def = wf_resolve_step(s, step);
    double* scales = wf_alloc(&s->allocator, (size_t)m->portion_count, sizeof *scales);
    if (!scales) return wf_fail_memory(error);
    wf_model_scales(m, m->ratings, &def, scales);
    wf_system_matrix(s, wf_step_gamma(&def), scales, values);
    wf_free(&s->allocator, scales);
    return WEFT_OK;
}
