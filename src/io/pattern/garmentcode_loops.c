// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From edges in any order and direction to closed lines. Every vertex has two edges; from the first
// edge that is in no line yet, one goes from vertex to vertex until one is back. Vertices at one
// place count as one where the numbers alone make no closed lines.

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/pattern/garmentcode.h"

static const double SAME_PLACE = 1e-6;  // m

typedef struct Chain {
    WfFilePanel* panel;
    int* vertex;  // per vertex: the one that stands for it
    int* uses;    // per vertex: how many edges it has
    int* pairs;   // 2 per vertex: those edges
} Chain;

static int end_of(const Chain* c, int edge, int end) {
    return c->vertex[c->panel->edges[edge].ends[end]];
}

// The first vertex that has not two edges, or -1.
static int count_uses(Chain* c) {
    const WfFilePanel* panel = c->panel;
    for (int v = 0; v < panel->vertex_count; v++) c->uses[v] = 0;
    for (int e = 0; e < panel->edge_count; e++) {
        if (panel->edges[e].empty) continue;
        for (int end = 0; end < 2; end++) {
            int v = end_of(c, e, end);
            if (c->uses[v] < 2) c->pairs[2 * v + c->uses[v]] = e;
            c->uses[v]++;
        }
    }
    for (int v = 0; v < panel->vertex_count; v++)
        if (c->uses[v] != 0 && c->uses[v] != 2) return v;
    return -1;
}

static void merge_places(Chain* c) {
    WfFilePanel* panel = c->panel;
    const double* at = panel->vertices;
    for (int v = 0; v < panel->vertex_count; v++)
        for (int w = 0; w < v && c->vertex[v] == v; w++)
            if (fabs(at[2 * v] - at[2 * w]) < SAME_PLACE &&
                fabs(at[2 * v + 1] - at[2 * w + 1]) < SAME_PLACE)
                c->vertex[v] = c->vertex[w];
    for (int e = 0; e < panel->edge_count; e++) {
        WfFileEdge* edge = &panel->edges[e];
        bool straight = edge->side.curve.control_count == 0 && edge->side.curve.bulge == 0;
        if (straight && end_of(c, e, 0) == end_of(c, e, 1)) edge->empty = true;
    }
}

// Walk one line from `first`; returns its number of edges.
static int walk(Chain* c, int first, int loop) {
    WfEdgePlace* places = c->panel->places;
    int edge = first, count = 0;
    int from = end_of(c, first, 0);
    do {
        bool reversed = end_of(c, edge, 0) != from;
        places[edge] = (WfEdgePlace){loop, count++, reversed};
        from = end_of(c, edge, reversed ? 0 : 1);
        const int* pair = &c->pairs[2 * from];
        edge = pair[0] == edge ? pair[1] : pair[0];
    } while (places[edge].loop < 0);
    return count;
}

// A line of which most edges run the other way is walked the other way, from the same first edge.
static void settle_direction(WfFilePanel* panel, int loop, int count) {
    int reversed = 0;
    for (int e = 0; e < panel->edge_count; e++)
        reversed += panel->places[e].loop == loop && panel->places[e].reversed;
    if (reversed > 0) panel->turned = true;
    if (2 * reversed <= count) return;
    for (int e = 0; e < panel->edge_count; e++) {
        WfEdgePlace* place = &panel->places[e];
        if (place->loop != loop) continue;
        place->reversed = !place->reversed;
        place->position = (count - place->position) % count;
    }
}

static WeftResult find_lines(Chain* c, WeftError* error) {
    WfFilePanel* panel = c->panel;
    int wrong = count_uses(c);
    if (wrong >= 0) {
        merge_places(c);
        wrong = count_uses(c);
    }
    if (wrong >= 0)
        return wf_fail(
            error, WEFT_ERROR_INPUT,
            "panel \"%.60s\": %d edge%s meet%s at vertex %d: its edges make no closed line",
            panel->name, c->uses[wrong], c->uses[wrong] == 1 ? "" : "s",
            c->uses[wrong] == 1 ? "s" : "", wrong);
    for (int e = 0; e < panel->edge_count; e++) panel->places[e].loop = -1;
    int last = -1;
    for (int e = 0; e < panel->edge_count; e++) {
        if (panel->edges[e].empty || panel->places[e].loop >= 0) continue;
        int count = walk(c, e, panel->loop_count);
        settle_direction(panel, panel->loop_count++, count);
    }
    for (int e = 0; e < panel->edge_count; e++) {
        const WfEdgePlace* place = &panel->places[e];
        if (place->loop != 0) continue;
        if (place->position < last) panel->shuffled = true;
        last = place->position;
    }
    return WEFT_OK;
}

WeftResult wf_chain_edges(const WeftAllocator* allocator, WfFilePanel* panel, WeftError* error) {
    size_t vertices = (size_t)panel->vertex_count;
    Chain c = {.panel = panel};
    c.vertex = wf_alloc(allocator, vertices, sizeof *c.vertex);
    c.uses = wf_alloc(allocator, vertices, sizeof *c.uses);
    c.pairs = wf_alloc(allocator, 2 * vertices, sizeof *c.pairs);
    panel->places = wf_alloc(allocator, (size_t)panel->edge_count, sizeof *panel->places);
    WeftResult result = WEFT_OK;
    if (!c.vertex || !c.uses || !c.pairs || !panel->places) {
        result = wf_fail_memory(error);
        goto done;
    }
    for (int v = 0; v < panel->vertex_count; v++) c.vertex[v] = v;
    result = find_lines(&c, error);
done:
    wf_free(allocator, c.vertex);
    wf_free(allocator, c.uses);
    wf_free(allocator, c.pairs);
    return result;
}
