// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "energy/across.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "energy/joins.h"

static const double SHARE = 0.5;  // of the energy, that is this half's

typedef struct AcrossTerm {
    WfTerm term;
    WfTermClass type;  // our own: the name and the role are those of the wrapped term
    WfTerm* inner;
    int count;           // of its vertices
    int* rows;           // of the model, per vertex
    signed char* sides;  // per vertex: 1, in the plane 0, of an image -1
    WfPlane plane;
    size_t partials;  // what the wrapped term wants

    WfPattern pattern;            // of the scalar matrix between its vertices
    double *stiffness, *damping;  // on it: the majorant is stiffness + damping/gamma
    WfBlockPattern blocks;        // between its vertices
    int* places;                  // per block: where it goes in the model's; -1: to the diagonal
} AcrossTerm;

static const AcrossTerm* across_of(const WfTerm* term) { return (const AcrossTerm*)term; }

WfAcrossView wf_across_view(const WfTerm* term) {
    const AcrossTerm* t = across_of(term);
    return (WfAcrossView){t->inner, t->count, t->rows, t->sides, t->plane.point, t->plane.normal};
}

static bool is_image(const AcrossTerm* t, int i) { return t->sides[i] < 0; }

// ---------------------------------------------------------------------------------------------
// From rows of the model to vertices, and back

static WfVec reflect(const AcrossTerm* t, WfVec v) { return wf_plane_reflect(&t->plane, v); }

// Vectors: differences, forces.
static void gather_vectors(const AcrossTerm* t, const double* from, double* to) {
    for (int i = 0; i < t->count; i++) {
        WfVec v = wf_load(from, t->rows[i]);
        wf_store(to, i, is_image(t, i) ? reflect(t, v) : v);
    }
}

static void gather_points(const AcrossTerm* t, const double* from, double* to) {
    for (int i = 0; i < t->count; i++) {
        WfVec x = wf_load(from, t->rows[i]);
        wf_store(to, i, is_image(t, i) ? wf_plane_image(&t->plane, x) : x);
    }
}

static void fold_vectors(const AcrossTerm* t, const double* from, double* to) {
    for (int i = 0; i < t->count; i++) {
        WfVec v = wf_load(from, i);
        wf_accumulate(to, t->rows[i], 1, is_image(t, i) ? reflect(t, v) : v);
    }
}

// What is needed during a call lies behind what the wrapped term wants of `partial`.
enum { MOVING = 8 };  // vectors of a motion

static size_t room_for(const AcrossTerm* t) {
    size_t vectors = 3 * MOVING * (size_t)t->count + (size_t)t->count;
    size_t matrix = 6 * (size_t)t->count + 9 * (size_t)t->blocks.start[t->count];
    return (vectors > matrix ? vectors : matrix) + 4 * (size_t)t->count;
}

static double* room_of(const AcrossTerm* t, const WfTermSpace* space) {
    return space->partial + t->partials;
}

// The space of the wrapped term; its firming is in the last part of the room.
static WfTermSpace inner_space(const AcrossTerm* t, const WfTermSpace* space) {
    WfTermSpace own = *space;
    if (own.scratch) own.scratch += 1;
    if (!own.firming) return own;
    double* firming = room_of(t, space) + room_for(t) - t->count;
    for (int i = 0; i < t->count; i++) firming[i] = space->firming[t->rows[i]];
    own.firming = firming;
    return own;
}

static bool is_linear(const AcrossTerm* t) { return t->inner->type->kind == WF_TERM_LINEAR; }

// ---------------------------------------------------------------------------------------------
// The contract

static void across_destroy(const WeftAllocator* allocator, WfTerm* term) {
    AcrossTerm* t = (AcrossTerm*)term;
    if (t->inner) t->inner->type->destroy(allocator, t->inner);
    wf_free(allocator, t->rows);
    wf_free(allocator, t->sides);
    wf_free(allocator, t->stiffness);
    wf_free(allocator, t->damping);
    wf_free(allocator, t->places);
    wf_pattern_destroy(allocator, &t->pattern);
    wf_block_pattern_destroy(allocator, &t->blocks);
    wf_free(allocator, t);
}

// scratch: [0] is gamma
static void across_count(const WfTerm* term, size_t* memory, size_t* scratch, size_t* partial) {
    const AcrossTerm* t = across_of(term);
    t->inner->type->count(t->inner, memory, scratch, partial);
    *scratch += 1;
    *partial += room_for(t);
}

static void across_reset(const WfTerm* term, const WfTermSpace* space, const double* x) {
    const AcrossTerm* t = across_of(term);
    if (!t->inner->type->reset) return;
    WfTermSpace own = inner_space(t, space);
    double* points = room_of(t, space);
    gather_points(t, x, points);
    t->inner->type->reset(t->inner, &own, points);
}

static void across_begin(const WfTerm* term, const WfTermSpace* space, const WfMotion* motion) {
    const AcrossTerm* t = across_of(term);
    space->scratch[0] = motion->gamma;
    if (!t->inner->type->begin) return;
    WfTermSpace own = inner_space(t, space);
    WfMotion local = *motion;
    const double** points[] = {&local.x, &local.x1, &local.x2, &local.base, &local.goal};
    const double** vectors[] = {&local.v, &local.v1, &local.drift};
    double* room = room_of(t, space);
    local.vertex_count = t->count;
    for (int k = 0; k < 5; k++, room += 3 * (long)t->count) {
        gather_points(t, *points[k], room);
        *points[k] = room;
    }
    for (int k = 0; k < 3; k++, room += 3 * (long)t->count) {
        gather_vectors(t, *vectors[k], room);
        *vectors[k] = room;
    }
    unsigned char* pinned = (unsigned char*)room;
    for (int i = 0; i < t->count; i++) pinned[i] = motion->pinned[t->rows[i]];
    local.pinned = pinned;
    t->inner->type->begin(t->inner, &own, &local);
}

static double across_evaluate(const WfTerm* term, const WfTermSpace* space, const double* x,
                              unsigned want, double scale, double* f) {
    const AcrossTerm* t = across_of(term);
    WfTermSpace own = inner_space(t, space);
    double *points = room_of(t, space), *forces = points + 3 * (long)t->count;
    gather_points(t, x, points);
    memset(forces, 0, 3 * (size_t)t->count * sizeof *forces);
    double energy =
        t->inner->type->evaluate(t->inner, &own, points, want, SHARE * scale, f ? forces : NULL);
    if (f && (want & WF_WANT_FORCE)) fold_vectors(t, forces, f);
    return SHARE * energy;
}

static void across_damp(const WfTerm* term, const WfTermSpace* space, const double* x,
                        const double* v, double scale, double* f) {
    const AcrossTerm* t = across_of(term);
    if (!t->inner->type->damp) return;
    WfTermSpace own = inner_space(t, space);
    double *points = room_of(t, space), *speeds = points + 3 * (long)t->count;
    double* forces = speeds + 3 * (long)t->count;
    gather_points(t, x, points);
    gather_vectors(t, v, speeds);
    memset(forces, 0, 3 * (size_t)t->count * sizeof *forces);
    t->inner->type->damp(t->inner, &own, points, speeds, SHARE * scale, forces);
    fold_vectors(t, forces, f);
}

// Number e of the scalar matrix in a step.
static double scalar_at(const AcrossTerm* t, const WfTermSpace* space, int e) {
    return t->stiffness[e] + t->damping[e] / space->scratch[0];
}

static void scalar_product(const AcrossTerm* t, const WfTermSpace* space, double scale,
                           const double* p, double* q) {
    for (int i = 0; i < t->count; i++)
        for (int e = t->pattern.start[i]; e < t->pattern.start[i + 1]; e++)
            wf_accumulate(q, i, scale * scalar_at(t, space, e), wf_load(p, t->pattern.index[e]));
}

static void across_product(const WfTerm* term, const WfTermSpace* space, double scale,
                           const double* p, double* q) {
    const AcrossTerm* t = across_of(term);
    WfTermSpace own = inner_space(t, space);
    double *from = room_of(t, space), *to = from + 3 * (long)t->count;
    gather_vectors(t, p, from);
    memset(to, 0, 3 * (size_t)t->count * sizeof *to);
    if (is_linear(t))
        scalar_product(t, space, SHARE * scale, from, to);
    else
        t->inner->type->product(t->inner, &own, SHARE * scale, from, to);
    fold_vectors(t, to, q);
}

// ---------------------------------------------------------------------------------------------
// Blocks: those of the wrapped term, turned where they belong to images

static void scalar_blocks(const AcrossTerm* t, const WfTermSpace* space, double scale,
                          const WfBlockMatrix* matrix) {
    for (int i = 0; i < t->count; i++)
        for (int e = t->pattern.start[i]; e < t->pattern.start[i + 1]; e++) {
            int j = t->pattern.index[e];
            double value = scale * scalar_at(t, space, e);
            if (i == j) wf_sym_add(matrix->diagonal + 6 * (long)i, value, 0, (WfVec){0, 0, 0});
            if (i >= j) continue;
            double* block = matrix->upper + 9 * (long)wf_block_find(&t->blocks, i, j);
            for (int k = 0; k < 3; k++) block[4 * k] += value;
        }
}

static WfBlockMatrix own_blocks(const AcrossTerm* t, const WfTermSpace* space, double scale) {
    double* room = room_of(t, space);
    size_t count = 6 * (size_t)t->count + 9 * (size_t)t->blocks.start[t->count];
    WfBlockMatrix matrix = {&t->blocks, room, room + 6 * (long)t->count};
    WfTermSpace own = inner_space(t, space);
    memset(room, 0, count * sizeof *room);
    if (is_linear(t))
        scalar_blocks(t, space, SHARE * scale, &matrix);
    else
        t->inner->type->blocks(t->inner, &own, SHARE * scale, &matrix);
    return matrix;
}

// S B, where the rows belong to an image; B S, where the columns do.
static void reflect_rows(const AcrossTerm* t, double block[3][3]) {
    for (int j = 0; j < 3; j++) {
        WfVec v = reflect(t, (WfVec){block[0][j], block[1][j], block[2][j]});
        block[0][j] = v.x, block[1][j] = v.y, block[2][j] = v.z;
    }
}

static void reflect_columns(const AcrossTerm* t, double block[3][3]) {
    for (int i = 0; i < 3; i++) {
        WfVec v = reflect(t, (WfVec){block[i][0], block[i][1], block[i][2]});
        block[i][0] = v.x, block[i][1] = v.y, block[i][2] = v.z;
    }
}

static void add_symmetric(double* diagonal, double block[3][3]) {
    diagonal[0] += block[0][0];
    diagonal[1] += (block[0][1] + block[1][0]) / 2;
    diagonal[2] += (block[0][2] + block[2][0]) / 2;
    diagonal[3] += block[1][1];
    diagonal[4] += (block[1][2] + block[2][1]) / 2;
    diagonal[5] += block[2][2];
}

static void fold_diagonals(const AcrossTerm* t, const WfBlockMatrix* own, double* diagonal) {
    for (int i = 0; i < t->count; i++) {
        const double* d = own->diagonal + 6 * (long)i;
        double block[3][3] = {{d[0], d[1], d[2]}, {d[1], d[3], d[4]}, {d[2], d[4], d[5]}};
        if (is_image(t, i)) {
            reflect_rows(t, block);
            reflect_columns(t, block);
        }
        add_symmetric(diagonal + 6 * (long)t->rows[i], block);
    }
}

// Blocks between two vertices; between one and its own image they are part of the diagonal, with
// their transpose. upper: of the model, NULL where only the diagonal is wanted.
static void fold_blocks(const AcrossTerm* t, const WfBlockMatrix* own, double* diagonal,
                        double* upper) {
    for (int i = 0; i < t->count; i++)
        for (int e = t->blocks.start[i]; e < t->blocks.start[i + 1]; e++) {
            int j = t->blocks.index[e], a = t->rows[i], b = t->rows[j];
            if (a != b && !upper) continue;
            double block[3][3];
            memcpy(block, own->upper + 9 * (long)e, sizeof block);
            if (is_image(t, i)) reflect_rows(t, block);
            if (is_image(t, j)) reflect_columns(t, block);
            if (a == b) {
                add_symmetric(diagonal + 6 * (long)a, block);
                add_symmetric(diagonal + 6 * (long)a, block);
                continue;
            }
            double* to = upper + 9 * (long)t->places[e];
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) to[3 * r + c] += a < b ? block[r][c] : block[c][r];
        }
}

static void across_diagonal(const WfTerm* term, const WfTermSpace* space, double scale, double* D) {
    const AcrossTerm* t = across_of(term);
    WfBlockMatrix own = own_blocks(t, space, scale);
    fold_diagonals(t, &own, D);
    fold_blocks(t, &own, D, NULL);
}

static void across_blocks(const WfTerm* term, const WfTermSpace* space, double scale,
                          const WfBlockMatrix* matrix) {
    const AcrossTerm* t = across_of(term);
    WfBlockMatrix own = own_blocks(t, space, scale);
    fold_diagonals(t, &own, matrix->diagonal);
    fold_blocks(t, &own, matrix->diagonal, matrix->upper);
}

static WeftResult across_bind(const WeftAllocator* allocator, WfTerm* term,
                              const WfBlockPattern* pattern) {
    AcrossTerm* t = (AcrossTerm*)term;
    t->places = wf_alloc(allocator, (size_t)t->blocks.start[t->count], sizeof(int));
    if (!t->places) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < t->count; i++)
        for (int e = t->blocks.start[i]; e < t->blocks.start[i + 1]; e++) {
            int a = t->rows[i], b = t->rows[t->blocks.index[e]];
            t->places[e] = a == b ? -1 : wf_block_find(pattern, a < b ? a : b, a < b ? b : a);
        }
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// The constant matrices

static void across_pairs(const WfTerm* term, void (*visit)(void* context, int a, int b),
                         void* context) {
    const AcrossTerm* t = across_of(term);
    for (int i = 0; i < t->count; i++)
        for (int e = t->blocks.start[i]; e < t->blocks.start[i + 1]; e++) {
            int a = t->rows[i], b = t->rows[t->blocks.index[e]];
            if (a != b) visit(context, a, b);
        }
}

// against: what a vertex and its image have when they move against each other, over what they have
// when they move alike.
static void add_majorant(const AcrossTerm* t, double gamma, double scale, double against,
                         const WfPattern* pattern, double* values) {
    for (int i = 0; i < t->count; i++)
        for (int e = t->pattern.start[i]; e < t->pattern.start[i + 1]; e++) {
            int j = t->pattern.index[e];
            double sign = is_image(t, i) == is_image(t, j) ? 1 : against;
            values[wf_pattern_find(pattern, t->rows[i], t->rows[j])] +=
                SHARE * scale * sign * (t->stiffness[e] + t->damping[e] / gamma);
        }
}

static void across_majorant(const WfTerm* term, double gamma, double scale,
                            const WfPattern* pattern, double* values) {
    add_majorant(across_of(term), gamma, scale, 1, pattern, values);
}

static void across_normal_majorant(const WfTerm* term, double gamma, double scale,
                                   const WfPattern* pattern, double* values) {
    add_majorant(across_of(term), gamma, scale, -1, pattern, values);
}

// ---------------------------------------------------------------------------------------------
// Making

static WeftResult make_patterns(const WeftAllocator* allocator, AcrossTerm* t) {
    WfJoins list = {0};
    t->inner->type->pairs(t->inner, wf_visit_join, &list);
    if (!wf_keep_joins(allocator, &list)) return WEFT_ERROR_MEMORY;
    t->inner->type->pairs(t->inner, wf_visit_join, &list);
    WeftResult result = wf_pattern_create(allocator, t->count, list.count, list.pairs, &t->pattern);
    if (!result)
        result = wf_block_pattern_create(allocator, t->count, list.count, list.pairs, &t->blocks);
    wf_free(allocator, list.pairs);
    if (!result && t->inner->type->bind)
        result = t->inner->type->bind(allocator, t->inner, &t->blocks);
    return result;
}

// Majorants are stiffness + damping/gamma. Softened ones are the same here: only triangles have
// fibres that soften apart, and none reaches across.
static WeftResult fill_majorant(const WeftAllocator* allocator, AcrossTerm* t) {
    size_t count = (size_t)t->pattern.start[t->count];
    t->stiffness = wf_alloc(allocator, count, sizeof(double));
    t->damping = wf_alloc(allocator, count, sizeof(double));
    if (!t->stiffness || !t->damping) return WEFT_ERROR_MEMORY;
    t->inner->type->majorant(t->inner, HUGE_VAL, 1, &t->pattern, t->stiffness);
    t->inner->type->majorant(t->inner, 1, 1, &t->pattern, t->damping);
    for (size_t e = 0; e < count; e++) t->damping[e] -= t->stiffness[e];
    return WEFT_OK;
}

static void set_type(AcrossTerm* t) {
    const WfTermClass* inner = t->inner->type;
    size_t memory, scratch;
    t->type = (WfTermClass){
        .name = inner->name,
        .kind = WF_TERM_NONLINEAR,
        .role = inner->role,
        .local = inner->local == WF_LOCAL_FIBRES ? WF_LOCAL_ACROSS : WF_LOCAL_NONE,
        .unbounded = inner->unbounded,
        .instead = inner->instead,
        .destroy = across_destroy,
        .count = across_count,
        .reset = across_reset,
        .begin = across_begin,
        .evaluate = across_evaluate,
        .product = across_product,
        .diagonal = across_diagonal,
        .blocks = across_blocks,
        .bind = across_bind,
        .pairs = across_pairs,
        .majorant = across_majorant,
        .normal_majorant = across_normal_majorant,
        .damp = across_damp,
    };
    t->term = *t->inner;
    t->term.type = &t->type;
    t->term.is_linear = is_linear(t);
    inner->count(t->inner, &memory, &scratch, &t->partials);
}

WfTerm* wf_across_create(const WeftAllocator* allocator, const WfAcross* across, WfTerm* inner) {
    AcrossTerm* t = wf_alloc(allocator, 1, sizeof *t);
    if (!t) {
        inner->type->destroy(allocator, inner);
        return NULL;
    }
    size_t count = (size_t)across->count;
    t->inner = inner;
    t->count = across->count;
    t->plane = (WfPlane){.point = across->plane->point, .normal = across->plane->normal};
    t->rows = wf_alloc(allocator, count, sizeof *t->rows);
    t->sides = wf_alloc(allocator, count, sizeof *t->sides);
    set_type(t);
    WeftResult result = t->rows && t->sides ? WEFT_OK : WEFT_ERROR_MEMORY;
    for (size_t i = 0; i < count && !result; i++) {
        t->rows[i] = across->rows[i];
        t->sides[i] = across->sides[i];
    }
    if (!result) result = make_patterns(allocator, t);
    if (!result) result = fill_majorant(allocator, t);
    if (!result) return &t->term;
    across_destroy(allocator, &t->term);
    return NULL;
}
