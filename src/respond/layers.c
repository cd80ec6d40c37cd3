// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "respond/layers.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "respond/groups.h"

static const double GRIP_SPEED = 1e-3;   // m/s: slower slip of layers counts as sticking
static const double LAYER_LEAST = 100;   // stiffness of a layer over the mass of its vertices,
static const double LAYER_MOST = 1e5;    // and at most
static const double SOFT = 1800;         // 1/s, and of soft ones at most, times h
static const double LAYER_GIVES = 0.05;  // of the thickness, under the force of the last step
static const double LAYER_NEAR = 1e-4;   // m: what stays further away does not act in this solve

WfVec wf_layer_gather(const WfContact* c, const double* u) {
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < c->count; k++)
        sum = wf_madd(sum, c->weights[k], wf_load(u, c->vertices[k]));
    return sum;
}

// (a n n^T + f (I - n n^T)) v
static WfVec pull_by(const WfContact* c, WfVec v) {
    return wf_madd(wf_mul(c->grip, v), (c->stiffness - c->grip) * wf_dot(c->normal, v), c->normal);
}

// w, how far beyond its gap a layer is at u: it is pressed where w.n < 0
static WfVec layer_slack(const WfContact* c, const double* u) {
    return wf_add(wf_layer_gather(c, u), wf_contact_offset(c));
}

WfVec wf_layer_pull(const WfContact* c, const double* u) { return pull_by(c, layer_slack(c, u)); }

// ---------------------------------------------------------------------------------------------
// Pulls: found layer by layer, then added vertex by vertex

enum { BLOCK = 64 };  // layers

typedef struct PullJob {
    const WfContacts* contacts;
    const double* u;
} PullJob;

static WfVec* pull_of(const WfContacts* contacts, int k) {
    return &contacts->pulls[k - contacts->single_count];
}

static void press_block(void* context, int block) {
    const PullJob* job = context;
    int first = job->contacts->single_count + block * BLOCK, end = job->contacts->count;
    for (int k = first; k < first + BLOCK && k < end; k++) {
        WfContact* c = &job->contacts->all[k];
        WfVec w = layer_slack(c, job->u);
        bool pressed = c->stiffness > 0 && wf_dot(w, c->normal) < 0;
        c->state = pressed ? WF_CONTACT_STICK : WF_CONTACT_OPEN;
        *pull_of(job->contacts, k) = pressed ? pull_by(c, w) : (WfVec){0, 0, 0};
    }
}

static void add_block(void* context, int block) {
    const PullJob* job = context;
    int first = job->contacts->single_count + block * BLOCK, end = job->contacts->count;
    for (int k = first; k < first + BLOCK && k < end; k++) {
        const WfContact* c = &job->contacts->all[k];
        bool acts = c->state != WF_CONTACT_OPEN;
        *pull_of(job->contacts, k) =
            acts ? pull_by(c, wf_layer_gather(c, job->u)) : (WfVec){0, 0, 0};
    }
}

typedef struct GatherJob {
    const WfContacts* contacts;
    double factor;
    bool anew;
    double* q;
} GatherJob;

static void gather_pulls(void* context, int first, int end) {
    const GatherJob* job = context;
    const WfContacts* contacts = job->contacts;
    for (int l = first; l < end; l++) {
        int i = contacts->layered[l];
        WfVec sum = job->anew ? (WfVec){0, 0, 0} : wf_load(job->q, i);
        for (int s = contacts->slot_start[l]; s < contacts->slot_start[l + 1]; s++) {
            const WfSlot* slot = &contacts->slots[s];
            sum = wf_madd(sum, job->factor * slot->weight, contacts->pulls[slot->layer]);
        }
        wf_store(job->q, i, sum);
    }
}

// q += factor (what `block` finds for those that act); anew: q = that, at the vertices of layers
static void add_pulls(const WfTouch* touch, WfBlock* block, const double* u, double factor,
                      bool anew, double* q) {
    const WfContacts* contacts = touch->contacts;
    int count = contacts->count - contacts->single_count;
    PullJob job = {contacts, u};
    GatherJob gather = {contacts, factor, anew, q};
    wf_parallel(touch->vectors.jobs, (count + BLOCK - 1) / BLOCK, block, &job);
    wf_parallel_items(touch->vectors.jobs, contacts->layered_count, gather_pulls, &gather);
}

void wf_layers_add(const WfTouch* touch, const double* u, double* q) {
    add_pulls(touch, add_block, u, 1, false, q);
}

void wf_layers_press(const WfTouch* touch, const double* u, double factor, bool anew, double* q) {
    add_pulls(touch, press_block, u, factor, anew, q);
}

// ---------------------------------------------------------------------------------------------

void wf_layers_energy(const WfTouch* touch, const double* u, int which) {
    const WfContacts* contacts = touch->contacts;
    for (int k = contacts->single_count; k < contacts->count; k++) {
        const WfContact* c = &contacts->all[k];
        WfVec w = layer_slack(c, u);
        if (wf_dot(w, c->normal) < 0)
            wf_group_of(touch, c->vertices[0])->value[which] += wf_dot(w, pull_by(c, w)) / 2;
    }
}

// What of a contact belongs to the half of a cloth in a mirror: a half of it where it lies in the
// plane. All others are there twice, and what is in the plane feels both.
static double share_of(const WfTouch* touch, const WfContact* c) {
    for (int k = 0; k < c->count; k++)
        if (c->weights[k] != 0 && !wf_plane_holds(&touch->mirror, c->vertices[k])) return 1;
    return 0.5;
}

// What layers pressed on the vertices of a contact in the last step, shared by those of now.
static double expected_force(const WfTouch* touch, const WfContact* c, const double* shares) {
    double sum = 0, weights = 0;
    for (int k = 0; k < c->count; k++) {
        int i = c->vertices[k];
        double part = fabs(c->weights[k]);
        if (shares[i] > 0) sum += part * touch->loads[4 * (long)i + 3] / shares[i];
        weights += part;
    }
    return weights > 0 ? share_of(touch, c) * sum / weights : 0;
}

static double mean_mass(const WfTouch* touch, const WfContact* c) {
    double sum = 0, weights = 0;
    for (int k = 0; k < c->count; k++) {
        int i = c->vertices[k], halves = wf_plane_holds(&touch->mirror, i) ? 2 : 1;
        sum += halves * fabs(c->weights[k]) * touch->masses[i];
        weights += fabs(c->weights[k]);
    }
    return share_of(touch, c) * sum / weights;
}

// Friction over slip, where `force` presses and w is the slack; with its part of the diagonal.
static void set_grip(const WfTouch* touch, WfContact* c, double force, WfVec w) {
    double least = GRIP_SPEED * touch->h;
    double slip = wf_length(wf_sub(w, wf_along(c->normal, w)));
    double grip = fmin(c->friction * force / fmax(slip, least), c->stiffness);
    for (int v = 0; v < c->count; v++)
        touch->work->layers[c->vertices[v]] += 2 * fabs(c->weights[v]) * (grip - c->grip);
    c->grip = grip;
}

// The layers that may act in this solve: what touches now, or does at u.
static void choose_layers(const WfTouch* touch, const double* u, double* shares) {
    const WfContacts* contacts = touch->contacts;
    memset(shares, 0, (size_t)touch->vertex_count * sizeof(double));
    for (int k = contacts->single_count; k < contacts->count; k++) {
        WfContact* c = &contacts->all[k];
        bool near = fmin(c->gap, wf_dot(layer_slack(c, u), c->normal)) < LAYER_NEAR;
        c->state = near ? WF_CONTACT_STICK : WF_CONTACT_OPEN;
        double share = near ? share_of(touch, c) : 0;
        for (int v = 0; v < c->count && near; v++)
            shares[c->vertices[v]] += share * fabs(c->weights[v]);
    }
}

void wf_layers_set(const WfTouch* touch, const double* u) {
    const WfContacts* contacts = touch->contacts;
    double *shares = touch->work->shares, *layers = touch->work->layers;
    memset(layers, 0, (size_t)touch->vertex_count * sizeof(double));
    choose_layers(touch, u, shares);
    for (int k = contacts->single_count; k < contacts->count; k++) {
        WfContact* c = &contacts->all[k];
        c->stiffness = c->grip = 0;
        if (c->state == WF_CONTACT_OPEN) continue;
        double force = touch->force_scale * expected_force(touch, c, shares);
        double wanted = force / (LAYER_GIVES * touch->thickness[c->vertices[0]]);
        double mass = mean_mass(touch, c);
        double most = (c->soft ? SOFT * touch->h : LAYER_MOST) * mass;
        c->stiffness = fmin(fmax(wanted, LAYER_LEAST * mass), most);
        for (int v = 0; v < c->count; v++)
            layers[c->vertices[v]] += 2 * fabs(c->weights[v]) * c->stiffness;
        set_grip(touch, c, force, layer_slack(c, u));
    }
}

void wf_layers_renew(const WfTouch* touch, const double* u) {
    const WfContacts* contacts = touch->contacts;
    for (int k = contacts->single_count; k < contacts->count; k++) {
        WfContact* c = &contacts->all[k];
        WfVec w = layer_slack(c, u);
        double force = c->stiffness * fmax(-wf_dot(w, c->normal), 0);
        if (c->stiffness > 0) set_grip(touch, c, force, w);
    }
}
