// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A = L L^T was factored with some rows fixed. To fix row p too, ask for x_p = 0 with a force
// lambda that sees to it; to free row r again, add an unknown x_r with its column a of the matrix:
//
//     [ A    a    e_p ] [  x     ]   [ b   ]            with y = L^-1 b,  Y = L^-1 [a, e_p]:
//     [ a^T  a_rr     ] [  x_r   ] = [ b_r ]
//     [ e_p^T         ] [ lambda ]   [ 0   ]       (C - Y^T Y) [x_r; lambda] = [b_r; 0] - Y^T y
//                                                  L^T x = y - Y [x_r; lambda]
//
// C holds the entries of A between freed rows, and zeros. So nothing is needed but a few dot
// products between the two passes of a solve, and each column of Y is zero except on the way from
// its row to the root of the tree: some hundred of thousands of rows. The small matrix is
// quasi-definite (positive for freed rows, negative for fixed ones), so that it has an L D L^T
// without pivoting in any order (Vanderbei 1995); rows come in the order of their numbers, and the
// same rows give the same bits, whatever came before.
//
// A tie K w w^T is a force lambda likewise, along w instead of e_p, that gives way: w^T x =
// lambda/K. Its diagonal of the small system is -1/K.
//
// Those with a direction, lines, have a force along it only: exchange_lines.c.
//
// A normal matrix has a Y and a C of its own. The two Y are the same on nodes that are shared. To
// make a column, that of the normal matrix goes through the pass as component 0, and the other one
// as component 1. A row on the plane is exchanged in the other matrix alone: its normal column is
// zero, and in the normal C it is a row of the identity, so that its x_r or lambda is zero.

#include "sparse/exchange.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/simd.h"
#include "sparse/exchange_lines.h"
#include "sparse/small.h"

// ---------------------------------------------------------------------------------------------
// Life

// How many numbers a column has per slot of a node.
static size_t sides_of(const WfSupernodes* s, int node) { return s->is_apart[node] ? 2 : 1; }

// The longest way from a node to its root: its numbers, and its nodes.
static bool longest_way(const WeftAllocator* allocator, const WfSupernodes* s, size_t* slots,
                        size_t* nodes) {
    size_t* way = wf_alloc(allocator, 2 * (size_t)s->count, sizeof(size_t));
    if (!way) return false;
    *slots = *nodes = 0;
    for (int k = s->count - 1; k >= 0; k--) {
        const size_t none[2] = {0, 0}, *above = s->parent[k] < 0 ? none : way + 2 * s->parent[k];
        way[2 * k] = above[0] + (size_t)(s->own_slot[k + 1] - s->own_slot[k]) * sides_of(s, k);
        way[2 * k + 1] = above[1] + 1;
        *slots = way[2 * k] > *slots ? way[2 * k] : *slots;
        *nodes = way[2 * k + 1] > *nodes ? way[2 * k + 1] : *nodes;
    }
    wf_free(allocator, way);
    return true;
}

WeftResult wf_exchange_create(const WeftAllocator* allocator, const WfCholesky* c, WfExchange* ex) {
    *ex = (WfExchange){.cholesky = c};
    size_t slots, nodes;
    if (!longest_way(allocator, &c->nodes, &slots, &nodes)) return WEFT_ERROR_MEMORY;
    ex->stride = WF_MAX_EXCHANGED;
    ex->longest_slots = slots;
    ex->longest_nodes = nodes;
    ex->value_room = WF_MAX_EXCHANGED * slots;
    ex->node_room = WF_MAX_EXCHANGED * nodes;
    ex->values = wf_alloc(allocator, ex->value_room, sizeof(float));
    ex->nodes = wf_alloc(allocator, ex->node_room, sizeof(int));
    ex->marked = wf_alloc(allocator, (size_t)c->nodes.count, 1);
    bool apart = c->nodes.apart_count > 0;
    size_t size = WF_MAX_EXCHANGED * WF_MAX_EXCHANGED;
    ex->matrix = wf_alloc(allocator, apart ? 2 * size : size, sizeof(double));
    ex->normal_matrix = apart && ex->matrix ? ex->matrix + size : NULL;
    if (ex->values && ex->nodes && ex->marked && ex->matrix) return WEFT_OK;
    wf_exchange_destroy(allocator, ex);
    return WEFT_ERROR_MEMORY;
}

size_t wf_exchange_bytes(const WfExchange* ex) {
    size_t size = (size_t)ex->stride * (size_t)ex->stride * sizeof(double);
    return ex->value_room * sizeof(float) + ex->node_room * sizeof(int) +
           (ex->normal_matrix ? 2 * size : size) +
           (ex->cholesky ? (size_t)ex->cholesky->nodes.count : 0);
}

static void free_ties(const WeftAllocator* allocator, WfExchange* ex) {
    wf_free(allocator, ex->ties);
    wf_free(allocator, ex->tie_columns);
    wf_free(allocator, ex->gram);
    wf_free(allocator, ex->tie_nodes);
    wf_free(allocator, ex->tie_values);
    wf_free(allocator, ex->stiffness);
    wf_free(allocator, ex->lines);
    wf_free(allocator, ex->line_columns);
    wf_free(allocator, ex->line_matrix);
    ex->ties = NULL, ex->tie_columns = NULL, ex->gram = NULL, ex->tie_nodes = NULL;
    ex->tie_values = NULL, ex->stiffness = NULL, ex->lines = NULL;
    ex->line_columns = ex->line_matrix = NULL;
    ex->tie_room = 0;
}

void wf_exchange_destroy(const WeftAllocator* allocator, WfExchange* ex) {
    wf_free(allocator, ex->values);
    wf_free(allocator, ex->nodes);
    wf_free(allocator, ex->marked);
    wf_free(allocator, ex->matrix);
    free_ties(allocator, ex);
    *ex = (WfExchange){0};
}

// ---------------------------------------------------------------------------------------------
// Columns

static float* slot_of(const WfSolve* solve, int row) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    return wf_slot_at(solve->slots, s->slot[s->place[row]]);
}

// The nodes from that of a row to the root.
static void mark_way(const WfExchange* ex, int row) {
    const WfSupernodes* s = &ex->cholesky->nodes;
    for (int k = s->node[s->place[row]]; k >= 0 && !ex->marked[k]; k = s->parent[k])
        ex->marked[k] = 1;
}

// The values of the normal matrix, or of the other one.
static const double* values_of(const WfCholeskyInput* input, bool normal) {
    return normal && input->normal_values ? input->normal_values : input->values;
}

// The weights of a tie, likewise. What is fixed in the factor is no part of it; what was freed
// since comes in by the small system.
static void load_tie(const WfExchange* ex, const WfSolve* solve, const WfCholeskyInput* input,
                     const WfExchangeTie* tie, bool mark) {
    for (int k = 0; k < tie->count; k++) {
        int row = tie->rows[k];
        float* slot = slot_of(solve, row);
        if (wf_is_fixed(input, false, row)) continue;
        if (mark) {
            mark_way(ex, row);
            continue;
        }
        slot[0] = wf_is_fixed(input, solve->has_normal, row) ? 0 : (float)tie->weights[k];
        slot[1] = (float)tie->weights[k];
    }
}

// The column that belongs to a row: marks the ways of its entries, or puts them into the slots.
static void load_column(const WfExchange* ex, const WfSolve* solve, const WfCholeskyInput* input,
                        const WfExchangeColumn* column, bool mark) {
    const WfPattern* pattern = ex->cholesky->nodes.pattern;
    if (column->tie) {
        load_tie(ex, solve, input, column->tie, mark);
        return;
    }
    if (!column->freed) {
        float* slot = slot_of(solve, column->row);
        if (mark)
            mark_way(ex, column->row);
        else
            slot[0] = column->normal, slot[1] = 1;
        return;
    }
    for (int e = pattern->start[column->row]; e < pattern->start[column->row + 1]; e++) {
        int row = pattern->index[e];
        float* slot = slot_of(solve, row);
        if (wf_is_fixed(input, false, row)) continue;
        if (mark) {
            mark_way(ex, row);
            continue;
        }
        slot[0] = column->normal ? (float)values_of(input, true)[e] : 0;
        slot[1] = (float)input->values[e];
    }
}

// Copy the marked nodes' slots into the column. False without room.
static bool keep_column(const WfExchange* ex, const WfSolve* solve, WfExchangeColumn* column,
                        size_t node_room, size_t value_room) {
    const WfSupernodes* s = &ex->cholesky->nodes;
    column->node_count = 0;
    column->value_count = 0;
    for (int k = 0; k < s->count; k++) {
        if (!ex->marked[k]) continue;
        size_t count = (size_t)(s->own_slot[k + 1] - s->own_slot[k]), sides = sides_of(s, k);
        if (node_room-- == 0 || value_room < sides * count) return false;
        value_room -= sides * count;
        column->nodes[column->node_count++] = k;
        const float* slot = solve->slots + 4 * (size_t)s->own_slot[k];
        for (size_t side = 0; side < sides; side++)
            for (size_t i = 0; i < count; i++)
                column->values[column->value_count++] = slot[4 * i + 1 - side];
    }
    return true;
}

static bool make_column(const WfExchange* ex, const WfSolve* solve, const WfCholeskyInput* input,
                        size_t node_room, size_t value_room, WfExchangeColumn* column) {
    memset(ex->marked, 0, (size_t)ex->cholesky->nodes.count);
    load_column(ex, solve, input, column, true);
    wf_solve_clear_marked(solve, ex->marked);
    load_column(ex, solve, input, column, false);
    wf_solve_forward_marked(solve, ex->marked);
    return keep_column(ex, solve, column, node_room, value_room);
}

// ---------------------------------------------------------------------------------------------
// The small system

// Both columns list their nodes in rising order.
static double dot_columns(const WfSupernodes* s, const WfExchangeColumn* a,
                          const WfExchangeColumn* b, bool normal) {
    const float *u = a->values, *v = b->values;
    double sum = 0;
    for (int i = 0, j = 0; i < a->node_count && j < b->node_count;) {
        int p = a->nodes[i], q = b->nodes[j];
        int na = s->own_slot[p + 1] - s->own_slot[p], nb = s->own_slot[q + 1] - s->own_slot[q];
        int skipped = normal && s->is_apart[p] ? na : 0;
        if (p == q)
            for (int k = skipped; k < skipped + na; k++) sum += (double)u[k] * (double)v[k];
        if (p <= q) i++, u += (size_t)na * sides_of(s, p);
        if (q <= p) j++, v += (size_t)nb * sides_of(s, q);
    }
    return sum;
}

// Rows first, then ties.
static const WfExchangeColumn* column_of(const WfExchange* ex, int i) {
    return i < ex->count ? &ex->columns[i] : &ex->tie_columns[i - ex->count];
}

// The weight of a tie at a row, in the matrix or in the normal one.
static double weight_at(const WfExchangeTie* tie, int row) {
    double sum = 0;
    for (int k = 0; k < tie->count; k++)
        if (tie->rows[k] == row) sum += tie->weights[k];
    return sum;
}

// What stands between two columns beside their product.
static double own_entry(const WfExchange* ex, const WfCholeskyInput* input, bool normal,
                        const WfExchangeColumn* a, const WfExchangeColumn* b) {
    if (a->tie && b->tie) return 0;
    if (a->tie) return b->freed ? weight_at(a->tie, b->row) : 0;
    if (b->tie) return a->freed ? weight_at(b->tie, a->row) : 0;
    const WfPattern* pattern = ex->cholesky->nodes.pattern;
    int e = a->freed && b->freed ? wf_pattern_find(pattern, a->row, b->row) : -1;
    return e >= 0 ? values_of(input, normal)[e] : 0;
}

// A row that is not exchanged in the normal matrix is a row of the identity there.
static double entry(const WfExchange* ex, const WfCholeskyInput* input, bool normal, int i, int j) {
    const WfExchangeColumn *a = column_of(ex, i), *b = column_of(ex, j);
    bool apart = (!a->tie && !a->normal) || (!b->tie && !b->normal);
    if (normal && apart) return i == j;
    return own_entry(ex, input, normal, a, b) - dot_columns(&ex->cholesky->nodes, a, b, normal);
}

static void fill_small(const WfExchange* ex, const WfCholeskyInput* input, bool normal, double* m) {
    for (int i = 0; i < wf_exchange_columns(ex); i++)
        for (int j = 0; j <= i; j++) m[ex->stride * i + j] = entry(ex, input, normal, i, j);
}

// Rows that differ, in order; more than there is room for: -1.
static int find_changes(const unsigned char* was, const unsigned char* is, int n, int* rows) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if ((was && was[i]) == (is[i] != 0)) continue;
        if (count == WF_MAX_EXCHANGED) return -1;
        rows[count++] = i;
    }
    return count;
}

// Which of the marked columns stands first in memory; -1 where none is marked.
static int first_wanted(const WfExchange* ex, const bool* marked) {
    int first = -1;
    for (int i = 0; i < ex->count; i++)
        if (marked[i] && (first < 0 || ex->columns[i].values < ex->columns[first].values))
            first = i;
    return first;
}

// The columns that are still wanted move together, at the begin of the memory, in the order in
// which they stand there. Their list stays in the order of rows. Returns how many there are.
static int keep_columns(WfExchange* ex, const int* rows, int count, WfExchangeColumn* kept,
                        int** nodes, float** values) {
    bool wanted[WF_MAX_EXCHANGED] = {false};
    int kept_count = 0;
    for (int i = 0, j = 0; i < ex->count; i++) {
        while (j < count && rows[j] < ex->columns[i].row) j++;
        wanted[i] = j < count && rows[j] == ex->columns[i].row;
    }
    bool moves[WF_MAX_EXCHANGED];
    memcpy(moves, wanted, sizeof moves);
    *nodes = ex->nodes;
    *values = ex->values;
    for (int i = first_wanted(ex, moves); i >= 0; i = first_wanted(ex, moves)) {
        WfExchangeColumn* column = &ex->columns[i];
        memmove(*nodes, column->nodes, (size_t)column->node_count * sizeof(int));
        memmove(*values, column->values, column->value_count * sizeof(float));
        column->nodes = *nodes;
        column->values = *values;
        *nodes += column->node_count;
        *values += column->value_count;
        moves[i] = false;
    }
    for (int i = 0; i < ex->count; i++)
        if (wanted[i]) kept[kept_count++] = ex->columns[i];
    return kept_count;
}

bool wf_exchange_set(WfExchange* ex, const WfSolve* solve, const WfCholeskyInput* input,
                     const unsigned char* now, bool forget) {
    int rows[WF_MAX_EXCHANGED];
    WfExchangeColumn kept[WF_MAX_EXCHANGED];
    int count = find_changes(input->fixed, now, ex->cholesky->nodes.n, rows);
    int old_count = ex->count, old_ties = ex->tie_count;
    if (forget) ex->count = 0;
    int* nodes;
    float* values;
    int kept_count = keep_columns(ex, rows, count, kept, &nodes, &values);
    ex->count = ex->tie_count = ex->line_count = 0;
    if (count < 0) return false;
    for (int i = 0, j = 0; i < count; i++) {
        WfExchangeColumn* column = &ex->columns[i];
        if (j < kept_count && kept[j].row == rows[i]) {
            *column = kept[j++];
            continue;
        }
        bool freed = input->fixed && input->fixed[rows[i]];
        bool on_plane = solve->has_normal && input->normal_fixed && input->normal_fixed[rows[i]];
        *column = (WfExchangeColumn){
            .row = rows[i], .freed = freed, .normal = !on_plane, .nodes = nodes, .values = values};
        if (!make_column(ex, solve, input, ex->node_room - (size_t)(nodes - ex->nodes),
                         ex->value_room - (size_t)(values - ex->values), column))
            return false;
        nodes += column->node_count;
        values += column->value_count;
    }
    ex->count = count;
    bool changed = kept_count < count || kept_count < old_count || old_ties > 0;
    for (int normal = 0; changed && normal <= wf_exchange_has_two(ex, solve); normal++) {
        double* m = normal ? ex->normal_matrix : ex->matrix;
        fill_small(ex, input, normal, m);
        wf_small_factor(wf_exchange_columns(ex), ex->stride, m);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Ties

// What a column of a tie holds at most.
static size_t tie_slots(const WfExchange* ex) {
    const WfSupernodes* s = &ex->cholesky->nodes;
    size_t all = 2 * (size_t)s->own_slot[s->count], most = WF_TIED_ROWS * ex->longest_slots;
    return most < all ? most : all;
}

static size_t tie_node_count(const WfExchange* ex) {
    size_t all = (size_t)ex->cholesky->nodes.count, most = WF_TIED_ROWS * ex->longest_nodes;
    return most < all ? most : all;
}

// The factor of the small system moves into a larger one.
static bool widen_matrix(const WeftAllocator* allocator, WfExchange* ex, int stride) {
    size_t size = (size_t)stride * (size_t)stride, sides = ex->normal_matrix ? 2 : 1;
    double* matrix = wf_alloc(allocator, sides * size, sizeof(double));
    if (!matrix) return false;
    wf_free(allocator, ex->matrix);
    ex->matrix = matrix;
    if (ex->normal_matrix) ex->normal_matrix = matrix + size;
    ex->stride = stride;
    return true;
}

static WeftResult make_room(WfExchange* ex, const WeftAllocator* allocator, int count) {
    int room = 8;
    if (count <= ex->tie_room) return WEFT_OK;
    while (room < count) room *= 2;
    free_ties(allocator, ex);
    int stride = WF_MAX_EXCHANGED + room;
    size_t n = (size_t)room, size = (size_t)stride * (size_t)stride;
    ex->ties = wf_alloc(allocator, n, sizeof *ex->ties);
    ex->tie_columns = wf_alloc(allocator, n, sizeof *ex->tie_columns);
    ex->gram = wf_alloc(allocator, ex->normal_matrix ? 2 * size : size, sizeof(double));
    ex->tie_nodes = wf_alloc(allocator, n * tie_node_count(ex), sizeof(int));
    ex->tie_values = wf_alloc(allocator, n * tie_slots(ex), sizeof(float));
    ex->stiffness = wf_alloc(allocator, n, sizeof *ex->stiffness);
    ex->lines = wf_alloc(allocator, n, sizeof *ex->lines);
    ex->line_columns = wf_alloc(allocator, 2 * n * (size_t)stride, sizeof(double));
    ex->line_matrix = wf_alloc(allocator, n * n, sizeof(double));
    bool good = ex->ties && ex->tie_columns && ex->gram && ex->tie_nodes && ex->tie_values &&
                ex->stiffness && ex->lines && ex->line_columns && ex->line_matrix &&
                widen_matrix(allocator, ex, stride);
    if (!good) {
        free_ties(allocator, ex);
        return WEFT_ERROR_MEMORY;
    }
    ex->normal_gram = ex->normal_matrix ? ex->gram + size : NULL;
    ex->tie_room = room;
    return WEFT_OK;
}

// The small system by its products and the stiffnesses of the ties, factored.
static void factor_tied(const WfExchange* ex, const double* gram, double* m) {
    int n = ex->stride;
    for (int i = 0; i < wf_exchange_columns(ex); i++)
        memcpy(m + n * i, gram + n * i, (size_t)(i + 1) * sizeof *m);
    for (int t = 0; t < ex->tie_count; t++)
        m[(n + 1) * (ex->count + t)] -= 1 / ex->stiffness[t].all;
    wf_small_factor(wf_exchange_columns(ex), n, m);
}

static void factor_both(const WfExchange* ex, const WfSolve* solve) {
    factor_tied(ex, ex->gram, ex->matrix);
    if (wf_exchange_has_two(ex, solve)) factor_tied(ex, ex->normal_gram, ex->normal_matrix);
}

WeftResult wf_exchange_tie(WfExchange* ex, const WeftAllocator* allocator, const WfSolve* solve,
                           const WfCholeskyInput* input, int count, const WfExchangeTie* ties) {
    wf_assert(count >= 0 && count <= WF_MAX_TIES);
    ex->tie_count = ex->line_count = 0;
    if (make_room(ex, allocator, count)) {
        ex->count = 0;
        return WEFT_ERROR_MEMORY;
    }
    for (int t = 0; t < count; t++) {
        WfExchangeColumn* column = &ex->tie_columns[t];
        ex->ties[t] = ties[t];
        ex->stiffness[t] = (WfTieStiffness){.all = 1};
        *column = (WfExchangeColumn){.row = -1,
                                     .tie = &ex->ties[t],
                                     .nodes = ex->tie_nodes + (size_t)t * tie_node_count(ex),
                                     .values = ex->tie_values + (size_t)t * tie_slots(ex)};
        bool fits = make_column(ex, solve, input, tie_node_count(ex), tie_slots(ex), column);
        wf_assert(fits);
        (void)fits;
    }
    ex->tie_count = count;
    if (ex->tie_room == 0) return WEFT_OK;
    fill_small(ex, input, false, ex->gram);
    if (wf_exchange_has_two(ex, solve)) fill_small(ex, input, true, ex->normal_gram);
    factor_both(ex, solve);
    return WEFT_OK;
}

// Into the frame of the solve.
static WfTieStiffness in_frame(const WfSolve* solve, const WfTieStiffness* stiffness) {
    const double *frame = solve->frame, *n = stiffness->direction;
    WfTieStiffness turned = *stiffness;
    for (int d = 0; d < 3 && frame; d++)
        turned.direction[d] =
            frame[3 * d] * n[0] + frame[3 * d + 1] * n[1] + frame[3 * d + 2] * n[2];
    return turned;
}

void wf_exchange_stiffen(WfExchange* ex, const WfSolve* solve, const WfTieStiffness* stiffness) {
    bool changed = false, turned = false;
    for (int t = 0; t < ex->tie_count; t++) {
        WfTieStiffness now = in_frame(solve, &stiffness[t]), *was = &ex->stiffness[t];
        changed = changed || was->all != now.all;
        turned = turned || was->along != now.along ||
                 memcmp(was->direction, now.direction, sizeof now.direction) != 0;
        *was = now;
    }
    if (changed) factor_both(ex, solve);
    if (changed || turned) wf_lines_factor(ex, solve);
}

// ---------------------------------------------------------------------------------------------
// Solve

// What the components of a slot are multiplied with: `normal` numbers further, where there are two
// sides, stands that of component 0.
static WfQuad column_at(const float* value, int normal) {
    const float sides[4] = {value[normal], *value, *value, 0};
    return normal > 0 ? wf_quad_load(sides) : wf_quad_set(*value);
}

// Y^T y, or y -= Y s: one column, over the nodes where it is not zero
static WfQuad column_dot(const WfSolve* solve, const WfExchangeColumn* column) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    const float* value = column->values;
    WfQuad sum = wf_quad_set(0);
    for (int i = 0; i < column->node_count; i++) {
        int k = column->nodes[i], count = s->own_slot[k + 1] - s->own_slot[k];
        int normal = s->is_apart[k] ? count : 0;
        const float* slot = solve->slots + 4 * (size_t)s->own_slot[k];
        for (int j = 0; j < count; j++, slot += 4)
            sum = wf_quad_add(sum, wf_quad_mul(column_at(value++, normal), wf_quad_load(slot)));
        value += normal;
    }
    return sum;
}

static void column_subtract(const WfSolve* solve, const WfExchangeColumn* column, WfQuad scale) {
    const WfSupernodes* s = &solve->cholesky->nodes;
    const float* value = column->values;
    for (int i = 0; i < column->node_count; i++) {
        int k = column->nodes[i], count = s->own_slot[k + 1] - s->own_slot[k];
        int normal = s->is_apart[k] ? count : 0;
        float* slot = solve->slots + 4 * (size_t)s->own_slot[k];
        for (int j = 0; j < count; j++, slot += 4) {
            WfQuad product = wf_quad_mul(column_at(value++, normal), scale);
            wf_quad_store(slot, wf_quad_sub(wf_quad_load(slot), product));
        }
        value += normal;
    }
}

// The small systems of the three components, with their lines.
static void solve_small(const WfExchange* ex, const WfSolve* solve, double s[][3]) {
    double pulls[WF_MAX_TIES];
    wf_lines_solve(ex, solve, s, pulls);
    for (int d = 0; d < 3; d++)
        wf_small_solve(wf_exchange_columns(ex), ex->stride, wf_exchange_matrix(ex, solve, d), 3,
                       &s[0][d]);
    wf_lines_add(ex, solve, pulls, s);
}

void wf_exchange_apply(const WfExchange* ex, const WfSolve* solve, double solution[][3]) {
    for (int i = 0; i < wf_exchange_columns(ex); i++) {
        const WfExchangeColumn* column = column_of(ex, i);
        const float* own = column->freed ? slot_of(solve, column->row) : NULL;
        float dot[4];
        wf_quad_store(dot, column_dot(solve, column));
        for (int d = 0; d < 3; d++) solution[i][d] = (own ? (double)own[d] : 0) - (double)dot[d];
    }
    solve_small(ex, solve, solution);
    for (int i = 0; i < wf_exchange_columns(ex); i++) {
        const double* s = solution[i];
        const float scale[4] = {(float)s[0], (float)s[1], (float)s[2], 0};
        column_subtract(solve, column_of(ex, i), wf_quad_load(scale));
    }
}

void wf_exchange_finish(const WfExchange* ex, const WfSolve* solve, double solution[][3]) {
    for (int i = 0; i < ex->count; i++) {
        const WfExchangeColumn* column = &ex->columns[i];
        float* slot = slot_of(solve, column->row);
        for (int d = 0; d < 3; d++) slot[d] = column->freed ? (float)solution[i][d] : 0;
    }
}
