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
#include "base/parallel.h"
#include "contact/check.h"
#include "contact/feature.h"
#include "contact/hook.h"
#include "contact/impact.h"
#include "contact/near.h"
#include "contact/sample.h"

static const double RECOVERY = 0.5;  // m/s, how fast what is too near comes apart at most
static const double THIN = 2;        // spans over the radius of a thin body
static const double AHEAD = 0.05;    // of a radius, by which a half-space may pull a vertex onwards
static const double ACROSS = 0.75;   // of a segment and the normal at its end: the cosine
static const double ABOVE = 0.3;     // of a contact and the cloth that it is with: the cosine
enum { HALVINGS = 8, FEW_CONTACTS = 256 };
static const double LAYER_RECOVERY = 0.1;  // of the thickness in a substep, at most

void wf_contacts_destroy(WfContacts* contacts) {
    wf_free(&contacts->allocator, contacts->all);
    wf_free(&contacts->allocator, contacts->found);
    wf_free(&contacts->allocator, contacts->slots);
    wf_free(&contacts->allocator, contacts->pulls);
    contacts->all = contacts->found = NULL;
    contacts->slots = NULL;
    contacts->pulls = NULL;
    contacts->capacity = contacts->found_capacity = 0;
    contacts->slot_capacity = contacts->pull_capacity = 0;
}

// count: of those that are in it.
static bool grow(WfContacts* c, WfContact** list, int* capacity, int count, int wanted) {
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

bool wf_reserve_contacts(WfContacts* c, int count) {
    bool good = count <= c->found_capacity || grow(c, &c->found, &c->found_capacity, 0, count);
    return good && (count <= c->capacity || grow(c, &c->all, &c->capacity, 0, count));
}

WfContact* wf_add_contact(WfContacts* c) {
    int wanted = c->count < FEW_CONTACTS ? FEW_CONTACTS : 2 * c->count;
    if (c->count == c->found_capacity && !grow(c, &c->found, &c->found_capacity, c->count, wanted))
        return NULL;
    WfContact* contact = &c->found[c->count++];
    *contact = (WfContact){0};
    return contact;
}

// ---------------------------------------------------------------------------------------------
// The start of a substep

typedef struct Spans {
    const WfWorld* world;
    const double* x;
    double *sides, *spans;  // squares of the longest side of each triangle
} Spans;

static void side_block(void* context, int block) {
    const Spans* s = context;
    const WfSurface* cloth = s->world->cloth;
    for (int t = block * WF_ITEM_BLOCK; t < wf_item_end(cloth->triangle_count, block); t++) {
        const int* v = cloth->triangles + 3 * (long)t;
        double longest = 0;
        for (int k = 0; k < 3; k++) {
            WfVec side = wf_sub(wf_load(s->x, v[k]), wf_load(s->x, v[(k + 1) % 3]));
            longest = fmax(longest, wf_dot(side, side));
        }
        s->sides[t] = longest;
    }
}

static void span_block(void* context, int block) {
    const Spans* s = context;
    const WfSurface* cloth = s->world->cloth;
    for (int i = block * WF_ITEM_BLOCK; i < wf_item_end(cloth->vertex_count, block); i++) {
        double longest = 0;
        for (int k = cloth->around_start[i]; k < cloth->around_start[i + 1]; k++)
            longest = fmax(longest, s->sides[cloth->around[k]]);
        s->spans[i] = sqrt(longest / 3);
    }
}

// No point of a triangle is further from its nearest corner than the longest side over sqrt 3.
void wf_measure_spans(WfWorld* w, const double* x, double* spans) {
    Spans s = {w, x, w->sides, spans};
    wf_parallel(w->jobs, wf_item_blocks(w->cloth->triangle_count), side_block, &s);
    wf_parallel(w->jobs, wf_item_blocks(w->cloth->vertex_count), span_block, &s);
}

void wf_world_begin(WfWorld* w, const double* x, const double* v, double h) {
    w->x = x;
    w->h = h;
    if (w->vertex_count > 0) memcpy(w->origin, x, sizeof w->origin);
    w->depth = 0;
    w->pairs_found = w->pairs_kept = w->pairs_near = 0;
    w->contacts.count = w->contacts.single_count = w->contacts.layered_count = 0;
    w->contacts.failed = w->impulses.failed = false;
    w->tangles.failed = w->tangles.pairs.failed = false;
    for (int p = 0; p < WF_PURPOSES; p++) {
        w->lists[p].pairs.failed = false;
        for (int m = 0; m < w->mover_count; m++) w->movers[m].pairs[p].failed = false;
    }
    for (long i = 0; i < 3L * w->vertex_count; i++) w->ahead[i] = x[i] + h * v[i];
    bool round = false;
    for (int m = 0; m < w->mover_count; m++)
        round = round || (wf_has_between(w->movers[m].body) && !w->movers[m].off);
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
    // and its image as much
    if (body->is_mirror) return fmin(w->layer[vertex] / 2, body->most_hold);
    if (!wf_is_round(body) || wf_is_thin(w, body, vertex)) return thickness;
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

// Whether a vertex touches its image in a mirror: as near as pairs of cloth must come.
static bool meets_image(const WfWorld* w, const WfBody* body, int i, WfVec a, WfVec b) {
    double least =
        fmin(wf_body_local_distance(body, a, NULL), wf_body_local_distance(body, b, NULL));
    return least <= wf_hold(w, body, i) + w->layer_margin / 2;
}

// Whether a vertex may come to an exact body, from outside.
static bool is_near(const WfWorld* w, const WfMover* mover, int i) {
    const WfBody* body = mover->body;
    WfVec a = wf_pose_local(&mover->from, wf_load(w->x, i));
    WfVec b = wf_pose_local(&mover->to, wf_load(w->ahead, i));
    if (!wf_meets(w, mover, i)) return false;
    if ((w->tangled[i] & WF_TANGLED_BODY) && wf_body_local_distance(body, a, NULL) < 0)
        return false;
    if (body->is_mirror) return meets_image(w, body, i, a, b);
    return wf_body_local_distance(body, b, NULL) <=
           wf_hold(w, body, i) + 2 * wf_length(wf_sub(b, a)) + w->margin;
}

static void touch_exact(WfWorld* w, const WfMover* mover, int i) {
    const WfBody* body = mover->body;
    WfVec x = wf_load(w->x, i), n;
    WfVec a = wf_pose_local(&mover->from, x);
    WfVec b = wf_pose_local(&mover->to, wf_load(w->ahead, i));
    double hold = wf_hold(w, body, i), end = wf_body_local_distance(body, b, &n);
    double least = body->is_mirror ? hold : w->thickness[i];
    w->depth = fmax(w->depth, least - wf_body_local_distance(body, a, NULL));
    // the half-space that touches the body below the place ahead, where it holds the start too;
    // else, that where the vertex meets the body
    double gap = end - hold - wf_dot(n, wf_sub(b, a)), ahead = RECOVERY * w->h / 2;
    bool thin = wf_is_thin(w, body, i);
    if (thin) ahead = fmin(ahead, AHEAD * body->radius);
    if (gap < -ahead) gap = hold_start(body, a, b, hold, thin, &n);
    WfContact* contact = wf_add_contact(&w->contacts);
    if (!contact) return;
    contact->count = 1;
    contact->by = (int)(mover - w->movers) + 1;
    contact->vertices[0] = i;
    contact->weights[0] = 1;
    contact->gap = fmax(gap, -RECOVERY * w->h);
    contact->friction = wf_friction_with(w, mover, i);
    // turned on with the body, the half-space is that of the end of the substep
    contact->normal = wf_pose_turn(&mover->to, n);
    contact->carry = wf_sub(wf_pose_point(&mover->to, a), x);
}

// ---------------------------------------------------------------------------------------------
// Pairs of features

static const double NEARLY = 0.02;  // of a distance: by so much less it is to be

// Whether the pair comes as near as that on its way. What only slides along does not, whatever the
// closest points do that it has now; and pairs that stay apart need not be in any list.
static bool comes_near(const WfFeature* f, double keep) {
    long looks = WF_MOST_LOOKS;
    if (wf_closest(f, f->x1).distance - f->core < keep) return true;
    return wf_impact(f, f->core + (1 - NEARLY) * keep, NEARLY / 2 * keep, &looks) <= 1;
}

// From the closest points now to those when the pair meets, where it would meet on its way.
static bool approach(const WfFeature* f, double margin, WfClosest* c) {
    if (!(c->distance > 0)) return false;
    double start = c->distance - f->core;
    if (start <= 0) return false;
    WfVec moved = wf_sub(wf_weighted(c, f->x1), wf_weighted(c, f->x0));
    double closing = wf_dot(c->normal, moved);
    if (start + closing <= 0 || (start > f->thickness && wf_length(moved) > start)) {
        long looks = WF_MOST_LOOKS;
        double layer = fmin(f->thickness, start) / 2,
               t = wf_impact(f, f->core + layer, 0.1 * layer, &looks);
        if (t <= 1) {
            WfVec x[4];
            for (int k = 0; k < 4; k++) x[k] = wf_madd(f->x0[k], t, wf_sub(f->x1[k], f->x0[k]));
            WfClosest met = wf_closest(f, x);
            if (met.distance > 0) *c = met;
            return true;
        }
    }
    double keep = f->thickness + margin;
    return start < keep || (start + closing < keep && comes_near(f, keep));
}

static WfContact* add_feature(WfWorld* w, const WfMover* mover, const WfFeature* f,
                              const WfClosest* c) {
    int count = 0, free_count = 0;
    WfContact contact = {.normal = c->normal,
                         .friction = sqrt(f->friction_square),
                         .by = mover ? (int)(mover - w->movers) + 1 : 0};
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
    if (free_count == 0) return NULL;
    contact.count = count;
    contact.gap = wf_dot(c->normal, wf_weighted(c, f->x0)) - f->core - wf_taper_at(f, c);
    contact.gap -= f->thickness;
    // layers are springs: they are brought apart gently, or their force would be all of this
    double least = RECOVERY * w->h;
    if (count > 1) least = fmin(least, LAYER_RECOVERY * f->thickness);
    contact.gap = fmax(contact.gap, -least);
    WfContact* to = wf_add_contact(&w->contacts);
    if (to) *to = contact;
    return to;
}

// What may be near a body whose shape is a formula.
typedef struct Near {
    WfWorld* world;
    const WfMover* mover;
    WfSide cloth;
} Near;

static double part_between(const Near* near, int corner) {
    return wf_is_thin(near->world, near->mover->body, corner) ? 1 : 0.25;
}

static bool meets_triangle(const Near* near, int t) {
    return wf_meets(near->world, near->mover, near->world->cloth->triangles[3 * (long)t]);
}

static int features_between(const Near* near, int t, WfFeature features[5]) {
    const WfWorld* w = near->world;
    int corner = w->cloth->triangles[3 * (long)t];
    double reach = 2 * part_between(near, corner) * w->thickness[corner];
    return wf_round_features(w, near->mover, &near->cloth, t, reach, features);
}

static void between_block(void* context, int block) {
    const Near* near = context;
    WfFeature features[5];
    for (int t = block * WF_ITEM_BLOCK; t < wf_item_end(near->world->cloth->triangle_count, block);
         t++)
        near->world->flags[t] = !near->world->runs.far_triangles[t / WF_RUN] &&
                                meets_triangle(near, t) && features_between(near, t, features) > 0;
}

static void touch_between(const Near* near, int t) {
    WfWorld* w = near->world;
    WfFeature features[5];
    double part = part_between(near, w->cloth->triangles[3 * (long)t]);
    int count = features_between(near, t, features);
    for (int k = 0; k < count; k++) {
        WfFeature* f = &features[k];
        WfClosest c = wf_closest(f, f->x0);
        f->thickness *= part;
        if (wf_is_tangled(w, f) || !approach(f, f->thickness, &c)) continue;
        bool on_edge = f->edges && c.weights[2] < 0 && c.weights[3] < 0;
        bool inside = !f->edges && c.weights[1] < 0 && c.weights[2] < 0 && c.weights[3] < 0;
        if (on_edge || inside) add_feature(w, near->mover, f, &c);
    }
}

// What lies between the corners of triangles on round bodies.
static void find_between(Near* near) {
    WfWorld* w = near->world;
    int count = w->cloth->triangle_count;
    wf_measure_ways(w, near->mover, w->ahead);
    wf_parallel(w->jobs, wf_item_blocks(count), between_block, near);
    for (int t = 0; t < count; t++)
        if (w->flags[t]) touch_between(near, t);
}

static const double BETWEEN = 0.25;  // of the thickness: kept between vertices

// The contact of a place between vertices with a field, but for its vertices; false where it does
// not come near. Where a vertex is nearer, that is held. (With contacts everywhere, a sheet of 50
// mm cells that falls on a ball lost a fifth of its energy.)
static bool touch_sample(const Near* near, const WfSample* s, WfContact* contact) {
    const WfWorld* w = near->world;
    const WfMover* mover = near->mover;
    WfVec x = wf_sample_place(s, w->x), n;
    WfVec a = wf_pose_local(&mover->from, x);
    WfVec b = wf_pose_local(&mover->to, wf_sample_place(s, w->ahead));
    WfDip dip = wf_sample_dip(w, mover, s, BETWEEN);
    double thickness = w->thickness[s->vertices[0]], hold = dip.hold, start = dip.distance;
    if (!dip.nearest) return false;
    double end = wf_body_local_distance(mover->body, b, &n), path = wf_length(wf_sub(b, a));
    double gap = end - hold - wf_dot(n, wf_sub(b, a));
    bool passes = gap < -RECOVERY * w->h / 2;
    if (fmin(start, end) > 2 * hold && !(path > start && passes)) return false;
    if (passes) gap = hold_start(mover->body, a, b, hold, false, &n);
    *contact =
        (WfContact){.count = s->count, .friction = wf_friction_with(w, mover, s->vertices[0])};
    contact->gap = fmax(gap, -fmin(RECOVERY * w->h, LAYER_RECOVERY * thickness));
    contact->normal = wf_pose_turn(&mover->to, n);
    contact->carry = wf_sub(wf_pose_point(&mover->to, a), x);
    return true;
}

static bool is_sample_free(const WfWorld* w, const WfSample* s) {
    int free_count = 0, tangled = 0;
    for (int k = 0; k < s->count; k++) {
        free_count += !w->pinned[s->vertices[k]];
        tangled |= w->tangled[s->vertices[k]] & WF_TANGLED_BODY;
    }
    return free_count > 0 && !tangled;
}

static void add_sample(WfWorld* w, const WfSample* s, const WfContact* found) {
    WfContact* to = wf_add_contact(&w->contacts);
    if (!to) return;
    *to = *found;
    for (int k = 0; k < s->count; k++) {
        to->vertices[k] = s->vertices[k];
        to->weights[k] = s->weights[k];
    }
}

// Contacts of a triangle, where they are to be added; else how many there are.
static int touch_samples(const Near* near, int t, bool add) {
    WfWorld* w = near->world;
    WfSample samples[WF_MOST_SAMPLES];
    WfContact contact;
    int count = wf_samples_between(w->cloth, t, samples), found = 0;
    for (int k = 0; k < count; k++) {
        if (!is_sample_free(w, &samples[k]) || !touch_sample(near, &samples[k], &contact)) continue;
        if (add) add_sample(w, &samples[k], &contact);
        found++;
    }
    return found;
}

static void sample_block(void* context, int block) {
    const Near* near = context;
    WfWorld* w = near->world;
    for (int t = block * WF_ITEM_BLOCK; t < wf_item_end(w->cloth->triangle_count, block); t++) {
        double reach = 3 * w->thickness[w->cloth->triangles[3 * (long)t]];
        bool reaches = meets_triangle(near, t) && wf_may_reach_between(w, near->mover, t, reach);
        w->flags[t] = reaches && touch_samples(near, t, false) > 0;
    }
}

// What lies between the corners of triangles on distance fields.
static void find_samples(Near* near) {
    WfWorld* w = near->world;
    int count = w->cloth->triangle_count;
    wf_measure_ways(w, near->mover, w->ahead);
    wf_parallel(w->jobs, wf_item_blocks(count), sample_block, near);
    for (int t = 0; t < count; t++)
        if (w->flags[t]) touch_samples(near, t, true);
}

static void near_block(void* context, int block) {
    const Near* near = context;
    const WfWorld* w = near->world;
    for (int i = block * WF_ITEM_BLOCK; i < wf_item_end(w->vertex_count, block); i++)
        w->flags[i] =
            !w->runs.far_vertices[i / WF_RUN] && !w->pinned[i] && is_near(w, near->mover, i);
}

static void find_exact(WfWorld* w, const WfMover* mover) {
    Near near = {w, mover, wf_cloth_side(w, w->ahead)};
    wf_find_far_runs(w, mover);
    wf_parallel(w->jobs, wf_item_blocks(w->vertex_count), near_block, &near);
    for (int i = 0; i < w->vertex_count; i++)
        if (w->flags[i]) touch_exact(w, mover, i);
    if (wf_is_round(mover->body)) find_between(&near);
    if (mover->body->kind == WEFT_BODY_DISTANCE) find_samples(&near);
}

// ---------------------------------------------------------------------------------------------
// Pairs of two surfaces

typedef struct Search {
    WfWorld* world;
    const WfMover* mover;  // NULL: of cloth
    WfPairs* pairs;
    WfSides sides;
} Search;

static Search search_of(WfWorld* w, WfMover* mover) {
    WfSide cloth = wf_cloth_side(w, w->ahead);
    return (Search){w,
                    mover,
                    mover ? &mover->pairs[WF_FOR_CONTACTS] : &w->lists[WF_FOR_CONTACTS].pairs,
                    {w, cloth, mover ? wf_body_side(mover) : cloth}};
}

// Flags of the pairs of a list that may come as near as contacts do. All of them, where lists are
// good for one substep; in others there is much that is not near now. False for lack of memory.
static bool flag_near(const Search* s, WfPairKind kind, const WfPairList* list) {
    WfWorld* w = s->world;
    if (!wf_pairs_reserve_flags(s->pairs, list->count)) return false;
    unsigned char* flags = s->pairs->flags;
    if (list->count > 0) memset(flags, 1, (size_t)list->count);
    WfSift sift = wf_sift_of(w, WF_FOR_CONTACTS, s->mover);
    if (w->calm) wf_sift_flags(&sift, w->jobs, kind, list, flags);
    for (int k = 0; k < list->count; k++) w->pairs_near += flags[k];
    return true;
}

// What is seen of all pairs that are near. Edges are there for what points and triangles leave
// open, at half the thickness: two sheets that lie on each other touch at points.
typedef struct Look {
    const Search* search;
    WfPairKind kind;
    const WfPairList* list;
    unsigned char* flags;  // of those to look at; NULL: at all
} Look;

static WfFeature feature_of(const Search* s, WfPairKind kind, WfPair pair) {
    WfFeature f = wf_feature(&s->sides, kind, pair);
    if (kind == WF_EDGES) f.thickness /= 2;
    return f;
}

static WfVec normal_of(const WfSide* side, int triangle) {
    const int* v = side->surface->triangles + 3 * (long)triangle;
    WfVec a = wf_load(side->x0, v[0]);
    return wf_cross(wf_sub(wf_load(side->x0, v[1]), a), wf_sub(wf_load(side->x0, v[2]), a));
}

// Of what an edge joins: whether the one lies beside the other in the plane of the cloth, as in
// cloth that is sheared or compressed, and not above it, as in a fold.
static bool lies_beside(const Search* s, WfPairKind kind, WfPair pair, const WfFeature* f,
                        const WfClosest* c) {
    if (!f->joined) return false;
    const WfSide* side = &s->sides.second;
    bool edges = kind == WF_EDGES;
    WfVec n = normal_of(side, edges ? side->surface->edge_triangles[2 * (long)pair.b] : pair.b);
    return fabs(wf_dot(c->normal, n)) < ABOVE * wf_length(n);
}

static bool is_rope(const WfSurface* s, int edge) {
    const int* corner = s->triangles + 3 * (long)s->edge_triangles[2 * (long)edge];
    return corner[1] == corner[2];
}

static double cosine(WfVec n, WfVec a, WfVec b) {
    WfVec u = wf_sub(b, a);
    double length = wf_length(u);
    return length > 0 ? fabs(wf_dot(n, u)) / length : 1;
}

// Where an edge comes nearest by its end, points and triangles have it, but for edges of ropes.
// Ends of two segments that follow each other along a rope look at each other along it, and do not
// touch.
static bool edges_touch(const Search* s, WfPair pair, const WfFeature* f, const WfClosest* c) {
    bool first_ends = !(c->weights[0] > 0 && c->weights[1] > 0);
    bool second_ends = !(c->weights[2] < 0 && c->weights[3] < 0);
    if (first_ends && !is_rope(s->sides.second.surface, pair.b)) return false;
    if (second_ends && !is_rope(s->sides.first.surface, pair.a)) return false;
    return !first_ends || !second_ends ||
           fmax(cosine(c->normal, f->x0[0], f->x0[1]), cosine(c->normal, f->x0[2], f->x0[3])) <
               ACROSS;
}

static void look_block(void* context, int block) {
    const Look* l = context;
    const WfWorld* w = l->search->world;
    for (int k = block * WF_ITEM_BLOCK; k < wf_item_end(l->list->count, block); k++) {
        WfSight* sight = &w->sights[k];
        WfPair pair = l->list->pairs[k];
        if (l->flags && !l->flags[k]) {
            sight->near = sight->counts = false;
            continue;
        }
        WfFeature f = feature_of(l->search, l->kind, pair);
        sight->closest = wf_closest(&f, f.x0);
        sight->distance = sight->closest.distance;
        sight->tangled = wf_is_tangled(w, &f);
        sight->thickness = f.thickness;
        double margin = l->kind == WF_EDGES ? f.thickness / 2
                        : l->search->mover  ? w->margin
                                            : w->layer_margin;
        sight->near = !sight->tangled && approach(&f, margin, &sight->closest);
        sight->counts = sight->near || sight->distance - f.core < f.thickness + margin;
        if (l->kind == WF_EDGES)
            sight->near = sight->near && edges_touch(l->search, pair, &f, &sight->closest);
        sight->beside = lies_beside(l->search, l->kind, pair, &f, &sight->closest);
    }
}

static bool look_at(const Search* s, WfPairKind kind, const WfPairList* list,
                    unsigned char* flags) {
    WfWorld* w = s->world;
    Look look = {s, kind, list, flags};
    w->sights = wf_renew(&w->contacts.allocator, w->sights, &w->sight_capacity, list->count,
                         sizeof *w->sights);
    if (w->sight_capacity < list->count) {
        w->contacts.failed = true;
        return false;
    }
    wf_parallel(w->jobs, wf_item_blocks(list->count), look_block, &look);
    return true;
}

static int vertex_of(WfPairKind kind, WfPair pair) { return kind == WF_CORNERS ? pair.b : pair.a; }
static int triangle_of(WfPairKind kind, WfPair pair) {
    return kind == WF_CORNERS ? pair.a : pair.b;
}

// For each vertex of the pairs the nearest triangle; of several the one with the least number.
static void find_nearest(const Search* s, WfPairKind kind, const WfPairList* list) {
    WfWorld* w = s->world;
    for (int k = 0; k < list->count; k++) w->nearest[vertex_of(kind, list->pairs[k])] = HUGE_VAL;
    for (int k = 0; k < list->count; k++) {
        if (!w->sights[k].counts) continue;
        int vertex = vertex_of(kind, list->pairs[k]);
        int triangle = triangle_of(kind, list->pairs[k]);
        double distance = w->sights[k].distance, least = w->nearest[vertex];
        bool is = distance < least || (distance == least && triangle < w->nearest_triangle[vertex]);
        if (!is) continue;
        w->nearest[vertex] = distance;
        w->nearest_triangle[vertex] = triangle;
    }
}

// Whether a vertex and a triangle become a contact.
static bool point_touches(const WfWorld* w, WfPairKind kind, WfPair pair, const WfSight* sight) {
    const WfClosest* c = &sight->closest;
    if (!sight->near || sight->beside) return false;
    bool inside = c->weights[1] < 0 && c->weights[2] < 0 && c->weights[3] < 0;
    if (!inside && w->nearest_triangle[vertex_of(kind, pair)] != triangle_of(kind, pair))
        return false;
    // a corner of the triangle: the pair in which that is the vertex is the better one
    bool corner = c->weights[1] == -1 || c->weights[2] == -1 || c->weights[3] == -1;
    return !(corner && kind == WF_CORNERS);
}

// Flags of what becomes a contact. How far the thickness is not kept goes to where the block
// begins.
static void choose_pairs(void* context, int first, int end) {
    const Look* l = context;
    const WfWorld* w = l->search->world;
    double depth = 0;
    for (int k = first; k < end; k++) {
        const WfSight* sight = &w->sights[k];
        WfPair pair = l->list->pairs[k];
        bool edges = l->kind == WF_EDGES;
        if (!edges && sight->counts && !sight->tangled && !sight->beside)
            depth = fmax(depth, sight->thickness - w->nearest[vertex_of(l->kind, pair)]);
        l->flags[k] =
            edges ? sight->near && !sight->beside : point_touches(w, l->kind, pair, sight);
    }
    w->sights[first].depth = depth;
}

// Contacts of a list, in the order of its pairs whatever that of the list.
static void find_contacts(const Search* s, WfPairKind kind) {
    WfWorld* w = s->world;
    const WfPairList* list = wf_list_of(s->pairs, kind);
    if (!flag_near(s, kind, list) || !look_at(s, kind, list, s->pairs->flags)) return;
    if (kind != WF_EDGES) find_nearest(s, kind, list);
    Look choice = {s, kind, list, s->pairs->flags};
    wf_parallel_items(w->jobs, list->count, choose_pairs, &choice);
    for (int k = 0; k < list->count; k += WF_ITEM_BLOCK)
        w->depth = fmax(w->depth, w->sights[k].depth);
    const WfPairList* chosen = wf_pairs_pick(s->pairs, list);
    if (!look_at(s, kind, chosen, NULL)) return;
    bool sharp = s->mover && s->mover->body->sharp_count > 0 && !s->mover->deforms;
    for (int k = 0; k < chosen->count; k++) {
        WfFeature f = feature_of(s, kind, chosen->pairs[k]);
        WfContact* contact = add_feature(w, s->mover, &f, &w->sights[k].closest);
        if (contact && sharp) wf_unhook(w, s->mover, kind, chosen->pairs[k], contact);
    }
}

// A vertex in the plane of a mirror goes along it, as contacts on both sides of it would have it.
static void lay_along(const WfPlane* mirror, WfContact* c) {
    WfVec normal = wf_plane_flatten(mirror, c->normal);
    double along = wf_length(normal);
    if (along < WF_LEAST_ALONG) {
        c->gap = fmax(c->gap, 0);
        c->friction = 0;
        return;
    }
    c->normal = wf_mul(1 / along, normal);
    c->gap /= along;
    c->carry = wf_plane_flatten(mirror, c->carry);
}

static void lay_all_along(WfWorld* w) {
    for (int k = 0; k < w->contacts.count && w->mirror.count > 0; k++) {
        WfContact* c = &w->contacts.found[k];
        if (c->count == 1 && wf_plane_holds(&w->mirror, c->vertices[0])) lay_along(&w->mirror, c);
    }
}

bool wf_touches_between(const WfWorld* w) {
    bool any = false;
    for (int m = 0; m < w->mover_count; m++)
        any = any || (wf_has_between(w->movers[m].body) && !w->movers[m].off);
    return any;
}

void wf_find_body_contacts(WfWorld* w) {
    w->mirror_contacts = 0;
    if (wf_touches_between(w)) wf_box_runs(w, w->ahead);
    for (int m = 0; m < w->mover_count; m++) {
        WfMover* mover = &w->movers[m];
        if (mover->off) continue;
        if (mover->body->exact) {
            int before = w->contacts.count;
            find_exact(w, mover);
            if (mover->body->is_mirror) w->mirror_contacts += w->contacts.count - before;
            continue;
        }
        Search search = search_of(w, mover);
        for (WfPairKind kind = WF_POINTS; kind <= WF_EDGES; kind++) find_contacts(&search, kind);
    }
    lay_all_along(w);
}

void wf_find_self_contacts(WfWorld* w) {
    if (!w->self) return;
    Search search = search_of(w, NULL);
    find_contacts(&search, WF_POINTS);
    find_contacts(&search, WF_EDGES);
}

static bool make_slots(WfContacts* c, int layers) {
    int slots = 4 * layers;
    c->pulls = wf_renew(&c->allocator, c->pulls, &c->pull_capacity, layers, sizeof *c->pulls);
    c->slots = wf_renew(&c->allocator, c->slots, &c->slot_capacity, slots, sizeof *c->slots);
    bool made = c->pull_capacity >= layers && c->slot_capacity >= slots;
    c->failed = c->failed || !made;
    return made;
}

// The layers of each vertex, in their order. `places`: scratch, per vertex.
static void find_slots(WfContacts* c, int* places) {
    int layers = c->count - c->single_count;
    const WfContact* all = c->all + c->single_count;
    c->layered_count = 0;
    if (!make_slots(c, layers)) return;
    for (int k = 0; k < layers; k++)
        for (int v = 0; v < all[k].count; v++) places[all[k].vertices[v]] = -1;
    for (int k = 0; k < layers; k++)
        for (int v = 0; v < all[k].count; v++) {
            int i = all[k].vertices[v];
            if (places[i] < 0) {
                places[i] = c->layered_count;
                c->layered[c->layered_count] = i;
                c->slot_start[++c->layered_count] = 0;
            }
            c->slot_start[places[i] + 1]++;
        }
    c->slot_start[0] = 0;
    for (int l = 0; l < c->layered_count; l++) c->slot_start[l + 1] += c->slot_start[l];
    int end = c->slot_start[c->layered_count];
    for (int k = layers - 1; k >= 0; k--)
        for (int v = 0; v < all[k].count; v++)
            c->slots[--c->slot_start[places[all[k].vertices[v]] + 1]] =
                (WfSlot){k, all[k].weights[v]};
    for (int l = 0; l < c->layered_count; l++) c->slot_start[l] = c->slot_start[l + 1];
    c->slot_start[c->layered_count] = end;
}

// By vertex where there is one, in the order found; then all others in the order found.
void wf_sort_contacts(WfWorld* w) {
    WfContacts* c = &w->contacts;
    int n = w->vertex_count, at = 0;
    if (c->capacity < c->count && !grow(c, &c->all, &c->capacity, 0, c->found_capacity))
        c->count = 0;
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
    find_slots(c, w->nearest_triangle);
    wf_check_contacts(w);
}
