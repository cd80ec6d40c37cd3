// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the tests of orderings share, in C and C++: sheets of cloth, their patterns, and the fill.

#ifndef WEFT_ORDER_TEST_H
#define WEFT_ORDER_TEST_H

#ifdef __cplusplus
extern "C" {
#endif
#include "mesh/delaunay.h"
#include "mesh/hilbert.h"
#ifdef __cplusplus
}
#endif
#include "sparse_test.h"

typedef struct Sheet {
    int n, triangle_count;
    int* triangles;
    double* x;  // 3 per vertex
} Sheet;

static inline Sheet sheet_of(int n, int triangle_count) {
    Sheet sheet = {n, triangle_count, NULL, NULL};
    sheet.triangles = (int*)malloc(sizeof(int) * 3 * (size_t)triangle_count + 1);
    sheet.x = (double*)calloc(3 * (size_t)n + 1, sizeof(double));
    return sheet;
}

static inline void free_sheet(Sheet* sheet) {
    free(sheet->triangles);
    free(sheet->x);
}

// Vertex j * w + i is at (i, j); diagonals alternate.
static inline Sheet grid_sheet(int w, int h) {
    Sheet sheet = sheet_of(w * h, 0);
    free(sheet.triangles);
    sheet.triangles = (int*)malloc(sizeof(int) * 6 * (size_t)(w * h));
    for (int v = 0; v < w * h; v++) {
        int i = v % w, j = v / w, odd = (i + j) % 2, a = v, b = v + 1, c = v + w, d = v + w + 1;
        sheet.x[3 * v] = i;
        sheet.x[3 * v + 1] = j;
        if (i + 1 == w || j + 1 == h) continue;
        int corners[6] = {a, b, odd ? c : d, odd ? b : a, d, c};
        memcpy(sheet.triangles + 3 * sheet.triangle_count, corners, sizeof corners);
        sheet.triangle_count += 2;
    }
    return sheet;
}

// The neighbour of a boundary vertex of a grid, counter-clockwise; -1 inside.
static inline int next_on_boundary(int w, int h, int v) {
    int i = v % w, j = v / w;
    if (j == 0 && i + 1 < w) return v + 1;
    if (i + 1 == w && j + 1 < h) return v + w;
    if (j + 1 == h && i > 0) return v - 1;
    return i == 0 && j > 0 ? v - w : -1;
}

// Vertices of a grid, those inside moved by up to 0.35 both ways; also as points of the integer
// grid, with a square around them.
static inline void place_jittered(int w, int h, double* x, WfPoint* points) {
    int n = w * h;
    double scale = 0.5 * WF_GRID_SIZE / (w > h ? w : h);
    for (int v = 0; v < n; v++) {
        bool inside = next_on_boundary(w, h, v) < 0;
        for (int d = 0; d < 2; d++) {
            double jitter = (double)(wf_mix(2 * (uint64_t)v + (uint64_t)d) >> 40) / (1 << 23) - 1;
            x[3 * v + d] = (d ? v / w : v % w) + (inside ? 0.35 * jitter : 0);
        }
        points[v].x = (int)(WF_GRID_SIZE / 4 + scale * x[3 * v]);
        points[v].y = (int)(WF_GRID_SIZE / 4 + scale * x[3 * v + 1]);
    }
    for (int k = 0; k < 4; k++) {
        points[n + k].x = k == 1 || k == 2 ? WF_GRID_SIZE : 0;
        points[n + k].y = k < 2 ? 0 : WF_GRID_SIZE;
    }
}

// The triangles inside of the boundary.
static inline void take_triangles(const WfDelaunay* delaunay, Sheet* sheet) {
    free(sheet->triangles);
    sheet->triangles = (int*)malloc(sizeof(int) * 3 * (size_t)delaunay->triangle_count);
    for (int t = 0; t < delaunay->triangle_count; t++) {
        const int* v = delaunay->triangles[t].vertex;
        if (v[0] >= sheet->n || v[1] >= sheet->n || v[2] >= sheet->n) continue;
        memcpy(sheet->triangles + 3 * sheet->triangle_count++, v, 3 * sizeof(int));
    }
}

// The Delaunay triangulation of a jittered grid.
static inline Sheet jittered_sheet(int w, int h) {
    int n = w * h, room = n + 4, twins[2], blocked[2];
    WeftAllocator allocator = wf_allocator(NULL);
    Sheet sheet = sheet_of(n, 0);
    WfPoint* points = (WfPoint*)malloc(sizeof(WfPoint) * (size_t)room);
    WfKey* keys = (WfKey*)malloc(sizeof(WfKey) * 2 * (size_t)room);
    int *successor = (int*)malloc(sizeof(int) * 2 * (size_t)room), *order = successor + room;
    place_jittered(w, h, sheet.x, points);
    for (int v = 0; v < room; v++) successor[v] = v < n ? next_on_boundary(w, h, v) : -1;
    wf_insertion_order(points, n, keys, keys + room, order);
    WfDelaunay delaunay;
    CHECK(wf_delaunay_create(&allocator, points, room, successor, order, &delaunay, twins, NULL) ==
          WEFT_OK);
    for (int v = 0; v < n; v++)
        if (successor[v] >= 0) CHECK(wf_delaunay_bind(&delaunay, v, successor[v], blocked));
    wf_delaunay_restore(&delaunay);
    take_triangles(&delaunay, &sheet);
    wf_delaunay_destroy(&allocator, &delaunay);
    free(successor);
    free(keys);
    free(points);
    return sheet;
}

// Rolled up along x: the first and the last column become one. Frees the sheet, of w columns.
static inline Sheet rolled_up(Sheet flat, int w) {
    Sheet tube = sheet_of(flat.n - flat.n / w, flat.triangle_count);
    double radius = (w - 1) / 6.283185307179586;
    for (int v = 0; v < flat.n; v++) {
        if (v % w == w - 1) continue;
        double* x = tube.x + 3 * (v - v / w);
        x[0] = radius * cos(flat.x[3 * v] / radius);
        x[1] = flat.x[3 * v + 1];
        x[2] = radius * sin(flat.x[3 * v] / radius);
    }
    for (int k = 0; k < 3 * flat.triangle_count; k++) {
        int v = flat.triangles[k];
        tube.triangles[k] = v - v / w - (v % w == w - 1 ? w - 1 : 0);
    }
    free_sheet(&flat);
    return tube;
}

// Both, not connected, where they are: sheets of one size lie on each other. Frees them.
static inline Sheet both_sheets(Sheet a, Sheet b) {
    Sheet both = sheet_of(a.n + b.n, a.triangle_count + b.triangle_count);
    memcpy(both.x, a.x, 3 * sizeof(double) * (size_t)a.n);
    memcpy(both.x + 3 * a.n, b.x, 3 * sizeof(double) * (size_t)b.n);
    memcpy(both.triangles, a.triangles, 3 * sizeof(int) * (size_t)a.triangle_count);
    for (int k = 0; k < 3 * b.triangle_count; k++)
        both.triangles[3 * a.triangle_count + k] = b.triangles[k] + a.n;
    free_sheet(&a);
    free_sheet(&b);
    return both;
}

// Vertices with other numbers, at random.
static inline void shuffle_sheet(Sheet* sheet) {
    int* name = random_names(sheet->n);
    double* x = (double*)malloc(3 * sizeof(double) * (size_t)sheet->n + 1);
    for (int v = 0; v < sheet->n; v++) memcpy(x + 3 * name[v], sheet->x + 3 * v, 3 * sizeof *x);
    for (int k = 0; k < 3 * sheet->triangle_count; k++)
        sheet->triangles[k] = name[sheet->triangles[k]];
    free(sheet->x);
    sheet->x = x;
    free(name);
}

typedef struct SheetEdge {
    int low, high, opposite;
} SheetEdge;

static inline int compare_edges(const void* left, const void* right) {
    const SheetEdge *a = (const SheetEdge*)left, *b = (const SheetEdge*)right;
    return a->low != b->low ? (a->low > b->low) - (a->low < b->low)
                            : (a->high > b->high) - (a->high < b->high);
}

// Edges of triangles; with hinges also the two corners opposite to each inner edge.
static inline WfPattern sheet_pattern(const Sheet* sheet, bool hinges) {
    int count = 3 * sheet->triangle_count, pair_count = 0;
    SheetEdge* edges = (SheetEdge*)malloc(sizeof(SheetEdge) * (size_t)count + 1);
    int* pairs = (int*)malloc(2 * sizeof(int) * (size_t)count + 1);
    for (int k = 0; k < count; k++) {
        const int* t = sheet->triangles + k / 3 * 3;
        int a = t[k % 3], b = t[(k + 1) % 3];
        edges[k].low = a < b ? a : b;
        edges[k].high = a < b ? b : a;
        edges[k].opposite = t[(k + 2) % 3];
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int k = 0; k < count; k++) {
        bool second = k > 0 && compare_edges(&edges[k], &edges[k - 1]) == 0;
        if (second && !hinges) continue;
        pairs[2 * pair_count] = second ? edges[k - 1].opposite : edges[k].low;
        pairs[2 * pair_count++ + 1] = second ? edges[k].opposite : edges[k].high;
    }
    WfPattern pattern = pattern_of(sheet->n, pair_count, pairs);
    free(pairs);
    free(edges);
    return pattern;
}

typedef struct Fill {
    double entries;  // of L
    int supernodes;  // runs of columns with the same rows below them
} Fill;

// By walking, for every row, the columns it has entries in (Liu 1990). Nothing where the order is
// no permutation.
static inline Fill fill_of(const WfPattern* pattern, const int* order) {
    int n = pattern->n;
    Fill fill = {0, 0};
    size_t room = (size_t)n + 1;
    int* place = (int*)malloc(sizeof(int) * 5 * room);
    int *parent = place + room, *top = parent + room, *mark = top + room, *count = mark + room;
    for (int i = 0; i < n; i++) place[i] = parent[i] = top[i] = mark[i] = -1, count[i] = 1;
    for (int k = 0; k < n; k++) {
        bool fresh = order[k] >= 0 && order[k] < n && place[order[k]] < 0;
        if (!CHECK(fresh)) goto done;
        place[order[k]] = k;
    }
    for (int k = 0; k < n; k++) {
        mark[k] = k;
        for (int pass = 0; pass < 2; pass++) {  // the tree, then the columns
            for (int e = pattern->start[order[k]]; e < pattern->start[order[k] + 1]; e++) {
                int j = place[pattern->index[e]];
                while (pass == 0 && j >= 0 && j < k) {
                    int up = top[j];
                    top[j] = k;
                    if (up < 0) parent[j] = k;
                    j = up;
                }
                for (; pass == 1 && j < k && mark[j] != k; j = parent[j]) mark[j] = k, count[j]++;
            }
        }
    }
    for (int k = 0; k < n; k++) {
        fill.entries += count[k];
        fill.supernodes += k == 0 || parent[k - 1] != k || count[k - 1] != count[k] + 1;
    }
done:
    free(place);
    return fill;
}

// By one of our orderings.
static inline Fill fill_by(WfOrdering kind, const WfPattern* pattern, const double* coordinates) {
    WeftAllocator allocator = wf_allocator(NULL);
    int* order = (int*)malloc(((size_t)pattern->n + 1) * sizeof(int));
    memset(order, 0x55, ((size_t)pattern->n + 1) * sizeof(int));
    CHECK(wf_order(&allocator, kind, pattern, coordinates, NULL, order) == WEFT_OK);
    Fill fill = fill_of(pattern, order);
    free(order);
    return fill;
}

#endif
