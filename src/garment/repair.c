// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From a pattern as a file has it to one that can be cut and sewn, in stages:
//
//     numbers     finite, and of a size that garments have
//     names       of panels, each once
//     seams       name sides that are there, each once; the same seam twice becomes one
//     sides       those that nobody would see are dropped, with the renumbering of seams
//     outlines    closed lines that can be cut (repair_outline.c)
//     lengths     of the two chains of a seam
//     fronts      on one side of the garment (repair_turn.c)
//
// What is mended is told in findings. Messages number sides as they were before any was dropped.

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "garment/pattern.h"
#include "mesh/curve.h"

static const double LARGEST = 100;         // m: beyond it a number is not meant
static const double TIGHTEST = 1e-3;       // m: a curl that a panel cannot have
static const double SHORTEST = 1e-4;       // m: a tenth of a millimetre is less than a thread
static const double LARGE_PANEL = 10;      // m: a finding, as the unit may be wrong
static const double SMALL_PATTERN = 0.02;  // m, likewise
static const double ODD_RATIO = 3;         // gathers are up to two or three times as long
static const double WRONG_RATIO = 10;

typedef struct Repair {
    WeftPattern* pattern;
    WeftAllocator memory;
    WeftFindings* findings;
    WeftError* error;
    int* first;    // per panel: where its numbers begin
    int* numbers;  // per side: as it was numbered at first
    int* uses;     // per side: in how many seams it is
} Repair;

static int* numbers_of(const Repair* r, int panel) { return r->numbers + r->first[panel]; }
static int number_of(const Repair* r, WeftSideName name) {
    return numbers_of(r, name.panel)[name.side];
}
static const char* panel_name(const Repair* r, WeftSideName name) {
    return r->pattern->panels[name.panel].name;
}

// ---------------------------------------------------------------------------------------------
// Numbers and names

static bool is_wild(double x) { return !(fabs(x) <= LARGEST); }

static bool is_wild_side(const WeftSide* side) {
    bool wild = is_wild(side->end[0]) || is_wild(side->end[1]) || is_wild(side->bulge);
    for (int i = 0; i < side->control_count && !wild; i++)
        wild = is_wild(side->control[i][0]) || is_wild(side->control[i][1]);
    return wild;
}

static WeftResult check_loop_numbers(const Repair* r, const WeftPanel* panel, const WeftSide* side,
                                     int number, int hole) {
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

static WeftResult check_place(const Repair* r, const WeftPanel* panel) {
    const WeftPanelPlace* place = &panel->place;
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

static WeftResult check_numbers(const Repair* r) {
    for (int p = 0; p < r->pattern->panel_count; p++) {
        const WeftPanel* panel = &r->pattern->panels[p];
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

static WeftResult check_names(const Repair* r) {
    const WeftPanel* panels = r->pattern->panels;
    if (r->pattern->panel_count < 1)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "the pattern has no panels");
    for (int p = 0; p < r->pattern->panel_count; p++) {
        if (!panels[p].name[0])
            return wf_fail(r->error, WEFT_ERROR_INPUT, "panel %d has no name", p);
        for (int q = 0; q < p; q++)
            if (strcmp(panels[p].name, panels[q].name) == 0)
                return wf_fail(r->error, WEFT_ERROR_INPUT, "two panels are called \"%s\"",
                               panels[p].name);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Seams

static bool is_same_side(WeftSideName a, WeftSideName b) {
    return a.panel == b.panel && a.side == b.side;
}

static bool is_same_chain(const WeftSeam* a, int k, const WeftSeam* b, int l) {
    if (a->count[k] != b->count[l]) return false;
    for (int i = 0; i < a->count[k]; i++)
        if (!is_same_side(a->chain[k][i], b->chain[l][i])) return false;
    return true;
}

static bool is_same_seam(const WeftSeam* a, const WeftSeam* b) {
    return (is_same_chain(a, 0, b, 0) && is_same_chain(a, 1, b, 1)) ||
           (is_same_chain(a, 0, b, 1) && is_same_chain(a, 1, b, 0));
}

static void drop_seam(Repair* r, int index) {
    WeftPattern* pattern = r->pattern;
    wf_free_seam(&r->memory, &pattern->seams[index]);
    pattern->seam_count--;
    for (int i = index; i < pattern->seam_count; i++) pattern->seams[i] = pattern->seams[i + 1];
    pattern->seams[pattern->seam_count] = (WeftSeam){0};
}

static WeftResult check_chain(const Repair* r, int index, const WeftSeam* seam, int k) {
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

static WeftResult drop_twins(Repair* r) {
    for (int i = 0; i < r->pattern->seam_count; i++) {
        const WeftSeam* a = &r->pattern->seams[i];
        for (int j = r->pattern->seam_count - 1; j > i; j--) {
            if (!is_same_seam(a, &r->pattern->seams[j])) continue;
            WeftSideName name = a->chain[0][0];
            WeftResult result =
                wf_find(r->findings, r->error,
                        "side %d of panel \"%s\": its seam was there twice, once is enough",
                        number_of(r, name), panel_name(r, name));
            if (result) return result;
            drop_seam(r, j);
        }
    }
    return WEFT_OK;
}

static WeftResult check_uses(const Repair* r) {
    for (int i = 0; i < r->pattern->seam_count; i++) {
        const WeftSeam* seam = &r->pattern->seams[i];
        for (int k = 0; k < 2; k++) {
            for (int j = 0; j < seam->count[k]; j++) {
                WeftSideName name = seam->chain[k][j];
                int* use = &r->uses[r->first[name.panel] + name.side];
                if (*use == 0) {
                    *use = i + 1;
                    continue;
                }
                return wf_fail(r->error, WEFT_ERROR_INPUT,
                               *use == i + 1 ? "side %d of panel \"%s\" is sewn to itself"
                                             : "side %d of panel \"%s\" is in more than one seam",
                               number_of(r, name), panel_name(r, name));
            }
        }
    }
    return WEFT_OK;
}

// A chain of neighbours of one panel, listed against their direction, is listed along it instead.
static void order_chain(const Repair* r, WeftSeam* seam, int k) {
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
    if (seam->ends != WEFT_SEAM_AUTO)
        seam->ends = seam->ends == WEFT_SEAM_SAME ? WEFT_SEAM_OPPOSITE : WEFT_SEAM_SAME;
}

static WeftResult check_seams(Repair* r) {
    WeftResult result = WEFT_OK;
    for (int i = 0; i < r->pattern->seam_count && !result; i++)
        for (int k = 0; k < 2 && !result; k++) result = check_chain(r, i, &r->pattern->seams[i], k);
    if (!result) result = drop_twins(r);
    if (!result) result = check_uses(r);
    for (int i = 0; i < r->pattern->seam_count && !result; i++)
        for (int k = 0; k < 2; k++) order_chain(r, &r->pattern->seams[i], k);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Sides

// Take a side out of a chain; returns whether the chain is now empty.
static bool leave_chain(WeftSeam* seam, int k, WeftSideName gone) {
    int kept = 0;
    for (int i = 0; i < seam->count[k]; i++) {
        WeftSideName name = seam->chain[k][i];
        if (is_same_side(name, gone)) continue;
        if (name.panel == gone.panel && name.side > gone.side) name.side--;
        seam->chain[k][kept++] = name;
    }
    seam->count[k] = kept;
    return kept == 0;
}

static WeftResult leave_seams(Repair* r, WeftSideName gone) {
    int number = number_of(r, gone);
    for (int i = r->pattern->seam_count - 1; i >= 0; i--) {
        WeftSeam* seam = &r->pattern->seams[i];
        bool empty = leave_chain(seam, 0, gone);
        empty = leave_chain(seam, 1, gone) || empty;
        if (!empty) continue;
        WeftResult result =
            wf_find(r->findings, r->error, "panel \"%s\": the seam of side %d went with it",
                    panel_name(r, gone), number);
        if (result) return result;
        drop_seam(r, i);
    }
    return WEFT_OK;
}

// Drop a side; the one before it now ends where it ended.
static WeftResult drop_side(Repair* r, WeftSideName gone, const char* why) {
    WeftPanel* panel = &r->pattern->panels[gone.panel];
    int* numbers = numbers_of(r, gone.panel);
    WeftResult result = wf_find(r->findings, r->error, "panel \"%s\": side %d was dropped: %s",
                                panel->name, numbers[gone.side], why);
    if (!result) result = leave_seams(r, gone);
    if (result) return result;
    WeftPanelSide* before = &panel->sides[gone.side > 0 ? gone.side - 1 : panel->side_count - 1];
    memcpy(before->curve.end, panel->sides[gone.side].curve.end, sizeof before->curve.end);
    panel->side_count--;
    for (int s = gone.side; s < panel->side_count; s++) {
        panel->sides[s] = panel->sides[s + 1];
        numbers[s] = numbers[s + 1];
    }
    return WEFT_OK;
}

static bool is_straight(const WeftSide* side) {
    return side->control_count == 0 && side->bulge == 0;
}

static bool is_sewn(const Repair* r, WeftSideName name) {
    for (int i = 0; i < r->pattern->seam_count; i++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < r->pattern->seams[i].count[k]; j++)
                if (is_same_side(r->pattern->seams[i].chain[k][j], name)) return true;
    return false;
}

// How far p is from the line from a to b.
static double line_distance(const double* a, const double* b, const double* p) {
    double x = b[0] - a[0], y = b[1] - a[1], length = wf_flat_length(x, y);
    return length > 0 ? fabs(x * (p[1] - a[1]) - y * (p[0] - a[0])) / length : 0;
}

// A curve whose control points are on the line between its ends, some perhaps beyond them, runs
// back and forth on itself, or is a line.
static WeftResult straighten(Repair* r, WeftPanel* panel, int s, int number) {
    WeftSide* side = &panel->sides[s].curve;
    const double* start = wf_side_start(panel, s);
    double chord = wf_flat_length(side->end[0] - start[0], side->end[1] - start[1]);
    if (side->control_count == 0 || chord < SHORTEST) return WEFT_OK;
    for (int i = 0; i < side->control_count; i++)
        if (line_distance(start, side->end, side->control[i]) > 1e-6 * chord) return WEFT_OK;
    side->control_count = 0;
    memset(side->control, 0, sizeof side->control);
    return wf_find(r->findings, r->error,
                   "panel \"%s\": side %d is straight now: its control points are on the line "
                   "between its ends",
                   panel->name, number);
}

// Two straight sides that go there and back, so close that no scissors get in between.
static bool is_spike(const WeftPanel* panel, int s, int next) {
    if (!is_straight(&panel->sides[s].curve) || !is_straight(&panel->sides[next].curve))
        return false;
    const double *a = wf_side_start(panel, s), *tip = panel->sides[s].curve.end,
                 *b = panel->sides[next].curve.end;
    double along = (a[0] - tip[0]) * (b[0] - tip[0]) + (a[1] - tip[1]) * (b[1] - tip[1]);
    double near = fmin(line_distance(tip, a, b), line_distance(tip, b, a));
    return along > 0 && near < SHORTEST;
}

static WeftResult drop_spikes(Repair* r, int p) {
    WeftPanel* panel = &r->pattern->panels[p];
    for (int s = 0; s < panel->side_count && panel->side_count > 3;) {
        int next = (s + 1) % panel->side_count;
        bool sewn = is_sewn(r, (WeftSideName){p, s}) || is_sewn(r, (WeftSideName){p, next});
        if (sewn || !is_spike(panel, s, next)) {
            s++;
            continue;
        }
        WeftResult result =
            drop_side(r, (WeftSideName){p, next}, "with the one before it, it is a spike");
        if (result) return result;
        s = 0;
    }
    return WEFT_OK;
}

static WeftResult drop_short_sides(Repair* r, int p) {
    WeftPanel* panel = &r->pattern->panels[p];
    for (int s = 0; s < panel->side_count && panel->side_count > 1;) {
        double length = weft_side_length(panel, s);
        if (!(length < SHORTEST)) {
            s++;
            continue;
        }
        WeftResult result =
            drop_side(r, (WeftSideName){p, s},
                      length > 0 ? "it is shorter than 0.1 mm" : "it begins where it ends");
        if (result) return result;
    }
    return WEFT_OK;
}

static WeftResult mend_hole(Repair* r, const WeftPanel* panel, int hole) {
    WeftLoop* loop = &panel->holes[hole];
    WeftSide* sides = (WeftSide*)loop->sides;
    for (int s = 0; s < loop->side_count && loop->side_count > 1;) {
        int before = s > 0 ? s - 1 : loop->side_count - 1;
        if (!(wf_side_length(sides[before].end, &sides[s]) < SHORTEST)) {
            s++;
            continue;
        }
        WeftResult result =
            wf_find(r->findings, r->error,
                    "panel \"%s\": side %d of hole %d was dropped: it is shorter than 0.1 mm",
                    panel->name, s, hole + 1);
        if (result) return result;
        memcpy(sides[before].end, sides[s].end, sizeof sides[s].end);
        loop->side_count--;
        for (int i = s; i < loop->side_count; i++) sides[i] = sides[i + 1];
    }
    return WEFT_OK;
}

static WeftResult check_count(const Repair* r, const WeftPanel* panel) {
    int count = panel->side_count;
    bool curved = false;
    for (int s = 0; s < count; s++) curved = curved || !is_straight(&panel->sides[s].curve);
    bool loop = count == 1 && panel->sides[0].curve.control_count == 2;
    if (count >= 3 || (count == 2 && curved) || loop) return WEFT_OK;
    return wf_fail(r->error, WEFT_ERROR_INPUT,
                   "panel \"%s\" has %d side%s of any length: three are the least, or two with a "
                   "curve",
                   panel->name, count, count == 1 ? "" : "s");
}

static WeftResult mend_panel(Repair* r, int p) {
    WeftPanel* panel = &r->pattern->panels[p];
    if (panel->side_count < 1)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "panel \"%s\" has no sides", panel->name);
    WeftResult result = drop_short_sides(r, p);
    for (int s = 0; s < panel->side_count && !result; s++)
        result = straighten(r, panel, s, numbers_of(r, p)[s]);
    if (!result) result = drop_spikes(r, p);
    if (!result) result = drop_short_sides(r, p);
    for (int h = 0; h < panel->hole_count && !result; h++) result = mend_hole(r, panel, h);
    if (!result) result = check_count(r, panel);
    if (!result) result = wf_check_panel_outline(&r->memory, panel, numbers_of(r, p), r->error);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Lengths

static double chain_length(const Repair* r, const WeftSeam* seam, int k) {
    double length = 0;
    for (int i = 0; i < seam->count[k]; i++)
        length +=
            weft_side_length(&r->pattern->panels[seam->chain[k][i].panel], seam->chain[k][i].side);
    return length;
}

static WeftResult check_lengths(const Repair* r) {
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
                 number_of(r, one), panel_name(r, one), 1e3 * a, number_of(r, other),
                 panel_name(r, other), 1e3 * b);
        if (ratio > WRONG_RATIO)
            return wf_fail(r->error, WEFT_ERROR_INPUT,
                           "%s: more than ten times as long cannot be meant", text);
        result = wf_find(r->findings, r->error, "%s: is that meant?", text);
    }
    return result;
}

static WeftResult check_size(const Repair* r) {
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

static WeftResult number_sides(Repair* r) {
    const WeftPattern* pattern = r->pattern;
    r->first = wf_alloc(&r->memory, (size_t)pattern->panel_count + 1, sizeof *r->first);
    if (!r->first) return wf_fail_memory(r->error);
    for (int p = 0; p < pattern->panel_count; p++)
        r->first[p + 1] = r->first[p] + pattern->panels[p].side_count;
    size_t count = (size_t)r->first[pattern->panel_count];
    r->numbers = wf_alloc(&r->memory, count, sizeof *r->numbers);
    r->uses = wf_alloc(&r->memory, count, sizeof *r->uses);
    if (!r->numbers || !r->uses) return wf_fail_memory(r->error);
    for (int p = 0; p < pattern->panel_count; p++)
        for (int s = 0; s < pattern->panels[p].side_count; s++) r->numbers[r->first[p] + s] = s;
    return WEFT_OK;
}

WeftResult weft_repair_pattern(WeftPattern* pattern, WeftFindings* findings, WeftError* error) {
    assert(pattern);
    Repair r = {.pattern = pattern,
                .memory = wf_allocator(&pattern->allocator),
                .findings = findings,
                .error = error};
    WeftResult result = number_sides(&r);
    if (!result) result = check_names(&r);
    if (!result) result = check_numbers(&r);
    if (!result) result = check_seams(&r);
    for (int p = 0; p < pattern->panel_count && !result; p++) result = mend_panel(&r, p);
    if (!result) result = check_lengths(&r);
    if (!result) result = check_size(&r);
    if (!result) result = wf_turn_panels(pattern, findings, error);
    wf_free(&r.memory, r.first);
    wf_free(&r.memory, r.numbers);
    wf_free(&r.memory, r.uses);
    return result;
}
