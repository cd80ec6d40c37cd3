// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/mannequin*.c: closed and symmetric meshes of even triangles that have the girths
// that were asked for; skins that never cross themselves, parts that leave room for cloth, and feet
// that stay where they stand, in every clip.

#include "counting.h"
#include "mannequin_test.h"

static const Size usual[3] = {
    {.kind = WEFT_MANNEQUIN_FEMALE}, {.kind = WEFT_MANNEQUIN_MALE}, {.kind = WEFT_MANNEQUIN_CHILD}};
static const Size sizes[] = {{WEFT_MANNEQUIN_FEMALE, 1.55, 0.78, 0.60, 0.86},
                             {WEFT_MANNEQUIN_FEMALE, 1.70, 0.88, 0.69, 0.95},
                             {WEFT_MANNEQUIN_FEMALE, 1.85, 1.10, 0.92, 1.15},
                             {WEFT_MANNEQUIN_FEMALE, 1.60, 1.10, 1.00, 1.12},
                             {WEFT_MANNEQUIN_MALE, 1.60, 0.86, 0.72, 0.88},
                             {WEFT_MANNEQUIN_MALE, 1.80, 0.99, 0.82, 0.98},
                             {WEFT_MANNEQUIN_MALE, 1.95, 1.15, 1.00, 1.12},
                             {WEFT_MANNEQUIN_CHILD, 1.00, 0.54, 0.52, 0.56},
                             {WEFT_MANNEQUIN_CHILD, 1.28, 0.64, 0.575, 0.68},
                             {WEFT_MANNEQUIN_CHILD, 1.50, 0.76, 0.66, 0.80}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

// Those of usual size are made once.
static const WeftFigure* usual_figure(int kind) {
    static WeftFigure figures[3];
    if (!figures[kind].positions) figures[kind] = make_size(usual[kind]);
    return &figures[kind];
}

static double height_of(const WeftFigure* figure) {
    double height = 0;
    for (int v = 0; v < figure->vertex_count; v++)
        height = fmax(height, figure->positions[3 * (long)v + 1]);
    return height;
}

// ---------------------------------------------------------------------------------------------
// Meshes

static void check_mesh(const WeftFigure* figure) {
    int narrow = 0, below = 0;
    double volume = 0, low = 1;
    for (int t = 0; t < figure->triangle_count; t++) {
        const int* corner = figure->triangles + 3 * (long)t;
        double angle = least_angle(figure->positions, corner);
        narrow += angle < 30;
        below += angle < 20;
        WfVec a = wf_load(figure->positions, corner[0]), b = wf_load(figure->positions, corner[1]);
        volume += wf_dot(a, wf_cross(b, wf_load(figure->positions, corner[2]))) / 6;
    }
    for (int v = 0; v < figure->vertex_count; v++)
        low = fmin(low, figure->positions[3 * (long)v + 1]);
    CHECK(is_closed(figure));
    CHECK(figure->vertex_count - figure->triangle_count / 2 == 2);  // one piece without handles
    CHECK(volume > 0);
    CHECK(low == 0);
    CHECK(below == 0);
    CHECK_BELOW(narrow, 0.002 * figure->triangle_count);
}

static void meshes_are_even(void) {
    for (int kind = 0; kind < 3; kind++) {
        const WeftFigure* figure = usual_figure(kind);
        check_mesh(figure);
        CHECK(count_crossings(figure, figure->positions) == 0);
        if (kind == WEFT_MANNEQUIN_FEMALE) CHECK_NEAR(figure->triangle_count, 11000, 1500);
    }
}

// Hands and feet have edges that are shorter than what is asked, more so where that is coarse.
static void edges_as_asked(void) {
    static const double edges[] = {0.025, 0.012, 0.035}, means[] = {0.87, 0.95, 0.74};
    for (int i = 0; i < (test_slow() ? 3 : 1); i++) {
        WeftMannequinDef def = weft_default_mannequin_def(WEFT_MANNEQUIN_FEMALE);
        def.edge = edges[i];
        WeftFigure figure;
        CHECK(weft_make_mannequin(&def, NULL, &figure, NULL) == WEFT_OK);
        CHECK(is_closed(&figure));
        CHECK(count_crossings(&figure, figure.positions) == 0);
        double sum = 0;
        for (long h = 0; h < 3L * figure.triangle_count; h++) {
            WfVec a = wf_load(figure.positions, figure.triangles[h]);
            WfVec b = wf_load(figure.positions, figure.triangles[h % 3 == 2 ? h - 2 : h + 1]);
            sum += wf_length(wf_sub(a, b));
        }
        CHECK_NEAR(sum / (3.0 * figure.triangle_count) / def.edge, means[i], 0.05);
        weft_destroy_figure(&figure);
    }
}

typedef struct Mirrored {
    double side, y, z;  // |x| y z
    int vertex;
} Mirrored;

static int compare_mirrored(const void* a, const void* b) {
    const Mirrored *p = a, *q = b;
    if (p->y != q->y) return p->y > q->y ? 1 : -1;
    if (p->z != q->z) return p->z > q->z ? 1 : -1;
    return (p->side > q->side) - (p->side < q->side);
}

// The mirror image of every vertex, to the bit; -1 where there is none.
static int* find_images(const WeftFigure* figure) {
    int count = figure->vertex_count;
    Mirrored* list = malloc((size_t)count * sizeof *list);
    int* images = malloc((size_t)count * sizeof *images);
    for (int v = 0; v < count; v++) {
        WfVec p = wf_load(figure->positions, v);
        list[v] = (Mirrored){fabs(p.x), p.y, p.z, v};
        images[v] = p.x == 0 ? v : -1;
    }
    qsort(list, (size_t)count, sizeof *list, compare_mirrored);
    for (int i = 0; i + 1 < count; i++) {
        int a = list[i].vertex, b = list[i + 1].vertex;
        if (compare_mirrored(&list[i], &list[i + 1])) continue;
        if (figure->positions[3 * (long)a] + figure->positions[3 * (long)b] != 0) continue;
        images[a] = b;
        images[b] = a;
    }
    free(list);
    return images;
}

static void mirrored_to_the_bit(void) {
    const WeftFigure* figure = usual_figure(WEFT_MANNEQUIN_FEMALE);
    int* images = find_images(figure);
    int missing = 0, half = figure->triangle_count / 2, unlike = 0;
    for (int v = 0; v < figure->vertex_count; v++) missing += images[v] < 0;
    if (!CHECK(missing == 0)) return;
    for (int t = 0; t < half; t++)
        for (int i = 0; i < 3; i++)
            unlike += images[figure->triangles[3 * (long)t + i]] !=
                      figure->triangles[3 * (long)(t + half) + 2 - i];
    CHECK(unlike == 0);
    for (int v = 0; v < figure->vertex_count; v++) {
        if (images[v] == v) continue;
        for (int k = 0; k < 4; k++) {
            const char* name = figure->bones[figure->skin_bones[4L * v + k]].name;
            const char* other = figure->bones[figure->skin_bones[4L * images[v] + k]].name;
            const char *part = strchr(name, '_'), *other_part = strchr(other, '_');
            bool alike = part && other_part ? name[0] != other[0] && !strcmp(part, other_part)
                                            : !strcmp(name, other);
            unlike += !alike ||
                      figure->skin_weights[4L * v + k] != figure->skin_weights[4L * images[v] + k];
        }
    }
    CHECK(unlike == 0);
    free(images);
}

// ---------------------------------------------------------------------------------------------
// Measures

static void check_girths(Size size) {
    WeftFigure figure = make_size(size);
    double h = height_of(&figure), chest = size.kind == WEFT_MANNEQUIN_CHILD ? 0.704 : 0.719;
    CHECK_NEAR(h / size.height, 1, 0.005);
    CHECK_NEAR(extreme_girth(&figure, (chest - 0.02) * h, (chest + 0.012) * h, 1) / size.chest, 1,
               0.01);
    CHECK_NEAR(extreme_girth(&figure, 0.58 * h, 0.65 * h, -1) / size.waist, 1, 0.01);
    CHECK_NEAR(extreme_girth(&figure, 0.47 * h, 0.55 * h, 1) / size.hips, 1, 0.01);
    weft_destroy_figure(&figure);
}

static void girths_as_asked(void) {
    for (int i = 0; i < SIZES; i++)
        if (test_slow() || i == 7) check_girths(sizes[i]);
}

static void refuse(WeftMannequinDef def, const char* words) {
    WeftFigure figure;
    WeftError error = {0};
    CHECK(weft_make_mannequin(&def, NULL, &figure, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
    CHECK(figure.vertex_count == 0 && figure.positions == NULL);
}

static void impossible_measures(void) {
    WeftMannequinDef def = weft_default_mannequin_def(WEFT_MANNEQUIN_FEMALE);
    def.height = 3;
    refuse(def, "height of a woman is 3 m");
    def.height = NAN;
    refuse(def, "height");
    def.height = 1.7;
    def.waist = 0.3;
    refuse(def, "waist is 0.3 m");
    def.waist = 1.1;
    def.hips = 0.9;
    def.chest = 1.2;
    refuse(def, "waist of 1.1 m is too large for hips of 0.9 m");
    def.hips = 1.1;
    def.chest = 0.9;
    refuse(def, "for a chest of 0.9 m");
    def = weft_default_mannequin_def(WEFT_MANNEQUIN_MALE);
    def.edge = 1e-4;
    refuse(def, "edge");
    def.edge = 0.019;
    def.kind = (WeftMannequinKind)7;
    refuse(def, "kind 7");
}

// Girths that are left out go with those that are given, and else with the height.
static void measures_left_out(void) {
    WeftFigure tall = make_size((Size){.kind = WEFT_MANNEQUIN_CHILD, .height = 1.1});
    CHECK_NEAR(height_of(&tall), 1.1, 0.006);
    CHECK_NEAR(extreme_girth(&tall, 0.58 * 1.1, 0.65 * 1.1, -1), 0.575 * 1.1 / 1.28, 0.005);
    weft_destroy_figure(&tall);
    if (!test_slow()) return;
    WeftFigure wide = make_size((Size){.kind = WEFT_MANNEQUIN_FEMALE, .chest = 0.968});
    CHECK_NEAR(height_of(&wide), 1.7, 0.01);
    CHECK_NEAR(extreme_girth(&wide, 0.47 * 1.7, 0.55 * 1.7, 1), 1.1 * 0.95, 0.012);
    weft_destroy_figure(&wide);
}

static void fails_without_memory(void) {
    WeftMannequinDef def = weft_default_mannequin_def(WEFT_MANNEQUIN_CHILD);
    def.height = 1;
    def.edge = 0.035;
    int calls = 1;
    for (int n = 1; n <= calls; n += test_slow() ? 4 : 13) {
        Counting counting = {.fail_at = n};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftFigure figure;
        WeftError error = {0};
        WeftResult result = weft_make_mannequin(&def, &allocator, &figure, &error);
        if (result) {
            calls = n + 13;
            CHECK(result == WEFT_ERROR_MEMORY && figure.positions == NULL);
            CHECK_TEXT(error.message, "memory");
        }
        weft_destroy_figure(&figure);
        CHECK(counting.live == 0);
    }
    CHECK(calls > 20);
}

// ---------------------------------------------------------------------------------------------
// Skin and clips

// What may be near: neighbours on the body. Forearms and hands are never near anything.
static bool is_left_forearm(const WeftFigure* figure, int v) {
    return weight_of(figure, v, "left_forearm") + weight_of(figure, v, "left_hand") > 0.6;
}
static bool is_body(const WeftFigure* figure, int v) { return !is_arm(figure, v); }
// below the crotch
static bool is_leg(const WeftFigure* figure, int v, const char* side) {
    char names[3][WEFT_NAME_SIZE];
    static const char* const parts[3] = {"thigh", "shin", "foot"};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        snprintf(names[i], sizeof names[i], "%s_%s", side, parts[i]);
        sum += weight_of(figure, v, names[i]);
    }
    return sum > 0.9 && fabs(figure->positions[3 * (long)v]) > 0.01;
}
static bool is_left_leg(const WeftFigure* figure, int v) { return is_leg(figure, v, "left"); }
static bool is_right_leg(const WeftFigure* figure, int v) { return is_leg(figure, v, "right"); }

static void check_room(const WeftFigure* figure, const char* clip, double time) {
    double* positions = pose_at(figure, clip, time);
    CHECK(count_crossings(figure, positions) == 0);
    CHECK(distance_between(figure, positions, is_left_forearm, is_body, 0.05) > 0.025);
    CHECK(distance_between(figure, positions, is_left_leg, is_right_leg, 0.05) > 0.02);
    free(positions);
}

static void check_clips(const WeftFigure* figure, int frames) {
    const WeftClip* walk = &figure->clips[weft_find_clip(figure, "walk")];
    check_room(figure, "t_pose", 0);
    check_room(figure, "a_pose", 0);
    check_room(figure, "arms_down", 0);
    for (int i = 0; i < frames; i++)
        check_room(figure, "walk", walk->frame_count / walk->rate * i / frames);
    check_room(figure, "turn", 1.2);
}

static void room_for_cloth(void) {
    for (int kind = 0; kind < (test_slow() ? 3 : 1); kind++)
        check_clips(usual_figure(kind), test_slow() ? 16 : 1);
}

static void room_in_all_sizes(void) {
    for (int i = 0; i < SIZES; i++) {
        WeftFigure figure = make_size(sizes[i]);
        check_clips(&figure, 12);
        weft_destroy_figure(&figure);
    }
}

static void left_is_not_right(void) {
    const WeftFigure* figure = usual_figure(WEFT_MANNEQUIN_MALE);
    int wrong = 0;
    for (int v = 0; v < figure->vertex_count; v++) {
        double x = figure->positions[3 * (long)v], sum = 0;
        wrong += x > 0 && weight_of(figure, v, "right_") > 0;
        wrong += x < 0 && weight_of(figure, v, "left_") > 0;
        for (int k = 0; k < 4; k++) sum += figure->skin_weights[4L * v + k];
        wrong += fabs(sum - 1) > 1e-12;
    }
    CHECK(wrong == 0);
    CHECK(!strcmp(figure->bones[0].name, "pelvis") && figure->bones[0].parent == -1);
}

// ---------------------------------------------------------------------------------------------
// The walk

// What is on the ground, within 1 mm, stays where it came down, within a centimetre.
static void feet_stay(void) {
    for (int kind = 0; kind < 3; kind++) {
        const WeftFigure* figure = usual_figure(kind);
        const WeftClip* walk = &figure->clips[weft_find_clip(figure, "walk")];
        double* down = calloc(3 * (size_t)figure->vertex_count, sizeof *down);
        bool* stands = calloc((size_t)figure->vertex_count, sizeof *stands);
        double slide = 0, sunk = 0, hovering = 0;
        for (int i = 0; i < 2 * walk->frame_count; i++) {
            double* x = pose_at(figure, "walk", i / walk->rate);
            double low = 1;
            for (int v = 0; v < figure->vertex_count; v++) {
                WfVec p = wf_load(x, v);
                low = fmin(low, p.y);
                if (p.y < 0.001 && !stands[v]) wf_store(down, v, p);
                stands[v] = p.y < 0.001;
                WfVec away = wf_sub(p, wf_load(down, v));
                if (stands[v]) slide = fmax(slide, wf_flat_length(away.x, away.z));
            }
            sunk = fmax(sunk, -low);
            hovering = fmax(hovering, low);
            free(x);
        }
        CHECK_BELOW(slide, 0.01);
        CHECK_BELOW(sunk, 0.005);
        CHECK_BELOW(hovering, 0.002);
        free(down);
        free(stands);
    }
}

static void walks_at_ease(void) {
    static const double speeds[3] = {1.2, 1.23, 1.04};
    for (int kind = 0; kind < 3; kind++) {
        const WeftFigure* figure = usual_figure(kind);
        const WeftClip* walk = &figure->clips[weft_find_clip(figure, "walk")];
        CHECK(walk->loops && walk->rate == 60);
        CHECK_NEAR(walk->travel[2] * walk->rate / walk->frame_count, speeds[kind], 0.02);
        CHECK(walk->travel[0] == 0 && walk->travel[1] == 0);
        double after = walk->frame_count / walk->rate;
        double *start = pose_at(figure, "walk", 0), *end = pose_at(figure, "walk", after);
        double worst = 0;
        for (int v = 0; v < figure->vertex_count; v++) {
            WfVec moved = wf_sub(wf_load(end, v), wf_load(start, v));
            worst = fmax(worst, wf_length(wf_sub(moved, wf_load(walk->travel, 0))));
        }
        CHECK_BELOW(worst, 1e-9);
        free(start);
        free(end);
    }
}

static int find_bone(const WeftFigure* figure, const char* name) {
    for (int b = 0; b < figure->bone_count; b++)
        if (!strcmp(figure->bones[b].name, name)) return b;
    return -1;
}

// The knee over the round, in degrees: the usual course of normal gait, in round numbers. It gives
// way a little as it takes the weight, and bends most as the foot passes the other.
static void knees_bend_as_usual(void) {
    static const double course[10] = {4, 17, 18, 12, 8, 14, 38, 62, 55, 22};
    const WeftFigure* figure = usual_figure(WEFT_MANNEQUIN_MALE);
    const WeftClip* walk = &figure->clips[weft_find_clip(figure, "walk")];
    int shin = find_bone(figure, "left_shin");
    double squares = 0;
    for (int i = 0; i < 10; i++) {
        int frame = (int)(0.1 * i * walk->frame_count + 0.5);
        const double* q = walk->rotations + 4 * ((long)frame * figure->bone_count + shin);
        double angle = 2 * atan2(q[0], q[3]) * 57.29577951308232;
        squares += (angle - course[i]) * (angle - course[i]) / 10;
    }
    CHECK_BELOW(sqrt(squares), 8);
}

static void turns_once(void) {
    const WeftFigure* figure = usual_figure(WEFT_MANNEQUIN_FEMALE);
    const WeftClip* turn = &figure->clips[weft_find_clip(figure, "turn")];
    double length = (turn->frame_count - 1) / turn->rate;
    CHECK_NEAR(length, 3.2, 0.05);
    double *start = pose_at(figure, "turn", 0), *end = pose_at(figure, "turn", length);
    double *half = pose_at(figure, "turn", length / 2), *rest = pose_at(figure, "arms_down", 0);
    double back = 0, as_rest = 0, across = 0;
    for (long i = 0; i < 3L * figure->vertex_count; i++) {
        back = fmax(back, fabs(start[i] - end[i]));
        as_rest = fmax(as_rest, fabs(start[i] - rest[i]));
        across = fmax(across, fabs(half[i] - (i % 3 == 1 ? start[i] : -start[i])));
    }
    CHECK_BELOW(back, 1e-12);
    CHECK_BELOW(as_rest, 1e-12);
    CHECK_BELOW(across, 1e-9);
    free(start);
    free(end);
    free(half);
    free(rest);
}

TEST_MAIN(CASE(meshes_are_even), CASE(edges_as_asked), CASE(mirrored_to_the_bit),
          CASE(girths_as_asked), CASE(impossible_measures), CASE(measures_left_out),
          CASE(fails_without_memory), CASE(room_for_cloth), LONG_CASE(room_in_all_sizes),
          CASE(left_is_not_right), CASE(feet_stay), CASE(walks_at_ease), CASE(knees_bend_as_usual),
          CASE(turns_once))
