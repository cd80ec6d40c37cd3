// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The kernels of the solve, node by node. Included by solve_plain.c and solve_fused.c, which say
// how products are added up, and by solve_plain_wide.c and solve_fused_wide.c, which take the rows
// of solve_wide.h instead of those below:
//
//     KERNEL, NODE                     how functions are declared
//     FUSED                            defined where multiply-add is one operation
//     PRODUCT(x, u, l, lane)           x times number `lane` of l; u: the four numbers from l on
//     ADD_PRODUCT(sum, x, u, l, lane)  sum + that
//
// A slot is one vector: x, y, z of a row, and a zero. A node is worked on in place, group by group
// (up to twelve columns), and its panel is read once, from one end to the other:
//
//     forward    own <- X own,  X = L_own^-1   then   row -= sum of L_rk own_k, for all rows below
//     backward   own_k -= sum of L_rk row      then   own <- X^T own
//
// The group's columns stay in registers while the rows below pass by, each loaded and stored once;
// one load of L serves four columns, a lane each. `columns` is a constant wherever these are
// inlined, 1 to WF_GROUP: every number of columns has code of its own, without a loop over them.
//
// Tried and dropped, on one Neoverse V1 core, 5,472 vertices with bending: four rows of x, of y and
// of z in three vectors, so that no lane is idle. That takes three quarters of the arithmetic, but
// rows and columns filled up to fours, and rows turned on the way in and out: 0.23 ms, where this
// takes 0.16 (0.21 without fused operations). Products added to a row one after the other instead
// of by fours: each waits for the one before, 0.19 (0.22) ms.

#include "base/simd.h"
#include "sparse/solve.h"

#ifdef WIDE
#include "sparse/solve_wide.h"
#else

// Four columns (or the last ones, up to three) of sum over k of L_rk y_k; in pairs where additions
// are operations of their own, so that fewer wait for each other. l is loaded by fours, past the
// end of a row too.
KERNEL WfQuad four_products(const float* l, const WfQuad* y, int columns) {
    WfQuad u = wf_quad_load(l), sum = PRODUCT(y[0], u, l, 0);
    if (columns > 1) sum = ADD_PRODUCT(sum, y[1], u, l, 1);
    if (columns < 3) return sum;
#ifdef FUSED
    sum = ADD_PRODUCT(sum, y[2], u, l, 2);
    return columns > 3 ? ADD_PRODUCT(sum, y[3], u, l, 3) : sum;
#else
    WfQuad more = PRODUCT(y[2], u, l, 2);
    if (columns > 3) more = ADD_PRODUCT(more, y[3], u, l, 3);
    return wf_quad_add(sum, more);
#endif
}

// row -= sum of L_rk own_k
KERNEL void forward_rows(const float* l, const float* own, const int* row, const int* end,
                         float* slots, int columns) {
    WfQuad y[WF_GROUP];
    for (int k = 0; k < columns; k++) y[k] = wf_quad_load(own + 4 * k);
    for (; row < end; row++, l += columns) {
        float* slot = wf_slot_at(slots, *row);
        WfQuad sum = four_products(l, y, columns);
        if (columns > 4) sum = wf_quad_add(sum, four_products(l + 4, y + 4, columns - 4));
        if (columns > 8) sum = wf_quad_add(sum, four_products(l + 8, y + 8, columns - 8));
        wf_quad_store(slot, wf_quad_sub(wf_quad_load(slot), sum));
    }
}

// sum_k += L_rk x for four columns, or the last ones
KERNEL void add_four(const float* l, WfQuad x, WfQuad* sum, int columns) {
    WfQuad u = wf_quad_load(l);
    sum[0] = ADD_PRODUCT(sum[0], x, u, l, 0);
    if (columns > 1) sum[1] = ADD_PRODUCT(sum[1], x, u, l, 1);
    if (columns > 2) sum[2] = ADD_PRODUCT(sum[2], x, u, l, 2);
    if (columns > 3) sum[3] = ADD_PRODUCT(sum[3], x, u, l, 3);
}

// own_k -= sum of L_rk row
KERNEL void backward_rows(const float* l, float* own, const int* row, const int* end, float* slots,
                          int columns) {
    WfQuad sum[WF_GROUP];
    for (int k = 0; k < columns; k++) sum[k] = wf_quad_set(0);
    for (; row < end; row++, l += columns) {
        WfQuad x = wf_quad_load(wf_slot_at(slots, *row));
        add_four(l, x, sum, columns);
        if (columns > 4) add_four(l + 4, x, sum + 4, columns - 4);
        if (columns > 8) add_four(l + 8, x, sum + 8, columns - 8);
    }
    for (int k = 0; k < columns; k++)
        wf_quad_store(own + 4 * k, wf_quad_sub(wf_quad_load(own + 4 * k), sum[k]));
}

// ---------------------------------------------------------------------------------------------
// The group's own rows: X, the inverse of its triangle, in blocks of four rows, each as wide as the
// triangle is there. `fours` is a constant.

// Rows 4 J to 4 J + 3 of X own, to where own was loaded from.
KERNEL const float* forward_four(const float* l, const WfQuad* y, float* own, int J) {
    for (int r = 0; r < 4; r++, l += 4 * (J + 1)) {
        WfQuad sum = four_products(l, y, 4);
        if (J > 0) sum = wf_quad_add(sum, four_products(l + 4, y + 4, 4));
        if (J > 1) sum = wf_quad_add(sum, four_products(l + 8, y + 8, 4));
        wf_quad_store(own + 4 * (4 * J + r), sum);
    }
    return l;
}

KERNEL const float* forward_own(const float* l, float* own, int fours) {
    WfQuad y[WF_GROUP];
    for (int k = 0; k < 4 * fours; k++) y[k] = wf_quad_load(own + 4 * k);
    l = forward_four(l, y, own, 0);
    if (fours > 1) l = forward_four(l, y, own, 1);
    if (fours > 2) l = forward_four(l, y, own, 2);
    return l;
}

// sum += X^T own over rows 4 J to 4 J + 3
KERNEL const float* backward_four(const float* l, const float* own, WfQuad* sum, int J) {
    for (int r = 0; r < 4; r++, l += 4 * (J + 1)) {
        WfQuad x = wf_quad_load(own + 4 * (4 * J + r));
        add_four(l, x, sum, 4);
        if (J > 0) add_four(l + 4, x, sum + 4, 4);
        if (J > 1) add_four(l + 8, x, sum + 8, 4);
    }
    return l;
}

KERNEL void backward_own(const float* l, float* own, int fours) {
    WfQuad sum[WF_GROUP];
    for (int k = 0; k < 4 * fours; k++) sum[k] = wf_quad_set(0);
    l = backward_four(l, own, sum, 0);
    if (fours > 1) l = backward_four(l, own, sum, 1);
    if (fours > 2) l = backward_four(l, own, sum, 2);
    for (int k = 0; k < 4 * fours; k++) wf_quad_store(own + 4 * k, sum[k]);
}

#endif

// ---------------------------------------------------------------------------------------------
// Groups and nodes

// Numbers of a group's triangle.
static inline size_t own_values(int columns) {
    int fours = wf_fours(columns);
    return 8 * (size_t)(fours * (fours + 1));
}

KERNEL void forward_columns(const float* l, float* own, const int* row, const int* end,
                            float* slots, int columns) {
    l = forward_own(l, own, (columns + 3) / 4);
    forward_rows(l, own, row, end, slots, columns);
}

KERNEL void backward_columns(const float* l, float* own, const int* row, const int* end,
                             float* slots, int columns) {
    backward_rows(l + own_values(columns), own, row, end, slots, columns);
    backward_own(l, own, (columns + 3) / 4);
}

// f(..., columns) with a constant
// clang-format off
#define WITH_COLUMNS(columns, f, ...)       \
    switch (columns) {                      \
        case 1: f(__VA_ARGS__, 1); break;   \
        case 2: f(__VA_ARGS__, 2); break;   \
        case 3: f(__VA_ARGS__, 3); break;   \
        case 4: f(__VA_ARGS__, 4); break;   \
        case 5: f(__VA_ARGS__, 5); break;   \
        case 6: f(__VA_ARGS__, 6); break;   \
        case 7: f(__VA_ARGS__, 7); break;   \
        case 8: f(__VA_ARGS__, 8); break;   \
        case 9: f(__VA_ARGS__, 9); break;   \
        case 10: f(__VA_ARGS__, 10); break; \
        case 11: f(__VA_ARGS__, 11); break; \
        case 12: f(__VA_ARGS__, 12); break; \
    }
// clang-format on

NODE void forward_node(const WfSupernodes* s, const float* l, int node, float* slots) {
    const int *row = s->slots + s->slot_start[node], *end = s->slots + s->slot_start[node + 1];
    for (int left = wf_node_width(s, node); left > 0; left -= WF_GROUP) {
        int columns = left < WF_GROUP ? left : WF_GROUP;
        float* own = wf_slot_at(slots, *row);
        row += columns;
        WITH_COLUMNS(columns, forward_columns, l, own, row, end, slots)
        l += own_values(columns) + (size_t)columns * (size_t)(end - row);
    }
}

NODE void backward_node(const WfSupernodes* s, const float* panel, int node, float* slots) {
    const int *first = s->slots + s->slot_start[node], *end = s->slots + s->slot_start[node + 1];
    const float* l = panel + (s->panel[node + 1] - s->panel[node]);
    int width = wf_node_width(s, node);
    for (int begin = (width - 1) / WF_GROUP * WF_GROUP; begin >= 0; begin -= WF_GROUP) {
        int columns = width - begin < WF_GROUP ? width - begin : WF_GROUP;
        const int* row = first + begin + columns;
        l -= own_values(columns) + (size_t)columns * (size_t)(end - row);
        WITH_COLUMNS(columns, backward_columns, l, wf_slot_at(slots, first[begin]), row, end, slots)
    }
}
