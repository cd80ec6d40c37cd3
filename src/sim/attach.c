// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Attachments, as users have them, and in other models. What they are in a step: ties.c.

#include "sim/attach.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/cookie.h"
#include "base/error.h"
#include "sim/contact.h"
#include "sim/input.h"
#include "sim/rest.h"
#include "sim/space.h"

static const WfAttachment EMPTY_ATTACHMENT = {0};

int wf_attachment_room(const WeftState* state) {
    return state->attachments ? WEFT_MAX_ATTACHMENTS : 0;
}

WeftResult wf_own_attachments(WeftState* state) {
    if (state->attachments) return WEFT_OK;
    state->attachments =
        wf_alloc(&state->model->system.allocator, WEFT_MAX_ATTACHMENTS, sizeof *state->attachments);
    return state->attachments ? WEFT_OK : WEFT_ERROR_MEMORY;
}

int wf_count_attachments(const WeftState* state) {
    int count = 0;
    for (int i = 0; i < wf_attachment_room(state); i++)
        count += state->attachments[i].state != WF_ATTACHMENT_NONE;
    return count;
}

// ---------------------------------------------------------------------------------------------
// What users say

// One end in the cloth, of a def.
typedef struct End {
    const int* vertices;
    const double* weights;
    const char* name;
} End;

// Weights sum up to 1, but for rounding in single precision.
static const double WEIGHT_SLACK = 1e-4;

static WeftResult check_end(const WeftModel* m, const End* end, WeftError* error) {
    double sum = 0;
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (end->vertices[k] < 0) continue;
        if (end->vertices[k] >= m->shown.vertex_count)
            return wf_fail(error, WEFT_ERROR_INPUT, "%s: vertex %d of %d", end->name,
                           end->vertices[k], m->shown.vertex_count);
        if (!(end->weights[k] >= 0 && end->weights[k] <= 1))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "%s: vertex %d has the weight %g; weights are 0 to 1", end->name,
                           end->vertices[k], end->weights[k]);
        sum += end->weights[k];
        count++;
    }
    if (count == 0) return wf_fail(error, WEFT_ERROR_INPUT, "%s has no vertex", end->name);
    if (fabs(sum - 1) > WEIGHT_SLACK)
        return wf_fail(error, WEFT_ERROR_INPUT, "%s: the weights sum up to %g, not to 1", end->name,
                       sum);
    return WEFT_OK;
}

static WeftResult check_numbers(const WeftAttachmentDef* def, WeftError* error) {
    const struct {
        const char* name;
        double value;
        double high;
    } values[] = {{"stiffness", def->stiffness, 1e15},
                  {"damping", def->damping, 1e15},
                  {"most", def->most, 1e15},
                  {"length", def->length, WF_LARGEST_PLACE}};
    for (int k = 0; k < 4; k++)
        if (!(values[k].value >= 0 && values[k].value <= values[k].high))
            return wf_fail(error, WEFT_ERROR_INPUT, "an attachment's %s of %g; 0 to %g",
                           values[k].name, values[k].value, values[k].high);
    if ((int)def->to < WEFT_ATTACH_TO_PLACE || (int)def->to > WEFT_ATTACH_TO_CLOTH)
        return wf_fail(error, WEFT_ERROR_INPUT,
                       "an attachment `to` %d, which is neither a place nor a body nor cloth",
                       (int)def->to);
    for (int k = 0; k < 3 && !def->here; k++)
        if (!(fabs(def->place[k]) <= WF_LARGEST_PLACE))
            return wf_fail(error, WEFT_ERROR_INPUT,
                           "the place of an attachment: %g m is no number up to %g", def->place[k],
                           WF_LARGEST_PLACE);
    return WEFT_OK;
}

static void add_row(WfAttachment* a, int row, double weight) {
    int count = (int)a->count;
    for (int k = 0; k < count; k++)
        if (a->rows[k] == row) {
            a->weights[k] += weight;
            return;
        }
    a->rows[count] = row;
    a->weights[count] = weight;
    a->count++;
}

// The rows of an end, with the side of the mirror that it is on: 1 its own, -1 the image, 0 in the
// plane.
static void add_end(const WeftModel* m, const End* end, double sign, WfAttachment* a, int* side) {
    for (int k = 0; k < 3; k++) {
        int vertex = end->vertices[k];
        if (vertex < 0 || end->weights[k] == 0) continue;
        int row = wf_row_of(&m->shown, vertex);
        add_row(a, row, sign * end->weights[k]);
        if (!wf_plane_holds(&m->system.mirror, row))
            *side = wf_is_image(&m->shown, vertex) ? -1 : 1;
    }
}

// The rows of both ends; which side of the mirror each is on.
static void add_ends(const WeftModel* m, const WeftAttachmentDef* def, WfAttachment* a,
                     int sides[2]) {
    sides[0] = sides[1] = 0;
    add_end(m, &(End){def->vertices, def->weights, NULL}, 1, a, &sides[0]);
    if (def->to == WEFT_ATTACH_TO_CLOTH)
        add_end(m, &(End){def->other_vertices, def->other_weights, NULL}, -1, a, &sides[1]);
}

// Whether its two ends are one point of the cloth, or so nearly that nothing could bring them
// together but a division by next to nothing.
static bool is_to_itself(const WfAttachment* a) {
    double most = 0;
    for (int k = 0; k < (int)a->count; k++) {
        double sum = 0;
        for (int j = 0; j < (int)a->count; j++)
            if (a->rows[j] == a->rows[k]) sum += a->weights[j];
        most = fmax(most, fabs(sum));
    }
    return most < 0.01;
}

WeftResult wf_check_attachment(const WeftModel* m, const WeftAttachmentDef* def, WeftError* error) {
    End own = {def->vertices, def->weights, "the point of an attachment"};
    End other = {def->other_vertices, def->other_weights, "the other end of an attachment"};
    WfAttachment a = {0};
    int sides[2];
    WeftResult result = wf_check_cookie(WEFT_DEF_ATTACHMENT, def->cookie, error);
    if (!result) result = check_numbers(def, error);
    if (!result) result = check_end(m, &own, error);
    if (!result && def->to == WEFT_ATTACH_TO_CLOTH) result = check_end(m, &other, error);
    if (result) return result;
    bool to_body = def->to == WEFT_ATTACH_TO_BODY;
    if (to_body && !(def->body >= 0 && def->body < m->shown_body_count))
        return wf_fail(error, WEFT_ERROR_INPUT, "an attachment to body %d of %d", def->body,
                       m->shown_body_count);
    add_ends(m, def, &a, sides);
    if (sides[0] * sides[1] < 0)
        return wf_fail(error, WEFT_ERROR_COMBINATION,
                       "vertices %d and %d are on two sides of the mirror, where only one is "
                       "simulated; use a closure of the mirror, or no mirror",
                       def->vertices[0], def->other_vertices[0]);
    if (is_to_itself(&a))
        return wf_fail(error, WEFT_ERROR_INPUT, "an attachment of a point to itself, at vertex %d",
                       def->vertices[0]);
    return WEFT_OK;
}

static WfVec point_of(const WfAttachment* a, const double* x) {
    WfVec sum = {0, 0, 0};
    for (int k = 0; k < (int)a->count; k++)
        sum = wf_madd(sum, a->weights[k], wf_load(x, (int)a->rows[k]));
    return sum;
}

static int find_place(const WeftState* state) {
    for (int i = 0; i < WEFT_MAX_ATTACHMENTS; i++)
        if (state->attachments[i].state == WF_ATTACHMENT_NONE) return i;
    return -1;
}

// A place that a user gives, as rows have it: in the frame of the body, or in space.
static WfVec row_end(const WeftState* state, const WfAttachment* a, WfVec place) {
    const WeftModel* m = state->model;
    if (!a->is_image) return place;
    if (a->to != WEFT_ATTACH_TO_BODY) return wf_plane_image(&m->system.mirror, place);
    int body = (int)a->body, of = wf_body_image(m, body);
    WfVec world = wf_pose_point(wf_state_pose(state, of, false), place);
    world = wf_plane_image(&m->system.mirror, world);
    return wf_pose_local(wf_state_pose(state, body, false), world);
}

static void set_end(const WeftState* state, const WeftAttachmentDef* def, WfAttachment* a) {
    const WfPose* pose = NULL;
    WfVec here = point_of(a, state->x);
    if (a->to == WEFT_ATTACH_TO_BODY) {
        a->body = a->is_image ? wf_body_image(state->model, def->body) : def->body;
        pose = wf_state_pose(state, (int)a->body, false);
    }
    if (a->to == WEFT_ATTACH_TO_CLOTH)
        here = (WfVec){0, 0, 0};
    else if (!def->here)
        here = row_end(state, a, wf_load(def->place, 0));
    else if (pose)
        here = wf_pose_local(pose, here);
    wf_store(a->place, 0, here);
    wf_store(a->goal, 0, here);
}

WeftResult weft_attach(WeftState* state, const WeftAttachmentDef* def, int* attachment,
                       WeftError* error) {
    wf_assert(state && def && attachment);
    const WeftModel* m = state->model;
    *attachment = -1;
    WeftResult result = wf_check_attachment(m, def, error);
    if (result) return result;
    if (wf_own_attachments(state)) return wf_fail_memory(error);
    int place = find_place(state), sides[2];
    if (place < 0)
        return wf_fail(error, WEFT_ERROR_INPUT, "more than %d attachments", WEFT_MAX_ATTACHMENTS);
    WfAttachment a = {.state = WF_ATTACHMENT_HOLDS,
                      .to = def->to,
                      .share = 1,
                      .length = def->length,
                      .stiffness = def->stiffness,
                      .damping = def->damping,
                      .most = def->most,
                      .breaks = def->breaks};
    add_ends(m, def, &a, sides);
    a.is_image = sides[0] < 0 || sides[1] < 0;
    if (m->shown.rows && sides[0] == 0 && sides[1] == 0) a.share = 0.5;
    set_end(state, def, &a);
    state->attachments[place] = a;
    state->ties_changed = true;
    wf_wake(state);
    *attachment = place;
    return WEFT_OK;
}

void wf_clear_attachments(WeftState* state) {
    size_t count = (size_t)wf_attachment_room(state);
    if (count > 0) memset(state->attachments, 0, count * sizeof *state->attachments);
    state->ties_changed = true;
}

void wf_reset_attachments(WeftState* state) {
    const WeftModel* m = state->model;
    wf_clear_attachments(state);
    for (int i = 0; i < m->attachment_count; i++) {
        int made;
        WeftResult result = weft_attach(state, &m->attachments[i], &made, NULL);
        wf_assert(!result && made == i);
        (void)result;
    }
}

static const WfAttachment* attachment_of(const WeftState* state, int attachment) {
    wf_assert(attachment >= 0 && attachment < WEFT_MAX_ATTACHMENTS);
    return state->attachments ? &state->attachments[attachment] : &EMPTY_ATTACHMENT;
}

void weft_detach(WeftState* state, int attachment) {
    wf_assert(attachment >= 0 && attachment < WEFT_MAX_ATTACHMENTS);
    if (state->attachments) state->attachments[attachment] = EMPTY_ATTACHMENT;
    state->ties_changed = true;
    wf_wake(state);
}

void weft_move_attachment(WeftState* state, int attachment, const double place[3]) {
    wf_assert(attachment_of(state, attachment)->state != WF_ATTACHMENT_NONE);
    WfAttachment* a = &state->attachments[attachment];
    wf_assert(a->to != WEFT_ATTACH_TO_CLOTH);
    if (!wf_take_input(state, WF_INPUT_ATTACHMENT, attachment, place, 3)) return;
    wf_store(a->goal, 0, row_end(state, a, wf_load(place, 0)));
}

bool weft_is_attached(const WeftState* state, int attachment) {
    return attachment_of(state, attachment)->state == WF_ATTACHMENT_HOLDS;
}

void weft_attachment_force(const WeftState* state, int attachment, double force[3]) {
    const WfAttachment* a = attachment_of(state, attachment);
    const WfPlane* mirror = &state->model->system.mirror;
    WfVec f = wf_load(a->force, 0);
    if (a->is_image) f = wf_plane_reflect(mirror, f);
    // in the plane, of both halves
    if (a->share < 1) f = wf_mul(1 / a->share, wf_plane_flatten(mirror, f));
    wf_store(force, 0, f);
}

// ---------------------------------------------------------------------------------------------
// Other models, saved states

// The vertex of a row, on the side asked for.
static int vertex_on(const WfShown* shown, int row, bool image) {
    for (int i = 0; image && i < shown->vertex_count; i++)
        if (shown->rows[i] == row && shown->sides[i] < 0) return i;
    return wf_vertex_of(shown, row);
}

// As it was asked for, or as its mirror image would have been.
static WeftAttachmentDef def_of(const WeftState* state, const WfAttachment* a, bool image) {
    const WeftModel* m = state->model;
    WeftAttachmentDef def = weft_default_attachment_def();
    int own = 0, other = 0;
    for (int k = 0; k < (int)a->count; k++) {
        int vertex = vertex_on(&m->shown, (int)a->rows[k], image);
        bool first = a->weights[k] > 0;
        *(first ? &def.vertices[own] : &def.other_vertices[other]) = vertex;
        *(first ? &def.weights[own] : &def.other_weights[other]) = fabs(a->weights[k]);
        *(first ? &own : &other) += 1;
    }
    def.to = (WeftAttachTo)(int)a->to;
    WfVec place = wf_load(a->place, 0);
    if (image && def.to == WEFT_ATTACH_TO_PLACE) place = wf_plane_image(&m->system.mirror, place);
    def.body = (int)a->body;
    if (image && def.to == WEFT_ATTACH_TO_BODY) {
        def.body = wf_body_image(m, (int)a->body);
        place = wf_pose_point(wf_state_pose(state, (int)a->body, false), place);
        place = wf_plane_image(&m->system.mirror, place);
        place = wf_pose_local(wf_state_pose(state, def.body, false), place);
    }
    def.here = false;
    wf_store(def.place, 0, place);
    def.length = a->length;
    def.stiffness = a->stiffness;
    def.damping = a->damping;
    def.most = a->most;
    def.breaks = a->breaks != 0;
    return def;
}

static void attach_as(WeftState* to, int number, const WeftAttachmentDef* def) {
    int made;
    if (weft_attach(to, def, &made, NULL) || made == number) return;
    if (number < 0 || to->attachments[number].state != WF_ATTACHMENT_NONE) return;
    to->attachments[number] = to->attachments[made];
    to->attachments[made] = EMPTY_ATTACHMENT;
}

void wf_copy_attachments(WeftState* to, const WeftState* from, int first, WfMapAttachment* map,
                         void* context) {
    bool doubles = from->model->shown.rows && !to->model->shown.rows;
    // first those of the own side: their numbers stay where nothing is refused
    for (int image = 0; image <= doubles; image++)
        for (int i = first; i < wf_attachment_room(from); i++) {
            const WfAttachment* a = &from->attachments[i];
            if (a->state != WF_ATTACHMENT_HOLDS || (image && a->share < 1)) continue;
            WeftAttachmentDef def = def_of(from, a, image ? !a->is_image : a->is_image != 0);
            if (!map || map(context, &def)) attach_as(to, image ? -1 : i, &def);
        }
}

void wf_continue_attachments(WeftState* to, const WeftState* from) {
    wf_clear_attachments(to);
    wf_copy_attachments(to, from, 0, NULL, NULL);
}

static bool is_whole(double value, double low, double high) {
    return value >= low && value <= high && value == floor(value);
}

bool wf_attachment_is_sound(const WeftState* state, const WfAttachment* a) {
    const double* all = (const double*)(const void*)a;
    for (size_t k = 0; k < sizeof *a / sizeof *all; k++)
        if (!isfinite(all[k])) return false;
    const WeftModel* m = state->model;
    bool sound = is_whole(a->state, WF_ATTACHMENT_HOLDS, WF_ATTACHMENT_BROKEN) &&
                 is_whole(a->to, WEFT_ATTACH_TO_PLACE, WEFT_ATTACH_TO_CLOTH) &&
                 is_whole(a->count, 1, WF_TIE_VERTICES) &&
                 (a->to != WEFT_ATTACH_TO_BODY || is_whole(a->body, 0, m->shown_body_count - 1));
    for (int k = 0; sound && k < (int)a->count; k++)
        sound = is_whole(a->rows[k], 0, m->system.vertex_count - 1) && fabs(a->weights[k]) <= 1;
    return sound && a->length >= 0 && a->stiffness >= 0 && a->damping >= 0 && a->most >= 0 &&
           a->share > 0;
}
