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

enum { NEAR_ROWS = 11, PLANE_ROWS = 10, LEAST_CAPACITY = 1024 };

// Rows of four bytes in one block, with eight numbers behind the last that counts.
static void* row_of(void* block, int capacity, int row) {
    return (float*)block + (size_t)row * ((size_t)capacity + WF_OCT);
}

static void lay_out_near(WfNearList* l) {
    for (int k = 0; k < 4; k++) l->points[k] = row_of(l->block, l->capacity, k);
    l->body = row_of(l->block, l->capacity, 4);
    l->closing = row_of(l->block, l->capacity, 5);
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

int wf_small_point_count(int vertex_count, const WfBody* bodies, int body_count) {
    int count = vertex_count + WF_FIRST_BODY_POINT;
    for (int b = 0; b < body_count; b++) count += bodies[b].exact ? 0 : bodies[b].vertex_count;
    return count;
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
    c->seen = wf_arena_push(arena, n, sizeof *c->seen);
    c->distance = wf_arena_push(arena, n, sizeof(float));
    c->reach = wf_arena_push(arena, WF_OCT * (size_t)c->def.tree->node_count, sizeof(float));
    c->moving = wf_arena_push(arena, points, sizeof(int));
    c->marked = wf_arena_push(arena, points, 1);
    wf_leaf_boxes_layout(c->def.tree, arena, &c->boxes);
    WfSmallBody* all = wf_arena_push(arena, bodies, sizeof *all);
    if (all) c->bodies = all;
    for (int b = 0; b < c->def.body_count; b++) {
        WfSmallBody body = {.body = &c->def.bodies[b]};
        if (!body.body->exact) {
            body.tree = &c->def.body_trees[b];
            wf_leaf_boxes_layout(body.tree, arena, &body.boxes);
            body.nearest = wf_arena_push(arena, n, sizeof(int));
        }
        if (all) all[b] = body;
    }
}

static const double SLACK = 0.2;     // of a mean edge
static const double FOLLOWED = 0.5;  // of a mean edge, beyond thickness and slack

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
    c->near = c->most_thickness + 2 * c->slack + (float)(FOLLOWED * def->edge);
    for (int b = 0; b < def->body_count; b++) {
        WfSmallBody* body = &c->bodies[b];
        if (!body->tree) continue;
        body->first = first;
        first += body->body->vertex_count;
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

static void set_motion(WfSmallContact* c, const WfSmallBody* body, float rate) {
    for (int i = body->first; i < body->first + body->body->vertex_count; i++) {
        const WfPoint4 *a = &c->x[i], *b = &c->next[i];
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
    for (int i = body->first; i < body->first + body->body->vertex_count; i++) {
        const WfPoint4 *x = &c->x[i], *end = &c->last[i];
        c->next[i] = (WfPoint4){x->x + part * (end->x - x->x), x->y + part * (end->y - x->y),
                                x->z + part * (end->z - x->z), 0};
    }
}

void wf_small_contact_begin(WfSmallContact* c, WfSmallPlace* place, void* context) {
    c->horizon = c->age = 0;
    c->searches = c->pairs = c->touching = c->divided = c->left = 0;
    c->deepest = 0;
    c->failed = c->lists[0].failed = c->lists[1].failed = false;
    for (int b = 0; b < c->def.body_count; b++) {
        WfSmallBody* body = &c->bodies[b];
        if (body->off) continue;
        place(context, b, 0, &body->to, body->tree ? c->x + body->first : NULL);
        if (!body->tree) continue;
        // nothing of the last step: a state that was saved goes on with the same bits
        for (int i = 0; i < c->def.vertex_count; i++) body->nearest[i] = -1;
        size_t bytes = (size_t)body->body->vertex_count * sizeof *c->x;
        memcpy(c->next + body->first, c->x + body->first, bytes);
        memset(c->v + body->first, 0, bytes);
        WfPose end;
        if (body->moves && body->is_straight) place(context, b, 1, &end, c->last + body->first);
    }
}

// ---------------------------------------------------------------------------------------------
// The search

static void find_drift(WfSmallContact* c) {
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < c->def.vertex_count; i++) {
        sum[0] += (double)c->v[i].x;
        sum[1] += (double)c->v[i].y;
        sum[2] += (double)c->v[i].z;
    }
    for (int k = 0; k < 3; k++) c->drift[k] = (float)(sum[k] / c->def.vertex_count);
}

// How far each leaf looks for the triangles of a body: no further than to those that are known, and
// where one is, no further than where another one could touch.
static void set_reach(WfSmallContact* c, const WfSmallBody* body) {
    const WfLeafTree* t = c->def.tree;
    float touch = c->most_thickness + wf_most_sag(c) + 2 * c->slack;
    for (int i = 0; i < c->def.vertex_count; i++) {
        float known = body->nearest[i] < 0 ? FLT_MAX : wf_near_square(c, body, i) * 1.0001f;
        if (known > c->near * c->near) body->nearest[i] = -1;
        c->distance[i] = body->nearest[i] < 0 ? FLT_MAX : wf_lesser(known, touch * touch);
    }
    for (int l = 0; l < t->leaf_count; l++) {
        float most = 0;
        for (int k = 0; k < WF_OCT; k++)
            if (t->has_vertices[l] >> k & 1)
                most = wf_larger(most, c->distance[t->vertices[WF_OCT * (long)l + k]]);
        c->reach[l] = wf_lesser(sqrtf(most), c->near);
    }
}

// For all that may come near within `horizon` seconds.
static void search(WfSmallContact* c, float horizon) {
    const WfSmallKernel* k = kernel();
    c->horizon = horizon;
    c->age = 0;
    c->searches++;
    c->lists[0].count = c->lists[1].count = 0;
    find_drift(c);
    memcpy(c->seen, c->x, (size_t)c->def.vertex_count * sizeof *c->seen);
    k->fit(c->def.tree, &c->boxes, c->x, c->v, c->drift, horizon, c->slack, NULL);
    if (c->def.self) k->search_self(c);
    for (int b = 0; b < c->def.body_count; b++) {
        WfSmallBody* body = &c->bodies[b];
        if (!body->tree || body->off) continue;
        memset(c->normals + body->first, 0, (size_t)body->body->vertex_count * sizeof *c->normals);
        k->fit(body->tree, &body->boxes, c->x, c->v, c->drift, horizon, 0, c->normals);
        set_reach(c, body);
        k->search_body(c, body);
    }
    k->narrow(c);
    c->pairs += c->lists[0].count + c->lists[1].count;
}

// The most that a leaf has strayed from where the search expected it, m.
static float most_stray(const WfSmallContact* c) {
    const WfLeafTree* t = c->def.tree;
    float part = c->horizon > 0 ? c->age / c->horizon : 0, most = 0;
    for (int l = 0; l < t->leaf_count; l++) {
        const WfPoint4* m = &c->boxes.motion[l];
        float dx = part * m->x + c->age * c->drift[0], dy = part * m->y + c->age * c->drift[1];
        float dz = part * m->z + c->age * c->drift[2];
        for (int k = 0; k < 3 * WF_OCT; k++) {
            int i = t->corners[3 * WF_OCT * (long)l + k];
            float x = c->x[i].x - c->seen[i].x - dx, y = c->x[i].y - c->seen[i].y - dy;
            float z = c->x[i].z - c->seen[i].z - dz;
            most = wf_larger(most, x * x + y * y + z * z);
        }
    }
    return sqrtf(most);
}

// ---------------------------------------------------------------------------------------------
// Rounds

// m/s: how much faster or slower than its leaf a vertex is, at most.
static float most_spread(const WfSmallContact* c) {
    const WfLeafTree* t = c->def.tree;
    float most = 0;
    for (int l = 0; l < t->leaf_count; l++) {
        const int* corner = t->corners + 3 * WF_OCT * (long)l;
        float x = 0, y = 0, z = 0, by = 1.0f / (3 * WF_OCT);
        for (int k = 0; k < 3 * WF_OCT; k++)
            x += c->v[corner[k]].x, y += c->v[corner[k]].y, z += c->v[corner[k]].z;
        for (int k = 0; k < 3 * WF_OCT; k++) {
            const WfPoint4* v = &c->v[corner[k]];
            float dx = v->x - by * x, dy = v->y - by * y, dz = v->z - by * z;
            most = wf_larger(most, dx * dx + dy * dy + dz * dz);
        }
    }
    return sqrtf(most);
}

enum { MOST_IN_ROUND = 5 };

// So many that no vertex goes from its leaf by more than the slack: pairs are searched for, and
// divided, as if leaves were rigid.
int wf_small_round_length(const WfSmallContact* c, float h, int left) {
    float way = h * most_spread(c);
    int count = MOST_IN_ROUND;
    while (count > 1 && (float)count * way > c->slack) count--;
    return count < left ? count : left;
}

static const float SEARCHED_AGAIN = 0.5f;  // of the slack, strayed when a round begins,
static const float ASTRAY = 2;             // and when it ends: pairs may have been missed

static void ready_active(WfSmallContact* c) {
    int count = c->lists[0].count + c->lists[1].count;
    for (int k = 0; k < c->moving_count; k++) c->marked[c->moving[k]] = 0;
    c->active_count = c->moving_count = 0;
    if (count <= c->active_capacity) return;
    c->active = wf_renew(&c->allocator, c->active, &c->active_capacity, count, sizeof *c->active);
    if (c->active_capacity >= count) return;
    c->failed = true;
    c->lists[0].count = c->lists[1].count = 0;
}

void wf_small_round_begin(WfSmallContact* c, double dt, double from, double to, float h,
                          WfSmallPlace* place, void* context) {
    float length = (float)(dt * (to - from));
    for (int b = 0; b < c->def.body_count; b++) {
        if (c->bodies[b].off) continue;
        place_next(c, b, from, to, place, context);
        if (c->bodies[b].tree && c->bodies[b].moves) set_motion(c, &c->bodies[b], 1 / length);
    }
    bool expired = c->age > c->horizon - length / 2;
    if (c->searches == 0 || expired || most_stray(c) > SEARCHED_AGAIN * c->slack) {
        // as long as leaves stay together, and no longer than the step
        float together = c->slack / wf_larger(most_spread(c), 1e-6f);
        search(c, wf_larger(length, wf_lesser(together, (float)(dt * (1 - from)))));
    }
    memcpy(c->start, c->x, (size_t)c->def.vertex_count * sizeof *c->start);
    ready_active(c);
    kernel()->refresh(c, length);
    wf_near_find_planes(c, length, h);
    c->touching = c->active_count + c->planes.count;
    c->failed = c->failed || c->lists[0].failed || c->lists[1].failed;
}

void wf_small_contact_move(WfSmallContact* c, float h) {
    for (int k = 0; k < c->moving_count; k++) {
        int i = c->moving[k];
        WfPoint4 *x = &c->x[i], v = c->v[i];
        c->before[i] = *x;
        x->x += h * v.x, x->y += h * v.y, x->z += h * v.z;
    }
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
    for (int k = 0; k < 4; k++) {
        WfPoint4* p = &c->x[a->points[k]];
        float by = a->weights[k] * p->w;
        p->x += by * g[0], p->y += by * g[1], p->z += by * g[2];
    }
}

void wf_small_contact_solve(WfSmallContact* c, int index) {
    bool backwards = index % 2 == 0;
    for (int k = 0; k < c->active_count; k++)
        solve_active(c, &c->active[backwards ? c->active_count - 1 - k : k]);
    wf_small_contact_planes(c, index);
}

void wf_small_contact_planes(WfSmallContact* c, int index) { kernel()->solve_planes(c, index, 1); }

// ---------------------------------------------------------------------------------------------
// Dividing

static float along(const float n[3], const WfPoint4* p) {
    return n[0] * p->x + n[1] * p->y + n[2] * p->z;
}

// The least (sign 1) or most (sign -1) of points along n, and whose it is.
static int extreme(const WfSmallContact* c, const int* points, int count, const float n[3],
                   float sign, float* most) {
    int best = points[0];
    *most = sign * along(n, &c->x[best]);
    for (int k = 1; k < count; k++) {
        float at = sign * along(n, &c->x[points[k]]);
        if (at < *most) *most = at, best = points[k];
    }
    *most *= sign;
    return best;
}

// Points that are not beyond `offset` along n, with its sign, are put there.
static void put_beyond(WfSmallContact* c, const int* points, int count, const float n[3],
                       float sign, float offset) {
    for (int k = 0; k < count; k++) {
        WfPoint4* p = &c->x[points[k]];
        float by = offset - along(n, p);
        if (p->w == 0 || sign * by <= 0) continue;
        p->x += by * n[0], p->y += by * n[1], p->z += by * n[2];
    }
}

// A plane between the two, nearer to the one that moves less, and both are put beyond it.
int wf_near_divide(WfSmallContact* c, WfSmallKind kind, int pair, float share) {
    const WfNearList* list = &c->lists[kind];
    const float n[3] = {list->nx[pair], list->ny[pair], list->nz[pair]};
    int points[4], count = kind == WF_SMALL_EDGES ? 2 : 1;
    for (int k = 0; k < 4; k++) points[k] = list->points[k][pair];
    float low, high;
    float u = c->x[extreme(c, points, count, n, 1, &low)].w;
    float w = c->x[extreme(c, points + count, 4 - count, n, -1, &high)].w;
    float apart = share * list->thickness[pair];
    if (low - high >= apart || u + w == 0) return 0;
    float plane = (w * low + u * high) / (u + w);
    if (u == 0) plane = low - apart / 2;
    if (w == 0) plane = high + apart / 2;
    put_beyond(c, points, count, n, 1, plane + apart / 2);
    put_beyond(c, points + count, 4 - count, n, -1, plane - apart / 2);
    return 1;
}

// What cannot be divided becomes one group, which goes from where the round began by the mean of
// where it led to: what was divided within it stays so. What then is in its way joins it. Not with
// bodies, which move on by themselves: cloth that is inside of them comes out again, but cloth on
// the wrong side of cloth does not.
int wf_near_join(WfSmallContact* c, WfSmallKind kind, int pair, float share) {
    const WfNearList* list = &c->lists[kind];
    int joined = 0;
    (void)share;
    for (int k = 0; k < 4 && !list->body[pair]; k++) {
        int first = list->points[0][pair], i = list->points[k][pair];
        joined |= wf_first_linked(c->groups, first) != wf_first_linked(c->groups, i);
        wf_link(c->groups, first, i);
        c->grouped[i] = 1;
    }
    return joined;
}

static const float HELD = 1e12f;  // kg: what is pinned goes where it goes

static void move_groups(WfSmallContact* c) {
    int n = c->def.vertex_count;
    memset(c->ways, 0, (size_t)n * sizeof *c->ways);
    for (int i = 0; i < n; i++) {
        if (!c->grouped[i]) continue;
        WfPoint4* way = &c->ways[wf_first_linked(c->groups, i)];
        const WfPoint4 *to = &c->undivided[i], *from = &c->start[i];
        float mass = to->w > 0 ? 1 / to->w : HELD;
        way->x += mass * (to->x - from->x), way->y += mass * (to->y - from->y);
        way->z += mass * (to->z - from->z), way->w += mass;
    }
    for (int i = 0; i < n; i++) {
        if (!c->grouped[i] || c->x[i].w == 0) continue;
        const WfPoint4 *way = &c->ways[wf_first_linked(c->groups, i)], *from = &c->start[i];
        float by = 1 / way->w;
        c->x[i].x = from->x + by * way->x, c->x[i].y = from->y + by * way->y;
        c->x[i].z = from->z + by * way->z;
    }
}

static const float LEAST_HOLD = 0.5f;  // of what planes hold off, behind a division
static const float APART = 0.1f;       // of the thickness: nearer, they are brought apart by planes

enum { MOST_JOINS = 50 };

// Returns how many pairs are left that nothing divides.
static int join_groups(WfSmallContact* c) {
    int left = 1;
    for (int i = 0; i < c->def.vertex_count; i++) c->groups[i] = i;
    memset(c->grouped, 0, (size_t)c->def.vertex_count);
    for (int round = 0; round < MOST_JOINS && left > 0; round++) {
        left = kernel()->join(c, APART / 2);
        if (left > 0) move_groups(c);
    }
    return left;
}

enum { MOST_DIVISIONS = 12 };

// What division moved has moved so in the whole round: its velocity follows.
static void follow_division(WfSmallContact* c, float length) {
    for (int i = 0; i < c->def.vertex_count; i++) {
        const WfPoint4 *x = &c->x[i], *old = &c->undivided[i];
        c->v[i].x += (x->x - old->x) / length;
        c->v[i].y += (x->y - old->y) / length;
        c->v[i].z += (x->z - old->z) / length;
    }
}

// Bodies that move are put where they were `time` seconds before the end of the round.
static void put_bodies(WfSmallContact* c, float time) {
    for (int b = 0; b < c->def.body_count; b++) {
        const WfSmallBody* body = &c->bodies[b];
        if (!body->tree || body->off || !body->moves) continue;
        for (int i = body->first; i < body->first + body->body->vertex_count; i++) {
            const WfPoint4 *end = &c->next[i], *v = &c->v[i];
            c->x[i] =
                (WfPoint4){end->x - time * v->x, end->y - time * v->y, end->z - time * v->z, 0};
        }
    }
}

// Cloth went elsewhere than was expected: what it went by is searched for, from where the round
// began, and which way it was apart there.
static void search_again(WfSmallContact* c, float length) {
    size_t bytes = (size_t)c->def.vertex_count * sizeof *c->x;
    for (int i = 0; i < c->def.vertex_count; i++) {
        const WfPoint4 *x = &c->undivided[i], *from = &c->start[i];
        c->ways[i] = c->v[i];
        c->v[i] = (WfPoint4){(x->x - from->x) / length, (x->y - from->y) / length,
                             (x->z - from->z) / length, 0};
    }
    memcpy(c->x, c->start, bytes);
    put_bodies(c, length);
    search(c, length);
    ready_active(c);
    kernel()->refresh(c, length);
    memcpy(c->x, c->undivided, bytes);
    memcpy(c->v, c->ways, bytes);
    put_bodies(c, 0);
    c->age = c->horizon;  // not good for the next round
}

void wf_small_round_end(WfSmallContact* c, int substeps, float length) {
    const WfSmallKernel* k = kernel();
    put_bodies(c, 0);
    c->age += length;
    memcpy(c->undivided, c->x, (size_t)c->def.vertex_count * sizeof *c->x);
    if (most_stray(c) > ASTRAY * c->slack) search_again(c, length);
    int left = k->divide(c, APART);
    if (left == 0) return;
    c->divided += left;
    for (int round = 0; round < MOST_DIVISIONS && left > 0; round++) {
        k->solve_planes(c, substeps, LEAST_HOLD);
        left = k->divide(c, APART);
    }
    if (left > 0) left = join_groups(c);
    c->left += left;
    follow_division(c, length);
}

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
