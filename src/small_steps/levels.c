// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "small_steps/levels.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"

static const float TOUCHES = 3e-3f;  // m: so near to its plane a member counts as lying on it

void wf_levels_layout(const WfLevels* levels, int most_planes, WfArena* arena, WfLevelsWork* work) {
    if (levels->count == 0) return;
    size_t count = (size_t)levels->member_count, points = count + WF_IDLE_POINTS, lanes = 0;
    for (int l = 0; l < levels->count; l++)
        lanes += WF_OCT * (size_t)levels->level[l].pulls.batch_count;
    work->x = wf_arena_push(arena, points, sizeof *work->x);
    work->begun = wf_arena_push(arena, count, sizeof *work->begun);
    work->moved = wf_arena_push(arena, count, sizeof *work->moved);
    work->normals = wf_arena_push(arena, points, sizeof *work->normals);
    work->lengths = wf_arena_push(arena, lanes, sizeof *work->lengths);
    work->plane_capacity = most_planes * levels->member_count;
    work->planes = wf_arena_push(arena, (size_t)work->plane_capacity, sizeof *work->planes);
}

// ---------------------------------------------------------------------------------------------
// Substeps to come

static float dot(const WfPoint4* a, const WfPoint4* b) {
    return a->x * b->x + a->y * b->y + a->z * b->z;
}

static WfPoint4 normal_of(const WfNearPlanes* planes, int k) {
    return (WfPoint4){planes->nx[k], planes->ny[k], planes->nz[k], 1};
}

// Planes of members, and the normals of those that touch.
static void list_planes(const WfLevels* levels, const WfPoint4* x, const WfNearPlanes* planes,
                        int vertex_count, WfLevelsWork* work) {
    size_t points = (size_t)levels->member_count + WF_IDLE_POINTS;
    work->plane_count = 0;
    memset(work->normals, 0, points * sizeof *work->normals);
    for (int k = 0; k < planes->count; k++) {
        int vertex = planes->vertex[k], rank = vertex < vertex_count ? levels->ranks[vertex] : -1;
        if (rank < 0 || work->plane_count == work->plane_capacity) continue;
        WfPoint4 normal = normal_of(planes, k);
        work->planes[work->plane_count++] = (WfLevelPlane){rank, k};
        if (dot(&normal, &x[vertex]) - planes->offset[k] < TOUCHES) work->normals[rank] = normal;
    }
}

// 1 + s^2/6 + 0.075 s^4, of a pull between two members.
static float arc_over_chord(const WfLevels* levels, const WfPoint4* x, const WfLevelsWork* work,
                            int i, int j) {
    const WfPoint4 *n = &work->normals[i], *m = &work->normals[j];
    if (!(n->w > 0 && m->w > 0)) return 1;
    const WfPoint4 *p = &x[levels->members[i]], *q = &x[levels->members[j]];
    WfPoint4 e = {q->x - p->x, q->y - p->y, q->z - p->z, 0};
    float length = sqrtf(dot(&e, &e)), turn = dot(m, &e) - dot(n, &e);
    float s = length > 0 && turn > 0 ? turn / (2 * length) : 0, square = s * s;
    return 1 + square * (1.0f / 6 + 0.075f * square);
}

static void find_lengths(const WfLevels* levels, const WfPoint4* x, WfLevelsWork* work) {
    for (int l = 0; l < levels->count && work->curved; l++) {
        const WfLocal* pulls = &levels->level[l].pulls;
        for (long b = 0; b < pulls->batch_count; b++)
            for (int lane = 0; lane < WF_OCT; lane++) {
                const int* i = pulls->vertices + 2 * WF_OCT * b + lane;
                float length = pulls->constants[WF_PULL_NUMBERS * WF_OCT * b + lane];
                work->lengths[pulls->begun_at + WF_OCT * b + lane] =
                    length / arc_over_chord(levels, x, work, i[0], i[WF_OCT]);
            }
    }
}

void wf_levels_begin(const WfLevels* levels, const WfPoint4* x, int vertex_count,
                     const WfNearPlanes* planes, WfLevelsWork* work) {
    if (levels->count == 0) return;
    list_planes(levels, x, planes, vertex_count, work);
    work->curved = work->plane_count > 0;
    find_lengths(levels, x, work);
}

// ---------------------------------------------------------------------------------------------
// L

// Members as the cloth is; held ones have as much less of their inverse mass as their vertices.
static void take_members(const WfLevels* levels, const WfPoint4* x, WfLevelsWork* work) {
    for (int k = 0; k < levels->member_count; k++) {
        work->x[k] = work->begun[k] = x[levels->members[k]];
        work->begun[k].w *= levels->masses[k];
    }
}

static void take_masses(const WfCoarseLevel* level, WfLevelsWork* work) {
    for (int k = 0; k < level->member_count; k++)
        work->x[k].w = work->begun[k].w / level->masses[k];
}

// As solve_planes of pairs_kernel.h. before: where the member was when the substep began.
static void leave_plane(const WfNearPlanes* planes, int k, int index, const WfPoint4* before,
                        WfPoint4* x) {
    WfPoint4 n = normal_of(planes, k), way = {planes->wx[k], planes->wy[k], planes->wz[k], 0};
    float d = dot(&n, x) - (planes->offset[k] + (float)index * dot(&n, &way));
    if (!(d < 0 && x->w > 0)) return;
    WfPoint4 slip = {x->x - before->x - way.x, x->y - before->y - way.y, x->z - before->z - way.z,
                     0};
    float along = dot(&slip, &n);
    slip.x -= along * n.x, slip.y -= along * n.y, slip.z -= along * n.z;
    float length = sqrtf(dot(&slip, &slip)), most = -d * planes->friction[k];
    float stick = most < length ? most / length : 1;
    x->x -= d * n.x + stick * slip.x;
    x->y -= d * n.y + stick * slip.y;
    x->z -= d * n.z + stick * slip.z;
}

static void leave_planes(const WfLevels* levels, const WfCoarseLevel* level, const WfLocalJob* job,
                         const WfNearPlanes* planes, int index, WfLevelsWork* work) {
    for (int p = 0; p < work->plane_count; p++) {
        WfLevelPlane of = work->planes[p];
        if (of.rank >= level->member_count) continue;
        leave_plane(planes, of.plane, index, &job->before[levels->members[of.rank]],
                    &work->x[of.rank]);
    }
}

// Members in a mirror are pulled by both halves.
static void stay_in_mirror(const WfLevels* levels, const WfCoarseLevel* level, WfLevelsWork* work) {
    const WfPlane* mirror = work->mirror;
    for (int k = 0; mirror && k < level->member_count; k++) {
        if (!wf_plane_holds(mirror, levels->members[k])) continue;
        WfPoint4 *x = &work->x[k], *begun = &work->begun[k];
        WfVec moved = {(double)(x->x - begun->x), (double)(x->y - begun->y),
                       (double)(x->z - begun->z)};
        WfVec along = wf_plane_flatten(mirror, moved);
        x->x = begun->x + (float)along.x;
        x->y = begun->y + (float)along.y;
        x->z = begun->z + (float)along.z;
    }
}

static void find_moved(const WfCoarseLevel* level, WfLevelsWork* work) {
    for (int k = 0; k < level->member_count; k++) {
        const WfPoint4 *x = &work->x[k], *begun = &work->begun[k];
        work->moved[k] = (WfPoint4){x->x - begun->x, x->y - begun->y, x->z - begun->z, 0};
    }
}

// Moves of members reach what follows them: points x, by number.
static void spread_moves(const WfLevelSpread* spread, const WfPoint4* moved, WfPoint4* x) {
    for (int k = 0; k < spread->count; k++) {
        const int* c = spread->members + (long)WF_LEVEL_WEIGHTS * k;
        const float* P = spread->weights + (long)WF_LEVEL_WEIGHTS * k;
        WfPoint4* to = &x[spread->vertices[k]];
        WfQuad sum[WF_LEVEL_WEIGHTS];
        if (!(to->w > 0)) continue;
        for (int m = 0; m < WF_LEVEL_WEIGHTS; m++)
            sum[m] = wf_quad_mul(wf_quad_set(P[m]), wf_quad_load(&moved[c[m]].x));
        WfQuad all = wf_quad_add(wf_quad_add(sum[0], sum[1]), wf_quad_add(sum[2], sum[3]));
        wf_quad_store(&to->x, wf_quad_add(wf_quad_load(&to->x), all));
    }
}

static void put_members(const WfLevels* levels, const WfLevelsWork* work, WfPoint4* x) {
    for (int k = 0; k < levels->member_count; k++) {
        WfPoint4* to = &x[levels->members[k]];
        if (to->w > 0) to->x = work->x[k].x, to->y = work->x[k].y, to->z = work->x[k].z;
    }
}

void wf_levels_move(const WfLevels* levels, const WfLocalJob* job, const WfNearPlanes* planes,
                    int index, WfLevelsWork* work) {
    const WfLocalJob of = {
        .x = work->x, .h = job->h, .sweeps = 1, .begun = work->curved ? work->lengths : NULL};
    if (levels->count == 0) return;
    take_members(levels, job->x, work);
    for (int l = levels->count - 1; l >= 0; l--) {
        const WfCoarseLevel* level = &levels->level[l];
        take_masses(level, work);
        wf_local_run(&level->pulls, &of, false);
        leave_planes(levels, level, job, planes, index, work);
        stay_in_mirror(levels, level, work);
        find_moved(level, work);
        if (l > 0) take_masses(&levels->level[l - 1], work);
        spread_moves(&level->spread, work->moved, l > 0 ? work->x : job->x);
    }
    put_members(levels, work, job->x);
}

void wf_levels_limit(const WfLevels* levels, const WfLocalJob* job) {
    const WfLocalJob of = {.x = job->x, .h = job->h, .sweeps = 1};
    wf_local_run(&levels->limit, &of, false);
}
