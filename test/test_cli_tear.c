// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards what the tool writes of cloth that is torn, and of scenes in a space that moves: the mesh
// of the end in all frames and in every format, whole before it is cut.

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <unistd.h>

#include "tool_test.h"
#include "weft/weft_io.h"

// Two cloths of 5 x 5 vertices that fall past a ball, and a rope in between. The first is cut
// twice, and the second tears.
static const char scene[] =
    "{\"weft\":1,\"duration\":0.5,\"gravity\":[0,-100,0],\"contact\":\"all\","
    "\"bodies\":[{\"kind\":\"sphere\",\"radius\":0.1,\"place\":{\"move\":[3,0,0]}}],"
    "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":4,\"rows\":4},"
    "\"place\":{\"turn\":{\"degrees\":90}},\"pins\":[{\"side\":\"top\"}]},%s"
    "{\"mesh\":{\"kind\":\"grid\",\"columns\":4,\"rows\":4},\"place\":{\"turn\":{\"degrees\":90},"
    "\"move\":[0,0,-1]},\"pins\":[{\"side\":\"top\"}],\"stretch\":\"triangles\",\"tear_load\":8}],"
    "\"cuts\":[{\"time\":0.05,\"along\":[[-0.1,0.5,0],[1.1,0.5,0]]},"
    "{\"time\":0.2,\"cloth\":0,\"along\":[[0.5,1.1,0],[0.5,0.5,0]]}]}";
#define ROPE "{\"mesh\":{\"kind\":\"rope\",\"segments\":3},\"place\":{\"move\":[2,0,2]}},"
enum { FRAMES = 31 };

static void write_scene(const char* path, const char* rope) {
    FILE* file = fopen(path, "wb");
    if (!CHECK(file != NULL)) return;
    fprintf(file, scene, rope);
    fclose(file);
}

typedef struct Read {
    WeftReader* reader;
    double* positions;  // of all frames
} Read;

static bool read_result(Read* read, const char* path, const char* mesh) {
    WeftError error = {0};
    *read = (Read){0};
    if (!CHECK(!weft_open_reader(path, mesh, NULL, &read->reader, &error)))
        return puts(error.message), false;
    size_t numbers = 3 * (size_t)read->reader->vertex_count;
    CHECK(read->reader->frame_count == FRAMES);
    read->positions = calloc(numbers * FRAMES, sizeof(double));
    for (int f = 0; f < FRAMES && read->positions; f++)
        CHECK(!weft_read_frame(read->reader, f, read->positions + (size_t)f * numbers, &error));
    return CHECK(read->positions != NULL);
}

static void close_result(Read* read) {
    weft_close_reader(read->reader);
    free(read->positions);
}

static bool same_place(const Read* read, int frame, int a, int b) {
    const double* x = read->positions + 3 * ((size_t)frame * (size_t)read->reader->vertex_count);
    return memcmp(x + 3 * a, x + 3 * b, 3 * sizeof(double)) == 0;
}

// Vertices of the first cloth that are where one before them is.
static int count_doubles(const Read* read, int frame, int count) {
    int doubles = 0;
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int k = 0; k < i && !found; k++) found = same_place(read, frame, k, i);
        doubles += found;
    }
    return doubles;
}

static int split_count(void) {
    json_t* root = json_loads(out, 0, NULL);
    int count = (int)json_integer_value(json_object_get(root, "split_vertices"));
    json_decref(root);
    return count;
}

// 5 vertices of the first cut, then the 2 above it of the second one, which are pinned at the top,
// and the one where they meet, which has become two vertices already.
static void one_mesh_for_all_frames(void) {
    static const char* const paths[] = {"a.glb", "a.obj", "a.ply", "a.pc2"};
    write_scene("tear.json", "");
    CHECK(tool("run tear.json --json --out a.glb --out a.obj --out a.ply --out a.pc2") == 0);
    int split = split_count();
    CHECK(split > 8);
    CHECK(access("a.glb.frames.part", F_OK) != 0);
    for (int k = 0; k < 4; k++) {
        Read read;
        if (!read_result(&read, paths[k], k == 3 ? "a.0000.obj" : NULL)) continue;
        const WeftPart* parts = read.reader->parts;
        int first = k < 3 ? parts[0].vertex_count : 33;
        if (k < 3) CHECK(first == 33 && parts[1].vertex_count == 25 + split - 8 && parts[2].body);
        CHECK(count_doubles(&read, 0, first) == 8);
        CHECK(count_doubles(&read, 11, first) == 3 && count_doubles(&read, FRAMES - 1, first) == 1);
        close_result(&read);
        char line[80];
        snprintf(line, sizeof line, "check-contact %s %s", paths[k],
                 k == 3 ? "--mesh a.0000.obj" : "");
        CHECK(tool(line) == 0);
        CHECK_TEXT(out, "nothing crosses in 31 frames");
    }
}

// Every second frame, with a rope, which is in no triangle: all cloth is one part then.
static void ropes_keep_their_places(void) {
    write_scene("rope.json", ROPE);
    CHECK(tool("run rope.json --json --every 2 --out r.obj --last l.obj") == 0);
    int split = split_count();
    WeftReader* reader = NULL;
    WeftError error;
    if (!CHECK(!weft_open_reader("r.obj", NULL, NULL, &reader, &error))) return;
    CHECK(reader->vertex_count - reader->parts[1].vertex_count == 25 + 4 + 25 + split);
    double* x = calloc(3 * (size_t)reader->vertex_count, sizeof(double));
    for (int f = 0; x && f < reader->frame_count; f++) {
        double fallen = 0.5 * 100 * (f / 30.0) * (f / 30.0);
        CHECK(!weft_read_frame(reader, f, x, &error));
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(x[3 * (33 + i)], 2 + i / 3.0, 1e-3);
            CHECK(fabs(x[3 * (33 + i) + 1] + fallen) <= 0.1 + 0.1 * fallen);
        }
    }
    free(x);
    weft_close_reader(reader);
    CHECK(tool("check-contact r.obj") == 0);
    // the same, frame by frame and at the end, and to the same bits
    CHECK(tool("run rope.json --record r.json --quiet") == 0);
    CHECK(tool("run rope.json --replay r.json --quiet") == 0);
}

static void words(void) {
    write_scene("tear.json", "");
    CHECK(tool("run tear.json") == 0);
    CHECK_TEXT(out, "  torn      ");
    CHECK(!strstr(out, "met no cloth"));
    CHECK(tool("run tear.json --frames 1 --quiet --out one.glb") == 0);
    CHECK(tool("run tear.json --frames 0 --quiet --out none.obj") == 0);
    CHECK(tool("check tear.json") == 0);
    CHECK(tool("detail train tear.json --out never.detail --cloth 0") != 0);
    CHECK_TEXT(err, "does not follow cloth that is torn");
}

static void cuts_that_miss(void) {
    FILE* file = fopen("miss.json", "wb");
    if (!CHECK(file != NULL)) return;
    fputs(
        "{\"weft\":1,\"duration\":0.1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\"}}],"
        "\"cuts\":[{\"time\":0.05,\"path\":[[5,5,5],[6,5,5]]}]}",
        file);
    fclose(file);
    CHECK(tool("run miss.json") == 0);
    CHECK_TEXT(out, "  warning   cut 0, at 0.05 s, met no cloth that was whole\n");
}

// A cloth that goes along in its space, without feeling anything: as it was, 2 m further.
static void spaces_are_written_in_the_world(void) {
    FILE* file = fopen("space.json", "wb");
    if (!CHECK(file != NULL)) return;
    fputs(
        "{\"weft\":1,\"duration\":0.5,\"gravity\":[0,0,0],\"motions\":{\"go\":{\"offset\":{"
        "\"keys\":[[0,0,0,0],[0.5,2,0,0]]}}},\"space\":{\"motion\":\"go\",\"linear\":0,"
        "\"air\":0},\"bodies\":[{\"kind\":\"box\",\"place\":{\"move\":[0,0,3]}}],"
        "\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":2,\"rows\":2},"
        "\"pins\":[{\"side\":\"top\"}]}]}",
        file);
    fclose(file);
    CHECK(tool("run space.json --quiet --out s.glb") == 0);
    Read read;
    if (!read_result(&read, "s.glb", NULL)) return;
    int count = read.reader->vertex_count;
    for (int i = 0; i < 3 * count; i++)
        CHECK_NEAR(read.positions[3 * count * (FRAMES - 1) + i],
                   read.positions[i] + (i % 3 == 0 ? 2 : 0), 1e-5);
    close_result(&read);
}

TEST_MAIN(CASE(one_mesh_for_all_frames), CASE(ropes_keep_their_places), CASE(words),
          CASE(cuts_that_miss), CASE(spaces_are_written_in_the_world))
