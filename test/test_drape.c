// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards `weft drape`: bending lengths against the heavy elastica, a coefficient that grows with
// stiffness, the picture, and what it refuses.

#include <unistd.h>

#include "tool_test.h"

static void write_fabric(const char* path, double bend) {
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    if (!file) return;
    fprintf(file, "{\"weft_fabric\": 1, \"density\": 0.2, \"stretch\": 400, \"shear\": 100,\n");
    fprintf(file, " \"bend\": %g}\n", bend);
    fclose(file);
}

static double number_after(const char* key) {
    const char* at = strstr(out, key);
    CHECK(at != NULL);
    return at ? strtod(at + strlen(key), NULL) : 0;
}

// Peirce: c^3 = B/(weight per area). Hinges of a strip that may curl across are up to 23 % softer
// than those of a cylinder, so that c is up to 9 % shorter.
static void check_length(double found, double bend) {
    double expected = 1000 * cbrt(bend / (0.2 * 9.81));
    CHECK_BELOW(0.90 * expected, found);
    CHECK_BELOW(found, 1.01 * expected);
}

static double drape_of(double bend, const char* more) {
    char line[128];
    write_fabric("cloth.json", bend);
    snprintf(line, sizeof line, "drape ./cloth.json --edge 20 --json %s", more);
    CHECK(tool(line) == 0);
    CHECK(err[0] == 0);
    CHECK_TEXT(out, "\"settled\": true");
    const char* list = strstr(out, "\"bending_length_mm\": [");
    char* end = NULL;
    double along = list ? strtod(list + 22, &end) : 0;
    double across = list ? strtod(end + 1, NULL) : 0;
    check_length(along, bend);
    check_length(across, bend);
    return number_after("\"drape_coefficient\": ");
}

static void check_order(const char* more) {
    double limp = drape_of(4e-6, more), stiff = drape_of(4e-4, more);
    CHECK_BELOW(0.1, limp);
    CHECK_BELOW(limp, stiff - 0.2);
    CHECK_BELOW(stiff, 1);
}

// All three discs have to come to rest: one of them swung for ever where pressed cloth that had
// become firm gave way again under its weight.
static void stiffer_covers_more(void) { check_order("--real-time"); }
static void converged_too(void) { check_order(""); }
static void stiff_and_converged(void) { CHECK_BELOW(0.3, drape_of(4e-4, "")); }

static double coefficient_at(const char* fabric, double edge) {
    char line[128];
    snprintf(line, sizeof line, "drape %s --edge %g --json", fabric, edge);
    CHECK(tool(line) == 0);
    return number_after("\"drape_coefficient\": ");
}

// Light and stiff (71 and 54 % once), and a heavy one that only its clamp makes hard.
static void whatever_the_mesh(void) {
    CHECK_NEAR(coefficient_at("silk_chiffon", 10), coefficient_at("silk_chiffon", 6), 0.03);
    CHECK_NEAR(coefficient_at("fleece", 10), coefficient_at("fleece", 6), 0.03);
    CHECK_NEAR(coefficient_at("nylon_ripstop", 10), coefficient_at("nylon_ripstop", 6), 0.03);
}

// A board that stands out half a metre has no bending length to be told, and least of all 0.
static void too_stiff(void) {
    write_fabric("cloth.json", 100);
    CHECK(tool("drape ./cloth.json --edge 30 --real-time") == 0);
    CHECK_TEXT(out, "too stiff");
    CHECK(tool("drape ./cloth.json --edge 30 --real-time --json") == 0);
    CHECK_TEXT(out, "null");
}

static void picture_and_table(void) {
    write_fabric("cloth.json", 1e-2);
    remove("cloth.png");
    CHECK(tool("drape ./cloth.json --edge 30 --real-time --picture cloth.png") == 0);
    CHECK_TEXT(out, "cloth");
    CHECK_TEXT(out, "wrote     cloth.png");
    CHECK(access("cloth.png", F_OK) == 0);
}

static void refusals(void) {
    CHECK(tool("drape") == 2);
    CHECK(tool("drape --all ./cloth.json") == 2);
    CHECK(tool("drape no_such_fabric") == 1);
    CHECK_TEXT(err, "no_such_fabric");
    CHECK(tool("drape ./a.json ./b.json --picture x.png") == 2);
    CHECK(tool("drape ./cloth.json --edge 0") == 2);
}

TEST_MAIN(SLOW_CASE(stiffer_covers_more), LONG_CASE(converged_too), LONG_CASE(stiff_and_converged),
          LONG_CASE(whatever_the_mesh), SLOW_CASE(too_stiff), SLOW_CASE(picture_and_table),
          CASE(refusals))
