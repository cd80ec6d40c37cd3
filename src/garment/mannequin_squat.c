// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Knee bends, with the arms raised to the front and lowered again. Left and right do the same, so
// that what is worn stays symmetric. Angles come first, and the feet stay where they stand: legs
// bend about x only, and the pelvis is where they carry it. Deeper, the skin of broad bodies
// crosses itself in the groin, with arms higher in the armpits.

#include "garment/mannequin_pose.h"

#define SECONDS 2.6  // of a round, at a height of 1.7 m
#define ROOM 0.042   // metres between arms and body, which moves

// Degrees at the lowest: from the vertical, but of knees, spine, neck and elbows.
#define THIGH 45
#define KNEE 72
#define PELVIS 10
#define SPINE 6  // and as much of the chest
#define NECK -9  // and as much of the head
#define ARMS 78
#define ELBOW 8

static WfVec turned(double degrees, WfVec from, WfVec to) {
    return wf_frame_turn(wf_turn_x(degrees), wf_sub(to, from));
}

// The legs, bent by a part of the whole, and the pelvis above them.
static void pose_legs(const WfMannequinShape* shape, double bent, WfMannequinPose* pose) {
    const WfJoints* j = &shape->joints;
    double pelvis = bent * PELVIS, thigh = bent * THIGH, knee = bent * KNEE;
    pose->turns[WF_PELVIS] = wf_turn_x(pelvis);
    wf_set_both(pose, WF_THIGH, wf_turn_x(-thigh - pelvis));
    wf_set_both(pose, WF_SHIN, wf_turn_x(knee));
    wf_set_both(pose, WF_FOOT, wf_turn_x(thigh - knee));
    WfVec up = wf_add(turned(knee - thigh, j->ankle, j->knee), turned(-thigh, j->knee, j->hip));
    up = wf_add(up, turned(pelvis, j->hip, j->pelvis));
    pose->root.y = j->ankle.y + up.y;
    pose->root.z = j->ankle.z + up.z;
}

static WfMannequinPose squat_pose(const WfCycle* squat, double phase) {
    WfMannequinPose pose = wf_rest_pose(squat->shape);
    double bent = 0.5 - 0.5 * wf_wave(phase + 0.25);
    pose_legs(squat->shape, bent, &pose);
    pose.turns[WF_SPINE] = pose.turns[WF_CHEST] = wf_turn_x(bent * SPINE);
    pose.turns[WF_NECK] = pose.turns[WF_HEAD] = wf_turn_x(bent * NECK);
    wf_set_both(&pose, WF_CLAVICLE, wf_turn_y(-6 * bent));
    wf_set_both(&pose, WF_UPPER_ARM, wf_hang_arm(squat->arms + 10 * bent, bent * ARMS));
    wf_set_both(&pose, WF_FOREARM, wf_bend_elbow(squat->shape, ELBOW));
    return pose;
}

WfCycle wf_plan_squat(const WfMannequinShape* shape) {
    double pace = sqrt(shape->height / 1.7);
    WfCycle squat = {.shape = shape, .pose = squat_pose};
    squat.frame_count = (int)(SECONDS * pace * WF_CLIP_RATE + 0.5);
    for (int i = 0; i <= 4; i++)
        squat.arms = fmax(squat.arms, wf_hanging_angle(shape, 0.25 * i * ARMS, ELBOW, ROOM));
    return squat;
}
