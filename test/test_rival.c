// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the rival that plays scenes of weft (bench/rival/rival.h): it is the same cloth, and comes
// to the same motion and rest as weft's own methods do where both are given all the time they want.

#include <math.h>
#include <stdio.h>

#include "rival/rival.h"
#include "test.h"
#include "weft/weft_study.h"

typedef struct Played {
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    Rival* rival;  // NULL: by weft
} Played;

static WeftScene* read_scene(const char* text) {
    WeftScene* scene = NULL;
    WeftError error;
    if (weft_parse_scene(text, strlen(text), "t.json", NULL, NULL, NULL, &scene, &error))
        printf("%s\n", error.message);
    if (!CHECK(scene != NULL)) exit(1);
    return scene;
}

static Played play(const char* text, bool by_rival, WeftClock clock) {
    Played played = {.scene = read_scene(text)};
    WeftError error;
    played.scene->model.clock = clock;
    if (by_rival)
        CHECK(!create_rival_model(played.scene, &played.model, &error));
    else
        CHECK(!weft_create_model(&played.scene->model, &played.model, &error));
    CHECK(!weft_create_state(played.model, &played.state, &error));
    if (by_rival) played.rival = create_rival(played.scene, played.state);
    CHECK(!by_rival || played.rival != NULL);
    return played;
}

static void stop(Played* played) {
    destroy_rival(played->rival);
    weft_destroy_state(played->state);
    weft_destroy_model(played->model);
    weft_destroy_scene(played->scene);
}

static void step(Played* played, int count) {
    for (int i = 0; i < count; i++) {
        WeftStepDef def = played->scene->model.step;
        CHECK(!weft_direct_scene(played->scene, played->state, &def));
        if (played->rival)
            CHECK(!take_rival_step(played->rival, played->state, &def));
        else
            CHECK(!weft_step(played->state, &def));
    }
}

static const double* place(const Played* played, int vertex) {
    return weft_positions(played->state) + 3 * (size_t)vertex;
}

static Played run(const char* text, bool by_rival, int frames) {
    Played played = play(text, by_rival, (WeftClock){0});
    step(&played, frames);
    return played;
}

// m, root mean square.
static double distance_between(const Played* a, const Played* b) {
    int count = 3 * weft_vertex_count(a->model);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double d = weft_positions(a->state)[i] - weft_positions(b->state)[i];
        sum += d * d;
    }
    return sqrt(sum / (count / 3));
}

// ---------------------------------------------------------------------------------------------

// A sheet of 0.5 m that is let go level, held by one side.
#define SHEET(step)                                                                           \
    "{\"weft\":1,\"air_density\":0,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"width\":0.5,"   \
    "\"height\":0.5,\"columns\":10,\"rows\":10},\"fabric\":{\"density\":0.2,\"stretch\":300," \
    "\"bend\":1e-3,\"compression\":\"none\",\"stretch_damping\":0.002},"                      \
    "\"pins\":[{\"side\":\"top\"}]}],\"step\":{" step "}}"

// As it swings, and at any number of substeps closer than with fewer.
static void comes_to_the_converged_motion(void) {
    enum { FRAMES = 24 };
    Played exact = run(SHEET("\"method\":\"implicit\",\"order\":2,\"substeps\":16,\"newton_steps\":"
                             "6,\"tolerance\":1e-7,\"stretch_tolerance\":0"),
                       false, FRAMES);
    Played few = run(SHEET("\"substeps\":8"), true, FRAMES);
    Played some = run(SHEET("\"substeps\":32"), true, FRAMES);
    Played many = run(SHEET("\"substeps\":128"), true, FRAMES);
    double coarse = distance_between(&few, &exact), fine = distance_between(&many, &exact);
    double middle = distance_between(&some, &exact);
    printf("  %.2f, %.2f, %.2f mm from the converged motion\n", 1000 * coarse, 1000 * middle,
           1000 * fine);
    CHECK_BELOW(middle, coarse / 2);
    CHECK_BELOW(fine, middle / 2);
    CHECK_BELOW(fine, 0.002);
    stop(&exact), stop(&few), stop(&some), stop(&many);
}

// Energies are those of the fabric, though a softer one carries the state.
static void energies_are_those_of_the_fabric(void) {
    const double gravity[3] = {0, -9.81, 0};
    Played rival = run(SHEET("\"substeps\":64"), true, 20);
    Played weft = play(SHEET("\"quality\":4"), false, (WeftClock){0});
    WeftMeasure found, wanted;
    weft_set_positions(weft.state, weft_positions(rival.state));
    weft_set_velocities(weft.state, weft_velocities(rival.state));
    CHECK(!weft_measure(rival.state, gravity, &found));
    CHECK(!weft_measure(weft.state, gravity, &wanted));
    correct_rival_measure(&found);
    CHECK_NEAR(found.stretch, wanted.stretch, 1e-9);
    CHECK_NEAR(found.bend, wanted.bend, 1e-9);
    CHECK_NEAR(found.total, wanted.total, 1e-9);
    stop(&rival), stop(&weft);
}

// A strip of 5 x 20 cm that sticks out of a wall: how far its end hangs down tells its bending.
#define STRIP(step)                                                                           \
    "{\"weft\":1,\"air_density\":0,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"width\":0.2,"   \
    "\"height\":0.05,\"columns\":16,\"rows\":4},\"fabric\":{\"density\":0.2,\"stretch\":500," \
    "\"bend\":2e-3,\"compression\":\"none\",\"mass_damping\":4},\"pins\":[{\"box\":"          \
    "[[-1,-1,-1],[0.013,1,1]]}]}],\"step\":{" step "}}"

static void bends_as_the_fabric_does(void) {
    Played exact = run(STRIP("\"method\":\"implicit\",\"newton_steps\":6,\"stretch_tolerance\":0"),
                       false, 300);
    Played rival = run(STRIP("\"substeps\":200"), true, 300);
    int end = 16;
    double wanted = place(&exact, end)[1], found = place(&rival, end)[1];
    printf("  %.2f and %.2f mm\n", 1000 * found, 1000 * wanted);
    CHECK_BELOW(wanted, -0.02);
    CHECK_NEAR(found, wanted, 0.02 * fabs(wanted));
    stop(&exact), stop(&rival);
}

// A strip of 0.1 x 0.5 m by another model than springs, along warp or weft; it is longer by
// rho g l/(2 k) of its length.
#define HUNG(turn)                                                                            \
    "{\"weft\":1,\"air_density\":0,\"cloths\":[{\"mesh\":{\"kind\":\"rectangle\"," turn       \
    ",\"edge\":0.02},\"stretch\":\"biquadratic\",\"fabric\":{\"density\":2,\"stretch\":[200," \
    "100],\"shear\":50,\"poisson\":0,\"bend\":0,\"mass_damping\":5},"                         \
    "\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90}},\"pins\":[{\"side\":\"top\"}]}]," \
    "\"step\":{\"substeps\":64}}"

static double lengthening(const char* text) {
    Played played = play(text, true, (WeftClock){0});
    int lowest = 0, count = weft_vertex_count(played.model);
    for (int i = 0; i < count; i++)
        if (place(&played, i)[1] < place(&played, lowest)[1]) lowest = i;
    double before = place(&played, lowest)[1];
    step(&played, 240);
    double longer = before - place(&played, lowest)[1];
    stop(&played);
    return longer;
}

static void membranes_are_spread_to_springs(void) {
    double weight = 2 * 9.81 * 0.5 * 0.5 / 2;  // rho g l^2/2
    double weft = lengthening(HUNG("\"width\":0.3,\"height\":0.5"));
    printf("  %.1f mm, and %.1f by the weft's stiffness\n", 1000 * weft, 1000 * weight / 100);
    CHECK_NEAR(weft, weight / 100, 0.25 * weight / 100);
}

// ---------------------------------------------------------------------------------------------

#define CARRIED(body, more)                                                              \
    "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"width\":0.5,\"height\":0.5," \
    "\"columns\":12,\"rows\":12},\"place\":{\"move\":[-0.25,0.505,0.25]},"               \
    "\"fabric\":{\"friction\":1,\"thickness\":0.004}}],\"bodies\":[{" body               \
    ",\"friction\":1}],\"step\":{\"substeps\":30}" more "}"

// Cloth that lies on a table goes where that goes, and turns with it.
static void bodies_carry_cloth(void) {
    Played played = play(
        CARRIED("\"kind\":\"box\",\"size\":[1,0.5,1],\"place\":{\"move\":[0,0.25,0]},"
                "\"motion\":\"go\"",
                ",\"motions\":{\"go\":{\"offset\":{\"keys\":[[0,0,0,0],[0.3,0,0,0],[1.3,0.3,0,0]]},"
                "\"angle\":{\"keys\":[[0,0],[0.3,0],[1.3,20]]}}}"),
        true, (WeftClock){0});
    step(&played, 15);
    double from[3], radians = 20 * acos(-1.0) / 180;
    memcpy(from, place(&played, 0), sizeof from);
    step(&played, 75);
    const double* to = place(&played, 0);
    CHECK_NEAR(to[1], 0.504, 2e-4);
    CHECK_NEAR(to[0], 0.3 + cos(radians) * from[0] + sin(radians) * from[2], 0.01);
    CHECK_NEAR(to[2], cos(radians) * from[2] - sin(radians) * from[0], 0.01);
    stop(&played);
}

static void capsules_are_not_entered(void) {
    Played played = play(CARRIED("\"kind\":\"capsule\",\"radius\":0.1,\"length\":0.3,\"place\":{"
                                 "\"turn\":{\"axis\":[0,0,1],\"degrees\":90},\"move\":[0,0.4,0]}",
                                 ""),
                         true, (WeftClock){0});
    step(&played, 60);
    double least = 1;
    for (int i = 0; i < weft_vertex_count(played.model); i++) {
        const double* x = place(&played, i);
        double along = fmax(fabs(x[0]) - 0.15, 0);
        least = fmin(least, sqrt(along * along + (x[1] - 0.4) * (x[1] - 0.4) + x[2] * x[2]));
    }
    CHECK_NEAR(least, 0.104, 1e-5);
    stop(&played);
}

// Pins of the scene that move, and those that are set by hand.
static void pins_go_where_they_are_told(void) {
    Played played = play(
        "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":8,\"rows\":8},\"pins\":[{"
        "\"vertices\":[72],\"motion\":\"up\"}]}],\"motions\":{\"up\":{\"offset\":{\"keys\":[[0,0,0,"
        "0],[1,0,0.5,0]]}}}}",
        true, (WeftClock){0});
    double start = place(&played, 72)[1], held[3];
    step(&played, 30);
    CHECK_NEAR(place(&played, 72)[1], start + 0.25, 1e-9);
    CHECK_NEAR(weft_velocities(played.state)[3 * 72 + 1], 0.5, 1e-6);
    weft_pin(played.state, 4);
    memcpy(held, place(&played, 4), sizeof held);
    step(&played, 10);
    CHECK_NEAR(place(&played, 4)[1], held[1], 1e-12);
    weft_unpin(played.state, 4);
    step(&played, 10);
    CHECK(place(&played, 4)[1] != held[1]);
    CHECK_NEAR(weft_time(played.state), 50.0 / 60, 1e-9);
    stop(&played);
}

// A state that was put back goes on from there.
static void states_carry_all_of_it(void) {
    Played played = play(SHEET("\"substeps\":16"), true, (WeftClock){0});
    WeftState* kept = NULL;
    WeftError error;
    CHECK(!weft_create_state(played.model, &kept, &error));
    step(&played, 10);
    weft_copy_state(kept, played.state);
    step(&played, 10);
    uint64_t hash = weft_hash_state(played.state);
    weft_copy_state(played.state, kept);
    CHECK(weft_hash_state(played.state) != hash);
    step(&played, 10);
    CHECK(weft_hash_state(played.state) == hash);
    weft_destroy_state(kept);
    stop(&played);
}

// ---------------------------------------------------------------------------------------------

static double every_look_takes_a_millisecond(void* user) {
    double* time = user;
    return *time += 1e-3;
}

// The clock says that substeps take one millisecond all together, and the rest two.
static void budgets_choose_substeps(void) {
    double time = 0;
    Played played =
        play(SHEET("\"budget_ms\":10"), true, (WeftClock){every_look_takes_a_millisecond, &time});
    step(&played, 1);
    int first = rival_report(played.rival)->substeps;
    step(&played, 3);
    int later = rival_report(played.rival)->substeps;
    CHECK(later > 4 * first);
    played.scene->model.step.budget_ms = 1;
    step(&played, 1);
    CHECK(rival_report(played.rival)->substeps == 2);
    CHECK_NEAR(rival_report(played.rival)->total, 3e-3, 1e-9);
    stop(&played);
}

static void refuses(const char* text, const char* word) {
    WeftScene* scene = read_scene(text);
    const char* why = refuse_rival(scene);
    CHECK_TEXT(why ? why : "", word);
    weft_destroy_scene(scene);
}

static void what_it_does_not_know_is_refused(void) {
    WeftScene* scene = read_scene(SHEET("\"quality\":4"));
    CHECK(refuse_rival(scene) == NULL);
    weft_destroy_scene(scene);
    refuses(
        "{\"weft\":1,\"mirror\":\"exact\",\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":"
        "8,\"rows\":8},\"place\":{\"move\":[-0.5,0,0]}}]}",
        "mirror");
    refuses(CARRIED("\"kind\":\"tapered\"", ""), "body of another kind");
}

TEST_MAIN(SLOW_CASE(comes_to_the_converged_motion), SLOW_CASE(bends_as_the_fabric_does),
          CASE(energies_are_those_of_the_fabric), CASE(membranes_are_spread_to_springs),
          CASE(bodies_carry_cloth), CASE(capsules_are_not_entered),
          CASE(pins_go_where_they_are_told), CASE(states_carry_all_of_it),
          CASE(budgets_choose_substeps), CASE(what_it_does_not_know_is_refused))
