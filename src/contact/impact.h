// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Continuous collision: do a point and a triangle, or two edges, whose vertices move evenly from x0
// to x1 stay apart? By conservative advancement: as long as no two vertices near each other faster
// than they do, nothing can happen before some time; go there, and look again. It never steps over
// a contact, whatever the rounding: what it cannot prove apart it calls an impact.

#ifndef WF_CONTACT_IMPACT_H
#define WF_CONTACT_IMPACT_H

#include "base/vec.h"

// x: the point and the corners a, b, c of the triangle; or the edges a b and c d. keep: the
// distance to keep, m; where no more is left at the start, half of what is left is kept. Returns a
// time in [0, 1] up to which the distance surely stays above that, close to the first moment at
// which it does not (the distance is then at most `close` more than what is kept); above 1 (2)
// where it stays so for the whole way. 0 where they touch at the start, wherever they go. `looks`
// says how many looks at the pair may be taken, a time that is too early comes out where they are
// not enough; those taken are subtracted. At least three are taken: what does not move needs two.
double wf_impact_point_triangle(const WfVec x0[4], const WfVec x1[4], double keep, double close,
                                long* looks);
double wf_impact_edge_edge(const WfVec x0[4], const WfVec x1[4], double keep, double close,
                           long* looks);
// The same for edges where the first one is the axis of balls, whose radius grows by `taper` from a
// to b: `keep` is from the centre of the ball about a, and more, by so much, where others are near.
double wf_impact_tapered(const WfVec x0[4], const WfVec x1[4], double taper, double keep,
                         double close, long* looks);
// Enough for any pair.
#define WF_MOST_LOOKS 200

#endif
