// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The sides of a pattern cut into edges, so that both chains of every seam have the same ones.

#ifndef WF_GARMENT_SEAMS_H
#define WF_GARMENT_SEAMS_H

#include "mesh/curve.h"
#include "weft/weft_garment.h"

// A side with knots: points at which it, or what is sewn to it, has a corner.
typedef struct WfCutSide {
    int panel;
    int image_of;  // of mirrored patterns: the side that it is cut like, the other way round; or -1
    WfCurve curve;
    int knot_count, knot_capacity;
    double* knots;    // parts of its length, increasing, 0 and 1 included
    int* edges;       // between a knot and the next
    int point_count;  // all points but the last
    double* parts;    // of its length, where these points are
} WfCutSide;

// A side in a chain.
typedef struct WfLink {
    int side;        // of all
    bool reversed;   // the seam runs from its end to its start
    bool stands_in;  // while sides are cut: `side` stands for its image, which runs the other way
    double from, until;  // of the chain's length, 0 to 1
} WfLink;

typedef struct WfSeamLine {
    int count[2];
    WfLink* links[2];  // both from the same end of the seam
    bool same;         // the second chain runs as the pattern lists it
    int image;         // of mirrored patterns: the line between the images of its sides; or -1
} WfSeamLine;

typedef struct WfSeams {
    int panel_count, side_count, line_count;
    int* first_side;   // per panel, and one more
    WfCutSide* sides;  // panel after panel
    WfSeamLine* lines;
    WeftSide* curves;  // of all sides; WfCutSide.curve points at them
} WfSeams;

// What is between two knots, as a chain goes along.
typedef struct WfStop {
    const WfLink* link;
    int interval;  // of the link's side: from this knot to the next
    double at;     // where it ends, of the chain's length
} WfStop;

// Both chains of a line have the same number of stops.
WfStop wf_first_stop(const WfSeams* seams, const WfSeamLine* line, int chain);
// False past the end of the chain.
bool wf_next_stop(const WfSeams* seams, const WfSeamLine* line, int chain, WfStop* stop);

double wf_part_of_side(const WfLink* link, double at);  // `at`: of the chain's length

// seam_lines.c
// Lay the line of every seam: which way its chains run, and which of their ends meet.
WeftResult wf_lay_lines(const WeftAllocator* allocator, const WeftPattern* pattern, double edge,
                        WfSeams* seams, WeftFindings* findings, WeftError* error);
// How far apart what a line brings together starts, on average, m; `turned`: with its second chain
// the other way round.
double wf_line_gap(const WfSeams* seams, const WeftPattern* pattern, const WfSeamLine* line,
                   bool turned);

WeftResult wf_seams_create(const WeftAllocator* allocator, const WeftPattern* pattern, double edge,
                           WfSeams* seams, WeftFindings* findings, WeftError* error);
void wf_seams_destroy(const WeftAllocator* allocator, WfSeams* seams);

#endif
