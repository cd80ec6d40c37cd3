// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Scenes, choices and steps as text and numbers, for a host that knows no structs.

#ifndef WEFT_WEB_DESCRIBE_H
#define WEFT_WEB_DESCRIBE_H

#include "shown.h"
#include "weft/weft_io.h"

// A text that grows; free `characters`.
typedef struct Text {
    char* characters;
    size_t length, capacity;
    bool failed;  // for lack of memory
} Text;

// Both overwrite the text; false for lack of memory.
bool describe_scene(const WeftScene* scene, const Shown* shown, Text* text);
bool describe_choices(Text* text);

enum { PLAY_NUMBER_COUNT = 36 };
// detail: seconds that it took to work out what is shown.
void list_numbers(double time, const WeftStepReport* report, const WeftMeasure* measure,
                  double detail, double numbers[PLAY_NUMBER_COUNT]);

#endif
