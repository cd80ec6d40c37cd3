// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The tables of measurement files.

#ifndef WF_IO_MEASUREMENTS_H
#define WF_IO_MEASUREMENTS_H

#include "io/scene_keys.h"

extern const WfSceneTable wf_measurements_table, wf_strip_table, wf_test_table;

#endif
