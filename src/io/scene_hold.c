// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What is worn, held at its wearer by hand: holds that are added, taken away and told of.

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "garment/hold.h"
#include "io/scene_parts.h"

// Who wears a vertex of the model, which is then one of its cloth; NULL: nobody.
static WeftSceneWear* wear_of(const WeftScene* scene, int* vertex) {
    if (*vertex < 0) return NULL;
    int c = wf_scene_cloth_of(scene, vertex);
    for (int w = 0; w < scene->wear_count; w++)
        if (scene->wears[w].cloth == c) return &scene->wears[w];
    return NULL;
}

static int find_hold(const WeftSceneWear* wear, int vertex) {
    for (int i = 0; i < wear->hold_count; i++)
        if (wear->holds[i].vertex == vertex) return i;
    return -1;
}

WeftResult weft_set_worn_holds(WeftScene* scene, int wear, const WeftBodyPoint* holds, int count,
                               WeftError* error) {
    if (wear < 0 || wear >= scene->wear_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "there is no wear %d", wear);
    WeftSceneWear* of = &scene->wears[wear];
    int vertices = scene->meshes[of->cloth].vertex_count;
    int triangles = scene->bodies[of->body].mesh.triangle_count;
    for (int i = 0; i < count; i++) {
        int vertex = holds[i].vertex, triangle = holds[i].triangle;
        if (vertex < 0 || vertex >= vertices || triangle < 0 || triangle >= triangles)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "hold %d: vertex %d is not of the cloth, or triangle %d not of the body",
                           i, vertex, triangle);
    }
    return wf_scene_copy_holds(scene, of, holds, count) ? wf_fail_memory(error) : WEFT_OK;
}

// The vertices of a body in its frame.
static const double* shape_at(const WeftScene* scene, int body, double time) {
    const WeftSceneBody* of = &scene->bodies[body];
    if (!of->shape_now) return of->mesh.positions;
    wf_sample_shape(&of->shape, of->mesh.vertex_count, scene->pace * time, of->shape_now);
    return of->shape_now;
}

static WfFrame frame_at(const WeftScene* scene, int body, double time) {
    double position[3], rotation[4];
    const WeftBodyDef* def = &scene->model.bodies[body];
    if (time <= 0) return wf_frame_of(def->position, def->rotation);
    wf_scene_body_frame(scene, body, scene->pace * time, position, rotation);
    return wf_frame_of(position, rotation);
}

static WeftResult bind_to_wearer(const WeftScene* scene, int body, const double place[3],
                                 double time, WeftBodyPoint* bind) {
    const WeftMesh* mesh = &scene->bodies[body].mesh;
    WfBody surface = {mesh->vertex_count, mesh->triangle_count, shape_at(scene, body, time),
                      mesh->triangles};
    WfFrame frame = wf_frame_invert(frame_at(scene, body, time));
    WfVec local = wf_frame_apply(frame, wf_load(place, 0));
    double position[3];
    wf_store(position, 0, local);
    WeftResult result = wf_bind_points(&scene->allocator, &surface, position, NULL, 1, bind);
    if (!result) wf_fit_bind(&surface, local, bind);
    return result;
}

static WeftResult add_hold(const WeftScene* scene, WeftSceneWear* wear, WeftBodyPoint hold) {
    size_t count = (size_t)wear->hold_count;
    WeftBodyPoint* holds = wf_alloc(&scene->allocator, count + 1, sizeof *holds);
    if (!holds) return WEFT_ERROR_MEMORY;
    if (count > 0) memcpy(holds, wear->holds, count * sizeof *holds);
    holds[count] = hold;
    wf_free(&scene->allocator, wear->holds);
    wear->holds = holds;
    wear->hold_count++;
    return WEFT_OK;
}

WeftResult weft_hold_worn(WeftScene* scene, int vertex, const double place[3], double time,
                          WeftError* error) {
    WeftSceneWear* wear = wear_of(scene, &vertex);
    if (!wear) return wf_fail(error, WEFT_ERROR_INPUT, "vertex %d is of nothing worn", vertex);
    WeftBodyPoint bind = {0};
    WeftResult result = bind_to_wearer(scene, wear->body, place, time, &bind);
    bind.vertex = vertex;
    int at = find_hold(wear, vertex);
    if (!result && at >= 0)
        wear->holds[at] = bind;
    else if (!result)
        result = add_hold(scene, wear, bind);
    return result ? wf_fail_memory(error) : WEFT_OK;
}

bool weft_release_worn(WeftScene* scene, int vertex) {
    WeftSceneWear* wear = wear_of(scene, &vertex);
    int at = wear ? find_hold(wear, vertex) : -1;
    if (at < 0) return false;
    wear->hold_count--;
    memmove(wear->holds + at, wear->holds + at + 1,
            (size_t)(wear->hold_count - at) * sizeof *wear->holds);
    return true;
}

bool weft_worn_place(const WeftScene* scene, int vertex, double place[3]) {
    const WeftSceneWear* wear = wear_of(scene, &vertex);
    int at = wear ? find_hold(wear, vertex) : -1;
    if (at < 0) return false;
    const WeftMesh* mesh = &scene->bodies[wear->body].mesh;
    weft_follow_body(&wear->holds[at], mesh->positions, mesh->triangles, place);
    WfFrame frame = frame_at(scene, wear->body, 0);
    wf_store(place, 0, wf_frame_apply(frame, wf_load(place, 0)));
    return true;
}

bool weft_is_worn(const WeftScene* scene, int vertex) { return wear_of(scene, &vertex) != NULL; }
