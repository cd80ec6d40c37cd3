// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Surface nets (Gibson 1998): one vertex in each cell of a grid that the surface passes, a quad
// around each edge of the grid whose ends lie on different sides.
//
//        :     :          Nodes lie at x = (i - 1/2) cell: the cells i = 0 have x = 0 in their
//     - -o- - -o- -       middle, and their vertices are put there. An edge across x = 0 has the
//        :  x--:--x       same sign at both ends, so the half has its border there, and nothing
//     - -o- | -o- | -     beyond.
//        :  x--:--x
//
// Most nodes are far from the surface. Where the field in the middle of a block of nodes is larger
// than the block, its sign is that of the whole block.

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"
#include "garment/mannequin_mesh.h"

enum { BLOCK = 4 };

typedef struct Net {
    const WfMannequinShape* shape;
    double cell;
    WfVec low;     // node 0 0 0
    int size[3];   // nodes
    float* field;  // per node, z fastest
    int* vertex;   // per cell (at its least node), or -1
    WfSkinMesh* half;
} Net;

static size_t node_at(const Net* net, int i, int j, int k) {
    return ((size_t)i * (size_t)net->size[1] + (size_t)j) * (size_t)net->size[2] + (size_t)k;
}

static WfVec node_position(const Net* net, double i, double j, double k) {
    return (WfVec){net->low.x + i * net->cell, net->low.y + j * net->cell,
                   net->low.z + k * net->cell};
}

// The box around the shape.
static void find_box(Net* net) {
    const WfMannequinShape* s = net->shape;
    const WfLoft* lofts[2] = {&s->torso, &s->leg};
    double front = s->joints.toe_end.z, back = s->joints.heel.z, unit = s->height / 1000;
    for (int l = 0; l < 2; l++) {
        for (int i = 0; i < lofts[l]->count; i++) {
            const double* v = lofts[l]->value[i];
            front = fmax(front, v[WF_DEEP] + v[WF_DEEP_MORE]);
            back = fmin(back, v[WF_DEEP] - v[WF_DEEP_LESS]);
        }
    }
    for (int i = 0; i < s->swell_count; i++) {
        front = fmax(front, s->swells[i].to.z + s->swells[i].to_radius);
        back = fmin(back, s->swells[i].to.z - s->swells[i].to_radius);
    }
    double margin = 20 * unit + 2 * net->cell, right = s->joints.hand_end.x + margin;
    net->low = (WfVec){-0.5 * net->cell, -margin, back - margin};
    net->size[0] = (int)ceil((right - net->low.x) / net->cell) + 1;
    net->size[1] = (int)ceil((s->height + 2 * margin) / net->cell) + 1;
    net->size[2] = (int)ceil((front + margin - net->low.z) / net->cell) + 1;
}

static void sample_block(Net* net, int i0, int j0, int k0) {
    int ends[3], starts[3] = {i0, j0, k0};
    for (int a = 0; a < 3; a++)
        ends[a] = starts[a] + BLOCK < net->size[a] ? starts[a] + BLOCK : net->size[a];
    double half = 0.5 * (BLOCK - 1);
    WfVec middle = node_position(net, i0 + half, j0 + half, k0 + half);
    double here = wf_mannequin_field(net->shape, middle);
    bool far = fabs(here) > 1.8 * half * 1.733 * net->cell;
    for (int i = i0; i < ends[0]; i++)
        for (int j = j0; j < ends[1]; j++)
            for (int k = k0; k < ends[2]; k++)
                net->field[node_at(net, i, j, k)] =
                    (float)(far ? here
                                : wf_mannequin_field(net->shape, node_position(net, i, j, k)));
}

static void sample_field(Net* net) {
    for (int i = 0; i < net->size[0]; i += BLOCK)
        for (int j = 0; j < net->size[1]; j += BLOCK)
            for (int k = 0; k < net->size[2]; k += BLOCK) sample_block(net, i, j, k);
}

// ---------------------------------------------------------------------------------------------
// Two sheets in one cell would share its vertex. Where that is so, the outer node that is nearest
// to the surface becomes an inner one: it is off by less than a cell, and the surface is found
// again later. What is inside only grows, so that this comes to an end.

static size_t corner_at(const Net* net, int i, int j, int k, int corner) {
    return node_at(net, i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
}

// Whether two corners of a cell that are opposite across a face, or across the cell, are alone on
// their side of the surface in that face or cell. `across`: the axes in which they differ, as bits.
static bool are_opposed(const bool* inside, int corner, int across) {
    int alike = 0;
    for (int c = 0; c < 8; c++)
        if (((c ^ corner) & ~across) == 0) alike += inside[c] == inside[corner];
    return inside[corner ^ across] == inside[corner] && alike == 2;
}

static void fill_nearest(Net* net, int i, int j, int k, int corner, int across) {
    int best = -1;
    float least = 1e30F;
    for (int c = 0; c < 8; c++) {
        if (((c ^ corner) & ~across) != 0) continue;
        float f = net->field[corner_at(net, i, j, k, c)];
        if (f < 0 || f >= least) continue;
        least = f;
        best = c;
    }
    float value = (float)(-0.2 * net->cell);
    net->field[corner_at(net, i, j, k, best)] = value;
    if (i == 0) net->field[corner_at(net, i, j, k, best ^ 1)] = value;  // the mirror image
    if (i == 1 && !(best & 1)) net->field[corner_at(net, 0, j, k, best)] = value;
}

static bool mend_cell(Net* net, int i, int j, int k) {
    static const int across[4] = {3, 5, 6, 7};
    bool inside[8];
    int count = 0;
    for (int c = 0; c < 8; c++) {
        inside[c] = net->field[corner_at(net, i, j, k, c)] < 0;
        count += inside[c];
    }
    if (count == 0 || count == 8) return false;
    for (int c = 0; c < 8; c++) {
        for (int a = 0; a < 4; a++) {
            if (!are_opposed(inside, c, across[a])) continue;
            fill_nearest(net, i, j, k, c, across[a]);
            return true;
        }
    }
    return false;
}

static void mend_cells(Net* net) {
    bool mended = true;
    while (mended) {
        mended = false;
        for (int i = 0; i + 1 < net->size[0]; i++)
            for (int j = 0; j + 1 < net->size[1]; j++)
                for (int k = 0; k + 1 < net->size[2]; k++)
                    if (mend_cell(net, i, j, k)) mended = true;
    }
}

// ---------------------------------------------------------------------------------------------
// Vertices and quads

// The mean of the crossings on a cell's edges; false where there are none.
static bool cell_vertex(const Net* net, int i, int j, int k, WfVec* out) {
    double f[8];
    int inside = 0, count = 0;
    for (int c = 0; c < 8; c++) {
        f[c] = net->field[corner_at(net, i, j, k, c)];
        inside += f[c] < 0;
    }
    if (inside == 0 || inside == 8) return false;
    WfVec sum = {0, 0, 0};
    for (int c = 0; c < 8; c++) {
        for (int a = 1; a < 8; a *= 2) {
            int d = c | a;
            if (d == c || (f[c] < 0) == (f[d] < 0)) continue;
            double t = f[c] / (f[c] - f[d]);
            WfVec p =
                node_position(net, i + (c & 1) + (a == 1 ? t : 0),
                              j + (c >> 1 & 1) + (a == 2 ? t : 0), k + (c >> 2) + (a == 4 ? t : 0));
            sum = wf_add(sum, p);
            count++;
        }
    }
    *out = wf_mul(1.0 / count, sum);
    if (i == 0) out->x = 0;
    return true;
}

static void add_vertices(Net* net) {
    for (int i = 0; i + 1 < net->size[0]; i++) {
        for (int j = 0; j + 1 < net->size[1]; j++) {
            for (int k = 0; k + 1 < net->size[2]; k++) {
                WfVec p;
                bool passed = cell_vertex(net, i, j, k, &p);
                net->vertex[node_at(net, i, j, k)] = passed ? net->half->vertex_count : -1;
                if (!passed) continue;
                if (net->half->positions)
                    wf_store(net->half->positions, net->half->vertex_count, p);
                net->half->vertex_count++;
            }
        }
    }
}

static void add_triangle(WfSkinMesh* half, int a, int b, int c) {
    int* t = half->triangles + 3 * (long)half->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

// The quad around the edge from a node along an axis, seen from where the axis points to.
static void add_quad(Net* net, const int node[3], int axis, bool leaves) {
    int b = (axis + 1) % 3, c = (axis + 2) % 3, corner[4];
    static const int back[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    for (int q = 0; q < 4; q++) {
        int cell[3] = {node[0], node[1], node[2]};
        cell[b] -= back[q][0];
        cell[c] -= back[q][1];
        corner[leaves ? q : 3 - q] = net->vertex[node_at(net, cell[0], cell[1], cell[2])];
    }
    WfSkinMesh* half = net->half;
    WfVec p[4];
    for (int q = 0; q < 4; q++) p[q] = wf_load(half->positions, corner[q]);
    bool first = wf_length(wf_sub(p[0], p[2])) <= wf_length(wf_sub(p[1], p[3]));
    add_triangle(half, corner[0], corner[1], corner[first ? 2 : 3]);
    add_triangle(half, corner[first ? 0 : 1], corner[2], corner[3]);
}

static void add_quads(Net* net) {
    for (int i = 0; i + 1 < net->size[0]; i++) {
        for (int j = 1; j + 1 < net->size[1]; j++) {
            for (int k = 1; k + 1 < net->size[2]; k++) {
                for (int axis = 0; axis < 3; axis++) {
                    int node[3] = {i, j, k}, next[3] = {i, j, k};
                    if (axis > 0 && i == 0) continue;
                    next[axis]++;
                    bool inside = net->field[node_at(net, i, j, k)] < 0;
                    bool beyond = net->field[node_at(net, next[0], next[1], next[2])] < 0;
                    if (inside != beyond) add_quad(net, node, axis, inside);
                }
            }
        }
    }
}

WeftResult wf_mannequin_net(const WfMannequinShape* shape, double cell,
                            const WeftAllocator* allocator, WfSkinMesh* half, WeftError* error) {
    Net net = {.shape = shape, .cell = cell, .half = half};
    WeftResult result = WEFT_OK;
    *half = (WfSkinMesh){0};
    find_box(&net);
    size_t nodes = (size_t)net.size[0] * (size_t)net.size[1] * (size_t)net.size[2];
    net.field = wf_alloc(allocator, nodes, sizeof *net.field);
    net.vertex = wf_alloc(allocator, nodes, sizeof *net.vertex);
    if (!net.field || !net.vertex) {
        result = wf_fail_memory(error);
        goto done;
    }
    sample_field(&net);
    mend_cells(&net);
    add_vertices(&net);  // counts only
    half->positions = wf_alloc(allocator, 3 * (size_t)half->vertex_count, sizeof *half->positions);
    // as many quads as vertices, or one less, for each handle and border
    half->triangles =
        wf_alloc(allocator, 3 * (2 * (size_t)half->vertex_count + 1000), sizeof *half->triangles);
    if (!half->positions || !half->triangles) {
        result = wf_fail_memory(error);
        goto done;
    }
    half->vertex_count = 0;
    add_vertices(&net);
    add_quads(&net);
done:
    wf_free(allocator, net.field);
    wf_free(allocator, net.vertex);
    if (result) {
        wf_free(allocator, half->positions);
        wf_free(allocator, half->triangles);
        *half = (WfSkinMesh){0};
    }
    return result;
}
