// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "detail/boxes.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "mesh/hilbert.h"

enum { LANES = WF_BOX_LANES, DEEPEST = 64 };
// Of the largest number there is: what floats lose.
static const double ROUNDED = 1e-6;

// ---------------------------------------------------------------------------------------------
// Making

typedef struct Making {
    WfBoxes* boxes;
    int* order;       // triangles, those of a leaf side by side
    double* middles;  // 3 per triangle
    WfKey *keys, *scratch;
} Making;

// Numbers in the order of doubles.
static uint64_t key_of(double x) {
    uint64_t bits, sign = UINT64_C(1) << 63;
    memcpy(&bits, &x, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static int widest_axis(const Making* m, int first, int end) {
    double widest = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = first; i < end; i++) {
            double x = m->middles[3 * (long)m->order[i] + k];
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high - low <= widest) continue;
        widest = high - low;
        axis = k;
    }
    return axis;
}

// Halves of full leaves, along the axis that triangles are spread along: where the second begins.
static int split(const Making* m, int first, int end) {
    int count = end - first;
    if (count <= LANES) return end;
    int axis = widest_axis(m, first, end);
    for (int i = first; i < end; i++)
        m->keys[i - first] = (WfKey){key_of(m->middles[3 * (long)m->order[i] + axis]), m->order[i]};
    wf_sort_keys(m->keys, m->scratch, count);
    for (int i = first; i < end; i++) m->order[i] = m->keys[i - first].index;
    return first + (count / 2 + LANES - 1) / LANES * LANES;
}

static int make_leaf(const Making* m, int first, int end) {
    WfBoxLeaf* leaf = &m->boxes->leaves[m->boxes->leaf_count];
    for (int l = 0; l < LANES; l++) leaf->triangles[l] = first + l < end ? m->order[first + l] : -1;
    return -1 - m->boxes->leaf_count++;
}

static int make_node(const Making* m, int first, int end) {
    int number = m->boxes->node_count++, from[LANES + 1] = {first, 0, 0, 0, end};
    WfBoxNode* node = &m->boxes->nodes[number];
    from[2] = split(m, first, end);
    from[1] = split(m, first, from[2]);
    from[3] = split(m, from[2], end);
    for (int l = 0; l < LANES; l++) {
        int count = from[l + 1] - from[l];
        for (int k = 0; k < 3; k++) node->low[k][l] = FLT_MAX, node->high[k][l] = -FLT_MAX;
        if (count > LANES)
            node->child[l] = make_node(m, from[l], from[l + 1]);
        else if (count > 0)
            node->child[l] = make_leaf(m, from[l], from[l + 1]);
    }
    return number;
}

static void make_nodes(const Making* m, const double* x) {
    const WfBoxes* boxes = m->boxes;
    for (int t = 0; t < boxes->triangle_count; t++) {
        const int* v = boxes->triangles + 3 * (long)t;
        m->order[t] = t;
        wf_store(m->middles, t,
                 wf_add(wf_add(wf_load(x, v[0]), wf_load(x, v[1])), wf_load(x, v[2])));
    }
    if (boxes->triangle_count > 0) make_node(m, 0, boxes->triangle_count);
}

bool wf_boxes_create(const WeftAllocator* allocator, int triangle_count, const int* triangles,
                     const double* x, WfBoxes* boxes) {
    size_t n = (size_t)triangle_count, leaves = (n + LANES - 1) / LANES;
    *boxes = (WfBoxes){.triangle_count = triangle_count, .triangles = triangles};
    // nodes have two children or more, but where there is one leaf alone
    boxes->nodes = wf_alloc(allocator, leaves + 1, sizeof *boxes->nodes);
    boxes->leaves = wf_alloc(allocator, leaves, sizeof *boxes->leaves);
    Making m = {boxes, wf_alloc(allocator, n, sizeof(int)),
                wf_alloc(allocator, 3 * n, sizeof(double)), wf_alloc(allocator, n, sizeof(WfKey)),
                wf_alloc(allocator, n, sizeof(WfKey))};
    bool good = boxes->nodes && boxes->leaves && m.order && m.middles && m.keys && m.scratch;
    if (good) make_nodes(&m, x);
    wf_free(allocator, m.order);
    wf_free(allocator, m.middles);
    wf_free(allocator, m.keys);
    wf_free(allocator, m.scratch);
    if (!good) wf_boxes_destroy(allocator, boxes);
    return good;
}

void wf_boxes_destroy(const WeftAllocator* allocator, WfBoxes* boxes) {
    wf_free(allocator, boxes->nodes);
    wf_free(allocator, boxes->leaves);
    *boxes = (WfBoxes){0};
}

// ---------------------------------------------------------------------------------------------
// Fitting

typedef struct Fit {
    WfBoxes* boxes;
    const double* x;
} Fit;

static void fit_leaves(void* context, int first, int end) {
    const Fit* fit = context;
    for (int i = first; i < end; i++) {
        WfBoxLeaf* leaf = &fit->boxes->leaves[i];
        for (int l = 0; l < LANES; l++) {
            int t = leaf->triangles[l] >= 0 ? leaf->triangles[l] : leaf->triangles[0];
            for (int c = 0; c < 3; c++) {
                const double* x = fit->x + 3 * (long)fit->boxes->triangles[3 * (long)t + c];
                for (int k = 0; k < 3; k++) leaf->corners[c][k][l] = (float)x[k];
            }
        }
    }
}

static void grow(const float* numbers, int count, float* low, float* high) {
    for (int i = 0; i < count; i++) {
        *low = numbers[i] < *low ? numbers[i] : *low;
        *high = numbers[i] > *high ? numbers[i] : *high;
    }
}

static void fit_lane(const WfBoxes* boxes, WfBoxNode* node, int lane) {
    int child = node->child[lane];
    for (int k = 0; k < 3; k++) {
        float low = FLT_MAX, high = -FLT_MAX;
        for (int c = 0; c < 3 && child < 0; c++)
            grow(boxes->leaves[-1 - child].corners[c][k], LANES, &low, &high);
        if (child > 0) {
            grow(boxes->nodes[child].low[k], LANES, &low, &high);
            float none = FLT_MAX;
            high = -FLT_MAX;
            grow(boxes->nodes[child].high[k], LANES, &none, &high);
        }
        node->low[k][lane] = low;
        node->high[k][lane] = high;
    }
}

void wf_boxes_fit(WfBoxes* boxes, const WeftJobs* jobs, const double* x) {
    Fit fit = {boxes, x};
    wf_parallel_items(jobs, boxes->leaf_count, fit_leaves, &fit);
    for (int i = boxes->node_count - 1; i >= 0; i--)
        for (int l = 0; l < LANES; l++)
            if (boxes->nodes[i].child[l] != 0) fit_lane(boxes, &boxes->nodes[i], l);
    boxes->size = 0;
    for (int k = 0; k < 3 * LANES && boxes->node_count > 0; k++) {
        const WfBoxNode* root = &boxes->nodes[0];
        if (root->child[k % LANES] == 0) continue;
        double low = (double)root->low[k / LANES][k % LANES];
        double high = (double)root->high[k / LANES][k % LANES];
        boxes->size = fmax(boxes->size, fmax(fabs(low), fabs(high)));
    }
}

// ---------------------------------------------------------------------------------------------
// Looking

// A region, in all lanes.
typedef struct Seen {
    WfQuad centre[3], normal[3], steep[3];  // steep: the normal without signs
    WfQuad square, low, high;
} Seen;

static Seen see(const WfBoxes* boxes, const WfRegion* region) {
    const double c[3] = {region->centre.x, region->centre.y, region->centre.z};
    const double n[3] = {region->normal.x, region->normal.y, region->normal.z};
    double size = boxes->size + fabs(c[0]) + fabs(c[1]) + fabs(c[2]);
    double slack = ROUNDED * size, radius = region->radius + slack;
    Seen seen = {.square = wf_quad_set((float)(radius * radius * (1 + ROUNDED))),
                 .low = wf_quad_set((float)(region->low - slack)),
                 .high = wf_quad_set((float)(region->high + slack))};
    for (int k = 0; k < 3; k++) {
        seen.centre[k] = wf_quad_set((float)c[k]);
        seen.normal[k] = wf_quad_set((float)n[k]);
        seen.steep[k] = wf_quad_abs(seen.normal[k]);
    }
    return seen;
}

static WfQuad off_square(WfQuad sum, WfQuad low, WfQuad high) {
    WfQuad zero = wf_quad_set(0);
    WfQuad off = wf_quad_max(wf_quad_max(low, wf_quad_sub(zero, high)), zero);
    return wf_quad_add(sum, wf_quad_mul(off, off));
}

// The lanes that may have points in the region: `low` and `high` along the normal.
static int lanes_within(const Seen* seen, WfQuad square, WfQuad low, WfQuad high) {
    WfMask off = wf_quad_above(square, seen->square);
    off = wf_mask_or(off, wf_quad_above(seen->low, high));
    off = wf_mask_or(off, wf_quad_above(low, seen->high));
    return ~wf_mask_bits(off) & ((1 << LANES) - 1);
}

static int lanes_of_node(const Seen* seen, const WfBoxNode* node) {
    WfQuad square = wf_quad_set(0), at = square, extent = square, half = wf_quad_set(0.5f);
    for (int k = 0; k < 3; k++) {
        WfQuad low = wf_quad_sub(wf_quad_load(node->low[k]), seen->centre[k]);
        WfQuad high = wf_quad_sub(wf_quad_load(node->high[k]), seen->centre[k]);
        square = off_square(square, low, high);
        at = wf_quad_add(at, wf_quad_mul(seen->normal[k], wf_quad_add(low, high)));
        extent = wf_quad_add(extent, wf_quad_mul(seen->steep[k], wf_quad_sub(high, low)));
    }
    return lanes_within(seen, square, wf_quad_mul(half, wf_quad_sub(at, extent)),
                        wf_quad_mul(half, wf_quad_add(at, extent)));
}

static int lanes_of_leaf(const Seen* seen, const WfBoxLeaf* leaf) {
    WfQuad square = wf_quad_set(0), at[3] = {square, square, square};
    for (int k = 0; k < 3; k++) {
        WfQuad x[3];
        for (int c = 0; c < 3; c++) {
            x[c] = wf_quad_sub(wf_quad_load(leaf->corners[c][k]), seen->centre[k]);
            at[c] = wf_quad_add(at[c], wf_quad_mul(seen->normal[k], x[c]));
        }
        square = off_square(square, wf_quad_min(wf_quad_min(x[0], x[1]), x[2]),
                            wf_quad_max(wf_quad_max(x[0], x[1]), x[2]));
    }
    return lanes_within(seen, square, wf_quad_min(wf_quad_min(at[0], at[1]), at[2]),
                        wf_quad_max(wf_quad_max(at[0], at[1]), at[2]));
}

// Also false for what is no number.
static bool is_finite(const WfRegion* region) {
    return wf_dot(region->centre, region->centre) + region->radius < HUGE_VAL;
}

// leaf(context, leaf, node, lane) for leaves whose boxes are within, until it says false.
typedef bool Leaf(void* context, int leaf, const WfBoxNode* node, int lane);

static WF_INLINE void walk(const WfBoxes* boxes, const Seen* seen, Leaf* leaf, void* context) {
    int open[DEEPEST] = {0}, count = boxes->node_count > 0;
    while (count > 0) {
        const WfBoxNode* node = &boxes->nodes[open[--count]];
        int lanes = lanes_of_node(seen, node);
        for (int l = 0; lanes; l++, lanes >>= 1) {
            int child = node->child[l];
            if (!(lanes & 1) || child == 0) continue;
            if (child > 0)
                open[count++] = child;
            else if (!leaf(context, -1 - child, node, l))
                return;
        }
    }
}

static void clear_lanes(WfBoxNode* node) {
    for (int l = 0; l < LANES; l++) {
        node->child[l] = 0;
        for (int k = 0; k < 3; k++) node->low[k][l] = FLT_MAX, node->high[k][l] = -FLT_MAX;
    }
}

static bool take_leaf(void* context, int leaf, const WfBoxNode* from, int lane) {
    WfNearLeaves* near = context;
    near->all = near->count == LANES * WF_NEAR_NODES;
    if (near->all) return false;
    WfBoxNode* node = &near->nodes[near->count / LANES];
    int l = near->count++ % LANES;
    if (l == 0) clear_lanes(node);
    node->child[l] = -1 - leaf;
    for (int k = 0; k < 3; k++) {
        node->low[k][l] = from->low[k][lane];
        node->high[k][l] = from->high[k][lane];
    }
    return true;
}

void wf_boxes_near(const WfBoxes* boxes, const WfRegion* region, WfNearLeaves* near) {
    Seen seen = see(boxes, region);
    near->count = 0;
    near->all = false;
    if (is_finite(region)) walk(boxes, &seen, take_leaf, near);
}

typedef struct Visits {
    const WfBoxes* boxes;
    const Seen* seen;
    WfVisit* visit;
    void* context;
} Visits;

static bool visit_leaf(void* context, int leaf, const WfBoxNode* node, int lane) {
    const Visits* visits = context;
    const WfBoxLeaf* all = &visits->boxes->leaves[leaf];
    int lanes = lanes_of_leaf(visits->seen, all);
    bool goes_on = true;
    (void)node, (void)lane;
    for (int l = 0; l < LANES && goes_on; l++)
        if ((lanes >> l & 1) && all->triangles[l] >= 0)
            goes_on = visits->visit(visits->context, all->triangles[l]);
    return goes_on;
}

void wf_boxes_visit(const WfBoxes* boxes, const WfNearLeaves* near, const WfRegion* region,
                    WfVisit* visit, void* context) {
    Seen seen = see(boxes, region);
    Visits visits = {boxes, &seen, visit, context};
    if (!is_finite(region)) return;
    if (!near || near->all) {
        walk(boxes, &seen, visit_leaf, &visits);
        return;
    }
    for (int i = 0; i < near->count; i += LANES) {
        const WfBoxNode* node = &near->nodes[i / LANES];
        int lanes = lanes_of_node(&seen, node);
        for (int l = 0; l < LANES; l++)
            if ((lanes >> l & 1) && node->child[l] != 0 &&
                !visit_leaf(&visits, -1 - node->child[l], node, l))
                return;
    }
}

// ---------------------------------------------------------------------------------------------
// Rays

static const double FLATTEST = 1e-30;  // along an axis; less is divided by no more

// A ray as where it meets planes across the axes.
typedef struct Line {
    double from[3], inverse[3];
    double reach, slack;
} Line;

static Line line_of(const WfBoxes* boxes, const WfRay* ray) {
    const double along[3] = {ray->along.x, ray->along.y, ray->along.z};
    Line line = {{ray->from.x, ray->from.y, ray->from.z}, {0, 0, 0}, ray->reach, 0};
    line.slack = boxes->size;
    for (int k = 0; k < 3; k++) {
        line.inverse[k] = 1 / (fabs(along[k]) > FLATTEST ? along[k] : FLATTEST);
        line.slack += fabs(line.from[k]);
    }
    line.slack *= ROUNDED;
    return line;
}

static bool meets_lane(const Line* line, const WfBoxNode* node, int lane) {
    double first = 0, last = line->reach;
    for (int k = 0; k < 3; k++) {
        double low = (double)node->low[k][lane] - line->slack - line->from[k];
        double high = (double)node->high[k][lane] + line->slack - line->from[k];
        double a = low * line->inverse[k], b = high * line->inverse[k];
        first = fmax(first, fmin(a, b));
        last = fmin(last, fmax(a, b));
    }
    return first <= last;
}

static bool visit_all(const WfBoxLeaf* leaf, WfVisit* visit, void* context) {
    for (int l = 0; l < LANES; l++)
        if (leaf->triangles[l] >= 0 && !visit(context, leaf->triangles[l])) return false;
    return true;
}

void wf_boxes_visit_ray(const WfBoxes* boxes, const WfRay* ray, WfVisit* visit, void* context) {
    Line line = line_of(boxes, ray);
    int open[DEEPEST] = {0}, count = boxes->node_count > 0;
    while (count > 0) {
        const WfBoxNode* node = &boxes->nodes[open[--count]];
        for (int l = 0; l < LANES; l++) {
            int child = node->child[l];
            if (child == 0 || !meets_lane(&line, node, l)) continue;
            if (child > 0)
                open[count++] = child;
            else if (!visit_all(&boxes->leaves[-1 - child], visit, context))
                return;
        }
    }
}
