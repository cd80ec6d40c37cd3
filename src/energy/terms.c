// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "energy/terms.h"

#include "energy/fibre.h"
#include "energy/joint.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// What a cloth wants, and has the parts for

static bool conventional(const WfClothParts* p) { return p->def->estimator == WEFT_ESTIMATOR_NONE; }

static bool springs_by(const WfClothParts* p, WeftStretch stretch) {
    return p->def->stretch == stretch && wf_spring_count(p->rest, false) > 0;
}
static bool springs(const WfClothParts* p) {
    return springs_by(p, WEFT_STRETCH_SPRINGS) && conventional(p);
}
static bool one_sided_springs(const WfClothParts* p) {
    return springs_by(p, WEFT_STRETCH_ONE_SIDED);
}
static bool linear_springs(const WfClothParts* p) {
    return springs_by(p, WEFT_STRETCH_SPRINGS) && !conventional(p);
}

static bool threads(const WfClothParts* p) {
    return p->def->stretch == WEFT_STRETCH_THREADS && wf_segment_count(p, WF_WARPS | WF_WEFTS) > 0;
}
static bool any_ropes(const WfClothParts* p) { return wf_segment_count(p, WF_ROPES) > 0; }
static bool ropes(const WfClothParts* p) {
    return any_ropes(p) && p->def->rope_strain == WEFT_STRAIN_ENGINEERING;
}
static bool bars(const WfClothParts* p) {
    return any_ropes(p) && p->def->rope_strain != WEFT_STRAIN_ENGINEERING;
}
static bool bands(const WfClothParts* p) { return wf_segment_count(p, WF_BANDS) > 0; }

static bool any_triangles(const WfClothParts* p) {
    return p->def->stretch == WEFT_STRETCH_TRIANGLES && p->def->triangle_count > 0;
}
static bool triangles(const WfClothParts* p) { return any_triangles(p) && conventional(p); }
static bool linear_triangles(const WfClothParts* p) { return any_triangles(p) && !conventional(p); }
static bool membrane(const WfClothParts* p) {
    return p->def->stretch >= WEFT_STRETCH_BIQUADRATIC && p->def->stretch <= WEFT_STRETCH_CAUCHY &&
           p->def->triangle_count > 0;
}
static bool measured(const WfClothParts* p) {
    return p->def->stretch == WEFT_STRETCH_MEASURED && p->def->triangle_count > 0;
}
static bool shear_product(const WfClothParts* p) {
    return any_triangles(p) && p->def->shear == WEFT_SHEAR_PRODUCT && p->def->fabric.shear > 0;
}
static bool area(const WfClothParts* p) {
    return p->def->shear == WEFT_SHEAR_AREA && p->def->fabric.shear > 0 &&
           wf_any_joint_count(p, WF_WARPS) > 0 && wf_any_joint_count(p, WF_WEFTS) > 0;
}

static bool bends_by(const WfClothParts* p, WeftBendBy by) {
    return p->def->bend != WEFT_BEND_NONE && p->def->bend_by == by;
}
static bool hinges(const WfClothParts* p) {
    return bends_by(p, WEFT_BEND_BY_HINGES) && p->def->fabric.bend > 0 &&
           p->topology->hinge_count > 0;
}
static bool rope_hinges(const WfClothParts* p) {
    return (bends_by(p, WEFT_BEND_BY_HINGES) || bends_by(p, WEFT_BEND_BY_ANGLES)) &&
           p->def->fabric.rope_bend > 0 && wf_joint_count(p, WF_ROPES) > 0;
}
static bool bend_springs(const WfClothParts* p) {
    return bends_by(p, WEFT_BEND_BY_SPRINGS) && p->def->fabric.bend_spring > 0 &&
           (p->topology->hinge_count > 0 || wf_spring_count(p->rest, true) > 0);
}
static bool angles(const WfClothParts* p) {
    return bends_by(p, WEFT_BEND_BY_ANGLES) && p->topology->hinge_count > 0;
}
static bool curvature(const WfClothParts* p) {
    return bends_by(p, WEFT_BEND_BY_THREADS) &&
           ((p->def->fabric.bend > 0 && wf_joint_count(p, WF_WARPS | WF_WEFTS) > 0) ||
            (p->def->fabric.rope_bend > 0 && wf_joint_count(p, WF_ROPES) > 0));
}

// What acts on vertices belongs to the whole cloth.
static bool weighs(const WfClothParts* p) { return !p->is_further; }
static bool damped(const WfClothParts* p) {
    const WeftClothDef* cloth = p->whole ? p->whole : p->def;
    bool damps = cloth->fabric.mass_damping > 0;
    for (int t = 0; p->whole && t < cloth->triangle_count && !damps; t++)
        damps = wf_fabric_of_triangle(cloth, t)->mass_damping > 0;
    return damps && !p->is_further;
}
static bool driven(const WfClothParts* p) {
    const double *stiffness = p->def->drive_stiffness, *damping = p->def->drive_damping;
    bool pulls = false;
    for (int i = 0; i < p->def->vertex_count && !p->is_further && !pulls; i++)
        pulls = (stiffness && stiffness[i] > 0) || (damping && damping[i] > 0);
    return pulls;
}
static bool airy(const WfClothParts* p) {
    return p->def->triangle_count > 0 &&
           (p->def->fabric.air_drag > 0 || p->def->fabric.air_friction > 0);
}

static bool inflated(const WfClothParts* p) {
    return p->def->inflation != WEFT_INFLATION_NONE && !p->is_further;
}

// ---------------------------------------------------------------------------------------------

static const struct {
    bool (*wanted)(const WfClothParts*);
    WfTerm* (*create)(const WeftAllocator*, const WfClothParts*);
} table[WF_MAX_CLOTH_TERMS] = {
    {springs, wf_spring_create},
    {one_sided_springs, wf_one_sided_spring_create},
    {linear_springs, wf_linear_spring_create},
    {threads, wf_thread_create},
    {ropes, wf_rope_create},
    {bars, wf_bar_create},
    {bands, wf_band_create},
    {triangles, wf_triangle_create},
    {linear_triangles, wf_linear_triangle_create},
    {membrane, wf_membrane_create},
    {measured, wf_measured_create},
    {shear_product, wf_shear_create},
    {area, wf_area_create},
    {hinges, wf_bend_create},
    {rope_hinges, wf_rope_bend_create},
    {bend_springs, wf_bend_spring_create},
    {angles, wf_hinge_create},
    {curvature, wf_curvature_create},
    {damped, wf_damping_create},
    {driven, wf_drive_create},
    {weighs, wf_gravity_create},
    {airy, wf_air_create},
    {inflated, wf_pressure_create},
};

int wf_make_terms(const WeftAllocator* allocator, const WfClothParts* parts, WfTerm** terms) {
    int count = 0;
    for (int row = 0; row < WF_MAX_CLOTH_TERMS; row++) {
        if (!table[row].wanted(parts)) continue;
        terms[count] = table[row].create(allocator, parts);
        if (!terms[count]) {
            while (count-- > 0) terms[count]->type->destroy(allocator, terms[count]);
            return -1;
        }
        terms[count]->portion = parts->portion;
        count++;
    }
    return count;
}
