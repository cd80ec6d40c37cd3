// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns: what their readers, their repair and sewing share.

#ifndef WF_GARMENT_PATTERN_H
#define WF_GARMENT_PATTERN_H

#include "base/error.h"
#include "base/vec.h"
#include "weft/weft_garment.h"

// Add a line to the findings; NULL hears nothing. Fails only for lack of memory.
WeftResult wf_find(WeftFindings* findings, WeftError* error, const char* format, ...)
    WF_PRINTF(3, 4);

// What in names and labels says where a panel goes: "sleeve"; NULL past the end.
const char* wf_place_word(int index);

// The fabric as a mesh with edges of that length can show it.
WeftFabric wf_shown_fabric(const WeftFabric* fabric, double edge);

// "side 1 of panel "front" and side "left" of panel "back"": the first sides of both chains.
enum { WF_SEAM_TEXT = 2 * WEFT_SIDE_TEXT + 8 };
void wf_seam_text(const WeftPattern* pattern, const WeftSeam* seam, char text[WF_SEAM_TEXT]);

// Where the point (u, v) of a panel is placed.
WfVec wf_panel_place(const WeftPanelPlace* place, double u, double v);
// Where a side of a panel begins.
const double* wf_side_start(const WeftPanel* panel, int side);
// Twice the area inside of a closed line, positive where it runs counter-clockwise. Sides are
// sampled, arcs and curves too.
double wf_loop_area(const WeftSide* sides, size_t stride, int count);

void wf_free_panel(const WeftAllocator* allocator, WeftPanel* panel);
void wf_free_seam(const WeftAllocator* allocator, WeftSeam* seam);

// How far apart the ends of a seam's chains are where their panels are placed: the sum of both
// distances where the seam brings together opposite ends, and the same ends. False where a panel
// has no place.
bool wf_seam_gaps(const WeftPattern* pattern, const WeftSeam* seam, double* opposite, double* same);
// Whether the panels' places show which ends belong together: one gap is less than half the other.
typedef enum WfSeamSign { WF_SEAM_OPEN, WF_SEAM_CLEARLY_OPPOSITE, WF_SEAM_CLEARLY_SAME } WfSeamSign;
WfSeamSign wf_seam_sign(const WeftPattern* pattern, const WeftSeam* seam);

#endif
