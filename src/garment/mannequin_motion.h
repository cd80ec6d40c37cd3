// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bones, skin and clips of the mannequin, into a figure that has its mesh.

#ifndef WF_GARMENT_MANNEQUIN_MOTION_H
#define WF_GARMENT_MANNEQUIN_MOTION_H

#include "garment/mannequin_shape.h"

typedef enum WfMannequinBone {
    WF_PELVIS,
    WF_SPINE,
    WF_CHEST,
    WF_NECK,
    WF_HEAD,
    WF_LEFT,  // the first of a side: what follows, of the left side
    WF_CLAVICLE = WF_LEFT,
    WF_UPPER_ARM,
    WF_FOREARM,
    WF_HAND,
    WF_THIGH,
    WF_SHIN,
    WF_FOOT,
    WF_TOES,
    WF_RIGHT,  // and in the same order, of the right side
    WF_SIDE_BONES = WF_RIGHT - WF_LEFT,
    WF_MANNEQUIN_BONES = WF_RIGHT + WF_SIDE_BONES,
} WfMannequinBone;

// The bone on the other side; bones of the middle are their own.
static inline int wf_mirror_bone(int bone) {
    if (bone < WF_LEFT) return bone;
    return bone < WF_RIGHT ? bone + WF_SIDE_BONES : bone - WF_SIDE_BONES;
}

void wf_mannequin_bones(const WfMannequinShape* shape, WeftBone* bones);
// Vertices with x > 0 have their mirror image after them.
WeftResult wf_mannequin_skin(const WfMannequinShape* shape, WeftFigure* figure, WeftError* error);
WeftResult wf_mannequin_clips(const WfMannequinShape* shape, WeftFigure* figure, WeftError* error);

#endif
