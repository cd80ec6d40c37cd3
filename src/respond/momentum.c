// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pieces of cloth that touch each other, as one. Stiff springs between layers make the steps of
// conjugate gradients short, and with them what all vertices do together: a crumpled cloth stayed
// below a ceiling as if something held it, and cloths that hit each other in the air gained or lost
// momentum. So at the end such a group makes a step of its own: by what its residuals sum up to,
// over its mass. Neither springs nor layers inside feel that: H shift = M shift. It may slide along
// one of its contacts with bodies; where others hold it, too, or a pin does, nothing is done.
//
// Relaxation goes without: its few sweeps leave far more than that could mend.
//
// (On all of its contacts, by passes over them, it drifts: a sheet slid off a smooth ball within
// two seconds. Further than contacts are known for, long steps tore sheets that fell on a ball.)

#include <math.h>

#include "base/vec.h"
#include "respond/groups.h"
#include "respond/layers.h"
#include "respond/run.h"

double wf_contact_side(const WfContact* c) {
    double weights = 0;
    for (int v = 0; v < c->count; v++) weights += c->weights[v];
    return fabs(weights) < 0.5 ? 0 : weights < 0 ? -1 : 1;
}

// How far a contact of a body is open at u.
static double open_at(const WfTouch* touch, const WfContact* c) {
    WfVec slack = wf_add(wf_layer_gather(c, touch->work->u), wf_contact_offset(c));
    return fmax(wf_dot(slack, c->normal), 0);
}

// How far the shift of its group opens it.
static double opens_by(const WfContact* c, const WfGroup* group) {
    return wf_contact_side(c) * wf_dot(c->normal, group->shift);
}

// sums: r
static void sum_section(const WfTouch* touch, void* context, const WfSection* section,
                        double* partial) {
    WfVec sum = {0, 0, 0};
    (void)context;
    for (int i = section->first; i < section->end; i++)
        sum = wf_add(sum, wf_load(touch->work->r, i));
    wf_store(partial, 0, sum);
    partial[WF_SECTION_SUMS - 1] = 0;
}

// What is left over of each group, as a displacement. What pulls apart what is crossed is no force
// that could be summed up.
static void find_shifts(const WfTouch* touch) {
    WfTouchWork* work = touch->work;
    wf_for_sections(touch, sum_section, NULL);
    wf_groups_sum(touch);
    for (int g = 0; g < work->group_count; g++) {
        WfGroup* group = &work->groups[g];
        group->shift = wf_mul(1 / group->mass, wf_load(group->sums, 0));
        if (group->on_plane) group->shift = wf_plane_flatten(&touch->mirror, group->shift);
        if (group->held) group->part = 0;
    }
}

// The contact of each group that its shift would close most.
static void find_worst(const WfTouch* touch) {
    const WfContacts* contacts = touch->contacts;
    for (int k = 0; k < contacts->count; k++) {
        const WfContact* c = &contacts->all[k];
        if (wf_contact_side(c) == 0) continue;
        WfGroup* group = wf_group_of(touch, c->vertices[0]);
        double depth = -(open_at(touch, c) + opens_by(c, group));
        if (depth <= group->depth) continue;
        group->depth = depth;
        group->worst = c;
    }
}

// Along that contact, with friction by what it then carries. What is in the plane of a mirror has
// the image of that contact, too, and slides along both.
static void slide(const WfTouch* touch, WfGroup* group) {
    const WfContact* c = group->worst;
    if (!c) return;
    WfVec normal = group->on_plane ? wf_plane_flatten(&touch->mirror, c->normal) : c->normal;
    double part = group->on_plane ? wf_length(normal) : 1, depth = group->depth / part;
    if (part < WF_LEAST_ALONG) {
        group->part = 0;
        return;
    }
    normal = wf_mul(1 / part, normal);
    WfVec along = wf_along(normal, group->shift), slip = wf_sub(group->shift, along);
    double length = wf_length(slip), friction = c->friction * depth;
    along = wf_madd(along, wf_contact_side(c) * depth, normal);
    group->shift = wf_madd(along, length > friction ? 1 - friction / length : 0, slip);
}

static const double ACROSS = 1e-6;  // of a shift: it goes along a contact, and does not close it

// No further than any other contact allows, and contacts are known.
static void bound_shifts(const WfTouch* touch) {
    const WfContacts* contacts = touch->contacts;
    WfGroup* groups = touch->work->groups;
    for (int g = 0; g < touch->work->group_count; g++) {
        double length = wf_length(groups[g].shift);
        if (length > touch->margin) groups[g].part *= touch->margin / length;
    }
    for (int k = 0; k < contacts->count; k++) {
        const WfContact* c = &contacts->all[k];
        if (wf_contact_side(c) == 0) continue;
        WfGroup* group = wf_group_of(touch, c->vertices[0]);
        double opens = opens_by(c, group);
        if (opens < -ACROSS * wf_length(group->shift))
            group->part = fmin(group->part, -open_at(touch, c) / opens);
    }
}

static void shift_section(const WfTouch* touch, void* context, const WfSection* section,
                          double* partial) {
    const WfGroup* group = &touch->work->groups[section->group];
    WfVec by = wf_mul(group->part, group->shift);
    (void)context, (void)partial;
    if (group->part == 0) return;
    for (int i = section->first; i < section->end; i++) {
        wf_accumulate(touch->work->u, i, 1, by);
        wf_accumulate(touch->work->r, i, -touch->masses[i], by);
        wf_accumulate(touch->work->residual, i, -touch->masses[i], by);
    }
}

void wf_run_keep_momentum(const WfRun* run) {
    const WfTouch* touch = run->touch;
    const WfTouchWork* work = touch->work;
    if (run->plan->own_sweeps) return;
    find_shifts(touch);
    find_worst(touch);
    for (int g = 0; g < work->group_count; g++) slide(touch, &work->groups[g]);
    bound_shifts(touch);
    wf_for_sections(touch, shift_section, NULL);
}
