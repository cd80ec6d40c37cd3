// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns as our own JSON, written so that they read back to the last bit. Of a mirrored pattern,
// whose other half is made anew by its reader, one half is written.

#include "base/error.h"
#include "base/memory.h"
#include "garment/mirror.h"
#include "io/output.h"
#include "weft/weft_io.h"

static void add_text(WfOutput* out, const char* before, const char* key, const char* words) {
    if (!words[0]) return;
    wf_out(out, before);
    wf_out_quoted(out, key);
    wf_out(out, ": ");
    wf_out_quoted(out, words);
}

// A straight side without words is its end alone.
static void add_side(WfOutput* out, const WeftSide* side, const char* label, const char* name,
                     bool on_fold) {
    if (side->control_count == 0 && side->bulge == 0 && !label[0] && !name[0] && !on_fold) {
        wf_out_list(out, side->end, 2);
        return;
    }
    wf_out(out, "{\"to\": ");
    wf_out_list(out, side->end, 2);
    for (int i = 0; i < side->control_count; i++) {
        wf_out(out, i == 0 ? ", \"control\": [" : ", ");
        wf_out_list(out, side->control[i], 2);
    }
    if (side->control_count > 0) wf_out(out, "]");
    if (side->control_count == 0 && side->bulge != 0) {
        wf_out(out, ", \"bulge\": ");
        wf_out_number(out, side->bulge);
    }
    add_text(out, ", ", "label", label);
    add_text(out, ", ", "name", name);
    if (on_fold) wf_out(out, ", \"on_fold\": true");
    wf_out(out, "}");
}

static void add_holes(WfOutput* out, const WeftPanel* panel) {
    if (panel->hole_count == 0) return;
    wf_out(out, ",\n     \"holes\": [");
    for (int h = 0; h < panel->hole_count; h++) {
        wf_out(out, h > 0 ? ",\n       [" : "\n       [");
        for (int s = 0; s < panel->holes[h].side_count; s++) {
            if (s > 0) wf_out(out, ", ");
            add_side(out, &panel->holes[h].sides[s], "", "", false);
        }
        wf_out(out, "]");
    }
    wf_out(out, "]");
}

static void add_place(WfOutput* out, const WeftPanelPlace* place) {
    if (!place->given) return;
    wf_out(out, ",\n     \"place\": {\"move\": ");
    wf_out_list(out, place->position, 3);
    wf_out(out, ", \"rotation\": ");
    wf_out_list(out, place->rotation, 4);
    if (place->curl != 0) {
        wf_out(out, ", \"curl\": ");
        wf_out_number(out, place->curl);
    }
    wf_out(out, "}");
}

static void add_panel(WfOutput* out, const WeftPattern* pattern, const WeftPanel* panel) {
    bool mirrored = wf_is_mirrored(pattern);
    add_text(out, "{", "name", panel->name);
    add_text(out, ", ", "label", panel->label);
    wf_out(out, ",\n     \"sides\": [");
    for (int s = 0; s < panel->side_count; s++) {
        wf_out(out, s > 0 ? ",\n       " : "\n       ");
        add_side(out, &panel->sides[s].curve, panel->sides[s].label, panel->sides[s].name,
                 mirrored && panel->sides[s].on_fold);
    }
    wf_out(out, "]");
    add_holes(out, panel);
    add_place(out, &panel->place);
    add_text(out, ",\n     ", "fabric", panel->fabric);
    if (panel->grain != 0) {
        wf_out(out, ",\n     \"grain\": ");
        wf_out_number(out, panel->grain);
    }
    if (mirrored) add_text(out, ",\n     ", "mirror", pattern->panels[panel->image - 1].name);
    wf_out(out, "}");
}

static void add_side_name(WfOutput* out, const WeftPattern* pattern, WeftSideName name) {
    wf_out(out, "[");
    wf_out_quoted(out, pattern->panels[name.panel].name);
    wf_out(out, ", ");
    wf_out_number(out, name.side);
    wf_out(out, "]");
}

static void add_chain(WfOutput* out, const WeftPattern* pattern, const WeftSeam* seam, int k) {
    if (seam->count[k] != 1) wf_out(out, "[");
    for (int i = 0; i < seam->count[k]; i++) {
        if (i > 0) wf_out(out, ", ");
        add_side_name(out, pattern, seam->chain[k][i]);
    }
    if (seam->count[k] != 1) wf_out(out, "]");
}

static void add_seam(WfOutput* out, const WeftPattern* pattern, const WeftSeam* seam) {
    wf_out(out, "{\"a\": ");
    add_chain(out, pattern, seam, 0);
    wf_out(out, ", \"b\": ");
    add_chain(out, pattern, seam, 1);
    if (seam->ends == WEFT_SEAM_OPPOSITE) wf_out(out, ", \"ends\": \"opposite\"");
    if (seam->ends == WEFT_SEAM_SAME) wf_out(out, ", \"ends\": \"same\"");
    if (seam->right_wrong) wf_out(out, ", \"right_wrong\": true");
    if (seam->fold) wf_out(out, ", \"fold\": true");
    wf_out(out, "}");
}

static void add_hold(WfOutput* out, const WeftHold* hold) {
    static const char* const kinds[] = {"dressing", "always", "band"};
    wf_out(out, "{\"label\": ");
    wf_out_quoted(out, hold->label);
    add_text(out, ", ", "kind", kinds[hold->kind]);
    wf_out(out, ", \"ratio\": ");
    wf_out_number(out, hold->ratio);
    wf_out(out, ", \"stretch\": ");
    wf_out_number(out, hold->stretch);
    wf_out(out, "}");
}

// What the reader of a half makes itself: images, seams between them, and seams along folds.
static bool is_made_seam(const WeftPattern* pattern, int seam) {
    const WeftSeam* own = &pattern->seams[seam];
    WeftSideName name = own->chain[0][0];
    if (!wf_is_mirrored(pattern)) return false;
    if (pattern->panels[name.panel].sides[name.side].on_fold) return true;
    for (int i = 0; i < seam; i++)
        if (wf_are_image_seams(pattern, &pattern->seams[i], own)) return true;
    return false;
}

static void add_seams(WfOutput* out, const WeftPattern* pattern) {
    int count = 0;
    for (int i = 0; i < pattern->seam_count; i++) {
        if (is_made_seam(pattern, i)) continue;
        wf_out(out, count++ > 0 ? ",\n    " : ",\n  \"seams\": [\n    ");
        add_seam(out, pattern, &pattern->seams[i]);
    }
    if (count > 0) wf_out(out, "\n  ]");
}

size_t weft_print_pattern(const WeftPattern* pattern, char* text, size_t size) {
    WfOutput out = {text, size, 0};
    wf_out(&out, "{\n  \"weft_pattern\": 1");
    add_text(&out, ",\n  ", "name", pattern->name);
    add_text(&out, ",\n  ", "fabric", pattern->fabric);
    if (wf_is_mirrored(pattern)) wf_out(&out, ",\n  \"mirror\": true");
    wf_out(&out, ",\n  \"panels\": [");
    for (int i = 0; i < pattern->panel_count; i++) {
        if (wf_panel_follows(pattern, i)) continue;
        wf_out(&out, i > 0 ? ",\n    " : "\n    ");
        add_panel(&out, pattern, &pattern->panels[i]);
    }
    wf_out(&out, "\n  ]");
    add_seams(&out, pattern);
    for (int i = 0; i < pattern->hold_count; i++) {
        wf_out(&out, i > 0 ? ",\n    " : ",\n  \"holds\": [\n    ");
        add_hold(&out, &pattern->holds[i]);
    }
    if (pattern->hold_count > 0) wf_out(&out, "\n  ]");
    wf_out(&out, "\n}\n");
    return wf_out_end(&out);
}

WeftResult weft_save_pattern(const char* path, const WeftPattern* pattern, WeftError* error) {
    WeftAllocator memory = wf_allocator(&pattern->allocator);
    size_t length = weft_print_pattern(pattern, NULL, 0);
    char* text = wf_alloc(&memory, length + 1, 1);
    if (!text) return wf_fail_memory(error);
    weft_print_pattern(pattern, text, length + 1);
    WeftResult result = wf_write_file(path, text, length, error);
    wf_free(&memory, text);
    return result;
}
