// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/rest.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/fabrics.h"

// A triangle without material points is laid flat as it stands in space, u along the x axis as seen
// from its plane (the z axis where the triangle faces along x), so that all triangles agree.
static void flatten_triangle(const double* positions, const int* t, double* corners) {
    WfVec a = wf_load(positions, t[0]);
    WfVec ab = wf_sub(wf_load(positions, t[1]), a), ac = wf_sub(wf_load(positions, t[2]), a);
    WfVec n = wf_cross(ab, ac);
    n = wf_mul(1 / wf_length(n), n);
    WfVec axis = fabs(n.x) < 0.9 ? (WfVec){1, 0, 0} : (WfVec){0, 0, 1};
    WfVec u = wf_madd(axis, -wf_dot(axis, n), n);
    u = wf_mul(1 / wf_length(u), u);
    WfVec v = wf_cross(n, u);
    double flat[6] = {0, 0, wf_dot(ab, u), wf_dot(ab, v), wf_dot(ac, u), wf_dot(ac, v)};
    memcpy(corners, flat, sizeof flat);
}

static void fill_triangles(const WeftClothDef* cloth, WfRest* rest) {
    const int* named = cloth->triangle_material ? cloth->triangle_material : cloth->triangles;
    for (int t = 0; t < cloth->triangle_count; t++) {
        double* c = rest->corners + 6 * (long)t;
        if (cloth->material)
            for (int i = 0; i < 3; i++) {
                c[2 * i] = cloth->material[2 * (long)named[3 * t + i]];
                c[2 * i + 1] = cloth->material[2 * (long)named[3 * t + i] + 1];
            }
        else
            flatten_triangle(cloth->positions, cloth->triangles + 3 * (long)t, c);
        rest->areas[t] = fabs((c[2] - c[0]) * (c[5] - c[1]) - (c[4] - c[0]) * (c[3] - c[1])) / 2;
    }
}

static int corner_of(const int* triangle, int vertex) {
    return triangle[0] == vertex ? 0 : triangle[1] == vertex ? 1 : 2;
}

// from a to b in the flat shape of triangle t
static void flat_edge(const WeftClothDef* cloth, const WfRest* rest, int t, int a, int b,
                      double edge[2]) {
    const int* triangle = cloth->triangles + 3 * (long)t;
    const double* c = rest->corners + 6 * (long)t;
    int i = corner_of(triangle, a), j = corner_of(triangle, b);
    edge[0] = c[2 * j] - c[2 * i];
    edge[1] = c[2 * j + 1] - c[2 * i + 1];
}

// Length and warp share of an edge of the mesh: the mean over its triangles.
static void measure_edge(const WeftClothDef* cloth, const WfTopology* topology, const WfRest* rest,
                         int e, WfRestSpring* spring) {
    double length = 0, warp = 0;
    int count = 0;
    for (int side = 0; side < 2; side++) {
        int t = topology->edge_triangles[2 * e + side];
        if (t < 0) continue;
        double edge[2];
        flat_edge(cloth, rest, t, spring->a, spring->b, edge);
        double square = edge[0] * edge[0] + edge[1] * edge[1];
        length += sqrt(square);
        warp += edge[0] * edge[0] / square;
        count++;
    }
    spring->length = length / count;
    spring->warp = warp / count;
}

// A spring across two triangles (the second diagonal of a grid): by material points where each
// vertex has one, else by its length in space.
static void measure_chord(const WeftClothDef* cloth, WfRestSpring* spring) {
    double u, v, w = 0;
    if (cloth->material && !cloth->triangle_material) {
        u = cloth->material[2 * (long)spring->b] - cloth->material[2 * (long)spring->a];
        v = cloth->material[2 * (long)spring->b + 1] - cloth->material[2 * (long)spring->a + 1];
    } else {
        WfVec d =
            wf_sub(wf_load(cloth->positions, spring->b), wf_load(cloth->positions, spring->a));
        u = d.x, v = d.y, w = d.z;
    }
    double square = u * u + v * v + w * w;
    spring->length = sqrt(square);
    spring->warp = u * u / square;
}

static void measure_spring(const WeftClothDef* cloth, const WfTopology* topology,
                           const WfRest* rest, WfRestSpring* spring) {
    int edge = wf_topology_edge(topology, spring->a, spring->b);
    if (edge >= 0)
        measure_edge(cloth, topology, rest, edge, spring);
    else
        measure_chord(cloth, spring);
}

static void fill_springs(const WeftClothDef* cloth, const WfTopology* topology, WfRest* rest) {
    for (int s = 0; s < rest->spring_count; s++) {
        WfRestSpring* spring = &rest->springs[s];
        if (cloth->springs) {
            *spring = (WfRestSpring){cloth->springs[s].a, cloth->springs[s].b,
                                     cloth->springs[s].kind, 0, 0};
            measure_spring(cloth, topology, rest, spring);
        } else {
            *spring = (WfRestSpring){topology->edges[2 * (long)s], topology->edges[2 * (long)s + 1],
                                     WEFT_SPRING_STRETCH, 0, 0};
            measure_edge(cloth, topology, rest, s, spring);
        }
    }
}

// Warp and weft are as long as the flat shape has them, bands a part of it. A rope is what it is in
// space: it may be sewn to a cloth, but was not cut from it.
static double segment_length(const WeftClothDef* cloth, const WfTopology* topology,
                             const WfRest* rest, const WeftThread* thread, int a, int b) {
    if (thread->kind == WEFT_THREAD_ROPE)
        return wf_length(wf_sub(wf_load(cloth->positions, b), wf_load(cloth->positions, a)));
    WfRestSpring segment = {.a = a, .b = b};
    measure_spring(cloth, topology, rest, &segment);
    return thread->kind == WEFT_THREAD_BAND ? thread->ratio * segment.length : segment.length;
}

static void fill_threads(const WeftClothDef* cloth, const WfTopology* topology, WfRest* rest) {
    int count = 0;
    for (int t = 0; t < cloth->thread_count; t++) {
        const WeftThread* thread = &cloth->threads[t];
        const int* v = cloth->thread_vertices + thread->first;
        for (int i = 0; i + 1 < thread->count; i++)
            rest->segments[count++] = segment_length(cloth, topology, rest, thread, v[i], v[i + 1]);
        rest->segment_start[t + 1] = count;
    }
}

// where a triangle's third corner lies over its edge: along it, and beside it
static void third_corner(const WeftClothDef* cloth, const WfRest* rest, int t, int a, int b, int c,
                         double out[2]) {
    double e[2], o[2];
    flat_edge(cloth, rest, t, a, b, e);
    flat_edge(cloth, rest, t, a, c, o);
    double length = sqrt(e[0] * e[0] + e[1] * e[1]);
    out[0] = (o[0] * e[0] + o[1] * e[1]) / length;
    out[1] = fabs(o[1] * e[0] - o[0] * e[1]) / length;
}

static void fill_hinges(const WeftClothDef* cloth, const WfTopology* topology, WfRest* rest) {
    for (int i = 0; i < topology->hinge_count; i++) {
        const WfHinge* hinge = &topology->hinges[i];
        WfRestHinge* flat = &rest->hinges[i];
        double length = 0;
        for (int side = 0; side < 2; side++) {
            double e[2];
            int t = hinge->triangles[side];
            flat_edge(cloth, rest, t, hinge->edge[0], hinge->edge[1], e);
            double l = sqrt(e[0] * e[0] + e[1] * e[1]);
            length += l / 2;
            for (int k = 0; k < 2; k++) flat->along[side][k] = e[k] / l;
            third_corner(cloth, rest, t, hinge->edge[0], hinge->edge[1], hinge->opposite[side],
                         flat->opposite[side]);
        }
        flat->length = length;
        flat->bend = 1;
        flat->opposite[1][1] = -flat->opposite[1][1];
    }
}

static void fill_folds(const WeftClothDef* cloth, const WfTopology* topology, WfRest* rest) {
    for (int t = 0; t < cloth->thread_count; t++) {
        const WeftThread* thread = &cloth->threads[t];
        const int* v = cloth->thread_vertices + thread->first;
        for (int i = 0; i + 1 < thread->count && thread->kind == WEFT_THREAD_FOLD; i++) {
            int hinge = wf_topology_hinge(topology, v[i], v[i + 1]);
            if (hinge >= 0) rest->hinges[hinge].bend = 0;
        }
    }
}

static void measure_size(const WeftClothDef* cloth, WfRest* rest) {
    for (int axis = 0; axis < 2; axis++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (long c = 0; c < 3L * cloth->triangle_count; c++) {
            low = fmin(low, rest->corners[2 * c + axis]);
            high = fmax(high, rest->corners[2 * c + axis]);
        }
        rest->size[axis] = high - low;
    }
    if (cloth->material) return;
    // triangles laid flat one by one have no common place: take the extent in space
    double size[3] = {0};
    for (int axis = 0; axis < 3; axis++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (long i = 0; i < cloth->vertex_count; i++) {
            low = fmin(low, cloth->positions[3 * i + axis]);
            high = fmax(high, cloth->positions[3 * i + axis]);
        }
        size[axis] = high - low;
    }
    rest->size[0] = rest->size[1] = fmax(size[0], fmax(size[1], size[2]));
}

WeftResult wf_rest_create(const WeftAllocator* allocator, const WeftClothDef* cloth,
                          const WfTopology* topology, WfRest* rest) {
    *rest = (WfRest){.spring_count = cloth->springs ? cloth->spring_count : topology->edge_count};
    rest->corners = wf_alloc(allocator, 6 * (size_t)cloth->triangle_count, sizeof(double));
    rest->areas = wf_alloc(allocator, (size_t)cloth->triangle_count, sizeof(double));
    rest->springs = wf_alloc(allocator, (size_t)rest->spring_count, sizeof *rest->springs);
    rest->hinges = wf_alloc(allocator, (size_t)topology->hinge_count, sizeof *rest->hinges);
    size_t threads = (size_t)cloth->thread_count, segments = 0;
    for (size_t t = 0; t < threads; t++) segments += (size_t)cloth->threads[t].count - 1;
    rest->segment_start = wf_alloc(allocator, threads + 1, sizeof(int));
    rest->segments = wf_alloc(allocator, segments, sizeof(double));
    if (!rest->corners || !rest->areas || !rest->springs || !rest->hinges || !rest->segment_start ||
        !rest->segments) {
        wf_rest_destroy(allocator, rest);
        return WEFT_ERROR_MEMORY;
    }
    fill_triangles(cloth, rest);
    fill_springs(cloth, topology, rest);
    fill_hinges(cloth, topology, rest);
    fill_threads(cloth, topology, rest);
    fill_folds(cloth, topology, rest);
    measure_size(cloth, rest);
    return WEFT_OK;
}

void wf_rest_destroy(const WeftAllocator* allocator, WfRest* rest) {
    wf_free(allocator, rest->corners);
    wf_free(allocator, rest->areas);
    wf_free(allocator, rest->springs);
    wf_free(allocator, rest->hinges);
    wf_free(allocator, rest->segment_start);
    wf_free(allocator, rest->segments);
    *rest = (WfRest){0};
}

// The mean factor of some vertices.
static double density_scale(const WeftClothDef* cloth, const int* vertices, int count) {
    double sum = 0;
    for (int i = 0; i < count && cloth->density_scale; i++)
        sum += cloth->density_scale[vertices[i]];
    return cloth->density_scale ? sum / count : 1;
}

// Returns what they weigh together.
static double add_ropes(const WfRest* rest, const WeftClothDef* cloth, double* masses) {
    double total = 0;
    for (int t = 0; t < cloth->thread_count; t++) {
        const WeftThread* thread = &cloth->threads[t];
        if (thread->kind != WEFT_THREAD_ROPE) continue;
        const int* v = cloth->thread_vertices + thread->first;
        for (int i = 0; i + 1 < thread->count; i++) {
            double half = cloth->fabric.rope_density * density_scale(cloth, v + i, 2) *
                          rest->segments[rest->segment_start[t] + i] / 2;
            masses[v[i]] += half;
            masses[v[i + 1]] += half;
            total += 2 * half;
        }
    }
    return total;
}

void wf_rest_masses(const WfRest* rest, const WeftClothDef* cloth, double* masses) {
    memset(masses, 0, (size_t)cloth->vertex_count * sizeof *masses);
    double total = add_ropes(rest, cloth, masses);
    for (int t = 0; t < cloth->triangle_count; t++) {
        const int* v = cloth->triangles + 3 * (long)t;
        double density = wf_fabric_of_triangle(cloth, t)->density;
        double third = density * density_scale(cloth, v, 3) * rest->areas[t] / 3;
        for (int i = 0; i < 3; i++) masses[v[i]] += third;
        total += 3 * third;
    }
    if (cloth->uniform_mass)
        for (int i = 0; i < cloth->vertex_count; i++) masses[i] = total / cloth->vertex_count;
}

// From a corner of a flat triangle to the side opposite.
static double height_of(const double* uv, int corner) {
    const double *o = uv + 2 * corner, *a = uv + 2 * ((corner + 1) % 3),
                 *b = uv + 2 * ((corner + 2) % 3);
    double side[2] = {b[0] - a[0], b[1] - a[1]}, to[2] = {o[0] - a[0], o[1] - a[1]};
    double along = to[0] * side[0] + to[1] * side[1];
    double t = fmin(fmax(along / (side[0] * side[0] + side[1] * side[1]), 0), 1);
    double u = to[0] - t * side[0], v = to[1] - t * side[1];
    return sqrt(u * u + v * v);
}

void wf_rest_room(const WfRest* rest, const WeftClothDef* cloth, double* room) {
    for (int i = 0; i < cloth->vertex_count; i++) room[i] = HUGE_VAL;
    for (int t = 0; t < cloth->triangle_count; t++) {
        const int* v = cloth->triangles + 3 * (long)t;
        for (int k = 0; k < 3; k++)
            room[v[k]] = fmin(room[v[k]], height_of(rest->corners + 6 * (long)t, k));
    }
    for (int t = 0; t < cloth->thread_count; t++) {
        const WeftThread* thread = &cloth->threads[t];
        if (thread->kind != WEFT_THREAD_ROPE) continue;
        const int* v = cloth->thread_vertices + thread->first;
        for (int i = 0; i + 1 < thread->count; i++)
            for (int end = 0; end < 2; end++)
                room[v[i + end]] =
                    fmin(room[v[i + end]], rest->segments[rest->segment_start[t] + i]);
    }
}
