// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "scales": factors on stretch, bending and density, for the whole cloth, by regions of its flat
// shape, or vertex by vertex from a file.

#include <string.h>

#include "base/memory.h"
#include "io/number.h"
#include "io/scene_parts.h"

static const WfSceneKey factor_range = {.low = 1e-6, .high = 1e6};

// ---------------------------------------------------------------------------------------------
// Regions

typedef struct Region {
    double box[4];  // u, v of two opposite corners
    double factor, blend;
} Region;

static WeftResult read_box(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    return wf_scene_numbers(reader, node, 4, ((Region*)target)->box);
}

static void region_defaults(void* target) { *(Region*)target = (Region){.factor = 1}; }

static const WfSceneKey region_keys[] = {
    WF_ROW_REQUIRED("box", read_box),
    {.name = "factor",
     .type = WF_KEY_NUMBER,
     .offset = offsetof(Region, factor),
     .low = 1e-6,
     .high = 1e6,
     .required = true},
    WF_ROW_NUMBER(Region, blend, 0, 1000, "m"),
};

const WfSceneTable wf_scene_region_table = {
    .name = "region",
    .key_count = WF_KEY_COUNT_OF(region_keys),
    .keys = region_keys,
    .target_size = sizeof(Region),
    .set_defaults = region_defaults,
};

#define ROUNDING 1e-9  // m: what is nearer to the edge of a region is inside
#define ALIKE 0.05     // relative: by so much factors between vertices may differ, and be the same

// How far `x` is outside of the range between a and b.
static double outside(double x, double a, double b) {
    return fmax(fmax(fmin(a, b) - x, x - fmax(a, b)), 0);
}

// The whole factor inside, none from `blend` outside on, straight in between.
static double factor_at(const Region* region, const double point[2]) {
    double du = outside(point[0], region->box[0], region->box[2]);
    double dv = outside(point[1], region->box[1], region->box[3]);
    double distance = wf_flat_length(du, dv);
    double part = distance <= ROUNDING       ? 1
                  : distance < region->blend ? 1 - distance / region->blend
                                             : 0;
    return 1 + part * (region->factor - 1);
}

// The mean of three points of the flat shape.
static double factor_in(const Region* region, const WeftMesh* mesh, const WfGivenSpot* spot) {
    const int* points = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    double at[2] = {0, 0};
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 2; a++)
            at[a] += spot->w[k] * mesh->material[2 * (size_t)points[3 * spot->triangle + k] + a];
    return factor_at(region, at);
}

// A vertex on a seam has several flat points, and the mean of their factors.
static WeftResult apply_region(WfSceneReader* reader, const Region* region,
                               const WfGivenSpot* spots, double* scale) {
    const WeftMesh* mesh = wf_scene_given(reader);
    const int* points = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    double* sums =
        wf_alloc(&reader->scene->allocator, 2 * (size_t)mesh->vertex_count, sizeof *sums);
    if (!sums) return wf_fail_memory(reader->error);
    for (int c = 0; c < 3 * mesh->triangle_count; c++) {
        size_t vertex = (size_t)mesh->triangles[c];
        sums[2 * vertex] += factor_at(region, mesh->material + 2 * (size_t)points[c]);
        sums[2 * vertex + 1] += 1;
    }
    for (int i = 0; i < reader->mesh->vertex_count; i++) {
        long vertex = spots ? spots[i].vertex : i;
        if (vertex < 0)
            scale[i] *= factor_in(region, mesh, &spots[i]);
        else if (sums[2 * vertex + 1] > 0)
            scale[i] *= sums[2 * vertex] / sums[2 * vertex + 1];
    }
    wf_free(&reader->scene->allocator, sums);
    return WEFT_OK;
}

static WeftResult read_regions(WfSceneReader* reader, const WfSceneNode* node,
                               const WfGivenSpot* spots, double* scale) {
    WeftResult result = WEFT_OK;
    if (!reader->mesh->material)
        return wf_scene_fail(reader, node,
                             "this mesh has no flat shape; use a number or a file here");
    for (size_t i = 0; i < json_array_size(node->value) && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        Region region;
        result = wf_scene_read(reader, &item, &wf_scene_region_table, &region);
        if (!result) result = apply_region(reader, &region, spots, scale);
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Files: a number per line, a line per vertex

static WeftResult fail_line(WfSceneReader* reader, const char* path, int line, const char* words) {
    return wf_fail(reader->error, WEFT_ERROR_INPUT, "%s:%d:1: %s", path, line, words);
}

static WeftResult parse_file(WfSceneReader* reader, const char* path, const char* text,
                             size_t length, double* scale) {
    int count = 0, line = 1;
    for (const char *at = text, *end = text + length; at < end; line++) {
        const char* newline = memchr(at, '\n', (size_t)(end - at));
        const char* stop = newline ? newline : end;
        double factor = 1;
        size_t used = wf_parse_number(at, (size_t)(stop - at), &factor);
        const char* rest = at + used;
        while (rest < stop && (*rest == ' ' || *rest == '\t' || *rest == '\r')) rest++;
        if (used == 0 || rest != stop) return fail_line(reader, path, line, "one number is due");
        if (!(factor >= factor_range.low && factor <= factor_range.high))
            return fail_line(reader, path, line, "a factor must be 1e-6 to 1e6");
        scale[reader->named ? reader->named[count] : count] = factor;
        at = newline ? newline + 1 : end;
        if (++count == reader->named_count && at < end)
            return fail_line(reader, path, line + 1, "there are more lines than vertices");
    }
    if (count < reader->named_count)
        return fail_line(reader, path, line, "there are fewer lines than vertices");
    return WEFT_OK;
}

// From the factors of the given mesh.
static void carry_factors(const WfSceneReader* reader, const WfGivenSpot* spots,
                          const double* given, double* scale) {
    const int* triangles = wf_scene_given(reader)->triangles;
    for (int i = 0; i < reader->mesh->vertex_count; i++) {
        scale[i] = spots[i].vertex >= 0 ? given[spots[i].vertex] : 0;
        for (int k = 0; k < 3 && spots[i].vertex < 0; k++)
            scale[i] += spots[i].w[k] * given[triangles[3 * (long)spots[i].triangle + k]];
    }
}

static WeftResult read_file(WfSceneReader* reader, const WfSceneNode* node,
                            const WfGivenSpot* spots, double* scale) {
    const WeftAllocator* allocator = &reader->scene->allocator;
    char *text = NULL, *path = wf_scene_file_path(reader, json_string_value(node->value));
    double* given =
        spots ? wf_alloc(allocator, (size_t)reader->given.vertex_count, sizeof *given) : scale;
    size_t length = 0;
    WeftResult result = path && given ? wf_read_file(path, allocator, &text, &length, reader->error)
                                      : wf_fail_memory(reader->error);
    if (result == WEFT_ERROR_FILE) result = wf_scene_fail_prefix(reader, node, result);
    if (!result) result = parse_file(reader, path, text, length, given);
    if (!result && spots) carry_factors(reader, spots, given, scale);
    if (spots) wf_free(allocator, given);
    wf_free(allocator, text);
    wf_free(allocator, path);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Scales

// Between vertices the two sides of a mesh that was split know factors as well as triangles do:
// what differs no more than that is the same on both.
static void even_factors(const WfSceneReader* reader, const WfGivenSpot* spots, double* scale) {
    for (int i = 0; i < reader->mesh->vertex_count; i++) {
        double image = scale[reader->mesh->images[i]];
        if (reader->mesh->images[i] > i || spots[i].vertex >= 0) continue;
        if (fabs(scale[i] - image) <= ALIKE * fmax(scale[i], image)) scale[i] = image;
    }
}

static WeftResult fill_scale(WfSceneReader* reader, const WfSceneNode* node, double* scale) {
    WfGivenSpot* spots;
    WeftResult result = wf_scene_find_given(reader, &spots);
    if (!result)
        result = json_is_array(node->value) ? read_regions(reader, node, spots, scale)
                                            : read_file(reader, node, spots, scale);
    if (!result && spots) even_factors(reader, spots, scale);
    wf_free(&reader->scene->allocator, spots);
    return result;
}

static WeftResult read_scale(WfSceneReader* reader, const WfSceneNode* node, const double** kept) {
    double all = 1;
    if (json_is_number(node->value)) {
        WeftResult result = wf_scene_number(reader, node, &factor_range, &all);
        if (result) return result;
    } else if (!json_is_array(node->value) && !json_is_string(node->value)) {
        return wf_scene_fail(reader, node,
                             "\"%s\" must be a number, a list of regions or the name of a file",
                             node->key);
    }
    double* scale =
        wf_alloc(&reader->scene->allocator, (size_t)reader->mesh->vertex_count, sizeof *scale);
    if (!scale) return wf_fail_memory(reader->error);
    *kept = scale;
    for (int i = 0; i < reader->mesh->vertex_count; i++) scale[i] = all;
    return json_is_number(node->value) ? WEFT_OK : fill_scale(reader, node, scale);
}

static WeftResult read_stretch(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_scale(reader, node, &((WeftClothDef*)cloth)->stretch_scale);
}
static WeftResult read_bend(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_scale(reader, node, &((WeftClothDef*)cloth)->bend_scale);
}
static WeftResult read_density(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return read_scale(reader, node, &((WeftClothDef*)cloth)->density_scale);
}

static const WfSceneKey scales_keys[] = {
    WF_ROW_OWN("stretch", read_stretch),
    WF_ROW_OWN("bend", read_bend),
    WF_ROW_OWN("density", read_density),
};

const WfSceneTable wf_scene_scales_table = {
    .name = "scales",
    .key_count = WF_KEY_COUNT_OF(scales_keys),
    .keys = scales_keys,
    .target_size = sizeof(WeftClothDef),
};

WeftResult wf_scene_read_scales(WfSceneReader* reader, const WfSceneNode* node, void* cloth) {
    return wf_scene_read(reader, node, &wf_scene_scales_table, cloth);
}

void wf_scene_free_scales(const WeftAllocator* allocator, const WeftClothDef* cloth) {
    wf_free(allocator, (void*)cloth->stretch_scale);
    wf_free(allocator, (void*)cloth->bend_scale);
    wf_free(allocator, (void*)cloth->density_scale);
}
