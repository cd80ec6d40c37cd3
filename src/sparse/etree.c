// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The tree by Liu (1986), row by row: from every entry (i, j) left of the diagonal, climb from j to
// the root of what is known of its tree and hang that root under i. `short_cut` remembers how far
// one climbed before.
//
// The counts by Gilbert, Ng and Peyton (1994), without forming L. Row i of L is a subtree whose
// root is i and whose leaves are among the entries (i, j) of A. Column j holds as many rows as
// there are row subtrees through node j, and the number of subtrees through a node is the sum, over
// its descendants, of marks
//
//     +1   where a row subtree has a leaf
//     -1   at the lowest common ancestor of two leaves that follow each other
//     -1   at the parent of the root of a row subtree
//
// In a postorder, column j is a leaf of row subtree i if none of its descendants was one, that is,
// if its first descendant comes after the last leaf found.

#include "sparse/etree.h"

#include "base/memory.h"

static void find_parents(const WfPattern* pattern, const WfEtree* t, int* short_cut) {
    for (int i = 0; i < t->n; i++) {
        int row = t->order[i];
        t->parent[i] = short_cut[i] = -1;
        for (int e = pattern->start[row]; e < pattern->start[row + 1]; e++) {
            int j = t->place[pattern->index[e]];
            while (j != -1 && j < i) {
                int next = short_cut[j];
                short_cut[j] = i;
                if (next == -1) t->parent[j] = i;
                j = next;
            }
        }
    }
}

void wf_link_children(int count, const int* parent, int* child, int* sibling) {
    for (int j = 0; j < count; j++) child[j] = sibling[j] = -1;
    for (int j = count - 1; j >= 0; j--) {
        if (parent[j] < 0) continue;
        sibling[j] = child[parent[j]];
        child[parent[j]] = j;
    }
}

// post[k]: the node that comes as number k when children come before parents, subtree by subtree.
static void find_postorder(int n, const int* parent, int* child, int* sibling, int* post) {
    wf_link_children(n, parent, child, sibling);
    int count = 0;
    for (int root = 0; root < n; root++) {
        if (parent[root] >= 0) continue;
        int j = root;
        for (;;) {
            while (child[j] >= 0) j = child[j];
            post[count++] = j;
            if (j == root) break;
            child[parent[j]] = sibling[j];  // the next one, or none left
            j = parent[j];
        }
    }
}

// New numbers along the postorder. a, b, c: scratch, n each.
static void renumber(WfEtree* t, int* a, int* b, int* post) {
    find_postorder(t->n, t->parent, a, b, post);
    for (int k = 0; k < t->n; k++) {
        a[k] = t->order[post[k]];
        b[post[k]] = k;
    }
    for (int k = 0; k < t->n; k++) {
        int parent = t->parent[post[k]];
        t->count[k] = parent < 0 ? -1 : b[parent];
    }
    for (int k = 0; k < t->n; k++) {
        t->parent[k] = t->count[k];
        t->order[k] = a[k];
        t->place[a[k]] = k;
    }
}

typedef struct Leaves {
    int* first;     // first descendant of each node
    int* last;      // last leaf found of each row subtree, or -1
    int* ancestor;  // union-find: towards the lowest common ancestor
} Leaves;

// The lowest common ancestor of the last leaf and j, who comes later in the postorder.
static int meet(const Leaves* l, int last) {
    int q = last;
    while (q != l->ancestor[q]) q = l->ancestor[q];
    while (last != q) {
        int next = l->ancestor[last];
        l->ancestor[last] = q;
        last = next;
    }
    return q;
}

static void count_columns(const WfPattern* pattern, WfEtree* t, const Leaves* l) {
    int n = t->n, *mark = t->count;
    for (int j = 0; j < n; j++) l->first[j] = l->last[j] = -1;
    for (int k = 0; k < n; k++) {
        mark[k] = l->first[k] < 0;  // a leaf of the tree: the diagonal is a leaf of its row
        for (int j = k; j >= 0 && l->first[j] < 0; j = t->parent[j]) l->first[j] = k;
        l->ancestor[k] = k;
    }
    for (int j = 0; j < n; j++) {
        if (t->parent[j] >= 0) mark[t->parent[j]]--;
        int column = t->order[j];
        for (int e = pattern->start[column]; e < pattern->start[column + 1]; e++) {
            int i = t->place[pattern->index[e]];
            if (i <= j || l->first[j] <= l->last[i]) continue;
            mark[j]++;
            if (l->last[i] >= 0) mark[meet(l, l->last[i])]--;
            l->last[i] = j;
        }
        if (t->parent[j] >= 0) l->ancestor[j] = t->parent[j];
    }
    for (int j = 0; j < n; j++)
        if (t->parent[j] >= 0) mark[t->parent[j]] += mark[j];
}

WeftResult wf_etree_create(const WeftAllocator* allocator, const WfPattern* pattern,
                           const int* order, WfEtree* tree) {
    size_t n = (size_t)pattern->n;
    *tree = (WfEtree){.n = pattern->n};
    WeftResult result = WEFT_ERROR_MEMORY;
    int* scratch = wf_alloc(allocator, 3 * n, sizeof(int));
    tree->order = wf_alloc(allocator, n, sizeof(int));
    tree->place = wf_alloc(allocator, n, sizeof(int));
    tree->parent = wf_alloc(allocator, n, sizeof(int));
    tree->count = wf_alloc(allocator, n, sizeof(int));
    if (!scratch || !tree->order || !tree->place || !tree->parent || !tree->count) goto done;

    for (int i = 0; i < tree->n; i++) {
        tree->order[i] = order[i];
        tree->place[order[i]] = i;
    }
    find_parents(pattern, tree, scratch);
    renumber(tree, scratch, scratch + n, scratch + 2 * n);
    count_columns(pattern, tree, &(Leaves){scratch, scratch + n, scratch + 2 * n});
    result = WEFT_OK;

done:
    wf_free(allocator, scratch);
    if (result) wf_etree_destroy(allocator, tree);
    return result;
}

void wf_etree_destroy(const WeftAllocator* allocator, WfEtree* tree) {
    wf_free(allocator, tree->order);
    wf_free(allocator, tree->place);
    wf_free(allocator, tree->parent);
    wf_free(allocator, tree->count);
    *tree = (WfEtree){0};
}

long long wf_etree_fill(const WfEtree* tree) {
    long long fill = 0;
    for (int j = 0; j < tree->n; j++) fill += tree->count[j];
    return fill;
}
