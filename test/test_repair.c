// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the repair of patterns: what is mended and said, what is refused by name, and that mending
// what was mended changes nothing.

#include "garment/pattern.h"
#include "pattern_test.h"

#define TOP "{\"weft_pattern\":1,\"panels\":["
#define ONE(sides) TOP "{\"name\":\"p\",\"sides\":[" sides "]}]}"
#define SQUARE "[1,0],[1,1],[0,1],[0,0]"
#define TWO(first, second, seams)                                                   \
    TOP "{\"name\":\"p\",\"sides\":[" first "]},{\"name\":\"q\",\"sides\":[" second \
        "]}],\"seams\":[" seams "]}"

static const double* end_of(const WeftPattern* pattern, int side) {
    return pattern->panels[0].sides[side].curve.end;
}

// ---------------------------------------------------------------------------------------------
// What is mended

static void points_that_are_there_twice(void) {
    WeftPattern pattern;
    if (!parse(TWO("[1,0],[1,0],[1,1],[0,1],[0,0]", SQUARE,
                   "{\"a\":[\"p\",1],\"b\":[\"q\",0]},{\"a\":[\"p\",2],\"b\":[\"q\",3]},"
                   "{\"a\":[[\"p\",3],[\"p\",4]],\"b\":[\"q\",2]}"),
               &pattern))
        return;
    CHECK(pattern.panels[0].side_count == 4 && pattern.seam_count == 2);
    CHECK(pattern.seams[0].chain[0][0].side == 1 && pattern.seams[1].chain[0][1].side == 3);
    CHECK(has_found("panel \"p\": side 1 was dropped: it begins where it ends"));
    CHECK(has_found("panel \"p\": the seam of side 1 went with it"));
    weft_destroy_pattern(&pattern);
}

// A side of a chain goes, and the chain stays; messages keep the numbers of the file.
static void sides_that_nobody_sees(void) {
    WeftPattern pattern;
    if (!parse(TWO("[1,0],[1,5e-5],[1,1],[0.99999,1],[0,1],[0,0]", SQUARE,
                   "{\"a\":[[\"p\",1],[\"p\",2],[\"p\",3]],\"b\":[\"q\",1]}"),
               &pattern))
        return;
    CHECK(pattern.panels[0].side_count == 4);
    CHECK(pattern.seams[0].count[0] == 1 && pattern.seams[0].chain[0][0].side == 1);
    CHECK(end_of(&pattern, 0)[1] == 5e-5 && end_of(&pattern, 1)[0] == 0.99999);
    CHECK(has_found("side 1 was dropped: it is shorter than 0.1 mm"));
    CHECK(has_found("side 3 was dropped: it is shorter than 0.1 mm"));
    weft_destroy_pattern(&pattern);
}

static void curves_that_are_lines(void) {
    WeftPattern pattern;
    if (!parse(ONE("{\"to\":[1,0],\"control\":[[1.5,0]]},[1,1],"
                   "{\"to\":[0,1],\"control\":[[0.7,1],[0.2,1]]},[0,0]"),
               &pattern))
        return;
    CHECK(pattern.panels[0].sides[0].curve.control_count == 0);
    CHECK(pattern.panels[0].sides[2].curve.control_count == 0);
    CHECK(has_found("side 0 is straight now") && has_found("side 2 is straight now"));
    weft_destroy_pattern(&pattern);
}

static void spikes(void) {
    WeftPattern pattern;
    if (!parse(ONE("[1,0],[1,1],[0.5,1],[0.5,1.4],[0.49995,1],[0,1],[0,0]"), &pattern)) return;
    CHECK(has_found("with the one before it, it is a spike"));
    CHECK(pattern.panels[0].side_count == 5);
    weft_destroy_pattern(&pattern);
    // where it is sewn, somebody may have meant it
    parse_with(TWO("[1,0],[1,1],[0.5,1],[0.5,1.4],[0.5,1],[0,1],[0,0]", SQUARE,
                   "{\"a\":[\"p\",3],\"b\":[\"q\",1]}"),
               NULL, &pattern);
    CHECK_TEXT(last.message, "panel \"p\": side 2 and side 4 touch or cross");
}

static void seams_that_are_there_twice(void) {
    WeftPattern pattern;
    if (!parse(TWO(SQUARE, SQUARE,
                   "{\"a\":[\"p\",1],\"b\":[\"q\",3]},{\"a\":[\"q\",3],\"b\":[\"p\",1]}"),
               &pattern))
        return;
    CHECK(pattern.seam_count == 1);
    CHECK(has_found("side 1 of panel \"p\": its seam was there twice"));
    weft_destroy_pattern(&pattern);
}

// A chain against the direction of its panel runs along it afterwards; what it joins stays.
static void chains_listed_backwards(void) {
    WeftPattern pattern;
    if (!parse(TWO(SQUARE, SQUARE,
                   "{\"a\":[[\"p\",2],[\"p\",1]],\"b\":[[\"q\",0],[\"q\",1]],\"ends\":\"same\"}"),
               &pattern))
        return;
    const WeftSeam* seam = &pattern.seams[0];
    CHECK(seam->chain[0][0].side == 1 && seam->chain[0][1].side == 2);
    CHECK(seam->ends == WEFT_SEAM_OPPOSITE && seam->turned);
    weft_destroy_pattern(&pattern);
}

// ---------------------------------------------------------------------------------------------
// Fronts

#define PLACED(name, sides, at) \
    "{\"name\":\"" name "\",\"sides\":[" sides "],\"place\":{\"move\":[" at "]}}"
#define CLOCKWISE "[0,1],[1,1],[1,0],[0,0]"
#define SEAM(a, b) "{\"a\":\"" a "\",\"b\":\"" b "\"}"

// Three squares side by side, of which the middle one runs the other way.
static void panels_are_turned_over(void) {
    WeftPattern pattern;
    if (!parse(TOP PLACED("p", SQUARE, "0,0,0") "," PLACED("q", CLOCKWISE, "1.1,0,0") "," PLACED(
                   "r", SQUARE, "2.2,0,0") "],\"seams\":[" SEAM("p.1", "q.0") "," SEAM("q.2",
                                                                                       "r.3") "]}",
               &pattern))
        return;
    CHECK(found.count == 1 && has_found("panel \"q\" was turned over"));
    CHECK(wf_loop_area(&pattern.panels[1].sides->curve, sizeof(WeftPanelSide), 4) > 0);
    CHECK(pattern.seams[0].chain[1][0].side == 3 && pattern.seams[1].chain[0][0].side == 1);
    CHECK(pattern.seams[0].turned && pattern.seams[1].turned);
    for (int i = 0; i < 2; i++)
        CHECK(wf_seam_sign(&pattern, &pattern.seams[i]) == WF_SEAM_CLEARLY_OPPOSITE);
    weft_destroy_pattern(&pattern);
}

// What the file says counts where nothing is placed, and what is sewn stays sewn.
static void turned_by_what_seams_say(void) {
    WeftPattern pattern;
    static const char* const text =
        TOP "{\"name\":\"p\",\"sides\":[" SQUARE
            "]},{\"name\":\"q\",\"sides\":[[0,0.5],[0.5,0.5],"
            "{\"to\":[0.5,0],\"bulge\":0.2},[0,0]]}],"
            "\"seams\":[{\"a\":\"p.1\",\"b\":\"q.2\",\"ends\":\"same\"%s}]}";
    char written[1024];
    snprintf(written, sizeof written, text, "");
    if (!parse(written, &pattern)) return;
    CHECK(has_found("panel \"q\" was turned over"));
    CHECK(pattern.seams[0].ends == WEFT_SEAM_OPPOSITE && pattern.seams[0].chain[1][0].side == 1);
    CHECK(pattern.panels[1].sides[1].curve.bulge == -0.2);
    weft_destroy_pattern(&pattern);
    snprintf(written, sizeof written, text, ",\"right_wrong\":true");
    if (!parse(written, &pattern)) return;
    CHECK(found.count == 0 && pattern.seams[0].ends == WEFT_SEAM_SAME);
    weft_destroy_pattern(&pattern);
}

// Turning keeps the shape: the same points, in the other order.
static void turning_keeps_the_shape(void) {
    WeftPattern pattern, plain;
    static const char* const curved =
        "[0,0.5],{\"to\":[0.5,0.6],\"control\":[[0.1,0.7]]},"
        "{\"to\":[0.5,0],\"control\":[[0.6,0.5],[0.45,0.1]]},{\"to\":[0,0],\"bulge\":-0.3}";
    char text[1024];
    snprintf(text, sizeof text, TOP "{\"name\":\"q\",\"sides\":[%s]}]}", curved);
    if (!parse(text, &plain)) return;
    snprintf(text, sizeof text,
             TOP "{\"name\":\"p\",\"sides\":[" SQUARE
                 "]},{\"name\":\"q\",\"sides\":[%s]}],"
                 "\"seams\":[{\"a\":\"p.1\",\"b\":\"q.2\",\"ends\":\"same\"}]}",
             curved);
    if (!parse(text, &pattern)) return;
    for (int s = 0; s < 4; s++)
        for (int i = 0; i <= 8; i++) {
            double a[2], b[2];
            weft_side_point(&plain.panels[0], s, i / 8.0, a);
            weft_side_point(&pattern.panels[1], 3 - s, 1 - i / 8.0, b);
            for (int k = 0; k < 2; k++) CHECK_NEAR(a[k], b[k], 1e-15);
        }
    weft_destroy_pattern(&plain);
    weft_destroy_pattern(&pattern);
}

// ---------------------------------------------------------------------------------------------
// What is refused, and what is only remarked on

static void outlines_that_cannot_be_cut(void) {
    refuse(ONE("[1,1],[1,0],[0,1],[0,0]"),
           "t.json: panel \"p\": side 0 and side 2 cross near (0.5, 0.5) m");
    refuse(ONE("[1,0],{\"to\":[1,1],\"control\":[[-1.5,0.5]]},[0,1],[0,0]"),
           "t.json: panel \"p\": side 1 and side 3 cross near (0, 0.2764) m");
    refuse(ONE("[1,0],{\"to\":[1,1],\"control\":[[4,3],[4,-2]]},[0,1],[0,0]"),
           "t.json: panel \"p\": side 1 crosses itself near (1.563, 0.5) m");
    refuse(
        ONE("[1,0],[0,0]"),
        "t.json: panel \"p\" has 2 sides of any length: three are the least, or two with a curve");
    refuse(ONE("[1,0],[2,0],[0,0]"), "t.json: panel \"p\" has no area: its 3 sides enclose 0 mm^2");
    refuse(ONE("[5e-4,0],[5e-4,5e-4],[0,0]"),
           "t.json: panel \"p\" has no area: its 3 sides enclose 0.125 mm^2");
    refuse(ONE("[1,0],[1,1e3],[0,1],[0,0]"),
           "t.json: panel \"p\": side 1 holds something that is no number below 100 m; is the unit "
           "right?");
    refuse(TOP "{\"name\":\"p\",\"sides\":[" SQUARE "],\"holes\":[[[2,2],[3,2],[2,3]]]}]}",
           "t.json: panel \"p\": hole 1 is not inside the outline");
    refuse(TOP "{\"name\":\"p\",\"sides\":[" SQUARE
               "],\"holes\":[[[0.5,0.5],[1.5,0.53],[0.5,0.7]]]}]}",
           "t.json: panel \"p\": side 1 and side 2 of hole 1 cross near (1, 0.615) m");
    WeftPattern pattern;
    if (parse(ONE("{\"to\":[1,0],\"bulge\":0.5},{\"to\":[0,0],\"bulge\":0.5}"), &pattern))
        weft_destroy_pattern(&pattern);
}

static void seams_that_cannot_be_sewn(void) {
    refuse(TWO(SQUARE, "[0.05,0],[0.05,0.05],[0,0]", "{\"a\":[\"p\",1],\"b\":[\"q\",0]}"),
           "t.json: side 1 of panel \"p\" (1000.0 mm) is sewn to side 0 of panel \"q\" (50.0 mm): "
           "more "
           "than ten times as long cannot be meant");
    WeftPattern pattern;
    if (parse(TWO(SQUARE, "[0.2,0],[0.2,0.2],[0,0]", "{\"a\":[\"p\",1],\"b\":[\"q\",0]}"),
              &pattern)) {
        CHECK(has_found("(1000.0 mm) is sewn to side 0 of panel \"q\" (200.0 mm): is that meant?"));
        weft_destroy_pattern(&pattern);
    }
    refuse(
        TWO(SQUARE, SQUARE, "{\"a\":[\"p\",1],\"b\":[\"q\",0]},{\"a\":[\"q\",1],\"b\":[\"p\",1]}"),
        "t.json: side 1 of panel \"p\" is in more than one seam");
}

// Defs by hand can hold what no file can.
static void defs_by_hand(void) {
    WeftPanelSide sides[3] = {
        {.curve = {.end = {1, 0}}}, {.curve = {.end = {0, 1}}}, {.curve = {.end = {0, 0}}}};
    WeftPanel panel = {.name = "p", .side_count = 3, .sides = sides};
    WeftPattern pattern = {.panel_count = 1, .panels = &panel};
    CHECK(weft_repair_pattern(&pattern, NULL, &last) == WEFT_OK);
    sides[1].curve.end[0] = (double)NAN;
    CHECK(weft_repair_pattern(&pattern, NULL, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "panel \"p\": side 1 holds something that is no number");
    sides[1].curve = (WeftSide){.end = {0, 1}, .control_count = 3};
    CHECK(weft_repair_pattern(&pattern, NULL, NULL) == WEFT_ERROR_INPUT);
    sides[1].curve.control_count = 0;
    WeftSideName a = {0, 7}, b = {1, 0};
    WeftSeam seam = {.count = {1, 1}, .chain = {&a, &b}};
    pattern.seams = &seam, pattern.seam_count = 1;
    CHECK(weft_repair_pattern(&pattern, NULL, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "seam 0: panel \"p\" has no side 7, only 0 to 2");
    a.side = 0;
    CHECK(weft_repair_pattern(&pattern, NULL, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "seam 0 names panel 1, but there are only 1 panels");
    pattern.seam_count = 0;
    panel.place.given = true;
    panel.place.rotation[0] = 1;
    CHECK(weft_repair_pattern(&pattern, NULL, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "no unit quaternion");
    pattern.panel_count = 0;
    CHECK(weft_repair_pattern(&pattern, NULL, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "the pattern has no panels");
}

static void sizes_are_remarked_on(void) {
    WeftPattern pattern;
    if (parse(ONE("[40,0],[40,1],[0,1],[0,0]"), &pattern)) {
        CHECK(has_found("panel \"p\" is 40 m large: is the unit right?"));
        weft_destroy_pattern(&pattern);
    }
    if (parse(ONE("[0.01,0],[0.01,0.01],[0,0]"), &pattern)) {
        CHECK(has_found("the largest panel has 10 mm: is the unit right?"));
        weft_destroy_pattern(&pattern);
    }
    weft_destroy_findings(&found);
}

static void mended_once_is_mended(void) {
    static const char* const broken =
        TOP PLACED("p", "[1,0],[1,0],[1,1],[0,1],[0,0]", "0,0,0") "," PLACED(
            "q", CLOCKWISE, "1.1,0,0") "," PLACED("r", SQUARE, "2.2,0,0") "],\"seams\":[" SEAM(
            "p.2", "q.0") "," SEAM("q.2", "r.3") "," SEAM("r.3", "q.2") "]}";
    const char* const texts[] = {own_text, later_text, older_text, broken};
    for (int i = 0; i < 4; i++) {
        WeftPattern once, twice;
        if (!parse(texts[i], &once) || !parse(texts[i], &twice)) return;
        WeftFindings more = {0};
        CHECK(weft_repair_pattern(&twice, &more, &last) == WEFT_OK);
        CHECK(more.count == 0 && same_pattern(&once, &twice));
        weft_destroy_pattern(&once);
        weft_destroy_pattern(&twice);
        weft_destroy_findings(&more);
    }
    weft_destroy_findings(&found);
}

TEST_MAIN(CASE(points_that_are_there_twice), CASE(sides_that_nobody_sees),
          CASE(curves_that_are_lines), CASE(spikes), CASE(seams_that_are_there_twice),
          CASE(chains_listed_backwards), CASE(panels_are_turned_over),
          CASE(turned_by_what_seams_say), CASE(turning_keeps_the_shape),
          CASE(outlines_that_cannot_be_cut), CASE(seams_that_cannot_be_sewn), CASE(defs_by_hand),
          CASE(sizes_are_remarked_on), CASE(mended_once_is_mended))
