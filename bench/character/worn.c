// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Garments on the walking mannequin. Their skin goes along with the body: each vertex with the
// point of it that is nearest where the walk starts, at the height that it has there; and how far
// that carries it is smoothed over the garment. (Without, the skin of a skirt is torn between the
// legs, each of which takes a half of it along.)

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../garments/files.h"
#include "../garments/fitting.h"
#include "character.h"
#include "nearest.h"
#include "three.h"

enum { FRAMES = 120 };
static const double DISTANCE = 0.3;       // m, that the hem may get away,
static const double SLOPE = 0.5;          // and per metre below the top that it is held at
static const double BEHIND = 2e-3;        // m, above the body, that backstops end,
static const double LEAST_BEHIND = 0.02;  // and from the skin
static const double BACKSTOP = 0.1;       // m, their radius

struct Worn {
    Wearer wearer;
    WeftPattern pattern;
    Fitting fitting;
    bool leashed;
    WeftBodyPoint* points;
    double *shape, *distance, *radius, *behind;
    double *bind, *sums;  // where points of the body are at the start; scratch
};

static void find_point(const WeftFigure* figure, const double* shape, const double* p,
                       WeftBodyPoint* point) {
    double least = HUGE_VAL, w[3];
    for (int t = 0; t < figure->triangle_count; t++) {
        const int* v = figure->triangles + 3 * (size_t)t;
        const double* a = shape + 3 * (size_t)v[0];
        double reach = sqrt(least) + 0.1;  // no side is longer
        if (fabs(a[0] - p[0]) > reach || fabs(a[1] - p[1]) > reach) continue;
        double square = nearest_in(p, a, shape + 3 * (size_t)v[1], shape + 3 * (size_t)v[2], w);
        if (square >= least) continue;
        least = square;
        point->triangle = t;
        memcpy(point->weights, w, sizeof w);
    }
    point->lift = sqrt(least);
}

// The mean of each vertex and its neighbours, once.
static void smooth(const WeftModel* model, double* from, double* sums) {
    int n = weft_vertex_count(model), edges = weft_edge_count(model);
    const int* ends = weft_edges(model);
    for (long k = 0; k < 3L * n; k++) sums[4 * (k / 3) + k % 3] = from[k];
    for (int i = 0; i < n; i++) sums[4 * (size_t)i + 3] = 1;
    for (int e = 0; e < edges; e++)
        for (int k = 0; k < 2; k++) {
            size_t to = (size_t)ends[2 * e + k], other = (size_t)ends[2 * e + 1 - k];
            for (size_t d = 0; d < 3; d++) sums[4 * to + d] += from[3 * other + d];
            sums[4 * to + 3]++;
        }
    for (long k = 0; k < 3L * n; k++) from[k] = sums[4 * (k / 3) + k % 3] / sums[4 * (k / 3) + 3];
}

enum { SMOOTHINGS = 200 };

// The skin, for a pose of the body.
static void find_skin(const Worn* worn, const WeftModel* model, double* skin) {
    const double* start = worn->fitting.outfit.worn[0].garment.mesh.positions;
    int n = weft_vertex_count(model);
    for (int i = 0; i < n; i++)
        weft_follow_body(&worn->points[i], worn->shape, worn->wearer.figure.triangles,
                         skin + 3 * (size_t)i);
    for (long k = 0; k < 3L * n; k++) skin[k] -= worn->bind[k];
    for (int k = 0; k < SMOOTHINGS; k++) smooth(model, skin, worn->sums);
    for (long k = 0; k < 3L * n; k++) skin[k] += start[k];
}

// Held at the top; from there on down it may leave its skin more and more, towards the body until
// it is nearly there.
static void fill_maps(Worn* worn, const WeftMesh* mesh) {
    double top = -HUGE_VAL;
    int n = mesh->vertex_count;
    for (int i = 0; i < n; i++) top = fmax(top, mesh->positions[3 * (size_t)i + 1]);
    for (int i = 0; i < n; i++) {
        const double* x = mesh->positions + 3 * (size_t)i;
        worn->points[i].vertex = i;
        find_point(&worn->wearer.figure, worn->shape, x, &worn->points[i]);
        worn->distance[i] = fmin(DISTANCE, 0.01 + SLOPE * (top - x[1]));
        worn->radius[i] = BACKSTOP;
        worn->behind[i] = fmax(worn->points[i].lift - BEHIND, LEAST_BEHIND);
        weft_follow_body(&worn->points[i], worn->shape, worn->wearer.figure.triangles,
                         worn->bind + 3 * (size_t)i);
    }
}

static WeftResult move_garment(Character* c, WeftError* error) {
    Worn* worn = c->scene;
    const WeftFigure* figure = &worn->wearer.figure;
    const WeftWorn* outfit = &worn->fitting.outfit.worn[0];
    WeftResult result =
        weft_pose_figure(figure, worn->wearer.clip, c->frame * c->step.dt, worn->shape, error);
    if (result) return result;
    weft_deform_body(c->state, 0, worn->shape);
    for (int i = 0; i < outfit->hold_count; i++) {
        double place[3];
        weft_follow_body(&outfit->holds[i], worn->shape, figure->triangles, place);
        weft_move_pin(c->state, outfit->holds[i].vertex, place);
    }
    if (!worn->leashed) return result;
    find_skin(worn, c->model, c->skin);
    weft_move_skin(c->state, 0, c->skin, NULL);
    return result;
}

static int dress(const char* name, int vertices, const BenchOptions* options, Worn* worn) {
    char path[FILE_SIZE];
    WeftError error;
    WeftMannequinDef body = weft_default_mannequin_def(WEFT_MANNEQUIN_FEMALE);
    BenchOptions own = *options;
    FileList* list = need(1, sizeof *list);
    own.only = name;
    int code = list_garments(&own, list);
    if (!code) code = make_wearer(&body, "female", &worn->wearer);
    if (!code) file_path(list, 0, ".json", path);
    free(list);
    if (code) return code;
    if (load_pattern_for(&worn->wearer, path, &worn->pattern, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    FittingDef fitting = {.wearer = &worn->wearer,
                          .pattern = &worn->pattern,
                          .edge = edge_for(&worn->pattern, vertices),
                          .threads = 1,
                          .clock = thread_time};
    code = find_preset("wool_tropical", &fitting.fabric);
    if (!code && open_fitting(&fitting, &worn->fitting))
        code = complain(EXIT_FAILED, "%s: %s", name, worn->fitting.error.message);
    return code;
}

// Maps, where the walk starts.
static int ready_maps(Worn* worn) {
    const WeftFigure* figure = &worn->wearer.figure;
    const WeftMesh* mesh = &worn->fitting.outfit.worn[0].garment.mesh;
    size_t n = (size_t)mesh->vertex_count;
    WeftError error;
    worn->shape = need(3 * (size_t)figure->vertex_count, sizeof(double));
    worn->points = need(n, sizeof *worn->points);
    worn->distance = need(n, sizeof(double));
    worn->radius = need(n, sizeof(double));
    worn->behind = need(n, sizeof(double));
    worn->bind = need(3 * n, sizeof(double));
    worn->sums = need(4 * n, sizeof(double));
    if (weft_pose_figure(figure, worn->wearer.clip, 0, worn->shape, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    fill_maps(worn, mesh);
    return EXIT_GOOD;
}

void take_off_garment(Worn* worn) {
    if (!worn) return;
    close_fitting(&worn->fitting);
    weft_destroy_pattern(&worn->pattern);
    destroy_wearer(&worn->wearer);
    free(worn->points), free(worn->shape), free(worn->distance), free(worn->radius);
    free(worn->behind), free(worn->bind), free(worn->sums), free(worn);
}

Worn* put_on_garment(const char* name, int vertices, const BenchOptions* options) {
    Worn* worn = need(1, sizeof *worn);
    if (!dress(name, vertices, options, worn) && !ready_maps(worn)) return worn;
    take_off_garment(worn);
    return NULL;
}

// Of the body on the whole, when it starts to walk. Leaves it where it starts.
static WeftResult find_speed(Worn* worn, double velocity[3], WeftError* error) {
    static const double dt = 1.0 / 60;
    int n = worn->wearer.figure.vertex_count;
    double sums[2][3] = {{0}};
    WeftResult result = WEFT_OK;
    for (int k = 1; k >= 0 && !result; k--) {
        result =
            weft_pose_figure(&worn->wearer.figure, worn->wearer.clip, k * dt, worn->shape, error);
        for (long i = 0; i < 3L * n; i++) sums[k][i % 3] += worn->shape[i] / n;
    }
    for (int i = 0; i < 3; i++) velocity[i] = (sums[1][i] - sums[0][i]) / dt;
    return result;
}

static int make_garment(const CharacterDef* def, Character* c) {
    Worn* worn = c->scene;
    const WeftFigure* figure = &worn->wearer.figure;
    const WeftWorn* outfit = &worn->fitting.outfit.worn[0];
    const WeftMesh* mesh = &outfit->garment.mesh;
    WeftError error;
    WeftClothDef cloth = weft_default_cloth_def();
    if (find_speed(worn, cloth.velocity, &error)) return complain(EXIT_FAILED, "%s", error.message);
    int* pins = need((size_t)outfit->hold_count + 1, sizeof *pins);
    for (int i = 0; i < outfit->hold_count; i++) pins[i] = outfit->holds[i].vertex;
    weft_use_mesh(&cloth, mesh);
    cloth.fabric = weft_garment_fabric(&worn->fitting.def.fabric, worn->fitting.def.edge);
    cloth.stretch = WEFT_STRETCH_TRIANGLES;
    cloth.pins = pins, cloth.pin_count = outfit->hold_count;
    if (def->leashed) {
        cloth.max_distance = worn->distance;
        cloth.backstop_radius = worn->radius, cloth.backstop_distance = worn->behind;
    }
    WeftBodyDef body = weft_default_body_def();
    body.kind = WEFT_BODY_MESH;
    body.vertex_count = figure->vertex_count, body.positions = worn->shape;
    body.triangle_count = figure->triangle_count, body.triangles = figure->triangles;
    WeftModelDef model = weft_default_model_def();
    model.cloths = &cloth, model.cloth_count = 1;
    model.bodies = &body, model.body_count = 1;
    int code = ready_character(def, &model, c);
    free(pins);
    return code;
}

int open_garment(const CharacterDef* def, Worn* worn, Character* c) {
    *c = (Character){.frame_count = FRAMES, .move = move_garment, .scene = worn};
    worn->leashed = def->leashed;
    return make_garment(def, c);
}
