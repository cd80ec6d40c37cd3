// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Planes of bodies in front of eight vertices at a time (planes.c).

// What eight vertices have in front of them, when a round begins.
typedef struct Facing {
    WfOct distance, hold;  // m: below 0 inside; what they are to be held off by
    WfOct3 normal, way;    // out of the body, and how far it goes there in the round, m
    int there;             // lanes that have one
} Facing;

KERNEL WfOct3 oct3_set(const WfPoint4* p) {
    return (WfOct3){wf_oct_set(p->x), wf_oct_set(p->y), wf_oct_set(p->z)};
}

// By s where the mask is set, else by 1 over the length, or by 0 without one.
KERNEL WfOct3 unit_of(WfOct3 v, WfOct square) {
    WfOct zero = wf_oct_zero(), one = wf_oct_set(1);
    WfOctMask there = wf_oct_above(square, zero);
    WfOct length = wf_oct_sqrt(wf_oct_choose(there, square, one));
    return wf_oct3_mul(wf_oct_choose(there, wf_oct_div(one, length), zero), v);
}

KERNEL WfOct numbers_of(const float* values, const int* vertex) {
    float lanes[WF_OCT];
    for (int k = 0; k < WF_OCT; k++) lanes[k] = values[vertex[k]];
    return wf_oct_load(lanes);
}

// Thickness, and what edges sag into what bends so, no more than vertices are held off by for it.
// It is that of a ridge in the middle of an edge, twice as much as on a sphere.
KERNEL WfOct hold_of(const WfSmallContact* c, const int* vertex, WfOct bend) {
    WfOct span = numbers_of(c->def.span, vertex);
    WfOct sag = wf_oct_min(wf_oct_mul(bend, wf_oct_mul(span, span)), wf_oct_set(wf_most_sag(c)));
    return wf_oct_add(numbers_of(c->thickness, vertex), sag);
}

// ---------------------------------------------------------------------------------------------
// Exact bodies

// Spheres about both ends of an axis, and all between them. Where they differ, what is nearest on
// the surface is nearest to an axis point further towards the larger one.
KERNEL void face_round(const WfSmallContact* c, const WfSmallBody* body, WfOct3 x, Facing* f) {
    const WfPoint4 *a = &c->x[body->first], *b = a + 1;
    const WfPoint4 u = {b->x - a->x, b->y - a->y, b->z - a->z, 0};
    float r0 = (float)body->body->radii[0], r1 = (float)body->body->radii[1];
    float square = u.x * u.x + u.y * u.y + u.z * u.z, taper = r0 - r1;
    float by = square > 1e-12f ? 1 / square : 0;
    float lean = taper * taper < square ? taper / sqrtf(square - taper * taper) : 0;
    WfOct zero = wf_oct_zero(), one = wf_oct_set(1);
    WfOct3 p = wf_oct3_sub(x, oct3_set(a)), axis = oct3_set(&u);
    WfOct t = wf_oct_mul(wf_oct_set(by), wf_oct3_dot(p, axis));
    WfOct3 aside = wf_oct3_madd(p, wf_oct_sub(zero, t), axis);
    WfOct out = wf_oct_sqrt(wf_oct_max(wf_oct3_dot(aside, aside), zero));
    t = wf_oct_sub(t, wf_oct_mul(wf_oct_set(lean * sqrtf(by)), out));
    t = wf_oct_clamp(t, zero, one);
    WfOct3 away = wf_oct3_madd(p, wf_oct_sub(zero, t), axis);
    WfOct far = wf_oct3_dot(away, away);
    f->normal = unit_of(away, far);
    WfOct radius = wf_oct_madd(t, wf_oct_set(r1 - r0), wf_oct_set(r0));
    f->distance = wf_oct_sub(wf_oct_sqrt(wf_oct_max(far, zero)), radius);
}

// Planes and fields.
KERNEL void face_others(const WfSmallContact* c, const WfSmallBody* body, const int* vertex,
                        Facing* f) {
    float distance[WF_OCT], x[WF_OCT], y[WF_OCT], z[WF_OCT];
    for (int k = 0; k < WF_OCT; k++) {
        WfVec n;
        const WfPoint4* p = &c->x[vertex[k]];
        WfVec at = {(double)p->x + c->origin[0], (double)p->y + c->origin[1],
                    (double)p->z + c->origin[2]};
        distance[k] = (float)wf_body_distance(body->body, &body->from, at, &n);
        x[k] = (float)n.x, y[k] = (float)n.y, z[k] = (float)n.z;
    }
    f->distance = wf_oct_load(distance);
    f->normal = (WfOct3){wf_oct_load(x), wf_oct_load(y), wf_oct_load(z)};
}

KERNEL void face_plane(const WfSmallContact* c, const WfSmallBody* body, WfOct3 x, Facing* f) {
    WfVec n = wf_pose_turn(&body->from, (WfVec){0, 1, 0});
    WfVec at = wf_sub(wf_load(body->from.position, 0), wf_load(c->origin, 0));
    const WfPoint4 normal = {(float)n.x, (float)n.y, (float)n.z, 0};
    f->normal = oct3_set(&normal);
    f->distance = wf_oct_sub(wf_oct3_dot(f->normal, x), wf_oct_set((float)wf_dot(n, at)));
}

KERNEL void face_exact(const WfSmallContact* c, const WfSmallBody* body, const int* vertex,
                       WfOct3 x, Facing* f) {
    if (body->radius > 0)
        face_round(c, body, x, f);
    else if (body->body->kind == WEFT_BODY_PLANE)
        face_plane(c, body, x, f);
    else
        face_others(c, body, vertex, f);
    WfOct bend = wf_oct_zero(), one = wf_oct_set(1);
    if (body->radius > 0)
        bend = wf_oct_div(one, wf_oct_add(wf_oct_set((float)body->body->radius),
                                          numbers_of(c->thickness, vertex)));
    f->hold = hold_of(c, vertex, bend);
    WfOct3 at = wf_oct3_madd(x, wf_oct_sub(wf_oct_zero(), f->distance), f->normal);
    f->way = oct3_set(&body->carry[3]);
    f->way = wf_oct3_madd(f->way, at.x, oct3_set(&body->carry[0]));
    f->way = wf_oct3_madd(f->way, at.y, oct3_set(&body->carry[1]));
    f->way = wf_oct3_madd(f->way, at.z, oct3_set(&body->carry[2]));
    f->there = 0xFF;
}

// ---------------------------------------------------------------------------------------------
// Triangles

static const float NO_DIRECTION = 1e-4f;  // m: nearer, it is that of the face

KERNEL void gather_corners(const WfSmallContact* c, const WfSmallBody* body, const int* vertex,
                           int corners[3][WF_OCT], WfOct p[4][4]) {
    for (int k = 0; k < WF_OCT; k++) {
        const int* v = body->body->surface.triangles + 3 * (long)body->nearest[vertex[k]];
        for (int a = 0; a < 3; a++) corners[a][k] = body->first + v[a];
    }
    for (int a = 0; a < 3; a++) wf_oct_gather(c->x, corners[a], p[a + 1]);
}

// Of what is at the corners, by the weights of the nearest point; they count as less there.
KERNEL WfOct3 at_nearest(const WfPoint4* points, int corners[3][WF_OCT], const Near* near) {
    WfOct3 sum = {wf_oct_zero(), wf_oct_zero(), wf_oct_zero()};
    for (int a = 0; a < 3; a++) {
        WfOct v[4];
        wf_oct_gather(points, corners[a], v);
        sum = wf_oct3_madd(sum, wf_oct_sub(wf_oct_zero(), near->c[a + 1]), wf_oct3_of(v));
    }
    return sum;
}

KERNEL void face_triangles(WfSmallContact* c, WfSmallBody* body, const int* vertex,
                           WfOct vertices[4], float horizon, Facing* f) {
    int corners[3][WF_OCT], walked = 0;
    WfOct p[4][4], zero = wf_oct_zero(), one = wf_oct_set(1);
    for (int k = 0; k < 4; k++) p[0][k] = vertices[k];
    gather_corners(c, body, vertex, corners, p);
    Near near = near_points(p);
    int out = ~wf_oct_bits(near.inside) & 0xFF;
    for (int k = 0; out; k++, out >>= 1)
        if (out & 1) walked |= wf_near_walk(c, body, vertex[k]);
    if (walked) {
        gather_corners(c, body, vertex, corners, p);
        near = near_points(p);
    }
    WfOctMask behind = wf_oct_above(zero, zero);
    if (body->body->solid)
        behind = wf_oct_above(zero, wf_oct3_dot(at_nearest(c->normals, corners, &near), near.r));
    WfOct sign = wf_oct_choose(behind, wf_oct_set(-1), one);
    f->distance = wf_oct_mul(sign, wf_oct_sqrt(near.square));
    f->normal = wf_oct3_mul(sign, unit_of(near.r, near.square));
    f->there = wf_oct_bits(wf_oct_above(near.square, zero));
    WfOctMask close = wf_oct_above(wf_oct_set(NO_DIRECTION * NO_DIRECTION), near.square);
    if (body->body->solid && wf_oct_bits(close)) {
        WfOct3 ab = wf_oct3_sub(wf_oct3_of(p[2]), wf_oct3_of(p[1]));
        WfOct3 face = wf_oct3_cross(ab, wf_oct3_sub(wf_oct3_of(p[3]), wf_oct3_of(p[1])));
        face = unit_of(face, wf_oct3_dot(face, face));
        f->normal = wf_oct3_choose(close, face, f->normal);
        f->there |= wf_oct_bits(close);
    }
    float bend[WF_OCT];
    for (int k = 0; k < WF_OCT; k++) {
        bend[k] = 0;
        for (int a = 0; a < 3; a++)
            bend[k] = wf_larger(bend[k], wf_near_bend(c, body, corners[a][k] - body->first));
    }
    f->hold = hold_of(c, vertex, wf_oct_load(bend));
    f->way = wf_oct3_mul(wf_oct_set(horizon), at_nearest(c->v, corners, &near));
}

// ---------------------------------------------------------------------------------------------

static const float PLANE_RECOVERY = 0.25f;  // of what is held: what comes back of it in a round

// The plane of every lane in bits, in substeps of h.
KERNEL void add_planes(WfSmallContact* c, int body, const int* vertex, WfOct3 x, const Facing* f,
                       float share, int bits) {
    WfNearPlanes* l = &c->planes;
    WfOct zero = wf_oct_zero();
    WfOct back = wf_oct_mul(wf_oct_set(PLANE_RECOVERY), f->hold);
    back = wf_oct_choose(wf_oct_above(zero, f->distance), f->hold, back);
    WfOct target = wf_oct_min(f->hold, wf_oct_add(f->distance, back));
    WfOct offset = wf_oct_add(wf_oct_sub(wf_oct3_dot(f->normal, x), f->distance), target);
    float n[3][WF_OCT], way[3][WF_OCT], to[WF_OCT], at[WF_OCT], distance[WF_OCT];
    wf_oct_store(n[0], f->normal.x), wf_oct_store(n[1], f->normal.y);
    wf_oct_store(n[2], f->normal.z);
    WfOct3 in_substep = wf_oct3_mul(wf_oct_set(share), f->way);
    wf_oct_store(way[0], in_substep.x), wf_oct_store(way[1], in_substep.y);
    wf_oct_store(way[2], in_substep.z);
    wf_oct_store(to, target), wf_oct_store(at, offset), wf_oct_store(distance, f->distance);
    for (int lane = 0; bits; lane++, bits >>= 1) {
        if (!(bits & 1)) continue;
        int k = l->count++;
        l->vertex[k] = vertex[lane];
        l->nx[k] = n[0][lane], l->ny[k] = n[1][lane], l->nz[k] = n[2][lane];
        l->wx[k] = way[0][lane], l->wy[k] = way[1][lane], l->wz[k] = way[2][lane];
        l->offset[k] = at[lane], l->target[k] = to[lane];
        l->friction[k] = wf_friction_on_body(c, vertex[lane], body);
        c->deepest = wf_larger(c->deepest, -distance[lane]);
    }
}

KERNEL void face_batch(WfSmallContact* c, int b, const int vertex[WF_OCT], int there, float horizon,
                       float h) {
    WfSmallBody* body = &c->bodies[b];
    WfOct x[4], v[4], zero = wf_oct_zero();
    Facing f;
    wf_oct_gather(c->x, vertex, x);
    wf_oct_gather(c->v, vertex, v);
    if (body->nearest)
        face_triangles(c, body, vertex, x, horizon, &f);
    else
        face_exact(c, body, vertex, wf_oct3_of(x), &f);
    // how far a vertex may come nearer in the round
    WfOct along_n = wf_oct3_dot(f.normal, f.way), own = wf_oct3_dot(f.normal, wf_oct3_of(v));
    WfOct closing = wf_oct_sub(along_n, wf_oct_mul(wf_oct_set(horizon), own));
    closing = wf_oct_add(wf_oct_max(closing, zero), wf_oct_set(c->slack));
    int bits = ~wf_oct_bits(wf_oct_above(f.distance, wf_oct_add(f.hold, closing)));
    bits &= f.there & there;
    if (bits) add_planes(c, b, vertex, wf_oct3_of(x), &f, h / horizon, bits);
}

// Vertices in front of body b, of those that meet it; for a round of `horizon` s, in substeps of h.
BODY void find_planes(WfSmallContact* c, int b, float horizon, float h) {
    const WfSmallBody* body = &c->bodies[b];
    int vertex[WF_OCT], count = 0;
    for (int i = 0; i < c->def.vertex_count; i++) {
        if (body->nearest && body->nearest[i] < 0) continue;
        if (body->meets && !body->meets[c->def.cloth_of[i]]) continue;
        vertex[count++] = i;
        if (count < WF_OCT) continue;
        face_batch(c, b, vertex, 0xFF, horizon, h);
        count = 0;
    }
    for (int k = count; k < WF_OCT && count > 0; k++) vertex[k] = vertex[0];
    if (count > 0) face_batch(c, b, vertex, (1 << count) - 1, horizon, h);
}
