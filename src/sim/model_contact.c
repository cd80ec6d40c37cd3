// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A model as contact sees it: bodies, frictions, the surface of the cloth, its chart; and limits.

#include <math.h>
#include <string.h>

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/body.h"
#include "sim/builder.h"
#include "sim/skin.h"

static WeftResult add_bodies(WfBuilder* b) {
    WeftModel* m = b->model;
    if (b->root) {
        m->borrows_bodies = true;
        m->bodies = b->root->bodies;
        m->body_count = b->root->body_count;
        m->shown_body_count = b->root->shown_body_count;
        return WEFT_OK;
    }
    int count = b->def->body_count;
    m->bodies = wf_alloc(b->allocator, (size_t)count + 1, sizeof *m->bodies);
    if (!m->bodies) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        const WeftBodyDef* def = &b->def->bodies[i];
        WeftResult result = wf_check_cookie(WEFT_DEF_BODY, def->cookie, b->error);
        if (!result) result = wf_body_check(def, b->error);
        if (result) return wf_fail_prefix(b->error, result, "body %d: ", i);
        result = wf_body_create(b->allocator, def, &m->bodies[i]);
        if (result) return result;
        m->body_count++;
    }
    m->shown_body_count = count;
    return WEFT_OK;
}

// A row per cloth: with every cloth, then with every body. Made when all bodies are.
static WeftResult add_frictions(WfBuilder* b) {
    WeftModel* m = b->model;
    size_t cloths = (size_t)m->cloth_count, row = cloths + (size_t)m->body_count;
    if (b->def->pair_friction_count == 0) return WEFT_OK;
    m->frictions = wf_alloc(b->allocator, cloths * row, sizeof(double));
    if (!m->frictions) return WEFT_ERROR_MEMORY;
    if (b->root) {
        memcpy(m->frictions, b->root->frictions, cloths * row * sizeof(double));
        return WEFT_OK;
    }
    for (size_t i = 0; i < cloths * row; i++) m->frictions[i] = -1;
    for (int i = 0; i < b->def->pair_friction_count; i++) {
        const WeftPairFriction* pair = &b->def->pair_frictions[i];
        size_t cloth = (size_t)pair->cloth, other = (size_t)pair->other_cloth;
        if (pair->body >= 0)
            m->frictions[cloth * row + cloths + (size_t)pair->body] = pair->friction;
        else
            m->frictions[cloth * row + other] = m->frictions[other * row + cloth] = pair->friction;
    }
    return WEFT_OK;
}

// u + 0.6 v: of two points of a flat fold, one is always ahead.
static void order_cloth(const WeftClothDef* cloth, double* flat, double* order) {
    for (int k = 0; k < 3 * cloth->triangle_count && cloth->material; k++) {
        int i = cloth->triangles[k];
        int point = cloth->triangle_material ? cloth->triangle_material[k] : i;
        memcpy(flat + 2 * (long)i, cloth->material + 2 * (long)point, 2 * sizeof *flat);
        order[i] = flat[2 * (long)i] + 0.6 * flat[2 * (long)i + 1];
    }
}

// Of the distance that the rest shape has between what is not joined: cloth that kept more from
// itself would inflate. What is left is for cloth that is compressed, and for the margin: from 0.7
// on, boxes of cells at rest meet, and a search costs eight times as much.
static const double PART_OF_ROOM = 0.6;
static const double LEAST_LAYER = 1e-5;  // m, as of the thinnest fabric

// From the room that every vertex has to what it keeps from cloth.
static void limit_layers(WeftModel* m) {
    for (int i = 0; i < m->system.vertex_count; i++) {
        double room = fmax(PART_OF_ROOM * m->layer[i], LEAST_LAYER);
        m->layer[i] = fmin(m->thickness[i], room);
        m->is_thinned = m->is_thinned || m->layer[i] < m->thickness[i];
    }
}

static WeftResult add_surface(WfBuilder* b) {
    WeftModel* m = b->model;
    size_t n = (size_t)m->system.vertex_count;
    m->order = wf_alloc(b->allocator, n, sizeof(double));
    m->flat = wf_alloc(b->allocator, 2 * n, sizeof(double));
    if (!m->order || !m->flat) return WEFT_ERROR_MEMORY;
    for (int c = 0; c < m->cloth_count; c++)
        for (int i = m->first_vertex[c]; i < m->first_vertex[c + 1]; i++) {
            m->order[i] = i;
            m->flat[2 * (long)i] = m->flat[2 * (long)i + 1] = 0;
        }
    limit_layers(m);
    for (int c = 0; c < m->cloth_count; c++)
        order_cloth(&b->cloths[c], m->flat + 2 * (long)m->first_vertex[c],
                    m->order + m->first_vertex[c]);
    // segments of ropes are those edges that come with no triangles
    size_t segments = 0;
    for (int c = 0; c < m->cloth_count; c++) segments += wf_rope_segment_count(&b->cloths[c]);
    int *ends = wf_alloc(b->allocator, 2 * segments, sizeof(int)), count = 0;
    if (!ends) return WEFT_ERROR_MEMORY;
    for (int c = 0; c < m->cloth_count; c++) {
        const WeftClothDef* cloth = &b->cloths[c];
        for (int t = 0; t < cloth->thread_count; t++) {
            const int* v = cloth->thread_vertices + cloth->threads[t].first;
            for (int i = 0; i + 1 < cloth->threads[t].count; i++) {
                if (cloth->threads[t].kind != WEFT_THREAD_ROPE) break;
                ends[2 * count] = m->first_vertex[c] + v[i];
                ends[2 * count++ + 1] = m->first_vertex[c] + v[i + 1];
            }
        }
    }
    WeftResult result = wf_surface_create(b->allocator, m->system.vertex_count, m->triangle_count,
                                          m->triangles, count, ends, &m->surface);
    wf_free(b->allocator, ends);
    return result;
}

// Triangles whose corners are where m->flat has them.
static void find_lying(const WfBuilder* b, unsigned char* lies) {
    const WeftModel* m = b->model;
    int t = 0;
    memset(lies, 0, (size_t)m->surface.triangle_count);
    for (int c = 0; c < m->cloth_count; c++) {
        const WeftClothDef* cloth = &b->cloths[c];
        const double* flat = m->flat + 2 * (long)m->first_vertex[c];
        for (int k = 0; k < cloth->triangle_count; k++, t++) {
            bool same = cloth->material;
            for (int j = 3 * k; j < 3 * k + 3 && same; j++) {
                int i = cloth->triangles[j];
                int point = cloth->triangle_material ? cloth->triangle_material[j] : i;
                same = memcmp(flat + 2 * (long)i, cloth->material + 2 * (long)point,
                              2 * sizeof *flat) == 0;
            }
            lies[t] = same;
        }
    }
}

static WeftResult add_chart(WfBuilder* b) {
    WeftModel* m = b->model;
    unsigned char* lies = wf_alloc(b->allocator, (size_t)m->surface.triangle_count, 1);
    if (!lies) return WEFT_ERROR_MEMORY;
    find_lying(b, lies);
    WeftResult result =
        wf_chart_create(b->allocator, &m->surface, m->flat, lies, m->mean_edge, &m->chart);
    wf_free(b->allocator, lies);
    return result;
}

static void list_stars(WeftModel* m) {
    int n = m->first_vertex[m->cloth_count], *start = m->star_start;
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (long k = 0; k < 2L * m->edge_count; k++) start[m->edges[k] + 1]++;
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    for (long k = 0; k < 2L * m->edge_count; k++) m->star[start[m->edges[k]]++] = (int)(k / 2);
    for (int i = n; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

static double mean_of(const double* lengths, int count) {
    double sum = 0;
    for (int e = 0; e < count; e++) sum += lengths[e];
    return count > 0 ? sum / count : 1;
}

static double mean_edge(const WeftModel* m) {
    return m->whole_lengths ? mean_of(m->whole_lengths, m->shown.edge_count)
                            : mean_of(m->edge_lengths, m->edge_count);
}

WfWayMesh wf_way_mesh(const WeftModel* m, const unsigned char* pinned) {
    return (WfWayMesh){.vertex_count = m->system.vertex_count,
                       .edge_count = m->edge_count,
                       .triangle_count = m->triangle_count,
                       .edges = m->edges,
                       .lengths = m->edge_lengths,
                       .triangles = m->triangles,
                       .pinned = pinned};
}

// The vertex that an attachment holds as a pin does; -1: none.
static int held_by(const WeftAttachmentDef* def) {
    bool one = def->vertices[1] < 0 && def->vertices[2] < 0;
    bool rigid = def->stiffness == 0 && def->length == 0;
    return one && rigid && def->to != WEFT_ATTACH_TO_CLOTH ? def->vertices[0] : -1;
}

// Tethers lead to what the model attaches rigidly, too.
static void mark_attached(const WfBuilder* b, int vertex_count, const int* rows,
                          unsigned char* pinned) {
    for (int i = 0; i < b->def->attachment_count; i++) {
        int vertex = held_by(&b->def->attachments[i]);
        if (vertex < 0 || vertex >= vertex_count) continue;  // which is refused in its place
        pinned[vertex] = 1;
        for (int k = 0; rows && k < vertex_count; k++)
            if (rows[k] == rows[vertex]) pinned[k] = 1;
    }
}

static WeftResult add_limit(WfBuilder* b) {
    WeftModel* m = b->model;
    WfWayMesh mesh = wf_way_mesh(m, m->pinned);
    int count = b->halves ? m->shown.vertex_count : m->system.vertex_count;
    unsigned char* pinned = wf_alloc(b->allocator, (size_t)count, 1);
    if (!pinned) return WEFT_ERROR_MEMORY;
    memcpy(pinned, m->pinned, (size_t)m->system.vertex_count);
    WfTetherMesh whole = {.mesh = wf_way_mesh(m, pinned)};
    if (b->halves) whole = wf_whole_ways(m, pinned);
    mark_attached(b, count, b->halves ? m->shown.rows : NULL, pinned);
    WeftResult result = wf_limit_create(b->allocator, &mesh, &whole, b->cloths, m->cloth_count,
                                        m->first_vertex, &m->limit);
    wf_free(b->allocator, pinned);
    return result;
}

WeftResult wf_build_surface(WfBuilder* b) {
    WeftModel* m = b->model;
    WeftResult result = b->halves ? wf_list_plane(b) : WEFT_OK;
    if (!result) result = wf_add_skins(b);
    m->contact = b->def->contact;
    m->dt = b->def->step.dt;
    if (result) return result;
    m->mean_edge = mean_edge(m);
    list_stars(m);
    m->stray = m->mean_edge / 2;
    result = add_limit(b);
    if (!result) result = add_bodies(b);
    if (!result && b->halves) result = wf_add_mirror_plane(b);
    if (!result) result = add_frictions(b);
    if (!result && wf_model_touches(m)) result = add_surface(b);
    return result;
}

WeftResult wf_build_chart(WfBuilder* b) {
    return b->model->contact == WEFT_CONTACT_ALL ? add_chart(b) : WEFT_OK;
}
