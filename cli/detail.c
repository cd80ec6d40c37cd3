// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft detail: learned detail, by what it does: each action is a command of its own.

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "detail_apply.h"
#include "detail_train.h"
#include "weft/weft_io.h"

// ---------------------------------------------------------------------------------------------
// weft detail info

enum { PRINT_SIZE = 17 };

static void print_mesh(const WeftDetailInfo* info, char print[PRINT_SIZE]) {
    snprintf(print, PRINT_SIZE, "%016" PRIx64, info->mesh);
}

// How many bytes the letter at `text` has; 0: it is no UTF-8, and no text in JSON.
static int letter_bytes(const char* text) {
    for (int count = 1; count <= 4 && text[count - 1]; count++) {
        json_t* letter = json_stringn(text, (size_t)count);
        bool good = letter != NULL;
        json_decref(letter);
        if (good) return count;
    }
    return 0;
}

// Those would let a name write over what a terminal shows.
static bool is_control(const char* letter, int bytes) {
    unsigned char first = (unsigned char)letter[0];
    if (bytes == 2) return first == 0xC2 && (unsigned char)letter[1] < 0xA0;
    return bytes == 1 && (first < 0x20 || first == 0x7F);
}

enum { MOST_BYTES = 6, NAME_ROOM = MOST_BYTES * sizeof(((WeftDetailInfo*)NULL)->name) + 1 };

// The name as text: a mark for what is none; `escape`: and codes for control characters.
static void read_name(const WeftDetailInfo* info, bool escape, char text[NAME_ROOM]) {
    size_t at = 0;
    text[0] = 0;
    for (const char* letter = info->name; *letter && at < NAME_ROOM - MOST_BYTES;) {
        int bytes = letter_bytes(letter);
        char* to = text + at;
        if (bytes == 0)
            snprintf(to, NAME_ROOM - at, "\xEF\xBF\xBD");  // U+FFFD
        else if (escape && is_control(letter, bytes))
            snprintf(to, NAME_ROOM - at, "\\u%04x", (unsigned)(unsigned char)letter[bytes - 1]);
        else
            snprintf(to, NAME_ROOM - at, "%.*s", bytes, letter);
        at += strlen(to);
        letter += bytes > 0 ? bytes : 1;
    }
}

// Nothing is known where no motion was held out.
static bool knows_error(const WeftDetailInfo* info) {
    return isfinite(info->error) && info->error >= 0;
}

static void print_info(const char* path, const WeftDetailInfo* info) {
    char print[PRINT_SIZE], name[NAME_ROOM];
    print_mesh(info, print);
    read_name(info, true, name);
    printf("%s: \"%s\", learned by weft %u.%u.%u\n", path, name, info->version[0], info->version[1],
           info->version[2]);
    printf("  mesh      %d vertices, %d triangles, %s\n", info->coarse_vertices,
           info->coarse_triangles, print);
    printf("  shown     %d vertices, %d triangles: every edge in %d parts\n", info->vertices,
           info->coarse_triangles * info->parts * info->parts, info->parts);
    printf("  modes     %d\n", info->modes);
    printf("  ridge     %.3g\n", info->ridge);
    if (knows_error(info))
        printf("  left      %.3g of what was held out\n", info->error);
    else
        puts("  left      not known: nothing was held out");
}

static json_t* number_json(double number, bool known) {
    return known ? json_real(number) : json_null();
}

static int print_info_json(const char* path, const WeftDetailInfo* info) {
    char print[PRINT_SIZE], version[40], name[NAME_ROOM];
    print_mesh(info, print);
    read_name(info, false, name);
    snprintf(version, sizeof version, "%u.%u.%u", info->version[0], info->version[1],
             info->version[2]);
    json_t* root = json_pack("{s:s,s:s,s:i,s:i,s:s,s:i,s:i,s:i,s:o,s:o}", "name", name, "version",
                             version, "coarse_vertices", info->coarse_vertices, "coarse_triangles",
                             info->coarse_triangles, "mesh", print, "vertices", info->vertices,
                             "parts", info->parts, "modes", info->modes, "ridge",
                             number_json(info->ridge, isfinite(info->ridge)), "error",
                             number_json(info->error, knows_error(info)));
    if (!root) return complain(EXIT_FAILED, "%s: cannot be told as data", path);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
    return EXIT_GOOD;
}

static int tell_info(const char* path, bool json) {
    WeftDetailInfo info;
    WeftError error;
    if (weft_inspect_detail_file(path, &info, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return error.result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
    }
    if (json) return print_info_json(path, &info);
    print_info(path, &info);
    return EXIT_GOOD;
}

static int run_info(const Command* command, int argc, char** argv) {
    bool json = false;
    const Option rows[] = {{"json", OPTION_FLAG, NULL, "the same as data", &json, 0, 0}};
    TextList arguments;
    int code = parse_options(command, rows, 1, argc, argv, &arguments);
    if (code == GO_ON && arguments.count != 1)
        code = complain(EXIT_USAGE, "detail info takes one file; see `weft detail info --help`");
    if (code == GO_ON) code = tell_info(arguments.texts[0], json);
    free_list(&arguments);
    return code;
}

static const Command info_command = {
    .name = "detail info",
    .arguments = "FILE",
    .summary = "Say what a file of learned detail is of.",
    .details = "Exits 2 where it is none, or damaged.",
    .run = run_info,
};

// ---------------------------------------------------------------------------------------------

static const Command* const actions[] = {&detail_train_command, &detail_apply_command,
                                         &info_command};
enum { ACTION_COUNT = sizeof actions / sizeof actions[0] };

// The word behind "detail".
static const char* word_of(const Command* action) { return strchr(action->name, ' ') + 1; }

static void print_actions(const Command* command) {
    printf("weft %s %s\n\n%s\n\n", command->name, command->arguments, command->summary);
    for (int i = 0; i < ACTION_COUNT; i++) {
        char left[60];
        snprintf(left, sizeof left, "%s %s", actions[i]->name, actions[i]->arguments);
        printf("  weft %-28s %s\n", left, actions[i]->summary);
    }
    puts("\nEach has --help.");
}

static int run_detail(const Command* command, int argc, char** argv) {
    const char *word = argc > 0 ? argv[0] : "", *words[ACTION_COUNT];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_actions(command);
        return EXIT_GOOD;
    }
    for (int i = 0; i < ACTION_COUNT; i++) {
        words[i] = word_of(actions[i]);
        if (strcmp(word, words[i]) == 0) return actions[i]->run(actions[i], argc - 1, argv + 1);
    }
    return complain(EXIT_USAGE, "detail does not know \"%s\"%s; see `weft detail --help`", word,
                    guess(word, "", words, ACTION_COUNT));
}

const Command detail_command = {
    .name = "detail",
    .arguments = "ACTION ...",
    .summary = "Learn fine wrinkles of coarse cloth, and show them.",
    .run = run_detail,
};
