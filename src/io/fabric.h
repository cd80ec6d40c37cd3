// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fabrics inside scenes and in files of their own: the same keys.

#ifndef WF_IO_FABRIC_H
#define WF_IO_FABRIC_H

#include "io/scene_keys.h"

extern const WfSceneTable wf_scene_fabric_table, wf_scene_measured_table, wf_fabric_file_table;

// A name, a path, or an object by the table; into a WeftFabric.
WeftResult wf_read_fabric(WfSceneReader* reader, const WfSceneNode* node, void* fabric);

#endif
