// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "mesh/mesh.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"

WeftResult wf_mesh_create(WeftMesh* mesh, const WeftAllocator* allocator, int vertex_count,
                          int triangle_count, int spring_count, WeftError* error) {
    WeftAllocator memory = wf_allocator(allocator);
    *mesh = (WeftMesh){.vertex_count = vertex_count,
                       .material_count = triangle_count > 0 ? vertex_count : 0,
                       .triangle_count = triangle_count,
                       .spring_count = spring_count,
                       .allocator = memory};
    size_t vertices = (size_t)vertex_count, triangles = (size_t)triangle_count;
    mesh->positions = wf_alloc(&memory, 3 * vertices, sizeof *mesh->positions);
    if (triangle_count > 0) {
        mesh->material = wf_alloc(&memory, 2 * vertices, sizeof *mesh->material);
        mesh->triangles = wf_alloc(&memory, 3 * triangles, sizeof *mesh->triangles);
    }
    if (spring_count > 0)
        mesh->springs = wf_alloc(&memory, (size_t)spring_count, sizeof *mesh->springs);
    if (mesh->positions && (triangle_count == 0 || (mesh->material && mesh->triangles)) &&
        (mesh->springs || spring_count == 0))
        return WEFT_OK;
    weft_destroy_mesh(mesh);
    return wf_fail_memory(error);
}

WeftResult wf_mesh_add_threads(WeftMesh* mesh, int thread_count, int thread_vertex_count,
                               WeftError* error) {
    mesh->threads = wf_alloc(&mesh->allocator, (size_t)thread_count, sizeof *mesh->threads);
    mesh->thread_vertices =
        wf_alloc(&mesh->allocator, (size_t)thread_vertex_count, sizeof *mesh->thread_vertices);
    mesh->thread_count = thread_count;
    mesh->thread_vertex_count = thread_vertex_count;
    if (mesh->threads && mesh->thread_vertices) return WEFT_OK;
    weft_destroy_mesh(mesh);
    return wf_fail_memory(error);
}

void wf_mesh_place(WeftMesh* mesh, int vertex, double u, double v) {
    wf_assert(vertex >= 0 && vertex < mesh->vertex_count);
    mesh->positions[3 * (long)vertex] = u;
    mesh->positions[3 * (long)vertex + 1] = 0;
    mesh->positions[3 * (long)vertex + 2] = 0 - v;  // never -0
    mesh->material[2 * (long)vertex] = u;
    mesh->material[2 * (long)vertex + 1] = v;
}

void weft_destroy_mesh(WeftMesh* mesh) {
    if (!mesh) return;
    WeftAllocator memory = wf_allocator(&mesh->allocator);
    wf_free(&memory, mesh->positions);
    wf_free(&memory, mesh->material);
    wf_free(&memory, mesh->triangles);
    wf_free(&memory, mesh->triangle_material);
    wf_free(&memory, mesh->springs);
    wf_free(&memory, mesh->threads);
    wf_free(&memory, mesh->thread_vertices);
    wf_free(&memory, mesh->images);
    *mesh = (WeftMesh){0};
}

void weft_use_mesh(WeftClothDef* def, const WeftMesh* mesh) {
    def->vertex_count = mesh->vertex_count;
    def->positions = mesh->positions;
    def->material_count = mesh->material_count;
    def->material = mesh->material;
    def->triangle_count = mesh->triangle_count;
    def->triangles = mesh->triangles;
    def->triangle_material = mesh->triangle_material;
    def->spring_count = mesh->spring_count;
    def->springs = mesh->springs;
    def->thread_count = mesh->thread_count;
    def->threads = mesh->threads;
    def->thread_vertex_count = mesh->thread_vertex_count;
    def->thread_vertices = mesh->thread_vertices;
    def->images = mesh->images;
}
