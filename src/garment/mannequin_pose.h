// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Poses of the mannequin. All bones have the axes of space at rest, so a turn of a bone is a turn
// of its part about x (left), y (up), z (front) of its parent, as it stood at rest.

#ifndef WF_GARMENT_MANNEQUIN_POSE_H
#define WF_GARMENT_MANNEQUIN_POSE_H

#include "base/angle.h"
#include "garment/frame.h"
#include "garment/mannequin_motion.h"

typedef struct WfMannequinPose {
    WfVec root;                         // where the pelvis is
    WfFrame turns[WF_MANNEQUIN_BONES];  // relative to the parent's; their origins are not used
} WfMannequinPose;

static inline WfFrame wf_turn(WfVec axis, double degrees) {
    double sine, cosine;
    wf_sine_cosine(degrees * WF_PI / 360, &sine, &cosine);
    return (WfFrame){.turn = wf_mul(sine, wf_unit(axis)), .w = cosine};
}
static inline WfFrame wf_turn_x(double degrees) { return wf_turn((WfVec){1, 0, 0}, degrees); }
static inline WfFrame wf_turn_y(double degrees) { return wf_turn((WfVec){0, 1, 0}, degrees); }
static inline WfFrame wf_turn_z(double degrees) { return wf_turn((WfVec){0, 0, 1}, degrees); }

// The mirror image in x = 0.
static inline WfFrame wf_mirror_turn(WfFrame turn) {
    turn.turn.y = -turn.turn.y;
    turn.turn.z = -turn.turn.z;
    return turn;
}

static inline WfMannequinPose wf_rest_pose(const WfMannequinShape* shape) {
    WfMannequinPose pose = {.root = shape->joints.pelvis};
    for (int b = 0; b < WF_MANNEQUIN_BONES; b++) pose.turns[b].w = 1;
    return pose;
}

static inline void wf_set_both(WfMannequinPose* pose, int bone, WfFrame turn) {
    pose->turns[bone] = turn;
    pose->turns[wf_mirror_bone(bone)] = wf_mirror_turn(turn);
}

// The elbow of the left arm, bent forward.
static inline WfFrame wf_bend_elbow(const WfMannequinShape* shape, double degrees) {
    return wf_turn(wf_cross(shape->joints.arm_axis, (WfVec){0, 0, 1}), degrees);
}

// How far from the vertical arms hang so that they are `room` metres clear of the body, swung
// forward by `swing` degrees, with elbows bent.
double wf_hanging_angle(const WfMannequinShape* shape, double swing, double elbow, double room);
// The left upper arm, hanging at an angle from the vertical and swung forward.
WfFrame wf_hang_arm(double angle, double swing);

enum { WF_WALK_RATE = 60 };
// A walk: frames and how far a round carries; then the pose at a part of the round, 0 .. 1.
typedef struct WfWalk {
    const WfMannequinShape* shape;
    int frame_count;
    double stride;  // metres per round
    double rise;    // of the pelvis, over its place at rest
    double lift;    // of the feet, above the straight path
    double arms;    // degrees from the vertical
    double foot_x;  // of the ankles
} WfWalk;
WfWalk wf_plan_walk(const WfMannequinShape* shape);
WfMannequinPose wf_walk_pose(const WfWalk* walk, double phase);

#endif
