// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How symmetric a scene is: cloths where they start, pins and bodies at some moments from the start
// to the end, gravity and wind. Surfaces are measured, not vertices: a body from a scanner has no
// vertex at the image of another.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/plane.h"
#include "garment/frame.h"
#include "io/scene_parts.h"

enum { MOMENTS = 16 };        // at which pins and bodies are looked at, beside the start
enum { MOST_POINTS = 2000 };  // of pins that are compared with all others

typedef struct Judge {
    const WeftScene* scene;
    const WeftAllocator* allocator;
    const WeftPlane* plane;
    WfPlane mirror;
    double time;
    WeftSceneSymmetry* symmetry;
    WeftError* error;
} Judge;

// ---------------------------------------------------------------------------------------------
// Points and surfaces

// From the image of each point to the nearest point, at most.
static double points_off(const WfPlane* mirror, const double* points, int count, int* worst) {
    double most = 0;
    int stride = count / MOST_POINTS + 1;
    for (int i = 0; i < count; i += stride) {
        WfVec image = wf_plane_image(mirror, wf_load(points, i));
        double least = HUGE_VAL;
        for (int j = 0; j < count; j++) {
            WfVec apart = wf_sub(wf_load(points, j), image);
            least = fmin(least, wf_dot(apart, apart));
        }
        if (least > most) *worst = i;
        most = fmax(most, least);
    }
    return sqrt(most);
}

WeftResult wf_mesh_asymmetry(const WeftAllocator* allocator, const WeftMesh* mesh,
                             const WeftPlane* plane, double* off, WeftError* error) {
    WfPlane mirror;
    int worst = 0;
    wf_make_plane(plane, &mirror);
    if (mesh->triangle_count == 0) {
        *off = points_off(&mirror, mesh->positions, mesh->vertex_count, &worst);
        return WEFT_OK;
    }
    WeftFigure figure = {.vertex_count = mesh->vertex_count,
                         .positions = mesh->positions,
                         .triangle_count = mesh->triangle_count,
                         .triangles = mesh->triangles,
                         .allocator = *allocator};
    WeftFigureSymmetry symmetry;
    WeftResult result = weft_measure_symmetry(&figure, -1, 0, plane, &symmetry, error);
    *off = result ? 0 : symmetry.deviation;
    return result;
}

// Keep the worst, and what it is.
static void note(Judge* judge, double* worst, double off, const char* what) {
    double largest =
        fmax(judge->symmetry->cloth, fmax(judge->symmetry->pins, judge->symmetry->bodies));
    if (off > *worst) *worst = off;
    if (!(off > largest) || off < 1e-9) return;
    judge->symmetry->time = judge->time;
    snprintf(judge->symmetry->culprit, sizeof judge->symmetry->culprit, "%s", what);
}

// ---------------------------------------------------------------------------------------------
// Cloths

// What has images, and is not what they are.
static void judge_images(Judge* judge, int c, const WeftSymmetry* s) {
    static const double MOST = 0.01;  // of an edge
    const char* what = s->rest_deviation > MOST || s->grain_deviation > MOST ? "a flat shape"
                       : s->springs > 0                                      ? "springs"
                       : s->threads > 0                                      ? "threads"
                       : s->fabrics > 0                                      ? "fabrics"
                       : s->scale_deviation > 1e-6 ? "factors of stiffness or density"
                                                   : NULL;
    if (!what || s->unpaired > 0) return;
    judge->symmetry->unlike++;
    snprintf(judge->symmetry->culprit, sizeof judge->symmetry->culprit,
             "cloth %d has %s that are not those of its mirror image", c, what);
}

static WeftResult judge_cloths(Judge* judge) {
    const WeftScene* scene = judge->scene;
    WeftResult result = WEFT_OK;
    for (int c = 0; c < scene->model.cloth_count && !result; c++) {
        double off = 0;
        char what[200];
        WeftSymmetry images = {0};
        WeftClothDef cloth = scene->model.cloths[c];
        cloth.pin_count = 0;
        result = wf_mesh_asymmetry(judge->allocator, &scene->meshes[c], judge->plane, &off,
                                   judge->error);
        if (!result)
            result = weft_find_images(&cloth, judge->plane, 0, NULL, &images, judge->error);
        judge->symmetry->unpaired += images.unpaired;
        if (!result) judge_images(judge, c, &images);
        snprintf(what, sizeof what, "cloth %d is off its mirror image by %.3g mm", c, 1e3 * off);
        if (!result) note(judge, &judge->symmetry->cloth, off, what);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Pins

// Where vertex `vertex` of the model starts.
static WfVec start_of(const WeftScene* scene, int vertex) {
    int c = 0;
    while (vertex >= scene->meshes[c].vertex_count) vertex -= scene->meshes[c++].vertex_count;
    return wf_load(scene->meshes[c].positions, vertex);
}

static bool holds_at(const WeftScenePin* pin, double time) {
    return pin->from <= time && time < pin->until;
}

// Where all pins are that hold now, as far as they are known: those of vertices that move before
// they are caught are not.
static void judge_pins(Judge* judge, double* points, int* vertices) {
    const WeftScene* scene = judge->scene;
    int count = 0, worst = 0;
    for (int i = 0; i < scene->pin_count; i++) {
        const WeftScenePin* pin = &scene->pins[i];
        if (!holds_at(pin, judge->time) || pin->from > 0) continue;
        WfVec x = start_of(scene, pin->vertex);
        vertices[count] = pin->vertex;
        wf_store(points, count++, wf_scene_go_along(scene, pin->motion, 0, judge->time, x));
    }
    if (count == 0) return;
    double off = points_off(&judge->mirror, points, count, &worst);
    char what[200];
    snprintf(what, sizeof what,
             "the pin of vertex %d has none at its mirror image, the next one is %.3g mm away, at "
             "%.2f s",
             vertices[worst], 1e3 * off, judge->time);
    note(judge, &judge->symmetry->pins, off, what);
}

// ---------------------------------------------------------------------------------------------
// Bodies: round ones and planes among themselves, boxes and meshes all together as one surface

static void name_body(const WeftScene* scene, int body, char text[64]) {
    const char* name = scene->bodies[body].name;
    if (name)
        snprintf(text, 64, "body \"%.48s\"", name);
    else
        snprintf(text, 64, "body %d", body);
}

static WfFrame frame_at(const Judge* judge, int body) {
    double position[3], rotation[4];
    wf_scene_body_frame(judge->scene, body, judge->time, position, rotation);
    return wf_frame_of(position, rotation);
}

// By how much a body is not the mirror image of another.
static double exact_off(const Judge* judge, int a, int b) {
    const WeftBodyDef *one = &judge->scene->model.bodies[a],
                      *other = &judge->scene->model.bodies[b];
    if (one->kind != other->kind) return HUGE_VAL;
    WfFrame from = frame_at(judge, a), to = frame_at(judge, b);
    WfVec up = {0, 1, 0};
    WfVec axis = wf_plane_reflect(&judge->mirror, wf_frame_turn(from, up));
    WfVec other_axis = wf_frame_turn(to, up), place = wf_plane_image(&judge->mirror, from.origin);
    WfVec apart = wf_sub(place, to.origin);
    if (one->kind == WEFT_BODY_PLANE)
        return wf_length(wf_sub(axis, other_axis)) + fabs(wf_dot(apart, other_axis));
    double off = wf_length(apart) + fabs(one->radius - other->radius);
    if (one->kind == WEFT_BODY_SPHERE) return off;
    double turned = fmin(wf_length(wf_sub(axis, other_axis)), wf_length(wf_add(axis, other_axis)));
    return off + fabs(one->length - other->length) / 2 + turned * one->length / 2;
}

static bool is_exact(const WeftBodyDef* body) {
    return body->kind != WEFT_BODY_BOX && body->kind != WEFT_BODY_MESH;
}

static void judge_exact(Judge* judge) {
    const WeftModelDef* def = &judge->scene->model;
    for (int a = 0; a < def->body_count; a++) {
        if (!is_exact(&def->bodies[a])) continue;
        double least = HUGE_VAL;
        for (int b = 0; b < def->body_count; b++)
            if (is_exact(&def->bodies[b])) least = fmin(least, exact_off(judge, a, b));
        char what[200], name[64];
        name_body(judge->scene, a, name);
        snprintf(what, sizeof what, "%s is off its mirror image by %.3g mm, at %.2f s", name,
                 1e3 * least, judge->time);
        note(judge, &judge->symmetry->bodies, least, what);
    }
}

static void count_surface(const WeftScene* scene, int* vertices, int* triangles) {
    *vertices = *triangles = 0;
    for (int b = 0; b < scene->model.body_count; b++) {
        bool box = scene->model.bodies[b].kind == WEFT_BODY_BOX;
        if (is_exact(&scene->model.bodies[b])) continue;
        *vertices += box ? 8 : scene->bodies[b].mesh.vertex_count;
        *triangles += box ? 12 : scene->bodies[b].mesh.triangle_count;
    }
}

// A box, in its own frame.
static void add_box(const WeftBodyDef* def, double* positions, int* triangles) {
    static const int faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                    {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            positions[3 * i + k] = (i >> (2 - k) & 1 ? 0.5 : -0.5) * def->size[k];
    for (int f = 0; f < 6; f++) {
        const int t[6] = {faces[f][0], faces[f][1], faces[f][2],
                          faces[f][0], faces[f][2], faces[f][3]};
        memcpy(triangles + 6 * (long)f, t, sizeof t);
    }
}

// All boxes and meshes where they are now.
static void fill_surface(const Judge* judge, WeftMesh* surface) {
    const WeftScene* scene = judge->scene;
    int vertices = 0, triangles = 0;
    for (int b = 0; b < scene->model.body_count; b++) {
        const WeftSceneBody* body = &scene->bodies[b];
        const WeftBodyDef* def = &scene->model.bodies[b];
        if (is_exact(def)) continue;
        bool box = def->kind == WEFT_BODY_BOX;
        int count = box ? 8 : body->mesh.vertex_count, faces = box ? 12 : body->mesh.triangle_count;
        double* x = surface->positions + 3 * (long)vertices;
        int* t = surface->triangles + 3 * (long)triangles;
        if (box)
            add_box(def, x, t);
        else
            memcpy(t, body->mesh.triangles, 3 * (size_t)faces * sizeof *t);
        if (!box && body->shape.key_count > 0)
            wf_sample_shape(&body->shape, count, judge->time, x);
        else if (!box)
            memcpy(x, body->mesh.positions, 3 * (size_t)count * sizeof *x);
        WfFrame frame = frame_at(judge, b);
        for (int i = 0; i < count; i++) wf_store(x, i, wf_frame_apply(frame, wf_load(x, i)));
        for (long k = 0; k < 3L * faces; k++) t[k] += vertices;
        vertices += count;
        triangles += faces;
    }
}

static WeftResult judge_surface(Judge* judge, WeftMesh* surface) {
    double off = 0;
    if (surface->triangle_count == 0) return WEFT_OK;
    fill_surface(judge, surface);
    WeftResult result =
        wf_mesh_asymmetry(judge->allocator, surface, judge->plane, &off, judge->error);
    char what[200];
    snprintf(what, sizeof what, "bodies are off their mirror image by %.3g mm, at %.2f s",
             1e3 * off, judge->time);
    if (!result) note(judge, &judge->symmetry->bodies, off, what);
    return result;
}

// ---------------------------------------------------------------------------------------------
// All of it

// What of a vector goes across; less than rounding is none.
static double across(const WfPlane* mirror, const double v[3]) {
    double part = fabs(wf_dot(mirror->normal, wf_load(v, 0)));
    return part > 1e-9 * wf_length(wf_load(v, 0)) ? part : 0;
}

static void judge_weather(Judge* judge) {
    const WeftScene* scene = judge->scene;
    WeftSceneSymmetry* s = judge->symmetry;
    double gravity = across(&judge->mirror, scene->model.step.gravity);
    double wind = across(&judge->mirror, scene->model.step.wind);
    for (int k = 0; k < scene->wind.key_count; k++)
        wind = fmax(wind, across(&judge->mirror, scene->wind.values + 3 * (long)k));
    double speed = 0;
    for (int c = 0; c < scene->model.cloth_count; c++)
        speed = fmax(speed, across(&judge->mirror, scene->model.cloths[c].velocity));
    s->across = fmax(gravity, fmax(wind, speed));
    // a body that starts to one side gives its cloth a velocity: that is off, whatever comes of it
    bool said = fmax(s->cloth, fmax(s->pins, s->bodies)) > scene->bound;
    if (s->across > 0 && !said)
        snprintf(s->culprit, sizeof s->culprit, "%s across the mirror",
                 gravity > 0 ? "gravity goes"
                 : wind > 0  ? "wind goes"
                             : "a cloth starts with a velocity");
}

WeftResult weft_measure_scene(const WeftScene* scene, const WeftPlane* plane,
                              WeftSceneSymmetry* symmetry, WeftError* error) {
    *symmetry = (WeftSceneSymmetry){0};
    Judge judge = {.scene = scene,
                   .allocator = &scene->allocator,
                   .plane = plane,
                   .symmetry = symmetry,
                   .error = error};
    if (!wf_make_plane(plane, &judge.mirror))
        return wf_fail(error, WEFT_ERROR_INPUT, "the plane has no normal");
    WeftMesh surface = {0};
    count_surface(scene, &surface.vertex_count, &surface.triangle_count);
    surface.positions = wf_alloc(judge.allocator, 3 * (size_t)surface.vertex_count, sizeof(double));
    surface.triangles = wf_alloc(judge.allocator, 3 * (size_t)surface.triangle_count, sizeof(int));
    double* points = wf_alloc(judge.allocator, 3 * (size_t)scene->pin_count, sizeof *points);
    int* vertices = wf_alloc(judge.allocator, (size_t)scene->pin_count, sizeof *vertices);
    WeftResult result = surface.positions && surface.triangles && points && vertices
                            ? judge_cloths(&judge)
                            : wf_fail_memory(error);
    for (int k = 0; k <= MOMENTS && !result; k++) {
        judge.time = scene->duration * k / MOMENTS;
        judge_pins(&judge, points, vertices);
        judge_exact(&judge);
        result = judge_surface(&judge, &surface);
    }
    if (!result) judge_weather(&judge);
    wf_free(judge.allocator, surface.positions);
    wf_free(judge.allocator, surface.triangles);
    wf_free(judge.allocator, points);
    wf_free(judge.allocator, vertices);
    return result;
}
