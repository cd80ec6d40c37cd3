// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "garment/mirror.h"
#include "garment/pattern.h"

// ---------------------------------------------------------------------------------------------
// Words

void wf_swap_hands(char text[WEFT_NAME_SIZE]) {
    char swapped[WEFT_NAME_SIZE] = "";
    size_t used = 0;
    for (const char* p = text; *p;) {
        const char* word = strncmp(p, "left", 4) == 0    ? "right"
                           : strncmp(p, "right", 5) == 0 ? "left"
                                                         : NULL;
        char one[2] = {*p, 0};
        const char* add = word ? word : one;
        if (used + strlen(add) >= WEFT_NAME_SIZE) break;
        strcpy(swapped + used, add);
        used += strlen(add);
        p += word ? (*p == 'l' ? 4 : 5) : 1;
    }
    memcpy(text, swapped, WEFT_NAME_SIZE);
}

static bool has_panel(const WeftPattern* pattern, const char* name) {
    for (int p = 0; p < pattern->panel_count; p++)
        if (strcmp(pattern->panels[p].name, name) == 0) return true;
    return false;
}

void wf_name_image(const WeftPattern* pattern, const char* name, char image[WEFT_NAME_SIZE]) {
    char made[WEFT_NAME_SIZE], tail[24] = ".mirror";
    for (int n = 2; n < pattern->panel_count + 3; n++) {
        int length = (int)strlen(name), room = WEFT_NAME_SIZE - 1 - (int)strlen(tail);
        bool whole = length <= room;
        if (!whole) length = room;
        while (!whole && length > 0 && (name[length] & 0xC0) == 0x80) length--;  // of UTF-8
        snprintf(made, sizeof made, "%.*s%s", length, name, tail);
        if (whole || !has_panel(pattern, made)) break;
        snprintf(tail, sizeof tail, ".mirror%d", n);
    }
    memcpy(image, made, sizeof made);
}

// ---------------------------------------------------------------------------------------------
// Panels

static double negative(double x) { return x == 0 ? 0 : -x; }

WeftSide wf_mirror_side(const WeftSide* side, const double start[2]) {
    int count = side->control_count;
    WeftSide image = {.end = {negative(start[0]), start[1]}, .control_count = count};
    for (int i = 0; i < count; i++) {
        image.control[i][0] = negative(side->control[count - 1 - i][0]);
        image.control[i][1] = side->control[count - 1 - i][1];
    }
    image.bulge = side->bulge;  // mirrored, and the other way round
    return image;
}

// The lines of `to` have as many sides as those of `from`.
static void mirror_curves(const WeftPanel* from, WeftPanel* to) {
    int count = from->side_count;
    for (int s = 0; s < count; s++)
        to->sides[count - 1 - s].curve =
            wf_mirror_side(&from->sides[s].curve, wf_side_start(from, s));
    for (int h = 0; h < from->hole_count; h++) {
        const WeftLoop* loop = &from->holes[h];
        WeftSide* sides = (WeftSide*)to->holes[h].sides;  // its own
        for (int s = 0; s < loop->side_count; s++)
            sides[loop->side_count - 1 - s] = wf_mirror_side(
                &loop->sides[s], loop->sides[s > 0 ? s - 1 : loop->side_count - 1].end);
    }
}

// With S the mirror and R the rotation, S R S is a rotation about the mirrored axis by the opposite
// angle.
static WeftPanelPlace mirror_place(WeftPanelPlace place) {
    place.position[0] = negative(place.position[0]);
    place.rotation[1] = negative(place.rotation[1]);
    place.rotation[2] = negative(place.rotation[2]);
    return place;
}

WeftResult wf_mirror_panel(const WeftAllocator* allocator, const WeftPanel* from, WeftPanel* to) {
    int count = from->side_count;
    char name[WEFT_NAME_SIZE];
    memcpy(name, to->name, sizeof name);
    *to = *from;
    memcpy(to->name, name, sizeof name);
    to->hole_count = 0;
    to->sides = wf_alloc(allocator, (size_t)count, sizeof *to->sides);
    to->holes = wf_alloc(allocator, (size_t)from->hole_count, sizeof *to->holes);
    if (!to->sides || !to->holes) return WEFT_ERROR_MEMORY;
    for (int h = 0; h < from->hole_count; h++) {
        int sides = from->holes[h].side_count;
        to->holes[h] = (WeftLoop){sides, wf_alloc(allocator, (size_t)sides, sizeof(WeftSide))};
        to->hole_count++;
        if (!to->holes[h].sides) return WEFT_ERROR_MEMORY;
    }
    for (int s = 0; s < count; s++) {
        to->sides[count - 1 - s] = from->sides[s];
        wf_swap_hands(to->sides[count - 1 - s].label);
    }
    mirror_curves(from, to);
    wf_swap_hands(to->label);
    to->place = mirror_place(from->place);
    to->grain = negative(from->grain);
    return WEFT_OK;
}

static bool have_same_sides(const WeftPanel* a, const WeftPanel* b) {
    bool same = a->side_count == b->side_count && a->hole_count == b->hole_count;
    for (int h = 0; h < a->hole_count && same; h++)
        same = a->holes[h].side_count == b->holes[h].side_count;
    return same;
}

static bool is_clockwise(const WeftPanel* panel) {
    return wf_loop_area(&panel->sides->curve, sizeof *panel->sides, panel->side_count) < 0;
}

static WeftResult check_pairs(const WeftPattern* pattern, WeftError* error) {
    for (int p = 0; p < pattern->panel_count; p++) {
        int image = wf_panel_image(pattern, p);
        const WeftPanel* panel = &pattern->panels[p];
        if (image < 0 || image >= pattern->panel_count || image == p ||
            pattern->panels[image].image != p + 1)
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "panel \"%s\" has no mirror image, as others have", panel->name);
        const WeftPanel* other = &pattern->panels[image];
        if (!have_same_sides(panel, other) || is_clockwise(panel) != is_clockwise(other))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "panel \"%s\" is no mirror image of panel \"%s\" any more", other->name,
                           panel->name);
    }
    return WEFT_OK;
}

static void renew_images(WeftPattern* pattern) {
    for (int p = 0; p < pattern->panel_count; p++) {
        const WeftPanel* panel = &pattern->panels[p];
        WeftPanel* image = &pattern->panels[wf_panel_image(pattern, p)];
        if (wf_panel_follows(pattern, p)) continue;
        mirror_curves(panel, image);
        image->place = mirror_place(panel->place);
        image->grain = negative(panel->grain);
    }
}

// ---------------------------------------------------------------------------------------------
// Seams

WeftSideName wf_side_image(const WeftPattern* pattern, WeftSideName name) {
    int image = wf_panel_image(pattern, name.panel);
    return (WeftSideName){image, pattern->panels[image].side_count - 1 - name.side};
}

// Whether chain l of a seam is the image of chain k of another: the same sides the other way round.
static bool are_images(const WeftPattern* pattern, const WeftSeam* a, int k, const WeftSeam* b,
                       int l) {
    int count = a->count[k];
    if (count != b->count[l]) return false;
    for (int i = 0; i < count; i++) {
        WeftSideName image = wf_side_image(pattern, a->chain[k][i]);
        WeftSideName other = b->chain[l][count - 1 - i];
        if (image.panel != other.panel || image.side != other.side) return false;
    }
    return true;
}

bool wf_are_image_seams(const WeftPattern* pattern, const WeftSeam* a, const WeftSeam* b) {
    int other = a == b ? 1 : 0;
    return a->ends == b->ends && a->fold == b->fold && a->right_wrong == b->right_wrong &&
           are_images(pattern, a, 0, b, other) && are_images(pattern, a, 1, b, 1 - other);
}

static WeftResult fail_seam(const WeftPattern* pattern, const WeftSeam* seam, WeftError* error) {
    char text[WF_SEAM_TEXT];
    wf_seam_text(pattern, seam, text);
    return wf_fail(error, WEFT_ERROR_INPUT, "the seam of %s has no mirror image", text);
}

WeftResult wf_find_image_seams(const WeftPattern* pattern, int* images, WeftError* error) {
    WeftAllocator memory = wf_allocator(&pattern->allocator);
    int sides = 0;
    if (check_pairs(pattern, error)) return WEFT_ERROR_INPUT;
    int* first = wf_alloc(&memory, (size_t)pattern->panel_count, sizeof *first);
    for (int p = 0; p < pattern->panel_count; p++) {
        if (first) first[p] = sides;
        sides += pattern->panels[p].side_count;
    }
    int* seam_of = wf_alloc(&memory, (size_t)sides, sizeof *seam_of);  // and 1; 0: none
    WeftResult result = first && seam_of ? WEFT_OK : wf_fail_memory(error);
    for (int s = 0; s < pattern->seam_count && !result; s++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < pattern->seams[s].count[k]; i++) {
                WeftSideName name = pattern->seams[s].chain[k][i];
                seam_of[first[name.panel] + name.side] = s + 1;
            }
    for (int s = 0; s < pattern->seam_count && !result; s++) {
        const WeftSeam* seam = &pattern->seams[s];
        WeftSideName image = wf_side_image(pattern, seam->chain[0][0]);
        images[s] = seam_of[first[image.panel] + image.side] - 1;
        if (images[s] < 0 || !wf_are_image_seams(pattern, seam, &pattern->seams[images[s]]))
            result = fail_seam(pattern, seam, error);
    }
    wf_free(&memory, first);
    wf_free(&memory, seam_of);
    return result;
}

static int count_folds(const WeftPattern* pattern) {
    int count = 0;
    for (int p = 0; p < pattern->panel_count; p++)
        for (int s = 0; s < pattern->panels[p].side_count; s++)
            count += !wf_panel_follows(pattern, p) && pattern->panels[p].sides[s].on_fold;
    return count;
}

static bool sew_fold(const WeftAllocator* memory, WeftSideName side, WeftSideName image,
                     WeftSeam* seam) {
    *seam = (WeftSeam){.count = {1, 1}, .ends = WEFT_SEAM_OPPOSITE};
    for (int k = 0; k < 2; k++) {
        seam->chain[k] = wf_alloc(memory, 1, sizeof *seam->chain[k]);
        if (!seam->chain[k]) return false;
        *seam->chain[k] = k == 0 ? side : image;
    }
    return true;
}

WeftResult wf_sew_folds(WeftPattern* pattern, WeftError* error) {
    WeftAllocator memory = wf_allocator(&pattern->allocator);
    size_t count = (size_t)pattern->seam_count, folds = (size_t)count_folds(pattern);
    WeftSeam* seams = wf_alloc(&memory, count + folds, sizeof *seams);
    if (!seams) return wf_fail_memory(error);
    if (count > 0) memcpy(seams, pattern->seams, count * sizeof *seams);
    wf_free(&memory, pattern->seams);
    pattern->seams = seams;
    for (int p = 0; p < pattern->panel_count; p++)
        for (int s = 0; s < pattern->panels[p].side_count; s++) {
            WeftSideName side = {p, s};
            if (wf_panel_follows(pattern, p) || !pattern->panels[p].sides[s].on_fold) continue;
            if (!sew_fold(&memory, side, wf_side_image(pattern, side),
                          &seams[pattern->seam_count++]))
                return wf_fail_memory(error);
        }
    return WEFT_OK;
}

WeftResult wf_check_mirrored(WeftPattern* pattern, WeftError* error) {
    WeftAllocator memory = wf_allocator(&pattern->allocator);
    WeftResult result = check_pairs(pattern, error);
    if (result) return result;
    renew_images(pattern);
    int* images = wf_alloc(&memory, (size_t)pattern->seam_count, sizeof *images);
    result = images ? wf_find_image_seams(pattern, images, error) : wf_fail_memory(error);
    wf_free(&memory, images);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Holds

static bool has_hold(const WeftPattern* pattern, const char* label, WeftHoldKind kind) {
    for (int i = 0; i < pattern->hold_count; i++)
        if (pattern->holds[i].kind == kind && strcmp(pattern->holds[i].label, label) == 0)
            return true;
    return false;
}

WeftResult wf_mirror_holds(WeftPattern* pattern, WeftError* error) {
    WeftAllocator memory = wf_allocator(&pattern->allocator);
    int count = pattern->hold_count;
    if (count == 0) return WEFT_OK;
    WeftHold* holds = wf_alloc(&memory, 2 * (size_t)count, sizeof *holds);
    if (!holds) return wf_fail_memory(error);
    memcpy(holds, pattern->holds, (size_t)count * sizeof *holds);
    wf_free(&memory, pattern->holds);
    pattern->holds = holds;
    for (int i = 0; i < count; i++) {
        WeftHold image = holds[i];
        wf_swap_hands(image.label);
        if (!has_hold(pattern, image.label, image.kind)) holds[pattern->hold_count++] = image;
    }
    return WEFT_OK;
}
