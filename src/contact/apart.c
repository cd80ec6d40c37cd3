// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The rule, the same on every machine:
//
//     axis    the normal of the triangle; of two edges what stands on both; where these are
//             parallel, the normal of a triangle beside them; where there is none, the axis that is
//             farthest from the edge, made square to it
//     side    of a body: in front of its triangles
//             of cloth:  where the rest of it is. A sheet that stands on another one stays on its
//                        side, whatever its number
//             else, where all of both lies in one plane: of two pieces of cloth, the later one lies
//             above, that is, further up (else along x, else z); of one piece that is folded flat,
//             the part with the larger flat coordinates
//
// A fold along a straight line is a reflection of the flat shape: it moves all points of one half
// the same way, so that a linear function of flat coordinates orders all pairs of it alike.

#include "contact/apart.h"

#include <math.h>
#include <string.h>

#include "contact/check.h"
#include "contact/feature.h"

static const double TOUCHING = 1e-4;  // of the thickness: nearer counts as touching,
static const double TOLD = 1e-3;      // and is brought this far apart
static const double EVIDENCE = 1e-2;  // of the thickness: the rest of the cloth lies off the plane
static const double LEVEL = 1e-6;     // of a unit vector: no more than rounding
static const double BESIDE = 1e-2;    // of the thickness: nearer may be in the way of the others,
static const double ROOM = 0.9;       // and leaves them this part of the distance

// A pair, and where its two sides belong to.
typedef struct Touch {
    WfWorld* world;
    bool new;           // sides are not known
    const double* off;  // 3 per vertex of cloth: from it to the mean of its neighbours
    const WfSide *first, *second;
    int a, b;  // vertex and triangle; or two edges
    WfFeature feature;
    WfClosest closest;
} Touch;

// ---------------------------------------------------------------------------------------------
// Axis

static WfVec normal_at(const WfSide* side, int triangle) {
    const int* v = side->surface->triangles + 3 * (long)triangle;
    WfVec a = wf_load(side->x0, v[0]);
    return wf_unit(
        wf_cross(wf_sub(wf_load(side->x0, v[1]), a), wf_sub(wf_load(side->x0, v[2]), a)));
}

static WfVec normal_beside(const WfSide* side, int edge) {
    const int* beside = side->surface->edge_triangles + 2 * (long)edge;
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < 2; k++)
        if (beside[k] >= 0) sum = wf_add(sum, normal_at(side, beside[k]));
    return wf_unit(sum);
}

static WfVec normal_around(const WfSide* side, int vertex) {
    WfVec sum = {0, 0, 0};
    for (int t = 0; t < side->surface->triangle_count; t++) {
        const int* v = side->surface->triangles + 3 * (long)t;
        if (v[0] == vertex || v[1] == vertex || v[2] == vertex)
            sum = wf_add(sum, normal_at(side, t));
    }
    return wf_unit(sum);
}

// Some direction that is square to an edge; up where that has no length.
static WfVec square_to(WfVec edge) {
    WfVec e = wf_unit(edge), axis = {0, 1, 0};
    if (fabs(e.y) > 0.9) axis = (WfVec){1, 0, 0};
    return wf_unit(wf_sub(axis, wf_along(e, axis)));
}

static bool is_axis(WfVec v) { return wf_dot(v, v) > 0.5; }

static WfVec triangle_axis(const Touch* t) {
    const WfVec* x = t->feature.x0;
    WfVec u = wf_sub(x[2], x[1]), v = wf_sub(x[3], x[1]), n = wf_cross(u, v);
    double nn = wf_dot(n, n);
    if (nn > LEVEL * LEVEL * wf_dot(u, u) * wf_dot(v, v)) return wf_unit(n);
    return square_to(wf_dot(u, u) > wf_dot(v, v) ? u : v);
}

static WfVec edge_axis(const Touch* t) {
    const WfVec* x = t->feature.x0;
    WfVec u = wf_sub(x[1], x[0]), v = wf_sub(x[3], x[2]), n = wf_cross(u, v);
    if (wf_dot(n, n) > LEVEL * LEVEL * wf_dot(u, u) * wf_dot(v, v)) return wf_unit(n);
    WfVec beside = normal_beside(t->second, t->b);
    if (!is_axis(beside)) beside = normal_beside(t->first, t->a);
    return is_axis(beside) ? beside : square_to(wf_dot(u, u) > wf_dot(v, v) ? u : v);
}

// ---------------------------------------------------------------------------------------------
// Side

// The same for all that lie in one plane: up, else along x, else along z.
static WfVec turn_up(WfVec n) {
    double first = fabs(n.y) > LEVEL ? n.y : fabs(n.x) > LEVEL ? n.x : n.z;
    return first < 0 ? wf_mul(-1, n) : n;
}

// How far above the axis the rest of the first lies, less that of the second.
static double evidence(const Touch* t, WfVec axis) {
    int split = t->feature.edges ? 2 : 1;
    double sums[2] = {0, 0};
    for (int k = 0; k < 4; k++)
        if (t->feature.vertices[k] >= 0)
            sums[k >= split] += wf_dot(axis, wf_load(t->off, t->feature.vertices[k]));
    return sums[0] / split - sums[1] / (4 - split);
}

// Whether the first of two features of cloth lies above the second.
static bool is_above(const Touch* t) {
    const WfFeature* f = &t->feature;
    int split = f->edges ? 2 : 1, a = f->vertices[0], b = f->vertices[split];
    const int* piece = t->world->cloth->piece;
    if (piece[a] != piece[b]) return piece[a] > piece[b];
    double sums[2] = {0, 0};
    for (int k = 0; k < 4; k++) sums[k >= split] += t->world->order[f->vertices[k]];
    double apart = sums[0] / split - sums[1] / (4 - split);
    return apart != 0 ? apart > 0 : a > b;
}

static WfVec body_front(const Touch* t, WfVec axis) {
    bool body_first = !t->first->cloth;
    WfVec out = body_first         ? normal_around(t->first, t->a)
                : t->feature.edges ? normal_beside(t->second, t->b)
                                   : normal_at(t->second, t->b);
    if (!is_axis(out)) return turn_up(axis);
    if (fabs(wf_dot(axis, out)) < LEVEL) axis = out;
    double side = wf_dot(axis, out) * (body_first ? -1 : 1);
    return side < 0 ? wf_mul(-1, axis) : axis;
}

// From the second to the first.
static WfVec normal_of(const Touch* t) {
    WfVec axis = t->feature.edges ? edge_axis(t) : triangle_axis(t);
    if (!t->first->cloth || !t->second->cloth) return body_front(t, axis);
    if (!t->new && t->closest.distance > 0) return t->closest.normal;
    double side = evidence(t, axis);
    if (fabs(side) > EVIDENCE * t->feature.thickness) return side < 0 ? wf_mul(-1, axis) : axis;
    axis = turn_up(axis);
    return is_above(t) ? axis : wf_mul(-1, axis);
}

// ---------------------------------------------------------------------------------------------

// What touches is brought apart; what is beside it keeps its side.
static void add_touch(const Touch* t, bool touches) {
    WfWorld* w = t->world;
    const WfFeature* f = &t->feature;
    double told = TOLD * f->thickness, far = t->closest.distance;
    WfImpulse impulse = {.normal = touches ? normal_of(t) : t->closest.normal,
                         .target = touches ? told : fmin(told, ROOM * far)};
    for (int k = 0; k < 4; k++) {
        int i = f->vertices[k];
        double weight = t->closest.weights[k];
        if (i < 0 || w->pinned[i]) {
            impulse.target -= weight * wf_dot(impulse.normal, f->x0[k]);
        } else if (weight != 0) {
            impulse.vertices[impulse.count] = i;
            impulse.weights[impulse.count++] = weight;
        }
    }
    if (impulse.count > 0) wf_add_impulse(&w->impulses, &impulse, w->masses);
}

typedef enum Look { COUNT, TELL_NEW, TELL_OLD } Look;

// One kind of pairs. Returns how many touch, and tells them apart.
static int look_at(WfWorld* w, WfPairs* pairs, const WfSides* sides, WfPairKind kind, Look look) {
    const WfPairList* list = wf_list_of(pairs, kind);
    bool swapped = kind == WF_CORNERS;
    int count = 0;
    for (int k = 0; k < list->count; k++) {
        WfPair pair = list->pairs[k];
        Touch t = {.world = w,
                   .new = look == TELL_NEW,
                   .off = w->zones.own,
                   .first = swapped ? &sides->second : &sides->first,
                   .second = swapped ? &sides->first : &sides->second,
                   .a = swapped ? pair.b : pair.a,
                   .b = swapped ? pair.a : pair.b,
                   .feature = wf_feature(sides, kind, pair)};
        t.closest = wf_closest(&t.feature, t.feature.x0);
        bool touches = t.closest.distance < TOUCHING * t.feature.thickness;
        bool beside = t.closest.distance < BESIDE * t.feature.thickness;
        count += touches;
        if (look != COUNT && beside) add_touch(&t, touches);
    }
    return count;
}

static int look_at_all(WfWorld* w, Look look) {
    WfSide cloth = wf_cloth_side(w, w->x);
    int count = 0;
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (!wf_is_surface(mover)) continue;
        WfSides sides = {w, cloth, wf_body_side(mover)};
        for (WfPairKind kind = WF_POINTS; kind <= WF_EDGES; kind++)
            count += look_at(w, &mover->pairs[WF_FOR_DEFENCE], &sides, kind, look);
    }
    if (!w->self) return count;
    WfSides sides = {w, cloth, cloth};
    WfPairs* own = &w->lists[WF_FOR_DEFENCE].pairs;
    count += look_at(w, own, &sides, WF_POINTS, look);
    return count + look_at(w, own, &sides, WF_EDGES, look);
}

// A vertex on the surface of an exact body is brought in front of it, and one beside it is not
// moved into it. Whether it touches; pins do not count: they may lie on floors.
static bool keep_outside(WfWorld* w, const WfMover* mover, int i) {
    WfVec x = wf_load(w->x, i), n;
    double far = wf_body_distance(mover->body, &mover->from, x, &n), thickness = w->thickness[i];
    if (mover->body->is_mirror) thickness = wf_hold(w, mover->body, i);
    if (!wf_meets(w, mover, i)) return false;
    if (w->pinned[i] || far < -WF_TOUCHES || far > BESIDE * thickness) return false;
    bool touches = far < TOUCHING * thickness;
    double least = touches ? TOLD * thickness : fmin(TOLD * thickness, ROOM * far);
    WfImpulse impulse = {.count = 1, .vertices = {i}, .weights = {1}, .normal = n};
    impulse.target = wf_dot(n, x) + least - far;
    wf_add_impulse(&w->impulses, &impulse, w->masses);
    return touches;
}

static int look_at_exact(WfWorld* w) {
    int count = 0;
    for (int m = 0; m < w->mover_count; m++)
        for (int i = 0; i < w->vertex_count && wf_is_exact(&w->movers[m]); i++)
            count += keep_outside(w, &w->movers[m], i);
    return count;
}

// From every vertex to the mean of its neighbours.
static void find_offsets(const WfWorld* w, double* off, double* count) {
    size_t n = (size_t)w->vertex_count;
    memset(off, 0, 3 * n * sizeof *off);
    memset(count, 0, n * sizeof *count);
    for (int e = 0; e < w->cloth->edge_count; e++) {
        const int* v = w->cloth->edges + 2 * (long)e;
        WfVec way = wf_sub(wf_load(w->x, v[1]), wf_load(w->x, v[0]));
        wf_accumulate(off, v[0], 1, way);
        wf_accumulate(off, v[1], -1, way);
        count[v[0]]++;
        count[v[1]]++;
    }
    for (int i = 0; i < w->vertex_count; i++)
        if (count[i] > 0) wf_store(off, i, wf_mul(1 / count[i], wf_load(off, i)));
}

static void sort_pairs(WfPairs* pairs) {
    wf_pairs_sort(pairs, &pairs->points);
    wf_pairs_sort(pairs, &pairs->corners);
    wf_pairs_sort(pairs, &pairs->edges);
}

// Pairs of triangles, in the same order for any tree. Returns how many touch.
static int look_at_surfaces(WfWorld* w, Look look) {
    if (!wf_has_surfaces(w)) return 0;
    wf_tree_forget(&w->tree);
    wf_find_pairs(w, WF_FOR_DEFENCE, w->x, NULL);
    for (int m = 0; m < w->mover_count; m++) sort_pairs(&w->movers[m].pairs[WF_FOR_DEFENCE]);
    sort_pairs(&w->lists[WF_FOR_DEFENCE].pairs);
    find_offsets(w, w->zones.own, w->nearest);
    return look_at_all(w, look);
}

int wf_tell_apart(WfWorld* w, double* x, bool new) {
    w->impulses.count = 0;
    int count = look_at_surfaces(w, new ? TELL_NEW : TELL_OLD);
    int single = look_at_exact(w);
    if (wf_search_failed(w)) return -1;
    if (count + single == 0) return 0;
    wf_apply_impulses(&w->impulses, w->masses, TOLD / 4 * w->least_layer, x, 0, w->dirty);
    wf_check_places(w, x);
    return count > 0 ? look_at_all(w, COUNT) : 0;
}
