// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft, files: meshes and scenes in; OBJ, PLY, PC2 and GLB out. Needs the C library and jansson.
// Errors read `file:line:column: what is wrong and what to do` where a place can be named.

#ifndef WEFT_WEFT_IO_H
#define WEFT_WEFT_IO_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

// Read a Wavefront OBJ. Positions become the shape in space, texture coordinates (times
// `texture_scale` metres) the flat rest shape; where the file has none, every triangle is at rest
// as it stands. Polygons are cut into triangles. Vertices that no face uses are dropped.
WEFT_API WeftResult weft_read_obj(const char* path, double texture_scale,
                                  const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error);

// ---------------------------------------------------------------------------------------------
// Writing what was simulated, frame by frame. The ending of `path` chooses the format:
//
//     .glb   one file, animated by morph targets; opens in browsers, Blender, engines
//     .pc2   one file, positions only; a point cache for Blender, Houdini, Maya, 3ds Max
//     .obj   one file per frame: name.obj becomes name.0000.obj, name.0001.obj ...
//     .ply   one binary file per frame, likewise
//
// With one frame (frame_count 1) OBJ and PLY keep their name. A file appears under its name only
// when it is complete: until then its data are in path.part, which a failed run removes.
typedef struct WeftWriterDef {
    int vertex_count;
    int triangle_count;
    const int* triangles;
    const float* texture;  // 2 per vertex, or NULL
    int frame_count;       // how many frames will come at most (PC2 and GLB take fewer, too)
    double frame_rate;     // frames per second
    const char* name;      // of the object inside the file, default "cloth"
    WeftAllocator allocator;
} WeftWriterDef;

typedef struct WeftWriter WeftWriter;

WEFT_API WeftWriterDef weft_default_writer_def(void);
WEFT_API WeftResult weft_open_writer(const char* path, const WeftWriterDef* def,
                                     WeftWriter** writer, WeftError* error);
// positions and normals: 3 floats per vertex.
WEFT_API WeftResult weft_write_frame(WeftWriter* writer, const float* positions,
                                     const float* normals, WeftError* error);
// Complete the file and free the writer, in any case. On failure nothing half-written remains.
WEFT_API WeftResult weft_close_writer(WeftWriter* writer, WeftError* error);
// Give up: remove what was written and free the writer. NULL is fine.
WEFT_API void weft_abandon_writer(WeftWriter* writer);

// ---------------------------------------------------------------------------------------------
// Scenes: cloths, pins, wind and step settings as JSON. docs/scene.md has every key.

// A value over time, straight between keys, constant before the first and after the last.
typedef struct WeftTrack {
    int key_count;
    double* times;   // seconds, increasing
    double* values;  // 3 per key
} WeftTrack;

typedef struct WeftScenePin {
    int vertex;          // in the model's numbering
    double from, until;  // seconds; held from <= t < until; until is INFINITY for pins that stay
    int motion;          // which of the scene's motions carries it, -1: none
} WeftScenePin;

// How pins move: a path, and a turn about an axis through a centre that goes along with the path.
typedef struct WeftSceneMotion {
    WeftTrack offset;  // metres
    WeftTrack angle;   // values[0] of each key: degrees
    double axis[3], centre[3];
} WeftSceneMotion;

typedef struct WeftScene {
    char* name;
    WeftModelDef model;  // cloths and step settings, ready for weft_create_model
    double duration;     // seconds
    int pin_count;
    WeftScenePin* pins;  // by vertex
    int motion_count;
    WeftSceneMotion* motions;
    WeftTrack wind;    // m/s; no keys: still air
    WeftMesh* meshes;  // one per cloth, owned
    WeftAllocator allocator;
} WeftScene;

WEFT_API WeftResult weft_load_scene(const char* path, const WeftAllocator* allocator,
                                    WeftScene** scene, WeftError* error);
// `name` stands for the file in messages; mesh files are looked up beside `path_base` (or NULL).
WEFT_API WeftResult weft_parse_scene(const char* text, size_t length, const char* name,
                                     const char* path_base, const WeftAllocator* allocator,
                                     WeftScene** scene, WeftError* error);
WEFT_API void weft_destroy_scene(WeftScene* scene);
// Set pins, their targets and the wind for the step that ends at the state's time + step->dt.
WEFT_API void weft_direct_scene(const WeftScene* scene, const WeftModel* model, WeftState* state,
                                WeftStepDef* step);
// Frames of step.dt in the scene's duration, at least 1.
WEFT_API int weft_scene_frames(const WeftScene* scene);

#ifdef __cplusplus
}
#endif

#endif
