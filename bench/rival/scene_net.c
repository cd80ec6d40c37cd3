// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A spring per edge. Cloth that weft simulates by springs has the same ones. Any other model is a
// membrane, stress = D strain, whose triangles are replaced by three springs along their sides
// (after Van Gelder 1998). A side of length L in the direction (c, s) is strained by m . strain,
// m = (c^2, s^2, c s); springs k make of a triangle of area A a membrane of
//
//     sum (k L^2/A) m m^T
//
// which is brought as near to D as it can be with k >= 0, by least squares. Where springs lie along
// warp and weft it is D, but for contraction across; else shear is stiffer than it should be.

#include "scene_net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One side of a triangle, by its smaller vertex first.
typedef struct Side {
    int a, b, corner, triangle;
    double length, warp;  // at rest: warp is cos^2 of the angle to u
    double membrane;      // N/m: what the triangle gives to the spring here
} Side;

const WeftFabric* fabric_of(const WeftClothDef* cloth, int t) {
    int number = cloth->triangle_fabric ? cloth->triangle_fabric[t] : -1;
    return number < 0 ? &cloth->fabric : &cloth->fabrics[number];
}

static bool has_springs(const WeftClothDef* cloth) {
    return cloth->stretch == WEFT_STRETCH_SPRINGS || cloth->stretch == WEFT_STRETCH_ONE_SIDED;
}

// ---------------------------------------------------------------------------------------------
// Triangles at rest

static double length_of(const double* d, int count) {
    double sum = 0;
    for (int c = 0; c < count; c++) sum += d[c] * d[c];
    return sqrt(sum);
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A triangle without material is laid flat as it stands in space: the first axis is that of x, or
// where it faces along x that of z, within its plane.
static void flatten(const WeftClothDef* cloth, int t, double x[3][2]) {
    const int* v = cloth->triangles + 3 * (size_t)t;
    const double* p[3];
    double e[2][3], n[3], u[3];
    for (int k = 0; k < 3; k++) p[k] = cloth->positions + 3 * (size_t)v[k];
    for (int c = 0; c < 3; c++) e[0][c] = p[1][c] - p[0][c], e[1][c] = p[2][c] - p[0][c];
    for (int c = 0; c < 3; c++)
        n[c] = e[0][(c + 1) % 3] * e[1][(c + 2) % 3] - e[0][(c + 2) % 3] * e[1][(c + 1) % 3];
    double size = length_of(n, 3);
    for (int c = 0; c < 3; c++) n[c] /= size;
    int axis = fabs(n[0]) < 0.9 ? 0 : 2;
    for (int c = 0; c < 3; c++) u[c] = (c == axis) - n[axis] * n[c];
    size = length_of(u, 3);
    for (int c = 0; c < 3; c++) u[c] /= size;
    const double w[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2],
                         n[0] * u[1] - n[1] * u[0]};
    for (int k = 0; k < 3; k++) {
        double d[3] = {p[k][0] - p[0][0], p[k][1] - p[0][1], p[k][2] - p[0][2]};
        x[k][0] = dot(d, u);
        x[k][1] = dot(d, w);
    }
}

// u and v of its corners; returns its area.
static double rest_triangle(const WeftClothDef* cloth, int t, double x[3][2]) {
    for (int k = 0; k < 3 && cloth->material; k++) {
        size_t c = 3 * (size_t)t + (size_t)k;
        int p = cloth->triangle_material ? cloth->triangle_material[c] : cloth->triangles[c];
        memcpy(x[k], cloth->material + 2 * (size_t)p, sizeof x[k]);
    }
    if (!cloth->material) flatten(cloth, t, x);
    return fabs((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) -
                (x[2][0] - x[0][0]) * (x[1][1] - x[0][1])) /
           2;
}

// ---------------------------------------------------------------------------------------------
// Membranes as springs

static void find_membrane(const WeftClothDef* cloth, const WeftFabric* f, double D[3][3]) {
    bool triangles = cloth->stretch == WEFT_STRETCH_TRIANGLES;
    double across = 1 - f->poisson * f->poisson, warp = f->stretch_warp, weft = f->stretch_weft;
    memset(D, 0, 9 * sizeof(double));
    D[0][0] = triangles ? warp + f->shear / 2 : warp / across;
    D[1][1] = triangles ? weft + f->shear / 2 : weft / across;
    D[0][1] = D[1][0] = triangles ? f->shear / 2 : f->poisson * sqrt(warp * weft) / across;
    D[2][2] = triangles ? f->shear / 2 : f->shear;
}

// G k = b for the springs of a subset, the others 0. False where one of them would push.
static bool solve_subset(double G[3][3], const double b[3], unsigned subset, double k[3]) {
    double A[3][4];
    for (int i = 0; i < 3; i++) {
        bool in = subset >> i & 1;
        for (int j = 0; j < 3; j++) A[i][j] = in && (subset >> j & 1) ? G[i][j] : i == j;
        A[i][3] = in ? b[i] : 0;
    }
    for (int i = 0; i < 3; i++) {  // positive definite: no pivoting
        if (!(A[i][i] > 1e-9)) return false;
        for (int r = 0; r < 3; r++) {
            double part = r == i ? 0 : A[r][i] / A[i][i];
            for (int c = 0; c < 4; c++) A[r][c] -= part * A[i][c];
        }
    }
    for (int i = 0; i < 3; i++) k[i] = A[i][3] / A[i][i];
    return k[0] >= 0 && k[1] >= 0 && k[2] >= 0;
}

// k L^2/A of the sides with these m, nearest to D.
static void fit_springs(double D[3][3], double m[3][3], double best[3]) {
    double G[3][3], b[3], k[3], most = 0;
    memset(best, 0, 3 * sizeof *best);
    for (int i = 0; i < 3; i++) {
        b[i] = 0;
        for (int j = 0; j < 3; j++) {
            double product = dot(m[i], m[j]);
            G[i][j] = product * product;
            b[i] += m[i][j] * dot(D[j], m[i]);
        }
    }
    for (unsigned subset = 1; subset < 8; subset++) {
        if (!solve_subset(G, b, subset, k) || !(dot(b, k) > most)) continue;
        most = dot(b, k);  // by so much the square of the distance from D is less
        memcpy(best, k, sizeof k);
    }
}

static void fill_membrane(const WeftClothDef* cloth, int t, double x[3][2], double area,
                          Side* sides) {
    double D[3][3], m[3][3], k[3];
    for (int i = 0; i < 3; i++) {
        double u = (x[(i + 1) % 3][0] - x[i][0]) / sides[i].length;
        double v = (x[(i + 1) % 3][1] - x[i][1]) / sides[i].length;
        m[i][0] = u * u, m[i][1] = v * v, m[i][2] = u * v;
    }
    find_membrane(cloth, fabric_of(cloth, t), D);
    fit_springs(D, m, k);
    for (int i = 0; i < 3; i++)
        sides[i].membrane = k[i] * area / (sides[i].length * sides[i].length);
}

// ---------------------------------------------------------------------------------------------
// Sides

static void fill_sides(const WeftClothDef* cloth, Side* sides) {
    for (int t = 0; t < cloth->triangle_count; t++, sides += 3) {
        double x[3][2], area = rest_triangle(cloth, t, x);
        const int* v = cloth->triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++) {
            int a = v[k], b = v[(k + 1) % 3];
            const double *p = x[k], *q = x[(k + 1) % 3];
            double d[2] = {q[0] - p[0], q[1] - p[1]}, length = length_of(d, 2);
            sides[k] = (Side){.a = a < b ? a : b,
                              .b = a < b ? b : a,
                              .corner = v[(k + 2) % 3],
                              .triangle = t,
                              .length = length,
                              .warp = d[0] * d[0] / (length * length)};
        }
        if (!has_springs(cloth)) fill_membrane(cloth, t, x, area, sides);
    }
}

static int compare_sides(const void* left, const void* right) {
    const Side *s = left, *t = right;
    if (s->a != t->a) return s->a < t->a ? -1 : 1;
    if (s->b != t->b) return s->b < t->b ? -1 : 1;
    return (s->triangle > t->triangle) - (s->triangle < t->triangle);
}

static bool same_edge(const Side* s, const Side* t) { return s->a == t->a && s->b == t->b; }

// ---------------------------------------------------------------------------------------------
// Springs

// The strain by which the fabric gives way under compression, as weft has it. Not of membranes:
// springs that stand for one are pressed wherever it is pulled across them.
static double give_of(const WeftClothDef* cloth, const WeftFabric* f) {
    const double growth = 23, least = 0.065;  // 1/s; N/m
    double stretch = fmax(f->stretch_warp, f->stretch_weft);
    if (cloth->stretch == WEFT_STRETCH_ONE_SIDED) return 1e-9;
    if (!has_springs(cloth)) return 0;
    if (f->compression_load > 0) return f->compression_load / stretch;
    if (f->compression > 0) return f->compression;
    if (f->compression < 0) return 0;
    return fmax(2 * growth * sqrt(f->bend * f->density), least) / stretch;
}

static double mean_of(const double* scale, const int* vertices, int count) {
    double sum = 0;
    for (int i = 0; i < count && scale; i++) sum += scale[vertices[i]];
    return scale ? sum / count : 1;
}

// Between `count` triangles, 1 or 2.
static Spring make_spring(const WeftClothDef* cloth, int first, const Side* sides, int count,
                          WeftSpringKind kind) {
    const int ends[2] = {sides->a, sides->b};
    Spring spring = {{first + ends[0], first + ends[1]}, 0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        const WeftFabric* f = fabric_of(cloth, sides[i].triangle);
        double stretch = f->stretch_warp * sides[i].warp + f->stretch_weft * (1 - sides[i].warp);
        double own = (kind == WEFT_SPRING_SHEAR ? f->shear : stretch) / count;
        spring.length += sides[i].length / count;
        spring.stiffness += has_springs(cloth) ? own : sides[i].membrane;
        spring.give += give_of(cloth, f) / count;
        spring.damping += f->stretch_damping / count;
    }
    spring.stiffness *= mean_of(cloth->stretch_scale, ends, 2);
    return spring;
}

static int edge_sides(const Side* sides, int i, int end) {
    int count = 1;
    while (i + count < end && count < 2 && same_edge(&sides[i], &sides[i + count])) count++;
    return count;
}

static void add_edges(const WeftClothDef* cloth, int first, const Side* sides, Net* net) {
    int end = 3 * cloth->triangle_count;
    for (int i = 0; i < end;) {
        int count = edge_sides(sides, i, end);
        net->springs[net->spring_count++] =
            make_spring(cloth, first, sides + i, count, WEFT_SPRING_STRETCH);
        i += count;
    }
}

// Across two triangles, by material points where each vertex has one.
static Side measure_chord(const WeftClothDef* cloth, const WeftSpring* spring) {
    bool flat = cloth->material && !cloth->triangle_material;
    double d[3] = {0};
    for (int c = 0; c < (flat ? 2 : 3); c++)
        d[c] = flat ? cloth->material[2 * spring->b + c] - cloth->material[2 * spring->a + c]
                    : cloth->positions[3 * spring->b + c] - cloth->positions[3 * spring->a + c];
    double length = length_of(d, 3);
    return (Side){
        .a = spring->a, .b = spring->b, .length = length, .warp = d[0] * d[0] / (length * length)};
}

static void add_listed(const WeftClothDef* cloth, int first, const Side* sides, Net* net) {
    int end = 3 * cloth->triangle_count;
    for (int s = 0; s < cloth->spring_count; s++) {
        const WeftSpring* spring = &cloth->springs[s];
        int a = spring->a < spring->b ? spring->a : spring->b;
        Side key = {.a = a, .b = spring->a + spring->b - a, .triangle = -1};
        if (spring->kind == WEFT_SPRING_BEND) continue;
        int low = 0, high = end;
        while (low < high) {
            int middle = (low + high) / 2;
            if (compare_sides(&sides[middle], &key) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        Side chord = measure_chord(cloth, spring);
        bool found = low < end && same_edge(&sides[low], &key);
        net->springs[net->spring_count++] =
            make_spring(cloth, first, found ? &sides[low] : &chord,
                        found ? edge_sides(sides, low, end) : 1, spring->kind);
    }
}

// Ropes, and bands on the edges of cloth.
static void add_threads(const WeftClothDef* cloth, int first, Net* net) {
    for (int t = 0; t < cloth->thread_count; t++) {
        const WeftThread* thread = &cloth->threads[t];
        const int* v = cloth->thread_vertices + thread->first;
        bool rope = thread->kind == WEFT_THREAD_ROPE, band = thread->kind == WEFT_THREAD_BAND;
        for (int i = 0; i + 1 < thread->count && (rope || band); i++) {
            WeftSpring ends = {v[i], v[i + 1], WEFT_SPRING_STRETCH};
            double length = measure_chord(cloth, &ends).length * (band ? thread->ratio : 1);
            double pull = rope ? cloth->fabric.rope_stretch : thread->stretch;
            net->springs[net->spring_count++] = (Spring){{first + v[i], first + v[i + 1]},
                                                         length,
                                                         pull / length,
                                                         0,
                                                         cloth->fabric.stretch_damping};
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Hinges

// The corner of a triangle beside its side: along it, and how far away.
static void third_corner(const WeftClothDef* cloth, const Side* side, double* along, double* away) {
    const int* v = cloth->triangles + 3 * (size_t)side->triangle;
    double x[3][2], area = rest_triangle(cloth, side->triangle, x);
    int a = v[0] == side->a ? 0 : v[1] == side->a ? 1 : 2;
    int b = v[0] == side->b ? 0 : v[1] == side->b ? 1 : 2;
    int c = 3 - a - b;
    *along =
        ((x[c][0] - x[a][0]) * (x[b][0] - x[a][0]) + (x[c][1] - x[a][1]) * (x[b][1] - x[a][1])) /
        side->length;
    *away = 2 * area / side->length;
}

// Its two triangles are laid flat: the edge along the first axis.
static Hinge lay_hinge(const WeftClothDef* cloth, int first, const Side* sides) {
    const int v[4] = {sides[0].corner, sides[1].corner, sides[0].a, sides[0].b};
    double flat[12] = {0}, bend = 0, damping = 0, away;
    third_corner(cloth, &sides[0], &flat[0], &flat[1]);
    third_corner(cloth, &sides[1], &flat[3], &away);
    flat[4] = -away;
    flat[9] = (sides[0].length + sides[1].length) / 2;
    for (int i = 0; i < 2; i++) {
        bend += fabric_of(cloth, sides[i].triangle)->bend / 2;
        damping += fabric_of(cloth, sides[i].triangle)->bend_damping / 2;
    }
    Hinge hinge = make_hinge(flat, 0, 1, 2, 3, bend * mean_of(cloth->bend_scale, v, 4));
    for (int k = 0; k < 4; k++) hinge.vertices[k] = first + v[k];
    hinge.damping = damping;
    return hinge;
}

static void add_hinges(const WeftClothDef* cloth, int first, const Side* sides, Net* net) {
    int end = 3 * cloth->triangle_count;
    for (int i = 0; i + 1 < end && cloth->bend != WEFT_BEND_NONE; i++) {
        if (!same_edge(&sides[i], &sides[i + 1])) continue;
        Hinge hinge = lay_hinge(cloth, first, sides + i);
        if (hinge.stiffness > 0) net->hinges[net->hinge_count++] = hinge;
        i++;
    }
}

// ---------------------------------------------------------------------------------------------

static bool add_cloth(const WeftClothDef* cloth, int first, Net* net) {
    size_t count = 3 * (size_t)cloth->triangle_count;
    Side* sides = malloc((count + 1) * sizeof *sides);
    if (!sides) return false;
    fill_sides(cloth, sides);
    qsort(sides, count, sizeof *sides, compare_sides);
    if (cloth->springs && has_springs(cloth))
        add_listed(cloth, first, sides, net);
    else
        add_edges(cloth, first, sides, net);
    add_threads(cloth, first, net);
    add_hinges(cloth, first, sides, net);
    free(sides);
    return true;
}

static size_t most_springs(const WeftScene* scene) {
    size_t most = 1;
    for (int c = 0; c < scene->model.cloth_count; c++) {
        const WeftClothDef* cloth = &scene->model.cloths[c];
        most += 3 * (size_t)cloth->triangle_count + (size_t)cloth->spring_count +
                (size_t)cloth->thread_vertex_count;
    }
    return most;
}

bool create_scene_net(const WeftScene* scene, const WeftState* state, Net* net) {
    const WeftModel* model = weft_state_model(state);
    size_t n = (size_t)weft_vertex_count(model), most = most_springs(scene);
    *net = (Net){.vertex_count = (int)n};
    net->positions = malloc(3 * n * sizeof *net->positions);
    net->masses = malloc(n * sizeof *net->masses);
    net->pinned = calloc(n, sizeof *net->pinned);
    net->springs = malloc(most * sizeof *net->springs);
    net->hinges = malloc(most * sizeof *net->hinges);
    bool good = net->positions && net->masses && net->pinned && net->springs && net->hinges;
    if (good) {
        memcpy(net->positions, weft_positions(state), 3 * n * sizeof *net->positions);
        memcpy(net->masses, weft_masses(model), n * sizeof *net->masses);
    }
    for (int c = 0; c < scene->model.cloth_count && good; c++)
        good = add_cloth(&scene->model.cloths[c], weft_first_vertex(model, c), net);
    if (!good) destroy_net(net);
    return good;
}
