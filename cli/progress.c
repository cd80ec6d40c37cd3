// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

enum { BAR_WIDTH = 30, LINE_COUNT = 4 };

void start_progress(Progress* progress, int total, bool quiet) {
    double time = now(NULL);
    *progress = (Progress){quiet, isatty(STDERR_FILENO), total, time, time, "step"};
}

// On a terminal ten times a second, elsewhere at every quarter.
static bool is_due(Progress* progress, int done) {
    if (progress->quiet) return false;
    if (!progress->terminal)
        return (long)done * LINE_COUNT / progress->total !=
               (long)(done - 1) * LINE_COUNT / progress->total;
    double time = now(NULL);
    if (done < progress->total && time - progress->shown < 0.1) return false;
    progress->shown = time;
    return true;
}

void show_progress(Progress* progress, int done, double ms_per_step) {
    if (!is_due(progress, done)) return;
    double left = (now(NULL) - progress->start) / done * (progress->total - done);
    if (progress->terminal) {
        char bar[BAR_WIDTH + 1];
        int filled = (int)((long)done * BAR_WIDTH / progress->total);
        memset(bar, '-', BAR_WIDTH);
        memset(bar, '#', (size_t)filled);
        bar[BAR_WIDTH] = 0;
        fprintf(stderr, "\r[%s] ", bar);
    }
    fprintf(stderr, "frame %d/%d  %.2f ms/%s  %.0f s left", done, progress->total, ms_per_step,
            progress->unit, left);
    fputs(progress->terminal ? "   " : "\n", stderr);
}

void end_progress(const Progress* progress) {
    if (progress->terminal && !progress->quiet) fputs("\r\x1b[K", stderr);
}
