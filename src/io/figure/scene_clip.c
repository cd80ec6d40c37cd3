// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Animations of a file, sampled. A channel gives a node its place in its parent's space; nodes
// without one stay as the file has them, and all of them together give the frames of bones: so
// nodes that are no bones, above them and between them, are in it too. A bone that the file does
// not have (a second file with motion only) stays as it is at rest, on its parent.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "io/figure/scene_file.h"

static const double LONGEST_CLIP = 3600;  // seconds
static const double MOST_NUMBERS = 5e8;   // of a clip

// ---------------------------------------------------------------------------------------------
// Channels

// The last key at `time` or before it, 0 where all are later.
#define FIND_KEY(keys, count, time, found)      \
    do {                                        \
        int low = 0, high = (int)(count);       \
        while (high - low > 1) {                \
            int middle = (low + high) / 2;      \
            if ((keys)[middle].mTime <= (time)) \
                low = middle;                   \
            else                                \
                high = middle;                  \
        }                                       \
        *(found) = low;                         \
    } while (0)

// How far from one key to the next.
static double part_of(double from, double to, double time) {
    return to > from ? fmin(fmax((time - from) / (to - from), 0), 1) : 0;
}

static WfVec sample_vector(const struct aiVectorKey* keys, unsigned count, double time,
                           WfVec otherwise) {
    if (count == 0) return otherwise;
    int i;
    FIND_KEY(keys, count, time, &i);
    int next = i + 1 < (int)count ? i + 1 : i;
    const struct aiVector3D *a = &keys[i].mValue, *b = &keys[next].mValue;
    double t = part_of(keys[i].mTime, keys[next].mTime, time);
    WfVec from = {(double)a->x, (double)a->y, (double)a->z};
    WfVec to = {(double)b->x, (double)b->y, (double)b->z};
    return wf_madd(wf_mul(1 - t, from), t, to);
}

static WfFrame turn_of(const struct aiQuaternion* q) {
    WfFrame turn = {.turn = {(double)q->x, (double)q->y, (double)q->z}, .w = (double)q->w};
    double length = sqrt(wf_dot(turn.turn, turn.turn) + turn.w * turn.w);
    if (!(length > 0) || !isfinite(length)) return (WfFrame){.w = 1};
    turn.turn = wf_mul(1 / length, turn.turn);
    turn.w /= length;
    return turn;
}

// Along the arc at an even pace: keys of files may be far apart.
static WfFrame turn_between(WfFrame a, WfFrame b, double t) {
    double c = wf_dot(a.turn, b.turn) + a.w * b.w;
    if (c < 0) b.turn = wf_mul(-1, b.turn), b.w = -b.w, c = -c;
    if (c > 0.9999) return wf_frame_blend(a, b, t);
    double angle = wf_angle_of(sqrt(fmax(0, 1 - c * c)), c), s, sa, sb, unused;
    wf_sine_cosine(angle, &s, &unused);
    wf_sine_cosine((1 - t) * angle, &sa, &unused);
    wf_sine_cosine(t * angle, &sb, &unused);
    return (WfFrame){.turn = wf_madd(wf_mul(sa / s, a.turn), sb / s, b.turn),
                     .w = (sa * a.w + sb * b.w) / s};
}

static WfFrame sample_turn(const struct aiNodeAnim* channel, double time, const WfAffine* local) {
    const struct aiQuatKey* keys = channel->mRotationKeys;
    if (channel->mNumRotationKeys == 0) return wf_affine_frame(local);
    int i;
    FIND_KEY(keys, channel->mNumRotationKeys, time, &i);
    int next = i + 1 < (int)channel->mNumRotationKeys ? i + 1 : i;
    double t = part_of(keys[i].mTime, keys[next].mTime, time);
    return turn_between(turn_of(&keys[i].mValue), turn_of(&keys[next].mValue), t);
}

static WfAffine sample_channel(const struct aiNodeAnim* channel, double time,
                               const WfAffine* local) {
    WfVec sizes = {wf_length(local->column[0]), wf_length(local->column[1]),
                   wf_length(local->column[2])};
    WfVec move =
        sample_vector(channel->mPositionKeys, channel->mNumPositionKeys, time, local->origin);
    WfVec scale = sample_vector(channel->mScalingKeys, channel->mNumScalingKeys, time, sizes);
    WfFrame turn = sample_turn(channel, time, local);
    return (WfAffine){{wf_mul(scale.x, wf_frame_turn(turn, (WfVec){1, 0, 0})),
                       wf_mul(scale.y, wf_frame_turn(turn, (WfVec){0, 1, 0})),
                       wf_mul(scale.z, wf_frame_turn(turn, (WfVec){0, 0, 1}))},
                      move};
}

// ---------------------------------------------------------------------------------------------
// Clips

typedef struct Sampler {
    WfFigureReader* r;
    const WfSceneFile* file;
    const struct aiNodeAnim** channels;  // per node, or NULL
    int* nodes;                          // per bone: its node, -1: none
    WfAffine *locals, *globals;          // per node
    WfFrame* frames;                     // per bone, in space
} Sampler;

static WfFrame rest_of(const WeftBone* bone) { return wf_frame_of(bone->head, bone->rotation); }

static WfFrame rest_on_parent(const WeftFigure* figure, int bone) {
    const WeftBone* b = &figure->bones[bone];
    if (b->parent < 0) return rest_of(b);
    return wf_frame_join(wf_frame_invert(rest_of(&figure->bones[b->parent])), rest_of(b));
}

static void sample_frame(const Sampler* s, double time, double* rotations, double* translations) {
    const WeftFigure* figure = s->r->figure;
    for (int n = 0; n < s->file->node_count; n++) {
        const WfAffine* local = &s->file->nodes[n].local;
        s->locals[n] = s->channels[n] ? sample_channel(s->channels[n], time, local) : *local;
    }
    wf_place_nodes(&s->r->turn, s->locals, s->file->node_count, s->file->nodes, s->globals);
    for (int b = 0; b < figure->bone_count; b++) {
        int parent = figure->bones[b].parent;
        WfFrame here = rest_on_parent(figure, b);
        if (s->nodes[b] >= 0) {
            WfFrame frame = wf_affine_frame(&s->globals[s->nodes[b]]);
            here = parent < 0 ? frame : wf_frame_join(wf_frame_invert(s->frames[parent]), frame);
        }
        s->frames[b] = parent < 0 ? here : wf_frame_join(s->frames[parent], here);
        wf_store(translations, b, here.origin);
        memcpy(rotations + 4 * (long)b, (double[4]){here.turn.x, here.turn.y, here.turn.z, here.w},
               4 * sizeof(double));
    }
}

// How many of the channels move a node of the file that a bone hangs on.
static int find_channels(const Sampler* s, const struct aiAnimation* animation) {
    int found = 0;
    memset(s->channels, 0, (size_t)s->file->node_count * sizeof *s->channels);
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        const struct aiNodeAnim* channel = animation->mChannels[i];
        int node = wf_find_node(s->file, channel->mNodeName.data);
        if (node >= 0) s->channels[node] = channel, found++;
    }
    return found;
}

static void name_clip(const struct aiAnimation* animation, int index, WeftClip* clip) {
    snprintf(clip->name, sizeof clip->name, "%.63s", animation->mName.data);
    if (!clip->name[0]) snprintf(clip->name, sizeof clip->name, "clip %d", index);
}

static WeftResult sample_clip(const Sampler* s, const struct aiAnimation* animation, int index,
                              WeftClip* clip) {
    WfFigureReader* r = s->r;
    // 25 where the file does not say, as assimp tells users to
    double ticks = animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 25;
    double seconds = animation->mDuration / ticks, rate = r->def->rate;
    double bones = r->figure->bone_count;
    name_clip(animation, index, clip);
    if (!(seconds >= 0 && seconds <= LONGEST_CLIP) || seconds * rate * 7 * bones > MOST_NUMBERS)
        return wf_fail(r->error, WEFT_ERROR_INPUT,
                       "%s: the animation \"%s\" is %g s long: too long at %g frames per second",
                       s->file->path, clip->name, seconds, rate);
    int count = (int)(seconds * rate + 0.5) + 1;
    clip->rate = rate;
    clip->frame_count = count;
    size_t numbers = (size_t)count * (size_t)r->figure->bone_count;
    clip->rotations = wf_alloc(&r->allocator, 4 * numbers, sizeof(double));
    clip->translations = wf_alloc(&r->allocator, 3 * numbers, sizeof(double));
    if (!clip->rotations || !clip->translations) return wf_fail_memory(r->error);
    int found = find_channels(s, animation);
    for (int i = 0; i < count; i++) {
        size_t at = (size_t)i * (size_t)r->figure->bone_count;
        double time = fmin(i / rate * ticks, animation->mDuration);
        sample_frame(s, time, clip->rotations + 4 * at, clip->translations + 3 * at);
    }
    if (found < (int)animation->mNumChannels)
        return wf_figure_tell(r, "%s: %d of the %u channels of \"%s\" move nothing in it",
                              s->file->path, (int)animation->mNumChannels - found,
                              animation->mNumChannels, clip->name);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------

static WeftResult find_bones(Sampler* s) {
    const WeftFigure* figure = s->r->figure;
    int found = 0;
    for (int b = 0; b < figure->bone_count; b++) {
        s->nodes[b] = wf_find_node(s->file, figure->bones[b].name);
        found += s->nodes[b] >= 0;
    }
    if (found == 0)
        return wf_fail(s->r->error, WEFT_ERROR_INPUT,
                       "%s: no bone of the body is in it (its first one is \"%s\")", s->file->path,
                       figure->bones[0].name);
    if (found < figure->bone_count)
        return wf_figure_tell(s->r, "%s: %d of the %d bones of the body are not in it: they rest",
                              s->file->path, figure->bone_count - found, figure->bone_count);
    return WEFT_OK;
}

static WeftResult make_sampler(Sampler* s) {
    const WeftAllocator* allocator = &s->r->allocator;
    size_t nodes = (size_t)s->file->node_count, bones = (size_t)s->r->figure->bone_count;
    s->channels = wf_alloc(allocator, nodes, sizeof *s->channels);
    s->locals = wf_alloc(allocator, nodes, sizeof *s->locals);
    s->globals = wf_alloc(allocator, nodes, sizeof *s->globals);
    s->nodes = wf_alloc(allocator, bones, sizeof *s->nodes);
    s->frames = wf_alloc(allocator, bones, sizeof *s->frames);
    bool good = s->channels && s->locals && s->globals && s->nodes && s->frames;
    return good ? find_bones(s) : wf_fail_memory(s->r->error);
}

static void free_sampler(Sampler* s) {
    const WeftAllocator* allocator = &s->r->allocator;
    wf_free(allocator, (void*)s->channels);
    wf_free(allocator, s->locals);
    wf_free(allocator, s->globals);
    wf_free(allocator, s->nodes);
    wf_free(allocator, s->frames);
}

// Room for more clips, in front.
static WeftResult add_clips(WfFigureReader* r, int count) {
    WeftFigure* figure = r->figure;
    size_t all = (size_t)count + (size_t)figure->clip_count;
    WeftClip* clips = wf_alloc(&r->allocator, all, sizeof *clips);
    if (!clips) return wf_fail_memory(r->error);
    if (figure->clip_count > 0)
        memcpy(clips + count, figure->clips, (size_t)figure->clip_count * sizeof *clips);
    wf_free(&r->allocator, figure->clips);
    figure->clips = clips;
    figure->clip_count = (int)all;
    return WEFT_OK;
}

static WeftResult tell_morphs(WfFigureReader* r, const WfSceneFile* file) {
    int morphs = 0;
    for (unsigned i = 0; i < file->scene->mNumAnimations; i++)
        morphs += file->scene->mAnimations[i]->mNumMorphMeshChannels > 0 ||
                  file->scene->mAnimations[i]->mNumMeshChannels > 0;
    if (morphs == 0) return WEFT_OK;
    return wf_figure_tell(r, "%s: %d animations move shapes (morph targets): these are not played",
                          file->path, morphs);
}

WeftResult wf_sample_clips(WfFigureReader* r, const WfSceneFile* file) {
    Sampler s = {.r = r, .file = file};
    int count = (int)file->scene->mNumAnimations;
    if (count == 0) return WEFT_OK;
    if (r->figure->bone_count == 0)
        return wf_fail(r->error, WEFT_ERROR_INPUT, "%s: the body has no bones that it could move",
                       file->path);
    WeftResult result = make_sampler(&s);
    if (!result) result = tell_morphs(r, file);
    if (!result) result = add_clips(r, count);
    for (int i = 0; i < count && !result; i++)
        result = sample_clip(&s, file->scene->mAnimations[i], i, &r->figure->clips[i]);
    free_sampler(&s);
    return result;
}
