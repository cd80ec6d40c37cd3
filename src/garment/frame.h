// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Rigid frames: an origin and a rotation, as a unit quaternion x y z w.

#ifndef WF_GARMENT_FRAME_H
#define WF_GARMENT_FRAME_H

#include "base/vec.h"

typedef struct WfFrame {
    WfVec origin;
    WfVec turn;  // x y z of the quaternion
    double w;
} WfFrame;

static inline WfFrame wf_frame_of(const double origin[3], const double rotation[4]) {
    return (WfFrame){
        {origin[0], origin[1], origin[2]}, {rotation[0], rotation[1], rotation[2]}, rotation[3]};
}

// v turned by the frame: v + 2 w (q x v) + 2 q x (q x v)
static inline WfVec wf_frame_turn(WfFrame frame, WfVec v) {
    WfVec once = wf_mul(2, wf_cross(frame.turn, v));
    return wf_add(wf_madd(v, frame.w, once), wf_cross(frame.turn, once));
}

static inline WfVec wf_frame_apply(WfFrame frame, WfVec v) {
    return wf_add(frame.origin, wf_frame_turn(frame, v));
}

// What applies `inner` first.
static inline WfFrame wf_frame_join(WfFrame outer, WfFrame inner) {
    WfFrame joined = {.origin = wf_frame_apply(outer, inner.origin)};
    joined.w = outer.w * inner.w - wf_dot(outer.turn, inner.turn);
    joined.turn = wf_madd(wf_madd(wf_cross(outer.turn, inner.turn), outer.w, inner.turn), inner.w,
                          outer.turn);
    return joined;
}

// The same of rotations alone; `joined` may be one of them.
static inline void wf_join_rotations(const double outer[4], const double inner[4],
                                     double joined[4]) {
    static const double nowhere[3] = {0, 0, 0};
    WfFrame both = wf_frame_join(wf_frame_of(nowhere, outer), wf_frame_of(nowhere, inner));
    wf_store(joined, 0, both.turn);
    joined[3] = both.w;
}

static inline WfFrame wf_frame_invert(WfFrame frame) {
    WfFrame inverse = {.turn = wf_mul(-1, frame.turn), .w = frame.w};
    inverse.origin = wf_mul(-1, wf_frame_turn(inverse, frame.origin));
    return inverse;
}

// On the shorter arc from a (0) to b (1), by a line between the quaternions: even enough where
// frames follow each other closely, and the same bits everywhere.
static inline WfFrame wf_frame_blend(WfFrame a, WfFrame b, double t) {
    double side = wf_dot(a.turn, b.turn) + a.w * b.w < 0 ? -1 : 1;
    WfFrame mixed = {.origin = wf_madd(wf_mul(1 - t, a.origin), t, b.origin),
                     .turn = wf_madd(wf_mul(1 - t, a.turn), side * t, b.turn),
                     .w = (1 - t) * a.w + side * t * b.w};
    double length = sqrt(wf_dot(mixed.turn, mixed.turn) + mixed.w * mixed.w);
    if (!(length > 0)) return a;
    mixed.turn = wf_mul(1 / length, mixed.turn);
    mixed.w /= length;
    return mixed;
}

#endif
