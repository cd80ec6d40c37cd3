// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Contact of small steps. A step is taken in rounds of some substeps each:
//
//     step      what may come near what (search.c)
//     round     pairs that are near get a normal each and the sides they are on; vertices near
//               bodies get a plane (planes.c)
//     substep   pairs and planes that are too near push, once, with friction (contact.c)
//     round     every pair is divided: all of its one side beyond all of the other, along the
//               normal that it had at the start of the round (divide.c)
//
// The last one is the guarantee. Two features that a plane divides at the start and at the end of
// a round, of one normal, have one between them all the way where they go in straight lines, and so
// do not pass through each other (Divide and Truncate, of Chen and others). What the search did not
// list cannot meet as long as leaves stray from where it expected them by no more than it allowed
// each of them; those that do are searched for again, and rounds are so short that few do.

#ifndef WF_SMALL_STEPS_CONTACT_H
#define WF_SMALL_STEPS_CONTACT_H

#include "contact/body.h"
#include "small_steps/leaf_tree.h"

// A vertex and a triangle, or two edges, by their points. Normals point from the second feature to
// the first.
typedef enum WfSmallKind { WF_SMALL_POINTS, WF_SMALL_EDGES, WF_SMALL_KINDS } WfSmallKind;

// Which of the two is of a body, and whether that has an inside; the number of the body is above.
enum { WF_OF_BODY_SECOND = 1, WF_OF_BODY_FIRST = 2, WF_OF_SOLID = 4, WF_OF_BODY_BITS = 3 };

typedef struct WfNearList {
    int count, capacity;  // a multiple of 8, and 8 beyond it
    bool failed;          // for want of memory
    void* block;
    int* points[4];
    int* body;     // 0: cloth
    int* leaf[2];  // of the first feature and of the second, among those of cloth and bodies
    float *nx, *ny, *nz;
    float* room;    // m: how far apart they are along the normal, at the start of the round
    float* radius;  // m: of a round body, about its axis, where the first feature is nearest
    float* thickness;
} WfNearList;

// A pair that is near enough to push in this round.
typedef struct WfNearActive {
    int points[4];
    float weights[4];  // of the points: where the first is, less where the second is
    float normal[3];
    float share;  // 1/(sum w weight^2)
    float target, friction;
} WfNearActive;

// Vertices in front of planes of bodies, no vertex twice in a row of eight.
typedef struct WfNearPlanes {
    int count, capacity;
    void* block;
    int* vertex;
    float *nx, *ny, *nz;  // normals, out of the body
    float* offset;        // n.x of what touches, at the start of the round
    float *wx, *wy, *wz;  // how far the body goes there in a substep, m
    float* target;        // m that offset is off the body
    float* friction;
} WfNearPlanes;

// A body in a step. Where it moves, but not evenly along straight lines, its points bow out of
// those by as much.
typedef struct WfSmallBody {
    const WfBody* body;
    const WfLeafTree* tree;  // of triangles, or of the axis of a round one; NULL: it has neither
    float radius;            // m: the larger one of a round body
    WfLeafBoxes boxes;
    int first, point_count;      // its points
    const unsigned char* meets;  // per cloth; NULL: all
    bool off;                    // it meets none
    bool moves, is_straight;     // in this step
    float bow;                   // m
    WfPose from, to;             // of this round,
    WfPoint4 carry[4];           // of exact ones: by x, y, z and 1, how far a point goes in it
    int* nearest;                // per vertex of cloth: the triangle nearest to it, or -1
} WfSmallBody;

// What contact is made for. Arrays are per vertex and stay the caller's.
typedef struct WfSmallContactDef {
    const WfLeafTree* tree;  // of the cloth
    const WfLeafTree* body_trees;
    const WfBody* bodies;
    int vertex_count, body_count, cloth_count;
    const int* cloth_of;
    const double *thickness, *layer;     // m: kept from bodies, and from cloth
    const double *friction, *frictions;  // coefficients; of pairs, or NULL (contact/world.h)
    const float* span;                   // half of the longest edge, m
    double edge;                         // m, a mean one
    bool self;
} WfSmallContactDef;

// Where a body is after a part of the step, 0 to 1: its pose, and its points relative to `origin`
// (out NULL: the pose alone).
typedef void WfSmallPlace(void* context, int body, double part, WfPose* pose, WfPoint4* out);

typedef struct WfSmallContact {
    // constant
    WeftAllocator allocator;
    WfSmallContactDef def;
    int point_count;  // idle ones too
    float slack;      // m: what leaves may stray at most
    float edge, most_layer, most_thickness;
    bool any_round;                       // of the bodies
    float *thickness, *layer, *friction;  // per vertex; the root of friction
    WfArena arena;

    // of a step
    const double* origin;
    const unsigned char* layers_meet;  // per cloth, and cloth; NULL: all do
    WfPoint4 *x, *before, *v;          // points: vertices, idle ones, then those of bodies
    WfPoint4 *next, *last;             // of bodies: at the end of the round, and of the step
    WfPoint4* normals;                 // of bodies' vertices, of any length; w: planes.c
    WfPoint4* start;                   // per vertex: where the round began,
    WfPoint4* undivided;               // and where it led to
    int* groups;             // scratch, per vertex: sets of what could not be divided (links.h),
    unsigned char* grouped;  // what is in one,
    WfPoint4* ways;          // and how they go
    float dt, time, until;   // s: the step, what of it is over, and the horizon of searches
    float drift[3];          // m/s, of all that is searched: the mean of the cloth
    int leaf_count;          // of cloth; those of bodies are behind
    // per leaf of cloth and bodies (leaf_tree.h)
    WfPoint4* motion;
    float *begun, *stray;
    // per leaf of cloth
    unsigned char* anew;    // it is to be searched for
    unsigned char* listed;  // it has pairs
    float* strayed;         // m: how far its points are from where they were expected,
    float* spread;          // m/s: and how much faster or slower than it they are
    bool measured;          // those are as they are now
    float* distance;        // scratch, per vertex: squared, to what is nearest
    WfLeafBoxes boxes;
    WfSmallBody* bodies;
    WfNearList lists[WF_SMALL_KINDS];
    int active_count, active_capacity;
    WfNearActive* active;
    int moving_count, *moving;  // points of bodies that active pairs have
    unsigned char* marked;      // per point: it is one of those
    WfNearPlanes planes;
    bool failed;  // for want of memory

    // what was done in the step
    int searches, pairs, touching, divided, left;
    float deepest;  // m
} WfSmallContact;

enum { WF_FIRST_BODY_POINT = 32 };  // behind the vertices and idle points

WeftResult wf_small_contact_create(const WeftAllocator* allocator, const WfSmallContactDef* def,
                                   WfSmallContact* contact);
void wf_small_contact_destroy(WfSmallContact* contact);
// Points of a body: vertices, or the ends of an axis.
int wf_small_points(const WfBody* body);
// Points that a model's vertices and bodies take, idle ones too.
int wf_small_point_count(int vertex_count, const WfBody* bodies, int body_count);

// A step of dt begins: bodies are placed, with masks and whether they move set.
void wf_small_contact_begin(WfSmallContact* contact, double dt, WfSmallPlace* place, void* context);
enum { WF_MOST_IN_ROUND = 5 };
// A round begins behind `done` of the substeps of the step. Returns of how many it is, `most` at
// most.
int wf_small_round_begin(WfSmallContact* contact, int done, int substeps, int most,
                         WfSmallPlace* place, void* context);
// Contact of substep `index` of the round, 1 and on. move: points of bodies go along first.
void wf_small_contact_move(WfSmallContact* contact, float h);
void wf_small_contact_solve(WfSmallContact* contact, int index);
// Planes of bodies alone.
void wf_small_contact_planes(WfSmallContact* contact, int index);
// The round ends, of so many substeps of h.
void wf_small_round_end(WfSmallContact* contact, int substeps, float h);

// m: of what edges sag between vertices, what these are held off by at most.
static inline float wf_most_sag(const WfSmallContact* c) { return 0.1f * c->edge; }
// search.c: bodies begin the step; before a round leaves that need it are searched for, with so
// many substeps of h left, and the round is told how many of them it has; those that `anew` marks.
void wf_near_begin(WfSmallContact* contact);
int wf_near_search(WfSmallContact* contact, float h, int left, int most);
void wf_near_search_marked(WfSmallContact* contact, float h);
// How far leaves have strayed, how much they spread; as it is now.
void wf_near_measure(WfSmallContact* contact);
// Marks leaves that have strayed too far; how many.
int wf_near_mark_astray(WfSmallContact* contact);
// Room for all pairs among the active ones, of which there are none yet.
void wf_near_ready_active(WfSmallContact* contact);

// A pair of a list goes to another place in it; its room is found anew in every round.
static inline void wf_near_put(WfNearList* list, int from, int to) {
    for (int a = 0; a < 4; a++) list->points[a][to] = list->points[a][from];
    for (int a = 0; a < 2; a++) list->leaf[a][to] = list->leaf[a][from];
    list->body[to] = list->body[from];
    list->thickness[to] = list->thickness[from], list->radius[to] = list->radius[from];
    list->nx[to] = list->nx[from], list->ny[to] = list->ny[from], list->nz[to] = list->nz[from];
}
// Pairs of a list; grows. Where there is no memory, it fails and drops the pair.
void wf_near_grow(const WeftAllocator* allocator, WfNearList* list);
// The coefficient of friction of a vertex on a body, and of a pair.
float wf_friction_on_body(const WfSmallContact* contact, int vertex, int body);
float wf_near_friction(const WfSmallContact* contact, WfSmallKind kind, const WfNearList* list,
                       int pair);
// Brings a pair apart by a plane; 0 where it was by then.
int wf_near_divide(WfSmallContact* contact, WfSmallKind kind, int pair, float share);
// Puts the vertices of a pair of cloth into one group; 0 where they are.
int wf_near_join(WfSmallContact* contact, WfSmallKind kind, int pair, float share);
// The square of how far a vertex is from the triangle of a body that it is nearest to.
float wf_near_square(const WfSmallContact* contact, const WfSmallBody* body, int vertex);
// Goes on to the triangle that a vertex is nearest to by now; 0: it is the same.
int wf_near_walk(const WfSmallContact* contact, WfSmallBody* body, int vertex);
// By how much normals of a body turn outwards along the edges around a vertex of it, 1/m, at most.
float wf_near_bend(const WfSmallContact* contact, const WfSmallBody* body, int vertex);
// Vertices in front of bodies: their planes for a round of substeps of h.
void wf_near_find_planes(WfSmallContact* contact, float horizon, float h);

#endif
