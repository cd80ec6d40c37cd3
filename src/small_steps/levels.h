// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Coarse levels: stretch that does not depend on the mesh. In a sweep tension travels by one edge,
// so that cloth that hangs by L from edges of e is stretched by some L g h^2/e^2, however stiff it
// is. Levels carry it further: subsets of the vertices, each with about a quarter of those of the
// one before, as far from each other as they get, where neighbours pull each other as soon as they
// are further apart than the cloth between them is long.
//
//     level 2     o-----------------------o      pulls as long as the distance along the cloth
//     level 1     o-----------o-----------o
//     cloth       o--o--o--o--o--o--o--o--o      how far a member goes, its neighbourhood goes
//
//     L:   from the coarsest level to the finest
//              one sweep of its pulls (pull_sweep.h), with the masses M_c = m_c + sum P_ic m_i
//              members on bodies go back in front of their planes
//              the rest of the next finer level follows: x_i += sum P_ic (x_c - x_c before L)
//
// Pulls are straight and shorter than the cloth wherever that is folded or bent, and do nothing
// there: wrinkles, compression and bending are none of their business. On a body of the curvature
// 1/R cloth of the length L has the chord 2 R sin(L/2R), about L/(1 + s^2/6 + 0.075 s^4) with
// s = L/2R, so that what lies on one pulls from there on; s comes from the normals at both ends. As
// masses are spread by the same weights as motion, L keeps the momentum.
//
// Pulls always go in the same order: sweeps that turn round from substep to substep shake the cloth
// at half of their rate (a sheet of 33 x 33 that hangs by a side flew apart).
//
// What is left is the single edge at a pin, and the limit takes that: every edge pulls where it is
// longer than LONGEST and by what the cloth's own weight does to it.

#ifndef WF_SMALL_STEPS_LEVELS_H
#define WF_SMALL_STEPS_LEVELS_H

#include "mesh/way.h"
#include "small_steps/contact.h"
#include "small_steps/local.h"

enum { WF_MOST_LEVELS = 4, WF_LEVEL_WEIGHTS = 4 };

// How the others follow a level's members: those of the next finer one, or all vertices.
typedef struct WfLevelSpread {
    int count;
    int* vertices;   // ranks, or numbers of vertices
    int* members;    // WF_LEVEL_WEIGHTS each: ranks,
    float* weights;  // whose sum is 1
} WfLevelSpread;

// The first members, by rank.
typedef struct WfCoarseLevel {
    int member_count;
    double radius;  // m: no vertex is further from a member
    float* masses;  // per member, kg
    WfLocal pulls;  // between ranks
    WfLevelSpread spread;
} WfCoarseLevel;

typedef struct WfLevels {
    int count;                            // 0: none
    int member_count;                     // of the finest
    int* members;                         // vertices, by rank
    int* ranks;                           // per vertex: its rank, or -1
    float* masses;                        // per member: its own
    WfCoarseLevel level[WF_MOST_LEVELS];  // finest first
    WfLocal limit;                        // of edges
} WfLevels;

typedef struct WfLevelsDef {
    const WfWayMesh* mesh;  // with the pins of the model
    const double* masses;   // per vertex, kg
    const double* shares;   // per vertex, N m: its area times what warp and weft have, in the mean
} WfLevelsDef;

// Cloth of a handful of vertices has no levels. WEFT_ERROR_MEMORY without memory.
WeftResult wf_levels_create(const WeftAllocator* allocator, const WfLevelsDef* def,
                            WfLevels* levels);
void wf_levels_destroy(const WeftAllocator* allocator, WfLevels* levels);
size_t wf_levels_bytes(const WfLevels* levels);

// Adds the shares of these terms. x: scratch, 3 per vertex.
void wf_levels_fabric(int term_count, WfTerm* const* terms, double* x, double* shares);

// A plane, and the member in front of it.
typedef struct WfLevelPlane {
    int rank, plane;
} WfLevelPlane;

// What levels need in a step. Arrays of points have idle ones behind the members.
typedef struct WfLevelsWork {
    WfPoint4* x;        // per member; w: 1/kg, of the level that is at work
    WfPoint4* begun;    // where L began; w: the part of its mass that moves: 1, or less where held
    WfPoint4* moved;    // since then
    WfPoint4* normals;  // of planes that members touch; w: 1 where there is one
    const WfPlane* mirror;  // whose vertices stay in it, or NULL
    float* lengths;         // of all pulls, as the bodies below them are curved
    bool curved;            // some are not their own
    int plane_count, plane_capacity;
    WfLevelPlane* planes;
} WfLevelsWork;

// Most planes: per vertex.
void wf_levels_layout(const WfLevels* levels, int most_planes, WfArena* arena, WfLevelsWork* work);
// Substeps to come find the cloth in front of these planes.
void wf_levels_begin(const WfLevels* levels, const WfPoint4* x, int vertex_count,
                     const WfNearPlanes* planes, WfLevelsWork* work);
// L, in substep `index` of the round; job: of the cloth.
void wf_levels_move(const WfLevels* levels, const WfLocalJob* job, const WfNearPlanes* planes,
                    int index, WfLevelsWork* work);
// The limit.
void wf_levels_limit(const WfLevels* levels, const WfLocalJob* job);

#endif
