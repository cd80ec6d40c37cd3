// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Position-based dynamics with compliant constraints and small steps: what a game programmer would
// take instead.

#ifndef WEFT_BENCH_XPBD_H
#define WEFT_BENCH_XPBD_H

#include "net.h"

// What cloth is kept out of: a ball, or where `radius` is 0 the half-space behind a plane.
typedef struct XpbdBody {
    double centre[3];  // or a point of the plane
    double radius;     // m
    double normal[3];  // of the plane, of length 1
} XpbdBody;

enum { MAX_XPBD_BODIES = 4 };

// Air at rest, that slows triangles down by |w|, across and along them.
typedef struct XpbdAir {
    const int* triangles;   // 3 vertices each; read while XPBD is made
    int triangle_count;     // 0: none
    double drag, friction;  // half of the density of the air times their coefficients
    double density;         // kg/m^2, of the cloth
} XpbdAir;

typedef struct XpbdDef {
    double dt;          // s, of a step
    int substeps;       // each with one iteration over all constraints
    double relaxation;  // what corrections are multiplied by; 1 as published
    double gravity[3];  // m/s^2
    double thickness;   // m, kept from bodies
    double friction;    // Coulomb's coefficient at bodies
    XpbdAir air;
    XpbdBody bodies[MAX_XPBD_BODIES];
    int body_count;
} XpbdDef;

// Steps of 1/60 s, relaxation 1, gravity along -y, no bodies, no air.
XpbdDef default_xpbd_def(int substeps);

typedef struct Xpbd Xpbd;

// The springs and pins of a net, at rest in its positions; its hinges are left out. NULL for lack
// of memory.
Xpbd* create_xpbd(const Net* net, const XpbdDef* def);
void destroy_xpbd(Xpbd* xpbd);
// At rest in other positions, 3 numbers per vertex; pins are held there.
void place_xpbd(Xpbd* xpbd, const double* positions);
void take_xpbd_step(Xpbd* xpbd);
// As they are now, 3 numbers per vertex; `velocities` may be NULL.
void read_xpbd(const Xpbd* xpbd, double* positions, double* velocities);

#endif
