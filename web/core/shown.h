// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What the page draws of a scene: its cloths by their details, and which vertices of the model
// those are that the user sees and touches.

#ifndef WEFT_WEB_SHOWN_H
#define WEFT_WEB_SHOWN_H

#include "weft/weft_io.h"

typedef struct Shown {
    WeftShow* show;
    WeftScene* instead;  // where details do not fit: the scene with others; else NULL
    char note[600];      // what the user is to know of it; empty: all fit
    int model_count, vertex_count, triangle_count, line_count;
    int* vertices;  // per shown vertex: the nearest of the model
    int* marks;     // per vertex of the model: the shown one that is nearest to it; -1: none
    float *positions, *normals, *field, *texture;
    float* corner_texture;  // of scenes with garments, else NULL
    unsigned char* looks;   // per triangle: which of the scene's,
    unsigned char* panels;  // and on which panel of its garment it lies
    float* values;          // of the field, per vertex of the model
    unsigned char* pinned;
    int* lines;
    double seconds;  // that the last frame took
} Shown;

// For a scene that is dressed, and its model; both must outlive it. A detail that cannot be had, or
// does not fit, is no failure: the cloth is shown without it, and `note` says why.
bool make_shown(const WeftScene* scene, const WeftModel* model, Shown* shown, WeftError* error);
// After a step that split vertices of the state: there are more of them, and they are shown without
// details from then on. False: memory is short, and nothing can be drawn.
bool update_shown(const WeftScene* scene, const WeftModel* model, const WeftState* state,
                  Shown* shown, WeftError* error);
void free_shown(Shown* shown);
// Whether what is made for one scene is what would be made for another, with the same model.
bool same_shown(const WeftScene* a, const WeftScene* b);
// Bring all that changes up to date; field: a WeftField, or -1.
bool draw_shown(Shown* shown, const WeftState* state, int field);
// Where a shown vertex is now, and the nearest vertex of the model; -1: there is no such vertex.
int find_shown(Shown* shown, const WeftState* state, int vertex, double place[3]);

#endif
