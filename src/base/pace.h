// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// How long the iterations of a substep may go on: by count, or by the clock. Every method asks
// before each of its iterations, whatever they are (conjugate gradients, solves, sweeps), and what
// was taken is counted, so that a step that was ended by the clock can be repeated by count.

#ifndef WF_BASE_PACE_H
#define WF_BASE_PACE_H

#include <math.h>

#include "weft/weft.h"

// seconds, or 0 without a clock
static inline double wf_clock_now(const WeftClock* clock) {
    return clock->now ? clock->now(clock->user) : 0;
}

typedef struct WfPace {
    int limit;  // most iterations; 0: no limit
    int least;  // iterations that are taken, whatever the clock says; 1 at least
                // (methods raise it where they need more)

    bool timed;        // the clock counts, too:
    double end;        // seconds on the clock by which the last one must be done
    double iteration;  // seconds that one takes, as measured so far; 0: not known yet
    const WeftClock* clock;

    int done;            // iterations taken
    double first, last;  // when the first and the last were begun
    double asked;        // when it was last asked for one
    bool cut;            // the clock ended them
} WfPace;

// Have all been taken that may be?
static inline bool wf_pace_is_spent(const WfPace* pace) {
    return pace->limit > 0 && pace->done >= pace->limit;
}

// Is there time for `count` more iterations?
static inline bool wf_pace_has_room(WfPace* pace, int count) {
    if (wf_pace_is_spent(pace)) return false;
    if (!pace->timed) return true;
    bool ended = pace->asked > pace->last;  // the last one, and it was seen already
    pace->asked = pace->clock->now(pace->clock->user);
    if (pace->done > 0 && !ended) {
        // the latest one counts most: the cache may have been cold before
        double took = pace->asked - pace->last;
        pace->iteration = fmax(took, 0.5 * (pace->iteration + took));
    }
    if (pace->done < pace->least) return true;
    pace->cut = pace->cut || !(pace->asked + count * pace->iteration <= pace->end);
    return !pace->cut;
}

// Have iterations been ended, by count or by the clock? (What goes on after that could not be
// repeated by count.)
static inline bool wf_pace_is_over(const WfPace* pace) {
    return pace->cut || wf_pace_is_spent(pace);
}

// So many more are taken, whatever the clock says.
static inline void wf_pace_oblige(WfPace* pace, int count) {
    if (pace->least < pace->done + count) pace->least = pace->done + count;
}

// May another Newton step be begun? To linearise takes as long as an iteration or two, and one
// alone is not worth it.
static inline bool wf_pace_allows(WfPace* pace) { return wf_pace_has_room(pace, 3); }

// May another iteration be taken? Counts it.
static inline bool wf_pace_go_on(WfPace* pace) {
    if (!wf_pace_has_room(pace, 1)) return false;
    if (pace->timed) {
        pace->last = pace->asked;
        if (pace->done == 0) pace->first = pace->last;
    }
    pace->done++;
    return true;
}

#endif
