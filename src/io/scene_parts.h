// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The parts of a scene, each read by the file of its name.

#ifndef WF_IO_SCENE_PARTS_H
#define WF_IO_SCENE_PARTS_H

#include "base/vec.h"
#include "garment/frame.h"
#include "io/scene_keys.h"

// scene_mesh.c, scene_outline.c
extern const WfSceneTable wf_scene_place_table, wf_scene_turn_table, wf_scene_side_table;
const WfSceneTable* wf_scene_mesh_table(int kind);  // NULL past the end
WeftResult wf_scene_read_mesh(WfSceneReader* reader, const WfSceneNode* node, void* cloth);
WeftResult wf_scene_read_place(WfSceneReader* reader, const WfSceneNode* node, void* cloth);
// Where something stands: scaled, then turned, then moved.
typedef struct WfStand {
    double scale, move[3];
    double axis[3], degrees;  // the axis of length 1
} WfStand;
void wf_scene_default_stand(void* stand);
WeftResult wf_scene_read_stand(WfSceneReader* reader, const WfSceneNode* node, WfStand* stand);
// The path of a file that the scene names: beside it, unless the name starts at the root. From the
// scene's allocator; NULL where memory is short.
char* wf_scene_file_path(const WfSceneReader* reader, const char* name);

// The loops of an outline, owned: loop 0 is the outside.
typedef struct WfSceneOutline {
    int loop_count;
    WeftLoop* loops;
} WfSceneOutline;
// `outside` is a list of sides, `holes` a list of such lists, or its value is NULL.
WeftResult wf_scene_read_outline(WfSceneReader* reader, const WfSceneNode* outside,
                                 const WfSceneNode* holes, WfSceneOutline* outline);
// One of them; and the keys "to" and "control" of a side, into a WeftSide.
WeftResult wf_scene_read_loop(WfSceneReader* reader, const WfSceneNode* node, WeftLoop* loop);
WeftResult wf_scene_read_to(WfSceneReader* reader, const WfSceneNode* node, void* side);
WeftResult wf_scene_read_control(WfSceneReader* reader, const WfSceneNode* node, void* side);
void wf_scene_free_outline(const WeftAllocator* allocator, WfSceneOutline* outline);

// scene_pins.c
extern const WfSceneTable wf_scene_pin_table;
WeftResult wf_scene_read_pins(WfSceneReader* reader, const WfSceneNode* node, void* cloth);
// Put the pins in the order of their vertices, those of one vertex in the order of the file.
WeftResult wf_scene_sort_pins(WfSceneReader* reader);

// scene_attach.c
extern const WfSceneTable wf_scene_attach_table;
WeftResult wf_scene_read_attachments(WfSceneReader* reader, const WfSceneNode* node, void* scene);
void wf_scene_free_attachments(WeftScene* scene);
// The point of a cloth, or of whichever is nearest (-1), that starts nearest to a place: vertices
// of the model, -1 where there are no more, and their weights.
WeftResult wf_scene_find_point(WfSceneReader* reader, const double place[3], int cloth,
                               int vertices[3], double weights[3]);

// scene_cut.c
extern const WfSceneTable wf_scene_cut_table;
WeftResult wf_scene_read_cuts(WfSceneReader* reader, const WfSceneNode* node, void* scene);
void wf_scene_free_cuts(WeftScene* scene);
// Whether vertices may be split while it runs.
bool wf_scene_tears(const WeftScene* scene);
// Make the cuts of the step from `start` to `end`. Fails for lack of memory.
WeftResult wf_scene_direct_cuts(const WeftScene* scene, WeftState* state, double start, double end);

// scene_space.c
extern const WfSceneTable wf_scene_space_table, wf_scene_teleport_table;
WeftResult wf_scene_read_space(WfSceneReader* reader, const WfSceneNode* node, void* scene);
void wf_scene_free_space(WeftScene* scene);
bool wf_scene_space_moves(const WeftScene* scene);
// Where it is when a step ends, or starts.
WfFrame wf_scene_space_frame(const WeftScene* scene, double time);
// Where the space goes in the step from `start` to `end`, and with it what stays in the world.
void wf_scene_direct_space(const WeftScene* scene, WeftState* state, double start, double end);

// scene.c
// Parse a text, which is then left where it begins behind a mark of UTF-8; or say what the parser
// says, with its place. `name` stands for the file in messages.
WeftResult wf_parse_json(const char** text, size_t length, const char* name, json_t** root,
                         WeftError* error);
// The whole file; *text from the allocator.
WeftResult wf_read_file(const char* path, const WeftAllocator* allocator, char** text,
                        size_t* length, WeftError* error);

// scene_cloth.c
extern const WfSceneTable wf_scene_cloth_table, wf_scene_estimator_table;
WeftResult wf_scene_read_cloths(WfSceneReader* reader, const WfSceneNode* node, void* scene);
void wf_scene_free_cloths(WeftScene* scene);
// The cloth that a vertex of the model is of, and which of its own it is then.
int wf_scene_cloth_of(const WeftScene* scene, int* vertex);

// scene_look.c
// The look of a cloth, or of one of its panels, is that of a fabric. Panels of fabrics of one name
// share a look, unless it is `own`. False: memory is short.
void wf_scene_set_look(WeftScene* scene, int cloth, const WeftFabricFile* file);
bool wf_scene_set_panel_look(WeftScene* scene, WeftSceneWear* wear, int panel,
                             const WeftFabricFile* file, bool own);

// scene_panels.c
WeftResult wf_scene_read_panels(WfSceneReader* reader, const WfSceneNode* node, void* cloth);

// scene_detail.c
extern const WfSceneTable wf_scene_detail_table;
WeftResult wf_scene_read_detail(WfSceneReader* reader, const WfSceneNode* node, void* cloth);
WeftResult wf_scene_read_only_detail(WfSceneReader* reader, const WfSceneNode* node, void* scene);
void wf_scene_free_details(WeftScene* scene);

// scene_scales.c
// scene_animation.c
extern const WfSceneTable wf_scene_animation_table;
WeftResult wf_scene_read_animation(WfSceneReader* reader, const WfSceneNode* node, void* cloth);
void wf_scene_free_animation(const WeftAllocator* allocator, const WeftClothDef* cloth);
bool wf_scene_is_animated(const WeftClothDef* cloth);
void wf_scene_free_blends(WeftScene* scene);
// How much of their animation cloths have by `time`.
void wf_scene_direct_blends(const WeftScene* scene, WeftState* state, double time);

extern const WfSceneTable wf_scene_scales_table, wf_scene_region_table;
WeftResult wf_scene_read_scales(WfSceneReader* reader, const WfSceneNode* node, void* cloth);
void wf_scene_free_scales(const WeftAllocator* allocator, const WeftClothDef* cloth);

// scene_body.c
const WfSceneTable* wf_scene_body_table(int kind);  // NULL past the end
WeftResult wf_scene_read_bodies(WfSceneReader* reader, const WfSceneNode* node, void* scene);
void wf_scene_free_bodies(WeftScene* scene);

// scene_shape.c
extern const WfSceneTable wf_scene_pair_table;
// Points, into a mesh without triangles; then all of it becomes its hull, in the place of the node.
WeftResult wf_scene_read_points(WfSceneReader* reader, const WfSceneNode* node, WeftMesh* mesh);
WeftResult wf_scene_make_hull(WfSceneReader* reader, const WfSceneNode* node, WeftMesh* mesh);
WeftResult wf_scene_read_counts(WfSceneReader* reader, const WfSceneNode* node, int counts[3]);
// The samples of a file; the mesh of the body becomes what is seen of the field.
WeftResult wf_scene_make_distance(WfSceneReader* reader, const WfSceneNode* node, const char* name,
                                  WeftDistanceDef* def, WeftSceneBody* body);
void wf_scene_scale_distance(double scale, WeftDistanceDef* def, float* values);
// A list of numbers from 0 to 31, as bits.
WeftResult wf_scene_read_layers(WfSceneReader* reader, const WfSceneNode* node, uint32_t* bits);
// "pair_frictions", when bodies and cloths are known.
WeftResult wf_scene_read_pairs(WfSceneReader* reader, const WfSceneNode* node, void* scene);

// scene_lathe.c
// Lines of [r, y], one per key: of equal length, with the same points on the axis.
typedef struct WfProfile {
    int point_count, key_count;
    double* times;   // NULL: one key, for all time
    double* points;  // 2 per point, key after key
} WfProfile;
// A list of points, or a track of them.
WeftResult wf_scene_read_profile(WfSceneReader* reader, const WfSceneNode* node,
                                 WfProfile* profile);
// The profile turned about y. A closed line goes on from its last point to its first. `shape` gets
// keys where the profile has several.
WeftResult wf_make_lathe(const WfProfile* profile, bool closed, int segments,
                         const WeftAllocator* allocator, WeftMesh* mesh, WeftShapeTrack* shape,
                         WeftError* error);
void wf_free_profile(const WeftAllocator* allocator, WfProfile* profile);

// scene_figure.c
// What a figure does in a scene.
typedef struct WfFigureSpec {
    char *clip, *clip_file;  // or NULL
    double start;            // of the clip at the start of the scene, seconds
    double rate;             // of files without one
    double gap;              // m, kept between its limbs
} WfFigureSpec;
// Whether a file is more than an OBJ reader reads.
bool wf_scene_needs_figure(const char* file, const WfFigureSpec* spec);
// `frames`: a PC2 file, or NULL.
WeftResult wf_scene_read_figure(WfSceneReader* reader, const WfSceneNode* node, const char* file,
                                const char* frames, const WfFigureSpec* spec, WeftSceneBody* body);
WeftResult wf_scene_make_mannequin(WfSceneReader* reader, const WfSceneNode* node,
                                   const WeftMannequinDef* wanted, const WfFigureSpec* spec,
                                   WeftSceneBody* body);

// pc2_read.c
// The frames of a PC2 file of `vertex_count` points, `rate` to the second.
WeftResult wf_read_pc2(const char* path, int vertex_count, double rate,
                       const WeftAllocator* allocator, WeftShapeTrack* shape, WeftError* error);

// scene_mirror.c
extern const WfSceneTable wf_scene_mirror_table;
WeftResult wf_scene_read_mirror(WfSceneReader* reader, const WfSceneNode* node, void* scene);
// Ends this reading by a failure: the scene is read again, and all of it simulated. `why` goes to
// the findings.
WeftResult wf_scene_give_up_mirror(WfSceneReader* reader, const char* why);
// Make the mesh that was just read and placed symmetric, where there is a mirror.
WeftResult wf_scene_mirror_mesh(WfSceneReader* reader, WeftClothDef* cloth);
// When a cloth is read: whether what its mesh lost on the way matters.
WeftResult wf_scene_check_mirrored(WfSceneReader* reader, const WeftClothDef* cloth);
// When all is read: whether the scene is symmetric.
WeftResult wf_scene_judge_mirror(WfSceneReader* reader);
// When all is read again: why the first reading gave the mirror up, to the findings.
WeftResult wf_scene_tell_whole(WfSceneReader* again, const WfSceneReader* first);

// scene_carry.c
// What the file says of vertices, and of places in the flat shape, is of the mesh as it is given. A
// mirror makes another of it, and what was said is carried over.

// Of triangles, or of ropes where there are none; m.
double wf_scene_mean_edge(const WeftMesh* mesh);
// Keep what the reader's mesh is, before it becomes another.
WeftResult wf_scene_keep_given(WfSceneReader* reader);
void wf_scene_drop_given(WfSceneReader* reader);
// The mesh as it is given.
const WeftMesh* wf_scene_given(const WfSceneReader* reader);
// From vertices of the given mesh to those of the mesh. Gives the mirror up where a vertex has none
// at its place.
WeftResult wf_scene_carry_pins(WfSceneReader* reader, const bool* given, bool* chosen);
// Where a vertex of the mesh is in the given one.
typedef struct WfGivenSpot {
    int vertex;  // that it still is, or that it is the image of at its place; else -1:
    int triangle;
    double w[3];  // of the corners of the triangle
} WfGivenSpot;
// One per vertex of the mesh, from the scene's allocator; NULL where the mesh is the given one.
WeftResult wf_scene_find_given(WfSceneReader* reader, WfGivenSpot** spots);

// scene_symmetry.c
// How far the surface of a mesh is from its mirror image, m, by its vertices; of ropes, these.
WeftResult wf_surface_asymmetry(const WeftAllocator* allocator, const WeftMesh* mesh,
                                const WeftPlane* plane, double* off, WeftError* error);
// The same by the middles of triangles as well: holes may have vertices all around and none inside.
WeftResult wf_mesh_asymmetry(const WeftAllocator* allocator, const WeftMesh* mesh,
                             const WeftPlane* plane, double* off, WeftError* error);

// scene_step.c
extern const WfSceneTable wf_scene_step_table;
WeftResult wf_scene_read_step(WfSceneReader* reader, const WfSceneNode* node, void* scene);

// scene_wear.c
// Sew the pattern of a file for a body, by its name, or NULL for the one there is, into the
// reader's mesh.
WeftResult wf_scene_make_garment(WfSceneReader* reader, const WfSceneNode* node, const char* path,
                                 const char* wearer, double edge);
// Move the panels of the garment that was just made; false where the mesh is none.
bool wf_scene_place_garment(WfSceneReader* reader, const WfStand* stand);
// The garment that a cloth is, or NULL.
const WeftSceneWear* wf_scene_find_wear(const WeftScene* scene, int cloth);
// The garment whose cloth is being read, or NULL.
WeftSceneWear* wf_scene_present_wear(const WfSceneReader* reader);
// A panel of it is made of this. False: memory is short.
bool wf_scene_set_panel_fabric(const WfSceneReader* reader, WeftSceneWear* wear, int panel,
                               const WeftFabricFile* file, bool own);
// When all of its cloth is read: panels that have no fabric of their own take that of the cloth.
void wf_scene_finish_garment(WfSceneReader* reader);
// In the place of those that it has, which stay where memory is short.
WeftResult wf_scene_copy_holds(const WeftScene* scene, WeftSceneWear* wear,
                               const WeftBodyPoint* holds, int count);
// What a garment that was put on is from now on: held by its body, and of the fabric for wearing.
WeftResult wf_scene_hold_wear(WeftScene* scene, WeftSceneWear* wear, const WeftBodyPoint* holds,
                              int count, WeftError* error);
// How fast a body that deforms is on the whole when the scene starts, and what it wears with it;
// false: it does not, and cloths have the velocities of the file.
bool wf_scene_wear_speed(const WeftScene* scene, const WeftSceneWear* wear, double velocity[3]);
void wf_scene_free_wears(WeftScene* scene);
// Whether the plane of the mirror, whichever way its normal points, is that in which a body, as it
// is made, is symmetric: x = 0.
bool wf_scene_mirrors_body(const WeftScene* scene, int body);

// scene_start.c
// The file that says how the garments lie, once cloths are read.
WeftResult wf_scene_read_start(WfSceneReader* reader, const WfSceneNode* node, void* scene);

// scene_wind.c
extern const WfSceneTable wf_scene_wind_table;
WeftResult wf_scene_read_winds(WfSceneReader* reader, const WfSceneNode* node, void* scene);

// scene_motion.c
extern const WfSceneTable wf_scene_motion_table, wf_scene_track_table;
// A track of so many numbers, 1 to 3.
WeftResult wf_scene_read_track(WfSceneReader* reader, const WfSceneNode* node, WeftTrack* track,
                               int width);
void wf_scene_free_track(const WeftAllocator* allocator, WeftTrack* track);
WeftResult wf_scene_read_wind(WfSceneReader* reader, const WfSceneNode* node, void* scene);
WeftResult wf_scene_check_wind(WfSceneReader* reader, const WfSceneNode* node,
                               const double velocity[3]);
WeftResult wf_scene_read_motions(WfSceneReader* reader, const WfSceneNode* node, void* scene);
// Which motion the string at `node` names.
WeftResult wf_scene_find_motion(WfSceneReader* reader, const WfSceneNode* node, int* motion);
void wf_scene_free_motions(WeftScene* scene);

// scene_direct.c
// The track at `time`; zero where it has no keys.
void wf_sample_track(const WeftTrack* track, double time, double value[3]);
// The shape at `time`: 3 numbers per vertex.
void wf_sample_shape(const WeftShapeTrack* shape, int vertex_count, double time, double* positions);
// Where motions have taken the frame of a body by a time.
void wf_scene_carried_frame(const WeftScene* scene, int body, double time, double position[3],
                            double rotation[4]);
// Where it is then, in the space of the scene.
void wf_scene_body_frame(const WeftScene* scene, int body, double time, double position[3],
                         double rotation[4]);
// Where a motion, by its number, has taken by `time` what is the world at the start; -1: nowhere.
WfFrame wf_scene_motion_frame(const WeftScene* scene, int number, double time);
// Where a pin is at `time`, while it holds, that was at x when it was caught.
WfVec wf_scene_pin_place(const WeftScene* scene, const WeftScenePin* pin, double time, WfVec x);
// x, turned about an axis of length 1 through the origin.
WfVec wf_scene_turn(WfVec x, WfVec axis, double degrees);
// The same turn as a unit quaternion x y z w.
void wf_scene_quaternion(const double axis[3], double degrees, double quaternion[4]);

#endif
