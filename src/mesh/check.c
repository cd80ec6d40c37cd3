// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/check.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/hilbert.h"

#define LARGEST 1e6    // m; beyond it, doubles no longer hold micrometres with room to spare
#define SLIVER 1e-6    // least area over the square of the longest edge: 2 micrometres per metre
#define STRONGEST 1e9  // N, of bands
#define SPECK 1e-9     // least area over the mean squared edge of the mesh

static bool has_rope(const WeftClothDef* cloth) {
    for (int t = 0; t < cloth->thread_count; t++)
        if (cloth->threads[t].kind == WEFT_THREAD_ROPE) return true;
    return false;
}

static WeftResult check_arrays(const WeftClothDef* cloth, WeftError* error) {
    if (cloth->vertex_count <= 0 || !cloth->positions)
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no vertices");
    if (cloth->triangle_count < 0 || (cloth->triangle_count > 0 && !cloth->triangles))
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no triangles, but a count of %d",
                       cloth->triangle_count);
    if (cloth->thread_count < 0 || (cloth->thread_count > 0 && !cloth->threads))
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no threads, but a count of %d",
                       cloth->thread_count);
    if (cloth->thread_count > 0 && (cloth->thread_vertex_count <= 0 || !cloth->thread_vertices))
        return wf_fail(error, WEFT_ERROR_INPUT, "there are threads, but no thread vertices");
    if (cloth->triangle_count == 0 && !has_rope(cloth))
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no triangles and no ropes");
    if (cloth->triangle_count == 0 && cloth->material)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "there is material, but there are no triangles: a rope is at rest as its "
                       "positions have it");
    if (cloth->triangle_material && !cloth->material)
        return wf_fail(error, WEFT_ERROR_INPUT, "triangle_material is given, but no material");
    if (cloth->material && cloth->material_count <= 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no material points");
    if (cloth->material && !cloth->triangle_material &&
        cloth->material_count != cloth->vertex_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "there are %d vertices, but %d material points",
                       cloth->vertex_count, cloth->material_count);
    if (cloth->spring_count < 0 || (cloth->spring_count > 0 && !cloth->springs))
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no springs, but a count of %d",
                       cloth->spring_count);
    if (cloth->pin_count < 0 || (cloth->pin_count > 0 && !cloth->pins))
        return wf_fail(error, WEFT_ERROR_INPUT, "there are no pins, but a count of %d",
                       cloth->pin_count);
    return WEFT_OK;
}

static WeftResult check_numbers(const double* numbers, int count, int per_item, const char* name,
                                WeftError* error) {
    for (long i = 0; i < (long)count * per_item; i++) {
        int item = (int)(i / per_item);
        if (!isfinite(numbers[i]))
            return wf_fail(error, WEFT_ERROR_INPUT, "%s %d is not a number", name, item);
        if (fabs(numbers[i]) > LARGEST)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s %d is more than %g m away from zero", name,
                           item, LARGEST);
    }
    return WEFT_OK;
}

static WeftResult check_indices(const int* triangles, int triangle_count, int point_count,
                                const char* name, WeftError* error) {
    for (long i = 0; i < 3 * (long)triangle_count; i++)
        if (triangles[i] < 0 || triangles[i] >= point_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d names %s %d, but there are %d",
                           (int)(i / 3), name, triangles[i], point_count);
    return WEFT_OK;
}

static WfVec flat_corner(const WeftClothDef* cloth, int t, int k) {
    long i = 3 * (long)t + k;
    if (!cloth->material) return wf_load(cloth->positions, cloth->triangles[i]);
    long p = cloth->triangle_material ? cloth->triangle_material[i] : cloth->triangles[i];
    return (WfVec){cloth->material[2 * p], cloth->material[2 * p + 1], 0};
}

typedef struct Shape {
    WfVec normal;     // its length is twice the area
    double edges[3];  // squared lengths
    double longest;   // the largest of them
} Shape;

static Shape flat_shape(const WeftClothDef* cloth, int t) {
    WfVec x[3] = {flat_corner(cloth, t, 0), flat_corner(cloth, t, 1), flat_corner(cloth, t, 2)};
    Shape shape = {.normal = wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0]))};
    for (int k = 0; k < 3; k++) {
        WfVec e = wf_sub(x[(k + 1) % 3], x[k]);
        shape.edges[k] = wf_dot(e, e);
        shape.longest = fmax(shape.longest, shape.edges[k]);
    }
    return shape;
}

static WeftResult check_areas(const WeftClothDef* cloth, WeftError* error) {
    double sum = 0;
    for (int t = 0; t < cloth->triangle_count; t++) {
        Shape shape = flat_shape(cloth, t);
        sum += (shape.edges[0] + shape.edges[1] + shape.edges[2]) / 3;
    }
    double speck = SPECK * sum / cloth->triangle_count;
    for (int t = 0; t < cloth->triangle_count; t++) {
        Shape shape = flat_shape(cloth, t);
        double area = wf_length(shape.normal) / 2;
        if (!(area > speck && area > SLIVER * shape.longest))
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d has no area", t);
    }
    return WEFT_OK;
}

// In a flat shape of its own, every triangle must show the same side.
static WeftResult check_sides(const WeftClothDef* cloth, WeftError* error) {
    int up = 0, n = cloth->triangle_count;
    for (int t = 0; t < n; t++) up += flat_shape(cloth, t).normal.z > 0;
    bool majority = up >= n - up;
    for (int t = 0; t < n && up != 0 && up != n; t++)
        if ((flat_shape(cloth, t).normal.z > 0) != majority)
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d is turned over in the flat shape",
                           t);
    return WEFT_OK;
}

// Start over rest of the edge in the middle; 0 where no edge has a length at rest.
static WeftResult median_stretch(const WeftAllocator* allocator, const WeftClothDef* cloth,
                                 double* median) {
    int corners = 3 * cloth->triangle_count, count = 0;
    WfKey* keys = wf_alloc(allocator, (size_t)corners, sizeof *keys);
    WfKey* spare = wf_alloc(allocator, (size_t)corners, sizeof *spare);
    bool good = keys && spare;
    *median = 0;
    for (int h = 0; h < corners && good; h++) {
        int t = h / 3, k = h % 3, next = (k + 1) % 3;
        const int* v = cloth->triangles + 3 * (long)t;
        WfVec start = wf_sub(wf_load(cloth->positions, v[next]), wf_load(cloth->positions, v[k]));
        WfVec flat = wf_sub(flat_corner(cloth, t, next), flat_corner(cloth, t, k));
        double ratio = wf_length(start) / wf_length(flat);
        if (!isfinite(ratio)) continue;
        memcpy(&keys[count++].key, &ratio, sizeof ratio);  // positive numbers sort by their bits
    }
    if (count > 0) {
        wf_sort_keys(keys, spare, count);
        memcpy(median, &keys[count / 2].key, sizeof *median);
    }
    wf_free(allocator, keys);
    wf_free(allocator, spare);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

#define LONGEST_START 4.0   // times its length at rest, more than any cloth survives
#define SHORTEST_START 0.1  // folded cloth keeps its edges; what is pressed further is a slip,
#define COLLAPSED 1e-6      // or pressed to a point

// The power of ten that is near, else the number itself.
static double round_factor(double factor) {
    for (double ten = 1e-6; ten < 1e7; ten *= 10)
        if (factor > ten / 1.6 && factor < 1.6 * ten)
            return ten < 1 ? 1 / floor(1 / ten + 0.5) : ten;
    return factor;
}

WeftResult wf_check_rest_size(const WeftAllocator* allocator, const WeftClothDef* cloth,
                              WeftError* error) {
    if (!cloth->material || cloth->triangle_count == 0) return WEFT_OK;
    double ratio;
    if (median_stretch(allocator, cloth, &ratio)) return wf_fail_memory(error);
    double factor = round_factor(ratio);
    bool longer = ratio > 1;
    if (ratio <= COLLAPSED || (ratio >= SHORTEST_START && ratio <= LONGEST_START)) return WEFT_OK;
    const char* unit = factor == 0.01    ? " look like centimetres"
                       : factor == 0.001 ? " look like millimetres"
                                         : " are in another unit";
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "the cloth starts %.3g times %s than its flat rest shape (the median of its "
                   "edges), so the texture coordinates%s: multiply them by %.3g, or leave the rest "
                   "shape out",
                   longer ? ratio : 1 / ratio, longer ? "longer" : "shorter", unit, factor);
}

static WeftResult check_use(const WeftClothDef* cloth, const WeftAllocator* allocator,
                            WeftError* error) {
    unsigned char* used = wf_alloc(allocator, (size_t)cloth->vertex_count, 1);
    if (!used) return wf_fail_memory(error);
    WeftResult result = WEFT_OK;
    for (long i = 0; i < 3 * (long)cloth->triangle_count; i++) used[cloth->triangles[i]] = 1;
    for (int t = 0; t < cloth->thread_count; t++)
        for (int i = 0; i < cloth->threads[t].count; i++)
            if (cloth->threads[t].kind == WEFT_THREAD_ROPE)
                used[cloth->thread_vertices[cloth->threads[t].first + i]] = 1;
    for (int v = 0; v < cloth->vertex_count && !result; v++)
        if (!used[v])
            result = wf_fail(error, WEFT_ERROR_INPUT,
                             cloth->thread_count > 0 ? "vertex %d is in no triangle and in no rope"
                                                     : "vertex %d is in no triangle",
                             v);
    wf_free(allocator, used);
    return result;
}

static double space_length(const WeftClothDef* cloth, int a, int b) {
    return wf_length(wf_sub(wf_load(cloth->positions, a), wf_load(cloth->positions, b)));
}

static double flat_length(const WeftClothDef* cloth, int a, int b) {
    if (!cloth->material || cloth->triangle_material) return space_length(cloth, a, b);
    const double *p = cloth->material + 2 * (long)a, *q = cloth->material + 2 * (long)b;
    return wf_flat_length(p[0] - q[0], p[1] - q[1]);
}

static WeftResult check_springs(const WeftClothDef* cloth, WeftError* error) {
    for (int i = 0; i < cloth->spring_count; i++) {
        WeftSpring s = cloth->springs[i];
        int least = s.a < s.b ? s.a : s.b, most = s.a < s.b ? s.b : s.a;
        if (least < 0 || most >= cloth->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "spring %d names vertex %d, but there are %d",
                           i, least < 0 ? least : most, cloth->vertex_count);
        if ((int)s.kind < 0 || s.kind > WEFT_SPRING_BEND)
            return wf_fail(error, WEFT_ERROR_INPUT, "spring %d has a kind that does not exist, %d",
                           i, (int)s.kind);
        if (s.a == s.b)
            return wf_fail(error, WEFT_ERROR_INPUT, "spring %d joins vertex %d to itself", i, s.a);
        if (!(flat_length(cloth, s.a, s.b) > 0))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "spring %d joins vertices %d and %d, which are at the same place", i,
                           s.a, s.b);
    }
    return WEFT_OK;
}

static int smaller_end(WeftSpring s) { return s.a < s.b ? s.a : s.b; }
static int larger_end(WeftSpring s) { return s.a < s.b ? s.b : s.a; }

// Springs in chains by their smaller vertex; within a chain, `seen` holds the last spring to each
// larger vertex. Both are 1 + spring, so that 0 ends a chain.
static WeftResult check_twins(const WeftClothDef* cloth, const WeftAllocator* allocator,
                              WeftError* error) {
    size_t vertices = (size_t)cloth->vertex_count;
    int* first = wf_alloc(allocator, vertices, sizeof *first);
    int* seen = wf_alloc(allocator, vertices, sizeof *seen);
    int* next = wf_alloc(allocator, (size_t)cloth->spring_count, sizeof *next);
    WeftResult result = first && seen && next ? WEFT_OK : wf_fail_memory(error);
    if (result) goto done;
    for (int i = cloth->spring_count - 1; i >= 0; i--) {
        int a = smaller_end(cloth->springs[i]);
        next[i] = first[a];
        first[a] = 1 + i;
    }
    for (int a = 0; a < cloth->vertex_count; a++) {
        for (int i = first[a]; i > 0; i = next[i - 1]) {
            int b = larger_end(cloth->springs[i - 1]), twin = seen[b];
            seen[b] = i;
            if (twin == 0 || smaller_end(cloth->springs[twin - 1]) != a) continue;
            result =
                wf_fail(error, WEFT_ERROR_INPUT, "springs %d and %d both join vertices %d and %d",
                        twin - 1, i - 1, a, b);
            goto done;
        }
    }

done:
    wf_free(allocator, first);
    wf_free(allocator, seen);
    wf_free(allocator, next);
    return result;
}

static WeftResult check_thread(const WeftClothDef* cloth, int t, WeftError* error) {
    WeftThread thread = cloth->threads[t];
    bool woven = thread.kind == WEFT_THREAD_WARP || thread.kind == WEFT_THREAD_WEFT;
    if ((int)thread.kind < 0 || thread.kind > WEFT_THREAD_FOLD)
        return wf_fail(error, WEFT_ERROR_INPUT, "thread %d has a kind that does not exist, %d", t,
                       (int)thread.kind);
    if (thread.count < 2)
        return wf_fail(error, WEFT_ERROR_INPUT, "thread %d needs two vertices at least, not %d", t,
                       thread.count);
    if (thread.first < 0 || thread.first > cloth->thread_vertex_count - thread.count)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "thread %d takes thread vertices %d to %lld, but there are %d", t,
                       thread.first, (long long)thread.first + thread.count - 1,
                       cloth->thread_vertex_count);
    if (woven && !(thread.width > 0 && thread.width <= LARGEST))
        return wf_fail(error, WEFT_ERROR_INPUT, "thread %d has a width of %g m; it stands for none",
                       t, thread.width);
    if (thread.kind != WEFT_THREAD_BAND) return WEFT_OK;
    if (!(thread.ratio > 0 && thread.ratio <= 1))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "thread %d, a band, has a ratio of %g; it is above 0 and at most 1", t,
                       thread.ratio);
    if (!(thread.stretch > 0 && thread.stretch <= STRONGEST))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "thread %d, a band, has a stretch of %g N; it is above 0 and at most %g", t,
                       thread.stretch, STRONGEST);
    return WEFT_OK;
}

static WeftResult check_chain(const WeftClothDef* cloth, int t, WeftError* error) {
    const int* v = cloth->thread_vertices + cloth->threads[t].first;
    bool rope = cloth->threads[t].kind == WEFT_THREAD_ROPE;
    for (int i = 0; i < cloth->threads[t].count; i++) {
        if (v[i] < 0 || v[i] >= cloth->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "thread %d names vertex %d, but there are %d",
                           t, v[i], cloth->vertex_count);
        if (i > 0 && v[i] == v[i - 1])
            return wf_fail(error, WEFT_ERROR_INPUT, "thread %d names vertex %d twice in a row", t,
                           v[i]);
        if (i > 1 && v[i] == v[i - 2])
            return wf_fail(error, WEFT_ERROR_INPUT, "thread %d turns back to vertex %d", t, v[i]);
        if (i > 0 && !((rope ? space_length : flat_length)(cloth, v[i - 1], v[i]) > 0))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "thread %d joins vertices %d and %d, which are at the same place", t,
                           v[i - 1], v[i]);
    }
    return WEFT_OK;
}

static WeftResult check_threads(const WeftClothDef* cloth, WeftError* error) {
    long long segments = 0;
    for (int t = 0; t < cloth->thread_count; t++) {
        WeftResult result = check_thread(cloth, t, error);
        if (!result) result = check_chain(cloth, t, error);
        if (result) return result;
        segments += cloth->threads[t].count - 1;
    }
    if (segments > INT_MAX / 64)  // threads may share what they name
        return wf_fail(error, WEFT_ERROR_INPUT, "%lld segments of threads are too many", segments);
    return WEFT_OK;
}

static WeftResult check_pins(const WeftClothDef* cloth, WeftError* error) {
    for (int i = 0; i < cloth->pin_count; i++)
        if (cloth->pins[i] < 0 || cloth->pins[i] >= cloth->vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "pin %d names vertex %d, but there are %d", i,
                           cloth->pins[i], cloth->vertex_count);
    return WEFT_OK;
}

WeftResult wf_check_cloth(const WeftAllocator* allocator, const WeftClothDef* cloth,
                          WeftError* error) {
    int triangles = cloth->triangle_count, vertices = cloth->vertex_count;
    WeftResult result = check_arrays(cloth, error);
    if (!result) result = check_numbers(cloth->positions, vertices, 3, "position of vertex", error);
    if (!result && cloth->material)
        result = check_numbers(cloth->material, cloth->material_count, 2, "material point", error);
    if (!result) result = check_indices(cloth->triangles, triangles, vertices, "vertex", error);
    if (!result && cloth->triangle_material)
        result = check_indices(cloth->triangle_material, triangles, cloth->material_count,
                               "material point", error);
    if (!result) result = check_threads(cloth, error);
    if (!result) result = check_areas(cloth, error);
    if (!result && cloth->material) result = check_sides(cloth, error);
    if (!result) result = wf_check_rest_size(allocator, cloth, error);
    if (!result) result = check_use(cloth, allocator, error);
    if (!result) result = check_springs(cloth, error);
    if (!result && cloth->spring_count > 0) result = check_twins(cloth, allocator, error);
    if (!result) result = check_pins(cloth, error);
    return result;
}
