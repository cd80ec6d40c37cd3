// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies: what cloth touches and cannot move. Planes, spheres and capsules are exact; boxes and
// meshes are triangles.

#ifndef WF_CONTACT_BODY_H
#define WF_CONTACT_BODY_H

#include "base/vec.h"
#include "contact/pairs.h"

// Where a body's frame is: position, rotation as a unit quaternion x y z w.
typedef struct WfPose {
    double position[3], rotation[4];
} WfPose;

WfVec wf_pose_point(const WfPose* pose, WfVec local);  // to the world
WfVec wf_pose_local(const WfPose* pose, WfVec world);  // and back
WfVec wf_pose_turn(const WfPose* pose, WfVec local);   // a direction
// How far a point that goes by `way`, and turns along by a unit quaternion x y z w, is after `part`
// of it, 0 to 1: on the arc about the axis that such a motion has. All points of one frame agree.
WfVec wf_screw_way(const double turn[4], WfVec way, double part);
// The turn that leads from one rotation to another.
void wf_turn_from(const double from[4], const double to[4], double turn[4]);
// `part` of the way from one to the other, likewise.
WfPose wf_pose_between(const WfPose* from, const WfPose* to, double part);

// How far a frame goes, m, and how far its turn takes a point, by the distance from its origin.
void wf_pose_travel(const WfPose* from, const WfPose* to, double* way, double* chord);

typedef struct WfBody {
    WeftBodyKind kind;
    double radius, length, size[3], friction;
    WfPose start;
    bool exact;    // plane, sphere, capsule
    double reach;  // m, no point of it is further from its frame's origin; planes: endless
    double low[3], high[3];  // m, its box in its own frame,
    WfVec middle;            // and the mean of its vertices
    double least_size;       // m, half of its smallest extent
    int vertex_count;   // as triangles: what is touched of boxes and meshes, what is drawn of all
    double* positions;  // in its own frame
    WfSurface surface;
    int* sharp_edges;  // boxes and meshes: of the surface (sharp.h)
    int sharp_count;
    bool solid;        // boxes and meshes: it has an inside (solid.h)
    bool is_mirror;    // a plane that stands for the mirror image of the cloth,
    double most_hold;  // m, and holds it no further off than this
} WfBody;

// m: a vertex that is less deep inside of a body touches it; that may be rounding
#define WF_TOUCHES 1e-6

// Sphere or capsule.
bool wf_is_round(const WfBody* body);

WeftResult wf_body_check(const WeftBodyDef* def, WeftError* error);
WeftResult wf_body_create(const WeftAllocator* allocator, const WeftBodyDef* def, WfBody* body);
void wf_body_destroy(const WeftAllocator* allocator, WfBody* body);

// What pairs are searched for.
typedef enum WfPurpose { WF_FOR_CONTACTS, WF_FOR_DEFENCE, WF_PURPOSES } WfPurpose;

// A body during a substep.
typedef struct WfMover {
    const WfBody* body;
    WfPose from, to;             // at the start and the end of the substep
    double *x0, *x1;             // boxes and meshes: their vertices then, in the world; else NULL
    bool moves;                  // boxes and meshes: some of their vertices do
    bool deforms;                // its shape changes in this substep
    bool fitted;                 // its tree is, to this way
    WfTree tree;                 // boxes and meshes
    WfPairs pairs[WF_PURPOSES];  // cloth is first, the body second
    bool swept[WF_PURPOSES];     // they were searched for along a way of its own
} WfMover;

// An exact body from outside: the point of its surface nearest to p, at the pose given, and the
// normal there, pointing outwards. Returns the distance, negative inside.
double wf_body_distance(const WfBody* body, const WfPose* pose, WfVec p, WfVec* normal);
// The same in its own frame.
double wf_body_local_distance(const WfBody* body, WfVec p, WfVec* normal);
// Where the straight way from a to b, in its own frame, comes nearer than `keep`, and the normal
// there; b where it never does.
WfVec wf_body_meet(const WfBody* body, WfVec a, WfVec b, double keep, WfVec* normal);
// How far a point moves with the body from the start to the end of the substep, where p is a point
// of its surface at the start, in the world. Exact bodies.
WfVec wf_body_carry(const WfMover* mover, WfVec p);

#endif
