// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Armpits, shoulders, arms and wrists. Going up from the waist, the ring of the trunk becomes
// suddenly wide on a side where the arm joins it: at the saddle of the armpit for arms that hang,
// at their lower side for arms held out.
//
//                tip of the shoulder: the top of the body above the armpit
//        ____.  /
//       (     `.         the arm is cut across, from the tip of the hand to the shoulder:
//     --+---.   `.       first across the straight line between the two, then across the line of
//       | armpit  `. \   the middles that this gives
//       |           `/
//                     tip of the hand: what is farthest out

#include <string.h>

#include "base/angle.h"
#include "base/error.h"
#include "garment/measure.h"

enum { CUTS = 48 };  // across an arm

typedef struct Arm {
    double side;  // 1: left, at +x; -1: right
    bool found;
    double armpit, reach;     // height of the armpit; how far it is from the middle
    WfVec shoulder;           // tip
    WfVec tip;                // of the hand
    WfVec middles[CUTS + 1];  // from the tip of the hand to the shoulder
    double girths[CUTS + 1];  // 0: none
    WfVec wrist;
    double wrist_girth, upper_girth, length, angle;
} Arm;

// ---------------------------------------------------------------------------------------------
// Armpits

// How far the trunk reaches out on a side.
static WeftResult find_reach(WfMeasuring* m, double side, double level, double* reach) {
    WfRing trunk;
    WeftResult result = wf_slice_trunk(m, level, &trunk);
    *reach = 0;
    if (!result && trunk.girth > 0)
        *reach = side > 0 ? trunk.high.u - m->middle : m->middle - trunk.low.u;
    return result;
}

// Between a height at which the trunk is narrow and one at which it is wide.
static WeftResult refine_armpit(WfMeasuring* m, Arm* arm, double low, double high, double limit) {
    for (int i = 0; i < 10; i++) {
        double level = (low + high) / 2, reach;
        WeftResult result = find_reach(m, arm->side, level, &reach);
        if (result) return result;
        if (reach > limit) {
            high = level;
        } else {
            low = level;
            arm->reach = reach;
        }
    }
    arm->armpit = low;
    return WEFT_OK;
}

// Over 0.02 of the height the trunk of no body becomes wider by 0.035 of it.
static WeftResult find_armpit(WfMeasuring* m, Arm* arm) {
    enum { BACK = 4 };
    const double step = 0.005 * m->height;
    double reaches[BACK + 1] = {0};
    double from = m->out->crotch_height + 0.12 * m->height;
    int count = 0;
    for (double level = from; level < 0.92 * m->height; level += step, count++) {
        memmove(reaches, reaches + 1, BACK * sizeof *reaches);
        WeftResult result = find_reach(m, arm->side, level, &reaches[BACK]);
        if (result) return result;
        double gain = reaches[BACK] - reaches[0];
        if (count < BACK || !(reaches[0] > 0) || gain < 0.035 * m->height) continue;
        arm->found = true;
        arm->reach = reaches[0];
        return refine_armpit(m, arm, level - BACK * step, level, reaches[0] + 0.012 * m->height);
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Shoulders and hands

// The highest point above the end of the bone. The fold of the armpit is farther out the higher the
// arm is held, and the bone is not: it is at 0.88 of the fold's distance from the middle with arms
// held out, 1.03 of it at 45 degrees, 1.2 with arms that hang (fitted to mannequins).
static WeftResult find_shoulder(WfMeasuring* m, Arm* arm) {
    double run = fabs(arm->tip.x - m->middle) - arm->reach;
    double fall = m->floor + arm->armpit - arm->tip.y;
    double angle = fmax(0, wf_angle_of(fall, fmax(run, 0)) * (180 / WF_PI));
    double part = 0.88 + angle * (0.0025 + angle * 0.000018);
    double x = m->middle + arm->side * part * arm->reach;
    WfPlane plane = {{x, 0, 0}, {0, 0, 1}, {0, 1, 0}};
    WeftResult result = wf_slice(m->slicer, &plane, m->error);
    if (result) return result;
    arm->shoulder = (WfVec){x, m->floor + arm->armpit + 0.07 * m->height, m->middle_z};
    double highest = m->floor + arm->armpit, limit = highest + 0.16 * m->height;
    for (int i = 0; i < wf_ring_count(m->slicer); i++) {
        const WfRing* ring = wf_ring(m->slicer, i);
        const WfFlat* hull = wf_ring_hull(m->slicer, ring);
        for (int k = 0; k < ring->hull_count; k++) {
            if (!(hull[k].v > highest && hull[k].v < limit)) continue;
            highest = hull[k].v;
            arm->shoulder = (WfVec){x, hull[k].v, hull[k].u};
        }
    }
    return WEFT_OK;
}

static void find_tip(WfMeasuring* m, Arm* arm) {
    double farthest = -INFINITY;
    for (int v = 0; v < m->vertex_count; v++) {
        WfVec x = wf_load(m->positions, v);
        double out = arm->side * (x.x - m->middle);
        if (x.y - m->floor < 0.3 * m->height || out <= farthest) continue;
        farthest = out;
        arm->tip = x;
    }
}

// ---------------------------------------------------------------------------------------------
// Cuts across

// One tape around all that is near `at` in the plane across `along`: fingers are several rings.
static WeftResult cut_across(WfMeasuring* m, WfVec at, WfVec along, WfVec* middle, double* girth) {
    enum { MOST = 64 };
    WfVec side = wf_unit(wf_cross(along, (WfVec){0, 0, 1}));
    WfPlane plane = {at, side, wf_cross(along, side)};
    bool chosen[MOST] = {false};
    WfRing tape = {0};
    WeftResult result = wf_slice(m->slicer, &plane, m->error);
    if (result) return result;
    int count = wf_ring_count(m->slicer);
    for (int i = 0; i < count && i < MOST; i++) {
        const WfRing* ring = wf_ring(m->slicer, i);
        chosen[i] = wf_flat_length(ring->centre.u, ring->centre.v) < 0.06 * m->height &&
                    ring->girth < 0.4 * m->height;
    }
    if (count <= MOST) tape = wf_tape(m->slicer, chosen);
    *girth = tape.girth;
    *middle = wf_madd(wf_madd(at, tape.centre.u, plane.across), tape.centre.v, plane.up);
    return WEFT_OK;
}

// Across the straight line, then across the line of the middles.
static WeftResult cut_arm(WfMeasuring* m, Arm* arm) {
    WfVec root = wf_madd(arm->shoulder, -0.035 * m->height, (WfVec){0, 1, 0});
    WfVec way = wf_sub(root, arm->tip), along = wf_unit(way);
    WfVec first[CUTS + 1];
    for (int i = 0; i <= CUTS; i++) {
        WfVec at = wf_madd(arm->tip, (i + 0.5) / (CUTS + 1), way);
        // an arm that bends goes on beside the line
        if (i > 2 && arm->girths[i - 1] > 0)
            at = wf_add(at, wf_mul(0.7, wf_sub(first[i - 1],
                                               wf_madd(arm->tip, (i - 0.5) / (CUTS + 1), way))));
        WeftResult result = cut_across(m, at, along, &first[i], &arm->girths[i]);
        if (result) return result;
        if (!(arm->girths[i] > 0)) first[i] = at;
    }
    memcpy(arm->middles, first, sizeof first);
    for (int i = 4; i <= CUTS - 4; i++) {
        WfVec local = wf_unit(wf_sub(first[i + 4], first[i - 4]));
        if (wf_dot(local, along) < 0.7) continue;
        WfVec middle;
        double girth;
        WeftResult result = cut_across(m, first[i], local, &middle, &girth);
        if (result) return result;
        if (!(girth > 0)) continue;
        arm->middles[i] = middle;
        arm->girths[i] = girth;
    }
    return WEFT_OK;
}

// The smallest girth from 0.07 to 0.16 of the height behind the tip of the hand, which is 0.11 long
// on most bodies; the largest of the upper arm, short of the armpit.
static void find_wrist(const WfMeasuring* m, Arm* arm) {
    double length = 0, least = INFINITY, most = 0;
    int wrist = CUTS / 5;
    for (int i = 1; i <= CUTS / 2; i++) {
        length += wf_length(wf_sub(arm->middles[i], arm->middles[i - 1]));
        if (length < 0.07 * m->height || length > 0.16 * m->height) continue;
        if (!(arm->girths[i] > 0) || arm->girths[i] >= least) continue;
        least = arm->girths[i];
        wrist = i;
    }
    for (int i = CUTS * 11 / 20; i <= CUTS * 5 / 6; i++) most = fmax(most, arm->girths[i]);
    arm->wrist = arm->middles[wrist];
    arm->wrist_girth = least < HUGE_VAL ? least : 0.095 * m->height;
    arm->upper_girth = most > 0 ? most : 0.17 * m->height;
    int elbow = (wrist + CUTS) / 2;
    arm->length = wf_length(wf_sub(arm->shoulder, arm->middles[elbow])) +
                  wf_length(wf_sub(arm->middles[elbow], arm->wrist));
    WfVec upper = arm->middles[CUTS * 3 / 4], way = wf_sub(arm->wrist, upper);
    arm->angle = wf_angle_of(-way.y, wf_flat_length(way.x, way.z)) * (180 / WF_PI);
}

static WeftResult measure_arm(WfMeasuring* m, Arm* arm) {
    WeftResult result = find_armpit(m, arm);
    if (result || !arm->found) return result;
    find_tip(m, arm);
    result = find_shoulder(m, arm);
    if (result) return result;
    arm->found = wf_length(wf_sub(arm->tip, arm->shoulder)) > 0.2 * m->height;
    if (arm->found) result = cut_arm(m, arm);
    if (!result && arm->found) find_wrist(m, arm);
    return result;
}

// ---------------------------------------------------------------------------------------------

static void mirror(const WfMeasuring* m, const Arm* from, Arm* to) {
    double side = to->side;
    *to = *from;
    to->side = side;
    to->shoulder.x = 2 * m->middle - from->shoulder.x;
    to->wrist.x = 2 * m->middle - from->wrist.x;
}

WeftResult wf_measure_arms(WfMeasuring* m) {
    Arm arms[2] = {{.side = 1}, {.side = -1}};
    for (int i = 0; i < 2; i++) {
        WeftResult result = measure_arm(m, &arms[i]);
        if (result) return result;
    }
    if (!arms[0].found && !arms[1].found)
        return wf_fail(m->error, WEFT_ERROR_INPUT,
                       "the arms cannot be told from the trunk: at no height does the trunk become "
                       "suddenly wide (are the arms held away from its sides?)");
    if (!arms[0].found) mirror(m, &arms[1], &arms[0]);
    if (!arms[1].found) mirror(m, &arms[0], &arms[1]);
    const Arm *left = &arms[0], *right = &arms[1];
    WeftMeasures* out = m->out;
    out->armpit_height = fmin(left->armpit, right->armpit);
    out->shoulder_height = (left->shoulder.y + right->shoulder.y) / 2 - m->floor;
    out->shoulder_width = left->shoulder.x - right->shoulder.x;
    out->wrist = (left->wrist_girth + right->wrist_girth) / 2;
    out->upper_arm = (left->upper_girth + right->upper_girth) / 2;
    out->arm_length = (left->length + right->length) / 2;
    out->arm_angle = (left->angle + right->angle) / 2;
    wf_store(out->shoulder, 0, left->shoulder);
    wf_store(out->wrist_at, 0, left->wrist);
    return WEFT_OK;
}
