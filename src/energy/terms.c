// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "energy/terms.h"

static bool conventional(const WeftClothDef* d) { return d->estimator == WEFT_ESTIMATOR_NONE; }
static bool springs(const WeftClothDef* d) {
    return d->stretch == WEFT_STRETCH_SPRINGS && conventional(d);
}
static bool linear_springs(const WeftClothDef* d) {
    return d->stretch == WEFT_STRETCH_SPRINGS && !conventional(d);
}
static bool triangles(const WeftClothDef* d) {
    return d->stretch == WEFT_STRETCH_TRIANGLES && conventional(d);
}
static bool linear_triangles(const WeftClothDef* d) {
    return d->stretch == WEFT_STRETCH_TRIANGLES && !conventional(d);
}
static bool shear_product(const WeftClothDef* d) {
    return d->stretch == WEFT_STRETCH_TRIANGLES && d->shear == WEFT_SHEAR_PRODUCT &&
           d->fabric.shear > 0;
}
static bool bends(const WeftClothDef* d) { return d->bend != WEFT_BEND_NONE && d->fabric.bend > 0; }
static bool damped(const WeftClothDef* d) { return d->fabric.mass_damping > 0; }
static bool always(const WeftClothDef* d) {
    (void)d;
    return true;
}
static bool airy(const WeftClothDef* d) {
    return d->fabric.air_drag > 0 || d->fabric.air_friction > 0;
}

static const struct {
    bool (*wanted)(const WeftClothDef*);
    WfTerm* (*create)(const WeftAllocator*, const WfClothParts*);
} table[WF_MAX_CLOTH_TERMS] = {
    {springs, wf_spring_create},
    {linear_springs, wf_linear_spring_create},
    {triangles, wf_triangle_create},
    {linear_triangles, wf_linear_triangle_create},
    {shear_product, wf_shear_create},
    {bends, wf_bend_create},
    {damped, wf_damping_create},
    {always, wf_gravity_create},
    {airy, wf_air_create},
};

int wf_make_terms(const WeftAllocator* allocator, const WfClothParts* parts, WfTerm** terms) {
    int count = 0;
    for (int row = 0; row < WF_MAX_CLOTH_TERMS; row++) {
        if (!table[row].wanted(parts->def)) continue;
        terms[count] = table[row].create(allocator, parts);
        if (!terms[count]) {
            while (count-- > 0) terms[count]->type->destroy(allocator, terms[count]);
            return -1;
        }
        count++;
    }
    return count;
}
