// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "lab.h"

#include <math.h>

bool gives_by_itself(const Sample* sample) {
    return sample->real_time || sample->fabric.compression != 0 ||
           sample->fabric.compression_load > 0;
}

// Solved to the end cloth has the time to fold: folds below the mesh would only hide its stiffness.
void dress_cloth(const Sample* sample, WeftClothDef* cloth) {
    const WeftMeasured* tables = &sample->fabric.measured;
    cloth->fabric = sample->fabric;
    cloth->fabric.mass_damping = 3;
    cloth->fabric.stretch_damping = cloth->fabric.bend_damping = 0.01;
    cloth->stretch = WEFT_STRETCH_TRIANGLES;
    if (sample->real_time) return;
    if (!gives_by_itself(sample)) cloth->fabric.compression = WEFT_UNYIELDING;
    cloth->stretch = tables->stretch[0][0] > 0 ? WEFT_STRETCH_MEASURED : WEFT_STRETCH_BIQUADRATIC;
    cloth->bend_by = WEFT_BEND_BY_ANGLES;
}

// Implicit Euler, which damps most.
void use_sample(const Sample* sample, WeftStepDef* step) {
    *step = weft_default_step_def();
    step->order = 1;
    step->substeps = 2;
    step->air_density = 0;
    step->quality = WEFT_MAX_QUALITY;
    step->stretch_tolerance = sample->stretch_tolerance;
    if (!sample->real_time) step->method = WEFT_METHOD_IMPLICIT;
}

static bool is_at_rest(const WeftModel* model, const WeftState* state) {
    static const double slow = 1e-3;  // m/s
    const double* v = weft_velocities(state);
    for (int i = 0; i < weft_vertex_count(model); i++)
        if (!(hypot(hypot(v[3 * i], v[3 * i + 1]), v[3 * i + 2]) < slow)) return false;
    return true;
}

bool settle(const WeftModel* model, WeftState* state, const WeftStepDef* step, double most,
            void (*tick)(void* context, double time), void* context, WeftError* error) {
    enum { QUIET_STEPS = 15 };
    *error = (WeftError){0};
    for (int quiet = 0; weft_time(state) < most && quiet < QUIET_STEPS;) {
        if (weft_step(state, step)) {
            *error = *weft_state_error(state);
            return false;
        }
        quiet = is_at_rest(model, state) ? quiet + 1 : 0;
        if (tick) tick(context, weft_time(state));
        if (quiet == QUIET_STEPS) return true;
    }
    return false;
}
