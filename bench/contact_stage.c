// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "contact_stage.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "weft/weft_study.h"

enum { PATH_SIZE = 4096 };

// ---------------------------------------------------------------------------------------------
// Scenes

// WEFT_SCENES, or the folder of the sources that this program was built in, or of this place.
static void scene_path(const char* name, char path[PATH_SIZE]) {
    char own[PATH_SIZE];
    const char* folder = getenv("WEFT_SCENES");
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = 0;
    char* slash = strrchr(own, '/');
    if (slash) *slash = 0;
    if (folder)
        snprintf(path, PATH_SIZE, "%.2000s/%s.json", folder, name);
    else
        snprintf(path, PATH_SIZE, "%.2000s/../../../scenes/%s.json", own, name);
    if (!folder && access(path, R_OK) != 0) snprintf(path, PATH_SIZE, "scenes/%s.json", name);
}

static void scale_count(json_t* mesh, const char* key, double scale) {
    json_t* value = json_object_get(mesh, key);
    if (!value) return;
    long long count = llround(scale * json_number_value(value));
    json_object_set_new(mesh, key, json_integer(count > 1 ? count : 1));
}

// Explicit steps know no estimators, and with damping they are so short that it takes hours.
static void make_explicit(json_t* cloth) {
    json_t* fabric = json_object_get(cloth, "fabric");
    json_object_del(cloth, "estimator");
    json_object_del(fabric, "stretch_damping");
    json_object_del(fabric, "bend_damping");
}

static void change_cloths(json_t* root, double density, bool explicit) {
    double scale = sqrt(density);
    size_t i;
    json_t* cloth;
    json_array_foreach(json_object_get(root, "cloths"), i, cloth) {
        if (explicit) make_explicit(cloth);
        json_t* mesh = json_object_get(cloth, "mesh");
        scale_count(mesh, "columns", scale);
        scale_count(mesh, "rows", scale);
        json_t* edge = json_object_get(mesh, "edge");
        if (edge) json_object_set_new(mesh, "edge", json_real(json_number_value(edge) / scale));
    }
}

char* read_contact_scene(const char* name, double density, bool explicit) {
    char path[PATH_SIZE];
    json_error_t error;
    scene_path(name, path);
    json_t* root = json_load_file(path, 0, &error);
    if (!root) {
        complain(EXIT_FAILED, "%s: %s; WEFT_SCENES names the folder", path, error.text);
        return NULL;
    }
    change_cloths(root, density, explicit);
    char* text = json_dumps(root, 0);
    json_decref(root);
    if (!text) complain(EXIT_FAILED, "out of memory");
    return text;
}

// ---------------------------------------------------------------------------------------------
// Where bodies are

static void subtract(const double* a, const double* b, double* difference) {
    for (int k = 0; k < 3; k++) difference[k] = a[k] - b[k];
}

static double dot(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double* a, const double* b, double* product) {
    for (int k = 0; k < 3; k++)
        product[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void normalise(double* vector) {
    double length = sqrt(dot(vector, vector));
    for (int k = 0; k < 3; k++) vector[k] /= length;
}

// Axes at a right angle from three points: towards the second, across the plane of all, and the
// third.
static void span_axes(const double* a, const double* b, const double* c, double axes[3][3]) {
    double to_c[3];
    subtract(b, a, axes[0]);
    subtract(c, a, to_c);
    cross(axes[0], to_c, axes[1]);
    normalise(axes[0]);
    normalise(axes[1]);
    cross(axes[0], axes[1], axes[2]);
}

// A point seen from a frame: rotation is a unit quaternion x y z w.
static void enter_frame(const double* position, const double* rotation, const double* point,
                        double* local) {
    double offset[3], turn[3], again[3];
    double q[3] = {-rotation[0], -rotation[1], -rotation[2]};
    subtract(point, position, offset);
    cross(q, offset, turn);
    cross(q, turn, again);
    for (int k = 0; k < 3; k++) local[k] = offset[k] + 2 * (rotation[3] * turn[k] + again[k]);
}

// The first vertex, the one farthest from it, and the one that makes the largest triangle.
static void choose_marks(const double* shape, int count, int vertices[3]) {
    double best = 0, edge[3], other[3], normal[3];
    vertices[0] = vertices[1] = vertices[2] = 0;
    for (int i = 0; i < count; i++) {
        subtract(shape + 3 * (size_t)i, shape, edge);
        if (dot(edge, edge) > best) best = dot(edge, edge), vertices[1] = i;
    }
    subtract(shape + 3 * (size_t)vertices[1], shape, edge);
    best = 0;
    for (int i = 0; i < count; i++) {
        subtract(shape + 3 * (size_t)i, shape, other);
        cross(edge, other, normal);
        if (dot(normal, normal) > best) best = dot(normal, normal), vertices[2] = i;
    }
}

// At the start, where the frame of the body is as its def says.
static void mark_body(const WeftBodyDef* def, const double* shape, int count, BodyMark* mark) {
    double local[3][3];
    choose_marks(shape, count, mark->vertices);
    for (int i = 0; i < 3; i++)
        enter_frame(def->position, def->rotation, shape + 3 * (size_t)mark->vertices[i], local[i]);
    memcpy(mark->origin, local[0], sizeof mark->origin);
    span_axes(local[0], local[1], local[2], mark->axes);
}

// A point in space, as the body sees it now.
typedef struct View {
    const BodyMark* mark;
    const double* origin;
    double axes[3][3];
} View;

static View view_of(const BodyMark* mark, const double* shape) {
    View view = {.mark = mark, .origin = shape + 3 * (size_t)mark->vertices[0]};
    span_axes(view.origin, shape + 3 * (size_t)mark->vertices[1],
              shape + 3 * (size_t)mark->vertices[2], view.axes);
    return view;
}

static void see(const View* view, const double* point, double* local) {
    double offset[3];
    subtract(point, view->origin, offset);
    memcpy(local, view->mark->origin, 3 * sizeof *local);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) local[k] += dot(view->axes[i], offset) * view->mark->axes[i][k];
}

// How deep a point lies inside, by formula; negative outside.
static double depth_in(const WeftBodyDef* def, const double* local) {
    double half, rest[3] = {local[0], local[1], local[2]};
    switch (def->kind) {
        case WEFT_BODY_PLANE:
            return -local[1];
        case WEFT_BODY_CAPSULE:
            half = 0.5 * def->length;
            rest[1] -= fmax(-half, fmin(half, local[1]));
            return def->radius - sqrt(dot(rest, rest));
        case WEFT_BODY_SPHERE:
            return def->radius - sqrt(dot(local, local));
        case WEFT_BODY_BOX:
            for (int k = 0; k < 3; k++) rest[k] = 0.5 * def->size[k] - fabs(local[k]);
            return fmin(rest[0], fmin(rest[1], rest[2]));
        default:
            return -HUGE_VAL;
    }
}

// ---------------------------------------------------------------------------------------------
// The stage

static void make_surfaces(ContactStage* stage) {
    const WeftModelDef* def = &stage->scene->model;
    size_t count = (size_t)def->body_count;
    stage->shapes = need(count + 1, sizeof *stage->shapes);
    stage->marks = need(count + 1, sizeof *stage->marks);
    stage->surfaces = need(count + 1, sizeof *stage->surfaces);
    stage->surfaces[stage->surface_count++] = (WeftSurface){
        .vertex_count = weft_vertex_count(stage->model),
        .triangle_count = weft_triangle_count(stage->model),
        .triangles = weft_triangles(stage->model),
    };
    for (int b = 0; b < def->body_count; b++) {
        int vertex_count = weft_body_vertex_count(stage->model, b);
        stage->shapes[b] = need(3 * (size_t)vertex_count, sizeof(double));
        weft_copy_body(stage->state, b, stage->shapes[b]);
        mark_body(&def->bodies[b], stage->shapes[b], vertex_count, &stage->marks[b]);
        if (def->bodies[b].kind == WEFT_BODY_PLANE) continue;
        stage->surfaces[stage->surface_count++] =
            (WeftSurface){vertex_count, stage->shapes[b], weft_body_triangle_count(stage->model, b),
                          weft_body_triangles(stage->model, b), true};
    }
}

// Another method than the scene's: what the scene sets for its own is left to it.
static void use_method(WeftStepDef* step, WeftMethod method) {
    if (step->method == method) return;
    step->method = method;
    step->order = step->substeps = 0;
    step->scheme = WEFT_SCHEME_AUTO;
    memset(step->iterations, 0, sizeof step->iterations);
}

int open_contact_stage(const char* name, const char* text, int method, ContactStage* stage) {
    WeftError error;
    *stage = (ContactStage){0};
    if (weft_parse_scene(text, strlen(text), name, NULL, NULL, NULL, &stage->scene, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    WeftModelDef* def = &stage->scene->model;
    if (method >= 0) use_method(&def->step, (WeftMethod)method);
    def->jobs.thread_count = 1;
    def->clock.now = thread_time;
    if (ready_contact_stage(stage, &error))
        return complain(EXIT_FAILED, "%s: %s", name, error.message);
    return EXIT_GOOD;
}

WeftResult ready_contact_stage(ContactStage* stage, WeftError* error) {
    const WeftModelDef* def = &stage->scene->model;
    WeftResult result = weft_create_model(def, &stage->model, error);
    if (!result) result = weft_create_state(stage->model, &stage->state, error);
    if (result) return result;
    stage->step = def->step;
    make_surfaces(stage);
    return WEFT_OK;
}

void clear_contact_stage(ContactStage* stage) {
    int body_count = stage->shapes ? stage->scene->model.body_count : 0;
    for (int b = 0; b < body_count; b++) free(stage->shapes[b]);
    free(stage->shapes);
    free(stage->marks);
    free(stage->surfaces);
    weft_destroy_state(stage->state);
    weft_destroy_model(stage->model);
    *stage = (ContactStage){.scene = stage->scene};
}

void close_contact_stage(ContactStage* stage) {
    clear_contact_stage(stage);
    weft_destroy_scene(stage->scene);
}

int reset_contact_stage(ContactStage* stage) {
    WeftError error;
    weft_destroy_state(stage->state);
    stage->state = NULL;
    stage->step = stage->scene->model.step;
    return weft_create_state(stage->model, &stage->state, &error)
               ? complain(EXIT_FAILED, "%s", error.message)
               : EXIT_GOOD;
}

WeftResult take_contact_step(ContactStage* stage) {
    weft_direct_scene(stage->scene, stage->state, &stage->step);
    return weft_step(stage->state, &stage->step);
}

// ---------------------------------------------------------------------------------------------
// The judge

static void judge_body(const ContactStage* stage, int body, Passed* passed) {
    const WeftBodyDef* def = &stage->scene->model.bodies[body];
    if (def->kind == WEFT_BODY_MESH) return;
    View view = view_of(&stage->marks[body], stage->shapes[body]);
    for (int i = 0; i < weft_vertex_count(stage->model); i++) {
        double local[3];
        see(&view, weft_positions(stage->state) + 3 * (size_t)i, local);
        double depth = depth_in(def, local);
        passed->depth = fmax(passed->depth, depth);
        if (def->kind == WEFT_BODY_PLANE) passed->below += depth > 0;
    }
}

int judge_contact(ContactStage* stage, Passed* passed) {
    WeftError error;
    *passed = (Passed){0};
    stage->surfaces[0].positions = weft_positions(stage->state);
    for (int b = 0; b < stage->scene->model.body_count; b++) {
        weft_copy_body(stage->state, b, stage->shapes[b]);
        judge_body(stage, b, passed);
    }
    if (weft_find_crossings(stage->surfaces, stage->surface_count, NULL, 0, NULL,
                            &passed->crossings, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

double rms_speed(const ContactStage* stage) {
    const double* velocities = weft_velocities(stage->state);
    size_t count = 3 * (size_t)weft_vertex_count(stage->model);
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += velocities[i] * velocities[i];
    return sqrt(3 * sum / (double)count);
}
