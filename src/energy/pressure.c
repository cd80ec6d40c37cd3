// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pressure p in closed cloth of volume V pushes every vertex by F = p g, g = dV/dx: a sixth of the
// cross products of its triangles' edges. An external force: g is taken at the start of the step.
// The stiffness of -p V, which has any sign, is thereby left out; it is smaller than that of the
// tension p R/2 that the pressure itself makes, by the size of a triangle over the radius.
//
// A gas is stiff where its pressure is large beside what it carries, and p taken from V at the
// start of the step would feed on itself. So p' is that of the volume at the end,
//
//     p' = P V0/V' - P_out,    V' = V* + c (p' - q),    V* = V + g.(x~ + gamma v~ - x)
//
// linear around V*. q is the pressure that the cloth holds against: what it did in the last step
// tells, q = p - (V - V* then)/c, and at first it is 0. c is by how much pressure changes V. Where
// only inertia resists it is c_M = gamma^2 g.M^-1 g; cloth resists as well. With c_M alone p never
// overshoots, but follows late, in hundreds of steps in taut stiff cloth; with c by the constant
// matrix, which is too small where cloth is slack, bags burst. So c begins at c_M, is halved while
// V does less than half of what it says, down to a hundredth, and is c_M again when V does more.
// What pushes V the other way, a body that lands on it, says nothing of c.
//
// So p follows late where something heavy presses, and to lag is to gain: a ball of 40 kg that fell
// on a cushion of stiff gas rose above where it came from in half of 30 falls, by up to 12 m/s, and
// one cushion burst. Hence p is never above what the gas law has for V or V* (or 0): none bursts,
// but half still rise, by up to 10 m/s. The cure would be p as an unknown of the solve, with c by
// the Jacobian itself. Until then damping of stretch does it (0.01 s: 2 of 30, 3 m/s), and so does
// gas that is soft (test_cushion, docs/forces.md). Tried and dropped: a bound from below as well
// (no better), c down to 1/500 (twice the gain), the law at volumes further ahead (more burst).
//
// Both the air outside and the gas inside weigh: their pressures grow along gravity, by rho g.x.
// The difference, taken at the middle of every triangle, pushes the whole by (rho - rho_air) g V,
// exactly.
//
// Of either kind, what the cloth does not hold changes V by a quarter in a step at most, by c.

#include "energy/pressure.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "energy/parts.h"

enum { CHUNK = 512 };
// Of the memory: Pa, Pa; V* of the last step, m^3, or 0; p - q of it, Pa; c over c_M.
enum { SETTING, NOW, FREE, CHANGE, SHARE, MEMORY };

static const double MOST_CHANGE = 0.25;   // of the volume, in a step
static const double LEAST_SHARE = 0.01;   // of c_M
static const double TOLD = 1e-6;          // of the volume: a change by less tells nothing
static const double LEAST_VOLUME = 0.01;  // of that at the start: a gas is not pressed further

typedef struct PressureTerm {
    WfTerm term;
    bool is_gas;
    double pressure, outside;  // Pa
    double density;            // kg/m^3, of the gas at the start
    double volume;             // m^3, at the start
    int first_vertex, vertex_count, triangle_count;
    int* triangles;
    double* masses;
    WfScatter scatter;
} PressureTerm;

static void pressure_destroy(const WeftAllocator* allocator, WfTerm* term) {
    PressureTerm* t = (PressureTerm*)term;
    wf_free(allocator, t->triangles);
    wf_free(allocator, t->masses);
    wf_scatter_destroy(allocator, &t->scatter);
    wf_free(allocator, t);
}

// scratch: g of the cloth's vertices
static void pressure_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    *memory = MEMORY;
    *scratch = 3 * (size_t)((const PressureTerm*)term)->vertex_count;
    *partial = 0;
}

static void pressure_reset(const WfTerm* term, const WfTermSpace* space, const double* x) {
    (void)x;
    space->memory[SETTING] = space->memory[NOW] = ((const PressureTerm*)term)->pressure;
    space->memory[FREE] = space->memory[CHANGE] = 0;
    space->memory[SHARE] = 1;
}

// About a corner of its own, or it is lost in rounding far from the origin.
double wf_enclosed_volume(int triangle_count, const int* triangles, const double* x) {
    double sum = 0;
    WfVec o = wf_load(x, triangles[0]);
    for (int e = 0; e < triangle_count; e++) {
        const int* v = triangles + 3 * (long)e;
        WfVec a = wf_sub(wf_load(x, v[0]), o), b = wf_sub(wf_load(x, v[1]), o);
        sum += wf_dot(a, wf_cross(b, wf_sub(wf_load(x, v[2]), o))) / 6;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// The force

typedef struct Job {
    const PressureTerm* t;
    const double* x;
    double* g;
} Job;

static void gradient_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const int* v = job->t->triangles + 3 * (long)e;
        WfVec a = wf_load(job->x, v[0]);
        WfVec n = wf_cross(wf_sub(wf_load(job->x, v[1]), a), wf_sub(wf_load(job->x, v[2]), a));
        for (int i = 0; i < 3; i++) wf_accumulate(job->g, v[i] - job->t->first_vertex, 1.0 / 6, n);
    }
}

// The volume now, and as it would be without forces; by how much it gives way to pressure, m^3/Pa.
typedef struct Volume {
    double now, free, give;
} Volume;

static Volume measure(const PressureTerm* t, const WfMotion* m, const double* g) {
    double reach = fmin(m->h, m->gamma), change = 0, give = 0;
    for (int i = 0; i < t->vertex_count; i++) {
        int row = t->first_vertex + i;
        if (m->pinned[row]) continue;
        WfVec own = wf_load(g, i), from = wf_sub(wf_load(m->base, row), wf_load(m->x, row));
        change += wf_dot(own, wf_madd(from, reach, wf_load(m->drift, row)));
        give += reach * reach * wf_dot(own, own) / t->masses[i];
    }
    double now = wf_enclosed_volume(t->triangle_count, t->triangles, m->x);
    return (Volume){now, fmax(now + change, LEAST_VOLUME * t->volume), give};
}

// How much of c_M the last step says there is.
static double learn_share(const WfTermSpace* space, const Volume* volume) {
    double share = space->memory[SHARE], said = share * volume->give * space->memory[CHANGE];
    double did = volume->now - space->memory[FREE];
    if (space->memory[FREE] == 0 || fabs(said) < TOLD * volume->now) return share;
    double ratio = did / said;
    if (ratio > 1.1) return 1;
    return ratio < 0.5 ? fmax(share / 2, LEAST_SHARE) : share;
}

// The pressure that the cloth holds against: some of what there was.
static double held_pressure(const WfTermSpace* space, const Volume* volume) {
    double p = space->memory[NOW], free = space->memory[FREE];
    if (free == 0 || !(volume->give > 0)) return 0;
    double held = p - (volume->now - free) / volume->give;
    return fmin(fmax(held, fmin(p, 0)), fmax(p, 0));
}

// Pa, by the gas law.
static double absolute_pressure(const PressureTerm* t, double p, double volume) {
    return (t->outside + p) * t->volume / fmax(volume, LEAST_VOLUME * t->volume);
}

// The pressure at the end of the step.
static double find_pressure(const PressureTerm* t, const Volume* volume, double held, double p) {
    double most = MOST_CHANGE * fabs(volume->now) / volume->give;
    if (t->is_gas) {
        double all = absolute_pressure(t, p, volume->free);
        double stiffness = volume->give * all / volume->free;
        double now = absolute_pressure(t, p, volume->now), most_held = fmax(now, all) - t->outside;
        p = held + (all - t->outside - held) / (1 + stiffness);
        p = fmin(p, fmax(most_held, 0));
    }
    return volume->give > 0 ? fmin(fmax(p, held - most), held + most) : p;
}

typedef struct Lift {
    const PressureTerm* t;
    const double* x;
    WfVec slope;  // Pa/m
    WfVec middle;
    double* f;
} Lift;

static void lift_chunk(void* context, int chunk, int first, int end) {
    const Lift* lift = context;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const int* v = lift->t->triangles + 3 * (long)e;
        WfVec a = wf_load(lift->x, v[0]), b = wf_load(lift->x, v[1]), c = wf_load(lift->x, v[2]);
        WfVec centre = wf_mul(1.0 / 3, wf_add(wf_add(a, b), c));
        double p = wf_dot(lift->slope, wf_sub(centre, lift->middle));
        WfVec n = wf_cross(wf_sub(b, a), wf_sub(c, a));
        for (int i = 0; i < 3; i++) wf_accumulate(lift->f, v[i], p / 6, n);
    }
}

// The weight of the gas, and of the air that it displaces.
static void add_lift(const PressureTerm* t, const WfTermSpace* space, const WfMotion* m,
                     double volume, double* f) {
    double inside = t->density * (t->is_gas ? t->volume / volume : 1);
    Lift lift = {.t = t, .x = m->x, .f = f};
    lift.slope = wf_mul(inside - m->air_density, wf_load(m->gravity, 0));
    if (wf_dot(lift.slope, lift.slope) == 0) return;
    for (int i = 0; i < t->vertex_count; i++)
        lift.middle =
            wf_madd(lift.middle, 1.0 / t->vertex_count, wf_load(m->x, t->first_vertex + i));
    wf_scatter_run(&t->scatter, space->jobs, lift_chunk, &lift);
}

static void pressure_external(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion,
                              double* f) {
    const PressureTerm* t = (const PressureTerm*)term;
    double* g = space->scratch;
    memset(g, 0, 3 * (size_t)t->vertex_count * sizeof *g);
    Job job = {t, motion->x, g};
    wf_scatter_run(&t->scatter, space->jobs, gradient_chunk, &job);
    Volume volume = measure(t, motion, g);
    double share = learn_share(space, &volume);
    volume.give *= share;
    double held = held_pressure(space, &volume);
    double p = find_pressure(t, &volume, held, space->memory[SETTING]);
    space->memory[NOW] = p;
    space->memory[FREE] = volume.free;
    space->memory[CHANGE] = p - held;
    space->memory[SHARE] = share;
    for (int i = 0; i < t->vertex_count; i++)
        wf_accumulate(f, t->first_vertex + i, space->memory[NOW], wf_load(g, i));
    add_lift(t, space, motion, fmax(volume.now, LEAST_VOLUME * t->volume), f);
}

// ---------------------------------------------------------------------------------------------

static const WfTermClass pressure_class = {
    .name = "pressure",
    .local = WF_LOCAL_PUSH,
    .kind = WF_TERM_EXTERNAL,
    .role = WF_ROLE_OTHER,
    .destroy = pressure_destroy,
    .count = pressure_count,
    .reset = pressure_reset,
    .external = pressure_external,
};

bool wf_is_pressure(const WfTerm* term) { return term->type == &pressure_class; }
void wf_pressure_set(const WfTermSpace* space, double pressure) {
    space->memory[SETTING] = pressure;
}
void wf_pressure_take(const WfTermSpace* space, const WfTermSpace* from) {
    memcpy(space->memory, from->memory, MEMORY * sizeof(double));
}
double wf_pressure_setting(const WfTermSpace* space) { return space->memory[SETTING]; }
double wf_pressure_least(const WfTerm* term) {
    const PressureTerm* t = (const PressureTerm*)term;
    return t->is_gas ? -t->outside : -HUGE_VAL;
}
double wf_pressure_now(const WfTermSpace* space) { return space->memory[NOW]; }
double wf_pressure_volume(const WfTerm* term, const double* x) {
    const PressureTerm* t = (const PressureTerm*)term;
    return wf_enclosed_volume(t->triangle_count, t->triangles, x);
}

WfTerm* wf_pressure_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->whole ? parts->whole : parts->def;
    PressureTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    *t = (PressureTerm){.term = {.type = &pressure_class, .cloth = parts->cloth},
                        .is_gas = def->inflation == WEFT_INFLATION_GAS,
                        .pressure = def->pressure,
                        .outside = def->outside_pressure,
                        .density = def->gas_density,
                        .first_vertex = parts->first_vertex,
                        .vertex_count = def->vertex_count,
                        .triangle_count = def->triangle_count};
    t->volume = wf_enclosed_volume(def->triangle_count, def->triangles, def->positions);
    t->triangles = wf_alloc(allocator, 3 * (size_t)t->triangle_count, sizeof(int));
    t->masses = wf_alloc(allocator, (size_t)t->vertex_count, sizeof(double));
    if (!t->triangles || !t->masses) goto failed;
    for (long i = 0; i < 3L * t->triangle_count; i++)
        t->triangles[i] = parts->first_vertex + def->triangles[i];
    memcpy(t->masses, parts->masses, (size_t)t->vertex_count * sizeof *t->masses);
    if (!wf_scatter_create(allocator, parts->row_count, t->triangle_count, 3, t->triangles, CHUNK,
                           &t->scatter))
        return &t->term;
failed:
    pressure_destroy(allocator, &t->term);
    return NULL;
}
