// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/tear.h"

#include <string.h>

#include "base/memory.h"

bool wf_mark_edge(const WfStars* stars, int a, int b, unsigned char mark, unsigned char known,
                  unsigned char* marks) {
    int to = wf_find_half(stars, a, b), back = wf_find_half(stars, b, a);
    if (to < 0 || back < 0) return false;
    bool is_new = !(marks[to] & marks[back] & known);
    marks[to] |= mark;
    marks[back] |= mark;
    return is_new;
}

// ---------------------------------------------------------------------------------------------
// Splitting

enum { MOST_FAN = 256 };  // triangles around a vertex; where there are more it is not split

// The triangles around a vertex, as the sides that leave it.
typedef struct Fan {
    int count;
    const int* sides;
    int group[MOST_FAN];  // per triangle: the first one that it is joined to
} Fan;

static Fan fan_of(const WfStars* stars, int vertex) {
    Fan fan = {.count = stars->start[vertex + 1] - stars->start[vertex],
               .sides = stars->halves + stars->start[vertex]};
    return fan;
}

static int side_before(int side) { return side % 3 == 0 ? side + 2 : side - 1; }

// Whether an edge that is not cut joins two triangles of a fan: it leaves the vertex in the first,
// and arrives there in the second.
static bool are_joined(const WfStars* stars, const unsigned char* marks, unsigned char mark,
                       int side, int other) {
    int arriving = side_before(other);
    return wf_half_to(stars, side) == stars->triangles[arriving] &&
           !(marks[side] & marks[arriving] & mark);
}

static void join_groups(Fan* fan, int a, int b) {
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < fan->count; i++)
        if (fan->group[i] == high) fan->group[i] = low;
}

static void group_fan(const WfStars* stars, const unsigned char* marks, unsigned char mark,
                      Fan* fan) {
    for (int i = 0; i < fan->count; i++) fan->group[i] = i;
    for (int i = 0; i < fan->count; i++)
        for (int j = 0; j < fan->count; j++)
            if (fan->group[i] != fan->group[j] &&
                are_joined(stars, marks, mark, fan->sides[i], fan->sides[j]))
                join_groups(fan, fan->group[i], fan->group[j]);
}

// The groups of a fan but the first get the number `next` and those behind it. Returns how many.
static int renumber_fan(const Fan* fan, int next, int* triangles) {
    int added = 0;
    for (int g = 1; g < fan->count; g++) {
        if (fan->group[g] != g) continue;
        for (int i = g; i < fan->count; i++)
            if (fan->group[i] == g) triangles[fan->sides[i]] = next + added;
        added++;
    }
    return added;
}

// Vertices that are an end of a cut edge, and as many new ones as they could become.
static size_t find_ends(const WfStars* stars, int vertex_count, int triangle_count,
                        const unsigned char* marks, unsigned char mark, unsigned char* is_end) {
    size_t most = 0;
    for (int side = 0; side < 3 * triangle_count; side++)
        if (marks[side] & mark)
            is_end[stars->triangles[side]] = is_end[wf_half_to(stars, side)] = 1;
    for (int v = 0; v < vertex_count; v++)
        if (is_end[v]) most += (size_t)(stars->start[v + 1] - stars->start[v]);
    return most;
}

WeftResult wf_split_sides(const WeftAllocator* allocator, const WfStars* stars, int vertex_count,
                          int triangle_count, const unsigned char* marks, unsigned char mark,
                          const unsigned char* held, int* triangles, int* count, int** from) {
    *count = 0;
    *from = NULL;
    unsigned char* is_end = wf_alloc(allocator, (size_t)vertex_count, 1);
    if (!is_end) return WEFT_ERROR_MEMORY;
    size_t most = find_ends(stars, vertex_count, triangle_count, marks, mark, is_end);
    *from = wf_alloc(allocator, most, sizeof(int));
    memcpy(triangles, stars->triangles, 3 * (size_t)triangle_count * sizeof(int));
    for (int v = 0; v < vertex_count && *from; v++) {
        Fan fan = fan_of(stars, v);
        if (!is_end[v] || (held && held[v]) || fan.count > MOST_FAN) continue;
        group_fan(stars, marks, mark, &fan);
        int added = renumber_fan(&fan, vertex_count + *count, triangles);
        for (int i = 0; i < added; i++) (*from)[(*count)++] = v;
    }
    wf_free(allocator, is_end);
    return *from ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Springs

// How what is between them joins two vertices.
typedef enum Joint {
    JOINT_NONE,
    JOINT_EDGE,
    JOINT_HINGE,      // the corners across an edge
    JOINT_TWO_EDGES,  // both have an edge with a third one
    JOINT_TWO,        // or each an edge or a hinge
} Joint;

static bool have_edge(const WfStars* s, int a, int b) {
    return wf_find_half(s, a, b) >= 0 || wf_find_half(s, b, a) >= 0;
}

// The corner across the edge opposite to where a side starts; -1: none.
static int corner_beyond(const WfStars* s, int side) {
    int back = wf_find_half(s, wf_half_opposite(s, side), wf_half_to(s, side));
    return back < 0 ? -1 : wf_half_opposite(s, back);
}

static bool are_hinged(const WfStars* s, int a, int b) {
    for (int i = s->start[a]; i < s->start[a + 1]; i++)
        if (corner_beyond(s, s->halves[i]) == b) return true;
    return false;
}

static bool have_common_neighbour(const WfStars* s, int a, int b) {
    for (int i = s->start[a]; i < s->start[a + 1]; i++)
        if (have_edge(s, wf_half_to(s, s->halves[i]), b) ||
            have_edge(s, wf_half_opposite(s, s->halves[i]), b))
            return true;
    return false;
}

static bool are_near(const WfStars* s, int a, int b) {
    return have_edge(s, a, b) || are_hinged(s, a, b);
}

static bool have_common_near(const WfStars* s, int a, int b) {
    for (int i = s->start[a]; i < s->start[a + 1]; i++) {
        int side = s->halves[i], beyond = corner_beyond(s, side);
        if (are_near(s, wf_half_to(s, side), b) || are_near(s, wf_half_opposite(s, side), b) ||
            (beyond >= 0 && are_near(s, beyond, b)))
            return true;
    }
    return false;
}

static bool are_joined_by(const WfStars* s, Joint joint, int a, int b) {
    return joint == JOINT_EDGE        ? have_edge(s, a, b)
           : joint == JOINT_HINGE     ? are_hinged(s, a, b)
           : joint == JOINT_TWO_EDGES ? have_common_neighbour(s, a, b)
                                      : have_common_near(s, a, b);
}

static Joint joint_of(const WfStars* s, int a, int b) {
    for (Joint joint = JOINT_EDGE; joint <= JOINT_TWO; joint++)
        if (are_joined_by(s, joint, a, b)) return joint;
    return JOINT_NONE;
}

// The vertices that each old one became, in their order: itself, then those split from it.
typedef struct Copies {
    int *first,
        *next;  // of a vertex, the first one split from it; of one split, the next. -1: none
    unsigned char* near;  // per old vertex: it was split, or is next to one that was
} Copies;

static void mark_near(const WfStars* s, int side, unsigned char* near) {
    int beyond = corner_beyond(s, side);
    near[wf_half_to(s, side)] = near[wf_half_opposite(s, side)] = 1;
    if (beyond >= 0) near[beyond] = 1;
}

static void link_copies(const WfStars* old, int old_count, int count, const int* from, Copies* c) {
    for (int i = 0; i < count; i++) c->first[i] = c->next[i] = -1;
    for (int i = count - 1; i >= old_count; i--) {
        int v = from[i];
        c->next[i] = c->first[v];
        c->first[v] = i;
        c->near[v] = 1;
        for (int k = old->start[v]; k < old->start[v + 1]; k++)
            mark_near(old, old->halves[k], c->near);
    }
}

static int next_copy(const Copies* c, int old, int copy) {
    return copy == old ? c->first[old] : c->next[copy];
}

// What becomes of a spring, at `out`, where that is not NULL. Returns how many.
static int split_spring(const WfStars* old, const WfStars* new, const Copies* c,
                        const WeftSpring* spring, WeftSpring* out) {
    if (!c->near[spring->a] && !c->near[spring->b]) {
        if (out) *out = *spring;
        return 1;
    }
    Joint joint = joint_of(old, spring->a, spring->b);
    int count = 0;
    for (int a = spring->a; a >= 0; a = next_copy(c, spring->a, a))
        for (int b = spring->b; b >= 0; b = next_copy(c, spring->b, b)) {
            bool stays = joint == JOINT_NONE && a == spring->a && b == spring->b;
            if (!stays && !(joint != JOINT_NONE && are_joined_by(new, joint, a, b))) continue;
            if (out) out[count] = (WeftSpring){a, b, spring->kind};
            count++;
        }
    return count;
}

static int split_all(const WfStars* old, const WfStars* new, const Copies* c,
                     const WeftClothDef* cloth, WeftSpring* out) {
    int count = 0;
    for (int i = 0; i < cloth->spring_count; i++)
        count += split_spring(old, new, c, &cloth->springs[i], out ? out + count : NULL);
    return count;
}

WeftResult wf_split_springs(const WeftAllocator* allocator, const WeftClothDef* old,
                            int vertex_count, const int* triangles, const int* from, int* count,
                            WeftSpring** springs) {
    WfStars before = {0}, after = {0};
    Copies copies = {.first = wf_alloc(allocator, (size_t)vertex_count, sizeof(int)),
                     .next = wf_alloc(allocator, (size_t)vertex_count, sizeof(int)),
                     .near = wf_alloc(allocator, (size_t)old->vertex_count, 1)};
    bool good = copies.first && copies.next && copies.near &&
                wf_stars_create(allocator, old->vertex_count, old->triangle_count, old->triangles,
                                &before) &&
                wf_stars_create(allocator, vertex_count, old->triangle_count, triangles, &after);
    *count = 0;
    *springs = NULL;
    if (good) {
        link_copies(&before, old->vertex_count, vertex_count, from, &copies);
        *count = split_all(&before, &after, &copies, old, NULL);
        *springs = wf_alloc(allocator, (size_t)*count, sizeof **springs);
        if (*springs) split_all(&before, &after, &copies, old, *springs);
    }
    wf_stars_destroy(allocator, &before);
    wf_stars_destroy(allocator, &after);
    wf_free(allocator, copies.first);
    wf_free(allocator, copies.next);
    wf_free(allocator, copies.near);
    return *springs ? WEFT_OK : WEFT_ERROR_MEMORY;
}
