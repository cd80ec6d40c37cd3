// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What may come near what. All leaves are searched for when a step begins, up to a horizon, and
// again there; in between those alone that go elsewhere than was expected of them, whose pairs are
// listed anew.

#include <float.h>
#include <math.h>
#include <string.h>

#include "small_steps/kernel.h"

static const WfSmallKernel* kernel(void) { return wf_small_wide(); }

static void find_drift(WfSmallContact* c) {
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < c->def.vertex_count; i++) {
        sum[0] += (double)c->v[i].x;
        sum[1] += (double)c->v[i].y;
        sum[2] += (double)c->v[i].z;
    }
    for (int k = 0; k < 3; k++) c->drift[k] = (float)(sum[k] / c->def.vertex_count);
}

static WfLeafFit make_fit(const WfSmallContact* c) {
    WfLeafFit fit = {.x = c->x, .v = c->v, .begun = c->time, .ahead = c->until - c->time};
    for (int k = 0; k < 3; k++) {
        fit.drift[k] = c->drift[k];
        fit.gone[k] = c->time * c->drift[k];
    }
    return fit;
}

void wf_near_begin(WfSmallContact* c) {
    find_drift(c);
    for (int b = 0; b < c->def.body_count; b++) {
        WfSmallBody* body = &c->bodies[b];
        if (!body->tree || body->off) continue;
        WfLeafFit fit = make_fit(c);
        fit.ahead = c->dt;
        fit.bow = body->bow;
        fit.normals = c->normals;
        fit.radius = body->radius;
        memset(c->normals + body->first, 0, (size_t)body->point_count * sizeof *c->normals);
        kernel()->fit(body->tree, &body->boxes, &fit);
    }
    for (int kind = 0; kind < WF_SMALL_KINDS; kind++) c->lists[kind].failed = false;
    c->measured = false;
}

// ---------------------------------------------------------------------------------------------
// Which leaves

void wf_near_measure(WfSmallContact* c) {
    kernel()->measure(c);
    c->measured = true;
}

int wf_near_mark_astray(WfSmallContact* c) {
    int count = 0;
    for (int l = 0; l < c->def.tree->leaf_count; l++)
        count += c->anew[l] = c->strayed[l] > c->stray[l];
    return count;
}

// Those that would stray too far in so many substeps of h.
static int mark_expiring(WfSmallContact* c, int count, float h) {
    int marked = 0;
    if (!c->measured) wf_near_measure(c);
    for (int l = 0; l < c->def.tree->leaf_count; l++)
        marked += c->anew[l] = c->strayed[l] + (float)count * h * c->spread[l] > c->stray[l];
    return marked;
}

// ---------------------------------------------------------------------------------------------
// The search

// Pairs of leaves that are searched for go.
static void drop_pairs(WfSmallContact* c, WfNearList* list) {
    int kept = 0;
    for (int k = 0; k < list->count; k++) {
        int first = list->leaf[0][k], second = list->leaf[1][k];
        if (first < c->leaf_count && c->anew[first]) continue;
        if (second < c->leaf_count && c->anew[second]) continue;
        wf_near_put(list, k, kept++);
    }
    list->count = kept;
}

// Of the vertices of leaves that are searched for: how near a triangle is known to be.
static void set_distances(WfSmallContact* c, const WfSmallBody* body) {
    const WfLeafTree* t = c->def.tree;
    for (int l = 0; l < t->leaf_count; l++)
        for (int k = 0; k < WF_OCT && c->anew[l]; k++) {
            int i = t->vertices[WF_OCT * (long)l + k];
            bool known = body->nearest[i] >= 0;
            c->distance[i] = known ? wf_near_square(c, body, i) * 1.0001f : FLT_MAX;
        }
}

void wf_near_search_marked(WfSmallContact* c, float h) {
    const WfSmallKernel* k = kernel();
    WfLeafFit fit = make_fit(c);
    int first[WF_SMALL_KINDS];
    fit.marked = c->anew;
    fit.h = h;
    fit.slack = c->slack;
    c->searches++;
    for (int kind = 0; kind < WF_SMALL_KINDS; kind++) {
        drop_pairs(c, &c->lists[kind]);
        first[kind] = c->lists[kind].count;
    }
    k->fit(c->def.tree, &c->boxes, &fit);
    if (c->def.self) k->search_self(c);
    for (int b = 0; b < c->def.body_count; b++) {
        WfSmallBody* body = &c->bodies[b];
        if (!body->tree || body->off) continue;
        if (!body->body->exact) set_distances(c, body);
        k->search_body(c, body);
    }
    k->narrow(c, first);
    for (int l = 0; l < c->def.tree->leaf_count; l++)
        if (c->anew[l]) c->strayed[l] = 0;
}

static const float FAR = 0.3f;  // edges that cloth goes in the mean until the horizon

// m/s: how fast vertices are against all of the cloth, in the mean of squares.
static float mean_rate(const WfSmallContact* c) {
    float sum = 0;
    for (int i = 0; i < c->def.vertex_count; i++) {
        const WfPoint4* v = &c->v[i];
        float x = v->x - c->drift[0], y = v->y - c->drift[1], z = v->z - c->drift[2];
        sum += x * x + y * y + z * z;
    }
    return sqrtf(sum / (float)c->def.vertex_count);
}

// All leaves, up to a new horizon.
static void search_all(WfSmallContact* c, float h, int left) {
    float most = FAR * c->edge / wf_larger(h * mean_rate(c), 1e-12f);
    int count = most < (float)left ? (int)most : left;
    c->until = c->time + h * (float)(count > 1 ? count : 1);
    for (int kind = 0; kind < WF_SMALL_KINDS; kind++) c->lists[kind].count = 0;
    memset(c->listed, 0, (size_t)c->leaf_count);
    memset(c->anew, 1, (size_t)c->leaf_count);
    wf_near_measure(c);  // how they spread
    wf_near_search_marked(c, h);
}

// So many substeps that no leaf with pairs goes apart by more than the slack: pairs are divided as
// if leaves were rigid.
static int round_length(const WfSmallContact* c, float h, int most) {
    int count = most;
    for (int l = 0; l < c->def.tree->leaf_count; l++)
        while (count > 1 && c->listed[l] && (float)count * h * c->spread[l] > c->slack) count--;
    return count;
}

int wf_near_search(WfSmallContact* c, float h, int left, int most) {
    if (c->time > c->until - 0.75f * h) search_all(c, h, left);  // h may be twice of what it was
    int ahead = (int)((c->until - c->time) / h + 0.5f);
    int count = round_length(c, h, ahead < most ? ahead : most);
    if (mark_expiring(c, count, h) > 0) wf_near_search_marked(c, h);
    c->pairs += c->lists[0].count + c->lists[1].count;
    return count;
}
