// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From pairs that are near to contacts. The normal is the way between the closest points now; where
// the pair would meet on its way, that between the closest points when it does. A vertex near a
// surface has one closest point for each of the triangles around; only those that are closest of
// all their neighbourhood count, since the others would hold it back sideways.
//
// Round bodies and planes are exact: a vertex is kept out of a half-space that touches the body.
// Between the corners of a triangle that all lie on a sphere, its middle dips into it; where that
// would be deeper than the thickness, corners are held further off (wf_hold), and what still comes
// too near between them is a contact of its own.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "contact/check.h"
#include "contact/feature.h"
#include "contact/impact.h"
#include "contact/near.h"

static const double RECOVERY = 0.5;  // m/s, how fast what is too near comes apart at most
static const double THIN = 2;        // spans over the radius of a thin body
static const double AHEAD = 0.05;    // of a radius, by which a half-space may pull a vertex onwards
enum { HALVINGS = 8 };
static const double SEEN =
    3e-4;                // m, by which vertices may move before pairs are searched for anew
#define LEAST_SEEN 0.25  // of the thickness, where there are too many pairs
static const double LAYER_RECOVERY = 0.1;  // of the thickness in a substep, at most

void wf_contacts_destroy(WfContacts* contacts) {
    wf_free(&contacts->allocator, contacts->all);
    wf_free(&contacts->allocator, contacts->found);
    contacts->all = contacts->found = NULL;
    contacts->capacity = contacts->found_capacity = 0;
}

static bool grow(WfContacts* c, WfContact** list, int* capacity, int count) {
    int wanted = *capacity ? 2 * *capacity : 1024;
    WfContact* larger = wf_alloc(&c->allocator, (size_t)wanted, sizeof *larger);
    if (!larger) {
        c->failed = true;
        return false;
    }
    if (count > 0) memcpy(larger, *list, (size_t)count * sizeof *larger);
    wf_free(&c->allocator, *list);
    *list = larger;
    *capacity = wanted;
    return true;
}

WfContact* wf_add_contact(WfContacts* c) {
    if (c->count == c->found_capacity && !grow(c, &c->found, &c->found_capacity, c->count))
        return NULL;
    WfContact* contact = &c->found[c->count++];
    *contact = (WfContact){0};
    return contact;
}

// ---------------------------------------------------------------------------------------------
// The start of a substep

// No point of a triangle is further from its nearest corner than the longest side over sqrt 3.
void wf_measure_spans(const WfWorld* w, const double* x, double* spans) {
    memset(spans, 0, (size_t)w->vertex_count * sizeof *spans);
    for (int t = 0; t < w->cloth->triangle_count; t++) {
        const int* v = w->cloth->triangles + 3 * (long)t;
        double longest = 0;
        for (int k = 0; k < 3; k++) {
            WfVec side = wf_sub(wf_load(x, v[k]), wf_load(x, v[(k + 1) % 3]));
            longest = fmax(longest, wf_dot(side, side));
        }
        double span = sqrt(longest / 3);
        for (int k = 0; k < 3; k++) spans[v[k]] = fmax(spans[v[k]], span);
    }
}

void wf_world_begin(WfWorld* w, const double* x, const double* v, const double* v1, double h) {
    w->x = x;
    w->h = h;
    w->depth = 0;
    w->contacts.count = w->contacts.single_count = 0;
    w->contacts.failed = w->impulses.failed = false;
    w->tangles.failed = w->tangles.pairs.failed = false;
    for (long i = 0; i < 3L * w->vertex_count; i++) {
        double change = w->touched[i / 3] ? 0 : v[i] - v1[i];  // a hit is not repeated
        w->ahead[i] = x[i] + h * v[i];
        w->expected[i] = w->ahead[i] + h * change;
    }
    bool round = false;
    for (int m = 0; m < w->mover_count; m++) round = round || wf_is_round(w->movers[m].body);
    if (!round) return;
    wf_measure_spans(w, x, w->spans);
    wf_measure_spans(w, w->ahead, w->end_spans);
}

// ---------------------------------------------------------------------------------------------
// Exact bodies

// How far a vertex must be from the surface that its triangles, which may be curved around the
// body, stay a quarter of the thickness away.
static double clearance(const WfWorld* w, const WfBody* body, int vertex) {
    double inner = body->radius + w->thickness[vertex] / 4, span = w->spans[vertex];
    return sqrt(inner * inner + span * span) - body->radius;
}

// Between its corners, cloth wraps around a body that is as thin as this. All of it is held at the
// thickness then: were vertices held further off than edges, each would hook behind the body.
bool wf_is_thin(const WfWorld* w, const WfBody* body, int vertex) {
    return wf_is_round(body) && w->spans[vertex] > THIN * body->radius;
}

// How far from the surface a vertex is held.
double wf_hold(const WfWorld* w, const WfBody* body, int vertex) {
    double thickness = w->thickness[vertex];
    if (body->kind == WEFT_BODY_PLANE || wf_is_thin(w, body, vertex)) return thickness;
    return fmax(thickness, fmin(clearance(w, body, vertex), 3 * thickness));
}

// Of the half-space that touches the body below p: how far a is from being held by it.
static double gap_below(const WfBody* body, WfVec p, WfVec a, double hold, WfVec* n) {
    return wf_body_local_distance(body, p, n) - hold - wf_dot(*n, wf_sub(p, a));
}

// The half-space where a vertex meets the body on its path from a to b. Where it passes by a
// thin one, that below the last place that holds the start too: any later one would pull the vertex
// onwards.
static double hold_start(const WfBody* body, WfVec a, WfVec b, double hold, bool thin, WfVec* n) {
    WfVec met = wf_body_meet(body, a, b, hold, n), path = wf_sub(b, a);
    if (!thin || wf_length(wf_sub(met, b)) > 0) return gap_below(body, met, a, hold, n);
    double low = 0, high = 1;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = (low + high) / 2;
        bool held = gap_below(body, wf_madd(a, middle, path), a, hold, n) >= 0;
        *(held ? &low : &high) = middle;
    }
    return gap_below(body, wf_madd(a, low, path), a, hold, n);
}

static void touch_exact(WfWorld* w, const WfMover* mover, int i) {
    const WfBody* body = mover->body;
    WfVec x = wf_load(w->x, i), n;
    WfVec a = wf_pose_local(&mover->from, x);
    WfVec b = wf_pose_local(&mover->to, wf_load(w->ahead, i));
    if ((w->tangled[i] & WF_TANGLED_BODY) && wf_body_local_distance(body, a, &n) < 0) return;
    double hold = wf_hold(w, body, i), end = wf_body_local_distance(body, b, &n);
    if (end > hold + 2 * wf_length(wf_sub(b, a)) + w->margin) return;
    WfVec unused;
    w->depth = fmax(w->depth, w->thickness[i] - wf_body_local_distance(body, a, &unused));
    // the half-space that touches the body below the place ahead, where it holds the start too;
    // else, that where the vertex meets the body
    double gap = end - hold - wf_dot(n, wf_sub(b, a)), ahead = RECOVERY * w->h / 2;
    bool thin = wf_is_thin(w, body, i);
    if (thin) ahead = fmin(ahead, AHEAD * body->radius);
    if (gap < -ahead) gap = hold_start(body, a, b, hold, thin, &n);
    WfContact* contact = wf_add_contact(&w->contacts);
    if (!contact) return;
    contact->count = 1;
    contact->vertices[0] = i;
    contact->weights[0] = 1;
    contact->gap = fmax(gap, -RECOVERY * w->h);
    contact->friction = sqrt(body->friction * w->friction[i]);
    // turned on with the body, the half-space is that of the end of the substep
    contact->normal = wf_pose_turn(&mover->to, n);
    contact->carry = wf_sub(wf_pose_point(&mover->to, a), x);
}

// ---------------------------------------------------------------------------------------------
// Pairs of features

// The closest points now; where the pair would meet on its way, when it does.
static bool approach(const WfFeature* f, double margin, WfClosest* c) {
    *c = wf_closest(f, f->x0);
    if (!(c->distance > 0)) return false;
    double start = c->distance - f->core;
    if (start <= 0) return false;
    WfVec moved = wf_sub(wf_weighted(c, f->x1), wf_weighted(c, f->x0));
    double closing = wf_dot(c->normal, moved);
    if (start + closing <= 0 || (start > f->thickness && wf_length(moved) > start)) {
        double layer = fmin(f->thickness, start) / 2,
               t = wf_impact(f, f->core + layer, 0.1 * layer);
        if (t <= 1) {
            WfVec x[4];
            for (int k = 0; k < 4; k++) x[k] = wf_madd(f->x0[k], t, wf_sub(f->x1[k], f->x0[k]));
            WfClosest met = wf_closest(f, x);
            if (met.distance > 0) *c = met;
            return true;
        }
    }
    return fmin(start, start + closing) < f->thickness + margin;
}

static void add_feature(WfWorld* w, const WfFeature* f, const WfClosest* c) {
    int count = 0, free_count = 0;
    WfContact contact = {.normal = c->normal, .friction = sqrt(f->friction_square)};
    for (int k = 0; k < 4; k++) {
        if (f->vertices[k] < 0) {
            WfVec moved = wf_sub(f->x1[k], f->x0[k]);
            contact.carry = wf_madd(contact.carry, -c->weights[k], moved);
        } else if (c->weights[k] != 0) {
            contact.vertices[count] = f->vertices[k];
            contact.weights[count++] = c->weights[k];
            free_count += !w->pinned[f->vertices[k]];
        }
    }
    if (free_count == 0) return;
    contact.count = count;
    contact.gap = wf_dot(c->normal, wf_weighted(c, f->x0)) - f->core - f->thickness;
    // layers are springs: they are brought apart gently, or their force would be all of this
    double least = RECOVERY * w->h;
    if (count > 1) least = fmin(least, LAYER_RECOVERY * f->thickness);
    contact.gap = fmax(contact.gap, -least);
    WfContact* to = wf_add_contact(&w->contacts);
    if (to) *to = contact;
}

// What lies between the corners of triangles on round bodies.
static void find_between(WfWorld* w, const WfMover* mover) {
    WfSide cloth = wf_cloth_side(w, w->ahead);
    wf_measure_ways(w, mover, w->ahead);
    for (int t = 0; t < w->cloth->triangle_count; t++) {
        WfFeature features[5];
        int corner = w->cloth->triangles[3 * (long)t];
        double part = wf_is_thin(w, mover->body, corner) ? 1 : 0.25;
        double reach = 2 * part * w->thickness[corner];
        int count = wf_round_features(w, mover, &cloth, t, reach, features);
        for (int k = 0; k < count; k++) {
            WfFeature* f = &features[k];
            WfClosest c;
            f->thickness *= part;
            if (wf_is_tangled(w, f) || !approach(f, f->thickness, &c)) continue;
            bool on_edge = f->edges && c.weights[2] < 0 && c.weights[3] < 0;
            bool inside = !f->edges && c.weights[1] < 0 && c.weights[2] < 0 && c.weights[3] < 0;
            if (on_edge || inside) add_feature(w, f, &c);
        }
    }
}

static void find_exact(WfWorld* w, const WfMover* mover) {
    for (int i = 0; i < w->vertex_count; i++)
        if (!w->pinned[i]) touch_exact(w, mover, i);
    if (wf_is_round(mover->body)) find_between(w, mover);
}

// ---------------------------------------------------------------------------------------------
// Lists of pairs. First what cannot meet in this substep is dropped, which is most of what boxes
// have found; the last defence then has less to look at, too.

typedef struct Search {
    WfWorld* world;
    WfPairs* pairs;
    WfSide first, second;
    bool kept;  // the lists are still those of an earlier search
} Search;

static WfFeature feature_of(const Search* s, const WfPairList* list, WfPair pair) {
    if (list == &s->pairs->points)
        return wf_point_feature(s->world, &s->first, pair.a, &s->second, pair.b);
    if (list == &s->pairs->corners)
        return wf_point_feature(s->world, &s->second, pair.b, &s->first, pair.a);
    return wf_edge_feature(s->world, &s->first, pair.a, &s->second, pair.b);
}

static void sift(const Search* s, WfPairList* list) {
    if (s->kept) return;
    int kept = 0;
    Search expected = *s;
    if (s->first.cloth) expected.first.x1 = s->world->expected;
    if (s->second.cloth) expected.second.x1 = s->world->expected;
    for (int k = 0; k < list->count; k++) {
        WfFeature f = feature_of(&expected, list, list->pairs[k]);
        // no vertex leaves its box unseen: it ends within half the diagonal of the reach
        double stray = 0.87 * (f.thickness + s->world->margin) + SEEN;
        if (wf_feature_may_meet(&f, f.thickness / 4, stray)) list->pairs[kept++] = list->pairs[k];
    }
    list->count = kept;
    wf_pairs_sort(s->pairs, list);
}

// For each vertex of the pairs the nearest triangle.
static void find_nearest(const Search* s, const WfPairList* list, bool swapped) {
    WfWorld* w = s->world;
    for (int k = 0; k < list->count; k++)
        w->nearest[swapped ? list->pairs[k].b : list->pairs[k].a] = HUGE_VAL;
    for (int k = 0; k < list->count; k++) {
        WfPair pair = list->pairs[k];
        int vertex = swapped ? pair.b : pair.a, triangle = swapped ? pair.a : pair.b;
        WfFeature f = feature_of(s, list, pair);
        double distance = wf_closest(&f, f.x0).distance;
        if (!(distance < w->nearest[vertex])) continue;
        w->nearest[vertex] = distance;
        w->nearest_triangle[vertex] = triangle;
    }
}

static void find_points(const Search* s, WfPairList* list) {
    WfWorld* w = s->world;
    bool swapped = list == &s->pairs->corners;
    const WfSide* points = swapped ? &s->second : &s->first;
    const WfSide* triangles = swapped ? &s->first : &s->second;
    sift(s, list);
    find_nearest(s, list, swapped);
    for (int k = 0; k < list->count; k++) {
        WfPair pair = list->pairs[k];
        int vertex = swapped ? pair.b : pair.a, triangle = swapped ? pair.a : pair.b;
        WfFeature f = feature_of(s, list, pair);
        WfClosest c;
        if (wf_is_tangled(w, &f)) continue;
        bool near = approach(&f, w->margin, &c);
        w->depth = fmax(w->depth, f.thickness - w->nearest[vertex]);
        if (!near) continue;
        bool inside = c.weights[1] < 0 && c.weights[2] < 0 && c.weights[3] < 0;
        if (!inside && w->nearest_triangle[vertex] != triangle) continue;
        // a corner of the triangle: the pair in which that is the vertex is the better one
        bool corner = c.weights[1] == -1 || c.weights[2] == -1 || c.weights[3] == -1;
        if (corner && triangles->cloth && !points->cloth) continue;
        add_feature(w, &f, &c);
    }
}

// Edges are there for what points and triangles leave open, at half the thickness: two sheets that
// lie on each other touch at points.
static void find_edges(const Search* s, WfPairList* list) {
    WfWorld* w = s->world;
    sift(s, list);
    for (int k = 0; k < list->count; k++) {
        WfFeature f = feature_of(s, list, list->pairs[k]);
        WfClosest c;
        f.thickness /= 2;
        if (wf_is_tangled(w, &f) || !approach(&f, f.thickness / 2, &c)) continue;
        bool inside = c.weights[0] > 0 && c.weights[1] > 0 && c.weights[2] < 0 && c.weights[3] < 0;
        if (inside) add_feature(w, &f, &c);
    }
}

// ---------------------------------------------------------------------------------------------

bool wf_has_surfaces(const WfWorld* w) {
    bool meshes = false;
    for (int m = 0; m < w->mover_count; m++) meshes = meshes || !w->movers[m].body->exact;
    return meshes || w->self;
}

static double largest_thickness(const WfWorld* w) {
    double largest = 0;
    for (int i = 0; i < w->vertex_count; i++) largest = fmax(largest, w->thickness[i]);
    return largest;
}

// Trees and pairs for ways from x to x1: half of the reach on either side. `part` of the thickness
// is seen.
static bool find_pairs(WfWorld* w, double part, const double* x1, const double* low,
                       const double* high) {
    double reach = (part * largest_thickness(w) + w->margin) / 2 + SEEN;
    w->listed = false;
    w->reach = reach;
    memcpy(w->seen, w->x, 3 * (size_t)w->vertex_count * sizeof(double));
    memcpy(w->covered, x1, 3 * (size_t)w->vertex_count * sizeof(double));
    if (!wf_has_surfaces(w)) return true;
    wf_tree_fit(&w->tree, w->x, x1, reach, low, high);
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (mover->body->exact) continue;
        wf_tree_fit(&mover->tree, mover->x0, mover->x1, reach, NULL, NULL);
        wf_pairs_between(&w->tree, &mover->tree, &mover->pairs);
    }
    if (w->self) wf_pairs_self(&w->tree, &w->pairs);
    wf_check_spans(w);
    wf_check_pairs(w);
    return !wf_lists_are_full(w);
}

bool wf_find_pairs(WfWorld* w, const double* x1, const double* low, const double* high) {
    return find_pairs(w, 1, x1, low, high);
}

bool wf_search_failed(const WfWorld* w) {
    bool failed = w->pairs.failed || w->impulses.failed;
    for (int m = 0; m < w->mover_count; m++) failed = failed || w->movers[m].pairs.failed;
    return failed;
}

static void sort_pairs(WfPairs* pairs) {
    wf_pairs_sort(pairs, &pairs->points);
    wf_pairs_sort(pairs, &pairs->corners);
    wf_pairs_sort(pairs, &pairs->edges);
}

void wf_sort_lists(WfWorld* w) {
    for (int m = 0; m < w->mover_count; m++) sort_pairs(&w->movers[m].pairs);
    sort_pairs(&w->pairs);
}

bool wf_lists_are_full(const WfWorld* w) {
    bool full = w->self && w->pairs.full;
    for (int m = 0; m < w->mover_count; m++)
        full = full || (!w->movers[m].body->exact && w->movers[m].pairs.full);
    return full;
}

// Every vertex on `part` of its way beside the motion of its piece.
static void slow_down(const WfWorld* w, double part, double* x1) {
    const WfSurface* cloth = w->cloth;
    double *frame = w->zones.frame, *weight = w->zones.weight;
    wf_find_frames(cloth, w->x, x1, w->masses, w->pinned, frame, weight);
    for (int i = 0; i < w->vertex_count; i++) {
        if (w->pinned[i]) continue;
        WfVec x = wf_load(w->x, i), way = wf_load(frame, cloth->piece[i]);
        WfVec own = wf_sub(wf_sub(wf_load(x1, i), x), way);
        wf_store(x1, i, wf_add(wf_add(x, way), wf_mul(part, own)));
    }
}

bool wf_find_pairs_within(WfWorld* w, double* x1) {
    // less motion, then less thickness, then none of the motion
    static const struct {
        double motion, seen;
    } tries[] = {{0.2, 1}, {1, LEAST_SEEN}, {0, LEAST_SEEN}};
    enum { TRIES = sizeof tries / sizeof *tries };
    if (wf_find_pairs(w, x1, NULL, NULL)) return true;
    for (int k = 0; k < TRIES; k++) {
        slow_down(w, tries[k].motion, x1);
        if (k == TRIES - 1) wf_tree_forget(&w->tree);  // what is found may not depend on the past
        if (find_pairs(w, tries[k].seen, x1, NULL, NULL)) break;
    }
    return false;
}

// Whether the lists of an earlier substep still hold all that may meet: nothing has moved, or will,
// by more than was allowed for.
static bool lists_hold(const WfWorld* w) {
    if (!w->listed || w->pairs.failed) return false;
    for (int m = 0; m < w->mover_count; m++) {
        const WfMover* mover = &w->movers[m];
        if (!mover->body->exact && (mover->moves || mover->pairs.failed)) return false;
    }
    for (long i = 0; i < 3L * w->vertex_count; i++) {
        double limit = SEEN / 1.75;  // along each axis
        if (fabs(w->x[i] - w->seen[i]) > limit || fabs(w->expected[i] - w->seen[i]) > limit)
            return false;
    }
    return true;
}

void wf_search(WfWorld* w) {
    w->kept = lists_hold(w);
    if (!w->kept) wf_find_pairs_within(w, w->expected);
}

void wf_find_body_contacts(WfWorld* w) {
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (mover->body->exact) {
            find_exact(w, mover);
            continue;
        }
        Search search = {w, &mover->pairs, wf_cloth_side(w, w->ahead), wf_body_side(mover),
                         w->kept};
        find_points(&search, &mover->pairs.points);
        find_points(&search, &mover->pairs.corners);
        find_edges(&search, &mover->pairs.edges);
    }
}

void wf_find_self_contacts(WfWorld* w) {
    if (w->self) {
        WfSide cloth = wf_cloth_side(w, w->ahead);
        Search search = {w, &w->pairs, cloth, cloth, w->kept};
        find_points(&search, &w->pairs.points);
        find_edges(&search, &w->pairs.edges);
    }
    w->listed = true;
}

// By vertex where there is one, in the order found; then all others in the order found.
void wf_sort_contacts(WfWorld* w) {
    WfContacts* c = &w->contacts;
    int n = w->vertex_count, at = 0;
    while (c->capacity < c->count)
        if (!grow(c, &c->all, &c->capacity, 0)) {
            c->count = 0;
            break;
        }
    for (int i = 0; i < n; i++) c->first[i] = 0;
    for (int k = 0; k < c->count; k++)
        if (c->found[k].count == 1) c->first[c->found[k].vertices[0]]++;
    for (int i = 0; i < n; i++) {
        int own = c->first[i];
        c->first[i] = at;
        at += own;
    }
    c->single_count = at;
    for (int k = 0; k < c->count; k++) {
        bool single = c->found[k].count == 1;
        c->all[single ? c->first[c->found[k].vertices[0]]++ : at++] = c->found[k];
    }
    for (int i = 0; i < n; i++) c->first[i] = -1;
    for (int k = c->single_count - 1; k >= 0; k--) c->first[c->all[k].vertices[0]] = k;
    wf_check_contacts(w);
}
