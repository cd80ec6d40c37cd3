// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What boxes have found, without what surely stays apart: four or eight at once, in floats, and on
// the safe side. What is left of neighbours in a sheet is next to nothing. Those who make something
// of the pairs that stay look at them exactly.

#ifndef WF_CONTACT_SIFT_H
#define WF_CONTACT_SIFT_H

#include "contact/pairs.h"

// How near a pair is to come, at the start and at the end, and by how much its cloth may be
// elsewhere.
typedef struct WfNearness {
    double part, margin;  // of its thickness, and m
    double stray;         // m, along every axis
} WfNearness;

typedef struct WfBound {
    WfNearness start, end;
} WfBound;

// Of the thickness, where an edge joins the two features of a pair: cloth that is sheared has such
// pairs everywhere, side by side in its plane, and they would stop it from giving way. Of a sharp
// fold, the next rows hold each other apart by all of it.
#define WF_JOINED 0.5

// Two surfaces on their ways.
typedef struct WfSift {
    const WfTree *first, *second;
    WfBound points, edges;  // of a vertex and a triangle; of two edges
    double most;            // m: no pair keeps a larger thickness
    int cloths;             // of the two that stray: 1 or 2
    bool own;               // both are one surface: what an edge joins is held nearer
} WfSift;

// Of the pairs from `start` on those that may come as near as that.
void wf_sift(const WfSift* sift, WfPairKind kind, WfPairList* list, int start);
// Flags, one per pair of a list: none stays where the pair does not come as near.
void wf_sift_flags(const WfSift* sift, const WeftJobs* jobs, WfPairKind kind,
                   const WfPairList* list, unsigned char* flags);

// Both, for every machine and for some (sift_kernel.h), of the same bits.
typedef struct WfSiftKernel {
    void (*pairs)(const WfSift* sift, WfPairKind kind, WfPairList* list, int start);
    void (*flags)(const WfSift* sift, WfPairKind kind, const WfPair* pairs, int count,
                  unsigned char* flags);
} WfSiftKernel;

extern const WfSiftKernel wf_sift_plain;
const WfSiftKernel* wf_sift_wide(void);  // faster where the machine can

#endif
