// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What `weft view` shows, by address: the files of the page's folder, and beside them, under
// /open/, those that it was called with and those that they name.
//
//     /                   index.html of the folder
//     /open/list.json     {"files":[{"name":"demo.json","url":"open/0/demo.json"}]}
//     /open/0/demo.json   the first file it was called with, wherever that lies
//     /open/1/demo.obj    one that it names, as "meshes/demo.obj" perhaps; so the list calls it

#ifndef WEFT_CLI_SITE_H
#define WEFT_CLI_SITE_H

#include "options.h"
#include "place.h"
#include "scene_files.h"

typedef struct Site {
    char folder[PATH_SIZE];  // from the root, without links
    const NamedFiles* opened;
} Site;

// In the folder named, or where `named` is NULL in the one that belongs to this program. Returns
// GO_ON, or an exit code after telling what is wrong. Keeps `opened`.
int find_site(Site* site, const char* named, const NamedFiles* opened);
// The file at an address (decoded); false where none may be read. It may still be missing.
bool find_address(const Site* site, const char* address, char path[PATH_SIZE]);
// /open/list.json, to be freed; NULL without memory.
char* make_list(const Site* site);
const char* content_type(const char* path);

#endif
