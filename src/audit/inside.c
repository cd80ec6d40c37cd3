// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Vertices of cloth that are inside of closed bodies, or behind planes. Exactly: a ray goes up from
// the vertex, and leaves the body as often as it comes in, or once more where it begins inside.
//
//          ^  out: +1              The ray is moved aside by less than any number, so that it never
//      ----|-------                meets an edge: a vertex on the line of one is to that side of it
//          |  in: -1               where the line is not. Sides are signs of determinants.
//      ----|-------
//          o
//
// Triangles are found by a grid, seen from above; a cell holds those that touch it.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "audit/pair.h"
#include "audit/side.h"
#include "audit/surface.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"

enum { UP = 1, ACROSS = 2, ALONG = 0 };  // axes; seen from above, across to along turns left
enum { MOST_CELLS = 1000 };              // along a side of the grid

typedef struct Grid {
    double low[3], high[3];  // of the body
    int size;                // cells along each side
    int* start;              // into entries; size^2 + 1
    int* entries;            // triangles, cell by cell
} Grid;

typedef struct Search {
    const WeftSurface* surfaces;
    const bool* planes;
    int surface_count;
    WeftAllocator allocator;
    int count, room;
    WeftInside* found;
} Search;

// ---------------------------------------------------------------------------------------------
// Closed or not

typedef struct Place {
    double x[3];
    int vertex;
} Place;

// An edge by its places, the lower first, and whether a triangle runs along it that way.
typedef struct Edge {
    int low, high, sign;
} Edge;

static int compare_places(const void* a, const void* b) {
    const Place *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static int compare_edges(const void* a, const void* b) {
    const Edge *e = a, *f = b;
    if (e->low != f->low) return e->low < f->low ? -1 : 1;
    return (e->high > f->high) - (e->high < f->high);
}

// One number for all corners at a place.
static void number_places(const WeftSurface* s, Place* places, int* numbers) {
    size_t count = 3 * (size_t)s->triangle_count;
    for (size_t i = 0; i < count; i++) {
        places[i].vertex = s->triangles[i];
        memcpy(places[i].x, s->positions + 3 * (size_t)s->triangles[i], sizeof places[i].x);
    }
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; i++) {
        const Place *place = &places[i], *last = i > 0 ? place - 1 : NULL;
        bool same = last && place->x[0] == last->x[0] && place->x[1] == last->x[1] &&
                    place->x[2] == last->x[2];
        numbers[place->vertex] = same ? numbers[last->vertex] : place->vertex;
    }
}

static bool edges_balance(const WeftSurface* s, const int* numbers, Edge* edges) {
    size_t count = 0;
    for (int t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const int* v = s->triangles + 3 * (size_t)t;
            int a = numbers[v[k]], b = numbers[v[(k + 1) % 3]];
            if (a != b) edges[count++] = a < b ? (Edge){a, b, 1} : (Edge){b, a, -1};
        }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0, end; i < count; i = end) {
        int sum = 0;
        for (end = i; end < count && compare_edges(&edges[i], &edges[end]) == 0; end++)
            sum += edges[end].sign;
        if (sum != 0) return false;
    }
    return count > 0;
}

// Along every edge triangles run both ways as often, where vertices at one place count as one.
static bool find_closed(const Search* search, const WeftSurface* s, bool* closed) {
    const WeftAllocator* allocator = &search->allocator;
    size_t corners = 3 * (size_t)s->triangle_count;
    Place* places = wf_alloc(allocator, corners, sizeof *places);
    Edge* edges = wf_alloc(allocator, corners, sizeof *edges);
    int* numbers = wf_alloc(allocator, (size_t)s->vertex_count, sizeof *numbers);
    bool good = places && edges && numbers;
    if (good) {
        number_places(s, places, numbers);
        *closed = edges_balance(s, numbers, edges);
    }
    wf_free(allocator, places);
    wf_free(allocator, edges);
    wf_free(allocator, numbers);
    return good;
}

// ---------------------------------------------------------------------------------------------
// Grid

static int cell_of(const Grid* grid, int axis, double x) {
    double length = grid->high[axis] - grid->low[axis];
    double cell = length > 0 ? (x - grid->low[axis]) / length * grid->size : 0;
    return cell < grid->size - 1 ? (int)cell : grid->size - 1;
}

// Counts the triangles of each cell, one further on; or puts them in place.
static void go_over_cells(const WeftSurface* s, Grid* grid, bool put) {
    int* next = grid->start + 1;
    for (int t = 0; t < s->triangle_count; t++) {
        int first[2], last[2];
        for (int k = 0; k < 2; k++) {
            int axis = k ? ALONG : ACROSS;
            double a = wf_corner(s, t, 0)[axis], b = wf_corner(s, t, 1)[axis];
            double c = wf_corner(s, t, 2)[axis];
            first[k] = cell_of(grid, axis, fmin(a, fmin(b, c)));
            last[k] = cell_of(grid, axis, fmax(a, fmax(b, c)));
        }
        for (int i = first[0]; i <= last[0]; i++)
            for (int j = first[1]; j <= last[1]; j++) {
                int cell = grid->size * i + j;
                if (put)
                    grid->entries[next[cell]++] = t;
                else
                    next[cell + 1]++;
            }
    }
}

static bool make_grid(const Search* search, const WeftSurface* s, Grid* grid) {
    for (int k = 0; k < 3; k++) grid->low[k] = HUGE_VAL, grid->high[k] = -HUGE_VAL;
    for (int t = 0; t < s->triangle_count; t++)
        for (int i = 0; i < 9; i++) {
            double x = wf_corner(s, t, i / 3)[i % 3];
            grid->low[i % 3] = fmin(grid->low[i % 3], x);
            grid->high[i % 3] = fmax(grid->high[i % 3], x);
        }
    double wanted = sqrt(s->triangle_count / 2.0);
    grid->size = wanted < 1 ? 1 : wanted > MOST_CELLS ? MOST_CELLS : (int)wanted;
    int cells = grid->size * grid->size;
    grid->start = wf_alloc(&search->allocator, (size_t)cells + 2, sizeof(int));
    if (!grid->start) return false;
    go_over_cells(s, grid, false);
    for (int c = 0; c < cells; c++) grid->start[c + 2] += grid->start[c + 1];
    grid->entries = wf_alloc(&search->allocator, (size_t)grid->start[cells + 1], sizeof(int));
    if (grid->entries) go_over_cells(s, grid, true);
    return grid->entries != NULL;
}

// ---------------------------------------------------------------------------------------------
// Rays

// Seen from above: on which side of the line from a to b is p, moved a little across, and far less
// along? 1 to the left, -1 to the right, 0 where there is no line.
static int moved_side(const double* a, const double* b, const double* p) {
    int side = wf_line_side(a, b, p, UP);
    if (side != 0) return side;
    if (a[ALONG] != b[ALONG]) return b[ALONG] < a[ALONG] ? 1 : -1;
    return a[ACROSS] == b[ACROSS] ? 0 : b[ACROSS] > a[ACROSS] ? 1 : -1;
}

// Whether p is a point of one of the triangles of a cell.
static bool is_on(const WeftSurface* s, const Grid* grid, int cell, const double* p) {
    for (int e = grid->start[cell]; e < grid->start[cell + 1]; e++) {
        int t = grid->entries[e];
        const double* corners[3] = {wf_corner(s, t, 0), wf_corner(s, t, 1), wf_corner(s, t, 2)};
        if (wf_triangles_cross((const double* const[3]){p, p, p}, corners, 0)) return true;
    }
    return false;
}

static bool is_inside(const WeftSurface* s, const Grid* grid, const double* p) {
    for (int k = 0; k < 3; k++)
        if (p[k] < grid->low[k] || p[k] > grid->high[k]) return false;
    int cell = grid->size * cell_of(grid, ACROSS, p[ACROSS]) + cell_of(grid, ALONG, p[ALONG]);
    int winding = 0;
    for (int e = grid->start[cell]; e < grid->start[cell + 1]; e++) {
        int t = grid->entries[e];
        const double *a = wf_corner(s, t, 0), *b = wf_corner(s, t, 1), *c = wf_corner(s, t, 2);
        int up = moved_side(a, b, p);  // 1: a triangle that looks up
        if (up == 0 || moved_side(b, c, p) != up || moved_side(c, a, p) != up) continue;
        if (up * wf_plane_side(a, b, c, p) > 0) winding += up;
    }
    return winding > 0 && !is_on(s, grid, cell, p);
}

// ---------------------------------------------------------------------------------------------

static bool is_behind(const WeftSurface* s, const double* p) {
    return wf_plane_side(wf_corner(s, 0, 0), wf_corner(s, 0, 1), wf_corner(s, 0, 2), p) > 0;
}

// Vertices of one surface of cloth, each once, inside of a body: by its grid, or behind a plane.
static bool count_inside(Search* search, int cloth, int body, const Grid* grid) {
    const WeftSurface *of = &search->surfaces[cloth], *in = &search->surfaces[body];
    WeftInside inside = {.surface = cloth, .body = body};
    unsigned char* seen = wf_alloc(&search->allocator, (size_t)of->vertex_count, 1);
    if (!seen) return false;
    for (size_t i = 0; i < 3 * (size_t)of->triangle_count; i++) {
        int v = of->triangles[i];
        const double* p = of->positions + 3 * (size_t)v;
        if (seen[v]) continue;
        seen[v] = 1;
        if (!(grid ? is_inside(in, grid, p) : is_behind(in, p))) continue;
        if (inside.vertex_count == 0 || v < inside.first) inside.first = v;
        inside.vertex_count++;
    }
    wf_free(&search->allocator, seen);
    if (inside.vertex_count == 0) return true;
    if (search->count < search->room) search->found[search->count] = inside;
    search->count++;
    return true;
}

static bool search_body(Search* search, int body) {
    const WeftSurface* s = &search->surfaces[body];
    bool plane = search->planes && search->planes[body], closed = false, good = true;
    Grid grid = {.size = 0};
    if (!plane) good = find_closed(search, s, &closed);
    if (good && closed) good = make_grid(search, s, &grid);
    for (int i = 0; i < search->surface_count && good && (plane || closed); i++) {
        const WeftSurface* cloth = &search->surfaces[i];
        if (!cloth->body && cloth->triangle_count > 0)
            good = count_inside(search, i, body, plane ? NULL : &grid);
    }
    wf_free(&search->allocator, grid.start);
    wf_free(&search->allocator, grid.entries);
    return good;
}

WeftResult weft_find_inside(const WeftSurface* surfaces, int surface_count, const bool* planes,
                            const WeftAllocator* allocator, int room, WeftInside* inside,
                            int* count, WeftError* error) {
    wf_assert((surfaces || surface_count == 0) && surface_count >= 0 && count);
    wf_assert(room >= 0 && (inside || room == 0));
    *count = 0;
    WeftResult result = wf_check_surfaces(surfaces, surface_count, error);
    if (result) return result;
    Search search = {surfaces, planes, surface_count, wf_allocator(allocator), 0, room, inside};
    for (int i = 0; i < surface_count; i++) {
        if (!surfaces[i].body || surfaces[i].triangle_count == 0) continue;
        if (!search_body(&search, i)) return wf_fail_memory(error);
    }
    *count = search.count;
    return WEFT_OK;
}
