// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards files and folders as all of io/ sees them: names in paths, lists of folders, files that
// replace others.

#include "file_test.h"

#include "io/file.h"

static void names_are_behind_the_last_slash(void) {
    CHECK(strcmp(wf_file_name("a/b.json"), "b.json") == 0);
    CHECK(strcmp(wf_file_name("b.json"), "b.json") == 0);
    CHECK(strcmp(wf_file_name("/b"), "b") == 0);
    CHECK(strcmp(wf_file_name("a/"), "") == 0);
    CHECK(strcmp(wf_file_name(""), "") == 0);
    CHECK(wf_is_absolute("/a") && !wf_is_absolute("a/b") && !wf_is_absolute(""));
}

typedef struct Seen {
    int asked, most, ours;
} Seen;

static bool see(void* context, const char* name) {
    Seen* seen = context;
    seen->asked++;
    if (name[0] != '.') seen->ours++;
    return seen->asked < seen->most;
}

static void folders_are_listed_until_enough(void) {
    save_file(test_path("one"), "1", 1);
    save_file(test_path("two"), "2", 1);
    Seen all = {.most = 100}, first = {.most = 1};
    CHECK(wf_list_folder(test_folder, see, &all));
    CHECK(all.ours == 2);
    CHECK(wf_list_folder(test_folder, see, &first));
    CHECK(first.asked == 1);
    CHECK(wf_is_folder(test_folder) && !wf_is_folder(test_path("one")));
    CHECK(!wf_list_folder(test_path("none"), see, &all) && !wf_is_folder(test_path("none")));
    wf_remove_file(test_path("one"));
    wf_remove_file(test_path("two"));
    CHECK(count_files() == 0);
}

static void a_file_replaces_another(void) {
    save_file(test_path("new"), "new", 3);
    save_file(test_path("old"), "old", 3);
    CHECK(wf_replace_file(test_path("new"), test_path("old")));
    CHECK(!file_exists(test_path("new")));
    char text[4] = "";
    FILE* file = wf_open_file(test_path("old"), "rb");
    CHECK(file && fread(text, 1, 3, file) == 3 && strcmp(text, "new") == 0);
    if (file) fclose(file);
    CHECK(!wf_replace_file(test_path("new"), test_path("old")));
    CHECK(file_exists(test_path("old")));
    wf_remove_file(test_path("old"));
    CHECK(!wf_open_file(test_path("old"), "rb"));
}

TEST_MAIN(CASE(names_are_behind_the_last_slash), CASE(folders_are_listed_until_enough),
          CASE(a_file_replaces_another))
