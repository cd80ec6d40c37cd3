// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How symmetric a cloth is: every vertex, triangle, spring, thread, pin and number held against its
// image. Nothing is judged here; who needs symmetry says how much of it.

#include "mesh/symmetry.h"

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/fabrics.h"
#include "mesh/hilbert.h"
#include "mesh/images.h"
#include "mesh/rest.h"

#define DEFAULT_TOLERANCE 0.01  // of the mean edge
#define SAME 1e-6               // relative, of what threads are made of

typedef struct Judge {
    const WeftClothDef* cloth;
    const WfPlane* mirror;
    WfStars stars;
    double mean_edge;  // at rest
    int* images;
    WfKey *keys, *spare;    // springs, or segments of threads, by their ends
    unsigned char* pinned;  // per vertex
    WeftSymmetry* symmetry;
} Judge;

// In the flat shape where there is one, for cloth may start pressed together.
static double find_mean_edge(const WeftClothDef* cloth) {
    double sum = 0;
    int count = 0;
    for (int t = 0; t < cloth->triangle_count; t++)
        for (int k = 0; k < 3; k++, count++)
            sum += wf_length(
                wf_sub(wf_rest_corner(cloth, t, (k + 1) % 3), wf_rest_corner(cloth, t, k)));
    for (int t = 0; t < cloth->thread_count && cloth->triangle_count == 0; t++) {
        const int* v = cloth->thread_vertices + cloth->threads[t].first;
        for (int i = 0; i + 1 < cloth->threads[t].count; i++, count++)
            sum += wf_length(
                wf_sub(wf_load(cloth->positions, v[i + 1]), wf_load(cloth->positions, v[i])));
    }
    return count > 0 ? sum / count : 0;
}

// ---------------------------------------------------------------------------------------------
// Vertices

// Images that were given: those that say of each other that they are images.
static void take_images(Judge* j) {
    int n = j->cloth->vertex_count;
    const int* given = j->cloth->images;
    for (int v = 0; v < n; v++) {
        int image = given[v];
        bool good = image >= 0 && image < n && given[image] == v;
        j->images[v] = good ? image : -1;
    }
}

// Of two images, the one further before the plane is reflected, as weft_mirror_mesh does.
static double deviation_of(const Judge* j, int v) {
    WfVec x = wf_load(j->cloth->positions, v), y = wf_load(j->cloth->positions, j->images[v]);
    if (wf_plane_height(j->mirror, x) < wf_plane_height(j->mirror, y)) {
        WfVec swap = x;
        x = y, y = swap;
    }
    return wf_length(wf_sub(wf_plane_image(j->mirror, x), y));
}

// Sets *worst and *which where the deviation is worse.
static void keep_worst(double deviation, int index, double* worst, int* which) {
    if (deviation <= *worst) return;
    *worst = deviation;
    *which = index;
}

static void count_fault(int index, int* count, int* first) {
    if ((*count)++ == 0) *first = index;
}

static void judge_vertices(Judge* j) {
    WeftSymmetry* s = j->symmetry;
    const double* scales[3] = {j->cloth->stretch_scale, j->cloth->bend_scale,
                               j->cloth->density_scale};
    for (int v = 0; v < j->cloth->vertex_count; v++) {
        int image = j->images[v];
        if (image < 0) {
            count_fault(v, &s->unpaired, &s->unpaired_vertex);
            continue;
        }
        keep_worst(deviation_of(j, v), v, &s->deviation, &s->deviation_vertex);
        for (int k = 0; k < 3; k++)
            if (scales[k])
                s->scale_deviation =
                    fmax(s->scale_deviation, fabs(scales[k][v] - scales[k][image]));
    }
}

// ---------------------------------------------------------------------------------------------
// Triangles

// -1, 0 or 1; 2 where a vertex has an image but cannot be told from it by its place.
static int side_of(const Judge* j, int v) {
    double height = wf_plane_height(j->mirror, wf_load(j->cloth->positions, v));
    if (j->images[v] == v) return 0;
    if (fabs(height) > WF_ON_PLANE * j->mean_edge) return height > 0 ? 1 : -1;
    return j->images[v] < 0 ? 0 : 2;
}

static bool is_crossing(const Judge* j, const int v[3]) {
    bool before = false, behind = false, beside = false;
    for (int k = 0; k < 3; k++) {
        int side = side_of(j, v[k]), image = j->images[v[k]];
        before = before || side == 1;
        behind = behind || side == -1;
        beside = beside || side != 0;
        if (image == v[(k + 1) % 3] || image == v[(k + 2) % 3]) return true;
    }
    return (before && behind) || !beside;
}

// The half edge that is the image of the first one of triangle t, or -1.
static int image_half(const Judge* j, const int v[3]) {
    int a = j->images[v[0]], b = j->images[v[1]], c = j->images[v[2]];
    if (a < 0 || b < 0 || c < 0) return -1;
    int h = wf_find_half(&j->stars, b, a);
    return h >= 0 && wf_half_opposite(&j->stars, h) == c ? h : -1;
}

// Edges of triangle t against those of its image: corners 0, 1, 2 of the one are the corners after,
// at and before half edge h of the other.
static void judge_rest(Judge* j, int t, int h) {
    WeftSymmetry* s = j->symmetry;
    const int corner[3] = {(h + 1) % 3, h % 3, (h + 2) % 3};
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        WfVec e = wf_sub(wf_rest_corner(j->cloth, t, next), wf_rest_corner(j->cloth, t, k));
        WfVec f = wf_sub(wf_rest_corner(j->cloth, h / 3, corner[next]),
                         wf_rest_corner(j->cloth, h / 3, corner[k]));
        keep_worst(fabs(wf_length(e) - wf_length(f)) / j->mean_edge, t, &s->rest_deviation,
                   &s->rest_triangle);
        if (!j->cloth->material) continue;
        double u = fabs(fabs(e.x) - fabs(f.x)), v = fabs(fabs(e.y) - fabs(f.y));
        keep_worst(fmax(u, v) / j->mean_edge, t, &s->grain_deviation, &s->grain_triangle);
    }
}

static bool same_fabric(const WeftClothDef* cloth, int s, int t) {
    const WeftFabric *a = wf_fabric_of_triangle(cloth, s), *b = wf_fabric_of_triangle(cloth, t);
    return a == b || memcmp(a, b, sizeof *a) == 0;
}

static void judge_triangles(Judge* j) {
    WeftSymmetry* s = j->symmetry;
    for (int t = 0; t < j->cloth->triangle_count; t++) {
        const int* v = j->cloth->triangles + 3 * (long)t;
        int h = image_half(j, v);
        if (is_crossing(j, v)) count_fault(t, &s->crossing, &s->crossing_triangle);
        if (h < 0) {
            count_fault(t, &s->unmatched, &s->unmatched_triangle);
            continue;
        }
        judge_rest(j, t, h);
        if (!same_fabric(j->cloth, t, h / 3)) count_fault(t, &s->fabrics, &s->fabric_triangle);
    }
}

// ---------------------------------------------------------------------------------------------
// Springs, threads, pins

// The first of the keys that is the image of the pair a b, or `count`.
static int image_key(const Judge* j, int count, int a, int b, uint64_t* key) {
    if (j->images[a] < 0 || j->images[b] < 0) return count;
    *key = wf_pair_key(j->images[a], j->images[b]);
    return wf_first_key(j->keys, count, *key);
}

static void judge_springs(Judge* j) {
    const WeftSpring* springs = j->cloth->springs;
    int count = springs ? j->cloth->spring_count : 0;
    for (int i = 0; i < count; i++)
        j->keys[i] = (WfKey){wf_pair_key(springs[i].a, springs[i].b), i};
    wf_sort_keys(j->keys, j->spare, count);
    for (int i = 0; i < count; i++) {
        uint64_t key;
        int k = image_key(j, count, springs[i].a, springs[i].b, &key);
        bool found =
            k < count && j->keys[k].key == key && springs[j->keys[k].index].kind == springs[i].kind;
        j->symmetry->springs += !found;
    }
}

static bool near_equal(double a, double b) { return fabs(a - b) <= SAME * fmax(fabs(a), fabs(b)); }

static bool same_thread(const WeftThread* a, const WeftThread* b) {
    return a->kind == b->kind && near_equal(a->width, b->width) && near_equal(a->ratio, b->ratio) &&
           near_equal(a->stretch, b->stretch);
}

// Whether the image of a segment belongs to a thread like this one.
static bool has_image(const Judge* j, int count, const WeftThread* thread, int a, int b) {
    uint64_t key;
    for (int k = image_key(j, count, a, b, &key); k < count && j->keys[k].key == key; k++)
        if (same_thread(thread, &j->cloth->threads[j->keys[k].index])) return true;
    return false;
}

// Segment by segment: where a thread begins and ends may differ.
static void judge_threads(Judge* j) {
    const WeftClothDef* cloth = j->cloth;
    int count = 0;
    for (int t = 0; t < cloth->thread_count; t++) {
        const int* v = cloth->thread_vertices + cloth->threads[t].first;
        for (int i = 0; i + 1 < cloth->threads[t].count; i++)
            j->keys[count++] = (WfKey){wf_pair_key(v[i], v[i + 1]), t};
    }
    wf_sort_keys(j->keys, j->spare, count);
    for (int t = 0; t < cloth->thread_count; t++) {
        const int* v = cloth->thread_vertices + cloth->threads[t].first;
        bool found = true;
        for (int i = 0; i + 1 < cloth->threads[t].count && found; i++)
            found = has_image(j, count, &cloth->threads[t], v[i], v[i + 1]);
        j->symmetry->threads += !found;
    }
}

static void judge_pins(Judge* j) {
    const WeftClothDef* cloth = j->cloth;
    for (int i = 0; i < cloth->pin_count; i++) j->pinned[cloth->pins[i]] = 1;
    for (int i = 0; i < cloth->pin_count; i++) {
        int image = j->images[cloth->pins[i]];
        if (image < 0 || !j->pinned[image])
            count_fault(cloth->pins[i], &j->symmetry->pins, &j->symmetry->pin_vertex);
    }
}

// ---------------------------------------------------------------------------------------------

static size_t count_segments(const WeftClothDef* cloth) {
    size_t count = 0;
    for (int t = 0; t < cloth->thread_count; t++) count += (size_t)cloth->threads[t].count - 1;
    return count;
}

WeftResult wf_find_images(const WeftAllocator* allocator, const WeftClothDef* cloth,
                          const WeftPlane* plane, double tolerance, int* images,
                          WeftSymmetry* symmetry) {
    WfPlane mirror;
    wf_make_plane(plane, &mirror);
    *symmetry = (WeftSymmetry){.unpaired_vertex = -1,
                               .deviation_vertex = -1,
                               .crossing_triangle = -1,
                               .unmatched_triangle = -1,
                               .rest_triangle = -1,
                               .grain_triangle = -1,
                               .pin_vertex = -1,
                               .fabric_triangle = -1};
    size_t n = (size_t)cloth->vertex_count, segments = count_segments(cloth);
    size_t springs = cloth->springs ? (size_t)cloth->spring_count : 0;
    size_t keys = springs > segments ? springs : segments;
    int* own = images ? NULL : wf_alloc(allocator, n, sizeof(int));
    Judge j = {.cloth = cloth,
               .mirror = &mirror,
               .mean_edge = find_mean_edge(cloth),
               .images = images ? images : own,
               .keys = wf_alloc(allocator, keys, sizeof(WfKey)),
               .spare = wf_alloc(allocator, keys, sizeof(WfKey)),
               .pinned = wf_alloc(allocator, n, 1),
               .symmetry = symmetry};
    bool good = j.images && j.keys && j.spare && j.pinned &&
                wf_stars_create(allocator, cloth->vertex_count, cloth->triangle_count,
                                cloth->triangles, &j.stars);
    if (tolerance == 0) tolerance = DEFAULT_TOLERANCE * j.mean_edge;
    if (good && cloth->images) take_images(&j);
    if (good && !cloth->images)
        good = !wf_match_images(allocator, cloth, &mirror, &j.stars, tolerance,
                                DEFAULT_TOLERANCE * j.mean_edge, j.images);
    if (good) {
        judge_vertices(&j);
        judge_triangles(&j);
        judge_springs(&j);
        judge_threads(&j);
        judge_pins(&j);
    }
    wf_stars_destroy(allocator, &j.stars);
    wf_free(allocator, own);
    wf_free(allocator, j.keys);
    wf_free(allocator, j.spare);
    wf_free(allocator, j.pinned);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

static WeftResult check_input(const WeftAllocator* allocator, const WeftClothDef* cloth,
                              const WeftPlane* plane, double tolerance, WeftError* error) {
    WfPlane mirror;
    if (!wf_make_plane(plane, &mirror))
        return wf_fail(error, WEFT_ERROR_INPUT, "the plane of the mirror %s",
                       wf_plane_fault(plane));
    if (!(tolerance >= 0 && isfinite(tolerance)))
        return wf_fail(error, WEFT_ERROR_INPUT, "a tolerance of %g m is not a length", tolerance);
    WeftResult result = wf_check_cloth(allocator, cloth, error);
    for (int t = 0; t < cloth->triangle_count && cloth->triangle_fabric && !result; t++)
        if (cloth->triangle_fabric[t] >= cloth->fabric_count)
            result =
                wf_fail(error, WEFT_ERROR_INPUT, "triangle %d names fabric %d, but there are %d", t,
                        cloth->triangle_fabric[t], cloth->fabric_count);
    return result;
}

WeftResult weft_find_images(const WeftClothDef* cloth, const WeftPlane* plane, double tolerance,
                            int* images, WeftSymmetry* symmetry, WeftError* error) {
    wf_assert(cloth && plane);
    WeftAllocator memory = wf_allocator(NULL);
    WeftSymmetry ignored;
    WeftResult result = check_input(&memory, cloth, plane, tolerance, error);
    if (result) return result;
    result =
        wf_find_images(&memory, cloth, plane, tolerance, images, symmetry ? symmetry : &ignored);
    return result ? wf_fail_memory(error) : WEFT_OK;
}
