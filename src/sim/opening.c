// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Folds below the mesh open again. Pressed cloth gives way at once, by a load that is far below
// what its folds would carry at rest: steps of a frame are too long, and their iterations too few,
// for folds that the mesh could show to grow meanwhile (material/fabric.c). Left at that, cloth
// that is set down stays shrunk within itself: a heap at two thirds of its area, a tube on its end
// at a fifth. So where a vertex has been pressed for a quarter of a second, the load grows with the
// fourth power of time, and a second later its surroundings push as hard as they pull:
// what was hidden becomes folds, or room. An upright sheet is as close to its motion with it as
// without (86 mm), and ends on the floor with 0.97 of its area instead of 0.64.
//
// It opens once it has fallen, and does not jump open. While edges get shorter by 0.15 of their
// lengths per second it waits: a skirt that fell for longer than it had patience was spread out
// again like an umbrella. The faster they get longer the less the load grows, and where they gain
// 0.6 of their lengths per second it shrinks. (A tube of canvas that had sunk to a third of its
// area threw itself 10 cm into the air.)
//
// The age of a vertex is for how long its edges have been shorter than at rest, by a hundredth of
// their lengths together. It stays while they press with more than they would carry at first (of
// all edges of a vertex a third, those that run that way), or cloth that lies or hangs under its
// own weight would sink and rise for ever; after that it goes back four times as fast.
//
// A net is narrow because it is pulled: edges that run aslant and pull press those between them,
// which would give way though nothing presses the cloth. A tube of springs that hung by its end
// shrank to a fifth of its width. So the edges of a vertex carry, beside what else they do, what
// those that pull press them with along the one that is pressed most. With a lag: carrying more
// they pull less, and at once, single vertices on a ball sank and rose for ever. Not where steps
// are explicit, whose edges ring; and triangles, threads and membranes are no nets.

#include "sim/opening.h"

#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "method/method.h"

static const double PRESSED = 0.01;   // of the edges of a vertex
static const double PATIENCE = 0.25;  // s, before the load begins to grow
static const double GROWTH = 0.1;     // s, in which it is 16 times as large
static const double MOST = 1e4;       // times as large: as if it never gave way
static const double SINKING = 0.15;   // of their lengths per second, by which edges get shorter
static const double HASTE = 0.6;      // likewise, longer
static const double HELD = 0.3;       // of the first load
static const double RECOVERY = 4;     // seconds per second, of what is not pressed
static const double RISE = 0.05, FADE = 0.25;  // s, lags of what edges that pull press with
static const double STILL = 0.02;              // m/s, below which it does not fade

// An edge, measured once for both of its ends.
typedef struct WfSpoke {
    WfVec way;
    double now, ratio;  // its length, and over that at rest
    double growing;     // m/s, where it is shorter than at rest
} WfSpoke;

static double load_factor(double age) {
    double t = 1 + fmax(0, age - PATIENCE) / GROWTH, square = t * t;
    return fmin(square * square, MOST);
}

static bool gives_way(const WeftModel* m) {
    bool gives = false;
    for (int p = 0; p < m->portion_count && !gives; p++) gives = m->gives[p] > 0;
    return gives;
}

static bool has_nets(const WeftModel* m) {
    bool nets = false;
    for (int p = 0; p < m->portion_count && !nets; p++) nets = m->nets[p];
    return nets;
}

struct WfSpoke* wf_opening_layout(const WeftModel* m, WfArena* arena) {
    size_t edges = gives_way(m) ? (size_t)m->edge_count : 0;
    return wf_arena_push(arena, edges, sizeof(struct WfSpoke));
}

void wf_opening_begin(WeftState* state) {
    const WeftModel* m = state->model;
    for (int i = 0; i < m->system.vertex_count; i++) {
        int p = m->vertex_portion[i];
        double per_strain = m->nets[p] ? state->scales[p] / m->gives[p] : 0;
        state->scratch->firming[i] = load_factor(state->ages[i]) + per_strain * state->pulls[i];
    }
}

// Of a vertex, of its edges.
typedef struct Edges {
    double length, missing;  // sums: at rest, and of that now
    double growing;          // sum, m/s, of those that are too short
    double least;            // of the one that is pressed most: length over that at rest,
    WfVec most;              // and direction
    double pull, hold;       // along that one: sums of strains that pull, and of all other edges
} Edges;

static void measure_spokes(void* context, int first, int end) {
    WeftState* state = context;
    const WeftModel* m = state->model;
    for (int e = first; e < end; e++) {
        const int* ends = m->edges + 2 * (long)e;
        WfSpoke* spoke = &state->scratch->spokes[e];
        double rest = m->edge_lengths[e];
        spoke->way = wf_sub(wf_load(state->x, ends[1]), wf_load(state->x, ends[0]));
        spoke->now = wf_length(spoke->way);
        spoke->ratio = spoke->now / rest;
        spoke->growing = 0;
        if (spoke->now >= rest || !(spoke->now > 0)) continue;
        WfVec apart = wf_sub(wf_load(state->v, ends[1]), wf_load(state->v, ends[0]));
        spoke->growing = wf_dot(apart, spoke->way) / spoke->now;
    }
}

// Whether a vertex in a mirror has the mirror image of an edge, too.
static bool has_image(const WeftModel* m, int i, int edge) {
    const WfPlane* mirror = &m->system.mirror;
    const int* ends = m->edges + 2 * (long)edge;
    return wf_plane_holds(mirror, i) &&
           !(wf_plane_holds(mirror, ends[0]) && wf_plane_holds(mirror, ends[1]));
}

static Edges measure_edges(const WeftState* state, int i) {
    const WeftModel* m = state->model;
    Edges of = {.least = 1};
    const WfSpoke* most = NULL;
    for (int k = m->star_start[i]; k < m->star_start[i + 1]; k++) {
        const WfSpoke* spoke = &state->scratch->spokes[m->star[k]];
        double rest = m->edge_lengths[m->star[k]], times = has_image(m, i, m->star[k]) ? 2 : 1;
        of.length += times * rest;
        if (spoke->now >= rest) continue;
        of.missing += times * (rest - spoke->now);
        of.growing += times * spoke->growing;
        if (spoke->ratio >= of.least) continue;
        of.least = spoke->ratio;
        most = spoke;
    }
    if (most) of.most = wf_mul(most->now > 0 ? 1 / most->now : 0, most->way);
    return of;
}

// Of nets: how much the stretched edges of a vertex pull along its most pressed one, and how many
// others hold against that.
static void measure_pulls(const WeftState* state, int i, Edges* of) {
    const WeftModel* m = state->model;
    for (int k = m->star_start[i]; k < m->star_start[i + 1] && of->least < 1; k++) {
        const WfSpoke* spoke = &state->scratch->spokes[m->star[k]];
        if (!(spoke->now > 0)) continue;
        double part = wf_dot(spoke->way, of->most) / spoke->now, square = part * part;
        if (has_image(m, i, m->star[k])) {
            WfVec image = wf_plane_reflect(&m->system.mirror, spoke->way);
            part = wf_dot(image, of->most) / spoke->now;
            square += part * part;
        }
        if (spoke->now > m->edge_lengths[m->star[k]])
            of->pull += (spoke->ratio - 1) * square;
        else
            of->hold += square;
    }
}

// How the age of a vertex goes on, in seconds per second.
static double aging(double length, double missing, double growing, double carries) {
    bool pressed = missing > PRESSED * length;
    if (pressed && growing < 0) return fmax(1 + growing / (SINKING * length), 0);
    if (pressed) return fmax(1 - growing / (HASTE * length), -1);
    return missing <= carries * length ? -RECOVERY : 0;
}

static bool is_still(const WeftState* state, int i) {
    WfVec v = wf_load(state->v, i);
    return wf_dot(v, v) < STILL * STILL;
}

// A pull on its way to another, h later.
static double follow(double pull, double to, double h, bool still) {
    double lag = to > pull ? h / RISE : still ? 0 : h / FADE;
    return (pull + lag * to) / (1 + lag);
}

typedef struct Opening {
    WeftState* state;
    double h;
    bool nets;
    int cloth;
    double* opens;  // per block: 1 where something does
} Opening;

// Whether the vertex opens.
static bool open_vertex(const Opening* o, int i) {
    WeftState* state = o->state;
    int p = state->model->vertex_portion[i];
    double carries = HELD * state->model->gives[p] / state->scales[p];
    Edges of = measure_edges(state, i);
    if (o->nets) measure_pulls(state, i, &of);
    double rate = aging(of.length, of.missing, of.growing, carries);
    state->ages[i] = fmax(0, state->ages[i] + rate * o->h);
    double pull = of.hold > 0 ? of.pull / of.hold : 0;
    state->pulls[i] = follow(state->pulls[i], pull, o->h, is_still(state, i));
    return of.missing > PRESSED * of.length && state->scratch->firming[i] < MOST;
}

static void open_block(void* context, int block) {
    const Opening* o = context;
    const WeftModel* m = o->state->model;
    int first = m->first_vertex[o->cloth], count = m->first_vertex[o->cloth + 1] - first;
    bool opens = false;
    for (int i = block * WF_ITEM_BLOCK; i < wf_item_end(count, block); i++)
        opens = open_vertex(o, first + i) || opens;
    o->opens[block] = opens;
}

// Overwrites work.z.
void wf_opening_end(WeftState* state, const WfStep* step) {
    const WeftModel* m = state->model;
    state->opens = false;
    if (!gives_way(m)) return;
    Opening o = {.state = state, .h = step->motion.h, .opens = state->scratch->work.z};
    o.nets = has_nets(m) && !wf_method(step->def)->is_explicit;
    wf_parallel_items(&m->system.jobs, m->edge_count, measure_spokes, state);
    for (o.cloth = 0; o.cloth < m->cloth_count; o.cloth++) {
        int blocks = wf_item_blocks(m->first_vertex[o.cloth + 1] - m->first_vertex[o.cloth]);
        wf_parallel(&m->system.jobs, blocks, open_block, &o);
        for (int b = 0; b < blocks; b++) state->opens = state->opens || o.opens[b] > 0;
    }
}
