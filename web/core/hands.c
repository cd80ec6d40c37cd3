// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Hands on a scene (play.h): grabbing, pinning, cutting, moving of bodies and of what holds the
// cloth, and what is remembered of it.

#include "hands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

// Lengths of the scene per second: as fast as a hand goes on a table of that size.
static const double HAND_SPEED = 6, CARRY_SPEED = 3;
static const double TURN_SPEED = 4;  // radians per second

bool make_hands(int vertex_count, int body_count, Hands* hands) {
    size_t n = (size_t)vertex_count;
    hands->vertex_count = vertex_count;
    hands->by_hand = calloc(n + 1, 1);
    hands->pin_goals = calloc(3 * n + 1, sizeof(double));
    hands->centres = calloc(3 * (size_t)body_count + 1, sizeof(double));
    begin_hold(&hands->hold);
    bool good = make_carry(body_count, &hands->carry);
    return good && hands->by_hand && hands->pin_goals && hands->centres;
}

void free_hands(Hands* hands) {
    void* blocks[] = {hands->by_hand, hands->pin_goals, hands->centres, hands->numbers};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    free_carry(&hands->carry);
    free_knife(&hands->knife);
    free_blow(&hands->blow);
}

// ---------------------------------------------------------------------------------------------
// Mirrors

bool is_mirrored(const Play* play) {
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

// What of a way goes along the mirror, where there is one.
static void keep_along(const Play* play, double way[3]) {
    const double* n = play->scene->model.mirror.plane.normal;
    double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    double part = (n[0] * way[0] + n[1] * way[1] + n[2] * way[2]) / square;
    for (int k = 0; k < 3 && is_mirrored(play); k++) way[k] -= part * n[k];
}

static double height_over(const WeftPlane* plane, const double x[3]) {
    const double *n = plane->normal, *p = plane->point;
    return n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) + n[2] * (x[2] - p[2]);
}

// Where halves are kept apart, the other hand is in the way. `start`: a place on its side.
static void keep_side(const Play* play, const double start[3], double target[3]) {
    const WeftMirror* mirror = &play->scene->model.mirror;
    if (!is_mirrored(play) || mirror->closure == WEFT_CLOSURE_BUTTON) return;
    double side = height_over(&mirror->plane, start);
    double height = height_over(&mirror->plane, target);
    const double* n = mirror->plane.normal;
    double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    for (int k = 0; k < 3 && side * height < 0; k++) target[k] -= height / square * n[k];
}

// ---------------------------------------------------------------------------------------------
// Pins

// The scene no longer decides about the vertex of the model, nor about its image.
static void take_over(Play* play, int vertex) {
    WeftScene* scene = play->scene;
    int kept = 0, image = image_of(play, vertex);
    play->hands.by_hand[vertex] = play->hands.by_hand[image] = 1;
    for (int i = 0; i < scene->pin_count; i++)
        if (scene->pins[i].vertex != vertex && scene->pins[i].vertex != image)
            scene->pins[kept++] = scene->pins[i];
    scene->pin_count = kept;
}

// What is worn is pinned to who wears it, and does not stay behind when that walks. Halves, which
// stand, are pinned where they are. False: it is pinned to a place.
static bool pin_to_wearer(Play* play, int vertex, const double place[3], double time) {
    return !is_mirrored(play) && weft_is_worn(play->scene, vertex) &&
           !weft_hold_worn(play->scene, vertex, place, time, NULL);
}

bool play_toggle_pin(Play* play, int shown) {
    if (shown < 0 || shown >= play->shown.vertex_count) return false;
    int vertex = play->shown.vertices[shown], from = weft_torn_from(play->state, vertex);
    take_over(play, from);
    bool pinned = weft_is_pinned(play->state, vertex);
    if (pinned) {
        weft_release_worn(play->scene, from);
        weft_unpin(play->state, vertex);
        return false;
    }
    weft_pin(play->state, vertex);
    const double* x = weft_positions(play->state) + 3 * (size_t)vertex;
    pin_to_wearer(play, from, x, weft_time(play->state));
    return true;
}

// Go from `from` towards `goal`, at most `reach`; whether it is there.
static bool approach(double from[3], const double goal[3], double reach) {
    double d[3], square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = goal[k] - from[k];
        square += d[k] * d[k];
    }
    bool there = square <= reach * reach;
    double part = there ? 1 : reach / sqrt(square);
    for (int k = 0; k < 3; k++) from[k] = there ? goal[k] : from[k] + part * d[k];
    return there;
}

// All parts that a pin was cut into.
static void move_pin(Play* play, int vertex, const double place[3]) {
    WeftState* state = play->state;
    int count = weft_vertex_count(weft_state_model(state));
    for (int i = weft_torn_to(state, vertex); i < count; i++)
        if (weft_torn_from(state, i) == vertex && weft_is_pinned(state, i))
            weft_move_pin(state, i, place);
}

static void move_pins(Play* play, double reach) {
    Hands* hands = &play->hands;
    for (int i = 0; i < hands->vertex_count; i++) {
        if (hands->by_hand[i] != 2) continue;
        double place[3];
        const double* x = weft_positions(play->state) + 3 * (size_t)weft_torn_to(play->state, i);
        memcpy(place, x, sizeof place);
        if (approach(place, hands->pin_goals + 3 * (size_t)i, reach)) hands->by_hand[i] = 1;
        move_pin(play, i, place);
    }
}

static void put_pin(Play* play, int vertex, bool held, const double place[3]) {
    Hands* hands = &play->hands;
    if (vertex < 0 || vertex >= hands->vertex_count) return;
    int now = weft_torn_to(play->state, vertex);
    take_over(play, vertex);
    if (!held) {
        weft_release_worn(play->scene, vertex);
        weft_unpin(play->state, now);
        return;
    }
    if (!weft_is_pinned(play->state, now)) weft_pin(play->state, now);
    if (pin_to_wearer(play, vertex, place, 0)) return;
    memcpy(hands->pin_goals + 3 * (size_t)vertex, place, 3 * sizeof *place);
    hands->by_hand[vertex] = 2;
}

// ---------------------------------------------------------------------------------------------
// Grabbing

// The hand is where the shown vertex is, or at a place beside it, and holds what is there.
void play_grab(Play* play, int shown, double x, double y, double z) {
    Hold* hold = &play->hands.hold;
    double place[3], meant[3] = {x, y, z};
    play_drop(play);
    int vertex = find_shown(&play->shown, play->state, shown, place);
    if (vertex < 0) return;
    bool known = isfinite(x) && isfinite(y) && isfinite(z);
    weft_from_world(play->state, known ? meant : place, place);
    if (!weft_is_pinned(play->state, vertex)) {
        hold_cloth(play->scene, play->state, vertex, place, play->size, hold);
        return;
    }
    hold->pin = weft_torn_from(play->state, vertex);  // a pin is moved alone
    memcpy(hold->place, weft_positions(play->state) + 3 * (size_t)vertex, sizeof hold->place);
    memcpy(hold->goal, hold->place, sizeof hold->goal);
    memcpy(hold->start, hold->place, sizeof hold->start);
    take_over(play, hold->pin);
    weft_release_worn(play->scene, hold->pin);
}

// A pin in a mirror stays there.
void play_drag(Play* play, double x, double y, double z) {
    Hold* hold = &play->hands.hold;
    double to[3] = {x, y, z}, way[3];
    weft_from_world(play->state, to, to);
    for (int k = 0; k < 3; k++) way[k] = to[k] - hold->place[k];
    bool stays = is_mirrored(play) && hold->pin >= 0 && image_of(play, hold->pin) == hold->pin;
    if (stays) keep_along(play, way);
    for (int k = 0; k < 3; k++) hold->goal[k] = stays ? hold->place[k] + way[k] : to[k];
}

void play_drop(Play* play) {
    Hold* hold = &play->hands.hold;
    if (hold->pin >= 0) pin_to_wearer(play, hold->pin, hold->place, weft_time(play->state));
    let_go(play->state, hold);
}

static void move_hold(Play* play, double reach) {
    Hold* hold = &play->hands.hold;
    double target[3];
    if (!is_holding(hold)) return;
    approach(hold->place, hold->goal, reach);
    keep_side(play, hold->start, hold->place);
    if (hold->pin >= 0) move_pin(play, hold->pin, hold->place);
    for (int i = 0; i < hold->count; i++) {
        for (int k = 0; k < 3; k++) target[k] = hold->place[k] + hold->offsets[i][k];
        if (weft_is_attached(play->state, hold->springs[i]))
            weft_move_attachment(play->state, hold->springs[i], target);
    }
}

// ---------------------------------------------------------------------------------------------
// Bodies, and what holds the cloth

void play_carry(Play* play, double x, double y, double z) {
    double* goal = play->hands.carry_goal;
    goal[0] = x, goal[1] = y, goal[2] = z;
}

// The halves of a scene with a mirror move alike: all goes along it.
void play_move_body(Play* play, int body, double x, double y, double z) {
    double by[3] = {x, y, z};
    for (int k = 0; k < 3 && is_mirrored(play); k++) play->hands.carry_goal[k] += by[k];
    if (!is_mirrored(play)) shift_body(&play->hands.carry, body, by);
}

// Where the middle of a body is, in the space.
static void find_centre(Play* play, int body, double centre[3]) {
    const double* x = play->bodies.now;
    int count = weft_body_vertex_count(play->model, body);
    weft_copy_body(play->state, body, play->bodies.now);
    for (int k = 0; k < 3 && count > 0; k++) {
        double low = x[k], high = x[k];
        for (int i = 1; i < count; i++) {
            low = fmin(low, x[3 * (size_t)i + (size_t)k]);
            high = fmax(high, x[3 * (size_t)i + (size_t)k]);
        }
        centre[k] = (low + high) / 2;
    }
}

void play_turn_body(Play* play, int body, double x, double y, double z, double w) {
    double turn[4] = {x, y, z, w}, centre[3];
    if (is_mirrored(play) || body < 0 || body >= play->bodies.count) return;
    find_centre(play, body, centre);
    turn_body(&play->hands.carry, body, turn, centre);
}

void carry_on(Play* play, double dt) {
    Hands* hands = &play->hands;
    WeftScene* scene = play->scene;
    double goal[3], reach = CARRY_SPEED * play->size * dt;
    memcpy(goal, hands->carry_goal, sizeof goal);
    keep_along(play, goal);
    memcpy(scene->carry_from, hands->carried, sizeof hands->carried);
    approach(hands->carried, goal, reach);
    memcpy(scene->carry_to, hands->carried, sizeof hands->carried);
    for (int i = 0; i < hands->carry.count; i++)
        if (is_on_its_way(&hands->carry, i)) find_centre(play, i, hands->centres + 3 * (size_t)i);
    carry_bodies(&hands->carry, hands->centres, reach, TURN_SPEED * dt, scene);
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

void move_hands(Play* play, double dt) {
    double reach = HAND_SPEED * play->size * dt;
    keep_floor(play);
    move_pins(play, reach);
    move_hold(play, reach);
}

// ---------------------------------------------------------------------------------------------
// Blowing

// kg/m^2, the mean of all cloth.
static double mean_density(const Play* play) {
    const WeftModelDef* def = &play->scene->model;
    double sum = 0, count = 0;
    for (int c = 0; c < def->cloth_count; c++) {
        sum += def->cloths[c].fabric.density * def->cloths[c].vertex_count;
        count += def->cloths[c].vertex_count;
    }
    return count > 0 ? sum / count : 0;
}

void play_blow(Play* play, double x, double y, double z, double along_x, double along_y,
               double along_z, double strength) {
    double at[3] = {x, y, z}, direction[3] = {along_x, along_y, along_z};
    begin_blow(&play->hands.blow, at, direction, strength, mean_density(play), play->size);
}

void play_calm(Play* play) { end_blow(&play->hands.blow); }

// ---------------------------------------------------------------------------------------------
// Cutting

// Why a scene cannot be cut, in a user's words; NULL: it can.
static const char* uncut_words(const Play* play) {
    const WeftScene* scene = play->scene;
    if (play->by_rival) return "cloth that XPBD plays cannot be cut: choose another method first";
    if (scene->model.mirror.kind != WEFT_MIRROR_NONE)
        return "cloth that is simulated by halves cannot be cut: simulate all of it first";
    for (int c = 0; c < scene->model.cloth_count; c++)
        for (int t = 0; t < scene->model.cloths[c].thread_count; t++) {
            WeftThreadKind kind = scene->model.cloths[c].threads[t].kind;
            if (kind == WEFT_THREAD_WARP || kind == WEFT_THREAD_WEFT)
                return "cloth that is simulated thread by thread cannot be cut";
        }
    return NULL;
}

bool can_be_cut(const Play* play) { return uncut_words(play) == NULL; }

bool play_cut(Play* play, int shown, double x, double y, double z) {
    double place[3] = {x, y, z};
    const char* why = uncut_words(play);
    if (why) {
        snprintf(play_failure()->message, sizeof play_failure()->message, "%s", why);
        return false;
    }
    bool there = shown >= 0 && shown < play->shown.vertex_count;
    weft_from_world(play->state, place, place);
    return draw_knife(&play->hands.knife, play->state, there ? play->shown.vertices[shown] : -1,
                      place, play_failure());
}

int play_lift_knife(Play* play) { return lift_knife(&play->hands.knife, play->state); }

// ---------------------------------------------------------------------------------------------
// What hands did

// What is held at its wearer, where that is the same.
static void keep_worn(WeftScene* to, const WeftScene* from) {
    for (int w = 0; w < to->wear_count && w < from->wear_count; w++) {
        const WeftSceneWear *mine = &to->wears[w], *other = &from->wears[w];
        bool same = to->bodies[mine->body].mesh.triangle_count ==
                    from->bodies[other->body].mesh.triangle_count;
        if (same) weft_set_worn_holds(to, w, other->holds, other->hold_count, NULL);
    }
}

void keep_hands(Play* to, const Play* from) {
    for (int i = 0; i < to->hands.vertex_count; i++) {
        if (!from->hands.by_hand[i]) continue;
        take_over(to, i);
        to->hands.by_hand[i] = from->hands.by_hand[i];
    }
    keep_worn(to->scene, from->scene);
    size_t bytes = 3 * (size_t)to->hands.vertex_count * sizeof(double);
    memcpy(to->hands.pin_goals, from->hands.pin_goals, bytes);
    to->hands.hold = from->hands.hold;
    to->size = from->size;
    memcpy(to->hands.carried, from->hands.carried, sizeof to->hands.carried);
    memcpy(to->hands.carry_goal, from->hands.carry_goal, sizeof to->hands.carry_goal);
    Blow* blow = &to->hands.blow;
    *blow = from->hands.blow;
    blow->winds = NULL, blow->capacity = 0;
    keep_carry(&to->hands.carry, &from->hands.carry, to->scene);
    keep_knife(&to->hands.knife, &from->hands.knife);
}

static size_t count_numbers(const Hands* hands) {
    size_t count = 3 + 1 + 8 * (size_t)hands->carry.count + 1 + 1;
    for (int i = 0; i < hands->vertex_count; i++) count += hands->by_hand[i] ? 5 : 0;
    for (int i = 0; i < hands->knife.count; i++) count += 2 + (size_t)hands->knife.cuts[i].count;
    return count;
}

static double* list_bodies_by_hand(const Carry* carry, double* to) {
    double* count = to++;
    *count = 0;
    for (int i = 0; i < carry->count; i++) {
        if (!carry->bodies[i].by_hand) continue;
        *to++ = i;
        memcpy(to, carry->bodies[i].goal.move, 3 * sizeof *to);
        memcpy(to + 3, carry->bodies[i].goal.turn, 4 * sizeof *to);
        to += 7, *count += 1;
    }
    return to;
}

static double* list_pins_by_hand(const Play* play, double* to) {
    const Hands* hands = &play->hands;
    double* count = to++;
    *count = 0;
    for (int i = 0; i < hands->vertex_count; i++) {
        if (!hands->by_hand[i]) continue;
        int now = weft_torn_to(play->state, i);
        bool coming = hands->by_hand[i] == 2;
        const double* x = coming ? hands->pin_goals + 3 * (size_t)i
                                 : weft_positions(play->state) + 3 * (size_t)now;
        *to++ = i;
        *to++ = weft_is_pinned(play->state, now);
        if (!weft_worn_place(play->scene, i, to)) memcpy(to, x, 3 * sizeof *to);
        to += 3, *count += 1;
    }
    return to;
}

static double* list_cuts(const Knife* knife, double* to) {
    *to++ = knife->count;
    for (int i = 0; i < knife->count; i++) {
        const Cut* cut = &knife->cuts[i];
        *to++ = cut->time, *to++ = cut->count;
        for (int k = 0; k < cut->count; k++) *to++ = cut->vertices[k];
    }
    return to;
}

const double* play_hands(Play* play) {
    Hands* hands = &play->hands;
    free(hands->numbers);
    hands->numbers = calloc(count_numbers(hands) + 1, sizeof *hands->numbers);
    if (!hands->numbers) return NULL;
    double* to = hands->numbers + 1;
    memcpy(to, hands->carry_goal, 3 * sizeof *to);
    to = list_bodies_by_hand(&hands->carry, to + 3);
    to = list_pins_by_hand(play, to);
    to = list_cuts(&hands->knife, to);
    hands->numbers[0] = (double)(to - hands->numbers - 1);
    return hands->numbers;
}

// Numbers in their order; zeros behind the last one.
typedef struct Numbers {
    const double* at;
    int left;
} Numbers;

static double next(Numbers* numbers) { return numbers->left-- > 0 ? *numbers->at++ : 0; }

static void read_numbers(Numbers* numbers, int count, double* to) {
    for (int k = 0; k < count; k++) to[k] = next(numbers);
}

static int read_count(Numbers* numbers) {
    double count = next(numbers);
    return count > 0 && count <= numbers->left ? (int)count : 0;
}

static bool read_cut(Play* play, Numbers* numbers) {
    double time = next(numbers);
    int count = read_count(numbers);
    int* vertices = calloc((size_t)count + 1, sizeof *vertices);
    for (int k = 0; k < count; k++) {
        double number = next(numbers);
        if (vertices) vertices[k] = number >= 0 && number < 1e9 ? (int)number : -1;
    }
    bool good = vertices && (!can_be_cut(play) ||
                             cut_again(&play->hands.knife, play->state, time, count, vertices));
    free(vertices);
    return good;
}

bool play_set_hands(Play* play, const double* from, int count) {
    Numbers numbers = {from, count};
    read_numbers(&numbers, 3, play->hands.carry_goal);
    for (int i = read_count(&numbers); i > 0; i--) {
        Placing goal;
        int body = (int)next(&numbers);
        read_numbers(&numbers, 3, goal.move);
        read_numbers(&numbers, 4, goal.turn);
        place_body(&play->hands.carry, body, &goal);
    }
    for (int i = read_count(&numbers); i > 0; i--) {
        double place[3];
        int vertex = (int)next(&numbers);
        bool held = next(&numbers) != 0;
        read_numbers(&numbers, 3, place);
        put_pin(play, vertex, held, place);
    }
    bool good = true;
    for (int i = read_count(&numbers); i > 0 && good; i--) good = read_cut(play, &numbers);
    return good;
}
