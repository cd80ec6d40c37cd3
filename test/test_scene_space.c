// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the space of scenes: what is carried by a motion moves as if pins and bodies were; less of
// it is felt where the file says so; teleports; all is shown in the world; refusals.

#include "scene_test.h"

#define MOTION                                                                                   \
    "\"motions\":{\"go\":{\"offset\":{\"keys\":[[0,0,0,0],[0.25,0.1,0,0.2],[0.5,0.6,0.1,0.2]]}," \
    "\"angle\":{\"keys\":[[0,0],[0.5,60]]},\"centre\":[0.3,0,0.1]},\"slide\":{\"offset\":{"      \
    "\"keys\":[[0,0,0,0],[1,1,0,0.5]]}}},"
#define CLOTHS(motion)                                                                           \
    "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":6,\"rows\":6},"                        \
    "\"place\":{\"turn\":{\"degrees\":90}},\"pins\":[{\"side\":\"top\"" motion                   \
    "}]}],"                                                                                      \
    "\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.1,\"place\":{\"move\":[0.5,0.3,-0.2]}" motion \
    "}]"
#define EXACT                                                                                      \
    ",\"contact\":\"none\",\"step\":{\"method\":\"implicit\",\"tolerance\":1e-9,\"newton_steps\":" \
    "8,\"substeps\":1}"
enum { COUNT = 49 };

typedef struct Run {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    WeftShow* show;
    float positions[3 * COUNT], normals[3 * COUNT];
} Run;

static bool open_run(Run* run, const char* text) {
    *run = (Run){.scene = parse(text)};
    if (!CHECK(run->scene != NULL)) return puts(last.message), false;
    return CHECK(!weft_create_model(&run->scene->model, &run->model, &last) &&
                 !weft_create_state(run->model, &run->state, &last) &&
                 !weft_create_show(run->scene, run->model, NULL, &run->show, &last));
}

static void close_run(Run* run) {
    weft_destroy_show(run->show);
    weft_destroy_state(run->state);
    weft_destroy_model(run->model);
    weft_destroy_scene(run->scene);
}

static void take_steps(Run* run, int count) {
    WeftStepDef step = run->scene->model.step;
    for (int i = 0; i < count; i++) {
        CHECK(!weft_direct_scene(run->scene, run->state, &step));
        CHECK(!weft_step(run->state, &step));
    }
    weft_show_frame(run->show, run->state, NULL, run->positions, run->normals);
}

static double largest_gap(const float* a, const float* b, int count) {
    double gap = 0;
    for (int i = 0; i < count; i++) gap = fmax(gap, fabs((double)a[i] - (double)b[i]));
    return gap;
}

// A carriage, against pins and a body that go through the world: the same motion, and seen at the
// same place.
static void moves_as_in_the_world(void) {
    Run carried, space;
    if (open_run(&carried, "{\"weft\":1," MOTION CLOTHS(",\"motion\":\"go\"") EXACT "}") &&
        open_run(&space,
                 "{\"weft\":1,\"space\":{\"motion\":\"go\"}," MOTION CLOTHS("") EXACT "}")) {
        take_steps(&carried, 14), take_steps(&space, 14);
        CHECK_BELOW(largest_gap(carried.positions, space.positions, 3 * COUNT), 1e-3);
        CHECK_BELOW(largest_gap(carried.normals, space.normals, 3 * COUNT), 1e-2);
        int count = weft_body_vertex_count(space.model, 0);
        double* bodies = calloc(6 * (size_t)count, sizeof(double));
        if (CHECK(bodies != NULL)) {
            weft_show_body(carried.state, 0, bodies);
            weft_show_body(space.state, 0, bodies + 3 * (size_t)count);
        }
        for (int i = 0; bodies && i < 3 * count; i++)
            CHECK_NEAR(bodies[i], bodies[3 * count + i], 1e-9);
        free(bodies);
        double point[3] = {1, 2, 3}, there[3], back[3];
        weft_to_world(space.state, point, there);
        weft_from_world(space.state, there, back);
        CHECK(fabs(there[0] - 1) > 0.1);
        for (int k = 0; k < 3; k++) CHECK_NEAR(back[k], point[k], 1e-12);
        close_run(&carried), close_run(&space);
    }
}

// Nothing of it is felt: as if it stood.
static void feels_what_it_is_told(void) {
    Run still, space;
    if (open_run(&still, "{\"weft\":1," MOTION CLOTHS("") EXACT "}") &&
        open_run(&space,
                 "{\"weft\":1,\"space\":{\"motion\":\"go\",\"linear\":0,\"angular\":0,\"air\":0,"
                 "\"max_acceleration\":5,\"max_spin\":2}," MOTION CLOTHS("") EXACT "}")) {
        CHECK(space.scene->model.step.inertia.max_acceleration == 5);
        CHECK(space.scene->model.step.inertia.max_spin == 2);
        take_steps(&still, 30), take_steps(&space, 30);
        double gap = 0;
        for (int i = 0; i < 3 * COUNT; i++)
            gap = fmax(gap, fabs(weft_positions(still.state)[i] - weft_positions(space.state)[i]));
        CHECK_BELOW(gap, 1e-3);
        CHECK(largest_gap(still.positions, space.positions, 3 * COUNT) > 0.2);
        close_run(&still), close_run(&space);
    }
}

// 100 m away and turned by a right angle: nobody in it can tell.
static void teleports(void) {
    Run plain, jumps;
    if (open_run(
            &plain,
            "{\"weft\":1,\"gravity\":[0,0,0],\"air_density\":0,\"contact\":\"none\",\"space\":{"
            "\"motion\":\"slide\"}," MOTION CLOTHS("") "}") &&
        open_run(&jumps,
                 "{\"weft\":1,\"gravity\":[0,0,0],\"air_density\":0,\"contact\":\"none\",\"space\":"
                 "{\"motion\":\"slide\","
                 "\"teleports\":[{\"time\":0.1,\"place\":{\"move\":[100,0,0]}},"
                 "{\"time\":0.205,\"place\":{\"turn\":{\"axis\":[0,1,0],\"degrees\":90}}}]}," MOTION
                     CLOTHS("") "}")) {
        double before[3], after[3], rotation[4];
        take_steps(&plain, 6), take_steps(&jumps, 6);
        CHECK_NEAR(jumps.positions[0], plain.positions[0], 1e-6);
        take_steps(&plain, 5), take_steps(&jumps, 5);
        CHECK_NEAR(jumps.positions[0], 100 + plain.positions[0], 1e-4);
        take_steps(&plain, 10), take_steps(&jumps, 10);
        for (int i = 0; i < 3 * COUNT; i++)
            CHECK_NEAR(weft_positions(plain.state)[i], weft_positions(jumps.state)[i], 1e-7);
        // from then on it goes along -z where the motion goes along x
        weft_copy_space(jumps.state, before, rotation);
        take_steps(&plain, 3), take_steps(&jumps, 3);
        weft_copy_space(jumps.state, after, rotation);
        CHECK(after[2] - before[2] < -0.05);
        close_run(&plain), close_run(&jumps);
    }
}

// What stands in the world stays there, and what moves goes its way, through all teleports.
static void bodies_in_the_world(void) {
    Run run;
    if (open_run(
            &run,
            "{\"weft\":1,\"space\":{\"motion\":\"go\",\"teleports\":[{\"time\":0.2,"
            "\"place\":{\"move\":[0.3,0,0],\"turn\":{\"axis\":[0,1,0],\"degrees\":20}}}]}," MOTION
            "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":6,\"rows\":6},"
            "\"pins\":[{\"side\":\"top\"}]}],"
            "\"bodies\":[{\"kind\":\"sphere\",\"in_world\":true,\"place\":{\"move\":[4,0,1]}},"
            "{\"kind\":\"box\",\"in_world\":true,\"motion\":\"slide\"},"
            "{\"kind\":\"sphere\",\"place\":{\"move\":[4,0,1]}}]}")) {
        int count = weft_body_vertex_count(run.model, 0),
            corners = weft_body_vertex_count(run.model, 1);
        double *start = calloc(6 * (size_t)(count + corners), sizeof(double)),
               *now = start + 3 * (count + corners);
        if (CHECK(start != NULL)) {
            weft_show_body(run.state, 0, start);
            weft_show_body(run.state, 1, start + 3 * count);
        }
        for (int f = 1; f <= 24 && start; f++) {
            take_steps(&run, 1);
            weft_show_body(run.state, 0, now);
            weft_show_body(run.state, 1, now + 3 * count);
            double off = 0;
            for (int i = 0; i < 3 * (count + corners); i++) {
                double gone = i < 3 * count ? 0
                              : i % 3 == 0  ? f / 60.0
                              : i % 3 == 2  ? f / 120.0
                                            : 0;
                off = fmax(off, fabs(now[i] - start[i] - gone));
            }
            CHECK_BELOW(off, 1e-9);
            weft_show_body(run.state, 2, now);
            if (f == 24) CHECK(fabs(now[0] - start[0]) > 0.2);
        }
        free(start);
    }
    close_run(&run);
}

static void mirrors_are_given_up(void) {
    WeftScene* scene =
        parse("{\"weft\":1,\"mirror\":{\"point\":[0.5,0,0]},\"space\":{\"motion\":\"go\"}," MOTION
              "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":6,\"rows\":6}}]}");
    if (!CHECK(scene != NULL)) return;
    CHECK(scene->model.mirror.kind == WEFT_MIRROR_NONE && scene->findings.count == 1);
    if (scene->findings.count > 0) CHECK_TEXT(scene->findings.lines[0], "a space that moves");
    weft_destroy_scene(scene);
}

static void refusals(void) {
    static const struct {
        const char *space, *words;
    } bad[] = {
        {"[]", "object"},
        {"{\"motion\":\"stay\"}", "no motion is called \"stay\""},
        {"{\"linear\":2}", "linear"},
        {"{\"max_spin\":-1}", "max_spin"},
        {"{\"teleports\":{}}", "list"},
        {"{\"teleports\":[{\"time\":1}]}", "\"place\""},
        {"{\"teleports\":[{\"place\":{}}]}", "\"time\""},
        {"{\"teleports\":[{\"time\":1,\"place\":{\"scale\":2}}]}", "no \"scale\" here"},
        {"{\"teleports\":[{\"time\":2,\"place\":{}},{\"time\":2,\"place\":{}}]}",
         "does not come after 2"},
        {"{\"teleport\":[]}", "did you mean \"teleports\""},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[1500];
        snprintf(text, sizeof text, "{\"weft\":1,\"space\":%s," MOTION CLOTHS("") "}",
                 bad[k].space);
        CHECK(!parse(text));
        CHECK_TEXT(last.message, bad[k].words);
        CHECK_TEXT(last.message, "t.json:");
    }
}

TEST_MAIN(CASE(moves_as_in_the_world), CASE(feels_what_it_is_told), CASE(teleports),
          CASE(bodies_in_the_world), CASE(mirrors_are_given_up), CASE(refusals))
