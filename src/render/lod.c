// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "weft/weft_render.h"

// The first level whose threshold, times `part`, is not passed.
static int level_at(double distance, int count, const double* thresholds, double part) {
    int level = 0;
    while (level < count && distance > part * thresholds[level]) level++;
    return level;
}

int weft_choose_lod(int current, double distance, int count, const double* thresholds,
                    double hysteresis) {
    if (!(distance == distance) && current >= 0) return current;
    int level = level_at(distance, count, thresholds, 1);
    if (current < 0 || level == current || !(hysteresis > 0)) return level;
    bool away = level > current;
    int then = level_at(distance, count, thresholds, away ? 1 + hysteresis : 1 - hysteresis);
    if (away) return then > current ? then : current;
    return then < current ? then : current;
}
