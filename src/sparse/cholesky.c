// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Multifrontal Cholesky (Duff and Reid 1983). Node by node, children before parents: the front of a
// node is the dense matrix of its own columns and rows below. It collects A's entries in its own
// columns and what its children left; its own columns are eliminated; what that subtracts from the
// rest of the front is left to the parent.
//
//      W tiles   H tiles                 for J in own tiles:
//     [ \     |         ]                    C_IJ -= sum over K < J of L_IK L_JK^T,  I >= J
//     [   \   |         ] W                  L_JJ L_JJ^T = C_JJ;   L_IJ = C_IJ L_JJ^-T
//     [-------+---------]                for I >= J below:
//     [  C_IJ | \       ] H                  C_IJ -= sum over all own K       -> the update
//     [       |    \    ]
//
// A front is the lower triangle of 4 x 4 tiles, strip by strip (a strip is a row of tiles), each
// tile column by column: entry (i, j) stands at 16 I (I + 1)/2 + 4 j + i % 4, I = i / 4. The own
// columns and the rows below are each filled up to whole tiles. Every sum runs over k in one order,
// so the bits of a factor are the same on every machine and for any number of threads.
//
// Only the rows below of the children that are still waiting are kept in double (a stack, since
// nodes come in postorder); a finished column goes to the packed floats and is forgotten.
//
// A node that is apart has two fronts, one after the other: that of the normal matrix, which leaves
// its update on a stack of its own, then the other, whose update goes where those of its children
// were. What children that are shared left is collected by both.

#include "sparse/cholesky.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/simd.h"

#define TILE ((size_t)16)

// Numbers in a triangle of so many strips.
static size_t triangle(int strips) { return TILE * (size_t)strips * (size_t)(strips + 1) / 2; }

// ---------------------------------------------------------------------------------------------
// Shape

static double node_flops(const WfSupernodes* s, int node) {
    double w = wf_node_width(s, node), h = wf_node_height(s, node);
    return (s->is_apart[node] ? 2 : 1) * (w * (w * w / 6 + w * h / 2 + h * h / 2) + 200);
}

// Stack positions of the updates of nodes, from `top` on; returns how high the stack grew. Nodes
// outside of the list, who have their places already, are roots of subtrees.
typedef struct Stack {
    const WfSupernodes* s;
    size_t* update;
    size_t* pending;  // numbers that the children of each node have on the stack
    size_t top, peak;
} Stack;

static void push_node(Stack* stack, int node) {
    const WfSupernodes* s = stack->s;
    size_t size = triangle(wf_fours(wf_node_height(s, node)));
    stack->top -= stack->pending[node];
    stack->update[node] = stack->top;
    stack->top += size;
    if (stack->top > stack->peak) stack->peak = stack->top;
    if (s->parent[node] >= 0) stack->pending[s->parent[node]] += size;
}

static void lay_out_work(WfCholesky* c, size_t* pending) {
    const WfSupernodes* s = &c->nodes;
    Stack stack = {.s = s, .update = c->update, .pending = pending};
    for (int t = 0; t <= s->subtree_count; t++) {
        const WfSubtree* subtree = t < s->subtree_count ? &s->subtrees[t] : NULL;
        int height = subtree ? subtree->height : s->top_height;
        c->front[t] = c->work_count;
        c->index[t] = c->index_count;
        c->index_count += (size_t)height;
        stack.top = stack.peak = c->work_count + triangle(height / 4);
        if (subtree) {
            for (int k = subtree->begin; k < subtree->end; k++) push_node(&stack, k);
            // what the root leaves is not on the stack of the nodes above
            int parent = s->parent[subtree->end - 1];
            if (parent >= 0) pending[parent] = 0;
        } else {
            for (int k = 0; k < s->top_count; k++) push_node(&stack, s->top[k]);
        }
        c->work_count = stack.peak;
    }
}

// The stack of the normal matrix; pending: zeros.
static void lay_out_normal(WfCholesky* c, size_t* pending) {
    const WfSupernodes* s = &c->nodes;
    Stack stack = {.s = s, .update = c->normal_update, .pending = pending, .top = c->work_count};
    for (int k = 0; k < s->apart_count; k++) push_node(&stack, s->apart[k]);
    c->work_count = stack.peak > c->work_count ? stack.peak : c->work_count;
}

WeftResult wf_cholesky_create(const WeftAllocator* allocator, const WfPattern* pattern,
                              const int* order, const unsigned char* differs, WfCholesky* c) {
    *c = (WfCholesky){0};
    size_t* pending = NULL;
    WeftResult result = wf_supernodes_create(allocator, pattern, order, differs, &c->nodes);
    if (result) goto done;
    const WfSupernodes* s = &c->nodes;
    pending = wf_alloc(allocator, (size_t)s->count, sizeof(size_t));
    c->update = wf_alloc(allocator, (size_t)s->count, sizeof(size_t));
    c->normal_update = wf_alloc(allocator, (size_t)s->count, sizeof(size_t));
    c->front = wf_alloc(allocator, (size_t)s->subtree_count + 1, sizeof(size_t));
    c->index = wf_alloc(allocator, (size_t)s->subtree_count + 1, sizeof(size_t));
    bool good = pending && c->update && c->normal_update && c->front && c->index;
    result = good ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (result) goto done;
    lay_out_work(c, pending);
    memset(pending, 0, (size_t)s->count * sizeof *pending);
    lay_out_normal(c, pending);
    for (int k = 0; k < s->count; k++) c->flops += node_flops(s, k);

done:
    wf_free(allocator, pending);
    if (result) wf_cholesky_destroy(allocator, c);
    return result;
}

void wf_cholesky_destroy(const WeftAllocator* allocator, WfCholesky* c) {
    wf_free(allocator, c->update);
    wf_free(allocator, c->normal_update);
    wf_free(allocator, c->front);
    wf_free(allocator, c->index);
    wf_supernodes_destroy(allocator, &c->nodes);
    *c = (WfCholesky){0};
}

size_t wf_cholesky_value_count(const WfCholesky* c) { return c->nodes.value_count + 3; }

WeftResult wf_cholesky_create_work(const WeftAllocator* allocator, const WfCholesky* c,
                                   WfCholeskyWork* work) {
    work->numbers = wf_alloc(allocator, c->work_count, sizeof(double));
    work->index = wf_alloc(allocator, c->index_count, sizeof(int));
    if (work->numbers && work->index) return WEFT_OK;
    wf_cholesky_destroy_work(allocator, work);
    return WEFT_ERROR_MEMORY;
}

void wf_cholesky_destroy_work(const WeftAllocator* allocator, WfCholeskyWork* work) {
    wf_free(allocator, work->numbers);
    wf_free(allocator, work->index);
    *work = (WfCholeskyWork){0};
}

// ---------------------------------------------------------------------------------------------
// A front

typedef struct Front {
    const WfSupernodes* s;
    int node, width, own;  // own: strips of own rows
    int strips;            // of all rows
    bool normal;           // of the normal matrix
    double* values;
    int* index;  // scratch: where the rows of a child stand in this front
} Front;

// Where row i of the front's strips begins; entry (i, j) is 4 j further.
static size_t row_at(int i) { return triangle(i / 4) + (size_t)(i % 4); }

// Where row (or column) `row` of the matrix stands in the front; `hint`: a place in the node's rows
// at or before it.
static int find_row(const Front* f, int row, size_t* hint) {
    int own = row - f->s->first[f->node];
    if (own < f->width) return own;
    const int* rows = f->s->rows + f->s->row_start[f->node];
    while (rows[*hint] < row) ++*hint;
    return 4 * f->own + (int)*hint;
}

// The same, anywhere in the rows.
static int search_row(const Front* f, int row) {
    int own = row - f->s->first[f->node];
    if (own < f->width) return own;
    size_t low = f->s->row_start[f->node], high = f->s->row_start[f->node + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->s->rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return 4 * f->own + (int)(low - f->s->row_start[f->node]);
}

// A's entries in the node's own columns, from the diagonal down.
static void collect_matrix(const Front* f, const WfCholeskyInput* input) {
    const WfSupernodes* s = f->s;
    const WfPattern* pattern = s->pattern;
    const double* values = f->normal ? input->normal_values : input->values;
    for (int j = 0; j < f->width; j++) {
        int place = s->first[f->node] + j, column = s->order[place];
        double* diagonal = f->values + row_at(j) + 4 * (size_t)j;
        if (wf_is_fixed(input, f->normal, column)) {
            *diagonal = 1;
            continue;
        }
        for (int e = pattern->start[column]; e < pattern->start[column + 1]; e++) {
            int row = pattern->index[e], i = s->place[row];
            if (i < place || wf_is_fixed(input, f->normal, row)) continue;
            f->values[row_at(search_row(f, i)) + 4 * (size_t)j] += values[e];
        }
    }
    for (int j = f->width; j < 4 * f->own; j++) f->values[row_at(j) + 4 * (size_t)j] = 1;
}

// What a child subtracted from its rows below.
static void collect_child(const Front* f, int child, const double* update) {
    const WfSupernodes* s = f->s;
    int height = wf_node_height(s, child);
    const int* rows = s->rows + s->row_start[child];
    size_t hint = 0;
    for (int i = 0; i < height; i++) f->index[i] = 4 * find_row(f, rows[i], &hint);
    for (int i = 0; i < height; i++) {
        double* to = f->values + row_at(f->index[i] / 4);
        const double* from = update + row_at(i);
        for (int j = 0; j <= i; j++) to[f->index[j]] += from[4 * j];
    }
}

// C -= A B^T along k: a and b are strips, column by column.
static void subtract_products(double* c, const double* a, const double* b, int count) {
    WfTwo s0 = wf_two_set(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    for (int k = 0; k < count; k++, a += 4, b += 4) {
        WfTwo u = wf_two_load(a), v = wf_two_load(a + 2);
        WfTwo p = wf_two_load(b), q = wf_two_load(b + 2);
        s0 = wf_two_add(s0, wf_two_mul(u, wf_two_low(p)));
        s1 = wf_two_add(s1, wf_two_mul(v, wf_two_low(p)));
        s2 = wf_two_add(s2, wf_two_mul(u, wf_two_high(p)));
        s3 = wf_two_add(s3, wf_two_mul(v, wf_two_high(p)));
        s4 = wf_two_add(s4, wf_two_mul(u, wf_two_low(q)));
        s5 = wf_two_add(s5, wf_two_mul(v, wf_two_low(q)));
        s6 = wf_two_add(s6, wf_two_mul(u, wf_two_high(q)));
        s7 = wf_two_add(s7, wf_two_mul(v, wf_two_high(q)));
    }
    WfTwo sums[8] = {s0, s1, s2, s3, s4, s5, s6, s7};
    for (int i = 0; i < 8; i++)
        wf_two_store(c + 2 * i, wf_two_sub(wf_two_load(c + 2 * i), sums[i]));
}

// L L^T = C for a tile on the diagonal; leaves the inverse of L. Returns -1, or the column whose
// pivot is not positive and finite.
static int invert_diagonal(double* tile) {
    double l[4][4] = {{0}};
    for (int j = 0; j < 4; j++) {
        double pivot = tile[4 * j + j];
        for (int k = 0; k < j; k++) pivot -= l[j][k] * l[j][k];
        if (!(pivot > 0 && isfinite(pivot))) return j;
        l[j][j] = sqrt(pivot);
        for (int i = j + 1; i < 4; i++) {
            double sum = tile[4 * j + i];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            l[i][j] = sum / l[j][j];
        }
    }
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++) sum -= l[i][k] * tile[4 * j + k];
            tile[4 * j + i] = i < j ? 0 : sum / l[i][i];
        }
    return -1;
}

// C <- C L^-T: column by column, d the inverse of L.
static void divide_tile(const double* d, double* tile) {
    WfTwo column[8];
    for (int i = 0; i < 8; i++) column[i] = wf_two_load(tile + 2 * i);
    for (int j = 3; j >= 0; j--) {
        WfTwo low = wf_two_mul(column[0], wf_two_set(d[j]));
        WfTwo high = wf_two_mul(column[1], wf_two_set(d[j]));
        for (int k = 1; k <= j; k++) {
            low = wf_two_add(low, wf_two_mul(column[2 * k], wf_two_set(d[4 * k + j])));
            high = wf_two_add(high, wf_two_mul(column[2 * k + 1], wf_two_set(d[4 * k + j])));
        }
        wf_two_store(tile + 4 * j, low);
        wf_two_store(tile + 4 * j + 2, high);
    }
}

// A row that is fixed in the normal matrix for good is on the plane: its component is zero whatever
// the right-hand side is. On the diagonal stands 1 / L_jj.
static void hold_on_plane(const Front* f, const WfCholeskyInput* input) {
    for (int j = 0; j < f->width && f->normal && input->normal_fixed; j++)
        if (input->normal_fixed[f->s->order[f->s->first[f->node] + j]])
            f->values[row_at(j) + 4 * (size_t)j] = 0;
}

// Eliminates the own columns. Returns -1, or the own column that failed.
static int eliminate(const Front* f) {
    for (int J = 0; J < f->own; J++) {
        const double* b = f->values + triangle(J);
        double* diagonal = f->values + triangle(J) + TILE * (size_t)J;
        subtract_products(diagonal, b, b, 4 * J);
        int failed = invert_diagonal(diagonal);
        if (failed >= 0) return 4 * J + failed;
        for (int I = J + 1; I < f->strips; I++) {
            double* a = f->values + triangle(I);
            double* tile = a + TILE * (size_t)J;
            subtract_products(tile, a, b, 4 * J);
            divide_tile(diagonal, tile);
        }
    }
    return -1;
}

// The rest of the front less the products of the own columns, for the parent.
static void leave_update(const Front* f, double* update) {
    for (int I = f->own; I < f->strips; I++) {
        const double* a = f->values + triangle(I);
        size_t first = TILE * (size_t)f->own;
        size_t count = TILE * (size_t)(I - f->own + 1);
        memcpy(update, a + first, count * sizeof(double));
        for (int J = f->own; J <= I; J++, update += TILE)
            subtract_products(update, a, f->values + triangle(J), f->width);
    }
}

// c += sign a b
static void add_product(const double* a, const double* b, double sign, double* c) {
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 4; i++) c[4 * j + i] += sign * a[4 * k + i] * b[4 * j + k];
}

enum { GROUP_TILES = WF_GROUP / 4 };

// The inverse X of a group's triangle, whose tiles on the diagonal are inverted already:
// X_IJ = -X_II sum over K from J to I - 1 of L_IK X_KJ. The group has the tiles begin to end - 1.
static float* pack_triangle(const Front* f, int begin, int end, float* out) {
    double x[GROUP_TILES][GROUP_TILES][TILE] = {0};
    for (int I = begin; I < end; I++) {
        const double* strip = f->values + triangle(I);
        const double* diagonal = strip + TILE * (size_t)I;
        for (int J = begin; J < I; J++) {
            double sum[TILE] = {0};
            for (int K = J; K < I; K++)
                add_product(strip + TILE * (size_t)K, x[K - begin][J - begin], 1, sum);
            add_product(diagonal, sum, -1, x[I - begin][J - begin]);
        }
        memcpy(x[I - begin][I - begin], diagonal, sizeof x[0][0]);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4 * (I - begin + 1); j++)
                *out++ = (float)x[I - begin][j / 4][4 * (j % 4) + i];
    }
    return out;
}

// Row i of the front: its numbers in the group's columns.
static float* pack_row(const Front* f, int i, int begin, int columns, float* out) {
    const double* row = f->values + row_at(i) + TILE * (size_t)begin;
    for (int j = 0; j < columns; j++) *out++ = (float)row[4 * j];
    return out;
}

// The own columns as packed floats, group by group.
static void pack(const Front* f, float* out) {
    int height = wf_node_height(f->s, f->node);
    for (int first = 0; first < f->width; first += WF_GROUP) {
        int columns = f->width - first < WF_GROUP ? f->width - first : WF_GROUP;
        out = pack_triangle(f, first / 4, first / 4 + wf_fours(columns), out);
        for (int i = first + columns; i < f->width; i++)
            out = pack_row(f, i, first / 4, columns, out);
        for (int i = 0; i < height; i++) out = pack_row(f, 4 * f->own + i, first / 4, columns, out);
    }
}

// ---------------------------------------------------------------------------------------------
// Nodes

typedef struct Job {
    const WfCholesky* c;
    const WfCholeskyInput* input;
    const WfCholeskyWork* work;
    float* factor;
    int failed[WF_MAX_SUBTREES];  // per subtree: a row, or -1
} Job;

// Where a node leaves its update, of one matrix or the other.
static double* update_of(const Job* job, int node, bool normal) {
    const WfCholesky* c = job->c;
    bool apart = normal && c->nodes.is_apart[node];
    return job->work->numbers + (apart ? c->normal_update[node] : c->update[node]);
}

// One front of a node, with its children done. `place`: the subtree, or subtree_count for the top.
// Returns -1, or the row that failed.
static int factor_front(const Job* job, int place, int node, bool normal) {
    const WfCholesky* c = job->c;
    const WfSupernodes* s = &c->nodes;
    int width = wf_node_width(s, node), own = wf_fours(width);
    Front f = {.s = s,
               .node = node,
               .width = width,
               .own = own,
               .strips = own + wf_fours(wf_node_height(s, node)),
               .normal = normal,
               .values = job->work->numbers + c->front[place],
               .index = job->work->index + c->index[place]};
    memset(f.values, 0, triangle(f.strips) * sizeof(double));
    collect_matrix(&f, job->input);
    for (int k = s->child[node]; k >= 0; k = s->sibling[k])
        collect_child(&f, k, update_of(job, k, normal));
    int failed = eliminate(&f);
    if (failed >= 0) return s->order[s->first[node] + failed];
    leave_update(&f, update_of(job, node, normal));
    hold_on_plane(&f, job->input);
    pack(&f, job->factor + (normal ? s->normal_panel : s->panel)[node]);
    return -1;
}

static int factor_node(const Job* job, int place, int node) {
    bool twice = job->input->normal_values && job->c->nodes.is_apart[node];
    int failed = twice ? factor_front(job, place, node, true) : -1;
    return failed < 0 ? factor_front(job, place, node, false) : failed;
}

static void factor_subtree(void* context, int index) {
    Job* job = context;
    const WfSubtree* subtree = &job->c->nodes.subtrees[index];
    int failed = -1;
    for (int k = subtree->begin; k < subtree->end && failed < 0; k++)
        failed = factor_node(job, index, k);
    job->failed[index] = failed;
}

#ifndef NDEBUG
// Whether columns that are shared are the same in both matrices.
static bool shares_columns(const WfCholesky* c, const WfCholeskyInput* input) {
    const WfSupernodes* s = &c->nodes;
    for (int i = 0; i < s->n && input->normal_values; i++) {
        int column = s->order[i];
        bool skipped = s->is_apart[s->node[i]] || wf_is_fixed(input, false, column);
        for (int e = s->pattern->start[column]; e < s->pattern->start[column + 1] && !skipped;
             e++) {
            int row = s->pattern->index[e];
            bool fixed = wf_is_fixed(input, false, row);
            if (wf_is_fixed(input, true, row) != fixed) return false;
            if (!fixed && !(input->values[e] == input->normal_values[e])) return false;
        }
    }
    return true;
}
#endif

int wf_cholesky_factor(const WfCholesky* c, const WeftJobs* jobs, const WfCholeskyInput* input,
                       const WfCholeskyWork* work, float* factor) {
    const WfSupernodes* s = &c->nodes;
    Job job = {.c = c, .input = input, .work = work, .factor = factor};
    wf_assert(shares_columns(c, input));
    wf_parallel(jobs, s->subtree_count, factor_subtree, &job);
    for (int t = 0; t < s->subtree_count; t++)
        if (job.failed[t] >= 0) return job.failed[t];
    int failed = -1;
    for (int k = 0; k < s->top_count && failed < 0; k++)
        failed = factor_node(&job, s->subtree_count, s->top[k]);
    return failed;
}

int wf_cholesky_factor_some(const WfCholesky* c, const WfCholeskyInput* input, int begin,
                            double flops, const WfCholeskyWork* work, float* factor, int* end) {
    const WfSupernodes* s = &c->nodes;
    Job job = {.c = c, .input = input, .work = work, .factor = factor};
    int failed = -1, place = 0;
    wf_assert(begin > 0 || shares_columns(c, input));
    for (*end = begin; *end < s->count && flops > 0 && failed < 0; ++*end) {
        while (place < s->subtree_count && s->subtrees[place].end <= *end) place++;
        bool inside = place < s->subtree_count && s->subtrees[place].begin <= *end;
        failed = factor_node(&job, inside ? place : s->subtree_count, *end);
        flops -= node_flops(s, *end);
    }
    return failed;
}
