// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Half of every panel, and its image.
//
// A panel that is its own image is cut where its outline is its own image: in the middle of a side,
// or at a corner. There are two such places, for the outline runs the other way in the mirror. No
// other side can cross the plane: it would cross its image there.
//
//         1                  1, half         places are numbered along the outline: 0 the corner
//     +-------+              +---+           before side 0, 1 the middle of side 0, 2 the next
//     2       0   becomes    |   0           corner, ...
//     +-------+              +---+
//         3               fold  3, half

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "garment/mirror_halving.h"
#include "garment/pattern.h"
#include "mesh/curve.h"

static const double ROUNDING = 1e-9;  // m

// ---------------------------------------------------------------------------------------------
// Sides

typedef enum Part { WHOLE, FIRST_HALF, SECOND_HALF } Part;

typedef struct Cut {
    int side;
    Part part;
} Cut;

// The sides from a place on, half of the way around n of them. Returns how many.
static int list_half(int n, int place, Cut* cuts) {
    int count = 0, at = place, end = place + n;
    if (at % 2) cuts[count++] = (Cut){at++ / 2 % n, SECOND_HALF};
    for (; at + 2 <= end; at += 2) cuts[count++] = (Cut){at / 2 % n, WHOLE};
    if (at < end) cuts[count++] = (Cut){at / 2 % n, FIRST_HALF};
    return count;
}

// Where a loop that is its own image begins to be at x > 0.
static int find_place(const WfMirrorLoop* loop) {
    int n = loop->side_count, place = (loop->offset + 1) % n, points = WF_MIRROR_PARTS * n;
    double balance = 0;
    for (int k = 0; k < points; k++) {
        double x = loop->points[(place * WF_MIRROR_PARTS / 2 + k) % points].x;
        balance += k < points / 2 ? x : -x;
    }
    return balance > 0 ? place : place + n;
}

// A side in two, at its middle: Bezier curves after de Casteljau, arcs of half the angle.
static void halve_side(const double start[2], const WeftSide* side, WeftSide halves[2]) {
    int n = side->control_count + 1;
    double p[4][2], bulge = side->bulge;
    halves[0] = halves[1] = *side;
    if (n == 1) {
        wf_side_point(start, side, 0.5, halves[0].end);
        halves[0].bulge = halves[1].bulge = bulge / (1 + sqrt(1 + bulge * bulge));
        return;
    }
    memcpy(p[0], start, sizeof p[0]);
    for (int i = 1; i < n; i++) memcpy(p[i], side->control[i - 1], sizeof p[i]);
    memcpy(p[n], side->end, sizeof p[n]);
    for (int level = n; level > 0; level--) {
        for (int i = 0; i < level; i++)
            for (int k = 0; k < 2; k++) p[i][k] = (p[i][k] + p[i + 1][k]) / 2;
        // the first of each level is of the first half, the last of the second
        if (level > 1) memcpy(halves[0].control[n - level], p[0], sizeof p[0]);
        if (level > 1) memcpy(halves[1].control[level - 2], p[level - 1], sizeof p[0]);
    }
    memcpy(halves[0].end, p[0], sizeof p[0]);
}

static WeftSide cut_side(const double start[2], const WeftSide* side, Part part) {
    WeftSide halves[2];
    if (part == WHOLE) return *side;
    halve_side(start, side, halves);
    return halves[part == FIRST_HALF ? 0 : 1];
}

// ---------------------------------------------------------------------------------------------
// Panels

static WeftPanel* add_panel(WfHalving* h, int from, int sides) {
    const WeftPanel* old = &h->from->panels[from];
    WeftPanel* panel = &h->to.panels[h->to.panel_count++];
    *panel = *old;
    panel->side_count = panel->hole_count = 0;
    panel->sides = wf_alloc(&h->memory, (size_t)sides, sizeof *panel->sides);
    panel->holes = wf_alloc(&h->memory, (size_t)old->hole_count, sizeof *panel->holes);
    return panel->sides && panel->holes ? panel : NULL;
}

static bool add_hole(WfHalving* h, WeftPanel* panel, const WeftLoop* loop) {
    WeftSide* sides = wf_alloc(&h->memory, (size_t)loop->side_count, sizeof *sides);
    if (!sides) return false;
    memcpy(sides, loop->sides, (size_t)loop->side_count * sizeof *sides);
    panel->holes[panel->hole_count++] = (WeftLoop){loop->side_count, sides};
    return true;
}

// After its panel.
static bool add_image(WfHalving* h, const char* name) {
    WeftPattern* to = &h->to;
    WeftPanel *panel = &to->panels[to->panel_count - 1], *image = &to->panels[to->panel_count++];
    *image = (WeftPanel){0};
    if (name)
        memcpy(image->name, name, WEFT_NAME_SIZE);
    else
        wf_name_image(panel->name, image->name);
    if (wf_mirror_panel(&h->memory, panel, image)) return false;
    panel->image = to->panel_count;
    image->image = to->panel_count - 1;
    return true;
}

// Of two that are images of each other, the one at x > 0.
static bool keep_panel(WfHalving* h, int p) {
    int other = h->pairs.partner[p], number = h->to.panel_count;
    const WfMirrorLoop* loops = h->pairs.loops;
    if (loops[h->pairs.first[other]].x > loops[h->pairs.first[p]].x)
        other = p, p = h->pairs.partner[p];
    const WeftPanel* old = &h->from->panels[p];
    int n = old->side_count;
    WeftPanel* panel = add_panel(h, p, n);
    if (!panel) return false;
    memcpy(panel->sides, old->sides, (size_t)n * sizeof *panel->sides);
    panel->side_count = n;
    for (int i = 0; i < old->hole_count; i++)
        if (!add_hole(h, panel, &old->holes[i])) return false;
    for (int s = 0; s < n; s++) {
        WeftSideName name = {p, s};
        *wf_piece_of(h, name) = (WfPiece){1, {{number, s}}};
        *wf_piece_of(h, wf_paired_side(h, name)) = (WfPiece){1, {{number + 1, n - 1 - s}}};
    }
    return add_image(h, h->from->panels[other].name);
}

static void add_fold(WeftPanel* panel, const double end[2]) {
    WeftPanelSide fold = {.on_fold = true};
    memcpy(fold.curve.end, end, sizeof fold.curve.end);
    panel->sides[panel->side_count++] = fold;
}

// Sides that begin at `start`, the other way round.
static void reverse_sides(WeftPanelSide* sides, int count, const double start[2]) {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        WeftPanelSide other = sides[i];
        sides[i] = sides[j];
        sides[j] = other;
    }
    for (int i = 0; i < count; i++) {
        WeftSide *side = &sides[i].curve, old = *side;
        for (int k = 0; k < old.control_count; k++)
            memcpy(side->control[k], old.control[old.control_count - 1 - k], sizeof old.control[k]);
        side->bulge = -old.bulge;
        memcpy(side->end, i + 1 < count ? sides[i + 1].curve.end : start, sizeof side->end);
    }
}

// Half of a hole in the plane, as a part of the outline; it begins at the end that is nearer to
// where the fold comes from.
static void add_half_hole(const WeftLoop* hole, const WfMirrorLoop* loop, Cut* cuts,
                          const double from[2], WeftPanel* panel) {
    int count = list_half(hole->side_count, find_place(loop), cuts);
    WeftPanelSide* sides = panel->sides + panel->side_count + 1;  // after the fold
    double start[2] = {0, 0}, end[2];
    for (int i = 0; i < count; i++) {
        const double* before =
            hole->sides[cuts[i].side > 0 ? cuts[i].side - 1 : hole->side_count - 1].end;
        sides[i] = (WeftPanelSide){0};
        sides[i].curve = cut_side(before, &hole->sides[cuts[i].side], cuts[i].part);
        if (i > 0) continue;
        memcpy(start, before, sizeof start);
        if (cuts[0].part == SECOND_HALF)
            wf_side_point(before, &hole->sides[cuts[0].side], 0.5, start);
    }
    memcpy(end, sides[count - 1].curve.end, sizeof end);
    bool back = wf_flat_length(end[0] - from[0], end[1] - from[1]) <
                wf_flat_length(start[0] - from[0], start[1] - from[1]);
    add_fold(panel, back ? end : start);
    panel->side_count += count;
    if (back) reverse_sides(sides, count, start);
}

// How far along the fold a hole that lies on it begins; -1: it does not lie on it.
static double hole_distance(const WfHalving* h, int p, int hole, const double from[2]) {
    const WeftLoop* loop = &h->from->panels[p].holes[hole];
    int at = h->pairs.first[p] + 1 + hole;
    double least = HUGE_VAL;
    if (h->pairs.loops[at].partner != at) return -1;
    for (int s = 0; s < loop->side_count; s++)
        least = fmin(least, wf_flat_length(loop->sides[s].end[0] - from[0],
                                           loop->sides[s].end[1] - from[1]));
    return least;
}

// From the end of the outline back to its beginning, around the holes that lie on the fold.
static void close_half(const WfHalving* h, int p, const double start[2], Cut* cuts,
                       WeftPanel* panel) {
    const WeftPanel* old = &h->from->panels[p];
    double from[2], last = -1;
    memcpy(from, panel->sides[panel->side_count - 1].curve.end, sizeof from);
    for (;;) {
        int next = -1;
        double nearest = HUGE_VAL;
        for (int i = 0; i < old->hole_count; i++) {
            double distance = hole_distance(h, p, i, from);
            if (distance > last && distance < nearest) nearest = distance, next = i;
        }
        if (next < 0) break;
        add_half_hole(&old->holes[next], &h->pairs.loops[h->pairs.first[p] + 1 + next], cuts, from,
                      panel);
        last = nearest;
    }
    add_fold(panel, start);
}

// Half of a panel that is its own image, and what becomes of its sides.
static void cut_outline(WfHalving* h, int p, Cut* cuts, WeftPanel* panel) {
    const WeftPanel* old = &h->from->panels[p];
    const WfMirrorLoop* loop = &h->pairs.loops[h->pairs.first[p]];
    int count = list_half(loop->side_count, find_place(loop), cuts);
    double start[2];
    memcpy(start, wf_side_start(old, cuts[0].side), sizeof start);
    if (cuts[0].part == SECOND_HALF) weft_side_point(old, cuts[0].side, 0.5, start);
    for (int i = 0; i < count; i++) {
        WeftPanelSide* side = &panel->sides[panel->side_count++];
        *side = old->sides[cuts[i].side];
        side->curve = cut_side(wf_side_start(old, cuts[i].side), &side->curve, cuts[i].part);
    }
    for (int i = 0; i < count; i++) {
        WeftSideName name = {p, cuts[i].side}, kept = {h->to.panel_count - 1, i};
        WfPiece* piece = wf_piece_of(h, name);
        if (cuts[i].part == WHOLE) {
            *piece = (WfPiece){1, {kept}};
            // the image is numbered when the sides are
            *wf_piece_of(h, wf_paired_side(h, name)) = (WfPiece){-1, {kept}};
        } else {
            int own = cuts[i].part == FIRST_HALF ? 0 : 1;
            *piece = (WfPiece){2, {{-1, 0}, {-1, 0}}};
            piece->names[own] = kept;
        }
    }
    const double* end = panel->sides[count - 1].curve.end;
    double off = (wf_panel_place(&panel->place, start[0], start[1]).x +
                  wf_panel_place(&panel->place, end[0], end[1]).x) /
                 2;
    // of a panel that is not quite symmetric, the middle comes to lie in the plane
    if (fabs(off) > ROUNDING) panel->place.position[0] -= off;
    close_half(h, p, start, cuts, panel);
}

// Names of sides of the image, now that it is known how many it has.
static void number_image(const WfHalving* h, int p, int panel) {
    int n = h->to.panels[panel].side_count;
    for (int s = 0; s < h->from->panels[p].side_count; s++) {
        WfPiece* piece = wf_piece_of(h, (WeftSideName){p, s});
        if (piece->count < 0) *piece = (WfPiece){1, {{panel + 1, n - 1 - piece->names[0].side}}};
        for (int k = 0; k < 2 && piece->count == 2; k++)
            if (piece->names[k].panel < 0)
                piece->names[k] = (WeftSideName){panel + 1, n - 1 - piece->names[1 - k].side};
    }
}

static bool cut_panel(WfHalving* h, int p) {
    const WeftPanel* old = &h->from->panels[p];
    int most = old->side_count + 2, number = h->to.panel_count;
    for (int i = 0; i < old->hole_count; i++) most += old->holes[i].side_count + 2;
    WeftPanel* panel = add_panel(h, p, most);
    Cut* cuts = wf_alloc(&h->memory, (size_t)most, sizeof *cuts);
    bool good = panel && cuts;
    if (good) cut_outline(h, p, cuts, panel);
    for (int i = 0; i < old->hole_count && good; i++) {
        const WfMirrorLoop* loop = &h->pairs.loops[h->pairs.first[p] + 1 + i];
        bool on_fold = loop == &h->pairs.loops[loop->partner];
        if (!on_fold && loop->x > 0) good = add_hole(h, panel, &old->holes[i]);
    }
    if (good) number_image(h, p, number);
    wf_free(&h->memory, cuts);
    return good && add_image(h, NULL);
}

WeftResult wf_halve_panels(WfHalving* h) {
    bool good = true;
    for (int p = 0; p < h->from->panel_count && good; p++) {
        int other = h->pairs.partner[p];
        if (other == p) good = cut_panel(h, p);
        if (other > p) good = keep_panel(h, p);
    }
    return good ? WEFT_OK : wf_fail_memory(h->error);
}
