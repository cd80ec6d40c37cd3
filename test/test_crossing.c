// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the checker of crossings: exact signs, triangles that touch, overlap or miss by the last
// bit, neighbours, and the search for pairs against trying them all.

#include "audit/pair.h"
#include "audit/side.h"
#include "file_test.h"
#include "weft/weft_io.h"

// the same numbers on every machine
static uint32_t seed = 1;
static int random_below(int count) {
    seed = 1664525 * seed + 1013904223;
    return (int)((seed >> 8) % (uint32_t)count);
}
static double random_between(double low, double high) {
    return low + (high - low) * random_below(1 << 24) / (1 << 24);
}

// ---------------------------------------------------------------------------------------------
// Signs

static long long dot(const long long* a, const long long* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void cross(const long long* a, const long long* b, long long* c) {
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static int sign_of(long long x) { return (x > 0) - (x < 0); }

static void signs_of_whole_numbers(void) {
    for (int round = 0; round < 20000; round++) {
        int range = round % 2 ? 5 : 1 << 18;
        long long p[4][3], m[3][3], n[3];
        double x[4][3];
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) x[i][k] = (double)(p[i][k] = random_below(range));
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) m[i][k] = p[i][k] - p[3][k];
        cross(m[1], m[2], n);
        CHECK(wf_plane_side(x[0], x[1], x[2], x[3]) == sign_of(dot(m[0], n)));
        for (int drop = 0; drop < 3; drop++) {
            int u = (drop + 1) % 3, v = (drop + 2) % 3;
            long long det = m[1][u] * m[2][v] - m[1][v] * m[2][u];
            CHECK(wf_line_side(x[1], x[2], x[3], drop) == sign_of(det));
        }
    }
}

// Four points of a plane, exactly, and one of them moved by its last bit.
static void signs_at_the_last_bit(void) {
    int zeros = 0;
    for (int round = 0; round < 3000; round++) {
        double o[3], u[3], v[3], x[4][3];
        for (int k = 0; k < 3; k++) {
            // whole numbers of up to 50 bits that are not round
            o[k] = 1048576.0 * random_below(1 << 20) + random_below(1 << 20);
            u[k] = 262144.0 * random_below(1 << 18) + random_below(1 << 18);
            v[k] = 262144.0 * random_below(1 << 18) + random_below(1 << 18);
        }
        for (int i = 0; i < 4; i++) {
            double s = random_below(512), t = random_below(512);
            for (int k = 0; k < 3; k++) x[i][k] = ldexp(o[k] + s * u[k] + t * v[k], -40);
        }
        CHECK(wf_plane_side(x[0], x[1], x[2], x[3]) == 0);
        // the last one up and down: opposite signs, unless the three others are on a line
        int k = random_below(3);
        double middle = x[3][k];
        x[3][k] = nextafter(middle, HUGE_VAL);
        int up = wf_plane_side(x[0], x[1], x[2], x[3]);
        x[3][k] = nextafter(middle, -HUGE_VAL);
        int down = wf_plane_side(x[0], x[1], x[2], x[3]);
        CHECK(up == -down);
        zeros += up == 0;
        // the order of the points changes the sign only
        CHECK(wf_plane_side(x[1], x[2], x[0], x[3]) == down);
        CHECK(wf_plane_side(x[1], x[0], x[2], x[3]) == -down);
        CHECK(wf_plane_side(x[3], x[1], x[2], x[0]) == -down);
        CHECK(wf_plane_side(x[0], x[1], x[3], x[2]) == -down);
    }
    CHECK(zeros < 100);
}

// Sizes so different that differences do not fit a double.
static void signs_of_mixed_sizes(void) {
    for (int round = 0; round < 3000; round++) {
        double x[4][3];
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                x[i][k] = ldexp(random_between(-1, 1), random_below(120) - 60);
        int side = wf_plane_side(x[0], x[1], x[2], x[3]);
        CHECK(wf_plane_side(x[1], x[2], x[0], x[3]) == side);
        CHECK(wf_plane_side(x[3], x[1], x[2], x[0]) == -side);
        CHECK(wf_plane_side(x[2], x[3], x[0], x[1]) == side);
        int turn = wf_line_side(x[0], x[1], x[2], 2);
        CHECK(wf_line_side(x[1], x[2], x[0], 2) == turn);
        CHECK(wf_line_side(x[1], x[0], x[2], 2) == -turn);
    }
    // 1 + 2^-80 against 1: lost by every sum of doubles
    const double o[3] = {0, 0, 0}, a[3] = {1, 1, 0}, b[3] = {1, 1, 0x1p-80};
    const double c[3] = {0x1p-80, 1, 1}, d[3] = {1, 1 + 0x1p-52, 0};
    CHECK(wf_plane_side(a, b, c, o) == -wf_plane_side(b, a, c, o));
    CHECK(wf_plane_side(a, b, c, o) != 0);
    CHECK(wf_line_side(o, a, d, 2) == 1);
    CHECK(wf_line_side(o, d, a, 2) == -1);
}

// ---------------------------------------------------------------------------------------------
// Two triangles

typedef struct Pair {
    double a[3][3], b[3][3];
} Pair;

// Whatever the order of triangles and corners, and wherever they are, the answer is one.
static bool cross_shared(const Pair* pair, int shared) {
    const double* a[3] = {pair->a[0], pair->a[1], pair->a[2]};
    const double* b[3] = {pair->b[0], pair->b[1], pair->b[2]};
    bool answer = wf_triangles_cross(a, b, shared);
    CHECK(wf_triangles_cross(b, a, shared) == answer);
    for (int turn = 0; turn < 3 && shared == 0; turn++) {
        const double* c[3] = {a[turn], a[(turn + 1) % 3], a[(turn + 2) % 3]};
        const double* d[3] = {b[(turn + 1) % 3], b[turn], b[(turn + 2) % 3]};
        CHECK(wf_triangles_cross(c, d, 0) == answer);
        CHECK(wf_triangles_cross(d, c, 0) == answer);
    }
    if (shared == 1) {
        const double *c[3] = {a[0], a[2], a[1]}, *d[3] = {b[0], b[2], b[1]};
        CHECK(wf_triangles_cross(c, d, 1) == answer);
    }
    if (shared == 2) {
        const double *c[3] = {a[1], a[0], a[2]}, *d[3] = {b[1], b[0], b[2]};
        CHECK(wf_triangles_cross(c, d, 2) == answer);
    }
    return answer;
}
static bool cross_pair(const Pair* pair) { return cross_shared(pair, 0); }

static Pair moved(Pair pair, const double by[3]) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) pair.a[i][k] += by[k], pair.b[i][k] += by[k];
    return pair;
}

// Touching, and apart by the last bit of coordinate k of b's corner `corner`.
static void check_touch(Pair pair, int corner, int k, double away) {
    CHECK(cross_pair(&pair));
    double* x = &pair.b[corner][k];
    double touching = *x;
    *x = nextafter(touching, touching + away);
    CHECK(!cross_pair(&pair));
    *x = nextafter(touching, touching - away);
    CHECK(cross_pair(&pair));
}

static void touching_counts(void) {
    const Pair face = {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, {{1, 1, 1}, {1, 1, 3}, {2, 1, 3}}};
    check_touch(face, 0, 2, 1);
    const Pair edge = {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, {{2, 2, 1}, {5, 5, 3}, {5, 5, 0}}};
    check_touch(edge, 0, 0, 1);
    const Pair corner = {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, {{4, 0, 1}, {7, 0, 3}, {7, 1, -3}}};
    check_touch(corner, 0, 0, 1);
    const Pair edges = {{{0, 0, 1}, {4, 0, 1}, {2, -3, 1}}, {{2, 0, 0}, {2, 0, 2}, {2, 5, 2}}};
    CHECK(cross_pair(&edges));
    Pair apart = edges;
    for (int i = 0; i < 2; i++) apart.b[i][1] = 0x1p-1022;
    CHECK(!cross_pair(&apart));
    // edge along edge, partly
    Pair along = {{{0, 0, 1}, {4, 0, 1}, {2, -3, 1}}, {{3, 0, 1}, {6, 0, 1}, {4, 1, 4}}};
    CHECK(cross_pair(&along));
    along.b[0][2] = nextafter(1, 2);
    CHECK(!cross_pair(&along));
    const Pair past = {{{0, 0, 1}, {4, 0, 1}, {2, -3, 1}}, {{5, 0, 1}, {6, 0, 1}, {4, 1, 4}}};
    CHECK(!cross_pair(&past));
}

static void through_each_other(void) {
    const Pair pierced = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {9, 9, 0}}};
    CHECK(cross_pair(&pierced));
    const Pair linked = {{{0, 0, 0}, {4, 0, 0}, {2, 4, 0}}, {{2, 3, 1}, {2, 3, -1}, {2, 9, 0}}};
    CHECK(cross_pair(&linked));
    // through the plane of one, beside it
    const Pair beside = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{3, 3, -1}, {3, 3, 1}, {9, 9, 0}}};
    CHECK(!cross_pair(&beside));
}

// Whichever comes first, and by the public call.
static bool touch_pair(const Pair* pair) {
    static const int corners[3] = {0, 1, 2};
    const WeftSurface surfaces[2] = {{3, pair->a[0], 1, corners, false},
                                     {3, pair->b[0], 1, corners, true}};
    const WeftCrossing crossing = {{0, 1}, {0, 0}}, turned = {{1, 0}, {0, 0}};
    bool answer = weft_crossing_touches(surfaces, &crossing);
    CHECK(weft_crossing_touches(surfaces, &turned) == answer);
    return answer;
}

static void touching_is_told_from_crossing(void) {
    Pair pair = {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, {{1, 1, 1}, {1, 1, 3}, {2, 1, 3}}};
    CHECK(touch_pair(&pair));
    pair.b[0][2] = nextafter(1, 0);
    CHECK(!touch_pair(&pair));
    pair.b[1][2] = pair.b[2][2] = 1;
    CHECK(touch_pair(&pair));  // by an edge
    pair.b[0][2] = 1;
    CHECK(touch_pair(&pair));  // in one plane
    const Pair same = {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, {{0, 0, 1}, {0, 4, 1}, {4, 0, 1}}};
    CHECK(touch_pair(&same));
    const Pair pierced = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {9, 9, 0}}};
    CHECK(!touch_pair(&pierced));
}

static void in_one_plane(void) {
    // tilted: x + y + z = 12
    static const double corners[][3] = {
        {0, 0, 12}, {12, 0, 0},   {0, 12, 0},    // large
        {4, 4, 4},  {5, 4, 3},    {4, 5, 3},     // inside of it
        {6, 6, 0},  {16, 6, -10}, {6, 16, -10},  // touches its edge
        {7, 6, -1}, {16, 6, -10}, {6, 16, -10},  // beyond it
        {3, 3, 6},  {20, 3, -11}, {3, 20, -11},  // overlaps it
    };
    static const bool expected[] = {true, true, true, false, true};
    for (int i = 0; i < 5; i++) {
        Pair pair;
        memcpy(pair.a, corners, sizeof pair.a);
        memcpy(pair.b, corners[3 * i], sizeof pair.b);
        CHECK(cross_pair(&pair) == expected[i]);
        // lifted out of the plane by the last bit of one corner, the other two stay below it
        for (int k = 0; k < 3; k++) pair.b[k][1] += 0x1p-40;
        CHECK(!cross_pair(&pair));
    }
}

// The classic answer for convex sets: they are apart where a direction tells them apart, and it is
// enough to try the directions between their closest features. Whole numbers, so it is exact.
static bool direction_separates(long long p[6][3], const long long* n) {
    long long low[2], high[2];
    for (int i = 0; i < 6; i++) {
        long long d = dot(p[i], n);
        int t = i / 3;
        if (i % 3 == 0 || d < low[t]) low[t] = d;
        if (i % 3 == 0 || d > high[t]) high[t] = d;
    }
    return high[0] < low[1] || high[1] < low[0];
}

static bool whole_triangles_meet(long long p[6][3]) {
    long long e[6][3], n[3], d[3], s[3];
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) e[i][k] = p[i / 3 * 3 + (i + 1) % 3][k] - p[i][k];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) {
            cross(e[i], e[j], n);  // faces, and pairs of edges
            if (direction_separates(p, n)) return false;
        }
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 3; k++) d[k] = p[i / 3][k] - p[3 + i % 3][k];
        if (direction_separates(p, d)) return false;  // corner and corner
        for (int j = 0; j < 6; j++) {                 // corner and edge
            cross(d, e[j], n);
            cross(e[j], n, s);
            if (direction_separates(p, s)) return false;
        }
    }
    return true;
}

// Small whole numbers: every third pair touches in some special way, many have no area.
static void random_triangles(void) {
    static const int ranges[] = {3, 4, 6, 20, 200};
    int meeting = 0, rounds = test_rounds(60000);
    for (int round = 0; round < rounds; round++) {
        int range = ranges[round % 5];
        long long p[6][3];
        Pair pair;
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 3; k++) {
                p[i][k] = random_below(range);
                (i < 3 ? pair.a[i] : pair.b[i - 3])[k] = (double)p[i][k];
            }
        bool expected = whole_triangles_meet(p);
        meeting += expected;
        CHECK(cross_pair(&pair) == expected);
        // far away, by whole numbers; there the sums of doubles decide little
        pair = moved(pair, (const double[3]){0x1p40, -0x1p50, 0x1p45 + 1});
        CHECK(cross_pair(&pair) == expected);
    }
    CHECK(meeting > rounds / 10 && meeting < rounds * 9 / 10);
}

// Slivers of width 1e-12 that cross, or pass by closer than that.
static void nearly_no_area(void) {
    for (int round = 0; round < 2000; round++) {
        double thin = ldexp(1, -20 - random_below(30));
        Pair pair = {{{0, 0, 0}, {1, thin, 0}, {2, 0, 0}},
                     {{1, -1, -1}, {1, 1, 1}, {1 + thin, 1, 1}}};
        CHECK(cross_pair(&pair));
        for (int i = 0; i < 3; i++) pair.b[i][1] += 2 * thin;
        // passes y = 2 thin where a is: a ends at y = thin
        CHECK(!cross_pair(&pair));
        for (int i = 0; i < 3; i++) pair.b[i][1] -= thin;
        CHECK(cross_pair(&pair));
    }
}

static void no_area_at_all(void) {
    // lines and points on and off a triangle, and on one another
    Pair pair = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {1, 1, 0}}};
    CHECK(cross_pair(&pair));
    pair.b[0][2] = 2;
    CHECK(cross_pair(&pair));
    pair.b[2][2] = 1;
    CHECK(!cross_pair(&pair));
    Pair points = {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}};
    CHECK(cross_pair(&points));
    points.a[0][0] = points.a[1][0] = points.a[2][0] = nextafter(1, 2);
    CHECK(!cross_pair(&points));
}

static void neighbours_at_a_corner(void) {
    // beside each other, in a plane and folded; an edge that goes straight on
    Pair flat = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {{0, 0, 0}, {-1, 0, 0}, {-1, 1, 0}}};
    CHECK(!cross_shared(&flat, 1));
    flat.b[2][2] = 5;
    CHECK(!cross_shared(&flat, 1));
    // the whole fan of a grid's corner, tilted so that all numbers are rounded
    static const double ring[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                      {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int apart = (j - i + 8) % 8;
            if (apart < 2 || apart > 6) continue;
            Pair pair = {{{0}}, {{0}}};
            for (int c = 1; c < 3; c++)
                for (int k = 0; k < 3; k++) {
                    static const float u[3] = {0.3f, 0.41f, 0.7f}, v[3] = {-0.2f, 0.9f, 0.13f};
                    const double *p = ring[(i + c - 1) % 8], *q = ring[(j + c - 1) % 8];
                    pair.a[c][k] = (double)(float)(p[0] * (double)u[k] + p[1] * (double)v[k]);
                    pair.b[c][k] = (double)(float)(q[0] * (double)u[k] + q[1] * (double)v[k]);
                }
            CHECK(!cross_shared(&pair, 1));
        }
    // overlapping in a plane; folded onto each other along a line through the corner
    Pair over = {{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}}, {{0, 0, 0}, {4, 1, 0}, {4, 9, 0}}};
    CHECK(cross_shared(&over, 1));
    over.b[1][2] = over.b[2][2] = 0x1p-60;
    CHECK(!cross_shared(&over, 1));
    Pair along = {{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}}, {{0, 0, 0}, {2, 2, 0}, {0, 3, 1}}};
    CHECK(cross_shared(&along, 1));
    // through each other from the corner on
    Pair through = {{{0, 0, 0}, {4, -4, 0}, {4, 4, 0}}, {{0, 0, 0}, {4, 0, -4}, {4, 0, 4}}};
    CHECK(cross_shared(&through, 1));
    through.b[1][2] = 0x1p-50;
    CHECK(!cross_shared(&through, 1));
    through.b[1][2] = 0;  // an edge lies in the other
    CHECK(cross_shared(&through, 1));
}

// Against a search for a common point away from the corner: an edge opposite is a triangle too.
static void random_neighbours(void) {
    int meeting = 0;
    for (int round = 0; round < 20000; round++) {
        long long p[6][3], n[3], e[3], f[3];
        Pair pair;
        int range = 3 + round % 5;
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 3; k++) p[i][k] = random_below(range);
        memcpy(p[3], p[0], sizeof p[0]);
        bool good = true;
        for (int t = 0; t < 6; t += 3) {
            for (int k = 0; k < 3; k++) e[k] = p[t + 1][k] - p[t][k], f[k] = p[t + 2][k] - p[t][k];
            cross(e, f, n);
            good = good && dot(n, n) > 0;
        }
        if (!good) continue;
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 3; k++) (i < 3 ? pair.a[i] : pair.b[i - 3])[k] = (double)p[i][k];
        long long first[6][3], second[6][3];
        memcpy(first, p, sizeof p), memcpy(second, p, sizeof p);
        memcpy(first[0], p[1], sizeof p[0]), memcpy(second[3], p[4], sizeof p[0]);
        bool expected = whole_triangles_meet(first) || whole_triangles_meet(second);
        meeting += expected;
        CHECK(cross_shared(&pair, 1) == expected);
    }
    CHECK(meeting > 500);
}

static void neighbours_at_an_edge(void) {
    Pair pair = {{{0, 0, 0}, {4, 0, 0}, {1, 3, 0}}, {{0, 0, 0}, {4, 0, 0}, {2, -3, 0}}};
    CHECK(!cross_shared(&pair, 2));
    pair.b[2][1] = 1;  // folded flat
    CHECK(cross_shared(&pair, 2));
    pair.b[2][2] = 0x1p-200;  // nearly
    CHECK(!cross_shared(&pair, 2));
    for (int axis = 0; axis < 3; axis++) {
        Pair flat = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        flat.a[1][u] = flat.b[1][u] = 4, flat.a[2][v] = 2, flat.b[2][v] = 1, flat.b[2][u] = 9;
        CHECK(cross_shared(&flat, 2));
        flat.b[2][v] = -1;
        CHECK(!cross_shared(&flat, 2));
    }
    CHECK(!cross_shared(&pair, 3));
}

// ---------------------------------------------------------------------------------------------
// Surfaces

enum { MOST_FOUND = 20000 };

typedef struct Soup {
    WeftSurface surface;
    double positions[3 * 3 * 200];
    int triangles[3 * 200];
} Soup;

// Loose triangles of many sizes, or a strip whose triangles share vertices.
static void fill_soup(Soup* soup, int count, bool strip, bool body) {
    int vertex_count = strip ? count + 2 : 3 * count;
    soup->surface = (WeftSurface){vertex_count, soup->positions, count, soup->triangles, body};
    double middle[3] = {0};
    for (int i = 0; i < vertex_count; i++) {
        double size = strip ? 0.3 : ldexp(1, random_below(6) - 5);
        for (int k = 0; k < 3; k++) {
            if (strip ? i == 0 : i % 3 == 0) middle[k] = random_between(-1, 1);
            soup->positions[3 * i + k] = middle[k] + random_between(-size, size);
            if (strip) middle[k] = soup->positions[3 * i + k];
        }
    }
    for (int t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) soup->triangles[3 * t + k] = strip ? t + k : 3 * t + k;
}

// The pair that two triangles are, shared corners first.
static int make_pair_of(const Soup* x, int s, const Soup* y, int t, Pair* pair) {
    int shared = 0, order[2][3] = {{0, 1, 2}, {0, 1, 2}};
    for (int i = 0; x == y && i < 3; i++)
        for (int j = shared; j < 3; j++)
            if (x->triangles[3 * s + i] == y->triangles[3 * t + order[1][j]]) {
                int a = order[0][shared], b = order[1][j];
                order[0][shared] = i, order[0][i] = a;
                order[1][j] = order[1][shared], order[1][shared] = b;
                shared++;
                break;
            }
    for (int i = 0; i < 3; i++) {
        int v = x->triangles[3 * s + order[0][i]], w = y->triangles[3 * t + order[1][i]];
        memcpy(pair->a[i], x->positions + 3 * v, sizeof pair->a[i]);
        memcpy(pair->b[i], y->positions + 3 * w, sizeof pair->b[i]);
    }
    return shared;
}

static int try_all(const Soup* soups, int soup_count, WeftCrossing* found) {
    int count = 0;
    for (int i = 0; i < soup_count; i++)
        for (int s = 0; s < soups[i].surface.triangle_count; s++)
            for (int j = i; j < soup_count; j++)
                for (int t = i == j ? s + 1 : 0; t < soups[j].surface.triangle_count; t++) {
                    Pair pair;
                    if (soups[i].surface.body && soups[j].surface.body) continue;
                    int shared = make_pair_of(&soups[i], s, &soups[j], t, &pair);
                    const double* a[3] = {pair.a[0], pair.a[1], pair.a[2]};
                    const double* b[3] = {pair.b[0], pair.b[1], pair.b[2]};
                    if (wf_triangles_cross(a, b, shared))
                        found[count++] = (WeftCrossing){{i, j}, {s, t}};
                }
    return count;
}

static void search_finds_all_pairs(void) {
    static Soup soups[4];
    static WeftCrossing found[MOST_FOUND], expected[MOST_FOUND];
    for (int round = 0; round < 24; round++) {
        WeftSurface surfaces[4];
        for (int i = 0; i < 4; i++) {
            fill_soup(&soups[i], 20 + random_below(100), i % 2, i >= 2);
            // some flat along an axis, some far apart
            for (int v = 0; round % 4 == 1 && v < soups[i].surface.vertex_count; v++)
                soups[i].positions[3 * v + round % 3] = 0;
            for (int v = 0; round % 4 == 2 && v < soups[i].surface.vertex_count; v += 30)
                soups[i].positions[3 * v] *= 1e6;
            surfaces[i] = soups[i].surface;
        }
        int count = -1, known = try_all(soups, 4, expected);
        CHECK(weft_find_crossings(surfaces, 4, NULL, MOST_FOUND, found, &count, NULL) == WEFT_OK);
        CHECK(count == known && known > 0 && known < MOST_FOUND);
        bool same = count == known;
        for (int i = 0; same && i < count; i++)
            same = memcmp(found[i].surface, expected[i].surface, sizeof found[i].surface) == 0 &&
                   memcmp(found[i].triangle, expected[i].triangle, sizeof found[i].triangle) == 0;
        CHECK(same);  // and in order
        int few = -1;
        WeftCrossing first[3] = {{{0}, {0}}};
        CHECK(weft_find_crossings(surfaces, 4, NULL, 3, first, &few, NULL) == WEFT_OK);
        CHECK(few == count && memcmp(first, found, sizeof first) == 0);
    }
}

// A sheet of n x n cells over a unit square, by a function of its place.
typedef struct Sheet {
    int n;
    double* positions;
    int* triangles;
} Sheet;

static Sheet make_sheet(int n, void (*place)(double u, double v, double x[3])) {
    size_t vertices = (size_t)(n + 1) * (size_t)(n + 1), cells = (size_t)n * (size_t)n;
    Sheet sheet = {n, calloc(3 * vertices, sizeof(double)), calloc(6 * cells, sizeof(int))};
    if (!sheet.positions || !sheet.triangles) abort();
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            double x[3];
            place((double)i / n, (double)j / n, x);
            // as files hold them
            for (int k = 0; k < 3; k++)
                sheet.positions[3 * (j * (n + 1) + i) + k] = (double)(float)x[k];
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
            int corners[6] = {a, b, d, a, d, c};
            memcpy(sheet.triangles + 6 * (j * n + i), corners, sizeof corners);
        }
    return sheet;
}

static WeftSurface surface_of(const Sheet* sheet, bool body) {
    int n = sheet->n;
    return (WeftSurface){(n + 1) * (n + 1), sheet->positions, 2 * n * n, sheet->triangles, body};
}
static void free_sheet(Sheet* sheet) { free(sheet->positions), free(sheet->triangles); }

static int count_crossings(const WeftSurface* surfaces, int count) {
    int found = -1;
    CHECK(weft_find_crossings(surfaces, count, NULL, 0, NULL, &found, NULL) == WEFT_OK);
    return found;
}

static void flat(double u, double v, double x[3]) { x[0] = u, x[1] = 0.1, x[2] = v; }
static void tilted(double u, double v, double x[3]) {
    x[0] = 0.36 * u - 0.48 * v, x[1] = 0.8 * u + 0.1, x[2] = 0.48 * u + 0.64 * v;
}
static void wavy(double u, double v, double x[3]) {
    x[0] = u, x[1] = 0.2 * sin(9 * u) * cos(8 * v), x[2] = v;
}
static void upright(double u, double v, double x[3]) { x[0] = u, x[1] = v - 0.5, x[2] = 0.503; }
// rolled up once and a half, through itself or not
static void rolled(double u, double v, double x[3]) {
    double turn = 3 * 3.14159265 * u, radius = 0.1 + 0.05 * u;
    x[0] = radius * cos(turn), x[1] = radius * sin(turn), x[2] = v;
}
static void rolled_through(double u, double v, double x[3]) {
    rolled(u, v, x);
    double shrink = 1 + 0.1 * sin(6 * u) * cos(5 * v) - 0.4 * u * v;
    x[0] *= shrink, x[1] *= shrink;
}

static void sheets_cross_or_not(void) {
    Sheet clean[] = {make_sheet(40, flat), make_sheet(40, tilted), make_sheet(40, wavy),
                     make_sheet(60, rolled)};
    for (int i = 0; i < 4; i++) {
        WeftSurface one = surface_of(&clean[i], false);
        CHECK(count_crossings(&one, 1) == 0);
    }
    Sheet through = make_sheet(60, rolled_through), wall = make_sheet(8, upright);
    WeftSurface self = surface_of(&through, false);
    CHECK(count_crossings(&self, 1) > 20);
    WeftSurface pair[2] = {surface_of(&clean[2], false), surface_of(&wall, true)};
    int crossings = count_crossings(pair, 2);
    CHECK(crossings > 40);
    pair[1].body = false;
    CHECK(count_crossings(pair, 2) == crossings);
    pair[0].body = pair[1].body = true;
    CHECK(count_crossings(pair, 2) == 0);
    // a floor much larger than the cloth, in the same place to the last bit, and just below
    double floor[12] = {-1e3, 0.1, -1e3, 1e3, 0.1, -1e3, -1e3, 0.1, 1e3, 1e3, 0.1, 1e3};
    for (int i = 0; i < 4; i++) floor[3 * i + 1] = (double)0.1f;
    int corners[6] = {0, 2, 1, 1, 2, 3};
    WeftSurface on_floor[2] = {surface_of(&clean[0], false), {4, floor, 2, corners, true}};
    CHECK(count_crossings(on_floor, 2) >= 3200);
    for (int i = 0; i < 4; i++) floor[3 * i + 1] = nextafter((double)0.1f, 0);
    CHECK(count_crossings(on_floor, 2) == 0);
    for (int i = 0; i < 4; i++) free_sheet(&clean[i]);
    free_sheet(&through);
    free_sheet(&wall);
}

static void odd_surfaces(void) {
    CHECK(count_crossings(NULL, 0) == 0);
    WeftSurface empty[2] = {{0}, {.body = true}};
    CHECK(count_crossings(empty, 2) == 0);
    // all points the same: three triangles that share an edge or a corner, and one that shares none
    double points[21] = {0};
    int corners[12] = {0, 1, 2, 1, 2, 3, 3, 4, 5, 3, 4, 6};
    WeftSurface point = {7, points, 4, corners, false};
    CHECK(count_crossings(&point, 1) >= 1);
    int twice[6] = {0, 1, 2, 2, 1, 0};
    WeftSurface doubled = {7, points, 2, twice, false};
    points[3] = points[7] = 1;
    CHECK(count_crossings(&doubled, 1) == 0);
    WeftError error;
    int count = 7;
    points[4] = NAN;
    CHECK(weft_find_crossings(&doubled, 1, NULL, 0, NULL, &count, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "surface 0: vertex 1 is not finite");
    CHECK(count == 0);
    points[4] = 1e31;
    CHECK(weft_find_crossings(&doubled, 1, NULL, 0, NULL, &count, NULL) == WEFT_ERROR_INPUT);
}

static void memory_may_fail(void) {
    static Soup soup;
    fill_soup(&soup, 200, true, false);
    int n = 0, count;
    for (bool good = false; !good; n++) {
        TestMemory memory = {.left = n};
        WeftAllocator allocator = test_allocator(&memory);
        WeftError error;
        WeftResult result =
            weft_find_crossings(&soup.surface, 1, &allocator, 0, NULL, &count, &error);
        good = result == WEFT_OK;
        CHECK(good || result == WEFT_ERROR_MEMORY);
        CHECK(memory.held == 0);
    }
    CHECK(n > 5 && count > 0);
}

TEST_MAIN(CASE(signs_of_whole_numbers), CASE(signs_at_the_last_bit), CASE(signs_of_mixed_sizes),
          CASE(touching_counts), CASE(through_each_other), CASE(touching_is_told_from_crossing),
          CASE(in_one_plane), CASE(random_triangles), CASE(nearly_no_area), CASE(no_area_at_all),
          CASE(neighbours_at_a_corner), CASE(random_neighbours), CASE(neighbours_at_an_edge),
          CASE(search_finds_all_pairs), CASE(sheets_cross_or_not), CASE(odd_surfaces),
          CASE(memory_may_fail))
