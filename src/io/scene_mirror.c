// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "mirror": scenes of which one half is simulated. Meshes are made symmetric while they are read;
// whether all of the scene is, is measured when it is complete (scene_symmetry.c).

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/plane.h"
#include "garment/pattern.h"
#include "io/scene_judge.h"

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct MirrorSpec {
    WeftMirrorKind kind;
    WeftHalving halving;
    WeftClosure closure;
    double point[3], normal[3], front[3], bound;
} MirrorSpec;

static void mirror_defaults(void* target) {
    *(MirrorSpec*)target = (MirrorSpec){
        .kind = WEFT_MIRROR_EXACT, .normal = {1, 0, 0}, .front = {0, 0, 1}, .bound = 0.005};
}

static const WfSceneKey mirror_keys[] = {
    WF_ROW_CHOICE(MirrorSpec, kind, "mirror"),     WF_ROW_POINT(MirrorSpec, point, "m"),
    WF_ROW_POINT(MirrorSpec, normal, NULL),        WF_ROW_CHOICE(MirrorSpec, halving, "halving"),
    WF_ROW_CHOICE(MirrorSpec, closure, "closure"), WF_ROW_POINT(MirrorSpec, front, NULL),
    WF_ROW_NUMBER(MirrorSpec, bound, 0, 1, "m"),
};

const WfSceneTable wf_scene_mirror_table = {
    .name = "mirror",
    .key_count = WF_KEY_COUNT_OF(mirror_keys),
    .keys = mirror_keys,
    .target_size = sizeof(MirrorSpec),
    .set_defaults = mirror_defaults,
};

static const double FARTHEST = 1e6;  // m, of the plane

// A name, or an object.
WeftResult wf_scene_read_mirror(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    MirrorSpec spec;
    int kind = 0;
    mirror_defaults(&spec);
    WeftResult result = json_is_object(node->value)
                            ? wf_scene_read(reader, node, &wf_scene_mirror_table, &spec)
                            : wf_scene_choice(reader, node, "mirror", &kind);
    if (result) return result;
    if (!json_is_object(node->value)) spec.kind = (WeftMirrorKind)kind;
    WeftMirror* mirror = &scene->model.mirror;
    mirror->kind = spec.kind;
    mirror->closure = spec.closure;
    memcpy(mirror->plane.point, spec.point, sizeof spec.point);
    memcpy(mirror->plane.normal, spec.normal, sizeof spec.normal);
    memcpy(mirror->front, spec.front, sizeof spec.front);
    scene->halving = spec.halving;
    scene->bound = spec.bound;
    WfPlane plane;
    if (!wf_make_plane(&mirror->plane, &plane))
        return wf_scene_fail(reader, node, "\"normal\" must have a length");
    double away = fabs(wf_dot(plane.point, plane.normal));
    if (!(away <= FARTHEST))
        return wf_scene_fail(reader, node, "a plane %g m away mirrors nothing: %g m at most", away,
                             FARTHEST);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Meshes

WeftResult wf_scene_give_up_mirror(WfSceneReader* reader, const char* why) {
    reader->scene->model.mirror.kind = WEFT_MIRROR_NONE;
    return wf_find(&reader->scene->findings, reader->error,
                   "no mirror, all of the cloth is simulated: %s", why);
}

// Vertices that the file names, in the mesh as it is now; -1: behind the plane, where they are
// gone.
static WeftResult follow_names(WfSceneReader* reader, const WeftMirrorMap* map, int before) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    int* now = wf_alloc(allocator, (size_t)before, sizeof *now);
    int* names = wf_alloc(allocator, (size_t)reader->named_count, sizeof *names);
    if (!now || !names) {
        wf_free(allocator, now);
        wf_free(allocator, names);
        return wf_fail_memory(reader->error);
    }
    for (int i = 0; i < before; i++) now[i] = -1;
    for (int v = map->vertex_count - 1; v >= 0; v--)  // of a vertex and its image the first counts
        now[map->vertices[2 * (long)v + (map->parts[v] > 0.5)]] = v;
    for (int i = 0; i < reader->named_count; i++)
        names[i] = now[reader->named ? reader->named[i] : i];
    wf_free(allocator, now);
    wf_free(allocator, reader->named);
    reader->named = names;
    return WEFT_OK;
}

int wf_scene_named(const WfSceneReader* reader, int name) {
    int vertex = reader->named ? reader->named[name] : name;
    double least = HUGE_VAL;
    if (vertex >= 0) return vertex;
    WfVec place = wf_load(reader->named_places, name);
    for (int v = 0; v < reader->mesh->vertex_count; v++) {
        WfVec apart = wf_sub(place, wf_load(reader->mesh->positions, v));
        if (!(wf_dot(apart, apart) < least)) continue;
        least = wf_dot(apart, apart);
        vertex = v;
    }
    return vertex;
}

static WeftResult keep_places(WfSceneReader* reader) {
    size_t count = (size_t)reader->named_count;
    double* places = wf_alloc(&reader->scene->allocator, 3 * count, sizeof *places);
    if (!places) return wf_fail_memory(reader->error);
    for (int i = 0; i < reader->named_count; i++)
        wf_store(places, i, wf_load(reader->mesh->positions, reader->named ? reader->named[i] : i));
    reader->named_places = places;
    return WEFT_OK;
}

static WeftResult split_mesh(WfSceneReader* reader) {
    WeftScene* scene = reader->scene;
    WeftMirrorMap map = {0};
    int before = reader->mesh->vertex_count;
    WeftResult result = keep_places(reader);
    if (!result)
        result = weft_mirror_mesh(reader->mesh, &scene->model.mirror.plane, scene->halving, &map,
                                  reader->error);
    if (!result) result = follow_names(reader, &map, before);
    weft_destroy_mirror_map(&map);
    return result;
}

// Whether all of it is on the side that is simulated: half of a cloth, which ends at the plane, or
// one of two.
static bool is_half(const WeftScene* scene, const WeftMesh* mesh) {
    WfPlane mirror;
    double lowest = HUGE_VAL, highest = 0;
    wf_make_plane(&scene->model.mirror.plane, &mirror);
    for (int i = 0; i < mesh->vertex_count; i++) {
        double height = wf_plane_height(&mirror, wf_load(mesh->positions, i));
        lowest = fmin(lowest, height);
        highest = fmax(highest, height);
    }
    return lowest >= -WF_ON_PLANE * highest;
}

WeftResult wf_scene_mirror_mesh(WfSceneReader* reader, WeftClothDef* cloth) {
    WeftScene* scene = reader->scene;
    WeftMesh* mesh = reader->mesh;
    if (scene->model.mirror.kind == WEFT_MIRROR_NONE || mesh->images) return WEFT_OK;
    if (is_half(scene, mesh)) return split_mesh(reader);
    WeftClothDef judged = *cloth;
    WeftSymmetry symmetry;
    int* images = wf_alloc(&scene->allocator, (size_t)mesh->vertex_count, sizeof *images);
    if (!images) return wf_fail_memory(reader->error);
    weft_use_mesh(&judged, mesh);
    judged.pin_count = 0;
    WeftResult result =
        weft_find_images(&judged, &scene->model.mirror.plane, 0, images, &symmetry, reader->error);
    bool good = symmetry.unpaired == 0 && symmetry.unmatched == 0 && symmetry.crossing == 0;
    if (!result && good) {
        mesh->images = images;
        return WEFT_OK;
    }
    wf_free(&scene->allocator, images);
    if (result) return result;
    double off = 0;
    result =
        wf_mesh_asymmetry(&scene->allocator, mesh, &scene->model.mirror.plane, &off, reader->error);
    if (result) return result;
    if (off <= scene->bound + WF_JUDGE_ROUNDING) return split_mesh(reader);
    char why[160];
    snprintf(why, sizeof why,
             "cloth %d is off its mirror image by %.3g mm, more than the bound of %g mm",
             (int)(mesh - scene->meshes), 1e3 * off, 1e3 * scene->bound);
    return wf_scene_give_up_mirror(reader, why);
}

void wf_scene_mirror_scale(const WfSceneReader* reader, double* scale) {
    const WeftMesh* mesh = reader->mesh;
    WfPlane mirror;
    if (!reader->named_places || !mesh->images) return;
    wf_make_plane(&reader->scene->model.mirror.plane, &mirror);
    for (int i = 0; i < mesh->vertex_count; i++)
        if (wf_plane_height(&mirror, wf_load(mesh->positions, i)) < 0)
            scale[i] = scale[mesh->images[i]];
}

WeftResult wf_scene_judge_mirror(WfSceneReader* reader) {
    WeftScene* scene = reader->scene;
    if (scene->model.mirror.kind == WEFT_MIRROR_NONE) return WEFT_OK;
    WeftSceneSymmetry symmetry;
    WeftResult result =
        weft_measure_scene(scene, &scene->model.mirror.plane, &symmetry, reader->error);
    if (result) return result;
    double bound = scene->bound + WF_JUDGE_ROUNDING;
    bool good = symmetry.cloth <= bound && symmetry.pins <= bound && symmetry.bodies <= bound &&
                symmetry.unlike == 0 && symmetry.across <= 1e-9;
    return good ? WEFT_OK : wf_scene_give_up_mirror(reader, symmetry.culprit);
}
