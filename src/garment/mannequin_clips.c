// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The clips of the mannequin: poses, motions that go round, and a turn on the spot as on a
// turntable.

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "garment/mannequin_loft.h"
#include "garment/mannequin_pose.h"

#define ARM_DOWN 47.0      // degrees below the horizontal, at rest
#define HANGING_ROOM 0.03  // metres between arms and body, for cloth
#define TURN_SECONDS 3.2

WfFrame wf_hang_arm(double angle, double swing) {
    return wf_frame_join(wf_turn_x(-swing), wf_turn_z(-(90 - ARM_DOWN - angle)));
}

// Whether the left arm is clear of the trunk: by `room` from the elbow on, by a trace near the
// armpit.
static bool arm_is_clear(const WfMannequinShape* shape, WfFrame arm, WfFrame elbow, double room) {
    enum { SAMPLES = 32 };
    const WfJoints* j = &shape->joints;
    double upper = wf_length(wf_sub(j->elbow, j->shoulder)), trace = 0.004;
    double end = upper + wf_length(wf_sub(j->hand_end, j->elbow));
    WfFrame fore = wf_frame_join(arm, elbow);
    WfVec joint = wf_madd(j->shoulder, upper, wf_frame_turn(arm, j->arm_axis));
    WfVec along = wf_frame_turn(fore, j->arm_axis);
    for (int i = 0; i <= SAMPLES; i++) {
        double t = upper * 0.38 + (end - 0.38 * upper) * i / SAMPLES;
        double value[WF_STATION_VALUES], change[WF_STATION_VALUES];
        double last = shape->arm.at[shape->arm.count - 1];
        wf_loft_section(&shape->arm, fmin(t, last), value, change);
        WfVec p = t < upper ? wf_madd(j->shoulder, t, wf_frame_turn(arm, j->arm_axis))
                            : wf_madd(joint, t - upper, along);
        double inner = value[WF_DEEP_LESS] - value[WF_DEEP];
        double needed = trace + (room - trace) * wf_rise(0.38 * upper, 1.1 * upper, t);
        if (wf_mannequin_trunk(shape, p) - inner < needed) return false;
    }
    return true;
}

double wf_hanging_angle(const WfMannequinShape* shape, double swing, double elbow, double room) {
    WfFrame bent = wf_bend_elbow(shape, elbow);
    double angle = 3;
    while (angle < 40 && !arm_is_clear(shape, wf_hang_arm(angle, swing), bent, room)) angle += 0.5;
    return angle;
}

// ---------------------------------------------------------------------------------------------

static WfMannequinPose t_pose(const WfMannequinShape* shape) {
    WfMannequinPose pose = wf_rest_pose(shape);
    wf_set_both(&pose, WF_CLAVICLE, wf_turn_z(7));
    wf_set_both(&pose, WF_UPPER_ARM, wf_turn_z(ARM_DOWN - 7));
    return pose;
}

// Where broad shoulders keep the upper arms away, the forearms come in again a little.
static WfMannequinPose hanging_pose(const WfMannequinShape* shape, double room) {
    const double bend = 8, most = 9;
    WfMannequinPose pose = wf_rest_pose(shape);
    WfFrame arm = wf_hang_arm(wf_hanging_angle(shape, 0, bend, room), 0);
    WfFrame elbow = wf_bend_elbow(shape, bend);
    for (double inward = 0; inward <= most; inward += 0.5) {
        WfFrame next = wf_frame_join(wf_turn_z(-inward), wf_bend_elbow(shape, bend));
        if (!arm_is_clear(shape, arm, next, room)) break;
        elbow = next;
    }
    wf_set_both(&pose, WF_UPPER_ARM, arm);
    wf_set_both(&pose, WF_FOREARM, elbow);
    return pose;
}

// ---------------------------------------------------------------------------------------------

static WeftClip* add_clip(WeftFigure* figure, const char* name, int frames, WeftError* error) {
    WeftClip* clip = &figure->clips[figure->clip_count++];
    size_t count = (size_t)frames * (size_t)figure->bone_count;
    snprintf(clip->name, sizeof clip->name, "%s", name);
    clip->rate = WF_CLIP_RATE;
    clip->frame_count = frames;
    clip->rotations = wf_alloc(&figure->allocator, 4 * count, sizeof *clip->rotations);
    clip->translations = wf_alloc(&figure->allocator, 3 * count, sizeof *clip->translations);
    if (clip->rotations && clip->translations) return clip;
    wf_fail_memory(error);
    return NULL;
}

static void set_frame(const WeftFigure* figure, WeftClip* clip, int frame,
                      const WfMannequinPose* pose) {
    for (int b = 0; b < figure->bone_count; b++) {
        const WeftBone* bone = &figure->bones[b];
        long at = (long)frame * figure->bone_count + b;
        WfFrame turn = pose->turns[b];
        WfVec place = pose->root;
        if (bone->parent >= 0)
            place = wf_sub(wf_load(bone->head, 0), wf_load(figure->bones[bone->parent].head, 0));
        double* rotation = clip->rotations + 4 * at;
        rotation[0] = turn.turn.x;
        rotation[1] = turn.turn.y;
        rotation[2] = turn.turn.z;
        rotation[3] = turn.w;
        wf_store(clip->translations, (int)at, place);
    }
}

static WeftResult add_pose(WeftFigure* figure, const char* name, WfMannequinPose pose,
                           WeftError* error) {
    WeftClip* clip = add_clip(figure, name, 1, error);
    if (!clip) return WEFT_ERROR_MEMORY;
    set_frame(figure, clip, 0, &pose);
    return WEFT_OK;
}

static WeftResult add_cycle(WeftFigure* figure, const char* name, WfCycle cycle, WeftError* error) {
    WeftClip* clip = add_clip(figure, name, cycle.frame_count, error);
    if (!clip) return WEFT_ERROR_MEMORY;
    clip->loops = true;
    clip->travel[2] = cycle.stride;
    for (int i = 0; i < cycle.frame_count; i++) {
        WfMannequinPose pose = cycle.pose(&cycle, (double)i / cycle.frame_count);
        set_frame(figure, clip, i, &pose);
    }
    return WEFT_OK;
}

// Speed and its change begin and end at 0: 10 s^3 - 15 s^4 + 6 s^5 of a full turn, to the left.
static WeftResult add_turn(const WfMannequinShape* shape, WeftFigure* figure, WeftError* error) {
    int frames = (int)(TURN_SECONDS * WF_CLIP_RATE) + 1;
    WeftClip* clip = add_clip(figure, "turn", frames, error);
    if (!clip) return WEFT_ERROR_MEMORY;
    WfMannequinPose pose = hanging_pose(shape, HANGING_ROOM);
    for (int i = 0; i < frames; i++) {
        double s = (double)i / (frames - 1), part = s * s * s * (10 - s * (15 - 6 * s));
        WfFrame turn = wf_turn_y(360 * (i == frames - 1 ? 0 : part));
        pose.turns[WF_PELVIS] = turn;
        pose.root = wf_frame_turn(turn, shape->joints.pelvis);
        set_frame(figure, clip, i, &pose);
    }
    return WEFT_OK;
}

WeftResult wf_mannequin_clips(const WfMannequinShape* shape, WeftFigure* figure, WeftError* error) {
    enum { CLIPS = 7 };
    figure->clips = wf_alloc(&figure->allocator, CLIPS, sizeof *figure->clips);
    if (!figure->clips) return wf_fail_memory(error);
    WeftResult result = add_pose(figure, "t_pose", t_pose(shape), error);
    if (!result) result = add_pose(figure, "a_pose", wf_rest_pose(shape), error);
    if (!result) result = add_pose(figure, "arms_down", hanging_pose(shape, HANGING_ROOM), error);
    if (!result) result = add_cycle(figure, "walk", wf_plan_walk(shape), error);
    if (!result) result = add_turn(shape, figure, error);
    if (!result) result = add_cycle(figure, "hop", wf_plan_hop(shape), error);
    if (!result) result = add_cycle(figure, "squat", wf_plan_squat(shape), error);
    return result;
}
