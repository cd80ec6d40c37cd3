// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What contacts carry: forces of the last substep to begin with, forces and residual of this one.

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "respond/groups.h"
#include "respond/layers.h"
#include "respond/run.h"
#include "respond/singles.h"

void wf_add_loads(const WfTouch* touch, double* f) {
    const WfContacts* contacts = touch->contacts;
    unsigned char* counted = touch->work->counted;
    memset(counted, 0, (size_t)touch->vertex_count);
    for (int k = 0; k < contacts->count; k++)
        for (int v = 0; v < contacts->all[k].count; v++) {
            int i = contacts->all[k].vertices[v];
            const double* load = touch->loads + 4 * (long)i;
            if (!counted[i])
                wf_accumulate(f, i, touch->force_scale, (WfVec){load[0], load[1], load[2]});
            counted[i] = 1;
        }
}

static WfVec on_cone(const WfContact* c, WfVec force) {
    double normal = fmax(wf_dot(force, c->normal), 0);
    WfVec slip = wf_sub(force, wf_along(c->normal, force));
    double length = wf_length(slip), most = c->friction * normal;
    return wf_madd(wf_mul(normal, c->normal), length > most ? most / length : 1, slip);
}

static void store_load(const WfTouch* touch, int i, WfVec force) {
    const double load[3] = {force.x, force.y, force.z};
    memcpy(touch->loads + 4 * (long)i, load, sizeof load);
}

// Contacts of one vertex: what their cones can take of the residual.
static void keep_single_forces(const WfRun* run) {
    const WfTouch* touch = run->touch;
    WfContacts* contacts = touch->contacts;
    double scale = 1 / touch->force_scale;
    WF_FOR_TOUCHED(contacts, k, i) {
        int first, end = wf_singles_of(contacts, i, &first);
        WfVec force = wf_mul(-scale, wf_load(touch->work->r, i)), kept = {0, 0, 0};
        for (int c = first; c < end; c++) {
            contacts->all[c].force = on_cone(&contacts->all[c], wf_sub(force, kept));
            kept = wf_add(kept, contacts->all[c].force);
            run->response->active += wf_dot(kept, contacts->all[c].normal) > 0;
        }
        store_load(touch, i, kept);
    }
}

// Layers: what their springs press, and the force under which u is the solution.
static void keep_layer_forces(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfTouchWork* work = touch->work;
    WfContacts* contacts = touch->contacts;
    double scale = 1 / touch->force_scale;
    for (int k = contacts->single_count; k < contacts->count; k++) {
        WfContact* c = &contacts->all[k];
        c->force = on_cone(c, wf_mul(-scale, wf_layer_pull(c, work->u)));
        double normal = wf_dot(c->force, c->normal);
        run->response->active += normal > 0;
        for (int v = 0; v < c->count && normal > 0; v++)
            touch->loads[4 * (long)c->vertices[v] + 3] += fabs(c->weights[v]) * normal;
    }
    for (int i = 0; i < touch->vertex_count; i++) {
        if (!(work->layers[i] > 0) || touch->pinned[i]) continue;
        store_load(touch, i, wf_mul(-scale, wf_load(work->residual, i)));
    }
}

// What is left of r at a vertex when its contacts have taken theirs.
static WfVec uncarried(const WfTouch* touch, int i) {
    const WfTouchWork* work = touch->work;
    WfVec r = wf_load(work->r, i), u = wf_load(work->u, i);
    int first, end = wf_singles_of(touch->contacts, i, &first);
    if (first < 0 || touch->pinned[i]) return r;
    double diagonal = work->diagonal[i] + work->layers[i];
    WfVec to = wf_madd(u, 1 / diagonal, r);
    return wf_mul(diagonal, wf_sub(wf_singles_place(touch->contacts->all, first, end, to), u));
}

// sums: the square of what is left
static void left_section(const WfTouch* touch, void* context, const WfSection* section,
                         double* partial) {
    (void)context;
    memset(partial, 0, WF_SECTION_SUMS * sizeof *partial);
    for (int i = section->first; i < section->end; i++) {
        WfVec left = uncarried(touch, i);
        partial[0] += wf_dot(left, left);
    }
}

static double measure_residual(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const double* given = run->model->gradient ? run->model->gradient : touch->work->right;
    double size = wf_vector_dot(&touch->vectors, given, given), sum = 0;
    wf_for_sections(touch, left_section, NULL);
    wf_groups_sum(touch);
    for (int g = 0; g < touch->work->group_count; g++) sum += touch->work->groups[g].sums[0];
    return size > 0 ? sqrt(sum / size) : 0;
}

void wf_run_keep_forces(const WfRun* run) {
    const WfTouch* touch = run->touch;
    wf_run_residual(run);
    wf_run_keep_momentum(run);
    memset(touch->loads, 0, 4 * (size_t)touch->vertex_count * sizeof(double));
    run->response->active = 0;
    keep_single_forces(run);
    if (wf_touch_has_layers(touch)) keep_layer_forces(run);
    run->response->residual = measure_residual(run);
}

double wf_response_work(const WfTouch* touch) {
    const WfContacts* contacts = touch->contacts;
    double sum = 0;
    for (int k = 0; k < contacts->count; k++)
        sum += wf_dot(contacts->all[k].force, wf_layer_gather(&contacts->all[k], touch->work->u));
    return sum;
}
