// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "attachments": points of cloth that are held. A point is the one of the cloth nearest to a place
// at the start, wherever that is in its triangles: it stays there when the mesh gets finer.

#include <string.h>

#include "base/memory.h"
#include "garment/hold.h"
#include "io/scene_parts.h"

typedef struct AttachSpec {
    WeftAttachmentDef def;
    double at[3], other[3];
    bool has_other;
    int cloth, other_cloth;  // -1: whichever is nearest
    int motion;
} AttachSpec;

// ---------------------------------------------------------------------------------------------
// Keys

static WeftResult read_at(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_numbers(reader, node, 3, ((AttachSpec*)target)->at);
}

static WeftResult read_other(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    AttachSpec* spec = target;
    spec->has_other = true;
    spec->def.to = WEFT_ATTACH_TO_CLOTH;
    return wf_scene_numbers(reader, node, 3, spec->other);
}

static WeftResult read_place(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    AttachSpec* spec = target;
    spec->def.here = false;
    return wf_scene_numbers(reader, node, 3, spec->def.place);
}

static WeftResult read_body(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    AttachSpec* spec = target;
    const WeftScene* scene = reader->scene;
    const WfSceneKey range = {.low = 0, .high = scene->model.body_count - 1};
    spec->def.to = WEFT_ATTACH_TO_BODY;
    if (!json_is_string(node->value)) return wf_scene_count(reader, node, &range, &spec->def.body);
    const char* name = json_string_value(node->value);
    for (int i = 0; i < scene->model.body_count; i++) {
        spec->def.body = i;
        if (scene->bodies[i].name && strcmp(scene->bodies[i].name, name) == 0) return WEFT_OK;
    }
    return wf_scene_fail(reader, node, "no body is called \"%.40s\"", name);
}

static WeftResult read_number(WfSceneReader* reader, const WfSceneNode* node, int* cloth) {
    const WfSceneKey range = {.low = 0, .high = reader->scene->model.cloth_count - 1};
    return wf_scene_count(reader, node, &range, cloth);
}
static WeftResult read_cloth(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_number(reader, node, &((AttachSpec*)target)->cloth);
}
static WeftResult read_other_cloth(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return read_number(reader, node, &((AttachSpec*)target)->other_cloth);
}

static WeftResult read_motion(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_find_motion(reader, node, &((AttachSpec*)target)->motion);
}

static void attach_defaults(void* target) {
    *(AttachSpec*)target = (AttachSpec){
        .def = weft_default_attachment_def(), .cloth = -1, .other_cloth = -1, .motion = -1};
}

#define NUMBER(key, most_of, in)                                                                \
    {                                                                                           \
        .name = #key, .type = WF_KEY_NUMBER, .offset = offsetof(AttachSpec, def.key), .low = 0, \
        .high = most_of, .unit = in                                                             \
    }

static const WfSceneKey attach_keys[] = {
    WF_ROW_REQUIRED("at", read_at),
    WF_ROW_OWN("cloth", read_cloth),
    WF_ROW_OWN("place", read_place),
    WF_ROW_OWN("body", read_body),
    WF_ROW_OWN("other", read_other),
    WF_ROW_OWN("other_cloth", read_other_cloth),
    NUMBER(length, 1e6, "m"),
    NUMBER(stiffness, 1e15, "N/m"),
    NUMBER(damping, 1e15, "N s/m"),
    NUMBER(most, 1e15, "N"),
    {.name = "breaks", .type = WF_KEY_FLAG, .offset = offsetof(AttachSpec, def.breaks)},
    WF_ROW_OWN("motion", read_motion),
};

const WfSceneTable wf_scene_attach_table = {
    .name = "attachment",
    .key_count = WF_KEY_COUNT_OF(attach_keys),
    .keys = attach_keys,
    .target_size = sizeof(AttachSpec),
    .set_defaults = attach_defaults,
};

// ---------------------------------------------------------------------------------------------
// Points

typedef struct Point {
    double distance;
    int vertices[3];
    double weights[3];
} Point;

static void try_vertices(const WeftMesh* mesh, int first, WfVec place, Point* best) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        double distance = wf_length(wf_sub(wf_load(mesh->positions, i), place));
        if (distance < best->distance) *best = (Point){distance, {first + i, -1, -1}, {1, 0, 0}};
    }
}

static WeftResult try_cloth(WfSceneReader* reader, const WeftMesh* mesh, int first,
                            const double place[3], Point* best) {
    WfBody surface = {mesh->vertex_count, mesh->triangle_count, mesh->positions, mesh->triangles};
    WeftBodyPoint bind = {0};
    if (mesh->triangle_count == 0) {
        try_vertices(mesh, first, wf_load(place, 0), best);
        return WEFT_OK;
    }
    WeftResult result = wf_bind_points(&reader->scene->allocator, &surface, place, NULL, 1, &bind);
    if (result) return wf_fail_memory(reader->error);
    const int* corners = mesh->triangles + 3 * (size_t)bind.triangle;
    WfVec nearest = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        nearest = wf_madd(nearest, bind.weights[k], wf_load(mesh->positions, corners[k]));
    double distance = wf_length(wf_sub(nearest, wf_load(place, 0)));
    if (distance >= best->distance) return WEFT_OK;
    best->distance = distance;
    for (int k = 0; k < 3; k++) {
        best->vertices[k] = first + corners[k];
        best->weights[k] = fmin(fmax(bind.weights[k], 0), 1);
    }
    return WEFT_OK;
}

static WeftResult find_point(WfSceneReader* reader, const double place[3], int cloth,
                             int vertices[3], double weights[3]) {
    const WeftScene* scene = reader->scene;
    Point best = {.distance = HUGE_VAL};
    WeftResult result = WEFT_OK;
    for (int c = 0, first = 0; c < scene->model.cloth_count && !result; c++) {
        if (cloth < 0 || cloth == c)
            result = try_cloth(reader, &scene->meshes[c], first, place, &best);
        first += scene->meshes[c].vertex_count;
    }
    memcpy(vertices, best.vertices, sizeof best.vertices);
    memcpy(weights, best.weights, sizeof best.weights);
    return result;
}

// ---------------------------------------------------------------------------------------------

static WeftResult check_ends(WfSceneReader* reader, const WfSceneNode* node,
                             const AttachSpec* spec) {
    WfSceneNode body = wf_scene_member(node, "body");
    if (spec->has_other && (body.value || !spec->def.here))
        return wf_scene_fail(reader, node,
                             "\"other\" is an end of its own: it goes with neither \"body\" nor "
                             "\"place\"");
    if (spec->motion >= 0 && spec->def.to != WEFT_ATTACH_TO_PLACE)
        return wf_scene_fail(reader, node,
                             "a \"motion\" moves an end that is a place; bodies have their own");
    return WEFT_OK;
}

static WeftResult read_attachment(WfSceneReader* reader, const WfSceneNode* node,
                                  WeftAttachmentDef* def, WeftSceneAttachment* attachment) {
    AttachSpec spec;
    WeftResult result = wf_scene_read(reader, node, &wf_scene_attach_table, &spec);
    if (!result) result = check_ends(reader, node, &spec);
    if (!result)
        result = find_point(reader, spec.at, spec.cloth, spec.def.vertices, spec.def.weights);
    if (!result && spec.has_other)
        result = find_point(reader, spec.other, spec.other_cloth, spec.def.other_vertices,
                            spec.def.other_weights);
    if (result) return result;
    *def = spec.def;
    *attachment = (WeftSceneAttachment){.motion = spec.motion};
    memcpy(attachment->place, spec.def.place, sizeof attachment->place);
    for (int k = 0; k < 3 && spec.def.here; k++) attachment->place[k] = spec.at[k];
    return WEFT_OK;
}

// An end that a motion carries starts at a place that is known.
static void settle_place(WeftAttachmentDef* def, const WeftSceneAttachment* attachment) {
    if (attachment->motion < 0) return;
    def->here = false;
    memcpy(def->place, attachment->place, sizeof def->place);
}

WeftResult wf_scene_read_attachments(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count > WEFT_MAX_ATTACHMENTS)
        return wf_scene_fail(reader, node, "%zu attachments; at most %d", count,
                             WEFT_MAX_ATTACHMENTS);
    WeftAttachmentDef* defs = wf_alloc(&scene->allocator, count, sizeof *defs);
    scene->attachments = wf_alloc(&scene->allocator, count, sizeof *scene->attachments);
    scene->model.attachments = defs;
    if (!defs || !scene->attachments) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_attachment(reader, &item, &defs[i], &scene->attachments[i]);
        if (result) return result;
        settle_place(&defs[i], &scene->attachments[i]);
        scene->model.attachment_count++;
    }
    return result;
}

void wf_scene_free_attachments(WeftScene* scene) {
    wf_free(&scene->allocator, (WeftAttachmentDef*)scene->model.attachments);
    wf_free(&scene->allocator, scene->attachments);
}

WeftResult wf_scene_find_point(WfSceneReader* reader, const double place[3], int cloth,
                               int vertices[3], double weights[3]) {
    return find_point(reader, place, cloth, vertices, weights);
}
