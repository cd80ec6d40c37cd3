// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What users ask to be cut: edges of the cloth along a line, or between vertices. They are marked,
// and count from the next step on (tear.h).

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "mesh/tear.h"
#include "mesh/tear_path.h"
#include "sim/input.h"
#include "sim/rest.h"
#include "sim/tear.h"

// What is being marked.
typedef struct Marking {
    WfTear* tear;
    WfStars stars;
    int count;
} Marking;

static void mark(void* context, int a, int b) {
    Marking* m = context;
    m->count +=
        wf_mark_edge(&m->stars, a, b, WF_SIDE_ASKED, WF_SIDE_CUT | WF_SIDE_ASKED, m->tear->sides);
}

static WeftResult check_cut(const WeftState* state, const WeftCutDef* def, WeftError* error) {
    const WeftModel* m = state->model;
    if (!state->tear)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "this model cannot be cut: set `tearable` in its def");
    if (def->cloth < -1 || def->cloth >= m->cloth_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "cloth is %d; it must be -1 to %d", def->cloth,
                       m->cloth_count - 1);
    if (def->point_count < 0 || def->vertex_count < 0 || (def->point_count > 0 && !def->points) ||
        (def->vertex_count > 0 && !def->vertices))
        return wf_fail(error, WEFT_ERROR_INPUT, "points or vertices are counted, but not given");
    if (def->point_count == 0 && def->vertex_count == 0)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "a cut needs a line: neither points nor vertices are given");
    if (def->point_count == 1 || def->vertex_count == 1)
        return wf_fail(error, WEFT_ERROR_INPUT, "1 %s is no line: a cut needs 2 at least",
                       def->point_count == 1 ? "point" : "vertex");
    if (!(def->reach >= 0 && def->reach <= WF_LARGEST_PLACE))
        return wf_fail(error, WEFT_ERROR_INPUT, "reach is %g m; it must be 0 to %g", def->reach,
                       WF_LARGEST_PLACE);
    for (long k = 0; k < 3L * def->point_count; k++)
        if (!(fabs(def->points[k]) <= WF_LARGEST_PLACE))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "point %ld is at %g; no further than %g m may it be", k / 3,
                           def->points[k], WF_LARGEST_PLACE);
    return WEFT_OK;
}

static WeftResult check_vertices(const WeftState* state, const WeftCutDef* def,
                                 const WfStars* stars, WeftError* error) {
    int n = state->model->system.vertex_count;
    for (int i = 0; i < def->vertex_count; i++)
        if (def->vertices[i] < 0 || def->vertices[i] >= n)
            return wf_fail(error, WEFT_ERROR_INPUT, "vertex %d; it must be 0 to %d",
                           def->vertices[i], n - 1);
    for (int i = 0; i + 1 < def->vertex_count; i++) {
        int a = def->vertices[i], b = def->vertices[i + 1];
        if (wf_find_half(stars, a, b) < 0 && wf_find_half(stars, b, a) < 0)
            return wf_fail(error, WEFT_ERROR_INPUT, "no edge joins the vertices %d and %d", a, b);
    }
    return WEFT_OK;
}

// Vertices of edges that have one triangle only.
static unsigned char* find_border(const WeftModel* m, const WfStars* stars) {
    unsigned char* border = wf_alloc(&m->system.allocator, (size_t)m->system.vertex_count, 1);
    for (int side = 0; side < 3 * m->triangle_count && border; side++) {
        int a = m->triangles[side], b = wf_half_to(stars, side);
        if (wf_find_half(stars, b, a) < 0) border[a] = border[b] = 1;
    }
    return border;
}

static const double REACH = 1;  // mean edges

static WeftResult mark_path(const WeftState* state, const WeftCutDef* def, Marking* marking) {
    const WeftModel* m = state->model;
    if (def->point_count < 2) return WEFT_OK;
    unsigned char* border = find_border(m, &marking->stars);
    if (!border) return WEFT_ERROR_MEMORY;
    int last = def->cloth < 0 ? m->cloth_count - 1 : def->cloth;
    for (int c = def->cloth < 0 ? 0 : def->cloth; c <= last; c++) {
        WfPathMesh mesh = {.first = m->first_vertex[c],
                           .end = m->first_vertex[c + 1],
                           .x = state->x,
                           .edges = m->edges,
                           .star_start = m->star_start,
                           .star = m->star,
                           .border = border,
                           .edge = m->mean_edge};
        double reach = def->reach > 0 ? def->reach : REACH * m->mean_edge;
        wf_follow_path(&mesh, def->point_count, def->points, reach, mark, marking);
    }
    wf_free(&m->system.allocator, border);
    return WEFT_OK;
}

WeftCutDef weft_default_cut_def(void) { return (WeftCutDef){.cloth = -1}; }

WeftResult weft_cut(WeftState* state, const WeftCutDef* def, int* edge_count, WeftError* error) {
    wf_assert(state && def);
    if (edge_count) *edge_count = 0;
    WeftResult result = check_cut(state, def, error);
    if (result) return result;
    const WeftModel* m = state->model;
    const WeftAllocator* allocator = &m->system.allocator;
    Marking marking = {.tear = state->tear};
    if (!wf_stars_create(allocator, m->system.vertex_count, m->triangle_count, m->triangles,
                         &marking.stars))
        return wf_fail_memory(error);
    result = check_vertices(state, def, &marking.stars, error);
    if (!result && mark_path(state, def, &marking)) result = wf_fail_memory(error);
    for (int i = 0; i + 1 < def->vertex_count && !result; i++)
        mark(&marking, def->vertices[i], def->vertices[i + 1]);
    wf_stars_destroy(allocator, &marking.stars);
    if (marking.count > 0) {
        state->tear->asked = true;
        wf_wake(state);
    }
    if (edge_count) *edge_count = marking.count;
    return result;
}

int weft_torn_from(const WeftState* state, int vertex) {
    wf_assert(vertex >= 0 && vertex < state->model->shown.vertex_count);
    const WfTear* tear = state->tear;
    return tear && tear->torn.from ? tear->torn.from[vertex] : vertex;
}

int weft_torn_to(const WeftState* state, int vertex) {
    const WfTear* tear = state->tear;
    const WeftModel* whole = tear ? tear->whole : state->model;
    wf_assert(vertex >= 0 && vertex < whole->shown.vertex_count);
    if (!tear || !tear->own) return vertex;
    int c = 0;
    while (vertex >= whole->first_vertex[c + 1]) c++;
    return vertex - whole->first_vertex[c] + tear->own->first_vertex[c];
}
