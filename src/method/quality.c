// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "method/quality.h"

#include <math.h>
#include <string.h>

#include "method/method.h"
#include "weft/weft_study.h"

// Each level is the best found for its cost, by the worst of three motions (below; `weft bench
// quality`): swing in air / in still air, collapse in both, drape, mm; time over that of one solve
// twice (4225 vertices).
//
//     2 x one solve  1    76/171 147/115 91    2 x A 4    2.9  38/66  84/ 89 57
//     4 x one solve  1.9  56/108 100/ 96 66    2 x A 5    3.3  30/82 131/141 59
//     1 x A 4        1.2  60/ 74 149/178 106   3 x A 3    3.9  30/68 216/195 63
//     1 x A 2+2      1.6  61/107  89/116 88    3 x A 4    4.3  30/57  78/ 87 64
//     1 x A 3+3      2.0  46/105 114/ 83 87    4 x A 4    5.6  27/51  74/115 65
//     1 x A 8        2.0  44/ 89 152/162 58    4 x JAJ 4  9.0  24/63  61/ 83 60
//     2 x A 3        2.5  40/ 76 178/136 61    8 x JAJ 4   18  19/38  56/ 88 59
//
// Odd numbers of iterations, and fewer than four, hold up what falls: conjugate gradients that end
// early move what is soft, and cloth is soft across, least of all. A second preconditioner for that
// (A without stretch, between the diagonal blocks of H) brings A 3+3 from 111 to 60 mm in the
// collapse, but costs as much as the next level, which is closer in everything.
static const WfLevel levels[WEFT_MAX_QUALITY] = {
    {2, 1, WEFT_SCHEME_REPEAT, {1}, "order 2, 1 substep, one solve"},
    {2, 2, WEFT_SCHEME_REPEAT, {1}, "order 2, 2 substeps, one solve each"},
    {2, 1, WEFT_SCHEME_A, {2, 2}, "order 2, 1 substep, A 2+2"},
    {2, 2, WEFT_SCHEME_A, {4}, "order 2, 2 substeps, A 4"},
    {2, 3, WEFT_SCHEME_A, {4}, "order 2, 3 substeps, A 4"},
    {2, 4, WEFT_SCHEME_A, {4}, "order 2, 4 substeps, A 4"},
    {2, 4, WEFT_SCHEME_JAJ, {4}, "order 2, 4 substeps, JAJ 4"},
    {2, 8, WEFT_SCHEME_JAJ, {4}, "order 2, 8 substeps, JAJ 4"},
};

const WfLevel* wf_level(int quality) { return &levels[quality - 1]; }

// What single solves leave to contact costs more than it would have cost them.
enum { LEAST_TOUCHING_LEVEL = 3 };

const WfLevel* wf_level_of(const WfSystem* s, int quality) {
    bool raised = s->touches && s->has_nonlinear && quality < LEAST_TOUCHING_LEVEL;
    return wf_level(raised ? LEAST_TOUCHING_LEVEL : quality);
}

// The same front for a budget, which gives as many iterations as there is time for. `least` is from
// where on a rung is better than the one below, and below it they go on until there.
//
// Distance to the motion itself, over that of 1 x A 4, by time, over that of 1 x A 4; geometric
// means of a cloth in gusts and one that swings by two corners (625 to 5476 vertices, 2000 N/m,
// softened as their iterations say):
//
//     1 x one solve  0.28  3.75     1 x A 8 + 2   2.0  0.62     2 x A 8 + 12   7.0  0.34
//     2 x one solve  0.56  1.90     1 x A 8 + 4   2.3  0.62     4 x A 8 + 2    8.1  0.33
//     1 x A 2        0.70  1.31     2 x A 5       2.3  0.58     4 x A 8 + 4    9.3  0.31
//     1 x A 5        1.15  0.82     2 x A 6       2.6  0.55
//     1 x A 8        1.6   0.72     2 x A 8 + 2   4.1  0.41
//
// Dropped: 1 x A 1 (0.60 at 1.7), two solves in a substep, A 7 in two substeps, 4 x A 8 (6.3 at
// 0.42), JAJ in one or two substeps. More than about 10 iterations in one Newton step gain nothing:
// 2 x A 10, 16, 24 are at 0.47, 0.50, 0.58, with a second Newton step after the eighth at 0.41,
// 0.44, 0.33.
//
// Cloth that may touch something takes A 3 or more: what single solves leave to the last defence
// costs more than it would have cost them, and gains energy. Its rounds are never cut
// (method/touch.c).
typedef struct Rung {
    int substeps;
    WeftScheme scheme;
    int iterations[WEFT_MAX_NEWTON], least;
    int touching;  // the same as `least`, where something touches
} Rung;

static const Rung rungs[] = {
    {1, WEFT_SCHEME_REPEAT, {1}, 1, 1},  {2, WEFT_SCHEME_REPEAT, {1}, 1, 1},
    {1, WEFT_SCHEME_A, {3}, 2, 6},       {1, WEFT_SCHEME_A, {7}, 4, 14},
    {2, WEFT_SCHEME_A, {8, 24}, 4, 12},  {4, WEFT_SCHEME_A, {8, 24}, 10, 20},
    {4, WEFT_SCHEME_JAJ, {4, 4}, 8, 12},
};
enum { LEAST_TOUCHING_RUNG = 2 };

int wf_rung_count(const WfSystem* s) {
    return s->has_nonlinear ? (int)(sizeof rungs / sizeof *rungs) : 2;
}

int wf_rung_least(int rung, bool touching) {
    return touching ? rungs[rung].touching : rungs[rung].least;
}

int wf_lowest_rung(const WfSystem* s) {
    return s->touches && wf_rung_count(s) > LEAST_TOUCHING_RUNG ? LEAST_TOUCHING_RUNG : 0;
}

WeftStepDef wf_rung_step(const WfSystem* s, const WeftStepDef* asked, int rung) {
    WeftStepDef def = *asked;
    def.substeps = rungs[rung].substeps;
    def.scheme = rungs[rung].scheme;
    memcpy(def.iterations, rungs[rung].iterations, sizeof def.iterations);
    return wf_resolve_step(s, &def);
}

const char* weft_quality_text(int quality) {
    return quality >= 1 && quality <= WEFT_MAX_QUALITY ? levels[quality - 1].text : NULL;
}

// ---------------------------------------------------------------------------------------------

// Stiffness to order. Cheap steps cannot follow stiff cloth: their artificial inertia, of relative
// size B = k dt^2/(rho L^2) for motion of the cloth's own size L, freezes it, and the same steps on
// a softer cloth come closer to the motion of the stiff one. So the stiffness is lowered to what
// the iterations can follow, but never so far that the cloth's own weight, rho g per length,
// stretches it by more than the tolerance; nor that a load does which is far larger, of a wind or
// of what it is blown up with (sim/rating.c).
//
// Distance in mm from the motion of a sheet of 2000 N/m and 1 m that swings / stands upright and
// collapses / drapes over a ball (0.187 kg/m^2, 1/60 s, 4225 vertices, a load under compression of
// some hundredths of N/m), by B; the first column is where a tolerance of 1 % ends:
//
//     B              0.27        0.4          0.8          1.5          3
//     2 x one solve  73/101/ 89  81/138/103  110/259/130  156/437/173  232/715/196
//     A 4            57/143/ 78  53/162/113   51/262/126   61/436/155   73/662/193
//     A 8            44/104/ 57  34/139/ 63   30/208/135   45/392/141   47/380/160
//     A 3+3          42/ 72/ 88  36/ 84/102   39/156/124   46/286/168   71/551/191
//     2 x A 4        41/ 59/ 59  36/ 60/ 58   35/121/ 94   38/227/128   49/424/158
//     2 x A 4+4      48/ 64/ 58  38/ 70/ 54   28/ 83/ 58   19/145/ 93   20/251/170
//     4 x JAJ 4      43/ 70/ 61  35/ 51/ 58   22/ 37/ 51   18/ 43/ 76   30/ 98/ 80
//     8 x JAJ 4      42/ 90/ 62  34/ 87/ 60   22/ 57/ 54   16/ 62/ 52   13/ 84/ 42
//
// A swing alone would ask for stiffer cloth; a collapse is lost with it.
static double follow_number(const WeftStepDef* def) {
    if (def->scheme == WEFT_SCHEME_REPEAT)
        return 0.12 * sqrt((double)def->substeps * def->iterations[0]);
    bool twice = def->iterations[1] > 0 && def->substeps > 1;
    return (twice ? 0.4 : 0.2) * def->substeps;
}

double wf_cloth_tension(const WfClothSize* cloth, double load) {
    return cloth->density * 9.81 * cloth->length + load * cloth->reach;
}

double wf_stiffness_scale(const WfClothSize* cloth, double load, const WeftStepDef* def) {
    if (!wf_method(def)->softens || def->stretch_tolerance <= 0) return 1;
    double L = cloth->length, rho = cloth->density;
    double followed = follow_number(def) * rho * L * L / (def->dt * def->dt);
    double tolerated = wf_cloth_tension(cloth, load) / def->stretch_tolerance;
    return fmin(1, fmax(followed, tolerated) / cloth->stiffness);
}
