// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How far panels and seams are from being mirror images of each other.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "garment/mirror_halving.h"
#include "garment/pattern.h"

static const double TOLD = 1e-4;     // m: deviations below this are not worth a word
static const double MOST_GRAIN = 1;  // degrees

// ---------------------------------------------------------------------------------------------
// Panels

static void name_loop(const WfHalving* h, const WfMirrorLoop* loop, char text[WEFT_SIDE_TEXT]) {
    bool hole = loop != &h->pairs.loops[h->pairs.first[loop->panel]];
    if (hole)
        snprintf(text, WEFT_SIDE_TEXT, "a hole of panel \"%s\"", h->from->panels[loop->panel].name);
    else
        weft_side_text(h->from, (WeftSideName){loop->panel, loop->side}, text);
}

// The direction of the warp in space, at a point of the panel.
static WfVec find_warp(const WeftPanel* panel, const double at[2]) {
    const double step = 1e-4;
    double sine, cosine;
    wf_sine_cosine(panel->grain * (WF_PI / 180), &sine, &cosine);
    WfVec there = wf_panel_place(&panel->place, at[0] - step * sine, at[1] + step * cosine);
    return wf_unit(wf_sub(there, wf_panel_place(&panel->place, at[0], at[1])));
}

// Degrees between the warp of a panel's image and that of its partner, which has no sign.
static double compare_warp(const WfHalving* h, int p) {
    const WfMirrorLoop* loop = &h->pairs.loops[h->pairs.first[p]];
    const WeftPanel *panel = &h->from->panels[p], *other = &h->from->panels[h->pairs.partner[p]];
    int n = loop->side_count, end = (loop->offset % n + n) % n;
    WfVec a = find_warp(panel, wf_side_start(panel, 0));
    WfVec b = find_warp(other, other->sides[end].curve.end);
    a.x = -a.x;
    double across = wf_length(wf_cross(a, b)), along = fabs(wf_dot(a, b));
    return wf_angle_of(across, along) * (180 / WF_PI);
}

static WeftResult tell_loop(const WfHalving* h, const WfMirrorLoop* loop) {
    char a[WEFT_SIDE_TEXT], b[WEFT_SIDE_TEXT];
    name_loop(h, loop, a);
    name_loop(h, &h->pairs.loops[loop->partner], b);
    return wf_find(h->findings, h->error, "%s is %.1f mm from the mirror image of %s", a,
                   1e3 * loop->deviation, b);
}

static WeftResult judge_loops(const WfHalving* h, WeftPatternSymmetry* s) {
    WeftResult result = WEFT_OK;
    for (int i = 0; i < h->pairs.loop_count && !result; i++) {
        const WfMirrorLoop* loop = &h->pairs.loops[i];
        if (loop->partner < 0 || loop->partner < i) continue;
        if (loop->deviation > s->deviation) {
            bool hole = i != h->pairs.first[loop->panel];
            s->deviation = loop->deviation;
            s->side = (WeftSideName){loop->panel, hole ? -1 : loop->side};
        }
        if (loop->deviation > TOLD) result = tell_loop(h, loop);
    }
    return result;
}

// A panel without an image, or with a hole that has none.
static bool is_unpaired(const WfHalving* h, int p) {
    for (int i = h->pairs.first[p]; i < h->pairs.first[p + 1]; i++)
        if (h->pairs.loops[i].partner < 0) return true;
    return false;
}

// Labels are those of the half that is kept.
static WeftResult tell_labels(const WfHalving* h, int p) {
    WeftResult result = WEFT_OK;
    for (int s = 0; s < h->from->panels[p].side_count && !result; s++) {
        WeftSideName name = {p, s}, image = wf_paired_side(h, name);
        const char* other = h->from->panels[image.panel].sides[image.side].label;
        char label[WEFT_NAME_SIZE], text[WEFT_SIDE_TEXT];
        memcpy(label, h->from->panels[p].sides[s].label, sizeof label);
        wf_swap_hands(label);
        if (image.panel < p || strcmp(label, other) == 0) continue;
        weft_side_text(h->from, name, text);
        result = wf_find(h->findings, h->error,
                         "%s is labelled \"%s\" and its mirror image \"%s\": the label of the one "
                         "at x > 0 counts",
                         text, h->from->panels[p].sides[s].label, other);
    }
    return result;
}

static WeftResult judge_panels(const WfHalving* h, WeftPatternSymmetry* s) {
    WeftResult result = WEFT_OK;
    for (int p = 0; p < h->from->panel_count && !result; p++) {
        const char* name = h->from->panels[p].name;
        if (is_unpaired(h, p)) {
            if (s->unpaired_panels++ == 0) s->unpaired_panel = p;
            result = wf_find(h->findings, h->error, "panel \"%s\" has no mirror image%s", name,
                             h->pairs.partner[p] < 0 ? "" : ": its holes have none");
            continue;
        }
        result = tell_labels(h, p);
        if (result) break;
        double grain = compare_warp(h, p);
        if (grain > s->grain) s->grain = grain, s->grain_panel = p;
        if (grain > MOST_GRAIN)
            result = wf_find(h->findings, h->error,
                             "the grain of panel \"%s\" is %.1f degrees from the mirror image of "
                             "that of panel \"%s\"",
                             name, grain, h->from->panels[h->pairs.partner[p]].name);
    }
    return result;
}

static WeftResult refuse_panels(const WfHalving* h, const WeftPatternSymmetry* s,
                                double tolerance) {
    const WeftPanel* panels = h->from->panels;
    if (s->unpaired_panels > 0)
        return wf_fail(h->error, WEFT_ERROR_INPUT,
                       "panel \"%s\" has no mirror image, or a hole that has none",
                       panels[s->unpaired_panel].name);
    if (s->deviation > tolerance) {
        char text[WEFT_SIDE_TEXT];
        const WfMirrorLoop* loop = NULL;
        for (int i = 0; i < h->pairs.loop_count && !loop; i++)
            if (h->pairs.loops[i].deviation == s->deviation) loop = &h->pairs.loops[i];
        name_loop(h, loop, text);
        return wf_fail(h->error, WEFT_ERROR_INPUT,
                       "%s is %.1f mm from being symmetric about x = 0, more than %.1f mm", text,
                       1e3 * s->deviation, 1e3 * tolerance);
    }
    if (s->grain > MOST_GRAIN)
        return wf_fail(h->error, WEFT_ERROR_INPUT,
                       "the grain of panel \"%s\" is %.1f degrees from being symmetric",
                       panels[s->grain_panel].name, s->grain);
    for (int p = 0; p < h->from->panel_count; p++) {
        const WeftPanel* other = &panels[h->pairs.partner[p]];
        if (strcmp(panels[p].fabric, other->fabric) != 0)
            return wf_fail(h->error, WEFT_ERROR_INPUT,
                           "panel \"%s\" is not made of the fabric of its mirror image, panel "
                           "\"%s\"",
                           panels[p].name, other->name);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Seams that are images of each other

WeftSideName wf_paired_side(const WfHalving* h, WeftSideName name) {
    const WfMirrorLoop* loop = &h->pairs.loops[h->pairs.first[name.panel]];
    int n = loop->side_count;
    return (WeftSideName){h->pairs.partner[name.panel], ((loop->offset - name.side) % n + n) % n};
}

// 1: chain l of b is the image of chain k of a, listed the other way round as its sides run; -1: it
// is, listed the same way; 0: it is not.
static int compare_chains(const WfHalving* h, const WeftSeam* a, int k, const WeftSeam* b, int l) {
    int count = a->count[k];
    bool back = count == b->count[l], forth = back;
    for (int i = 0; i < count && (back || forth); i++) {
        WeftSideName image = wf_paired_side(h, a->chain[k][i]);
        back = back && wf_is_side(image, b->chain[l][count - 1 - i]);
        forth = forth && wf_is_side(image, b->chain[l][i]);
    }
    return back ? 1 : forth ? -1 : 0;
}

// Whether b is the image of a, with chain 0 of a that of chain `other` of b.
static bool is_image_seam(const WfHalving* h, const WeftSeam* a, const WeftSeam* b, int other) {
    int x = compare_chains(h, a, 0, b, other), y = compare_chains(h, a, 1, b, 1 - other);
    if (x == 0 || y == 0 || a->fold != b->fold || a->right_wrong != b->right_wrong) return false;
    if (a->ends == WEFT_SEAM_AUTO || b->ends == WEFT_SEAM_AUTO) return true;
    return (a->ends == b->ends) == (x == y);
}

static int find_partner(const WfHalving* h, int seam) {
    const WeftSeam* a = &h->from->seams[seam];
    for (int s = 0; s < h->from->seam_count; s++)
        for (int other = 0; other < 2; other++)
            if (is_image_seam(h, a, &h->from->seams[s], other)) return s;
    return -1;
}

static WeftResult pair_seams(WfHalving* h, WeftPatternSymmetry* s) {
    WeftResult result = WEFT_OK;
    for (int i = 0; i < h->from->seam_count && !result; i++) {
        char text[WF_SEAM_TEXT];
        h->partners[i] = find_partner(h, i);
        if (h->partners[i] >= 0) continue;
        if (s->unpaired_seams++ == 0) s->unpaired_seam = i;
        wf_seam_text(h->from, &h->from->seams[i], text);
        result = wf_find(h->findings, h->error, "the seam of %s has no mirror image", text);
    }
    if (result || s->unpaired_seams == 0) return result;
    char text[WF_SEAM_TEXT];
    wf_seam_text(h->from, &h->from->seams[s->unpaired_seam], text);
    return wf_fail(h->error, WEFT_ERROR_INPUT, "the seam of %s has no mirror image", text);
}

// ---------------------------------------------------------------------------------------------

WeftResult wf_judge_symmetry(WfHalving* h, double tolerance, WeftPatternSymmetry* symmetry) {
    WeftResult result = wf_find_mirror_pairs(&h->memory, h->from, &h->pairs, h->error);
    if (!result) result = judge_loops(h, symmetry);
    if (!result) result = judge_panels(h, symmetry);
    if (!result) result = refuse_panels(h, symmetry, tolerance);
    return result ? result : pair_seams(h, symmetry);
}
