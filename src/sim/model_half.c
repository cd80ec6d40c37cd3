// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a model with a mirror has beside that of its half (mirror.h).

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/plane.h"
#include "base/vec.h"
#include "contact/body.h"
#include "energy/terms.h"
#include "sim/builder.h"
#include "sim/overlap.h"

// ---------------------------------------------------------------------------------------------
// What reaches across a mirror

// Hinges that do.
static void keep_across(const WfHalf* half, WfTopology* topology, WfRest* rest) {
    int count = 0;
    for (int h = 0; h < topology->hinge_count; h++) {
        const WfHinge* hinge = &topology->hinges[h];
        if (!wf_reaches_across(half->across_sides, hinge->opposite, 2)) continue;
        topology->hinges[count] = *hinge;
        rest->hinges[count++] = rest->hinges[h];
    }
    topology->hinge_count = count;
}

// The portion of the half that has this fabric.
static int portion_of_fabric(const WeftModel* m, const WfPortions* of_half, int c,
                             const WeftFabric* fabric) {
    for (int p = 0; p < of_half->count; p++)
        if (memcmp(&of_half->all[p].def.fabric, fabric, sizeof *fabric) == 0)
            return m->first_portion[c] + p;
    return m->first_portion[c];
}

static WeftResult add_across_portion(WfBuilder* b, const WfAcross* across, WfPortion* portion) {
    portion->def.triangle_count = 0;   // none reaches across,
    portion->parts.is_further = true;  // and all weight is in the half
    int first = b->term_count;
    int count = wf_make_terms(b->allocator, &portion->parts, b->terms + first);
    if (count < 0) return WEFT_ERROR_MEMORY;
    WeftResult result = WEFT_OK;
    for (int t = first; t < first + count; t++) {
        WfTerm* inner = b->terms[t];
        b->terms[t] = result ? NULL : wf_across_create(b->allocator, across, inner);
        if (result) inner->type->destroy(b->allocator, inner);
        if (!b->terms[t]) result = WEFT_ERROR_MEMORY;
    }
    if (result) {
        for (int t = first; t < first + count; t++)
            if (b->terms[t]) b->terms[t]->type->destroy(b->allocator, b->terms[t]);
        return result;
    }
    b->term_count += count;
    return wf_add_measured(b, &portion->parts, across, first);
}

WeftResult wf_add_across(WfBuilder* b, int c, const WfPortions* of_half, bool own_bend_springs) {
    const WfHalf* half = &b->halves[c];
    const WeftClothDef* def = &half->across;
    WeftModel* m = b->model;
    WfTopology topology = {0};
    WfRest rest = {0};
    WfPortions portions = {0};
    int* rows = wf_alloc(b->allocator, (size_t)def->vertex_count, sizeof *rows);
    if (!rows) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < def->vertex_count; i++)
        rows[i] = m->first_vertex[c] + half->rows[half->across_vertices[i]];
    WfAcross across = {def->vertex_count, rows, half->across_sides, &m->system.mirror};
    WeftResult result = wf_topology_create(b->allocator, def->vertex_count, def->triangle_count,
                                           def->triangles, &topology, b->error);
    if (!result) result = wf_rest_create(b->allocator, def, &topology, &rest);
    if (result) goto done;
    keep_across(half, &topology, &rest);
    if (def->bend_by == WEFT_BEND_BY_SPRINGS && own_bend_springs) topology.hinge_count = 0;
    WfClothParts parts = {.def = def,
                          .cloth = c,
                          .row_count = def->vertex_count,
                          .topology = &topology,
                          .rest = &rest,
                          .sides = half->across_sides};
    result = wf_portions_create(b->allocator, &parts, &portions);
    for (int p = 0; p < portions.count && !result; p++) {
        WfPortion* portion = &portions.all[p];
        portion->parts.portion = portion_of_fabric(m, of_half, c, &portion->def.fabric);
        result = add_across_portion(b, &across, portion);
    }
done:
    wf_portions_destroy(b->allocator, &portions);
    wf_topology_destroy(b->allocator, &topology);
    wf_rest_destroy(b->allocator, &rest);
    wf_free(b->allocator, rows);
    return result;
}

// ---------------------------------------------------------------------------------------------
// The whole, of which a half is simulated

WeftResult wf_allocate_whole(WfBuilder* b) {
    WeftModel* m = b->model;
    size_t cloths = (size_t)m->cloth_count, vertices = 0, triangles = 0, edges = 0;
    for (size_t c = 0; c < cloths; c++) {
        const WeftClothDef* whole = b->halves[c].whole;
        vertices += (size_t)whole->vertex_count;
        triangles += (size_t)whole->triangle_count;
        edges += 3 * (size_t)whole->triangle_count + wf_rope_segment_count(whole);
    }
    m->whole_first = wf_alloc(b->allocator, cloths + 1, sizeof(int));
    m->whole_triangles = wf_alloc(b->allocator, 3 * triangles, sizeof(int));
    m->whole_edges = wf_alloc(b->allocator, 2 * edges, sizeof(int));
    m->whole_lengths = wf_alloc(b->allocator, edges, sizeof(double));
    m->whole_masses = wf_alloc(b->allocator, vertices, sizeof(double));
    m->whole_layer = wf_alloc(b->allocator, vertices, sizeof(double));
    m->shown.rows = wf_alloc(b->allocator, vertices, sizeof(int));
    m->shown.sides = wf_alloc(b->allocator, vertices, 1);
    m->shown.of_rows = wf_alloc(b->allocator, vertices, sizeof(int));
    bool good = m->whole_first && m->whole_triangles && m->whole_edges && m->whole_lengths &&
                m->whole_masses && m->whole_layer && m->shown.rows && m->shown.sides &&
                m->shown.of_rows;
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

static void copy_whole(WeftModel* m, int c, const WfHalf* half, const WfRest* net,
                       const double* masses) {
    const WeftClothDef* whole = half->whole;
    WfShown* shown = &m->shown;
    int first = m->whole_first[c];
    for (long k = 0; k < 3L * whole->triangle_count; k++)
        m->whole_triangles[3L * shown->triangle_count + k] = first + whole->triangles[k];
    for (int i = 0; i < whole->vertex_count; i++) {
        m->whole_masses[first + i] = masses[i];
        shown->rows[first + i] = m->first_vertex[c] + half->rows[i];
        shown->sides[first + i] = half->sides[i];
        if (half->sides[i] >= 0) shown->of_rows[shown->rows[first + i]] = first + i;
    }
    WfEdgeList edges = {m->whole_edges, m->whole_lengths, shown->edge_count};
    wf_list_edges(whole, net, first, &edges);
    shown->edge_count = edges.count;
    shown->triangle_count += whole->triangle_count;
    shown->vertex_count += whole->vertex_count;
    m->whole_first[c + 1] = shown->vertex_count;
}

// What the half has of the whole: its masses, those in the plane by a half, and its size.
static void take_masses(const WfHalf* half, const double* of_whole, double in_plane,
                        double* masses) {
    for (int i = 0; i < half->def.vertex_count; i++)
        masses[i] = (half->on_plane[i] ? in_plane : 1) * of_whole[half->vertices[i]];
}

WeftResult wf_take_whole(WfBuilder* b, int c, WfRest* rest, double* masses) {
    const WfHalf* half = &b->halves[c];
    WeftClothDef net_def = *half->whole;
    net_def.springs = NULL;
    WfTopology topology = {0};
    WfRest whole = {0};
    double* of_whole = wf_alloc(b->allocator, (size_t)net_def.vertex_count, sizeof *of_whole);
    WeftResult result =
        of_whole ? wf_topology_create(b->allocator, net_def.vertex_count, net_def.triangle_count,
                                      net_def.triangles, &topology, b->error)
                 : WEFT_ERROR_MEMORY;
    if (!result) result = wf_rest_create(b->allocator, &net_def, &topology, &whole);
    if (!result) {
        bool heavy = b->without & WEFT_MIRROR_WHOLE_MASSES;
        wf_rest_masses(&whole, &net_def, of_whole);
        copy_whole(b->model, c, half, &whole, of_whole);
        take_masses(half, of_whole, heavy ? 1 : 0.5, masses);
        memcpy(rest->size, whole.size, sizeof rest->size);
    }
    wf_topology_destroy(b->allocator, &topology);
    wf_rest_destroy(b->allocator, &whole);
    wf_free(b->allocator, of_whole);
    return result;
}

WeftResult wf_list_plane(WfBuilder* b) {
    WeftModel* m = b->model;
    WfSystem* s = &m->system;
    size_t n = (size_t)s->vertex_count;
    int* rows = wf_alloc(b->allocator, n, sizeof *rows);
    unsigned char* contains = wf_alloc(b->allocator, n, 1);
    s->mirror.rows = rows;
    s->mirror.contains = contains;
    s->across = wf_alloc(b->allocator, n, sizeof *s->across);
    unsigned char* beside = wf_alloc(b->allocator, n, 1);
    bool good = rows && contains && beside && s->across;
    for (int c = 0; c < m->cloth_count && good; c++) {
        const WfHalf* half = &b->halves[c];
        int first = m->first_vertex[c];
        for (int i = 0; i < half->def.vertex_count; i++)
            contains[first + i] = beside[first + i] = half->on_plane[i];
        for (int i = 0; i < half->across.vertex_count; i++)
            beside[first + half->rows[half->across_vertices[i]]] = 1;
    }
    bool free_vertices = b->without & WEFT_MIRROR_FREE_VERTICES;
    for (int i = 0; i < s->vertex_count && good; i++) {
        if (contains[i] && !free_vertices) rows[s->mirror.count++] = i;
        if (beside[i]) s->across[s->across_count++] = i;
    }
    if (free_vertices && good) memset(contains, 0, n);
    if (good) wf_plane_settle(&s->mirror, m->positions);
    wf_free(b->allocator, beside);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// Three directions square to each other, the first along the normal.
static void set_frame(WfSystem* s) {
    WfVec n = s->mirror.normal;
    WfVec side = fabs(n.x) < 0.7 ? (WfVec){1, 0, 0} : (WfVec){0, 1, 0};
    WfVec u = wf_unit(wf_plane_flatten(&s->mirror, side)), v = wf_cross(n, u);
    wf_store(s->mirror_frame, 0, n);
    wf_store(s->mirror_frame, 1, u);
    wf_store(s->mirror_frame, 2, v);
}

// What Jang's halves go without.
static const unsigned RECIPE =
    WEFT_MIRROR_NO_BENDING | WEFT_MIRROR_WHOLE_EDGES | WEFT_MIRROR_WHOLE_MASSES;

void wf_start_half(WfBuilder* b, const WfHalves* halves) {
    const WeftMirror* mirror = &b->def->mirror;
    b->cloths = halves->defs;
    b->halves = halves->all;
    b->without = mirror->kind == WEFT_MIRROR_RECIPE ? RECIPE : mirror->without;
    b->model->system.mirror = b->plane;
    set_frame(&b->model->system);
}

void wf_show_whole(WeftModel* m, const WeftMirror* mirror) {
    WfShown* shown = &m->shown;
    shown->closure = mirror->closure;
    shown->front = wf_unit(wf_plane_flatten(&m->system.mirror, wf_load(mirror->front, 0)));
    for (int i = 0; i < shown->vertex_count; i++) m->whole_layer[i] = m->layer[shown->rows[i]];
    shown->first_vertex = m->whole_first;
    shown->triangles = m->whole_triangles;
    shown->edges = m->whole_edges;
    shown->edge_lengths = m->whole_lengths;
    shown->masses = m->whole_masses;
    shown->layer = m->whole_layer;
    m->share = 0.5;
}

// ---------------------------------------------------------------------------------------------
// The plane

static const double ZIPPED = 1e-5;  // m, between the plane and cloth that is zipped there

// Whether cloth that is kept from itself is kept from the plane of a mirror: what is zipped stays
// there as well, and it does not cross itself on its way; of what is buttoned, all but what is free
// of the fold (world.h).
static bool keeps_apart(const WeftModelDef* def) {
    const WeftMirror* mirror = &def->mirror;
    bool keeps = mirror->kind == WEFT_MIRROR_EXACT || mirror->closure == WEFT_CLOSURE_ZIP;
    return def->contact == WEFT_CONTACT_ALL && keeps;
}

WeftResult wf_add_mirror_plane(WfBuilder* b) {
    WeftModel* m = b->model;
    bool overlaps = b->def->mirror.closure == WEFT_CLOSURE_BUTTON;
    if (overlaps && wf_measure_folds(b->allocator, m, &m->folds)) return WEFT_ERROR_MEMORY;
    if (!keeps_apart(b->def)) return WEFT_OK;
    WeftBodyDef def = weft_default_body_def();
    WfVec up = {0, 1, 0}, normal = m->system.mirror.normal;
    // half of the turn from up to the normal, either way round where they are opposite
    WfVec axis = wf_cross(up, normal);
    double w = 1 + wf_dot(up, normal);
    if (w < 1e-9) axis = (WfVec){1, 0, 0}, w = 0;
    def.kind = WEFT_BODY_PLANE;
    def.friction = 0;
    memcpy(def.position, b->def->mirror.plane.point, sizeof def.position);
    wf_store(def.rotation, 0, axis);
    def.rotation[3] = w;
    WeftResult result = wf_body_create(b->allocator, &def, &m->bodies[m->body_count]);
    if (result) return result;
    WfBody* body = &m->bodies[m->body_count++];
    body->is_mirror = true;
    body->most_hold = b->def->mirror.closure == WEFT_CLOSURE_ZIP ? ZIPPED : HUGE_VAL;
    return WEFT_OK;
}

WfTetherMesh wf_whole_ways(const WeftModel* m, unsigned char* pinned) {
    const WfShown* shown = &m->shown;
    for (int i = 0; i < shown->vertex_count; i++) pinned[i] = m->pinned[shown->rows[i]];
    return (WfTetherMesh){.mesh = {.vertex_count = shown->vertex_count,
                                   .edge_count = shown->edge_count,
                                   .triangle_count = shown->triangle_count,
                                   .edges = m->whole_edges,
                                   .lengths = m->whole_lengths,
                                   .triangles = m->whole_triangles,
                                   .pinned = pinned},
                          .mirror = m->system.mirror,
                          .rows = shown->rows,
                          .sides = shown->sides,
                          .vertices = shown->of_rows};
}
