// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One making of a mirrored pattern, and the stages that have files of their own.

#ifndef WF_GARMENT_MIRROR_HALVING_H
#define WF_GARMENT_MIRROR_HALVING_H

#include "garment/mirror.h"

// What becomes of a side: one or two new ones, in the order in which it runs.
typedef struct WfPiece {
    int count;
    WeftSideName names[2];
} WfPiece;

typedef struct WfHalving {
    const WeftPattern* from;
    WeftPattern to;
    WeftAllocator memory;
    WfMirrorPairs pairs;
    int* first_side;  // per panel: of `pieces`
    WfPiece* pieces;  // per side
    int* partners;    // per seam: its image, which may be itself; -1: none
    WeftFindings* findings;
    WeftError* error;
} WfHalving;

static inline WfPiece* wf_piece_of(const WfHalving* h, WeftSideName name) {
    return &h->pieces[h->first_side[name.panel] + name.side];
}
static inline bool wf_is_side(WeftSideName a, WeftSideName b) {
    return a.panel == b.panel && a.side == b.side;
}
// Of a side of the old pattern.
WeftSideName wf_paired_side(const WfHalving* h, WeftSideName name);

// mirror_judge.c
// Find panels and seams that are images of each other. Refuses what is not symmetric.
WeftResult wf_judge_symmetry(WfHalving* h, double tolerance, WeftPatternSymmetry* symmetry);

// mirror_cut.c
WeftResult wf_halve_panels(WfHalving* h);

// mirror_seams.c
WeftResult wf_halve_seams(WfHalving* h);

#endif
