// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/sample.h"

#include <math.h>

static const double MOST_DIP = 2;  // thicknesses: what is sharper cuts in

WfSample wf_vertex_sample(int vertex) { return (WfSample){1, {vertex}, {1}}; }

int wf_samples_between(const WfSurface* cloth, int triangle, WfSample samples[WF_MOST_SAMPLES]) {
    const int* v = cloth->triangles + 3 * (long)triangle;
    int count = 0;
    if (v[1] == v[2]) {
        samples[0] = (WfSample){2, {v[0], v[1]}, {0.5, 0.5}};
        return 1;
    }
    samples[count++] = (WfSample){3, {v[0], v[1], v[2]}, {1.0 / 3, 1.0 / 3, 1.0 / 3}};
    for (int k = 0; k < 3; k++)
        if (cloth->owns[triangle] & (8 << k))
            samples[count++] = (WfSample){2, {v[k], v[(k + 1) % 3]}, {0.5, 0.5}};
    return count;
}

WfVec wf_sample_place(const WfSample* s, const double* x) {
    WfVec sum = wf_mul(s->weights[0], wf_load(x, s->vertices[0]));
    for (int k = 1; k < s->count; k++)
        sum = wf_madd(sum, s->weights[k], wf_load(x, s->vertices[k]));
    return sum;
}

static double distance_of(const WfMover* mover, WfVec p) {
    return wf_body_local_distance(mover->body, wf_pose_local(&mover->from, p), NULL);
}

// Halfway between two places that touch a ball a chord is nearest to its centre, by its length
// squared over the diameter; half as long chords by a quarter of that.
WfDip wf_sample_dip(const WfWorld* w, const WfMover* mover, const WfSample* s, double part) {
    double thickness = w->thickness[s->vertices[0]], mean = 0, least = HUGE_VAL;
    WfDip dip = {.distance = distance_of(mover, wf_sample_place(s, w->x))};
    for (int k = 0; k < s->count; k++) {
        double far = distance_of(mover, wf_load(w->x, s->vertices[k]));
        mean += s->weights[k] * far;
        least = fmin(least, far);
    }
    double more = fmin((mean - dip.distance) / 4, MOST_DIP * thickness);
    dip.hold = part * thickness + fmax(0, more);
    dip.nearest = dip.distance < least;
    return dip;
}

bool wf_may_reach_between(const WfWorld* w, const WfMover* mover, int triangle, double reach) {
    const int* v = w->cloth->triangles + 3 * (long)triangle;
    double nearest = fmin(w->nearest[v[0]], fmin(w->nearest[v[1]], w->nearest[v[2]]));
    double span = fmax(w->spans[v[0]], w->end_spans[v[0]]);
    return nearest - mover->body->radius <= span + reach;
}
