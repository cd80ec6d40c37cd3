// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards learned detail as bytes: they come back as they were, whatever is not right is refused,
// and learners go on where they were.

#include <stdlib.h>
#include <string.h>

#include "detail_test.h"

enum { STEPS = SETTLED + 30 };

typedef struct Bytes {
    unsigned char* at;
    size_t size;
} Bytes;

static Bytes save(const WeftDetail* detail) {
    Bytes bytes = {.size = weft_save_detail(detail, NULL, 0)};
    bytes.at = malloc(bytes.size);
    CHECK(weft_save_detail(detail, bytes.at, bytes.size) == bytes.size);
    return bytes;
}

// Detail of a swing, and its bytes.
static Bytes learned_bytes(Pair* pair, int modes, WeftDetail** detail) {
    WeftLearnReport report;
    open_pair(pair);
    *detail = teach(pair, 2, STEPS, 1e-3, modes, &report);
    return save(*detail);
}

static void show(const Pair* pair, const WeftDetail* detail, double time, double* y) {
    int n = 3 * pair->coarse.vertex_count;
    double *x = malloc((size_t)n * sizeof *x), *v = malloc((size_t)n * sizeof *v);
    for (int i = 0; i < n; i++) {
        x[i] = pair->coarse.positions[i] + (i % 3 == 1 ? 0.1 * sin(i) : 0);
        v[i] = cos(i);
    }
    WeftDetailFrame frame = {
        .positions = x, .velocities = v, .gravity = {0, -9.81, 0}, .time = time};
    weft_apply_detail(detail, &frame, NULL, y);
    free(x);
    free(v);
}

static bool shows_alike(const Pair* pair, const WeftDetail* a, const WeftDetail* b, double time) {
    size_t size = 3 * (size_t)pair->dense.vertex_count * sizeof(double);
    double *x = malloc(size), *y = malloc(size);
    show(pair, a, 0.5, x);
    show(pair, b, time, y);
    bool same = memcmp(x, y, size) == 0;
    free(x);
    free(y);
    return same;
}

static void comes_back(void) {
    Pair pair = {0};
    WeftDetail *detail, *again = NULL;
    WeftDetailInfo info;
    Bytes bytes = learned_bytes(&pair, 2, &detail);
    CHECK(!weft_load_detail(bytes.at, bytes.size, &pair.coarse, NULL, &again, NULL));
    CHECK(shows_alike(&pair, detail, again, 0.5));
    CHECK(!shows_alike(&pair, detail, again, 0.6));  // its modes swing
    CHECK_TEXT(weft_detail_name(again), "swing");
    CHECK(weft_detail_vertex_count(again) == pair.dense.vertex_count);
    CHECK(weft_detail_triangle_count(again) == pair.dense.triangle_count);
    CHECK(weft_detail_parts(again) == PARTS);
    CHECK(!weft_inspect_detail(bytes.at, bytes.size, &info, NULL));
    CHECK(info.modes == 2 && info.parts == PARTS && info.ridge == 1e-3);
    CHECK(info.coarse_vertices == pair.coarse.vertex_count && strcmp(info.name, "swing") == 0);
    Bytes twice = save(again);
    CHECK(twice.size == bytes.size && memcmp(twice.at, bytes.at, bytes.size) == 0);
    weft_destroy_detail(again);
    weft_destroy_detail(detail);
    free(twice.at);
    free(bytes.at);
    close_pair(&pair);
}

static void refused(Bytes bytes, const WeftMesh* coarse, const char* why) {
    WeftDetail* detail = NULL;
    WeftError error = {0};
    CHECK(weft_load_detail(bytes.at, bytes.size, coarse, NULL, &detail, &error) ==
          WEFT_ERROR_INPUT);
    CHECK(!detail);
    CHECK_TEXT(error.message, why);
}

// Every byte counts, and so does every missing one.
static void damaged(void) {
    Pair pair = {0};
    WeftDetail* detail;
    Bytes bytes = learned_bytes(&pair, 0, &detail);
    weft_destroy_detail(detail);
    int rounds = test_rounds(400);
    for (int k = 0; k < rounds; k++) {
        size_t at = k < 220 ? (size_t)k : (size_t)k * 7919 % bytes.size;
        bytes.at[at] ^= (unsigned char)(1 << k % 8);
        refused(bytes, &pair.coarse, "");
        bytes.at[at] ^= (unsigned char)(1 << k % 8);
    }
    // exactly as long as it is: what a reader takes beyond is caught under the sanitizer
    for (size_t size = 0; size < bytes.size; size += size < 230 ? 1 : bytes.size / 20) {
        Bytes less = {malloc(size + 1), size};
        memcpy(less.at, bytes.at, size);
        refused(less, &pair.coarse, size < 8 ? "no learned detail" : "");
        free(less.at);
    }
    bytes.at[40]++;
    refused(bytes, &pair.coarse, "damaged");
    bytes.at[40]--;
    bytes.at[16]++;
    refused(bytes, &pair.coarse, "the detail is of form 2");
    bytes.at[16]--;
    WeftDetail* whole = NULL;
    CHECK(!weft_load_detail(bytes.at, bytes.size, &pair.coarse, NULL, &whole, NULL));
    weft_destroy_detail(whole);
    free(bytes.at);
    close_pair(&pair);
}

static void other_meshes(void) {
    Pair pair = {0};
    WeftDetail* detail;
    WeftMesh other;
    Bytes bytes = learned_bytes(&pair, 0, &detail);
    weft_destroy_detail(detail);
    WeftGridDef grid = {1, 1, COLUMNS + 1, COLUMNS, WEFT_GRID_ALTERNATING};
    CHECK(!weft_make_grid(&grid, NULL, &other, NULL));
    refused(bytes, &other, "and this one has");
    weft_destroy_mesh(&other);
    grid = (WeftGridDef){1, 1, COLUMNS, COLUMNS, WEFT_GRID_ONE_WAY};
    CHECK(!weft_make_grid(&grid, NULL, &other, NULL));
    refused(bytes, &other, "its triangles are others");
    weft_destroy_mesh(&other);
    grid = (WeftGridDef){1.01, 1, COLUMNS, COLUMNS, WEFT_GRID_ALTERNATING};
    CHECK(!weft_make_grid(&grid, NULL, &other, NULL));
    refused(bytes, &other, "triangle 0 has");
    weft_destroy_mesh(&other);
    free(bytes.at);
    close_pair(&pair);
}

// Interrupted between two motions, and gone on with elsewhere: the same bytes.
static void learner_goes_on(void) {
    Pair pair = {0};
    WeftDetail *whole, *parted = NULL;
    WeftLearnReport report;
    WeftError error;
    Bytes expected = learned_bytes(&pair, 2, &whole);
    Lesson lesson = {.learner = open_learner(&pair, 2)};
    swing(&pair, 0, STEPS, learn, &lesson);
    Bytes kept = {.size = weft_save_learner(lesson.learner, NULL, 0)};
    kept.at = malloc(kept.size);
    CHECK(weft_save_learner(lesson.learner, kept.at, kept.size) == kept.size);
    weft_destroy_learner(lesson.learner);
    lesson = (Lesson){open_learner(&pair, 2), true};
    CHECK(!weft_load_learner(lesson.learner, kept.at, kept.size, NULL));
    swing(&pair, 1, STEPS, learn, &lesson);
    CHECK(!weft_finish_learning(lesson.learner, 1e-3, &report, &parted, NULL));
    Bytes bytes = save(parted);
    CHECK(bytes.size == expected.size && memcmp(bytes.at, expected.at, bytes.size) == 0);
    weft_destroy_learner(lesson.learner);
    lesson.learner = open_learner(&pair, 1);
    CHECK(weft_load_learner(lesson.learner, kept.at, kept.size, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "of something else");
    weft_destroy_learner(lesson.learner);
    lesson.learner = open_learner(&pair, 2);
    kept.at[kept.size - 1] ^= 1;
    CHECK(weft_load_learner(lesson.learner, kept.at, kept.size, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "damaged");
    CHECK(weft_load_learner(lesson.learner, kept.at, 20, &error) == WEFT_ERROR_INPUT);
    weft_destroy_learner(lesson.learner);
    weft_destroy_detail(whole);
    weft_destroy_detail(parted);
    free(bytes.at);
    free(kept.at);
    free(expected.at);
    close_pair(&pair);
}

TEST_MAIN(SLOW_CASE(comes_back), CASE(damaged), SLOW_CASE(other_meshes), SLOW_CASE(learner_goes_on))
