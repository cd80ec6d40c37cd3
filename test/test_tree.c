// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards contact/tree.c and contact/pairs.c: all pairs of features whose boxes overlap, each once,
// as a search through all of them finds; after any deformation; and no memory once it has enough.

#include "base/vec.h"
#include "contact/near.h"
#include "contact/pairs.h"
#include "contact/sift.h"
#include "contact_test.h"
#include "counting.h"

typedef struct Sheet {
    int vertex_count, triangle_count, segment_count;
    int *triangles, *segments;
    double *x, *x1;
    WfSurface* surface;
    WfArena arena;
    WfTree tree;
} Sheet;

static Counting counting;

static void finish_sheet(Sheet* s) {
    WeftAllocator allocator = counting_allocator(&counting);
    s->x = malloc(3 * (size_t)s->vertex_count * sizeof(double) + 1);
    s->x1 = malloc(3 * (size_t)s->vertex_count * sizeof(double) + 1);
    s->surface = malloc(sizeof *s->surface);
    CHECK(wf_surface_create(&allocator, s->vertex_count, s->triangle_count, s->triangles,
                            s->segment_count, s->segments, s->surface) == WEFT_OK);
    s->arena = (WfArena){0};
    wf_tree_layout(s->surface, &s->arena, &s->tree);
    CHECK(wf_arena_create(&s->arena, &allocator, s->arena.used));
    wf_tree_layout(s->surface, &s->arena, &s->tree);
}

// columns x rows cells, and a rope of some segments beside it.
static Sheet make_sheet(int columns, int rows, int segments) {
    int across = columns + 1, cells = columns * rows;
    Sheet s = {.triangle_count = 2 * cells, .segment_count = segments};
    s.vertex_count = across * (rows + 1) + (segments ? segments + 1 : 0);
    s.triangles = malloc(6 * (size_t)cells * sizeof(int) + 1);
    s.segments = malloc(2 * (size_t)segments * sizeof(int) + 1);
    for (int c = 0; c < cells; c++) {
        int a = c / columns * across + c % columns, b = a + 1, d = a + across, e = d + 1;
        memcpy(s.triangles + 6 * c, (int[]){a, d, b, b, d, e}, 6 * sizeof(int));
    }
    for (int i = 0; i < segments; i++) {
        s.segments[2 * i] = across * (rows + 1) + i;
        s.segments[2 * i + 1] = across * (rows + 1) + i + 1;
    }
    finish_sheet(&s);
    for (int v = 0; v < s.vertex_count; v++)
        wf_store(s.x, v, (WfVec){0.015 * (v % across), 0, 0.015 * (v / across)});
    memcpy(s.x1, s.x, 3 * (size_t)s.vertex_count * sizeof(double));
    return s;
}

// Triangles anywhere, which share vertices by chance.
static Sheet make_soup(int vertices, int triangles) {
    Sheet s = {.vertex_count = vertices, .triangle_count = triangles};
    s.triangles = malloc(3 * (size_t)triangles * sizeof(int) + 1);
    for (int i = 0; i < 3 * triangles; i++) s.triangles[i] = (int)(random_unit() * vertices);
    finish_sheet(&s);
    for (int i = 0; i < 3 * vertices; i++) s.x[i] = s.x1[i] = random_unit();
    return s;
}

static void destroy_sheet(Sheet* s) {
    WeftAllocator allocator = counting_allocator(&counting);
    wf_arena_destroy(&s->arena, &allocator);
    wf_surface_destroy(&allocator, s->surface);
    free(s->surface);
    free(s->triangles);
    free(s->segments);
    free(s->x);
    free(s->x1);
}

static void fit(Sheet* s, double reach) {
    wf_tree_fit(&s->tree, s->x, s->x1, (WfReach){reach, reach}, NULL);
}

// ---------------------------------------------------------------------------------------------
// By trying all

static WfSpan box_of(const WfTree* tree, const int* vertices, int count) {
    WfSpan box = tree->vertices[vertices[0]];
    for (int i = 1; i < count; i++) {
        const WfSpan* other = &tree->vertices[vertices[i]];
        for (int k = 0; k < 3; k++) {
            box.minus_low[k] = fmaxf(box.minus_low[k], other->minus_low[k]);
            box.high[k] = fmaxf(box.high[k], other->high[k]);
            box.minus_least[k] = fmaxf(box.minus_least[k], other->minus_least[k]);
            box.most[k] = fmaxf(box.most[k], other->most[k]);
        }
    }
    return box;
}

// Whether a may come to b from below, along an axis.
static bool reaches(const WfSpan* a, const WfSpan* b, int k) {
    float closing = a->most[k] + b->minus_least[k];
    return a->high[k] + (closing > 0 ? closing : 0) >= -b->minus_low[k];
}

static bool overlap(WfSpan a, WfSpan b) {
    bool good = true;
    for (int k = 0; k < 3; k++) good &= reaches(&a, &b, k) && reaches(&b, &a, k);
    return good;
}

static bool share(const int* a, int a_count, const int* b, int b_count) {
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++)
            if (a[i] == b[j]) return true;
    return false;
}

typedef struct Features {
    const int* vertices;
    int each, count;
    WfSpan* boxes;
    const unsigned char* good;  // NULL: all
} Features;

static Features gather(const WfTree* tree, const int* vertices, int each, int count,
                       const unsigned char* good) {
    Features f = {vertices, each, count, malloc(((size_t)count + 1) * sizeof(WfSpan)), good};
    for (int i = 0; i < count; i++) f.boxes[i] = box_of(tree, vertices + i * each, each);
    return f;
}

static int compare_pairs(const void* a, const void* b) { return memcmp(a, b, sizeof(WfPair)); }

static bool holds(const WfPair* sorted, int count, WfPair pair) {
    return bsearch(&pair, sorted, (size_t)count, sizeof pair, compare_pairs) != NULL;
}

static bool holds_sorted(const WfPairList* list, WfPair pair) {
    int low = 0, high = list->count;
    while (low < high) {
        int middle = (low + high) / 2;
        WfPair at = list->pairs[middle];
        bool before = at.a < pair.a || (at.a == pair.a && at.b < pair.b);
        *(before ? &low : &high) = before ? middle + 1 : middle;
    }
    return low < list->count && list->pairs[low].a == pair.a && list->pairs[low].b == pair.b;
}

// Whether the list holds those pairs whose boxes overlap, each once, and not many more: of what
// moves, leaves are looked at as a whole. `apart`: nothing that shares a vertex; `ordered`: a < b.
static void check_list(const WfPairList* list, const Features* a, const Features* b, bool apart,
                       bool ordered) {
    size_t size = sizeof(WfPair) * (size_t)list->count;
    WfPair* found = malloc(size + 1);
    int count = 0;
    bool good = true;
    if (size > 0) memcpy(found, list->pairs, size);
    qsort(found, (size_t)list->count, sizeof(WfPair), compare_pairs);
    for (int k = 1; k < list->count; k++) good &= compare_pairs(&found[k - 1], &found[k]) != 0;
    for (int k = 0; k < list->count; k++) {
        int i = found[k].a, j = found[k].b;
        good &= (!a->good || a->good[i]) && (!b->good || b->good[j]) && (!ordered || i < j);
        good &= !apart ||
                !share(a->vertices + i * a->each, a->each, b->vertices + j * b->each, b->each);
    }
    CHECK(good);
    for (int i = 0; i < a->count; i++) {
        for (int j = ordered ? i + 1 : 0; j < b->count; j++) {
            if ((a->good && !a->good[i]) || (b->good && !b->good[j])) continue;
            if (!overlap(a->boxes[i], b->boxes[j])) continue;
            if (apart &&
                share(a->vertices + i * a->each, a->each, b->vertices + j * b->each, b->each))
                continue;
            good &= holds(found, list->count, (WfPair){i, j});
            count++;
        }
    }
    CHECK(good);
    CHECK(list->count <= 2 * count + 100);
    free(found);
}

typedef struct All {
    Features points, triangles, edges;
    int* names;
    unsigned char *used, *real;
} All;

static All gather_all(const Sheet* s) {
    const WfSurface* f = s->surface;
    All all = {.names = malloc(sizeof(int) * ((size_t)f->vertex_count + 1)),
               .used = calloc((size_t)f->vertex_count + 1, 1),
               .real = calloc((size_t)f->triangle_count + 1, 1)};
    for (int v = 0; v < f->vertex_count; v++) all.names[v] = v;
    for (int i = 0; i < 3 * f->triangle_count; i++) all.used[f->triangles[i]] = 1;
    for (int t = 0; t < f->triangle_count; t++)
        all.real[t] = f->triangles[3 * t + 1] != f->triangles[3 * t + 2];
    all.points = gather(&s->tree, all.names, 1, f->vertex_count, all.used);
    all.triangles = gather(&s->tree, f->triangles, 3, f->triangle_count, all.real);
    all.edges = gather(&s->tree, f->edges, 2, f->edge_count, NULL);
    return all;
}

static void free_all(All* all) {
    free(all->points.boxes);
    free(all->triangles.boxes);
    free(all->edges.boxes);
    free(all->names);
    free(all->used);
    free(all->real);
}

static void check_self(const Sheet* s) {
    WfPairs pairs = {.allocator = counting_allocator(&counting)};
    All all = gather_all(s);
    wf_pairs_self(&s->tree, &pairs);
    CHECK(!pairs.failed && pairs.corners.count == 0);
    check_list(&pairs.points, &all.points, &all.triangles, true, false);
    check_list(&pairs.edges, &all.edges, &all.edges, true, true);
    wf_pairs_pierce_self(&s->tree, &pairs);
    CHECK(!pairs.failed && pairs.corners.count == 0 && pairs.edges.count == 0);
    check_list(&pairs.points, &all.edges, &all.triangles, true, false);
    free_all(&all);
    wf_pairs_destroy(&pairs);
}

static void check_between(const Sheet* s, const Sheet* t) {
    WfPairs pairs = {.allocator = counting_allocator(&counting)};
    All first = gather_all(s), second = gather_all(t);
    wf_pairs_between(&s->tree, &t->tree, &pairs);
    CHECK(!pairs.failed);
    check_list(&pairs.points, &first.points, &second.triangles, false, false);
    check_list(&pairs.corners, &first.triangles, &second.points, false, false);
    check_list(&pairs.edges, &first.edges, &second.edges, false, false);
    wf_pairs_pierce_between(&s->tree, &t->tree, &pairs);
    CHECK(!pairs.failed && pairs.edges.count == 0);
    check_list(&pairs.points, &first.edges, &second.triangles, false, false);
    check_list(&pairs.corners, &first.triangles, &second.edges, false, false);
    free_all(&first);
    free_all(&second);
    wf_pairs_destroy(&pairs);
}

// ---------------------------------------------------------------------------------------------
// Cases

static void boxes_hold_the_way(void) {
    Sheet s = make_soup(500, 10);
    int wrong = 0;
    for (int trial = 0; trial < 20; trial++) {
        double size = trial % 2 ? 1e-3 : 3, reach = trial % 4 ? 1e-4 : 0;
        for (int i = 0; i < 3 * s.vertex_count; i++) {
            s.x[i] = size * (random_unit() - 0.5);
            s.x1[i] = trial % 3 ? s.x[i] : size * random_unit();
        }
        if (trial == 4) s.x[0] = s.x1[0] = 0, s.x[1] = s.x1[1] = 1e-300;
        fit(&s, reach);
        for (int i = 0; i < 3 * s.vertex_count; i++) {
            const WfSpan* span = &s.tree.vertices[i / 3];
            double low = -(double)span->minus_low[i % 3], high = (double)span->high[i % 3];
            double way = s.x1[i] - s.x[i], most = (double)span->most[i % 3];
            wrong += !(low <= s.x[i] - reach && high >= s.x[i] + reach);
            double slack = 1e-6 * (fabs(s.x[i]) + fabs(way) + reach) + 1e-30;
            wrong += low < s.x[i] - reach - slack || high > s.x[i] + reach + slack;
            wrong += fabs(most - way) > slack;
            wrong += fabs((double)span->minus_least[i % 3] + way) > slack;
        }
    }
    CHECK(wrong == 0);
    destroy_sheet(&s);
}

static void nothing_at_all(void) {
    Sheet s = make_soup(0, 0), t = make_sheet(3, 3, 0);
    fit(&s, 1);
    fit(&t, 1);
    check_self(&s);
    check_between(&s, &t);
    check_between(&t, &s);
    destroy_sheet(&s);
    destroy_sheet(&t);
}

static void every_small_number(void) {
    for (int n = 1; n < 40; n++) {
        Sheet s = make_soup(2 * n + 3, n);
        fit(&s, 0.05);
        check_self(&s);
        destroy_sheet(&s);
    }
}

static void flat_sheet(void) {
    Sheet s = make_sheet(23, 17, 0);
    fit(&s, 0.002);
    check_self(&s);
    fit(&s, 0.02);
    check_self(&s);
    destroy_sheet(&s);
}

// In layers of 3 mm, to and fro.
static void fold(Sheet* s, double width) {
    for (int v = 0; v < s->vertex_count; v++) {
        WfVec x = wf_load(s->x, v);
        double layer = floor(x.x / width), along = x.x - layer * width;
        x.y = 0.003 * layer;
        x.x = (int)layer % 2 ? width - along : along;
        wf_store(s->x, v, x);
        wf_store(s->x1, v, wf_add(x, random_vec(0.001)));
    }
}

static void folded_sheet(void) {
    Sheet s = make_sheet(40, 12, 0);
    fit(&s, 0.002);
    fold(&s, 0.11);
    fit(&s, 0.002);
    check_self(&s);
    destroy_sheet(&s);
}

static void crumple(Sheet* s, double size) {
    for (int i = 0; i < 3 * s->vertex_count; i++) s->x[i] = s->x1[i] = size * random_unit();
}

// A tree of triangles that have spread is made anew, and found pairs do not depend on that.
static void slack(void) {
    Sheet s = make_sheet(20, 20, 0);
    double* flat = malloc(3 * (size_t)s.vertex_count * sizeof(double));
    memcpy(flat, s.x, 3 * (size_t)s.vertex_count * sizeof(double));
    fit(&s, 0.001);
    CHECK(s.tree.builds == 1);
    for (int i = 0; i < 3 * s.vertex_count; i++) s.x1[i] += 0.01 * random_unit();
    fit(&s, 0.001);
    CHECK(s.tree.builds == 1);  // boxes grow by motion, those of triangles too
    crumple(&s, 0.05);
    for (int v = 0; v < s.vertex_count / 2; v++) s.x[3 * v] += 10, s.x1[3 * v] += 10;
    wf_tree_forget(&s.tree);
    fit(&s, 0.001);
    CHECK(s.tree.builds == 2);
    check_self(&s);
    memcpy(s.x, flat, 3 * (size_t)s.vertex_count * sizeof(double));
    memcpy(s.x1, flat, 3 * (size_t)s.vertex_count * sizeof(double));
    fit(&s, 0.001);
    CHECK(s.tree.builds == 3);
    check_self(&s);
    fit(&s, 0.001);
    CHECK(s.tree.builds == 3);
    free(flat);
    destroy_sheet(&s);
}

static void random_soups(void) {
    for (int trial = 0; trial < test_rounds(test_long() ? 10 : 5); trial++) {
        Sheet s = make_soup(300 + 100 * trial, 400);
        for (int i = 0; i < test_rounds(3); i++) {
            fit(&s, 0.001 * trial);
            check_self(&s);
            for (int k = 0; k < 3 * s.vertex_count; k++)
                s.x[k] = s.x1[k], s.x1[k] += 0.1 * random_unit();
        }
        destroy_sheet(&s);
    }
}

static void ropes(void) {
    Sheet s = make_sheet(10, 10, 60), only = make_sheet(0, 0, 33);
    crumple(&s, 0.1);
    crumple(&only, 0.05);
    fit(&s, 0.001);
    fit(&only, 0.001);
    check_self(&s);
    check_self(&only);
    check_between(&s, &only);
    check_between(&only, &s);
    destroy_sheet(&s);
    destroy_sheet(&only);
}

// Of different sizes; vertices of one have names of vertices of the other.
static void two_surfaces(void) {
    Sheet s = make_sheet(30, 20, 0), t = make_soup(60, 50);
    for (int i = 0; i < 3 * t.vertex_count; i++) t.x[i] *= 0.3, t.x1[i] *= 0.3;
    fit(&s, 0.002);
    fit(&t, 0);
    check_between(&s, &t);
    check_between(&t, &s);
    for (int i = 0; i < 3 * s.vertex_count; i++) s.x1[i] += 5;  // out of reach, but on the way
    fit(&s, 0.002);
    check_between(&s, &t);
    for (int i = 0; i < 3 * s.vertex_count; i++) s.x[i] += 5;
    fit(&s, 0.002);
    check_between(&s, &t);
    destroy_sheet(&s);
    destroy_sheet(&t);
}

// What moves together stays apart, however fast; what moves against each other does not.
static void motion_in_common(void) {
    Sheet s = make_sheet(20, 20, 0);
    WfPairs pairs = {.allocator = counting_allocator(&counting)};
    fit(&s, 0.001);
    wf_pairs_self(&s.tree, &pairs);
    int still = pairs.edges.count;
    for (int i = 0; i < 3 * s.vertex_count; i++) s.x1[i] = s.x[i] + (i % 3 == 0 ? 10 : 0);
    fit(&s, 0.001);
    wf_pairs_self(&s.tree, &pairs);
    CHECK_BELOW(pairs.edges.count, 1.01 * still);
    // half of it goes through the other half
    for (int v = s.vertex_count / 2; v < s.vertex_count; v++) s.x1[3 * v + 2] -= 10;
    fit(&s, 0.001);
    check_self(&s);
    wf_pairs_self(&s.tree, &pairs);
    CHECK(pairs.edges.count > 2 * still);
    wf_pairs_destroy(&pairs);
    destroy_sheet(&s);
}

// The least distance of a pair on its way, seen at some moments of it.
static double nearest_of(const Sheet* s, const int v[4], bool edges) {
    enum { MOMENTS = 16 };
    double least = HUGE_VAL;
    for (int m = 0; m <= MOMENTS; m++) {
        WfVec x[4];
        double w[3];
        for (int k = 0; k < 4; k++) {
            WfVec a = wf_load(s->x, v[k]), b = wf_load(s->x1, v[k]);
            x[k] = wf_madd(a, (double)m / MOMENTS, wf_sub(b, a));
        }
        double square = edges ? wf_near_edge_edge(x[0], x[1], x[2], x[3], w)
                              : wf_near_point_triangle(x[0], x[1], x[2], x[3], w);
        least = fmin(least, sqrt(square));
    }
    return least;
}

// Flags and lists say the same, and so do the sifts of every machine; of any number of pairs.
static void check_sifts(const WfSift* sift, WfPairKind kind, const WfPairList* all) {
    int most = all->count, count = (int)(random_unit() * most);
    for (int k = 0; k < 2; k++) {
        const WfSiftKernel* kernel = k ? wf_sift_wide() : &wf_sift_plain;
        WfPairList kept = {.pairs = malloc(((size_t)most + 1) * sizeof(WfPair)), .count = count};
        unsigned char* flags = malloc((size_t)count + 1);
        int next = 0;
        for (int i = 0; i < count; i++) kept.pairs[i] = all->pairs[i];
        for (int i = 0; i < count; i++) flags[i] = i % 7 > 0 || i % 5 == 0;
        kernel->pairs(sift, kind, &kept, 0);
        kernel->flags(sift, kind, all->pairs, count, flags);
        for (int i = 0; i < count; i++) {
            WfPair p = all->pairs[i], *q = &kept.pairs[next];
            bool stays = next < kept.count && p.a == q->a && p.b == q->b;
            CHECK(flags[i] == (stays && (i % 7 > 0 || i % 5 == 0)));
            next += stays;
        }
        CHECK(next == kept.count);
        free(kept.pairs);
        free(flags);
    }
}

// Nothing that comes near is lost in a sift, and most of what does not is.
static void sifted_lists(void) {
    WfPairs all = {.allocator = counting_allocator(&counting)}, kept = all;
    const double reach = 0.01;
    int near = 0, left = 0, found = 0;
    for (int round = 0; round < 8; round++) {
        Sheet s = make_sheet(15, 15, 0);
        for (int i = 0; i < 3 * s.vertex_count; i++) {
            s.x[i] += 0.02 * round * (random_unit() - 0.5);
            s.x1[i] = s.x[i] + 0.02 * (random_unit() - 0.5) + (i % 3 == 1 ? 0.5 * round : 0);
        }
        fit(&s, reach);
        WfSift sift = {
            &s.tree, &s.tree, {{0, reach, 0}, {0, reach, 0}}, {{0, reach, 0}, {0, reach, 0}}, 1,
            2,       false};
        wf_pairs_self(&s.tree, &all);
        check_sifts(&sift, WF_POINTS, &all.points);
        check_sifts(&sift, WF_EDGES, &all.edges);
        sift.own = true;
        check_sifts(&sift, WF_EDGES, &all.edges);
        sift.own = false;
        kept.sift = &sift;
        wf_pairs_self(&s.tree, &kept);
        WfPairList* lists[2][2] = {{&all.points, &kept.points}, {&all.edges, &kept.edges}};
        for (int k = 0; k < 2; k++) {
            const int *triangles = s.surface->triangles, *edges = s.surface->edges;
            wf_pairs_sort(&kept, lists[k][1]);
            for (int i = 0; i < lists[k][0]->count; i++) {
                WfPair p = lists[k][0]->pairs[i];
                const int *u = k ? edges + 2 * p.a : &p.a,
                          *v = k ? edges + 2 * p.b : triangles + 3 * p.b;
                const int corner[4] = {u[0], k ? u[1] : v[0], v[k ? 0 : 1], v[k ? 1 : 2]};
                bool is = holds_sorted(lists[k][1], p);
                if (nearest_of(&s, corner, k) < reach) {
                    CHECK(is);
                    near++;
                } else {
                    left += is;
                }
                found++;
            }
        }
        destroy_sheet(&s);
    }
    CHECK(near > 1000);
    CHECK_BELOW(left, 0.2 * found);
    wf_pairs_destroy(&all);
    wf_pairs_destroy(&kept);
}

static void check_same_pairs(WfPairs* a, WfPairs* b) {
    WfPairList* lists[3][2] = {
        {&a->points, &b->points}, {&a->corners, &b->corners}, {&a->edges, &b->edges}};
    for (int k = 0; k < 3; k++) {
        wf_pairs_sort(a, lists[k][0]);
        wf_pairs_sort(b, lists[k][1]);
        bool same = lists[k][0]->count == lists[k][1]->count;
        for (int i = 0; i < lists[k][0]->count && same; i++)
            same = lists[k][0]->pairs[i].a == lists[k][1]->pairs[i].a &&
                   lists[k][0]->pairs[i].b == lists[k][1]->pairs[i].b;
        CHECK(same);
    }
}

// A sift for sheets whose boxes reach as far: what comes within it.
static WfSift sift_for(const Sheet* s, const Sheet* t, double reach) {
    const WfNearness near = {0, 2 * reach, 0};
    return (WfSift){&s->tree, &t->tree, {near, near}, {near, near}, 1, 2, false};
}

// Somebody's threads: blocks come in any order, and none asks for memory.
static void run_backwards(void* user, int count, void (*block)(void* context, int index),
                          void* context) {
    long calls = counting.calls;
    for (int i = count - 1; i >= 0; i--) block(context, i);
    CHECK(counting.calls == calls);
    ++*(int*)user;
}

static void on_threads(void) {
    int runs = 0;
    const WeftJobs jobs = {.run = run_backwards, .user = &runs};
    WfPairs one = {.allocator = counting_allocator(&counting)}, many = one;
    many.jobs = &jobs;
    for (int round = 0; round < 4; round++) {
        Sheet s = make_sheet(40, 40, 0), t = make_sheet(40, 40, 0.02 * round);
        fit(&s, 0.01 * (round + 1));
        fit(&t, 0.01);
        wf_pairs_self(&s.tree, &one);
        wf_pairs_self(&s.tree, &many);
        CHECK(one.edges.count > 1000 && one.found == many.found);
        check_same_pairs(&one, &many);
        wf_pairs_between(&s.tree, &t.tree, &one);
        wf_pairs_between(&s.tree, &t.tree, &many);
        check_same_pairs(&one, &many);
        // searches that end early, too
        one.most_edges = many.most_edges = 500;
        wf_pairs_self(&s.tree, &one);
        wf_pairs_self(&s.tree, &many);
        CHECK(one.full && many.full && one.found == many.found);
        check_same_pairs(&one, &many);
        one.most_edges = many.most_edges = 0;
        destroy_sheet(&s);
        destroy_sheet(&t);
    }
    CHECK(runs >= 8);
    wf_pairs_destroy(&one);
    wf_pairs_destroy(&many);
}

// Lists that are renewed for some vertices, time and again, are those of a whole search, once they
// have gone through a sift.
static void renewed_lists(void) {
    WeftAllocator allocator = counting_allocator(&counting);
    WfPairs self = {.allocator = allocator}, between = self, all = self;
    Sheet s = make_sheet(15, 15, 0), t = make_sheet(9, 9, 0.4);
    WfSift own = sift_for(&s, &s, 0.01), other = sift_for(&s, &t, 0.01);
    unsigned char* marks = calloc((size_t)s.vertex_count, 1);
    self.sift = &own;
    between.sift = &other;
    fit(&s, 0.01);
    fit(&t, 0.01);
    wf_pairs_self(&s.tree, &self);
    wf_pairs_between(&s.tree, &t.tree, &between);
    for (int round = 0; round < 20; round++) {
        for (int v = 0; v < s.vertex_count; v++) {
            marks[v] = random_unit() < 0.02 * round;
            for (int k = 0; k < 3 && marks[v]; k++) {
                s.x[3 * v + k] += 0.05 * (random_unit() - 0.5);
                s.x1[3 * v + k] = s.x[3 * v + k] + 0.1 * (random_unit() - 0.5);
            }
        }
        fit(&s, 0.01);
        wf_tree_mark(&s.tree, marks);
        wf_tree_mark(&t.tree, NULL);
        wf_pairs_renew_self(&s.tree, marks, &self);
        wf_pairs_renew_between(&s.tree, &t.tree, marks, &between);
        fit(&s, 0.01);
        fit(&t, 0.01);
        all.sift = &own;
        wf_pairs_self(&s.tree, &all);
        CHECK(all.points.count > 0 && all.edges.count > 0);
        check_same_pairs(&self, &all);
        all.sift = &other;
        wf_pairs_between(&s.tree, &t.tree, &all);
        check_same_pairs(&between, &all);
    }
    free(marks);
    wf_pairs_destroy(&self);
    wf_pairs_destroy(&between);
    wf_pairs_destroy(&all);
    destroy_sheet(&s);
    destroy_sheet(&t);
}

// All that lies between the ends and given displacements is found, too.
static void anywhere_between(void) {
    Sheet s = make_sheet(12, 12, 0), t = make_sheet(12, 12, 0);
    WfWays ways[13 * 13];
    CHECK(t.vertex_count == 13 * 13);
    for (int v = 0; v < t.vertex_count; v++) {
        ways[v] = (WfWays){.low = {0, -0.5, 0}, .high = {0, 0, 0}};
        t.x[3 * v + 1] = t.x1[3 * v + 1] = 0.4;
        t.x1[3 * v] += 5;  // away sideways, or else down through the other
    }
    fit(&s, 0.001);
    fit(&t, 0.001);
    check_between(&s, &t);
    WfPairs pairs = {.allocator = counting_allocator(&counting)};
    wf_pairs_between(&s.tree, &t.tree, &pairs);
    CHECK(pairs.points.count == 0);
    wf_tree_fit(&t.tree, t.x, t.x1, (WfReach){0.001, 0.001}, ways);
    wf_pairs_between(&s.tree, &t.tree, &pairs);
    CHECK(pairs.points.count >= s.vertex_count);
    wf_pairs_destroy(&pairs);
    destroy_sheet(&s);
    destroy_sheet(&t);
}

// A search that finds too much ends early, and says so.
static void bounded_search(void) {
    Sheet s = make_sheet(10, 10, 0);
    WfPairs pairs = {.allocator = counting_allocator(&counting)};
    for (int i = 0; i < 3 * s.vertex_count; i++) s.x[i] = s.x1[i] = 0.5;
    fit(&s, 0.001);
    pairs.most_points = 100;
    pairs.most_edges = 100;
    wf_pairs_self(&s.tree, &pairs);
    CHECK(pairs.full && pairs.points.count + pairs.edges.count < 1000);
    pairs.most_points = pairs.most_edges = 0;
    wf_pairs_self(&s.tree, &pairs);
    CHECK(!pairs.full);
    wf_pairs_destroy(&pairs);
    destroy_sheet(&s);
}

// Every order of equal centres must end, also where all are in one place.
static void all_in_one_place(void) {
    Sheet s = make_sheet(12, 12, 0);
    for (int i = 0; i < 3 * s.vertex_count; i++) s.x[i] = s.x1[i] = 0.5;
    fit(&s, 0.001);
    check_self(&s);
    destroy_sheet(&s);
}

static void not_a_number(void) {
    Sheet s = make_sheet(12, 12, 0);
    for (int i = 0; i < 3 * s.vertex_count; i += 7)
        s.x[i] = s.x1[i] = i % 2 ? (double)NAN : HUGE_VAL;
    fit(&s, 0.001);
    WfPairs pairs = {.allocator = counting_allocator(&counting)};
    wf_pairs_self(&s.tree, &pairs);
    CHECK(!pairs.failed);
    wf_pairs_destroy(&pairs);
    destroy_sheet(&s);
}

// Lists are kept; a second search allocates nothing. A failed one says so, and leaks nothing.
static void memory(void) {
    Sheet s = make_sheet(40, 12, 0);
    fold(&s, 0.11);
    fit(&s, 0.004);
    WfPairs pairs = {.allocator = counting_allocator(&counting)};
    wf_pairs_self(&s.tree, &pairs);
    int count = pairs.edges.count;
    long calls = counting.calls;
    for (int i = 0; i < 3; i++) {
        fit(&s, 0.004);
        wf_tree_forget(&s.tree);
        wf_pairs_self(&s.tree, &pairs);
        CHECK(pairs.edges.count == count);
    }
    CHECK(counting.calls == calls);
    wf_pairs_destroy(&pairs);
    long live = counting.live;
    for (int n = 1;; n++) {
        counting.calls = 0;
        counting.fail_at = n;
        wf_pairs_self(&s.tree, &pairs);
        wf_pairs_destroy(&pairs);
        CHECK(counting.live == live);
        if (!pairs.failed) {
            CHECK(n > 2);
            break;
        }
    }
    counting.fail_at = 0;
    destroy_sheet(&s);
    CHECK(counting.live == 0);
}

// The same pairs in the same order, whatever the tree has seen before.
static void same_order(void) {
    Sheet s = make_sheet(40, 12, 0), t = make_sheet(40, 12, 0);
    crumple(&t, 1);
    fit(&t, 0.1);
    memcpy(t.x, s.x, 3 * (size_t)s.vertex_count * sizeof(double));
    memcpy(t.x1, s.x, 3 * (size_t)s.vertex_count * sizeof(double));
    wf_tree_forget(&t.tree);
    WfPairs p = {.allocator = counting_allocator(&counting)}, q = p;
    fit(&s, 0.01);
    fit(&t, 0.01);
    wf_pairs_self(&s.tree, &p);
    wf_pairs_self(&t.tree, &q);
    CHECK(p.edges.count == q.edges.count && p.edges.count > 0);
    CHECK(memcmp(p.edges.pairs, q.edges.pairs, sizeof(WfPair) * (size_t)p.edges.count) == 0);
    CHECK(memcmp(p.points.pairs, q.points.pairs, sizeof(WfPair) * (size_t)p.points.count) == 0);
    wf_pairs_destroy(&p);
    wf_pairs_destroy(&q);
    destroy_sheet(&s);
    destroy_sheet(&t);
}

TEST_MAIN(CASE(boxes_hold_the_way), CASE(nothing_at_all), CASE(every_small_number),
          CASE(flat_sheet), CASE(folded_sheet), CASE(slack), CASE(random_soups), CASE(ropes),
          CASE(two_surfaces), CASE(motion_in_common), SLOW_CASE(sifted_lists), CASE(on_threads),
          CASE(renewed_lists), CASE(anywhere_between), CASE(bounded_search), CASE(all_in_one_place),
          CASE(not_a_number), CASE(memory), CASE(same_order))
