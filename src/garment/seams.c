// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A seam joins two chains of sides, end to end; a point at some part of the length of one chain
// meets the point at the same part of the other, so that ease is spread evenly.
//
//     chain 0   o-----------o-------------------------o      corners of its sides are knots,
//     chain 1   o------------------o------------------o      and so are those of the other chain
//     both      o-----------o------o------------------o
//
// Knots go from side to side, through all seams, until every chain has those of its partner. Then
// what is between two knots takes as many edges as the longest of all that it is sewn to needs.
//
// Of a mirrored pattern one half is cut: in seams, sides of it stand in for their images, which
// then get the same points from their other end on.

#include "garment/seams.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "garment/mirror.h"
#include "garment/pattern.h"

#define SAME_KNOT 0.2  // of an edge: knots that are nearer than this are one
enum {
    ENOUGH_KNOTS = 10000
};  // beside corners: a side that is sewn to a part of itself never ends

// ---------------------------------------------------------------------------------------------
// Sides

static WeftResult measure_sides(const WeftAllocator* allocator, const WeftPattern* pattern,
                                WfSeams* seams) {
    int count = 0;
    for (int p = 0; p < pattern->panel_count; p++) count += pattern->panels[p].side_count;
    seams->panel_count = pattern->panel_count;
    seams->line_count = pattern->seam_count;
    seams->first_side = wf_alloc(allocator, (size_t)pattern->panel_count + 1, sizeof(int));
    seams->sides = wf_alloc(allocator, (size_t)count, sizeof *seams->sides);
    seams->curves = wf_alloc(allocator, (size_t)count, sizeof *seams->curves);
    seams->lines = wf_alloc(allocator, (size_t)pattern->seam_count, sizeof *seams->lines);
    if (!seams->first_side || !seams->sides || !seams->curves || !seams->lines)
        return WEFT_ERROR_MEMORY;
    seams->side_count = count;
    for (int p = 0, s = 0; p < pattern->panel_count; p++) {
        const WeftPanel* panel = &pattern->panels[p];
        WeftLoop loop = {panel->side_count, seams->curves + s};
        for (int k = 0; k < panel->side_count; k++) seams->curves[s + k] = panel->sides[k].curve;
        for (int k = 0; k < panel->side_count; k++) {
            seams->sides[s + k].panel = p;
            seams->sides[s + k].image_of = -1;
            wf_curve_create(&seams->sides[s + k].curve, &loop, k);
        }
        s += panel->side_count;
        seams->first_side[p + 1] = s;
    }
    return WEFT_OK;
}

static WeftResult insert_knot(const WeftAllocator* allocator, WfCutSide* side, double part) {
    if (side->knot_count == side->knot_capacity) {
        int capacity = side->knot_capacity ? 2 * side->knot_capacity : 4;
        double* knots = wf_alloc(allocator, (size_t)capacity, sizeof *knots);
        if (!knots) return WEFT_ERROR_MEMORY;
        if (side->knot_count > 0)
            memcpy(knots, side->knots, (size_t)side->knot_count * sizeof *knots);
        wf_free(allocator, side->knots);
        side->knots = knots;
        side->knot_capacity = capacity;
    }
    int at = side->knot_count++;
    for (; at > 0 && side->knots[at - 1] > part; at--) side->knots[at] = side->knots[at - 1];
    side->knots[at] = part;
    return WEFT_OK;
}

static WeftResult set_corners(const WeftAllocator* allocator, WfSeams* seams) {
    WeftResult result = WEFT_OK;
    for (int s = 0; s < seams->side_count && !result; s++) {
        result = insert_knot(allocator, &seams->sides[s], 0);
        if (!result) result = insert_knot(allocator, &seams->sides[s], 1);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Images

// Sides and lines of mirrored patterns.
static WeftResult find_images(const WeftAllocator* allocator, const WeftPattern* pattern,
                              WfSeams* seams, WeftError* error) {
    for (int l = 0; l < seams->line_count; l++) seams->lines[l].image = -1;
    if (!wf_is_mirrored(pattern)) return WEFT_OK;
    int* images = wf_alloc(allocator, (size_t)seams->line_count, sizeof *images);
    WeftResult result =
        images ? wf_find_image_seams(pattern, images, error) : wf_fail_memory(error);
    for (int l = 0; l < seams->line_count && !result; l++) seams->lines[l].image = images[l];
    for (int s = 0; s < seams->side_count && !result; s++) {
        int p = seams->sides[s].panel;
        WeftSideName image = wf_side_image(pattern, (WeftSideName){p, s - seams->first_side[p]});
        if (wf_panel_follows(pattern, p))
            seams->sides[s].image_of = seams->first_side[image.panel] + image.side;
    }
    wf_free(allocator, images);
    return result;
}

// Of two lines that are images of each other, the second one needs no knots of its own.
static bool is_cut(const WfSeams* seams, int line) {
    int image = seams->lines[line].image;
    return image < 0 || image >= line;
}

static void stand_in(WfSeams* seams, WfLink* link) {
    int original = seams->sides[link->side].image_of;
    if (original < 0) return;
    link->side = original;
    link->reversed = !link->reversed;
    link->stands_in = true;
}

static void stand_back(const WeftPattern* pattern, const WfSeams* seams, WfLink* link) {
    if (!link->stands_in) return;
    int p = seams->sides[link->side].panel;
    WeftSideName image =
        wf_side_image(pattern, (WeftSideName){p, link->side - seams->first_side[p]});
    link->side = seams->first_side[image.panel] + image.side;
    link->reversed = !link->reversed;
    link->stands_in = false;
}

static void exchange_links(const WeftPattern* pattern, WfSeams* seams, bool in) {
    for (int l = 0; l < seams->line_count; l++)
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < seams->lines[l].count[c]; i++) {
                WfLink* link = &seams->lines[l].links[c][i];
                if (in)
                    stand_in(seams, link);
                else
                    stand_back(pattern, seams, link);
            }
}

// ---------------------------------------------------------------------------------------------
// Knots

static void enter_link(const WfSeams* seams, const WfLink* link, WfStop* stop) {
    const WfCutSide* side = &seams->sides[link->side];
    stop->link = link;
    stop->interval = link->reversed ? side->knot_count - 2 : 0;
}

static void measure_stop(const WfSeams* seams, WfStop* stop) {
    const WfLink* link = stop->link;
    const WfCutSide* side = &seams->sides[link->side];
    double part =
        link->reversed ? 1 - side->knots[stop->interval] : side->knots[stop->interval + 1];
    stop->at = link->from + part * (link->until - link->from);
}

WfStop wf_first_stop(const WfSeams* seams, const WfSeamLine* line, int chain) {
    WfStop stop;
    enter_link(seams, &line->links[chain][0], &stop);
    measure_stop(seams, &stop);
    return stop;
}

bool wf_next_stop(const WfSeams* seams, const WfSeamLine* line, int chain, WfStop* stop) {
    const WfCutSide* side = &seams->sides[stop->link->side];
    stop->interval += stop->link->reversed ? -1 : 1;
    if (stop->interval < 0 || stop->interval > side->knot_count - 2) {
        const WfLink* next = stop->link + 1;
        if (next == line->links[chain] + line->count[chain]) return false;
        enter_link(seams, next, stop);
    }
    measure_stop(seams, stop);
    return true;
}

static double chain_length(const WfSeams* seams, const WfSeamLine* line, int chain) {
    double sum = 0;
    for (int i = 0; i < line->count[chain]; i++)
        sum += wf_curve_length(&seams->sides[line->links[chain][i].side].curve);
    return sum;
}

// Whether the stop after `early` is nearer to `late` than `early` is: then that one is its partner.
static bool is_followed(const WfSeams* seams, const WfSeamLine* line, int chain, WfStop early,
                        double late) {
    double apart = late - early.at;
    return wf_next_stop(seams, line, chain, &early) && fabs(early.at - late) < apart;
}

// Give each chain the next knot that it lacks. *changed: there was one.
static WeftResult share_knot(const WeftAllocator* allocator, WfSeams* seams, const WfSeamLine* line,
                             double edge, bool* changed) {
    double longest = fmax(chain_length(seams, line, 0), chain_length(seams, line, 1));
    double near = SAME_KNOT * edge / longest;
    WfStop at[2] = {wf_first_stop(seams, line, 0), wf_first_stop(seams, line, 1)};
    bool more[2] = {true, true};
    *changed = false;
    while (more[0] && more[1]) {
        int early = at[0].at < at[1].at ? 0 : 1;
        const WfStop* late = &at[1 - early];
        if (late->at - at[early].at > near ||
            is_followed(seams, line, early, at[early], late->at)) {
            double part = wf_part_of_side(late->link, at[early].at);
            *changed = true;
            return insert_knot(allocator, &seams->sides[late->link->side], fmin(fmax(part, 0), 1));
        }
        for (int c = 0; c < 2; c++) more[c] = wf_next_stop(seams, line, c, &at[c]);
    }
    wf_assert(!more[0] && !more[1]);
    return WEFT_OK;
}

static WeftResult share_knots(const WeftAllocator* allocator, WfSeams* seams, double edge,
                              WeftError* error) {
    int left = ENOUGH_KNOTS;
    bool any = true;
    while (any) {
        any = false;
        for (int i = 0; i < seams->line_count; i++) {
            bool changed = is_cut(seams, i);
            while (changed) {
                WeftResult result = share_knot(allocator, seams, &seams->lines[i], edge, &changed);
                if (result) return wf_fail_memory(error);
                any = any || changed;
                if (changed && --left < 0)
                    return wf_fail(error, WEFT_ERROR_INPUT,
                                   "seam %d: it and the seams beside it ask for points without "
                                   "end: a side is sewn to a part of itself",
                                   i);
            }
        }
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Edges

static void count_alone(WfSeams* seams, double edge) {
    for (int s = 0; s < seams->side_count; s++) {
        WfCutSide* side = &seams->sides[s];
        if (side->image_of >= 0) continue;
        bool curved = side->curve.turn > 0 && side->knot_count == 2;
        for (int i = 0; i + 1 < side->knot_count; i++) {
            double count = wf_curve_edges(&side->curve, side->knots[i + 1] - side->knots[i], edge);
            side->edges[i] = (int)fmin(fmax(count, curved ? 2 : 1), 1e6);
        }
    }
}

// Both sides of every seam take the larger number, until none has to change.
static void count_together(WfSeams* seams) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (int l = 0; l < seams->line_count; l++) {
            const WfSeamLine* line = &seams->lines[l];
            WfStop a = wf_first_stop(seams, line, 0), b = wf_first_stop(seams, line, 1);
            bool more = is_cut(seams, l);
            while (more) {
                int* x = &seams->sides[a.link->side].edges[a.interval];
                int* y = &seams->sides[b.link->side].edges[b.interval];
                changed = changed || *x != *y;
                *x = *y = *x > *y ? *x : *y;
                more = wf_next_stop(seams, line, 0, &a);
                more = wf_next_stop(seams, line, 1, &b) && more;
            }
        }
    }
}

static WeftResult place_points(const WeftAllocator* allocator, WfCutSide* side) {
    side->point_count = 0;
    for (int i = 0; i + 1 < side->knot_count; i++) side->point_count += side->edges[i];
    side->parts = wf_alloc(allocator, (size_t)side->point_count, sizeof *side->parts);
    if (!side->parts) return WEFT_ERROR_MEMORY;
    double* out = side->parts;
    for (int i = 0; i + 1 < side->knot_count; i++)
        for (int k = 0; k < side->edges[i]; k++)
            *out++ = side->knots[i] + (side->knots[i + 1] - side->knots[i]) * k / side->edges[i];
    return WEFT_OK;
}

// As the side that it is the image of. That has no points yet.
static WeftResult copy_cuts(const WeftAllocator* allocator, const WfCutSide* from, WfCutSide* to) {
    int last = from->knot_count - 1;
    WeftResult result = WEFT_OK;
    for (int i = 1; i < last && !result; i++)
        result = insert_knot(allocator, to, 1 - from->knots[last - i]);
    to->edges = wf_alloc(allocator, (size_t)from->knot_count, sizeof *to->edges);
    if (result || !to->edges) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < last; i++) to->edges[i] = from->edges[last - 1 - i];
    return WEFT_OK;
}

static WeftResult cut_edges(const WeftAllocator* allocator, WfSeams* seams, double edge) {
    WeftResult result = WEFT_OK;
    for (int s = 0; s < seams->side_count && !result; s++) {
        WfCutSide* side = &seams->sides[s];
        if (side->image_of >= 0) continue;
        side->edges = wf_alloc(allocator, (size_t)side->knot_count, sizeof *side->edges);
        if (!side->edges) result = WEFT_ERROR_MEMORY;
    }
    if (result) return result;
    count_alone(seams, edge);
    count_together(seams);
    for (int s = 0; s < seams->side_count && !result; s++)
        if (seams->sides[s].image_of >= 0)
            result =
                copy_cuts(allocator, &seams->sides[seams->sides[s].image_of], &seams->sides[s]);
    for (int s = 0; s < seams->side_count && !result; s++)
        result = place_points(allocator, &seams->sides[s]);
    return result;
}

// ---------------------------------------------------------------------------------------------

WeftResult wf_seams_create(const WeftAllocator* allocator, const WeftPattern* pattern, double edge,
                           WfSeams* seams, WeftFindings* findings, WeftError* error) {
    *seams = (WfSeams){0};
    WeftResult result = measure_sides(allocator, pattern, seams);
    if (!result) result = set_corners(allocator, seams);
    if (result) wf_fail_memory(error);
    if (!result) result = find_images(allocator, pattern, seams, error);
    if (!result) result = wf_lay_lines(allocator, pattern, edge, seams, findings, error);
    if (!result) exchange_links(pattern, seams, true);
    if (!result) result = share_knots(allocator, seams, edge, error);
    if (!result && cut_edges(allocator, seams, edge)) result = wf_fail_memory(error);
    if (!result) exchange_links(pattern, seams, false);
    if (result) wf_seams_destroy(allocator, seams);
    return result;
}

void wf_seams_destroy(const WeftAllocator* allocator, WfSeams* seams) {
    for (int s = 0; s < seams->side_count; s++) {
        wf_free(allocator, seams->sides[s].knots);
        wf_free(allocator, seams->sides[s].edges);
        wf_free(allocator, seams->sides[s].parts);
    }
    for (int i = 0; i < seams->line_count && seams->lines; i++)
        for (int c = 0; c < 2; c++) wf_free(allocator, seams->lines[i].links[c]);
    wf_free(allocator, seams->first_side);
    wf_free(allocator, seams->sides);
    wf_free(allocator, seams->curves);
    wf_free(allocator, seams->lines);
    *seams = (WfSeams){0};
}
