// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Fitting of trees, and the search for what may come near: cloth with itself and with triangles of
// bodies. Boxes of leaves are swept by their mean motion, less that of all the cloth; boxes of what
// is in them are not, and pairs of leaves are swept by the motion of the one against the other. All
// of them are in a frame that goes with the cloth since the step began. Leaves may have been fitted
// at different times: what is in them is where it was then.

// Low and high, as in WfLeafBoxes.
typedef struct Box {
    float low[3], high[3];
} Box;

// Which of eight boxes, rows of `stride`, overlap another one.
KERNEL int overlaps(const float* boxes, int stride, const Box* box) {
    WfOctMask apart = wf_oct_above(wf_oct_load(boxes), wf_oct_set(box->high[0]));
    for (int k = 0; k < 3; k++) {
        WfOct low = wf_oct_load(boxes + (long)stride * k);
        WfOct high = wf_oct_load(boxes + (long)stride * (k + 3));
        apart = wf_oct_or(apart, wf_oct_above(low, wf_oct_set(box->high[k])));
        apart = wf_oct_or(apart, wf_oct_above(wf_oct_set(box->low[k]), high));
    }
    return ~wf_oct_bits(apart) & 0xFF;
}

KERNEL bool overlap(const Box* a, const Box* b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

KERNEL Box box_of(const float* boxes, int stride, int lane, float wider) {
    Box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = boxes[(long)stride * k + lane] - wider;
        box.high[k] = boxes[(long)stride * (k + 3) + lane] + wider;
    }
    return box;
}

KERNEL Box leaf_box(const WfLeafBoxes* b, int leaf, float wider) {
    return box_of(b->leaves + 6 * WF_OCT * (long)(leaf / WF_OCT), WF_OCT, leaf % WF_OCT, wider);
}

KERNEL Box node_box(const WfLeafBoxes* b, int node, float wider) {
    return box_of(b->nodes, b->width, node, wider);
}

// ---------------------------------------------------------------------------------------------
// Fitting

// Points in the frame that goes along.
KERNEL void gather_places(const WfLeafFit* f, const int* points, WfOct p[4]) {
    wf_oct_gather(f->x, points, p);
    for (int k = 0; k < 3; k++) p[k] = wf_oct_sub(p[k], wf_oct_set(f->gone[k]));
}

// Boxes of edges, places of vertices.
KERNEL void fit_features(const WfLeafTree* t, WfLeafBoxes* b, int leaf, const WfLeafFit* f) {
    float* edges = b->edges + 6 * WF_LEAF_EDGES * (long)leaf;
    for (int half = 0; half < 2; half++) {
        WfOct p[2][4];
        for (int end = 0; end < 2; end++)
            gather_places(
                f, t->edges + 2 * WF_LEAF_EDGES * (long)leaf + WF_LEAF_EDGES * end + WF_OCT * half,
                p[end]);
        for (int k = 0; k < 3; k++) {
            wf_oct_store(edges + WF_LEAF_EDGES * k + WF_OCT * half, wf_oct_min(p[0][k], p[1][k]));
            wf_oct_store(edges + WF_LEAF_EDGES * (k + 3) + WF_OCT * half,
                         wf_oct_max(p[0][k], p[1][k]));
        }
    }
    WfOct p[4];
    gather_places(f, t->vertices + WF_OCT * (long)leaf, p);
    for (int k = 0; k < 3; k++)
        wf_oct_store(b->vertices + 3 * WF_OCT * (long)leaf + WF_OCT * k, p[k]);
}

// The mean of lanes that are there.
KERNEL WfPoint4 mean_of(const WfOct3* v, int count) {
    float x[WF_OCT], y[WF_OCT], z[WF_OCT];
    WfPoint4 sum = {0, 0, 0, 0};
    wf_oct_store(x, v->x), wf_oct_store(y, v->y), wf_oct_store(z, v->z);
    for (int l = 0; l < WF_OCT; l++) sum.x += x[l], sum.y += y[l], sum.z += z[l];
    return (WfPoint4){sum.x / (float)count, sum.y / (float)count, sum.z / (float)count, 0};
}

// 1/m: normals of eight triangles turn from their mean by an angle of this cosine, over half of
// what they measure across.
KERNEL float bend_of(WfOct p[3][4], float cosine) {
    float square = 0;
    for (int k = 0; k < 3; k++) {
        WfOct least = wf_oct_min(wf_oct_min(p[0][k], p[1][k]), p[2][k]);
        WfOct most = wf_oct_max(wf_oct_max(p[0][k], p[1][k]), p[2][k]);
        float size = wf_oct_most(most) - wf_oct_least(least);
        square += size * size / 4;
    }
    return sqrtf(wf_larger(0, 2 * (1 - cosine)) / wf_larger(square, 1e-12f));
}

// Which triangles are lower than `height`: they may turn over at once, whatever their normals are.
KERNEL int are_thin(WfOct3 d, WfOct3 e, WfOct3 n, float height) {
    WfOct3 f = wf_oct3_sub(e, d);
    WfOct longest = wf_oct_max(wf_oct_max(wf_oct3_dot(d, d), wf_oct3_dot(e, e)), wf_oct3_dot(f, f));
    WfOct least = wf_oct_mul(wf_oct_set(height * height), longest);
    return wf_oct_bits(wf_oct_above(least, wf_oct3_dot(n, n)));
}

// The least cosine of lanes that are there; -1 where none is, or one of them is thin.
KERNEL float least_cosine(WfOct cosines, int there, int thin) {
    float cosine[WF_OCT], least = 1;
    wf_oct_store(cosine, cosines);
    if (!there || there & thin) return -1;
    for (int l = 0; l < WF_OCT; l++)
        if (there >> l & 1 && cosine[l] < least) least = cosine[l];
    return least;
}

// Mean normal, and how far they are from it; normals of vertices where they are wanted.
KERNEL void fit_cone(const WfLeafTree* t, WfLeafBoxes* b, int leaf, WfOct p[3][4], float height,
                     WfPoint4* normals) {
    WfOct3 a = wf_oct3_of(p[0]);
    WfOct3 d = wf_oct3_sub(wf_oct3_of(p[1]), a), e = wf_oct3_sub(wf_oct3_of(p[2]), a);
    WfOct3 n = wf_oct3_cross(d, e);
    WfOct length = wf_oct_sqrt(wf_oct_max(wf_oct3_dot(n, n), wf_oct_set(1e-24f)));
    WfOct3 unit = wf_oct3_mul(wf_oct_div(wf_oct_set(1), length), n);
    WfPoint4 mean = mean_of(&unit, WF_OCT);
    float size = sqrtf(mean.x * mean.x + mean.y * mean.y + mean.z * mean.z);
    float by = size > 0 ? 1 / size : 0;
    mean = (WfPoint4){mean.x * by, mean.y * by, mean.z * by, 0};
    WfOct3 axis = {wf_oct_set(mean.x), wf_oct_set(mean.y), wf_oct_set(mean.z)};
    mean.w =
        least_cosine(wf_oct3_dot(unit, axis), t->has_triangles[leaf], are_thin(d, e, n, height));
    b->cone[leaf] = mean;
    b->bend[leaf] = bend_of(p, mean.w);
    if (!normals) return;
    float x[WF_OCT], y[WF_OCT], z[WF_OCT];
    wf_oct_store(x, n.x), wf_oct_store(y, n.y), wf_oct_store(z, n.z);
    for (int l = 0; l < WF_OCT; l++)
        for (int k = 0; k < 3 && t->has_triangles[leaf] >> l & 1; k++) {
            WfPoint4* to = &normals[t->corners[3 * WF_OCT * (long)leaf + WF_OCT * k + l]];
            to->x += x[l], to->y += y[l], to->z += z[l];
        }
}

// m/s, squared: the most by which points are faster or slower than their mean.
KERNEL float spread_of(WfOct v[3][4], WfPoint4 mean) {
    WfOct3 axis = {wf_oct_set(mean.x), wf_oct_set(mean.y), wf_oct_set(mean.z)};
    WfOct most = wf_oct_zero();
    for (int c = 0; c < 3; c++) {
        WfOct3 d = wf_oct3_sub(wf_oct3_of(v[c]), axis);
        most = wf_oct_max(most, wf_oct3_dot(d, d));
    }
    return wf_oct_most(most);
}

KERNEL WfPoint4 mean_of_corners(WfOct p[3][4]) {
    WfOct3 sum = wf_oct3_add(wf_oct3_of(p[0]), wf_oct3_add(wf_oct3_of(p[1]), wf_oct3_of(p[2])));
    return mean_of(&sum, 3 * WF_OCT);
}

static const float EARLY = 1.25f;  // times the way that a spread leads to: it may grow
static const float CALM = 0.1f;    // of the slack: what any leaf may stray

// m: what a leaf may stray; as far as it will by its spread, but no further than the slack where
// one substep does not take it there.
KERNEL float stray_of(const WfLeafFit* f, float spread) {
    float calm = wf_lesser(EARLY * f->ahead * spread + CALM * f->slack, f->slack);
    return f->slack > 0 ? wf_larger(calm, EARLY * f->h * spread) : f->ahead * spread + f->bow;
}

KERNEL void fit_leaf(const WfLeafTree* t, WfLeafBoxes* b, int leaf, const WfLeafFit* f) {
    const int* corners = t->corners + 3 * WF_OCT * (long)leaf;
    float* boxes = b->triangles + 6 * WF_OCT * (long)leaf;
    float* of_leaf = b->leaves + 6 * WF_OCT * (long)(leaf / WF_OCT) + leaf % WF_OCT;
    WfOct p[3][4], u[3][4];
    for (int c = 0; c < 3; c++) gather_places(f, corners + WF_OCT * c, p[c]);
    for (int c = 0; c < 3; c++) wf_oct_gather(f->v, corners + WF_OCT * c, u[c]);
    WfPoint4 mean = mean_of_corners(u);
    float rate[3] = {mean.x - f->drift[0], mean.y - f->drift[1], mean.z - f->drift[2]};
    float stray = stray_of(f, sqrtf(spread_of(u, mean)));
    fit_cone(t, b, leaf, p, f->slack, f->normals);
    float cosine = b->cone[leaf].w, sine = sqrtf(wf_larger(0, 1 - cosine * cosine));
    b->motion[leaf] = (WfPoint4){rate[0], rate[1], rate[2], sine};
    b->begun[leaf] = f->begun;
    b->stray[leaf] = stray;
    fit_features(t, b, leaf, f);
    for (int k = 0; k < 3; k++) {
        WfOct least = wf_oct_min(wf_oct_min(p[0][k], p[1][k]), p[2][k]);
        WfOct most = wf_oct_max(wf_oct_max(p[0][k], p[1][k]), p[2][k]);
        wf_oct_store(boxes + WF_OCT * k, least);
        wf_oct_store(boxes + WF_OCT * (k + 3), most);
        float way = f->ahead * rate[k];
        of_leaf[WF_OCT * k] = wf_oct_least(least) + wf_lesser(way, 0) - stray - f->radius;
        of_leaf[WF_OCT * (k + 3)] = wf_oct_most(most) + wf_larger(way, 0) + stray + f->radius;
    }
    if (!b->places) return;
    float* places = b->places + 9 * WF_OCT * (long)leaf;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) wf_oct_store(places + WF_OCT * (3 * c + k), p[c][k]);
}

// Returns how many leaves of a node were fitted.
KERNEL int fit_node(const WfLeafTree* t, WfLeafBoxes* b, int node, const WfLeafFit* f) {
    float* leaves = b->leaves + 6 * WF_OCT * (long)node;
    int count = 0;
    for (int l = WF_OCT * node; l < WF_OCT * (node + 1); l++) {
        for (int k = 0; k < 3 && l >= t->leaf_count; k++)  // nowhere
            leaves[WF_OCT * k + l % WF_OCT] = FLT_MAX,
                                    leaves[WF_OCT * (k + 3) + l % WF_OCT] = -FLT_MAX;
        if (l >= t->leaf_count || (f->marked && !f->marked[l])) continue;
        fit_leaf(t, b, l, f);
        count++;
    }
    return count;
}

BODY void fit_tree(const WfLeafTree* t, WfLeafBoxes* b, const WfLeafFit* f) {
    for (int node = 0; node < b->width; node++) {
        const float* leaves = b->leaves + 6 * WF_OCT * (long)node;
        bool there = node < t->node_count;
        if (there && fit_node(t, b, node, f) == 0) continue;
        for (int k = 0; k < 3; k++) {
            b->nodes[(long)b->width * k + node] =
                there ? wf_oct_least(wf_oct_load(leaves + WF_OCT * k)) : FLT_MAX;
            b->nodes[(long)b->width * (k + 3) + node] =
                there ? wf_oct_most(wf_oct_load(leaves + WF_OCT * (k + 3))) : -FLT_MAX;
        }
    }
}

BODY void measure_leaves(WfSmallContact* c) {
    const WfLeafTree* t = c->def.tree;
    const WfLeafBoxes* b = &c->boxes;
    for (int l = 0; l < t->leaf_count; l++) {
        const int* corners = t->corners + 3 * WF_OCT * (long)l;
        const float* places = b->places + 9 * WF_OCT * (long)l;
        const WfPoint4* rate = &b->motion[l];
        float since = c->time - b->begun[l];
        WfOct3 moved = {wf_oct_set(since * rate->x + c->time * c->drift[0]),
                        wf_oct_set(since * rate->y + c->time * c->drift[1]),
                        wf_oct_set(since * rate->z + c->time * c->drift[2])};
        WfOct x[4], v[3][4], most = wf_oct_zero();
        for (int k = 0; k < 3; k++, places += 3 * WF_OCT) {
            WfOct3 from = {wf_oct_load(places), wf_oct_load(places + WF_OCT),
                           wf_oct_load(places + 2 * WF_OCT)};
            wf_oct_gather(c->x, corners + WF_OCT * k, x);
            wf_oct_gather(c->v, corners + WF_OCT * k, v[k]);
            WfOct3 d = wf_oct3_sub(wf_oct3_sub(wf_oct3_of(x), from), moved);
            most = wf_oct_max(most, wf_oct3_dot(d, d));
        }
        c->strayed[l] = sqrtf(wf_oct_most(most));
        c->spread[l] = sqrtf(spread_of(v, mean_of_corners(v)));
    }
}

// ---------------------------------------------------------------------------------------------
// Pairs of leaves

KERNEL void add_pair(WfSmallContact* c, WfSmallKind kind, int i0, int i1, int i2, int i3, int body,
                     int first, int second) {
    WfNearList* list = &c->lists[kind];
    if (list->count == list->capacity) wf_near_grow(&c->allocator, list);
    if (list->count == list->capacity) return;
    int k = list->count++;
    list->points[0][k] = i0, list->points[1][k] = i1;
    list->points[2][k] = i2, list->points[3][k] = i3;
    list->body[k] = body;
    list->leaf[0][k] = first, list->leaf[1][k] = second;
}

// Leaves that lie beside each other and face about the same way do not touch each other.
static const float FLAT = 0.7f;  // cosine: normals within 45 degrees of the mean of both

KERNEL bool is_flat(const WfLeafBoxes* b, int l, int m) {
    WfPoint4 p = b->cone[l], q = b->cone[m];
    float cosine = p.x * q.x + p.y * q.y + p.z * q.z;
    if (p.w <= FLAT || q.w <= FLAT || cosine <= 0) return false;
    // half of the angle between the two, and that of either cone
    float half = sqrtf((1 + cosine) / 2), sine = sqrtf(wf_larger(0, 1 - cosine) / 2);
    return half * p.w - sine * b->motion[l].w > FLAT && half * q.w - sine * b->motion[m].w > FLAT;
}

KERNEL bool are_beside(const WfLeafTree* t, int l, int m) {
    for (int k = t->beside_start[l]; k < t->beside_start[l + 1]; k++)
        if (t->beside[k] == m) return true;
    return false;
}

// Where the second of two leaves is as the first sees it, against where both were fitted, from now
// to the horizon.
typedef struct Sweep {
    float now[3], low[3], high[3], length;
} Sweep;

KERNEL Sweep sweep_of(const WfSmallContact* c, const WfLeafBoxes* b, int l, const WfLeafBoxes* d,
                      int m) {
    const WfPoint4 *of = &d->motion[m], *from = &b->motion[l];
    float s = c->time - d->begun[m], r = c->time - b->begun[l], ahead = c->until - c->time;
    const float way[3] = {ahead * (of->x - from->x), ahead * (of->y - from->y),
                          ahead * (of->z - from->z)};
    Sweep sweep = {
        {s * of->x - r * from->x, s * of->y - r * from->y, s * of->z - r * from->z}, {0}, {0}, 0};
    float square = 0;
    for (int k = 0; k < 3; k++) {
        sweep.low[k] = sweep.now[k] + wf_lesser(way[k], 0);
        sweep.high[k] = sweep.now[k] + wf_larger(way[k], 0);
        square += way[k] * way[k];
    }
    sweep.length = sqrtf(square);
    return sweep;
}

// What a search of a pair of leaves works on; `body`: of pairs, of which the second leaf is.
typedef struct LeafPair {
    const WfLeafTree *t, *u;
    const WfLeafBoxes *b, *d;
    int l, m;
    Sweep sweep;  // of m, as l sees it
    float margin;
    int body;
    bool same_tree;
} LeafPair;

// The box of the first leaf as the second has its places, with what lies between them.
KERNEL Box first_box(const LeafPair* p) {
    Box box = leaf_box(p->b, p->l, p->margin);
    for (int k = 0; k < 3; k++) box.low[k] -= p->sweep.high[k], box.high[k] -= p->sweep.low[k];
    return box;
}

// Vertices of l and triangles of m.
KERNEL void search_points(WfSmallContact* c, const LeafPair* p, int body) {
    const float* vertices = p->b->vertices + 3 * WF_OCT * (long)p->l;
    const float* boxes = p->d->triangles + 6 * WF_OCT * (long)p->m;
    Box all = first_box(p);
    int near = overlaps(boxes, WF_OCT, &all) & p->u->has_triangles[p->m];
    for (int lane = 0; near; lane++, near >>= 1) {
        if (!(near & 1)) continue;
        WfOctMask out = wf_oct_above(wf_oct_zero(), wf_oct_zero());
        for (int k = 0; k < 3; k++) {
            WfOct x = wf_oct_load(vertices + WF_OCT * k);
            float low = boxes[WF_OCT * k + lane] + p->sweep.low[k] - p->margin;
            float high = boxes[WF_OCT * (k + 3) + lane] + p->sweep.high[k] + p->margin;
            out = wf_oct_or(out, wf_oct_or(wf_oct_above(wf_oct_set(low), x),
                                           wf_oct_above(x, wf_oct_set(high))));
        }
        int bits = ~wf_oct_bits(out) & p->t->has_vertices[p->l];
        const int* corner = p->u->corners + 3 * WF_OCT * (long)p->m + lane;
        for (int z = 0; bits; z++, bits >>= 1) {
            int i = p->t->vertices[WF_OCT * (long)p->l + z];
            int c0 = corner[0], c1 = corner[WF_OCT], c2 = corner[2 * WF_OCT];
            if (!(bits & 1) || i == c0 || i == c1 || i == c2) continue;
            add_pair(c, WF_SMALL_POINTS, i, c0, c1, c2, body, p->b->first + p->l,
                     p->d->first + p->m);
        }
    }
}

// Which of the edges of a leaf overlap a box.
KERNEL int edges_in(const WfLeafTree* t, const WfLeafBoxes* b, int leaf, const Box* box) {
    const float* edges = b->edges + 6 * WF_LEAF_EDGES * (long)leaf;
    int bits = overlaps(edges, WF_LEAF_EDGES, box);
    return (bits | overlaps(edges + WF_OCT, WF_LEAF_EDGES, box) << WF_OCT) & t->has_edges[leaf];
}

// Edges of both.
KERNEL void search_edges(WfSmallContact* c, const LeafPair* p) {
    const int* of_l = p->t->edges + 2 * WF_LEAF_EDGES * (long)p->l;
    const int* of_m = p->u->edges + 2 * WF_LEAF_EDGES * (long)p->m;
    bool same = p->same_tree && p->l == p->m;
    Box all = leaf_box(p->d, p->m, p->margin);
    for (int k = 0; k < 3; k++) all.low[k] += p->sweep.low[k], all.high[k] += p->sweep.high[k];
    int near = edges_in(p->t, p->b, p->l, &all);
    for (int k = 0; near; k++, near >>= 1) {
        if (!(near & 1)) continue;
        Box box = box_of(p->b->edges + 6 * WF_LEAF_EDGES * (long)p->l, WF_LEAF_EDGES, k, p->margin);
        for (int a = 0; a < 3; a++) box.low[a] -= p->sweep.high[a], box.high[a] -= p->sweep.low[a];
        int bits = edges_in(p->u, p->d, p->m, &box);
        if (same) bits &= ~((2 << k) - 1);
        int i0 = of_l[k], i1 = of_l[WF_LEAF_EDGES + k];
        for (int z = 0; bits; z++, bits >>= 1) {
            int j0 = of_m[z], j1 = of_m[WF_LEAF_EDGES + z];
            if (!(bits & 1) || i0 == j0 || i0 == j1 || i1 == j0 || i1 == j1) continue;
            add_pair(c, WF_SMALL_EDGES, i0, i1, j0, j1, p->body, p->b->first + p->l,
                     p->d->first + p->m);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Cloth with itself

KERNEL bool groups_meet(const WfSmallContact* c, int a, int b) {
    return !c->layers_meet || c->layers_meet[a * c->def.cloth_count + b];
}

// m: that leaves may stray, and thickness.
KERNEL float margin_of(const WfLeafBoxes* b, int l, const WfLeafBoxes* d, int m, float thickness) {
    return b->stray[l] + d->stray[m] + thickness;
}

KERNEL void search_self_leaves(WfSmallContact* c, int l, int m) {
    const WfLeafTree* t = c->def.tree;
    WfLeafBoxes* b = &c->boxes;
    if (!groups_meet(c, t->group[l], t->group[m])) return;
    if (are_beside(t, l, m) && is_flat(b, l, m)) return;
    float margin = margin_of(b, l, b, m, c->most_layer);
    LeafPair pair = {t, t, b, b, l, m, sweep_of(c, b, l, b, m), margin, 0, true};
    search_points(c, &pair, 0);
    search_edges(c, &pair);
    if (l == m) return;
    LeafPair back = {t, t, b, b, m, l, sweep_of(c, b, m, b, l), margin, 0, true};
    search_points(c, &back, 0);
}

// Leaves of node n that are searched for, and those of node o; of two that both are, the first with
// the second.
KERNEL void search_self_nodes(WfSmallContact* c, int n, int o) {
    const WfLeafBoxes* b = &c->boxes;
    Box other = node_box(b, o, 0);
    for (int l = WF_OCT * n; l < WF_OCT * (n + 1) && l < c->def.tree->leaf_count; l++) {
        if (!c->anew[l]) continue;
        Box box = leaf_box(b, l, c->most_layer);
        if (!overlap(&box, &other)) continue;
        int bits = overlaps(b->leaves + 6 * WF_OCT * (long)o, WF_OCT, &box);
        for (int m = WF_OCT * o; bits; m++, bits >>= 1)
            if (bits & 1 && m < c->def.tree->leaf_count && (m >= l || !c->anew[m]))
                search_self_leaves(c, l, m);
    }
}

KERNEL bool is_marked(const WfSmallContact* c, int node) {
    int count = 0;
    for (int l = WF_OCT * node; l < WF_OCT * (node + 1) && l < c->def.tree->leaf_count; l++)
        count += c->anew[l];
    return count > 0;
}

BODY void search_self(WfSmallContact* c) {
    const WfLeafBoxes* b = &c->boxes;
    for (int n = 0; n < c->def.tree->node_count; n++) {
        if (!is_marked(c, n)) continue;
        Box box = node_box(b, n, c->most_layer);
        for (int o = 0; o < c->def.tree->node_count; o += WF_OCT) {
            int bits = overlaps(b->nodes + o, b->width, &box);
            for (int k = 0; bits; k++, bits >>= 1)
                if (bits & 1 && o + k < c->def.tree->node_count) search_self_nodes(c, n, o + k);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Cloth with the triangles of a body

// Which triangle of the leaf m is nearest to a vertex, where it is nearer than what is known and
// than `far`. box: around it, when the leaf was fitted.
KERNEL void find_nearest(WfSmallContact* c, WfSmallBody* body, int m, int vertex, const Box* box) {
    const WfPoint4* x = &c->x[vertex];
    const WfLeafTree* u = body->tree;
    int bits = overlaps(body->boxes.triangles + 6 * WF_OCT * (long)m, WF_OCT, box);
    if (!(bits & u->has_triangles[m])) return;
    WfOct p[4][4];
    p[0][0] = wf_oct_set(x->x), p[0][1] = wf_oct_set(x->y), p[0][2] = wf_oct_set(x->z);
    for (int k = 0; k < 3; k++)
        wf_oct_gather(c->x, u->corners + 3 * WF_OCT * (long)m + WF_OCT * k, p[k + 1]);
    Near near = near_points(p);
    float square[WF_OCT];
    wf_oct_store(square, near.square);
    for (int lane = 0; lane < WF_OCT; lane++)
        if (u->has_triangles[m] >> lane & 1 && square[lane] < c->distance[vertex]) {
            c->distance[vertex] = square[lane];
            body->nearest[vertex] = u->triangles[WF_OCT * (long)m + lane];
        }
}

// Of the vertices of leaf l, those that have not come nearer to the body than to the leaf m.
KERNEL void find_nearest_of_leaf(WfSmallContact* c, WfSmallBody* body, int l, int m,
                                 const Sweep* sweep, float near) {
    const WfLeafTree* t = c->def.tree;
    const float* vertices = c->boxes.vertices + 3 * WF_OCT * (long)l;
    const int* number = t->vertices + WF_OCT * (long)l;
    Box box = leaf_box(&body->boxes, m, 0);
    WfOct square = wf_oct_zero();
    float known[WF_OCT], far = near + sweep->length;
    for (int z = 0; z < WF_OCT; z++) known[z] = wf_lesser(c->distance[number[z]], far * far);
    for (int k = 0; k < 3; k++) {
        WfOct x = wf_oct_load(vertices + WF_OCT * k);
        WfOct below = wf_oct_sub(wf_oct_set(box.low[k]), x);
        WfOct out =
            wf_oct_max(wf_oct_max(below, wf_oct_sub(x, wf_oct_set(box.high[k]))), wf_oct_zero());
        square = wf_oct_madd(out, out, square);
    }
    int bits = wf_oct_bits(wf_oct_above(wf_oct_load(known), square)) & t->has_vertices[l];
    for (int z = 0; bits; z++, bits >>= 1) {
        if (!(bits & 1)) continue;
        const WfPoint4* x = &c->x[number[z]];
        float wide = sqrtf(known[z]) + body->boxes.stray[m];
        const float at[3] = {x->x - c->time * c->drift[0] - sweep->now[0],
                             x->y - c->time * c->drift[1] - sweep->now[1],
                             x->z - c->time * c->drift[2] - sweep->now[2]};
        Box around = {{at[0] - wide, at[1] - wide, at[2] - wide},
                      {at[0] + wide, at[1] + wide, at[2] + wide}};
        find_nearest(c, body, m, number[z], &around);
    }
}

// Vertices are held off by what edges between them sag where the body bends (planes.c). Where that
// would be too much, or where a plane that they slide along for a round turns away by as much,
// edges and triangles see to themselves.
KERNEL bool bends(const WfSmallContact* c, const WfSmallBody* body, int m, float slide) {
    float reach = c->edge * c->edge / 2 + slide * slide;  // a leaf may bend twice its mean
    float bend = body->body->exact ? 1 / (float)body->body->radius : body->boxes.bend[m];
    return body->tree->sharp[m] || bend * reach > wf_most_sag(c);
}

KERNEL void search_body_leaves(WfSmallContact* c, WfSmallBody* body, int l, int m) {
    const WfLeafTree *t = c->def.tree, *u = body->tree;
    WfLeafBoxes *b = &c->boxes, *d = &body->boxes;
    Sweep sweep = sweep_of(c, b, l, d, m);
    float margin = margin_of(b, l, d, m, c->most_thickness + body->radius);
    if (!body->body->exact) find_nearest_of_leaf(c, body, l, m, &sweep, margin + wf_most_sag(c));
    if (!bends(c, body, m, sweep.length)) return;
    Box near = leaf_box(b, l, c->most_thickness), box = leaf_box(d, m, 0);
    if (!overlap(&near, &box)) return;
    bool solid = body->body->solid && !body->body->exact;
    int number = (int)(body - c->bodies) << WF_OF_BODY_BITS | (solid ? WF_OF_SOLID : 0);
    LeafPair pair = {t, u, b, d, l, m, sweep, margin, number | WF_OF_BODY_SECOND, false};
    search_points(c, &pair, number | WF_OF_BODY_SECOND);
    search_edges(c, &pair);
    LeafPair back = {u, t, d, b, m, l, sweep_of(c, d, m, b, l), margin, 0, false};
    search_points(c, &back, number | WF_OF_BODY_FIRST);
}

KERNEL void search_body_nodes(WfSmallContact* c, WfSmallBody* body, int n, int o, float reach) {
    Box other = node_box(&body->boxes, o, 0);
    for (int l = WF_OCT * n; l < WF_OCT * (n + 1) && l < c->def.tree->leaf_count; l++) {
        if (!c->anew[l] || (body->meets && !body->meets[c->def.tree->group[l]])) continue;
        Box box = leaf_box(&c->boxes, l, reach);
        if (!overlap(&box, &other)) continue;
        int bits = overlaps(body->boxes.leaves + 6 * WF_OCT * (long)o, WF_OCT, &box);
        for (int m = WF_OCT * o; bits; m++, bits >>= 1)
            if (bits & 1 && m < body->tree->leaf_count) search_body_leaves(c, body, l, m);
    }
}

BODY void search_body(WfSmallContact* c, WfSmallBody* body) {
    const WfLeafBoxes* d = &body->boxes;
    float reach = c->most_thickness + wf_most_sag(c);
    for (int n = 0; n < c->def.tree->node_count; n++) {
        if (!is_marked(c, n)) continue;
        Box box = node_box(&c->boxes, n, reach);
        for (int o = 0; o < body->tree->node_count; o += WF_OCT) {
            int bits = overlaps(d->nodes + o, d->width, &box);
            for (int k = 0; bits; k++, bits >>= 1)
                if (bits & 1 && o + k < body->tree->node_count)
                    search_body_nodes(c, body, n, o + k, reach);
        }
    }
}
