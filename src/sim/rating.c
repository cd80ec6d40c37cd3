// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Cloth is softened as far as its weight stretches it by the tolerance (method/quality.c). What it
// is blown up with, or a storm, may be a hundred times its weight: softened for that alone, a ball
// of 0.15 m at 500 Pa grew without end, and a flag in 17 m/s stretched by 3.3 per cent, where it
// does by 0.6. So every cloth has a rating, Pa: a load that its stiffness is made for as well.
//
// Another rating is another factor. So it starts as the pressure that the model knows of, is none
// for loads up to twice the weight, and goes in steps of four, where a load is more than twice of
// it or less than an eighth. A state keeps the factors of several; and few are needed, as cloth is
// soon not softened at all.
//
// Pressure is known before the step, and counts at once: a second later it is too late. Of the air
// the mean over a second counts, and only from a load of four times the weight on, so that cloth
// that falls or swings is as soft as before. A flag of 1.5 m and 0.11 kg/m^2, per cent by which 99
// % of its edges are stretched less (in truth: implicit, 16 substeps):
//
//     wind, m/s     9     12    17    25    40
//     load/weight   2.6   4.9   11    23    53
//     by weight     1.8   2.6   3.3   5.6   10
//     rated         1.8   0.6   0.9   1.6   3.3
//     in truth      0.3   0.3   0.6   1.2   3.3

#include "sim/rating.h"

#include <math.h>

#include "energy/air.h"
#include "energy/pressure.h"

static const double MARGIN = 2, STEP = 4, FALL = 8;
static const double STORM = 4;  // times the weight
static const double LASTS = 1;  // s

// Pa, above that outside: what there is, or is to be. Of a gas that expands it will be less.
static double pressure_in(const WeftState* state, int cloth) {
    const WfSystem* s = &state->model->system;
    for (int t = 0; t < s->term_count; t++)
        if (s->terms[t]->cloth == cloth && wf_is_pressure(s->terms[t]))
            return fmax(wf_pressure_setting(&state->spaces[t]), wf_pressure_now(&state->spaces[t]));
    return 0;
}

// The load, Pa, that is as much as the weight of the cloth.
static double weight_of(const WeftModel* m, int cloth) {
    const WfClothSize* size = &m->sizes[m->first_portion[cloth]];
    return size->reach > 0 ? wf_cloth_tension(size, 0) / size->reach : HUGE_VAL;
}

// The smallest step that is no less than a load; `unit` is the first.
static double step_above(double load, double unit) {
    double rating = unit;
    if (!(load > MARGIN * unit)) return 0;
    while (rating < load) rating *= STEP;
    return rating;
}

void wf_find_ratings(WeftState* state) {
    const WeftModel* m = state->model;
    for (int c = 0; c < m->cloth_count; c++) {
        const WfLasting* lasting = &state->lasting[c];
        double unit = weight_of(m, c), rating = lasting->rating;
        bool storms = lasting->air > (rating > 0 ? 0 : STORM * unit);
        double load = fmax(pressure_in(state, c), storms ? lasting->air : 0);
        bool fits = load <= MARGIN * fmax(rating, unit) && load >= rating / FALL;
        state->ratings[c] = fits ? rating : step_above(load, unit);
    }
}

// Pa, the mean over its triangles in the last substep.
static double air_load(const WeftState* state, int cloth) {
    const WfSystem* s = &state->model->system;
    WfAirLoad sum = {0};
    for (int t = 0; t < s->term_count; t++) {
        if (s->terms[t]->cloth != cloth || !wf_is_air(s->terms[t])) continue;
        WfAirLoad load = wf_air_load(s->terms[t], &state->spaces[t]);
        sum.force += load.force;
        sum.area += load.area;
    }
    return sum.area > 0 ? sum.force / sum.area : 0;
}

void wf_keep_ratings(WeftState* state, double dt) {
    for (int c = 0; c < state->model->cloth_count; c++) {
        WfLasting* lasting = &state->lasting[c];
        lasting->rating = state->ratings[c];
        lasting->air += (air_load(state, c) - lasting->air) * dt / (LASTS + dt);
    }
}
