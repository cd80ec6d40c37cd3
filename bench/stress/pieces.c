// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The cloth of a stress scene: shapes, where they lie, what they are made of, where they are held.

#include <string.h>

#include "scene.h"
#include "shape.h"
#include "turn.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

static const char* const placement_names[PLACEMENT_COUNT] = {
    "freely", "in layers", "in one plane", "on a lattice", "coincident", "on a line", "on a point"};

static const char* const pin_motion_names[PIN_MOTION_COUNT] = {"hold", "move", "jump",
                                                               "turn by 180 degrees"};

// ---------------------------------------------------------------------------------------------
// Places

static void move_mesh(WeftMesh* mesh, const double rotation[4], const double offset[3]) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* p = mesh->positions + 3 * (size_t)i;
        turn_point(rotation, p, p);
        for (int k = 0; k < 3; k++) p[k] += offset[k];
    }
}

// Onto the x axis, or the origin. The flat shape stays as it is.
static void collapse(WeftMesh* mesh, bool to_point) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* p = mesh->positions + 3 * (size_t)i;
        p[0] = to_point ? 0 : p[0];
        p[1] = p[2] = 0;
    }
}

// By multiples of half a cell of the first piece, in its plane: vertices on vertices and edges.
static void lattice_offset(StressScene* scene, double offset[3]) {
    const WeftMesh* first = &scene->meshes[0];
    double dx = first->positions[3] - first->positions[0];
    double dz = first->positions[5] - first->positions[2];
    double cell = sqrt(dx * dx + dz * dz);
    offset[0] = 0.5 * cell * (pick(&scene->chance, 9) - 4);
    offset[2] = 0.5 * cell * (pick(&scene->chance, 9) - 4);
    if (happens(&scene->chance, 0.2)) offset[1] = cell * (pick(&scene->chance, 3) - 1);
}

static void place_piece(StressScene* scene, int piece) {
    static const double quarter = 0.41421356237309503;  // tan(pi / 8)
    Chance* chance = &scene->chance;
    WeftMesh* mesh = &scene->meshes[piece];
    double rotation[4] = {0, 0, 0, 1}, offset[3] = {0}, up[3] = {0, 1, 0};
    switch (scene->placement) {
        case PLACE_FREELY:
            any_rotation(chance, rotation);
            in_ball(chance, 3, offset);
            for (int k = 0; k < 3; k++) offset[k] *= scene->size;
            break;
        case PLACE_APART:
            turn_about(up, between(chance, -1, 1), rotation);
            offset[1] = piece * scene->size * 1.2;
            break;
        case PLACE_IN_PLANE:
            turn_about(up, between(chance, -1, 1), rotation);
            offset[0] = scene->size * between(chance, -0.7, 0.7);
            offset[2] = scene->size * between(chance, -0.7, 0.7);
            break;
        case PLACE_ON_LATTICE:
            if (happens(chance, 0.3)) turn_about(up, happens(chance, 0.5) ? 1 : quarter, rotation);
            if (piece > 0) lattice_offset(scene, offset);
            break;
        case PLACE_ON_LINE:
        case PLACE_ON_POINT:
            collapse(mesh, scene->placement == PLACE_ON_POINT);
            if (happens(chance, 0.3)) any_rotation(chance, rotation);
            break;
        default:;
    }
    move_mesh(mesh, rotation, offset);
}

// All in another plane than y = 0, which rounds.
static void tilt(StressScene* scene) {
    double rotation[4], offset[3] = {0};
    any_rotation(&scene->chance, rotation);
    for (int i = 0; i < scene->piece_count; i++) move_mesh(&scene->meshes[i], rotation, offset);
    describe(scene, "tilted; ");
}

// ---------------------------------------------------------------------------------------------
// Fabric

static void choose_fabric(StressScene* scene, WeftFabric* fabric) {
    Chance* chance = &scene->chance;
    if (happens(chance, 0.3)) {
        int count = 0;
        while (weft_fabric_preset(count)) count++;
        *fabric = weft_fabric_preset(pick(chance, count))->fabric;
    }
    fabric->thickness = octaves(chance, 1e-4, fmin(0.02, fmax(2e-4, 0.1 * scene->size)));
    if (happens(chance, 0.05)) fabric->thickness = 0.02;
    fabric->friction = happens(chance, 0.2) ? 0 : between(chance, 0, 2);
    if (happens(chance, 0.3)) fabric->stretch_damping = octaves(chance, 1e-4, 1e-2);
    if (happens(chance, 0.3)) fabric->bend_damping = octaves(chance, 1e-4, 1e-2);
    if (scene->def.step.method == WEFT_METHOD_SYMPLECTIC) {  // fewer substeps, shorter runs
        fabric->stretch_damping = fabric->bend_damping = 0;
        fabric->stretch_warp = fabric->stretch_weft = 20;
        fabric->shear = 5;
    }
}

static void choose_models(StressScene* scene, ShapeKind kind, bool woven, WeftClothDef* cloth) {
    static const WeftStretch constant[] = {WEFT_STRETCH_SPRINGS, WEFT_STRETCH_TRIANGLES,
                                           WEFT_STRETCH_ONE_SIDED};
    static const WeftStretch all[] = {WEFT_STRETCH_SPRINGS,   WEFT_STRETCH_TRIANGLES,
                                      WEFT_STRETCH_ONE_SIDED, WEFT_STRETCH_BIQUADRATIC,
                                      WEFT_STRETCH_QUADRATIC, WEFT_STRETCH_CAUCHY};
    Chance* chance = &scene->chance;
    WeftMethod method = scene->def.step.method;
    cloth->stretch = method == WEFT_METHOD_PREFACTORED   ? constant[pick(chance, 3)]
                     : method == WEFT_METHOD_MATRIX_FREE ? WEFT_STRETCH_SPRINGS
                                                         : all[pick(chance, 6)];
    if (woven && happens(chance, 0.5)) cloth->stretch = WEFT_STRETCH_THREADS;
    if (happens(chance, 0.3)) cloth->bend = (WeftBend)pick(chance, 3);
    if (happens(chance, 0.2)) cloth->bend_by = WEFT_BEND_BY_SPRINGS;
    bool linear = cloth->stretch <= WEFT_STRETCH_TRIANGLES && method != WEFT_METHOD_SYMPLECTIC;
    if (linear && happens(chance, 0.15))
        weft_set_estimator(cloth, (WeftEstimator)(1 + pick(chance, 3)), 1 + pick(chance, 2));
    if (happens(chance, 0.15)) cloth->stretch_limit = between(chance, 1.01, 1.3);
    if (happens(chance, 0.15)) cloth->tethers = true;
    if (kind == SHAPE_SOUP || kind == SHAPE_TUBE || kind == SHAPE_BALL)
        cloth->material = NULL, cloth->material_count = 0;
}

static void choose_pins(StressScene* scene, int piece, WeftClothDef* cloth) {
    Chance* chance = &scene->chance;
    int count = happens(chance, 0.4) ? 1 + pick(chance, MOST_PINS - 1) : 0;
    if (count > cloth->vertex_count / 2) count = cloth->vertex_count / 2;
    int first = happens(chance, 0.5) ? 0 : pick(chance, cloth->vertex_count - count + 1);
    int apart = happens(chance, 0.5) ? 1 : (cloth->vertex_count - first) / (count + 1);
    if (apart < 1) apart = 1;
    for (int i = 0; i < count; i++) scene->pins[piece][i] = first + i * apart;
    cloth->pins = scene->pins[piece];
    cloth->pin_count = count;
}

// ---------------------------------------------------------------------------------------------
// Pieces

// Mostly few: what breaks breaks with few vertices as well, and more runs fit into the time.
static int choose_vertex_count(Chance* chance) {
    double which = between(chance, 0, 1);
    return which < 0.5     ? 4 + pick(chance, 25)
           : which < 0.95  ? 16 + pick(chance, 80)
           : which < 0.997 ? 100 + pick(chance, 200)
                           : 1500;
}

static ShapeKind choose_kind(StressScene* scene) {
    bool flat = scene->placement == PLACE_ON_LATTICE || scene->placement == PLACE_ON_LINE ||
                scene->placement == PLACE_ON_POINT;
    if (happens(&scene->chance, 0.4)) return SHAPE_GRID;
    return (ShapeKind)pick(&scene->chance, flat ? SHAPE_ROPE : SHAPE_COUNT);
}

static WeftResult add_piece(StressScene* scene, int piece, WeftError* error) {
    Chance* chance = &scene->chance;
    WeftGridKind grid_kind = WEFT_GRID_CROSSED;
    ShapeKind kind = choose_kind(scene);
    double size = scene->size * (happens(chance, 0.5) ? 1 : between(chance, 0.3, 1.5));
    Chance same = {scene->seed * 31};  // coincident pieces are made alike
    bool alike = scene->placement == PLACE_COINCIDENT;
    if (alike) kind = (ShapeKind)pick(&same, SHAPE_SOUP), size = scene->size;
    WeftResult result =
        make_stress_shape(kind, size, choose_vertex_count(alike ? &same : chance),
                          alike ? &same : chance, &scene->meshes[piece], &grid_kind, error);
    if (result) return result;
    WeftClothDef* cloth = &scene->cloths[piece];
    place_piece(scene, piece);
    *cloth = weft_default_cloth_def();
    weft_use_mesh(cloth, &scene->meshes[piece]);
    choose_fabric(scene, &cloth->fabric);
    bool woven = kind == SHAPE_GRID && grid_kind == WEFT_GRID_WOVEN;
    choose_models(scene, kind, woven, cloth);
    choose_pins(scene, piece, cloth);
    describe(scene, "%s", shape_names[kind]);
    if (kind == SHAPE_GRID) describe(scene, " %d", (int)grid_kind);
    describe(scene,
             " of %d vertices, %.3g m, stretch %d, bend %d, thickness %.2g, friction %.2g, "
             "%d pins; ",
             cloth->vertex_count, size, (int)cloth->stretch, (int)cloth->bend,
             cloth->fabric.thickness, cloth->fabric.friction, cloth->pin_count);
    return WEFT_OK;
}

WeftResult add_pieces(StressScene* scene, WeftError* error) {
    static const Placement places[] = {PLACE_FREELY,   PLACE_FREELY,     PLACE_APART,
                                       PLACE_APART,    PLACE_APART,      PLACE_IN_PLANE,
                                       PLACE_IN_PLANE, PLACE_ON_LATTICE, PLACE_COINCIDENT,
                                       PLACE_ON_LINE,  PLACE_ON_POINT};
    Chance* chance = &scene->chance;
    scene->placement = places[pick(chance, sizeof places / sizeof *places)];
    scene->size = octaves(chance, 0.005, 3);
    int count = 1 + pick(chance, happens(chance, 0.5) ? 2 : MOST_PIECES);
    describe(scene, "pieces %s: ", placement_names[scene->placement]);
    for (int i = 0; i < count; i++) {
        WeftResult result = add_piece(scene, i, error);
        if (result) return result;
        scene->piece_count++;
    }
    if (happens(chance, 0.15)) tilt(scene);
    scene->def.cloths = scene->cloths;
    scene->def.cloth_count = scene->piece_count;
    scene->pin_motion = (PinMotion)pick(chance, PIN_MOTION_COUNT);
    any_direction(chance, scene->pin_velocity);
    double speed = octaves(chance, 0.1, 10);
    for (int k = 0; k < 3; k++) scene->pin_velocity[k] *= speed;
    describe(scene, "pins %s", pin_motion_names[scene->pin_motion]);
    return WEFT_OK;
}
