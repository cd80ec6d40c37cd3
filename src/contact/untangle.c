// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which way is out? Nobody can know; these are the guesses, the first one that says something.
//
//     a contour cuts a sheet in two     the smaller part goes back through what it has crossed,
//     (from border to border, or all    along the normal of that. Of two sheets that are cut, the
//     around a part)                    one with the smaller part. A closed body: its outside
//     it ends inside of both sheets     the way in which the contour gets shorter (Volino and
//                                       Magnenat-Thalmann 2006)
//     a patch of cloth in a body,       as its contours go; else along the mean normal of the
//     deep inside                       body's surface, or of the patch where that has none
//
// All crossings of a contour go one way, where most agree: a sheet through a box goes up past its
// walls, though each wall alone would have it go sideways.
//
// A crossing becomes a contact with a target behind, at a speed; it is soft, so that its force is
// bounded whatever holds the cloth, and its speed is all that the cloth is left with. Cloth that
// nothing can part (pinned on both sides of other cloth) stays crossed.

#include "contact/untangle.h"

#include <math.h>
#include <string.h>

#include "contact/near.h"
#include "contact/world.h"

static const double SPEED = 0.5;    // m/s, at which things are brought apart,
static const double OF_EDGE = 0.5;  // and at most this part of an edge in a substep
static const double AGREED = 0.25;  // of the ways of a contour must be left in their sum
static const double LEAKS = 2;      // times as many edges are crossed: a contour cuts a sheet
static const double DEEP = 0.3;     // of a radius: deeper, a patch leaves round bodies as one
static const double INSIDE = 1e-6;  // m, rounding

static WfVec unit(WfVec v) {
    double length = wf_length(v);
    return length > 0 ? wf_mul(1 / length, v) : (WfVec){0, 0, 0};
}

// ---------------------------------------------------------------------------------------------
// What a contour cuts

typedef struct Corners {
    WfVec x[3], normal;
} Corners;

static Corners corners_of(const WfSheet* sheet, int triangle) {
    const int* v = sheet->surface->triangles + 3 * (long)triangle;
    Corners c;
    for (int k = 0; k < 3; k++) c.x[k] = wf_load(sheet->x, v[k]);
    c.normal = unit(wf_cross(wf_sub(c.x[1], c.x[0]), wf_sub(c.x[2], c.x[0])));
    return c;
}

// The crossings order[first] to order[end - 1] of one contour.
typedef struct Contour {
    WfWorld* world;
    int first, end;
} Contour;

static WfCrossing* crossing_of(const Contour* contour, int k) {
    return &contour->world->tangles.all[contour->world->tangles.order[k]];
}

// On which of the two sides of its contour the edge of a crossing is: the body is the second.
static int side_of(const Contour* contour, int k) {
    bool turned;
    WfTangles* t = &contour->world->tangles;
    const WfCrossing* c = &t->all[t->order[k]];
    wf_contour_of(t, t->order[k], &turned);
    return c->mover < 0 ? turned : c->body_edge;
}

static WfSheet sheet_of(const Contour* contour, int side) {
    return wf_sheet(contour->world, side ? crossing_of(contour, contour->first)->mover : -1);
}

// The sheet of one side, cut by the contour: what lies in front of the other sheet, and behind it.
typedef struct Cut {
    double areas[2];
    int edges;  // that are crossed
    int leaks;  // edges that join front and back around the ends of the contour
    int count;  // vertices in the queue
} Cut;

static void add_vertex(const Contour* contour, const WfSheet* sheet, int vertex, int label,
                       Cut* cut) {
    if (sheet->label[vertex]) return;
    sheet->label[vertex] = (unsigned char)label;
    cut->areas[label - 1] += sheet->areas[vertex];
    contour->world->tangles.queue[cut->count++] = vertex;
}

// Start at the ends of crossed edges. An edge is shared out by the place where it is crossed.
static void add_ends(const Contour* contour, int side, const WfSheet* sheet, Cut* cut) {
    WfWorld* w = contour->world;
    for (int k = contour->first; k < contour->end; k++) {
        const WfCrossing* c = crossing_of(contour, k);
        if (side_of(contour, k) != side) continue;
        WfSheet other = wf_triangle_sheet(w, c);
        Corners corners = corners_of(&other, c->triangle);
        const int* ends = sheet->surface->edges + 2 * (long)c->edge;
        for (int e = 0; e < 2; e++) {
            WfVec from = wf_sub(wf_load(sheet->x, ends[e]), corners.x[0]);
            int label = wf_dot(from, corners.normal) > 0 ? 1 : 2;
            double part = (e == 0 ? c->along : 1 - c->along) - 0.5;
            cut->areas[label - 1] += part * sheet->areas[ends[e]] / 3;
            add_vertex(contour, sheet, ends[e], label, cut);
        }
        cut->edges++;
    }
}

static Cut cut_sheet(const Contour* contour, int side) {
    WfSheet sheet = sheet_of(contour, side);
    WfTangles* t = &contour->world->tangles;
    int mover = crossing_of(contour, contour->first)->mover;
    bool closed = mover >= 0 && side == 0 && contour->world->movers[mover].body->surface.closed;
    Cut cut = {{0, 0}, 0, 0, 0};
    add_ends(contour, side, &sheet, &cut);
    for (int at = 0; at < cut.count; at++) {
        int i = t->queue[at], label = sheet.label[i];
        for (int k = sheet.start[i]; k < sheet.start[i + 1]; k++) {
            int j = sheet.beside[k];
            cut.leaks += label == 1 && sheet.label[j] == 2;
            add_vertex(contour, &sheet, j, label, &cut);
        }
        if (closed && label == 2) t->in_mesh[i] = 1 + mover;
    }
    for (int at = 0; at < cut.count; at++) sheet.label[t->queue[at]] = 0;
    if (closed) cut.areas[0] = HUGE_VAL;
    return cut;
}

// ---------------------------------------------------------------------------------------------
// The way of a contour

// Move an edge with direction e by d against the plane n, and the crossing moves within the plane
// by d - e (d.n)/(e.n); the contour leaves it into the triangle beside along r. So it gets shorter
// fastest by d = r - n (e.r)/(e.n).
static WfVec way_along(const WfSheet* sheet, int edge, WfVec n) {
    const int* ends = sheet->surface->edges + 2 * (long)edge;
    const int* beside = sheet->surface->edge_triangles + 2 * (long)edge;
    WfVec from = wf_load(sheet->x, ends[0]), sum = {0, 0, 0};
    WfVec e = unit(wf_sub(wf_load(sheet->x, ends[1]), from));
    for (int s = 0; s < 2; s++) {
        if (beside[s] < 0) continue;
        Corners c = corners_of(sheet, beside[s]);
        WfVec middle = wf_mul(1.0 / 3, wf_add(wf_add(c.x[0], c.x[1]), c.x[2]));
        WfVec r = unit(wf_cross(c.normal, n)), in = wf_sub(middle, from);
        in = wf_madd(in, -wf_dot(in, e), e);
        if (wf_dot(in, r) < 0) r = wf_mul(-1, r);
        double tilt = wf_dot(e, r), steep = wf_dot(e, n);
        double part = fabs(tilt) < fabs(steep) ? tilt / steep : (tilt * steep > 0 ? 1 : -1);
        sum = wf_madd(wf_add(sum, r), -part, n);
    }
    return sum;
}

static WfVec edge_normal(const WfSheet* sheet, int edge) {
    const int* beside = sheet->surface->edge_triangles + 2 * (long)edge;
    WfVec sum = {0, 0, 0};
    for (int s = 0; s < 2; s++)
        if (beside[s] >= 0) sum = wf_add(sum, corners_of(sheet, beside[s]).normal);
    return unit(sum);
}

// A way out: a side of the contour, of which one part goes back through the other side.
typedef struct Guess {
    int side;     // or -1: the contour gets shorter
    double sign;  // 1: the part in front
    double area;
} Guess;

static WfVec guessed_way(const Contour* contour, int k, Guess guess) {
    const WfCrossing* c = crossing_of(contour, k);
    WfSheet of = wf_edge_sheet(contour->world, c), other = wf_triangle_sheet(contour->world, c);
    WfVec normal = corners_of(&other, c->triangle).normal;
    if (guess.side < 0) return way_along(&of, c->edge, normal);
    return side_of(contour, k) == guess.side ? wf_mul(-guess.sign, normal)
                                             : wf_mul(guess.sign, edge_normal(&of, c->edge));
}

// The mean way of the first side; zero where too few agree.
static WfVec common_way(const Contour* contour, Guess guess) {
    WfVec sum = {0, 0, 0};
    double lengths = 0;
    for (int k = contour->first; k < contour->end; k++) {
        WfVec way = guessed_way(contour, k, guess);
        sum = wf_madd(sum, side_of(contour, k) ? -1 : 1, way);
        lengths += wf_length(way);
    }
    return wf_length(sum) > AGREED * lengths ? unit(sum) : (WfVec){0, 0, 0};
}

// Whether cloth that goes this way would meet a plane before the end of the body.
static bool is_blocked(const Contour* contour, WfVec way) {
    const WfWorld* w = contour->world;
    const WfCrossing* first = crossing_of(contour, contour->first);
    WfSheet body = wf_sheet(w, first->mover);
    int i = first->body_edge ? w->cloth->triangles[3 * (long)first->triangle]
                             : w->cloth->edges[2 * (long)first->edge];
    WfVec x = wf_load(w->x, i), n;
    double end = -HUGE_VAL;
    for (int v = 0; v < body.surface->vertex_count; v++)
        end = fmax(end, wf_dot(way, wf_sub(wf_load(body.x, v), x)));
    for (int m = 0; m < w->mover_count; m++) {
        const WfMover* mover = &w->movers[m];
        if (mover->body->kind != WEFT_BODY_PLANE) continue;
        double far = wf_body_distance(mover->body, &mover->from, x, &n);
        if (far + wf_dot(n, way) * end < 0) return true;
    }
    return false;
}

// The smaller part of a body goes through the cloth, unless the cloth has no room to make way.
static Guess guess_of(const Contour* contour, int side, const Cut* cut) {
    int part = cut->areas[1] < cut->areas[0];
    Guess guess = {side, part ? -1 : 1, cut->areas[part]};
    Guess other = {side, part ? 1 : -1, cut->areas[1 - part]};
    bool turn = side == 1 && crossing_of(contour, contour->first)->mover >= 0 &&
                is_blocked(contour, common_way(contour, guess));
    return turn ? other : guess;
}

static void choose_way(const Contour* contour) {
    Guess best = {.side = -1, .area = HUGE_VAL}, any = best;
    for (int side = 0; side < 2; side++) {
        Cut cut = cut_sheet(contour, side);
        if (cut.edges == 0 || LEAKS * cut.leaks > cut.edges) continue;
        Guess guess = guess_of(contour, side, &cut);
        if (guess.area < any.area) any = guess;
        if (guess.area < best.area && wf_length(common_way(contour, guess)) > 0) best = guess;
    }
    if (best.side < 0) best = any;
    WfVec common = common_way(contour, best);
    for (int k = contour->first; k < contour->end; k++) {
        WfCrossing* c = crossing_of(contour, k);
        WfVec way = wf_mul(side_of(contour, k) ? -1 : 1, common);
        c->way = wf_length(common) > 0 ? way : unit(guessed_way(contour, k, best));
    }
}

static void choose_ways(WfWorld* w) {
    WfTangles* t = &w->tangles;
    bool turned;
    memset(t->in_mesh, 0, (size_t)w->vertex_count * sizeof *t->in_mesh);
    for (int k = 0, end; k < t->count; k = end) {
        int contour = wf_contour_of(t, t->order[k], &turned);
        for (end = k + 1; end < t->count;) {
            if (wf_contour_of(t, t->order[end], &turned) != contour) break;
            end++;
        }
        Contour of = {w, k, end};
        choose_way(&of);
    }
}

// ---------------------------------------------------------------------------------------------
// Contacts

static void mark(WfWorld* w, const int* vertices, int count, unsigned char flag) {
    for (int k = 0; k < count; k++) w->tangled[vertices[k]] |= flag;
}

static void mark_crossing(WfWorld* w, const WfCrossing* c) {
    const int* ends = w->cloth->edges + 2 * (long)c->edge;
    const int* corners = w->cloth->triangles + 3 * (long)c->triangle;
    unsigned char flag = c->mover < 0 ? WF_TANGLED_CLOTH : WF_TANGLED_BODY;
    if (!c->body_edge) mark(w, ends, 2, flag);
    if (c->mover < 0 || c->body_edge) mark(w, corners, 3, flag);
}

// A soft contact that shall move by `reach` along `way` against what carries it.
static WfContact* pull(WfWorld* w, WfVec way, double reach) {
    WfContact* c = wf_add_contact(&w->contacts);
    if (!c) return NULL;
    c->soft = true;
    c->normal = way;
    c->gap = -reach * w->pull;
    return c;
}

static void put(WfContact* c, int vertex, double weight) {
    c->vertices[c->count] = vertex;
    c->weights[c->count++] = weight;
}

static bool is_free(const WfWorld* w, const int* vertices, int count) {
    for (int k = 0; k < count; k++)
        if (!w->pinned[vertices[k]]) return true;
    return false;
}

static void pull_cloth(WfWorld* w, const WfCrossing* x, double reach) {
    const int* ends = w->cloth->edges + 2 * (long)x->edge;
    const int* corners = w->cloth->triangles + 3 * (long)x->triangle;
    if (!is_free(w, ends, 2) && !is_free(w, corners, 3)) return;
    for (int k = 0; k < 2; k++) {
        WfContact* c = pull(w, x->way, reach);
        if (!c) return;
        put(c, ends[k], 1);
        for (int v = 0; v < 3; v++) put(c, corners[v], -x->weights[v]);
    }
}

static WfVec moved(const WfMover* mover, int vertex) {
    return wf_sub(wf_load(mover->x1, vertex), wf_load(mover->x0, vertex));
}

static void pull_edge(WfWorld* w, const WfCrossing* x, double reach) {
    const WfMover* mover = &w->movers[x->mover];
    const int* ends = w->cloth->edges + 2 * (long)x->edge;
    const int* corners = mover->body->surface.triangles + 3 * (long)x->triangle;
    WfContact* c = is_free(w, ends, 2) ? pull(w, x->way, reach) : NULL;
    if (!c) return;
    put(c, ends[0], 1 - x->along);
    put(c, ends[1], x->along);
    for (int v = 0; v < 3; v++)
        c->carry = wf_madd(c->carry, x->weights[v], moved(mover, corners[v]));
}

static void pull_triangle(WfWorld* w, const WfCrossing* x, double reach) {
    const WfMover* mover = &w->movers[x->mover];
    const int* ends = mover->body->surface.edges + 2 * (long)x->edge;
    const int* corners = w->cloth->triangles + 3 * (long)x->triangle;
    WfContact* c = is_free(w, corners, 3) ? pull(w, wf_mul(-1, x->way), reach) : NULL;
    if (!c) return;
    for (int v = 0; v < 3; v++) put(c, corners[v], x->weights[v]);
    c->carry =
        wf_madd(wf_mul(1 - x->along, moved(mover, ends[0])), x->along, moved(mover, ends[1]));
}

static double edge_length(const WfSheet* sheet, int edge) {
    const int* ends = sheet->surface->edges + 2 * (long)edge;
    return wf_length(wf_sub(wf_load(sheet->x, ends[1]), wf_load(sheet->x, ends[0])));
}

static void pull_crossings(WfWorld* w) {
    WfSheet cloth = wf_sheet(w, -1);
    for (int k = 0; k < w->tangles.count; k++) {
        const WfCrossing* c = &w->tangles.all[k];
        int own = c->body_edge ? w->cloth->triangle_edges[3 * (long)c->triangle] : c->edge;
        double reach = fmin(SPEED * w->h, OF_EDGE * edge_length(&cloth, own));
        mark_crossing(w, c);
        if (!(wf_length(c->way) > 0)) continue;
        if (c->mover < 0)
            pull_cloth(w, c, reach);
        else if (c->body_edge)
            pull_triangle(w, c, reach);
        else
            pull_edge(w, c, reach);
    }
}

// ---------------------------------------------------------------------------------------------
// Patches inside bodies

// Distance and outward normal of the solids whose inside is known without a search.
static double solid_distance(const WfMover* mover, WfVec p, WfVec* normal) {
    const WfBody* body = mover->body;
    if (body->exact) return wf_body_distance(body, &mover->from, p, normal);
    WfVec local = wf_pose_local(&mover->from, p);
    const double x[3] = {local.x, local.y, local.z};
    double depth = -HUGE_VAL, n[3] = {0, 0, 0};
    int nearest = 0;
    for (int k = 0; k < 3; k++)
        if (fabs(x[k]) - body->size[k] / 2 > depth) {
            depth = fabs(x[k]) - body->size[k] / 2;
            nearest = k;
        }
    n[nearest] = x[nearest] < 0 ? -1 : 1;
    *normal = wf_pose_turn(&mover->from, wf_load(n, 0));
    return depth;
}

static void find_in_solid(WfWorld* w, const WfMover* mover) {
    WfTangles* t = &w->tangles;
    for (int i = 0; i < w->vertex_count; i++) {
        WfPatch* patch = &t->patches[i];
        patch->depth = -solid_distance(mover, wf_load(w->x, i), &patch->outward);
        t->inside[i] = patch->depth > INSIDE;
    }
}

static void find_in_mesh(WfWorld* w, int m) {
    for (int i = 0; i < w->vertex_count; i++) w->tangles.inside[i] = w->tangles.in_mesh[i] == 1 + m;
}

// Corners of a triangle or ends of a segment that are different.
static int cell_size(const int* v) { return v[1] == v[2] ? 2 : 3; }

static bool is_inside(const WfTangles* t, const int* vertices, int count) {
    for (int k = 0; k < count; k++)
        if (!t->inside[vertices[k]]) return false;
    return true;
}

static int last_of(int* links, int i) {
    while (links[i] != i) i = links[i] = links[links[i]];
    return i;
}

static void link_vertices(int* links, int i, int j) {
    int a = last_of(links, i), b = last_of(links, j);
    links[a < b ? b : a] = a < b ? a : b;
}

static void join_patches(WfWorld* w) {
    WfTangles* t = &w->tangles;
    for (int i = 0; i < w->vertex_count; i++) t->patch_of[i] = i;
    for (int e = 0; e < w->cloth->edge_count; e++) {
        const int* ends = w->cloth->edges + 2 * (long)e;
        if (is_inside(t, ends, 2)) link_vertices(t->patch_of, ends[0], ends[1]);
    }
    for (int i = 0; i < w->vertex_count; i++) {
        WfPatch* patch = &t->patches[last_of(t->patch_of, i)];
        if (!t->inside[i]) continue;
        patch->vertex_count++;
        if (patch == &t->patches[i]) continue;
        patch->outward = wf_add(patch->outward, t->patches[i].outward);
        patch->depth = fmax(patch->depth, t->patches[i].depth);
    }
    for (int k = 0; k < w->cloth->triangle_count; k++) {
        const int* v = w->cloth->triangles + 3 * (long)k;
        if (!is_inside(t, v, 3)) continue;
        WfVec a = wf_load(w->x, v[0]);
        WfVec b = wf_sub(wf_load(w->x, v[1]), a), c = wf_sub(wf_load(w->x, v[2]), a);
        WfPatch* patch = &t->patches[last_of(t->patch_of, v[0])];
        patch->normal = wf_add(patch->normal, wf_cross(b, c));
        patch->cell_count++;
    }
}

static void follow_crossings(WfWorld* w, int m) {
    WfTangles* t = &w->tangles;
    for (int k = 0; k < t->count; k++) {
        const WfCrossing* c = &t->all[k];
        const int* v = c->body_edge ? w->cloth->triangles + 3 * (long)c->triangle
                                    : w->cloth->edges + 2 * (long)c->edge;
        for (int i = 0; i < (c->body_edge ? 3 : 2) && c->mover == m; i++) {
            WfPatch* patch = &t->patches[last_of(t->patch_of, v[i])];
            if (!t->inside[v[i]]) continue;
            patch->way = wf_madd(patch->way, c->body_edge ? -1 : 1, c->way);
            patch->way_count++;
        }
    }
}

static WfVec way_out(const WfPatch* patch) {
    if (patch->way_count > 0 && wf_length(patch->way) > AGREED * patch->way_count)
        return unit(patch->way);
    if (wf_length(patch->outward) > 0.5 * patch->vertex_count) return unit(patch->outward);
    WfVec normal = unit(patch->normal);
    double side = wf_dot(normal, wf_add(patch->outward, patch->way));
    if (fabs(side) < 1e-3 * patch->vertex_count) side = normal.y;  // as well up as down: up
    WfVec way = side < 0 ? wf_mul(-1, normal) : normal;
    return wf_length(way) > 0 ? way : unit(patch->outward);
}

// Contacts of single vertices bring it out.
static bool is_shallow(const WfBody* body, const WfPatch* patch) {
    if (!body->exact) return false;
    return body->kind == WEFT_BODY_PLANE || patch->depth < DEEP * body->radius;
}

static void pull_cell(WfWorld* w, const WfMover* mover, int cell) {
    WfTangles* t = &w->tangles;
    const int* v = w->cloth->triangles + 3 * (long)cell;
    int count = cell_size(v);
    if (!is_inside(t, v, count)) return;
    const WfPatch* patch = &t->patches[last_of(t->patch_of, v[0])];
    if (is_shallow(mover->body, patch)) return;
    mark(w, v, count, WF_TANGLED_BODY);
    WfSheet cloth = wf_sheet(w, -1);
    double edge = edge_length(&cloth, w->cloth->triangle_edges[3 * (long)cell]);
    WfContact* c =
        is_free(w, v, count) ? pull(w, way_out(patch), fmin(SPEED * w->h, OF_EDGE * edge)) : NULL;
    WfVec middle = {0, 0, 0};
    for (int k = 0; k < count && c; k++) {
        put(c, v[k], 1.0 / count);
        middle = wf_madd(middle, 1.0 / count, wf_load(w->x, v[k]));
    }
    if (c) c->carry = wf_body_carry(mover, middle);
}

// Returns how many vertices are inside.
static int pull_patches(WfWorld* w, int m) {
    WfTangles* t = &w->tangles;
    const WfMover* mover = &w->movers[m];
    int count = 0;
    memset(t->patches, 0, (size_t)w->vertex_count * sizeof *t->patches);
    memset(t->inside, 0, (size_t)w->vertex_count);
    if (mover->body->kind == WEFT_BODY_MESH)
        find_in_mesh(w, m);
    else
        find_in_solid(w, mover);
    for (int i = 0; i < w->vertex_count; i++) count += t->inside[i] && !w->pinned[i];
    if (count == 0) return 0;
    join_patches(w);
    follow_crossings(w, m);
    for (int k = 0; k < w->cloth->triangle_count; k++) pull_cell(w, mover, k);
    return count;
}

// ---------------------------------------------------------------------------------------------
// Triangles that cut a round body between their corners

// The place of a triangle nearest to the axis of a capsule, or the centre of a sphere: its weights.
// Returns the way there from the axis.
static WfVec from_axis(const WfMover* mover, const WfVec x[3], double weights[3]) {
    WfVec up = wf_pose_turn(&mover->from, (WfVec){0, mover->body->length / 2, 0});
    WfVec centre = wf_load(mover->from.position, 0), nearest = {0, 0, 0};
    const WfVec ends[2] = {wf_sub(centre, up), wf_add(centre, up)};
    double least = HUGE_VAL, w[3], axis = 0;
    for (int k = 0; k < 2; k++) {
        double square = wf_near_point_triangle(ends[k], x[0], x[1], x[2], w);
        if (!(square < least)) continue;
        least = square;
        axis = k;
        memcpy(weights, w, sizeof w);
    }
    for (int k = 0; k < 3 && mover->body->length > 0; k++) {
        double square = wf_near_edge_edge(ends[0], ends[1], x[k], x[(k + 1) % 3], w);
        if (!(square < least)) continue;
        least = square;
        axis = w[0];
        weights[k] = 1 - w[1];
        weights[(k + 1) % 3] = w[1];
        weights[(k + 2) % 3] = 0;
    }
    for (int k = 0; k < 3; k++) nearest = wf_madd(nearest, weights[k], x[k]);
    return wf_sub(nearest, wf_madd(ends[0], axis, wf_sub(ends[1], ends[0])));
}

static bool lifts(WfWorld* w, const WfMover* mover, const int* v) {
    WfVec x[3];
    double weights[3];
    for (int k = 0; k < 3; k++) x[k] = wf_load(w->x, v[k]);
    WfVec away = from_axis(mover, x, weights), middle = {0, 0, 0};
    double distance = wf_length(away), depth = mover->body->radius - distance;
    if (depth < INSIDE || !is_free(w, v, cell_size(v))) return false;
    WfVec normal = distance > 0 ? unit(away) : wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0]));
    WfContact* c = pull(w, unit(normal), fmin(SPEED * w->h, depth + w->thickness[v[0]]));
    for (int k = 0; k < cell_size(v) && c; k++) {
        put(c, v[k], cell_size(v) == 3 || k == 0 ? weights[k] : weights[1] + weights[2]);
        middle = wf_madd(middle, weights[k], x[k]);
    }
    if (c) c->carry = wf_body_carry(mover, middle);
    return true;
}

static int lift_triangles(WfWorld* w, const WfMover* mover) {
    int count = 0;
    if (!mover->body->exact || mover->body->kind == WEFT_BODY_PLANE) return 0;
    for (int k = 0; k < w->cloth->triangle_count; k++) {
        const int* v = w->cloth->triangles + 3 * (long)k;
        bool outside = true;
        WfVec n;
        for (int i = 0; i < 3; i++)
            outside = outside && solid_distance(mover, wf_load(w->x, v[i]), &n) > -INSIDE;
        if (outside) count += lifts(w, mover, v);
    }
    return count;
}

// ---------------------------------------------------------------------------------------------

WfTangleCount wf_untangle(WfWorld* w, bool crossings) {
    WfTangleCount count = {0, 0};
    w->tangles.count = 0;
    if (crossings) wf_find_tangles(w);
    count.crossings = w->tangles.count;
    choose_ways(w);
    pull_crossings(w);
    for (int m = 0; m < w->mover_count; m++) {
        const WfMover* mover = &w->movers[m];
        if (mover->body->exact)
            count.inside += pull_patches(w, m) + lift_triangles(w, mover);
        else if (crossings)
            count.crossings += pull_patches(w, m);
    }
    return count;
}
