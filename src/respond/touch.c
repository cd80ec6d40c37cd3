// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "respond/touch.h"

#include "base/vec.h"
#include "respond/groups.h"

void wf_touch_layout(int vertex_count, WfArena* arena, WfTouchWork* work) {
    size_t n = (size_t)vertex_count;
    double** vectors[] = {&work->u,  &work->right,    &work->trial, &work->direction, &work->slope,
                          &work->hd, &work->residual, &work->moved, &work->r,         &work->z,
                          &work->p,  &work->q,        &work->pull};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = wf_arena_push(arena, 3 * n, sizeof(double));
    work->diagonal = wf_arena_push(arena, n, sizeof(double));
    work->layers = wf_arena_push(arena, n, sizeof(double));
    work->shares = wf_arena_push(arena, n, sizeof(double));
    work->links = wf_arena_push(arena, n, sizeof(int));
    work->group = wf_arena_push(arena, n, sizeof(int));
    work->groups = wf_arena_push(arena, n, sizeof *work->groups);
    work->sections = wf_arena_push(arena, n, sizeof *work->sections);
    work->block_sections = wf_arena_push(arena, n / WF_SECTION_BLOCK + 2, sizeof(int));
    work->partial = wf_arena_push(arena, WF_SECTION_SUMS * n, sizeof(double));
    work->holds = wf_arena_push(arena, n, sizeof *work->holds);
    work->swept = wf_arena_push(arena, n, sizeof(int));
    work->near = wf_arena_push(arena, n, sizeof(int));
    work->is_near = wf_arena_push(arena, n, 1);
    wf_swept_layout(vertex_count, arena, &work->packed);
    work->is_swept = wf_arena_push(arena, n, 1);
    work->counted = wf_arena_push(arena, n, 1);
}

void wf_touch_hold_pins(const WfTouch* t, double* vector) {
    wf_plane_filter(&t->mirror, vector);
    for (int i = 0; i < t->pin_count; i++) wf_store(vector, t->pins[i], (WfVec){0, 0, 0});
}
