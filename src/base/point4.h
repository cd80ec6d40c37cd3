// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A place, or another vector, and a number that goes with it: 16 bytes, one load of four floats.

#ifndef WF_BASE_POINT4_H
#define WF_BASE_POINT4_H

enum { WF_OCT = 8 };  // as many are worked on at once (oct.h)

typedef struct WfPoint4 {
    float x, y, z, w;
} WfPoint4;

// fminf and fmaxf are calls of a library.
static inline float wf_lesser(float a, float b) { return a < b ? a : b; }
static inline float wf_larger(float a, float b) { return a > b ? a : b; }

#endif
