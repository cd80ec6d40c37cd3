// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/origin.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "mesh/tear.h"
#include "sim/skin.h"

// ---------------------------------------------------------------------------------------------
// What can be torn

bool wf_is_tearable(const WeftModelDef* def) {
    bool loads = false;
    for (int c = 0; c < def->cloth_count; c++) loads = loads || def->cloths[c].tear_load != 0;
    return def->tearable || loads;
}

static const double MOST_LOAD = 1e12;  // N/m

static WeftResult refuse_cloth(const WeftClothDef* cloth, WeftError* error) {
    if (!(cloth->tear_load >= 0 && cloth->tear_load <= MOST_LOAD))
        return wf_fail(error, WEFT_ERROR_INPUT, "tear_load is %g N/m; it must be 0 to %g",
                       cloth->tear_load, MOST_LOAD);
    for (int t = 0; t < cloth->thread_count; t++)
        if (cloth->threads[t].kind == WEFT_THREAD_WARP ||
            cloth->threads[t].kind == WEFT_THREAD_WEFT)
            return wf_fail(error, WEFT_ERROR_COMBINATION,
                           "thread %d is a warp or weft thread, and woven cloth cannot be torn; "
                           "leave the threads out, or `tearable` and `tear_load`",
                           t);
    return WEFT_OK;
}

WeftResult wf_refuse_tearing(const WeftModelDef* def, WeftError* error) {
    if (!wf_is_tearable(def)) return WEFT_OK;
    if (def->mirror.kind != WEFT_MIRROR_NONE)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "a model with a mirror cannot be torn: leave the mirror out, or `tearable` "
                       "and `tear_load`");
    for (int c = 0; c < def->cloth_count; c++) {
        WeftResult result = refuse_cloth(&def->cloths[c], error);
        if (result) return wf_fail_prefix(error, result, "cloth %d: ", c);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Arrays

// At most so many arrays has a cloth of its own.
enum { MOST_ARRAYS = 20 };

static WfOrigin* create_empty(const WeftAllocator* allocator, const WeftModelDef* def) {
    WfOrigin* o = wf_alloc(allocator, 1, sizeof *o);
    if (!o) return NULL;
    o->def = *def;
    o->def.bodies = NULL;
    o->def.body_count = 0;
    o->array_capacity = MOST_ARRAYS * def->cloth_count;
    o->cloths = wf_alloc(allocator, (size_t)def->cloth_count, sizeof *o->cloths);
    o->arrays = wf_alloc(allocator, (size_t)o->array_capacity, sizeof *o->arrays);
    if (!o->cloths || !o->arrays) {
        wf_origin_destroy(allocator, o);
        return NULL;
    }
    memcpy(o->cloths, def->cloths, (size_t)def->cloth_count * sizeof *o->cloths);
    o->def.cloths = o->cloths;
    return o;
}

void wf_origin_destroy(const WeftAllocator* allocator, WfOrigin* o) {
    if (!o) return;
    for (int i = 0; i < o->array_count; i++) wf_free(allocator, o->arrays[i]);
    wf_free(allocator, o->arrays);
    wf_free(allocator, o->cloths);
    wf_free(allocator, o->held);
    wf_free(allocator, o->let_go);
    wf_free(allocator, o);
}

// Memory that goes with the origin; NULL where there is none left.
static void* own(const WeftAllocator* allocator, WfOrigin* o, size_t count, size_t size) {
    void* array = wf_alloc(allocator, count, size);
    if (array) o->arrays[o->array_count++] = array;
    return array;
}

// A copy, or NULL of NULL. *good is cleared without memory.
static void* keep(const WeftAllocator* allocator, WfOrigin* o, const void* array, int count,
                  size_t size, bool* good) {
    if (!array) return NULL;
    void* copy = own(allocator, o, (size_t)count, size);
    if (copy && count > 0) memcpy(copy, array, (size_t)count * size);
    *good = *good && copy;
    return copy;
}

static bool keep_cloth(const WeftAllocator* a, WfOrigin* o, WeftClothDef* c) {
    bool good = true;
    int n = c->vertex_count, corners = 3 * c->triangle_count;
    c->positions = keep(a, o, c->positions, n, 3 * sizeof(double), &good);
    c->material = keep(a, o, c->material, c->material_count, 2 * sizeof(double), &good);
    c->triangles = keep(a, o, c->triangles, corners, sizeof(int), &good);
    c->triangle_material = keep(a, o, c->triangle_material, corners, sizeof(int), &good);
    c->springs = keep(a, o, c->springs, c->spring_count, sizeof(WeftSpring), &good);
    c->threads = keep(a, o, c->threads, c->thread_count, sizeof(WeftThread), &good);
    c->thread_vertices = keep(a, o, c->thread_vertices, c->thread_vertex_count, sizeof(int), &good);
    c->fabrics = keep(a, o, c->fabrics, c->fabric_count, sizeof(WeftFabric), &good);
    c->triangle_fabric = keep(a, o, c->triangle_fabric, c->triangle_count, sizeof(int), &good);
    c->stretch_scale = keep(a, o, c->stretch_scale, n, sizeof(double), &good);
    c->bend_scale = keep(a, o, c->bend_scale, n, sizeof(double), &good);
    c->density_scale = keep(a, o, c->density_scale, n, sizeof(double), &good);
    c->pins = keep(a, o, c->pins, c->pin_count, sizeof(int), &good);
    c->max_distance = keep(a, o, c->max_distance, n, sizeof(double), &good);
    c->backstop_radius = keep(a, o, c->backstop_radius, n, sizeof(double), &good);
    c->backstop_distance = keep(a, o, c->backstop_distance, n, sizeof(double), &good);
    c->drive_stiffness = keep(a, o, c->drive_stiffness, n, sizeof(double), &good);
    c->drive_damping = keep(a, o, c->drive_damping, n, sizeof(double), &good);
    // the model has them
    c->bones = NULL;
    c->vertex_bones = NULL;
    c->vertex_weights = NULL;
    c->images = NULL;
    return good;
}

static bool mark_held(const WeftAllocator* allocator, WfOrigin* o) {
    int count = 0;
    for (int c = 0; c < o->def.cloth_count; c++) count += o->cloths[c].vertex_count;
    o->held = wf_alloc(allocator, (size_t)count, 1);
    if (!o->held) return false;
    for (int c = 0, first = 0; c < o->def.cloth_count; c++) {
        const WeftClothDef* cloth = &o->cloths[c];
        for (int t = 0; t < cloth->thread_count; t++)
            for (int i = 0; i < cloth->threads[t].count; i++)
                o->held[first + cloth->thread_vertices[cloth->threads[t].first + i]] = 1;
        first += cloth->vertex_count;
    }
    return true;
}

WeftResult wf_origin_create(const WeftAllocator* allocator, const WeftModelDef* def,
                            WfOrigin** origin) {
    *origin = NULL;
    WfOrigin* o = create_empty(allocator, def);
    bool good = o != NULL;
    for (int c = 0; c < def->cloth_count && good; c++)
        good = keep_cloth(allocator, o, &o->cloths[c]);
    if (good) good = mark_held(allocator, o);
    if (good)
        *origin = o;
    else
        wf_origin_destroy(allocator, o);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Torn cloth

// One cloth of a torn model: its vertices, which they were at first, by the numbers of the cloth.
typedef struct Torn {
    const WeftAllocator* allocator;
    WfOrigin* origin;
    int count;
    const int* from;
    bool good;
} Torn;

// What vertices had at first, `width` doubles each.
static double* gather(Torn* t, const double* values, int width) {
    if (!values || !t->good) return NULL;
    double* out = own(t->allocator, t->origin, (size_t)t->count * (size_t)width, sizeof(double));
    t->good = out != NULL;
    for (int i = 0; i < t->count && out; i++)
        memcpy(out + (long)i * width, values + (long)t->from[i] * width,
               (size_t)width * sizeof(double));
    return out;
}

// What was split from a pin is one, too.
static void tear_pins(Torn* t, WeftClothDef* cloth) {
    int *pins = own(t->allocator, t->origin, (size_t)t->count, sizeof(int)), count = 0;
    unsigned char* pinned = wf_alloc(t->allocator, (size_t)cloth->vertex_count, 1);
    t->good = t->good && pins && pinned;
    for (int i = 0; i < cloth->pin_count && t->good; i++) pinned[cloth->pins[i]] = 1;
    for (int i = 0; i < t->count && t->good; i++)
        if (pinned[t->from[i]]) pins[count++] = i;
    wf_free(t->allocator, pinned);
    cloth->pins = pins;
    cloth->pin_count = count;
}

static void tear_springs(Torn* t, WeftClothDef* cloth, const int* triangles) {
    WeftSpring* springs = NULL;
    int count = 0;
    if (!cloth->springs || !t->good) return;
    t->good =
        !wf_split_springs(t->allocator, cloth, t->count, triangles, t->from, &count, &springs);
    if (springs) t->origin->arrays[t->origin->array_count++] = springs;
    cloth->springs = springs;
    cloth->spring_count = count;
}

// ---------------------------------------------------------------------------------------------
// Skins. What is cut off from all that is held would hang in the air at the ends of its leashes.

static int root_of(int* roots, int i) {
    while (roots[i] != i) i = roots[i] = roots[roots[i]];
    return i;
}

static void join(int* roots, int a, int b) {
    int low = root_of(roots, a), high = root_of(roots, b);
    if (low < high)
        roots[high] = low;
    else
        roots[low] = high;
}

// Pieces that triangles and threads join: the first vertex of each one's.
static void find_pieces(const WeftClothDef* cloth, int* roots) {
    for (int i = 0; i < cloth->vertex_count; i++) roots[i] = i;
    for (int k = 0; k < 3 * cloth->triangle_count; k++)
        join(roots, cloth->triangles[k], cloth->triangles[k - k % 3]);
    for (int t = 0; t < cloth->thread_count; t++) {
        const int* v = cloth->thread_vertices + cloth->threads[t].first;
        for (int i = 1; i < cloth->threads[t].count; i++) join(roots, v[0], v[i]);
    }
    for (int i = 0; i < cloth->vertex_count; i++) roots[i] = root_of(roots, i);
}

// Which vertices are of a piece that is held. roots: scratch.
static void find_held(const WeftClothDef* cloth, int* roots, unsigned char* held) {
    find_pieces(cloth, roots);
    memset(held, 0, (size_t)cloth->vertex_count);
    for (int i = 0; i < cloth->pin_count; i++) held[roots[cloth->pins[i]]] = 1;
    for (int i = 0; i < cloth->vertex_count && cloth->max_distance; i++)
        if (cloth->max_distance[i] == 0) held[roots[i]] = 1;
    for (int i = 0; i < cloth->vertex_count; i++) held[i] = held[roots[i]];
}

// A vertex is let go where its piece was held, and is no longer.
static void find_let_go(Torn* t, const WeftClothDef* whole, const WeftClothDef* cloth,
                        unsigned char* let_go) {
    int* roots = wf_alloc(t->allocator, (size_t)t->count, sizeof(int));
    unsigned char* held = wf_alloc(t->allocator, (size_t)whole->vertex_count, 1);
    t->good = t->good && roots && held;
    if (t->good) {
        find_held(whole, roots, held);
        find_held(cloth, roots, let_go);
        for (int i = 0; i < t->count; i++) let_go[i] = held[t->from[i]] && !let_go[i];
    }
    wf_free(t->allocator, roots);
    wf_free(t->allocator, held);
}

static void gather_map(Torn* t, const unsigned char* let_go, double without, const double** map) {
    double* own_map = gather(t, *map, 1);
    for (int i = 0; i < t->count && own_map; i++)
        if (let_go[i]) own_map[i] = without;
    *map = own_map;
}

// Copies keep to the skin of the vertex that they were split from. let_go: of the cloth.
static void tear_skin(Torn* t, const WeftClothDef* whole, WeftClothDef* cloth,
                      unsigned char* let_go) {
    double* distances = gather(t, cloth->max_distance, 1);
    cloth->max_distance = distances;
    if (t->good) find_let_go(t, whole, cloth, let_go);
    for (int i = 0; i < t->count && t->good && distances; i++)
        if (let_go[i]) distances[i] = -1;
    gather_map(t, let_go, 0, &cloth->backstop_radius);
    gather_map(t, let_go, 0, &cloth->backstop_distance);
    gather_map(t, let_go, 0, &cloth->drive_stiffness);
    gather_map(t, let_go, 0, &cloth->drive_damping);
}

// ---------------------------------------------------------------------------------------------

// first: of the cloth, in the torn model. triangles: of the cloth, numbered through.
static void tear_cloth(Torn* t, WeftClothDef* cloth, int first, const int* triangles) {
    WeftClothDef whole = *cloth;
    int corners = 3 * cloth->triangle_count;
    int* own_triangles = own(t->allocator, t->origin, (size_t)corners, sizeof(int));
    t->good = own_triangles != NULL;
    for (int k = 0; k < corners && t->good; k++) own_triangles[k] = triangles[k] - first;
    tear_springs(t, cloth, own_triangles);
    if (t->good) tear_pins(t, cloth);
    cloth->positions = gather(t, cloth->positions, 3);
    if (cloth->material && !cloth->triangle_material) {
        cloth->material = gather(t, cloth->material, 2);
        cloth->material_count = t->count;
    }
    cloth->stretch_scale = gather(t, cloth->stretch_scale, 1);
    cloth->bend_scale = gather(t, cloth->bend_scale, 1);
    cloth->density_scale = gather(t, cloth->density_scale, 1);
    cloth->triangles = own_triangles;
    cloth->vertex_count = t->count;
    if (t->origin->let_go && t->good) tear_skin(t, &whole, cloth, t->origin->let_go + first);
    cloth->inflation = WEFT_INFLATION_NONE;  // it is open
}

static bool has_skins(const WeftModelDef* def) {
    for (int c = 0; c < def->cloth_count; c++)
        if (wf_cloth_has_skin(&def->cloths[c])) return true;
    return false;
}

WeftResult wf_origin_tear(const WeftAllocator* allocator, const WfOrigin* whole, const int* first,
                          const int* from, const int* triangles, WfOrigin** torn) {
    *torn = NULL;
    int count = whole->def.cloth_count, old_first = 0;
    WfOrigin* o = create_empty(allocator, &whole->def);
    int* local = wf_alloc(allocator, (size_t)first[count], sizeof(int));
    bool good = o && local;
    if (good && has_skins(&whole->def)) {
        o->let_go = wf_alloc(allocator, (size_t)first[count], 1);
        good = o->let_go != NULL;
    }
    for (int c = 0; c < count && good; c++) {
        WeftClothDef* cloth = &o->cloths[c];
        int old_count = cloth->vertex_count;
        Torn t = {allocator, o, first[c + 1] - first[c], local + first[c], true};
        for (int i = first[c]; i < first[c + 1]; i++) local[i] = from[i] - old_first;
        if (t.count > old_count) tear_cloth(&t, cloth, first[c], triangles);
        good = t.good;
        triangles += 3L * cloth->triangle_count;
        old_first += old_count;
    }
    wf_free(allocator, local);
    if (good)
        *torn = o;
    else
        wf_origin_destroy(allocator, o);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}
