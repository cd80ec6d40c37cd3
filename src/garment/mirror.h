// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Patterns that are their own mirror image about x = 0. Every panel has an image, at u -> -u in its
// plane and at x -> -x in space. What ran counter-clockwise would then run clockwise, and the front
// would be inside; so its sides run the other way: side i of n is the image of side n - 1 - i.
//
//     +---2---+            +---1---+
//     3       1   becomes  2       0
//     +---0---+            +---3---+

#ifndef WF_GARMENT_MIRROR_H
#define WF_GARMENT_MIRROR_H

#include "base/vec.h"
#include "weft/weft_garment.h"

// mirror_images.c

// "left" for "right" and the reverse, as far as there is room.
void wf_swap_hands(char text[WEFT_NAME_SIZE]);
// The image of a side that begins at `start`, from its end to its start.
WeftSide wf_mirror_side(const WeftSide* side, const double start[2]);
// All but the name: `to` is from `allocator`, and to be freed also after a failure.
WeftResult wf_mirror_panel(const WeftAllocator* allocator, const WeftPanel* from, WeftPanel* to);
// NAME.mirror; of a long name what there is room for, and NAME.mirror2 or the like where one of its
// panels has that.
void wf_name_image(const WeftPattern* pattern, const char* name, char image[WEFT_NAME_SIZE]);

// Whether its panels have images: all, or none.
static inline bool wf_is_mirrored(const WeftPattern* pattern) {
    return pattern->panel_count > 0 && pattern->panels[0].image > 0;
}
static inline int wf_panel_image(const WeftPattern* pattern, int panel) {
    return pattern->panels[panel].image - 1;
}
// Of a panel and its image, the second one.
static inline bool wf_panel_follows(const WeftPattern* pattern, int panel) {
    return wf_is_mirrored(pattern) && wf_panel_image(pattern, panel) < panel;
}
WeftSideName wf_side_image(const WeftPattern* pattern, WeftSideName name);

// Whether one seam is between the images of the other's sides; of a seam with itself, whether one
// chain is the image of the other.
bool wf_are_image_seams(const WeftPattern* pattern, const WeftSeam* a, const WeftSeam* b);
// Per seam of a mirrored pattern, that between the images of its sides, both chains in the same
// order; itself where one chain is the image of the other. Refuses panels and seams without an
// image.
WeftResult wf_find_image_seams(const WeftPattern* pattern, int* images, WeftError* error);
// Add the seams between sides on the fold and their images. Fails only for lack of memory.
WeftResult wf_sew_folds(WeftPattern* pattern, WeftError* error);
// When a mirrored pattern has been repaired: make images anew from what they are images of, so that
// they are so to the last bit. Refuses panels and seams whose images are none any more.
WeftResult wf_check_mirrored(WeftPattern* pattern, WeftError* error);
// Of a label that says left or right both are held. Fails only for lack of memory.
WeftResult wf_mirror_holds(WeftPattern* pattern, WeftError* error);

// mirror_find.c

// A closed line of a panel, and the one that is its mirror image.
typedef struct WfMirrorLoop {
    int panel;
    int side_count;
    double x;          // m, mean, in space
    WfVec* points;     // WF_MIRROR_PARTS per side, in space
    int partner;       // of all loops; -1: none
    int offset;        // side i is the image of side offset - i of the partner, modulo side_count
    double deviation;  // m, of these
    int side;          // where
} WfMirrorLoop;

enum { WF_MIRROR_PARTS = 4 };

typedef struct WfMirrorPairs {
    int loop_count;
    WfMirrorLoop* loops;  // of panel p from first[p] on: its outline, then its holes
    int* first;           // per panel, and one more
    int* partner;         // per panel: its image, which may be itself; -1: none
} WfMirrorPairs;

// Which panels are images of each other, and how far they are from it.
WeftResult wf_find_mirror_pairs(const WeftAllocator* allocator, const WeftPattern* pattern,
                                WfMirrorPairs* pairs, WeftError* error);
void wf_destroy_mirror_pairs(const WeftAllocator* allocator, WfMirrorPairs* pairs);

#endif
