// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards pattern files: what good files of every form become, that mistakes are named at their
// place, that docs/pattern.md says what the tables do, that what is written reads back, and that
// nothing crashes or leaks on bad files.

#include "counting.h"
#include "document.h"
#include "garment/pattern.h"
#include "io/pattern/read.h"
#include "pattern_test.h"

#define SQUARE "[1,0],[1,1],[0,1],[0,0]"
#define PANEL "{\"name\":\"p\",\"sides\":[" SQUARE "]}"

// ---------------------------------------------------------------------------------------------
// Our own form

static void own_form(void) {
    WeftPattern pattern;
    if (!parse(own_text, &pattern)) return;
    CHECK(found.count == 0);
    CHECK(strcmp(pattern.name, "vest") == 0 && strcmp(pattern.fabric, "denim") == 0);
    CHECK(pattern.panel_count == 3 && pattern.seam_count == 3 && pattern.hold_count == 1);
    const WeftPanel* front = &pattern.panels[0];
    CHECK(front->side_count == 5 && front->hole_count == 1 && front->place.given);
    CHECK_NEAR(front->sides[0].curve.end[0], 0.25, 1e-15);
    CHECK(strcmp(front->sides[1].label, "left side") == 0);
    CHECK(front->sides[2].curve.control_count == 1);
    CHECK(front->sides[3].curve.bulge == -0.2);
    CHECK(front->grain == 30 && front->place.curl == 0.5);
    CHECK(strcmp(pattern.panels[2].fabric, "silk") == 0);
    CHECK(pattern.seams[0].ends == WEFT_SEAM_AUTO && pattern.seams[1].ends == WEFT_SEAM_OPPOSITE);
    CHECK(pattern.holds[0].kind == WEFT_HOLD_BAND && pattern.holds[0].ratio == 0.9);
    CHECK(pattern.holds[0].stretch == 60);
    weft_destroy_pattern(&pattern);
}

static void defaults(void) {
    WeftPattern pattern;
    if (!parse("{\"weft_pattern\":1,\"panels\":[" PANEL "],\"holds\":[{\"label\":\"x\"}]}",
               &pattern))
        return;
    const WeftPanel* panel = &pattern.panels[0];
    CHECK(strcmp(pattern.name, "t") == 0 && !pattern.fabric[0]);
    CHECK(!panel->place.given && panel->place.rotation[3] == 1 && panel->place.curl == 0);
    CHECK(!panel->label[0] && panel->grain == 0 && panel->hole_count == 0);
    CHECK(pattern.holds[0].kind == WEFT_HOLD_WHILE_DRESSING && pattern.holds[0].ratio == 1);
    CHECK(has_found("hold \"x\" holds nothing"));
    weft_destroy_pattern(&pattern);
}

// Every point of a mirror image is at x -> -x of a point of the original, at the same t from the
// other end.
static void mirror_images(void) {
    WeftPattern pattern;
    if (!parse(own_text, &pattern)) return;
    const WeftPanel *left = &pattern.panels[0], *right = &pattern.panels[1];
    CHECK(strcmp(right->name, "front_right") == 0 && strcmp(right->label, "right torso") == 0);
    CHECK(right->grain == -30);
    for (int s = 0; s < left->side_count; s++) {
        int image = left->side_count - 1 - s;
        CHECK_NEAR(weft_side_length(left, s), weft_side_length(right, image), 1e-12);
        for (int i = 0; i <= 4; i++) {
            double a[2], b[2];
            weft_side_point(left, s, i / 4.0, a);
            weft_side_point(right, image, 1 - i / 4.0, b);
            WfVec x = wf_panel_place(&left->place, a[0], a[1]);
            WfVec y = wf_panel_place(&right->place, b[0], b[1]);
            CHECK_NEAR(x.x, -y.x, 1e-12);
            CHECK_NEAR(x.y, y.y, 1e-12);
            CHECK_NEAR(x.z, y.z, 1e-12);
        }
    }
    CHECK(strcmp(right->sides[3].label, "right side") == 0);
    double area = wf_loop_area(&left->sides->curve, sizeof *left->sides, 5);
    CHECK_NEAR(wf_loop_area(&right->sides->curve, sizeof *right->sides, 5), area, 1e-12);
    CHECK(pattern.seams[1].chain[0][0].panel == 1 && pattern.seams[1].chain[0][0].side == 3);
    CHECK(right->holes[0].side_count == 3);
    weft_destroy_pattern(&pattern);
}

static void mirrored_seams(void) {
    WeftPattern pattern;
    static const char* const text =
        "{\"weft_pattern\":1,\"panels\":["
        "{\"name\":\"a\",\"mirror\":\"b\",\"sides\":[[1,0],[1,1],[0.5,1.2],[0,1],[0,0]]},"
        "{\"name\":\"c\",\"mirror\":\"d\",\"sides\":[[1,0],[1,1],[0.5,1.2],[0,1],[0,0]]}],"
        "\"seams\":[{\"a\":[[\"a\",1],[\"a\",2]],\"b\":[\"c.3\",\"c.4\"],\"ends\":\"opposite\","
        "\"mirror\":true}]}";
    if (!parse(text, &pattern)) return;
    CHECK(pattern.seam_count == 2);
    const WeftSeam* seam = &pattern.seams[1];
    CHECK(seam->count[0] == 2 && seam->chain[0][0].panel == 1 && seam->chain[0][0].side == 2);
    CHECK(seam->chain[0][1].side == 3 && seam->chain[1][0].panel == 3);
    CHECK(seam->chain[1][0].side == 0 && seam->chain[1][1].side == 1);
    CHECK(seam->ends == WEFT_SEAM_OPPOSITE);
    weft_destroy_pattern(&pattern);
    // a panel that is its own mirror image has its sides by name
    static const char* const middle =
        "{\"weft_pattern\":1,\"panels\":[{\"name\":\"m\",\"sides\":[[1,0],"
        "{\"to\":[1,1],\"name\":\"left\"},[0,1],{\"to\":[0,0],\"name\":\"%s\"}]},"
        "{\"name\":\"a\",\"mirror\":\"b\",\"sides\":[[1,0],[1,1],[0,1],[0,0]]}],"
        "\"seams\":[{\"a\":\"m.left\",\"b\":\"a.3\",\"mirror\":true}]}";
    char written[1024];
    snprintf(written, sizeof written, middle, "right");
    if (!parse(written, &pattern)) return;
    CHECK(pattern.seams[1].chain[0][0].panel == 0 && pattern.seams[1].chain[0][0].side == 3);
    CHECK(pattern.seams[1].chain[1][0].panel == 2 && pattern.seams[1].chain[1][0].side == 0);
    weft_destroy_pattern(&pattern);
    snprintf(written, sizeof written, middle, "far");
    CHECK(parse_with(written, NULL, &pattern) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "panel \"m\" has no side \"right\"");
}

// One file, two bodies: numbers give way to the body, formulas follow.
static void measures_of_bodies(void) {
    WeftPattern pattern;
    WeftMeasures body = {.chest = 1.1, .waist = 0.8};
    CHECK(parse_with(own_text, &body, &pattern) == WEFT_OK);
    CHECK_NEAR(pattern.panels[0].sides[0].curve.end[0], 0.3, 1e-15);
    weft_destroy_pattern(&pattern);
    static const char* const derived =
        "{\"weft_pattern\":1,\"measures\":{\"waist\":\"0.5 + 0.5\",\"ease\":2},"
        "\"panels\":[{\"name\":\"p\",\"sides\":[[\"waist\",0],[1,\"ease\"],[0,1],[0,0]]}]}";
    CHECK(parse_with(derived, &body, &pattern) == WEFT_OK);
    CHECK(pattern.panels[0].sides[0].curve.end[0] == 1 &&
          pattern.panels[0].sides[1].curve.end[1] == 2);
    weft_destroy_pattern(&pattern);
}

static void formulas(void) {
    WfMeasureValue values[] = {{"chest", 0.9}, {"ease", 0.1}};
    const WfMeasureList measures = {2, values};
    static const struct {
        const char* text;
        double value;
    } good[] = {
        {"1", 1},
        {" 1 + 2 * 3 ", 7},
        {"(1 + 2) * 3", 9},
        {"8 / 2 / 2", 2},
        {"2 - 3 - 4", -5},
        {"-chest + -(-ease)", -0.8},
        {"chest/4+ease", 0.325},
        {"min(3, 1, 2)", 1},
        {"max(chest, 2 * ease)", 0.9},
        {"sqrt(9) * sin(30) + cos(60)", 2},
        {"1e-3 * .5", 0.0005},
    };
    static const struct {
        const char *text, *complaint;
    } bad[] = {
        {"", "something is missing at character 1"},
        {"1 +", "something is missing at character 4"},
        {"1 2", "an operator is missing at character 3"},
        {"(1", ") is missing at character 3"},
        {"1 / (ease - ease)", "division by 0 at character 18"},
        {"chset / 4", "unknown measure \"chset\"; did you mean \"chest\"?"},
        {"hips / 4", "\"hips\" has no default here: give it one in \"measures\""},
        {"wingspan", "unknown measure \"wingspan\": it is not in \"measures\""},
        {"sqrt(0 - 1)", "its value is no number"},
        {"sqrt 2", "( is missing after a function at character 6"},
        {"sin(1, 2)", "too many arguments at character 7"},
        {"1 $ 2", "an operator is missing at character 3"},
        {"* 2", "a number or a name is missing at character 1"},
    };
    char complaint[WF_COMPLAINT];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = (double)NAN;
        CHECK(wf_evaluate(good[i].text, &measures, &value, complaint));
        CHECK_NEAR(value, good[i].value, 1e-15);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value;
        CHECK(!wf_evaluate(bad[i].text, &measures, &value, complaint));
        if (strcmp(complaint, bad[i].complaint) != 0) printf("%s: %s\n", bad[i].text, complaint);
        CHECK(strcmp(complaint, bad[i].complaint) == 0);
    }
    char deep[400];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    double value;
    CHECK(!wf_evaluate(deep, &measures, &value, complaint));
    CHECK_TEXT(complaint, "too deeply nested");
}

#define TOP "{\"weft_pattern\":1,\"panels\":["
static void wrong_words(void) {
    refuse("[]",
           "t.json:1:1: a pattern must be an object with \"weft_pattern\": 1, or with the "
           "\"pattern\" of GarmentCode");
    refuse("{\"weft_pattern\":2,\"panels\":[]}",
           "t.json:1:17: \"weft_pattern\" must be 1, the version of the format");
    refuse("{\"weft_pattern\":1}", "t.json:1:1: \"panels\" is missing here");
    refuse(TOP "]}", "t.json:1:28: a pattern needs panels");
    refuse(TOP PANEL "],\n\"seems\":[]}",
           "t.json:2:1: unknown key \"seems\"; did you mean \"seams\"?");
    refuse(TOP
           "{\"name\":\"p\",\"sides\":[[1,\"hight\"],[1,1],[0,0]]}],\"measures\":{\"height\":1}}",
           "t.json:1:53: \"hight\": unknown measure \"hight\"; did you mean \"height\"?");
    refuse(TOP "{\"name\":\"p\",\"sides\":[" SQUARE "],\"grain\":\"400\"}]}",
           "t.json:1:83: \"grain\" must be -360 to 360 degrees, not 400");
    refuse(TOP "{\"name\":\"p\",\"sides\":[" SQUARE "],\"mirror\":\"p\"}]}",
           "t.json:1:84: two panels are called \"p\"");
    refuse(TOP PANEL "," PANEL "]}", "t.json:1:84: two panels are called \"p\"");
    refuse(TOP "{\"name\":\"p\",\"sides\":[" SQUARE
               "],\"place\":{\"turn\":{},\"rotation\":[0,0,0,1]}}]}",
           "t.json:1:105: give \"turn\" or \"rotation\", not both");
    refuse("{\"weft_pattern\":1,\"measures\":{\"min\":1},\"panels\":[]}",
           "t.json:1:31: \"min\" is no name for a measure: letters, digits and _, and no function");
}

#define SEAMS(a, b) TOP PANEL "],\n\"seams\":[{\"a\":" a ",\"b\":" b "}]}"
static void wrong_seams(void) {
    refuse(SEAMS("[\"q\",1]", "[\"p\",2]"),
           "t.json:2:16: there is no panel \"q\"; did you mean \"p\"?");
    refuse(SEAMS("[\"p\",4]", "[\"p\",2]"), "t.json:2:20: panel \"p\" has no side 4, only 0 to 3");
    refuse(SEAMS("\"p.hem\"", "[\"p\",2]"), "t.json:2:15: panel \"p\" has no side \"hem\"");
    refuse(SEAMS("\"p\"", "[\"p\",2]"),
           "t.json:2:15: write a side as \"panel.side\" or [\"panel\", side]");
    refuse(SEAMS("[]", "[\"p\",2]"), "t.json:2:15: a side, or a list of sides, is due here");
    refuse(SEAMS("[\"p\",1]", "[\"p\",1]"), "t.json: side 1 of panel \"p\" is sewn to itself");
    refuse(SEAMS("[\"p\",1]", "[\"p\",2],\"ends\":\"both\""),
           "t.json:2:42: \"ends\" must be \"auto\", \"opposite\" or \"same\", not \"both\"");
    refuse(SEAMS("[\"p\",1]", "[\"p\",2],\"mirror\":true"),
           "t.json:2:10: panel \"p\" has no \"mirror\", and its side 1 is neither called left nor "
           "right");
}

// ---------------------------------------------------------------------------------------------
// GarmentCode

static void later_form(void) {
    WeftPattern pattern;
    if (!parse(later_text, &pattern)) return;
    CHECK(found.count == 0);
    CHECK(pattern.panel_count == 2 && pattern.seam_count == 2);
    const WeftPanel *back = &pattern.panels[0], *front = &pattern.panels[1];
    CHECK(strcmp(back->name, "back") == 0 && strcmp(front->label, "body") == 0);
    CHECK(strcmp(front->sides[0].label, "hem") == 0);
    CHECK_NEAR(front->place.position[2], 0.2, 1e-15);
    CHECK_NEAR(front->sides[1].curve.end[1], 0.5, 1e-15);
    // from (0.4, 0.5) to (0, 0.5) the left is down
    CHECK_NEAR(front->sides[2].curve.control[0][0], 0.2, 1e-15);
    CHECK_NEAR(front->sides[2].curve.control[0][1], 0.42, 1e-15);
    // radius 0.25 over a chord of 0.4 is 0.1 high; from (0, 0.5) to (0.4, 0.5) the right is down
    CHECK_NEAR(back->sides[1].curve.bulge, 0.5, 1e-12);
    double middle[2];
    weft_side_point(back, 1, 0.5, middle);
    CHECK_NEAR(middle[1], 0.4, 1e-12);
    CHECK(back->sides[2].curve.control_count == 2);
    for (int i = 0; i < 2; i++) CHECK(pattern.seams[i].ends == WEFT_SEAM_OPPOSITE);
    weft_destroy_pattern(&pattern);
}

// Tilted about x first, then turned about y; a third of a centimetre is the unit.
static void older_form(void) {
    WeftPattern pattern;
    if (!parse(older_text, &pattern)) return;
    const WeftPanel* left = &pattern.panels[0];
    WfVec top = wf_panel_place(&left->place, 0, 0.3), start = wf_panel_place(&left->place, 0, 0);
    WfVec up = wf_sub(top, start);
    CHECK_NEAR(start.x, 0.1, 1e-12);
    CHECK_NEAR(up.x, -0.15, 1e-12);  // (0, cos 30, -sin 30), turned to -x
    CHECK_NEAR(up.y, 0.3 * 0.8660254037844386, 1e-12);
    CHECK_NEAR(up.z, 0, 1e-12);
    CHECK_NEAR(left->sides[0].curve.end[0], -0.05, 1e-15);
    CHECK_NEAR(left->sides[0].curve.control[0][1], 0.29, 1e-12);  // (0.1 long, to the left: down)
    weft_destroy_pattern(&pattern);
}

// A small panel of the older form between `head` and the rest.
#define FILE_OF(vertices, edges, stitches)                                             \
    "{\"pattern\":{\"panels\":{\"p\":{\"translation\":[0,0,0],\"rotation\":[0,0,0],\n" \
    "\"vertices\":[" vertices "],\n\"edges\":[" edges "]}},\n\"stitches\":[" stitches  \
    "]},\"properties\":{\"units_in_meter\":1}}"
#define CORNERS "[0,0],[1,0],[1,1],[0,1]"
#define EDGE(a, b) "{\"endpoints\":[" #a "," #b "]}"
#define RING EDGE(0, 1) "," EDGE(1, 2) "," EDGE(2, 3) "," EDGE(3, 0)
#define STITCH(e, f) "[{\"panel\":\"p\",\"edge\":" #e "},{\"panel\":\"p\",\"edge\":" #f "}]"

static void edges_in_any_order(void) {
    WeftPattern pattern;
    if (!parse(
            FILE_OF(CORNERS, EDGE(0, 1) "," EDGE(2, 3) "," EDGE(3, 0) "," EDGE(2, 1), STITCH(0, 3)),
            &pattern))
        return;
    CHECK(has_found("its edges were put in order"));
    const WeftPanel* panel = &pattern.panels[0];
    CHECK(panel->side_count == 4 && panel->sides[0].curve.end[0] == 1);
    CHECK(panel->sides[1].curve.end[1] == 1 && panel->sides[1].curve.end[0] == 1);
    CHECK(pattern.seams[0].chain[1][0].side == 1);
    weft_destroy_pattern(&pattern);

    // more edges run one way than the other: that way it is
    if (!parse(FILE_OF(CORNERS, EDGE(0, 1) "," EDGE(2, 1) "," EDGE(3, 2) "," EDGE(0, 3), ""),
               &pattern))
        return;
    CHECK(pattern.panels[0].sides[0].curve.end[0] == 0);
    CHECK(wf_loop_area(&pattern.panels[0].sides->curve, sizeof(WeftPanelSide), 4) < 0);
    weft_destroy_pattern(&pattern);
}

static void edges_with_holes_and_twins(void) {
    WeftPattern pattern;
    if (!parse(FILE_OF("[0.2,0.2],[0.4,0.2],[0.3,0.4]," CORNERS,
                       EDGE(0, 1) "," EDGE(1, 2) "," EDGE(2, 0) "," EDGE(3, 4) "," EDGE(
                           4, 5) "," EDGE(5, 6) "," EDGE(6, 3),
                       STITCH(3, 5)),
               &pattern))
        return;
    CHECK(pattern.panels[0].side_count == 4 && pattern.panels[0].hole_count == 1);
    CHECK(pattern.seams[0].chain[0][0].side == 0 && pattern.seams[0].chain[1][0].side == 2);
    weft_destroy_pattern(&pattern);

    // the last corner has two numbers, and an edge between them
    if (!parse(FILE_OF(CORNERS ",[0,1]",
                       EDGE(0, 1) "," EDGE(1, 2) "," EDGE(2, 3) "," EDGE(3, 4) "," EDGE(4, 0),
                       STITCH(3, 1) "," STITCH(0, 2)),
               &pattern))
        return;
    CHECK(pattern.panels[0].side_count == 4 && pattern.seam_count == 1);
    CHECK(has_found("side 3 was dropped") && has_found("the seam of side 3 went with it"));
    weft_destroy_pattern(&pattern);
}

static void odd_files(void) {
    WeftPattern pattern;
    static const char* const absolute =
        "{\"pattern\":{\"panels\":{\"p\":{\"vertices\":[" CORNERS "],\"edges\":["
        "{\"endpoints\":[0,1],\"curvature\":[0.5,-0.3]}," EDGE(1, 2) "," EDGE(2, 3) "," EDGE(
            3, 0) "]}}},"
                  "\"properties\":{\"curvature_coords\":\"absolute\",\"units_in_meter\":1}}";
    if (parse(absolute, &pattern)) {
        CHECK(pattern.panels[0].sides[0].curve.control[0][1] == -0.3);
        CHECK(!pattern.panels[0].place.given && pattern.seam_count == 0);
        weft_destroy_pattern(&pattern);
    }
    static const char* const unitless =
        "{\"pattern\":{\"panels\":{\"p\":{\"vertices\":[[0,0],[50,0],[0,50]],\"edges\":[" EDGE(
            0, 1) "," EDGE(1, 2) "," EDGE(2, 0) "]}}}}";
    if (parse(unitless, &pattern)) {
        CHECK(has_found("centimetres are taken"));
        CHECK_NEAR(pattern.panels[0].sides[0].curve.end[0], 0.5, 1e-15);
        weft_destroy_pattern(&pattern);
    }
    if (parse(
            FILE_OF(CORNERS, RING,
                    "[{\"panel\":\"p\",\"edge\":1},{\"panel\":\"p\",\"edge\":3},\"right_wrong\"]"),
            &pattern)) {
        CHECK(pattern.seams[0].right_wrong);
        weft_destroy_pattern(&pattern);
    }
}

// Two squares turned about two axes, of which one lies where the other ends if x is turned last
// (Rx Ry Rz), as writers of the later form mean it; the older form knows x first only.
static void order_of_turns(void) {
    static const char* const text =
        "{\"pattern\":{\"panels\":{"
        "\"a\":{\"translation\":[0,0,0],\"rotation\":[30,60,0],%s\"vertices\":[" CORNERS
        "],\"edges\":[" RING
        "]},"
        "\"b\":{\"translation\":[0.5,0.4330127018922193,-0.75],\"rotation\":[30,60,0],\"vertices\":"
        "[" CORNERS "],\"edges\":[" RING
        "]}},"
        "\"stitches\":[[{\"panel\":\"a\",\"edge\":1},{\"panel\":\"b\",\"edge\":3}]]%s},"
        "\"properties\":{\"units_in_meter\":1}}";
    char written[1024];
    WeftPattern pattern;
    for (int later = 0; later < 2; later++) {
        snprintf(written, sizeof written, text, "", later ? ",\"panel_order\":[\"a\",\"b\"]" : "");
        if (!parse(written, &pattern)) return;
        WfVec end = wf_panel_place(&pattern.panels[0].place, 1, 0);
        CHECK_NEAR(end.x, 0.5, 1e-12);
        CHECK_NEAR(end.y, later ? 0.4330127018922193 : 0, 1e-12);
        weft_destroy_pattern(&pattern);
    }
}

// Far apart, places say little about ends; a hood over a shirt is so. The convention of the files
// says enough.
static void ends_by_convention(void) {
    static const char* const text =
        "{\"pattern\":{\"panels\":{"
        "\"a\":{\"translation\":[0,0,%s],\"rotation\":[0,0,0],\"vertices\":[" CORNERS
        "],\"edges\":[" RING
        "]},"
        "\"b\":{\"translation\":[0,0,0],\"rotation\":[0,0,0],\"vertices\":[" CORNERS
        "],\"edges\":[" RING
        "]}},"
        "\"stitches\":[[{\"panel\":\"a\",\"edge\":1},{\"panel\":\"b\",\"edge\":1}]]},"
        "\"properties\":{\"units_in_meter\":1}}";
    char written[1024];
    WeftPattern pattern;
    for (int near = 0; near < 2; near++) {
        snprintf(written, sizeof written, text, near ? "0.2" : "3");
        if (!parse(written, &pattern)) return;
        CHECK(pattern.seams[0].ends == WEFT_SEAM_OPPOSITE);
        CHECK(found.count == near);  // near by, one of them lies on its face
        if (near) CHECK(has_found("panel \"b\" was turned over"));
        weft_destroy_pattern(&pattern);
    }
}

static void wrong_garmentcode(void) {
    refuse("{\"pattern\":{}}", "t.json:1:12: \"panels\" is missing here");
    refuse(FILE_OF(CORNERS, EDGE(0, 1) "," EDGE(1, 2) "," EDGE(2, 3), ""),
           "t.json:3:9: panel \"p\": 1 edge meets at vertex 0: its edges make no closed line");
    refuse(FILE_OF(CORNERS, EDGE(0, 9), ""),
           "t.json:3:26: panel \"p\": edge 0: an endpoint is a number from 0 to 3");
    refuse(FILE_OF(CORNERS, RING, STITCH(0, 4)),
           "t.json:4:57: stitch 0: panel \"p\" has no edge 4, only 0 to 3");
    refuse(FILE_OF(CORNERS, RING, "[{\"panel\":\"pp\",\"edge\":0},{\"panel\":\"p\",\"edge\":1}]"),
           "t.json:4:23: stitch 0: there is no panel \"pp\"; did you mean \"p\"?");
    refuse(
        FILE_OF(CORNERS, "{\"endpoints\":[0,1],\"curvature\":{\"type\":\"spline\",\"params\":[]}}",
                ""),
        "t.json:3:49: panel \"p\": edge 0: a curve is \"quadratic\", \"cubic\" or \"circle\", not "
        "\"spline\"");
    refuse(FILE_OF("[0,0],[1,1],[1,0],[0,1]", RING, ""),
           "t.json: panel \"p\": side 0 and side 2 cross near (0.5, 0.5) m");
    refuse(FILE_OF(CORNERS, RING, STITCH(0, 1) "," STITCH(1, 2)),
           "t.json: side 1 of panel \"p\" is in more than one seam");
}

// ---------------------------------------------------------------------------------------------
// Writing

static void round_trip(const char* text) {
    WeftPattern first, second = {0};
    if (!parse(text, &first)) return;
    size_t length = weft_print_pattern(&first, NULL, 0);
    char* written = malloc(length + 1);
    CHECK(weft_print_pattern(&first, written, length + 1) == length && strlen(written) == length);
    if (parse(written, &second)) {
        CHECK(found.count == 0);
        CHECK(same_pattern(&first, &second));
    }
    char cut[64];
    CHECK(weft_print_pattern(&first, cut, sizeof cut) == length);
    CHECK(strncmp(cut, written, 63) == 0 && strlen(cut) == 63);
    CHECK(weft_save_pattern("round.json", &first, &last) == WEFT_OK);
    WeftPattern third = {0};
    CHECK(weft_load_pattern("round.json", NULL, NULL, &third, NULL, &last) == WEFT_OK);
    CHECK(same_pattern(&first, &third));
    CHECK(weft_save_pattern("no/such/folder.json", &first, &last) == WEFT_ERROR_FILE);
    free(written);
    weft_destroy_pattern(&first);
    weft_destroy_pattern(&second);
    weft_destroy_pattern(&third);
}

static void written_patterns_read_back(void) {
    round_trip(own_text);
    round_trip(later_text);
    round_trip(older_text);
    round_trip(
        "{\"weft_pattern\":1,\"name\":\"a \\\"b\\\\\\u00e4\",\"panels\":[{\"name\":\"\xc3\xa4.1\","
        "\"sides\":[[-0.0,0.1],[0.30000000000000004,1e-3],{\"to\":[0.1,-0.3],\"bulge\":1e-17}]}]}");
}

// As in the recipe for elastic bands.
static void formulas_in_holds(void) {
    WeftPattern pattern;
    if (parse("{\"weft_pattern\":1,\"measures\":{\"waist\":0.6,\"half\":0.4},\"panels\":[{\"name\":"
              "\"p\","
              "\"sides\":[{\"to\":[1,0],\"label\":\"waist\"},[0,1],[0,0]]}],\"holds\":[{\"label\":"
              "\"waist\",\"kind\":\"band\",\"ratio\":\"0.8 * waist / (2 * half)\"}]}",
              &pattern))
        CHECK_NEAR(pattern.holds[0].ratio, 0.6, 1e-12);
    weft_destroy_pattern(&pattern);
}

// A ring of thousands of panels, of both forms, is read, found by name, mended and sewn in about
// the time that a few take each: what compares all with all takes minutes here.
static void thousands_of_panels(void) {
    enum { COUNT = 5000, ROOM = 300 * COUNT };
    for (int own = 0; own < 2; own++) {
        char *text = malloc(ROOM), *at = text;
        const char* open = own ? "{\"weft_pattern\":1,\"panels\":[" : "{\"pattern\":{\"panels\":{";
        at += sprintf(at, "%s", open);
        for (int i = 0; i < COUNT; i++) {
            double turn = 360.0 * i / COUNT, angle = turn * 3.14159265358979 / 180;
            double place[2] = {30 * sin(angle), 30 * cos(angle)};
            if (own)
                at += sprintf(at,
                              "%s{\"name\":\"p%d\",\"sides\":[[0.03,0],[0.03,0.1],[0,0.1],[0,0]],"
                              "\"place\":{\"move\":[%.9f,1,%.9f],\"turn\":{\"axis\":[0,1,0],"
                              "\"degrees\":%.9f}}}",
                              i ? "," : "", i, place[0], place[1], turn);
            else
                at += sprintf(at,
                              "%s\"p%d\":{\"translation\":[%.9f,1,%.9f],\"rotation\":[0,%.9f,0],"
                              "\"vertices\":[[0,0],[0.03,0],[0.03,0.1],[0,0.1]],\"edges\":["
                              "{\"endpoints\":[0,1]},{\"endpoints\":[1,2]},{\"endpoints\":[2,3]},"
                              "{\"endpoints\":[3,0]}]}",
                              i ? "," : "", i, place[0], place[1], turn);
        }
        at += sprintf(at, own ? "],\"seams\":[" : "},\"stitches\":[");
        for (int i = 0; i < COUNT; i++)
            at += sprintf(at,
                          own ? "%s{\"a\":\"p%d.1\",\"b\":\"p%d.3\"}"
                              : "%s[{\"panel\":\"p%d\",\"edge\":1},{\"panel\":\"p%d\",\"edge\":3}]",
                          i ? "," : "", i, (i + 1) % COUNT);
        strcpy(at, own ? "]}" : "]},\"properties\":{\"units_in_meter\":1}}");
        WeftPattern pattern;
        WeftGarment g;
        if (parse(text, &pattern)) {
            CHECK(pattern.panel_count == COUNT && pattern.seam_count == COUNT);
            CHECK(pattern.seams[COUNT - 1].chain[0][0].panel == COUNT - 1);
            CHECK(weft_sew_pattern(&pattern, 0.1, NULL, &g, NULL, &last) == WEFT_OK);
            CHECK(g.mesh.vertex_count == 2 * COUNT && g.mesh.triangle_count == 2 * COUNT);
            weft_destroy_garment(&g);
        }
        weft_destroy_pattern(&pattern);
        free(text);
    }
}

// ---------------------------------------------------------------------------------------------
// Documents, broken files, memory

static void documentation_has_every_key(void) {
    CHECK(check_document("pattern.md", wf_pattern_table) == 7);
}

static void documented_example_is_good(void) {
    size_t length;
    char* document = read_text(WEFT_SOURCE "/docs/pattern.md", &length);
    char* start = strstr(document, "```json\n");
    if (CHECK(start != NULL)) {
        start += strlen("```json\n");
        char* end = strstr(start, "\n```");
        WeftPattern pattern;
        end[1] = 0;
        if (parse(start, &pattern)) {
            CHECK(found.count == 0);
            CHECK(pattern.panel_count == 4 && pattern.seam_count == 10);
            weft_destroy_pattern(&pattern);
        }
        for (double chest = 0.5; chest < 1.6; chest += 0.25) {
            WeftMeasures body = {.chest = chest};
            CHECK(parse_with(start, &body, &pattern) == WEFT_OK);
            weft_destroy_pattern(&pattern);
        }
    }
    free(document);
}

static const char* good_text(int index) {
    return index == 0 ? own_text : index == 1 ? later_text : index == 2 ? older_text : NULL;
}

// Parse exactly `length` bytes, in memory of that size, so that a sanitizer sees reads beyond it.
static WeftResult parse_bytes(const char* bytes, size_t length, WeftError* error) {
    char* copy = malloc(length ? length : 1);
    memcpy(copy, bytes, length);
    WeftPattern pattern = {0};
    WeftFindings findings = {0};
    WeftResult result =
        weft_parse_pattern(copy, length, "t.json", NULL, NULL, &pattern, &findings, error);
    weft_destroy_pattern(&pattern);
    weft_destroy_findings(&findings);
    free(copy);
    return result;
}

static void truncated_files(void) {
    for (int i = 0; good_text(i); i++)
        for (size_t n = 0; n < strlen(good_text(i)); n++) {
            WeftError error = {0};
            CHECK(parse_bytes(good_text(i), n, &error) == WEFT_ERROR_INPUT);
            CHECK(strncmp(error.message, "t.json:", 7) == 0);
        }
}

// Every byte replaced by some of those that may hurt most.
static void corrupted_files(void) {
    static const char bytes[] = "\"{}[],:019-e.\\x\n\xff";
    for (int i = 0; good_text(i); i++) {
        size_t length = strlen(good_text(i));
        char* text = malloc(length + 1);
        memcpy(text, good_text(i), length + 1);
        for (size_t n = 0; n < length; n++) {
            size_t stride = test_long() ? 1 : test_slow() ? 5 : 15;
            for (size_t k = n % stride; k + 1 < sizeof bytes; k += stride) {
                WeftError error = {0};
                text[n] = bytes[k];
                if (parse_bytes(text, length, &error))
                    CHECK(strncmp(error.message, "t.json:", 7) == 0);
            }
            text[n] = good_text(i)[n];
        }
        free(text);
    }
}

static void nth_allocation_fails(void) {
    static const char* const mended = FILE_OF(
        CORNERS ",[0,1]", EDGE(0, 1) "," EDGE(1, 2) "," EDGE(2, 3) "," EDGE(3, 4) "," EDGE(4, 0),
        STITCH(3, 1) "," STITCH(0, 2) "," STITCH(2, 0));
    for (int i = 0; i < 4; i++) {
        const char* text = i < 3 ? good_text(i) : mended;
        WeftResult result = WEFT_ERROR_MEMORY;
        long n = 1;
        for (; n < 10000 && result; n++) {
            Counting counting = {.fail_at = n};
            WeftAllocator allocator = counting_allocator(&counting);
            WeftPattern pattern = {0};
            WeftFindings findings = {0};
            WeftError error = {0};
            result = weft_parse_pattern(text, strlen(text), "t", NULL, &allocator, &pattern,
                                        &findings, &error);
            if (result) CHECK(result == WEFT_ERROR_MEMORY && !pattern.panels);
            if (result) CHECK_TEXT(error.message, "out of memory");
            weft_destroy_pattern(&pattern);
            weft_destroy_findings(&findings);
            CHECK(counting.live == 0);
        }
        CHECK(n > 15 && result == WEFT_OK);
    }
}

static void files(void) {
    WeftPattern pattern = {0};
    CHECK(weft_load_pattern("missing.json", NULL, NULL, &pattern, NULL, &last) == WEFT_ERROR_FILE);
    CHECK_TEXT(last.message, "missing.json: ");
    weft_destroy_pattern(NULL);
    weft_destroy_findings(NULL);
    weft_destroy_findings(&found);
}

TEST_MAIN(CASE(own_form), CASE(defaults), CASE(mirror_images), CASE(mirrored_seams),
          CASE(measures_of_bodies), CASE(formulas), CASE(wrong_words), CASE(wrong_seams),
          CASE(later_form), CASE(older_form), CASE(edges_in_any_order),
          CASE(edges_with_holes_and_twins), CASE(odd_files), CASE(order_of_turns),
          CASE(ends_by_convention), CASE(wrong_garmentcode), CASE(written_patterns_read_back),
          CASE(formulas_in_holds), SLOW_CASE(thousands_of_panels),
          CASE(documentation_has_every_key), CASE(documented_example_is_good),
          CASE(truncated_files), CASE(corrupted_files), CASE(nth_allocation_fails), CASE(files))
