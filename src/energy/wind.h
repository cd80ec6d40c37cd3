// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wind as a sum of parts: how fast the air is at a place.

#ifndef WF_ENERGY_WIND_H
#define WF_ENERGY_WIND_H

#include "weft/weft.h"

// m/s, the speed of sound: the forces of air do not hold for what is faster.
#define WF_FASTEST_WIND 340.0

// Refuses what is no wind, naming the part.
WeftResult wf_check_winds(int part_count, const WeftWind* parts, WeftError* error);
// velocities += what all parts blow at `count` places, which are 0 before; no faster than the
// fastest wind. Callbacks are called by this thread.
void wf_blow(const WeftJobs* jobs, int part_count, const WeftWind* parts, double time, int count,
             const double* positions, double* velocities);

#endif
