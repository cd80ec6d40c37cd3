// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth that is pressed in its plane wrinkles below the size of the mesh, and carries no more than
// a load P, N/m. With the strain e of the mesh, the stiffness C (elastic.h) and the strain w >= 0
// that wrinkles take up,
//
//     E = least over w >= 0 of 1/2 (e + w):C:(e + w) + P tr w
//     stress s = C (e + w), whose principal values are not below -P
//
// (tension field theory, with a load). E is convex in e and has the stress as its gradient. It is a
// cap on stress, not on strain: a strip that is pulled and gets narrower has no wrinkles. In one of
// three states
//
//     smooth       w = 0 where both principal stresses of C e are above -P
//     wrinkled     w = a n n^T, n a principal direction of s with the stress -P
//     slack        s = -P I: wrinkles in both directions
//
// With N = n n^T, g = N:C:e + P and m = N:C:N a wrinkle has a = -g/m and saves g^2/2m, and n is the
// direction in which it saves the most.

#ifndef WF_ENERGY_WRINKLE_H
#define WF_ENERGY_WRINKLE_H

#include "material/elastic.h"

typedef struct WfWrinkle {
    int count;         // of directions that are wrinkled: 0, 1 or 2
    double twice[2];   // cosine and sine of twice the angle of the first one to the warp
    double amount[2];  // strain that wrinkles take up: the first one, and across it
    double turning;    // of one: 1/T of wrinkle.c
    double strain[3];  // w: uu, vv, uv
    double stress[3];  // s: uu, vv, uv
    double energy;     // N/m
} WfWrinkle;

// The state of cloth with the strain e_uu, e_vv, e_uv. A load of 0 is none at all; C must be
// positive.
WfWrinkle wf_wrinkle(const WfElastic* C, double load, const double strain[3]);

// ds/de between (uu, vv, uv) and (uu, vv, 2 uv), the upper half row by row. Not exact, it is
// positive and has no jumps: a wrinkle takes its direction out of C bit by bit, all of it from a
// fifth on (as the smoothed Jacobian of fibres does), and its turning is left out.
void wf_wrinkle_stiffness(const WfElastic* C, const WfWrinkle*, bool exact, double D[6]);

#endif
