// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "sim/state.h"

// The number that would stand at `index` if the values were sorted. Parts the values around one of
// them, again and again, and goes on with the part that holds the index.
static double select_value(double* values, int count, int index) {
    int first = 0, last = count - 1;
    while (first < last) {
        double pivot = values[first + (last - first) / 2];
        int i = first, j = last;
        while (i <= j) {
            while (values[i] < pivot) i++;
            while (values[j] > pivot) j--;
            if (i > j) break;
            double value = values[i];
            values[i++] = values[j];
            values[j--] = value;
        }
        if (index <= j)
            last = j;
        else if (index >= i)
            first = i;
        else
            break;  // between the parts all are equal to the pivot
    }
    return values[index];
}

static void measure_stretch(const WeftModel* m, const WeftState* state, double* ratios,
                            WeftMeasure* measure) {
    measure->max_stretch = 0;
    for (int e = 0; e < m->shown.edge_count; e++) {
        ratios[e] = wf_edge_length(state, e) / m->shown.edge_lengths[e];
        if (!(ratios[e] <= measure->max_stretch)) measure->max_stretch = ratios[e];
    }
    int index = (int)(0.99 * (m->shown.edge_count - 1));
    measure->p99_stretch = select_value(ratios, m->shown.edge_count, index);
}

static void measure_motion(const WeftModel* m, const WeftState* state, const double gravity[3],
                           WeftMeasure* measure) {
    WfVec g = wf_load(gravity, 0);
    for (int i = 0; i < m->system.vertex_count; i++) {
        WfVec v = wf_load(state->v, i);
        double mass = m->system.masses[i], square = wf_dot(v, v);
        measure->kinetic += mass / 2 * square / m->share;
        measure->gravity -= mass * wf_dot(g, wf_load(state->x, i)) / m->share;
        measure->max_speed = fmax(measure->max_speed, sqrt(square));
    }
}

WeftResult weft_measure(const WeftState* state, const double gravity[3], WeftMeasure* measure) {
    const WeftModel* m = state->model;
    const WfSystem* s = &m->system;
    *measure = (WeftMeasure){0};
    double* ratios = wf_alloc(&s->allocator, (size_t)m->shown.edge_count, sizeof *ratios);
    double* partial = wf_alloc(&s->allocator, s->partial_count, sizeof *partial);
    WeftResult result = WEFT_ERROR_MEMORY;
    if (!ratios || !partial) goto done;
    measure_stretch(m, state, ratios, measure);
    measure_motion(m, state, gravity, measure);
    // without memory and scratch the terms give their plain energies
    WfTermSpace plain = {.partial = partial, .jobs = &s->jobs};
    for (int t = 0; t < m->measured_count; t++) {
        const WfTerm* term = m->measured[t];
        plain.give = m->gives[term->portion];
        double energy = term->type->evaluate(term, &plain, state->x, 0, 1, NULL) / m->share;
        if (term->type->role == WF_ROLE_BEND)
            measure->bend += energy;
        else
            measure->stretch += energy;
    }
    measure->total = measure->kinetic + measure->gravity + measure->stretch + measure->bend;
    result = WEFT_OK;
done:
    wf_free(&s->allocator, ratios);
    wf_free(&s->allocator, partial);
    return result;
}
