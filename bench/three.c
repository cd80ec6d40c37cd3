// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "three.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

static const double PI = 3.14159265358979324;
static const double LEAN = 85;           // degrees from level, of the upright sheet
static const double WAVE = 0.002;        // m, of the upright sheet
static const double RADIUS = 0.2;        // m, of the sphere
static const double ROOM = 1.1;          // times its thickness: how far cloth starts from bodies
static const double STILL_SPEED = 0.02;  // m/s, below which the truth is at rest

const char* const motion_names[MOTION_COUNT] = {
    [MOTION_SWING] = "swing",
    [MOTION_COLLAPSE] = "collapse",
    [MOTION_STAND] = "stand",
    [MOTION_DRAPE] = "drape",
};

MotionDef default_motion(MotionKind kind, int cells) {
    return (MotionDef){.kind = kind, .cells = cells, .fabric = weft_default_fabric(), .air = true};
}

// ---------------------------------------------------------------------------------------------
// Fabrics

WeftFabric two_sided_fabric(const WeftFabric* fabric) {
    WeftFabric two_sided = *fabric;
    two_sided.compression = WEFT_UNYIELDING;
    two_sided.compression_load = 0;
    return two_sided;
}

int find_preset(const char* name, WeftFabric* fabric) {
    const WeftFabricPreset* preset;
    *fabric = weft_default_fabric();
    if (strcmp(name, "default") == 0) return EXIT_GOOD;
    for (int i = 0; (preset = weft_fabric_preset(i)) != NULL; i++)
        if (strcmp(name, preset->name) == 0) {
            *fabric = preset->fabric;
            return EXIT_GOOD;
        }
    return complain(EXIT_FAILED, "there is no preset \"%s\"", name);
}

// ---------------------------------------------------------------------------------------------
// Scenes

static bool is_upright(MotionKind kind) { return kind == MOTION_COLLAPSE || kind == MOTION_STAND; }

// From where the mesh has it, level with v along -z, to 85 degrees, v up, with waves across.
static void raise(double* x) {
    double u = x[0], v = -x[2], angle = LEAN * PI / 180;
    double wave = WAVE * sin(4 * PI * u) * sin(3 * PI * v);
    x[1] = v * sin(angle) + wave * cos(angle);
    x[2] = wave * sin(angle) - v * cos(angle);
}

// The first row of the grid, or its ends.
static void choose_pins(MotionScene* scene) {
    int side = scene->def.cells + 1;
    scene->pins = need((size_t)side, sizeof *scene->pins);
    if (scene->def.kind == MOTION_COLLAPSE) scene->pin_count = side;
    for (int i = 0; i < scene->pin_count; i++) scene->pins[i] = i;
    if (scene->def.kind != MOTION_SWING) return;
    scene->pin_count = 2;
    scene->pins[1] = side - 1;
}

// The lowest point of the cloth is at y = 0 in all motions: bodies end below it.
static void place_body(MotionScene* scene) {
    double gap = ROOM * scene->def.fabric.thickness;
    scene->body = weft_default_body_def();
    scene->has_body = scene->def.kind == MOTION_STAND || scene->def.kind == MOTION_DRAPE;
    scene->body.position[1] = -gap;
    if (scene->def.kind == MOTION_STAND) scene->body.kind = WEFT_BODY_PLANE;
    if (scene->def.kind != MOTION_DRAPE) return;
    scene->body.kind = WEFT_BODY_SPHERE;
    scene->body.radius = RADIUS;
    scene->body.position[0] = 0.5;
    scene->body.position[1] -= RADIUS;
    scene->body.position[2] = -0.5;
}

int make_motion(const MotionDef* def, MotionScene* scene) {
    WeftGridDef grid = weft_default_grid_def();
    WeftError error;
    *scene = (MotionScene){.def = *def};
    grid.columns = grid.rows = def->cells;
    if (weft_make_grid(&grid, NULL, &scene->mesh, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    for (int i = 0; is_upright(def->kind) && i < scene->mesh.vertex_count; i++)
        raise(scene->mesh.positions + 3 * (size_t)i);
    choose_pins(scene);
    place_body(scene);
    return EXIT_GOOD;
}

void destroy_motion(MotionScene* scene) {
    weft_destroy_mesh(&scene->mesh);
    free(scene->pins);
    *scene = (MotionScene){0};
}

// ---------------------------------------------------------------------------------------------
// What is measured

// The cell of a point of the lattice along one side, and where it is in the cell, 0 to 1.
static int lattice_cell(int cells, int index, double* part) {
    double place = (double)cells * index / (LATTICE_SIDE - 1);
    int cell = place < cells ? (int)place : cells - 1;
    *part = place - cell;
    return cell;
}

void sample_lattice(const MotionScene* scene, const double* positions, double* lattice) {
    int cells = scene->def.cells, side = cells + 1;
    for (int point = 0; point < LATTICE_COUNT; point++, lattice += 3) {
        double s, t;
        int column = lattice_cell(cells, point % LATTICE_SIDE, &s);
        int row = lattice_cell(cells, point / LATTICE_SIDE, &t);
        const double *near = positions + 3 * (size_t)(row * side + column), *far = near + 3 * side;
        for (int d = 0; d < 3; d++)
            lattice[d] = (1 - t) * ((1 - s) * near[d] + s * near[d + 3]) +
                         t * ((1 - s) * far[d] + s * far[d + 3]);
    }
}

static double side_length(const double* x, int a, int b, int dimensions) {
    double sum = 0;
    for (int d = 0; d < dimensions; d++) {
        double difference = x[dimensions * b + d] - x[dimensions * a + d];
        sum += difference * difference;
    }
    return sqrt(sum);
}

double largest_stretch(const MotionScene* scene, const double* positions) {
    const WeftMesh* mesh = &scene->mesh;
    double largest = 0;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int a = mesh->triangles[3 * t + k], b = mesh->triangles[3 * t + (k + 1) % 3];
            largest = fmax(largest,
                           side_length(positions, a, b, 3) / side_length(mesh->material, a, b, 2));
        }
    return largest;
}

enum { BINS = 4096 };
static const double BIN = 0.0005;

// By counting, as sorting would take longer than a step.
static double p99_stretch(const MotionScene* scene, const double* positions) {
    const WeftMesh* mesh = &scene->mesh;
    int counts[BINS] = {0}, above = 3 * mesh->triangle_count / 100, bin = BINS - 1;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            int a = mesh->triangles[3 * t + k], b = mesh->triangles[3 * t + (k + 1) % 3];
            double ratio = side_length(positions, a, b, 3) / side_length(mesh->material, a, b, 2);
            counts[ratio < BIN * BINS ? (int)(ratio / BIN) : BINS - 1]++;
        }
    for (int sum = counts[bin]; sum <= above && bin > 0; sum += counts[bin]) bin--;
    return BIN * (bin + 1);
}

double distance_from(const Truth* truth, const Trajectory* lattice) {
    return mean_distance(&truth->lattice, lattice);
}

// m/s, root mean square over the lattice, in the step that leads to a frame.
static double frame_speed(const Trajectory* lattice, int frame) {
    if (frame == 0) frame = 1;
    Distance moved = {.from = lattice};
    add_frame(&moved, frame, trajectory_frame(lattice, frame - 1));
    return 60 * rms_distance(&moved);
}

int frames_asleep(const Truth* truth, const MotionRun* run) {
    int count = 0;
    for (int frame = 0; frame < THREE_FRAMES; frame++)
        count += run->asleep[frame] && frame_speed(&truth->lattice, frame) > STILL_SPEED;
    return count;
}

// ---------------------------------------------------------------------------------------------
// Runs

static int create_run(const MotionScene* scene, const WeftStepDef* step, int threads,
                      WeftModel** model, WeftState** state) {
    WeftClothDef cloth = weft_default_cloth_def();
    WeftModelDef def = weft_default_model_def();
    WeftError error;
    weft_use_mesh(&cloth, &scene->mesh);
    cloth.stretch = scene->def.stretch;
    cloth.fabric = scene->def.fabric;
    if (scene->def.estimator) weft_set_estimator(&cloth, scene->def.estimator, 2);
    cloth.pins = scene->pins;
    cloth.pin_count = scene->pin_count;
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.bodies = &scene->body;
    def.body_count = scene->has_body;
    def.contact = scene->has_body ? WEFT_CONTACT_BODIES : WEFT_CONTACT_NONE;
    def.step = *step;
    def.jobs.thread_count = threads;
    def.clock.now = thread_time;
    if (weft_create_model(&def, model, &error) || weft_create_state(*model, state, &error))
        return complain(EXIT_FAILED, "%s", error.message);
    return EXIT_GOOD;
}

void record_frame(const MotionScene* scene, int frame, double seconds, const double* positions,
                  MotionRun* run) {
    bool first = run->run_count == 0;
    run->seconds[frame] = first ? seconds : fmin(run->seconds[frame], seconds);
    if (!first) return;
    run->stretch = fmax(run->stretch, largest_stretch(scene, positions));
    run->p99 = fmax(run->p99, p99_stretch(scene, positions));
    sample_lattice(scene, positions, trajectory_frame(&run->lattice, frame));
}

static int take_frame(const MotionScene* scene, WeftState* state, const WeftStepDef* step,
                      int frame, MotionRun* run) {
    double start = thread_time(NULL);
    WeftResult result = weft_step(state, step);
    double seconds = thread_time(NULL) - start;
    if (result && run->may_fail) run->unstable_frame = frame + 1;
    if (run->unstable_frame) return EXIT_GOOD;
    if (result) return complain(EXIT_FAILED, "%s", weft_state_error(state)->message);
    run->asleep[frame] = weft_report(state)->asleep;
    run->stiffness_scale = weft_report(state)->stiffness_scale;
    record_frame(scene, frame, seconds, weft_positions(state), run);
    return EXIT_GOOD;
}

int run_motion(const MotionScene* scene, const WeftStepDef* asked, MotionRun* run) {
    WeftModel* model = NULL;
    WeftState* state = NULL;
    WeftStepDef step = *asked;
    step.dt = 1.0 / 60;
    if (!scene->def.air) step.air_density = 0;
    if (!run->lattice.positions) create_trajectory(&run->lattice, THREE_FRAMES, LATTICE_COUNT);
    int threads = run->any_threads ? WEFT_ALL_THREADS : 1;
    int code = create_run(scene, &step, threads, &model, &state);
    for (int frame = 0; frame < THREE_FRAMES && !code && !run->unstable_frame; frame++)
        code = take_frame(scene, state, &step, frame, run);
    run->run_count++;
    weft_destroy_state(state);
    weft_destroy_model(model);
    return code;
}

void destroy_run(MotionRun* run) { destroy_trajectory(&run->lattice); }

double run_ms(const MotionRun* run) {
    double sum = 0;
    for (int frame = 0; frame < THREE_FRAMES; frame++) sum += run->seconds[frame];
    return 1000 * sum / THREE_FRAMES;
}

// ---------------------------------------------------------------------------------------------
// Truth

enum { TRUTH_SUBSTEPS = 16, TOUCHING_SUBSTEPS = 8, QUICK_CELLS = 32, QUICK_SUBSTEPS = 4 };

// On the floor 128 cells would take minutes each, and there are many.
static int truth_cells(MotionKind kind, bool quick) {
    if (quick) return QUICK_CELLS;
    return kind == MOTION_STAND ? 64 : 128;
}

WeftStepDef truth_step(int substeps) {
    WeftStepDef step = weft_default_step_def();
    step.method = WEFT_METHOD_PREFACTORED;
    step.order = 2;
    step.substeps = substeps;
    step.scheme = WEFT_SCHEME_JAJ;
    step.iterations[0] = 4;
    step.stretch_tolerance = 0;
    step.rest_speed = 0;
    return step;
}

// All that the motion depends on.
static void describe_truth(const MotionDef* def, int substeps, char* text, size_t size) {
    const WeftFabric* f = &def->fabric;
    snprintf(text, size,
             "three 2: %s, %d cells, %d substeps, stretch model %d, air %d, density %g, stretch %g "
             "%g, shear %g, bend %g, damping %g %g %g, air %g %g, thickness %g, friction %g, "
             "weft %s",
             motion_names[def->kind], def->cells, substeps, (int)def->stretch, def->air, f->density,
             f->stretch_warp, f->stretch_weft, f->shear, f->bend, f->mass_damping,
             f->stretch_damping, f->bend_damping, f->air_drag, f->air_friction, f->thickness,
             f->friction, weft_version());
}

static int record_truth(const MotionDef* def, int substeps, Trajectory* lattice) {
    MotionScene scene;
    MotionRun run = {.any_threads = true};
    WeftStepDef step = truth_step(substeps);
    show_progress("the truth: %s, %d cells, %d substeps", motion_names[def->kind], def->cells,
                  substeps);
    int code = make_motion(def, &scene);
    if (!code) code = run_motion(&scene, &step, &run);
    *lattice = run.lattice;
    destroy_motion(&scene);
    return code;
}

static int make_truth(const MotionDef* def, int substeps, Truth* truth) {
    Trajectory half = {0};
    int code = record_truth(def, substeps, &truth->lattice);
    if (!code) code = record_truth(def, substeps / 2, &half);
    if (!code) truth->floor = distance_from(truth, &half);
    destroy_trajectory(&half);
    return code;
}

int find_truth(const BenchOptions* options, const MotionDef* def, Truth* truth) {
    bool quick = options->quick;
    bool touches = def->kind == MOTION_STAND || def->kind == MOTION_DRAPE;
    int substeps = quick ? QUICK_SUBSTEPS : touches ? TOUCHING_SUBSTEPS : TRUTH_SUBSTEPS;
    char definition[600];
    MotionDef fine = *def;
    fine.cells = truth_cells(def->kind, quick);
    fine.fabric = two_sided_fabric(&def->fabric);
    describe_truth(&fine, substeps, definition, sizeof definition);
    *truth = (Truth){0};
    create_trajectory(&truth->lattice, THREE_FRAMES, LATTICE_COUNT);
    if (!quick && !options->fresh && load_trajectory(definition, &truth->lattice, &truth->floor))
        return EXIT_GOOD;
    destroy_trajectory(&truth->lattice);
    int code = make_truth(&fine, substeps, truth);
    if (!code && !quick) keep_trajectory(definition, &truth->lattice, truth->floor);
    return code;
}

void destroy_truth(Truth* truth) {
    destroy_trajectory(&truth->lattice);
    *truth = (Truth){0};
}
