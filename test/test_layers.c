// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards the one-way flow: includes go down only, the core is silent ISO C, the tool uses public
// headers only, and so does the page's part in C. Reads the sources themselves.

#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <dirent.h>

#include "test.h"

enum { IO = 8, CLI = 9 };

// From the ground up. Folders on one floor do not see each other. A room in a folder ("io/pattern")
// is above the rest of it, and rooms do not see each other.
static const struct {
    const char* folder;
    int floor;
} floors[] = {
    {"base", 0},    {"sparse", 1},  {"mesh", 1},   {"material", 1},    {"energy", 2},
    {"contact", 2}, {"respond", 3}, {"method", 4}, {"small_steps", 4}, {"sim", 5},
    {"garment", 6}, {"detail", 6},  {"fit", 6},    {"render", 7},      {"audit", IO},
    {"io", IO},     {"cli", CLI},
};

static const char* const iso_headers[] = {
    "assert.h", "ctype.h",  "float.h", "limits.h", "math.h",   "stdarg.h",    "stdbool.h",
    "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "stdatomic.h", NULL};
static const char* const vector_headers[] = {"arm_neon.h", "immintrin.h", "intrin.h",
                                             "wasm_simd128.h", NULL};

// What no library does: print, leave, look around. Calls, and names.
static const char* const loud_calls[] = {"printf", "puts",  "putchar", "perror", "exit",
                                         "_Exit",  "abort", "getenv",  "system", NULL};
static const char* const loud_names[] = {"stdout", "stderr", NULL};
// What every C library rounds in its own way: base/angle.h has some of them with the same bits
// everywhere.
static const char* const unsteady_calls[] = {"sin", "cos", "tan", "asin",  "acos", "atan", "atan2",
                                             "exp", "log", "pow", "hypot", "cbrt", "fma",  NULL};
// What readers and writers may, and the core may not; of <stdio.h> it needs snprintf.
static const char* const file_calls[] = {"fopen", "fprintf", "fputs",  "fwrite",
                                         "fread", "remove",  "rename", NULL};
static const char* const file_names[] = {"FILE", NULL};

static bool is_one_of(const char* word, const char* const* list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

// -1: no such folder. A room is on the floor of its folder.
static int floor_of(const char* folder, size_t length) {
    const char* slash = memchr(folder, '/', length);
    if (slash) length = (size_t)(slash - folder);
    for (size_t i = 0; i < sizeof floors / sizeof floors[0]; i++)
        if (strlen(floors[i].folder) == length && strncmp(floors[i].folder, folder, length) == 0)
            return floors[i].floor;
    return -1;
}

// What io needs of a system stands in one file, but for child processes.
static bool is_of_system(const char* header) {
    static const char* const headers[] = {"dirent.h", "fcntl.h",  "io.h",      "strings.h",
                                          "unistd.h", "direct.h", "windows.h", NULL};
    return strncmp(header, "sys/", 4) == 0 || is_one_of(header, headers);
}

static const char* judge_system_include(const char* folder, const char* file, const char* header) {
    bool io = strncmp(folder, "io", 2) == 0;
    if (io && is_of_system(header) && strcmp(file, "file.c") && strcmp(file, "rehearse.c"))
        return "what is not ISO C is in io/file.c";
    if (floor_of(folder, strlen(folder)) >= IO || is_one_of(header, iso_headers)) return NULL;
    bool vector_code = strcmp(folder, "base") == 0 && strcmp(file, "simd.h") == 0;
    if (vector_code && is_one_of(header, vector_headers)) return NULL;
    return "the core includes only headers of ISO C that need no system";
}

static const char* judge_own_include(const char* folder, const char* header) {
    const char* slash = strchr(header, '/');
    if (strcmp(folder, "cli") == 0)
        return slash ? "the tool uses public headers and its own" : NULL;
    if (!slash || strstr(header, "..")) return "write includes as \"folder/file.h\"";
    int to = floor_of(header, (size_t)(slash - header));
    if (to < 0) return "the folder is on no floor of test_layers.c";
    if (strcmp(folder, "audit") == 0 && strncmp(header, "audit/", 6) && strncmp(header, "base/", 5))
        return "a judge shares nothing with what it judges";
    if (strcmp(folder, "fit") == 0 && strncmp(header, "fit/", 4) && strncmp(header, "base/", 5) &&
        strncmp(header, "material/", 9))
        return "a fit needs no mesh and no steps";
    // all of the header's path but its last part, and the same folder or one around it
    size_t place = (size_t)(strrchr(header, '/') - header);
    bool around =
        strncmp(folder, header, place) == 0 && (folder[place] == 0 || folder[place] == '/');
    return around || to < floor_of(folder, strlen(folder)) ? NULL : "includes go down only";
}

// Words outside of comments and strings.
static const char* judge_code(const char* folder, const char* line) {
    bool core = floor_of(folder, strlen(folder)) < IO;
    char word[64];
    for (const char* p = line; *p;) {
        if (p[0] == '/' && p[1] == '/') break;
        if (*p == '"' || *p == '\'') {
            char quote = *p++;
            while (*p && *p != quote) p += *p == '\\' && p[1] ? 2 : 1;
            if (*p) p++;
        } else if (isalpha((unsigned char)*p) || *p == '_') {
            bool field = p > line && (p[-1] == '.' || p[-1] == '>');  // of a struct, ours
            size_t length = 0;
            for (; isalnum((unsigned char)*p) || *p == '_'; p++)
                if (length + 1 < sizeof word) word[length++] = *p;
            word[length] = 0;
            bool call = !field && p[strspn(p, " ")] == '(';
            if ((call && is_one_of(word, loud_calls)) || is_one_of(word, loud_names))
                return "the library is silent";
            if (call && is_one_of(word, unsteady_calls))
                return "has not the same bits everywhere; see base/angle.h";
            if (core && ((call && is_one_of(word, file_calls)) || is_one_of(word, file_names)))
                return "the core opens no files";
        } else {
            p++;
        }
    }
    return NULL;
}

// What is wrong with a line of folder/file, or NULL.
static const char* judge(const char* folder, const char* file, const char* line) {
    char mark = 0, header[128] = "";
    const char* p = line + strspn(line, " \t");
    if (*p == '#' && sscanf(p + 1, " include %c%127[^>\"]", &mark, header) == 2) {
        bool core = floor_of(folder, strlen(folder)) < IO;
        if (core && strcmp(header, "weft/weft_io.h") == 0) return "the core does not know files";
        if (strncmp(header, "weft/", 5) == 0) return NULL;  // public, for everyone
        if (mark == '<') return judge_system_include(folder, file, header);
        return judge_own_include(folder, header);
    }
    if (strcmp(folder, "base") == 0 && strcmp(file, "assert.c") == 0) return NULL;  // the one
    return strcmp(folder, "cli") == 0 ? NULL : judge_code(folder, line);
}

static void judge_accepts_good_lines(void) {
    CHECK(!judge("sim", "step.c", "#include \"method/method.h\""));
    CHECK(!judge("energy", "spring.c", "#include \"energy/term.h\"  // same folder"));
    CHECK(!judge("base", "error.c", "#include \"weft/weft.h\""));
    CHECK(!judge("base", "error.c", "#include <stdio.h>"));
    CHECK(!judge("base", "simd.h", "#include <arm_neon.h>"));
    CHECK(!judge("base", "error.c", "    vsnprintf(text, size, format, list);  // not printf()"));
    CHECK(!judge("base", "error.h", "__attribute__((format(printf, text, first)))"));
    CHECK(!judge("method", "newton.c", "    solve(system, x), jobs->system(1);"));
    CHECK(!judge("mesh", "grid.c", "    return fail(error, \"nobody can exit() here\");"));
    CHECK(!judge("mesh", "curve.c", "    wf_sine_cosine(angle, &sin, &cos);  // sin(x)"));
    CHECK(!judge("io", "obj.c", "#include \"mesh/check.h\""));
    CHECK(!judge("io", "obj.c", "    FILE* file = fopen(path, \"rb\");"));
    CHECK(!judge("io", "scene.c", "#include <jansson.h>"));
    CHECK(!judge("io", "file.c", "#include <dirent.h>"));
    CHECK(!judge("io/pattern", "read.c", "#include \"io/pattern/read.h\""));
    CHECK(!judge("io/pattern", "read.c", "#include \"io/scene_keys.h\""));
    CHECK(!judge("io/pattern", "read.c", "#include \"garment/pattern.h\""));
    CHECK(!judge("io/pattern", "read.c", "#include <jansson.h>"));
    CHECK(!judge("audit", "pair.c", "#include \"audit/side.h\""));
    CHECK(!judge("audit", "crossings.c", "#include \"base/memory.h\""));
    CHECK(!judge("fit", "strip.c", "#include \"material/elastic.h\""));
    CHECK(!judge("io", "measurements.c", "#include \"fit/trial.h\""));
    CHECK(!judge("cli", "main.c", "#include \"commands.h\""));
    CHECK(!judge("cli", "main.c", "#include <weft/weft_io.h>"));
    CHECK(!judge("cli", "main.c", "    printf(\"usage\");"));
}

static void judge_refuses_bad_lines(void) {
    CHECK(judge("base", "memory.c", "#include \"mesh/check.h\""));
    CHECK(judge("mesh", "grid.c", "#include \"sparse/pattern.h\""));
    CHECK(judge("mesh", "grid.c", "  #  include\"sparse/pattern.h\""));
    CHECK(judge("energy", "spring.c", "#include \"method/method.h\""));
    CHECK(judge("energy", "spring.c", "#include \"contact/body.h\""));
    CHECK(judge("energy", "spring.c", "#include \"term.h\""));
    CHECK(judge("energy", "spring.c", "#include \"../energy/term.h\""));
    CHECK(judge("sim", "step.c", "#include \"elsewhere/thing.h\""));
    CHECK(judge("sim", "step.c", "#include <weft/weft_io.h>"));
    CHECK(judge("sim", "step.c", "#include <time.h>"));
    CHECK(judge("io", "scene.c", "#include <dirent.h>"));
    CHECK(judge("io/figure", "sequence.c", "#include <sys/stat.h>"));
    CHECK(judge("sim", "step.c", "#include <unistd.h>"));
    CHECK(judge("sim", "step.c", "#include <pthread.h>"));
    CHECK(judge("mesh", "grid.c", "#include <arm_neon.h>"));
    CHECK(judge("mesh", "grid.c", "    printf(\"here\\n\");"));
    CHECK(judge("mesh", "grid.c", "    if (bad) exit(1);"));
    CHECK(judge("mesh", "grid.c", "    FILE* file = fopen(path, \"rb\");"));
    CHECK(judge("mesh", "curve.c", "    double x = cos(angle);"));
    CHECK(judge("io", "scene.c", "    double length = hypot(x, y);"));
    CHECK(judge("io", "obj.c", "    fprintf(stderr, \"here\\n\");"));
    CHECK(judge("io", "obj.c", "#include \"cli/commands.h\""));
    CHECK(judge("io", "obj.c", "#include \"audit/side.h\""));
    CHECK(judge("io", "scene.c", "#include \"io/pattern/read.h\""));
    CHECK(judge("io/pattern", "read.c", "#include \"io/figure/read.h\""));
    CHECK(judge("io/pattern", "read.c", "#include \"audit/side.h\""));
    CHECK(judge("io/pattern", "read.c", "#include \"read.h\""));
    CHECK(judge("io/pattern", "read.c", "    printf(\"here\");"));
    CHECK(judge("audit", "pair.c", "#include \"contact/tree.h\""));
    CHECK(judge("audit", "pair.c", "#include \"mesh/exact.h\""));
    CHECK(judge("fit", "strip.c", "#include \"energy/term.h\""));
    CHECK(judge("fit", "strip.c", "#include \"weft/weft_io.h\""));
    CHECK(judge("cli", "main.c", "#include \"base/error.h\""));
}

static void check_file(const char* path, const char* folder, const char* name) {
    FILE* file = fopen(path, "r");
    if (!CHECK(file != NULL)) return;
    char line[1024];
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\n")] = 0;
        const char* wrong = judge(folder, name, line);
        if (wrong) printf("%s:%d: %s: %s\n", path, number, line, wrong);
        CHECK(!wrong);
    }
    fclose(file);
}

// Check all sources of one folder and of its rooms; returns how many there are. `folder` empty: the
// folders in it.
static int check_folder(const char* path, const char* folder) {
    DIR* directory = opendir(path);
    if (!directory) return 0;
    int count = 0;
    for (struct dirent* entry; (entry = readdir(directory));) {
        const char* name = entry->d_name;
        char full[1024];
        snprintf(full, sizeof full, "%s/%s", path, name);
        size_t length = strlen(name);
        bool source = length > 2 && name[length - 2] == '.' && strchr("ch", name[length - 1]);
        if (source && CHECK(folder[0])) {
            check_file(full, folder, name);
            count++;
        } else if (!folder[0] && !strchr(name, '.')) {
            if (floor_of(name, length) < 0) printf("src/%s is on no floor\n", name);
            CHECK(floor_of(name, length) >= 0);
            count += check_folder(full, name);
        } else if (!strchr(name, '.') && strcmp(folder, "cli") != 0) {
            char room[1024];
            snprintf(room, sizeof room, "%s/%s", folder, name);
            count += check_folder(full, room);
        }
    }
    closedir(directory);
    return count;
}

static void sources_keep_their_place(void) {
    CHECK(check_folder(WEFT_SOURCE "/src", "") > 5);
    CHECK(check_folder(WEFT_SOURCE "/cli", "cli") > 5);
    CHECK(check_folder(WEFT_SOURCE "/web/core", "cli") > 2);  // by the same rules
    check_file(WEFT_SOURCE "/include/weft/weft.h", "base", "weft.h");
    check_file(WEFT_SOURCE "/include/weft/weft_mesh.h", "base", "weft_mesh.h");
    check_file(WEFT_SOURCE "/include/weft/weft_study.h", "base", "weft_study.h");
    check_file(WEFT_SOURCE "/include/weft/weft_fit.h", "fit", "weft_fit.h");
    check_file(WEFT_SOURCE "/include/weft/weft_garment.h", "garment", "weft_garment.h");
    check_file(WEFT_SOURCE "/include/weft/weft_detail.h", "detail", "weft_detail.h");
    check_file(WEFT_SOURCE "/include/weft/weft_io.h", "io", "weft_io.h");
}

TEST_MAIN(CASE(judge_accepts_good_lines), CASE(judge_refuses_bad_lines),
          CASE(sources_keep_their_place))
