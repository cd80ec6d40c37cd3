// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Defs as they begin.

#include <string.h>

#include "base/assert.h"
#include "base/cookie.h"
#include "weft/weft_study.h"

void weft_set_estimator(WeftClothDef* def, WeftEstimator estimator, int order) {
    wf_assert(order == 1 || order == 2);
    static const double vertex[2][3] = {{2, -1, 0}, {2.5, -2, 0.5}};
    static const double rotation[2][3] = {{1, 0, 0}, {1.5, -0.5, 0}};
    def->estimator = estimator;
    memcpy(def->estimator_weights,
           estimator == WEFT_ESTIMATOR_ROTATION ? rotation[order - 1] : vertex[order - 1],
           sizeof def->estimator_weights);
}

static WeftClothDef cloth_def(void) {
    WeftClothDef def = {.cookie = wf_cookie(WEFT_DEF_CLOTH),
                        .fabric = weft_default_fabric(),
                        .layer = 1,
                        .mask = WEFT_ALL_LAYERS,
                        .gas_density = 1.2};
    weft_set_estimator(&def, WEFT_ESTIMATOR_NONE, 2);
    return def;
}

static WeftBodyDef body_def(void) {
    return (WeftBodyDef){.cookie = wf_cookie(WEFT_DEF_BODY),
                         .kind = WEFT_BODY_SPHERE,
                         .radius = 0.25,
                         .top_radius = 0.15,
                         .length = 0.5,
                         .size = {0.5, 0.5, 0.5},
                         .distance = {.cell = 0.02},
                         .friction = 0.3,
                         .layer = 1,
                         .mask = WEFT_ALL_LAYERS,
                         .rotation = {0, 0, 0, 1}};
}

static WeftStepDef step_def(void) {
    return (WeftStepDef){
        .cookie = wf_cookie(WEFT_DEF_STEP),
        .dt = 1.0 / 60,
        .gravity = {0, -9.81, 0},
        .air_density = 1.2,
        .inertia = {.linear = 1, .angular = 1, .air = 1},
        .method = WEFT_METHOD_PREFACTORED,
        .quality = 4,
        .stretch_tolerance = 0.01,
        .rest_speed = 0.02,
        .guard = true,
        .solve_tolerance = 1e-3,
        .newton_steps = 1,
        .tolerance = 1e-4,
        .max_iterations = 1000,
    };
}

static WeftModelDef model_def(void) {
    return (WeftModelDef){.cookie = wf_cookie(WEFT_DEF_MODEL),
                          .step = step_def(),
                          .contact = WEFT_CONTACT_BODIES,
                          .mirror = {.plane = {.normal = {1, 0, 0}}, .front = {0, 0, 1}}};
}

static WeftAttachmentDef attachment_def(void) {
    return (WeftAttachmentDef){.cookie = wf_cookie(WEFT_DEF_ATTACHMENT),
                               .vertices = {-1, -1, -1},
                               .weights = {1, 0, 0},
                               .to = WEFT_ATTACH_TO_PLACE,
                               .here = true,
                               .other_vertices = {-1, -1, -1},
                               .other_weights = {1, 0, 0},
                               .breaks = true};
}

// The union is as large as any def.
typedef union AnyDef {
    WeftClothDef cloth;
    WeftBodyDef body;
    WeftStepDef step;
    WeftModelDef model;
    WeftAttachmentDef attachment;
} AnyDef;

static size_t make_def(WeftDefKind kind, AnyDef* def) {
    switch (kind) {
        case WEFT_DEF_CLOTH:
            def->cloth = cloth_def();
            return sizeof def->cloth;
        case WEFT_DEF_BODY:
            def->body = body_def();
            return sizeof def->body;
        case WEFT_DEF_STEP:
            def->step = step_def();
            return sizeof def->step;
        case WEFT_DEF_MODEL:
            def->model = model_def();
            return sizeof def->model;
        case WEFT_DEF_ATTACHMENT:
            def->attachment = attachment_def();
            return sizeof def->attachment;
    }
    return 0;
}

void weft_fill_def(WeftDefKind kind, int version, size_t size, void* def) {
    AnyDef any;
    bool fits = make_def(kind, &any) == size && version == WEFT_VERSION;
    memset(def, 0, size);
    if (fits) memcpy(def, &any, size);
}
