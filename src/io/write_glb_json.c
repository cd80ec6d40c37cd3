// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The JSON of a GLB. Accessors are numbered part by part,
//
//     indices, POSITION, NORMAL, TEXCOORD_0, _VERTEX, targets (POSITION, NORMAL) ..., indices of
//     further materials ..., lines
//
// of which a part may lack those from TEXCOORD_0 on; behind all parts are times and weights.
//
// _VERTEX is the number of a vertex within its part, for those parts in which some are there
// several times. It is a float, because glTF allows no 32-bit integers in attributes of one's own,
// and shorter ones would not be enough.

#include <string.h>

#include "base/assert.h"
#include "io/glb.h"

enum {
    TEXT_SIZE = 1024,       // the JSON takes less, and
    TEXT_SIZE_PART = 1536,  // this much per part,
    TEXT_SIZE_KEY = 440,    // this much per part and key,
    TEXT_SIZE_GROUP = 512,  // this much per material of a part,
    TEXT_SIZE_TARGET = 50,  // and again for each of its keys,
    TEXT_SIZE_MATERIAL = 200,
    TEXT_SIZE_LOOK = 1100 + WF_GLB_LOOK_TEXT,
    TEXT_SIZE_IMAGE = 160,
    NAMES = 4  // and the name of a part at most so often
};

enum { VIEW_INDICES, VIEW_KEYS, VIEW_OTHERS };                           // buffer views
enum { ACCESS_INDICES, ACCESS_POSITION, ACCESS_NORMAL, ACCESS_OTHERS };  // accessors of a part

// Colours as linear light: dusty blue, terracotta, sage, ochre, plum, linen, teal, charcoal. After
// the last comes the first again.
static const char* const colours[] = {
    "0.13,0.26,0.45", "0.45,0.14,0.08", "0.24,0.34,0.2",  "0.55,0.34,0.08",
    "0.24,0.09,0.2",  "0.6,0.51,0.38",  "0.05,0.26,0.26", "0.06,0.065,0.075",
};
#define BODY_COLOUR "0.56,0.5,0.45"  // of mannequins
enum { COLOUR_COUNT = sizeof colours / sizeof colours[0] };

int64_t wf_glb_text_size(const WeftWriter* writer, int64_t keys) {
    int64_t size = TEXT_SIZE;
    for (int p = 0; p < writer->part_count; p++)
        size +=
            TEXT_SIZE_PART + keys * TEXT_SIZE_KEY + NAMES * (int64_t)strlen(writer->parts[p].name);
    for (int m = 0; m < writer->material_count; m++)
        size += TEXT_SIZE_MATERIAL + (int64_t)strlen(writer->materials[m]);
    if (writer->looks)
        size += (int64_t)(writer->part_count + writer->material_count) * TEXT_SIZE_LOOK;
    size += ((const WfGlb*)writer->data)->image_count * (int64_t)TEXT_SIZE_IMAGE;
    size += wf_glb_count_groups(writer) * (TEXT_SIZE_GROUP + keys * TEXT_SIZE_TARGET);
    return (size + 3) / 4 * 4;
}

// ---------------------------------------------------------------------------------------------
// Numbers of things

static bool has_triangles(const WeftWriter* writer, int part) {
    return writer->parts[part].triangle_count > 0;
}
static bool has_lines(const WeftWriter* writer, int part) {
    return part == 0 && writer->line_count > 0;
}

static int texture_accessor(const WfGlbPart* part) { return part->accessor + ACCESS_OTHERS; }
static int number_accessor(const WfGlbPart* part) {
    return texture_accessor(part) + part->textured;
}
// of key 1
static int target_accessor(const WfGlbPart* part) { return number_accessor(part) + part->split; }
// of the second group
static int group_accessor(const WfGlb* glb, int part) {
    int targets = wf_glb_has_targets(glb, part) ? 2 * (glb->keys - 1) : 0;
    return target_accessor(&glb->parts[part]) + targets;
}
// The indices of lines come last, or in the place of triangles.
static int line_accessor(const WeftWriter* writer) {
    const WfGlb* glb = writer->data;
    const WfGlbPart* part = &glb->parts[0];
    return has_triangles(writer, 0) ? group_accessor(glb, 0) + part->group_count - 1
                                    : part->accessor + ACCESS_INDICES;
}

// Gives each part its first accessor, and its groups theirs; returns the number of all of them.
static int number_accessors(WeftWriter* writer) {
    WfGlb* glb = writer->data;
    int next = 0;
    for (int p = 0; p < writer->part_count; p++) {
        WfGlbPart* part = &glb->parts[p];
        part->accessor = next;
        next = group_accessor(glb, p);
        for (int g = 0; g < part->group_count; g++)
            glb->groups[part->first_group + g].accessor =
                g == 0 ? part->accessor + ACCESS_INDICES : next++;
        next += has_triangles(writer, p) && has_lines(writer, p);
    }
    return next;
}

static int texture_view(void) { return VIEW_OTHERS; }
static int number_view(const WfGlb* glb) { return texture_view() + (glb->texture_size > 0); }
static int animation_view(const WfGlb* glb) { return number_view(glb) + (glb->number_size > 0); }
static int image_view(const WfGlb* glb) { return animation_view(glb) + (glb->keys > 1); }

// ---------------------------------------------------------------------------------------------
// Nodes, materials, meshes

static void put_nodes(WeftWriter* writer) {
    wf_put_text(writer, "\"scene\":0,\"scenes\":[{\"nodes\":[");
    for (int p = 0; p < writer->part_count; p++) wf_put_text(writer, "%s%d", p > 0 ? "," : "", p);
    wf_put_text(writer, "]}],\"nodes\":[");
    for (int p = 0; p < writer->part_count; p++)
        wf_put_text(writer, "%s{\"name\":\"%s\",\"mesh\":%d}", p > 0 ? ",\n" : "",
                    writer->parts[p].name, p);
    wf_put_text(writer, "],\n");
}

// Cloth, and bodies that are open, are seen from both sides. look: of the writer's, -1: it is a
// body.
static void put_material(WeftWriter* writer, int look, int number, const char* name,
                         const char* colour) {
    const WfGlbLook* made = look < 0 ? NULL : wf_glb_look(writer, look);
    if (number > 0) wf_put_text(writer, ",\n");
    if (made) {
        wf_put_look_material(writer, name, made);
        return;
    }
    wf_put_text(writer,
                "{\"name\":\"%s\",\"doubleSided\":true,\"pbrMetallicRoughness\":{"
                "\"baseColorFactor\":[%s,1],\"metallicFactor\":0,\"roughnessFactor\":%s}}",
                name, colour, look < 0 ? "0.7" : "0.9");
}

// One for each cloth, then one for all bodies.
static int material_of(const WeftWriter* writer, int part) {
    int number = 0, end = writer->parts[part].body ? writer->part_count : part;
    for (int p = 0; p < end; p++) number += !writer->parts[p].body;
    return number;
}

// Those with names come last.
static int group_material(const WeftWriter* writer, int part, const WfGlbGroup* group) {
    int cloths = 0;
    if (group->material < 0) return material_of(writer, part);
    for (int p = 0; p < writer->part_count; p++) cloths += !writer->parts[p].body;
    return cloths + (cloths < writer->part_count) + group->material;
}

static void put_materials(WeftWriter* writer) {
    int number = 0;
    bool bodies = false;
    wf_put_text(writer, "\"materials\":[");
    for (int p = 0; p < writer->part_count; p++) {
        const WfPart* part = &writer->parts[p];
        bodies = bodies || part->body;
        if (part->body) continue;
        put_material(writer, p, number, part->name, colours[number % COLOUR_COUNT]);
        number++;
    }
    if (bodies) put_material(writer, -1, number, "body", BODY_COLOUR);
    for (int m = 0; m < writer->material_count; m++)
        put_material(writer, writer->part_count + m, number + bodies + m, writer->materials[m],
                     colours[(number + m) % COLOUR_COUNT]);
    wf_put_text(writer, "],\n");
}

// triangles or lines, by the accessor of their indices
static void put_primitive(WeftWriter* writer, int p, int indices, int material, const char* mode) {
    const WfGlb* glb = writer->data;
    const WfGlbPart* part = &glb->parts[p];
    bool moves = wf_glb_has_targets(glb, p);
    int target = target_accessor(part);
    wf_put_text(writer, "{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d",
                part->accessor + ACCESS_POSITION, part->accessor + ACCESS_NORMAL);
    if (part->textured) wf_put_text(writer, ",\"TEXCOORD_0\":%d", texture_accessor(part));
    if (part->split) wf_put_text(writer, ",\"_VERTEX\":%d", number_accessor(part));
    wf_put_text(writer, "},\"indices\":%d,\"material\":%d%s", indices, material, mode);
    for (int k = 1; k < glb->keys && moves; k++, target += 2)
        wf_put_text(writer, "%s{\"POSITION\":%d,\"NORMAL\":%d}", k == 1 ? ",\"targets\":[" : ",",
                    target, target + 1);
    wf_put_text(writer, "%s}", moves ? "]" : "");
}

static void put_meshes(WeftWriter* writer) {
    const WfGlb* glb = writer->data;
    wf_put_text(writer, "\"meshes\":[");
    for (int p = 0; p < writer->part_count; p++) {
        bool triangles = has_triangles(writer, p), lines = has_lines(writer, p);
        wf_put_text(writer, "%s{\"name\":\"%s\",\"primitives\":[", p > 0 ? ",\n" : "",
                    writer->parts[p].name);
        for (int g = 0; g < glb->parts[p].group_count; g++) {
            const WfGlbGroup* group = &glb->groups[glb->parts[p].first_group + g];
            if (g > 0) wf_put_text(writer, ",\n");
            put_primitive(writer, p, group->accessor, group_material(writer, p, group), "");
        }
        if (triangles && lines) wf_put_text(writer, ",\n");
        if (lines)
            put_primitive(writer, p, line_accessor(writer), material_of(writer, p), ",\"mode\":1");
        wf_put_text(writer, "]}");
    }
    wf_put_text(writer, "],\n");
}

static void put_animation(WeftWriter* writer, int times) {
    wf_put_text(writer,
                "\"animations\":[{\"name\":\"simulation\",\"samplers\":[{\"input\":%d,"
                "\"output\":%d,\"interpolation\":\"LINEAR\"}],\"channels\":[",
                times, times + 1);
    for (int p = 0; p < writer->part_count; p++)
        if (wf_glb_has_targets(writer->data, p))
            wf_put_text(writer, "%s{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"weights\"}}",
                        p > 0 ? ",\n" : "", p);
    wf_put_text(writer, "]}],\n");
}

// ---------------------------------------------------------------------------------------------
// Accessors

static void put_numbers(WeftWriter* writer, const char* name, const float* values, int count) {
    wf_put_text(writer, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0) wf_put(writer, ",", 1);
        wf_put_number(writer, values[i]);
    }
    wf_put(writer, "]", 1);
}

static void put_accessor(WeftWriter* writer, int view, uint32_t offset, int type, uint32_t count,
                         const char* shape) {
    wf_put_text(writer,
                "{\"bufferView\":%d,\"byteOffset\":%lu,\"componentType\":%d,\"count\":%lu,"
                "\"type\":\"%s\"",
                view, (unsigned long)offset, type, (unsigned long)count, shape);
}

static void put_index_accessor(WeftWriter* writer, uint32_t offset, int count) {
    int type = wf_glb_short_indices(writer->data) ? WF_GLB_SHORT : WF_GLB_INT;
    put_accessor(writer, VIEW_INDICES, offset, type, (uint32_t)count, "SCALAR");
    wf_put_text(writer, "}");
}

// the positions and normals of one part at one key
static void put_key_accessors(WeftWriter* writer, int p, int key) {
    const WfGlb* glb = writer->data;
    const WfGlbPart* part = &glb->parts[p];
    const WfGlbKey* data = &glb->key_data[key * writer->part_count + p];
    uint32_t count = (uint32_t)part->vertex_count;
    bool still = p > 0 && key > 0 && key < part->moves_from;
    uint32_t at = still ? part->zeros_at : data->at;
    wf_put_text(writer, ",\n");
    put_accessor(writer, VIEW_KEYS, at, WF_GLB_FLOAT, count, "VEC3");
    put_numbers(writer, "min", data->low, 3);
    put_numbers(writer, "max", data->high, 3);
    wf_put_text(writer, "},\n");
    put_accessor(writer, VIEW_KEYS, at + 12 * count, WF_GLB_FLOAT, count, "VEC3");
    wf_put_text(writer, "}");
}

static void put_part_accessors(WeftWriter* writer, int p) {
    const WfGlb* glb = writer->data;
    const WfGlbPart* part = &glb->parts[p];
    uint32_t count = (uint32_t)part->vertex_count;
    bool triangles = has_triangles(writer, p), lines = has_lines(writer, p);
    if (p > 0) wf_put_text(writer, ",\n");
    const WfGlbGroup* groups = glb->groups + part->first_group;
    if (triangles)
        put_index_accessor(writer, groups[0].indices_at, 3 * groups[0].triangle_count);
    else
        put_index_accessor(writer, glb->lines_at, 2 * writer->line_count);
    put_key_accessors(writer, p, 0);
    if (part->textured) {
        wf_put_text(writer, ",\n");
        put_accessor(writer, texture_view(), part->texture_at, WF_GLB_FLOAT, count, "VEC2");
        wf_put_text(writer, "}");
    }
    if (part->split) {
        wf_put_text(writer, ",\n");
        put_accessor(writer, number_view(glb), part->vertices_at, WF_GLB_FLOAT, count, "SCALAR");
        wf_put_text(writer, "}");
    }
    for (int k = 1; k < glb->keys && wf_glb_has_targets(glb, p); k++)
        put_key_accessors(writer, p, k);
    for (int g = 1; g < part->group_count; g++) {
        wf_put_text(writer, ",\n");
        put_index_accessor(writer, groups[g].indices_at, 3 * groups[g].triangle_count);
    }
    if (!triangles || !lines) return;
    wf_put_text(writer, ",\n");
    put_index_accessor(writer, glb->lines_at, 2 * writer->line_count);
}

static void put_accessors(WeftWriter* writer) {
    const WfGlb* glb = writer->data;
    uint32_t keys = (uint32_t)glb->keys;
    wf_put_text(writer, "\"accessors\":[\n");
    for (int p = 0; p < writer->part_count; p++) put_part_accessors(writer, p);
    if (keys > 1) {
        wf_put_text(writer, ",\n");
        put_accessor(writer, animation_view(glb), 0, WF_GLB_FLOAT, keys, "SCALAR");
        put_numbers(writer, "min", glb->times, 1);
        put_numbers(writer, "max", glb->times + keys - 1, 1);
        wf_put_text(writer, "},\n");
        put_accessor(writer, animation_view(glb), 4 * keys, WF_GLB_FLOAT, keys * (keys - 1),
                     "SCALAR");
        wf_put_text(writer, "}");
    }
    wf_put_text(writer, "],\n");
}

// ---------------------------------------------------------------------------------------------
// Buffer views

static void put_view(WeftWriter* writer, uint32_t offset, uint32_t size, const char* more) {
    wf_put_text(writer, "%s{\"buffer\":0,\"byteOffset\":%lu,\"byteLength\":%lu%s}",
                offset > 0 ? ",\n" : "", (unsigned long)offset, (unsigned long)size, more);
}

static void put_views(WeftWriter* writer) {
    const WfGlb* glb = writer->data;
    uint32_t texture_at = glb->index_size, numbers_at = texture_at + glb->texture_size;
    uint32_t keys_at = numbers_at + glb->number_size, animation_at = keys_at + glb->key_size;
    wf_put_text(writer, "\"bufferViews\":[");
    put_view(writer, 0, glb->index_end, ",\"target\":34963");
    put_view(writer, keys_at, glb->key_size, ",\"byteStride\":12,\"target\":34962");
    if (glb->texture_size > 0)
        put_view(writer, texture_at, glb->texture_size, ",\"byteStride\":8,\"target\":34962");
    if (glb->number_size > 0)
        put_view(writer, numbers_at, glb->number_size, ",\"byteStride\":4,\"target\":34962");
    if (glb->keys > 1) put_view(writer, animation_at, wf_glb_animation_size(glb), "");
    uint32_t images_at = animation_at + wf_glb_animation_size(glb);
    for (int i = 0; i < glb->image_count; i++)
        put_view(writer, images_at + glb->images[i].at, glb->images[i].size, "");
    wf_put_text(writer, "],\n\"buffers\":[{\"byteLength\":%lu}]}",
                (unsigned long)wf_glb_data_size(glb));
}

void wf_put_glb_json(WeftWriter* writer) {
    const WfGlb* glb = writer->data;
    int times = number_accessors(writer);
    wf_put_text(writer, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"weft %s\"},\n",
                weft_version());
    wf_put_extensions_used(writer);
    put_nodes(writer);
    put_materials(writer);
    wf_put_textures(writer, image_view(glb));
    put_meshes(writer);
    if (glb->keys > 1) put_animation(writer, times);
    put_accessors(writer);
    put_views(writer);
}
