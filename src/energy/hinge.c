// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bending by the angle theta between the two triangles of a hinge, zero where they are flat (after
// Bridson, Marino and Fedkiw 2003, and Wang, O'Brien and Ramamoorthi 2011).
//
//            i              h1, h2 the heights of i and j over the edge, L its length, at rest
//           / \             D = (h1 + h2)/2,  kappa = theta/D     curvature of the strip across
//        k o---o l          M = B(kappa) kappa                    its moment per width
//           \ /             E = L D integral of M dkappa
//            j              T = dE/dtheta = L M,   F_a = -T g_a,   g_a = dtheta/dx_a
//
//     g_i = n1/h1    g_j = n2/h2    g_k = -(1 - s1) g_i - (1 - s2) g_j    g_l = -s1 g_i - s2 g_j
//
// with h1, h2 and s1, s2 (how far along the edge i and j are) as they are at x. B is the fabric's
// table for the direction across the edge, the mean over both sides, or `bend` where there is no
// table. Where a table's moment falls as curvature grows it is raised (wf_repair_measured).
//
// The stiffness takes B, g and T for constant, K_ab = (B L/D) g_a g_b^T; so does the exact one:
// what is left out is small where hinges bend little. On a right-angled grid bent to a cylinder
// about a grid axis E is exactly B kappa^2/2 per area, and for small angles it is that of bend.c.
//
// theta is known up to whole turns. A state remembers it, and takes the value next to the last one:
// triangles that have passed through each other are pushed back the way they came. Triangles and
// edges that shrink to nothing have heights of zero; then g is taken smaller, on both sides, such
// that it stays finite and makes no torque.
//
// Damping, with r = zeta/gamma (see fibre.h): a torque r B~ L/D (theta - theta~), B~ that of the
// start of the step.

#include <math.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/vec.h"
#include "energy/element.h"
#include "material/elastic.h"

enum { KEPT = 12 };              // per element and state: g, times the root of the stiffness
enum { BEGUN = 2 };              // and what a step begins with: theta~, r B~ L/D
static const double WEAK = 0.1;  // of heights and lengths at rest: below that g is taken smaller

typedef struct AngleTerm {
    WfElementTerm head;
    double* rows;   // L D B at the five curvatures, then D
    double* sizes;  // L, h1, h2, s1, s2
} AngleTerm;
enum { ROW = WF_CURVATURES + 1, SIZES = 5 };

typedef WfElementJob Job;

static void angle_destroy(const WeftAllocator* allocator, WfTerm* term) {
    AngleTerm* t = (AngleTerm*)term;
    wf_free(allocator, t->rows);
    wf_free(allocator, t->sizes);
    wf_element_destroy(allocator, &t->head);
}

static void angle_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const AngleTerm* t = (const AngleTerm*)term;
    *memory = (size_t)t->head.element_count;
    *scratch = (BEGUN + KEPT) * (size_t)t->head.element_count;
    *partial = (size_t)t->head.scatter.chunk_count;
}

static double* begun_element(const WfTermSpace* space, int e) {
    return space->scratch + BEGUN * (long)e;
}
static double* kept_element(const AngleTerm* t, const WfTermSpace* space, int e) {
    return space->scratch + BEGUN * (long)t->head.element_count + KEPT * (long)e;
}

// ---------------------------------------------------------------------------------------------
// The angle

typedef struct Fold {
    WfVec edge, to[2], normal[2];  // from k: to l, i and j; normals, their length twice the area
    double theta;                  // -pi to pi
} Fold;

static Fold fold_at(const AngleTerm* t, const double* x, int e) {
    const int* v = t->head.vertices + 4 * (long)e;
    WfVec k = wf_load(x, v[2]);
    Fold f = {.edge = wf_sub(wf_load(x, v[3]), k)};
    for (int side = 0; side < 2; side++) f.to[side] = wf_sub(wf_load(x, v[side]), k);
    f.normal[0] = wf_cross(f.edge, f.to[0]);
    f.normal[1] = wf_cross(f.to[1], f.edge);
    double sine = wf_dot(wf_unit(f.edge), wf_cross(f.normal[1], f.normal[0]));
    f.theta = wf_angle_of(sine, wf_dot(f.normal[0], f.normal[1]));
    return f;
}

// The same angle, up to a turn, next to another one; but never more than three quarters round.
static double near_to(double theta, double other) {
    double turned = theta + 2 * WF_PI * floor((other - theta) / (2 * WF_PI) + 0.5);
    return fabs(turned) < 1.5 * WF_PI ? turned : theta;
}

static void gradient_of(const Fold* f, const double* sizes, WfVec g[4]) {
    double square = wf_dot(f->edge, f->edge), length = sqrt(square), weaken = 1;
    weaken = fmin(weaken, length / (WEAK * sizes[0]));
    g[2] = g[3] = (WfVec){0, 0, 0};
    for (int side = 0; side < 2; side++) {
        double height = length > 0 ? wf_length(f->normal[side]) / length : 0;
        weaken = fmin(weaken, height / (WEAK * sizes[1 + side]));
        double s = square > 0 ? wf_dot(f->to[side], f->edge) / square : 0;
        g[side] = height > 0 ? wf_mul(1 / height, wf_unit(f->normal[side])) : (WfVec){0, 0, 0};
        g[2] = wf_madd(g[2], s - 1, g[side]);
        g[3] = wf_madd(g[3], -s, g[side]);
    }
    if (weaken < 1)
        for (int a = 0; a < 4; a++) g[a] = wf_mul(weaken * weaken, g[a]);
}

static double theta_at(const AngleTerm* t, const WfTermSpace* space, const double* x, int e) {
    double theta = fold_at(t, x, e).theta;
    return space->memory ? near_to(theta, space->memory[e]) : theta;
}

// B L/D
static double stiffness_at(const AngleTerm* t, int e, double theta) {
    const double *row = t->rows + ROW * (long)e, width = row[WF_CURVATURES];
    return wf_row_bend(row, theta / width) / (width * width);
}

// ---------------------------------------------------------------------------------------------
// The term

static void angle_reset(const WfTerm* term, const WfTermSpace* space, const double* x) {
    const AngleTerm* t = (const AngleTerm*)term;
    for (int e = 0; e < t->head.element_count; e++) space->memory[e] = fold_at(t, x, e).theta;
}

static void angle_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const AngleTerm* t = (const AngleTerm*)term;
    double r = t->head.zeta / motion->gamma;
    const double* w = motion->base_weights;
    for (int e = 0; e < t->head.element_count; e++) {
        double now = theta_at(t, space, motion->x, e), *begun = begun_element(space, e);
        space->memory[e] = now;
        begun[0] = begun[1] = 0;
        if (!(r > 0)) continue;
        begun[0] = w[0] * now + w[1] * theta_at(t, space, motion->x1, e);
        begun[1] = r * stiffness_at(t, e, now);
    }
}

static void keep_element(const Job* job, int e, double stiffness, const WfVec g[4]) {
    double *kept = kept_element((const AngleTerm*)job->term, job->space, e), s = sqrt(stiffness);
    for (int a = 0; a < 4; a++) wf_store(kept, a, wf_mul(s, g[a]));
}

static void add_forces(const Job* job, int e, double torque, const WfVec g[4]) {
    const int* v = ((const AngleTerm*)job->term)->head.vertices + 4 * (long)e;
    for (int a = 0; a < 4; a++) wf_accumulate(job->f, v[a], torque, g[a]);
}

static void evaluate_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AngleTerm* t = (const AngleTerm*)job->term;
    const WfTermSpace* space = job->space;
    double energy = 0;
    for (int e = first; e < end; e++) {
        const double* row = t->rows + ROW * (long)e;
        Fold fold = fold_at(t, job->x, e);
        double theta = space->memory ? near_to(fold.theta, space->memory[e]) : fold.theta;
        double stiffness = stiffness_at(t, e, theta), torque = stiffness * theta;
        energy += wf_row_energy(row, theta / row[WF_CURVATURES]);
        if (space->scratch) {
            const double* begun = begun_element(space, e);
            double away = theta - begun[0];
            energy += begun[1] / 2 * away * away;
            torque += begun[1] * away;
            stiffness += begun[1];
        }
        if (!(job->want & (WF_WANT_FORCE | WF_WANT_LINEARISE))) continue;
        WfVec g[4];
        gradient_of(&fold, t->sizes + SIZES * (long)e, g);
        if (job->want & WF_WANT_FORCE) add_forces(job, e, -job->scale * torque, g);
        if (job->want & WF_WANT_LINEARISE) keep_element(job, e, stiffness, g);
    }
    space->partial[chunk] = energy;
}

static void product_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AngleTerm* t = (const AngleTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* kept = kept_element(t, job->space, e);
        const int* v = t->head.vertices + 4 * (long)e;
        double s = 0;
        for (int a = 0; a < 4; a++) s += wf_dot(wf_load(kept, a), wf_load(job->x, v[a]));
        for (int a = 0; a < 4; a++) wf_accumulate(job->f, v[a], job->scale * s, wf_load(kept, a));
    }
}

// block += s a b^T
static void add_outer(double* block, double s, const double* a, const double* b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) block[3 * i + j] += s * a[i] * b[j];
}

static void blocks_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AngleTerm* t = (const AngleTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const double* g = kept_element(t, job->space, e);
        const int* v = t->head.vertices + 4 * (long)e;
        for (int a = 0; a < 4; a++)
            wf_sym_add(job->f + 6 * (long)v[a], 0, job->scale, wf_load(g, a));
        if (!job->matrix) continue;
        const int* place = t->head.places + 6 * (long)e;
        for (int a = 0, p = 0; a < 4; a++)
            for (int b = a + 1; b < 4; b++, p++) {
                bool up = v[a] < v[b];  // rows of the stored block belong to the smaller vertex
                add_outer(job->matrix->upper + 9 * (long)place[p], job->scale, g + 3 * (up ? a : b),
                          g + 3 * (up ? b : a));
            }
    }
}

// At rest all g are along the normal.
static void angle_majorant(const WfTerm* term, double gamma, double scale, const WfPattern* pattern,
                           double* values) {
    const AngleTerm* t = (const AngleTerm*)term;
    double damped = scale * (1 + t->head.zeta / gamma);
    for (int e = 0; e < t->head.element_count; e++) {
        const double *row = t->rows + ROW * (long)e, *size = t->sizes + SIZES * (long)e;
        const int* v = t->head.vertices + 4 * (long)e;
        double i = 1 / size[1], j = 1 / size[2], most = 0, width = row[WF_CURVATURES];
        const double g[4] = {i, j, (size[3] - 1) * i + (size[4] - 1) * j,
                             -size[3] * i - size[4] * j};
        for (int k = 0; k < WF_CURVATURES; k++) most = fmax(most, row[k]);
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++)
                values[wf_pattern_find(pattern, v[a], v[b])] +=
                    damped * most / (width * width) * g[a] * g[b];
    }
}

static void damp_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    const AngleTerm* t = (const AngleTerm*)job->term;
    (void)chunk;
    for (int e = first; e < end; e++) {
        const int* v = t->head.vertices + 4 * (long)e;
        Fold fold = fold_at(t, job->x, e);
        WfVec g[4];
        gradient_of(&fold, t->sizes + SIZES * (long)e, g);
        double rate = 0, theta = theta_at(t, job->space, job->x, e);
        for (int a = 0; a < 4; a++) rate += wf_dot(g[a], wf_load(job->v, v[a]));
        add_forces(job, e, -job->scale * t->head.zeta * stiffness_at(t, e, theta) * rate, g);
    }
}

static const WfElementBodies angle_bodies = {evaluate_chunk, product_chunk, blocks_chunk,
                                             damp_chunk};

static void angle_numbers(const WfTerm* term, int e, float* numbers) {
    const double* size = ((const AngleTerm*)term)->sizes + SIZES * (long)e;
    for (int k = 0; k < 3; k++) numbers[k] = (float)(1 / (WEAK * size[k]));
}

// The table as it is at the start of a step, and the angle there.
static void angle_local_begin(const WfTerm* term, const WfTermSpace* space, const double* x, int e,
                              float* numbers) {
    const AngleTerm* t = (const AngleTerm*)term;
    double theta = space->memory[e] = theta_at(t, space, x, e);
    numbers[0] = wf_compliance(stiffness_at(t, e, theta));
    numbers[1] = (float)theta;
}

static const WfTermClass angle_class = {
    .name = "bending by angles",
    .local = WF_LOCAL_ANGLE,
    .local_numbers = angle_numbers,
    .local_begin = angle_local_begin,
    .role = WF_ROLE_BEND,
    .unbounded = true,
    .instead = "bending by hinges",
    .destroy = angle_destroy,
    .count = angle_count,
    .reset = angle_reset,
    .begin = angle_begin,
    .majorant = angle_majorant,
    .damp = wf_element_damp,
    WF_ELEMENT_CLASS,
};

// ---------------------------------------------------------------------------------------------
// Making it

// Moment over curvature of a fabric, across an edge that runs along it like this.
static void fill_side(const WeftFabric* fabric, const double along[2], double row[WF_CURVATURES]) {
    WeftMeasured repaired = fabric->measured;
    wf_repair_measured(&repaired);
    for (int k = 0; k < WF_CURVATURES; k++) row[k] = fabric->bend;
    if (wf_has_measured_bend(&repaired))
        wf_bend_row(&repaired, (double[2]){-along[1], along[0]}, row);
}

static void fill_element(const WfClothParts* parts, AngleTerm* t, long e) {
    const WfHinge* hinge = &parts->topology->hinges[e];
    const WfRestHinge* flat = &parts->rest->hinges[e];
    double *row = t->rows + ROW * e, *size = t->sizes + SIZES * e, sides[2][WF_CURVATURES];
    size[0] = flat->length;
    for (int side = 0; side < 2; side++) {
        fill_side(wf_hinge_fabric(parts, hinge->triangles[side]), flat->along[side], sides[side]);
        size[1 + side] = fabs(flat->opposite[side][1]);
        size[3 + side] = flat->opposite[side][0] / flat->length;
    }
    double width = (size[1] + size[2]) / 2;
    const int v[4] = {hinge->opposite[0], hinge->opposite[1], hinge->edge[0], hinge->edge[1]};
    double factor = wf_mean_scale(parts->def->bend_scale, v, 4) * flat->bend * flat->length * width;
    for (int k = 0; k < WF_CURVATURES; k++) row[k] = factor * ((sides[0][k] + sides[1][k]) / 2);
    row[WF_CURVATURES] = width;
    for (int a = 0; a < 4; a++) t->head.vertices[4 * e + a] = parts->first_vertex + v[a];
}

WfTerm* wf_hinge_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    size_t count = (size_t)parts->topology->hinge_count;
    AngleTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->head.bodies = &angle_bodies;
    t->head.arity = 4;
    t->head.term = (WfTerm){.type = &angle_class,
                            .cloth = parts->cloth,
                            .is_explicit = parts->def->bend == WEFT_BEND_EXPLICIT};
    t->head.element_count = parts->topology->hinge_count;
    t->head.zeta = parts->def->fabric.bend_damping;
    t->head.vertices = wf_alloc(allocator, 4 * count, sizeof(int));
    t->rows = wf_alloc(allocator, ROW * count, sizeof(double));
    t->sizes = wf_alloc(allocator, SIZES * count, sizeof(double));
    if (!t->head.vertices || !t->rows || !t->sizes) goto failed;
    for (long e = 0; e < t->head.element_count; e++) fill_element(parts, t, e);
    if (!wf_element_finish(allocator, parts, &t->head)) return &t->head.term;
failed:
    angle_destroy(allocator, &t->head.term);
    return NULL;
}
