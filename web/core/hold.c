// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The springs are attachments at vertices within a finger's width of the one that was meant,
// measured along the cloth, and one at the very place, inside of its triangle. Where the mesh is
// fine, not every vertex has one: they keep a distance from each other. Their stiffnesses fall off
// towards the rim, and sum up to one number, and so do the forces at which they give. Hence the
// hand is the same on every mesh.
//
// It pulls with no more than
//
//     F = 2 pi R Y e     what stretches the fabric by e around a finger of radius R, Y N/m its
//                        stiffness as it is simulated, and
//     W times what the cloth weighs, which is more than it takes to lift and to swing it.
//
// A hand that is further away than F bears pulls on with F: cloth that is caught follows as it can.

#include "hold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FINGER = 0.035;      // m, R
static const double FINGER_PART = 0.1;   // of the scene: no finger is wider
static const double SPACING = 0.3;       // of R: springs are no nearer to each other
static const double STRAIN = 0.08;       // e
static const double WEIGHTS = 4;         // W
static const double LEAST_FORCE = 0.05;  // N
static const double GIVE = 0.01;         // m: how far the hand is ahead where it pulls with F
static const double DAMPING = 0.01;      // s, times the stiffness

void begin_hold(Hold* hold) {
    hold->pin = -1;
    hold->count = 0;
}

bool is_holding(const Hold* hold) { return hold->pin >= 0 || hold->count > 0; }

void let_go(WeftState* state, Hold* hold) {
    for (int i = 0; i < hold->count; i++)
        if (weft_is_attached(state, hold->springs[i])) weft_detach(state, hold->springs[i]);
    begin_hold(hold);
}

// ---------------------------------------------------------------------------------------------
// The point that is meant

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double d[3]) {
    for (int k = 0; k < 3; k++) d[k] = a[k] - b[k];
}

static double distance(const double a[3], const double b[3]) {
    double d[3];
    subtract(a, b, d);
    return sqrt(dot(d, d));
}

// Weights of the point of a triangle nearest to p, near enough: those beyond a side are clamped.
static double weigh(const double* a, const double* b, const double* c, const double p[3],
                    double weights[3]) {
    double u[3], v[3], r[3], at[3];
    subtract(b, a, u);
    subtract(c, a, v);
    subtract(p, a, r);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), ru = dot(r, u), rv = dot(r, v);
    double det = uu * vv - uv * uv;
    double s = det > 0 ? fmax(0, (vv * ru - uv * rv) / det) : 0;
    double t = det > 0 ? fmax(0, (uu * rv - uv * ru) / det) : 0;
    double sum = fmax(1, s + t);
    weights[1] = s / sum, weights[2] = t / sum, weights[0] = 1 - weights[1] - weights[2];
    for (int k = 0; k < 3; k++) at[k] = a[k] + weights[1] * u[k] + weights[2] * v[k];
    return distance(at, p);
}

bool find_corners(const WeftModel* model, const double* x, int vertex, const double place[3],
                  int corners[3], double weights[3]) {
    const int* triangles = weft_triangles(model);
    double least = HUGE_VAL;
    for (int t = 0; t < weft_triangle_count(model); t++) {
        const int* v = triangles + 3 * (size_t)t;
        if (v[0] != vertex && v[1] != vertex && v[2] != vertex) continue;
        double w[3],
            d = weigh(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], x + 3 * (size_t)v[2], place, w);
        if (!(d < least)) continue;
        least = d;
        memcpy(corners, v, 3 * sizeof *corners);
        memcpy(weights, w, sizeof w);
    }
    return least < HUGE_VAL;
}

// ---------------------------------------------------------------------------------------------
// What the fabric bears

static int cloth_of(const WeftModel* model, int vertex) {
    int c = 0;
    while (vertex >= weft_first_vertex(model, c + 1)) c++;
    return c;
}

// N; `radius` of the finger.
static double strongest_pull(const WeftScene* scene, const WeftState* state, int cloth,
                             double radius) {
    const WeftModel* model = weft_state_model(state);
    const WeftFabric* fabric = &scene->model.cloths[cloth].fabric;
    double warp = weft_fabric_stiffness(fabric, 0, 0.02);
    double weft = weft_fabric_stiffness(fabric, 90, 0.02), mass = 0;
    double scale = weft_report(state)->stiffness_scale;
    double stiffness = sqrt(warp * weft) * (scale > 0 ? scale : 1);
    for (int i = weft_first_vertex(model, cloth); i < weft_first_vertex(model, cloth + 1); i++)
        mass += weft_masses(model)[i];
    double stretched = 2 * 3.14159265358979 * radius * STRAIN * stiffness;
    return fmax(LEAST_FORCE, fmin(stretched, WEIGHTS * 9.81 * mass));
}

// ---------------------------------------------------------------------------------------------
// The patch that is held

typedef struct Patch {
    const WeftModel* model;
    const double* x;
    double radius;
    double* far;  // per vertex: how far it is from the middle along edges; at most radius, or
                  // HUGE_VAL
    int count;
    WeftAttachmentDef defs[HOLD_MOST];
    double places[HOLD_MOST][3], shares[HOLD_MOST];
    double total;
} Patch;

// As many rounds as there are edges on the way from the middle to the rim.
static void find_distances(Patch* patch, const int corners[3], const double place[3]) {
    const int* edges = weft_edges(patch->model);
    bool changed = true;
    for (int i = 0; i < weft_vertex_count(patch->model); i++) patch->far[i] = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        int v = corners[k];
        if (v < 0) continue;
        double d = distance(patch->x + 3 * (size_t)v, place);
        if (d <= patch->radius) patch->far[v] = d;
    }
    while (changed) {
        changed = false;
        for (int e = 0; e < weft_edge_count(patch->model); e++) {
            int a = edges[2 * (size_t)e], b = edges[2 * (size_t)e + 1];
            double *fa = patch->far + a, *fb = patch->far + b;
            if (*fa == HUGE_VAL && *fb == HUGE_VAL) continue;
            double d = distance(patch->x + 3 * (size_t)a, patch->x + 3 * (size_t)b);
            if (*fa + d < *fb && *fa + d <= patch->radius) *fb = *fa + d, changed = true;
            if (*fb + d < *fa && *fb + d <= patch->radius) *fa = *fb + d, changed = true;
        }
    }
}

static void add_point(Patch* patch, const WeftAttachmentDef* def, const double place[3],
                      double far) {
    double r = far / patch->radius, share = (1 - r * r) * (1 - r * r) + 1e-3;
    patch->defs[patch->count] = *def;
    memcpy(patch->places[patch->count], place, 3 * sizeof *place);
    patch->shares[patch->count++] = share;
    patch->total += share;
}

static bool is_apart(const Patch* patch, const double place[3]) {
    for (int i = 0; i < patch->count; i++)
        if (distance(patch->places[i], place) < SPACING * patch->radius) return false;
    return true;
}

static void add_vertices(Patch* patch, const WeftState* state) {
    for (int i = 0; i < weft_vertex_count(patch->model) && patch->count < HOLD_MOST; i++) {
        const double* x = patch->x + 3 * (size_t)i;
        if (patch->far[i] == HUGE_VAL || weft_is_pinned(state, i) || !is_apart(patch, x)) continue;
        WeftAttachmentDef def = weft_default_attachment_def();
        def.vertices[0] = i;
        add_point(patch, &def, x, patch->far[i]);
    }
}

static void add_middle(Patch* patch, const WeftState* state, const int corners[3],
                       const double weights[3]) {
    WeftAttachmentDef def = weft_default_attachment_def();
    double at[3] = {0, 0, 0};
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (corners[k] < 0 || weights[k] <= 0 || weft_is_pinned(state, corners[k])) continue;
        def.vertices[count] = corners[k], def.weights[count++] = weights[k];
        for (int d = 0; d < 3; d++) at[d] += weights[k] * patch->x[3 * (size_t)corners[k] + d];
    }
    if (count == 0) return;
    double sum = 0;
    for (int k = 0; k < count; k++) sum += def.weights[k];
    for (int k = 0; k < count; k++) def.weights[k] /= sum;
    for (int d = 0; d < 3; d++) at[d] /= sum;
    add_point(patch, &def, at, 0);
}

static void attach(Patch* patch, WeftState* state, double pull, Hold* hold) {
    for (int i = 0; i < patch->count; i++) {
        WeftAttachmentDef* def = &patch->defs[i];
        double share = patch->shares[i] / patch->total;
        def->most = pull * share;
        def->stiffness = def->most / GIVE;
        def->damping = DAMPING * def->stiffness;
        def->breaks = false;
        if (weft_attach(state, def, &hold->springs[hold->count], NULL)) continue;
        hold->defs[hold->count] = *def;
        subtract(patch->places[i], hold->place, hold->offsets[hold->count++]);
    }
}

void hold_cloth(const WeftScene* scene, WeftState* state, int vertex, const double place[3],
                double size, Hold* hold) {
    const WeftModel* model = weft_state_model(state);
    Patch patch = {.model = model, .x = weft_positions(state)};
    int corners[3] = {vertex, -1, -1};
    double weights[3] = {1, 0, 0};
    patch.radius = fmin(FINGER, FINGER_PART * size);
    patch.far = malloc((size_t)weft_vertex_count(model) * sizeof *patch.far);
    if (!patch.far) return;
    memcpy(hold->place, place, sizeof hold->place);
    memcpy(hold->goal, place, sizeof hold->goal);
    memcpy(hold->start, place, sizeof hold->start);
    find_corners(model, patch.x, vertex, place, corners, weights);
    find_distances(&patch, corners, place);
    add_middle(&patch, state, corners, weights);
    add_vertices(&patch, state);
    attach(&patch, state, strongest_pull(scene, state, cloth_of(model, vertex), patch.radius),
           hold);
    free(patch.far);
}

void hold_for_rival(const Hold* hold, const WeftState* state, Rival* rival) {
    XpbdPull pulls[HOLD_MOST];
    int count = 0;
    for (int i = 0; i < hold->count; i++) {
        const WeftAttachmentDef* def = &hold->defs[i];
        XpbdPull* pull = &pulls[count];
        if (!weft_is_attached(state, hold->springs[i])) continue;
        *pull = (XpbdPull){.stiffness = def->stiffness, .most = def->most};
        memcpy(pull->vertices, def->vertices, sizeof pull->vertices);
        memcpy(pull->weights, def->weights, sizeof pull->weights);
        for (int k = 0; k < 3; k++) pull->place[k] = hold->place[k] + hold->offsets[i][k];
        count++;
    }
    pull_rival(rival, count, pulls);
}
