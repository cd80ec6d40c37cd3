// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a response works on: the contacts of a substep, what it must know of the step, and scratch.
// A method fills it; nothing here knows of methods.

#ifndef WF_RESPOND_TOUCH_H
#define WF_RESPOND_TOUCH_H

#include "base/memory.h"
#include "base/pace.h"
#include "base/parallel.h"
#include "base/plane.h"
#include "contact/contact.h"
#include "contact/surface.h"
#include "energy/tie.h"

enum { WF_SECTION_SUMS = 4 };

// Pieces of cloth that touch each other, as one (groups.h).
typedef struct WfGroup {
    double mass;    // kg
    bool touches;   // there is a contact in it
    bool held;      // a pin, a leash or something that is crossed holds it where it is
    bool on_plane;  // a vertex of it stays in the plane of a mirror
    double sums[WF_SECTION_SUMS];  // of the last loop over sections
    double value[2];               // Q where it may begin

    // conjugate gradients
    bool goes;      // it is not done yet
    double rz;      // r.z of the last iteration
    double start;   // m: its largest correction at first
    double factor;  // of the next vector that is added to another

    // momentum
    WfVec shift;             // m, by which it would move,
    double part;             // 0 to 1, and how much of that it can
    const WfContact* worst;  // the contact that the shift would close most, or NULL,
    double depth;            // m, and how far
} WfGroup;

// Vertices from `first` to before `end`, of one group and one block.
typedef struct WfSection {
    int first, end, group;
} WfSection;

// What contacts leave to a vertex that they hold: nothing, or what is square to its normals.
typedef struct WfHold {
    int vertex, count;  // of normals; 3: nothing
    WfVec normals[2];   // of length 1, square to each other
} WfHold;

// The rows of swept vertices, packed (swept.h).
typedef struct WfSwept {
    int* places;        // 1 per vertex: which of the swept it is, -1: none
    int* block_start;   // 1 per swept vertex, and the end
    float* blocks;      // 9 per block: three columns
    int* block_slots;   // 4 times the place of its column
    int* scalar_start;  // likewise, where only linear terms join two vertices
    float* scalars;
    int* scalar_slots;
    int block_room, scalar_room;
    float* moved;      // 4 per swept vertex
    double* inverses;  // 1 per swept vertex: of its diagonal, layers included,
    int *first, *end;  // and its contacts of one vertex; first is negative: none
    int colour_count, *colour_start, *chunks;  // numbers of chunks, colour after colour
    int *colours, *marks;                      // of chunks, while colours are picked
} WfSwept;

void wf_swept_layout(int vertex_count, WfArena* arena, WfSwept* swept);

// Scratch of a state, every array with one meaning. 3 numbers per vertex unless said otherwise.
typedef struct WfTouchWork {
    double* u;          // the displacement from x(n), admissible at every moment
    double* right;      // b of the model
    double* diagonal;   // 1 per vertex: of H, isotropic, without layers
    double* trial;      // another displacement to begin with
    double* direction;  // d: where a round goes from u
    double* slope;      // b - H u with the friction of what slips, where the direction began
    double* hd;         // H d, with layers; where the residual is kept
    double* residual;   // b - H (u - moved), without layers; whatever at pins
    double* moved;      // of the vertices that are swept: how far, since then; zero elsewhere
    double *r, *z;      // a residual, and the same preconditioned
    double *p, *q;      // a direction of conjugate gradients; a product with H
    double* pull;       // of a sweep: what layers (and, without rows, H) have at its start
    double* layers;     // 1 per vertex: what layers add to the diagonal
    double* shares;     // 1 per vertex: the sum of the weights of all layers that may act
    int* links;         // 1 per vertex: another of its group, after a response (base/links.h)
    int* group;         // 1 per vertex: the number of its group
    WfGroup* groups;    // in the order of their first vertices
    int group_count;
    WfSection* sections;  // in order
    int* block_sections;  // the first section of each block of vertices, and the number of all
    double* partial;      // WF_SECTION_SUMS per section
    WfHold* holds;        // what contacts hold while conjugate gradients go on
    int hold_count;
    unsigned char* counted;   // 1 per vertex: its load is in the sum
    unsigned char* is_swept;  // 1 per vertex: sweeps go over it
    int *swept, swept_count;  // the vertices that sweeps go over
    unsigned char* is_near;   // 1 per vertex: it is swept, or beside such a vertex in H
    int *near, near_count;    // these
    WfSwept packed;
} WfTouchWork;

void wf_touch_layout(int vertex_count, WfArena* arena, WfTouchWork* work);

typedef struct WfTouch {
    int vertex_count;
    WfContacts* contacts;
    const double *masses, *thickness;  // per vertex; that between layers of cloth
    WfPlane mirror;                    // vertices that stay in its plane
    const WfSurface* cloth;
    const unsigned char* pinned;  // per vertex,
    int pin_count;
    const int* pins;          // and as a list
    const double *x, *v;      // x(n), v(n)
    double h;                 // length of the substep, s
    double margin;            // m, by which vertices may end elsewhere than contacts were found for
    double force_scale;       // gamma^2: by which a force is a part of H u - b
    double stiffness_number;  // beta = k h^2/m of a typical vertex
    double* loads;            // 4 per vertex: forces of contact in the last substep, then in this
    const WfTies* ties;       // or NULL
    WfVectors vectors;        // of 3 numbers per vertex
    const WeftClock* clock;
    WfPace* pace;
    WfTouchWork* work;
} WfTouch;

// Whether a contact is one with a body, with the sign of its cloth; 0: of cloth with cloth.
double wf_contact_side(const WfContact* contact);

// Zero at pinned vertices, and without what would leave the plane of a mirror.
void wf_touch_hold_pins(const WfTouch* touch, double* vector);

static inline bool wf_touch_has_layers(const WfTouch* touch) {
    return touch->contacts->count > touch->contacts->single_count;
}

#endif
