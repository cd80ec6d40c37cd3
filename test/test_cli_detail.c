// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what the tool shows: `weft run` of scenes with detail, and `weft detail`.

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <unistd.h>

#include "show_test.h"
#include "tool_test.h"

#define CLOTH                                                             \
    "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":3,\"rows\":3}," \
    "\"pins\":[{\"vertices\":[0]}]}]}"
static const char* const plain = "{\"weft\":1,\"duration\":0.1," CLOTH;

static void write_text(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    if (!CHECK(file != NULL)) return;
    fputs(text, file);
    fclose(file);
}

static void write_scenes(void) {
    write_text("plain.json", plain);
    write_text("parts.json", "{\"weft\":1,\"duration\":0.1,\"detail\":{\"parts\":3}," CLOTH);
    write_text("learned.json", "{\"weft\":1,\"duration\":0.1,\"detail\":\"ripple.detail\"," CLOTH);
    save_ripple(plain, "ripple.detail");
}

static int count_vertices(const char* path) {
    WeftReader* reader = NULL;
    WeftError error;
    if (!CHECK(!weft_open_reader(path, NULL, NULL, &reader, &error))) return -1;
    int count = reader->vertex_count;
    weft_close_reader(reader);
    return count;
}

// 16 vertices, 33 edges and 18 triangles: in 3 parts 16 + 66 + 18, in 2 parts 16 + 33.
static void runs(void) {
    write_scenes();
    CHECK(tool("run parts.json --out dense.glb --last last.obj --quiet") == 0);
    CHECK(count_vertices("dense.glb") == 100 && count_vertices("last.obj") == 100);
    CHECK(tool("run parts.json --no-detail --out coarse.ply") == 0);
    CHECK(count_vertices("coarse.ply") == 16 && !strstr(out, "shown"));
    CHECK(tool("run parts.json --out dense.pc2") == 0);
    CHECK_TEXT(out, "  shown     100 vertices, 162 triangles by edges in 3 parts, smooth, ");
    CHECK_TEXT(out, " ms a frame\n");
    CHECK(tool("run learned.json --last learned.obj") == 0);
    CHECK_TEXT(out, "  shown     49 vertices, 72 triangles by detail ripple.detail, ");
    CHECK(count_vertices("learned.obj") == 49);
    CHECK(tool("check-contact dense.glb") == 0);
}

// What is shown changes nothing of what is simulated.
static void same_motion(void) {
    char hash[80];
    write_scenes();
    CHECK(tool("run plain.json") == 0);
    const char* line = strstr(out, "hash");
    if (!CHECK(line != NULL)) return;
    snprintf(hash, sizeof hash, "%.40s", line);
    CHECK(tool("run learned.json --out learned.glb") == 0);
    CHECK_TEXT(out, hash);
}

static void data(void) {
    write_scenes();
    CHECK(tool("run learned.json --out learned.glb --json") == 0);
    json_t* root = json_loads(out, 0, NULL);
    json_t* shown = json_object_get(root, "shown");
    json_t* detail = json_array_get(json_object_get(shown, "details"), 0);
    CHECK(json_integer_value(json_object_get(shown, "vertices")) == 49);
    CHECK(json_number_value(json_object_get(shown, "ms_per_frame")) > 0);
    CHECK(json_integer_value(json_object_get(detail, "parts")) == 2);
    CHECK(json_is_string(json_object_get(detail, "file")));
    json_decref(root);
    CHECK(tool("run plain.json --json") == 0);
    root = json_loads(out, 0, NULL);
    CHECK(json_is_null(json_object_get(root, "shown")));
    json_decref(root);
}

static void checks(void) {
    write_scenes();
    CHECK(tool("check learned.json") == 0);
    CHECK_TEXT(out, "  shown: 49 vertices, 72 triangles by detail ripple.detail\n");
    CHECK(tool("check learned.json plain.json --json") == 0);
    json_t* root = json_loads(out, 0, NULL);
    CHECK(json_is_object(json_object_get(json_array_get(root, 0), "shown")));
    CHECK(json_is_null(json_object_get(json_array_get(root, 1), "shown")));
    json_decref(root);
}

static void missing_files(void) {
    write_scenes();
    remove("ripple.detail");
    CHECK(tool("run learned.json --out never.glb") == 2);
    CHECK_TEXT(err, "learned.json: ripple.detail: No such file");
    CHECK(tool("run learned.json --no-detail --frames 1") == 0);
    CHECK(tool("check learned.json") == 2);
    CHECK_TEXT(err, "learned.json: ripple.detail: No such file");
}

static void info(void) {
    write_scenes();
    CHECK(tool("detail info ripple.detail") == 0);
    CHECK_TEXT(out, "ripple.detail: \"ripple\", learned by weft ");
    CHECK_TEXT(out, "  mesh      16 vertices, 18 triangles, ");
    CHECK_TEXT(out, "  shown     49 vertices, 72 triangles: every edge in 2 parts\n");
    CHECK(tool("detail info ripple.detail --json") == 0);
    json_t* root = json_loads(out, 0, NULL);
    CHECK(json_integer_value(json_object_get(root, "vertices")) == 49);
    CHECK(json_integer_value(json_object_get(root, "modes")) == 0);
    json_decref(root);
    CHECK(tool("detail info plain.json") == 2);
    CHECK_TEXT(err, "plain.json: this is no learned detail\n");
    CHECK(tool("detail info no.detail") == 2);
    CHECK_TEXT(err, "no.detail: No such file");
}

// As files are signed: words of 8 bytes, the lowest byte first.
static uint64_t sign(const unsigned char* bytes, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && at + k < size; k++) word |= (uint64_t)bytes[at + k] << 8 * k;
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

// ripple.detail with another name, and the error `left`, as odd.detail.
static void forge(const char* name, double left) {
    enum { ROOM = 1 << 16, HASH_AT = 8, CHECKED_FROM = 16, LEFT_AT = 72, NAME_AT = 80 };
    static unsigned char bytes[ROOM];
    FILE* file = fopen("ripple.detail", "rb");
    if (!CHECK(file != NULL)) return;
    size_t size = fread(bytes, 1, ROOM, file);
    fclose(file);
    CHECK(size > NAME_AT + 128 && size < ROOM);
    memcpy(bytes + LEFT_AT, &left, sizeof left);
    memset(bytes + NAME_AT, 0, 128);
    memcpy(bytes + NAME_AT, name, strlen(name));
    uint64_t hash = sign(bytes + CHECKED_FROM, size - CHECKED_FROM);
    for (int k = 0; k < 8; k++) bytes[HASH_AT + k] = (unsigned char)(hash >> 8 * k);
    file = fopen("odd.detail", "wb");
    if (!CHECK(file != NULL)) return;
    CHECK(fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

// Names are what somebody wrote into a file: neither for terminals nor for JSON.
static void info_of_odd_files(void) {
    write_scenes();
    forge("a\x1b[31m\n\xc2\x9b\xff\xc3\xbc", -1);
    CHECK(tool("detail info odd.detail") == 0);
    CHECK_TEXT(out, "odd.detail: \"a\\u001b[31m\\u000a\\u009b\xEF\xBF\xBD\xc3\xbc\", learned");
    CHECK_TEXT(out, "  left      not known: nothing was held out\n");
    CHECK(tool("detail info odd.detail --json") == 0);
    json_t* root = json_loads(out, 0, NULL);
    CHECK_TEXT(json_string_value(json_object_get(root, "name")), "\xEF\xBF\xBD\xc3\xbc");
    CHECK(json_is_null(json_object_get(root, "error")));
    json_decref(root);
    forge("plain", 0.25);
    CHECK(tool("detail info odd.detail") == 0);
    CHECK_TEXT(out, "  left      0.25 of what was held out\n");
}

// A scene that has no detail, simulated; and its coarse frames, shown as they are.
static void apply(void) {
    write_scenes();
    CHECK(tool("detail apply ripple.detail plain.json --out applied.glb") == 0);
    CHECK_TEXT(out, "by detail ripple.detail");
    CHECK(count_vertices("applied.glb") == 49);
    CHECK(tool("run plain.json --out coarse.glb --out coarse.pc2 --last mesh.obj") == 0);
    CHECK(tool("detail apply ripple.detail plain.json --from coarse.glb --out from.glb") == 0);
    CHECK_TEXT(out, "coarse.glb: 7 frames\n  shown     49 vertices, 72 triangles by detail ");
    CHECK(count_vertices("from.glb") == 49);
    CHECK(tool("detail apply ripple.detail plain.json --from coarse.pc2 --mesh mesh.obj "
               "--out again.ply --json") == 0);
    CHECK_TEXT(out, "{\"frames\": 7, \"coarse_vertices\": 16, \"vertices\": 49, ");
}

// Frames of a run give what the run shows, but for velocities, which are differences.
static void apply_gives_the_same(void) {
    WeftReader* readers[2] = {NULL, NULL};
    double x[2][3 * 49], most = 0;
    write_scenes();
    CHECK(tool("detail apply ripple.detail plain.json --out a.ply --quiet") == 0);
    CHECK(tool("run plain.json --out c.ply --quiet") == 0);
    CHECK(tool("detail apply ripple.detail plain.json --from c.ply --out b.ply --quiet") == 0);
    CHECK(!weft_open_reader("a.ply", NULL, NULL, &readers[0], NULL));
    if (!CHECK(!weft_open_reader("b.ply", NULL, NULL, &readers[1], NULL))) return;
    for (int k = 0; k < 2; k++) {
        CHECK(readers[k]->vertex_count == 49 && readers[k]->frame_count == 7);
        CHECK(!weft_read_frame(readers[k], 6, x[k], NULL));
        weft_close_reader(readers[k]);
    }
    for (int i = 0; i < 3 * 49; i++) most = fmax(most, fabs(x[0][i] - x[1][i]));
    CHECK(most < 1e-3);
}

static void wrong_usage(void) {
    write_scenes();
    CHECK(tool("detail --help") == 0);
    CHECK_TEXT(out, "weft detail apply FILE SCENE");
    CHECK(tool("detail apply --help") == 0 && tool("detail info --help") == 0);
    CHECK(tool("detail aply") == 2);
    CHECK_TEXT(err, "did you mean apply?");
    CHECK(tool("detail") == 2 && tool("detail info") == 2 && tool("detail apply x") == 2);
    CHECK(tool("detail apply ripple.detail plain.json --from c.glb") == 2);
    CHECK_TEXT(err, "--from needs --out");
    CHECK(tool("detail apply ripple.detail plain.json --mesh c.obj") == 2);
    CHECK_TEXT(err, "--from FRAMES");
    CHECK(tool("detail apply ripple.detail plain.json --cloth 2") == 2);
    CHECK_TEXT(err, "plain.json has no cloth \"2\": there are 0 to 0, or garments by name");
    write_text("other.json",
               "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\","
               "\"columns\":2,\"rows\":3}}]}");
    CHECK(tool("detail apply ripple.detail other.json") == 2);
    CHECK_TEXT(err, "ripple.detail: the detail is of a mesh of 16 vertices");
    CHECK(tool("run other.json --frames 1 --last few.obj --quiet") == 0);
    CHECK(tool("detail apply ripple.detail plain.json --from few.obj --out no.glb") == 2);
    CHECK_TEXT(err, "few.obj: has 12 vertices, and the cloth of plain.json has 16");
}

// What is read is not written over, by whatever name it goes.
static void own_frames_are_kept(void) {
    static const char* const ways[] = {
        "--from own.glb --out own.glb", "--from own.glb --out ./own.glb",
        "--from own.glb --out other.glb --out linked.glb", "--from own.obj --out own.obj",
        "--from own.0003.obj --out ./own.obj"};
    write_scenes();
    CHECK(tool("run plain.json --quiet --out own.glb --out own.obj --out own.pc2") == 0);
    CHECK(tool("run plain.json --quiet --last mesh.obj") == 0);
    remove("linked.glb");
    CHECK(symlink("own.glb", "linked.glb") == 0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char line[200];
        snprintf(line, sizeof line, "detail apply ripple.detail plain.json %s", ways[i]);
        CHECK(tool(line) == 2);
        CHECK_TEXT(err, " would overwrite what --from reads");
    }
    CHECK(tool("detail apply ripple.detail plain.json --from own.pc2 --mesh mesh.obj "
               "--out mesh.obj") == 2);
    CHECK_TEXT(err, "--out mesh.obj would overwrite what --mesh reads");
    CHECK(count_vertices("own.glb") == 16 && count_vertices("own.obj") == 16);
    CHECK(count_vertices("mesh.obj") == 16);
}

// As many vertices, or more, do not make it the same cloth.
static void other_meshes_are_refused(void) {
    write_scenes();
    write_text("large.json",
               "{\"weft\":1,\"duration\":0.1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\","
               "\"columns\":4,\"rows\":4}}]}");
    CHECK(tool("run large.json --quiet --out large.glb --out large.pc2 --last large.obj") == 0);
    CHECK(tool("detail apply ripple.detail plain.json --from large.glb --out no.glb") == 2);
    CHECK_TEXT(err,
               "large.glb: is of another mesh than the cloth of plain.json: it has 25 triangles at "
               "its first 16 vertices, and the cloth has 18\n");
    CHECK(tool("detail apply ripple.detail plain.json --from large.pc2 --mesh large.obj "
               "--out no.glb") == 2);
    CHECK_TEXT(err, "large.obj: is of another mesh");
    // the same with two vertices of another order
    CHECK(tool("run plain.json --quiet --last turned.obj") == 0);
    CHECK(system("sed -i 's|^f 1\\([ /]\\)|f 16\\1|' turned.obj") == 0);
    CHECK(tool("detail apply ripple.detail plain.json --from turned.obj --out no.glb") == 2);
    CHECK_TEXT(err, "turned.obj: is of another mesh than the cloth of plain.json: not every");
}

// Options that would do nothing.
static void frames_are_not_simulated(void) {
    static const char* const idle[] = {"quality 3",  "method prefactored", "contact none",
                                       "duration 1", "frames 2",           "every 2",
                                       "dt 0.01"};
    write_scenes();
    CHECK(tool("run plain.json --quiet --out coarse.glb --last mesh.obj") == 0);
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        char line[200];
        snprintf(line, sizeof line,
                 "detail apply ripple.detail plain.json --from coarse.glb --out no.glb --%s",
                 idle[i]);
        CHECK(tool(line) == 2);
        CHECK_TEXT(err, " is of a simulation, and with --from there is none");
    }
    CHECK(tool("detail apply ripple.detail plain.json --from coarse.glb --out no.glb "
               "--mesh mesh.obj") == 2);
    CHECK_TEXT(err, "--mesh is for a .pc2");
    CHECK(tool("detail apply ripple.detail plain.json --from coarse.glb --out no.glb "
               "--cloth 1") == 2);
    CHECK_TEXT(err, "plain.json has no cloth \"1\"");
    CHECK(tool("detail apply ripple.detail plain.json --from coarse.glb --out yes.glb --quiet "
               "--threads 1 --cloth 0") == 0);
}

// Which of several cloths has to be said.
static void several_cloths(void) {
    write_scenes();
    write_text("several.json",
               "{\"weft\":1,\"duration\":0.1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\","
               "\"columns\":4,\"rows\":4}},{\"mesh\":{\"kind\":\"grid\",\"columns\":3,"
               "\"rows\":3}}]}");
    CHECK(tool("detail apply ripple.detail several.json --out no.glb") == 2);
    CHECK_TEXT(err, "several.json has 2 cloths: say which by --cloth 0 to --cloth 1");
    CHECK(tool("detail apply ripple.detail several.json --cloth 1 --quiet --out yes.glb") == 0);
    CHECK(count_vertices("yes.glb") == 25 + 49);
    CHECK(tool("detail apply ripple.detail several.json --cloth skirt --out no.glb") == 2);
    CHECK_TEXT(err, "several.json has no cloth \"skirt\"");
}

TEST_MAIN(CASE(runs), CASE(same_motion), CASE(data), CASE(checks), CASE(missing_files), CASE(info),
          CASE(info_of_odd_files), CASE(apply), CASE(apply_gives_the_same), CASE(wrong_usage),
          CASE(own_frames_are_kept), CASE(other_meshes_are_refused), CASE(frames_are_not_simulated),
          CASE(several_cloths))
