// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Files and folders, in the words of every system: all of io/ that is not ISO C, but for children
// (figure/rehearse.c). Paths are UTF-8 with slashes; on Windows backslashes are slashes too.

#ifndef WF_IO_FILE_H
#define WF_IO_FILE_H

#include <stdbool.h>
#include <stdio.h>

// As fopen.
FILE* wf_open_file(const char* path, const char* mode);
void wf_remove_file(const char* path);
// Call a complete file by the name of another, which it replaces. False: errno says why not.
bool wf_replace_file(const char* from, const char* to);

// What stands behind the last slash.
const char* wf_file_name(const char* path);
// Between folders of a list.
#ifdef _WIN32
#define WF_FOLDER_SEPARATOR ";"
#else
#define WF_FOLDER_SEPARATOR ":"
#endif
// Whether it starts at the root.
bool wf_is_absolute(const char* path);

bool wf_is_folder(const char* path);
// Every name in a folder, "." and ".." among them, in no order, until one is answered by false.
// False where the folder cannot be listed, as in a page.
typedef bool WfListed(void* context, const char* name);
bool wf_list_folder(const char* path, WfListed* listed, void* context);

#endif
