// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What no model is made of: settings out of their ranges, and settings that make no sense together.

#ifndef WF_SIM_REFUSE_H
#define WF_SIM_REFUSE_H

#include "mesh/topology.h"

WeftResult wf_refuse_cloth(const WeftAllocator* allocator, const WeftClothDef* cloth,
                           WeftError* error);
// Cloth that is blown up, and open or inside out.
WeftResult wf_refuse_open(const WeftClothDef* cloth, const WfTopology* topology, WeftError* error);
// All but the cloths.
WeftResult wf_refuse_model(const WeftModelDef* def, WeftError* error);

#endif
