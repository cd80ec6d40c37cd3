// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A figure of nine capsules that walks: what stands for the skeleton of a character in the examples
// and in the viewer. It faces +z of its own frame, with its feet on y = 0.

#ifndef WEFT_EXAMPLES_WALKER_H
#define WEFT_EXAMPLES_WALKER_H

#include <math.h>
#include <string.h>
#include <weft/weft.h>

enum { CHEST, HIPS, HEAD, LEFT_ARM, RIGHT_ARM, LEFT_THIGH, RIGHT_THIGH, LEFT_SHIN, RIGHT_SHIN };
enum { WALKER_PARTS = 9 };

static const double WALKER_STRIDES = 1.1;  // pairs of steps in a second

typedef struct Walker {
    double place[3];  // on the ground
    double heading;   // radians about y; 0 walks along z
    double phase;     // of the stride, radians
} Walker;

static const struct {
    double radius, length;  // m
} walker_sizes[WALKER_PARTS] = {{0.14, 0.22},  {0.14, 0.10},  {0.10, 0.06},
                                {0.045, 0.52}, {0.045, 0.52}, {0.075, 0.34},
                                {0.075, 0.34}, {0.05, 0.40},  {0.05, 0.40}};

static inline void walker_bodies(WeftBodyDef bodies[WALKER_PARTS]) {
    for (int i = 0; i < WALKER_PARTS; i++) {
        bodies[i] = weft_default_body_def();
        bodies[i].kind = WEFT_BODY_CAPSULE;
        bodies[i].radius = walker_sizes[i].radius;
        bodies[i].length = walker_sizes[i].length;
    }
}

// Go on for dt seconds at a speed, turning.
static inline void walk(Walker* walker, double dt, double speed, double turning) {
    walker->heading += dt * turning;
    walker->place[0] += dt * speed * sin(walker->heading);
    walker->place[2] += dt * speed * cos(walker->heading);
    walker->phase += dt * 6.283185307 * WALKER_STRIDES * fmin(1, speed / 0.5);
}

// A part in the frame of the figure: the joint it hangs from, and how far it swings forward there.
static inline void walker_joint(const Walker* walker, int part, double joint[3], double* swing) {
    static const double joints[WALKER_PARTS][3] = {
        {0, 1.42, 0},     {0, 1.06, 0},    {0, 1.66, 0.02}, {0.22, 1.42, 0},
        {-0.22, 1.42, 0}, {0.09, 0.92, 0}, {-0.09, 0.92, 0}};
    bool left = part == LEFT_ARM || part == LEFT_THIGH || part == LEFT_SHIN;
    double phase = walker->phase + (left ? 0 : 3.14159265), thigh = 0.45 * sin(phase);
    memcpy(joint, joints[part < LEFT_SHIN ? part : part - 2], 3 * sizeof *joint);
    *swing = part == LEFT_THIGH || part == RIGHT_THIGH ? thigh : 0;
    if (part == LEFT_ARM || part == RIGHT_ARM) *swing = -0.5 * sin(phase);
    if (part >= LEFT_SHIN) {  // from the knee, which bends while the leg comes forward
        joint[1] -= 0.42 * cos(thigh), joint[2] += 0.42 * sin(thigh);
        *swing = thigh - 0.8 * fmax(0, cos(phase));
    }
    joint[1] += 0.02 * cos(2 * walker->phase);
}

// Where the capsule of a part is in the world.
static inline void walker_pose(const Walker* walker, int part, double position[3],
                               double rotation[4]) {
    double joint[3], swing, half = walker_sizes[part].length / 2;
    walker_joint(walker, part, joint, &swing);
    double y = joint[1] - half * cos(swing), z = joint[2] + half * sin(swing);
    double c = cos(walker->heading), s = sin(walker->heading);
    position[0] = walker->place[0] + c * joint[0] + s * z;
    position[1] = walker->place[1] + y;
    position[2] = walker->place[2] - s * joint[0] + c * z;
    // about y by the heading, after about x by -swing
    double cy = cos(walker->heading / 2), sy = sin(walker->heading / 2);
    double cx = cos(swing / 2), sx = -sin(swing / 2);
    rotation[0] = cy * sx, rotation[1] = sy * cx, rotation[2] = -sy * sx, rotation[3] = cy * cx;
}

// The frame of a part as a bone: three rows of a rotation, the place behind each.
static inline void walker_bone(const Walker* walker, int part, double bone[12]) {
    double p[3], q[4];
    walker_pose(walker, part, p, q);
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rows[12] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),     p[0],
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),     p[1],
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y), p[2]};
    memcpy(bone, rows, sizeof rows);
}

#endif
