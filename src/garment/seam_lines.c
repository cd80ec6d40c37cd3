// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Which way the chains of seams run, and which of their ends meet: those that the pattern names, or
// those that are nearer to each other where panels are placed. A short seam between panels that are
// far apart, as a shoulder seam is, closes as well one way round as the other. Then the other seams
// decide: panels that hang together by them show their fronts on one side of the garment, and one
// way round would twist it. Where they do not hang together yet, the front of one panel goes on as
// the front of the other. It is told, unless fronts go together both by rule and by other seams.

#include <math.h>

#include "base/error.h"
#include "base/links.h"
#include "base/memory.h"
#include "garment/pattern.h"
#include "garment/seams.h"

// ---------------------------------------------------------------------------------------------
// Chains

// Where a part of a side starts, in space.
static WfVec side_point(const WfSeams* seams, const WeftPattern* pattern, int side, double part) {
    double flat[2];
    wf_curve_at(&seams->sides[side].curve, part, flat);
    return wf_panel_place(&pattern->panels[seams->sides[side].panel].place, flat[0], flat[1]);
}

static WfVec link_end(const WfSeams* seams, const WeftPattern* pattern, const WfLink* link,
                      bool last) {
    return side_point(seams, pattern, link->side, last != link->reversed ? 1 : 0);
}

static double gap(const WfSeams* seams, const WeftPattern* pattern, WfLink a, WfLink b) {
    return wf_length(
        wf_sub(link_end(seams, pattern, &b, false), link_end(seams, pattern, &a, true)));
}

// Turn the links of a chain so that one goes on where the one before ends; of two ways to turn the
// first, the one that leaves smaller gaps. A chain of one link runs as its side does.
static void turn_links(const WfSeams* seams, const WeftPattern* pattern, WfLink* links, int count) {
    double best = HUGE_VAL;
    bool turned = false;
    for (int attempt = 0; attempt < 3 && count > 1; attempt++) {
        double sum = 0;
        links[0].reversed = attempt == 2 ? turned : attempt == 1;
        for (int i = 1; i < count; i++) {
            WfLink along = links[i], against = links[i];
            along.reversed = false, against.reversed = true;
            double on = gap(seams, pattern, links[i - 1], along);
            double back = gap(seams, pattern, links[i - 1], against);
            links[i].reversed = back < on;
            sum += fmin(on, back);
        }
        if (sum < best) best = sum, turned = attempt == 1;
    }
}

// What part of the chain's length each link is.
static void measure_links(const WfSeams* seams, WfLink* links, int count) {
    double total = 0, sum = 0;
    for (int i = 0; i < count; i++) total += wf_curve_length(&seams->sides[links[i].side].curve);
    for (int i = 0; i < count; i++) {
        links[i].from = sum / total;
        sum += wf_curve_length(&seams->sides[links[i].side].curve);
        links[i].until = i == count - 1 ? 1 : sum / total;
    }
}

static void reverse_links(WfLink* links, int count) {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        WfLink other = links[i];
        links[i] = links[j];
        links[j] = other;
    }
    for (int i = 0; i < count; i++) links[i].reversed = !links[i].reversed;
}

static int find_link(const WfLink* links, int count, double at) {
    int i = 0;
    while (i < count - 1 && links[i].until <= at) i++;
    return i;
}

double wf_part_of_side(const WfLink* link, double at) {
    double part = (at - link->from) / (link->until - link->from);
    return link->reversed ? 1 - part : part;
}

static WfVec chain_point(const WfSeams* seams, const WeftPattern* pattern, const WfSeamLine* line,
                         int chain, double at) {
    const WfLink* link = &line->links[chain][find_link(line->links[chain], line->count[chain], at)];
    double part = fmin(fmax(wf_part_of_side(link, at), 0), 1);
    return side_point(seams, pattern, link->side, part);
}

// ---------------------------------------------------------------------------------------------
// Ends

enum { PROBES = 9 };

double wf_line_gap(const WfSeams* seams, const WeftPattern* pattern, const WfSeamLine* line,
                   bool turned) {
    double sum = 0;
    for (int i = 0; i < PROBES; i++) {
        double at = (double)i / (PROBES - 1);
        WfVec a = chain_point(seams, pattern, line, 0, at);
        WfVec b = chain_point(seams, pattern, line, 1, turned ? 1 - at : at);
        sum += wf_length(wf_sub(a, b)) / PROBES;
    }
    return sum;
}

#define AS_NEAR 1.05  // gaps that differ by less than this factor do not decide

// Which ends a seam brings together by itself. *open: neither its pattern nor its panels say it.
static bool meets_beginnings(const WfSeams* seams, const WeftPattern* pattern, const WeftSeam* seam,
                             const WfSeamLine* line, bool* open) {
    double same = wf_line_gap(seams, pattern, line, false);
    double opposite = wf_line_gap(seams, pattern, line, true);
    bool given = seam->ends != WEFT_SEAM_AUTO;
    *open = !given && same <= AS_NEAR * opposite && opposite <= AS_NEAR * same;
    return given ? seam->ends == WEFT_SEAM_SAME : same < opposite;
}

// The chains of a line run as those of its image, which is laid already.
static void follow_chains(const WfSeamLine* from, WfSeamLine* line) {
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < line->count[c]; i++)
            line->links[c][i].reversed = from->links[c][line->count[c] - 1 - i].reversed;
}

// Of two lines that are images of each other, the second one.
static bool follows_image(const WfSeams* seams, int line) {
    return seams->lines[line].image >= 0 && seams->lines[line].image < line;
}

static WeftResult lay_chains(const WeftAllocator* allocator, const WeftPattern* pattern,
                             const WfSeams* seams, int number) {
    const WeftSeam* seam = &pattern->seams[number];
    WfSeamLine* line = &seams->lines[number];
    for (int c = 0; c < 2; c++) {
        line->links[c] = wf_alloc(allocator, (size_t)seam->count[c], sizeof *line->links[c]);
        if (!line->links[c]) return WEFT_ERROR_MEMORY;
        line->count[c] = seam->count[c];
        for (int i = 0; i < seam->count[c]; i++) {
            WeftSideName name = seam->chain[c][i];
            line->links[c][i].side = seams->first_side[name.panel] + name.side;
        }
        turn_links(seams, pattern, line->links[c], line->count[c]);
    }
    if (follows_image(seams, number)) follow_chains(&seams->lines[line->image], line);
    for (int c = 0; c < 2; c++) measure_links(seams, line->links[c], line->count[c]);
    return WEFT_OK;
}

// Which panels show their fronts on the same side of the garment (base/links.h).
typedef struct Faces {
    int* links;
    bool* turned;
} Faces;

static int link_panel(const WfSeams* seams, const WfSeamLine* line, int chain, int i) {
    return seams->sides[line->links[chain][i].side].panel;
}

// Whether the first sides of both chains run the same way, as the pattern lists them.
static bool run_alike(const WfSeamLine* line) {
    return line->links[0][0].reversed == line->links[1][0].reversed;
}

// All panels along a line. Those of one chain are on one side of it, those of the other beyond it.
static void join_faces(const WfSeams* seams, const WfSeamLine* line, Faces* faces) {
    for (int c = 0; c < 2; c++)
        for (int i = 1; i < line->count[c]; i++)
            wf_link_faced(faces->links, faces->turned, link_panel(seams, line, c, 0),
                          link_panel(seams, line, c, i),
                          line->links[c][0].reversed != line->links[c][i].reversed);
    wf_link_faced(faces->links, faces->turned, link_panel(seams, line, 0, 0),
                  link_panel(seams, line, 1, 0), run_alike(line) == line->same);
}

// In the words of the file, whose sides may have been turned round.
static WeftResult tell_open(const WeftPattern* pattern, const WeftSeam* seam, bool same,
                            WeftFindings* findings, WeftError* error) {
    static const char* const ends[2] = {"opposite", "same"};
    char text[WF_SEAM_TEXT];
    int taken = same != seam->turned;
    wf_seam_text(pattern, seam, text);
    return wf_find(findings, error,
                   "the seam of %s closes as well either way round: it joins %s ends; \"ends\": "
                   "\"%s\" in the file keeps that, \"%s\" turns it",
                   text, ends[taken], ends[taken], ends[1 - taken]);
}

// By the fronts of its panels.
static WeftResult settle_line(const WfSeams* seams, const WeftPattern* pattern,
                              const WeftSeam* seam, WfSeamLine* line, Faces* faces,
                              WeftFindings* findings, WeftError* error) {
    bool x, y;
    int a = wf_first_faced(faces->links, faces->turned, link_panel(seams, line, 0, 0), &x);
    int b = wf_first_faced(faces->links, faces->turned, link_panel(seams, line, 1, 0), &y);
    bool apart = a == b ? x != y : seam->right_wrong;
    line->same = run_alike(line) == apart;
    join_faces(seams, line, faces);
    bool sure = a == b && apart == seam->right_wrong;
    return sure ? WEFT_OK : tell_open(pattern, seam, line->same, findings, error);
}

// As its image, which is settled already.
static void follow_line(const WfSeams* seams, WfSeamLine* line, Faces* faces) {
    line->same = seams->lines[line->image].same;
    join_faces(seams, line, faces);
}

// Those first that need no other seam to be settled.
static WeftResult settle_lines(const WeftPattern* pattern, WfSeams* seams, bool* open, Faces* faces,
                               WeftFindings* findings, WeftError* error) {
    WeftResult result = WEFT_OK;
    for (int p = 0; p < pattern->panel_count; p++) faces->links[p] = p;
    for (int i = 0; i < seams->line_count; i++) {
        WfSeamLine* line = &seams->lines[i];
        line->same = meets_beginnings(seams, pattern, &pattern->seams[i], line, &open[i]);
        if (follows_image(seams, i)) {
            open[i] = open[line->image];
            line->same = seams->lines[line->image].same;
        }
        if (!open[i]) join_faces(seams, line, faces);
    }
    for (int i = 0; i < seams->line_count && !result; i++)
        if (open[i] && follows_image(seams, i))
            follow_line(seams, &seams->lines[i], faces);
        else if (open[i])
            result = settle_line(seams, pattern, &pattern->seams[i], &seams->lines[i], faces,
                                 findings, error);
    return result;
}

#define CLEARLY 2.0  // times as far apart: seams that are given so are told

static WeftResult tell_far(const WfSeams* seams, const WeftPattern* pattern, const WeftSeam* seam,
                           const WfSeamLine* line, double edge, WeftFindings* findings,
                           WeftError* error) {
    char text[WF_SEAM_TEXT];
    double now = wf_line_gap(seams, pattern, line, false);
    double other = wf_line_gap(seams, pattern, line, true);
    if (seam->ends == WEFT_SEAM_AUTO || now <= CLEARLY * other || now - other <= edge)
        return WEFT_OK;
    wf_seam_text(pattern, seam, text);
    return wf_find(findings, error,
                   "the seam of %s: what its \"ends\" bring together starts %.0f mm apart; the "
                   "other way round, %.0f mm",
                   text, 1e3 * now, 1e3 * other);
}

// ---------------------------------------------------------------------------------------------

WeftResult wf_lay_lines(const WeftAllocator* allocator, const WeftPattern* pattern, double edge,
                        WfSeams* seams, WeftFindings* findings, WeftError* error) {
    size_t panels = (size_t)pattern->panel_count;
    Faces faces = {wf_alloc(allocator, panels, sizeof *faces.links),
                   wf_alloc(allocator, panels, sizeof *faces.turned)};
    bool* open = wf_alloc(allocator, (size_t)pattern->seam_count, sizeof *open);
    bool good = faces.links && faces.turned && open;
    for (int i = 0; i < seams->line_count && good; i++)
        good = !lay_chains(allocator, pattern, seams, i);
    WeftResult result =
        good ? settle_lines(pattern, seams, open, &faces, findings, error) : wf_fail_memory(error);
    for (int i = 0; i < seams->line_count && !result; i++) {
        WfSeamLine* line = &seams->lines[i];
        if (!line->same) {
            reverse_links(line->links[1], line->count[1]);
            measure_links(seams, line->links[1], line->count[1]);
        }
        result = tell_far(seams, pattern, &pattern->seams[i], line, edge, findings, error);
    }
    wf_free(allocator, faces.links);
    wf_free(allocator, faces.turned);
    wf_free(allocator, open);
    return result;
}
