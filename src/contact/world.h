// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Everything that contact sees in one substep, and finding what is near.

#ifndef WF_CONTACT_WORLD_H
#define WF_CONTACT_WORLD_H

#include "contact/body.h"
#include "contact/contact.h"
#include "contact/tangle.h"

typedef struct WfWorld WfWorld;

struct WfWorld {
    int vertex_count;
    const WfSurface* cloth;       // all cloths and ropes
    const double* masses;         // per vertex
    const double* thickness;      // per vertex, m
    const double* friction;       // per vertex
    const unsigned char* pinned;  // per vertex
    const double* x;              // positions at the start of the substep
    double h;                     // its length, s
    int mover_count;
    WfMover* movers;
    bool self;      // cloth is kept from cloth
    double stray;   // m, half of a mean edge
    double margin;  // m, beyond thickness and motion: what may still become a contact

    double* ahead;           // where vertices are expected at the end
    double* expected;        // the same, with the change of velocity: what pairs are searched along
    double* spans;           // per vertex: every point of its triangles has a corner within it, m
    unsigned char* touched;  // per vertex: it had a force of contact in the last substep
    unsigned char* tangled;  // per vertex: crossed or inside a body at the start (tangle.h)
    WfTangles tangles;
    double pull;            // 0 to 1, how hard what is crossed is pulled apart
    bool listed;            // the lists of pairs are those that can meet near `seen`
    bool kept;              // and were not searched for in this substep
    double* seen;           // where vertices were when pairs were searched for
    double depth;           // m, how far thickness was not kept at the start
    WfTree tree;            // of the cloth
    double frame[3];        // m, how far those go who see the boxes of trees as they are
    WfPairs pairs;          // of the cloth with itself
    double* nearest;        // scratch, per vertex of cloth or of any body: the distance
    int* nearest_triangle;  // to the nearest triangle, and which
    WfContacts contacts;

    // of the last defence, per vertex
    unsigned char* moved;    // by it
    int* dirty;              // in which pass its pairs changed last
    unsigned char* in_zone;  // it is part of a zone:
    int *zone, *carrier;     // another vertex of it; and of the first: what carries it,
    double* carried;         // and how far, 3 each
};

// Set `ahead` (by the velocities v), what is expected (with their change since v1, a substep ago)
// and the spans; forget the contacts of the last substep. 3 numbers per vertex.
void wf_world_begin(WfWorld* world, const double* x, const double* v, const double* v1, double h);
// Make the spans at least those at x.
void wf_measure_spans(WfWorld* world, const double* x);
// How far from the surface of an exact body a vertex is held.
double wf_hold(const WfWorld* world, const WfBody* body, int vertex);
// Whether there is anything that pairs are searched for with: cloth itself, a box or a mesh.
bool wf_has_surfaces(const WfWorld* world);
// Trees and pairs of bodies with cloth, for ways of the cloth from x to x1 and the margin beyond.
void wf_find_pairs(WfWorld* world, const double* x1);
// Contacts with bodies, then with cloth; sort them when all are found.
void wf_find_body_contacts(WfWorld* world);
void wf_find_self_contacts(WfWorld* world);
void wf_sort_contacts(WfWorld* world);

#endif
