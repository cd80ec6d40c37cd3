// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The cloth itself as render mesh: each vertex is a corner of one of its triangles, from which the
// tangent is, by the flat shape alone; where the cloth starts does not matter.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "render/binding.h"

WeftResult wf_check_cloth_mesh(const WeftModel* model, int cloth, const WeftMesh* mesh,
                               WeftError* error) {
    const WfShown* shown = &model->shown;
    if (cloth < 0 || cloth >= model->cloth_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "there is no cloth %d in a model of %d", cloth,
                       model->cloth_count);
    int first, count = wf_cloth_triangles(model, cloth, &first), from = shown->first_vertex[cloth];
    bool same = mesh->triangle_count == count &&
                mesh->vertex_count == shown->first_vertex[cloth + 1] - from;
    for (long c = 0; c < 3L * count && same; c++)
        same = mesh->triangles[c] == shown->triangles[3L * first + c] - from;
    return same ? WEFT_OK
                : wf_fail(error, WEFT_ERROR_INPUT,
                          "cloth %d was made of another mesh: %d vertices and %d triangles, or "
                          "others in their place",
                          cloth, shown->first_vertex[cloth + 1] - from, count);
}

// Where u goes, by the two sides of a triangle from a corner.
static void find_tangent(const double* u0, const double* u1, const double* u2, WfBound* bound) {
    double eu = u1[0] - u0[0], ev = u1[1] - u0[1], fu = u2[0] - u0[0], fv = u2[1] - u0[1];
    double det = eu * fv - fu * ev;
    bound->handedness = det < 0 ? -1 : 1;
    bound->tangent[0] = fabs(det) > 0 ? (float)(fv / det) : 1;
    bound->tangent[1] = fabs(det) > 0 ? (float)(-ev / det) : 0;
}

static void bind_corner(const WeftMesh* mesh, const int* flat, int from, long c, WfBound* bound) {
    long t = c - c % 3, all[3] = {c, t + (c + 1) % 3, t + (c + 2) % 3};
    for (int k = 0; k < 3; k++) bound->corners[k] = from + mesh->triangles[all[k]];
    if (!mesh->material) {
        bound->tangent[0] = 1;
        return;
    }
    const double* u[3];
    for (int k = 0; k < 3; k++) u[k] = mesh->material + 2 * (long)flat[all[k]];
    find_tangent(u[0], u[1], u[2], bound);
}

// Those of no triangle, as of ropes, are one point each.
static void bind_points(const WeftMesh* mesh, const int* flat, int from, WeftBinding* b) {
    bool split = flat != mesh->triangles;
    for (int i = 0; i < b->count; i++) {
        int v = from + (split ? 0 : i);
        b->bound[i] = (WfBound){.corners = {v, v, v}, .handedness = 1, .normal = {0, 0, 1}};
    }
    for (long c = 3L * mesh->triangle_count - 1; c >= 0; c--)
        bind_corner(mesh, flat, from, c, &b->bound[flat[c]]);
}

WeftResult weft_bind_cloth(const WeftModel* model, int cloth, const WeftMesh* mesh,
                           const WeftAllocator* allocator, WeftBinding** out, WeftError* error) {
    wf_assert(model && mesh && out);
    *out = NULL;
    WeftResult result = wf_check_cloth_mesh(model, cloth, mesh, error);
    if (result) return result;
    bool split = mesh->material && mesh->triangle_material;
    const int* flat = split ? mesh->triangle_material : mesh->triangles;
    WeftBindingDef def = {.model = model,
                          .cloth = cloth,
                          .vertex_count = split ? mesh->material_count : mesh->vertex_count,
                          .triangle_count = mesh->triangle_count,
                          .triangles = flat,
                          .surface = WEFT_SURFACE_FLAT};
    if (allocator) def.allocator = *allocator;
    WeftBinding* b = wf_binding_allocate(&def);
    if (!b) return wf_fail_memory(error);
    bind_points(mesh, flat, model->shown.first_vertex[cloth], b);
    wf_binding_pad(b);
    *out = b;
    return WEFT_OK;
}
