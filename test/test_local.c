// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards src/small_steps/local.c and the sweeps: that every local form is the force of its term as
// the substep gets short, and the implicit step of an element alone however stiff it is; that it
// keeps momentum, rest and pins; that all kernels have the same bits. A new local form is one row
// in `rows`. (Whole motions: test_small_steps.c.)

#include "energy/element.h"
#include "energy/estimator.h"
#include "energy_test.h"
#include "small_steps/kernel.h"
#include "small_steps/small_steps.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Patches of a few elements, and single ones

static WeftResult grid(WeftGridKind kind, int columns, int rows, WeftMesh* mesh) {
    WeftGridDef def = {.width = 0.3 * columns,
                       .height = 0.25 * rows,
                       .columns = columns,
                       .rows = rows,
                       .kind = kind};
    return weft_make_grid(&def, NULL, mesh, NULL);
}
static WeftResult crossed(WeftMesh* mesh) { return grid(WEFT_GRID_CROSSED, 3, 2, mesh); }
static WeftResult alternating(WeftMesh* mesh) { return grid(WEFT_GRID_ALTERNATING, 3, 2, mesh); }
static WeftResult woven(WeftMesh* mesh) { return grid(WEFT_GRID_WOVEN, 3, 2, mesh); }
static WeftResult one_hinge(WeftMesh* mesh) { return grid(WEFT_GRID_ONE_WAY, 1, 1, mesh); }

static WeftResult one_triangle(WeftMesh* mesh) {
    WeftResult result = one_hinge(mesh);
    mesh->triangle_count = 1;
    mesh->spring_count = 0;
    return result;
}

static WeftResult rope_of(int segments, WeftMesh* mesh) {
    WeftRopeDef def = {.length = 0.25 * segments, .segments = segments};
    return weft_make_rope(&def, NULL, mesh, NULL);
}
static WeftResult rope(WeftMesh* mesh) { return rope_of(5, mesh); }
static WeftResult one_segment(WeftMesh* mesh) { return rope_of(1, mesh); }
static WeftResult one_joint(WeftMesh* mesh) { return rope_of(2, mesh); }

static WeftResult banded(WeftMesh* mesh) {
    WeftResult result = woven(mesh);
    mesh->threads[0].kind = WEFT_THREAD_BAND;
    mesh->threads[0].ratio = 1;
    mesh->threads[0].stretch = 11;
    return result;
}

typedef struct Row {
    const char* name;
    WfTerm* (*create)(const WeftAllocator*, const WfClothParts*);
    WeftResult (*patch)(WeftMesh*);
    WeftResult (*single)(WeftMesh*);  // with one element; NULL: another row has its kernel
    double error;                     // of its implicit step, of the way it goes; 0: floats
    double give;
    WeftShear shear;
    WeftStretch stretch;
    WeftStrain strain;
    // The term brakes the vector and not its length, as it is linear: they are the same where it
    // does not turn.
    bool vector;
    bool twice;  // two solves after one another, the second about where the first has led
} Row;

static const Row rows[] = {
    {"spring", wf_spring_create, crossed, NULL, 0, 0, 0, 0, 0, 0, 0},
    {"spring that gives way", wf_spring_create, crossed, NULL, 0, 0.03, 0, 0, 0, 0, 0},
    {"one-sided spring", wf_one_sided_spring_create, crossed, NULL, 0, 0, 0, 0, 0, 0, 0},
    {"thread", wf_thread_create, woven, NULL, 0, 0, 0, 0, 0, 0, 0},
    {"band", wf_band_create, banded, NULL, 0, 0, 0, 0, 0, 0, 0},
    {"bend spring", wf_bend_spring_create, alternating, one_hinge, 1e-4, 0, 0, 0, 0, 0, 0},
    {"rope", wf_rope_create, rope, one_segment, 1e-4, 0, 0, 0, 0, 0, 0},
    {"rope that gives way", wf_rope_create, rope, one_segment, 0.08, 0.03, 0, 0, 0, 0, 0},
    {"triangle", wf_triangle_create, alternating, one_triangle, 0.1, 0, 0, 0, 0, 0, true},
    {"triangle that gives way", wf_triangle_create, alternating, one_triangle, 0.3, 0.03, 0, 0, 0,
     0, true},
    {"axes", wf_triangle_create, alternating, one_triangle, 0.15, 0, WEFT_SHEAR_PRODUCT, 0, 0, 0,
     0},
    {"measured", wf_measured_create, alternating, one_triangle, 0.3, 0, 0, WEFT_STRETCH_MEASURED, 0,
     0, 0},
    {"measured that gives way", wf_measured_create, alternating, one_triangle, 0.3, 0.03, 0,
     WEFT_STRETCH_MEASURED, 0, 0, 0},
    {"biquadratic", wf_membrane_create, alternating, one_triangle, 0.3, 0, 0,
     WEFT_STRETCH_BIQUADRATIC, 0, 0, 0},
    {"biquadratic that gives way", wf_membrane_create, alternating, one_triangle, 0.3, 0.03, 0,
     WEFT_STRETCH_BIQUADRATIC, 0, 0, 0},
    {"shear product", wf_shear_create, alternating, one_triangle, 0.3, 0, WEFT_SHEAR_PRODUCT, 0, 0,
     0, 0},
    {"angle", wf_hinge_create, alternating, one_hinge, 0.3, 0, 0, 0, 0, 0, 0},
    {"hinge", wf_bend_create, alternating, one_hinge, 1e-4, 0, 0, 0, 0, true, false},
    {"rope hinge", wf_rope_bend_create, rope, one_joint, 1e-4, 0, 0, 0, 0, true, false},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

// ---------------------------------------------------------------------------------------------
// A term on a patch, and its local form

static const double H = 1e-3;  // s

typedef struct Patch {
    const Row* row;
    double harder;  // times as stiff
    TestCloth cloth;
    TestTerm* t;
    WfLocal local;
    WfPoint4 *x, *before;
    float* begun;
    double* masses;  // per row; infinite: pinned
} Patch;

// Numbers that no two of a patch share; stiffness of a light fabric, in all directions another.
static WeftClothDef patch_def(const Row* row, bool damped, double harder) {
    WeftClothDef def = weft_default_cloth_def();
    def.stretch = row->stretch, def.shear = row->shear, def.rope_strain = row->strain;
    def.fabric.stretch_warp = 30 * harder, def.fabric.stretch_weft = 20 * harder;
    def.fabric.shear = 7 * harder;
    def.fabric.bend = 1e-3 * harder, def.fabric.bend_spring = 5 * harder;
    def.fabric.rope_stretch = 25 * harder, def.fabric.rope_bend = 3e-4 * harder;
    def.fabric.stretch_damping = def.fabric.bend_damping = damped ? 0.7e-3 : 0;
    def.fabric.measured.reference_strain = 0.2;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 4; k++)
            def.fabric.measured.stretch[i][k] = harder * (double[4]){30, 8, 20, 12}[k];
    for (int i = 0; i < 15; i++)
        def.fabric.measured.bend[i / 5][i % 5] = harder * (i / 5 + 1) * (5e-4 + 4e-4 * (i % 5));
    return def;
}

static void lay_flat(Patch* p) {
    for (int i = 0; i < p->cloth.def.vertex_count; i++)
        wf_store(p->t->x, ROWS_BEFORE + i, wf_load(p->cloth.def.positions, i));
}

static Patch open_patch(const Row* row, bool single, bool damped, double harder) {
    WeftAllocator allocator = plain_allocator();
    Patch p = {.row = row, .harder = harder};
    p.cloth.def = patch_def(row, damped, harder);
    CHECK((single ? row->single : row->patch)(&p.cloth.mesh) == WEFT_OK);
    weft_use_mesh(&p.cloth.def, &p.cloth.mesh);
    open_cloth(&p.cloth);
    WfClothParts parts = cloth_parts(&p.cloth, &p.cloth.def);
    p.t = open_term(row->create(&allocator, &parts), p.cloth.rows);
    p.t->space.give = row->give;
    CHECK(!wf_local_create(&allocator, p.t->term, p.t->rows, &row->give, &p.local));
    CHECK(p.local.sweep != NULL);
    size_t points = (size_t)(p.t->rows + WF_IDLE_POINTS);
    p.x = calloc(points, sizeof *p.x);
    p.before = calloc(points, sizeof *p.before);
    p.begun = calloc((size_t)wf_local_begun_count(&p.local) + 1, sizeof *p.begun);
    p.masses = new_doubles(p.t->rows);
    for (int i = 0; i < p.t->rows; i++) p.masses[i] = 0.01 * (1 + 0.3 * random_unit());
    lay_flat(&p);
    return p;
}

static void close_patch(Patch* p) {
    WeftAllocator allocator = plain_allocator();
    wf_local_destroy(&allocator, &p->local);
    close_term(p->t);
    close_cloth(&p->cloth);
    free(p->x), free(p->before), free(p->begun), free(p->masses);
}

static const WfVec TURN = {0.6, -1.1, 0.8}, AWAY = {0.3, -0.4, 0.2};

static double noise(double size) { return size * random_unit(); }

// The patch as it lies, stretched by these and turned, with noise; before, not quite as much.
static void deform(Patch* p, double warp, double weft, double size) {
    TestTerm* t = p->t;
    for (int i = 0; i < t->rows; i++) {
        WfVec x = wf_load(t->x, i);
        WfVec at = {warp * x.x + noise(size), x.y + noise(size), weft * x.z + noise(size)};
        at = wf_add(wf_rotate(TURN, at), AWAY);
        wf_store(t->x, i, at);
        wf_store(t->x1, i, wf_add(at, (WfVec){noise(size / 30), noise(size / 30), 0}));
        if (p->row->vector) wf_store(t->x1, i, wf_mul(0.99, at));
    }
}

// x1, where the substep began, is what terms take for the start; x is where its prediction led.
static void begin(Patch* p, double h, const double* x) {
    TestTerm* t = p->t;
    double* led = new_doubles(t->n);
    copy_doubles(led, x, t->n);
    copy_doubles(t->x, t->x1, t->n);
    reset_term(t);
    begin_term(t, h, 1);
    wf_local_begin(&p->local, &t->space, t->x, p->begun);
    copy_doubles(t->x, led, t->n);
    free(led);
    for (int i = 0; i < t->rows; i++) {
        const double *a = t->x + 3L * i, *b = t->x1 + 3L * i;
        p->x[i] = (WfPoint4){(float)a[0], (float)a[1], (float)a[2], (float)(1 / p->masses[i])};
        p->before[i] = (WfPoint4){(float)b[0], (float)b[1], (float)b[2], p->x[i].w};
        for (int k = 0; k < 3; k++) t->x[3 * i + k] = (double)(&p->x[i].x)[k];
    }
}

static void sweep(Patch* p, double h, int sweeps, bool backwards) {
    WfLocalJob job = {p->x, p->before, (float)h, sweeps, p->begun};
    wf_local_run(&p->local, &job, backwards);
}

static WfVec at(const WfPoint4* points, int i) {
    return (WfVec){(double)points[i].x, (double)points[i].y, (double)points[i].z};
}

// How far the sweep has moved vertices.
static double* moved(const Patch* p) {
    double* d = new_doubles(p->t->n);
    for (int i = 0; i < p->t->rows; i++) wf_store(d, i, wf_sub(at(p->x, i), wf_load(p->t->x, i)));
    return d;
}

typedef void PatchCheck(Patch* p);

static const struct {
    const char* name;
    double warp, weft, noise;
} shapes[] = {
    {"stretched", 1.3, 1.2, 0.01}, {"compressed", 0.8, 0.7, 0.01}, {"mixed", 1.2, 0.8, 0.02}};
enum { SHAPE_COUNT = sizeof shapes / sizeof *shapes };

// harder: times as stiff
static void for_every_form(PatchCheck* check, double harder, bool single) {
    for (int i = 0; i < 2 * SHAPE_COUNT * ROW_COUNT; i++) {
        const Row* row = &rows[i / 2 / SHAPE_COUNT];
        int shape = i / 2 % SHAPE_COUNT, before = test_failures;
        if (single && !row->single) continue;
        random_state = 1;
        Patch p = open_patch(row, single, i % 2, harder);
        deform(&p, shapes[shape].warp, shapes[shape].weft, shapes[shape].noise);
        check(&p);
        close_patch(&p);
        if (test_failures > before)
            printf("    %s, %s, %s, %g times as stiff\n", row->name, shapes[shape].name,
                   i % 2 ? "damped" : "undamped", harder);
    }
}

// ---------------------------------------------------------------------------------------------
// Checks

static const double FLOAT = 6e-8;  // the rounding of places about 1 m from the origin, m

static double worst_force, worst_implicit[ROW_COUNT];

// Masses so large that vertices go 30 micrometres: as many as h^2 F/m.
static void check_force(Patch* p) {
    const double way = 3e-5;
    TestTerm* t = p->t;
    double *f = new_doubles(t->n), most = 0;
    begin(p, H, t->x);
    force_at(t, t->x, f);
    for (int i = 0; i < t->rows; i++)
        most = fmax(most, H * H / p->masses[i] * wf_length(wf_load(f, i)));
    for (int i = 0; i < t->rows && most > 0; i++) p->masses[i] *= most / way;
    begin(p, H, t->x);
    sweep(p, H, 1, false);
    double* d = moved(p);
    for (int i = 0; i < t->n; i++) f[i] *= H * H / p->masses[i / 3];
    double error = largest_difference(d, f, t->n) / way;
    worst_force = fmax(worst_force, error);
    CHECK_BELOW(error, 0.012);
    free(f), free(d);
}

static void forces(void) {
    for_every_form(check_force, 1, false);
    printf("    forces: %.2g of the largest at most\n", worst_force);
}

// --- implicit: 1/2 |x - y|_M^2 + h^2 E least, by Newton's method with halved steps

static double objective(const Patch* p, double h, const double* x) {
    double sum = h * h * energy_at(p->t, x);
    for (int i = 0; i < p->t->n; i++)
        sum += p->masses[i / 3] / 2 * (x[i] - p->t->x[i]) * (x[i] - p->t->x[i]);
    return sum;
}

// In place: A x = b, A positive.
static void solve_dense(double* A, double* b, int n) {
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++) {
            double s = A[i * n + j] / A[j * n + j];
            for (int k = j; k < n; k++) A[i * n + k] -= s * A[j * n + k];
            b[i] -= s * b[j];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= A[i * n + k] * b[k];
        b[i] /= A[i * n + i];
    }
}

static void newton_step(const Patch* p, double h, double* x) {
    TestTerm* t = p->t;
    int n = t->n;
    double *f = new_doubles(n), *next = new_doubles(n), start = objective(p, h, x), part = 1;
    force_at(t, x, f);
    bool linear = t->term->type->kind == WF_TERM_LINEAR;
    if (!linear) t->term->type->evaluate(t->term, &t->space, x, WF_WANT_LINEARISE, 1, NULL);
    double* A = linear ? dense_majorant(t) : dense_product(t);
    for (int i = 0; i < n * n; i++) A[i] *= h * h;
    for (int i = 0; i < n; i++) {
        A[i * n + i] += p->masses[i / 3];
        f[i] = h * h * f[i] - p->masses[i / 3] * (x[i] - t->x[i]);
    }
    solve_dense(A, f, n);
    for (int k = 0; k < 40; k++, part /= 2) {
        for (int i = 0; i < n; i++) next[i] = x[i] + part * f[i];
        if (objective(p, h, next) <= start) break;
    }
    copy_doubles(x, next, n);
    free(A), free(f), free(next);
}

static double implicit_error(Patch* p, double h) {
    TestTerm* t = p->t;
    double* x = new_doubles(t->n);
    begin(p, h, t->x);
    copy_doubles(x, t->x, t->n);
    for (int k = 0; k < 200; k++) newton_step(p, h, x);
    sweep(p, h, 1, false);
    double* d = moved(p);
    for (int i = 0; i < t->n; i++) x[i] -= t->x[i];
    double way = fmax(largest(x, t->n), 1e-3);
    double error = (largest_difference(d, x, t->n) - 8 * FLOAT) / way;
    free(x), free(d);
    return error;
}

static void check_implicit(Patch* p) {
    double error = implicit_error(p, 1.0 / 200), bound = p->row->error;
    worst_implicit[p->row - rows] = fmax(worst_implicit[p->row - rows], error);
    CHECK_BELOW(error, bound);
}

static void implicit_steps(void) {
    for (double harder = 0.1; harder < 1e5; harder *= 30)
        for_every_form(check_implicit, harder, true);
    for (int r = 0; r < ROW_COUNT; r++)
        if (rows[r].single)
            printf("    %s: %.2g of the way at most\n", rows[r].name, worst_implicit[r]);
}

// --- momentum, pins, rest

static void check_momentum(Patch* p) {
    TestTerm* t = p->t;
    double all = 0;
    WfVec sum = {0, 0, 0};
    begin(p, 0.01, t->x);
    for (int k = 0; k < 2; k++) sweep(p, 0.01, 2, k);
    double* d = moved(p);
    for (int i = 0; i < t->rows; i++) {
        sum = wf_madd(sum, p->masses[i], wf_load(d, i));
        all += p->masses[i] * (1e-5 * wf_length(wf_load(d, i)) + FLOAT);
    }
    CHECK_BELOW(wf_length(sum), all);
    free(d);
}

// A single element: no torque about where it was found.
static void check_turning(Patch* p) {
    TestTerm* t = p->t;
    double bound = 0;
    WfVec spin = {0, 0, 0};
    begin(p, 0.01, t->x);
    sweep(p, 0.01, 1, false);
    double* d = moved(p);
    for (int i = 0; i < t->rows; i++) {
        WfVec way = wf_load(d, i), x = wf_sub(wf_load(t->x, i), AWAY);
        double m = p->masses[i], length = wf_length(way);
        spin = wf_madd(spin, m, wf_cross(x, way));
        bound += 2e-5 * m * wf_length(x) * length + m * FLOAT;
        if (p->row->twice) bound += m * length * length / 2;
    }
    CHECK_BELOW(wf_length(spin), bound);
    free(d);
}

static void check_pins(Patch* p) {
    TestTerm* t = p->t;
    for (int i = ROWS_BEFORE; i < t->rows; i += 2) p->masses[i] = HUGE_VAL;
    begin(p, 0.01, t->x);
    sweep(p, 0.01, 1, false);
    double* d = moved(p);
    for (int i = 0; i < t->rows; i++) {
        CHECK(isfinite(d[3 * i]) && isfinite(d[3 * i + 1]) && isfinite(d[3 * i + 2]));
        if (p->x[i].w == 0) CHECK(wf_length(wf_load(d, i)) == 0);
    }
    free(d);
}

// Flat and turned: it stays.
static void check_rest(Patch* p) {
    TestTerm* t = p->t;
    lay_flat(p);
    for (int i = 0; i < t->rows; i++) {
        wf_store(t->x, i, wf_add(wf_rotate(TURN, wf_load(t->x, i)), AWAY));
        wf_store(t->x1, i, wf_load(t->x, i));
    }
    begin(p, 0.01, t->x);
    for (int k = 0; k < 4; k++) sweep(p, 0.01, 2, k % 2);
    double* d = moved(p);
    CHECK_BELOW(largest(d, t->n), 20 * FLOAT);
    free(d);
}

static void momentum(void) {
    for_every_form(check_momentum, 1, false);
    for_every_form(check_momentum, 1000, false);
    for_every_form(check_turning, 1, true);
    for_every_form(check_turning, 1000, true);
}
static void pins(void) { for_every_form(check_pins, 1000, false); }
static void rest(void) {
    for_every_form(check_rest, 1, false);
    for_every_form(check_rest, 1e5, false);
}

// --- the same bits

static WfLocalSweep* plain_of(WfLocalSweep* wide) {
    enum { COUNT = sizeof(WfSmallKernel) / sizeof(WfLocalSweep*) };
    WfLocalSweep *all[COUNT], *plain[COUNT];
    memcpy(all, wf_small_wide(), sizeof all);
    memcpy(plain, &wf_small_plain, sizeof plain);
    for (int k = 0; k < COUNT; k++)
        if (all[k] == wide) return plain[k];
    return NULL;
}

static void sweep_on(Patch* p) {
    begin(p, 0.003, p->t->x);
    for (int k = 0; k < 4; k++) sweep(p, 0.003, 2, k % 2);
}

static void check_bits(Patch* p) {
    size_t size = (size_t)(p->t->rows + WF_IDLE_POINTS) * sizeof *p->x;
    WfPoint4* first = malloc(size);
    sweep_on(p);
    memcpy(first, p->x, size);
    p->local.sweep = plain_of(p->local.sweep);
    if (CHECK(p->local.sweep != NULL)) sweep_on(p);
    CHECK(memcmp(first, p->x, size) == 0);
    free(first);
}

static void same_bits(void) {
    for (double harder = 0.01; harder < 1e9; harder *= 100)
        for_every_form(check_bits, harder, false);
}

// --- colours

// No two elements of a colour have a vertex in common, every element is there once.
static void check_colours(Patch* p) {
    const WfLocal* l = &p->local;
    int *seen = calloc((size_t)p->t->rows, sizeof *seen), count = 0;
    for (int c = 0; c < l->colour_count; c++)
        for (int b = l->colours[c]; b < l->colours[c + 1]; b++)
            for (int k = 0; k < l->arity * WF_OCT; k++) {
                int v = l->vertices[(long)b * l->arity * WF_OCT + k];
                if (v >= p->t->rows) continue;
                CHECK(seen[v] != c + 1);
                seen[v] = c + 1;
                count++;
            }
    CHECK(count == l->element_count * l->arity && l->colours[l->colour_count] == l->batch_count);
    free(seen);
}

enum { SPOKES = 200 };

static WeftResult fan(WeftMesh* mesh) {
    WeftResult result = grid(WEFT_GRID_ONE_WAY, 14, 13, mesh);  // room for as many
    CHECK(mesh->vertex_count > SPOKES && mesh->triangle_count > SPOKES);
    mesh->vertex_count = mesh->material_count = SPOKES + 1;
    mesh->triangle_count = SPOKES;
    mesh->spring_count = 0;
    for (int i = 0; i < SPOKES; i++) {
        double angle = 2 * 3.14159265358979 * i / SPOKES;
        wf_store(mesh->positions, i + 1, (WfVec){cos(angle), 0, -sin(angle)});
        mesh->material[2 * i + 2] = cos(angle), mesh->material[2 * i + 3] = sin(angle);
        mesh->triangles[3 * i] = 0;
        mesh->triangles[3 * i + 1] = i + 1;
        mesh->triangles[3 * i + 2] = (i + 1) % SPOKES + 1;
    }
    wf_store(mesh->positions, 0, (WfVec){0, 0, 0});
    mesh->material[0] = mesh->material[1] = 0;
    return result;
}

static void colours(void) {
    for_every_form(check_colours, 1, false);
    Row row = {"fan", wf_triangle_create, fan, NULL, 0, 0, 0, 0, 0, 0, 0};
    Patch p = open_patch(&row, false, false, 1);
    CHECK(p.local.colour_count == SPOKES);
    check_colours(&p);
    deform(&p, 1.1, 1.2, 0);
    begin(&p, 0.01, p.t->x);
    double before = energy_at(p.t, p.t->x);
    for (int k = 0; k < 10; k++) sweep(&p, 0.01, 1, k % 2);
    for (int i = 0; i < p.t->rows; i++) wf_store(p.t->x, i, at(p.x, i));
    CHECK_BELOW(energy_at(p.t, p.t->x), before);
    close_patch(&p);
}

// --- absurd numbers and shapes

// What one element has does not grow; in the end all its strain is the rounding of places.
static void check_energy(Patch* p) {
    TestTerm* t = p->t;
    double rounding = 1e-13 * (1 + p->harder);
    for (int k = 0; k < 20; k++) {
        copy_doubles(t->x1, t->x, t->n);
        begin(p, 0.005, t->x);
        double before = energy_at(t, t->x);
        sweep(p, 0.005, 1, false);
        for (int i = 0; i < t->rows; i++) wf_store(t->x, i, at(p->x, i));
        CHECK_BELOW(energy_at(t, t->x), before * 1.001 + rounding);
    }
    for (int i = 0; i < t->n; i++) CHECK(fabs(t->x[i]) < 10);
}

static void check_finite(Patch* p, int stage) {
    TestTerm* t = p->t;
    WfVec o = wf_load(t->x, ROWS_BEFORE);
    for (int i = 0; i < t->rows; i++) {
        WfVec x = wf_load(t->x, i), line = {x.x, o.y, o.z}, point = i % 2 ? o : x;
        wf_store(t->x, i, stage == 0 ? o : stage == 1 ? line : point);
    }
    if (stage < 2) copy_doubles(t->x1, t->x, t->n);
    begin(p, 0.005, t->x);
    for (int k = 0; k < 30; k++) sweep(p, 0.005, 2, k % 2);
    double* d = moved(p);
    for (int i = 0; i < t->n; i++) CHECK_BELOW(fabs(d[i]), 10);
    free(d);
}

static void check_point(Patch* p) { check_finite(p, 0); }
static void check_line(Patch* p) { check_finite(p, 1); }
static void check_some(Patch* p) { check_finite(p, 2); }

static void absurd(void) {
    for (double harder = 1e-8; harder < 1e9; harder *= 1e4) {
        for_every_form(check_energy, harder, true);
        for_every_form(check_point, harder, false);
        for_every_form(check_line, harder, false);
        for_every_form(check_some, harder, false);
    }
}

TEST_MAIN(CASE(forces), CASE(implicit_steps), CASE(momentum), CASE(pins), CASE(rest),
          CASE(same_bits), CASE(colours), CASE(absurd))
