// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "bodies": what cloth touches; how it stands, moves and changes its shape. The key `kind` says
// which table the others follow.

#include <string.h>

#include "base/memory.h"
#include "io/scene_parts.h"

typedef struct BodySpec {
    WeftBodyDef def;
    WfStand place;
    char* name;
    int motion;
    bool in_world;
    // lathe
    WfProfile profile;
    bool closed;
    int segments;
    // mesh
    char *file, *frames;
    WfFigureSpec figure;
    // hull
    WeftMesh points;
    // mannequin
    WeftMannequinDef mannequin;
} BodySpec;

static void body_defaults(void* target) {
    BodySpec* spec = target;
    *spec = (BodySpec){.def = weft_default_body_def(), .motion = -1, .segments = 32};
    spec->figure.rate = 60;
    spec->figure.gap = 0.012;  // room for some layers of cloth
    spec->mannequin = weft_default_mannequin_def(WEFT_MANNEQUIN_FEMALE);
    wf_scene_default_stand(&spec->place);
}

// ---------------------------------------------------------------------------------------------
// Keys

static WeftResult read_kind(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)reader, (void)node, (void)target;
    return WEFT_OK;  // it chose this table
}

static WeftResult read_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((BodySpec*)target)->name);
}

static WeftResult read_place(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_stand(reader, node, &((BodySpec*)target)->place);
}

static WeftResult read_motion(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_find_motion(reader, node, &((BodySpec*)target)->motion);
}

static WeftResult read_layer(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_layers(reader, node, &((BodySpec*)target)->def.layer);
}

static WeftResult read_mask(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_layers(reader, node, &((BodySpec*)target)->def.mask);
}

static WeftResult read_points(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_points(reader, node, &((BodySpec*)target)->points);
}

static WeftResult read_counts(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_counts(reader, node, ((BodySpec*)target)->def.distance.counts);
}

static WeftResult read_profile(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_read_profile(reader, node, &((BodySpec*)target)->profile);
}

static WeftResult read_file_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((BodySpec*)target)->file);
}

static WeftResult read_frames_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((BodySpec*)target)->frames);
}

static WeftResult read_clip_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((BodySpec*)target)->figure.clip);
}

static WeftResult read_clip_file(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((BodySpec*)target)->figure.clip_file);
}

static WeftResult read_mannequin_kind(WfSceneReader* reader, const WfSceneNode* node,
                                      void* target) {
    static const char* const words[] = {"female", "male", "child"};
    int kind = 0;
    WeftResult result = wf_scene_word(reader, node, words, 3, &kind);
    if (!result) ((BodySpec*)target)->mannequin.kind = (WeftMannequinKind)kind;
    return result;
}

#define COMMON                                                                                 \
    WF_ROW_REQUIRED("kind", read_kind), WF_ROW_OWN("name", read_name),                         \
        WF_ROW_OWN("place", read_place), WF_ROW_OWN("motion", read_motion),                    \
        WF_ROW_FLAG(BodySpec, in_world), WF_ROW_OWN("layer", read_layer),                      \
        WF_ROW_OWN("mask", read_mask), {                                                       \
        .name = "friction", .type = WF_KEY_NUMBER, .offset = offsetof(BodySpec, def.friction), \
        .low = 0, .high = 100                                                                  \
    }
#define RADIUS                                                                             \
    {                                                                                      \
        .name = "radius", .type = WF_KEY_NUMBER, .offset = offsetof(BodySpec, def.radius), \
        .low = 0, .high = 1000, .above = true, .unit = "m"                                 \
    }

#define CLIP                                                                       \
    WF_ROW_OWN("clip", read_clip_name),                                            \
        {.name = "clip_start",                                                     \
         .type = WF_KEY_NUMBER,                                                    \
         .low = 0,                                                                 \
         .high = 86400,                                                            \
         .unit = "s",                                                              \
         .offset = offsetof(BodySpec, figure.start)},                              \
    {                                                                              \
        .name = "gap", .type = WF_KEY_NUMBER, .low = 0, .high = 0.05, .unit = "m", \
        .offset = offsetof(BodySpec, figure.gap)                                   \
    }
#define MEASURE(field, least, most)                                                     \
    {                                                                                   \
        .name = #field, .type = WF_KEY_NUMBER, .low = least, .high = most, .unit = "m", \
        .offset = offsetof(BodySpec, mannequin.field)                                   \
    }

static const WfSceneKey plane_keys[] = {COMMON};
static const WfSceneKey sphere_keys[] = {COMMON, RADIUS};
#define LENGTH                                                                             \
    {                                                                                      \
        .name = "length", .type = WF_KEY_NUMBER, .offset = offsetof(BodySpec, def.length), \
        .low = 0, .high = 1000, .unit = "m"                                                \
    }
static const WfSceneKey capsule_keys[] = {COMMON, RADIUS, LENGTH};
static const WfSceneKey tapered_keys[] = {
    COMMON,
    RADIUS,
    {.name = "top_radius",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(BodySpec, def.top_radius),
     .low = 0,
     .high = 1000,
     .above = true,
     .unit = "m"},
    LENGTH,
};
static const WfSceneKey hull_keys[] = {
    COMMON,
    WF_ROW_OWN("points", read_points),
    WF_ROW_OWN("file", read_file_name),
};
static const WfSceneKey distance_keys[] = {
    COMMON,
    WF_ROW_REQUIRED("file", read_file_name),
    WF_ROW_REQUIRED("counts", read_counts),
    {.name = "origin",
     .type = WF_KEY_POINT,
     .offset = offsetof(BodySpec, def.distance.origin),
     .low = -10000,
     .high = 10000,
     .unit = "m"},
    {.name = "cell",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(BodySpec, def.distance.cell),
     .low = 0,
     .high = 1000,
     .above = true,
     .unit = "m"},
};
static const WfSceneKey box_keys[] = {
    COMMON,
    {.name = "size",
     .type = WF_KEY_POINT,
     .offset = offsetof(BodySpec, def.size),
     .low = 0,
     .high = 1000,
     .above = true,
     .unit = "m"},
};
static const WfSceneKey lathe_keys[] = {
    COMMON,
    WF_ROW_REQUIRED("profile", read_profile),
    WF_ROW_FLAG(BodySpec, closed),
    WF_ROW_COUNT(BodySpec, segments, 3, 1000),
};
static const WfSceneKey mesh_keys[] = {
    COMMON,
    WF_ROW_REQUIRED("file", read_file_name),
    WF_ROW_OWN("frames", read_frames_name),
    {.name = "rate",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(BodySpec, figure.rate),
     .low = 0,
     .high = 100000,
     .above = true,
     .unit = "1/s"},
    CLIP,
    WF_ROW_OWN("clip_file", read_clip_file),
};
static const WfSceneKey mannequin_keys[] = {
    COMMON,
    WF_ROW_OWN("type", read_mannequin_kind),
    MEASURE(height, 0, 3),
    MEASURE(chest, 0, 3),
    MEASURE(waist, 0, 3),
    MEASURE(hips, 0, 3),
    MEASURE(edge, 0.001, 0.2),
    CLIP,
};

#define TABLE(text, rows)                                                        \
    {                                                                            \
        .name = "body, " text, .key_count = WF_KEY_COUNT_OF(rows), .keys = rows, \
        .target_size = sizeof(BodySpec), .set_defaults = body_defaults           \
    }

enum { LATHE = 4, MESH, MANNEQUIN, TAPERED, HULL, DISTANCE, KIND_COUNT };
static const char* const kind_names[KIND_COUNT] = {"plane", "sphere",  "capsule",   "box",
                                                   "lathe", "mesh",    "mannequin", "tapered",
                                                   "hull",  "distance"};
static const WeftBodyKind kinds[KIND_COUNT] = {
    WEFT_BODY_PLANE, WEFT_BODY_SPHERE, WEFT_BODY_CAPSULE, WEFT_BODY_BOX,  WEFT_BODY_MESH,
    WEFT_BODY_MESH,  WEFT_BODY_MESH,   WEFT_BODY_TAPERED, WEFT_BODY_HULL, WEFT_BODY_DISTANCE};
static const WfSceneTable kind_tables[KIND_COUNT] = {
    TABLE("plane", plane_keys),         TABLE("sphere", sphere_keys),
    TABLE("capsule", capsule_keys),     TABLE("box", box_keys),
    TABLE("lathe", lathe_keys),         TABLE("mesh", mesh_keys),
    TABLE("mannequin", mannequin_keys), TABLE("tapered", tapered_keys),
    TABLE("hull", hull_keys),           TABLE("distance", distance_keys),
};

const WfSceneTable* wf_scene_body_table(int kind) {
    return kind < KIND_COUNT ? &kind_tables[kind] : NULL;
}

// ---------------------------------------------------------------------------------------------
// Triangles

static WeftResult make_lathe(WfSceneReader* reader, const WfSceneNode* node, const BodySpec* spec,
                             WeftSceneBody* body) {
    WeftResult result =
        wf_make_lathe(&spec->profile, spec->closed, spec->segments, &reader->scene->allocator,
                      &body->mesh, &body->shape, reader->error);
    if (result != WEFT_ERROR_INPUT) return result;
    WfSceneNode profile = wf_scene_member(node, "profile");
    return wf_scene_fail_prefix(reader, &profile, result);
}

// What is wrong inside the mesh file has a place there.
static WeftResult read_mesh(WfSceneReader* reader, const WfSceneNode* node, const BodySpec* spec,
                            WeftSceneBody* body) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    WfSceneNode file = wf_scene_member(node, "file");
    char* path = wf_scene_file_path(reader, spec->file);
    if (!path) return wf_fail_memory(reader->error);
    WeftResult result = weft_read_obj(path, 1, allocator, &body->mesh, reader->error);
    wf_free(allocator, path);
    return result == WEFT_ERROR_FILE ? wf_scene_fail_prefix(reader, &file, result) : result;
}

static WeftResult read_frames(WfSceneReader* reader, const WfSceneNode* node, const BodySpec* spec,
                              WeftSceneBody* body) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    WfSceneNode frames = wf_scene_member(node, "frames");
    char* path = wf_scene_file_path(reader, spec->frames);
    if (!path) return wf_fail_memory(reader->error);
    WeftResult result = wf_read_pc2(path, body->mesh.vertex_count, spec->figure.rate, allocator,
                                    &body->shape, reader->error);
    wf_free(allocator, path);
    bool placed = result == WEFT_ERROR_FILE || result == WEFT_ERROR_INPUT;
    return placed ? wf_scene_fail_prefix(reader, &frames, result) : result;
}

// Of its points, or of the vertices of a file.
static WeftResult make_hull(WfSceneReader* reader, const WfSceneNode* node, BodySpec* spec,
                            WeftSceneBody* body) {
    bool given = spec->points.positions;
    if (given == (spec->file != NULL))
        return wf_scene_fail(reader, node, "a hull needs either \"points\" or \"file\"");
    WeftResult result = given ? WEFT_OK : read_mesh(reader, node, spec, body);
    if (given) body->mesh = spec->points;
    spec->points = (WeftMesh){0};
    WfSceneNode at = wf_scene_member(node, given ? "points" : "file");
    return result ? result : wf_scene_make_hull(reader, &at, &body->mesh);
}

static WeftResult make_triangles(WfSceneReader* reader, const WfSceneNode* node, int kind,
                                 BodySpec* spec, WeftSceneBody* body) {
    if (kind == HULL) return make_hull(reader, node, spec, body);
    if (kind == DISTANCE)
        return wf_scene_make_distance(reader, node, spec->file, &spec->def.distance, body);
    if (kind == LATHE) return make_lathe(reader, node, spec, body);
    if (kind == MANNEQUIN)
        return wf_scene_make_mannequin(reader, node, &spec->mannequin, &spec->figure, body);
    if (kind != MESH) return WEFT_OK;
    if (wf_scene_needs_figure(spec->file, &spec->figure))
        return wf_scene_read_figure(reader, node, spec->file, spec->frames, &spec->figure, body);
    WeftResult result = read_mesh(reader, node, spec, body);
    if (!result && spec->frames) result = read_frames(reader, node, spec, body);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void scale_all(double scale, double* numbers, size_t count) {
    for (size_t i = 0; i < count; i++) numbers[i] *= scale;
}

// Scaled in its own frame, which is then turned and moved.
static void stand_up(const WfStand* place, WeftBodyDef* def, WeftSceneBody* body) {
    size_t numbers = 3 * (size_t)body->mesh.vertex_count;
    body->scale = place->scale;
    def->radius *= place->scale;
    def->top_radius *= place->scale;
    def->length *= place->scale;
    wf_scene_scale_distance(place->scale, &def->distance, body->distances);
    scale_all(place->scale, def->size, 3);
    scale_all(place->scale, body->mesh.positions, numbers);
    scale_all(place->scale, body->shape.positions, (size_t)body->shape.key_count * numbers);
    scale_all(place->scale, body->shape.travel, 3);
    memcpy(def->position, place->move, sizeof def->position);
    wf_scene_quaternion(place->axis, place->degrees, def->rotation);
}

// What deforms starts as it is at time 0.
static WeftResult use_shape(WfSceneReader* reader, WeftBodyDef* def, WeftSceneBody* body) {
    int vertex_count = body->mesh.vertex_count;
    if (body->shape.key_count > 0) {
        body->shape_now =
            wf_alloc(&reader->scene->allocator, (size_t)vertex_count, 3 * sizeof(double));
        if (!body->shape_now) return wf_fail_memory(reader->error);
        wf_sample_shape(&body->shape, vertex_count, 0, body->mesh.positions);
    }
    def->vertex_count = vertex_count;
    def->positions = body->mesh.positions;
    def->triangle_count = body->mesh.triangle_count;
    def->triangles = body->mesh.triangles;
    return WEFT_OK;
}

static WeftResult read_spec(WfSceneReader* reader, const WfSceneNode* node, int kind,
                            BodySpec* spec, WeftBodyDef* def, WeftSceneBody* body) {
    WeftResult result = wf_scene_read(reader, node, &kind_tables[kind], spec);
    body->name = spec->name;
    body->motion = spec->motion;
    body->in_world = spec->in_world;
    body->clip = -1;
    if (!result) result = make_triangles(reader, node, kind, spec, body);
    if (result) return result;
    *def = spec->def;
    def->kind = kinds[kind];
    stand_up(&spec->place, def, body);
    return use_shape(reader, def, body);
}

static WeftResult read_body(WfSceneReader* reader, const WfSceneNode* node) {
    WeftScene* scene = reader->scene;
    BodySpec spec = {0};
    int index = scene->model.body_count++, kind = 0;
    WeftResult result = wf_scene_expect(reader, node, JSON_OBJECT);
    if (result) return result;
    WfSceneNode kind_node = wf_scene_member(node, "kind");
    if (!kind_node.value) return wf_scene_fail(reader, node, "\"kind\" is missing here");
    result = wf_scene_word(reader, &kind_node, kind_names, KIND_COUNT, &kind);
    if (result) return result;
    result = read_spec(reader, node, kind, &spec, &reader->bodies[index], &scene->bodies[index]);
    wf_free_profile(&scene->allocator, &spec.profile);
    weft_destroy_mesh(&spec.points);
    wf_free(&scene->allocator, spec.file);
    wf_free(&scene->allocator, spec.frames);
    wf_free(&scene->allocator, spec.figure.clip);
    wf_free(&scene->allocator, spec.figure.clip_file);
    return result;
}

WeftResult wf_scene_read_bodies(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    scene->bodies = wf_alloc(&scene->allocator, count, sizeof *scene->bodies);
    reader->bodies = wf_alloc(&scene->allocator, count, sizeof *reader->bodies);
    scene->model.bodies = reader->bodies;
    if (!scene->bodies || !reader->bodies) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_body(reader, &item);
    }
    return result;
}

void wf_scene_free_bodies(WeftScene* scene) {
    const WeftAllocator* allocator = &scene->allocator;
    for (int i = 0; i < scene->model.body_count; i++) {
        WeftSceneBody* body = &scene->bodies[i];
        wf_free(allocator, body->name);
        weft_destroy_mesh(&body->mesh);
        wf_free(allocator, body->distances);
        weft_destroy_figure(&body->figure);
        wf_free(allocator, body->shape.times);
        wf_free(allocator, body->shape.positions);
        wf_free(allocator, body->shape_now);
    }
    wf_free(allocator, scene->bodies);
    wf_free(allocator, (void*)scene->model.bodies);
}
