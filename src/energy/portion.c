// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "energy/portion.h"

#include <string.h>

#include "energy/fibre.h"
#include "material/fabric.h"

enum { SLOTS = WEFT_MAX_FABRICS + 1 };  // fabrics that differ: `fabric` of the cloth, and others

typedef struct Split {
    const WfClothParts* whole;
    int fabric_count;  // that are there, and differ
    const WeftFabric* fabrics[SLOTS];
    int* number;                 // in `fabrics`: of triangle_fabric + 1; -1: not there
    int between[SLOTS][SLOTS];   // portions; -1: none yet
    int ends[SLOTS * SLOTS][2];  // of portions: the fabrics between which they are
    int count;                   // of portions
    int *of_triangle, *of_hinge, *of_spring;
} Split;

// ---------------------------------------------------------------------------------------------
// Fabrics

static int number_of(Split* s, const WeftFabric* fabric) {
    for (int i = 0; i < s->fabric_count; i++)
        if (memcmp(s->fabrics[i], fabric, sizeof *fabric) == 0) return i;
    s->fabrics[s->fabric_count] = fabric;
    return s->fabric_count++;
}

// Those that are there, without those that are equal to others. `fabric` of the cloth is the first,
// also where only threads are made of it.
static bool find_fabrics(const WeftAllocator* allocator, Split* s) {
    const WeftClothDef* cloth = s->whole->def;
    int count = cloth->triangle_fabric ? cloth->fabric_count : 0;
    int* number = s->number = wf_alloc(allocator, (size_t)count + 1, sizeof *number);
    if (!number) return false;
    number[0] = cloth->thread_count > 0 || !cloth->triangle_fabric;  // first, whether it is there
    for (int t = 0; cloth->triangle_fabric && t < cloth->triangle_count; t++)
        number[cloth->triangle_fabric[t] + 1] = 1;
    for (int f = 0; f <= count; f++) {
        const WeftFabric* fabric = f == 0 ? &cloth->fabric : &cloth->fabrics[f - 1];
        number[f] = number[f] ? number_of(s, fabric) : -1;
    }
    return true;
}

int wf_most_portions(const WeftClothDef* cloth) {
    int fabrics = cloth->triangle_fabric ? cloth->fabric_count + 1 : 1;
    if (fabrics > SLOTS) fabrics = SLOTS;
    return fabrics * (fabrics + 1) / 2;
}

// All numbers of a fabric are doubles, and so are those of its tables.
static WeftFabric mean_fabric(const WeftFabric* a, const WeftFabric* b) {
    enum { NUMBERS = sizeof(WeftFabric) / sizeof(double) };
    double x[NUMBERS], y[NUMBERS];
    WeftFabric mean;
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (int i = 0; i < NUMBERS; i++) x[i] = (x[i] + y[i]) / 2;
    memcpy(&mean, x, sizeof mean);
    return mean;
}

// Between two fabrics: the mean strain, unless one of them never gives way.
static double give_between(const WeftFabric* a, const WeftFabric* b, bool rope) {
    double first = wf_give_strain(a, rope), second = wf_give_strain(b, rope);
    return first > 0 && second > 0 ? (first + second) / 2 : 0;
}

// ---------------------------------------------------------------------------------------------
// What belongs to which portion

static int portion_between(Split* s, int a, int b) {
    int* own = &s->between[a < b ? a : b][a < b ? b : a];
    if (*own < 0) {
        s->ends[s->count][0] = a;
        s->ends[s->count][1] = b;
        *own = s->count++;
    }
    return *own;
}

// -1: no triangle, as at ropes
static int fabric_of_triangle(const Split* s, int t) {
    return s->number[t < 0 ? 0 : s->whole->def->triangle_fabric[t] + 1];
}

// The triangle at a vertex whose fabric comes first.
static int first_triangle(const Split* s, int vertex) {
    const WfTopology* topology = s->whole->topology;
    int first = -1;
    for (int k = topology->star_start[vertex]; k < topology->star_start[vertex + 1]; k++) {
        int t = topology->star[k];
        if (first < 0 || fabric_of_triangle(s, t) < fabric_of_triangle(s, first)) first = t;
    }
    return first;
}

// A spring along an edge lies between the triangles of the edge; one across triangles, between the
// fabrics of its ends.
static int portion_of_spring(Split* s, const WfRestSpring* spring) {
    const WfTopology* topology = s->whole->topology;
    int edge = wf_topology_edge(topology, spring->a, spring->b);
    int first = first_triangle(s, spring->a), second = first_triangle(s, spring->b);
    if (edge >= 0) {
        const int* sides = topology->edge_triangles + 2 * (long)edge;
        first = sides[0];
        second = sides[1] < 0 ? first : sides[1];
    }
    return portion_between(s, fabric_of_triangle(s, first), fabric_of_triangle(s, second));
}

static void find_portions(Split* s) {
    const WfClothParts* whole = s->whole;
    memset(s->between, -1, sizeof s->between);
    for (int f = 0; f < s->fabric_count; f++) portion_between(s, f, f);
    for (int t = 0; t < whole->def->triangle_count; t++)
        s->of_triangle[t] = fabric_of_triangle(s, t);
    for (int h = 0; h < whole->topology->hinge_count; h++) {
        const int* t = whole->topology->hinges[h].triangles;
        s->of_hinge[h] =
            portion_between(s, fabric_of_triangle(s, t[0]), fabric_of_triangle(s, t[1]));
    }
    for (int k = 0; k < whole->rest->spring_count; k++)
        s->of_spring[k] = portion_of_spring(s, &whole->rest->springs[k]);
}

static int count_of(const int* of, int count, int portion) {
    int found = 0;
    for (int i = 0; i < count; i++) found += of[i] == portion;
    return found;
}

// ---------------------------------------------------------------------------------------------
// Portions as cloths of their own

// Where the mesh brings springs for bending, hinges have none.
static int hinges_of(const Split* s, int portion) {
    const WfClothParts* whole = s->whole;
    bool springs =
        whole->def->bend_by == WEFT_BEND_BY_SPRINGS && wf_spring_count(whole->rest, true);
    return springs ? 0 : count_of(s->of_hinge, whole->topology->hinge_count, portion);
}

static void fill_triangles(const Split* s, int portion, WfPortion* p, int* triangles) {
    const WfRest* rest = s->whole->rest;
    for (int t = 0, e = 0; t < s->whole->def->triangle_count; t++) {
        if (s->of_triangle[t] != portion) continue;
        memcpy(triangles + 3 * (long)e, s->whole->def->triangles + 3 * (long)t,
               3 * sizeof *triangles);
        memcpy(p->rest.corners + 6 * (long)e, rest->corners + 6 * (long)t,
               6 * sizeof *rest->corners);
        p->rest.areas[e++] = rest->areas[t];
    }
}

static void fill_hinges(const Split* s, int portion, WfPortion* p) {
    for (int h = 0, e = 0; e < p->topology.hinge_count; h++) {
        if (s->of_hinge[h] != portion) continue;
        p->topology.hinges[e] = s->whole->topology->hinges[h];
        p->rest.hinges[e++] = s->whole->rest->hinges[h];
    }
}

static void fill_springs(const Split* s, int portion, WfPortion* p) {
    for (int k = 0, e = 0; k < s->whole->rest->spring_count; k++)
        if (s->of_spring[k] == portion) p->rest.springs[e++] = s->whole->rest->springs[k];
}

// The arrays of a portion; those that a term has no use for stay those of the whole cloth.
static void lay_out(const Split* s, int portion, WfArena* arena, WfPortion* p) {
    const WfClothParts* whole = s->whole;
    int triangles = count_of(s->of_triangle, whole->def->triangle_count, portion);
    int springs = count_of(s->of_spring, whole->rest->spring_count, portion);
    int hinges = hinges_of(s, portion);
    int* corners = wf_arena_push(arena, 3 * (size_t)triangles, sizeof *corners);
    p->rest = *whole->rest;
    p->topology = *whole->topology;
    p->rest.corners = wf_arena_push(arena, 6 * (size_t)triangles, sizeof *p->rest.corners);
    p->rest.areas = wf_arena_push(arena, (size_t)triangles, sizeof *p->rest.areas);
    p->rest.springs = wf_arena_push(arena, (size_t)springs, sizeof *p->rest.springs);
    p->rest.hinges = wf_arena_push(arena, (size_t)hinges, sizeof *p->rest.hinges);
    p->topology.hinges = wf_arena_push(arena, (size_t)hinges, sizeof *p->topology.hinges);
    p->rest.spring_count = springs;
    p->topology.hinge_count = hinges;
    p->def.triangles = corners;
    p->def.triangle_count = triangles;
    if (!arena->base) return;
    fill_triangles(s, portion, p, corners);
    fill_hinges(s, portion, p);
    fill_springs(s, portion, p);
}

static void start_portion(const Split* s, int portion, WfPortion* p) {
    const WeftFabric *a = s->fabrics[s->ends[portion][0]], *b = s->fabrics[s->ends[portion][1]];
    const WeftClothDef* cloth = s->whole->def;
    p->def = *cloth;
    p->def.fabric = a == b ? *a : mean_fabric(a, b);
    p->def.triangle_fabric = NULL;
    if (portion > 0) p->def.thread_count = 0;
    p->give = give_between(a, b, cloth->triangle_count == 0);
    p->parts = *s->whole;
    p->parts.def = &p->def;
    p->parts.portion += portion;
}

// Lays out all portions: with an arena of no memory, to measure.
static void lay_out_all(const Split* s, WfArena* arena, WfPortion* all) {
    for (int i = 0; i < s->count; i++) {
        WfPortion measured, *p = all ? &all[i] : &measured;
        if (all) start_portion(s, i, p);
        lay_out(s, i, arena, p);
        p->parts.topology = &p->topology;
        p->parts.rest = &p->rest;
        p->parts.whole = s->whole->def;
        p->parts.is_further = i > 0;
    }
}

static WeftResult split(const WeftAllocator* allocator, Split* s, WfPortions* portions) {
    const WfClothParts* whole = s->whole;
    int triangles = whole->def->triangle_count, hinges = whole->topology->hinge_count;
    size_t items = (size_t)triangles + (size_t)hinges + (size_t)whole->rest->spring_count;
    int* of = wf_alloc(allocator, items, sizeof *of);
    WeftResult result = WEFT_ERROR_MEMORY;
    WfArena arena = {0};
    if (!of) goto done;
    s->of_triangle = of, s->of_hinge = of + triangles, s->of_spring = of + triangles + hinges;
    find_portions(s);
    wf_arena_push(&arena, (size_t)triangles, sizeof *of);
    lay_out_all(s, &arena, NULL);
    portions->all = wf_alloc(allocator, (size_t)s->count, sizeof *portions->all);
    if (!portions->all || !wf_arena_create(&portions->arena, allocator, arena.used)) goto done;
    int* kept = wf_arena_push(&portions->arena, (size_t)triangles, sizeof *of);
    memcpy(kept, s->of_triangle, (size_t)triangles * sizeof *of);
    lay_out_all(s, &portions->arena, portions->all);
    portions->of_triangle = kept;
    portions->count = s->count;
    result = WEFT_OK;
done:
    wf_free(allocator, of);
    return result;
}

// A cloth of one fabric, as it is.
static WeftResult keep_whole(const WeftAllocator* allocator, Split* s, WfPortions* portions) {
    portions->all = wf_alloc(allocator, 1, sizeof *portions->all);
    if (!portions->all) return WEFT_ERROR_MEMORY;
    start_portion(s, 0, portions->all);
    portions->count = 1;
    return WEFT_OK;
}

WeftResult wf_portions_create(const WeftAllocator* allocator, const WfClothParts* whole,
                              WfPortions* portions) {
    *portions = (WfPortions){0};
    Split* s = wf_alloc(allocator, 1, sizeof *s);
    if (!s) return WEFT_ERROR_MEMORY;
    s->whole = whole;
    WeftResult result = WEFT_ERROR_MEMORY;
    if (find_fabrics(allocator, s))
        result = s->fabric_count > 1 ? split(allocator, s, portions)
                                     : keep_whole(allocator, s, portions);
    wf_free(allocator, s->number);
    wf_free(allocator, s);
    if (result) wf_portions_destroy(allocator, portions);
    return result;
}

void wf_portions_destroy(const WeftAllocator* allocator, WfPortions* portions) {
    wf_free(allocator, portions->all);
    wf_arena_destroy(&portions->arena, allocator);
    *portions = (WfPortions){0};
}
