// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Texture coordinates of a scene's cloths, in metres.
//
// A cloth of one piece has its material as it is: u along the warp. A garment is laid out as on a
// cutting table: each panel with its warp along v, so that upright stripes of a picture run along
// it, and in a place of its own. Panels lie in rows, in their order, each row beyond the highest of
// the row before:
//
//     v ^   +----+ +-----+
//       |   | 3  | |  4  |
//       |   |    | +-----+
//       |   +----+
//       |   +-----+ +-----+ +--+
//       |   |  0  | |  1  | |2 |
//       |   +-----+ +-----+ +--+
//       +----------------------------> u    up to ROW_WIDTH
//
// With material (u, v) this is (-v, u): a turn by a quarter, no mirror, so that the front of the
// cloth is the front of the picture.

#include <math.h>

#include "io/scene_parts.h"

static const double ROW_WIDTH = 1.5;  // m: what most fabrics are sold in
static const double GAP = 0.02;       // m, between panels

typedef struct Box {
    double low[2], high[2];
} Box;

// A material point as it lies on the table, before it is moved.
static void lay_point(const WeftMesh* mesh, int point, double at[2]) {
    const double* material = mesh->material + 2 * (size_t)point;
    at[0] = -material[1], at[1] = material[0];
}

static Box find_box(const WeftMesh* mesh, const int* point_panel, int panel) {
    Box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < mesh->material_count; i++) {
        double at[2];
        if (point_panel[i] != panel) continue;
        lay_point(mesh, i, at);
        for (int k = 0; k < 2; k++) {
            box.low[k] = fmin(box.low[k], at[k]);
            box.high[k] = fmax(box.high[k], at[k]);
        }
    }
    return box;
}

static void lay_panel(const WeftMesh* mesh, const int* point_panel, int panel,
                      const double offset[2], float* texture) {
    for (int i = 0; i < mesh->material_count; i++) {
        double at[2];
        if (point_panel[i] != panel) continue;
        lay_point(mesh, i, at);
        for (int k = 0; k < 2; k++) texture[2 * (size_t)i + (size_t)k] = (float)(at[k] + offset[k]);
    }
}

static void lay_garment(const WeftMesh* mesh, const WeftGarment* garment, float* texture) {
    const int* point_panel = garment->material_panel;
    double corner[2] = {0, 0}, row_height = 0;
    for (int p = 0; p < garment->panel_count; p++) {
        Box box = find_box(mesh, point_panel, p);
        if (!(box.low[0] <= box.high[0])) continue;  // no points
        double width = box.high[0] - box.low[0], height = box.high[1] - box.low[1];
        if (corner[0] > 0 && corner[0] + width > ROW_WIDTH) {
            corner[0] = 0, corner[1] += row_height + GAP;
            row_height = 0;
        }
        double offset[2] = {corner[0] - box.low[0], corner[1] - box.low[1]};
        lay_panel(mesh, point_panel, p, offset, texture);
        corner[0] += width + GAP;
        row_height = fmax(row_height, height);
    }
}

static const WeftGarment* find_garment(const WeftScene* scene, int cloth) {
    for (int i = 0; i < scene->wear_count; i++)
        if (scene->wears[i].cloth == cloth) return &scene->wears[i].garment;
    return NULL;
}

// Those without a flat shape have one point for all.
static int point_count(const WeftMesh* mesh) { return mesh->material ? mesh->material_count : 1; }

static void lay_cloth(const WeftScene* scene, int cloth, float* texture) {
    const WeftMesh* mesh = &scene->meshes[cloth];
    const WeftGarment* garment = find_garment(scene, cloth);
    if (garment && mesh->material) {
        lay_garment(mesh, garment, texture);
        return;
    }
    for (int i = 0; i < 2 * point_count(mesh); i++)
        texture[i] = mesh->material ? (float)mesh->material[i] : 0;
}

static void name_corners(const WeftMesh* mesh, int first, int* corners) {
    const int* points = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        corners[i] = first + (mesh->material ? points[i] : 0);
}

int weft_scene_material(const WeftScene* scene, float* texture, int* triangle_texture) {
    int count = 0;
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftMesh* mesh = &scene->meshes[c];
        if (texture) lay_cloth(scene, c, texture + 2 * (size_t)count);
        if (triangle_texture) {
            name_corners(mesh, count, triangle_texture);
            triangle_texture += 3 * (size_t)mesh->triangle_count;
        }
        count += point_count(mesh);
    }
    return count;
}

void weft_scene_texture(const WeftScene* scene, float* texture) {
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftMesh* mesh = &scene->meshes[c];
        bool flat = mesh->material && !mesh->triangle_material;
        for (int i = 0; i < 2 * mesh->vertex_count; i++)
            *texture++ = flat ? (float)mesh->material[i] : 0;
    }
}
