// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How symmetric a scene is: cloths where they start, pins and bodies from the start on
// (scene_judge_pins.c, scene_judge_bodies.c), gravity and wind. Surfaces are measured, not
// vertices: of two meshes of one thing, none has a vertex at the image of another's.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "garment/frame.h"
#include "io/scene_judge.h"

enum { MOST_POINTS = 2000 };  // of ropes that are compared with all others

// ---------------------------------------------------------------------------------------------
// Points and surfaces

// From the image of each point to the nearest point, at most.
static double points_off(const WfPlane* mirror, const double* points, int count) {
    double most = 0;
    int stride = count / MOST_POINTS + 1;
    for (int i = 0; i < count; i += stride) {
        WfVec image = wf_plane_image(mirror, wf_load(points, i));
        double least = HUGE_VAL;
        for (int j = 0; j < count; j++) {
            WfVec apart = wf_sub(wf_load(points, j), image);
            least = fmin(least, wf_dot(apart, apart));
        }
        most = fmax(most, least);
    }
    return sqrt(most);
}

WeftResult wf_surface_asymmetry(const WeftAllocator* allocator, const WeftMesh* mesh,
                                const WeftPlane* plane, double* off, WeftError* error) {
    WfPlane mirror;
    wf_make_plane(plane, &mirror);
    if (mesh->triangle_count == 0) {
        *off = points_off(&mirror, mesh->positions, mesh->vertex_count);
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

// The same surface, with a vertex in the middle of each triangle.
static bool part_triangles(const WeftAllocator* allocator, const WeftMesh* mesh, WeftMesh* parts) {
    int n = mesh->vertex_count, triangles = mesh->triangle_count;
    *parts = (WeftMesh){.vertex_count = n + triangles, .triangle_count = 3 * triangles};
    parts->positions = wf_alloc(allocator, 3 * ((size_t)n + (size_t)triangles), sizeof(double));
    parts->triangles = wf_alloc(allocator, 9 * (size_t)triangles, sizeof(int));
    if (!parts->positions || !parts->triangles) return false;
    memcpy(parts->positions, mesh->positions, 3 * (size_t)n * sizeof(double));
    for (int t = 0; t < triangles; t++) {
        const int* v = mesh->triangles + 3 * (long)t;
        WfVec sum = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            const int part[3] = {v[k], v[(k + 1) % 3], n + t};
            memcpy(parts->triangles + 9 * (long)t + 3 * (long)k, part, sizeof part);
            sum = wf_add(sum, wf_load(mesh->positions, v[k]));
        }
        wf_store(parts->positions, n + t, wf_mul(1.0 / 3, sum));
    }
    return true;
}

WeftResult wf_mesh_asymmetry(const WeftAllocator* allocator, const WeftMesh* mesh,
                             const WeftPlane* plane, double* off, WeftError* error) {
    static const double MIDDLES = 1e-12;  // m: they are rounded
    WeftMesh parts;
    if (mesh->triangle_count == 0 || mesh->triangle_count > INT_MAX / 9)
        return wf_surface_asymmetry(allocator, mesh, plane, off, error);
    WeftResult result = part_triangles(allocator, mesh, &parts)
                            ? wf_surface_asymmetry(allocator, &parts, plane, off, error)
                            : wf_fail_memory(error);
    if (result || *off < MIDDLES) *off = 0;
    wf_free(allocator, parts.positions);
    wf_free(allocator, parts.triangles);
    return result;
}

void wf_judge_note(WfSceneJudge* judge, double* worst, double off, const char* what) {
    WeftSceneSymmetry* s = judge->symmetry;
    double largest = fmax(s->cloth, fmax(s->pins, s->bodies));
    if (off < WF_JUDGE_ROUNDING) return;
    if (off > *worst) *worst = off;
    if (!(off > largest)) return;
    s->time = judge->time;
    snprintf(s->culprit, sizeof s->culprit, "%s", what);
}

void wf_judge_unlike(WfSceneJudge* judge, const char* what) {
    if (judge->symmetry->unlike++ == 0) snprintf(judge->unlike, sizeof judge->unlike, "%s", what);
}

// ---------------------------------------------------------------------------------------------
// Cloths

bool wf_scene_lies_around(const WeftScene* scene, int cloth, double origin[3], double rotation[4]) {
    for (int w = 0; w < scene->wear_count; w++) {
        const WeftSceneWear* wear = &scene->wears[w];
        if (wear->cloth != cloth || wear->stretch > 0) continue;
        memcpy(origin, scene->model.bodies[wear->body].position, 3 * sizeof *origin);
        memcpy(rotation, scene->model.bodies[wear->body].rotation, 4 * sizeof *rotation);
        return true;
    }
    return false;
}

// The plane where the positions of a cloth are.
static WeftPlane plane_of(const WfSceneJudge* judge, int cloth) {
    WeftPlane plane = *judge->plane;
    double origin[3], rotation[4];
    if (!wf_scene_lies_around(judge->scene, cloth, origin, rotation)) return plane;
    WfFrame to = wf_frame_invert(wf_frame_of(origin, rotation));
    wf_store(plane.point, 0, wf_frame_apply(to, wf_load(plane.point, 0)));
    wf_store(plane.normal, 0, wf_frame_turn(to, wf_load(plane.normal, 0)));
    return plane;
}

// What has images, and is not what they are.
static void judge_images(WfSceneJudge* judge, int c, const WeftSymmetry* s) {
    static const double MOST = 0.01;  // of an edge
    const char* what = s->rest_deviation > MOST || s->grain_deviation > MOST ? "the flat shape"
                       : s->springs > 0                                      ? "springs"
                       : s->threads > 0                                      ? "threads"
                       : s->fabrics > 0                                      ? "fabrics"
                       : s->scale_deviation > 1e-6 ? "factors of stiffness or density"
                                                   : NULL;
    char text[sizeof judge->unlike];
    if (!what || s->unpaired > 0) return;
    bool one = strcmp(what, "the flat shape") == 0;
    snprintf(text, sizeof text, "%s of cloth %d %s of its mirror image", what, c,
             one ? "is not that" : "are not those");
    wf_judge_unlike(judge, text);
}

static WeftResult judge_cloth(WfSceneJudge* judge, int c) {
    const WeftMesh* mesh = &judge->scene->meshes[c];
    WeftPlane plane = plane_of(judge, c);
    double off = 0;
    char what[200];
    WeftSymmetry images;
    WeftClothDef cloth = judge->scene->model.cloths[c];
    cloth.pin_count = 0;
    WeftResult result = weft_find_images(&cloth, &plane, 0, NULL, &images, judge->error);
    if (result) return result;
    judge->symmetry->unpaired += images.unpaired;
    judge_images(judge, c, &images);
    // where triangles are those of their images, so are their middles
    bool same = images.unpaired == 0 && images.unmatched == 0;
    result = (same ? wf_surface_asymmetry : wf_mesh_asymmetry)(judge->allocator, mesh, &plane, &off,
                                                               judge->error);
    if (result) return result;
    snprintf(what, sizeof what, "cloth %d is off its mirror image by %.3g mm", c, 1e3 * off);
    wf_judge_note(judge, &judge->symmetry->cloth, off, what);
    return WEFT_OK;
}

static WeftResult judge_cloths(WfSceneJudge* judge) {
    WeftResult result = WEFT_OK;
    for (int c = 0; c < judge->scene->model.cloth_count && !result; c++)
        result = judge_cloth(judge, c);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Moments: where motions have keys and pins begin and end to hold, and between

#define MOST_TURN 15.0  // degrees, from one moment to the next
// Of a turn that is faster there are fewer, and a prime number of them: whole turns between all of
// them would be that many.
enum { MOST_PIECES = 359, MOST_MOMENTS = 8192 };

static void add_moment(WfSceneJudge* judge, double time) {
    if (time >= 0 && isfinite(time)) judge->moments[judge->moment_count++] = time;
}

static int compare_times(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static int count_events(const WeftScene* scene) {
    int count = 2 + 2 * scene->pin_count;
    for (int m = 0; m < scene->motion_count; m++)
        count += scene->motions[m].offset.key_count + scene->motions[m].angle.key_count;
    return count;
}

// In their order, each once.
static void find_events(WfSceneJudge* judge) {
    const WeftScene* scene = judge->scene;
    add_moment(judge, 0);
    add_moment(judge, scene->duration);
    for (int i = 0; i < scene->pin_count; i++) {
        add_moment(judge, scene->pins[i].from);
        add_moment(judge, scene->pins[i].until);
    }
    for (int m = 0; m < scene->motion_count; m++) {
        const WeftTrack* tracks[2] = {&scene->motions[m].offset, &scene->motions[m].angle};
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < tracks[k]->key_count; i++) add_moment(judge, tracks[k]->times[i]);
    }
    qsort(judge->moments, (size_t)judge->moment_count, sizeof(double), compare_times);
    int kept = 1;
    for (int i = 1; i < judge->moment_count; i++)
        if (judge->moments[i] > judge->moments[kept - 1])
            judge->moments[kept++] = judge->moments[i];
    judge->moment_count = kept;
}

// Into how many pieces the time from one event to the next is parted.
static int count_pieces(const WfSceneJudge* judge, int event_count, double from, double to) {
    double most = 0;
    for (int m = 0; m < judge->scene->motion_count; m++) {
        double before[3], after[3];
        wf_sample_track(&judge->scene->motions[m].angle, from, before);
        wf_sample_track(&judge->scene->motions[m].angle, to, after);
        most = fmax(most, fabs(after[0] - before[0]));
    }
    double pieces = fmin(fmin(ceil(most / MOST_TURN), MOST_PIECES), MOST_MOMENTS / event_count);
    return pieces < 2 ? 2 : (int)pieces;
}

static WeftResult part_moments(WfSceneJudge* judge) {
    int events = judge->moment_count, count = 0;
    const double* old = judge->moments;
    for (int i = 0; i + 1 < events; i++) count += count_pieces(judge, events, old[i], old[i + 1]);
    double* all = wf_alloc(judge->allocator, (size_t)count + 1, sizeof *all);
    if (!all) return wf_fail_memory(judge->error);
    count = 0;
    for (int i = 0; i + 1 < events; i++) {
        int pieces = count_pieces(judge, events, old[i], old[i + 1]);
        for (int k = 0; k < pieces; k++) all[count++] = old[i] + (old[i + 1] - old[i]) * k / pieces;
    }
    all[count++] = old[events - 1];
    wf_free(judge->allocator, judge->moments);
    judge->moments = all;
    judge->moment_count = count;
    return WEFT_OK;
}

static WeftResult find_moments(WfSceneJudge* judge) {
    size_t most = (size_t)count_events(judge->scene);
    judge->moments = wf_alloc(judge->allocator, most, sizeof *judge->moments);
    if (!judge->moments) return wf_fail_memory(judge->error);
    find_events(judge);
    return part_moments(judge);
}

// ---------------------------------------------------------------------------------------------
// All of it

// What of a vector goes across; less than rounding is none.
static double across(const WfPlane* mirror, const double v[3]) {
    double part = fabs(wf_dot(mirror->normal, wf_load(v, 0)));
    return part > 1e-9 * wf_length(wf_load(v, 0)) ? part : 0;
}

// Of a cloth at the start; of one that is still to be put on, that of its body.
static double speed_across(const WfSceneJudge* judge, int cloth) {
    const WeftScene* scene = judge->scene;
    double velocity[3];
    memcpy(velocity, scene->model.cloths[cloth].velocity, sizeof velocity);
    for (int w = 0; w < scene->wear_count; w++)
        if (scene->wears[w].cloth == cloth) wf_scene_wear_speed(scene, &scene->wears[w], velocity);
    return across(&judge->mirror, velocity);
}

static void judge_weather(WfSceneJudge* judge) {
    const WeftScene* scene = judge->scene;
    WeftSceneSymmetry* s = judge->symmetry;
    double gravity = across(&judge->mirror, scene->model.step.gravity);
    double wind = across(&judge->mirror, scene->model.step.wind);
    for (int k = 0; k < scene->wind.key_count; k++)
        wind = fmax(wind, across(&judge->mirror, scene->wind.values + 3 * (long)k));
    double speed = 0;
    for (int c = 0; c < scene->model.cloth_count; c++) speed = fmax(speed, speed_across(judge, c));
    s->across = fmax(gravity, fmax(wind, speed));
    // a body that starts to one side gives its cloth a velocity: that is off, whatever comes of it
    bool said = fmax(s->cloth, fmax(s->pins, s->bodies)) > scene->bound + WF_JUDGE_ROUNDING;
    if (s->unlike > 0 && !said) snprintf(s->culprit, sizeof s->culprit, "%s", judge->unlike);
    if (s->across > 0 && !said)
        snprintf(s->culprit, sizeof s->culprit, "%s across the mirror",
                 gravity > 0 ? "gravity goes"
                 : wind > 0  ? "wind goes"
                             : "a cloth starts with a velocity");
}

WeftResult weft_measure_scene(const WeftScene* scene, const WeftPlane* plane,
                              WeftSceneSymmetry* symmetry, WeftError* error) {
    *symmetry = (WeftSceneSymmetry){0};
    WfSceneJudge judge = {.scene = scene,
                          .allocator = &scene->allocator,
                          .plane = plane,
                          .symmetry = symmetry,
                          .error = error};
    if (!wf_make_plane(plane, &judge.mirror))
        return wf_fail(error, WEFT_ERROR_INPUT, "the plane has no normal");
    WeftResult result = judge_cloths(&judge);
    if (!result) result = find_moments(&judge);
    if (!result) result = wf_judge_pins(&judge);
    if (!result) result = wf_judge_bodies(&judge);
    if (!result) judge_weather(&judge);
    wf_free(judge.allocator, judge.moments);
    return result;
}
