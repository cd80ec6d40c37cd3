// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "way.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREES = 57.29577951308232;

// ---------------------------------------------------------------------------------------------
// Times

void add_time(Times* times, double seconds) {
    if (times->count == times->room) {
        int room = 2 * times->room + 64;
        double* more = need((size_t)room, sizeof *more);
        if (times->count) memcpy(more, times->seconds, (size_t)times->count * sizeof *more);
        free(times->seconds);
        times->seconds = more, times->room = room;
    }
    times->seconds[times->count++] = seconds;
}

double median_time(const Times* times) {
    if (times->count == 0) return (double)NAN;
    double* sorted = need((size_t)times->count, sizeof *sorted);
    memcpy(sorted, times->seconds, (size_t)times->count * sizeof *sorted);
    sort_numbers(sorted, times->count);
    double median = sorted[times->count / 2];
    free(sorted);
    return median;
}

double least_time(const Times* times) {
    if (times->count == 0) return (double)NAN;
    double least = times->seconds[0];
    for (int i = 1; i < times->count; i++) least = fmin(least, times->seconds[i]);
    return least;
}

// ---------------------------------------------------------------------------------------------
// Ways

void open_way(Way* way, const char* name, const WeftDetail* detail, Sweeper* sweeper) {
    *way = (Way){.detail = detail, .sweeper = sweeper, .count = weft_detail_vertex_count(detail)};
    size_t numbers = 3 * (size_t)way->count;
    snprintf(way->name, sizeof way->name, "%s", name);
    way->shown = need(numbers, sizeof(double));
    way->normals = need(numbers, sizeof(float));
    for (int k = 0; k < 2; k++) way->apart[k] = need(numbers, sizeof(double));
}

void close_way(Way* way) {
    void* all[] = {way->shown, way->normals, way->apart[0], way->apart[1], way->times.seconds};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    destroy_sweeper(way->sweeper);
    end_way(way);
    *way = (Way){0};
}

WeftResult begin_way(Way* way, const WeftModel* model, const bool* held, WeftError* error) {
    end_way(way);
    way->frames = 0;
    if (way->sweeper) restart_sweeper(way->sweeper, held);
    if (!model || weft_body_count(model) == 0) return WEFT_OK;
    return weft_create_keeper(model, way->detail, 0, NULL, &way->keeper, error);
}

void end_way(Way* way) {
    weft_destroy_keeper(way->keeper);
    way->keeper = NULL;
}

void clear_way(Way* way) {
    way->score = (Score){0};
    way->times.count = 0;
}

// ---------------------------------------------------------------------------------------------
// Bodies

enum { MAX_BODIES = 4 };

static WeftResult count_inside(const Way* way, const Simulated* simulated, int* total,
                               WeftError* error) {
    WeftSurface surfaces[1 + MAX_BODIES];
    bool planes[1 + MAX_BODIES] = {false};
    WeftInside inside[MAX_BODIES];
    double* shapes[MAX_BODIES];
    int bodies = weft_body_count(simulated->model), count = 0;
    if (bodies > MAX_BODIES) bodies = MAX_BODIES;
    surfaces[0] = (WeftSurface){way->count, way->shown, weft_detail_triangle_count(way->detail),
                                weft_detail_triangles(way->detail), false};
    for (int b = 0; b < bodies; b++) {
        int vertices = weft_body_vertex_count(simulated->model, b);
        shapes[b] = need(3 * (size_t)vertices, sizeof(double));
        weft_copy_body(simulated->state, b, shapes[b]);
        surfaces[1 + b] =
            (WeftSurface){vertices, shapes[b], weft_body_triangle_count(simulated->model, b),
                          weft_body_triangles(simulated->model, b), true};
        // a plane is shown as two triangles
        planes[1 + b] = weft_body_triangle_count(simulated->model, b) == 2;
    }
    WeftResult result =
        weft_find_inside(surfaces, 1 + bodies, planes, NULL, MAX_BODIES, inside, &count, error);
    for (int i = 0; i < count && i < MAX_BODIES && !result; i++) *total += inside[i].vertex_count;
    for (int b = 0; b < bodies; b++) free(shapes[b]);
    return result;
}

WeftResult show_way(Way* way, const Simulated* simulated, bool looks, WeftError* error) {
    static const WeftJobs one = {.thread_count = 1};
    WeftResult result = WEFT_OK;
    double start = thread_time(NULL);
    weft_apply_detail(way->detail, &simulated->frame, &one, way->shown);
    if (way->sweeper) sweep(way->sweeper, way->shown);
    double spent = thread_time(NULL) - start;
    if (way->keeper && looks) result = count_inside(way, simulated, &way->score.bare, error);
    start = thread_time(NULL);
    if (way->keeper) weft_keep_outside(way->keeper, simulated->state, &one, way->shown);
    spent += thread_time(NULL) - start;
    if (way->keeper && looks && !result)
        result = count_inside(way, simulated, &way->score.inside, error);
    add_time(&way->times, simulated->seconds + spent);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Errors

static double angle_between(const float* m, const float* n) {
    double a[3], b[3], cross[3], dot = 0;
    for (int k = 0; k < 3; k++) a[k] = (double)m[k], b[k] = (double)n[k];
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, after = (k + 2) % 3;
        cross[k] = a[next] * b[after] - a[after] * b[next];
        dot += a[k] * b[k];
    }
    return atan2(sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]), dot);
}

void judge_way(Way* way, const double* dense, const float* normals) {
    double squares = 0, angles = 0, jumps = 0;
    weft_copy_detail(way->detail, way->shown, NULL, NULL, way->normals);
    for (long i = 0; i < 3L * way->count; i++) {
        double apart = way->shown[i] - dense[i];
        double jump = apart - 2 * way->apart[0][i] + way->apart[1][i];
        squares += apart * apart;
        jumps += jump * jump;
        way->apart[1][i] = way->apart[0][i];
        way->apart[0][i] = apart;
    }
    for (long i = 0; i < way->count; i++)
        angles += angle_between(way->normals + 3 * i, normals + 3 * i);
    way->score.squares += squares / way->count;
    way->score.angles += angles / way->count;
    way->score.frames++;
    if (way->frames++ < 2) return;
    way->score.jumps += jumps / way->count;
    way->score.pairs++;
}

double vertex_error(const Score* score) { return 1000 * sqrt(score->squares / score->frames); }
double normal_error(const Score* score) { return DEGREES * score->angles / score->frames; }
double jitter(const Score* score) { return 1000 * sqrt(score->jumps / score->pairs); }
