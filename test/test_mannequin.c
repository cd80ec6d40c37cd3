// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/mannequin*.c: closed and symmetric meshes of even triangles that have the girths
// that were asked for; skins that never cross themselves, parts that leave room for cloth, and feet
// that stay where they stand, in every clip.

#include "base/memory.h"
#include "counting.h"
#include "garment/thin.h"
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

// Whether the image of a bone, by its name, is another.
static bool are_images(const char* name, const char* other) {
    const char *part = strchr(name, '_'), *other_part = strchr(other, '_');
    if (name[0] == other[0] || !part || !other_part) return !strcmp(name, other) && !part;
    return !strcmp(part, other_part);
}

static int count_unlike_skin(const WeftFigure* figure, const int* images) {
    int unlike = 0;
    for (int v = 0; v < figure->vertex_count; v++) {
        if (images[v] == v) continue;
        for (int k = 0; k < 4; k++) {
            long at = 4L * v + k, other = 4L * images[v] + k;
            unlike += !are_images(figure->bones[figure->skin_bones[at]].name,
                                  figure->bones[figure->skin_bones[other]].name);
            unlike += figure->skin_weights[at] != figure->skin_weights[other];
        }
    }
    return unlike;
}

// As the header says: first those of the middle, then pairs.
static int count_unlike_order(const WeftFigure* figure, const int* images) {
    int unlike = 0, first = 0;
    while (first < figure->vertex_count && images[first] == first) first++;
    for (int v = first; v < figure->vertex_count; v += 2)
        unlike += images[v] != v + 1 || !(figure->positions[3 * (long)v] > 0);
    for (long t = 0; t < figure->triangle_count; t += 2) {
        const int *corner = figure->triangles + 3 * t, *other = corner + 3;
        unlike += images[corner[0]] != other[0] || images[corner[1]] != other[2] ||
                  images[corner[2]] != other[1];
    }
    return unlike;
}

static int count_unlike(const WeftFigure* figure, const int* images, const double* x) {
    int unlike = 0;
    for (int v = 0; v < figure->vertex_count; v++) {
        WfVec p = wf_load(x, v), q = wf_load(x, images[v]);
        unlike += p.x != -q.x || p.y != q.y || p.z != q.z;
    }
    return unlike;
}

// Posed at times between frames, too, with limbs that give way.
static int count_unlike_clips(const WeftFigure* figure, const int* images) {
    static const char* const clips[] = {"t_pose", "a_pose", "arms_down", "hop", "squat"};
    int unlike = 0;
    for (int i = 0; i < 5; i++) {
        const WeftClip* clip = &figure->clips[weft_find_clip(figure, clips[i])];
        int times = clip->frame_count > 1 ? 7 : 1;
        for (int k = 0; k < times; k++) {
            double* x = pose_at(figure, clips[i], clip->frame_count / clip->rate * 1.3 * k / times);
            unlike += count_unlike(figure, images, x);
            free(x);
        }
    }
    return unlike;
}

static int count_unlike_blends(const WeftFigure* figure, const int* images) {
    int t_pose = weft_find_clip(figure, "t_pose"), arms_down = weft_find_clip(figure, "arms_down");
    int hop = weft_find_clip(figure, "hop"), unlike = 0;
    double* x = malloc(3 * (size_t)figure->vertex_count * sizeof *x);
    for (double blend = 0.1; blend < 1; blend += 0.3) {
        CHECK(!weft_blend_figure(figure, t_pose, 0, arms_down, 0, blend, x, NULL));
        unlike += count_unlike(figure, images, x);
        CHECK(!weft_blend_figure(figure, -1, 0, hop, 0.31, blend, x, NULL));
        unlike += count_unlike(figure, images, x);
    }
    WeftAllocator usual_memory = wf_allocator(NULL);
    CHECK(!wf_thin_body(&usual_memory, figure->vertex_count, figure->positions,
                        figure->triangle_count, figure->triangles, 0.06, x));
    unlike += count_unlike(figure, images, x);
    free(x);
    return unlike;
}

// Sums around a vertex used to go in another order than around its image: parted limbs were off by
// 2e-16 m, thin bodies by 4e-12 m.
static void check_mirrored(const WeftFigure* figure) {
    int *images = find_images(figure), missing = 0;
    for (int v = 0; v < figure->vertex_count; v++) missing += images[v] < 0;
    if (CHECK(missing == 0)) {
        CHECK(count_unlike_order(figure, images) == 0);
        CHECK(count_unlike_skin(figure, images) == 0);
        CHECK(count_unlike_clips(figure, images) == 0);
        CHECK(count_unlike_blends(figure, images) == 0);
    }
    free(images);
}

static void mirrored_to_the_bit(void) {
    for (int kind = 0; kind < (test_slow() ? 3 : 1); kind++) check_mirrored(usual_figure(kind));
    for (int i = 0; i < (test_long() ? SIZES : 0); i++) {
        WeftFigure figure = make_size(sizes[i]);
        check_mirrored(&figure);
        weft_destroy_figure(&figure);
    }
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
        if (i == 7 || (test_slow() && i % 2) || test_long()) check_girths(sizes[i]);
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
    static const char* const rounds[] = {"walk", "hop", "squat"};
    check_room(figure, "t_pose", 0);
    check_room(figure, "a_pose", 0);
    check_room(figure, "arms_down", 0);
    for (int k = 0; k < 3; k++) {
        const WeftClip* clip = &figure->clips[weft_find_clip(figure, rounds[k])];
        for (int i = 0; i < frames; i++)
            check_room(figure, rounds[k], clip->frame_count / clip->rate * i / frames);
    }
    check_room(figure, "turn", 1.2);
}

static void room_for_cloth(void) {
    for (int kind = 0; kind < (test_slow() ? 3 : 1); kind++)
        check_clips(usual_figure(kind), test_long() ? 16 : test_slow() ? 6 : 1);
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

// What is on the ground, within 1 mm, stays where it came down, within a centimetre. Returns how
// far the soles are from the ground at most.
static double check_feet(const WeftFigure* figure, const char* name) {
    const WeftClip* clip = &figure->clips[weft_find_clip(figure, name)];
    double* down = calloc(3 * (size_t)figure->vertex_count, sizeof *down);
    bool* stands = calloc((size_t)figure->vertex_count, sizeof *stands);
    double slide = 0, sunk = 0, hovering = 0;
    for (int i = 0; i < 5 * clip->frame_count / 4; i++) {
        double* x = pose_at(figure, name, i / clip->rate);
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
    free(down);
    free(stands);
    return hovering;
}

static void feet_stay(void) {
    for (int kind = 0; kind < (test_slow() ? 3 : 1); kind++) {
        const WeftFigure* figure = usual_figure(kind);
        CHECK_BELOW(check_feet(figure, "walk"), 0.002);
        if (kind && !test_long()) continue;
        CHECK_BELOW(check_feet(figure, "squat"), 0.002);
        double leap = check_feet(figure, "hop");
        CHECK(leap > 0.04 && leap < 0.12);
    }
}

// Clips that go round end as they begin, further by what they travel.
static void check_round(const WeftFigure* figure, const char* name, double speed) {
    const WeftClip* clip = &figure->clips[weft_find_clip(figure, name)];
    CHECK(clip->loops && clip->rate == 60);
    CHECK_NEAR(clip->travel[2] * clip->rate / clip->frame_count, speed, 0.02);
    CHECK(clip->travel[0] == 0 && clip->travel[1] == 0);
    double after = clip->frame_count / clip->rate;
    double *start = pose_at(figure, name, 0), *end = pose_at(figure, name, after);
    double worst = 0;
    for (int v = 0; v < figure->vertex_count; v++) {
        WfVec moved = wf_sub(wf_load(end, v), wf_load(start, v));
        worst = fmax(worst, wf_length(wf_sub(moved, wf_load(clip->travel, 0))));
    }
    CHECK_BELOW(worst, 1e-9);
    free(start);
    free(end);
}

static void goes_at_ease(void) {
    static const double speeds[3] = {1.2, 1.23, 1.04}, hops[3] = {0.6, 0.617, 0.52};
    for (int kind = 0; kind < 3; kind++) {
        check_round(usual_figure(kind), "walk", speeds[kind]);
        check_round(usual_figure(kind), "hop", hops[kind]);
        check_round(usual_figure(kind), "squat", 0);
    }
}

// The largest acceleration of a vertex, m/s^2, over a round and into the next: a jump in speed
// between two frames would add 60 of it per m/s.
static double most_sudden(const WeftFigure* figure, const char* name) {
    const WeftClip* clip = &figure->clips[weft_find_clip(figure, name)];
    double *a = pose_at(figure, name, 0), *b = pose_at(figure, name, 1 / clip->rate), most = 0;
    for (int i = 2; i < clip->frame_count + 3; i++) {
        double* c = pose_at(figure, name, i / clip->rate);
        for (int v = 0; v < figure->vertex_count; v++) {
            WfVec twice = wf_mul(2, wf_load(b, v)), sum = wf_add(wf_load(a, v), wf_load(c, v));
            most = fmax(most, wf_length(wf_sub(sum, twice)) * clip->rate * clip->rate);
        }
        free(a);
        a = b;
        b = c;
    }
    free(a);
    free(b);
    return most;
}

static void moves_smoothly(void) {
    const WeftFigure* figure = usual_figure(WEFT_MANNEQUIN_FEMALE);
    CHECK_BELOW(most_sudden(figure, "hop"), 120);
    CHECK_BELOW(most_sudden(figure, "squat"), 12);
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

TEST_MAIN(SLOW_CASE(meshes_are_even), CASE(edges_as_asked), CASE(mirrored_to_the_bit),
          CASE(girths_as_asked), CASE(impossible_measures), CASE(measures_left_out),
          CASE(fails_without_memory), SLOW_CASE(room_for_cloth), LONG_CASE(room_in_all_sizes),
          CASE(left_is_not_right), SLOW_CASE(feet_stay), CASE(goes_at_ease),
          SLOW_CASE(moves_smoothly), CASE(knees_bend_as_usual), CASE(turns_once))
