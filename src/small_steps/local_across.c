// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Terms across a mirror in their local form. A sweep goes over points of the whole cloth: the rows
// that such elements have, and their images, with the masses of the whole, of which vertices in the
// plane have half in the half. What it does to the rows is what the whole would do to them; what it
// does to images is what it does to rows, mirrored, and is left.

#include <string.h>

#include "small_steps/local.h"

static WfPoint4 image_of(const WfAcrossView* across, float height, const WfPoint4* p) {
    float nx = (float)across->normal.x, ny = (float)across->normal.y, nz = (float)across->normal.z;
    float twice = 2 * (nx * p->x + ny * p->y + nz * p->z - height);
    return (WfPoint4){p->x - twice * nx, p->y - twice * ny, p->z - twice * nz, p->w};
}

static void copy_points(const WfAcrossView* across, float height, const WfPoint4* x,
                        WfPoint4* points) {
    for (int i = 0; i < across->count; i++) {
        const WfPoint4* p = &x[across->rows[i]];
        points[i] = across->sides[i] < 0 ? image_of(across, height, p) : *p;
        if (across->sides[i] == 0) points[i].w /= 2;
    }
    memset(points + across->count, 0, WF_IDLE_POINTS * sizeof *points);
}

size_t wf_local_across_points(const WfLocal* local) {
    return local->across.count > 0 ? 3 * ((size_t)local->across.count + WF_IDLE_POINTS) : 0;
}

void wf_local_run_across(const WfLocal* local, const WfLocalJob* job, const double* origin,
                         WfPoint4* points) {
    const WfAcrossView* across = &local->across;
    size_t count = (size_t)across->count + WF_IDLE_POINTS;
    WfPoint4 *before = points + count, *copies = before + count;
    WfVec seen = wf_sub(across->point, wf_load(origin, 0));
    float height = (float)wf_dot(seen, across->normal);
    WfLocalJob of = *job;
    of.x = points, of.before = before;
    copy_points(across, height, job->x, points);
    copy_points(across, height, job->before, before);
    memcpy(copies, points, count * sizeof *points);
    wf_local_run(local, &of, false);
    for (int i = 0; i < across->count; i++) {
        WfPoint4* x = &job->x[across->rows[i]];
        if (across->sides[i] < 0) continue;
        x->x += points[i].x - copies[i].x;
        x->y += points[i].y - copies[i].y;
        x->z += points[i].z - copies[i].z;
    }
}
