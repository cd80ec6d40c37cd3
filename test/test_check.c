// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards mesh/check.c: good cloth passes, and every kind of bad one is refused by name.

#include "mesh/check.h"

#include "mesh_test.h"

// A strip of two quads, its flat shape and springs, in arrays that a case may spoil.
//
//   3 o---4---o 5
//     | / | / |
//   0 o---1---o 2
typedef struct Strip {
    double positions[18], material[12];
    int triangles[12], triangle_material[12], pins[2];
    WeftSpring springs[3];
    int thread_vertices[7];
    WeftThread threads[3];
    WeftClothDef cloth;
} Strip;

static void make_strip(Strip* s) {
    *s = (Strip){
        .positions = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, -1, 1, 0, -1, 2, 0, -1},
        .material = {0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1},
        .triangles = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4},
        .pins = {0, 5},
        .springs = {{0, 1, WEFT_SPRING_STRETCH},
                    {4, 1, WEFT_SPRING_STRETCH},
                    {0, 4, WEFT_SPRING_SHEAR}},
        .thread_vertices = {0, 1, 2, 2, 5, 4, 3},
        .threads = {
            {WEFT_THREAD_WARP, 0, 3, 1}, {WEFT_THREAD_WEFT, 3, 2, 1}, {WEFT_THREAD_ROPE, 3, 4, 0}}};
    memcpy(s->triangle_material, s->triangles, sizeof s->triangles);
    s->cloth = (WeftClothDef){.vertex_count = 6,
                              .positions = s->positions,
                              .material_count = 6,
                              .material = s->material,
                              .triangle_count = 4,
                              .triangles = s->triangles,
                              .spring_count = 3,
                              .springs = s->springs,
                              .pin_count = 2,
                              .pins = s->pins};
}

static TestMemory memory = {.fail_at = -1};

static WeftResult check(const Strip* s, WeftError* error) {
    WeftAllocator allocator = test_allocator(&memory);
    WeftResult result = wf_check_cloth(&allocator, &s->cloth, error);
    CHECK(memory.live == 0);
    return result;
}

static void refuse(const Strip* s, const char* words) {
    WeftError error = {0};
    CHECK(check(s, &error) == WEFT_ERROR_INPUT && error.result == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
    CHECK(check(s, NULL) == WEFT_ERROR_INPUT);
}

static void good(void) {
    Strip s;
    make_strip(&s);
    CHECK(check(&s, NULL) == WEFT_OK);
    s.cloth.triangle_material = s.triangle_material;
    CHECK(check(&s, NULL) == WEFT_OK);
    s.cloth.triangle_material = NULL, s.cloth.material = NULL;
    CHECK(check(&s, NULL) == WEFT_OK);
    s.cloth.springs = NULL, s.cloth.spring_count = 0;
    CHECK(check(&s, NULL) == WEFT_OK);
}

static void empty(void) {
    Strip s;
    make_strip(&s);
    s.cloth.triangle_count = 0;
    refuse(&s, "there are no triangles");
    s.cloth.vertex_count = 0;
    refuse(&s, "there are no vertices");
    s.cloth.vertex_count = -3;
    refuse(&s, "there are no vertices");
    make_strip(&s);
    s.cloth.positions = NULL;
    refuse(&s, "there are no vertices");
    make_strip(&s);
    s.cloth.material_count = 5;
    refuse(&s, "there are 6 vertices, but 5 material points");
    s.cloth.material = NULL, s.cloth.triangle_material = s.triangle_material;
    refuse(&s, "no material");
    make_strip(&s);
    s.cloth.springs = NULL;
    refuse(&s, "springs");
    make_strip(&s);
    s.cloth.pins = NULL;
    refuse(&s, "pins");
}

static void one_triangle(void) {
    Strip s;
    make_strip(&s);
    s.cloth.vertex_count = s.cloth.material_count = 3, s.cloth.triangle_count = 1;
    s.cloth.spring_count = s.cloth.pin_count = 0;
    s.triangles[2] = 2;
    s.material[3] = -1;
    CHECK(check(&s, NULL) == WEFT_OK);
    s.material[3] = 0;
    refuse(&s, "triangle 0 has no area");
}

static void not_a_number(void) {
    Strip s;
    make_strip(&s);
    s.positions[3 * 5 + 1] = NAN;
    refuse(&s, "position of vertex 5 is not a number");
    s.positions[3 * 5 + 1] = INFINITY;
    refuse(&s, "position of vertex 5 is not a number");
    make_strip(&s);
    s.material[2 * 3] = NAN;
    refuse(&s, "material point 3 is not a number");
}

static void huge(void) {
    Strip s;
    make_strip(&s);
    s.positions[7] = 1e9;
    refuse(&s, "position of vertex 2 is more than 1e+06 m away");
    make_strip(&s);
    s.material[2] = -1e9;
    refuse(&s, "material point 1 is more than");
}

static void index_out_of_range(void) {
    Strip s;
    make_strip(&s);
    s.triangles[10] = 6;
    refuse(&s, "triangle 3 names vertex 6, but there are 6");
    make_strip(&s);
    s.cloth.triangle_material = s.triangle_material;
    s.triangle_material[4] = -1;
    refuse(&s, "triangle 1 names material point -1, but there are 6");
    make_strip(&s);
    s.springs[1].b = 77;
    refuse(&s, "spring 1 names vertex 77, but there are 6");
    make_strip(&s);
    s.pins[1] = -2;
    refuse(&s, "pin 1 names vertex -2, but there are 6");
}

static void zero_area(void) {
    Strip s;
    make_strip(&s);
    s.triangles[8] = 2;
    refuse(&s, "triangle 2 has no area");
    make_strip(&s);
    s.material[9] = 1e-9;  // a sliver: 4 moves down to the edge of 0 and 1
    refuse(&s, "triangle 0 has no area");
    make_strip(&s);
    s.cloth.material = NULL;
    s.positions[3 * 4 + 2] = 0;
    refuse(&s, "triangle 0 has no area");
}

static void tiny_but_fine(void) {
    Strip s;
    make_strip(&s);
    for (int i = 0; i < 12; i++) s.material[i] *= 1e-5;
    for (int i = 0; i < 18; i++) s.positions[i] *= 1e-5;
    CHECK(check(&s, NULL) == WEFT_OK);
}

// Texture coordinates in centimetres were taken for metres: the cloth began a hundred times too
// short. Pressed, stretched and collapsed starts are cloth all the same.
static void flat_shapes_in_other_units(void) {
    static const double good[] = {0.26, 0.5, 1, 4, 9}, bad[] = {0.01, 0.24, 25.4, 100, 1000};
    static const char* const words[] = {
        "starts 100 times longer than its flat rest shape (the median of its edges), so the "
        "texture coordinates are in another unit: multiply them by 100,",
        "starts 4.17 times longer",
        "starts 25.4 times shorter than its flat rest shape (the median of its edges), so the "
        "texture coordinates are in another unit: multiply them by 0.0394,",
        "starts 100 times shorter than its flat rest shape (the median of its edges), so the "
        "texture coordinates look like centimetres: multiply them by 0.01, or leave",
        "look like millimetres: multiply them by 0.001",
    };
    Strip s;
    for (int k = 0; k < 5; k++) {
        make_strip(&s);
        for (int i = 0; i < 12; i++) s.material[i] *= good[k];
        CHECK(check(&s, NULL) == WEFT_OK);
        make_strip(&s);
        for (int i = 0; i < 12; i++) s.material[i] *= bad[k];
        refuse(&s, words[k]);
    }
    make_strip(&s);
    memset(s.positions, 0, sizeof s.positions);
    CHECK(check(&s, NULL) == WEFT_OK);
    make_strip(&s);
    s.positions[6] = s.positions[15] = 100;  // a few edges say nothing
    s.cloth.material_count = 6;
    CHECK(check(&s, NULL) == WEFT_OK);
}

static void coincident_vertices(void) {
    Strip s;
    make_strip(&s);
    s.material[2] = s.material[3] = 0;
    refuse(&s, "triangle 0 has no area");
}

static void turned_over(void) {
    Strip s;
    make_strip(&s);
    s.cloth.triangle_material = s.triangle_material;
    s.triangle_material[6] = 2, s.triangle_material[7] = 1;
    refuse(&s, "triangle 2 is turned over in the flat shape");
    make_strip(&s);
    for (int v = 0; v < 6; v++) s.material[2 * v] *= -1;  // all of it: the other side, still cloth
    CHECK(check(&s, NULL) == WEFT_OK);
}

static void isolated_vertex(void) {
    Strip s;
    make_strip(&s);
    s.cloth.triangle_count = 3, s.triangles[8] = 4;
    refuse(&s, "vertex 5 is in no triangle");
}

static void springs(void) {
    Strip s;
    make_strip(&s);
    s.springs[2].b = 0;
    refuse(&s, "spring 2 joins vertex 0 to itself");
    make_strip(&s);
    s.springs[2] = (WeftSpring){1, 0, WEFT_SPRING_SHEAR};
    refuse(&s, "springs 0 and 2 both join vertices 0 and 1");
    make_strip(&s);
    s.springs[1].kind = (WeftSpringKind)9;
    refuse(&s, "spring 1 has a kind that does not exist, 9");
    make_strip(&s);
    s.cloth.triangle_material = s.triangle_material;
    memcpy(s.positions + 3, s.positions, 3 * sizeof(double));
    refuse(&s, "spring 0 joins vertices 0 and 1, which are at the same place");
}

static void make_woven(Strip* s) {
    make_strip(s);
    s->cloth.thread_count = 3, s->cloth.threads = s->threads;
    s->cloth.thread_vertex_count = 7, s->cloth.thread_vertices = s->thread_vertices;
}

static void threads(void) {
    Strip s;
    make_woven(&s);
    s.cloth.thread_count = -1;
    refuse(&s, "there are no threads, but a count of -1");
    s.cloth.thread_count = 3, s.cloth.threads = NULL;
    refuse(&s, "there are no threads, but a count of 3");
    make_woven(&s);
    s.cloth.thread_vertices = NULL;
    refuse(&s, "there are threads, but no thread vertices");
    make_woven(&s);
    s.cloth.thread_vertex_count = 6;
    refuse(&s, "thread 2 takes thread vertices 3 to 6, but there are 6");
    make_woven(&s);
    s.threads[1].first = -1;
    refuse(&s, "thread 1 takes thread vertices -1 to 0, but there are 7");
    make_woven(&s);
    s.threads[1].first = 2147483647;
    refuse(&s, "thread 1 takes thread vertices 2147483647 to 2147483648, but there are 7");
    make_woven(&s);
    s.threads[2].count = 1;
    refuse(&s, "thread 2 needs two vertices at least, not 1");
    s.threads[2].count = -2147483647;
    refuse(&s, "thread 2 needs two vertices at least, not -2147483647");
    make_woven(&s);
    s.threads[0].kind = (WeftThreadKind)5;
    refuse(&s, "thread 0 has a kind that does not exist, 5");
    s.threads[0].kind = (WeftThreadKind)-1;
    refuse(&s, "thread 0 has a kind that does not exist, -1");
    static const double widths[] = {0, -1, NAN, INFINITY, 1e9};
    for (int i = 0; i < 5; i++) {
        make_woven(&s);
        s.threads[1].width = widths[i];
        refuse(&s, "thread 1 has a width of");
    }
    make_woven(&s);
    s.threads[2].width = NAN;  // nobody asks
    CHECK(check(&s, NULL) == WEFT_OK);
}

static void thread_vertices(void) {
    Strip s;
    make_woven(&s);
    s.thread_vertices[2] = 6;
    refuse(&s, "thread 0 names vertex 6, but there are 6");
    s.thread_vertices[2] = -1;
    refuse(&s, "thread 0 names vertex -1, but there are 6");
    s.thread_vertices[2] = 1;
    refuse(&s, "thread 0 names vertex 1 twice in a row");
    s.thread_vertices[2] = 0;
    refuse(&s, "thread 0 turns back to vertex 0");
    // warp and weft lie in the flat shape, ropes in space
    make_woven(&s);
    s.cloth.spring_count = 0;
    memcpy(s.positions + 3, s.positions, 3 * sizeof(double));
    CHECK(check(&s, NULL) == WEFT_OK);
    make_woven(&s);
    memcpy(s.positions + 12, s.positions + 15, 3 * sizeof(double));
    refuse(&s, "thread 2 joins vertices 5 and 4, which are at the same place");
    make_woven(&s);
    s.cloth.material = NULL;
    memcpy(s.positions + 3, s.positions, 3 * sizeof(double));
    refuse(&s, "thread 0 joins vertices 0 and 1, which are at the same place");
}

// Ropes alone: no triangles, no flat shape; every vertex on a rope.
static void ropes(void) {
    Strip s;
    make_woven(&s);
    s.cloth.triangle_count = s.cloth.spring_count = s.cloth.pin_count = 0;
    refuse(&s, "there is material, but there are no triangles");
    s.cloth.material = NULL;
    refuse(&s, "vertex 0 is in no triangle and in no rope");
    s.threads[0].kind = WEFT_THREAD_ROPE;
    CHECK(check(&s, NULL) == WEFT_OK);
    s.cloth.triangles = NULL;
    CHECK(check(&s, NULL) == WEFT_OK);
    s.threads[0].kind = s.threads[2].kind = WEFT_THREAD_WARP;
    refuse(&s, "there are no triangles and no ropes");
    s.cloth.triangle_count = -1;
    refuse(&s, "there are no triangles, but a count of -1");
}

static void every_allocation(void) {
    Strip s;
    make_strip(&s);
    for (int n = 0; n < 6; n++) {
        memory = (TestMemory){.fail_at = n};
        CHECK(check(&s, NULL) == WEFT_ERROR_MEMORY);
    }
    memory = (TestMemory){.fail_at = 6};
    CHECK(check(&s, NULL) == WEFT_OK);
    memory = (TestMemory){.fail_at = -1};
}

TEST_MAIN(CASE(good), CASE(empty), CASE(one_triangle), CASE(not_a_number), CASE(huge),
          CASE(index_out_of_range), CASE(zero_area), CASE(tiny_but_fine),
          CASE(flat_shapes_in_other_units), CASE(coincident_vertices), CASE(turned_over),
          CASE(isolated_vertex), CASE(springs), CASE(threads), CASE(thread_vertices), CASE(ropes),
          CASE(every_allocation))
