// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Bodies: what cloth touches and cannot move. Planes, round ones (spheres, capsules, tapered
// capsules) and distance fields are exact: they know how far a point is. Boxes, hulls and meshes
// are triangles.

#ifndef WF_CONTACT_BODY_H
#define WF_CONTACT_BODY_H

#include "base/vec.h"
#include "contact/distance.h"
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
    // of round ones: a sphere about either end of an axis along y, and all between them. Those of
    // spheres are the same, and those of capsules as large
    double ends[2], radii[2];
    double radius;  // m, the smaller of them; of a field, what it takes to pass through it unseen
    double size[3], friction;
    WfDistance distance;
    uint32_t layer, mask;
    WfPose start;
    bool exact;    // plane, round, distance field
    double reach;  // m, no point of it is further from its frame's origin; planes: endless
    double low[3], high[3];  // m, its box in its own frame,
    WfVec middle;            // and the mean of its vertices
    double least_size;       // m, half of its smallest extent
    int vertex_count;        // as triangles (shape.h)
    double* positions;       // in its own frame
    WfSurface surface;
    int* sharp_edges;  // of triangles: of the surface (sharp.h)
    int sharp_count;
    bool solid;        // of triangles: it has an inside (solid.h)
    bool is_mirror;    // a plane that stands for the mirror image of the cloth,
    double most_hold;  // m, and holds it no further off than this
} WfBody;

// m: a vertex that is less deep inside of a body touches it; that may be rounding
#define WF_TOUCHES 1e-6

// Sphere, capsule or tapered capsule.
bool wf_is_round(const WfBody* body);
// Round or a distance field: triangles of cloth may be in it though their corners are not.
bool wf_has_between(const WfBody* body);
// Hull or mesh: triangles that are searched, as nothing else is known of them.
bool wf_is_mesh(const WfBody* body);

WeftResult wf_body_check(const WeftBodyDef* def, WeftError* error);
WeftResult wf_body_create(const WeftAllocator* allocator, const WeftBodyDef* def, WfBody* body);
size_t wf_body_bytes(const WfBody* body);  // about
void wf_body_destroy(const WeftAllocator* allocator, WfBody* body);

// What pairs are searched for.
typedef enum WfPurpose { WF_FOR_CONTACTS, WF_FOR_DEFENCE, WF_PURPOSES } WfPurpose;

// A body during a substep.
typedef struct WfMover {
    const WfBody* body;
    WfPose from, to;             // at the start and the end of the substep
    const unsigned char* meets;  // per cloth: whether they touch; NULL: all do
    bool off;                    // none does
    double *x0, *x1;             // of triangles: their vertices then, in the world; else NULL
    bool moves;                  // of triangles: some of their vertices do
    bool deforms;                // its shape changes in this substep
    bool fitted;                 // its tree is, to this way
    WfTree tree;                 // of triangles
    WfPairs pairs[WF_PURPOSES];  // cloth is first, the body second
    bool swept[WF_PURPOSES];     // they were searched for along a way of its own
} WfMover;

static inline bool wf_is_exact(const WfMover* mover) { return mover->body->exact && !mover->off; }
static inline bool wf_is_surface(const WfMover* mover) {
    return !mover->body->exact && !mover->off;
}

// An exact body from outside: the point of its surface nearest to p, at the pose given, and the
// normal there, pointing outwards. Returns the distance, negative inside.
double wf_body_distance(const WfBody* body, const WfPose* pose, WfVec p, WfVec* normal);
// The same in its own frame. NULL where the normal does not matter: fields are faster then.
double wf_body_local_distance(const WfBody* body, WfVec p, WfVec* normal);
// Where the straight way from a to b, in its own frame, comes nearer than `keep`, and the normal
// there; b where it never does.
WfVec wf_body_meet(const WfBody* body, WfVec a, WfVec b, double keep, WfVec* normal);
// How far a point moves with the body from the start to the end of the substep, where p is a point
// of its surface at the start, in the world. Exact bodies.
WfVec wf_body_carry(const WfMover* mover, WfVec p);

#endif
