// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which vertex is the mirror image of which, by places and by triangles.
//
// Where exactly one vertex is at the mirror image of another, and the other way round, they are a
// pair. From there pairs spread: the image of a triangle is a triangle with its winding swapped, so
// where a and b are known, c is too:
//
//        c              c'        a -> b is a half edge; its image is b' -> a', and the corner
//       / \            / \        opposite to that is the image of c, if it is at the right place
//      a---b    |     b'--a'
//
// So cloth that is folded or lies in layers is matched as it hangs together. Cloth that starts with
// all its vertices at a few places, as when it is pressed flat or to a point, has no such pair to
// begin with. There vertices are coloured by their neighbourhoods (by their number of triangles,
// then round by round by the colours around them, Weisfeiler and Leman 1968), which an image must
// have in common. A vertex of the rarest colour is tried with all vertices of that colour, and a
// try spreads until something contradicts it; the flat shape does too, where there is a choice, for
// a square of cloth is symmetric about its diagonal but for its threads. Ropes spread along their
// neighbours.

#include "mesh/images.h"

#include <string.h>

#include "base/links.h"
#include "base/memory.h"
#include "mesh/cells.h"
#include "mesh/rest.h"

enum {
    COLOUR_ROUNDS = 8,  // neighbourhoods of eight edges tell irregular meshes apart everywhere, and
                        // regular ones near their corners
    MOST_WORK = 100,    // visits of triangles in tries, times their number
    LEAST_SIZE = 100,   // and this more
};

typedef struct Matcher {
    const WeftClothDef* cloth;
    const WfPlane* mirror;
    const WfStars* stars;
    double tolerance, cell;
    double rest_tolerance;
    bool by_rest;  // whether tries compare flat shapes
    int* images;
    WfKey *keys, *spare;          // vertices by their cells; later by their colours
    int* only;                    // per vertex: the only one at its mirror image, or -1
    int *found, found_count;      // vertices with an image, in the order in which they got it
    int *rope_start, *rope_next;  // neighbours along ropes
    uint64_t *colours, *next_colours;
    int* pieces;  // per vertex: the first one that triangles join it with
    long long work;
} Matcher;

// ---------------------------------------------------------------------------------------------
// Places

static WfVec place(const Matcher* m, int v) { return wf_load(m->cloth->positions, v); }

static bool is_near(const Matcher* m, int a, int b) {
    return wf_length(wf_sub(wf_plane_image(m->mirror, place(m, a)), place(m, b))) <= m->tolerance;
}

static void sort_places(Matcher* m) {
    int n = m->cloth->vertex_count;
    for (int v = 0; v < n; v++)
        m->keys[v] = (WfKey){wf_cell_of(m->cloth->positions + 3 * (long)v, m->cell), v};
    wf_sort_keys(m->keys, m->spare, n);
}

// Vertices of a cell at the mirror image of v: *only is one of them. Stops at two.
static int count_in_cell(const Matcher* m, uint64_t cell, int v, int count, int* only) {
    int n = m->cloth->vertex_count;
    for (int i = wf_first_key(m->keys, n, cell); i < n && m->keys[i].key == cell && count < 2;
         i++) {
        if (!is_near(m, v, m->keys[i].index)) continue;
        *only = m->keys[i].index;
        count++;
    }
    return count;
}

static int find_only(const Matcher* m, int v) {
    WfVec y = wf_plane_image(m->mirror, place(m, v));
    uint64_t cells[8];
    int cell_count = wf_cells_near((double[3]){y.x, y.y, y.z}, m->tolerance, m->cell, cells);
    int count = 0, only = -1;
    for (int i = 0; i < cell_count && count < 2; i++)
        count = count_in_cell(m, cells[i], v, count, &only);
    return count == 1 ? only : -1;
}

// ---------------------------------------------------------------------------------------------
// Pairs spread

static void set_pair(Matcher* m, int a, int b) {
    m->images[a] = b;
    m->images[b] = a;
    m->found[m->found_count++] = a;
    if (a != b) m->found[m->found_count++] = b;
}

// False where they cannot be a pair.
static bool pair(Matcher* m, int a, int b, bool strict) {
    if (m->images[a] == b) return true;
    if (m->images[a] >= 0 || m->images[b] >= 0 || !is_near(m, a, b)) return false;
    if (strict && m->colours[a] != m->colours[b]) return false;
    set_pair(m, a, b);
    return true;
}

// Whether two half edges reach as far along the warp and along the weft.
static bool same_rest(const Matcher* m, int h, int g) {
    const WeftClothDef* cloth = m->cloth;
    WfVec e =
        wf_sub(wf_rest_corner(cloth, h / 3, (h + 1) % 3), wf_rest_corner(cloth, h / 3, h % 3));
    WfVec f =
        wf_sub(wf_rest_corner(cloth, g / 3, (g + 1) % 3), wf_rest_corner(cloth, g / 3, g % 3));
    return fabs(fabs(e.x) - fabs(f.x)) <= m->rest_tolerance &&
           fabs(fabs(e.y) - fabs(f.y)) <= m->rest_tolerance;
}

// What a half edge with two images says of the corner opposite.
static bool follow_half(Matcher* m, int h, bool strict) {
    int a = m->images[m->stars->triangles[h]], b = m->images[wf_half_to(m->stars, h)];
    int c = wf_half_opposite(m->stars, h);
    if (a < 0 || b < 0 || (!strict && m->images[c] >= 0)) return true;
    m->work++;
    int image = wf_find_half(m->stars, b, a);
    if (strict && m->by_rest && image >= 0 && !same_rest(m, h, image)) return false;
    return image >= 0 && pair(m, c, wf_half_opposite(m->stars, image), strict);
}

static bool follow_triangles(Matcher* m, int v, bool strict) {
    for (int i = m->stars->start[v]; i < m->stars->start[v + 1]; i++) {
        int first = m->stars->halves[i] / 3 * 3;
        for (int h = first; h < first + 3; h++)
            if (!follow_half(m, h, strict) && strict) return false;
    }
    return true;
}

// A neighbour along a rope has its image next to that of v, if there is just one to be it.
static void follow_ropes(Matcher* m, int v) {
    int image = m->images[v];
    for (int i = m->rope_start[v]; i < m->rope_start[v + 1]; i++) {
        int next = m->rope_next[i], count = 0, only = -1;
        if (m->images[next] >= 0) continue;
        for (int j = m->rope_start[image]; j < m->rope_start[image + 1]; j++) {
            int other = m->rope_next[j];
            if (other == only || m->images[other] >= 0 || !is_near(m, next, other)) continue;
            only = other;
            count++;
        }
        if (count == 1) set_pair(m, next, only);
    }
}

// From the found ones on. Strict: false at the first contradiction.
static bool spread(Matcher* m, int from, bool strict) {
    for (int i = from; i < m->found_count; i++) {
        if (!follow_triangles(m, m->found[i], strict)) return false;
        if (!strict) follow_ropes(m, m->found[i]);
    }
    return true;
}

static void match_places(Matcher* m) {
    int n = m->cloth->vertex_count;
    sort_places(m);
    for (int v = 0; v < n; v++) m->only[v] = find_only(m, v);
    for (int v = 0; v < n; v++) {
        int other = m->only[v];
        if (other >= v && m->only[other] == v) set_pair(m, v, other);
    }
    spread(m, 0, false);
}

// ---------------------------------------------------------------------------------------------
// Tries, where places say too little

static void colour(Matcher* m) {
    int n = m->cloth->vertex_count;
    const WfStars* stars = m->stars;
    for (int v = 0; v < n; v++) {
        bool inner = true;
        for (int i = stars->start[v]; i < stars->start[v + 1]; i++)
            inner = inner && wf_find_half(stars, wf_half_to(stars, stars->halves[i]), v) >= 0;
        m->colours[v] = wf_mix(2 * (uint64_t)(stars->start[v + 1] - stars->start[v]) + inner);
    }
    for (int round = 0; round < COLOUR_ROUNDS; round++) {
        for (int v = 0; v < n; v++) {
            uint64_t sum = 0;
            for (int i = stars->start[v]; i < stars->start[v + 1]; i++) {
                int h = stars->halves[i];
                sum += wf_mix(m->colours[wf_half_to(stars, h)]) +
                       wf_mix(m->colours[wf_half_opposite(stars, h)]);
            }
            m->next_colours[v] = wf_mix(m->colours[v] ^ sum);
        }
        uint64_t* old = m->colours;
        m->colours = m->next_colours;
        m->next_colours = old;
    }
}

static void find_pieces(Matcher* m) {
    int n = m->cloth->vertex_count;
    for (int v = 0; v < n; v++) m->pieces[v] = v;
    for (long t = 0; t < m->cloth->triangle_count; t++) {
        const int* v = m->cloth->triangles + 3 * t;
        wf_link(m->pieces, v[0], v[1]);
        wf_link(m->pieces, v[0], v[2]);
    }
    for (int v = 0; v < n; v++) m->pieces[v] = wf_first_linked(m->pieces, v);
}

static void forget(Matcher* m, int from) {
    while (m->found_count > from) m->images[m->found[--m->found_count]] = -1;
}

// The half edges of v and w as images of each other, and all that follows from it.
static bool try_halves(Matcher* m, int v, int h, int w, int g) {
    const WfStars* stars = m->stars;
    int from = m->found_count;
    if (pair(m, v, w, true) && pair(m, wf_half_to(stars, h), wf_half_opposite(stars, g), true) &&
        pair(m, wf_half_opposite(stars, h), wf_half_to(stars, g), true) && spread(m, from, true))
        return true;
    forget(m, from);
    return false;
}

// A half edge of v as the image of any of w.
static void try_half(Matcher* m, int v, int h, int w) {
    for (int i = m->stars->start[w]; i < m->stars->start[w + 1]; i++) {
        if (m->work > MOST_WORK * (long long)(m->cloth->triangle_count + LEAST_SIZE)) return;
        if (try_halves(m, v, h, w, m->stars->halves[i])) return;
    }
}

static void try_vertex(Matcher* m, int v, int w) {
    m->work++;
    if (m->images[w] < 0 && is_near(m, v, w))
        try_half(m, v, m->stars->halves[m->stars->start[v]], w);
}

// The vertices of one colour as keys [first, end): those of the same piece before those of others,
// and images with the same flat shape before any.
static void try_colour(Matcher* m, int v, int first, int end) {
    for (int pass = 0; pass < 4; pass++) {
        m->by_rest = pass < 2;
        if (m->by_rest && !m->cloth->material) continue;
        for (int i = first; i < end && m->images[v] < 0; i++)
            if ((m->pieces[m->keys[i].index] != m->pieces[v]) == pass % 2)
                try_vertex(m, v, m->keys[i].index);
    }
}

static bool is_open(const Matcher* m, int h) {
    return m->images[wf_half_to(m->stars, h)] < 0 || m->images[wf_half_opposite(m->stars, h)] < 0;
}

// A vertex with an image whose triangles are not all known.
static void try_around(Matcher* m, int v) {
    for (int i = m->stars->start[v]; i < m->stars->start[v + 1]; i++) {
        int h = m->stars->halves[i];
        m->by_rest = m->cloth->material != NULL;
        if (is_open(m, h)) try_half(m, v, h, m->images[v]);
        m->by_rest = false;
        if (is_open(m, h)) try_half(m, v, h, m->images[v]);
    }
}

static int colour_end(const Matcher* m, int first) {
    int i = first + 1, n = m->cloth->vertex_count;
    while (i < n && m->keys[i].key == m->keys[first].key) i++;
    return i;
}

// spare[piece]: how many vertices have the rarest colour of the piece, and where they begin in the
// keys, -1 where images of the piece are known.
static void find_rarest(Matcher* m) {
    int n = m->cloth->vertex_count;
    for (int v = 0; v < n; v++) m->spare[v] = (WfKey){UINT64_MAX, -1};
    for (int i = 0, end; i < n; i = end) {
        end = colour_end(m, i);
        for (int j = i; j < end; j++) {
            WfKey* best = &m->spare[m->pieces[m->keys[j].index]];
            if ((uint64_t)(end - i) < best->key) *best = (WfKey){(uint64_t)(end - i), i};
        }
    }
    for (int v = 0; v < n; v++)
        if (m->images[v] >= 0) m->spare[m->pieces[v]].index = -1;
}

static void match_tries(Matcher* m) {
    int n = m->cloth->vertex_count;
    if (m->cloth->triangle_count == 0 || m->found_count == n) return;
    m->work = 0;
    colour(m);
    find_pieces(m);
    for (int v = 0; v < n; v++) m->keys[v] = (WfKey){m->colours[v], v};
    wf_sort_keys(m->keys, m->spare, n);
    find_rarest(m);
    for (int piece = 0; piece < n; piece++) {
        if (m->pieces[piece] != piece || m->spare[piece].index < 0 || m->images[piece] >= 0)
            continue;
        if (m->stars->start[piece] == m->stars->start[piece + 1]) continue;  // of ropes
        int first = m->spare[piece].index, v = first;
        while (m->pieces[m->keys[v].index] != piece) v++;
        try_colour(m, m->keys[v].index, first, colour_end(m, first));
    }
    for (int v = 0; v < n; v++)
        if (m->images[v] >= 0) try_around(m, v);
    spread(m, 0, false);
}

// ---------------------------------------------------------------------------------------------
// Ropes of which nothing is known: turned round, as another, turned or not, or on the plane

static bool try_ropes(Matcher* m, const int* a, const int* b, int count, bool turned) {
    int from = m->found_count, i = 0;
    while (i < count && pair(m, a[i], b[turned ? count - 1 - i : i], false)) i++;
    if (i == count) return true;
    forget(m, from);
    return false;
}

static void match_ropes(Matcher* m) {
    const WeftClothDef* cloth = m->cloth;
    for (int s = 0; s < cloth->thread_count; s++) {
        const WeftThread* rope = &cloth->threads[s];
        const int* v = cloth->thread_vertices + rope->first;
        if (rope->kind != WEFT_THREAD_ROPE || m->images[v[0]] >= 0) continue;
        bool done = try_ropes(m, v, v, rope->count, true);
        for (int t = s + 1; t < cloth->thread_count && !done; t++) {
            const int* w = cloth->thread_vertices + cloth->threads[t].first;
            if (cloth->threads[t].kind != rope->kind || cloth->threads[t].count != rope->count)
                continue;
            done = try_ropes(m, v, w, rope->count, false) || try_ropes(m, v, w, rope->count, true);
        }
        if (!done) try_ropes(m, v, v, rope->count, false);
    }
}

// ---------------------------------------------------------------------------------------------

static int count_rope_ends(const WeftClothDef* cloth) {
    int count = 0;
    for (int t = 0; t < cloth->thread_count; t++)
        if (cloth->threads[t].kind == WEFT_THREAD_ROPE) count += 2 * (cloth->threads[t].count - 1);
    return count;
}

// One step of a pass over all ends of segments: counts them, or stores their other ends.
static void list_ropes(Matcher* m, bool store) {
    const WeftClothDef* cloth = m->cloth;
    for (int t = 0; t < cloth->thread_count; t++) {
        const int* v = cloth->thread_vertices + cloth->threads[t].first;
        if (cloth->threads[t].kind != WEFT_THREAD_ROPE) continue;
        for (int i = 0; i + 1 < cloth->threads[t].count; i++) {
            for (int end = 0; end < 2; end++) {
                int a = v[i + end], b = v[i + 1 - end];
                if (store)
                    m->rope_next[m->rope_start[a + 1]++] = b;
                else
                    m->rope_start[a + 2]++;
            }
        }
    }
}

static void find_rope_neighbours(Matcher* m) {
    list_ropes(m, false);
    for (int v = 0; v < m->cloth->vertex_count; v++) m->rope_start[v + 2] += m->rope_start[v + 1];
    list_ropes(m, true);
}

WeftResult wf_match_images(const WeftAllocator* allocator, const WeftClothDef* cloth,
                           const WfPlane* mirror, const WfStars* stars, double tolerance,
                           double rest_tolerance, int* images) {
    size_t n = (size_t)cloth->vertex_count;
    Matcher m = {.cloth = cloth,
                 .mirror = mirror,
                 .stars = stars,
                 .tolerance = tolerance,
                 .cell = tolerance > 0 ? 4 * tolerance : 1e-6,
                 .rest_tolerance = rest_tolerance,
                 .images = images,
                 .keys = wf_alloc(allocator, n, sizeof(WfKey)),
                 .spare = wf_alloc(allocator, n, sizeof(WfKey)),
                 .only = wf_alloc(allocator, n, sizeof(int)),
                 .found = wf_alloc(allocator, n, sizeof(int)),
                 .rope_start = wf_alloc(allocator, n + 2, sizeof(int)),
                 .rope_next = wf_alloc(allocator, (size_t)count_rope_ends(cloth), sizeof(int)),
                 .colours = wf_alloc(allocator, n, sizeof(uint64_t)),
                 .next_colours = wf_alloc(allocator, n, sizeof(uint64_t)),
                 .pieces = wf_alloc(allocator, n, sizeof(int))};
    bool good = m.keys && m.spare && m.only && m.found && m.rope_start && m.rope_next &&
                m.colours && m.next_colours && m.pieces;
    if (good) {
        for (size_t v = 0; v < n; v++) images[v] = -1;
        find_rope_neighbours(&m);
        match_places(&m);
        match_tries(&m);
        match_ropes(&m);
    }
    wf_free(allocator, m.keys);
    wf_free(allocator, m.spare);
    wf_free(allocator, m.only);
    wf_free(allocator, m.found);
    wf_free(allocator, m.rope_start);
    wf_free(allocator, m.rope_next);
    wf_free(allocator, m.colours);
    wf_free(allocator, m.next_colours);
    wf_free(allocator, m.pieces);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}
