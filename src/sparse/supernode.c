// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From the elimination tree to nodes.
//
// 1. Columns j and j + 1 with the same rows below (parent[j] = j + 1, one entry less) are one node.
// 2. Nodes are merged with children wherever the estimated time of a solve falls: the merged node
//    stores zeros, but there are fewer rows to gather and scatter. A merged node has the rows of
//    the parent, so widths and heights are all that the estimate needs. Columns that are apart and
//    others are never in one node.
// 3. Columns get new numbers: nodes in postorder, the columns of a merged child before those of
//    its parent. Columns of other children move away between them, which changes no fill.
// 4. Rows: row i belongs to every node on the way up from an entry (i, j) of A to the node of i.
//    Taken row by row, each node's list comes out sorted.
// 5. The tree is cut into subtrees of about equal work, for threads, and what is above them into
//    stages. The cut depends on the pattern alone, so bits do not depend on the number of threads.
//    Nodes that are apart are above all subtrees and stages.

#include "sparse/supernode.h"

#include "base/memory.h"
#include "sparse/etree.h"

// ---------------------------------------------------------------------------------------------
// Merging

// Time of both passes of a solve over a node, in units of one stored number; measured.
enum { ROW_TIME = 2, NODE_TIME = 12 };

// Stored numbers of a node, group by group; see cholesky.h.
static long long node_values(int width, int height) {
    long long values = 0;
    for (int left = width; left > 0; left -= WF_GROUP) {
        int columns = left < WF_GROUP ? left : WF_GROUP, fours = wf_fours(columns);
        values += 8 * fours * (fours + 1) + (long long)columns * (left - columns + height);
    }
    return values;
}

static long long node_time(int width, int height) {
    int groups = (width + WF_GROUP - 1) / WF_GROUP;
    return node_values(width, height) + (long long)ROW_TIME * groups * height + NODE_TIME * groups;
}

// The nodes of step 1, then of step 2. Merged nodes are gone: width 0.
typedef struct Forest {
    int count;
    int *width, *height, *parent;
    int* apart;            // whether its columns are
    int *child, *sibling;  // first child, next child
    int *head, *member;    // ranges of columns of a merged node: the first, the next; the last is
                           // the node's own
    int* first;            // first column of each range; first[count] = n
    int* memory;
} Forest;

// Whether columns j - 1 and j belong together; f->apart is per column yet.
static bool continues_node(const WfEtree* tree, const Forest* f, int j) {
    return tree->parent[j - 1] == j && tree->count[j - 1] == tree->count[j] + 1 &&
           f->apart[j - 1] == f->apart[j];
}

// Columns of rows that differ, and those above them.
static void find_apart(const WfEtree* tree, const unsigned char* differs, int* apart) {
    for (int j = 0; j < tree->n; j++) apart[j] = differs && differs[tree->order[j]];
    for (int j = 0; j < tree->n; j++)
        if (apart[j] && tree->parent[j] >= 0) apart[tree->parent[j]] = 1;
}

static void find_nodes(const WfEtree* tree, Forest* f) {
    int* node = f->head;  // of each column, for now
    f->count = 0;
    for (int j = 0; j < tree->n; j++) {
        if (j == 0 || !continues_node(tree, f, j)) {
            f->first[f->count] = j;
            f->width[f->count] = 0;
            f->count++;
        }
        node[j] = f->count - 1;
        f->width[f->count - 1]++;
    }
    f->first[f->count] = tree->n;
    for (int s = 0; s < f->count; s++) {
        int last = f->first[s + 1] - 1, parent = tree->parent[last];
        f->height[s] = tree->count[last] - 1;
        f->parent[s] = parent < 0 ? -1 : node[parent];
        f->apart[s] = f->apart[last];
        f->member[s] = -1;
    }
    for (int s = 0; s < f->count; s++) f->head[s] = s;
    wf_link_children(f->count, f->parent, f->child, f->sibling);
}

static bool worth_merging(const Forest* f, int child, int parent) {
    if (f->apart[child] != f->apart[parent]) return false;
    long long separate = node_time(f->width[child], f->height[child]) +
                         node_time(f->width[parent], f->height[parent]);
    return node_time(f->width[child] + f->width[parent], f->height[parent]) <= separate;
}

// The child becomes part of the parent: its columns come before the parent's, and its children take
// its place in `link`, the list of the parent's children.
static void merge(Forest* f, int child, int parent, int* link) {
    f->member[child] = f->head[parent];
    f->head[parent] = f->head[child];
    f->width[parent] += f->width[child];
    f->width[child] = 0;
    int* end = &f->child[child];
    while (*end >= 0) {
        f->parent[*end] = parent;
        end = &f->sibling[*end];
    }
    *end = f->sibling[child];
    *link = f->child[child];
}

// Children before parents; a parent looks at all its children, and at those of merged ones.
static void merge_nodes(Forest* f) {
    for (int p = 0; p < f->count; p++)
        for (int* link = &f->child[p]; *link >= 0;) {
            if (worth_merging(f, *link, p))
                merge(f, *link, p, link);
            else
                link = &f->sibling[*link];
        }
}

// ---------------------------------------------------------------------------------------------
// New numbers

// Columns of one node, range by range, into the new order.
static void number_columns(const Forest* f, const WfEtree* tree, int node, WfSupernodes* s) {
    int column = s->first[s->count];
    for (int m = f->head[node]; m >= 0; m = f->member[m])
        for (int j = f->first[m]; j < f->first[m + 1]; j++) {
            s->node[column] = s->count;
            s->order[column++] = tree->order[j];
        }
    s->first[++s->count] = column;
}

// Nodes in postorder. name: the new number of each node.
static void number_nodes(const WfEtree* tree, Forest* f, int* name, WfSupernodes* s) {
    for (int root = 0; root < f->count; root++) {
        if (f->parent[root] >= 0 || f->width[root] == 0) continue;
        for (int p = root;;) {
            while (f->child[p] >= 0) p = f->child[p];
            name[p] = s->count;
            number_columns(f, tree, p, s);
            if (p == root) break;
            f->child[f->parent[p]] = f->sibling[p];
            p = f->parent[p];
        }
    }
    for (int p = 0; p < f->count; p++) {
        if (f->width[p] == 0) continue;
        s->parent[name[p]] = f->parent[p] < 0 ? -1 : name[f->parent[p]];
        s->is_apart[name[p]] = f->apart[p] != 0;
    }
    for (int k = 0; k < s->count; k++)
        if (s->is_apart[k]) s->apart[s->apart_count++] = k;
    wf_link_children(s->count, s->parent, s->child, s->sibling);
    for (int i = 0; i < s->n; i++) s->place[s->order[i]] = i;
}

static void number_rows(const Forest* f, const int* name, WfSupernodes* s) {
    for (int p = 0; p < f->count; p++)
        if (f->width[p] > 0) s->row_start[name[p] + 1] = (size_t)f->height[p];
    for (int k = 0; k < s->count; k++) s->row_start[k + 1] += s->row_start[k];
}

static void find_rows(WfSupernodes* s, int* seen, int* filled) {
    for (int k = 0; k < s->count; k++) seen[k] = -1, filled[k] = 0;
    for (int i = 0; i < s->n; i++) {
        int row = s->order[i], own = s->node[i];
        for (int e = s->pattern->start[row]; e < s->pattern->start[row + 1]; e++) {
            int j = s->place[s->pattern->index[e]];
            if (j >= s->first[own]) continue;
            for (int k = s->node[j]; k != own && seen[k] != i; k = s->parent[k]) {
                s->rows[s->row_start[k] + (size_t)filled[k]++] = i;
                seen[k] = i;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Subtrees

// A cut pays from some 5e5 stored numbers on (10,000 vertices). Pieces are at most a sixteenth of
// all work, so that a few threads share it well; what is below a part in 200 is not worth a piece.
enum { WORTH_CUTTING = 500000, SMALLEST_PART = 200, LARGEST_PART = 16, TOP_PER_SUBTREE = 2 };

static void measure_subtrees(const WfSupernodes* s, long long* time, int* begin) {
    for (int k = 0; k < s->count; k++) time[k] = 0, begin[k] = k;
    for (int k = 0; k < s->count; k++) {
        time[k] += node_time(wf_node_width(s, k), wf_node_height(s, k));
        int p = s->parent[k];
        if (p < 0) continue;
        time[p] += time[k];
        if (begin[k] < begin[p]) begin[p] = begin[k];
    }
}

// Whether nothing, or only what is apart, is above a node that is not.
static bool is_highest(const WfSupernodes* s, int node) {
    return !s->is_apart[node] && (s->parent[node] < 0 || s->is_apart[s->parent[node]]);
}

// Roots of subtrees in `roots`; returns their number. Cuts the largest one while it is too large.
static int cut_tree(const WfSupernodes* s, const long long* time, long long total, int* roots) {
    int count = 0;
    for (int k = 0; k < s->count; k++)
        if (is_highest(s, k) && time[k] * SMALLEST_PART >= total && count < WF_MAX_SUBTREES)
            roots[count++] = k;
    for (;;) {
        int largest = -1, children = 0;
        for (int t = 0; t < count; t++)
            if (largest < 0 || time[roots[t]] > time[roots[largest]]) largest = t;
        if (largest < 0 || time[roots[largest]] * LARGEST_PART <= total) return count;
        int root = roots[largest];
        for (int k = s->child[root]; k >= 0; k = s->sibling[k])
            children += time[k] * SMALLEST_PART >= total;
        if (children == 0 || count - 1 + children > WF_MAX_SUBTREES) return count;
        roots[largest] = roots[--count];
        for (int k = s->child[root]; k >= 0; k = s->sibling[k])
            if (time[k] * SMALLEST_PART >= total) roots[count++] = k;
    }
}

static void sort_numbers(int count, int* numbers) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && numbers[j] < numbers[j - 1]; j--) {
            int swap = numbers[j];
            numbers[j] = numbers[j - 1];
            numbers[j - 1] = swap;
        }
}

static int highest(const WfSupernodes* s, int height, int node) {
    int own = 4 * wf_fours(wf_node_width(s, node)) + 4 * wf_fours(wf_node_height(s, node));
    return own > height ? own : height;
}

static bool find_subtrees(const WeftAllocator* allocator, WfSupernodes* s) {
    bool good = false;
    long long* time = wf_alloc(allocator, (size_t)s->count, sizeof *time);
    int* begin = wf_alloc(allocator, (size_t)s->count, sizeof *begin);
    int roots[WF_MAX_SUBTREES];
    if (!time || !begin) goto done;
    measure_subtrees(s, time, begin);
    long long total = 0;
    for (int k = 0; k < s->count; k++)
        if (is_highest(s, k)) total += time[k];
    int count = total < WORTH_CUTTING ? 0 : cut_tree(s, time, total, roots);
    sort_numbers(count, roots);

    s->subtrees = wf_alloc(allocator, (size_t)count, sizeof *s->subtrees);
    s->top = wf_alloc(allocator, (size_t)s->count, sizeof *s->top);
    if (!s->subtrees || !s->top) goto done;
    s->subtree_count = count;
    s->slot_count = s->own_slot[s->count];
    int next = 0;
    for (int t = 0; t <= count; t++) {
        int end = t < count ? begin[roots[t]] : s->count;
        for (; next < end; next++) {
            s->top[s->top_count++] = next;
            s->top_height = highest(s, s->top_height, next);
        }
        if (t == count) break;
        WfSubtree* subtree = &s->subtrees[t];
        *subtree = (WfSubtree){.begin = end, .end = roots[t] + 1, .first_slot = s->slot_count};
        for (; next < subtree->end; next++) subtree->height = highest(s, subtree->height, next);
        s->slot_count += wf_node_height(s, roots[t]);
    }
    good = true;
done:
    wf_free(allocator, begin);
    wf_free(allocator, time);
    return good;
}

// Of each node of the top, how many of them are below it, one below the other. Returns the most,
// without what is apart.
static int find_levels(const WfSupernodes* s, int* level) {
    int most = 0;
    for (int k = 0; k < s->top_count; k++) level[s->top[k]] = 0;
    for (int k = 0; k < s->top_count; k++) {
        int node = s->top[k], parent = s->parent[node];
        if (s->is_apart[node]) continue;
        if (level[node] > most) most = level[node];
        if (parent >= 0 && level[parent] <= level[node]) level[parent] = level[node] + 1;
    }
    return most;
}

// What lies beside the subtrees, as many small pieces do, is not worth stages.
static bool find_stages(const WeftAllocator* allocator, WfSupernodes* s) {
    int staged_count = s->top_count - s->apart_count;
    bool clean = staged_count <= TOP_PER_SUBTREE * s->subtree_count;
    int* level = wf_alloc(allocator, (size_t)s->count, sizeof *level);
    s->staged = wf_alloc(allocator, (size_t)staged_count, sizeof *s->staged);
    s->stage_start = wf_alloc(allocator, (size_t)staged_count + 2, sizeof *s->stage_start);
    if (!level || !s->staged || !s->stage_start) {
        wf_free(allocator, level);
        return false;
    }
    s->stage_count = clean && staged_count > 0 ? find_levels(s, level) + 1 : 1;
    int count = 0;
    for (int stage = 0; stage < s->stage_count; stage++) {
        s->stage_start[stage] = count;
        for (int k = 0; k < s->top_count; k++)
            if (!s->is_apart[s->top[k]] && (s->stage_count == 1 || level[s->top[k]] == stage))
                s->staged[count++] = (WfSubtree){s->top[k], s->top[k] + 1, -1, 0};
        bool several = clean && count - s->stage_start[stage] > 1;
        for (int t = s->stage_start[stage]; t < count && several; t++) {
            s->staged[t].first_slot = s->slot_count;
            s->slot_count += wf_node_height(s, s->staged[t].begin);
        }
    }
    s->stage_start[s->stage_count] = count;
    wf_free(allocator, level);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Slots

static void number_slots(WfSupernodes* s) {
    for (int k = 0; k < s->count; k++) {
        int width = wf_node_width(s, k), height = wf_node_height(s, k);
        for (int j = 0; j < width; j++) s->slot[s->first[k] + j] = s->own_slot[k] + j;
        s->own_slot[k + 1] = s->own_slot[k] + 4 * wf_fours(width);
        s->slot_start[k + 1] = s->slot_start[k] + (size_t)(width + height);
        s->panel[k + 1] = s->panel[k] + (size_t)node_values(width, height);
    }
    s->value_count = s->panel[s->count];
    for (int t = 0; t < s->apart_count; t++) {
        int k = s->apart[t];
        s->normal_panel[k] = s->value_count;
        s->value_count += s->panel[k + 1] - s->panel[k];
    }
}

static void fill_slots(WfSupernodes* s, int node) {
    size_t slot = s->slot_start[node];
    for (int j = s->first[node]; j < s->first[node + 1]; j++) s->slots[slot++] = s->slot[j];
    for (size_t r = s->row_start[node]; r < s->row_start[node + 1]; r++)
        s->slots[slot++] = s->slot[s->rows[r]];
}

// Rows outside of a subtree get slots of the subtree, for as long as its nodes are filled.
static void fill_subtree(WfSupernodes* s, const WfSubtree* subtree) {
    int root = subtree->end - 1, count = wf_node_height(s, root), slot = subtree->first_slot;
    const int* outside = s->rows + s->row_start[root];
    for (int r = 0; r < count && subtree->first_slot >= 0; r++) s->slot[outside[r]] = slot++;
    for (int k = subtree->begin; k < subtree->end; k++) fill_slots(s, k);
    for (int r = 0; r < count; r++) {
        int node = s->node[outside[r]];
        s->slot[outside[r]] = s->own_slot[node] + outside[r] - s->first[node];
    }
}

static void find_slots(WfSupernodes* s) {
    for (int t = 0; t < s->subtree_count; t++) fill_subtree(s, &s->subtrees[t]);
    for (int t = 0; t < s->stage_start[s->stage_count]; t++) fill_subtree(s, &s->staged[t]);
    for (int t = 0; t < s->apart_count; t++) fill_slots(s, s->apart[t]);
}

static bool allocate_slots(const WeftAllocator* allocator, WfSupernodes* s) {
    size_t count = (size_t)s->count;
    s->own_slot = wf_alloc(allocator, count + 1, sizeof(int));
    s->slot = wf_alloc(allocator, (size_t)s->n, sizeof(int));
    s->slot_start = wf_alloc(allocator, count + 1, sizeof(size_t));
    s->panel = wf_alloc(allocator, count + 1, sizeof(size_t));
    s->normal_panel = wf_alloc(allocator, count, sizeof(size_t));
    s->slots = wf_alloc(allocator, (size_t)s->n + s->row_start[s->count], sizeof(int));
    return s->own_slot && s->slot && s->slot_start && s->panel && s->normal_panel && s->slots;
}

// ---------------------------------------------------------------------------------------------

static bool allocate_forest(const WeftAllocator* allocator, int n, Forest* f) {
    size_t room = (size_t)n + 1;
    int** parts[] = {&f->width,   &f->height, &f->parent, &f->apart, &f->child,
                     &f->sibling, &f->member, &f->head,   &f->first};
    size_t count = sizeof parts / sizeof parts[0];
    f->memory = wf_alloc(allocator, count * room, sizeof(int));
    for (size_t i = 0; f->memory && i < count; i++) *parts[i] = f->memory + i * room;
    return f->memory != NULL;
}

static bool allocate_nodes(const WeftAllocator* allocator, WfSupernodes* s) {
    size_t n = (size_t)s->n;
    s->order = wf_alloc(allocator, n, sizeof(int));
    s->place = wf_alloc(allocator, n, sizeof(int));
    s->node = wf_alloc(allocator, n, sizeof(int));
    s->first = wf_alloc(allocator, n + 1, sizeof(int));
    s->parent = wf_alloc(allocator, n, sizeof(int));
    s->child = wf_alloc(allocator, n, sizeof(int));
    s->sibling = wf_alloc(allocator, n, sizeof(int));
    s->row_start = wf_alloc(allocator, n + 1, sizeof(size_t));
    s->apart = wf_alloc(allocator, n, sizeof(int));
    s->is_apart = wf_alloc(allocator, n, 1);
    return s->order && s->place && s->node && s->first && s->parent && s->child && s->sibling &&
           s->row_start && s->apart && s->is_apart;
}

WeftResult wf_supernodes_create(const WeftAllocator* allocator, const WfPattern* pattern,
                                const int* order, const unsigned char* differs, WfSupernodes* s) {
    size_t n = (size_t)pattern->n;
    *s = (WfSupernodes){.n = pattern->n, .pattern = pattern};
    WfEtree tree = {0};
    Forest forest = {0};
    int *seen = NULL, *name = NULL;
    WeftResult result = wf_etree_create(allocator, pattern, order, &tree);
    if (result) goto done;
    result = WEFT_ERROR_MEMORY;
    seen = wf_alloc(allocator, n, sizeof(int));
    name = wf_alloc(allocator, n, sizeof(int));
    if (!seen || !name || !allocate_forest(allocator, s->n, &forest)) goto done;
    if (!allocate_nodes(allocator, s)) goto done;

    s->fill = wf_etree_fill(&tree);
    find_apart(&tree, differs, forest.apart);
    find_nodes(&tree, &forest);
    merge_nodes(&forest);
    number_nodes(&tree, &forest, name, s);
    number_rows(&forest, name, s);
    s->rows = wf_alloc(allocator, s->row_start[s->count], sizeof(int));
    if (!s->rows) goto done;
    find_rows(s, seen, name);
    if (!allocate_slots(allocator, s)) goto done;
    number_slots(s);
    if (!find_subtrees(allocator, s) || !find_stages(allocator, s)) goto done;
    find_slots(s);
    result = WEFT_OK;

done:
    wf_free(allocator, forest.memory);
    wf_free(allocator, name);
    wf_free(allocator, seen);
    wf_etree_destroy(allocator, &tree);
    if (result) wf_supernodes_destroy(allocator, s);
    return result;
}

void wf_supernodes_destroy(const WeftAllocator* allocator, WfSupernodes* s) {
    wf_free(allocator, s->order);
    wf_free(allocator, s->place);
    wf_free(allocator, s->node);
    wf_free(allocator, s->first);
    wf_free(allocator, s->parent);
    wf_free(allocator, s->child);
    wf_free(allocator, s->sibling);
    wf_free(allocator, s->row_start);
    wf_free(allocator, s->apart);
    wf_free(allocator, s->is_apart);
    wf_free(allocator, s->rows);
    wf_free(allocator, s->own_slot);
    wf_free(allocator, s->slot);
    wf_free(allocator, s->slot_start);
    wf_free(allocator, s->slots);
    wf_free(allocator, s->panel);
    wf_free(allocator, s->normal_panel);
    wf_free(allocator, s->subtrees);
    wf_free(allocator, s->top);
    wf_free(allocator, s->staged);
    wf_free(allocator, s->stage_start);
    *s = (WfSupernodes){0};
}
