// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Most variations are maps of the plane, applied to all points of all panels alike, so that sides
// that were sewn together still fit each other. Panels are drawn as they hang: v is up, and u = 0
// is the middle of what they cover.

#include "vary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stress/chance.h"

void* pattern_memory(const WeftPattern* pattern, size_t count, size_t size) {
    const WeftAllocator* a = &pattern->allocator;
    if (!a->allocate) return need(count, size);
    void* memory = a->allocate(a->user, count * size);
    if (!memory) exit(complain(EXIT_FAILED, "out of memory"));
    return memset(memory, 0, count * size);
}

void release_memory(const WeftPattern* pattern, void* memory) {
    if (pattern->allocator.release)
        pattern->allocator.release(pattern->allocator.user, memory);
    else
        free(memory);
}

// ---------------------------------------------------------------------------------------------
// Maps of the plane

typedef struct Box {
    double low[2], high[2];
} Box;

static Box panel_box(const WeftPanel* panel) {
    Box box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int s = 0; s < panel->side_count; s++)
        for (int k = 0; k < 2; k++) {
            box.low[k] = fmin(box.low[k], panel->sides[s].curve.end[k]);
            box.high[k] = fmax(box.high[k], panel->sides[s].curve.end[k]);
        }
    return box;
}

typedef void PlaneMap(double point[2], const Box* box, double amount);

static double below_middle(const double point[2], const Box* box) {
    double middle = 0.5 * (box->low[1] + box->high[1]);
    return fmin(point[1] - middle, 0);
}

static void stretch_down(double point[2], const Box* box, double amount) {
    point[1] += (amount - 1) * 2 * below_middle(point, box);
}

static void flare(double point[2], const Box* box, double amount) {
    point[0] *= 1 - amount * below_middle(point, box) / (box->high[1] - box->low[1]);
}

static void slant(double point[2], const Box* box, double amount) {
    double part = -below_middle(point, box) / (box->high[1] - box->low[1]);
    point[1] += amount * part * point[0];
}

static bool has_hem(const WeftPanel* panel) {
    for (int s = 0; s < panel->side_count; s++)
        if (strstr(panel->sides[s].label, "hem")) return true;
    return false;
}

// Of panels that end in a hem; others, such as bands, stay.
static void map_panels(WeftPattern* pattern, PlaneMap* map, double amount) {
    for (int p = 0; p < pattern->panel_count; p++) {
        WeftPanel* panel = &pattern->panels[p];
        Box box = panel_box(panel);
        if (!has_hem(panel)) continue;
        for (int s = 0; s < panel->side_count; s++) {
            WeftSide* side = &panel->sides[s].curve;
            map(side->end, &box, amount);
            for (int c = 0; c < side->control_count; c++) map(side->control[c], &box, amount);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Sides

static bool is_straight(const WeftSide* side) {
    return side->control_count == 0 && side->bulge == 0;
}

static const double* side_start(const WeftPanel* panel, int side) {
    return panel->sides[(side + panel->side_count - 1) % panel->side_count].curve.end;
}

// 1: counter-clockwise, -1: clockwise
static double turn_of(const WeftPanel* panel) {
    double area = 0;
    for (int s = 0; s < panel->side_count; s++) {
        const double *a = side_start(panel, s), *b = panel->sides[s].curve.end;
        area += a[0] * b[1] - a[1] * b[0];
    }
    return area < 0 ? -1 : 1;
}

// A straight side becomes a curve that goes out by a part of its length.
static void bow_side(WeftPanel* panel, int index, double part) {
    WeftSide* side = &panel->sides[index].curve;
    const double* start = side_start(panel, index);
    double d[2] = {side->end[0] - start[0], side->end[1] - start[1]};
    double out = 2 * part * turn_of(panel);  // the curve goes half as far as its control point
    side->control_count = 1;
    side->control[0][0] = 0.5 * (start[0] + side->end[0]) + out * d[1];
    side->control[0][1] = 0.5 * (start[1] + side->end[1]) - out * d[0];
}

// Straight sides that are sewn to one straight side, and that side, alike.
static void bow_seams(WeftPattern* pattern, double part) {
    for (int i = 0; i < pattern->seam_count; i++) {
        const WeftSeam* seam = &pattern->seams[i];
        if (seam->count[0] != 1 || seam->count[1] != 1) continue;
        WeftSideName a = seam->chain[0][0], b = seam->chain[1][0];
        if (!is_straight(&pattern->panels[a.panel].sides[a.side].curve)) continue;
        if (!is_straight(&pattern->panels[b.panel].sides[b.side].curve)) continue;
        bow_side(&pattern->panels[a.panel], a.side, part);
        bow_side(&pattern->panels[b.panel], b.side, part);
    }
}

static void bow_hems(WeftPattern* pattern, double part) {
    for (int p = 0; p < pattern->panel_count; p++)
        for (int s = 0; s < pattern->panels[p].side_count; s++) {
            WeftPanelSide* side = &pattern->panels[p].sides[s];
            if (strstr(side->label, "hem") && is_straight(&side->curve))
                bow_side(&pattern->panels[p], s, part);
        }
}

// A side in two, and the seams that name it or others behind it.
static void split_side(WeftPattern* pattern, int p, int s) {
    WeftPanel* panel = &pattern->panels[p];
    size_t count = (size_t)panel->side_count;
    WeftPanelSide* sides = pattern_memory(pattern, count + 1, sizeof *sides);
    memcpy(sides, panel->sides, ((size_t)s + 1) * sizeof *sides);
    memcpy(sides + s + 1, panel->sides + s, (count - (size_t)s) * sizeof *sides);
    weft_side_point(panel, s, 0.4, sides[s].curve.end);
    release_memory(pattern, panel->sides);
    panel->sides = sides;
    panel->side_count++;
    for (int i = 0; i < pattern->seam_count; i++)
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < pattern->seams[i].count[k]; c++) {
                WeftSideName* name = &pattern->seams[i].chain[k][c];
                if (name->panel == p && name->side > s) name->side++;
            }
}

static bool is_sewn(const WeftPattern* pattern, int p, int s) {
    for (int i = 0; i < pattern->seam_count; i++)
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < pattern->seams[i].count[k]; c++) {
                WeftSideName name = pattern->seams[i].chain[k][c];
                if (name.panel == p && name.side == s) return true;
            }
    return false;
}

// More corners than it takes: every free straight side has one within.
static void split_sides(WeftPattern* pattern) {
    for (int p = 0; p < pattern->panel_count; p++)
        for (int s = pattern->panels[p].side_count - 1; s >= 0; s--)
            if (is_straight(&pattern->panels[p].sides[s].curve) && !is_sewn(pattern, p, s))
                split_side(pattern, p, s);
}

// A round hole below the middle of the largest panel.
static void cut_hole(WeftPattern* pattern, double radius) {
    int largest = 0;
    double most = 0;
    for (int p = 0; p < pattern->panel_count; p++) {
        Box box = panel_box(&pattern->panels[p]);
        double size = (box.high[0] - box.low[0]) * (box.high[1] - box.low[1]);
        if (size > most) most = size, largest = p;
    }
    WeftPanel* panel = &pattern->panels[largest];
    if (panel->hole_count > 0) return;
    Box box = panel_box(panel);
    double u = 0.5 * (box.low[0] + box.high[0]), v = 0.6 * box.low[1] + 0.4 * box.high[1];
    WeftSide* sides = pattern_memory(pattern, 2, sizeof *sides);
    WeftLoop* hole = pattern_memory(pattern, 1, sizeof *hole);
    sides[0] = (WeftSide){.end = {u + radius, v}, .bulge = 1};
    sides[1] = (WeftSide){.end = {u - radius, v}, .bulge = 1};
    *hole = (WeftLoop){2, sides};
    panel->holes = hole, panel->hole_count = 1;
}

// ---------------------------------------------------------------------------------------------
// Variations

typedef enum VariationKind {
    SHORTER,
    LONGER,
    TIGHT,
    WIDE,
    FLARED,
    BOWED_HEM,
    SLANTED,
    MORE_CORNERS,
    HOLE,
    COARSE,
    FINE,
    BOWED_SEAMS,
    VARIATION_KINDS,
} VariationKind;

static const struct {
    const char* text;
    double low, high;  // of the amount
} kinds[VARIATION_KINDS] = {
    [SHORTER] = {"lower half x %.2f", 0.6, 0.9},
    [LONGER] = {"lower half x %.2f", 1.1, 1.3},
    [TIGHT] = {"girths x %.2f", 0.9, 0.9},
    [WIDE] = {"girths x %.2f", 1.1, 1.25},
    [FLARED] = {"flared by %.2f", 0.2, 0.6},
    [BOWED_HEM] = {"hem bowed by %.2f", 0.05, 0.12},
    [SLANTED] = {"slanted by %.2f", 0.2, 0.5},
    [MORE_CORNERS] = {"more corners", 0, 0},
    [HOLE] = {"hole of %.3f m", 0.02, 0.04},
    [COARSE] = {"edges of %.3f m", 0.03, 0.04},
    [FINE] = {"edges of %.3f m", 0.012, 0.015},
    [BOWED_SEAMS] = {"seams bowed by %.3f", 0.01, 0.03},
};

// What is wider still ends at the waist: nothing else would keep it up.
static void scale_girths(WeftMeasures* m, double scale) {
    double waist = m->waist;
    double* girths[] = {&m->chest, &m->waist, &m->hips,      &m->thigh,
                        &m->knee,  &m->ankle, &m->upper_arm, &m->wrist};
    for (size_t i = 0; i < sizeof girths / sizeof *girths; i++) *girths[i] *= scale;
    if (scale > 1) m->waist = waist;
}

static void change_pattern(WeftPattern* pattern, VariationKind kind, double amount) {
    switch (kind) {
        case SHORTER:
        case LONGER:
            map_panels(pattern, stretch_down, amount);
            break;
        case FLARED:
            map_panels(pattern, flare, amount);
            break;
        case SLANTED:
            map_panels(pattern, slant, amount);
            break;
        case BOWED_HEM:
            bow_hems(pattern, amount);
            break;
        case BOWED_SEAMS:
            bow_seams(pattern, amount);
            break;
        case MORE_CORNERS:
            split_sides(pattern);
            break;
        case HOLE:
            cut_hole(pattern, amount);
            break;
        default:
            break;
    }
}

WeftResult make_variation(const FileList* garments, int index, const Wearer* wearer,
                          Variation* variation, WeftError* error) {
    Chance chance = {(uint64_t)index + 1};
    // every kind of every garment, in an order that takes all of both soon
    int garment = index % garments->count, round = index / garments->count;
    int kind = (round + 3 * garment) % VARIATION_KINDS;
    double amount = between(&chance, kinds[kind].low, kinds[kind].high);
    WeftMeasures measures = wearer->measures;
    char path[FILE_SIZE];
    *variation = (Variation){.garment = garment, .edge = 0.02};
    snprintf(variation->text, sizeof variation->text, kinds[kind].text, amount);
    if (kind == TIGHT || kind == WIDE) scale_girths(&measures, amount);
    if (kind == COARSE || kind == FINE) variation->edge = amount;
    file_path(garments, garment, ".json", path);
    WeftResult result = weft_load_pattern(path, &measures, NULL, &variation->pattern, NULL, error);
    if (result) return result;
    change_pattern(&variation->pattern, (VariationKind)kind, amount);
    return weft_repair_pattern(&variation->pattern, NULL, error);
}
