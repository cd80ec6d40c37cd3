// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The walk. The path of the feet comes first, so that they neither slide nor sink; hips and knees
// follow from it.
//
//      phase of a foot   0        0.11       0.36          0.60                  1
//                        heel     flat       heel rises    toes leave            heel
//      turns about       heel -----|          toe joint ----|  swing ------------|
//
// Angles of the foot, the pelvis (4 degrees of turn, 3.5 of list), the trunk against it, shoulders
// and elbows, and the parts of the round are round numbers after the curves of normal gait in
// Winter, "Biomechanics and Motor Control of Human Movement", and Perry, "Gait Analysis"; paths of
// the pelvis after Saunders, Inman and Eberhart (1953). Time goes with the root of the height, as
// that of pendulums. What knees then do is held against the usual course in test_mannequin.c.

#include <stdbool.h>

#include "garment/mannequin_loft.h"
#include "garment/mannequin_pose.h"

#define FLAT 0.11  // the foot is down
#define HEEL_OFF 0.36
#define TOE_OFF 0.60
#define PLANT 0.235  // when the hip passes over the ankle
#define LEAVE 0.5    // of the jumps in speed when a foot leaves the ground and when it lands: how
#define LAND 0.4     // much the swing makes up for; heels land with a jolt
#define ROOM 0.042   // metres between arms and body, which moves
#define CLEARANCE 0.009  // metres below the swinging foot

// toes up
static const WfKey foot_keys[] = {
    {0, 20},        {0.05, 9},   {FLAT, 0},   {HEEL_OFF, 0}, {0.44, -6}, {0.50, -17}, {0.56, -40},
    {TOE_OFF, -56}, {0.62, -57}, {0.68, -46}, {0.78, -20},   {0.87, 3},  {0.94, 17},  {1, 20}};
static const WfKey toe_keys[] = {{0, 0},        {HEEL_OFF, 0}, {0.44, 6},  {0.50, 17}, {0.56, 40},
                                 {TOE_OFF, 56}, {0.64, 70},    {0.74, 18}, {0.82, 0},  {1, 0}};
// of the swinging leg: the thigh from the vertical, forward; the knee
static const WfKey thigh_keys[] = {{0.55, -11}, {0.60, -7}, {0.65, 2},  {0.70, 11}, {0.75, 19},
                                   {0.80, 25},  {0.85, 28}, {0.90, 29}, {0.95, 29}, {1, 28}};
static const WfKey knee_keys[] = {{0.55, 31}, {0.60, 41}, {0.65, 53}, {0.70, 62},
                                  {0.73, 64}, {0.77, 61}, {0.82, 50}, {0.87, 35},
                                  {0.92, 21}, {0.96, 14}, {1, 13}};

static double foot_pitch(double phase) { return WF_KEY_CURVE(foot_keys, phase); }
static double toe_pitch(double phase) { return WF_KEY_CURVE(toe_keys, phase); }

// ---------------------------------------------------------------------------------------------
// Pelvis and trunk

static void pose_trunk(const WfCycle* walk, double phase, WfMannequinPose* pose) {
    double unit = walk->shape->height / 1000;
    double turn = wf_wave(phase + 0.25), list = 3.5 * wf_wave(phase + 0.08);
    WfVec* root = &pose->root;
    root->x += 9 * unit * wf_wave(phase - 0.05);
    root->y += walk->rise - 10 * unit * wf_wave(2 * phase + 0.25 - 0.1);
    root->z += walk->stride * phase;
    pose->turns[WF_PELVIS] =
        wf_frame_join(wf_turn_y(-4 * turn), wf_frame_join(wf_turn_z(list), wf_turn_x(3)));
    WfFrame back =
        wf_frame_join(wf_turn_y(4 * turn), wf_frame_join(wf_turn_z(-0.5 * list), wf_turn_x(-1)));
    pose->turns[WF_SPINE] = back;
    pose->turns[WF_CHEST] = back;
    WfFrame neck = wf_frame_join(wf_turn_y(-2 * turn), wf_turn_x(-0.5));
    pose->turns[WF_NECK] = neck;
    pose->turns[WF_HEAD] = neck;
}

// Of the left leg.
static WfVec hip_at(const WfCycle* walk, double phase) {
    const WfJoints* j = &walk->shape->joints;
    WfMannequinPose pose = wf_rest_pose(walk->shape);
    pose_trunk(walk, phase, &pose);
    WfVec hip = wf_frame_turn(pose.turns[WF_PELVIS], wf_sub(j->hip, j->pelvis));
    return wf_add(pose.root, hip);
}

// ---------------------------------------------------------------------------------------------
// Feet

// Where the left ankle is while the foot is on the ground, from 0 to TOE_OFF; z from the place of
// the pelvis at phase 0.
static WfVec standing_ankle(const WfCycle* walk, double phase) {
    const WfJoints* j = &walk->shape->joints;
    WfVec pivot = phase < 0.5 * (FLAT + HEEL_OFF) ? j->heel : j->toes;
    WfVec arm =
        wf_frame_turn(wf_pitch_foot(walk->shape, foot_pitch(phase)), wf_sub(j->ankle, pivot));
    WfVec ankle = wf_add(pivot, arm);
    ankle.x += walk->foot_x - j->ankle.x;
    ankle.z += PLANT * walk->stride + j->hip.z - j->ankle.z;
    return ankle;
}

// Where thigh and knee bring the ankle.
static WfVec thrown_ankle(const WfCycle* walk, double phase) {
    const WfJoints* j = &walk->shape->joints;
    double upper = wf_length(wf_sub(j->knee, j->hip)), lower = wf_length(wf_sub(j->ankle, j->knee));
    double thigh = WF_KEY_CURVE(thigh_keys, phase), knee = WF_KEY_CURVE(knee_keys, phase), sine,
           cosine;
    WfVec ankle = hip_at(walk, phase);
    wf_sine_cosine(thigh * WF_PI / 180, &sine, &cosine);
    ankle.z += upper * sine;
    ankle.y -= upper * cosine;
    wf_sine_cosine((thigh - knee) * WF_PI / 180, &sine, &cosine);
    ankle.z += lower * sine;
    ankle.y -= lower * cosine;
    ankle.x = walk->foot_x;
    return ankle;
}

// What is between an ankle on the ground and the thrown one; of the next step where phase is 1.
static WfVec mismatch(const WfCycle* walk, double phase) {
    WfVec standing = standing_ankle(walk, phase < 1 ? phase : phase - 1);
    if (phase >= 1) standing.z += walk->stride;
    return wf_sub(standing, thrown_ankle(walk, fmin(phase, 1)));
}

// The ankle as thrown, with what is amiss where it leaves the ground and where it comes down again
// spread over the way, on a cubic; lifted in the middle.
static WfVec swinging_ankle(const WfCycle* walk, double phase) {
    double h = 1e-3, span = 1 - TOE_OFF, s = (phase - TOE_OFF) / span;
    WfVec a = mismatch(walk, TOE_OFF), b = mismatch(walk, 1);
    WfVec before = mismatch(walk, TOE_OFF - h),
          after = wf_sub(standing_ankle(walk, h), standing_ankle(walk, 0));
    WfVec thrown = wf_sub(thrown_ankle(walk, 1), thrown_ankle(walk, 1 - h));
    WfVec p = wf_mul(LEAVE * span / h, wf_sub(a, before));
    WfVec q = wf_mul(LAND * span / h, wf_sub(after, thrown));
    WfVec sum = thrown_ankle(walk, phase);
    sum = wf_madd(sum, (1 + 2 * s) * (1 - s) * (1 - s), a);
    sum = wf_madd(sum, s * (1 - s) * (1 - s), p);
    sum = wf_madd(sum, s * s * (3 - 2 * s), b);
    sum = wf_madd(sum, s * s * (s - 1), q);
    sum.y += walk->lift * 28.9 * s * s * (1 - s) * (1 - s) * (1 - s);
    return sum;
}

static WfVec ankle_at(const WfCycle* walk, double phase) {
    return phase < TOE_OFF ? standing_ankle(walk, phase) : swinging_ankle(walk, phase);
}

// The lowest of heel, ball and toes.
static double lowest_of_foot(const WfCycle* walk, double phase) {
    const WfJoints* j = &walk->shape->joints;
    WfVec ankle = ankle_at(walk, phase);
    WfFrame foot = wf_pitch_foot(walk->shape, foot_pitch(phase));
    WfFrame toes = wf_frame_join(foot, wf_pitch_foot(walk->shape, toe_pitch(phase)));
    WfVec sole = j->toes, tip = wf_sub(j->toe_end, j->toes);
    sole.y = 0;
    WfVec ball = wf_add(ankle, wf_frame_turn(foot, wf_sub(j->toes, j->ankle)));
    double heel = ankle.y + wf_frame_turn(foot, wf_sub(j->heel, j->ankle)).y;
    double under = ankle.y + wf_frame_turn(foot, wf_sub(sole, j->ankle)).y;
    return fmin(fmin(heel, under), ball.y + wf_frame_turn(toes, tip).y);
}

// ---------------------------------------------------------------------------------------------
// The body

static void pose_arms(const WfCycle* walk, double phase, WfMannequinPose* pose) {
    for (int side = 0; side < 2; side++) {
        double swing = -wf_wave(phase + 0.25 + 0.5 * side);  // of the left one backmost at its heel
        WfFrame arm = wf_hang_arm(walk->arms, -3 + 17 * swing);
        WfFrame elbow = wf_bend_elbow(walk->shape, 20 + 9 * swing);
        WfFrame clavicle = wf_turn_y(-2 * swing);
        int right = side ? WF_SIDE_BONES : 0;
        pose->turns[WF_CLAVICLE + right] = side ? wf_mirror_turn(clavicle) : clavicle;
        pose->turns[WF_UPPER_ARM + right] = side ? wf_mirror_turn(arm) : arm;
        pose->turns[WF_FOREARM + right] = side ? wf_mirror_turn(elbow) : elbow;
    }
}

// Both legs, for a pelvis that is where it is; false where a leg on the ground is too short. The
// right one is posed in the mirror.
static bool pose_legs(const WfCycle* walk, double phase, WfMannequinPose* pose) {
    bool reaches = true;
    for (int side = 0; side < 2; side++) {
        double own = phase + 0.5 * side;
        double rounds = side && own >= 1 ? 1 : 0;
        own -= rounds;
        WfFrame pelvis = pose->turns[WF_PELVIS];
        pelvis.origin = pose->root;
        if (side) {
            pelvis = wf_mirror_turn(pelvis);
            pelvis.origin.x = -pelvis.origin.x;
        }
        WfVec ankle = ankle_at(walk, own);
        ankle.z += (rounds - 0.5 * side) * walk->stride;
        WfLeg leg = wf_bend_leg(walk->shape, pelvis, ankle, foot_pitch(own), toe_pitch(own));
        if (leg.stretch > WF_STRAIGHTEST && own < TOE_OFF) reaches = false;
        for (int k = 0; k < WF_LEG_BONES; k++)
            pose->turns[WF_THIGH + k + (side ? WF_SIDE_BONES : 0)] =
                side ? wf_mirror_turn(leg.turns[k]) : leg.turns[k];
    }
    return reaches;
}

static bool make_pose(const WfCycle* walk, double phase, WfMannequinPose* pose) {
    *pose = wf_rest_pose(walk->shape);
    pose_trunk(walk, phase, pose);
    pose_arms(walk, phase, pose);
    return pose_legs(walk, phase, pose);
}

static WfMannequinPose walk_pose(const WfCycle* walk, double phase) {
    WfMannequinPose pose;
    make_pose(walk, phase, &pose);
    return pose;
}

// ---------------------------------------------------------------------------------------------
// Plans

static bool legs_reach(const WfCycle* walk) {
    WfMannequinPose pose;
    for (int i = 0; i < walk->frame_count; i++)
        if (!make_pose(walk, (double)i / walk->frame_count, &pose)) return false;
    return true;
}

static bool feet_clear(const WfCycle* walk) {
    double room = CLEARANCE * walk->shape->height / 1.7;
    for (double s = 0.24; s < 0.64; s += 0.02)
        if (lowest_of_foot(walk, TOE_OFF + s * (1 - TOE_OFF)) < room) return false;
    return true;
}

WfCycle wf_plan_walk(const WfMannequinShape* shape) {
    const WfJoints* j = &shape->joints;
    double unit = shape->height / 1000, pace = sqrt(shape->height / 1.7);
    WfCycle walk = {.shape = shape, .pose = walk_pose, .lift = 20 * shape->height / 1000};
    walk.frame_count = (int)(1.1 * pace * WF_CLIP_RATE + 0.5);
    walk.stride = 1.2 * pace * walk.frame_count / WF_CLIP_RATE;
    walk.foot_x = j->hip.x - 9 * unit;
    walk.arms = fmax(wf_hanging_angle(shape, 10, 24, ROOM), wf_hanging_angle(shape, -18, 12, ROOM));
    walk.arms = fmax(walk.arms, wf_hanging_angle(shape, 0, 18, ROOM)) + 2;
    while (walk.rise > -80 * unit && !legs_reach(&walk)) walk.rise -= unit;
    while (walk.lift < 40 * unit && !feet_clear(&walk)) walk.lift += unit;
    return walk;
}
