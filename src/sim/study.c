// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The constant matrix and its factor, for those who study them.

#include <assert.h>

#include "base/error.h"
#include "base/memory.h"
#include "sim/model.h"

WeftFactorInfo weft_factor_info(const WeftModel* m) {
    const WfSystem* s = &m->system;
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
    assert(column >= 0 && column < nodes->n);
    int node = nodes->node[column], count = 0;
    for (int i = column; i < nodes->first[node + 1]; i++) rows[count++] = i;
    for (size_t r = nodes->row_start[node]; r < nodes->row_start[node + 1]; r++)
        rows[count++] = nodes->rows[r];
    return count;
}

WeftResult weft_get_matrix(const WeftModel* m, const WeftStepDef* step, const int** start,
                           const int** index, double* values, WeftError* error) {
    const WfSystem* s = &m->system;
    WeftResult result = wf_check_step(s, step, error);
    if (result) return result;
    *start = s->pattern.start;
    *index = s->pattern.index;
    if (!values) return WEFT_OK;
    WeftStepDef def = wf_resolve_step(s, step);
    double* scales = wf_alloc(&s->allocator, (size_t)m->cloth_count, sizeof *scales);
    if (!scales) return wf_fail_memory(error);
    wf_model_scales(m, &def, scales);
    wf_system_matrix(s, wf_step_gamma(&def), scales, values);
    wf_free(&s->allocator, scales);
    return WEFT_OK;
}
