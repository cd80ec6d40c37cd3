// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards io/scene_symmetry.c, scene_judge_pins.c and scene_judge_bodies.c: what keeps a scene from
// being simulated by halves is seen whenever it happens, and what does not is let through.

#include "file_test.h"

#include "scene_test.h"

#define GRID \
    "{\"mesh\":{\"kind\":\"grid\",\"columns\":10,\"rows\":8},\"place\":{\"move\":[-0.5,0,0]}"
#define SHEET "\"cloths\":[" GRID "}]"
#define TOP(motion) "\"cloths\":[" GRID ",\"pins\":[{\"side\":\"top\"" motion "}]}]"
#define BALL(x, more) \
    "{\"kind\":\"sphere\",\"radius\":0.1,\"place\":{\"move\":[" x ",-0.4,-0.3]}" more "}"

static WeftScene* with_mirror(const char* rest) {
    char text[2000];
    snprintf(text, sizeof text, "{\"weft\":1,\"mirror\":\"exact\",%s}", rest);
    WeftScene* scene = parse(text);
    if (!scene) printf("%s\n", last.message);
    return scene;
}

static WeftSceneSymmetry measure(const WeftScene* scene) {
    WeftSceneSymmetry symmetry = {0};
    CHECK(!weft_measure_scene(scene, &scene->model.mirror.plane, &symmetry, NULL));
    return symmetry;
}

// One half is simulated, and nothing is off.
static void is_exact(const char* rest) {
    WeftScene* scene = with_mirror(rest);
    if (!CHECK(scene != NULL)) return;
    WeftSceneSymmetry symmetry = measure(scene);
    CHECK(scene->model.mirror.kind == WEFT_MIRROR_EXACT && scene->findings.count == 0);
    CHECK(symmetry.cloth == 0 && symmetry.pins == 0 && symmetry.bodies == 0);
    CHECK(symmetry.unlike == 0 && symmetry.across == 0);
    CHECK_TEXT(symmetry.culprit, "");
    weft_destroy_scene(scene);
}

// All of it is simulated, for that reason.
static WeftSceneSymmetry is_whole(const char* rest, const char* why) {
    WeftSceneSymmetry symmetry = {0};
    WeftScene* scene = with_mirror(rest);
    if (!CHECK(scene != NULL)) return symmetry;
    symmetry = measure(scene);
    CHECK(scene->model.mirror.kind == WEFT_MIRROR_NONE && scene->findings.count == 1);
    if (scene->findings.count > 0) CHECK_TEXT(scene->findings.lines[0], why);
    CHECK_TEXT(symmetry.culprit, why);
    weft_destroy_scene(scene);
    return symmetry;
}

// ---------------------------------------------------------------------------------------------
// Pins

// 4 s in sixteenths find them at 180 and 360 degrees, always.
static void pins_that_turn_fast(void) {
    WeftSceneSymmetry s = is_whole(
        "\"motions\":{\"m\":{\"angle\":{\"keys\":[[0,0],[0.5,360]]}}}," TOP(",\"motion\":\"m\""),
        "leaves its mirror image");
    CHECK(s.pins > 1 && s.time < 0.5);
}

// --frames and --duration, or a page, go on for longer than the scene says.
static void pins_that_leave_after_the_end(void) {
    WeftSceneSymmetry s = is_whole(
        "\"duration\":0.3,\"motions\":{\"m\":{\"offset\":{\"keys\":[[0,0,0,0],[0.4,0,0,0],"
        "[0.8,0.6,0,0]]}}}," TOP(",\"motion\":\"m\""),
        "leaves its mirror image, by 1.2e+03 mm at 0.80 s");
    CHECK_NEAR(s.pins, 1.2, 1e-12);
}

static void excursions_of_one_frame(void) {
    is_whole(
        "\"motions\":{\"m\":{\"offset\":{\"keys\":[[1.101,0,0,0],[1.11,0,0.1,0],[1.12,0,0,0]]}}},"
        "\"cloths\":[" GRID
        ",\"pins\":[{\"vertices\":[88],\"motion\":\"m\"},{\"vertices\":[98]}]}]",
        "by 100 mm at 1.11 s");
    is_whole("\"cloths\":[" GRID
             ",\"pins\":[{\"vertices\":[88,98]},{\"vertices\":[0],\"from\":1.101,\"until\":1.11},"
             "{\"vertices\":[10],\"from\":1.102,\"until\":1.11}]}]",
             "one holds and one does not, at 1.10 s");
}

static void pins_that_go_with_their_images(void) {
    is_exact(
        "\"motions\":{\"m\":{\"axis\":[1,0,0],\"offset\":{\"keys\":[[0,0,0,0],[0.3,0,0.1,0.2]]"
        "},\"angle\":{\"keys\":[[0,0],[0.5,3600]]}}}," TOP(",\"motion\":\"m\""));
    is_exact(
        "\"motions\":{\"l\":{\"centre\":[-0.2,0,0],\"angle\":{\"keys\":[[0,0],[0.5,90]]}},"
        "\"r\":{\"centre\":[0.2,0,0],\"angle\":{\"keys\":[[0,0],[0.5,-90]]}}},\"cloths\":[" GRID
        ",\"pins\":[{\"vertices\":[88],\"motion\":\"l\",\"until\":1},{\"vertices\":[98],"
        "\"motion\":\"r\",\"until\":1}]}]");
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void bodies_that_swing_aside(void) {
    is_whole(
        "\"motions\":{\"m\":{\"offset\":{\"keys\":[[0.26,0,0,0],[0.4,0.1,0,0],[0.49,0,0,0]]}}}"
        ",\"bodies\":[" BALL("0", ",\"motion\":\"m\"") "]," SHEET,
        "body 0 is off its mirror image by 200 mm, at 0.40 s");
}

static void boxes_that_turn_fast(void) {
    is_whole(
        "\"motions\":{\"m\":{\"angle\":{\"keys\":[[0,0],[4,5760]]}}},\"bodies\":[{\"kind\":"
        "\"box\",\"place\":{\"move\":[0,-0.4,0]},\"motion\":\"m\"}]," SHEET,
        "the surface of body 0 moves across the mirror");
}

#define SPINS(left, right)                                                             \
    "\"motions\":{\"l\":{\"centre\":[-0.2,0,-0.3],\"angle\":{\"keys\":[[1,0],[2," left \
    "]]}},\"r\":{\"centre\":[0.2,0,-0.3],\"angle\":{\"keys\":[[1,0],[2," right         \
    "]]}}},\"bodies\":[" BALL("-0.2", ",\"motion\":\"l\"") "," BALL(                   \
        "0.2", ",\"motion\":\"r\"") "]," SHEET

// Balls that turn where they are look the same, and drag cloth along.
static void surfaces_that_drag(void) {
    const char* turn =
        "\"motions\":{\"m\":{\"axis\":[%d,%d,0],\"centre\":[0,-0.4,-0.3],\"angle\":{\"keys\":[[2,0]"
        ",[3,360]]}}},\"bodies\":[" BALL("0", ",\"motion\":\"m\",\"friction\":%d") "]," SHEET;
    char text[1000];
    snprintf(text, sizeof text, turn, 0, 1, 1);
    WeftSceneSymmetry s =
        is_whole(text, "the surface of body 0 moves across the mirror, by 200 mm");
    CHECK_NEAR(s.bodies, 0.2, 1e-12);
    CHECK_NEAR(s.time, 2.25, 0.05);              // a quarter of a turn here, and one the other way
    snprintf(text, sizeof text, turn, 1, 0, 1);  // about the normal of the plane
    is_exact(text);
    snprintf(text, sizeof text, turn, 0, 1, 0);  // nothing is dragged
    is_exact(text);
    is_exact(SPINS("700", "-700"));
    is_whole(SPINS("700", "700"), "the surface of body 0 moves otherwise than that of body 1");
    is_whole(SPINS("10", "0"), "its mirror image: by");
}

static void bodies_that_are_rougher(void) {
    is_whole("\"bodies\":[" BALL("-0.2", ",\"friction\":0") "," BALL("0.2",
                                                                     ",\"friction\":10") "]," SHEET,
             "body 0 has a friction of 0, and body 1, its mirror image, one of 10");
    is_exact("\"bodies\":[" BALL("-0.2", ",\"friction\":2") "," BALL(
        "0.2", ",\"friction\":2") "," BALL("0", ",\"friction\":1") "]," SHEET);
}

#define PAIR(body, friction) "{\"cloth\":0,\"body\":" body ",\"friction\":" friction "}"
#define TWO_BALLS "\"bodies\":[" BALL("-0.2", "") "," BALL("0.2", "") "]," SHEET

// Frictions of pairs take the place of those of bodies.
static void pairs_that_are_rougher(void) {
    is_whole("\"pair_frictions\":[" PAIR("0", "0.7") "]," TWO_BALLS,
             "cloth 0 has a friction of 0.7 with body 0, and of 0.3 with body 1, its mirror image");
    is_whole("\"pair_frictions\":[" PAIR("0", "0.7") "," PAIR("1", "0.7") "," PAIR(
                 "1", "0.6") "]," TWO_BALLS,
             "of 0.6 with body 1");
    is_exact("\"pair_frictions\":[" PAIR("0", "0.7") "," PAIR("1", "0.7") "]," TWO_BALLS);
    is_exact("\"pair_frictions\":[" PAIR("0", "0.3") "]," TWO_BALLS);
    is_exact("\"pair_frictions\":[{\"cloth\":0,\"other_cloth\":0,\"friction\":2}]," TWO_BALLS);
    // a ball that turns in the mirror, smooth but for this cloth
    is_whole(
        "\"motions\":{\"m\":{\"angle\":{\"keys\":[[0,0],[1,360]]},\"axis\":[0,0,1],"
        "\"centre\":[0,-0.4,-0.3]}},\"pair_frictions\":[" PAIR("0", "1") "],\"bodies\":[" BALL(
            "0", ",\"friction\":0,\"motion\":\"m\"") "]," SHEET,
        "body 0");
}

// A lathe that lies across the plane, and for a moment is thicker at one end.
static void shapes_that_change_in_one_key(void) {
    const char* lathe =
        "\"bodies\":[{\"kind\":\"lathe\",\"segments\":8,\"place\":{\"turn\":{\"axis\":[0,0,1],"
        "\"degrees\":90},\"move\":[0,-0.5,0]},\"profile\":{\"keys\":[[0,[0,-0.2],[0.1,-0.1],"
        "[0.1,0.1],[0,0.2]],[5.01,[0,-0.2],[0.1,-0.1],[0.1,0.1],[0,0.2]],[5.02,[0,-0.2],[0.1,-0.1],"
        "[%g,0.1],[0,0.2]],[5.03,[0,-0.2],[0.1,-0.1],[0.1,0.1],[0,0.2]]]}}]," SHEET;
    char text[1500];
    snprintf(text, sizeof text, lathe, 0.15);
    WeftSceneSymmetry s = is_whole(text, "bodies are off their mirror image by 50 mm, at 5.02 s");
    CHECK_NEAR(s.bodies, 0.05, 1e-12);
    snprintf(text, sizeof text, lathe, 0.1);
    is_exact(text);
}

// ---------------------------------------------------------------------------------------------
// Cloths, planes and bounds

// A grid of 4 x 3 cells without cell (0, 1), or without (3, 1) too: all vertices are there.
static void save_holes(const char* path, int holes) {
    char text[4000];
    int length = 0, room = (int)sizeof text;
    for (int i = 0; i < 20; i++)
        length += snprintf(text + length, (size_t)(room - length), "v %g 0 %g\n",
                           0.25 * (i % 5) - 0.5, 0.25 * (i / 5));
    for (int c = 0; c < 12; c++) {
        int a = 5 * (c / 4) + c % 4 + 1;
        if ((c == 4 && holes > 0) || (c == 7 && holes > 1)) continue;
        length += snprintf(text + length, (size_t)(room - length), "f %d %d %d\nf %d %d %d\n", a,
                           a + 1, a + 6, a, a + 6, a + 5);
    }
    save_file(path, text, (size_t)length);
}

static void holes_on_one_side(void) {
    const char* text =
        "{\"weft\":1,\"mirror\":\"exact\",\"cloths\":[{\"mesh\":{\"kind\":\"obj\",\"file\":"
        "\"holes.obj\"}}]}";
    for (int holes = 0; holes < 3; holes++) {
        WeftScene* scene = NULL;
        save_holes(test_path("holes.obj"), holes);
        WeftResult result =
            weft_parse_scene(text, strlen(text), "t.json", test_folder, NULL, NULL, &scene, &last);
        remove(test_path("holes.obj"));
        if (!CHECK(result == WEFT_OK)) continue;
        bool whole = scene->model.mirror.kind == WEFT_MIRROR_NONE;
        CHECK(whole == (holes == 1));
        // from the middle of a triangle, which is half a cell, to the sides of the cell
        CHECK_NEAR(measure(scene).cloth, whole ? 0.25 / 3 : 0, 1e-12);
        weft_destroy_scene(scene);
    }
}

static void a_bound_of_nothing(void) {
    WeftScene* scene = parse("{\"weft\":1,\"mirror\":{\"bound\":0}," SHEET "}");
    CHECK(scene->model.mirror.kind == WEFT_MIRROR_EXACT && scene->findings.count == 0);
    weft_destroy_scene(scene);
    scene =
        parse("{\"weft\":1,\"mirror\":{\"bound\":0},\"bodies\":[" BALL("1e-6", "") "]," SHEET "}");
    CHECK(scene->model.mirror.kind == WEFT_MIRROR_NONE && scene->findings.count == 1);
    CHECK_TEXT(scene->findings.lines[0], "body 0 is off its mirror image by 0.002 mm");
    weft_destroy_scene(scene);
}

static void planes_too_far(void) {
    WeftScene* scene = NULL;
    const char* text = "{\"weft\":1,\"mirror\":{\"point\":[1e300,0,0]}," SHEET "}";
    CHECK(weft_parse_scene(text, strlen(text), "t.json", NULL, NULL, NULL, &scene, &last));
    CHECK_TEXT(last.message, "1e+300 m away");
}

static void words(void) {
    is_whole(
        "\"cloths\":[{\"mesh\":{\"kind\":\"grid\"},\"place\":{\"move\":[-0.5,0,0]},\"scales\":{"
        "\"stretch\":[{\"box\":[0.6,-1,1,1],\"factor\":3}]}}],\"bodies\":[" BALL("0.001", "") "]",
        "factors of stiffness or density of cloth 0 are not those of its mirror image");
}

TEST_MAIN(CASE(pins_that_turn_fast), CASE(pins_that_leave_after_the_end),
          CASE(excursions_of_one_frame), CASE(pins_that_go_with_their_images),
          CASE(bodies_that_swing_aside), CASE(boxes_that_turn_fast), CASE(surfaces_that_drag),
          CASE(bodies_that_are_rougher), CASE(pairs_that_are_rougher),
          CASE(shapes_that_change_in_one_key), CASE(holes_on_one_side), CASE(a_bound_of_nothing),
          CASE(planes_too_far), CASE(words))
