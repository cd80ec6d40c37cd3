// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Two trees are gone down at once, from pairs of boxes that overlap to pairs of their children, as
// long as there are any. Where two leaves meet, what the triangles of each own is tried
// (pairs_leaves.c).
//
// Whether boxes overlap is as good as random, and a branch on it costs more than the test itself.
// So there is none: what may come next is written to the end of a list, which then moves on by one
// or not at all.

#include "contact/pairs.h"

#include <limits.h>
#include <string.h>

#include "base/parallel.h"
#include "base/simd.h"
#include "contact/flat.h"
#include "contact/pairs_parts.h"
#include "contact/sift.h"

enum {
    MOST_PENDING = 160,  // 40 levels, each leaves three behind
    SIFTED = 256,        // pairs that wait for the sift, at most: they stay in the cache
    MOST_LOOKS = 16,     // at pairs, for each that may stay
    MOST_TASKS = 512,    // of a search,
    FEW_TASKS = 16,      // that there is room for at first,
    FIRST_TASKS = 256,   // of these at first,
    TASK_LEAVES = 32,    // and leaves for which there may be one more
    TASK_SHARE = 16,     // times that of all
    MEETINGS = 512,      // pairs of leaves for a task, before others take half of the rest
};

// Pairs of nodes that are still to be gone into.
typedef struct Stack {
    int depth, meetings;  // of leaves, before others may take half of it
    WfPair pending[MOST_PENDING];
} Stack;

typedef struct WfPairTask {
    Stack stack;
    WfPairs found;
} WfPairTask;

void wf_pairs_destroy(WfPairs* pairs) {
    for (int t = 0; t < pairs->task_room; t++) wf_pairs_destroy(&pairs->tasks[t].found);
    wf_free(&pairs->allocator, pairs->tasks);
    pairs->tasks = NULL;
    pairs->task_room = 0;
    wf_free(&pairs->allocator, pairs->points.pairs);
    wf_free(&pairs->allocator, pairs->corners.pairs);
    wf_free(&pairs->allocator, pairs->edges.pairs);
    wf_free(&pairs->allocator, pairs->near.pairs);
    wf_free(&pairs->allocator, pairs->scratch);
    wf_free(&pairs->allocator, pairs->flags);
    pairs->flags = NULL;
    pairs->flag_capacity = 0;
    pairs->points = pairs->corners = pairs->edges = pairs->near = (WfPairList){0};
    pairs->scratch = NULL;
    pairs->scratch_capacity = 0;
}

size_t wf_pairs_bytes(const WfPairs* p) {
    size_t room = (size_t)p->points.capacity + (size_t)p->corners.capacity +
                  (size_t)p->edges.capacity + (size_t)p->near.capacity +
                  (size_t)p->scratch_capacity;
    size_t bytes = room * sizeof(WfPair) + (size_t)p->flag_capacity;
    for (int t = 0; t < p->task_room; t++)
        bytes += sizeof *p->tasks + wf_pairs_bytes(&p->tasks[t].found);
    return bytes;
}

// ---------------------------------------------------------------------------------------------
// Descent

static inline WfMask apart(const WfSpan* a, const WfSpan* b, WfQuad none) {
    WfQuad gap = wf_quad_add(wf_quad_load(a->high), wf_quad_load(b->minus_low));
    WfQuad closing = wf_quad_add(wf_quad_load(a->most), wf_quad_load(b->minus_least));
    return wf_quad_above(none, wf_quad_add(gap, wf_quad_max(closing, none)));
}

static inline int overlap(const WfSpan* a, const WfSpan* b) {
    WfQuad none = wf_quad_set(0);
    return wf_mask_bits(wf_mask_or(apart(a, b, none), apart(b, a, none))) == 0;
}

// What has come to the lists since they were last sifted, where it is some.
static void sift_all(WfPairs* out, int least) {
    for (WfPairKind kind = WF_POINTS; kind <= WF_EDGES; kind++) {
        WfPairList* list = wf_list_of(out, kind);
        int fresh = list->count - list->sifted;
        if (fresh < least) continue;
        out->found += fresh;
        if (out->sift) wf_sift(out->sift, kind, list, list->sifted);
        list->sifted = list->count;
    }
}

static bool is_full(const WfPairs* out) {
    long most = (long)out->most_points + out->most_edges;
    return (out->most_points > 0 &&
            (out->points.sifted > out->most_points || out->corners.sifted > out->most_points)) ||
           (out->most_edges > 0 && out->edges.sifted > out->most_edges) ||
           (most > 0 && out->found > MOST_LOOKS * most);
}

static void begin(WfPairs* out) {
    WfPairList* lists[3] = {&out->points, &out->corners, &out->edges};
    for (int k = 0; k < 3; k++) lists[k]->sifted = lists[k]->count;
    out->found = 0;
    out->full = false;
}

// A search, as its parts see it.
typedef struct Search {
    const WfTree *first, *second;
    bool self, piercing;
    WfPairs* out;
    const int* again;  // tasks that are to be done
} Search;

// Whether what is in the two nodes may have drifted apart, or together, by more than the search
// leaves out.
static inline bool drift_apart(const Search* s, int i, int j) {
    double most = s->out->drift;
    if (!(most > 0)) return true;
    const WfDrift *a = &s->first->drifts[i], *b = &s->second->drifts[j];
    double square = 0;
    for (int k = 0; k < 3; k++) {
        float up = a->most[k] + b->minus_least[k], down = b->most[k] + a->minus_least[k];
        double far = (double)(up > down ? up : down);
        square += far * far;
    }
    return square > most * most;
}

// Whether nothing in the two nodes of a surface can meet, since the surface is flat there.
static bool is_flat(const Search* s, int i, int j) {
    const WfRect *a = &s->first->rects[i], *b = &s->first->rects[j];
    WfRect both = *a;
    for (int d = 0; d < 2; d++) {
        both.low[d] = b->low[d] < both.low[d] ? b->low[d] : both.low[d];
        both.high[d] = b->high[d] > both.high[d] ? b->high[d] : both.high[d];
    }
    return wf_is_flat(s->out->flat, &both, s->out->apart, s->out->apart_points);
}

static bool are_leaves(const Search* s, WfPair pair) {
    return s->first->child[pair.a] < 0 && s->second->child[pair.b] < 0;
}

// Pairs of the children of each, or of itself where it is a leaf, that may meet; of a node with
// itself each pair once. Returns how many.
static inline int open_pair(const Search* s, WfPair pair, WfPair children[4]) {
    const WfTree *first = s->first, *second = s->second;
    int a = first->child[pair.a], b = second->child[pair.b], count = 0;
    bool one = s->self && pair.a == pair.b;
    int a0 = a < 0 ? pair.a : a, a1 = a < 0 ? pair.a : a + 1;
    int b0 = b < 0 ? pair.b : b, b1 = b < 0 ? pair.b : b + 1;
    for (int i = a0; i <= a1; i++) {
        for (int j = one ? i : b0; j <= b1; j++) {
            children[count] = (WfPair){i, j};
            bool meets = overlap(&first->boxes[i], &second->boxes[j]) &
                         (first->fresh[i] | second->fresh[j]) & drift_apart(s, i, j);
            if (meets && s->out->flat) meets = !is_flat(s, i, j);
            count += meets;
        }
    }
    return count;
}

// Stops where room is lacking, or after so many meetings, and goes on from there when called again.
static void descend(const Search* s, Stack* stack, WfPairs* out) {
    while (stack->depth > 0 && stack->meetings > 0) {
        WfPair pair = stack->pending[--stack->depth];
        if (!are_leaves(s, pair)) {
            stack->depth += open_pair(s, pair, stack->pending + stack->depth);
            continue;
        }
        stack->meetings--;
        WfMeeting m = wf_meeting_of(s->first, pair.a, s->second, pair.b);
        if (s->self)
            wf_meet_itself(s->first, &m, s->piercing, out);
        else
            wf_meet(s->first, s->second, &m, s->piercing, out);
        if (out->failed) {
            stack->depth++;  // it is still there
            stack->meetings++;
            return;
        }
        sift_all(out, SIFTED);
        out->full = is_full(out);
        if (out->full) return;
    }
    sift_all(out, 1);
}

// ---------------------------------------------------------------------------------------------
// Tasks. What they find is put together in their order; lists are sorted later on in any case.

// Pairs of nodes, level by level, as long as they are few.
static int list_tasks(const Search* s, WfPair tasks[MOST_TASKS]) {
    int leaves = s->first->leaf_count + s->second->leaf_count, most = leaves / TASK_LEAVES;
    if (most > FIRST_TASKS) most = FIRST_TASKS;
    WfPair next[MOST_TASKS];
    int count = 1;
    bool more = true;
    tasks[0] = (WfPair){0, 0};
    while (more && 4 * count <= most) {
        int opened = 0;
        more = false;
        for (int t = 0; t < count; t++) {
            bool closed = are_leaves(s, tasks[t]);
            if (closed) next[opened++] = tasks[t];
            if (!closed) opened += open_pair(s, tasks[t], next + opened);
            more = more || !closed;
        }
        memcpy(tasks, next, (size_t)opened * sizeof *tasks);
        count = opened;
    }
    return count;
}

static void do_task(void* context, int index) {
    const Search* s = context;
    WfPairTask* task = &s->out->tasks[s->again[index]];
    descend(s, &task->stack, &task->found);
}

// A task may take some times its share of a bound, so that all together have one, too, and which of
// them end early does not depend on threads.
static int share_of(int most, int count) {
    long share = TASK_SHARE * (long)most / count;
    return most == 0 ? 0 : share < TASK_SHARE ? TASK_SHARE : share > most ? most : (int)share;
}

// One of `count`, with nothing to do yet.
static void ready_task(WfPairs* out, WfPairTask* task, int count) {
    WfPairs* found = &task->found;
    task->stack.depth = 0;
    found->allocator = out->allocator;
    found->sift = out->sift;
    found->drift = out->drift;
    found->most_points = share_of(out->most_points, count);
    found->most_edges = share_of(out->most_edges, count);
    found->fixed = true;
    wf_pairs_clear(found);
    begin(found);
}

// Between searches and between their rounds.
static bool make_task_room(WfPairs* out, int count) {
    if (count <= out->task_room) return true;
    int room = 2 * count < FEW_TASKS ? FEW_TASKS : 2 * count;
    if (room > MOST_TASKS) room = MOST_TASKS;
    WfPairTask* more = wf_alloc(&out->allocator, (size_t)room, sizeof *more);
    if (!more) return false;
    for (int t = 0; t < out->task_room; t++) more[t] = out->tasks[t];
    wf_free(&out->allocator, out->tasks);
    out->tasks = more;
    out->task_room = room;
    return true;
}

static bool ready_tasks(WfPairs* out, const WfPair* starts, int count) {
    if (!make_task_room(out, count)) return false;
    for (int t = 0; t < count; t++) {
        ready_task(out, &out->tasks[t], count);
        out->tasks[t].stack.pending[out->tasks[t].stack.depth++] = starts[t];
    }
    return true;
}

static void make_room_for(WfPairs* part, WfPairList* list, int count) {
    part->fixed = false;
    while (list->capacity < count + SIFTED + WF_MOST_FOUND && !part->failed)
        wf_pairs_grow(part, list);
    part->fixed = true;
}

// Room for four times as many as last time, so that a task hardly ever lacks some: others would
// wait for it.
static void make_ready(const Search* s, WfPairs* part) {
    bool again = part->failed;
    WfPairList* lists[3] = {&part->points, &part->edges, &part->corners};
    part->failed = false;
    for (int k = 0; k < (s->self ? 2 : 3); k++)
        make_room_for(part, lists[k], again ? 2 * lists[k]->capacity : 4 * lists[k]->count);
}

// Every second of those that wait: what waits longest is largest.
static void share_stack(Stack* from, Stack* to) {
    int kept = 0, depth = from->depth;
    for (int k = 0; k < depth; k++) {
        Stack* stack = k % 2 ? to : from;
        stack->pending[k % 2 ? to->depth++ : kept++] = from->pending[k];
    }
    from->depth = kept;
}

// Some tasks, each as far as it may go. Those that lack memory go on with more.
static void run_tasks(const Search* s, const int* which, int count) {
    int again[MOST_TASKS], left = count;
    Search some = *s;
    memcpy(again, which, (size_t)count * sizeof *again);
    some.again = again;
    while (left > 0 && !s->out->failed) {
        int failed = 0;
        wf_parallel_from(s->out->jobs, 2, left, do_task, &some);  // each is worth a thread
        for (int k = 0; k < left; k++) {
            WfPairs* found = &s->out->tasks[again[k]].found;
            if (found->failed) again[failed++] = again[k];
            make_ready(s, found);
            s->out->failed = s->out->failed || found->failed;
        }
        left = failed;
    }
}

// Those that take long share what is left with new ones. Returns how many there were.
static int do_tasks(const Search* s, int count) {
    int which[MOST_TASKS], left = count, first_count = count;
    for (int t = 0; t < count; t++) which[t] = t;
    while (left > 0 && !s->out->failed) {
        int unfinished = 0;
        WfPairTask* tasks = s->out->tasks;
        for (int k = 0; k < left; k++) tasks[which[k]].stack.meetings = MEETINGS;
        run_tasks(s, which, left);
        for (int k = 0; k < left; k++)
            if (tasks[which[k]].stack.depth > 0 && !tasks[which[k]].found.full)
                which[unfinished++] = which[k];
        left = unfinished;
        int wanted = count + unfinished < MOST_TASKS ? count + unfinished : MOST_TASKS;
        if (unfinished > 0 && !make_task_room(s->out, wanted)) s->out->failed = true;
        tasks = s->out->tasks;
        for (int k = 0; k < unfinished && count < MOST_TASKS && !s->out->failed; k++) {
            Stack* stack = &tasks[which[k]].stack;
            if (stack->depth < 2) continue;
            ready_task(s->out, &tasks[count], first_count);
            share_stack(stack, &tasks[count].stack);
            which[left++] = count++;
        }
    }
    return count;
}

static void join_part(const Search* s, int t) {
    WfPairs *out = s->out, *part = &out->tasks[t].found;
    wf_pairs_add(out, part);
    out->found += part->found;
    out->full = out->full || part->full;
}

static void search(const WfTree* first, const WfTree* second, bool piercing, WfPairs* out) {
    WfPair tasks[MOST_TASKS];
    Search s = {first, second, first == second, piercing, out, NULL};
    begin(out);
    if (first->node_count == 0 || second->node_count == 0) return;
    if (!overlap(first->boxes, second->boxes)) return;
    int count = list_tasks(&s, tasks);
    if (count < 2) {
        Stack all = {.depth = 1, .meetings = INT_MAX};
        descend(&s, &all, out);
        return;
    }
    if (!ready_tasks(out, tasks, count)) {
        out->failed = true;
        return;
    }
    count = do_tasks(&s, count);
    for (int t = 0; t < count && !out->failed; t++) join_part(&s, t);
    out->full = out->full || is_full(out);
}

static void find(const WfTree* first, const WfTree* second, bool piercing, WfPairs* pairs) {
    wf_pairs_clear(pairs);
    search(first, second, piercing, pairs);
}

void wf_pairs_self(const WfTree* tree, WfPairs* pairs) { find(tree, tree, false, pairs); }

void wf_pairs_between(const WfTree* first, const WfTree* second, WfPairs* pairs) {
    find(first, second, false, pairs);
}

void wf_pairs_pierce_self(const WfTree* tree, WfPairs* pairs) { find(tree, tree, true, pairs); }

void wf_pairs_pierce_between(const WfTree* first, const WfTree* second, WfPairs* pairs) {
    find(first, second, true, pairs);
}

// ---------------------------------------------------------------------------------------------
// Lists that are renewed in part

static void renew(const WfTree* first, const WfTree* second, const unsigned char* marks,
                  WfPairs* pairs) {
    const WfSurface *a = first->surface, *b = second->surface;
    const unsigned char* others = first == second ? marks : NULL;
    wf_pairs_keep(pairs, a, b, marks, others, false);
    search(first, second, false, pairs);
    wf_pairs_keep(pairs, a, b, marks, others, true);
}

void wf_pairs_renew_self(const WfTree* tree, const unsigned char* marks, WfPairs* pairs) {
    renew(tree, tree, marks, pairs);
}

void wf_pairs_renew_between(const WfTree* first, const WfTree* second, const unsigned char* marks,
                            WfPairs* pairs) {
    renew(first, second, marks, pairs);
}
