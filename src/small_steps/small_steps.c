// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "small_steps/small_steps.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "base/vec.h"

// ---------------------------------------------------------------------------------------------
// The form of a model

// Stretch goes first, so that what bends is brought to rest last.
static bool comes_first(const WfTerm* term) { return term->type->role == WF_ROLE_STRETCH; }

static void add_vertex_terms(int term_count, WfTerm* const* terms, WfSmallForm* form) {
    for (int t = 0; t < term_count; t++) {
        WfLocalForm local = terms[t]->type->local;
        form->follows = form->follows || local == WF_LOCAL_FOLLOW || local == WF_LOCAL_PUSH;
        form->holds = form->holds || local == WF_LOCAL_FOLLOW || local == WF_LOCAL_HOLD;
        form->brakes = form->brakes || terms[t]->type->brake;
    }
}

static WeftResult add_locals(const WeftAllocator* allocator, int term_count, WfTerm* const* terms,
                             const double* gives, bool first, WfSmallForm* form) {
    for (int t = 0; t < term_count; t++) {
        if (comes_first(terms[t]) != first) continue;
        WfLocal* local = &form->locals[form->local_count];
        WeftResult result = wf_local_create(allocator, terms[t], form->vertex_count, gives, local);
        if (result) return result;
        if (!local->sweep) continue;
        local->index = t;
        local->begun_at = form->begun_count;
        form->begun_count += wf_local_begun_count(local);
        size_t points = wf_local_across_points(local);
        if (points > form->across_points) form->across_points = points;
        form->local_count++;
    }
    return WEFT_OK;
}

WeftResult wf_small_form_create(const WeftAllocator* allocator, int vertex_count,
                                const double* masses, int term_count, WfTerm* const* terms,
                                const double* gives, WfSmallForm* form) {
    *form = (WfSmallForm){.vertex_count = vertex_count};
    add_vertex_terms(term_count, terms, form);
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

// Of its triangles, or of the axis of a round body, which is a rope of one edge; else none.
static WeftResult add_body_tree(const WeftAllocator* allocator, const WfBody* body, int first,
                                WfLeafTree* tree) {
    const double axis[6] = {0, body->ends[0], 0, 0, body->ends[1], 0};
    const int segment[2] = {0, 1};
    WfSurface surface;
    if (!body->exact)
        return wf_leaf_tree_create(allocator, &body->surface, first, body->positions, NULL, tree);
    if (!wf_is_round(body)) return WEFT_OK;
    WeftResult result = wf_surface_create(allocator, 2, 0, NULL, 1, segment, &surface);
    if (!result) result = wf_leaf_tree_create(allocator, &surface, first, axis, NULL, tree);
    wf_surface_destroy(allocator, &surface);
    return result;
}

static WeftResult add_body_trees(const WeftAllocator* allocator, const WfSmallTouchDef* def,
                                 WfSmallForm* form) {
    int first = form->vertex_count + WF_FIRST_BODY_POINT;
    form->body_trees = wf_alloc(allocator, (size_t)def->body_count, sizeof *form->body_trees);
    if (!form->body_trees) return WEFT_ERROR_MEMORY;
    form->body_count = def->body_count;
    for (int b = 0; b < def->body_count; b++) {
        const WfBody* body = &def->bodies[b];
        WeftResult result = add_body_tree(allocator, body, first, &form->body_trees[b]);
        if (result) return result;
        first += wf_small_points(body);
    }
    return WEFT_OK;
}

WeftResult wf_small_form_touch(const WeftAllocator* allocator, const WfSmallTouchDef* def,
                               WfSmallForm* form) {
    form->cloth_of = wf_alloc(allocator, (size_t)form->vertex_count, sizeof(int));
    form->span = wf_alloc(allocator, (size_t)form->vertex_count, sizeof(float));
    if (!form->cloth_of || !form->span) return WEFT_ERROR_MEMORY;
    form->touches = true;
    for (int c = 0; c < def->cloth_count; c++)
        for (int i = def->first_vertex[c]; i < def->first_vertex[c + 1]; i++) form->cloth_of[i] = c;
    for (int e = 0; e < def->edge_count; e++)
        for (int k = 0; k < 2; k++) {
            float* span = &form->span[def->edges[2 * (long)e + k]];
            *span = wf_larger(*span, (float)(def->edge_lengths[e] / 2));
        }
    WeftResult result = wf_leaf_tree_create(allocator, def->surface, 0, def->positions,
                                            form->cloth_of, &form->tree);
    return result ? result : add_body_trees(allocator, def, form);
}

void wf_small_form_destroy(const WeftAllocator* allocator, WfSmallForm* form) {
    for (int k = 0; k < form->local_count; k++) wf_local_destroy(allocator, &form->locals[k]);
    wf_free(allocator, form->locals);
    wf_free(allocator, form->inverse_masses);
    wf_levels_destroy(allocator, &form->levels);
    wf_leaf_tree_destroy(allocator, &form->tree);
    for (int b = 0; b < form->body_count; b++)
        wf_leaf_tree_destroy(allocator, &form->body_trees[b]);
    wf_free(allocator, form->body_trees);
    wf_free(allocator, form->cloth_of);
    wf_free(allocator, form->span);
    *form = (WfSmallForm){0};
}

size_t wf_small_form_bytes(const WfSmallForm* form) {
    size_t bytes = (size_t)form->vertex_count * sizeof(float) + wf_levels_bytes(&form->levels);
    for (int k = 0; k < form->local_count; k++)
        bytes += sizeof(WfLocal) + wf_local_bytes(&form->locals[k]);
    if (!form->touches) return bytes;
    bytes += (size_t)form->vertex_count * (sizeof(int) + sizeof(float));
    bytes += wf_leaf_tree_bytes(&form->tree);
    for (int b = 0; b < form->body_count; b++) bytes += wf_leaf_tree_bytes(&form->body_trees[b]);
    return bytes;
}

// ---------------------------------------------------------------------------------------------
// What moves

static void layout(WfArena* arena, size_t count, WfSmallCloth* cloth) {
    cloth->x = wf_arena_push(arena, count, sizeof *cloth->x);
    cloth->before = wf_arena_push(arena, count, sizeof *cloth->before);
    cloth->v = wf_arena_push(arena, count, sizeof *cloth->v);
    cloth->a = wf_arena_push(arena, count, sizeof *cloth->a);
    const WfSmallForm* form = cloth->form;
    size_t vertices = (size_t)form->vertex_count;
    cloth->begun = wf_arena_push(arena, (size_t)form->begun_count, sizeof *cloth->begun);
    cloth->across = wf_arena_push(arena, form->across_points, sizeof *cloth->across);
    cloth->forces = wf_arena_push(arena, 3 * vertices, sizeof(double));
    if (form->follows) cloth->total = wf_arena_push(arena, 3 * vertices, sizeof(double));
    if (form->follows || form->brakes)
        cloth->now = wf_arena_push(arena, 6 * vertices, sizeof(double));
    if (form->holds) cloth->holds = wf_arena_push(arena, vertices, sizeof *cloth->holds);
    if (form->brakes) cloth->brake = wf_arena_push(arena, 6 * vertices, sizeof(double));
    if (form->holds || form->brakes)
        cloth->response = wf_arena_push(arena, 3 * vertices, sizeof *cloth->response);
    wf_levels_layout(&form->levels, form->body_count, arena, &cloth->levels);
}

WeftResult wf_small_cloth_create(const WeftAllocator* allocator, const WfSmallForm* form,
                                 int point_count, WfSmallCloth* cloth) {
    WfArena measure = {0};
    size_t count = (size_t)point_count;
    *cloth = (WfSmallCloth){.form = form};
    layout(&measure, count, cloth);
    if (!wf_arena_create(&cloth->arena, allocator, measure.used)) return WEFT_ERROR_MEMORY;
    memset(cloth->arena.base, 0, measure.used);
    layout(&cloth->arena, count, cloth);
    return WEFT_OK;
}

void wf_small_cloth_destroy(const WeftAllocator* allocator, WfSmallCloth* cloth) {
    wf_small_contact_destroy(&cloth->contact);
    wf_arena_destroy(&cloth->arena, allocator);
    *cloth = (WfSmallCloth){0};
}

size_t wf_small_cloth_bytes(const WfSmallCloth* cloth) {
    return cloth->arena.size + cloth->contact.arena.size;
}

// ---------------------------------------------------------------------------------------------
// A step

// 1/m: origins are multiples of this, so that cloth that hardly moves keeps its own, and its bits
// (a cast to float and back is left out by some compilers).
static const double GRID = 64;

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
    for (int k = 0; k < 3; k++) cloth->origin[k] = floor(GRID * (sum[k] / n) + 0.5) / GRID;
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

// The columns of the inverse of I s + R
static void fill_response(double s, const double R[6], WfPoint4 columns[3]) {
    const double xx = R[0] + s, yy = R[3] + s, zz = R[5] + s;
    WfVec a = {xx, R[1], R[2]}, b = {R[1], yy, R[4]}, c = {R[2], R[4], zz};
    WfVec bc = wf_cross(b, c), ca = wf_cross(c, a), ab = wf_cross(a, b);
    double by = 1 / wf_dot(a, bc);
    columns[0] = (WfPoint4){(float)(by * bc.x), (float)(by * bc.y), (float)(by * bc.z), 0};
    columns[1] = (WfPoint4){(float)(by * ca.x), (float)(by * ca.y), (float)(by * ca.z), 0};
    columns[2] = (WfPoint4){(float)(by * ab.x), (float)(by * ab.y), (float)(by * ab.z), 0};
}

void wf_small_hold(WfSmallCloth* cloth, float h) {
    static const WfRestraint none = {0};
    const WfSmallForm* form = cloth->form;
    double length = (double)h;
    for (int i = 0; i < form->vertex_count && cloth->response; i++) {
        const WfRestraint* hold = cloth->holds ? &cloth->holds[i] : &none;
        double w = cloth->x[i].w > 0 ? (double)form->inverse_masses[i] : 0, R[6] = {0};
        double inertia = 1 + w * length * (hold->damping + length * hold->stiffness);
        for (int k = 0; k < 6 && cloth->brake; k++)
            R[k] = length * w * cloth->brake[6 * (size_t)i + k];
        fill_response(inertia, R, cloth->response + 3 * (size_t)i);
        cloth->response[3 * (size_t)i].w = (float)(w * hold->stiffness);
        cloth->x[i].w = (float)(w / inertia);
    }
}

void wf_small_push(WfSmallCloth* cloth, const double* forces) {
    for (int i = 0; i < cloth->form->vertex_count; i++) {
        double w = cloth->x[i].w > 0 ? (double)cloth->form->inverse_masses[i] : 0;
        double k = cloth->holds ? cloth->holds[i].stiffness : 0, a[3];
        for (int d = 0; d < 3; d++)  // held to places relative to the origin
            a[d] = w * (forces[3 * (size_t)i + d] - k * cloth->origin[d]);
        set_point(&cloth->a[i], a, (const double[3]){0, 0, 0});
    }
}

void wf_small_begin_terms(WfSmallCloth* cloth, const WfTermSpace* spaces, const double* x) {
    for (int k = 0; k < cloth->form->local_count; k++) {
        const WfLocal* local = &cloth->form->locals[k];
        wf_local_begin(local, &spaces[local->index], x, cloth->begun);
    }
}

void wf_small_put(WfSmallCloth* cloth, int vertex, const double* x) {
    set_point(&cloth->x[vertex], x, cloth->origin);
}

// v~ = B (v + h (a - K x)); its w has no meaning.
static WfQuad respond(const WfPoint4 B[3], WfQuad x, WfQuad v, WfQuad a, float h) {
    WfQuad pull = wf_quad_sub(a, wf_quad_mul(wf_quad_set(B->w), x));
    WfQuad u = wf_quad_add(v, wf_quad_mul(wf_quad_set(h), pull));
    WfQuad first = wf_quad_mul_lane(wf_quad_load(&B[0].x), u, 0);
    WfQuad second = wf_quad_mul_lane(wf_quad_load(&B[1].x), u, 1);
    WfQuad third = wf_quad_mul_lane(wf_quad_load(&B[2].x), u, 2);
    return wf_quad_add(wf_quad_add(first, second), third);
}

static void predict_held(WfSmallCloth* cloth, float h) {
    const WfPoint4 *B = cloth->response, *a = cloth->a;
    WfPoint4 *x = cloth->x, *before = cloth->before, *v = cloth->v;
    int n = cloth->form->vertex_count;
    for (int i = 0; i < n; i++, B += 3) {
        WfQuad from = wf_quad_load(&x[i].x);
        float w = x[i].w;
        wf_quad_store(&before[i].x, from);
        if (!(w > 0)) continue;
        WfQuad speed = respond(B, from, wf_quad_load(&v[i].x), wf_quad_load(&a[i].x), h);
        wf_quad_store(&v[i].x, speed);
        wf_quad_store(&x[i].x, wf_quad_add(from, wf_quad_mul(wf_quad_set(h), speed)));
        x[i].w = w;
    }
}

// w of velocities and accelerations is 0, so that of positions stays.
void wf_small_predict(WfSmallCloth* cloth, float h) {
    if (cloth->response) {
        predict_held(cloth, h);
        return;
    }
    WfQuad length = wf_quad_set(h);
    for (int i = 0; i < cloth->form->vertex_count; i++) {
        WfQuad x = wf_quad_load(&cloth->x[i].x), v = wf_quad_load(&cloth->v[i].x);
        v = wf_quad_add(v, wf_quad_mul(length, wf_quad_load(&cloth->a[i].x)));
        wf_quad_store(&cloth->before[i].x, x);
        if (!(cloth->x[i].w > 0)) continue;
        wf_quad_store(&cloth->v[i].x, v);
        wf_quad_store(&cloth->x[i].x, wf_quad_add(x, wf_quad_mul(length, v)));
    }
}

void wf_small_sweep(WfSmallCloth* cloth, float h, int sweeps) {
    const WfLocalJob job = {cloth->x, cloth->before, h, sweeps, cloth->begun};
    for (int k = 0; k < cloth->form->local_count; k++) {
        const WfLocal* local = &cloth->form->locals[k];
        if (local->across.count > 0)
            wf_local_run_across(local, &job, cloth->origin, cloth->across);
        else
            wf_local_run(local, &job, false);
    }
}

void wf_small_begin_levels(WfSmallCloth* cloth) {
    const WfSmallForm* form = cloth->form;
    wf_levels_begin(&form->levels, cloth->x, form->vertex_count, &cloth->contact.planes,
                    &cloth->levels);
}

void wf_small_move_levels(WfSmallCloth* cloth, float h, int index) {
    const WfLocalJob job = {cloth->x, cloth->before, h, 1, NULL};
    wf_levels_move(&cloth->form->levels, &job, &cloth->contact.planes, index, &cloth->levels);
}

void wf_small_limit(WfSmallCloth* cloth, float h) {
    const WfLocalJob job = {cloth->x, cloth->before, h, 1, NULL};
    wf_levels_limit(&cloth->form->levels, &job);
}

static void calm(WfPoint4* v, float rest, float loss) {
    float square = v->x * v->x + v->y * v->y + v->z * v->z;
    if (square >= rest * rest) return;
    float by = square > loss * loss ? 1 - loss / sqrtf(square) : 0;
    v->x *= by, v->y *= by, v->z *= by;
}

// By what the substep moved behind the prediction, which is told again as it was: in places h^2 g
// is lost to rounding (cloth that falls by 90 substeps a step was 3.5 % too slow).
void wf_small_update(WfSmallCloth* cloth, float h, float rest, float loss) {
    WfQuad rate = wf_quad_set(1 / h), length = wf_quad_set(h), zero = wf_quad_set(0);
    for (int i = 0; i < cloth->form->vertex_count; i++) {
        WfPoint4* to = &cloth->v[i];
        WfQuad from = wf_quad_load(&cloth->before[i].x);
        WfQuad v = cloth->x[i].w > 0 ? wf_quad_load(&to->x) : zero;  // what is pinned was put
        from = wf_quad_add(from, wf_quad_mul(length, v));
        WfQuad moved = wf_quad_sub(wf_quad_load(&cloth->x[i].x), from);
        wf_quad_store(&to->x, wf_quad_add(v, wf_quad_mul(rate, moved)));
        to->w = 0;
        if (rest > 0) calm(to, rest, loss);
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
