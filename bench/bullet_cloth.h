// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The soft body of Bullet (btSoftBody): positions corrected link by link, again and again.

#ifndef WEFT_BENCH_BULLET_CLOTH_H
#define WEFT_BENCH_BULLET_CLOTH_H

#include "net.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BulletCloth BulletCloth;

// The net's springs as links of linear stiffness 1, its masses, pins by zero mass; no bending, no
// collisions. The net must live as long. NULL for lack of memory.
BulletCloth* create_bullet_cloth(const Net* net, const double gravity[3],
                                 double (*now)(void* user));
void destroy_bullet_cloth(BulletCloth* cloth);
// At these positions (3 per vertex; NULL: of the net), at rest.
void place_bullet_cloth(BulletCloth* cloth, const double* positions);
// One step of dt; returns the seconds that solving took. `damping` is the part of the velocity that
// a step takes away.
double take_bullet_step(BulletCloth* cloth, double dt, int iterations, double damping);
// 3 per vertex; valid until the next step.
const double* bullet_positions(BulletCloth* cloth);

#ifdef __cplusplus
}
#endif

#endif
