// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "stretch.h"

#include <math.h>
#include <stdio.h>

// Edges of cloth that is hit are half as long again for a step or two in good runs (1.7 where a
// capsule is shot at a curtain), and a few per cent longer where it hangs.
static const double MOST = 2, MOST_AT_THE_END = 1.5;
static const double BY_WEIGHT = 10;    // times what it stretches by hanging from a side
static const double BY_TOLERANCE = 3;  // hung by two corners, times the tolerance
static const double SLACK = 1.1;       // beyond the start
static const double STRAIN = 0.1;      // at which the stiffness of fabrics is asked for

// The strain of a square of this cloth, or of its rope, that hangs by one end.
static double weight_strain(const Session* session, int cloth) {
    const WeftClothDef* def = &session->scene->model.cloths[cloth];
    const double *masses = weft_masses(session->model), *g = session->scene->model.step.gravity;
    double mass = 0, softest = HUGE_VAL;
    int end = weft_first_vertex(session->model, cloth + 1);
    for (int i = weft_first_vertex(session->model, cloth); i < end; i++) mass += masses[i];
    double pull = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (def->triangle_count == 0) return mass * pull / def->fabric.rope_stretch;
    for (int degrees = 0; degrees <= 90; degrees += 45)
        softest = fmin(softest, weft_fabric_stiffness(&def->fabric, degrees, STRAIN));
    return sqrt(mass * def->fabric.density) * pull / softest;  // mass over the side of the square
}

StretchLimits stretch_limits(const Session* session) {
    const WeftModelDef* def = &session->scene->model;
    double strain = 0;
    for (int c = 0; c < def->cloth_count; c++) strain = fmax(strain, weight_strain(session, c));
    double more = BY_WEIGHT * strain + BY_TOLERANCE * def->step.stretch_tolerance;
    return (StretchLimits){MOST + more, MOST_AT_THE_END + more};
}

static bool is_beyond(double stretch, double limit, double start) {
    return stretch > fmax(limit, SLACK * start);
}

bool is_overstretched(const Session* session, const Stretch* stretch) {
    StretchLimits limits = stretch_limits(session);
    return is_beyond(stretch->most, limits.most, stretch->start) ||
           is_beyond(stretch->end, limits.end, stretch->start);
}

static bool has_limits(const Session* session) {
    const WeftModelDef* def = &session->scene->model;
    bool all = true;
    for (int c = 0; c < def->cloth_count; c++) all = all && def->cloths[c].stretch_limit > 0;
    return all;
}

// What this run has least of.
static const char* remedy(const WeftStepDef* step) {
    if (step->budget_ms > 0) return "a larger budget";
    if (step->method == WEFT_METHOD_RELAXATION) return "more iterations";
    if (step->method == WEFT_METHOD_PREFACTORED && step->quality < WEFT_MAX_QUALITY)
        return "a higher quality";
    return "more substeps";
}

void print_overstretch(const Session* session, const Stretch* stretch) {
    if (!is_overstretched(session, stretch)) return;
    printf(
        "  warning   the cloth was overstretched: %.3g times its length in step %d, %.3g at the "
        "end;\n            try %s%s, unless pins or bodies pull it so\n",
        stretch->most, stretch->step, stretch->end, remedy(&session->scene->model.step),
        has_limits(session) ? " or shorter steps" : ", shorter steps or a stretch_limit");
}
