// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards cuts and tears of scenes: lines in space and on the cloth, pins on both sides, what is
// shown while vertices get more, refusals, lack of memory.

#include "counting.h"
#include "scene_test.h"

// 9 x 9 vertices, hung by the top; a rope; and 5 x 5 vertices more, behind which none come
#define CURTAIN(more)                                         \
    "{\"mesh\":{\"kind\":\"grid\",\"columns\":8,\"rows\":8}," \
    "\"place\":{\"turn\":{\"degrees\":90}}" more "}"
#define ROPE                                                       \
    "{\"mesh\":{\"kind\":\"rope\",\"length\":0.5,\"segments\":5}," \
    "\"place\":{\"move\":[0,2,0]},\"pins\":[{\"vertices\":[0]}]}"
#define CLOTH_AT(z, more)                                     \
    "{\"mesh\":{\"kind\":\"grid\",\"columns\":4,\"rows\":4}," \
    "\"place\":{\"turn\":{\"degrees\":90},\"move\":[0,0," z "]}" more "}"
enum { WHOLE = 81 };

typedef struct Stage {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    WeftShow* show;
    float *positions, *normals;
    int tears;  // steps that ended with more vertices
} Stage;

static bool open_stage(Stage* stage, const char* text) {
    *stage = (Stage){.scene = parse(text)};
    if (!CHECK(stage->scene != NULL)) return puts(last.message), false;
    bool good = CHECK(!weft_create_model(&stage->scene->model, &stage->model, &last)) &&
                CHECK(!weft_create_state(stage->model, &stage->state, &last)) &&
                CHECK(!weft_create_show(stage->scene, stage->model, NULL, &stage->show, &last));
    if (!good) puts(last.message);
    return good;
}

static void close_stage(Stage* stage) {
    weft_destroy_show(stage->show);
    weft_destroy_state(stage->state);
    weft_destroy_model(stage->model);
    weft_destroy_scene(stage->scene);
    free(stage->positions);
    free(stage->normals);
}

static void show(Stage* stage) {
    size_t count = 3 * (size_t)weft_show_vertex_count(stage->show) * sizeof(float);
    stage->positions = realloc(stage->positions, count);
    stage->normals = realloc(stage->normals, count);
    weft_show_frame(stage->show, stage->state, NULL, stage->positions, stage->normals);
}

static void take_steps(Stage* stage, int count) {
    WeftStepDef step = stage->scene->model.step;
    for (int i = 0; i < count; i++) {
        CHECK(!weft_direct_scene(stage->scene, stage->state, &step));
        CHECK(!weft_step(stage->state, &step));
        if (weft_report(stage->state)->torn) {
            CHECK(!weft_update_show(stage->show, stage->state, &last));
            stage->tears++;
        }
        show(stage);
    }
}

static int count_vertices(const Stage* stage) {
    return weft_vertex_count(weft_state_model(stage->state));
}

static double lowest(const Stage* stage) {
    double y = HUGE_VAL;
    for (int i = 0; i < count_vertices(stage); i++)
        y = fmin(y, weft_positions(stage->state)[3 * i + 1]);
    return y;
}

// Vertices, triangles, texture and lines fit each other.
static void check_shown(const Stage* stage) {
    const WeftShow* shown = stage->show;
    const WeftModel* model = weft_state_model(stage->state);
    int count = weft_show_vertex_count(shown);
    CHECK(count == weft_vertex_count(model));
    CHECK(weft_show_triangle_count(shown) == weft_triangle_count(stage->model));
    for (int k = 0; k < 3 * weft_show_triangle_count(shown); k++) {
        int now = weft_show_triangles(shown)[k];
        if (!CHECK(now >= 0 && now < count)) break;
        CHECK(weft_torn_from(stage->state, now) == weft_triangles(stage->model)[k]);
    }
    for (int i = 0; i < count; i++) {
        CHECK(weft_show_corners(shown)[3 * i] == i && weft_show_weights(shown)[3 * i] == 1);
        CHECK(stage->positions[3 * i + 1] == (float)weft_positions(stage->state)[3 * i + 1]);
    }
    for (int c = 0; c < weft_cloth_count(model); c++)
        CHECK(weft_show_first_vertex(shown, c) == weft_first_vertex(model, c));
}

// The line on the cloth goes along with it; the line in space is where the cloth is not any more.
static void lines_go_along(void) {
    Stage stage;
    if (open_stage(
            &stage,
            "{\"weft\":1,\"motions\":{\"off\":{\"offset\":{\"keys\":[[0,0,0,0],[0.1,0,0,0.5]]}}},"
            "\"cloths\":[" CURTAIN(
                ",\"pins\":[{\"side\":\"top\",\"motion\":\"off\"}]") "],"
                                                                     "\"cuts\":[{\"time\":0.3,"
                                                                     "\"along\":[[-0.1,0.5,0],[1.1,"
                                                                     "0.5,0]]},"
                                                                     "{\"time\":0.3,\"path\":[[0.5,"
                                                                     "-0.1,0],[0.5,1.1,0]]}]}")) {
        CHECK(stage.scene->model.tearable && stage.scene->cuts[0].cloth == 0);
        take_steps(&stage, 18);
        CHECK(count_vertices(&stage) == WHOLE && stage.tears == 0);
        CHECK(stage.scene->cuts[0].edge_count == -1);
        take_steps(&stage, 42);
        CHECK(stage.tears == 1 && count_vertices(&stage) == WHOLE + 9);
        CHECK(stage.scene->cuts[0].edge_count == 8 && stage.scene->cuts[1].edge_count == 0);
        CHECK(lowest(&stage) < -0.4);  // the lower half falls, and the upper one stays
        CHECK(weft_positions(stage.state)[3 * 80 + 1] == 1);
        check_shown(&stage);
    }
    close_stage(&stage);
}

// By name, piece by piece, of the second cloth while the first one is cut as well.
static void vertices_are_cut(void) {
    Stage stage;
    if (open_stage(&stage,
                   "{\"weft\":1,\"cloths\":[" CURTAIN("") "," CURTAIN(
                       "") "],\"contact\":\"none\",\"cuts\":["
                           "{\"time\":0,\"vertices\":[36,37,38,39,40,41,42,43,44]},"
                           "{\"time\":0.2,\"cloth\":1,\"vertices\":[4,13,22,31]},"
                           "{\"time\":0.4,\"cloth\":1,\"vertices\":[31,40,49,58,67,76]}]}")) {
        take_steps(&stage, 60);
        CHECK(count_vertices(&stage) == 2 * WHOLE + 18);
        CHECK(stage.scene->cuts[0].edge_count == 8 && stage.scene->cuts[1].edge_count == 3 &&
              stage.scene->cuts[2].edge_count == 5);
        check_shown(&stage);
    }
    close_stage(&stage);
}

// Cut through the pins, of a cloth before others: all numbers but its own change.
static void pins_on_both_sides(void) {
    Stage stage;
    if (open_stage(
            &stage,
            "{\"weft\":1,\"motions\":{\"off\":{\"offset\":{\"keys\":[[0,0,0,0],[1,0,0,1]]}}},"
            "\"cloths\":[" CURTAIN(
                ",\"pins\":[{\"side\":\"top\",\"motion\":\"off\","
                "\"until\":0.8}]") "," ROPE
                                   "," CLOTH_AT(
                                       "-2",
                                       ",\"pins\":[{\"side\":\"top\"}]") "],"
                                                                         "\"cuts\":[{\"time\":0,"
                                                                         "\"cloth\":0,\"path\":[[0."
                                                                         "5,-0.2,0],[0.5,1.2,0]]}]"
                                                                         "}")) {
        take_steps(&stage, 45);
        CHECK(count_vertices(&stage) == WHOLE + 9 + 6 + 25);
        check_shown(&stage);
        int held = 0;
        for (int i = 0; i < WHOLE + 9; i++)
            if (weft_is_pinned(stage.state, i)) {
                const double* x = weft_positions(stage.state) + 3 * i;
                CHECK_NEAR(x[1], 1, 1e-12);
                CHECK_NEAR(x[2], 0.75, 1e-9);
                held++;
            }
        CHECK(held == 10);
        // the rope hangs by its first vertex, the last cloth by its top
        CHECK(weft_is_pinned(stage.state, WHOLE + 9));
        for (int i = 0; i < 25; i++)
            CHECK(weft_is_pinned(stage.state, WHOLE + 9 + 6 + i) == (i >= 20));
        take_steps(&stage, 15);
        for (int i = 0; i < WHOLE + 9; i++) CHECK(!weft_is_pinned(stage.state, i));
        CHECK(lowest(&stage) < 0);
        int lines[10];
        CHECK(weft_show_lines(stage.show, lines) == 5 && lines[0] == WHOLE + 9);
    }
    close_stage(&stage);
}

// What is heavier than the cloth can carry comes off.
static void tears_by_load(void) {
    Stage stage;
    if (open_stage(&stage, "{\"weft\":1,\"gravity\":[0,-200,0],\"cloths\":[" CURTAIN(
                               ",\"tear_load\":20,\"stretch\":\"triangles\","
                               "\"pins\":[{\"side\":\"top\"}]") "]}")) {
        CHECK(stage.scene->model.cloths[0].tear_load == 20);
        take_steps(&stage, 60);
        CHECK(stage.tears > 0 && count_vertices(&stage) > WHOLE);
        check_shown(&stage);
    }
    close_stage(&stage);
}

// From the start again, to the same bits.
static void repeats(void) {
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        Stage stage;
        if (!open_stage(&stage, "{\"weft\":1,\"cloths\":[" CURTAIN(
                                    ",\"pins\":[{\"side\":\"top\"}]") "],\"cuts\":[{\"time\":0.1,"
                                                                      "\"along\":[[0.5,0,0],[0.5,"
                                                                      "0.5,0]]}]}"))
            return;
        take_steps(&stage, 20);
        CHECK(stage.tears == 1);
        hashes[k] = weft_hash_state(stage.state);
        close_stage(&stage);
    }
    CHECK(hashes[0] == hashes[1]);
}

static void mirrors_are_given_up(void) {
    static const char* const keys[] = {
        "\"cloths\":[" CURTAIN("") "],\"cuts\":[{\"time\":1,\"path\":[[0,0,0],[1,0,0]]}]",
        "\"cloths\":[" CURTAIN(",\"tear_load\":100") "]"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text, "{\"weft\":1,\"mirror\":{\"point\":[0.5,0,0]},%s}", keys[k]);
        WeftScene* scene = parse(text);
        if (!CHECK(scene != NULL)) continue;
        CHECK(scene->model.mirror.kind == WEFT_MIRROR_NONE && scene->findings.count == 1);
        if (scene->findings.count > 0)
            CHECK_TEXT(scene->findings.lines[0], "cloth that is cut or tears has no mirror");
        weft_destroy_scene(scene);
    }
}

static void details_are_refused(void) {
    WeftShow* shown = NULL;
    WeftScene* scene = parse(
        "{\"weft\":1,\"cloths\":[" CURTAIN(",\"detail\":{\"parts\":2},\"tear_load\":100") "]}");
    if (!CHECK(scene != NULL)) return;
    CHECK(weft_create_show(scene, NULL, NULL, &shown, &last) == WEFT_ERROR_INPUT && !shown);
    CHECK_TEXT(last.message, "cloth 0: a detail does not follow cloth that is torn");
    weft_destroy_scene(scene);
}

static void refusals(void) {
    static const struct {
        const char *cuts, *words;
    } bad[] = {
        {"{}", "list"},
        {"[{\"time\":1}]", "a line in space, or \"along\""},
        {"[{\"path\":[[0,0,0],[1,0,0]]}]", "\"time\""},
        {"[{\"time\":-1,\"path\":[[0,0,0],[1,0,0]]}]", "time"},
        {"[{\"time\":1,\"path\":[[0,0,0]]}]", "\"path\" has 1 points; it must have 2"},
        {"[{\"time\":1,\"path\":[[0,0,0],[1,0]]}]", "3"},
        {"[{\"time\":1,\"path\":[[0,0,0],[1,0,0]],\"along\":[[0,0,0],[1,0,0]]}]", "one of them"},
        {"[{\"time\":1,\"cloth\":2,\"path\":[[0,0,0],[1,0,0]]}]", "cloth"},
        {"[{\"time\":1,\"cloth\":1,\"along\":[[0,2,0],[1,2,0]]}]", "is a rope"},
        {"[{\"time\":1,\"along\":[[0,2,0],[1,2,0]]}]", "cloth 1 is a rope"},
        {"[{\"time\":1,\"vertices\":[3]}]", "it must have 2"},
        {"[{\"time\":1,\"vertices\":[3,81]}]", "80"},
        {"[{\"time\":1,\"vertices\":[3,30]}]", "no edge joins the vertices 3 and 30"},
        {"[{\"time\":1,\"cloth\":1,\"vertices\":[0,1]}]", "no edge joins"},
        {"[{\"time\":1,\"reach\":-1,\"path\":[[0,0,0],[1,0,0]]}]", "reach"},
        {"[{\"time\":1,\"paht\":[[0,0,0],[1,0,0]]}]", "a line in space"},
        {"[{\"time\":1,\"path\":[[0,0,0],[1,0,0]],\"depth\":1}]", "depth"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "{\"weft\":1,\"cloths\":[" CURTAIN("") "," ROPE "],\"cuts\":%s}", bad[k].cuts);
        CHECK(!parse(text));
        CHECK_TEXT(last.message, bad[k].words);
        CHECK_TEXT(last.message, "t.json:");
    }
    CHECK(!parse("{\"weft\":1,\"cloths\":[" CURTAIN(",\"tear_load\":-1") "]}"));
    CHECK_TEXT(last.message, "tear_load");
}

// Every allocation fails once: the show stays as it was, and what is half read is freed.
static void memory(void) {
    static const char text[] =
        "{\"weft\":1,\"cloths\":[" CURTAIN(",\"pins\":[{\"side\":\"top\"}]") "],"
        "\"cuts\":[{\"time\":0,\"along\":[[0.5,0,0],[0.5,0.5,0]]}]}";
    Counting counting = {0};
    WeftAllocator allocator = counting_allocator(&counting);
    WeftScene* scene = NULL;
    CHECK(!weft_parse_scene(text, strlen(text), "t.json", NULL, NULL, &allocator, &scene, &last));
    long calls = counting.calls;
    weft_destroy_scene(scene);
    CHECK(counting.live == 0 && calls > 5);
    for (long fail = 1; fail <= calls; fail++) {
        counting.calls = 0, counting.fail_at = fail;
        CHECK(weft_parse_scene(text, strlen(text), "t.json", NULL, NULL, &allocator, &scene,
                               &last) == WEFT_ERROR_MEMORY);
        CHECK(counting.live == 0);
    }
    counting = (Counting){0};
    Stage stage;
    if (!open_stage(&stage, text)) return;
    weft_destroy_show(stage.show);
    CHECK(!weft_create_show(stage.scene, stage.model, &allocator, &stage.show, &last));
    WeftStepDef step = stage.scene->model.step;
    bool torn = false;
    for (int i = 0; i < 20 && !torn; i++) {
        CHECK(!weft_direct_scene(stage.scene, stage.state, &step));
        CHECK(!weft_step(stage.state, &step));
        torn = weft_report(stage.state)->torn;
    }
    CHECK(torn);
    long live = counting.live;
    for (long fail = 1; fail <= 5; fail++) {
        counting.calls = 0, counting.fail_at = fail;
        CHECK(weft_update_show(stage.show, stage.state, &last) == WEFT_ERROR_MEMORY);
        CHECK(counting.live == live && weft_show_vertex_count(stage.show) == WHOLE);
    }
    counting.fail_at = 0;
    CHECK(!weft_update_show(stage.show, stage.state, &last) && counting.live == live);
    show(&stage);
    check_shown(&stage);
    close_stage(&stage);
    CHECK(counting.live == 0);
}

TEST_MAIN(CASE(lines_go_along), CASE(vertices_are_cut), CASE(pins_on_both_sides),
          CASE(tears_by_load), CASE(repeats), CASE(mirrors_are_given_up), CASE(details_are_refused),
          CASE(refusals), CASE(memory))
