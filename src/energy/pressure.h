// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Air in closed cloth.

#ifndef WF_ENERGY_PRESSURE_H
#define WF_ENERGY_PRESSURE_H

#include "energy/term.h"

// m^3, of a closed surface that looks outwards, at positions x.
double wf_enclosed_volume(int triangle_count, const int* triangles, const double* x);

// Of a term that is one; in its memory.
bool wf_is_pressure(const WfTerm* term);
void wf_pressure_set(const WfTermSpace* space, double pressure);
// All of it from that of another state.
void wf_pressure_take(const WfTermSpace* space, const WfTermSpace* from);
double wf_pressure_setting(const WfTermSpace* space);
// Pa: none is lower.
double wf_pressure_least(const WfTerm* term);
// What it is now, Pa over that outside, and the volume at x, m^3.
double wf_pressure_now(const WfTermSpace* space);
double wf_pressure_volume(const WfTerm* term, const double* x);

#endif
