// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Position-based dynamics with compliant constraints and small steps (XPBD): what a game programmer
// would take instead. Distances, bending, air, bodies with friction; no contact of cloth with
// cloth.

#ifndef WEFT_BENCH_XPBD_H
#define WEFT_BENCH_XPBD_H

#include "net.h"

typedef enum XpbdShape {
    XPBD_PLANE,    // all below y = 0 of its frame
    XPBD_CAPSULE,  // along the y axis of its frame; without a length, a ball
    XPBD_BOX,      // about the origin of its frame
} XpbdShape;

// A place and three axes, which are the columns of a rotation.
typedef struct XpbdFrame {
    double place[3], axes[9];
} XpbdFrame;

// What cloth is kept out of. It goes evenly from one frame to the other in a step.
typedef struct XpbdBody {
    XpbdShape shape;
    double radius, length;  // m, of capsules: the length between the centres of its ends
    double size[3];         // m, of the sides of boxes
    double friction;        // coefficient; a pair takes the geometric mean of both
    XpbdFrame from, to;
} XpbdBody;

// Air that slows triangles down by |w|, across and along them; w is how fast it passes.
typedef struct XpbdAir {
    const int* triangles;  // 3 vertices each; read while XPBD is made
    int triangle_count;    // 0: none
    // Per triangle, read likewise, or NULL: those below, of all.
    const double *drags, *frictions, *densities;
    double drag, friction;  // half of the density of the air times their coefficients
    double density;         // kg/m^2, of the cloth
} XpbdAir;

typedef struct XpbdDef {
    double dt;            // s, of a step
    int substeps;         // each with one iteration over all constraints
    double relaxation;    // what corrections are multiplied by; 1 as published
    double gravity[3];    // m/s^2
    double mass_damping;  // 1/s
    double thickness;     // m, kept from bodies
    double friction;      // coefficient of the cloth
    XpbdAir air;
    int body_count;  // set_xpbd_bodies says what they are
    bool bends;      // else the hinges of the net are left out
    // Positions count from where vertices are at the start of a step, which costs 8 %. Always so
    // with more than 32 substeps.
    bool precise;
} XpbdDef;

// Steps of 1/60 s, relaxation 1, gravity along -y, no bodies, no air, no bending.
XpbdDef default_xpbd_def(int substeps);

typedef struct Xpbd Xpbd;

// The springs, hinges and pins of a net, at rest in its positions. NULL for lack of memory.
Xpbd* create_xpbd(const Net* net, const XpbdDef* def);
void destroy_xpbd(Xpbd* xpbd);

// Start from here, 3 numbers per vertex; velocities NULL: at rest.
void place_xpbd(Xpbd* xpbd, const double* positions, const double* velocities);
// Of the steps from now on. Costs about one substep where it changes anything.
void set_xpbd_length(Xpbd* xpbd, double dt, int substeps);
void set_xpbd_gravity(Xpbd* xpbd, const double gravity[3]);
// Which vertices are held, and how far each of them goes in the next step, 3 numbers for every
// vertex; NULL: they stay. What is let go keeps its velocity.
void set_xpbd_pins(Xpbd* xpbd, const bool* pinned, const double* ways);
// Where the air goes, m/s: 3 numbers for every vertex; NULL: it is at rest, which it is at first.
void set_xpbd_wind(Xpbd* xpbd, const double* winds);
// As many as the def says.
void set_xpbd_bodies(Xpbd* xpbd, const XpbdBody* bodies);
// Thickness and coefficient of friction per vertex, in place of those of the def.
void set_xpbd_surface(Xpbd* xpbd, const double* thicknesses, const double* frictions);

// A point, up to three vertices by weights that sum up to 1, that a spring without length pulls to
// a place.
enum { MAX_XPBD_PULLS = 64 };
typedef struct XpbdPull {
    int vertices[3];  // -1: no more
    double weights[3], place[3];
    double stiffness, most;  // N/m; N, the force that it gives at
} XpbdPull;
// In place of those before.
void set_xpbd_pulls(Xpbd* xpbd, int count, const XpbdPull* pulls);

void take_xpbd_step(Xpbd* xpbd);
// As they are now, 3 numbers per vertex; `velocities` may be NULL.
void read_xpbd(const Xpbd* xpbd, double* positions, double* velocities);

// Bodies at rest, of a coefficient of friction.
XpbdBody xpbd_ball(const double centre[3], double radius, double friction);
XpbdBody xpbd_half_space(const double point[3], const double normal[3], double friction);

#endif
