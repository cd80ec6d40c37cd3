// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Zones of the last defence: vertices that impulses cannot keep apart move on with what carries
// them, and keep as large a part of their own motion beside that as brings none of them together.

#ifndef WF_CONTACT_ZONE_H
#define WF_CONTACT_ZONE_H

#include "base/memory.h"
#include "contact/body.h"

// What carries a zone: the frame of its piece of cloth, or a place of a body that deforms, or a
// pin, or a body: this + its number. A torn zone has pins that part: nothing carries it, and it
// goes where it would have ended.
enum {
    WF_TORN = -1,
    WF_CARRIED_BY_FRAME,
    WF_CARRIED_BY_PLACE,
    WF_CARRIED_BY_PIN,
    WF_CARRIED_BY_BODY
};

typedef struct WfZones {
    int count;              // vertices in zones
    unsigned char* inside;  // per vertex: it is in a zone
    double* own;            // 3 per vertex: where it would have ended
    int* link;              // another vertex of its zone; of the first, itself
    // of the first vertex of a piece: by which its frame moves, 3; and what was weighed for it
    double *frame, *weight;
    // of the first vertex of a zone
    int* carrier;
    double* carried;  // 3: by which its place or pin moves
    double* part;     // of its own motion that is left, 0 to 1
    double tears;     // m: pins of a zone that part by more tear it
} WfZones;

// The cloth of a substep, as zones see it.
typedef struct WfZoned {
    const WfSurface* cloth;
    const double *x0, *masses;
    const unsigned char* pinned;
    int mover_count;
    const WfMover* movers;
    double* x1;
} WfZoned;

// By which each piece moves from x0 to x1, at its first vertex: the mean of its pins, or of all of
// it where it has none. weight: 1 per vertex, zero where a vertex is not the first of a piece.
void wf_find_frames(const WfSurface* cloth, const double* x0, const double* x1,
                    const double* masses, const unsigned char* pinned, double* frame,
                    double* weight);

void wf_zones_layout(int vertex_count, WfArena* arena, WfZones* zones);
// No zones yet. Finds the frames of pieces. low, high: the least and the largest displacement, axis
// by axis, of all that may carry.
void wf_zones_begin(WfZones* zones, const WfZoned* of, double low[3], double high[3]);
// Vertex i, which would end at x1, is in a zone from now on.
void wf_zones_enter(WfZones* zones, int i, WfVec x1);
void wf_zones_join(WfZones* zones, int i, int j);
// What carries the zone of i, unless a body or a place does already. way: by which a place or a pin
// moves.
void wf_zones_carry(WfZones* zones, int i, int carrier, WfVec way);
bool wf_zones_is_torn(WfZones* zones, int i);
// The zone of i met something at the time t of its motion: less of its own is left; with `stop`,
// nothing.
void wf_zones_slow(WfZones* zones, int i, double t, bool stop);
// The ends of all vertices in zones that are not pinned; marks those that it changes.
void wf_zones_move(WfZones* zones, const WfZoned* of, int mark, int* marks);

#endif
