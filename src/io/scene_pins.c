// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "pins": which vertices are held, when, and what carries them. A pin names its vertices by number,
// by a corner or side of the flat shape, both of the mesh as it is given (scene_carry.c), or by
// where they stand at the start.

#include <string.h>

#include "base/memory.h"
#include "io/scene_parts.h"

typedef struct PinSpec {
    double from, until;
    int motion;
    int selector_count;
    bool* chosen;  // per vertex of the cloth
    bool* given;   // per vertex of its mesh as it is given (scene_carry.c): the same, or others
} PinSpec;

// ---------------------------------------------------------------------------------------------
// By number, by place

static WeftResult read_vertices(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    PinSpec* spec = target;
    const WfSceneKey range = {.low = 0, .high = reader->named_count - 1};
    spec->selector_count++;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    for (size_t i = 0; i < json_array_size(node->value) && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        int vertex = 0;
        result = wf_scene_count(reader, &item, &range, &vertex);
        if (!result) spec->given[reader->named ? reader->named[vertex] : vertex] = true;
    }
    return result;
}

static WeftResult read_near(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    PinSpec* spec = target;
    double point[3];
    spec->selector_count++;
    WeftResult result = wf_scene_numbers(reader, node, 3, point);
    if (result) return result;
    int nearest = 0;
    double best = HUGE_VAL;
    for (int i = 0; i < reader->mesh->vertex_count; i++) {
        WfVec d = wf_sub(wf_load(reader->mesh->positions, i), wf_load(point, 0));
        if (wf_dot(d, d) < best) {
            best = wf_dot(d, d);
            nearest = i;
        }
    }
    spec->chosen[nearest] = true;
    return WEFT_OK;
}

static WeftResult read_box(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    PinSpec* spec = target;
    double bounds[2][3];
    spec->selector_count++;
    if (!json_is_array(node->value) || json_array_size(node->value) != 2)
        return wf_scene_fail(reader, node, "\"box\" must be a list of two points");
    for (size_t i = 0; i < 2; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        WeftResult result = wf_scene_numbers(reader, &item, 3, bounds[i]);
        if (result) return result;
    }
    int inside_count = 0;
    for (int v = 0; v < reader->mesh->vertex_count; v++) {
        const double* x = reader->mesh->positions + 3 * (size_t)v;
        bool inside = true;
        for (int k = 0; k < 3; k++)
            inside &= x[k] >= fmin(bounds[0][k], bounds[1][k]) &&
                      x[k] <= fmax(bounds[0][k], bounds[1][k]);
        if (inside) spec->chosen[v] = true;
        inside_count += inside;
    }
    if (inside_count == 0) return wf_scene_fail(reader, node, "no vertex starts in this box");
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// By the flat shape: u to the right, v up

// The flat point of corner `corner` (3 per triangle).
static const double* flat_point(const WeftMesh* mesh, int corner) {
    const int* points = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    return mesh->material + 2 * (size_t)points[corner];
}

typedef struct FlatBounds {
    double low[2], high[2];
    double size;  // of the longer side
} FlatBounds;

static WeftResult find_bounds(WfSceneReader* reader, const WfSceneNode* node, FlatBounds* bounds) {
    const WeftMesh* mesh = wf_scene_given(reader);
    if (!mesh->material)
        return wf_scene_fail(
            reader, node,
            "this mesh has no flat shape; use \"near\", \"box\" or \"vertices\" here");
    *bounds = (FlatBounds){{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}, 0};
    for (int c = 0; c < 3 * mesh->triangle_count; c++) {
        for (int k = 0; k < 2; k++) {
            bounds->low[k] = fmin(bounds->low[k], flat_point(mesh, c)[k]);
            bounds->high[k] = fmax(bounds->high[k], flat_point(mesh, c)[k]);
        }
    }
    bounds->size = fmax(bounds->high[0] - bounds->low[0], bounds->high[1] - bounds->low[1]);
    return WEFT_OK;
}

static WeftResult read_corner(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const char* const names[] = {"bottom left", "bottom right", "top left", "top right"};
    PinSpec* spec = target;
    const WeftMesh* mesh = wf_scene_given(reader);
    FlatBounds bounds;
    int name = 0, nearest = 0;
    spec->selector_count++;
    WeftResult result = wf_scene_word(reader, node, names, 4, &name);
    if (!result) result = find_bounds(reader, node, &bounds);
    if (result) return result;
    double u = name & 1 ? bounds.high[0] : bounds.low[0];
    double v = name & 2 ? bounds.high[1] : bounds.low[1], best = HUGE_VAL;
    for (int c = 0; c < 3 * mesh->triangle_count; c++) {
        const double* point = flat_point(mesh, c);
        double distance = wf_flat_length(point[0] - u, point[1] - v);
        if (distance < best) {
            best = distance;
            nearest = mesh->triangles[c];
        }
    }
    spec->given[nearest] = true;
    return WEFT_OK;
}

static WeftResult read_side(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    static const char* const names[] = {"left", "bottom", "right", "top"};
    PinSpec* spec = target;
    const WeftMesh* mesh = wf_scene_given(reader);
    FlatBounds bounds;
    int name = 0;
    spec->selector_count++;
    WeftResult result = wf_scene_word(reader, node, names, 4, &name);
    if (!result) result = find_bounds(reader, node, &bounds);
    if (result) return result;
    int k = name & 1;
    double level = name & 2 ? bounds.high[k] : bounds.low[k];
    for (int c = 0; c < 3 * mesh->triangle_count; c++) {
        double distance = fabs(flat_point(mesh, c)[k] - level);
        if (distance <= 1e-6 * bounds.size) spec->given[mesh->triangles[c]] = true;
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Pins

static WeftResult read_motion(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_find_motion(reader, node, &((PinSpec*)target)->motion);
}

static void pin_defaults(void* target) {
    PinSpec* spec = target;
    *spec =
        (PinSpec){.until = HUGE_VAL, .motion = -1, .chosen = spec->chosen, .given = spec->given};
}

static const WfSceneKey pin_keys[] = {
    WF_ROW_OWN("vertices", read_vertices),
    WF_ROW_OWN("corner", read_corner),
    WF_ROW_OWN("side", read_side),
    WF_ROW_OWN("near", read_near),
    WF_ROW_OWN("box", read_box),
    WF_ROW_NUMBER(PinSpec, from, 0, HUGE_VAL, "s"),
    WF_ROW_ABOVE(PinSpec, until, 0, HUGE_VAL, "s"),
    WF_ROW_OWN("motion", read_motion),
};

const WfSceneTable wf_scene_pin_table = {
    .name = "pin",
    .key_count = WF_KEY_COUNT_OF(pin_keys),
    .keys = pin_keys,
    .target_size = sizeof(PinSpec),
    .set_defaults = pin_defaults,
};

static bool make_room(WfSceneReader* reader) {
    WeftScene* scene = reader->scene;
    if (scene->pin_count < reader->pin_capacity) return true;
    int capacity = reader->pin_capacity ? 2 * reader->pin_capacity : 64;
    WeftScenePin* pins = wf_alloc(&scene->allocator, (size_t)capacity, sizeof *pins);
    if (!pins) return false;
    if (scene->pins) memcpy(pins, scene->pins, (size_t)scene->pin_count * sizeof *pins);
    wf_free(&scene->allocator, scene->pins);
    scene->pins = pins;
    reader->pin_capacity = capacity;
    return true;
}

static WeftResult add_pin(WfSceneReader* reader, WeftScenePin pin) {
    if (!make_room(reader)) return wf_fail_memory(reader->error);
    reader->scene->pins[reader->scene->pin_count++] = pin;
    return WEFT_OK;
}

static WeftResult read_pin(WfSceneReader* reader, const WfSceneNode* node, bool* chosen,
                           bool* given) {
    PinSpec spec = {.chosen = chosen, .given = given};
    memset(chosen, 0, (size_t)reader->mesh->vertex_count);
    memset(given, 0, (size_t)wf_scene_given(reader)->vertex_count);
    WeftResult result = wf_scene_read(reader, node, &wf_scene_pin_table, &spec);
    if (result) return result;
    if (spec.selector_count != 1)
        return wf_scene_fail(reader, node,
                             "a pin needs exactly one of \"vertices\", \"corner\", \"side\", "
                             "\"near\" and \"box\"");
    if (!(spec.until > spec.from))
        return wf_scene_fail(reader, node, "\"until\" (%g s) must come after \"from\" (%g s)",
                             spec.until, spec.from);
    if (given != chosen) result = wf_scene_carry_pins(reader, given, chosen);
    for (int v = 0; v < reader->mesh->vertex_count && !result; v++)
        if (chosen[v])
            result = add_pin(reader, (WeftScenePin){.vertex = reader->first_vertex + v,
                                                    .from = spec.from,
                                                    .until = spec.until,
                                                    .motion = spec.motion});
    return result;
}

// Half a cloth is pinned as it is given, and its image likewise, where that has no pins of its own.
static WeftResult mirror_pins(WfSceneReader* reader, int first, bool* pinned) {
    const WeftScene* scene = reader->scene;
    int count = scene->pin_count, offset = reader->first_vertex;
    WeftResult result = WEFT_OK;
    memset(pinned, 0, (size_t)reader->mesh->vertex_count);
    for (int i = first; i < count; i++) pinned[scene->pins[i].vertex - offset] = true;
    for (int i = first; i < count && !result; i++) {
        WeftScenePin pin = scene->pins[i];
        int image = reader->mesh->images[pin.vertex - offset];
        if (pinned[image]) continue;  // itself, in the plane
        pin.vertex = offset + image;
        pin.mirrored = true;
        result = add_pin(reader, pin);
    }
    return result;
}

// Pins that hold from the start belong to the cloth itself.
static WeftResult use_first_pins(WfSceneReader* reader, int first, bool* chosen,
                                 WeftClothDef* cloth) {
    const WeftScene* scene = reader->scene;
    int vertex_count = reader->mesh->vertex_count, count = 0;
    memset(chosen, 0, (size_t)vertex_count);
    for (int i = first; i < scene->pin_count; i++)
        if (scene->pins[i].from <= 0) chosen[scene->pins[i].vertex - reader->first_vertex] = true;
    for (int v = 0; v < vertex_count; v++) count += chosen[v];
    int* pins = wf_alloc(&scene->allocator, (size_t)count, sizeof *pins);
    if (!pins) return wf_fail_memory(reader->error);
    cloth->pins = pins;
    for (int v = 0; v < vertex_count; v++)
        if (chosen[v]) pins[cloth->pin_count++] = v;
    return WEFT_OK;
}

WeftResult wf_scene_read_pins(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    int first = reader->scene->pin_count;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    const WeftMesh* shown = wf_scene_given(reader);
    bool* chosen = wf_alloc(allocator, (size_t)reader->mesh->vertex_count, sizeof *chosen);
    bool* given = shown == reader->mesh
                      ? chosen
                      : wf_alloc(allocator, (size_t)shown->vertex_count, sizeof *given);
    if (!chosen || !given) result = wf_fail_memory(reader->error);
    for (size_t i = 0; i < json_array_size(node->value) && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_pin(reader, &item, chosen, given);
    }
    if (!result && reader->half) result = mirror_pins(reader, first, chosen);
    if (!result) result = use_first_pins(reader, first, chosen, target);
    if (given != chosen) wf_free(allocator, given);
    wf_free(allocator, chosen);
    return result;
}

WeftResult wf_scene_sort_pins(WfSceneReader* reader) {
    WeftScene* scene = reader->scene;
    WeftResult result = WEFT_OK;
    size_t vertex_count = (size_t)reader->first_vertex;
    int* next = wf_alloc(&scene->allocator, vertex_count + 1, sizeof *next);
    WeftScenePin* sorted = wf_alloc(&scene->allocator, (size_t)scene->pin_count, sizeof *sorted);
    if (!next || !sorted) {
        result = wf_fail_memory(reader->error);
        goto done;
    }
    // a counting sort, which keeps the order of equals
    for (int i = 0; i < scene->pin_count; i++) next[scene->pins[i].vertex + 1]++;
    for (size_t v = 0; v < vertex_count; v++) next[v + 1] += next[v];
    for (int i = 0; i < scene->pin_count; i++)
        sorted[next[scene->pins[i].vertex]++] = scene->pins[i];
    WeftScenePin* old = scene->pins;
    scene->pins = sorted;
    sorted = old;
done:
    wf_free(&scene->allocator, next);
    wf_free(&scene->allocator, sorted);
    return result;
}
