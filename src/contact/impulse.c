// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Projected Gauss-Seidel on the dual of
//
//     minimise 1/2 |x1 - x1*|_M^2   subject to   n . W x1 >= target   for all pairs that would meet
//
// (after Harmon and others 2008, with inequalities: a pair may part). An impulse is kept and may be
// taken back, down to zero, when others have done its work; so the result does not depend on what
// was pushed first, and nothing is pushed further than it must be. Normals and weights are those of
// the moment at which a pair would have met; pairs that meet otherwise after this are added, and
// all are swept again.

#include "contact/impulse.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

enum { FIRST_CAPACITY = 256, MOST_SWEEPS = 30 };
static const double LEAST_SHARE = 0.05;  // less: a push would throw what is far from it

void wf_impulses_destroy(WfImpulses* impulses) {
    wf_free(&impulses->allocator, impulses->all);
    impulses->all = NULL;
    impulses->count = impulses->capacity = 0;
}

static bool grow(WfImpulses* impulses) {
    int capacity = impulses->capacity ? 2 * impulses->capacity : FIRST_CAPACITY;
    WfImpulse* more = wf_alloc(&impulses->allocator, (size_t)capacity, sizeof *more);
    if (!more) {
        impulses->failed = true;
        return false;
    }
    if (impulses->count) memcpy(more, impulses->all, (size_t)impulses->count * sizeof *more);
    wf_free(&impulses->allocator, impulses->all);
    impulses->all = more;
    impulses->capacity = capacity;
    return true;
}

// Which way an impulse moves one of its vertices.
static WfVec push_of(const WfPlane* mirror, const WfImpulse* p, int k) {
    return wf_plane_let(mirror, p->vertices[k], p->normal);
}

bool wf_add_impulse(WfImpulses* impulses, const WfImpulse* impulse, const double* masses) {
    double give = 0, share = 0;
    for (int k = 0; k < impulse->count; k++) {
        bool inside = wf_plane_holds(&impulses->mirror, impulse->vertices[k]);
        double along = inside ? wf_dot(impulse->normal, push_of(&impulses->mirror, impulse, k)) : 1;
        give += along * impulse->weights[k] * impulse->weights[k] / masses[impulse->vertices[k]];
        share = fmax(share, along * fabs(impulse->weights[k]));
    }
    if (share < LEAST_SHARE) return false;
    if (impulses->count == impulses->capacity && !grow(impulses)) return false;
    WfImpulse* to = &impulses->all[impulses->count++];
    *to = *impulse;
    to->give = give;
    to->size = 0;
    wf_assert(fabs(wf_length(to->normal) - 1) < 1e-3 && isfinite(to->target));
    wf_assert(to->count <= 4 && to->give > 0 && isfinite(to->give));
    return true;
}

// How far it is short of its target, or could be taken back; the change of x1 with it.
static double apply(const WfPlane* mirror, WfImpulse* p, const double* masses, double* x1) {
    double apart = 0;
    for (int k = 0; k < p->count; k++)
        apart += p->weights[k] * wf_dot(p->normal, wf_load(x1, p->vertices[k]));
    double size = fmax(0, p->size + (p->target - apart) / p->give), change = size - p->size;
    if (change == 0) return 0;
    p->size = size;
    for (int k = 0; k < p->count; k++) {
        int i = p->vertices[k];
        wf_accumulate(x1, i, change * p->weights[k] / masses[i], push_of(mirror, p, k));
    }
    return fabs(change) * p->give;
}

void wf_apply_impulses(WfImpulses* impulses, const double* masses, double slack, double* x1,
                       int mark, int* marks) {
    double largest = HUGE_VAL;
    for (int sweep = 0; sweep < MOST_SWEEPS && largest > slack; sweep++) {
        largest = 0;
        for (int j = 0; j < impulses->count; j++) {
            WfImpulse* p = &impulses->all[j];
            double by = apply(&impulses->mirror, p, masses, x1);
            for (int k = 0; k < p->count && by > 0; k++) marks[p->vertices[k]] = mark;
            largest = fmax(largest, by);
        }
    }
}
