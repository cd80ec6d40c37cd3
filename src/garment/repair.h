// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One repair of a pattern, and the stages that have files of their own.

#ifndef WF_GARMENT_REPAIR_H
#define WF_GARMENT_REPAIR_H

#include "garment/pattern.h"

typedef struct WfRepair {
    WeftPattern* pattern;
    WeftAllocator memory;
    WeftFindings* findings;
    WeftError* error;
    int* first;  // per panel: where its sides begin in
    int* uses;   // per side: in how many seams it is
} WfRepair;

// As its file has it.
static inline int wf_side_number(const WfRepair* r, WeftSideName name) {
    return r->pattern->panels[name.panel].sides[name.side].number - 1;
}
static inline const char* wf_side_panel(const WfRepair* r, WeftSideName name) {
    return r->pattern->panels[name.panel].name;
}

static inline bool wf_same_side(WeftSideName a, WeftSideName b) {
    return a.panel == b.panel && a.side == b.side;
}

// One of its chains now runs the other way.
static inline void wf_turn_ends(WeftSeam* seam) {
    seam->turned = !seam->turned;
    if (seam->ends != WEFT_SEAM_AUTO)
        seam->ends = seam->ends == WEFT_SEAM_SAME ? WEFT_SEAM_OPPOSITE : WEFT_SEAM_SAME;
}

void wf_drop_seam(WfRepair* r, int index);

// repair_sides.c
// Drop what nobody would see of a panel, and refuse what cannot be cut.
WeftResult wf_mend_panel(WfRepair* r, int panel);

// repair_outline.c
// Refuse an outline, or holes, that touch or cross themselves or each other, or have no area.
WeftResult wf_check_panel_outline(const WeftAllocator* allocator, const WeftPanel* panel,
                                  WeftError* error);

// repair_turn.c
// Turn panels over until fronts go on as fronts along seams.
WeftResult wf_turn_panels(WeftPattern* pattern, WeftFindings* findings, WeftError* error);

#endif
