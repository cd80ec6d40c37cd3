// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// One reading of a pattern file, and its parts, each read by the file of its name.

#ifndef WF_IO_PATTERN_READ_H
#define WF_IO_PATTERN_READ_H

#include "base/names.h"
#include "garment/pattern.h"
#include "io/pattern/formula.h"
#include "io/scene_keys.h"

typedef struct WfPatternReader {
    WfSceneReader keys;  // first, so that readers of keys get at the rest
    WeftScene scene;     // empty: its allocator is that of the pattern
    WeftPattern* pattern;
    WeftFindings* findings;
    const WeftMeasures* body;  // or NULL
    WfMeasureList measures;    // those of the file, with their values
    int* mirrors;              // per panel of our own form: which one mirrors it, or it does; or -1
    bool mirrored;             // it is half a pattern: all panels and seams have images
    WfName* names;             // of panels, in order
    bool* guessed;             // per panel of GarmentCode: its direction is a guess
} WfPatternReader;

static inline WfPatternReader* wf_pattern_reader(WfSceneReader* reader) {
    return (WfPatternReader*)(void*)reader;
}

// A text of less than WEFT_NAME_SIZE bytes.
WeftResult wf_pattern_text(WfSceneReader* reader, const WfSceneNode* node,
                           char text[WEFT_NAME_SIZE]);

// own.c, own_panel.c, own_seam.c
WeftResult wf_read_own_pattern(WfPatternReader* reader, const WfSceneNode* top);
void wf_free_own_reader(WfPatternReader* reader);
extern const WfSceneTable wf_pattern_panel_table, wf_pattern_side_table, wf_pattern_place_table,
    wf_pattern_seam_table, wf_pattern_hold_table;
WeftResult wf_read_panels(WfSceneReader* reader, const WfSceneNode* node, void* pattern);
WeftResult wf_read_seams(WfSceneReader* reader, const WfSceneNode* node, void* pattern);
WeftResult wf_read_holds(WfSceneReader* reader, const WfSceneNode* node, void* pattern);
// All tables of our own form, for the test of the documentation; NULL past the end.
const WfSceneTable* wf_pattern_table(int index);

// garmentcode.c
WeftResult wf_read_garmentcode(WfPatternReader* reader, const WfSceneNode* top);
// Once it is repaired: which ends seams join, by the convention of these files.
void wf_direct_garmentcode(const WfPatternReader* reader);

#endif
