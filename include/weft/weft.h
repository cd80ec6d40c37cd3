// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft: cloth for real-time use. The core API: model, state, step, read-back.
//
// clang-format off
//     WeftClothDef cloth = weft_default_cloth_def();     // 1. your mesh (or one of weft_mesh.h),
//     cloth.positions = positions;                       //    what it is made of, how it is held
//     cloth.vertex_count = vertex_count;
//     cloth.triangles = triangles;
//     cloth.triangle_count = triangle_count;
//     WeftModelDef def = weft_default_model_def();
//     def.cloths = &cloth, def.cloth_count = 1;
//     WeftModel* model = NULL;                           // 2. constant: one model, many states
//     weft_create_model(&def, &model, &error);
//     WeftState* state = NULL;                           // 3. what moves
//     weft_create_state(model, &state, &error);
//     WeftStepDef step = weft_default_step_def();        // 4. how much to spend on it
//     weft_step(state, &step);
//     weft_positions(state);
// clang-format on
//
// Units are SI: metres, kilograms, seconds; area density in kg/m^2, membrane stiffness in N/m,
// bending stiffness in N m. Y is up. Arrays of vectors are flat: x0 y0 z0 x1 y1 z1 ...
//
// Fallible functions return a WeftResult, WEFT_OK (zero) on success; a WeftError, where you pass
// one, then holds a sentence that names the culprit. On failure nothing is created and nothing
// leaks. Breaking the contract of a function (NULL where an object is due, an index out of range)
// is a bug of the caller and asserts (weft_set_assert_hook). The library never prints, exits, reads
// a clock or a file.
//
// Arrays in a def stay yours and are copied. What `create` or `make` made, `destroy` frees; NULL
// is fine there. Pointers handed out are borrowed: const, and valid until the next call that
// changes the object.
//
// A model may be shared by any number of threads; a state belongs to one thread at a time. Each
// hook says who calls it.
//
// This header is all that a simulation takes. weft_mesh.h makes meshes, welds and mirrors them, for
// those who have none. weft_study.h has what the study of methods takes beside it: estimators,
// Jacobians, orderings and other settings that an engine leaves alone, their names and ranges,
// methods of the literature, the constant matrix.
// weft_render.h writes the vertices of render meshes and has levels of detail, weft_fit.h fits
// fabrics to measurements, weft_io.h reads and writes files.

#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0
#define WEFT_VERSION (10000 * WEFT_VERSION_MAJOR + 100 * WEFT_VERSION_MINOR + WEFT_VERSION_PATCH)

#if defined(_WIN32) && defined(WEFT_SHARED)
#ifdef WEFT_BUILD
#define WEFT_API __declspec(dllexport)
#else
#define WEFT_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Results, memory, jobs, time

typedef enum WeftResult {
    WEFT_OK = 0,
    WEFT_ERROR_INPUT,        // a mesh, a value or a file says something impossible
    WEFT_ERROR_COMBINATION,  // settings that are fine alone make no sense together
    WEFT_ERROR_MEMORY,       // an allocation failed
    WEFT_ERROR_FILE,         // a file cannot be opened, read or written
} WeftResult;

// What went wrong, as one sentence that names the culprit: "cloth 0: triangle 812 has no area".
typedef struct WeftError {
    WeftResult result;
    char message[480];
} WeftError;

// Where memory comes from. `allocate` returns memory aligned to 16 bytes or NULL, `release` takes
// back what it returned. Zero-initialised: malloc and free. Called by the thread that calls the
// library, never from jobs: where states of one model are stepped by several threads, by several at
// once. Not called inside weft_step once state and model have warmed up (the first step with a
// given method and number of substeps; where dt varies, the first one of about that length; the
// first time that so many steps are taken at once).
typedef struct WeftAllocator {
    void* (*allocate)(void* user, size_t bytes);
    void (*release)(void* user, void* memory);
    void* user;
} WeftAllocator;

// Who runs parallel work. `run` must call block(context, i) once for every i in [0, block_count),
// in any order, on any threads, and return when all are done. Called by the thread that calls the
// library; where states of one model are stepped by several threads, by several at once. Blocks
// never start others. Results do not depend on who runs the blocks: the same bits for any number of
// threads.
//
// Zero-initialised: the thread that calls the library, alone. Without `run`, `thread_count` asks
// for more: at most so many threads of OpenMP, where the library was built with it, and a team of
// them per caller; WEFT_ALL_THREADS: as many as OpenMP likes.
enum { WEFT_ALL_THREADS = -1 };
typedef struct WeftJobs {
    void (*run)(void* user, int block_count, void (*block)(void* context, int index),
                void* context);
    void* user;
    int thread_count;
} WeftJobs;

// A monotone clock in seconds, for the times in the step report and for budgets. Zero-initialised:
// no clock, and the times are zero. Called by the thread that calls the library, never from jobs.
typedef struct WeftClock {
    double (*now)(void* user);
    void* user;
} WeftClock;

// "0.1.0", of the library that is linked; WEFT_VERSION is that of this header. Defs are checked
// against it: one that was filled for another version is refused.
WEFT_API const char* weft_version(void);

// Called where a contract is broken, with the claim that does not hold and its place, by whichever
// thread finds it; when it returns, the library goes on, and anything may happen. Where none is
// set: a line on stderr, and abort. One for the whole program; set it before anything else. Claims
// are part of debug builds, and of those with WEFT_ASSERTS defined.
typedef void WeftAssertHook(const char* claim, const char* file, int line);
WEFT_API void weft_set_assert_hook(WeftAssertHook* hook);  // NULL: none

// Defs begin with a cookie, which says that a default function of this header has filled them, for
// a library of the same version. Always start with one of those, and change what you like.
typedef enum WeftDefKind {
    WEFT_DEF_CLOTH = 1,
    WEFT_DEF_BODY,
    WEFT_DEF_STEP,
    WEFT_DEF_MODEL,
    WEFT_DEF_ATTACHMENT,
} WeftDefKind;
// What they call. Languages that cannot call functions of a header call it themselves: with the
// version and the size of the struct that they know, which is zeroed where these are not ours.
WEFT_API void weft_fill_def(WeftDefKind kind, int version, size_t size, void* def);

// ---------------------------------------------------------------------------------------------
// Springs and threads of cloth

typedef enum WeftSpringKind {
    WEFT_SPRING_STRETCH,  // takes the fabric's stretch stiffness, by its direction in the cloth
    WEFT_SPRING_SHEAR,    // takes the fabric's shear stiffness: the diagonals of a grid
    WEFT_SPRING_BEND,     // joins next neighbours, for WEFT_BEND_BY_SPRINGS
} WeftSpringKind;

typedef struct WeftSpring {
    int a, b;  // vertices
    WeftSpringKind kind;
} WeftSpring;

typedef enum WeftThreadKind {
    WEFT_THREAD_WARP,  // takes the fabric's stretch stiffness along u
    WEFT_THREAD_WEFT,  // along v
    WEFT_THREAD_ROPE,  // takes the fabric's rope stiffness, and weighs what its rope density says
    WEFT_THREAD_BAND,  // an elastic band, sewn along edges of the cloth; weighs nothing
    WEFT_THREAD_FOLD,  // no thread: edges along which the cloth folds freely, as a pressed pleat
                       // does
} WeftThreadKind;

// A chain of vertices: thread_vertices[first] to thread_vertices[first + count - 1]. It is as long
// at rest as the flat shape (a rope: its positions) has it.
typedef struct WeftThread {
    WeftThreadKind kind;
    int first, count;  // two vertices at least
    double width;      // warp and weft: the metres of cloth it stands for; others: not used
    double ratio;      // bands: length at rest over that of the flat shape, above 0 and up to 1
    double stretch;    // bands: N, force over strain
} WeftThread;

// ---------------------------------------------------------------------------------------------
// Cloth: what it is made of

// What was measured of a fabric, after Wang, O'Brien and Ramamoorthi 2011: stiffness that depends
// on how far and in which direction the cloth is strained. All zero: nothing was measured.
typedef struct WeftMeasured {
    // N/m. Each row is c11, c12, c22, c33: stress uu = c11 e_uu + c12 e_vv, vv = c12 e_uu + c22
    // e_vv, uv = c33 e_uv, with Green's strain e in the axes of warp and weft. Row 0 holds without
    // strain; rows 1 to 5 at the reference strain, with the larger principal stretch at 0, 22.5,
    // 45, 67.5 and 90 degrees from the warp. Linear in between, and constant beyond.
    double stretch[6][4];
    double reference_strain;  // 1/6 of the published fabrics
    // N m: moment over curvature, per width. Rows: the direction that bends at 0, 45 and 90 degrees
    // from the warp; columns: curvature of 0, 10, 20, 30 and 40 per metre.
    double bend[3][5];
} WeftMeasured;

#define WEFT_UNYIELDING (-1.0)  // a fabric's compression: pushes back as hard as it pulls

// A fabric in real units. The values do not depend on the mesh, the time step or the method, up to
// what the stretch model itself implies: springs answer shear and cross-contraction by the shape
// of their mesh, triangles do not.
typedef struct WeftFabric {
    double density;           // kg/m^2, default 0.187 (a light interlock knit)
    double stretch_warp;      // N/m along u, default 2000
    double stretch_weft;      // N/m along v, default 2000
    double shear;             // N/m, default 500
    double poisson;           // of membranes: contraction across over stretch along, default 0.3;
                              // of unequal directions, the geometric mean
    double bend;              // N m, default 1e-5
    double bend_spring;       // N/m, of springs between next neighbours, default 4
    double compression;       // strain by which pressed cloth gives way: it carries no more than
                              // this times its stiffness. 0, the default: by its bending
                              // stiffness and density; WEFT_UNYIELDING: it never gives way
    double compression_load;  // N/m, that load instead of the strain; 0, the default: not given
    double mass_damping;      // 1/s, slows all motion, default 0
    double stretch_damping;   // s, slows change of length by this times stiffness, default 0
    double bend_damping;      // s, the same for bending, default 0
    double air_drag;          // coefficient for air through the cloth's face, default 1.2
    double air_friction;      // coefficient for air along the cloth, default 0.04
    double rope_density;      // kg/m, default 0.025 (a cotton rope of 6 mm)
    double rope_stretch;      // N, force over strain, default 2000
    double rope_bend;         // N m^2, default 2e-5
    double thickness;         // m, kept from bodies and from cloth, default 1e-3; from cloth less
                              // where the mesh is finer (weft_layer_thickness)
    double friction;          // Coulomb's coefficient, default 0.3; of two things that touch, the
                              // geometric mean
    WeftMeasured measured;    // for WEFT_STRETCH_MEASURED and WEFT_BEND_BY_ANGLES
} WeftFabric;

// How stretch and shear become forces.
typedef enum WeftStretch {
    WEFT_STRETCH_SPRINGS,    // E = k/2 (l - L)^2 per edge
    WEFT_STRETCH_TRIANGLES,  // E = A/2 sum k (|S| - 1)^2 over the warp, the weft and two diagonals
    WEFT_STRETCH_ONE_SIDED,  // springs that pull and never push (Choi and Ko)
    WEFT_STRETCH_THREADS,    // springs along the threads of the mesh
    // Membranes: a continuum, the same on every mesh. Not for the prefactored method.
    WEFT_STRETCH_BIQUADRATIC,  // St Venant-Kirchhoff, as springs of l^2 - L^2 (Delingette 2008)
    WEFT_STRETCH_QUADRATIC,    // the same with 2L (l - L): neither hardens nor gives way
    WEFT_STRETCH_CAUCHY,       // the same with the strain of small turns; for comparison
    WEFT_STRETCH_MEASURED,     // the fabric's measured tables
} WeftStretch;

typedef enum WeftBend {
    WEFT_BEND_IMPLICIT,  // inside the matrix; doubles the fill of the constant factor
    WEFT_BEND_EXPLICIT,  // by the shape at the start of the step; for soft bending
    WEFT_BEND_NONE,
} WeftBend;

// What resists bending.
typedef enum WeftBendBy {
    WEFT_BEND_BY_HINGES,   // pairs of triangles, linear; of ropes, their inner vertices, linear
    WEFT_BEND_BY_SPRINGS,  // the mesh's bend springs, else springs across every pair of triangles
    WEFT_BEND_BY_THREADS,  // the curvature of every thread; not for the prefactored method
    WEFT_BEND_BY_ANGLES,   // the angle between triangles, by the measured table where there is one;
                           // of ropes, as by hinges; not for the prefactored method
} WeftBendBy;

// Air in closed cloth.
typedef enum WeftInflation {
    WEFT_INFLATION_NONE,
    WEFT_INFLATION_PRESSURE,  // at a pressure, whatever the volume: a pump, a hose
    WEFT_INFLATION_GAS,       // an amount of it: the pressure falls as the volume grows
} WeftInflation;

#define WEFT_MAX_FABRICS 64  // of one cloth

// One piece of cloth: a triangle mesh and the flat shape it was cut from, your own arrays or those
// of a WeftMesh (weft_mesh.h). `material` holds the flat shape, two numbers (u along the warp, v
// along the weft, metres) per material point; `triangle_material` names the three material points
// of each triangle, so that a seam may have two flat edges for one edge in space. Threads are for
// woven cloth and ropes; a cloth of ropes alone has no triangles and no material.
typedef struct WeftClothDef {
    unsigned cookie;
    int vertex_count;
    const double* positions;  // 3 per vertex
    int material_count;
    // NULL: every triangle is at rest as `positions` have it. A flat shape in another unit is
    // refused: where the median edge starts at more than 4 times its length at rest, or at less
    // than a tenth of it and more than nothing. (Cloth may start pressed to a point.)
    const double* material;  // 2 per material point
    int triangle_count;
    const int* triangles;          // 3 per triangle
    const int* triangle_material;  // 3 per triangle; NULL: material point i is that of vertex i
    int spring_count;
    const WeftSpring* springs;  // NULL: every edge of a triangle is a stretch spring, a triangle
                                // net with no shear springs
    int thread_count;
    const WeftThread* threads;
    int thread_vertex_count;
    const int* thread_vertices;
    // Of models with a mirror: the image of each vertex, itself where it is on the plane. NULL:
    // they are found (weft_find_images).
    const int* images;

    WeftFabric fabric;
    // Cloth of several fabrics: triangle t is made of fabrics[triangle_fabric[t]], or of `fabric`
    // where that is -1. NULL: all of it is made of `fabric`, and so are ropes in any case. A hinge
    // or an edge between two fabrics has the mean of both, a vertex the mean of its triangles. At
    // most WEFT_MAX_FABRICS that differ. Not for stretch, shear and bending by threads.
    int fabric_count;
    const WeftFabric* fabrics;
    const int* triangle_fabric;

    WeftStretch stretch;  // default WEFT_STRETCH_SPRINGS; ropes are threads in any case
    WeftBend bend;        // default WEFT_BEND_IMPLICIT
    WeftBendBy bend_by;   // default WEFT_BEND_BY_HINGES

    // Factors per vertex, or NULL: what a triangle, an edge or a hinge has of stiffness or mass is
    // multiplied by the mean of its vertices.
    const double *stretch_scale, *bend_scale, *density_scale;

    // No edge gets longer than this times its length at rest, whatever pulls: 1.05 is five per
    // cent. 0 (the default): no limit. Where pins or bodies pull it further, it follows them there,
    // and the rest keeps its limit: see `over_limit` in the report.
    double stretch_limit;
    // Hold every vertex within reach of its nearest pins, measured along the cloth at rest: a
    // cheaper, coarser limit that holds long cloth at once. Default off. Vertices that the model's
    // `attachments` hold rigidly to places and bodies are such pins, too.
    bool tethers;

    // Animation: how the cloth keeps to its skin, a shape that is animated with a character (see
    // "Animation" below). Per vertex, or NULL: nothing of it. A cloth that has none of these and no
    // bones has no skin.
    //
    // How far a vertex may get from its skin, m; 0: it is pinned to it; negative: as far as it
    // likes.
    const double* max_distance;
    // A ball behind the skin that the vertex stays out of: its radius, m (0: there is none; large
    // ones are planes), and how far its surface is from the skin, against the normal of it, m
    // (NULL: 0).
    const double *backstop_radius, *backstop_distance;
    // A pull: the vertex is accelerated by stiffness (1/s^2) times the way to its skin, and by
    // damping (1/s) times what its velocity lacks of that of the skin. 2 sqrt(stiffness) is
    // critical.
    const double *drive_stiffness, *drive_damping;
    // Bones, for weft_move_bones: frames, 12 numbers each, as they are when the skin is where
    // `positions` have it. Row by row, a rotation and scale of 3 x 3 with the place behind each
    // row: a point p of bone b is at x = b[0] p.x + b[1] p.y + b[2] p.z + b[3], and so on. Each
    // vertex goes along with up to 8 of them, by weights that are at least 0 and not all 0; their
    // sum counts as 1.
    int bone_count;
    const double* bones;
    int bones_per_vertex;          // 1 to 8
    const int* vertex_bones;       // so many per vertex,
    const double* vertex_weights;  // and likewise
    uint32_t layer;  // bits of the layers that it is in, default 1; see WEFT_ALL_LAYERS
    uint32_t mask;   // bits of the layers that it touches, default all; without any of its own, it
                     // passes through itself
    // Cloth that is blown up: balloons, cushions, tyres. Every edge must have two triangles, which
    // look outwards; mirrors are refused. weft_set_pressure changes it. The pressure is that over
    // the air outside, Pa. Of a gas it is that at the volume V0 of `positions`, and elsewhere
    // (outside_pressure + pressure) V0/V - outside_pressure: with the 101325 of the air around us
    // the volume hardly changes, and p follows it within seconds rather than steps; 0, the default,
    // is as in a vacuum, soft.
    WeftInflation inflation;  // default WEFT_INFLATION_NONE
    double pressure, outside_pressure;
    // kg/m^3, of what is in it, of a gas at V0; default 1.2, air. It has weight and, as all that
    // displaces air, lift: helium has 0.17, and rises. Its inertia is left out: a
    // ball that weighs less than its gas falls faster than g.
    double gas_density;

    double velocity[3];  // m/s, of all of it that is not pinned, at the start; default 0
    int pin_count;
    const int* pins;  // vertices held where they start, until released

    // N/m: force per width of cloth, above which it tears (see "Tearing and cutting"). 0 (the
    // default): it never does. Where cloth is hit fast, see WeftModelDef.tear_at_once.
    double tear_load;

    // For the study of methods (weft_study.h); leave them alone elsewhere.
    int shear;                    // WeftShear, default WEFT_SHEAR_DIAGONALS
    bool explicit_shear;          // WEFT_SHEAR_AREA by the shape at the start of the step
    int estimator;                // WeftEstimator, default WEFT_ESTIMATOR_NONE
    double estimator_weights[3];  // see weft_set_estimator; default second order
    bool unnormalised_targets;    // targets keep their length: the literal formulas 4.17 and 4.18
                                  // of the thesis, which never contract; default off
    bool uniform_mass;            // every vertex weighs the mean; default off
    int rope_strain;              // WeftStrain, default WEFT_STRAIN_ENGINEERING
} WeftClothDef;

WEFT_API WeftFabric weft_default_fabric(void);
// Constants from the measured tables, for the models and methods that know no tables: stretch_warp,
// stretch_weft, shear, poisson and bend, as the fabric is when stretched by two per cent, or hardly
// bent. With them triangles (WEFT_STRETCH_TRIANGLES) are as stiff as the tables when pulled along
// the warp, the weft and the diagonal, or as near to it as they can be. Membranes take stretch_warp
// and stretch_weft for all there is along the threads, and are softer then by what the diagonals of
// triangles carry; let them use the tables (WEFT_STRETCH_MEASURED). What was not measured stays as
// it is.
WEFT_API void weft_fit_constants(WeftFabric* fabric);
// The same in all directions, by Young's modulus in N/m (that of the material times the thickness)
// and Poisson's ratio, 0 to 0.99: sets stretch_warp, stretch_weft, poisson and shear. Membranes
// answer by both numbers; springs and triangles are as stiff, and contract by a ratio of their own.
WEFT_API void weft_set_isotropic(WeftFabric* fabric, double young, double poisson);
// Common fabrics. index from 0; NULL past the end.
typedef struct WeftFabricPreset {
    const char* name;         // "cotton_poplin", as scenes and the tool spell it
    const char* description;  // what it is, in a line
    const char* source;       // where its numbers come from
    WeftFabric fabric;
} WeftFabricPreset;
WEFT_API const WeftFabricPreset* weft_fabric_preset(int index);
// What a strip cut at `degrees` from the warp answers to being pulled along: stress over strain,
// N/m, where it is longer by `strain` (0.01: one per cent) and free to contract across. By the
// measured table where there is one, else by the constants, as membranes take them.
WEFT_API double weft_fabric_stiffness(const WeftFabric* fabric, double degrees, double strain);
// Moment over curvature, N m, of cloth that bends at `degrees` from the warp to `curvature` per
// metre.
WEFT_API double weft_fabric_bending(const WeftFabric* fabric, double degrees, double curvature);
static inline WeftClothDef weft_default_cloth_def(void) {
    WeftClothDef def;
    weft_fill_def(WEFT_DEF_CLOTH, WEFT_VERSION, sizeof def, &def);
    return def;
}
// ---------------------------------------------------------------------------------------------
// Bodies: what cloth touches, and cannot move

typedef enum WeftBodyKind {
    WEFT_BODY_PLANE,     // all below y = 0 of its own frame
    WEFT_BODY_SPHERE,    // about the origin of its frame
    WEFT_BODY_CAPSULE,   // along the y axis of its frame, about the origin
    WEFT_BODY_BOX,       // about the origin of its frame
    WEFT_BODY_MESH,      // triangles, counter-clockwise from outside; open ones have two sides
    WEFT_BODY_TAPERED,   // a capsule whose ends differ: the hull of two spheres on the y axis
    WEFT_BODY_HULL,      // the convex hull of points
    WEFT_BODY_DISTANCE,  // where a distance field is negative
} WeftBodyKind;

// A signed distance field in the frame of its body: for every place the distance to the surface in
// metres, negative inside. Either samples on a grid, linear in between, or a function. Both know a
// body within a box: from `origin` to `origin` + `cell` (counts - 1). Beyond the box is outside.
//
// Cloth touches a field at its vertices and at the middles of its edges and triangles: between
// these, what is sharper than the cloth's mesh can cut into it. Detail smaller than a cell is not
// seen. A field that is not quite a distance is fine as long as it nowhere changes faster than one
// metre per metre; where it changes more slowly, cloth hovers by so much more.
typedef struct WeftDistanceDef {
    double origin[3];  // m, corner of the box: the place of the first sample
    double cell;       // m, from sample to sample, along every axis; default 0.02
    int counts[3];     // samples along x, y and z, 2 or more of each, at most 64 million in all
    // counts[0] * counts[1] * counts[2] distances, those along x first, then y, then z. NULL: by
    // the function.
    const float* values;
    // Returns the distance at p and sets `gradient` to how it grows (of length 1, or about; zero
    // where it has none). Called by weft_create_model, and during steps from any of the threads
    // that run the model's jobs, several at a time: it may not write to what it shares. It must be
    // the same function for as long as the model lives; move the body, not the field.
    double (*distance)(void* user, const double p[3], double gradient[3]);
    void* user;
} WeftDistanceDef;

// Who touches whom. Every body and every cloth is in some layers (`layer`) and touches some layers
// (`mask`), one bit each. Two things touch where each of them is in a layer that the other touches:
//     (a.layer & b.mask) != 0 && (b.layer & a.mask) != 0
// A cloth touches itself by the same rule. WeftContact comes first: nothing touches that it leaves
// out. With a mirror, a cloth touches its own image where it touches itself. States can change both
// at run time: weft_set_body_mask, weft_set_cloth_mask.
#define WEFT_ALL_LAYERS UINT32_MAX

typedef struct WeftBodyDef {
    unsigned cookie;
    WeftBodyKind kind;
    double radius;      // sphere, capsule; tapered: of its lower end; metres, default 0.25
    double top_radius;  // tapered: of its upper end; metres, default 0.15
    // capsule, tapered: between the centres of its round ends, along y, with the origin halfway;
    // metres, default 0.5. A tapered one of which one end is inside of the other is that larger
    // sphere, where its end is.
    double length;
    double size[3];  // box: length of its sides; metres, default 0.5
    int vertex_count;
    // mesh: 3 per vertex, in its own frame. Hull: its points, 4 to 10000, in any order; those
    // inside and double ones do no harm. Corners of the hull are kept to a millionth of its size.
    // Points in a plane are refused.
    const double* positions;
    int triangle_count;
    const int* triangles;      // mesh: 3 per triangle
    WeftDistanceDef distance;  // distance field
    double friction;           // Coulomb's coefficient, default 0.3
    uint32_t layer;            // bits of the layers that it is in, default 1
    uint32_t mask;             // bits of the layers that it touches, default WEFT_ALL_LAYERS
    double position[3];        // of its frame at the start, default 0
    double rotation[4];  // of its frame at the start: a unit quaternion x y z w, default 0 0 0 1
} WeftBodyDef;

// Friction of one pair, in place of the geometric mean of both.
typedef struct WeftPairFriction {
    int cloth;
    int body;         // -1: with cloth,
    int other_cloth;  // this one; it may be the same
    double friction;  // Coulomb's coefficient, 0 to 100
} WeftPairFriction;

static inline WeftBodyDef weft_default_body_def(void) {
    WeftBodyDef def;
    weft_fill_def(WEFT_DEF_BODY, WEFT_VERSION, sizeof def, &def);
    return def;
}

// What is kept from passing through what.
typedef enum WeftContact {
    WEFT_CONTACT_NONE,    // everything passes through everything
    WEFT_CONTACT_BODIES,  // cloth and bodies
    WEFT_CONTACT_ALL,     // and cloth, itself and other cloth
} WeftContact;

// ---------------------------------------------------------------------------------------------
// Wind: the air, as a sum of parts

typedef enum WeftWindKind {
    WEFT_WIND_UNIFORM,     // `velocity` everywhere
    WEFT_WIND_GUSTS,       // `velocity`, stronger and weaker by turns: fronts `length` long that
                           // travel with it. `strength` is how far the speed strays from its mean,
                           // root mean square, over the mean: 0.3 is a gusty day. Never backwards
    WEFT_WIND_TURBULENCE,  // eddies of `length` and smaller, carried along by `velocity` and
                           // changing on their way; `strength` m/s, root mean square, beside what
                           // other parts blow: `velocity` itself is not felt. Free of divergence
    WEFT_WIND_SOURCE,      // away from `position`: `strength` m/s at the distance `length`, falling
                           // with the square of the distance; nearer, falling to 0 at the centre.
                           // Negative: towards it. Free of divergence beyond `length`
    WEFT_WIND_VORTEX,      // about `axis` through `position`, counter-clockwise seen from its tip:
                           // circulation `strength` m^2/s, core radius `length`; the speed is
                           // strength r / (2 pi (r^2 + length^2)). Free of divergence
    WEFT_WIND_GRID,        // `grid`, linear between its nodes
    WEFT_WIND_CALLBACK,    // `function`
} WeftWindKind;

// What the velocity of the air is at `count` places (3 numbers each) at a time in seconds. Called
// in every substep for all vertices that are simulated, up to 256 at a time, by the thread that
// called weft_step; `velocities` are 0 before.
typedef void WeftWindFunction(void* user, int count, const double* positions, double time,
                              double* velocities);

// One part of the wind. Places, velocities and axes are those of the world (see "Local space").
// Unused fields are ignored. The same seed blows the same way on every machine. Parts that say that
// they blow at more than 340 m/s, the speed of sound, are refused; a sum, gust, grid or callback
// that does is slowed to that.
typedef struct WeftWind {
    WeftWindKind kind;   // default WEFT_WIND_UNIFORM
    double velocity[3];  // m/s, default 0
    double strength;     // default 0
    double length;       // m, above 0; default 1
    double position[3];  // m, default 0
    double axis[3];      // of any length but 0, default y
    unsigned seed;       // another seed, another weather; default 1
    double origin[3];    // grid: where node 0 is, default 0
    double cell[3];      // grid: m between nodes, above 0; default 1
    int counts[3];       // grid: nodes along x, y and z, 2 at least
    const float* grid;   // grid: 3 m/s per node, x runs fastest, then y; read during weft_step
    bool repeats;        // grid: it goes on for ever, as if the node behind the last were the
                         // first; else it fades to nothing within a cell around it. Default off
    WeftWindFunction* function;
    void* user;
} WeftWind;

WEFT_API WeftWind weft_default_wind(void);
// The sum of all parts at `count` places, as a step at that time would have it: for leaves and
// smoke that go with the cloth, or to look at it. Parts must be good ones: weft_step says what is
// wrong with them.
WEFT_API void weft_copy_wind(int part_count, const WeftWind* parts, double time, int count,
                             const double* positions, double* velocities);

// ---------------------------------------------------------------------------------------------
// Steps: how much to spend

typedef enum WeftMethod {
    WEFT_METHOD_SYMPLECTIC,   // explicit; cheap and exact for small steps, explodes for large ones
    WEFT_METHOD_IMPLICIT,     // Newton with 3x3 blocks and conjugate gradients; the reference
    WEFT_METHOD_PREFACTORED,  // constant matrix factored once; one solve per iteration
    WEFT_METHOD_RELAXATION,   // a few sweeps over the vertices instead of a solve
    WEFT_METHOD_MATRIX_FREE,  // implicit, no matrix stored: springs keep what their forces left
    WEFT_METHOD_SMALL_STEPS,  // many small steps, in each a sweep or two over springs, triangles
                              // and contacts, in floats: real time
} WeftMethod;

// What the cloth feels of the motion of its space (see "Local space"). All 1, the default: it moves
// as it would in the world.
typedef struct WeftInertia {
    double linear;            // of the acceleration of its origin, 0 to 1: 0 nothing, 1 all of it
    double angular;           // of its turn, 0 to 1: 0, cloth turns along, and is not thrown out
    double air;               // of the air: 1, it stands in the world, and passes by; 0, it goes
                              // along, as in a carriage. `wind` comes on top. mass_damping slows
                              // what moves against the same
    double max_acceleration;  // m/s^2: more than that of `linear` is not felt; 0 (the default): all
    double max_spin;          // rad/s, likewise of `angular`
} WeftInertia;

#define WEFT_MAX_NEWTON 4   // Newton steps a schedule can name
#define WEFT_MAX_LIMITS 16  // substeps whose iterations a report can tell
#define WEFT_MAX_QUALITY 8

// How to take one step. Fields that are 0 follow `quality` (order, substeps, scheme, iterations);
// what you set wins. May change from step to step: the state is kept.
typedef struct WeftStepDef {
    unsigned cookie;
    double dt;           // seconds, default 1/60
    double gravity[3];   // m/s^2, in the world; default 0 -9.81 0
    double wind[3];      // velocity of the air, m/s, in the world; 340 (sound) at most, default 0
    double air_density;  // kg/m^3, default 1.2; 0: no air
    // Wind that differs from place to place, beside `wind`: the sum of these parts. Read during
    // weft_step; cloth does not sleep in it. With a mirror, the half that is simulated feels it,
    // and the other half its mirror image. Default none
    int wind_count;
    const WeftWind* winds;
    // m/s^2, 3 per vertex, beside gravity, in the axes of positions: fields of force, blasts,
    // motors. Read during weft_step; cloth does not sleep under them. Default NULL: none
    const double* accelerations;
    WeftInertia inertia;  // of cloth in a space that moves

    WeftMethod method;  // default WEFT_METHOD_PREFACTORED
    int quality;        // 1 (one solve per step) to WEFT_MAX_QUALITY, default 4; prefactored. Where
                        // there is contact, 1 and 2 are as 3: less would cost more
    int order;          // 1: implicit Euler, 2: BDF2; of the methods that solve; default 0
    int substeps;       // default 0. With contact, long ones are cut: to 0.05 s, in up to 8 parts
    int iterations[WEFT_MAX_NEWTON];  // per Newton step, ended by 0: {4} or {4, 12}; default 0.
                                      // Of relaxation: sweeps, default 4; of small steps: sweeps in
                                      // each, default 1 up to quality 4, else 2

    // Milliseconds that a step may take; 0 (the default): as long as it takes. The library then
    // chooses by the model's clock, which it needs: substeps and iterations of the prefactored
    // method (what is set by hand is kept), sweeps of relaxation, iterations of conjugate
    // gradients, small steps and from where on they are longer. The cheapest step there is may still take longer. What was chosen is in the
    // report; weft_repeat_step makes a def of it that takes the very same step.
    double budget_ms;
    // Most iterations in each substep, 0: no limit; default 0. Of small steps: behind so many the
    // rest of the step goes in substeps twice as long, once or several times.
    int limits[WEFT_MAX_LIMITS];

    // Stiffness to order. The stretch (0.01: one per cent) that may remain visible at rest, in a
    // cloth that hangs by a side under its own weight; hung by two corners it is two to three times
    // as much. The prefactored method then softens the fabric to the stiffness its iterations can
    // follow, but never beyond this tolerance, under its weight and under what it carries for long:
    // the pressure in it, strong wind. 0: the real stiffness, always. Default 0.01. The report says
    // what was used.
    double stretch_tolerance;
    // Cloth that touches something comes to rest: motion slower than this (m/s) dies away within a
    // few steps, as by the inner friction of real cloth, and half a second later it sleeps until
    // something wakes it: a body or a pin that moves, another gravity, wind, air density, method or
    // stretch tolerance, an edit. Not while bodies or pins move. Default 0.02; 0: it goes on for
    // ever.
    double rest_speed;
    // Keep the forces of pins and contacts of this step, to be read (weft_pin_force and others).
    // Costs one evaluation of all forces per substep, of small steps per step. Default off.
    bool forces;
    bool guard;  // refuse predictions and iterates that raise the energy; default on

    // The relative error that a solve with the constant matrix may leave. The factor is kept in
    // single precision, good for 1e-7 to 1e-5, which no eye can tell; where that is measured to be
    // too little, solves are refined in double precision, each time for the price of about another
    // solve. Default 1e-3.
    double solve_tolerance;

    // For the study of methods (weft_study.h); leave them alone elsewhere.
    int scheme;               // WeftScheme, default WEFT_SCHEME_AUTO
    int sweep;                // WeftSweep, of relaxation; default WEFT_SWEEP_GAUSS_SEIDEL
    int jacobian;             // WeftJacobian, not of the prefactored method; default
                              // WEFT_JACOBIAN_CLAMPED
    int start;                // WeftStart, default WEFT_START_AUTO
    int newton_steps;         // implicit: Newton steps per step, default 1
    double newton_tolerance;  // implicit: stop when the gradient fell to this part of the weight's;
                              // default 0: take all newton_steps, no line search
    double tolerance;         // conjugate gradients: relative residual, default 1e-4
    int max_iterations;       // conjugate gradients: default 1000
} WeftStepDef;

static inline WeftStepDef weft_default_step_def(void) {
    WeftStepDef def;
    weft_fill_def(WEFT_DEF_STEP, WEFT_VERSION, sizeof def, &def);
    return def;
}

// Time spent, in seconds, by phase. Zero without a clock.
typedef struct WeftTimes {
    double predict;  // external forces, targets, predictions
    double force;    // forces and energies inside the solve
    double build;    // Jacobians, 3x3 blocks, preconditioner
    double factor;   // factorisation, where one was due
    double solve;    // triangular solves and conjugate gradients
    double update;   // velocities, history, guard
    double body;     // contact: finding what is near bodies
    double self;     // contact: finding cloth near cloth
    double respond;  // contact: what solving with it takes beside `solve`
    double defend;   // contact: stopping what would still pass through
    double total;
} WeftTimes;

// What the last step did. With a mirror, numbers of edges and contacts are those of the half that
// is simulated.
typedef struct WeftStepReport {
    WeftTimes times;
    WeftMethod method;
    int order, substeps;  // as used
    int hurry;   // parts, 1 to 4, that each substep was cut into because much of the cloth moved
                 // fast within itself; where `substeps` is set or a budget decides, 1
    int scheme;  // WeftScheme, as used
    int iterations[WEFT_MAX_NEWTON];  // as planned, per Newton step
    int limits[WEFT_MAX_LIMITS];      // iterations that each substep took: of conjugate gradients,
                                      // of repeated solves, sweeps; of small steps, as in the def
    bool cut;                         // the budget ended some of them early
    bool late;  // the step took 1.1 budgets or more though it spent the least that is stable: this
                // scene needs more than the budget at any quality
    int sweep_count;    // sweeps of relaxation, all together
    int solve_count;    // triangular solves, refinements included
    int refinements;    // of them: corrections of other solves
    int cg_iterations;  // conjugate gradient iterations, all together
    int newton_steps;   // Newton steps, all together
    // Relative residual of the last solve: what conjugate gradients left, and with contacts what
    // neither the cloth nor they carry, over the gradient at the start. 0 where nothing of it is
    // measured: repeated solves, relaxation and explicit steps without contacts.
    double residual;
    // Every solve of the implicit and the matrix-free method left no more than `tolerance`, and
    // with newton_tolerance the gradient fell as far as that asks. A solve with contacts is bounded
    // (four rounds), and may leave more, whatever max_iterations. Methods with a fixed schedule
    // (prefactored, relaxation, explicit) promise no tolerance: always true; see residual.
    bool converged;
    int guard_count;          // iterates the guard refused
    int factor_count;         // factorisations inside this step: 0 after warm-up
    double stiffness_number;  // beta = k h^2 / m of a typical vertex, as simulated
    double stiffness_scale;   // simulated stretch stiffness over the fabric's: 1, or softened

    // contact, of the last substep
    int body_contacts, self_contacts;  // pairs near enough to be part of the solve
    int active_contacts;               // of them: with a force
    double penetration;                // m, how far thickness was not kept where substeps began;
                                       // what `tangles` counts is not in it
    // Of the whole step, all its substeps together, from here to unstopped.
    // Bodies and pins that were sent further than 50 m/s would take them. Such
    // bodies count as placed (weft_place_body). Cloth all of whose pins jump is put there with
    // them, turned as they are; other pins go as far as that, and on in the next steps. 0 without
    // contact.
    int jumps;
    // So many pairs were near that there was no time to look at all of them, and
    // cloth moved less than it would have, so that they are few enough.
    bool slowed;
    // Cloth had been thrown, and was slowed before the step: where it touches something it is no
    // faster, beside its pins, than 10 m/s and four times the fastest body.
    bool thrown;
    // Pairs of a vertex and a triangle, or of two edges, that were looked at: those whose boxes
    // overlap, what is left of them where they may come near, and those that do.
    int pairs_found, pairs_kept, pairs_near;
    int impacts;  // pairs that the solve alone would have let through
    // Vertices that impulses could not keep apart: they moved on with what carries them, and kept a
    // part of their own motion, or none.
    int zones;
    int unstopped;      // pairs that nothing could stop, as between two bodies or pins that meet,
                        // and pins that went into a body
    int broken;         // attachments that broke
    bool asleep;        // the cloth rests, and the step left it where it is
    bool tearing;       // a cut was asked for, or cloth tears, and it is not done yet
    bool torn;          // this step ended with more vertices: see "Tearing and cutting"
    int limited_edges;  // edges that a stretch limit shortened
    // Edges that are longer than their limit by more than 1 % after the step, because pins, contact
    // or what came before left no way; and a vertex of the worst of them, -1 where there are none.
    int over_limit, over_limit_vertex;
    // How far the worst vertex is beyond its max distance after the step, m, and which one; 0 and
    // -1 where all keep it. Contact with bodies and cloth, distances that were made smaller, and
    // skins that jump may leave no other way; such vertices come back within some steps.
    double over_distance;
    int over_distance_vertex;
    int leashes;  // vertices near the end of their max distance or their backstop, last substep
    // what was crossed at the start of the last substep: edges through triangles, of cloth with
    // cloth and with bodies, vertices inside bodies, pins too, and pairs that touch and could not
    // be told apart, as pins at one place; meshes have an inside where they are closed, but for
    // small holes. Such starts are brought apart over some steps. 0: all is apart; -1: not looked
    // for, because nothing can have crossed since then
    int tangles;
} WeftStepReport;

// `asked` with everything that a budget chose replaced by what `report` says was done: the same
// state then takes the same step, bit for bit, on any machine of the same kind (same_bits: on any)
// and without a clock. For recording and replaying runs. Where more than 32 pins differ from the
// model's, the model must have been prepared for the same steps.
WEFT_API WeftStepDef weft_repeat_step(const WeftStepDef* asked, const WeftStepReport* report);

// ---------------------------------------------------------------------------------------------
// Model: what does not change

typedef struct WeftModel WeftModel;
typedef struct WeftState WeftState;

// How a symmetric model is simulated by halves.
typedef enum WeftMirrorKind {
    WEFT_MIRROR_NONE,    // not at all
    WEFT_MIRROR_EXACT,   // as the whole would move, but for rounding: see below
    WEFT_MIRROR_RECIPE,  // after Jang 2019: vertices in the plane weigh what both halves have there
                         // and are pulled by one of them, nothing bends across, and the halves do
                         // not touch each other (see `closure`); for comparison
    WEFT_MIRROR_WHOLE,   // both halves are simulated, with the flaws of one (cloth that gives way
                         // is pulled aside by a thousandth of its weight, at random): what the
                         // exact half is held against
} WeftMirrorKind;

// Corrections that the recipe goes without, to study each by itself.
enum {
    WEFT_MIRROR_NO_BENDING = 1,     // across the plane
    WEFT_MIRROR_WHOLE_EDGES = 2,    // in the plane: as stiff as those of both halves
    WEFT_MIRROR_WHOLE_MASSES = 4,   // in the plane: as heavy as both halves
    WEFT_MIRROR_FREE_VERTICES = 8,  // in the plane: they may leave it
};

// What happens where cloth that is free would get to the other side of the mirror.
typedef enum WeftClosure {
    WEFT_CLOSURE_OPEN,  // the halves are kept apart, as cloth from cloth: a coat that is open. The
                        // recipe keeps nothing apart, and they pass through each other
    WEFT_CLOSURE_ZIP,   // it stays in the plane until it moves back: the halves meet there, to a
                        // hundredth of a millimetre where cloth is kept from cloth
    WEFT_CLOSURE_BUTTON,  // what is further from the fold than half of the cloth is goes on, and
                          // the image lies over it: as positions are read back, images are moved
                          // towards `front` by what it takes. They are never simulated there
} WeftClosure;

// `normal` may have any finite length but 0. The half that is simulated is the one it points into.
typedef struct WeftPlane {
    double point[3], normal[3];
} WeftPlane;

// Symmetric cloth, bodies and motion need half of the work: only what is on the side of `plane`
// that its normal points into is simulated, and the rest is its mirror image. Everything else in
// this header has and takes both halves: vertices are those of the cloth that was given, weft_pin
// pins the image, too, and what is set or moved on one side is on both. Vertices in the plane stay
// there.
//
// The exact half moves as the whole would, to rounding where solves are exact, and to their
// tolerance otherwise: masses and springs in the plane count by a half, hinges reach across it, and
// where cloth is kept from cloth, the plane stands for the other half. A whole may leave its
// symmetry by buckling; a half cannot.
//
// Refused are cloths that are not symmetric (in weft_mesh.h, weft_find_images says where, and
// weft_mirror_mesh makes them so), or pinned on one side only (WeftClothDef.pins), velocities
// across the plane, and steps with gravity or wind across it. Bodies and their motion are taken as
// they are: whoever moves them sees to it that both sides do the same.
typedef struct WeftMirror {
    WeftMirrorKind kind;  // default WEFT_MIRROR_NONE
    WeftPlane plane;      // default x = 0, the half of positive x
    double tolerance;     // m, of images (weft_find_images); default 0
    WeftClosure closure;  // default WEFT_CLOSURE_OPEN
    double front[3];      // of WEFT_CLOSURE_BUTTON: from where the closure is seen; default z
    unsigned without;     // of the exact half: corrections to leave out, for study; default 0
} WeftMirror;

typedef struct WeftModelDef {
    unsigned cookie;
    int cloth_count;
    const WeftClothDef* cloths;  // vertices are numbered through, cloth after cloth
    int body_count;
    const WeftBodyDef* bodies;
    WeftContact contact;                     // default WEFT_CONTACT_BODIES
    int pair_friction_count;                 // default 0
    const WeftPairFriction* pair_frictions;  // of pairs that differ; of two for one pair, the last
    // What states start with, attachment 0 and so on (below); default none.
    int attachment_count;
    const struct WeftAttachmentDef* attachments;
    WeftStepDef step;   // checked against the cloths, and prepared for: factors are made
    WeftMirror mirror;  // default: none
    // The same bits on every machine. Steps give the same bits for any number of threads in any
    // case; but solves use fused multiply-add where the machine has it (64-bit ARM; x86-64 since
    // about 2013; not WebAssembly), which rounds otherwise. Set this where machines of both kinds
    // must agree to the last bit; solves then take a quarter longer. Default off.
    bool same_bits;
    // Its cloth can be cut (weft_cut): the model keeps a copy of what it was made from. A cloth
    // with a tear_load needs no such word. Refused with a mirror, and for woven cloth (threads of
    // warp and weft). Default off.
    bool tearable;
    // Cloth that is cut or tears is made anew within that step, which then takes as long as several
    // do (see "Tearing and cutting"). Default off: beside the next steps, of which none does.
    bool tear_at_once;
    WeftAllocator allocator;
    WeftJobs jobs;
    WeftClock clock;

    // For the study of methods (weft_study.h); leave them alone elsewhere.
    int ordering;  // WeftOrdering, default WEFT_ORDERING_AUTO
    int matrices;  // WeftMatrices, default WEFT_MATRICES_ALL
} WeftModelDef;

static inline WeftModelDef weft_default_model_def(void) {
    WeftModelDef def;
    weft_fill_def(WEFT_DEF_MODEL, WEFT_VERSION, sizeof def, &def);
    return def;
}
WEFT_API WeftResult weft_create_model(const WeftModelDef* def, WeftModel** model, WeftError* error);
WEFT_API void weft_destroy_model(WeftModel* model);
// Make the factors that steps by `step` will need (with a budget: those of all it may choose), so
// that no state has to make its own. No other thread may use the model meanwhile.
WEFT_API WeftResult weft_prepare_model(WeftModel* model, const WeftStepDef* step, WeftError* error);
// For steps whose dt varies. The factors of a few lengths serve all others: this makes those that
// steps by `step` with a dt from `shortest` to `longest` (seconds, at most 100 times as long) will
// need; from 1/120 to 1/30 s there are six. Without it, a state makes each of them in the first
// step that needs it, and keeps up to eight. No other thread may use the model meanwhile.
WEFT_API WeftResult weft_prepare_lengths(WeftModel* model, const WeftStepDef* step, double shortest,
                                         double longest, WeftError* error);

WEFT_API int weft_vertex_count(const WeftModel* model);
// Vertices that are simulated: all of them, or with a mirror those of one half.
WEFT_API int weft_simulated_count(const WeftModel* model);
WEFT_API int weft_triangle_count(const WeftModel* model);
WEFT_API const int* weft_triangles(const WeftModel* model);  // 3 per triangle
WEFT_API int weft_edge_count(const WeftModel* model);
// 2 per edge of a triangle, and per segment of a rope
WEFT_API const int* weft_edges(const WeftModel* model);
WEFT_API int weft_cloth_count(const WeftModel* model);
WEFT_API int weft_first_vertex(const WeftModel* model, int cloth);  // cloth_count: vertex_count
WEFT_API const double* weft_masses(const WeftModel* model);         // kg per vertex
// How many vertices of a cloth are at one place with others that weft_weld_mesh would join them
// with. Not 0: the cloth has seams that are not sewn, and comes apart there.
WEFT_API int weft_unwelded_count(const WeftModel* model, int cloth);
// m per vertex: what cloth keeps from cloth at most. The fabric's thickness, or where that is less
// 0.6 of the distance from the vertex to the opposite sides of its triangles, or to the next
// vertices of its rope, in the rest shape: cloth that kept more from itself would inflate. A pair
// keeps the least of its vertices. NULL where the model looks for no contact.
WEFT_API const double* weft_layer_thickness(const WeftModel* model);
// Memory held, about: with what steps need while they are taken, of which there is as much as steps
// of its states were ever taken at once.
WEFT_API size_t weft_model_bytes(const WeftModel* model);
// Equal for models of the same cloths, at rest and as terms, and the same bodies: saved states of
// the one are good for the other.
WEFT_API uint64_t weft_model_fingerprint(const WeftModel* model);

// ---------------------------------------------------------------------------------------------
// State: what moves

// At the model's positions, at rest, time 0, the model's pins set.
WEFT_API WeftResult weft_create_state(const WeftModel* model, WeftState** state, WeftError* error);
WEFT_API void weft_destroy_state(WeftState* state);
// As it was created: it then takes the same steps to the same bits. Memory and factors are kept.
WEFT_API void weft_reset_state(WeftState* state);
WEFT_API const WeftModel* weft_state_model(const WeftState* state);
// Memory held, about: what it keeps between steps.
WEFT_API size_t weft_state_bytes(const WeftState* state);
// Make `to` equal to `from`; both of the same model. Takes memory where `from` is torn, or has
// attachments as `to` never had; the next step fails for what was lacking.
WEFT_API void weft_copy_state(WeftState* to, const WeftState* from);
// Let `to` go on where `from` is, though its model is another one: the same vertices of another
// fabric, say. Positions, velocities, history, pins and time are taken over; the memory of an
// estimator starts anew. Both models have the same number of vertices; either may have a mirror,
// and simulate only half of them. Where both can be cut (`tearable`) and have the same triangles,
// `to` is torn as `from` is, which takes as long as creating a model does.
WEFT_API void weft_continue_state(WeftState* to, const WeftState* from);
// All that moves as plain bytes, for saving: the same kind of machine and version read it back
// exactly. They carry the model's fingerprint and a checksum: those of another model or version,
// and those of which a bit is not as it was, are refused.
WEFT_API size_t weft_saved_size(const WeftState* state);
WEFT_API void weft_save_state(const WeftState* state, void* bytes);
WEFT_API WeftResult weft_load_state(WeftState* state, const void* bytes, size_t byte_count,
                                    WeftError* error);
// A fingerprint of all that moves: equal states, equal hashes.
WEFT_API uint64_t weft_hash_state(const WeftState* state);

// Take one step of step->dt. Fails only for lack of memory (in a first step), for a combination
// that makes no sense, for values that were refused since the last step (below), or where a vertex
// would get to a place that is not a number, or 1e9 m away; the message names it. The state is then
// as before. A step that succeeds leaves finite numbers only.
WEFT_API WeftResult weft_step(WeftState* state, const WeftStepDef* step);

WEFT_API const WeftStepReport* weft_report(const WeftState* state);  // of the last step
WEFT_API const WeftError* weft_state_error(const WeftState* state);  // of the last failed step

// Whatever follows takes no values that are not numbers: neither positions of vertices, pins and
// bodies of more than 1e6 m, nor velocities of more than 1e5 m/s (in x, y or z), nor rotations
// without length. A call with such a value changes nothing, and the next step fails with a message
// that names the vertex or body, once; unless the same is called before it with good values.

// Pins may come and go at any time: each costs the next step less than a tenth of a solve. Where
// more than 32 vertices differ from the pins that the model was made with, a new factor is made
// beside the steps, in up to 32 pieces; only where more than 64 change at once a step has to wait
// for it.

// Hold a vertex where it is. From the next step on it moves only as weft_move_pin says.
WEFT_API void weft_pin(WeftState* state, int vertex);
// Where a pinned vertex shall be at the end of the next step; it goes there in a straight line.
// Above 50 m/s it jumps: see `jumps` in the report.
WEFT_API void weft_move_pin(WeftState* state, int vertex, const double position[3]);
// The same along an arc: as a point of a frame that turns by `rotation` on its way (a unit
// quaternion x y z w; by half a turn at most), about the axis that this motion has. Pins that are
// told the same rotation keep their distances, and those of bodies that turn by it. A turn by more
// than 22.5 degrees in a substep cuts the substeps in up to 16 parts.
WEFT_API void weft_turn_pin(WeftState* state, int vertex, const double position[3],
                            const double rotation[4]);
// Hold a vertex where it is now in the frame of a body: from the next step on it goes where the
// body goes (weft_move_body, weft_place_body), turns with it as weft_turn_pin does, and never
// leaves its place there, until it is released, or moved by itself. The shape of the body does not
// count, nor whether it is touched. Vertices that stay attached belong into `pins` of their cloth
// as well: the factor is made with those, and others cost a part of every solve.
WEFT_API void weft_attach_pin(WeftState* state, int vertex, int body);
// Let go of a vertex; it keeps the velocity of its pin.
WEFT_API void weft_unpin(WeftState* state, int vertex);
WEFT_API bool weft_is_pinned(const WeftState* state, int vertex);

// Attachments. A point of the cloth, a vertex or inside a triangle, is held to a place, to a body
// or to another point of cloth, rigidly or by a spring: hands and mice, hooks, buttons, loads. They
// come and go at any time, are part of every solve, and are saved with the state. docs/attach.md
// has examples. A vertex that is held for good is better a pin: exact, and cheaper.
#define WEFT_MAX_ATTACHMENTS 256  // of a state

typedef enum WeftAttachTo {
    WEFT_ATTACH_TO_PLACE,  // in space; moved by weft_move_attachment
    WEFT_ATTACH_TO_BODY,   // in the frame of a body: goes where it goes, and turns with it
    WEFT_ATTACH_TO_CLOTH,  // another point of this cloth, or of another one
} WeftAttachTo;

typedef struct WeftAttachmentDef {
    unsigned cookie;
    // The point: up to three vertices, -1 where there are no more, and their weights, 0 to 1, which
    // sum up to 1. Default: no vertex, which is refused, and the weights 1 0 0.
    int vertices[3];
    double weights[3];
    WeftAttachTo to;        // default WEFT_ATTACH_TO_PLACE
    int body;               // of WEFT_ATTACH_TO_BODY; default 0
    bool here;              // the end is where the point is now, default on; else it is at
    double place[3];        // m, in space, or in the frame of the body; default 0
    int other_vertices[3];  // of WEFT_ATTACH_TO_CLOTH, as above. Both points are brought together
    double other_weights[3];
    // m. 0, the default: the point is held at its end. Else a line of this length, as a cord is: it
    // pulls where the point is further away, and does nothing where it is not.
    double length;
    // N/m: force over distance. 0, the default: rigid. That is a spring, too, so stiff that the
    // point is off by less than 0.1 mm under what cloth carries; in relaxation, whose sweeps cannot
    // follow that, it is some fifty times as stiff as an edge. Explicit steps take no more than is
    // stable. Stiffer springs than that, up to 1e15 N/m, are as rigid ones.
    double stiffness;
    double
        damping;  // N s/m: force over the speed at which point and end part, default 0; of springs
    double most;  // N, the force that it can take; 0, the default: any
    // What happens above that. Default on: it breaks, behind the step that has found so, in which
    // it pulled with all of it. It is then as if detached, but keeps its number until weft_detach;
    // see `broken` in the report. Off: the force stays there, and the point follows as it can: a
    // hand that pulls at cloth behind a body neither tears nor drags it through.
    bool breaks;
} WeftAttachmentDef;
static inline WeftAttachmentDef weft_default_attachment_def(void) {
    WeftAttachmentDef def;
    weft_fill_def(WEFT_DEF_ATTACHMENT, WEFT_VERSION, sizeof def, &def);
    return def;
}

// From the next step on. *attachment is its number, the lowest that is free; -1 on failure. The
// first one of a state takes memory for all. Contact goes on as before, and is stronger: an end that
// is inside of a body presses its point against it. With a mirror, what is attached on one side is
// on both; points on two sides cannot be attached to each other. Ends stay where they are when
// weft_set_positions moves the cloth, and those at bodies go with weft_place_body, as do cloths that
// are held by nothing else. `error` may be NULL.
WEFT_API WeftResult weft_attach(WeftState* state, const WeftAttachmentDef* def, int* attachment,
                                WeftError* error);
// The number is free then.
WEFT_API void weft_detach(WeftState* state, int attachment);
// Where the end, in space or in the frame of its body, shall be at the end of the next step: it
// goes there in a straight line, at no more than 50 m/s. Not of WEFT_ATTACH_TO_CLOTH.
WEFT_API void weft_move_attachment(WeftState* state, int attachment, const double place[3]);
WEFT_API bool weft_is_attached(const WeftState* state, int attachment);  // not where it broke

// Forces read back, N: the mean of the last step, that is, the impulse that was given over its dt;
// in sums over steps they balance the momentum of the cloth: to 1 % by the implicit methods; by the
// prefactored one, whose steps are not solved to the end, at rest, and to a tenth of the weight
// while cloth swings. Those of attachments are always there. The others are kept by steps with
// `forces`, and zero after others; after steps in which the cloth sleeps they are those of the last
// one in which it did not. They are not saved with a state.
//
// What the attachment does to its point. Its end gets the opposite.
WEFT_API void weft_attachment_force(const WeftState* state, int attachment, double force[3]);
// What a pin does to its vertex: it carries the vertex, too. Zero where there is no pin.
WEFT_API void weft_pin_force(const WeftState* state, int vertex, double force[3]);
// What the cloth does to a body, pressure and friction, and what was stopped at it, all vertices
// together: the force, and the torque about the body's frame, N m (or NULL). Without attachments.
WEFT_API void weft_contact_force(const WeftState* state, int body, double force[3],
                                 double torque[3]);
// What bodies and other cloth do to every vertex: 3 per vertex. Zero at pins.
WEFT_API void weft_copy_contact_forces(const WeftState* state, double* forces);

// Where a body shall be at the end of the next step: its frame's position and rotation (a unit
// quaternion). It goes there evenly, on an arc where it turns (see weft_turn_pin), and drags along
// what touches it. Above 50 m/s it jumps, and counts as placed: see `jumps` in the report.
WEFT_API void weft_move_body(WeftState* state, int body, const double position[3],
                             const double rotation[4]);
// Where the vertices of a mesh shall be at the end of the next step, in the frame of the body.
WEFT_API void weft_deform_body(WeftState* state, int body, const double* positions);
// Put a body somewhere else at once: no motion, nothing is dragged along. Pins that are attached to
// it go along, and with them cloth that has no other pins, turned as the body is.
WEFT_API void weft_place_body(WeftState* state, int body, const double position[3],
                              const double rotation[4]);
// The same of the shape of a mesh: its vertices, in the frame of the body.
WEFT_API void weft_place_shape(WeftState* state, int body, const double* positions);
// ---------------------------------------------------------------------------------------------
// Animation: cloth that keeps to a skin
//
// The skin of a cloth says where each of its vertices would be if it were animated and not
// simulated. You hand it over for every step; the cloth then stays within max_distance of it,
// before its backstops, and is driven towards it, by the maps of WeftClothDef. All of that is part
// of the solve, as contacts are (without friction) and as springs; nothing is moved afterwards.
// Where not all can be had, bodies and other cloth win over backstops, these over max distances,
// and all of them over the cloth, which is stretched. At the start the skin is where the cloth is.
//
// `cloth` counts from 0, and arrays have its vertices only: 3 numbers for each of
// weft_first_vertex(model, cloth) and so on. Of cloth that is torn they stay as they were: those of
// the model that the state was created with. A cloth without a skin is left as it is. With a
// mirror, the maps and the skin of the half that is simulated count.

// Where the skin shall be at the end of the next step, and the unit normals of its front, for
// backstops. It goes there evenly, in straight lines. `normals` may be NULL: those of the
// triangles. Above 50 m/s it jumps: where all of a cloth's skin does, the cloth is put there with
// it, turned as it is; see `jumps` in the report.
WEFT_API void weft_move_skin(WeftState* state, int cloth, const double* positions,
                             const double* normals);
// Put the skin somewhere else at once, the cloth with it: no motion, nothing is dragged along.
WEFT_API void weft_place_skin(WeftState* state, int cloth, const double* positions,
                              const double* normals);
// The same of a cloth with bones, which the skin follows by linear blending: 12 numbers per bone,
// where its frame shall be, as in WeftClothDef.
WEFT_API void weft_move_bones(WeftState* state, int cloth, const double* frames);
WEFT_API void weft_place_bones(WeftState* state, int cloth, const double* frames);
// Where the skin is now, and its normals; either may be NULL. Zeros of a cloth without a skin.
WEFT_API void weft_copy_skin(const WeftState* state, int cloth, double* positions, double* normals);

// Other maps than those of the model, from the next step on, one number per vertex; NULL: those of
// the model. What is then too far away comes back within some steps. Vertices whose distance gets
// 0, or is no longer 0, are pinned and released: many at once cost a new factor (see weft_pin).
WEFT_API void weft_set_max_distance(WeftState* state, int cloth, const double* distances);
WEFT_API void weft_set_backstop(WeftState* state, int cloth, const double* radii,
                                const double* distances);
// To blend simulation in and out: every max distance times `distance` (0 to 1000; 0: all of it that
// is not free goes where its skin is, as pins), every drive times `drive` (0 to 1). Both are 1 at
// the start, and cost nothing to change.
WEFT_API void weft_scale_animation(WeftState* state, int cloth, double distance, double drive);
// Change, from the next step on, in which layers a body or a cloth is and which ones it touches
// (see WEFT_ALL_LAYERS). A body in no layer is switched off: it goes on moving, and pins that are
// attached to it go along. What is inside of one that is switched on, or crossed by it, is brought
// out over some steps, as where a body was placed.
WEFT_API void weft_set_body_mask(WeftState* state, int body, uint32_t layer, uint32_t mask);
WEFT_API void weft_set_cloth_mask(WeftState* state, int cloth, uint32_t layer, uint32_t mask);

WEFT_API int weft_body_count(const WeftModel* model);
// A body as triangles, for drawing and writing: round ones are cut into facets whose corners lie on
// the surface, fields into some 40 cells along their longest side; a plane becomes a square of 20
// m.
WEFT_API int weft_body_vertex_count(const WeftModel* model, int body);
WEFT_API int weft_body_triangle_count(const WeftModel* model, int body);
WEFT_API const int* weft_body_triangles(const WeftModel* model, int body);  // 3 per triangle
// Where its vertices are now: 3 doubles per vertex.
WEFT_API void weft_copy_body(const WeftState* state, int body, double* positions);

// Put vertices somewhere else without any motion of the old place being remembered as speed:
// `positions` for all vertices, velocities kept. Pins move along. The next step looks for what is
// crossed. Setting what is there already does and costs nothing, of positions as of velocities.
// With a mirror, those of the half that is simulated count, and the other half follows.
WEFT_API void weft_set_positions(WeftState* state, const double* positions);
WEFT_API void weft_set_velocities(WeftState* state, const double* velocities);
// Hit vertices: `impulses` in N s, 3 for each of `count` vertices from `first` on; each is faster
// at once by its impulse over its mass. Pinned ones stay. More than 1e5 m/s is refused. With a
// mirror, impulses on the half that is simulated count, and its image is hit likewise.
WEFT_API void weft_add_impulses(WeftState* state, int first, int count, const double* impulses);
// The pressure of a cloth that is blown up (WeftClothDef.inflation), Pa, -1e7 to 1e7; of a gas, as
// there: more or less of it. Where it is far more than ever before, the next step makes a factor
// (stretch_tolerance): seldom, as one serves up to four times the pressure.
WEFT_API void weft_set_pressure(WeftState* state, int cloth, double pressure);
// Its volume, m^3, and the pressure of the last step. Either may be NULL.
WEFT_API void weft_copy_inflation(const WeftState* state, int cloth, double* volume,
                                  double* pressure);
// Wake cloth that sleeps, where something changed that the state cannot know of.
WEFT_API void weft_wake(WeftState* state);

// ---------------------------------------------------------------------------------------------
// Local space: cloth in a frame that moves
//
// Positions, pins and bodies of a state are those in a frame, its space, which may go anywhere in
// the world: with a character, a carriage, a ship. What stands in it needs no calls; numbers stay
// small and exact however far it goes. At first it is the world itself.
//
// The cloth moves as it would in the world: it is left behind, thrown forwards and outwards by
// inertia, and gravity and wind turn about it. (The step is taken in a frame that goes along evenly
// and does not turn, and its history is moved there; there are no formulas for Coriolis. Where
// solves are exact, it is the motion in the world to rounding.) WeftInertia has less of it. What
// judges speeds (rest_speed, jumps above 50 m/s, the guard, the kinetic energy) sees those
// against the origin of the space, and so do weft_velocities and weft_set_velocities: velocities in
// the axes of the space, less that of its origin. What stands in a space that turns has some.
//
// A space that goes on evenly lets cloth sleep; one that is accelerated or turns wakes it. With a
// mirror it may be accelerated along the plane and turn about its normal, and others are refused.

// Where the space shall be at the end of the next step: position and rotation (a unit quaternion)
// of its frame in the world, up to 1e9 m away. It goes there evenly. Without a call it stands.
WEFT_API void weft_move_space(WeftState* state, const double position[3], const double rotation[4]);
// Put it somewhere else at once, at the start or to teleport: nothing in it feels that, and the
// next step takes the velocity of the space as it is, however fast it was before. Velocities in the
// space are kept; weft_set_velocities ends them.
WEFT_API void weft_place_space(WeftState* state, const double position[3],
                               const double rotation[4]);
// Where it is.
WEFT_API void weft_copy_space(const WeftState* state, double position[3], double rotation[4]);
// Move all cloth, its pins and the bodies within the space at once: what was at x is at rotation x
// + position. keep: velocities are turned along; else all is at rest there. Turned cloth wakes.
// With a mirror, only along its plane and about its normal; other motion is refused.
WEFT_API void weft_teleport(WeftState* state, const double position[3], const double rotation[4],
                            bool keep);

WEFT_API double weft_time(const WeftState* state);
WEFT_API const double* weft_positions(const WeftState* state);
WEFT_API const double* weft_velocities(const WeftState* state);
// For renderers. `normals` may be NULL; both hold 3 floats per vertex.
WEFT_API void weft_copy_floats(const WeftState* state, float* positions, float* normals);

// Energies in joules, always of the conventional model at the fabric's real stiffness, and
// stretch as length over rest length of edges.
typedef struct WeftMeasure {
    double kinetic, gravity, stretch, bend, total;
    double max_stretch;  // largest length over rest length
    double p99_stretch;  // 99 % of the edges are below it
    double max_speed;    // m/s
} WeftMeasure;
WEFT_API WeftResult weft_measure(const WeftState* state, const double gravity[3],
                                 WeftMeasure* measure);

// A number per vertex, to be shown as a colour.
typedef enum WeftField {
    WEFT_FIELD_STRETCH,    // length over rest length, less 1, of the edge there that is worst off
    WEFT_FIELD_CURVATURE,  // 1/m: 1/R on a cylinder of radius R or a rope bent so, 2/R on a sphere
    WEFT_FIELD_SPEED,      // m/s
} WeftField;
// `values` has room for one float per vertex.
WEFT_API WeftResult weft_copy_field(const WeftState* state, WeftField field, float* values);

// ---------------------------------------------------------------------------------------------
// Tearing and cutting
//
// Cloth comes apart along edges of its triangles, where it is cut, or where it carries more than
// its tear_load. Vertices there are split: each part of the cloth keeps one of its own, at the same
// place and with the same velocity. The state then has a model of its own, weft_state_model, which
// goes with it; the model that it was created with stays as it is, and so do its other states.
//
// Vertices keep their numbers within their cloth, and new ones come behind them; so the vertices of
// later cloths move up: weft_first_vertex of the new model, and weft_torn_to. Triangles keep their
// numbers, their order and their shape at rest; only their corners name other vertices. Who draws
// the cloth takes the new triangles, and gives new vertices what the one has that they were split
// from.
//
// The new model is made beside the steps: the cloth is whole until the end of the fourth step
// behind the call, with contact of the fifth, and of later ones below the default quality, whose
// steps bear less. None of these takes longer than three usual ones. With WeftModelDef.tear_at_once
// all is made in one step: a cut is done at the end of the first one behind the call. report->torn
// says that a step has ended with new vertices, and arrays per vertex (WeftStepDef.accelerations,
// positions) have another length from then on. What is asked for meanwhile begins when that is
// done.
//
// What is pinned stays so, on both sides of a cut. Ropes, bands and folds hold: vertices on them
// are not split. A single edge inside of the cloth opens nothing, since its ends stay joined; it
// opens together with the next one beside it. Estimators (weft_study.h) start anew.
//
// Both sides of a cut keep to the skin that the vertex had: its positions and maps are handed over
// as before. A piece of a cloth with pins, or with max distances of 0, that is cut off from all of
// these keeps to its skin no longer, and falls. Cloth that is blown up is empty at once when it is
// torn: it has no pressure and no volume any more, whatever weft_set_pressure says.
//
// Copies, saved bytes and hashes know what is torn. Bytes of a torn state go into any state of the
// model that it was created with, whether torn or not; loading and copying then take as long as
// creating a model does. weft_reset_state makes the cloth whole again, and takes as long. A state
// goes on in another model that can be cut and has the same triangles (weft_continue_state). It
// cannot go on in one of other vertices: the next step of `to` fails then and says so, and
// weft_transfer_state fails.

typedef struct WeftCutDef {
    int cloth;  // which one to cut; default -1: all that the line meets
    // A line in space, 3 numbers per point: the cloth is cut along the edges nearest to it, where
    // it is now. Where the line leaves the cloth, or ends beyond it, the cut goes on to the border.
    // NULL: none.
    int point_count;
    const double* points;
    double reach;  // m: cloth further from the line is left alone; default 0: a mean edge
    // Or vertices, each joined with the next by an edge, which are cut. NULL: none.
    int vertex_count;
    const int* vertices;
} WeftCutDef;

WEFT_API WeftCutDef weft_default_cut_def(void);
// Cut a state whose model is `tearable`. *edge_count: edges that were not cut before; 0 where there
// is no cloth along the line, as where a sword misses: that is no error. It may be NULL, and so may
// `error`. Fewer than 2 points or vertices are refused.
WEFT_API WeftResult weft_cut(WeftState* state, const WeftCutDef* def, int* edge_count,
                             WeftError* error);
// The vertex of the model that the state was created with, which a vertex of the state's model is,
// or was split from; the same number while nothing is torn.
WEFT_API int weft_torn_from(const WeftState* state, int vertex);
// The number that a vertex of that model has now; another one only where an earlier cloth is torn.
WEFT_API int weft_torn_to(const WeftState* state, int vertex);

#ifdef __cplusplus
}
#endif

#endif
