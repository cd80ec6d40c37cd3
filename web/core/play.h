// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene that is played by hand: stepped, touched, and changed while it runs. What the page calls.
// Plain numbers and pointers only, so that the functions can be called across a language border.
//
// The text of the scene is the one place where settings are: to change one, hand over the text with
// the change. Everything that a scene can say can so be changed, and is checked as always.

#ifndef WEFT_WEB_PLAY_H
#define WEFT_WEB_PLAY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Play Play;

// Functions that fail return NULL or false, and this is the reason.
const char* play_error(void);

// A file that scenes may name, from now on; false where memory is short. The bytes are copied, and
// take the place of a file of that name.
bool play_give_file(const char* name, const char* bytes, int length);

// Put on what the bodies of a scene wear: the text of a start file (docs/scene.md), for a scene
// that is to begin so; empty where nobody wears anything. Overwritten by the next call. The host is
// told how far it is; to stop it, it ends the module.
const char* play_dress(const char* text, int length, const char* name);

// Read a scene and make it ready; dressed, where it does not begin so. `name` stands for the file
// in messages.
Play* play_open(const char* text, int length, const char* name);
void play_close(Play* play);
// Who steps what is opened or changed from now on: weft, or its rival, XPBD (bench/rival/rival.h),
// which says no where a scene has what it does not know. A text says nothing about it.
void play_take_rival(bool on);
// Go on with another text. `steps_only`: nothing but the settings of steps, gravity and air is
// different, so the model is kept. Otherwise a new model is made, which goes on from the present
// state, or from the start where the number of vertices is another, or cloth is torn. After a
// failure all is as before.
bool play_change(Play* play, const char* text, int length, const char* name, bool steps_only);
// Back to the start; what was pinned, let go or moved by hand is forgotten.
bool play_reset(Play* play);
// One step of the scene.
bool play_step(Play* play);

// All that moves, and what hands do, as plain bytes, to come back to: the same steps, to the same
// bits, if hands do the same. Returns how many bytes it takes; they are written where `size` is
// enough. 0: it cannot be come back to, as a rival steps it.
int play_save(const Play* play, void* bytes, int size);
// Back to what was saved of this play, since it was opened, reset, or changed but for steps. False:
// the bytes are of another model, and all is as before; or memory is short.
bool play_load(Play* play, const void* bytes, int size);

// What the scene is, as JSON: name, duration, settings of steps as resolved, contact, mirror, how
// many bodies there are, of every cloth the fabric, the models and how many vertices are shown, and
// what was found when it was read: why there is no mirror, or a detail is not shown, say. "looks"
// has one for each cloth, then one for each fabric that panels of garments name.
// Overwritten by the next call.
const char* play_describe(Play* play);
// All choices of the library as JSON: [{"group", "name", "text"}]; those of the group "fabric" are
// fabrics by name, with their "numbers" and their "look".
const char* play_choices(void);

// The shape, as it is shown: by the details of the scene, if it has some (WeftShow). All vertices
// are shown ones, in what follows as well. Constant until play_change, and until a step splits
// vertices of cloth that is cut or tears: play_shape is another number from then on.
int play_shape(const Play* play);
int play_vertex_count(const Play* play);
int play_triangle_count(const Play* play);
const int* play_triangles(const Play* play);
int play_line_count(const Play* play);
const int* play_lines(const Play* play);
const float* play_texture(const Play* play);
// Of scenes with garments, else NULL: the place on the cutting table of every corner of the
// triangles, 2 each, in metres; the warp runs along v.
const float* play_corner_texture(const Play* play);
// Per triangle: which of the "looks" of play_describe it has; 255 where it is that or a later one.
const unsigned char* play_triangle_looks(const Play* play);
// Which of the "panels" of its cloth each triangle lies on; 255 where it is none, or a later one.
const unsigned char* play_triangle_panels(const Play* play);

// What the cloth touches: the triangles of all bodies, whose vertices are numbered through. Body i
// has vertices play_body_starts()[i] to play_body_starts()[i + 1] - 1; play_planes() says which are
// planes. Constant until play_change.
int play_body_count(const Play* play);
const int* play_body_starts(const Play* play);
const unsigned char* play_planes(const Play* play);
int play_body_triangle_count(const Play* play);
const int* play_body_triangles(const Play* play);

// Positions, normals and, where `field` is a WeftField and not -1, that field, as floats; which
// vertices are pinned; and where the vertices of bodies are. Valid until the next call.
bool play_draw(Play* play, int field);
const float* play_positions(const Play* play);
const float* play_normals(const Play* play);
const float* play_field(const Play* play);
const unsigned char* play_pinned(const Play* play);
const float* play_body_positions(const Play* play);

// Numbers of the last step, by the names of play_number_names(), which are separated by spaces.
const double* play_numbers(Play* play);
const char* play_number_names(void);
// 16 hexadecimal digits.
const char* play_hash(const Play* play);

// Hands. They are not faster than hands are, and places are those of the world, metres. With a
// mirror, the other side does the same.
//
// Take hold of the cloth at a place on it that is next to a shown vertex (numbers that are none: at
// the vertex), softly, or of a pin, if that is there. What is held follows play_drag, as far as the
// fabric bears it.
void play_grab(Play* play, int shown, double x, double y, double z);
void play_drag(Play* play, double x, double y, double z);
// Let go. A pin stays where it is now.
void play_drop(Play* play);
// Hold what is simulated next to a vertex where it is, or let it go; returns whether it is held
// now.
bool play_toggle_pin(Play* play, int shown);
// Move what holds the cloth, and all bodies, to this distance from where the scene has them; along
// a mirror, where there is one. A plane of the name "floor" stays.
void play_carry(Play* play, double x, double y, double z);
// Move one body further by this; with a mirror, all that play_carry moves. Turn it by a quaternion
// about its middle; not with a mirror.
void play_move_body(Play* play, int body, double x, double y, double z);
void play_turn_body(Play* play, int body, double x, double y, double z, double w);
// Blow at a place, that way, from now on; strength: 1 is a breath, above 0, at most 3. It is made
// for the density of the cloth: light cloth flies, heavy cloth stirs.
void play_blow(Play* play, double x, double y, double z, double along_x, double along_y,
               double along_z, double strength);
void play_calm(Play* play);
// A knife is drawn over the cloth, to a place on it that is next to a shown vertex; -1: it is
// beside the cloth. Cuts along the edges nearest to its way, which open some steps later. False:
// this cloth cannot be cut, and play_error says why.
bool play_cut(Play* play, int shown, double x, double y, double z);
// The end of the stroke; returns how many edges it cut.
int play_lift_knife(Play* play);
// What hands did, as numbers: how many follow, then
//     x y z                               of play_carry
//     count, { body, move 3, turn 4 }     bodies: x is moved to turn x + move, from where the scene
//                                         has it
//     count, { vertex, held, place 3 }    pins that were set, or let go, by vertex of the model
//     count, { time, count, vertices }    lines that were cut: vertices of the model, each joined
//                                         with the next by an edge
// Overwritten by the next call; NULL: memory is short.
const double* play_hands(Play* play);
// Do all of that again, to a scene that was opened or reset: bodies and pins go there at the speed
// of a hand, and cuts are made at once. What does not fit the scene is left out.
bool play_set_hands(Play* play, const double* numbers, int count);

// Record what is played, as a GLB: keep its mesh and its looks as they are now, in the place of what
// was kept before; NULL: none. The host keeps frames: positions of all shown vertices, then of those
// of bodies. Cloth that was torn since has another mesh, and is to be recorded again.
bool play_record(const Play* play);
// Write what was recorded: so many frames, so many per second, then each, then the end. In the page,
// bytes go to the host, and `path` has to end in .glb only. Whatever fails is given up.
bool play_begin_glb(const char* path, int frame_count, double frame_rate);
bool play_put_glb(const float* positions);
bool play_end_glb(void);

// Seconds on a clock that never jumps; the host has it.
#ifdef __wasm__
__attribute__((import_module("page"), import_name("now")))
#endif
double
play_now(void);

// How much of dressing is done, 0 to 1, and what is; the host shows it.
#ifdef __wasm__
__attribute__((import_module("page"), import_name("progress")))
#endif
void play_progress(double part, const char* stage);

#endif
