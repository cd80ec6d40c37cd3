// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// "Did you mean ...?"

#include <string.h>

#include "weft/weft_io.h"

enum { WORD_SIZE = 64 };  // longer words are not compared

static int least(int a, int b) { return a < b ? a : b; }

// Letters to insert, remove or change to get from a to b: one row of the usual table at a time.
static int edit_distance(const char* a, const char* b) {
    int row[WORD_SIZE], length = (int)strlen(b);
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(change, 1 + least(row[j], row[j - 1]));
        }
    }
    return row[length];
}

const char* weft_nearest_word(const char* word, const char* const* words, int count) {
    const char* nearest = NULL;
    if (strlen(word) >= WORD_SIZE) return NULL;
    // more than a third of the letters and one wrong is another word, not a slip
    int best = (int)strlen(word) / 3 + 2;
    for (int i = 0; i < count; i++) {
        if (strlen(words[i]) >= WORD_SIZE) continue;
        int distance = edit_distance(word, words[i]);
        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
    }
    return nearest;
}
