// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards garment/refine.c: a garment with other triangles lies where it lay, as near as its coarse
// triangles say, along curved sides and seams as well.

#include "garment/refine.h"

#include "garment_test.h"

// What carries a point of space somewhere else.
typedef WfVec Bend(WfVec x);

static WfVec move_and_turn(WfVec x) {
    return (WfVec){0.8 * x.x - 0.6 * x.z + 3, x.y - 1, 0.6 * x.x + 0.8 * x.z};
}
static WfVec shear(WfVec x) { return (WfVec){x.x + 0.3 * x.y, x.y, x.z - 0.2 * x.x}; }
// waves of 0.05 m with a curvature of 1.25 / m at most
static WfVec wave(WfVec x) { return (WfVec){x.x, x.y, x.z + 0.05 * sin(5 * x.x) * cos(4 * x.y)}; }

static double* bend(const WeftGarment* g, Bend* map) {
    double* out = malloc(3 * sizeof *out * (size_t)g->mesh.vertex_count);
    for (int v = 0; v < g->mesh.vertex_count; v++)
        wf_store(out, v, map(wf_load(g->mesh.positions, v)));
    return out;
}

static double farthest(const double* a, const double* b, int count) {
    double most = 0;
    for (int v = 0; v < count; v++)
        most = fmax(most, wf_length(wf_sub(wf_load(a, v), wf_load(b, v))));
    return most;
}

// Sew coarsely and finely, bend the coarse one, and compare the refined one with the bent fine one.
static double refined_error(const Kit* kit, double coarse, double fine, Bend* map) {
    WeftGarment from, to;
    if (!sew(kit, coarse, &from) || !sew(kit, fine, &to)) return HUGE_VAL;
    double *wanted = bend(&to, map), *bent = bend(&from, map);
    CHECK(wf_refine_garment(&from, bent, &to) == WEFT_OK);
    double error = farthest(to.mesh.positions, wanted, to.mesh.vertex_count);
    free(wanted);
    free(bent);
    weft_destroy_garment(&from);
    weft_destroy_garment(&to);
    return error;
}

// Panels side by side whose seam is where both have it, so that positions are smooth across it.
static Kit* make_sheet(bool curved) {
    Kit* kit = open_kit();
    WeftPanel* a = add_rectangle(kit, "a", 0.4, 0.5);
    WeftPanel* b = add_rectangle(kit, "b", 0.4, 0.5);
    place_panel(b, 0.4, 0, 0, 0);
    if (curved) {
        curve_side(a, 1, 0.3, 0.25);
        curve_side(b, 3, -0.1, 0.25);
        curve_side(a, 0, 0, 0.1);
        curve_side(b, 2, 0.1, 0.65);
        b->sides[0].curve.bulge = 0.4;
    }
    add_seam(kit, 0, 1, 1, 3);
    return kit;
}

// What is linear in space is exact, to the last edge, where sides are straight.
static void straight_sides(void) {
    Kit* kit = make_sheet(false);
    CHECK_BELOW(refined_error(kit, 0.1, 0.02, move_and_turn), 1e-12);
    CHECK_BELOW(refined_error(kit, 0.1, 0.03, shear), 1e-12);
    CHECK_BELOW(refined_error(kit, 0.03, 0.1, shear), 1e-12);  // the other way
    free(kit);
}

// Beside a curved side, what its chord cuts off is the plane of the triangle, continued.
static void curved_sides(void) {
    Kit* kit = make_sheet(true);
    CHECK_BELOW(refined_error(kit, 0.1, 0.01, move_and_turn), 1e-12);
    CHECK_BELOW(refined_error(kit, 0.08, 0.02, shear), 1e-12);
    free(kit);
}

// Within the sagitta of an edge, e^2 / 8 times the curvature; it goes down with the square.
static void smooth_map(void) {
    for (int curved = 0; curved < 2; curved++) {
        Kit* kit = make_sheet(curved);
        for (int i = 0; i < 3; i++) {
            double edge = 0.08 / (1 << i), sagitta = 1.25 * edge * edge / 8;
            CHECK_BELOW(refined_error(kit, edge, 0.007, wave), (curved ? 4 : 2) * sagitta);
        }
        free(kit);
    }
}

// Both panels have a say at a seam; the fine one lies beside the coarse one, by no more than what
// the cloth, which is folded sharply there, is lifted.
static void seams(void) {
    Kit* kit = make_tube_kit(0.5, 0.6, 0.3, 0.2);
    WeftGarment from, to;
    if (!sew(kit, 0.06, &from) || !sew(kit, 0.013, &to)) return;
    double* bent = bend(&from, move_and_turn);
    CHECK(wf_refine_garment(&from, bent, &to) == WEFT_OK);
    check_garment(&kit->pattern, &to, 1e-12);
    WfVec low = move_and_turn((WfVec){0.25, 0.3, 0}), high = move_and_turn((WfVec){0.25, 0.9, 0});
    for (int i = to.seam_start[0]; i < to.seam_start[1]; i++) {
        double part = (double)(i - to.seam_start[0]) / (seam_size(&to, 0) - 1);
        WfVec wanted = wf_madd(wf_mul(1 - part, low), part, high);
        WfVec is = wf_load(to.mesh.positions, to.seam_vertices[i]);
        CHECK_BELOW(wf_length(wf_sub(is, wanted)), 0.05 * 0.06);
    }
    free(bent);
    weft_destroy_garment(&from);
    weft_destroy_garment(&to);
    free(kit);
}

static void same_mesh(void) {
    Kit* kit = make_sheet(true);
    CHECK_BELOW(refined_error(kit, 0.05, 0.05, wave), 1e-14);
    CHECK_BELOW(refined_error(kit, 0.02, 0.02, wave), 1e-14);
    free(kit);
    kit = make_tube_kit(0.5, 0.6, 0.3, 0.2);
    CHECK_BELOW(refined_error(kit, 0.03, 0.03, wave), 1e-14);
    free(kit);
}

// Far from the origin of its plane, in a thin strip, with edges longer than it is wide.
static void strips(void) {
    Kit* kit = open_kit();
    const double points[4][2] = {{51, 40}, {51, 40.01}, {50, 40.01}, {50, 40}};
    add_panel(kit, "strap", 4, points);
    CHECK_BELOW(refined_error(kit, 0.1, 0.004, shear), 1e-11);
    free(kit);
}

// A half circle of two edges, refined: no point is left without a triangle.
static void coarse_arcs(void) {
    Kit* kit = open_kit();
    WeftPanel* panel = add_rectangle(kit, "lobe", 0.1, 0.1);
    for (int s = 0; s < 4; s++) panel->sides[s].curve.bulge = 1;
    CHECK_BELOW(refined_error(kit, 0.2, 0.005, move_and_turn), 1e-12);
    panel->sides[0].curve.bulge = panel->sides[2].curve.bulge = -0.8;
    CHECK_BELOW(refined_error(kit, 0.2, 0.005, move_and_turn), 1e-12);
    free(kit);
}

static void every_allocation(void) {
    Kit* kit = make_sheet(true);
    WeftGarment from, to;
    if (!sew(kit, 0.1, &from) || !sew(kit, 0.05, &to)) return;
    WeftAllocator own[2] = {from.allocator, to.allocator};
    WeftResult result = WEFT_ERROR_MEMORY;
    for (int n = 1; result && n < 100; n++) {
        Counting counting = {.fail_at = n};
        from.allocator = to.allocator = counting_allocator(&counting);
        result = wf_refine_garment(&from, from.mesh.positions, &to);
        CHECK(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
        CHECK(counting.live == 0);
        if (!result) CHECK(n > 6);
    }
    CHECK(result == WEFT_OK);
    from.allocator = own[0], to.allocator = own[1];
    weft_destroy_garment(&from);
    weft_destroy_garment(&to);
    free(kit);
}

TEST_MAIN(CASE(straight_sides), CASE(curved_sides), CASE(smooth_map), CASE(seams), CASE(same_mesh),
          CASE(strips), CASE(coarse_arcs), CASE(every_allocation))
