// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Constraints of XPBD: springs, and hinges by their bending vector R = sum c x, E = k/2 |R|^2. Its
// constraint is |R| (Bergou and others' quadratic bending, as compliant constraint), whose
// projection has no length in it:
//
//     x_a -= w_a c_a (R + gamma (R - R(n)))/((1 + gamma) sum w c^2 + alpha)
//
// Fabric that gives way where it is pressed pushes no harder beyond a strain: then lambda is that
// of the constant force, which a bound of l - L stands for.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "xpbd_parts.h"

// ---------------------------------------------------------------------------------------------
// Colours

typedef struct Coloured {
    int colour, item;
} Coloured;

static int compare_coloured(const void* left, const void* right) {
    const Coloured *a = left, *b = right;
    return a->colour != b->colour ? (a->colour > b->colour) - (a->colour < b->colour)
                                  : (a->item > b->item) - (a->item < b->item);
}

// What is left when all colours are used goes one by one: each has a colour of its own.
static int pick_colour(uint64_t used, int item) {
    enum { COLOURS = 64 };
    for (int colour = 0; colour < COLOURS; colour++)
        if (!(used >> colour & 1)) return colour;
    return COLOURS + item;
}

// The colour of an item with these vertices. `used`: a bit per colour and vertex.
static int colour_item(uint64_t* used, const int* vertices, int count, int item) {
    uint64_t taken = 0;
    for (int k = 0; k < count; k++) taken |= used[vertices[k]];
    int colour = pick_colour(taken, item);
    for (int k = 0; k < count && colour < 64; k++) used[vertices[k]] |= (uint64_t)1 << colour;
    return colour;
}

// Springs that have a free end in the net, by colour; returns how many.
static int colour_springs(const Net* net, uint64_t* used, Coloured* coloured) {
    int count = 0;
    memset(used, 0, (size_t)net->vertex_count * sizeof *used);
    for (int s = 0; s < net->spring_count; s++) {
        const int* v = net->springs[s].vertices;
        if (net->pinned[v[0]] && net->pinned[v[1]]) continue;
        coloured[count++] = (Coloured){colour_item(used, v, 2, s), s};
    }
    qsort(coloured, (size_t)count, sizeof *coloured, compare_coloured);
    return count;
}

static int colour_hinges(const Net* net, uint64_t* used, Coloured* coloured) {
    memset(used, 0, (size_t)net->vertex_count * sizeof *used);
    for (int h = 0; h < net->hinge_count; h++)
        coloured[h] = (Coloured){colour_item(used, net->hinges[h].vertices, 4, h), h};
    qsort(coloured, (size_t)net->hinge_count, sizeof *coloured, compare_coloured);
    return net->hinge_count;
}

// ---------------------------------------------------------------------------------------------
// Making

// A lane that has nothing to do has two vertices of its own.
static void clear_lanes(const Xpbd* xpbd, Group* group) {
    *group = (Group){0};
    for (int lane = 0; lane < LANES; lane++) {
        group->first[lane] = STRIDE * (round_up(xpbd->vertex_count) + 2 * lane);
        group->second[lane] = group->first[lane] + STRIDE;
    }
}

static void fill_groups(Xpbd* xpbd, const Net* net, const Coloured* coloured, int count) {
    Group* group = NULL;
    for (int i = 0, lane = LANES; i < count; i++, lane++) {
        if (lane == LANES || coloured[i].colour != coloured[i - 1].colour) {
            group = &xpbd->groups[xpbd->group_count++];
            clear_lanes(xpbd, group);
            lane = 0;
        }
        const Spring* spring = &net->springs[coloured[i].item];
        group->first[lane] = STRIDE * spring->vertices[0];
        group->second[lane] = STRIDE * spring->vertices[1];
        group->lengths[lane] = (float)spring->length;
        xpbd->is_damped |= spring->damping > 0;
        xpbd->gives |= spring->give > 0;
        xpbd->springs[xpbd->spring_count] = *spring;
        xpbd->spring_places[xpbd->spring_count++] = LANES * (xpbd->group_count - 1) + lane;
    }
}

static void fill_bends(Xpbd* xpbd, const Net* net, const Coloured* coloured, int count) {
    for (int i = 0; i < count; i++) {
        const Hinge* hinge = &net->hinges[coloured[i].item];
        Bend* bend = &xpbd->bends[i];
        xpbd->hinges[i] = *hinge;
        xpbd->bends_damped |= hinge->damping > 0;
        for (int k = 0; k < 4; k++) {
            bend->at[k] = STRIDE * hinge->vertices[k];
            bend->weights[k] = (float)hinge->weights[k];
        }
    }
    xpbd->bend_count = count;
}

static void* make_aligned(size_t count, size_t size) {
    return make_floats((count + 1) * size / sizeof(float));
}

static bool allocate(Xpbd* xpbd, const Net* net, bool bends) {
    size_t springs = (size_t)net->spring_count, hinges = bends ? (size_t)net->hinge_count : 0;
    xpbd->springs = calloc(springs + 1, sizeof *xpbd->springs);
    xpbd->spring_places = calloc(springs + 1, sizeof *xpbd->spring_places);
    xpbd->groups = make_aligned(springs, sizeof *xpbd->groups);
    xpbd->edges = make_aligned(springs, sizeof *xpbd->edges);
    xpbd->hinges = calloc(hinges + 1, sizeof *xpbd->hinges);
    xpbd->bends = make_aligned(hinges, sizeof *xpbd->bends);
    xpbd->bend_origins = make_floats(STRIDE * (hinges + 1));
    return xpbd->springs && xpbd->spring_places && xpbd->groups && xpbd->edges && xpbd->hinges &&
           xpbd->bends && xpbd->bend_origins;
}

bool make_constraints(Xpbd* xpbd, const Net* net) {
    int most = net->spring_count > net->hinge_count ? net->spring_count : net->hinge_count;
    bool bends = xpbd->def.bends;
    Coloured* coloured = malloc(((size_t)most + 1) * sizeof *coloured);
    uint64_t* used = calloc((size_t)net->vertex_count + 1, sizeof *used);
    bool good = coloured && used && allocate(xpbd, net, bends);
    if (good) fill_groups(xpbd, net, coloured, colour_springs(net, used, coloured));
    if (good && bends) fill_bends(xpbd, net, coloured, colour_hinges(net, used, coloured));
    free(coloured);
    free(used);
    return good;
}

void free_constraints(Xpbd* xpbd) {
    void* blocks[] = {xpbd->springs, xpbd->spring_places, xpbd->hinges};
    void* numbers[] = {xpbd->groups, xpbd->edges, xpbd->bends, xpbd->bend_origins};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) free_floats(numbers[i]);
}

// ---------------------------------------------------------------------------------------------
// What depends on h and on pins

static void fit_spring(const Xpbd* xpbd, const Spring* spring, Group* group, int lane) {
    double wa = xpbd->inverse_masses[spring->vertices[0]], h = xpbd->h;
    double wb = xpbd->inverse_masses[spring->vertices[1]];
    double alpha = 1 / (spring->stiffness * h * h), gamma = spring->damping / h;
    double sum = (1 + gamma) * (wa + wb) + alpha;
    double most = spring->give > 0 ? spring->give * spring->length * sum / alpha : HUGE_VAL;
    group->least[lane] = most < 1e30 ? (float)-most : -1e30f;
    group->damping[lane] = (float)gamma;
    group->first_parts[lane] = (float)(xpbd->def.relaxation * wa / sum);
    group->second_parts[lane] = (float)(xpbd->def.relaxation * wb / sum);
}

static void fit_bend(const Xpbd* xpbd, const Hinge* hinge, Bend* bend) {
    double gamma = hinge->damping / xpbd->h, sum = 0;
    for (int k = 0; k < 4; k++)
        sum += xpbd->inverse_masses[hinge->vertices[k]] * hinge->weights[k] * hinge->weights[k];
    sum = (1 + gamma) * sum + 1 / (hinge->stiffness * xpbd->h * xpbd->h);
    for (int k = 0; k < 4; k++)
        bend->parts[k] =
            (float)(xpbd->inverse_masses[hinge->vertices[k]] * hinge->weights[k] / sum);
    bend->damping = (float)gamma;
}

void fit_constraints(Xpbd* xpbd) {
    for (int s = 0; s < xpbd->spring_count; s++) {
        int place = xpbd->spring_places[s];
        fit_spring(xpbd, &xpbd->springs[s], &xpbd->groups[place / LANES], place % LANES);
    }
    for (int b = 0; b < xpbd->bend_count; b++) fit_bend(xpbd, &xpbd->hinges[b], &xpbd->bends[b]);
}

// ---------------------------------------------------------------------------------------------
// Where a step starts

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

void set_rest_origins(Xpbd* xpbd) {
    set_edges(xpbd);
    for (int b = 0; b < xpbd->bend_count; b++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += xpbd->hinges[b].weights[k] * xpbd->origins[xpbd->bends[b].at[k] + c];
            xpbd->bend_origins[STRIDE * b + c] = (float)sum;
        }
}

// ---------------------------------------------------------------------------------------------
// Projection

typedef struct Kind {
    bool from_origins, damped, gives;
} Kind;

// gamma n (x - x(n)) over l, of four edges, turned, and what they were in the substep before
static ALWAYS_INLINE Lanes braking(const Xpbd* xpbd, const Group* group, const Edges* between,
                                   const Lanes* d, Lanes inverse) {
    Lanes before[LANES];
    for (int i = 0; i < LANES; i++) {
        before[i] = lanes_sub(lanes_load(xpbd->previous + group->second[i]),
                              lanes_load(xpbd->previous + group->first[i]));
        if (between) before[i] = lanes_add(before[i], lanes_load(between->x[i]));
    }
    lanes_turn(&before[0], &before[1], &before[2], &before[3]);
    Lanes grown = lanes_sub(lanes_dot(d, d), lanes_dot(d, before));
    return lanes_mul(lanes_mul(lanes_load(group->damping), grown), lanes_mul(inverse, inverse));
}

static ALWAYS_INLINE void project_group(const Xpbd* xpbd, int g, Kind kind) {
    const Group* group = &xpbd->groups[g];
    const Edges* between = kind.from_origins ? &xpbd->edges[g] : NULL;
    float *first[LANES], *second[LANES];
    Lanes a[LANES], b[LANES], edges[LANES], d[LANES];
    for (int i = 0; i < LANES; i++) {
        first[i] = xpbd->moves + group->first[i];
        second[i] = xpbd->moves + group->second[i];
        a[i] = lanes_load(first[i]);
        b[i] = lanes_load(second[i]);
        edges[i] = lanes_sub(b[i], a[i]);
        if (between) edges[i] = lanes_add(edges[i], lanes_load(between->x[i]));
        d[i] = edges[i];
    }
    lanes_turn(&d[0], &d[1], &d[2], &d[3]);
    Lanes square = lanes_max(lanes_dot(d, d), lanes_set(1e-16f));
    Lanes inverse = lanes_div(lanes_set(1), lanes_sqrt(square));
    Lanes strain = lanes_sub(lanes_set(1), lanes_mul(lanes_load(group->lengths), inverse));
    if (kind.gives) strain = lanes_max(strain, lanes_mul(lanes_load(group->least), inverse));
    if (kind.damped) strain = lanes_add(strain, braking(xpbd, group, between, d, inverse));
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

static void project_springs(const Xpbd* xpbd) {
    int count = xpbd->group_count;
    bool damped = xpbd->is_damped, gives = xpbd->gives;
    if (!xpbd->moves_origins && !damped && !gives)
        for (int g = 0; g < count; g++) project_group(xpbd, g, (Kind){false, false, false});
    else if (!xpbd->moves_origins)
        for (int g = 0; g < count; g++) project_group(xpbd, g, (Kind){false, true, true});
    else if (!damped && !gives)
        for (int g = 0; g < count; g++) project_group(xpbd, g, (Kind){true, false, false});
    else if (!damped)
        for (int g = 0; g < count; g++) project_group(xpbd, g, (Kind){true, false, true});
    else
        for (int g = 0; g < count; g++) project_group(xpbd, g, (Kind){true, true, true});
}

// The vector of a hinge in one of the arrays of moves.
static ALWAYS_INLINE Lanes bend_vector(const Bend* bend, Lanes weights, const float* from) {
    Lanes sum = lanes_mul_lane(lanes_load(from + bend->at[0]), weights, 0);
    sum = lanes_add(sum, lanes_mul_lane(lanes_load(from + bend->at[1]), weights, 1));
    sum = lanes_add(sum, lanes_mul_lane(lanes_load(from + bend->at[2]), weights, 2));
    return lanes_add(sum, lanes_mul_lane(lanes_load(from + bend->at[3]), weights, 3));
}

static ALWAYS_INLINE void project_bend(const Xpbd* xpbd, int b, bool damped) {
    const Bend* bend = &xpbd->bends[b];
    Lanes weights = lanes_load(bend->weights), parts = lanes_load(bend->parts);
    Lanes now = bend_vector(bend, weights, xpbd->moves);
    Lanes R = lanes_add(now, lanes_load(xpbd->bend_origins + STRIDE * b));
    if (damped) {
        Lanes turned = lanes_sub(now, bend_vector(bend, weights, xpbd->previous));
        R = lanes_add(R, lanes_mul(lanes_set(bend->damping), turned));
    }
    float *i = xpbd->moves + bend->at[0], *j = xpbd->moves + bend->at[1];
    float *k = xpbd->moves + bend->at[2], *l = xpbd->moves + bend->at[3];
    lanes_store(i, lanes_sub(lanes_load(i), lanes_mul_lane(R, parts, 0)));
    lanes_store(j, lanes_sub(lanes_load(j), lanes_mul_lane(R, parts, 1)));
    lanes_store(k, lanes_sub(lanes_load(k), lanes_mul_lane(R, parts, 2)));
    lanes_store(l, lanes_sub(lanes_load(l), lanes_mul_lane(R, parts, 3)));
}

void set_xpbd_pulls(Xpbd* xpbd, int count, const XpbdPull* pulls) {
    xpbd->pull_count = count;
    memcpy(xpbd->pulls, pulls, (size_t)count * sizeof *pulls);
}

static void project_pull(const Xpbd* xpbd, const XpbdPull* pull) {
    double away[3], h = xpbd->h, sum = 1 / (pull->stiffness * h * h), square = 0;
    memcpy(away, pull->place, sizeof away);
    for (int k = 0; k < 3 && pull->vertices[k] >= 0; k++) {
        int v = pull->vertices[k];
        sum += xpbd->inverse_masses[v] * pull->weights[k] * pull->weights[k];
        for (int c = 0; c < 3; c++)
            away[c] -= pull->weights[k] *
                       (xpbd->origins[STRIDE * v + c] + (double)xpbd->moves[STRIDE * v + c]);
    }
    for (int c = 0; c < 3; c++) square += away[c] * away[c];
    double lambda = fmin(1 / sum, pull->most * h * h / sqrt(fmax(square, 1e-30)));
    for (int k = 0; k < 3 && pull->vertices[k] >= 0; k++) {
        int v = pull->vertices[k];
        double part = lambda * xpbd->inverse_masses[v] * pull->weights[k];
        for (int c = 0; c < 3; c++) xpbd->moves[STRIDE * v + c] += (float)(part * away[c]);
    }
}

void project(Xpbd* xpbd) {
    project_springs(xpbd);
    for (int p = 0; p < xpbd->pull_count; p++) project_pull(xpbd, &xpbd->pulls[p]);
    if (xpbd->bends_damped)
        for (int b = 0; b < xpbd->bend_count; b++) project_bend(xpbd, b, true);
    else
        for (int b = 0; b < xpbd->bend_count; b++) project_bend(xpbd, b, false);
}
