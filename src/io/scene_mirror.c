// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "mirror": scenes of which one half is simulated. Meshes are made symmetric while they are read;
// whether all of the scene is, is measured when it is complete (scene_symmetry.c). Where it is not,
// the scene is read again without the mirror, so that what is simulated is what the file has.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/plane.h"
#include "garment/frame.h"
#include "garment/pattern.h"
#include "io/scene_judge.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

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
    reader->mirrors = spec.kind != WEFT_MIRROR_NONE;
    if (reader->whole) mirror->kind = WEFT_MIRROR_NONE;
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
    reader->whole = true;
    snprintf(reader->why, sizeof reader->why, "%s", why);
    return wf_fail(reader->error, WEFT_ERROR_INPUT, "no mirror: %s", why);
}

// By how much the warp turns where it is mirrored, degrees, 0 to 90: twice what the plane is off
// warp or weft, in the flat shape, as a mean over its edges there.
static double weave_turn(const WeftMesh* mesh) {
    const int* points = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    double sum = 0, all = 0;
    for (int c = 0; c < 3 * mesh->triangle_count && mesh->material; c++) {
        int d = c % 3 == 2 ? c - 2 : c + 1;
        int a = mesh->triangles[c], b = mesh->triangles[d];
        if (mesh->images[a] != a || mesh->images[b] != b) continue;
        const double *p = mesh->material + 2 * (long)points[c],
                     *q = mesh->material + 2 * (long)points[d];
        double u = fabs(q[0] - p[0]), v = fabs(q[1] - p[1]), length = wf_flat_length(u, v);
        sum += length * 2 * wf_angle_of(fmin(u, v), fmax(u, v));
        all += length;
    }
    return all > 0 ? sum / all * (180 / WF_PI) : 0;
}

static WeftResult tell_weave(WfSceneReader* reader) {
    static const double MOST = 10;  // up to there, the flat shape goes on across the plane
    double turn = weave_turn(reader->mesh);
    if (turn <= MOST) return WEFT_OK;
    return wf_find(
        &reader->scene->findings, reader->error,
        "cloth %d: its mirror runs along neither warp nor weft, which turn there by %.0f "
        "degrees, as at a seam",
        (int)(reader->mesh - reader->scene->meshes), turn);
}

static WeftResult split_mesh(WfSceneReader* reader) {
    WeftScene* scene = reader->scene;
    WeftResult result = wf_scene_keep_given(reader);
    if (!result)
        result = weft_mirror_mesh(reader->mesh, &scene->model.mirror.plane, scene->halving,
                                  &reader->map, reader->error);
    if (!result) result = tell_weave(reader);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Halves

#define JOINED 0.01  // of the mean edge: so near to the plane, half a cloth ends on it
#define BESIDE 0.1   // and so near it seems to be meant

// The lowest vertex above the plane.
static double lowest_of(const WfPlane* mirror, const WeftMesh* mesh) {
    double lowest = HUGE_VAL;
    for (int i = 0; i < mesh->vertex_count; i++)
        lowest = fmin(lowest, wf_plane_height(mirror, wf_load(mesh->positions, i)));
    return lowest;
}

// Whether all of it is on the side that is simulated: half of a cloth, which ends at the plane, or
// one of two. What ends there but for JOINED is put onto it.
static bool take_half(const WfPlane* mirror, WeftMesh* mesh) {
    double near = fmax(JOINED * wf_scene_mean_edge(mesh), WF_ON_PLANE), high = 0;
    for (int i = 0; i < mesh->vertex_count; i++)
        high = fmax(high, wf_plane_height(mirror, wf_load(mesh->positions, i)));
    if (lowest_of(mirror, mesh) < -near || high <= near) return false;
    for (int i = 0; i < mesh->vertex_count; i++) {
        WfVec x = wf_load(mesh->positions, i);
        if (fabs(wf_plane_height(mirror, x)) <= near)
            wf_store(mesh->positions, i, wf_plane_nearest(mirror, x));
    }
    return true;
}

// Half a cloth that just does not reach the plane.
static WeftResult tell_gap(WfSceneReader* reader, const WfPlane* mirror) {
    double gap = lowest_of(mirror, reader->mesh), edge = wf_scene_mean_edge(reader->mesh);
    if (!(gap > 0 && gap <= BESIDE * edge)) return WEFT_OK;
    return wf_find(&reader->scene->findings, reader->error,
                   "cloth %d ends %.3g mm before the mirror and is not joined to its image: up to "
                   "%.3g mm it would be",
                   (int)(reader->mesh - reader->scene->meshes), 1e3 * gap, 1e3 * JOINED * edge);
}

// ---------------------------------------------------------------------------------------------
// All meshes

// Whether the mesh that was just read is sewn: garments are as their patterns are.
static bool is_sewn(const WfSceneReader* reader) {
    const WeftScene* scene = reader->scene;
    int count = scene->wear_count;
    return count > 0 && scene->wears[count - 1].cloth == (int)(reader->mesh - scene->meshes);
}

static WeftResult give_up_cloth(WfSceneReader* reader, const WfPlane* mirror, double off) {
    const WeftScene* scene = reader->scene;
    int cloth = (int)(reader->mesh - scene->meshes);
    double behind = -lowest_of(mirror, reader->mesh);
    char why[200];
    if (behind <= BESIDE * wf_scene_mean_edge(reader->mesh))
        snprintf(why, sizeof why, "cloth %d is half a cloth, but reaches %.3g mm behind the mirror",
                 cloth, 1e3 * behind);
    else
        snprintf(why, sizeof why,
                 "cloth %d is off its mirror image by %.3g mm, more than the bound of %g mm", cloth,
                 1e3 * off, 1e3 * scene->bound);
    return wf_scene_give_up_mirror(reader, why);
}

// Whether a mesh can stay as it is. One that is symmetric in space but not in its weave, as a
// square about its diagonal, is made so like others that are in neither.
static bool is_symmetric(const WeftMesh* mesh, const WeftSymmetry* s) {
    static const double MOST = 0.01;  // of an edge, as in scene_symmetry.c
    bool woven = s->rest_deviation <= MOST && s->grain_deviation > MOST && !mesh->triangle_material;
    return s->unpaired == 0 && s->unmatched == 0 && s->crossing == 0 && !woven;
}

static WeftResult find_images(WfSceneReader* reader, const WeftClothDef* cloth, bool* found) {
    WeftScene* scene = reader->scene;
    WeftMesh* mesh = reader->mesh;
    WeftClothDef judged = *cloth;
    WeftSymmetry symmetry;
    int* images = wf_alloc(&scene->allocator, (size_t)mesh->vertex_count, sizeof *images);
    if (!images) return wf_fail_memory(reader->error);
    weft_use_mesh(&judged, mesh);
    judged.pin_count = 0;
    WeftResult result =
        weft_find_images(&judged, &scene->model.mirror.plane, 0, images, &symmetry, reader->error);
    *found = !result && is_symmetric(mesh, &symmetry);
    if (*found)
        mesh->images = images;
    else
        wf_free(&scene->allocator, images);
    return result;
}

WeftResult wf_scene_mirror_mesh(WfSceneReader* reader, WeftClothDef* cloth) {
    WeftScene* scene = reader->scene;
    WfPlane mirror;
    bool found = false;
    double off = 0;
    wf_make_plane(&scene->model.mirror.plane, &mirror);
    // also where all is simulated: half a cloth is not all of it
    reader->half = reader->mirrors && !is_sewn(reader) && take_half(&mirror, reader->mesh);
    if (reader->half) {
        WeftResult told = tell_gap(reader, &mirror);
        return told ? told : split_mesh(reader);
    }
    if (scene->model.mirror.kind == WEFT_MIRROR_NONE || reader->mesh->images) return WEFT_OK;
    WeftResult result = find_images(reader, cloth, &found);
    if (result || found) return result;
    result = wf_mesh_asymmetry(&scene->allocator, reader->mesh, &scene->model.mirror.plane, &off,
                               reader->error);
    if (result) return result;
    return off <= scene->bound + WF_JUDGE_ROUNDING ? split_mesh(reader)
                                                   : give_up_cloth(reader, &mirror, off);
}

// ---------------------------------------------------------------------------------------------
// What is lost

// Whether all corners of triangles lie on threads of the weave.
static WeftResult find_bare(const WfSceneReader* reader, int* bare) {
    const WeftMesh* mesh = reader->mesh;
    const WeftAllocator* allocator = &reader->scene->allocator;
    unsigned char* woven = wf_alloc(allocator, (size_t)mesh->vertex_count, 1);
    if (!woven) return wf_fail_memory(reader->error);
    for (int t = 0; t < mesh->thread_count; t++)
        for (int i = 0; i < mesh->threads[t].count; i++)
            woven[mesh->thread_vertices[mesh->threads[t].first + i]] = 1;
    *bare = 0;
    for (long c = 0; c < 3L * mesh->triangle_count; c++) *bare += !woven[mesh->triangles[c]];
    wf_free(allocator, woven);
    return WEFT_OK;
}

WeftResult wf_scene_check_mirrored(WfSceneReader* reader, const WeftClothDef* cloth) {
    int bare = 0;
    char why[100];
    bool by_threads = cloth->stretch == WEFT_STRETCH_THREADS ||
                      cloth->bend_by == WEFT_BEND_BY_THREADS || cloth->shear == WEFT_SHEAR_AREA;
    if (reader->given.vertex_count == 0 || reader->half || !by_threads) return WEFT_OK;
    WeftResult result = find_bare(reader, &bare);
    if (result || bare == 0) return result;
    snprintf(why, sizeof why, "the threads of cloth %d cross the mirror between its vertices",
             (int)(reader->mesh - reader->scene->meshes));
    return wf_scene_give_up_mirror(reader, why);
}

// ---------------------------------------------------------------------------------------------
// The scene

// Closures are seen from where their wearer looks, unless the file says from where.
static void turn_front(WeftScene* scene) {
    double position[3], rotation[4], *front = scene->model.mirror.front;
    bool told = front[0] != 0 || front[1] != 0 || front[2] != 1;
    if (told || scene->wear_count == 0) return;
    wf_scene_body_frame(scene, scene->wears[0].body, 0, position, rotation);
    wf_store(front, 0, wf_frame_turn(wf_frame_of(position, rotation), wf_load(front, 0)));
}

WeftResult wf_scene_judge_mirror(WfSceneReader* reader) {
    WeftScene* scene = reader->scene;
    if (scene->model.mirror.kind == WEFT_MIRROR_NONE) return WEFT_OK;
    if (wf_scene_tears(scene))
        return wf_scene_give_up_mirror(reader, "cloth that is cut or tears has no mirror");
    if (wf_scene_space_moves(scene))
        return wf_scene_give_up_mirror(reader, "a scene in a space that moves has no mirror");
    turn_front(scene);
    WeftSceneSymmetry symmetry;
    WeftResult result =
        weft_measure_scene(scene, &scene->model.mirror.plane, &symmetry, reader->error);
    if (result) return result;
    double bound = scene->bound + WF_JUDGE_ROUNDING;
    bool good = symmetry.cloth <= bound && symmetry.pins <= bound && symmetry.bodies <= bound &&
                symmetry.unlike == 0 && symmetry.across <= 1e-9;
    reader->pins_are_off = symmetry.pins > bound;
    return good ? WEFT_OK : wf_scene_give_up_mirror(reader, symmetry.culprit);
}

WeftResult wf_scene_tell_whole(WfSceneReader* again, const WfSceneReader* first) {
    WeftScene* scene = again->scene;
    WeftSceneSymmetry symmetry = {0};
    if (first->pins_are_off) {  // with the numbers that the file has
        WeftScene pinned = *scene;
        pinned.model.body_count = 0;
        WeftResult result =
            weft_measure_scene(&pinned, &scene->model.mirror.plane, &symmetry, again->error);
        if (result) return result;
    }
    return wf_find(
        &scene->findings, again->error, "no mirror, all of the cloth is simulated: %s",
        symmetry.pins > scene->bound + WF_JUDGE_ROUNDING ? symmetry.culprit : first->why);
}
