// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fabrics by name, for the core itself; users call weft_fabric_preset.

#ifndef WF_MATERIAL_PRESETS_H
#define WF_MATERIAL_PRESETS_H

#include "weft/weft.h"

// The preset of that name, or NULL.
const WeftFabricPreset* wf_find_preset(const char* name);

#endif
