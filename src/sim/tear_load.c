// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that tears where it carries too much. Every vertex has a stress, in N per metre, which is
// the mean over its triangles: over their fibres, of length l in direction d, pulled by f,
//
//     s = sum f l d d^T / sum A     f = A k e   warp, weft and two diagonals of a triangle,
//     stretched
//                                               by e, l their stretch (triangles, membranes)
//                                   f = k e     its edges, inner ones by a half (springs)
//
// with the stiffness k that is simulated: a step that softens the cloth lets it stretch further
// under the same load. Not so far, though, that it would be rubber: k is at least such that cloth
// stretched by MOST_STRAIN carries its tear_load, where that is less than the fabric's own. (A ball
// that flies through cloth stretches it as it likes, and had to pull it to twice its length.)
// Fibres that are pressed carry nothing. Across an edge of normal n, which got
// q times as long while the cloth around it got J times as large, it carries |s n| q/J per metre of
// flat cloth, where that pulls: s is that of its ends. (Triangle by triangle, nets of springs tore
// at half of their load: what carries depends on how their diagonals lie.)
//
// An edge that carries more than its tear_load for some steps on end, or much more for fewer,
// begins a tear, the worst one first; it goes on at both ends along edges that carry too much as
// well, a few of them, and the rest when this is torn. The load then is at its ends: tears grow.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/fabrics.h"
#include "mesh/rest.h"
#include "mesh/tear.h"
#include "sim/tear.h"
#include "weft/weft_study.h"

enum { LASTS = 3 };  // steps
enum {
    MOST_GROWTH = 3
};  // edges at each end of a tear, where it carries a bit too much; twice and
    // three times as many where it is twice and three times its tear_load
static const double MOST_STRAIN = 0.5;
static const double TURN = 0.3;  // cosine of the turn that a tear may make from edge to edge

// the upper half of a mark: steps for which the edge has carried too much
enum { COUNT_SHIFT = 4, MARKS = WF_SIDE_CUT | WF_SIDE_ASKED };

// ---------------------------------------------------------------------------------------------
// Stress

// At a vertex, and what the triangles there measure.
typedef struct WfStress {
    double sum[6];  // f l d d^T: xx xy xz yy yz zz
    double flat_area, area;
    bool is_border;
} WfStress;

// pull: f l
static void add_fibre(double sum[6], double pull, WfVec d) {
    if (pull > 0) wf_sym_add(sum, 0, pull, d);
}

// A triangle, flat and as it is.
typedef struct Patch {
    double flat[3][2], area;
    WfVec x[3];
} Patch;

// Without a flat shape: u along the first edge.
static void lay_flat(WfVec a, WfVec b, WfVec c, double flat[3][2]) {
    WfVec ab = wf_sub(b, a), ac = wf_sub(c, a), u = wf_unit(ab);
    double along = wf_dot(ac, u);
    memset(flat, 0, 6 * sizeof(double));
    flat[1][0] = wf_length(ab);
    flat[2][0] = along;
    flat[2][1] = wf_length(wf_madd(ac, -along, u));
}

static Patch patch_of(const WeftState* state, const WeftClothDef* cloth, int t, int t_all) {
    Patch p;
    WfVec rest[3];
    for (int k = 0; k < 3; k++) {
        rest[k] = wf_rest_corner(cloth, t, k);
        p.flat[k][0] = rest[k].x;
        p.flat[k][1] = rest[k].y;
        p.x[k] = wf_load(state->x, state->model->triangles[3L * t_all + k]);
    }
    if (!cloth->material) lay_flat(rest[0], rest[1], rest[2], p.flat);
    p.area = ((p.flat[1][0] - p.flat[0][0]) * (p.flat[2][1] - p.flat[0][1]) -
              (p.flat[2][0] - p.flat[0][0]) * (p.flat[1][1] - p.flat[0][1])) /
             2;
    return p;
}

static bool is_net(const WeftClothDef* cloth) {
    return cloth->stretch == WEFT_STRETCH_SPRINGS || cloth->stretch == WEFT_STRETCH_ONE_SIDED;
}

// inner: of each side, whether it has a triangle on its other side.
static void add_net(const Patch* p, const WeftFabric* fabric, double scale, const bool inner[3],
                    double sum[6]) {
    for (int k = 0; k < 3; k++) {
        int to = (k + 1) % 3;
        double u = p->flat[to][0] - p->flat[k][0], v = p->flat[to][1] - p->flat[k][1];
        double square = u * u + v * v, warp = u * u / square;
        double stiffness = fabric->stretch_warp * warp + fabric->stretch_weft * (1 - warp);
        WfVec edge = wf_sub(p->x[to], p->x[k]);
        double length = wf_length(edge), longer = length - sqrt(square);
        add_fibre(sum, (inner[k] ? 0.5 : 1) * scale * stiffness * longer * length, wf_unit(edge));
    }
}

// The softer ones of a triangle are softened no further than the stiffest (energy/fibre.h).
static void add_fibres(const Patch* p, const WeftFabric* fabric, double scale, double sum[6]) {
    static const double half = 0.70710678118654752;
    const double fibres[4][3] = {{1, 0, fabric->stretch_warp},
                                 {0, 1, fabric->stretch_weft},
                                 {half, half, fabric->shear},
                                 {half, -half, fabric->shear}};
    double u1 = p->flat[1][0] - p->flat[0][0], v1 = p->flat[1][1] - p->flat[0][1];
    double u2 = p->flat[2][0] - p->flat[0][0], v2 = p->flat[2][1] - p->flat[0][1];
    double det = 2 * p->area;
    double most = scale * fmax(fmax(fabric->stretch_warp, fabric->stretch_weft), fabric->shear);
    WfVec e1 = wf_sub(p->x[1], p->x[0]), e2 = wf_sub(p->x[2], p->x[0]);
    WfVec along_u = wf_mul(1 / det, wf_madd(wf_mul(v2, e1), -v1, e2));
    WfVec along_v = wf_mul(1 / det, wf_madd(wf_mul(u1, e2), -u2, e1));
    for (int f = 0; f < 4; f++) {
        WfVec d = wf_madd(wf_mul(fibres[f][0], along_u), fibres[f][1], along_v);
        double stretch = wf_length(d);
        double stiffness = fmin(fibres[f][2], most);
        add_fibre(sum, fabs(p->area) * stiffness * (stretch - 1) * stretch, wf_unit(d));
    }
}

// ---------------------------------------------------------------------------------------------
// Loads

static bool has_loads(const WeftModel* whole) {
    for (int c = 0; c < whole->cloth_count; c++)
        if (whole->origin->cloths[c].tear_load > 0) return true;
    return false;
}

static double flat_length(const Patch* p, int k) {
    int to = (k + 1) % 3;
    return wf_flat_length(p->flat[to][0] - p->flat[k][0], p->flat[to][1] - p->flat[k][1]);
}

// Sides at rest, which no tear changes.
static bool know_lengths(const WeftState* state) {
    WfTear* tear = state->tear;
    const WeftModel* whole = tear->whole;
    if (tear->lengths) return true;
    tear->lengths = wf_alloc(&whole->system.allocator, 3 * (size_t)whole->triangle_count,
                             sizeof *tear->lengths);
    for (int c = 0, first = 0; c < whole->cloth_count && tear->lengths; c++) {
        const WeftClothDef* cloth = &whole->origin->cloths[c];
        for (int t = 0; t < cloth->triangle_count; t++) {
            Patch p = patch_of(state, cloth, t, first + t);
            for (int k = 0; k < 3; k++) tear->lengths[3L * (first + t) + k] = flat_length(&p, k);
        }
        first += cloth->triangle_count;
    }
    return tear->lengths;
}

// The side on the other side of each one, -1 at the border: known until the next model.
static bool know_twins(const WeftState* state) {
    WfTear* tear = state->tear;
    const WeftModel* m = state->model;
    const WeftAllocator* allocator = &tear->whole->system.allocator;
    WfStars stars = {0};
    if (tear->twins_of == m) return true;
    size_t corners = 3 * (size_t)m->triangle_count;
    if (!tear->twins) tear->twins = wf_alloc(allocator, corners, sizeof *tear->twins);
    wf_free(allocator, tear->stresses);
    tear->stresses = wf_alloc(allocator, (size_t)m->system.vertex_count, sizeof *tear->stresses);
    bool good =
        tear->twins && tear->stresses &&
        wf_stars_create(allocator, m->system.vertex_count, m->triangle_count, m->triangles, &stars);
    for (int side = 0; side < (int)corners && good; side++)
        tear->twins[side] = wf_find_half(&stars, wf_half_to(&stars, side), m->triangles[side]);
    wf_stars_destroy(allocator, &stars);
    tear->twins_of = good ? m : NULL;
    return good;
}

// Of a triangle's fabric: how much softer it is simulated, and taken for.
static double scale_of(const WeftState* state, const WeftClothDef* cloth, const WeftFabric* fabric,
                       int t) {
    const WeftModel* m = state->model;
    double most =
        cloth->tear_load / (MOST_STRAIN * fmax(fabric->stretch_warp, fabric->stretch_weft));
    for (int k = 0; k < 3; k++)
        most = fmax(most, state->scales[m->vertex_portion[m->triangles[3L * t + k]]]);
    return fmin(most, 1);
}

// The stresses of a cloth. first: its first triangle.
static void find_stresses(const WeftState* state, const WeftClothDef* cloth, int first) {
    const WfTear* tear = state->tear;
    for (int t = 0; t < cloth->triangle_count; t++) {
        const int* twins = tear->twins + 3L * (first + t);
        const bool inner[3] = {twins[0] >= 0, twins[1] >= 0, twins[2] >= 0};
        const WeftFabric* fabric = wf_fabric_of_triangle(cloth, t);
        Patch p = patch_of(state, cloth, t, first + t);
        double sum[6] = {0}, scale = scale_of(state, cloth, fabric, first + t);
        if (is_net(cloth))
            add_net(&p, fabric, scale, inner, sum);
        else
            add_fibres(&p, fabric, scale, sum);
        double area = wf_length(wf_cross(wf_sub(p.x[1], p.x[0]), wf_sub(p.x[2], p.x[0]))) / 2;
        for (int k = 0; k < 3; k++) {
            WfStress* s = &tear->stresses[state->model->triangles[3L * (first + t) + k]];
            for (int i = 0; i < 6; i++) s->sum[i] += sum[i];
            s->flat_area += fabs(p.area);
            s->area += area;
            s->is_border = s->is_border || !inner[k] || !inner[(k + 2) % 3];
        }
    }
}

static const double LEAST_GROWTH = 1e-3;  // of areas: what is smaller is not pulled

// What a side carries: by the triangle that it is of, and the stress of its ends.
static double side_load(const WeftState* state, const WeftClothDef* cloth, int first, int side) {
    const WfTear* tear = state->tear;
    int t = side / 3, k = side % 3, to = (k + 1) % 3;
    const int* v = state->model->triangles + 3L * t;
    Patch p = patch_of(state, cloth, t - first, t);
    WfVec edge = wf_sub(p.x[to], p.x[k]), out = wf_sub(p.x[k], p.x[(k + 2) % 3]);
    WfVec along = wf_unit(edge), n = wf_unit(wf_madd(out, -wf_dot(out, along), along));
    double longer = wf_length(edge) / tear->lengths[side];
    WfVec load = {0, 0, 0};
    double larger = 0;
    for (int end = 0; end < 2; end++) {
        const WfStress* s = &tear->stresses[v[end ? to : k]];
        load = wf_madd(load, 0.5 / s->flat_area, wf_sym_mul(s->sum, n));
        larger += 0.5 * s->area / s->flat_area;
    }
    return wf_dot(load, n) > 0 ? wf_length(load) * longer / fmax(larger, LEAST_GROWTH) : 0;
}

// A cloth whose loads are looked at.
typedef struct Loaded {
    const WeftState* state;
    const WeftClothDef* cloth;
    int first;  // triangle
} Loaded;

// The load of an edge, by one of its sides; of borders and of what is cut: 0.
static double edge_load(const Loaded* l, int side) {
    const WfTear* tear = l->state->tear;
    int twin = tear->twins[side];
    if (twin < 0 || (tear->sides[side] & MARKS)) return 0;
    return (side_load(l->state, l->cloth, l->first, side) +
            side_load(l->state, l->cloth, l->first, twin)) /
           2;
}

static const double ROUNDING = 1e-6;

// No edge carries more than this, by the sum of the principal stresses at its ends: most need no
// closer look, which takes ten times as long.
static double most_load(const WeftState* state, int side, int twin) {
    const WfTear* tear = state->tear;
    const int* v = state->model->triangles;
    int ends[2] = {v[side], v[twin]};
    double pull = 0, larger = 0;
    for (int end = 0; end < 2; end++) {
        const WfStress* s = &tear->stresses[ends[end]];
        pull += 0.5 * (s->sum[0] + s->sum[3] + s->sum[5]) / s->flat_area;
        larger += 0.5 * s->area / s->flat_area;
    }
    WfVec edge = wf_sub(wf_load(state->x, ends[1]), wf_load(state->x, ends[0]));
    double longer = wf_length(edge) / fmin(tear->lengths[side], tear->lengths[twin]);
    return (1 + ROUNDING) * pull * longer / fmax(larger, LEAST_GROWTH);
}

// ---------------------------------------------------------------------------------------------
// Tears

// For how many steps a side has carried too much; what is twice or thrice as much as it may counts
// for as many. load: over the largest.
static int count_step(WfTear* tear, int side, double load) {
    int count = load > 1 ? (tear->sides[side] >> COUNT_SHIFT) + (int)fmin(load, LASTS) : 0;
    if (count > LASTS) count = LASTS;
    tear->sides[side] = (unsigned char)((tear->sides[side] & MARKS) | count << COUNT_SHIFT);
    return count;
}

// Tears grow rather than that others begin beside them, where the mesh smears what their ends
// carry: bridges were left between. An edge from the border, or the end of a tear, counts double.
static double preference(const Loaded* l, int side) {
    const WfStress* stresses = l->state->tear->stresses;
    const int* t = l->state->model->triangles;
    bool at_border =
        stresses[t[side]].is_border || stresses[t[side % 3 == 2 ? side - 2 : side + 1]].is_border;
    return at_border ? 2 : 1;
}

// The worst side that has carried too much for long enough; -1: none.
static int find_worst(const Loaded* l) {
    WfTear* tear = l->state->tear;
    int worst = -1, end = 3 * (l->first + l->cloth->triangle_count);
    double load = 0;
    for (int side = 3 * l->first; side < end; side++) {
        int twin = tear->twins[side];
        if (side > twin) continue;  // once per edge, and no borders
        bool may = most_load(l->state, side, twin) > l->cloth->tear_load;
        double own = may ? edge_load(l, side) : 0;
        bool lasts = count_step(tear, side, own / l->cloth->tear_load) == LASTS;
        double weighed = lasts ? preference(l, side) * own : 0;
        if (weighed > load) worst = side, load = weighed;
    }
    return worst;
}

static WfVec direction_of(const WeftState* state, int from, int to) {
    return wf_unit(wf_sub(wf_load(state->x, to), wf_load(state->x, from)));
}

// Where a tear that came from `from` to `at` goes on: the worst of the edges ahead that carry too
// much; -1: nowhere.
static int go_on(const Loaded* l, const WfStars* stars, int from, int at) {
    WfVec ahead = direction_of(l->state, from, at);
    int best = -1;
    double load = l->cloth->tear_load;
    for (int i = stars->start[at]; i < stars->start[at + 1]; i++) {
        int out = stars->halves[i], to = wf_half_to(stars, out);
        if (wf_dot(ahead, direction_of(l->state, at, to)) < TURN) continue;
        double own = edge_load(l, out);
        if (own > load) best = to, load = own;
    }
    return best;
}

static void tear_from(const Loaded* l, const WfStars* stars, int side) {
    WfTear* tear = l->state->tear;
    int a = stars->triangles[side], b = wf_half_to(stars, side);
    int most = (int)(MOST_GROWTH * fmin(edge_load(l, side) / l->cloth->tear_load, 3));
    wf_mark_edge(stars, a, b, WF_SIDE_ASKED, MARKS, tear->sides);
    for (int end = 0; end < 2; end++) {
        int from = end ? a : b, at = end ? b : a, to;
        for (int i = 0; i < most && (to = go_on(l, stars, from, at)) >= 0; i++) {
            wf_mark_edge(stars, at, to, WF_SIDE_ASKED, MARKS, tear->sides);
            from = at;
            at = to;
        }
    }
    tear->asked = true;
}

static void tear_cloth(const Loaded* l) {
    const WeftModel* m = l->state->model;
    const WeftAllocator* allocator = &m->system.allocator;
    find_stresses(l->state, l->cloth, l->first);
    int side = find_worst(l);
    WfStars stars = {0};
    if (side >= 0 &&
        wf_stars_create(allocator, m->system.vertex_count, m->triangle_count, m->triangles, &stars))
        tear_from(l, &stars, side);
    wf_stars_destroy(allocator, &stars);
}

void wf_tear_by_load(WeftState* state) {
    WfTear* tear = state->tear;
    const WeftModel* m = state->model;
    if (tear->making || tear->asked || !has_loads(tear->whole) || !know_lengths(state) ||
        !know_twins(state))
        return;
    memset(tear->stresses, 0, (size_t)m->system.vertex_count * sizeof *tear->stresses);
    for (int c = 0, first = 0; c < m->cloth_count; c++) {
        Loaded loaded = {state, &tear->whole->origin->cloths[c], first};
        if (loaded.cloth->tear_load > 0) tear_cloth(&loaded);
        first += loaded.cloth->triangle_count;
    }
}
