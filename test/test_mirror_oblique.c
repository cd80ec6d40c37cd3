// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards halves of irregular meshes, in planes of any direction: they move as the whole.

#include "halves.h"

typedef enum Shape { DISC, RECTANGLE, HOLED, REGULAR } Shape;

// A square with a round hole, about the origin.
static void make_holed(double edge, WeftMesh* mesh) {
    const WeftSide outer[4] = {{.end = {0.3, -0.3}},
                               {.end = {0.3, 0.3}, .bulge = 0.3},
                               {.end = {-0.3, 0.3}},
                               {.end = {-0.3, -0.3}}};
    const WeftSide hole[2] = {{.end = {0.1, 0}, .bulge = 1}, {.end = {-0.1, 0}, .bulge = 1}};
    const WeftLoop loops[2] = {{4, outer}, {2, hole}};
    WeftOutlineDef def = weft_default_outline_def();
    def.loop_count = 2;
    def.loops = loops;
    def.edge = edge;
    CHECK(!weft_make_outline(&def, NULL, mesh, NULL));
}

static WeftMesh make_shape(Shape shape, double edge) {
    WeftMesh mesh;
    WeftRegularDef regular = {0.6, 0.6, edge};
    if (shape == DISC) CHECK(!weft_make_disc(0.3, edge, NULL, &mesh, NULL));
    if (shape == RECTANGLE) CHECK(!weft_make_rectangle(0.6, 0.5, edge, NULL, &mesh, NULL));
    if (shape == HOLED) make_holed(edge, &mesh);
    if (shape == REGULAR) CHECK(!weft_make_regular(&regular, NULL, &mesh, NULL));
    return mesh;
}

// A frame: n the normal, and two directions along the plane.
typedef struct Frame {
    double n[3], u[3], v[3], at[3];
} Frame;

static void unit(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) v[k] /= length;
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static Frame frame_of(const WeftPlane* plane) {
    Frame f;
    memcpy(f.n, plane->normal, sizeof f.n);
    memcpy(f.at, plane->point, sizeof f.at);
    unit(f.n);
    double side[3] = {0.1, -0.7, 0.4};
    cross(f.n, side, f.u);
    unit(f.u);
    cross(f.n, f.u, f.v);
    return f;
}

// From x along the cloth, z across: the middle of the cloth comes to the plane, its x along n.
static void place(const Frame* f, WeftMesh* mesh) {
    double middle[3] = {0, 0, 0};
    for (int i = 0; i < 3 * mesh->vertex_count; i++)
        middle[i % 3] += mesh->positions[i] / mesh->vertex_count;
    for (int i = 0; i < mesh->vertex_count; i++) {
        double* x = mesh->positions + 3 * (long)i;
        double a = x[0] - middle[0] - 0.0123, b = x[2] - middle[2], c = x[1] - middle[1];
        for (int k = 0; k < 3; k++) x[k] = f->at[k] + a * f->n[k] + b * f->u[k] + c * f->v[k];
    }
}

// The vertex that is furthest along u and n, and its image.
static void find_pins(const Frame* f, const WeftMesh* mesh, int pins[2]) {
    double most = -HUGE_VAL;
    for (int i = 0; i < mesh->vertex_count; i++) {
        double at = 0;
        for (int k = 0; k < 3; k++)
            at += mesh->positions[3 * (long)i + k] * (f->u[k] + 0.7 * f->n[k]);
        if (at > most) most = at, pins[0] = i;
    }
    pins[1] = mesh->images[pins[0]];
}

static double compare(Shape shape, const WeftPlane* plane, double edge, WeftHalving halving,
                      WeftMethod method, int steps) {
    WeftMesh mesh = make_shape(shape, edge);
    WeftError error = {0};
    Frame f = frame_of(plane);
    int pins[2];
    place(&f, &mesh);
    if (!CHECK(!weft_mirror_mesh(&mesh, plane, halving, NULL, &error)))
        printf("%s\n", error.message);
    find_pins(&f, &mesh, pins);
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    cloth.pins = pins;
    cloth.pin_count = 2;
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth;
    def.cloth_count = 1;
    def.contact = WEFT_CONTACT_NONE;
    def.mirror.plane = *plane;
    def.step = exact_step(method);
    for (int k = 0; k < 3; k++) def.step.gravity[k] = -9 * f.u[k];
    Pair pair = open_pair(def);
    double worst = 0, off = 0;
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < 3; k++) def.step.gravity[k] = -9 * f.u[k] + 3 * sin(0.3 * i) * f.v[k];
        step_pair(&pair, &def.step);
        worst = fmax(worst, apart(&pair));
    }
    for (int i = 0; i < mesh.vertex_count; i++) {
        const double* x = weft_positions(pair.states[HALF]) + 3 * (long)i;
        if (mesh.images[i] == i) off = fmax(off, fabs(height_over(plane, x)));
    }
    CHECK_BELOW(off, 1e-14);
    close_pair(&pair);
    weft_destroy_mesh(&mesh);
    return worst;
}

static const WeftPlane planes[] = {
    {{0, 0, 0}, {1, 0, 0}}, {{0.3, -2, 5}, {1, 2, 3}}, {{-7, 0.1, 0.2}, {-3e-5, 2e-5, 1e-6}}};

static void irregular_halves(void) {
    static const WeftMethod methods[] = {WEFT_METHOD_IMPLICIT, WEFT_METHOD_PREFACTORED};
    for (int shape = DISC; shape <= REGULAR; shape++)
        for (int p = 0; p < 3; p++)
            for (int m = 0; m < 2; m++) {
                double worst = compare((Shape)shape, &planes[p], 0.05, WEFT_HALVING_SPLIT,
                                       methods[m], test_rounds(20));
                if (!CHECK_BELOW(worst, 1e-8))
                    printf("  shape %d, plane %d, method %d\n", shape, p, m);
            }
}

static void projected_halves(void) {
    for (int shape = DISC; shape <= REGULAR; shape++)
        CHECK_BELOW(compare((Shape)shape, &planes[1], 0.05, WEFT_HALVING_PROJECT,
                            WEFT_METHOD_PREFACTORED, 20),
                    1e-8);
}

static void fine_halves(void) {
    CHECK_BELOW(compare(DISC, &planes[1], 0.005, WEFT_HALVING_SPLIT, WEFT_METHOD_PREFACTORED, 6),
                1e-8);
    CHECK_BELOW(compare(HOLED, &planes[0], 0.005, WEFT_HALVING_SPLIT, WEFT_METHOD_IMPLICIT, 2),
                1e-8);
}

TEST_MAIN(SLOW_CASE(irregular_halves), CASE(projected_halves), LONG_CASE(fine_halves))
