// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "broken.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

// What would be a skirt.
static const char skirt[] =
    "{\"weft_pattern\": 1, \"name\": \"tube\",\n"
    " \"measures\": {\"top\": 1.06, \"wide\": 0.25},\n"
    " \"panels\": [\n"
    "  {\"name\": \"fore\", \"label\": \"leg\", \"place\": {\"move\": [0, 0, 0.16]}, \"sides\": [\n"
    "   {\"to\": [0.32, 0.55], \"name\": \"hem\", \"label\": \"hem\"},\n"
    "   {\"to\": [\"wide\", \"top\"], \"name\": \"left\"},\n"
    "   {\"to\": [\"-wide\", \"top\"], \"name\": \"waist\", \"label\": \"waist\"},\n"
    "   {\"to\": [-0.32, 0.55], \"name\": \"right\"}]},\n"
    "  {\"name\": \"aft\", \"label\": \"leg\", \"place\": {\"move\": [0, 0, -0.16],\n"
    "   \"turn\": {\"axis\": [0, 1, 0], \"degrees\": 180}}, \"sides\": [\n"
    "   {\"to\": [0.32, 0.5500], \"name\": \"hem\", \"label\": \"hem\"},\n"
    "   {\"to\": [0.25, 1.06], \"name\": \"right\"},\n"
    "   {\"to\": [-0.25, 1.06], \"name\": \"waist\", \"label\": \"waist\"},\n"
    "   {\"to\": [-0.32, 0.5500], \"name\": \"left\"}]}],\n"
    " \"seams\": [{\"a\": \"fore.left\", \"b\": \"aft.left\", \"ends\": \"opposite\"},\n"
    "  {\"a\": \"fore.right\", \"b\": \"aft.right\"}],\n"
    " \"holds\": [{\"label\": \"waist\", \"kind\": \"band\", \"ratio\": 0.7}]}\n";

// ---------------------------------------------------------------------------------------------
// What no text can say

static void put_nan(WeftPattern* pattern) {
    pattern->panels[0].sides[1].curve.end[0] = (double)NAN;
}
static void put_huge(WeftPattern* pattern) { pattern->panels[0].sides[1].curve.end[1] = 1e300; }
static void put_infinite_place(WeftPattern* pattern) {
    pattern->panels[0].place.position[2] = (double)INFINITY;
}
static void sew_to_no_panel(WeftPattern* pattern) { pattern->seams[0].chain[1][0].panel = 99; }
static void sew_to_no_side(WeftPattern* pattern) { pattern->seams[0].chain[1][0].side = 99; }
static void drop_sides(WeftPattern* pattern) { pattern->panels[1].side_count = 1; }
static void clear_name(WeftPattern* pattern) { pattern->panels[1].name[0] = 0; }
static void many_controls(WeftPattern* pattern) {
    pattern->panels[0].sides[1].curve.control_count = 7;
}

// ---------------------------------------------------------------------------------------------

#define HEM "   {\"to\": [0.32, 0.55], \"name\": \"hem\", \"label\": \"hem\"},\n"
#define LEFT "   {\"to\": [\"wide\", \"top\"], \"name\": \"left\"},\n"
#define SEAM "{\"a\": \"fore.left\", \"b\": \"aft.left\", \"ends\": \"opposite\"}"

const Broken broken_patterns[BROKEN_COUNT] = {
    {"a point twice", true, "fore", LEFT,
     LEFT "   {\"to\": [\"wide\", \"top\"], \"name\": \"again\"},\n", NULL},
    {"a sewn side of no length", true, "fore", "[{\"a\": \"fore.left\"",
     "[{\"a\": \"fore.nothing\", \"b\": \"aft.hem\"}, {\"a\": \"fore.left\"", NULL},
    {"outline crosses itself", false, "fore", "[\"-wide\", \"top\"]", "[0.1, 0.3]", NULL},
    {"sewn to no panel, by name", false, "after", "\"b\": \"aft.left\"", "\"b\": \"after.left\"",
     NULL},
    {"sewn to no side, by name", false, "aft", "\"b\": \"aft.left\"", "\"b\": \"aft.lift\"", NULL},
    {"sewn to no panel, by number", false, "99", NULL, NULL, sew_to_no_panel},
    {"sewn to no side, by number", false, "aft", NULL, NULL, sew_to_no_side},
    {"a side in two seams", false, "aft", "\"b\": \"aft.right\"", "\"b\": \"aft.left\"", NULL},
    {"a side sewn to itself", false, "fore", "\"b\": \"aft.left\"", "\"b\": \"fore.left\"", NULL},
    {"a seam that is twisted", true, "fore", "\"ends\": \"opposite\"", "\"ends\": \"same\"", NULL},
    {"a panel of no area", false, "aft",
     "{\"to\": [0.25, 1.06], \"name\": \"right\"},\n   {\"to\": [-0.25, 1.06]",
     "{\"to\": [0.1, 0.5500], \"name\": \"right\"},\n   {\"to\": [-0.1, 0.5500]", NULL},
    {"not a number", false, "fore", NULL, NULL, put_nan},
    {"a huge number", false, "fore", NULL, NULL, put_huge},
    {"placed at infinity", false, "fore", NULL, NULL, put_infinite_place},
    {"no panels", false, "panels", NULL, "{\"weft_pattern\": 1, \"name\": \"tube\"}", NULL},
    {"a panel of no sides", false, "sides", NULL,
     "{\"weft_pattern\": 1, \"panels\": [{\"name\": \"fore\", \"label\": \"leg\"}]}", NULL},
    {"half of a file", false, "tube.json:2", NULL,
     "{\"weft_pattern\": 1,\n \"panels\": [{\"name\": \"fore\"", NULL},
    {"no metres in a unit", false, "units_in_meter", NULL,
     "{\"pattern\": {\"panels\": {\"fore\": {\"vertices\": [[0, 0], [50, 0], [50, 50]], \"edges\": "
     "[{\"endpoints\": [0, 1]}, {\"endpoints\": [1, 2]}, {\"endpoints\": [2, 0]}]}}, \"stitches\": "
     "[]},\n \"properties\": {\"units_in_meter\": 0}}",
     NULL},
    {"a panel of one side", false, "aft", NULL, NULL, drop_sides},
    {"a panel without a name", false, "panel 1", NULL, NULL, clear_name},
    {"two panels of a name", false, "fore", "\"name\": \"aft\"", "\"name\": \"fore\"", NULL},
    {"a formula without its measure", false, "wade", "[\"wide\", \"top\"]", "[\"wade\", \"top\"]",
     NULL},
    {"a formula by zero", false, "top / 0", "[\"wide\", \"top\"]", "[\"top / 0\", \"top\"]", NULL},
    {"millimetres as metres", false, "fore", "\"to\": [0.32, 0.55], ", "\"to\": [320, 550], ",
     NULL},
    {"placed beside the body", false, "tube", "[0, 0, 0.16]", "[0, 40, 0.16]", NULL},
    {"more control points than a curve has", false, "fore", NULL, NULL, many_controls},
};

// The only place where `from` stands becomes `to`.
static char* replace(const char* text, const char* from, const char* to) {
    const char* at = strstr(text, from);
    assert(at && !strstr(at + 1, from));
    size_t size = strlen(text) + strlen(to) + 1;
    char* out = need(size, 1);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

WeftResult make_broken(int index, WeftPattern* pattern, WeftFindings* findings, WeftError* error) {
    const Broken* broken = &broken_patterns[index];
    char* text = broken->from ? replace(skirt, broken->from, broken->to) : NULL;
    const char* read = text ? text : broken->to ? broken->to : skirt;
    // a side that the text above has not
    char* more = strstr(read, "fore.nothing")
                     ? replace(read, HEM, HEM "   {\"to\": [0.32, 0.55], \"name\": \"nothing\"},\n")
                     : NULL;
    if (more) read = more;
    WeftResult result =
        weft_parse_pattern(read, strlen(read), "tube.json", NULL, NULL, pattern, findings, error);
    if (!result && broken->spoil) {
        broken->spoil(pattern);
        result = weft_repair_pattern(pattern, findings, error);
        if (result) weft_destroy_pattern(pattern);
    }
    free(text);
    free(more);
    return result;
}
