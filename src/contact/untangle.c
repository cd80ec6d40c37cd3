// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which way is out? Nobody can know; these are the guesses, the first one that says something.
//
//     a contour cuts a sheet in two     the smaller part goes back through what it has crossed,
//     (from border to border, or all    along the normal of that. Of two sheets that are cut, the
//     around a part)                    one with the smaller part. A closed body: its outside
//     it ends inside of both sheets     the way in which the contour gets shorter (Volino and
//                                       Magnenat-Thalmann 2006)
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

#include "contact/solid.h"
#include "contact/world.h"

static const double SPEED = 0.5;    // m/s, at which things are brought apart,
static const double OF_EDGE = 0.5;  // and at most this part of an edge in a substep
static const double AGREED = 0.25;  // of the ways of a contour must be left in their sum
static const double LEAKS = 2;      // times as many edges are crossed: a contour cuts a sheet

// ---------------------------------------------------------------------------------------------
// What a contour cuts

typedef struct Corners {
    WfVec x[3], normal;
} Corners;

static Corners corners_of(const WfSheet* sheet, int triangle) {
    const int* v = sheet->surface->triangles + 3 * (long)triangle;
    Corners c;
    for (int k = 0; k < 3; k++) c.x[k] = wf_load(sheet->x, v[k]);
    c.normal = wf_unit(wf_cross(wf_sub(c.x[1], c.x[0]), wf_sub(c.x[2], c.x[0])));
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

static bool is_leaky(const Cut* cut) { return LEAKS * cut->leaks > cut->edges; }

// Where a contour does not part what is inside of a body from what is outside, because the body
// crosses itself there: by its winding number, vertex by vertex, as far as there are any inside.
static void find_inside(const Contour* contour, const WfSheet* sheet, int mover) {
    WfTangles* t = &contour->world->tangles;
    const WfMover* of = &contour->world->movers[mover];
    Cut cut = {{0, 0}, 0, 0, 0};
    add_ends(contour, 0, sheet, &cut);
    for (int at = 0; at < cut.count; at++) {
        int i = t->queue[at];
        if (wf_winding(&of->body->surface, of->x0, wf_load(sheet->x, i)) <= 0) continue;
        t->in_mesh[i] = 1 + mover;
        for (int k = sheet->start[i]; k < sheet->start[i + 1]; k++)
            add_vertex(contour, sheet, sheet->beside[k], 2, &cut);
    }
    for (int at = 0; at < cut.count; at++) sheet->label[t->queue[at]] = 0;
}

enum { SAMPLES = 8 };  // vertices that are asked whether they are where a contour has them

// Whether what lies behind the contour, by the labels of a sheet, is inside of a body.
static bool is_behind_inside(const Contour* contour, const WfSheet* sheet, int mover, int count) {
    const WfTangles* t = &contour->world->tangles;
    const WfMover* of = &contour->world->movers[mover];
    int behind = 0, seen = 0, wrong = 0;
    for (int at = 0; at < count; at++) behind += sheet->label[t->queue[at]] == 2;
    for (int at = 0; at < count; at++) {
        int i = t->queue[at];
        if (sheet->label[i] != 2 || seen++ % (behind / SAMPLES + 1) > 0) continue;
        wrong += wf_winding(&of->body->surface, of->x0, wf_load(sheet->x, i)) <= 0;
    }
    return wrong == 0;
}

static Cut cut_sheet(const Contour* contour, int side) {
    WfSheet sheet = sheet_of(contour, side);
    WfTangles* t = &contour->world->tangles;
    int mover = crossing_of(contour, contour->first)->mover;
    bool solid = mover >= 0 && side == 0 && contour->world->movers[mover].body->solid;
    Cut cut = {{0, 0}, 0, 0, 0};
    add_ends(contour, side, &sheet, &cut);
    for (int at = 0; at < cut.count; at++) {
        int i = t->queue[at], label = sheet.label[i];
        for (int k = sheet.start[i]; k < sheet.start[i + 1]; k++) {
            int j = sheet.beside[k];
            cut.leaks += label == 1 && sheet.label[j] == 2;
            add_vertex(contour, &sheet, j, label, &cut);
        }
    }
    bool parted = solid && !is_leaky(&cut) && is_behind_inside(contour, &sheet, mover, cut.count);
    for (int at = 0; at < cut.count && parted; at++)
        if (sheet.label[t->queue[at]] == 2) t->in_mesh[t->queue[at]] = 1 + mover;
    for (int at = 0; at < cut.count; at++) sheet.label[t->queue[at]] = 0;
    if (solid && !parted) find_inside(contour, &sheet, mover);
    if (solid) cut.areas[0] = HUGE_VAL;
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
    WfVec e = wf_unit(wf_sub(wf_load(sheet->x, ends[1]), from));
    for (int s = 0; s < 2; s++) {
        if (beside[s] < 0) continue;
        Corners c = corners_of(sheet, beside[s]);
        WfVec middle = wf_mul(1.0 / 3, wf_add(wf_add(c.x[0], c.x[1]), c.x[2]));
        WfVec r = wf_unit(wf_cross(c.normal, n)), in = wf_sub(middle, from);
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
    return wf_unit(sum);
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
    return wf_length(sum) > AGREED * lengths ? wf_unit(sum) : (WfVec){0, 0, 0};
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
        if (mover->body->kind != WEFT_BODY_PLANE || mover->off) continue;
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
        if (cut.edges == 0 || is_leaky(&cut)) continue;
        Guess guess = guess_of(contour, side, &cut);
        if (guess.area < any.area) any = guess;
        if (guess.area < best.area && wf_length(common_way(contour, guess)) > 0) best = guess;
    }
    if (best.side < 0) best = any;
    WfVec common = common_way(contour, best);
    for (int k = contour->first; k < contour->end; k++) {
        WfCrossing* c = crossing_of(contour, k);
        WfVec way = wf_mul(side_of(contour, k) ? -1 : 1, common);
        c->way = wf_length(common) > 0 ? way : wf_unit(guessed_way(contour, k, best));
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

WfContact* wf_pull(WfWorld* w, const int* vertices, const double* weights, int count, WfVec way,
                   double reach) {
    bool held = true, somewhere = wf_dot(way, way) > 0;
    for (int k = 0; k < count; k++) held = held && w->pinned[vertices[k]];
    WfContact* c = somewhere && !held ? wf_add_contact(&w->contacts) : NULL;
    if (!c) return NULL;
    c->soft = true;
    c->normal = way;
    c->gap = -w->pull * fmin(reach, SPEED * w->h);
    c->count = count;
    for (int k = 0; k < count; k++) {
        c->vertices[k] = vertices[k];
        c->weights[k] = weights[k];
    }
    return c;
}

static void mark_cloth(WfWorld* w, const int* vertices, int count, int other) {
    for (int k = 0; k < count; k++) {
        w->tangled[vertices[k]] |= WF_TANGLED_CLOTH;
        w->crossed_with[vertices[k]] |= wf_piece_bit(w, other);
    }
}

static void mark_at_body(WfWorld* w, const int* vertices, int count) {
    for (int k = 0; k < count; k++) w->tangled[vertices[k]] |= WF_TANGLED_BODY;
}

static void pull_cloth(WfWorld* w, const WfCrossing* x, double reach) {
    const int* ends = w->cloth->edges + 2 * (long)x->edge;
    const int* corners = w->cloth->triangles + 3 * (long)x->triangle;
    mark_cloth(w, ends, 2, corners[0]);
    mark_cloth(w, corners, 3, ends[0]);
    for (int k = 0; k < 2; k++) {
        const int vertices[4] = {ends[k], corners[0], corners[1], corners[2]};
        const double weights[4] = {1, -x->weights[0], -x->weights[1], -x->weights[2]};
        wf_pull(w, vertices, weights, 4, x->way, reach);
    }
}

static WfVec moved(const WfMover* mover, int vertex) {
    return wf_sub(wf_load(mover->x1, vertex), wf_load(mover->x0, vertex));
}

static void pull_edge(WfWorld* w, const WfCrossing* x, double reach) {
    const WfMover* mover = &w->movers[x->mover];
    const int* ends = w->cloth->edges + 2 * (long)x->edge;
    const int* corners = mover->body->surface.triangles + 3 * (long)x->triangle;
    const double weights[2] = {1 - x->along, x->along};
    mark_at_body(w, ends, 2);
    WfContact* c = wf_pull(w, ends, weights, 2, x->way, reach);
    for (int v = 0; v < 3 && c; v++)
        c->carry = wf_madd(c->carry, x->weights[v], moved(mover, corners[v]));
}

static void pull_triangle(WfWorld* w, const WfCrossing* x, double reach) {
    const WfMover* mover = &w->movers[x->mover];
    const int* ends = mover->body->surface.edges + 2 * (long)x->edge;
    const int* corners = w->cloth->triangles + 3 * (long)x->triangle;
    mark_at_body(w, corners, 3);
    WfContact* c = wf_pull(w, corners, x->weights, 3, wf_mul(-1, x->way), reach);
    WfVec first = moved(mover, ends[0]), second = moved(mover, ends[1]);
    if (c) c->carry = wf_madd(wf_mul(1 - x->along, first), x->along, second);
}

double wf_pull_reach(const WfWorld* w, int edge) {
    const int* ends = w->cloth->edges + 2 * (long)edge;
    return OF_EDGE * wf_length(wf_sub(wf_load(w->x, ends[1]), wf_load(w->x, ends[0])));
}

static void pull_crossings(WfWorld* w) {
    for (int k = 0; k < w->tangles.count; k++) {
        const WfCrossing* c = &w->tangles.all[k];
        int edge = c->body_edge ? w->cloth->triangle_edges[3 * (long)c->triangle] : c->edge;
        double reach = wf_pull_reach(w, edge);
        if (c->mover < 0)
            pull_cloth(w, c, reach);
        else if (c->body_edge)
            pull_triangle(w, c, reach);
        else
            pull_edge(w, c, reach);
    }
}

// ---------------------------------------------------------------------------------------------

WfTangleCount wf_untangle(WfWorld* w, bool crossings) {
    WfTangleCount count = {0, 0};
    w->tangles.count = 0;
    if (crossings) wf_find_tangles(w);
    count.crossings = w->tangles.count;
    choose_ways(w);
    if (crossings) wf_find_enclosed(w);
    pull_crossings(w);
    for (int m = 0; m < w->mover_count; m++) {
        const WfMover* mover = &w->movers[m];
        if (mover->off) continue;
        if (mover->body->exact)
            count.inside += wf_pull_inside(w, m);
        else if (crossings)
            count.crossings += wf_pull_inside(w, m);
    }
    return count;
}
