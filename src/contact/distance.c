// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A field v is known in a box. The body is what v and the box have in common:
//
//     inside of the box    d = max(v, b)          b: to the nearest side of the box, below 0
//     outside              d = |(o, max(v, 0))|   o: from its nearest place c, and v at c
//
// The second is never too much: from p to a place s in the box, |p - s|^2 >= o^2 + |c - s|^2, since
// the box is convex.

#include "contact/distance.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static const double MOST_VALUES = 64e6;
static const double FAR = 0.25;         // of the longest side: from there on v does not matter
static const double LEAST_STEP = 0.25;  // of a cell, along a way
static const double CLOSE = 1e-7;       // m: as good as met

// ---------------------------------------------------------------------------------------------
// Checks and life

static WeftResult check_values(const WeftDistanceDef* def, WeftError* error) {
    long count = (long)def->counts[0] * def->counts[1] * def->counts[2];
    bool inside = false;
    for (long i = 0; i < count; i++) {
        double value = (double)def->values[i];
        if (!(fabs(value) < 1e6))
            return wf_fail(error, WEFT_ERROR_INPUT, "distance %ld is %g; it must be within 1e6 m",
                           i, value);
        inside = inside || value < 0;
    }
    if (inside) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT, "no distance is below 0: the field has no inside");
}

static double box_end(const WeftDistanceDef* def, int k) {
    return def->origin[k] + def->cell * (def->counts[k] - 1);
}

enum { LOOKS = 40 };  // along every side of the box

static WeftResult check_function(const WeftDistanceDef* def, WeftError* error) {
    bool inside = false;
    for (int i = 0; i <= LOOKS; i++)
        for (int j = 0; j <= LOOKS; j++)
            for (int k = 0; k <= LOOKS; k++) {
                const double at[3] = {(double)i / LOOKS, (double)j / LOOKS, (double)k / LOOKS};
                double p[3], gradient[3] = {0, 0, 0};
                for (int c = 0; c < 3; c++)
                    p[c] = (1 - at[c]) * def->origin[c] + at[c] * box_end(def, c);
                double value = def->distance(def->user, p, gradient);
                if (!(fabs(value) < 1e6))
                    return wf_fail(error, WEFT_ERROR_INPUT,
                                   "the function returns %g at %g %g %g; a distance must be within "
                                   "1e6 m",
                                   value, p[0], p[1], p[2]);
                inside = inside || value < 0;
            }
    if (inside) return WEFT_OK;
    return wf_fail(error, WEFT_ERROR_INPUT,
                   "the function is nowhere below 0 in its box: the field has no inside");
}

WeftResult wf_distance_check(const WeftDistanceDef* def, WeftError* error) {
    if (!def->values == !def->distance)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "a distance field needs either values or a function");
    if (!(def->cell > 0 && def->cell <= 1000))
        return wf_fail(error, WEFT_ERROR_INPUT, "cell is %g m; it must be above 0, at most 1000",
                       def->cell);
    double all = 1;
    for (int k = 0; k < 3; k++) {
        if (def->counts[k] < 2)
            return wf_fail(error, WEFT_ERROR_INPUT, "counts[%d] is %d; it must be 2 or more", k,
                           def->counts[k]);
        if (!(fabs(def->origin[k]) < 1e6 && fabs(box_end(def, k)) < 1e6))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "its box goes from %g to %g m; it must be within 1e6 m", def->origin[k],
                           box_end(def, k));
        all *= def->counts[k];
    }
    if (all > MOST_VALUES)
        return wf_fail(error, WEFT_ERROR_INPUT, "%.0f samples; there must be at most %.0f", all,
                       MOST_VALUES);
    return def->values ? check_values(def, error) : check_function(def, error);
}

WeftResult wf_distance_create(const WeftAllocator* allocator, const WeftDistanceDef* def,
                              WfDistance* field) {
    size_t count = (size_t)def->counts[0] * (size_t)def->counts[1] * (size_t)def->counts[2];
    *field = (WfDistance){.cell = def->cell, .function = def->distance, .user = def->user};
    for (int k = 0; k < 3; k++) {
        field->counts[k] = def->counts[k];
        field->low[k] = def->origin[k];
        field->high[k] = box_end(def, k);
    }
    if (!def->values) return WEFT_OK;
    field->values = wf_alloc(allocator, count, sizeof *field->values);
    if (!field->values) return WEFT_ERROR_MEMORY;
    memcpy(field->values, def->values, count * sizeof *field->values);
    return WEFT_OK;
}

void wf_distance_destroy(const WeftAllocator* allocator, WfDistance* field) {
    wf_free(allocator, field->values);
    *field = (WfDistance){0};
}

// ---------------------------------------------------------------------------------------------
// Values in the box

// Linear along each axis between the eight samples around x, which is in the box or brought there.
static double sample(const WfDistance* f, const double x[3]) {
    long step[3] = {1, f->counts[0], (long)f->counts[0] * f->counts[1]}, first = 0;
    double part[3];
    for (int k = 0; k < 3; k++) {
        double at = (x[k] - f->low[k]) / f->cell, last = f->counts[k] - 2;
        double whole = fmin(fmax(floor(at), 0), last);
        part[k] = fmin(fmax(at - whole, 0), 1);
        first += (long)whole * step[k];
    }
    double value = 0;
    for (int c = 0; c < 8; c++) {
        long i = first + (c & 1 ? step[0] : 0) + (c & 2 ? step[1] : 0) + (c & 4 ? step[2] : 0);
        double weight = (c & 1 ? part[0] : 1 - part[0]) * (c & 2 ? part[1] : 1 - part[1]) *
                        (c & 4 ? part[2] : 1 - part[2]);
        value += weight * (double)f->values[i];
    }
    return value;
}

// Across a cell, so that it does not jump from one to the next.
static void grid_gradient(const WfDistance* f, const double x[3], double gradient[3]) {
    for (int k = 0; k < 3; k++) {
        double before[3] = {x[0], x[1], x[2]}, behind[3] = {x[0], x[1], x[2]};
        before[k] = fmax(x[k] - f->cell / 2, f->low[k]);
        behind[k] = fmin(x[k] + f->cell / 2, f->high[k]);
        gradient[k] = (sample(f, behind) - sample(f, before)) / (behind[k] - before[k]);
    }
}

// A function may return anything: what is not a number is outside.
static double value_at(const WfDistance* f, const double x[3], WfVec* normal) {
    double gradient[3] = {0, 0, 0}, value;
    if (f->values) {
        value = sample(f, x);
        if (normal) grid_gradient(f, x, gradient);
    } else {
        value = f->function(f->user, x, gradient);
    }
    WfVec g = wf_load(gradient, 0);
    double length = wf_length(g);
    if (normal)
        *normal = length > 1e-12 && length < 1e12 ? wf_mul(1 / length, g) : (WfVec){0, 1, 0};
    return fabs(value) < 1e6 ? value : 1e6;
}

// ---------------------------------------------------------------------------------------------
// Everywhere

// How far p is from the sides of the box, below 0 inside, and away from which of them.
static double within_box(const WfDistance* f, const double p[3], WfVec* normal) {
    double most = -HUGE_VAL, n[3] = {0, 0, 0};
    int side = 0;
    for (int k = 0; k < 6; k++) {
        double far = k < 3 ? f->low[k] - p[k] : p[k - 3] - f->high[k - 3];
        if (far > most) {
            most = far;
            side = k;
        }
    }
    n[side % 3] = side < 3 ? -1 : 1;
    *normal = wf_load(n, 0);
    return most;
}

static double longest_side(const WfDistance* f) {
    return fmax(fmax(f->high[0] - f->low[0], f->high[1] - f->low[1]), f->high[2] - f->low[2]);
}

static double beyond_box(const WfDistance* f, const double p[3], WfVec* normal) {
    double c[3];
    for (int k = 0; k < 3; k++) c[k] = fmin(fmax(p[k], f->low[k]), f->high[k]);
    WfVec out = wf_sub(wf_load(p, 0), wf_load(c, 0)), n;
    double o = wf_length(out);
    if (normal) *normal = wf_mul(1 / o, out);
    if (o > FAR * longest_side(f)) return o;
    double v = value_at(f, c, normal ? &n : NULL);
    if (v <= 0) return o;
    if (normal) *normal = wf_unit(wf_madd(out, v, n));
    return sqrt(o * o + v * v);
}

double wf_distance_at(const WfDistance* f, WfVec p, WfVec* normal) {
    const double x[3] = {p.x, p.y, p.z};
    WfVec side;
    double b = within_box(f, x, &side);
    if (b > 0) return beyond_box(f, x, normal);
    double v = value_at(f, x, normal);
    if (v >= b) return v;
    if (normal) *normal = side;
    return b;
}

// As far as nothing can be, then as far again; at least a part of a cell, below which a field has
// no detail. Where that went too far, back by halves.
WfVec wf_distance_meet(const WfDistance* f, WfVec a, WfVec b, double keep, WfVec* normal) {
    WfVec way = wf_sub(b, a);
    double length = wf_length(way), last = 0, at = 0;
    for (bool more = true; more;) {
        WfVec p = at < length ? wf_madd(a, at / length, way) : b;
        double left = wf_distance_at(f, p, at == 0 || at >= length ? normal : NULL) - keep;
        if (at == 0 && left < CLOSE) return a;
        if (left < CLOSE) break;
        more = at < length;
        if (!more) return b;
        last = at;
        at = fmin(length, at + fmax(left, LEAST_STEP * f->cell));
    }
    while (at - last > CLOSE / 4) {
        double middle = (last + at) / 2;
        bool near = wf_distance_at(f, wf_madd(a, middle / length, way), NULL) - keep < CLOSE;
        *(near ? &at : &last) = middle;
    }
    WfVec met = wf_madd(a, last / length, way);
    wf_distance_at(f, met, normal);
    return met;
}

// ---------------------------------------------------------------------------------------------
// Surface nets (Gibson 1998): a vertex in every cell that the surface goes through, brought onto
// it; four of them around every edge of the grid between inside and outside.

enum { MOST_CELLS = 40 };  // along the longest side, and one more beyond either end
enum { STEPS_ONTO = 8 };

typedef struct Net {
    const WfDistance* field;
    double low[3], cell;
    int counts[3];   // samples
    double* values;  // at samples
    int* vertices;   // per cell, by its first sample; -1: none
    WfShape* shape;
} Net;

static long place_of(const Net* n, int x, int y, int z) {
    return x + n->counts[0] * (y + (long)n->counts[1] * z);
}

static WfVec sample_place(const Net* n, int x, int y, int z) {
    return (WfVec){n->low[0] + n->cell * x, n->low[1] + n->cell * y, n->low[2] + n->cell * z};
}

static void lay_out(Net* n, const WfDistance* f) {
    n->field = f;
    n->cell = fmax(f->cell, longest_side(f) / MOST_CELLS);
    for (int k = 0; k < 3; k++) {
        double side = f->high[k] - f->low[k];
        int cells = (int)ceil(side / n->cell - 1e-6) + 2;
        n->counts[k] = cells + 1;
        n->low[k] = (f->low[k] + f->high[k] - n->cell * cells) / 2;
    }
}

static void take_samples(Net* n) {
    for (int z = 0; z < n->counts[2]; z++)
        for (int y = 0; y < n->counts[1]; y++)
            for (int x = 0; x < n->counts[0]; x++)
                n->values[place_of(n, x, y, z)] =
                    wf_distance_at(n->field, sample_place(n, x, y, z), NULL);
}

// The mean of where the surface goes through the edges of a cell; false where it goes through none.
static bool find_middle(const Net* n, int x, int y, int z, WfVec* middle) {
    WfVec sum = {0, 0, 0};
    int count = 0;
    for (int c = 0; c < 8; c++)
        for (int k = 1; k < 8; k *= 2) {
            if (c & k) continue;
            int d = c | k;
            int cx = x + (c & 1), cy = y + (c >> 1 & 1), cz = z + (c >> 2);
            int dx = x + (d & 1), dy = y + (d >> 1 & 1), dz = z + (d >> 2);
            double v = n->values[place_of(n, cx, cy, cz)], w = n->values[place_of(n, dx, dy, dz)];
            if ((v < 0) == (w < 0)) continue;
            WfVec from = sample_place(n, cx, cy, cz), to = sample_place(n, dx, dy, dz);
            sum = wf_add(sum, wf_madd(from, v / (v - w), wf_sub(to, from)));
            count++;
        }
    *middle = count > 0 ? wf_mul(1.0 / count, sum) : sum;
    return count > 0;
}

// Onto the surface, as long as that is in or near the cell.
static WfVec bring_onto(const Net* n, WfVec start) {
    WfVec p = start, normal;
    for (int k = 0; k < STEPS_ONTO; k++) {
        double far = wf_distance_at(n->field, p, &normal);
        p = wf_madd(p, -far, normal);
    }
    return wf_length(wf_sub(p, start)) < n->cell ? p : start;
}

// Both counts where `shape` has no room yet; else the vertices themselves.
static int go_over_cells(Net* n, bool put) {
    int count = 0;
    for (int z = 0; z + 1 < n->counts[2]; z++)
        for (int y = 0; y + 1 < n->counts[1]; y++)
            for (int x = 0; x + 1 < n->counts[0]; x++) {
                WfVec middle;
                bool has = find_middle(n, x, y, z, &middle);
                n->vertices[place_of(n, x, y, z)] = has ? count : -1;
                count += has;
                if (has && put) wf_shape_add_vertex(n->shape, bring_onto(n, middle));
            }
    return count;
}

// The four cells around the edge that goes along `axis` from a sample, as a quadrangle that faces
// away from the inside.
static void add_quadrangle(Net* n, const int at[3], int axis, bool inside_first) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3, corners[4];
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int c = 0; c < 4; c++) {
        int cell[3] = {at[0], at[1], at[2]};
        cell[u] -= 1 - around[c][0];
        cell[v] -= 1 - around[c][1];
        corners[inside_first ? c : 3 - c] = n->vertices[place_of(n, cell[0], cell[1], cell[2])];
    }
    wf_shape_add_triangle(n->shape, corners[0], corners[1], corners[2]);
    wf_shape_add_triangle(n->shape, corners[0], corners[2], corners[3]);
}

// The outermost samples are outside: no edge there has a surface on it.
static int go_over_edges(Net* n, bool put) {
    int count = 0;
    for (int z = 0; z < n->counts[2]; z++)
        for (int y = 0; y < n->counts[1]; y++)
            for (int x = 0; x < n->counts[0]; x++)
                for (int axis = 0; axis < 3; axis++) {
                    const int at[3] = {x, y, z};
                    if (at[axis] + 1 >= n->counts[axis]) continue;
                    int nx = x + (axis == 0), ny = y + (axis == 1), nz = z + (axis == 2);
                    bool first = n->values[place_of(n, x, y, z)] < 0;
                    if (first == (n->values[place_of(n, nx, ny, nz)] < 0)) continue;
                    count++;
                    if (put) add_quadrangle(n, at, axis, first);
                }
    return count;
}

WeftResult wf_distance_shape(const WeftAllocator* allocator, const WfDistance* field,
                             WfShape* shape) {
    Net net = {.shape = shape};
    lay_out(&net, field);
    size_t count = (size_t)net.counts[0] * (size_t)net.counts[1] * (size_t)net.counts[2];
    net.values = wf_alloc(allocator, count, sizeof *net.values);
    net.vertices = wf_alloc(allocator, count, sizeof *net.vertices);
    WeftResult result = net.values && net.vertices ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) {
        take_samples(&net);
        int vertices = go_over_cells(&net, false), quadrangles = go_over_edges(&net, false);
        if (!wf_shape_allocate(allocator, vertices, 2 * quadrangles, shape))
            result = WEFT_ERROR_MEMORY;
    }
    if (!result) {
        go_over_cells(&net, true);
        go_over_edges(&net, true);
    }
    wf_free(allocator, net.values);
    wf_free(allocator, net.vertices);
    return result;
}
