// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards `weft dress`: from a pattern and a body to files and a scene, and exit codes.

#include "file_test.h"

#include "tool_test.h"

// By measures of the body, so that it fits a child.
static const char skirt[] =
    "{\"weft_pattern\": 1, \"name\": \"skirt\",\n"
    " \"measures\": {\"hips\": 1, \"waist_height\": 1.05, \"half\": \"hips / 2 + 0.06\"},\n"
    " \"panels\": [\n"
    "  {\"name\": \"front\", \"sides\": [[\"half / 2\", 0], [\"half / 2\", 0.25],\n"
    "    {\"to\": [\"-half / 2\", 0.25], \"label\": \"waist\"}, [\"-half / 2\", 0]],\n"
    "   \"place\": {\"move\": [0, \"waist_height - 0.25\", 0.15]}},\n"
    "  {\"name\": \"back\", \"sides\": [[\"half / 2\", 0], [\"half / 2\", 0.25],\n"
    "    {\"to\": [\"-half / 2\", 0.25], \"label\": \"waist\"}, [\"-half / 2\", 0]],\n"
    "   \"place\": {\"move\": [0, \"waist_height - 0.25\", -0.15],\n"
    "    \"turn\": {\"axis\": [0, 1, 0], \"degrees\": 180}}}],\n"
    " \"seams\": [{\"a\": \"front.1\", \"b\": \"back.3\"}, {\"a\": \"front.3\", \"b\": "
    "\"back.1\"}],\n"
    " \"holds\": [{\"label\": \"waist\", \"kind\": \"always\"}]}";

static void write_text(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    if (!CHECK(file != NULL)) return;
    fputs(text, file);
    fclose(file);
}

typedef struct Range {
    double low, high;
} Range;

// Of the height, or of a girth over the height, which is half-way between what it may be: the first
// and the last that are possible, beside girths that fit.
static Range find_range(int kind, int measure) {
    Range range = {0, 0};
    for (int i = 1; i <= 300; i++) {
        WeftMannequinDef def = weft_default_mannequin_def((WeftMannequinKind)kind);
        double* measures[4] = {&def.height, &def.chest, &def.waist, &def.hips};
        def.height = measure == 0 ? i / 100.0 : 1.8;
        for (int k = 1; k < 4 && measure > 0; k++)
            *measures[k] = def.height * (k == measure ? i / 100.0 : k == 2 ? 0.4 : 0.66);
        if (weft_check_mannequin(&def, NULL)) continue;
        if (range.low == 0) range.low = i / 100.0;
        range.high = i / 100.0;
    }
    return range;
}

static long file_size(const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file) return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void help(void) {
    CHECK(tool("dress --help") == 0);
    CHECK_TEXT(out, "weft dress");
    CHECK_TEXT(out, "PATTERN...");
    CHECK_TEXT(out, "--body BODY");
    CHECK_TEXT(out, "--clip CLIP");
    CHECK_TEXT(out, "--scene FILE");
    CHECK(err[0] == 0);
}

// The ranges that help and documents give are those of mannequins: at both ends one can be made,
// and not beyond.
static void ranges_of_measures(void) {
    static const char* const words[4] = {"height", "chest", "waist", "hips"};
    char text[64], girths[128] = "", *garment, *scene;
    size_t length;
    CHECK(tool("dress --help") == 0);
    garment = (char*)load_file(WEFT_SOURCE "/docs/garment.md", &length);
    scene = (char*)load_file(WEFT_SOURCE "/docs/scene.md", &length);
    for (int kind = 0; kind < 3; kind++) {
        static const char* const names[3] = {"female", "male", "child"};
        Range range = find_range(kind, 0);
        snprintf(text, sizeof text, "%.2f to %.2f of %s", range.low, range.high, names[kind]);
        CHECK_TEXT(out, text);
        CHECK_TEXT(scene, text);
        snprintf(text, sizeof text, "%.2f to %.2f%s of %s", range.low, range.high,
                 kind == 0 ? " m" : "", names[kind]);
        CHECK_TEXT(garment, text);
    }
    for (int i = 1; i < 4; i++) {
        Range range = find_range(WEFT_MANNEQUIN_MALE, i);
        snprintf(text, sizeof text, "girth, %.2f to %.2f of the height", range.low, range.high);
        CHECK_TEXT(out, text);
        CHECK_TEXT(scene, text + 1);
        size_t used = strlen(girths);
        snprintf(girths + used, sizeof girths - used, "%s%.2f to %.2f", i > 1 ? ", " : "",
                 range.low, range.high);
        CHECK_TEXT(out, words[i]);
    }
    CHECK_TEXT(garment, girths);
    free(garment);
    free(scene);
}

// A skirt for a child, as a GLB and as a scene. Its back is of another fabric.
static void a_skirt(void) {
    char mixed[sizeof skirt + 40];
    const char* at = strstr(skirt, "\"back\",") + strlen("\"back\",");
    snprintf(mixed, sizeof mixed, "%.*s \"fabric\": \"denim\",%s", (int)(at - skirt), skirt, at);
    write_text("skirt.json", mixed);
    remove("skirt.glb");
    remove("dressed.json");
    CHECK(tool("dress skirt.json --body child --edge 0.06 --duration 0.1 --out skirt.glb --scene "
               "dressed.json") == 0);
    CHECK_TEXT(out, "skirt: 2 panels, 2 seams, ");
    CHECK_TEXT(err, "dressing:   0 %  sewing\n");
    CHECK_TEXT(out, "put on in ");
    unsigned char head[4] = {0};
    FILE* file = fopen("skirt.glb", "rb");
    if (CHECK(file != NULL)) {
        CHECK(fread(head, 1, 4, file) == 4 && memcmp(head, "glTF", 4) == 0);
        fclose(file);
    }
    CHECK(file_size("skirt.glb") > 50000);
    CHECK(system("grep -aq '\"name\":\"skirt, denim\",\"doubleSided\"' skirt.glb") == 0);
    CHECK(tool("check dressed.json") == 0);
    CHECK_TEXT(out, "dressed.json");
}

// A scene that names its start begins dressed, wherever it lies: the same run, and nothing is put
// on.
static void as_a_start(void) {
    write_text("skirt.json", skirt);
    CHECK(system("mkdir -p kept") == 0);
    CHECK(tool("dress skirt.json --body child --edge 0.06 --duration 0.05 --last a.obj --no-bodies "
               "--quiet --scene kept/walk.json --dressed kept/walk.start.json") == 0);
    CHECK(tool("run kept/walk.json --last b.obj --no-bodies --quiet") == 0);
    static char dressed[TEXT_SIZE], ran[TEXT_SIZE];
    read_text("a.obj", dressed);
    read_text("b.obj", ran);
    const char *a = strstr(dressed, "\nv "), *b = strstr(ran, "\nv ");
    CHECK(a && b && strcmp(a, b) == 0);
    CHECK(tool("dress skirt.json --body child --edge 0.06 --duration 0.05 --dressed no/s.json") ==
          1);
    CHECK_TEXT(err, "no/s.json: ");
}

// The scene is the same run again.
static void as_a_scene(void) {
    write_text("skirt.json", skirt);
    CHECK(tool("dress skirt.json --body child --edge 0.06 --duration 0.05 --last a.obj --no-bodies "
               "--quiet --scene again.json") == 0);
    CHECK(out[0] == 0 && err[0] == 0);
    CHECK(tool("run again.json --last b.obj --no-bodies --quiet") == 0);
    // but for its name
    static char dressed[TEXT_SIZE], ran[TEXT_SIZE];
    read_text("a.obj", dressed);
    read_text("b.obj", ran);
    const char *a = strstr(dressed, "\nv "), *b = strstr(ran, "\nv ");
    CHECK(a && b && strlen(a) > 1000 && strcmp(a, b) == 0);
}

// No step: one frame, as it was put on, and so again from the scene.
static void no_duration(void) {
    write_text("skirt.json", skirt);
    remove("still.obj");
    CHECK(tool("dress skirt.json --body child --edge 0.06 --clip walk --duration 0 --out still.obj "
               "--last last.obj --no-bodies --scene still.json --dressed still.start.json") == 0);
    CHECK_TEXT(out, "weft dress: 0 steps of 1/60 s");
    static char first[TEXT_SIZE], last[TEXT_SIZE];
    read_text("still.obj", first);  // one frame has no number
    read_text("last.obj", last);
    CHECK(strlen(first) > 1000 && strcmp(first, last) == 0);
    CHECK(tool("run still.json --out again.obj --no-bodies") == 0);
    read_text("again.obj", last);
    CHECK(strcmp(strstr(first, "\nv "), strstr(last, "\nv ")) == 0);
    CHECK(tool("run still.json --duration 0.05 --json") == 0);
    CHECK_TEXT(out, "\"steps\": 3");
    CHECK(tool("check still.json") == 0);
}

// A belt by measures of the body.
static const char belt[] =
    "{\"weft_pattern\": 1, \"name\": \"belt\",\n"
    " \"measures\": {\"waist\": 0.7, \"waist_height\": 1.05, \"height\": 1.7,\n"
    "  \"half\": \"0.26 * waist\", \"tall\": \"0.022 * height\"},\n"
    " \"panels\": [\n"
    "  {\"name\": \"front\", \"sides\": [[\"half\", 0], [\"half\", \"tall\"],\n"
    "    {\"to\": [\"-half\", \"tall\"], \"label\": \"waist\"}, [\"-half\", 0]],\n"
    "   \"place\": {\"move\": [0, \"waist_height\", 0.13]}},\n"
    "  {\"name\": \"back\", \"sides\": [[\"half\", 0], [\"half\", \"tall\"],\n"
    "    {\"to\": [\"-half\", \"tall\"], \"label\": \"waist\"}, [\"-half\", 0]],\n"
    "   \"place\": {\"move\": [0, \"waist_height\", -0.13],\n"
    "    \"turn\": {\"axis\": [0, 1, 0], \"degrees\": 180}}}],\n"
    " \"seams\": [{\"a\": \"front.1\", \"b\": \"back.3\", \"ends\": \"opposite\"},\n"
    "  {\"a\": \"front.3\", \"b\": \"back.1\", \"ends\": \"opposite\"}]}";

// Over a T-shirt that is nearly twice as wide as its wearer, on a walk.
static void belt_over_a_wide_shirt(void) {
    static char shirt[TEXT_SIZE];
    read_text(WEFT_SOURCE "/garments/tshirt.json", shirt);
    char* ease = strstr(shirt, "0.1 * chest");
    if (!CHECK(ease != NULL)) return;
    memcpy(ease, "0.7", 3);
    write_text("wide.json", shirt);
    write_text("belt.json", belt);
    CHECK(tool("dress wide.json belt.json --body child --edge 0.03 --clip walk --duration 0.5 "
               "--out belted.glb") == 0);
    CHECK(strstr(err, "lies below") == NULL);
    CHECK(tool("check-contact belted.glb") == 0);
}

static int count_of(const char* text, const char* words) {
    int count = 0;
    for (const char* at = text; (at = strstr(at, words)); at++) count++;
    return count;
}

// What was mended, and what is odd, reaches those who dress, run and check: once.
static void findings(void) {
    static const char dropped[] = "side 1 was dropped: it begins where it ends";
    static const char open[] = "panel \"back\" closes as well either way round";
    char odd[sizeof skirt + 100];
    const char* at = strstr(skirt, "[[\"half / 2\", 0]") + strlen("[[\"half / 2\", 0]");
    snprintf(odd, sizeof odd, "%.*s, [\"half / 2\", 0]%s", (int)(at - skirt), skirt, at);
    for (char* far = odd; (far = strstr(far, "0.15]"));) memcpy(far, "0.45]", 5);
    memcpy(strstr(odd, "front.1"), "front.2", 7), memcpy(strstr(odd, "front.3"), "front.4", 7);
    write_text("odd.json", odd);
    CHECK(tool("dress odd.json --body child --edge 0.06 --duration 0.02 --scene odd_scene.json") ==
          0);
    CHECK(count_of(err, dropped) == 1 && count_of(err, open) == 1);
    CHECK_TEXT(err, "weft dress: odd.json: panel \"front\": side 1 was dropped");
    CHECK_TEXT(err, "the seam of side 2 of panel \"front\" and side 3 of panel \"back\"");
    CHECK(tool("run odd_scene.json --last odd.obj") == 0);
    CHECK(count_of(err, dropped) == 1 && count_of(err, open) == 1);
    CHECK_TEXT(err, "odd_scene.json: odd.json: panel \"front\": side 1 was dropped");
    CHECK(tool("run odd_scene.json --last odd.obj --quiet") == 0);
    CHECK(err[0] == 0);
    CHECK(tool("check odd_scene.json") == 0);
    CHECK(count_of(err, dropped) == 1 && count_of(err, open) == 1);
}

static void mistakes(void) {
    write_text("skirt.json", skirt);
    CHECK(tool("dress") == 2);
    CHECK_TEXT(err, "dress takes pattern files");
    CHECK(tool("dress no_such.json") == 2);
    CHECK_TEXT(err, "no_such.json");
    CHECK(tool("dress skirt.json --body no_such.glb") == 2);
    CHECK_TEXT(err, "no_such.glb");
    CHECK(tool("dress skrt") == 2);
    CHECK_TEXT(err, "skrt: there is no such file, nor garment; did you mean skirt?");
    CHECK(tool("dress skirt.json --body some.obj --waist 0.7") == 2);
    CHECK_TEXT(err, "--hips and --body-edge are for female, male and child: some.obj is as it is");
    CHECK(tool("dress skirt.json --scene a.json --dressed a.json") == 2);
    CHECK_TEXT(err, "--scene and --dressed are both a.json");
    // files that cannot be written are told before anything is put on
    CHECK(tool("dress skirt.json --out a.xyz") == 2);
    CHECK_TEXT(err, "a.xyz: the ending must be .glb, .pc2, .obj or .ply");
    CHECK(tool("dress skirt.json --out no/a.glb") == 1);
    CHECK_TEXT(err, "no/a.glb: cannot write");
    CHECK(tool("dress skirt.json --out a.glb --out a.glb") == 2);
    CHECK_TEXT(err, "a.glb is named twice");
    // it has more options than there was room for where a misspelt one is guessed
    CHECK(tool("dress skirt.json --bdoy child") == 2);
    CHECK_TEXT(err, "--body");
    CHECK(tool("dress skirt.json --body child --clip fly") == 2);
    CHECK_TEXT(err, "weft: the body has no clip \"fly\"");  // no line of a scene that nobody sees
    CHECK(tool("dress skirt.json --body child --edge 0.0001") == 2);
    CHECK(tool("dress skirt.json --body child --height 9") == 2);
    CHECK_TEXT(err, "weft: mannequin: height of a child is 9 m, not between 0.85 and 1.65 m");
    CHECK(tool("dress skirt.json --waist -1") == 2);
    CHECK_TEXT(err, "waist is -1 m, not between 0.58 and 1.16 m at this height");
    CHECK(tool("dress skirt.json --duration -1") == 2);
    CHECK_TEXT(err, "--duration must be a number from 0 to 86400, not \"-1\"");
    CHECK(tool("dress skirt.json --body child --fabric no_such_cloth") == 2);
    CHECK_TEXT(err, "no_such_cloth");
    CHECK(tool("dress skirt.json --body child --scene no/such/folder.json") == 1);
    CHECK_TEXT(err, "no/such/folder.json: cannot be written");
    write_text(
        "bad.json",
        "{\"weft_pattern\":1,\"panels\":[{\"name\":\"p\",\"sides\":[[1,1],[1,0],[0,1],[0,0]]}]}");
    CHECK(tool("dress bad.json --body child") == 2);
    CHECK_TEXT(err, "bad.json: panel \"p\": side 0 and side 2 cross");
}

// Placed three metres above its head.
static void cannot_be_put_on(void) {
    char high[sizeof skirt];
    strcpy(high, skirt);
    for (char* at = high; (at = strstr(at, "waist_height - 0.25"));)
        memcpy(at, "waist_height + 3.25", 19);
    write_text("high.json", high);
    CHECK(tool("dress high.json --body child --edge 0.06 --duration 0.1") == 2);
    CHECK_TEXT(err, "it is not placed around it");
}

// A turn that has hardly begun is none that halves could make; a closure goes with a mirror.
static void halves(void) {
    write_text("skirt.json", skirt);
    CHECK(tool("dress skirt.json --body child --edge 0.06 --mirror --clip turn --duration 0.05") ==
          0);
    CHECK_TEXT(err, "no mirror, all of the cloth is simulated: a cloth starts with a velocity");
    CHECK(!strstr(out, "  mirror "));
    CHECK(tool("dress skirt.json --body child --edge 0.06 --closure zip --duration 0.05") == 0);
    CHECK_TEXT(out, "  mirror    exact: ");
    CHECK_TEXT(out, "  closure   zip: nothing is closed, as no free edge");
    CHECK(tool("dress --help") == 0);
    CHECK_TEXT(out, "open, zip or button; --mirror goes with it");
    remove("skirt.json");
}

TEST_MAIN(CASE(help), CASE(ranges_of_measures), CASE(a_skirt), SLOW_CASE(no_duration),
          LONG_CASE(as_a_scene), SLOW_CASE(findings), SLOW_CASE(as_a_start),
          SLOW_CASE(belt_over_a_wide_shirt), CASE(mistakes), CASE(cannot_be_put_on),
          SLOW_CASE(halves))
