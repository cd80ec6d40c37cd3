// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/half.h"

#include <string.h>

#include "base/error.h"
#include "base/links.h"
#include "base/vec.h"

bool wf_reaches_across(const signed char* sides, const int* vertices, int count) {
    int own = 0, other = 0;
    for (int i = 0; i < count; i++) {
        own += sides[vertices[i]] > 0;
        other += sides[vertices[i]] < 0;
    }
    return own > 0 && other > 0;
}

// Own side and plane.
static bool is_kept(const signed char* sides, const int* vertices, int count) {
    for (int i = 0; i < count; i++)
        if (sides[vertices[i]] < 0) return false;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Sides

// What is joined beside the plane is on one side of it, wherever it is: vertices may start on the
// other one, and cloth may start pressed into the plane. Each part is on the side on which most of
// it starts.
typedef struct Parts {
    int* links;       // of vertices (base/links.h)
    bool* turned;     // against the first of their part: they are its images
    double* heights;  // of parts, at the first of each: sum of those of its vertices
} Parts;

static void join_parts(const WfHalf* half, const int* images, Parts* parts) {
    const WeftClothDef* whole = half->whole;
    for (int i = 0; i < whole->vertex_count; i++) {
        parts->links[i] = i;
        parts->turned[i] = false;
        parts->heights[i] = 0;
    }
    for (int i = 0; i < whole->vertex_count; i++)
        if (images[i] > i) wf_link_faced(parts->links, parts->turned, i, images[i], true);
    for (long k = 0; k < 3L * whole->triangle_count; k++) {
        int i = whole->triangles[k], j = whole->triangles[k % 3 == 2 ? k - 2 : k + 1];
        if (images[i] != i && images[j] != j)
            wf_link_faced(parts->links, parts->turned, i, j, false);
    }
}

static void find_sides(WfHalf* half, const int* images, const double normal[3], Parts* parts) {
    const double* x = half->whole->positions;
    int n = half->whole->vertex_count;
    bool turned;
    join_parts(half, images, parts);
    for (int i = 0; i < n; i++) {
        WfVec apart = wf_sub(wf_load(x, i), wf_load(x, images[i]));
        int first = wf_first_faced(parts->links, parts->turned, i, &turned);
        parts->heights[first] += (turned ? -1 : 1) * wf_dot(wf_load(normal, 0), apart);
    }
    for (int i = 0; i < n; i++) {
        int first = wf_first_faced(parts->links, parts->turned, i, &turned);
        bool own = turned == (parts->heights[first] < 0);
        half->sides[i] = images[i] == i ? 0 : own ? 1 : -1;
    }
}

static WeftResult refuse_triangles(const WfHalf* half, WeftError* error) {
    for (int t = 0; t < half->whole->triangle_count; t++) {
        const int* v = half->whole->triangles + 3 * (long)t;
        if (wf_reaches_across(half->sides, v, 3))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "triangle %d reaches across the mirror; weft_mirror_mesh splits it", t);
        if (!half->sides[v[0]] && !half->sides[v[1]] && !half->sides[v[2]])
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %d lies in the mirror", t);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Arrays of a part of the cloth

// Vertices of a part, as they are picked.
typedef struct Pick {
    const WeftClothDef* whole;
    int count;
    int* vertices;  // of the whole
    int* numbers;   // per vertex of the whole: its number here, where it was picked
} Pick;

static int pick_vertex(Pick* pick, int vertex) {
    int number = pick->numbers[vertex];
    if (number < pick->count && pick->vertices[number] == vertex) return number;
    pick->vertices[pick->count] = vertex;
    return pick->numbers[vertex] = pick->count++;
}

static const double* pick_numbers(const Pick* pick, const double* from, int each, double* to) {
    if (!from) return NULL;
    for (int i = 0; i < pick->count; i++)
        memcpy(to + (long)each * i, from + (long)each * pick->vertices[i],
               (size_t)each * sizeof *to);
    return to;
}

// Room for what a part has at most.
typedef struct Room {
    double *positions, *material, *scales[8];
    int *triangles, *triangle_material, *triangle_fabric, *thread_vertices, *pins;
    WeftSpring* springs;
    WeftThread* threads;
} Room;

static void lay_out_room(const WeftClothDef* whole, size_t threads, WfArena* arena, Room* room) {
    size_t vertices = (size_t)whole->vertex_count, triangles = (size_t)whole->triangle_count;
    room->positions = wf_arena_push(arena, 3 * vertices, sizeof(double));
    room->material = wf_arena_push(arena, 2 * vertices, sizeof(double));
    for (int k = 0; k < 8; k++) room->scales[k] = wf_arena_push(arena, vertices, sizeof(double));
    room->triangles = wf_arena_push(arena, 3 * triangles, sizeof(int));
    room->triangle_material = wf_arena_push(arena, 3 * triangles, sizeof(int));
    room->triangle_fabric = wf_arena_push(arena, triangles, sizeof(int));
    room->springs = wf_arena_push(arena, (size_t)whole->spring_count, sizeof(WeftSpring));
    room->threads = wf_arena_push(arena, threads, sizeof(WeftThread));
    room->thread_vertices = wf_arena_push(arena, 3 * threads, sizeof(int));
    room->pins = wf_arena_push(arena, (size_t)whole->pin_count, sizeof(int));
}

static void start_part(const Pick* pick, Room* room, WeftClothDef* def) {
    *def = *pick->whole;
    def->triangles = room->triangles;
    if (def->triangle_material) def->triangle_material = room->triangle_material;
    if (def->triangle_fabric) def->triangle_fabric = room->triangle_fabric;
    if (def->springs) def->springs = room->springs;
    def->threads = room->threads;
    def->thread_vertices = room->thread_vertices;
    def->pins = room->pins;
    def->images = NULL;
    def->triangle_count = def->spring_count = def->thread_count = def->thread_vertex_count =
        def->pin_count = 0;
}

static void add_triangle(Pick* pick, Room* room, int t, WeftClothDef* def) {
    const WeftClothDef* whole = pick->whole;
    long to = 3L * def->triangle_count, from = 3L * t;
    for (int k = 0; k < 3; k++) {
        room->triangles[to + k] = pick_vertex(pick, whole->triangles[from + k]);
        if (whole->triangle_material)
            room->triangle_material[to + k] = whole->triangle_material[from + k];
    }
    if (whole->triangle_fabric)
        room->triangle_fabric[def->triangle_count] = whole->triangle_fabric[t];
    def->triangle_count++;
}

static void add_spring(Pick* pick, Room* room, const WeftSpring* spring, WeftClothDef* def) {
    WeftSpring* own = &room->springs[def->spring_count++];
    *own = *spring;
    own->a = pick_vertex(pick, spring->a);
    own->b = pick_vertex(pick, spring->b);
}

// `count` vertices of a thread.
static void add_thread(Pick* pick, Room* room, const WeftThread* thread, const int* vertices,
                       int count, WeftClothDef* def) {
    WeftThread* own = &room->threads[def->thread_count++];
    *own = *thread;
    own->first = def->thread_vertex_count;
    own->count = count;
    for (int i = 0; i < count; i++)
        room->thread_vertices[def->thread_vertex_count++] = pick_vertex(pick, vertices[i]);
}

// What belongs to vertices, when all are picked.
static void finish_part(const Pick* pick, Room* room, WeftClothDef* def) {
    const WeftClothDef* whole = pick->whole;
    def->vertex_count = pick->count;
    def->positions = pick_numbers(pick, whole->positions, 3, room->positions);
    if (!whole->triangle_material && whole->material) {
        def->material_count = pick->count;
        def->material = pick_numbers(pick, whole->material, 2, room->material);
    }
    def->stretch_scale = pick_numbers(pick, whole->stretch_scale, 1, room->scales[0]);
    def->bend_scale = pick_numbers(pick, whole->bend_scale, 1, room->scales[1]);
    def->density_scale = pick_numbers(pick, whole->density_scale, 1, room->scales[2]);
    def->max_distance = pick_numbers(pick, whole->max_distance, 1, room->scales[3]);
    def->backstop_radius = pick_numbers(pick, whole->backstop_radius, 1, room->scales[4]);
    def->backstop_distance = pick_numbers(pick, whole->backstop_distance, 1, room->scales[5]);
    def->drive_stiffness = pick_numbers(pick, whole->drive_stiffness, 1, room->scales[6]);
    def->drive_damping = pick_numbers(pick, whole->drive_damping, 1, room->scales[7]);
}

// ---------------------------------------------------------------------------------------------
// The half

// Pieces of a thread that are on the own side, or in the plane.
static void keep_thread(const WfHalf* half, Pick* pick, Room* room, const WeftThread* thread,
                        WeftClothDef* def) {
    const int* v = half->whole->thread_vertices + thread->first;
    for (int i = 0, count; i < thread->count; i += count + 1) {
        for (count = 0; i + count < thread->count && half->sides[v[i + count]] >= 0;) count++;
        if (count > 1) add_thread(pick, room, thread, v + i, count, def);
    }
}

static void fill_half(WfHalf* half, Pick* pick, Room* room) {
    const WeftClothDef* whole = half->whole;
    WeftClothDef* def = &half->def;
    start_part(pick, room, def);
    for (int i = 0; i < whole->vertex_count; i++)  // in their order
        if (half->sides[i] >= 0) pick_vertex(pick, i);
    for (int t = 0; t < whole->triangle_count; t++)
        if (is_kept(half->sides, whole->triangles + 3 * (long)t, 3))
            add_triangle(pick, room, t, def);
    for (int s = 0; whole->springs && s < whole->spring_count; s++)
        if (is_kept(half->sides, (const int[2]){whole->springs[s].a, whole->springs[s].b}, 2))
            add_spring(pick, room, &whole->springs[s], def);
    for (int t = 0; t < whole->thread_count; t++)
        keep_thread(half, pick, room, &whole->threads[t], def);
    for (int i = 0; i < whole->pin_count; i++)
        if (half->sides[whole->pins[i]] >= 0)
            room->pins[def->pin_count++] = pick->numbers[whole->pins[i]];
    finish_part(pick, room, def);
    for (int i = 0; i < pick->count; i++) half->on_plane[i] = half->sides[half->vertices[i]] == 0;
}

static void find_rows(WfHalf* half, const Pick* pick, const int* images) {
    for (int i = 0; i < half->whole->vertex_count; i++)
        half->rows[i] = pick->numbers[half->sides[i] >= 0 ? i : images[i]];
}

// ---------------------------------------------------------------------------------------------
// Across

static bool has_plane_edge(const signed char* sides, const int* v) {
    return (sides[v[0]] == 0) + (sides[v[1]] == 0) + (sides[v[2]] == 0) == 2;
}

// joints: per vertex, whether one that crosses is there.
static void mark_joints(const WfHalf* half, unsigned char* joints) {
    const WeftClothDef* whole = half->whole;
    for (int t = 0; t < whole->thread_count; t++) {
        const int* v = whole->thread_vertices + whole->threads[t].first;
        for (int i = 1; i + 1 < whole->threads[t].count; i++)
            if (wf_reaches_across(half->sides, v + i - 1, 3)) joints[v[i]] = 1;
    }
}

static void cross_thread(const WfHalf* half, const unsigned char* joints, Pick* pick, Room* room,
                         const WeftThread* thread, WeftClothDef* def) {
    const int* v = half->whole->thread_vertices + thread->first;
    for (int i = 0; i + 1 < thread->count; i++) {
        bool fold =
            thread->kind == WEFT_THREAD_FOLD && !half->sides[v[i]] && !half->sides[v[i + 1]];
        if (fold || wf_reaches_across(half->sides, v + i, 2))
            add_thread(pick, room, thread, v + i, 2, def);
        if (i > 0 && joints[v[i]]) add_thread(pick, room, thread, v + i - 1, 3, def);
    }
}

static bool spring_crosses(const WfHalf* half, int s) {
    const WeftSpring* spring = &half->whole->springs[s];
    return wf_reaches_across(half->sides, (const int[2]){spring->a, spring->b}, 2);
}

// ends: per vertex, whether a spring that crosses has to know the fabrics there.
static void mark_ends(const WfHalf* half, unsigned char* ends) {
    const WeftClothDef* whole = half->whole;
    if (!whole->triangle_fabric || !whole->springs) return;
    for (int s = 0; s < whole->spring_count; s++)
        if (spring_crosses(half, s)) ends[whole->springs[s].a] = ends[whole->springs[s].b] = 1;
}

static void fill_across(WfHalf* half, Pick* pick, Room* room, unsigned char* joints,
                        unsigned char* ends) {
    const WeftClothDef* whole = half->whole;
    WeftClothDef* def = &half->across;
    start_part(pick, room, def);
    mark_joints(half, joints);
    mark_ends(half, ends);
    for (int t = 0; t < whole->triangle_count; t++) {
        const int* v = whole->triangles + 3 * (long)t;
        if (has_plane_edge(half->sides, v) || ends[v[0]] || ends[v[1]] || ends[v[2]])
            add_triangle(pick, room, t, def);
    }
    for (int s = 0; whole->springs && s < whole->spring_count; s++)
        if (spring_crosses(half, s)) add_spring(pick, room, &whole->springs[s], def);
    def->springs = room->springs;  // none, where it is edges that are springs: no edge crosses
    for (int t = 0; t < whole->thread_count; t++)
        cross_thread(half, joints, pick, room, &whole->threads[t], def);
    finish_part(pick, room, def);
    for (int i = 0; i < pick->count; i++)
        half->across_sides[i] = half->sides[half->across_vertices[i]];
}

// ---------------------------------------------------------------------------------------------

typedef struct Layout {
    Room rooms[2];
    Parts parts;
    int* numbers;
    unsigned char *joints, *ends;
} Layout;

static void lay_out(WfHalf* half, WfArena* arena, Layout* layout) {
    size_t n = (size_t)half->whole->vertex_count;
    // every vertex of a thread begins one of its pieces at most, of two vertices or of three
    size_t threads = 2 * (size_t)half->whole->thread_vertex_count;
    half->sides = wf_arena_push(arena, n, 1);
    half->rows = wf_arena_push(arena, n, sizeof(int));
    half->vertices = wf_arena_push(arena, n, sizeof(int));
    half->on_plane = wf_arena_push(arena, n, 1);
    half->across_vertices = wf_arena_push(arena, n, sizeof(int));
    half->across_sides = wf_arena_push(arena, n, 1);
    layout->numbers = wf_arena_push(arena, n, sizeof(int));
    layout->joints = wf_arena_push(arena, n, 1);
    layout->ends = wf_arena_push(arena, n, 1);
    layout->parts.links = wf_arena_push(arena, n, sizeof(int));
    layout->parts.turned = wf_arena_push(arena, n, sizeof(bool));
    layout->parts.heights = wf_arena_push(arena, n, sizeof(double));
    for (int k = 0; k < 2; k++) lay_out_room(half->whole, threads, arena, &layout->rooms[k]);
}

WeftResult wf_half_create(const WeftAllocator* allocator, const WeftClothDef* whole,
                          const int* images, const double normal[3], WfHalf* half,
                          WeftError* error) {
    *half = (WfHalf){.whole = whole};
    WfArena arena = {0};
    Layout layout;
    lay_out(half, &arena, &layout);
    if (!wf_arena_create(&half->arena, allocator, arena.used)) return WEFT_ERROR_MEMORY;
    lay_out(half, &half->arena, &layout);
    find_sides(half, images, normal, &layout.parts);
    WeftResult result = refuse_triangles(half, error);
    if (result) {
        wf_half_destroy(allocator, half);
        return result;
    }
    Pick pick = {whole, 0, half->vertices, layout.numbers};
    fill_half(half, &pick, &layout.rooms[0]);
    find_rows(half, &pick, images);
    pick = (Pick){whole, 0, half->across_vertices, layout.numbers};
    fill_across(half, &pick, &layout.rooms[1], layout.joints, layout.ends);
    return WEFT_OK;
}

void wf_half_destroy(const WeftAllocator* allocator, WfHalf* half) {
    wf_arena_destroy(&half->arena, allocator);
    *half = (WfHalf){0};
}
