// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards that a scene that is played can be saved as bytes and gone back to (web/core/past.c): what
// comes then is the same to the last bit, with hands, with pins, with bodies and with cuts.

#include "file_test.h"

#include "play.h"

double play_now(void) { return 0; }
void play_progress(double part, const char* stage) { (void)part, (void)stage; }

static const char scene[] =
    "{\"weft\":1,\"contact\":\"all\",\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":10,"
    "\"rows\":10},\"fabric\":\"canvas\",\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90}},"
    "\"pins\":[{\"side\":\"top\"}]}],\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.2,"
    "\"place\":{\"move\":[0.5,-0.6,0.35]}}],\"wind\":[0,0,3]}";
enum { LAST = 60, WHOLE = 121 };

static Play* open_scene(void) {
    Play* play = play_open(scene, (int)strlen(scene), "t.json");
    if (!play) printf("%s\n", play_error());
    CHECK(play != NULL);
    return play;
}

static void cut_across(Play* play) {
    CHECK(play_draw(play, -1));
    for (int i = 0; i <= 10; i++) {
        const float* x = play_positions(play) + 3 * (55 + i);
        CHECK(play_cut(play, 55 + i, (double)x[0], (double)x[1], (double)x[2]));
    }
    CHECK(play_lift_knife(play) == 10);
}

// What hands do before a step.
static void use_hands(Play* play, int step) {
    switch (step) {
        case 5:
            play_grab(play, 5, NAN, NAN, NAN);
            break;
        case 20:
            play_drop(play);
            play_toggle_pin(play, 115);
            play_toggle_pin(play, 0);
            break;
        case 25:
            play_move_body(play, 0, 0, 0, -0.3);
            play_turn_body(play, 0, 0, 0.6, 0, 0.8);
            break;
        case 35:
            cut_across(play);
            break;
        case 50:
            play_carry(play, 0.1, 0, 0);
            break;
        default:
            if (step > 5 && step < 20) play_drag(play, 0.5, -1 + 0.02 * step, 0.03 * step);
    }
}

static void take_steps(Play* play, int from, int to, char hashes[LAST][17]) {
    for (int i = from; i < to; i++) {
        use_hands(play, i);
        CHECK(play_step(play));
        memcpy(hashes[i], play_hash(play), 17);
    }
}

static void all_comes_again(void) {
    static char once[LAST][17], again[LAST][17];
    Play* play = open_scene();
    int sizes[LAST + 1];
    void* saved[LAST + 1];
    for (int i = 0; i <= LAST; i++) {
        sizes[i] = play_save(play, NULL, 0);
        saved[i] = malloc((size_t)sizes[i]);
        CHECK(play_save(play, saved[i], sizes[i]) == sizes[i]);
        if (i < LAST) take_steps(play, i, i + 1, once);
    }
    CHECK(play_vertex_count(play) > WHOLE);
    for (int from = LAST; from >= 0; from -= 6) {
        memset(again, 0, sizeof again);
        CHECK(play_load(play, saved[from], sizes[from]));
        if (from > 0) CHECK_TEXT(play_hash(play), once[from - 1]);
        CHECK((play_vertex_count(play) == WHOLE) == (from < 40));
        CHECK(play_draw(play, -1));
        take_steps(play, from, LAST, again);
        for (int i = from; i < LAST; i++) CHECK_TEXT(again[i], once[i]);
    }
    // what is saved then is the same as well
    CHECK(play_load(play, saved[30], sizes[30]));
    char* bytes = malloc((size_t)sizes[30]);
    CHECK(play_save(play, bytes, sizes[30]) == sizes[30]);
    CHECK(play_load(play, bytes, sizes[30]));
    take_steps(play, 30, LAST, again);
    CHECK_TEXT(again[LAST - 1], once[LAST - 1]);
    free(bytes);
    for (int i = 0; i <= LAST; i++) free(saved[i]);
    play_close(play);
}

static void other_bytes_are_refused(void) {
    Play* play = open_scene();
    char hash[17], bytes[64] = {0};
    memcpy(hash, play_hash(play), 17);
    CHECK(!play_load(play, bytes, 0));
    CHECK(!play_load(play, bytes, (int)sizeof bytes));
    int size = play_save(play, NULL, 0);
    unsigned char* saved = malloc((size_t)size);
    CHECK(play_save(play, saved, size - 1) == size);  // too short: nothing is written
    play_save(play, saved, size);
    CHECK(play_step(play));
    memcpy(hash, play_hash(play), 17);
    saved[200] ^= 1;
    CHECK(!play_load(play, saved, size));
    CHECK_TEXT(play_hash(play), hash);
    free(saved);
    play_close(play);
}

TEST_MAIN(SLOW_CASE(all_comes_again), CASE(other_bytes_are_refused))
