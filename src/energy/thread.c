// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Springs along threads: E = k/2 (|x_(i+1) - x_i| - L)^2, with k = stretch * width / L of the cloth
// that a warp or weft thread stands for, rope_stretch / L of a rope, and what a band says over L.
// Energy, force, 3x3 blocks and the rest are those of any spring (fibre.c). What a thread has of
// its own is the product with the stiffness, the inner loop of methods that keep no matrix (after
// Kim, "Implicit Data Structure for Rope and Cloth Simulation"): with what the force left behind,
// u, a, b of each spring,
//
//     g_i = a_i w_i + b_i (u_i . w_i) u_i,   w_i = p_(i+1) - p_i,       (K p)_i = g_(i-1) - g_i
//
// so that walking along the thread every p is loaded once and every q added to once. (The source
// keeps d d^T/l^2; right is L d d^T/l^3, which is b u u^T here. Only at l = L they are the same.)
//
//     o-->o-->o-->o      Up to 4 neighbouring threads of one kind and count make a bundle and are
//     o-->o-->o-->o      walked in step: springs are numbered across the bundle first, then along.
//     o-->o-->o-->o      Across the columns of a grid, vertices thus come in rows, as they lie in
//                        memory: the permutation between the two directions that the source has.
//
// Measured on one core (Neoverse V1) against the product of any springs, in the same order: 64 x 64
// cells 0.041 against 0.078 ms, 512 x 512 cells, where memory is the limit, 3.0 against 5.2 ms.
// Bundles of 8 run out of registers. Without bundles the columns of a grid of 512 x 512 vertices,
// whose rows lie 12 kB apart, fall out of the cache: a quarter slower.

#include "base/memory.h"
#include "energy/fibre.h"
#include "energy/joint.h"
#include "material/fabric.h"

enum { WIDTH = 4, LEAST_CHUNK = 512, MOST_CHUNK = 4096 };

typedef struct Job {
    const int* vertices;
    const double *kept, *p;
    double *q, scale;
} Job;

// x and y as a pair, and z
typedef struct Pair {
    WfTwo xy;
    double z;
} Pair;

WF_KERNEL Pair load_pair(const double* v) { return (Pair){wf_two_load(v), v[2]}; }
WF_KERNEL Pair sub_pairs(Pair a, Pair b) { return (Pair){wf_two_sub(a.xy, b.xy), a.z - b.z}; }
WF_KERNEL void add_pair(double* to, Pair a) {
    wf_two_store(to, wf_two_add(wf_two_load(to), a.xy));
    to[2] += a.z;
}

// scale g of a spring
WF_KERNEL Pair pull_of(const double* kept, double scale, Pair w) {
    Pair u = load_pair(kept);
    double a = scale * kept[3], b = wf_two_sum(wf_two_mul(u.xy, w.xy)) + u.z * w.z;
    b *= scale * kept[4];
    WfTwo xy = wf_two_add(wf_two_mul(wf_two_set(a), w.xy), wf_two_mul(wf_two_set(b), u.xy));
    return (Pair){xy, a * w.z + b * u.z};
}

// A whole number of steps of `width` threads, from spring `first` on. With `width` a constant the
// carried pairs stay in registers.
WF_KERNEL void walk(const Job* job, int first, int end, const int width) {
    const int* restrict v = job->vertices + 2 * (long)first;
    const double* restrict p = job->p, * restrict kept = job->kept + WF_FIBRE_KEPT * (long)first;
    double* restrict q = job->q;
    Pair at[WIDTH], pull[WIDTH];  // p of the last vertices, scale g of the last springs
    for (int b = 0; b < width; b++) {
        at[b] = load_pair(p + 3 * (long)v[2 * b]);
        pull[b] = (Pair){wf_two_set(0), 0};
    }
    for (int e = first; e < end; e += width, v += 2 * width, kept += WF_FIBRE_KEPT * width)
        for (int b = 0; b < width; b++) {
            Pair next = load_pair(p + 3 * (long)v[2 * b + 1]);
            Pair g = pull_of(kept + WF_FIBRE_KEPT * b, job->scale, sub_pairs(next, at[b]));
            add_pair(q + 3 * (long)v[2 * b], sub_pairs(pull[b], g));
            at[b] = next;
            pull[b] = g;
        }
    for (int b = 0; b < width; b++) add_pair(q + 3 * (long)v[2 * (b - width) + 1], pull[b]);
}

// Springs of one bundle, from any of its threads on: `width` further comes the next of the same
// thread. What is left at the end goes one by one.
static void walk_part(const Job* job, int width, int first, int end) {
    int last = end - (end - first) % width;
    if (last > first && width == WIDTH)
        walk(job, first, last, WIDTH);
    else if (last > first)
        walk(job, first, last, width);
    for (int e = last; e < end; e++) walk(job, e, e + 1, 1);
}

typedef struct ChunkJob {
    Job job;
    const WfFibreTerm* t;
} ChunkJob;

// the bundle of a spring
static int find_bundle(const WfFibreTerm* t, int spring) {
    int low = 0, high = t->bundle_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (t->bundles[middle].first <= spring)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void product_chunk(void* context, int chunk, int first, int end) {
    const ChunkJob* job = context;
    (void)chunk;
    for (int b = find_bundle(job->t, first); first < end; b++) {
        int stop = job->t->bundles[b + 1].first;
        if (stop > end) stop = end;
        walk_part(&job->job, job->t->bundles[b].width, first, stop);
        first = stop;
    }
}

static void thread_product(const WfTerm* term, const WfTermSpace* space, double scale,
                           const double* p, double* q) {
    const WfFibreTerm* t = (const WfFibreTerm*)term;
    ChunkJob job = {{t->vertices, wf_fibre_kept(t, space), p, q, scale}, t};
    wf_scatter_run(&t->scatter, space->jobs, product_chunk, &job);
}

static const WfTermClass thread_class = {.name = "thread",
                                         .role = WF_ROLE_STRETCH,
                                         WF_FIBRE_CONVENTIONAL_BUT_PRODUCT,
                                         .product = thread_product};
static const WfTermClass band_class = {.name = "band",
                                       .role = WF_ROLE_STRETCH,
                                       WF_FIBRE_CONVENTIONAL_BUT_PRODUCT,
                                       .product = thread_product};
static const WfTermClass rope_class = {.name = "rope",
                                       .role = WF_ROLE_STRETCH,
                                       WF_FIBRE_CONVENTIONAL_BUT_PRODUCT,
                                       .product = thread_product};

// ---------------------------------------------------------------------------------------------
// Making

// How many threads from `first` on make a bundle.
static int bundle_width(const WeftClothDef* def, int first) {
    int width = 1;
    const WeftThread* threads = def->threads + first;
    while (width < WIDTH && first + width < def->thread_count &&
           threads[width].kind == threads[0].kind && threads[width].count == threads[0].count)
        width++;
    return width;
}

static double segment_stiffness(const WeftFabric* fabric, const WeftThread* thread, double length) {
    switch (thread->kind) {
        case WEFT_THREAD_WARP:
            return fabric->stretch_warp * thread->width / length;
        case WEFT_THREAD_WEFT:
            return fabric->stretch_weft * thread->width / length;
        case WEFT_THREAD_BAND:
            return thread->stretch / length;
        default:
            return fabric->rope_stretch / length;
    }
}

static void fill_bundle(const WfClothParts* parts, WfFibreTerm* t, WfBundle bundle, int thread) {
    const WeftClothDef* def = parts->def;
    for (int b = 0; b < bundle.width; b++) {
        const WeftThread* from = &def->threads[thread + b];
        const int* v = def->thread_vertices + from->first;
        const double* lengths = parts->rest->segments + parts->rest->segment_start[thread + b];
        for (int i = 0; i + 1 < from->count; i++) {
            long e = bundle.first + (long)i * bundle.width + b;
            t->vertices[2 * e] = parts->first_vertex + v[i];
            t->vertices[2 * e + 1] = parts->first_vertex + v[i + 1];
            t->stiffness[e] = segment_stiffness(&def->fabric, from, lengths[i]) *
                              wf_share_scale(parts, def->stretch_scale, v + i, 2);
            t->length[e] = lengths[i];
        }
    }
}

static WfTerm* create(const WeftAllocator* allocator, const WfTermClass* type,
                      const WfClothParts* parts, unsigned kinds) {
    const WeftClothDef* def = parts->def;
    WfFibreTerm* t = wf_fibre_create(allocator, type, parts, WF_FIBRE_SPRING,
                                     wf_segment_count(parts, kinds), def->fabric.stretch_damping);
    if (!t) return NULL;
    t->bundles = wf_alloc(allocator, (size_t)def->thread_count + 1, sizeof *t->bundles);
    if (!t->bundles) {
        wf_fibre_destroy(allocator, &t->term);
        return NULL;
    }
    int springs = 0;
    for (int thread = 0, width; thread < def->thread_count; thread += width) {
        width = bundle_width(def, thread);
        if (!wf_has_segments(parts, &def->threads[thread], kinds)) continue;
        WfBundle bundle = {springs, width};
        fill_bundle(parts, t, bundle, thread);
        t->bundles[t->bundle_count++] = bundle;
        springs += width * (def->threads[thread].count - 1);
    }
    t->bundles[t->bundle_count].first = springs;
    t->term.softens = !(kinds & (WF_ROPES | WF_BANDS));
    // long walks read memory in long pieces; but leave enough chunks to share among threads
    t->chunk = springs / 128 < LEAST_CHUNK  ? LEAST_CHUNK
               : springs / 128 > MOST_CHUNK ? MOST_CHUNK
                                            : springs / 128;
    return wf_fibre_finish(allocator, parts, t);
}

WfTerm* wf_thread_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfTerm* term = create(allocator, &thread_class, parts, WF_WARPS | WF_WEFTS);
    if (term) ((WfFibreTerm*)term)->gives = true;
    return term;
}

WfTerm* wf_rope_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfTerm* term = create(allocator, &rope_class, parts, WF_ROPES);
    if (term) ((WfFibreTerm*)term)->gives = wf_ropes_give(&parts->def->fabric);
    return term;
}

// Bands pull, and hardly push: they give way as cloth does.
WfTerm* wf_band_create(const WeftAllocator* allocator, const WfClothParts* parts) {
    WfTerm* term = create(allocator, &band_class, parts, WF_BANDS);
    if (term) ((WfFibreTerm*)term)->gives = true;
    return term;
}
