// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "small_steps/small_steps.h"

#include <string.h>

#include "base/simd.h"

// ---------------------------------------------------------------------------------------------
// The form of a model

// Stretch goes first, so that what bends is brought to rest last.
static bool comes_first(const WfTerm* term) { return term->type->role == WF_ROLE_STRETCH; }

static WeftResult add_locals(const WeftAllocator* allocator, int term_count, WfTerm* const* terms,
                             const double* gives, bool first, WfSmallForm* form) {
    for (int t = 0; t < term_count; t++) {
        if (comes_first(terms[t]) != first) continue;
        WfLocal* local = &form->locals[form->local_count];
        WeftResult result = wf_local_create(allocator, terms[t], form->vertex_count, gives, local);
        if (result) return result;
        if (local->sweep) form->local_count++;
    }
    return WEFT_OK;
}

WeftResult wf_small_form_create(const WeftAllocator* allocator, int vertex_count,
                                const double* masses, int term_count, WfTerm* const* terms,
                                const double* gives, WfSmallForm* form) {
    *form = (WfSmallForm){.vertex_count = vertex_count};
    form->locals = wf_alloc(allocator, (size_t)term_count, sizeof *form->locals);
    form->inverse_masses = wf_alloc(allocator, (size_t)vertex_count, sizeof(float));
    WeftResult result = form->locals && form->inverse_masses ? WEFT_OK : WEFT_ERROR_MEMORY;
    for (int first = 1; first >= 0 && !result; first--)
        result = add_locals(allocator, term_count, terms, gives, first, form);
    for (int i = 0; i < vertex_count && !result; i++)
        form->inverse_masses[i] = (float)(1 / masses[i]);
    if (result) wf_small_form_destroy(allocator, form);
    return result;
}

void wf_small_form_destroy(const WeftAllocator* allocator, WfSmallForm* form) {
    for (int k = 0; k < form->local_count; k++) wf_local_destroy(allocator, &form->locals[k]);
    wf_free(allocator, form->locals);
    wf_free(allocator, form->inverse_masses);
    *form = (WfSmallForm){0};
}

size_t wf_small_form_bytes(const WfSmallForm* form) {
    size_t bytes = (size_t)form->vertex_count * sizeof(float);
    for (int k = 0; k < form->local_count; k++)
        bytes += sizeof(WfLocal) + wf_local_bytes(&form->locals[k]);
    return bytes;
}

// ---------------------------------------------------------------------------------------------
// What moves

static void layout(WfArena* arena, WfSmallCloth* cloth) {
    size_t count = (size_t)cloth->form->vertex_count + WF_IDLE_POINTS;
    cloth->x = wf_arena_push(arena, count, sizeof *cloth->x);
    cloth->before = wf_arena_push(arena, count, sizeof *cloth->before);
    cloth->v = wf_arena_push(arena, count, sizeof *cloth->v);
    cloth->a = wf_arena_push(arena, count, sizeof *cloth->a);
}

WeftResult wf_small_cloth_create(const WeftAllocator* allocator, const WfSmallForm* form,
                                 WfSmallCloth* cloth) {
    WfArena measure = {0};
    *cloth = (WfSmallCloth){.form = form};
    layout(&measure, cloth);
    if (!wf_arena_create(&cloth->arena, allocator, measure.used)) return WEFT_ERROR_MEMORY;
    memset(cloth->arena.base, 0, measure.used);
    layout(&cloth->arena, cloth);
    return WEFT_OK;
}

void wf_small_cloth_destroy(const WeftAllocator* allocator, WfSmallCloth* cloth) {
    wf_arena_destroy(&cloth->arena, allocator);
    *cloth = (WfSmallCloth){0};
}

// ---------------------------------------------------------------------------------------------
// A step

static void set_point(WfPoint4* p, const double* x, const double* origin) {
    p->x = (float)(x[0] - origin[0]);
    p->y = (float)(x[1] - origin[1]);
    p->z = (float)(x[2] - origin[2]);
}

void wf_small_begin(WfSmallCloth* cloth, const double* x, const double* v, const double* forces,
                    const unsigned char* pinned) {
    static const double nowhere[3] = {0, 0, 0};
    int n = cloth->form->vertex_count;
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) sum[k] += x[3 * (size_t)i + k];
    for (int k = 0; k < 3; k++) cloth->origin[k] = (double)(float)(sum[k] / n);
    for (int i = 0; i < n; i++) {
        const double *f = forces + 3 * (size_t)i, *u = v + 3 * (size_t)i;
        double w = pinned[i] ? 0 : (double)cloth->form->inverse_masses[i];
        const double a[3] = {w * f[0], w * f[1], w * f[2]};
        set_point(&cloth->x[i], x + 3 * (size_t)i, cloth->origin);
        set_point(&cloth->v[i], pinned[i] ? nowhere : u, nowhere);
        set_point(&cloth->a[i], a, nowhere);
        cloth->x[i].w = (float)w;
    }
}

void wf_small_put(WfSmallCloth* cloth, int vertex, const double* x) {
    set_point(&cloth->x[vertex], x, cloth->origin);
}

// w of velocities and accelerations is 0, so that of positions stays.
void wf_small_predict(WfSmallCloth* cloth, float h) {
    WfQuad length = wf_quad_set(h), square = wf_quad_set(h * h);
    for (int i = 0; i < cloth->form->vertex_count; i++) {
        WfQuad x = wf_quad_load(&cloth->x[i].x), v = wf_quad_load(&cloth->v[i].x);
        WfQuad a = wf_quad_load(&cloth->a[i].x);
        WfQuad moved = wf_quad_add(wf_quad_mul(length, v), wf_quad_mul(square, a));
        wf_quad_store(&cloth->before[i].x, x);
        bool free = cloth->x[i].w > 0;
        if (free) wf_quad_store(&cloth->x[i].x, wf_quad_add(x, moved));
    }
}

void wf_small_sweep(WfSmallCloth* cloth, float h, int sweeps, bool backwards) {
    WfLocalJob job = {cloth->x, cloth->before, h, sweeps};
    for (int k = 0; k < cloth->form->local_count; k++)
        wf_local_run(&cloth->form->locals[k], &job, backwards);
}

void wf_small_update(WfSmallCloth* cloth, float h) {
    WfQuad rate = wf_quad_set(1 / h);
    for (int i = 0; i < cloth->form->vertex_count; i++) {
        WfQuad moved = wf_quad_sub(wf_quad_load(&cloth->x[i].x), wf_quad_load(&cloth->before[i].x));
        wf_quad_store(&cloth->v[i].x, wf_quad_mul(rate, moved));
    }
}

void wf_small_end(const WfSmallCloth* cloth, double* x, double* v) {
    for (int i = 0; i < cloth->form->vertex_count; i++) {
        const WfPoint4 *p = &cloth->x[i], *u = &cloth->v[i];
        double *to = x + 3 * (size_t)i, *speed = v + 3 * (size_t)i;
        to[0] = cloth->origin[0] + (double)p->x, speed[0] = (double)u->x;
        to[1] = cloth->origin[1] + (double)p->y, speed[1] = (double)u->y;
        to[2] = cloth->origin[2] + (double)p->z, speed[2] = (double)u->z;
    }
}
