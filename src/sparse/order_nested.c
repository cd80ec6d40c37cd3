// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Nested dissection (George 1973): cut the mesh in two along a short row of vertices, number both
// sides first and the cut last; do the same with both sides.
//
//     o o o X o o o         a a a X b b b     no a meets a b: eliminating one side fills nothing in
//     o o o X o o o    ->   a a a X b b b     the other, and what is left of both is a small clique
//     o o o X o o o         a a a X b b b     of the X
//
// Every cut has a stage by its depth, what is never cut is stage 0, and minimum degree within these
// stages makes the order (order_degree.c). So rows of a leaf see the cuts around them, and rows of
// a cut are ordered by what became of both sides. The method:
//
//     while there is a part       of more than LEAF vertices
//         split_components        a part is in one piece
//         wf_cut_part             three straight cuts, refined: order_cut.c, order_refine.c
//         is_leaf                 would minimum degree do as well?
//         take_apart              sides become parts, written anew so that a part lies together
//
// Minimum degree finds good cuts by itself while it is free to choose, not where a part is hemmed
// in by cuts. So a part is a leaf when its cut has less than LEAF_ROWS rows, fewer the more of its
// rim is cuts already. Entries of the factor, over the best of SuiteSparse's AMD and METIS_NodeND,
// mean of ten shapes with and without hinge pairs (squares, tubes, strips, shirts, holes, panels):
//
//                                 1200 to 20,000 vertices     100,000     time over METIS
//     as it is                             0.968                0.968       0.26, 0.54
//     LEAF_ROWS 0, always cut              1.004                0.968       0.60, 0.54
//     LEAF 200, 50                         0.970, 0.968         0.973, 0.965
//     minimum degree alone                 0.981                1.088       0.14, 0.12
//     AMD                                  1.024                1.183       0.12, 0.10
//     METIS                                1.053                1.000
//
// At worst it is 1.02, for a sheet with holes. A bound on the width of a cut in place of its rows
// (50 vertices, which is 50 rows without hinge pairs and 100 with them) had 1.06 at worst.
//
// Rows that are to come last, a line along which a half mesh will be mirrored, are a cut as well;
// columns of the factor that come after one of them are kept, and worked on, twice (supernode.h).
// To cut the line off at once leaves few such columns, but all parts then meet the whole line. To
// leave it in the parts keeps it short, but every cut that meets it counts twice. So a part is cut
// across until its piece of the line has no more than LAST_ROWS times the rows of the cut, and then
// the piece is cut off. Entries of the factor, those that count twice added, over those of the
// order without `last`; halves of 5,000 vertices with hinge pairs, the line on the side of the
// second number, or (tube) on both such sides:
//
//                                             50 x 100   71 x 71   25 x 200   disc    tube
//     as it is                                  1.31      1.18       1.57     1.33    1.56
//     LAST_ROWS 1                               1.34      1.27       1.61     1.34    1.57
//     LAST_ROWS 4                               1.29      1.18       1.65     1.33    1.71
//     the line cut off at once                  1.29      1.18       2.13     1.33    1.82
//     the order without `last`                  1.51      1.28       1.63     1.34    1.69
//     the same, with the line moved to its end  1.44      1.19       2.75     1.39    2.18

#include <math.h>
#include <string.h>

#include "sparse/order.h"
#include "sparse/order_cut.h"

enum { LEAF = 100, LEAF_ROWS = 80, LAST_ROWS = 2 };

typedef struct Part {
    int begin, end, depth;
} Part;

typedef struct Nest {
    const WfPattern* pattern;
    const unsigned char* last;  // per row: whether it is to come last; or NULL
    WfGraph graph, copy;        // copy: room to write a part anew
    WfCutter cutter;
    int* list;                // vertices of a part in their new order
    int* place;               // per vertex: its new name, -1: it is in the cut
    int* stage;               // per row: at first the depth of its cut, -1: in none
    Part* parts;              // that are still to be cut
    int part_count, deepest;  // how many; depth of the deepest cut
} Nest;

static void layout_graph(WfGraph* g, WfArena* arena, size_t n, size_t entries) {
    g->start = wf_arena_push(arena, n + 1, sizeof(int));
    g->index = wf_arena_push(arena, entries, sizeof(int));
    g->row = wf_arena_push(arena, n, sizeof(int));
    g->x = wf_arena_push(arena, 3 * n, sizeof(double));
    g->rim = wf_arena_push(arena, n, 1);
}

static void layout(Nest* nest, WfArena* arena) {
    size_t n = (size_t)nest->pattern->n, entries = (size_t)nest->pattern->start[n];
    layout_graph(&nest->graph, arena, n, entries);
    layout_graph(&nest->copy, arena, n, entries);
    wf_cutter_layout(&nest->cutter, arena, nest->pattern->n);
    nest->list = wf_arena_push(arena, n, sizeof(int));
    nest->place = wf_arena_push(arena, n, sizeof(int));
    nest->stage = wf_arena_push(arena, n, sizeof(int));
    nest->parts = wf_arena_push(arena, n / LEAF + 1, sizeof(Part));
}

static void add_part(Nest* nest, int begin, int end, int depth) {
    if (end - begin > LEAF) nest->parts[nest->part_count++] = (Part){begin, end, depth};
}

static void copy_vertex(Nest* nest, int v, int to, int* end) {
    WfGraph *g = &nest->graph, *copy = &nest->copy;
    copy->row[to] = g->row[v];
    copy->rim[to] = g->rim[v];
    memcpy(copy->x + 3 * (size_t)to, g->x + 3 * (size_t)v, 3 * sizeof(double));
    copy->start[to] = *end;
    for (int e = g->start[v]; e < g->start[v + 1]; e++) {
        int place = nest->place[g->index[e]];
        if (place >= 0)
            copy->index[(*end)++] = place;
        else
            copy->rim[to] = 1;
    }
}

// The first `count` vertices of the list take the places from begin on, with the edges among them.
static void reorder(Nest* nest, int begin, int count) {
    WfGraph *g = &nest->graph, *copy = &nest->copy;
    int first = g->start[begin], end = first;
    size_t many = (size_t)count;
    for (int k = 0; k < count; k++) copy_vertex(nest, nest->list[k], begin + k, &end);
    memcpy(g->row + begin, copy->row + begin, many * sizeof(int));
    memcpy(g->rim + begin, copy->rim + begin, many);
    memcpy(g->x + 3 * (size_t)begin, copy->x + 3 * (size_t)begin, 3 * many * sizeof(double));
    memcpy(g->start + begin, copy->start + begin, many * sizeof(int));
    memcpy(g->index + first, copy->index + first, (size_t)(end - first) * sizeof(int));
    g->start[begin + count] = end;
}

// Every component becomes a part, its vertices in the order of a walk: neighbours are then close in
// memory. Returns whether the part is in one piece; then, unless forced, it stays as it is.
static bool split_components(Nest* nest, Part part, bool force) {
    int *steps = nest->cutter.steps, done = 0, count = part.end - part.begin;
    for (int v = part.begin; v < part.end; v++) steps[v] = -1;
    for (int v = part.begin; v < part.end; v++) {
        if (steps[v] >= 0) continue;
        int reached = wf_walk(&nest->graph, v, steps, nest->list + done);
        if (reached == count && !force) return true;
        add_part(nest, part.begin + done, part.begin + done + reached, part.depth);
        done += reached;
    }
    for (int k = 0; k < count; k++) nest->place[nest->list[k]] = part.begin + k;
    reorder(nest, part.begin, count);
    return false;
}

// Not all in one place, and far from where squares overflow.
static bool are_usable(const double* coordinates, int n) {
    bool differ = false;
    for (size_t k = 0; coordinates && k < 3 * (size_t)n; k++) {
        if (!(fabs(coordinates[k]) < 1e100)) return false;
        differ = differ || coordinates[k] != coordinates[k % 3];
    }
    return differ;
}

static void load(Nest* nest, const double* coordinates) {
    const WfPattern* pattern = nest->pattern;
    WfGraph* g = &nest->graph;
    int n = pattern->n, end = 0;
    g->located = are_usable(coordinates, n);
    if (g->located) memcpy(g->x, coordinates, 3 * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        g->row[i] = i;
        g->rim[i] = 0;
        g->start[i] = end;
        nest->stage[i] = -1;
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
            if (pattern->index[e] != i) g->index[end++] = pattern->index[e];
    }
    g->start[n] = end;
    split_components(nest, (Part){0, n, 0}, true);
}

// Two of four sides along earlier cuts: always worth another one.
static bool is_leaf(const WfCut* cut, double rows) {
    return rows < LEAF_ROWS * (1 - cut->rim / (2 * rows));
}

// Both sides become parts, and the rows between them have their stage.
static void take_apart(Nest* nest, Part part, const WfCut* cut) {
    int count = 0;
    for (int s = 0; s < 2; s++)
        for (int v = part.begin; v < part.end; v++)
            if (cut->side[v] == s) nest->place[v] = part.begin + count, nest->list[count++] = v;
    for (int v = part.begin; v < part.end; v++) {
        if (cut->side[v] != WF_CUT) continue;
        nest->place[v] = -1;
        nest->stage[nest->graph.row[v]] = part.depth;
    }
    if (part.depth > nest->deepest) nest->deepest = part.depth;
    reorder(nest, part.begin, count);
    int middle = part.begin + cut->size[WF_LEFT];
    add_part(nest, part.begin, middle, part.depth + 1);
    add_part(nest, middle, part.begin + count, part.depth + 1);
}

// Rows of the part that are to come last.
static int count_last(const Nest* nest, Part part) {
    int count = 0;
    for (int v = part.begin; v < part.end && nest->last; v++)
        count += nest->last[nest->graph.row[v]] != 0;
    return count;
}

// They are the cut, and all others its left side.
static void cut_off_last(const Nest* nest, Part part, WfCut* cut) {
    memset(cut->size, 0, sizeof cut->size);
    for (int v = part.begin; v < part.end; v++) {
        cut->side[v] = nest->last[nest->graph.row[v]] ? WF_CUT : WF_LEFT;
        cut->size[cut->side[v]]++;
    }
}

static void dissect(Nest* nest, Part part) {
    WfGraph* g = &nest->graph;
    if (part.depth > 0 && !split_components(nest, part, false)) return;
    WfCut cut = {.begin = part.begin, .end = part.end};
    double n = part.end - part.begin;
    // a mesh has 6 neighbours per vertex, and cuts one vertex thick; 12 with hinge pairs, and two
    cut.square = (g->start[part.end] - g->start[part.begin]) / (6 * n) * sqrt(n);
    for (int v = part.begin; v < part.end; v++) cut.rim += g->rim[v];
    int last = count_last(nest, part);
    if (last == 0 && is_leaf(&cut, cut.square)) return;
    if (!wf_cut_part(&nest->cutter, g, &cut)) return;
    int rows = cut.size[WF_CUT];
    bool off = last > 0 && last <= LAST_ROWS * rows;
    if (off) cut_off_last(nest, part, &cut);
    if (off || (rows < n / 3 && (last > 0 || !is_leaf(&cut, rows)))) take_apart(nest, part, &cut);
}

WeftResult wf_order_nested(const WeftAllocator* allocator, const WfPattern* pattern,
                           const double* coordinates, const unsigned char* last, int* order) {
    WeftResult result = WEFT_ERROR_MEMORY;
    Nest nest = {.pattern = pattern, .last = last};
    WfArena arena = {0};
    layout(&nest, &arena);
    if (!wf_arena_create(&arena, allocator, arena.used)) goto done;
    layout(&nest, &arena);

    load(&nest, coordinates);
    while (nest.part_count > 0) dissect(&nest, nest.parts[--nest.part_count]);
    // what is never cut, then rows of it that are to come last, then the cuts
    int first_cut = last ? 2 : 1;
    for (int i = 0; i < pattern->n; i++) {
        int depth = nest.stage[i];
        nest.stage[i] = depth < 0 ? last && last[i] : first_cut + nest.deepest - depth;
    }
    result = wf_order_staged(allocator, pattern, nest.stage, order);

done:
    wf_arena_destroy(&arena, allocator);
    return result;
}
