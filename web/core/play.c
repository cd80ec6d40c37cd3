// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "play.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "crew.h"
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
    double place[3], goal[3];       // where the hand is, and where it is to go, in the space
} Hand;

struct Play {
    char *text, *name;  // as opened or changed last
    int length;
    WeftScene* scene;
    WeftModel* model;
    WeftState* state;
    int vertex_count;        // of the model; the state may have more, where cloth is torn
    int* firsts;             // of the state: the first vertex of each cloth, and where all end
    int shape;               // how often what is shown has become another
    double size;             // of the scene, metres
    unsigned char* by_hand;  // vertices of the model whose pins the scene no longer decides
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
// Open, change, close

static void free_play(Play* play) {
    free_shown(&play->shown);
    weft_destroy_state(play->state);
    weft_destroy_model(play->model);
    weft_destroy_scene(play->scene);
    weft_destroy_scene(play->shown_scene);
    void* blocks[] = {play->text, play->name, play->by_hand, play->firsts,
                      play->description.characters};
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
    play->scene->model.jobs = crew_jobs();
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
    bool read = !weft_parse_scene(text, (size_t)length, name, NULL, NULL, NULL, &scene, &failure);
    if (read) scene->model.jobs = crew_jobs();
    if (read && put_on(scene)) {
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

static void list_firsts(const WeftState* state, int* firsts) {
    const WeftModel* model = weft_state_model(state);
    for (int c = 0; c <= weft_cloth_count(model); c++) firsts[c] = weft_first_vertex(model, c);
}

static bool allocate(Play* play, const WeftModel* model, const WeftState* state) {
    play->by_hand = calloc((size_t)play->vertex_count, 1);
    play->firsts = calloc((size_t)weft_cloth_count(model) + 1, sizeof(int));
    if (!play->by_hand || !play->firsts) return out_of_memory();
    list_firsts(state, play->firsts);
    return list_bodies(play->scene, model, &play->bodies) || out_of_memory();
}

static bool make(Play* play, const char* text, int length, const char* name) {
    if (!parse(play, text, length, name) || !put_on(play->scene)) return false;
    if (weft_create_model(&play->scene->model, &play->model, &failure) ||
        weft_create_state(play->model, &play->state, &failure))
        return false;
    play->vertex_count = weft_vertex_count(play->model);
    if (!allocate(play, play->model, play->state) ||
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

// The scene no longer decides about the vertex of the model, nor about its image.
static void take_whole(Play* play, int vertex) {
    WeftScene* scene = play->scene;
    int kept = 0, image = image_of(play, vertex);
    play->by_hand[vertex] = play->by_hand[image] = 1;
    for (int i = 0; i < scene->pin_count; i++)
        if (scene->pins[i].vertex != vertex && scene->pins[i].vertex != image)
            scene->pins[kept++] = scene->pins[i];
    scene->pin_count = kept;
}

// The same of a vertex of the state.
static void take_over(Play* play, int vertex) {
    take_whole(play, weft_torn_from(play->state, vertex));
}

static bool is_torn(const Play* play) {
    return weft_vertex_count(weft_state_model(play->state)) != play->vertex_count;
}

static void keep_touch(Play* to, const Play* from) {
    for (int i = 0; i < to->vertex_count; i++)
        if (from->by_hand[i]) take_whole(to, i);
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
        !allocate(made, play->model, play->state))
        return false;
    if (!same && !make_shown(made->scene, play->model, &made->shown, &failure)) return false;
    if (!same && is_torn(play) && !update_shown(made->scene, play->state, &made->shown, &failure))
        return false;
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
    if (made->vertex_count == play->vertex_count && !is_torn(play)) {
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
    made.shape = play->shape + 1;
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
    made.shape = play->shape + 1;
    free_play(play);
    *play = made;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Tears

static bool is_held(const Hand* hand, int vertex) {
    for (int i = 0; i < hand->count; i++)
        if (hand->vertices[i] == vertex) return true;
    return false;
}

// A vertex that is split is pinned on both sides: the hand holds both, or lets go of the new one.
static void hold_split(Play* play, int i, int first, int end) {
    Hand* hand = &play->hand;
    int whole = weft_torn_from(play->state, hand->vertices[i]);
    for (int v = first; v < end; v++) {
        bool twin = weft_torn_from(play->state, v) == whole && weft_is_pinned(play->state, v);
        if (!twin || is_held(hand, v)) continue;
        if (hand->count == HELD_LIMIT) {
            if (!hand->pinned[i]) weft_unpin(play->state, v);
            continue;
        }
        int k = hand->count++;
        hand->vertices[k] = v;
        hand->pinned[k] = hand->pinned[i];
        memcpy(hand->offsets[k], hand->offsets[i], sizeof hand->offsets[k]);
    }
}

// Vertices keep their numbers within their cloth, and new ones come behind them.
static void renumber_hand(Play* play) {
    const WeftModel* model = weft_state_model(play->state);
    Hand* hand = &play->hand;
    int held = hand->count;
    for (int i = 0; i < held; i++) {
        int c = 0;
        while (hand->vertices[i] >= play->firsts[c + 1]) c++;
        hand->vertices[i] += weft_first_vertex(model, c) - play->firsts[c];
    }
    for (int i = 0; i < held; i++)
        for (int c = 0; c < weft_cloth_count(model); c++) {
            int count = play->firsts[c + 1] - play->firsts[c], first = weft_first_vertex(model, c);
            hold_split(play, i, first + count, weft_first_vertex(model, c + 1));
        }
    list_firsts(play->state, play->firsts);
}

static bool follow_tears(Play* play) {
    if (!weft_report(play->state)->torn) return true;
    renumber_hand(play);
    play->shape++;
    return update_shown(play->scene, play->state, &play->shown, &failure);
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
    if (weft_direct_scene(play->scene, play->state, step)) return out_of_memory();
    keep_floor(play);
    move_hand(play, step->dt);
    if (!weft_step(play->state, step)) return follow_tears(play);
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
    const WeftModel* model = weft_state_model(play->state);
    const int* edges = weft_edges(model);
    for (int e = 0; e < weft_edge_count(model); e++) {
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
    weft_from_world(play->state, place, place);
    memcpy(hand->place, place, sizeof hand->place);
    memcpy(hand->goal, place, sizeof hand->goal);
    bool pinned = weft_is_pinned(play->state, vertex);
    hold(play, vertex);
    if (!pinned) hold_around(play, vertex);  // a pin is moved alone
}

// What is in a mirror stays there, and those that come along do not part from it.
void play_drag(Play* play, double x, double y, double z) {
    Hand* hand = &play->hand;
    double to[3] = {x, y, z}, way[3];
    weft_from_world(play->state, to, to);
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

int play_shape(const Play* play) { return play->shape; }
int play_vertex_count(const Play* play) { return play->shown.vertex_count; }
int play_triangle_count(const Play* play) { return play->shown.triangle_count; }
const int* play_triangles(const Play* play) { return weft_show_triangles(play->shown.show); }
int play_line_count(const Play* play) { return play->shown.line_count; }
const int* play_lines(const Play* play) { return play->shown.lines; }
const float* play_texture(const Play* play) { return play->shown.texture; }
const unsigned char* play_triangle_looks(const Play* play) { return play->shown.looks; }
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
