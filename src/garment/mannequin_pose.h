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

// ---------------------------------------------------------------------------------------------
// Legs (mannequin_leg.c)

#define WF_STRAIGHTEST 0.9975  // how far a leg is stretched at most
enum { WF_LEG_BONES = 4 };     // thigh, shin, foot, toes

typedef struct WfLeg {
    WfFrame turns[WF_LEG_BONES];
    double stretch;  // from hip to ankle, over the length of the leg: more than it is, out of reach
} WfLeg;
// The left leg from a pelvis (its origin: where it is) to an ankle, knee forward, with the foot
// and, against it, the toes raised by so many degrees.
WfLeg wf_bend_leg(const WfMannequinShape* shape, WfFrame pelvis, WfVec ankle, double foot,
                  double toes);
// The left foot in space, toes up.
WfFrame wf_pitch_foot(const WfMannequinShape* shape, double degrees);

// ---------------------------------------------------------------------------------------------
// Motions that go round

enum { WF_CLIP_RATE = 60 };

typedef struct WfKey {
    double phase, degrees;
} WfKey;
// Smooth, and never beyond the keys.
double wf_key_curve(const WfKey* keys, int count, double phase);
#define WF_KEY_CURVE(keys, phase) wf_key_curve(keys, (int)(sizeof(keys) / sizeof(keys)[0]), phase)

// The sine of a round, or of its multiples.
static inline double wf_wave(double phase) {
    double sine, cosine;
    wf_sine_cosine(2 * WF_PI * phase, &sine, &cosine);
    return sine;
}

// A round: its frames and how far it carries, and the pose at a part of it, 0 .. 1.
typedef struct WfCycle {
    const WfMannequinShape* shape;
    WfMannequinPose (*pose)(const struct WfCycle* cycle, double phase);
    int frame_count;
    double stride;  // metres per round
    double rise;    // of the pelvis, over its place at rest
    double lift;    // of the feet, above the straight path
    double arms;    // degrees from the vertical
    double foot_x;  // of the ankles
} WfCycle;
WfCycle wf_plan_walk(const WfMannequinShape* shape);
WfCycle wf_plan_hop(const WfMannequinShape* shape);
WfCycle wf_plan_squat(const WfMannequinShape* shape);

#endif
