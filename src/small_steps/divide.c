// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A round ends: every pair is divided by a plane along the normal that it had at the start. What
// cannot be is moved as one.

#include <math.h>
#include <string.h>

#include "base/links.h"
#include "small_steps/kernel.h"

static const WfSmallKernel* kernel(void) { return wf_small_wide(); }

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
    float apart = list->radius[pair] + share * list->thickness[pair];
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

// What division moved has moved so in the whole round: its velocity follows, along the way that it
// was moved, but not beyond the mean of the round: cloth that is pulled against what divides it,
// and ends where it began, has none.
static void follow_division(WfSmallContact* c, float length) {
    for (int i = 0; i < c->def.vertex_count; i++) {
        const WfPoint4 *x = &c->x[i], *old = &c->undivided[i], *from = &c->start[i];
        WfPoint4 *v = &c->v[i], d = {x->x - old->x, x->y - old->y, x->z - old->z, 0};
        float square = d.x * d.x + d.y * d.y + d.z * d.z;
        if (square == 0) continue;
        float mean = d.x * (x->x - from->x) + d.y * (x->y - from->y) + d.z * (x->z - from->z);
        float speed = d.x * v->x + d.y * v->y + d.z * v->z;
        float most = wf_larger(mean / length, speed);
        float by = wf_lesser(square / length, most - speed) / square;
        v->x += by * d.x, v->y += by * d.y, v->z += by * d.z;
    }
}

// Bodies that move are put where they were `time` seconds before the end of the round.
static void put_bodies(WfSmallContact* c, float time) {
    for (int b = 0; b < c->def.body_count; b++) {
        const WfSmallBody* body = &c->bodies[b];
        if (!body->tree || body->off || !body->moves) continue;
        for (int i = body->first; i < body->first + body->point_count; i++) {
            const WfPoint4 *end = &c->next[i], *v = &c->v[i];
            c->x[i] =
                (WfPoint4){end->x - time * v->x, end->y - time * v->y, end->z - time * v->z, 0};
        }
    }
}

// Cloth went elsewhere than was expected: what it went by is searched for, from where the round
// began, and which way it was apart there.
static void search_again(WfSmallContact* c, float h, float length) {
    size_t bytes = (size_t)c->def.vertex_count * sizeof *c->x;
    for (int i = 0; i < c->def.vertex_count; i++) {
        const WfPoint4 *x = &c->undivided[i], *from = &c->start[i];
        c->ways[i] = c->v[i];
        c->v[i] = (WfPoint4){(x->x - from->x) / length, (x->y - from->y) / length,
                             (x->z - from->z) / length, 0};
    }
    memcpy(c->x, c->start, bytes);
    put_bodies(c, length);
    wf_near_search_marked(c, h);
    wf_near_ready_active(c);
    kernel()->refresh(c, length);
    memcpy(c->x, c->undivided, bytes);
    memcpy(c->v, c->ways, bytes);
    put_bodies(c, 0);
    c->measured = false;
}

void wf_small_round_end(WfSmallContact* c, int substeps, float h) {
    const WfSmallKernel* k = kernel();
    float length = h * (float)substeps, began = c->time;
    put_bodies(c, 0);
    memcpy(c->undivided, c->x, (size_t)c->def.vertex_count * sizeof *c->x);
    c->time = began + length;
    wf_near_measure(c);
    if (wf_near_mark_astray(c) > 0) {
        c->time = began;
        search_again(c, length, length);
    }
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
    c->measured = false;
}
