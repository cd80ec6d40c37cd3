// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/vec.h"
#include "sim/builder.h"
#include "sim/input.h"
#include "sim/skin.h"

// ---------------------------------------------------------------------------------------------
// Refusals

enum { MOST_BONES = 100000, MOST_PER_VERTEX = 8 };

static WeftResult check_maps(const WeftClothDef* cloth, WeftError* error) {
    const struct {
        const char* name;
        const double* map;
        double low, high;
    } maps[] = {
        {"max_distance", cloth->max_distance, -WF_LARGEST_PLACE, WF_LARGEST_PLACE},
        {"backstop_radius", cloth->backstop_radius, 0, WF_LARGEST_PLACE},
        {"backstop_distance", cloth->backstop_distance, -WF_LARGEST_PLACE, WF_LARGEST_PLACE},
        {"drive_stiffness", cloth->drive_stiffness, 0, 1e8},
        {"drive_damping", cloth->drive_damping, 0, 1e6},
    };
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++)
        for (int i = 0; maps[k].map && i < cloth->vertex_count; i++)
            if (!(maps[k].map[i] >= maps[k].low && maps[k].map[i] <= maps[k].high))
                return wf_fail(error, WEFT_ERROR_INPUT, "%s[%d] is %g; it must be %g to %g",
                               maps[k].name, i, maps[k].map[i], maps[k].low, maps[k].high);
    if (cloth->backstop_distance && !cloth->backstop_radius)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "backstop_distance without backstop_radius: a backstop is a ball");
    return WEFT_OK;
}

static WfVec column_of(const double* frame, int k) {
    return (WfVec){frame[k], frame[4 + k], frame[8 + k]};
}

static double determinant(const double* frame) {
    return wf_dot(column_of(frame, 0), wf_cross(column_of(frame, 1), column_of(frame, 2)));
}

static WeftResult check_frame(const double* frame, int bone, WeftError* error) {
    for (int k = 0; k < 12; k++)
        if (!(fabs(frame[k]) <= WF_LARGEST_PLACE))
            return wf_fail(error, WEFT_ERROR_INPUT, "bone %d has a frame with the number %g", bone,
                           frame[k]);
    if (!(fabs(determinant(frame)) > 1e-12))
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "bone %d has a frame without volume; nothing can go along with it", bone);
    return WEFT_OK;
}

static WeftResult check_weights(const WeftClothDef* cloth, int i, WeftError* error) {
    const int* which = cloth->vertex_bones + (long)i * cloth->bones_per_vertex;
    const double* weights = cloth->vertex_weights + (long)i * cloth->bones_per_vertex;
    double sum = 0;
    for (int k = 0; k < cloth->bones_per_vertex; k++) {
        if (which[k] < 0 || which[k] >= cloth->bone_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "vertex %d has the bone %d; it must be 0 to %d",
                           i, which[k], cloth->bone_count - 1);
        if (!(weights[k] >= 0 && weights[k] <= 1e6))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "vertex %d has the weight %g; it must be 0 to %g", i, weights[k], 1e6);
        sum += weights[k];
    }
    return sum > 0 ? WEFT_OK
                   : wf_fail(error, WEFT_ERROR_INPUT,
                             "all weights of vertex %d are 0; it would go along with no bone", i);
}

static WeftResult check_bones(const WeftClothDef* cloth, WeftError* error) {
    if (cloth->bone_count < 0 || cloth->bone_count > MOST_BONES)
        return wf_fail(error, WEFT_ERROR_INPUT, "%d bones; there must be 0 to %d",
                       cloth->bone_count, MOST_BONES);
    if (cloth->bone_count == 0) return WEFT_OK;
    if (!cloth->bones || !cloth->vertex_bones || !cloth->vertex_weights)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "%d bones, but no frames, or none of the bones or weights of vertices",
                       cloth->bone_count);
    if (cloth->bones_per_vertex < 1 || cloth->bones_per_vertex > MOST_PER_VERTEX)
        return wf_fail(error, WEFT_ERROR_INPUT, "bones_per_vertex is %d; it must be 1 to %d",
                       cloth->bones_per_vertex, MOST_PER_VERTEX);
    WeftResult result = WEFT_OK;
    for (int b = 0; b < cloth->bone_count && !result; b++)
        result = check_frame(cloth->bones + 12 * (long)b, b, error);
    for (int i = 0; i < cloth->vertex_count && !result; i++)
        result = check_weights(cloth, i, error);
    return result;
}

WeftResult wf_check_animation(const WeftClothDef* cloth, WeftError* error) {
    WeftResult result = check_maps(cloth, error);
    return result ? result : check_bones(cloth, error);
}

// ---------------------------------------------------------------------------------------------
// Bones

// Of a frame x = A p + a: A^-1 and -A^-1 a, by cofactors.
static void invert(const double* frame, double* inverse) {
    WfVec a = column_of(frame, 0), b = column_of(frame, 1), c = column_of(frame, 2);
    WfVec rows[3] = {wf_cross(b, c), wf_cross(c, a), wf_cross(a, b)};
    double over = 1 / determinant(frame);
    for (int k = 0; k < 3; k++) {
        WfVec row = wf_mul(over, rows[k]);
        wf_store(inverse + 4 * k, 0, row);
        inverse[4 * k + 3] = -wf_dot(row, column_of(frame, 3));
    }
}

static WeftResult add_bones(const WeftAllocator* allocator, const WeftClothDef* cloth,
                            WfBones* bones) {
    size_t n = (size_t)cloth->vertex_count, each = (size_t)cloth->bones_per_vertex;
    if (cloth->bone_count == 0) return WEFT_OK;
    *bones = (WfBones){cloth->bone_count,
                       cloth->bones_per_vertex,
                       cloth->vertex_count,
                       wf_alloc(allocator, 12 * (size_t)cloth->bone_count, sizeof(double)),
                       wf_alloc(allocator, 3 * n, sizeof(double)),
                       wf_alloc(allocator, each * n, sizeof(int)),
                       wf_alloc(allocator, each * n, sizeof(double))};
    if (!bones->inverses || !bones->positions || !bones->which || !bones->weights)
        return WEFT_ERROR_MEMORY;
    for (int b = 0; b < cloth->bone_count; b++)
        invert(cloth->bones + 12 * (long)b, bones->inverses + 12 * (long)b);
    memcpy(bones->positions, cloth->positions, 3 * n * sizeof(double));
    memcpy(bones->which, cloth->vertex_bones, each * n * sizeof(int));
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < each; k++) sum += cloth->vertex_weights[i * each + k];
        for (size_t k = 0; k < each; k++)
            bones->weights[i * each + k] = cloth->vertex_weights[i * each + k] / sum;
    }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// Rows

bool wf_cloth_has_skin(const WeftClothDef* cloth) {
    return cloth->max_distance || cloth->backstop_radius || cloth->drive_stiffness ||
           cloth->drive_damping || cloth->bone_count > 0;
}

static double map_at(const double* map, int i, double without) { return map ? map[i] : without; }

static void add_rows(const WfBuilder* b, int c, const WeftClothDef* cloth) {
    WeftModel* m = b->model;
    WfSkinned* s = &m->skinned;
    for (int i = 0; i < cloth->vertex_count; i++) {
        if (s->let_go) s->let_go[s->count] = b->let_go[m->first_vertex[c] + i];
        double* maps = s->maps + 3 * (long)s->count;
        s->rows[s->count] = m->first_vertex[c] + i;
        s->of_rows[m->first_vertex[c] + i] = s->count++;
        maps[0] = map_at(cloth->max_distance, i, -1);
        maps[1] = map_at(cloth->backstop_distance, i, 0);
        maps[2] = map_at(cloth->backstop_radius, i, 0);
    }
}

WeftResult wf_add_skins(WfBuilder* b) {
    WeftModel* m = b->model;
    WfSkinned* s = &m->skinned;
    size_t n = (size_t)m->system.vertex_count, cloths = (size_t)m->cloth_count;
    bool any = false;
    for (int c = 0; c < m->cloth_count; c++) any = any || wf_cloth_has_skin(&b->cloths[c]);
    if (!any) return WEFT_OK;
    s->rows = wf_alloc(b->allocator, n, sizeof(int));
    s->of_rows = wf_alloc(b->allocator, n, sizeof(int));
    s->first = wf_alloc(b->allocator, cloths + 1, sizeof(int));
    s->maps = wf_alloc(b->allocator, 3 * n, sizeof(double));
    s->bones = wf_alloc(b->allocator, cloths, sizeof *s->bones);
    if (b->let_go) s->let_go = wf_alloc(b->allocator, n, 1);
    if (!s->rows || !s->of_rows || !s->first || !s->maps || !s->bones || (b->let_go && !s->let_go))
        return WEFT_ERROR_MEMORY;
    memset(s->of_rows, -1, n * sizeof(int));
    WeftResult result = WEFT_OK;
    for (int c = 0; c < m->cloth_count && !result; c++) {
        const WeftClothDef* cloth = &b->cloths[c];
        s->first[c] = s->count;
        s->is_driven = s->is_driven || cloth->drive_stiffness || cloth->drive_damping;
        if (wf_cloth_has_skin(cloth)) add_rows(b, c, cloth);
        // the bones of a half move the whole; those of a torn cloth are the whole one's
        if (!b->root) result = add_bones(b->allocator, &b->def->cloths[c], &s->bones[c]);
    }
    s->first[m->cloth_count] = s->count;
    return result;
}

void wf_destroy_skinned(const WeftAllocator* allocator, int cloth_count, WfSkinned* s) {
    for (int c = 0; c < cloth_count && s->bones; c++) {
        wf_free(allocator, s->bones[c].inverses);
        wf_free(allocator, s->bones[c].positions);
        wf_free(allocator, s->bones[c].which);
        wf_free(allocator, s->bones[c].weights);
    }
    wf_free(allocator, s->rows);
    wf_free(allocator, s->of_rows);
    wf_free(allocator, s->first);
    wf_free(allocator, s->maps);
    wf_free(allocator, s->bones);
    wf_free(allocator, s->let_go);
}
