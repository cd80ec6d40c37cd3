// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The stretch limit and tethers: what a solve has made too long is shortened, whatever the method.
//
// Positions where no edge is longer than allowed, and every vertex within reach of its pins, are a
// convex set C: balls for the difference of two vertices. Positions outside are moved into it by
// projections, edge after edge and by the masses of the ends,
//
//     x_a += w_a (1 - l/|d|)/(w_a + w_b) d,    x_b -= w_b (1 - l/|d|)/(w_a + w_b) d,
//     d = x_b - x_a,  w = 1/m, pinned: 0
//
// each of which brings x closer to every point of C in the norm of the masses. The positions before
// the step are such a point, and v' = (x' - x)/h: the kinetic energy does not grow by it, and
// momentum goes to pins only. What it does not know is that cloth resists being squeezed: stretch
// energy may rise by what edges across the pull are pressed, and the next solve takes it out.
//
// - Sweeps are slow where much cloth hangs by few edges. A square of 65 x 65 vertices hung by two
//   corners needs thousands of them in a step; with Nesterov's momentum (x goes on by a part of its
//   last move before the next sweep, and begins anew when the sweep turns it back) 10 to 250, forth
//   and back, and a sail of 6,000 vertices more than there was patience for. Over-relaxation,
//   sweeps from the pins outwards, multipliers (Dykstra) with or without a warm start, heavier
//   vertices near pins were no better, or unstable.
// - So sweeps take turns with conjugate gradients on the squares of what is too long (excess.h),
//   with the constant matrix A of the step as preconditioner: one solve carries the pull of an edge
//   to all of the cloth, by its stiffness. Two to five turns are enough, for any number of
//   vertices. Steps without such a matrix have the masses in its place, and more sweeps.
// - Few edges are too long. Sweeps go over those that are, or nearly; all are looked through when
//   vertices have moved so far that others may have become so.
// - Contacts of the substep are half-spaces, convex as well: what is shortened does not come deeper
//   into a body or a layer than the solve left it. Lines from a vertex to what is no cloth are
//   balls about their ends: they come behind each sweep, as what it makes too long of them the
//   edges have to give back.
// - Where pins are pulled apart, or contact holds on, C is empty, and sweeps would leave all excess
//   to the edges at the pins. The limit is then eased, at the edges that are left too long and less
//   and less around them, until C is not empty. An edge that was too long before the step may stay
//   so, but for 2 %: the stretch spreads evenly to what lies between the pins, the rest of the
//   cloth keeps its limit, and all falls back when the pins do.
//
// BDF2 looks back further than one step, and makes a rebound of a sudden stop: after x(n) = x(n-1)
// + h v and x' = x(n) it has v' = -v/2, then -v, -7/6 v. So along its pull (x' less what the solve
// left) a vertex gets the mean velocity of the step, and a history of just that; across, where the
// limit did nothing, both stay as they are. Predictions look back as far, whatever the order: the
// same history keeps them from repeating the pull.

#ifndef WF_METHOD_LIMIT_H
#define WF_METHOD_LIMIT_H

#include "mesh/way.h"
#include "method/step.h"

typedef struct WfTether {
    int vertex, pin;
    bool image;  // it ends at the image of the pin in the mirror
    double reach;
} WfTether;

// Where ways to pins are measured: in the cloth, or in the whole of which it is a half.
typedef struct WfTetherMesh {
    WfWayMesh mesh;
    WfPlane mirror;
    const int* rows;           // per vertex of the mesh: that of the half; NULL: the same
    const signed char* sides;  // likewise: below 0, it is the image of that
    const int* vertices;       // per vertex of the half: that of the mesh
} WfTetherMesh;

typedef struct WfLimit {
    int edge_count;   // that have a limit
    int* edges;       // 2 per edge
    double* longest;  // how long each may get
    double shortest;  // of all, at rest
    int tether_count;
    WfTether* tethers;  // those of a vertex one after the other
    WfPlane mirror;     // of images that tethers end at
} WfLimit;

// Scratch of a state; empty where the model has no limit.
typedef struct WfLimitWork {
    double* solved;         // positions as the solve left them
    double *before, *from;  // the last but one iterate; where a sweep began
    unsigned char* held;    // vertices that are pinned, or as good as that
    double* weights;        // 1/m, 0 where held
    double* ease;           // per vertex: how much longer its edges may be than allowed, 1 or more
    double* allowed;        // per edge, m: its longest, eased; endless between two pins
    double *gradient, *pull, *path;  // of excess.h
    int* list;                       // edges that are too long, or nearly
    int moving_count, *moving;
    unsigned char* moves;  // vertices that such edges have, as a list and as marks
    bool moved;            // whether anything was too long in this substep
} WfLimitWork;

// Refuses limits that make no sense.
WeftResult wf_check_limit(const WeftClothDef* cloth, WeftError* error);
// The limits of all cloths, whose edges and triangles `mesh` has. Cloth c has the vertices from
// first_vertex[c] on.
WeftResult wf_limit_create(const WeftAllocator* allocator, const WfWayMesh* mesh,
                           const WfTetherMesh* whole, const WeftClothDef* cloths, int cloth_count,
                           const int* first_vertex, WfLimit* limit);
void wf_limit_destroy(const WeftAllocator* allocator, WfLimit* limit);
void wf_limit_layout(const WfLimit* limit, int vertex_count, WfArena* arena, WfLimitWork* work);

// Shorten what is too long in the positions that the solve left in step->work->x. Returns how many
// edges were.
int wf_limit_apply(const WfLimit* limit, const WfStep* step, WfLimitWork* work);
// Edges that are too long at x, pins or not, into the report.
void wf_limit_report(const WfLimit* limit, const double* x, WeftStepReport* report);
// After the update, which made x' x and x(n) x1: velocities and history of what was pulled.
void wf_limit_settle(const WfLimit* limit, const WfLimitWork* work, const WfStep* step, double* v,
                     double* v1, double* x2);

#endif
