// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Terms in their local form: elements of a few vertices, each of which is brought to its own
// implicit step while all others stand still. A sweep does that once for every element, one after
// the other; small steps take one or two sweeps in each substep (small_steps.h).
//
// An element with the energy k/2 C(x)^2 and vertices of inverse masses w moves them by
//
//     x_a += w_a lambda dC/dx_a,    lambda = -C / (sum w_a |dC/dx_a|^2 + 1/(k h^2))
//
// which is its implicit Euler step, exact where C is linear in x (Macklin, Mueller, Chentanez 2016,
// and one sweep in each of many small steps: Macklin and others 2019). Where a substep takes
// several sweeps, each has its part of the stiffness, so that together they have all of it: nothing
// of the first needs to be kept for the second. (What is stiff goes all the way in each; an element
// alone is too stiff by an eighth at most, where k h^2 is half of 1/W, in two sweeps.)
//
// Elements of one colour have no vertex in common. They come in batches of eight, lane by lane; the
// colours are the order, whatever the number of threads. Lanes that are left over at the end of a
// colour belong to idle points, which stay where they are.

#ifndef WF_SMALL_STEPS_LOCAL_H
#define WF_SMALL_STEPS_LOCAL_H

#include "base/point4.h"
#include "energy/across.h"

enum { WF_MOST_LOCAL_VERTICES = 4, WF_IDLE_POINTS = WF_MOST_LOCAL_VERTICES * WF_OCT };

typedef struct WfLocal WfLocal;

typedef struct WfLocalJob {
    WfPoint4* x;             // positions, and inverse masses, 1/kg; then idle points
    const WfPoint4* before;  // where the substep began
    float h;                 // s
    int sweeps;              // of the substep
    const float* begun;      // numbers of the step, of all terms
} WfLocalJob;

// Batches of one colour, from first to before end.
typedef void WfLocalSweep(const WfLocal* local, const WfLocalJob* job, int first, int end);

struct WfLocal {
    const WfTerm* term;
    WfLocalSweep* sweep;
    int index;           // of the term, among all
    int arity, numbers;  // vertices and constants per element
    int begun;           // and numbers that it has for a step
    long begun_at;       // where those are, among those of all terms
    int element_count, batch_count, colour_count;
    int* colours;      // the first batch of each, and where the last one ends
    int* vertices;     // per batch: arity rows of eight
    int* elements;     // per batch: eight; -1: idle
    float* constants;  // per batch: rows of eight
    float zeta;        // s: damping over stiffness
    float give;        // strain by which it gives way where it is pressed; 0: never
    bool one_sided;    // it pulls and never pushes
    // Across a mirror its vertices are points of their own: copies and images of rows. count 0: not
    WfAcrossView across;
};

// The local form of a term; gives: per portion (sim/model.h). Its sweep is NULL where a term has
// none and acts as a force. WEFT_ERROR_MEMORY without memory.
WeftResult wf_local_create(const WeftAllocator* allocator, const WfTerm* term, int vertex_count,
                           const double* gives, WfLocal* local);
void wf_local_destroy(const WeftAllocator* allocator, WfLocal* local);
size_t wf_local_bytes(const WfLocal* local);
// Pulls between pairs (pull_sweep.h): 2 vertices each, and length, 1/k and mass.
typedef struct WfPulls {
    int count;
    int* vertices;
    float* numbers;
} WfPulls;
enum { WF_PULL_NUMBERS = 3 };
WeftResult wf_local_create_pulls(const WeftAllocator* allocator, const WfPulls* pulls,
                                 int vertex_count, WfLocal* local);
// As many numbers a step has of it, idle lanes among them.
long wf_local_begun_count(const WfLocal* local);
// A step begins at x: the numbers of its elements, in the places they have among those of all.
void wf_local_begin(const WfLocal* local, const WfTermSpace* space, const double* x, float* begun);
// Why a term has neither a local form nor a place among the forces: its name; NULL: it has.
const char* wf_local_refusal(const WfTerm* term);

// All batches, in the order of colours or against it.
void wf_local_run(const WfLocal* local, const WfLocalJob* job, bool backwards);
// The same of a term across a mirror, with as many points as scratch; job->x is relative to origin.
size_t wf_local_across_points(const WfLocal* local);
void wf_local_run_across(const WfLocal* local, const WfLocalJob* job, const double* origin,
                         WfPoint4* points);

#endif
