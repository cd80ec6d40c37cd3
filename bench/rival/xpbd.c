// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// XPBD with small steps (Macklin, Mueller and Chentanez 2016; Macklin, Storey, Lu, Terdiman,
// Chentanez, Jeschke and Mueller 2019). A substep of length h predicts where vertices fly, and then
// projects each constraint once, by a Lagrange multiplier that starts at zero; of a spring,
// E = k/2 (l - L)^2 with damping zeta (2016, equation 26),
//
//     x = x(n) + h v + h^2 g                             alpha = 1/(k h^2), gamma = zeta/h
//     lambda = (L - l - gamma n (x - x(n)))/((1 + gamma)(w1 + w2) + alpha)
//     x1 -= w1 lambda n, x2 += w2 lambda n                n v = (x - x(n))/h
//
// Single precision, one thread, four constraints at once: springs are coloured greedily, no two of
// a colour share a vertex, and go colour by colour. Twice as fast as one by one.
//
// h^2 g, 2e-7 m with 128 substeps, is lost beside a metre: a hanging chain then stretches by a
// third of what it should. Many substeps therefore count from where vertices are at the start of
// the step, which costs 8 %.
//
// Tried and dropped, on a square metre of 32 x 32 cells that swings and one that collapses (rms
// distance from the motion itself in mm, swing / collapse, at the cost of 16 iterations per frame,
// without bending):
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

#include "xpbd.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "xpbd_parts.h"

enum { FEW_SUBSTEPS = 32 };  // that need not count from the start of the step

XpbdDef default_xpbd_def(int substeps) {
    return (XpbdDef){
        .dt = 1.0 / 60, .substeps = substeps, .relaxation = 1, .gravity = {0, -9.81, 0}};
}

// ---------------------------------------------------------------------------------------------
// Preparation

// The address that is to be freed stands in front of the numbers. (Not every C library has
// aligned_alloc.)
float* make_floats(size_t count) {
    size_t bytes = count * sizeof(float) + 32;
    char* block = calloc(bytes, 1);
    if (!block) return NULL;
    char* aligned = block + 32 - (uintptr_t)block % 16;
    memcpy(aligned - sizeof block, &block, sizeof block);
    return (float*)(void*)aligned;
}

void free_floats(void* numbers) {
    char* block;
    if (!numbers) return;
    memcpy(&block, (char*)numbers - sizeof block, sizeof block);
    free(block);
}

// The vertices of idle lanes are a metre apart, and stay there.
static bool allocate(Xpbd* xpbd) {
    int all = all_vertices(xpbd);
    size_t count = STRIDE * (size_t)all;
    xpbd->origins = calloc(count, sizeof *xpbd->origins);
    xpbd->places = make_floats(count);
    xpbd->moves = make_floats(count);
    xpbd->previous = make_floats(count);
    xpbd->pins = malloc((size_t)all * sizeof *xpbd->pins);
    xpbd->pin_ways = make_floats(count);
    xpbd->pinned = calloc((size_t)all, sizeof *xpbd->pinned);
    xpbd->free_inverse = calloc((size_t)all, sizeof *xpbd->free_inverse);
    xpbd->inverse_masses = calloc((size_t)all, sizeof *xpbd->inverse_masses);
    if (!xpbd->origins || !xpbd->places || !xpbd->moves || !xpbd->previous || !xpbd->pins ||
        !xpbd->pin_ways || !xpbd->pinned || !xpbd->free_inverse || !xpbd->inverse_masses)
        return false;
    for (int i = xpbd->vertex_count; i < all; i++) xpbd->moves[STRIDE * i] = (float)(i % 2);
    return true;
}

static void list_pins(Xpbd* xpbd) {
    xpbd->pin_count = 0;
    for (int i = 0; i < xpbd->vertex_count; i++) {
        xpbd->inverse_masses[i] = xpbd->pinned[i] ? 0 : xpbd->free_inverse[i];
        if (xpbd->pinned[i]) xpbd->pins[xpbd->pin_count++] = STRIDE * i;
    }
}

static void fit(Xpbd* xpbd) {
    fit_constraints(xpbd);
    fit_air(xpbd);
}

Xpbd* create_xpbd(const Net* net, const XpbdDef* def) {
    Xpbd* xpbd = calloc(1, sizeof *xpbd);
    if (!xpbd) return NULL;
    xpbd->def = *def;
    xpbd->h = def->dt / def->substeps;
    xpbd->vertex_count = net->vertex_count;
    xpbd->moves_origins = def->precise || def->substeps > FEW_SUBSTEPS;
    if (!allocate(xpbd)) goto failed;
    memcpy(xpbd->pinned, net->pinned, (size_t)net->vertex_count * sizeof *net->pinned);
    for (int i = 0; i < net->vertex_count; i++) xpbd->free_inverse[i] = 1 / net->masses[i];
    list_pins(xpbd);
    if (!make_constraints(xpbd, net) || !make_air(xpbd) || !make_contact(xpbd)) goto failed;
    fit(xpbd);
    place_xpbd(xpbd, net->positions, NULL);
    return xpbd;
failed:
    destroy_xpbd(xpbd);
    return NULL;
}

void destroy_xpbd(Xpbd* xpbd) {
    if (!xpbd) return;
    void* blocks[] = {xpbd->origins, xpbd->pins, xpbd->pinned, xpbd->free_inverse,
                      xpbd->inverse_masses};
    float* numbers[] = {xpbd->places, xpbd->moves, xpbd->previous, xpbd->pin_ways};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) free_floats(numbers[i]);
    free_constraints(xpbd);
    free_air(xpbd);
    free_contact(xpbd);
    free(xpbd);
}

// ---------------------------------------------------------------------------------------------
// What changes between steps

void place_xpbd(Xpbd* xpbd, const double* positions, const double* velocities) {
    for (int i = 0; i < xpbd->vertex_count; i++)
        for (int c = 0; c < 3; c++) {
            double x = positions[3 * i + c], v = velocities ? velocities[3 * i + c] : 0;
            if (xpbd->moves_origins) xpbd->origins[STRIDE * i + c] = x;
            double move = xpbd->moves_origins ? 0 : x;
            xpbd->moves[STRIDE * i + c] = (float)move;
            xpbd->previous[STRIDE * i + c] = (float)(move - xpbd->h * v);
        }
}

// Velocities are what vertices moved in the substep before.
static void rescale_motion(Xpbd* xpbd, float ratio) {
    for (int i = 0; i < STRIDE * xpbd->vertex_count; i++)
        xpbd->previous[i] = xpbd->moves[i] - ratio * (xpbd->moves[i] - xpbd->previous[i]);
}

void set_xpbd_length(Xpbd* xpbd, double dt, int substeps) {
    if (dt == xpbd->def.dt && substeps == xpbd->def.substeps) return;
    double h = dt / substeps;
    xpbd->def.dt = dt;
    xpbd->def.substeps = substeps;
    rescale_motion(xpbd, (float)(h / xpbd->h));
    for (int i = 0; xpbd->winds && i < STRIDE * xpbd->vertex_count; i++)
        xpbd->winds[i] *= (float)(h / xpbd->h);
    xpbd->h = h;
    xpbd->moves_origins |= substeps > FEW_SUBSTEPS;  // and the next step makes origins
    fit(xpbd);
}

void set_xpbd_gravity(Xpbd* xpbd, const double gravity[3]) {
    memcpy(xpbd->def.gravity, gravity, sizeof xpbd->def.gravity);
}

static void set_pin_ways(Xpbd* xpbd, const double* ways) {
    for (int p = 0; p < xpbd->pin_count; p++)
        for (int c = 0; c < 3; c++) {
            double way = ways ? ways[3 * (xpbd->pins[p] / STRIDE) + c] : 0;
            xpbd->pin_ways[STRIDE * p + c] = (float)(way / xpbd->def.substeps);
        }
}

void set_xpbd_pins(Xpbd* xpbd, const bool* pinned, const double* ways) {
    size_t bytes = (size_t)xpbd->vertex_count * sizeof *pinned;
    if (memcmp(xpbd->pinned, pinned, bytes) != 0) {
        memcpy(xpbd->pinned, pinned, bytes);
        list_pins(xpbd);
        fit(xpbd);
    }
    set_pin_ways(xpbd, ways);
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
// Steps

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

// For contact and air.
static void set_places(Xpbd* xpbd) {
    int count = STRIDE * round_up(xpbd->vertex_count);
    for (int i = 0; i < count; i++) xpbd->places[i] = (float)xpbd->origins[i];
}

static void start_step(Xpbd* xpbd) {
    if (!xpbd->moves_origins) return;
    move_origins(xpbd);
    set_rest_origins(xpbd);
    if (xpbd->def.body_count || xpbd->face_count) set_places(xpbd);
}

static void hold_pins(Xpbd* xpbd) {
    for (int i = 0; i < xpbd->pin_count; i++) {
        int pin = xpbd->pins[i];
        Lanes way = lanes_load(xpbd->pin_ways + STRIDE * i);
        lanes_store(xpbd->moves + pin, lanes_add(lanes_load(xpbd->previous + pin), way));
    }
}

Lanes free_fall(const Xpbd* xpbd) {
    _Alignas(16) float fall[STRIDE] = {0};
    for (int c = 0; c < 3; c++) fall[c] = (float)(xpbd->h * xpbd->h * xpbd->def.gravity[c]);
    return lanes_load(fall);
}

// x + h v + h^2 g, and by the air
static void predict(Xpbd* xpbd) {
    float *x = xpbd->moves, *previous = xpbd->previous;
    Lanes falling = free_fall(xpbd);
    Lanes kept = lanes_set((float)(1 / (1 + xpbd->def.mass_damping * xpbd->h)));
    int count = STRIDE * xpbd->vertex_count;
    for (int i = 0; i < count; i += STRIDE) {
        Lanes now = lanes_load(x + i), moved = lanes_sub(now, lanes_load(previous + i));
        lanes_store(previous + i, now);
        if (xpbd->falls) falling = lanes_load(xpbd->falls + i);
        lanes_store(x + i, lanes_add(now, lanes_add(lanes_mul(moved, kept), falling)));
    }
    hold_pins(xpbd);
}

void take_xpbd_step(Xpbd* xpbd) {
    start_step(xpbd);
    for (int i = 0; i < xpbd->def.substeps; i++) {
        if (xpbd->face_count && i % AIR_SUBSTEPS == 0) blow(xpbd);
        predict(xpbd);
        project(xpbd);
        keep_out(xpbd, i);
        if (xpbd->def.body_count) hold_pins(xpbd);
    }
}
