// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A cape on a walking skeleton: it walks, turns around within 0.3 s, walks on, and is teleported
// once. The cape keeps within its painted distance of where the chest carries it.

#include "cape.h"

#include <stdio.h>

enum { FRAMES = 240, TURN = 90, TURN_END = 108, TELEPORT = 180 };

static double stretch_of(const WeftState* state, const WeftStepDef* step) {
    WeftMeasure measure;
    return weft_measure(state, step->gravity, &measure) ? 0 : measure.p99_stretch;
}

// All bodies and the skin, at once, to another place: nothing of the cape is dragged along.
static void teleport(Cape* cape, Walker* walker) {
    walker->place[0] += 100;
    for (int i = 0; i < WALKER_PARTS; i++) {
        double position[3], rotation[4];
        walker_pose(walker, i, position, rotation);
        weft_place_body(cape->state, i, position, rotation);
    }
    walker_bone(walker, CHEST, cape->bone);
    weft_place_bones(cape->state, 0, cape->bone);
}

int main(void) {
    static Cape cape;
    Walker walker = {0};
    WeftError error;
    WeftStepDef step = weft_default_step_def();
    if (create_cape(&walker, &step, &cape, &error)) return puts(error.message), 1;
    double worst = 0, stretch = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        bool turns = frame >= TURN && frame < TURN_END;
        if (frame == TELEPORT) teleport(&cape, &walker);
        walk(&walker, step.dt, turns ? 0.3 : 1.6, turns ? 3.14159265 / 0.3 : 0);
        if (step_cape(&cape, &walker, &step)) return puts(weft_state_error(cape.state)->message), 1;
        const WeftStepReport* report = weft_report(cape.state);
        worst = fmax(worst, report->over_distance);
        stretch = fmax(stretch, stretch_of(cape.state, &step));
        if (frame % 30 == 29) {
            const double* hem = weft_positions(cape.state) + 3 * (CAPE_VERTICES - 1);
            printf(
                "%.2f s  walker %6.2f %6.2f  hem %6.2f %5.2f %6.2f  %d contacts, %d at their end\n",
                weft_time(cape.state), walker.place[0], walker.place[2], hem[0], hem[1], hem[2],
                report->active_contacts, report->leashes);
        }
    }
    printf(
        "never further than %.1f mm beyond its distance; 99 %% of the edges below %.1f %% longer\n",
        1000 * worst, 100 * (stretch - 1));
    destroy_cape(&cape);
    return worst < 0.02 && stretch < 1.15 ? 0 : 1;
}
