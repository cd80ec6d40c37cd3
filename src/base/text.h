// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Texts from files that end up in messages. Control characters would let them write over what a
// terminal shows: those before the space, DEL, and U+0080 to U+009F.

#ifndef WF_BASE_TEXT_H
#define WF_BASE_TEXT_H

#include <stdbool.h>

// How many bytes the control character at `text` has; 0: it is none.
static inline int wf_control_bytes(const char* text) {
    unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    if (first == 0xC2 && second >= 0x80 && second < 0xA0) return 2;
    return first != 0 && (first < 0x20 || first == 0x7F);
}

// Without any; `lines`: but for ends of lines and tabs.
static inline bool wf_is_plain(const char* text, bool lines) {
    for (; *text; text++)
        if (wf_control_bytes(text) && !(lines && (*text == '\n' || *text == '\t'))) return false;
    return true;
}

// A question mark for every byte of them.
static inline void wf_make_plain(char* text) {
    for (int left = 0; *text; text++) {
        if (left == 0) left = wf_control_bytes(text);
        if (left > 0) *text = '?', left--;
    }
}

#endif
