// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/mirror.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/symmetry.h"

static const double ALONG = 1e-9;  // of a vector: less of it across the plane is rounding

// ---------------------------------------------------------------------------------------------
// The plane

WeftResult wf_check_mirror(const WeftMirror* mirror, WeftError* error) {
    int kind = (int)mirror->kind;
    if (kind < 0 || kind > WEFT_MIRROR_WHOLE)
        return wf_fail(error, WEFT_ERROR_INPUT, "the kind of mirror is %d; it must be 0 to %d",
                       kind, WEFT_MIRROR_WHOLE);
    WfPlane plane;
    if (kind != WEFT_MIRROR_NONE && !wf_make_plane(&mirror->plane, &plane))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the plane of the mirror has no normal, or numbers that are none");
    if (kind != WEFT_MIRROR_NONE && !(mirror->tolerance >= 0 && isfinite(mirror->tolerance)))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the tolerance of the mirror is %g; it must be 0 m or more",
                       mirror->tolerance);
    if (kind != WEFT_MIRROR_NONE &&
        ((int)mirror->closure < 0 || (int)mirror->closure > WEFT_CLOSURE_BUTTON))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the closure of the mirror is %d; it must be 0 to %d", (int)mirror->closure,
                       WEFT_CLOSURE_BUTTON);
    if (kind == WEFT_MIRROR_NONE || mirror->closure != WEFT_CLOSURE_BUTTON) return WEFT_OK;
    WfVec front = wf_load(mirror->front, 0), along = wf_plane_flatten(&plane, front);
    if (!(wf_length(along) > 1e-3 * wf_length(front)))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the front of a closure must be a direction along the plane of its mirror");
    return WEFT_OK;
}

WfPlane wf_mirror_plane(const WeftMirror* mirror) {
    WfPlane plane;
    return wf_make_plane(&mirror->plane, &plane) ? plane : (WfPlane){0};
}

static bool goes_across(const WfPlane* plane, const double v[3]) {
    double across = wf_dot(plane->normal, wf_load(v, 0));
    return fabs(across) > ALONG * (1 + wf_length(wf_load(v, 0)));
}

WeftResult wf_check_weather(const WfPlane* plane, const WeftStepDef* step, WeftError* error) {
    bool gravity = goes_across(plane, step->gravity);
    if (!gravity && !goes_across(plane, step->wind)) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_COMBINATION,
                   "%s goes across the mirror, so that the halves would not move alike; let it go "
                   "along its plane, or simulate the whole",
                   gravity ? "gravity" : "wind");
}

// ---------------------------------------------------------------------------------------------
// Halves

static const double MOST_REST = 0.01;   // by which lengths may differ, of a mean edge
static const double MOST_SCALE = 1e-6;  // and factors

// The first thing that is not symmetric.
static WeftResult refuse_asymmetry(const WeftSymmetry* s, const int* images, WeftError* error) {
    if (s->unpaired > 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "%d vertices have no image in the mirror, vertex %d for one; "
                       "weft_mirror_mesh makes a mesh symmetric",
                       s->unpaired, s->unpaired_vertex);
    if (s->unmatched > 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the images of %d triangles are none, of triangle %d for one; "
                       "weft_mirror_mesh makes a mesh symmetric",
                       s->unmatched, s->unmatched_triangle);
    if (s->rest_deviation > MOST_REST)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the flat shapes of the halves differ, at triangle %d by %.2g of an edge",
                       s->rest_triangle, s->rest_deviation);
    if (s->grain_deviation > MOST_REST)
        return wf_fail(
            error, WEFT_ERROR_INPUT,
            "the warp of triangle %d runs otherwise than that of its image, by %.2g of an "
            "edge",
            s->grain_triangle, s->grain_deviation);
    if (s->pins > 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "vertex %d is pinned and its image %d is not",
                       s->pin_vertex, images[s->pin_vertex]);
    if (s->springs + s->threads > 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "%d springs and %d threads have no image in the mirror", s->springs,
                       s->threads);
    if (s->fabrics > 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "triangle %d and its image are of different fabrics", s->fabric_triangle);
    if (s->scale_deviation > MOST_SCALE)
        return wf_fail(error, WEFT_ERROR_INPUT, "factors per vertex differ by %.2g in the mirror",
                       s->scale_deviation);
    return WEFT_OK;
}

static WeftResult halve(const WeftAllocator* allocator, const WeftModelDef* def, int c,
                        WfHalves* halves, WeftError* error) {
    const WeftClothDef* cloth = &def->cloths[c];
    WfPlane plane = wf_mirror_plane(&def->mirror);
    WeftSymmetry symmetry;
    if (goes_across(&plane, cloth->velocity))
        return wf_fail(error, WEFT_ERROR_INPUT, "its velocity goes across the mirror");
    int* images = wf_alloc(allocator, (size_t)cloth->vertex_count, sizeof *images);
    if (!images) return WEFT_ERROR_MEMORY;
    const double normal[3] = {plane.normal.x, plane.normal.y, plane.normal.z};
    WeftResult result = wf_find_images(allocator, cloth, &def->mirror.plane, def->mirror.tolerance,
                                       images, &symmetry);
    if (!result) result = refuse_asymmetry(&symmetry, images, error);
    if (!result) result = wf_half_create(allocator, cloth, images, normal, &halves->all[c], error);
    wf_free(allocator, images);
    return result;
}

WeftResult wf_halves_create(const WeftAllocator* allocator, const WeftModelDef* def,
                            WfHalves* halves, WeftError* error) {
    halves->all = wf_alloc(allocator, (size_t)def->cloth_count, sizeof *halves->all);
    halves->defs = wf_alloc(allocator, (size_t)def->cloth_count, sizeof *halves->defs);
    if (!halves->all || !halves->defs) return WEFT_ERROR_MEMORY;
    for (int c = 0; c < def->cloth_count; c++) {
        WeftResult result = halve(allocator, def, c, halves, error);
        if (result) return wf_fail_prefix(error, result, "cloth %d: ", c);
        halves->defs[c] = halves->all[c].def;
    }
    return WEFT_OK;
}

void wf_halves_destroy(const WeftAllocator* allocator, int cloth_count, WfHalves* halves) {
    for (int c = 0; c < cloth_count && halves->all; c++)
        wf_half_destroy(allocator, &halves->all[c]);
    wf_free(allocator, halves->all);
    wf_free(allocator, halves->defs);
    *halves = (WfHalves){0};
}
