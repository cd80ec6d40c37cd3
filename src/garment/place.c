// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where panels go whose file does not say it: around the part of the body that their name or label
// speaks of, by the measures of the body.
//
//     torso, skirt, leg   upright before or behind the body, from the shoulders, the waist or the
//                         hips down; halves beside the middle
//     sleeve, cuff        rolled around the arm, from the shoulder on, its seam below
//     collar, hood, band  rolled around the neck, the head or the waist, its seam behind
//
// Of what is rolled, a front or a back has its middle there. Panels are drawn upright, as they are
// seen from outside: v is up the body, or up the arm, and backs are turned round.

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "garment/frame.h"
#include "garment/pattern.h"

#define AWAY 0.08   // m, from the body
#define ABOVE 0.02  // m, above where it ends

typedef enum Part { TORSO, SKIRT, LEG, ARM, CUFF, NECK, HEAD, WAIST, PARTS } Part;

// The usual word for each, and where it goes.
static const struct {
    const char *word, *where;
} parts[PARTS] = {
    [TORSO] = {"torso", "from the shoulders down"}, [SKIRT] = {"skirt", "from the waist down"},
    [LEG] = {"leg", "from the waist down"},         [ARM] = {"sleeve", "around the arm"},
    [CUFF] = {"cuff", "around the wrist"},          [NECK] = {"collar", "around the neck"},
    [HEAD] = {"hood", "around the head"},           [WAIST] = {"waistband", "around the waist"},
};

static const struct {
    const char* word;
    Part part;
} words[] = {
    {"waistband", WAIST}, {"belt", WAIST},   {"wb_", WAIST},   {"hood", HEAD},  {"collar", NECK},
    {"cuff", CUFF},       {"sleeve", ARM},   {"sl_", ARM},     {"arm", ARM},    {"leg", LEG},
    {"pant", LEG},        {"trouser", LEG},  {"skirt", SKIRT}, {"body", TORSO}, {"torso", TORSO},
    {"top", TORSO},       {"bodice", TORSO}, {"waist", WAIST}, {"neck", NECK},
};
enum { WORD_COUNT = sizeof words / sizeof *words };

const char* wf_place_word(int index) { return index < WORD_COUNT ? words[index].word : NULL; }

// The name and the label of a panel in small letters, with a line before and after.
typedef struct Called {
    char text[2 * WEFT_NAME_SIZE + 4];
} Called;

static Called call_panel(const WeftPanel* panel) {
    Called called = {"_"};
    size_t length = 1;
    const char* const texts[2] = {panel->name, panel->label};
    for (int i = 0; i < 2; i++) {
        for (const char* p = texts[i]; *p; p++)
            called.text[length++] =
                isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
        called.text[length++] = '_';
    }
    called.text[length] = 0;
    return called;
}

static bool says(const Called* called, const char* word) { return strstr(called->text, word); }

// The torso, where no word is known.
static Part part_of(const Called* called, bool* known) {
    *known = true;
    for (int i = 0; i < WORD_COUNT; i++)
        if (says(called, words[i].word)) return words[i].part;
    *known = false;
    return TORSO;
}

// 1: left, -1: right, 0: neither
static int side_of(const Called* called) {
    if (says(called, "left") || says(called, "_l_")) return 1;
    return says(called, "right") || says(called, "_r_") ? -1 : 0;
}

// 1: front, -1: back, 0: neither
static int facing_of(const Called* called) {
    if (says(called, "back") || says(called, "_b_") || says(called, "behind") ||
        says(called, "_btorso") || says(called, "sleeve_b"))
        return -1;
    return says(called, "front") || says(called, "_f_") || says(called, "_ftorso") ||
           says(called, "sleeve_f");
}

// ---------------------------------------------------------------------------------------------

// The bounds of a panel.
typedef struct Extent {
    double low[2], high[2];
} Extent;

static Extent measure_panel(const WeftPanel* panel) {
    Extent e = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int s = 0; s < panel->side_count; s++) {
        for (int k = 0; k < 2; k++) {
            e.low[k] = fmin(e.low[k], panel->sides[s].curve.end[k]);
            e.high[k] = fmax(e.high[k], panel->sides[s].curve.end[k]);
        }
    }
    return e;
}

static void set_place(WeftPanel* panel, WfVec origin, WfVec turn, double w, double curl) {
    WeftPanelPlace* place = &panel->place;
    place->given = true;
    place->curl = curl;
    wf_store(place->position, 0, origin);
    wf_store(place->rotation, 0, turn);
    place->rotation[3] = w;
}

// Upright, before or behind the body, with its top at a height and its front outside.
static void stand(WeftPanel* panel, const WeftMeasures* m, const Called* called, double top,
                  double depth) {
    Extent e = measure_panel(panel);
    int side = side_of(called), facing = facing_of(called) < 0 ? -1 : 1;
    double z = facing * (depth / 2 + AWAY);
    double area = wf_loop_area(&panel->sides->curve, sizeof *panel->sides, panel->side_count);
    bool turned = (area < 0) == (facing > 0);  // about the vertical: u runs along -x
    double low = turned ? -e.high[0] : e.low[0], high = turned ? -e.low[0] : e.high[0];
    double shift = side == 0 ? -(low + high) / 2 : side > 0 ? -low : -high;
    WfVec origin = {m->centre[0] + shift, m->floor + top + ABOVE - e.high[1], m->centre[1] + z};
    set_place(panel, origin, (WfVec){0, turned, 0}, !turned, 0);
}

// Rolled about an axis: `up` is its direction, `front` where the middle of the panel goes, both of
// length 1; the top of the panel is at `top`, on the axis.
static void roll(WeftPanel* panel, WfVec top, WfVec up, WfVec front, double radius) {
    Extent e = measure_panel(panel);
    double width = e.high[0] - e.low[0], r = fmax(width / (2 * WF_PI), radius);
    WfVec right = wf_cross(up, front);
    // the rotation whose columns are right, up and front, as a quaternion (Shepperd 1978)
    double trace = right.x + up.y + front.z, s;
    WfVec turn;
    double w;
    if (trace > 0) {
        s = sqrt(trace + 1) * 2, w = s / 4;
        turn = (WfVec){(up.z - front.y) / s, (front.x - right.z) / s, (right.y - up.x) / s};
    } else if (right.x > up.y && right.x > front.z) {
        s = sqrt(1 + right.x - up.y - front.z) * 2, w = (up.z - front.y) / s;
        turn = (WfVec){s / 4, (up.x + right.y) / s, (front.x + right.z) / s};
    } else if (up.y > front.z) {
        s = sqrt(1 + up.y - right.x - front.z) * 2, w = (front.x - right.z) / s;
        turn = (WfVec){(up.x + right.y) / s, s / 4, (front.y + up.z) / s};
    } else {
        s = sqrt(1 + front.z - right.x - up.y) * 2, w = (right.y - up.x) / s;
        turn = (WfVec){(front.x + right.z) / s, (front.y + up.z) / s, s / 4};
    }
    // the line u = 0 is not always the middle of the panel: turn about the axis until it is
    double sine, cosine;
    wf_sine_cosine(-(e.low[0] + e.high[0]) / (4 * r), &sine, &cosine);
    WfFrame frame =
        wf_frame_join((WfFrame){{0, 0, 0}, turn, w}, (WfFrame){{0, 0, 0}, {0, sine, 0}, cosine});
    WfVec out = wf_frame_turn(frame, (WfVec){0, 0, 1});
    WfVec origin = wf_add(wf_madd(top, -e.high[1], up), wf_mul(r, out));
    set_place(panel, origin, frame.turn, frame.w, r);
}

// From the tip of the shoulder along the arm; `along` is how far down its top is.
static void roll_on_arm(WeftPanel* panel, const WeftMeasures* m, const Called* called,
                        double along) {
    WfVec shoulder = wf_load(m->shoulder, 0), wrist = wf_load(m->wrist_at, 0);
    int facing = facing_of(called);
    if (side_of(called) < 0)
        shoulder.x = 2 * m->centre[0] - shoulder.x, wrist.x = 2 * m->centre[0] - wrist.x;
    WfVec up = wf_unit(wf_sub(shoulder, wrist)), middle = {0, facing == 0, facing};
    // above the arm, where its seam is below
    WfVec front = wf_unit(wf_madd(middle, -wf_dot(middle, up), up));
    roll(panel, wf_madd(shoulder, -along, up), up, front, m->upper_arm / (2 * WF_PI) + AWAY / 4);
}

static void roll_around(WeftPanel* panel, const WeftMeasures* m, const Called* called, double top,
                        double girth) {
    WfVec at = {m->centre[0], m->floor + top, m->centre[1]};
    WfVec front = {0, 0, facing_of(called) < 0 ? -1 : 1};
    roll(panel, at, (WfVec){0, 1, 0}, front, girth / (2 * WF_PI));
}

static void place_panel(WeftPanel* panel, const WeftMeasures* m, const Called* called, Part part) {
    switch (part) {
        case PARTS:
        case TORSO:
            stand(panel, m, called, m->shoulder_height, m->chest_depth);
            break;
        case SKIRT:
        case LEG:
            stand(panel, m, called, m->waist_height, m->hip_depth);
            break;
        case ARM:
            roll_on_arm(panel, m, called, 0);
            break;
        case CUFF:
            roll_on_arm(panel, m, called, 0.9 * m->arm_length);
            break;
        case NECK:
            roll_around(panel, m, called, m->neck_height + 2 * ABOVE, m->neck);
            break;
        case HEAD:
            roll_around(panel, m, called, m->height + ABOVE, m->neck * 1.6);
            break;
        case WAIST:
            roll_around(panel, m, called, m->waist_height + 2 * ABOVE, m->waist);
            break;
    }
}

// Panels whose names say where they go, or do not: how many, and the first.
typedef struct Told {
    int count;
    const char* name;
    char where[64];
} Told;

static void note(Told* told, const WeftPanel* panel, const Called* called, Part part) {
    const char* side = facing_of(called) < 0 ? "behind, " : "in front, ";
    if (told->count++ > 0) return;
    told->name = panel->name;
    snprintf(told->where, sizeof told->where, "%s%s", part <= LEG ? side : "", parts[part].where);
}

static WeftResult tell_unknown(const Told* told, WeftFindings* findings, WeftError* error) {
    char list[128] = "";
    for (int i = 0; i < PARTS; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "", parts[i].word);
    }
    return wf_find(findings, error,
                   "%d panel%s no place and no known name or label (%s): \"%s\" is %s", told->count,
                   told->count == 1 ? " has" : "s have", list, told->name, told->where);
}

WeftResult weft_place_pattern(WeftPattern* pattern, const WeftMeasures* measures,
                              WeftFindings* findings, WeftError* error) {
    Told said = {0}, unknown = {0};
    for (int p = 0; p < pattern->panel_count; p++) {
        WeftPanel* panel = &pattern->panels[p];
        if (panel->place.given) continue;
        Called called = call_panel(panel);
        bool known;
        Part part = part_of(&called, &known);
        place_panel(panel, measures, &called, part);
        note(known ? &said : &unknown, panel, &called, part);
    }
    WeftResult result = WEFT_OK;
    if (said.count > 0)
        result = wf_find(findings, error,
                         "%d panel%s no place and went where name or label say: \"%s\" is %s",
                         said.count, said.count == 1 ? " has" : "s have", said.name, said.where);
    if (!result && unknown.count > 0) result = tell_unknown(&unknown, findings, error);
    return result;
}
