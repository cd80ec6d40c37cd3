// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fabrics inside scenes and in files of their own: the same keys.

#ifndef WF_IO_FABRIC_H
#define WF_IO_FABRIC_H

#include "io/scene_keys.h"

extern const WfSceneTable wf_scene_fabric_table, wf_scene_measured_table, wf_fabric_file_table;

// A name, a path, or an object by the table. `file` gets what it is called, its numbers and its
// look; that of an object without a base stays what it is, but for its own keys.
WeftResult wf_read_fabric(WfSceneReader* reader, const WfSceneNode* node, WeftFabricFile* file);

// look.c
extern const WfSceneTable wf_scene_look_table, wf_scene_print_table;
// Into a WeftLook, whose fields stay where a key is not there.
WeftResult wf_read_look(WfSceneReader* reader, const WfSceneNode* node, WeftLook* look);

#endif
