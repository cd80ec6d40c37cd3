// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which face of a panel is its front goes by the direction of its sides, and drawing programs do
// not mind it. Along a seam the front of one panel goes on as the front of the other where opposite
// ends come together (or the same ends, where the seam says that right lies on wrong):
//
//        +----<----+ +----<----+
//        |  front  | |  front  |      the common line runs up here and down there
//        +---->----+ +---->----+
//
// Seams that say which ends they join, or whose panels lie so that it is plain, vote for or against
// each pair of panels, by their length. The strongest votes are followed first (a spanning forest,
// Kruskal's way, with the parity of every panel to the root of its tree); then, of each part that
// hangs together, the side with less area is turned over.

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/links.h"
#include "base/memory.h"
#include "garment/repair.h"

// What speaks for (positive) or against the fronts of two panels going together, in metres of seam.
typedef struct Vote {
    int a, b;
    double weight;
} Vote;

typedef struct Turning {
    WeftPattern* pattern;
    int vote_count;
    Vote* votes;
    int* root;     // per panel: another one of its tree (base/links.h), itself at the top
    bool* parity;  // per panel: turned relative to that one
    double* area;  // per panel; in roots: of those that are as the root is, less the others
} Turning;

// Panels of one chain lie side by side, whatever seams say.
static const double CHAIN_WEIGHT = 1e6;
static const double LEVEL = 1e-9;  // m^2: areas that count as equal

static void vote(Turning* t, int a, int b, double weight) {
    if (a == b || weight == 0) return;
    t->votes[t->vote_count++] = (Vote){a < b ? a : b, a < b ? b : a, weight};
}

static int compare_panels(const void* left, const void* right) {
    const Vote *a = left, *b = right;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    if (a->b != b->b) return a->b < b->b ? -1 : 1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

// All votes on two panels become one.
static void count_votes(Turning* t) {
    int kept = 0;
    qsort(t->votes, (size_t)t->vote_count, sizeof *t->votes, compare_panels);
    for (int i = 0; i < t->vote_count; i++) {
        Vote next = t->votes[i];
        Vote* last = kept > 0 ? &t->votes[kept - 1] : NULL;
        if (last && last->a == next.a && last->b == next.b)
            last->weight += next.weight;
        else
            t->votes[kept++] = next;
    }
    t->vote_count = kept;
}

// 1: the seam brings together opposite ends, -1: the same; 0: nobody knows.
static int seam_direction(const WeftPattern* pattern, const WeftSeam* seam) {
    if (seam->ends == WEFT_SEAM_OPPOSITE) return 1;
    if (seam->ends == WEFT_SEAM_SAME) return -1;
    WfSeamSign sign = wf_seam_sign(pattern, seam);
    return sign == WF_SEAM_OPEN ? 0 : sign == WF_SEAM_CLEARLY_OPPOSITE ? 1 : -1;
}

static void gather_votes(Turning* t) {
    for (int i = 0; i < t->pattern->seam_count; i++) {
        const WeftSeam* seam = &t->pattern->seams[i];
        WeftSideName first = seam->chain[0][0];
        double length = weft_side_length(&t->pattern->panels[first.panel], first.side);
        int direction = seam_direction(t->pattern, seam) * (seam->right_wrong ? -1 : 1);
        vote(t, first.panel, seam->chain[1][0].panel, direction * length);
        for (int k = 0; k < 2; k++)
            for (int j = 1; j < seam->count[k]; j++)
                vote(t, seam->chain[k][j - 1].panel, seam->chain[k][j].panel, CHAIN_WEIGHT);
    }
}

static int compare_votes(const void* left, const void* right) {
    const Vote *a = left, *b = right;
    double x = fabs(a->weight), y = fabs(b->weight);
    if (x != y) return x > y ? -1 : 1;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static void follow_votes(Turning* t) {
    qsort(t->votes, (size_t)t->vote_count, sizeof *t->votes, compare_votes);
    for (int i = 0; i < t->vote_count; i++) {
        const Vote* v = &t->votes[i];
        bool a_turned, b_turned;
        int a = wf_first_faced(t->root, t->parity, v->a, &a_turned);
        int b = wf_first_faced(t->root, t->parity, v->b, &b_turned);
        if (a == b || v->weight == 0) continue;
        // the lower number stays the root, and stays as it is where areas are equal
        int keep = a < b ? a : b, join = a < b ? b : a;
        wf_link_faced(t->root, t->parity, v->a, v->b, v->weight < 0);
        t->area[keep] += t->parity[join] ? -t->area[join] : t->area[join];
    }
}

// ---------------------------------------------------------------------------------------------
// Turning over

// The side as it is from its end to its start.
static WeftPanelSide reverse_side(const WeftPanel* panel, int s) {
    WeftPanelSide side = panel->sides[s];
    const double* start = wf_side_start(panel, s);
    for (int k = 0; k < 2; k++) {
        side.curve.end[k] = start[k];
        if (side.curve.control_count < 2) continue;
        side.curve.control[0][k] = panel->sides[s].curve.control[1][k];
        side.curve.control[1][k] = panel->sides[s].curve.control[0][k];
    }
    side.curve.bulge = side.curve.bulge != 0 ? -side.curve.bulge : 0;
    return side;
}

// Side i of n becomes side n - 1 - i.
static void turn_panel(WeftPanel* panel, WeftPanelSide* scratch) {
    int count = panel->side_count;
    for (int i = 0; i < count; i++) scratch[count - 1 - i] = reverse_side(panel, i);
    for (int i = 0; i < count; i++) panel->sides[i] = scratch[i];
}

static void reverse_chain(WeftSideName* chain, int count) {
    for (int i = 0; i < count / 2; i++) {
        WeftSideName other = chain[i];
        chain[i] = chain[count - 1 - i];
        chain[count - 1 - i] = other;
    }
}

static void turn_seams(WeftPattern* pattern, const bool* turned) {
    for (int i = 0; i < pattern->seam_count; i++) {
        WeftSeam* seam = &pattern->seams[i];
        for (int k = 0; k < 2; k++) {
            // all panels of a chain are turned, or none: their votes are the strongest
            if (!turned[seam->chain[k][0].panel]) continue;
            for (int j = 0; j < seam->count[k]; j++) {
                WeftSideName* name = &seam->chain[k][j];
                if (turned[name->panel])
                    name->side = pattern->panels[name->panel].side_count - 1 - name->side;
            }
            reverse_chain(seam->chain[k], seam->count[k]);
            wf_turn_ends(seam);
        }
    }
}

static WeftResult turn_over(Turning* t, WeftPanelSide* scratch, bool* turned,
                            WeftFindings* findings, WeftError* error) {
    WeftPattern* pattern = t->pattern;
    WeftResult result = WEFT_OK;
    for (int p = 0; p < pattern->panel_count && !result; p++) {
        int root = wf_first_faced(t->root, t->parity, p, &turned[p]);
        if (t->area[root] < -LEVEL) turned[p] = !turned[p];
        if (!turned[p]) continue;
        turn_panel(&pattern->panels[p], scratch);
        result = wf_find(findings, error,
                         "panel \"%s\" was turned over, so that its front goes on as the front of "
                         "its neighbours: side i is now side %d - i",
                         pattern->panels[p].name, pattern->panels[p].side_count - 1);
    }
    turn_seams(pattern, turned);
    return result;
}

WeftResult wf_turn_panels(WeftPattern* pattern, WeftFindings* findings, WeftError* error) {
    WeftAllocator memory = wf_allocator(&pattern->allocator);
    Turning t = {.pattern = pattern};
    size_t panels = (size_t)pattern->panel_count, links = 0, sides = 0;
    for (int i = 0; i < pattern->seam_count; i++)
        links += (size_t)pattern->seams[i].count[0] + (size_t)pattern->seams[i].count[1];
    for (size_t p = 0; p < panels; p++)
        if ((size_t)pattern->panels[p].side_count > sides)
            sides = (size_t)pattern->panels[p].side_count;
    t.votes = wf_alloc(&memory, links, sizeof *t.votes);
    t.root = wf_alloc(&memory, panels, sizeof *t.root);
    t.parity = wf_alloc(&memory, panels, sizeof *t.parity);
    t.area = wf_alloc(&memory, panels, sizeof *t.area);
    bool* turned = wf_alloc(&memory, panels, sizeof *turned);
    WeftPanelSide* scratch = wf_alloc(&memory, sides, sizeof *scratch);
    WeftResult result = WEFT_OK;
    if (!t.votes || !t.root || !t.parity || !t.area || !turned || !scratch) {
        result = wf_fail_memory(error);
        goto done;
    }
    for (int p = 0; p < pattern->panel_count; p++) {
        const WeftPanel* panel = &pattern->panels[p];
        t.root[p] = p;
        t.area[p] =
            fabs(wf_loop_area(&panel->sides->curve, sizeof *panel->sides, panel->side_count));
    }
    gather_votes(&t);
    count_votes(&t);
    follow_votes(&t);
    result = turn_over(&t, scratch, turned, findings, error);
done:
    wf_free(&memory, t.votes);
    wf_free(&memory, t.root);
    wf_free(&memory, t.parity);
    wf_free(&memory, t.area);
    wf_free(&memory, turned);
    wf_free(&memory, scratch);
    return result;
}
