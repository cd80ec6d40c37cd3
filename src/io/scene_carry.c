// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From the mesh that a file gives to the symmetric one that a mirror makes of it. Vertices that
// were kept are found by their numbers, all others by their places: images stand where the given
// mesh has its other half, whose own vertices are gone.
//
//     given       o------o---|--o------o      the pin of a vertex behind the plane is one of the
//     mirrored    o----o-----o-----o------o   image there; where there is none, the mirror is given
//     up

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "contact/near.h"
#include "io/scene_parts.h"

#define SAME_EDGE 0.1    // of the mean edge: places further apart are never the same
#define LEAST_EDGE 1e-6  // nearer ones always are

// ---------------------------------------------------------------------------------------------
// The given mesh

static void* copy_array(const WeftAllocator* allocator, const void* from, size_t count, size_t size,
                        bool* good) {
    if (!from) return NULL;
    void* to = wf_alloc(allocator, count, size);
    if (to) memcpy(to, from, count * size);
    *good = *good && to;
    return to;
}

static double length_between(const WeftMesh* mesh, int a, int b) {
    return wf_length(wf_sub(wf_load(mesh->positions, a), wf_load(mesh->positions, b)));
}

double wf_scene_mean_edge(const WeftMesh* mesh) {
    double sum = 0;
    long count = 3L * mesh->triangle_count;
    for (long c = 0; c < count; c++)
        sum +=
            length_between(mesh, mesh->triangles[c], mesh->triangles[c % 3 == 2 ? c - 2 : c + 1]);
    for (int t = 0; t < mesh->thread_count && mesh->triangle_count == 0; t++) {
        const int* v = mesh->thread_vertices + mesh->threads[t].first;
        for (int i = 0; i + 1 < mesh->threads[t].count; i++, count++)
            sum += length_between(mesh, v[i], v[i + 1]);
    }
    return count > 0 ? sum / (double)count : 0;
}

WeftResult wf_scene_keep_given(WfSceneReader* reader) {
    const WeftMesh* mesh = reader->mesh;
    const WeftAllocator* allocator = &reader->scene->allocator;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    bool good = true;
    WeftMesh* given = &reader->given;
    *given = (WeftMesh){.vertex_count = mesh->vertex_count,
                        .material_count = mesh->material_count,
                        .triangle_count = mesh->triangle_count,
                        .allocator = *allocator};
    given->positions = copy_array(allocator, mesh->positions, 3 * (size_t)mesh->vertex_count,
                                  sizeof(double), &good);
    given->material = copy_array(allocator, mesh->material, 2 * (size_t)mesh->material_count,
                                 sizeof(double), &good);
    given->triangles = copy_array(allocator, mesh->triangles, corners, sizeof(int), &good);
    given->triangle_material =
        copy_array(allocator, mesh->triangle_material, corners, sizeof(int), &good);
    double edge = wf_scene_mean_edge(mesh);
    reader->near = reader->scene->bound;
    if (edge > 0) reader->near = fmax(fmin(reader->near, SAME_EDGE * edge), LEAST_EDGE * edge);
    return good ? WEFT_OK : wf_fail_memory(reader->error);
}

void wf_scene_drop_given(WfSceneReader* reader) {
    if (reader->given.vertex_count == 0) return;
    weft_destroy_mesh(&reader->given);
    weft_destroy_mirror_map(&reader->map);
    reader->given = (WeftMesh){0};
}

const WeftMesh* wf_scene_given(const WfSceneReader* reader) {
    return reader->given.vertex_count > 0 ? &reader->given : reader->mesh;
}

static bool is_image(const WfSceneReader* reader, int v) { return reader->mesh->images[v] < v; }

static double square_between(WfVec a, WfVec b) {
    WfVec d = wf_sub(a, b);
    return wf_dot(d, d);
}

// The given vertex that v still is, at its place, or -1.
static int kept_vertex(const WfSceneReader* reader, int v) {
    int a = reader->map.vertices[2 * (long)v], b = reader->map.vertices[2 * (long)v + 1];
    if (a != b || is_image(reader, v)) return -1;
    double square =
        square_between(wf_load(reader->mesh->positions, v), wf_load(reader->given.positions, a));
    return square <= reader->near * reader->near ? a : -1;
}

// ---------------------------------------------------------------------------------------------
// Pins

typedef struct Hold {
    const WfSceneReader* reader;
    const bool* held;  // per given vertex
    bool* served;      // per given vertex: a vertex of the mesh is held for it
    int vertex_count, triangle_count;
    int *vertices, *triangles;  // those that are held, those with two that are
} Hold;

static bool holds_at_vertex(const Hold* hold, WfVec x) {
    const WfSceneReader* reader = hold->reader;
    bool found = false;
    for (int i = 0; i < hold->vertex_count; i++) {
        WfVec y = wf_load(reader->given.positions, hold->vertices[i]);
        if (square_between(x, y) > reader->near * reader->near) continue;
        hold->served[hold->vertices[i]] = found = true;
    }
    return found;
}

// The corners of a triangle that are held: of two, the second one twice. Returns how many.
static int held_corners(const Hold* hold, int t, int corners[3]) {
    const int* v = hold->reader->given.triangles + 3 * (long)t;
    int count = 0;
    for (int k = 0; k < 3; k++)
        if (hold->held[v[k]]) corners[count++] = v[k];
    if (count == 2) corners[2] = corners[1];
    return count;
}

// What lies between vertices that are held is held: on an edge of two, in a triangle of three.
static bool holds_between(const Hold* hold, WfVec x) {
    const WfSceneReader* reader = hold->reader;
    const double* y = reader->given.positions;
    bool found = false;
    for (int i = 0; i < hold->triangle_count; i++) {
        int v[3] = {0, 0, 0};
        double w[3];
        held_corners(hold, hold->triangles[i], v);
        if (wf_near_point_triangle(x, wf_load(y, v[0]), wf_load(y, v[1]), wf_load(y, v[2]), w) >
            reader->near * reader->near)
            continue;
        for (int k = 0; k < 3; k++) hold->served[v[k]] = true;
        found = true;
    }
    return found;
}

static void list_held(Hold* hold) {
    const WeftMesh* given = &hold->reader->given;
    int corners[3];
    for (int g = 0; g < given->vertex_count; g++)
        if (hold->held[g]) hold->vertices[hold->vertex_count++] = g;
    for (int t = 0; t < given->triangle_count; t++)
        if (held_corners(hold, t, corners) > 1) hold->triangles[hold->triangle_count++] = t;
}

static bool is_held(const Hold* hold, int v) {
    const WfSceneReader* reader = hold->reader;
    int kept = kept_vertex(reader, v);
    if (kept >= 0) {
        hold->served[kept] = true;
        return hold->held[kept];
    }
    if (reader->half) return false;  // an image
    WfVec x = wf_load(reader->mesh->positions, v);
    bool at = holds_at_vertex(hold, x), between = holds_between(hold, x);
    return at || between;
}

// As the file calls it.
static int name_of(const WfSceneReader* reader, int given) {
    for (int i = 0; reader->named && i < reader->named_count; i++)
        if (reader->named[i] == given) return i;
    return given;
}

static WeftResult give_up_pin(WfSceneReader* reader, int given) {
    WfVec x = wf_load(reader->given.positions, given);
    double least = HUGE_VAL;
    char why[200];
    for (int v = 0; v < reader->mesh->vertex_count; v++)
        least = fmin(least, square_between(x, wf_load(reader->mesh->positions, v)));
    snprintf(why, sizeof why,
             "cloth %d was split, and has no vertex where the pin of vertex %d is: the next one is "
             "%.3g mm away",
             (int)(reader->mesh - reader->scene->meshes), name_of(reader, given),
             1e3 * sqrt(least));
    return wf_scene_give_up_mirror(reader, why);
}

static int hold_all(Hold* hold, bool* chosen) {
    list_held(hold);
    for (int v = 0; v < hold->reader->mesh->vertex_count; v++)
        if (is_held(hold, v)) chosen[v] = true;
    for (int i = 0; i < hold->vertex_count; i++)
        if (!hold->served[hold->vertices[i]]) return hold->vertices[i];
    return -1;
}

WeftResult wf_scene_carry_pins(WfSceneReader* reader, const bool* given, bool* chosen) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    size_t count = (size_t)reader->given.vertex_count;
    size_t triangles = (size_t)reader->given.triangle_count;
    Hold hold = {.reader = reader,
                 .held = given,
                 .served = wf_alloc(allocator, count, sizeof(bool)),
                 .vertices = wf_alloc(allocator, count, sizeof(int)),
                 .triangles = wf_alloc(allocator, triangles, sizeof(int))};
    bool good = hold.served && hold.vertices && hold.triangles;
    int lost = good ? hold_all(&hold, chosen) : -1;
    wf_free(allocator, hold.served);
    wf_free(allocator, hold.vertices);
    wf_free(allocator, hold.triangles);
    if (!good) return wf_fail_memory(reader->error);
    return lost < 0 ? WEFT_OK : give_up_pin(reader, lost);
}

// ---------------------------------------------------------------------------------------------
// Places

static int vertex_at(const WfSceneReader* reader, WfVec x) {
    double least = reader->given.triangle_count > 0 ? reader->near * reader->near : HUGE_VAL;
    int nearest = -1;
    for (int g = 0; g < reader->given.vertex_count; g++) {
        double square = square_between(x, wf_load(reader->given.positions, g));
        if (square > least) continue;
        least = square;
        nearest = g;
    }
    return nearest;
}

static bool is_farther(double x, double a, double b, double c, double distance) {
    return fmin(a, fmin(b, c)) > x + distance || fmax(a, fmax(b, c)) < x - distance;
}

static void find_triangle(const WfSceneReader* reader, WfVec x, WfGivenSpot* spot) {
    double least = HUGE_VAL;
    for (int t = 0; t < reader->given.triangle_count; t++) {
        const int* v = reader->given.triangles + 3 * (long)t;
        WfVec a = wf_load(reader->given.positions, v[0]),
              b = wf_load(reader->given.positions, v[1]),
              c = wf_load(reader->given.positions, v[2]);
        double w[3], distance = sqrt(least);
        if (is_farther(x.x, a.x, b.x, c.x, distance) || is_farther(x.y, a.y, b.y, c.y, distance) ||
            is_farther(x.z, a.z, b.z, c.z, distance))
            continue;
        double square = wf_near_point_triangle(x, a, b, c, w);
        if (square >= least) continue;
        least = square;
        spot->triangle = t;
        memcpy(spot->w, w, sizeof w);
    }
}

static WfGivenSpot find_spot(const WfSceneReader* reader, int v) {
    WfVec x = wf_load(reader->mesh->positions, v);
    int own = reader->half && is_image(reader, v) ? reader->mesh->images[v] : v;
    WfGivenSpot spot = {.vertex = kept_vertex(reader, own)};
    if (spot.vertex < 0) spot.vertex = vertex_at(reader, x);
    if (spot.vertex < 0) find_triangle(reader, x, &spot);
    return spot;
}

WeftResult wf_scene_find_given(WfSceneReader* reader, WfGivenSpot** spots) {
    *spots = NULL;
    if (reader->given.vertex_count == 0) return WEFT_OK;
    *spots =
        wf_alloc(&reader->scene->allocator, (size_t)reader->mesh->vertex_count, sizeof **spots);
    if (!*spots) return wf_fail_memory(reader->error);
    for (int v = 0; v < reader->mesh->vertex_count; v++) (*spots)[v] = find_spot(reader, v);
    return WEFT_OK;
}
