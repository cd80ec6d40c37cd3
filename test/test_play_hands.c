// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what hands do to a scene that is played (web/core): they hold cloth softly, the same on
// every mesh, and never harder than its fabric bears; knives cut along their way; bodies are moved
// one by one; and what was done can be done again.

#include "file_test.h"

#include "play.h"
#include "weft/weft_io.h"

double play_now(void) { return 0; }
void play_progress(double part, const char* stage) { (void)part, (void)stage; }

// A square metre that hangs from its upper side, of `side` edges; vertices from its lower left.
static Play* hang(int side, const char* fabric, const char* rest) {
    char text[2000];
    snprintf(text, sizeof text,
             "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":%d,\"rows\":%d},"
             "\"fabric\":\"%s\",\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90}},"
             "\"pins\":[{\"side\":\"top\"}]}]%s}",
             side, side, fabric, rest);
    Play* play = play_open(text, (int)strlen(text), "t.json");
    if (!play) printf("%s\n", play_error());
    CHECK(play != NULL);
    return play;
}

static void take_steps(Play* play, int count) {
    for (int i = 0; i < count; i++) CHECK(play_step(play));
}

static void find_place(Play* play, int vertex, double place[3]) {
    CHECK(play_draw(play, -1));
    for (int k = 0; k < 3; k++) place[k] = (double)play_positions(play)[3 * vertex + k];
}

static double number(Play* play, const char* name) {
    const double* numbers = play_numbers(play);
    char names[1024];
    snprintf(names, sizeof names, "%s", play_number_names());
    int i = 0;
    for (char* word = strtok(names, " "); word; word = strtok(NULL, " "), i++)
        if (strcmp(word, name) == 0) return numbers[i];
    CHECK_TEXT(play_number_names(), name);
    return 0;
}

// The middle of the lower side.
static void grab_hem(Play* play, int side, double place[3]) {
    find_place(play, side / 2, place);
    play_grab(play, side / 2, place[0], place[1], place[2]);
}

// ---------------------------------------------------------------------------------------------
// Holding

static const char* const fabrics[] = {"silk_chiffon", "denim", "canvas", "cotton_jersey"};

static void every_fabric_follows(void) {
    for (int f = 0; f < 4; f++) {
        Play* play = hang(20, fabrics[f], "");
        double from[3], to[3];
        take_steps(play, 30);
        grab_hem(play, 20, from);
        for (int i = 1; i <= 60; i++) {
            play_drag(play, from[0], from[1] + 0.2 * i / 60, from[2] + 0.2 * i / 60);
            take_steps(play, 1);
        }
        find_place(play, 10, to);
        CHECK_NEAR(to[1], from[1] + 0.2, 0.02);
        CHECK_NEAR(to[2], from[2] + 0.2, 0.02);
        play_drop(play);
        take_steps(play, 30);
        find_place(play, 10, to);
        CHECK_BELOW(to[1], from[1] + 0.15);
        play_close(play);
    }
}

// The worst edge of a pull at 3 m/s to 3 m beyond what the cloth is long.
static double pull_away(int side, const char* fabric) {
    Play* play = hang(side, fabric, "");
    double from[3], worst = 0;
    take_steps(play, 30);
    grab_hem(play, side, from);
    for (int i = 1; i <= 60; i++) {
        play_drag(play, from[0], from[1] - 3 * i / 60.0, from[2]);
        take_steps(play, 1);
        worst = fmax(worst, number(play, "max_stretch"));
    }
    play_close(play);
    return worst;
}

static void no_fabric_is_torn_away(void) {
    for (int f = 0; f < 4; f++) {
        CHECK_BELOW(pull_away(20, fabrics[f]), 1.5);
        if (test_slow()) CHECK_BELOW(pull_away(60, fabrics[f]), 1.5);
    }
}

// How far the hem is from the hand that lifts it, m.
static double lag(int side, double* most) {
    Play* play = hang(side, "canvas", "");
    double from[3], to[3];
    *most = 0;
    take_steps(play, 30);
    grab_hem(play, side, from);
    play_drag(play, from[0], from[1] + 0.1, from[2] + 0.3);
    take_steps(play, 1);
    find_place(play, side / 2, to);
    *most = to[2] - from[2];
    take_steps(play, 60);
    find_place(play, side / 2, to);
    double off = hypot(hypot(to[0] - from[0], to[1] - from[1] - 0.1), to[2] - from[2] - 0.3);
    play_close(play);
    return off;
}

static void meshes_make_no_difference(void) {
    double first, second;
    CHECK_BELOW(lag(20, &first), 0.01);
    CHECK_BELOW(lag(test_slow() ? 80 : 40, &second), 0.01);
    // the first step answers, and alike
    CHECK(first > 0.02 && second > 0.02);
    CHECK_NEAR(first, second, 0.5 * first);
}

static void methods_make_no_difference(void) {
    static const char* const methods[] = {"implicit", "relaxation", "matrix_free"};
    for (int m = 0; m < 3; m++) {
        char rest[100];
        snprintf(rest, sizeof rest, ",\"step\":{\"method\":\"%s\"}", methods[m]);
        Play* play = hang(20, "canvas", rest);
        double from[3], to[3];
        take_steps(play, 10);
        grab_hem(play, 20, from);
        play_drag(play, from[0], from[1] + 0.1, from[2] + 0.2);
        take_steps(play, 60);
        find_place(play, 10, to);
        CHECK_NEAR(to[2], from[2] + 0.2, 0.04);
        CHECK_BELOW(number(play, "max_stretch"), 1.5);
        play_close(play);
    }
}

// A hand below a floor presses the cloth on it, and does not draw it through.
static void bodies_are_in_the_way(void) {
    Play* play =
        hang(20, "denim", ",\"bodies\":[{\"kind\":\"plane\",\"place\":{\"move\":[0,-1.2,0]}}]");
    double from[3], to[3];
    take_steps(play, 30);
    grab_hem(play, 20, from);
    play_drag(play, from[0], -3, from[2]);
    take_steps(play, 60);
    for (int i = 0; i < 21; i++) {
        find_place(play, i, to);
        CHECK_BELOW(-1.2, to[1]);
    }
    play_close(play);
}

// ---------------------------------------------------------------------------------------------
// Blowing

// How far the lower part of a hanging cloth is blown aside within half a second.
static double blow_at(const char* fabric) {
    Play* play = hang(20, fabric, "");
    double from[3], to[3];
    take_steps(play, 30);
    find_place(play, 10 + 3 * 21, from);
    play_blow(play, from[0], from[1], from[2], 0, 0, 2, 1);
    take_steps(play, 30);
    find_place(play, 10 + 3 * 21, to);
    CHECK_BELOW(number(play, "max_stretch"), 1.2);
    play_calm(play);
    double way = to[2] - from[2];
    // beside the breath nothing is felt, and behind it nothing is left
    take_steps(play, 240);
    find_place(play, 10 + 3 * 21, to);
    CHECK_BELOW(fabs(to[2] - from[2]), 0.1 + 0.5 * way);
    play_close(play);
    return way;
}

static void light_cloth_flies_and_heavy_cloth_stirs(void) {
    double chiffon = blow_at("silk_chiffon"), canvas = blow_at("canvas");
    CHECK(canvas > 0.01);
    CHECK_BELOW(1.5 * canvas, chiffon);
}

// ---------------------------------------------------------------------------------------------
// Cutting

// Across the cloth, a little below its middle; beside it at both ends.
static void draw_stroke(Play* play, int side, double from, double to) {
    for (int i = 0; i <= 80; i++) {
        double x = from + (to - from) * i / 80, at[3];
        int column = (int)round(x * side);
        bool beside = x < 0 || x > 1;
        int vertex = beside ? -1 : (side / 2) * (side + 1) + column;
        if (!beside) find_place(play, vertex, at);
        CHECK(play_cut(play, vertex, beside ? 0 : at[0], beside ? 0 : at[1], beside ? 0 : at[2]));
    }
}

static void knives_cut_along_their_way(void) {
    Play* play = hang(10, "denim", "");
    take_steps(play, 30);
    draw_stroke(play, 10, -0.2, 1.2);
    CHECK(play_lift_knife(play) == 10);
    take_steps(play, 60);
    CHECK(play_vertex_count(play) == 121 + 11 && play_shape(play) > 0);
    double low[3], high[3];
    find_place(play, 5, low);
    find_place(play, 115, high);
    CHECK_BELOW(low[1], -2);     // it fell,
    CHECK_BELOW(-0.1, high[1]);  // and what is pinned hangs
    // another fabric goes on with it
    double time = number(play, "time");
    char text[2000];
    snprintf(text, sizeof text,
             "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":10,\"rows\":10},"
             "\"fabric\":\"canvas\",\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90}},"
             "\"pins\":[{\"side\":\"top\"}]}]}");
    CHECK(play_change(play, text, (int)strlen(text), "t.json", false));
    CHECK_NEAR(number(play, "time"), time, 1e-9);
    CHECK(play_vertex_count(play) == 121 + 11);
    take_steps(play, 5);
    find_place(play, 5, low);
    CHECK_BELOW(low[1], -2);
    CHECK(play_reset(play) && play_vertex_count(play) == 121);
    play_close(play);
}

static void a_slit_stays_inside(void) {
    Play* play = hang(10, "denim", "");
    draw_stroke(play, 10, 0.2, 0.8);
    CHECK(play_lift_knife(play) == 6);
    take_steps(play, 20);
    CHECK(play_vertex_count(play) == 121 + 5);  // its ends stay joined
    // a stroke on the same way cuts nothing
    draw_stroke(play, 10, 0.3, 0.7);
    CHECK(play_lift_knife(play) == 0);
    play_close(play);
}

// Smooth cloth is shown as it is simulated from then on.
static void cut_cloth_has_no_detail(void) {
    char text[1000];
    snprintf(text, sizeof text,
             "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":10,\"rows\":10},"
             "\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90}},\"pins\":[{\"side\":\"top\"}],"
             "\"detail\":{\"parts\":2,\"surface\":\"smooth\"}}]}");
    Play* play = play_open(text, (int)strlen(text), "t.json");
    if (!CHECK(play != NULL)) {
        printf("%s\n", play_error());
        return;
    }
    CHECK(play_vertex_count(play) == 21 * 21);
    draw_stroke(play, 10, -0.2, 1.2);
    CHECK(play_lift_knife(play) > 0);
    take_steps(play, 20);
    CHECK(play_vertex_count(play) > 121 && play_vertex_count(play) < 21 * 21);
    CHECK_TEXT(play_describe(play), "it is cut");
    CHECK(play_reset(play) && play_vertex_count(play) == 21 * 21);
    play_close(play);
}

// While the knife goes on, cloth opens behind it.
static void cuts_go_on_while_cloth_opens(void) {
    Play* play = hang(10, "denim", "");
    for (int i = 0; i < 8; i++) {
        draw_stroke(play, 10, -0.1 + 0.15 * i, 0.05 + 0.15 * i);
        take_steps(play, 7);
    }
    play_lift_knife(play);
    take_steps(play, 40);
    CHECK(play_vertex_count(play) == 121 + 11);
    play_close(play);
}

static void some_cloth_cannot_be_cut(void) {
    static const char text[] =
        "{\"weft\":1,\"mirror\":\"exact\",\"cloths\":[{\"mesh\":{\"kind\":\"grid\","
        "\"columns\":8,\"rows\":8},\"place\":{\"move\":[-0.5,0,0]}}]}";
    Play* play = play_open(text, (int)strlen(text), "t.json");
    if (!CHECK(play != NULL)) return;
    CHECK(!play_cut(play, 40, 0, 0, 0));
    CHECK_TEXT(play_error(), "by halves");
    play_close(play);
}

// ---------------------------------------------------------------------------------------------
// Bodies

static const char two_balls[] =
    ",\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.1,\"place\":{\"move\":[0,0,3]}},"
    "{\"kind\":\"box\",\"size\":[0.4,0.2,0.2],\"place\":{\"move\":[2,0,3]}}]";

// The middle of a body, and half of its extent along x.
static void find_body(Play* play, int body, double middle[3], double* extent) {
    CHECK(play_draw(play, -1));
    const int* starts = play_body_starts(play);
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    for (int i = starts[body]; i < starts[body + 1]; i++)
        for (int k = 0; k < 3; k++) {
            double x = (double)play_body_positions(play)[3 * i + k];
            low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
        }
    for (int k = 0; k < 3; k++) middle[k] = (low[k] + high[k]) / 2;
    *extent = (high[0] - low[0]) / 2;
}

static void bodies_move_one_by_one(void) {
    Play* play = hang(4, "denim", two_balls);
    double middle[3], extent;
    play_move_body(play, 0, 0.5, 0.25, 0);
    play_turn_body(play, 1, 0, 0, sqrt(0.5), sqrt(0.5));  // a quarter about z
    take_steps(play, 1);
    find_body(play, 0, middle, &extent);
    CHECK(middle[0] > 0.01 && middle[0] < 0.1);  // at the speed of a hand
    take_steps(play, 60);
    find_body(play, 0, middle, &extent);
    CHECK_NEAR(middle[0], 0.5, 1e-3);
    CHECK_NEAR(middle[1], 0.25, 1e-3);
    find_body(play, 1, middle, &extent);
    CHECK_NEAR(middle[0], 2, 1e-5);  // about its middle
    CHECK_NEAR(extent, 0.1, 1e-5);
    play_move_body(play, 7, 1, 1, 1);
    play_turn_body(play, -1, 0, 0, 1, 0);
    take_steps(play, 1);
    play_close(play);
}

static void what_was_done_is_done_again(void) {
    Play* play = hang(10, "denim", two_balls);
    double kept[200], middle[3], extent, place[3];
    take_steps(play, 3);
    play_move_body(play, 0, 0.5, 0, 0);
    play_turn_body(play, 1, 0, 0, sqrt(0.5), sqrt(0.5));
    play_move_body(play, 1, 0, 0.5, 0);
    CHECK(play_toggle_pin(play, 5));
    CHECK(!play_toggle_pin(play, 120));
    draw_stroke(play, 10, -0.2, 1.2);
    play_lift_knife(play);
    find_place(play, 5, place);
    const double* numbers = play_hands(play);
    if (!CHECK(numbers != NULL && numbers[0] < 199)) return;
    int count = (int)numbers[0];
    memcpy(kept, numbers + 1, (size_t)count * sizeof(double));
    CHECK(play_reset(play));
    CHECK(play_hands(play)[0] == 6);
    CHECK(play_set_hands(play, kept, count));
    numbers = play_hands(play);
    CHECK((int)numbers[0] == count);
    CHECK(memcmp(numbers + 1, kept, (size_t)count * sizeof(double)) == 0);
    take_steps(play, 60);
    find_body(play, 0, middle, &extent);
    CHECK_NEAR(middle[0], 0.5, 1e-3);
    find_body(play, 1, middle, &extent);
    CHECK_NEAR(middle[0], 2, 1e-3);
    CHECK_NEAR(middle[1], 0.5, 1e-3);
    CHECK(play_vertex_count(play) == 121 + 11);
    CHECK(play_pinned(play)[5] && !play_pinned(play)[120]);
    // damaged numbers do no harm
    for (int n = 0; n < count; n++) {
        CHECK(play_reset(play));
        play_set_hands(play, kept, n);
        kept[n] = -1e300;
        play_set_hands(play, kept, count);
    }
    play_close(play);
}

TEST_MAIN(SLOW_CASE(every_fabric_follows), CASE(no_fabric_is_torn_away),
          SLOW_CASE(meshes_make_no_difference), CASE(methods_make_no_difference),
          CASE(bodies_are_in_the_way), SLOW_CASE(light_cloth_flies_and_heavy_cloth_stirs),
          CASE(knives_cut_along_their_way), CASE(a_slit_stays_inside),
          CASE(cut_cloth_has_no_detail), CASE(cuts_go_on_while_cloth_opens),
          CASE(some_cloth_cannot_be_cut), CASE(bodies_move_one_by_one),
          CASE(what_was_done_is_done_again))
