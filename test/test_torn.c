// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what else states that are torn are asked for: to go on in others, in other levels of
// detail, to be reset; how soon they are torn, and along what; and cuts of nothing.

#include "tear_test.h"
#include "weft/weft_render.h"

static void open_torn(Curtain* c, int cells) {
    curtain_def(c, cells);
    curtain_open(c);
    take_steps(c->state, &c->step, 2);
    cut_line(c->state, c, true, cells / 2, 0, cells);
    wait_torn(c->state, &c->step);
    CHECK(weft_state_model(c->state) != c->model);
}

// Where both can be cut, a state is torn as the one that it goes on from, or made whole as that; a
// model that cannot be cut says why not, and steps on as it was.
static void continues_or_tells(void) {
    Curtain c, uncut;
    WeftState *alike = NULL, *whole = NULL;
    open_torn(&c, 6);
    CHECK(!weft_create_state(c.model, &whole, NULL) && !weft_create_state(c.model, &alike, NULL));
    weft_continue_state(alike, c.state);
    take_steps(alike, &c.step, 1);
    curtain_def(&uncut, 6);
    uncut.def.tearable = false;
    curtain_open(&uncut);
    uint64_t hash = weft_hash_state(uncut.state);
    weft_continue_state(uncut.state, c.state);
    CHECK(weft_step(uncut.state, &c.step) == WEFT_ERROR_COMBINATION);
    CHECK_TEXT(weft_state_error(uncut.state)->message, "has 56 vertices");
    CHECK(weft_hash_state(uncut.state) == hash);
    take_steps(uncut.state, &c.step, 1);
    take_steps(c.state, &c.step, 1);
    CHECK(weft_vertex_count(weft_state_model(alike)) == 56);
    for (int i = 0; i < 3 * 56; i++)
        CHECK_NEAR(weft_positions(alike)[i], weft_positions(c.state)[i], 1e-4);
    weft_continue_state(c.state, whole);
    CHECK(weft_vertex_count(weft_state_model(c.state)) == 49);
    take_steps(c.state, &c.step, 1);
    weft_destroy_state(whole);
    weft_destroy_state(alike);
    curtain_close(&c);
    curtain_close(&uncut);
}

static void transfers_tell(void) {
    Curtain coarse, fine;
    WeftTransfer* transfer = NULL;
    curtain_def(&coarse, 6);
    curtain_def(&fine, 9);
    curtain_open(&coarse);
    curtain_open(&fine);
    WeftTransferDef def = weft_default_transfer_def();
    def.from = coarse.model;
    def.to = fine.model;
    CHECK(!weft_create_transfer(&def, &transfer, NULL));
    take_steps(coarse.state, &coarse.step, 4);
    CHECK(!weft_transfer_state(transfer, coarse.state, fine.state, &fine.step));
    cut_line(coarse.state, &coarse, true, 3, 2, 6);
    wait_torn(coarse.state, &coarse.step);
    uint64_t hash = weft_hash_state(fine.state);
    CHECK(weft_transfer_state(transfer, coarse.state, fine.state, &fine.step) ==
          WEFT_ERROR_COMBINATION);
    CHECK_TEXT(weft_state_error(fine.state)->message, "`from` is torn");
    CHECK(weft_hash_state(fine.state) == hash);
    weft_reset_state(coarse.state);
    CHECK(!weft_transfer_state(transfer, coarse.state, fine.state, &fine.step));
    cut_line(fine.state, &fine, true, 3, 2, 9);
    wait_torn(fine.state, &fine.step);
    CHECK(weft_transfer_state(transfer, coarse.state, fine.state, &fine.step));
    CHECK_TEXT(weft_state_error(fine.state)->message, "`to` is torn");
    weft_destroy_transfer(transfer);
    curtain_close(&coarse);
    curtain_close(&fine);
}

// As it was created: whole, and with nothing in the making.
static void resets_to_a_whole(void) {
    Curtain c;
    WeftState* fresh = NULL;
    open_torn(&c, 6);
    CHECK(!weft_create_state(c.model, &fresh, NULL));
    for (int i = 0; i < 3; i++) {
        if (i > 0) cut_line(c.state, &c, false, 3, 0, 6);
        if (i == 2) take_steps(c.state, &c.step, 2);
        weft_reset_state(c.state);
        CHECK(weft_state_model(c.state) == c.model);
        CHECK(weft_hash_state(c.state) == weft_hash_state(fresh));
    }
    take_steps(c.state, &c.step, 8);
    take_steps(fresh, &c.step, 8);
    CHECK(weft_hash_state(c.state) == weft_hash_state(fresh));
    CHECK(!weft_report(c.state)->tearing);
    weft_destroy_state(fresh);
    curtain_close(&c);
}

// A line that misses is no error, and says so by its count; what cannot be a line is one.
static void cuts_of_nothing(void) {
    Curtain c;
    WeftError error;
    int edges = -1;
    curtain_def(&c, 6);
    curtain_open(&c);
    WeftCutDef cut = weft_default_cut_def();
    cut.points = (double[]){5, 0, 0, 5, 1, 0};
    cut.point_count = 2;
    CHECK(!weft_cut(c.state, &cut, &edges, &error) && edges == 0);
    cut.point_count = 1;
    CHECK(weft_cut(c.state, &cut, &edges, &error) == WEFT_ERROR_INPUT && edges == 0);
    CHECK_TEXT(error.message, "1 point");
    cut = weft_default_cut_def();
    cut.vertices = (int[]){3};
    cut.vertex_count = 1;
    CHECK(weft_cut(c.state, &cut, &edges, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "1 vertex");
    cut = weft_default_cut_def();
    CHECK(weft_cut(c.state, &cut, &edges, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "neither");
    curtain_close(&c);
}

// Aslant across the cloth it takes diagonals and no stairs, and is never further from the line than
// an edge; round a circle it comes back to where it began.
static void cuts_are_straight(void) {
    enum { N = 20, ROUND = 48 };
    for (int k = 0; k < 4; k++) {
        Curtain c;
        double slope = -0.2 * k, points[6] = {-0.1, -0.3 - 0.1 * slope, 0, 1.1, -0.3 + 1.1 * slope};
        curtain_def(&c, N);
        c.def.tear_at_once = true;
        curtain_open(&c);
        CHECK_BELOW(cut_points(c.state, 2, points), k < 3 ? N + 1 : N + 10);
        take_steps(c.state, &c.step, 1);
        CHECK(count_pieces(weft_state_model(c.state)) == 2);
        for (int i = c.mesh.vertex_count; i < weft_vertex_count(weft_state_model(c.state)); i++) {
            const double* x = c.mesh.positions + 3 * weft_torn_from(c.state, i);
            CHECK_BELOW(fabs(x[1] + 0.3 - slope * x[0]) / sqrt(1 + slope * slope), 0.7 / N);
        }
        curtain_close(&c);
    }
    Curtain c;
    double circle[3 * (ROUND + 1)];
    curtain_def(&c, N);
    c.def.tear_at_once = true;
    curtain_open(&c);
    for (int i = 0; i <= ROUND; i++) {
        double angle = 2 * 3.14159265358979 * (i % ROUND) / ROUND;
        circle[3 * i] = 0.5 + 0.3 * cos(angle);
        circle[3 * i + 1] = -0.5 + 0.3 * sin(angle);
        circle[3 * i + 2] = 0;
    }
    CHECK(cut_points(c.state, ROUND + 1, circle) > 1.5 * N);
    take_steps(c.state, &c.step, 1);
    CHECK(count_pieces(weft_state_model(c.state)) == 2);
    curtain_close(&c);
}

// A cut is done at the end of the step behind the call; so is a tear by load, in its own step.
static void at_once(void) {
    Curtain c;
    WeftState* other = NULL;
    curtain_def(&c, 8);
    c.def.tear_at_once = true;
    curtain_open(&c);
    CHECK(!weft_create_state(c.model, &other, NULL));
    take_steps(c.state, &c.step, 3);
    for (int i = 0; i < 3; i++) {
        CHECK(cut_line(c.state, &c, true, 2 * i + 2, 0, 8) == 8);
        size_t size = weft_saved_size(c.state);
        void* bytes = malloc(size);
        weft_save_state(c.state, bytes);
        CHECK(!weft_load_state(other, bytes, size, NULL));
        free(bytes);
        take_steps(c.state, &c.step, 1);
        take_steps(other, &c.step, 1);
        CHECK(weft_report(c.state)->torn && !weft_report(c.state)->tearing);
        CHECK(count_pieces(weft_state_model(c.state)) == i + 2);
        CHECK(weft_hash_state(other) == weft_hash_state(c.state));
    }
    weft_destroy_state(other);
    curtain_close(&c);
}

// The steps until it is torn, by the quality of the steps.
static int delay_at(int quality, WeftContact contact) {
    Curtain c;
    curtain_def(&c, 8);
    c.step.quality = quality;
    c.def.step = c.step;
    c.def.contact = contact;
    curtain_open(&c);
    take_steps(c.state, &c.step, 3);
    cut_line(c.state, &c, true, 4, 0, 8);
    int delay = wait_torn(c.state, &c.step);
    curtain_close(&c);
    return delay;
}

// Cheap steps bear less beside them.
static void takes_its_time(void) {
    CHECK(delay_at(8, WEFT_CONTACT_NONE) == 4 && delay_at(4, WEFT_CONTACT_NONE) == 4);
    int third = delay_at(3, WEFT_CONTACT_NONE), second = delay_at(2, WEFT_CONTACT_NONE);
    int first = delay_at(1, WEFT_CONTACT_NONE);
    CHECK(third > 4 && second > third && first > second && first <= 18);
    CHECK(delay_at(4, WEFT_CONTACT_ALL) == 5 && delay_at(3, WEFT_CONTACT_ALL) == 5);
}

static void by_small_steps(void) {
    static const CurtainCase all[] = {{"continues or tells", continues_or_tells},
                                      {"transfers tell", transfers_tell},
                                      {"resets to a whole", resets_to_a_whole},
                                      {"cuts of nothing", cuts_of_nothing},
                                      {"at once", at_once},
                                      {"cuts are straight", cuts_are_straight}};
    run_by_small_steps(all, sizeof all / sizeof *all);
}

TEST_MAIN(CASE(by_small_steps), CASE(continues_or_tells), CASE(transfers_tell),
          CASE(resets_to_a_whole), CASE(cuts_of_nothing), CASE(at_once), CASE(takes_its_time),
          CASE(cuts_are_straight))
