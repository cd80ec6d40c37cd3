// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards io/scene_pair.c and io/scene_refine.c: the dense cloth of a pair stays where the coarse
// one is, what is pinned or held between others goes between them, and what it is made of is taken
// over; and the pace of a scene.

#include "file_test.h"

#include "counting.h"
#include "io/scene_refine.h"
#include "scene_test.h"

#define SHEET "{\"mesh\":{\"kind\":\"grid\",\"columns\":6,\"rows\":6}"
#define SWAY                                                       \
    "\"motions\":{\"sway\":{\"axis\":[0,1,0],\"centre\":[0,0,0],"  \
    "\"offset\":{\"keys\":[[0,0,0,0],[0.5,0.1,0,0.2],[1,0,0,0]]}," \
    "\"angle\":{\"keys\":[[0,0],[0.5,40],[1,0]]}}}"

static WeftPair* open(const WeftScene* scene, int cloth, int parts) {
    WeftPair* pair = NULL;
    WeftError error = {0};
    if (!CHECK(!weft_create_pair(scene, cloth, parts, NULL, &pair, &error)))
        printf("%s\n", error.message);
    return pair;
}

// Of the coarse vertices, in the dense cloth: the mean square of how far they are from themselves.
static double square_apart(const WeftScene* scene, const WeftPair* pair) {
    int n = scene->meshes[pair->cloth].vertex_count;
    double sum = 0;
    for (int i = 0; i < 3 * n; i++) {
        double d = pair->dense[i] - pair->frame.positions[i];
        sum += d * d / n;
    }
    return sum;
}

static void stays_beside(void) {
    WeftScene* scene = parse("{\"weft\":1," SWAY ",\"cloths\":[" SHEET
                             ",\"pins\":[{\"corner\":\"top left\",\"motion\":\"sway\"},"
                             "{\"corner\":\"top right\",\"motion\":\"sway\"}]}]}");
    double apart[2] = {0, 0};
    for (int tracked = 0; tracked < 2; tracked++) {
        WeftPair* pair = open(scene, 0, 3);
        for (int i = 0; i < 90; i++) {
            CHECK(!weft_step_coarse(pair, NULL));
            CHECK(!weft_step_dense(pair, tracked, NULL));
            apart[tracked] += square_apart(scene, pair);
        }
        CHECK_NEAR(pair->frame.time, 1.5, 1e-9);
        CHECK_NEAR(pair->frame.gravity[1], -9.81, 0);
        CHECK_NEAR(weft_time(pair->dense_state), 1.5, 1e-9);
        weft_destroy_pair(pair);
    }
    CHECK(apart[1] > 0);
    CHECK_BELOW(sqrt(apart[1]), sqrt(apart[0]) / 3);
    weft_destroy_scene(scene);
}

// The side is pinned and turns, and so is all that lies on it; what is caught later, likewise.
static void pins_between(void) {
    WeftScene* scene = parse("{\"weft\":1," SWAY ",\"cloths\":[" CLOTH "},\n" SHEET
                             ",\"place\":{\"move\":[0,1,0]},"
                             "\"pins\":[{\"side\":\"top\",\"motion\":\"sway\"},"
                             "{\"side\":\"bottom\",\"from\":0.2,\"until\":0.4}]}]}");
    WeftPair* pair = open(scene, 1, 3);
    int n = scene->meshes[1].vertex_count, other = scene->meshes[0].vertex_count;
    CHECK(weft_vertex_count(pair->coarse_model) == other + n);
    WeftMesh dense;
    WeftRefinement map;
    CHECK(!weft_refine_mesh(&scene->meshes[1], 3, NULL, &dense, &map, NULL));
    CHECK(weft_vertex_count(pair->dense_model) == other + dense.vertex_count);
    for (int i = 0; i < 40; i++) {
        CHECK(!weft_step_pair(pair, NULL));
        int pinned = 0;
        for (int v = 0; v < dense.vertex_count; v++) {
            if (!weft_is_pinned(pair->dense_state, other + v)) continue;
            pinned++;
            for (int k = 0; k < 3; k++) {
                double place = 0;
                for (int c = 0; c < 3; c++)
                    place += map.weights[3 * v + c] *
                             pair->frame.positions[3 * map.corners[3 * v + c] + k];
                CHECK_NEAR(pair->dense[3 * v + k], place, 1e-9);
            }
        }
        bool both = i >= 12 && i < 24;  // steps that start at 0.2 to 0.4 s
        CHECK(pinned == (both ? 2 : 1) * (3 * 6 + 1));
    }
    for (int v = 0; v < other; v++)  // the other cloth falls beside
        CHECK_NEAR(weft_positions(pair->dense_state)[3 * v + 1],
                   weft_positions(pair->coarse_state)[3 * v + 1], 0.01);
    weft_destroy_refinement(&map);
    weft_destroy_mesh(&dense);
    weft_destroy_pair(pair);
    weft_destroy_scene(scene);
}

static double mass_of(const WeftModel* model) {
    double sum = 0;
    for (int i = 0; i < weft_vertex_count(model); i++) sum += weft_masses(model)[i];
    return sum;
}

// Factors go between vertices, so that the whole weighs the same; a mirror is left out.
static void made_of(void) {
    WeftScene* scene = parse("{\"weft\":1,\"mirror\":{},\"cloths\":[" SHEET
                             ",\"scales\":{\"density\":[{\"box\":[-1,-1,2,0.5],\"factor\":3}]}}]}");
    if (!scene) printf("%s\n", last.message);
    WeftPair* pair = open(scene, 0, 2);
    CHECK(scene->model.cloths[0].density_scale != NULL);
    CHECK_NEAR(mass_of(pair->dense_model), mass_of(pair->coarse_model), 1e-9);
    CHECK(weft_simulated_count(pair->coarse_model) == weft_vertex_count(pair->coarse_model));
    CHECK(!weft_step_pair(pair, NULL));
    weft_destroy_pair(pair);
    weft_destroy_scene(scene);
}

// A budget is for showing: pairs need no clock. And a step that fails says why.
static void without_budget(void) {
    WeftScene* scene = parse("{\"weft\":1,\"step\":{\"budget_ms\":1},\"cloths\":[" SHEET "}]}");
    WeftPair* pair = open(scene, 0, 2);
    CHECK(!weft_step_pair(pair, NULL));
    CHECK(scene->model.step.budget_ms == 1);
    scene->model.step.gravity[1] = -1e300;
    CHECK(weft_step_pair(pair, &last));
    CHECK_TEXT(last.message, "the step of the coarse cloth to 0.0333333 s failed: ");
    CHECK_TEXT(last.message, weft_state_error(pair->coarse_state)->message);
    CHECK(weft_state_error(pair->coarse_state)->message[0] != 0);
    weft_destroy_pair(pair);
    weft_destroy_scene(scene);
}

// Twice the pace for half of the time: pins, bodies and wind are at the same places.
static void twice_the_pace(void) {
    WeftScene* scene = parse(
        "{\"weft\":1," SWAY
        ",\"wind\":{\"keys\":[[0,0,0,0],[1,8,0,0]]},"
        "\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.1,\"motion\":\"sway\"}],\"cloths\":[" SHEET
        ",\"place\":{\"move\":[0,1,0]},\"pins\":[{\"side\":\"top\",\"motion\":\"sway\",\"until\":"
        "0.9}]}]}");
    CHECK(scene->pace == 1);
    double corner[2][3], wind[2], ball_at[2][3];
    bool held[2];
    for (int k = 0; k < 2; k++) {
        WeftModel* model;
        WeftState* state;
        WeftStepDef step = scene->model.step;
        scene->pace = 1 + k;
        CHECK(!weft_create_model(&scene->model, &model, NULL));
        CHECK(!weft_create_state(model, &state, NULL));
        for (int i = 0; i < 60 / (1 + k); i++) {
            if (weft_is_pinned(state, 42))
                memcpy(corner[k], weft_positions(state) + 3 * 42, sizeof corner[k]);
            weft_direct_scene(scene, state, &step);
            if (i == 30 / (1 + k) - 1) wind[k] = step.wind[0];
            CHECK(!weft_step(state, &step));
            if (i != 30 / (1 + k) - 1) continue;
            double* ball = malloc(24 * (size_t)weft_body_vertex_count(model, 0));
            weft_copy_body(state, 0, ball);
            memcpy(ball_at[k], ball, sizeof ball_at[k]);
            free(ball);
        }
        held[k] = weft_is_pinned(state, 42);
        weft_destroy_state(state);
        weft_destroy_model(model);
    }
    CHECK(!held[0] && !held[1]);
    CHECK_NEAR(wind[0], 4, 1e-9);
    CHECK_NEAR(wind[1], 4, 1e-9);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(corner[1][k], corner[0][k], 1e-9);
        CHECK_NEAR(ball_at[1][k], ball_at[0][k], 1e-9);
    }
    CHECK_NEAR(ball_at[0][2], 0.2, 0.11);
    weft_destroy_scene(scene);
}

static void refuse(const char* text, int cloth, int parts, const char* message) {
    WeftScene* scene = parse(text);
    WeftPair* pair = NULL;
    WeftError error = {0};
    CHECK(weft_create_pair(scene, cloth, parts, NULL, &pair, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, message);
    CHECK(pair == NULL);
    weft_destroy_pair(pair);
    weft_destroy_scene(scene);
}

static void refusals(void) {
    refuse("{\"weft\":1,\"cloths\":[" SHEET "}]}", 1, 3, "there is no cloth 1: the scene has 1");
    refuse("{\"weft\":1,\"cloths\":[" SHEET "}]}", 0, 0, "an edge in 0 parts");
    refuse("{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"rope\"}}]}", 0, 3, "of ropes alone");
    refuse(
        "{\"weft\":1,\"step\":{\"method\":\"implicit\"},\"cloths\":[{\"mesh\":{\"kind\":"
        "\"grid\",\"pattern\":\"woven\"},\"stretch\":\"threads\"}]}",
        0, 3, "by threads");
    refuse("{\"weft\":1,\"mirror\":{\"closure\":\"zip\"},\"cloths\":[" SHEET "}]}", 0, 3,
           "a closure of a mirror");
}

static void nth_allocation_fails(void) {
    WeftScene* scene = parse("{\"weft\":1,\"cloths\":[" CLOTH ",\"pins\":[{\"side\":\"top\"}]}]}");
    bool created = false;
    for (int n = 1; !created && n < 10000; n++) {
        Counting counting = {.fail_at = n};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftPair* pair = NULL;
        scene->model.allocator = allocator;
        WeftResult result = weft_create_pair(scene, 0, 2, &allocator, &pair, NULL);
        CHECK(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
        created = result == WEFT_OK;
        weft_destroy_pair(pair);
        CHECK(counting.live == 0);
    }
    CHECK(created);
    weft_destroy_scene(scene);
}

// A skirt that its body holds by the waist.
static const char waist[] =
    "{\"weft_pattern\": 1, \"name\": \"skirt\",\n"
    " \"measures\": {\"hips\": 1, \"waist_height\": 1.05, \"half\": \"hips / 2 + 0.08\"},\n"
    " \"panels\": [\n"
    "  {\"name\": \"front\", \"sides\": [[\"half / 2\", 0], [\"half / 2\", 0.35],\n"
    "    {\"to\": [\"-half / 2\", 0.35], \"label\": \"waist\"}, [\"-half / 2\", 0]],\n"
    "   \"place\": {\"move\": [0, \"waist_height - 0.35\", 0.2]}},\n"
    "  {\"name\": \"back\", \"fabric\": \"denim\",\n"
    "   \"sides\": [[\"half / 2\", 0], [\"half / 2\", 0.35],\n"
    "    {\"to\": [\"-half / 2\", 0.35], \"label\": \"waist\"}, [\"-half / 2\", 0]],\n"
    "   \"place\": {\"move\": [0, \"waist_height - 0.35\", -0.2],\n"
    "    \"turn\": {\"axis\": [0, 1, 0], \"degrees\": 180}}}],\n"
    " \"seams\": [{\"a\": \"front.1\", \"b\": \"back.3\"}, {\"a\": \"front.3\", \"b\": "
    "\"back.1\"}],\n"
    " \"holds\": [{\"label\": \"waist\", \"kind\": \"always\"}]}";

static WeftScene* parse_worn(const char* pattern, const char* folder, const char* edge) {
    char text[500];
    WeftScene* scene = NULL;
    snprintf(text, sizeof text,
             "{\"weft\":1,\"contact\":\"all\",\"bodies\":[{\"kind\":\"mannequin\",\"edge\":0.04,"
             "\"clip\":\"walk\"}],\"cloths\":[{\"mesh\":{\"kind\":\"pattern\",\"file\":\"%s\","
             "\"edge\":%s},\"fabric\":\"cotton_poplin\"}]}",
             pattern, edge);
    if (!CHECK(!weft_parse_scene(text, strlen(text), "t.json", folder, NULL, NULL, &scene, &last)))
        printf("%s\n", last.message);
    return scene;
}

static void dress(WeftScene* scene) {
    WeftPair* pair = NULL;
    CHECK(weft_create_pair(scene, 0, 3, NULL, &pair, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "not dressed yet");
    if (!CHECK(!weft_dress_scene(scene, NULL, NULL, NULL, &last))) printf("%s\n", last.message);
}

// Held between what is held, and as fast as the body at another pace; of the fabric that a mesh of
// its edges can show.
static void held(void) {
    save_file(test_path("waist.json"), waist, strlen(waist));
    WeftScene* scene = parse_worn("waist.json", test_folder, "0.06");
    remove(test_path("waist.json"));
    dress(scene);
    scene->pace = 1.3;
    WeftPair* pair = open(scene, 0, 2);
    const WeftSceneWear* wear = &scene->wears[0];
    CHECK(wear->hold_count > 10);
    CHECK(wear->plain[0].bend < scene->model.cloths[0].fabric.bend);
    CHECK(wear->plain[2].bend > wear->plain[1].bend);
    int last_one = weft_vertex_count(pair->dense_model) - 1;
    CHECK_NEAR(weft_velocities(pair->dense_state)[3 * last_one + 2],
               1.3 * scene->model.cloths[0].velocity[2], 1e-12);
    CHECK_NEAR(mass_of(pair->dense_model), mass_of(pair->coarse_model), 1e-9);
    for (int i = 0; i < 10; i++) CHECK(!weft_step_pair(pair, &last));
    int count = 0;
    for (int v = 0; v < weft_vertex_count(pair->dense_model); v++)
        count += weft_is_pinned(pair->dense_state, v);
    CHECK(count == 2 * wear->hold_count);  // all around
    for (int i = 0; i < wear->hold_count; i++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(pair->dense[3 * wear->holds[i].vertex + k],
                       pair->frame.positions[3 * wear->holds[i].vertex + k], 1e-12);
    weft_destroy_pair(pair);
    weft_destroy_scene(scene);
}

// Elastic and folds go along the parts of their edges.
static void threads_between(void) {
    WeftScene* scene = parse_worn("garments/pleated_skirt.json", WEFT_SOURCE, "0.08");
    WfRefinedScene refined;
    int kinds[2] = {0, 0};
    scene->dressed = true;  // it is not simulated here
    CHECK(!wf_refine_scene(scene, 0, 4, NULL, &refined, &last));
    const WeftMesh *coarse = &scene->meshes[0], *fine = &refined.mesh;
    CHECK(coarse->thread_count > 1 && fine->thread_count == coarse->thread_count);
    for (int t = 0; t < fine->thread_count; t++) {
        const WeftThread *from = &coarse->threads[t], *to = &fine->threads[t];
        const int *a = coarse->thread_vertices + from->first,
                  *b = fine->thread_vertices + to->first;
        CHECK(to->kind == from->kind && to->ratio == from->ratio && to->stretch == from->stretch);
        kinds[to->kind == WEFT_THREAD_FOLD]++;
        if (!CHECK(to->count == 4 * (from->count - 1) + 1)) break;
        for (int i = 0; i < to->count; i++)
            for (int k = 0; k < 3; k++) {
                const double* x = coarse->positions + k;
                double part = (i % 4) / 4.0;
                int next = i / 4 + (i % 4 > 0);
                CHECK_NEAR(fine->positions[3 * b[i] + k],
                           (1 - part) * x[3 * a[i / 4]] + part * x[3 * a[next]], 1e-12);
            }
    }
    CHECK(kinds[0] > 0 && kinds[1] > 0);
    wf_destroy_refined_scene(&refined);
    weft_destroy_scene(scene);
}

// On its way, nothing crosses in the dense cloth.
static void worn(void) {
    WeftScene* scene = parse_worn("garments/skirt.json", WEFT_SOURCE, "0.04");
    dress(scene);
    WeftPair* pair = open(scene, 0, 3);
    for (int i = 0; i < 30; i++)
        if (!CHECK(!weft_step_pair(pair, &last))) printf("%s\n", last.message);
    CHECK_BELOW(sqrt(square_apart(scene, pair)), 0.015);
    WeftSurface cloth = {weft_vertex_count(pair->dense_model), weft_positions(pair->dense_state),
                         weft_triangle_count(pair->dense_model), weft_triangles(pair->dense_model),
                         false};
    WeftCrossing crossing;
    int count = 0;
    CHECK(!weft_find_crossings(&cloth, 1, NULL, 1, &crossing, &count, NULL));
    CHECK(count == 0);
    weft_destroy_pair(pair);
    weft_destroy_scene(scene);
}

TEST_MAIN(CASE(stays_beside), CASE(pins_between), CASE(made_of), CASE(without_budget),
          CASE(twice_the_pace), CASE(refusals), CASE(nth_allocation_fails), CASE(threads_between),
          SLOW_CASE(held), SLOW_CASE(worn))
