// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Every shown vertex p has an embedded point e in its coarse triangle, which contacts keep outside
// of bodies, and on one side of those that are open.
//
//       p .             nearer than `keep`: out along the normal of the nearest place q
//      ---q-------      the straight line from e to p enters the body: p has come through its
//                       surface,
//    e .                and goes back out, by the nearest place or, where that is another side of
//                       something thin, to where it went in
//
// What is kept is half of a thickness, which is less than what contacts keep, and as much as a
// shown edge of usual length cuts into something as round as a thin arm: bodies do not come through
// between vertices either.
//
// Out of one body may be into another, or another part of it: a few rounds, then the vertex goes
// back to e.
//
// Most vertices have nothing near. All of a patch, with their embedded points, lie in a slab along
// its triangle: runs of patches are looked at first, then the triangles of bodies that reach into a
// slab, once for all of its vertices; where cloth lies on a body, that is below it. Only vertices
// that are moved are looked at one by one.

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "detail/operator.h"
#include "detail/sight.h"
#include "detail/smooth.h"
#include "sim/masks.h"

static const double LEAST_KEEP = 5e-4;  // m
static const double PART = 0.5;         // of the thickness
static const double ROUND = 0.025;      // m: as round as bodies usually are at most
static const double MOST_CUT = 2e-3;    // m
static const double ENOUGH = 0.5;       // of what is to be kept, after some rounds
static const double ON_IT = 1e-9;       // m, nearer to a surface there is no direction from it
enum { ROUNDS = 4, BLOCKS = 64 };

// A body as it is now.
typedef struct Obstacle {
    const WfBody* body;
    int number;  // of the body in its model
    const WfPose* pose;
    bool off;     // by its layers, the cloth does not touch it
    WfSkin skin;  // of boxes and meshes
} Obstacle;

struct WeftKeeper {
    WeftAllocator allocator;
    const WeftModel* model;
    const WeftDetail* detail;
    int first;      // vertex of the cloth in its model,
    int cloth;      // and which one it is
    double* keeps;  // m, per patch: what is kept from bodies
    int count;
    Obstacle* obstacles;
};

// One call.
typedef struct Keep {
    const WeftKeeper* keeper;
    const double* coarse;  // positions of the cloth
    double* positions;
    int moved[BLOCKS];
} Keep;

// ---------------------------------------------------------------------------------------------
// Meshes

// Where p, seen like this, is to go; p itself where it is good.
static WfVec leave_mesh(const WfSight* s, bool solid, WfVec e, WfVec p, double keep) {
    bool entered = s->enters <= 1, inside = solid && s->found && s->front < 0;
    if (!entered && !inside && !(s->found && s->far < keep)) return p;
    if (entered && !(inside && wf_dot(s->normal, s->entry) > 0))
        return wf_madd(wf_madd(e, s->enters, wf_sub(p, e)), keep, s->entry);
    WfVec away = wf_mul(inside ? -1 : 1, wf_sub(p, s->place));
    return wf_madd(s->place, keep, s->far > ON_IT ? wf_unit(away) : s->normal);
}

// ---------------------------------------------------------------------------------------------
// Vertices

static bool is_same(WfVec a, WfVec b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// What was looked for of one obstacle; NULL: nothing.
typedef struct Near {
    const Obstacle* obstacle;
    const WfFacets* facets;
} Near;

static WfSight look(const Near* near, const Obstacle* o, WfVec e, WfVec p, double keep) {
    bool covered = o == near->obstacle && near->facets && wf_facets_cover(near->facets, p, keep);
    return covered ? wf_see_facets(near->facets, e, p, keep) : wf_see_skin(&o->skin, e, p, keep);
}

// Where p is to go; p itself where it is good.
static WfVec leave(const Near* near, const Obstacle* o, WfVec e, WfVec p, double keep) {
    if (o->off) return p;
    if (o->body->exact) {
        WfVec n;
        double far = wf_body_distance(o->body, o->pose, p, &n);
        return far < keep ? wf_madd(p, keep - far, n) : p;
    }
    WfVec local = wf_pose_local(o->pose, p), inner = wf_pose_local(o->pose, e);
    WfSight sight = look(near, o, inner, local, keep);
    WfVec to = leave_mesh(&sight, o->body->solid, inner, local, keep);
    return is_same(to, local) ? p : wf_pose_point(o->pose, to);
}

static bool is_good(const WeftKeeper* keeper, const Near* near, WfVec e, WfVec p, double keep) {
    for (int o = 0; o < keeper->count; o++)
        if (!is_same(leave(near, &keeper->obstacles[o], e, p, keep), p)) return false;
    return true;
}

static WfVec move_out(const WeftKeeper* keeper, const Near* near, WfVec e, WfVec p, double keep) {
    WfVec to = p;
    for (int round = 0; round < ROUNDS; round++) {
        WfVec before = to;
        for (int o = 0; o < keeper->count; o++)
            to = leave(near, &keeper->obstacles[o], e, to, keep);
        // what was moved may touch, rounding apart, what it was moved from
        if (is_same(before, to) || (round > 0 && is_good(keeper, near, e, to, ENOUGH * keep)))
            return to;
    }
    return is_good(keeper, near, e, to, ENOUGH * keep) ? to : e;
}

// ---------------------------------------------------------------------------------------------
// Patches

// Where a shown vertex lies in its triangle; of one beyond a border, a place in it.
static WfVec embedded(const WfVec x[3], const double w[3]) {
    if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0) return wf_blend(x, w);
    double within[3] = {fmax(w[0], 0), fmax(w[1], 0), fmax(w[2], 0)};
    return wf_mul(1 / (within[0] + within[1] + within[2]), wf_blend(x, within));
}

enum { GROUP = 64, RUN = 8 };

// A patch with its shown vertices, as they are.
typedef struct Patch {
    WfVec x[3];  // of its triangle
    int count;
    const int* own;
    const double* weights;
    double keep;
    WfRegion region;  // all that is nearer than that to them, or to the lines to them from e
} Patch;

// A slab along the triangle.
static void find_region(const Keep* keep, Patch* patch) {
    const WfVec* x = patch->x;
    WfRegion* region = &patch->region;
    region->centre = wf_mul(1.0 / 3, wf_add(wf_add(x[0], x[1]), x[2]));
    region->normal = wf_unit(wf_cross(wf_sub(x[1], x[0]), wf_sub(x[2], x[0])));
    double most = 0;
    for (int c = 0; c < 3; c++) {
        WfVec off = wf_sub(x[c], region->centre);
        most = fmax(most, wf_dot(off, off));
    }
    for (int k = 0; k < patch->count; k++) {
        WfVec off = wf_sub(wf_load(keep->positions, patch->own[k]), region->centre);
        double square = wf_dot(off, off), height = wf_dot(off, region->normal);
        most = square > most ? square : most;
        region->low = height < region->low ? height : region->low;
        region->high = height > region->high ? height : region->high;
    }
    region->radius = sqrt(most) + patch->keep;
    region->low -= patch->keep;
    region->high += patch->keep;
}

static Patch see_patch(const Keep* keep, int number) {
    const WfPatches* p = &keep->keeper->detail->patches;
    int start = p->own_start[number];
    Patch patch = {.count = wf_own_count(p, number),
                   .own = p->own + start,
                   .weights = p->weights + 3 * (long)start,
                   .keep = keep->keeper->keeps[number]};
    for (int c = 0; c < 3; c++)
        patch.x[c] = wf_load(keep->coarse, p->triangles[3 * (long)number + c]);
    find_region(keep, &patch);
    return patch;
}

static WfRegion into_body(const Obstacle* o, const WfRegion* region) {
    WfRegion local = *region;
    local.centre = wf_pose_local(o->pose, region->centre);
    WfVec tip = wf_pose_local(o->pose, wf_add(region->centre, region->normal));
    local.normal = wf_sub(tip, local.centre);
    return local;
}

// A bit for each of up to GROUP vertices from `first` on that an exact body is too near to.
static uint64_t near_exact(const Keep* keep, const Patch* patch, int first, const Obstacle* o) {
    uint64_t near = 0;
    WfVec n;
    for (int k = 0; k < GROUP && first + k < patch->count; k++) {
        WfVec p = wf_pose_local(o->pose, wf_load(keep->positions, patch->own[first + k]));
        bool is_near = wf_body_local_distance(o->body, p, &n) < patch->keep;
        near |= (uint64_t)is_near << k;
    }
    return near;
}

static WfVec embedded_of(const Patch* patch, int k) {
    return embedded(patch->x, patch->weights + 3 * (long)k);
}

// The same of a mesh.
static uint64_t near_facets(const Keep* keep, const Patch* patch, int first, const Near* near) {
    const WfPose* pose = near->obstacle->pose;
    uint64_t marks = 0;
    for (int k = 0; k < GROUP && first + k < patch->count; k++) {
        WfVec p = wf_pose_local(pose, wf_load(keep->positions, patch->own[first + k]));
        WfVec e = wf_pose_local(pose, embedded_of(patch, first + k));
        marks |= (uint64_t)wf_facets_near(near->facets, e, p, patch->keep) << k;
    }
    return marks;
}

// Those that are marked, out of all bodies.
static int move_marked(const Keep* keep, const Patch* patch, const Near* near, int first,
                       uint64_t marks) {
    int moved = 0;
    for (int k = first; k < patch->count && marks; k++, marks >>= 1) {
        WfVec x = wf_load(keep->positions, patch->own[k]), e = embedded_of(patch, k);
        WfVec off = wf_sub(x, e);
        if (!(marks & 1) || !(wf_dot(off, off) < HUGE_VAL)) continue;
        WfVec to = move_out(keep->keeper, near, e, x, patch->keep);
        if (is_same(x, to)) continue;
        wf_store(keep->positions, patch->own[k], to);
        moved++;
    }
    return moved;
}

static int keep_patch(const Keep* keep, const Patch* patch, const Obstacle* o,
                      const WfNearLeaves* leaves) {
    WfFacets facets;
    bool exact = o->body->exact;
    int moved = 0;
    Near near = {o, exact ? NULL : &facets};
    WfRegion region = into_body(o, &patch->region);
    WfVec n;
    if (exact && !(wf_body_local_distance(o->body, region.centre, &n) < region.radius)) return 0;
    if (!exact) wf_find_facets(&o->skin, leaves, &region, &facets);
    if (!exact && facets.count == 0) return 0;
    for (int first = 0; first < patch->count; first += GROUP) {
        uint64_t marks = UINT64_MAX;
        if (exact)
            marks = near_exact(keep, patch, first, o);
        else if (!facets.all)
            marks = near_facets(keep, patch, first, &near);
        moved += move_marked(keep, patch, &near, first, marks);
    }
    return moved;
}

// ---------------------------------------------------------------------------------------------
// Runs of patches

static bool is_near(const Obstacle* o, const WfRegion* region, WfNearLeaves* near) {
    WfRegion local = into_body(o, region);
    WfVec n;
    if (o->body->exact) return wf_body_local_distance(o->body, local.centre, &n) < local.radius;
    wf_boxes_near(&o->skin.boxes, &local, near);
    return near->count > 0;
}

// Around all that patches hold: a slab along what they are on the whole.
static WfRegion region_around(const Patch* patches, int count) {
    WfRegion all = {.radius = 0};
    for (int i = 0; i < count; i++) {
        all.centre = wf_madd(all.centre, 1.0 / count, patches[i].region.centre);
        all.normal = wf_add(all.normal, patches[i].region.normal);
    }
    all.normal = wf_unit(all.normal);
    for (int i = 0; i < count; i++) {
        const WfRegion* one = &patches[i].region;
        WfVec off = wf_sub(one->centre, all.centre);
        double at = wf_dot(all.normal, off), agree = wf_dot(all.normal, one->normal);
        double side = one->radius * wf_length(wf_madd(all.normal, -agree, one->normal));
        double low = fmin(agree * one->low, agree * one->high);
        double high = fmax(agree * one->low, agree * one->high);
        all.radius = fmax(all.radius, wf_length(off) + one->radius);
        all.low = fmin(all.low, at + low - side);
        all.high = fmax(all.high, at + high + side);
    }
    return all;
}

static int keep_run(const Keep* keep, int first, int end) {
    Patch patches[RUN];
    WfNearLeaves near;
    int moved = 0, count = 0;
    for (int t = first; t < end; t++)
        if (wf_own_count(&keep->keeper->detail->patches, t) > 0)
            patches[count++] = see_patch(keep, t);
    WfRegion region = region_around(patches, count);
    for (int i = 0; i < keep->keeper->count && count > 0; i++) {
        const Obstacle* o = &keep->keeper->obstacles[i];
        if (o->off || !is_near(o, &region, &near)) continue;
        for (int k = 0; k < count; k++) moved += keep_patch(keep, &patches[k], o, &near);
    }
    return moved;
}

static void keep_block(void* context, int block) {
    Keep* keep = context;
    long count = keep->keeper->detail->patches.count;
    int end = (int)(count * (block + 1) / BLOCKS);
    for (int t = (int)(count * block / BLOCKS); t < end; t += RUN)
        keep->moved[block] += keep_run(keep, t, end - t < RUN ? end : t + RUN);
}

// ---------------------------------------------------------------------------------------------
// Life

// How deep edges cut into what is round: between shown vertices, their triangles taken as alike.
static double cut_of(const WeftDetail* detail) {
    const WfPatches* p = &detail->patches;
    double area = 0;
    for (int t = 0; t < p->count; t++) area += wf_patch_area(p, t);
    double square = 4 / sqrt(3) * area / fmax(detail->triangle_count, 1);  // of an edge
    return fmin(square / (8 * ROUND), MOST_CUT);
}

// What is kept by patches: by the corner that has most.
static bool measure_keeps(WeftKeeper* keeper) {
    const WfPatches* p = &keeper->detail->patches;
    double cut = cut_of(keeper->detail);
    keeper->keeps = wf_alloc(&keeper->allocator, (size_t)p->count, sizeof(double));
    if (!keeper->keeps) return false;
    for (int c = 0; c < 3 * p->count; c++) {
        int row = wf_row_of(&keeper->model->shown, keeper->first + p->triangles[c]);
        double* kept = &keeper->keeps[c / 3];
        *kept = fmax(*kept, cut + fmax(LEAST_KEEP, PART * keeper->model->thickness[row]));
    }
    return true;
}

static bool make_obstacle(WeftKeeper* keeper, int number) {
    const WfBody* body = &keeper->model->bodies[number];
    Obstacle* o = &keeper->obstacles[keeper->count++];
    *o = (Obstacle){.body = body, .number = number, .skin.solid = body->solid};
    if (body->exact) return true;
    const WfSurface* s = &body->surface;
    size_t numbers = 3 * (size_t)body->vertex_count;
    o->skin.x = wf_alloc(&keeper->allocator, numbers, sizeof(double));
    if (!o->skin.x || !wf_boxes_create(&keeper->allocator, s->triangle_count, s->triangles,
                                       body->positions, &o->skin.boxes))
        return false;
    memcpy(o->skin.x, body->positions, numbers * sizeof(double));
    wf_boxes_fit(&o->skin.boxes, NULL, o->skin.x);
    return true;
}

static bool make_obstacles(WeftKeeper* keeper) {
    const WeftModel* m = keeper->model;
    keeper->obstacles =
        wf_alloc(&keeper->allocator, (size_t)m->shown_body_count, sizeof *keeper->obstacles);
    bool good = keeper->obstacles != NULL;
    for (int i = 0; i < m->shown_body_count && good && wf_model_touches(m); i++)
        good = make_obstacle(keeper, i);
    return good;
}

WeftResult weft_create_keeper(const WeftModel* model, const WeftDetail* detail, int first,
                              const WeftAllocator* allocator, WeftKeeper** keeper,
                              WeftError* error) {
    WeftAllocator own = wf_allocator(allocator);
    *keeper = NULL;
    if (first < 0 || detail->coarse_count > model->shown.vertex_count - first)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "the detail is of %d vertices from vertex %d on, and the model has %d",
                       detail->coarse_count, first, model->shown.vertex_count);
    WeftKeeper* k = wf_alloc(&own, 1, sizeof *k);
    if (!k) return wf_fail_memory(error);
    *k = (WeftKeeper){.allocator = own, .model = model, .detail = detail, .first = first};
    while (k->cloth + 1 < model->cloth_count && model->shown.first_vertex[k->cloth + 1] <= first)
        k->cloth++;
    if (!measure_keeps(k) || !make_obstacles(k)) {
        weft_destroy_keeper(k);
        return wf_fail_memory(error);
    }
    *keeper = k;
    return WEFT_OK;
}

void weft_destroy_keeper(WeftKeeper* keeper) {
    if (!keeper) return;
    WeftAllocator allocator = keeper->allocator;
    for (int o = 0; o < keeper->count; o++) {
        wf_boxes_destroy(&allocator, &keeper->obstacles[o].skin.boxes);
        wf_free(&allocator, keeper->obstacles[o].skin.x);
    }
    wf_free(&allocator, keeper->obstacles);
    wf_free(&allocator, keeper->keeps);
    wf_free(&allocator, keeper);
}

// Where it is now, and where its vertices are in its frame.
static void fit_obstacle(Obstacle* o, const WeftState* state, int cloth, const WeftJobs* jobs) {
    o->off = !wf_body_meets(state, o->number, cloth);
    o->pose = wf_state_pose(state, o->number, false);
    const double* shape = wf_state_shape(state, o->number, false);
    size_t size = 3 * (size_t)o->body->vertex_count * sizeof(double);
    if (!o->skin.x || !shape || memcmp(o->skin.x, shape, size) == 0) return;
    memcpy(o->skin.x, shape, size);
    wf_boxes_fit(&o->skin.boxes, jobs, o->skin.x);
}

int weft_keep_outside(WeftKeeper* keeper, const WeftState* state, const WeftJobs* jobs,
                      double* positions) {
    Keep keep = {.keeper = keeper,
                 .coarse = state->shown_x + 3 * (long)keeper->first,
                 .positions = positions};
    int moved = 0;
    wf_assert(state->model == keeper->model);
    if (keeper->count == 0) return 0;
    for (int o = 0; o < keeper->count; o++)
        fit_obstacle(&keeper->obstacles[o], state, keeper->cloth, jobs);
    wf_parallel(jobs, BLOCKS, keep_block, &keep);
    for (int b = 0; b < BLOCKS; b++) moved += keep.moved[b];
    return moved;
}
