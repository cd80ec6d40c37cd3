// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/openings.c: edges that are too long to go round a limb are refused before anything
// is put on, with a length that will do; and nothing else is.

#include "garment/openings.h"

#include "garment_test.h"

#define HEIGHT 1.7

static WeftResult sew_worn(const Kit* kit, double edge) {
    WeftGarment g;
    kit_error = (WeftError){0};
    WeftResult result = wf_sew_worn(&kit->pattern, edge, HEIGHT, NULL, &g, NULL, &kit_error);
    if (result) CHECK(g.mesh.positions == NULL);
    weft_destroy_garment(&g);
    return result;
}

// The length that will do does, and is not far below what would.
static void around_an_arm(void) {
    Kit* kit = make_tube_kit(0.16, 0.5, 1, 0.2);
    for (double edge = 0.2; edge > 0.08; edge *= 0.9) {
        double less = 0;
        CHECK(sew_worn(kit, edge) == WEFT_ERROR_INPUT);
        const char* words = strstr(kit_error.message, " are too long, ");
        if (CHECK(words && sscanf(words, " are too long, %lf m will do: ", &less) == 1))
            CHECK(less > 0.04 && less < 0.08 && sew_worn(kit, less) == WEFT_OK);
    }
    CHECK(sew_worn(kit, 0.11) == WEFT_ERROR_INPUT);
    CHECK_TEXT(kit_error.message,
               "edges of 0.11 m are too long, 0.053 m will do: panel \"front\" has 2 edges around "
               "its opening of 0.32 m, fewer than 5");
    for (double edge = 0.06; edge > 0.01; edge *= 0.9) CHECK(sew_worn(kit, edge) == WEFT_OK);
    free(kit);
}

// What cannot be sewn at all with such edges says so, too.
static void sewn_across_a_triangle(void) {
    Kit* kit = open_kit();
    add_rectangle(kit, "sleeve", 0.3, 0.5);
    add_seam(kit, 0, 1, 0, 3);
    CHECK(sew_worn(kit, 0.4) == WEFT_ERROR_INPUT);
    CHECK_TEXT(kit_error.message, "edges of 0.4 m are too long, 0.06");
    CHECK_TEXT(kit_error.message, " m will do: panel \"sleeve\" is sewn to itself");
    free(kit);
}

// A pattern that is wrong is not mended by shorter edges.
static void wrong_whatever_the_edge(void) {
    Kit* kit = open_kit();
    add_rectangle(kit, "strip", 0.6, 0.1);
    add_seam(kit, 0, 1, 0, 3)->ends = WEFT_SEAM_SAME;
    CHECK(sew_worn(kit, 0.2) == WEFT_ERROR_INPUT);
    CHECK_TEXT(kit_error.message, "the seam of side 1 of panel \"strip\"");
    CHECK(!strstr(kit_error.message, "too long"));
    free(kit);
}

// A wide tube with a slit in a seam, as at a placket, and a scarf beside it.
static void what_no_limb_goes_through(void) {
    Kit* kit = open_kit();
    const double points[6][2] = {{0.5, 0},   {0.5, 0.28}, {0.5, 0.32},
                                 {0.5, 0.6}, {-0.5, 0.6}, {-0.5, 0}};
    const double triangle[3][2] = {{0.3, 0}, {0, 0.2}, {-0.3, 0}};
    place_panel(add_panel(kit, "front", 6, points), 0, 1, 0.2, 0);
    place_panel(add_panel(kit, "back", 6, points), 0, 1, -0.2, 0);
    place_panel(add_panel(kit, "scarf", 3, triangle), 0, 1, 0.5, 0);
    turn_over(&kit->panels[1]);
    static const int sewn[3] = {1, 3, 5};
    for (int i = 0; i < 3; i++) add_seam(kit, 0, sewn[i], 1, 5 - sewn[i]);
    CHECK(sew_worn(kit, 0.2) == WEFT_OK);
    CHECK(sew_worn(kit, 0.6) == WEFT_ERROR_INPUT);
    free(kit);
}

static void every_allocation(void) {
    Kit* kit = make_tube_kit(0.16, 0.5, 1, 0.2);
    WeftResult result = WEFT_ERROR_MEMORY;
    for (int n = 1; result == WEFT_ERROR_MEMORY && n < 10000; n++) {
        Counting counting = {.fail_at = n};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftGarment g;
        result = wf_sew_worn(&kit->pattern, 0.11, HEIGHT, &allocator, &g, NULL, &kit_error);
        CHECK(counting.live == 0);
    }
    CHECK(result == WEFT_ERROR_INPUT);
    free(kit);
}

TEST_MAIN(CASE(around_an_arm), CASE(sewn_across_a_triangle), CASE(wrong_whatever_the_edge),
          CASE(what_no_limb_goes_through), CASE(every_allocation))
