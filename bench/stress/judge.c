// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "judge.h"

#include <stdlib.h>

#include "shape.h"
#include "turn.h"

static const double BARELY = 1e-7;   // m: what is less deep inside touches
static const double STACKED = 1e-9;  // m: pins that are nearer have no sides

void create_judge(StressJudge* judge, const StressScene* scene, const WeftModel* model) {
    *judge = (StressJudge){.scene = scene, .model = model};
    for (int b = 0; b < scene->def.body_count; b++)
        judge->shapes[b] =
            stress_memory(3 * (size_t)weft_body_vertex_count(model, b), sizeof(double));
}

void destroy_judge(StressJudge* judge) {
    for (int b = 0; b < MOST_BODIES; b++) free(judge->shapes[b]);
}

// ---------------------------------------------------------------------------------------------
// Crossings

static WeftSurface body_surface(const StressJudge* judge, int body) {
    return (WeftSurface){weft_body_vertex_count(judge->model, body), judge->shapes[body],
                         weft_body_triangle_count(judge->model, body),
                         weft_body_triangles(judge->model, body), true};
}

static int count_pairs(const WeftSurface* surfaces, int count) {
    int pairs = 0;
    WeftError error;
    return weft_find_crossings(surfaces, count, NULL, 0, NULL, &pairs, &error) ? -1 : pairs;
}

static int count_crossings(StressJudge* judge, const WeftState* state) {
    WeftSurface surfaces[1 + MOST_BODIES] = {
        {weft_vertex_count(judge->model), weft_positions(state), weft_triangle_count(judge->model),
         weft_triangles(judge->model), false}};
    bool all = judge->scene->def.contact == WEFT_CONTACT_ALL;
    int count = 1, sum = 0;
    for (int b = 0; b < judge->scene->def.body_count; b++) {
        // fields are touched at vertices and middles: what is sharper cuts in between
        WeftBodyKind kind = judge->scene->body_defs[b].kind;
        if (kind == WEFT_BODY_PLANE || kind == WEFT_BODY_DISTANCE) continue;
        surfaces[count] = body_surface(judge, b);
        if (!all) {  // the cloth takes the part of the body, which is not held against itself
            WeftSurface pair[2] = {surfaces[0], surfaces[count]};
            pair[0].body = true;
            pair[1].body = false;
            int found = count_pairs(pair, 2);
            if (found < 0) return -1;
            sum += found;
        }
        count++;
    }
    return all ? count_pairs(surfaces, count) : sum;
}

// ---------------------------------------------------------------------------------------------
// Insides

// The solid angle of a triangle seen from a point, over 4 pi.
static double seen_part(const double* point, const double* shape, const int* triangle) {
    double e[3][3], length[3];
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) e[c][k] = shape[3 * (size_t)triangle[c] + k] - point[k];
        length[c] = sqrt(e[c][0] * e[c][0] + e[c][1] * e[c][1] + e[c][2] * e[c][2]);
    }
    double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                    e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                    e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    double sum = length[0] * length[1] * length[2];
    for (int c = 0; c < 3; c++) {
        const double *a = e[c], *b = e[(c + 1) % 3];
        sum += (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * length[(c + 2) % 3];
    }
    return 2 * atan2(volume, sum) / 12.566370614359172;
}

static bool is_inside_mesh(const StressJudge* judge, int body, const double* point) {
    WeftSurface surface = body_surface(judge, body);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3 * surface.vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], surface.positions[i]);
        high[i % 3] = fmax(high[i % 3], surface.positions[i]);
    }
    for (int k = 0; k < 3; k++)
        if (!(point[k] > low[k] && point[k] < high[k])) return false;
    double winding = 0;
    for (int t = 0; t < surface.triangle_count; t++)
        winding += seen_part(point, surface.positions, surface.triangles + 3 * (size_t)t);
    return winding > 0.5;
}

// How deep a point in the frame of a body lies inside, by formula; negative outside.
static double depth_in(const WeftBodyDef* def, const double* local) {
    double rest[3] = {local[0], local[1], local[2]}, half = 0.5 * def->length;
    switch (def->kind) {
        case WEFT_BODY_PLANE:
            return -local[1];
        case WEFT_BODY_TAPERED:
            return tapered_depth(def, local);
        case WEFT_BODY_DISTANCE:
            return field_depth(def, local);
        case WEFT_BODY_BOX:
            for (int k = 0; k < 3; k++) rest[k] = 0.5 * def->size[k] - fabs(local[k]);
            return fmin(rest[0], fmin(rest[1], rest[2]));
        case WEFT_BODY_CAPSULE:
            rest[1] -= fmax(-half, fmin(half, local[1]));
            break;
        default:;
    }
    return def->radius - sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]);
}

static void find_inside(StressJudge* judge, const WeftState* state, int body, Passed* passed) {
    const WeftBodyDef* def = &judge->scene->body_defs[body];
    const StressBody* frame = &judge->scene->bodies[body];
    bool mesh = def->kind == WEFT_BODY_MESH || def->kind == WEFT_BODY_HULL;
    if (!frame->closed) return;
    for (int i = 0; i < weft_vertex_count(judge->model); i++) {
        const double* p = weft_positions(state) + 3 * (size_t)i;
        double local[3] = {p[0] - frame->position[0], p[1] - frame->position[1],
                           p[2] - frame->position[2]};
        turn_back(frame->rotation, local, local);
        double depth = mesh ? 0 : depth_in(def, local);
        if (mesh ? !is_inside_mesh(judge, body, p) : depth <= BARELY) continue;
        bool pinned = weft_is_pinned(state, i);
        passed->pinned += pinned;
        passed->inside[body] += !pinned;
        if (!pinned) passed->depth = fmax(passed->depth, depth);
    }
}

// ---------------------------------------------------------------------------------------------
// Pins that lie on each other

// Two pins that an edge joins, or one pin twice.
typedef struct Held {
    int ends[2];
} Held;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double unit_part(double x) { return x > 0 ? fmin(x, 1) : 0; }

// The distance between two segments, of which either may have no length.
static double distance_between(const double* x, const Held* a, const Held* b) {
    double u[3], v[3], r[3], apart[3];
    for (int k = 0; k < 3; k++) {
        u[k] = x[3 * a->ends[1] + k] - x[3 * a->ends[0] + k];
        v[k] = x[3 * b->ends[1] + k] - x[3 * b->ends[0] + k];
        r[k] = x[3 * a->ends[0] + k] - x[3 * b->ends[0] + k];
    }
    double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
    double square = uu * vv - uv * uv, s = square > 0 ? unit_part((uv * vr - ur * vv) / square) : 0;
    double t = vv > 0 ? unit_part((uv * s + vr) / vv) : 0;
    s = uu > 0 ? unit_part((uv * t - ur) / uu) : 0;
    for (int k = 0; k < 3; k++) apart[k] = r[k] + s * u[k] - t * v[k];
    return sqrt(dot(apart, apart));
}

static bool share_an_end(const Held* a, const Held* b) {
    return a->ends[0] == b->ends[0] || a->ends[0] == b->ends[1] || a->ends[1] == b->ends[0] ||
           a->ends[1] == b->ends[1];
}

static int list_held(const StressJudge* judge, const WeftState* state, Held* held, int room) {
    const int* corners = weft_triangles(judge->model);
    int count = 0;
    for (int i = 0; i < weft_vertex_count(judge->model) && count < room; i++)
        if (weft_is_pinned(state, i)) held[count++] = (Held){{i, i}};
    for (int k = 0; k < 3 * weft_triangle_count(judge->model) && count < room; k++) {
        int next = k % 3 == 2 ? k - 2 : k + 1;
        if (weft_is_pinned(state, corners[k]) && weft_is_pinned(state, corners[next]))
            held[count++] = (Held){{corners[k], corners[next]}};
    }
    return count;
}

static bool are_stacked(const StressJudge* judge, const WeftState* state) {
    Held held[256];
    if (judge->scene->def.contact != WEFT_CONTACT_ALL) return false;
    int count = list_held(judge, state, held, 256);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            if (!share_an_end(&held[a], &held[b]) &&
                distance_between(weft_positions(state), &held[a], &held[b]) < STACKED)
                return true;
    return false;
}

// ---------------------------------------------------------------------------------------------

Passed find_passed(StressJudge* judge, const WeftState* state) {
    Passed passed = {0};
    for (int b = 0; b < judge->scene->def.body_count; b++)
        weft_copy_body(state, b, judge->shapes[b]);
    passed.all = passed.crossings = count_crossings(judge, state);
    for (int b = 0; b < judge->scene->def.body_count && passed.all >= 0; b++) {
        find_inside(judge, state, b, &passed);
        passed.all += passed.inside[b];
    }
    passed.stacked = are_stacked(judge, state);
    return passed;
}

// ---------------------------------------------------------------------------------------------
// Numbers

bool is_finite(const WeftModel* model, const WeftState* state) {
    const WeftStepReport* report = weft_report(state);
    const double *x = weft_positions(state), *v = weft_velocities(state);
    bool good = isfinite(report->residual) && isfinite(report->penetration) &&
                isfinite(report->stiffness_number) && isfinite(report->stiffness_scale) &&
                isfinite(weft_time(state));
    for (int i = 0; i < 3 * weft_vertex_count(model) && good; i++)
        good = isfinite(x[i]) && isfinite(v[i]);
    return good;
}
