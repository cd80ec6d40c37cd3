// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Figures in motion. A pose is a frame per bone, relative to its parent's; the skin follows by
// linear blending: x = sum_b w_b (F_b R_b^-1) x_rest, with F the frames of the pose and R those at
// rest, both in space.

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "garment/frame.h"
#include "garment/part.h"
#include "weft/weft_garment.h"

void weft_destroy_figure(WeftFigure* figure) {
    if (!figure) return;
    const WeftAllocator* allocator = &figure->allocator;
    for (int i = 0; i < figure->clip_count; i++) {
        wf_free(allocator, figure->clips[i].rotations);
        wf_free(allocator, figure->clips[i].translations);
        wf_free(allocator, figure->clips[i].positions);
    }
    wf_free(allocator, figure->positions);
    wf_free(allocator, figure->triangles);
    wf_free(allocator, figure->bones);
    wf_free(allocator, figure->skin_bones);
    wf_free(allocator, figure->skin_weights);
    wf_free(allocator, figure->clips);
    *figure = (WeftFigure){0};
}

int weft_find_clip(const WeftFigure* figure, const char* name) {
    for (int i = 0; i < figure->clip_count; i++)
        if (strcmp(figure->clips[i].name, name) == 0) return i;
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Times

// The two frames around a time, how far it is from the first to the second, and the rounds before.
typedef struct Moment {
    int first, second;
    double blend, rounds;
    bool wraps;  // the second is in the next round
} Moment;

static Moment find_moment(const WeftClip* clip, double time) {
    double at = fmax(time, 0) * clip->rate;
    int last = clip->frame_count - 1;
    Moment moment = {0};
    if (!clip->loops && !(at < last)) return (Moment){.first = last, .second = last};
    if (clip->loops) {
        moment.rounds = floor(at / clip->frame_count);
        at = fmin(fmax(at - moment.rounds * clip->frame_count, 0), clip->frame_count);
    }
    moment.first = (int)at < last ? (int)at : last;
    moment.blend = at - moment.first;
    moment.wraps = moment.first == last;
    moment.second = moment.wraps ? 0 : moment.first + 1;
    return moment;
}

// ---------------------------------------------------------------------------------------------
// Poses

// The frame of a bone at rest, relative to its parent's.
static WfFrame rest_frame(const WeftFigure* figure, int bone) {
    const WeftBone* b = &figure->bones[bone];
    WfFrame frame = wf_frame_of(b->head, b->rotation);
    if (b->parent < 0) return frame;
    const WeftBone* parent = &figure->bones[b->parent];
    return wf_frame_join(wf_frame_invert(wf_frame_of(parent->head, parent->rotation)), frame);
}

static WfFrame clip_frame(const WeftFigure* figure, const WeftClip* clip, int frame, int bone) {
    size_t at = (size_t)frame * (size_t)figure->bone_count + (size_t)bone;
    return wf_frame_of(clip->translations + 3 * at, clip->rotations + 4 * at);
}

static WfFrame bone_frame(const WeftFigure* figure, int index, double time, int bone) {
    if (index < 0) return rest_frame(figure, bone);
    const WeftClip* clip = &figure->clips[index];
    if (!clip->rotations) return rest_frame(figure, bone);
    Moment m = find_moment(clip, time);
    WfFrame first = clip_frame(figure, clip, m.first, bone);
    WfFrame second = clip_frame(figure, clip, m.second, bone);
    if (clip->loops && figure->bones[bone].parent < 0) {
        WfVec travel = wf_load(clip->travel, 0);
        first.origin = wf_madd(first.origin, m.rounds, travel);
        second.origin = wf_madd(second.origin, m.rounds + (m.wraps ? 1 : 0), travel);
    }
    return wf_frame_blend(first, second, m.blend);
}

// Frames of all bones in space, parents first.
static void pose_bones(const WeftFigure* figure, int clip, double time, int other_clip,
                       double other_time, double blend, WfFrame* frames) {
    for (int b = 0; b < figure->bone_count; b++) {
        WfFrame here = bone_frame(figure, clip, time, b);
        if (blend > 0)
            here = wf_frame_blend(here, bone_frame(figure, other_clip, other_time, b), blend);
        int parent = figure->bones[b].parent;
        wf_assert(parent < b);
        frames[b] = parent < 0 ? here : wf_frame_join(frames[parent], here);
    }
}

// From frames of the pose to what moves the skin.
static void leave_rest(const WeftFigure* figure, WfFrame* frames) {
    for (int b = 0; b < figure->bone_count; b++) {
        const WeftBone* bone = &figure->bones[b];
        WfFrame rest = wf_frame_of(bone->head, bone->rotation);
        frames[b] = wf_frame_join(frames[b], wf_frame_invert(rest));
    }
}

static void pose_skin(const WeftFigure* figure, const WfFrame* frames, double* positions) {
    for (int v = 0; v < figure->vertex_count; v++) {
        WfVec rest = wf_load(figure->positions, v), sum = {0, 0, 0};
        for (int k = 0; k < 4; k++) {
            double weight = figure->skin_weights[4 * (long)v + k];
            if (weight == 0) continue;
            int bone = figure->skin_bones[4 * (long)v + k];
            sum = wf_madd(sum, weight, wf_frame_apply(frames[bone], rest));
        }
        wf_store(positions, v, sum);
    }
}

// ---------------------------------------------------------------------------------------------
// Figures without bones: vertices at rest, or by the frames of a clip

static void add_shape(const WeftFigure* figure, const double* shape, double weight,
                      double* positions) {
    for (long i = 0; i < 3L * figure->vertex_count; i++) positions[i] += weight * shape[i];
}

static void add_shapes(const WeftFigure* figure, int index, double time, double weight,
                       double* positions) {
    const WeftClip* clip = index < 0 ? NULL : &figure->clips[index];
    if (!clip || !clip->positions) {
        add_shape(figure, figure->positions, weight, positions);
        return;
    }
    Moment m = find_moment(clip, time);
    size_t size = 3 * (size_t)figure->vertex_count;
    add_shape(figure, clip->positions + (size_t)m.first * size, weight * (1 - m.blend), positions);
    add_shape(figure, clip->positions + (size_t)m.second * size, weight * m.blend, positions);
    double rounds = clip->loops ? m.rounds + (m.wraps ? m.blend : 0) : 0;
    for (int v = 0; v < figure->vertex_count; v++)
        wf_accumulate(positions, v, weight * rounds, wf_load(clip->travel, 0));
}

// ---------------------------------------------------------------------------------------------

static bool moves_vertices(const WeftFigure* figure, int clip) {
    return clip >= 0 && figure->clips[clip].positions;
}

static WeftResult part_limbs(const WeftFigure* figure, double* positions, WeftError* error) {
    return figure->gap > 0 && wf_part_limbs(figure, positions) ? wf_fail_memory(error) : WEFT_OK;
}

WeftResult weft_blend_figure(const WeftFigure* figure, int clip, double time, int other_clip,
                             double other_time, double blend, double* positions, WeftError* error) {
    wf_assert(clip < figure->clip_count && other_clip < figure->clip_count);
    bool by_bones = figure->skin_bones && !moves_vertices(figure, clip) &&
                    !(blend > 0 && moves_vertices(figure, other_clip));
    if (!by_bones) {
        memset(positions, 0, 3 * (size_t)figure->vertex_count * sizeof *positions);
        add_shapes(figure, clip, time, 1 - blend, positions);
        if (blend > 0) add_shapes(figure, other_clip, other_time, blend, positions);
        return part_limbs(figure, positions, error);
    }
    WfFrame* frames = wf_alloc(&figure->allocator, (size_t)figure->bone_count, sizeof *frames);
    if (!frames) return wf_fail_memory(error);
    pose_bones(figure, clip, time, other_clip, other_time, blend, frames);
    leave_rest(figure, frames);
    pose_skin(figure, frames, positions);
    wf_free(&figure->allocator, frames);
    return part_limbs(figure, positions, error);
}

WeftResult weft_pose_figure(const WeftFigure* figure, int clip, double time, double* positions,
                            WeftError* error) {
    return weft_blend_figure(figure, clip, time, clip, time, 0, positions, error);
}
