// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A scene that is played as bytes, and back (play.h): the state, what hands did, and which pins the
// scene still decides about. They are read in the order in which they are written.

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

typedef struct Writer {
    unsigned char* to;  // NULL: bytes are counted only
    size_t count;
} Writer;

static void put(Writer* writer, const void* data, size_t size) {
    if (writer->to) memcpy(writer->to + writer->count, data, size);
    writer->count += size;
}

typedef struct Reader {
    const unsigned char* from;
    size_t left;
    bool short_of;  // bytes were missing
} Reader;

// Where `size` bytes begin; NULL: they are missing.
static const void* take(Reader* reader, size_t size) {
    reader->short_of |= size > reader->left;
    if (reader->short_of) return NULL;
    const void* data = reader->from;
    reader->from += size, reader->left -= size;
    return data;
}

static void get(Reader* reader, void* data, size_t size) {
    const void* from = take(reader, size);
    if (from) memcpy(data, from, size);
}

// ---------------------------------------------------------------------------------------------
// Writing

static void put_state(Writer* writer, const WeftState* state) {
    uint64_t size = weft_saved_size(state);
    put(writer, &size, sizeof size);
    if (writer->to) weft_save_state(state, writer->to + writer->count);
    writer->count += size;
}

static void put_knife(Writer* writer, const Knife* knife) {
    put(writer, knife, sizeof *knife);
    for (int i = 0; i < knife->count; i++) {
        const Cut* cut = &knife->cuts[i];
        put(writer, cut, sizeof *cut);
        put(writer, cut->vertices, (size_t)cut->count * sizeof *cut->vertices);
    }
}

// What is behind it in a Blow is room for work.
static const size_t BREATH = offsetof(Blow, winds);

static void put_worn(Writer* writer, const WeftScene* scene) {
    for (int w = 0; w < scene->wear_count; w++) {
        const WeftSceneWear* wear = &scene->wears[w];
        put(writer, &wear->hold_count, sizeof wear->hold_count);
        put(writer, wear->holds, (size_t)wear->hold_count * sizeof *wear->holds);
    }
}

static void put_hands(Writer* writer, const Hands* hands) {
    size_t n = (size_t)hands->vertex_count;
    put(writer, hands->by_hand, n);
    put(writer, hands->pin_goals, 3 * n * sizeof(double));
    put(writer, &hands->hold, sizeof hands->hold);
    put(writer, hands->carried, sizeof hands->carried);
    put(writer, hands->carry_goal, sizeof hands->carry_goal);
    put(writer, hands->carry.bodies, (size_t)hands->carry.count * sizeof *hands->carry.bodies);
    put(writer, &hands->blow, BREATH);
    put_knife(writer, &hands->knife);
}

int play_save(const Play* play, void* bytes, int size) {
    Writer writer = {0};
    if (play->rival) return 0;  // what it remembers is its own
    for (int pass = 0; pass < 2; pass++) {
        put_state(&writer, play->state);
        put(&writer, &play->scene->pin_count, sizeof(int));
        put(&writer, play->scene->pins, (size_t)play->scene->pin_count * sizeof(WeftScenePin));
        put_worn(&writer, play->scene);
        put_hands(&writer, &play->hands);
        if (!bytes || writer.count > (size_t)size || pass == 1) break;
        writer = (Writer){.to = bytes};
    }
    return (int)writer.count;
}

// ---------------------------------------------------------------------------------------------
// Reading

static bool out_of_memory(void) {
    snprintf(play_failure()->message, sizeof play_failure()->message, "out of memory");
    return false;
}

static bool get_state(Reader* reader, WeftState* state) {
    uint64_t size = 0;
    get(reader, &size, sizeof size);
    const void* bytes = take(reader, size);
    return bytes && !weft_load_state(state, bytes, size, play_failure());
}

static bool get_knife(Reader* reader, Knife* knife) {
    Knife told = {0};
    get(reader, &told, sizeof told);
    int count = told.count;
    told.count = told.capacity = count;
    told.cuts = calloc((size_t)count + 1, sizeof *told.cuts);
    for (int i = 0; i < count && told.cuts; i++) {
        Cut* cut = &told.cuts[i];
        get(reader, cut, sizeof *cut);
        cut->capacity = cut->count;
        cut->vertices = calloc((size_t)cut->count + 1, sizeof *cut->vertices);
        if (cut->vertices) get(reader, cut->vertices, (size_t)cut->count * sizeof *cut->vertices);
        if (cut->vertices) continue;
        cut->count = 0;
        free_knife(&told);
        return out_of_memory();
    }
    if (!told.cuts) return out_of_memory();
    free_knife(knife);
    *knife = told;
    return true;
}

static bool get_worn(Reader* reader, WeftScene* scene) {
    for (int w = 0; w < scene->wear_count; w++) {
        int count = 0;
        get(reader, &count, sizeof count);
        WeftBodyPoint* holds = calloc((size_t)count + 1, sizeof *holds);
        if (!holds) return out_of_memory();
        get(reader, holds, (size_t)count * sizeof *holds);
        bool good = !weft_set_worn_holds(scene, w, holds, count, play_failure());
        free(holds);
        if (!good) return false;
    }
    return true;
}

// A play has at most the pins that it had when its scene was read: they only become fewer.
static bool get_hands(Reader* reader, Play* play) {
    Hands* hands = &play->hands;
    size_t n = (size_t)hands->vertex_count;
    get(reader, &play->scene->pin_count, sizeof(int));
    get(reader, play->scene->pins, (size_t)play->scene->pin_count * sizeof(WeftScenePin));
    if (!get_worn(reader, play->scene)) return false;
    get(reader, hands->by_hand, n);
    get(reader, hands->pin_goals, 3 * n * sizeof(double));
    get(reader, &hands->hold, sizeof hands->hold);
    get(reader, hands->carried, sizeof hands->carried);
    get(reader, hands->carry_goal, sizeof hands->carry_goal);
    get(reader, hands->carry.bodies, (size_t)hands->carry.count * sizeof *hands->carry.bodies);
    get(reader, &hands->blow, BREATH);
    return get_knife(reader, &hands->knife);
}

// Of cloth that is torn, less may be torn then, or more.
static bool follow_shape(Play* play) {
    if (weft_vertex_count(weft_state_model(play->state)) == play->shown.model_count) return true;
    play->shape++;
    const WeftScene* scene = play->shown_scene ? play->shown_scene : play->scene;
    return update_shown(scene, play->model, play->state, &play->shown, play_failure());
}

bool play_load(Play* play, const void* bytes, int size) {
    Reader reader = {.from = bytes, .left = (size_t)size};
    return get_state(&reader, play->state) && get_hands(&reader, play) && follow_shape(play);
}
