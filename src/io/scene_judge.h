// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How symmetric a scene is, part by part: what the judges of pins and bodies share.

#ifndef WF_IO_SCENE_JUDGE_H
#define WF_IO_SCENE_JUDGE_H

#include "base/plane.h"
#include "io/scene_parts.h"

typedef struct WfSceneJudge {
    const WeftScene* scene;
    const WeftAllocator* allocator;
    const WeftPlane* plane;
    WfPlane mirror;
    // When pins and bodies are looked at: between any two of these, all of them go straight, and
    // turn by little. Later, nothing moves by a motion.
    int moment_count;
    double* moments;
    double time;  // the present one
    WeftSceneSymmetry* symmetry;
    char unlike[200];  // what is unlike its image first, in words
    WeftError* error;
} WfSceneJudge;

// Less than this, m, is rounding.
#define WF_JUDGE_ROUNDING 1e-9

// Keep the worst in *worst, and what it is.
void wf_judge_note(WfSceneJudge* judge, double* worst, double off, const char* what);
// Something has an image, and is not what that is.
void wf_judge_unlike(WfSceneJudge* judge, const char* what);
// The frame of the body around which a cloth lies that is still to be put on: its positions are in
// that frame. False: they are those of the scene.
bool wf_scene_lies_around(const WeftScene* scene, int cloth, double origin[3], double rotation[4]);

// scene_judge_pins.c, scene_judge_bodies.c
WeftResult wf_judge_pins(WfSceneJudge* judge);
WeftResult wf_judge_bodies(WfSceneJudge* judge);

#endif
