// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Start files: how the garments of a scene lie once they are put on. What weft_dress_scene finds is
// written here, and a scene that names such a file begins dressed.
//
// A start fits one mesh and one body in one pose. The mesh is known by a fingerprint of its
// triangles, which are whole numbers; the body by the box around it where the scene starts. Hashes
// of coordinates would refuse what another machine made, whose sine is rounded otherwise.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "garment/dress.h"
#include "garment/frame.h"
#include "io/output.h"
#include "io/scene_parts.h"
#include "mesh/check.h"

static const double BODY_TOLERANCE = 1e-4;  // m: rounding is less, any other pose is more
static const double FARTHEST = 1e6;         // m
static const double BESIDE = 0.25;    // of the body's height: how far beside it a garment may be
static const double TORN = 10;        // lengths at rest: what is put on is not stretched so far
static const double ROUNDING = 0.01;  // of the stretch that is told

enum { PRINT_SIZE = 17 };

static void print_mesh(const WeftMesh* mesh, char print[PRINT_SIZE]) {
    size_t bytes = 3 * sizeof(int) * (size_t)mesh->triangle_count;
    snprintf(print, PRINT_SIZE, "%016" PRIx64, wf_hash(WF_HASH_START, mesh->triangles, bytes));
}

// Low and high corner of the body where the scene starts.
static void find_body(const WeftScene* scene, int body, double box[6]) {
    const WeftMesh* mesh = &scene->bodies[body].mesh;
    const WeftBodyDef* def = &scene->model.bodies[body];
    WfFrame frame = wf_frame_of(def->position, def->rotation);
    for (int k = 0; k < 3; k++) box[k] = HUGE_VAL, box[3 + k] = -HUGE_VAL;
    for (int v = 0; v < mesh->vertex_count; v++) {
        double at[3];
        wf_store(at, 0, wf_frame_apply(frame, wf_load(mesh->positions, v)));
        for (int k = 0; k < 3; k++) {
            box[k] = fmin(box[k], at[k]);
            box[3 + k] = fmax(box[3 + k], at[k]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Writing

static void add_number(WfOutput* out, const char* key, double value) {
    wf_out(out, ", \"");
    wf_out(out, key);
    wf_out(out, "\": ");
    wf_out_number(out, value);
}

static void add_holds(WfOutput* out, const WeftSceneWear* wear) {
    wf_out(out, ",\n   \"holds\": [");
    for (int i = 0; i < wear->hold_count; i++) {
        const WeftBodyPoint* hold = &wear->holds[i];
        const double row[6] = {hold->vertex,     hold->triangle,   hold->weights[0],
                               hold->weights[1], hold->weights[2], hold->lift};
        if (i > 0) wf_out(out, ", ");
        wf_out_list(out, row, 6);
    }
    wf_out(out, "]");
}

static void add_wear(WfOutput* out, const WeftScene* scene, const WeftSceneWear* wear) {
    const WeftMesh* mesh = &scene->meshes[wear->cloth];
    char print[PRINT_SIZE];
    double box[6];
    print_mesh(mesh, print);
    find_body(scene, wear->body, box);
    wf_out(out, "\n  {\"mesh\": ");
    wf_out_quoted(out, print);
    wf_out(out, ", \"body\": ");
    wf_out_list(out, box, 6);
    add_number(out, "stretch", wear->stretch);
    add_number(out, "open_seam", wear->open_seam);
    add_number(out, "open", wear->open);
    add_holds(out, wear);
    wf_out(out, ",\n   \"positions\": ");
    wf_out_list(out, mesh->positions, 3 * mesh->vertex_count);
    wf_out(out, "}");
}

size_t weft_print_start(const WeftScene* scene, char* text, size_t size) {
    WfOutput out = {text, size, 0};
    wf_out(&out, "{\"weft_start\": 1, \"garments\": [");
    for (int i = 0; i < scene->wear_count && scene->dressed; i++) {
        if (i > 0) wf_out(&out, ",");
        add_wear(&out, scene, &scene->wears[i]);
    }
    wf_out(&out, "]}\n");
    return wf_out_end(&out);
}

WeftResult weft_save_start(const char* path, const WeftScene* scene, WeftError* error) {
    WeftError unheard;
    if (!error) error = &unheard;
    if (!scene->dressed)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: the scene is not dressed yet", path);
    size_t size = weft_print_start(scene, NULL, 0) + 1;
    char* text = wf_alloc(&scene->allocator, size, 1);
    if (!text) return wf_fail_memory(error);
    size_t length = weft_print_start(scene, text, size);
    WeftResult result = wf_write_file(path, text, length, error);
    wf_free(&scene->allocator, text);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Reading: the garments of the file are those of the scene, in their order

typedef struct StartSpec {
    WeftSceneWear* wear;
    double stretch, open;
    int open_seam;
    int hold_count;
    WeftBodyPoint* holds;
    double* positions;  // 3 per vertex
} StartSpec;

static const char* garment_name(const StartSpec* spec) { return spec->wear->pattern.name; }

static WeftResult read_print(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    const StartSpec* spec = target;
    char print[PRINT_SIZE];
    WeftResult result = wf_scene_expect(reader, node, JSON_STRING);
    if (result) return result;
    print_mesh(&reader->scene->meshes[spec->wear->cloth], print);
    if (strcmp(json_string_value(node->value), print) == 0) return WEFT_OK;
    return wf_scene_fail(reader, node,
                         "this is the start of another mesh than that of \"%s\": its pattern, its "
                         "\"edge\", its wearer or its \"mirror\" are others than when it was "
                         "dressed",
                         garment_name(spec));
}

static WeftResult read_body(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    const StartSpec* spec = target;
    double told[6], is[6];
    WeftResult result = wf_scene_numbers(reader, node, 6, told);
    if (result) return result;
    find_body(reader->scene, spec->wear->body, is);
    for (int k = 0; k < 6; k++)
        if (!(fabs(told[k] - is[k]) <= BODY_TOLERANCE))
            return wf_scene_fail(reader, node,
                                 "\"%s\" was put on another body, or in another pose: dress it "
                                 "again",
                                 garment_name(spec));
    return WEFT_OK;
}

static WeftResult read_hold(WfSceneReader* reader, const WfSceneNode* node, const StartSpec* spec,
                            WeftBodyPoint* hold) {
    const WeftScene* scene = reader->scene;
    double row[6];
    WeftResult result = wf_scene_numbers(reader, node, 6, row);
    if (result) return result;
    double vertices = scene->meshes[spec->wear->cloth].vertex_count;
    double triangles = scene->bodies[spec->wear->body].mesh.triangle_count;
    bool whole = row[0] == floor(row[0]) && row[1] == floor(row[1]);
    if (!(whole && row[0] >= 0 && row[0] < vertices && row[1] >= 0 && row[1] < triangles))
        return wf_scene_fail(reader, node, "there is no such vertex of \"%s\", or no such triangle",
                             garment_name(spec));
    *hold = (WeftBodyPoint){(int)row[0], (int)row[1], {row[2], row[3], row[4]}, row[5]};
    return WEFT_OK;
}

static WeftResult read_start_holds(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    StartSpec* spec = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count > (size_t)reader->scene->meshes[spec->wear->cloth].vertex_count)
        return wf_scene_fail(reader, node, "\"%s\" has fewer vertices", garment_name(spec));
    spec->holds = wf_alloc(&reader->scene->allocator, count, sizeof *spec->holds);
    if (!spec->holds) return wf_fail_memory(reader->error);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_hold(reader, &item, spec, &spec->holds[i]);
    }
    spec->hold_count = (int)count;
    return result;
}

static WeftResult read_positions(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    StartSpec* spec = target;
    size_t count = 3 * (size_t)reader->scene->meshes[spec->wear->cloth].vertex_count;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    if (json_array_size(node->value) != count)
        return wf_scene_fail(reader, node, "\"%s\" has %zu vertices, and these are %zu numbers",
                             garment_name(spec), count / 3, json_array_size(node->value));
    spec->positions = wf_alloc(&reader->scene->allocator, count, sizeof *spec->positions);
    if (!spec->positions) return wf_fail_memory(reader->error);
    const WfSceneKey range = {.low = -FARTHEST, .high = FARTHEST, .unit = "m"};
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = wf_scene_number(reader, &item, &range, &spec->positions[i]);
    }
    return result;
}

// The mesh first: what is another garment's is not read any further.
static const WfSceneKey garment_keys[] = {
    WF_ROW_REQUIRED("mesh", read_print),
    WF_ROW_REQUIRED("body", read_body),
    WF_ROW_ABOVE(StartSpec, stretch, 0, 1000, NULL),
    WF_ROW_COUNT(StartSpec, open_seam, -1, 1000000),
    WF_ROW_NUMBER(StartSpec, open, 0, 1000, "m"),
    WF_ROW_REQUIRED("holds", read_start_holds),
    WF_ROW_REQUIRED("positions", read_positions),
};
static const WfSceneTable garment_table = {
    .name = "garment of a start",
    .key_count = WF_KEY_COUNT_OF(garment_keys),
    .keys = garment_keys,
    .target_size = sizeof(StartSpec),
};

// Around the body: a train or a cape may reach further, but not all of it.
static WeftResult check_middle(WfSceneReader* reader, const WfSceneNode* node,
                               const StartSpec* spec, const WeftMesh* mesh) {
    double box[6], middle[3] = {0, 0, 0};
    find_body(reader->scene, spec->wear->body, box);
    for (long i = 0; i < 3L * mesh->vertex_count; i++)
        middle[i % 3] += mesh->positions[i] / mesh->vertex_count;
    double room = BESIDE * (box[4] - box[1]);
    for (int k = 0; k < 3; k++)
        if (!(middle[k] > box[k] - room && middle[k] < box[3 + k] + room))
            return wf_scene_fail(reader, node,
                                 "\"%s\" is not on its body: its middle is at (%.2f, %.2f, %.2f) m",
                                 garment_name(spec), middle[0], middle[1], middle[2]);
    return WEFT_OK;
}

// As dressing left it. What crosses is not looked for here: `weft check` does.
static WeftResult check_positions(WfSceneReader* reader, const WfSceneNode* node,
                                  const StartSpec* spec, const WeftMesh* mesh) {
    for (long t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            double ratio = wf_edge_ratio(mesh, mesh->positions, t, k);
            if (ratio > TORN)
                return wf_scene_fail(reader, node,
                                     "\"%s\" is torn: an edge at vertex %d is %.3g times as long "
                                     "as it was cut",
                                     garment_name(spec), mesh->triangles[3 * t + k], ratio);
        }
    }
    double stretch = wf_high_stretch(mesh);
    if (fabs(stretch - spec->stretch) > ROUNDING)
        return wf_scene_fail(
            reader, node, "\"%s\" was changed since it was put on: its stretch is %.3f, not %.3f",
            garment_name(spec), stretch, spec->stretch);
    return check_middle(reader, node, spec, mesh);
}

#define HELD 0.02  // m, at most from where the body holds it

// Held vertices are where the body has them: a body of the same size may have other triangles.
static WeftResult check_holds(WfSceneReader* reader, const WfSceneNode* node, const StartSpec* spec,
                              const WeftMesh* mesh) {
    const WeftSceneBody* body = &reader->scene->bodies[spec->wear->body];
    const WeftBodyDef* def = &reader->scene->model.bodies[spec->wear->body];
    WfFrame frame = wf_frame_of(def->position, def->rotation);
    for (int i = 0; i < spec->hold_count; i++) {
        double place[3];
        weft_follow_body(&spec->holds[i], body->mesh.positions, body->mesh.triangles, place);
        WfVec at = wf_load(mesh->positions, spec->holds[i].vertex);
        if (!(wf_length(wf_sub(wf_frame_apply(frame, wf_load(place, 0)), at)) < HELD))
            return wf_scene_fail(reader, node,
                                 "\"%s\" is held by another body: vertex %d is not where its "
                                 "triangle has it; dress it again",
                                 garment_name(spec), spec->holds[i].vertex);
    }
    return WEFT_OK;
}

static WeftResult put_on(WfSceneReader* reader, const WfSceneNode* node, const StartSpec* spec) {
    WeftScene* scene = reader->scene;
    WeftSceneWear* wear = spec->wear;
    WeftMesh* mesh = &scene->meshes[wear->cloth];
    memcpy(mesh->positions, spec->positions, 3 * sizeof(double) * (size_t)mesh->vertex_count);
    WeftResult result =
        wf_check_rest_size(&scene->allocator, &scene->model.cloths[wear->cloth], reader->error);
    if (result) return wf_scene_fail_prefix(reader, node, result);
    result = check_positions(reader, node, spec, mesh);
    if (!result) result = check_holds(reader, node, spec, mesh);
    if (result) return result;
    if (spec->open_seam >= wear->pattern.seam_count)
        return wf_scene_fail(reader, node, "\"%s\" has no seam %d", garment_name(spec),
                             spec->open_seam);
    wear->open = spec->open, wear->open_seam = spec->open_seam;
    wear->stretch = spec->stretch;
    return wf_scene_hold_wear(scene, wear, spec->holds, spec->hold_count, reader->error);
}

static WeftResult read_garment(WfSceneReader* reader, const WfSceneNode* node,
                               WeftSceneWear* wear) {
    StartSpec spec = {.wear = wear, .stretch = 1, .open_seam = -1};
    WeftResult result = wf_scene_read(reader, node, &garment_table, &spec);
    if (!result) result = put_on(reader, node, &spec);
    wf_free(&reader->scene->allocator, spec.holds);
    wf_free(&reader->scene->allocator, spec.positions);
    return result;
}

static WeftResult read_start_version(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)target;
    if (json_is_integer(node->value) && json_integer_value(node->value) == 1) return WEFT_OK;
    return wf_scene_fail(reader, node, "\"weft_start\" must be 1, the version of the format");
}

static WeftResult read_garments(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count != (size_t)scene->wear_count)
        return wf_scene_fail(reader, node, "this is a start of %zu garments, the scene has %d",
                             count, scene->wear_count);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_garment(reader, &item, &scene->wears[i]);
    }
    return result;
}

static const WfSceneKey start_keys[] = {
    WF_ROW_REQUIRED("weft_start", read_start_version),
    WF_ROW_REQUIRED("garments", read_garments),
};
static const WfSceneTable start_table = {
    .name = "start",
    .key_count = WF_KEY_COUNT_OF(start_keys),
    .keys = start_keys,
    .target_size = sizeof(WeftScene),
};

static WeftResult read_file(WfSceneReader* reader, const char* path) {
    WeftScene* scene = reader->scene;
    json_t* root;
    char* text = NULL;
    size_t length = 0;
    WeftResult result = wf_read_file(path, &scene->allocator, &text, &length, reader->error);
    const char* begin = text;
    if (!result) result = wf_parse_json(&begin, length, path, &root, reader->error);
    if (!result) {
        WfSceneNode top = {.value = root};
        WfSceneReader own = {
            .text = begin, .file = path, .top = &top, .scene = scene, .error = reader->error};
        result = wf_scene_read(&own, &top, &start_table, scene);
        json_decref(root);
    }
    wf_free(&scene->allocator, text);
    return result;
}

WeftResult wf_scene_read_start(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WeftScene* scene = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_STRING);
    if (result) return result;
    if (scene->wear_count == 0)
        return wf_scene_fail(reader, node, "there is no garment in this scene that could start so");
    char* path = wf_scene_file_path(reader, json_string_value(node->value));
    if (!path) return wf_fail_memory(reader->error);
    result = read_file(reader, path);
    wf_free(&scene->allocator, path);
    if (result == WEFT_ERROR_FILE || result == WEFT_ERROR_INPUT)
        return wf_scene_fail_prefix(reader, node, result);
    if (!result) scene->dressed = true;
    return result;
}
