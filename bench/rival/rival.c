// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Every step begins with positions and velocities of the state and ends by setting them. Before it,
// the state takes a step that costs next to nothing and says nothing about the cloth, an explicit
// one without weight and air, of fabrics so soft that it is stable: pins and bodies go where they
// are told, and time goes on.

#include "rival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_net.h"
#include "weft/weft_study.h"

// With a budget. A single one is not stable on soft cloth that gives way.
enum { FIRST_SUBSTEPS = 8, LEAST_SUBSTEPS = 2, MOST_SUBSTEPS = 400 };
static const double SPENT = 0.95;  // of a budget, on the mean
// By each step, what a substep takes. Machines that are shared lose time now and then, and that is
// no reason to take fewer.
static const double LEARNS_LESS = 0.3, LEARNS_MORE = 0.03;
static const double SOFTNESS = 1e-5;  // of the fabric that carries it, over the fabric

// A body of the scene that is touched, and three of its vertices, by which its frame is known.
typedef struct Touched {
    int number, vertices[3];
    double places[3][3];  // in its frame
} Touched;

struct Rival {
    Xpbd* xpbd;
    int vertex_count;
    WeftClock clock;
    double *positions, *velocities, *ways, *winds;
    bool* pinned;
    int body_count;
    Touched* touched;
    XpbdBody* bodies;
    double* corners;     // of the largest body
    double per_substep;  // s; 0: not known yet
    double per_step;     // s, what else a step takes
    RivalReport report;
};

// ---------------------------------------------------------------------------------------------
// What it knows

static bool touches(const WeftScene* scene, int body) {
    const WeftBodyDef* def = &scene->model.bodies[body];
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftClothDef* cloth = &scene->model.cloths[c];
        if ((def->layer & cloth->mask) && (cloth->layer & def->mask)) return true;
    }
    return false;
}

static bool takes_body(WeftBodyKind kind) {
    return kind == WEFT_BODY_PLANE || kind == WEFT_BODY_SPHERE || kind == WEFT_BODY_CAPSULE ||
           kind == WEFT_BODY_BOX;
}

static const char* refuse_cloth(const WeftClothDef* cloth) {
    if (cloth->max_distance || cloth->backstop_radius || cloth->drive_stiffness || cloth->bones)
        return "The XPBD that weft is compared with knows no cloth that keeps to an animation";
    if (cloth->inflation != WEFT_INFLATION_NONE)
        return "The XPBD that weft is compared with knows no cloth that is blown up";
    if (cloth->tear_load > 0)
        return "The XPBD that weft is compared with knows no cloth that tears";
    return NULL;
}

const char* refuse_rival(const WeftScene* scene) {
    const WeftModelDef* def = &scene->model;
    if (def->mirror.kind == WEFT_MIRROR_EXACT || def->mirror.kind == WEFT_MIRROR_RECIPE)
        return "The XPBD that weft is compared with knows no mirror: simulate the whole";
    if (scene->cut_count > 0 || def->tearable)
        return "The XPBD that weft is compared with knows no cloth that is cut";
    if (def->attachment_count > 0)
        return "The XPBD that weft is compared with knows no attachments";
    if (scene->space.motion >= 0 || scene->space.teleport_count > 0)
        return "The XPBD that weft is compared with knows no space that moves";
    for (int c = 0; c < def->cloth_count; c++) {
        const char* why = refuse_cloth(&def->cloths[c]);
        if (why) return why;
    }
    for (int b = 0; b < def->body_count && def->contact != WEFT_CONTACT_NONE; b++)
        if (touches(scene, b) && !takes_body(def->bodies[b].kind))
            return "The XPBD that weft is compared with knows planes, spheres, capsules and boxes: "
                   "this scene has a body of another kind";
    return NULL;
}

static void soften(WeftFabric* fabric) {
    double *first = fabric->measured.stretch[0], *bend = fabric->measured.bend[0];
    double* numbers[] = {&fabric->stretch_warp,
                         &fabric->stretch_weft,
                         &fabric->shear,
                         &fabric->bend,
                         &fabric->bend_spring,
                         &fabric->rope_stretch,
                         &fabric->compression_load,
                         &fabric->rope_bend};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) *numbers[i] *= SOFTNESS;
    for (size_t i = 0; i < sizeof fabric->measured.stretch / sizeof *first; i++)
        first[i] *= SOFTNESS;
    for (size_t i = 0; i < sizeof fabric->measured.bend / sizeof *bend; i++) bend[i] *= SOFTNESS;
}

// Its cloths with soft fabrics. `fabrics` has room for those of all.
static void soften_cloths(const WeftModelDef* def, WeftClothDef* cloths, WeftFabric* fabrics) {
    for (int c = 0; c < def->cloth_count; c++) {
        WeftClothDef* cloth = &cloths[c];
        *cloth = def->cloths[c];
        cloth->estimator = WEFT_ESTIMATOR_NONE;
        soften(&cloth->fabric);
        for (int f = 0; f < cloth->fabric_count; f++) {
            fabrics[f] = cloth->fabrics[f];
            soften(&fabrics[f]);
        }
        if (cloth->fabric_count > 0) cloth->fabrics = fabrics;
        fabrics += cloth->fabric_count;
    }
}

WeftResult create_rival_model(const WeftScene* scene, WeftModel** model, WeftError* error) {
    WeftModelDef def = scene->model;
    size_t count = 0;
    for (int c = 0; c < def.cloth_count; c++) count += (size_t)def.cloths[c].fabric_count;
    WeftClothDef* cloths = malloc(((size_t)def.cloth_count + 1) * sizeof *cloths);
    WeftFabric* fabrics = malloc((count + 1) * sizeof *fabrics);
    WeftResult result = WEFT_ERROR_MEMORY;
    *model = NULL;
    *error = (WeftError){WEFT_ERROR_MEMORY, "out of memory"};
    if (cloths && fabrics) {
        soften_cloths(&def, cloths, fabrics);
        def.cloths = cloths;
        def.contact = WEFT_CONTACT_NONE;
        def.matrices = WEFT_MATRICES_NONE;
        def.step = weft_default_step_def();
        def.step.method = WEFT_METHOD_SYMPLECTIC;
        def.step.substeps = 1;
        result = weft_create_model(&def, model, error);
    }
    free(cloths);
    free(fabrics);
    return result;
}

void correct_rival_measure(WeftMeasure* measure) {
    measure->stretch /= SOFTNESS;
    measure->bend /= SOFTNESS;
    measure->total = measure->kinetic + measure->gravity + measure->stretch + measure->bend;
}

// ---------------------------------------------------------------------------------------------
// Bodies

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double size_of(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// Axes, as columns, of three places.
static void axes_of(double x[3][3], double axes[9]) {
    double e[3][3], d[2][3];
    for (int c = 0; c < 3; c++) d[0][c] = x[1][c] - x[0][c], d[1][c] = x[2][c] - x[0][c];
    memcpy(e[0], d[0], sizeof e[0]);
    cross(d[0], d[1], e[2]);
    cross(e[2], e[0], e[1]);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) axes[3 * c + k] = e[k][c] / size_of(e[k]);
}

static XpbdFrame frame_of(Touched* touched, const double* positions) {
    double now[3][3], to[9], from[9];
    XpbdFrame frame = {{0}, {0}};
    for (int i = 0; i < 3; i++)
        memcpy(now[i], positions + 3 * (size_t)touched->vertices[i], sizeof now[i]);
    axes_of(now, to);
    axes_of(touched->places, from);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) frame.axes[3 * r + c] += to[3 * r + k] * from[3 * c + k];
    for (int r = 0; r < 3; r++) {
        frame.place[r] = now[0][r];
        for (int c = 0; c < 3; c++) frame.place[r] -= frame.axes[3 * r + c] * touched->places[0][c];
    }
    return frame;
}

// The rotation of a unit quaternion x y z w.
static void rotation_of(const double q[4], double r[9]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double matrix[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(r, matrix, sizeof matrix);
}

// The vertex farthest from the first, and the one that spans the most with both.
static void choose_vertices(const double* x, int count, int vertices[3]) {
    double best = 0, most = 0, a[3] = {0}, b[3], n[3];
    vertices[0] = vertices[1] = vertices[2] = 0;
    for (int i = 1; i < count; i++) {
        for (int c = 0; c < 3; c++) b[c] = x[3 * i + c] - x[c];
        if (size_of(b) > best) best = size_of(b), vertices[1] = i, memcpy(a, b, sizeof a);
    }
    for (int i = 1; i < count; i++) {
        for (int c = 0; c < 3; c++) b[c] = x[3 * i + c] - x[c];
        cross(a, b, n);
        if (size_of(n) > most) most = size_of(n), vertices[2] = i;
    }
}

// Bodies of a new state are where their defs have them.
static void fill_touched(const WeftBodyDef* def, const WeftState* state, int number, double* x,
                         Touched* touched) {
    double r[9];
    touched->number = number;
    weft_copy_body(state, number, x);
    choose_vertices(x, weft_body_vertex_count(weft_state_model(state), number), touched->vertices);
    rotation_of(def->rotation, r);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            touched->places[i][c] = 0;
            for (int k = 0; k < 3; k++)
                touched->places[i][c] +=
                    r[3 * k + c] * (x[3 * touched->vertices[i] + k] - def->position[k]);
        }
}

static XpbdBody shape_of(const WeftBodyDef* def) {
    XpbdBody body = {.friction = def->friction};
    body.shape = def->kind == WEFT_BODY_PLANE ? XPBD_PLANE
                 : def->kind == WEFT_BODY_BOX ? XPBD_BOX
                                              : XPBD_CAPSULE;
    body.radius = def->radius;
    body.length = def->kind == WEFT_BODY_CAPSULE ? def->length : 0;
    memcpy(body.size, def->size, sizeof body.size);
    return body;
}

static void list_bodies(const WeftScene* scene, const WeftState* state, Rival* rival) {
    for (int b = 0; b < scene->model.body_count && scene->model.contact; b++) {
        if (!touches(scene, b)) continue;
        int i = rival->body_count++;
        fill_touched(&scene->model.bodies[b], state, b, rival->corners, &rival->touched[i]);
        rival->bodies[i] = shape_of(&scene->model.bodies[b]);
    }
}

static void find_bodies(Rival* rival, const WeftState* state, bool after) {
    for (int i = 0; i < rival->body_count; i++) {
        weft_copy_body(state, rival->touched[i].number, rival->corners);
        XpbdFrame frame = frame_of(&rival->touched[i], rival->corners);
        *(after ? &rival->bodies[i].to : &rival->bodies[i].from) = frame;
    }
}

// ---------------------------------------------------------------------------------------------
// Making

static size_t largest_body(const WeftModel* model) {
    int most = 0;
    for (int b = 0; b < weft_body_count(model); b++)
        most = weft_body_vertex_count(model, b) > most ? weft_body_vertex_count(model, b) : most;
    return 3 * (size_t)most;
}

static bool allocate(Rival* rival, const WeftModel* model) {
    size_t n = 3 * (size_t)rival->vertex_count, bodies = (size_t)weft_body_count(model) + 1;
    rival->positions = calloc(n, sizeof *rival->positions);
    rival->velocities = calloc(n, sizeof *rival->velocities);
    rival->ways = calloc(n, sizeof *rival->ways);
    rival->winds = calloc(n, sizeof *rival->winds);
    rival->pinned = calloc(n, sizeof *rival->pinned);
    rival->touched = calloc(bodies, sizeof *rival->touched);
    rival->bodies = calloc(bodies, sizeof *rival->bodies);
    rival->corners = calloc(largest_body(model) + 1, sizeof *rival->corners);
    return rival->positions && rival->velocities && rival->ways && rival->winds && rival->pinned &&
           rival->touched && rival->bodies && rival->corners;
}

// Half of the density of the air times the coefficients of each triangle, and its own density.
static void fill_air(const WeftScene* scene, double* drags, double* frictions, double* densities) {
    double half = scene->model.step.air_density / 2;
    for (int c = 0, i = 0; c < scene->model.cloth_count; c++)
        for (int t = 0; t < scene->model.cloths[c].triangle_count; t++, i++) {
            const WeftFabric* fabric = fabric_of(&scene->model.cloths[c], t);
            drags[i] = half * fabric->air_drag;
            frictions[i] = half * fabric->air_friction;
            densities[i] = fabric->density;
        }
}

static void set_surface(const WeftScene* scene, Rival* rival) {
    int i = 0;
    for (int c = 0; c < scene->model.cloth_count; c++)
        for (int end = i + scene->model.cloths[c].vertex_count; i < end; i++) {
            rival->positions[i] = scene->model.cloths[c].fabric.thickness;
            rival->velocities[i] = scene->model.cloths[c].fabric.friction;
        }
    set_xpbd_surface(rival->xpbd, rival->positions, rival->velocities);
}

static bool make_xpbd(const WeftScene* scene, const WeftState* state, Rival* rival) {
    const WeftModel* model = weft_state_model(state);
    size_t count = (size_t)weft_triangle_count(model) + 1;
    double* numbers = calloc(3 * count, sizeof *numbers);
    XpbdDef def = default_xpbd_def(FIRST_SUBSTEPS);
    Net net;
    bool good = create_scene_net(scene, state, &net);
    def.bends = def.precise = true;
    def.mass_damping = scene->model.cloths[0].fabric.mass_damping;
    def.body_count = rival->body_count;
    if (good && numbers && scene->model.step.air_density > 0) {
        fill_air(scene, numbers, numbers + count, numbers + 2 * count);
        def.air = (XpbdAir){.triangles = weft_triangles(model),
                            .triangle_count = weft_triangle_count(model),
                            .drags = numbers,
                            .frictions = numbers + count,
                            .densities = numbers + 2 * count};
    }
    if (good && numbers) rival->xpbd = create_xpbd(&net, &def);
    if (good) destroy_net(&net);
    free(numbers);
    return rival->xpbd != NULL;
}

Rival* create_rival(const WeftScene* scene, const WeftState* state) {
    Rival* rival = calloc(1, sizeof *rival);
    if (!rival) return NULL;
    rival->vertex_count = weft_vertex_count(weft_state_model(state));
    rival->clock = scene->model.clock;
    bool good = allocate(rival, weft_state_model(state));
    if (good) list_bodies(scene, state, rival);
    if (good && make_xpbd(scene, state, rival)) {
        set_surface(scene, rival);
        return rival;
    }
    destroy_rival(rival);
    return NULL;
}

void destroy_rival(Rival* rival) {
    if (!rival) return;
    destroy_xpbd(rival->xpbd);
    void* blocks[] = {rival->positions, rival->velocities, rival->ways,   rival->winds,
                      rival->pinned,    rival->touched,    rival->bodies, rival->corners};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    free(rival);
}

void pull_rival(Rival* rival, int count, const XpbdPull* pulls) {
    set_xpbd_pulls(rival->xpbd, count, pulls);
}

const RivalReport* rival_report(const Rival* rival) { return &rival->report; }

// ---------------------------------------------------------------------------------------------
// Steps

static double now(const Rival* rival) {
    return rival->clock.now ? rival->clock.now(rival->clock.user) : 0;
}

// Not every small change of what a substep takes makes another number of them.
static int substeps_for(const Rival* rival, const WeftStepDef* step) {
    int before = rival->report.substeps;
    if (!(step->budget_ms > 0)) return step->substeps > 0 ? step->substeps : RIVAL_SUBSTEPS;
    if (!(rival->per_substep > 0)) return before > 0 ? before : FIRST_SUBSTEPS;
    double count = (SPENT * step->budget_ms / 1000 - rival->per_step) / rival->per_substep;
    count = fmin(fmax(floor(count), LEAST_SUBSTEPS), MOST_SUBSTEPS);
    return fabs(count - before) <= 0.04 * before ? before : (int)count;
}

static void learn(double* known, double found) {
    double part = found < *known ? LEARNS_LESS : LEARNS_MORE;
    *known = *known > 0 ? *known + part * (found - *known) : found;
}

// How far pins go; of all else, where it is and how fast.
static WeftResult carry(Rival* rival, WeftState* state, double dt) {
    size_t n = 3 * (size_t)rival->vertex_count;
    WeftStepDef carrier = weft_default_step_def();
    memcpy(rival->positions, weft_positions(state), n * sizeof *rival->positions);
    memcpy(rival->velocities, weft_velocities(state), n * sizeof *rival->velocities);
    find_bodies(rival, state, false);
    carrier.dt = dt;
    carrier.method = WEFT_METHOD_SYMPLECTIC;
    carrier.substeps = 1;
    carrier.air_density = carrier.rest_speed = 0;
    memset(carrier.gravity, 0, sizeof carrier.gravity);
    WeftResult result = weft_step(state, &carrier);
    if (result) return result;
    find_bodies(rival, state, true);
    for (int i = 0; i < rival->vertex_count; i++) rival->pinned[i] = weft_is_pinned(state, i);
    for (size_t i = 0; i < n; i++)
        rival->ways[i] = rival->pinned[i / 3] ? weft_positions(state)[i] - rival->positions[i] : 0;
    return WEFT_OK;
}

static void set_wind(Rival* rival, const WeftStepDef* step, double time) {
    weft_copy_wind(step->wind_count, step->winds, time, rival->vertex_count, rival->positions,
                   rival->winds);
    for (int i = 0; i < 3 * rival->vertex_count; i++) rival->winds[i] += step->wind[i % 3];
    set_xpbd_wind(rival->xpbd, rival->winds);
}

static void read_back(Rival* rival, WeftState* state) {
    for (int i = 0; i < 3 * rival->vertex_count; i++)
        if (rival->pinned[i / 3]) rival->ways[i] += rival->positions[i];
    read_xpbd(rival->xpbd, rival->positions, rival->velocities);
    for (int i = 0; i < 3 * rival->vertex_count; i++)
        if (rival->pinned[i / 3]) {
            rival->positions[i] = rival->ways[i];
            rival->velocities[i] = weft_velocities(state)[i];
        }
    weft_set_positions(state, rival->positions);
    weft_set_velocities(state, rival->velocities);
}

WeftResult take_rival_step(Rival* rival, WeftState* state, const WeftStepDef* step) {
    double time = weft_time(state);
    WeftResult result = carry(rival, state, step->dt);
    if (result) return result;
    Xpbd* xpbd = rival->xpbd;
    double start = now(rival);
    rival->report.substeps = substeps_for(rival, step);
    set_xpbd_length(xpbd, step->dt, rival->report.substeps);
    set_xpbd_gravity(xpbd, step->gravity);
    set_xpbd_pins(xpbd, rival->pinned, rival->ways);
    set_wind(rival, step, time);
    if (rival->body_count > 0) set_xpbd_bodies(xpbd, rival->bodies);
    place_xpbd(xpbd, rival->positions, rival->velocities);
    double ready = now(rival);
    take_xpbd_step(xpbd);
    double taken = now(rival);
    read_back(rival, state);
    rival->report.solve = taken - ready;
    rival->report.total = now(rival) - start;
    learn(&rival->per_substep, rival->report.solve / rival->report.substeps);
    learn(&rival->per_step, rival->report.total - rival->report.solve);
    return WEFT_OK;
}
