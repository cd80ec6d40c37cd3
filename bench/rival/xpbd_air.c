// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Air: drag by triangles, four at a time, as weft has it, but for folds too fine for the mesh.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "xpbd_parts.h"

static double one_of(const double* all, double common, int i) { return all ? all[i] : common; }

// A lane without a triangle has one of no area.
static void fill_faces(Xpbd* xpbd) {
    const XpbdAir* air = &xpbd->def.air;
    int spare = round_up(xpbd->vertex_count);
    for (int i = 0; i < round_up(air->triangle_count); i++) {
        Faces* faces = &xpbd->faces[i / LANES];
        bool used = i < air->triangle_count;
        for (int k = 0; k < 3; k++)
            faces->corners[k][i % LANES] = STRIDE * (used ? air->triangles[3 * i + k] : spare);
        if (!used) continue;
        faces->drags[i % LANES] = (float)one_of(air->drags, air->drag, i);
        faces->frictions[i % LANES] = (float)one_of(air->frictions, air->friction, i);
        xpbd->face_densities[i] = one_of(air->densities, air->density, i);
    }
    xpbd->face_count = round_up(air->triangle_count) / LANES;
}

bool make_air(Xpbd* xpbd) {
    size_t all = (size_t)all_vertices(xpbd), count = (size_t)round_up(xpbd->def.air.triangle_count);
    if (count == 0) return true;
    xpbd->faces = (Faces*)(void*)make_floats(count / LANES * sizeof *xpbd->faces / sizeof(float));
    xpbd->face_densities = calloc(count, sizeof *xpbd->face_densities);
    xpbd->mobilities = make_floats(all);
    xpbd->falls = make_floats(STRIDE * all);
    xpbd->winds = make_floats(STRIDE * all);
    if (!xpbd->faces || !xpbd->face_densities || !xpbd->mobilities || !xpbd->falls || !xpbd->winds)
        return false;
    fill_faces(xpbd);
    return true;
}

void free_air(Xpbd* xpbd) {
    free_floats(xpbd->faces);
    free(xpbd->face_densities);
    free_floats(xpbd->mobilities);
    free_floats(xpbd->falls);
    free_floats(xpbd->winds);
}

// No force does more than stop a triangle while it lasts.
void fit_air(Xpbd* xpbd) {
    int lasts = xpbd->def.substeps < AIR_SUBSTEPS ? xpbd->def.substeps : AIR_SUBSTEPS;
    for (int i = 0; i < xpbd->def.air.triangle_count; i++)
        xpbd->faces[i / LANES].most[i % LANES] =
            (float)(xpbd->face_densities[i] / (lasts * xpbd->h));
    for (int i = 0; i < xpbd->vertex_count && xpbd->mobilities; i++)
        xpbd->mobilities[i] = (float)(xpbd->h * xpbd->h * xpbd->inverse_masses[i]);
}

void set_xpbd_wind(Xpbd* xpbd, const double* winds) {
    for (int i = 0; i < xpbd->vertex_count && xpbd->winds; i++)
        for (int c = 0; c < 3; c++)
            xpbd->winds[STRIDE * i + c] = winds ? (float)(xpbd->h * winds[3 * i + c]) : 0;
}

// ---------------------------------------------------------------------------------------------

// The places of one corner of four triangles, and how far it moves against the air in a substep.
static inline void load_corner(const Xpbd* xpbd, const int* corners, Lanes* x, Lanes* v) {
    for (int k = 0; k < LANES; k++) {
        Lanes now = lanes_load(xpbd->moves + corners[k]);
        x[k] = lanes_add(now, lanes_load(xpbd->places + corners[k]));
        v[k] = lanes_sub(lanes_sub(now, lanes_load(xpbd->previous + corners[k])),
                         lanes_load(xpbd->winds + corners[k]));
    }
    lanes_turn(&x[0], &x[1], &x[2], &x[3]);
    lanes_turn(&v[0], &v[1], &v[2], &v[3]);
}

// c |w|, but no more than `most`
static inline Lanes slowing(const float* coefficients, const float* most, Lanes square) {
    return lanes_min(lanes_mul(lanes_load(coefficients), lanes_sqrt(square)), lanes_load(most));
}

// The force on each corner of four triangles.
static inline void find_drag(const Xpbd* xpbd, const Faces* faces, Lanes x[3][LANES],
                             Lanes v[3][LANES], Lanes* force) {
    Lanes a[3], b[3], w[3], t[3], third = lanes_set((float)(-1 / (3 * xpbd->h)));
    for (int c = 0; c < 3; c++) {
        a[c] = lanes_sub(x[1][c], x[0][c]);
        b[c] = lanes_sub(x[2][c], x[0][c]);
        w[c] = lanes_mul(third, lanes_add(lanes_add(v[0][c], v[1][c]), v[2][c]));
    }
    Lanes n[3] = {lanes_sub(lanes_mul(a[1], b[2]), lanes_mul(a[2], b[1])),
                  lanes_sub(lanes_mul(a[2], b[0]), lanes_mul(a[0], b[2])),
                  lanes_sub(lanes_mul(a[0], b[1]), lanes_mul(a[1], b[0]))};
    Lanes nn = lanes_max(lanes_dot(n, n), lanes_set(1e-24f)), across = lanes_dot(w, n);
    Lanes part = lanes_div(across, nn);
    for (int c = 0; c < 3; c++) t[c] = lanes_sub(w[c], lanes_mul(part, n[c]));
    Lanes sixth = lanes_mul(lanes_set(1.0f / 6), lanes_sqrt(nn));  // a third of the area
    Lanes by_n = lanes_mul(lanes_mul(sixth, part),
                           slowing(faces->drags, faces->most, lanes_mul(part, across)));
    Lanes by_t = lanes_mul(sixth, slowing(faces->frictions, faces->most, lanes_dot(t, t)));
    for (int c = 0; c < 3; c++) force[c] = lanes_add(lanes_mul(by_n, n[c]), lanes_mul(by_t, t[c]));
    force[3] = lanes_set(0);
    lanes_turn(&force[0], &force[1], &force[2], &force[3]);
}

void blow(Xpbd* xpbd) {
    Lanes falling = free_fall(xpbd);
    for (int i = 0; i < STRIDE * xpbd->vertex_count; i += STRIDE)
        lanes_store(xpbd->falls + i, falling);
    for (int g = 0; g < xpbd->face_count; g++) {
        const Faces* faces = &xpbd->faces[g];
        Lanes x[3][LANES], v[3][LANES], force[LANES];
        for (int k = 0; k < 3; k++) load_corner(xpbd, faces->corners[k], x[k], v[k]);
        find_drag(xpbd, faces, x, v, force);
        for (int k = 0; k < 3; k++)
            for (int lane = 0; lane < LANES; lane++) {
                int at = faces->corners[k][lane];
                Lanes mobility = lanes_set(xpbd->mobilities[at / STRIDE]);
                float* fall = xpbd->falls + at;
                lanes_store(fall, lanes_add(lanes_load(fall), lanes_mul(mobility, force[lane])));
            }
    }
}
