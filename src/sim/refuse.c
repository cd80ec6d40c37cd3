// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/refuse.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "energy/pressure.h"
#include "material/elastic.h"
#include "material/fabric.h"
#include "mesh/check.h"
#include "mesh/fabrics.h"
#include "method/limit.h"
#include "sim/input.h"
#include "sim/mirror.h"
#include "sim/skin.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

static WeftResult check_choices(const WeftClothDef* cloth, WeftError* error) {
    const struct {
        const char* name;
        int value, last;
    } choices[] = {
        {"stretch", (int)cloth->stretch, WEFT_STRETCH_MEASURED},
        {"shear", (int)cloth->shear, WEFT_SHEAR_AREA},
        {"bend", (int)cloth->bend, WEFT_BEND_NONE},
        {"bend_by", (int)cloth->bend_by, WEFT_BEND_BY_ANGLES},
        {"rope_strain", (int)cloth->rope_strain, WEFT_STRAIN_LOGARITHMIC},
        {"estimator", (int)cloth->estimator, WEFT_ESTIMATOR_VERTEX},
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].value < 0 || choices[i].value > choices[i].last)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s is %d; it must be 0 to %d", choices[i].name,
                           choices[i].value, choices[i].last);
    return WEFT_OK;
}

static bool has_thread(const WeftClothDef* cloth, WeftThreadKind kind) {
    for (int t = 0; t < cloth->thread_count; t++)
        if (cloth->threads[t].kind == kind) return true;
    return false;
}

// What works by threads needs a mesh that has them.
static WeftResult check_woven(const WeftClothDef* cloth, WeftError* error) {
    bool warp = has_thread(cloth, WEFT_THREAD_WARP), weft = has_thread(cloth, WEFT_THREAD_WEFT);
    if (cloth->stretch == WEFT_STRETCH_THREADS && !warp && !weft && cloth->triangle_count > 0)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "stretch by threads needs a mesh with warp or weft threads, and this one "
                       "has none; use a woven grid, or springs");
    if (cloth->shear == WEFT_SHEAR_AREA && !(warp && weft))
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "shear by area needs a mesh with warp and weft threads that cross, and this "
                       "one has none; use a woven grid, or the shear of diagonals");
    if (cloth->bend_by == WEFT_BEND_BY_THREADS && cloth->thread_count == 0)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "bending by threads needs a mesh with threads, and this one has none; use a "
                       "woven grid, or bending by hinges");
    if (cloth->estimator != WEFT_ESTIMATOR_NONE && cloth->stretch >= WEFT_STRETCH_ONE_SIDED)
        return wf_fail(
            error, WEFT_ERROR_COMBINATION,
            "%s have no linear model, so no estimator has a target for them; use springs "
            "or triangles, or estimator none",
            cloth->stretch == WEFT_STRETCH_ONE_SIDED ? "one-sided springs"
            : cloth->stretch == WEFT_STRETCH_THREADS ? "threads"
                                                     : "membranes");
    return WEFT_OK;
}

static WeftResult check_fabric(const WeftFabric* fabric, WeftError* error) {
    WeftResult result = wf_check_fabric(fabric, error);
    return result ? result : wf_check_measured(&fabric->measured, error);
}

// Those that differ, but no more than one too many.
static int count_fabrics(const WeftClothDef* cloth) {
    int count = 0;
    for (int f = 0; f < cloth->fabric_count && count <= WEFT_MAX_FABRICS; f++) {
        bool known = false;
        for (int g = 0; g < f && !known; g++)
            known = memcmp(&cloth->fabrics[f], &cloth->fabrics[g], sizeof *cloth->fabrics) == 0;
        count += !known;
    }
    return count;
}

// Which fabric triangles are made of, and that there are some.
static WeftResult check_fabrics(const WeftClothDef* cloth, WeftError* error) {
    WeftResult result = check_fabric(&cloth->fabric, error);
    int count = cloth->fabric_count;
    if (result || !cloth->triangle_fabric) return result;
    if (count < 0 || (count > 0 && !cloth->fabrics))
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no fabrics, but a count of %d", count);
    if (count_fabrics(cloth) > WEFT_MAX_FABRICS)
        return wf_fail(error, WEFT_ERROR_INPUT, "there are more than %d fabrics that differ",
                       WEFT_MAX_FABRICS);
    for (int f = 0; f < count && !result; f++) {
        result = check_fabric(&cloth->fabrics[f], error);
        if (result) wf_fail_prefix(error, result, "fabric %d: ", f);
    }
    for (int t = 0; t < cloth->triangle_count && !result; t++)
        if (cloth->triangle_fabric[t] < -1 || cloth->triangle_fabric[t] >= count)
            result = wf_fail(error, WEFT_ERROR_INPUT,
                             "triangle %d has the fabric %d; it must be -1 to %d", t,
                             cloth->triangle_fabric[t], count - 1);
    bool woven = cloth->stretch == WEFT_STRETCH_THREADS || cloth->shear == WEFT_SHEAR_AREA ||
                 cloth->bend_by == WEFT_BEND_BY_THREADS;
    if (!result && woven)
        result = wf_fail(error, WEFT_ERROR_COMBINATION,
                         "threads are made of one fabric, so a cloth of several cannot stretch, "
                         "shear or bend by them; use triangles or springs, and hinges");
    return result;
}

static WeftResult check_tables(const WeftClothDef* cloth, WeftError* error) {
    bool missing = !cloth->triangle_fabric && !wf_has_measured_stretch(&cloth->fabric.measured);
    for (int t = 0; cloth->triangle_fabric && t < cloth->triangle_count && !missing; t++)
        missing = !wf_has_measured_stretch(&wf_fabric_of_triangle(cloth, t)->measured);
    if (cloth->stretch != WEFT_STRETCH_MEASURED || !missing) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_COMBINATION,
                   "stretch measured needs a fabric with measured tables; this one has "
                   "constants only, so use triangles or a membrane");
}

static WeftResult check_inflation(const WeftClothDef* cloth, WeftError* error) {
    if (cloth->inflation > WEFT_INFLATION_GAS || (int)cloth->inflation < 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "inflation is %d; it must be 0 to %d",
                       (int)cloth->inflation, (int)WEFT_INFLATION_GAS);
    if (!(fabs(cloth->pressure) <= WF_LARGEST_PRESSURE) ||
        !(cloth->outside_pressure >= 0 && cloth->outside_pressure <= WF_LARGEST_PRESSURE))
        return wf_fail(
            error, WEFT_ERROR_INPUT,
            "a pressure of %g Pa, and %g Pa outside; at most %g, and not below 0 outside",
            cloth->pressure, cloth->outside_pressure, WF_LARGEST_PRESSURE);
    if (!(cloth->gas_density >= 0 && cloth->gas_density <= 1e5))
        return wf_fail(error, WEFT_ERROR_INPUT, "gas_density is %g kg/m^3; it must be 0 to 100000",
                       cloth->gas_density);
    if (cloth->inflation == WEFT_INFLATION_GAS && cloth->outside_pressure + cloth->pressure < 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "a gas of %g Pa below that outside, which has %g; no gas pulls",
                       -cloth->pressure, cloth->outside_pressure);
    return WEFT_OK;
}

WeftResult wf_refuse_cloth(const WeftAllocator* allocator, const WeftClothDef* cloth,
                           WeftError* error) {
    WeftResult result = wf_check_cloth(allocator, cloth, error);
    if (!result) result = check_choices(cloth, error);
    if (!result) result = check_fabrics(cloth, error);
    if (!result) result = check_tables(cloth, error);
    if (!result) result = wf_check_scales(cloth, error);
    for (int i = 0; i < 3 && !result; i++)
        if (!(fabs(cloth->velocity[i]) <= WF_LARGEST_SPEED))
            result = wf_fail(error, WEFT_ERROR_INPUT, "velocity is %g m/s; at most %g it can be",
                             cloth->velocity[i], WF_LARGEST_SPEED);
    for (int i = 0; i < 3 && !result; i++)
        if (!(fabs(cloth->estimator_weights[i]) < 100))
            result = wf_fail(error, WEFT_ERROR_INPUT,
                             "estimator_weights[%d] is %g; it must be between -100 and 100", i,
                             cloth->estimator_weights[i]);
    if (!result && cloth->estimator != WEFT_ESTIMATOR_NONE &&
        cloth->stretch == WEFT_STRETCH_TRIANGLES && cloth->shear == WEFT_SHEAR_PRODUCT)
        result = wf_fail(error, WEFT_ERROR_COMBINATION,
                         "the shear product is not linear, so a linear triangle model cannot have "
                         "it; use the shear of diagonals, or estimator none");
    if (!result) result = check_woven(cloth, error);
    if (!result) result = wf_check_limit(cloth, error);
    if (!result) result = wf_check_animation(cloth, error);
    if (!result) result = check_inflation(cloth, error);
    return result;
}

static WeftResult refuse_friction(const WeftModelDef* def, int index, WeftError* error) {
    const WeftPairFriction* pair = &def->pair_frictions[index];
    bool body = pair->body >= 0;
    if (pair->cloth < 0 || pair->cloth >= def->cloth_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "pair friction %d: there is no cloth %d", index,
                       pair->cloth);
    if (body && pair->body >= def->body_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "pair friction %d: there is no body %d", index,
                       pair->body);
    if (!body && (pair->other_cloth < 0 || pair->other_cloth >= def->cloth_count))
        return wf_fail(error, WEFT_ERROR_INPUT, "pair friction %d: there is no cloth %d", index,
                       pair->other_cloth);
    if (!(pair->friction >= 0 && pair->friction <= 100))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "pair friction %d: friction is %g; it must be 0 to 100", index,
                       pair->friction);
    return WEFT_OK;
}

static WeftResult refuse_frictions(const WeftModelDef* def, WeftError* error) {
    WeftResult result = WEFT_OK;
    int count = def->pair_friction_count;
    if (count < 0 || (count > 0 && !def->pair_frictions))
        return wf_fail(error, WEFT_ERROR_INPUT, "%d pair frictions, and no array of them", count);
    for (int i = 0; i < count && !result; i++) result = refuse_friction(def, i, error);
    return result;
}

WeftResult wf_refuse_open(const WeftClothDef* cloth, const WfTopology* topology, WeftError* error) {
    if (cloth->inflation == WEFT_INFLATION_NONE) return WEFT_OK;
    if (topology->triangle_count == 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "what is blown up needs triangles");
    for (int e = 0; e < topology->edge_count; e++)
        if (topology->edge_triangles[2 * (long)e + 1] < 0)
            return wf_fail(
                error, WEFT_ERROR_INPUT,
                "what is blown up must be closed, but the edge of vertices %d and %d has "
                "one triangle only; sew it (weft_weld_mesh), or close it with more cloth",
                topology->edges[2 * (long)e], topology->edges[2 * (long)e + 1]);
    double volume = wf_enclosed_volume(cloth->triangle_count, cloth->triangles, cloth->positions);
    if (!(volume > 0))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "what is blown up has a volume of %g m^3: its triangles look inwards, or it "
                       "is flat",
                       volume);
    return WEFT_OK;
}

WeftResult wf_refuse_model(const WeftModelDef* def, WeftError* error) {
    int ordering = (int)def->ordering, matrices = (int)def->matrices;
    if ((int)def->contact < 0 || (int)def->contact > WEFT_CONTACT_ALL)
        return wf_fail(error, WEFT_ERROR_INPUT, "contact is %d; it must be 0 to %d",
                       (int)def->contact, WEFT_CONTACT_ALL);
    if (def->body_count < 0 || def->body_count > 100000 || (def->body_count > 0 && !def->bodies))
        return wf_fail(error, WEFT_ERROR_INPUT, "%d bodies; there must be 0 to 100000",
                       def->body_count);
    if (ordering < 0 || ordering > WEFT_ORDERING_NESTED_DISSECTION)
        return wf_fail(error, WEFT_ERROR_INPUT, "ordering is %d; it must be 0 to %d", ordering,
                       WEFT_ORDERING_NESTED_DISSECTION);
    if (matrices < 0 || matrices > WEFT_MATRICES_NONE)
        return wf_fail(error, WEFT_ERROR_INPUT, "matrices is %d; it must be 0 to %d", matrices,
                       WEFT_MATRICES_NONE);
    WeftResult result = refuse_frictions(def, error);
    return result ? result : wf_check_mirror(&def->mirror, error);
}
