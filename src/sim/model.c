// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/model.h"
#include "sim/attach.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/cookie.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "contact/body.h"
#include "energy/fibre.h"
#include "energy/terms.h"
#include "mesh/weld.h"
#include "sim/builder.h"
#include "sim/origin.h"
#include "sim/refuse.h"
#include "sim/skin.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Making a model, cloth by cloth

// Check everything, before anything is allocated by what it says.
static WeftResult refuse_cloths(const WeftModelDef* def, WeftModel* model, WeftError* error) {
    if (def->cloth_count < 1 || !def->cloths)
        return wf_fail(error, WEFT_ERROR_INPUT, "a model needs at least one cloth");
    long long vertices = 0, triangles = 0;
    for (int c = 0; c < def->cloth_count; c++) {
        const WeftClothDef* cloth = &def->cloths[c];
        WeftResult result = wf_check_cookie(WEFT_DEF_CLOTH, cloth->cookie, error);
        if (!result) result = wf_refuse_cloth(&model->system.allocator, cloth, error);
        if (result) return wf_fail_prefix(error, result, "cloth %d: ", c);
        vertices += def->cloths[c].vertex_count;
        triangles += def->cloths[c].triangle_count;
    }
    if (vertices > INT_MAX / 16 || triangles > INT_MAX / 64)
        return wf_fail(error, WEFT_ERROR_INPUT, "%lld vertices are more than a model can hold",
                       vertices);
    model->cloth_count = def->cloth_count;
    return WEFT_OK;
}

// Returns how many portions there are at most.
static int count_cloths(const WfBuilder* b) {
    WeftModel* m = b->model;
    int portions = 0;
    for (int c = 0; c < m->cloth_count; c++) {
        m->system.vertex_count += b->cloths[c].vertex_count;
        m->triangle_count += b->cloths[c].triangle_count;
        // what reaches across a mirror has terms beside those of the half
        portions += (b->halves ? 2 : 1) * wf_most_portions(&b->cloths[c]);
    }
    return portions;
}

size_t wf_rope_segment_count(const WeftClothDef* cloth) {
    size_t count = 0;
    for (int t = 0; t < cloth->thread_count; t++)
        if (cloth->threads[t].kind == WEFT_THREAD_ROPE)
            count += (size_t)cloth->threads[t].count - 1;
    return count;
}

static WeftResult allocate_arrays(WfBuilder* b, size_t portions) {
    WeftModel* m = b->model;
    size_t vertices = (size_t)m->system.vertex_count, cloths = (size_t)m->cloth_count;
    m->first_vertex = wf_alloc(b->allocator, cloths + 1, sizeof(int));
    m->first_portion = wf_alloc(b->allocator, cloths + 1, sizeof(int));
    m->vertex_portion = wf_alloc(b->allocator, vertices, sizeof(int));
    m->sizes = wf_alloc(b->allocator, portions, sizeof *m->sizes);
    m->gives = wf_alloc(b->allocator, portions, sizeof(double));
    m->nets = wf_alloc(b->allocator, portions, sizeof(bool));
    m->scales = wf_alloc(b->allocator, portions, sizeof(double));
    m->unwelded = wf_alloc(b->allocator, cloths, sizeof(int));
    m->velocities = wf_alloc(b->allocator, 3 * cloths, sizeof(double));
    m->positions = wf_alloc(b->allocator, 3 * vertices, sizeof(double));
    m->pinned = wf_alloc(b->allocator, vertices, 1);
    m->layer = wf_alloc(b->allocator, vertices, sizeof(double));
    m->thickness = wf_alloc(b->allocator, vertices, sizeof(double));
    m->friction = wf_alloc(b->allocator, vertices, sizeof(double));
    m->cloth_layers = wf_alloc(b->allocator, cloths, sizeof(uint32_t));
    m->cloth_masks = wf_alloc(b->allocator, cloths, sizeof(uint32_t));
    m->triangles = wf_alloc(b->allocator, 3 * (size_t)m->triangle_count, sizeof(int));
    // a mesh has at most three edges per triangle
    size_t edges = 3 * (size_t)m->triangle_count;
    for (int c = 0; c < m->cloth_count; c++) edges += wf_rope_segment_count(&b->cloths[c]);
    m->edges = wf_alloc(b->allocator, 2 * edges, sizeof(int));
    m->edge_lengths = wf_alloc(b->allocator, edges, sizeof(double));
    m->star_start = wf_alloc(b->allocator, vertices + 1, sizeof(int));
    m->star = wf_alloc(b->allocator, 2 * edges, sizeof(int));
    m->measured = wf_alloc(b->allocator, portions * WF_MAX_CLOTH_TERMS, sizeof *m->measured);
    b->terms = wf_alloc(b->allocator, portions * WF_MAX_CLOTH_TERMS, sizeof *b->terms);
    b->masses = wf_alloc(b->allocator, vertices, sizeof(double));
    bool good = m->first_vertex && m->first_portion && m->vertex_portion && m->sizes && m->gives &&
                m->nets && m->scales && m->unwelded && m->velocities && m->thickness &&
                m->friction && m->cloth_layers && m->cloth_masks && m->positions && m->pinned &&
                m->layer && m->triangles && m->edges && m->edge_lengths && m->star_start &&
                m->star && m->measured && b->terms && b->masses;
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

static void copy_geometry(WeftModel* m, int c, const WeftClothDef* cloth, int first_triangle) {
    int first = m->first_vertex[c];
    memcpy(m->positions + 3 * (long)first, cloth->positions,
           3 * (size_t)cloth->vertex_count * sizeof(double));
    memcpy(m->velocities + 3 * (long)c, cloth->velocity, sizeof cloth->velocity);
    m->cloth_layers[c] = cloth->layer;
    m->cloth_masks[c] = cloth->mask;
    for (int i = 0; i < cloth->pin_count; i++) m->pinned[first + cloth->pins[i]] = 1;
    for (int i = 0; i < cloth->vertex_count && cloth->max_distance; i++)
        if (cloth->max_distance[i] == 0) m->pinned[first + i] = 1;
    for (long i = 0; i < 3L * cloth->triangle_count; i++)
        m->triangles[3L * first_triangle + i] = first + cloth->triangles[i];
    m->first_vertex[c + 1] = first + cloth->vertex_count;
}

static void add_edge(WfEdgeList* list, int a, int b, double length) {
    list->ends[2L * list->count] = a;
    list->ends[2L * list->count + 1] = b;
    list->lengths[list->count++] = length;
}

void wf_list_edges(const WeftClothDef* cloth, const WfRest* net, int first, WfEdgeList* list) {
    for (int e = 0; e < net->spring_count; e++)
        add_edge(list, first + net->springs[e].a, first + net->springs[e].b,
                 net->springs[e].length);
    for (int t = 0; t < cloth->thread_count; t++) {
        const WeftThread* thread = &cloth->threads[t];
        const int* v = cloth->thread_vertices + thread->first;
        const double* lengths = net->segments + net->segment_start[t];
        for (int i = 0; i + 1 < thread->count && thread->kind == WEFT_THREAD_ROPE; i++)
            add_edge(list, first + v[i], first + v[i + 1], lengths[i]);
    }
}

// The heaviest of the fabrics that triangles are made of.
static double densest(const WeftClothDef* cloth) {
    double most = 0;
    for (int t = 0; t < cloth->triangle_count; t++)
        most = fmax(most, wf_fabric_of_triangle(cloth, t)->density);
    return most;
}

// Of a portion: what is softened there may have to carry the rest of the cloth. A portion of
// threads alone counts for nothing.
static WfClothSize portion_size(const WeftClothDef* cloth, const WfPortion* portion) {
    const WeftFabric* fabric = &portion->def.fabric;
    const WfRest* rest = portion->parts.rest;
    if (cloth->triangle_count > 0) {
        bool threads = portion->def.triangle_count == 0 && rest->spring_count == 0;
        double stretch = threads ? 0 : fmax(fabric->stretch_warp, fabric->stretch_weft);
        return (WfClothSize){stretch, densest(cloth), fmax(rest->size[0], rest->size[1])};
    }
    // ropes are never softened: as if they had no end
    double length = 0, count = rest->segment_start[cloth->thread_count];
    for (int i = 0; i < rest->segment_start[cloth->thread_count]; i++) length += rest->segments[i];
    return (WfClothSize){fabric->rope_stretch * count / length, fabric->rope_density, HUGE_VAL};
}

WeftResult wf_add_measured(WfBuilder* b, const WfClothParts* parts, const WfAcross* across,
                           int first_term) {
    WeftModel* m = b->model;
    bool linear = parts->def->estimator != WEFT_ESTIMATOR_NONE;
    bool springs = parts->def->stretch == WEFT_STRETCH_SPRINGS;
    if (linear && (springs ? parts->rest->spring_count : parts->def->triangle_count) > 0) {
        WfTerm* twin = springs ? wf_spring_create(b->allocator, parts)
                               : wf_triangle_create(b->allocator, parts);
        if (twin && across) twin = wf_across_create(b->allocator, across, twin);
        if (!twin) return WEFT_ERROR_MEMORY;
        twin->portion = parts->portion;
        memmove(m->measured + 1, m->measured, (size_t)m->measured_count * sizeof *m->measured);
        m->measured[0] = twin;
        m->measured_count++;
        m->owned_count++;
    }
    for (int t = first_term; t < b->term_count; t++) {
        const WfTermClass* type = b->terms[t]->type;
        bool conventional = type->kind == WF_TERM_NONLINEAR && !b->terms[t]->is_linear;
        if (type->role == WF_ROLE_BEND || (type->role == WF_ROLE_STRETCH && conventional))
            m->measured[m->measured_count++] = b->terms[t];
    }
    return WEFT_OK;
}

// Seams that are not sewn are told, not mended: vertices are numbered as the user has them.
static WeftResult count_unwelded(WfBuilder* b, int c) {
    if (b->root) {
        b->model->unwelded[c] = b->root->unwelded[c];
        return WEFT_OK;
    }
    const WeftClothDef* cloth = &b->def->cloths[c];
    int* roots = wf_alloc(b->allocator, (size_t)cloth->vertex_count, sizeof(int));
    WeftWeld weld = {0};
    WeftResult result =
        roots ? wf_weld_find(b->allocator, cloth, -1, roots, &weld) : WEFT_ERROR_MEMORY;
    b->model->unwelded[c] = weld.vertex_count;
    wf_free(b->allocator, roots);
    return result;
}

// What is made of one fabric.
static WeftResult add_portion(WfBuilder* b, const WfPortion* portion) {
    WeftModel* m = b->model;
    const WeftClothDef* cloth = &b->cloths[portion->parts.cloth];
    int p = m->portion_count++;
    wf_assert(p == portion->parts.portion);
    m->sizes[p] = portion_size(cloth, portion);
    m->gives[p] = portion->give;
    m->nets[p] =
        portion->give > 0 && cloth->triangle_count > 0 && cloth->stretch == WEFT_STRETCH_SPRINGS;
    int count = wf_make_terms(b->allocator, &portion->parts, b->terms + b->term_count);
    if (count < 0) return WEFT_ERROR_MEMORY;
    b->term_count += count;
    return wf_add_measured(b, &portion->parts, NULL, b->term_count - count);
}

// Without a mirror.
static void show_all(WeftModel* m) {
    m->shown = (WfShown){.vertex_count = m->system.vertex_count,
                         .triangle_count = m->triangle_count,
                         .edge_count = m->edge_count,
                         .first_vertex = m->first_vertex,
                         .triangles = m->triangles,
                         .edges = m->edges,
                         .edge_lengths = m->edge_lengths,
                         .masses = m->system.masses,
                         .layer = m->layer};
    m->share = 1;
}

// ---------------------------------------------------------------------------------------------
// A cloth

// The first of the portions that a vertex has triangles of, whatever their order.
static int first_portion(const WfTopology* topology, const WfPortions* portions, int vertex) {
    int at = topology->star_start[vertex], end = topology->star_start[vertex + 1], first = -1;
    for (; at < end && portions->of_triangle; at++) {
        int portion = portions->of_triangle[topology->star[at]];
        if (first < 0 || portion < first) first = portion;
    }
    return first < 0 ? 0 : first;
}

// What vertices have of the fabrics around them.
static void set_vertices(WeftModel* m, int c, const WeftClothDef* cloth, const WfTopology* topology,
                         const WfPortions* portions) {
    int first = m->first_vertex[c];
    for (int i = 0; i < cloth->vertex_count; i++) {
        m->vertex_portion[first + i] = m->first_portion[c] + first_portion(topology, portions, i);
        m->thickness[first + i] =
            wf_fabric_at_vertex(cloth, topology, i, offsetof(WeftFabric, thickness));
        m->friction[first + i] =
            wf_fabric_at_vertex(cloth, topology, i, offsetof(WeftFabric, friction));
    }
}

static WeftResult add_cloth(WfBuilder* b, int c, int first_triangle) {
    const WeftClothDef* cloth = &b->cloths[c];
    WeftModel* m = b->model;
    WeftClothDef net_def = *cloth;  // without the mesh's own springs: its edges
    net_def.springs = NULL;
    WfTopology topology = {0};
    WfRest rest = {0}, net = {0};
    WfPortions portions = {0};
    const WfHalf* half = b->halves ? &b->halves[c] : NULL;
    WeftResult result = wf_topology_create(b->allocator, cloth->vertex_count, cloth->triangle_count,
                                           cloth->triangles, &topology, b->error);
    if (!result && half && cloth->inflation != WEFT_INFLATION_NONE)
        result = wf_fail(b->error, WEFT_ERROR_COMBINATION,
                         "half of a cloth is open, and cannot be blown up; simulate the whole");
    if (!result) result = wf_refuse_open(cloth, &topology, b->error);
    if (result) {
        wf_fail_prefix(b->error, result, "cloth %d: ", c);
        goto done;
    }
    result = wf_rest_create(b->allocator, cloth, &topology, &rest);
    if (!result) result = wf_rest_create(b->allocator, &net_def, &topology, &net);
    if (result) goto done;

    copy_geometry(m, c, cloth, first_triangle);
    WfEdgeList edges = {m->edges, m->edge_lengths, m->edge_count};
    wf_list_edges(cloth, &net, m->first_vertex[c], &edges);
    m->edge_count = edges.count;
    double* masses = b->masses + m->first_vertex[c];
    wf_rest_masses(&rest, cloth, masses);
    wf_rest_room(&rest, cloth, m->layer + m->first_vertex[c]);
    if (half) result = wf_take_whole(b, c, &rest, masses);
    if (result) goto done;
    WfClothParts parts = {.def = cloth,
                          .cloth = c,
                          .portion = m->portion_count,
                          .first_vertex = m->first_vertex[c],
                          .row_count = m->system.vertex_count,
                          .topology = &topology,
                          .rest = &rest,
                          .masses = masses};
    if (half && !(b->without & WEFT_MIRROR_WHOLE_EDGES)) parts.on_plane = half->on_plane;
    if (b->symmetry) {
        parts.halved = &b->symmetry[c];
        parts.mirror = &b->plane;
    }
    m->first_portion[c] = m->portion_count;
    result = wf_portions_create(b->allocator, &parts, &portions);
    if (!result) set_vertices(m, c, cloth, &topology, &portions);
    for (int p = 0; p < portions.count && !result; p++) result = add_portion(b, &portions.all[p]);
    m->first_portion[c + 1] = m->portion_count;
    if (!result && half && !(b->without & WEFT_MIRROR_NO_BENDING))
        result = wf_add_across(b, c, &portions, wf_spring_count(&rest, true) > 0);
done:
    wf_portions_destroy(b->allocator, &portions);
    wf_topology_destroy(b->allocator, &topology);
    wf_rest_destroy(b->allocator, &rest);
    wf_rest_destroy(b->allocator, &net);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Bodies, and the cloth as contact sees it

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

// Behind all else: they name vertices as users have them.
static WeftResult add_attachments(WeftModel* m, const WeftModelDef* def, WeftError* error) {
    int count = def->attachment_count;
    if (count > WEFT_MAX_ATTACHMENTS)
        return wf_fail(error, WEFT_ERROR_INPUT, "%d attachments; at most %d", count,
                       WEFT_MAX_ATTACHMENTS);
    for (int i = 0; i < count; i++) {
        WeftResult result = wf_check_attachment(m, &def->attachments[i], error);
        if (result) return wf_fail_prefix(error, result, "attachment %d: ", i);
    }
    if (count == 0) return WEFT_OK;
    m->attachments = wf_alloc(&m->system.allocator, (size_t)count, sizeof *m->attachments);
    if (!m->attachments) return WEFT_ERROR_MEMORY;
    memcpy(m->attachments, def->attachments, (size_t)count * sizeof *m->attachments);
    m->attachment_count = count;
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

static WeftResult add_limit(WfBuilder* b) {
    WeftModel* m = b->model;
    WfWayMesh mesh = wf_way_mesh(m, m->pinned);
    WfTetherMesh whole = {.mesh = mesh};
    unsigned char* pinned = NULL;
    if (b->halves) {
        pinned = wf_alloc(b->allocator, (size_t)m->shown.vertex_count, 1);
        if (!pinned) return WEFT_ERROR_MEMORY;
        whole = wf_whole_ways(m, pinned);
    }
    WeftResult result = wf_limit_create(b->allocator, &mesh, &whole, b->cloths, m->cloth_count,
                                        m->first_vertex, &m->limit);
    wf_free(b->allocator, pinned);
    return result;
}

int wf_touched_bodies(const WeftModel* m) {
    return m->contact == WEFT_CONTACT_NONE ? 0 : m->body_count;
}

bool wf_model_touches(const WeftModel* m) {
    return m->contact == WEFT_CONTACT_ALL || wf_touched_bodies(m) > 0 || m->skinned.count > 0;
}

static bool is_halved(const WeftMirror* mirror) {
    return mirror->kind == WEFT_MIRROR_EXACT || mirror->kind == WEFT_MIRROR_RECIPE;
}

// ---------------------------------------------------------------------------------------------
// Stages

static WeftResult build_cloths(WfBuilder* b) {
    WeftModel* m = b->model;
    m->cloth_count = b->def->cloth_count;
    WeftResult result = allocate_arrays(b, (size_t)count_cloths(b));
    if (!result && b->halves) result = wf_allocate_whole(b);
    for (int c = 0, triangles = 0; c < m->cloth_count && !result; c++) {
        result = add_cloth(b, c, triangles);
        if (!result) result = count_unwelded(b, c);
        if (!result) triangles += b->cloths[c].triangle_count;
    }
    return result;
}

static WeftResult build_surface(WfBuilder* b) {
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

static WeftResult build_chart(WfBuilder* b) {
    return b->model->contact == WEFT_CONTACT_ALL ? add_chart(b) : WEFT_OK;
}

// From here on the system owns terms and masses.
static WeftResult build_system(WfBuilder* b) {
    WeftModel* m = b->model;
    WfTerm** terms = b->terms;
    double* masses = b->masses;
    b->terms = NULL;
    b->masses = NULL;
    return wf_system_create(&m->system, m->system.vertex_count, m->portion_count, masses, terms,
                            b->term_count, b->def->matrices);
}

static WeftResult build_analysis(WfBuilder* b) {
    return wf_system_analyse(&b->model->system, b->def->ordering, b->model->positions, b->order);
}

static WeftResult build_rest(WfBuilder* b) {
    WeftModel* m = b->model;
    WeftResult result = wf_system_bound(&m->system);
    if (result) return result;
    m->system.touches = wf_model_touches(m);
    if (b->halves)
        wf_show_whole(m, &b->def->mirror);
    else
        show_all(m);
    return WEFT_OK;
}

WeftResult wf_build_stage(WfBuilder* b, int stage) {
    static WeftResult (*const stages[WF_BUILD_STAGES])(WfBuilder*) = {
        build_cloths, build_surface, build_chart, build_system, build_analysis, build_rest};
    wf_assert(stage >= 0 && stage < WF_BUILD_STAGES);
    return stages[stage](b);
}

void wf_drop_build(WfBuilder* b) {
    for (int t = 0; t < b->term_count && b->terms; t++)
        b->terms[t]->type->destroy(b->allocator, b->terms[t]);
    wf_free(b->allocator, b->terms);
    wf_free(b->allocator, b->masses);
    b->terms = NULL;
    b->masses = NULL;
}

WeftModel* wf_empty_model(const WeftModelDef* def, const WeftAllocator* allocator) {
    WeftModel* m = wf_alloc(allocator, 1, sizeof *m);
    if (!m) return NULL;
    m->system.allocator = *allocator;
    m->system.jobs = def->jobs;
    m->system.clock = def->clock;
    m->system.kernel = def->same_bits ? &wf_solve_plain : wf_solve_fused();
    return m;
}

WeftResult weft_create_model(const WeftModelDef* def, WeftModel** model, WeftError* error) {
    wf_assert(def && model);
    *model = NULL;
    WeftError ignored;
    if (!error) error = &ignored;
    *error = (WeftError){0};
    WeftAllocator allocator = wf_allocator(&def->allocator);
    WeftModel* m = wf_empty_model(def, &allocator);
    if (!m) return wf_fail_memory(error);
    WfBuilder b = {.model = m, .allocator = &allocator, .def = def, .error = error};

    WeftResult result = wf_check_cookie(WEFT_DEF_MODEL, def->cookie, error);
    if (!result) result = wf_refuse_model(def, error);
    if (!result) result = refuse_cloths(def, m, error);
    if (!result) result = wf_refuse_tearing(def, error);
    WfHalves halves = {0};
    b.cloths = def->cloths;
    if (!result && def->mirror.kind != WEFT_MIRROR_NONE) {
        result = wf_halves_create(&allocator, def, &halves, error);
        b.plane = wf_mirror_plane(&def->mirror);
        b.symmetry = halves.all;
    }
    if (!result && is_halved(&def->mirror)) {
        b.symmetry = NULL;
        wf_start_half(&b, &halves);
    }
    for (int stage = 0; stage < WF_BUILD_STAGES && !result; stage++)
        result = wf_build_stage(&b, stage);
    wf_drop_build(&b);
    wf_halves_destroy(&allocator, m->cloth_count, &halves);
    if (!result) result = add_attachments(m, def, error);
    if (!result && wf_is_tearable(def)) result = wf_origin_create(&allocator, def, &m->origin);
    if (!result) result = weft_prepare_model(m, &def->step, error);
    if (result == WEFT_ERROR_MEMORY) wf_fail_memory(error);
    if (result)
        weft_destroy_model(m);
    else
        *model = m;
    return result;
}

void weft_destroy_model(WeftModel* m) {
    if (!m) return;
    WeftAllocator allocator = m->system.allocator;
    for (int f = 0; f < m->factor_count; f++) wf_factor_destroy(&m->system, &m->factors[f]);
    for (int t = 0; t < m->owned_count; t++)
        m->measured[t]->type->destroy(&allocator, m->measured[t]);
    wf_system_destroy(&m->system);
    for (int i = 0; i < m->body_count && !m->borrows_bodies; i++)
        wf_body_destroy(&allocator, &m->bodies[i]);
    if (!m->borrows_bodies) wf_free(&allocator, m->bodies);
    wf_free(&allocator, m->attachments);
    wf_origin_destroy(&allocator, m->origin);
    wf_chart_destroy(&allocator, &m->chart);
    wf_surface_destroy(&allocator, &m->surface);
    wf_free(&allocator, m->thickness);
    wf_free(&allocator, m->layer);
    wf_free(&allocator, m->friction);
    wf_free(&allocator, m->frictions);
    wf_free(&allocator, m->cloth_layers);
    wf_free(&allocator, m->cloth_masks);
    wf_free(&allocator, m->order);
    wf_free(&allocator, m->flat);
    wf_limit_destroy(&allocator, &m->limit);
    wf_free(&allocator, m->first_vertex);
    wf_free(&allocator, m->first_portion);
    wf_free(&allocator, m->vertex_portion);
    wf_free(&allocator, m->sizes);
    wf_free(&allocator, m->gives);
    wf_free(&allocator, m->velocities);
    wf_free(&allocator, m->nets);
    wf_free(&allocator, m->scales);
    wf_free(&allocator, m->unwelded);
    wf_free(&allocator, m->positions);
    wf_free(&allocator, m->pinned);
    wf_free(&allocator, m->triangles);
    wf_free(&allocator, m->edges);
    wf_free(&allocator, m->edge_lengths);
    wf_free(&allocator, m->star_start);
    wf_free(&allocator, m->star);
    wf_free(&allocator, m->measured);
    wf_free(&allocator, m->whole_first);
    wf_free(&allocator, m->whole_triangles);
    wf_free(&allocator, m->whole_edges);
    wf_free(&allocator, m->whole_lengths);
    wf_free(&allocator, m->whole_masses);
    wf_free(&allocator, m->whole_layer);
    wf_free(&allocator, m->folds);
    wf_destroy_skinned(&allocator, m->cloth_count, &m->skinned);
    wf_free(&allocator, m->shown.rows);
    wf_free(&allocator, m->shown.sides);
    wf_free(&allocator, m->shown.of_rows);
    wf_free(&allocator, m);
}

// ---------------------------------------------------------------------------------------------
// Read-back

const char* weft_version(void) { return "0.1.0"; }
int weft_vertex_count(const WeftModel* m) { return m->shown.vertex_count; }
int weft_simulated_count(const WeftModel* m) { return m->system.vertex_count; }
int weft_triangle_count(const WeftModel* m) { return m->shown.triangle_count; }
const int* weft_triangles(const WeftModel* m) { return m->shown.triangles; }
int weft_edge_count(const WeftModel* m) { return m->shown.edge_count; }
const int* weft_edges(const WeftModel* m) { return m->shown.edges; }
int weft_cloth_count(const WeftModel* m) { return m->cloth_count; }
const double* weft_masses(const WeftModel* m) { return m->shown.masses; }

const double* weft_layer_thickness(const WeftModel* m) {
    return wf_model_touches(m) ? m->shown.layer : NULL;
}

int weft_first_vertex(const WeftModel* m, int cloth) {
    wf_assert(cloth >= 0 && cloth <= m->cloth_count);
    return m->shown.first_vertex[cloth];
}

int weft_unwelded_count(const WeftModel* m, int cloth) {
    wf_assert(cloth >= 0 && cloth < m->cloth_count);
    return m->unwelded[cloth];
}

uint64_t weft_model_fingerprint(const WeftModel* m) {
    int counts[] = {m->system.vertex_count, m->triangle_count, m->edge_count,   m->cloth_count,
                    m->body_count,          m->contact,        m->skinned.count};
    uint64_t hash = wf_hash(WF_HASH_START, counts, sizeof counts);
    hash = wf_hash(hash, m->triangles, 3 * (size_t)m->triangle_count * sizeof(int));
    hash = wf_hash(hash, m->edges, 2 * (size_t)m->edge_count * sizeof(int));
    hash = wf_hash(hash, m->edge_lengths, (size_t)m->edge_count * sizeof(double));
    hash = wf_hash(hash, m->first_vertex, (size_t)m->cloth_count * sizeof(int));
    for (int t = 0; t < m->system.term_count; t++) {
        const char* name = m->system.terms[t]->type->name;
        hash = wf_hash(hash, name, strlen(name));
    }
    for (int i = 0; i < m->body_count; i++) {
        int body[] = {m->bodies[i].kind, m->bodies[i].vertex_count};
        hash = wf_hash(hash, body, sizeof body);
    }
    return hash;
}

size_t weft_model_bytes(const WeftModel* m) {
    const WfSystem* s = &m->system;
    size_t n = (size_t)s->vertex_count;
    size_t bytes = n * (3 * sizeof(double) + sizeof(double) + 1 + 6 * sizeof(int));
    bytes += (size_t)m->limit.edge_count * (2 * sizeof(int) + sizeof(double)) +
             (size_t)m->limit.tether_count * sizeof(WfTether);
    bytes += (size_t)m->edge_count * (4 * sizeof(int) + sizeof(double));
    bytes += (size_t)s->linear_pattern.start[n] * (3 * sizeof(int) + 2 * sizeof(double));
    bytes += (size_t)m->triangle_count * (9 * sizeof(int) + 3 * sizeof(double));
    for (int i = 0; i < m->body_count; i++) bytes += wf_body_bytes(&m->bodies[i]);
    if (s->matrices != WEFT_MATRICES_NONE)
        bytes +=
            (2 * (size_t)s->blocks.start[n] + 3 * (size_t)s->rows.block_start[n]) * sizeof(int);
    if (s->matrices != WEFT_MATRICES_ALL) return bytes;
    bytes +=
        (size_t)m->factor_count * wf_factor_bytes(s) + (size_t)s->pattern.start[n] * sizeof(int);
    bytes += s->cholesky.nodes.slot_start[s->cholesky.nodes.count] * 2 * sizeof(int);
    return bytes;
}
