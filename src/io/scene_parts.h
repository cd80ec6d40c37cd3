// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The parts of a scene, each read by the file of its name.

#ifndef WF_IO_SCENE_PARTS_H
#define WF_IO_SCENE_PARTS_H

#include "base/vec.h"
#include "io/scene_keys.h"

// scene_mesh.c, scene_outline.c
extern const WfSceneTable wf_scene_place_table, wf_scene_turn_table, wf_scene_side_table;
const WfSceneTable* wf_scene_mesh_table(int kind);  // NULL past the end
WeftResult wf_scene_read_mesh(WfSceneReader* reader, const WfSceneNode* node, void* cloth);
WeftResult wf_scene_read_place(WfSceneReader* reader, const WfSceneNode* node, void* cloth);

// The loops of an outline, owned: loop 0 is the outside.
typedef struct WfSceneOutline {
    int loop_count;
    WeftLoop* loops;
} WfSceneOutline;
// `outside` is a list of sides, `holes` a list of such lists, or its value is NULL.
WeftResult wf_scene_read_outline(WfSceneReader* reader, const WfSceneNode* outside,
                                 const WfSceneNode* holes, WfSceneOutline* outline);
void wf_scene_free_outline(const WeftAllocator* allocator, WfSceneOutline* outline);

// scene_pins.c
extern const WfSceneTable wf_scene_pin_table;
WeftResult wf_scene_read_pins(WfSceneReader* reader, const WfSceneNode* node, void* cloth);
// Put the pins in the order of their vertices, those of one vertex in the order of the file.
WeftResult wf_scene_sort_pins(WfSceneReader* reader);

// scene_cloth.c
extern const WfSceneTable wf_scene_cloth_table, wf_scene_fabric_table, wf_scene_estimator_table;
WeftResult wf_scene_read_cloths(WfSceneReader* reader, const WfSceneNode* node, void* scene);
void wf_scene_free_cloths(WeftScene* scene);

// scene_step.c
extern const WfSceneTable wf_scene_step_table;
WeftResult wf_scene_read_step(WfSceneReader* reader, const WfSceneNode* node, void* scene);

// scene_motion.c
extern const WfSceneTable wf_scene_motion_table, wf_scene_track_table;
WeftResult wf_scene_read_wind(WfSceneReader* reader, const WfSceneNode* node, void* scene);
WeftResult wf_scene_read_motions(WfSceneReader* reader, const WfSceneNode* node, void* scene);
// Which motion the string at `node` names.
WeftResult wf_scene_find_motion(WfSceneReader* reader, const WfSceneNode* node, int* motion);
void wf_scene_free_motions(WeftScene* scene);

// scene_direct.c
// The track at `time`; zero where it has no keys.
void wf_sample_track(const WeftTrack* track, double time, double value[3]);
// x, turned about an axis of length 1 through the origin.
WfVec wf_scene_turn(WfVec x, WfVec axis, double degrees);

#endif
