// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies of scenes that are figures: from files that have more than an OBJ has, and mannequins. A
// clip becomes keys of shape, 60 to the second, from the start of the scene to its end, or to the
// end of the clip. Of a clip that loops, one round is enough.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/scene_parts.h"

static const double KEYS_PER_SECOND = 60;
static const double MOST_BYTES = 4e9;  // of the keys of one body

// ---------------------------------------------------------------------------------------------
// Clips

// "a", "b" or "c", as many as there is room for
static const char* clip_names(const WeftFigure* figure, char text[WF_SCENE_TEXT]) {
    enum { MOST = 8 };
    const char* names[MOST];
    int count = figure->clip_count < MOST ? figure->clip_count : MOST;
    for (int i = 0; i < count; i++) names[i] = figure->clips[i].name;
    return wf_scene_words_text(names, count, text);
}

// The first one where none is named; -1: the figure has none.
static WeftResult choose_clip(WfSceneReader* reader, const WfSceneNode* node,
                              const WeftFigure* figure, const char* name, int* clip) {
    char text[WF_SCENE_TEXT];
    *clip = name ? weft_find_clip(figure, name) : figure->clip_count > 0 ? 0 : -1;
    if (!name || *clip >= 0) return WEFT_OK;
    WfSceneNode member = wf_scene_member(node, "clip");
    const WfSceneNode* at = member.value ? &member : node;
    if (figure->clip_count == 0) return wf_scene_fail(reader, at, "the body has no clips");
    return wf_scene_fail(reader, at, "the body has no clip \"%s\", but %s", name,
                         clip_names(figure, text));
}

// How often a clip is sampled.
typedef struct Sampling {
    double count;   // keys: one where nothing moves
    double rate;    // to the second
    double period;  // of what goes round; else 0
} Sampling;

static double count_keys(double seconds) { return ceil(seconds * KEYS_PER_SECOND - 1e-9); }

static Sampling plan_keys(const WeftScene* scene, const WeftFigure* figure, int clip,
                          double start) {
    Sampling plan = {.count = 1, .rate = KEYS_PER_SECOND};
    if (clip < 0 || figure->clips[clip].frame_count < 2) return plan;
    const WeftClip* c = &figure->clips[clip];
    double round = c->frame_count / c->rate, seconds = scene->duration;
    if (!c->loops) seconds = fmin(seconds, (c->frame_count - 1) / c->rate - start);
    if (seconds > 0) plan.count = count_keys(seconds) + 1;
    if (c->loops && plan.count > count_keys(round)) {
        plan.count = count_keys(round);
        plan.rate = plan.count / round;
        plan.period = round;
    }
    return plan;
}

static WeftResult make_keys(WfSceneReader* reader, const WeftFigure* figure, int clip, double start,
                            const Sampling* plan, WeftShapeTrack* shape) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    size_t numbers = 3 * (size_t)figure->vertex_count;
    int key_count = (int)plan->count;
    shape->times = wf_alloc(allocator, (size_t)key_count, sizeof(double));
    shape->positions = wf_alloc(allocator, (size_t)key_count * numbers, sizeof(double));
    if (!shape->times || !shape->positions) return wf_fail_memory(reader->error);
    shape->key_count = key_count;
    shape->period = plan->period;
    memcpy(shape->travel, figure->clips[clip].travel, sizeof shape->travel);
    WeftResult result = WEFT_OK;
    for (int i = 0; i < key_count && !result; i++) {
        shape->times[i] = i / plan->rate;
        result = weft_pose_figure(figure, clip, start + shape->times[i],
                                  shape->positions + (size_t)i * numbers, reader->error);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Bodies

static WeftResult copy_mesh(WfSceneReader* reader, const WeftFigure* figure, WeftMesh* mesh) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    size_t triangles = 3 * (size_t)figure->triangle_count;
    mesh->allocator = *allocator;
    mesh->positions = wf_alloc(allocator, 3 * (size_t)figure->vertex_count, sizeof(double));
    mesh->triangles = wf_alloc(allocator, triangles, sizeof(int));
    if (!mesh->positions || !mesh->triangles) return wf_fail_memory(reader->error);
    mesh->vertex_count = figure->vertex_count;
    mesh->triangle_count = figure->triangle_count;
    memcpy(mesh->triangles, figure->triangles, triangles * sizeof(int));
    return WEFT_OK;
}

// The figure is the body's.
static WeftResult use_figure(WfSceneReader* reader, const WfSceneNode* node,
                             const WfFigureSpec* spec, WeftSceneBody* body) {
    const WeftFigure* figure = &body->figure;
    int clip;
    WeftResult result = choose_clip(reader, node, figure, spec->clip, &clip);
    if (!result) result = copy_mesh(reader, figure, &body->mesh);
    body->clip = clip;
    body->clip_start = spec->start;
    if (result) return result;
    Sampling plan = plan_keys(reader->scene, figure, clip, spec->start);
    double bytes = plan.count * 24 * figure->vertex_count;
    if (bytes > MOST_BYTES)
        return wf_scene_fail(reader, node,
                             "%d vertices that move for %.0f s take %.1f GB, of at most %.0f; use "
                             "a coarser body or a shorter scene",
                             figure->vertex_count, plan.count / plan.rate, bytes / 1e9,
                             MOST_BYTES / 1e9);
    if (plan.count > 1) result = make_keys(reader, figure, clip, spec->start, &plan, &body->shape);
    // at its start, where keys do not say it
    return result
               ? result
               : weft_pose_figure(figure, clip, spec->start, body->mesh.positions, reader->error);
}

bool wf_scene_needs_figure(const char* file, const WfFigureSpec* spec) {
    size_t length = strlen(file);
    bool obj = length >= 4 && strcmp(file + length - 4, ".obj") == 0;
    return !obj || strpbrk(file, "%*") || spec->clip || spec->clip_file;
}

WeftResult wf_scene_read_figure(WfSceneReader* reader, const WfSceneNode* node, const char* file,
                                const char* frames, const WfFigureSpec* spec, WeftSceneBody* body) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    const char* motion = frames ? frames : spec->clip_file;
    if (frames && spec->clip_file)
        return wf_scene_fail(reader, node, "\"frames\" and \"clip_file\" exclude each other");
    WeftFigureFileDef def = weft_default_figure_file_def();
    char* path = wf_scene_file_path(reader, file);
    char* motion_path = motion ? wf_scene_file_path(reader, motion) : NULL;
    WeftResult result = WEFT_OK;
    if (!path || (motion && !motion_path)) result = wf_fail_memory(reader->error);
    def.clip_path = motion_path;
    def.rate = spec->rate;
    if (!result)
        result = weft_load_figure(path, &def, allocator, &body->figure, &reader->scene->findings,
                                  reader->error);
    wf_free(allocator, path);
    wf_free(allocator, motion_path);
    WfSceneNode at = wf_scene_member(node, "file");
    if (result == WEFT_ERROR_FILE || result == WEFT_ERROR_INPUT)
        return wf_scene_fail_prefix(reader, &at, result);
    if (result) return result;
    body->figure.gap = spec->gap;
    return use_figure(reader, node, spec, body);
}

// ---------------------------------------------------------------------------------------------
// Mannequins

WeftResult wf_scene_make_mannequin(WfSceneReader* reader, const WfSceneNode* node,
                                   const WeftMannequinDef* wanted, const WfFigureSpec* spec,
                                   WeftSceneBody* body) {
    WfFigureSpec chosen = *spec;
    static char a_pose[] = "a_pose";
    if (!chosen.clip) chosen.clip = a_pose;
    WeftResult result =
        weft_make_mannequin(wanted, &reader->scene->allocator, &body->figure, reader->error);
    if (result == WEFT_ERROR_INPUT) return wf_scene_fail_prefix(reader, node, result);
    if (result) return result;
    body->figure.gap = spec->gap;
    return use_figure(reader, node, &chosen, body);
}
