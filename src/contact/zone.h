// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Zones of the last defence: vertices that impulses cannot keep apart move on with what carries
// them, and keep as large a part of their own motion beside that as brings none of them together.

#ifndef WF_CONTACT_ZONE_H
#define WF_CONTACT_ZONE_H

#include "base/memory.h"
#include "contact/frame.h"

// What carries a zone: the frame of its piece of cloth, or the flow around bodies that deform, or a
// pin, with which it turns as the frame of the pin's piece does, or a body: this + its number. A
// torn zone has pins that part: nothing carries it, and it goes where it would have ended.
enum {
    WF_TORN = -1,
    WF_CARRIED_BY_FRAME,
    WF_CARRIED_BY_FLOW,
    WF_CARRIED_BY_PIN,
    WF_CARRIED_BY_BODY
};

// The cloth of a substep, as zones see it.
typedef struct WfZoned {
    const WfSurface* cloth;
    const WfPlane* mirror;
    const double *x0, *masses, *thickness;
    const double* spans;  // per vertex: every point of its triangles has a corner within it, m
    const unsigned char* pinned;
    int mover_count;
    const WfMover* movers;
    double* x1;
} WfZoned;

typedef struct WfZones {
    WfZoned of;
    int count;               // vertices in zones
    unsigned char* inside;   // per vertex: it is in a zone
    double* own;             // 3 per vertex: where it would have ended
    int* links;              // another vertex of its zone; of the first, itself
    WfFrame* frames;         // of pieces
    WfWays* ways;            // per vertex: what may carry it takes it along by these
    unsigned char* carries;  // per body: it is among them
    // of the first vertex of a zone
    int* carrier;
    int* piece;       // whose frame carries it
    double* carried;  // 3: by which its pin moves beside the frame
    double* part;     // of its own motion that is left, 0 to 1
    double tears;     // m: pins of a zone that part by more tear it
    // per vertex
    double* flow;  // 3: by which bodies that deform take it along (flow.h), where it is known
    unsigned char* has_flow;
    unsigned char* settled;  // it goes by the flow and keeps nothing of its own motion: from there,
                             // impulses may push it
} WfZones;

void wf_zones_layout(const WfSurface* cloth, int body_count, WfArena* arena, WfZones* zones);
// No zones yet. Finds the frames of pieces, and the ways of all that may carry.
void wf_zones_begin(WfZones* zones, const WfZoned* of);
// Vertex i, which would end at x1, is in a zone from now on.
void wf_zones_enter(WfZones* zones, int i, WfVec x1);
void wf_zones_join(WfZones* zones, int i, int j);
// A body carries the zone of i, unless something does already; the flow around one that deforms
// does in any case.
void wf_zones_carry(WfZones* zones, int i, int mover);
// The pin i carries its zone, unless something does already; where another pin takes it elsewhere,
// it tears.
void wf_zones_carry_by_pin(WfZones* zones, int i);
bool wf_zones_flow(WfZones* zones, int i);
bool wf_zones_is_torn(WfZones* zones, int i);
// The body that carries the zone of i; -1: something else does.
int wf_zones_body(WfZones* zones, int i);
// The zone of i met something at the time t of its motion: less of its own is left; with `stop`,
// nothing.
void wf_zones_slow(WfZones* zones, int i, double t, bool stop);
// The ends of all vertices in zones that are not pinned; marks those that it changes, and all of
// torn zones.
void wf_zones_move(WfZones* zones, int mark, int* marks);
// What has settled, and was pushed since, to where its pairs are known.
void wf_zones_confine(WfZones* zones);

#endif
