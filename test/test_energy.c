// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards every energy term against its own definition: energy to force to Jacobian by differences,
// momentum, rest, rotation, definiteness. A new term is one row in `rows`.

#include "energy/estimator.h"
#include "energy/joint.h"
#include "energy/portion.h"
#include "energy_test.h"
#include "mesh/mesh.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// What a term conserves. A conventional term, or |R|^2 of a hinge, is the same for a turned cloth:
// no torque. A linear term pulls each fibre to a target that is fixed in space, and so does the
// damping of a hinge: their forces cancel, their torques do not. Mass damping holds on to space.
// What is FIXED takes a turn away from the start for a strain. What is FROZEN has a stiffness that
// leaves something out, by its definition. What may be SLACK has neither stiffness nor damping
// where it is pressed far enough. What GIVES way does so
// by a few per cent: the shapes here press it by more. What is BETWEEN lies between triangles of
// two fabrics, of which every second one has another.
enum {
    MOMENTUM = 1,
    ANGULAR = 2,
    ANGULAR_DAMPED = 4,
    ALL = 7,
    FIXED = 8,
    FROZEN = 16,
    SLACK = 32,
    GIVES = 64,
    BETWEEN = 128
};
static const double NOTHING_LEFT = 1e-12;  // beside the stiffness, 20 N/m, of what is slack

// What a mesh must have for a term to be there.
typedef enum Needs { TRIANGLES, HINGES, WOVEN, ROPES, BANDS, THREADS, NOTHING } Needs;

typedef struct TermRow {
    const char* name;
    WfTerm* (*create)(const WeftAllocator*, const WfClothParts*);
    int conserves;
    WeftShear shear;
    WeftEstimator estimator;
    double weights[3];
    Needs needs;
    WeftStretch stretch;
    WeftStrain strain;
} TermRow;

#define LINEAR_ROWS(kind, create)                                                                  \
    {kind ", previous", create, MOMENTUM, 0, WEFT_ESTIMATOR_PREVIOUS, {0}, 0, 0, 0},               \
        {kind ", rotation 1", create, MOMENTUM, 0, WEFT_ESTIMATOR_ROTATION, {1}, 0, 0, 0},         \
        {kind ", rotation 2", create, MOMENTUM, 0, WEFT_ESTIMATOR_ROTATION, {1.5, -0.5}, 0, 0, 0}, \
        {kind ", rotation free", create, MOMENTUM, 0, WEFT_ESTIMATOR_ROTATION, {.7, .2}, 0, 0, 0}, \
        {kind ", vertex 1", create, MOMENTUM, 0, WEFT_ESTIMATOR_VERTEX, {2, -1}, 0, 0, 0},         \
        {kind ", vertex 2", create, MOMENTUM, 0, WEFT_ESTIMATOR_VERTEX, {2.5, -2, .5}, 0, 0, 0}, { \
        kind ", vertex free", create, MOMENTUM, 0, WEFT_ESTIMATOR_VERTEX, {1.8, -1.1, .3}, 0, 0, 0 \
    }

static const TermRow rows[] = {
    {"spring", wf_spring_create, ALL, 0, 0, {0}, TRIANGLES, 0, 0},
    {"triangle", wf_triangle_create, ALL, 0, 0, {0}, TRIANGLES, 0, 0},
    {"triangle axes", wf_triangle_create, ALL, WEFT_SHEAR_PRODUCT, 0, {0}, TRIANGLES, 0, 0},
    {"shear product", wf_shear_create, ALL, WEFT_SHEAR_PRODUCT, 0, {0}, TRIANGLES, 0, 0},
    {"bend", wf_bend_create, MOMENTUM | ANGULAR, 0, 0, {0}, HINGES, 0, 0},
    {"mass damping", wf_damping_create, 0, 0, 0, {0}, NOTHING, 0, 0},
    {"drive", wf_drive_create, 0, 0, 0, {0}, NOTHING, 0, 0},
    {"one-sided spring", wf_one_sided_spring_create, ALL, 0, 0, {0}, TRIANGLES, 0, 0},
    {"spring that gives way", wf_spring_create, ALL | GIVES, 0, 0, {0}, TRIANGLES, 0, 0},
    {"triangle that gives way", wf_triangle_create, ALL | GIVES, 0, 0, {0}, TRIANGLES, 0, 0},
    {"thread that gives way", wf_thread_create, ALL | GIVES, 0, 0, {0}, WOVEN, 0, 0},
    {"biquadratic that gives way",
     wf_membrane_create,
     ALL | SLACK | GIVES,
     0,
     0,
     {0},
     TRIANGLES,
     WEFT_STRETCH_BIQUADRATIC,
     0},
    {"quadratic that gives way",
     wf_membrane_create,
     ALL | SLACK | GIVES,
     0,
     0,
     {0},
     TRIANGLES,
     WEFT_STRETCH_QUADRATIC,
     0},
    {"Cauchy that gives way",
     wf_membrane_create,
     MOMENTUM | FIXED | SLACK | GIVES,
     0,
     0,
     {0},
     TRIANGLES,
     WEFT_STRETCH_CAUCHY,
     0},
    {"measured that gives way",
     wf_measured_create,
     ALL | SLACK | GIVES,
     0,
     0,
     {0},
     TRIANGLES,
     WEFT_STRETCH_MEASURED,
     0},
    {"band that gives way", wf_band_create, ALL | GIVES, 0, 0, {0}, BANDS, 0, 0},
    {"rope that gives way", wf_rope_create, ALL | GIVES, 0, 0, {0}, ROPES, 0, 0},
    {"Green bar that gives way",
     wf_bar_create,
     ALL | GIVES,
     0,
     0,
     {0},
     ROPES,
     0,
     WEFT_STRAIN_GREEN},
    {"logarithmic bar that gives way",
     wf_bar_create,
     ALL | GIVES,
     0,
     0,
     {0},
     ROPES,
     0,
     WEFT_STRAIN_LOGARITHMIC},
    {"bend spring", wf_bend_spring_create, ALL, 0, 0, {0}, HINGES, 0, 0},
    {"thread", wf_thread_create, ALL, 0, 0, {0}, WOVEN, 0, 0},
    {"area", wf_area_create, ALL, WEFT_SHEAR_AREA, 0, {0}, WOVEN, 0, 0},
    {"rope", wf_rope_create, ALL, 0, 0, {0}, ROPES, 0, 0},
    {"band", wf_band_create, ALL, 0, 0, {0}, BANDS, 0, 0},
    {"rope bend", wf_rope_bend_create, MOMENTUM | ANGULAR, 0, 0, {0}, ROPES, 0, 0},
    {"curvature", wf_curvature_create, ALL, 0, 0, {0}, THREADS, 0, 0},
    {"biquadratic", wf_membrane_create, ALL, 0, 0, {0}, TRIANGLES, WEFT_STRETCH_BIQUADRATIC, 0},
    {"quadratic", wf_membrane_create, ALL, 0, 0, {0}, TRIANGLES, WEFT_STRETCH_QUADRATIC, 0},
    {"Cauchy", wf_membrane_create, MOMENTUM | FIXED, 0, 0, {0}, TRIANGLES, WEFT_STRETCH_CAUCHY, 0},
    {"Green bar", wf_bar_create, ALL, 0, 0, {0}, ROPES, 0, WEFT_STRAIN_GREEN},
    {"logarithmic bar", wf_bar_create, ALL, 0, 0, {0}, ROPES, 0, WEFT_STRAIN_LOGARITHMIC},
    {"measured", wf_measured_create, ALL, 0, 0, {0}, TRIANGLES, WEFT_STRETCH_MEASURED, 0},
    {"angle", wf_hinge_create, ALL | FROZEN, 0, 0, {0}, HINGES, 0, 0},
    {"spring between", wf_spring_create, ALL | BETWEEN, 0, 0, {0}, HINGES, 0, 0},
    {"bend between", wf_bend_create, MOMENTUM | ANGULAR | BETWEEN, 0, 0, {0}, HINGES, 0, 0},
    {"angle between", wf_hinge_create, ALL | FROZEN | BETWEEN, 0, 0, {0}, HINGES, 0, 0},
    {"mass damping between", wf_damping_create, BETWEEN, 0, 0, {0}, HINGES, 0, 0},
    LINEAR_ROWS("linear spring", wf_linear_spring_create),
    LINEAR_ROWS("linear triangle", wf_linear_triangle_create),
    {"linear spring that gives way",
     wf_linear_spring_create,
     MOMENTUM | GIVES,
     0,
     WEFT_ESTIMATOR_ROTATION,
     {1.5, -0.5},
     TRIANGLES,
     0,
     0},
    {"linear triangle that gives way",
     wf_linear_triangle_create,
     MOMENTUM | GIVES,
     0,
     WEFT_ESTIMATOR_VERTEX,
     {2.5, -2, .5},
     TRIANGLES,
     0,
     0},
    {"linear triangle axes",
     wf_linear_triangle_create,
     MOMENTUM,
     WEFT_SHEAR_PRODUCT,
     WEFT_ESTIMATOR_VERTEX,
     {2.5, -2, .5},
     TRIANGLES,
     0,
     0},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

// ---------------------------------------------------------------------------------------------
// Meshes: about a dozen vertices each

static WeftResult make_grid(WeftGridKind kind, WeftMesh* mesh) {
    WeftGridDef def = {.width = 1, .height = 0.6, .columns = 3, .rows = 2, .kind = kind};
    return weft_make_grid(&def, NULL, mesh, NULL);
}

static WeftResult crossed(WeftMesh* mesh) { return make_grid(WEFT_GRID_CROSSED, mesh); }
static WeftResult crossed_twice(WeftMesh* mesh) { return make_grid(WEFT_GRID_CROSSED_TWICE, mesh); }
static WeftResult woven(WeftMesh* mesh) { return make_grid(WEFT_GRID_WOVEN, mesh); }
static WeftResult alternating(WeftMesh* mesh) { return make_grid(WEFT_GRID_ALTERNATING, mesh); }
static WeftResult irregular(WeftMesh* mesh) {
    return weft_make_rectangle(1, 0.8, 0.45, NULL, mesh, NULL);
}
static WeftResult disc(WeftMesh* mesh) { return weft_make_disc(0.5, 0.5, NULL, mesh, NULL); }

// One vertex bends a hinge that is not convex.
static WeftResult two_triangles(WeftMesh* mesh) {
    WeftResult result = make_grid(WEFT_GRID_ONE_WAY, mesh);
    static const double flat[8] = {0, 0, 1, 0, 3, 0.3, 0.9, -0.2};
    static const int corners[6] = {0, 1, 2, 1, 0, 3};
    mesh->vertex_count = mesh->material_count = 4;
    mesh->triangle_count = 2;
    mesh->spring_count = 0;
    memcpy(mesh->material, flat, sizeof flat);
    memcpy(mesh->triangles, corners, sizeof corners);
    for (int i = 0; i < 4; i++)
        wf_store(mesh->positions, i, (WfVec){flat[2 * i], 0, -flat[2 * i + 1]});
    return result;
}

// Starts folded along a line across the cloth; its flat shape is flat.
static WeftResult folded(WeftMesh* mesh) {
    WeftResult result = alternating(mesh);
    const double fold = 1.0 / 3;
    for (int i = 0; i < mesh->vertex_count; i++) {
        WfVec x = wf_load(mesh->positions, i);
        if (x.x > fold) wf_store(mesh->positions, i, (WfVec){fold, x.x - fold, x.z});
    }
    return result;
}

// Segments of different lengths.
static WeftResult rope(WeftMesh* mesh) {
    static const double at[6] = {0, 0.2, 0.5, 0.6, 0.85, 1};
    WeftRopeDef def = {.length = 1, .segments = 5};
    WeftResult result = weft_make_rope(&def, NULL, mesh, NULL);
    for (int i = 0; i < 6; i++) mesh->positions[3 * i] = at[i];
    return result;
}

// Woven, with ropes in the place of two threads at its sides.
static WeftResult roped(WeftMesh* mesh) {
    WeftResult result = woven(mesh);
    mesh->threads[mesh->thread_count - 1].kind = WEFT_THREAD_ROPE;
    mesh->threads[0].kind = WEFT_THREAD_ROPE;
    return result;
}

// Woven, with a band along one side.
static WeftResult banded(WeftMesh* mesh) {
    WeftResult result = woven(mesh);
    mesh->threads[0].kind = WEFT_THREAD_BAND;
    mesh->threads[0].ratio = 1;
    mesh->threads[0].stretch = 11;
    return result;
}

// With a fold along an inner edge.
static WeftResult creased(WeftMesh* mesh) {
    WeftResult result = alternating(mesh);
    WfTopology topology;
    if (!result) result = wf_mesh_add_threads(mesh, 1, 2, NULL);
    if (!result)
        result = wf_topology_create(&mesh->allocator, mesh->vertex_count, mesh->triangle_count,
                                    mesh->triangles, &topology, NULL);
    if (result) return result;
    mesh->threads[0] = (WeftThread){.kind = WEFT_THREAD_FOLD, .count = 2};
    memcpy(mesh->thread_vertices, topology.hinges[topology.hinge_count / 2].edge, 2 * sizeof(int));
    wf_topology_destroy(&mesh->allocator, &topology);
    return result;
}

static const struct {
    const char* name;
    WeftResult (*make)(WeftMesh*);
    bool bare;  // without material points: at rest as it stands
} meshes[] = {
    {"crossed", crossed, false}, {"alternating", alternating, false},
    {"bare", alternating, true}, {"irregular", irregular, false},
    {"disc", disc, false},       {"two triangles", two_triangles, false},
    {"folded", folded, false},   {"crossed twice", crossed_twice, false},
    {"woven", woven, false},     {"bare woven", woven, true},
    {"banded", banded, false},   {"rope", rope, false},
    {"creased", creased, false}, {"roped", roped, false},
};
enum { MESH_COUNT = sizeof meshes / sizeof *meshes };

// Some vertices are driven, some only damped or only pulled, some neither.
static void drive(WeftClothDef* def) {
    enum { MOST = 64 };
    static const double pulls[] = {40, 0, 25, 60, 0, 33}, brakes[] = {2, 0, 0, 5, 1, 3};
    static double stiffness[MOST], damping[MOST];
    CHECK(def->vertex_count <= MOST);
    for (int i = 0; i < MOST; i++) stiffness[i] = pulls[i % 6], damping[i] = brakes[i % 6];
    def->drive_stiffness = stiffness, def->drive_damping = damping;
}

static TestCloth make_cloth(int mesh) {
    TestCloth cloth = {.def = weft_default_cloth_def()};
    CHECK(meshes[mesh].make(&cloth.mesh) == WEFT_OK);
    weft_use_mesh(&cloth.def, &cloth.mesh);
    drive(&cloth.def);
    if (meshes[mesh].bare) {
        cloth.def.material = NULL;
        cloth.def.material_count = 0;
    }
    cloth.def.fabric.stretch_warp = 30;
    cloth.def.fabric.stretch_weft = 20;
    cloth.def.fabric.shear = 7;
    cloth.def.fabric.bend = 1e-3;
    cloth.def.fabric.bend_spring = 5;
    cloth.def.fabric.mass_damping = 2;
    cloth.def.fabric.rope_stretch = 25;
    cloth.def.fabric.rope_bend = 3e-4;
    // equal rows: stretch has an energy then; B rises by 4e-5 for every 1/m, up to 10/m
    cloth.def.fabric.measured.reference_strain = 0.2;
    for (int i = 0; i < 6; i++)
        memcpy(cloth.def.fabric.measured.stretch[i], (double[4]){30, 8, 20, 12},
               4 * sizeof(double));
    for (int i = 0; i < 15; i++)
        cloth.def.fabric.measured.bend[i / 5][i % 5] = (i / 5 + 1) * (5e-4 + 4e-4 * (i % 5));
    open_cloth(&cloth);
    return cloth;
}

static bool has_thread(const TestCloth* cloth, unsigned kinds) {
    for (int t = 0; t < cloth->def.thread_count; t++)
        if (wf_thread_is(&cloth->def.threads[t], kinds)) return true;
    return false;
}

static bool has_needs(const TestCloth* cloth, Needs needs) {
    switch (needs) {
        case TRIANGLES:
            return cloth->def.triangle_count > 0;
        case HINGES:
            return cloth->topology.hinge_count > 0;
        case WOVEN:
            return has_thread(cloth, WF_WARPS | WF_WEFTS);
        case ROPES:
            return has_thread(cloth, WF_ROPES);
        case BANDS:
            return has_thread(cloth, WF_BANDS);
        case THREADS:
            return has_thread(cloth, WF_WARPS | WF_WEFTS | WF_ROPES);
        default:
            return true;
    }
}

// a mesh that has what the row needs
static int mesh_for(const TermRow* row) {
    enum { ALTERNATING = 1 };
    for (int m = ALTERNATING; m < MESH_COUNT; m++) {
        TestCloth cloth = make_cloth(m);
        bool good = has_needs(&cloth, row->needs);
        close_cloth(&cloth);
        if (good) return m;
    }
    return 0;
}

// The term of the last portion, which is between the two fabrics.
static WfTerm* make_between(const TermRow* row, const WfClothParts* parts,
                            const WeftAllocator* allocator) {
    enum { MOST = 64 };
    int other[MOST];
    WeftClothDef def = *parts->def;
    WeftFabric fabric = def.fabric;
    CHECK(def.triangle_count <= MOST);
    for (int t = 0; t < def.triangle_count; t++) other[t] = t % 2 - 1;
    fabric.stretch_warp = 70, fabric.stretch_weft = 90, fabric.bend = 7e-3;
    fabric.mass_damping = 5, fabric.stretch_damping *= 3, fabric.bend_damping *= 3;
    memset(fabric.measured.bend, 0, sizeof fabric.measured.bend);  // `bend`, and no table
    def.triangle_fabric = other, def.fabrics = &fabric, def.fabric_count = 1;
    WfClothParts whole = *parts;
    WfPortions portions;
    whole.def = &def;
    if (wf_portions_create(allocator, &whole, &portions)) return NULL;
    CHECK(portions.count == 3);
    WfTerm* term = row->create(allocator, &portions.all[portions.count - 1].parts);
    wf_portions_destroy(allocator, &portions);
    return term;
}

static WfTerm* make_row(const TestCloth* cloth, const TermRow* row, bool damped,
                        const WeftAllocator* allocator) {
    WeftClothDef def = cloth->def;
    def.stretch = row->stretch;
    def.rope_strain = row->strain;
    def.shear = row->shear;
    def.estimator = row->estimator;
    memcpy(def.estimator_weights, row->weights, sizeof def.estimator_weights);
    def.fabric.stretch_damping = def.fabric.bend_damping = damped ? 0.02 : 0;
    WfClothParts parts = cloth_parts(cloth, &def);
    return row->conserves & BETWEEN ? make_between(row, &parts, allocator)
                                    : row->create(allocator, &parts);
}

static TestTerm* open_row(const TestCloth* cloth, const TermRow* row, bool damped,
                          const WeftAllocator* allocator) {
    TestTerm* t = open_term(make_row(cloth, row, damped, allocator), cloth->rows);
    t->space.give = row->conserves & GIVES ? 0.03 : 0;
    return t;
}

// ---------------------------------------------------------------------------------------------
// Motions

static const WfVec TURN = {0.6, -1.1, 0.8}, SMALL_TURN = {0.05, 0.12, -0.09};
static const WfVec AWAY = {0.3, -0.4, 0.2};

// to = turned and shifted `from`, with noise
static void move_rows(const TestTerm* t, WfVec turn, WfVec shift, double noise, const double* from,
                      double* to) {
    for (int i = 0; i < t->rows; i++) {
        WfVec jitter = {random_unit(), random_unit(), random_unit()};
        WfVec x = wf_add(wf_rotate(turn, wf_load(from, i)), shift);
        wf_store(to, i, wf_madd(x, noise, jitter));
    }
}

// The flat shape, in the plane y = 0.
static void lay_flat(const TestCloth* cloth, TestTerm* t) {
    for (int i = 0; i < cloth->def.vertex_count; i++) {
        WfVec x = wf_load(cloth->def.positions, i);
        if (cloth->def.material)
            x = (WfVec){cloth->def.material[2 * i], 0, -cloth->def.material[2 * i + 1]};
        wf_store(t->x, ROWS_BEFORE + i, x);
    }
}

static const struct {
    const char* name;
    double warp, weft, noise;
} shapes[] = {
    {"stretched", 1.4, 1.25, 0.02}, {"compressed", 0.6, 0.7, 0.03}, {"mixed", 1.3, 0.7, 0.05}};
enum { SHAPE_COUNT = sizeof shapes / sizeof *shapes };

// Positions n, n-1 and n-2, deformed and turning on; one vertex is pinned and led away.
static void deform(const TestCloth* cloth, TestTerm* t, int shape) {
    lay_flat(cloth, t);
    for (int i = 0; i < t->rows; i++) {
        WfVec x = wf_load(t->x, i);
        wf_store(t->x, i, (WfVec){shapes[shape].warp * x.x, x.y, shapes[shape].weft * x.z});
    }
    move_rows(t, TURN, AWAY, shapes[shape].noise, t->x, t->x);
    WfVec back = wf_mul(-1, SMALL_TURN), away = wf_mul(0.1, AWAY);
    move_rows(t, back, away, 0.01, t->x, t->x1);
    move_rows(t, back, away, 0.01, t->x1, t->x2);
    move_rows(t, SMALL_TURN, away, 0.01, t->x, t->goal);
    for (int i = 0; i < t->n; i++) t->v[i] = random_unit();
    t->pinned[ROWS_BEFORE + 1] = 1;
}

// Where the loop asks for forces: near to where the motion leads.
static double* next_positions(const TestTerm* t) {
    double* x = new_doubles(t->n);
    move_rows(t, SMALL_TURN, wf_mul(-0.1, AWAY), 0.01, t->x, x);
    return x;
}

// ---------------------------------------------------------------------------------------------
// The one loop

typedef struct Combination {
    const TermRow* row;
    const TestCloth* cloth;
    bool damped;
    int order, shape;
} Combination;

typedef void TermCheck(const Combination* c, TestTerm* t);

static void try_shapes(Combination c, TermCheck* check, const char* mesh) {
    WeftAllocator allocator = plain_allocator();
    for (int i = 0; i < 4 * SHAPE_COUNT; i++) {
        c.damped = i & 1;
        c.order = 1 + (i >> 1 & 1);
        c.shape = i >> 2;
        // one-sided springs that are all slack have nothing to show
        if (c.row->create == wf_one_sided_spring_create && shapes[c.shape].warp < 1) continue;
        int before = test_failures;
        random_state = 1;  // a new row changes nothing for the others
        TestTerm* t = open_row(c.cloth, c.row, c.damped, &allocator);
        deform(c.cloth, t, c.shape);
        reset_term(t);
        begin_term(t, 0.01, c.order);
        check(&c, t);
        close_term(t);
        if (test_failures > before)
            printf("    %s, %s, %s, order %d, %s\n", c.row->name, mesh,
                   c.damped ? "damped" : "undamped", c.order, shapes[c.shape].name);
    }
}

static void for_every_term(TermCheck* check) {
    for (int m = 0; m < MESH_COUNT; m++) {
        TestCloth cloth = make_cloth(m);
        for (int r = 0; r < ROW_COUNT; r++)
            if (has_needs(&cloth, rows[r].needs))
                try_shapes((Combination){.row = &rows[r], .cloth = &cloth}, check, meshes[m].name);
        close_cloth(&cloth);
    }
}

static bool is_linear(const TestTerm* t) { return t->term->type->kind == WF_TERM_LINEAR; }

// ---------------------------------------------------------------------------------------------
// Checks

static void check_force(const Combination* c, TestTerm* t) {
    (void)c;
    const double step = 1e-5;
    double *x = next_positions(t), *f = new_doubles(t->n), *slope = new_doubles(t->n);
    force_at(t, x, f);
    for (int i = 0; i < t->n; i++) {
        double at = x[i];
        x[i] = at + step;
        double up = energy_at(t, x);
        x[i] = at - step;
        slope[i] = -(up - energy_at(t, x)) / (2 * step);
        x[i] = at;
    }
    CHECK(largest(f, t->n) > 0);
    CHECK_BELOW(largest_difference(f, slope, t->n), 1e-6 * largest(f, t->n));
    // the rows of other cloths feel nothing
    CHECK(largest(f, 3 * ROWS_BEFORE) == 0);
    CHECK(largest(f + t->n - 3 * ROWS_AFTER, 3 * ROWS_AFTER) == 0);
    free(x), free(f), free(slope);
}

static double* difference_stiffness(const TestTerm* t, double* x) {
    const double step = 1e-5;
    int n = t->n;
    double *K = new_doubles((long)n * n), *up = new_doubles(n), *down = new_doubles(n);
    for (int j = 0; j < n; j++) {
        double at = x[j];
        x[j] = at + step;
        force_at(t, x, up);
        x[j] = at - step;
        force_at(t, x, down);
        x[j] = at;
        for (int i = 0; i < n; i++) K[(long)j * n + i] = -(up[i] - down[i]) / (2 * step);
    }
    free(up), free(down);
    return K;
}

static void linearise(const TestTerm* t, const double* x, bool exact) {
    unsigned want = WF_WANT_LINEARISE | (exact ? WF_WANT_EXACT : 0);
    t->term->type->evaluate(t->term, &t->space, x, want, 1, NULL);
}

static void check_jacobian(const Combination* c, TestTerm* t) {
    if (c->row->conserves & FROZEN) return;
    double* x = next_positions(t);
    double* measured = difference_stiffness(t, x);
    if (!is_linear(t)) linearise(t, x, true);
    double* K = is_linear(t) ? dense_majorant(t) : dense_product(t);
    long size = (long)t->n * t->n;
    CHECK_BELOW(largest_difference(K, measured, size), 1e-5 * largest(K, size) + NOTHING_LEFT);
    free(x), free(measured), free(K);
}

// blocks == product, diagonal == diagonal of blocks, block product == matrix-free product
static void compare_blocks(TestTerm* t) {
    const double scale = 0.37;
    int n = t->n;
    long size = (long)n * n;
    WfBlockMatrix matrix = {&t->blocks, new_doubles(6L * t->rows),
                            new_doubles(9L * t->blocks.start[t->rows])};
    double *D = new_doubles(6L * t->rows), *p = new_doubles(n), *q = new_doubles(n);
    double* q_blocks = new_doubles(n);
    double* free_form = dense_product(t);
    t->term->type->blocks(t->term, &t->space, 1, &matrix);
    double* assembled = dense_blocks(&matrix);
    double most = largest(assembled, size) + NOTHING_LEFT;
    CHECK_BELOW(largest_difference(free_form, assembled, size), 1e-13 * most);
    t->term->type->diagonal(t->term, &t->space, 1, D);
    CHECK_BELOW(largest_difference(D, matrix.diagonal, 6L * t->rows), 1e-14 * most);

    for (int i = 0; i < n; i++) p[i] = random_unit();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) q_blocks[i] += assembled[(long)i * n + j] * p[j];
    t->term->type->product(t->term, &t->space, 1, p, q);
    CHECK_BELOW(largest_difference(q, q_blocks, n), 1e-13 * most);

    // a second time, scaled: everything is added to what is there
    t->term->type->blocks(t->term, &t->space, scale, &matrix);
    t->term->type->diagonal(t->term, &t->space, scale, D);
    t->term->type->product(t->term, &t->space, scale, p, q);
    double* twice = dense_blocks(&matrix);
    for (long i = 0; i < size; i++) assembled[i] *= 1 + scale;
    for (int i = 0; i < n; i++) q_blocks[i] *= 1 + scale;
    CHECK_BELOW(largest_difference(twice, assembled, size), 1e-13 * most);
    CHECK_BELOW(largest_difference(D, matrix.diagonal, 6L * t->rows), 1e-13 * most);
    CHECK_BELOW(largest_difference(q, q_blocks, n), 1e-13 * most);
    double* buffers[] = {matrix.diagonal, matrix.upper, D,         p,    q,
                         q_blocks,        free_form,    assembled, twice};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) free(buffers[i]);
}

static void check_blocks(const Combination* c, TestTerm* t) {
    (void)c;
    if (is_linear(t)) return;
    double* x = next_positions(t);
    linearise(t, x, true);
    compare_blocks(t);
    linearise(t, x, false);
    compare_blocks(t);
    free(x);
}

static void check_momentum(const Combination* c, TestTerm* t) {
    double *x = next_positions(t), *f = new_doubles(t->n);
    force_at(t, x, f);
    WfVec sum = {0, 0, 0}, torque = {0, 0, 0};
    double forces = 0, torques = 0;
    for (int i = 0; i < t->rows; i++) {
        WfVec fi = wf_load(f, i), xi = wf_load(x, i);
        sum = wf_add(sum, fi);
        torque = wf_add(torque, wf_cross(xi, fi));
        forces += wf_length(fi);
        torques += wf_length(xi) * wf_length(fi);
    }
    int angular = c->damped ? ANGULAR_DAMPED : ANGULAR;
    if (c->row->conserves & MOMENTUM) CHECK_BELOW(wf_length(sum), 1e-10 * forces);
    if (c->row->conserves & angular) CHECK_BELOW(wf_length(torque), 1e-10 * torques);
    free(x), free(f);
}

// Flat and turned, with no motion behind it, or moving on without turning: no force.
static void check_rest(const Combination* c, TestTerm* t) {
    double *x = next_positions(t), *f = new_doubles(t->n);
    force_at(t, x, f);
    double scale = largest(f, t->n);
    if (c->row->conserves & SLACK) scale += 10;  // N: rounding is that of the whole stiffness
    memset(t->pinned, 0, (size_t)t->rows);
    for (int moving = 0; moving < 2; moving++) {
        WfVec way = wf_mul(moving ? 0.1 : 0, AWAY);
        if (c->row->conserves & FIXED)
            copy_doubles(t->x + 3 * ROWS_BEFORE, c->cloth->def.positions,
                         3L * c->cloth->def.vertex_count);
        else
            lay_flat(c->cloth, t);
        move_rows(t, c->row->conserves & FIXED ? (WfVec){0} : TURN, AWAY, 0, t->x, t->x);
        move_rows(t, (WfVec){0}, wf_mul(-1, way), 0, t->x, t->x1);
        move_rows(t, (WfVec){0}, wf_mul(-2, way), 0, t->x, t->x2);
        move_rows(t, (WfVec){0}, way, 0, t->x, x);
        reset_term(t);
        begin_term(t, 0.01, c->order);
        force_at(t, x, f);
        if (moving && !(c->row->conserves & MOMENTUM)) continue;  // mass damping brakes it
        CHECK_BELOW(largest(f, t->n), 1e-12 * (scale + 1));       // of some N/m
    }
    free(x), free(f);
}

static void check_covariance(const Combination* c, TestTerm* t) {
    double *x = next_positions(t), *f = new_doubles(t->n), *turned = new_doubles(t->n);
    double energy = force_at(t, x, f);
    move_rows(t, TURN, (WfVec){0}, 0, f, f);
    double* arrays[] = {t->x, t->x1, t->x2, t->goal, x};
    for (int i = 0; i < 5; i++) move_rows(t, TURN, AWAY, 0, arrays[i], arrays[i]);
    reset_term(t);
    begin_term(t, 0.01, c->order);
    if (c->row->conserves & FIXED) {
        force_at(t, x, turned);
        CHECK(largest_difference(f, turned, t->n) > 1e-2 * largest(f, t->n));
    } else {
        CHECK_NEAR(force_at(t, x, turned), energy, 1e-10 * energy);
        CHECK_BELOW(largest_difference(f, turned, t->n), 1e-10 * largest(f, t->n));
    }
    free(x), free(f), free(turned);
}

// The clamped stiffness is positive semidefinite; the majorant is above it and above the exact one.
static void check_definite(const Combination* c, TestTerm* t) {
    (void)c;
    double* x = next_positions(t);
    long size = (long)t->n * t->n;
    if (is_linear(t)) {
        double* A = dense_majorant(t);
        CHECK(is_positive(A, t->n, 1e-10));
        free(A), free(x);
        return;
    }
    for (int exact = 0; exact < 2; exact++) {
        linearise(t, x, exact);
        double* K = dense_product(t);
        if (!t->term->type->unbounded) {
            double* A = dense_majorant(t);
            double rounding = 1e-14 * largest(A, size);  // where the two are the same
            for (long i = 0; i < size; i++) A[i] -= K[i] - (i % (t->n + 1) == 0 ? rounding : 0);
            CHECK(is_positive(A, t->n, 1e-10));
            free(A);
        }
        if (!exact) CHECK(is_positive(K, t->n, 1e-10));
        free(K);
    }
    free(x);
}

// Linear terms: F = b - K x, and E = x.Kx/2 - b.x + const.
static void check_load(const Combination* c, TestTerm* t) {
    (void)c;
    if (!is_linear(t)) return;
    int n = t->n;
    double *x = next_positions(t), *f = new_doubles(n), *b = new_doubles(n), *g = new_doubles(n);
    double *K = dense_majorant(t), constant[2];
    t->term->type->load(t->term, &t->space, 1, b);
    for (int round = 0; round < 2; round++) {
        double energy = force_at(t, x, f), xKx = 0, bx = 0;
        for (int i = 0; i < n; i++) {
            double Kx = 0;
            for (int j = 0; j < n; j++) Kx += K[(long)i * n + j] * x[j];
            g[i] = b[i] - Kx;
            xKx += x[i] * Kx;
            bx += b[i] * x[i];
        }
        CHECK_BELOW(largest_difference(f, g, n), 1e-12 * (largest(b, n) + largest(f, n)) + 1e-12);
        constant[round] = energy - xKx / 2 + bx;
        CHECK_NEAR(constant[round], constant[0], 1e-11 * (fabs(xKx) + fabs(bx)));
        move_rows(t, SMALL_TURN, AWAY, 0.1, x, x);
    }
    // loads add up, by scale
    copy_doubles(g, b, n);
    t->term->type->load(t->term, &t->space, -1, g);
    CHECK_BELOW(largest(g, n), 1e-13 * largest(b, n) + 1e-300);
    free(x), free(f), free(b), free(g), free(K);
}

// Forces are added to what is there, by scale; the energy does not depend on what is wanted.
static void check_accumulation(const Combination* c, TestTerm* t) {
    (void)c;
    int n = t->n;
    double *x = next_positions(t), *f = new_doubles(n), *g = new_doubles(n);
    double energy = force_at(t, x, f);
    CHECK(energy_at(t, x) == energy);
    for (int i = 0; i < n; i++) g[i] = 1;
    unsigned want = WF_WANT_FORCE | WF_WANT_LINEARISE;
    CHECK(t->term->type->evaluate(t->term, &t->space, x, want, -2, g) == energy);
    for (int i = 0; i < n; i++) g[i] = (1 - g[i]) / 2;
    CHECK_BELOW(largest_difference(f, g, n), 1e-13 * (largest(f, n) + 1));
    free(x), free(f), free(g);
}

// Damping by velocity, for explicit use. It takes energy, never brakes a turning cloth (but for a
// bent hinge, whose vector is braked as a whole), and is what the implicit damping does for ever
// shorter steps.
static void check_explicit_damping(const Combination* c, TestTerm* t) {
    int n = t->n;
    bool mass = t->term->type->role == WF_ROLE_OTHER;
    double *f = new_doubles(n), *g = new_doubles(n), *x = new_doubles(n);
    const WfTermClass* type = t->term->type;
    if (type->damp) type->damp(t->term, &t->space, t->x, t->v, 1, f);
    if (!type->damp || (!c->damped && !mass)) {
        CHECK(largest(f, n) == 0);
        free(f), free(g), free(x);
        return;
    }
    double power = 0, scale = largest(f, n);
    WfVec sum = {0, 0, 0};
    for (int i = 0; i < n; i++) power += f[i] * t->v[i];
    for (int i = 0; i < t->rows; i++) sum = wf_add(sum, wf_load(f, i));
    CHECK(power < 0 || (scale == 0 && c->row->conserves & SLACK));
    scale += NOTHING_LEFT;
    if (!mass) CHECK_BELOW(wf_length(sum), 1e-12 * scale);

    // the implicit damping of a step of gamma from x with x' = x + gamma v, to first order
    if (!is_linear(t) || mass || type->role == WF_ROLE_BEND) {
        const double gamma = 1e-8;
        copy_doubles(t->x1, t->x, n);
        begin_term(t, gamma, 1);
        for (int i = 0; i < n; i++) x[i] = t->x[i] + gamma * t->v[i];
        force_at(t, x, g);
        begin_term(t, INFINITY, 1);
        type->evaluate(t->term, &t->space, x, WF_WANT_FORCE, -1, g);
        CHECK_BELOW(largest_difference(f, g, n), 1e-5 * scale + NOTHING_LEFT);
    }
    if (c->row->conserves & ANGULAR_DAMPED) {
        for (int i = 0; i < t->rows; i++)
            wf_store(t->v, i, wf_add(AWAY, wf_cross(TURN, wf_load(t->x, i))));
        memset(f, 0, (size_t)n * sizeof *f);
        type->damp(t->term, &t->space, t->x, t->v, 1, f);
        CHECK_BELOW(largest(f, n), 1e-12 * scale);
    }
    free(f), free(g), free(x);
}

// Without memory and scratch the measured terms give the plain energy: no damping, flat is rest.
static void check_measuring(const Combination* c, TestTerm* t) {
    bool measured = !is_linear(t) || t->term->type->role == WF_ROLE_BEND;
    if (t->term->type->role == WF_ROLE_OTHER) return;  // what drives it stores nothing
    if (!measured) return;
    double* x = next_positions(t);
    WfTermSpace bare = {.partial = t->space.partial, .jobs = &t->jobs, .give = t->space.give};
    double plain = t->term->type->evaluate(t->term, &bare, x, 0, 1, NULL);
    begin_term(t, INFINITY, c->order);
    CHECK_NEAR(energy_at(t, x), plain, 1e-13 * plain);
    CHECK(plain > 0);
    free(x);
}

// All vertices in one point, before and after the step: nothing to divide by, and no NaN.
static void check_collapsed(const Combination* c, TestTerm* t) {
    int n = t->n;
    for (int stage = 0; stage < 3; stage++) {  // only x(n); the history too; always so
        if (stage > 0) memset(t->x1, 0, (size_t)n * sizeof *t->x1);
        if (stage > 0) memset(t->x2, 0, (size_t)n * sizeof *t->x2);
        memset(t->x, 0, (size_t)n * sizeof *t->x);
        memset(t->goal, 0, (size_t)n * sizeof *t->goal);
        if (stage > 1) reset_term(t);
        begin_term(t, 0.01, c->order);
        double* f = new_doubles(n);
        CHECK(isfinite(force_at(t, t->x, f)));
        for (int i = 0; i < n; i++) CHECK(isfinite(f[i]));
        for (int exact = 0; exact < 2 && !is_linear(t); exact++) {
            linearise(t, t->x, exact);
            double* K = dense_product(t);
            if (exact)
                CHECK(isfinite(largest(K, (long)n * n)));
            else
                CHECK(is_positive(K, n, 1e-10));
            free(K);
        }
        if (t->term->type->damp) t->term->type->damp(t->term, &t->space, t->x, t->v, 1, f);
        for (int i = 0; i < n; i++) CHECK(isfinite(f[i]));
        free(f);
    }
}

// Damping holds against l~ = (4 l(n) - l(n-1))/3, which is negative where a fibre has shrunk to a
// quarter within a step: the rest length it makes must not be, or no majorant is above K.
static void check_contraction(const Combination* c, TestTerm* t) {
    int n = t->n;
    for (int i = 0; i < n; i++) t->x1[i] = t->x2[i] = 8 * t->x[i];
    begin_term(t, 0.01, c->order);
    check_definite(c, t);
}

static void forces(void) { for_every_term(check_force); }
static void jacobians(void) { for_every_term(check_jacobian); }
static void blocks_product_diagonal(void) { for_every_term(check_blocks); }
static void momentum(void) { for_every_term(check_momentum); }
static void rest(void) { for_every_term(check_rest); }
static void covariance(void) { for_every_term(check_covariance); }
static void definite(void) { for_every_term(check_definite); }
static void loads(void) { for_every_term(check_load); }
static void accumulation(void) { for_every_term(check_accumulation); }
static void explicit_damping(void) { for_every_term(check_explicit_damping); }
static void measuring(void) { for_every_term(check_measuring); }
static void hard_contraction(void) { for_every_term(check_contraction); }
static void collapsed(void) { for_every_term(check_collapsed); }

// ---------------------------------------------------------------------------------------------

// Energy of a row on the alternating grid of 0.6 m^2 under x -> (1 + warp, 1 + weft, shear).
static double strained_energy(int mesh, int row, double warp, double weft, double shear) {
    WeftAllocator allocator = plain_allocator();
    TestCloth cloth = make_cloth(mesh);
    TestTerm* t = open_row(&cloth, &rows[row], false, &allocator);
    lay_flat(&cloth, t);
    for (int i = 0; i < t->rows; i++) {
        WfVec x = wf_load(t->x, i);
        wf_store(t->x, i, (WfVec){(1 + warp) * x.x + shear * x.z, 0, (1 + weft) * x.z});
    }
    begin_term(t, 0.01, 1);
    double energy = energy_at(t, t->x);
    close_term(t);
    close_cloth(&cloth);
    return energy;
}

// The fabric's numbers (30 N/m warp, 20 weft, 7 shear) mean what they say.
static void known_energies(void) {
    enum { CROSSED = 0, ALTERNATING = 1, SPRING = 0, TRIANGLE = 1, AXES = 2, PRODUCT = 3 };
    const double area = 0.6, e = 1e-3;
    CHECK_NEAR(strained_energy(ALTERNATING, AXES, e, 0, 0), area / 2 * 30 * e * e, 1e-12);
    CHECK_NEAR(strained_energy(ALTERNATING, AXES, 0, e, 0), area / 2 * 20 * e * e, 1e-12);
    // the diagonals stretch by half of what the axes do, and cost A k g^2/4 in shear
    double diagonals = area / 2 * 7 * 2 * (e / 2) * (e / 2);
    CHECK_NEAR(strained_energy(ALTERNATING, TRIANGLE, e, 0, 0), area / 2 * 30 * e * e + diagonals,
               3e-8 * area);
    CHECK_NEAR(strained_energy(ALTERNATING, TRIANGLE, 0, 0, e), area * 7 * e * e / 4, 3e-9 * area);
    CHECK_NEAR(strained_energy(ALTERNATING, PRODUCT, 0, 0, e), area / 2 * 7 * e * e, 1e-9 * area);
    // springs: 9 along the warp of 1/3 m, 8 along the weft of 0.3 m, 12 diagonals of both
    double length = hypot(1.0 / 3, 0.3), part = 1 / (9 * length);  // d length per e of the warp
    CHECK_NEAR(strained_energy(CROSSED, SPRING, e, 0, 0),
               9 * 15 * e * e / 9 + 12 * 3.5 * part * part * e * e, 3e-8);
    CHECK_NEAR(strained_energy(CROSSED, SPRING, 0, e, 0),
               8 * 10 * e * e * 0.09 + 12 * 3.5 * pow(0.09 / length, 2) * e * e, 3e-8);
    // the net of triangles: diagonals are stretch springs, mixed by their direction
    double warp = 1.0 / 9 / (length * length), mixed = 30 * warp + 20 * (1 - warp);
    CHECK_NEAR(strained_energy(ALTERNATING, SPRING, e, 0, 0),
               9 * 15 * e * e / 9 + 6 * mixed / 2 * part * part * e * e, 3e-8);
}

// A linear spring that gives way carries what the conventional one does where it is expected to be.
static void linear_springs_carry_the_same(void) {
    static const TermRow pair[2] = {
        {"", wf_spring_create, GIVES, 0, WEFT_ESTIMATOR_NONE, {0}, TRIANGLES, 0, 0},
        {"", wf_linear_spring_create, GIVES, 0, WEFT_ESTIMATOR_PREVIOUS, {0}, TRIANGLES, 0, 0}};
    WeftAllocator allocator = plain_allocator();
    TestCloth cloth = make_cloth(1);
    for (int damped = 0; damped < 2; damped++) {
        double* forces[2];
        int n = 0;
        for (int k = 0; k < 2; k++) {
            TestTerm* t = open_row(&cloth, &pair[k], damped, &allocator);
            random_state = 1;
            deform(&cloth, t, 1);
            reset_term(t);
            begin_term(t, 0.01, 1);
            n = t->n;
            forces[k] = new_doubles(n);
            force_at(t, t->x, forces[k]);
            close_term(t);
        }
        CHECK_BELOW(largest_difference(forces[0], forces[1], n), 1e-12 * largest(forces[0], n));
        free(forces[0]), free(forces[1]);
    }
    close_cloth(&cloth);
}

// What each row makes of a cloth; NULL where it cannot be made of it.
static void list_classes(const TestCloth* cloth, const WfTermClass* classes[ROW_COUNT]) {
    WeftAllocator allocator = plain_allocator();
    for (int r = 0; r < ROW_COUNT; r++) {
        classes[r] = NULL;
        if (!has_needs(cloth, rows[r].needs)) continue;
        WfTerm* term = make_row(cloth, &rows[r], false, &allocator);
        classes[r] = term->type;
        term->type->destroy(&allocator, term);
    }
}

static void check_tested(const TestCloth* cloth, const WeftClothDef* def, int least,
                         const WfTermClass* classes[ROW_COUNT], bool seen[ROW_COUNT]) {
    WeftAllocator allocator = plain_allocator();
    WfClothParts parts = cloth_parts(cloth, def);
    WfTerm* terms[WF_MAX_CLOTH_TERMS];
    int count = wf_make_terms(&allocator, &parts, terms);
    CHECK(count >= least);
    for (int k = 0; k < count; k++) {
        bool found = terms[k]->type->kind == WF_TERM_EXTERNAL;
        for (int r = 0; r < ROW_COUNT; r++)
            if (classes[r] == terms[k]->type) found = seen[r] = true;
        if (!CHECK(found)) printf("    no row for %s\n", terms[k]->type->name);
        terms[k]->type->destroy(&allocator, terms[k]);
    }
}

// Every nonlinear or linear row of the table of terms.c is a row here, and the other way round.
static void every_term_is_tested(void) {
    bool seen[ROW_COUNT] = {false};
    for (int m = 0; m < MESH_COUNT; m++) {
        TestCloth cloth = make_cloth(m);
        const WfTermClass* classes[ROW_COUNT];
        list_classes(&cloth, classes);
        for (int i = 0; i < 8 * 3 * 4 * 4; i++) {
            WeftClothDef def = cloth.def;
            def.stretch = (WeftStretch)(i % 8);
            def.shear = (WeftShear)(i / 8 % 3);
            def.bend_by = (WeftBendBy)(i / 24 % 4);
            def.estimator = (WeftEstimator)(i / 96);
            def.rope_strain = (WeftStrain)(i % 3);
            // stretch, bend, damping, gravity, air; of ropes, stretch, damping, gravity
            bool plain = def.stretch < WEFT_STRETCH_ONE_SIDED && def.bend_by == WEFT_BEND_BY_HINGES;
            check_tested(&cloth, &def, plain && def.triangle_count > 0 ? 5 : 2, classes, seen);
        }
        close_cloth(&cloth);
    }
    for (int r = 0; r < ROW_COUNT; r++)
        if (!CHECK(seen[r])) printf("    no cloth has the %s\n", rows[r].name);
}

static void nth_allocation_fails(void) {
    for (int r = 0; r < ROW_COUNT; r++) {
        TestCloth cloth = make_cloth(mesh_for(&rows[r]));
        WfTerm* term = NULL;
        int n = 0;
        for (; !term && n < 100; n++) {
            TestMemory memory = {.left = n};
            WeftAllocator allocator = test_allocator(&memory);
            term = make_row(&cloth, &rows[r], true, &allocator);
            if (term) term->type->destroy(&allocator, term);
            CHECK(memory.out == 0);
        }
        CHECK(term && n > 2);
        close_cloth(&cloth);
    }
}

static void fail_making_all(TestCloth cloth, int expected) {
    WfClothParts parts = cloth_parts(&cloth, &cloth.def);
    int count = -1, n = 0;
    for (; count < 0 && n < 200; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WfTerm* terms[WF_MAX_CLOTH_TERMS];
        count = wf_make_terms(&allocator, &parts, terms);
        for (int k = 0; k < count; k++) terms[k]->type->destroy(&allocator, terms[k]);
        CHECK(memory.out == 0);
    }
    CHECK(count == expected && n > 20);
    close_cloth(&cloth);
}

static void nth_allocation_fails_making_all(void) {
    TestCloth cloth = make_cloth(1);
    cloth.def.stretch = WEFT_STRETCH_TRIANGLES;
    cloth.def.shear = WEFT_SHEAR_PRODUCT;
    fail_making_all(cloth, 7);
    cloth = make_cloth(MESH_COUNT - 1);
    cloth.def.stretch = WEFT_STRETCH_THREADS;
    cloth.def.shear = WEFT_SHEAR_AREA;
    fail_making_all(cloth, 9);
}

TEST_MAIN(CASE(forces), CASE(jacobians), CASE(blocks_product_diagonal), CASE(momentum), CASE(rest),
          CASE(covariance), CASE(definite), CASE(loads), CASE(accumulation), CASE(explicit_damping),
          CASE(measuring), SLOW_CASE(hard_contraction), SLOW_CASE(collapsed), CASE(known_energies),
          CASE(linear_springs_carry_the_same), CASE(every_term_is_tested),
          CASE(nth_allocation_fails), CASE(nth_allocation_fails_making_all))
