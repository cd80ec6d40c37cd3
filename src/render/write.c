// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Blocks of vertices are found in memory that stays in the cache, four at a time, and then written
// in order: buffers of graphics cards are slow for whoever reads them or jumps about.

#include <string.h>

#include "base/assert.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "render/binding.h"
#include "render/frames.h"
#include "sim/model.h"

enum { LANES = WF_BOUND_LANES };

// x, y and z of four vertices.
typedef struct Vectors {
    WfQuad x, y, z;
} Vectors;

static WF_INLINE Vectors add(Vectors a, Vectors b) {
    return (Vectors){wf_quad_add(a.x, b.x), wf_quad_add(a.y, b.y), wf_quad_add(a.z, b.z)};
}
static WF_INLINE Vectors sub(Vectors a, Vectors b) {
    return (Vectors){wf_quad_sub(a.x, b.x), wf_quad_sub(a.y, b.y), wf_quad_sub(a.z, b.z)};
}
static WF_INLINE Vectors mul(WfQuad s, Vectors a) {
    return (Vectors){wf_quad_mul(s, a.x), wf_quad_mul(s, a.y), wf_quad_mul(s, a.z)};
}
static WF_INLINE Vectors madd(Vectors a, WfQuad s, Vectors b) { return add(a, mul(s, b)); }
static WF_INLINE WfQuad dot(Vectors a, Vectors b) {
    return wf_quad_add(wf_quad_add(wf_quad_mul(a.x, b.x), wf_quad_mul(a.y, b.y)),
                       wf_quad_mul(a.z, b.z));
}
static WF_INLINE Vectors cross(Vectors a, Vectors b) {
    return (Vectors){wf_quad_sub(wf_quad_mul(a.y, b.z), wf_quad_mul(a.z, b.y)),
                     wf_quad_sub(wf_quad_mul(a.z, b.x), wf_quad_mul(a.x, b.z)),
                     wf_quad_sub(wf_quad_mul(a.x, b.y), wf_quad_mul(a.y, b.x))};
}
static WF_INLINE Vectors choose(WfMask mask, Vectors a, Vectors b) {
    return (Vectors){wf_quad_choose(mask, a.x, b.x), wf_quad_choose(mask, a.y, b.y),
                     wf_quad_choose(mask, a.z, b.z)};
}
static WF_INLINE Vectors mix3(const Vectors v[3], const WfQuad w[3]) {
    return madd(madd(mul(w[0], v[0]), w[1], v[1]), w[2], v[2]);
}

// Shorter vectors have no direction: squares of floats are lost there.
static const float SHORTEST = 1e-30f;
// m^2, of a triangle without area: its corners still have normals.
static const float SMALLEST = 1e-12f;

// v / |v|, or what else there is.
static WF_INLINE Vectors unit_or(Vectors v, Vectors other) {
    WfQuad square = dot(v, v);
    WfMask good = wf_quad_above(square, wf_quad_set(SHORTEST));
    WfQuad length = wf_quad_sqrt(wf_quad_choose(good, square, wf_quad_set(1)));
    return choose(good, mul(wf_quad_div(wf_quad_set(1), length), v), other);
}

static WF_INLINE Vectors up(void) {
    return (Vectors){wf_quad_set(0), wf_quad_set(1), wf_quad_set(0)};
}

// Square to a unit vector, some way or other.
static WF_INLINE Vectors beside(Vectors n) {
    WfQuad zero = wf_quad_set(0);
    WfMask steep = wf_quad_above(wf_quad_abs(n.z), wf_quad_set(0.7f));
    Vectors v = choose(steep, (Vectors){n.z, zero, wf_quad_sub(zero, n.x)},
                       (Vectors){n.y, wf_quad_sub(zero, n.x), zero});
    return unit_or(v, up());
}

// The part of v that is square to the unit vector n, of length 1.
static WF_INLINE Vectors square_to(Vectors n, Vectors v) {
    Vectors along = mul(dot(n, v), n);
    return unit_or(sub(v, along), beside(n));
}

// ---------------------------------------------------------------------------------------------
// Places

// A triangle of the cloth, per lane.
typedef struct Corners {
    Vectors x[3], n[3];
    WfQuad w[3];
} Corners;

static WF_INLINE Vectors gather(const float* points, const WfBound* bound, int corner, int from) {
    WfQuad rows[4];
    for (int l = 0; l < LANES; l++)
        rows[l] = wf_quad_load(points + WF_POINT * (long)bound[l].corners[corner] + from);
    wf_quad_transpose(rows);
    return (Vectors){rows[0], rows[1], rows[2]};
}

static WF_INLINE void find_corners(const float* points, const WfBound* bound, WfQuad w1, WfQuad w2,
                                   Corners* corners) {
    for (int k = 0; k < 3; k++) {
        corners->x[k] = gather(points, bound, k, 0);
        corners->n[k] = gather(points, bound, k, 4);
    }
    corners->w[0] = wf_quad_sub(wf_quad_sub(wf_quad_set(1), w1), w2);
    corners->w[1] = w1;
    corners->w[2] = w2;
}

// How far the side from corner i to corner j leaves the plane of n_i, as detail/smooth.c has it.
static WF_INLINE WfQuad rise(const Corners* c, int i, int j) {
    Vectors side = sub(c->x[j], c->x[i]);
    WfQuad most = wf_quad_mul(wf_quad_set(0.5f), wf_quad_sqrt(dot(side, side)));
    WfQuad least = wf_quad_sub(wf_quad_set(0), most);
    return wf_quad_max(wf_quad_min(dot(side, c->n[i]), most), least);
}

// The curved triangle less the flat one:
//     - sum over i, j != i of (w_i^2 w_j + w0 w1 w2 / 2) rise_ij n_i
static WF_INLINE Vectors bulge(const Corners* c) {
    WfQuad zero = wf_quad_set(0), w[3];
    for (int k = 0; k < 3; k++) w[k] = wf_quad_max(c->w[k], zero);
    WfQuad part = wf_quad_div(wf_quad_set(1), wf_quad_add(wf_quad_add(w[0], w[1]), w[2]));
    for (int k = 0; k < 3; k++) w[k] = wf_quad_mul(part, w[k]);
    WfQuad all = wf_quad_mul(wf_quad_set(0.5f), wf_quad_mul(wf_quad_mul(w[0], w[1]), w[2]));
    Vectors sum = {zero, zero, zero};
    for (int i = 0; i < 3; i++) {
        WfQuad rises = zero;
        for (int k = 1; k < 3; k++) {
            int j = (i + k) % 3;
            WfQuad weight = wf_quad_add(wf_quad_mul(wf_quad_mul(w[i], w[i]), w[j]), all);
            rises = wf_quad_add(rises, wf_quad_mul(weight, rise(c, i, j)));
        }
        sum = madd(sum, rises, c->n[i]);
    }
    return sub((Vectors){zero, zero, zero}, sum);
}

// Where vertices lie and what around: `axes` of places and tangents, `duals` of normals.
typedef struct Frames {
    Vectors at, axes[3], duals[3];
} Frames;

static WF_INLINE void find_duals(Frames* f) {
    const Vectors *a = &f->axes[0], *b = &f->axes[1], *c = &f->axes[2];
    Vectors area = cross(*a, *b);
    f->duals[0] = cross(*b, *c);
    f->duals[1] = cross(*c, *a);
    WfQuad size = wf_quad_add(wf_quad_sqrt(dot(area, area)), wf_quad_set(SMALLEST));
    f->duals[2] = mul(size, unit_or(*c, up()));
}

// Lanes of what is rigid.
static WF_INLINE void stiffen(const WfBound* bound, Frames* f) {
    float marks[LANES];
    for (int l = 0; l < LANES; l++) marks[l] = bound[l].rigid ? 1.0f : 0.0f;
    WfMask mask = wf_quad_above(wf_quad_load(marks), wf_quad_set(0.5f));
    Vectors n = unit_or(f->axes[2], up()), t = square_to(n, f->axes[0]);
    Vectors own[3] = {t, cross(n, t), n};
    for (int k = 0; k < 3; k++) {
        f->axes[k] = choose(mask, own[k], f->axes[k]);
        f->duals[k] = choose(mask, own[k], f->duals[k]);
    }
}

static WF_INLINE bool any_rigid(const WfBound* bound) {
    return bound[0].rigid | bound[1].rigid | bound[2].rigid | bound[3].rigid;
}

static WF_INLINE Frames find_frames(const float* points, const WfBound* bound, bool smooth,
                                    bool duals, WfQuad w1, WfQuad w2) {
    Corners c;
    Frames f;
    find_corners(points, bound, w1, w2, &c);
    f.at = mix3(c.x, c.w);
    if (smooth) f.at = add(f.at, bulge(&c));
    f.axes[0] = sub(c.x[1], c.x[0]);
    f.axes[1] = sub(c.x[2], c.x[0]);
    f.axes[2] = mix3(c.n, c.w);
    if (duals)
        find_duals(&f);
    else
        memcpy(f.duals, f.axes, sizeof f.duals);
    if (any_rigid(bound)) stiffen(bound, &f);
    return f;
}

// ---------------------------------------------------------------------------------------------
// Blocks

// What a vertex has, side by side in a block.
typedef struct Block {
    float position[3][WF_ITEM_BLOCK], previous[3][WF_ITEM_BLOCK];
    float normal[3][WF_ITEM_BLOCK], tangent[4][WF_ITEM_BLOCK];
} Block;

// What is asked for; tangents need normals.
typedef struct Wants {
    bool position, normal, tangent, previous;
} Wants;

static WF_INLINE void store(float (*to)[WF_ITEM_BLOCK], int at, Vectors v) {
    wf_quad_store(to[0] + at, v.x);
    wf_quad_store(to[1] + at, v.y);
    wf_quad_store(to[2] + at, v.z);
}

static WF_INLINE void find_four(const WeftDrawn* drawn, const WfBound* bound, Wants wants,
                                bool smooth, int at, Block* block) {
    WfQuad q[WF_BOUND_FLOATS];
    for (int part = 0; part < 3; part++) {
        for (int l = 0; l < LANES; l++) q[4 * part + l] = wf_quad_load(bound[l].all + 4 * part);
        wf_quad_transpose(q + 4 * part);
    }
    if (wants.position || wants.normal) {
        Frames f = find_frames(drawn->frames->points, bound, smooth, wants.normal, q[0], q[1]);
        store(block->position, at, add(f.at, mix3(f.axes, q + 2)));
        if (wants.normal) {
            Vectors n = unit_or(mix3(f.duals, q + 5), up());
            store(block->normal, at, n);
            if (wants.tangent) store(block->tangent, at, square_to(n, mix3(f.axes, q + 8)));
            if (wants.tangent) wf_quad_store(block->tangent[3] + at, q[11]);
        }
    }
    if (wants.previous) {
        Frames f = find_frames(drawn->frames->last_points, bound, smooth, false, q[0], q[1]);
        store(block->previous, at, add(f.at, mix3(f.axes, q + 2)));
    }
}

static void find_block(const WeftDrawn* drawn, Wants wants, int first, int end, Block* block) {
    const WfBound* bound = drawn->binding->bound;
    if (drawn->binding->surface == WEFT_SURFACE_SMOOTH)
        for (int i = first; i < end; i += LANES)
            find_four(drawn, bound + i, wants, true, i - first, block);
    else
        for (int i = first; i < end; i += LANES)
            find_four(drawn, bound + i, wants, false, i - first, block);
}

static WF_INLINE Vectors load(float (*from)[WF_ITEM_BLOCK], int at) {
    return (Vectors){wf_quad_load(from[0] + at), wf_quad_load(from[1] + at),
                     wf_quad_load(from[2] + at)};
}

// (1 - part) of the block, part of another.
static void mix_blocks(Block* block, Block* other, float part, Wants wants, int count) {
    WfQuad p = wf_quad_set(part);
    for (int i = 0; i < count; i += LANES) {
        if (wants.position || wants.normal) {
            Vectors x = load(block->position, i);
            store(block->position, i, madd(x, p, sub(load(other->position, i), x)));
        }
        if (wants.previous) {
            Vectors x = load(block->previous, i);
            store(block->previous, i, madd(x, p, sub(load(other->previous, i), x)));
        }
        if (!wants.normal) continue;
        Vectors n = load(block->normal, i);
        Vectors mean = unit_or(madd(n, p, sub(load(other->normal, i), n)), n);
        store(block->normal, i, mean);
        if (!wants.tangent) continue;
        Vectors t = load(block->tangent, i);
        store(block->tangent, i, square_to(mean, madd(t, p, sub(load(other->tangent, i), t))));
    }
}

// ---------------------------------------------------------------------------------------------
// Packing

static WF_INLINE void put_floats(unsigned char* to, float (*from)[WF_ITEM_BLOCK], int count,
                                 int i) {
    float all[4];
    for (int k = 0; k < count; k++) all[k] = from[k][i];
    memcpy(to, all, (size_t)count * sizeof(float));
}

static WF_INLINE int rounded(float value, float scale) {
    float scaled = value * scale;
    return (int)(scaled + (scaled < 0 ? -0.5f : 0.5f));
}

static WF_INLINE void put_shorts(unsigned char* to, float (*from)[WF_ITEM_BLOCK], int count,
                                 int i) {
    int16_t all[4] = {0, 0, 0, 0};
    for (int k = 0; k < count; k++) all[k] = (int16_t)rounded(from[k][i], 32767);
    memcpy(to, all, sizeof all);
}

static WF_INLINE void put_bytes(unsigned char* to, float (*from)[WF_ITEM_BLOCK], int count, int i) {
    int8_t all[4] = {0, 0, 0, 0};
    for (int k = 0; k < count; k++) all[k] = (int8_t)rounded(from[k][i], 127);
    memcpy(to, all, sizeof all);
}

static WF_INLINE void put_direction(unsigned char* to, float (*from)[WF_ITEM_BLOCK], int count,
                                    int i, WeftVertexFormat format) {
    if (format == WEFT_VERTEX_FLOATS)
        put_floats(to, from, count, i);
    else if (format == WEFT_VERTEX_SHORTS)
        put_shorts(to, from, count, i);
    else
        put_bytes(to, from, count, i);
}

static void pack(const WeftVertexLayout* layout, int first, int count, Block* block) {
    unsigned char* to = (unsigned char*)layout->vertices + (size_t)first * layout->stride;
    for (int i = 0; i < count; i++, to += layout->stride) {
        if (layout->position >= 0) put_floats(to + layout->position, block->position, 3, i);
        if (layout->normal >= 0)
            put_direction(to + layout->normal, block->normal, 3, i, layout->format);
        if (layout->tangent >= 0)
            put_direction(to + layout->tangent, block->tangent, 4, i, layout->format);
        if (layout->previous >= 0) put_floats(to + layout->previous, block->previous, 3, i);
    }
}

// ---------------------------------------------------------------------------------------------

// One call.
typedef struct Write {
    const WeftDrawn* drawn;
    int count;  // of them
    float part;
    Wants wants;
    const WeftVertexLayout* layout;
} Write;

static void write_vertices(void* context, int first, int end) {
    const Write* w = context;
    Block block, other;
    find_block(&w->drawn[0], w->wants, first, end, &block);
    if (w->count > 1) {
        find_block(&w->drawn[1], w->wants, first, end, &other);
        mix_blocks(&block, &other, w->part, w->wants, end - first);
    }
    pack(w->layout, first, end - first, &block);
}

static void write_all(const WeftDrawn* drawn, int count, float part,
                      const WeftVertexLayout* layout) {
    for (int k = 0; k < count; k++) {
        wf_assert(drawn[k].frames->drawn && drawn[k].frames->model == drawn[k].binding->model);
        wf_assert(drawn[k].binding->count == drawn[0].binding->count);
    }
    Wants wants = {layout->position >= 0, layout->normal >= 0 || layout->tangent >= 0,
                   layout->tangent >= 0, layout->previous >= 0};
    Write write = {drawn, count, part, wants, layout};
    wf_parallel_items(&drawn[0].frames->model->system.jobs, drawn[0].binding->count, write_vertices,
                      &write);
}

WeftVertexLayout weft_default_vertex_layout(void) {
    return (WeftVertexLayout){
        .stride = 24, .position = 0, .normal = 12, .tangent = -1, .previous = -1};
}

void weft_write_vertices(const WeftBinding* binding, const WeftFrames* frames,
                         const WeftVertexLayout* layout) {
    WeftDrawn drawn = {binding, frames};
    write_all(&drawn, 1, 0, layout);
}

void weft_write_blend(const WeftDrawn drawn[2], double part, const WeftVertexLayout* layout) {
    if (!(part > 0))
        write_all(drawn, 1, 0, layout);
    else if (!(part < 1))
        write_all(drawn + 1, 1, 0, layout);
    else
        write_all(drawn, 2, (float)part, layout);
}
