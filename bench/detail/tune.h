// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Rivals at their best: their settings are chosen by a motion that was held out from learning.

#ifndef WEFT_BENCH_DETAIL_TUNE_H
#define WEFT_BENCH_DETAIL_TUNE_H

#include "lesson.h"
#include "way.h"

// By so many sweeps per frame from `base`: the one with the least product of vertex and normal
// error.
SweepDef tune_sweeps(const WeftDetail* base, const WeftMesh* dense, const Record* record,
                     int sweeps, bool resumes);
// That product, of a base alone.
double base_error(const WeftDetail* base, const Record* record);
// Shows and judges the first frames of a record, without bodies.
void replay(Way* way, const Record* record, int frames);

#endif
