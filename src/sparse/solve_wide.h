// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The rows of solve_kernel.h with eight lanes, to the same bits: every lane has the sums of there,
// in their order. Forward a vector holds two rows, backward two columns.
//
//     WIDE_PRODUCT(x, l), WIDE_ADD_PRODUCT(sum, x, l)    as PRODUCT and ADD_PRODUCT
//
// What x is multiplied with, one number of L in the lower lanes and one in the upper, comes by a
// shuffle, or by two loads and a blend: half of it each way, so that neither the one port that many
// machines have for shuffles nor those for loads are all that is waited for.

// Number `lane` of two rows; u: four of each.
#define TWO_ROWS(u, l, next, lane)                                   \
    ((lane) < 2 ? _mm256_permute_ps(u, 0x55 * (lane))                \
                : _mm256_blend_ps(_mm256_broadcast_ss((l) + (lane)), \
                                  _mm256_broadcast_ss((next) + (lane)), 0xF0))

KERNEL __m256 load_twice(const float* p) { return _mm256_broadcast_ps((const __m128*)p); }
KERNEL __m256 load_both(const float* low, const float* high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

// four_products of two rows, at l and next
KERNEL __m256 eight_products(const float* l, const float* next, const __m256* y, int columns) {
    __m256 u = load_both(l, next), sum = WIDE_PRODUCT(y[0], TWO_ROWS(u, l, next, 0));
    if (columns > 1) sum = WIDE_ADD_PRODUCT(sum, y[1], TWO_ROWS(u, l, next, 1));
    if (columns < 3) return sum;
#ifdef FUSED
    sum = WIDE_ADD_PRODUCT(sum, y[2], TWO_ROWS(u, l, next, 2));
    return columns > 3 ? WIDE_ADD_PRODUCT(sum, y[3], TWO_ROWS(u, l, next, 3)) : sum;
#else
    __m256 more = WIDE_PRODUCT(y[2], TWO_ROWS(u, l, next, 2));
    if (columns > 3) more = WIDE_ADD_PRODUCT(more, y[3], TWO_ROWS(u, l, next, 3));
    return _mm256_add_ps(sum, more);
#endif
}

// of up to twelve columns
KERNEL __m256 sum_two_rows(const float* l, const float* next, const __m256* y, int columns) {
    __m256 sum = eight_products(l, next, y, columns);
    if (columns > 4) sum = _mm256_add_ps(sum, eight_products(l + 4, next + 4, y + 4, columns - 4));
    if (columns > 8) sum = _mm256_add_ps(sum, eight_products(l + 8, next + 8, y + 8, columns - 8));
    return sum;
}

// row -= sum of L_rk own_k; where their number is odd, the last one as two that are the same
KERNEL void forward_rows(const float* l, const float* own, const int* row, const int* end,
                         float* slots, int columns) {
    __m256 y[WF_GROUP];
    for (int k = 0; k < columns; k++) y[k] = load_twice(own + 4 * k);
    for (; end - row > 1; row += 2, l += 2 * columns) {
        float *low = wf_slot_at(slots, row[0]), *high = wf_slot_at(slots, row[1]);
        __m256 x = _mm256_sub_ps(load_both(low, high), sum_two_rows(l, l + columns, y, columns));
        _mm_storeu_ps(low, _mm256_castps256_ps128(x));
        _mm_storeu_ps(high, _mm256_extractf128_ps(x, 1));
    }
    if (row == end) return;
    float* slot = wf_slot_at(slots, *row);
    __m128 sum = _mm256_castps256_ps128(sum_two_rows(l, l, y, columns));
    _mm_storeu_ps(slot, _mm_sub_ps(_mm_loadu_ps(slot), sum));
}

// sum_k += L_rk x for four columns, or the last ones, two to a vector; of an odd number the last
// vector has a half that is not used
KERNEL void add_fours(const float* l, __m256 x, __m256* sum, int columns) {
    const __m256i first_two = _mm256_set_epi32(1, 1, 1, 1, 0, 0, 0, 0);
    __m256 u = _mm256_permutevar_ps(load_twice(l), first_two);
    sum[0] = WIDE_ADD_PRODUCT(sum[0], x, u);
    if (columns < 3) return;
    __m256 v = _mm256_blend_ps(_mm256_broadcast_ss(l + 2), _mm256_broadcast_ss(l + 3), 0xF0);
    sum[1] = WIDE_ADD_PRODUCT(sum[1], x, v);
}

// of up to twelve columns
KERNEL void add_row(const float* l, __m256 x, __m256* sum, int columns) {
    add_fours(l, x, sum, columns);
    if (columns > 4) add_fours(l + 4, x, sum + 2, columns - 4);
    if (columns > 8) add_fours(l + 8, x, sum + 4, columns - 8);
}

// own_k -= sum of L_rk row
KERNEL void backward_rows(const float* l, float* own, const int* row, const int* end, float* slots,
                          int columns) {
    __m256 sum[WF_GROUP / 2];
    for (int k = 0; k < columns; k += 2) sum[k / 2] = _mm256_setzero_ps();
    for (; row < end; row++, l += columns)
        add_row(l, load_twice(wf_slot_at(slots, *row)), sum, columns);
    for (int k = 0; k + 1 < columns; k += 2)
        _mm256_storeu_ps(own + 4 * k, _mm256_sub_ps(_mm256_loadu_ps(own + 4 * k), sum[k / 2]));
    if (columns % 2 == 0) return;
    float* last = own + 4 * (columns - 1);
    _mm_storeu_ps(last, _mm_sub_ps(_mm_loadu_ps(last), _mm256_castps256_ps128(sum[columns / 2])));
}

// ---------------------------------------------------------------------------------------------
// The group's own rows

// Rows 4 J to 4 J + 3 of X own, to where own was loaded from.
KERNEL const float* forward_four(const float* l, const __m256* y, float* own, int J) {
    int width = 4 * (J + 1);
    for (int r = 0; r < 4; r += 2, l += 2 * width)
        _mm256_storeu_ps(own + 4 * (4 * J + r), sum_two_rows(l, l + width, y, width));
    return l;
}

KERNEL const float* forward_own(const float* l, float* own, int fours) {
    __m256 y[WF_GROUP];
    for (int k = 0; k < 4 * fours; k++) y[k] = load_twice(own + 4 * k);
    l = forward_four(l, y, own, 0);
    if (fours > 1) l = forward_four(l, y, own, 1);
    if (fours > 2) l = forward_four(l, y, own, 2);
    return l;
}

// sum += X^T own over rows 4 J to 4 J + 3
KERNEL const float* backward_four(const float* l, const float* own, __m256* sum, int J) {
    int width = 4 * (J + 1);
    for (int r = 0; r < 4; r++, l += width)
        add_row(l, load_twice(own + 4 * (4 * J + r)), sum, width);
    return l;
}

KERNEL void backward_own(const float* l, float* own, int fours) {
    __m256 sum[WF_GROUP / 2];
    for (int k = 0; k < 2 * fours; k++) sum[k] = _mm256_setzero_ps();
    l = backward_four(l, own, sum, 0);
    if (fours > 1) l = backward_four(l, own, sum, 1);
    if (fours > 2) l = backward_four(l, own, sum, 2);
    for (int k = 0; k < 2 * fours; k++) _mm256_storeu_ps(own + 8 * k, sum[k]);
}
