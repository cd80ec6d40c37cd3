// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "stage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

const char* stage_name(StageKind kind) { return kind == STAGE_SHEET ? "sheet" : "skirt"; }

// ---------------------------------------------------------------------------------------------
// Motions

// The i-th of numbers from low to high that fill the range evenly, whatever their count is; each
// `ratio` (irrational) makes a sequence of its own.
static double spread(int i, double ratio, double low, double high) {
    double part = 0.5 + i * ratio;
    return low + (part - floor(part)) * (high - low);
}

static Motion sheet_motion(int i, double pace) {
    return (Motion){.pace = pace,
                    .direction = spread(i, sqrt(2), 0, 2 * PI),
                    .phase = spread(i, sqrt(3), 0, 2 * PI),
                    .sway = spread(i, sqrt(5), 0.1, 0.25),
                    .near = spread(i, sqrt(7), 0.03, 0.15),
                    .twist = spread(i, sqrt(11), 0, 0.08)};
}

// The walks are at least 0.05 from those that are not seen.
Motion training_motion(StageKind kind, int i) {
    static const double paces[MAX_WALKS] = {1,    0.7, 1.4,  0.9,  1.15, 0.6,  1.35,
                                            0.85, 1.1, 1.45, 0.65, 1.05, 0.95, 1.5};
    if (kind == STAGE_SHEET) return sheet_motion(i, spread(i, (sqrt(5) - 1) / 2, 0.5, 1.5));
    return (Motion){.pace = paces[i % MAX_WALKS]};
}

Motion unseen_motion(StageKind kind, Pace pace, int i) {
    if (kind == STAGE_SKIRT) return (Motion){.pace = pace == PACE_SLOW ? 0.8 : 1.25};
    return sheet_motion(1000 + 2 * i + (int)pace, (pace == PACE_SLOW ? 0.6 : 1.3) + 0.1 * i);
}

int unseen_count(StageKind kind, bool quick) { return kind == STAGE_SKIRT || quick ? 1 : 3; }

// ---------------------------------------------------------------------------------------------
// Scenes

typedef struct Text {
    char letters[1 << 17];
    size_t length;
} Text;

PRINTF_LIKE(2, 3) static void write_text(Text* text, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text->letters + text->length, sizeof text->letters - text->length,
                            format, arguments);
    va_end(arguments);
    text->length += (size_t)written;
}

// Where a corner is at a time, from where it starts: the left one for side 1, the right one for -1.
static void corner_offset(const Motion* m, double period, int side, double t, double offset[3]) {
    double ramp = t < 0.5 ? 4 * t * t * (3 - 4 * t) : 1;  // so that nothing is jerked at first
    double angle = 2 * PI * m->pace * t / period;
    double sway = ramp * m->sway * (sin(angle + m->phase) - sin(m->phase));
    double near = ramp * m->near * (1 - cos(0.6 * angle));
    double twist = ramp * m->twist * sin(0.8 * angle);
    offset[0] = sway * cos(m->direction) + side * near;
    offset[1] = 0.3 * ramp * m->sway * sin(0.7 * angle);
    offset[2] = sway * sin(m->direction) + side * twist;
}

static void write_path(Text* text, const Stage* stage, const Motion* motion, int side) {
    write_text(text, "{\"offset\": {\"keys\": [");
    for (int i = 0; i <= stage->frames; i++) {
        double offset[3];
        corner_offset(motion, stage->period, side, i / 60.0, offset);
        write_text(text, "%s[%.6f, %.6f, %.6f, %.6f]", i ? ", " : "", i / 60.0, offset[0],
                   offset[1], offset[2]);
    }
    write_text(text, "]}}");
}

static void write_sheet(Text* text, const Stage* stage, const Motion* motion) {
    int cells = (int)lround(1 / stage->edge);
    write_text(text, "{\"weft\": 1, \"name\": \"sheet\", \"duration\": %.6f, \"motions\": {",
               stage->frames / 60.0);
    for (int side = 1; side >= -1; side -= 2) {
        write_text(text, "%s\"%s\": ", side > 0 ? "" : ", ", side > 0 ? "left" : "right");
        write_path(text, stage, motion, side);
    }
    write_text(text,
               "}, \"cloths\": [{\"mesh\": {\"kind\": \"grid\", \"columns\": %d, \"rows\": %d},"
               "\"place\": {\"turn\": {\"axis\": [1, 0, 0], \"degrees\": 90}},"
               "\"pins\": [{\"corner\": \"top left\", \"motion\": \"left\"},"
               "{\"corner\": \"top right\", \"motion\": \"right\"}]}]}",
               cells, cells);
}

static void write_skirt(Text* text, const Stage* stage) {
    write_text(text,
               "{\"weft\": 1, \"name\": \"skirt\", \"duration\": %.6f, \"contact\": \"bodies\","
               "\"bodies\": [{\"kind\": \"mannequin\", \"clip\": \"walk\"}, {\"kind\": \"plane\"}],"
               "\"cloths\": [{\"mesh\": {\"kind\": \"pattern\", \"file\": \"skirt.json\","
               "\"edge\": %.6f}}]}",
               stage->frames / 60.0, stage->edge);
}

static int read_scene(Stage* stage, const Text* text, int threads) {
    WeftError error = {0};
    bool bad = text->length >= sizeof text->letters ||
               weft_parse_scene(text->letters, text->length, stage_name(stage->kind),
                                stage->garments, NULL, NULL, &stage->scene, &error);
    if (!bad) {
        stage->scene->model.jobs.thread_count = WEFT_ALL_THREADS;
        bad = weft_dress_scene(stage->scene, NULL, NULL, NULL, &error);
        stage->scene->model.jobs.thread_count = threads;
    }
    return bad ? complain(EXIT_FAILED, "%s", error.message) : EXIT_GOOD;
}

int set_motion(Stage* stage, const Motion* motion, int threads) {
    int code = EXIT_GOOD;
    // garments are put on once
    if (stage->kind == STAGE_SHEET || !stage->scene) {
        Text* text = need(1, sizeof *text);
        close_stage(stage);
        if (stage->kind == STAGE_SHEET)
            write_sheet(text, stage, motion);
        else
            write_skirt(text, stage);
        code = read_scene(stage, text, threads);
        free(text);
    }
    if (code) return code;
    stage->scene->model.jobs.thread_count = threads;
    if (stage->kind == STAGE_SKIRT) stage->scene->pace = motion->pace;
    return EXIT_GOOD;
}

void close_stage(Stage* stage) {
    weft_destroy_scene(stage->scene);
    stage->scene = NULL;
}
