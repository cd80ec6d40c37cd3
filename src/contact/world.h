// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Everything that contact sees in one substep, and finding what is near.

#ifndef WF_CONTACT_WORLD_H
#define WF_CONTACT_WORLD_H

#include "base/plane.h"
#include "contact/body.h"
#include "contact/contact.h"
#include "contact/flat.h"
#include "contact/impulse.h"
#include "contact/runs.h"
#include "contact/tangle.h"
#include "contact/zone.h"

typedef struct WfWorld WfWorld;

// Pairs of cloth with itself that may meet (those with bodies: movers), for
typedef struct WfLists {
    bool listed;             // all that may,
    double *seen, *covered;  // of vertices that start here and end here,
    double slack;            // or within this of it along every axis, m
    WfPairs pairs;
} WfLists;

#define WF_NEAR_EDGES 0.75  // of the thickness: nearer, edges are contacts

struct WfWorld {
    int vertex_count;
    const WfSurface* cloth;   // all cloths and ropes
    const double* masses;     // per vertex
    const double* thickness;  // per vertex, m: kept from bodies
    const double* layer;      // per vertex, m: kept from cloth, at most; or the same array
    double most_thickness, most_layer, least_layer;  // m, of all vertices
    const double* friction;                          // per vertex
    // Of pairs that have one: per cloth, with every cloth, then with every body; below 0: none.
    // NULL: no pair has
    const double* frictions;
    int cloth_count;
    int* cloth_of;         // per vertex
    unsigned char* meets;  // per body, and then per cloth, and cloth: whether they touch
    const unsigned char* layers_meet;  // per cloth, and cloth; NULL: all do
    const double* order;               // per vertex: of what lies in one place, the larger is above
    const unsigned char* pinned;       // per vertex
    WfPlane mirror;                    // vertices that stay in its plane
    const double* folds;               // per vertex: 1 and more are let through it; NULL: none
    const double* x;                   // positions at the start of the substep
    double h;                          // its length, s
    int mover_count;
    WfMover* movers;
    bool self;  // some cloth is kept from cloth
    const WeftJobs* jobs;
    double stray;         // m, half of a mean edge
    double margin;        // m, beyond thickness and motion: what may still become a contact,
    double layer_margin;  // and of cloth with cloth

    double* ahead;           // where vertices are expected at the end
    double* sought;          // the same, or less far where there are too many pairs
    double* spans;           // per vertex: every point of its triangles has a corner within it, m
    double* end_spans;       // the same at the end, as far as it is known
    double* stretch;         // per vertex: length over rest length, squared, of its longest edge;
                             // of no matter where no body has sharp edges
    unsigned char* touched;  // per vertex: it had a force of contact in the last substep
    unsigned char* tangled;  // per vertex: crossed or inside a body at the start (tangle.h)
    uint64_t* crossed_with;  // per vertex: the bits of all pieces of cloth that it is crossed with
    WfTangles tangles;
    double pull;  // 0 to 1, how hard what is crossed is pulled apart
    WfLists lists[WF_PURPOSES];
    bool calm;               // most of the cloth hardly moves: lists for contacts may last
    WfFlat flat;             // without a chart: it has none
    unsigned char* strayed;  // per vertex: its pairs were searched for last
    int pairs_found, pairs_kept, pairs_near;  // of this substep (weft.h)
    double depth;                             // m, how far thickness was not kept at the start
    double origin[3];                         // of all trees: the first vertex
    WfTree tree;                              // of the cloth
    WfRuns runs;
    double* nearest;        // scratch, per vertex of cloth or of any body: the distance
    int* nearest_triangle;  // to the nearest triangle, and which
    unsigned char* flags;   // scratch, per vertex or triangle of cloth
    double* sides;          // scratch, per triangle of cloth
    WfContacts contacts;
    int mirror_contacts;     // of those with bodies: with the plane of a mirror
    struct WfSight* sights;  // scratch of finding them (feature.h)
    int sight_capacity;

    // of the last defence, per vertex
    unsigned char* moved;  // by it
    int* moved_by;         // 1 + the body that it was moved for; 0: cloth
    int* dirty;            // in which pass its pairs changed last
    WfImpulses impulses;
    WfZones zones;
};

// Set `ahead` (by the velocities v) and the spans; forget the contacts of the last substep. 3
// numbers per vertex.
void wf_world_begin(WfWorld* world, const double* x, const double* v, double h);
// The bit of a vertex' piece; pieces beyond 64 share them.
uint64_t wf_piece_bit(const WfWorld* world, int vertex);
// The spans at x.
void wf_measure_spans(WfWorld* world, const double* x, double* spans);
// Whether a vertex has anything to do with a body: those in the plane of a mirror have not with it,
// and those that it lets through.
static inline bool wf_meets(const WfWorld* world, const WfMover* mover, int vertex) {
    bool passes = world->folds && world->folds[vertex] >= 1;
    if (mover->meets && !mover->meets[world->cloth_of[vertex]]) return false;
    return !(mover->body->is_mirror && (passes || wf_plane_holds(&world->mirror, vertex)));
}
// Whether the cloths of two vertices are kept from each other, or from themselves.
static inline bool wf_layers_meet(const WfWorld* world, int i, int j) {
    const unsigned char* meet = world->layers_meet;
    return !meet || meet[world->cloth_of[i] * world->cloth_count + world->cloth_of[j]];
}
// The friction that the pair of two vertices, or of a vertex and a body, has of its own; below 0:
// none. Only where some pair has.
static inline double wf_cloth_friction(const WfWorld* world, int i, int j) {
    int row = world->cloth_count + world->mover_count;
    return world->frictions[(long)world->cloth_of[i] * row + world->cloth_of[j]];
}
static inline double wf_body_friction(const WfWorld* world, int vertex, const WfMover* mover) {
    int row = world->cloth_count + world->mover_count, body = (int)(mover - world->movers);
    return world->frictions[(long)world->cloth_of[vertex] * row + world->cloth_count + body];
}
// That of a vertex and a body, whether of their own or not.
static inline double wf_friction_with(const WfWorld* world, const WfMover* mover, int vertex) {
    double own = world->frictions ? wf_body_friction(world, vertex, mover) : -1;
    return own >= 0 ? own : sqrt(mover->body->friction * world->friction[vertex]);
}
// How far from the surface of an exact body a vertex is held.
bool wf_is_thin(const WfWorld* world, const WfBody* body, int vertex);
double wf_hold(const WfWorld* world, const WfBody* body, int vertex);
// Whether there is anything that pairs are searched for with: cloth itself, a box or a mesh.
bool wf_has_surfaces(const WfWorld* world);
// Trees and all pairs, for ways of the cloth from x to x1; `ways`: as wf_tree_fit takes them, or
// NULL. False where there are more than a step has time for.
bool wf_find_pairs(WfWorld* world, WfPurpose purpose, const double* x1, const WfWays* ways);
// The same; where there are too many, x1 is changed: cloth moves less against the rest of its
// piece, then less of its thickness is seen, until there are few enough. False where that was so.
bool wf_find_pairs_within(WfWorld* world, WfPurpose purpose, double* x1, const WfWays* ways);
// Whether the last search ended early: there are more pairs than in the lists.
bool wf_lists_are_full(const WfWorld* world, WfPurpose purpose);
// All pairs are to be searched for, the next time.
void wf_forget_lists(WfWorld* world);
// Whether a search, or impulses, lacked memory.
bool wf_search_failed(const WfWorld* world);
// Lists for contacts, on the ways ahead. Only pairs of what has strayed from where they are known
// are searched for; it is marked.
void wf_search(WfWorld* world);
// The pairs for the defence that are not among those for contacts, on the ways to x1; false where
// they are not known. The lists are good for one look; or, completed by those for contacts, they
// are lists for the defence like all others.
bool wf_search_drifted(WfWorld* world, const double* x1);
void wf_complete_drifted(WfWorld* world);
// The same for the defence, on the ways to x1, which are changed where there are too many pairs:
// false then. `first`: of this substep.
bool wf_search_again(WfWorld* world, double* x1, bool first);
// A sift (sift.h) for lists of the cloth with a body, NULL: with itself; where trees are placed
// where all is, the cloth on its way to x1.
WfSift wf_sift_of(const WfWorld* world, WfPurpose purpose, const WfMover* mover);
void wf_place_trees(WfWorld* world, const double* x1);
// Whether a body is touched between the corners of triangles, too.
bool wf_touches_between(const WfWorld* world);
// Contacts with bodies, then with cloth; sort them when all are found.
void wf_find_body_contacts(WfWorld* world);
void wf_find_self_contacts(WfWorld* world);
void wf_sort_contacts(WfWorld* world);

#endif
