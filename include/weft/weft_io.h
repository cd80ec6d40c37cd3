// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft, files: meshes, bodies, patterns and scenes in; OBJ, PLY, PC2 and GLB out and back; checks
// of what came out. Needs the C library, jansson and assimp. Errors read `file:line:column: what is
// wrong and what to do` where a place can be named.

#ifndef WEFT_WEFT_IO_H
#define WEFT_WEFT_IO_H

#include "weft/weft.h"
#include "weft/weft_detail.h"
#include "weft/weft_fit.h"
#include "weft/weft_garment.h"
#include "weft/weft_render.h"

#ifdef __cplusplus
extern "C" {
#endif

// Read a Wavefront OBJ. Positions become the shape in space, texture coordinates (times
// `texture_scale` > 0 metres) the flat rest shape: one material point for every pair of vertex and
// texture coordinates, so that a vertex on a seam has several. Where the file has none, material is
// NULL and every triangle at rest as it stands; some faces with and some without are refused.
// Polygons, also concave ones, of up to 1024 corners are cut into triangles. Vertices that no face
// uses are dropped, the others keep their order. Keywords other than v, vt and f are skipped.
// Vertices at one place stay as many as the file has; for cloth, weld them with weft_weld_mesh, as
// scenes do.
// `allocator` and `error` may be NULL.
WEFT_API WeftResult weft_read_obj(const char* path, double texture_scale,
                                  const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error);

// ---------------------------------------------------------------------------------------------
// Bodies: OBJ, PLY, glTF and GLB, FBX, Collada, STL and what else assimp opens, as one closed mesh
// where the file has one: all meshes of the file where its nodes put them, polygons as triangles,
// and vertices that are there several times for normals or textures as one. Bones, the four
// strongest weights of a vertex, and animations, sampled; what moves without bones (parts on nodes)
// gets one bone per node. Scales in animations and morph targets are not played.
//
// A sequence of files with the same vertices becomes one clip of shapes, called "frames": a path
// with a number in it ("walk.%04d.obj"), with a star ("walk*.obj"), or a folder.

typedef struct WeftFigureFileDef {
    // Metres per unit. 0, the default: what the file says; where it says nothing, or where no body
    // is of that size: metres, centimetres, millimetres or inches, by its size.
    double scale;
    char up;  // 'y' or 'z'; 0, the default: what the file says, else the longer one
    // A second file with animations for bones of the same names, or a PC2 file with positions of
    // the same vertices; NULL, the default: none. Its clips come before those of the first file.
    const char* clip_path;
    double rate;    // frames per second: of sequences and PC2, and to sample animations; default 60
    bool sequence;  // default false; true: the path is that of one file of a numbered sequence
} WeftFigureFileDef;

WEFT_API WeftFigureFileDef weft_default_figure_file_def(void);
// `def`, `allocator`, `findings` and `error` may be NULL. `findings` tell what was guessed and what
// was left out. A text that is no body fails with WEFT_ERROR_INPUT.
WEFT_API WeftResult weft_load_figure(const char* path, const WeftFigureFileDef* def,
                                     const WeftAllocator* allocator, WeftFigure* figure,
                                     WeftFindings* findings, WeftError* error);

// ---------------------------------------------------------------------------------------------
// Writing what was simulated, frame by frame. The ending of `path` chooses the format:
//
//     .glb   one file, animated by morph targets; opens in browsers, Blender, engines
//     .pc2   one file, positions only, to play on a mesh read elsewhere; Blender, Houdini, Maya
//     .obj   one file per frame: name.obj becomes name.0000.obj, name.0001.obj ...
//     .ply   one binary file per frame, likewise
//
// With one frame (frame_count 1) OBJ and PLY keep their name. A file appears under its name only
// when it is complete: until then its data are in path.part, which a failed run removes. Frames of
// OBJ and PLY sequences are files of their own, and those already complete stay.
//
// A GLB holds at most 1024 frames and 2 GB: longer runs keep every second, third, ... frame and the
// last, and players go straight in between. Its texture coordinates are (u, 1 - v), because glTF
// counts v downwards; the other formats keep (u, v). All formats keep the axes: y is up. Ropes are
// lines in GLB and OBJ, edges in PLY, and points like all others in PC2.
//
// A vertex on a seam may have several texture coordinates: OBJ names them at the corners of
// triangles; in GLB, where a vertex has one, it is there once for each, and the attribute _VERTEX
// says which are the same, so that readers give the mesh back as it was; PLY has the first of them.
// In GLB each part that is no body has a material and a colour of its own, or a look.

// A piece of a file with a name of its own. Parts follow one another, in vertices as in triangles,
// and use their own vertices only.
typedef struct WeftPart {
    const char* name;  // UTF-8
    int vertex_count;
    int triangle_count;
    bool body;  // not cloth, but what it touches
} WeftPart;

// How a part or a material looks in GLB, in the place of one colour out of eight. With texture
// coordinates, which are then in metres, threads and prints are seen as well.
typedef struct WeftPartLook {
    const WeftLook* look;  // NULL: no more than a colour
    bool warp_along_v;     // as garments have it on the cutting table; else it runs along u
} WeftPartLook;

typedef struct WeftWriterDef {
    int vertex_count;
    int triangle_count;
    const int* triangles;
    int line_count;        // segments of ropes, default 0; triangles or lines must be there
    const int* lines;      // 2 vertices per line
    const float* texture;  // 2 per vertex or, with triangle_texture, per texture_count; or NULL
    // Which texture coordinates each corner of a triangle has, 3 per triangle; NULL, the default:
    // those of its vertex.
    int texture_count;
    const int* triangle_texture;
    int frame_count;    // how many frames will come at most, default 1; fewer are fine
    double frame_rate;  // frames per second, default 60
    const char* name;   // of the object inside the file, UTF-8, default "cloth"
    // More objects than one: nodes in GLB, `o` in OBJ, a number per face in PLY; PC2 has no names.
    // All vertices and triangles belong to one, and ropes to the first. Bodies have no texture
    // coordinates in GLB.
    int part_count;         // default 0: one object, called `name`
    const WeftPart* parts;  // only the first may have no triangles
    // More materials in GLB than one for each cloth and one for all bodies: by name, and which of
    // them each triangle has, or -1: that of its part. NULL, the default: none has any.
    int material_count;
    const char* const* materials;  // UTF-8
    const int* triangle_material;
    // One per part, one per material, and where pictures of prints lie; NULL, the default: no
    // looks, in the current folder. A picture that is not there, or neither PNG nor JPEG, fails.
    const WeftPartLook* part_looks;
    const WeftPartLook* material_looks;
    const char* folder;
    WeftAllocator allocator;
} WeftWriterDef;

typedef struct WeftWriter WeftWriter;

WEFT_API WeftWriterDef weft_default_writer_def(void);
// Whether there is a format for this path, before there is anything to write.
WEFT_API WeftResult weft_check_writer(const char* path, WeftError* error);
WEFT_API WeftResult weft_open_writer(const char* path, const WeftWriterDef* def,
                                     WeftWriter** writer, WeftError* error);
// positions and normals: 3 floats per vertex. Numbers that are not finite are refused, naming the
// vertex. After a failure the writer takes no more frames; close or abandon it.
WEFT_API WeftResult weft_write_frame(WeftWriter* writer, const float* positions,
                                     const float* normals, WeftError* error);
// Complete the file, and free the writer in any case. Fails where a frame was lost or none came;
// then nothing half-written remains.
WEFT_API WeftResult weft_close_writer(WeftWriter* writer, WeftError* error);
// Give up: remove the unfinished file and free the writer. NULL is fine.
WEFT_API void weft_abandon_writer(WeftWriter* writer);

// What a writer wrote, read back frame by frame: `path` as it was given to the writer. Other files,
// even of the same formats, are refused where they hold what no writer writes. Positions are the
// floats that were written; of a GLB, up to the rounding of its differences. The triangles of its
// parts come by their materials.
typedef struct WeftReader {
    int frame_count;
    int vertex_count;
    int triangle_count;
    int* triangles;
    int part_count;  // one at least
    // Bodies are those, behind the first, whose name begins with "body". The tool calls planes,
    // which are drawn as squares, "body plane: " and their name.
    WeftPart* parts;
} WeftReader;

// `mesh_path`: for PC2, an OBJ with the same vertices, which has the triangles; else NULL.
// `allocator` and `error` may be NULL.
WEFT_API WeftResult weft_open_reader(const char* path, const char* mesh_path,
                                     const WeftAllocator* allocator, WeftReader** reader,
                                     WeftError* error);
// Frame 0 to frame_count - 1, in any order; 3 numbers per vertex.
WEFT_API WeftResult weft_read_frame(WeftReader* reader, int frame, double* positions,
                                    WeftError* error);
WEFT_API void weft_close_reader(WeftReader* reader);  // NULL is fine

// ---------------------------------------------------------------------------------------------
// Scenes: cloths, pins, bodies, wind and step settings as JSON. docs/scene.md has every key.
//
//     WeftScene* scene = NULL;
//     weft_load_scene("scenes/demo.json", NULL, NULL, &scene, &error);
//     weft_dress_scene(scene, NULL, NULL, NULL, &error);  // where somebody wears something
//     weft_create_model(&scene->model, &model, &error);   // set scene->model.jobs, .clock before
//     weft_create_state(model, &state, &error);
//     WeftStepDef step = scene->model.step;
//     for (int i = 0; i < weft_scene_frames(scene); i++) {
//         weft_direct_scene(scene, state, &step);          // pins, bodies and wind
//         weft_step(state, &step);
//     }
//     weft_destroy_scene(scene);                           // the model does not need it

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
    bool mirrored;       // it goes as the mirror image of that: a pin that half a cloth has
} WeftScenePin;

// What a scene does with an attachment of its model.
typedef struct WeftSceneAttachment {
    double place[3];  // where its end starts, where that is a place
    int motion;       // which of the scene's motions carries that, -1: none
} WeftSceneAttachment;

// A cut that a scene makes, in the step in which its time is.
typedef struct WeftSceneCut {
    double time;      // s
    int cloth;        // -1: all that the line meets
    double reach;     // as in WeftCutDef
    int point_count;  // of the line,
    double* points;   // 3 each, in space; of a line on the cloth, room for where they are then
    // Of a line on the cloth, else NULL: up to three vertices of the model per point, -1 where
    // there are no more, and how much it has of each.
    int* vertices;
    double* weights;
    // Or vertices of the model, each joined with the next by an edge; else NULL.
    int chain_count;
    int* chain;
    int edge_count;  // set when it is made: edges that were not cut before; -1: not yet
} WeftSceneCut;

// The space of a scene is turned about where it is, and moved, at once.
typedef struct WeftSceneTeleport {
    double time;  // s; increasing
    double move[3], turn[4];
} WeftSceneTeleport;

// A frame that goes along with a motion, and all of the scene with it ("Local space", weft.h). It
// starts as the world.
typedef struct WeftSceneSpace {
    int motion;  // -1: none
    int teleport_count;
    WeftSceneTeleport* teleports;
} WeftSceneSpace;

// How pins and bodies move: along a path, turning about an axis through a centre that goes along
// with it.
typedef struct WeftSceneMotion {
    WeftTrack offset;  // metres
    WeftTrack angle;   // values[0] of each key: degrees
    double axis[3];    // of length 1
    double centre[3];  // metres
} WeftSceneMotion;

// The vertices of a body over time, straight between keys, constant before the first and after the
// last; or round and round.
typedef struct WeftShapeTrack {
    int key_count;
    double* times;      // seconds, increasing
    double* positions;  // 3 per vertex, key after key
    double period;      // s: the first key comes again, this long after itself; 0: never
    double travel[3];   // how far it has gone by then, metres
} WeftShapeTrack;

typedef struct WeftSceneBody {
    char* name;     // as the file says, or NULL
    int motion;     // which of the scene's motions carries it, -1: none
    bool in_world;  // it does not go along with the space of the scene
    WeftMesh mesh;  // of lathes, meshes and hulls, which the model's def points at; of a distance
                    // field, its surface
    float* distances;      // of distance fields: the samples, which the def points at
    WeftShapeTrack shape;  // of those that deform; else no keys
    double* shape_now;     // room for one shape
    WeftFigure figure;     // of mannequins, and of files with bones or clips; else no vertices
    int clip;              // of the figure, that fills `shape`; -1: none, it stands as it is
    double clip_start;     // s, of the clip, at time 0
    double scale;          // of its place: figure to mesh
    // A body may be moved by hand, beside its motion: what the scene would put at x when the next
    // step ends is at hand_turn x + hand_move, and so is what it wears. Loaded as off.
    bool by_hand;
    double hand_move[3], hand_turn[4];  // metres; a unit quaternion
} WeftSceneBody;

// A cloth that a body wears: a pattern, sewn and put on.
typedef struct WeftSceneWear {
    int cloth, body;
    double edge;          // m, of its triangles
    WeftPattern pattern;  // placed around the body
    WeftGarment garment;  // what it was sewn to, without its mesh, which is that of the cloth
    WeftFabric* fabrics;  // per panel, where one names its own; NULL: all are of the cloth's
    // once it is put on
    int hold_count;  // vertices that go where the body takes them
    WeftBodyPoint* holds;
    WeftFabric* plain;  // what the cloth, then each of `fabrics`, is before it is for wearing
    double stretch;     // 99 % of its edges are no longer than this times their length at rest
    int open_seam;      // the one that is open furthest, and by how much, m; -1: all are closed
    double open;
    int* looks;  // per panel: which of the scene's looks it has
} WeftSceneWear;

// What cloth is made of and how it looks: one for each cloth, then one for each fabric that panels
// of garments name.
typedef struct WeftSceneLook {
    int cloth;
    char fabric[64];  // by name; empty: numbers only
    WeftLook look;
} WeftSceneLook;

// How much of its animation a cloth has over time (weft_scale_animation); no keys: all of it.
typedef struct WeftSceneBlend {
    WeftTrack distance, drive;  // values[0] of each key
} WeftSceneBlend;

// How a cloth is shown by another mesh than the one that is simulated ("detail", docs/detail.md).
typedef struct WeftSceneDetail {
    char* file;  // learned: from here, beside the scene; NULL: nothing is learned
    int parts;   // of every edge, where nothing is learned; 0: another mesh, or none at all
    WeftDetailSurface surface;
    WeftMesh mesh;  // what is shown, where it is another mesh; else no vertices
} WeftSceneDetail;

typedef struct WeftScene {
    char* name;          // as the file says, or the name of the file
    WeftModelDef model;  // cloths, bodies and step settings, ready for weft_create_model
    double duration;     // seconds
    int pin_count;
    WeftScenePin* pins;  // by vertex; where two pins hold one vertex, the later one counts
    WeftSceneAttachment* attachments;  // one per attachment of the model
    int cut_count;
    WeftSceneCut* cuts;
    int motion_count;
    WeftSceneMotion* motions;
    WeftSceneSpace space;
    WeftTrack wind;  // m/s; no keys: constant, as in model.step
    double pace;     // of all that moves, pins, bodies and wind: 2, twice as fast; loaded as 1
    // Bodies, and what holds the pins, may be moved by hand: how far they are moved when the next
    // step starts, and when it ends. Metres; loaded as 0.
    double carry_from[3], carry_to[3];
    WeftMesh* meshes;          // one per cloth
    WeftSceneDetail* details;  // one per cloth
    int* skins;                // one per cloth: the motion that carries its skin, or -1
    WeftSceneBlend* blends;    // one per cloth
    double* skin_now;          // room for the skin of any of them,
    int skin_room;             // so many vertices
    WeftWeld* welds;           // one per cloth: what was welded when its mesh was read
    WeftSceneBody* bodies;     // one per body of the model
    int wear_count;
    WeftSceneWear* wears;  // by cloth: of one body, from the skin outwards
    bool dressed;          // by weft_dress_scene, or by the start that the file names
    // What was guessed or mended when the files of patterns and bodies were read, with their names.
    WeftFindings findings;
    WeftHalving halving;  // of meshes that are not symmetric, where there is a mirror
    double bound;         // m, by which a scene with a mirror may be off: see below
    int look_count;
    WeftSceneLook* looks;  // by cloth, then those of panels
    WeftAllocator allocator;
} WeftScene;

// Read a scene. Mesh files it names are looked up beside it, fabrics there and in the folders
// `fabrics` (weft_find_fabric; may be NULL). `allocator` may be NULL (malloc; the
// JSON parser itself always uses malloc). A text that is no scene fails with WEFT_ERROR_INPUT.
WEFT_API WeftResult weft_load_scene(const char* path, const char* fabrics,
                                    const WeftAllocator* allocator, WeftScene** scene,
                                    WeftError* error);
// The same from memory. `name` stands for the file in messages; NULL: of a text that nobody sees
// they name no place. Mesh files are looked up in `folder`, where NULL is the current one.
WEFT_API WeftResult weft_parse_scene(const char* text, size_t length, const char* name,
                                     const char* folder, const char* fabrics,
                                     const WeftAllocator* allocator, WeftScene** scene,
                                     WeftError* error);
WEFT_API void weft_destroy_scene(WeftScene* scene);
// How symmetric a scene is about a plane. Metres, unless said otherwise; 0: as far as numbers can
// tell.
typedef struct WeftSceneSymmetry {
    double cloth;   // of the surface of a cloth from its mirror image, at the start
    int unpaired;   // vertices of all cloths without an image: meshes that a mirror splits
    int unlike;     // of those with images: flat shapes, springs, threads, fabrics and factors that
                    // are not those of their images; and bodies with another friction
    double pins;    // of a pin from the mirror image of its image, at any time; infinite where one
                    // holds and the other does not
    double bodies;  // of the surface of bodies, and of what sticks to it, from their mirror image,
                    // at any time
    double across;  // gravity, wind and velocities across the plane, m/s^2 and m/s
    double time;    // s, when bodies or pins are worst
    char culprit[200];  // what is worst, in words; empty: nothing is off
} WeftSceneSymmetry;

// A scene with a mirror ("mirror", docs/scene.md) has meshes that are made symmetric when it is
// read. Where a cloth, a pin or a body is off by more than `bound`, something is unlike its image,
// or gravity, wind or velocities go across, its model has no mirror, and `findings` says why. This
// measures any scene about any plane, for all time: docs/mirror.md says how.
WEFT_API WeftResult weft_measure_scene(const WeftScene* scene, const WeftPlane* plane,
                                       WeftSceneSymmetry* symmetry, WeftError* error);
// Put the garments of the scene on, which takes seconds: until then they lie around their bodies.
// Does nothing where there are none, or where it is done. scene->model.jobs may be set before.
// `progress` (or NULL) is told how much is done, 0 to 1, and what is; false stops it. `findings`
// (or NULL) tells what is to be known of it and is not yet in those of the scene.
WEFT_API WeftResult weft_dress_scene(WeftScene* scene,
                                     bool (*progress)(void* user, double part, const char* stage),
                                     void* user, WeftFindings* findings, WeftError* error);
// Vertices of the model that are worn, held at their wearer by hand, beside those that the garment
// holds there: from the next weft_direct_scene on they go where the surface of the body goes, also
// where it walks. `place`: where the vertex is to be held, as all is at `time`, the state's; 0: as
// the scene begins. Fails where nobody wears it.
WEFT_API bool weft_is_worn(const WeftScene* scene, int vertex);
WEFT_API WeftResult weft_hold_worn(WeftScene* scene, int vertex, const double place[3], double time,
                                   WeftError* error);
// False: it was not held. The state still has its pin (weft_unpin).
WEFT_API bool weft_release_worn(WeftScene* scene, int vertex);
// Where it is held when the scene begins; false: it is not held.
WEFT_API bool weft_worn_place(const WeftScene* scene, int vertex, double place[3]);
// All holds of one of the scene's wears, which are copied.
WEFT_API WeftResult weft_set_worn_holds(WeftScene* scene, int wear, const WeftBodyPoint* holds,
                                        int count, WeftError* error);
// How the garments of a dressed scene lie, as a file: a scene that names it (`"start"`,
// docs/scene.md) is dressed as soon as it is loaded, to the same bits. It fits the same garments on
// the same bodies in the pose in which the scene starts; the reader refuses all others.
WEFT_API WeftResult weft_save_start(const char* path, const WeftScene* scene, WeftError* error);
// The text of such a file, of which `size` bytes are written at most, a final 0 included; returns
// the length of the whole text without it. A scene that is not dressed has no garments in it.
WEFT_API size_t weft_print_start(const WeftScene* scene, char* text, size_t size);
// Set pins, their targets, bodies and the wind for the next step: whether a pin holds by the time
// at which the step starts (the state's), where it goes, where bodies are and how the wind blows by
// the time at which it ends. Cuts are made, and the space is moved. Vertices that the scene never
// pins and bodies that it never moves are left alone. One thread at a time. Fails for lack of
// memory only, in scenes whose cloth is cut.
WEFT_API WeftResult weft_direct_scene(const WeftScene* scene, WeftState* state, WeftStepDef* step);
// Steps of model.step.dt in the scene's duration, at least 1 where that is not 0.
WEFT_API int weft_scene_frames(const WeftScene* scene);
// What writers and renderers need beside the model. The flat shape in metres, 2 per vertex; zero
// for cloths where a vertex has several places in it, or none:
WEFT_API void weft_scene_texture(const WeftScene* scene, float* texture);
// All material points, as texture coordinates in metres, 2 per point, and which of them each corner
// of a triangle has (`texture` and `triangle_texture` of WeftWriterDef): of cloths of one piece as
// their material, u along the warp. Garments are laid out as on a cutting table: panels beside one
// another without overlap, the warp along v, so that upright stripes of a picture run along it.
// Halves of panels on the fold lie joined where the fold runs along the warp or across it: a panel
// that was cut in two for a mirror lies as it does without.
// Returns how many points there are. Both arrays may be NULL; `triangle_texture` has 3 per triangle
// of the model.
WEFT_API int weft_scene_material(const WeftScene* scene, float* texture, int* triangle_texture);
// Which of the scene's looks each triangle of the model has.
WEFT_API void weft_scene_triangle_looks(const WeftScene* scene, int* looks);
// The segments of all ropes, 2 vertices each; returns how many. `lines` may be NULL.
WEFT_API int weft_scene_lines(const WeftScene* scene, int* lines);

// ---------------------------------------------------------------------------------------------
// What is shown of a scene: its cloths by their details, and those without as they are simulated.
//
//     weft_create_show(scene, model, NULL, &show, &error);   // once it is dressed
//     weft_show_frame(show, state, NULL, positions, normals);  // after every step
//
// It is shown in the world, also where the state is in a space that moves.
//
// Cloth may be torn: after a step of which the report says `torn` there are more vertices, and
// weft_update_show is due before the next frame. Triangles stay as many, in the same order; some of
// their corners name other vertices. Details do not follow that, and are refused in scenes with
// cuts or a tear_load.

typedef struct WeftShow WeftShow;

// The scene and the model must outlive it; without a model (NULL) there are no frames of it. Reads
// the files that details name; one that is damaged, or learned of another mesh, fails with
// WEFT_ERROR_INPUT and a message that begins with its path.
WEFT_API WeftResult weft_create_show(const WeftScene* scene, const WeftModel* model,
                                     const WeftAllocator* allocator, WeftShow** show,
                                     WeftError* error);
WEFT_API void weft_destroy_show(WeftShow* show);
// As many vertices as the state's model has now. Pointers handed out before are not valid any more,
// and buffers take weft_show_vertex_count. Fails for lack of memory; then all is as before, and no
// frame can be shown.
WEFT_API WeftResult weft_update_show(WeftShow* show, const WeftState* state, WeftError* error);
// Show a cloth by what a file has learned, whatever the scene says; `path` as it is, NULL: as it is
// simulated. Before a show is made, which reads the file.
WEFT_API WeftResult weft_set_scene_detail(WeftScene* scene, int cloth, const char* path,
                                          WeftError* error);
// Of all cloths, one after another: vertices, and triangles of them.
WEFT_API int weft_show_vertex_count(const WeftShow* show);
WEFT_API int weft_show_triangle_count(const WeftShow* show);
WEFT_API const int* weft_show_triangles(const WeftShow* show);
// Where cloth c begins; for c = the number of cloths, where all end.
WEFT_API int weft_show_first_vertex(const WeftShow* show, int cloth);
WEFT_API int weft_show_first_triangle(const WeftShow* show, int cloth);
// What a cloth is shown by; NULL: as it is simulated.
WEFT_API const WeftDetail* weft_show_detail(const WeftShow* show, int cloth);
// Where each shown vertex lies in the cloth: 3 vertices of the model, and how much it has of each.
// For colours, pins and what is grabbed.
WEFT_API const int* weft_show_corners(const WeftShow* show);
WEFT_API const double* weft_show_weights(const WeftShow* show);
// The triangle of the model that each shown one is a part of, or nearest to.
WEFT_API const int* weft_show_parts(const WeftShow* show);
// As it is now, never inside bodies; 3 per shown vertex, and either may be NULL. No memory is
// taken. One thread at a time calls this for a show; jobs (or NULL) change no bit.
WEFT_API void weft_show_frame(WeftShow* show, const WeftState* state, const WeftJobs* jobs,
                              float* positions, float* normals);
// The same places as doubles, as the last frame has them.
WEFT_API const double* weft_show_positions(const WeftShow* show);
// A body as weft_copy_body has it, in the world.
WEFT_API void weft_show_body(const WeftState* state, int body, double* positions);
// From the space of a state to the world, and back: for what is picked and dragged.
WEFT_API void weft_to_world(const WeftState* state, const double point[3], double world[3]);
WEFT_API void weft_from_world(const WeftState* state, const double world[3], double point[3]);
// Texture coordinates, looks and lines of what is shown, as weft_scene_material,
// weft_scene_triangle_looks and weft_scene_lines.
WEFT_API int weft_show_material(const WeftShow* show, float* texture, int* triangle_texture);
WEFT_API void weft_show_triangle_looks(const WeftShow* show, int* looks);
// Which panel of its pattern each triangle that is shown lies on; -1: that of no garment.
WEFT_API void weft_show_triangle_panels(const WeftShow* show, int* panels);
WEFT_API int weft_show_lines(const WeftShow* show, int* lines);

// What writers take of a show: one mesh of the cloth and, behind it, of the bodies. Garments are
// called like their patterns, other cloths "cloth 1", bodies "body ball", planes "body plane: 0";
// materials go by fabrics.
//
//     weft_create_show_mesh(scene, model, show, true, NULL, &mesh, &error);
//     WeftWriterDef def = weft_show_mesh_def(mesh);   // and frames, rate and folder
//
typedef struct WeftShowMesh WeftShowMesh;
enum { WEFT_PART_NAME = 64 };           // bytes of a name, with the final 0
#define WEFT_BODY_PART "body"           // how the names of all bodies begin
#define WEFT_PLANE_PART "body plane: "  // how those of planes begin, which are drawn as squares

// As the show is now: of cloth that is torn later, another one is due. bodies: false for the cloth
// alone. All is copied, so that nothing has to outlive it. Fails for lack of memory only.
WEFT_API WeftResult weft_create_show_mesh(const WeftScene* scene, const WeftModel* model,
                                          const WeftShow* show, bool bodies,
                                          const WeftAllocator* allocator, WeftShowMesh** mesh,
                                          WeftError* error);
WEFT_API void weft_destroy_show_mesh(WeftShowMesh* mesh);
// All of a def but frame_count, frame_rate and folder. It points into the mesh.
WEFT_API WeftWriterDef weft_show_mesh_def(const WeftShowMesh* mesh);
WEFT_API void weft_name_body(const WeftScene* scene, int body, char name[WEFT_PART_NAME]);
// Of every vertex the mean of the triangles around it, by their area; 0 where there are none. For
// positions that come without.
WEFT_API void weft_find_normals(int vertex_count, int triangle_count, const int* triangles,
                                const float* positions, float* normals);

// ---------------------------------------------------------------------------------------------
// Learned detail as files (docs/detail.md). `error` may be NULL, and so may allocators.

// A file that is damaged, or learned of another mesh, fails with WEFT_ERROR_INPUT and a message
// that begins with its path.
WEFT_API WeftResult weft_read_detail_file(const char* path, const WeftMesh* coarse,
                                          const WeftAllocator* allocator, WeftDetail** detail,
                                          WeftError* error);
WEFT_API WeftResult weft_inspect_detail_file(const char* path, WeftDetailInfo* info,
                                             WeftError* error);
// Written to path.part, and renamed when it is complete. Refuses what was not learned.
WEFT_API WeftResult weft_save_detail_file(const char* path, const WeftDetail* detail,
                                          WeftError* error);

// ---------------------------------------------------------------------------------------------
// A scene and the same with a dense cloth, which tracks it: what details are learned from.
//
//     weft_create_pair(scene, 0, 4, NULL, &pair, &error);      // once it is dressed
//     while (...) {
//         weft_step_pair(pair, &error);        // or weft_step_coarse, then weft_step_dense
//         weft_learn(learner, &pair->frame, pair->dense, held_out, NULL);
//     }

typedef struct WeftPair {
    int cloth, parts;
    WeftModel *coarse_model, *dense_model;
    WeftState *coarse_state, *dense_state;
    WeftDetailFrame frame;  // of the coarse cloth, after the last step
    const double* dense;    // places of the dense one, likewise
    struct WeftPairParts* own;
} WeftPair;

// Cloth `cloth` of the scene, and the others as they are, with every edge in `parts`. Pins, bodies
// and wind are those of the scene, which must outlive it and is directed for both;
// scene->model.jobs is used. Dense vertices between pinned ones are pinned.
WEFT_API WeftResult weft_create_pair(const WeftScene* scene, int cloth, int parts,
                                     const WeftAllocator* allocator, WeftPair** pair,
                                     WeftError* error);
WEFT_API void weft_destroy_pair(WeftPair* pair);
WEFT_API WeftResult weft_step_pair(WeftPair* pair, WeftError* error);
WEFT_API WeftResult weft_step_coarse(WeftPair* pair, WeftError* error);
// tracked: false, it goes its own way, under the same pins and loads.
WEFT_API WeftResult weft_step_dense(WeftPair* pair, bool tracked, WeftError* error);

// ---------------------------------------------------------------------------------------------
// Fabrics as files: JSON, docs/fabric.md has every key.

typedef struct WeftFabricFile {
    char name[64];          // as scenes call it; empty: the name of the file
    char description[256];  // what it is, in a line; may be empty
    char source[1024];      // where its numbers come from; may be empty
    double fit_error;       // m, how far the fitted cloth is from the measured one; 0: not known
    WeftFabric fabric;
    WeftLook look;  // weft_default_look(0), where the file has none
} WeftFabricFile;

// Read a fabric. Its density is due, and stretch constants or measured tables; where only tables
// are there, constants are fitted to them (weft_fit_constants). What else is missing is the
// default. A text that is no fabric fails with WEFT_ERROR_INPUT.
WEFT_API WeftResult weft_load_fabric(const char* path, WeftFabricFile* fabric, WeftError* error);
// The same from memory. `name` stands for the file in messages.
WEFT_API WeftResult weft_parse_fabric(const char* text, size_t length, const char* name,
                                      WeftFabricFile* fabric, WeftError* error);
// Write a fabric, so that reading it gives the same numbers to the last bit.
WEFT_API WeftResult weft_save_fabric(const char* path, const WeftFabricFile* fabric,
                                     WeftError* error);
// The same into memory, as snprintf does: returns the length of the whole text without its final 0,
// and writes as much of it as `size` bytes hold.
WEFT_API size_t weft_print_fabric(const WeftFabricFile* fabric, char* text, size_t size);

// A look as JSON, with all its keys, as fabric files and scenes have it; like weft_print_fabric.
WEFT_API size_t weft_print_look(const WeftLook* look, char* text, size_t size);

// Fabrics by name: the presets of the library, then files NAME.json in `folder` (NULL: the current
// one) and in the folders `fabrics`, separated by colons (on Windows by semicolons; NULL: none);
// files that are no fabrics, such as a scene of that name, are passed over.
// What has a slash in it or ends in .json is the path of a file, beside `folder` unless it starts
// at the root.
WEFT_API WeftResult weft_find_fabric(const char* name, const char* folder, const char* fabrics,
                                     WeftFabricFile* fabric, WeftError* error);
// One of such folders, but for those that `size` bytes do not hold; false past the end.
WEFT_API bool weft_fabric_folder(const char* fabrics, int index, char* path, size_t size);
// The names of the files NAME.json in a folder, in order: of fabrics, and of garments as well.
// Returns how many there are, of which `names` gets the first `room`.
WEFT_API int weft_list_fabrics(const char* folder, char (*names)[64], int room);
// The names of all: presets, then files, folder by folder; `room` of them at most. Returns how
// many.
WEFT_API int weft_fabric_names(const char* fabrics, char (*names)[64], int room);

// ---------------------------------------------------------------------------------------------
// Measurements of fabrics, for weft_fit_fabric: JSON, docs/fit.md has every key.

// `allocator` and `error` may be NULL. A text that is no measurement fails with WEFT_ERROR_INPUT.
WEFT_API WeftResult weft_load_measurements(const char* path, const WeftAllocator* allocator,
                                           WeftMeasurements** measurements, WeftError* error);
// The same from memory. `name` stands for the file in messages.
WEFT_API WeftResult weft_parse_measurements(const char* text, size_t length, const char* name,
                                            const WeftAllocator* allocator,
                                            WeftMeasurements** measurements, WeftError* error);
// Write measurements; places are rounded to a nanometre.
WEFT_API WeftResult weft_save_measurements(const char* path, const WeftMeasurements* measurements,
                                           WeftError* error);

// ---------------------------------------------------------------------------------------------
// Patterns as files: our own JSON, of which docs/pattern.md has every key, and the JSON of
// GarmentCode and of its predecessor.

// Read a pattern and repair it (weft_repair_pattern). `measures` (or NULL) are those of the body it
// is for: they take the place of the defaults that the file gives under the same names. `findings`
// (or NULL), zero-initialised or from before, gets what was mended. `allocator` and `error` may be
// NULL. A text that is no pattern fails with WEFT_ERROR_INPUT; *pattern is then left alone.
WEFT_API WeftResult weft_load_pattern(const char* path, const WeftMeasures* measures,
                                      const WeftAllocator* allocator, WeftPattern* pattern,
                                      WeftFindings* findings, WeftError* error);
// The same from memory. `name` stands for the file in messages.
WEFT_API WeftResult weft_parse_pattern(const char* text, size_t length, const char* name,
                                       const WeftMeasures* measures, const WeftAllocator* allocator,
                                       WeftPattern* pattern, WeftFindings* findings,
                                       WeftError* error);
// Whether a file is a pattern, of our own form or of GarmentCode: other JSON, such as a scene, is
// not, nor is what cannot be read.
WEFT_API bool weft_is_pattern(const char* path);
// Write a pattern as our own JSON, so that reading it gives the same pattern to the last bit; one
// that is mirrored (weft_mirror_pattern) by its half.
WEFT_API WeftResult weft_save_pattern(const char* path, const WeftPattern* pattern,
                                      WeftError* error);
// The same into memory, as snprintf does: returns the length of the whole text without its final 0,
// and writes as much of it as `size` bytes hold.
WEFT_API size_t weft_print_pattern(const WeftPattern* pattern, char* text, size_t size);

// ---------------------------------------------------------------------------------------------
// Checks: what has passed through what. A judge of its own, which shares no code with contact.

// Triangles in space. Several surfaces may point at the same positions: only those of one surface
// share vertices.
typedef struct WeftSurface {
    int vertex_count;
    const double* positions;  // 3 per vertex
    int triangle_count;
    const int* triangles;  // 3 per triangle
    bool body;             // crosses cloth only: neither itself nor other bodies
} WeftSurface;

// Two triangles, in the order of surfaces and of triangles.
typedef struct WeftCrossing {
    int surface[2], triangle[2];
} WeftCrossing;

// Find all pairs of triangles that have a point in common: of cloth with itself, other cloth and
// bodies. The answer is exact, not rounded, and touching counts. Triangles that share a vertex or
// an edge must meet away from it: folded flat onto each other, or through one another. `crossings`
// has room for the first `room`, by surface and triangle; *count is the number of all. Positions
// that are not finite, or beyond 1e30 m, are refused. `allocator` and `error` may be NULL.
WEFT_API WeftResult weft_find_crossings(const WeftSurface* surfaces, int surface_count,
                                        const WeftAllocator* allocator, int room,
                                        WeftCrossing* crossings, int* count, WeftError* error);
// Of a crossing of these surfaces: whether all of one triangle is on one side of the other, or in
// its plane, so that neither goes through the other. Exact. (Edges that touch edges at an angle do
// not count.)
WEFT_API bool weft_crossing_touches(const WeftSurface* surfaces, const WeftCrossing* crossing);

// Vertices of a surface of cloth that are inside of a body.
typedef struct WeftInside {
    int surface, body;  // of the surfaces
    int vertex_count;   // how many
    int first;          // the lowest of them
} WeftInside;

// Find all vertices of cloth that are inside of closed bodies, of which cloth that is wholly inside
// crosses nothing. Exact; what is on the surface is not inside. A body is closed where triangles
// run both ways along every edge, and vertices at one place count as one; what is open has no
// inside, but for those that `planes` (one per surface, or NULL) calls planes: all behind their
// first triangle. Bodies are counter-clockwise from outside. `inside` has room for the first
// `room`, by body and surface; *count is the number of all. Refuses what weft_find_crossings
// refuses. `allocator` and `error` may be NULL.
WEFT_API WeftResult weft_find_inside(const WeftSurface* surfaces, int surface_count,
                                     const bool* planes, const WeftAllocator* allocator, int room,
                                     WeftInside* inside, int* count, WeftError* error);

// Which of the words was probably meant by a misspelt one; NULL where none is near.
WEFT_API const char* weft_nearest_word(const char* word, const char* const* words, int count);

#ifdef __cplusplus
}
#endif

#endif
