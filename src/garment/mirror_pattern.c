// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A pattern becomes its own mirror image: one half of it is kept, and doubled.
//
//     pairs    which panels are images of each other (mirror_find.c)
//     judge    which seams are, and how far all are from it (mirror_judge.c)
//     panels   of a pair, the one at x > 0; of a panel that is its own image, the half there. Then
//              the image of each (mirror_cut.c)
//     seams    between the new sides (mirror_seams.c)
//     folds    sew the halves of a panel to each other

#include <string.h>

#include "base/memory.h"
#include "garment/mirror_halving.h"
#include "garment/pattern.h"

static const double USUAL_TOLERANCE = 0.005;  // m

static WeftResult make_room(WfHalving* h) {
    const WeftPattern* from = h->from;
    size_t panels = (size_t)from->panel_count, seams = 2 * (size_t)from->seam_count, sides = 0;
    h->to = (WeftPattern){.allocator = from->allocator};
    memcpy(h->to.name, from->name, sizeof h->to.name);
    memcpy(h->to.fabric, from->fabric, sizeof h->to.fabric);
    h->first_side = wf_alloc(&h->memory, panels, sizeof *h->first_side);
    h->partners = wf_alloc(&h->memory, (size_t)from->seam_count, sizeof *h->partners);
    if (!h->first_side || !h->partners) return wf_fail_memory(h->error);
    for (size_t p = 0; p < panels; p++) {
        h->first_side[p] = (int)sides;
        sides += (size_t)from->panels[p].side_count;
    }
    h->pieces = wf_alloc(&h->memory, sides, sizeof *h->pieces);
    h->to.panels = wf_alloc(&h->memory, 2 * panels, sizeof *h->to.panels);
    h->to.seams = wf_alloc(&h->memory, seams, sizeof *h->to.seams);
    h->to.holds = wf_alloc(&h->memory, (size_t)from->hold_count, sizeof *h->to.holds);
    if (!h->pieces || !h->to.panels || !h->to.seams || !h->to.holds)
        return wf_fail_memory(h->error);
    h->to.hold_count = from->hold_count;
    if (from->hold_count > 0)
        memcpy(h->to.holds, from->holds, (size_t)from->hold_count * sizeof *from->holds);
    return WEFT_OK;
}

static WeftResult check_places(const WeftPattern* pattern, WeftError* error) {
    for (int p = 0; p < pattern->panel_count; p++)
        if (!pattern->panels[p].place.given)
            return wf_fail(
                error, WEFT_ERROR_INPUT,
                "panel \"%s\" has no place, so that nobody knows whether it is symmetric",
                pattern->panels[p].name);
    return WEFT_OK;
}

WeftResult weft_mirror_pattern(WeftPattern* pattern, double tolerance,
                               WeftPatternSymmetry* symmetry, WeftFindings* findings,
                               WeftError* error) {
    WeftPatternSymmetry unheard;
    WfHalving h = {.from = pattern,
                   .memory = wf_allocator(&pattern->allocator),
                   .findings = findings,
                   .error = error};
    if (!symmetry) symmetry = &unheard;
    *symmetry = (WeftPatternSymmetry){
        .side = {-1, -1}, .grain_panel = -1, .unpaired_panel = -1, .unpaired_seam = -1};
    if (!(tolerance >= 0 && isfinite(tolerance)))
        return wf_fail(error, WEFT_ERROR_INPUT, "a tolerance of %g m is not a length", tolerance);
    if (tolerance == 0) tolerance = USUAL_TOLERANCE;
    if (wf_is_mirrored(pattern)) return WEFT_OK;
    WeftResult result = check_places(pattern, error);
    if (!result) result = make_room(&h);
    if (!result) result = wf_judge_symmetry(&h, tolerance, symmetry);
    if (!result) result = wf_halve_panels(&h);
    if (!result) result = wf_halve_seams(&h);
    if (!result) result = wf_sew_folds(&h.to, error);
    if (!result) result = wf_mirror_holds(&h.to, error);
    if (!result) result = weft_repair_pattern(&h.to, NULL, error);
    if (!result) result = wf_check_mirrored(&h.to, error);
    wf_destroy_mirror_pairs(&h.memory, &h.pairs);
    wf_free(&h.memory, h.first_side);
    wf_free(&h.memory, h.partners);
    wf_free(&h.memory, h.pieces);
    if (result) {
        weft_destroy_pattern(&h.to);
        return result;
    }
    weft_destroy_pattern(pattern);
    *pattern = h.to;
    return WEFT_OK;
}
