// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cholesky in an envelope. Row by row, with the rows above already done,
//
//     L_ij = (a_ij - sum_k L_ik L_jk) / L_jj    k from where both rows have begun, to j - 1
//     L_ii = sqrt(a_ii - sum_k L_ik^2)
//
// is one dot product of two rows per entry. Dot products one by one wait for memory, so four rows
// make a panel that begins at one column, a multiple of four, and everything is done in tiles of
// 4 x 4: panel I against panel J, every loaded number used in several products. A panel stores its
// tiles one behind the other, 16 numbers each, row by row: whatever walks along a panel reads
// memory straight on.
//
//      first[I] / 4            J          I
//            v                 v          v
//      J       . . . [ ] [ ] [ \ ]                      C = A_IJ - L_I L_J^T    subtract_products
//      I     [ ] [ ] [ ] [ ] [ C ] . . . [ \ ]          L_IJ = C L_JJ^-T        divide_tile
//                    [ common]                          L_II L_II^T = C         factor_diagonal
//
// Panels come in groups of GROUP, which share each J while it is in the first-level cache. What
// a panel stores beyond the envelope proper is about 5 numbers per row.
//
// Tried and dropped, on one Neoverse V1 core, cloth with bending. Rows one behind the other instead
// of tiles: a panel is then four short streams (solve of 40,000 vertices 15.2 ms, now 10.4 ms). All
// four rows at once in the forward pass: 24 registers of sums, and x86-64 has 16 (solve of
// 5,476 vertices 0.54 ms, now 0.53 ms; of 100,000, where memory decides, 39.6 ms, now 45.9 ms).
//
// Each dot product has four running sums over k = 0, 1, 2, 3 mod 4, added as (0 + 1) + (2 + 3),
// however the tiles are cut: the bits of a factor are the same on every machine.

#include "sparse/cholesky.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd.h"

enum { PANEL = WF_CHOLESKY_PANEL, TILE = PANEL * PANEL, GROUP = 4 };

static_assert(PANEL == 4, "panels are as high as WfFour is wide");

// ---------------------------------------------------------------------------------------------
// Shape

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

// Tiles in panel p, the last of them on the diagonal.
static int tile_count(const WfCholesky* c, int p) { return p + 1 - c->first[p] / PANEL; }

// Where tile column J of panel p stands.
static size_t at(const WfCholesky* c, int p, int J) {
    return c->start[p] + (size_t)TILE * (size_t)(J - c->first[p] / PANEL);
}

// Where entry (r, column) of panel p stands, counted from the panel's start.
static size_t entry(const WfCholesky* c, int p, int r, int column) {
    int k = column - c->first[p];
    return (size_t)TILE * (size_t)(k / PANEL) + (size_t)(PANEL * r + k % PANEL);
}

// The column at which panel p begins.
static int first_column(const WfCholesky* c, int p) {
    int first = PANEL * p;
    for (int i = PANEL * p; i < min(PANEL * (p + 1), c->n); i++) {
        int row = c->order[i];
        for (int e = c->pattern->start[row]; e < c->pattern->start[row + 1]; e++)
            first = min(first, c->place[c->pattern->index[e]]);
    }
    return first / PANEL * PANEL;
}

WeftResult wf_cholesky_create(const WeftAllocator* allocator, const WfPattern* pattern,
                              const int* order, WfCholesky* cholesky) {
    int n = pattern->n, panel_count = (n + PANEL - 1) / PANEL;
    *cholesky = (WfCholesky){.n = n, .panel_count = panel_count, .pattern = pattern};
    WeftResult result = WEFT_ERROR_MEMORY;
    cholesky->order = wf_alloc(allocator, (size_t)n, sizeof(int));
    cholesky->place = wf_alloc(allocator, (size_t)n, sizeof(int));
    cholesky->first = wf_alloc(allocator, (size_t)panel_count, sizeof(int));
    cholesky->start = wf_alloc(allocator, (size_t)panel_count + 1, sizeof(size_t));
    if (!cholesky->order || !cholesky->place || !cholesky->first || !cholesky->start) goto done;

    for (int i = 0; i < n; i++) {
        assert(order[i] >= 0 && order[i] < n);
        cholesky->order[i] = order[i];
        cholesky->place[order[i]] = i;
    }
    for (int p = 0; p < panel_count; p++) {
        cholesky->first[p] = first_column(cholesky, p);
        cholesky->start[p + 1] =
            cholesky->start[p] + (size_t)TILE * (size_t)tile_count(cholesky, p);
    }
    result = WEFT_OK;

done:
    if (result) wf_cholesky_destroy(allocator, cholesky);
    return result;
}

void wf_cholesky_destroy(const WeftAllocator* allocator, WfCholesky* cholesky) {
    wf_free(allocator, cholesky->start);
    wf_free(allocator, cholesky->first);
    wf_free(allocator, cholesky->place);
    wf_free(allocator, cholesky->order);
    *cholesky = (WfCholesky){0};
}

size_t wf_cholesky_value_count(const WfCholesky* cholesky) {
    return cholesky->start[cholesky->panel_count];
}

// ---------------------------------------------------------------------------------------------
// Factor

// The matrix' own numbers into panel p, zeros between them.
static void load_panel(const WfCholesky* c, const double* values, const unsigned char* fixed, int p,
                       double* panel) {
    memset(panel, 0, (size_t)TILE * (size_t)tile_count(c, p) * sizeof(double));
    for (int r = 0; r < PANEL; r++) {
        int i = PANEL * p + r, row = i < c->n ? c->order[i] : -1;
        if (row < 0 || (fixed && fixed[row])) {
            panel[entry(c, p, r, i)] = 1;
            continue;
        }
        for (int e = c->pattern->start[row]; e < c->pattern->start[row + 1]; e++) {
            int column = c->pattern->index[e], j = c->place[column];
            if (j <= i && !(fixed && fixed[column])) panel[entry(c, p, r, j)] = values[e];
        }
    }
}

// Two rows of a tile, out[r] . e_s -= a_r . b_s for r = 0, 1 and s = 0 to 3, along `count` tiles.
static void subtract_two_rows(const double* a, const double* b, int count, double* out) {
    WfFour s00 = wf_four_set(0), s01 = s00, s02 = s00, s03 = s00;
    WfFour s10 = s00, s11 = s00, s12 = s00, s13 = s00;
    for (int k = 0; k < count; k++, a += TILE, b += TILE) {
        WfFour u = wf_four_load(a), v = wf_four_load(a + 4);
        WfFour w = wf_four_load(b);
        s00 = wf_four_add(s00, wf_four_mul(u, w));
        s10 = wf_four_add(s10, wf_four_mul(v, w));
        w = wf_four_load(b + 4);
        s01 = wf_four_add(s01, wf_four_mul(u, w));
        s11 = wf_four_add(s11, wf_four_mul(v, w));
        w = wf_four_load(b + 8);
        s02 = wf_four_add(s02, wf_four_mul(u, w));
        s12 = wf_four_add(s12, wf_four_mul(v, w));
        w = wf_four_load(b + 12);
        s03 = wf_four_add(s03, wf_four_mul(u, w));
        s13 = wf_four_add(s13, wf_four_mul(v, w));
    }
    out[0] -= wf_four_sum(s00);
    out[1] -= wf_four_sum(s01);
    out[2] -= wf_four_sum(s02);
    out[3] -= wf_four_sum(s03);
    out[4] -= wf_four_sum(s10);
    out[5] -= wf_four_sum(s11);
    out[6] -= wf_four_sum(s12);
    out[7] -= wf_four_sum(s13);
}

// C = A_IJ - L_I L_J^T over the tiles that both panels have left of J. Where I is J, all of the
// symmetric tile.
static void subtract_products(const WfCholesky* c, double* factor, int I, int J) {
    int first = max(c->first[I], c->first[J]) / PANEL;
    const double* a = factor + at(c, I, first);
    const double* b = factor + at(c, J, first);
    double* out = factor + at(c, I, J);
    subtract_two_rows(a, b, J - first, out);
    subtract_two_rows(a + 2 * PANEL, b, J - first, out + 2 * PANEL);
}

// C <- C L_JJ^-T, row by row; d is the diagonal tile of panel J, with reciprocals on the diagonal.
static void divide_tile(const double* d, double* tile) {
    for (double* t = tile; t < tile + TILE; t += PANEL) {
        t[0] *= d[0];
        t[1] = (t[1] - t[0] * d[4]) * d[5];
        t[2] = (t[2] - t[0] * d[8] - t[1] * d[9]) * d[10];
        t[3] = (t[3] - t[0] * d[12] - t[1] * d[13] - t[2] * d[14]) * d[15];
    }
}

// L L^T = C for a diagonal tile; reciprocals on the diagonal, zeros above it. Returns -1, or the
// row whose pivot is not positive and finite.
static int factor_diagonal(double* tile) {
    for (int i = 0; i < PANEL; i++) {
        double* row = tile + PANEL * i;
        for (int j = 0; j <= i; j++) {
            const double* other = tile + PANEL * j;
            for (int k = 0; k < j; k++) row[j] -= row[k] * other[k];
            if (j < i) row[j] *= other[j];
        }
        if (!(row[i] > 0 && isfinite(row[i]))) return i;
        row[i] = 1 / sqrt(row[i]);
        for (int j = i + 1; j < PANEL; j++) row[j] = 0;
    }
    return -1;
}

// The panels from `begin` to `end` - 1, with all panels before them done: tiles column by column.
// Returns -1, or the row (in the new numbering) that failed.
static int factor_group(const WfCholesky* c, double* factor, int begin, int end) {
    int first = PANEL * begin;
    for (int I = begin; I < end; I++) first = min(first, c->first[I]);
    for (int J = first / PANEL; J < end; J++) {
        double* diagonal = factor + at(c, J, J);
        if (J >= begin) {
            subtract_products(c, factor, J, J);
            int failed = factor_diagonal(diagonal);
            if (failed >= 0) return PANEL * J + failed;
        }
        for (int I = max(begin, J + 1); I < end; I++) {
            if (c->first[I] > PANEL * J) continue;
            subtract_products(c, factor, I, J);
            divide_tile(diagonal, factor + at(c, I, J));
        }
    }
    return -1;
}

int wf_cholesky_factor(const WfCholesky* cholesky, const double* values, const unsigned char* fixed,
                       double* factor) {
    for (int begin = 0; begin < cholesky->panel_count; begin += GROUP) {
        int end = min(begin + GROUP, cholesky->panel_count);
        for (int p = begin; p < end; p++)
            load_panel(cholesky, values, fixed, p, factor + cholesky->start[p]);
        int failed = factor_group(cholesky, factor, begin, end);
        if (failed >= 0) return cholesky->order[failed];
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Solve: L y = b downwards by dot products, L^T x = y upwards by updates. The three right-hand
// sides are three arrays of n numbers, and each number of L is loaded once for all of them. The
// factor is read once forwards and once backwards, from one end to the other.

// t_r -= L_r . y for two rows r of a panel and the three right-hand sides, along `count` tiles.
static void forward_two_rows(const double* l, const double* y, size_t n, int count,
                             double t[2][3]) {
    const double *y0 = y, *y1 = y0 + n, *y2 = y1 + n;
    WfFour s00 = wf_four_set(0), s01 = s00, s02 = s00, s10 = s00, s11 = s00, s12 = s00;
    for (int k = 0; k < PANEL * count; k += PANEL, l += TILE) {
        WfFour u = wf_four_load(l), v = wf_four_load(l + 4);
        WfFour w = wf_four_load(y0 + k);
        s00 = wf_four_add(s00, wf_four_mul(u, w));
        s10 = wf_four_add(s10, wf_four_mul(v, w));
        w = wf_four_load(y1 + k);
        s01 = wf_four_add(s01, wf_four_mul(u, w));
        s11 = wf_four_add(s11, wf_four_mul(v, w));
        w = wf_four_load(y2 + k);
        s02 = wf_four_add(s02, wf_four_mul(u, w));
        s12 = wf_four_add(s12, wf_four_mul(v, w));
    }
    t[0][0] -= wf_four_sum(s00);
    t[0][1] -= wf_four_sum(s01);
    t[0][2] -= wf_four_sum(s02);
    t[1][0] -= wf_four_sum(s10);
    t[1][1] -= wf_four_sum(s11);
    t[1][2] -= wf_four_sum(s12);
}

// t <- L^-1 t for the diagonal tile.
static void forward_tile(const double* l, double t[PANEL][3]) {
    for (int d = 0; d < 3; d++) {
        t[0][d] *= l[0];
        t[1][d] = (t[1][d] - l[4] * t[0][d]) * l[5];
        t[2][d] = (t[2][d] - l[8] * t[0][d] - l[9] * t[1][d]) * l[10];
        t[3][d] = (t[3][d] - l[12] * t[0][d] - l[13] * t[1][d] - l[14] * t[2][d]) * l[15];
    }
}

// t <- L^-T t for the diagonal tile.
static void backward_tile(const double* l, double t[PANEL][3]) {
    for (int d = 0; d < 3; d++) {
        t[3][d] *= l[15];
        t[2][d] = (t[2][d] - l[14] * t[3][d]) * l[10];
        t[1][d] = (t[1][d] - l[13] * t[3][d] - l[9] * t[2][d]) * l[5];
        t[0][d] = (t[0][d] - l[12] * t[3][d] - l[8] * t[2][d] - l[4] * t[1][d]) * l[0];
    }
}

// y -= sum of L_r t_r over the four rows of a panel, for the three right-hand sides.
static void backward_rows(const double* l, double t[PANEL][3], int count, double* y, size_t n) {
    WfFour f[PANEL][3];
    for (int r = 0; r < PANEL; r++)
        for (int d = 0; d < 3; d++) f[r][d] = wf_four_set(t[r][d]);
    for (int k = count - 1; k >= 0; k--) {
        const double* tile = l + (size_t)TILE * (size_t)k;
        WfFour u0 = wf_four_load(tile), u1 = wf_four_load(tile + 4);
        WfFour u2 = wf_four_load(tile + 8), u3 = wf_four_load(tile + 12);
        double* to = y + PANEL * k;
        for (int d = 0; d < 3; d++, to += n) {
            WfFour s = wf_four_add(wf_four_mul(u0, f[0][d]), wf_four_mul(u1, f[1][d]));
            WfFour q = wf_four_add(wf_four_mul(u2, f[2][d]), wf_four_mul(u3, f[3][d]));
            wf_four_store(to, wf_four_sub(wf_four_load(to), wf_four_add(s, q)));
        }
    }
}

// The panel's numbers of the three arrays; what is beyond the last row counts as zero.
static void take(const double* y, size_t n, int p, double t[PANEL][3]) {
    for (size_t r = 0, i = (size_t)PANEL * (size_t)p; r < PANEL; r++, i++)
        for (size_t d = 0; d < 3; d++) t[r][d] = i < n ? y[d * n + i] : 0;
}

static void put(double t[PANEL][3], size_t n, int p, double* y) {
    for (size_t r = 0, i = (size_t)PANEL * (size_t)p; r < PANEL && i < n; r++, i++)
        for (size_t d = 0; d < 3; d++) y[d * n + i] = t[r][d];
}

static void forward(const WfCholesky* c, const double* factor, double* y) {
    size_t n = (size_t)c->n;
    double t[PANEL][3];
    for (int p = 0; p < c->panel_count; p++) {
        const double* panel = factor + c->start[p];
        int count = tile_count(c, p) - 1;
        take(y, n, p, t);
        forward_two_rows(panel, y + c->first[p], n, count, t);
        forward_two_rows(panel + 2 * PANEL, y + c->first[p], n, count, t + 2);
        forward_tile(panel + (size_t)TILE * (size_t)count, t);
        put(t, n, p, y);
    }
}

static void backward(const WfCholesky* c, const double* factor, double* y) {
    size_t n = (size_t)c->n;
    double t[PANEL][3];
    for (int p = c->panel_count - 1; p >= 0; p--) {
        const double* panel = factor + c->start[p];
        int count = tile_count(c, p) - 1;
        take(y, n, p, t);
        backward_tile(panel + (size_t)TILE * (size_t)count, t);
        put(t, n, p, y);
        backward_rows(panel, t, count, y + c->first[p], n);
    }
}

void wf_cholesky_solve(const WfCholesky* cholesky, const double* factor, const double* b, double* x,
                       double* scratch) {
    size_t n = (size_t)cholesky->n;
    for (size_t i = 0; i < n; i++) {
        const double* from = b + 3 * (size_t)cholesky->order[i];
        for (size_t d = 0; d < 3; d++) scratch[d * n + i] = from[d];
    }
    forward(cholesky, factor, scratch);
    backward(cholesky, factor, scratch);
    for (size_t i = 0; i < n; i++) {
        double* to = x + 3 * (size_t)cholesky->order[i];
        for (size_t d = 0; d < 3; d++) to[d] = scratch[d * n + i];
    }
}
