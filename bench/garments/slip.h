// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How far a garment slides on the body that wears it.

#ifndef WEFT_BENCH_GARMENTS_SLIP_H
#define WEFT_BENCH_GARMENTS_SLIP_H

#include "fitting.h"

// Where vertices of a garment were on the body when it was put on: those of the sides that keep it
// up, by their labels; where there are none, the 50 that are nearest to the body.
typedef struct Marks {
    int count;
    WeftBodyPoint* points;
    bool at_waist;
} Marks;

typedef struct Slip {
    double distance;  // m, the mean: straight from where a mark was on the body to where it is
    double drop;      // m, the mean of how far they have come down
    bool off;         // it dropped by more than 0.1 m, or its waist is below the hips
} Slip;

void set_marks(const Fitting* fitting, Marks* marks);
void destroy_marks(Marks* marks);
// With the body as it is now.
Slip measure_slip(const Fitting* fitting, const Marks* marks);

#endif
