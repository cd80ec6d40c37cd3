// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The figures that mannequins are made from. Lengths are in thousandths of the body's height.

#ifndef WF_GARMENT_MANNEQUIN_FIGURES_H
#define WF_GARMENT_MANNEQUIN_FIGURES_H

#include <stdbool.h>

// A section of torso, head or leg at a height: half widths to the outside and to the inside, the
// middle in z, and from there the depth to the front and to the back; squareness.
typedef struct WfFigureRow {
    double y, outer, inner, z, front, back, square;
} WfFigureRow;

// A section of the arm at a distance from the shoulder: half width along z, to the outside and to
// the inside of the arm; how far its middle is to the inside. Of the foot at a distance from the
// ankle: half width, height of the top, and how far its middle is to the outside.
typedef struct WfLimbRow {
    double t, wide, high, low, shift, square;
} WfLimbRow;

// Two balls on the left of the trunk (see WfSwell): x y z and radius.
typedef struct WfSwellRow {
    double from[4], to[4], blend;
} WfSwellRow;

enum { WF_FIGURE_ROWS = 24, WF_LIMB_ROWS = 18, WF_SWELL_ROWS = 3 };

typedef struct WfFigureTable {
    double height, chest, waist, hips;  // metres
    double chest_height, waist_height, hip_height, crotch_height;
    double hip, knee, ankle, shoulder, neck, head;  // heights of joints
    double shoulder_x, shoulder_z, neck_z;
    double upper_arm, forearm, hand;  // lengths
    double foot, heel;                // from the ankle's middle to the front and to the back
    double gap;                       // half of what is between the thighs
    bool grows;                       // taller ones are older: heads are nearly grown already
    WfFigureRow torso[WF_FIGURE_ROWS], head_rows[WF_FIGURE_ROWS], leg[WF_FIGURE_ROWS];
    WfLimbRow arm[WF_LIMB_ROWS], foot_rows[WF_LIMB_ROWS];
    WfSwellRow swells[WF_SWELL_ROWS];
} WfFigureTable;

extern const WfFigureTable wf_figure_tables[3];  // by WeftMannequinKind

#endif
