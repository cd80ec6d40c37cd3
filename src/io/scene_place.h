// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Where a JSON value stands in its file.

#ifndef WF_IO_SCENE_PLACE_H
#define WF_IO_SCENE_PLACE_H

#include <jansson.h>
#include <stdbool.h>

// A value and the way to it from the top of the file. Nodes live on the stack of the readers.
typedef struct WfSceneNode {
    const struct WfSceneNode* parent;  // NULL: the top of the file
    const json_t* value;               // NULL: not there
    const char* key;                   // of a member of an object
    size_t index;                      // of an item of an array
} WfSceneNode;

WfSceneNode wf_scene_member(const WfSceneNode* parent, const char* key);
WfSceneNode wf_scene_item(const WfSceneNode* parent, size_t index);

// Both from 1; columns count characters, as editors do.
typedef struct WfScenePlace {
    int line, column;
} WfScenePlace;

// The place of the node's value in `text`, which must be the valid JSON the node came from.
WfScenePlace wf_scene_place(const char* text, const WfSceneNode* node);
// The place of its key.
WfScenePlace wf_scene_key_place(const char* text, const WfSceneNode* node);

#endif
