// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Measures of a body, by cutting it with level planes into rings (slice.c):
//
//       ( )        neck     the smallest girth between shoulders and chin
//     .-----.      armpit   where the ring of the trunk becomes suddenly wide (measure_arm.c)
//    / |   | \     chest    where the trunk is deepest between waist and armpit
//   /  )   (  \    waist    the smallest in the middle of what is between crotch and armpit
//      | ^ |       hips     the largest between crotch and waist
//      | | |       crotch   the height up to which there are two legs, one on each side
//      '_|_'
//
// Ranges are fractions of the height or of the distance between two landmarks, wide enough for
// children and for all builds; what has no smallest or largest inside of its range is taken where
// it is on most bodies.

#include "garment/measure.h"

#include <stddef.h>
#include <string.h>

#include "base/angle.h"
#include "base/error.h"

// ---------------------------------------------------------------------------------------------
// By name

#define NAME(field) \
    { #field, offsetof(WeftMeasures, field) }
static const struct {
    const char* name;
    size_t offset;
} names[] = {
    NAME(height),        NAME(neck_height),    NAME(shoulder_height),
    NAME(armpit_height), NAME(chest_height),   NAME(waist_height),
    NAME(hip_height),    NAME(crotch_height),  NAME(knee_height),
    NAME(ankle_height),  NAME(neck),           NAME(chest),
    NAME(waist),         NAME(hips),           NAME(thigh),
    NAME(knee),          NAME(ankle),          NAME(upper_arm),
    NAME(wrist),         NAME(shoulder_width), NAME(chest_width),
    NAME(chest_depth),   NAME(waist_width),    NAME(waist_depth),
    NAME(hip_width),     NAME(hip_depth),      NAME(arm_length),
    NAME(arm_angle),
};
enum { NAME_COUNT = sizeof names / sizeof names[0] };

const char* weft_measure_name(int index) {
    return index >= 0 && index < NAME_COUNT ? names[index].name : NULL;
}

double weft_measure_value(const WeftMeasures* measures, int index) {
    double value = NAN;
    if (index >= 0 && index < NAME_COUNT)
        memcpy(&value, (const char*)measures + names[index].offset, sizeof value);
    return value;
}

// ---------------------------------------------------------------------------------------------
// Slices

WeftResult wf_slice_level(WfMeasuring* m, double level) {
    WfPlane plane = {{0, m->floor + level, 0}, {1, 0, 0}, {0, 0, 1}};
    return wf_slice(m->slicer, &plane, m->error);
}

WeftResult wf_slice_trunk(WfMeasuring* m, double level, WfRing* trunk) {
    WeftResult result = wf_slice_level(m, level);
    *trunk = (WfRing){0};
    if (result) return result;
    for (int i = 0; i < wf_ring_count(m->slicer); i++) {
        const WfRing* ring = wf_ring(m->slicer, i);
        if (ring->low.u < m->middle && m->middle < ring->high.u && ring->area > trunk->area)
            *trunk = *ring;
    }
    return WEFT_OK;
}

// The two legs at a height, that of the left first: the two largest rings, of a size, on the two
// sides of the middle.
static WeftResult slice_legs(WfMeasuring* m, double level, WfRing legs[2], bool* found) {
    WeftResult result = wf_slice_level(m, level);
    *found = false;
    if (result || wf_ring_count(m->slicer) < 2) return result;
    const WfRing *a = wf_ring(m->slicer, 0), *b = wf_ring(m->slicer, 1);
    bool a_left = a->centre.u > b->centre.u;
    legs[0] = a_left ? *a : *b;
    legs[1] = a_left ? *b : *a;
    double slack = 0.01 * m->height;
    *found = b->area > 0.3 * a->area && b->girth > 0.05 * m->height &&
             legs[0].low.u > legs[1].high.u - slack && legs[0].centre.u > m->middle &&
             legs[1].centre.u < m->middle;
    return WEFT_OK;
}

// The mean of both, 0 where there are no two.
static WeftResult leg_girth(WfMeasuring* m, double level, double* girth) {
    WfRing legs[2];
    bool found;
    WeftResult result = slice_legs(m, level, legs, &found);
    *girth = !result && found ? (legs[0].girth + legs[1].girth) / 2 : 0;
    return result;
}

// ---------------------------------------------------------------------------------------------
// Extremes

typedef WeftResult MeasureAt(WfMeasuring* m, double level, double* girth);

static WeftResult trunk_girth(WfMeasuring* m, double level, double* girth) {
    WfRing trunk;
    WeftResult result = wf_slice_trunk(m, level, &trunk);
    *girth = trunk.girth;
    return result;
}

static WeftResult trunk_depth(WfMeasuring* m, double level, double* depth) {
    WfRing trunk;
    WeftResult result = wf_slice_trunk(m, level, &trunk);
    *depth = trunk.high.v - trunk.low.v;
    return result;
}

// The height of the smallest girth (sign 1) or of the largest one (sign -1) between two heights;
// of those that are inside of the range, if there is one. Else at `usual`.
static WeftResult find_extreme(WfMeasuring* m, MeasureAt* measure, double from, double to,
                               double sign, double usual, double* level, double* girth) {
    enum { STEPS = 40 };
    double values[STEPS + 1], least = INFINITY;
    *level = usual;
    for (int i = 0; i <= STEPS; i++) {
        WeftResult result = measure(m, from + (to - from) * i / STEPS, &values[i]);
        if (result) return result;
        values[i] = values[i] > 0 ? sign * values[i] : HUGE_VAL;
    }
    for (int i = 1; i < STEPS; i++) {
        bool inside = values[i] <= values[i - 1] && values[i] <= values[i + 1];
        if (!inside || values[i] >= least || values[i] == HUGE_VAL) continue;
        least = values[i];
        *level = from + (to - from) * i / STEPS;
    }
    return measure(m, *level, girth);
}

// ---------------------------------------------------------------------------------------------
// Landmarks

static WeftResult find_middle(WfMeasuring* m) {
    double sum = 0, sum_z = 0;
    int count = 0;
    for (double part = 0.5; part < 0.68; part += 0.02) {
        WeftResult result = wf_slice_level(m, part * m->height);
        if (result) return result;
        if (wf_ring_count(m->slicer) == 0) continue;
        const WfRing* largest = wf_ring(m->slicer, 0);
        sum += largest->centre.u;
        sum_z += largest->centre.v;
        count++;
    }
    if (count == 0)
        return wf_fail(m->error, WEFT_ERROR_INPUT,
                       "the body has no trunk: nothing is at half its "
                       "height");
    m->middle = sum / count;
    m->middle_z = sum_z / count;
    return WEFT_OK;
}

// The last of the heights that have two legs, in the highest run of some of them.
static WeftResult find_crotch(WfMeasuring* m) {
    const double step = 0.005 * m->height;
    double top = 0, found_top = 0;
    int run = 0;
    for (double level = 0.12 * m->height; level < 0.6 * m->height; level += step) {
        WfRing legs[2];
        bool found;
        WeftResult result = slice_legs(m, level, legs, &found);
        if (result) return result;
        run = found ? run + 1 : 0;
        if (found) top = level;
        if (run >= 6) found_top = top;
    }
    if (!(found_top > 0))
        return wf_fail(m->error, WEFT_ERROR_INPUT,
                       "the legs cannot be told apart: no height has two loops, one on each side "
                       "(does the body stand, y up, facing +z?)");
    if (found_top < 0.3 * m->height)
        return wf_fail(m->error, WEFT_ERROR_INPUT,
                       "the legs cannot be told apart: they run together at %.2f of the height",
                       found_top / m->height);
    double high = found_top + step;
    for (int i = 0; i < 8; i++) {
        WfRing legs[2];
        bool found;
        WeftResult result = slice_legs(m, (found_top + high) / 2, legs, &found);
        if (result) return result;
        *(found ? &found_top : &high) = (found_top + high) / 2;
    }
    m->out->crotch_height = found_top;
    return WEFT_OK;
}

static WeftResult measure_legs(WfMeasuring* m) {
    WeftMeasures* out = m->out;
    double crotch = out->crotch_height;
    WeftResult result = leg_girth(m, crotch - 0.015 * m->height, &out->thigh);
    out->knee_height = 0.6 * crotch;  // the middle of the kneecap
    if (!result) result = leg_girth(m, out->knee_height, &out->knee);
    if (!result)
        result = find_extreme(m, leg_girth, 0.03 * m->height, 0.14 * m->height, 1,
                              0.055 * m->height, &out->ankle_height, &out->ankle);
    // feet that touch, or shoes: in proportion
    if (!(out->knee > 0)) out->knee = 0.65 * out->thigh;
    if (!(out->ankle > 0)) out->ankle = 0.62 * out->knee;
    return result;
}

// Over the bust: where the trunk is deepest, since its girth grows with the flesh of the arms
// towards the armpits. Where it only becomes deeper, right below them.
static WeftResult measure_chest(WfMeasuring* m) {
    WeftMeasures* out = m->out;
    double waist = out->waist_height, top = out->armpit_height - 0.008 * m->height;
    double low = waist + 0.3 * (top - waist), low_depth, top_depth, depth;
    WfRing ring;
    WeftResult result = trunk_depth(m, low, &low_depth);
    if (!result) result = trunk_depth(m, top, &top_depth);
    if (result) return result;
    double usual = top_depth > low_depth ? top : waist + 0.8 * (top - waist);
    result = find_extreme(m, trunk_depth, low, top, -1, usual, &out->chest_height, &depth);
    if (!result) result = wf_slice_trunk(m, out->chest_height, &ring);
    if (result) return result;
    out->chest = ring.girth;
    out->chest_width = ring.high.u - ring.low.u, out->chest_depth = ring.high.v - ring.low.v;
    return WEFT_OK;
}

// The waist is looked for in the middle of the trunk: crotch + 0.35 to 0.75 of the way to the
// armpit; on most bodies it is at 0.56.
static WeftResult measure_trunk(WfMeasuring* m) {
    WeftMeasures* out = m->out;
    double crotch = out->crotch_height, armpit = out->armpit_height, trunk = armpit - crotch;
    WfRing ring;
    WeftResult result = find_extreme(m, trunk_girth, crotch + 0.35 * trunk, crotch + 0.75 * trunk,
                                     1, crotch + 0.56 * trunk, &out->waist_height, &out->waist);
    if (!result) result = wf_slice_trunk(m, out->waist_height, &ring);
    if (result) return result;
    out->waist_width = ring.high.u - ring.low.u, out->waist_depth = ring.high.v - ring.low.v;
    out->centre[0] = ring.centre.u, out->centre[1] = ring.centre.v;

    double waist = out->waist_height;
    result = find_extreme(m, trunk_girth, crotch + 0.002 * m->height, waist, -1,
                          crotch + 0.25 * trunk, &out->hip_height, &out->hips);
    if (!result) result = wf_slice_trunk(m, out->hip_height, &ring);
    if (result) return result;
    out->hip_width = ring.high.u - ring.low.u, out->hip_depth = ring.high.v - ring.low.v;
    return measure_chest(m);
}

// The neck leans forward, and a tape around it is lower in front: the smallest of some tilts, up
// to 30 degrees, through the middle of the level ring.
static WeftResult tilt_neck(WfMeasuring* m, const WfRing* level_ring) {
    WeftMeasures* out = m->out;
    for (int degrees = 5; degrees <= 30; degrees += 5) {
        double sine, cosine;
        wf_sine_cosine(degrees * (WF_PI / 180), &sine, &cosine);
        WfVec origin = {level_ring->centre.u, m->floor + out->neck_height, level_ring->centre.v};
        WfPlane plane = {origin, {1, 0, 0}, {0, -sine, cosine}};
        WeftResult result = wf_slice(m->slicer, &plane, m->error);
        if (result) return result;
        for (int i = 0; i < wf_ring_count(m->slicer); i++) {
            const WfRing* ring = wf_ring(m->slicer, i);
            bool around =
                ring->low.u < 0 && ring->high.u > 0 && ring->low.v < 0 && ring->high.v > 0;
            bool of_a_size = ring->area > 0.6 * level_ring->area;
            if (around && of_a_size) out->neck = fmin(out->neck, ring->girth);
        }
    }
    return WEFT_OK;
}

// Without a head, or with hair over all of it, in proportion to the chest.
static WeftResult measure_neck(WfMeasuring* m) {
    WeftMeasures* out = m->out;
    WfRing ring;
    double low = out->shoulder_height + 0.005 * m->height, high = (low + m->height) / 2;
    WeftResult result = find_extreme(m, trunk_girth, low, high, 1, low + 0.35 * (high - low),
                                     &out->neck_height, &out->neck);
    if (!result) result = wf_slice_trunk(m, out->neck_height, &ring);
    if (result) return result;
    if (out->neck > 0 && out->neck < 0.7 * out->chest) return tilt_neck(m, &ring);
    out->neck = 0.36 * out->chest;
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// The body

// Units that heights of bodies come in, and what they are in metres.
static WeftResult refuse_unit(double height, WeftError* error) {
    static const struct {
        const char* name;
        double metres;
    } units[] = {{"centimetres", 0.01},
                 {"millimetres", 0.001},
                 {"inches", 0.0254},
                 {"feet", 0.3048},
                 {"decimetres", 0.1}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        double meant = height * units[i].metres;
        if (meant > 0.9 && meant < 2.3)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "the body is %.4g m high: it is probably in %s; scale it by %g", height,
                           units[i].name, units[i].metres);
    }
    for (double scale = 10; scale <= 1e6; scale *= 10)
        if (height * scale > 0.9 && height * scale < 2.3)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "the body is %.4g m high: metres were probably taken for %s; scale it "
                           "by %g",
                           height,
                           scale == 100    ? "centimetres"
                           : scale == 1000 ? "millimetres"
                                           : "another unit",
                           scale);
    return wf_fail(error, WEFT_ERROR_INPUT, "the body is %.4g m high: no body is", height);
}

static WeftResult check_body(const double* positions, int vertex_count, const int* triangles,
                             int triangle_count, WeftError* error) {
    if (vertex_count < 4 || triangle_count < 4)
        return wf_fail(error, WEFT_ERROR_INPUT, "the body has no triangles to be measured");
    for (long i = 0; i < 3L * vertex_count; i++)
        if (!isfinite(positions[i]) || fabs(positions[i]) > 1e9)
            return wf_fail(error, WEFT_ERROR_INPUT, "vertex %ld of the body is nowhere", i / 3);
    for (long i = 0; i < 3L * triangle_count; i++)
        if (triangles[i] < 0 || triangles[i] >= vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "triangle %ld of the body has vertex %d, of %d",
                           i / 3, triangles[i], vertex_count);
    return WEFT_OK;
}

// Between the vertices that triangles use.
static void find_height(WfMeasuring* m, const int* triangles, int triangle_count) {
    double low = INFINITY, high = -INFINITY;
    for (long i = 0; i < 3L * triangle_count; i++) {
        double y = m->positions[3 * (long)triangles[i] + 1];
        low = fmin(low, y);
        high = fmax(high, y);
    }
    m->floor = low;
    m->height = high - low;
}

WeftResult weft_measure_body(const double* positions, int vertex_count, const int* triangles,
                             int triangle_count, const WeftAllocator* allocator,
                             WeftMeasures* measures, WeftError* error) {
    WfMeasuring m = {.positions = positions, .vertex_count = vertex_count, .error = error};
    WeftMeasures out = {0};
    m.out = &out;
    WeftResult result = check_body(positions, vertex_count, triangles, triangle_count, error);
    if (result) return result;
    find_height(&m, triangles, triangle_count);
    if (!(m.height > 0.3 && m.height < 3)) return refuse_unit(m.height, error);
    out.floor = m.floor;
    out.height = m.height;
    result = wf_create_slicer(positions, vertex_count, triangles, triangle_count, 0.01 * m.height,
                              allocator, &m.slicer, error);
    if (!result) result = find_middle(&m);
    if (!result) result = find_crotch(&m);
    if (!result) result = wf_measure_arms(&m);
    if (!result) result = measure_trunk(&m);
    if (!result) result = measure_neck(&m);
    if (!result) result = measure_legs(&m);
    if (!result) *measures = out;
    wf_destroy_slicer(m.slicer);
    return result;
}
