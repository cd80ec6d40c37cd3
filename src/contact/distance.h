// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Signed distance fields: samples on a grid, or a function, in a box beyond which all is outside.

#ifndef WF_CONTACT_DISTANCE_H
#define WF_CONTACT_DISTANCE_H

#include "contact/shape.h"

typedef struct WfDistance {
    double low[3], high[3];  // m, its box
    double cell;             // m
    int counts[3];
    float* values;  // ours; NULL: by the function
    double (*function)(void* user, const double p[3], double gradient[3]);
    void* user;
} WfDistance;

WeftResult wf_distance_check(const WeftDistanceDef* def, WeftError* error);
WeftResult wf_distance_create(const WeftAllocator* allocator, const WeftDistanceDef* def,
                              WfDistance* field);
void wf_distance_destroy(const WeftAllocator* allocator, WfDistance* field);

// The distance at p, and the unit vector along which it grows (NULL: not asked for). Beyond the
// box, no more than the distance. Never more than a body that ends with the box would have.
double wf_distance_at(const WfDistance* field, WfVec p, WfVec* normal);
// Where the straight way from a to b comes nearer than `keep`, and the normal there; b where it
// never does.
WfVec wf_distance_meet(const WfDistance* field, WfVec a, WfVec b, double keep, WfVec* normal);
// Its surface as triangles, for drawing.
WeftResult wf_distance_shape(const WeftAllocator* allocator, const WfDistance* field,
                             WfShape* shape);

#endif
