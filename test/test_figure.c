// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/figure.c: figures follow bones or shapes, at, between and beyond frames, round
// after round, and between clips.

#include "base/vec.h"
#include "counting.h"
#include "test.h"
#include "weft/weft_garment.h"

// An arm of two bones along x, a vertex on each and one half-way; it lifts its second bone by a
// quarter turn about z in a second, while the first one moves 1 along z.
static double rest[9] = {0.5, 0, 0, 1, 1, 0, 1.5, 0, 0};
static int triangle[3] = {0, 1, 2};
static WeftBone bones[2] = {{"upper", -1, {0, 0, 0}, {0, 0, 0, 1}},
                            {"lower", 0, {1, 0, 0}, {0, 0, 0, 1}}};
static int skin_bones[12] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
static double skin_weights[12] = {1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0};
#define ROOT 0.70710678118654752
static double rotations[16] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, ROOT, ROOT};
static double translations[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0};
static double shapes[18] = {0.5, 0, 0, 1, 1, 0, 1.5, 0, 0, 0.5, 3, 0, 1, 4, 0, 1.5, 3, 0};

static Counting counting;

static WeftFigure make_arm(WeftClip* clip) {
    return (WeftFigure){.allocator = counting_allocator(&counting),
                        .vertex_count = 3,
                        .positions = rest,
                        .triangle_count = 1,
                        .triangles = triangle,
                        .bone_count = 2,
                        .bones = bones,
                        .skin_bones = skin_bones,
                        .skin_weights = skin_weights,
                        .clip_count = 1,
                        .clips = clip};
}

static WeftClip lifting(void) {
    return (WeftClip){.name = "lift",
                      .rate = 1,
                      .frame_count = 2,
                      .rotations = rotations,
                      .translations = translations};
}

static void check_vertex(const double* positions, int v, double x, double y, double z) {
    CHECK_NEAR(positions[3 * v], x, 1e-12);
    CHECK_NEAR(positions[3 * v + 1], y, 1e-12);
    CHECK_NEAR(positions[3 * v + 2], z, 1e-12);
}

static void pose(const WeftFigure* figure, int clip, double time, double* positions) {
    CHECK(weft_pose_figure(figure, clip, time, positions, NULL) == WEFT_OK);
}

static void follows_bones(void) {
    WeftClip clip = lifting();
    WeftFigure figure = make_arm(&clip);
    double x[9];
    pose(&figure, -1, 5, x);
    for (int i = 0; i < 9; i++) CHECK(x[i] == rest[i]);
    pose(&figure, 0, 1, x);
    check_vertex(x, 0, 0.5, 0, 1);
    check_vertex(x, 1, 0.5 * (1 + 0), 0.5 * (1 + 0), 1);  // half of it stays, half turns to 0 0
    check_vertex(x, 2, 1, 0.5, 1);
    CHECK(weft_find_clip(&figure, "lift") == 0 && weft_find_clip(&figure, "lower") == -1);
}

static void between_frames(void) {
    WeftClip clip = lifting();
    WeftFigure figure = make_arm(&clip);
    double x[9];
    pose(&figure, 0, 0.5, x);
    check_vertex(x, 2, 1 + 0.5 * ROOT, 0.5 * ROOT, 0.5);  // on the arc
    double before[9], start[9], after[9], end[9];
    pose(&figure, 0, -3, before);
    pose(&figure, 0, 0, start);
    pose(&figure, 0, 40, after);
    pose(&figure, 0, 1, end);
    CHECK(!memcmp(before, start, sizeof start) && !memcmp(after, end, sizeof end));
}

// A loop goes on from its last frame to the first, and carries the roots with it.
static void goes_round(void) {
    WeftClip clip = lifting();
    clip.loops = true;
    clip.travel[2] = 4;
    WeftFigure figure = make_arm(&clip);
    double x[9];
    pose(&figure, 0, 1.5, x);  // half-way back: 1 -> 0 + 4
    check_vertex(x, 2, 1 + 0.5 * ROOT, 0.5 * ROOT, 2.5);
    pose(&figure, 0, 2, x);
    check_vertex(x, 2, 1.5, 0, 4);
    pose(&figure, 0, 7, x);  // three rounds and a frame
    check_vertex(x, 2, 1, 0.5, 13);
}

static void blends(void) {
    WeftClip clip = lifting();
    WeftFigure figure = make_arm(&clip);
    double x[9], y[9];
    CHECK(weft_blend_figure(&figure, -1, 0, 0, 1, 0.5, x, NULL) == WEFT_OK);
    pose(&figure, 0, 0.5, y);
    for (int i = 0; i < 9; i++) CHECK_NEAR(x[i], y[i], 1e-12);
    CHECK(weft_blend_figure(&figure, 0, 1, -1, 0, 0, x, NULL) == WEFT_OK);
    pose(&figure, 0, 1, y);
    CHECK(!memcmp(x, y, sizeof x));
}

// Clips of vertices need no bones, and blend with those of bones by vertices.
static void follows_shapes(void) {
    WeftClip clip = {.name = "grow", .rate = 2, .frame_count = 2, .positions = shapes};
    WeftFigure figure = make_arm(&clip);
    figure.skin_bones = NULL;
    double x[9];
    pose(&figure, 0, 0.25, x);
    check_vertex(x, 1, 1, 2.5, 0);
    clip.loops = true;
    clip.travel[0] = 10;
    pose(&figure, 0, 0.75, x);
    check_vertex(x, 1, 6, 2.5, 0);
    CHECK(weft_blend_figure(&figure, -1, 0, 0, 0.5, 0.5, x, NULL) == WEFT_OK);
    check_vertex(x, 2, 1.5, 1.5, 0);
}

static void no_memory(void) {
    WeftClip clip = lifting();
    WeftFigure figure = make_arm(&clip);
    CHECK(counting.live == 0);
    counting = (Counting){.fail_at = 1};
    double x[9];
    WeftError error = {0};
    CHECK(weft_pose_figure(&figure, 0, 0, x, &error) == WEFT_ERROR_MEMORY);
    CHECK(weft_pose_figure(&figure, 0, 0, x, &error) == WEFT_OK);
    CHECK(counting.live == 0);
    weft_destroy_figure(NULL);
}

TEST_MAIN(CASE(follows_bones), CASE(between_frames), CASE(goes_round), CASE(blends),
          CASE(follows_shapes), CASE(no_memory))
