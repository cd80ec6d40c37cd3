// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// All pairs of triangles that cross. It shares no code, and no way of searching, with the contact
// that it judges: boxes are sorted along the longest axis of the cloth and swept, within strips
// across the next longest.
//
//      strip 2  |   +--+        +-+      A box is in every strip that it touches; a pair is looked
//      strip 1  |   |  |  +-+   +-+      at in the first strip that both touch.
//      strip 0  | +-+--+  +-+
//               +---------------------> swept
//
// A strip is twice as wide as the mean box, so there are one and a half entries per box, whatever
// the sizes; a few huge boxes, such as those of a floor, are cut down to the bounds of the cloth.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/pair.h"
#include "audit/surface.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "weft/weft_io.h"

static const double LARGEST_NUMBER = 1e30;  // what files and renderers hold

typedef struct Box {
    double low[3], high[3];
    int surface, triangle;
    int first, last;  // strips
} Box;

typedef struct Bounds {
    double low[3], high[3];
} Bounds;

typedef struct Search {
    const WeftSurface* surfaces;
    int surface_count;
    WeftAllocator allocator;
    int box_count;
    Box* boxes;
    int swept, cut;  // axes: along which boxes are sorted, and which strips divide
    int strip_count;
    int* strip_start;  // into entries; strip_count + 1
    int* entries;      // boxes, strip by strip
    int count, capacity;
    WeftCrossing* found;
} Search;

// ---------------------------------------------------------------------------------------------
// Boxes

static WeftResult check_surface(const WeftSurface* surface, int number, WeftError* error) {
    const WeftSurface* s = surface;
    for (int i = 0; i < s->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(s->positions[3 * (size_t)i + (size_t)k]) <= LARGEST_NUMBER))
                return wf_fail(error, WEFT_ERROR_INPUT, "surface %d: vertex %d is not finite",
                               number, i);
    for (size_t i = 0; i < 3 * (size_t)s->triangle_count; i++)
        wf_assert(s->triangles[i] >= 0 && s->triangles[i] < s->vertex_count);
    return WEFT_OK;
}

WeftResult wf_check_surfaces(const WeftSurface* surfaces, int count, WeftError* error) {
    for (int i = 0; i < count; i++) {
        WeftResult result = check_surface(&surfaces[i], i, error);
        if (result) return result;
    }
    return WEFT_OK;
}

static Box make_box(const Search* search, int surface, int triangle) {
    Box box = {.surface = surface, .triangle = triangle};
    const WeftSurface* s = &search->surfaces[surface];
    const double *a = wf_corner(s, triangle, 0), *b = wf_corner(s, triangle, 1);
    const double* c = wf_corner(s, triangle, 2);
    for (int k = 0; k < 3; k++) {
        box.low[k] = fmin(a[k], fmin(b[k], c[k]));
        box.high[k] = fmax(a[k], fmax(b[k], c[k]));
    }
    return box;
}

static bool boxes_meet(const double* low, const double* high, const Box* box) {
    for (int k = 0; k < 3; k++)
        if (low[k] > box->high[k] || high[k] < box->low[k]) return false;
    return true;
}

static void add_boxes(Search* search, int surface, Bounds* cloth) {
    const WeftSurface* s = &search->surfaces[surface];
    for (int t = 0; t < s->triangle_count; t++) {
        Box box = make_box(search, surface, t);
        if (s->body && !boxes_meet(cloth->low, cloth->high, &box)) continue;
        for (int k = 0; k < 3; k++) {
            if (s->body) {
                box.low[k] = fmax(box.low[k], cloth->low[k]);
                box.high[k] = fmin(box.high[k], cloth->high[k]);
            } else {
                cloth->low[k] = fmin(box.low[k], cloth->low[k]);
                cloth->high[k] = fmax(box.high[k], cloth->high[k]);
            }
        }
        search->boxes[search->box_count++] = box;
    }
}

// Those of all cloth, and of what of the bodies is where cloth is.
static Bounds find_boxes(Search* search) {
    Bounds cloth;
    for (int k = 0; k < 3; k++) cloth.low[k] = HUGE_VAL, cloth.high[k] = -HUGE_VAL;
    for (int body = 0; body < 2; body++)
        for (int i = 0; i < search->surface_count; i++)
            if (search->surfaces[i].body == body) add_boxes(search, i, &cloth);
    return cloth;
}

// ---------------------------------------------------------------------------------------------
// Sorting them

typedef struct Key {
    double low;
    int box;
} Key;

static int compare_keys(const void* a, const void* b) {
    const Key *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return (x->box > y->box) - (x->box < y->box);
}

static bool sort_boxes(Search* search) {
    size_t count = (size_t)search->box_count;
    Key* keys = wf_alloc(&search->allocator, count, sizeof *keys);
    Box* sorted = wf_alloc(&search->allocator, count, sizeof *sorted);
    bool good = keys && sorted;
    if (good) {
        for (size_t i = 0; i < count; i++)
            keys[i] = (Key){search->boxes[i].low[search->swept], (int)i};
        qsort(keys, count, sizeof *keys, compare_keys);
        for (size_t i = 0; i < count; i++) sorted[i] = search->boxes[keys[i].box];
        memcpy(search->boxes, sorted, count * sizeof *sorted);
    }
    wf_free(&search->allocator, keys);
    wf_free(&search->allocator, sorted);
    return good;
}

static void choose_axes(Search* search, const Bounds* cloth) {
    double size[3];
    for (int k = 0; k < 3; k++) size[k] = cloth->high[k] - cloth->low[k];
    int longest = size[0] >= size[1] ? (size[0] >= size[2] ? 0 : 2) : (size[1] >= size[2] ? 1 : 2);
    int p = (longest + 1) % 3, q = (longest + 2) % 3;
    search->swept = longest;
    search->cut = size[p] >= size[q] ? p : q;
}

// Gives every box its strips.
static void number_strips(Search* search, const Bounds* cloth) {
    int axis = search->cut;
    double start = cloth->low[axis], length = cloth->high[axis] - start, sum = 0;
    for (int i = 0; i < search->box_count; i++)
        sum += search->boxes[i].high[axis] - search->boxes[i].low[axis];
    double wanted = sum > 0 ? 0.5 * length / sum * search->box_count : 1;
    double most = search->box_count;
    search->strip_count = wanted < 1 ? 1 : wanted > most ? search->box_count : (int)wanted;
    double scale = length > 0 ? search->strip_count / length : 0;
    for (int i = 0; i < search->box_count; i++) {
        Box* box = &search->boxes[i];
        int last = search->strip_count - 1;
        box->first = (int)((box->low[axis] - start) * scale);
        box->last = (int)((box->high[axis] - start) * scale);
        if (box->first > last) box->first = last;
        if (box->last > last) box->last = last;
    }
}

static bool fill_strips(Search* search) {
    int strips = search->strip_count;
    search->strip_start = wf_alloc(&search->allocator, (size_t)strips + 2, sizeof(int));
    if (!search->strip_start) return false;
    int* next = search->strip_start + 1;  // moves on to become the start of the one behind
    for (int i = 0; i < search->box_count; i++)
        for (int s = search->boxes[i].first; s <= search->boxes[i].last; s++) next[s + 1]++;
    for (int s = 0; s < strips; s++) next[s + 1] += next[s];
    search->entries = wf_alloc(&search->allocator, (size_t)next[strips], sizeof(int));
    if (!search->entries) return false;
    for (int i = 0; i < search->box_count; i++)
        for (int s = search->boxes[i].first; s <= search->boxes[i].last; s++)
            search->entries[next[s]++] = i;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Pairs

// How many corners two triangles of one surface share; those come first, in the same order.
static int arrange(const WeftSurface* surface, int s, int t, const double* a[3],
                   const double* b[3]) {
    const int *u = surface->triangles + 3 * (size_t)s, *v = surface->triangles + 3 * (size_t)t;
    int shared = 0;
    bool used[3] = {false, false, false};
    const double* others[3];
    int other_count = 0;
    for (int i = 0; i < 3; i++) {
        int j = 0;
        while (j < 3 && (used[j] || u[i] != v[j])) j++;
        if (j < 3) {
            used[j] = true;
            a[shared] = b[shared] = wf_corner(surface, s, i);
            shared++;
        } else {
            others[other_count++] = wf_corner(surface, s, i);
        }
    }
    for (int i = 0; i < other_count; i++) a[shared + i] = others[i];
    for (int j = 0, k = shared; j < 3; j++)
        if (!used[j]) b[k++] = wf_corner(surface, t, j);
    return shared;
}

static void find_corners(const WeftSurface* surface, int triangle, const double* corners[3]) {
    for (int i = 0; i < 3; i++) corners[i] = wf_corner(surface, triangle, i);
}

static bool boxes_cross(const Search* search, const Box* x, const Box* y) {
    const double *a[3], *b[3];
    if (x->surface == y->surface) {
        const WeftSurface* surface = &search->surfaces[x->surface];
        int shared = arrange(surface, x->triangle, y->triangle, a, b);
        return wf_triangles_cross(a, b, shared);
    }
    find_corners(&search->surfaces[x->surface], x->triangle, a);
    find_corners(&search->surfaces[y->surface], y->triangle, b);
    return wf_triangles_cross(a, b, 0);
}

static bool add_crossing(Search* search, const Box* x, const Box* y) {
    if (search->count == search->capacity) {
        int capacity = search->capacity > 0 ? 2 * search->capacity : 64;
        WeftCrossing* found = wf_alloc(&search->allocator, (size_t)capacity, sizeof *found);
        if (!found) return false;
        if (search->count > 0) memcpy(found, search->found, (size_t)search->count * sizeof *found);
        wf_free(&search->allocator, search->found);
        search->found = found;
        search->capacity = capacity;
    }
    bool turned =
        x->surface > y->surface || (x->surface == y->surface && x->triangle > y->triangle);
    const Box *first = turned ? y : x, *second = turned ? x : y;
    search->found[search->count++] = (WeftCrossing){
        {first->surface, second->surface},
        {first->triangle, second->triangle},
    };
    return true;
}

static bool sweep_strip(Search* search, int strip) {
    const int* entries = search->entries;
    int swept = search->swept, end = search->strip_start[strip + 1];
    for (int i = search->strip_start[strip]; i < end; i++) {
        const Box* x = &search->boxes[entries[i]];
        bool body = search->surfaces[x->surface].body;
        for (int j = i + 1; j < end; j++) {
            const Box* y = &search->boxes[entries[j]];
            if (y->low[swept] > x->high[swept]) break;
            if (!boxes_meet(x->low, x->high, y)) continue;
            if (strip != (x->first > y->first ? x->first : y->first)) continue;
            if (body && search->surfaces[y->surface].body) continue;
            if (boxes_cross(search, x, y) && !add_crossing(search, x, y)) return false;
        }
    }
    return true;
}

static int compare_crossings(const void* a, const void* b) {
    const WeftCrossing *x = a, *y = b;
    for (int k = 0; k < 2; k++) {
        if (x->surface[k] != y->surface[k]) return x->surface[k] < y->surface[k] ? -1 : 1;
        if (x->triangle[k] != y->triangle[k]) return x->triangle[k] < y->triangle[k] ? -1 : 1;
    }
    return 0;
}

static bool run_search(Search* search) {
    size_t most = 0;
    for (int i = 0; i < search->surface_count; i++)
        most += (size_t)search->surfaces[i].triangle_count;
    search->boxes = wf_alloc(&search->allocator, most, sizeof *search->boxes);
    if (!search->boxes) return false;
    Bounds cloth = find_boxes(search);
    if (search->box_count == 0) return true;
    choose_axes(search, &cloth);
    if (!sort_boxes(search)) return false;
    number_strips(search, &cloth);
    if (!fill_strips(search)) return false;
    for (int strip = 0; strip < search->strip_count; strip++)
        if (!sweep_strip(search, strip)) return false;
    if (search->count > 0)
        qsort(search->found, (size_t)search->count, sizeof *search->found, compare_crossings);
    return true;
}

WeftResult weft_find_crossings(const WeftSurface* surfaces, int surface_count,
                               const WeftAllocator* allocator, int room, WeftCrossing* crossings,
                               int* count, WeftError* error) {
    wf_assert((surfaces || surface_count == 0) && surface_count >= 0 && count);
    wf_assert(room >= 0 && (crossings || room == 0));
    *count = 0;
    WeftResult result = wf_check_surfaces(surfaces, surface_count, error);
    if (result) return result;
    Search search = {
        .surfaces = surfaces,
        .surface_count = surface_count,
        .allocator = wf_allocator(allocator),
    };
    bool good = run_search(&search);
    if (good) {
        int kept = search.count < room ? search.count : room;
        if (kept > 0) memcpy(crossings, search.found, (size_t)kept * sizeof *crossings);
        *count = search.count;
    }
    wf_free(&search.allocator, search.boxes);
    wf_free(&search.allocator, search.strip_start);
    wf_free(&search.allocator, search.entries);
    wf_free(&search.allocator, search.found);
    return good ? WEFT_OK : wf_fail_memory(error);
}

bool weft_crossing_touches(const WeftSurface* surfaces, const WeftCrossing* crossing) {
    const double *a[3], *b[3];
    find_corners(&surfaces[crossing->surface[0]], crossing->triangle[0], a);
    find_corners(&surfaces[crossing->surface[1]], crossing->triangle[1], b);
    return wf_triangles_touch(a, b);
}
