// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The local form of bending by angles (energy/hinge.c, which has the picture): C = theta, with the
// stiffness that its table has at the start of the step, and the gradient g of that file,
//
//     g_i = n_i |e|/n_i.n_i,   g_k = sum (s - 1) g,   g_l = -sum s g
//
// made smaller by f, squared, where the hinge shrinks to nothing: the force has f g, and the
// denominator g, so that nothing is divided by what is small. A step goes straight where a hinge
// turns, so that it turns by STRAIGHT at most.

enum { ANGLE_NUMBERS = 3, ANGLE_COMPLIANCE = 0, ANGLE_MEMORY, ANGLE_BEGUN };
#define STRAIGHT 0.5f        // radians; the chord is 1 % shorter there than the arc
#define LEAST_NORMAL 1e-24f  // m^4
#define HALF_TURN 3.14159265f

// atan t for 0 <= t <= 1, to 3e-9 and what floats round: as wf_arc_tangent (base/angle.h).
KERNEL WfOct arc_tangent(WfOct t) {
    const WfOct root = wf_oct_set(1.7320508f), one = wf_oct_set(1);
    WfOctMask high = wf_oct_above(t, wf_oct_set(0.26794919f));
    WfOct back = wf_oct_choose(high, wf_oct_set(HALF_TURN / 6), wf_oct_zero());
    WfOct turned = wf_oct_div(wf_oct_sub(wf_oct_mul(root, t), one), wf_oct_add(root, t));
    t = wf_oct_choose(high, turned, t);
    WfOct z = wf_oct_mul(t, t), sum = wf_oct_set(-1.0f / 11);
    for (int k = 9; k > 0; k -= 2)
        sum = wf_oct_madd(z, sum, wf_oct_set((k % 4 == 1 ? 1.0f : -1.0f) / (float)k));
    return wf_oct_madd(t, sum, back);
}

// The angle of (c, s), -pi to pi.
KERNEL WfOct angle_of(WfOct s, WfOct c) {
    WfOct high = wf_oct_abs(s), wide = wf_oct_abs(c), zero = wf_oct_zero();
    WfOct most = wf_oct_max(wf_oct_max(high, wide), wf_oct_set(FLT_MIN));
    WfOct angle = arc_tangent(wf_oct_div(wf_oct_min(high, wide), most));
    angle = wf_oct_choose(wf_oct_above(high, wide), wf_oct_sub(wf_oct_set(HALF_TURN / 2), angle),
                          angle);
    angle = wf_oct_choose(wf_oct_above(zero, c), wf_oct_sub(wf_oct_set(HALF_TURN), angle), angle);
    return wf_oct_choose(wf_oct_above(zero, s), wf_oct_sub(zero, angle), angle);
}

// The same angle next to another one, but never more than three quarters round.
KERNEL WfOct near_to(WfOct theta, WfOct other) {
    WfOct away = wf_oct_sub(other, theta), half = wf_oct_set(HALF_TURN);
    WfOct turn = wf_oct_set(2 * HALF_TURN), none = wf_oct_zero();
    WfOct up = wf_oct_choose(wf_oct_above(away, half), turn, none);
    WfOct down = wf_oct_choose(wf_oct_above(wf_oct_sub(none, half), away), turn, none);
    WfOct turned = wf_oct_add(theta, wf_oct_sub(up, down));
    WfOctMask far = wf_oct_above(wf_oct_abs(turned), wf_oct_set(1.5f * HALF_TURN));
    return wf_oct_choose(far, theta, turned);
}

typedef struct Fold {
    WfOct3 edge, to[2], normal[2];
    WfOct length, theta;  // of the edge
} Fold;

KERNEL Fold fold_of(WfOct p[4][4], WfOct memory) {
    Fold f;
    f.edge = wf_oct3_sub(wf_oct3_of(p[3]), wf_oct3_of(p[2]));
    for (int side = 0; side < 2; side++)
        f.to[side] = wf_oct3_sub(wf_oct3_of(p[side]), wf_oct3_of(p[2]));
    f.normal[0] = wf_oct3_cross(f.edge, f.to[0]);
    f.normal[1] = wf_oct3_cross(f.to[1], f.edge);
    WfOct square = wf_oct_max(wf_oct3_dot(f.edge, f.edge), wf_oct_set(LEAST_SQUARE));
    f.length = wf_oct_sqrt(square);
    WfOct sine = wf_oct3_dot(f.edge, wf_oct3_cross(f.normal[1], f.normal[0]));
    f.theta = near_to(angle_of(wf_oct_div(sine, f.length), wf_oct3_dot(f.normal[0], f.normal[1])),
                      memory);
    return f;
}

// g, and f squared; inverse: 1/f of the edge and of both heights, per metre.
KERNEL WfOct gradient_of(const Fold* f, const float* inverse, WfOct3 g[4]) {
    WfOct part = wf_oct_min(wf_oct_set(1), wf_oct_mul(f->length, wf_oct_load(inverse)));
    WfOct square = wf_oct_mul(f->length, f->length), one = wf_oct_set(1), zero = wf_oct_zero();
    g[2] = g[3] = (WfOct3){zero, zero, zero};
    for (int side = 0; side < 2; side++) {
        WfOct nn = wf_oct3_dot(f->normal[side], f->normal[side]);
        WfOct height = wf_oct_div(wf_oct_sqrt(nn), f->length);
        WfOct s = wf_oct_div(wf_oct3_dot(f->to[side], f->edge), square);
        WfOct by = wf_oct_div(f->length, wf_oct_max(nn, wf_oct_set(LEAST_NORMAL)));
        part = wf_oct_min(part, wf_oct_mul(height, wf_oct_load(inverse + WF_OCT * (1 + side))));
        g[side] = wf_oct3_mul(by, f->normal[side]);
        g[2] = wf_oct3_madd(g[2], wf_oct_sub(s, one), g[side]);
        g[3] = wf_oct3_madd(g[3], wf_oct_sub(zero, s), g[side]);
    }
    return wf_oct_mul(part, part);
}

// theta, less what damping leaves of it
KERNEL WfOct damped_angle(const WfLocalJob* job, const Rates* rates, const int* i, WfOct memory,
                          WfOct theta) {
    WfOct q[4][4];
    for (int a = 0; a < 4; a++) wf_oct_gather(job->before, i + WF_OCT * a, q[a]);
    return wf_oct_sub(theta, wf_oct_mul(rates->old, fold_of(q, memory).theta));
}

KERNEL void sweep_angle(const WfLocal* t, const WfLocalJob* job, const Rates* rates, int batch,
                        const bool damped) {
    const int* i = t->vertices + 4L * WF_OCT * batch;
    const float* k = t->constants + (long)ANGLE_NUMBERS * WF_OCT * batch;
    const float* begun = job->begun + t->begun_at + (long)ANGLE_BEGUN * WF_OCT * batch;
    WfOct p[4][4], W = wf_oct_zero();
    WfOct memory = wf_oct_load(begun + WF_OCT * ANGLE_MEMORY);
    WfOct alpha = compliance_of(rates, begun + WF_OCT * ANGLE_COMPLIANCE);
    WfOct3 g[4];
    for (int a = 0; a < 4; a++) wf_oct_gather(job->x, i + WF_OCT * a, p[a]);
    Fold f = fold_of(p, memory);
    WfOct theta = f.theta, weak = gradient_of(&f, k, g);
    if (damped) theta = damped_angle(job, rates, i, memory, theta);
    for (int a = 0; a < 4; a++) W = wf_oct_madd(p[a][3], wf_oct3_dot(g[a], g[a]), W);
    WfOct lambda = wf_oct_div(theta, wf_oct_max(wf_oct_add(W, alpha), wf_oct_set(FLT_MIN)));
    lambda = wf_oct_mul(lambda, weak);
    WfOct turn = wf_oct_max(wf_oct_abs(wf_oct_mul(lambda, W)), wf_oct_set(FLT_MIN));
    WfOct part = wf_oct_min(wf_oct_set(1), wf_oct_div(wf_oct_set(STRAIGHT), turn));
    lambda = wf_oct_sub(wf_oct_zero(), wf_oct_mul(part, lambda));
    for (int a = 0; a < 4; a++) {
        put(wf_oct3_madd(wf_oct3_of(p[a]), wf_oct_mul(lambda, p[a][3]), g[a]), p[a]);
        wf_oct_scatter(job->x, i + WF_OCT * a, p[a]);
    }
}

BODY void sweep_angles(const WfLocal* t, const WfLocalJob* job, int first, int end) {
    SWEEP(sweep_angle);
}
