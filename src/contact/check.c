// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "contact/check.h"

#ifndef NDEBUG

#include <math.h>

#include "base/assert.h"

static const double UNIT = 1e-3;  // by which the length of a normal may differ from 1

static bool is_unit(WfVec n) { return fabs(wf_length(n) - 1) < UNIT; }

static bool is_place(WfVec x) { return isfinite(x.x) && isfinite(x.y) && isfinite(x.z); }

static bool are_in_range(const WfPairList* list, int a_count, int b_count) {
    bool good = list->count <= list->capacity;
    for (int k = 0; k < list->count && good; k++) {
        WfPair pair = list->pairs[k];
        good = pair.a >= 0 && pair.a < a_count && pair.b >= 0 && pair.b < b_count;
    }
    return good;
}

// Nothing is paired with what shares a vertex with it.
static bool are_apart(const WfSurface* cloth, const WfPairs* pairs) {
    bool good = true;
    for (int k = 0; k < pairs->points.count && good; k++) {
        const int* v = cloth->triangles + 3 * (long)pairs->points.pairs[k].b;
        int a = pairs->points.pairs[k].a;
        good = a != v[0] && a != v[1] && a != v[2];
    }
    for (int k = 0; k < pairs->edges.count && good; k++) {
        const int* a = cloth->edges + 2 * (long)pairs->edges.pairs[k].a;
        const int* b = cloth->edges + 2 * (long)pairs->edges.pairs[k].b;
        good = a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1];
    }
    return good;
}

static void check_tree(const WfTree* tree) {
    for (int i = 0; i < tree->surface->vertex_count && tree->node_count > 0; i++) {
        const WfSpan* span = &tree->vertices[i];
        for (int k = 0; k < 3; k++) {
            wf_assert(!isnan(span->minus_low[k]) && !isnan(span->high[k]));
            wf_assert(!isnan(span->minus_least[k]) && !isnan(span->most[k]));
        }
    }
}

void wf_check_spans(const WfWorld* w) {
    check_tree(&w->tree);
    for (int m = 0; m < w->mover_count; m++)
        if (wf_is_surface(&w->movers[m])) check_tree(&w->movers[m].tree);
}

static void check_lists(const WfWorld* w, WfPurpose purpose) {
    const WfSurface* cloth = w->cloth;
    const WfPairs* own = &w->lists[purpose].pairs;
    for (int m = 0; m < w->mover_count; m++) {
        const WfPairs* pairs = &w->movers[m].pairs[purpose];
        const WfSurface* body = &w->movers[m].body->surface;
        if (!wf_is_surface(&w->movers[m])) continue;
        wf_assert(are_in_range(&pairs->points, cloth->vertex_count, body->triangle_count));
        wf_assert(are_in_range(&pairs->corners, cloth->triangle_count, body->vertex_count));
        wf_assert(are_in_range(&pairs->edges, cloth->edge_count, body->edge_count));
    }
    if (!w->self) return;
    wf_assert(are_in_range(&own->points, cloth->vertex_count, cloth->triangle_count));
    wf_assert(are_in_range(&own->edges, cloth->edge_count, cloth->edge_count));
    wf_assert(own->corners.count == 0);
    wf_assert(are_apart(cloth, own));
}

void wf_check_pairs(const WfWorld* w) {
    for (WfPurpose purpose = WF_FOR_CONTACTS; purpose < WF_PURPOSES; purpose++)
        check_lists(w, purpose);
}

static void check_contact(const WfWorld* w, const WfContact* c) {
    bool free = false;
    wf_assert(c->count >= 1 && c->count <= 4);
    wf_assert(is_unit(c->normal) && is_place(c->carry));
    wf_assert(isfinite(c->gap) && isfinite(c->friction) && c->friction >= 0);
    for (int k = 0; k < c->count; k++) {
        wf_assert(c->vertices[k] >= 0 && c->vertices[k] < w->vertex_count);
        wf_assert(isfinite(c->weights[k]));
        for (int j = 0; j < k; j++) wf_assert(c->vertices[j] != c->vertices[k]);
        free = free || !w->pinned[c->vertices[k]];
    }
    wf_assert(free);
}

void wf_check_contacts(const WfWorld* w) {
    const WfContacts* c = &w->contacts;
    wf_assert(c->single_count <= c->count);
    for (int k = 0; k < c->count; k++) {
        check_contact(w, &c->all[k]);
        wf_assert((c->all[k].count == 1) == (k < c->single_count));
        wf_assert(k == 0 || k >= c->single_count ||
                  c->all[k - 1].vertices[0] <= c->all[k].vertices[0]);
    }
}

void wf_check_places(const WfWorld* w, const double* x) {
    for (int i = 0; i < w->vertex_count; i++) wf_assert(is_place(wf_load(x, i)));
}

#endif
