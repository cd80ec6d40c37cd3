// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Texture and lines of what is shown. A refined cloth has the texture of the coarse one between its
// corners, triangle by triangle, so that panels stay apart at seams.

#include <string.h>

#include "base/memory.h"
#include "io/show.h"

int wf_texture_count(const WeftMesh* mesh) { return mesh->material ? mesh->material_count : 1; }

WeftMesh wf_textured_mesh(const WeftShow* show, int cloth, const WfSceneTexture* texture) {
    WeftMesh mesh = show->scene->meshes[cloth];
    const float* from = texture->points + 2 * (size_t)show->cloths[cloth].coarse_point;
    if (!mesh.material) return mesh;
    size_t count = 2 * (size_t)mesh.material_count;
    mesh.material = wf_alloc(&show->allocator, count, sizeof *mesh.material);
    for (size_t i = 0; i < count && mesh.material; i++) mesh.material[i] = (double)from[i];
    return mesh;
}

bool wf_take_texture(const WeftAllocator* allocator, const WeftMesh* textured, WfShownMesh* shown) {
    WeftMesh* mesh = &shown->mesh;
    size_t count = (size_t)mesh->vertex_count;
    if (mesh->material || !textured->material || textured->triangle_material) return true;
    mesh->material = wf_alloc(allocator, 2 * count, sizeof *mesh->material);
    if (!mesh->material) return false;
    mesh->material_count = mesh->vertex_count;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3; c++) {
            const double* corner = textured->material + 2 * (size_t)shown->map.corners[3 * i + c];
            for (size_t k = 0; k < 2; k++)
                mesh->material[2 * i + k] += shown->map.weights[3 * i + c] * corner[k];
        }
    return true;
}

// ---------------------------------------------------------------------------------------------

static void copy_plain(WeftShow* show, int cloth, const WfSceneTexture* texture) {
    const WfShownCloth *own = &show->cloths[cloth], *next = own + 1;
    size_t points = (size_t)(next->point - own->point);
    size_t corners = 3 * (size_t)(next->triangle - own->triangle);
    const int* from = texture->corners + 3 * (size_t)own->coarse_triangle;
    int* to = show->triangle_texture + 3 * (size_t)own->triangle;
    memcpy(show->texture + 2 * (size_t)own->point, texture->points + 2 * (size_t)own->coarse_point,
           2 * points * sizeof(float));
    for (size_t i = 0; i < corners; i++) to[i] = from[i] - own->coarse_point + own->point;
}

void wf_fill_texture(WeftShow* show, int cloth, const WfShownMesh* shown,
                     const WfSceneTexture* texture) {
    const WfShownCloth* own = &show->cloths[cloth];
    const WeftMesh* mesh = &shown->mesh;
    if (!own->detail) {
        copy_plain(show, cloth, texture);
        return;
    }
    const int* points = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    float* to = show->texture + 2 * (size_t)own->point;
    int* corners = show->triangle_texture + 3 * (size_t)own->triangle;
    for (size_t i = 0; i < 2 * (size_t)wf_texture_count(mesh); i++)
        to[i] = mesh->material ? (float)mesh->material[i] : 0;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        corners[i] = own->point + (mesh->material ? points[i] : 0);
}

int weft_show_material(const WeftShow* show, float* texture, int* triangle_texture) {
    const WfShownCloth* end = &show->cloths[show->cloth_count];
    size_t points = 2 * (size_t)end->point, corners = 3 * (size_t)end->triangle;
    if (texture) memcpy(texture, show->texture, points * sizeof *texture);
    if (triangle_texture)
        memcpy(triangle_texture, show->triangle_texture, corners * sizeof *triangle_texture);
    return end->point;
}

// The vertices of a refined cloth begin with those of the coarse one; a render mesh has no ropes.
int weft_show_lines(const WeftShow* show, int* lines) {
    int count = 0;
    for (int c = 0; c < show->cloth_count; c++) {
        const WeftClothDef* cloth = &show->scene->model.cloths[c];
        for (int t = 0; t < cloth->thread_count && !show->cloths[c].embedded; t++) {
            const WeftThread* thread = &cloth->threads[t];
            const int* v = cloth->thread_vertices + thread->first;
            for (int i = 0; i + 1 < thread->count && thread->kind == WEFT_THREAD_ROPE; i++) {
                for (int k = 0; k < 2 && lines; k++)
                    lines[2 * (size_t)count + (size_t)k] = show->cloths[c].vertex + v[i + k];
                count++;
            }
        }
    }
    return count;
}
