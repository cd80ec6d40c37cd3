// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From the mesh that a file gives to the symmetric one that a mirror makes of it. Vertices that
// were kept are found by their numbers, all others by their places: images stand where the given
// mesh has its other half, whose own vertices are gone.
//
//     given       o------o---|--o------o      the pin of a vertex behind the plane is one of the
//     mirrored    o----o-----o-----o------o   image there; where there is none, there is no mirror

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "contact/near.h"
#include "io/scene_parts.h"
#include "mesh/hilbert.h"

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

// Triangles of the given mesh, sorted by where they begin along an axis.
typedef struct Finder {
    const WfSceneReader* reader;
    int axis;
    double low, size;  // the lowest of all, and the largest size of one, along the axis
    double edge;       // mean
    WfKey* keys;
} Finder;

static void measure_triangle(const WeftMesh* given, int t, int axis, double* low, double* high) {
    *low = HUGE_VAL, *high = -HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        double x = given->positions[3 * (size_t)given->triangles[3 * (long)t + k] + (size_t)axis];
        *low = fmin(*low, x);
        *high = fmax(*high, x);
    }
}

// Numbers from 0 up sort by their bits.
static uint64_t key_of(double number) {
    uint64_t bits;
    number = fmax(number, 0) + 0.0;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static int longest_axis(const WeftMesh* given) {
    double longest = 0;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int g = 0; g < given->vertex_count; g++) {
            low = fmin(low, given->positions[3 * (long)g + k]);
            high = fmax(high, given->positions[3 * (long)g + k]);
        }
        if (high - low <= longest) continue;
        longest = high - low;
        axis = k;
    }
    return axis;
}

static void fill_finder(Finder* f, WfKey* spare) {
    const WeftMesh* given = &f->reader->given;
    double low, high;
    f->axis = longest_axis(given);
    f->edge = wf_scene_mean_edge(given);
    f->low = HUGE_VAL;
    for (int t = 0; t < given->triangle_count; t++) {
        measure_triangle(given, t, f->axis, &low, &high);
        f->low = fmin(f->low, low);
        f->size = fmax(f->size, high - low);
    }
    for (int t = 0; t < given->triangle_count; t++) {
        measure_triangle(given, t, f->axis, &low, &high);
        f->keys[t] = (WfKey){key_of(low - f->low), t};
    }
    wf_sort_keys(f->keys, spare, given->triangle_count);
}

// The nearest triangle, if one is within the distance.
static bool find_triangle(const Finder* f, WfVec x, double distance, WfGivenSpot* spot) {
    const WeftMesh* given = &f->reader->given;
    double at = (f->axis == 0 ? x.x : f->axis == 1 ? x.y : x.z) - f->low;
    double least = distance * distance;
    bool found = false;
    uint64_t last = key_of(at + distance);
    // a hair more, for rounding
    int i =
        wf_first_key(f->keys, given->triangle_count, key_of(at - 1.000001 * (f->size + distance)));
    for (; i < given->triangle_count && f->keys[i].key <= last; i++) {
        const int* v = given->triangles + 3 * (long)f->keys[i].index;
        double w[3];
        double square = wf_near_point_triangle(x, wf_load(given->positions, v[0]),
                                               wf_load(given->positions, v[1]),
                                               wf_load(given->positions, v[2]), w);
        if (square > least) continue;
        least = square;
        spot->triangle = f->keys[i].index;
        memcpy(spot->w, w, sizeof w);
        found = true;
    }
    return found;
}

// The corner of the triangle at which a spot is, or -1.
static int corner_at(const Finder* f, const WfGivenSpot* spot, WfVec x) {
    const int* v = f->reader->given.triangles + 3 * (long)spot->triangle;
    double near = LEAST_EDGE * f->edge;
    for (int k = 0; k < 3; k++)
        if (square_between(x, wf_load(f->reader->given.positions, v[k])) <= near * near)
            return v[k];
    return -1;
}

static int nearest_vertex(const WeftMesh* given, WfVec x) {
    double least = HUGE_VAL;
    int nearest = 0;
    for (int g = 0; g < given->vertex_count; g++) {
        double square = square_between(x, wf_load(given->positions, g));
        if (square >= least) continue;
        least = square;
        nearest = g;
    }
    return nearest;
}

static WfGivenSpot find_spot(const Finder* f, int v) {
    const WfSceneReader* reader = f->reader;
    WfVec x = wf_load(reader->mesh->positions, v);
    int own = reader->half && is_image(reader, v) ? reader->mesh->images[v] : v;
    WfGivenSpot spot = {.vertex = kept_vertex(reader, own)};
    if (spot.vertex >= 0) return spot;
    if (find_triangle(f, x, f->edge, &spot) || find_triangle(f, x, HUGE_VAL, &spot))
        spot.vertex = corner_at(f, &spot, x);
    else
        spot.vertex = nearest_vertex(&reader->given, x);  // of ropes
    return spot;
}

WeftResult wf_scene_find_given(WfSceneReader* reader, WfGivenSpot** spots) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    size_t count = (size_t)reader->given.triangle_count;
    *spots = NULL;
    if (reader->given.vertex_count == 0) return WEFT_OK;
    Finder f = {.reader = reader, .keys = wf_alloc(allocator, count, sizeof(WfKey))};
    WfKey* spare = wf_alloc(allocator, count, sizeof *spare);
    WfGivenSpot* made = wf_alloc(allocator, (size_t)reader->mesh->vertex_count, sizeof *made);
    bool good = f.keys && spare && made;
    if (good) fill_finder(&f, spare);
    for (int v = 0; v < reader->mesh->vertex_count && good; v++) made[v] = find_spot(&f, v);
    wf_free(allocator, f.keys);
    wf_free(allocator, spare);
    if (!good) wf_free(allocator, made);
    *spots = good ? made : NULL;
    return good ? WEFT_OK : wf_fail_memory(reader->error);
}
