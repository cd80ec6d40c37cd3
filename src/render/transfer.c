// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Each vertex of the one cloth is a place in the other: found in the flat shape, where a pattern
// that was cut into triangles twice lies on itself, or in space.
//
// Vertices of a finer cloth are put onto the triangles of the coarser one, and those of a coarser
// one onto the finer: neither is what they would be by themselves. Springs of the finer see strains
// that the coarser had no springs for, and where the finer has wrinkles the coarser is pressed. So
// the cloth is then brought into balance with itself, by steps in which nothing else moves it.
// Measured where a sheet of 14 x 14 cells falls over a ball and goes on as one of 40 x 40: springs
// are strained eight times as much as before (and the other way round twice), which the first step
// makes motion of: 1.8 times the kinetic energy. After two such steps it is the same within 1 %.
//
// A surface that is curved through the vertices of the coarser cloth is no place for those of the
// finer: it is longer than the cloth, and the energy ten times as large as on flat triangles.

#include "render/transfer.h"

#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "detail/smooth.h"
#include "mesh/normals.h"
#include "render/binding.h"
#include "sim/attach.h"
#include "sim/carry.h"
#include "sim/rest.h"
#include "sim/state.h"
#include "sim/tear.h"

// steps: for balance, and as long as something is crossed
enum { SETTLING = 2, MOST_SETTLING = 8 };
static const double HELD = 0.5;  // of what a pin lies on: less of it is pinned, and it is let go

struct WeftTransfer {
    WeftAllocator allocator;
    const WeftModel *from, *to;
    int from_cloth, to_cloth;
    int from_first, from_count, to_first, to_count;  // vertices
    WfPlaces places;                                 // of vertices of `to`, in `from`
    WfPlaces back;                                   // and the other way round
    double* shares;                                  // scratch, of `to`, kg
    int triangle_count;                              // of `from`
    int* triangles;
    double* normals;                 // scratch, of `from`
    double *positions, *velocities;  // scratch, of all of `to`
    double* kept;                    // velocities of it before
    double* skin;                    // scratch, of `from`: positions, then normals
};

WeftTransferDef weft_default_transfer_def(void) { return (WeftTransferDef){0}; }

// ---------------------------------------------------------------------------------------------
// Making

static WeftResult check_def(const WeftTransferDef* def, WeftError* error) {
    const WeftModel* models[2] = {def->from, def->to};
    const int cloths[2] = {def->from_cloth, def->to_cloth};
    const WeftMesh* meshes[2] = {def->from_mesh, def->to_mesh};
    wf_assert(def->from && def->to);
    for (int k = 0; k < 2; k++) {
        int first;
        const char* name = k ? "to" : "from";
        if (cloths[k] < 0 || cloths[k] >= models[k]->cloth_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s: there is no cloth %d in a model of %d",
                           name, cloths[k], models[k]->cloth_count);
        if (wf_cloth_triangles(models[k], cloths[k], &first) < 1)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s: cloth %d has no triangles", name,
                           cloths[k]);
        if (!meshes[k] != !meshes[0])
            return wf_fail(error, WEFT_ERROR_INPUT, "give the meshes of both cloths, or none");
        if (!meshes[k]) continue;
        WeftResult result = wf_check_cloth_mesh(models[k], cloths[k], meshes[k], error);
        if (result) return wf_fail_prefix(error, result, "%s: ", name);
        if (!meshes[k]->material)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s: the mesh has no flat shape", name);
    }
    if (!def->from_panels != !def->to_panels)
        return wf_fail(error, WEFT_ERROR_INPUT, "give the panels of both cloths, or none");
    return WEFT_OK;
}

static bool allocate(WeftTransfer* t) {
    const WeftAllocator* a = &t->allocator;
    size_t from = (size_t)t->from_count, all = (size_t)t->to->shown.vertex_count;
    t->shares = wf_alloc(a, (size_t)t->to_count, sizeof(double));
    t->triangles = wf_alloc(a, 3 * (size_t)t->triangle_count, sizeof(int));
    t->normals = wf_alloc(a, 3 * from, sizeof(double));
    t->positions = wf_alloc(a, 3 * all, sizeof(double));
    t->velocities = wf_alloc(a, 3 * all, sizeof(double));
    t->kept = wf_alloc(a, 3 * all, sizeof(double));
    t->skin = wf_alloc(a, 6 * from, sizeof(double));
    return t->skin && t->kept && t->shares && t->triangles && t->normals && t->positions &&
           t->velocities;
}

static WeftTransfer* create(const WeftTransferDef* def) {
    WeftAllocator allocator = wf_allocator(&def->allocator);
    WeftTransfer* t = wf_alloc(&allocator, 1, sizeof *t);
    if (!t) return NULL;
    const WfShown *from = &def->from->shown, *to = &def->to->shown;
    int first;
    *t = (WeftTransfer){.allocator = allocator,
                        .from = def->from,
                        .to = def->to,
                        .from_cloth = def->from_cloth,
                        .to_cloth = def->to_cloth,
                        .from_first = from->first_vertex[def->from_cloth],
                        .to_first = to->first_vertex[def->to_cloth]};
    t->from_count = from->first_vertex[def->from_cloth + 1] - t->from_first;
    t->to_count = to->first_vertex[def->to_cloth + 1] - t->to_first;
    t->triangle_count = wf_cloth_triangles(def->from, def->from_cloth, &first);
    if (!allocate(t)) {
        weft_destroy_transfer(t);
        return NULL;
    }
    for (long c = 0; c < 3L * t->triangle_count; c++)
        t->triangles[c] = from->triangles[3L * first + c] - t->from_first;
    return t;
}

WeftResult weft_create_transfer(const WeftTransferDef* def, WeftTransfer** out, WeftError* error) {
    *out = NULL;
    WeftResult result = check_def(def, error);
    if (result) return result;
    WeftTransfer* t = create(def);
    if (!t) return wf_fail_memory(error);
    const WfPlacing ends[2] = {{def->from, def->from_cloth, def->from_mesh, def->from_panels},
                               {def->to, def->to_cloth, def->to_mesh, def->to_panels}};
    result = wf_places_create(&t->allocator, &ends[0], &ends[1], &t->places, error);
    if (!result) result = wf_places_create(&t->allocator, &ends[1], &ends[0], &t->back, error);
    if (result)
        weft_destroy_transfer(t);
    else
        *out = t;
    return result;
}

void weft_destroy_transfer(WeftTransfer* t) {
    if (!t) return;
    WeftAllocator allocator = t->allocator;
    void* all[] = {t->shares,     t->triangles, t->normals, t->positions,
                   t->velocities, t->kept,      t->skin};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) wf_free(&allocator, all[k]);
    wf_places_destroy(&allocator, &t->places);
    wf_places_destroy(&allocator, &t->back);
    wf_free(&allocator, t);
}

// ---------------------------------------------------------------------------------------------
// Motion

static void load_corners(const double* from, const int* corners, WfVec v[3]) {
    for (int k = 0; k < 3; k++) v[k] = wf_load(from, corners[k]);
}

static size_t all_bytes(const WeftTransfer* t) {
    return 3 * (size_t)t->to->shown.vertex_count * sizeof(double);
}

// What is above the cloth follows its normals. Other cloths stay.
static void take_places(WeftTransfer* t, const WeftState* from, const WeftState* to) {
    const double* x = weft_positions(from) + 3L * t->from_first;
    memcpy(t->positions, weft_positions(to), all_bytes(t));
    wf_find_normals(t->from_count, x, t->triangle_count, t->triangles, t->normals);
    for (int i = 0; i < t->to_count; i++) {
        const int* corners = t->places.corners + 3 * (long)i;
        const double* w = t->places.weights + 3 * (long)i;
        WfVec c[3], n[3];
        load_corners(x, corners, c);
        load_corners(t->normals, corners, n);
        WfVec place = wf_madd(wf_blend(c, w), t->places.heights[i], wf_blend(n, w));
        wf_store(t->positions, t->to_first + i, place);
    }
}

// What a vertex of `from` has of a corner of its place in `to`, kg.
static double share_of(const WeftTransfer* t, long corner) {
    double mass = t->from->shown.masses[t->from_first + corner / 3];
    return mass * fmax(t->back.weights[corner], 0);
}

// Of the many vertices around each one, the mean by mass: momentum is kept, and kinetic energy does
// not grow. Vertices with none around them keep what they have.
static void average_velocities(WeftTransfer* t, const double* v) {
    double* mean = t->velocities + 3L * t->to_first;
    const int* corners = t->back.corners;
    memset(t->shares, 0, (size_t)t->to_count * sizeof(double));
    for (long c = 0; c < 3L * t->from_count; c++) t->shares[corners[c]] += share_of(t, c);
    for (int i = 0; i < t->to_count; i++)
        if (t->shares[i] > 0) wf_store(mean, i, (WfVec){0, 0, 0});
    for (long c = 0; c < 3L * t->from_count; c++) {
        double share = share_of(t, c);
        if (!(share > 0)) continue;
        wf_accumulate(mean, corners[c], share / t->shares[corners[c]], wf_load(v, (int)(c / 3)));
    }
}

static void take_velocities(WeftTransfer* t, const WeftState* from) {
    const double* v = weft_velocities(from) + 3L * t->from_first;
    memcpy(t->velocities, t->kept, all_bytes(t));
    for (int i = 0; i < t->to_count; i++) {
        WfVec c[3];
        load_corners(v, t->places.corners + 3 * (long)i, c);
        wf_store(t->velocities, t->to_first + i, wf_blend(c, t->places.weights + 3 * (long)i));
    }
    if (t->from_count > t->to_count) average_velocities(t, v);
}

// ---------------------------------------------------------------------------------------------
// Bodies

static bool have_same_bodies(const WeftModel* a, const WeftModel* b) {
    bool same = a->shown_body_count == b->shown_body_count;
    for (int i = 0; i < a->shown_body_count && same; i++)
        same = a->bodies[i].kind == b->bodies[i].kind &&
               a->bodies[i].vertex_count == b->bodies[i].vertex_count;
    return same;
}

static void take_bodies(const WeftState* from, WeftState* to) {
    for (int i = 0; i < to->model->shown_body_count; i++)
        for (int end = 0; end < 2; end++) {
            *wf_state_pose(to, i, end) = *wf_state_pose(from, i, end);
            double* shape = wf_state_shape(to, i, end);
            size_t count = 3 * (size_t)to->model->bodies[i].vertex_count;
            if (shape) memcpy(shape, wf_state_shape(from, i, end), count * sizeof *shape);
        }
}

// ---------------------------------------------------------------------------------------------
// Skins and spaces

static bool has_skin(const WeftModel* model, int cloth) {
    return model->skinned.first && model->skinned.first[cloth + 1] > model->skinned.first[cloth];
}

// Overwrites the scratch of positions and velocities.
static void take_skin(WeftTransfer* t, const WeftState* from, WeftState* to) {
    double *x = t->skin, *n = t->skin + 3L * t->from_count;
    if (!has_skin(t->from, t->from_cloth) || !has_skin(t->to, t->to_cloth)) return;
    weft_copy_skin(from, t->from_cloth, x, n);
    for (int i = 0; i < t->to_count; i++) {
        const double* w = t->places.weights + 3 * (long)i;
        WfVec c[3], m[3];
        load_corners(x, t->places.corners + 3 * (long)i, c);
        load_corners(n, t->places.corners + 3 * (long)i, m);
        WfVec up = wf_blend(m, w);
        wf_store(t->positions, i, wf_madd(wf_blend(c, w), t->places.heights[i], up));
        wf_store(t->velocities, i, wf_unit(up));
    }
    weft_place_skin(to, t->to_cloth, t->positions, t->velocities);
    to->skin_scales[t->to_cloth] = from->skin_scales[t->from_cloth];
}

// A space that stands where another one is.
static WfSpace standing(const WfSpace* space) {
    return (WfSpace){.now = space->now, .end = space->now};
}

// ---------------------------------------------------------------------------------------------
// Pins

static bool is_held(const WeftTransfer* t, const WeftState* from, int i) {
    double held = 0;
    for (int k = 0; k < 3; k++) {
        long at = 3 * (long)i + k;
        if (weft_is_pinned(from, t->from_first + t->places.corners[at]))
            held += t->places.weights[at];
    }
    return held > HELD;
}

static int row_of(const WeftState* state, int vertex) {
    return wf_row_of(&state->model->shown, vertex);
}

// The corner that has most of a place.
static int heaviest(const WfPlaces* places, int i) {
    const double* w = places->weights + 3 * (long)i;
    int most = w[1] > w[0] ? 1 : 0;
    if (w[2] > w[most]) most = 2;
    return places->corners[3 * (long)i + most];
}

// A pin as the one that it stands for: with a body, where that carries it.
static void pin_like(WeftState* to, int vertex, const WeftState* from, int other, bool same) {
    int row = row_of(to, vertex);
    double by = from->carried[row_of(from, other)].by;
    weft_pin(to, vertex);
    to->carried[row] = (WfCarry){.by = same && by > 0 ? by : WF_CARRIED_BY_NONE};
}

// Such pins come and go by the maps of the skin.
static bool is_skin_pin(const WeftState* state, int vertex) {
    return state->carried[row_of(state, vertex)].by == WF_CARRIED_BY_SKIN;
}

static void take_pins(const WeftTransfer* t, const WeftState* from, WeftState* to, bool same) {
    for (int i = 0; i < t->to_count; i++) {
        int vertex = t->to_first + i;
        if (is_skin_pin(to, vertex)) continue;
        bool own = t->to->pinned[row_of(to, vertex)];
        if (own && is_held(t, from, i))
            pin_like(to, vertex, from, t->from_first + heaviest(&t->places, i), same);
        else
            weft_unpin(to, vertex);
    }
    for (int i = 0; i < t->from_count; i++) {
        int vertex = t->from_first + i;
        if (is_skin_pin(from, vertex)) continue;
        if (weft_is_pinned(from, vertex) && !t->from->pinned[row_of(from, vertex)])
            pin_like(to, t->to_first + heaviest(&t->back, i), from, vertex, same);
    }
}

// ---------------------------------------------------------------------------------------------
// Attachments that were made at run time

static bool is_within(const WfAttachment* a, const int* first) {
    for (int k = 0; k < (int)a->count; k++)
        if (a->rows[k] < first[0] || a->rows[k] >= first[1]) return false;
    return a->state != WF_ATTACHMENT_NONE;
}

enum { MOST_CORNERS = 9 };  // of the places of three vertices

// A point of cloth as vertices with weights.
typedef struct Point {
    int count, vertices[MOST_CORNERS];
    double weights[MOST_CORNERS];
} Point;

static void add_vertex(Point* point, int vertex, double weight) {
    int k = 0;
    while (k < point->count && point->vertices[k] != vertex) k++;
    if (k == point->count) point->vertices[point->count++] = vertex, point->weights[k] = 0;
    point->weights[k] += weight;
}

static const double NO_WEIGHT = 1e-6;

// The place of a vertex of `from`: all corners that it has, or the heaviest.
static void add_place(const WeftTransfer* t, int i, double weight, bool all, Point* point) {
    if (!all) {
        add_vertex(point, heaviest(&t->back, i), weight);
        return;
    }
    for (long at = 3L * i; at < 3L * i + 3; at++)
        if (weight * t->back.weights[at] > NO_WEIGHT)
            add_vertex(point, t->back.corners[at], weight * t->back.weights[at]);
}

// A point of `from` in `to`: the very point, where it is one of a triangle's there; else the mean
// of vertices near to its own.
static bool map_point(const WeftTransfer* t, int vertices[3], double weights[3]) {
    Point point = {.count = 0};
    for (int all = 1; all >= 0 && (all || point.count > 3); all--) {
        point.count = 0;
        for (int k = 0; k < 3; k++) {
            int i = vertices[k] - t->from_first;
            if (vertices[k] < 0 || weights[k] == 0) continue;
            if (i < 0 || i >= t->from_count) return false;
            add_place(t, i, weights[k], all, &point);
        }
    }
    double sum = 0;
    for (int k = 0; k < point.count; k++) sum += point.weights[k];
    for (int k = 0; k < 3; k++) {
        vertices[k] = k < point.count ? t->to_first + point.vertices[k] : -1;
        weights[k] = k < point.count ? point.weights[k] / sum : 0;
    }
    return sum > 0;
}

typedef struct Mapping {
    const WeftTransfer* transfer;
    bool same;  // bodies
} Mapping;

static bool map_attachment(void* context, WeftAttachmentDef* def) {
    const Mapping* mapping = context;
    const WeftTransfer* t = mapping->transfer;
    if (def->to == WEFT_ATTACH_TO_BODY && !mapping->same) return false;
    return map_point(t, def->vertices, def->weights) &&
           (def->to != WEFT_ATTACH_TO_CLOTH ||
            map_point(t, def->other_vertices, def->other_weights));
}

static void take_attachments(const WeftTransfer* t, const WeftState* from, WeftState* to,
                             bool same) {
    Mapping mapping = {t, same};
    for (int i = t->to->attachment_count; i < wf_attachment_room(to); i++)
        if (is_within(&to->attachments[i], t->to->first_vertex + t->to_cloth)) weft_detach(to, i);
    wf_copy_attachments(to, from, t->from->attachment_count, map_attachment, &mapping);
}

// Where the ends shall be at the end of the next step.
static void take_goals(const WeftTransfer* t, const WeftState* from, WeftState* to) {
    int room = wf_attachment_room(to) > 0 ? wf_attachment_room(from) : 0;
    for (int i = t->from->attachment_count; i < room; i++) {
        const WfAttachment* a = &from->attachments[i];
        WfAttachment* b = &to->attachments[i];
        bool alike = a->state == WF_ATTACHMENT_HOLDS && b->state == WF_ATTACHMENT_HOLDS &&
                     a->to == b->to && a->is_image == b->is_image;
        if (alike && is_within(b, t->to->first_vertex + t->to_cloth))
            memcpy(b->goal, a->goal, sizeof b->goal);
    }
}

// ---------------------------------------------------------------------------------------------

// What contact and compression knew of the vertices that were there before.
static void forget_loads(const WeftTransfer* t, WeftState* to) {
    const int* first = t->to->first_vertex + t->to_cloth;
    size_t count = (size_t)(first[1] - first[0]);
    memset(to->ages + first[0], 0, count * sizeof(double));
    memset(to->pulls + first[0], 0, count * sizeof(double));
    if (to->loads) memset(to->loads + 4 * (long)first[0], 0, 4 * count * sizeof(double));
    if (to->tangle) to->tangle[0] = WF_LOOK_ANEW;
}

static void stop_bodies(WeftState* to) {
    for (int i = 0; i < to->model->shown_body_count; i++) {
        double *now = wf_state_shape(to, i, false), *end = wf_state_shape(to, i, true);
        size_t count = 3 * (size_t)to->model->bodies[i].vertex_count;
        *wf_state_pose(to, i, true) = *wf_state_pose(to, i, false);
        if (now) memcpy(end, now, count * sizeof *end);
    }
}

static void set_all_still(WeftTransfer* t, WeftState* to) {
    memset(t->velocities, 0, 3 * (size_t)t->to->shown.vertex_count * sizeof(double));
    weft_set_velocities(to, t->velocities);
}

// Steps in which the cloth moves by its own forces and contacts alone, and never gets any faster.
// What else there is in the model stays where it is.
static WeftResult settle(WeftTransfer* t, WeftState* to, const WeftStepDef* step) {
    WeftStepDef still = *step;
    memset(still.gravity, 0, sizeof still.gravity);
    memset(still.wind, 0, sizeof still.wind);
    still.air_density = still.budget_ms = 0;
    still.accelerations = NULL;
    WeftResult result = WEFT_OK;
    stop_bodies(to);
    for (int i = 0; i < MOST_SETTLING && !result; i++) {
        if (i >= SETTLING && weft_report(to)->tangles <= 0) break;
        set_all_still(t, to);
        result = weft_step(to, &still);
    }
    size_t first = 3 * (size_t)t->to_first, count = 3 * (size_t)t->to_count;
    memcpy(t->positions + first, weft_positions(to) + first, count * sizeof(double));
    weft_set_positions(to, t->positions);
    return result;
}

// Whether a state of the model has another one since, because its cloth was torn.
static bool is_torn(const WeftState* state, const WeftModel* model) {
    return state->model != model && state->tear && state->tear->whole == model;
}

WeftResult weft_transfer_state(WeftTransfer* t, const WeftState* from, WeftState* to,
                               const WeftStepDef* step) {
    if (is_torn(from, t->from) || is_torn(to, t->to))
        return wf_fail(&to->error, WEFT_ERROR_COMBINATION,
                       "the cloth of `%s` is torn, and has other vertices than the model of the "
                       "transfer: nothing was taken over; stay at this level of detail, or reset "
                       "the state",
                       is_torn(from, t->from) ? "from" : "to");
    wf_assert(from->model == t->from && to->model == t->to && from != to);
    bool same = have_same_bodies(t->from, t->to);
    WeftResult result = WEFT_OK;
    to->space = standing(&from->space);
    take_skin(t, from, to);
    memcpy(t->kept, weft_velocities(to), all_bytes(t));
    take_places(t, from, to);
    if (same) take_bodies(from, to);
    take_pins(t, from, to, same);
    weft_set_positions(to, t->positions);  // pins go along, and stay with bodies where these are
    wf_carry_from_here(to);
    take_attachments(t, from, to, same);
    forget_loads(t, to);
    wf_reset_terms(to);
    to->lasting[t->to_cloth] = from->lasting[t->from_cloth];
    to->soft_dt = from->soft_dt;
    if (step) result = settle(t, to, step);
    if (same) take_bodies(from, to);
    take_goals(t, from, to);
    take_velocities(t, from);
    weft_set_velocities(to, t->velocities);
    to->clock[0] = from->clock[0];
    to->space = from->space;
    wf_wake(to);
    return result;
}
