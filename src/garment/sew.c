// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From a pattern to one mesh:
//
//     sides -> edges that match across seams (seams.c) -> triangles, panel by panel
//     (mesh/outline.c)
//           -> which face of each panel is the front -> vertices that meet become one
//
// A sewn vertex starts half-way between the sides that it joins, so that seams are closed from the
// start and the cloth beside them is stretched; dressing lets it contract. So no seam can open, and
// nothing of a body slips through one while it closes.
//
// Of a mirrored pattern (mirror.h) one half is meshed. The mesh of an image has the same vertices
// and triangles in the same order, so that vertex i of a panel is the image of vertex i of the
// other, sewn or not; those that are sewn to their own image lie in the mirror.

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/links.h"
#include "base/memory.h"
#include "garment/even_halves.h"
#include "garment/mirror.h"
#include "garment/pattern.h"
#include "garment/seams.h"
#include "mesh/hilbert.h"
#include "mesh/mesh.h"
#include "mesh/outline.h"

typedef struct Sewing {
    WeftAllocator allocator;
    const WeftPattern* pattern;
    double edge;
    WfSeams seams;
    WeftMesh* meshes;      // per panel
    WfOutlineEdge* edges;  // per panel
    int* first_vertex;     // per panel, and one more: vertices before sewing
    int* first_triangle;   // per panel, and one more
    int* side_point;       // per side: its first point in the edge of its panel
    int* faced;            // per panel: one of its piece (base/links.h), and whether it is
    bool* turned;          // turned against that one
    int turned_line;       // a line that is taken the other way round, to try; -1: none
    int* roots;            // per vertex before sewing: the lowest that it is one with
    int* numbers;          // per vertex before sewing: its number in the sewn mesh
} Sewing;

// ---------------------------------------------------------------------------------------------
// Panels

static WeftResult mesh_panel(Sewing* sewing, int p, WeftError* error) {
    const WeftPanel* panel = &sewing->pattern->panels[p];
    const WfSeams* seams = &sewing->seams;
    int first = seams->first_side[p];
    WfSideParts* parts = wf_alloc(&sewing->allocator, (size_t)panel->side_count, sizeof *parts);
    WeftLoop* loops = wf_alloc(&sewing->allocator, (size_t)panel->hole_count + 1, sizeof *loops);
    WeftResult result = parts && loops ? WEFT_OK : wf_fail_memory(error);
    if (result) goto done;
    loops[0] = (WeftLoop){panel->side_count, seams->curves + first};
    for (int i = 0; i < panel->hole_count; i++) loops[i + 1] = panel->holes[i];
    for (int k = 0, point = 0; k < panel->side_count; k++) {
        const WfCutSide* side = &seams->sides[first + k];
        parts[k] = (WfSideParts){side->point_count, side->parts};
        sewing->side_point[first + k] = point;
        point += side->point_count;
    }
    WeftOutlineDef def = {panel->hole_count + 1, loops, sewing->edge, 1};
    result = wf_make_outline(&def, parts, &sewing->allocator, &sewing->meshes[p], &sewing->edges[p],
                             error);
    if (result) wf_fail_prefix(error, result, "panel \"%s\": ", panel->name);
done:
    wf_free(&sewing->allocator, parts);
    wf_free(&sewing->allocator, loops);
    return result;
}

// The edge of an image runs the other way, from the same point on; holes are not sewn.
static WeftResult mirror_edge(Sewing* sewing, int from, int to) {
    const WfSeams* seams = &sewing->seams;
    const WfOutlineEdge* edge = &sewing->edges[from];
    int first = seams->first_side[from], last = seams->first_side[to + 1] - 1, count = 0;
    int* vertices = wf_alloc(&sewing->allocator, (size_t)edge->count, sizeof *vertices);
    if (!vertices) return WEFT_ERROR_MEMORY;
    for (int s = first; s < seams->first_side[from + 1]; s++) count += seams->sides[s].point_count;
    for (int i = 0; i < edge->count; i++)
        vertices[i] = edge->vertices[i == 0 || i >= count ? i : count - i];
    for (int s = first, end = 0; s < seams->first_side[from + 1]; s++) {
        end += seams->sides[s].point_count;
        sewing->side_point[last - (s - first)] = count - end;
    }
    sewing->edges[to] = (WfOutlineEdge){edge->count, vertices};
    return WEFT_OK;
}

// u -> -u, and triangles that are counter-clockwise again.
static WeftResult mirror_mesh(Sewing* sewing, int from, int to) {
    const WeftMesh* mesh = &sewing->meshes[from];
    WeftMesh* image = &sewing->meshes[to];
    size_t n = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    *image = (WeftMesh){.vertex_count = mesh->vertex_count,
                        .triangle_count = mesh->triangle_count,
                        .allocator = sewing->allocator};
    image->material = wf_alloc(&sewing->allocator, 2 * n, sizeof(double));
    image->triangles = wf_alloc(&sewing->allocator, 3 * triangles, sizeof(int));
    if (!image->material || !image->triangles) return WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        image->material[2 * i] = -mesh->material[2 * i];
        image->material[2 * i + 1] = mesh->material[2 * i + 1];
    }
    for (size_t t = 0; t < triangles; t++)
        for (size_t k = 0; k < 3; k++)
            image->triangles[3 * t + k] = mesh->triangles[3 * t + (k > 0 ? 3 - k : 0)];
    return mirror_edge(sewing, from, to);
}

static WeftResult mesh_panels(Sewing* sewing, WeftError* error) {
    WeftResult result = WEFT_OK;
    for (int p = 0; p < sewing->pattern->panel_count && !result; p++) {
        if (!wf_panel_follows(sewing->pattern, p))
            result = mesh_panel(sewing, p, error);
        else if (mirror_mesh(sewing, wf_panel_image(sewing->pattern, p), p))
            result = wf_fail_memory(error);
        if (result) break;
        sewing->first_vertex[p + 1] = sewing->first_vertex[p] + sewing->meshes[p].vertex_count;
        sewing->first_triangle[p + 1] =
            sewing->first_triangle[p] + sewing->meshes[p].triangle_count;
        if (sewing->first_vertex[p + 1] > WF_MAX_MESH_VERTICES)
            result = wf_fail(error, WEFT_ERROR_INPUT, "edges of %g m make more than %d vertices",
                             sewing->edge, WF_MAX_MESH_VERTICES);
    }
    return result;
}

// The vertex (before sewing) at point `i` of a side, its end included.
static int side_vertex(const Sewing* sewing, int side, int i) {
    const WfSeams* seams = &sewing->seams;
    int p = seams->sides[side].panel, next = side + 1;
    if (i < seams->sides[side].point_count)
        return sewing->first_vertex[p] + sewing->edges[p].vertices[sewing->side_point[side] + i];
    if (next == seams->first_side[p + 1]) next = seams->first_side[p];
    return sewing->first_vertex[p] + sewing->edges[p].vertices[sewing->side_point[next]];
}

// ---------------------------------------------------------------------------------------------
// Faces: neighbours across a seam run along it in opposite directions

// Whether the sides at a stop of a line run the same way along it.
static bool run_together(const WfStop* a, const WfStop* b) {
    return a->link->reversed == b->link->reversed;
}

// Neighbours face alike; the first panel of each piece shows its front where its sides run
// counter-clockwise. Returns the first line whose panels cannot agree, or -1.
static int spread_faces(Sewing* sewing) {
    const WfSeams* seams = &sewing->seams;
    for (int p = 0; p < sewing->pattern->panel_count; p++)
        sewing->faced[p] = p, sewing->turned[p] = false;
    for (int l = 0; l < seams->line_count; l++) {
        const WfSeamLine* line = &seams->lines[l];
        WfStop a = wf_first_stop(seams, line, 0), b = wf_first_stop(seams, line, 1);
        bool more = true;
        while (more) {
            int x = seams->sides[a.link->side].panel, y = seams->sides[b.link->side].panel;
            bool apart = run_together(&a, &b) != (l == sewing->turned_line);
            if (!wf_link_faced(sewing->faced, sewing->turned, x, y, apart)) return l;
            more = wf_next_stop(seams, line, 0, &a);
            more = wf_next_stop(seams, line, 1, &b) && more;
        }
    }
    return -1;
}

// Of the lines that would not twist the garment if they were the other way round, or
// of all, the one whose panels say most clearly that it should be; -1: none. *farther: its ends
// over the others.
static int find_wrong(Sewing* sewing, bool all, double* farther) {
    int wrong = -1;
    *farther = 1;
    for (int l = 0; l < sewing->seams.line_count; l++) {
        const WfSeamLine* line = &sewing->seams.lines[l];
        double now = wf_line_gap(&sewing->seams, sewing->pattern, line, false);
        double other = wf_line_gap(&sewing->seams, sewing->pattern, line, true);
        if (!(now > *farther * other)) continue;
        sewing->turned_line = l;
        if (!all && spread_faces(sewing) >= 0) continue;
        *farther = now / other;
        wrong = l;
    }
    sewing->turned_line = -1;
    return wrong;
}

// Several may be wrong, as mirror images are; where none seems to be, the twist is told where it
// was seen.
static WeftResult fail_clash(Sewing* sewing, int seen, WeftError* error) {
    double farther;
    int line = find_wrong(sewing, false, &farther);
    if (line < 0) line = find_wrong(sewing, true, &farther);
    const WeftSeam* seam = &sewing->pattern->seams[line < 0 ? seen : line];
    char text[WF_SEAM_TEXT];
    wf_seam_text(sewing->pattern, seam, text);
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "the seam of %s twists the garment: its cloth would have one face only%s", text,
                   line >= 0 && seam->ends != WEFT_SEAM_AUTO
                       ? "; the ends that it brings together are further from each other than the "
                         "others, so \"ends\" may be wrong"
                       : "");
}

static WeftResult choose_faces(Sewing* sewing, WeftError* error) {
    int clash = spread_faces(sewing);
    return clash < 0 ? WEFT_OK : fail_clash(sewing, clash, error);
}

// Whether the triangles of a panel, which are counter-clockwise in (u, v), have to be turned.
static bool is_turned(const Sewing* sewing, int p) {
    const WeftPanel* panel = &sewing->pattern->panels[p];
    double area = wf_loop_area(&panel->sides->curve, sizeof *panel->sides, panel->side_count);
    bool turned;
    wf_first_faced(sewing->faced, sewing->turned, p, &turned);
    return (area < 0) != turned;
}

// ---------------------------------------------------------------------------------------------
// Vertices that meet

// The vertex at edge `k` of a stop.
static int stop_vertex(const Sewing* sewing, const WfStop* stop, int k) {
    const WfCutSide* side = &sewing->seams.sides[stop->link->side];
    int point = 0;
    for (int i = 0; i < stop->interval; i++) point += side->edges[i];
    point += stop->link->reversed ? side->edges[stop->interval] - k : k;
    return side_vertex(sewing, stop->link->side, point);
}

static int stop_edges(const Sewing* sewing, const WfStop* stop) {
    return sewing->seams.sides[stop->link->side].edges[stop->interval];
}

static void sew_lines(Sewing* sewing) {
    int count = sewing->first_vertex[sewing->pattern->panel_count];
    for (int i = 0; i < count; i++) sewing->roots[i] = i;
    for (int l = 0; l < sewing->seams.line_count; l++) {
        const WfSeamLine* line = &sewing->seams.lines[l];
        WfStop a = wf_first_stop(&sewing->seams, line, 0);
        WfStop b = wf_first_stop(&sewing->seams, line, 1);
        bool more = true;
        while (more) {
            wf_assert(stop_edges(sewing, &a) == stop_edges(sewing, &b));
            for (int k = 0; k <= stop_edges(sewing, &a); k++)
                wf_link(sewing->roots, stop_vertex(sewing, &a, k), stop_vertex(sewing, &b, k));
            more = wf_next_stop(&sewing->seams, line, 0, &a);
            more = wf_next_stop(&sewing->seams, line, 1, &b) && more;
        }
    }
    for (int i = 0; i < count; i++) sewing->roots[i] = sewing->roots[sewing->roots[i]];
}

static int number_vertices(Sewing* sewing) {
    int count = sewing->first_vertex[sewing->pattern->panel_count], used = 0;
    for (int i = 0; i < count; i++)
        sewing->numbers[i] = sewing->roots[i] == i ? used++ : sewing->numbers[sewing->roots[i]];
    return used;
}

// ---------------------------------------------------------------------------------------------
// What sewing must not do: close a triangle, or bring three of them to one edge

static int triangle_panel(const Sewing* sewing, int triangle) {
    int p = 0;
    while (sewing->first_triangle[p + 1] <= triangle) p++;
    return p;
}

static const char* triangle_name(const Sewing* sewing, int triangle) {
    return sewing->pattern->panels[triangle_panel(sewing, triangle)].name;
}

static WeftResult check_sewn(const Sewing* sewing, const WeftMesh* mesh, WfKey* keys, WfKey* spare,
                             WeftError* error) {
    int halves = 3 * mesh->triangle_count;
    for (int h = 0; h < halves; h++) {
        uint64_t a = (uint64_t)mesh->triangles[h];
        uint64_t b = (uint64_t)mesh->triangles[h % 3 == 2 ? h - 2 : h + 1];
        if (a == b)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "panel \"%s\" is sewn to itself across a single triangle: it takes "
                           "edges shorter than %g m",
                           triangle_name(sewing, h / 3), sewing->edge);
        keys[h] = (WfKey){a < b ? a << 32 | b : b << 32 | a, h};
    }
    wf_sort_keys(keys, spare, halves);
    for (int i = 2; i < halves; i++) {
        if (keys[i].key != keys[i - 2].key) continue;
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "panels \"%s\", \"%s\" and \"%s\" are sewn along one line: a seam has two "
                       "sides (or edges shorter than %g m are due)",
                       triangle_name(sewing, keys[i - 2].index / 3),
                       triangle_name(sewing, keys[i - 1].index / 3),
                       triangle_name(sewing, keys[i].index / 3), sewing->edge);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// The garment

static WeftResult make_room(Sewing* sewing, int vertices, WeftGarment* g) {
    const WeftAllocator* a = &sewing->allocator;
    int panels = sewing->pattern->panel_count;
    size_t points = (size_t)sewing->first_vertex[panels];
    size_t triangles = (size_t)sewing->first_triangle[panels];
    g->mesh.allocator = *a;
    g->mesh.vertex_count = vertices;
    g->mesh.material_count = (int)points;
    g->mesh.triangle_count = (int)triangles;
    g->mesh.positions = wf_alloc(a, 3 * (size_t)vertices, sizeof(double));
    g->mesh.material = wf_alloc(a, 2 * points, sizeof(double));
    g->mesh.triangles = wf_alloc(a, 3 * triangles, sizeof(int));
    g->mesh.triangle_material = wf_alloc(a, 3 * triangles, sizeof(int));
    g->panels = wf_alloc(a, triangles, sizeof(int));
    g->material_panel = wf_alloc(a, points, sizeof(int));
    g->material_flat = wf_alloc(a, 2 * points, sizeof(double));
    g->panel_count = panels;
    bool good = g->mesh.positions && g->mesh.material && g->mesh.triangles &&
                g->mesh.triangle_material && g->panels && g->material_panel && g->material_flat;
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// The same along the warp, and the other way across it, to the last bit.
static void mirror_material(const Sewing* sewing, int p, WeftGarment* g) {
    long from = sewing->first_vertex[wf_panel_image(sewing->pattern, p)];
    long to = sewing->first_vertex[p], count = sewing->meshes[p].vertex_count;
    for (long v = 0; v < count; v++) {
        g->mesh.material[2 * (to + v)] = g->mesh.material[2 * (from + v)];
        g->mesh.material[2 * (to + v) + 1] = -g->mesh.material[2 * (from + v) + 1];
    }
}

// The material of a panel: (u, v) turned so that the warp is along u; mirrored where its triangles
// are turned.
static void lay_material(const Sewing* sewing, int p, WeftGarment* g) {
    const WeftPanel* panel = &sewing->pattern->panels[p];
    const WeftMesh* mesh = &sewing->meshes[p];
    double sine, cosine, side = is_turned(sewing, p) ? -1 : 1;
    wf_sine_cosine(panel->grain * (WF_PI / 180), &sine, &cosine);
    for (int v = 0; v < mesh->vertex_count; v++) {
        long at = sewing->first_vertex[p] + v;
        const double* flat = mesh->material + 2 * (long)v;
        memcpy(g->material_flat + 2 * at, flat, 2 * sizeof *flat);
        g->mesh.material[2 * at] = -sine * flat[0] + cosine * flat[1];
        g->mesh.material[2 * at + 1] = side * (-cosine * flat[0] - sine * flat[1]);
        g->material_panel[at] = p;
    }
    if (wf_panel_follows(sewing->pattern, p)) mirror_material(sewing, p, g);
}

static void lay_triangles(const Sewing* sewing, int p, WeftGarment* g) {
    const WeftMesh* mesh = &sewing->meshes[p];
    bool turned = is_turned(sewing, p);
    for (int t = 0; t < mesh->triangle_count; t++) {
        long to = sewing->first_triangle[p] + t;
        g->panels[to] = p;
        for (int k = 0; k < 3; k++) {
            int corner = mesh->triangles[3 * (long)t + (turned && k > 0 ? 3 - k : k)];
            int point = sewing->first_vertex[p] + corner;
            g->mesh.triangle_material[3 * to + k] = point;
            g->mesh.triangles[3 * to + k] = sewing->numbers[point];
        }
    }
}

// Each vertex in the middle of where its panels have it.
static WeftResult place_vertices(const Sewing* sewing, WeftGarment* g) {
    int* shares = wf_alloc(&sewing->allocator, (size_t)g->mesh.vertex_count, sizeof *shares);
    if (!shares) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < g->mesh.material_count; i++) {
        const WeftPanel* panel = &sewing->pattern->panels[g->material_panel[i]];
        const double* flat = g->material_flat + 2 * (long)i;
        WfVec at = wf_panel_place(&panel->place, flat[0], flat[1]);
        wf_accumulate(g->mesh.positions, sewing->numbers[i], 1, at);
        shares[sewing->numbers[i]]++;
    }
    for (int v = 0; v < g->mesh.vertex_count; v++)
        wf_store(g->mesh.positions, v, wf_mul(1.0 / shares[v], wf_load(g->mesh.positions, v)));
    wf_free(&sewing->allocator, shares);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Images

// Which vertices are images of which. Refuses seams that say it otherwise than panels do.
static WeftResult set_images(const Sewing* sewing, WeftGarment* g, WeftError* error) {
    const WeftPattern* pattern = sewing->pattern;
    WeftMesh* mesh = &g->mesh;
    mesh->images = wf_alloc(&mesh->allocator, (size_t)mesh->vertex_count, sizeof(int));
    if (!mesh->images) return wf_fail_memory(error);
    for (int v = 0; v < mesh->vertex_count; v++) mesh->images[v] = -1;
    for (int p = 0; p < pattern->panel_count; p++) {
        int image = wf_panel_image(pattern, p);
        bool good = is_turned(sewing, p) == is_turned(sewing, image);
        for (int i = 0; i < sewing->meshes[p].vertex_count; i++) {
            int v = sewing->numbers[sewing->first_vertex[p] + i];
            int there = sewing->numbers[sewing->first_vertex[image] + i];
            if (mesh->images[v] < 0) mesh->images[v] = there;
            good = good && mesh->images[v] == there;
        }
        if (!good)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "panel \"%s\" is not sewn as its mirror image, panel \"%s\", is",
                           pattern->panels[p].name, pattern->panels[image].name);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Lists

static WeftResult list_sides(const Sewing* sewing, WeftGarment* g) {
    const WfSeams* seams = &sewing->seams;
    int count = 0;
    g->side_count = seams->side_count;
    g->side_start = wf_alloc(&sewing->allocator, (size_t)seams->side_count + 1, sizeof(int));
    g->first_side = wf_alloc(&sewing->allocator, (size_t)seams->panel_count + 1, sizeof(int));
    for (int s = 0; s < seams->side_count; s++) count += seams->sides[s].point_count + 1;
    g->side_vertices = wf_alloc(&sewing->allocator, (size_t)count, sizeof(int));
    if (!g->side_start || !g->first_side || !g->side_vertices) return WEFT_ERROR_MEMORY;
    for (int p = 0; p <= seams->panel_count; p++) g->first_side[p] = seams->first_side[p];
    for (int s = 0, at = 0; s < seams->side_count; s++) {
        for (int i = 0; i <= seams->sides[s].point_count; i++)
            g->side_vertices[at++] = sewing->numbers[side_vertex(sewing, s, i)];
        g->side_start[s + 1] = at;
    }
    return WEFT_OK;
}

static int line_edges(const Sewing* sewing, int l) {
    const WfSeamLine* line = &sewing->seams.lines[l];
    WfStop stop = wf_first_stop(&sewing->seams, line, 0);
    int count = 0;
    do count += stop_edges(sewing, &stop);
    while (wf_next_stop(&sewing->seams, line, 0, &stop));
    return count;
}

static WeftResult list_seams(const Sewing* sewing, WeftGarment* g) {
    const WfSeams* seams = &sewing->seams;
    int count = 0;
    g->seam_count = seams->line_count;
    for (int l = 0; l < seams->line_count; l++) count += line_edges(sewing, l) + 1;
    g->seam_start = wf_alloc(&sewing->allocator, (size_t)seams->line_count + 1, sizeof(int));
    g->seam_vertices = wf_alloc(&sewing->allocator, (size_t)count, sizeof(int));
    g->seam_same = wf_alloc(&sewing->allocator, (size_t)seams->line_count, sizeof(bool));
    if (!g->seam_start || !g->seam_vertices || !g->seam_same) return WEFT_ERROR_MEMORY;
    for (int l = 0, at = 0; l < seams->line_count; l++) {
        const WfSeamLine* line = &seams->lines[l];
        WfStop stop = wf_first_stop(seams, line, 0);
        g->seam_same[l] = line->same;
        g->seam_vertices[at++] = sewing->numbers[stop_vertex(sewing, &stop, 0)];
        do
            for (int k = 1; k <= stop_edges(sewing, &stop); k++)
                g->seam_vertices[at++] = sewing->numbers[stop_vertex(sewing, &stop, k)];
        while (wf_next_stop(seams, line, 0, &stop));
        g->seam_start[l + 1] = at;
    }
    return WEFT_OK;
}

// The band along sides with this label; NULL: none.
static const WeftHold* find_band(const WeftPattern* pattern, const char* label) {
    for (int i = 0; i < pattern->hold_count && label[0]; i++)
        if (pattern->holds[i].kind == WEFT_HOLD_BAND && strcmp(pattern->holds[i].label, label) == 0)
            return &pattern->holds[i];
    return NULL;
}

// Threads are laid twice: at first there is no room for them, and they are only counted.
static void lay_thread(WeftMesh* mesh, WeftThread thread, const int* vertices) {
    if (mesh->threads) {
        thread.first = mesh->thread_vertex_count;
        mesh->threads[mesh->thread_count] = thread;
        memcpy(mesh->thread_vertices + thread.first, vertices, (size_t)thread.count * sizeof(int));
    }
    mesh->thread_count++;
    mesh->thread_vertex_count += thread.count;
}

// Along every side that has a band.
static void lay_bands(const Sewing* sewing, const WeftGarment* g, WeftMesh* mesh) {
    for (int p = 0; p < g->panel_count; p++) {
        for (int s = g->first_side[p]; s < g->first_side[p + 1]; s++) {
            int count = g->side_start[s + 1] - g->side_start[s];
            const WeftHold* band = find_band(
                sewing->pattern, sewing->pattern->panels[p].sides[s - g->first_side[p]].label);
            if (!band) continue;
            WeftThread thread = {.kind = WEFT_THREAD_BAND,
                                 .count = count,
                                 .ratio = band->ratio,
                                 .stretch = band->stretch};
            lay_thread(mesh, thread, g->side_vertices + g->side_start[s]);
        }
    }
}

static void lay_threads(const Sewing* sewing, const WeftGarment* g, WeftMesh* mesh) {
    mesh->thread_count = mesh->thread_vertex_count = 0;
    lay_bands(sewing, g, mesh);
    for (int s = 0; s < g->seam_count; s++) {
        WeftThread fold = {.kind = WEFT_THREAD_FOLD,
                           .count = g->seam_start[s + 1] - g->seam_start[s]};
        if (sewing->pattern->seams[s].fold)
            lay_thread(mesh, fold, g->seam_vertices + g->seam_start[s]);
    }
}

static WeftResult add_threads(const Sewing* sewing, WeftGarment* g) {
    WeftMesh* mesh = &g->mesh;
    lay_threads(sewing, g, mesh);
    if (mesh->thread_count == 0) return WEFT_OK;
    mesh->threads = wf_alloc(&mesh->allocator, (size_t)mesh->thread_count, sizeof *mesh->threads);
    mesh->thread_vertices =
        wf_alloc(&mesh->allocator, (size_t)mesh->thread_vertex_count, sizeof(int));
    if (!mesh->threads || !mesh->thread_vertices) return WEFT_ERROR_MEMORY;
    lay_threads(sewing, g, mesh);
    return WEFT_OK;
}

static WeftResult check_garment(const Sewing* sewing, const WeftGarment* g, WeftError* error) {
    size_t halves = 3 * (size_t)g->mesh.triangle_count;
    WfKey* keys = wf_alloc(&sewing->allocator, halves, sizeof *keys);
    WfKey* spare = wf_alloc(&sewing->allocator, halves, sizeof *spare);
    WeftResult result =
        keys && spare ? check_sewn(sewing, &g->mesh, keys, spare, error) : wf_fail_memory(error);
    wf_free(&sewing->allocator, keys);
    wf_free(&sewing->allocator, spare);
    return result;
}

static WeftResult make_garment(Sewing* sewing, WeftGarment* g, WeftError* error) {
    sew_lines(sewing);
    WeftResult result = make_room(sewing, number_vertices(sewing), g);
    if (!result) {
        for (int p = 0; p < g->panel_count; p++) {
            lay_material(sewing, p, g);
            lay_triangles(sewing, p, g);
        }
        result = place_vertices(sewing, g);
    }
    if (!result) result = list_sides(sewing, g);
    if (!result) result = list_seams(sewing, g);
    if (!result) result = add_threads(sewing, g);
    if (result) return wf_fail_memory(error);
    if (wf_is_mirrored(sewing->pattern)) {
        result = set_images(sewing, g, error);
        if (!result && wf_even_halves(sewing->pattern, g)) result = wf_fail_memory(error);
    }
    return result ? result : check_garment(sewing, g, error);
}

// ---------------------------------------------------------------------------------------------

static WeftResult prepare(Sewing* sewing) {
    size_t panels = (size_t)sewing->pattern->panel_count;
    const WeftAllocator* a = &sewing->allocator;
    sewing->meshes = wf_alloc(a, panels, sizeof *sewing->meshes);
    sewing->edges = wf_alloc(a, panels, sizeof *sewing->edges);
    sewing->first_vertex = wf_alloc(a, panels + 1, sizeof(int));
    sewing->first_triangle = wf_alloc(a, panels + 1, sizeof(int));
    sewing->side_point = wf_alloc(a, (size_t)sewing->seams.side_count, sizeof(int));
    sewing->faced = wf_alloc(a, panels, sizeof(int));
    sewing->turned = wf_alloc(a, panels, sizeof(bool));
    return sewing->meshes && sewing->edges && sewing->first_vertex && sewing->first_triangle &&
                   sewing->side_point && sewing->faced && sewing->turned
               ? WEFT_OK
               : WEFT_ERROR_MEMORY;
}

static WeftResult prepare_weld(Sewing* sewing) {
    size_t points = (size_t)sewing->first_vertex[sewing->pattern->panel_count];
    sewing->roots = wf_alloc(&sewing->allocator, points, sizeof(int));
    sewing->numbers = wf_alloc(&sewing->allocator, points, sizeof(int));
    return sewing->roots && sewing->numbers ? WEFT_OK : WEFT_ERROR_MEMORY;
}

static void clear(Sewing* sewing) {
    const WeftAllocator* a = &sewing->allocator;
    for (int p = 0; p < sewing->pattern->panel_count; p++) {
        if (sewing->meshes) weft_destroy_mesh(&sewing->meshes[p]);
        if (sewing->edges) wf_free(a, sewing->edges[p].vertices);
    }
    wf_free(a, sewing->meshes);
    wf_free(a, sewing->edges);
    wf_free(a, sewing->first_vertex);
    wf_free(a, sewing->first_triangle);
    wf_free(a, sewing->side_point);
    wf_free(a, sewing->faced);
    wf_free(a, sewing->turned);
    wf_free(a, sewing->roots);
    wf_free(a, sewing->numbers);
    wf_seams_destroy(a, &sewing->seams);
}

WeftResult weft_sew_pattern(const WeftPattern* pattern, double edge, const WeftAllocator* allocator,
                            WeftGarment* garment, WeftFindings* findings, WeftError* error) {
    *garment = (WeftGarment){.allocator = wf_allocator(allocator)};
    Sewing sewing = {
        .allocator = garment->allocator, .pattern = pattern, .edge = edge, .turned_line = -1};
    if (!(edge > 0) || !isfinite(edge))
        return wf_fail(error, WEFT_ERROR_INPUT, "an edge of %g m is not a length", edge);
    if (pattern->panel_count < 1)
        return wf_fail(error, WEFT_ERROR_INPUT, "the pattern has no panels");
    WeftResult result =
        wf_seams_create(&sewing.allocator, pattern, edge, &sewing.seams, findings, error);
    if (!result && prepare(&sewing)) result = wf_fail_memory(error);
    if (!result) result = mesh_panels(&sewing, error);
    if (!result && prepare_weld(&sewing)) result = wf_fail_memory(error);
    if (!result) result = choose_faces(&sewing, error);
    if (!result) result = make_garment(&sewing, garment, error);
    clear(&sewing);
    if (result) weft_destroy_garment(garment);
    return result;
}

void weft_destroy_garment(WeftGarment* garment) {
    if (!garment) return;
    const WeftAllocator* a = &garment->allocator;
    weft_destroy_mesh(&garment->mesh);
    wf_free(a, garment->panels);
    wf_free(a, garment->material_panel);
    wf_free(a, garment->material_flat);
    wf_free(a, garment->seam_start);
    wf_free(a, garment->seam_vertices);
    wf_free(a, garment->seam_same);
    wf_free(a, garment->side_start);
    wf_free(a, garment->side_vertices);
    wf_free(a, garment->first_side);
    *garment = (WeftGarment){0};
}
