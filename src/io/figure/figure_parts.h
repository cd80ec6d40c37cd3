// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The way from a file to a figure. One file each:
//
//     figure_load.c   what a path means: one file, a sequence of them, a second file with motion
//     shape.c         unit, upright axis, vertices that are one, triangles without area
//     sequence.c      numbered files
//     scene_file.c    files that assimp opens: nodes and their frames
//     rehearse.c      whether opening them does harm
//     scene_skin.c    meshes of its nodes, bones and weights
//     scene_clip.c    animations, sampled

#ifndef WF_IO_FIGURE_PARTS_H
#define WF_IO_FIGURE_PARTS_H

#include "base/error.h"
#include "io/figure/affine.h"
#include "weft/weft_io.h"

// What is under way.
typedef struct WfFigureReader {
    const char* path;
    const WeftFigureFileDef* def;
    WeftAllocator allocator;
    WeftFigure* figure;
    WeftFindings* findings;  // or NULL
    WeftError* error;
    bool keep_vertices;  // as many as the file has, in its order: frames of other files follow
    WfAffine turn;       // from the file's axes and unit to the figure's
} WfFigureReader;

// Say what was found; fails for lack of memory.
WeftResult wf_figure_tell(WfFigureReader* r, const char* format, ...) WF_PRINTF(2, 3);
// Whether a path ends so, in small letters or large ones.
bool wf_path_ends(const char* path, const char* ending);

// shape.c
// How files of a kind are oriented and in what unit, where they say so.
typedef struct WfFileSays {
    bool up_known, unit_known;
    bool z_up;
    double unit;  // in metres
} WfFileSays;
// Choose r->turn by the def, by what the file says, and by the box of its vertices.
WeftResult wf_choose_turn(WfFigureReader* r, const WfFileSays* says, const double* positions,
                          int vertex_count);
void wf_turn_positions(const WfAffine* turn, double* positions, size_t count);
// Join vertices at one place with the same skin, unless keep_vertices; drop triangles without
// area; check numbers.
WeftResult wf_tidy_figure(WfFigureReader* r);

// sequence.c
typedef struct WfFileList {
    int count;
    char** paths;  // in the order of their numbers
} WfFileList;
// Whether the path stands for several files: it has a % or a *, or is a folder.
bool wf_is_sequence(const char* path);
WeftResult wf_list_sequence(WfFigureReader* r, WfFileList* list);
void wf_free_list(const WeftAllocator* allocator, WfFileList* list);

// scene_file.c
WeftResult wf_read_scene_figure(WfFigureReader* r);
// The animations of another file, for the bones of the figure.
WeftResult wf_read_scene_clips(WfFigureReader* r, const char* path);

#endif
