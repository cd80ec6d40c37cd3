// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns for tests: small files of every form, and what became of them.

#ifndef WEFT_TEST_PATTERN_TEST_H
#define WEFT_TEST_PATTERN_TEST_H

#include "test.h"
#include "weft/weft_io.h"

static WeftError last;
static WeftFindings found;

// Read a text; what was found is in `found`.
static WeftResult parse_with(const char* text, const WeftMeasures* body, WeftPattern* pattern) {
    weft_destroy_findings(&found);
    last = (WeftError){0};
    return weft_parse_pattern(text, strlen(text), "t.json", body, NULL, pattern, &found, &last);
}

static inline bool parse(const char* text, WeftPattern* pattern) {
    *pattern = (WeftPattern){0};
    WeftResult result = parse_with(text, NULL, pattern);
    if (result) printf("%s\n", last.message);
    return CHECK(result == WEFT_OK);
}

// The text must be refused, with exactly this message.
static inline void refuse(const char* text, const char* message) {
    WeftPattern pattern = {0};
    WeftResult result = parse_with(text, NULL, &pattern);
    CHECK(result == WEFT_ERROR_INPUT);
    CHECK(pattern.panels == NULL);
    if (strcmp(last.message, message) != 0)
        printf("got  \"%s\"\nwant \"%s\"\n", last.message, message);
    CHECK(strcmp(last.message, message) == 0);
    weft_destroy_pattern(&pattern);
}

// One of the findings has these words.
static inline bool has_found(const char* words) {
    for (int i = 0; i < found.count; i++)
        if (strstr(found.lines[i], words)) return true;
    printf("not found: \"%s\"; but:\n", words);
    for (int i = 0; i < found.count; i++) printf("  %s\n", found.lines[i]);
    return false;
}

static bool same_numbers(const double* a, const double* b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool same_side(const WeftSide* a, const WeftSide* b) {
    return same_numbers(a->end, b->end, 2) && a->control_count == b->control_count &&
           same_numbers(a->control[0], b->control[0], 2 * a->control_count) &&
           same_numbers(&a->bulge, &b->bulge, 1);
}

static bool same_panel(const WeftPanel* a, const WeftPanel* b) {
    bool same = strcmp(a->name, b->name) == 0 && strcmp(a->label, b->label) == 0 &&
                strcmp(a->fabric, b->fabric) == 0 && a->side_count == b->side_count &&
                a->hole_count == b->hole_count && same_numbers(&a->grain, &b->grain, 1) &&
                a->place.given == b->place.given &&
                same_numbers(a->place.position, b->place.position, 3) &&
                same_numbers(a->place.rotation, b->place.rotation, 4) &&
                same_numbers(&a->place.curl, &b->place.curl, 1);
    for (int s = 0; same && s < a->side_count; s++)
        same = same_side(&a->sides[s].curve, &b->sides[s].curve) &&
               strcmp(a->sides[s].label, b->sides[s].label) == 0;
    for (int h = 0; same && h < a->hole_count; h++) {
        same = a->holes[h].side_count == b->holes[h].side_count;
        for (int s = 0; same && s < a->holes[h].side_count; s++)
            same = same_side(&a->holes[h].sides[s], &b->holes[h].sides[s]);
    }
    return same;
}

static bool same_seam(const WeftSeam* a, const WeftSeam* b) {
    bool same = a->ends == b->ends && a->right_wrong == b->right_wrong && a->fold == b->fold;
    for (int k = 0; same && k < 2; k++)
        same = a->count[k] == b->count[k] &&
               memcmp(a->chain[k], b->chain[k], (size_t)a->count[k] * sizeof *a->chain[k]) == 0;
    return same;
}

// The same to the last bit.
static inline bool same_pattern(const WeftPattern* a, const WeftPattern* b) {
    bool same = strcmp(a->name, b->name) == 0 && strcmp(a->fabric, b->fabric) == 0 &&
                a->panel_count == b->panel_count && a->seam_count == b->seam_count &&
                a->hold_count == b->hold_count;
    for (int i = 0; same && i < a->panel_count; i++)
        same = same_panel(&a->panels[i], &b->panels[i]);
    for (int i = 0; same && i < a->seam_count; i++) same = same_seam(&a->seams[i], &b->seams[i]);
    for (int i = 0; same && i < a->hold_count; i++)
        same = strcmp(a->holds[i].label, b->holds[i].label) == 0 &&
               a->holds[i].kind == b->holds[i].kind &&
               same_numbers(&a->holds[i].ratio, &b->holds[i].ratio, 1) &&
               same_numbers(&a->holds[i].stretch, &b->holds[i].stretch, 1);
    return same;
}

// ---------------------------------------------------------------------------------------------
// Files

// Our own form, with all it has.
static const char* const own_text =
    "{\"weft_pattern\": 1, \"name\": \"vest\", \"fabric\": \"denim\",\n"
    " \"measures\": {\"chest\": 0.9, \"ease\": 0.1, \"half\": \"(chest + ease) / 4\"},\n"
    " \"panels\": [\n"
    "  {\"name\": \"front_left\", \"label\": \"left torso\", \"mirror\": \"front_right\", "
    "\"grain\": 30,\n"
    "   \"sides\": [[\"half\", 0], {\"to\": [\"half\", 0.4], \"name\": \"side\", \"label\": \"left "
    "side\"},\n"
    "    {\"to\": [0.1, 0.5], \"control\": [[0.2, 0.4]]},\n"
    "    {\"to\": [0.02, 0.45], \"bulge\": -0.2, \"label\": \"collar\"}, {\"to\": [0.02, 0], "
    "\"name\": \"middle\"}],\n"
    "   \"holes\": [[[0.1, 0.1], [0.15, 0.1], {\"to\": [0.12, 0.15], \"bulge\": 0.1}]],\n"
    "   \"place\": {\"move\": [0.1, 1, 0.2], \"curl\": 0.5,\n"
    "    \"turn\": [{\"axis\": [0, 1, 0], \"degrees\": 20}, {\"axis\": [1, 0, 0], \"degrees\": "
    "10}]}},\n"
    "  {\"name\": \"back\", \"fabric\": \"silk\",\n"
    "   \"sides\": [[0.23, 0], {\"to\": [0.25, 0.4], \"name\": \"right\"}, [0.1, 0.5],\n"
    "    {\"to\": [-0.1, 0.5], \"control\": [[0.05, 0.42], [-0.05, 0.42]], \"label\": "
    "\"collar\"},\n"
    "    [-0.25, 0.4], {\"to\": [-0.23, 0], \"name\": \"left\"}],\n"
    "   \"place\": {\"move\": [0, 1, -0.2], \"turn\": {\"axis\": [0, 1, 0], \"degrees\": 180}}}],\n"
    " \"seams\": [{\"a\": \"front_left.side\", \"b\": \"back.left\"},\n"
    "  {\"a\": [\"front_right\", \"side\"], \"b\": [\"back\", 1], \"ends\": \"opposite\", "
    "\"fold\": true},\n"
    "  {\"a\": [[\"front_left\", 4]], \"b\": [\"front_right.middle\"]}],\n"
    " \"holds\": [{\"label\": \"collar\", \"kind\": \"band\", \"ratio\": 0.9}]}";

// The later form of GarmentCode: a bag of two squares, with curves of every kind.
static const char* const later_text =
    "{\"pattern\": {\"panels\": {\n"
    "  \"front\": {\"translation\": [0, 100, 20], \"rotation\": [0, 0, 0], \"label\": \"body\",\n"
    "   \"vertices\": [[0, 0], [40, 0], [40, 50], [0, 50]],\n"
    "   \"edges\": [{\"endpoints\": [0, 1], \"label\": \"hem\"}, {\"endpoints\": [1, 2]},\n"
    "    {\"endpoints\": [2, 3], \"curvature\": {\"type\": \"quadratic\", \"params\": [[0.5, "
    "0.2]]}},\n"
    "    {\"endpoints\": [3, 0]}]},\n"
    "  \"back\": {\"translation\": [0, 100, -20], \"rotation\": [0, 0, 0],\n"
    "   \"vertices\": [[0, 0], [0, 50], [40, 50], [40, 0]],\n"
    "   \"edges\": [{\"endpoints\": [0, 1]},\n"
    "    {\"endpoints\": [1, 2], \"curvature\": {\"type\": \"circle\", \"params\": [25, 0, 1]}},\n"
    "    {\"endpoints\": [2, 3], \"curvature\": {\"type\": \"cubic\", \"params\": [[0.3, 0.1], "
    "[0.7, 0.1]]}},\n"
    "    {\"endpoints\": [3, 0]}]}},\n"
    " \"stitches\": [[{\"panel\": \"front\", \"edge\": 1}, {\"panel\": \"back\", \"edge\": 2}],\n"
    "  [{\"edge\": 0, \"panel\": \"back\"}, {\"edge\": 3, \"panel\": \"front\"}]],\n"
    " \"panel_order\": [\"back\", \"front\"]},\n"
    " \"properties\": {\"curvature_coords\": \"relative\", \"units_in_meter\": 100}}";

// The older one: thirds of centimetres, a tilted panel, bare pairs.
static const char* const older_text =
    "{\"pattern\": {\"panels\": {\n"
    "  \"left\": {\"translation\": [30, -60, 0], \"rotation\": [-30, 90, 0],\n"
    "   \"vertices\": [[-15, 90], [15, 90], [40, -90], [-40, -90]],\n"
    "   \"edges\": [{\"endpoints\": [1, 0], \"curvature\": [0.5, 0.1]}, {\"endpoints\": [0, 3]},\n"
    "    {\"endpoints\": [3, 2], \"curvature\": [0.5, -0.1]}, {\"endpoints\": [2, 1]}]}},\n"
    " \"stitches\": [[{\"edge\": 1, \"panel\": \"left\"}, {\"edge\": 3, \"panel\": \"left\"}]]},\n"
    " \"properties\": {\"curvature_coords\": \"relative\", \"units_in_meter\": 300},\n"
    " \"parameters\": {}, \"constraints\": {}}";

#endif
