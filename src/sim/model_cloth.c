// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A model, cloth by cloth: meshes, geometry, masses and terms.

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "energy/fibre.h"
#include "energy/terms.h"
#include "mesh/weld.h"
#include "sim/builder.h"
#include "sim/refuse.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

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
    m->ratings = wf_alloc(b->allocator, cloths, sizeof(double));
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
                m->nets && m->scales && m->ratings && m->unwelded && m->velocities &&
                m->thickness && m->friction && m->cloth_layers && m->cloth_masks && m->positions &&
                m->pinned && m->layer && m->triangles && m->edges && m->edge_lengths &&
                m->star_start && m->star && m->measured && b->terms && b->masses;
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

static void copy_geometry(WeftModel* m, int c, const WeftClothDef* cloth, int first_triangle) {
    int first = m->first_vertex[c];
    memcpy(m->positions + 3 * (long)first, cloth->positions,
           3 * (size_t)cloth->vertex_count * sizeof(double));
    memcpy(m->velocities + 3 * (long)c, cloth->velocity, sizeof cloth->velocity);
    m->ratings[c] = cloth->inflation == WEFT_INFLATION_NONE ? 0 : fmax(cloth->pressure, 0);
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

// Of closed cloth with the pressure p the tension is p R/2 where it is a ball, p R where it is
// long: R is that of the ball with its area. The drag on other cloth adds up along it.
static double reach_of(const WeftClothDef* cloth, double length) {
    double area = 0;
    if (cloth->inflation == WEFT_INFLATION_NONE) return length;
    for (int t = 0; t < cloth->triangle_count; t++) {
        WfVec a = wf_rest_corner(cloth, t, 0), b = wf_rest_corner(cloth, t, 1);
        WfVec c = wf_rest_corner(cloth, t, 2);
        area += wf_length(wf_cross(wf_sub(b, a), wf_sub(c, a))) / 2;
    }
    return sqrt(area / (4 * WF_PI));
}

// Of a portion: what is softened there may have to carry the rest of the cloth. A portion of
// threads alone counts for nothing.
static WfClothSize portion_size(const WeftClothDef* cloth, const WfPortion* portion) {
    const WeftFabric* fabric = &portion->def.fabric;
    const WfRest* rest = portion->parts.rest;
    if (cloth->triangle_count > 0) {
        bool threads = portion->def.triangle_count == 0 && rest->spring_count == 0;
        double stretch = threads ? 0 : fmax(fabric->stretch_warp, fabric->stretch_weft);
        double length = fmax(rest->size[0], rest->size[1]);
        return (WfClothSize){stretch, densest(cloth), length, reach_of(cloth, length)};
    }
    // ropes are never softened: as if they had no end
    double length = 0, count = rest->segment_start[cloth->thread_count];
    for (int i = 0; i < rest->segment_start[cloth->thread_count]; i++) length += rest->segments[i];
    return (WfClothSize){fabric->rope_stretch * count / length, fabric->rope_density, HUGE_VAL, 0};
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

// What is known of a cloth while its terms are made.
typedef struct WfClothBuild {
    WfTopology topology;
    WfRest rest, net;  // net: without springs of its own, where the mesh has any
    WfPortions portions;
} WfClothBuild;

void wf_drop_meshes(WfBuilder* b) {
    for (int c = 0; b->meshes && c < b->def->cloth_count; c++) {
        wf_portions_destroy(b->allocator, &b->meshes[c].portions);
        wf_topology_destroy(b->allocator, &b->meshes[c].topology);
        wf_rest_destroy(b->allocator, &b->meshes[c].rest);
        wf_rest_destroy(b->allocator, &b->meshes[c].net);
    }
    wf_free(b->allocator, b->meshes);
    b->meshes = NULL;
}

static WeftResult add_mesh(WfBuilder* b, int c) {
    const WeftClothDef* cloth = &b->cloths[c];
    WfClothBuild* mesh = &b->meshes[c];
    WeftResult result = wf_topology_create(b->allocator, cloth->vertex_count, cloth->triangle_count,
                                           cloth->triangles, &mesh->topology, b->error);
    if (!result && b->halves && cloth->inflation != WEFT_INFLATION_NONE)
        result = wf_fail(b->error, WEFT_ERROR_COMBINATION,
                         "half of a cloth is open, and cannot be blown up; simulate the whole");
    if (!result) result = wf_refuse_open(cloth, &mesh->topology, b->error);
    if (result) return wf_fail_prefix(b->error, result, "cloth %d: ", c);
    return wf_rest_create(b->allocator, cloth, &mesh->topology, &mesh->rest);
}

static WeftResult add_cloth(WfBuilder* b, int c, int first_triangle) {
    const WeftClothDef* cloth = &b->cloths[c];
    WfClothBuild* mesh = &b->meshes[c];
    WeftModel* m = b->model;
    WeftClothDef net_def = *cloth;
    net_def.springs = NULL;
    WeftResult result = WEFT_OK;
    if (cloth->springs)
        result = wf_rest_create(b->allocator, &net_def, &mesh->topology, &mesh->net);
    if (result) return result;
    copy_geometry(m, c, cloth, first_triangle);
    WfEdgeList edges = {m->edges, m->edge_lengths, m->edge_count};
    wf_list_edges(cloth, cloth->springs ? &mesh->net : &mesh->rest, m->first_vertex[c], &edges);
    m->edge_count = edges.count;
    double* masses = b->masses + m->first_vertex[c];
    wf_rest_masses(&mesh->rest, cloth, masses);
    wf_rest_room(&mesh->rest, cloth, m->layer + m->first_vertex[c]);
    return b->halves ? wf_take_whole(b, c, &mesh->rest, masses) : WEFT_OK;
}

static WeftResult add_terms(WfBuilder* b, int c) {
    const WeftClothDef* cloth = &b->cloths[c];
    WfClothBuild* mesh = &b->meshes[c];
    WeftModel* m = b->model;
    const WfHalf* half = b->halves ? &b->halves[c] : NULL;
    WfPortions* portions = &mesh->portions;
    WfClothParts parts = {.def = cloth,
                          .cloth = c,
                          .portion = m->portion_count,
                          .first_vertex = m->first_vertex[c],
                          .row_count = m->system.vertex_count,
                          .topology = &mesh->topology,
                          .rest = &mesh->rest,
                          .masses = b->masses + m->first_vertex[c]};
    if (half && !(b->without & WEFT_MIRROR_WHOLE_EDGES)) parts.on_plane = half->on_plane;
    if (b->symmetry) {
        parts.halved = &b->symmetry[c];
        parts.mirror = &b->plane;
    }
    m->first_portion[c] = m->portion_count;
    WeftResult result = wf_portions_create(b->allocator, &parts, portions);
    if (!result) set_vertices(m, c, cloth, &mesh->topology, portions);
    for (int p = 0; p < portions->count && !result; p++) result = add_portion(b, &portions->all[p]);
    m->first_portion[c + 1] = m->portion_count;
    if (!result && half && !(b->without & WEFT_MIRROR_NO_BENDING))
        result = wf_add_across(b, c, portions, wf_spring_count(&mesh->rest, true) > 0);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Stages

WeftResult wf_build_meshes(WfBuilder* b) {
    WeftModel* m = b->model;
    m->cloth_count = b->def->cloth_count;
    WeftResult result = allocate_arrays(b, (size_t)count_cloths(b));
    if (!result && b->halves) result = wf_allocate_whole(b);
    b->meshes = wf_alloc(b->allocator, (size_t)m->cloth_count, sizeof *b->meshes);
    if (!b->meshes) return WEFT_ERROR_MEMORY;
    for (int c = 0; c < m->cloth_count && !result; c++) result = add_mesh(b, c);
    return result;
}

WeftResult wf_build_cloths(WfBuilder* b) {
    WeftResult result = WEFT_OK;
    for (int c = 0, triangles = 0; c < b->model->cloth_count && !result; c++) {
        result = add_cloth(b, c, triangles);
        triangles += b->cloths[c].triangle_count;
    }
    return result;
}

WeftResult wf_build_terms(WfBuilder* b) {
    WeftResult result = WEFT_OK;
    for (int c = 0; c < b->model->cloth_count && !result; c++) {
        result = add_terms(b, c);
        if (!result) result = count_unwelded(b, c);
    }
    wf_drop_meshes(b);
    return result;
}
