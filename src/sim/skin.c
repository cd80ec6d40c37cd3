// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "sim/skin.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/vec.h"
#include "sim/carry.h"
#include "sim/contact.h"
#include "sim/input.h"
#include "sim/rest.h"
#include "sim/space.h"
#include "sim/tear.h"

// ---------------------------------------------------------------------------------------------
// Numbers of users. Of cloth that is torn they hand over arrays as before: a vertex that was split
// has one skin.

// The model whose vertices these arrays have.
static const WeftModel* model_of(const WeftState* state) {
    return state->tear ? state->tear->whole : state->model;
}

static int vertex_of(const WeftState* state, int row) {
    const WfTear* tear = state->tear;
    return tear && tear->torn.from ? tear->torn.from[row] : wf_vertex_of(&state->model->shown, row);
}

// ---------------------------------------------------------------------------------------------
// Life

void wf_skins_layout(WfArena* arena, WeftState* state) {
    const WeftModel* m = state->model;
    size_t n = 3 * (size_t)m->system.vertex_count, shown = 3 * (size_t)m->shown.vertex_count;
    state->skin_from = wf_arena_push(arena, n, sizeof(double));
    state->skin_to = wf_arena_push(arena, n, sizeof(double));
    state->skin_velocity = wf_arena_push(arena, n, sizeof(double));
    state->drives = wf_arena_push(arena, (size_t)m->cloth_count, sizeof(double));
    state->shown_skin = wf_arena_push(arena, shown, sizeof(double));
    state->shown_normals = wf_arena_push(arena, shown, sizeof(double));
}

static void reset_map(WeftState* state, int k) {
    const double* maps = state->model->skinned.maps + 3 * (long)k;
    state->skins[k].distance = maps[0];
    state->skins[k].behind = maps[1];
    state->skins[k].radius = maps[2];
}

// Normals of the triangles of cloth c, of which users have the positions x, vertices from `first`.
static void find_normals(const WeftModel* m, int first, int end, const double* x, double* normals) {
    memset(normals, 0, 3 * (size_t)(end - first) * sizeof *normals);
    for (long t = 0; t < m->shown.triangle_count; t++) {
        const int* v = m->shown.triangles + 3 * t;
        if (v[0] < first || v[0] >= end) continue;
        WfVec a = wf_load(x, v[0] - first);
        WfVec n =
            wf_cross(wf_sub(wf_load(x, v[1] - first), a), wf_sub(wf_load(x, v[2] - first), a));
        for (int k = 0; k < 3; k++) wf_accumulate(normals, v[k] - first, 1, n);
    }
}

// The skin of cloth c at the end of the step.
static void set_skin(WeftState* state, int c, const double* x, const double* normals) {
    const WeftModel *m = state->model, *of = model_of(state);
    int first = of->shown.first_vertex[c], end = of->shown.first_vertex[c + 1];
    if (!normals) {
        find_normals(of, first, end, x, state->shown_normals);
        normals = state->shown_normals;
    }
    for (int k = m->skinned.first[c]; k < m->skinned.first[c + 1]; k++) {
        int row = m->skinned.rows[k], vertex = vertex_of(state, row) - first;
        if (wf_is_let_go(&m->skinned, k)) continue;
        WfVec to = wf_plane_place(&m->system.mirror, row, wf_load(x, vertex));
        wf_store(state->skins[k].to, 0, to);
        wf_store(state->skins[k].normal_to, 0, wf_unit(wf_load(normals, vertex)));
    }
}

static void end_skin(WfSkinPoint* skin) {
    memcpy(skin->from, skin->to, sizeof skin->from);
    memcpy(skin->normal_from, skin->normal_to, sizeof skin->normal_from);
}

void wf_end_skins(WeftState* state) {
    for (int k = 0; k < state->model->skinned.count; k++) end_skin(&state->skins[k]);
}

void wf_reset_skins(WeftState* state) {
    const WeftModel *m = state->model, *of = model_of(state);
    if (!state->skins) return;
    memset(state->skins, 0, (size_t)m->skinned.count * sizeof *state->skins);
    for (int c = 0; c < m->cloth_count; c++) {
        int first = of->shown.first_vertex[c], end = of->shown.first_vertex[c + 1];
        state->skin_scales[c] = (WfSkinScale){1, 1};
        if (m->skinned.first[c] == m->skinned.first[c + 1]) continue;
        // rows start where the cloth does, and their images with them
        for (int v = first; v < end; v++) {
            WfVec x = wf_load(of->positions, wf_row_of(&of->shown, v));
            if (wf_is_image(&of->shown, v)) x = wf_plane_image(&of->system.mirror, x);
            wf_store(state->shown_skin, v - first, x);
        }
        set_skin(state, c, state->shown_skin, NULL);
    }
    wf_end_skins(state);
    for (int k = 0; k < m->skinned.count; k++) {
        reset_map(state, k);
        if (state->skins[k].distance == 0)
            state->carried[m->skinned.rows[k]] = (WfCarry){.by = WF_CARRIED_BY_SKIN};
    }
}

// ---------------------------------------------------------------------------------------------
// What users say

static bool has_skin(const WeftState* state, int c) {
    const WfSkinned* s = &state->model->skinned;
    wf_assert(c >= 0 && c < state->model->cloth_count);
    return state->skins && s->first[c] < s->first[c + 1];
}

static bool take_skin(WeftState* state, int c, const double* x, const double* normals) {
    const int* first = model_of(state)->shown.first_vertex;
    int count = first[c + 1] - first[c];
    return wf_take_vertices(state, WF_INPUT_SKIN, first[c], x, 3, count) &&
           (!normals || wf_take_vertices(state, WF_INPUT_NORMAL, first[c], normals, 3, count));
}

void weft_move_skin(WeftState* state, int cloth, const double* positions, const double* normals) {
    wf_assert(positions);
    if (!has_skin(state, cloth) || !take_skin(state, cloth, positions, normals)) return;
    set_skin(state, cloth, positions, normals);
}

static WfVec point_of(const double* frame, WfVec p) {
    return (WfVec){wf_dot(wf_load(frame, 0), p) + frame[3],
                   wf_dot(wf_load(frame + 4, 0), p) + frame[7],
                   wf_dot(wf_load(frame + 8, 0), p) + frame[11]};
}

// Linear blending: x = sum w_b F_b B_b^-1 p. False where frames are refused, or there are no bones.
static bool blend(WeftState* state, int c, const double* frames) {
    if (!has_skin(state, c)) return false;
    const WfBones* bones = &model_of(state)->skinned.bones[c];
    if (!wf_take_input(state, WF_INPUT_BONE, c, frames, 12L * bones->bone_count)) return false;
    for (int i = 0; i < bones->vertex_count && bones->bone_count > 0; i++) {
        WfVec p = wf_load(bones->positions, i), sum = {0, 0, 0};
        for (int k = 0; k < bones->per_vertex; k++) {
            long at = (long)i * bones->per_vertex + k, bone = bones->which[at];
            WfVec local = point_of(bones->inverses + 12 * bone, p);
            sum = wf_madd(sum, bones->weights[at], point_of(frames + 12 * bone, local));
        }
        wf_store(state->shown_skin, i, sum);
    }
    return bones->bone_count > 0;
}

void weft_move_bones(WeftState* state, int cloth, const double* frames) {
    if (blend(state, cloth, frames)) weft_move_skin(state, cloth, state->shown_skin, NULL);
}

void weft_place_bones(WeftState* state, int cloth, const double* frames) {
    if (blend(state, cloth, frames)) weft_place_skin(state, cloth, state->shown_skin, NULL);
}

void weft_copy_skin(const WeftState* state, int cloth, double* positions, double* normals) {
    const WeftModel* m = model_of(state);
    const WfPlane* mirror = &m->system.mirror;
    bool has = has_skin(state, cloth);
    int first = m->shown.first_vertex[cloth], end = m->shown.first_vertex[cloth + 1];
    for (int v = first; v < end; v++) {
        int row = wf_row_of(&state->model->shown, weft_torn_to(state, v));
        const WfSkinPoint* skin = has ? wf_skin_of(state, row) : NULL;
        WfVec x = has ? wf_load(skin->from, 0) : (WfVec){0, 0, 0};
        WfVec n = has ? wf_load(skin->normal_from, 0) : (WfVec){0, 0, 0};
        bool image = has && wf_is_image(&m->shown, v);
        if (positions) wf_store(positions, v - first, image ? wf_plane_image(mirror, x) : x);
        if (normals) wf_store(normals, v - first, image ? wf_plane_reflect(mirror, n) : n);
    }
}

void weft_set_max_distance(WeftState* state, int cloth, const double* distances) {
    const WeftModel *m = state->model, *of = model_of(state);
    if (!has_skin(state, cloth)) return;
    int first = of->shown.first_vertex[cloth], count = of->shown.first_vertex[cloth + 1] - first;
    if (distances && !wf_take_vertices(state, WF_INPUT_DISTANCE, first, distances, 1, count))
        return;
    for (int k = m->skinned.first[cloth]; k < m->skinned.first[cloth + 1]; k++) {
        int vertex = vertex_of(state, m->skinned.rows[k]) - first;
        if (wf_is_let_go(&m->skinned, k)) continue;
        double old = state->skins[k].distance, now = m->skinned.maps[3 * (long)k];
        state->skins[k].distance = distances ? distances[vertex] : now;
        if (state->skins[k].distance != old) wf_wake(state);
    }
}

void weft_set_backstop(WeftState* state, int cloth, const double* radii, const double* distances) {
    const WeftModel *m = state->model, *of = model_of(state);
    if (!has_skin(state, cloth)) return;
    int first = of->shown.first_vertex[cloth], count = of->shown.first_vertex[cloth + 1] - first;
    if (radii && !wf_take_vertices(state, WF_INPUT_BACKSTOP, first, radii, 1, count)) return;
    if (distances && !wf_take_vertices(state, WF_INPUT_BACKSTOP, first, distances, 1, count))
        return;
    for (int k = m->skinned.first[cloth]; k < m->skinned.first[cloth + 1]; k++) {
        int vertex = vertex_of(state, m->skinned.rows[k]) - first;
        if (wf_is_let_go(&m->skinned, k)) continue;
        const double* maps = m->skinned.maps + 3 * (long)k;
        WfSkinPoint* skin = &state->skins[k];
        double radius = radii ? fmax(radii[vertex], 0) : maps[2];
        double behind = distances ? distances[vertex] : maps[1];
        if (radius != skin->radius || behind != skin->behind) wf_wake(state);
        skin->radius = radius;
        skin->behind = behind;
    }
}

void weft_scale_animation(WeftState* state, int cloth, double distance, double drive) {
    double most[2] = {distance / 1000, drive};
    if (!has_skin(state, cloth) || !wf_take_scales(state, cloth, most, 2)) return;
    WfSkinScale* scale = &state->skin_scales[cloth];
    if (scale->distance != distance || scale->drive != drive) wf_wake(state);
    *scale = (WfSkinScale){distance, drive};
}

// ---------------------------------------------------------------------------------------------
// In a step

void wf_ready_skins(WeftState* state) {
    const WfSkinned* s = &state->model->skinned;
    for (int c = 0; c < state->model->cloth_count && state->skins; c++)
        for (int k = s->first[c]; k < s->first[c + 1]; k++) {
            int row = s->rows[k];
            WfCarry* carry = &state->carried[row];
            double distance = state->skins[k].distance * state->skin_scales[c].distance;
            bool wants = state->skins[k].distance >= 0 && distance == 0;
            bool has = state->pinned[row] && carry->by == WF_CARRIED_BY_SKIN;
            if (wants && !state->pinned[row]) {
                wf_pin_row(state, row);
                *carry = (WfCarry){.by = WF_CARRIED_BY_SKIN};
            }
            if (has && !wants) weft_unpin(state, wf_vertex_of(&state->model->shown, row));
        }
}

static double way_of(const WfSkinPoint* skin) {
    return wf_length(wf_sub(wf_load(skin->to, 0), wf_load(skin->from, 0)));
}

bool wf_skins_move(const WeftState* state) {
    bool moves = false;
    for (int k = 0; k < state->model->skinned.count && !moves; k++) {
        const WfSkinPoint* skin = &state->skins[k];
        moves = way_of(skin) > 0 ||
                memcmp(skin->normal_from, skin->normal_to, sizeof skin->normal_to) != 0;
    }
    return moves;
}

static bool jumps(const WfSkinPoint* skin, double dt) { return way_of(skin) > WF_JUMP_SPEED * dt; }

double wf_fastest_skin(const WeftState* state, double dt) {
    double most = 0;
    for (int k = 0; k < state->model->skinned.count; k++)
        if (!jumps(&state->skins[k], dt)) most = fmax(most, way_of(&state->skins[k]) / dt);
    return most;
}

static bool all_jump(const WeftState* state, int piece, double dt) {
    const WfSkinned* s = &state->model->skinned;
    for (int k = 0; k < s->count; k++)
        if (state->model->surface.piece[s->rows[k]] == piece && !jumps(&state->skins[k], dt))
            return false;
    return true;
}

static bool is_on_plane(const WeftModel* m, int piece) {
    for (int k = 0; k < m->system.mirror.count; k++)
        if (m->surface.piece[m->system.mirror.rows[k]] == piece) return true;
    return false;
}

// Put a piece of cloth where its skin goes; pins of users stay.
static void place_piece(WeftState* state, int piece) {
    const WeftModel* m = state->model;
    const WfSkinned* s = &m->skinned;
    const int* pieces = m->surface.piece;
    int count = 0, *which = state->jumping;
    for (int k = 0; k < s->count; k++) {
        if (pieces[s->rows[k]] != piece) continue;
        wf_store(state->skin_from, s->rows[k], wf_load(state->skins[k].from, 0));
        wf_store(state->skin_to, s->rows[k], wf_load(state->skins[k].to, 0));
        which[count++] = s->rows[k];
        end_skin(&state->skins[k]);
    }
    if (count == 0) return;
    const WfPlane* mirror = is_on_plane(m, piece) ? &m->system.mirror : NULL;
    WfFrame frame = wf_fit_frame(count, which, state->skin_from, state->skin_to, mirror);
    for (int i = 0; i < m->system.vertex_count; i++) {
        bool held = state->pinned[i], by_skin = state->carried[i].by == WF_CARRIED_BY_SKIN;
        if (pieces[i] != piece || (held && !by_skin)) continue;
        wf_bring_row(state, i, &frame.from, &frame.to);
        if (!held) continue;
        wf_store(state->x, i, wf_load(state->skin_to, i));
        wf_store(state->goal, i, wf_load(state->skin_to, i));
    }
    wf_settle_in_plane(state);
    wf_forget_lists(&state->world);
    state->tangle[0] = WF_LOOK_ANEW;
}

int wf_place_jumping_skins(WeftState* state, double dt) {
    const WfSkinned* s = &state->model->skinned;
    int count = 0;
    for (int k = 0; k < s->count; k++) count += jumps(&state->skins[k], dt);
    for (int k = 0; k < s->count && count > 0; k++) {
        if (!jumps(&state->skins[k], dt)) continue;
        int piece = state->model->surface.piece[s->rows[k]];
        if (all_jump(state, piece, dt))
            place_piece(state, piece);
        else if (state->carried[s->rows[k]].by != WF_CARRIED_BY_SKIN)
            end_skin(&state->skins[k]);  // its vertex is brought there little by little
    }
    return count;
}

void weft_place_skin(WeftState* state, int cloth, const double* positions, const double* normals) {
    wf_assert(positions);
    const WfSkinned* s = &state->model->skinned;
    if (!has_skin(state, cloth) || !take_skin(state, cloth, positions, normals)) return;
    set_skin(state, cloth, positions, normals);
    for (int k = s->first[cloth]; k < s->first[cloth + 1]; k++)
        if (way_of(&state->skins[k]) > 0)
            place_piece(state, state->model->surface.piece[s->rows[k]]);
    wf_end_skins(state);
    wf_wake(state);
    wf_show(state);
}

void wf_move_skins(WeftState* state, int index, int count, double h) {
    const WfSkinned* s = &state->model->skinned;
    double before = (double)index / count, after = (double)(index + 1) / count;
    if (!state->skins) return;
    for (int c = 0; c < state->model->cloth_count; c++)
        state->drives[c] = state->skin_scales[c].drive;
    for (int k = 0; k < s->count; k++) {
        WfVec from = wf_load(state->skins[k].from, 0), to = wf_load(state->skins[k].to, 0);
        WfVec start = index == 0 ? from : wf_line_between(state, from, to, before);
        WfVec end = index + 1 == count ? to : wf_line_between(state, from, to, after);
        wf_store(state->skin_from, s->rows[k], start);
        wf_store(state->skin_to, s->rows[k], end);
        wf_store(state->skin_velocity, s->rows[k], wf_mul(1 / h, wf_sub(end, start)));
    }
}

void wf_shorten_skins(WeftState* state, double part) {
    const WfSkinned* s = &state->model->skinned;
    for (int k = 0; k < s->count; k++) {
        WfVec from = wf_load(state->skin_from, s->rows[k]),
              to = wf_load(state->skin_to, s->rows[k]);
        wf_store(state->skin_to, s->rows[k], wf_madd(from, part, wf_sub(to, from)));
    }
}
