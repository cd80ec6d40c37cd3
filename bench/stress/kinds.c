// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The bodies that came later: some of the first kinds become tapered capsules, hulls and distance
// fields. By numbers of their own, so that all else of a seed stays as it was.

#include "scene.h"
#include "shape.h"

static double length_of(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }

// Signed distance of a box of these half sides, or of a ball (half[0] alone counts).
static double distance_to(const WeftBodyDef* def, const double p[3]) {
    double out[3], inner = -HUGE_VAL;
    if (def->kind == WEFT_BODY_SPHERE) return length_of(p[0], p[1], p[2]) - def->radius;
    for (int k = 0; k < 3; k++) {
        double over = fabs(p[k]) - 0.5 * def->size[k];
        out[k] = fmax(over, 0);
        inner = fmax(inner, over);
    }
    return length_of(out[0], out[1], out[2]) + fmin(inner, 0);
}

// Samples of the sphere or the box that it was, a cell beyond it on all sides.
static void make_field(StressScene* scene, WeftBodyDef* def, StressBody* body) {
    double half[3], most = 0;
    for (int k = 0; k < 3; k++) {
        half[k] = def->kind == WEFT_BODY_SPHERE ? def->radius : 0.5 * def->size[k];
        most = fmax(most, half[k]);
    }
    WeftDistanceDef* field = &def->distance;
    field->cell = 2 * most / (4 + pick(&scene->kind_chance, 17));
    for (int k = 0; k < 3; k++) {
        field->counts[k] = (int)ceil(2 * half[k] / field->cell) + 3;
        field->origin[k] = -0.5 * field->cell * (field->counts[k] - 1);
    }
    size_t count = (size_t)field->counts[0] * (size_t)field->counts[1] * (size_t)field->counts[2];
    body->values = stress_memory(count, sizeof *body->values);
    for (size_t i = 0; i < count; i++) {
        size_t nx = (size_t)field->counts[0], ny = (size_t)field->counts[1];
        double p[3] = {field->origin[0] + field->cell * (double)(i % nx),
                       field->origin[1] + field->cell * (double)(i / nx % ny),
                       field->origin[2] + field->cell * (double)(i / nx / ny)};
        body->values[i] = (float)distance_to(def, p);
    }
    field->values = body->values;
    body->half = half[1];
    def->kind = WEFT_BODY_DISTANCE;
}

void choose_later_kind(StressScene* scene, WeftBodyDef* def, StressBody* body) {
    Chance* chance = &scene->kind_chance;
    if (scene->first_kinds || !happens(chance, 0.5)) return;
    if (def->kind == WEFT_BODY_CAPSULE) {
        def->kind = WEFT_BODY_TAPERED;
        def->top_radius = def->radius * between(chance, 0.05, 2);
    } else if (def->kind == WEFT_BODY_MESH && body->closed) {
        def->kind = WEFT_BODY_HULL;
    } else if (def->kind == WEFT_BODY_SPHERE || def->kind == WEFT_BODY_BOX) {
        make_field(scene, def, body);
    }
}

// ---------------------------------------------------------------------------------------------
// Insides

// The hull of two spheres on the y axis: outside of a cone around it, or of either.
double tapered_depth(const WeftBodyDef* def, const double p[3]) {
    double low = def->radius, high = def->top_radius, h = def->length;
    double around = length_of(p[0], 0, p[2]), up = p[1] + 0.5 * h, slope = low - high;
    if (fabs(slope) >= h)
        return low > high ? low - length_of(around, up, 0) : high - length_of(around, up - h, 0);
    double b = slope / h, a = sqrt(1 - b * b), along = a * up - b * around;
    if (along < 0) return low - length_of(around, up, 0);
    if (along > a * h) return high - length_of(around, up - h, 0);
    return low - (a * around + b * up);
}

// Linear between samples; beyond the box all is outside.
double field_depth(const WeftBodyDef* def, const double p[3]) {
    const WeftDistanceDef* field = &def->distance;
    size_t at[3];
    double part[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        double x = (p[k] - field->origin[k]) / field->cell;
        if (!(x >= 0 && x <= field->counts[k] - 1)) return -HUGE_VAL;
        int cell = (int)fmin(floor(x), field->counts[k] - 2);
        at[k] = (size_t)cell;
        part[k] = x - cell;
    }
    for (size_t c = 0; c < 8; c++) {
        size_t i = at[0] + (c & 1), j = at[1] + (c >> 1 & 1), k = at[2] + (c >> 2);
        double weight = (c & 1 ? part[0] : 1 - part[0]) * (c & 2 ? part[1] : 1 - part[1]) *
                        (c & 4 ? part[2] : 1 - part[2]);
        size_t nx = (size_t)field->counts[0], ny = (size_t)field->counts[1];
        sum += weight * (double)field->values[i + nx * (j + ny * k)];
    }
    return -sum;
}
