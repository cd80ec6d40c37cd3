// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what `weft check` says of starts: cloth that touches, crosses or is inside of something,
// how much, what is first, and whether steps will mend it. Such a start is no error.

#include "file_test.h"
#include "tool_test.h"

// Check a scene of these cloths and bodies. Returns the exit code.
static int check_start(const char* contact, const char* cloths, const char* bodies,
                       const char* option) {
    char text[2048], line[64];
    int length = snprintf(text, sizeof text,
                          "{\"weft\":1,\"contact\":\"%s\",\"duration\":0.1,\"cloths\":[%s],"
                          "\"bodies\":[%s]}",
                          contact, cloths, bodies);
    save_file("start.json", text, (size_t)length);
    snprintf(line, sizeof line, "check start.json %s", option);
    int code = tool(line);
    remove("start.json");
    return code;
}

#define SHEET "\"mesh\":{\"kind\":\"grid\",\"width\":0.4,\"height\":0.4,\"columns\":4,\"rows\":4}"
#define PLACED(x, y, z) "{" SHEET ",\"place\":{\"move\":[" #x "," #y "," #z "]}}"

static void clean_starts(void) {
    CHECK(check_start("all", PLACED(0, 0, 0) "," PLACED(0, 0.01, 0),
                      "{\"kind\":\"plane\",\"place\":{\"move\":[0,-0.01,0]}}", "") == 0);
    CHECK(!strstr(out, "warning") && err[0] == 0);
    CHECK(check_start("all", PLACED(0, 0, 0), "", "--json") == 0);
    CHECK_TEXT(out, "\"start\": []");
}

// Two sheets in one plane, the second moved aside.
static void in_one_plane(void) {
    const char* sheets = PLACED(0, 0, 0) "," PLACED(0.13, 0, 0.07);
    CHECK(check_start("all", sheets, "", "") == 0);
    CHECK_TEXT(out, "  warning: cloth touches cloth at the start: ");
    CHECK_TEXT(out, " pairs of triangles, first cloth 0 triangle ");
    CHECK_TEXT(out, " and cloth 1 triangle ");
    CHECK_TEXT(out, "; the first step tells it apart\n");
    CHECK(!strstr(out, "crosses"));
    CHECK(check_start("bodies", sheets, "", "") == 0);
    CHECK_TEXT(out, "; it stays so: contact is bodies\n");
    CHECK(check_start("bodies", PLACED(0, 0, 0), "{\"kind\":\"plane\",\"name\":\"floor\"}", "") ==
          0);
    CHECK_TEXT(out,
               "  warning: cloth touches a body at the start: 52 pairs of triangles, first "
               "cloth 0 triangle 0 and body plane: floor triangle ");
}

static void through_something(void) {
    const char* turned =
        ",{" SHEET
        ",\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90},\"move\":[0.03,-0.17,-0.21]}}";
    char sheets[512];
    snprintf(sheets, sizeof sheets, "%s%s", PLACED(0, 0, 0), turned);
    CHECK(check_start("all", sheets, "", "") == 0);
    CHECK_TEXT(out, "  warning: cloth crosses cloth at the start: ");
    CHECK_TEXT(out, "; the first steps bring it apart\n");
    const char* ball =
        "{\"kind\":\"sphere\",\"radius\":0.12,\"name\":\"ball\",\"place\":{\"move\":[0.2,0.05,-0.2]"
        "}}";
    CHECK(check_start("all", PLACED(0, 0, 0), ball, "") == 0);
    CHECK_TEXT(out, "  warning: cloth crosses a body at the start: ");
    CHECK_TEXT(out, " and body ball triangle ");
    CHECK_TEXT(out,
               "  warning: cloth is inside of a body at the start: 5 vertices, first cloth 0 "
               "vertex 7 in body ball; the first steps bring it out\n");
    CHECK(check_start("none", PLACED(0, 0, 0), ball, "") == 0);
    CHECK_TEXT(out, "in body ball; it stays so: contact is none\n");
}

// What does not touch by its layers may be anywhere.
static void in_other_layers(void) {
    const char* ball =
        "{\"kind\":\"sphere\",\"radius\":0.12,\"layer\":[1],\"mask\":[%s],"
        "\"place\":{\"move\":[0.2,0.05,-0.2]}}";
    char body[200];
    snprintf(body, sizeof body, ball, "");
    CHECK(check_start("all", PLACED(0, 0, 0), body, "") == 0);
    CHECK(!strstr(out, "warning"));
    snprintf(body, sizeof body, ball, "0");
    CHECK(check_start("all", PLACED(0, 0, 0), body, "") == 0);
    CHECK_TEXT(out, "  warning: cloth crosses a body at the start: ");
    CHECK(check_start("all", PLACED(0, 0, 0) ",{" SHEET ",\"mask\":[5]}", "", "") == 0);
    CHECK(!strstr(out, "warning"));
}

// Pins stay where they are told to be, in a crate and below a floor.
static void pins_inside(void) {
    const char* floor = "{\"kind\":\"plane\",\"name\":\"floor\",\"place\":{\"move\":[0,0.02,0]}}";
    const char* crate = "{\"kind\":\"box\",\"name\":\"crate\",\"size\":[2,2,2]}";
    CHECK(check_start("all", "{" SHEET ",\"pins\":[{\"vertices\":[0,4]}]}", floor, "") == 0);
    CHECK_TEXT(out,
               "  warning: cloth is inside of a body at the start: 25 vertices, first cloth 0 "
               "vertex 1 in body plane: floor; the first steps bring it out, but for 2 that "
               "are pinned\n");
    CHECK(check_start("all", "{" SHEET ",\"pins\":[{\"box\":[[-1,-1,-1],[1,1,1]]}]}", crate, "") ==
          0);
    CHECK_TEXT(out,
               "25 vertices, first cloth 0 vertex 0 in body crate; it stays so: all of that "
               "is pinned\n");
    CHECK(!strstr(out, "crosses"));
    CHECK(check_start("all", "{" SHEET ",\"pins\":[{\"vertices\":[0,4]}]}", crate, "--json") == 0);
    CHECK_TEXT(out, "\"what\": \"cloth is inside of a body\"");
    CHECK_TEXT(out, "\"count\": 25");
    CHECK_TEXT(out, "\"pinned\": 2");
    CHECK_TEXT(out, "\"first\": \"cloth 0 vertex 1 in body crate\"");
    CHECK_TEXT(out, "\"mends\": true");
}

// Ropes have no triangles to look at: their vertices are found in bodies, and contact tells of the
// rest.
static void ropes(void) {
    const char* rope = "{\"mesh\":{\"kind\":\"rope\",\"segments\":10}}";
    CHECK(check_start("bodies", rope, "{\"kind\":\"sphere\",\"radius\":0.25}", "") == 0);
    CHECK_TEXT(out,
               "cloth is inside of a body at the start: 3 vertices, first cloth 0 vertex 0 in "
               "body 0; the first steps bring it out\n");
    const char* both = PLACED(0, 0, 0) ",{\"mesh\":{\"kind\":\"rope\",\"segments\":5,\"length\":"
                                       "0.5},\"place\":{\"turn\":{\"axis\":[0,0,1],\"degrees\":90},\"move\":[0.11,-0.17,"
                                       "-0.12]}}";
    CHECK(check_start("all", both, "", "") == 0);
    CHECK_TEXT(out, "  warning: contact finds 1 crossing");
}

TEST_MAIN(CASE(clean_starts), CASE(in_one_plane), CASE(through_something), CASE(in_other_layers),
          CASE(pins_inside), CASE(ropes))
