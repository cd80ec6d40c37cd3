// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft: meshes, for those who have none of their own. Grids, outlines and ropes are made here,
// seams that a modeller split are welded, and cloth is made its own mirror image. Part of the core
// library; results, errors and memory as in weft.h.
//
//     WeftMesh mesh;
//     weft_make_grid(&grid_def, NULL, &mesh, &error);
//     weft_use_mesh(&cloth, &mesh);

#ifndef WEFT_WEFT_MESH_H
#define WEFT_WEFT_MESH_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

// A triangle mesh and the flat shape it was cut from: the arrays of WeftClothDef, which says what
// they hold. Filled by the weft_make functions and readers; free it with weft_destroy_mesh.
typedef struct WeftMesh {
    int vertex_count;
    double* positions;  // 3 per vertex
    int material_count;
    double* material;  // 2 per material point
    int triangle_count;
    int* triangles;          // 3 per triangle
    int* triangle_material;  // 3 per triangle, or NULL
    int spring_count;
    WeftSpring* springs;  // or NULL
    int thread_count;
    WeftThread* threads;  // or NULL
    int thread_vertex_count;
    int* thread_vertices;  // or NULL
    int* images;           // per vertex: its image in a mirror (weft_mirror_mesh), or NULL
    WeftAllocator allocator;
} WeftMesh;

WEFT_API void weft_destroy_mesh(WeftMesh* mesh);
// Point the def's arrays at the mesh, which must live until the model is created.
WEFT_API void weft_use_mesh(WeftClothDef* def, const WeftMesh* mesh);

// ---------------------------------------------------------------------------------------------
// Making

// A rectangle of (columns + 1) x (rows + 1) vertices in the plane y = 0: u runs along x, v along -z
// so that the front (counter-clockwise) faces up. Vertex (i, j) has index j * (columns + 1) + i.
typedef enum WeftGridKind {
    WEFT_GRID_CROSSED,        // rectangular grid: springs along the threads and both diagonals
    WEFT_GRID_ALTERNATING,    // triangles whose diagonals alternate; no springs of its own
    WEFT_GRID_ONE_WAY,        // triangles whose diagonals are all parallel; no springs of its own
    WEFT_GRID_CROSSED_TWICE,  // crossed, and the same springs over two cells, of kind bend: the
                              // springs of type 1 and 2 of Choi and Ko
    WEFT_GRID_WOVEN,          // alternating triangles; a thread along every row and column
} WeftGridKind;

typedef struct WeftGridDef {
    double width, height;  // metres, default 1 x 1
    int columns, rows;     // cells, default 32 x 32
    WeftGridKind kind;     // default WEFT_GRID_ALTERNATING
} WeftGridDef;

// A rectangle filled with rows of equilateral triangles (stretched by a few per cent so that they
// fit); every other row ends in half triangles.
typedef struct WeftRegularDef {
    double width, height;  // metres, default 1 x 1
    double edge;           // wanted edge length in metres, default 0.03
} WeftRegularDef;

// One side of an outline, from the last point to `end`, by a Bezier curve with 0, 1 or 2 control
// points, or a circular arc. A bulge is the height of the arc over half its chord: 0 a straight
// line, 1 a half circle, positive to the right of the way from start to end.
typedef struct WeftSide {
    double end[2];
    int control_count;     // 0: line or arc; 1: quadratic; 2: cubic
    double control[2][2];  // control points
    double bulge;          // arcs, where control_count is 0
} WeftSide;

// A closed line: the sides in order, the last one ending where the first begins. Either direction.
typedef struct WeftLoop {
    int side_count;
    const WeftSide* sides;
} WeftLoop;

// Any shape with curved sides and holes, filled with irregular triangles of about one size. Loop 0
// is the outer boundary, the others are holes. Ends of sides become vertices.
typedef struct WeftOutlineDef {
    int loop_count;
    const WeftLoop* loops;
    double edge;    // wanted edge length in metres, default 0.03
    uint32_t seed;  // another seed, another mesh of the same quality; default 1
} WeftOutlineDef;

// A rope from the origin along x, as one thread.
typedef struct WeftRopeDef {
    double length;  // metres, default 1
    int segments;   // default 50
} WeftRopeDef;

// A closed ball around the origin, of a subdivided icosahedron, whose triangles look outwards: what
// can be blown up (`inflation` of a cloth). It has no flat shape; every triangle is at rest as it
// is. Vertex 0 is at the top (+y), vertex 1 at the bottom.
typedef struct WeftBallDef {
    double radius;  // metres, default 0.5
    double edge;    // wanted edge length in metres, default 0.03
} WeftBallDef;

WEFT_API WeftGridDef weft_default_grid_def(void);
WEFT_API WeftRegularDef weft_default_regular_def(void);
WEFT_API WeftOutlineDef weft_default_outline_def(void);
WEFT_API WeftRopeDef weft_default_rope_def(void);
WEFT_API WeftBallDef weft_default_ball_def(void);

// `allocator` may be NULL (malloc). `error` may be NULL. More than 5,000,000 vertices are refused.
WEFT_API WeftResult weft_make_grid(const WeftGridDef* def, const WeftAllocator* allocator,
                                   WeftMesh* mesh, WeftError* error);
WEFT_API WeftResult weft_make_regular(const WeftRegularDef* def, const WeftAllocator* allocator,
                                      WeftMesh* mesh, WeftError* error);
WEFT_API WeftResult weft_make_outline(const WeftOutlineDef* def, const WeftAllocator* allocator,
                                      WeftMesh* mesh, WeftError* error);
WEFT_API WeftResult weft_make_rope(const WeftRopeDef* def, const WeftAllocator* allocator,
                                   WeftMesh* mesh, WeftError* error);
WEFT_API WeftResult weft_make_ball(const WeftBallDef* def, const WeftAllocator* allocator,
                                   WeftMesh* mesh, WeftError* error);
// Irregular triangles in a rectangle (one corner at the origin) or a disc (centred there): outlines
// that are so common that they have names.
WEFT_API WeftResult weft_make_rectangle(double width, double height, double edge,
                                        const WeftAllocator* allocator, WeftMesh* mesh,
                                        WeftError* error);
WEFT_API WeftResult weft_make_disc(double radius, double edge, const WeftAllocator* allocator,
                                   WeftMesh* mesh, WeftError* error);

// ---------------------------------------------------------------------------------------------
// Welding

// What was welded: 162 vertices at 81 places, say.
typedef struct WeftWeld {
    int vertex_count;  // that became one with others
    int place_count;   // vertices that they became
} WeftWeld;

// Make one vertex of vertices that are at one place: along seams that a modeller split, between
// triangles that were written one by one. Without it the cloth comes apart there. Edges are sewn,
// not points: two edges with ends no further than `distance` metres apart (0: exactly the same
// place; negative: a millionth of the size of the mesh), which face each other and have no third
// one with them. Panels that touch in a point, layers that lie on each other and places at which a
// triangle has two corners are left alone. The first vertex of a place stays, with its position,
// the others go, and all that stay keep their order: map[old] = new, where `map` (or NULL) has room
// for all vertices. The flat shape is kept corner by corner, in triangle_material. Springs that
// come to lie on each other become one. `images` are dropped. `weld` and `error` may be NULL. A
// failure for lack of memory leaves a mesh that is only good for weft_destroy_mesh.
WEFT_API WeftResult weft_weld_mesh(WeftMesh* mesh, double distance, int* map, WeftWeld* weld,
                                   WeftError* error);

// ---------------------------------------------------------------------------------------------
// Mirrors: cloth of which one half is the mirror image of the other
//
// A model with a mirror (WeftModelDef) simulates one half and gives both. These functions make and
// judge meshes for it.

// What happens to triangles that cross the plane.
typedef enum WeftHalving {
    WEFT_HALVING_SPLIT,    // they are split there
    WEFT_HALVING_PROJECT,  // they are kept, and their vertices beyond it moved onto it (Jang 2019):
                           // the shape of the cloth changes there, and its flat shape with it;
                           // triangles may come out thin
} WeftHalving;

// Where the vertices and triangles of a mirrored mesh come from: what was known of the old ones, as
// pins or fabrics, can be carried over. A vertex lies between two of the old ones, at (1 - part) a
// + part b, or is the image of one that does; most are old vertices themselves, a == b, and so are
// those that were projected.
typedef struct WeftMirrorMap {
    int vertex_count;
    int* vertices;  // 2 per vertex: a, b
    double* parts;  // per vertex
    int triangle_count;
    int* triangles;  // per triangle: the old one that it, or its image, is all or a part of
    WeftAllocator allocator;
} WeftMirrorMap;

// Make a mesh its own mirror image: what lies behind the plane is cut off, and the mirror image of
// what is left is added. The two halves are one along the plane; a half pattern, which ends there,
// becomes whole; what does not reach it gets an image apart.
//
// Splitting first moves vertices that are near the plane (up to 0.4 of an edge) onto it, along an
// edge, so that no slivers come out. Outlines and seams keep their shape, to a twentieth of an
// edge. The flat shape follows, and is not strained by it. It is mirrored piece by piece along the
// warp or the weft: where a piece ends at the plane along a thread it goes on across it, else the
// plane is a seam of it, and the image lies beside all others. Images do not overlap what they are
// images of.
//
// Vertices that are kept stay in their order; then come those at which edges were split, then the
// images of all that are not on the plane, in the same order. So do triangles: those of the kept
// half, then their images. `images` of the mesh is set.
//
// Springs along edges that are split are split, and new edges get springs as well: stretch on the
// plane, shear beside it. Other springs that cross the plane are kept where the mesh was symmetric:
// they end at the image of what their end behind the plane was the image of. Threads are cut where
// they leave the half; those that end on the plane are one with their images. The width that a
// thread stands for stays. Where the plane runs between threads, vertices on split diagonals lie on
// none: such a mesh is not for WEFT_STRETCH_THREADS.
//
// Refused, besides what models refuse: triangles that lie in the plane, or meet in it and are both
// before it; and a mesh of which nothing lies before the plane. `map` and `error` may be NULL; free
// the map with weft_destroy_mirror_map. A failure leaves the mesh as it was.
WEFT_API WeftResult weft_mirror_mesh(WeftMesh* mesh, const WeftPlane* plane, WeftHalving halving,
                                     WeftMirrorMap* map, WeftError* error);
WEFT_API void weft_destroy_mirror_map(WeftMirrorMap* map);

// How symmetric a cloth is about a plane. Numbers of vertices and triangles are -1 where there are
// none to name.
typedef struct WeftSymmetry {
    int unpaired, unpaired_vertex;      // vertices without an image, and the first of them
    double deviation;                   // m: of a vertex from where the mirror image of its image
    int deviation_vertex;               // is; the worst
    int crossing, crossing_triangle;    // triangles with vertices on both sides of the plane, or
                                        // none beside it
    int unmatched, unmatched_triangle;  // triangles whose image is none
    double rest_deviation;              // of lengths in the flat shape, over the mean edge: between
    int rest_triangle;                  // a triangle and its image; the worst
    double grain_deviation;             // the same of how far edges reach along the warp and the
    int grain_triangle;                 // weft: it matters where these are not equally stiff
    int springs, threads;               // those without an image
    int pins, pin_vertex;               // pins whose image is none
    int fabrics, fabric_triangle;       // triangles of another fabric than their image
    double scale_deviation;             // of stretch_scale, bend_scale and density_scale
} WeftSymmetry;

// Find the image of every vertex about a plane, -1 where there is none: a vertex within `tolerance`
// (m; 0: a hundredth of the mean edge at rest) of its mirror image, such that triangles become
// triangles. Where many vertices are at one place, as in cloth that is folded, in layers or pressed
// to a point, triangles decide. Vertices within that distance of the plane may be images of
// themselves. Where the cloth has `images`, these are taken instead; those that do not say the same
// of each other are none. `images` (one per vertex), `symmetry` and `error` may be NULL. Deviations
// are measured, not judged; refused is only what models refuse.
WEFT_API WeftResult weft_find_images(const WeftClothDef* cloth, const WeftPlane* plane,
                                     double tolerance, int* images, WeftSymmetry* symmetry,
                                     WeftError* error);

#ifdef __cplusplus
}
#endif

#endif
