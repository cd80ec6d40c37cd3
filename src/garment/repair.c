// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From a pattern as a file has it to one that can be cut and sewn, in stages:
//
//     numbers     finite, and of a size that garments have
//     names       of panels, each once
//     seams       name sides that are there, each once; the same seam twice becomes one
//     sides       those that nobody would see are dropped (repair_sides.c)
//     outlines    closed lines that can be cut (repair_outline.c)
//     lengths     of the two chains of a seam
//     fronts      on one side of the garment (repair_turn.c)
//
// What is mended is told in findings. Messages number sides as they were before any was dropped.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/names.h"
#include "garment/repair.h"

static const double LARGEST = 100;         // m: beyond it a number is not meant
static const double TIGHTEST = 1e-3;       // m: a curl that a panel cannot have
static const double LARGE_PANEL = 10;      // m: a finding, as the unit may be wrong
static const double SMALL_PATTERN = 0.02;  // m, likewise
static const double ODD_RATIO = 3;         // gathers are up to two or three times as long
static const double WRONG_RATIO = 10;

// ---------------------------------------------------------------------------------------------
// Numbers and names

static bool is_wild(double x) { return !(fabs(x) <= LARGEST); }

static bool is_wild_side(const WeftSide* side) {
    bool wild = is_wild(side->end[0]) || is_wild(side->end[1]) || is_wild(side->bulge);
    for (int i = 0; i < side->control_count && !wild; i++)
        wild = is_wild(side->control[i][0]) || is_wild(side->control[i][1]);
    return wild;
}

static WeftResult check_loop_numbers(const WfRepair* r, const WeftPanel* panel,
                                     const WeftSide* side, int number, int hole) {
    const char* what = side->control_count < 0 || side->control_count > 2
                           ? "has more than two control points"
                       : is_wild_side(side) ? "holds something that is no number below 100 m; is "
                                              "the unit right?"
                                            : NULL;
    if (!what) return WEFT_OK;
    if (hole > 0)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "panel \"%s\": side %d of hole %d %s",
                       panel->name, number, hole, what);
    return wf_fail(r->error, WEFT_ERROR_INPUT, "panel \"%s\": side %d %s", panel->name, number,
                   what);
}

static WeftResult check_place(const WfRepair* r, WeftPanel* panel) {
    WeftPanelPlace* place = &panel->place;
    if (!place->given) *place = (WeftPanelPlace){.rotation = {0, 0, 0, 1}};
    bool wild = is_wild(place->curl) || is_wild(panel->grain / 360);
    double length = 0;
    for (int k = 0; k < 3; k++) wild = wild || is_wild(place->position[k]);
    for (int k = 0; k < 4; k++) length += place->rotation[k] * place->rotation[k];
    if (wild)
        return wf_fail(r->error, WEFT_ERROR_INPUT,
                       "panel \"%s\": its place holds something that is no number below 100 m",
                       panel->name);
    if (place->curl != 0 && fabs(place->curl) < TIGHTEST)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "panel \"%s\": a curl of less than 1 mm",
                       panel->name);
    if (!(fabs(length - 1) < 1e-6))
        return wf_fail(r->error, WEFT_ERROR_INPUT,
                       "panel \"%s\": the rotation of its place is no unit quaternion",
                       panel->name);
    return WEFT_OK;
}

static WeftResult check_numbers(const WfRepair* r) {
    for (int p = 0; p < r->pattern->panel_count; p++) {
        WeftPanel* panel = &r->pattern->panels[p];
        WeftResult result = check_place(r, panel);
        for (int s = 0; s < panel->side_count && !result; s++)
            result = check_loop_numbers(r, panel, &panel->sides[s].curve, s, 0);
        for (int h = 0; h < panel->hole_count && !result; h++)
            for (int s = 0; s < panel->holes[h].side_count && !result; s++)
                result = check_loop_numbers(r, panel, &panel->holes[h].sides[s], s, h + 1);
        if (result) return result;
    }
    return WEFT_OK;
}

static WeftResult check_names(const WfRepair* r) {
    const WeftPanel* panels = r->pattern->panels;
    int count = r->pattern->panel_count;
    if (count < 1) return wf_fail(r->error, WEFT_ERROR_INPUT, "the pattern has no panels");
    for (int p = 0; p < count; p++)
        if (!panels[p].name[0])
            return wf_fail(r->error, WEFT_ERROR_INPUT, "panel %d has no name", p);
    WfName* names = wf_alloc(&r->memory, (size_t)count, sizeof *names);
    if (!names) return wf_fail_memory(r->error);
    WeftResult result = WEFT_OK;
    for (int p = 0; p < count; p++) names[p] = (WfName){panels[p].name, p};
    wf_sort_names(names, count);
    for (int i = 1; i < count && !result; i++)
        if (strcmp(names[i - 1].text, names[i].text) == 0)
            result =
                wf_fail(r->error, WEFT_ERROR_INPUT, "two panels are called \"%s\"", names[i].text);
    wf_free(&r->memory, names);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Seams

static bool is_same_chain(const WeftSeam* a, int k, const WeftSeam* b, int l) {
    if (a->count[k] != b->count[l]) return false;
    for (int i = 0; i < a->count[k]; i++)
        if (!wf_same_side(a->chain[k][i], b->chain[l][i])) return false;
    return true;
}

static bool is_same_seam(const WeftSeam* a, const WeftSeam* b) {
    return (is_same_chain(a, 0, b, 0) && is_same_chain(a, 1, b, 1)) ||
           (is_same_chain(a, 0, b, 1) && is_same_chain(a, 1, b, 0));
}

void wf_drop_seam(WfRepair* r, int index) {
    WeftPattern* pattern = r->pattern;
    wf_free_seam(&r->memory, &pattern->seams[index]);
    pattern->seam_count--;
    for (int i = index; i < pattern->seam_count; i++) pattern->seams[i] = pattern->seams[i + 1];
    pattern->seams[pattern->seam_count] = (WeftSeam){0};
}

static WeftResult check_chain(const WfRepair* r, int index, const WeftSeam* seam, int k) {
    if (seam->count[k] < 1 || !seam->chain[k])
        return wf_fail(r->error, WEFT_ERROR_INPUT, "seam %d has no side to sew to", index);
    for (int i = 0; i < seam->count[k]; i++) {
        WeftSideName name = seam->chain[k][i];
        if (name.panel < 0 || name.panel >= r->pattern->panel_count)
            return wf_fail(r->error, WEFT_ERROR_INPUT,
                           "seam %d names panel %d, but there are only %d panels", index,
                           name.panel, r->pattern->panel_count);
        const WeftPanel* panel = &r->pattern->panels[name.panel];
        if (name.side < 0 || name.side >= panel->side_count)
            return wf_fail(r->error, WEFT_ERROR_INPUT,
                           "seam %d: panel \"%s\" has no side %d, only 0 to %d", index, panel->name,
                           name.side, panel->side_count - 1);
    }
    return WEFT_OK;
}

// Note whose sides the seam takes. Sides have one seam each.
static WeftResult use_sides(const WfRepair* r, int index) {
    const WeftSeam* seam = &r->pattern->seams[index];
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < seam->count[k]; j++) {
            WeftSideName name = seam->chain[k][j];
            int* use = &r->uses[r->first[name.panel] + name.side];
            if (*use > 0)
                return wf_fail(r->error, WEFT_ERROR_INPUT,
                               *use == index + 1
                                   ? "side %d of panel \"%s\" is sewn to itself"
                                   : "side %d of panel \"%s\" is in more than one seam",
                               wf_side_number(r, name), wf_side_panel(r, name));
            *use = index + 1;
        }
    }
    return WEFT_OK;
}

// A seam that is there already shares its first side with itself.
static WeftResult check_uses(WfRepair* r) {
    WeftResult result = WEFT_OK;
    for (int i = 0; i < r->pattern->seam_count && !result;) {
        const WeftSeam* seam = &r->pattern->seams[i];
        WeftSideName name = seam->chain[0][0];
        int twin = r->uses[r->first[name.panel] + name.side] - 1;
        if (twin < 0 || !is_same_seam(&r->pattern->seams[twin], seam)) {
            result = use_sides(r, i++);
            continue;
        }
        name = r->pattern->seams[twin].chain[0][0];
        result = wf_find(r->findings, r->error,
                         "side %d of panel \"%s\": its seam was there twice, once is enough",
                         wf_side_number(r, name), wf_side_panel(r, name));
        wf_drop_seam(r, i);
    }
    return result;
}

// A chain of neighbours of one panel, listed against their direction, is listed along it instead.
static void order_chain(const WfRepair* r, WeftSeam* seam, int k) {
    WeftSideName* chain = seam->chain[k];
    int count = seam->count[k];
    for (int i = 1; i < count; i++) {
        if (chain[i].panel != chain[0].panel) return;
        int sides = r->pattern->panels[chain[0].panel].side_count;
        if ((chain[i].side + 1) % sides != chain[i - 1].side) return;
        if (sides == 2) return;
    }
    if (count < 2) return;
    for (int i = 0; i < count / 2; i++) {
        WeftSideName other = chain[i];
        chain[i] = chain[count - 1 - i];
        chain[count - 1 - i] = other;
    }
    wf_turn_ends(seam);
}

static WeftResult check_seams(WfRepair* r) {
    WeftResult result = WEFT_OK;
    for (int i = 0; i < r->pattern->seam_count && !result; i++)
        for (int k = 0; k < 2 && !result; k++) result = check_chain(r, i, &r->pattern->seams[i], k);
    if (!result) result = check_uses(r);
    for (int i = 0; i < r->pattern->seam_count && !result; i++)
        for (int k = 0; k < 2; k++) order_chain(r, &r->pattern->seams[i], k);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Lengths

static double chain_length(const WfRepair* r, const WeftSeam* seam, int k) {
    double length = 0;
    for (int i = 0; i < seam->count[k]; i++)
        length +=
            weft_side_length(&r->pattern->panels[seam->chain[k][i].panel], seam->chain[k][i].side);
    return length;
}

static WeftResult check_lengths(const WfRepair* r) {
    WeftResult result = WEFT_OK;
    for (int i = 0; i < r->pattern->seam_count && !result; i++) {
        const WeftSeam* seam = &r->pattern->seams[i];
        double a = chain_length(r, seam, 0), b = chain_length(r, seam, 1);
        double ratio = fmax(a, b) / fmin(a, b);
        if (ratio <= ODD_RATIO) continue;
        WeftSideName one = seam->chain[0][0], other = seam->chain[1][0];
        char text[240];
        snprintf(text, sizeof text,
                 "side %d of panel \"%s\" (%.1f mm) is sewn to side %d of panel \"%s\" (%.1f mm)",
                 wf_side_number(r, one), wf_side_panel(r, one), 1e3 * a, wf_side_number(r, other),
                 wf_side_panel(r, other), 1e3 * b);
        if (ratio > WRONG_RATIO)
            return wf_fail(r->error, WEFT_ERROR_INPUT,
                           "%s: more than ten times as long cannot be meant", text);
        result = wf_find(r->findings, r->error, "%s: is that meant?", text);
    }
    return result;
}

static WeftResult check_size(const WfRepair* r) {
    double largest = 0;
    for (int p = 0; p < r->pattern->panel_count; p++) {
        const WeftPanel* panel = &r->pattern->panels[p];
        double low[2] = {HUGE_VAL, HUGE_VAL}, size = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int s = 0; s < panel->side_count; s++)
                for (int k = 0; k < 2; k++) {
                    low[k] = fmin(low[k], panel->sides[s].curve.end[k]);
                    if (pass == 1) size = fmax(size, panel->sides[s].curve.end[k] - low[k]);
                }
        largest = fmax(largest, size);
        if (size <= LARGE_PANEL) continue;
        WeftResult result =
            wf_find(r->findings, r->error, "panel \"%s\" is %.3g m large: is the unit right?",
                    panel->name, size);
        if (result) return result;
    }
    if (largest >= SMALL_PATTERN) return WEFT_OK;
    return wf_find(r->findings, r->error, "the largest panel has %.3g mm: is the unit right?",
                   1e3 * largest);
}

// ---------------------------------------------------------------------------------------------

static WeftResult number_sides(WfRepair* r) {
    const WeftPattern* pattern = r->pattern;
    r->first = wf_alloc(&r->memory, (size_t)pattern->panel_count + 1, sizeof *r->first);
    if (!r->first) return wf_fail_memory(r->error);
    for (int p = 0; p < pattern->panel_count; p++)
        r->first[p + 1] = r->first[p] + pattern->panels[p].side_count;
    size_t count = (size_t)r->first[pattern->panel_count];
    r->uses = wf_alloc(&r->memory, count, sizeof *r->uses);
    if (!r->uses) return wf_fail_memory(r->error);
    for (int p = 0; p < pattern->panel_count; p++)
        for (int s = 0; s < pattern->panels[p].side_count; s++)
            if (pattern->panels[p].sides[s].number == 0) pattern->panels[p].sides[s].number = s + 1;
    return WEFT_OK;
}

WeftResult weft_repair_pattern(WeftPattern* pattern, WeftFindings* findings, WeftError* error) {
    wf_assert(pattern);
    WfRepair r = {.pattern = pattern,
                  .memory = wf_allocator(&pattern->allocator),
                  .findings = findings,
                  .error = error};
    WeftResult result = number_sides(&r);
    if (!result) result = check_names(&r);
    if (!result) result = check_numbers(&r);
    if (!result) result = check_seams(&r);
    for (int p = 0; p < pattern->panel_count && !result; p++) result = wf_mend_panel(&r, p);
    if (!result) result = check_lengths(&r);
    if (!result) result = check_size(&r);
    if (!result) result = wf_turn_panels(pattern, findings, error);
    wf_free(&r.memory, r.first);
    wf_free(&r.memory, r.uses);
    return result;
}
