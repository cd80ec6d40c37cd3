// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A detail that was learned in no time, for tests of what shows it.

#ifndef WEFT_TEST_SHOW_TEST_H
#define WEFT_TEST_SHOW_TEST_H

#include "test.h"
#include "weft/weft_io.h"

// A ripple of 5 mm on edges in 2 parts, learned from few frames: what matters is that it is the
// same again.
static inline WeftDetail* learn_ripple(const WeftMesh* coarse) {
    WeftLearnerDef def = weft_default_learner_def();
    WeftLearner* learner = NULL;
    WeftLearnReport report;
    WeftDetail* detail = NULL;
    WeftMesh dense;
    def.coarse = coarse;
    def.parts = 2;
    def.name = "ripple";
    CHECK(!weft_create_learner(&def, &learner, NULL));
    CHECK(!weft_refine_mesh(coarse, 2, NULL, &dense, NULL, NULL));
    for (int i = coarse->vertex_count; i < dense.vertex_count; i++)
        dense.positions[3 * (size_t)i + 1] += 0.005 * (i % 2 ? 1 : -1);
    WeftDetailFrame frame = {.positions = coarse->positions, .gravity = {0, -1, 0}};
    for (int i = 0; i < 4; i++) weft_learn(learner, &frame, dense.positions, false, NULL);
    CHECK(!weft_finish_learning(learner, 1e-6, &report, &detail, NULL));
    weft_destroy_learner(learner);
    weft_destroy_mesh(&dense);
    return detail;
}

// Of the first cloth of a scene, into a file.
static inline void save_ripple(const char* scene_text, const char* path) {
    WeftScene* scene = NULL;
    WeftError error = {0};
    if (!CHECK(!weft_parse_scene(scene_text, strlen(scene_text), "t.json", NULL, NULL, NULL, &scene,
                                 &error)))
        return;
    WeftDetail* detail = learn_ripple(&scene->meshes[0]);
    CHECK(!weft_save_detail_file(path, detail, &error));
    weft_destroy_detail(detail);
    weft_destroy_scene(scene);
}

#endif
