// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/limit.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"

// Sweeps end where no edge is longer than allowed by more than this part.
static const double TOLERANCE = 1e-3;
// Edges from this part of their longest on are swept over.
static const double NEARLY = 0.99;
// The most of its last move that an iterate goes on by.
static const double MOMENTUM = 0.98;
// Where the reach is not limited by stretch: the error of the measured ways, and a little.
static const double SLACK = 1.02;
// Sweeps go on while they take at least a tenth of the excess in PATIENCE of them.
static const double PROGRESS = 0.9;
// What is left of the excess where they give up, if all is to be well: else the limit is eased.
static const double LEFT = 1e-2;
// Where the cloth was longer than allowed before the step, it gets shorter by this part at once.
static const double SHRINK = 0.02;
// How much the limit is eased in a next try.
static const double EASE = 1.1;

enum {
    BATCH = 8,         // pairs of sweeps between two looks at all edges, at most
    PATIENCE = 32,     // pairs of sweeps
    MAX_SWEEPS = 256,  // pairs of sweeps
    MAX_TETHERS = 4,   // per vertex
    TETHER_ROUNDS = 16,
    MAX_TRIES = 8,
};

// ---------------------------------------------------------------------------------------------
// What is constant

WeftResult wf_check_limit(const WeftClothDef* cloth, WeftError* error) {
    double limit = cloth->stretch_limit;
    if (limit == 0 || (limit > 1 && limit <= 10)) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "stretch_limit is %g; it must be above 1 and at most 10, or 0 for no limit",
                   limit);
}

// Edges come cloth after cloth.
static void copy_edges(const WfWayMesh* mesh, const WeftClothDef* cloths, const int* first_vertex,
                       WfLimit* limit) {
    for (int e = 0, c = 0; e < mesh->edge_count; e++) {
        int a = mesh->edges[2L * e], b = mesh->edges[2L * e + 1];
        while (a >= first_vertex[c + 1]) c++;
        if (cloths[c].stretch_limit == 0) continue;
        limit->edges[2L * limit->edge_count] = a;
        limit->edges[2L * limit->edge_count + 1] = b;
        limit->longest[limit->edge_count++] = cloths[c].stretch_limit * mesh->lengths[e];
        limit->shortest = fmin(limit->shortest, mesh->lengths[e]);
    }
}

static void copy_tethers(const WfWayMesh* mesh, const WeftClothDef* cloths, const int* first_vertex,
                         const WfWay* ways, WfLimit* limit) {
    for (int v = 0, c = 0; v < mesh->vertex_count; v++) {
        while (v >= first_vertex[c + 1]) c++;
        if (!cloths[c].tethers) continue;
        double stretch = cloths[c].stretch_limit > 0 ? cloths[c].stretch_limit : SLACK;
        for (int k = 0; k < MAX_TETHERS; k++) {
            WfWay way = ways[(long)v * MAX_TETHERS + k];
            if (way.pin < 0 || way.pin == v) continue;
            limit->tethers[limit->tether_count++] = (WfTether){v, way.pin, stretch * way.length};
        }
    }
}

static WeftResult create_tethers(const WeftAllocator* allocator, const WfWayMesh* mesh,
                                 const WeftClothDef* cloths, const int* first_vertex,
                                 WfLimit* limit) {
    size_t count = (size_t)mesh->vertex_count * MAX_TETHERS;
    WfWay* ways = wf_alloc(allocator, count, sizeof *ways);
    limit->tethers = wf_alloc(allocator, count, sizeof *limit->tethers);
    WeftResult result = WEFT_ERROR_MEMORY;
    if (ways && limit->tethers) result = wf_find_ways(allocator, mesh, MAX_TETHERS, ways);
    if (!result) copy_tethers(mesh, cloths, first_vertex, ways, limit);
    wf_free(allocator, ways);
    return result;
}

WeftResult wf_limit_create(const WeftAllocator* allocator, const WfWayMesh* mesh,
                           const WeftClothDef* cloths, int cloth_count, const int* first_vertex,
                           WfLimit* limit) {
    bool stretch = false, tethers = false;
    for (int c = 0; c < cloth_count; c++) {
        stretch = stretch || cloths[c].stretch_limit > 0;
        tethers = tethers || cloths[c].tethers;
    }
    if (stretch) {
        limit->shortest = HUGE_VAL;
        size_t count = (size_t)mesh->edge_count;
        limit->edges = wf_alloc(allocator, 2 * count, sizeof *limit->edges);
        limit->longest = wf_alloc(allocator, count, sizeof *limit->longest);
        if (!limit->edges || !limit->longest) return WEFT_ERROR_MEMORY;
        copy_edges(mesh, cloths, first_vertex, limit);
    }
    return tethers ? create_tethers(allocator, mesh, cloths, first_vertex, limit) : WEFT_OK;
}

void wf_limit_destroy(const WeftAllocator* allocator, WfLimit* limit) {
    wf_free(allocator, limit->edges);
    wf_free(allocator, limit->longest);
    wf_free(allocator, limit->tethers);
}

void wf_limit_layout(const WfLimit* limit, int vertex_count, WfArena* arena, WfLimitWork* work) {
    if (limit->edge_count + limit->tether_count == 0) return;
    size_t n = (size_t)vertex_count;
    work->solved = wf_arena_push(arena, 3 * n, sizeof(double));
    work->before = wf_arena_push(arena, 3 * n, sizeof(double));
    work->from = wf_arena_push(arena, 3 * n, sizeof(double));
    work->weights = wf_arena_push(arena, n, sizeof(double));
    work->list = wf_arena_push(arena, (size_t)limit->edge_count, sizeof(int));
    work->moving = wf_arena_push(arena, n, sizeof(int));
    work->moves = wf_arena_push(arena, n, 1);
}

// ---------------------------------------------------------------------------------------------
// Tethers

static double square_distance(const double* x, int a, int b) {
    WfVec d = wf_sub(wf_load(x, b), wf_load(x, a));
    return wf_dot(d, d);
}

static bool is_taut(const WfTether* tether, double ease, const WfMotion* m, const double* x) {
    double reach = ease * tether->reach;
    return m->pinned[tether->pin] && !m->pinned[tether->vertex] &&
           square_distance(x, tether->vertex, tether->pin) > reach * reach;
}

// How much further than it may a vertex has to be from a pin, because another one that it may not
// leave is too far from that pin: `ease` where none is.
static double pull_apart(const WfLimit* limit, int t, double ease, const WfMotion* m,
                         const double* x) {
    const WfTether* tether = &limit->tethers[t];
    int first = t, end = t + 1;
    while (first > 0 && limit->tethers[first - 1].vertex == tether->vertex) first--;
    while (end < limit->tether_count && limit->tethers[end].vertex == tether->vertex) end++;
    double most = ease;
    for (int i = first; i < end; i++) {
        const WfTether* other = &limit->tethers[i];
        double reach = most * (tether->reach + other->reach);
        double square = square_distance(x, tether->pin, other->pin);
        if (m->pinned[other->pin] && square > reach * reach) most *= sqrt(square) / reach;
    }
    return most;
}

// Pull back what is out of reach, of vertices that move (or of all). Whether any was.
static bool pull_tethers(const WfLimit* limit, const WfLimitWork* work, const WfMotion* m, bool all,
                         double* x) {
    bool pulled = false;
    for (int t = 0; t < limit->tether_count; t++) {
        WfTether tether = limit->tethers[t];
        if (!(all || work->moves[tether.vertex]) || !is_taut(&tether, work->ease, m, x)) continue;
        double reach = tether.reach * pull_apart(limit, t, work->ease, m, x);
        WfVec pin = wf_load(x, tether.pin), d = wf_sub(wf_load(x, tether.vertex), pin);
        double length = wf_length(d);
        if (length <= reach) continue;
        wf_store(x, tether.vertex, wf_madd(pin, reach / length, d));
        pulled = true;
    }
    return pulled;
}

// ---------------------------------------------------------------------------------------------
// Edges

typedef struct Excess {
    int listed;     // edges in the list
    int count;      // of them: too long
    double worst;   // largest length over the longest allowed
    double square;  // sum of squares of what is too much of that
} Excess;

// List the edges that are too long or nearly. Those between two pins are left alone.
static Excess list_edges(const WfLimit* limit, const WfLimitWork* work, const WfMotion* m,
                         const double* x) {
    Excess excess = {0};
    for (int e = 0; e < limit->edge_count; e++) {
        int a = limit->edges[2L * e], b = limit->edges[2L * e + 1];
        double square = square_distance(x, a, b), longest = work->ease * limit->longest[e];
        if (square <= NEARLY * NEARLY * longest * longest || (m->pinned[a] && m->pinned[b]))
            continue;
        double ratio = sqrt(square) / longest;
        work->list[excess.listed++] = e;
        excess.worst = fmax(excess.worst, ratio);
        if (ratio <= 1) continue;
        excess.count++;
        excess.square += (ratio - 1) * (ratio - 1);
    }
    return excess;
}

static void mark_moving(WfLimitWork* work, int vertex) {
    if (work->moves[vertex]) return;
    work->moves[vertex] = 1;
    work->moving[work->moving_count++] = vertex;
}

// Returns how long the edge was, over what it may be; 1 where it was not too long.
static double project_edge(const WfLimit* limit, const WfLimitWork* work, int e, double* x) {
    const double* weights = work->weights;
    int a = limit->edges[2L * e], b = limit->edges[2L * e + 1];
    WfVec xa = wf_load(x, a), xb = wf_load(x, b), d = wf_sub(xb, xa);
    double square = wf_dot(d, d), longest = work->ease * limit->longest[e];
    if (square <= longest * longest) return 1;
    double ratio = sqrt(square) / longest, move = (1 - 1 / ratio) / (weights[a] + weights[b]);
    wf_store(x, a, wf_madd(xa, move * weights[a], d));
    wf_store(x, b, wf_madd(xb, -move * weights[b], d));
    return ratio;
}

// Forth and back over the list, so that momentum may be added to it: a sweep one way turns, too.
// Returns the worst that was met on the way back.
static double sweep(const WfLimit* limit, const WfLimitWork* work, int count, double* x) {
    double worst = 1;
    for (int i = 0; i < count; i++) project_edge(limit, work, work->list[i], x);
    for (int i = count - 1; i >= 0; i--)
        worst = fmax(worst, project_edge(limit, work, work->list[i], x));
    return worst;
}

// x goes on by a part of its last move.
static void go_on(const WfLimitWork* work, double part, double* x) {
    for (int i = 0; i < work->moving_count; i++) {
        int v = work->moving[i];
        WfVec now = wf_load(x, v), last = wf_sub(now, wf_load(work->before, v));
        WfVec from = wf_madd(now, part, last);
        wf_store(work->before, v, now);
        wf_store(work->from, v, from);
        wf_store(x, v, from);
    }
}

typedef struct Move {
    bool turned;     // the sweep went against the last move
    double largest;  // of a vertex
} Move;

static Move look_back(const WfLimitWork* work, const double* masses, const double* x) {
    double sum = 0, largest = 0;
    for (int i = 0; i < work->moving_count; i++) {
        int v = work->moving[i];
        WfVec now = wf_load(x, v), moved = wf_sub(now, wf_load(work->before, v));
        sum += masses[v] * wf_dot(wf_sub(now, wf_load(work->from, v)), moved);
        largest = fmax(largest, wf_dot(moved, moved));
    }
    return (Move){sum < 0, sqrt(largest)};
}

// A few sweeps over the list, until vertices have come so far that others may have to be in it.
// age: sweeps since the last turn. Returns how many were made.
static int sweep_list(const WfLimit* limit, const WfStep* step, WfLimitWork* work, int count,
                      int* age) {
    double way = 0, far = 2 * (1 - NEARLY) * limit->shortest, *x = step->work->x;
    int sweeps = 0;
    while (sweeps < BATCH && way < far) {
        sweeps++;
        ++*age;
        go_on(work, fmin(MOMENTUM, (*age - 1.0) / (*age + 2)), x);
        pull_tethers(limit, work, &step->motion, false, x);
        if (sweep(limit, work, count, x) <= 1 + TOLERANCE) break;
        Move move = look_back(work, step->system->masses, x);
        if (move.turned) *age = 0;
        way += move.largest;
    }
    return sweeps;
}

// Sweep until nothing is too long, or it gets no better. Returns what is left.
static Excess shorten(const WfLimit* limit, const WfStep* step, WfLimitWork* work, Excess excess) {
    const double* x = step->work->x;
    double square = HUGE_VAL;
    for (int sweeps = 0, age = 0, next = 0; sweeps < MAX_SWEEPS;) {
        if (sweeps >= next) {
            if (!(excess.square < PROGRESS * square)) break;
            square = excess.square;
            next = sweeps + PATIENCE;
        }
        for (int i = 0; i < excess.listed; i++) {
            mark_moving(work, limit->edges[2L * work->list[i]]);
            mark_moving(work, limit->edges[2L * work->list[i] + 1]);
        }
        sweeps += sweep_list(limit, step, work, excess.listed, &age);
        excess = list_edges(limit, work, &step->motion, x);
        if (excess.worst <= 1 + TOLERANCE) break;
    }
    return excess;
}

// ---------------------------------------------------------------------------------------------
// All together

// One try with the limit as it is eased now. Whether nearly all is well then.
static bool hold(const WfLimit* limit, const WfStep* step, WfLimitWork* work) {
    const WfMotion* m = &step->motion;
    double* x = step->work->x;
    size_t bytes = 3 * (size_t)m->vertex_count * sizeof(double);
    memcpy(x, work->solved, bytes);
    memset(work->moves, 0, (size_t)m->vertex_count);
    work->moving_count = 0;
    for (int i = 0; i < TETHER_ROUNDS; i++)
        if (!pull_tethers(limit, work, m, true, x)) break;
    memcpy(work->before, x, bytes);
    Excess excess = list_edges(limit, work, m, x);
    if (excess.count > 0) excess = shorten(limit, step, work, excess);
    return excess.worst <= 1 + LEFT;
}

static void begin(const WfStep* step, WfLimitWork* work) {
    int n = step->system->vertex_count;
    memcpy(work->solved, step->work->x, 3 * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        work->weights[i] = step->motion.pinned[i] ? 0 : 1 / step->system->masses[i];
    work->moved = true;
}

// Where pins are further apart than the cloth may be long, no positions are right, and sweeps would
// leave it to the edges at the pins. Then the limit is eased until some are: first to what the
// cloth had before the step.
int wf_limit_apply(const WfLimit* limit, const WfStep* step, WfLimitWork* work) {
    const WfMotion* m = &step->motion;
    work->ease = 1;
    work->moved = false;
    bool taut = false;
    for (int t = 0; t < limit->tether_count && !taut; t++)
        taut = is_taut(&limit->tethers[t], work->ease, m, step->work->x);
    int count = list_edges(limit, work, m, step->work->x).count;
    if (count == 0 && !taut) return 0;

    begin(step, work);
    double before = list_edges(limit, work, m, m->x).worst;
    if (before > 1 + LEFT) work->ease = fmax(1, (1 - SHRINK) * before);
    for (int i = 0; i < MAX_TRIES && !hold(limit, step, work); i++)
        work->ease = i == 0 ? fmax(1 + LEFT, before) : EASE * work->ease;
    return count;
}

// ---------------------------------------------------------------------------------------------
// Velocities

// a with the component along d of another vector.
static WfVec exchange_along(WfVec a, WfVec d, WfVec other) {
    return wf_madd(a, wf_dot(wf_sub(other, a), d) / wf_dot(d, d), d);
}

void wf_limit_settle(const WfLimitWork* work, const WfStep* step, double* v, double* v1,
                     double* x2) {
    const WfMotion* m = &step->motion;
    if (!work->moved) return;
    for (int i = 0; i < m->vertex_count; i++) {
        WfVec x = wf_load(m->x, i), x1 = wf_load(m->x1, i);
        WfVec pull = wf_sub(x, wf_load(work->solved, i)), moved = wf_sub(x, x1);
        if (m->pinned[i] || !(wf_dot(pull, pull) > 0)) continue;
        WfVec mean = wf_mul(1 / m->h, moved);
        wf_store(v, i, exchange_along(wf_load(v, i), pull, mean));
        wf_store(v1, i, exchange_along(wf_load(v1, i), pull, mean));
        wf_store(x2, i, exchange_along(wf_load(x2, i), pull, wf_sub(x1, moved)));
    }
}
