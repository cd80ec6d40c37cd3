// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pairs of features whose boxes overlap: what the narrow tests look at. In an order that depends on
// the trees alone, never on threads.

#ifndef WF_CONTACT_PAIRS_H
#define WF_CONTACT_PAIRS_H

#include "contact/tree.h"

typedef struct WfSift WfSift;  // sift.h
typedef struct WfFlat WfFlat;  // flat.h

typedef struct WfPair {
    int a, b;
} WfPair;

// A vertex and a triangle, a triangle and a vertex, two edges.
typedef enum WfPairKind { WF_POINTS, WF_CORNERS, WF_EDGES } WfPairKind;

typedef struct WfPairList {
    WfPair* pairs;
    int count, capacity;
    int fresh;   // the first that the last search has found; before it, what was kept
    int sifted;  // up to here it has gone through the sift
} WfPairList;

// Lists grow where a step finds more than any before; `failed` where memory for that was lacking.
typedef struct WfPairs {
    WfPairList points;   // a: vertex of the first surface, b: triangle of the second
    WfPairList corners;  // a: triangle of the first, b: vertex of the second; not of a self search
    WfPairList edges;    // a: edge of the first, b: edge of the second; of a self search a < b
    WfPairList near;     // scratch: those of a list that were picked
    WfPair* scratch;     // to sort with
    unsigned char* flags;  // scratch, per pair of a list
    int flag_capacity;
    int scratch_capacity;
    const WfSift* sift;  // while a search goes on: what is found goes through it; NULL: all stays
    const WfFlat* flat;  // parts of a surface that are known not to meet themselves; NULL: none,
    float apart, apart_points;  // m: nearer than this, and vertices to triangles that no edge joins
    double drift;  // m: only what drifts apart by more than this is looked for; 0: all is
    // Work has a bound: a search that keeps more than so many points (corners, edges), or that
    // looks at some times as many, ends early, `full`. Whether it does depends on the boxes alone,
    // what it has found by then on the tree. 0: no bound.
    int most_points, most_edges;
    long found;  // by boxes, in the last search
    bool full;
    bool failed;
    const WeftJobs* jobs;  // NULL: none
    // of a large search, with what each has found. A task may not ask for memory (the allocator
    // need not stand several threads); where it lacks some, it waits for more.
    struct WfPairTask* tasks;
    int task_room;
    bool fixed;
    WeftAllocator allocator;
} WfPairs;

void wf_pairs_destroy(WfPairs* pairs);
size_t wf_pairs_bytes(const WfPairs* pairs);
WfPairList* wf_list_of(WfPairs* pairs, WfPairKind kind);
void wf_pairs_clear(WfPairs* pairs);
// What is in both is in `pairs` twice then.
void wf_pairs_add(WfPairs* pairs, const WfPairs* more);

// Of a surface with itself: nothing that shares a vertex. Replaces what is in `pairs`. Lists go
// through pairs->sift, where there is one.
void wf_pairs_self(const WfTree* tree, WfPairs* pairs);
// Of two surfaces.
void wf_pairs_between(const WfTree* first, const WfTree* second, WfPairs* pairs);
// Only pairs of which a vertex of the first surface is marked are looked for, and replace those in
// `pairs`; the others stay. Both trees have to be marked.
void wf_pairs_renew_self(const WfTree* tree, const unsigned char* marks, WfPairs* pairs);
void wf_pairs_renew_between(const WfTree* first, const WfTree* second, const unsigned char* marks,
                            WfPairs* pairs);
// Room for a flag per pair of any list; false for lack of memory.
bool wf_pairs_reserve_flags(WfPairs* pairs, int count);
// Those of a list that have a flag, into pairs->near, by a, then by b, each once: the same for any
// tree. None where memory is lacking.
const WfPairList* wf_pairs_pick(WfPairs* pairs, const WfPairList* list);
// Order a list alike.
void wf_pairs_sort(WfPairs* pairs, WfPairList* list);
// The same with edges in the place of vertices: `points` then hold an edge and a triangle,
// `corners` a triangle and an edge; `edges` stay empty.
void wf_pairs_pierce_self(const WfTree* tree, WfPairs* pairs);
void wf_pairs_pierce_between(const WfTree* first, const WfTree* second, WfPairs* pairs);

#endif
