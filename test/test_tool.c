// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the tool as its users meet it: exit codes, what goes to which stream, files, help, errors
// with their place, the same result for any number of threads.

#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "tool_test.h"
#include "weft/weft_io.h"
#include "weft/weft_study.h"

// The same with a scene of scenes/ in place of %s.
static int tool_on(const char* arguments, const char* scene) {
    char path[512], line[1024];
    snprintf(path, sizeof path, "'%s/%s.json'", WEFT_SCENES, scene);
    const char* mark = strstr(arguments, "%s");
    snprintf(line, sizeof line, "%.*s%s%s", (int)(mark - arguments), arguments, path, mark + 2);
    return tool(line);
}

static void write_scene(const char* path, const char* text) {
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL);
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

static bool exists(const char* path) { return access(path, F_OK) == 0; }

// The hash in the output, 16 digits, or "".
static const char* find_hash(void) {
    static char hash[17];
    const char* at = strstr(out, "hash      ");
    snprintf(hash, sizeof hash, "%s", at ? at + 10 : "");
    return hash;
}

// ---------------------------------------------------------------------------------------------

static void help_everywhere(void) {
    static const char* const commands[] = {"run",     "check",   "check-contact", "view", "order",
                                           "methods", "fabrics", "drape",         "fit",  "bench"};
    enum { COUNT = sizeof commands / sizeof *commands };
    CHECK(tool("--help") == 0);
    for (int i = 0; i < COUNT; i++) CHECK_TEXT(out, commands[i]);
    for (int i = 0; i < COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s --help", commands[i]);
        CHECK(tool(line) == 0);
        CHECK_TEXT(out, commands[i]);
        CHECK(err[0] == 0);
        snprintf(line, sizeof line, "help %s", commands[i]);
        CHECK(tool(line) == 0);
        CHECK_TEXT(out, "Options");
    }
    CHECK(tool("--version") == 0);
    CHECK_TEXT(out, weft_version());
}

static void wrong_usage(void) {
    CHECK(tool("") == 2);
    CHECK(out[0] == 0);
    CHECK(tool("rnu") == 2);
    CHECK_TEXT(err, "there is no command \"rnu\"; did you mean run?");
    CHECK(tool("run") == 2);
    CHECK(tool("run a.json b.json") == 2);
    CHECK(tool_on("run %s --qualty 3", "swing") == 2);
    CHECK_TEXT(err, "run has no option --qualty; did you mean --quality?");
    CHECK(tool_on("run %s --quality", "swing") == 2);
    CHECK_TEXT(err, "--quality needs a value");
    CHECK(tool_on("run %s --quality 9", "swing") == 2);
    CHECK_TEXT(err, "--quality must be a whole number from 1 to 8, not \"9\"");
    CHECK(tool_on("run %s --method implict", "swing") == 2);
    CHECK_TEXT(err, "did you mean implicit?");
    CHECK(tool_on("run %s --iterations 4,x", "swing") == 2);
    CHECK(tool_on("run %s --frames 1 --duration 1", "swing") == 2);
    CHECK(tool_on("run %s --frames 1 --out cloth.xyz", "swing") == 2);
    CHECK(out[0] == 0);
}

static void wrong_scenes(void) {
    CHECK(tool("run nowhere.json") == 2);
    CHECK_TEXT(err, "nowhere.json: No such file");
    write_scene("bad.json", "{\"weft\": 1,\n  \"cloths\": [{\"mesh\": {\"kind\": \"grd\"}}]}\n");
    CHECK(tool("check bad.json") == 2);
    CHECK(strncmp(err, "bad.json:2:32: ", 15) == 0);
    CHECK(out[0] == 0);
    // good alone, no sense together: the model says so
    write_scene("bad.json",
                "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\"},\"stretch\":\"triangles\","
                "\"shear\":\"product\"}]}");
    CHECK(tool("check bad.json") == 2);
    CHECK(strncmp(err, "bad.json: ", 10) == 0);
}

static void check_describes(void) {
    CHECK(tool_on("check %s", "swing") == 0);
    CHECK_TEXT(out, "1 cloth, 625 vertices, 1152 triangles, 1776 edges, 1680 hinges");
    CHECK_TEXT(out, "1 m^2, 0.187 kg, pinned at the start: 2");
    CHECK(tool_on("check %s --json", "swing") == 0);
    CHECK_TEXT(out, "\"vertices\": 625");
    CHECK_TEXT(out, "\"bodies\": []");
    CHECK(tool_on("check %s", "needles") == 0);
    CHECK_TEXT(out, "bodies: 1 plane, 9 meshes\n");
    CHECK_TEXT(out, "contact: all");
    CHECK(tool_on("check %s", "breathing") == 0);
    CHECK_TEXT(out, "bodies: 1 mesh; 1 deforms\n");
    CHECK(tool_on("check %s --json", "capsule") == 0);
    CHECK_TEXT(out, "\"kind\": \"capsule\"");
    CHECK_TEXT(out, "\"moves\": true");
}

// A strip of two squares that is split in the middle: 8 vertices of which two pairs are at one
// place. `scale` is for its texture coordinates.
static void write_split_obj(const char* path, double scale) {
    char text[1024];
    int length =
        snprintf(text, sizeof text,
                 "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 1 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 1\n");
    for (int k = 0; k < 8; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, "vt %g %g\n",
                           scale * (k / 4 + (k % 4 == 1 || k % 4 == 2)), scale * (k % 4 > 1));
    snprintf(text + length, sizeof text - (size_t)length, "f 1/1 2/2 3/3 4/4\nf 5/5 6/6 7/7 8/8\n");
    write_scene(path, text);
}

#define SPLIT_SCENE(mesh, cloth)                                                             \
    "{\"weft\":1,\"duration\":0.1,\"cloths\":[{\"mesh\":{\"kind\":\"obj\",\"file\":\"split." \
    "obj\"" mesh "}" cloth "}]}"

// Cloth that is thicker than its triangles are high keeps less from itself, and it is told.
static void thickness_is_limited(void) {
    write_scene("thick.json",
                "{\"weft\":1,\"duration\":0.1,\"contact\":\"all\",\"cloths\":[{\"mesh\":{\"kind\":"
                "\"grid\",\"width\":0.04,\"height\":0.04,\"columns\":4,\"rows\":4},\"fabric\":{"
                "\"thickness\":0.02}}]}");
    CHECK(tool("check thick.json") == 0);
    CHECK_TEXT(out,
               "  cloth 0: of its thickness, 20 mm, cloth keeps only 4.24 mm or more from cloth "
               "at 25 vertices");
    CHECK(tool("check thick.json --json") == 0);
    CHECK_TEXT(out, "\"thinned\": 25");
    CHECK(tool("run thick.json") == 0);
    CHECK_TEXT(out, "cloth keeps only 4.24 mm");
}

// A pin that is sent through the floor and back.
static void pins_below_the_floor(void) {
    write_scene(
        "floor.json",
        "{\"weft\":1,\"duration\":0.6,\"motions\":{\"down\":{\"offset\":{\"keys\":[[0,0,0,0],[0.3,"
        "0,"
        "-0.1,0],[0.5,0,0,0]]}}},\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"width\":0.5,\"height\":"
        "0.5,\"columns\":6,\"rows\":6},\"pins\":[{\"corner\":\"bottom "
        "left\",\"motion\":\"down\"}]}]"
        ",\"bodies\":[{\"kind\":\"plane\",\"place\":{\"move\":[0,-0.05,0]}}]}");
    CHECK(tool("run floor.json") == 0);
    CHECK_TEXT(out, "  warning   1 impact could not be stopped\n");
    CHECK_TEXT(out, "up to 1 crossing or vertices inside a body, 0 left\n");
}

// Seams of a file are welded, and it is told; pins go by the numbers of the file.
static void seams_are_welded(void) {
    write_split_obj("split.obj", 1);
    write_scene("split.json", SPLIT_SCENE("", ",\"pins\":[{\"vertices\":[7, 4]}]"));
    CHECK(tool("check split.json") == 0);
    CHECK_TEXT(out, "1 cloth, 6 vertices, 4 triangles, 9 edges, 3 hinges");
    CHECK_TEXT(out, "  cloth 0: welded 4 vertices at 2 places\n");
    CHECK_TEXT(out, "pinned at the start: 2");
    CHECK(strstr(out, "not welded") == NULL);
    CHECK(tool("check split.json --json") == 0);
    CHECK_TEXT(out, "\"welded\": 4");
    CHECK_TEXT(out, "\"unwelded\": 0");
    CHECK(tool("run split.json") == 0);
    CHECK_TEXT(out, "  cloth 0: welded 4 vertices at 2 places\n");
    write_scene("split.json", SPLIT_SCENE(",\"weld\":false", ""));
    CHECK(tool("check split.json") == 0);
    CHECK_TEXT(out, "1 cloth, 8 vertices");
    CHECK_TEXT(out, "  cloth 0: 4 vertices lie on others and are not welded");
    write_scene("split.json", SPLIT_SCENE(",\"weld\":0", ""));
    CHECK(tool("check split.json") == 0);
    CHECK_TEXT(out, "welded 4 vertices");
    write_scene("split.json", SPLIT_SCENE(",\"weld\":\"yes\"", ""));
    CHECK(tool("check split.json") == 2);
    CHECK_TEXT(err, "\"weld\" must be a distance in metres, true or false");
    write_scene("split.json", SPLIT_SCENE("", ",\"pins\":[{\"vertices\":[8]}]"));
    CHECK(tool("check split.json") == 2);
    CHECK_TEXT(err, "0 to 7");
    write_scene("split.txt", "1\n1\n1\n1\n2\n1\n1\n2\n");  // a line per vertex of the file
    write_scene("split.json", SPLIT_SCENE("", ",\"scales\":{\"stretch\":\"split.txt\"}"));
    CHECK(tool("check split.json") == 0);
    write_scene("split.txt", "1\n1\n1\n1\n2\n1\n");
    CHECK(tool("check split.json") == 2);
    CHECK_TEXT(err, "there are fewer lines than vertices");
    remove("split.txt");
    remove("split.obj");
    remove("split.json");
}

// Texture coordinates in centimetres are not taken for metres.
static void texture_in_centimetres(void) {
    write_split_obj("split.obj", 100);
    write_scene("split.json", SPLIT_SCENE("", ""));
    CHECK(tool("check split.json") == 2);
    CHECK(strncmp(err, "split.json:1:", 13) == 0);
    CHECK_TEXT(err, "starts 100 times shorter than its flat rest shape");
    CHECK_TEXT(err, "look like centimetres: multiply them by 0.01");
    write_scene("split.json", SPLIT_SCENE(",\"texture_scale\":0.01", ""));
    CHECK(tool("check split.json") == 0);
    remove("split.obj");
    remove("split.json");
}

// Phases and counts of contact are told where something can touch, and nowhere else.
static void contact_is_told(void) {
    CHECK(tool_on("run %s --frames 30", "plane") == 0);
    CHECK_TEXT(out, "pairs with bodies");
    CHECK_TEXT(out, "  defend ");
    CHECK(!strstr(out, "asleep"));
    CHECK(tool_on("run %s --frames 2 --contact none", "plane") == 0);
    CHECK(!strstr(out, "pairs with bodies") && !strstr(out, "  defend "));
    CHECK(tool_on("run %s --frames 2 --json", "plane") == 0);
    CHECK_TEXT(out, "\"body_contacts\"");
    CHECK_TEXT(out, "\"defend\"");
    CHECK_TEXT(out, "\"asleep_since\": null");
    CHECK(tool_on("run %s --frames 2 --json", "swing") == 0);
    CHECK_TEXT(out, "\"contact\": null");
}

// A small sheet lies down on a plane and sleeps, unless it is told not to.
static void sleep_is_told(void) {
    write_scene("lie.json",
                "{\"weft\":1,\"bodies\":[{\"kind\":\"plane\"}],\"cloths\":[{\"mesh\":{\"kind\":"
                "\"grid\",\"columns\":6,\"rows\":6},\"place\":{\"move\":[0,0.01,0]}}]}");
    CHECK(tool("run lie.json --duration 3") == 0);
    CHECK_TEXT(out, "  asleep    since ");
    CHECK(tool("run lie.json --duration 3 --rest-speed 0") == 0);
    CHECK(!strstr(out, "asleep"));
    CHECK(tool("run lie.json --rest-speed -1") == 2);
    CHECK(tool("run lie.json --contact cloth") == 2);
    CHECK_TEXT(err, "--contact does not know \"cloth\"");
}

static void every_scene_runs(void) {
    static const char* const scenes[] = {
        "demo",   "swing",    "curtain", "flag",    "moving_pins", "triangles",
        "net",    "disc",     "outline", "crossed", "thesis_ivt",  "thesis_ier",
        "budget", "scalable", "rope",    "woven",
    };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        int code = tool_on("run %s --frames 8", scenes[i]);
        if (code) printf("%s: %s\n", scenes[i], err);
        CHECK(code == 0);
        CHECK(strlen(find_hash()) == 16);
    }
}

// Two quads with a seam, by texture coordinates; its second cloth is a grid.
static void write_seam_scene(const char* rest) {
    char text[600];
    write_scene("seam.obj",
                "v 0 0 0\nv 1 0 0\nv 1 0 -1\nv 0 0 -1\nv 2 0 0\nv 2 0 -1\n"
                "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 3 0\nvt 4 0\nvt 4 1\nvt 3 1\n"
                "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\nf 2/5 5/6 6/7\nf 2/5 6/7 3/8\n");
    snprintf(text, sizeof text,
             "{\"weft\":1,\"name\":\"sewn\",\"cloths\":[{\"mesh\":{\"kind\":\"obj\",\"file\":"
             "\"seam.obj\"}},{\"mesh\":{\"kind\":\"grid\",\"columns\":2,\"rows\":2},"
             "\"place\":{\"move\":[0,2,0]}}%s],"
             "\"bodies\":[{\"kind\":\"sphere\",\"place\":{\"move\":[0,-5,0]}}]}",
             rest);
    write_scene("sewn.json", text);
}

static void check_parts(const char* path, const char* mesh, int count, const char* const* expected,
                        int vertex_count) {
    WeftReader* reader = NULL;
    WeftError error = {0};
    if (!CHECK(weft_open_reader(path, mesh, NULL, &reader, &error) == WEFT_OK)) {
        printf("%s\n", error.message);
        return;
    }
    int found = 0;
    CHECK(reader->part_count == count);
    for (int p = 0; p < reader->part_count && p < count; p++) {
        CHECK(strcmp(reader->parts[p].name, expected[p]) == 0);
        CHECK(reader->parts[p].body == (p == count - 1));
        if (!reader->parts[p].body) found += reader->parts[p].vertex_count;
    }
    CHECK(found == vertex_count);
    weft_close_reader(reader);
}

// Each cloth is a part, with vertices on seams once, whatever the format; with ropes all are one.
static void cloths_are_parts(void) {
    static const char* const two[] = {"cloth 0", "cloth 1", "body 0"};
    static const char* const one[] = {"sewn", "body 0"};
    write_seam_scene("");
    CHECK(tool("run sewn.json --frames 2 --out s.glb --out s.ply --out s.obj --out s.pc2 "
               "--last last.obj") == 0);
    check_parts("s.glb", NULL, 3, two, 15);
    check_parts("s.ply", NULL, 3, two, 15);
    check_parts("s.obj", NULL, 3, two, 15);
    check_parts("s.pc2", "last.obj", 3, two, 15);
    CHECK(tool("check-contact s.glb") == 0);
    write_seam_scene(",{\"mesh\":{\"kind\":\"rope\",\"segments\":2}}");
    CHECK(tool("run sewn.json --frames 2 --out r.glb") == 0);
    check_parts("r.glb", NULL, 2, one, 18);
}

static void files_are_written(void) {
    CHECK(tool_on("run %s --frames 6 --every 3 --out a.glb --out b.pc2 --out=c.obj --out d.ply",
                  "swing") == 0);
    CHECK(exists("a.glb") && exists("b.pc2"));
    CHECK(exists("c.0000.obj") && exists("c.0002.obj") && !exists("c.0003.obj"));
    CHECK(exists("d.0000.ply") && exists("d.0002.ply"));
    CHECK_TEXT(out, "wrote     a.glb");
    CHECK_TEXT(out, "c.0000.obj ... c.0002.obj");
    CHECK(tool_on("run %s --frames 3 --last e.obj --last f.ply", "swing") == 0);
    CHECK(exists("e.obj") && exists("f.ply") && !exists("e.0000.obj"));
    CHECK_TEXT(out, "wrote     e.obj");
    CHECK(tool_on("run %s --frames 2 --out no/such/folder.glb", "swing") == 1);
    CHECK_TEXT(err, "no/such/folder.glb");
}

// An explicit step far beyond its limit explodes: an error that names the step, and what was
// written before is kept.
static void failed_runs_keep_their_frames(void) {
    remove("wild.glb");
    CHECK(tool_on("run %s --method symplectic --substeps 1 --out wild.glb", "swing") == 1);
    CHECK_TEXT(err, "swing.json: step ");
    CHECK_TEXT(err, "too long a step");
    CHECK(exists("wild.glb") && !exists("wild.glb.part"));
    CHECK(out[0] == 0);
}

static void threads_do_not_matter(void) {
    char one[17];
    CHECK(tool_on("run %s --frames 20 --threads 1", "swing") == 0);
    snprintf(one, sizeof one, "%s", find_hash());
    CHECK(strlen(one) == 16);
    CHECK(tool_on("run %s --frames 20 --threads 2", "swing") == 0);
    CHECK(strcmp(one, find_hash()) == 0);
}

static void streams_are_kept_apart(void) {
    CHECK(tool_on("run %s --frames 8", "swing") == 0);
    CHECK_TEXT(err, "frame 8/8");
    CHECK(!strstr(out, "frame"));
    CHECK(tool_on("run %s --frames 8 --quiet", "swing") == 0);
    CHECK(out[0] == 0 && err[0] == 0);
    CHECK(tool_on("run %s --frames 8 --quiet --json --out a.glb", "swing") == 0);
    CHECK(err[0] == 0 && out[0] == '{');
    CHECK_TEXT(out, "\"steps\": 8");
    CHECK_TEXT(out, "\"path\": \"a.glb\"");
    CHECK_TEXT(out, "\"hash\": \"");
}

static void options_win_over_the_scene(void) {
    CHECK(tool_on("run %s --frames 2", "thesis_ivt") == 0);
    CHECK_TEXT(out, "prefactored: order 1, 1 substep, repeat 1");
    CHECK(tool_on("run %s --frames 2 --order 2", "thesis_ivt") == 0);
    CHECK_TEXT(out, "prefactored: order 2, 1 substep, repeat 1");
    CHECK(tool_on("run %s --frames 1 --dt 1/30 --json", "swing") == 0);
    CHECK_TEXT(out, "\"dt\": 0.0333333333");
    CHECK(tool_on("run %s --dt 1/0", "swing") == 2);
    CHECK_TEXT(err, "--dt must be a number from 1e-06 to 1, not \"1/0\"");
    CHECK(tool_on("run %s --duration 0.1 --dt 0.02 --method implicit", "swing") == 0);
    CHECK_TEXT(out, "5 steps of 1/50 s");
    CHECK_TEXT(out, "implicit");
    CHECK(tool_on("run %s --frames 2 --quality 2", "swing") == 0);
    CHECK_TEXT(out, weft_quality_text(2));
}

static void presets_are_named(void) {
    CHECK(tool_on("run %s --frames 4 --preset scalable --iterations 3", "swing") == 0);
    CHECK_TEXT(out, "method    scalable: relaxation, gauss_seidel, smoothed, 3 sweeps\n");
    // what is given beside a preset wins over it, and then it is that preset no more
    CHECK(tool_on("run %s --frames 4 --preset scalable --jacobian clamped --start predicted",
                  "swing") == 0);
    CHECK_TEXT(out, "method    relaxation, gauss_seidel, clamped, 1 sweep\n");
    CHECK(tool_on("run %s --frames 4 --method relaxation --sweep jacobi", "swing") == 0);
    CHECK_TEXT(out, "method    relaxation, jacobi, clamped, 4 sweeps\n");
    CHECK(tool_on("run %s --frames 4 --method matrix_free --jacobian one_sided", "swing") == 0);
    CHECK_TEXT(out, "method    matrix_free, j, one_sided\n");
    char predicted[17];
    CHECK(tool_on("run %s --frames 4 --start predicted", "swing") == 0);
    snprintf(predicted, sizeof predicted, "%s", find_hash());
    CHECK(tool_on("run %s --frames 4 --start previous", "swing") == 0);
    CHECK(strlen(predicted) == 16 && strcmp(predicted, find_hash()) != 0);
    CHECK(tool_on("run %s --preset kang", "swing") == 2);
    CHECK_TEXT(err, "--preset does not know \"kang\"; did you mean kang_1?");
    CHECK(tool("run --help") == 0);
    static const char* const options[] = {"--preset NAME",   "--budget MS",  "--sweep NAME",
                                          "--jacobian NAME", "--start NAME", "--record FILE",
                                          "--replay FILE",   "choi_ko",      "gauss_seidel"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) CHECK_TEXT(out, options[i]);
}

static void check_tells_of_budgets(void) {
    CHECK(tool_on("check %s", "budget") == 0);
    CHECK_TEXT(out, "480 steps, prefactored, budget 2 ms\n");
    CHECK(!strstr(out, "matrices"));
    write_scene("small.json",
                "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":8,"
                "\"rows\":8}}],\"matrices\":\"blocks\",\"step\":{\"preset\":\"scalable\"}}");
    CHECK(tool("check small.json") == 0);
    CHECK_TEXT(out, "240 steps, scalable: relaxation, gauss_seidel, smoothed, 1 sweep\n");
    CHECK_TEXT(out, "matrices: blocks\n");
    CHECK(tool("check small.json --json") == 0);
    CHECK_TEXT(out, "\"matrices\": \"blocks\"");
    // a model without a factor takes no steps that need one, but has an order of elimination
    CHECK(tool("run small.json --method prefactored --jacobian clamped") == 2);
    CHECK_TEXT(err, "small.json: the model was made without a constant factor");
    CHECK(tool("order small.json --ordering natural") == 0);
}

// ---------------------------------------------------------------------------------------------
// Budgets and records

static void kept_budgets_are_counted(void) {
    CHECK(tool_on("run %s --frames 4 --budget 100000", "swing") == 0);
    CHECK_TEXT(out, "prefactored, budget 100000 ms: order 2, ");
    CHECK_TEXT(out, "budget    100000 ms: 100.0 % of the steps kept it");
    CHECK(tool_on("run %s --frames 4 --budget 0.0001", "swing") == 0);
    CHECK_TEXT(out, "budget    0.0001 ms: 0.0 % of the steps kept it");
    CHECK_TEXT(out, "chosen    in 4 of 4 steps: 1 x repeat 1\n");
    CHECK(tool_on("run %s --frames 4 --budget 0", "budget") == 0);
    CHECK(!strstr(out, "budget    "));
    CHECK(tool_on("run %s --frames 2 --quality 3", "budget") == 0);
    CHECK_TEXT(out, weft_quality_text(3));
    CHECK(tool_on("run %s --frames 2 --quality 2 --budget 1", "swing") == 2);
    CHECK_TEXT(err, "give --quality or --budget, not both");
}

// What was recorded by a budget gives the same bits without one, whatever the clock said.
static void records_are_replayed(void) {
    char hash[17];
    remove("r.json");
    CHECK(tool_on("run %s --frames 60 --budget 0.8 --record r.json", "swing") == 0);
    snprintf(hash, sizeof hash, "%s", find_hash());
    CHECK(strlen(hash) == 16);
    CHECK_TEXT(out, "budget    0.8 ms: ");
    CHECK_TEXT(out, "% of the steps kept it (within 10 %), the longest took ");
    CHECK_TEXT(out, "chosen    in ");
    CHECK(exists("r.json") && !exists("r.json.part"));
    CHECK(tool_on("run %s --replay r.json --record again.json --threads 1", "swing") == 0);
    CHECK_TEXT(out, "60 steps of 1/60 s");
    CHECK_TEXT(out, "replayed  60 steps: the same bits\n");
    CHECK(!strstr(out, "budget"));
    CHECK(strcmp(hash, find_hash()) == 0);
    // and the record of it is the same record
    char first[TEXT_SIZE];
    read_text("r.json", first);
    read_text("again.json", out);
    CHECK(strlen(first) > 60 && strcmp(first, out) == 0);
    CHECK(tool_on("run %s --replay r.json --quiet --json --budget 0.8", "swing") == 0);
    CHECK_TEXT(out, "\"replay_same\": true");
    CHECK(tool_on("run %s --replay r.json --frames 50", "swing") == 0);
    CHECK_TEXT(out, "replayed  50 steps: a part of the record");
    CHECK(tool_on("run %s --frames 9 --method relaxation --budget 0.5 --record r.json --quiet",
                  "swing") == 0);
    CHECK(tool_on("run %s --replay r.json", "swing") == 0);
    CHECK_TEXT(out, "replayed  9 steps: the same bits\n");
    // without a budget, too
    CHECK(tool_on("run %s --frames 3 --quality 5 --record r.json --quiet", "swing") == 0);
    CHECK(tool_on("run %s --replay r.json", "swing") == 0);
    CHECK_TEXT(out, "prefactored: order 2, 3 substeps, a 4\n");
    CHECK_TEXT(out, "replayed  3 steps: the same bits\n");
    CHECK(tool_on("run %s --frames 5 --budget 1 --json", "swing") == 0);
    CHECK_TEXT(out, "\"budget\": {\n    \"ms\": 1");
    CHECK_TEXT(out, "\"longest_ms\": ");
    CHECK(tool_on("run %s --frames 2 --record no/such/folder.json", "swing") == 1);
    CHECK_TEXT(err, "no/such/folder.json: ");
}

// Other bits than recorded are told, with both hashes.
static void other_bits_are_told(void) {
    char hash[17];
    CHECK(tool_on("run %s --frames 6 --record r.json", "swing") == 0);
    snprintf(hash, sizeof hash, "%s", find_hash());
    CHECK(tool_on("run %s --replay r.json --stretch-tolerance 0", "swing") == 1);
    CHECK_TEXT(out, "replayed  6 steps: not the same bits");
    CHECK_TEXT(err, "r.json: replayed 6 steps: not the same bits: the hash is ");
    CHECK(strlen(hash) == 16 && strcmp(hash, find_hash()) != 0);
    CHECK_TEXT(err, hash);
    CHECK_TEXT(err, find_hash());
}

// A good record of nine vertices with one thing changed: from `old` to `new`.
static void refuse_record(const char* old, const char* new, const char* message) {
    static const char* const record =
        "{\"weft_record\": 1,\n\"scene\": \"two\", \"vertices\": 9, \"dt\": 0.0625,\n"
        "\"steps\": [\n"
        "{\"method\": \"prefactored\", \"order\": 2, \"substeps\": 1, \"scheme\": \"a\", "
        "\"iterations\": [4], \"limits\": [3]},\n"
        "{\"method\": \"symplectic\", \"order\": 1, \"substeps\": 2, \"scheme\": \"auto\", "
        "\"iterations\": [], \"limits\": []}],\n"
        "\"hash\": \"0123456789abcdef\"}";
    char text[1024];
    const char* at = strstr(record, old);
    CHECK(at != NULL);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - record), record, new, at + strlen(old));
    write_scene("damaged.json", text);
    int code = tool("run small.json --replay damaged.json");
    CHECK(code == (*message ? 2 : 1));
    CHECK_TEXT(err, *message ? message : "not the same bits");
    CHECK(out[0] == 0 || !*message);
}

static void damaged_records_are_refused(void) {
    write_scene("small.json",
                "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":2,"
                "\"rows\":2}}],\"step\":{\"dt\":0.0625}}");
    refuse_record("two", "two", "");  // as it is: good, but for the hash
    refuse_record("\"steps\"", "steps", "damaged.json:3:");
    refuse_record("\"weft_record\": 1", "\"weft_record\": 2",
                  "damaged.json: is no record of steps: \"weft_record\" must be 1");
    refuse_record("\"vertices\": 9", "\"vertices\": 8",
                  "damaged.json: was recorded with 8 vertices, and small has 9");
    refuse_record("0.0625", "0.06", "was recorded with steps of 0.06 s, and these take 0.0625");
    refuse_record("0.0625", "\"1/60\"", "\"dt\" must be a number");
    refuse_record("prefactored", "prefactord",
                  "damaged.json: step 1: there is no method \"prefactord\"; did you mean "
                  "prefactored?");
    refuse_record("\"auto\"", "7", "damaged.json: step 2: \"scheme\" must be a text");
    refuse_record("\"order\": 1", "\"order\": 3",
                  "step 2: \"order\" must be a whole number from 1 to 2");
    refuse_record("\"substeps\": 1", "\"substeps\": 0", "step 1: \"substeps\" must be a whole");
    refuse_record("[4]", "[4, 4, 4, 4, 4]", "step 1: \"iterations\" must be a list of at most 4");
    refuse_record("[3]", "[-3]", "step 1: \"limits\" must be a whole number from 0 to 1000000");
    refuse_record("\"a\"", "\"j\"", "damaged.json: step 1: schemes J and plain make no use");
    refuse_record("9abcdef", "9ABCDE", "\"hash\" must be 16 digits");
    refuse_record("\"hash\"", "\"hush\"", "\"hash\" must be 16 digits");
    CHECK(tool("run small.json --replay damaged.json --frames 3") == 2);  // no hash
    CHECK(tool("run small.json --replay nowhere.json") == 2);
    CHECK_TEXT(err, "nowhere.json: No such file");
    CHECK(tool("run small.json --frames 3 --record r.json") == 0);
    CHECK(tool("run small.json --replay r.json --frames 4") == 2);
    CHECK_TEXT(err, "r.json: holds 3 steps, and 4 are asked for");
}

static void methods_lists_everything(void) {
    CHECK(tool("methods") == 0);
    for (int i = 0; weft_choice(i); i++) {
        CHECK_TEXT(out, weft_choice(i)->group);
        CHECK_TEXT(out, weft_choice(i)->name);
        CHECK_TEXT(out, weft_choice(i)->text);
    }
    for (int i = 1; i <= WEFT_MAX_QUALITY; i++) CHECK_TEXT(out, weft_quality_text(i));
    CHECK(tool("methods --json") == 0);
    CHECK(out[0] == '{');
    CHECK_TEXT(out, "\"name\": \"prefactored\"");
    CHECK(tool("methods x") == 2);
}

static void bench_is_found_or_missed(void) {
    setenv("WEFT_BENCH", "/no/such/program", 1);
    CHECK(tool("bench step") == 1);
    CHECK_TEXT(err, "weft-bench is not built");
    setenv("WEFT_BENCH", "/bin/echo", 1);
    CHECK(tool("bench step --json") == 0);
    CHECK(strcmp(out, "step --json\n") == 0);
    CHECK(tool("bench") == 0);
    CHECK(strcmp(out, "--list\n") == 0);
    unsetenv("WEFT_BENCH");
}

// ---------------------------------------------------------------------------------------------
// order

static const char* const orderings[] = {"natural", "cuthill_mckee", "reverse_cuthill_mckee",
                                        "minimum_degree", "nested_dissection"};

// Two triangles.
static void write_mesh(const char* path) {
    write_scene(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
}

static void order_compares(void) {
    CHECK(tool_on("order %s", "swing") == 0);
    CHECK_TEXT(out, "625 vertices, bending in the matrix");
    for (int i = 0; i < 5; i++) CHECK_TEXT(out, orderings[i]);
    CHECK_TEXT(out, "* auto takes ");
    CHECK(err[0] == 0);
    CHECK(tool_on("order %s --json --no-bend", "swing") == 0);
    CHECK(out[0] == '{' && err[0] == 0);
    CHECK_TEXT(out, "\"vertices\": 625");
    CHECK_TEXT(out, "\"bending\": false");
    CHECK_TEXT(out, "\"auto\": true");
    // an edge of a triangle twice, a vertex once: both halves and the diagonal
    CHECK_TEXT(out, "\"matrix_count\": 4177");
    static const char* const keys[] = {"factor_count", "fill",        "stored_count", "flops",
                                       "order_ms",     "analysis_ms", "factor_ms",    "solve_ms"};
    for (int i = 0; i < 8; i++) CHECK_TEXT(out, keys[i]);
}

static void order_takes_some(void) {
    write_mesh("two.obj");
    CHECK(tool("order two.obj --ordering natural --ordering minimum_degree") == 0);
    CHECK_TEXT(out, "4 vertices");
    CHECK_TEXT(out, "\n  natural");
    CHECK(!strstr(out, "\n  cuthill_mckee"));
    CHECK(tool("order two.obj --ordering auto --json") == 0);
    CHECK_TEXT(out, "\"auto\": true");
    CHECK(!strstr(out, "\"auto\": false"));
    // all four vertices are joined by the hinge, all but two by an edge
    CHECK_TEXT(out, "\"matrix_count\": 16");
    CHECK(tool("order two.obj --no-bend --json") == 0);
    CHECK_TEXT(out, "\"matrix_count\": 14");
    // scenes that take no prefactored steps have a matrix all the same; some have none
    CHECK(tool_on("order %s", "thesis_ier") == 0);
    write_scene("bad.json",
                "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\"},\"stretch\":\"triangles\","
                "\"shear\":\"product\"}],\"step\":{\"method\":\"implicit\"}}");
    CHECK(tool("order bad.json") == 2);
    CHECK_TEXT(err, "bad.json: cloth 0: no constant matrix");
}

// Width and height in the head of a PNG; 0 where it is none.
static void read_png_size(const char* path, int size[2]) {
    unsigned char head[24] = {0};
    FILE* file = fopen(path, "rb");
    bool good = file && fread(head, 1, sizeof head, file) == sizeof head &&
                memcmp(head, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) == 0;
    for (int k = 0; k < 2; k++) size[k] = good ? head[18 + 4 * k] << 8 | head[19 + 4 * k] : 0;
    if (file) fclose(file);
}

static void order_draws(void) {
    char path[128];
    int size[2], sheet[2];
    CHECK(tool_on("order %s --pictures drawn", "swing") == 0);
    CHECK_TEXT(out, "wrote     drawn/matrix.png");
    read_png_size("drawn/sheet.png", sheet);
    CHECK(sheet[0] > 2 * sheet[1] && sheet[1] > 400);
    read_png_size("drawn/matrix.png", size);
    CHECK(size[0] > 625 && size[0] <= 1200 && size[1] > 625 && size[1] <= 1200);
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "drawn/%s_%s.png", i < 5 ? "matrix" : "factor",
                 orderings[i % 5]);
        CHECK_TEXT(out, path);
        int other[2];
        read_png_size(path, other);
        CHECK(other[0] == size[0] && other[1] == size[1]);
        remove(path);
    }
    // a pixel cannot be cut: two rows of 1250 are one
    write_scene(
        "wide.json",
        "{\"weft\":1,\"cloths\":[{\"mesh\":{\"kind\":\"grid\",\"columns\":49,\"rows\":24}}]}");
    CHECK(tool("order wide.json --ordering natural --pictures drawn --json") == 0);
    CHECK_TEXT(out, "drawn/factor_natural.png");
    read_png_size("drawn/factor_natural.png", size);
    CHECK(size[0] > 625 && size[0] < 1000 && size[1] > 625 && size[1] < 1000);
}

static void order_refuses(void) {
    write_mesh("two.obj");
    CHECK(tool("order") == 2);
    CHECK(tool("order nowhere.obj") == 2);
    CHECK_TEXT(err, "nowhere.obj: ");
    CHECK(tool("order cloth.txt") == 2);
    CHECK_TEXT(err, "cloth.txt: order takes a mesh (.obj) or a scene (.json)");
    write_scene("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    CHECK(tool("order bad.obj") == 2);
    CHECK_TEXT(err, "bad.obj:4");
    CHECK(tool("order two.obj --ordering minimum_degre") == 2);
    CHECK_TEXT(err, "--ordering does not know \"minimum_degre\"; did you mean minimum_degree?");
    CHECK(tool("order two.obj --pictures no/such/folder") == 1);
    CHECK_TEXT(err, "no/such/folder: ");
    CHECK(out[0] == 0);
}

// Ctrl-C in the middle of a long run: what was written is complete, and the code says it stopped.
static void interrupted_runs_keep_their_frames(void) {
    remove("long.glb");
    remove("long.json");
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("tool.out", "w", stdout) || !freopen("tool.err", "w", stderr)) _exit(9);
        execl(WEFT_TOOL, "weft", "run", WEFT_SCENES "/swing.json", "--frames", "100000", "--out",
              "long.glb", "--record", "long.json", (char*)NULL);
        _exit(9);
    }
    struct timespec moment = {.tv_nsec = 20000000};
    for (int i = 0; i < 500 && !exists("long.glb.part"); i++) nanosleep(&moment, NULL);
    moment.tv_nsec = 300000000;
    nanosleep(&moment, NULL);
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    read_text("tool.out", out);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    CHECK_TEXT(out, "then stopped");
    CHECK(exists("long.glb") && !exists("long.glb.part"));
    CHECK(tool_on("run %s --replay long.json", "swing") == 0);
    CHECK_TEXT(out, "steps: the same bits");
    remove("long.glb");
    remove("long.json");
}

TEST_MAIN(CASE(help_everywhere), CASE(wrong_usage), CASE(wrong_scenes), CASE(check_describes),
          CASE(seams_are_welded), CASE(thickness_is_limited), CASE(pins_below_the_floor),
          CASE(texture_in_centimetres), CASE(contact_is_told), CASE(sleep_is_told),
          CASE(every_scene_runs), CASE(files_are_written), CASE(cloths_are_parts),
          CASE(failed_runs_keep_their_frames), CASE(threads_do_not_matter),
          CASE(streams_are_kept_apart), CASE(options_win_over_the_scene), CASE(presets_are_named),
          CASE(check_tells_of_budgets), CASE(kept_budgets_are_counted), CASE(records_are_replayed),
          CASE(other_bits_are_told), CASE(damaged_records_are_refused),
          CASE(methods_lists_everything), CASE(bench_is_found_or_missed), CASE(order_compares),
          CASE(order_takes_some), CASE(order_draws), CASE(order_refuses),
          CASE(interrupted_runs_keep_their_frames))
