// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cutting a mesh at a plane, so that good triangles come out.
//
// A cut through a triangle close to one of its corners leaves a sliver. So vertices come onto the
// plane first, along an edge that crosses it, where that is a short way; what still crosses is
// split:
//
//        o-------o             o-------o        v is nearer to the plane than NEAR of the edge
//       / \     / \           / \     / \       to w: it moves along that edge, in space and in
//      /   \   /   \         /   \   /   \      the flat shape, and is then the edge's cut
//   --/-----\-/-----\--   --/-----\ /-----\--
//    o-------v-------o     o-------v-------o
//     \     / \     /
//      o---w---o---o
//
// Nearest ones go first, and a vertex stays where it is when a triangle before the plane would lose
// most of its area, or lie in the plane, or meet another one there. A vertex of the outline or of a
// seam moves along it, if at all, where that is straight: outlines and seams keep their shape, and
// both flat edges of a seam are cut at the same part of their length. Where that is not enough, it
// may leave them by VERY_NEAR of an edge: else cuts of several edges would be at one place, and
// what is between them would have no area.
//
// The price is corners near the plane, and outlines that run along it: thin triangles are left
// there. Which NEAR, by 60 planes through each of four discs, three grids and a regular mesh;
// triangles at the plane, smallest angle in degrees and smallest height over the edge, away from
// corners:
//
//     NEAR              0      0.1    0.2    0.25   0.3    0.35   0.4    0.45
//     worst angle       0.06   2.4    7.0    7.0    9.5    12.6   13.6   11.1
//     worst in 100      0.4    6.3    11.8   14.1   15.4   17.6   19.5   19.7
//     least height      0.001  0.04   0.08   0.08   0.11   0.13   0.13   0.15
//
// Projecting is simpler: what has a vertex before the plane is kept, and vertices beyond it are
// moved straight onto it. (Vertices closer than TOUCHING of an edge are on it: their triangles
// would have no area.) Their points in the flat shape follow by the linear maps from space to the
// flat shape of their triangles, so that the cloth is not strained by it. One triangle in a hundred
// at the plane has an angle below a degree then.

#include "mesh/halve.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mesh/topology.h"

#define NEAR 0.4             // part of an edge along which a vertex may move
#define VERY_NEAR 0.05       // part of an edge along which it may move from its outline or seam
#define TOUCHING 0.005       // the same before vertices are projected
#define LEAST_SHARE 0.3      // of its area that a triangle keeps when its vertices move
#define STRAIGHT 0.86602540  // cos 30 degrees: lines that turn by less are straight
#define SPECK 1e-3           // of the mean area: what cutting leaves below it is dropped

typedef struct Halver {
    const WeftAllocator* allocator;
    const WeftMesh* mesh;
    const WfMirror* mirror;
    WfTopology topology;
    int edge_count;  // those of triangles, then the segments of ropes
    int* ropes;      // 2 per segment
    double mean_area;
    double* heights;       // per vertex: above the plane, exactly 0 on it
    double* positions;     // as moved
    double* flat;          // 6 per triangle, as moved, or NULL
    int* toward;           // per vertex: the one it was moved to, or itself
    double* parts;         // per vertex: how far
    unsigned char* moved;  // per vertex
    WfKey *keys, *spare;   // 2 per edge
    unsigned char* used;   // per vertex, then per cut
    double* cut_parts;     // per cut, from its smaller vertex
    double* cut_positions;
} Halver;

// ---------------------------------------------------------------------------------------------
// The mesh as it was, and as it is

static const int* edge_ends(const Halver* h, int e) {
    int own = h->topology.edge_count;
    return e < own ? h->topology.edges + 2 * (long)e : h->ropes + 2 * (long)(e - own);
}

static bool crosses(const Halver* h, int a, int b) {
    return (h->heights[a] > 0 && h->heights[b] < 0) || (h->heights[a] < 0 && h->heights[b] > 0);
}

static WfVec mix(WfVec a, WfVec b, double part) {
    return wf_add(wf_mul(1 - part, a), wf_mul(part, b));
}

// A corner at rest: in the flat shape, or in space where there is none.
static WfVec old_rest(const Halver* h, int t, int k) {
    const WeftMesh* mesh = h->mesh;
    long c = 3 * (long)t + k;
    if (!mesh->material) return wf_load(mesh->positions, mesh->triangles[c]);
    long p = mesh->triangle_material ? mesh->triangle_material[c] : mesh->triangles[c];
    return (WfVec){mesh->material[2 * p], mesh->material[2 * p + 1], 0};
}

static WfVec rest(const Halver* h, int t, int k) {
    long c = 3 * (long)t + k;
    if (!h->flat) return wf_load(h->positions, h->mesh->triangles[c]);
    return (WfVec){h->flat[2 * c], h->flat[2 * c + 1], 0};
}

static void set_rest(Halver* h, int t, int k, WfVec x) {
    long c = 3 * (long)t + k;
    if (!h->flat) return;
    h->flat[2 * c] = x.x;
    h->flat[2 * c + 1] = x.y;
}

// twice as long as the area is large
static WfVec normal_of(WfVec a, WfVec b, WfVec c) { return wf_cross(wf_sub(b, a), wf_sub(c, a)); }

static WfVec old_normal(const Halver* h, int t) {
    return normal_of(old_rest(h, t, 0), old_rest(h, t, 1), old_rest(h, t, 2));
}

// negative where it faces against triangle t as it was
static double area_along(const Halver* h, int t, const WfVec x[3]) {
    return wf_dot(normal_of(x[0], x[1], x[2]), wf_unit(old_normal(h, t))) / 2;
}

static int corner_at(const Halver* h, int t, int v) {
    const int* corners = h->mesh->triangles + 3 * (long)t;
    for (int k = 0; k < 3; k++)
        if (corners[k] == v) return k;
    return -1;
}

static bool same_point(WfVec a, WfVec b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// ---------------------------------------------------------------------------------------------
// What a displacement in space is in the flat shape

static bool is_before(const Halver* h, int t) {
    const int* v = h->mesh->triangles + 3 * (long)t;
    return h->heights[v[0]] > 0 || h->heights[v[1]] > 0 || h->heights[v[2]] > 0;
}

// Where the flat shape of triangle t has a displacement of its corner k: in the plane of the
// triangle, displacement = s e + r f with its edges e and f, and the same s and r in the flat
// shape.
static WfVec flat_displacement(const Halver* h, int t, int k, WfVec displacement) {
    const int* v = h->mesh->triangles + 3 * (long)t;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    WfVec x = wf_load(h->mesh->positions, v[k]), o = old_rest(h, t, k);
    WfVec e = wf_sub(wf_load(h->mesh->positions, v[i]), x);
    WfVec f = wf_sub(wf_load(h->mesh->positions, v[j]), x);
    double ee = wf_dot(e, e), ef = wf_dot(e, f), ff = wf_dot(f, f), det = ee * ff - ef * ef;
    double de = wf_dot(displacement, e), df = wf_dot(displacement, f);
    if (!(det > 0)) return (WfVec){0, 0, 0};
    double s = (de * ff - df * ef) / det, r = (df * ee - de * ef) / det;
    return wf_madd(wf_mul(s, wf_sub(old_rest(h, t, i), o)), r, wf_sub(old_rest(h, t, j), o));
}

// Where a point of the flat shape goes when its vertex v is displaced: the mean of what its
// triangles before the plane say.
static WfVec displaced(const Halver* h, int v, WfVec point, WfVec displacement) {
    const WfTopology* topology = &h->topology;
    WfVec sum = {0, 0, 0};
    int count = 0;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i], k = corner_at(h, t, v);
        if (!is_before(h, t) || !same_point(old_rest(h, t, k), point)) continue;
        sum = wf_add(sum, flat_displacement(h, t, k, displacement));
        count++;
    }
    return count > 0 ? wf_madd(point, 1.0 / count, sum) : point;
}

static void project_flat(Halver* h, int v, WfVec displacement) {
    const WfTopology* topology = &h->topology;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i], k = corner_at(h, t, v);
        set_rest(h, t, k, displaced(h, v, old_rest(h, t, k), displacement));
    }
}

// ---------------------------------------------------------------------------------------------
// Onto the plane along edges

// Edges of the boundary, and those with two flat edges.
static bool is_line(const Halver* h, int a, int b) {
    int e = wf_topology_edge(&h->topology, a, b);
    const int* t = h->topology.edge_triangles + 2 * (long)e;
    if (t[1] < 0) return true;
    return !same_point(old_rest(h, t[0], corner_at(h, t[0], a)),
                       old_rest(h, t[1], corner_at(h, t[1], a))) ||
           !same_point(old_rest(h, t[0], corner_at(h, t[0], b)),
                       old_rest(h, t[1], corner_at(h, t[1], b)));
}

// The other ends of lines at v, three at most.
static int find_lines(const Halver* h, int v, int ends[3]) {
    const WfTopology* topology = &h->topology;
    int count = 0;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        for (int k = 0; k < 3; k++) {
            int w = h->mesh->triangles[3 * (long)topology->star[i] + k];
            if (w == v || (count > 0 && w == ends[0]) || (count > 1 && w == ends[1])) continue;
            if (is_line(h, v, w)) ends[count++] = w;
            if (count == 3) return count;
        }
    }
    return count;
}

// Whether the line through v is straight in the flat shape, on either side of a seam.
static bool is_straight(const Halver* h, int v, const int ends[2]) {
    const int* edges[2];
    for (int i = 0; i < 2; i++)
        edges[i] =
            h->topology.edge_triangles + 2 * (long)wf_topology_edge(&h->topology, v, ends[i]);
    for (int i = 0; i < 4; i++) {
        int s = edges[0][i / 2], t = edges[1][i % 2];
        if (s < 0 || t < 0) continue;
        WfVec p = old_rest(h, s, corner_at(h, s, v));
        if (!same_point(p, old_rest(h, t, corner_at(h, t, v)))) continue;
        WfVec a = wf_unit(wf_sub(old_rest(h, s, corner_at(h, s, ends[0])), p));
        WfVec b = wf_unit(wf_sub(old_rest(h, t, corner_at(h, t, ends[1])), p));
        if (wf_dot(a, b) > -STRAIGHT) return false;
    }
    return true;
}

static bool may_move(const Halver* h, int v, int w) {
    int ends[3], count = find_lines(h, v, ends);
    if (count == 0) return true;
    return count == 2 && (ends[0] == w || ends[1] == w) && is_straight(h, v, ends);
}

// A triangle of v and w that has v at this point of the flat shape, or -1.
static int triangle_along(const Halver* h, int v, int w, WfVec point) {
    const WfTopology* topology = &h->topology;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i];
        if (corner_at(h, t, w) < 0) continue;
        if (same_point(old_rest(h, t, corner_at(h, t, v)), point)) return t;
    }
    return -1;
}

// Corners at v to where they are at this part of the edge to w: each in its own flat edge, or by
// its triangles where it has none.
static void move_flat(Halver* h, int v, int w, double part) {
    const WfTopology* topology = &h->topology;
    const double* x = h->mesh->positions;
    WfVec displacement = wf_mul(part, wf_sub(wf_load(x, w), wf_load(x, v)));
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i], k = corner_at(h, t, v);
        WfVec from = old_rest(h, t, k);
        int along = triangle_along(h, v, w, from);
        if (along >= 0)
            set_rest(h, t, k, mix(from, old_rest(h, along, corner_at(h, along, w)), part));
        else
            set_rest(h, t, k, displaced(h, v, from, displacement));
    }
}

// Whether triangle t, which is before the plane, has enough left of its area, at rest and in space.
static bool is_large(const Halver* h, int t) {
    const int* v = h->mesh->triangles + 3 * (long)t;
    const double *old = h->mesh->positions, *now = h->positions;
    WfVec x[3] = {rest(h, t, 0), rest(h, t, 1), rest(h, t, 2)};
    WfVec n = normal_of(wf_load(old, v[0]), wf_load(old, v[1]), wf_load(old, v[2]));
    WfVec m = normal_of(wf_load(now, v[0]), wf_load(now, v[1]), wf_load(now, v[2]));
    return area_along(h, t, x) >= LEAST_SHARE * wf_length(old_normal(h, t)) / 2 &&
           wf_dot(m, n) >= LEAST_SHARE * wf_dot(n, n);
}

// Whether an edge would be in the plane with both its triangles before it: cloth that dips through
// the plane is cut there, and not pressed onto it.
static bool is_fold(const Halver* h, int v, int w) {
    int e = wf_topology_hinge(&h->topology, v, w);
    if (e < 0 || h->heights[w] != 0) return false;
    const int* opposite = h->topology.hinges[e].opposite;
    return h->heights[opposite[0]] > 0 && h->heights[opposite[1]] > 0;
}

// Whether what lies before the plane around v, which is on it now, is as it should be.
static bool is_star_good(const Halver* h, int v) {
    const WfTopology* topology = &h->topology;
    for (int i = topology->star_start[v]; i < topology->star_start[v + 1]; i++) {
        int t = topology->star[i], on = 0;
        for (int k = 0; k < 3; k++) {
            int w = h->mesh->triangles[3 * (long)t + k];
            if (w != v && is_fold(h, v, w)) return false;
            on += h->heights[w] == 0;
        }
        if (on == 3 || (is_before(h, t) && !is_large(h, t))) return false;
    }
    return true;
}

static void move_along(Halver* h, int v, int w, double part) {
    const double* x = h->mesh->positions;
    double height = h->heights[v];
    move_flat(h, v, w, part);
    wf_store(h->positions, v, wf_put_on(h->mirror, mix(wf_load(x, v), wf_load(x, w), part)));
    h->heights[v] = 0;
    h->moved[v] = is_star_good(h, v);
    if (h->moved[v]) {
        h->toward[v] = w;
        h->parts[v] = part;
        return;
    }
    move_flat(h, v, w, 0);
    wf_store(h->positions, v, wf_load(x, v));
    h->heights[v] = height;
}

// Directed edges along which a vertex is near the plane, the nearest first: 2 edge + end.
static int list_near(Halver* h, double near) {
    int count = 0;
    for (int e = 0; e < h->edge_count; e++) {
        const int* v = edge_ends(h, e);
        if (!crosses(h, v[0], v[1])) continue;
        for (int end = 0; end < 2; end++) {
            double here = fabs(h->heights[v[end]]), there = fabs(h->heights[v[1 - end]]);
            double part = here / (here + there);
            WfKey* key = &h->keys[count];
            if (part >= near) continue;
            memcpy(&key->key, &part, sizeof part);  // positive numbers sort by their bits
            key->index = 2 * e + end;
            count++;
        }
    }
    wf_sort_keys(h->keys, h->spare, count);
    return count;
}

// Vertices nearer to the plane than a part of an edge move onto it; outlines and seams keep their
// shape, or not.
static void move_near(Halver* h, double near, bool keep_lines) {
    int count = list_near(h, near);
    for (int i = 0; i < count; i++) {
        const int* ends = edge_ends(h, h->keys[i].index / 2);
        int end = h->keys[i].index % 2, v = ends[end], w = ends[1 - end];
        double part;
        memcpy(&part, &h->keys[i].key, sizeof part);
        if (crosses(h, v, w) && (!keep_lines || may_move(h, v, w))) move_along(h, v, w, part);
    }
}

// ---------------------------------------------------------------------------------------------
// Straight onto the plane

static void project(Halver* h, int v) {
    WfVec x = wf_load(h->mesh->positions, v), y = wf_put_on(h->mirror, x);
    project_flat(h, v, wf_sub(y, x));
    wf_store(h->positions, v, y);
    h->moved[v] = 1;
}

static void project_beyond(Halver* h) {
    for (int t = 0; t < h->mesh->triangle_count; t++) {
        const int* v = h->mesh->triangles + 3 * (long)t;
        for (int k = 0; k < 3 && is_before(h, t); k++)
            if (h->heights[v[k]] < 0 && !h->moved[v[k]]) project(h, v[k]);
    }
    for (int e = h->topology.edge_count; e < h->edge_count; e++) {
        const int* v = edge_ends(h, e);
        int beyond = h->heights[v[0]] < 0 ? v[0] : v[1];
        if (crosses(h, v[0], v[1]) && !h->moved[beyond]) project(h, beyond);
    }
    for (int v = 0; v < h->mesh->vertex_count; v++)
        if (h->moved[v]) h->heights[v] = 0;
}

// ---------------------------------------------------------------------------------------------
// Splitting. Until the end vertices have their old numbers, cuts the numbers after them.

typedef struct Corner {
    int vertex;
    WfVec rest;
} Corner;

static void find_cuts(Halver* h, WfHalf* half) {
    int count = 0;
    for (int e = 0; e < h->edge_count; e++) {
        const int* v = edge_ends(h, e);
        if (crosses(h, v[0], v[1])) h->keys[count++] = (WfKey){wf_pair_key(v[0], v[1]), 0};
    }
    wf_sort_keys(h->keys, h->spare, count);
    for (int i = 0; i < count; i++) {
        if (i > 0 && h->keys[i].key == h->keys[i - 1].key) continue;
        half->cuts[half->cut_count] = (WfKey){h->keys[i].key, half->cut_count};
        half->cut_count++;
    }
    for (int i = 0; i < half->cut_count; i++) {
        int a = (int)(half->cuts[i].key >> 32), b = (int)(half->cuts[i].key & 0xffffffff);
        double part = h->heights[a] / (h->heights[a] - h->heights[b]);
        WfVec x = mix(wf_load(h->positions, a), wf_load(h->positions, b), part);
        h->cut_parts[i] = part;
        wf_store(h->cut_positions, i, wf_put_on(h->mirror, x));
    }
}

static Corner cut_corner(const Halver* h, const WfHalf* half, int t, int k) {
    int j = (k + 1) % 3;
    int a = h->mesh->triangles[3 * (long)t + k], b = h->mesh->triangles[3 * (long)t + j];
    int cut = wf_cut_vertex(half, a, b);
    if (!h->flat) return (Corner){h->mesh->vertex_count + cut, wf_load(h->cut_positions, cut)};
    WfVec low = rest(h, t, a < b ? k : j), high = rest(h, t, a < b ? j : k);
    return (Corner){h->mesh->vertex_count + cut, mix(low, high, h->cut_parts[cut])};
}

// The part of a triangle before the plane, with its front: 0, 3 or 4 corners.
static int find_part(const Halver* h, const WfHalf* half, int t, Corner corners[4]) {
    const int* v = h->mesh->triangles + 3 * (long)t;
    int count = 0;
    for (int k = 0; k < 3 && is_before(h, t); k++) {
        if (h->heights[v[k]] >= 0) corners[count++] = (Corner){v[k], rest(h, t, k)};
        if (crosses(h, v[k], v[(k + 1) % 3])) corners[count++] = cut_corner(h, half, t, k);
    }
    return count;
}

static bool is_on_plane(const Halver* h, int vertex) {
    return vertex >= h->mesh->vertex_count || h->heights[vertex] == 0;
}

static void add_triangle(Halver* h, WfHalf* half, int t, Corner a, Corner b, Corner c) {
    Corner corners[3] = {a, b, c};
    WfVec x[3] = {a.rest, b.rest, c.rest};
    bool changed = false;
    for (int k = 0; k < 3; k++)
        changed =
            changed || corners[k].vertex >= h->mesh->vertex_count || h->moved[corners[k].vertex];
    if (changed && area_along(h, t, x) < SPECK * h->mean_area) return;
    long at = 3 * (long)half->triangle_count;
    for (int k = 0; k < 3; k++) {
        half->triangles[at + k] = corners[k].vertex;
        h->used[corners[k].vertex] = 1;
        if (!half->flat) continue;
        half->flat[2 * (at + k)] = x[k].x;
        half->flat[2 * (at + k) + 1] = x[k].y;
    }
    half->sources[half->triangle_count++] = t;
}

static double square_between(Corner a, Corner b) {
    WfVec d = wf_sub(a.rest, b.rest);
    return wf_dot(d, d);
}

// Edges that were none before: of neighbours in the part on the plane, of which one is a cut.
static void note_edges(const Halver* h, WfHalf* half, const Corner* corners, int count) {
    for (int i = 0; i < count; i++) {
        int a = corners[i].vertex, b = corners[(i + 1) % count].vertex;
        int old = h->mesh->vertex_count;
        if ((a >= old || b >= old) && is_on_plane(h, a) && is_on_plane(h, b))
            half->made[half->made_count++] = (WeftSpring){a, b, WEFT_SPRING_STRETCH};
    }
}

static void add_part(Halver* h, WfHalf* half, int t) {
    Corner c[4];
    int count = find_part(h, half, t, c);
    if (count == 0) return;
    note_edges(h, half, c, count);
    if (count == 3) {
        add_triangle(h, half, t, c[0], c[1], c[2]);
        return;
    }
    int i = square_between(c[0], c[2]) <= square_between(c[1], c[3]) ? 0 : 1;
    half->made[half->made_count++] = (WeftSpring){c[i].vertex, c[i + 2].vertex, WEFT_SPRING_SHEAR};
    add_triangle(h, half, t, c[i], c[i + 1], c[i + 2]);
    add_triangle(h, half, t, c[i], c[i + 2], c[(i + 3) % 4]);
}

// Segments of ropes that have nothing beyond the plane, or are cut.
static void use_ropes(Halver* h, const WfHalf* half) {
    for (int e = h->topology.edge_count; e < h->edge_count; e++) {
        const int* v = edge_ends(h, e);
        bool cut = crosses(h, v[0], v[1]);
        if (cut) h->used[h->mesh->vertex_count + wf_cut_vertex(half, v[0], v[1])] = 1;
        for (int end = 0; end < 2; end++)
            if (cut ? h->heights[v[end]] > 0 : h->heights[v[0]] >= 0 && h->heights[v[1]] >= 0)
                h->used[v[end]] = 1;
    }
}

// ---------------------------------------------------------------------------------------------
// Numbers

static void add_vertex(WfHalf* half, WfVec x, bool on_plane, int a, int b, double part) {
    int i = half->vertex_count++;
    wf_store(half->positions, i, x);
    half->on_plane[i] = on_plane;
    half->origins[2 * (long)i] = a;
    half->origins[2 * (long)i + 1] = b;
    half->parts[i] = part;
}

static int new_number(const Halver* h, const WfHalf* half, int vertex) {
    int old = h->mesh->vertex_count;
    return vertex < old ? half->numbers[vertex] : half->cuts[vertex - old].index;
}

static void number_vertices(Halver* h, WfHalf* half) {
    int old = h->mesh->vertex_count;
    for (int v = 0; v < old; v++) {
        half->numbers[v] = h->used[v] ? half->vertex_count : -1;
        if (h->used[v])
            add_vertex(half, wf_load(h->positions, v), h->heights[v] == 0, v, h->toward[v],
                       h->parts[v]);
    }
    for (int i = 0; i < half->cut_count; i++) {
        int a = (int)(half->cuts[i].key >> 32), b = (int)(half->cuts[i].key & 0xffffffff);
        half->cuts[i].index = h->used[old + i] ? half->vertex_count : -1;
        if (h->used[old + i])
            add_vertex(half, wf_load(h->cut_positions, i), true, a, b, h->cut_parts[i]);
    }
    for (long c = 0; c < 3L * half->triangle_count; c++)
        half->triangles[c] = new_number(h, half, half->triangles[c]);
    int made = 0;
    for (int i = 0; i < half->made_count; i++) {
        WeftSpring s = half->made[i];
        s.a = new_number(h, half, s.a), s.b = new_number(h, half, s.b);
        if (s.a >= 0 && s.b >= 0) half->made[made++] = s;
    }
    half->made_count = made;
}

// ---------------------------------------------------------------------------------------------
// What cannot be mirrored

static WeftResult fail_behind(WeftError* error) {
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "nothing lies before the plane of the mirror: turn its normal, or move it");
}

static WeftResult check_sides(const Halver* h, WeftError* error) {
    bool before = false;
    for (int t = 0; t < h->mesh->triangle_count; t++) {
        const int* v = h->mesh->triangles + 3 * (long)t;
        if (h->heights[v[0]] == 0 && h->heights[v[1]] == 0 && h->heights[v[2]] == 0)
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d lies in the plane of the mirror",
                           t);
    }
    for (int v = 0; v < h->mesh->vertex_count; v++) before = before || h->heights[v] > 0;
    return before ? WEFT_OK : fail_behind(error);
}

// An edge on the plane has one triangle before it: with the image, it has two.
static WeftResult check_folds(Halver* h, const WfHalf* half, WeftError* error) {
    int count = 0;
    if (half->vertex_count == 0) return fail_behind(error);
    for (int c = 0; c < 3 * half->triangle_count; c++) {
        int a = half->triangles[c], b = half->triangles[c % 3 == 2 ? c - 2 : c + 1];
        if (half->on_plane[a] && half->on_plane[b])
            h->keys[count++] = (WfKey){wf_pair_key(a, b), half->sources[c / 3]};
    }
    wf_sort_keys(h->keys, h->spare, count);
    for (int i = 1; i < count; i++)
        if (h->keys[i].key == h->keys[i - 1].key)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "triangles %d and %d have an edge on the plane of the mirror, and are "
                           "both before it",
                           h->keys[i - 1].index, h->keys[i].index);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------

static int list_ropes(const WeftMesh* mesh, int* ropes) {
    int count = 0;
    for (int t = 0; t < mesh->thread_count; t++) {
        const int* v = mesh->thread_vertices + mesh->threads[t].first;
        for (int i = 0; i + 1 < mesh->threads[t].count; i++) {
            if (mesh->threads[t].kind != WEFT_THREAD_ROPE) break;
            if (ropes) memcpy(ropes + 2 * (long)count, v + i, 2 * sizeof *v);
            count++;
        }
    }
    return count;
}

static WeftResult open_halver(Halver* h, WeftError* error) {
    const WeftMesh* mesh = h->mesh;
    size_t n = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    WeftResult result = wf_topology_create(h->allocator, mesh->vertex_count, mesh->triangle_count,
                                           mesh->triangles, &h->topology, error);
    if (result) return result;
    int ropes = list_ropes(mesh, NULL);
    h->edge_count = h->topology.edge_count + ropes;
    size_t edges = (size_t)h->edge_count;
    // edges to sort; later, half edges of parts of triangles
    size_t keys = 2 * edges > 6 * triangles ? 2 * edges : 6 * triangles;
    h->ropes = wf_alloc(h->allocator, 2 * (size_t)ropes, sizeof(int));
    h->heights = wf_alloc(h->allocator, n, sizeof(double));
    h->positions = wf_alloc(h->allocator, 3 * n, sizeof(double));
    h->flat = mesh->material ? wf_alloc(h->allocator, 6 * triangles, sizeof(double)) : NULL;
    h->toward = wf_alloc(h->allocator, n, sizeof(int));
    h->parts = wf_alloc(h->allocator, n, sizeof(double));
    h->moved = wf_alloc(h->allocator, n, 1);
    h->keys = wf_alloc(h->allocator, keys, sizeof(WfKey));
    h->spare = wf_alloc(h->allocator, keys, sizeof(WfKey));
    h->used = wf_alloc(h->allocator, n + edges, 1);
    h->cut_parts = wf_alloc(h->allocator, edges, sizeof(double));
    h->cut_positions = wf_alloc(h->allocator, 3 * edges, sizeof(double));
    bool good = h->ropes && h->heights && h->positions && (h->flat || !mesh->material) &&
                h->toward && h->parts && h->moved && h->keys && h->spare && h->used &&
                h->cut_parts && h->cut_positions;
    return good ? WEFT_OK : wf_fail_memory(error);
}

static void close_halver(Halver* h) {
    wf_topology_destroy(h->allocator, &h->topology);
    wf_free(h->allocator, h->ropes);
    wf_free(h->allocator, h->heights);
    wf_free(h->allocator, h->positions);
    wf_free(h->allocator, h->flat);
    wf_free(h->allocator, h->toward);
    wf_free(h->allocator, h->parts);
    wf_free(h->allocator, h->moved);
    wf_free(h->allocator, h->keys);
    wf_free(h->allocator, h->spare);
    wf_free(h->allocator, h->used);
    wf_free(h->allocator, h->cut_parts);
    wf_free(h->allocator, h->cut_positions);
}

// Vertices, as they are; those within rounding of the plane come onto it.
static void fill_halver(Halver* h) {
    const WeftMesh* mesh = h->mesh;
    double sum = 0;
    list_ropes(mesh, h->ropes);
    for (int e = 0; e < h->edge_count; e++) {
        const int* v = edge_ends(h, e);
        sum += wf_length(wf_sub(wf_load(mesh->positions, v[0]), wf_load(mesh->positions, v[1])));
    }
    double near = h->edge_count > 0 ? WF_ON_PLANE * sum / h->edge_count : 0;
    for (int v = 0; v < mesh->vertex_count; v++) {
        WfVec x = wf_load(mesh->positions, v);
        double height = wf_height(h->mirror, x);
        bool on = fabs(height) <= near;
        h->heights[v] = on ? 0 : height;
        wf_store(h->positions, v, on ? wf_put_on(h->mirror, x) : x);
        h->toward[v] = v;
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) set_rest(h, t, k, old_rest(h, t, k));
        h->mean_area += wf_length(old_normal(h, t)) / 2 / mesh->triangle_count;
    }
}

static WeftResult open_half(const Halver* h, WfHalf* half, WeftError* error) {
    size_t old = (size_t)h->mesh->vertex_count, edges = (size_t)h->edge_count;
    size_t n = old + edges, triangles = 2 * (size_t)h->mesh->triangle_count;
    half->positions = wf_alloc(h->allocator, 3 * n, sizeof(double));
    half->on_plane = wf_alloc(h->allocator, n, 1);
    half->origins = wf_alloc(h->allocator, 2 * n, sizeof(int));
    half->parts = wf_alloc(h->allocator, n, sizeof(double));
    half->triangles = wf_alloc(h->allocator, 3 * triangles, sizeof(int));
    half->sources = wf_alloc(h->allocator, triangles, sizeof(int));
    half->flat = h->flat ? wf_alloc(h->allocator, 6 * triangles, sizeof(double)) : NULL;
    half->numbers = wf_alloc(h->allocator, old, sizeof(int));
    half->cuts = wf_alloc(h->allocator, edges, sizeof(WfKey));
    half->made = wf_alloc(h->allocator, triangles, sizeof(WeftSpring));
    bool good = half->positions && half->on_plane && half->origins && half->parts &&
                half->triangles && half->sources && (half->flat || !h->flat) && half->numbers &&
                half->cuts && half->made;
    return good ? WEFT_OK : wf_fail_memory(error);
}

WeftResult wf_halve(const WeftAllocator* allocator, const WeftMesh* mesh, const WfMirror* mirror,
                    WeftHalving halving, WfHalf* half, WeftError* error) {
    *half = (WfHalf){0};
    Halver h = {.allocator = allocator, .mesh = mesh, .mirror = mirror};
    WeftResult result = open_halver(&h, error);
    if (!result) result = open_half(&h, half, error);
    if (result) goto done;
    fill_halver(&h);
    result = check_sides(&h, error);
    if (result) goto done;
    if (halving == WEFT_HALVING_SPLIT) {
        move_near(&h, NEAR, true);
        move_near(&h, VERY_NEAR, false);
    } else {
        move_near(&h, TOUCHING, false);
        project_beyond(&h);
    }
    find_cuts(&h, half);
    for (int t = 0; t < mesh->triangle_count; t++) add_part(&h, half, t);
    use_ropes(&h, half);
    number_vertices(&h, half);
    result = check_folds(&h, half, error);

done:
    close_halver(&h);
    if (result) wf_half_destroy(allocator, half);
    return result;
}

void wf_half_destroy(const WeftAllocator* allocator, WfHalf* half) {
    wf_free(allocator, half->positions);
    wf_free(allocator, half->on_plane);
    wf_free(allocator, half->origins);
    wf_free(allocator, half->parts);
    wf_free(allocator, half->triangles);
    wf_free(allocator, half->sources);
    wf_free(allocator, half->flat);
    wf_free(allocator, half->numbers);
    wf_free(allocator, half->cuts);
    wf_free(allocator, half->made);
    *half = (WfHalf){0};
}
