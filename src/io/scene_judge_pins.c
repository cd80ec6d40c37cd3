// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How symmetric the pins of a scene are. A pin and its image are found where the scene starts, and
// stay together: a row of pins that turns by 180 degrees is where it was, but not what it was.

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "garment/frame.h"
#include "io/scene_judge.h"

enum { MOST_VERTICES = 2000 };  // with pins, that are held against their images

// A vertex with pins.
typedef struct Held {
    int vertex, first, count;  // of its pins
    int cloth;
    WfVec x;      // where it starts
    int image;    // which of them is its image, or the nearest to it
    double away;  // that one, from the image; where they start
} Held;

typedef struct Holds {
    WfSceneJudge* judge;
    int count, stride;
    Held* held;
} Holds;

// ---------------------------------------------------------------------------------------------
// Where they start

static void list_holds(Holds* holds) {
    const WeftScene* scene = holds->judge->scene;
    int cloth = 0, first = 0;  // pins are sorted by their vertices
    for (int i = 0, next; i < scene->pin_count; i = next) {
        int vertex = scene->pins[i].vertex;
        for (next = i; next < scene->pin_count && scene->pins[next].vertex == vertex;) next++;
        while (vertex - first >= scene->meshes[cloth].vertex_count)
            first += scene->meshes[cloth++].vertex_count;
        double origin[3], rotation[4];
        WfVec x = wf_load(scene->meshes[cloth].positions, vertex - first);
        if (wf_scene_lies_around(scene, cloth, origin, rotation))
            x = wf_frame_apply(wf_frame_of(origin, rotation), x);
        holds->held[holds->count++] = (Held){
            .vertex = vertex, .first = i, .count = next - i, .cloth = cloth, .x = x, .image = -1};
    }
    holds->stride = holds->count / MOST_VERTICES + 1;
}

static int find_held(const Holds* holds, int vertex) {
    int low = 0, high = holds->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (holds->held[middle].vertex < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low < holds->count && holds->held[low].vertex == vertex ? low : -1;
}

static int nearest_held(const Holds* holds, WfVec x) {
    double least = HUGE_VAL;
    int nearest = 0;
    for (int j = 0; j < holds->count; j++) {
        WfVec apart = wf_sub(holds->held[j].x, x);
        if (!(wf_dot(apart, apart) < least)) continue;
        least = wf_dot(apart, apart);
        nearest = j;
    }
    return nearest;
}

static double away_from(const Holds* holds, int other, WfVec x) {
    return wf_length(wf_sub(holds->held[other].x, x));
}

// As the mesh has it, where cloth lies in layers; or by its place.
static void find_image(const Holds* holds, Held* held) {
    const WeftMesh* mesh = &holds->judge->scene->meshes[held->cloth];
    WfVec x = wf_plane_image(&holds->judge->mirror, held->x);
    int first = 0;
    for (int c = 0; c < held->cloth; c++) first += holds->judge->scene->meshes[c].vertex_count;
    if (mesh->images) held->image = find_held(holds, first + mesh->images[held->vertex - first]);
    bool near = held->image >= 0 && away_from(holds, held->image, x) <= WF_JUDGE_ROUNDING;
    if (!near) held->image = nearest_held(holds, x);
    held->away = away_from(holds, held->image, x);
}

// ---------------------------------------------------------------------------------------------
// At a moment

// The pin that holds now, or NULL: the last one listed.
static const WeftScenePin* holding(const Holds* holds, const Held* held) {
    const WeftScenePin* pins = holds->judge->scene->pins + held->first;
    double time = holds->judge->time;
    for (int i = held->count - 1; i >= 0; i--)
        if (pins[i].from <= time && time < pins[i].until) return &pins[i];
    return NULL;
}

// Of vertices that are caught later it is not known where: they are taken to be where they start.
static WfVec place_of(const Holds* holds, const WeftScenePin* pin, WfVec x) {
    return wf_scene_pin_place(holds->judge->scene, pin, holds->judge->time, x);
}

// Infinite where one is held, and its image is not.
static double off_image(const Holds* holds, const Held* held) {
    const Held* image = &holds->held[held->image];
    const WeftScenePin *pin = holding(holds, held), *other = holding(holds, image);
    if (!pin && !other) return 0;
    if (!pin || !other) return HUGE_VAL;
    WfVec goal = wf_plane_image(&holds->judge->mirror, place_of(holds, pin, held->x));
    return wf_length(wf_sub(goal, place_of(holds, other, image->x)));
}

static void tell(Holds* holds, const Held* held, double off) {
    WfSceneJudge* judge = holds->judge;
    char what[sizeof judge->symmetry->culprit];
    int image = holds->held[held->image].vertex;
    if (isinf(off))
        snprintf(what, sizeof what,
                 "of the pins of vertex %d and its mirror image, vertex %d, one holds and one does "
                 "not, at %.2f s",
                 held->vertex, image, judge->time);
    else if (held->away > off / 2)
        snprintf(what, sizeof what,
                 "the pin of vertex %d has none at its mirror image, the next one is %.3g mm away, "
                 "at %.2f s",
                 held->vertex, 1e3 * off, judge->time);
    else
        snprintf(what, sizeof what,
                 "the pin of vertex %d leaves its mirror image, by %.3g mm at %.2f s", held->vertex,
                 1e3 * off, judge->time);
    wf_judge_note(judge, &judge->symmetry->pins, off, what);
}

static void judge_moment(Holds* holds) {
    double most = -1;
    int worst = 0;
    for (int i = 0; i < holds->count; i += holds->stride) {
        double off = off_image(holds, &holds->held[i]);
        if (off > most) most = off, worst = i;
    }
    if (most > holds->judge->symmetry->pins) tell(holds, &holds->held[worst], most);
}

WeftResult wf_judge_pins(WfSceneJudge* judge) {
    size_t most = (size_t)judge->scene->pin_count;
    Holds holds = {.judge = judge, .held = wf_alloc(judge->allocator, most, sizeof(Held))};
    if (!holds.held) return wf_fail_memory(judge->error);
    list_holds(&holds);
    for (int i = 0; i < holds.count; i += holds.stride) find_image(&holds, &holds.held[i]);
    for (int k = 0; k < judge->moment_count && holds.count > 0; k++) {
        judge->time = judge->moments[k];
        judge_moment(&holds);
    }
    wf_free(judge->allocator, holds.held);
    return WEFT_OK;
}
