// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft, rendering: what an engine draws of cloth.
//
// clang-format off
//     weft_create_binding(&def, &binding, &error);        // at load: a render mesh, bound to a cloth
//     weft_create_frames(model, NULL, &frames, &error);   // per state: its last two steps
//
//     weft_step(state, &step);                            // in a frame: none, one or several of these
//     weft_push_frame(frames, state);
//     weft_draw_frame(frames, alpha, NULL);               // between the last two steps
//     weft_write_vertices(binding, frames, &layout);      // into a mapped vertex buffer
// clang-format on
//
// A binding is constant, and may serve any number of states and threads. Frames belong to one state
// and one thread at a time. After they are made, no call takes memory. Work is cut into blocks for
// the model's jobs, and gives the same bits for any number of threads.

#ifndef WEFT_WEFT_RENDER_H
#define WEFT_WEFT_RENDER_H

#include "weft/weft_detail.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Frames: what is drawn of a state

typedef struct WeftFrames WeftFrames;

// The model must outlive them. `allocator` may be NULL (malloc).
WEFT_API WeftResult weft_create_frames(const WeftModel* model, const WeftAllocator* allocator,
                                       WeftFrames** frames, WeftError* error);
WEFT_API void weft_destroy_frames(WeftFrames* frames);
// Take over where a state of the model is: after every step. The first one counts for two. A state
// that is torn has another model, and takes other frames.
WEFT_API void weft_push_frame(WeftFrames* frames, const WeftState* state);
// The same after a jump that nobody shall see as motion: a teleport, a cut, another state. What is
// drawn next is here, with no motion before it.
WEFT_API void weft_restart_frames(WeftFrames* frames, const WeftState* state);
// What is to be drawn: the last two frames that were pushed, (1 - alpha) of the older and alpha of
// the newer. An engine that steps by dt and has `rest` seconds left over draws alpha = rest / dt;
// 1: the newest. What was drawn before is kept, for motion vectors, so call this once per drawn
// frame. `origin` (or NULL: 0) is subtracted from all that is written, in double precision: far
// from zero, floats then keep their micrometres. There must be a frame; alpha is held to 0 to 1,
// and what is not a number counts as 1.
WEFT_API void weft_draw_frame(WeftFrames* frames, double alpha, const double origin[3]);

// ---------------------------------------------------------------------------------------------
// Bindings: a render mesh that follows a cloth

// Any triangle mesh, in the arrays of an engine. It stands where the cloth does; in weft's units
// and axes.
typedef struct WeftBindingDef {
    const WeftModel* model;
    int cloth;  // of the model; default 0
    // 3 per vertex of the model: where the cloth is while it is bound, as weft_positions has it of
    // a garment that was put on. NULL, the default: where states of the model start.
    const double* cloth_positions;

    int vertex_count;
    const float* positions;  // 3 per vertex
    const float* normals;    // 3 per vertex, or NULL: by its triangles, smooth over split vertices
    const float* tangents;   // 4 per vertex: direction, and 1 or -1 for the handedness of the
                             // bitangent, cross(normal, tangent) * handedness. NULL: by `uvs`
    const float* uvs;        // 2 per vertex, or NULL: where there are no tangents either, these are
                             // along the first edge of the cloth's triangles
    int triangle_count;
    const int* triangles;  // 3 per triangle
    // Per vertex: -1, or the number (from 0) of a part that keeps its shape, as a button or a
    // buckle: all of its vertices move as one rigid piece with the place of the cloth that is
    // nearest to their middle. NULL, the default: none.
    const int* rigid;
    // WEFT_SURFACE_SMOOTH, the default: on a surface that is curved through the cloth's vertices.
    // WEFT_SURFACE_FLAT: on its triangles; cheaper.
    WeftDetailSurface surface;
    WeftAllocator allocator;
} WeftBindingDef;
WEFT_API WeftBindingDef weft_default_binding_def(void);

// Each vertex is bound to a place of the cloth and a distance from it, in the frame that the cloth
// has there: what is above or below it stays so, on its side. Where the cloth is as when it was
// bound, all is back at its place, to some 1e-7 of its size. Vertices at the very same place (split
// by texture or material) move to the very same place, always. Layers of cloth that are near to
// each other are told apart by the side that they face, and then by what is connected: neighbours
// in the render mesh are bound to places that are near to each other along the cloth.
//
// Normals and tangents turn, stretch and shear with the cloth; a bump or a hard edge that the
// render mesh has stays. Where the cloth has no area they are some unit vectors.
//
// Refuses cloths without triangles, corners that are not there, places that are not within 1e6 m,
// and what is no number.
typedef struct WeftBinding WeftBinding;
WEFT_API WeftResult weft_create_binding(const WeftBindingDef* def, WeftBinding** binding,
                                        WeftError* error);
// A cloth's own triangles as render mesh. `mesh` is the one that the cloth was made of. Its
// vertices are drawn, or where it has `triangle_material` its material points, so that seams are
// split for texture coordinates: `material` is these, in metres. Tangents are along u, the warp.
WEFT_API WeftResult weft_bind_cloth(const WeftModel* model, int cloth, const WeftMesh* mesh,
                                    const WeftAllocator* allocator, WeftBinding** binding,
                                    WeftError* error);
WEFT_API void weft_destroy_binding(WeftBinding* binding);

WEFT_API int weft_binding_vertex_count(const WeftBinding* binding);
WEFT_API int weft_binding_triangle_count(const WeftBinding* binding);
WEFT_API const int* weft_binding_triangles(const WeftBinding* binding);  // 3 per triangle
// m, how far a vertex is from the cloth at most: large where the mesh stands elsewhere, or is in
// another unit.
WEFT_API double weft_binding_reach(const WeftBinding* binding);

// A binding as bytes, the same on every machine: written where `size` holds them all; returns how
// many there are. Reading takes the def that it was made by (of its arrays, positions and triangles
// are compared), and refuses bytes of other meshes, and damaged ones.
WEFT_API size_t weft_save_binding(const WeftBinding* binding, void* bytes, size_t size);
WEFT_API WeftResult weft_load_binding(const WeftBindingDef* def, const void* bytes, size_t size,
                                      WeftBinding** binding, WeftError* error);

// ---------------------------------------------------------------------------------------------
// Writing vertices

// How normals and tangents are written.
typedef enum WeftVertexFormat {
    WEFT_VERTEX_FLOATS,  // normals 3, tangents 4 floats
    WEFT_VERTEX_SHORTS,  // 4 signed 16-bit numbers each, 32767 is 1; the fourth of a normal is 0
    WEFT_VERTEX_BYTES,   // 4 signed 8-bit numbers each, 127 is 1
} WeftVertexFormat;

// Where a vertex buffer has what. Bytes; offsets below 0 are not written, nor is anything else.
typedef struct WeftVertexLayout {
    void* vertices;  // where the first vertex begins; need not be aligned
    size_t stride;   // from one vertex to the next
    int position;    // 3 floats
    int normal;
    int tangent;   // with handedness
    int previous;  // 3 floats: where it was in the frame that was drawn before, less the origin of
                   // this one
    WeftVertexFormat format;
} WeftVertexLayout;
// Packed floats: position, then normal; 24 bytes. Without tangent and previous, and without
// vertices.
WEFT_API WeftVertexLayout weft_default_vertex_layout(void);

// All vertices of a binding, in order, as they were drawn last. The buffer is written only, never
// read: it may be mapped memory.
WEFT_API void weft_write_vertices(const WeftBinding* binding, const WeftFrames* frames,
                                  const WeftVertexLayout* layout);
// One render mesh that is bound to two cloths, as to two levels of detail: (1 - part) of the first,
// part of the second. Both bindings have the same number of vertices.
typedef struct WeftDrawn {
    const WeftBinding* binding;
    const WeftFrames* frames;
} WeftDrawn;
WEFT_API void weft_write_blend(const WeftDrawn drawn[2], double part,
                               const WeftVertexLayout* layout);

// ---------------------------------------------------------------------------------------------
// Hidden surfaces

// What is always below cloth need not be drawn. A triangle is hidden where rays from its corners
// and its middle, along the normal and up to `angle` from it on all sides, all meet the cover
// within `reach`; and where all that is within `margin` of it is hidden, too. Take positions as
// they are when a garment is worn. Cloth moves: margin and angle are what it may.
typedef struct WeftHiddenDef {
    int vertex_count;
    const double* positions;  // of a body, or of cloth below other cloth; 3 per vertex
    int triangle_count;
    const int* triangles;  // counter-clockwise from outside
    int cover_vertex_count;
    const double* cover_positions;
    int cover_triangle_count;
    const int* cover_triangles;
    double reach;   // m, default 0.3
    double angle;   // degrees, 0 to 85, default 60
    double margin;  // m, default 0.03
    WeftAllocator allocator;
    WeftJobs jobs;
} WeftHiddenDef;
WEFT_API WeftHiddenDef weft_default_hidden_def(void);
// hidden: one byte per triangle, 1 or 0.
WEFT_API WeftResult weft_find_hidden(const WeftHiddenDef* def, unsigned char* hidden,
                                     WeftError* error);

// ---------------------------------------------------------------------------------------------
// Looks: what a fabric looks like, for whoever draws it. Never used by the simulation.

// How threads cross. A renderer makes its relief of it.
typedef enum WeftWeave {
    WEFT_WEAVE_PLAIN,    // over one, under one
    WEFT_WEAVE_TWILL,    // over two, under two, one further in each row: diagonal lines
    WEFT_WEAVE_SATIN,    // long floats of the warp
    WEFT_WEAVE_KNIT,     // columns of loops
    WEFT_WEAVE_PILE,     // a nap that hides the threads
    WEFT_WEAVE_RIPSTOP,  // plain, with a grid of thicker threads
} WeftWeave;

typedef enum WeftPrintKind {
    WEFT_PRINT_NONE,
    WEFT_PRINT_STRIPES,  // along the warp, as wide as the gaps between them
    WEFT_PRINT_CHECKS,   // stripes along the warp and the weft
    WEFT_PRINT_PICTURE,  // a file, repeated
} WeftPrintKind;

typedef struct WeftPrint {
    WeftPrintKind kind;  // default WEFT_PRINT_NONE
    uint32_t colour;     // of stripes and checks; default 0xffffff
    double size;         // m, of one repeat across; default 0.02
    char file[128];      // of a picture: its path, which is passed on and never opened by the core
} WeftPrint;

// Colours are sRGB as 0xRRGGBB. Shares are 0 to 1.
typedef struct WeftLook {
    uint32_t colour, reverse;  // of the right side, and of the other
    WeftWeave weave;
    double thread;          // m from one thread of the warp to the next; of knits, of wales
    double relief;          // how far threads stand out: 0 smooth, 1 as deep as they are apart
    double roughness;       // of what mirrors: 0 a mirror, 1 chalk
    double specular;        // how much mirrors, 1: as much as a dense plastic
    double sheen;           // light that fibres scatter back where one looks along the cloth
    uint32_t sheen_colour;  //
    double sheen_roughness;
    double anisotropy;    // -1 to 1: highlights are long across the threads of the warp above 0
    double opacity;       // share of what is behind that threads cover
    double translucency;  // share of diffuse light that is let through
    WeftPrint print;
} WeftLook;

// A plain weave, matt, without a print, of cloth that nobody says more of: eight colours by the
// number of the cloth, from 0; after the last comes the first again.
WEFT_API WeftLook weft_default_look(int number);
// The look of a preset (weft_fabric_preset), by its name; false where there is none of that name.
WEFT_API bool weft_preset_look(const char* name, WeftLook* look);
// "plain", "none" and so on, as files have them; NULL past the end.
WEFT_API const char* weft_weave_name(int weave);
WEFT_API const char* weft_print_name(int kind);

// ---------------------------------------------------------------------------------------------
// Levels of detail

// Takes motion from one model to another of the same garment, with more or fewer triangles.
typedef struct WeftTransferDef {
    const WeftModel *from, *to;
    int from_cloth, to_cloth;  // default 0
    // The meshes that the cloths were made of: then places are found in the flat shape, which must
    // be the same pattern. Of garments of several panels, that lie on each other there, also the
    // panel of each triangle (WeftGarment.panels), numbered alike. NULL, the default: places are
    // found in space, where states of the models start, and both must lie on each other there.
    const WeftMesh *from_mesh, *to_mesh;
    const int *from_panels, *to_panels;
    WeftAllocator allocator;
} WeftTransferDef;
WEFT_API WeftTransferDef weft_default_transfer_def(void);

// The models must outlive it. Refuses cloths that do not lie on each other, and those with ropes.
typedef struct WeftTransfer WeftTransfer;
WEFT_API WeftResult weft_create_transfer(const WeftTransferDef* def, WeftTransfer** transfer,
                                         WeftError* error);
WEFT_API void weft_destroy_transfer(WeftTransfer* transfer);
// Let `to` go on where `from` is: positions, velocities, pins and time of the two cloths, and where
// bodies are and go, where both models have the same; the local space; and where the skin is, where
// both cloths have one. Other cloths of `to` stay as they are, and so do its layers and masks, and
// maps of its skin that were set at run time: set those on both. What the finer of both has of
// wrinkles that the coarser cannot show is lost.
//
// Attachments of the models stay with them. Those that were made at run time, as by a hand that
// grabs, go from the one cloth to the other, and keep their numbers where these are free in `to`;
// those with an end in another cloth do not.
//
// `step` is how `to` is stepped. Two steps are taken by it without gravity, air and motion, and up
// to eight while something is crossed: so that the cloth gets into balance with itself, and out of
// what it crosses, before it goes on; else the strain that is left between triangles of different
// size becomes motion. NULL: none are taken, and the next step looks for what is crossed. Fails
// where such a step fails (see weft_state_error); the motion is taken over then, too.
//
// Pins of the model of `to` stay where most of what they lie on is pinned in `from`, and are let go
// elsewhere; pins that were set on `from` at run time, as by a hand that grabs, go to the vertices
// nearest to them. Pins of bodies stay with them. One call at a time per transfer. Where either
// state is torn, it fails, and nothing is taken over: weft_state_error of `to` says so.
WEFT_API WeftResult weft_transfer_state(WeftTransfer* transfer, const WeftState* from,
                                        WeftState* to, const WeftStepDef* step);

// Which of `count` levels to simulate at a distance (in any unit: metres, or pixels per metre
// inverted): level i up to thresholds[i], which go up; `count` beyond the last: asleep, not
// stepped. It stays at `current` (-1: none yet) until the distance is beyond a threshold by the
// part `hysteresis` of it (0.1: a tenth): what moves along a border does not switch to and fro. A
// distance that is not a number changes nothing.
WEFT_API int weft_choose_lod(int current, double distance, int count, const double* thresholds,
                             double hysteresis);

#ifdef __cplusplus
}
#endif

#endif
