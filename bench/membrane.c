// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// membrane: what each stretch model makes of Young's modulus and Poisson's ratio, how much the mesh
// changes the shape in which cloth hangs, and what a step costs.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "square.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

static const struct Model {
    const char *name, *ratio;  // of the spread
    WeftStretch stretch;
} models[] = {
    {"biquadratic", "spread_biquadratic", WEFT_STRETCH_BIQUADRATIC},
    {"quadratic", "spread_quadratic", WEFT_STRETCH_QUADRATIC},
    {"triangles", "spread_triangles", WEFT_STRETCH_TRIANGLES},
    {"springs", "spread_springs", WEFT_STRETCH_SPRINGS},
};
enum { MODEL_COUNT = sizeof models / sizeof *models, MEMBRANE_COUNT = 2 };

typedef enum MeshKind { ALTERNATING, ONE_WAY, EQUILATERAL, IRREGULAR, MESH_COUNT } MeshKind;
static const char* const mesh_names[MESH_COUNT] = {"alternating", "one way", "equilateral",
                                                   "irregular"};

// A square metre with about n vertices along each side.
static int make_mesh(MeshKind kind, int n, WeftMesh* mesh) {
    WeftGridDef grid = weft_default_grid_def();
    WeftRegularDef regular = {.width = 1, .height = 1, .edge = 1.0 / (n - 1)};
    WeftError error;
    WeftResult result;
    grid.columns = grid.rows = n - 1;
    grid.kind = kind == ONE_WAY ? WEFT_GRID_ONE_WAY : WEFT_GRID_ALTERNATING;
    if (kind == IRREGULAR)
        result = weft_make_rectangle(1, 1, 1.05 / (n - 1), NULL, mesh, &error);
    else if (kind == EQUILATERAL)
        result = weft_make_regular(&regular, NULL, mesh, &error);
    else
        result = weft_make_grid(&grid, NULL, mesh, &error);
    return result ? complain(EXIT_FAILED, "%s", error.message) : EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Cloth that comes to rest

typedef struct Cloth {
    WeftMesh mesh;
    int* pins;
    WeftClothDef def;
    WeftStepDef step;
    WeftModel* model;
    WeftState* state;
} Cloth;

static void destroy_cloth(Cloth* cloth) {
    weft_destroy_state(cloth->state);
    weft_destroy_model(cloth->model);
    weft_destroy_mesh(&cloth->mesh);
    free(cloth->pins);
}

// Isotropic, air and gravity off, long implicit steps: what moves dies away.
static int make_cloth(MeshKind kind, int n, const struct Model* model, double young, double poisson,
                      Cloth* cloth) {
    *cloth = (Cloth){.def = weft_default_cloth_def(), .step = still_air_step()};
    int code = make_mesh(kind, n, &cloth->mesh);
    if (code) return code;
    weft_use_mesh(&cloth->def, &cloth->mesh);
    weft_set_isotropic(&cloth->def.fabric, young, poisson);
    cloth->def.fabric.density = 0.15;
    cloth->def.stretch = model->stretch;
    cloth->pins = need((size_t)cloth->mesh.vertex_count, sizeof *cloth->pins);
    cloth->def.pins = cloth->pins;
    WeftStepDef* step = &cloth->step;
    step->method = WEFT_METHOD_IMPLICIT;
    step->scheme = WEFT_SCHEME_J;
    step->order = step->substeps = 1;
    step->dt = 1;
    step->newton_steps = 30;
    step->newton_tolerance = 1e-7;
    step->tolerance = 1e-6;
    step->max_iterations = 20000;
    memset(step->gravity, 0, sizeof step->gravity);
    return EXIT_GOOD;
}

static int create_cloth(Cloth* cloth) {
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    def.cloths = &cloth->def;
    def.cloth_count = 1;
    def.contact = WEFT_CONTACT_NONE;
    def.matrices = WEFT_MATRICES_BLOCKS;
    def.step = cloth->step;
    if (weft_create_model(&def, &cloth->model, &error) ||
        weft_create_state(cloth->model, &cloth->state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

// Until nothing moves by more than `still` metres within a step.
static int settle(Cloth* cloth, double still) {
    enum { MOST_STEPS = 200 };
    WeftMeasure measure = {.max_speed = HUGE_VAL};
    for (int k = 0; k < MOST_STEPS && measure.max_speed * cloth->step.dt > still; k++) {
        if (weft_step(cloth->state, &cloth->step))
            return complain(EXIT_FAILED, "%s", weft_state_error(cloth->state)->message);
        weft_measure(cloth->state, cloth->step.gravity, &measure);
    }
    return EXIT_GOOD;
}

// ---------------------------------------------------------------------------------------------
// Moduli: a square pulled along the warp by a thousandth. Both ends are held at some width; the one
// with the least energy is where nothing pulls across, and the energy is then A E e^2/2. Three
// widths tell where: the energy is a parabola of it.

static const double YOUNG = 100, STRAIN = 1e-3;

static int energy_at(Cloth* cloth, double narrower, double* energy) {
    const WeftMesh* mesh = &cloth->mesh;
    double* x = need(3 * (size_t)mesh->vertex_count, sizeof *x);
    for (int i = 0; i < mesh->vertex_count; i++) {
        x[3 * i] = (1 + STRAIN) * mesh->material[2 * i];
        x[3 * i + 2] = -(1 - narrower) * mesh->material[2 * i + 1];
    }
    weft_set_positions(cloth->state, x);
    free(x);
    int code = settle(cloth, 1e-9);
    WeftMeasure measure;
    weft_measure(cloth->state, cloth->step.gravity, &measure);
    *energy = measure.stretch;
    return code;
}

static int pull_square(MeshKind kind, int n, const struct Model* model, double poisson,
                       double* young, double* contraction) {
    Cloth cloth;
    double energies[3];
    int code = make_cloth(kind, n, model, YOUNG, poisson, &cloth);
    for (int i = 0; i < cloth.mesh.vertex_count && !code; i++) {
        double u = cloth.mesh.material[2 * i];
        if (u < 1e-9 || u > 1 - 1e-9) cloth.pins[cloth.def.pin_count++] = i;
    }
    if (!code) code = create_cloth(&cloth);
    for (int i = 0; i < 3 && !code; i++) code = energy_at(&cloth, i * STRAIN / 2, &energies[i]);
    destroy_cloth(&cloth);
    if (code) return code;
    double bend = energies[0] - 2 * energies[1] + energies[2], slope = energies[2] - energies[0];
    double at = -slope / (2 * bend);  // from the middle, in parts of STRAIN/2
    *contraction = (1 + at) / 2;
    *young = 2 * (energies[1] + at * slope / 4) / (STRAIN * STRAIN);
    return EXIT_GOOD;
}

static int run_moduli(const BenchOptions* options, Report* report) {
    static const double ratios[] = {0.3, 0.49};
    double worst_young = 0, worst_poisson = 0;
    int n = options->quick ? 9 : 25, code = EXIT_GOOD;
    start_table(report, "moduli");
    for (int i = 0; i < 2 * MESH_COUNT * MODEL_COUNT && !code; i++) {
        const struct Model* model = &models[i % MODEL_COUNT];
        MeshKind kind = (MeshKind)(i / MODEL_COUNT % MESH_COUNT);
        double given = ratios[i / MODEL_COUNT / MESH_COUNT], young, poisson;
        show_progress("moduli: %s, %s", mesh_names[kind], model->name);
        code = pull_square(kind, n, model, given, &young, &poisson);
        if (code) break;
        start_row(report);
        add_text(report, "mesh", mesh_names[kind]);
        add_text(report, "model", model->name);
        add_number(report, "young_given", YOUNG);
        add_number(report, "young", young);
        add_number(report, "poisson_given", given);
        add_number(report, "poisson", poisson);
        if (model - models >= MEMBRANE_COUNT) continue;
        worst_young = fmax(worst_young, fabs(young / YOUNG - 1));
        worst_poisson = fmax(worst_poisson, fabs(poisson / given - 1));
    }
    add_ratio(report, "young_error", worst_young);
    add_ratio(report, "poisson_error", worst_poisson);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Shape: a soft square hangs by its upper side, which is held in an arc 2 cm deep.

typedef struct Shape {
    double sag;     // of the middle of the lower side
    double narrow;  // how much of its width is lost at half its height
} Shape;

// Nearest to a place of the flat cloth.
static int find_vertex(const WeftMesh* mesh, double u, double v) {
    int nearest = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < mesh->vertex_count; i++) {
        double away = hypot(mesh->material[2 * i] - u, mesh->material[2 * i + 1] - v);
        if (away < least) least = away, nearest = i;
    }
    return nearest;
}

static int hang_square(MeshKind kind, int n, const struct Model* model, Shape* shape) {
    Cloth cloth;
    int code = make_cloth(kind, n, model, 20, 0.3, &cloth);
    WeftMesh* mesh = &cloth.mesh;
    for (int i = 0; i < mesh->vertex_count && !code; i++) {
        double u = mesh->material[2 * i], v = mesh->material[2 * i + 1];
        mesh->positions[3 * i + 1] = v - 1 - 0.02 * sin(acos(-1) * u);
        mesh->positions[3 * i + 2] = 0;
        if (v > 1 - 1e-9) cloth.pins[cloth.def.pin_count++] = i;
    }
    cloth.step.gravity[1] = -9.81;
    if (!code) code = create_cloth(&cloth);
    if (!code) code = settle(&cloth, 1e-6);
    if (!code) {
        const double* x = weft_positions(cloth.state);
        int left = find_vertex(mesh, 0, 0.5), right = find_vertex(mesh, 1, 0.5);
        shape->sag = -1 - x[3 * find_vertex(mesh, 0.5, 0) + 1];
        shape->narrow = 1 - (x[3 * right] - x[3 * left]);
    }
    destroy_cloth(&cloth);
    return code;
}

static int run_shape(const BenchOptions* options, Report* report) {
    const int sizes[] = {options->quick ? 13 : 25, options->quick ? 25 : 100};
    int code = EXIT_GOOD;
    start_table(report, "shape");
    for (int m = 0; m < MODEL_COUNT && !code; m++) {
        double most = 0, least = HUGE_VAL;
        for (int i = 0; i < 4 && !code; i++) {
            MeshKind kind = i & 1 ? IRREGULAR : ALTERNATING;
            Shape shape = {0};
            show_progress("shape: %s, %s, %d", models[m].name, mesh_names[kind], sizes[i / 2]);
            code = hang_square(kind, sizes[i / 2], &models[m], &shape);
            start_row(report);
            add_text(report, "mesh", mesh_names[kind]);
            add_text(report, "model", models[m].name);
            add_number(report, "side", sizes[i / 2]);
            add_number(report, "sag_mm", 1000 * shape.sag);
            add_number(report, "narrow_mm", 1000 * shape.narrow);
            most = fmax(most, shape.sag);
            least = fmin(least, shape.sag);
        }
        add_ratio(report, models[m].ratio, most / least - 1);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Time: the square of the other benches, falling

enum { STEPS = 20, REPEATS = 3 };

static int time_model(const struct Model* model, int n, double* ms, double* iterations) {
    Square square;
    WeftModel* made;
    WeftState *start, *state = NULL;
    WeftStepDef step = still_air_step();
    WeftError error;
    double fastest[STEPS];
    step.method = WEFT_METHOD_IMPLICIT;
    step.scheme = WEFT_SCHEME_J;
    step.order = step.substeps = 1;
    int code = make_square(n, n, &square);
    if (code) return code;
    square.cloth.stretch = model->stretch;
    code = create_square(&square, &step, 1, thread_time, &made, &start);
    if (!code && weft_create_state(made, &state, &error))
        code = complain(EXIT_FAILED, "%s", error.message);
    *ms = *iterations = 0;
    for (int r = 0; r < REPEATS && !code; r++) {
        weft_copy_state(state, start);
        for (int k = 0; k < STEPS && !code; k++) {
            if (weft_step(state, &step))
                code = complain(EXIT_FAILED, "%s", weft_state_error(state)->message);
            double total = weft_report(state)->times.total;
            if (r == 0) *iterations += (double)weft_report(state)->cg_iterations / STEPS;
            fastest[k] = r == 0 ? total : fmin(fastest[k], total);
        }
    }
    for (int k = 0; k < STEPS; k++) *ms += code ? 0 : 1000 * fastest[k] / STEPS;
    weft_destroy_state(state);
    weft_destroy_state(start);
    weft_destroy_model(made);
    destroy_square(&square);
    return code;
}

static int run_time(const BenchOptions* options, Report* report) {
    int n = options->quick ? 25 : 74, code = EXIT_GOOD;
    double times[MODEL_COUNT], iterations;
    start_table(report, "time");
    for (int m = 0; m < MODEL_COUNT && !code; m++) {
        show_progress("time: %s", models[m].name);
        code = time_model(&models[m], n, &times[m], &iterations);
        start_row(report);
        add_text(report, "model", models[m].name);
        add_number(report, "vertices", n * n);
        add_number(report, "ms", times[m]);
        add_number(report, "iterations", iterations);
    }
    if (!code) add_ratio(report, "time_over_triangles", times[0] / times[2]);
    return code;
}

// ---------------------------------------------------------------------------------------------

static int run_membrane(const BenchOptions* options, Report* report) {
    static const struct {
        const char* name;
        int (*run)(const BenchOptions*, Report*);
    } parts[] = {{"moduli", run_moduli}, {"shape", run_shape}, {"time", run_time}};
    bool found = false;
    int code = EXIT_GOOD;
    for (int i = 0; i < 3 && !code; i++) {
        if (options->part && strcmp(options->part, parts[i].name) != 0) continue;
        found = true;
        code = parts[i].run(options, report);
    }
    if (!found)
        return complain(EXIT_USAGE, "membrane has no part \"%s\"; moduli, shape and time it has",
                        options->part);
    add_note(report, "young_error, poisson_error: the largest of the membranes, over all meshes.");
    add_note(report, "spread: largest over smallest sag of the four meshes, less 1.");
    if (options->quick) add_note(report, "quick: 9 vertices a side, 13 and 25, 625.");
    return code;
}

const Bench membrane_bench = {
    .name = "membrane",
    .text = "what is left of Young's modulus and Poisson's ratio on any mesh, and what it costs",
    .details =
        "moduli: a square metre of 100 N/m is pulled by a thousandth, on four meshes.\n"
        "shape: one of 20 N/m hangs by a side, on meshes of 25 and 100 vertices along it, regular\n"
        "and irregular. time: an implicit step of the square of the other benches.\n"
        "Each for the membranes (biquadratic, quadratic), for triangles and for springs.",
    .has_parts = true,
    .run = run_membrane,
};
