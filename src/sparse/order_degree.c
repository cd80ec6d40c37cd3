// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Minimum degree on a quotient graph (Amestoy, Davis and Duff 1996), by local fill rather than by
// degree (Rothberg and Eisenstat 1998). Eliminating a row joins all rows beside it. These cliques
// are not written out: what is left of pivot p is an *element* p, the list of rows it joins, and a
// row knows the elements it is in and the rows it still meets directly.
//
//     a - b - c           a - [b] - c         rows a, c, d are variables; b is an element,
//         |        ->          |              and stands for the clique a c d
//         d                    d
//
// An element that the new one covers is absorbed by it, so the lists only shrink: they fit where
// the pattern was, plus room for one more element. Four more ideas make it fast:
//
//     weight   rows with the same lists behave alike: one variable of several rows, found by hash
//     mass     a variable that meets nothing but the new element goes with the pivot
//     degree   rows beside variable i, bounded by |Lp \ i| + |Ai \ i| + sum over e of |Le \ Lp|
//     stamp    tag + |Le \ Lp| of all elements e around the pivot, by one walk over the lists
//
// A pivot is a variable of least key = 4 sqrt((d^2 - c^2) / sqrt(weight)), where d is its degree
// and c the rows it shares with the newest element: these are joined already, so that d^2 - c^2 is
// about twice the fill it would cause. Ties go to the variable that changed last. Entries of the
// factor over those by SuiteSparse's AMD, mean of 36 meshes (grids and irregular ones, with and
// without hinge pairs, 1200 to 100,000 vertices; 0.80 to 1.02), and time over AMD's:
//
//     as it is                  0.932   1.1        fill per row: / weight       0.941   1.2
//     key = d                   1.000   1.0        / 1                          0.965   1.1
//     4 times coarser keys      0.947   1.1        4 times finer keys           0.933   1.2
//
// Rows may have stages: those of a later one wait. Nested dissection orders by stages, and so its
// parts see the cuts around them. Rows with more than 10 sqrt(n) neighbours come last.
//
// At the end the elements form a tree by who absorbed whom. Its postorder is the order: the rows of
// an element together, its largest child right before it. Among the rows of one element any order
// is as good for fill. They come in the order in which rows before them meet them, for then the
// rows that a column of the factor has in an element are neighbours: runs of 2.5 rows instead of
// 1.6 where the mesh is numbered at random.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "sparse/order.h"

enum { KEYS_PER_DEGREE = 4 };

// Variables and elements have the names of rows: a variable that of one of its rows, an element
// that of its pivot.
typedef struct Quotient {
    const WfPattern* pattern;
    const int* stage;             // per row, or NULL
    int n, left;                  // rows; those not yet eliminated
    int current;                  // the stage that pivots are taken from
    int *list, *spare, list_end;  // all lists, and where they move when list is full
    int* start;                   // of the list of variable or element i
    int* length;                  // of it; 0: i is no more
    int* elements;           // elements in a variable's list, before its variables; -1: an element
    int* weight;             // rows of variable i; 0: none; negative: in the pivot's element
    int* degree;             // of a variable: bound of rows beside it; of an element: its rows
    int* stamp;              // of an element: see above; 0: absorbed
    int* parent;             // what absorbed i, -1: nothing
    int *head, key_count;    // per key: the first of a list of variables
    int *key, *next, *back;  // per variable: its list, and its neighbours in it
    int* bucket;             // per hash: the first of a chain of variables
    int *pivots, pivot_count, dense_count;
    int tag, widest, least;  // older stamps are below tag; most rows of an element; least key
} Quotient;

static int key_of(int degree, int shared, int weight) {
    double d = degree, c = shared < degree ? shared : degree;
    return (int)(KEYS_PER_DEGREE * sqrt((d * d - c * c) / sqrt((double)weight)));
}

static bool is_listed(const Quotient* q, int i) { return !q->stage || q->stage[i] <= q->current; }

static bool is_dense(const Quotient* q, int i) { return q->weight[i] == 0 && q->parent[i] < 0; }

static void insert(Quotient* q, int i) {
    int key = q->key[i], first = q->head[key];
    q->next[i] = first;
    q->back[i] = -1;
    if (first >= 0) q->back[first] = i;
    q->head[key] = i;
    if (key < q->least) q->least = key;
}

static void take_out(Quotient* q, int i) {
    int next = q->next[i], back = q->back[i];
    if (next >= 0) q->back[next] = back;
    if (back >= 0)
        q->next[back] = next;
    else
        q->head[q->key[i]] = next;
}

static void absorb(Quotient* q, int i, int into) {
    q->parent[i] = into;
    q->length[i] = 0;
}

// -- one pivot, in the order of its steps

// When a stage has no more variables the next one begins.
static int take_pivot(Quotient* q) {
    for (;;) {
        while (q->least < q->key_count && q->head[q->least] < 0) q->least++;
        if (q->least < q->key_count) break;
        q->current++;
        for (int i = 0; i < q->n; i++)
            if (q->elements[i] >= 0 && q->weight[i] > 0 && q->stage[i] == q->current) insert(q, i);
    }
    int pivot = q->head[q->least];
    take_out(q, pivot);
    q->pivots[q->pivot_count++] = pivot;
    return pivot;
}

// Move all lists to the other array, without the gaps between them.
static void close_gaps(Quotient* q) {
    int end = 0;
    for (int i = 0; i < q->n; i++) {
        memcpy(q->spare + end, q->list + q->start[i], (size_t)q->length[i] * sizeof(int));
        q->start[i] = end;
        end += q->length[i];
    }
    int* swap = q->list;
    q->list = q->spare;
    q->spare = swap;
    q->list_end = end;
}

// Variables among `count` entries join the pivot's element, which ends at `end`; returns its end.
static int gather(Quotient* q, int pivot, const int* entries, int count, int end) {
    for (int p = 0; p < count; p++) {
        int i = entries[p], w = q->weight[i];
        if (w <= 0) continue;
        q->degree[pivot] += w;
        q->weight[i] = -w;
        q->list[end++] = i;
        if (is_listed(q, i)) take_out(q, i);
    }
    return end;
}

// Lp = Ap and all Le of elements e beside the pivot. Where there is none, Ap stays where it is.
static void build_element(Quotient* q, int pivot) {
    int room = q->pattern->start[q->n] - q->list_end;
    if (room < q->degree[pivot]) close_gaps(q);
    int first = q->start[pivot], count = q->elements[pivot];
    int begin = count == 0 ? first : q->list_end, end = begin;
    q->weight[pivot] = -q->weight[pivot];
    q->degree[pivot] = 0;
    for (int p = first; p < first + count; p++) {
        int e = q->list[p];
        if (q->stamp[e] == 0) continue;
        end = gather(q, pivot, q->list + q->start[e], q->length[e], end);
        q->stamp[e] = 0;
        absorb(q, e, pivot);
    }
    end = gather(q, pivot, q->list + first + count, q->length[pivot] - count, end);
    if (count > 0) q->list_end = end;
    q->start[pivot] = begin;
    q->length[pivot] = end - begin;
    q->elements[pivot] = -1;
    q->stamp[pivot] = 1;
    if (q->degree[pivot] > q->widest) q->widest = q->degree[pivot];
}

// stamp[e] = tag + |Le \ Lp| for all e beside the variables of Lp.
static void stamp_elements(Quotient* q, int pivot) {
    const int *list = q->list, *degree = q->degree;
    int *stamp = q->stamp, tag = q->tag;
    for (int k = q->start[pivot], last = k + q->length[pivot]; k < last; k++) {
        int i = list[k], w = -q->weight[i];
        for (int p = q->start[i], end = p + q->elements[i]; p < end; p++) {
            int e = list[p];
            if (stamp[e] >= tag)
                stamp[e] -= w;
            else if (stamp[e] != 0)
                stamp[e] = tag + degree[e] - w;
        }
    }
}

// Leave those elements in i's list that Lp does not cover, and absorb the others. Returns where
// they end; degree and sum are of what is left.
static int prune_elements(Quotient* q, int pivot, int i, int* degree, unsigned* sum) {
    int *list = q->list, *stamp = q->stamp, end = q->start[i];
    for (int p = end, last = p + q->elements[i]; p < last; p++) {
        int e = list[p], outside = stamp[e] - q->tag;
        if (stamp[e] == 0) continue;
        if (outside > 0) {
            *degree += outside;
            *sum += (unsigned)e;
            list[end++] = e;
        } else {
            stamp[e] = 0;
            absorb(q, e, pivot);
        }
    }
    return end;
}

// The same with variables: those that are not in Lp move up to `end`.
static int prune_variables(Quotient* q, int i, int end, int* degree, unsigned* sum) {
    int *list = q->list, last = q->start[i] + q->length[i];
    for (int p = q->start[i] + q->elements[i]; p < last; p++) {
        int j = list[p], w = q->weight[j];
        if (w <= 0) continue;
        *degree += w;
        *sum += (unsigned)j;
        list[end++] = j;
    }
    return end;
}

// Leave in i's list what Lp does not cover, behind the pivot; its degree is yet without Lp. Returns
// a hash of the list, or -1 where nothing is left.
static int prune(Quotient* q, int pivot, int i) {
    int *list = q->list, first = q->start[i], degree = 0;
    unsigned sum = (unsigned)pivot;
    int seam = prune_elements(q, pivot, i, &degree, &sum);
    int end = prune_variables(q, i, seam, &degree, &sum);
    if (end == first) return -1;
    if (degree < q->degree[i]) q->degree[i] = degree;
    // there is room: the pivot, or an element that it absorbed, was in the list
    list[end] = list[seam];
    list[seam] = list[first];
    list[first] = pivot;
    q->elements[i] = seam - first + 1;
    q->length[i] = end - first + 1;
    return (int)(sum % (unsigned)q->n);
}

// Prune all of Lp: what is left waits in buckets, with its hash in `back`; the others go with the
// pivot.
static void prune_all(Quotient* q, int pivot) {
    for (int k = q->start[pivot], last = k + q->length[pivot]; k < last; k++) {
        int i = q->list[k], hash = prune(q, pivot, i);
        if (hash >= 0) {
            q->back[i] = hash;
            q->next[i] = q->bucket[hash];
            q->bucket[hash] = i;
        } else {
            q->degree[pivot] += q->weight[i];
            q->weight[pivot] += q->weight[i];
            q->weight[i] = 0;
            absorb(q, i, pivot);
        }
    }
    q->left += q->weight[pivot];
}

// Whether j has the list of i, whose entries are stamped with tag.
static bool is_same(const Quotient* q, int i, int j) {
    if (q->length[i] != q->length[j] || q->elements[i] != q->elements[j]) return false;
    if (q->stage && q->stage[i] != q->stage[j]) return false;
    const int* entries = q->list + q->start[j];
    for (int p = 1; p < q->length[j]; p++)
        if (q->stamp[entries[p]] != q->tag) return false;
    return true;
}

static void merge_bucket(Quotient* q, int hash) {
    for (int i = q->bucket[hash]; q->next[i] >= 0; q->tag++) {
        const int* entries = q->list + q->start[i];
        for (int p = 1; p < q->length[i]; p++) q->stamp[entries[p]] = q->tag;
        for (int before = i, j = q->next[i]; j >= 0; j = q->next[j]) {
            if (!is_same(q, i, j)) {
                before = j;
                continue;
            }
            q->weight[i] += q->weight[j];
            q->weight[j] = 0;
            absorb(q, j, i);
            q->next[before] = q->next[j];
        }
        if (q->next[i] >= 0) i = q->next[i];
    }
    q->bucket[hash] = -1;
}

static void merge_alike(Quotient* q, int pivot) {
    q->tag += q->widest;  // beyond all stamps of elements
    for (int k = q->start[pivot], last = k + q->length[pivot]; k < last; k++) {
        int i = q->list[k];
        if (q->weight[i] != 0 && q->bucket[q->back[i]] >= 0) merge_bucket(q, q->back[i]);
    }
    if (q->tag / 2 < INT_MAX / 2 - q->n) return;
    for (int i = 0; i < q->n; i++) q->stamp[i] = q->stamp[i] != 0;
    q->tag = 2;
}

// Degrees are complete now; the variables that are left return to the lists.
static void close_element(Quotient* q, int pivot) {
    int begin = q->start[pivot], end = begin, rows = q->degree[pivot];
    for (int k = begin, last = k + q->length[pivot]; k < last; k++) {
        int i = q->list[k], w = -q->weight[i];
        if (w == 0) continue;
        int degree = q->degree[i] + rows - w, most = q->left - w;
        q->weight[i] = w;
        q->degree[i] = degree < most ? degree : most;
        q->key[i] = key_of(q->degree[i], rows - w, w);
        if (is_listed(q, i)) insert(q, i);
        q->list[end++] = i;
    }
    q->length[pivot] = end - begin;
    q->weight[pivot] = -q->weight[pivot];
}

static void eliminate(Quotient* q) {
    for (int i = 0; i < q->n; i++)
        if (q->weight[i] > 0 && is_listed(q, i)) insert(q, i);
    while (q->left > 0) {
        int pivot = take_pivot(q);
        build_element(q, pivot);
        stamp_elements(q, pivot);
        prune_all(q, pivot);
        merge_alike(q, pivot);
        close_element(q, pivot);
    }
}

// -- from the tree of elements to the order

// The element in which row i was eliminated; the ways there become short.
static int element_of(Quotient* q, int i) {
    int e = i;
    while (q->elements[e] >= 0) e = q->parent[e];
    while (q->elements[i] >= 0) {
        int up = q->parent[i];
        q->parent[i] = e;
        i = up;
    }
    return e;
}

// Per element: rows of its subtree, and its child with most rows, its own and those beside it.
static void sum_subtrees(Quotient* q, int* size, int* big) {
    for (int i = 0; i < q->n; i++) size[i] = 0, big[i] = -1;
    for (int k = 0; k < q->pivot_count; k++) {
        int e = q->pivots[k], up = q->parent[e];
        size[e] += q->weight[e];
        q->degree[e] += q->weight[e];
        if (up < 0) continue;
        size[up] += size[e];
        if (big[up] < 0 || q->degree[e] >= q->degree[big[up]]) big[up] = e;
    }
}

// Where the rows of each element begin, from the roots down. While e waits, begin[e] is where its
// subtree ends; after that size[e] is where its next child ends.
static void place_elements(Quotient* q, int* size, const int* big, int* begin) {
    int end = q->n - q->dense_count;
    for (int k = q->pivot_count - 1; k >= 0; k--) {
        int e = q->pivots[k], up = q->parent[e];
        int* cursor = up < 0 ? &end : &size[up];
        if (up < 0 || big[up] != e) {
            begin[e] = *cursor;
            *cursor -= size[e];
        }
        begin[e] -= q->weight[e];
        if (big[e] < 0) continue;
        begin[big[e]] = begin[e];
        size[e] = begin[e] - size[big[e]];
    }
}

// Rows by element, by index within one; dense rows at the end. next: where an element's next row
// goes; it is moved on, and back.
static void group_rows(Quotient* q, int* next, int* rows) {
    int dense = q->n - q->dense_count;
    for (int i = 0; i < q->n; i++) rows[is_dense(q, i) ? dense++ : next[element_of(q, i)]++] = i;
    for (int k = 0; k < q->pivot_count; k++) next[q->pivots[k]] -= q->weight[q->pivots[k]];
}

// An element's rows, first those that rows before it meet, in that order.
static void write_order(Quotient* q, const int* rows, int* next, int* order) {
    const WfPattern* pattern = q->pattern;
    int sparse = q->n - q->dense_count, *placed = q->key;
    for (int i = 0; i < q->n; i++) placed[i] = is_dense(q, i);
    memcpy(order + sparse, rows + sparse, (size_t)q->dense_count * sizeof(int));
    for (int k = 0; k < sparse;) {
        int e = element_of(q, rows[k]), end = k + q->weight[e];
        for (int p = k; p < end; p++)
            if (!placed[rows[p]]) order[next[e]++] = rows[p];
        for (int p = k; p < end; p++) placed[rows[p]] = 1;
        for (; k < end; k++) {
            for (int p = pattern->start[order[k]]; p < pattern->start[order[k] + 1]; p++) {
                int j = pattern->index[p];
                if (placed[j]) continue;
                placed[j] = 1;
                order[next[element_of(q, j)]++] = j;
            }
        }
    }
}

// -- memory

static void layout(Quotient* q, WfArena* arena) {
    size_t n = (size_t)q->n, entries = (size_t)q->pattern->start[n];
    int** arrays[] = {&q->start,  &q->length, &q->elements, &q->weight, &q->degree, &q->stamp,
                      &q->parent, &q->key,    &q->next,     &q->back,   &q->bucket, &q->pivots};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++)
        *arrays[a] = wf_arena_push(arena, n, sizeof(int));
    q->head = wf_arena_push(arena, n * KEYS_PER_DEGREE, sizeof(int));
    q->list = wf_arena_push(arena, entries, sizeof(int));
    q->spare = wf_arena_push(arena, entries, sizeof(int));
}

// The pattern without its diagonal: that leaves room for n more entries.
static void load(Quotient* q) {
    const WfPattern* pattern = q->pattern;
    double most = 10 * sqrt((double)q->n) > 16 ? 10 * sqrt((double)q->n) : 16;
    for (int i = 0; i < q->n; i++) {
        q->start[i] = q->list_end;
        for (int p = pattern->start[i]; p < pattern->start[i + 1]; p++)
            if (pattern->index[p] != i) q->list[q->list_end++] = pattern->index[p];
        int degree = q->list_end - q->start[i];
        q->weight[i] = degree <= most;
        q->dense_count += degree > most;
        q->length[i] = degree <= most ? degree : 0;
        q->degree[i] = degree;
        q->key[i] = key_of(degree, 0, 1);
        q->parent[i] = q->bucket[i] = -1;
        q->stamp[i] = 1;
        q->elements[i] = 0;
    }
    q->left = q->n - q->dense_count;
    q->tag = 2;
    q->key_count = q->least = q->n * KEYS_PER_DEGREE;
    for (int k = 0; k < q->key_count; k++) q->head[k] = -1;
}

WeftResult wf_order_staged(const WeftAllocator* allocator, const WfPattern* pattern,
                           const int* stage, int* order) {
    WeftResult result = WEFT_ERROR_MEMORY;
    Quotient q = {.pattern = pattern, .stage = stage, .n = pattern->n};
    WfArena arena = {0};
    layout(&q, &arena);
    if (!wf_arena_create(&arena, allocator, arena.used)) goto done;
    layout(&q, &arena);

    load(&q);
    eliminate(&q);
    // the lists have done their work: their room serves the tree
    int *size = q.start, *big = q.length, *begin = q.next, *rows = q.back;
    sum_subtrees(&q, size, big);
    place_elements(&q, size, big, begin);
    group_rows(&q, begin, rows);
    write_order(&q, rows, begin, order);
    result = WEFT_OK;

done:
    wf_arena_destroy(&arena, allocator);
    return result;
}

WeftResult wf_order_minimum_degree(const WeftAllocator* allocator, const WfPattern* pattern,
                                   int* order) {
    return wf_order_staged(allocator, pattern, NULL, order);
}
