// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// From measures to the mannequin's shape: the tables of its kind, scaled by height, and by girths
// where a tape would find them. How wide a torso must be for a girth is found by measuring: the
// sections are widened in proportion until the tape says what was asked.
//
// Thighs stand apart by a gap, however thick they are; hips, legs and feet move out with them.

#include "garment/mannequin_shape.h"

#include "base/angle.h"
#include "base/assert.h"
#include "garment/mannequin_figures.h"
#include "garment/mannequin_loft.h"

#define ARM_DOWN 47.0      // degrees below the horizontal
#define FOOT_OUT 7.0       // degrees
#define LEGS_APART 1.2     // degrees from the vertical
#define FLOOR_ROUND 0.006  // metres: the edge of the sole

// How much larger than in the table of the kind a body is, besides its height.
typedef struct Excess {
    double chest, waist, hips;
} Excess;

static double mix(double a, double b, double t) { return a + (b - a) * t; }

// What the sections of the torso are multiplied by.
static double torso_excess(const WfFigureTable* table, const Excess* e, double y) {
    double shoulder = mix(1, e->chest, 0.6), neck = mix(1, e->chest, 0.3);
    if (y < table->waist_height)
        return mix(e->hips, e->waist, wf_rise(table->hip_height, table->waist_height, y));
    if (y < table->chest_height)
        return mix(e->waist, e->chest, wf_rise(table->waist_height, table->chest_height, y));
    if (y < table->shoulder)
        return mix(e->chest, shoulder, wf_rise(table->chest_height, table->shoulder, y));
    return mix(shoulder, neck, wf_rise(table->shoulder, table->neck + 10, y));
}

static double leg_excess(const WfFigureTable* table, const Excess* e, double y) {
    double knee = mix(1, e->hips, 0.45), ankle = mix(1, e->hips, 0.25);
    if (y > table->knee)
        return mix(knee, mix(1, e->hips, 0.9), wf_rise(table->knee, table->crotch_height, y));
    return mix(ankle, knee, wf_rise(table->ankle, table->knee, y));
}

static WfLoft upright_loft(double low_cap, double high_cap) {
    return (WfLoft){
        .axis = {0, 1, 0}, .across = {1, 0, 0}, .deep = {0, 0, 1}, .cap = {low_cap, high_cap}};
}

// A station from a row; `by` scales the section.
static void add_upright(WfLoft* loft, const WfFigureRow* row, double unit, double x, double by) {
    wf_assert(loft->count < WF_STATIONS);
    double* v = loft->value[loft->count];
    loft->at[loft->count++] = unit * row->y;
    v[WF_ACROSS] = x;
    v[WF_DEEP] = unit * row->z;
    v[WF_ACROSS_MORE] = unit * by * row->outer;
    v[WF_ACROSS_LESS] = unit * by * row->inner;
    v[WF_DEEP_MORE] = unit * by * row->front;
    v[WF_DEEP_LESS] = unit * by * row->back;
    v[WF_SQUARE] = row->square;
}

static void build_torso(const WfFigureTable* table, const Excess* e, WfMannequinShape* shape) {
    double unit = shape->height / 1000;
    shape->torso = upright_loft(8 * unit, 12 * unit);
    for (int i = 0; i < WF_FIGURE_ROWS && table->torso[i].y > 0; i++)
        add_upright(&shape->torso, &table->torso[i], unit, 0,
                    torso_excess(table, e, table->torso[i].y));
    wf_loft_finish(&shape->torso);
    shape->head = upright_loft(5 * unit, 0);
    double top = 0;
    // heads of children grow less than the rest
    double grown = table->grows ? sqrt(table->height / shape->height) : 1;
    for (int i = 0; i < WF_FIGURE_ROWS && table->head_rows[i].y > 0; i++) {
        WfFigureRow row = table->head_rows[i];
        row.y = top = 1000 - grown * (1000 - row.y);
        row.z *= grown;
        add_upright(&shape->head, &row, unit, 0, grown);
    }
    shape->head.cap[1] = (1000 - top) * unit;
    wf_loft_finish(&shape->head);
    // of the head's height
    double value[WF_STATION_VALUES], change[WF_STATION_VALUES], low = shape->head.at[0];
    double bridge = mix(low, shape->height, 0.50), tip = mix(low, shape->height, 0.33);
    double size = (shape->height - low) / 123;
    wf_loft_section(&shape->head, bridge, value, change);
    double front = value[WF_DEEP] + value[WF_DEEP_MORE];
    wf_loft_section(&shape->head, tip, value, change);
    double below = value[WF_DEEP] + value[WF_DEEP_MORE];
    shape->nose = (WfSwell){{0, bridge, front - 5.5 * size},
                            {0, tip, below - 1.5 * size},
                            4.5 * size,
                            6.5 * size,
                            9 * size};
}

static WfVec scaled_point(const double* p, double unit, double by) {
    return (WfVec){unit * by * p[0], unit * p[1], unit * by * p[2]};
}

static void build_swells(const WfFigureTable* table, const Excess* e, WfMannequinShape* shape) {
    double unit = shape->height / 1000;
    shape->swell_count = 0;
    for (int i = 0; i < WF_SWELL_ROWS && table->swells[i].blend > 0; i++) {
        const WfSwellRow* row = &table->swells[i];
        double by = torso_excess(table, e, row->to[1]);
        shape->swells[shape->swell_count++] =
            (WfSwell){scaled_point(row->from, unit, by), scaled_point(row->to, unit, by),
                      unit * by * row->from[3], unit * by * row->to[3], unit * row->blend};
    }
}

static void build_leg(const WfFigureTable* table, const Excess* e, WfMannequinShape* shape) {
    double unit = shape->height / 1000, sine, cosine, thigh = 0;
    WfJoints* j = &shape->joints;
    wf_sine_cosine(LEGS_APART * WF_PI / 180, &sine, &cosine);
    for (int i = 0; i < WF_FIGURE_ROWS && table->leg[i].y > 0; i++)
        if (table->leg[i].y > table->crotch_height - 40)
            thigh = fmax(thigh, table->leg[i].inner * leg_excess(table, e, table->leg[i].y));
    double top = unit * (table->gap + thigh), tilt = sine / cosine;
    shape->leg = upright_loft(8 * unit, 20 * unit);
    for (int i = WF_FIGURE_ROWS - 1; i >= 0; i--) {
        const WfFigureRow* row = &table->leg[i];
        if (!(row->y > 0)) continue;
        double x = top + tilt * unit * (table->crotch_height - row->y);
        add_upright(&shape->leg, row, unit, x, leg_excess(table, e, row->y));
    }
    wf_loft_finish(&shape->leg);
    double down = unit * table->crotch_height;
    j->hip = (WfVec){top + tilt * (down - unit * table->hip), unit * table->hip, 0};
    j->knee = (WfVec){top + tilt * (down - unit * table->knee), unit * table->knee, unit * 2};
    j->ankle = (WfVec){top + tilt * (down - unit * table->ankle), unit * table->ankle, unit * -15};
}

static void build_foot(const WfFigureTable* table, WfMannequinShape* shape) {
    double unit = shape->height / 1000, sine, cosine;
    WfJoints* j = &shape->joints;
    wf_sine_cosine(FOOT_OUT * WF_PI / 180, &sine, &cosine);
    j->foot_axis = (WfVec){sine, 0, cosine};
    shape->foot = (WfLoft){.origin = {j->ankle.x, 0, j->ankle.z},
                           .axis = j->foot_axis,
                           .across = {cosine, 0, -sine},
                           .deep = {0, 1, 0}};
    WfLoft* foot = &shape->foot;
    for (int i = 0; i < WF_LIMB_ROWS && table->foot_rows[i].wide > 0; i++) {
        const WfLimbRow* row = &table->foot_rows[i];
        double* v = foot->value[foot->count];
        foot->at[foot->count++] = unit * row->t;
        v[WF_ACROSS] = unit * row->shift;
        v[WF_DEEP] = unit * 0.3 * row->high;
        v[WF_ACROSS_MORE] = v[WF_ACROSS_LESS] = unit * row->wide;
        v[WF_DEEP_MORE] = unit * 0.7 * row->high;
        v[WF_DEEP_LESS] = unit * (0.3 * row->high + 5);
        v[WF_SQUARE] = row->square;
    }
    foot->cap[0] = unit * (table->heel + table->foot_rows[0].t);
    foot->cap[1] = unit * table->foot - foot->at[foot->count - 1];
    wf_loft_finish(foot);
    j->toes = wf_madd(foot->origin, unit * 0.72 * table->foot, j->foot_axis);
    j->toes.y = unit * 5;
    j->heel = wf_madd(foot->origin, -unit * (table->heel - 6), j->foot_axis);
    j->toe_end = wf_madd(foot->origin, unit * table->foot, j->foot_axis);
}

static void build_arm(const WfFigureTable* table, const Excess* e, WfMannequinShape* shape) {
    double unit = shape->height / 1000, sine, cosine, by = mix(1, e->chest, 0.6);
    WfJoints* j = &shape->joints;
    wf_sine_cosine(ARM_DOWN * WF_PI / 180, &sine, &cosine);
    j->arm_axis = (WfVec){cosine, -sine, 0};
    // out with the chest below, and with the arm itself
    double out = table->shoulder_x + 95 * (e->chest - 1) + 28 * (by - 1);
    j->shoulder = (WfVec){unit * out, unit * table->shoulder, unit * table->shoulder_z};
    j->elbow = wf_madd(j->shoulder, unit * table->upper_arm, j->arm_axis);
    j->wrist = wf_madd(j->elbow, unit * table->forearm, j->arm_axis);
    j->hand_end = wf_madd(j->wrist, unit * table->hand, j->arm_axis);
    shape->arm = (WfLoft){
        .origin = j->shoulder, .axis = j->arm_axis, .across = {0, 0, 1}, .deep = {sine, cosine, 0}};
    WfLoft* arm = &shape->arm;
    double end = table->upper_arm + table->forearm + table->hand, wrist = end - table->hand;
    for (int i = 0; i < WF_LIMB_ROWS && table->arm[i].wide > 0; i++) {
        const WfLimbRow* row = &table->arm[i];
        double* v = arm->value[arm->count];
        double wide = unit * mix(by, 1, wf_rise(table->upper_arm, wrist, row->t));
        arm->at[arm->count++] = unit * row->t;
        v[WF_DEEP] = -unit * row->shift;
        v[WF_ACROSS_MORE] = v[WF_ACROSS_LESS] = wide * row->wide;
        v[WF_DEEP_MORE] = wide * row->high;
        v[WF_DEEP_LESS] = wide * row->low;
        v[WF_SQUARE] = row->square;
    }
    arm->cap[0] = arm->value[0][WF_DEEP_MORE];
    arm->cap[1] = unit * end - arm->at[arm->count - 1];
    wf_loft_finish(arm);
    WfVec root = wf_madd(j->shoulder, unit * (wrist + 16), j->arm_axis);
    WfVec tip = wf_madd(j->shoulder, unit * (wrist + 62), j->arm_axis);
    root = wf_madd(wf_madd(root, unit * 9, arm->across), -unit * 3, arm->deep);
    tip = wf_madd(wf_madd(tip, unit * 39, arm->across), -unit * 11, arm->deep);
    shape->thumb = (WfSwell){root, tip, unit * 9.5, unit * 6.5, unit * 5};
}

static void place_trunk_joints(const WfFigureTable* table, WfMannequinShape* shape) {
    double unit = shape->height / 1000;
    WfJoints* j = &shape->joints;
    j->pelvis = (WfVec){0, unit * (table->hip + 15), unit * -6};
    j->spine = (WfVec){0, unit * (table->waist_height - 25), unit * -12};
    j->chest = (WfVec){0, unit * (table->chest_height - 35), unit * -16};
    j->neck = (WfVec){0, unit * table->neck, unit * table->neck_z};
    j->head = (WfVec){0, unit * table->head, 0};
    j->clavicle = (WfVec){unit * 15, unit * (table->shoulder + 12), unit * -2};
}

static void build(const WfFigureTable* table, const Excess* e, WfMannequinShape* shape) {
    build_torso(table, e, shape);
    build_swells(table, e, shape);
    build_leg(table, e, shape);
    build_foot(table, shape);
    build_arm(table, e, shape);
    place_trunk_joints(table, shape);
    shape->trunk_reach = 0;
    for (int i = 0; i < shape->leg.count; i++)
        shape->trunk_reach = fmax(shape->trunk_reach, shape->leg.value[i][WF_ACROSS] +
                                                          shape->leg.value[i][WF_ACROSS_MORE]);
    for (int i = 0; i < shape->torso.count; i++)
        shape->trunk_reach = fmax(shape->trunk_reach, shape->torso.value[i][WF_ACROSS_MORE]);
    shape->trunk_reach += 50 * shape->height / 1000;  // what flows into the arm, and feet
}

// ---------------------------------------------------------------------------------------------
// The field

double wf_mannequin_leg(const WfMannequinShape* shape, WfVec p) {
    double leg = wf_loft_distance(&shape->leg, p), unit = shape->height / 1000;
    if (p.y > 90 * unit) return leg;
    double foot = wf_loft_distance(&shape->foot, p);
    leg = wf_join_smoothly(leg, foot, 22 * unit);
    return -wf_join_smoothly(-leg, p.y, FLOOR_ROUND);  // cut at the floor
}

double wf_mannequin_arm(const WfMannequinShape* shape, WfVec p) {
    double arm = wf_loft_distance(&shape->arm, p);
    return wf_join_smoothly(arm, wf_swell_distance(&shape->thumb, p), shape->thumb.blend);
}

// Torso, neck and head, and what of the legs flows into them.
static double torso_distance(const WfMannequinShape* shape, WfVec p) {
    double unit = shape->height / 1000, pair = 7 * unit;
    WfVec other = {-p.x, p.y, p.z}, right = {fabs(p.x), p.y, p.z};
    double d = wf_loft_distance(&shape->torso, p);
    for (int i = 0; i < shape->swell_count; i++) {
        const WfSwell* swell = &shape->swells[i];
        if (wf_is_swell_beyond(swell, right, d + swell->blend + pair)) continue;  // d stays
        double far =
            wf_join_smoothly(wf_swell_distance(swell, p), wf_swell_distance(swell, other), pair);
        d = wf_join_smoothly(d, far, swell->blend);
    }
    if (p.y < shape->joints.neck.y) return d;
    double head = wf_loft_distance(&shape->head, p);
    head = wf_join_smoothly(head, wf_swell_distance(&shape->nose, p), shape->nose.blend);
    return wf_join_smoothly(d, head, 12 * unit);
}

double wf_mannequin_trunk(const WfMannequinShape* shape, WfVec p) {
    double unit = shape->height / 1000, d = torso_distance(shape, p);
    if (p.y > 620 * unit) return d;
    double leg = wf_mannequin_leg(shape, (WfVec){fabs(p.x), p.y, p.z});
    if (fabs(p.x) < 20 * unit)  // beyond, the other leg is too far away to matter
        leg =
            wf_join_smoothly(leg, wf_mannequin_leg(shape, (WfVec){-fabs(p.x), p.y, p.z}), 8 * unit);
    double flow = mix(20, 9, wf_rise(15 * unit, 50 * unit, fabs(p.x)));
    return wf_join_smoothly(d, leg, flow * unit);
}

double wf_mannequin_field(const WfMannequinShape* shape, WfVec p) {
    double unit = shape->height / 1000, x = fabs(p.x);
    if (x < 40 * unit) return wf_mannequin_trunk(shape, p);  // too far from the arms to matter
    double arm = wf_mannequin_arm(shape, (WfVec){x, p.y, p.z});
    if (x > shape->trunk_reach && arm < x - shape->trunk_reach) return arm;
    // over the shoulder they flow together far, in the armpit little
    double above = wf_dot(wf_sub((WfVec){x, p.y, p.z}, shape->joints.shoulder), shape->arm.deep);
    double flow = mix(20, 48, wf_rise(-22 * unit, 16 * unit, above));
    return wf_join_smoothly(wf_mannequin_trunk(shape, p), arm, flow * unit);
}

double wf_mannequin_gradient(const WfMannequinShape* shape, WfVec p, WfVec* gradient) {
    double h = 1e-5, here = wf_mannequin_field(shape, p), out[3];
    for (int k = 0; k < 3; k++) {
        WfVec step = {k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0};
        out[k] = (wf_mannequin_field(shape, wf_add(p, step)) - here) / h;
    }
    *gradient = (WfVec){out[0], out[1], out[2]};
    return here;
}

WfVec wf_mannequin_project(const WfMannequinShape* shape, WfVec p) {
    for (int i = 0; i < 3; i++) {
        WfVec g;
        double f = wf_mannequin_gradient(shape, p, &g), steep = wf_dot(g, g);
        if (!(steep > 1e-6)) return p;
        double step = fmin(fmax(f / steep, -0.02), 0.02);
        p = wf_madd(p, -step, g);
        if (fabs(f) < 2e-5) break;  // the step went beyond
    }
    return p;
}

// ---------------------------------------------------------------------------------------------
// Girths

enum { RAYS = 60 };  // over half of the body

// How far the surface is from the middle of a slice, in a direction.
static WfVec find_skin(const WfMannequinShape* shape, WfVec middle, WfVec direction) {
    double low = 0, high = 0.4;
    for (int i = 0; i < 17; i++) {
        double r = 0.5 * (low + high);
        if (wf_mannequin_trunk(shape, wf_madd(middle, r, direction)) < 0)
            low = r;
        else
            high = r;
    }
    return wf_madd(middle, low, direction);
}

static double turn_of(WfVec a, WfVec b, WfVec c) {
    return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

double wf_mannequin_girth(const WfMannequinShape* shape, double y) {
    // from the front over the left to the back; before and behind, the tape runs straight from
    // what reaches farthest on one side to its mirror image
    WfVec skin[RAYS + 3], hull[RAYS + 3];
    double front = -1, back = 1;
    for (int i = 0; i <= RAYS; i++) {
        double sine, cosine;
        wf_sine_cosine(i * WF_PI / RAYS, &sine, &cosine);
        skin[i + 1] = find_skin(shape, (WfVec){0, y, 0}, (WfVec){fmax(sine, 0), 0, cosine});
        front = fmax(front, skin[i + 1].z);
        back = fmin(back, skin[i + 1].z);
    }
    skin[0] = (WfVec){0, y, front};
    skin[RAYS + 2] = (WfVec){0, y, back};
    int count = 0;
    for (int i = 0; i < RAYS + 3; i++) {
        while (count > 1 && turn_of(hull[count - 2], hull[count - 1], skin[i]) <= 0) count--;
        hull[count++] = skin[i];
    }
    double sum = 0;
    for (int i = 1; i < count; i++) sum += wf_length(wf_sub(hull[i], hull[i - 1]));
    return 2 * sum;
}

// The largest (or, of a waist, the smallest) girth between two heights.
static double extreme_girth(const WfMannequinShape* shape, double low, double high, double side,
                            double* at) {
    enum { STEPS = 12 };
    double best = -10;
    for (int i = 0; i <= STEPS; i++) {
        double y = mix(low, high, (double)i / STEPS), girth = wf_mannequin_girth(shape, y);
        if (!(side * girth > best)) continue;
        best = side * girth;
        *at = y;
    }
    return side * best;
}

WeftMannequinDef wf_mannequin_measures(WeftMannequinKind kind) {
    const WfFigureTable* table = &wf_figure_tables[kind];
    return (WeftMannequinDef){.kind = kind,
                              .height = table->height,
                              .chest = table->chest,
                              .waist = table->waist,
                              .hips = table->hips,
                              .edge = 0.019};
}

void wf_mannequin_shape(const WeftMannequinDef* def, WfMannequinShape* shape) {
    enum { ROUNDS = 6 };
    const WfFigureTable* table = &wf_figure_tables[def->kind];
    double unit = def->height / 1000, scale = def->height / table->height;
    *shape = (WfMannequinShape){.height = def->height};
    Excess e = {def->chest / (scale * table->chest), def->waist / (scale * table->waist),
                def->hips / (scale * table->hips)};
    for (int round = 0; round < ROUNDS; round++) {
        build(table, &e, shape);
        double chest = extreme_girth(shape, unit * (table->chest_height - 15),
                                     unit * (table->chest_height + 15), 1, &shape->chest_height);
        double waist = extreme_girth(shape, unit * (table->waist_height - 20),
                                     unit * (table->waist_height + 20), -1, &shape->waist_height);
        double hips = extreme_girth(shape, unit * (table->hip_height - 25),
                                    unit * (table->hip_height + 25), 1, &shape->hip_height);
        e.chest *= def->chest / chest;
        e.waist *= def->waist / waist;
        e.hips *= def->hips / hips;
    }
}
