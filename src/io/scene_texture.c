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
//
// The halves of a panel on the fold are one piece of cloth and lie joined, as the panel would that
// was not cut in two: the image where the half is reflected at the fold. Where the fold runs
// neither along the warp nor across it, threads meet there at an angle, and the image lies by
// itself.

#include <math.h>

#include "garment/mirror.h"
#include "garment/pattern.h"
#include "io/scene_parts.h"

static const double ROW_WIDTH = 1.5;       // m: what most fabrics are sold in
static const double GAP = 0.02;            // m, between panels
static const double ALONG = 0.0874886635;  // tan 5 degrees: folds that are nearer to a thread are
                                           // along it
static const double ON_FOLD = 1e-4;        // m: what is nearer to a fold is on it

typedef struct Box {
    double low[2], high[2];
} Box;

typedef struct Table {
    const WeftMesh* mesh;
    const WeftGarment* garment;
    const WeftPattern* pattern;
} Table;

// A panel, and its image where that is joined to it.
typedef struct Piece {
    int panel, image;            // -1: none
    int first, first_image;      // their first points; point i of one is the image of point i
                                 // of the other (garment/sew.c)
    double point[2], normal[2];  // of the fold, on the table before anything is moved
} Piece;

// ---------------------------------------------------------------------------------------------
// Folds

// A material point as it lies on the table, before it is moved.
static void lay_own(const WeftMesh* mesh, int point, double at[2]) {
    const double* material = mesh->material + 2 * (size_t)point;
    at[0] = -material[1], at[1] = material[0];
}

static int first_point(const Table* table, int panel) {
    int i = 0;
    while (i < table->mesh->material_count && table->garment->material_panel[i] != panel) i++;
    return i;
}

// The point of a panel that is nearest to where its pattern has (u, v); -1: it has no points.
static int nearest_point(const Table* table, int panel, const double uv[2]) {
    double least = INFINITY;
    int nearest = -1;
    for (int i = 0; i < table->mesh->material_count; i++) {
        const double* flat = table->garment->material_flat + 2 * (size_t)i;
        double away = wf_flat_length(flat[0] - uv[0], flat[1] - uv[1]);
        if (table->garment->material_panel[i] != panel || !(away < least)) continue;
        least = away, nearest = i;
    }
    return nearest;
}

// The longest straight side on the fold, or -1.
static int find_fold(const WeftPanel* panel) {
    double longest = 0;
    int fold = -1;
    for (int s = 0; s < panel->side_count; s++) {
        const WeftSide* side = &panel->sides[s].curve;
        const double* start = wf_side_start(panel, s);
        double length = wf_flat_length(side->end[0] - start[0], side->end[1] - start[1]);
        bool straight = side->control_count == 0 && side->bulge == 0;
        if (!panel->sides[s].on_fold || !straight || !(length > longest)) continue;
        longest = length, fold = s;
    }
    return fold;
}

// How far from the fold a point of the table is, to its left.
static double height_over(const Piece* piece, const double at[2]) {
    return (at[0] - piece->point[0]) * piece->normal[0] +
           (at[1] - piece->point[1]) * piece->normal[1];
}

// False where the fold is not along a thread.
static bool set_fold(const Table* table, int side, Piece* piece) {
    const WeftPanel* panel = &table->pattern->panels[piece->panel];
    int start = nearest_point(table, piece->panel, wf_side_start(panel, side));
    int end = nearest_point(table, piece->panel, panel->sides[side].curve.end);
    double to[2];
    if (start < 0 || start == end) return false;
    lay_own(table->mesh, start, piece->point);
    lay_own(table->mesh, end, to);
    double x = to[0] - piece->point[0], y = to[1] - piece->point[1], length = wf_flat_length(x, y);
    piece->normal[0] = -y / length, piece->normal[1] = x / length;
    return fmin(fabs(x), fabs(y)) <= ALONG * fmax(fabs(x), fabs(y));
}

// Else it would overlap with its image.
static bool is_beside_fold(const Table* table, const Piece* piece) {
    double low = 0, high = 0;
    for (int i = 0; i < table->mesh->material_count; i++) {
        double at[2];
        if (table->garment->material_panel[i] != piece->panel) continue;
        lay_own(table->mesh, i, at);
        low = fmin(low, height_over(piece, at));
        high = fmax(high, height_over(piece, at));
    }
    return low >= -ON_FOLD || high <= ON_FOLD;
}

// The piece that begins with a panel; an image begins none but its own.
static Piece find_piece(const Table* table, int panel) {
    Piece piece = {.panel = panel, .image = -1};
    if (!wf_is_mirrored(table->pattern) || wf_panel_follows(table->pattern, panel)) return piece;
    int fold = find_fold(&table->pattern->panels[panel]);
    if (fold < 0 || !set_fold(table, fold, &piece) || !is_beside_fold(table, &piece)) return piece;
    piece.image = wf_panel_image(table->pattern, panel);
    piece.first = first_point(table, panel);
    piece.first_image = first_point(table, piece.image);
    return piece;
}

// ---------------------------------------------------------------------------------------------
// Panels

// False where the point is not of the piece.
static bool lay_point(const Table* table, const Piece* piece, int point, double at[2]) {
    int panel = table->garment->material_panel[point];
    if (panel == piece->panel) {
        lay_own(table->mesh, point, at);
        return true;
    }
    if (panel != piece->image) return false;
    lay_own(table->mesh, piece->first + (point - piece->first_image), at);
    double height = height_over(piece, at);
    if (fabs(height) <= ON_FOLD) return true;  // one point of the cloth, to the last bit
    for (int k = 0; k < 2; k++) at[k] -= 2 * height * piece->normal[k];
    return true;
}

static Box find_box(const Table* table, const Piece* piece) {
    Box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < table->mesh->material_count; i++) {
        double at[2];
        if (!lay_point(table, piece, i, at)) continue;
        for (int k = 0; k < 2; k++) {
            box.low[k] = fmin(box.low[k], at[k]);
            box.high[k] = fmax(box.high[k], at[k]);
        }
    }
    return box;
}

static void lay_piece(const Table* table, const Piece* piece, const double offset[2],
                      float* texture) {
    for (int i = 0; i < table->mesh->material_count; i++) {
        double at[2];
        if (!lay_point(table, piece, i, at)) continue;
        for (int k = 0; k < 2; k++) texture[2 * (size_t)i + (size_t)k] = (float)(at[k] + offset[k]);
    }
}

// Whether a panel was laid with the one whose image it is.
static bool is_joined(const Table* table, int panel) {
    return wf_panel_follows(table->pattern, panel) &&
           find_piece(table, wf_panel_image(table->pattern, panel)).image == panel;
}

static void lay_garment(const Table* table, float* texture) {
    double corner[2] = {0, 0}, row_height = 0;
    for (int p = 0; p < table->garment->panel_count; p++) {
        if (is_joined(table, p)) continue;
        Piece piece = find_piece(table, p);
        Box box = find_box(table, &piece);
        if (!(box.low[0] <= box.high[0])) continue;  // no points
        double width = box.high[0] - box.low[0], height = box.high[1] - box.low[1];
        if (corner[0] > 0 && corner[0] + width > ROW_WIDTH) {
            corner[0] = 0, corner[1] += row_height + GAP;
            row_height = 0;
        }
        double offset[2] = {corner[0] - box.low[0], corner[1] - box.low[1]};
        lay_piece(table, &piece, offset, texture);
        corner[0] += width + GAP;
        row_height = fmax(row_height, height);
    }
}

// ---------------------------------------------------------------------------------------------
// Cloths

// Those without a flat shape have one point for all.
static int point_count(const WeftMesh* mesh) { return mesh->material ? mesh->material_count : 1; }

static void lay_cloth(const WeftScene* scene, int cloth, float* texture) {
    const WeftMesh* mesh = &scene->meshes[cloth];
    const WeftSceneWear* wear = wf_scene_find_wear(scene, cloth);
    if (wear && mesh->material) {
        lay_garment(&(Table){mesh, &wear->garment, &wear->pattern}, texture);
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
