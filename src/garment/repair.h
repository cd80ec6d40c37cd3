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
    int* first;    // per panel: where its numbers begin
    int* numbers;  // per side: as it was numbered at first
    int* uses;     // per side: in how many seams it is
} WfRepair;

static inline int* wf_side_numbers(const WfRepair* r, int panel) {
    return r->numbers + r->first[panel];
}
static inline int wf_side_number(const WfRepair* r, WeftSideName name) {
    return wf_side_numbers(r, name.panel)[name.side];
}
static inline const char* wf_side_panel(const WfRepair* r, WeftSideName name) {
    return r->pattern->panels[name.panel].name;
}

static inline bool wf_same_side(WeftSideName a, WeftSideName b) {
    return a.panel == b.panel && a.side == b.side;
}

void wf_drop_seam(WfRepair* r, int index);

// repair_sides.c
// Drop what nobody would see of a panel, and refuse what cannot be cut.
WeftResult wf_mend_panel(WfRepair* r, int panel);

// repair_outline.c
// Refuse an outline, or holes, that touch or cross themselves or each other, or have no area.
// `number` has the number of each side for messages.
WeftResult wf_check_panel_outline(const WeftAllocator* allocator, const WeftPanel* panel,
                                  const int* number, WeftError* error);

// repair_turn.c
// Turn panels over until fronts go on as fronts along seams.
WeftResult wf_turn_panels(WeftPattern* pattern, WeftFindings* findings, WeftError* error);

#endif
