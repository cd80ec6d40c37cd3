// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Point by point: all faces that see a new one go, and their rim is joined with it.
//
//           o p                 Faces see p where it is before them. Those that do lie together,
//           and
//         / | \                 their rim is one loop, provided that no two answers contradict each
//        /__|__\   rim          other. With rounded numbers they do, for points that lie in a plane
//       /_______\               or on each other: so points are put on a grid of a million places
//                               along each axis, where a volume is a whole number of 63 bits.
//
// Who lies in the plane of a face does not see it. Then no face without area is ever made: were p
// in line with an edge of the rim, it would be in the plane of the face that goes. The next point
// is the one furthest before a face, of several the last by its coordinates: that is a corner of
// the hull, and all others of a side with many points find themselves in its plane, or in line.

#include "contact/hull.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static const double GRID = 1 << 20;  // places along an axis
static const double FLAT = 1e-4;     // of the size: thinner has no inside

typedef struct Spot {
    int64_t x, y, z;
} Spot;

typedef struct Face {
    int corners[3];
    int beside[3];  // the face across the edge that starts at each corner
    bool sees;      // the point that is added
    bool gone;
    bool done;  // no point sees it
} Face;

typedef struct Rim {
    int from, to;  // corners
    int outer;     // the face that stays there
} Rim;

typedef struct Hull {
    int count, face_count;
    Spot* spots;
    Face* faces;
    int *seen, seen_count;  // faces that see the point
    Rim* rim;
    int rim_count;
    int* fan;  // per point of the rim: the new face whose edge of the rim starts there
    int* map;  // per point: its number as a corner, or -1
} Hull;

// ---------------------------------------------------------------------------------------------
// Whether there is anything to enclose

static double square_off(WfVec p, WfVec a, WfVec b, WfVec c, int dimension) {
    WfVec off = wf_sub(p, a), n = wf_cross(wf_sub(b, a), wf_sub(c, a));
    if (dimension == 1) off = wf_cross(off, wf_unit(wf_sub(b, a)));
    if (dimension == 2) off = wf_along(wf_unit(n), off);
    return wf_dot(off, off);
}

// 0: all points at one place, 1: on a line, 2: in a plane, 3: none of them. Each time the point
// furthest from what the ones before it span.
static int find_dimension(const double* points, int count) {
    int corners[4] = {0};
    double size = 0;
    for (int d = 0; d < 3; d++) {
        WfVec a = wf_load(points, corners[0]), b = wf_load(points, corners[1]);
        WfVec c = wf_load(points, corners[2]);
        double most = -1;
        for (int i = 0; i < count; i++) {
            double square = square_off(wf_load(points, i), a, b, c, d);
            if (square > most) {
                most = square;
                corners[d + 1] = i;
            }
        }
        if (d == 0) size = sqrt(most);
        if (!(sqrt(most) > FLAT * size)) return d;
    }
    return 3;
}

WeftResult wf_hull_check(const double* points, int count, WeftError* error) {
    static const char* const flats[3] = {"at one place", "on a line", "in a plane"};
    if (count < 4 || count > WF_MOST_HULL_POINTS || !points)
        return wf_fail(error, WEFT_ERROR_INPUT, "a hull needs 4 to %d points, not %d",
                       WF_MOST_HULL_POINTS, points ? count : 0);
    for (long i = 0; i < 3L * count; i++)
        if (!(fabs(points[i]) < 1e6))
            return wf_fail(error, WEFT_ERROR_INPUT, "point %ld is at %g; it must be within 1e6 m",
                           i / 3, points[i]);
    int dimension = find_dimension(points, count);
    if (dimension < 3)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "its %d points lie %s; a hull needs a ten thousandth of its size in every "
                       "direction",
                       count, flats[dimension]);
    return WEFT_OK;
}

// ---------------------------------------------------------------------------------------------
// On the grid

static Spot apart(Spot a, Spot b) { return (Spot){a.x - b.x, a.y - b.y, a.z - b.z}; }

// Six times the volume of a, b, c and p: above 0 where p is before the face, to which a, b and c
// are counter-clockwise. Each of the three products has less than 62 bits.
static int64_t volume(const Hull* h, const int corners[3], int point) {
    Spot a = h->spots[corners[0]], p = apart(h->spots[point], a);
    Spot b = apart(h->spots[corners[1]], a), c = apart(h->spots[corners[2]], a);
    return p.x * (b.y * c.z - b.z * c.y) + p.y * (b.z * c.x - b.x * c.z) +
           p.z * (b.x * c.y - b.y * c.x);
}

static void find_box(const double* points, int count, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (long i = 0; i < 3L * count; i++) {
        low[i % 3] = fmin(low[i % 3], points[i]);
        high[i % 3] = fmax(high[i % 3], points[i]);
    }
}

static void put_on_grid(Hull* h, const double* points, const double low[3], const double high[3]) {
    for (int i = 0; i < h->count; i++) {
        int64_t at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (int64_t)floor((points[3 * (long)i + k] - low[k]) / (high[k] - low[k]) * GRID +
                                   0.5);
        h->spots[i] = (Spot){at[0], at[1], at[2]};
    }
}

static bool comes_later(Spot a, Spot b) {
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

// The corner of the hull that is furthest along n, as seen from `from`; how far, times |n|.
static int furthest(const Hull* h, Spot from, Spot n, int64_t* far) {
    int best = 0;
    *far = INT64_MIN;
    for (int i = 0; i < h->count; i++) {
        Spot p = apart(h->spots[i], from);
        int64_t height = p.x * n.x + p.y * n.y + p.z * n.z;
        if (height < *far || (height == *far && !comes_later(h->spots[i], h->spots[best])))
            continue;
        *far = height;
        best = i;
    }
    return best;
}

static Spot normal_of(Spot a, Spot b) {
    return (Spot){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The furthest one to either side.
static int furthest_off(const Hull* h, Spot from, Spot n, int64_t* far) {
    int64_t ahead, behind;
    int a = furthest(h, from, n, &ahead);
    int b = furthest(h, from, (Spot){-n.x, -n.y, -n.z}, &behind);
    *far = ahead > behind ? ahead : behind;
    return ahead > behind ? a : b;
}

// Four corners that are not in a plane.
static void find_simplex(const Hull* h, int corners[4]) {
    static const Spot axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int64_t far, most = 0;
    corners[0] = corners[1] = corners[2] = 0;
    for (int i = 0; i < h->count; i++) {
        if (comes_later(h->spots[i], h->spots[corners[1]])) corners[1] = i;
        if (comes_later(h->spots[corners[0]], h->spots[i])) corners[0] = i;
    }
    Spot from = h->spots[corners[0]], along = apart(h->spots[corners[1]], from);
    for (int k = 0; k < 3; k++) {
        int corner = furthest_off(h, from, normal_of(along, axes[k]), &far);
        if (far <= most) continue;
        most = far;
        corners[2] = corner;
    }
    corners[3] = furthest_off(h, from, normal_of(along, apart(h->spots[corners[2]], from)), &far);
}

// ---------------------------------------------------------------------------------------------
// Faces

static void begin(Hull* h, const int corners[4]) {
    static const int sides[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    int c[4] = {corners[0], corners[1], corners[2], corners[3]};
    if (volume(h, c, c[3]) > 0) {  // the last one is behind the first face
        c[1] = corners[2];
        c[2] = corners[1];
    }
    for (int f = 0; f < 4; f++) {
        Face* face = &h->faces[h->face_count++];
        *face = (Face){.gone = false};
        for (int k = 0; k < 3; k++) {
            face->corners[k] = c[sides[f][k]];
            face->beside[k] = beside[f][k];
        }
    }
}

// The point furthest before a face, or -1.
static int point_before(const Hull* h, const Face* face) {
    Spot a = h->spots[face->corners[0]], b = apart(h->spots[face->corners[1]], a);
    int64_t far;
    int point = furthest(h, a, normal_of(b, apart(h->spots[face->corners[2]], a)), &far);
    return far > 0 ? point : -1;
}

// All faces that see a point, from one that does.
static void look(Hull* h, int first, int point) {
    h->seen_count = 1;
    h->seen[0] = first;
    h->faces[first].sees = true;
    for (int at = 0; at < h->seen_count; at++)
        for (int k = 0; k < 3; k++) {
            int next = h->faces[h->seen[at]].beside[k];
            Face* face = &h->faces[next];
            if (face->sees || !(volume(h, face->corners, point) > 0)) continue;
            face->sees = true;
            h->seen[h->seen_count++] = next;
        }
}

static void find_rim(Hull* h) {
    h->rim_count = 0;
    for (int at = 0; at < h->seen_count; at++) {
        const Face* face = &h->faces[h->seen[at]];
        for (int k = 0; k < 3; k++)
            if (!h->faces[face->beside[k]].sees)
                h->rim[h->rim_count++] =
                    (Rim){face->corners[k], face->corners[(k + 1) % 3], face->beside[k]};
    }
}

// The number of a face for the next edge of the rim: of one that is gone, or a new one.
static int take_face(Hull* h) {
    return h->seen_count > 0 ? h->seen[--h->seen_count] : h->face_count++;
}

static void tell_outer(Face* outer, int from, int face) {
    for (int k = 0; k < 3; k++)
        if (outer->corners[(k + 1) % 3] == from) outer->beside[k] = face;
}

static void join_rim(Hull* h, int point) {
    for (int at = 0; at < h->seen_count; at++) {
        h->faces[h->seen[at]].gone = true;
        h->faces[h->seen[at]].sees = false;
    }
    for (int r = 0; r < h->rim_count; r++) {
        const Rim* rim = &h->rim[r];
        int f = take_face(h);
        h->faces[f] = (Face){.corners = {rim->from, rim->to, point}, .beside = {rim->outer}};
        tell_outer(&h->faces[rim->outer], rim->from, f);
        h->fan[rim->from] = f;
    }
    for (int r = 0; r < h->rim_count; r++) {
        int f = h->fan[h->rim[r].from], next = h->fan[h->rim[r].to];
        h->faces[f].beside[1] = next;
        h->faces[next].beside[2] = f;
    }
}

// ---------------------------------------------------------------------------------------------

static bool allocate(const WeftAllocator* allocator, Hull* h) {
    size_t n = (size_t)h->count;
    h->spots = wf_alloc(allocator, n, sizeof *h->spots);
    h->faces = wf_alloc(allocator, 4 * n, sizeof *h->faces);
    h->seen = wf_alloc(allocator, 4 * n, sizeof *h->seen);
    h->rim = wf_alloc(allocator, 4 * n, sizeof *h->rim);
    h->fan = wf_alloc(allocator, n, sizeof *h->fan);
    h->map = wf_alloc(allocator, n, sizeof *h->map);
    return h->spots && h->faces && h->seen && h->rim && h->fan && h->map;
}

static void release(const WeftAllocator* allocator, Hull* h) {
    wf_free(allocator, h->spots);
    wf_free(allocator, h->faces);
    wf_free(allocator, h->seen);
    wf_free(allocator, h->rim);
    wf_free(allocator, h->fan);
    wf_free(allocator, h->map);
}

static WeftResult emit(const WeftAllocator* allocator, Hull* h, const double low[3],
                       const double high[3], WfShape* shape) {
    int corners = 0, faces = 0;
    for (int i = 0; i < h->count; i++) h->map[i] = -1;
    for (int f = 0; f < h->face_count; f++)
        for (int k = 0; k < 3 && !h->faces[f].gone; k++) h->map[h->faces[f].corners[k]] = 0;
    for (int f = 0; f < h->face_count; f++) faces += !h->faces[f].gone;
    for (int i = 0; i < h->count; i++)
        if (h->map[i] == 0) h->map[i] = corners++;
    if (!wf_shape_allocate(allocator, corners, faces, shape)) return WEFT_ERROR_MEMORY;
    for (int i = 0; i < h->count; i++) {
        Spot s = h->spots[i];
        if (h->map[i] < 0) continue;
        const double part[3] = {(double)s.x / GRID, (double)s.y / GRID, (double)s.z / GRID};
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = (1 - part[k]) * low[k] + part[k] * high[k];
        wf_shape_add_vertex(shape, wf_load(x, 0));
    }
    for (int f = 0; f < h->face_count; f++) {
        const int* c = h->faces[f].corners;
        if (!h->faces[f].gone)
            wf_shape_add_triangle(shape, h->map[c[0]], h->map[c[1]], h->map[c[2]]);
    }
    return WEFT_OK;
}

static void enclose(Hull* h) {
    int corners[4];
    find_simplex(h, corners);
    begin(h, corners);
    for (int f = 0; f < h->face_count; f++) {
        Face* face = &h->faces[f];
        if (face->gone || face->done) continue;
        int point = point_before(h, face);
        face->done = point < 0;
        if (face->done) continue;
        look(h, f, point);
        find_rim(h);
        join_rim(h, point);
        f = -1;  // new faces take the places of old ones
    }
}

WeftResult wf_hull_shape(const WeftAllocator* allocator, const double* points, int count,
                         WfShape* shape) {
    Hull hull = {.count = count};
    double low[3], high[3];
    WeftResult result = WEFT_ERROR_MEMORY;
    if (allocate(allocator, &hull)) {
        find_box(points, count, low, high);
        put_on_grid(&hull, points, low, high);
        enclose(&hull);
        result = emit(allocator, &hull, low, high, shape);
    }
    release(allocator, &hull);
    return result;
}
