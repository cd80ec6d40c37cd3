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
        wf_name_image(to, panel->name, image->name);
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

// Half of a hole that lies on the fold.
typedef struct HalfHole {
    const WeftLoop* loop;
    int count;
    Cut* cuts;
    double start[2], end[2];
} HalfHole;

static const double* hole_side_start(const WeftLoop* hole, int side) {
    return hole->sides[side > 0 ? side - 1 : hole->side_count - 1].end;
}

static HalfHole halve_hole(const WeftLoop* loop, const WfMirrorLoop* mirror, Cut* cuts) {
    HalfHole half = {loop, list_half(loop->side_count, find_place(mirror), cuts), cuts, {0}, {0}};
    Cut first = cuts[0], last = cuts[half.count - 1];
    const double* before = hole_side_start(loop, first.side);
    wf_side_point(before, &loop->sides[first.side], first.part == SECOND_HALF ? 0.5 : 0,
                  half.start);
    before = hole_side_start(loop, last.side);
    WeftSide side = cut_side(before, &loop->sides[last.side], last.part);
    memcpy(half.end, side.end, sizeof half.end);
    return half;
}

static double distance(const double a[2], const double b[2]) {
    return wf_flat_length(a[0] - b[0], a[1] - b[1]);
}

// The fold up to half a hole, which becomes a part of the outline. It begins at the end that is
// nearer to where the fold comes from.
static void add_half_hole(const HalfHole* half, const double from[2], WeftPanel* panel) {
    bool back = distance(half->end, from) < distance(half->start, from);
    add_fold(panel, back ? half->end : half->start);
    WeftPanelSide* sides = panel->sides + panel->side_count;
    for (int i = 0; i < half->count; i++) {
        Cut cut = half->cuts[i];
        WeftPanelSide* side = &panel->sides[panel->side_count++];
        *side = (WeftPanelSide){0};
        side->curve =
            cut_side(hole_side_start(half->loop, cut.side), &half->loop->sides[cut.side], cut.part);
    }
    if (back) reverse_sides(sides, half->count, half->start);
}

// Of the holes on the fold, the nearest to where it comes from that is further away than `last`,
// which becomes its distance; -1: none.
static int find_next_hole(const WfHalving* h, int p, const double from[2], Cut* cuts,
                          double* last) {
    const WfMirrorLoop* loops = h->pairs.loops;
    double nearest = HUGE_VAL;
    int next = -1;
    for (int i = 0; i < h->from->panels[p].hole_count; i++) {
        int at = h->pairs.first[p] + 1 + i;
        if (loops[at].partner != at) continue;
        HalfHole half = halve_hole(&h->from->panels[p].holes[i], &loops[at], cuts);
        double away = fmin(distance(half.start, from), distance(half.end, from));
        if (away > *last && away < nearest) nearest = away, next = i;
    }
    *last = nearest;
    return next;
}

// From the end of the outline back to its beginning, around the holes that lie on the fold.
static void close_half(const WfHalving* h, int p, const double start[2], Cut* cuts,
                       WeftPanel* panel) {
    double from[2], last = -1;
    memcpy(from, panel->sides[panel->side_count - 1].curve.end, sizeof from);
    for (int i; (i = find_next_hole(h, p, from, cuts, &last)) >= 0;) {
        HalfHole half = halve_hole(&h->from->panels[p].holes[i],
                                   &h->pairs.loops[h->pairs.first[p] + 1 + i], cuts);
        add_half_hole(&half, from, panel);
    }
    add_fold(panel, start);
}

// What becomes of the sides of a panel that is cut. How many sides its image has is not known yet.
static void note_pieces(const WfHalving* h, int p, const Cut* cuts, int count) {
    for (int i = 0; i < count; i++) {
        WeftSideName name = {p, cuts[i].side}, kept = {h->to.panel_count - 1, i};
        WfPiece* piece = wf_piece_of(h, name);
        if (cuts[i].part == WHOLE) {
            *piece = (WfPiece){1, {kept}};
            *wf_piece_of(h, wf_paired_side(h, name)) = (WfPiece){-1, {kept}};
        } else {
            *piece = (WfPiece){2, {{-1, 0}, {-1, 0}}};
            piece->names[cuts[i].part == FIRST_HALF ? 0 : 1] = kept;
        }
    }
}

// Of a panel that is not quite symmetric, the middle comes to lie in the plane.
static void move_to_plane(WeftPanelPlace* place, const double start[2], const double end[2]) {
    double off =
        (wf_panel_place(place, start[0], start[1]).x + wf_panel_place(place, end[0], end[1]).x) / 2;
    if (fabs(off) > ROUNDING) place->position[0] -= off;
}

static void cut_outline(WfHalving* h, int p, Cut* cuts, WeftPanel* panel) {
    const WeftPanel* old = &h->from->panels[p];
    const WfMirrorLoop* loop = &h->pairs.loops[h->pairs.first[p]];
    int count = list_half(loop->side_count, find_place(loop), cuts);
    double start[2];
    weft_side_point(old, cuts[0].side, cuts[0].part == SECOND_HALF ? 0.5 : 0, start);
    for (int i = 0; i < count; i++) {
        WeftPanelSide* side = &panel->sides[panel->side_count++];
        *side = old->sides[cuts[i].side];
        side->curve = cut_side(wf_side_start(old, cuts[i].side), &side->curve, cuts[i].part);
    }
    note_pieces(h, p, cuts, count);
    move_to_plane(&panel->place, start, panel->sides[count - 1].curve.end);
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
