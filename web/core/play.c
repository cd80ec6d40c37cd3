// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "play.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "shown.h"
#include "weft/weft_io.h"

enum { HELD_LIMIT = 16 };

// Lengths of the scene per second: as fast as a hand goes on a table of that size.
static const double HAND_SPEED = 6, CARRY_SPEED = 3;

// What the user holds.
typedef struct Hand {
    int count;
    int vertices[HELD_LIMIT];
    double offsets[HELD_LIMIT][3];  // from the middle of the hand
    bool pinned[HELD_LIMIT];        // before it was held
    double place[3], goal[3];       // where the hand is, and where it is to go
} Hand;

// All bodies as one mesh.
typedef struct Bodies {
    int count, triangle_count;
    int *starts, *triangles;
    unsigned char* planes;
    double* now;  // of the largest body
    float* positions;
} Bodies;

struct Play {
    char *text, *name;  // as opened or changed last
    int length;
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    int vertex_count;        // of the model
    double size;             // of the scene, metres
    unsigned char* by_hand;  // vertices whose pins the scene no longer decides
    Hand hand;
    double carried[3], carry_goal[3];
    Shown shown;
    WeftScene* shown_scene;  // that it was made for; NULL: the scene
    Bodies bodies;
    Text description;
    double numbers[PLAY_NUMBER_COUNT];
};

// ---------------------------------------------------------------------------------------------
// Errors and small things

static WeftError failure;

const char* play_error(void) { return failure.message; }

static bool out_of_memory(void) {
    snprintf(failure.message, sizeof failure.message, "out of memory");
    return false;
}

static char* copy_text(const char* text, size_t length) {
    char* copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

// Go from `from` towards `goal`, at most `reach`.
static void approach(double from[3], const double goal[3], double reach) {
    double d[3], square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = goal[k] - from[k];
        square += d[k] * d[k];
    }
    double part = square > reach * reach ? reach / sqrt(square) : 1;
    for (int k = 0; k < 3; k++) from[k] += part * d[k];
}

static double clock_now(void* unused) {
    (void)unused;
    return play_now();
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void free_bodies(Bodies* bodies) {
    void* blocks[] = {bodies->starts, bodies->triangles, bodies->planes, bodies->now,
                      bodies->positions};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

static void number_bodies(const WeftScene* scene, const WeftModel* model, Bodies* bodies) {
    int corner = 0;
    for (int b = 0; b < bodies->count; b++) {
        const int* triangles = weft_body_triangles(model, b);
        bodies->starts[b + 1] = bodies->starts[b] + weft_body_vertex_count(model, b);
        bodies->planes[b] = scene->model.bodies[b].kind == WEFT_BODY_PLANE;
        for (int i = 0; i < 3 * weft_body_triangle_count(model, b); i++)
            bodies->triangles[corner++] = bodies->starts[b] + triangles[i];
    }
}

static bool list_bodies(const WeftScene* scene, const WeftModel* model, Bodies* bodies) {
    size_t vertices = 0, largest = 0;
    bodies->count = weft_body_count(model);
    for (int b = 0; b < bodies->count; b++) {
        size_t n = (size_t)weft_body_vertex_count(model, b);
        vertices += n;
        largest = n > largest ? n : largest;
        bodies->triangle_count += weft_body_triangle_count(model, b);
    }
    bodies->starts = calloc((size_t)bodies->count + 1, sizeof(int));
    bodies->planes = calloc((size_t)bodies->count + 1, 1);
    bodies->triangles = calloc(3 * (size_t)bodies->triangle_count + 1, sizeof(int));
    bodies->now = calloc(3 * largest + 1, sizeof(double));
    bodies->positions = calloc(3 * vertices + 1, sizeof(float));
    if (!bodies->starts || !bodies->planes || !bodies->triangles || !bodies->now ||
        !bodies->positions)
        return out_of_memory();
    number_bodies(scene, model, bodies);
    return true;
}

static void draw_bodies(const WeftModel* model, const WeftState* state, Bodies* bodies) {
    float* to = bodies->positions;
    for (int b = 0; b < bodies->count; b++) {
        weft_copy_body(state, b, bodies->now);
        for (int i = 0; i < 3 * weft_body_vertex_count(model, b); i++)
            *to++ = (float)bodies->now[i];
    }
}

// ---------------------------------------------------------------------------------------------
// Open, change, close

static void free_play(Play* play) {
    free_shown(&play->shown);
    weft_destroy_state(play->state);
    weft_destroy_model(play->model);
    weft_destroy_scene(play->scene);
    weft_destroy_scene(play->shown_scene);
    void* blocks[] = {play->text, play->name, play->by_hand, play->description.characters};
    free_bodies(&play->bodies);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

static bool parse(Play* play, const char* text, int length, const char* name) {
    play->text = copy_text(text, (size_t)length);
    play->name = copy_text(name, strlen(name));
    play->length = length;
    if (!play->text || !play->name) return out_of_memory();
    if (weft_parse_scene(text, (size_t)length, name, NULL, NULL, NULL, &play->scene, &failure))
        return false;
    play->scene->model.clock.now = clock_now;
    return true;
}

static bool tell_progress(void* unused, double part, const char* stage) {
    (void)unused;
    play_progress(part, stage);
    return true;
}

static bool put_on(WeftScene* scene) {
    return !weft_dress_scene(scene, tell_progress, NULL, NULL, &failure);
}

const char* play_dress(const char* text, int length, const char* name) {
    static char* start;
    WeftScene* scene = NULL;
    free(start);
    start = NULL;
    if (!weft_parse_scene(text, (size_t)length, name, NULL, NULL, NULL, &scene, &failure) &&
        put_on(scene)) {
        size_t size = weft_print_start(scene, NULL, 0) + 1;
        start = calloc(scene->wear_count > 0 ? size : 1, 1);
        if (!start) out_of_memory();
        if (start && scene->wear_count > 0) weft_print_start(scene, start, size);
    }
    weft_destroy_scene(scene);
    return start;
}

// ---------------------------------------------------------------------------------------------
// Making

// The largest side of the box around the cloth, at least a centimetre.
static double measure_size(const WeftState* state, int vertex_count) {
    const double* x = weft_positions(state);
    double size = 0.01;
    for (int k = 0; k < 3; k++) {
        double low = x[k], high = x[k];
        for (int i = 1; i < vertex_count; i++) {
            low = fmin(low, x[3 * i + k]);
            high = fmax(high, x[3 * i + k]);
        }
        size = fmax(size, high - low);
    }
    return size;
}

static bool allocate(Play* play, const WeftModel* model) {
    play->by_hand = calloc((size_t)play->vertex_count, 1);
    if (!play->by_hand) return out_of_memory();
    return list_bodies(play->scene, model, &play->bodies);
}

static bool make(Play* play, const char* text, int length, const char* name) {
    if (!parse(play, text, length, name) || !put_on(play->scene)) return false;
    if (weft_create_model(&play->scene->model, &play->model, &failure) ||
        weft_create_state(play->model, &play->state, &failure))
        return false;
    play->vertex_count = weft_vertex_count(play->model);
    if (!allocate(play, play->model) ||
        !make_shown(play->scene, play->model, &play->shown, &failure))
        return false;
    play->size = measure_size(play->state, play->vertex_count);
    return true;
}

Play* play_open(const char* text, int length, const char* name) {
    Play* play = calloc(1, sizeof *play);
    if (!play) return out_of_memory(), NULL;
    if (make(play, text, length, name)) return play;
    play_close(play);
    return NULL;
}

void play_close(Play* play) {
    if (!play) return;
    free_play(play);
    free(play);
}

// Whether one half is simulated.
static bool is_mirrored(const Play* play) {
    WeftMirrorKind kind = play->scene->model.mirror.kind;
    return kind == WEFT_MIRROR_EXACT || kind == WEFT_MIRROR_RECIPE;
}

// With a mirror: the vertex that does the same on the other side, or itself in the plane.
static int image_of(const Play* play, int vertex) {
    const WeftModelDef* def = &play->scene->model;
    int first = 0, c = 0;
    if (!is_mirrored(play)) return vertex;
    while (vertex >= first + def->cloths[c].vertex_count) first += def->cloths[c++].vertex_count;
    const int* images = def->cloths[c].images;
    return images ? first + images[vertex - first] : vertex;
}

// The scene no longer decides about the vertex, nor about its image.
static void take_over(Play* play, int vertex) {
    WeftScene* scene = play->scene;
    int kept = 0, image = image_of(play, vertex);
    play->by_hand[vertex] = play->by_hand[image] = 1;
    for (int i = 0; i < scene->pin_count; i++)
        if (scene->pins[i].vertex != vertex && scene->pins[i].vertex != image)
            scene->pins[kept++] = scene->pins[i];
    scene->pin_count = kept;
}

static void keep_touch(Play* to, const Play* from) {
    for (int i = 0; i < to->vertex_count; i++)
        if (from->by_hand[i]) take_over(to, i);
    to->hand = from->hand;
    to->size = from->size;
    memcpy(to->carried, from->carried, sizeof to->carried);
    memcpy(to->carry_goal, from->carry_goal, sizeof to->carry_goal);
}

// Go on with what is shown already, where it is the same: learned detail takes long to be made. It
// reads the scene that it was made for, and of its steps where gravity goes.
static void keep_shown(Play* play, Play* made) {
    WeftScene** scene = play->shown_scene ? &play->shown_scene : &play->scene;
    const double* gravity = made->scene->model.step.gravity;
    made->shown = play->shown, play->shown = (Shown){0};
    made->shown_scene = *scene, *scene = NULL;
    memcpy(made->shown_scene->model.step.gravity, gravity, 3 * sizeof *gravity);
    if (made->shown.instead)
        memcpy(made->shown.instead->model.step.gravity, gravity, 3 * sizeof *gravity);
}

// Make `made`, whose scene is read, go on with the model and the state of `play`. The model may
// have no room for one more factor: then a new one has to be made. And so it is where garments are
// yet to be put on, as what their bodies hold is not known then, and where the air ends a mirror,
// or no longer does.
static bool keep_model(Play* play, Play* made) {
    if (made->scene->wear_count > 0 && !made->scene->dressed) return false;
    if (made->scene->model.mirror.kind != play->scene->model.mirror.kind) return false;
    made->vertex_count = play->vertex_count;
    bool same = same_shown(play->shown_scene ? play->shown_scene : play->scene, made->scene);
    if (weft_prepare_model(play->model, &made->scene->model.step, &failure) ||
        !allocate(made, play->model))
        return false;
    if (!same && !make_shown(made->scene, play->model, &made->shown, &failure)) return false;
    keep_touch(made, play);
    if (same) keep_shown(play, made);
    made->model = play->model, play->model = NULL;
    made->state = play->state, play->state = NULL;
    return true;
}

static bool change_steps(Play* play, Play* made, const char* text, int length, const char* name) {
    if (parse(made, text, length, name) && keep_model(play, made)) return true;
    free_play(made);
    *made = (Play){0};
    return false;
}

static bool change_all(Play* play, Play* made, const char* text, int length, const char* name) {
    if (!make(made, text, length, name)) {
        free_play(made);
        return false;
    }
    if (made->vertex_count == play->vertex_count) {
        weft_continue_state(made->state, play->state);
        keep_touch(made, play);
    }
    return true;
}

bool play_change(Play* play, const char* text, int length, const char* name, bool steps_only) {
    Play made = {0};
    if (!(steps_only && change_steps(play, &made, text, length, name)) &&
        !change_all(play, &made, text, length, name))
        return false;
    free_play(play);
    *play = made;
    return true;
}

bool play_reset(Play* play) {
    Play made = {0};
    if (!make(&made, play->text, play->length, play->name)) {
        free_play(&made);
        return false;
    }
    free_play(play);
    *play = made;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Steps

// What of a way goes along the mirror, where there is one.
static void keep_along(const Play* play, double way[3]) {
    const double* n = play->scene->model.mirror.plane.normal;
    double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    double part = (n[0] * way[0] + n[1] * way[1] + n[2] * way[2]) / square;
    for (int k = 0; k < 3 && is_mirrored(play); k++) way[k] -= part * n[k];
}

static void move_body(Play* play, double dt) {
    double goal[3];
    memcpy(goal, play->carry_goal, sizeof goal);
    keep_along(play, goal);
    memcpy(play->scene->carry_from, play->carried, sizeof play->carried);
    approach(play->carried, goal, CARRY_SPEED * play->size * dt);
    memcpy(play->scene->carry_to, play->carried, sizeof play->carried);
}

static double height_over(const WeftPlane* plane, const double x[3]) {
    const double *n = plane->normal, *p = plane->point;
    return n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) + n[2] * (x[2] - p[2]);
}

// Where halves are kept apart, the other hand is in the way.
static void keep_side(const Play* play, int vertex, double target[3]) {
    const WeftMirror* mirror = &play->scene->model.mirror;
    const WeftMesh* mesh = play->scene->meshes;
    if (!is_mirrored(play) || mirror->closure == WEFT_CLOSURE_BUTTON) return;
    for (; vertex >= mesh->vertex_count; mesh++) vertex -= mesh->vertex_count;
    double start = height_over(&mirror->plane, mesh->positions + 3 * (long)vertex);
    double height = height_over(&mirror->plane, target);
    const double* n = mirror->plane.normal;
    double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    for (int k = 0; k < 3 && start * height < 0; k++) target[k] -= height / square * n[k];
}

static void move_hand(Play* play, double dt) {
    Hand* hand = &play->hand;
    approach(hand->place, hand->goal, HAND_SPEED * play->size * dt);
    for (int i = 0; i < hand->count; i++) {
        double target[3];
        for (int k = 0; k < 3; k++) target[k] = hand->place[k] + hand->offsets[i][k];
        keep_side(play, hand->vertices[i], target);
        weft_move_pin(play->state, hand->vertices[i], target);
    }
}

// A floor is not carried along with what stands on it.
static void keep_floor(Play* play) {
    static const double nowhere[3];
    const WeftScene* scene = play->scene;
    bool carried = memcmp(scene->carry_from, nowhere, sizeof nowhere) != 0 ||
                   memcmp(scene->carry_to, nowhere, sizeof nowhere) != 0;
    for (int i = 0; i < scene->model.body_count && carried; i++) {
        const WeftBodyDef* def = &scene->model.bodies[i];
        const char* name = scene->bodies[i].name;
        bool floor = def->kind == WEFT_BODY_PLANE && name && strcmp(name, "floor") == 0;
        if (floor && scene->bodies[i].motion < 0)
            weft_move_body(play->state, i, def->position, def->rotation);
    }
}

bool play_step(Play* play) {
    WeftStepDef* step = &play->scene->model.step;
    move_body(play, step->dt);
    weft_direct_scene(play->scene, play->state, step);
    keep_floor(play);
    move_hand(play, step->dt);
    if (!weft_step(play->state, step)) return true;
    failure = *weft_state_error(play->state);
    return false;
}

// ---------------------------------------------------------------------------------------------
// Touch

static void hold(Play* play, int vertex) {
    Hand* hand = &play->hand;
    const double* x = weft_positions(play->state) + 3 * (long)vertex;
    if (hand->count == HELD_LIMIT) return;
    int i = hand->count++;
    hand->vertices[i] = vertex;
    hand->pinned[i] = weft_is_pinned(play->state, vertex);
    for (int k = 0; k < 3; k++) hand->offsets[i][k] = x[k] - hand->place[k];
    take_over(play, vertex);
    weft_pin(play->state, vertex);
}

// The neighbours come along: a finger is wider than a point.
static void hold_around(Play* play, int vertex) {
    const int* edges = weft_edges(play->model);
    for (int e = 0; e < weft_edge_count(play->model); e++) {
        int a = edges[2 * (long)e], b = edges[2 * (long)e + 1];
        int other = a == vertex ? b : b == vertex ? a : -1;
        if (other >= 0 && !weft_is_pinned(play->state, other)) hold(play, other);
    }
}

// The hand is where the shown vertex is, and holds what is nearest to it.
void play_grab(Play* play, int shown) {
    Hand* hand = &play->hand;
    double place[3];
    play_drop(play);
    int vertex = find_shown(&play->shown, play->state, shown, place);
    if (vertex < 0) return;
    memcpy(hand->place, place, sizeof hand->place);
    memcpy(hand->goal, place, sizeof hand->goal);
    bool pinned = weft_is_pinned(play->state, vertex);
    hold(play, vertex);
    if (!pinned) hold_around(play, vertex);  // a pin is moved alone
}

// What is in a mirror stays there, and those that come along do not part from it.
void play_drag(Play* play, double x, double y, double z) {
    Hand* hand = &play->hand;
    const double to[3] = {x, y, z};
    double way[3];
    for (int k = 0; k < 3; k++) way[k] = to[k] - hand->place[k];
    bool stays = is_mirrored(play) && hand->count > 0 &&
                 image_of(play, hand->vertices[0]) == hand->vertices[0];
    if (stays) keep_along(play, way);
    for (int k = 0; k < 3; k++) hand->goal[k] = stays ? hand->place[k] + way[k] : to[k];
}

void play_drop(Play* play) {
    Hand* hand = &play->hand;
    for (int i = 0; i < hand->count; i++)
        if (!hand->pinned[i]) weft_unpin(play->state, hand->vertices[i]);
    hand->count = 0;
}

bool play_toggle_pin(Play* play, int shown) {
    if (shown < 0 || shown >= play->shown.vertex_count) return false;
    int vertex = play->shown.vertices[shown];
    take_over(play, vertex);
    bool pinned = weft_is_pinned(play->state, vertex);
    if (pinned)
        weft_unpin(play->state, vertex);
    else
        weft_pin(play->state, vertex);
    return !pinned;
}

void play_carry(Play* play, double x, double y, double z) {
    play->carry_goal[0] = x, play->carry_goal[1] = y, play->carry_goal[2] = z;
}

// ---------------------------------------------------------------------------------------------
// Looking

int play_vertex_count(const Play* play) { return play->shown.vertex_count; }
int play_triangle_count(const Play* play) { return play->shown.triangle_count; }
const int* play_triangles(const Play* play) { return weft_show_triangles(play->shown.show); }
int play_line_count(const Play* play) { return play->shown.line_count; }
const int* play_lines(const Play* play) { return play->shown.lines; }
const float* play_texture(const Play* play) { return play->shown.texture; }
const float* play_corner_texture(const Play* play) { return play->shown.corner_texture; }
const float* play_positions(const Play* play) { return play->shown.positions; }
const float* play_normals(const Play* play) { return play->shown.normals; }
const float* play_field(const Play* play) { return play->shown.field; }
const unsigned char* play_pinned(const Play* play) { return play->shown.pinned; }
int play_body_count(const Play* play) { return play->bodies.count; }
const int* play_body_starts(const Play* play) { return play->bodies.starts; }
const unsigned char* play_planes(const Play* play) { return play->bodies.planes; }
int play_body_triangle_count(const Play* play) { return play->bodies.triangle_count; }
const int* play_body_triangles(const Play* play) { return play->bodies.triangles; }
const float* play_body_positions(const Play* play) { return play->bodies.positions; }

bool play_draw(Play* play, int field) {
    draw_bodies(play->model, play->state, &play->bodies);
    return draw_shown(&play->shown, play->state, field) || out_of_memory();
}

const double* play_numbers(Play* play) {
    const WeftStepDef* step = &play->scene->model.step;
    WeftMeasure measure;
    if (weft_measure(play->state, step->gravity, &measure)) return out_of_memory(), NULL;
    list_numbers(weft_time(play->state), weft_report(play->state), &measure, play->shown.seconds,
                 play->numbers);
    return play->numbers;
}

const char* play_describe(Play* play) {
    if (describe_scene(play->scene, &play->shown, &play->description))
        return play->description.characters;
    return out_of_memory(), NULL;
}

const char* play_choices(void) {
    static Text choices;
    if (describe_choices(&choices)) return choices.characters;
    return out_of_memory(), NULL;
}

const char* play_hash(const Play* play) {
    static char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, weft_hash_state(play->state));
    return hash;
}
