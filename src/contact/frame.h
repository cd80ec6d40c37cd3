// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The frames of pieces of cloth: how a piece moves in a substep, seen as a whole.

#ifndef WF_CONTACT_FRAME_H
#define WF_CONTACT_FRAME_H

#include "base/plane.h"
#include "contact/body.h"

typedef struct WfFrame {
    WfPose from, to;
    bool is_symmetric;  // the piece reaches into the plane of a mirror
    int pin_count;
    double weight;     // of all that counts
    double spread[9];  // of pins: from, times to, about both means
} WfFrame;

// Of every piece from x0 to x1. Where a piece has several pins it goes and turns with them, by
// their means and by the turn that leaves the least; else it goes by the mean of all of it, and
// does not turn. What is one with its image in a mirror has the frame of both.
void wf_find_frames(const WfSurface* cloth, const WfPlane* mirror, const double* x0,
                    const double* x1, const double* masses, const unsigned char* pinned,
                    WfFrame* frames);
// Of some points, likewise. which: of both arrays. mirror: NULL without images
WfFrame wf_fit_frame(int count, const int* which, const double* from, const double* to,
                     const WfPlane* mirror);
// By how much a point goes along with a frame. x: at the start
WfVec wf_frame_way(const WfFrame* frame, WfVec x);

#endif
