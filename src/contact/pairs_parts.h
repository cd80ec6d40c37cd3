// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a search for pairs is made of: lists that grow, and leaves that meet.

#ifndef WF_CONTACT_PAIRS_PARTS_H
#define WF_CONTACT_PAIRS_PARTS_H

#include "contact/pairs.h"

enum {
    WF_MOST_OWNED = 3 * WF_LANES,                       // vertices or edges of a leaf
    WF_MOST_FOUND = WF_MOST_OWNED * WF_MOST_OWNED + 1,  // pairs of two leaves; and what is written
                                                        // last
};

// Twice the room; `failed` where there is none.
void wf_pairs_grow(WfPairs* pairs, WfPairList* list);
// Of the pairs of each list those of which a vertex is marked, from the first fresh one on, or
// those of which none is; what comes behind them is then fresh.
void wf_pairs_keep(WfPairs* pairs, const WfSurface* a, const WfSurface* b,
                   const unsigned char* first, const unsigned char* second, bool marked);

// Two leaves as they meet: how far each may move up against the other, along each axis. (Of whole
// leaves: what lies as near together moves alike.)
typedef struct WfMeeting {
    const WfLeaf *a, *b;
    float up[3], down[3];  // of a against b, of b against a
} WfMeeting;

WfMeeting wf_meeting_of(const WfTree* first, int node, const WfTree* second, int other);
// Two leaves of one surface, or one with itself; of two surfaces.
void wf_meet_itself(const WfTree* tree, const WfMeeting* m, bool piercing, WfPairs* out);
void wf_meet(const WfTree* first, const WfTree* second, const WfMeeting* m, bool piercing,
             WfPairs* out);

#endif
