// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the parts of XPBD share: its arrays. Vertices are x, y, z, 0, so that four of them are
// loaded as they are, and only what is to be worked on is turned.

#ifndef WEFT_BENCH_XPBD_PARTS_H
#define WEFT_BENCH_XPBD_PARTS_H

#include "lanes.h"
#include "xpbd.h"

#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

enum { LANES = 4, STRIDE = 4 };  // STRIDE: numbers per vertex
enum { AIR_SUBSTEPS = 8 };       // that a force of the air lasts

// Four constraints that share no vertex.
typedef struct Group {
    int first[LANES], second[LANES];  // where their vertices begin in `moves`
    float lengths[LANES];
    float least[LANES];  // of l - L: beyond that a spring pushes no harder
    float damping[LANES];
    float first_parts[LANES], second_parts[LANES];  // w1/((1 + damping)(w1 + w2) + alpha)
} Group;

// The edges of a group, from first to second.
typedef struct Edges {
    float x[LANES][STRIDE];
} Edges;

// What a hinge adds to its four vertices is its vector times their parts.
typedef struct Bend {
    int at[LANES];
    float weights[LANES], parts[LANES];
    float damping;
    float unused[3];
} Bend;

// Four triangles, by where their corners begin in `moves`.
typedef struct Faces {
    int corners[3][LANES];
    float drags[LANES], frictions[LANES], most[LANES];
} Faces;

struct Xpbd {
    XpbdDef def;
    double h;
    int vertex_count;
    // per vertex, and some more for idle lanes: an origin, in double precision and rounded; how far
    // it is from there, now and a substep before
    double* origins;
    float *places, *moves, *previous;
    double* inverse_masses;  // of what is free; pins have 0
    double* free_inverse;    // of all
    bool* pinned;
    int *pins, pin_count;  // where they begin in `moves`
    float* pin_ways;       // per pin: how far it goes in a substep
    bool moves_origins;    // to where vertices are at the start of a step; else they stay at zero
    // springs and hinges as the net has them, in the order in which they are taken
    Spring* springs;
    int *spring_places, spring_count;  // LANES group + lane
    Group* groups;
    Edges* edges;  // between the origins
    int group_count;
    bool is_damped, gives;  // any of the springs
    Hinge* hinges;
    Bend* bends;
    float* bend_origins;  // their vectors at the origins
    int bend_count;
    bool bends_damped;
    // with air: triangles; per vertex h^2/mass, 0 of pins, how far it falls in a substep, and how
    // far the wind goes in it
    Faces* faces;
    double* face_densities;
    int face_count;
    float *mobilities, *falls, *winds;
    XpbdPull pulls[MAX_XPBD_PULLS];
    int pull_count;
    // with bodies: per vertex what it keeps, and the square root of its coefficient of friction
    XpbdBody* bodies;
    float *thicknesses, *frictions;
};

static inline int round_up(int count) { return (count + LANES - 1) / LANES * LANES; }
static inline int all_vertices(const Xpbd* xpbd) {
    return round_up(xpbd->vertex_count) + 2 * LANES;
}

static inline Lanes lanes_dot(const Lanes* a, const Lanes* b) {
    return lanes_add(lanes_add(lanes_mul(a[0], b[0]), lanes_mul(a[1], b[1])),
                     lanes_mul(a[2], b[2]));
}

// Zeroed and aligned to what is loaded at once; NULL for lack of memory.
float* make_floats(size_t count);
void free_floats(void* numbers);

// xpbd_project.c: constraints. False for lack of memory.
bool make_constraints(Xpbd* xpbd, const Net* net);
void free_constraints(Xpbd* xpbd);
void fit_constraints(Xpbd* xpbd);  // to h and pins
void set_rest_origins(Xpbd* xpbd);
void project(Xpbd* xpbd);

// xpbd_air.c
bool make_air(Xpbd* xpbd);
void free_air(Xpbd* xpbd);
void fit_air(Xpbd* xpbd);
void blow(Xpbd* xpbd);
Lanes free_fall(const Xpbd* xpbd);  // h^2 g

// xpbd_contact.c: out of all bodies, in a substep.
bool make_contact(Xpbd* xpbd);
void free_contact(Xpbd* xpbd);
void keep_out(Xpbd* xpbd, int substep);

#endif
