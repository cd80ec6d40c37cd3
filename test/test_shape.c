// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the shapes of bodies: tapered capsules against balls along their axis, hulls of anything
// (convex, closed, around all points), distance fields against the sphere that they sample.

#include "contact/body.h"
#include "contact/hull.h"
#include "contact/impact.h"
#include "contact/near.h"

#include "contact_test.h"
#include "counting.h"
#include "touch.h"

static WfBody make(const WeftBodyDef* def) {
    WfBody body = {0};
    WeftAllocator allocator = wf_allocator(NULL);
    WeftError error = {0};
    if (wf_body_check(def, &error)) printf("%s\n", error.message);
    CHECK(wf_body_check(def, NULL) == WEFT_OK);
    CHECK(wf_body_create(&allocator, def, &body) == WEFT_OK);
    return body;
}

static void unmake(WfBody* body) {
    WeftAllocator allocator = wf_allocator(NULL);
    wf_body_destroy(&allocator, body);
}

static void refused(const WeftBodyDef* def, const char* words) {
    WeftError error = {0};
    CHECK(wf_body_check(def, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, words);
}

// ---------------------------------------------------------------------------------------------
// Tapered capsules

static WeftBodyDef tapered_def(double low, double high, double length) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = WEFT_BODY_TAPERED;
    def.radius = low;
    def.top_radius = high;
    def.length = length;
    return def;
}

// The nearest of many balls.
static double of_balls(const WeftBodyDef* def, WfVec p) {
    enum { BALLS = 20000 };
    double least = HUGE_VAL;
    for (int i = 0; i <= BALLS; i++) {
        double t = (double)i / BALLS, y = (t - 0.5) * def->length;
        double radius = (1 - t) * def->radius + t * def->top_radius;
        least = fmin(least, wf_length((WfVec){p.x, p.y - y, p.z}) - radius);
    }
    return least;
}

static void tapered_distances(void) {
    const double sizes[][3] = {{0.3, 0.1, 0.8}, {0.05, 0.2, 0.5}, {0.2, 0.2, 0.3}, {0.3, 0.1, 0.21},
                               {0.3, 0.1, 0.2}, {0.1, 0.4, 0.2},  {0.2, 0.1, 0}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        WeftBodyDef def = tapered_def(sizes[k][0], sizes[k][1], sizes[k][2]);
        WfBody body = make(&def);
        for (int i = 0; i < 60; i++) {
            WfVec p = random_vec(0.8), n, other;
            double d = wf_body_local_distance(&body, p, &n), h = 1e-6;
            CHECK_NEAR(d, of_balls(&def, p), 1e-8);
            CHECK_NEAR(wf_length(n), 1, 1e-12);
            const WfVec axes[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
            const double slope[3] = {n.x, n.y, n.z};
            for (int c = 0; c < 3 && wf_flat_length(p.x, p.z) > 0.01; c++) {
                double more = wf_body_local_distance(&body, wf_add(p, axes[c]), &other);
                double less = wf_body_local_distance(&body, wf_sub(p, axes[c]), &other);
                CHECK_NEAR((more - less) / (2 * h), slope[c], 1e-4);
            }
        }
        unmake(&body);
    }
}

// What holds of capsules: to rounding, in distances, places that are met, and facets.
static void equal_ends_are_a_capsule(void) {
    WeftBodyDef def = tapered_def(0.2, 0.2, 0.6), plain = def;
    plain.kind = WEFT_BODY_CAPSULE;
    WfBody body = make(&def), capsule = make(&plain);
    for (int i = 0; i < 300; i++) {
        WfVec p = random_vec(1), q = random_vec(1), n, m;
        CHECK_NEAR(wf_body_local_distance(&body, p, &n), wf_body_local_distance(&capsule, p, &m),
                   1e-15);
        CHECK_BELOW(wf_length(wf_sub(n, m)), 1e-14);
        WfVec a = wf_body_meet(&body, p, q, 0.01, &n), b = wf_body_meet(&capsule, p, q, 0.01, &m);
        CHECK_BELOW(wf_length(wf_sub(a, b)), 1e-12);
    }
    CHECK(body.vertex_count == capsule.vertex_count && body.reach == capsule.reach);
    for (int i = 0; i < 3 * body.vertex_count; i++)
        CHECK_NEAR(body.positions[i], capsule.positions[i], 1e-15);
    unmake(&body);
    unmake(&capsule);
}

// Where one end is inside of the other, that is all.
static void a_swallowed_end(void) {
    WeftBodyDef def = tapered_def(0.1, 0.4, 0.3);
    WfBody body = make(&def);
    WfVec n;
    CHECK_NEAR(wf_body_local_distance(&body, (WfVec){1, 0.15, 0}, &n), 0.6, 1e-15);
    CHECK_NEAR(wf_body_local_distance(&body, (WfVec){0, -1, 0}, &n), 0.75, 1e-15);
    CHECK(body.radius == 0.4 && body.ends[0] == body.ends[1]);
    for (int i = 0; i < body.vertex_count; i++)
        CHECK_NEAR(wf_body_local_distance(&body, wf_load(body.positions, i), &n), 0, 1e-14);
    unmake(&body);
}

static void tapered_facets(void) {
    WeftBodyDef def = tapered_def(0.3, 0.1, 0.5);
    WfBody body = make(&def);
    WfVec n;
    double volume = 0;
    CHECK(body.surface.closed);
    for (int i = 0; i < body.vertex_count; i++)
        CHECK_NEAR(wf_body_local_distance(&body, wf_load(body.positions, i), &n), 0, 1e-14);
    for (int t = 0; t < body.surface.triangle_count; t++) {
        const int* v = body.surface.triangles + 3 * t;
        WfVec a = wf_load(body.positions, v[0]), b = wf_load(body.positions, v[1]);
        volume += wf_dot(a, wf_cross(b, wf_load(body.positions, v[2]))) / 6;
    }
    // of the cone between the circles where it begins, and of two caps: heights by sin = 0.4
    double sine = 0.4, cosine = sqrt(1 - sine * sine), low = 0.3 * cosine, high = 0.1 * cosine;
    double height = 0.5 + (0.1 - 0.3) * sine, cone = (low * low + low * high + high * high) / 3;
    double below = 0.3 * (1 + sine), above = 0.1 * (1 - sine);
    double wanted = TOUCH_PI * (cone * height + below * below * (0.3 - below / 3) +
                                above * above * (0.1 - above / 3));
    CHECK_NEAR(volume, wanted, 0.01 * wanted);
    unmake(&body);
}

// The least over a fine grid of places on both.
static double of_places(const WfVec x[4], double taper, int steps) {
    double least = HUGE_VAL;
    for (int i = 0; i <= steps; i++)
        for (int j = 0; j <= steps; j++) {
            double s = (double)i / steps, t = (double)j / steps;
            WfVec p = wf_madd(x[0], s, wf_sub(x[1], x[0]));
            WfVec q = wf_madd(x[2], t, wf_sub(x[3], x[2]));
            least = fmin(least, wf_length(wf_sub(q, p)) - taper * s);
        }
    return least;
}

static void edges_near_a_taper(void) {
    for (int i = 0; i < 200; i++) {
        WfVec x[4];
        double w[2], taper = 2 * random_unit() - 1;
        for (int k = 0; k < 4; k++) x[k] = random_vec(1);
        if (i % 5 == 1) x[3] = x[2];                                    // no edge
        if (i % 5 == 2) x[1] = x[0];                                    // no axis
        if (i % 5 == 3) x[3] = wf_madd(x[2], 0.7, wf_sub(x[1], x[0]));  // parallel
        double found = sqrt(wf_near_edge_tapered(x[0], x[1], taper, x[2], x[3], w)) - taper * w[0];
        double seen = of_places(x, taper, 200);
        CHECK(w[0] >= 0 && w[0] <= 1 && w[1] >= 0 && w[1] <= 1);
        CHECK_BELOW(found, seen + 1e-12);
        CHECK_BELOW(seen - found, 0.02);
        // and without a taper, as edges have it
        double plain = wf_near_edge_tapered(x[0], x[1], 0, x[2], x[3], w);
        CHECK_NEAR(sqrt(plain), sqrt(wf_near_edge_edge(x[0], x[1], x[2], x[3], w)), 1e-7);
    }
}

// Never too late, and not far too early.
static void impacts_of_a_taper(void) {
    int hits = 0;
    for (int i = 0; i < 300; i++) {
        WfVec a[4], b[4];
        double taper = 0.3 * (2 * random_unit() - 1), keep = 0.31, first = 2;
        for (int k = 0; k < 4; k++) a[k] = random_vec(1), b[k] = random_vec(1);
        long looks = WF_MOST_LOOKS;
        if (of_places(a, taper, 40) < keep + 0.05) continue;
        double t = wf_impact_tapered(a, b, taper, keep, 0.001, &looks);
        for (int s = 0; s <= 200 && first > 1; s++) {
            WfVec x[4];
            for (int k = 0; k < 4; k++) x[k] = wf_madd(a[k], s / 200.0, wf_sub(b[k], a[k]));
            double w[2];
            double far = sqrt(wf_near_edge_tapered(x[0], x[1], taper, x[2], x[3], w));
            if (far - taper * w[0] < keep) first = s / 200.0;
        }
        CHECK_BELOW(t, first + 1e-9);
        hits += first <= 1;
        if (first <= 1) CHECK_BELOW(first - t, 0.02);
    }
    CHECK(hits > 20);
}

static void refused_tapers(void) {
    WeftBodyDef def = tapered_def(0.2, 0.1, 0.5);
    def.top_radius = 0;
    refused(&def, "top_radius is 0");
    def = tapered_def(NAN, 0.1, 0.5);
    refused(&def, "radius is");
    def = tapered_def(0.1, 0.1, -1);
    refused(&def, "length is -1");
}

// ---------------------------------------------------------------------------------------------
// Hulls

static WeftBodyDef hull_def(const double* points, int count) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = WEFT_BODY_HULL;
    def.positions = points;
    def.vertex_count = count;
    return def;
}

// Closed, of one piece, convex, and around all points. Returns its volume.
static double check_hull(const double* points, int count, int corners) {
    WeftBodyDef def = hull_def(points, count);
    WfBody body = make(&def);
    const WfSurface* s = &body.surface;
    double volume = 0, size = 2 * body.reach;
    CHECK(s->closed && body.solid && s->piece_count == 1);
    CHECK(body.vertex_count - s->edge_count + s->triangle_count == 2);
    if (corners > 0) CHECK(body.vertex_count == corners);
    for (int t = 0; t < s->triangle_count; t++) {
        const int* v = s->triangles + 3 * t;
        WfVec a = wf_load(body.positions, v[0]), b = wf_load(body.positions, v[1]);
        WfVec c = wf_load(body.positions, v[2]), n = wf_cross(wf_sub(b, a), wf_sub(c, a));
        volume += wf_dot(a, wf_cross(b, c)) / 6;
        CHECK(wf_length(n) > 0);
        n = wf_unit(n);
        for (int i = 0; i < body.vertex_count; i++)
            CHECK_BELOW(wf_dot(n, wf_sub(wf_load(body.positions, i), a)), 1e-9 * size);
        for (int i = 0; i < count; i++)
            CHECK_BELOW(wf_dot(n, wf_sub(wf_load(points, i), a)), 3e-6 * size);
    }
    unmake(&body);
    return volume;
}

static void the_hull_of_a_box(void) {
    double points[3 * 8];
    for (int i = 0; i < 24; i++) points[i] = 0.1 * (i % 3 + 1) * (i / 3 >> i % 3 & 1 ? 1 : -1);
    CHECK_NEAR(check_hull(points, 8, 8), 0.2 * 0.4 * 0.6, 1e-12);
}

static void the_hull_of_a_tetrahedron(void) {
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double turned[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1};
    CHECK_NEAR(check_hull(points, 4, 4), 1.0 / 6, 1e-12);
    CHECK_NEAR(check_hull(turned, 4, 4), 1.0 / 6, 1e-12);
}

// Points in faces, on edges, inside, and each twice. As it stands, and turned, where nothing is in
// a plane any more but for rounding.
static void the_hull_of_a_lattice(void) {
    enum { SIDE = 5, COUNT = 2 * SIDE * SIDE * SIDE };
    double points[3 * COUNT];
    for (int turned = 0; turned < 2; turned++) {
        WfPose pose = {{0.3, -2, 0.7}, {0, 0, 0, 1}};
        const double turn[4] = {0.1, 0.5, -0.7, 0.5};
        if (turned) memcpy(pose.rotation, turn, sizeof turn);
        for (int i = 0; i < COUNT; i++) {
            int k = i / 2;
            WfVec p = {0.1 * (k % SIDE), 0.1 * (k / SIDE % SIDE), 0.1 * (k / SIDE / SIDE)};
            wf_store(points, i, wf_pose_point(&pose, p));
        }
        CHECK_NEAR(check_hull(points, COUNT, turned ? 0 : 8), 0.064, 1e-6);
    }
}

static void the_hull_of_a_ball(void) {
    int count = test_slow() ? 1000 : 300;
    double* points = calloc(3 * (size_t)count, sizeof *points);
    for (int i = 0; i < count; i++) {
        WfVec p = wf_unit(random_vec(1));
        wf_store(points, i, wf_mul(i % 4 == 3 ? 0.5 : 1, p));
    }
    double ball = 4 * TOUCH_PI / 3, volume = check_hull(points, count, 0);
    CHECK(volume < ball && volume > 0.9 * ball);
    free(points);
}

// Long and thin, huge, tiny, off the origin; and clouds where many are nearly in a plane.
static void hulls_of_all_sizes(void) {
    enum { COUNT = 40 };
    double points[3 * COUNT];
    static const double scales[][3] = {
        {1, 1, 1}, {1e-3, 1e-3, 1e-3}, {100, 100, 100}, {1, 0.01, 0.01}, {1, 1, 0.001}};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < COUNT; i++) {
                WfVec p = random_vec(1);
                if (round == 3) p.x = floor(3 * p.x) / 3, p.y = floor(3 * p.y) / 3;
                if (round == 4) p.z = i < 4 ? p.z : 1e-7 * p.z;
                wf_store(points, i,
                         (WfVec){scales[k][0] * p.x, scales[k][1] * p.y, scales[k][2] * p.z});
            }
            check_hull(points, COUNT, 0);
        }
}

static void refused_hulls(void) {
    double points[3 * 20];
    for (int i = 0; i < 20; i++) wf_store(points, i, random_vec(1));
    WeftBodyDef def = hull_def(points, 3);
    refused(&def, "4 to 10000 points, not 3");
    def = hull_def(NULL, 20);
    refused(&def, "points, not 0");
    def = hull_def(points, 20);
    points[7] = NAN;
    refused(&def, "point 2 is at");
    for (int i = 0; i < 20; i++) points[3 * i + 1] = 0.3 + 1e-6 * (i % 3);
    refused(&def, "lie in a plane");
    for (int i = 0; i < 20; i++) points[3 * i + 2] = 2 * points[3 * i];
    refused(&def, "lie on a line");
    for (int i = 0; i < 60; i++) points[i] = 0.5;
    refused(&def, "lie at one place");
}

// ---------------------------------------------------------------------------------------------
// Distance fields

enum { FIELD_SIDE = 41 };
static const double FIELD_CELL = 0.02, FIELD_RADIUS = 0.25;

static double ball_function(void* user, const double p[3], double gradient[3]) {
    double radius = *(const double*)user, far = wf_length(wf_load(p, 0));
    for (int k = 0; k < 3; k++) gradient[k] = far > 0 ? p[k] / far : 0;
    return far - radius;
}

static WeftBodyDef field_def(float* values, double* radius) {
    WeftBodyDef def = weft_default_body_def();
    def.kind = WEFT_BODY_DISTANCE;
    def.distance.cell = FIELD_CELL;
    for (int k = 0; k < 3; k++) {
        def.distance.counts[k] = FIELD_SIDE;
        def.distance.origin[k] = -FIELD_CELL * (FIELD_SIDE - 1) / 2;
    }
    def.distance.values = values;
    if (!values) def.distance.distance = ball_function, def.distance.user = radius;
    for (int i = 0; values && i < FIELD_SIDE * FIELD_SIDE * FIELD_SIDE; i++) {
        const int at[3] = {i % FIELD_SIDE, i / FIELD_SIDE % FIELD_SIDE,
                           i / FIELD_SIDE / FIELD_SIDE};
        double p[3], unused[3];
        for (int k = 0; k < 3; k++) p[k] = def.distance.origin[k] + FIELD_CELL * at[k];
        values[i] = (float)ball_function(radius, p, unused);
    }
    return def;
}

// Linear between samples, a distance whose second derivative is 1/r is off by less than 3/8 of a
// cell squared over r, if it is further than a cell from the centre; floats apart.
static void a_field_of_a_ball(void) {
    static float values[FIELD_SIDE * FIELD_SIDE * FIELD_SIDE];
    double radius = FIELD_RADIUS, edge = FIELD_CELL * (FIELD_SIDE - 1) / 2;
    for (int grid = 0; grid < 2; grid++) {
        WeftBodyDef def = field_def(grid ? values : NULL, &radius);
        WfBody body = make(&def);
        for (int i = 0; i < 2000; i++) {
            WfVec p = random_vec(0.6), n;
            double far = wf_length(p), d = wf_body_local_distance(&body, p, &n);
            double off = grid ? 0.375 * FIELD_CELL * FIELD_CELL / fmax(far - FIELD_CELL, 1e-3) : 0;
            bool within = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) < edge;
            CHECK_NEAR(wf_length(n), 1, 1e-12);
            if (far < 3 * FIELD_CELL) continue;
            CHECK_BELOW(d, far - radius + off + 1e-6);  // never too much
            if (within) CHECK_NEAR(d, far - radius, off + 1e-6);
            if (within && grid) CHECK(wf_dot(n, p) > (1 - FIELD_CELL / far) * far);
            if (!within) CHECK(d > 0);
        }
        for (int i = 0; i < body.vertex_count; i++) {
            double far = wf_length(wf_load(body.positions, i));
            CHECK_NEAR(far, radius, grid ? 0.375 * FIELD_CELL * FIELD_CELL / radius : 1e-9);
        }
        CHECK(body.surface.closed && body.vertex_count > 500);
        CHECK(body.reach >= radius && body.reach < 0.7);
        unmake(&body);
    }
}

// As the ball is met, wherever ways come from.
static void ways_meet_a_field(void) {
    double radius = FIELD_RADIUS;
    WeftBodyDef def = field_def(NULL, &radius), ball = weft_default_body_def();
    WfBody body = make(&def), exact = make(&ball);
    int met = 0;
    for (int i = 0; i < 500; i++) {
        WfVec a = random_vec(1.5), b = random_vec(1.5), n, m;
        double keep = 0.001 + 0.05 * random_unit();
        if (wf_body_local_distance(&exact, a, &m) < 2 * keep) continue;
        WfVec found = wf_body_meet(&body, a, b, keep, &n);
        WfVec wanted = wf_body_meet(&exact, a, b, keep, &m);
        double graze = fabs(wf_dot(m, wf_unit(wf_sub(b, a))));
        bool hits = wf_length(wf_sub(wanted, b)) > 0;
        CHECK(wf_body_local_distance(&exact, found, &m) > keep - 1e-6);
        if (hits && graze < 0.2) continue;  // where it only just comes near
        CHECK_BELOW(wf_length(wf_sub(found, wanted)), 1e-5);
        met += hits;
    }
    CHECK(met > 20);
    unmake(&body);
    unmake(&exact);
}

// What fills its grid ends with it.
static void a_field_without_an_end(void) {
    float values[4 * 4 * 4];
    for (int i = 0; i < 64; i++) values[i] = (float)(0.1 * (i / 4 % 4) - 0.25);  // below y
    WeftBodyDef def = weft_default_body_def();
    def.kind = WEFT_BODY_DISTANCE;
    def.distance = (WeftDistanceDef){.cell = 0.1, .counts = {4, 4, 4}, .values = values};
    WfBody body = make(&def);
    WfVec n;
    CHECK_NEAR(wf_body_local_distance(&body, (WfVec){0.15, 0.2, 0.15}, &n), -0.05, 1e-7);
    CHECK_NEAR(n.y, 1, 1e-7);
    CHECK_NEAR(wf_body_local_distance(&body, (WfVec){0.15, 0.02, 0.15}, &n), -0.02, 1e-12);
    CHECK_NEAR(n.y, -1, 1e-12);
    CHECK_NEAR(wf_body_local_distance(&body, (WfVec){-0.03, 0.1, 0.15}, &n), 0.03, 1e-12);
    CHECK_NEAR(n.x, -1, 1e-12);
    CHECK(body.surface.closed && body.high[1] < 0.36);
    unmake(&body);
}

static double no_number(void* user, const double p[3], double gradient[3]) {
    (void)user, (void)gradient;
    return p[0] > 0.1 ? (double)NAN : -1;
}

static double no_inside(void* user, const double p[3], double gradient[3]) {
    (void)user, (void)gradient;
    return 0.1 + fabs(p[1]);
}

static void refused_fields(void) {
    static float values[FIELD_SIDE * FIELD_SIDE * FIELD_SIDE];
    double radius = FIELD_RADIUS;
    WeftBodyDef good = field_def(values, &radius), def = good;
    def.distance.cell = 0;
    refused(&def, "cell is 0");
    def = good, def.distance.counts[1] = 1;
    refused(&def, "counts[1] is 1");
    def = good, def.distance.counts[0] = def.distance.counts[2] = 100000;
    refused(&def, "samples; there must be at most 64000000");
    def = good, def.distance.origin[2] = NAN;
    refused(&def, "its box goes from");
    def = good, def.distance.values = NULL;
    refused(&def, "either values or a function");
    def = good, def.distance.distance = no_number;
    refused(&def, "either values or a function");
    def.distance.values = NULL;
    refused(&def, "the function returns nan at");
    def.distance.distance = no_inside;
    refused(&def, "nowhere below 0");
    values[77] = INFINITY;
    refused(&good, "distance 77 is inf");
    for (int i = 0; i < FIELD_SIDE * FIELD_SIDE * FIELD_SIDE; i++) values[i] = 1;
    refused(&good, "no distance is below 0");
}

// ---------------------------------------------------------------------------------------------
// Memory

static void memory_that_fails(void) {
    static float values[FIELD_SIDE * FIELD_SIDE * FIELD_SIDE];
    double points[3 * 30], radius = FIELD_RADIUS;
    for (int i = 0; i < 30; i++) wf_store(points, i, random_vec(1));
    const WeftBodyDef defs[] = {tapered_def(0.2, 0.1, 0.5), hull_def(points, 30),
                                field_def(values, &radius), field_def(NULL, &radius)};
    for (int k = 0; k < 4; k++) {
        WeftResult result = WEFT_ERROR_MEMORY;
        for (long n = 1; result; n++) {
            Counting counting = {.fail_at = n};
            WeftAllocator allocator = counting_allocator(&counting);
            WfBody body;
            result = wf_body_create(&allocator, &defs[k], &body);
            CHECK(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
            if (!result) CHECK(counting.calls < n && n > 3);
            if (!result) wf_body_destroy(&allocator, &body);
            CHECK(counting.live == 0);
        }
    }
}

TEST_MAIN(CASE(tapered_distances), CASE(equal_ends_are_a_capsule), CASE(a_swallowed_end),
          CASE(tapered_facets), CASE(edges_near_a_taper), CASE(impacts_of_a_taper),
          CASE(refused_tapers), CASE(the_hull_of_a_box), CASE(the_hull_of_a_tetrahedron),
          CASE(the_hull_of_a_lattice), CASE(the_hull_of_a_ball), CASE(hulls_of_all_sizes),
          CASE(refused_hulls), CASE(a_field_of_a_ball), CASE(ways_meet_a_field),
          CASE(a_field_without_an_end), CASE(refused_fields), CASE(memory_that_fails))
