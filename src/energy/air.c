// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Air: drag and wind, per triangle. The air passes the triangle with w = wind - (mean velocity),
// split into w_n along its normal and w_t along its face:
//
//     F = rho_air/2 area ( c_drag |w_n| w_n + c_friction |w_t| w_t )
//
// a third to each corner, by the mean of the wind at them and by v~ (what the velocity at the end
// would be without forces). A strong wind or a light cloth would overshoot; so neither part may do
// more than bring the triangle to the speed of the air within the step (0.187 kg/m^2 at 1/60 s:
// below 15 m/s nothing is cut).
//
// Cloth that has given way (fibre.c) lies in folds too fine for the mesh, and they catch the air.
// Where the warp is |Su| < 1 times as long as at rest its folds stand at an angle with the cosine
// |Su|, and so does the weft: of the area at rest, the part h = 1 - |Su|^2 |Sv|^2 stands across,
// and air along the face meets it with c_drag h beside c_friction. (Without it a sheet of chiffon
// that stands upright slides down within itself, and is on the floor in half the time.)

#include "energy/air.h"

#include <math.h>

#include "base/memory.h"
#include "base/simd.h"
#include "base/vec.h"
#include "energy/fibre.h"

enum { CHUNK = 512 };

typedef struct AirTerm {
    WfTerm term;
    int triangle_count;
    int* triangles;
    double* axes;   // per triangle: coefficients of Su, then of Sv
    double* areas;  // per triangle, at rest
    double area;    // their sum
    double density;
    double drag, friction;
    WfScatter scatter;
} AirTerm;

static void air_destroy(const WeftAllocator* allocator, WfTerm* term) {
    AirTerm* t = (AirTerm*)term;
    wf_free(allocator, t->triangles);
    wf_free(allocator, t->axes);
    wf_free(allocator, t->areas);
    wf_scatter_destroy(allocator, &t->scatter);
    wf_free(allocator, t);
}

// scratch: the sum of all forces' sizes, N
static void air_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    *memory = 0;
    *scratch = 1;
    *partial = (size_t)((const AirTerm*)term)->scatter.chunk_count;
}

typedef struct Job {
    const AirTerm* t;
    const WfMotion* motion;
    double* f;
    double* sums;  // per chunk: of the sizes of its forces
} Job;

// Some triangles at a time, as in fibre.c.
enum { BATCH = 16 };

typedef struct Batch {
    double nx[BATCH], ny[BATCH], nz[BATCH];  // normals, twice as long as the areas
    double wx[BATCH], wy[BATCH], wz[BATCH];  // the air passing by
    double folds[BATCH];                     // m^2, of the area at rest
    double most[BATCH];                      // kg/s: more would overshoot
    double fx[BATCH], fy[BATCH], fz[BATCH];
} Batch;

// The square of how long an axis is, at most 1.
static WF_INLINE double shortened(const double c[3], WfVec x0, WfVec x1, WfVec x2) {
    WfVec s = wf_madd(wf_madd(wf_mul(c[0], x0), c[1], x1), c[2], x2);
    double square = wf_dot(s, s);
    return square < 1 ? square : 1;
}

// Where the wind is not the same everywhere: the mean of that at the corners instead.
static void add_airflow(const Job* job, int first, int end, Batch* p) {
    const double* airflow = job->motion->airflow;
    WfVec wind = wf_load(job->motion->wind, 0);
    for (int e = first; e < end; e++) {
        const int* v = job->t->triangles + 3 * (long)e;
        WfVec sum = wf_add(wf_load(airflow, v[0]), wf_load(airflow, v[1]));
        WfVec more = wf_sub(wf_mul(1.0 / 3, wf_add(sum, wf_load(airflow, v[2]))), wind);
        int i = e - first;
        p->wx[i] += more.x, p->wy[i] += more.y, p->wz[i] += more.z;
    }
}

static void gather_batch(const Job* job, int first, int end, Batch* p) {
    const WfMotion* m = job->motion;
    WfVec wind = wf_load(m->wind, 0);
    double rate = 1 / fmin(m->h, m->gamma);
    for (int e = first; e < end; e++) {
        const int* v = job->t->triangles + 3 * (long)e;
        const double *axes = job->t->axes + 6 * (long)e, area = job->t->areas[e];
        WfVec a = wf_load(m->x, v[0]), b = wf_load(m->x, v[1]), c = wf_load(m->x, v[2]);
        WfVec n = wf_cross(wf_sub(b, a), wf_sub(c, a));
        WfVec sum = wf_add(wf_load(m->drift, v[0]), wf_load(m->drift, v[1]));
        WfVec w = wf_madd(wind, -1.0 / 3, wf_add(sum, wf_load(m->drift, v[2])));
        int i = e - first;
        p->nx[i] = n.x, p->ny[i] = n.y, p->nz[i] = n.z;
        p->wx[i] = w.x, p->wy[i] = w.y, p->wz[i] = w.z;
        p->folds[i] = area * (1 - shortened(axes, a, b, c) * shortened(axes + 3, a, b, c));
        p->most[i] = rate * job->t->density * area;
    }
    if (m->airflow) add_airflow(job, first, end, p);
}

// rho/2 c area |w|, at most `most`
static WF_INLINE double rate_of(double by_speed, double speed, double most) {
    double rate = by_speed * speed;
    return rate < most ? rate : most;
}

static void blow(const Job* job, Batch* p) {
    double rho = job->motion->air_density;
    double drag = rho / 2 * job->t->drag, friction = rho / 2 * job->t->friction;
    for (int i = 0; i < BATCH; i++) {
        double nx = p->nx[i], ny = p->ny[i], nz = p->nz[i], nn = nx * nx + ny * ny + nz * nz;
        double along = p->wx[i] * nx + p->wy[i] * ny + p->wz[i] * nz, twice = sqrt(nn);
        double s = nn > 0 ? along / nn : 0;  // w_n = s n
        double tx = p->wx[i] - s * nx, ty = p->wy[i] - s * ny, tz = p->wz[i] - s * nz;
        double tangential = sqrt(tx * tx + ty * ty + tz * tz);
        double area = twice / 2, along_face = friction * area + drag * p->folds[i];
        double by_n = s * rate_of(drag * area, fabs(s) * twice, p->most[i]);
        double by_t = rate_of(along_face, tangential, p->most[i]);
        p->fx[i] = by_n * nx + by_t * tx;
        p->fy[i] = by_n * ny + by_t * ty;
        p->fz[i] = by_n * nz + by_t * tz;
    }
}

static void air_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    Batch batch = {0};
    double sum = 0;
    for (int e = first; e < end; e += BATCH) {
        int last = e + BATCH < end ? e + BATCH : end;
        gather_batch(job, e, last, &batch);
        blow(job, &batch);
        for (int k = e; k < last; k++) {
            WfVec f = {batch.fx[k - e], batch.fy[k - e], batch.fz[k - e]};
            const int* v = job->t->triangles + 3 * (long)k;
            for (int i = 0; i < 3; i++) wf_accumulate(job->f, v[i], 1.0 / 3, f);
            sum += wf_length(f);
        }
    }
    job->sums[chunk] = sum;
}

static void air_external(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion,
                         double* f) {
    const AirTerm* t = (const AirTerm*)term;
    double sum = 0;
    if (motion->air_density > 0) {
        Job job = {t, motion, f, space->partial};
        wf_scatter_run(&t->scatter, space->jobs, air_chunk, &job);
        for (int c = 0; c < t->scatter.chunk_count; c++) sum += space->partial[c];
    }
    space->scratch[0] = sum;
}

typedef struct Brakes {
    double R[6][BATCH];
} Brakes;

// By how much the force of a triangle falls as its velocity grows, with t along w_t:
//
//     2 r_n n n^T + r_t (I - n n^T + t t^T),    r_n, r_t = F_n/w_n, F_t/w_t as above
//
// a third to each corner. It is what the force is to first order, never more, where neighbours move
// alike, and enough to hold what they do against each other.
static void find_brakes(const Job* job, const Batch* p, Brakes* b) {
    double rho = job->motion->air_density;
    double drag = rho / 6 * job->t->drag, friction = rho / 6 * job->t->friction;
    for (int i = 0; i < BATCH; i++) {
        double nx = p->nx[i], ny = p->ny[i], nz = p->nz[i], nn = nx * nx + ny * ny + nz * nz;
        double along = p->wx[i] * nx + p->wy[i] * ny + p->wz[i] * nz, area = sqrt(nn) / 2;
        double inverse = nn > 0 ? 1 / nn : 0, s = along * inverse;  // w_n = s n
        double tx = p->wx[i] - s * nx, ty = p->wy[i] - s * ny, tz = p->wz[i] - s * nz;
        double tt = tx * tx + ty * ty + tz * tz, speed = sqrt(tt);
        double face = (friction * area + drag * p->folds[i]) * speed;
        double by_n = (2 * drag * area * fabs(s) * (2 * area) - face) * inverse;
        double by_t = tt > 0 ? face / tt : 0;
        b->R[0][i] = face + by_n * nx * nx + by_t * tx * tx;
        b->R[1][i] = by_n * nx * ny + by_t * tx * ty;
        b->R[2][i] = by_n * nx * nz + by_t * tx * tz;
        b->R[3][i] = face + by_n * ny * ny + by_t * ty * ty;
        b->R[4][i] = by_n * ny * nz + by_t * ty * tz;
        b->R[5][i] = face + by_n * nz * nz + by_t * tz * tz;
    }
}

static void brake_chunk(void* context, int chunk, int first, int end) {
    const Job* job = context;
    Batch batch = {0};
    Brakes brakes;
    (void)chunk;
    for (int e = first; e < end; e += BATCH) {
        int last = e + BATCH < end ? e + BATCH : end;
        gather_batch(job, e, last, &batch);
        find_brakes(job, &batch, &brakes);
        for (int k = e; k < last; k++) {
            const int* v = job->t->triangles + 3 * (long)k;
            double* R[3] = {job->f + 6 * (long)v[0], job->f + 6 * (long)v[1],
                            job->f + 6 * (long)v[2]};
            for (int j = 0; j < 6; j++) {
                double more = brakes.R[j][k - e];
                R[0][j] += more, R[1][j] += more, R[2][j] += more;
            }
        }
    }
}

static void air_brake(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion,
                      double* R) {
    const AirTerm* t = (const AirTerm*)term;
    Job job = {t, motion, R, space->partial};
    if (motion->air_density > 0) wf_scatter_run(&t->scatter, space->jobs, brake_chunk, &job);
}

static const WfTermClass air_class = {
    .name = "air",
    .kind = WF_TERM_EXTERNAL,
    .role = WF_ROLE_OTHER,
    .local = WF_LOCAL_FORCE,
    .destroy = air_destroy,
    .count = air_count,
    .external = air_external,
    .brake = air_brake,
};

bool wf_is_air(const WfTerm* term) { return term->type == &air_class; }

WfAirLoad wf_air_load(const WfTerm* term, const WfTermSpace* space) {
    const AirTerm* t = (const AirTerm*)term;
    return (WfAirLoad){space->scratch[0], t->area};
}

WfTerm* wf_air_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    const WeftClothDef* def = parts->def;
    AirTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) return NULL;
    t->term = (WfTerm){.type = &air_class, .cloth = parts->cloth};
    t->triangle_count = def->triangle_count;
    t->density = def->fabric.density;
    t->drag = def->fabric.air_drag;
    t->friction = def->fabric.air_friction;
    t->triangles = wf_alloc(allocator, 3 * (size_t)t->triangle_count, sizeof(int));
    t->axes = wf_alloc(allocator, 6 * (size_t)t->triangle_count, sizeof(double));
    t->areas = wf_alloc(allocator, (size_t)t->triangle_count, sizeof(double));
    if (!t->triangles || !t->axes || !t->areas) goto failed;
    for (long i = 0; i < 3L * t->triangle_count; i++)
        t->triangles[i] = parts->first_vertex + def->triangles[i];
    for (long e = 0; e < t->triangle_count; e++) {
        wf_triangle_axes(parts->rest->corners + 6 * e, t->axes + 6 * e, t->axes + 6 * e + 3);
        t->area += t->areas[e] = parts->rest->areas[e];
    }
    if (!wf_scatter_create(allocator, parts->row_count, t->triangle_count, 3, t->triangles, CHUNK,
                           &t->scatter))
        return &t->term;
failed:
    air_destroy(allocator, &t->term);
    return NULL;
}
