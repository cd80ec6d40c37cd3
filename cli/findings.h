// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// All that the independent checker finds in surfaces: what crosses, and what is inside of bodies.

#ifndef WEFT_CLI_FINDINGS_H
#define WEFT_CLI_FINDINGS_H

#include "weft/weft_io.h"

// Zero at first. The lists are overwritten by the next search, and grow as they must.
typedef struct Findings {
    int crossing_count, crossing_room;
    WeftCrossing* crossings;
    int place_count, place_room;
    WeftInside* places;  // pairs of cloth and body
} Findings;

WeftResult find_crossings(Findings* findings, const WeftSurface* surfaces, int count,
                          WeftError* error);
// `planes`: those of the surfaces that are.
WeftResult find_inside(Findings* findings, const WeftSurface* surfaces, int count,
                       const bool* planes, WeftError* error);
void free_findings(Findings* findings);
// Tell what went wrong. Returns the exit code.
int fail_findings(const WeftError* error);

#endif
