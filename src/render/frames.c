// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "render/frames.h"

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "mesh/normals.h"
#include "sim/model.h"

WeftResult weft_create_frames(const WeftModel* model, const WeftAllocator* allocator,
                              WeftFrames** out, WeftError* error) {
    wf_assert(model && out);
    WeftAllocator from = wf_allocator(allocator);
    const WfShown* shown = &model->shown;
    size_t n = (size_t)shown->vertex_count;
    *out = NULL;
    WeftFrames* f = wf_alloc(&from, 1, sizeof *f);
    if (!f) return wf_fail_memory(error);
    *f = (WeftFrames){.allocator = from, .model = model, .count = shown->vertex_count};
    double** places[] = {&f->before, &f->now, &f->last, &f->place};
    bool good = true;
    for (int k = 0; k < 4; k++) {
        *places[k] = wf_alloc(&from, 3 * n, sizeof(double));
        good = good && *places[k];
    }
    f->points = wf_alloc(&from, WF_POINT * n, sizeof(float));
    f->last_points = wf_alloc(&from, WF_POINT * n, sizeof(float));
    good = good && f->points && f->last_points &&
           wf_stars_create(&from, f->count, shown->triangle_count, shown->triangles, &f->stars);
    if (!good) {
        weft_destroy_frames(f);
        return wf_fail_memory(error);
    }
    *out = f;
    return WEFT_OK;
}

void weft_destroy_frames(WeftFrames* f) {
    if (!f) return;
    WeftAllocator from = f->allocator;
    void* all[] = {f->before, f->now, f->last, f->place, f->points, f->last_points};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(&from, all[k]);
    wf_stars_destroy(&from, &f->stars);
    wf_free(&from, f);
}

// ---------------------------------------------------------------------------------------------

static void swap(double** a, double** b) {
    double* kept = *a;
    *a = *b;
    *b = kept;
}

static size_t place_bytes(const WeftFrames* f) { return 3 * (size_t)f->count * sizeof(double); }

void weft_push_frame(WeftFrames* f, const WeftState* state) {
    wf_assert(weft_vertex_count(weft_state_model(state)) == f->count);
    swap(&f->before, &f->now);
    memcpy(f->now, weft_positions(state), place_bytes(f));
    if (!f->pushed) memcpy(f->before, f->now, place_bytes(f));
    f->pushed = true;
}

void weft_restart_frames(WeftFrames* f, const WeftState* state) {
    f->pushed = f->drawn = false;
    weft_push_frame(f, state);
}

// One call.
typedef struct Draw {
    WeftFrames* frames;
    double alpha;
    WfVec origin;
} Draw;

static void mix_places(void* context, int first, int end) {
    const Draw* d = context;
    const WeftFrames* f = d->frames;
    for (long k = 3L * first; k < 3L * end; k++)
        f->place[k] =
            d->alpha < 1 ? (1 - d->alpha) * f->before[k] + d->alpha * f->now[k] : f->now[k];
}

static void store_point(float* to, WfVec x, WfVec n) {
    const double all[WF_POINT] = {x.x, x.y, x.z, 0, n.x, n.y, n.z, 0};
    for (int k = 0; k < WF_POINT; k++) to[k] = (float)all[k];
}

static void make_points(void* context, int first, int end) {
    const Draw* d = context;
    const WeftFrames* f = d->frames;
    for (int i = first; i < end; i++) {
        long at = WF_POINT * (long)i;
        WfVec n = wf_star_normal(&f->stars, f->place, i), x = wf_load(f->place, i);
        store_point(f->points + at, wf_sub(x, d->origin), n);
        // the normal was found when it was drawn
        WfVec old = wf_sub(wf_load(f->last, i), d->origin);
        f->last_points[at] = (float)old.x;
        f->last_points[at + 1] = (float)old.y;
        f->last_points[at + 2] = (float)old.z;
    }
}

void weft_draw_frame(WeftFrames* f, double alpha, const double origin[3]) {
    wf_assert(f->pushed);
    const WeftJobs* jobs = &f->model->system.jobs;
    Draw draw = {f, alpha > 0 ? (alpha < 1 ? alpha : 1) : alpha <= 0 ? 0 : 1, {0, 0, 0}};
    if (origin) draw.origin = wf_load(origin, 0);
    swap(&f->last, &f->place);
    float* kept = f->last_points;
    f->last_points = f->points;
    f->points = kept;
    wf_parallel_items(jobs, f->count, mix_places, &draw);
    if (!f->drawn) memcpy(f->last, f->place, place_bytes(f));
    wf_parallel_items(jobs, f->count, make_points, &draw);
    size_t bytes = WF_POINT * (size_t)f->count * sizeof(float);
    if (!f->drawn) memcpy(f->last_points, f->points, bytes);
    f->drawn = true;
}
