// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A file that assimp has opened: its nodes in a list, parents first.

#ifndef WF_IO_FIGURE_SCENE_FILE_H
#define WF_IO_FIGURE_SCENE_FILE_H

#include <assimp/scene.h>

#include "io/figure/figure_parts.h"

typedef struct WfNode {
    const struct aiNode* node;
    int parent;       // -1: none
    WfAffine local;   // to the parent's space
    WfAffine global;  // to the figure's, as the file stands
} WfNode;

typedef struct WfSceneFile {
    const char* path;
    const struct aiScene* scene;
    int node_count;
    WfNode* nodes;
} WfSceneFile;

WfAffine wf_affine_of(const struct aiMatrix4x4* m);
// -1: none
int wf_find_node(const WfSceneFile* file, const char* name);
// Frames of nodes by their own, and by those of their parents.
void wf_place_nodes(const WfAffine* turn, const WfAffine* locals, int node_count,
                    const WfNode* nodes, WfAffine* globals);

// rehearse.c: what becomes of a process that opens the file, of `size` bytes; `why` says why it was
// refused.
typedef enum WfRehearsal {
    WF_REHEARSAL_GOOD,
    WF_REHEARSAL_REFUSED,
    WF_REHEARSAL_DEADLY,
} WfRehearsal;
WfRehearsal wf_rehearse(const char* path, unsigned steps, double size, char* why, size_t room);
// scene_skin.c: fill vertices, triangles, bones and weights, by r->turn.
WeftResult wf_read_scene_skin(WfFigureReader* r, const WfSceneFile* file);
// scene_clip.c: add the animations to the clips, in front of those there are.
WeftResult wf_sample_clips(WfFigureReader* r, const WfSceneFile* file);

#endif
