// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patches of cloth inside a body, and which way they get out: as the contours around them go; where
// they have none, along the mean normal of the surface of the body, or that of the patch itself
// where the former has no direction, as in a sheet through the middle of a sphere. Contacts of
// single vertices, which go to the nearest place of the surface, would tear such a patch apart;
// they bring out what is shallow.
//
// Of a mesh, contours say what is inside. A piece of cloth that has none is wholly inside or
// outside, and the winding number of one vertex tells. It leaves along the direction, of a few, in
// which it is out soonest. What lies below the skin of a mesh all around it, as a shirt in a body
// that has grown, goes out everywhere at once: triangle by triangle, to the nearest places.

#include <math.h>
#include <string.h>

#include "base/links.h"
#include "contact/near.h"
#include "contact/sample.h"
#include "contact/solid.h"
#include "contact/untangle.h"
#include "contact/world.h"

static const double AGREED = 0.25;  // of the ways of all crossings must be left in their sum
static const double DEEP = 0.3;     // of a radius: deeper, a patch leaves round bodies as one
static const double SKIN = 0.3;     // of half of the smallest extent of a mesh: deeper, too,
static const double TORN = 0.1;     // as where more of its edges would be torn, or vertices blocked
static const double BLOCKED = 4;    // reaches of a mesh: a way out that ends in another body

enum { SAMPLES = 16, DIRECTIONS = 17 };  // vertices of a patch that look for the way out, and where

// ---------------------------------------------------------------------------------------------
// Which vertices are inside

// Distance and outward normal of the solids whose inside is known without a search.
static double solid_distance(const WfMover* mover, WfVec p, WfVec* normal) {
    const WfBody* body = mover->body;
    if (body->exact) return wf_body_distance(body, &mover->from, p, normal);
    WfVec local = wf_pose_local(&mover->from, p);
    const double x[3] = {local.x, local.y, local.z};
    double depth = -HUGE_VAL, n[3] = {0, 0, 0};
    int nearest = 0;
    for (int k = 0; k < 3; k++)
        if (fabs(x[k]) - body->size[k] / 2 > depth) {
            depth = fabs(x[k]) - body->size[k] / 2;
            nearest = k;
        }
    n[nearest] = x[nearest] < 0 ? -1 : 1;
    *normal = wf_pose_turn(&mover->from, wf_load(n, 0));
    return depth;
}

// Whether a vertex has nothing to do with a body, by its layers.
static bool is_apart(const WfMover* mover, const WfWorld* w, int i) {
    return mover->meets && !mover->meets[w->cloth_of[i]];
}

static void find_in_solid(WfWorld* w, const WfMover* mover) {
    WfTangles* t = &w->tangles;
    for (int i = 0; i < w->vertex_count; i++) {
        WfPatch* patch = &t->patches[i];
        patch->depth = -solid_distance(mover, wf_load(w->x, i), &patch->outward);
        t->inside[i] = patch->depth > WF_TOUCHES && !is_apart(mover, w, i);
    }
}

// Whether p, going out along d by `far`, is not clear of other bodies there.
static bool is_blocked(const WfWorld* w, WfVec p, double far, WfVec d) {
    WfVec end = wf_madd(p, far + w->stray, d), n;
    for (int m = 0; m < w->mover_count; m++) {
        const WfMover* mover = &w->movers[m];
        if (wf_is_mesh(mover->body) || mover->off) continue;
        if (solid_distance(mover, end, &n) < 0) return true;
    }
    return false;
}

static void find_in_mesh(WfWorld* w, int m) {
    WfTangles* t = &w->tangles;
    const WfMover* mover = &w->movers[m];
    for (int i = 0; i < w->vertex_count; i++) {
        WfPatch* patch = &t->patches[i];
        t->inside[i] = t->in_mesh[i] == 1 + m;
        if (!t->inside[i]) continue;
        patch->depth = wf_solid_depth(&mover->tree, mover->x0, wf_load(w->x, i), &patch->outward);
        patch->blocked_count = is_blocked(w, wf_load(w->x, i), patch->depth, patch->outward);
        t->outward[i] = patch->outward;
    }
}

// Corners of a triangle or ends of a segment that are different.
static int cell_size(const int* v) { return v[1] == v[2] ? 2 : 3; }

static bool is_inside(const WfTangles* t, const int* vertices, int count) {
    for (int k = 0; k < count; k++)
        if (!t->inside[vertices[k]]) return false;
    return true;
}

static void count_edges(WfWorld* w) {
    WfTangles* t = &w->tangles;
    for (int e = 0; e < w->cloth->edge_count; e++) {
        const int* ends = w->cloth->edges + 2 * (long)e;
        if (!is_inside(t, ends, 2)) continue;
        WfPatch* patch = &t->patches[wf_first_linked(t->patch_of, ends[0])];
        patch->edge_count++;
        patch->torn_count += wf_dot(t->outward[ends[0]], t->outward[ends[1]]) < 0;
    }
}

static void join_patches(WfWorld* w) {
    WfTangles* t = &w->tangles;
    for (int i = 0; i < w->vertex_count; i++) t->patch_of[i] = i;
    for (int e = 0; e < w->cloth->edge_count; e++) {
        const int* ends = w->cloth->edges + 2 * (long)e;
        if (is_inside(t, ends, 2)) wf_link(t->patch_of, ends[0], ends[1]);
    }
    for (int i = 0; i < w->vertex_count; i++) {
        WfPatch* patch = &t->patches[wf_first_linked(t->patch_of, i)];
        if (!t->inside[i]) continue;
        patch->vertex_count++;
        if (patch == &t->patches[i]) continue;
        patch->outward = wf_add(patch->outward, t->patches[i].outward);
        patch->depth = fmax(patch->depth, t->patches[i].depth);
        patch->blocked_count += t->patches[i].blocked_count;
    }
    for (int k = 0; k < w->cloth->triangle_count; k++) {
        const int* v = w->cloth->triangles + 3 * (long)k;
        if (!is_inside(t, v, 3)) continue;
        WfVec a = wf_load(w->x, v[0]);
        WfVec b = wf_sub(wf_load(w->x, v[1]), a), c = wf_sub(wf_load(w->x, v[2]), a);
        WfPatch* patch = &t->patches[wf_first_linked(t->patch_of, v[0])];
        patch->normal = wf_add(patch->normal, wf_cross(b, c));
        patch->cell_count++;
    }
}

static void follow_crossings(WfWorld* w, int m) {
    WfTangles* t = &w->tangles;
    for (int k = 0; k < t->count; k++) {
        const WfCrossing* c = &t->all[k];
        const int* v = c->body_edge ? w->cloth->triangles + 3 * (long)c->triangle
                                    : w->cloth->edges + 2 * (long)c->edge;
        for (int i = 0; i < (c->body_edge ? 3 : 2) && c->mover == m; i++) {
            WfPatch* patch = &t->patches[wf_first_linked(t->patch_of, v[i])];
            if (!t->inside[v[i]]) continue;
            patch->way = wf_madd(patch->way, c->body_edge ? -1 : 1, c->way);
            patch->way_count++;
        }
    }
}

static WfVec way_out(const WfPatch* patch) {
    if (wf_dot(patch->exit, patch->exit) > 0) return patch->exit;
    if (patch->way_count > 0 && wf_length(patch->way) > AGREED * patch->way_count)
        return wf_unit(patch->way);
    if (wf_length(patch->outward) > 0.5 * patch->vertex_count) return wf_unit(patch->outward);
    WfVec normal = wf_unit(patch->normal);
    double side = wf_dot(normal, wf_add(patch->outward, patch->way));
    if (fabs(side) < 1e-3 * patch->vertex_count) side = normal.y;  // as well up as down: up
    WfVec way = side < 0 ? wf_mul(-1, normal) : normal;
    return wf_length(way) > 0 ? way : wf_unit(patch->outward);
}

// Contacts of single vertices bring it out.
static bool is_shallow(const WfBody* body, const WfPatch* patch) {
    if (!body->exact) return false;
    double size = wf_is_round(body) ? body->radius : body->least_size;
    return body->kind == WEFT_BODY_PLANE || patch->depth < DEEP * size;
}

// Its triangles go to the nearest places of the surface, each for itself.
static bool is_skin(const WfBody* body, const WfPatch* patch) {
    return wf_is_mesh(body) && patch->depth < SKIN * body->least_size &&
           patch->torn_count <= TORN * patch->edge_count &&
           patch->blocked_count <= TORN * patch->vertex_count;
}

static WfVec cell_way(const WfTangles* t, const WfBody* body, const WfPatch* patch, const int* v) {
    if (!is_skin(body, patch)) return way_out(patch);
    WfVec sum = wf_add(t->outward[v[0]], wf_add(t->outward[v[1]], t->outward[v[2]]));
    return wf_length(sum) > 0.5 ? wf_unit(sum) : way_out(patch);
}

static void pull_cell(WfWorld* w, const WfMover* mover, int cell) {
    static const double thirds[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3}, halves[2] = {0.5, 0.5};
    WfTangles* t = &w->tangles;
    const int* v = w->cloth->triangles + 3 * (long)cell;
    int count = cell_size(v);
    if (!is_inside(t, v, count)) return;
    const WfPatch* patch = &t->patches[wf_first_linked(t->patch_of, v[0])];
    if (is_shallow(mover->body, patch)) return;
    for (int k = 0; k < count; k++) w->tangled[v[k]] |= WF_TANGLED_BODY;
    double reach = wf_pull_reach(w, w->cloth->triangle_edges[3 * (long)cell]);
    WfContact* c = wf_pull(w, v, count == 3 ? thirds : halves, count,
                           cell_way(t, mover->body, patch, v), reach);
    if (c) c->carry = wf_body_carry(mover, wf_load(w->x, v[0]));
}

// ---------------------------------------------------------------------------------------------
// Cloth that is wholly inside of a mesh

static void join_pieces(WfWorld* w) {
    int* piece_of = w->tangles.piece_of;
    for (int i = 0; i < w->vertex_count; i++) piece_of[i] = i;
    for (int e = 0; e < w->cloth->edge_count; e++)
        wf_link(piece_of, w->cloth->edges[2 * (long)e], w->cloth->edges[2 * (long)e + 1]);
}

static void mark_crossed(WfWorld* w, int m) {
    WfTangles* t = &w->tangles;
    memset(t->piece_placed, WF_PLACED_APART, (size_t)w->vertex_count);
    for (int k = 0; k < t->count; k++) {
        const WfCrossing* c = &t->all[k];
        int i = c->body_edge ? w->cloth->triangles[3 * (long)c->triangle]
                             : w->cloth->edges[2 * (long)c->edge];
        if (c->mover == m) t->piece_placed[wf_first_linked(t->piece_of, i)] = WF_PLACED_CROSSED;
    }
}

static bool is_in_box(const WfTree* tree, WfVec p) {
    const WfSpan* box = &tree->boxes[0];  // of all
    WfVec seen = wf_tree_seen(tree, p);
    const double x[3] = {seen.x, seen.y, seen.z};
    for (int k = 0; k < 3; k++)
        if (-x[k] > (double)box->minus_low[k] || x[k] > (double)box->high[k]) return false;
    return true;
}

static void find_pieces_in(WfWorld* w, int m) {
    WfTangles* t = &w->tangles;
    const WfMover* mover = &w->movers[m];
    mark_crossed(w, m);
    for (int i = 0; i < w->vertex_count; i++) {
        WfVec p = wf_load(w->x, i);
        if (t->piece_of[i] != i || t->piece_placed[i] == WF_PLACED_CROSSED) continue;
        if (is_apart(mover, w, i)) continue;
        if (is_in_box(&mover->tree, p) && wf_winding(&mover->body->surface, mover->x0, p) > 0)
            t->piece_placed[i] = WF_PLACED_INSIDE;
    }
    for (int i = 0; i < w->vertex_count; i++)
        if (t->piece_placed[wf_first_linked(t->piece_of, i)] == WF_PLACED_INSIDE &&
            t->in_mesh[i] == 0)
            t->in_mesh[i] = 1 + m;
}

void wf_find_enclosed(WfWorld* w) {
    bool joined = false;
    for (int m = 0; m < w->mover_count; m++) {
        const WfBody* body = w->movers[m].body;
        if (!wf_is_mesh(body) || !body->solid || w->movers[m].off) continue;
        if (!joined) join_pieces(w);
        joined = true;
        find_pieces_in(w, m);
    }
}

// How far samples of a patch go until the last one is out.
static double exit_distance(const WfWorld* w, const WfMover* mover, const int* samples, int count,
                            WfVec d) {
    double most = 0;
    for (int k = 0; k < count; k++) {
        WfVec p = wf_load(w->x, samples[k]);
        double far = wf_solid_exit(&mover->tree, mover->x0, p, d);
        most = fmax(most, far);
        if (far < HUGE_VAL && is_blocked(w, p, far, d))
            most = fmax(most, BLOCKED * mover->body->reach);
    }
    return most;
}

static int take_samples(WfTangles* t, int vertex_count, int last, int samples[SAMPLES]) {
    int step = 1 + (t->patches[last].vertex_count - 1) / SAMPLES, seen = 0, count = 0;
    for (int i = 0; i < vertex_count; i++)
        if (t->inside[i] && wf_first_linked(t->patch_of, i) == last && seen++ % step == 0)
            samples[count++] = i;
    return count;
}

// Up before down; then the diagonals, across the patch, and to where its surface is nearest.
static WfVec exit_direction(const WfPatch* patch, int k) {
    static const double axes[6][3] = {{0, 1, 0}, {1, 0, 0},  {-1, 0, 0},
                                      {0, 0, 1}, {0, 0, -1}, {0, -1, 0}};
    if (k < 6) return wf_load(axes[k], 0);
    k -= 6;
    if (k < 8) return wf_unit((WfVec){k & 1 ? -1 : 1, k & 4 ? -1 : 1, k & 2 ? -1 : 1});
    if (k == 10) return wf_unit(patch->outward);
    return wf_mul(k == 8 ? 1 : -1, wf_unit(patch->normal));
}

static void find_exits(WfWorld* w, const WfMover* mover) {
    WfTangles* t = &w->tangles;
    int samples[SAMPLES];
    for (int i = 0; i < w->vertex_count; i++) {
        WfPatch* patch = &t->patches[i];
        if (!t->inside[i] || t->patch_of[i] != i || patch->way_count > 0) continue;
        if (is_skin(mover->body, patch)) continue;
        int count = take_samples(t, w->vertex_count, i, samples);
        double least = HUGE_VAL;
        for (int k = 0; k < DIRECTIONS; k++) {
            WfVec d = exit_direction(patch, k);
            double far = wf_dot(d, d) > 0 ? exit_distance(w, mover, samples, count, d) : HUGE_VAL;
            if (!(far < least)) continue;
            least = far;
            patch->exit = d;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Triangles that cut a body between their corners

static WfVec weighted_place(const WfVec x[3], const double weights[3]) {
    WfVec sum = wf_mul(weights[0], x[0]);
    return wf_madd(wf_madd(sum, weights[1], x[1]), weights[2], x[2]);
}

// The place of a triangle that is nearest to a round body: its weights. Returns how far it is
// outside, and the way there from the axis.
static double from_axis(const WfMover* mover, const WfVec x[3], double weights[3], WfVec* away) {
    const WfBody* body = mover->body;
    double least = HUGE_VAL, taper = body->radii[1] - body->radii[0];
    WfVec ends[2];
    for (int k = 0; k < 2; k++) {
        double w[3];
        ends[k] = wf_pose_point(&mover->from, (WfVec){0, body->ends[k], 0});
        double far = sqrt(wf_near_point_triangle(ends[k], x[0], x[1], x[2], w)) - body->radii[k];
        if (!(far < least)) continue;
        least = far;
        memcpy(weights, w, sizeof w);
        *away = wf_sub(weighted_place(x, weights), ends[k]);
    }
    for (int k = 0; k < 3 && body->ends[1] > body->ends[0]; k++) {
        WfVec a = x[k], b = x[(k + 1) % 3];
        double w[2];
        double square = taper != 0 ? wf_near_edge_tapered(ends[0], ends[1], taper, a, b, w)
                                   : wf_near_edge_edge(ends[0], ends[1], a, b, w);
        double far = sqrt(square) - (body->radii[0] + w[0] * taper);
        if (!(far < least)) continue;
        least = far;
        weights[k] = 1 - w[1];
        weights[(k + 1) % 3] = w[1];
        weights[(k + 2) % 3] = 0;
        *away =
            wf_sub(weighted_place(x, weights), wf_madd(ends[0], w[0], wf_sub(ends[1], ends[0])));
    }
    return least;
}

static bool lifts(WfWorld* w, const WfMover* mover, const int* v) {
    WfVec x[3], away;
    double weights[3];
    for (int k = 0; k < 3; k++) x[k] = wf_load(w->x, v[k]);
    double depth = -from_axis(mover, x, weights, &away);
    if (depth < WF_TOUCHES) return false;
    if (!(wf_length(away) > 0)) away = wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0]));
    if (cell_size(v) == 2) weights[1] += weights[2];
    WfContact* c = wf_pull(w, v, weights, cell_size(v), wf_unit(away), depth + w->thickness[v[0]]);
    if (c) c->carry = wf_body_carry(mover, x[0]);
    return c != NULL;
}

// The same of a distance field: the deepest of its samples.
static bool lifts_sample(WfWorld* w, const WfMover* mover, int triangle) {
    WfSample samples[WF_MOST_SAMPLES];
    int count = wf_samples_between(w->cloth, triangle, samples), deepest = -1;
    double depth = WF_TOUCHES;
    WfVec n, away = {0, 0, 0};
    for (int k = 0; k < count; k++) {
        WfVec place = wf_sample_place(&samples[k], w->x);
        double inside = -wf_body_distance(mover->body, &mover->from, place, &n);
        if (!(inside > depth)) continue;
        depth = inside;
        deepest = k;
        away = n;
    }
    if (deepest < 0) return false;
    const WfSample* s = &samples[deepest];
    WfContact* c =
        wf_pull(w, s->vertices, s->weights, s->count, away, depth + w->thickness[s->vertices[0]]);
    if (c) c->carry = wf_body_carry(mover, wf_load(w->x, s->vertices[0]));
    return c != NULL;
}

static int lift_triangles(WfWorld* w, const WfMover* mover) {
    int count = 0;
    if (!wf_has_between(mover->body)) return 0;
    for (int k = 0; k < w->cloth->triangle_count; k++) {
        const int* v = w->cloth->triangles + 3 * (long)k;
        bool outside = !is_apart(mover, w, v[0]);
        WfVec n;
        for (int i = 0; i < 3 && outside; i++)
            outside = outside && solid_distance(mover, wf_load(w->x, v[i]), &n) > -WF_TOUCHES;
        if (!outside) continue;
        count += wf_is_round(mover->body) ? lifts(w, mover, v) : lifts_sample(w, mover, k);
    }
    return count;
}

// ---------------------------------------------------------------------------------------------

int wf_pull_inside(WfWorld* w, int m) {
    WfTangles* t = &w->tangles;
    const WfMover* mover = &w->movers[m];
    int count = lift_triangles(w, mover), inside = 0;
    memset(t->patches, 0, (size_t)w->vertex_count * sizeof *t->patches);
    memset(t->inside, 0, (size_t)w->vertex_count);
    if (wf_is_mesh(mover->body))
        find_in_mesh(w, m);
    else
        find_in_solid(w, mover);
    for (int i = 0; i < w->vertex_count; i++) inside += t->inside[i] && !w->pinned[i];
    if (inside == 0) return count;
    join_patches(w);
    follow_crossings(w, m);
    if (wf_is_mesh(mover->body)) {
        count_edges(w);
        find_exits(w, mover);
    }
    for (int k = 0; k < w->cloth->triangle_count; k++) pull_cell(w, mover, k);
    return count + inside;
}
