// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/limit.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "contact/world.h"
#include "method/excess.h"

// Sweeps end where no edge is longer than allowed by more than this part.
static const double TOLERANCE = 1e-3;
// Edges from this part of their longest on are swept over.
static const double NEARLY = 0.99;
// The most of its last move that an iterate goes on by.
static const double MOMENTUM = 0.98;
// Where the reach is not limited by stretch: the error of the measured ways, and a little.
static const double SLACK = 1.02;
// Turns go on while each takes at least a tenth of the excess.
static const double PROGRESS = 0.9;
// What is left of the excess where they give up, if all is to be well: else the limit is eased.
static const double LEFT = 1e-2;
// An edge that was longer than allowed before the step gets shorter by this part at once.
static const double SHRINK = 0.02;
// How much the limit is eased in a next try, at most; and what of it is left an edge further.
static const double EASE = 1.1, FALL = 0.8;
// What neighbours give each other of a difference.
static const double SMOOTH = 0.1;
// m, and part of an edge: pulls below either are hardly one.
static const double HARDLY = 1e-4, HARDLY_OF_EDGE = 1e-2;

enum {
    BATCH = 8,         // pairs of sweeps between two looks at all edges, at most
    LEAST_SWEEPS = 4,  // pairs of sweeps in a turn,
    MOST_SWEEPS = 32,  // unless they are over more than
    SWEPT_EDGES = 32000,
    ITERATIONS = 8,  // of conjugate gradients in a turn
    MAX_TURNS = 12,
    MAX_TETHERS = 4,  // per vertex
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

static WfTether make_tether(const WfTetherMesh* whole, int vertex, int pin, double reach) {
    bool image = whole->sides && whole->sides[pin] < 0;
    return (WfTether){vertex, whole->rows ? whole->rows[pin] : pin, image, reach};
}

static void copy_tethers(const WfTetherMesh* whole, int vertex_count, const WeftClothDef* cloths,
                         const int* first_vertex, const WfWay* ways, WfLimit* limit) {
    for (int v = 0, c = 0; v < vertex_count; v++) {
        int of = whole->vertices ? whole->vertices[v] : v;
        while (v >= first_vertex[c + 1]) c++;
        if (!cloths[c].tethers) continue;
        double stretch = cloths[c].stretch_limit > 0 ? cloths[c].stretch_limit : SLACK;
        for (int k = 0; k < MAX_TETHERS; k++) {
            WfWay way = ways[(long)of * MAX_TETHERS + k];
            if (way.pin < 0 || way.pin == of) continue;
            limit->tethers[limit->tether_count++] =
                make_tether(whole, v, way.pin, stretch * way.length);
        }
    }
}

static WeftResult create_tethers(const WeftAllocator* allocator, const WfTetherMesh* whole,
                                 int vertex_count, const WeftClothDef* cloths,
                                 const int* first_vertex, WfLimit* limit) {
    WfWay* ways = wf_alloc(allocator, (size_t)whole->mesh.vertex_count * MAX_TETHERS, sizeof *ways);
    limit->tethers =
        wf_alloc(allocator, (size_t)vertex_count * MAX_TETHERS, sizeof *limit->tethers);
    WeftResult result = WEFT_ERROR_MEMORY;
    if (ways && limit->tethers) result = wf_find_ways(allocator, &whole->mesh, MAX_TETHERS, ways);
    if (!result) copy_tethers(whole, vertex_count, cloths, first_vertex, ways, limit);
    limit->mirror = whole->mirror;
    wf_free(allocator, ways);
    return result;
}

WeftResult wf_limit_create(const WeftAllocator* allocator, const WfWayMesh* mesh,
                           const WfTetherMesh* whole, const WeftClothDef* cloths, int cloth_count,
                           const int* first_vertex, WfLimit* limit) {
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
    if (!tethers) return WEFT_OK;
    return create_tethers(allocator, whole, mesh->vertex_count, cloths, first_vertex, limit);
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
    work->ease = wf_arena_push(arena, n, sizeof(double));
    work->allowed = wf_arena_push(arena, (size_t)limit->edge_count, sizeof(double));
    work->gradient = wf_arena_push(arena, 3 * n, sizeof(double));
    work->pull = wf_arena_push(arena, 3 * n, sizeof(double));
    work->path = wf_arena_push(arena, 3 * n, sizeof(double));
    work->list = wf_arena_push(arena, (size_t)limit->edge_count, sizeof(int));
    work->moving = wf_arena_push(arena, n, sizeof(int));
    work->moves = wf_arena_push(arena, n, 1);
    work->held = wf_arena_push(arena, n, 1);
}

// ---------------------------------------------------------------------------------------------
// Tethers

static double square_distance(const double* x, int a, int b) {
    WfVec d = wf_sub(wf_load(x, b), wf_load(x, a));
    return wf_dot(d, d);
}

// By how much a tether is eased: as much as the cloth is at either end.
static double tether_ease(const WfLimitWork* work, const WfTether* tether) {
    return fmax(work->ease[tether->vertex], work->ease[tether->pin]);
}

static WfVec pin_place(const WfLimit* limit, const WfTether* tether, const double* x) {
    WfVec pin = wf_load(x, tether->pin);
    return tether->image ? wf_plane_image(&limit->mirror, pin) : pin;
}

static bool is_taut(const WfLimit* limit, const WfLimitWork* work, const WfTether* tether,
                    double ease, const double* x) {
    double reach = ease * tether->reach;
    if (!work->held[tether->pin] || work->held[tether->vertex]) return false;
    WfVec d = wf_sub(pin_place(limit, tether, x), wf_load(x, tether->vertex));
    return wf_dot(d, d) > reach * reach;
}

// How much further than it may a vertex has to be from a pin, because another one that it may not
// leave is too far from that pin: `ease` where none is.
static double pull_apart(const WfLimit* limit, const WfLimitWork* work, int t, double ease,
                         const double* x) {
    const WfTether* tether = &limit->tethers[t];
    int first = t, end = t + 1;
    while (first > 0 && limit->tethers[first - 1].vertex == tether->vertex) first--;
    while (end < limit->tether_count && limit->tethers[end].vertex == tether->vertex) end++;
    double most = ease;
    for (int i = first; i < end; i++) {
        const WfTether* other = &limit->tethers[i];
        double reach = most * (tether->reach + other->reach);
        WfVec apart = wf_sub(pin_place(limit, other, x), pin_place(limit, tether, x));
        double square = wf_dot(apart, apart);
        if (work->held[other->pin] && square > reach * reach) most *= sqrt(square) / reach;
    }
    return most;
}

// Pull a vertex back into a ball. Returns how far out it was.
static double pull_into(const WfPlane* mirror, int vertex, WfVec centre, double reach, double* x) {
    WfVec d = wf_sub(wf_load(x, vertex), centre);
    double length = wf_length(d);
    if (length <= reach) return 0;
    WfVec to = wf_madd(centre, reach / length, d);
    wf_store(x, vertex, wf_plane_place(mirror, vertex, to));
    return length - reach;
}

// Pull back what is out of reach, of vertices that move (or of all). Whether any was.
static bool pull_tethers(const WfLimit* limit, const WfLimitWork* work, const WfStep* step,
                         bool all) {
    double* x = step->work->x;
    bool pulled = false;
    for (int t = 0; t < limit->tether_count; t++) {
        WfTether tether = limit->tethers[t];
        double ease = tether_ease(work, &tether);
        if (!(all || work->moves[tether.vertex]) || !is_taut(limit, work, &tether, ease, x))
            continue;
        double reach = tether.reach * pull_apart(limit, work, t, ease, x);
        WfVec pin = pin_place(limit, &tether, x);
        if (pull_into(&step->system->mirror, tether.vertex, pin, reach, x) > 0) pulled = true;
    }
    return pulled;
}

// ---------------------------------------------------------------------------------------------
// Lines

// What is further from the end of its line than that is long, and than the solve left it, goes
// back. Returns how far that was at most.
static double pull_lines(const WfStep* step, const WfLimitWork* work, double* x) {
    double most = 0;
    for (int t = 0; step->ties && t < step->ties->count; t++) {
        const WfTie* tie = &step->ties->all[t];
        int v = tie->vertices[0];
        if (tie->reach == 0 || work->held[v]) continue;
        double left = wf_length(wf_sub(wf_load(work->solved, v), tie->end));
        double reach = fmax(tie->reach, left);
        most = fmax(most, pull_into(&step->system->mirror, v, tie->end, reach, x));
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Contacts

// Of a ball: from its centre to its vertex.
static WfVec leash_at(const WfContact* c, const WfMotion* m, const double* x) {
    int i = c->vertices[0];
    return wf_from_centre(c, wf_sub(wf_load(x, i), wf_load(m->x, i)));
}

// How far apart a contact is at x, less thickness; of a ball, how far from its surface, inside.
static double gap_at(const WfContact* c, const WfMotion* m, const double* x) {
    WfVec s = wf_contact_offset(c);
    if (c->ball > 0) return c->ball - wf_length(leash_at(c, m, x));
    for (int k = 0; k < c->count; k++) {
        int v = c->vertices[k];
        s = wf_madd(s, c->weights[k], wf_sub(wf_load(x, v), wf_load(m->x, v)));
    }
    return wf_dot(c->normal, s);
}

// What is deeper in a contact than the solve left it goes back there.
static void keep_apart(const WfStep* step, const WfLimitWork* work, bool skins_only, double* x) {
    const WfMotion* m = &step->motion;
    for (int i = 0; step->world && i < step->world->contacts.count; i++) {
        const WfContact* c = &step->world->contacts.all[i];
        if (skins_only && !c->of_skin) continue;
        double gap = gap_at(c, m, x), weight = 0;
        if (gap >= 0) continue;
        double deep = fmin(0, gap_at(c, m, work->solved)) - gap;
        WfVec normal = c->ball > 0 ? wf_mul(-1, wf_unit(leash_at(c, m, x))) : c->normal;
        for (int k = 0; k < c->count; k++)
            weight += c->weights[k] * c->weights[k] * work->weights[c->vertices[k]];
        if (!(deep > 0 && weight > 0)) continue;
        for (int k = 0; k < c->count; k++) {
            int v = c->vertices[k];
            wf_accumulate(x, v, deep / weight * c->weights[k] * work->weights[v], normal);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Edges

typedef struct Excess {
    int listed;     // edges in the list
    int count;      // of them: too long
    double worst;   // largest length over the longest allowed
    double square;  // sum of squares of what is too much of that
} Excess;

// List the edges that are too long or nearly.
static Excess list_edges(const WfLimit* limit, const WfLimitWork* work, const double* x) {
    Excess excess = {0};
    for (int e = 0; e < limit->edge_count; e++) {
        int a = limit->edges[2L * e], b = limit->edges[2L * e + 1];
        double square = square_distance(x, a, b), longest = work->allowed[e];
        if (square <= NEARLY * NEARLY * longest * longest) continue;
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
static double project_edge(const WfLimit* limit, const WfLimitWork* work, const WfPlane* mirror,
                           int e, double* x) {
    const double* weights = work->weights;
    int a = limit->edges[2L * e], b = limit->edges[2L * e + 1];
    WfVec xa = wf_load(x, a), xb = wf_load(x, b), d = wf_sub(xb, xa);
    double square = wf_dot(d, d), longest = work->allowed[e];
    if (square <= longest * longest) return 1;
    double ratio = sqrt(square) / longest, move = (1 - 1 / ratio) / (weights[a] + weights[b]);
    wf_store(x, a, wf_madd(xa, move * weights[a], wf_plane_let(mirror, a, d)));
    wf_store(x, b, wf_madd(xb, -move * weights[b], wf_plane_let(mirror, b, d)));
    return ratio;
}

// Forth and back over the list, so that momentum may be added to it: a sweep one way turns, too.
// Returns the worst that was met on the way back, and at lines behind it.
static double sweep(const WfLimit* limit, const WfLimitWork* work, const WfStep* step, int count,
                    double* x) {
    const WfPlane* mirror = &step->system->mirror;
    double worst = 1;
    for (int i = 0; i < count; i++) project_edge(limit, work, mirror, work->list[i], x);
    for (int i = count - 1; i >= 0; i--)
        worst = fmax(worst, project_edge(limit, work, mirror, work->list[i], x));
    return fmax(worst, 1 + pull_lines(step, work, x) / limit->shortest);
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
        pull_tethers(limit, work, step, false);
        keep_apart(step, work, false, x);
        pull_lines(step, work, x);
        if (sweep(limit, work, step, count, x) <= 1 + TOLERANCE) break;
        Move move = look_back(work, step->system->masses, x);
        if (move.turned) *age = 0;
        way += move.largest;
    }
    return sweeps;
}

static void mark_list(const WfLimit* limit, WfLimitWork* work, int count) {
    for (int i = 0; i < count; i++) {
        mark_moving(work, limit->edges[2L * work->list[i]]);
        mark_moving(work, limit->edges[2L * work->list[i] + 1]);
    }
}

// ---------------------------------------------------------------------------------------------
// All together

// Pairs of sweeps in a turn: the fewer edges, the more.
static int sweep_count(const WfStep* step, int listed) {
    if (!step->factor || MOST_SWEEPS * listed <= SWEPT_EDGES) return MOST_SWEEPS;
    return SWEPT_EDGES > LEAST_SWEEPS * listed ? SWEPT_EDGES / listed : LEAST_SWEEPS;
}

// Sweep a few times. Returns what is left.
static Excess sweep_edges(const WfLimit* limit, const WfStep* step, WfLimitWork* work,
                          Excess excess, int* age) {
    int most = sweep_count(step, excess.listed);
    for (int sweeps = 0; sweeps < most && excess.worst > 1 + TOLERANCE;) {
        mark_list(limit, work, excess.listed);
        sweeps += sweep_list(limit, step, work, excess.listed, age);
        excess = list_edges(limit, work, step->work->x);
    }
    return excess;
}

// All at once, by the matrix A where there is one.
static Excess pull_together(const WfLimit* limit, const WfStep* step, WfLimitWork* work) {
    double* x = step->work->x;
    wf_reduce_excess(limit, step, work, ITERATIONS);
    pull_tethers(limit, work, step, true);
    keep_apart(step, work, false, x);
    pull_lines(step, work, x);
    memcpy(work->before, x, 3 * (size_t)step->motion.vertex_count * sizeof(double));
    return list_edges(limit, work, x);
}

// Take turns until nothing is too long, or it gets no better. Returns what is left.
static Excess shorten(const WfLimit* limit, const WfStep* step, WfLimitWork* work) {
    double square = HUGE_VAL, *x = step->work->x;
    memcpy(work->before, x, 3 * (size_t)step->motion.vertex_count * sizeof(double));
    Excess excess = list_edges(limit, work, x);
    for (int turn = 0, age = 0; turn < MAX_TURNS && excess.worst > 1 + TOLERANCE; turn++) {
        if (step->factor && turn > 0) {
            excess = pull_together(limit, step, work);
            age = 0;
        }
        excess = sweep_edges(limit, step, work, excess, &age);
        if (excess.square > PROGRESS * square) break;
        square = excess.square;
    }
    return excess;
}

// ---------------------------------------------------------------------------------------------
// Where the limit cannot be kept

static double edge_ratio(const WfLimit* limit, int e, const double* x) {
    return sqrt(square_distance(x, limit->edges[2L * e], limit->edges[2L * e + 1])) /
           limit->longest[e];
}

static void ease_edge(const WfLimit* limit, WfLimitWork* work, int e, double ease) {
    double *a = &work->ease[limit->edges[2L * e]], *b = &work->ease[limit->edges[2L * e + 1]];
    *a = fmax(*a, ease);
    *b = fmax(*b, ease);
}

// The eases of an edge that passes them on. A pin does not: what one side of it is short of, the
// other cannot give.
static bool find_eases(const WfLimit* limit, const WfLimitWork* work, int e, double** a,
                       double** b) {
    int i = limit->edges[2L * e], j = limit->edges[2L * e + 1];
    *a = &work->ease[i];
    *b = &work->ease[j];
    return work->weights[i] > 0 && work->weights[j] > 0;
}

// Less and less around what is eased, until nothing changes.
static void spread_ease(const WfLimit* limit, WfLimitWork* work) {
    double *a, *b;
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < limit->edge_count; e++) {
            if (!find_eases(limit, work, e, &a, &b)) continue;
            double least = 1 + FALL * (fmax(*a, *b) - 1);
            if (least <= 1 + LEFT || fmin(*a, *b) >= least) continue;
            ease_edge(limit, work, e, least);
            changed = true;
        }
    }
}

// Between neighbours, so that stretch gets even.
static void smooth_ease(const WfLimit* limit, WfLimitWork* work) {
    double *a, *b;
    for (int e = 0; e < limit->edge_count; e++) {
        if (!find_eases(limit, work, e, &a, &b)) continue;
        double part = SMOOTH * (*b - *a);
        *a += part;
        *b -= part;
    }
}

static void set_allowed(const WfLimit* limit, WfLimitWork* work) {
    for (int e = 0; e < limit->edge_count; e++) {
        int a = limit->edges[2L * e], b = limit->edges[2L * e + 1];
        double ease_a = work->held[a] ? HUGE_VAL : work->ease[a];
        double ease_b = work->held[b] ? HUGE_VAL : work->ease[b];
        work->allowed[e] = fmin(ease_a, ease_b) * limit->longest[e];
    }
}

// What was too long before the step may be so, but for a little.
static void ease_by_start(const WfLimit* limit, const WfMotion* m, WfLimitWork* work) {
    bool eased = false;
    for (int e = 0; e < limit->edge_count; e++) {
        double ratio = isinf(work->allowed[e]) ? 1 : edge_ratio(limit, e, m->x);
        if (ratio <= 1 + LEFT) continue;
        ease_edge(limit, work, e, fmax(1, (1 - SHRINK) * ratio));
        eased = true;
    }
    if (!eased) return;
    smooth_ease(limit, work);
    spread_ease(limit, work);
    set_allowed(limit, work);
}

// What is left too long may be so, but for a next try not much longer.
static void ease_by_rest(const WfLimit* limit, const WfStep* step, WfLimitWork* work) {
    const double* x = step->work->x;
    for (int e = 0; e < limit->edge_count; e++) {
        double eased = work->allowed[e] / limit->longest[e], ratio = edge_ratio(limit, e, x);
        if (ratio > (1 + LEFT) * eased) ease_edge(limit, work, e, fmin(ratio, EASE * eased));
    }
    spread_ease(limit, work);
    set_allowed(limit, work);
}

static void begin(const WfStep* step, WfLimitWork* work) {
    int n = step->system->vertex_count;
    memcpy(work->solved, step->work->x, 3 * (size_t)n * sizeof(double));
    memset(work->moves, 0, (size_t)n);
    work->moving_count = 0;
    for (int i = 0; i < n; i++) work->weights[i] = work->held[i] ? 0 : 1 / step->system->masses[i];
    work->moved = true;
}

static bool is_any_taut(const WfLimit* limit, const WfLimitWork* work, const WfStep* step) {
    for (int t = 0; t < limit->tether_count; t++) {
        const WfTether* tether = &limit->tethers[t];
        double ease = tether_ease(work, tether);
        if (is_taut(limit, work, tether, ease, step->work->x)) return true;
    }
    return false;
}

// Pins, and vertices that are attached rigidly to what is no cloth.
static void find_held(const WfStep* step, WfLimitWork* work) {
    memcpy(work->held, step->motion.pinned, (size_t)step->system->vertex_count);
    for (int t = 0; step->ties && t < step->ties->count; t++)
        if (step->ties->all[t].is_rigid) work->held[step->ties->all[t].vertices[0]] = 1;
}

int wf_limit_apply(const WfLimit* limit, const WfStep* step, WfLimitWork* work) {
    const WfMotion* m = &step->motion;
    double* x = step->work->x;
    work->moved = false;
    if (limit->edge_count + limit->tether_count == 0) return 0;
    find_held(step, work);
    for (int i = 0; i < m->vertex_count; i++) work->ease[i] = 1;
    set_allowed(limit, work);
    int count = list_edges(limit, work, x).count;
    if (count == 0 && !is_any_taut(limit, work, step)) return 0;

    begin(step, work);
    ease_by_start(limit, m, work);
    for (int i = 0; i < TETHER_ROUNDS; i++)
        if (!pull_tethers(limit, work, step, true)) break;
    for (int i = 0; i < MAX_TRIES; i++) {
        if (i > 0) {
            wf_reduce_excess(limit, step, work, ITERATIONS);
            ease_by_rest(limit, step, work);
        }
        if (shorten(limit, step, work).worst <= 1 + LEFT) break;
    }
    pull_lines(step, work, x);
    keep_apart(step, work, true, x);  // an animation goes where it goes, whatever it stretches
    return count;
}

void wf_limit_report(const WfLimit* limit, const double* x, WeftStepReport* report) {
    double worst = 1 + LEFT;
    report->over_limit = 0;
    report->over_limit_vertex = -1;
    for (int e = 0; e < limit->edge_count; e++) {
        double longest = (1 + LEFT) * limit->longest[e];
        int a = limit->edges[2L * e], b = limit->edges[2L * e + 1];
        if (square_distance(x, a, b) <= longest * longest) continue;
        report->over_limit++;
        double ratio = edge_ratio(limit, e, x);
        if (ratio > worst) report->over_limit_vertex = a;
        worst = fmax(worst, ratio);
    }
}

// ---------------------------------------------------------------------------------------------
// Velocities

// a with a part of the component along d of another vector.
static WfVec exchange_along(WfVec a, WfVec d, double part, WfVec other) {
    return wf_madd(a, part * wf_dot(wf_sub(other, a), d) / wf_dot(d, d), d);
}

void wf_limit_settle(const WfLimit* limit, const WfLimitWork* work, const WfStep* step, double* v,
                     double* v1, double* x2) {
    const WfMotion* m = &step->motion;
    double hardly = fmin(HARDLY, HARDLY_OF_EDGE * limit->shortest);
    if (!work->moved) return;
    for (int i = 0; i < m->vertex_count; i++) {
        WfVec x = wf_load(m->x, i), x1 = wf_load(m->x1, i);
        WfVec pull = wf_sub(x, wf_load(work->solved, i)), moved = wf_sub(x, x1);
        double square = wf_dot(pull, pull), part = square / (square + hardly * hardly);
        if (work->held[i] || !(square > 0)) continue;
        WfVec mean = wf_mul(1 / m->h, moved);
        wf_store(v, i, exchange_along(wf_load(v, i), pull, part, mean));
        wf_store(v1, i, exchange_along(wf_load(v1, i), pull, part, mean));
        wf_store(x2, i, exchange_along(wf_load(x2, i), pull, part, wf_sub(x1, moved)));
    }
}
