// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A hop forward on both feet. Left and right do the same, so that what is worn stays symmetric.
//
//      phase             0          0.16     0.44         0.72                   1
//                        toes land  flat     heels rise   toes leave             toes land
//      pelvis            sinks ------- lowest - rises ----| flies: a parabola ---|
//
// The pelvis falls freely while the feet are off the ground, and takes up its fall along a half
// wave on the ground: with flight f and stance s seconds long, its speed at both ends of the flight
// is v = g f / 2, and the half wave is v s / pi deep. Feet turn about the joints of their toes,
// which stand still on the ground; legs follow, as in the walk. Time goes with the root of the
// height, so that lengths go with the height. Angles are round numbers, by the eye.

#include "garment/mannequin_loft.h"
#include "garment/mannequin_pose.h"

#define TOE_OFF 0.72
#define PLANT 0.14  // when the hip would pass over the ankle, were the body not bent
#define GRAVITY 9.81
#define SECONDS 0.6       // of a round, at a height of 1.7 m
#define SPEED 0.6         // m/s, at that height
#define STRAIGHTEST 0.98  // of the leg, as it leaves the ground
#define ROOM 0.042        // metres between arms and body, which moves

// toes up
static const WfKey foot_keys[] = {{0, -30},    {0.08, -14},    {0.16, 0},   {0.44, 0},   {0.54, -9},
                                  {0.64, -31}, {TOE_OFF, -50}, {0.76, -53}, {0.88, -40}, {1, -30}};

// How far the body is bent together: 1 in the middle of the stance, 0 in that of the flight.
static double crouch(double phase) { return 0.5 + 0.5 * wf_wave(phase - 0.5 * TOE_OFF + 0.25); }

// Of the pelvis, above where it is when the feet leave the ground and when they land; metres.
static double flight_path(const WfCycle* hop, double phase) {
    double seconds = (double)hop->frame_count / WF_CLIP_RATE, t = (phase - TOE_OFF) * seconds;
    double speed = 0.5 * GRAVITY * (1 - TOE_OFF) * seconds;
    if (phase >= TOE_OFF) return speed * t - 0.5 * GRAVITY * t * t;
    return -speed * TOE_OFF * seconds / WF_PI * wf_wave(0.5 * phase / TOE_OFF);
}

static void pose_trunk(const WfCycle* hop, double phase, WfMannequinPose* pose) {
    double unit = hop->shape->height / 1000, bent = crouch(phase);
    pose->root.y += hop->rise + flight_path(hop, phase);
    pose->root.z += hop->stride * phase - 45 * unit * bent;
    pose->turns[WF_PELVIS] = wf_turn_x(3 + 11 * bent);
    pose->turns[WF_SPINE] = pose->turns[WF_CHEST] = wf_turn_x(5 * bent);
    pose->turns[WF_NECK] = pose->turns[WF_HEAD] = wf_turn_x(-1 - 8 * bent);
}

// Back as the knees bend, and forward with the leap; forearms before the body, so that skirts do
// not catch hands from below.
static void pose_arms(const WfCycle* hop, double phase, WfMannequinPose* pose) {
    double swing = 1 - 2 * crouch(phase);
    wf_set_both(pose, WF_CLAVICLE, wf_turn_y(-2 * swing));
    wf_set_both(pose, WF_UPPER_ARM, wf_hang_arm(hop->arms, 18 * swing));
    wf_set_both(pose, WF_FOREARM, wf_bend_elbow(hop->shape, 72 + 12 * swing));
}

// Where the left ankle is, by the joint of the toes; z from the place of the pelvis at phase 0.
static WfVec ankle_at(const WfCycle* hop, double phase) {
    const WfJoints* j = &hop->shape->joints;
    double s = fmax((phase - TOE_OFF) / (1 - TOE_OFF), 0);
    WfFrame foot = wf_pitch_foot(hop->shape, WF_KEY_CURVE(foot_keys, phase));
    WfVec ankle = wf_add(j->toes, wf_frame_turn(foot, wf_sub(j->ankle, j->toes)));
    ankle.y += hop->lift * 16 * s * s * (1 - s) * (1 - s);
    ankle.z += (PLANT + wf_rise(0, 1, s)) * hop->stride + j->hip.z - j->ankle.z;
    return ankle;
}

// Toes stay level. Returns how far the legs are stretched.
static double make_pose(const WfCycle* hop, double phase, WfMannequinPose* pose) {
    *pose = wf_rest_pose(hop->shape);
    pose_trunk(hop, phase, pose);
    pose_arms(hop, phase, pose);
    WfFrame pelvis = pose->turns[WF_PELVIS];
    pelvis.origin = pose->root;
    double pitch = WF_KEY_CURVE(foot_keys, phase);
    WfLeg leg = wf_bend_leg(hop->shape, pelvis, ankle_at(hop, phase), pitch, -pitch);
    for (int k = 0; k < WF_LEG_BONES; k++) wf_set_both(pose, WF_THIGH + k, leg.turns[k]);
    return leg.stretch;
}

static WfMannequinPose hop_pose(const WfCycle* hop, double phase) {
    WfMannequinPose pose;
    make_pose(hop, phase, &pose);
    return pose;
}

static double most_stretched(const WfCycle* hop) {
    WfMannequinPose pose;
    double most = 0;
    for (int i = 0; i < hop->frame_count; i++)
        most = fmax(most, make_pose(hop, (double)i / hop->frame_count, &pose));
    return most;
}

WfCycle wf_plan_hop(const WfMannequinShape* shape) {
    double unit = shape->height / 1000, pace = sqrt(shape->height / 1.7);
    WfCycle hop = {.shape = shape, .pose = hop_pose, .rise = 120 * unit, .lift = 40 * unit};
    hop.frame_count = (int)(SECONDS * pace * WF_CLIP_RATE + 0.5);
    hop.stride = SPEED * pace * hop.frame_count / WF_CLIP_RATE;
    hop.arms = fmax(wf_hanging_angle(shape, 18, 84, ROOM), wf_hanging_angle(shape, -18, 60, ROOM));
    hop.arms = fmax(hop.arms, wf_hanging_angle(shape, 0, 72, ROOM)) + 4;
    while (hop.rise > -120 * unit && most_stretched(&hop) > STRAIGHTEST) hop.rise -= unit;
    return hop;
}
