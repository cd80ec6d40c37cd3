// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The sides of a panel: those that nobody would see are dropped, and seams are renumbered.

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "garment/repair.h"
#include "mesh/curve.h"

static const double SHORTEST = 1e-4;  // m: a tenth of a millimetre is less than a thread

// Take a side out of a chain; returns whether the chain is now empty.
static bool leave_chain(WeftSeam* seam, int k, WeftSideName gone) {
    int kept = 0;
    for (int i = 0; i < seam->count[k]; i++) {
        WeftSideName name = seam->chain[k][i];
        if (wf_same_side(name, gone)) continue;
        if (name.panel == gone.panel && name.side > gone.side) name.side--;
        seam->chain[k][kept++] = name;
    }
    seam->count[k] = kept;
    return kept == 0;
}

static WeftResult leave_seams(WfRepair* r, WeftSideName gone) {
    int number = wf_side_number(r, gone);
    for (int i = r->pattern->seam_count - 1; i >= 0; i--) {
        WeftSeam* seam = &r->pattern->seams[i];
        bool empty = leave_chain(seam, 0, gone);
        empty = leave_chain(seam, 1, gone) || empty;
        if (!empty) continue;
        WeftResult result =
            wf_find(r->findings, r->error, "panel \"%s\": the seam of side %d went with it",
                    wf_side_panel(r, gone), number);
        if (result) return result;
        wf_drop_seam(r, i);
    }
    return WEFT_OK;
}

// Drop a side; the one before it now ends where it ended.
static WeftResult drop_side(WfRepair* r, WeftSideName gone, const char* why) {
    WeftPanel* panel = &r->pattern->panels[gone.panel];
    WeftResult result = wf_find(r->findings, r->error, "panel \"%s\": side %d was dropped: %s",
                                panel->name, wf_side_number(r, gone), why);
    if (!result) result = leave_seams(r, gone);
    if (result) return result;
    WeftPanelSide* before = &panel->sides[gone.side > 0 ? gone.side - 1 : panel->side_count - 1];
    memcpy(before->curve.end, panel->sides[gone.side].curve.end, sizeof before->curve.end);
    panel->side_count--;
    for (int s = gone.side; s < panel->side_count; s++) panel->sides[s] = panel->sides[s + 1];
    return WEFT_OK;
}

static bool is_straight(const WeftSide* side) {
    return side->control_count == 0 && side->bulge == 0;
}

static bool is_sewn(const WfRepair* r, WeftSideName name) {
    for (int i = 0; i < r->pattern->seam_count; i++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < r->pattern->seams[i].count[k]; j++)
                if (wf_same_side(r->pattern->seams[i].chain[k][j], name)) return true;
    return false;
}

// How far p is from the line from a to b.
static double line_distance(const double* a, const double* b, const double* p) {
    double x = b[0] - a[0], y = b[1] - a[1], length = wf_flat_length(x, y);
    return length > 0 ? fabs(x * (p[1] - a[1]) - y * (p[0] - a[0])) / length : 0;
}

// A curve whose control points are on the line between its ends, some perhaps beyond them, runs
// back and forth on itself, or is a line.
static WeftResult straighten(WfRepair* r, WeftPanel* panel, int s) {
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
                   panel->name, panel->sides[s].number - 1);
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

static WeftResult drop_spikes(WfRepair* r, int p) {
    WeftPanel* panel = &r->pattern->panels[p];
    for (int s = 0; s < panel->side_count && panel->side_count > 3;) {
        int next = (s + 1) % panel->side_count;
        if (!is_spike(panel, s, next) || is_sewn(r, (WeftSideName){p, s}) ||
            is_sewn(r, (WeftSideName){p, next})) {
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

static WeftResult drop_short_sides(WfRepair* r, int p) {
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

static WeftResult mend_hole(WfRepair* r, const WeftPanel* panel, int hole) {
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

static WeftResult check_count(const WfRepair* r, const WeftPanel* panel) {
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

WeftResult wf_mend_panel(WfRepair* r, int p) {
    WeftPanel* panel = &r->pattern->panels[p];
    if (panel->side_count < 1)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "panel \"%s\" has no sides", panel->name);
    WeftResult result = drop_short_sides(r, p);
    for (int s = 0; s < panel->side_count && !result; s++) result = straighten(r, panel, s);
    if (!result) result = drop_spikes(r, p);
    if (!result) result = drop_short_sides(r, p);
    for (int h = 0; h < panel->hole_count && !result; h++) result = mend_hole(r, panel, h);
    if (!result) result = check_count(r, panel);
    if (!result) result = wf_check_panel_outline(&r->memory, panel, r->error);
    return result;
}
