// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Legs that reach for where their feet are, and curves through keys.

#include "garment/mannequin_pose.h"

// Slopes are harmonic means (Fritsch and Butland 1984).
static double key_slope(const WfKey* keys, int count, int i) {
    if (i == 0 || i == count - 1) return 0;
    double left = (keys[i].degrees - keys[i - 1].degrees) / (keys[i].phase - keys[i - 1].phase);
    double right = (keys[i + 1].degrees - keys[i].degrees) / (keys[i + 1].phase - keys[i].phase);
    return left * right > 0 ? 2 * left * right / (left + right) : 0;
}

double wf_key_curve(const WfKey* keys, int count, double phase) {
    int i = 0;
    while (i + 2 < count && keys[i + 1].phase <= phase) i++;
    double h = keys[i + 1].phase - keys[i].phase, s = (phase - keys[i].phase) / h;
    double a = keys[i].degrees, b = keys[i + 1].degrees;
    double p = h * key_slope(keys, count, i), q = h * key_slope(keys, count, i + 1);
    return (1 + 2 * s) * (1 - s) * (1 - s) * a + s * (1 - s) * (1 - s) * p +
           s * s * (3 - 2 * s) * b + s * s * (s - 1) * q;
}

// ---------------------------------------------------------------------------------------------

WfFrame wf_pitch_foot(const WfMannequinShape* shape, double degrees) {
    return wf_turn(wf_cross(shape->joints.foot_axis, (WfVec){0, 1, 0}), degrees);
}

// The turn that takes one pair of directions, at right angles, to another.
static WfFrame turn_between(WfVec from, WfVec from_front, WfVec to, WfVec to_front) {
    WfVec f[3] = {from, from_front, wf_cross(from, from_front)};
    WfVec t[3] = {to, to_front, wf_cross(to, to_front)};
    double m[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
        double a[3] = {t[k].x, t[k].y, t[k].z}, b[3] = {f[k].x, f[k].y, f[k].z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) m[i][j] += a[i] * b[j];
    }
    // legs turn by less than half a turn: w is far from 0
    double w = 0.5 * sqrt(fmax(1 + m[0][0] + m[1][1] + m[2][2], 1e-6));
    WfVec turn = {(m[2][1] - m[1][2]) / (4 * w), (m[0][2] - m[2][0]) / (4 * w),
                  (m[1][0] - m[0][1]) / (4 * w)};
    return (WfFrame){.turn = turn, .w = w};
}

static WfVec at_right_angles(WfVec v, WfVec unit) { return wf_unit(wf_sub(v, wf_along(unit, v))); }

static WfFrame relative(WfFrame parent, WfFrame turn) {
    return wf_frame_join(wf_frame_invert(parent), turn);
}

WfLeg wf_bend_leg(const WfMannequinShape* shape, WfFrame pelvis, WfVec ankle, double foot,
                  double toes) {
    const WfJoints* j = &shape->joints;
    WfVec hip = wf_frame_apply(pelvis, wf_sub(j->hip, j->pelvis));
    WfVec front = {0.5 * j->foot_axis.x, 0, 1}, upper = wf_sub(j->knee, j->hip);
    WfVec lower = wf_sub(j->ankle, j->knee), line = wf_sub(ankle, hip);
    double a = wf_length(upper), b = wf_length(lower), length = wf_length(line);
    double c = fmin(length, WF_STRAIGHTEST * (a + b));
    WfVec down = wf_unit(line), forward = at_right_angles(front, down);
    double along = (a * a - b * b + c * c) / (2 * c);
    WfVec knee = wf_madd(wf_mul(along, down), sqrt(fmax(a * a - along * along, 0)), forward);
    WfVec shin_line = wf_unit(wf_sub(wf_mul(c, down), knee));
    knee = wf_unit(knee);
    upper = wf_unit(upper);
    lower = wf_unit(lower);
    WfFrame thigh =
        turn_between(upper, at_right_angles(front, upper), knee, at_right_angles(front, knee));
    WfFrame shin = turn_between(lower, at_right_angles(front, lower), shin_line,
                                at_right_angles(front, shin_line));
    return (WfLeg){
        .turns = {relative(pelvis, thigh), relative(thigh, shin),
                  relative(shin, wf_pitch_foot(shape, foot)), wf_pitch_foot(shape, toes)},
        .stretch = length / (a + b)};
}
