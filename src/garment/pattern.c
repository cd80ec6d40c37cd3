// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns: what is in them, where it is, and giving it back.

#include "garment/pattern.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "base/assert.h"
#include "base/memory.h"
#include "base/text.h"
#include "garment/frame.h"
#include "mesh/curve.h"

// ---------------------------------------------------------------------------------------------
// Findings

static bool grow(WeftFindings* findings) {
    // room for a power of two of lines: full where the count is one, or 0
    int count = findings->count;
    if ((count & (count - 1)) != 0) return true;
    findings->allocator = wf_allocator(&findings->allocator);
    char(*lines)[240] =
        wf_alloc(&findings->allocator, count > 0 ? 2 * (size_t)count : 1, sizeof *lines);
    if (!lines) return false;
    if (count > 0) memcpy(lines, findings->lines, (size_t)count * sizeof *lines);
    wf_free(&findings->allocator, findings->lines);
    findings->lines = lines;
    return true;
}

WeftResult wf_find(WeftFindings* findings, WeftError* error, const char* format, ...) {
    if (!findings) return WEFT_OK;
    if (!grow(findings)) return wf_fail_memory(error);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(findings->lines[findings->count], sizeof *findings->lines, format, arguments);
    wf_make_plain(findings->lines[findings->count++]);
    va_end(arguments);
    return WEFT_OK;
}

void weft_side_text(const WeftPattern* pattern, WeftSideName name, char text[WEFT_SIDE_TEXT]) {
    const WeftPanel* panel = &pattern->panels[name.panel];
    const WeftPanelSide* side = &panel->sides[name.side];
    if (side->name[0])
        snprintf(text, WEFT_SIDE_TEXT, "side \"%s\" of panel \"%s\"", side->name, panel->name);
    else
        snprintf(text, WEFT_SIDE_TEXT, "side %d of panel \"%s\"",
                 side->number > 0 ? side->number - 1 : name.side, panel->name);
}

void wf_seam_text(const WeftPattern* pattern, const WeftSeam* seam, char text[WF_SEAM_TEXT]) {
    char a[WEFT_SIDE_TEXT], b[WEFT_SIDE_TEXT];
    weft_side_text(pattern, seam->chain[0][0], a);
    weft_side_text(pattern, seam->chain[1][0], b);
    snprintf(text, WF_SEAM_TEXT, "%s and %s", a, b);
}

void weft_destroy_findings(WeftFindings* findings) {
    if (!findings) return;
    WeftAllocator allocator = wf_allocator(&findings->allocator);
    wf_free(&allocator, findings->lines);
    *findings = (WeftFindings){0};
}

// ---------------------------------------------------------------------------------------------
// Memory

void wf_free_panel(const WeftAllocator* allocator, WeftPanel* panel) {
    for (int i = 0; panel->holes && i < panel->hole_count; i++)
        wf_free(allocator, (void*)panel->holes[i].sides);
    wf_free(allocator, panel->holes);
    wf_free(allocator, panel->sides);
    *panel = (WeftPanel){0};
}

void wf_free_seam(const WeftAllocator* allocator, WeftSeam* seam) {
    for (int k = 0; k < 2; k++) wf_free(allocator, seam->chain[k]);
    *seam = (WeftSeam){0};
}

void weft_destroy_pattern(WeftPattern* pattern) {
    if (!pattern) return;
    WeftAllocator allocator = wf_allocator(&pattern->allocator);
    for (int i = 0; pattern->panels && i < pattern->panel_count; i++)
        wf_free_panel(&allocator, &pattern->panels[i]);
    for (int i = 0; pattern->seams && i < pattern->seam_count; i++)
        wf_free_seam(&allocator, &pattern->seams[i]);
    wf_free(&allocator, pattern->panels);
    wf_free(&allocator, pattern->seams);
    wf_free(&allocator, pattern->holds);
    *pattern = (WeftPattern){0};
}

// ---------------------------------------------------------------------------------------------
// Sides

const double* wf_side_start(const WeftPanel* panel, int side) {
    return panel->sides[side > 0 ? side - 1 : panel->side_count - 1].curve.end;
}

double weft_side_length(const WeftPanel* panel, int side) {
    wf_assert(side >= 0 && side < panel->side_count);
    return wf_side_length(wf_side_start(panel, side), &panel->sides[side].curve);
}

void weft_side_point(const WeftPanel* panel, int side, double t, double point[2]) {
    wf_assert(side >= 0 && side < panel->side_count);
    wf_side_point(wf_side_start(panel, side), &panel->sides[side].curve, t, point);
}

enum { AREA_SAMPLES = 64 };  // per curved side

double wf_loop_area(const WeftSide* sides, size_t stride, int count) {
    const char* bytes = (const char*)sides;
    const WeftSide* last = (const WeftSide*)(const void*)(bytes + stride * (size_t)(count - 1));
    const double* origin = last->end;
    double area = 0, at[2] = {0, 0};
    const double* start = origin;
    for (int s = 0; s < count; s++) {
        const WeftSide* side = (const WeftSide*)(const void*)(bytes + stride * (size_t)s);
        bool straight = side->control_count == 0 && side->bulge == 0;
        int samples = straight ? 1 : AREA_SAMPLES;
        for (int i = 1; i <= samples; i++) {
            double point[2];
            wf_side_point(start, side, (double)i / samples, point);
            double x = point[0] - origin[0], y = point[1] - origin[1];
            area += at[0] * y - at[1] * x;
            at[0] = x, at[1] = y;
        }
        start = side->end;
    }
    return area;
}

// ---------------------------------------------------------------------------------------------
// Places

WfVec wf_panel_place(const WeftPanelPlace* place, double u, double v) {
    WfVec x = {u, v, 0};
    if (place->curl != 0) {
        double sine, cosine;
        wf_sine_cosine(u / place->curl, &sine, &cosine);
        x.x = place->curl * sine;
        x.z = place->curl * (cosine - 1);
    }
    return wf_frame_apply(wf_frame_of(place->position, place->rotation), x);
}

// The beginning (end 0) or the end (1) of a chain, in space.
static WfVec chain_end(const WeftPattern* pattern, const WeftSeam* seam, int k, int end) {
    WeftSideName name = seam->chain[k][end ? seam->count[k] - 1 : 0];
    const WeftPanel* panel = &pattern->panels[name.panel];
    const double* at = end ? panel->sides[name.side].curve.end : wf_side_start(panel, name.side);
    return wf_panel_place(&panel->place, at[0], at[1]);
}

bool wf_seam_gaps(const WeftPattern* pattern, const WeftSeam* seam, double* opposite,
                  double* same) {
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < seam->count[k]; i++)
            if (!pattern->panels[seam->chain[k][i].panel].place.given) return false;
    WfVec a[2], b[2];
    for (int end = 0; end < 2; end++) {
        a[end] = chain_end(pattern, seam, 0, end);
        b[end] = chain_end(pattern, seam, 1, end);
    }
    *opposite = wf_length(wf_sub(a[0], b[1])) + wf_length(wf_sub(a[1], b[0]));
    *same = wf_length(wf_sub(a[0], b[0])) + wf_length(wf_sub(a[1], b[1]));
    return true;
}

WfSeamSign wf_seam_sign(const WeftPattern* pattern, const WeftSeam* seam) {
    double opposite = 0, same = 0;
    if (!wf_seam_gaps(pattern, seam, &opposite, &same)) return WF_SEAM_OPEN;
    if (2 * opposite < same) return WF_SEAM_CLEARLY_OPPOSITE;
    return 2 * same < opposite ? WF_SEAM_CLEARLY_SAME : WF_SEAM_OPEN;
}
