// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Lathes: bodies that a line of points [r, y] makes when it is turned about the y axis.
//
//       y
//       o            a point on the axis (r = 0) becomes one vertex, any other a ring of them:
//       |\           only the ends of the line may lie on the axis
//       | o
//       |  \         closed where both ends lie on the axis, or where the line itself is closed;
//       o---o  r     then the triangles face outwards, whichever way the line goes
//
// A profile that changes over time has several such lines, of equal length.

#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "io/scene_parts.h"

enum { MOST_VERTICES = 1000000 };  // in all keys together

// ---------------------------------------------------------------------------------------------
// Reading: [[r, y], ...], or {"keys": [[time, [r, y], ...], ...]}

// `point` of key `key`; r of the same point is zero in all keys, or in none.
static WeftResult read_point(WfSceneReader* reader, const WfSceneNode* node, WfProfile* profile,
                             int key, int point) {
    double* first = profile->points + 2 * point;
    double* place = first + 2 * (size_t)key * (size_t)profile->point_count;
    WeftResult result = wf_scene_numbers(reader, node, 2, place);
    if (result) return result;
    bool end = point == 0 || point == profile->point_count - 1;
    if (!(place[0] >= 0))
        return wf_scene_fail(reader, node, "r must be 0 or more m, not %g", place[0]);
    if (place[0] == 0 && !end)
        return wf_scene_fail(reader, node, "only the ends of a profile may lie on the axis");
    if ((place[0] == 0) != (first[0] == 0))
        return wf_scene_fail(reader, node,
                             "a point of a profile lies on the axis at all times, or never");
    return WEFT_OK;
}

// The points from item `start` of a list on.
static WeftResult read_line(WfSceneReader* reader, const WfSceneNode* node, size_t start,
                            WfProfile* profile, int key) {
    int count = (int)(json_array_size(node->value) - start);
    if (count != profile->point_count)
        return wf_scene_fail(reader, node, "this profile has %d points, the first one %d", count,
                             profile->point_count);
    WeftResult result = WEFT_OK;
    for (int i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, start + (size_t)i);
        result = read_point(reader, &item, profile, key, i);
    }
    return result;
}

static WeftResult make_room(WfSceneReader* reader, const WfSceneNode* node, size_t keys,
                            size_t points, WfProfile* profile) {
    if (points < 2) return wf_scene_fail(reader, node, "a profile needs two points at least");
    if (points > MOST_VERTICES || keys > MOST_VERTICES / points)
        return wf_scene_fail(reader, node, "this profile has too many points");
    profile->times = wf_alloc(&reader->scene->allocator, keys, sizeof(double));
    profile->points = wf_alloc(&reader->scene->allocator, keys * points, 2 * sizeof(double));
    if (!profile->times || !profile->points) return wf_fail_memory(reader->error);
    profile->key_count = (int)keys;
    profile->point_count = (int)points;
    return WEFT_OK;
}

static WeftResult read_key(WfSceneReader* reader, const WfSceneNode* node, WfProfile* profile,
                           int key) {
    static const WfSceneKey any = {.low = -HUGE_VAL, .high = HUGE_VAL};
    WfSceneNode time = wf_scene_item(node, 0);
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (!result && !time.value)
        result = wf_scene_fail(reader, node, "a key must be a list: the time, then the points");
    if (!result) result = wf_scene_number(reader, &time, &any, &profile->times[key]);
    if (!result && key > 0 && !(profile->times[key] > profile->times[key - 1]))
        result = wf_scene_fail(reader, node, "time %g does not come after %g, the time before it",
                               profile->times[key], profile->times[key - 1]);
    return result ? result : read_line(reader, node, 1, profile, key);
}

static WeftResult read_keys(WfSceneReader* reader, const WfSceneNode* node, void* target) {
    WfProfile* profile = target;
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (result) return result;
    size_t count = json_array_size(node->value);
    if (count == 0) return wf_scene_fail(reader, node, "\"keys\" must hold one key at least");
    WfSceneNode first = wf_scene_item(node, 0);
    size_t items = json_array_size(first.value);
    result = make_room(reader, &first, count, items > 0 ? items - 1 : 0, profile);
    for (size_t i = 0; i < count && !result; i++) {
        WfSceneNode item = wf_scene_item(node, i);
        result = read_key(reader, &item, profile, (int)i);
    }
    return result;
}

WeftResult wf_scene_read_profile(WfSceneReader* reader, const WfSceneNode* node,
                                 WfProfile* profile) {
    static const WfSceneKey keys[] = {WF_ROW_REQUIRED("keys", read_keys)};
    static const WfSceneTable table = {
        .name = "track", .key_count = 1, .keys = keys, .target_size = sizeof(WfProfile)};
    if (json_is_object(node->value)) return wf_scene_read(reader, node, &table, profile);
    WeftResult result = wf_scene_expect(reader, node, JSON_ARRAY);
    if (!result) result = make_room(reader, node, 1, json_array_size(node->value), profile);
    return result ? result : read_line(reader, node, 0, profile, 0);
}

void wf_free_profile(const WeftAllocator* allocator, WfProfile* profile) {
    wf_free(allocator, profile->times);
    wf_free(allocator, profile->points);
}

// ---------------------------------------------------------------------------------------------
// Turning

static bool on_axis(const WfProfile* profile, int point) { return profile->points[2 * point] == 0; }

// The vertices of one key, point after point.
static void place_vertices(const WfProfile* profile, int key, int segments, double* positions) {
    const double* line = profile->points + 2 * (size_t)key * (size_t)profile->point_count;
    int vertex = 0;
    for (int i = 0; i < profile->point_count; i++) {
        int count = on_axis(profile, i) ? 1 : segments;
        for (int k = 0; k < count; k++) {
            double s, c, r = line[2 * i];
            wf_sine_cosine(2 * WF_PI * k / segments, &s, &c);
            wf_store(positions, vertex++, (WfVec){r * c, line[2 * i + 1], 0 - r * s});
        }
    }
}

typedef struct Corners {
    int* triangles;
    int count;      // corners so far
    bool backward;  // the line goes down outside: turn every triangle round
} Corners;

static void add_triangle(Corners* corners, int a, int b, int c) {
    corners->triangles[corners->count++] = a;
    corners->triangles[corners->count++] = corners->backward ? c : b;
    corners->triangles[corners->count++] = corners->backward ? b : c;
}

// Between two points whose vertices begin at `low` and `high`, counter-clockwise from outside where
// the line goes up.
static void add_band(Corners* corners, int low, bool low_ring, int high, bool high_ring,
                     int segments) {
    for (int k = 0; k < segments; k++) {
        int next = (k + 1) % segments;
        int a = low + (low_ring ? k : 0), b = low + (low_ring ? next : 0);
        int c = high + (high_ring ? next : 0), d = high + (high_ring ? k : 0);
        if (low_ring) add_triangle(corners, a, b, c);
        if (high_ring) add_triangle(corners, a, c, d);
    }
}

static void add_bands(const WfProfile* profile, bool closed, int segments, Corners* corners) {
    int low = 0;
    for (int i = 0; i + 1 < profile->point_count + closed; i++) {
        int next = (i + 1) % profile->point_count;
        bool low_ring = !on_axis(profile, i), high_ring = !on_axis(profile, next);
        int high = next == 0 ? 0 : low + (low_ring ? segments : 1);
        add_band(corners, low, low_ring, high, high_ring, segments);
        low = high;
    }
}

// Whether a closed profile goes round its inside the wrong way: by the volume between it and the
// axis.
static bool goes_backward(const WfProfile* profile) {
    double volume = 0;
    for (int i = 0; i < profile->point_count; i++) {
        const double* p = profile->points + 2 * i;
        const double* q = profile->points + 2 * ((i + 1) % profile->point_count);
        volume += (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]) * (q[1] - p[1]);
    }
    return volume < 0;
}

static WeftResult make_shape(const WfProfile* profile, int segments, int vertex_count,
                             const WeftAllocator* allocator, WeftShapeTrack* shape,
                             WeftError* error) {
    size_t keys = (size_t)profile->key_count, numbers = 3 * (size_t)vertex_count;
    shape->times = wf_alloc(allocator, keys, sizeof(double));
    shape->positions = wf_alloc(allocator, keys * numbers, sizeof(double));
    if (!shape->times || !shape->positions) return wf_fail_memory(error);
    shape->key_count = profile->key_count;
    memcpy(shape->times, profile->times, keys * sizeof(double));
    for (int key = 0; key < profile->key_count; key++)
        place_vertices(profile, key, segments, shape->positions + (size_t)key * numbers);
    return WEFT_OK;
}

WeftResult wf_make_lathe(const WfProfile* profile, bool closed, int segments,
                         const WeftAllocator* allocator, WeftMesh* mesh, WeftShapeTrack* shape,
                         WeftError* error) {
    int last = profile->point_count - 1;
    int ends = on_axis(profile, 0) + on_axis(profile, last);
    int rings = profile->point_count - ends, bands = last + closed;
    if (rings == 0) return wf_fail(error, WEFT_ERROR_INPUT, "this profile has no width");
    if (closed && ends > 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "a closed profile must stay off the axis");
    if (rings > MOST_VERTICES / segments / profile->key_count)
        return wf_fail(error, WEFT_ERROR_INPUT, "this lathe has too many vertices");

    *mesh = (WeftMesh){.vertex_count = rings * segments + ends,
                       .triangle_count = (2 * bands - ends) * segments,
                       .allocator = *allocator};
    mesh->positions = wf_alloc(allocator, (size_t)mesh->vertex_count, 3 * sizeof(double));
    mesh->triangles = wf_alloc(allocator, (size_t)mesh->triangle_count, 3 * sizeof(int));
    if (!mesh->positions || !mesh->triangles) return wf_fail_memory(error);
    Corners corners = {.triangles = mesh->triangles,
                       .backward = (closed || ends == 2) && goes_backward(profile)};
    add_bands(profile, closed, segments, &corners);
    place_vertices(profile, 0, segments, mesh->positions);
    if (profile->key_count == 1) return WEFT_OK;
    return make_shape(profile, segments, mesh->vertex_count, allocator, shape, error);
}
