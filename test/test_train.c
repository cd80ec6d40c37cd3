// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards `weft detail train`: what it writes is shown, a training that was stopped goes on to the
// same bytes, one of something else is refused, and how scenes are varied.

#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool_test.h"
#include "weft/weft_io.h"

static void write_text(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
}

static bool exists(const char* path) {
    struct stat status;
    return stat(path, &status) == 0;
}

#define SHEET(more)                                                                        \
    "{\"weft\":1,\"name\":\"small\",\"duration\":1.2,\"motions\":{\"sway\":{\"offset\":{"  \
    "\"keys\":[[0,0,0,0],[0.4,0.2,0,0.2],[0.8,0,0,0]]}}},\"cloths\":[{\"mesh\":{\"kind\":" \
    "\"grid\",\"columns\":6,\"rows\":6},\"pins\":[{\"corner\":\"top left\"},{\"corner\":"  \
    "\"top right\",\"motion\":\"sway\"}]" more "}]}"

#define TRAIN "detail train small.json --out small.detail --parts 2 --motions 4 --held-out 0.25 "

static bool same_files(const char* a, const char* b) {
    static char texts[2][1 << 20];
    size_t sizes[2] = {0, 0};
    const char* paths[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        FILE* file = fopen(paths[k], "rb");
        sizes[k] = file ? fread(texts[k], 1, sizeof texts[k], file) : 0;
        if (file) fclose(file);
    }
    return sizes[0] > 0 && sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0;
}

static void trains(void) {
    WeftDetailInfo info;
    WeftScene* scene = NULL;
    WeftDetail* detail = NULL;
    // the scene names what is yet to be learned
    write_text("small.json", SHEET(",\"detail\":\"small.detail\""));
    remove("small.detail");
    CHECK(tool(TRAIN "--threads 2") == 0);
    CHECK_TEXT(out, "49 vertices are shown as 169, every edge in 2");
    CHECK_TEXT(out, "of 4 motions, and");
    CHECK_TEXT(out, "ridge");
    CHECK_TEXT(out, "error");
    CHECK_TEXT(out, "wrote     small.detail");
    CHECK(!exists("small.detail.training") && !exists("small.detail.training.part"));
    CHECK(!weft_inspect_detail_file("small.detail", &info, NULL));
    CHECK(info.parts == 2 && info.vertices == 169 && strcmp(info.name, "small") == 0);
    CHECK(info.error > 0 && info.error < 1.2);
    CHECK(!weft_load_scene("small.json", NULL, NULL, &scene, NULL));
    CHECK(!weft_read_detail_file("small.detail", &scene->meshes[0], NULL, &detail, NULL));
    weft_destroy_detail(detail);
    weft_destroy_scene(scene);
    // one thread, another name of the file: the same bytes
    CHECK(tool("detail train small.json --out other.detail --parts 2 --motions 4 --held-out 0.25 "
               "--threads 1 --json") == 0);
    CHECK_TEXT(out, "\"motions\": 4");
    CHECK_TEXT(out, "\"frames_left_out\": 0");
    CHECK(same_files("small.detail", "other.detail"));
    remove("other.detail");
}

static void wait_ms(long ms) {
    struct timespec moment = {.tv_nsec = 1000000 * ms};
    nanosleep(&moment, NULL);
}

// Ends the training by a signal as soon as its file is there.
static int interrupt(int number) {
    remove("small.detail.training");
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("tool.err", "w", stderr)) _exit(99);
        execl(WEFT_TOOL, "weft", "detail", "train", "small.json", "--out", "small.detail",
              "--parts", "2", "--motions", "20", "--held-out", "0.25", (char*)NULL);
        _exit(99);
    }
    for (int i = 0; i < 2000 && !exists("small.detail.training"); i++) wait_ms(5);
    wait_ms(150);
    kill(child, number);
    int status = 0;
    waitpid(child, &status, 0);
    read_text("tool.err", err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void goes_on(void) {
    static const char again[] =
        "detail train small.json --out small.detail --parts 2 --motions 20 --held-out 0.25";
    write_text("small.json", SHEET(""));
    remove("small.detail");
    CHECK(tool("detail train small.json --out whole.detail --parts 2 --motions 20 --held-out "
               "0.25") == 0);
    for (int k = 0; k < 2; k++) {
        int code = interrupt(k ? SIGKILL : SIGINT);
        if (code == 0) continue;  // it was faster
        CHECK(code == (k ? -1 : 1));
        if (!k)
            CHECK_TEXT(err, "of 20 motions; the same command goes on from small.detail.training");
        CHECK(!exists("small.detail"));
        CHECK(exists("small.detail.training"));
        // what the scene is shown by may change meanwhile
        write_text("small.json", SHEET(",\"detail\":\"small.detail\""));
        CHECK(tool(again) == 0);
        CHECK(same_files("small.detail", "whole.detail"));
        CHECK(!exists("small.detail.training"));
        remove("small.detail");
    }
    remove("small.detail.training.part");
    remove("whole.detail");
}

static void cut(const char* path, long less) {
    struct stat status;
    CHECK(stat(path, &status) == 0 && truncate(path, status.st_size - less) == 0);
}

static void others_are_refused(void) {
    write_text("small.json", SHEET(""));
    if (interrupt(SIGINT) == 0) return;
    CHECK(tool("detail train small.json --out small.detail --parts 3 --motions 20") == 2);
    CHECK_TEXT(err, "small.detail.training: its parts is 2, and not 3; --restart begins anew");
    CHECK(tool("detail train small.json --out small.detail --parts 2 --motions 4") == 2);
    CHECK_TEXT(err, "its motions is 20, and not 4");
    write_text("small.json", SHEET(",\"velocity\":[0,0,1]"));
    CHECK(tool("detail train small.json --out small.detail --parts 2 --motions 20") == 2);
    CHECK_TEXT(err, "its scene is");
    write_text("small.json", SHEET(""));
    cut("small.detail.training", 8);
    CHECK(tool("detail train small.json --out small.detail --parts 2 --motions 20 --held-out "
               "0.25") == 2);
    CHECK_TEXT(err, "it is cut short");
    write_text("small.detail.training", "weft training 9\n");
    CHECK(tool("detail train small.json --out small.detail --parts 2") == 2);
    CHECK_TEXT(err, "no training of this version");
    CHECK(tool(TRAIN "--restart --quiet") == 0);
    CHECK(out[0] == 0 && exists("small.detail") && !exists("small.detail.training"));
    remove("small.detail");
}

static void wrong_usage(void) {
    write_text("small.json", SHEET(""));
    write_text("two.json",
               "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\"}},{\"mesh\":{"
               "\"kind\":\"rope\"}}]}");
    CHECK(tool("detail train") == 2);
    CHECK_TEXT(err, "takes one scene");
    CHECK(tool("detail train small.json") == 2);
    CHECK_TEXT(err, "--out FILE");
    CHECK(tool("detail train none.json --out x.detail") == 2);
    CHECK_TEXT(err, "none.json");
    CHECK(tool("detail train small.json --out no/such/x.detail") == 2);
    CHECK_TEXT(err, "no/such/x.detail.training: No such file");
    CHECK(tool("detail train small.json --out x.detail --held-out 0") == 2);
    CHECK_TEXT(err, "give --ridge");
    CHECK(tool("detail train small.json --out x.detail --parts 0") == 2);
    CHECK(tool("detail train two.json --out x.detail") == 2);
    CHECK_TEXT(err, "has 2 cloths: say which by --cloth 0 to --cloth 1");
    CHECK(tool("detail train two.json --out x.detail --cloth 7") == 2);
    CHECK_TEXT(err, "no cloth \"7\"");
    CHECK(tool("detail train two.json --out x.detail --cloth 1") == 2);
    CHECK_TEXT(err, "triangles");
    CHECK(!exists("x.detail"));
    CHECK(!exists("x.detail.training"));
    remove("two.json");
    CHECK(tool("detail train small.json --out x.detail --name \"$(printf 'a\\001')\"") == 2);
    CHECK_TEXT(err, "--name has a control character in it, or is no UTF-8, at byte 2");
    CHECK(tool("detail train small.json --out x.detail --name \"$(printf '\\303\\244\\377')\"") ==
          2);
    CHECK_TEXT(err, "at byte 3");
    CHECK(!exists("x.detail"));
}

// What is there is replaced only where it was learned.
static void others_are_kept(void) {
    static const char whole[] = SHEET("");
    write_text("small.json", whole);
    CHECK(tool("detail train small.json --out small.json") == 2);
    CHECK_TEXT(err, "small.json is there and is no learned detail; name another file");
    read_text("small.json", out);
    CHECK(strcmp(out, whole) == 0);
    CHECK(symlink("small.json", "link.detail") == 0);
    CHECK(tool("detail train small.json --out link.detail") == 2);
    CHECK_TEXT(err, "link.detail is a link");
    remove("link.detail");
    CHECK(tool("detail train small.json --out /dev/null") == 2);
    CHECK_TEXT(err, "/dev/null is there and is no learned detail");
    CHECK(tool("detail train small.json --out ''") == 2);
    CHECK_TEXT(err, "--out has no name in it");
    CHECK(tool("detail train small.json --out .") == 2);
    CHECK_TEXT(err, ". is a folder; name a file in it");
    CHECK(!exists("small.json.training") && !exists("..training"));
}

#define SHORT(duration, more)                                                                    \
    "{\"weft\":1,\"duration\":" duration                                                         \
    ",\"motions\":{\"m\":{\"offset\":{\"keys\":[[0,0,0,0],"                                      \
    "[0.5,0.2,0,0.1]]}}},\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":5,\"rows\":5},"    \
    "\"place\":{\"turn\":{\"axis\":[1,0,0],\"degrees\":90}},\"pins\":[{\"corner\":\"top left\"," \
    "\"motion\":\"m\"},{\"corner\":\"top right\",\"motion\":\"m\"}]" more

// Few frames are told of, before or after; nothing stays that would be in the way.
static void little_to_learn(void) {
    write_text("short.json", SHORT("0", "}]}"));
    CHECK(tool("detail train short.json --out short.detail --parts 2") == 2);
    CHECK_TEXT(err, "short.json: a duration of 0 s has no step to learn from");
    write_text("short.json", SHORT("0.3", "}],\"step\":{\"budget_ms\":1}}"));
    CHECK(tool("detail train short.json --out short.detail --parts 2 --motions 1 --every 99") == 2);
    CHECK_TEXT(err, "18 steps with --every 99 are too few");
    CHECK(!exists("short.detail.training"));
    // one frame is learned from, and the rest held out: that is worth nothing
    CHECK(tool("detail train short.json --out short.detail --parts 2 --motions 1 --held-out 0.9 "
               "--modes 16") == 0);
    CHECK_TEXT(out, "1 of 1 motion, and 6 held out");
    CHECK_TEXT(out, " found of 16");
    CHECK_TEXT(err, "worse than flat triangles");
    CHECK(tool("detail train short.json --out short.detail --parts 2 --motions 1 --held-out 0.9 "
               "--json --quiet --modes 16") == 0);
    CHECK_TEXT(out, "\"worse_than_flat\": true");
    CHECK_TEXT(out, "\"modes\": ");
    CHECK(!strstr(out, "\"modes\": 16"));
    CHECK(tool("detail train short.json --out short.detail --parts 2 --motions 1 --held-out 0 "
               "--ridge 1 --json --quiet") == 0);
    CHECK_TEXT(out, "\"error\": null");
    remove("short.detail");
    write_text("short.json", SHORT("0.5",
                                   ",\"fabric\":{\"stretch\":1e7}}],\"step\":{\"method\":"
                                   "\"symplectic\",\"substeps\":1,\"dt\":\"1/30\"}}"));
    CHECK(tool("detail train short.json --out short.detail --parts 2 --motions 1") == 1);
    CHECK_TEXT(err, "nothing was learned: 0 frames");
    CHECK_TEXT(err, "motion 1 ended at 0.0");
    CHECK_TEXT(err, "too long a step");
    CHECK(!exists("short.detail") && !exists("short.detail.training"));
    remove("short.json");
}

TEST_MAIN(CASE(trains), SLOW_CASE(goes_on), CASE(others_are_refused), CASE(wrong_usage),
          SLOW_CASE(others_are_kept), SLOW_CASE(little_to_learn))
