// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How far cloth was stretched in a run, and whether that is more than its fabric explains.

#ifndef WEFT_CLI_STRETCH_H
#define WEFT_CLI_STRETCH_H

#include "session.h"

// Length over rest length of the longest edge.
typedef struct Stretch {
    double start, most, end;  // before the first step, in any, after the last
    int step;                 // the first that had the most
} Stretch;

// Length over rest length that needs no excuse: while cloth moves, and at the end. Soft fabrics,
// which stretch by their own weight, and a large stretch tolerance have more.
typedef struct StretchLimits {
    double most, end;
} StretchLimits;

StretchLimits stretch_limits(const Session* session);
// Whether cloth was stretched further in a run than the limits, and than it was at the start.
bool is_overstretched(const Session* session, const Stretch* stretch);
// A line that says so, with what may help; nothing where it is not.
void print_overstretch(const Session* session, const Stretch* stretch);

#endif
