// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/runs.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "contact/feature.h"
#include "contact/world.h"

static int run_count(int count) { return (count + WF_RUN - 1) / WF_RUN; }

void wf_runs_layout(int vertex_count, int triangle_count, WfArena* arena, WfRuns* runs) {
    size_t vertices = (size_t)run_count(vertex_count),
           triangles = (size_t)run_count(triangle_count);
    runs->vertices = wf_arena_push(arena, vertices, sizeof *runs->vertices);
    runs->triangles = wf_arena_push(arena, triangles, sizeof *runs->triangles);
    runs->far_vertices = wf_arena_push(arena, vertices, 1);
    runs->far_triangles = wf_arena_push(arena, triangles, 1);
}

typedef struct Boxing {
    WfWorld* world;
    const double* x1;
} Boxing;

static WfRun empty_run(void) {
    return (WfRun){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, 0, 0};
}

static void add_vertex(const Boxing* b, int i, WfRun* run) {
    const WfWorld* w = b->world;
    const double *x0 = w->x + 3 * (long)i, *x1 = b->x1 + 3 * (long)i;
    for (int k = 0; k < 3; k++) {
        run->low[k] = fmin(run->low[k], fmin(x0[k], x1[k]));
        run->high[k] = fmax(run->high[k], fmax(x0[k], x1[k]));
    }
    double reach = fmax(w->spans[i], w->end_spans[i]) + 3 * w->thickness[i];
    run->reach = fmax(run->reach, reach);
    run->path = fmax(run->path, wf_length(wf_sub(wf_load(x1, 0), wf_load(x0, 0))));
}

static void add_run(WfRun* run, const WfRun* other) {
    for (int k = 0; k < 3; k++) {
        run->low[k] = fmin(run->low[k], other->low[k]);
        run->high[k] = fmax(run->high[k], other->high[k]);
    }
    run->reach = fmax(run->reach, other->reach);
    run->path = fmax(run->path, other->path);
}

static void box_vertices(void* context, int block) {
    const Boxing* b = context;
    int end = wf_item_end(b->world->vertex_count, block);
    for (int first = block * WF_ITEM_BLOCK; first < end; first += WF_RUN) {
        WfRun run = empty_run();
        for (int i = first; i < end && i < first + WF_RUN; i++) add_vertex(b, i, &run);
        b->world->runs.vertices[first / WF_RUN] = run;
    }
}

// By the runs of the corners, which are mostly few: a corner of the last run needs no look.
static void box_triangles(void* context, int block) {
    const Boxing* b = context;
    const WfSurface* cloth = b->world->cloth;
    WfRuns* runs = &b->world->runs;
    int end = wf_item_end(cloth->triangle_count, block);
    for (int first = block * WF_ITEM_BLOCK; first < end; first += WF_RUN) {
        WfRun run = empty_run();
        int last[2] = {-1, -1};
        for (int c = 3 * first; c < 3 * end && c < 3 * (first + WF_RUN); c++) {
            int of = cloth->triangles[c] / WF_RUN;
            if (of == last[0] || of == last[1]) continue;
            add_run(&run, &runs->vertices[of]);
            last[1] = last[0];
            last[0] = of;
        }
        runs->triangles[first / WF_RUN] = run;
    }
}

void wf_box_runs(WfWorld* w, const double* x1) {
    Boxing boxing = {w, x1};
    wf_parallel(w->jobs, wf_item_blocks(w->vertex_count), box_vertices, &boxing);
    wf_parallel(w->jobs, wf_item_blocks(w->cloth->triangle_count), box_triangles, &boxing);
}

// A vertex at a distance D from the axis moves against the body by `path`, by the body's own way
// and by chord (reach of the body + D); contacts look twice as far as it moves.
typedef struct Round {
    double low[3], high[3], way, chord, radius, reach, margin;
} Round;

static bool is_far(const Round* r, const WfRun* run) {
    double least =
        r->radius + run->reach + r->margin + 2 * (run->path + r->way + r->chord * r->reach);
    double distance = least / (1 - 2 * r->chord), square = 0;
    for (int k = 0; k < 3; k++) {
        double apart = fmax(fmax(run->low[k] - r->high[k], r->low[k] - run->high[k]), 0);
        if (apart > distance) return true;
        square += apart * apart;
    }
    return square > distance * distance;
}

static const double LARGEST_CHORD = 0.25;

void wf_find_far_runs(WfWorld* w, const WfMover* mover) {
    WfRuns* runs = &w->runs;
    int vertices = run_count(w->vertex_count), triangles = run_count(w->cloth->triangle_count);
    Round r = {.radius = fmax(mover->body->radii[0], mover->body->radii[1]),
               .reach = mover->body->reach,
               .margin = w->margin};
    bool round = wf_is_round(mover->body);
    if (round) wf_pose_travel(&mover->from, &mover->to, &r.way, &r.chord);
    if (!round || r.chord > LARGEST_CHORD) {
        memset(runs->far_vertices, 0, (size_t)vertices);
        memset(runs->far_triangles, 0, (size_t)triangles);
        return;
    }
    wf_core_box(mover, r.low, r.high);
    for (int i = 0; i < vertices; i++) runs->far_vertices[i] = is_far(&r, &runs->vertices[i]);
    for (int i = 0; i < triangles; i++) runs->far_triangles[i] = is_far(&r, &runs->triangles[i]);
}
