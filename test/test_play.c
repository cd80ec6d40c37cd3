// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what the page calls (web/core): a scene played untouched is that of the tool; changes keep
// the motion; hands, pins and the body do what they say; a refusal changes nothing.

#include "file_test.h"

#include <inttypes.h>
#include <jansson.h>

#include "play.h"
#include "weft/weft_detail.h"
#include "weft/weft_io.h"

double play_now(void) { return 0; }

static int told;  // how often, and how far the last time
static double told_part;

void play_progress(double part, const char* stage) {
    CHECK(stage[0] != 0 && part >= 0 && part <= 1);
    told++, told_part = part;
}

// a square of 9 x 9 vertices, held at two corners
#define SQUARE(step, fabric)                                                          \
    "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":8,\"rows\":8}," \
    "\"fabric\":{" fabric "},\"pins\":[{\"vertices\":[72,80]}]}],\"step\":{" step "}}"
enum { CORNER = 72, FREE = 4, MIDDLE = 40 };

static Play* open_text(const char* text) {
    Play* play = play_open(text, (int)strlen(text), "t.json");
    if (!play) printf("%s\n", play_error());
    CHECK(play != NULL);
    return play;
}

static bool change(Play* play, const char* text, bool steps_only) {
    return play_change(play, text, (int)strlen(text), "t.json", steps_only);
}

static void take_steps(Play* play, int count) {
    for (int i = 0; i < count; i++) CHECK(play_step(play));
}

static const float* place(Play* play, int vertex) {
    CHECK(play_draw(play, -1));
    return play_positions(play) + 3 * vertex;
}

static bool is_pinned(Play* play, int vertex) {
    CHECK(play_draw(play, -1));
    return play_pinned(play)[vertex] != 0;
}

static double number(Play* play, const char* name) {
    const double* numbers = play_numbers(play);
    char names[512];
    snprintf(names, sizeof names, "%s", play_number_names());
    int i = 0;
    for (char* word = strtok(names, " "); word; word = strtok(NULL, " "), i++)
        if (strcmp(word, name) == 0) return numbers[i];
    CHECK_TEXT(play_number_names(), name);
    return 0;
}

static void untouched_it_is_the_scene(void) {
    const char* text = SQUARE("", "");
    Play* play = open_text(text);
    take_steps(play, 20);
    WeftScene* scene = NULL;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    CHECK(!weft_parse_scene(text, strlen(text), "t", NULL, NULL, NULL, &scene, NULL));
    CHECK(!weft_create_model(&scene->model, &model, NULL));
    CHECK(!weft_create_state(model, &state, NULL));
    for (int i = 0; i < 20; i++) {
        weft_direct_scene(scene, state, &scene->model.step);
        CHECK(!weft_step(state, &scene->model.step));
    }
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, weft_hash_state(state));
    CHECK_TEXT(play_hash(play), hash);
    CHECK_NEAR(number(play, "time"), 20 / 60.0, 1e-12);
    CHECK(number(play, "solves") > 0 && number(play, "max_stretch") > 1);
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    play_close(play);
}

static void changes_keep_the_motion(void) {
    Play* play = open_text(SQUARE("", ""));
    take_steps(play, 20);
    char before[17];
    snprintf(before, sizeof before, "%s", play_hash(play));
    // another method
    CHECK(change(play, SQUARE("\"method\":\"implicit\"", ""), true));
    CHECK_TEXT(play_hash(play), before);
    CHECK_TEXT(play_describe(play), "\"method\":\"implicit\"");
    take_steps(play, 1);
    // another fabric, which needs another model
    snprintf(before, sizeof before, "%s", play_hash(play));
    CHECK(change(play, SQUARE("\"method\":\"implicit\"", "\"stretch\":500"), false));
    CHECK_TEXT(play_hash(play), before);
    CHECK_TEXT(play_describe(play), "\"stretch\":[500,500]");
    CHECK_NEAR(number(play, "time"), 21 / 60.0, 1e-12);
    take_steps(play, 20);
    // another mesh starts anew
    CHECK(change(play, "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\"}}]}", false));
    CHECK(play_vertex_count(play) == 33 * 33 && number(play, "time") == 0);
    take_steps(play, 1);
    play_close(play);
}

// More time steps than a model keeps factors for.
static void many_changes_of_the_step(void) {
    Play* play = open_text(SQUARE("", ""));
    for (int i = 0; i < 40; i++) {
        char text[512];
        snprintf(text, sizeof text, SQUARE("\"dt\":%g", ""), 0.01 + 0.0005 * i);
        CHECK(change(play, text, true));
        take_steps(play, 1);
        CHECK(number(play, "factors") == 0);
    }
    play_close(play);
}

static void a_refusal_changes_nothing(void) {
    Play* play = open_text(SQUARE("", ""));
    take_steps(play, 5);
    char before[17];
    snprintf(before, sizeof before, "%s", play_hash(play));
    for (int steps_only = 0; steps_only < 2; steps_only++) {
        CHECK(!change(play, SQUARE("\"method\":\"magic\"", ""), steps_only));
        CHECK_TEXT(play_error(), "t.json:1:");
        CHECK_TEXT(play_error(), "\"method\" must be");
        CHECK(!change(play, "{", steps_only));
    }
    CHECK_TEXT(play_hash(play), before);
    take_steps(play, 5);
    CHECK(play_open("[]", 2, "list.json") == NULL);
    CHECK_TEXT(play_error(), "list.json:1:1: the scene must be an object");
    play_close(play);
}

static void a_hand_moves_the_cloth(void) {
    Play* play = open_text(SQUARE("", ""));
    take_steps(play, 30);
    play_grab(play, FREE, NAN, NAN, NAN);
    const float* x = place(play, FREE);
    double goal[3] = {(double)x[0] + 0.2, (double)x[1] + 0.1, (double)x[2]};
    play_drag(play, goal[0], goal[1], goal[2]);
    take_steps(play, 60);
    for (int k = 0; k < 3; k++) CHECK_NEAR(place(play, FREE)[k], goal[k], 5e-3);
    CHECK(!is_pinned(play, FREE));  // held softly
    play_drop(play);
    take_steps(play, 30);
    CHECK(fabs((double)place(play, FREE)[1] - goal[1]) > 0.05);
    // out of reach, and nobody there
    play_grab(play, -1, NAN, NAN, NAN);
    play_grab(play, 1 << 20, NAN, NAN, NAN);
    play_drag(play, 1, 2, 3);
    take_steps(play, 1);
    play_close(play);
}

// Not even a jump of the pointer tears the cloth.
static void a_hand_has_a_speed(void) {
    Play* play = open_text(SQUARE("", ""));
    play_grab(play, FREE, NAN, NAN, NAN);
    play_drag(play, 100, 0, 0);
    take_steps(play, 1);
    CHECK_BELOW(place(play, FREE)[0], 0.7);
    CHECK_BELOW(0.5, place(play, FREE)[0]);
    play_close(play);
}

static void a_held_pin_stays_where_it_is_put(void) {
    Play* play = open_text(SQUARE("", ""));
    play_grab(play, CORNER, NAN, NAN, NAN);
    play_drag(play, 0.1, 0.2, -1);
    take_steps(play, 30);
    play_drop(play);
    take_steps(play, 30);
    CHECK(is_pinned(play, CORNER) && !is_pinned(play, CORNER + 1));
    CHECK_NEAR(place(play, CORNER)[1], 0.2, 1e-6);
    // also through a change of the fabric
    CHECK(change(play, SQUARE("", "\"stretch\":500"), false));
    take_steps(play, 5);
    CHECK_NEAR(place(play, CORNER)[1], 0.2, 1e-6);
    CHECK(play_reset(play));
    CHECK(place(play, CORNER)[1] == 0);
    play_close(play);
}

static void pins_come_and_go(void) {
    Play* play = open_text(SQUARE("", ""));
    CHECK(play_toggle_pin(play, MIDDLE));
    CHECK(!play_toggle_pin(play, CORNER));
    take_steps(play, 30);
    CHECK(is_pinned(play, MIDDLE) && !is_pinned(play, CORNER));
    CHECK(place(play, MIDDLE)[1] == 0);
    CHECK_BELOW(place(play, CORNER)[1], -0.1);
    CHECK(change(play, SQUARE("\"quality\":1", ""), true));
    take_steps(play, 1);
    CHECK(!is_pinned(play, CORNER));
    CHECK(!play_toggle_pin(play, MIDDLE));
    CHECK(!play_toggle_pin(play, -1));
    CHECK(play_reset(play));
    CHECK(is_pinned(play, CORNER) && !is_pinned(play, MIDDLE));
    play_close(play);
}

static void the_body_is_moved(void) {
    Play* play = open_text(SQUARE("", ""));
    play_carry(play, 0, 0.5, 0);
    take_steps(play, 1);
    CHECK_NEAR(place(play, CORNER)[1], 3 / 60.0, 1e-6);  // three times its size in a second
    take_steps(play, 60);
    CHECK_NEAR(place(play, CORNER)[1], 0.5, 1e-6);
    CHECK(change(play, SQUARE("\"quality\":2", "\"density\":0.3"), false));
    take_steps(play, 1);
    CHECK_NEAR(place(play, CORNER)[1], 0.5, 1e-6);
    play_close(play);
}

// A cloth far above a ball of two triangles a side, a floor and a wall that is turned by a motion.
#define BODIES(contact)                                                                          \
    "{\"weft\":1,\"contact\":\"" contact                                                         \
    "\",\"motions\":{\"m\":{\"offset\":{\"keys\":[[0,0,0,0],[1,"                                 \
    "0,0,6]]}}},\"bodies\":[{\"kind\":\"plane\"},{\"kind\":\"box\",\"size\":[2,2,2],\"motion\":" \
    "\"m\"}],"                                                                                   \
    "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":2,\"rows\":2},\"place\":{\"move\":[0," \
    "99,0]}}]}"

static void bodies_are_drawn_and_moved(void) {
    Play* play = open_text(BODIES("bodies"));
    CHECK(play_body_count(play) == 2 && play_planes(play)[0] == 1 && play_planes(play)[1] == 0);
    const int* starts = play_body_starts(play);
    int first = starts[1], corner = 3 * (play_body_triangle_count(play) - 1);
    CHECK(starts[0] == 0 && first > 3 && starts[2] >= first + 8);
    CHECK(play_body_triangles(play)[corner] >= first && play_body_triangles(play)[0] < first);
    CHECK(play_draw(play, -1));
    float before[3];
    memcpy(before, play_body_positions(play) + 3 * first, sizeof before);
    CHECK_NEAR(fabsf(before[0]), 1, 1e-6);
    play_carry(play, 0, 0.5, 0);
    take_steps(play, 30);
    CHECK(play_draw(play, -1));
    const float* now = play_body_positions(play);
    CHECK_NEAR(now[1], 0.5, 1e-6);  // the floor goes along with the hand
    CHECK_NEAR(now[3 * first + 1], before[1] + 0.5f, 1e-6);
    CHECK_NEAR(now[3 * first + 2], before[2] + 3, 1e-5);
    // another model goes on where the bodies are
    CHECK(change(play, BODIES("all"), false) && play_draw(play, -1));
    CHECK_NEAR(play_body_positions(play)[1], 0.5, 1e-6);
    CHECK_TEXT(play_describe(play), "\"contact\":\"all\",\"bodies\":2");
    play_close(play);
}

// A tube around the hips, held at the waist.
static const char band[] =
    "{\"weft_pattern\":1,\"measures\":{\"hips\":1,\"waist_height\":1,\"half\":\"hips/2+0.08\"},"
    "\"panels\":[{\"name\":\"front\",\"sides\":[[\"half/2\",0],[\"half/2\",0.35],"
    "{\"to\":[\"-half/2\",0.35],\"label\":\"waist\"},[\"-half/2\",0]],"
    "\"place\":{\"move\":[0,\"waist_height-0.35\",0.2]}},"
    "{\"name\":\"back\",\"sides\":[[\"half/2\",0],[\"half/2\",0.35],"
    "{\"to\":[\"-half/2\",0.35],\"label\":\"waist\"},[\"-half/2\",0]],"
    "\"place\":{\"move\":[0,\"waist_height-0.35\",-0.2],\"turn\":{\"axis\":[0,1,0],"
    "\"degrees\":180}}}],\"seams\":[{\"a\":\"front.1\",\"b\":\"back.3\"},"
    "{\"a\":\"front.3\",\"b\":\"back.1\"}],"
    "\"holds\":[{\"label\":\"waist\",\"kind\":\"always\"}]}";

// It is put on while the host is told, and what came of it is taken as the start of the next scene,
// with which settings of steps may be changed.
static void garments_are_put_on(void) {
    static char text[2048], start[512], pattern[256];
    static const char format[] =
        "{\"weft\":1,\"contact\":\"all\",\"step\":{\"quality\":%d}%s,\"bodies\":[{\"kind\":"
        "\"mannequin\",\"edge\":0.04,\"gap\":0}],\"cloths\":[{\"mesh\":{\"kind\":\"pattern\","
        "\"file\":"
        "\"%s\",\"edge\":0.06}}]}";
    snprintf(pattern, sizeof pattern, "%s", test_path("band.json"));
    save_file(pattern, band, sizeof band - 1);
    snprintf(text, sizeof text, format, 4, "", pattern);
    told = 0;
    const char* found = play_dress(text, (int)strlen(text), "t.json");
    if (!CHECK(found != NULL)) printf("%s\n", play_error());
    if (!found) return;
    CHECK_TEXT(found, "\"weft_start\": 1");
    CHECK(told > 10);
    CHECK_BELOW(0.5, told_part);
    save_file(test_path("band.start.json"), found, strlen(found));
    snprintf(start, sizeof start, ",\"start\":\"%s\"", test_path("band.start.json"));
    snprintf(text, sizeof text, format, 4, start, pattern);
    told = 0;
    Play* play = open_text(text);
    CHECK(told == 0 && play_corner_texture(play) != NULL);
    take_steps(play, 2);
    snprintf(text, sizeof text, format, 2, start, pattern);
    CHECK(change(play, text, true) && number(play, "time") > 0);
    take_steps(play, 1);
    play_close(play);
    remove(test_path("band.start.json"));
    remove(pattern);
    // nobody wears anything
    static const char square[] = SQUARE("", "");
    CHECK_TEXT(play_dress(square, (int)sizeof square - 1, "t.json"), "");
    play = open_text(square);
    CHECK(play_corner_texture(play) == NULL);
    play_close(play);
    CHECK(play_dress("{", 1, "t.json") == NULL);
    CHECK_TEXT(play_error(), "t.json:1:");
}

static double from_point(Play* play, int vertex, const double middle[3]) {
    const float* x = play_positions(play) + 3 * (size_t)vertex;
    double away = 0;
    for (int k = 0; k < 3; k++) away += pow((double)x[k] - middle[k], 2);
    return sqrt(away);
}

// Middle of the first body, and how far a vertex is from it.
static double from_body(Play* play, int vertex, double middle[3]) {
    const float* x = play_body_positions(play);
    int count = play_body_starts(play)[1];
    play_draw(play, -1);
    for (int k = 0; k < 3; k++) {
        middle[k] = 0;
        for (int i = 0; i < count; i++) middle[k] += (double)x[3 * i + k] / count;
    }
    return from_point(play, vertex, middle);
}

// A pin used to stay where it was put, and she walked out of what she wears.
static void pins_go_along_with_who_walks(void) {
    static char text[2048], start[512], pattern[256], bytes[1 << 22];
    static const char format[] =
        "{\"weft\":1,\"contact\":\"all\",\"step\":{\"quality\":2}%s,\"bodies\":[{\"kind\":"
        "\"mannequin\",\"clip\":\"walk\"}],\"cloths\":[{\"mesh\":{"
        "\"kind\":\"pattern\",\"file\":\"%s\",\"edge\":0.05}}]}";
    snprintf(pattern, sizeof pattern, "%s", test_path("band.json"));
    save_file(pattern, band, sizeof band - 1);
    snprintf(text, sizeof text, format, "", pattern);
    const char* found = play_dress(text, (int)strlen(text), "t.json");
    if (!CHECK(found != NULL)) printf("%s\n", play_error());
    if (!found) return;
    save_file(test_path("band.start.json"), found, strlen(found));
    snprintf(start, sizeof start, ",\"start\":\"%s\"", test_path("band.start.json"));
    snprintf(text, sizeof text, format, start, pattern);
    Play* play = open_text(text);
    if (!play) return;
    take_steps(play, 20);
    int hem = 0;
    play_draw(play, -1);
    for (int i = 0; i < play_vertex_count(play); i++)
        if (play_positions(play)[3 * i + 1] < play_positions(play)[3 * hem + 1]) hem = i;
    double first[3], then[3], kept[64], before = from_body(play, hem, first);
    CHECK(play_toggle_pin(play, hem));
    int size = play_save(play, NULL, 0);
    if (!CHECK(size > 0 && size < (int)sizeof bytes)) return;
    play_save(play, bytes, size);
    take_steps(play, 45);
    CHECK_NEAR(from_body(play, hem, then), before, 0.1);
    CHECK_BELOW(0.5, then[2] - first[2]);
    for (int i = 0; i < play_vertex_count(play); i++)
        CHECK_BELOW(from_point(play, i, then), 0.6);  // all of it is worn
    // pulled elsewhere, it goes along there
    play_grab(play, hem, NAN, NAN, NAN);
    play_drag(play, then[0], then[1], then[2] + 0.35);
    take_steps(play, 20);
    play_drop(play);
    double there = from_body(play, hem, first);
    take_steps(play, 30);
    CHECK_NEAR(from_body(play, hem, then), there, 0.15);
    CHECK_BELOW(0.35, then[2] - first[2]);
    // in the past it was where it was; and what was done is done again from the start
    CHECK(play_load(play, bytes, size) && play_pinned(play)[hem]);
    take_steps(play, 45);
    CHECK_NEAR(from_body(play, hem, then), before, 0.1);
    const double* numbers = play_hands(play);
    int count = (int)numbers[0];
    if (!CHECK(count < 64)) return;
    memcpy(kept, numbers + 1, (size_t)count * sizeof *kept);
    CHECK(play_reset(play) && play_set_hands(play, kept, count));
    take_steps(play, 45);
    CHECK_NEAR(from_body(play, hem, then), before, 0.1);
    CHECK(play_pinned(play)[hem]);
    // let go of, it is not held again
    CHECK(!play_toggle_pin(play, hem));
    take_steps(play, 5);
    CHECK(play_draw(play, -1) && !play_pinned(play)[hem]);
    play_close(play);
    remove(test_path("band.start.json"));
    remove(pattern);
}

static void descriptions_are_json(void) {
    Play* play = open_text(
        "{\"weft\":1,\"name\":\"a \\\"quoted\\\" \\\\ name\",\"cloths\":[{\"mesh\":{\"kind\":"
        "\"rope\"}},{\"mesh\":{\"kind\":\"grid\"}}]}");
    json_t* described = json_loads(play_describe(play), 0, NULL);
    CHECK(described != NULL);
    CHECK_TEXT(json_string_value(json_object_get(described, "name")), "a \"quoted\" \\ name");
    CHECK(json_array_size(json_object_get(described, "cloths")) == 2);
    json_decref(described);
    json_t* choices = json_loads(play_choices(), 0, NULL);
    CHECK(json_array_size(choices) > 50);
    json_decref(choices);
    CHECK(play_line_count(play) == 50 && play_triangle_count(play) == 2048);
    CHECK(play_lines(play)[1] == 1 && play_triangles(play)[0] >= 51);
    CHECK(play_draw(play, WEFT_FIELD_SPEED) && play_field(play)[0] == 0);
    play_close(play);
    play_close(NULL);
}

// The square of 9 x 9 vertices about x = 0, by halves.
#define HALVES(step, rest)                                                                         \
    "{\"weft\":1,\"mirror\":\"exact\",\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":8,"     \
    "\"rows\":8},"                                                                                 \
    "\"place\":{\"move\":[-0.5,0,0]},\"pins\":[{\"vertices\":[72,80]}]}],\"step\":{" step "}" rest \
    "}"
enum { OTHER_CORNER = 80, LEFT = 2, RIGHT = 6 };

static void check_images(Play* play, int a, int b) {
    const float *left = place(play, a), *right = place(play, b);
    CHECK(left[0] == -right[0] && left[1] == right[1] && left[2] == right[2]);
}

static void halves_are_touched_on_both_sides(void) {
    Play* play = open_text(HALVES("", ""));
    CHECK_TEXT(play_describe(play), "\"mirror\":\"exact\",\"closure\":\"open\",\"findings\":[]");
    take_steps(play, 10);
    play_grab(play, LEFT, NAN, NAN, NAN);
    const float* x = place(play, LEFT);
    float before[2] = {x[0], x[1]};
    double goal[3] = {(double)x[0] - 0.05, (double)x[1] + 0.2, (double)x[2] + 0.1};
    play_drag(play, goal[0], goal[1], goal[2]);
    take_steps(play, 30);
    CHECK_BELOW(place(play, LEFT)[0], before[0]);
    CHECK_BELOW(before[1] + 0.05f, place(play, LEFT)[1]);
    check_images(play, LEFT, RIGHT);
    // they do not pass through each other
    play_drag(play, 0.2, goal[1], goal[2]);
    take_steps(play, 30);
    CHECK_BELOW(place(play, LEFT)[0], 5e-3f);
    play_drop(play);
    // what is in the plane stays there
    play_grab(play, FREE, NAN, NAN, NAN);
    float low = place(play, FREE)[1];
    play_drag(play, 0.3, 0.1, 0.2);
    take_steps(play, 30);
    CHECK(place(play, FREE)[0] == 0);
    CHECK_BELOW(low + 0.05f, place(play, FREE)[1]);
    check_images(play, FREE - 1, FREE + 1);
    play_drop(play);
    // a pin of the scene, whose image is another one
    play_grab(play, CORNER, NAN, NAN, NAN);
    play_drag(play, -0.6, 0.2, -1);
    take_steps(play, 30);
    play_drop(play);
    play_carry(play, 0.3, 0.1, 0);
    take_steps(play, 30);
    CHECK_NEAR(place(play, CORNER)[1], 0.2, 1e-6);
    check_images(play, CORNER, OTHER_CORNER);
    CHECK(!play_toggle_pin(play, CORNER) && !is_pinned(play, OTHER_CORNER));
    play_close(play);
}

// Bodies and what holds the cloth move along the mirror only.
static void halves_are_carried_along_the_mirror(void) {
    Play* play = open_text(HALVES("", ",\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.1}]"));
    play_carry(play, 0.4, 0.3, 0.2);
    take_steps(play, 60);
    CHECK_NEAR(place(play, CORNER)[0], -0.5, 1e-6);
    CHECK_NEAR(place(play, CORNER)[1], 0.3, 1e-6);
    float left = 0, right = 0;
    for (int i = 0; i < play_body_starts(play)[1]; i++) {
        float across = play_body_positions(play)[3 * i];
        left = fminf(left, across), right = fmaxf(right, across);
    }
    CHECK_NEAR(left, -right, 1e-6);
    play_close(play);
}

// Wind across ends the mirror, and is no matter for it once it is over.
static void wind_ends_halves(void) {
    Play* play = open_text(HALVES("", ""));
    take_steps(play, 5);
    CHECK(change(play, HALVES("", ",\"wind\":[2,0,1]"), true));
    CHECK_TEXT(play_describe(play), "\"mirror\":\"none\"");
    CHECK_TEXT(play_describe(play),
               "[\"no mirror, all of the cloth is simulated: wind goes across the mirror\"]");
    take_steps(play, 20);
    CHECK(place(play, LEFT)[0] != -place(play, RIGHT)[0] && number(play, "time") > 0.4);
    CHECK(change(play, HALVES("", ",\"wind\":{\"keys\":[[0,0,0,2],[9,0,0,3]]}"), true));
    CHECK_TEXT(play_describe(play), "\"mirror\":\"exact\"");
    take_steps(play, 20);
    check_images(play, LEFT, RIGHT);
    CHECK(change(play, HALVES("", ",\"wind\":{\"keys\":[[0,0,0,2],[1,3,0,3]]}"), true));
    take_steps(play, 20);
    play_close(play);
}

// The square of 9 x 9 vertices, or of more columns, shown by a detail.
#define SHOWN(columns, detail)                                                  \
    "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":" columns \
    ",\"rows\":8},"                                                             \
    "\"pins\":[{\"vertices\":[72,80]}]" detail "}]}"
#define SMOOTH ",\"detail\":{\"parts\":3,\"surface\":\"smooth\"}"

static bool all_finite(const float* numbers, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

static int count_pins(Play* play) {
    int count = 0;
    CHECK(play_draw(play, -1));
    for (int i = 0; i < play_vertex_count(play); i++) count += play_pinned(play)[i] != 0;
    return count;
}

static void details_are_drawn(void) {
    Play* play = open_text(SHOWN("8", SMOOTH));
    CHECK(play_vertex_count(play) == 25 * 25 && play_triangle_count(play) == 2 * 24 * 24);
    CHECK_TEXT(play_describe(play),
               "\"vertices\":81,\"triangles\":128,\"threads\":0,\"shown\":625");
    CHECK_TEXT(play_describe(play), "\"findings\":[]");
    take_steps(play, 20);
    for (int field = WEFT_FIELD_STRETCH; field <= WEFT_FIELD_SPEED; field++) {
        CHECK(play_draw(play, field));
        CHECK(all_finite(play_field(play), 625));
    }
    CHECK(all_finite(play_positions(play), 3 * 625) && all_finite(play_normals(play), 3 * 625));
    // what is simulated keeps its numbers, and between two corners there is what they have
    CHECK_BELOW(0.1, play_field(play)[MIDDLE]);
    CHECK(play_field(play)[CORNER] == 0 && count_pins(play) == 2 && is_pinned(play, CORNER));
    const float* texture = play_texture(play);
    double low = 1, high = 0;
    for (int i = 0; i < 2 * 625; i++) {
        low = fmin(low, (double)texture[i]), high = fmax(high, (double)texture[i]);
    }
    CHECK(low == 0 && high == 1);
    // another detail is no other motion
    char before[17];
    snprintf(before, sizeof before, "%s", play_hash(play));
    CHECK(change(play, SHOWN("8", ""), true) && play_vertex_count(play) == 81);
    CHECK_TEXT(play_hash(play), before);
    CHECK(change(play, SHOWN("8", SMOOTH), false) && play_vertex_count(play) == 625);
    CHECK_TEXT(play_hash(play), before);
    CHECK(play_reset(play) && play_vertex_count(play) == 625);
    play_close(play);
}

// The shown vertex that is farthest from all that are simulated, and not near a pin.
static int between(Play* play) {
    CHECK(play_draw(play, -1));
    const float* x = play_positions(play);
    for (int i = 81; i < play_vertex_count(play); i++) {
        double du = fmod(8 * (double)x[3 * i], 1), dv = fmod(8 - 8 * (double)x[3 * i + 2], 1);
        bool inside = x[3 * i] > 0.4f && x[3 * i] < 0.6f && fabsf(x[3 * i + 2]) < 0.6f;
        if (inside && du > 0.2 && du < 0.8 && dv > 0.2 && dv < 0.8) return i;
    }
    CHECK(!"a vertex between others");
    return 0;
}

// A hand takes hold of what it sees: there is no jump to a vertex that is simulated.
static void details_are_touched(void) {
    Play* play = open_text(SHOWN("8", SMOOTH));
    int seen = between(play);
    float x[3];
    memcpy(x, place(play, seen), sizeof x);
    play_grab(play, seen, NAN, NAN, NAN);
    take_steps(play, 1);
    for (int k = 0; k < 3; k++) CHECK_NEAR(place(play, seen)[k], (double)x[k], 0.01);
    play_drag(play, (double)x[0] + 0.1, (double)x[1] + 0.2, (double)x[2]);
    take_steps(play, 60);
    CHECK_NEAR(place(play, seen)[0], (double)x[0] + 0.1, 0.03);
    CHECK_NEAR(place(play, seen)[1], (double)x[1] + 0.2, 0.03);
    play_drop(play);
    CHECK(count_pins(play) == 2);
    CHECK(play_toggle_pin(play, seen) && count_pins(play) == 3);
    CHECK(!play_toggle_pin(play, seen) && count_pins(play) == 2);
    play_grab(play, 625, NAN, NAN, NAN);
    CHECK(!play_toggle_pin(play, 625) && count_pins(play) == 2);
    take_steps(play, 1);
    play_close(play);
}

// Learned of the square: that everything is a little higher than it is.
static void learn_detail(const char* path) {
    static const char text[] = SHOWN("8", "");
    static double dense[3 * 17 * 17];
    WeftScene* scene = NULL;
    WeftLearner* learner = NULL;
    WeftLearnReport report;
    WeftDetail* detail = NULL;
    WeftMesh fine;
    CHECK(!weft_parse_scene(text, sizeof text - 1, "t", NULL, NULL, NULL, &scene, NULL));
    CHECK(!weft_refine_mesh(&scene->meshes[0], 2, NULL, &fine, NULL, NULL));
    WeftLearnerDef def = weft_default_learner_def();
    def.coarse = &scene->meshes[0], def.parts = 2;
    CHECK(fine.vertex_count == 17 * 17 && !weft_create_learner(&def, &learner, NULL));
    WeftDetailFrame frame = {.positions = scene->meshes[0].positions, .gravity = {0, -9.8, 0}};
    for (int i = 0; i < 3 * 17 * 17; i++) dense[i] = fine.positions[i] + (i % 3 == 1 ? 0.01 : 0);
    for (int i = 0; i < 4; i++) weft_learn(learner, &frame, dense, i == 3, NULL);
    CHECK(!weft_finish_learning(learner, 1e-6, &report, &detail, NULL));
    CHECK(!weft_save_detail_file(path, detail, NULL));
    weft_destroy_detail(detail);
    weft_destroy_learner(learner);
    weft_destroy_mesh(&fine);
    weft_destroy_scene(scene);
}

// Whatever is wrong with it, there is cloth to look at, and the page says why it is another.
static void details_that_do_not_fit(void) {
    static char text[1024], path[512];
    snprintf(path, sizeof path, "%s", test_path("square.detail"));
    learn_detail(path);
    snprintf(text, sizeof text, SHOWN("8", ",\"detail\":\"%s\""), path);
    Play* play = open_text(text);
    CHECK(play_vertex_count(play) == 17 * 17);
    CHECK_TEXT(play_describe(play), "\"findings\":[]");
    CHECK_BELOW(0.001, place(play, MIDDLE)[1]);
    take_steps(play, 3);
    // settings of steps leave it as it is
    for (int wind = 1; wind < 4; wind++) {
        snprintf(
            text, sizeof text,
            SHOWN("8", ",\"detail\":\"%s\"}],\"wind\":[%d,0,0],\"bodies\":[{\"kind\":\"plane\""),
            path, wind);
        CHECK(change(play, text, wind > 1) && play_vertex_count(play) == 17 * 17);
        take_steps(play, 1);
        CHECK(play_draw(play, WEFT_FIELD_SPEED) && all_finite(play_positions(play), 3 * 17 * 17));
    }
    // another mesh
    snprintf(text, sizeof text, SHOWN("10", ",\"detail\":\"%s\""), path);
    CHECK(change(play, text, false) && play_vertex_count(play) == 21 * 17);
    CHECK_TEXT(play_describe(play), "\"findings\":[\"no detail, the cloth is shown smooth: ");
    CHECK_TEXT(play_describe(play), "square.detail: ");
    take_steps(play, 3);
    CHECK(play_draw(play, WEFT_FIELD_STRETCH) && all_finite(play_field(play), 21 * 17));
    // damaged, and gone
    save_file(path, "weft?", 5);
    CHECK(play_reset(play) && play_vertex_count(play) == 21 * 17);
    CHECK_TEXT(play_describe(play), "square.detail: ");
    remove(path);
    CHECK(play_reset(play) && play_vertex_count(play) == 21 * 17);
    CHECK_TEXT(play_describe(play), "square.detail: ");
    take_steps(play, 1);
    CHECK(change(play, SHOWN("10", ""), true));
    CHECK_TEXT(play_describe(play), "\"findings\":[]");
    play_close(play);
}

// A curtain before another, cut in two from top to bottom while the wind blows, with a flap that is
// attached to a ball; the second one tears.
static const char curtains[] =
    "{\"weft\":1,\"contact\":\"all\",\"winds\":[{\"kind\":\"turbulence\",\"strength\":2}],"
    "\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.05,\"place\":{\"move\":[0,0.1,0.3]}}],"
    "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":8,\"rows\":8},"
    "\"place\":{\"turn\":{\"degrees\":90}},\"pins\":[{\"side\":\"top\"}]},"
    "{\"mesh\":{\"kind\":\"grid\",\"columns\":4,\"rows\":4},\"place\":{\"turn\":{\"degrees\":90},"
    "\"move\":[0,0,-1]},\"pins\":[{\"side\":\"top\"}],\"tear_load\":1e5}],"
    "\"attachments\":[{\"at\":[0,0,0],\"body\":0,\"stiffness\":50}],"
    "\"cuts\":[{\"time\":0.05,\"along\":[[0.5,1.1,0],[0.5,-0.1,0]]}]%s}";
enum { CURTAIN = 81, WHOLE = 81 + 25, SPLIT = 9 };

static Play* open_curtains(const char* more) {
    char text[2000];
    snprintf(text, sizeof text, curtains, more);
    return open_text(text);
}

// Everything that the page reads has as many numbers as it says.
static void check_drawn(Play* play, int count) {
    CHECK(play_vertex_count(play) == count && play_triangle_count(play) == 128 + 32);
    for (int field = -1; field < 3; field++) CHECK(play_draw(play, field));
    const int* triangles = play_triangles(play);
    float sum = 0;
    for (int i = 0; i < 3 * play_triangle_count(play); i++)
        CHECK(triangles[i] >= 0 && triangles[i] < count);
    for (int i = 0; i < count; i++)
        sum += play_positions(play)[3 * i] + play_normals(play)[3 * i] + play_field(play)[i] +
               play_texture(play)[2 * i] + play_pinned(play)[i];
    CHECK(isfinite(sum));
}

static void cuts_are_played(void) {
    Play* play = open_curtains("");
    if (!play) return;
    int shape = play_shape(play);
    for (int i = 0; i < 30; i++) {
        take_steps(play, 1);
        bool torn = play_vertex_count(play) > WHOLE;
        CHECK(torn == (play_shape(play) != shape) && torn == (i >= 7));
        check_drawn(play, torn ? WHOLE + SPLIT : WHOLE);
    }
    // the new ones have the texture of those that they were split from
    for (int i = 0; i < SPLIT; i++)
        CHECK_NEAR((double)play_texture(play)[2 * (CURTAIN + i)], 0.5, 1e-6);
    // untouched it is the scene: the bits are those of the library
    WeftScene* scene = NULL;
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftError error;
    char text[2000];
    snprintf(text, sizeof text, curtains, "");
    if (CHECK(!weft_parse_scene(text, strlen(text), "t.json", NULL, NULL, NULL, &scene, &error) &&
              !weft_create_model(&scene->model, &model, &error) &&
              !weft_create_state(model, &state, &error))) {
        WeftStepDef step = scene->model.step;
        for (int i = 0; i < 30; i++)
            CHECK(!weft_direct_scene(scene, state, &step) && !weft_step(state, &step));
        char hash[17];
        snprintf(hash, sizeof hash, "%016" PRIx64, weft_hash_state(state));
        CHECK_TEXT(play_hash(play), hash);
    }
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
    play_close(play);
}

// A hand on the line of the cut goes on holding; one on a later cloth keeps its vertex, whose
// number is another.
static void cuts_below_a_hand(void) {
    for (int later = 0; later < 2; later++) {
        Play* play = open_curtains("");
        if (!play) return;
        play_grab(play, later ? CURTAIN + 2 : MIDDLE, NAN, NAN, NAN);
        float at[3];
        memcpy(at, place(play, later ? CURTAIN + 2 : MIDDLE), sizeof at);
        take_steps(play, 20);
        CHECK(play_vertex_count(play) == WHOLE + SPLIT);
        int held = later ? CURTAIN + SPLIT + 2 : MIDDLE;
        for (int k = 0; k < 3; k++) CHECK_NEAR((double)place(play, held)[k], (double)at[k], 1e-3);
        play_drag(play, (double)at[0], (double)at[1], (double)at[2] + 0.05);
        take_steps(play, 5);
        play_drop(play);
        int left = 0;
        for (int i = 0; i < play_vertex_count(play); i++) left += is_pinned(play, i);
        CHECK(left == 9 + 1 + 5);  // one of the pins was cut through
        take_steps(play, 5);
        play_toggle_pin(play, CURTAIN + SPLIT + 20);  // a pin of the second cloth goes
        CHECK(!is_pinned(play, CURTAIN + SPLIT + 20));
        take_steps(play, 2);
        CHECK(!is_pinned(play, CURTAIN + SPLIT + 20));
        play_close(play);
    }
}

// Whatever is changed, but for the mesh, goes on with what is torn.
static void torn_scenes_are_changed(void) {
    char text[2000];
    Play* play = open_curtains("");
    if (!play) return;
    take_steps(play, 20);
    snprintf(text, sizeof text, curtains, ",\"step\":{\"quality\":2}");
    CHECK(change(play, text, true));
    check_drawn(play, WHOLE + SPLIT);
    CHECK(number(play, "time") > 0.3);
    take_steps(play, 5);
    check_drawn(play, WHOLE + SPLIT);
    snprintf(text, sizeof text, curtains, ",\"same_bits\":true");
    double time = number(play, "time");
    CHECK(change(play, text, false));
    CHECK_NEAR(number(play, "time"), time, 1e-12);
    check_drawn(play, WHOLE + SPLIT);
    take_steps(play, 20);
    check_drawn(play, WHOLE + SPLIT);
    CHECK(play_reset(play));
    check_drawn(play, WHOLE);
    play_close(play);
}

// What is drawn, and where hands are, is in the world.
static void spaces_are_played(void) {
    Play* play = open_text(
        "{\"weft\":1,\"gravity\":[0,0,0],\"motions\":{\"go\":{\"offset\":{\"keys\":[[0,0,0,0],"
        "[1,1,0,0]]}}},\"space\":{\"motion\":\"go\",\"linear\":0,\"air\":0},"
        "\"bodies\":[{\"kind\":\"sphere\",\"place\":{\"move\":[0,-2,0]}}],\"cloths\":[{\"mesh\":{"
        "\"kind\":\"grid\",\"columns\":8,\"rows\":8},\"pins\":[{\"vertices\":[72,80]}]}]}");
    if (!play) return;
    CHECK(play_draw(play, -1));
    double ball = (double)play_body_positions(play)[0];
    take_steps(play, 30);
    CHECK_NEAR((double)place(play, CORNER)[0], 0.5, 1e-6);
    CHECK_NEAR((double)play_body_positions(play)[0], ball + 0.5, 1e-6);
    play_grab(play, CORNER, NAN, NAN, NAN);
    play_drag(play, 0.55, 0.05, -1);
    take_steps(play, 1);
    // it went 1/60 m with the space meanwhile
    CHECK_NEAR((double)place(play, CORNER)[0], 0.55 + 1 / 60.0, 1e-4);
    CHECK_NEAR((double)place(play, CORNER)[1], 0.05, 1e-4);
    play_close(play);
}

// Played by XPBD: what is shown, measured and touched is as ever, and so is going over to another
// method and back.
static void the_rival_plays(void) {
    play_take_rival(true);
    Play* play = open_text(SQUARE("\"substeps\":12", ""));
    take_steps(play, 20);
    CHECK(number(play, "substeps") == 12 && number(play, "solves") == 0);
    CHECK_NEAR(number(play, "time"), 20 / 60.0, 1e-12);
    CHECK(number(play, "max_stretch") > 1 && place(play, MIDDLE)[1] < -0.1F);
    char before[17], text[17];
    snprintf(before, sizeof before, "%s", play_hash(play));
    CHECK(change(play, SQUARE("\"substeps\":30", ""), true));
    CHECK_TEXT(play_hash(play), before);
    take_steps(play, 1);
    CHECK(number(play, "substeps") == 30);
    snprintf(before, sizeof before, "%s", play_hash(play));
    play_take_rival(false);
    CHECK(change(play, SQUARE("", ""), true));
    CHECK_TEXT(play_hash(play), before);
    take_steps(play, 1);
    CHECK(number(play, "solves") > 0);
    play_take_rival(true);
    CHECK(change(play, SQUARE("\"substeps\":12", ""), true));
    play_grab(play, FREE, NAN, NAN, NAN);
    float held = place(play, FREE)[1];
    play_drag(play, 0.5, 1, 0);
    take_steps(play, 20);
    CHECK(place(play, FREE)[1] > held + 0.05F);
    play_drop(play);
    CHECK(play_toggle_pin(play, FREE) && is_pinned(play, FREE) && is_pinned(play, CORNER));
    CHECK(!play_cut(play, FREE, 0, 0, 0));
    CHECK_TEXT(play_error(), "cannot be cut");
    CHECK(play_reset(play) && number(play, "time") == 0);
    take_steps(play, 20);
    snprintf(text, sizeof text, "%s", play_hash(play));
    CHECK(play_reset(play));
    take_steps(play, 20);
    CHECK_TEXT(play_hash(play), text);
    const char* halves =
        "{\"weft\":1,\"mirror\":\"exact\",\"cloths\":[{\"mesh\":{\"kind\":\"grid\","
        "\"columns\":8},\"place\":{\"move\":[-0.5,0,0]}}]}";
    CHECK(!change(play, halves, false));
    CHECK_TEXT(play_error(), "mirror");
    take_steps(play, 1);
    play_take_rival(false);
    play_close(play);
}

TEST_MAIN(CASE(untouched_it_is_the_scene), CASE(changes_keep_the_motion),
          CASE(many_changes_of_the_step), CASE(a_refusal_changes_nothing),
          CASE(a_hand_moves_the_cloth), CASE(a_hand_has_a_speed),
          CASE(a_held_pin_stays_where_it_is_put), CASE(pins_come_and_go), CASE(the_body_is_moved),
          CASE(bodies_are_drawn_and_moved), CASE(halves_are_touched_on_both_sides),
          CASE(halves_are_carried_along_the_mirror), CASE(wind_ends_halves),
          CASE(details_are_drawn), CASE(details_are_touched), CASE(details_that_do_not_fit),
          SLOW_CASE(garments_are_put_on), SLOW_CASE(pins_go_along_with_who_walks),
          CASE(descriptions_are_json), CASE(cuts_are_played), CASE(cuts_below_a_hand),
          CASE(torn_scenes_are_changed), CASE(spaces_are_played), CASE(the_rival_plays))
