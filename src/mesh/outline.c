// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From curved sides to a mesh, in stages:
//
//     sides -> boundary points (curve.c) -> integer grid -> points inside (fill.c)
//           -> Delaunay triangulation with the boundary in it (delaunay.c) -> drop what is outside
//           -> smooth (smooth.c) -> vertices in the order of a front that sweeps the shape
//
// The grid has 2^26 steps over the longer side of the shape and makes every decision exact; only
// the boundary keeps the coordinates it was given.

#include "mesh/outline.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "mesh/delaunay.h"
#include "mesh/fill.h"
#include "mesh/hilbert.h"
#include "mesh/mesh.h"
#include "mesh/smooth.h"
#include "mesh/topology.h"

enum { MARGIN = 1 << 22 };  // grid steps around the shape
enum { THINNEST = 4 };      // grid steps that a loop must be wide

typedef struct Outline {
    WeftAllocator allocator;
    const WeftOutlineDef* def;
    WfBoundary boundary;
    double origin[2], scale;  // grid step = (u - origin) * scale + MARGIN
    int point_count;          // boundary, inside, four corners
    WfPoint* points;
    int* successor;
    WfDelaunay delaunay;
    int* label;  // per triangle
    int* order;  // new vertex -> point
    int* rank;   // point -> new vertex, -1 where it is in no triangle
} Outline;

WeftOutlineDef weft_default_outline_def(void) { return (WeftOutlineDef){.edge = 0.03, .seed = 1}; }

// ---------------------------------------------------------------------------------------------
// Points

static WfPoint snap(const Outline* o, WfBoundaryPoint p) {
    return (WfPoint){MARGIN + (int32_t)floor((p.u - o->origin[0]) * o->scale + 0.5),
                     MARGIN + (int32_t)floor((p.v - o->origin[1]) * o->scale + 0.5)};
}

static WeftResult choose_grid(Outline* o, WeftError* error) {
    const WfBoundaryPoint* p = o->boundary.points;
    double least[2] = {p->u, p->v}, most[2] = {p->u, p->v};
    for (int i = 1; i < o->boundary.count; i++) {
        least[0] = fmin(least[0], p[i].u), most[0] = fmax(most[0], p[i].u);
        least[1] = fmin(least[1], p[i].v), most[1] = fmax(most[1], p[i].v);
    }
    double size = fmax(most[0] - least[0], most[1] - least[1]);
    for (int k = 0; k < 2; k++) o->origin[k] = least[k];
    o->scale = (WF_GRID_SIZE - 2 * MARGIN) / size;
    if (!(size > 0) || !isfinite(o->scale))
        return wf_fail(error, WEFT_ERROR_INPUT, "the outline is a point");
    return WEFT_OK;
}

// How far the loop that starts at point `first` reaches to the sides of its longest line, in steps.
static double loop_thickness(const Outline* o, const WfPoint* points, int first) {
    int i = first, far = first;
    double length = 0, thickness = 0;
    do {
        double x = points[i].x - points[first].x, y = points[i].y - points[first].y;
        if (x * x + y * y > length * length) length = sqrt(x * x + y * y), far = i;
        i = o->boundary.successor[i];
    } while (i != first);
    do {
        double area = fabs((double)wf_orient(points[first], points[far], points[i]));
        if (length > 0) thickness = fmax(thickness, area / length);
        i = o->boundary.successor[i];
    } while (i != first);
    return thickness;
}

static WeftResult check_loops(const Outline* o, const WfPoint* points, WeftError* error) {
    for (int i = 0, last = -1; i < o->boundary.count; i++) {
        int loop = o->boundary.points[i].loop;
        if (loop == last) continue;
        last = loop;
        if (loop_thickness(o, points, i) > THINNEST) continue;
        return loop == 0 ? wf_fail(error, WEFT_ERROR_INPUT, "the outline has no area")
                         : wf_fail(error, WEFT_ERROR_INPUT, "hole %d has no area", loop);
    }
    return WEFT_OK;
}

static void add_corners(WfPoint* corner) {
    corner[0] = (WfPoint){0, 0};
    corner[1] = (WfPoint){WF_GRID_SIZE, 0};
    corner[2] = (WfPoint){WF_GRID_SIZE, WF_GRID_SIZE};
    corner[3] = (WfPoint){0, WF_GRID_SIZE};
}

// Snap the boundary to the grid and fill it.
static WeftResult make_points(Outline* o, WeftError* error) {
    int count = o->boundary.count, inside = 0;
    WfPoint* snapped = wf_alloc(&o->allocator, (size_t)count, sizeof *snapped);
    if (!snapped) return wf_fail_memory(error);
    WeftResult result = choose_grid(o, error);
    if (result) goto done;
    for (int i = 0; i < count; i++) snapped[i] = snap(o, o->boundary.points[i]);
    result = check_loops(o, snapped, error);
    if (result) goto done;
    WfShape shape = {.points = snapped,
                     .successor = o->boundary.successor,
                     .count = count,
                     .spacing = o->def->edge * o->scale,
                     .seed = o->def->seed,
                     .most = WF_MAX_MESH_VERTICES};
    result = wf_fill_shape(&o->allocator, &shape, count, 4, &o->points, &inside, error);
    if (result) goto done;
    for (int i = 0; i < count; i++) o->points[i] = snapped[i];
    add_corners(o->points + count + inside);
    o->point_count = count + inside + 4;

done:
    wf_free(&o->allocator, snapped);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Triangles

// Two points, or what begins at them, are in each other's way.
static WeftResult fail_sides(const Outline* o, int p, int q, bool cross, WeftError* error) {
    WfBoundaryPoint a = o->boundary.points[p], b = o->boundary.points[q];
    if (a.loop > b.loop || (a.loop == b.loop && a.side > b.side)) {
        WfBoundaryPoint other = a;
        a = b;
        b = other;
    }
    const char* what = cross ? "cross" : "touch or cross";
    WfSideName first, second;
    wf_name_side(a.loop, a.side, &first);
    wf_name_side(b.loop, b.side, &second);
    if (a.loop == b.loop && a.side == b.side)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s %s itself", first.text,
                       cross ? "crosses" : "touches or crosses");
    return wf_fail(error, WEFT_ERROR_INPUT, "%s and %s %s", first.text, second.text, what);
}

static WeftResult triangulate(Outline* o, WeftError* error) {
    size_t count = (size_t)o->point_count;
    int twins[2];
    WfKey* keys = wf_alloc(&o->allocator, count, sizeof *keys);
    WfKey* scratch = wf_alloc(&o->allocator, count, sizeof *scratch);
    int* order = wf_alloc(&o->allocator, count, sizeof *order);
    o->successor = wf_alloc(&o->allocator, count, sizeof *o->successor);
    WeftResult result = keys && scratch && order && o->successor ? WEFT_OK : wf_fail_memory(error);
    if (result) goto done;
    for (int v = 0; v < o->point_count; v++)
        o->successor[v] = v < o->boundary.count ? o->boundary.successor[v] : -1;
    wf_insertion_order(o->points, o->point_count - 4, keys, scratch, order);
    result = wf_delaunay_create(&o->allocator, o->points, o->point_count, o->successor, order,
                                &o->delaunay, twins, error);
    if (!result && twins[0] >= 0) result = fail_sides(o, twins[0], twins[1], false, error);

done:
    wf_free(&o->allocator, keys);
    wf_free(&o->allocator, scratch);
    wf_free(&o->allocator, order);
    return result;
}

// The one of a bound edge's two ends that its side begins at or goes through.
static int start_of_edge(const Outline* o, int p, int q) { return o->successor[p] == q ? p : q; }

static WeftResult bind_boundary(Outline* o, WeftError* error) {
    for (int v = 0; v < o->boundary.count; v++) {
        int blocked[2];
        if (wf_delaunay_bind(&o->delaunay, v, o->successor[v], blocked)) continue;
        if (blocked[1] < 0) return fail_sides(o, v, blocked[0], false, error);
        return fail_sides(o, v, start_of_edge(o, blocked[0], blocked[1]), true, error);
    }
    wf_delaunay_restore(&o->delaunay);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Inside and outside

enum { UNSEEN, OUTSIDE, CLOTH };  // CLOTH + i: inside hole i

// What is on the other side of an edge of loop `loop`, seen from a triangle with this label.
static WeftResult cross_loop(int label, int loop, int* other, WeftError* error) {
    *other = label == OUTSIDE ? CLOTH : loop == 0 ? OUTSIDE : label == CLOTH ? CLOTH + loop : CLOTH;
    if (label == OUTSIDE && loop > 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "hole %d is not inside the outline", loop);
    if (label > CLOTH && loop != label - CLOTH)
        return wf_fail(error, WEFT_ERROR_INPUT, "hole %d is inside hole %d", loop, label - CLOTH);
    return WEFT_OK;
}

// Label all triangles, from a corner of the square inwards.
static WeftResult label_triangles(Outline* o, WeftError* error) {
    WfDelaunay* d = &o->delaunay;
    int count = 0;
    d->work[count++] = d->star[o->point_count - 1];
    o->label[d->work[0]] = OUTSIDE;
    while (count > 0) {
        int t = d->work[--count];
        for (int k = 0; k < 3; k++) {
            const WfTriangle* here = &d->triangles[t];
            int u = here->next[k], label = o->label[t];
            if (u < 0 || o->label[u] != UNSEEN) continue;
            int p = here->vertex[(k + 1) % 3], q = here->vertex[(k + 2) % 3];
            if (wf_delaunay_bound(d, p, q)) {
                int loop = o->boundary.points[start_of_edge(o, p, q)].loop;
                WeftResult result = cross_loop(o->label[t], loop, &label, error);
                if (result) return result;
            }
            o->label[u] = label;
            d->work[count++] = u;
        }
    }
    return WEFT_OK;
}

// Keep the triangles of cloth; what bounded them is now the end of the mesh.
static void keep_cloth(Outline* o) {
    WfDelaunay* d = &o->delaunay;
    int count = 0;
    for (int v = 0; v < d->point_count; v++) d->star[v] = -1;
    for (int t = 0; t < d->triangle_count; t++) o->label[t] = o->label[t] == CLOTH ? count++ : -1;
    for (int t = 0; t < d->triangle_count; t++) {
        int now = o->label[t];
        if (now < 0) continue;
        WfTriangle kept = d->triangles[t];
        for (int k = 0; k < 3; k++) {
            d->star[kept.vertex[k]] = now;
            if (kept.next[k] >= 0) kept.next[k] = o->label[kept.next[k]];
        }
        d->triangles[now] = kept;
    }
    d->triangle_count = count;
}

static WeftResult drop_outside(Outline* o, WeftError* error) {
    o->label = wf_alloc(&o->allocator, (size_t)o->delaunay.triangle_count, sizeof *o->label);
    if (!o->label) return wf_fail_memory(error);
    WeftResult result = label_triangles(o, error);
    if (!result) keep_cloth(o);
    return result;
}

// ---------------------------------------------------------------------------------------------
// The mesh

// Breadth first from vertex `first`: a front that sweeps the mesh (Cuthill and McKee 1969).
// Returns how many vertices it met.
static int sweep(const WfTopology* topology, const int* corners, int first, int* order, int* rank) {
    int count = 0;
    for (int v = 0; v < topology->vertex_count; v++) rank[v] = -1;
    rank[first] = count;
    order[count++] = first;
    for (int i = 0; i < count; i++) {
        int v = order[i];
        for (int s = topology->star_start[v]; s < topology->star_start[v + 1]; s++) {
            for (int k = 0; k < 3; k++) {
                int w = corners[3 * (long)topology->star[s] + k];
                if (rank[w] >= 0) continue;
                rank[w] = count;
                order[count++] = w;
            }
        }
    }
    return count;
}

// Vertices in the order of a sweep from one far end; returns their number.
static WeftResult order_vertices(Outline* o, const int* corners, int* count, WeftError* error) {
    size_t points = (size_t)o->point_count;
    o->order = wf_alloc(&o->allocator, points, sizeof *o->order);
    o->rank = wf_alloc(&o->allocator, points, sizeof *o->rank);
    if (!o->order || !o->rank) return wf_fail_memory(error);
    WfTopology topology;
    WeftResult result = wf_topology_create(&o->allocator, o->point_count,
                                           o->delaunay.triangle_count, corners, &topology, error);
    if (result) return result;
    *count = sweep(&topology, corners, 0, o->order, o->rank);
    *count = sweep(&topology, corners, o->order[*count - 1], o->order, o->rank);
    wf_topology_destroy(&o->allocator, &topology);
    return WEFT_OK;
}

static void place_vertex(const Outline* o, WeftMesh* mesh, int vertex) {
    int point = o->order[vertex];
    if (point < o->boundary.count) {
        wf_mesh_place(mesh, vertex, o->boundary.points[point].u, o->boundary.points[point].v);
        return;
    }
    WfPoint p = o->points[point];
    wf_mesh_place(mesh, vertex, o->origin[0] + (p.x - MARGIN) / o->scale,
                  o->origin[1] + (p.y - MARGIN) / o->scale);
}

static int least_corner(const int* corner) {
    int k = corner[0] < corner[1] ? 0 : 1;
    return corner[k] < corner[2] ? k : 2;
}

// Triangles by their least vertex, which comes first in each; `start` counts them per vertex.
static void place_triangles(const Outline* o, WeftMesh* mesh, int* corners, int* start) {
    int count = mesh->triangle_count;
    for (int v = 0; v <= mesh->vertex_count; v++) start[v] = 0;
    for (int t = 0; t < count; t++) {
        int* corner = corners + 3 * (long)t;
        for (int k = 0; k < 3; k++) corner[k] = o->rank[corner[k]];
        start[corner[least_corner(corner)] + 1]++;
    }
    for (int v = 0; v < mesh->vertex_count; v++) start[v + 1] += start[v];
    for (int t = 0; t < count; t++) {
        const int* corner = corners + 3 * (long)t;
        int first = least_corner(corner), slot = start[corner[first]]++;
        for (int k = 0; k < 3; k++) mesh->triangles[3 * (long)slot + k] = corner[(first + k) % 3];
    }
}

// Snapping moves the boundary by half a step: too much only for shapes about as thin as that.
static WeftResult check_triangles(const WeftMesh* mesh, WeftError* error) {
    for (int t = 0; t < mesh->triangle_count; t++) {
        const double* x[3];
        for (int k = 0; k < 3; k++)
            x[k] = mesh->material + 2 * (long)mesh->triangles[3 * (long)t + k];
        double area =
            (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]);
        if (!(area > 0))
            return wf_fail(error, WEFT_ERROR_INPUT, "the outline is too thin at (%g, %g)", x[0][0],
                           x[0][1]);
    }
    return WEFT_OK;
}

static WeftResult write_mesh(Outline* o, WeftMesh* mesh, WeftError* error) {
    int triangles = o->delaunay.triangle_count, vertices = 0;
    int* corners = wf_alloc(&o->allocator, 3 * (size_t)triangles, sizeof *corners);
    if (!corners) return wf_fail_memory(error);
    for (int t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++) corners[3 * (long)t + k] = o->delaunay.triangles[t].vertex[k];
    WeftResult result = order_vertices(o, corners, &vertices, error);
    if (!result) result = wf_mesh_create(mesh, &o->allocator, vertices, triangles, 0, error);
    if (!result) {
        for (int v = 0; v < vertices; v++) place_vertex(o, mesh, v);
        place_triangles(o, mesh, corners, o->order);
        result = check_triangles(mesh, error);
        if (result) weft_destroy_mesh(mesh);
    }
    wf_free(&o->allocator, corners);
    return result;
}

static WeftResult list_boundary(const Outline* o, WfOutlineEdge* edge, WeftError* error) {
    int count = o->boundary.count;
    edge->vertices = wf_alloc(&o->allocator, (size_t)count, sizeof *edge->vertices);
    if (!edge->vertices) return wf_fail_memory(error);
    edge->count = count;
    for (int i = 0; i < count; i++) edge->vertices[i] = o->rank[i];
    return WEFT_OK;
}

WeftResult wf_make_outline(const WeftOutlineDef* def, const WfSideParts* outside,
                           const WeftAllocator* allocator, WeftMesh* mesh, WfOutlineEdge* edge,
                           WeftError* error) {
    *mesh = (WeftMesh){0};
    Outline o = {.allocator = wf_allocator(allocator), .def = def};
    WeftResult result =
        wf_boundary_create(&o.allocator, def, outside, WF_MAX_MESH_VERTICES, &o.boundary, error);
    if (!result) result = make_points(&o, error);
    if (!result) result = triangulate(&o, error);
    if (!result) result = bind_boundary(&o, error);
    if (!result) result = drop_outside(&o, error);
    if (!result) wf_smooth(&o.delaunay, def->edge * o.scale);
    if (!result) result = write_mesh(&o, mesh, error);
    if (!result && edge) {
        result = list_boundary(&o, edge, error);
        if (result) weft_destroy_mesh(mesh);
    }
    wf_boundary_destroy(&o.allocator, &o.boundary);
    wf_delaunay_destroy(&o.allocator, &o.delaunay);
    wf_free(&o.allocator, o.points);
    wf_free(&o.allocator, o.successor);
    wf_free(&o.allocator, o.label);
    wf_free(&o.allocator, o.order);
    wf_free(&o.allocator, o.rank);
    return result;
}

WeftResult weft_make_outline(const WeftOutlineDef* def, const WeftAllocator* allocator,
                             WeftMesh* mesh, WeftError* error) {
    return wf_make_outline(def, NULL, allocator, mesh, NULL, error);
}

WeftResult weft_make_rectangle(double width, double height, double edge,
                               const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    WeftSide sides[] = {
        {.end = {width, 0}}, {.end = {width, height}}, {.end = {0, height}}, {.end = {0, 0}}};
    WeftLoop loop = {4, sides};
    WeftOutlineDef def = weft_default_outline_def();
    def.loops = &loop;
    def.loop_count = 1;
    def.edge = edge;
    return weft_make_outline(&def, allocator, mesh, error);
}

WeftResult weft_make_disc(double radius, double edge, const WeftAllocator* allocator,
                          WeftMesh* mesh, WeftError* error) {
    double quarter = sqrt(2) - 1;  // tan(90 degrees / 4)
    WeftSide sides[] = {{.end = {0, radius}, .bulge = quarter},
                        {.end = {-radius, 0}, .bulge = quarter},
                        {.end = {0, -radius}, .bulge = quarter},
                        {.end = {radius, 0}, .bulge = quarter}};
    WeftLoop loop = {4, sides};
    WeftOutlineDef def = weft_default_outline_def();
    def.loops = &loop;
    def.loop_count = 1;
    def.edge = edge;
    return weft_make_outline(&def, allocator, mesh, error);
}
