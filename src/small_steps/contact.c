// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "small_steps/contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/links.h"
#include "small_steps/kernel.h"

// ---------------------------------------------------------------------------------------------
// Memory

enum { NEAR_ROWS = 13, PLANE_ROWS = 10, LEAST_CAPACITY = 1024 };

// Rows of four bytes in one block, with eight numbers behind the last that counts.
static void* row_of(void* block, int capacity, int row) {
    return (float*)block + (size_t)row * ((size_t)capacity + WF_OCT);
}

static void lay_out_near(WfNearList* l) {
    for (int k = 0; k < 4; k++) l->points[k] = row_of(l->block, l->capacity, k);
    l->body = row_of(l->block, l->capacity, 4);
    l->leaf[0] = row_of(l->block, l->capacity, 5);
    l->leaf[1] = row_of(l->block, l->capacity, 11);
    l->radius = row_of(l->block, l->capacity, 12);
    l->nx = row_of(l->block, l->capacity, 6);
    l->ny = row_of(l->block, l->capacity, 7);
    l->nz = row_of(l->block, l->capacity, 8);
    l->thickness = row_of(l->block, l->capacity, 9);
    l->room = row_of(l->block, l->capacity, 10);
}

void wf_near_grow(const WeftAllocator* allocator, WfNearList* list) {
    int capacity = 2 * list->capacity + LEAST_CAPACITY;
    void* block = wf_alloc(allocator, NEAR_ROWS * ((size_t)capacity + WF_OCT), sizeof(float));
    list->failed = list->failed || !block;
    if (!block) return;
    for (int row = 0; row < NEAR_ROWS && list->block; row++)
        memcpy(row_of(block, capacity, row), row_of(list->block, list->capacity, row),
               (size_t)list->count * sizeof(float));
    wf_free(allocator, list->block);
    list->block = block;
    list->capacity = capacity;
    lay_out_near(list);
}

static void lay_out_planes(WfNearPlanes* p) {
    p->vertex = row_of(p->block, p->capacity, 0);
    p->nx = row_of(p->block, p->capacity, 1);
    p->ny = row_of(p->block, p->capacity, 2);
    p->nz = row_of(p->block, p->capacity, 3);
    p->offset = row_of(p->block, p->capacity, 4);
    p->wx = row_of(p->block, p->capacity, 5);
    p->wy = row_of(p->block, p->capacity, 6);
    p->wz = row_of(p->block, p->capacity, 7);
    p->friction = row_of(p->block, p->capacity, 8);
    p->target = row_of(p->block, p->capacity, 9);
}

// For all vertices in front of every body, in rows of eight.
static WeftResult ready_planes(WfSmallContact* c) {
    WfNearPlanes* p = &c->planes;
    p->capacity = c->def.body_count * (c->def.vertex_count + WF_OCT);
    p->block = wf_alloc(&c->allocator, PLANE_ROWS * ((size_t)p->capacity + WF_OCT), sizeof(float));
    if (p->block) lay_out_planes(p);
    return p->block ? WEFT_OK : WEFT_ERROR_MEMORY;
}

int wf_small_points(const WfBody* body) {
    return !body->exact ? body->vertex_count : wf_is_round(body) ? 2 : 0;
}

int wf_small_point_count(int vertex_count, const WfBody* bodies, int body_count) {
    int count = vertex_count + WF_FIRST_BODY_POINT;
    for (int b = 0; b < body_count; b++) count += wf_small_points(&bodies[b]);
    return count;
}

static int leaf_room(const WfLeafTree* t) { return WF_OCT * t->node_count; }

static void lay_out_leaves(WfArena* arena, WfSmallContact* c) {
    size_t own, all;
    c->leaf_count = leaf_room(c->def.tree);
    own = all = (size_t)c->leaf_count;
    for (int b = 0; b < c->def.body_count; b++) all += (size_t)leaf_room(&c->def.body_trees[b]);
    c->motion = wf_arena_push(arena, all, sizeof *c->motion);
    c->begun = wf_arena_push(arena, all, sizeof(float));
    c->stray = wf_arena_push(arena, all, sizeof(float));
    c->anew = wf_arena_push(arena, own, 1);
    c->listed = wf_arena_push(arena, own, 1);
    c->strayed = wf_arena_push(arena, own, sizeof(float));
    c->spread = wf_arena_push(arena, own, sizeof(float));
}

// The part of leaves from `first` on that boxes have; returns where it ends.
static int add_boxes(const WfSmallContact* c, const WfLeafTree* t, int first, WfLeafBoxes* boxes) {
    boxes->first = first;
    if (c->motion) {
        boxes->motion = c->motion + first;
        boxes->begun = c->begun + first;
        boxes->stray = c->stray + first;
    }
    return first + leaf_room(t);
}

static void layout(WfArena* arena, WfSmallContact* c) {
    size_t n = (size_t)c->def.vertex_count, points = (size_t)c->point_count;
    size_t bodies = (size_t)c->def.body_count;
    c->thickness = wf_arena_push(arena, n, sizeof(float));
    c->layer = wf_arena_push(arena, n, sizeof(float));
    c->friction = wf_arena_push(arena, n, sizeof(float));
    c->next = wf_arena_push(arena, points, sizeof *c->next);
    c->last = wf_arena_push(arena, points, sizeof *c->last);
    c->normals = wf_arena_push(arena, points, sizeof *c->normals);
    c->start = wf_arena_push(arena, n, sizeof *c->start);
    c->groups = wf_arena_push(arena, n, sizeof(int));
    c->grouped = wf_arena_push(arena, n, 1);
    c->ways = wf_arena_push(arena, n, sizeof *c->ways);
    c->undivided = wf_arena_push(arena, n, sizeof *c->undivided);
    c->distance = wf_arena_push(arena, n, sizeof(float));
    c->moving = wf_arena_push(arena, points, sizeof(int));
    c->marked = wf_arena_push(arena, points, 1);
    lay_out_leaves(arena, c);
    wf_leaf_boxes_layout(c->def.tree, true, arena, &c->boxes);
    add_boxes(c, c->def.tree, 0, &c->boxes);
    int first = c->leaf_count;
    WfSmallBody* all = wf_arena_push(arena, bodies, sizeof *all);
    if (all) c->bodies = all;
    for (int b = 0; b < c->def.body_count; b++) {
        WfSmallBody body = {.body = &c->def.bodies[b]};
        body.point_count = wf_small_points(body.body);
        if (body.point_count > 0) {
            body.tree = &c->def.body_trees[b];
            wf_leaf_boxes_layout(body.tree, false, arena, &body.boxes);
            first = add_boxes(c, body.tree, first, &body.boxes);
        }
        if (!body.body->exact) body.nearest = wf_arena_push(arena, n, sizeof(int));
        if (wf_is_round(body.body))
            body.radius = (float)fmax(body.body->radii[0], body.body->radii[1]);
        if (all) all[b] = body;
    }
}

static const double SLACK = 0.2;  // of a mean edge

static void measure(WfSmallContact* c) {
    const WfSmallContactDef* def = &c->def;
    int first = def->vertex_count + WF_FIRST_BODY_POINT;
    for (int i = 0; i < def->vertex_count; i++) {
        c->thickness[i] = (float)def->thickness[i];
        c->layer[i] = (float)def->layer[i];
        c->friction[i] = (float)sqrt(def->friction[i]);
        c->most_thickness = wf_larger(c->most_thickness, c->thickness[i]);
        c->most_layer = wf_larger(c->most_layer, c->layer[i]);
    }
    c->edge = (float)def->edge;
    c->slack = (float)(SLACK * def->edge);
    for (int b = 0; b < def->body_count; b++) {
        WfSmallBody* body = &c->bodies[b];
        body->first = first;
        first += body->point_count;
        c->any_round = c->any_round || body->radius > 0;
    }
}

WeftResult wf_small_contact_create(const WeftAllocator* allocator, const WfSmallContactDef* def,
                                   WfSmallContact* c) {
    WfArena size = {0};
    *c = (WfSmallContact){.allocator = *allocator, .def = *def};
    c->point_count = wf_small_point_count(def->vertex_count, def->bodies, def->body_count);
    layout(&size, c);
    if (!wf_arena_create(&c->arena, allocator, size.used)) return WEFT_ERROR_MEMORY;
    memset(c->arena.base, 0, size.used);
    layout(&c->arena, c);
    measure(c);
    return ready_planes(c);
}

void wf_small_contact_destroy(WfSmallContact* c) {
    if (!c->def.tree) return;
    for (int k = 0; k < WF_SMALL_KINDS; k++) wf_free(&c->allocator, c->lists[k].block);
    wf_free(&c->allocator, c->active);
    wf_free(&c->allocator, c->planes.block);
    wf_arena_destroy(&c->arena, &c->allocator);
    *c = (WfSmallContact){0};
}

// ---------------------------------------------------------------------------------------------
// Bodies on their way

static const WfSmallKernel* kernel(void) { return wf_small_wide(); }

static void set_motion(WfSmallContact* c, const WfSmallBody* body, const WfPoint4* to, float rate) {
    for (int i = body->first; i < body->first + body->point_count; i++) {
        const WfPoint4 *a = &c->x[i], *b = &to[i];
        c->v[i] = (WfPoint4){rate * (b->x - a->x), rate * (b->y - a->y), rate * (b->z - a->z), 0};
    }
}

// Where its points are at the end of a round.
static void place_next(WfSmallContact* c, int b, double from, double to, WfSmallPlace* place,
                       void* context) {
    WfSmallBody* body = &c->bodies[b];
    body->from = body->to;
    if (!body->tree) {
        if (body->moves) place(context, b, to, &body->to, NULL);
        return;
    }
    if (!body->moves) return;
    if (!body->is_straight) {
        place(context, b, to, &body->to, c->next + body->first);
        return;
    }
    float part = (float)((to - from) / (1 - from));
    for (int i = body->first; i < body->first + body->point_count; i++) {
        const WfPoint4 *x = &c->x[i], *end = &c->last[i];
        c->next[i] = (WfPoint4){x->x + part * (end->x - x->x), x->y + part * (end->y - x->y),
                                x->z + part * (end->z - x->z), 0};
    }
}

// m: how far its points bow out of straight lines from x to last, in the middle of the step.
static float bow_of(WfSmallContact* c, int b, WfSmallPlace* place, void* context) {
    const WfSmallBody* body = &c->bodies[b];
    WfPose middle;
    float most = 0;
    if (body->is_straight) return 0;
    place(context, b, 0.5, &middle, c->next + body->first);
    for (int i = body->first; i < body->first + body->point_count; i++) {
        const WfPoint4 *x = &c->x[i], *m = &c->next[i], *end = &c->last[i];
        float dx = m->x - (x->x + end->x) / 2, dy = m->y - (x->y + end->y) / 2;
        float dz = m->z - (x->z + end->z) / 2;
        most = wf_larger(most, dx * dx + dy * dy + dz * dz);
    }
    return sqrtf(most);
}

// Its points, and how they go in the step.
static void begin_body(WfSmallContact* c, int b, WfSmallPlace* place, void* context) {
    WfSmallBody* body = &c->bodies[b];
    place(context, b, 0, &body->to, body->tree ? c->x + body->first : NULL);
    if (!body->tree) return;
    // nothing of the last step: a state that was saved goes on with the same bits
    for (int i = 0; i < c->def.vertex_count && body->nearest; i++) body->nearest[i] = -1;
    size_t bytes = (size_t)body->point_count * sizeof *c->x;
    memset(c->v + body->first, 0, bytes);
    body->bow = 0;
    if (body->moves) {
        WfPose end;
        place(context, b, 1, &end, c->last + body->first);
        body->bow = bow_of(c, b, place, context);
        set_motion(c, body, c->last, 1 / c->dt);
    }
    memcpy(c->next + body->first, c->x + body->first, bytes);
}

void wf_small_contact_begin(WfSmallContact* c, double dt, WfSmallPlace* place, void* context) {
    c->dt = (float)dt;
    c->time = c->until = 0;
    c->searches = c->pairs = c->touching = c->divided = c->left = 0;
    c->deepest = 0;
    c->failed = false;
    for (int b = 0; b < c->def.body_count; b++)
        if (!c->bodies[b].off) begin_body(c, b, place, context);
    wf_near_begin(c);
}

// ---------------------------------------------------------------------------------------------
// Rounds

void wf_near_ready_active(WfSmallContact* c) {
    int count = c->lists[0].count + c->lists[1].count;
    for (int k = 0; k < c->moving_count; k++) c->marked[c->moving[k]] = 0;
    c->active_count = c->moving_count = 0;
    if (count <= c->active_capacity) return;
    c->active = wf_renew(&c->allocator, c->active, &c->active_capacity, count, sizeof *c->active);
    if (c->active_capacity >= count) return;
    c->failed = true;
    c->lists[0].count = c->lists[1].count = 0;
}

static WfPoint4 combine(const WfPoint4* points, const WfNearActive* a) {
    WfPoint4 sum = {0, 0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const WfPoint4* p = &points[a->points[k]];
        sum.x += a->weights[k] * p->x, sum.y += a->weights[k] * p->y;
        sum.z += a->weights[k] * p->z;
    }
    return sum;
}

// How much nearer the two are than they are to be, m; above 0 where they are not.
static float gap_of(const WfSmallContact* c, const WfNearActive* a) {
    WfPoint4 r = combine(c->x, a);
    return r.x * a->normal[0] + r.y * a->normal[1] + r.z * a->normal[2] - a->target;
}

static void move_pair(WfSmallContact* c, const WfNearActive* a, const float g[3]) {
    for (int k = 0; k < 4; k++) {
        WfPoint4* p = &c->x[a->points[k]];
        float by = a->weights[k] * p->w;
        p->x += by * g[0], p->y += by * g[1], p->z += by * g[2];
    }
}

// What is too near is moved apart before the round, so that this gives it no velocity.
static void recover(WfSmallContact* c) {
    for (int k = 0; k < c->active_count; k++) {
        const WfNearActive* a = &c->active[k];
        float by = -a->share * wf_lesser(gap_of(c, a), 0);
        move_pair(c, a, (const float[3]){by * a->normal[0], by * a->normal[1], by * a->normal[2]});
    }
    const WfNearPlanes* l = &c->planes;
    for (int k = 0; k < l->count; k++) {
        WfPoint4* p = &c->x[l->vertex[k]];
        float gap = l->nx[k] * p->x + l->ny[k] * p->y + l->nz[k] * p->z - l->offset[k];
        float by = p->w > 0 ? -wf_lesser(gap, 0) : 0;
        p->x += by * l->nx[k], p->y += by * l->ny[k], p->z += by * l->nz[k];
    }
}

int wf_small_round_begin(WfSmallContact* c, int done, int substeps, int most, WfSmallPlace* place,
                         void* context) {
    float h = c->dt / (float)substeps;
    c->time = h * (float)done;
    int count = wf_near_search(c, h, substeps - done, most);
    double from = (double)done / substeps, to = (double)(done + count) / substeps;
    float length = h * (float)count;
    for (int b = 0; b < c->def.body_count; b++) {
        const WfSmallBody* body = &c->bodies[b];
        if (body->off) continue;
        place_next(c, b, from, to, place, context);
        if (body->tree && body->moves) set_motion(c, body, c->next, 1 / length);
    }
    memcpy(c->start, c->x, (size_t)c->def.vertex_count * sizeof *c->start);
    wf_near_ready_active(c);
    kernel()->refresh(c, length);
    wf_near_find_planes(c, length, h);
    recover(c);
    c->touching = c->active_count + c->planes.count;
    c->failed = c->failed || c->lists[0].failed || c->lists[1].failed;
    return count;
}

void wf_small_contact_move(WfSmallContact* c, float h) {
    for (int k = 0; k < c->moving_count; k++) {
        int i = c->moving[k];
        WfPoint4 *x = &c->x[i], v = c->v[i];
        c->before[i] = *x;
        x->x += h * v.x, x->y += h * v.y, x->z += h * v.z;
    }
}

// The pair is put where it is `target` apart; friction takes back of its slip, by Coulomb.
static void solve_active(WfSmallContact* c, const WfNearActive* a) {
    const float* n = a->normal;
    WfPoint4 r = combine(c->x, a);
    float d = r.x * n[0] + r.y * n[1] + r.z * n[2] - a->target;
    if (d >= 0) return;
    WfPoint4 q = combine(c->before, a);
    float slip[3] = {r.x - q.x, r.y - q.y, r.z - q.z};
    float along = slip[0] * n[0] + slip[1] * n[1] + slip[2] * n[2];
    for (int k = 0; k < 3; k++) slip[k] -= along * n[k];
    float size = sqrtf(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2] + 1e-20f);
    float stick = -d * a->friction / size;
    if (stick > 1) stick = 1;
    float g[3];
    for (int k = 0; k < 3; k++) g[k] = a->share * (-d * n[k] - stick * slip[k]);
    move_pair(c, a, g);
}

void wf_small_contact_solve(WfSmallContact* c, int index) {
    for (int k = 0; k < c->active_count; k++) solve_active(c, &c->active[k]);
    wf_small_contact_planes(c, index);
}

void wf_small_contact_planes(WfSmallContact* c, int index) { kernel()->solve_planes(c, index, 1); }

// ---------------------------------------------------------------------------------------------
// Friction

// The coefficient that a vertex has of its own with the cloth or body of this number in its row of
// pairs; below 0: none.
static double own_friction(const WfSmallContact* c, int vertex, int place) {
    const WfSmallContactDef* def = &c->def;
    long row = (long)def->cloth_of[vertex] * (def->cloth_count + def->body_count);
    return def->frictions ? def->frictions[row + place] : -1;
}

float wf_friction_on_body(const WfSmallContact* c, int vertex, int body) {
    double own = own_friction(c, vertex, c->def.cloth_count + body);
    return own >= 0 ? (float)own : c->friction[vertex] * sqrtf((float)c->def.bodies[body].friction);
}

float wf_near_friction(const WfSmallContact* c, WfSmallKind kind, const WfNearList* list,
                       int pair) {
    int second = kind == WF_SMALL_EDGES ? 2 : 1, bits = list->body[pair];
    int i = list->points[bits & WF_OF_BODY_FIRST ? second : 0][pair];
    int other = list->points[second][pair];
    if (bits) return wf_friction_on_body(c, i, bits >> WF_OF_BODY_BITS);
    double own = own_friction(c, i, c->def.cloth_of[other]);
    return own >= 0 ? (float)own : c->friction[i] * c->friction[other];
}
