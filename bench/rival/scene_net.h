// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// All cloths of a scene as springs and hinges, by the flat shapes and fabrics of their triangles.

#ifndef WEFT_BENCH_SCENE_NET_H
#define WEFT_BENCH_SCENE_NET_H

#include "net.h"
#include "weft/weft_io.h"

// For a scene and a state of its model; nothing is pinned. False for lack of memory.
bool create_scene_net(const WeftScene* scene, const WeftState* state, Net* net);
// What triangle t of a cloth is made of.
const WeftFabric* fabric_of(const WeftClothDef* cloth, int t);

#endif
