// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The mannequin as a field: below 0 inside, about the distance from the surface near it.

#ifndef WF_GARMENT_MANNEQUIN_SHAPE_H
#define WF_GARMENT_MANNEQUIN_SHAPE_H

#include "base/vec.h"
#include "weft/weft_garment.h"

enum { WF_STATIONS = 24, WF_STATION_VALUES = 7, WF_SWELLS = 4 };

// What a loft is made of at one place along its axis: the middle of the section, how far it reaches
// from there to both sides across and in depth, and how square it is (0: elliptic).
typedef enum WfStationValue {
    WF_ACROSS,
    WF_DEEP,
    WF_ACROSS_MORE,
    WF_ACROSS_LESS,
    WF_DEEP_MORE,
    WF_DEEP_LESS,
    WF_SQUARE,
} WfStationValue;

// Sections along a straight axis, with rounded ends.
typedef struct WfLoft {
    WfVec origin, axis, across, deep;  // the last three of length 1, at right angles
    int count;
    double at[WF_STATIONS];
    double value[WF_STATIONS][WF_STATION_VALUES];
    double slope[WF_STATIONS][WF_STATION_VALUES];
    double cap[2];  // how far the ends bulge
} WfLoft;

// A ball that becomes another one: the hull of two balls.
typedef struct WfSwell {
    WfVec from, to;
    double from_radius, to_radius;
    double blend;  // how far it flows into the torso
} WfSwell;

// Where joints are, of the left side; metres.
typedef struct WfJoints {
    WfVec pelvis, spine, chest, neck, head;
    WfVec clavicle, shoulder, elbow, wrist, hand_end;
    WfVec hip, knee, ankle, toes, heel, toe_end;
    WfVec arm_axis, foot_axis;
} WfJoints;

typedef struct WfMannequinShape {
    double height;
    WfLoft torso, head, leg, foot, arm;  // limbs of the left side
    int swell_count;
    WfSwell swells[WF_SWELLS];  // of the left side
    WfSwell thumb, nose;
    WfJoints joints;
    double chest_height, waist_height, hip_height;
    double trunk_reach;  // x beyond which there are arms only
} WfMannequinShape;

// The shape of measures that are all given; girths are met.
void wf_mannequin_shape(const WeftMannequinDef* def, WfMannequinShape* shape);
// The measures of a kind that nobody changed.
WeftMannequinDef wf_mannequin_measures(WeftMannequinKind kind);

double wf_mannequin_field(const WfMannequinShape* shape, WfVec p);
// The field, and its gradient.
double wf_mannequin_gradient(const WfMannequinShape* shape, WfVec p, WfVec* gradient);
// p moved onto the surface.
WfVec wf_mannequin_project(const WfMannequinShape* shape, WfVec p);
// Its parts: of the left side, where there are two.
double wf_mannequin_trunk(const WfMannequinShape* shape, WfVec p);
double wf_mannequin_leg(const WfMannequinShape* shape, WfVec p);
double wf_mannequin_arm(const WfMannequinShape* shape, WfVec p);
// What a tape around the trunk at a height measures.
double wf_mannequin_girth(const WfMannequinShape* shape, double y);

#endif
