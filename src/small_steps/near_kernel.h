// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Closest points of eight pairs at once: of vertices and triangles, and of edges. What is between
// them, r = first - second = sum c_k p_k, and whether both closest points are inside of their
// features. Features without a length or an area count as what is left of them.

typedef struct Near {
    WfOct3 r;
    WfOct square;  // of its length
    WfOct c[4];
    WfOctMask inside;
} Near;

static const float LEAST_AREA = 1e-7f;   // of the product of the squared sides
static const float LEAST_ANGLE = 1e-5f;  // of edges, squared sine

KERNEL Near near_edges(WfOct p[4][4]) {
    WfOct zero = wf_oct_zero(), one = wf_oct_set(1), tiny = wf_oct_set(1e-14f);
    WfOct3 d = wf_oct3_sub(wf_oct3_of(p[1]), wf_oct3_of(p[0]));
    WfOct3 e = wf_oct3_sub(wf_oct3_of(p[3]), wf_oct3_of(p[2]));
    WfOct3 r = wf_oct3_sub(wf_oct3_of(p[0]), wf_oct3_of(p[2]));
    WfOct dd = wf_oct_add(wf_oct3_dot(d, d), tiny), ee = wf_oct_add(wf_oct3_dot(e, e), tiny);
    WfOct de = wf_oct3_dot(d, e), dr = wf_oct3_dot(d, r), er = wf_oct3_dot(e, r);
    WfOct both = wf_oct_mul(dd, ee), den = wf_oct_sub(both, wf_oct_mul(de, de));
    den = wf_oct_max(den, wf_oct_mul(wf_oct_set(LEAST_ANGLE), both));
    WfOct s = wf_oct_div(wf_oct_sub(wf_oct_mul(de, er), wf_oct_mul(dr, ee)), den);
    s = wf_oct_clamp(s, zero, one);
    WfOct t = wf_oct_clamp(wf_oct_div(wf_oct_madd(de, s, er), ee), zero, one);
    s = wf_oct_clamp(wf_oct_div(wf_oct_sub(wf_oct_mul(de, t), dr), dd), zero, one);
    t = wf_oct_clamp(wf_oct_div(wf_oct_madd(de, s, er), ee), zero, one);
    Near near;
    near.r = wf_oct3_sub(wf_oct3_madd(r, s, d), wf_oct3_mul(t, e));
    near.square = wf_oct3_dot(near.r, near.r);
    near.c[0] = wf_oct_sub(one, s), near.c[1] = s;
    near.c[2] = wf_oct_sub(t, one), near.c[3] = wf_oct_sub(zero, t);
    near.inside = wf_oct_and(wf_oct_and(wf_oct_above(s, zero), wf_oct_above(one, s)),
                             wf_oct_and(wf_oct_above(t, zero), wf_oct_above(one, t)));
    return near;
}

// The point of an edge from 0 along e that is nearest to r.
KERNEL WfOct along(WfOct3 r, WfOct3 e) {
    WfOct square = wf_oct_add(wf_oct3_dot(e, e), wf_oct_set(1e-14f));
    return wf_oct_clamp(wf_oct_div(wf_oct3_dot(r, e), square), wf_oct_zero(), wf_oct_set(1));
}

// The nearest point a + v ab + w ac of the triangle: inside, or on the nearest of its edges.
KERNEL Near near_points(WfOct p[4][4]) {
    WfOct zero = wf_oct_zero(), one = wf_oct_set(1);
    WfOct3 ab = wf_oct3_sub(wf_oct3_of(p[2]), wf_oct3_of(p[1]));
    WfOct3 ac = wf_oct3_sub(wf_oct3_of(p[3]), wf_oct3_of(p[1]));
    WfOct3 ap = wf_oct3_sub(wf_oct3_of(p[0]), wf_oct3_of(p[1]));
    WfOct3 bp = wf_oct3_sub(ap, ab), bc = wf_oct3_sub(ac, ab);
    WfOct bb = wf_oct3_dot(ab, ab), cc = wf_oct3_dot(ac, ac), x = wf_oct3_dot(ab, ac);
    WfOct pb = wf_oct3_dot(ap, ab), pc = wf_oct3_dot(ap, ac), both = wf_oct_mul(bb, cc);
    WfOct den = wf_oct_max(wf_oct_sub(both, wf_oct_mul(x, x)),
                           wf_oct_madd(wf_oct_set(LEAST_AREA), both, wf_oct_set(1e-28f)));
    WfOct v = wf_oct_div(wf_oct_sub(wf_oct_mul(cc, pb), wf_oct_mul(x, pc)), den);
    WfOct w = wf_oct_div(wf_oct_sub(wf_oct_mul(bb, pc), wf_oct_mul(x, pb)), den);
    WfOctMask out = wf_oct_or(wf_oct_or(wf_oct_above(zero, v), wf_oct_above(zero, w)),
                              wf_oct_above(wf_oct_add(v, w), one));
    WfOct s = along(ap, ab), t = along(ap, ac), u = along(bp, bc);
    WfOct3 q1 = wf_oct3_sub(ap, wf_oct3_mul(s, ab)), q2 = wf_oct3_sub(ap, wf_oct3_mul(t, ac));
    WfOct3 q3 = wf_oct3_sub(bp, wf_oct3_mul(u, bc));
    WfOct e1 = wf_oct3_dot(q1, q1), e2 = wf_oct3_dot(q2, q2), e3 = wf_oct3_dot(q3, q3);
    WfOctMask second = wf_oct_above(e1, e2);
    WfOct ev = wf_oct_choose(second, zero, s), ew = wf_oct_choose(second, t, zero);
    WfOctMask third = wf_oct_above(wf_oct_min(e1, e2), e3);
    ev = wf_oct_choose(third, wf_oct_sub(one, u), ev);
    ew = wf_oct_choose(third, u, ew);
    v = wf_oct_choose(out, ev, v);
    w = wf_oct_choose(out, ew, w);
    Near near;
    near.r = wf_oct3_sub(wf_oct3_sub(ap, wf_oct3_mul(v, ab)), wf_oct3_mul(w, ac));
    near.square = wf_oct3_dot(near.r, near.r);
    near.c[0] = one;
    near.c[1] = wf_oct_sub(wf_oct_add(v, w), one);
    near.c[2] = wf_oct_sub(zero, v), near.c[3] = wf_oct_sub(zero, w);
    // a mask of what is not out
    near.inside = wf_oct_above(wf_oct_choose(out, zero, one), zero);
    return near;
}
