// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How bodies would take along what is around them: one displacement for every place, which is that
// of their surfaces where these are and changes little by little in between. Whatever goes by it
// stays apart, from bodies that deform as well, and need not know what its neighbours go by.

#ifndef WF_CONTACT_FLOW_H
#define WF_CONTACT_FLOW_H

#include "contact/body.h"

// By which what is at x goes along in the substep: between the least and the largest displacement
// of these bodies, those that do not deform as they are at x.
// carries: per body, whether it counts; one of them at least. scale: m, over which displacements of
// surfaces are smoothed, beside the distance.
WfVec wf_flow(const WfMover* movers, int mover_count, const unsigned char* carries, double scale,
              WfVec x);

#endif
