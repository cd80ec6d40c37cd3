// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Split seams and triangle soups: vertices that are at one place, but are not one vertex.
//
// Edges are sewn, not points. Vertices at one place share a place number; two half edges that run
// along the same two places in opposite directions, and are the only ones there, are two sides of a
// seam, and their ends become one vertex each:
//
//     o------o a    a' o------o          a->b of the left triangles, b'->a' of the right ones:
//      \     | |    ^ |     /            join a with a' and b with b'
//       \    | v    | |    /
//        \---o b    b' o--/
//
// So two panels that touch in a point stay two, and so do layers that lie on each other (four half
// edges, or two in the same direction), the two sides of a sheet that was written twice (the third
// corners are at one place too), and triangles that face opposite ways. A place at which a triangle
// or a thread has two vertices is left alone: cloth may start collapsed.
//
// Joining ends may bring edges together that were not sewn, so that one has more than two
// triangles. The places of such edges are then left alone, and all is done again.

#include "mesh/weld.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/links.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/cells.h"

typedef struct Welder {
    const WeftClothDef* cloth;
    double distance, cell;
    int* places;           // per vertex: the lowest vertex at its place
    unsigned char* alone;  // per place: left alone
    int* roots;            // per vertex: the lowest one that it is joined with
    WfKey *keys, *spare;   // per vertex or half edge
} Welder;

// ---------------------------------------------------------------------------------------------
// Places, by cells of space: a vertex looks for those before it in the cells within the distance

// The lowest place before `vertex` in a cell and within the distance; `best` where there is none
// lower.
static int search_cell(const Welder* w, uint64_t key, int vertex, int best) {
    const double* positions = w->cloth->positions;
    int n = w->cloth->vertex_count;
    for (int i = wf_first_key(w->keys, n, key); i < n && w->keys[i].key == key; i++) {
        int other = w->keys[i].index;
        if (other >= best) break;  // equal keys are in the order of vertices
        if (w->places[other] != other) continue;
        WfVec apart = wf_sub(wf_load(positions, vertex), wf_load(positions, other));
        if (wf_length(apart) <= w->distance) return other;
    }
    return best;
}

static int find_place(const Welder* w, int vertex) {
    uint64_t cells[8];
    int best = vertex;
    int count = wf_cells_near(w->cloth->positions + 3 * (long)vertex, w->distance, w->cell, cells);
    for (int i = 0; i < count; i++) best = search_cell(w, cells[i], vertex, best);
    return best;
}

static void find_places(Welder* w) {
    int n = w->cloth->vertex_count;
    for (int i = 0; i < n; i++)
        w->keys[i] = (WfKey){wf_cell_of(w->cloth->positions + 3 * (long)i, w->cell), i};
    wf_sort_keys(w->keys, w->spare, n);
    for (int i = 0; i < n; i++) w->places[i] = find_place(w, i);
}

// What has an edge there must not lose it.
static void leave_alone(Welder* w, int a, int b) {
    if (w->places[a] == w->places[b]) w->alone[w->places[a]] = 1;
}

static void leave_short_edges(Welder* w) {
    const WeftClothDef* cloth = w->cloth;
    for (int t = 0; t < cloth->triangle_count; t++) {
        const int* v = cloth->triangles + 3 * (long)t;
        for (int k = 0; k < 3; k++) leave_alone(w, v[k], v[(k + 1) % 3]);
    }
    for (int i = 0; i < cloth->spring_count; i++)
        leave_alone(w, cloth->springs[i].a, cloth->springs[i].b);
    for (int t = 0; t < cloth->thread_count; t++) {
        const int* v = cloth->thread_vertices + cloth->threads[t].first;
        for (int i = 0; i + 1 < cloth->threads[t].count; i++) leave_alone(w, v[i], v[i + 1]);
    }
}

// ---------------------------------------------------------------------------------------------
// Half edges: h = 3 t + k goes from corner k of triangle t to the next

static int half_from(const Welder* w, int h) { return w->cloth->triangles[h]; }
static int half_to(const Welder* w, int h) {
    return w->cloth->triangles[h % 3 == 2 ? h - 2 : h + 1];
}
static int half_opposite(const Welder* w, int h) {
    return w->cloth->triangles[h % 3 == 0 ? h + 2 : h - 1];
}

// Those of one edge side by side, vertices being the same where `names` are.
static void sort_halves(Welder* w, const int* names) {
    int count = 3 * w->cloth->triangle_count;
    for (int h = 0; h < count; h++) {
        uint64_t a = (uint64_t)names[half_from(w, h)], b = (uint64_t)names[half_to(w, h)];
        w->keys[h] = (WfKey){a < b ? a << 32 | b : b << 32 | a, h};
    }
    wf_sort_keys(w->keys, w->spare, count);
}

static int group_size(const Welder* w, int first) {
    int i = first + 1, count = 3 * w->cloth->triangle_count;
    while (i < count && w->keys[i].key == w->keys[first].key) i++;
    return i - first;
}

// Whether two half edges can be the two sides of one edge.
static bool are_sides(const Welder* w, const int* names, int g, int h) {
    return names[half_from(w, g)] == names[half_to(w, h)] &&
           names[half_to(w, g)] == names[half_from(w, h)] &&
           names[half_opposite(w, g)] != names[half_opposite(w, h)];
}

static void sew(Welder* w) {
    for (int i = 0; i < w->cloth->vertex_count; i++) w->roots[i] = i;
    sort_halves(w, w->places);
    for (int i = 0, size; i < 3 * w->cloth->triangle_count; i += size) {
        size = group_size(w, i);
        if (size != 2 || !are_sides(w, w->places, w->keys[i].index, w->keys[i + 1].index)) continue;
        int g = w->keys[i].index, h = w->keys[i + 1].index;
        if (w->alone[w->places[half_from(w, g)]] || w->alone[w->places[half_to(w, g)]]) continue;
        wf_link(w->roots, half_from(w, g), half_to(w, h));
        wf_link(w->roots, half_to(w, g), half_from(w, h));
    }
    for (int i = 0; i < w->cloth->vertex_count; i++) w->roots[i] = w->roots[w->roots[i]];
}

// Leave edges alone that would have more than two triangles; says whether there are new ones.
static bool leave_crowded_edges(Welder* w) {
    bool found = false;
    sort_halves(w, w->roots);
    for (int i = 0, size; i < 3 * w->cloth->triangle_count; i += size) {
        size = group_size(w, i);
        int h = w->keys[i].index;
        bool good = size == 1 || (size == 2 && are_sides(w, w->roots, h, w->keys[i + 1].index));
        int ends[2] = {w->places[half_from(w, h)], w->places[half_to(w, h)]};
        for (int k = 0; k < 2 && !good; k++) {
            found = found || !w->alone[ends[k]];
            w->alone[ends[k]] = 1;
        }
    }
    return found;
}

// ---------------------------------------------------------------------------------------------

static const double OF_SIZE = 1e-6;  // of the longest side of the box around it

static double default_distance(const WeftClothDef* cloth) {
    double size = 0;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (long i = 0; i < cloth->vertex_count; i++) {
            low = fmin(low, cloth->positions[3 * i + k]);
            high = fmax(high, cloth->positions[3 * i + k]);
        }
        size = fmax(size, high - low);
    }
    return OF_SIZE * size;
}

// Joined vertices, and what they become; `marks` is scratch.
static WeftWeld count_joined(const int* roots, int count, unsigned char* marks) {
    WeftWeld weld = {0};
    memset(marks, 0, (size_t)count);
    for (int i = 0; i < count; i++) {
        if (roots[i] == i) continue;
        weld.vertex_count += marks[roots[i]] ? 1 : 2;
        weld.place_count += marks[roots[i]] ? 0 : 1;
        marks[roots[i]] = 1;
    }
    return weld;
}

WeftResult wf_weld_find(const WeftAllocator* allocator, const WeftClothDef* cloth, double distance,
                        int* roots, WeftWeld* weld) {
    size_t n = (size_t)cloth->vertex_count, halves = 3 * (size_t)cloth->triangle_count;
    size_t most = n > halves ? n : halves;
    if (distance < 0) distance = default_distance(cloth);
    Welder w = {.cloth = cloth,
                .distance = distance,
                .cell = distance > 0 ? 4 * distance : 1e-6,
                .places = wf_alloc(allocator, n, sizeof(int)),
                .alone = wf_alloc(allocator, n, 1),
                .roots = roots,
                .keys = wf_alloc(allocator, most, sizeof(WfKey)),
                .spare = wf_alloc(allocator, most, sizeof(WfKey))};
    bool good = w.places && w.alone && w.keys && w.spare;
    if (good) {
        find_places(&w);
        leave_short_edges(&w);
        do sew(&w);
        while (leave_crowded_edges(&w));
        *weld = count_joined(roots, cloth->vertex_count, w.alone);
    }
    wf_free(allocator, w.places);
    wf_free(allocator, w.alone);
    wf_free(allocator, w.keys);
    wf_free(allocator, w.spare);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// The welded mesh

// map: old vertices to new ones, which keep their order
static int number_vertices(const int* roots, int count, int* map) {
    int used = 0;
    for (int i = 0; i < count; i++) map[i] = roots[i] == i ? used++ : map[roots[i]];
    return used;
}

// A vertex keeps as many points in the flat shape as it had different ones, numbered vertex by
// vertex.
static void weld_material(WeftMesh* mesh, const int* map, WfKey* keys, WfKey* spare,
                          double* material, int* points) {
    const int* named = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    int corners = 3 * mesh->triangle_count, count = 0, first = 0;
    for (int c = 0; c < corners; c++)
        keys[c] =
            (WfKey){(uint64_t)map[mesh->triangles[c]] << 32 | (uint64_t)(unsigned)named[c], c};
    wf_sort_keys(keys, spare, corners);
    for (int i = 0; i < corners; i++) {
        if (i > 0 && keys[i].key >> 32 != keys[i - 1].key >> 32) first = count;
        const double* from = mesh->material + 2 * (long)(keys[i].key & 0xffffffff);
        int p = first;
        while (p < count && (material[2 * p] != from[0] || material[2 * p + 1] != from[1])) p++;
        if (p == count) memcpy(material + 2 * (long)count++, from, 2 * sizeof *from);
        points[keys[i].index] = p;
    }
    mesh->material_count = count;
}

static void swap_arrays(WeftMesh* mesh, double* material, int* points, int vertex_count) {
    wf_free(&mesh->allocator, mesh->material);
    wf_free(&mesh->allocator, mesh->triangle_material);
    mesh->material = material;
    mesh->triangle_material = points;
    if (mesh->material_count != vertex_count) return;
    wf_free(&mesh->allocator, points);  // one point for each vertex, in their order
    mesh->triangle_material = NULL;
}

static WeftResult weld_flat_shape(WeftMesh* mesh, const int* map, int vertex_count) {
    if (!mesh->material) return WEFT_OK;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    double* material = wf_alloc(&mesh->allocator, 2 * corners, sizeof(double));
    int* points = wf_alloc(&mesh->allocator, corners, sizeof(int));
    WfKey* keys = wf_alloc(&mesh->allocator, corners, sizeof *keys);
    WfKey* spare = wf_alloc(&mesh->allocator, corners, sizeof *spare);
    bool good = material && points && keys && spare;
    if (good) {
        weld_material(mesh, map, keys, spare, material, points);
        swap_arrays(mesh, material, points, vertex_count);
    } else {
        wf_free(&mesh->allocator, material);
        wf_free(&mesh->allocator, points);
    }
    wf_free(&mesh->allocator, keys);
    wf_free(&mesh->allocator, spare);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// Springs along both sides of a seam become one.
static WeftResult weld_springs(WeftMesh* mesh, const int* map) {
    size_t count = (size_t)mesh->spring_count;
    if (count == 0) return WEFT_OK;
    WfKey* keys = wf_alloc(&mesh->allocator, count, sizeof *keys);
    WfKey* spare = wf_alloc(&mesh->allocator, count, sizeof *spare);
    unsigned char* twin = wf_alloc(&mesh->allocator, count, 1);
    bool good = keys && spare && twin;
    for (int i = 0; i < mesh->spring_count && good; i++) {
        WeftSpring* spring = &mesh->springs[i];
        spring->a = map[spring->a], spring->b = map[spring->b];
        uint64_t a = (uint64_t)spring->a, b = (uint64_t)spring->b;
        keys[i] = (WfKey){a < b ? a << 32 | b : b << 32 | a, i};
    }
    if (good) {
        wf_sort_keys(keys, spare, mesh->spring_count);
        for (int i = 1; i < mesh->spring_count; i++)
            twin[keys[i].index] = keys[i].key == keys[i - 1].key;
        int used = 0;
        for (int i = 0; i < mesh->spring_count; i++)
            if (!twin[i]) mesh->springs[used++] = mesh->springs[i];
        mesh->spring_count = used;
    }
    wf_free(&mesh->allocator, keys);
    wf_free(&mesh->allocator, spare);
    wf_free(&mesh->allocator, twin);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

static WeftResult weld_arrays(WeftMesh* mesh, const int* map, int vertex_count) {
    WeftResult result = weld_flat_shape(mesh, map, vertex_count);
    if (!result) result = weld_springs(mesh, map);
    if (result) return result;
    for (int i = 0, next = 0; i < mesh->vertex_count; i++)
        if (map[i] == next) wf_store(mesh->positions, next++, wf_load(mesh->positions, i));
    for (long c = 0; c < 3L * mesh->triangle_count; c++)
        mesh->triangles[c] = map[mesh->triangles[c]];
    for (int i = 0; i < mesh->thread_vertex_count; i++)
        mesh->thread_vertices[i] = map[mesh->thread_vertices[i]];
    mesh->vertex_count = vertex_count;
    wf_free(&mesh->allocator, mesh->images);  // of vertices that are no more
    mesh->images = NULL;
    return WEFT_OK;
}

static WeftResult check_mesh(const WeftMesh* mesh, WeftError* error) {
    for (long c = 0; c < 3L * mesh->triangle_count; c++)
        if (mesh->triangles[c] < 0 || mesh->triangles[c] >= mesh->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "triangle %ld names vertex %d, but there are %d", c / 3,
                           mesh->triangles[c], mesh->vertex_count);
    for (long i = 0; i < 3L * mesh->vertex_count; i++)
        if (!isfinite(mesh->positions[i]))
            return wf_fail(error, WEFT_ERROR_INPUT, "position of vertex %ld is not a number",
                           i / 3);
    return WEFT_OK;
}

WeftResult weft_weld_mesh(WeftMesh* mesh, double distance, int* map, WeftWeld* weld,
                          WeftError* error) {
    wf_assert(mesh && !isnan(distance));
    size_t n = (size_t)mesh->vertex_count;
    WeftClothDef cloth = {0};
    WeftWeld ignored;
    if (!weld) weld = &ignored;
    *weld = (WeftWeld){0};
    mesh->allocator = wf_allocator(&mesh->allocator);
    WeftResult result = check_mesh(mesh, error);
    if (result) return result;
    weft_use_mesh(&cloth, mesh);
    int* own = map ? NULL : wf_alloc(&mesh->allocator, n, sizeof(int));
    int* roots = wf_alloc(&mesh->allocator, n, sizeof(int));
    if (!map) map = own;
    result = map && roots ? wf_weld_find(&mesh->allocator, &cloth, distance, roots, weld)
                          : WEFT_ERROR_MEMORY;
    if (!result) {
        int used = number_vertices(roots, mesh->vertex_count, map);
        if (used < mesh->vertex_count) result = weld_arrays(mesh, map, used);
    }
    wf_free(&mesh->allocator, own);
    wf_free(&mesh->allocator, roots);
    return result ? wf_fail_memory(error) : WEFT_OK;
}
