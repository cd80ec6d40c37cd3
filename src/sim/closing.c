// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloths that fly at each other. Where they meet, a few vertices are stopped while all others go on
// by h times their speed; as far as that is some edges, the last defence has to hold them by force,
// and the cloth is stretched. (Two ropes that crossed at 10 m/s, their segments 25 mm long, had 76
// J in that step instead of 0.6; in quarters of it, 1 to 6.) So such steps are cut, as they are for
// bodies that are fast.

#include <math.h>

#include "sim/contact.h"

enum { MOST_PARTS = 4 };               // each costs a step
static const double MOST_EDGES = 2;    // mean edges that cloths may close by in a part,
static const double LEAST_WAY = 0.05;  // m, and of no consequence for any cloth
static const double NEAR = 0.01;       // m, beyond the ways of both

// A cloth on its way through a step.
typedef struct Flight {
    double low[3], high[3];
    WfVec way;  // m, its mean
} Flight;

static Flight flight_of(const WeftState* state, int cloth, double dt) {
    const WeftModel* m = state->model;
    int first = m->first_vertex[cloth], end = m->first_vertex[cloth + 1];
    Flight f = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {0, 0, 0}};
    for (int i = first; i < end; i++) {
        for (int k = 0; k < 3; k++) {
            double x = state->x[3 * (long)i + k], to = x + dt * state->v[3 * (long)i + k];
            f.low[k] = fmin(f.low[k], fmin(x, to));
            f.high[k] = fmax(f.high[k], fmax(x, to));
        }
        f.way = wf_madd(f.way, dt / (end - first), wf_load(state->v, i));
    }
    return f;
}

static bool may_meet(const Flight* a, const Flight* b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] + NEAR || b->low[k] > a->high[k] + NEAR) return false;
    return true;
}

int wf_closing_parts(const WeftState* state, const WeftStepDef* def) {
    const WeftModel* m = state->model;
    double limit = fmax(MOST_EDGES * m->mean_edge, LEAST_WAY) * def->substeps;
    int parts = 1;
    if (m->contact != WEFT_CONTACT_ALL || m->cloth_count < 2) return parts;
    if (!wf_is_fast(state, limit / (2 * def->dt))) return parts;
    for (int a = 0; a < m->cloth_count; a++) {
        Flight one = flight_of(state, a, def->dt);
        for (int b = a + 1; b < m->cloth_count; b++) {
            Flight other = flight_of(state, b, def->dt);
            double way = wf_length(wf_sub(one.way, other.way));
            if (way <= parts * limit || !may_meet(&one, &other)) continue;
            while (parts < MOST_PARTS && way > parts * limit) parts *= 2;
        }
    }
    return parts;
}
