// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Even triangles on the mannequin's surface (Botsch and Kobbelt 2004): edges that are too long are
// split, those too short collapsed, those between crowded vertices flipped; then vertices move
// towards the middle of their neighbours, and back onto the surface. A few rounds of that, and the
// result is faired.
//
//      Half-edge 3 t + i runs from corner i of triangle t to the next; `twin` is the one that runs
//      back, in the neighbour, or -1 at the border. The border stays in the plane x = 0.

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "garment/mannequin_loft.h"
#include "garment/mannequin_mesh.h"

enum { ROUNDS = 8, LAST_ROUNDS = 6, FAIRINGS = 8, MOST_SPOKES = 40 };

typedef struct Even {
    const WfMannequinShape* shape;
    double edge;
    int vertex_count, triangle_count, most_vertices, most_triangles;
    double* positions;
    int* corner;  // per half-edge: the vertex where it starts, or -1: the triangle is gone
    int* twin;
    int* leaving;  // per vertex: some half-edge that starts there, or -1: the vertex is gone
} Even;

typedef struct Ring {
    int count;                // of spokes
    int spokes[MOST_SPOKES];  // half-edges that leave the vertex, counter-clockwise
    bool closed;              // false: on the border
} Ring;

static int next_of(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
static int previous_of(int h) { return h % 3 == 0 ? h + 2 : h - 1; }
static int start_of(const Even* e, int h) { return e->corner[h]; }
static int end_of(const Even* e, int h) { return e->corner[next_of(h)]; }
static int apex_of(const Even* e, int h) { return e->corner[previous_of(h)]; }
static WfVec at(const Even* e, int v) { return wf_load(e->positions, v); }

static void pair(Even* e, int h, int g) {
    if (h >= 0) e->twin[h] = g;
    if (g >= 0) e->twin[g] = h;
}

static Ring ring_of(const Even* e, int v) {
    Ring ring;  // its unused spokes are left as they are
    int first = e->leaving[v], h = first;
    ring.count = 0;
    for (int i = 0; i < MOST_SPOKES && e->twin[h] >= 0; i++) {  // back to the border
        h = next_of(e->twin[h]);
        if (h == first) break;
    }
    first = h;
    do {
        if (ring.count == MOST_SPOKES) return (Ring){0};
        ring.spokes[ring.count++] = h;
        h = e->twin[previous_of(h)];
    } while (h >= 0 && h != first);
    ring.closed = h >= 0;
    return ring;
}

static int valence(const Ring* ring) { return ring->count + !ring->closed; }

static bool are_neighbours(const Even* e, int v, int other) {
    Ring ring = ring_of(e, v);
    for (int i = 0; i < ring.count; i++)
        if (end_of(e, ring.spokes[i]) == other || apex_of(e, ring.spokes[i]) == other) return true;
    return ring.count == 0;
}

// ---------------------------------------------------------------------------------------------
// Lengths

// Hands, feet and heads have finer forms.
static double edge_at(const Even* e, WfVec p) {
    const WfJoints* j = &e->shape->joints;
    double unit = e->shape->height / 1000, along = wf_dot(wf_sub(p, j->wrist), j->arm_axis);
    double hand = p.x > j->shoulder.x + 60 * unit ? wf_rise(-60 * unit, 30 * unit, along) : 0;
    double foot = wf_rise(90 * unit, 30 * unit, p.y);
    double head = wf_rise(j->neck.y, j->head.y + 20 * unit, p.y);
    double edge = e->edge * (1 - 0.1 * head);
    double fine_foot = fmin(0.72 * e->edge, 9.5 * unit), fine_hand = fmin(0.52 * e->edge, 6 * unit);
    edge += (fine_foot - edge) * foot;
    return edge + (fine_hand - edge) * hand;
}

static double length_of(const Even* e, int h) {
    return wf_length(wf_sub(at(e, start_of(e, h)), at(e, end_of(e, h))));
}

static double relative_length(const Even* e, int h) {
    WfVec middle = wf_mul(0.5, wf_add(at(e, start_of(e, h)), at(e, end_of(e, h))));
    return length_of(e, h) / edge_at(e, middle);
}

static WfVec settled(const Even* e, WfVec p, bool border) {
    if (border) p.x = 0;
    p = wf_mannequin_project(e->shape, p);
    if (border) p.x = 0;
    return p;
}

// ---------------------------------------------------------------------------------------------
// Split, collapse, flip

static int new_triangle(Even* e, int a, int b, int c) {
    int h = 3 * e->triangle_count++;
    e->corner[h] = a;
    e->corner[h + 1] = b;
    e->corner[h + 2] = c;
    e->twin[h] = e->twin[h + 1] = e->twin[h + 2] = -1;
    return h;
}

// The half of a triangle beyond the new vertex m on its half-edge h: from a b c to a m c and m b c.
// Returns the half-edge from m to b.
static int split_triangle(Even* e, int h, int m) {
    int next = next_of(h), b = end_of(e, h), c = apex_of(e, h), beyond = e->twin[next];
    int n = new_triangle(e, m, b, c);
    e->corner[next] = m;
    pair(e, n + 1, beyond);
    pair(e, n + 2, next);
    e->leaving[m] = n;
    e->leaving[b] = n + 1;
    e->leaving[c] = n + 2;
    return n;
}

static void split(Even* e, int h) {
    if (e->vertex_count == e->most_vertices || e->triangle_count + 2 > e->most_triangles) return;
    int a = start_of(e, h), b = end_of(e, h), twin = e->twin[h];
    WfVec middle = settled(e, wf_mul(0.5, wf_add(at(e, a), at(e, b))), twin < 0);
    double limit = 0.9 * length_of(e, h);  // edges through the body do not get shorter
    if (wf_length(wf_sub(middle, at(e, a))) > limit) return;
    if (wf_length(wf_sub(middle, at(e, b))) > limit) return;
    int m = e->vertex_count++;
    wf_store(e->positions, m, middle);
    int right = split_triangle(e, h, m);  // h: a m, right: m b
    if (twin >= 0) {
        int left = split_triangle(e, twin, m);  // twin: b m, left: m a
        pair(e, h, left);
        pair(e, right, twin);
    } else {
        e->twin[right] = -1;
    }
    e->leaving[a] = h;
}

static WfVec normal_of(WfVec a, WfVec b, WfVec c) { return wf_cross(wf_sub(b, a), wf_sub(c, a)); }

// Whether the triangles around v, but those at `other`, stay upright and short when v moves to p.
static bool may_move(const Even* e, const Ring* ring, int v, int other, WfVec p) {
    for (int i = 0; i < ring->count; i++) {
        int b = end_of(e, ring->spokes[i]), c = apex_of(e, ring->spokes[i]);
        if (b == other || c == other) continue;
        WfVec before = wf_unit(normal_of(at(e, v), at(e, b), at(e, c)));
        WfVec after = wf_unit(normal_of(p, at(e, b), at(e, c)));
        if (!(wf_dot(before, after) > 0.5)) return false;
        double limit = 1.4 * edge_at(e, p);
        if (wf_length(wf_sub(p, at(e, b))) > limit || wf_length(wf_sub(p, at(e, c))) > limit)
            return false;
    }
    return true;
}

static int common_neighbours(const Even* e, const Ring* ring, int b) {
    int count = 0;
    for (int i = 0; i < ring->count; i++) count += are_neighbours(e, b, end_of(e, ring->spokes[i]));
    if (!ring->closed) count += are_neighbours(e, b, apex_of(e, ring->spokes[ring->count - 1]));
    return count;
}

// Takes the triangle of h out: what is beyond its two other edges becomes neighbours.
static void close_triangle(Even* e, int h, int keep) {
    int next = next_of(h), previous = previous_of(h), apex = apex_of(e, h);
    int beyond = e->twin[next], behind = e->twin[previous];
    pair(e, beyond, behind);
    if (beyond >= 0) e->leaving[apex] = beyond;
    if (behind >= 0) e->leaving[apex] = next_of(behind);
    if (beyond >= 0) e->leaving[keep] = next_of(beyond);
    if (behind >= 0) e->leaving[keep] = behind;
    e->corner[h] = e->corner[next] = e->corner[previous] = -1;
}

// a, where h starts, goes; b, where it ends, moves to the middle, or stays on the border.
static bool collapse(Even* e, int h) {
    int a = start_of(e, h), b = end_of(e, h), twin = e->twin[h];
    Ring around_a = ring_of(e, a), around_b = ring_of(e, b);
    if (around_a.count == 0 || around_b.count == 0) return false;
    bool border = twin < 0;
    if (!around_a.closed && (around_b.closed || !border)) return false;
    if (common_neighbours(e, &around_a, b) != (border ? 1 : 2)) return false;
    int c = apex_of(e, h), d = border ? -1 : apex_of(e, twin);
    Ring around_c = ring_of(e, c), around_d = border ? (Ring){0} : ring_of(e, d);
    if (valence(&around_c) < 5 || (!border && valence(&around_d) < 5)) return false;
    if (around_a.count + around_b.count > 12) return false;
    WfVec p = wf_mul(0.5, wf_add(at(e, a), at(e, b)));
    if (around_a.closed && !around_b.closed) p = at(e, b);
    if (!may_move(e, &around_a, a, b, p) || !may_move(e, &around_b, b, a, p)) return false;
    for (int i = 0; i < around_a.count; i++) e->corner[around_a.spokes[i]] = b;
    close_triangle(e, h, b);
    if (!border) close_triangle(e, twin, b);
    e->leaving[a] = -1;
    wf_store(e->positions, b, settled(e, p, !around_b.closed));
    return true;
}

// From the diagonal a b of the quad a d b c to d c. Triangles: h in a b c, twin in b a d.
static void flip(Even* e, int h) {
    int twin = e->twin[h], a = start_of(e, h), b = end_of(e, h);
    int c = apex_of(e, h), d = apex_of(e, twin);
    int bc = e->twin[next_of(h)], ca = e->twin[previous_of(h)];
    int ad = e->twin[next_of(twin)], db = e->twin[previous_of(twin)];
    int t = h - h % 3, s = twin - twin % 3;
    int left[3] = {d, c, a}, right[3] = {c, d, b};
    memcpy(e->corner + t, left, sizeof left);
    memcpy(e->corner + s, right, sizeof right);
    pair(e, t, s);
    pair(e, t + 1, ca);
    pair(e, t + 2, ad);
    pair(e, s + 1, db);
    pair(e, s + 2, bc);
    if (ca < 0) e->twin[t + 1] = -1;
    if (ad < 0) e->twin[t + 2] = -1;
    if (db < 0) e->twin[s + 1] = -1;
    if (bc < 0) e->twin[s + 2] = -1;
    e->leaving[a] = t + 2;
    e->leaving[b] = s + 2;
    e->leaving[c] = s;
    e->leaving[d] = t;
}

// The largest cosine of a triangle's angles: the smaller, the better.
static double worst_cosine(WfVec a, WfVec b, WfVec c) {
    WfVec p[3] = {a, b, c};
    double worst = -1;
    for (int i = 0; i < 3; i++) {
        WfVec u = wf_unit(wf_sub(p[(i + 1) % 3], p[i])), v = wf_unit(wf_sub(p[(i + 2) % 3], p[i]));
        worst = fmax(worst, wf_dot(u, v));
    }
    return worst;
}

// Whether the two triangles after a flip are there, and upright.
static bool can_flip(const Even* e, int h) {
    int twin = e->twin[h];
    if (twin < 0) return false;
    int c = apex_of(e, h), d = apex_of(e, twin);
    if (are_neighbours(e, c, d)) return false;
    WfVec a = at(e, start_of(e, h)), b = at(e, end_of(e, h)), p = at(e, c), q = at(e, d);
    WfVec left = wf_unit(normal_of(q, p, a)), right = wf_unit(normal_of(p, q, b));
    WfVec old = wf_unit(wf_add(normal_of(a, b, p), normal_of(b, a, q)));
    return wf_dot(left, right) > 0.5 && wf_dot(left, old) > 0.5 && wf_dot(right, old) > 0.5;
}

static int crowding(const Even* e, int v, int more) {
    Ring ring = ring_of(e, v);
    int off = valence(&ring) + more - (ring.closed ? 6 : 4);
    return off * off;
}

static bool flip_evens_out(const Even* e, int h) {
    int v[4] = {start_of(e, h), end_of(e, h), apex_of(e, h), apex_of(e, e->twin[h])};
    int before = 0, after = 0;
    for (int i = 0; i < 4; i++) {
        before += crowding(e, v[i], 0);
        after += crowding(e, v[i], i < 2 ? -1 : 1);
    }
    return after < before;
}

static bool flip_widens_angles(const Even* e, int h) {
    WfVec a = at(e, start_of(e, h)), b = at(e, end_of(e, h));
    WfVec c = at(e, apex_of(e, h)), d = at(e, apex_of(e, e->twin[h]));
    double before = fmax(worst_cosine(a, b, c), worst_cosine(b, a, d));
    return fmax(worst_cosine(d, c, a), worst_cosine(c, d, b)) < before - 1e-9;
}

// ---------------------------------------------------------------------------------------------
// Passes

static void split_all(Even* e) {
    int count = 3 * e->triangle_count;
    for (int h = 0; h < count; h++) {
        if (e->corner[h] < 0 || e->twin[h] > h) continue;
        if (relative_length(e, h) > 4.0 / 3) split(e, h);
    }
}

static void collapse_all(Even* e) {
    for (int h = 0; h < 3 * e->triangle_count; h++) {
        if (e->corner[h] < 0 || relative_length(e, h) > 4.0 / 5) continue;
        if (!collapse(e, h) && e->twin[h] >= 0) collapse(e, e->twin[h]);
    }
}

static void flip_all(Even* e, bool (*helps)(const Even*, int)) {
    for (int h = 0; h < 3 * e->triangle_count; h++)
        if (e->corner[h] >= 0 && e->twin[h] > h && can_flip(e, h) && helps(e, h)) flip(e, h);
}

// The middle of the triangles around a vertex, larger ones counting more; on the border, that of
// its two neighbours there.
static WfVec middle_of_ring(const Even* e, int v, const Ring* ring) {
    if (!ring->closed) {
        WfVec a = at(e, end_of(e, ring->spokes[0]));
        WfVec b = at(e, apex_of(e, ring->spokes[ring->count - 1]));
        return wf_mul(0.5, wf_add(a, b));
    }
    WfVec sum = {0, 0, 0}, here = at(e, v);
    double total = 0;
    for (int i = 0; i < ring->count; i++) {
        WfVec b = at(e, end_of(e, ring->spokes[i])), c = at(e, apex_of(e, ring->spokes[i]));
        WfVec middle = wf_mul(1.0 / 3, wf_add(here, wf_add(b, c)));
        double local = edge_at(e, middle), weight = wf_length(normal_of(here, b, c));
        weight /= local * local;
        sum = wf_madd(sum, weight, middle);
        total += weight;
    }
    return wf_mul(1 / total, sum);
}

static WfVec ring_normal(const Even* e, int v, const Ring* ring) {
    WfVec sum = {0, 0, 0};
    for (int i = 0; i < ring->count; i++) {
        WfVec b = at(e, end_of(e, ring->spokes[i])), c = at(e, apex_of(e, ring->spokes[i]));
        sum = wf_add(sum, normal_of(at(e, v), b, c));
    }
    if (!ring->closed) sum.x = 0;
    return wf_unit(sum);
}

static void smooth_all(Even* e) {
    for (int v = 0; v < e->vertex_count; v++) {
        if (e->leaving[v] < 0) continue;
        Ring ring = ring_of(e, v);
        if (ring.count == 0) continue;
        WfVec here = at(e, v), move = wf_sub(middle_of_ring(e, v, &ring), here);
        WfVec normal = ring_normal(e, v, &ring);
        move = wf_sub(move, wf_along(normal, move));
        wf_store(e->positions, v, settled(e, wf_add(here, move), !ring.closed));
    }
}

// ---------------------------------------------------------------------------------------------
// Fairing: creases where parts of the field meet are smoothed away, without shrinking what is
// larger (Taubin 1995: a step in, and a slightly longer one out). Soles stay flat.

// From a vertex to the mean of its neighbours; those of the border have theirs on both sides.
static WfVec to_neighbours(const Even* e, int v, const Ring* ring) {
    WfVec sum = {0, 0, 0};
    double total = 0;
    for (int i = 0; i < ring->count; i++) {
        double times = ring->closed || i == 0 ? 1 : 2;
        sum = wf_madd(sum, times, at(e, end_of(e, ring->spokes[i])));
        total += times;
    }
    if (!ring->closed) {
        sum = wf_add(sum, at(e, apex_of(e, ring->spokes[ring->count - 1])));
        total += 1;
    }
    WfVec move = wf_sub(wf_mul(1 / total, sum), at(e, v));
    if (!ring->closed) move.x = 0;
    return move;
}

static void fair_once(Even* e, double step, double* moves) {
    double unit = e->shape->height / 1000;
    for (int v = 0; v < e->vertex_count; v++) {
        if (e->leaving[v] < 0) continue;
        Ring ring = ring_of(e, v);
        double fine = edge_at(e, at(e, v)) / e->edge;  // hands have small forms
        double free = wf_rise(3 * unit, 15 * unit, at(e, v).y) * fine;
        wf_store(moves, v, wf_mul(step * free, to_neighbours(e, v, &ring)));
    }
    for (int v = 0; v < e->vertex_count; v++)
        if (e->leaving[v] >= 0) wf_store(e->positions, v, wf_add(at(e, v), wf_load(moves, v)));
}

static WeftResult fair(Even* e, const WeftAllocator* allocator, WeftError* error) {
    double* moves = wf_alloc(allocator, 3 * (size_t)e->vertex_count, sizeof *moves);
    if (!moves) return wf_fail_memory(error);
    for (int i = 0; i < FAIRINGS; i++) {
        fair_once(e, 0.5, moves);
        fair_once(e, -0.53, moves);
    }
    wf_free(allocator, moves);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------

// The twins of a mesh whose every edge has one or two triangles: edges by their lower vertex.
static WeftResult find_twins(Even* e, const WeftAllocator* allocator, WeftError* error) {
    int count = 3 * e->triangle_count;
    int* first = wf_alloc(allocator, (size_t)e->vertex_count, sizeof *first);
    int* after = wf_alloc(allocator, (size_t)count, sizeof *after);
    if (!first || !after) {
        wf_free(allocator, first);
        wf_free(allocator, after);
        return wf_fail_memory(error);
    }
    for (int v = 0; v < e->vertex_count; v++) first[v] = -1;
    for (int h = 0; h < count; h++) {
        int a = start_of(e, h), b = end_of(e, h), low = a < b ? a : b;
        e->twin[h] = -1;
        e->leaving[a] = h;
        for (int g = first[low]; g >= 0; g = after[g])
            if (start_of(e, g) == b && end_of(e, g) == a && e->twin[g] < 0) pair(e, h, g);
        after[h] = first[low];
        first[low] = h;
    }
    wf_free(allocator, first);
    wf_free(allocator, after);
    return WEFT_OK;
}

static WeftResult open_mesh(Even* e, const WeftAllocator* allocator, const WfSkinMesh* half,
                            WeftError* error) {
    e->vertex_count = half->vertex_count;
    e->triangle_count = half->triangle_count;
    e->most_vertices = 2 * half->vertex_count + 1000;
    e->most_triangles = 2 * half->triangle_count + 2000;
    size_t vertices = (size_t)e->most_vertices, edges = 3 * (size_t)e->most_triangles;
    e->positions = wf_alloc(allocator, 3 * vertices, sizeof *e->positions);
    e->leaving = wf_alloc(allocator, vertices, sizeof *e->leaving);
    e->corner = wf_alloc(allocator, edges, sizeof *e->corner);
    e->twin = wf_alloc(allocator, edges, sizeof *e->twin);
    if (!e->positions || !e->leaving || !e->corner || !e->twin) return wf_fail_memory(error);
    memcpy(e->positions, half->positions, 3 * (size_t)e->vertex_count * sizeof *e->positions);
    memcpy(e->corner, half->triangles, 3 * (size_t)e->triangle_count * sizeof *e->corner);
    return find_twins(e, allocator, error);
}

// Without what is gone; `leaving` becomes the new number of each vertex.
static void close_mesh(Even* e, WfSkinMesh* half) {
    half->vertex_count = half->triangle_count = 0;
    for (int v = 0; v < e->vertex_count; v++) {
        if (e->leaving[v] < 0) continue;
        wf_store(half->positions, half->vertex_count, at(e, v));
        e->leaving[v] = half->vertex_count++;
    }
    for (int h = 0; h < 3 * e->triangle_count; h += 3) {
        if (e->corner[h] < 0) continue;
        int* t = half->triangles + 3 * (long)half->triangle_count++;
        for (int i = 0; i < 3; i++) t[i] = e->leaving[e->corner[h + i]];
    }
}

static int count_alive(const int* list, int count, int step) {
    int alive = 0;
    for (int i = 0; i < count; i += step) alive += list[i] >= 0;
    return alive;
}

WeftResult wf_mannequin_even(const WfMannequinShape* shape, double edge,
                             const WeftAllocator* allocator, WfSkinMesh* half, WeftError* error) {
    Even e = {.shape = shape, .edge = edge};
    WfSkinMesh even = {0};
    WeftResult result = open_mesh(&e, allocator, half, error);
    if (result) goto done;
    smooth_all(&e);
    for (int round = 0; round < ROUNDS; round++) {
        split_all(&e);
        collapse_all(&e);
        flip_all(&e, flip_evens_out);
        smooth_all(&e);
        smooth_all(&e);
    }
    for (int round = 0; round < LAST_ROUNDS; round++) {
        flip_all(&e, flip_widens_angles);
        smooth_all(&e);
    }
    flip_all(&e, flip_widens_angles);
    result = fair(&e, allocator, error);
    if (result) goto done;
    size_t vertices = (size_t)count_alive(e.leaving, e.vertex_count, 1);
    size_t triangles = (size_t)count_alive(e.corner, 3 * e.triangle_count, 3);
    even.positions = wf_alloc(allocator, 3 * vertices, sizeof *even.positions);
    even.triangles = wf_alloc(allocator, 3 * triangles, sizeof *even.triangles);
    if (!even.positions || !even.triangles) {
        result = wf_fail_memory(error);
        goto done;
    }
    close_mesh(&e, &even);
    wf_free(allocator, half->positions);
    wf_free(allocator, half->triangles);
    *half = even;
    even = (WfSkinMesh){0};
done:
    wf_free(allocator, even.positions);
    wf_free(allocator, even.triangles);
    wf_free(allocator, e.positions);
    wf_free(allocator, e.leaving);
    wf_free(allocator, e.corner);
    wf_free(allocator, e.twin);
    return result;
}
