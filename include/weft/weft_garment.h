// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft, garments: patterns, bodies that wear them, and dressing. No file access: weft_io.h reads
// and writes patterns and bodies.
//
//     pattern   panels with curved sides, and seams between sides
//     garment   its panels as triangles, sewn: one mesh, with one vertex on both sides of a seam
//     figure    a body: a mesh, with bones, a skin and clips where it has them
//     dressing  from garments and a figure to where the cloth lies on it
//
// A figure stands upright, y up, faces +z, and has its left at +x.

#ifndef WEFT_WEFT_GARMENT_H
#define WEFT_WEFT_GARMENT_H

#include "weft/weft_mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_NAME_SIZE 64  // bytes of a name or a label, with its final 0

// ---------------------------------------------------------------------------------------------
// Patterns

// A side of a panel. Labels say what it is for: "waist", "collar", "hem".
typedef struct WeftPanelSide {
    WeftSide curve;  // metres, in the plane of the panel
    char label[WEFT_NAME_SIZE];
    // For messages, what its file calls it, whatever becomes of its place in the list: its name, or
    // empty, and one more than its number there. 0: repair sets it, by the list.
    char name[WEFT_NAME_SIZE];
    int number;
    // Of half a panel: it lies in the mirror (weft_mirror_pattern), and the cloth goes on beyond
    // it.
    bool on_fold;
} WeftPanelSide;

// Where a panel starts. Its point (u, v) is at position + rotation * (u, v, 0): with no rotation it
// stands upright, and is seen from +z. A curl rolls it about an axis along v, behind the line
// u = 0: (u, v) -> (r sin(u / r), v, r cos(u / r) - r); with a negative one, in front of it.
typedef struct WeftPanelPlace {
    bool given;          // false: where its name and label say, around the body
    double position[3];  // metres
    double rotation[4];  // unit quaternion x y z w, default 0 0 0 1
    double curl;         // r, metres; 0, the default: flat
} WeftPanelPlace;

// A piece of cloth as it is cut. Its front is what is seen where its sides run counter-clockwise:
// a panel whose sides run clockwise in (u, v) shows its front to those who look at it from -z.
typedef struct WeftPanel {
    char name[WEFT_NAME_SIZE];   // unique in its pattern
    char label[WEFT_NAME_SIZE];  // what of the body it covers: "torso", "arm", "leg"; or empty
    int side_count;
    WeftPanelSide* sides;  // the first begins where the last one ends
    int hole_count;
    WeftLoop* holes;
    WeftPanelPlace place;
    char fabric[WEFT_NAME_SIZE];  // empty: that of the garment
    double grain;  // degrees from the pattern's v (up) to the warp, counter-clockwise; default 0
    // One more than the number of the panel that is its mirror image; 0, the default: none is. Set
    // by weft_mirror_pattern and by reading half a pattern.
    int image;
} WeftPanel;

// Which ends of its two chains a seam brings together.
typedef enum WeftSeamEnds {
    WEFT_SEAM_AUTO,      // those that are nearer to each other where the panels are placed; where
                         // both are, those that do not twist the garment
    WEFT_SEAM_OPPOSITE,  // the beginning of one and the end of the other, as panels lie side by
                         // side
    WEFT_SEAM_SAME,      // the two beginnings
} WeftSeamEnds;

typedef struct WeftSideName {
    int panel, side;
} WeftSideName;

// Two chains of sides that are sewn together, each in the order in which the seam runs. What one is
// longer than the other is spread evenly (ease).
typedef struct WeftSeam {
    int count[2];
    WeftSideName* chain[2];
    WeftSeamEnds ends;
    bool right_wrong;  // the front of one panel goes on as the back of the other
    bool fold;         // a pressed fold: the cloth does not resist to being folded there
    // For messages: what was turned round since it was read exchanged its `ends`.
    bool turned;
} WeftSeam;

// What keeps sides with a label in their place on the body.
typedef enum WeftHoldKind {
    WEFT_HOLD_WHILE_DRESSING,  // held where it lies on the body, until the garment has settled
    WEFT_HOLD_ALWAYS,          // held for good
    WEFT_HOLD_BAND,            // an elastic band along the sides, shorter than they are
} WeftHoldKind;

typedef struct WeftHold {
    char label[WEFT_NAME_SIZE];  // of the sides
    WeftHoldKind kind;
    double ratio;    // bands: length at rest over that of the sides, above 0 and up to 1
    double stretch;  // bands: N, force over strain, default 60
} WeftHold;

// Filled by readers and generators; free it with weft_destroy_pattern.
typedef struct WeftPattern {
    char name[WEFT_NAME_SIZE];
    char fabric[WEFT_NAME_SIZE];  // what it is meant to be made of; may be empty
    int panel_count;
    WeftPanel* panels;
    int seam_count;
    WeftSeam* seams;
    int hold_count;
    WeftHold* holds;
    WeftAllocator allocator;
} WeftPattern;

WEFT_API void weft_destroy_pattern(WeftPattern* pattern);  // NULL is fine

// Along a side of a panel: how long it is, and its point (u, v) at t from 0 to 1. Metres.
WEFT_API double weft_side_length(const WeftPanel* panel, int side);
WEFT_API void weft_side_point(const WeftPanel* panel, int side, double t, double point[2]);

// What messages call a side: `side 3 of panel "front"`, or `side "left" of panel "front"`.
#define WEFT_SIDE_TEXT (2 * WEFT_NAME_SIZE + 32)
WEFT_API void weft_side_text(const WeftPattern* pattern, WeftSideName name,
                             char text[WEFT_SIDE_TEXT]);

// What was found or mended, as sentences that name the culprit.
typedef struct WeftFindings {
    int count;
    char (*lines)[240];
    WeftAllocator allocator;
} WeftFindings;
WEFT_API void weft_destroy_findings(WeftFindings* findings);

// Mend what can be mended: points that are there twice, sides without length, sides of which a
// tailor would see nothing. Refuses, naming panel and side, what cannot: outlines that cross
// themselves or have no area, sides of seams that are not there, a side that is sewn to itself.
// `findings` (or NULL) tells what was mended.
WEFT_API WeftResult weft_repair_pattern(WeftPattern* pattern, WeftFindings* findings,
                                        WeftError* error);

// How symmetric a pattern is about x = 0, where its panels are placed.
typedef struct WeftPatternSymmetry {
    double deviation;     // m: the largest distance between a side and the mirror image of the one
                          // that it is paired with
    WeftSideName side;    // the one that is so far off; its side -1: of a hole; its panel -1: none
    double grain;         // degrees: the largest angle between a warp and the image of its partner
    int grain_panel;      // the panel that has it; -1: none
    int unpaired_panels;  // that have no mirror image at all,
    int unpaired_panel;   // and the first of them; -1: none
    int unpaired_seams;   // whose sides have images that are not sewn so
    int unpaired_seam;    // and the first of them; -1: none
} WeftPatternSymmetry;

// Make a pattern its own mirror image about the plane x = 0, so that it is sewn to a mesh that is,
// to the last bit, and can be simulated by halves (WeftMirror). What lies at x > 0 is kept: panels
// of that side, and half of those that lie across the plane, cut there with a side that is
// `on_fold`. Then every panel gets an image, with the name of the one that was there or
// "NAME.mirror", and every seam, too; halves of a panel are sewn to each other along the fold,
// which is the cloth as it was. The result is a pattern like others, with `image` of its panels
// set: an image follows its panel, and its side n - 1 - i is the image of side i. Holds of labels
// that say left or right hold for both.
//
// The pattern has been repaired, and all its panels have places (weft_place_pattern). Refused,
// naming panel and side, is what is more than `tolerance` (m; 0: 0.005) from being symmetric, or
// made of another fabric, or turned by more than a degree against its grain. `symmetry` (or NULL)
// says how far off it was, also of a pattern that is refused, and `findings` (or NULL) what is not
// symmetric. A failure leaves the pattern as it was; one that is mirrored already stays so.
WEFT_API WeftResult weft_mirror_pattern(WeftPattern* pattern, double tolerance,
                                        WeftPatternSymmetry* symmetry, WeftFindings* findings,
                                        WeftError* error);

// ---------------------------------------------------------------------------------------------
// Garments: a pattern as one mesh

// A vertex of a garment lies on one panel, or on several where it is sewn; a material point lies on
// one.
typedef struct WeftGarment {
    WeftMesh mesh;        // sewn; where panels are placed, seams half-way between their sides
    int* panels;          // per triangle
    int* material_panel;  // per material point
    double*
        material_flat;  // 2 per material point: its (u, v) in the plane of its panel, metres;
                        // the mesh's own material has them turned, so that u runs along the warp
    // The vertices along each seam, in order: seam_vertices[seam_start[i]] up to seam_start[i + 1]
    int seam_count;
    int* seam_start;
    int* seam_vertices;
    bool* seam_same;  // per seam: the two beginnings were brought together
    // The vertices along each side: side_vertices[side_start[i]] up to side_start[i + 1], its end
    // included; sides are numbered panel after panel
    int side_count;
    int* side_start;
    int* side_vertices;
    int panel_count;
    int* first_side;  // per panel, and one more
    WeftAllocator allocator;
} WeftGarment;

// Mesh the panels with edges of about `edge` metres, with the same vertices on both sides of every
// seam, and sew them. `findings` (or NULL) tells of seams that the pattern leaves open to be closed
// either way, and of those that it closes the way round in which their panels are further apart.
// The pattern has been repaired. The mesh of a mirrored pattern (weft_mirror_pattern) is its own
// mirror image about x = 0, to the last bit: vertices and triangles of a panel and of its image are
// in the same order, and `images` is set. What such a panel has beyond x = 0, as trousers have
// where their legs meet, starts close in front of it.
WEFT_API WeftResult weft_sew_pattern(const WeftPattern* pattern, double edge,
                                     const WeftAllocator* allocator, WeftGarment* garment,
                                     WeftFindings* findings, WeftError* error);
WEFT_API void weft_destroy_garment(WeftGarment* garment);

// ---------------------------------------------------------------------------------------------
// Figures: bodies that wear garments

typedef struct WeftBone {
    char name[WEFT_NAME_SIZE];
    int parent;          // before it in the list; -1: none
    double head[3];      // where it begins, in the figure at rest, metres
    double rotation[4];  // of its frame in the figure at rest; unit quaternion x y z w
} WeftBone;

// A motion: of bones, or of vertices. Straight (rotations: along arcs) between frames.
typedef struct WeftClip {
    char name[WEFT_NAME_SIZE];
    double rate;       // frames per second
    int frame_count;   // 1: a pose
    bool loops;        // goes on from its last frame to its first, which follows it by 1 / rate
    double travel[3];  // loops: how far one round carries the roots, metres
    // of bones: the frame of each bone relative to its parent's, bone after bone, frame after frame
    double* rotations;     // 4 per bone; or NULL
    double* translations;  // 3 per bone
    double* positions;     // of vertices: 3 per vertex; or NULL
} WeftClip;

typedef struct WeftFigure {
    int vertex_count;
    double* positions;  // at rest: 3 per vertex
    int triangle_count;
    int* triangles;  // counter-clockwise from outside
    int bone_count;
    WeftBone* bones;
    int* skin_bones;       // 4 per vertex, or NULL
    double* skin_weights;  // 4 per vertex, their sum is 1
    int clip_count;
    WeftClip* clips;
    // m: where its surface, in a pose, would come nearer to itself than this, or cross itself, it
    // gives way as flesh does, so that cloth has room in armpits and between thighs. 0: never.
    double gap;
    WeftAllocator allocator;
} WeftFigure;

WEFT_API void weft_destroy_figure(WeftFigure* figure);
// -1 where there is none of this name.
WEFT_API int weft_find_clip(const WeftFigure* figure, const char* name);
// Where the vertices are at a time of a clip (-1: at rest), in seconds from its start: 3 per
// vertex. Before the start as at it; after the end as at it, or round again where the clip loops.
WEFT_API WeftResult weft_pose_figure(const WeftFigure* figure, int clip, double time,
                                     double* positions, WeftError* error);
// Between two poses: 0 the first, 1 the second; bones on arcs.
WEFT_API WeftResult weft_blend_figure(const WeftFigure* figure, int clip, double time,
                                      int other_clip, double other_time, double blend,
                                      double* positions, WeftError* error);

// How symmetric a figure is about a plane.
typedef struct WeftFigureSymmetry {
    double deviation;  // m: the largest distance of the mirror image of a vertex from the surface
    int vertex;        // the one that is so far off; -1: none is
    double time;       // s, of the clip: when
} WeftFigureSymmetry;
// At a time of a clip (-1: at rest), as weft_pose_figure takes them; with a time below 0, the worst
// of all its frames. Vertices need not be paired: scans can be measured. Vertices of no triangle do
// not count. Refuses planes and times that are not finite, planes whose normal has no length, clips
// that are not there, and figures without triangles or with vertices that are not there.
WEFT_API WeftResult weft_measure_symmetry(const WeftFigure* figure, int clip, double time,
                                          const WeftPlane* plane, WeftFigureSymmetry* symmetry,
                                          WeftError* error);

typedef enum WeftMannequinKind {
    WEFT_MANNEQUIN_FEMALE,
    WEFT_MANNEQUIN_MALE,
    WEFT_MANNEQUIN_CHILD,
} WeftMannequinKind;

// A mannequin by its measures, in metres; 0: in proportion to those that are given.
typedef struct WeftMannequinDef {
    WeftMannequinKind kind;
    double height;  // of the whole body; 1.70, 1.80 and 1.28 where nothing is given
    double chest;   // girth; of the female, over the bust; 0.44 to 0.72 of the height
    double waist;   // girth; 0.34 to 0.68 of the height
    double hips;    // girth; 0.46 to 0.72 of the height
    double edge;    // of its triangles, default 0.019: about 10,000 of them
} WeftMannequinDef;
WEFT_API WeftMannequinDef weft_default_mannequin_def(WeftMannequinKind kind);
// Whether there can be such a body; says which measure is out of its range.
WEFT_API WeftResult weft_check_mannequin(const WeftMannequinDef* def, WeftError* error);
// Closed, at rest in the A-pose; clips "t_pose", "a_pose", "arms_down", "walk", "turn", "hop",
// "squat". It is its own mirror image in x = 0, to the bit: at rest, in all clips but "walk" and
// "turn", and between those. Vertices with x = 0 come first, then those to the left, each followed
// by its image; every triangle is followed by its image, too.
WEFT_API WeftResult weft_make_mannequin(const WeftMannequinDef* def, const WeftAllocator* allocator,
                                        WeftFigure* figure, WeftError* error);

// Measures of a body that stands upright with its arms away from its sides, taken from its mesh.
// Heights are above its lowest point; girths are those of a tape.
typedef struct WeftMeasures {
    double floor;      // y of its lowest point
    double centre[2];  // x and z of its middle
    double height;
    double neck_height, shoulder_height, armpit_height, chest_height, waist_height, hip_height,
        crotch_height, knee_height, ankle_height;
    double neck, chest, waist, hips, thigh, knee, ankle, upper_arm, wrist;  // girths
    double shoulder_width;  // between the tips of the shoulders
    double chest_width, chest_depth, waist_width, waist_depth, hip_width, hip_depth;
    double arm_length;   // from the tip of the shoulder to the wrist
    double arm_angle;    // degrees below the horizontal
    double shoulder[3];  // the tip of the left one
    double wrist_at[3];  // the middle of the left one
} WeftMeasures;
WEFT_API WeftResult weft_measure_body(const double* positions, int vertex_count,
                                      const int* triangles, int triangle_count,
                                      const WeftAllocator* allocator, WeftMeasures* measures,
                                      WeftError* error);
// A measure by its name ("chest", "waist_height"), for patterns; index from 0, NULL past the end.
WEFT_API const char* weft_measure_name(int index);
WEFT_API double weft_measure_value(const WeftMeasures* measures, int index);

// Place those panels of a pattern that have no place, around the part of the body that their name
// or label speaks of (torso, skirt, leg, sleeve, cuff, collar, hood, waistband; left and right,
// front and back); those of unknown names before the torso. `findings` (or NULL) tells where.
WEFT_API WeftResult weft_place_pattern(WeftPattern* pattern, const WeftMeasures* measures,
                                       WeftFindings* findings, WeftError* error);

// ---------------------------------------------------------------------------------------------
// Dressing: garments onto a body
//
// The body shrinks to a thin one; around it the garments are closed, and it grows again inside of
// them, until it is as it was. Then they hang and settle, by their fabrics, with contact between
// all of it; the body goes to the pose in which the motion starts; and the mesh becomes as fine as
// asked.

// A garment to wear.
typedef struct WeftWearDef {
    const WeftPattern* pattern;  // repaired
    double edge;                 // metres, of its triangles, default 0.02
    WeftFabric fabric;           // default weft_default_fabric(); see weft_garment_fabric
    // Per panel of the pattern, what it is made of; NULL, the default: all are of `fabric`. With
    // `panels` of the garment as its triangle_fabric, they are the `fabrics` of its cloth.
    const WeftFabric* panel_fabrics;
} WeftWearDef;

typedef struct WeftDressDef {
    int wear_count;
    const WeftWearDef* wear;  // from the skin outwards
    // The body, in the pose for which the panels are placed.
    int vertex_count;
    const double* positions;  // 3 per vertex
    int triangle_count;
    const int* triangles;  // counter-clockwise from outside
    double friction;       // default 0.3
    // m, the height of the floor, on which what is too long comes to lie; default minus infinity:
    // there is none. A floor that the body is not above is none, too.
    double floor;
    // Where it goes when it is dressed: `pose` gives its vertices, from 0 (as `positions`) to 1.
    // NULL, the default: it stays.
    void (*pose)(void* user, double part, double* positions);
    void* pose_user;
    // Told from time to time: how much is done, 0 to 1, and what is. False: stop.
    bool (*progress)(void* user, double part, const char* stage);
    void* progress_user;
    WeftStepDef step;  // gravity, and how to take steps
    // WEFT_MIRROR_EXACT: all that is worn is a mirrored pattern (weft_mirror_pattern), and the body
    // is its own mirror image, within 0.1 mm, also in the pose where it goes. One half is
    // simulated, and the outfit is exactly symmetric. The plane is x = 0. Default WEFT_MIRROR_NONE:
    // all is simulated, whatever the patterns are.
    WeftMirror mirror;
    WeftAllocator allocator;
    WeftJobs jobs;
} WeftDressDef;

// A vertex of a garment that is held by a point of the body.
typedef struct WeftBodyPoint {
    int vertex;         // of the garment
    int triangle;       // of the body
    double weights[3];  // of its corners
    double lift;        // metres above it
} WeftBodyPoint;

// A garment on a body.
typedef struct WeftWorn {
    WeftGarment garment;  // its mesh has the positions in which it lies
    int hold_count;       // vertices that stay held (WEFT_HOLD_ALWAYS)
    WeftBodyPoint* holds;
    double stretch;  // 99 % of its edges are no longer than this times their length at rest
    // Per seam, metres: how much further from it than it may be the cloth beside it is at worst. It
    // may be a tenth further than it was cut, or a twentieth more than the rest of the cloth is
    // stretched. 0: the seam is closed.
    double* seam_gap;
} WeftWorn;

typedef struct WeftOutfit {
    int worn_count;
    WeftWorn* worn;
    int step_count;  // that were taken
    WeftFindings findings;
    WeftAllocator allocator;
} WeftOutfit;

WEFT_API WeftWearDef weft_default_wear_def(void);
// The fabric for a garment that is worn, with edges of that length: it bends no more easily than
// the mesh can show folds, and where it says nothing of compression it carries the weight of two
// metres of itself. The finer the mesh, the nearer to the fabric as it is. Dressing does the first
// by itself: give it the fabric as it is.
WEFT_API WeftFabric weft_garment_fabric(const WeftFabric* fabric, double edge);
WEFT_API WeftDressDef weft_default_dress_def(void);
// Fails where garment and body, or garments, still cross each other at the end, naming the panel.
WEFT_API WeftResult weft_dress(const WeftDressDef* def, WeftOutfit* outfit, WeftError* error);
WEFT_API void weft_destroy_outfit(WeftOutfit* outfit);
// Where a held vertex belongs, with the body's vertices at `positions`.
WEFT_API void weft_follow_body(const WeftBodyPoint* point, const double* positions,
                               const int* triangles, double place[3]);

#ifdef __cplusplus
}
#endif

#endif
