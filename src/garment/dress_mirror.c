// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What dressing by halves needs. The models of trials simulate one half and give both; between
// trials, vertices are moved by what is nearest on the body and the like, which is symmetric but
// for rounding, and then made exactly so (even_halves.c).

#include <math.h>

#include "base/error.h"
#include "garment/dress.h"
#include "garment/even_halves.h"
#include "garment/mirror.h"

static const double BODY_OFF = 1e-4;  // m: less than any thickness of cloth

WeftResult wf_check_dress_mirror(WfDressing* d) {
    const WeftMirror* mirror = &d->def->mirror;
    const WeftPlane* plane = &mirror->plane;
    if (!wf_is_halved(d)) return WEFT_OK;
    if (mirror->kind != WEFT_MIRROR_EXACT)
        return wf_fail(d->error, WEFT_ERROR_INPUT, "dressing has an exact mirror, or none");
    bool upright = plane->normal[0] != 0 && plane->normal[1] == 0 && plane->normal[2] == 0;
    if (!upright || plane->point[0] != 0)
        return wf_fail(d->error, WEFT_ERROR_INPUT, "the mirror of dressing is the plane x = 0");
    for (int i = 0; i < d->def->wear_count; i++)
        if (!wf_is_mirrored(d->def->wear[i].pattern))
            return wf_fail(d->error, WEFT_ERROR_INPUT,
                           "\"%s\" cannot be put on by halves: it is no mirrored pattern "
                           "(weft_mirror_pattern)",
                           d->def->wear[i].pattern->name);
    return wf_check_body_mirror(d, d->def->positions);
}

WeftResult wf_check_body_mirror(WfDressing* d, const double* positions) {
    WeftFigure body = {.vertex_count = d->def->vertex_count,
                       .positions = (double*)positions,
                       .triangle_count = d->def->triangle_count,
                       .triangles = (int*)d->def->triangles,
                       .allocator = d->allocator};
    WeftFigureSymmetry symmetry;
    if (!wf_is_halved(d)) return WEFT_OK;
    WeftResult result =
        weft_measure_symmetry(&body, -1, 0, &d->def->mirror.plane, &symmetry, d->error);
    if (result || symmetry.deviation <= BODY_OFF) return result;
    return wf_fail(
        d->error, WEFT_ERROR_INPUT,
        "the body cannot be dressed by halves: the mirror image of its vertex %d is %.2g "
        "mm off its surface",
        symmetry.vertex, 1e3 * symmetry.deviation);
}

WeftResult wf_check_halves_apart(WfDressing* d) {
    for (int i = 0; i < d->layer_count && wf_is_halved(d); i++) {
        const WfLayer* layer = &d->layers[i];
        double overlap;
        if (wf_measure_overlap(layer->wear->pattern, &layer->garment, &overlap))
            return wf_fail_memory(d->error);
        if (overlap > 0)
            return wf_fail(d->error, WEFT_ERROR_INPUT,
                           "\"%s\" could not be put on: its halves reach %.2g mm into each other",
                           layer->wear->pattern->name, 2e3 * overlap);
    }
    return WEFT_OK;
}
