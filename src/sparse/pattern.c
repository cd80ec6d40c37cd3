// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Rows are sorted without comparing. First every row collects its columns in any order; then rows
// are walked from the top, and row i writes its own number into the row of each of its columns.
// The pattern is symmetric, so every row receives what it had, now in increasing order, and a
// repeat arrives right behind its first:
//
//     collected   0: 2 1 1     sorted   0: 0 1 1 2     kept   0: 0 1 2
//                 1: 0 0                1: 0 0 1              1: 0 1
//                 2: 0                  2: 0 2                2: 0 2
//
// The time is proportional to rows and pairs.

#include "sparse/pattern.h"

#include <limits.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

// The room that each row needs before repeats are dropped, as starts: n + 1 numbers.
static void count_rows(int n, int pair_count, const int* pairs, int* start) {
    for (int i = 0; i < n; i++) start[i + 1] = 1;
    for (int p = 0; p < pair_count; p++) {
        int i = pairs[2 * (size_t)p], j = pairs[2 * (size_t)p + 1];
        wf_assert(i >= 0 && i < n && j >= 0 && j < n);
        if (i == j) continue;
        start[i + 1]++;
        start[j + 1]++;
    }
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
}

// Both halves of every pair into the rows, in the order of the pairs.
static void collect(int n, int pair_count, const int* pairs, const int* start, int* end,
                    int* column) {
    for (int i = 0; i < n; i++) {
        end[i] = start[i];
        column[end[i]++] = i;
    }
    for (int p = 0; p < pair_count; p++) {
        int i = pairs[2 * (size_t)p], j = pairs[2 * (size_t)p + 1];
        if (i == j) continue;
        column[end[i]++] = j;
        column[end[j]++] = i;
    }
}

// Rows of `column`, sorted and without repeats, into `sorted`; row i ends at end[i].
static void sort_rows(int n, const int* start, const int* column, int* end, int* sorted) {
    for (int i = 0; i < n; i++) end[i] = start[i];
    for (int i = 0; i < n; i++) {
        for (int p = start[i]; p < start[i + 1]; p++) {
            int j = column[p];
            bool repeated = end[j] > start[j] && sorted[end[j] - 1] == i;
            if (!repeated) sorted[end[j]++] = i;
        }
    }
}

// Close the gaps that repeats left: rows move from `sorted` to an array that just holds them.
static bool pack_rows(const WeftAllocator* allocator, int n, const int* start, const int* end,
                      const int* sorted, WfPattern* pattern) {
    for (int i = 0; i < n; i++) pattern->start[i + 1] = pattern->start[i] + end[i] - start[i];
    pattern->index = wf_alloc(allocator, (size_t)pattern->start[n], sizeof(int));
    if (!pattern->index) return false;
    for (int i = 0; i < n; i++) {
        size_t count = (size_t)(end[i] - start[i]);
        memcpy(pattern->index + pattern->start[i], sorted + start[i], count * sizeof(int));
    }
    return true;
}

WeftResult wf_pattern_create(const WeftAllocator* allocator, int n, int pair_count,
                             const int* pairs, WfPattern* pattern) {
    wf_assert(n >= 0 && pair_count >= 0 && (pairs || pair_count == 0));
    *pattern = (WfPattern){.n = n};
    if (pair_count > (INT_MAX - n) / 2) return WEFT_ERROR_INPUT;

    WeftResult result = WEFT_ERROR_MEMORY;
    size_t room = (size_t)n + 2 * (size_t)pair_count;
    int* start = wf_alloc(allocator, (size_t)n + 1, sizeof(int));
    int* end = wf_alloc(allocator, (size_t)n, sizeof(int));
    int* column = wf_alloc(allocator, room, sizeof(int));
    int* sorted = wf_alloc(allocator, room, sizeof(int));
    pattern->start = wf_alloc(allocator, (size_t)n + 1, sizeof(int));
    if (!start || !end || !column || !sorted || !pattern->start) goto done;

    count_rows(n, pair_count, pairs, start);
    collect(n, pair_count, pairs, start, end, column);
    sort_rows(n, start, column, end, sorted);
    if (pack_rows(allocator, n, start, end, sorted, pattern)) result = WEFT_OK;

done:
    wf_free(allocator, sorted);
    wf_free(allocator, column);
    wf_free(allocator, end);
    wf_free(allocator, start);
    if (result) wf_pattern_destroy(allocator, pattern);
    return result;
}

void wf_pattern_destroy(const WeftAllocator* allocator, WfPattern* pattern) {
    wf_free(allocator, pattern->index);
    wf_free(allocator, pattern->start);
    *pattern = (WfPattern){0};
}

int wf_pattern_find(const WfPattern* pattern, int row, int column) {
    wf_assert(row >= 0 && row < pattern->n);
    int low = pattern->start[row], high = pattern->start[row + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (pattern->index[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pattern->start[row + 1] && pattern->index[low] == column ? low : -1;
}
