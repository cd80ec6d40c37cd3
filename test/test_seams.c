// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/seams.c: both chains of every seam are cut into the same number of edges, at the
// same parts of their length, however knots travel from seam to seam; and the ends that belong
// together meet.

#include "garment/seams.h"

#include "garment_test.h"

#define SLACK 0.2  // of an edge: as seams.c has it

static Counting counting;

static WeftResult cut(const Kit* kit, double edge, WfSeams* seams) {
    WeftAllocator allocator = counting_allocator(&counting);
    kit_error = (WeftError){0};
    return wf_seams_create(&allocator, &kit->pattern, edge, seams, NULL, &kit_error);
}

static void put_away(WfSeams* seams) {
    WeftAllocator allocator = counting_allocator(&counting);
    wf_seams_destroy(&allocator, seams);
    CHECK(counting.live == 0);
}

// Points run from 0 on, each after the one before, and edges are not much longer than asked.
static void check_side(const WfCutSide* side, double edge) {
    double length = wf_curve_length(&side->curve), longest = 0;
    int backwards = side->parts[0] != 0;
    for (int i = 0; i < side->point_count; i++) {
        double next = i + 1 < side->point_count ? side->parts[i + 1] : 1;
        backwards += !(next > side->parts[i]);
        longest = fmax(longest, (next - side->parts[i]) * length);
    }
    CHECK(backwards == 0);
    CHECK_BELOW(longest, 1.5 * edge);
    CHECK(side->knots[0] == 0 && side->knots[side->knot_count - 1] == 1);
}

static double line_length(const WfSeams* seams, const WfSeamLine* line, int chain) {
    double sum = 0;
    for (int i = 0; i < line->count[chain]; i++)
        sum += wf_curve_length(&seams->sides[line->links[chain][i].side].curve);
    return sum;
}

// Both chains stop at the same parts of their length and end together; returns the edges.
static int check_line(const WfSeams* seams, const WfSeamLine* line, double edge) {
    double longest = fmax(line_length(seams, line, 0), line_length(seams, line, 1));
    WfStop a = wf_first_stop(seams, line, 0), b = wf_first_stop(seams, line, 1);
    bool more_a = true, more_b = true;
    int edges = 0, unequal = 0;
    double apart = 0, last[2] = {0, 0};
    while (more_a && more_b) {
        apart = fmax(apart, fabs(a.at - b.at));
        unequal += seams->sides[a.link->side].edges[a.interval] !=
                   seams->sides[b.link->side].edges[b.interval];
        unequal += !(a.at > last[0] && b.at > last[1]);
        edges += seams->sides[a.link->side].edges[a.interval];
        last[0] = a.at, last[1] = b.at;
        more_a = wf_next_stop(seams, line, 0, &a);
        more_b = wf_next_stop(seams, line, 1, &b);
    }
    CHECK(more_a == more_b);
    CHECK(unequal == 0);
    CHECK_BELOW(apart * longest, SLACK * edge + 1e-9);
    CHECK_NEAR(last[0], 1, 1e-12);
    CHECK_NEAR(last[1], 1, 1e-12);
    return edges;
}

static bool must_cut(const Kit* kit, double edge, WfSeams* seams) {
    if (!CHECK(cut(kit, edge, seams) == WEFT_OK)) {
        printf("%s\n", kit_error.message);
        return false;
    }
    for (int s = 0; s < seams->side_count; s++) check_side(&seams->sides[s], edge);
    for (int l = 0; l < seams->line_count; l++) check_line(seams, &seams->lines[l], edge);
    return true;
}

static void check_cut(const Kit* kit, double edge) {
    WfSeams seams;
    if (must_cut(kit, edge, &seams)) put_away(&seams);
}

// ---------------------------------------------------------------------------------------------
// Counts

static void a_tube(void) {
    Kit* kit = make_tube_kit(0.5, 0.6, 0, 0.2);
    WfSeams seams;
    if (must_cut(kit, 0.05, &seams)) {
        CHECK(seams.panel_count == 2 && seams.side_count == 8 && seams.line_count == 2);
        CHECK(check_line(&seams, &seams.lines[0], 0.05) == 12);
        CHECK(seams.sides[0].point_count == 10);
        CHECK(seams.sides[3].panel == 0 && seams.sides[4].panel == 1);
        put_away(&seams);
    }
    free(kit);
}

// Ease: the longer side decides.
static void unequal_lengths(void) {
    Kit* kit = open_kit();
    add_rectangle(kit, "cuff", 0.2, 0.1);
    place_panel(add_rectangle(kit, "sleeve", 0.33, 0.5), 0, -0.5, 0, 0);
    add_seam(kit, 0, 0, 1, 2);
    WfSeams seams;
    if (must_cut(kit, 0.03, &seams)) {
        CHECK(seams.sides[0].point_count == 11 && seams.sides[6].point_count == 11);
        put_away(&seams);
    }
    free(kit);
}

// One side against three, of two panels.
static void chains_across_panels(void) {
    Kit* kit = open_kit();
    const double points[5][2] = {{0.1, 0}, {0.3, 0.05}, {0.3, 0.4}, {0, 0.4}, {0, 0}};
    add_panel(kit, "left", 5, points);
    place_panel(add_rectangle(kit, "right", 0.2, 0.4), 0.4, 0, 0, 0);
    place_panel(add_rectangle(kit, "below", 0.5, 0.3), 0.25, -0.3, 0, 0);
    const WeftSideName three[3] = {{0, 0}, {0, 1}, {1, 0}}, one[1] = {{2, 2}};
    add_chains(kit, 3, three, 1, one);
    WfSeams seams;
    if (must_cut(kit, 0.04, &seams)) {
        const WfCutSide* below = &seams.sides[5 + 4 + 2];
        CHECK(below->knot_count == 4);
        CHECK(!seams.lines[0].same);
        put_away(&seams);
    }
    free(kit);
}

// A corner of one panel becomes a knot of the side that is sewn to it.
static void knots_travel(void) {
    Kit* kit = open_kit();
    const double points[5][2] = {{0.3, 0}, {0.3, 0.17}, {0.31, 0.5}, {0, 0.5}, {0, 0}};
    add_panel(kit, "first", 5, points);
    place_panel(add_rectangle(kit, "second", 0.2, 0.49), 0.5, 0, 0, 0);
    const WeftSideName two[2] = {{0, 1}, {0, 2}}, one[1] = {{1, 3}};
    add_chains(kit, 2, two, 1, one);
    WfSeams seams;
    if (must_cut(kit, 0.02, &seams)) {
        CHECK(seams.sides[5 + 3].knot_count == 3);
        CHECK_NEAR(seams.sides[5 + 3].knots[1], 1 - 0.17 / (0.17 + hypot(0.01, 0.33)), 1e-9);
        put_away(&seams);
    }
    free(kit);
}

// Through seam after seam: tiers, the lower side of each sewn to the two upper ones of the next.
static void knots_travel_far(void) {
    Kit* kit = open_kit();
    enum { ROW = 8 };
    for (int i = 0; i < ROW; i++) {
        const double points[5][2] = {
            {0.5, 0}, {0.5, 0.3}, {0.13 + 0.02 * i, 0.3}, {0, 0.3}, {0, 0}};
        char name[32];
        snprintf(name, sizeof name, "tier %d", i);
        place_panel(add_panel(kit, name, 5, points), 0, -0.5 * i, 0, 0);
    }
    for (int i = 0; i + 1 < ROW; i++) {
        const WeftSideName one[1] = {{i, 0}}, two[2] = {{i + 1, 2}, {i + 1, 3}};
        add_chains(kit, 1, one, 2, two);
    }
    for (int i = 0; i < ROW; i++) check_cut(kit, 0.01 * (i + 1));
    free(kit);
}

// Two rows that are sewn at both ends carry each other's corners round and round.
static void knots_go_round(void) {
    Kit* kit = open_kit();
    enum { ROUND = 5 };
    for (int i = 0; i < ROUND; i++) {
        double corner = 0.1 + 0.05 * i;
        const double points[6][2] = {{corner, 0}, {0.4, 0}, {0.4, 0.3},
                                     {0.2, 0.3},  {0, 0.3}, {0, 0}};
        char name[32];
        snprintf(name, sizeof name, "gore %d", i);
        place_panel(add_panel(kit, name, 6, points), 0, 0.6 * i, 0, 0);
    }
    for (int i = 0; i < ROUND; i++) {
        int next = (i + 1) % ROUND;
        const WeftSideName above[2] = {{i, 3}, {i, 4}}, below[2] = {{next, 1}, {next, 0}};
        add_chains(kit, 2, above, 2, below)->ends = WEFT_SEAM_SAME;
    }
    check_cut(kit, 0.03);
    check_cut(kit, 0.01);
    free(kit);
}

// A side that is sewn to a chain with itself in it asks for points without end.
static void never_ending_knots(void) {
    Kit* kit = open_kit();
    const double points[4][2] = {{0.4, 0}, {0.4, 0.3}, {0, 0.3}, {0, 0}};
    add_panel(kit, "a", 4, points);
    add_panel(kit, "b", 4, points);
    const WeftSideName one[1] = {{0, 0}}, two[2] = {{0, 0}, {1, 1}};
    add_chains(kit, 1, one, 2, two)->ends = WEFT_SEAM_SAME;
    WfSeams seams;
    WeftResult result = cut(kit, 1e-6, &seams);
    CHECK(result == WEFT_ERROR_INPUT);
    CHECK_TEXT(kit_error.message, "seam 0: it and the seams beside it ask for points without end");
    if (!result) put_away(&seams);
    CHECK(counting.live == 0);
    free(kit);
}

// ---------------------------------------------------------------------------------------------
// Short sides

// A side of 2 mm at the end of a chain was taken for the end of the other chain, and left unsewn.
static void short_side_at_the_end(void) {
    for (int at_start = 0; at_start < 2; at_start++) {
        Kit* kit = open_kit();
        double corner = at_start ? 0.002 : 0.498;
        const double points[5][2] = {{corner, 0}, {0.5, 0}, {0.5, 0.3}, {0, 0.3}, {0, 0}};
        add_panel(kit, "above", 5, points);
        place_panel(add_rectangle(kit, "below", 0.5, 0.3), 0.25, -0.3, 0, 0);
        const WeftSideName two[2] = {{0, 0}, {0, 1}}, one[1] = {{1, 2}};
        add_chains(kit, 2, two, 1, one);
        check_cut(kit, 0.05);
        check_cut(kit, 0.005);
        free(kit);
    }
}

// Two short sides against a corner just behind them: the second was put at the start of the long
// one, as an edge without length.
static void short_sides_against_a_corner(void) {
    Kit* kit = open_kit();
    const double above[6][2] = {{0.002, 0}, {0.005, 0}, {0.5, 0}, {0.5, 0.3}, {0, 0.3}, {0, 0}};
    const double below[5][2] = {{0.5, 0}, {0.5, 0.3}, {0.0075, 0.3}, {0, 0.3}, {0, 0}};
    add_panel(kit, "above", 6, above);
    place_panel(add_panel(kit, "below", 5, below), 0, -0.3, 0, 0);
    const WeftSideName three[3] = {{0, 0}, {0, 1}, {0, 2}}, two[2] = {{1, 3}, {1, 2}};
    add_chains(kit, 3, three, 2, two);
    check_cut(kit, 0.05);
    check_cut(kit, 0.1);
    check_cut(kit, 0.002);
    free(kit);
}

// Sides of 2 mm and up, many of them, against others: whatever the edge.
static void many_short_sides(void) {
    static const double edges[5] = {0.002, 0.005, 0.02, 0.05, 0.1};
    uint32_t seed = 1;
    for (int round = 0; round < 40; round++) {
        Kit* kit = open_kit();
        for (int p = 0; p < 2; p++) {
            double points[KIT_SIDES][2] = {{0}}, u = 0;
            for (int i = 0; i < 8; i++) {
                seed = seed * 1664525u + 1013904223u;
                u += seed >> 31 ? 0.002 + 0.004 * (seed >> 16 & 255) / 255 : 0.1;
                points[i][0] = u;
            }
            points[8][0] = u, points[8][1] = 0.3;
            points[9][1] = 0.3;
            place_panel(add_panel(kit, p ? "b" : "a", 11, (const double(*)[2])points), 0, 0.01 * p,
                        0, 0);
        }
        WeftSideName chains[2][8];
        for (int i = 0; i < 8; i++)
            for (int p = 0; p < 2; p++) chains[p][i] = (WeftSideName){p, i};
        add_chains(kit, 8, chains[0], 8, chains[1])->ends = WEFT_SEAM_SAME;
        check_cut(kit, edges[round % 5]);
        free(kit);
    }
}

// ---------------------------------------------------------------------------------------------
// Ends

// Which ends meet, of two squares side by side; the second one may be turned about its own middle.
static bool meets_same(WeftSeamEnds ends, double degrees, bool right_wrong) {
    Kit* kit = open_kit();
    WfSeams seams;
    add_rectangle(kit, "a", 0.4, 0.4);
    WeftPanel* b = add_rectangle(kit, "b", 0.4, 0.4);
    place_panel(b, 0.5, 0, 0, degrees);
    WeftSeam* seam = add_seam(kit, 0, 1, 1, degrees == 0 ? 3 : 1);
    seam->ends = ends;
    seam->right_wrong = right_wrong;
    bool same = must_cut(kit, 0.1, &seams) && seams.lines[0].same;
    put_away(&seams);
    free(kit);
    return same;
}

static void ends_meet(void) {
    CHECK(!meets_same(WEFT_SEAM_AUTO, 0, false));
    CHECK(meets_same(WEFT_SEAM_AUTO, 180, false));  // turned over: the sides run alike
    CHECK(!meets_same(WEFT_SEAM_OPPOSITE, 180, false));
    CHECK(meets_same(WEFT_SEAM_SAME, 0, false));
    CHECK(!meets_same(WEFT_SEAM_OPPOSITE, 0, true));
    CHECK(meets_same(WEFT_SEAM_SAME, 0, true));
}

// Where one is as near as the other, opposite ends meet, as panels lie side by side.
static void no_end_is_nearer(void) {
    for (int right_wrong = 0; right_wrong < 2; right_wrong++) {
        Kit* kit = open_kit();
        WfSeams seams;
        add_rectangle(kit, "a", 0.4, 0.4);
        const double points[4][2] = {{0.2, 0}, {0.2, 0.4}, {-0.2, 0.4}, {-0.2, 0}};
        WeftPanel* b = add_panel(kit, "b", 4, points);
        place_panel(b, 0.2, 0.2, 0.2, 0);
        // about x by a quarter: its left side is level, and across the right side of a
        b->place.rotation[0] = b->place.rotation[3] = sqrt(0.5);
        add_seam(kit, 0, 1, 1, 3)->right_wrong = right_wrong;
        b->place.position[2] = -0.2;
        b->place.position[0] = 0.5;
        if (must_cut(kit, 0.1, &seams)) {
            CHECK(seams.lines[0].same == (right_wrong == 1));
            put_away(&seams);
        }
        free(kit);
    }
}

// The front and the back of a shirt, with shoulders that close as well either way round: by their
// side seams they show their fronts outside, whichever way the back is drawn. It is told where that
// is not as it should be.
static void shoulders(void) {
    for (int turned = 0; turned < 2; turned++) {
        Kit* kit = make_tube_kit(0.1, 0.6, 0, 0.4);
        WfSeams seams;
        if (turned) turn_over(&kit->panels[1]);
        // side i of a panel that is turned over is side n - 1 - i
        if (turned) kit->seams[0].chain[1]->side = 0, kit->seams[1].chain[1]->side = 2;
        add_seam(kit, 0, 2, 1, turned ? 1 : 2);
        WeftFindings findings = {0};
        WeftAllocator allocator = counting_allocator(&counting);
        CHECK(!wf_seams_create(&allocator, &kit->pattern, 0.05, &seams, &findings, &kit_error));
        CHECK(seams.lines[2].same == (turned == 1));
        CHECK(findings.count == turned);
        weft_destroy_findings(&findings);
        put_away(&seams);
        free(kit);
    }
}

// Chains are turned so that each side goes on where the one before ends, in whatever direction the
// panels run.
static void chains_hang_together(void) {
    for (int turned = 0; turned < 4; turned++) {
        Kit* kit = open_kit();
        WfSeams seams;
        WeftPanel* a = add_rectangle(kit, "a", 0.3, 0.4);
        WeftPanel* b = add_rectangle(kit, "b", 0.3, 0.4);
        place_panel(b, 0.3, 0, 0, 0);
        place_panel(add_rectangle(kit, "long", 0.6, 0.2), 0.15, 0.4, 0, 0);
        // the upper side of a rectangle is its third, or its second where it is turned
        if (turned & 1) turn_over(a);
        if (turned & 2) turn_over(b);
        const WeftSideName two[2] = {{0, turned & 1 ? 1 : 2}, {1, turned & 2 ? 1 : 2}};
        const WeftSideName one[1] = {{2, 0}};
        add_chains(kit, 2, two, 1, one);
        if (must_cut(kit, 0.07, &seams)) {
            const WfSeamLine* line = &seams.lines[0];
            CHECK(line->links[0][0].reversed == !(turned & 1));
            CHECK(line->links[0][1].reversed == !(turned & 2));
            CHECK(line->same && !line->links[1][0].reversed);
            put_away(&seams);
        }
        free(kit);
    }
}

// ---------------------------------------------------------------------------------------------

static void every_allocation(void) {
    Kit* kit = open_kit();
    const double points[5][2] = {{0.2, 0}, {0.5, 0}, {0.5, 0.3}, {0, 0.3}, {0, 0}};
    add_panel(kit, "above", 5, points);
    place_panel(add_rectangle(kit, "below", 0.5, 0.3), 0.25, -0.3, 0, 0);
    const WeftSideName two[2] = {{0, 0}, {0, 1}}, one[1] = {{1, 2}};
    add_chains(kit, 2, two, 1, one);
    WeftResult result = WEFT_ERROR_MEMORY;
    for (int n = 1; result && n < 1000; n++) {
        WfSeams seams;
        counting = (Counting){.fail_at = n};
        result = cut(kit, 0.05, &seams);
        if (result) CHECK(result == WEFT_ERROR_MEMORY && seams.sides == NULL);
        if (result) CHECK_TEXT(kit_error.message, "memory");
        if (!result) CHECK(n > 20);
        put_away(&seams);
    }
    CHECK(result == WEFT_OK);
    counting = (Counting){0};
    free(kit);
}

TEST_MAIN(CASE(a_tube), CASE(unequal_lengths), CASE(chains_across_panels), CASE(knots_travel),
          CASE(knots_travel_far), CASE(knots_go_round), SLOW_CASE(never_ending_knots),
          CASE(short_side_at_the_end), CASE(short_sides_against_a_corner), CASE(many_short_sides),
          CASE(ends_meet), CASE(no_end_is_nearer), CASE(shoulders), CASE(chains_hang_together),
          CASE(every_allocation))
