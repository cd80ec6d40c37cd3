// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A pattern becomes its own mirror image: one half of it is kept, and doubled.
//
//     pairs    which panels, and which seams, are images of each other (mirror_find.c)
//     judge    how far they are from it; refuse what is too far
//     panels   of a pair, the one at x > 0; of a panel that is its own image, the half there. Then
//              the image of each
//     seams    between the new sides; half of those that run across the plane; and their images
//     folds    sew the halves of a panel to each other
//
// A panel that is its own image is cut where its outline is its own image: in the middle of a side,
// or at a corner. There are two such places, for the outline runs the other way in the mirror. No
// other side can cross the plane: it would cross its image there.
//
//         1                    1/2             from b on, half of the way around; places are
//         numbered
//     +-------+              +---+             0 corner, 1 middle of side 0, 2 corner, ...
//     2       0   becomes   on   0
//     +-------+             fold |
//         3                  +---+

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "garment/mirror.h"
#include "garment/pattern.h"
#include "mesh/curve.h"

static const double USUAL_TOLERANCE = 0.005;  // m
static const double TOLD = 1e-4;              // m: deviations below this are not worth a word
static const double ROUNDING = 1e-9;          // m
static const double MOST_GRAIN = 1;           // degrees

// What becomes of a side: one or two new ones, in the order in which it runs.
typedef struct Piece {
    int count;
    WeftSideName names[2];
} Piece;

typedef struct Halving {
    const WeftPattern* from;
    WeftPattern to;
    WeftAllocator memory;
    WfMirrorPairs pairs;
    int* first_side;  // per panel: of `pieces`
    Piece* pieces;    // per side
    int* partners;    // per seam: its image, which may be itself; -1: none
    WeftFindings* findings;
    WeftError* error;
} Halving;

// ---------------------------------------------------------------------------------------------
// Judging

static void name_loop(const Halving* h, const WfMirrorLoop* loop, char text[WEFT_SIDE_TEXT]) {
    bool hole = loop != &h->pairs.loops[h->pairs.first[loop->panel]];
    if (hole)
        snprintf(text, WEFT_SIDE_TEXT, "a hole of panel \"%s\"", h->from->panels[loop->panel].name);
    else
        weft_side_text(h->from, (WeftSideName){loop->panel, loop->side}, text);
}

// Of its unit vector along the warp, at the beginning of side 0, in space.
static WfVec find_warp(const WeftPanel* panel, const double at[2]) {
    const double step = 1e-4;
    double sine, cosine;
    wf_sine_cosine(panel->grain * (WF_PI / 180), &sine, &cosine);
    WfVec there = wf_panel_place(&panel->place, at[0] - step * sine, at[1] + step * cosine);
    return wf_unit(wf_sub(there, wf_panel_place(&panel->place, at[0], at[1])));
}

// Degrees between the warp of a panel's image and that of its partner, which has no sign.
static double compare_warp(const Halving* h, int p) {
    const WfMirrorLoop* loop = &h->pairs.loops[h->pairs.first[p]];
    const WeftPanel *panel = &h->from->panels[p], *other = &h->from->panels[h->pairs.partner[p]];
    int n = loop->side_count, end = (loop->offset % n + n) % n;
    WfVec a = find_warp(panel, wf_side_start(panel, 0));
    WfVec b = find_warp(other, other->sides[end].curve.end);
    a.x = -a.x;
    double across = wf_length(wf_cross(a, b)), along = fabs(wf_dot(a, b));
    return atan2(across, along) * (180 / WF_PI);
}

static WeftResult tell_loop(const Halving* h, const WfMirrorLoop* loop) {
    char a[WEFT_SIDE_TEXT], b[WEFT_SIDE_TEXT];
    name_loop(h, loop, a);
    name_loop(h, &h->pairs.loops[loop->partner], b);
    return wf_find(h->findings, h->error, "%s is %.1f mm from the mirror image of %s", a,
                   1e3 * loop->deviation, b);
}

static WeftResult judge_loops(const Halving* h, WeftPatternSymmetry* s) {
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
static bool is_unpaired(const Halving* h, int p) {
    for (int i = h->pairs.first[p]; i < h->pairs.first[p + 1]; i++)
        if (h->pairs.loops[i].partner < 0) return true;
    return false;
}

static WeftResult judge_panels(const Halving* h, WeftPatternSymmetry* s) {
    WeftResult result = WEFT_OK;
    for (int p = 0; p < h->from->panel_count && !result; p++) {
        const char* name = h->from->panels[p].name;
        if (is_unpaired(h, p)) {
            if (s->unpaired_panels++ == 0) s->unpaired_panel = p;
            result = wf_find(h->findings, h->error, "panel \"%s\" has no mirror image%s", name,
                             h->pairs.partner[p] < 0 ? "" : ": its holes have none");
            continue;
        }
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

static WeftResult refuse_panels(const Halving* h, const WeftPatternSymmetry* s, double tolerance) {
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

static WeftSideName image_of(const Halving* h, WeftSideName name) {
    const WfMirrorLoop* loop = &h->pairs.loops[h->pairs.first[name.panel]];
    int n = loop->side_count;
    return (WeftSideName){h->pairs.partner[name.panel], ((loop->offset - name.side) % n + n) % n};
}

static bool is_same_side(WeftSideName a, WeftSideName b) {
    return a.panel == b.panel && a.side == b.side;
}

// 1: chain l of b is the image of chain k of a, listed the other way round as its sides run; -1: it
// is, listed the same way; 0: it is not.
static int compare_chains(const Halving* h, const WeftSeam* a, int k, const WeftSeam* b, int l) {
    int count = a->count[k];
    bool back = count == b->count[l], forth = back;
    for (int i = 0; i < count && (back || forth); i++) {
        WeftSideName image = image_of(h, a->chain[k][i]);
        back = back && is_same_side(image, b->chain[l][count - 1 - i]);
        forth = forth && is_same_side(image, b->chain[l][i]);
    }
    return back ? 1 : forth ? -1 : 0;
}

// Whether b is the image of a, with chain 0 of a that of chain `other` of b.
static bool is_image_seam(const Halving* h, const WeftSeam* a, const WeftSeam* b, int other) {
    int x = compare_chains(h, a, 0, b, other), y = compare_chains(h, a, 1, b, 1 - other);
    if (x == 0 || y == 0 || a->fold != b->fold || a->right_wrong != b->right_wrong) return false;
    if (a->ends == WEFT_SEAM_AUTO || b->ends == WEFT_SEAM_AUTO) return true;
    return (a->ends == b->ends) == (x == y);
}

static int find_partner(const Halving* h, int seam) {
    const WeftSeam* a = &h->from->seams[seam];
    for (int s = 0; s < h->from->seam_count; s++)
        for (int other = 0; other < 2; other++)
            if (is_image_seam(h, a, &h->from->seams[s], other)) return s;
    return -1;
}

static WeftResult pair_seams(Halving* h, WeftPatternSymmetry* s) {
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

static WeftPanel* add_panel(Halving* h, int from, int sides) {
    const WeftPanel* old = &h->from->panels[from];
    WeftPanel* panel = &h->to.panels[h->to.panel_count++];
    *panel = *old;
    panel->side_count = panel->hole_count = 0;
    panel->sides = wf_alloc(&h->memory, (size_t)sides, sizeof *panel->sides);
    panel->holes = wf_alloc(&h->memory, (size_t)old->hole_count, sizeof *panel->holes);
    return panel->sides && panel->holes ? panel : NULL;
}

static bool add_hole(Halving* h, WeftPanel* panel, const WeftLoop* loop) {
    WeftSide* sides = wf_alloc(&h->memory, (size_t)loop->side_count, sizeof *sides);
    if (!sides) return false;
    memcpy(sides, loop->sides, (size_t)loop->side_count * sizeof *sides);
    panel->holes[panel->hole_count++] = (WeftLoop){loop->side_count, sides};
    return true;
}

// After its panel.
static bool add_image(Halving* h, const char* name) {
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

static Piece* piece_of(const Halving* h, WeftSideName name) {
    return &h->pieces[h->first_side[name.panel] + name.side];
}

// Of two that are images of each other, the one at x > 0.
static bool keep_panel(Halving* h, int p) {
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
        *piece_of(h, name) = (Piece){1, {{number, s}}};
        *piece_of(h, image_of(h, name)) = (Piece){1, {{number + 1, n - 1 - s}}};
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
static double hole_distance(const Halving* h, int p, int hole, const double from[2]) {
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
static void close_half(const Halving* h, int p, const double start[2], Cut* cuts,
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
static void cut_outline(Halving* h, int p, Cut* cuts, WeftPanel* panel) {
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
        Piece* piece = piece_of(h, name);
        if (cuts[i].part == WHOLE) {
            *piece = (Piece){1, {kept}};
            // the image is numbered when the sides are
            *piece_of(h, image_of(h, name)) = (Piece){-1, {kept}};
        } else {
            int own = cuts[i].part == FIRST_HALF ? 0 : 1;
            *piece = (Piece){2, {{-1, 0}, {-1, 0}}};
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
static void number_image(const Halving* h, int p, int panel) {
    int n = h->to.panels[panel].side_count;
    for (int s = 0; s < h->from->panels[p].side_count; s++) {
        Piece* piece = piece_of(h, (WeftSideName){p, s});
        if (piece->count < 0) *piece = (Piece){1, {{panel + 1, n - 1 - piece->names[0].side}}};
        for (int k = 0; k < 2 && piece->count == 2; k++)
            if (piece->names[k].panel < 0)
                piece->names[k] = (WeftSideName){panel + 1, n - 1 - piece->names[1 - k].side};
    }
}

static bool cut_panel(Halving* h, int p) {
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

static WeftResult halve_panels(Halving* h) {
    bool good = true;
    for (int p = 0; p < h->from->panel_count && good; p++) {
        int other = h->pairs.partner[p];
        if (other == p) good = cut_panel(h, p);
        if (other > p) good = keep_panel(h, p);
    }
    return good ? WEFT_OK : wf_fail_memory(h->error);
}

// ---------------------------------------------------------------------------------------------
// Seams

// A chain of new sides; it has room for all.
typedef struct Chain {
    int count;
    WeftSideName* names;
} Chain;

static void expand_chain(const Halving* h, const WeftSeam* seam, int k, Chain* chain) {
    chain->count = 0;
    for (int i = 0; i < seam->count[k]; i++) {
        const Piece* piece = piece_of(h, seam->chain[k][i]);
        // a side that lies across the plane is in the middle of a chain that does: its first piece
        // is on the side of what comes before it
        bool back = i > 0 && piece->count == 2 &&
                    wf_panel_follows(&h->to, chain->names[chain->count - 1].panel) !=
                        wf_panel_follows(&h->to, piece->names[0].panel);
        for (int j = 0; j < piece->count; j++)
            chain->names[chain->count++] = piece->names[back ? piece->count - 1 - j : j];
    }
}

static bool add_seam(Halving* h, const WeftSeam* like, Chain a, Chain b) {
    WeftSeam* seam = &h->to.seams[h->to.seam_count++];
    const Chain chains[2] = {a, b};
    *seam = *like;
    seam->chain[0] = seam->chain[1] = NULL;
    for (int k = 0; k < 2; k++) {
        size_t count = (size_t)chains[k].count;
        seam->chain[k] = wf_alloc(&h->memory, count, sizeof *seam->chain[k]);
        if (!seam->chain[k]) return false;
        seam->count[k] = (int)count;
        memcpy(seam->chain[k], chains[k].names, count * sizeof *seam->chain[k]);
    }
    return true;
}

// The images of a chain's sides, the other way round.
static void mirror_chain(const Halving* h, Chain from, Chain* to) {
    to->count = from.count;
    for (int i = 0; i < from.count; i++)
        to->names[i] = wf_side_image(&h->to, from.names[from.count - 1 - i]);
}

// With its image.
static bool add_seams(Halving* h, const WeftSeam* like, Chain a, Chain b, Chain scratch[2]) {
    mirror_chain(h, a, &scratch[0]);
    mirror_chain(h, b, &scratch[1]);
    return add_seam(h, like, a, b) && add_seam(h, like, scratch[0], scratch[1]);
}

// Where a chain of new sides begins, on which side of the plane.
static bool begins_in_front(const Halving* h, Chain chain) {
    return !wf_panel_follows(&h->to, chain.names[0].panel);
}

static bool add_split(Halving* h, const WeftSeam* like, Chain a, Chain b, Chain scratch[2]) {
    bool same = like->ends == WEFT_SEAM_SAME;
    if (like->ends == WEFT_SEAM_AUTO) same = begins_in_front(h, a) == begins_in_front(h, b);
    a.count /= 2;
    b.count /= 2;
    if (!same) b.names += b.count;
    return add_seams(h, like, a, b, scratch);
}

// One chain is the image of the other: each point is sewn to its own image, where the seam does not
// say otherwise.
static bool add_middle(Halving* h, const WeftSeam* like, Chain a, Chain b, Chain scratch[2]) {
    WeftSeam seam = *like;
    mirror_chain(h, a, &scratch[0]);
    if (seam.ends == WEFT_SEAM_AUTO)
        seam.ends = WEFT_SEAM_OPPOSITE;
    else if (!is_same_side(scratch[0].names[0], b.names[0]))  // listed the other way round
        seam.ends = seam.ends == WEFT_SEAM_SAME ? WEFT_SEAM_OPPOSITE : WEFT_SEAM_SAME;
    return add_seam(h, &seam, a, scratch[0]);
}

static bool is_own_image(const Halving* h, Chain chain) {
    WeftSideName last = wf_side_image(&h->to, chain.names[chain.count - 1]);
    return chain.count % 2 == 0 && is_same_side(last, chain.names[0]);
}

static bool halve_seam(Halving* h, int s, Chain chains[4]) {
    const WeftSeam* seam = &h->from->seams[s];
    expand_chain(h, seam, 0, &chains[0]);
    expand_chain(h, seam, 1, &chains[1]);
    Chain* scratch = chains + 2;
    if (h->partners[s] != s) return add_seams(h, seam, chains[0], chains[1], scratch);
    bool across = is_own_image(h, chains[0]) && is_own_image(h, chains[1]);
    return across ? add_split(h, seam, chains[0], chains[1], scratch)
                  : add_middle(h, seam, chains[0], chains[1], scratch);
}

static bool sew_folds(Halving* h) {
    const WeftSeam like = {.ends = WEFT_SEAM_OPPOSITE};
    for (int p = 0; p < h->to.panel_count; p++)
        for (int s = 0; s < h->to.panels[p].side_count; s++) {
            WeftSideName name = {p, s}, image = wf_side_image(&h->to, name);
            bool fold = h->to.panels[p].sides[s].on_fold && image.panel > p;
            if (fold && !add_seam(h, &like, (Chain){1, &name}, (Chain){1, &image})) return false;
        }
    return true;
}

static WeftResult halve_seams(Halving* h) {
    Chain chains[4] = {0};
    size_t most = 1;
    bool good = true;
    for (int s = 0; s < h->from->seam_count; s++)
        for (int k = 0; k < 2; k++)
            if ((size_t)h->from->seams[s].count[k] > most)
                most = (size_t)h->from->seams[s].count[k];
    for (int i = 0; i < 4; i++) {
        chains[i].names = wf_alloc(&h->memory, 2 * most, sizeof(WeftSideName));
        good = good && chains[i].names;
    }
    for (int s = 0; s < h->from->seam_count && good; s++)
        if (h->partners[s] >= s) good = halve_seam(h, s, chains);
    if (good) good = sew_folds(h);
    for (int i = 0; i < 4; i++) wf_free(&h->memory, chains[i].names);
    return good ? WEFT_OK : wf_fail_memory(h->error);
}

// ---------------------------------------------------------------------------------------------

static WeftResult make_room(Halving* h) {
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
        seams += 1 + (size_t)from->panels[p].hole_count;  // folds
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

static WeftResult judge(Halving* h, double tolerance, WeftPatternSymmetry* symmetry) {
    WeftResult result = wf_find_mirror_pairs(&h->memory, h->from, &h->pairs, h->error);
    if (!result) result = judge_loops(h, symmetry);
    if (!result) result = judge_panels(h, symmetry);
    if (!result) result = refuse_panels(h, symmetry, tolerance);
    return result ? result : pair_seams(h, symmetry);
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
    Halving h = {.from = pattern,
                 .memory = wf_allocator(&pattern->allocator),
                 .findings = findings,
                 .error = error};
    if (!symmetry) symmetry = &unheard;
    *symmetry = (WeftPatternSymmetry){
        .side = {-1, -1}, .grain_panel = -1, .unpaired_panel = -1, .unpaired_seam = -1};
    if (!(tolerance > 0)) tolerance = USUAL_TOLERANCE;
    if (wf_is_mirrored(pattern)) return WEFT_OK;
    WeftResult result = check_places(pattern, error);
    if (!result) result = make_room(&h);
    if (!result) result = judge(&h, tolerance, symmetry);
    if (!result) result = halve_panels(&h);
    if (!result) result = halve_seams(&h);
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
