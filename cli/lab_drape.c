// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The drape test: a disc of fabric whose middle is held hangs down in folds. Seen from above, stiff
// fabric covers more.

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

// ---------------------------------------------------------------------------------------------
// The cloth

// Twice the signed area of a, b and (x, y).
static double side_of(const double a[2], const double b[2], double x, double y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static double flat_area(const WeftMesh* mesh, int triangle) {
    const int* v = mesh->triangles + 3 * (long)triangle;
    const double *a = mesh->material + 2 * (long)v[0], *b = mesh->material + 2 * (long)v[1];
    const double* c = mesh->material + 2 * (long)v[2];
    return side_of(a, b, c[0], c[1]) / 2;
}

static int* held_vertices(const WeftMesh* mesh, int* count) {
    int* pins = malloc((size_t)mesh->vertex_count * sizeof *pins);
    *count = 0;
    for (int i = 0; i < mesh->vertex_count && pins; i++) {
        const double* u = mesh->material + 2 * (long)i;
        if (hypot(u[0], u[1]) < drape_support + 1e-6) pins[(*count)++] = i;
    }
    return pins;
}

static WeftResult keep_shape(const WeftModel* model, const WeftState* state, Drape* drape) {
    size_t n = 3 * (size_t)weft_vertex_count(model), m = 3 * (size_t)weft_triangle_count(model);
    WeftMeasure measure;
    drape->vertex_count = weft_vertex_count(model);
    drape->triangle_count = weft_triangle_count(model);
    drape->positions = malloc(n * sizeof(double));
    drape->triangles = malloc(m * sizeof(int));
    if (!drape->positions || !drape->triangles) return WEFT_ERROR_MEMORY;
    memcpy(drape->positions, weft_positions(state), n * sizeof(double));
    memcpy(drape->triangles, weft_triangles(model), m * sizeof(int));
    static const double none[3] = {0, 0, 0};
    if (weft_measure(state, none, &measure)) return WEFT_ERROR_MEMORY;
    drape->stretch = measure.max_stretch;
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// The shadow, and the cloth from above

double pixel_size(void) { return 2.2 * drape_radius / SHADOW; }

static double to_pixel(double x) { return x / pixel_size() + SHADOW / 2.0; }

// Of each vertex: the mean of its triangles, as large as they are; of any length.
static double* find_normals(const Drape* drape) {
    double* normals = calloc(3 * (size_t)drape->vertex_count, sizeof *normals);
    if (!normals) return NULL;
    for (int t = 0; t < drape->triangle_count; t++) {
        const int* v = drape->triangles + 3 * (long)t;
        const double* p[3];
        double n[3];
        for (int k = 0; k < 3; k++) p[k] = drape->positions + 3 * (long)v[k];
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            n[k] = (p[1][i] - p[0][i]) * (p[2][j] - p[0][j]) -
                   (p[1][j] - p[0][j]) * (p[2][i] - p[0][i]);
        }
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) normals[3 * (long)v[c] + k] += n[k];
    }
    for (int i = 0; i < drape->vertex_count; i++) {
        double* n = normals + 3 * (long)i;
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3 && length > 0; k++) n[k] /= length;
    }
    return normals;
}

static void draw_triangle(const Drape* drape, const double* normals, int t, Shadow* shadow) {
    const int* v = drape->triangles + 3 * (long)t;
    const double* p[3];
    double c[3][2], low[2] = {SHADOW, SHADOW}, high[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        p[k] = drape->positions + 3 * (long)v[k];
        c[k][0] = to_pixel(p[k][0]);
        c[k][1] = to_pixel(p[k][2]);
        for (int i = 0; i < 2; i++)
            low[i] = fmin(low[i], c[k][i]), high[i] = fmax(high[i], c[k][i]);
    }
    double all = side_of(c[0], c[1], c[2][0], c[2][1]);
    if (all == 0) return;
    for (int y = (int)fmax(0, low[1] - 1); y <= (int)fmin(SHADOW - 1, high[1] + 1); y++)
        for (int x = (int)fmax(0, low[0] - 1); x <= (int)fmin(SHADOW - 1, high[0] + 1); x++) {
            double w[3], height = 0, n[3] = {0, 0, 0};
            for (int k = 0; k < 3; k++) {
                w[k] = side_of(c[(k + 1) % 3], c[(k + 2) % 3], x + 0.5, y + 0.5) / all;
                height += w[k] * p[k][1];
                for (int i = 0; i < 3; i++) n[i] += w[k] * normals[3 * (long)v[k] + i];
            }
            size_t at = (size_t)y * SHADOW + (size_t)x;
            if (w[0] < 0 || w[1] < 0 || w[2] < 0 || !(height > (double)shadow->height[at]))
                continue;
            shadow->height[at] = (float)height;
            for (int i = 0; i < 3; i++) shadow->normal[3 * at + (size_t)i] = (float)n[i];
        }
}

void free_shadow(Shadow* shadow) {
    free(shadow->height);
    free(shadow->normal);
}

bool cast_shadow(const Drape* drape, Shadow* shadow) {
    size_t count = (size_t)SHADOW * SHADOW;
    shadow->height = malloc(count * sizeof(float));
    shadow->normal = malloc(3 * count * sizeof(float));
    double* normals = find_normals(drape);
    bool good = shadow->height && shadow->normal && normals;
    for (size_t i = 0; i < count && good; i++) shadow->height[i] = (float)-HUGE_VAL;
    for (int t = 0; t < drape->triangle_count && good; t++)
        draw_triangle(drape, normals, t, shadow);
    free(normals);
    return good;
}

static bool is_covered(const Shadow* shadow, int x, int y) {
    return isfinite(shadow->height[(size_t)y * SHADOW + (size_t)x]);
}

// How far out the shadow reaches at an angle.
static double reach_of(const Shadow* shadow, double angle) {
    double most = 0;
    for (double r = drape_support; r < drape_radius; r += pixel_size() / 2) {
        int x = (int)to_pixel(r * cos(angle)), y = (int)to_pixel(r * sin(angle));
        if (is_covered(shadow, x, y)) most = r;
    }
    return most;
}

// Where the shadow goes from well inside of its mean reach to well outside, a fold begins.
static int count_folds(const Shadow* shadow) {
    enum { ANGLES = 360 };
    static const double CLEAR = 1e-3;  // m
    double reach[ANGLES], mean = 0;
    int folds = 0, was = 0;
    for (int i = 0; i < ANGLES; i++) {
        reach[i] = reach_of(shadow, 2 * PI * i / ANGLES);
        mean += reach[i] / ANGLES;
    }
    for (int i = 0; i < 2 * ANGLES; i++) {  // once around to know the state, once to count
        double beyond = reach[i % ANGLES] - mean;
        int is = beyond > CLEAR ? 1 : beyond < -CLEAR ? -1 : was;
        if (i >= ANGLES && was < 0 && is > 0) folds++;
        was = is;
    }
    return folds;
}

static WeftResult measure_shadow(const WeftMesh* mesh, Drape* drape) {
    Shadow shadow = {0};
    double covered = 0, flat = 0, support = PI * drape_support * drape_support;
    bool good = cast_shadow(drape, &shadow);
    for (int y = 0; y < SHADOW && good; y++)
        for (int x = 0; x < SHADOW; x++) covered += is_covered(&shadow, x, y);
    covered *= pixel_size() * pixel_size();
    for (int t = 0; t < mesh->triangle_count; t++) flat += flat_area(mesh, t);
    drape->coefficient = (covered - support) / (flat - support);
    if (good) drape->folds = count_folds(&shadow);
    free_shadow(&shadow);
    return good ? WEFT_OK : WEFT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------

static const double MOST_TIME = 20;  // s

static WeftResult hang(const WeftModelDef* def, void (*tick)(void*, double), void* context,
                       Drape* drape, WeftError* error) {
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftResult result = weft_create_model(def, &model, error);
    if (!result) result = weft_create_state(model, &state, error);
    if (!result) {
        drape->settled = settle(model, state, &def->step, MOST_TIME, tick, context, error);
        drape->time = weft_time(state);
        result = error->result;
    }
    if (!result) result = keep_shape(model, state, drape);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return result;
}

// Triangles cannot bend in two directions at once, and a disc of light cloth locks: with edges of
// 10 mm ripstop covered 89 instead of 80 %, charmeuse 54 instead of 47. So membranes carry no more
// than a strip as wide as a row of triangles, clamped at both sides (Euler): what is pressed harder
// would fold between the vertices. Fabrics with tables, which are soft where they are hardly
// strained, do not lock.
static void let_fold(double edge, WeftClothDef* cloth) {
    static const double least = 1e-9;  // N/m; 0 would be no choice
    double width = sqrt(3) / 2 * edge, load = 4 * PI * PI * cloth->fabric.bend / (width * width);
    if (cloth->stretch != WEFT_STRETCH_BIQUADRATIC) return;
    cloth->fabric.compression = 0;
    cloth->fabric.compression_load = fmax(load, least);
}

static WeftResult drape_disc(const Sample* sample, double edge, double turn,
                             void (*tick)(void*, double), void* context, Drape* drape,
                             WeftError* error) {
    WeftMesh mesh = {0};
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftResult result = make_drape_disc(edge, turn, &mesh);
    weft_use_mesh(&cloth, &mesh);
    int* pins = result ? NULL : held_vertices(&mesh, &cloth.pin_count);
    cloth.pins = pins;
    dress_cloth(sample, &cloth);
    if (!gives_by_itself(sample)) let_fold(edge, &cloth);
    use_sample(sample, &def.step);
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.contact = WEFT_CONTACT_ALL;
    def.jobs.thread_count = 1;
    result = pins ? hang(&def, tick, context, drape, error) : WEFT_ERROR_MEMORY;
    if (!result) result = measure_shadow(&mesh, drape);
    if (result == WEFT_ERROR_MEMORY && !error->message[0])
        *error = (WeftError){WEFT_ERROR_MEMORY, "out of memory"};
    free(pins);
    weft_destroy_mesh(&mesh);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Several discs, as laboratories take: which folds a disc falls into is left to chance, and moves
// the coefficient of light cloth by some of a hundred. Their meshes lie differently on the fabric.

enum { DISCS = 3 };

typedef struct Disc {
    const Sample* sample;
    double edge, turn;
    void (*tick)(void*, double);
    void* context;
    Drape drape;
    WeftError error;
    pthread_t thread;
    bool beside;  // a thread of its own
} Disc;

static void* run_disc(void* context) {
    Disc* d = context;
    drape_disc(d->sample, d->edge, d->turn, d->tick, d->context, &d->drape, &d->error);
    return NULL;
}

// The disc that is nearest to the mean stands for all.
static void take_mean(Disc* discs, Drape* drape) {
    double mean = 0, low = HUGE_VAL, high = -HUGE_VAL;
    bool settled = true;
    int nearest = 0;
    for (int i = 0; i < DISCS; i++) {
        double coefficient = discs[i].drape.coefficient;
        mean += coefficient / DISCS;
        low = fmin(low, coefficient), high = fmax(high, coefficient);
        settled = settled && discs[i].drape.settled;
    }
    for (int i = 1; i < DISCS; i++)
        if (fabs(discs[i].drape.coefficient - mean) < fabs(discs[nearest].drape.coefficient - mean))
            nearest = i;
    *drape = discs[nearest].drape;
    discs[nearest].drape = (Drape){0};
    drape->coefficient = mean;
    drape->spread = high - low;
    drape->settled = settled;
}

WeftResult simulate_drape(const Sample* sample, double edge, void (*tick)(void*, double),
                          void* context, Drape* drape, WeftError* error) {
    Disc discs[DISCS];
    *drape = (Drape){0};
    *error = (WeftError){0};
    for (int i = 0; i < DISCS; i++) {
        discs[i] = (Disc){.sample = sample, .edge = edge, .turn = i * PI / 9};
        discs[i].beside = i > 0 && !pthread_create(&discs[i].thread, NULL, run_disc, &discs[i]);
    }
    discs[0].tick = tick;
    discs[0].context = context;
    for (int i = 0; i < DISCS; i++) {
        if (discs[i].beside)
            pthread_join(discs[i].thread, NULL);
        else
            run_disc(&discs[i]);
        if (discs[i].error.result && !error->result) *error = discs[i].error;
    }
    if (!error->result) take_mean(discs, drape);
    for (int i = 0; i < DISCS; i++) destroy_drape(&discs[i].drape);
    return error->result;
}

void destroy_drape(Drape* drape) {
    free(drape->positions);
    free(drape->triangles);
    *drape = (Drape){0};
}
