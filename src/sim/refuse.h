// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What no model is made of: settings out of their ranges, and settings that make no sense together.

#ifndef WF_SIM_REFUSE_H
#define WF_SIM_REFUSE_H

#include "weft/weft.h"

WeftResult wf_refuse_cloth(const WeftAllocator* allocator, const WeftClothDef* cloth,
                           WeftError* error);
// All but the cloths.
WeftResult wf_refuse_model(const WeftModelDef* def, WeftError* error);

#endif
