// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/overlap.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/way.h"

static const double GAP = 0.002;     // m, before this half
static const double SLOPE = 0.8;     // of the lift, beside what it lifts
static const double CELL = 0.25;     // of the mean edge
static const double APPROACH = 4;    // cells from the plane at which images begin to lift
static const double FREE = 0.5;      // of the furthest way from the fold: further off, cloth passes
static const double STIFF = 0.7;     // of that: nearer, images stay where they are;
static const double FOLLOWED = 0.9;  // further, they are lifted by all of it
enum { LEAST_NODES = 1 << 12, MOST_NODES = 1 << 17, NODES_PER_TRIANGLE = 16 };

// ---------------------------------------------------------------------------------------------
// What is free of the fold

static void scale_folds(const WeftModel* m, const WfWay* ways, double* folds) {
    for (int c = 0; c < m->cloth_count; c++) {
        double furthest = 0;
        for (int i = m->first_vertex[c]; i < m->first_vertex[c + 1]; i++)
            if (ways[i].pin >= 0) furthest = fmax(furthest, ways[i].length);
        for (int i = m->first_vertex[c]; i < m->first_vertex[c + 1]; i++)
            folds[i] = ways[i].pin < 0 ? HUGE_VAL : ways[i].length / (FREE * furthest + 1e-300);
    }
}

WeftResult wf_measure_folds(const WeftAllocator* allocator, const WeftModel* m, double** folds) {
    size_t n = (size_t)m->system.vertex_count;
    WfWayMesh mesh = wf_way_mesh(m, m->system.mirror.contains);
    WfWay* ways = wf_alloc(allocator, n, sizeof *ways);
    *folds = wf_alloc(allocator, n, sizeof **folds);
    WeftResult result =
        ways && *folds ? wf_find_ways(allocator, &mesh, 1, ways) : WEFT_ERROR_MEMORY;
    if (!result) scale_folds(m, ways, *folds);
    wf_free(allocator, ways);
    return result;
}

// The part of a lift that an image follows.
static double following(const double* folds, int row) {
    return fmax(0, fmin(1, (folds[row] - STIFF) / (FOLLOWED - STIFF)));
}

// ---------------------------------------------------------------------------------------------
// The grid. Places are (u, v, z): above the plane, along the third direction, along the front.

struct WfOverlap {
    int capacity;   // nodes
    double* high;   // per cell: the highest z of this half
    double* lift;   // per node
    double* least;  // per row of cells: the least u of this half
    double* need;   // per row of the model: by how much its image has to be lifted
};

typedef struct Grid {
    const WeftState* state;
    const double* folds;
    struct WfOverlap* of;
    WfVec third, front;
    int begin, end;  // rows of the cloth
    double cell, low[2];
    int count[2];  // cells
} Grid;

typedef struct Corners {
    double u[3], v[3], z[3];
    double low[3], high[3];  // u, v, z
} Corners;

void wf_overlap_layout(WfArena* arena, WeftState* state) {
    const WeftModel* m = state->model;
    if (m->shown.closure != WEFT_CLOSURE_BUTTON) return;
    long nodes = NODES_PER_TRIANGLE * (long)m->triangle_count;
    nodes = nodes < LEAST_NODES ? LEAST_NODES : nodes > MOST_NODES ? MOST_NODES : nodes;
    struct WfOverlap* overlap = wf_arena_push(arena, 1, sizeof *overlap);
    double* high = wf_arena_push(arena, (size_t)nodes, sizeof(double));
    double* lift = wf_arena_push(arena, (size_t)nodes, sizeof(double));
    double* least = wf_arena_push(arena, (size_t)nodes, sizeof(double));
    double* need = wf_arena_push(arena, (size_t)m->system.vertex_count, sizeof(double));
    state->overlap = overlap;
    if (overlap) *overlap = (struct WfOverlap){(int)nodes, high, lift, least, need};
}

// A triangle of this half (side 1) or of its image (-1). False where the lift does not ask for it.
static bool take_corners(const Grid* g, int triangle, int side, Corners* c) {
    const WeftModel* m = g->state->model;
    const int* rows = m->triangles + 3 * (long)triangle;
    bool is_free = false;
    if (rows[0] < g->begin || rows[0] >= g->end) return false;
    for (int k = 0; k < 3; k++) {
        WfVec x = wf_load(g->state->x, rows[k]);
        c->u[k] = side * wf_plane_height(&m->system.mirror, x);
        c->v[k] = wf_dot(g->third, x);
        c->z[k] = wf_dot(g->front, x);
        is_free = is_free || g->folds[rows[k]] > STIFF;
    }
    const double* places[] = {c->u, c->v, c->z};
    for (int k = 0; k < 3; k++) {
        c->low[k] = fmin(places[k][0], fmin(places[k][1], places[k][2]));
        c->high[k] = fmax(places[k][0], fmax(places[k][1], places[k][2]));
    }
    return is_free;
}

// The zone where halves may be seen over each other; false where there is none.
static bool place_grid(Grid* g) {
    const WeftModel* m = g->state->model;
    double reach = APPROACH * g->cell, depth = -HUGE_VAL, low = HUGE_VAL, high = -HUGE_VAL;
    Corners c;
    for (int t = 0; t < m->triangle_count; t++) {
        if (!take_corners(g, t, 1, &c) || c.low[0] > reach) continue;
        depth = fmax(depth, -c.low[0]);
        low = fmin(low, c.low[1]);
        high = fmax(high, c.high[1]);
    }
    if (low > high) return false;
    double width = fmax(depth, 0) + reach, area = 2 * width * (high - low);
    g->cell = fmax(g->cell, sqrt(2 * area / g->of->capacity));
    g->cell = fmax(g->cell, 4 * fmax(2 * width, high - low) / g->of->capacity);
    g->low[0] = -width;
    g->low[1] = low;
    g->count[0] = (int)(2 * width / g->cell) + 1;
    g->count[1] = (int)((high - low) / g->cell) + 1;
    return (long)(g->count[0] + 1) * (g->count[1] + 1) <= g->of->capacity;
}

static int clamp_cell(const Grid* g, int axis, double at) {
    double cell = floor((at - g->low[axis]) / g->cell);
    return (int)fmax(0, fmin(g->count[axis] - 1, cell));
}

// ---------------------------------------------------------------------------------------------
// Cells of a triangle

typedef struct Raster {
    Corners c;
    int first[2], last[2];
} Raster;

static bool begin_raster(const Grid* g, const Corners* c, Raster* r) {
    double far[2] = {g->low[0] + g->count[0] * g->cell, g->low[1] + g->count[1] * g->cell};
    for (int k = 0; k < 2; k++) {
        if (c->low[k] > far[k] || c->high[k] < g->low[k]) return false;
        r->first[k] = clamp_cell(g, k, c->low[k]);
        r->last[k] = clamp_cell(g, k, c->high[k]);
    }
    r->c = *c;
    return true;
}

typedef struct Corner {
    double at[3];
} Corner;

enum { MOST_CORNERS = 7 };  // of a triangle in a rectangle

// What of a polygon is where sign (at[axis] - bound) >= 0. Returns its number of corners.
static int clip(const Corner* from, int count, int axis, double sign, double bound, Corner* to) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const Corner *a = &from[k], *b = &from[(k + 1) % count];
        double da = sign * (a->at[axis] - bound), db = sign * (b->at[axis] - bound);
        if (da >= 0) to[kept++] = *a;
        if ((da >= 0) == (db >= 0)) continue;
        double t = da / (da - db);
        for (int d = 0; d < 3; d++) to[kept].at[d] = a->at[d] + t * (b->at[d] - a->at[d]);
        kept++;
    }
    return kept;
}

// Between which z a triangle is in a cell; false where it is not there.
static bool cell_heights(const Grid* g, const Raster* r, int i, int j, double z[2]) {
    Corner one[MOST_CORNERS + 1], other[MOST_CORNERS + 1];
    for (int k = 0; k < 3; k++) one[k] = (Corner){{r->c.u[k], r->c.v[k], r->c.z[k]}};
    double u = g->low[0] + i * g->cell, v = g->low[1] + j * g->cell;
    int count = clip(one, 3, 0, 1, u, other);
    count = clip(other, count, 0, -1, u + g->cell, one);
    count = clip(one, count, 1, 1, v, other);
    count = clip(other, count, 1, -1, v + g->cell, one);
    z[0] = HUGE_VAL, z[1] = -HUGE_VAL;
    for (int k = 0; k < count; k++) {
        z[0] = fmin(z[0], one[k].at[2]);
        z[1] = fmax(z[1], one[k].at[2]);
    }
    return count > 0;
}

// ---------------------------------------------------------------------------------------------
// How high

static void measure_half(const Grid* g) {
    Corners c;
    Raster r;
    double z[2];
    for (long k = 0; k < (long)g->count[0] * g->count[1]; k++) g->of->high[k] = -HUGE_VAL;
    for (int j = 0; j < g->count[1]; j++) g->of->least[j] = HUGE_VAL;
    for (int t = 0; t < g->state->model->triangle_count; t++) {
        if (!take_corners(g, t, 1, &c) || !begin_raster(g, &c, &r)) continue;
        for (int j = r.first[1]; j <= r.last[1]; j++) {
            g->of->least[j] = fmin(g->of->least[j], c.low[0]);
            for (int i = r.first[0]; i <= r.last[0]; i++)
                if (cell_heights(g, &r, i, j, z)) {
                    double* high = &g->of->high[(long)j * g->count[0] + i];
                    *high = fmax(*high, z[1]);
                }
        }
    }
}

// By how much a triangle of the image has to be lifted to be before all of this half.
static double triangle_need(const Grid* g, const Raster* r) {
    double need = 0, z[2], reach = APPROACH * g->cell;
    for (int j = r->first[1]; j <= r->last[1]; j++) {
        double part = fmin(1, 1 - g->of->least[j] / reach);
        for (int i = r->first[0]; i <= r->last[0] && part > 0; i++) {
            double high = g->of->high[(long)j * g->count[0] + i];
            if (high > -HUGE_VAL && cell_heights(g, r, i, j, z))
                need = fmax(need, part * (high + GAP - z[0]));
        }
    }
    return need;
}

static void measure_images(const Grid* g) {
    const WeftModel* m = g->state->model;
    Corners c;
    Raster r;
    for (int i = g->begin; i < g->end; i++) g->of->need[i] = 0;
    for (int t = 0; t < m->triangle_count; t++) {
        if (!take_corners(g, t, -1, &c) || !begin_raster(g, &c, &r)) continue;
        double need = triangle_need(g, &r);
        for (int k = 0; k < 3; k++) {
            double* at = &g->of->need[m->triangles[3 * (long)t + k]];
            *at = fmax(*at, need);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The lift

// Where the image of a row is seen: the cell, the place in it, and how far off the grid that is.
typedef struct Spot {
    int cell[2];
    double part[2], off;
} Spot;

static Spot image_spot(const Grid* g, int row) {
    WfVec x = wf_load(g->state->x, row);
    double at[2] = {-wf_plane_height(&g->state->model->system.mirror, x), wf_dot(g->third, x)};
    Spot spot = {.off = 0};
    for (int k = 0; k < 2; k++) {
        double far = g->low[k] + g->count[k] * g->cell;
        double inside = fmax(g->low[k], fmin(far, at[k]));
        spot.off += fabs(at[k] - inside);
        spot.cell[k] = clamp_cell(g, k, inside);
        spot.part[k] = fmin(1, (inside - g->low[k]) / g->cell - spot.cell[k]);
    }
    return spot;
}

static double* node_of(const Grid* g, int i, int j) {
    return &g->of->lift[(long)j * (g->count[0] + 1) + i];
}

static void raise(double* to, double from, double less) { *to = fmax(*to, from - less); }

// The least lift that is enough everywhere and nowhere steeper than SLOPE along u and v.
static void spread(const Grid* g) {
    double less = SLOPE * g->cell;
    int nu = g->count[0], nv = g->count[1];
    for (int j = 0; j <= nv; j++) {
        for (int i = 1; i <= nu; i++) raise(node_of(g, i, j), *node_of(g, i - 1, j), less);
        for (int i = nu; i > 0; i--) raise(node_of(g, i - 1, j), *node_of(g, i, j), less);
    }
    for (int i = 0; i <= nu; i++) {
        for (int j = 1; j <= nv; j++) raise(node_of(g, i, j), *node_of(g, i, j - 1), less);
        for (int j = nv; j > 0; j--) raise(node_of(g, i, j - 1), *node_of(g, i, j), less);
    }
}

static bool make_lift(const Grid* g) {
    bool any = false;
    for (long k = 0; k < (long)(g->count[0] + 1) * (g->count[1] + 1); k++) g->of->lift[k] = 0;
    for (int i = g->begin; i < g->end; i++) {
        if (!(g->of->need[i] > 0)) continue;
        Spot s = image_spot(g, i);
        double need = g->of->need[i] + SLOPE * s.off;
        for (int k = 0; k < 4; k++)
            raise(node_of(g, s.cell[0] + k % 2, s.cell[1] + k / 2), need, 0);
        any = true;
    }
    if (any) spread(g);
    return any;
}

static double lift_of(const Grid* g, int row) {
    Spot s = image_spot(g, row);
    double a = s.part[0], b = s.part[1];
    double low =
        (1 - a) * *node_of(g, s.cell[0], s.cell[1]) + a * *node_of(g, s.cell[0] + 1, s.cell[1]);
    double high = (1 - a) * *node_of(g, s.cell[0], s.cell[1] + 1) +
                  a * *node_of(g, s.cell[0] + 1, s.cell[1] + 1);
    return fmax(0, (1 - b) * low + b * high - SLOPE * s.off);
}

static void show_cloth(WeftState* state, int cloth) {
    const WeftModel* m = state->model;
    const WfShown* shown = &m->shown;
    Grid g = {.state = state,
              .folds = m->folds,
              .of = state->overlap,
              .third = wf_cross(m->system.mirror.normal, shown->front),
              .front = shown->front,
              .begin = m->first_vertex[cloth],
              .end = m->first_vertex[cloth + 1],
              .cell = CELL * m->mean_edge};
    if (!place_grid(&g)) return;
    measure_half(&g);
    measure_images(&g);
    if (!make_lift(&g)) return;
    for (int i = shown->first_vertex[cloth]; i < shown->first_vertex[cloth + 1]; i++) {
        int row = shown->rows[i];
        if (shown->sides[i] >= 0) continue;
        double lift = following(m->folds, row) * lift_of(&g, row);
        wf_store(state->shown_x, i, wf_madd(wf_load(state->shown_x, i), lift, g.front));
    }
}

void wf_show_overlap(WeftState* state) {
    const WeftModel* m = state->model;
    if (m->shown.closure != WEFT_CLOSURE_BUTTON) return;
    for (int c = 0; c < m->cloth_count; c++) show_cloth(state, c);
}
