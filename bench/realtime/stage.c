// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene at work by one method, and its judge.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "realtime.h"
#include "weft/weft_study.h"

const RealtimeMethod realtime_methods[REALTIME_METHODS] = {
    {.name = "conventional",
     .choice = "prefactored",
     .within = {"conventional_within_contact_4ms", "conventional_within_contact_8ms"},
     .within_or_late = {"conventional_within_or_late_4ms", "conventional_within_or_late_8ms"},
     .stretch = "conventional_stretch_p99",
     .crossings = "conventional_crossings",
     .over_xpbd = {"conventional_over_xpbd_1k", "conventional_over_xpbd_4k",
                   "conventional_over_xpbd_16k"}},
    {.name = "small steps",
     .choice = "small_steps",
     .cheap = true,
     .within = {"within_contact_4ms", "within_contact_8ms"},
     .within_or_late = {"within_or_late_4ms", "within_or_late_8ms"},
     .stretch = "stretch_p99",
     .crossings = "crossings",
     .over_xpbd = {"weft_over_xpbd_1k", "weft_over_xpbd_4k", "weft_over_xpbd_16k"},
     .substeps = {10, 14, 16, 24, 32}},
};

int find_choice(const char* group, const char* name) {
    const WeftChoice* choice;
    int index = 0;
    for (int i = 0; (choice = weft_choice(i)) != NULL; i++) {
        if (strcmp(choice->group, group) != 0) continue;
        if (strcmp(choice->name, name) == 0) return index;
        index++;
    }
    return -1;
}

bool find_method(const RealtimeMethod* method, WeftMethod* found, WeftError* error) {
    int index = find_choice("method", method->choice);
    *found = (WeftMethod)index;
    if (index >= 0) return true;
    error->result = WEFT_ERROR_INPUT;
    snprintf(error->message, sizeof error->message, "the library has no method \"%s\"",
             method->choice);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Making

static long allocations;

static void* count_and_allocate(void* user, size_t bytes) {
    (void)user;
    allocations++;
    return malloc(bytes);
}

static void release(void* user, void* memory) {
    (void)user;
    free(memory);
}

long count_allocations(void) { return allocations; }

WeftResult ready_step(const WeftStepDef* step, ContactStage* stage, WeftError* error) {
    WeftModelDef* def = &stage->scene->model;
    def->step = *step;
    def->allocator = (WeftAllocator){count_and_allocate, release, NULL};
    def->jobs.thread_count = 1;
    def->clock.now = thread_time;
    return ready_contact_stage(stage, error);
}

WeftResult ready_setting(const Setting* setting, ContactStage* stage, WeftError* error) {
    WeftStepDef step = weft_default_step_def();
    if (!find_method(setting->method, &step.method, error)) return error->result;
    step.substeps = setting->substeps;
    step.budget_ms = setting->budget_ms;
    return ready_step(&step, stage, error);
}

// ---------------------------------------------------------------------------------------------
// The judge

// Cloth may pass through itself: it takes the part of the body, which is not held against itself.
static int count_body_crossings(const ContactStage* stage, Verdict* verdict) {
    WeftError error;
    verdict->crossings = 0;
    for (int i = 1; i < stage->surface_count; i++) {
        WeftSurface pair[2] = {stage->surfaces[0], stage->surfaces[i]};
        int count = 0;
        pair[0].body = true;
        pair[1].body = false;
        if (weft_find_crossings(pair, 2, NULL, 0, NULL, &count, &error))
            return complain(EXIT_FAILED, "%s", error.message);
        verdict->crossings += count;
    }
    return EXIT_GOOD;
}

// m, of a point from the surface of a body.
static double find_distance(const WeftSurface* body, const double* p) {
    double least = HUGE_VAL, w[3];
    for (int t = 0; t < body->triangle_count; t++) {
        const int* v = body->triangles + 3 * (size_t)t;
        const double *a = body->positions + 3 * (size_t)v[0],
                     *b = body->positions + 3 * (size_t)v[1],
                     *c = body->positions + 3 * (size_t)v[2];
        least = fmin(least, nearest_in(p, a, b, c, w));
    }
    return sqrt(least);
}

// Whether the depth in the body of a surface is told by its formula.
static bool has_formula(const ContactStage* stage, int surface) {
    const WeftModelDef* def = &stage->scene->model;
    int at = 0;
    for (int b = 0; b < def->body_count; b++) {
        WeftBodyKind kind = def->bodies[b].kind;
        if (kind == WEFT_BODY_PLANE || ++at != surface) continue;
        return kind == WEFT_BODY_SPHERE || kind == WEFT_BODY_CAPSULE || kind == WEFT_BODY_BOX;
    }
    return false;
}

enum { MOST_MEASURED = 100 };  // vertices inside of meshes, in a frame: each takes a millisecond

// Every vertex is a surface of its own, so that all that are inside are named.
static int judge_inside(const ContactStage* stage, Verdict* verdict) {
    static const int corner[3] = {0, 0, 0};
    WeftError error;
    int n = weft_vertex_count(stage->model), bodies = stage->surface_count - 1, count = 0;
    size_t room = (size_t)(n + bodies);
    WeftSurface* points = need(room, sizeof *points);
    WeftInside* inside = need(room, sizeof *inside);
    for (int i = 0; i < n; i++)
        points[i] =
            (WeftSurface){1, weft_positions(stage->state) + 3 * (size_t)i, 1, corner, false};
    memcpy(points + n, stage->surfaces + 1, (size_t)bodies * sizeof *points);
    int code = EXIT_GOOD;
    if (weft_find_inside(points, n + bodies, NULL, NULL, (int)room, inside, &count, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    verdict->inside += count;
    for (int i = 0, measured = 0; i < count && i < (int)room && measured < MOST_MEASURED; i++) {
        if (has_formula(stage, inside[i].body - n + 1)) continue;
        double depth = find_distance(&points[inside[i].body], points[inside[i].surface].positions);
        verdict->depth = fmax(verdict->depth, depth);
        measured++;
    }
    free(points);
    free(inside);
    return code;
}

int judge_realtime(ContactStage* stage, Verdict* verdict) {
    Passed passed;
    int code = judge_contact(stage, &passed);
    *verdict = (Verdict){passed.crossings, passed.below, passed.depth};
    if (!code && stage->scene->model.contact != WEFT_CONTACT_ALL)
        code = count_body_crossings(stage, verdict);
    return code ? code : judge_inside(stage, verdict);
}

// ---------------------------------------------------------------------------------------------
// Stretch

static double distance_of(const double* a, const double* b, int dimensions) {
    double sum = 0;
    for (int k = 0; k < dimensions; k++) sum += (b[k] - a[k]) * (b[k] - a[k]);
    return sqrt(sum);
}

// Of the flat shape, where the cloth has one.
static double rest_of(const WeftClothDef* cloth, int triangle, int side) {
    size_t i = 3 * (size_t)triangle + (size_t)side,
           j = 3 * (size_t)triangle + (size_t)(side + 1) % 3;
    const int* points = cloth->triangle_material ? cloth->triangle_material : cloth->triangles;
    if (cloth->material)
        return distance_of(cloth->material + 2 * (size_t)points[i],
                           cloth->material + 2 * (size_t)points[j], 2);
    return distance_of(cloth->positions + 3 * (size_t)cloth->triangles[i],
                       cloth->positions + 3 * (size_t)cloth->triangles[j], 3);
}

static void add_sides(const WeftClothDef* cloth, int first, RestLengths* lengths) {
    for (int t = 0; t < cloth->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int* ends = lengths->ends + 2 * (size_t)lengths->count;
            ends[0] = first + cloth->triangles[3 * t + k];
            ends[1] = first + cloth->triangles[3 * t + (k + 1) % 3];
            lengths->rest[lengths->count++] = rest_of(cloth, t, k);
        }
}

void find_rest_lengths(const WeftScene* scene, RestLengths* lengths) {
    size_t count = 0;
    int first = 0;
    for (int c = 0; c < scene->model.cloth_count; c++)
        count += 3 * (size_t)scene->model.cloths[c].triangle_count;
    *lengths = (RestLengths){0, need(2 * count, sizeof(int)), need(count, sizeof(double)),
                             need(count, sizeof(double))};
    for (int c = 0; c < scene->model.cloth_count; c++) {
        add_sides(&scene->model.cloths[c], first, lengths);
        first += scene->model.cloths[c].vertex_count;
    }
}

double median_stretch(const RestLengths* lengths, const double* positions) {
    for (int i = 0; i < lengths->count; i++) {
        const int* ends = lengths->ends + 2 * (size_t)i;
        lengths->stretch[i] =
            distance_of(positions + 3 * (size_t)ends[0], positions + 3 * (size_t)ends[1], 3) /
            lengths->rest[i];
    }
    sort_numbers(lengths->stretch, lengths->count);
    return lengths->stretch[lengths->count / 2];
}

void destroy_rest_lengths(RestLengths* lengths) {
    free(lengths->ends);
    free(lengths->rest);
    free(lengths->stretch);
    *lengths = (RestLengths){0};
}
