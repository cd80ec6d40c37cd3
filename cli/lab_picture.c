// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// The disc of the drape test as a photographer takes it from above: soft light from the upper left,
// some from the other side, the colours and the gloss of its look, and its shadow on the table. All
// in linear light; x goes right, y to the camera, z down in the picture.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

typedef struct Vector {
    double x, y, z;
} Vector;

static double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vector unit(double x, double y, double z) {
    double length = sqrt(x * x + y * y + z * z);
    return (Vector){x / length, y / length, z / length};
}

static double linear(double s) { return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4); }
static unsigned char encode(double light) {
    light = light > 0.7 ? 0.7 + 0.3 * (1 - exp(-(light - 0.7) / 0.3)) : fmax(light, 0);
    double s = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (unsigned char)(255 * s + 0.5);
}
static double channel(uint32_t colour, int k) {
    return linear((colour >> (16 - 8 * k) & 255) / 255.0);
}

// ---------------------------------------------------------------------------------------------
// Cloth

// What mirrors, about the normal n: GGX with a roughness along the warp, t, and one across.
static double gloss(const WeftLook* look, Vector n, Vector light) {
    Vector h = unit(light.x, light.y + 1, light.z);
    Vector t = unit(1 - n.x * n.x, -n.x * n.y, -n.x * n.z);
    Vector b = {n.y * t.z - n.z * t.y, n.z * t.x - n.x * t.z, n.x * t.y - n.y * t.x};
    double alpha = fmax(look->roughness * look->roughness, 0.02), a = look->anisotropy;
    double along = fmax(alpha * (1 - 0.7 * a), 0.02), across = fmax(alpha * (1 + 1.5 * a), 0.02);
    double u = dot(h, t) / along, v = dot(h, b) / across, w = dot(h, n);
    double square = u * u + v * v + w * w;
    double fresnel = 0.05 * look->specular + 0.95 * pow(1 - fmax(h.y, 0), 5) * look->specular;
    return fresnel / (4 * PI * along * across * square * square);
}

// open: how much of the sky is seen, 0 to 1.
static void shade(const WeftLook* look, Vector n, double open, double light[3]) {
    const struct {
        Vector from;
        double power;
    } lamps[] = {{unit(-0.55, 0.7, -0.5), 0.85}, {unit(0.7, 0.45, 0.3), 0.22}};
    double diffuse = open * (0.22 + 0.12 * n.y), mirrored = 0.02 * look->specular * open;
    for (int i = 0; i < 2; i++) {
        double facing = (dot(n, lamps[i].from) + 0.15) / 1.15;
        if (facing <= 0) continue;
        diffuse += lamps[i].power * facing * (0.4 + 0.6 * open);
        mirrored += lamps[i].power * facing * gloss(look, n, lamps[i].from);
    }
    double edge = look->sheen * pow(1 - fmin(fmax(n.y, 0), 1), 2) * open;
    for (int k = 0; k < 3; k++)
        light[k] = channel(look->colour, k) * diffuse * (1 - 0.4 * edge) + mirrored +
                   0.55 * edge * channel(look->sheen_colour, k);
}

// ---------------------------------------------------------------------------------------------
// Blurs: three means over squares, which are nearly as round as a bell

static void blur_line(const float* from, float* to, int count, int step, int reach) {
    double sum = 0;
    for (int i = -reach; i <= reach; i++) {
        int at = i < 0 ? 0 : i >= count ? count - 1 : i;
        sum += (double)from[at * step];
    }
    for (int i = 0; i < count; i++) {
        to[i * step] = (float)(sum / (2 * reach + 1));
        int in = i + reach + 1 < count ? i + reach + 1 : count - 1;
        int out = i - reach > 0 ? i - reach : 0;
        sum += (double)from[in * step] - (double)from[out * step];
    }
}

static void blur(float* values, float* room, int size, int reach) {
    for (int pass = 0; pass < 3; pass++) {
        for (int y = 0; y < size; y++)
            blur_line(values + y * size, room + y * size, size, 1, reach);
        for (int x = 0; x < size; x++) blur_line(room + x, values + x, size, size, reach);
    }
}

// ---------------------------------------------------------------------------------------------
// The picture

typedef struct Stage {
    int size;
    float *cover, *height;   // per pixel of the picture
    float *shadow, *around;  // the same, blurred
    float* room;
} Stage;

static void free_stage(Stage* stage) {
    free(stage->cover);
    free(stage->height);
    free(stage->shadow);
    free(stage->around);
    free(stage->room);
}

static double lowest(const Shadow* shadow) {
    double low = 0;
    for (size_t i = 0; i < (size_t)SHADOW * SHADOW; i++)
        if (isfinite(shadow->height[i])) low = fmin(low, (double)shadow->height[i]);
    return low;
}

static bool make_stage(const Shadow* shadow, int size, Stage* stage) {
    size_t count = (size_t)size * (size_t)size;
    float** arrays[] = {&stage->cover, &stage->height, &stage->shadow, &stage->around,
                        &stage->room};
    double low = lowest(shadow);
    stage->size = size;
    for (int i = 0; i < 5; i++)
        if (!(*arrays[i] = malloc(count * sizeof(float)))) return false;
    for (size_t i = 0; i < count; i++) {
        size_t x = (i % (size_t)size * 2 + 1) * SHADOW / (2 * (size_t)size);
        size_t y = (i / (size_t)size * 2 + 1) * SHADOW / (2 * (size_t)size);
        float height = shadow->height[y * SHADOW + x];
        stage->cover[i] = isfinite(height);
        stage->height[i] = isfinite(height) ? height : (float)low;
    }
    memcpy(stage->shadow, stage->cover, count * sizeof(float));
    memcpy(stage->around, stage->height, count * sizeof(float));
    blur(stage->shadow, stage->room, size, size / 50);
    blur(stage->around, stage->room, size, size / 70);
    return true;
}

// The table, lighter towards the lamp, under the shadow of what lies above.
static void light_table(const Stage* stage, int x, int y, double light[3]) {
    static const double paper[3] = {0.86, 0.85, 0.83};
    int move = stage->size / 45, from_x = x > move ? x - move : 0, from_y = y > move ? y - move : 0;
    double dark = 0.55 * (double)stage->shadow[from_y * stage->size + from_x];
    double fall = 1 - 0.16 * (x + y) / (2.0 * stage->size);
    for (int k = 0; k < 3; k++) light[k] = paper[k] * fall * (1 - dark);
}

// One of the shadow's pixels, which lies in (x, y) of the picture.
static void light_cloth(const Stage* stage, const Shadow* shadow, const WeftLook* look, int x,
                        int y, size_t at, double light[3]) {
    const float* n = shadow->normal + 3 * at;
    size_t pixel = (size_t)y * (size_t)stage->size + (size_t)x;
    double below = (double)(stage->around[pixel] - shadow->height[at]);
    double open = 1 - fmin(fmax(below / 0.03, 0), 0.6), table[3];
    double u = (double)(at % SHADOW) - SHADOW / 2.0, v = (double)(at / SHADOW) - SHADOW / 2.0;
    double rim = fabs(hypot(u, v) * pixel_size() - drape_support);
    shade(look, unit((double)n[0], (double)n[1], (double)n[2]), open, light);
    light_table(stage, x, y, table);
    for (int k = 0; k < 3; k++) {
        double through = 0.75 * table[k] * (0.5 + 0.5 * channel(look->colour, k));
        light[k] = look->opacity * light[k] + (1 - look->opacity) * through;
        if (rim < 0.0008) light[k] *= 0.72 + 0.28 * rim / 0.0008;
    }
}

bool picture_drape(const Drape* drape, const WeftLook* look, int size, Picture* picture) {
    Shadow shadow = {0};
    Stage stage = {0};
    bool good = cast_shadow(drape, &shadow) && make_stage(&shadow, size, &stage) &&
                create_picture(picture, size, size);
    for (int y = 0; y < size && good; y++)
        for (int x = 0; x < size; x++) {
            double sum[3] = {0, 0, 0};
            int x0 = x * SHADOW / size, x1 = (x + 1) * SHADOW / size, count = 0;
            for (int v = y * SHADOW / size; v < (y + 1) * SHADOW / size; v++)
                for (int u = x0; u < x1; u++, count++) {
                    size_t at = (size_t)v * SHADOW + (size_t)u;
                    double light[3];
                    if (isfinite(shadow.height[at]))
                        light_cloth(&stage, &shadow, look, x, y, at, light);
                    else
                        light_table(&stage, x, y, light);
                    for (int k = 0; k < 3; k++) sum[k] += light[k];
                }
            Colour* pixel = &picture->pixels[(size_t)y * (size_t)size + (size_t)x];
            pixel->red = encode(sum[0] / count);
            pixel->green = encode(sum[1] / count);
            pixel->blue = encode(sum[2] / count);
        }
    free_shadow(&shadow);
    free_stage(&stage);
    return good;
}
