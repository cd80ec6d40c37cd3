// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The passes over the tree, and vectors in and out; what is done with a node is in solve_kernel.h.
//
// Subtrees run in parallel, then stage by stage the nodes above them: what they add to their
// ancestors goes into slots of their own, which are added up in the order of the subtrees. What is
// apart comes last forward, and first backward, with both matrices in parallel.

#include "sparse/solve.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/simd.h"

// ---------------------------------------------------------------------------------------------
// Trees

// Slots, the largest numbers (see below), slots of the normal matrix.
static int normal_slots_at(const WfSupernodes* s) { return s->slot_count + s->subtree_count + 1; }

size_t wf_solve_scratch_count(const WfCholesky* c) {
    const WfSupernodes* s = &c->nodes;
    return 4 * (size_t)(normal_slots_at(s) + (s->apart_count > 0 ? s->own_slot[s->count] : 0));
}

// Subtrees of one stage, for all of which the same is done; and the vector that is on its way in
// or out, where it goes along.
typedef struct Stage {
    const WfSolve* solve;
    const WfSubtree* subtrees;
    int count;
    const double* from;
    double* to;
    double scale;
} Stage;

// The subtrees, then the top from below.
static Stage stage_at(const WfSolve* solve, int stage) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    if (stage == 0)
        return (Stage){.solve = solve, .subtrees = s->subtrees, .count = s->subtree_count};
    int first = s->stage_start[stage - 1];
    return (Stage){
        .solve = solve, .subtrees = s->staged + first, .count = s->stage_start[stage] - first};
}

// How many rows it has slots of its own for.
static int outside_count(const WfSupernodes* s, const WfSubtree* subtree) {
    return subtree->first_slot < 0 ? 0 : wf_node_height(s, subtree->end - 1);
}

static void clear_outside(const WfSolve* solve, const WfSubtree* subtree) {
    int count = outside_count(&solve->cholesky->nodes, subtree);
    if (count > 0)
        memset(wf_slot_at(solve->slots, subtree->first_slot), 0, 4 * (size_t)count * sizeof(float));
}

// Between the slots of a subtree and those of its ancestors.
static void add_outside(const WfSolve* solve, const WfSubtree* subtree) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    const int* rows = s->rows + s->row_start[subtree->end - 1];
    for (int i = 0, count = outside_count(s, subtree); i < count; i++) {
        const float* from = wf_slot_at(solve->slots, subtree->first_slot + i);
        float* to = wf_slot_at(solve->slots, s->slot[rows[i]]);
        wf_quad_store(to, wf_quad_add(wf_quad_load(to), wf_quad_load(from)));
    }
}

static void copy_outside(const WfSolve* solve, const WfSubtree* subtree) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    const int* rows = s->rows + s->row_start[subtree->end - 1];
    for (int i = 0, count = outside_count(s, subtree); i < count; i++)
        wf_quad_store(wf_slot_at(solve->slots, subtree->first_slot + i),
                      wf_quad_load(wf_slot_at(solve->slots, s->slot[rows[i]])));
}

static void forward_node(const WfSolve* solve, int node) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    solve->kernel->forward(s, solve->factor + s->panel[node], node, solve->slots);
}

static void forward_subtree(void* context, int t) {
    const Stage* stage = context;
    const WfSolve* solve = stage->solve;
    const WfSubtree* subtree = &stage->subtrees[t];
    clear_outside(solve, subtree);
    for (int k = subtree->begin; k < subtree->end; k++) forward_node(solve, k);
}

static void backward_node(const WfSolve* solve, int node) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    solve->kernel->backward(s, solve->factor + s->panel[node], node, solve->slots);
}

static void backward_subtree(void* context, int t) {
    const Stage* stage = context;
    const WfSolve* solve = stage->solve;
    const WfSubtree* subtree = &stage->subtrees[t];
    copy_outside(solve, subtree);
    for (int k = subtree->end - 1; k >= subtree->begin; k--) backward_node(solve, k);
}

// Those that have none go one after the other.
static bool have_own_slots(const Stage* stage) {
    return stage->count > 0 && stage->subtrees[0].first_slot >= 0;
}

static void forward_stage(const WfSolve* solve, int k) {
    Stage stage = stage_at(solve, k);
    if (have_own_slots(&stage))
        wf_parallel_from(solve->jobs, 2, stage.count, forward_subtree, &stage);
    else
        for (int t = 0; t < stage.count; t++) forward_subtree(&stage, t);
    for (int t = 0; t < stage.count; t++) add_outside(solve, &stage.subtrees[t]);
}

static void backward_stage(const WfSolve* solve, int k) {
    Stage stage = stage_at(solve, k);
    if (have_own_slots(&stage))
        wf_parallel_from(solve->jobs, 2, stage.count, backward_subtree, &stage);
    else
        for (int t = stage.count - 1; t >= 0; t--) backward_subtree(&stage, t);
}

// -- nodes that are apart

// Some of them (marked; NULL: all), in one of the passes. The normal matrix has slots of its own;
// component 0 of these is what comes of it.
typedef struct Apart {
    const WfSolve* solve;
    const unsigned char* marked;
    bool backward;
} Apart;

static float* normal_slots(const WfSolve* solve) {
    return wf_slot_at(solve->slots, normal_slots_at(&solve->cholesky->nodes));
}

static bool takes_part(const Apart* apart, int node) {
    return !apart->marked || apart->marked[node];
}

static void copy_to_normal(const Apart* apart) {
    const WfSupernodes* s = &apart->solve->cholesky->nodes;
    for (int i = 0; i < s->apart_count; i++) {
        int k = s->apart[i];
        if (!takes_part(apart, k)) continue;
        size_t first = 4 * (size_t)s->own_slot[k], end = 4 * (size_t)s->own_slot[k + 1];
        memcpy(normal_slots(apart->solve) + first, apart->solve->slots + first,
               (end - first) * sizeof(float));
    }
}

static void copy_from_normal(const Apart* apart) {
    const WfSupernodes* s = &apart->solve->cholesky->nodes;
    const float* from = normal_slots(apart->solve);
    for (int i = 0; i < s->apart_count; i++) {
        int k = s->apart[i];
        size_t first = 4 * (size_t)s->own_slot[k], end = 4 * (size_t)s->own_slot[k + 1];
        for (size_t p = first; p < end && takes_part(apart, k); p += 4)
            apart->solve->slots[p] = from[p];
    }
}

static void pass_matrix(void* context, int normal) {
    const Apart* apart = context;
    const WfSolve* solve = apart->solve;
    const WfSupernodes* s = &solve->cholesky->nodes;
    const size_t* panel = normal ? s->normal_panel : s->panel;
    float* slots = normal ? normal_slots(solve) : solve->slots;
    for (int i = 0; i < s->apart_count; i++) {
        int k = s->apart[apart->backward ? s->apart_count - 1 - i : i];
        if (!takes_part(apart, k)) continue;
        if (apart->backward)
            solve->kernel->backward(s, solve->factor + panel[k], k, slots);
        else
            solve->kernel->forward(s, solve->factor + panel[k], k, slots);
    }
}

// What is not worth subtrees is not worth threads here.
static void pass_apart(Apart* apart) {
    const WfSolve* solve = apart->solve;
    const WfSupernodes* s = &solve->cholesky->nodes;
    if (!solve->has_normal || s->apart_count == 0) {
        pass_matrix(apart, 0);
        return;
    }
    copy_to_normal(apart);
    wf_parallel_from(s->subtree_count > 0 ? solve->jobs : NULL, 2, 2, pass_matrix, apart);
    copy_from_normal(apart);
}

static void forward_apart(const WfSolve* solve, const unsigned char* marked) {
    pass_apart(&(Apart){.solve = solve, .marked = marked});
}

static void backward_apart(const WfSolve* solve) {
    pass_apart(&(Apart){.solve = solve, .backward = true});
}

// -- all nodes

void wf_solve_forward(const WfSolve* solve) {
    for (int k = 0; k <= solve->cholesky->nodes.stage_count; k++) forward_stage(solve, k);
    forward_apart(solve, NULL);
}

void wf_solve_backward(const WfSolve* solve) {
    backward_apart(solve);
    for (int k = solve->cholesky->nodes.stage_count; k >= 0; k--) backward_stage(solve, k);
}

void wf_solve_clear_marked(const WfSolve* solve, const unsigned char* marked) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    for (int k = 0; k < s->count; k++) {
        size_t first = 4 * (size_t)s->own_slot[k], end = 4 * (size_t)s->own_slot[k + 1];
        if (marked[k]) memset(solve->slots + first, 0, (end - first) * sizeof(float));
    }
}

void wf_solve_forward_marked(const WfSolve* solve, const unsigned char* marked) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    for (int k = 0; k <= s->stage_count; k++) {
        Stage stage = stage_at(solve, k);
        for (int t = 0; t < stage.count; t++) {
            const WfSubtree* subtree = &stage.subtrees[t];
            if (!marked[subtree->end - 1]) continue;
            clear_outside(solve, subtree);
            for (int node = subtree->begin; node < subtree->end; node++)
                if (marked[node]) forward_node(solve, node);
            add_outside(solve, subtree);
        }
    }
    forward_apart(solve, marked);
}

// ---------------------------------------------------------------------------------------------
// Vectors

// What is done with vectors on their way in or out: they are scaled, and turned by a matrix, here
// column by column. In pairs: component by component it takes twice as long.
typedef struct Turn {
    bool needed, turns;
    double scale, columns[9];
} Turn;

static Turn turn_of(const WfSolve* solve, double scale, bool in) {
    const double* frame = solve->frame;
    Turn turn = {.needed = scale != 1 || frame, .turns = frame != NULL, .scale = scale};
    for (int i = 0; i < 9 && frame; i++)
        turn.columns[i] = scale * frame[in ? 3 * (i % 3) + i / 3 : i];
    return turn;
}

static void apply_turn(const Turn* turn, const double* v, double* to) {
    for (int i = 0; i < 3 && !turn->turns; i++) to[i] = turn->scale * v[i];
    if (!turn->turns) return;
    const double *a = turn->columns, *b = a + 3, *c = b + 3;
    WfTwo x = wf_two_set(v[0]), y = wf_two_set(v[1]), z = wf_two_set(v[2]);
    double last = a[2] * v[0] + b[2] * v[1] + c[2] * v[2];
    WfTwo sum = wf_two_add(wf_two_mul(x, wf_two_load(a)), wf_two_mul(y, wf_two_load(b)));
    wf_two_store(to, wf_two_add(sum, wf_two_mul(z, wf_two_load(c))));
    to[2] = last;
}

// Nodes [begin, end): b times `scale` into their slots, with the largest numbers.
static WfQuad load_nodes(const WfSolve* solve, int begin, int end, const double* b, double scale) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    const Turn turn = turn_of(solve, scale, true);
    WfQuad most = wf_quad_set(0), zero = most;
    for (int k = begin; k < end; k++) {
        float *slot = wf_slot_at(solve->slots, s->own_slot[k]),
              *last = wf_slot_at(solve->slots, s->own_slot[k + 1]);
        for (int j = s->first[k]; j < s->first[k + 1]; j++, slot += 4) {
            const double* from = b + 3 * (size_t)s->order[j];
            double turned[3];
            if (turn.needed) apply_turn(&turn, from, turned);
            WfQuad v = wf_quad_narrow(turn.needed ? turned : from);
            most = wf_quad_max(most, wf_quad_max(v, wf_quad_sub(zero, v)));
            wf_quad_store(slot, v);
        }
        for (; slot < last; slot += 4) wf_quad_store(slot, zero);
    }
    return most;
}

static void store_nodes(const WfSolve* solve, int begin, int end, double scale, double* x) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    const Turn turn = turn_of(solve, scale, false);
    for (int k = begin; k < end; k++) {
        const float* slot = wf_slot_at(solve->slots, s->own_slot[k]);
        for (int j = s->first[k]; j < s->first[k + 1]; j++, slot += 4) {
            double* to = x + 3 * (size_t)s->order[j];
            wf_quad_widen(wf_quad_load(slot), to);
            if (turn.needed) apply_turn(&turn, to, to);
        }
    }
}

static float largest_lane(WfQuad most) {
    float lanes[4];
    wf_quad_store(lanes, most);
    return fmaxf(fmaxf(lanes[0], lanes[1]), lanes[2]);
}

static double largest_of(const double* b, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(b[i]));
    return largest;
}

// Numbers of everyday size are taken as they are.
static bool is_everyday(float size) { return size > 1e-20f && size < 1e20f; }

// By which b is to be multiplied.
static double scale_for(const WfSolve* solve, const double* b) {
    double largest = largest_of(b, 3 * (size_t)solve->cholesky->nodes.n);
    if (!(largest > 0) || !isfinite(largest)) return 1;
    int exponent;
    frexp(largest, &exponent);
    exponent = exponent < -1020 ? -1020 : exponent > 1020 ? 1020 : exponent;  // 2^+-it is a number
    return ldexp(1, -exponent);
}

double wf_solve_load(const WfSolve* solve, const double* b) {
    int count = solve->cholesky->nodes.count;
    if (is_everyday(largest_lane(load_nodes(solve, 0, count, b, 1)))) return 1;
    double scale = scale_for(solve, b);
    load_nodes(solve, 0, count, b, scale);
    return 1 / scale;
}

void wf_solve_store(const WfSolve* solve, double scale, double* x) {
    store_nodes(solve, 0, solve->cholesky->nodes.count, scale, x);
}

// ---------------------------------------------------------------------------------------------
// All at once: subtrees load and store what is theirs, and one more part does it for the top.

static float* largest_in(const WfSolve* solve, int part) {
    return wf_slot_at(solve->slots, solve->cholesky->nodes.slot_count + part);
}

static void enter_part(void* context, int part) {
    const Stage* stage = context;
    const WfSolve* solve = stage->solve;
    const WfSupernodes* s = &solve->cholesky->nodes;
    WfQuad most = wf_quad_set(0);
    for (int k = 0; k < s->top_count && part == 0; k++)
        most = wf_quad_max(most,
                           load_nodes(solve, s->top[k], s->top[k] + 1, stage->from, stage->scale));
    if (part > 0) {
        const WfSubtree* subtree = &stage->subtrees[part - 1];
        most = load_nodes(solve, subtree->begin, subtree->end, stage->from, stage->scale);
        forward_subtree(context, part - 1);
    }
    wf_quad_store(largest_in(solve, part), most);
}

// Load and forward; returns the largest number.
static float enter(const WfSolve* solve, const double* b, double scale) {
    Stage stage = stage_at(solve, 0);
    float most = 0;
    stage.from = b;
    stage.scale = scale;
    wf_parallel_from(solve->jobs, 2, stage.count + 1, enter_part, &stage);
    for (int part = 0; part <= stage.count; part++)
        most = fmaxf(most, largest_lane(wf_quad_load(largest_in(solve, part))));
    for (int t = 0; t < stage.count; t++) add_outside(solve, &stage.subtrees[t]);
    for (int k = 1; k <= solve->cholesky->nodes.stage_count; k++) forward_stage(solve, k);
    forward_apart(solve, NULL);
    return most;
}

static void leave_part(void* context, int part) {
    const Stage* stage = context;
    const WfSolve* solve = stage->solve;
    const WfSupernodes* s = &solve->cholesky->nodes;
    for (int k = 0; k < s->top_count && part == 0; k++)
        store_nodes(solve, s->top[k], s->top[k] + 1, stage->scale, stage->to);
    if (part > 0) {
        const WfSubtree* subtree = &stage->subtrees[part - 1];
        backward_subtree(context, part - 1);
        store_nodes(solve, subtree->begin, subtree->end, stage->scale, stage->to);
    }
}

void wf_solve(const WfSolve* solve, const double* b, double* x) {
    Stage stage = stage_at(solve, 0);
    double scale = is_everyday(enter(solve, b, 1)) ? 1 : scale_for(solve, b);
    if (scale != 1) enter(solve, b, scale);
    backward_apart(solve);
    for (int k = solve->cholesky->nodes.stage_count; k > 0; k--) backward_stage(solve, k);
    stage.to = x;
    stage.scale = 1 / scale;
    wf_parallel_from(solve->jobs, 2, stage.count + 1, leave_part, &stage);
}
