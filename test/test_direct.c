// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what scenes do while they run: pins that hold, move, let go and go along with the body,
// wind by its track; and what they tell renderers.

#include "io/scene_parts.h"
#include "scene_test.h"

static void tracks_are_straight(void) {
    double times[] = {1, 2, 4}, values[] = {0, 1, 2, 10, 11, 12, 20, 21, 22}, value[3];
    WeftTrack track = {3, times, values};
    wf_sample_track(&track, 0, value);
    CHECK(value[0] == 0 && value[2] == 2);
    wf_sample_track(&track, 1.5, value);
    CHECK(value[0] == 5 && value[1] == 6);
    wf_sample_track(&track, 2, value);
    CHECK(value[0] == 10);
    wf_sample_track(&track, 9, value);
    CHECK(value[0] == 20 && value[2] == 22);
    wf_sample_track(&(WeftTrack){0}, 1, value);
    CHECK(value[0] == 0 && value[2] == 0);
}

typedef struct Stage {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    WeftStepDef step;
} Stage;

static bool raise_stage(Stage* stage, const char* text) {
    *stage = (Stage){.scene = parse(text)};
    bool good = stage->scene && !weft_create_model(&stage->scene->model, &stage->model, &last) &&
                !weft_create_state(stage->model, &stage->state, &last);
    if (!good) CHECK_TEXT(last.message, "no error");
    if (good) stage->step = stage->scene->model.step;
    return good;
}

static void clear_stage(Stage* stage) {
    weft_destroy_state(stage->state);
    weft_destroy_model(stage->model);
    weft_destroy_scene(stage->scene);
}

// Take steps; returns where `vertex` is then.
static const double* run_stage(Stage* stage, int steps, int vertex) {
    for (int i = 0; i < steps; i++) {
        weft_direct_scene(stage->scene, stage->state, &stage->step);
        CHECK(weft_step(stage->state, &stage->step) == WEFT_OK);
    }
    return weft_positions(stage->state) + 3 * (size_t)vertex;
}

// A quarter turn about y through (0, 0, 0) while the centre goes up to y = 2, in 1 second; corner 8
// starts at (1, 0, -1). It turns by 90 degrees to (-1, 2, -1).
static void pins_follow_their_motion(void) {
    Stage stage;
    if (raise_stage(
            &stage,
            "{\"weft\":1,\"motions\":{\"m\":{\"offset\":{\"keys\":[[0,0,0,0],[1,0,2,0]]},"
            "\"angle\":{\"keys\":[[0,0],[1,90]]},\"axis\":[0,5,0]}},\"cloths\":[" CLOTH
            ",\"pins\":[{\"vertices\":[8],\"motion\":\"m\"}]}],\"step\":{\"dt\":\"1/60\"}}")) {
        const double* x = run_stage(&stage, 30, 8);
        CHECK_NEAR(hypot(x[0], x[2]), sqrt(2), 1e-12);
        CHECK_NEAR(x[0], 0, 1e-12);
        CHECK_NEAR(x[1], 1, 1e-12);
        x = run_stage(&stage, 40, 8);  // and stays there
        CHECK_NEAR(x[0], -1, 1e-12);
        CHECK_NEAR(x[1], 2, 1e-12);
        CHECK_NEAR(x[2], -1, 1e-12);
    }
    clear_stage(&stage);
}

// A turn of 120 degrees in a step goes along the arc, in parts.
static void pins_turn_along_arcs(void) {
    Stage stage;
    if (raise_stage(&stage,
                    "{\"weft\":1,\"motions\":{\"m\":{\"angle\":{\"keys\":[[0,0],[1,7200]]}}},"
                    "\"cloths\":[" CLOTH
                    ",\"pins\":[{\"vertices\":[8],\"motion\":\"m\"},{\"vertices\":[0]}]}],"
                    "\"step\":{\"dt\":\"1/60\"}}")) {
        const double* x = run_stage(&stage, 1, 8);
        CHECK(weft_report(stage.state)->substeps == 8);
        CHECK_NEAR(hypot(x[0], x[2]), sqrt(2), 1e-12);
        // the last part of the way, as the speed has it, is along the circle
        const double* v = weft_velocities(stage.state) + 24;
        double along = (x[0] * v[0] + x[2] * v[2]) / (sqrt(2) * hypot(v[0], v[2]));
        CHECK_BELOW(fabs(along), 0.2);
    }
    clear_stage(&stage);
}

// The same while the body is moved by hand, half a metre along x in half a second: all pins go
// along, and the turning goes on about the centre that was moved.
static void pins_go_along_with_the_body(void) {
    Stage stage;
    if (raise_stage(&stage,
                    "{\"weft\":1,\"motions\":{\"m\":{\"angle\":{\"keys\":[[0,0],[1,90]]}}},"
                    "\"cloths\":[" CLOTH
                    ",\"pins\":[{\"vertices\":[8],\"motion\":\"m\"},{\"vertices\":[0]}]}],"
                    "\"step\":{\"dt\":\"1/60\"}}")) {
        WeftScene* scene = stage.scene;
        for (int i = 0; i < 30; i++) {
            scene->carry_from[0] = i / 60.0;
            scene->carry_to[0] = (i + 1) / 60.0;
            run_stage(&stage, 1, 0);
        }
        scene->carry_from[0] = scene->carry_to[0];
        const double* x = run_stage(&stage, 30, 8);
        CHECK_NEAR(x[0], -0.5, 1e-12);  // (-1, 0, -1) without
        CHECK_NEAR(x[2], -1, 1e-12);
        x = run_stage(&stage, 1, 0);
        CHECK_NEAR(x[0], 0.5, 1e-12);
        CHECK(x[1] == 0);
    }
    clear_stage(&stage);
}

// Held at first, free between 0.5 and 1 s, caught where it is then.
static void pins_hold_and_let_go_in_time(void) {
    Stage stage;
    if (raise_stage(&stage, SCENE(",\"pins\":[{\"vertices\":[6]},{\"vertices\":[8],\"until\":0.5},"
                                  "{\"vertices\":[8],\"from\":1}]"))) {
        const double* x = run_stage(&stage, 30, 8);
        CHECK(weft_is_pinned(stage.state, 8));
        CHECK(x[0] == 1 && x[1] == 0 && x[2] == -1);
        x = run_stage(&stage, 30, 8);
        CHECK(!weft_is_pinned(stage.state, 8));
        CHECK_BELOW(x[1], -0.1);
        double caught = x[1];
        x = run_stage(&stage, 30, 8);
        CHECK(weft_is_pinned(stage.state, 8) && x[1] == caught);
        CHECK(weft_is_pinned(stage.state, 6));
    }
    clear_stage(&stage);
}

static void wind_blows_by_its_track(void) {
    Stage stage;
    if (raise_stage(&stage,
                    "{\"weft\":1,\"wind\":{\"keys\":[[0,0,0,0],[1,6,0,-6]]},\"cloths\":[" CLOTH
                    "}]}")) {
        weft_direct_scene(stage.scene, stage.state, &stage.step);
        CHECK_NEAR(stage.step.wind[0], 0.1, 1e-12);  // at the end of the step
        run_stage(&stage, 30, 0);
        CHECK_NEAR(stage.step.wind[0], 3, 1e-9);
        CHECK_NEAR(stage.step.wind[2], -3, 1e-9);
    }
    clear_stage(&stage);
}

// A cloth between two ropes: lines are numbered through, ropes have no place in the flat shape.
static void lines_and_texture(void) {
    WeftScene* scene =
        parse("{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"rope\",\"segments\":2}}," CLOTH
              "},{\"mesh\":{\"kind\":\"rope\",\"segments\":1}}]}");
    CHECK(scene != NULL);
    if (!scene) return;
    int lines[6];
    static const int expected[6] = {0, 1, 1, 2, 12, 13};
    CHECK(weft_scene_lines(scene, NULL) == 3);
    CHECK(weft_scene_lines(scene, lines) == 3 && memcmp(lines, expected, sizeof lines) == 0);
    float texture[2 * 14];
    weft_scene_texture(scene, texture);
    CHECK(texture[0] == 0 && texture[5] == 0 && texture[27] == 0);
    for (int i = 0; i < 18; i++) CHECK(texture[6 + i] == (float)scene->meshes[1].material[i]);
    CHECK(texture[6 + 17] == 1);
    weft_destroy_scene(scene);
}

TEST_MAIN(CASE(tracks_are_straight), CASE(pins_follow_their_motion), CASE(pins_turn_along_arcs),
          CASE(pins_go_along_with_the_body), CASE(pins_hold_and_let_go_in_time),
          CASE(wind_blows_by_its_track), CASE(lines_and_texture))
