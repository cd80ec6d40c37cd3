// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "mesh": made here or read from a file; and "place": where it stands at the start.

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/file.h"
#include "io/scene_parts.h"

// What any kind of mesh may say. Every kind has a table of its own over it.
typedef struct MeshSpec {
    double width, height, edge, radius, length, texture_scale;
    double weld;  // m; negative: by the size of the mesh
    bool keeps;   // "weld": false
    int columns, rows, segments, seed;
    int pattern;  // WeftGridKind
    WfSceneOutline outline;
    char *file, *wearer;
    const WfSceneNode* node;  // the mesh itself
} MeshSpec;

static void mesh_defaults(void* target) {
    WeftGridDef grid = weft_default_grid_def();
    WeftRegularDef regular = weft_default_regular_def();
    MeshSpec* spec = target;
    spec->width = grid.width, spec->height = grid.height;
    spec->columns = grid.columns, spec->rows = grid.rows;
    spec->pattern = (int)grid.kind;
    spec->edge = regular.edge;
    spec->radius = 0.5;
    spec->length = weft_default_rope_def().length;
    spec->segments = weft_default_rope_def().segments;
    spec->seed = (int)weft_default_outline_def().seed;
    spec->texture_scale = 1;
    spec->weld = -1;
}

// ---------------------------------------------------------------------------------------------
// Reading what is not just a number

static WeftResult read_kind(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)reader, (void)node, (void)target;
    return WEFT_OK;  // it chose this table
}

static WeftResult read_sides(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WfSceneNode holes = wf_scene_member(node->parent, "holes");
    return wf_scene_read_outline(reader, node, &holes, &((MeshSpec*)target)->outline);
}

static WeftResult read_holes(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)reader, (void)node, (void)target;
    return WEFT_OK;  // read with the sides
}

static WeftResult read_file_name(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((MeshSpec*)target)->file);
}

static WeftResult read_wearer(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_text(reader, node, &((MeshSpec*)target)->wearer);
}

static WeftResult read_weld(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    MeshSpec* spec = target;
    const WfSceneKey range = {.low = 0, .high = 1, .unit = "m"};
    spec->keeps = json_is_false(node->value);
    if (json_is_boolean(node->value)) return WEFT_OK;
    if (!json_is_number(node->value))
        return wf_scene_fail(reader, node, "\"weld\" must be a distance in metres, true or false");
    return wf_scene_number(reader, node, &range, &spec->weld);
}

// ---------------------------------------------------------------------------------------------
// Kinds

static WeftResult make_grid(WfSceneReader* reader, const MeshSpec* spec) {
    WeftGridDef def = {spec->width, spec->height, spec->columns, spec->rows,
                       (WeftGridKind)spec->pattern};
    return weft_make_grid(&def, &reader->scene->allocator, reader->mesh, reader->error);
}

static WeftResult make_regular(WfSceneReader* reader, const MeshSpec* spec) {
    WeftRegularDef def = {spec->width, spec->height, spec->edge};
    return weft_make_regular(&def, &reader->scene->allocator, reader->mesh, reader->error);
}

static WeftResult make_rectangle(WfSceneReader* reader, const MeshSpec* spec) {
    return weft_make_rectangle(spec->width, spec->height, spec->edge, &reader->scene->allocator,
                               reader->mesh, reader->error);
}

static WeftResult make_disc(WfSceneReader* reader, const MeshSpec* spec) {
    return weft_make_disc(spec->radius, spec->edge, &reader->scene->allocator, reader->mesh,
                          reader->error);
}

static WeftResult make_outline(WfSceneReader* reader, const MeshSpec* spec) {
    WeftOutlineDef def = weft_default_outline_def();
    def.loop_count = spec->outline.loop_count;
    def.loops = spec->outline.loops;
    def.edge = spec->edge;
    def.seed = (uint32_t)spec->seed;
    return weft_make_outline(&def, &reader->scene->allocator, reader->mesh, reader->error);
}

static WeftResult make_rope(WfSceneReader* reader, const MeshSpec* spec) {
    WeftRopeDef def = {spec->length, spec->segments};
    return weft_make_rope(&def, &reader->scene->allocator, reader->mesh, reader->error);
}

static WeftResult make_ball(WfSceneReader* reader, const MeshSpec* spec) {
    WeftBallDef def = {spec->radius, spec->edge};
    return weft_make_ball(&def, &reader->scene->allocator, reader->mesh, reader->error);
}

char* wf_scene_file_path(const WfSceneReader* reader, const char* name) {
    const char* folder = wf_is_absolute(name) || !reader->folder ? "" : reader->folder;
    size_t size = strlen(folder) + strlen(name) + 2;
    char* path = wf_alloc(&reader->scene->allocator, size, 1);
    if (path) snprintf(path, size, "%s%s%s", folder, folder[0] ? "/" : "", name);
    return path;
}

// Numbers of vertices in the scene go on to be those of the file.
static WeftResult weld(WfSceneReader* reader, const MeshSpec* spec) {
    WeftScene* scene = reader->scene;
    WeftWeld* welded = &scene->welds[reader->mesh - scene->meshes];
    reader->named_count = reader->mesh->vertex_count;
    if (spec->keeps) return WEFT_OK;
    reader->named = wf_alloc(&scene->allocator, (size_t)reader->named_count, sizeof(int));
    if (!reader->named) return wf_fail_memory(reader->error);
    return weft_weld_mesh(reader->mesh, spec->weld, reader->named, welded, reader->error);
}

static WeftResult make_from_file(WfSceneReader* reader, const MeshSpec* spec) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    char* path = wf_scene_file_path(reader, spec->file);
    if (!path) return wf_fail_memory(reader->error);
    WeftResult result =
        weft_read_obj(path, spec->texture_scale, allocator, reader->mesh, reader->error);
    wf_free(allocator, path);
    return result ? result : weld(reader, spec);
}

static WeftResult make_garment(WfSceneReader* reader, const MeshSpec* spec) {
    char* path = wf_scene_file_path(reader, spec->file);
    if (!path) return wf_fail_memory(reader->error);
    WeftResult result = wf_scene_make_garment(reader, spec->node, path, spec->wearer, spec->edge);
    wf_free(&reader->scene->allocator, path);
    return result;
}

#define WIDTH WF_ROW_ABOVE(MeshSpec, width, 0, 1000, "m")
#define HEIGHT WF_ROW_ABOVE(MeshSpec, height, 0, 1000, "m")
#define EDGE WF_ROW_ABOVE(MeshSpec, edge, 0, 100, "m")
#define KIND WF_ROW_REQUIRED("kind", read_kind)

static const WfSceneKey grid_keys[] = {
    KIND,
    WIDTH,
    HEIGHT,
    WF_ROW_COUNT(MeshSpec, columns, 1, 2000),
    WF_ROW_COUNT(MeshSpec, rows, 1, 2000),
    WF_ROW_CHOICE(MeshSpec, pattern, "grid"),
};
static const WfSceneKey rectangle_keys[] = {KIND, WIDTH, HEIGHT, EDGE};
static const WfSceneKey disc_keys[] = {KIND, WF_ROW_ABOVE(MeshSpec, radius, 0, 1000, "m"), EDGE};
static const WfSceneKey outline_keys[] = {
    KIND, WF_ROW_REQUIRED("sides", read_sides),     WF_ROW_OWN("holes", read_holes),
    EDGE, WF_ROW_COUNT(MeshSpec, seed, 0, 1000000),
};
static const WfSceneKey rope_keys[] = {
    KIND,
    WF_ROW_ABOVE(MeshSpec, length, 0, 1000, "m"),
    WF_ROW_COUNT(MeshSpec, segments, 1, 100000),
};
static const WfSceneKey file_keys[] = {
    KIND,
    WF_ROW_REQUIRED("file", read_file_name),
    WF_ROW_ABOVE(MeshSpec, texture_scale, 0, 1000, "m"),
    WF_ROW_OWN("weld", read_weld),
};

static const WfSceneKey pattern_keys[] = {
    KIND,
    WF_ROW_REQUIRED("file", read_file_name),
    WF_ROW_OWN("wearer", read_wearer),
    EDGE,
};

#define TABLE(text, rows)                                                        \
    {                                                                            \
        .name = "mesh, " text, .key_count = WF_KEY_COUNT_OF(rows), .keys = rows, \
        .target_size = sizeof(MeshSpec), .set_defaults = mesh_defaults           \
    }

enum { PATTERN = 7, KIND_COUNT = 9 };
static const char* const kind_names[KIND_COUNT] = {
    "grid", "regular", "rectangle", "disc", "outline", "rope", "obj", "pattern", "ball"};
static const WfSceneTable kind_tables[KIND_COUNT] = {
    TABLE("grid", grid_keys), TABLE("regular", rectangle_keys), TABLE("rectangle", rectangle_keys),
    TABLE("disc", disc_keys), TABLE("outline", outline_keys),   TABLE("rope", rope_keys),
    TABLE("obj", file_keys),  TABLE("pattern", pattern_keys),   TABLE("ball", disc_keys),
};
static WeftResult (*const kind_makers[KIND_COUNT])(WfSceneReader*, const MeshSpec*) = {
    make_grid, make_regular,   make_rectangle, make_disc, make_outline,
    make_rope, make_from_file, make_garment,   make_ball,
};

const WfSceneTable* wf_scene_mesh_table(int kind) {
    return kind < KIND_COUNT ? &kind_tables[kind] : NULL;
}

// ---------------------------------------------------------------------------------------------
// Place: scaled, then turned, then moved

static const WfSceneKey turn_keys[] = {
    WF_ROW_POINT(WfStand, axis, NULL),
    WF_ROW_NUMBER(WfStand, degrees, -HUGE_VAL, HUGE_VAL, "degrees"),
};

void wf_scene_default_stand(void* target) {
    *(WfStand*)target = (WfStand){.scale = 1, .axis = {1, 0, 0}};
}

const WfSceneTable wf_scene_turn_table = {
    .name = "turn",
    .key_count = WF_KEY_COUNT_OF(turn_keys),
    .keys = turn_keys,
    .target_size = sizeof(WfStand),
    .set_defaults = wf_scene_default_stand,
};

static WeftResult read_turn(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WfStand turn;
    WeftResult result = wf_scene_read(reader, node, &wf_scene_turn_table, &turn);
    if (result) return result;
    double length = wf_length(wf_load(turn.axis, 0));
    if (!(length > 0) || isinf(length))
        return wf_scene_fail(reader, node, "\"axis\" must have a length");
    WfStand* spec = target;
    for (int i = 0; i < 3; i++) spec->axis[i] = turn.axis[i] / length;
    spec->degrees = turn.degrees;
    return WEFT_OK;
}

static const WfSceneKey place_keys[] = {
    WF_ROW_ABOVE(WfStand, scale, 0, 1e6, NULL),
    WF_ROW_OWN("turn", read_turn),
    WF_ROW_POINT(WfStand, move, "m"),
};

const WfSceneTable wf_scene_place_table = {
    .name = "place",
    .key_count = WF_KEY_COUNT_OF(place_keys),
    .keys = place_keys,
    .target_size = sizeof(WfStand),
    .set_defaults = wf_scene_default_stand,
};

WeftResult wf_scene_read_stand(WfSceneReader* reader, const WfSceneNode* node, WfStand* stand) {
    return wf_scene_read(reader, node, &wf_scene_place_table, stand);
}

static WeftResult read_place(WfSceneReader* reader, const WfSceneNode* node) {
    WfStand spec;
    WeftResult result = wf_scene_read_stand(reader, node, &spec);
    if (result) return result;
    if (wf_scene_place_garment(reader, &spec) && spec.scale != 1)
        return wf_scene_fail(reader, node,
                             "a garment is as large as its pattern: no \"scale\" here");
    WfVec axis = wf_load(spec.axis, 0), move = wf_load(spec.move, 0);
    for (int i = 0; i < reader->mesh->vertex_count; i++) {
        WfVec x = wf_mul(spec.scale, wf_load(reader->mesh->positions, i));
        wf_store(reader->mesh->positions, i, wf_add(wf_scene_turn(x, axis, spec.degrees), move));
    }
    return WEFT_OK;
}

// Meshes are placed as soon as they are made, so that a mirror finds them where they are.
WeftResult wf_scene_read_place(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    (void)reader, (void)node, (void)target;
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// A mesh

WeftResult wf_scene_read_mesh(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    MeshSpec spec = {0};
    int kind = 0;
    WeftResult result = wf_scene_expect(reader, node, JSON_OBJECT);
    if (result) return result;
    WfSceneNode kind_node = wf_scene_member(node, "kind");
    if (!kind_node.value) return wf_scene_fail(reader, node, "\"kind\" is missing here");
    result = wf_scene_word(reader, &kind_node, kind_names, KIND_COUNT, &kind);
    if (result) return result;

    result = wf_scene_read(reader, node, &kind_tables[kind], &spec);
    if (result) goto done;
    spec.node = node;
    result = kind_makers[kind](reader, &spec);
    // what is wrong inside a mesh file has a place there
    if (result == WEFT_ERROR_FILE || (result == WEFT_ERROR_INPUT && !spec.file))
        result = wf_scene_fail_prefix(reader, node, result);
    if (!reader->named) reader->named_count = reader->mesh->vertex_count;
    WfSceneNode place = wf_scene_member(node->parent, "place");
    if (!result && place.value) result = read_place(reader, &place);
    if (!result) result = wf_scene_mirror_mesh(reader, target);
    if (!result) weft_use_mesh(target, reader->mesh);
    if (kind == PATTERN) ((WeftClothDef*)target)->stretch = WEFT_STRETCH_TRIANGLES;
done:
    wf_scene_free_outline(&reader->scene->allocator, &spec.outline);
    wf_free(&reader->scene->allocator, spec.file);
    wf_free(&reader->scene->allocator, spec.wearer);
    return result;
}
