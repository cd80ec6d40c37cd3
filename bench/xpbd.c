// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// XPBD with small steps (Macklin, Mueller and Chentanez 2016; Macklin, Storey, Lu, Terdiman,
// Chentanez, Jeschke and Mueller 2019). A substep of length h predicts where vertices fly, and then
// projects each spring once, E = k/2 (l - L)^2, by the Lagrange multiplier that starts at zero:
//
//     x = x(n) + h v + h^2 g
//     lambda = (L - l)/(w1 + w2 + alpha), alpha = 1/(k h^2)      x1 -= w1 lambda n, x2 += w2 lambda
//     n v = (x - x(n))/h
//
// Single precision, one thread, four constraints at once: springs are coloured greedily, no two of
// a colour share a vertex, and go colour by colour. Vertices are x, y, z, 0, so that four ends are
// loaded as they are, and only their differences are turned. Twice as fast as one by one.
//
// h^2 g, 2e-7 m with 128 substeps, is lost beside a metre: a hanging chain then stretches by a
// third of what it should. Many substeps therefore count from where vertices are at the start of
// the step, which costs 8 %.
//
// Tried and dropped, on a square metre of 32 x 32 cells that swings and one that collapses (rms
// distance from the motion itself in mm, swing / collapse, at the cost of 16 iterations per frame):
//
//     16 substeps of 1 iteration, colours                           96 / 137
//     8 of 2, 4 of 4                                               127 / 138, 183 / 154
//     relaxation 0.8, 1.2, 1.4                                     107 / 131, 91 / 136, 613 / 534
//     every other substep backwards through the colours            641 / 575
//     springs in the order of the mesh or from the pins outwards,
//     those that do not wait for each other at once                 93 / 130; at 64 x 64 cells they
//                                                                  take 64 substeps to be stable
//
// Air is a force that is found every eighth substep, and added to gravity.
//
// Bending is left out: it is soft beside what few iterations leave of stretch, and would cost as
// many constraints again.

#include "xpbd.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h"

#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

enum { LANES = 4, STRIDE = 4 };  // STRIDE: numbers per vertex
enum { FEW_SUBSTEPS = 32 };      // that need not count from the start of the step
enum { AIR_SUBSTEPS = 8 };       // that a force of the air lasts

// Four constraints that share no vertex.
typedef struct Group {
    int first[LANES], second[LANES];  // where their vertices begin in `moves`
    float lengths[LANES];
    float first_parts[LANES], second_parts[LANES];  // w1/(w1 + w2 + alpha), and of w2
} Group;

// The edges of a group, from first to second.
typedef struct Edges {
    float x[LANES][STRIDE];
} Edges;

// Four triangles, by where their corners begin in `moves`.
typedef struct Faces {
    int corners[3][LANES];
} Faces;

struct Xpbd {
    XpbdDef def;
    double h;
    int vertex_count;
    // per vertex, and some more for idle lanes: an origin, in double precision and rounded; how far
    // it is from there, now and a substep before
    double* origins;
    float *places, *moves, *previous;
    int *pins, pin_count;  // where they begin in `moves`
    bool moves_origins;    // to where vertices are at the start of a step; else they stay at zero
    Group* groups;
    Edges* edges;  // between the origins
    int group_count;
    // with air: triangles; per vertex h^2/mass, 0 of pins, and how far it falls in a substep
    Faces* faces;
    int face_count;
    float *mobilities, *falls;
};

XpbdDef default_xpbd_def(int substeps) {
    return (XpbdDef){
        .dt = 1.0 / 60, .substeps = substeps, .relaxation = 1, .gravity = {0, -9.81, 0}};
}

// ---------------------------------------------------------------------------------------------
// Colours

typedef struct Coloured {
    int colour, spring;
} Coloured;

static int compare_coloured(const void* left, const void* right) {
    const Coloured *a = left, *b = right;
    return a->colour != b->colour ? (a->colour > b->colour) - (a->colour < b->colour)
                                  : (a->spring > b->spring) - (a->spring < b->spring);
}

// What is left when all colours are used goes one by one: each has a colour of its own.
static int pick_colour(uint64_t used, int spring) {
    enum { COLOURS = 64 };
    for (int colour = 0; colour < COLOURS; colour++)
        if (!(used >> colour & 1)) return colour;
    return COLOURS + spring;
}

// Springs that have a free end, by colour; returns how many. `used`: a bit per colour and vertex.
static int colour_springs(const Net* net, uint64_t* used, Coloured* coloured) {
    int count = 0;
    for (int s = 0; s < net->spring_count; s++) {
        const int* v = net->springs[s].vertices;
        if (net->pinned[v[0]] && net->pinned[v[1]]) continue;
        int colour = pick_colour(used[v[0]] | used[v[1]], s);
        coloured[count++] = (Coloured){colour, s};
        if (colour >= 64) continue;
        used[v[0]] |= (uint64_t)1 << colour;
        used[v[1]] |= (uint64_t)1 << colour;
    }
    qsort(coloured, (size_t)count, sizeof *coloured, compare_coloured);
    return count;
}

// ---------------------------------------------------------------------------------------------
// Preparation

static int round_up(int count) { return (count + LANES - 1) / LANES * LANES; }

static int all_vertices(const Xpbd* xpbd) { return round_up(xpbd->vertex_count) + 2 * LANES; }

static double inverse_mass(const Net* net, int vertex) {
    return net->pinned[vertex] ? 0 : 1 / net->masses[vertex];
}

// A lane that has nothing to do has two vertices of its own.
static void clear_lane(const Xpbd* xpbd, Group* group, int lane) {
    group->first[lane] = STRIDE * (round_up(xpbd->vertex_count) + 2 * lane);
    group->second[lane] = group->first[lane] + STRIDE;
    group->lengths[lane] = group->first_parts[lane] = group->second_parts[lane] = 0;
}

static void fill_lane(const Xpbd* xpbd, const Net* net, const Spring* spring, Group* group,
                      int lane) {
    int a = spring->vertices[0], b = spring->vertices[1];
    double wa = inverse_mass(net, a), wb = inverse_mass(net, b);
    double sum = wa + wb + 1 / (spring->stiffness * xpbd->h * xpbd->h);
    group->first[lane] = STRIDE * a;
    group->second[lane] = STRIDE * b;
    group->lengths[lane] = (float)spring->length;
    group->first_parts[lane] = (float)(xpbd->def.relaxation * wa / sum);
    group->second_parts[lane] = (float)(xpbd->def.relaxation * wb / sum);
}

static void fill_groups(Xpbd* xpbd, const Net* net, const Coloured* coloured, int count) {
    Group* group = NULL;
    for (int i = 0, lane = LANES; i < count; i++, lane++) {
        if (lane == LANES || coloured[i].colour != coloured[i - 1].colour) {
            group = &xpbd->groups[xpbd->group_count++];
            for (lane = 0; lane < LANES; lane++) clear_lane(xpbd, group, lane);
            lane = 0;
        }
        fill_lane(xpbd, net, &net->springs[coloured[i].spring], group, lane);
    }
}

static bool make_groups(Xpbd* xpbd, const Net* net) {
    size_t springs = (size_t)net->spring_count;
    Coloured* coloured = malloc((springs + 1) * sizeof *coloured);
    uint64_t* used = calloc((size_t)net->vertex_count, sizeof *used);
    xpbd->groups = aligned_alloc(16, (springs + 1) * sizeof *xpbd->groups);
    xpbd->edges = aligned_alloc(16, (springs + 1) * sizeof *xpbd->edges);
    bool good = coloured && used && xpbd->groups && xpbd->edges;
    if (good) fill_groups(xpbd, net, coloured, colour_springs(net, used, coloured));
    free(coloured);
    free(used);
    return good;
}

static float* zeroed_floats(size_t count) {
    float* numbers = aligned_alloc(16, count * sizeof *numbers);
    if (numbers) memset(numbers, 0, count * sizeof *numbers);
    return numbers;
}

// A lane without a triangle has one of no area.
static void fill_faces(Xpbd* xpbd, const XpbdAir* air) {
    int spare = round_up(xpbd->vertex_count);
    for (int i = 0; i < round_up(air->triangle_count); i++)
        for (int k = 0; k < 3; k++) {
            int corner = i < air->triangle_count ? air->triangles[3 * i + k] : spare;
            xpbd->faces[i / LANES].corners[k][i % LANES] = STRIDE * corner;
        }
    xpbd->face_count = round_up(air->triangle_count) / LANES;
}

static bool prepare_air(Xpbd* xpbd, const Net* net) {
    const XpbdAir* air = &xpbd->def.air;
    size_t all = (size_t)all_vertices(xpbd);
    if (air->triangle_count == 0) return true;
    xpbd->faces = calloc((size_t)round_up(air->triangle_count) / LANES, sizeof *xpbd->faces);
    xpbd->mobilities = calloc(all, sizeof *xpbd->mobilities);
    xpbd->falls = zeroed_floats(STRIDE * all);
    if (!xpbd->faces || !xpbd->mobilities || !xpbd->falls) return false;
    fill_faces(xpbd, air);
    for (int i = 0; i < net->vertex_count; i++)
        xpbd->mobilities[i] = (float)(xpbd->h * xpbd->h * inverse_mass(net, i));
    return true;
}

static void list_pins(Xpbd* xpbd, const Net* net) {
    for (int i = 0; i < net->vertex_count; i++)
        if (net->pinned[i]) xpbd->pins[xpbd->pin_count++] = STRIDE * i;
}

// The vertices of idle lanes are a metre apart, and stay there.
static bool allocate(Xpbd* xpbd) {
    int all = all_vertices(xpbd);
    size_t count = STRIDE * (size_t)all;
    xpbd->origins = calloc(count, sizeof *xpbd->origins);
    xpbd->places = zeroed_floats(count);
    xpbd->moves = zeroed_floats(count);
    xpbd->previous = zeroed_floats(count);
    xpbd->pins = malloc((size_t)all * sizeof *xpbd->pins);
    if (!xpbd->origins || !xpbd->places || !xpbd->moves || !xpbd->previous || !xpbd->pins)
        return false;
    for (int i = xpbd->vertex_count; i < all; i++) xpbd->moves[STRIDE * i] = (float)(i % 2);
    return true;
}

Xpbd* create_xpbd(const Net* net, const XpbdDef* def) {
    Xpbd* xpbd = calloc(1, sizeof *xpbd);
    if (!xpbd) return NULL;
    xpbd->def = *def;
    xpbd->h = def->dt / def->substeps;
    xpbd->vertex_count = net->vertex_count;
    xpbd->moves_origins = def->substeps > FEW_SUBSTEPS;
    if (!allocate(xpbd) || !make_groups(xpbd, net) || !prepare_air(xpbd, net)) {
        destroy_xpbd(xpbd);
        return NULL;
    }
    list_pins(xpbd, net);
    place_xpbd(xpbd, net->positions);
    return xpbd;
}

void destroy_xpbd(Xpbd* xpbd) {
    if (!xpbd) return;
    free(xpbd->origins);
    free(xpbd->places);
    free(xpbd->moves);
    free(xpbd->previous);
    free(xpbd->pins);
    free(xpbd->groups);
    free(xpbd->edges);
    free(xpbd->faces);
    free(xpbd->mobilities);
    free(xpbd->falls);
    free(xpbd);
}

void place_xpbd(Xpbd* xpbd, const double* positions) {
    for (int i = 0; i < xpbd->vertex_count; i++)
        for (int c = 0; c < 3; c++) {
            double x = positions[3 * i + c];
            if (xpbd->moves_origins) xpbd->origins[STRIDE * i + c] = x;
            xpbd->moves[STRIDE * i + c] = xpbd->moves_origins ? 0 : (float)x;
        }
    memcpy(xpbd->previous, xpbd->moves, STRIDE * (size_t)all_vertices(xpbd) * sizeof(float));
}

void read_xpbd(const Xpbd* xpbd, double* positions, double* velocities) {
    for (int i = 0; i < xpbd->vertex_count; i++)
        for (int c = 0; c < 3; c++) {
            double move = (double)xpbd->moves[STRIDE * i + c];
            positions[3 * i + c] = xpbd->origins[STRIDE * i + c] + move;
            if (velocities)
                velocities[3 * i + c] = (move - (double)xpbd->previous[STRIDE * i + c]) / xpbd->h;
        }
}

// ---------------------------------------------------------------------------------------------
// The start of a step

// Moves are counted from here on.
static void move_origins(Xpbd* xpbd) {
    double* restrict origins = xpbd->origins;
    float* restrict moves = xpbd->moves, * restrict previous = xpbd->previous;
    int count = STRIDE * xpbd->vertex_count;
    for (int i = 0; i < count; i++) {
        origins[i] += (double)moves[i];
        previous[i] -= moves[i];
        moves[i] = 0;
    }
}

static void set_edges(Xpbd* xpbd) {
    const double* origins = xpbd->origins;
    for (int g = 0; g < xpbd->group_count; g++) {
        const Group* group = &xpbd->groups[g];
        for (int lane = 0; lane < LANES; lane++) {
            const double *a = origins + group->first[lane], *b = origins + group->second[lane];
            float* edge = xpbd->edges[g].x[lane];
            for (int c = 0; c < STRIDE; c++) edge[c] = (float)(b[c] - a[c]);
        }
    }
}

// For contact and air.
static void set_places(Xpbd* xpbd) {
    int count = STRIDE * round_up(xpbd->vertex_count);
    for (int i = 0; i < count; i++) xpbd->places[i] = (float)xpbd->origins[i];
}

static void start_step(Xpbd* xpbd) {
    if (!xpbd->moves_origins) return;
    move_origins(xpbd);
    set_edges(xpbd);
    if (xpbd->def.body_count || xpbd->face_count) set_places(xpbd);
}

// ---------------------------------------------------------------------------------------------
// Substeps

static void hold_pins(Xpbd* xpbd) {
    for (int i = 0; i < xpbd->pin_count; i++) {
        int pin = xpbd->pins[i];
        lanes_store(xpbd->moves + pin, lanes_load(xpbd->previous + pin));
    }
}

// h^2 g
static Lanes free_fall(const Xpbd* xpbd) {
    _Alignas(16) float fall[STRIDE] = {0};
    for (int c = 0; c < 3; c++) fall[c] = (float)(xpbd->h * xpbd->h * xpbd->def.gravity[c]);
    return lanes_load(fall);
}

// x + h v + h^2 g, and by the air
static void predict(Xpbd* xpbd) {
    float *x = xpbd->moves, *previous = xpbd->previous;
    Lanes falling = free_fall(xpbd);
    int count = STRIDE * xpbd->vertex_count;
    for (int i = 0; i < count; i += STRIDE) {
        Lanes now = lanes_load(x + i), moved = lanes_sub(now, lanes_load(previous + i));
        lanes_store(previous + i, now);
        if (xpbd->falls) falling = lanes_load(xpbd->falls + i);
        lanes_store(x + i, lanes_add(now, lanes_add(moved, falling)));
    }
    hold_pins(xpbd);
}

static inline Lanes lanes_dot(const Lanes* a, const Lanes* b) {
    return lanes_add(lanes_add(lanes_mul(a[0], b[0]), lanes_mul(a[1], b[1])),
                     lanes_mul(a[2], b[2]));
}

static ALWAYS_INLINE void project_group(float* moves, const Group* group, const Edges* between) {
    float *first[LANES], *second[LANES];
    Lanes a[LANES], b[LANES], edges[LANES], d[LANES];
    for (int i = 0; i < LANES; i++) {
        first[i] = moves + group->first[i];
        second[i] = moves + group->second[i];
        a[i] = lanes_load(first[i]);
        b[i] = lanes_load(second[i]);
        edges[i] = lanes_sub(b[i], a[i]);
        if (between) edges[i] = lanes_add(edges[i], lanes_load(between->x[i]));
        d[i] = edges[i];
    }
    lanes_turn(&d[0], &d[1], &d[2], &d[3]);
    Lanes length = lanes_sqrt(lanes_dot(d, d));
    Lanes strain = lanes_sub(lanes_set(1), lanes_div(lanes_load(group->lengths), length));
    Lanes pull = lanes_mul(strain, lanes_load(group->first_parts));
    Lanes push = lanes_mul(strain, lanes_load(group->second_parts));
    // lanes are named by constants
    lanes_store(first[0], lanes_add(a[0], lanes_mul_lane(edges[0], pull, 0)));
    lanes_store(first[1], lanes_add(a[1], lanes_mul_lane(edges[1], pull, 1)));
    lanes_store(first[2], lanes_add(a[2], lanes_mul_lane(edges[2], pull, 2)));
    lanes_store(first[3], lanes_add(a[3], lanes_mul_lane(edges[3], pull, 3)));
    lanes_store(second[0], lanes_sub(b[0], lanes_mul_lane(edges[0], push, 0)));
    lanes_store(second[1], lanes_sub(b[1], lanes_mul_lane(edges[1], push, 1)));
    lanes_store(second[2], lanes_sub(b[2], lanes_mul_lane(edges[2], push, 2)));
    lanes_store(second[3], lanes_sub(b[3], lanes_mul_lane(edges[3], push, 3)));
}

static void project(Xpbd* xpbd) {
    float* moves = xpbd->moves;
    int count = xpbd->group_count;
    if (xpbd->moves_origins)
        for (int g = 0; g < count; g++) project_group(moves, &xpbd->groups[g], &xpbd->edges[g]);
    else
        for (int g = 0; g < count; g++) project_group(moves, &xpbd->groups[g], NULL);
}

// ---------------------------------------------------------------------------------------------
// Air

// The places and the speeds of one corner of four triangles.
static inline void load_corner(const Xpbd* xpbd, const int* corners, Lanes* x, Lanes* v) {
    for (int k = 0; k < LANES; k++) {
        Lanes now = lanes_load(xpbd->moves + corners[k]);
        x[k] = lanes_add(now, lanes_load(xpbd->places + corners[k]));
        v[k] = lanes_sub(now, lanes_load(xpbd->previous + corners[k]));
    }
    lanes_turn(&x[0], &x[1], &x[2], &x[3]);
    lanes_turn(&v[0], &v[1], &v[2], &v[3]);
}

// c |w|, but no more than what stops a triangle while the force lasts
static inline Lanes slowing(const Xpbd* xpbd, double coefficient, Lanes square) {
    float most = (float)(xpbd->def.air.density / (AIR_SUBSTEPS * xpbd->h));
    return lanes_min(lanes_mul(lanes_set((float)coefficient), lanes_sqrt(square)), lanes_set(most));
}

// The force on each corner of four triangles.
static inline void find_drag(const Xpbd* xpbd, Lanes x[3][LANES], Lanes v[3][LANES], Lanes* force) {
    const XpbdAir* air = &xpbd->def.air;
    Lanes a[3], b[3], w[3], t[3], third = lanes_set((float)(-1 / (3 * xpbd->h)));
    for (int c = 0; c < 3; c++) {
        a[c] = lanes_sub(x[1][c], x[0][c]);
        b[c] = lanes_sub(x[2][c], x[0][c]);
        w[c] = lanes_mul(third, lanes_add(lanes_add(v[0][c], v[1][c]), v[2][c]));
    }
    Lanes n[3] = {lanes_sub(lanes_mul(a[1], b[2]), lanes_mul(a[2], b[1])),
                  lanes_sub(lanes_mul(a[2], b[0]), lanes_mul(a[0], b[2])),
                  lanes_sub(lanes_mul(a[0], b[1]), lanes_mul(a[1], b[0]))};
    Lanes nn = lanes_max(lanes_dot(n, n), lanes_set(1e-24f)), across = lanes_dot(w, n);
    Lanes part = lanes_div(across, nn);
    for (int c = 0; c < 3; c++) t[c] = lanes_sub(w[c], lanes_mul(part, n[c]));
    Lanes sixth = lanes_mul(lanes_set(1.0f / 6), lanes_sqrt(nn));  // a third of the area
    Lanes by_n =
        lanes_mul(lanes_mul(sixth, part), slowing(xpbd, air->drag, lanes_mul(part, across)));
    Lanes by_t = lanes_mul(sixth, slowing(xpbd, air->friction, lanes_dot(t, t)));
    for (int c = 0; c < 3; c++) force[c] = lanes_add(lanes_mul(by_n, n[c]), lanes_mul(by_t, t[c]));
    force[3] = lanes_set(0);
    lanes_turn(&force[0], &force[1], &force[2], &force[3]);
}

static void blow(Xpbd* xpbd) {
    Lanes falling = free_fall(xpbd);
    for (int i = 0; i < STRIDE * xpbd->vertex_count; i += STRIDE)
        lanes_store(xpbd->falls + i, falling);
    for (int g = 0; g < xpbd->face_count; g++) {
        const Faces* faces = &xpbd->faces[g];
        Lanes x[3][LANES], v[3][LANES], force[LANES];
        for (int k = 0; k < 3; k++) load_corner(xpbd, faces->corners[k], x[k], v[k]);
        find_drag(xpbd, x, v, force);
        for (int k = 0; k < 3; k++)
            for (int lane = 0; lane < LANES; lane++) {
                int at = faces->corners[k][lane];
                Lanes mobility = lanes_set(xpbd->mobilities[at / STRIDE]);
                float* fall = xpbd->falls + at;
                lanes_store(fall, lanes_add(lanes_load(fall), lanes_mul(mobility, force[lane])));
            }
    }
}

// ---------------------------------------------------------------------------------------------
// Contact

// How deep four vertices are in a body, and the way out.
static inline Lanes find_depth(const XpbdBody* body, float thickness, const Lanes* x,
                               Lanes* normal) {
    Lanes d[3];
    for (int c = 0; c < 3; c++) {
        d[c] = lanes_sub(x[c], lanes_set((float)body->centre[c]));
        normal[c] = lanes_set((float)body->normal[c]);
    }
    if (body->radius <= 0) return lanes_sub(lanes_set(thickness), lanes_dot(d, normal));
    Lanes distance = lanes_max(lanes_sqrt(lanes_dot(d, d)), lanes_set(1e-9f));
    for (int c = 0; c < 3; c++) normal[c] = lanes_div(d[c], distance);
    return lanes_sub(lanes_set((float)body->radius + thickness), distance);
}

// Out by the depth; what they moved along the surface is taken back up to friction times that.
static inline void resolve(const Xpbd* xpbd, const Lanes* normal, Lanes depth, const Lanes* before,
                           Lanes* move) {
    Lanes moved[3];
    depth = lanes_max(depth, lanes_set(0));
    for (int c = 0; c < 3; c++) {
        move[c] = lanes_add(move[c], lanes_mul(depth, normal[c]));
        moved[c] = lanes_sub(move[c], before[c]);
    }
    Lanes away = lanes_dot(moved, normal);
    for (int c = 0; c < 3; c++) moved[c] = lanes_sub(moved[c], lanes_mul(away, normal[c]));
    Lanes slid = lanes_max(lanes_sqrt(lanes_dot(moved, moved)), lanes_set(1e-12f));
    Lanes held = lanes_mul(lanes_set((float)xpbd->def.friction), depth);
    Lanes part = lanes_min(lanes_div(held, slid), lanes_set(1));
    for (int c = 0; c < 3; c++) move[c] = lanes_sub(move[c], lanes_mul(part, moved[c]));
}

static inline void load_turned(const float* from, Lanes* to) {
    for (int k = 0; k < LANES; k++) to[k] = lanes_load(from + STRIDE * k);
    lanes_turn(&to[0], &to[1], &to[2], &to[3]);
}

static void keep_out(Xpbd* xpbd, const XpbdBody* body) {
    int count = STRIDE * round_up(xpbd->vertex_count);
    float thickness = (float)xpbd->def.thickness;
    for (int i = 0; i < count; i += STRIDE * LANES) {
        Lanes move[LANES], before[LANES], x[LANES], normal[3];
        load_turned(xpbd->moves + i, move);
        load_turned(xpbd->places + i, x);
        for (int c = 0; c < 3; c++) x[c] = lanes_add(x[c], move[c]);
        Lanes depth = find_depth(body, thickness, x, normal);
        if (!lanes_any_positive(depth)) continue;
        load_turned(xpbd->previous + i, before);
        resolve(xpbd, normal, depth, before, move);
        lanes_turn(&move[0], &move[1], &move[2], &move[3]);
        for (int k = 0; k < LANES; k++) lanes_store(xpbd->moves + i + STRIDE * k, move[k]);
    }
}

void take_xpbd_step(Xpbd* xpbd) {
    start_step(xpbd);
    for (int i = 0; i < xpbd->def.substeps; i++) {
        if (xpbd->face_count && i % AIR_SUBSTEPS == 0) blow(xpbd);
        predict(xpbd);
        project(xpbd);
        for (int b = 0; b < xpbd->def.body_count; b++) keep_out(xpbd, &xpbd->def.bodies[b]);
        if (xpbd->def.body_count) hold_pins(xpbd);
    }
}
