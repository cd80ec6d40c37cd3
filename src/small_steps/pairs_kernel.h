// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Pairs of features, eight at a time: which are near, which way they are apart and which of them
// push in the next round (refresh), and at its end, whether a plane still divides them (divide).

KERNEL void gather_pairs(const WfPoint4* x, const WfNearList* list, int first, WfOct p[4][4]) {
    for (int k = 0; k < 4; k++) wf_oct_gather(x, list->points[k] + first, p[k]);
}

KERNEL Near near_pairs(WfSmallKind kind, WfOct p[4][4]) {
    return kind == WF_SMALL_EDGES ? near_edges(p) : near_points(p);
}

// Lanes beyond the end repeat the last pair.
KERNEL void pad_list(WfNearList* list) {
    for (int k = list->count; k % WF_OCT != 0; k++)
        for (int a = 0; a < 4; a++) list->points[a][k] = list->points[a][list->count - 1];
}

// The bits of the lanes that there are.
KERNEL int lanes_from(const WfNearList* list, int first) {
    int left = list->count - first;
    return left >= WF_OCT ? 0xFF : (1 << left) - 1;
}

// ---------------------------------------------------------------------------------------------
// Behind a search: those that may meet are kept.

KERNEL float least_layer(const WfSmallContact* c, const WfNearList* list, int k) {
    float least = FLT_MAX;
    for (int a = 0; a < 4; a++) {
        int i = list->points[a][k];
        if (i < c->def.vertex_count)
            least = wf_lesser(least, list->body[k] ? c->thickness[i] : c->layer[i]);
    }
    return least;
}

// How a leaf of any tree is expected to go up to the horizon, and m: how far that may be wrong,
// from where it is.
KERNEL WfPoint4 way_ahead(const WfSmallContact* c, int leaf) {
    const WfPoint4* m = &c->motion[leaf];
    float left = c->until - c->time;
    float stray = c->begun[leaf] < c->time ? 2 * c->stray[leaf] : c->stray[leaf];
    return (WfPoint4){left * m->x, left * m->y, left * m->z, stray};
}

// m: the larger one of a round body.
KERNEL float body_radius(const WfSmallContact* c, const WfNearList* list, int k) {
    return list->body[k] ? c->bodies[list->body[k] >> WF_OF_BODY_BITS].radius : 0;
}

// m: from which distance on a pair may meet, r from the second to the first.
KERNEL float reach_of(const WfSmallContact* c, const WfNearList* list, int k, const float r[3],
                      float d) {
    WfPoint4 a = way_ahead(c, list->leaf[0][k]), b = way_ahead(c, list->leaf[1][k]);
    float closing = r[0] * (b.x - a.x) + r[1] * (b.y - a.y) + r[2] * (b.z - a.z);
    return a.w + b.w + (closing > 0 && d > 0 ? closing / d : 0);
}

KERNEL void keep_pair(WfSmallContact* c, WfNearList* list, int k, float thickness) {
    int to = list->count++;
    wf_near_put(list, k, to);
    for (int a = 0; a < 2; a++)
        if (list->leaf[a][to] < c->leaf_count) c->listed[list->leaf[a][to]] = 1;
    list->thickness[to] = thickness;
    list->radius[to] = 0;
    list->nx[to] = list->ny[to] = list->nz[to] = 0;
}

KERNEL void narrow_list(WfSmallContact* c, WfSmallKind kind, int first) {
    WfNearList* list = &c->lists[kind];
    int count = list->count;
    pad_list(list);
    list->count = first;
    for (int s = first / WF_OCT * WF_OCT; s < count; s += WF_OCT) {
        WfOct p[4][4];
        float square[WF_OCT], r[3][WF_OCT];
        gather_pairs(c->x, list, s, p);
        Near near = near_pairs(kind, p);
        wf_oct_store(square, near.square);
        wf_oct_store(r[0], near.r.x), wf_oct_store(r[1], near.r.y), wf_oct_store(r[2], near.r.z);
        for (int k = s < first ? first : s; k < s + WF_OCT && k < count; k++) {
            const float apart[3] = {r[0][k - s], r[1][k - s], r[2][k - s]};
            float thickness = least_layer(c, list, k), d = sqrtf(square[k - s]);
            float radius = body_radius(c, list, k);
            if (d > radius + thickness + reach_of(c, list, k, apart, d)) continue;
            keep_pair(c, list, k, thickness);
        }
    }
    pad_list(list);
}

// first: of each kind, those that are new.
BODY void narrow_pairs(WfSmallContact* c, const int first[WF_SMALL_KINDS]) {
    for (int kind = 0; kind < WF_SMALL_KINDS; kind++)
        narrow_list(c, (WfSmallKind)kind, first[kind]);
}

// ---------------------------------------------------------------------------------------------
// A round begins

static const float TOUCHING = 2e-5f;  // m: nearer, directions are rounding, and the last one stays
static const float RECOVERY = 0.25f;  // of the thickness: what comes back of it in a round
// m/s^2: what presses cloth together, about its weight; pairs that this alone would close push
static const float PRESSED = 10;
static const float DEEP = 4;  // thicknesses that pairs bring cloth out of a body; more, planes do

// The normal of the body out of it, along which sides are told.
KERNEL WfOct3 body_normals(const WfSmallContact* c, WfSmallKind kind, const WfNearList* list,
                           int first) {
    WfOct n[4], m[4];
    int i[WF_OCT];
    for (int k = 0; k < WF_OCT; k++) {
        bool second = (list->body[first + k] & WF_OF_BODY_FIRST) == 0;
        i[k] = list->points[kind == WF_SMALL_EDGES ? 2 : second ? 1 : 0][first + k];
    }
    wf_oct_gather(c->normals, i, n);
    if (kind != WF_SMALL_EDGES) return wf_oct3_of(n);
    wf_oct_gather(c->normals, list->points[3] + first, m);
    return wf_oct3_add(wf_oct3_of(n), wf_oct3_of(m));
}

// Lanes of a list as floats that a mask is made of: 1 where a bit of `body` is set.
KERNEL WfOct flags_of(const WfNearList* list, int first, int bits) {
    float flag[WF_OCT];
    for (int k = 0; k < WF_OCT; k++) flag[k] = list->body[first + k] & bits ? 1.0f : 0.0f;
    return wf_oct_load(flag);
}

KERNEL void add_active(WfSmallContact* c, WfSmallKind kind, const WfNearList* list, int k,
                       const float weights[4], const float normal[3], float share, float target) {
    WfNearActive* a = &c->active[c->active_count++];
    for (int j = 0; j < 4; j++) a->points[j] = list->points[j][k], a->weights[j] = weights[j];
    for (int j = 0; j < 3; j++) a->normal[j] = normal[j];
    a->share = share, a->target = target, a->friction = wf_near_friction(c, kind, list, k);
    for (int j = 0; j < 4 && list->body[k]; j++) {
        int i = list->points[j][k];
        if (i < c->def.vertex_count || c->marked[i]) continue;
        c->marked[i] = 1;
        c->moving[c->moving_count++] = i;
    }
}

// How far apart the two are along n: the first, where it is least, beyond the second.
KERNEL WfOct room_between(WfSmallKind kind, WfOct p[4][4], WfOct3 n) {
    WfOct at[4];
    for (int k = 0; k < 4; k++) at[k] = wf_oct3_dot(n, wf_oct3_of(p[k]));
    WfOct high = wf_oct_max(at[2], at[3]);
    if (kind == WF_SMALL_EDGES) return wf_oct_sub(wf_oct_min(at[0], at[1]), high);
    return wf_oct_sub(at[0], wf_oct_max(at[1], high));
}

// Radii of round bodies where they are nearest to the other feature, into the list.
KERNEL void find_radii(const WfSmallContact* c, WfSmallKind kind, WfNearList* list, int first,
                       const WfOct weights[4]) {
    float w[4][WF_OCT];
    for (int a = 0; a < 4; a++) wf_oct_store(w[a], weights[a]);
    for (int k = 0; k < WF_OCT && first + k < list->count; k++) {
        int bits = list->body[first + k];
        if (!bits) continue;
        const WfSmallBody* body = &c->bodies[bits >> WF_OF_BODY_BITS];
        if (body->radius == 0) continue;
        float radius = 0;
        bool is_first = kind == WF_SMALL_POINTS && bits & WF_OF_BODY_FIRST;
        for (int a = is_first ? 0 : kind == WF_SMALL_EDGES ? 2 : 1; a < (is_first ? 1 : 4); a++) {
            int end = list->points[a][first + k] - body->first;
            radius += fabsf(w[a][k]) * (float)body->body->radii[end];
        }
        list->radius[first + k] = radius;
    }
}

// horizon: s, until the end of the round.
KERNEL void refresh_list(WfSmallContact* c, WfSmallKind kind, float horizon) {
    WfNearList* list = &c->lists[kind];
    WfOct zero = wf_oct_zero(), one = wf_oct_set(1);
    WfOct pressed = wf_oct_set(PRESSED * horizon * horizon);
    for (int s = 0; s < list->count; s += WF_OCT) {
        WfOct p[4][4], u[4][4];
        gather_pairs(c->x, list, s, p);
        gather_pairs(c->v, list, s, u);
        Near near = near_pairs(kind, p);
        WfOct d = wf_oct_sqrt(wf_oct_max(near.square, wf_oct_set(1e-18f)));
        WfOct3 n = wf_oct3_mul(wf_oct_div(one, d), near.r);
        WfOct3 old = {wf_oct_load(list->nx + s), wf_oct_load(list->ny + s),
                      wf_oct_load(list->nz + s)};
        WfOctMask known = wf_oct_above(wf_oct3_dot(old, old), wf_oct_set(0.5f));
        WfOctMask tiny = wf_oct_and(wf_oct_above(wf_oct_set(TOUCHING), d), known);
        n = wf_oct3_choose(tiny, old, n);
        WfOct thickness = wf_oct_load(list->thickness + s);
        if (c->any_round) find_radii(c, kind, list, s, near.c);
        WfOct radius = wf_oct_load(list->radius + s);
        WfOctMask of_body = wf_oct_above(flags_of(list, s, WF_OF_SOLID), zero);
        WfOctMask inside_body = wf_oct_above(zero, zero), skipped = inside_body;
        if (wf_oct_bits(of_body)) {
            WfOct3 out = body_normals(c, kind, list, s);
            WfOct side = wf_oct3_dot(n, out);
            WfOctMask first = wf_oct_above(flags_of(list, s, WF_OF_BODY_FIRST), zero);
            side = wf_oct_choose(first, wf_oct_sub(zero, side), side);
            WfOctMask wrong = wf_oct_and(of_body, wf_oct_above(zero, side));
            WfOct most = wf_oct_mul(wf_oct_set(DEEP), thickness);
            inside_body = wf_oct_and(wf_oct_and(wrong, near.inside), wf_oct_above(most, d));
            WfOct other = wf_oct_choose(inside_body, zero, wf_oct_choose(wrong, one, zero));
            skipped = wf_oct_above(other, zero);
        }
        WfOct sign = wf_oct_choose(inside_body, wf_oct_set(-1), one);
        n = wf_oct3_mul(sign, n);
        d = wf_oct_mul(d, sign);
        wf_oct_store(list->nx + s, n.x), wf_oct_store(list->ny + s, n.y);
        wf_oct_store(list->nz + s, n.z);
        // what nothing divides now is not to be divided
        WfOct room = room_between(kind, p, n);
        room = wf_oct_sub(room, radius);
        room = wf_oct_choose(wf_oct_above(room, zero), room, wf_oct_set(-FLT_MAX));
        wf_oct_store(list->room + s, wf_oct_choose(skipped, wf_oct_set(-FLT_MAX), room));
        WfOct closing = zero, W = zero;
        for (int k = 0; k < 4; k++) {
            WfOct along_n = wf_oct3_dot(n, wf_oct3_of(u[k]));
            closing = wf_oct_sub(closing, wf_oct_mul(near.c[k], along_n));
            W = wf_oct_madd(wf_oct_mul(near.c[k], near.c[k]), p[k][3], W);
        }
        closing = wf_oct_mul(wf_oct_max(closing, zero), wf_oct_set(horizon));
        WfOct reach = wf_oct_add(wf_oct_add(thickness, radius), wf_oct_add(closing, pressed));
        WfOctMask use = wf_oct_and(wf_oct_above(reach, d), wf_oct_above(W, wf_oct_set(1e-6f)));
        if (kind == WF_SMALL_EDGES) use = wf_oct_and(use, wf_oct_or(near.inside, tiny));
        int bits = wf_oct_bits(use) & ~wf_oct_bits(skipped) & lanes_from(list, s);
        if (!bits) continue;
        float w[4][WF_OCT], normal[3][WF_OCT], share[WF_OCT], distance[WF_OCT];
        for (int k = 0; k < 4; k++) wf_oct_store(w[k], near.c[k]);
        wf_oct_store(normal[0], n.x), wf_oct_store(normal[1], n.y), wf_oct_store(normal[2], n.z);
        wf_oct_store(share, wf_oct_div(one, wf_oct_max(W, wf_oct_set(1e-6f))));
        wf_oct_store(distance, d);
        for (int k = 0; k < WF_OCT; k++) {
            if (!(bits >> k & 1)) continue;
            const float weights[4] = {w[0][k], w[1][k], w[2][k], w[3][k]};
            const float along_n[3] = {normal[0][k], normal[1][k], normal[2][k]};
            float keep = list->thickness[s + k], back = RECOVERY * keep;
            float d1 = distance[k] - list->radius[s + k];
            float target = wf_lesser(keep, d1 + (d1 < 0 ? 3 * back : back)) + list->radius[s + k];
            add_active(c, kind, list, s + k, weights, along_n, share[k], target);
        }
    }
}

// There is room for all pairs among the active ones.
BODY void refresh_pairs(WfSmallContact* c, float horizon) {
    for (int kind = 0; kind < WF_SMALL_KINDS; kind++) refresh_list(c, (WfSmallKind)kind, horizon);
}

// ---------------------------------------------------------------------------------------------
// A round ends

// Which pairs of eight nothing divides: along the normal, their first feature does not lie beyond
// their second by a share of their thickness, or by what it did at the start of the round, where
// that is less.
KERNEL int undivided(const WfSmallContact* c, WfSmallKind kind, const WfNearList* list, int s,
                     float share) {
    WfOct p[4][4];
    WfOct3 n = {wf_oct_load(list->nx + s), wf_oct_load(list->ny + s), wf_oct_load(list->nz + s)};
    gather_pairs(c->x, list, s, p);
    WfOct apart = wf_oct_mul(wf_oct_set(share), wf_oct_load(list->thickness + s));
    WfOct least = wf_oct_min(apart, wf_oct_load(list->room + s));
    least = wf_oct_add(least, wf_oct_load(list->radius + s));
    return wf_oct_bits(wf_oct_above(least, room_between(kind, p, n))) & lanes_from(list, s);
}

// Calls `mend` for every one of them. Returns how many of them it had something to do with.
KERNEL int mend_pairs(WfSmallContact* c, float share,
                      int (*mend)(WfSmallContact*, WfSmallKind, int, float)) {
    int count = 0;
    for (int kind = 0; kind < WF_SMALL_KINDS; kind++) {
        WfNearList* list = &c->lists[kind];
        for (int s = 0; s < list->count; s += WF_OCT) {
            int bits = undivided(c, (WfSmallKind)kind, list, s, share);
            for (int k = 0; bits; k++, bits >>= 1)
                if (bits & 1) count += mend(c, (WfSmallKind)kind, s + k, share);
        }
    }
    return count;
}

BODY int divide_pairs(WfSmallContact* c, float share) {
    return mend_pairs(c, share, wf_near_divide);
}

BODY int join_pairs(WfSmallContact* c, float share) { return mend_pairs(c, share, wf_near_join); }

// ---------------------------------------------------------------------------------------------
// Planes, in substep `index` of the round, 1 and on; they hold off a share of what they are to.

BODY void solve_planes(WfSmallContact* c, int index, float share) {
    WfNearPlanes* l = &c->planes;
    WfOct zero = wf_oct_zero(), one = wf_oct_set(1);
    for (int s = 0; s < l->count; s += WF_OCT) {
        WfOct p[4], q[4];
        wf_oct_gather(c->x, l->vertex + s, p);
        WfOct3 n = {wf_oct_load(l->nx + s), wf_oct_load(l->ny + s), wf_oct_load(l->nz + s)};
        WfOct3 way = {wf_oct_load(l->wx + s), wf_oct_load(l->wy + s), wf_oct_load(l->wz + s)};
        WfOct gone = wf_oct_mul(wf_oct_set((float)index), wf_oct3_dot(n, way));
        WfOct less =
            wf_oct_mul(wf_oct_set(share - 1), wf_oct_max(wf_oct_load(l->target + s), zero));
        gone = wf_oct_add(gone, less);
        WfOct d =
            wf_oct_sub(wf_oct3_dot(n, wf_oct3_of(p)), wf_oct_add(wf_oct_load(l->offset + s), gone));
        // what is pinned goes where it goes
        WfOctMask in = wf_oct_and(wf_oct_above(zero, d), wf_oct_above(p[3], zero));
        if (!wf_oct_bits(in)) continue;
        d = wf_oct_choose(in, d, zero);
        wf_oct_gather(c->before, l->vertex + s, q);
        WfOct3 slip = wf_oct3_sub(wf_oct3_sub(wf_oct3_of(p), wf_oct3_of(q)), way);
        slip = wf_oct3_madd(slip, wf_oct_sub(zero, wf_oct3_dot(slip, n)), n);
        WfOct length = wf_oct_sqrt(wf_oct_max(wf_oct3_dot(slip, slip), wf_oct_set(1e-20f)));
        WfOct most = wf_oct_mul(wf_oct_load(l->friction + s), wf_oct_sub(zero, d));
        WfOct stick = wf_oct_min(one, wf_oct_div(most, length));
        WfOct3 to = wf_oct3_madd(wf_oct3_of(p), wf_oct_sub(zero, d), n);
        to = wf_oct3_madd(to, wf_oct_sub(zero, stick), slip);
        to = wf_oct3_choose(in, to, wf_oct3_of(p));
        p[0] = to.x, p[1] = to.y, p[2] = to.z;
        wf_oct_scatter(c->x, l->vertex + s, p);
    }
}
