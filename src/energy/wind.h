// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Wind as a sum of parts: how fast the air is at a place.

#ifndef WF_ENERGY_WIND_H
#define WF_ENERGY_WIND_H

#include "weft/weft.h"

// Refuses what is no wind, naming the part.
WeftResult wf_check_winds(int part_count, const WeftWind* parts, WeftError* error);
// velocities += what all parts blow at `count` places. Callbacks are called by this thread.
void wf_blow(const WeftJobs* jobs, int part_count, const WeftWind* parts, double time, int count,
             const double* positions, double* velocities);

#endif
