// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards render meshes: bound vertices against where they must be, layouts, frames.

#include "render_test.h"
#include "runners.h"

static double no_height(double u, double v, int layer) {
    (void)u, (void)v, (void)layer;
    return 0;
}
static double bumps(double u, double v, int layer) {
    return 0.004 * sin(20 * u) * cos(15 * v) + 0.002 * layer;
}
static double shell(double u, double v, int layer) {
    (void)u, (void)v;
    return layer ? -0.003 : 0.003;
}

static const double RADIUS = 0.4;
// Rolled about an axis along z, with a height along the normal.
static void roll(double u, double v, double height, double* place) {
    double r = RADIUS + height, angle = (u - 0.5) / RADIUS;
    place[0] = r * sin(angle), place[1] = r * cos(angle), place[2] = -v;
}
static void shear(double u, double v, double height, double* place) {
    // turned about x, stretched and sheared in its own plane
    double x = 1.2 * u + 0.3 * v, z = -0.9 * v, c = cos(0.7), s = sin(0.7);
    place[0] = x + 3, place[1] = c * height - s * z, place[2] = s * height + c * z;
}

static WeftBinding* bind(const WeftBindingDef* def) {
    WeftBinding* binding = NULL;
    WeftError error = {0};
    if (!CHECK(!weft_create_binding(def, &binding, &error))) printf("%s\n", error.message);
    return binding;
}

// Where the cloth is as when it was bound, so is the render mesh: also a shell, beyond hems.
static void back_in_place(void) {
    for (int surface = 0; surface < 2; surface++) {
        Stage stage = open_stage(10, roll, (WeftJobs){0});
        Shown shown = make_shown(16, 2, -0.02, 1.02, roll, shell);
        WeftBindingDef def = shown_def(&stage, &shown);
        def.surface = surface ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT;
        WeftBinding* binding = bind(&def);
        Vertex* v = write_stage(&stage, binding);
        double worst = 0;
        for (int i = 0; i < shown.count; i++) {
            worst = fmax(worst, distance_between(v[i].position, shown.positions + 3 * (long)i));
            CHECK(memcmp(v[i].position, v[i].previous, sizeof v[i].position) == 0);
        }
        CHECK_BELOW(worst, 1e-6);
        CHECK_BELOW(weft_binding_reach(binding), 0.03);
        free(v);
        weft_destroy_binding(binding);
        free_shown(&shown);
        close_stage(&stage);
    }
}

// A flat sheet that is turned, stretched and sheared: bumps keep their heights, and normals and
// tangents are those of the surface that comes out.
static void affine_motion(void) {
    for (int surface = 0; surface < 2; surface++) {
        Stage stage = open_stage(6, lie_flat, (WeftJobs){0});
        Shown shown = make_shown(10, 2, 0.03, 0.97, lie_flat, bumps);
        float* normals = malloc(3 * (size_t)shown.count * sizeof(float));
        for (int i = 0; i < shown.count; i++) {
            double u = shown.flat[3 * i], v = shown.flat[3 * i + 1];
            double hu = 0.08 * cos(20 * u) * cos(15 * v), hv = -0.06 * sin(20 * u) * sin(15 * v);
            double length = sqrt(1 + hu * hu + hv * hv);
            normals[3 * i] = (float)(-hu / length);
            normals[3 * i + 1] = (float)(1 / length);
            normals[3 * i + 2] = (float)(hv / length);
        }
        WeftBindingDef def = shown_def(&stage, &shown);
        def.normals = normals;
        def.surface = surface ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT;
        WeftBinding* binding = bind(&def);
        draw_bend(&stage, shear);
        Vertex* vertices = write_stage(&stage, binding);
        double worst = 0, turned = 0, skew = 0;
        for (int i = 0; i < shown.count; i++) {
            const double* f = shown.flat + 3 * (long)i;
            double place[3], e = 1e-5, u[2][3], v[2][3], n[3], length = 0;
            shear(f[0], f[1], f[2], place);
            for (int s = 0; s < 2; s++) {
                double d = s ? e : -e;
                int layer = i >= shown.count / 2;
                shear(f[0] + d, f[1], bumps(f[0] + d, f[1], layer), u[s]);
                shear(f[0], f[1] + d, bumps(f[0], f[1] + d, layer), v[s]);
            }
            for (int k = 0; k < 3; k++) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                n[k] = (u[1][a] - u[0][a]) * (v[1][b] - v[0][b]) -
                       (u[1][b] - u[0][b]) * (v[1][a] - v[0][a]);
                length += n[k] * n[k];
            }
            for (int k = 0; k < 3; k++) n[k] /= sqrt(length);
            worst = fmax(worst, distance_to(vertices[i].position, place));
            turned = fmax(turned, distance_to(vertices[i].normal, n));
            // square to the normal, of length 1, in the plane of the normal and of where u goes
            const float *t = vertices[i].tangent, *m = vertices[i].normal;
            skew = fmax(skew, fabs(dot_floats(t, m)) + fabs(dot_floats(t, t) - 1));
            double along = (u[1][0] - u[0][0]) * (double)t[0] + (u[1][1] - u[0][1]) * (double)t[1] +
                           (u[1][2] - u[0][2]) * (double)t[2];
            CHECK_NEAR(along / sqrt(pow(u[1][0] - u[0][0], 2) + pow(u[1][1] - u[0][1], 2) +
                                    pow(u[1][2] - u[0][2], 2)),
                       1, 0.02);
            CHECK(t[3] == 1 || i >= shown.count / 2);
        }
        CHECK_BELOW(worst, 2e-6);
        CHECK_BELOW(turned, 1e-5);
        CHECK_BELOW(skew, 1e-5);
        free(vertices), free(normals);
        weft_destroy_binding(binding);
        free_shown(&shown);
        close_stage(&stage);
    }
}

// A flat sheet with a shell around it is rolled up: the shell stays at its distance, each side on
// its own, and split vertices stay together to the bit.
static void shells_and_seams(void) {
    Stage stage = open_stage(24, lie_flat, (WeftJobs){0});
    Shown shown = make_shown(32, 2, 0, 1, lie_flat, shell);
    WeftBindingDef def = shown_def(&stage, &shown);
    WeftBinding* binding = bind(&def);
    draw_bend(&stage, roll);
    Vertex* v = write_stage(&stage, binding);
    double off = 0, turned = 0;
    int columns = shown.cells + 2, half = shown.count / 2;
    for (int i = 0; i < shown.count; i++) {
        const float* p = v[i].position;
        double r = hypot((double)p[0], (double)p[1]), sign = i < half ? 1 : -1;
        double n[3] = {sign * (double)p[0] / r, sign * (double)p[1] / r, 0};
        bool hem = shown.flat[3 * i] < 0.05 || shown.flat[3 * i] > 0.95;
        off = fmax(off, fabs(r - RADIUS - sign * 0.003));
        if (!hem) turned = fmax(turned, distance_to(v[i].normal, n));
        if (i % half % columns == shown.cells / 2)
            CHECK(memcmp(v[i].position, v[i + 1].position, sizeof v[i].position) == 0);
    }
    CHECK_BELOW(off, 2e-4);
    CHECK_BELOW(turned, 5e-3);
    free(v);
    weft_destroy_binding(binding);
    free_shown(&shown);
    close_stage(&stage);
}

// The kernel against the surfaces of detail, which are made by other code in double precision.
static void same_surface_as_detail(void) {
    for (int surface = 0; surface < 2; surface++) {
        Stage stage = open_stage(8, lie_flat, (WeftJobs){0});
        Shown shown = make_shown(18, 1, 0.01, 0.99, lie_flat, no_height);
        WeftBindingDef def = shown_def(&stage, &shown);
        def.surface = surface ? WEFT_SURFACE_SMOOTH : WEFT_SURFACE_FLAT;
        WeftBinding* binding = bind(&def);
        draw_bend(&stage, roll);
        Vertex* v = write_stage(&stage, binding);

        WeftMesh mesh = {.vertex_count = shown.count, .triangle_count = shown.triangle_count};
        double* places = malloc(3 * (size_t)shown.count * sizeof *places);
        for (int i = 0; i < 3 * shown.count; i++) places[i] = (double)shown.positions[i];
        mesh.positions = places;
        mesh.triangles = shown.triangles;
        WeftRefinement map;
        WeftDetail* detail = NULL;
        CHECK(!weft_embed_mesh(&stage.mesh, &mesh, NULL, &map, NULL));
        CHECK(!weft_create_detail(&stage.mesh, &mesh, &map, def.surface, NULL, &detail, NULL));
        WeftDetailFrame frame = {.positions = weft_positions(stage.state)};
        weft_apply_detail(detail, &frame, NULL, places);
        double worst = 0;
        for (int i = 0; i < shown.count; i++)
            worst = fmax(worst, distance_to(v[i].position, places + 3 * (long)i));
        CHECK_BELOW(worst, 1e-6);
        weft_destroy_detail(detail);
        weft_destroy_refinement(&map);
        free(places), free(v);
        weft_destroy_binding(binding);
        free_shown(&shown);
        close_stage(&stage);
    }
}

// A button keeps its shape, and its normals turn with it.
static void rigid_parts(void) {
    Stage stage = open_stage(16, lie_flat, (WeftJobs){0});
    Shown shown = make_shown(6, 1, 0.6, 0.66, lie_flat, bumps);
    int* rigid = malloc((size_t)shown.count * sizeof *rigid);
    for (int i = 0; i < shown.count; i++) rigid[i] = i % 8 < 4 ? 0 : 1;
    WeftBindingDef def = shown_def(&stage, &shown);
    def.rigid = rigid;
    WeftBinding* binding = bind(&def);
    Vertex* before = write_stage(&stage, binding);
    draw_bend(&stage, roll);
    Vertex* after = write_stage(&stage, binding);
    double worst = 0, turned = 0, moved = 0;
    for (int i = 0; i < shown.count; i++) {
        for (int j = 0; j < i; j++) {
            double d[2] = {0, 0};
            for (int k = 0; k < 3; k++) {
                d[0] += pow((double)before[i].position[k] - (double)before[j].position[k], 2);
                d[1] += pow((double)after[i].position[k] - (double)after[j].position[k], 2);
            }
            double change = fabs(sqrt(d[0]) - sqrt(d[1]));
            if (rigid[i] == rigid[j]) worst = fmax(worst, change);
            double angle[2] = {dot_floats(before[i].normal, before[j].normal),
                               dot_floats(after[i].normal, after[j].normal)};
            if (rigid[i] == rigid[j]) turned = fmax(turned, fabs(angle[0] - angle[1]));
        }
        moved = fmax(moved, distance_between(after[i].position, before[i].position));
        CHECK_BELOW(
            fabs(hypot((double)after[i].position[0], (double)after[i].position[1]) - RADIUS), 0.01);
    }
    CHECK_BELOW(worst, 1e-6);
    CHECK_BELOW(turned, 1e-6);
    CHECK(moved > 0.1);
    rigid[3] = shown.count;
    WeftError error;
    WeftBinding* none = NULL;
    CHECK(weft_create_binding(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "render vertex 3: rigid part");
    free(before), free(after), free(rigid);
    weft_destroy_binding(binding);
    free_shown(&shown);
    close_stage(&stage);
}

// The cloth's own triangles: positions to the bit, normals as weft_copy_floats, tangents along u.
static void own_mesh(void) {
    Stage stage = open_stage(12, roll, (WeftJobs){0});
    WeftBinding* binding = NULL;
    CHECK(!weft_bind_cloth(stage.model, 0, &stage.mesh, NULL, &binding, NULL));
    CHECK(weft_binding_vertex_count(binding) == stage.mesh.vertex_count);
    Vertex* v = write_stage(&stage, binding);
    float* packed = malloc(6 * (size_t)stage.mesh.vertex_count * sizeof *packed);
    float* normals = packed + 3 * (long)stage.mesh.vertex_count;
    weft_copy_floats(stage.state, packed, normals);
    for (int i = 0; i < stage.mesh.vertex_count; i++) {
        double angle = (stage.mesh.material[2 * i] - 0.5) / RADIUS;
        double along[3] = {cos(angle), -sin(angle), 0};
        for (int k = 0; k < 3; k++) CHECK(v[i].position[k] == packed[3 * i + k]);
        CHECK_NEAR(dot_floats(v[i].normal, normals + 3 * (long)i), 1, 1e-6);
        CHECK_BELOW(distance_to(v[i].tangent, along), 0.12);  // half an edge is 0.1 rad
        CHECK(v[i].tangent[3] == 1);
    }
    // another mesh
    WeftBinding* none = NULL;
    WeftError error;
    stage.mesh.triangle_count--;
    CHECK(weft_bind_cloth(stage.model, 0, &stage.mesh, NULL, &none, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "another mesh");
    stage.mesh.triangle_count++;
    free(packed), free(v);
    weft_destroy_binding(binding);
    close_stage(&stage);
}

// Material points are vertices where a seam has two flat edges for one edge in space.
static void own_seams(void) {
    double positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0};
    double material[] = {0, 0, 1, 0, 1, 1, 0, 1, 3, 1, 3, 0, 4, 0, 4, 1};
    int triangles[] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
    int flat[] = {0, 1, 2, 0, 2, 3, 5, 6, 7, 5, 7, 4};
    WeftMesh mesh = {.vertex_count = 6,
                     .positions = positions,
                     .material_count = 8,
                     .material = material,
                     .triangle_count = 4,
                     .triangles = triangles,
                     .triangle_material = flat};
    Stage stage = {.mesh = mesh};
    WeftClothDef cloth = weft_default_cloth_def();
    weft_use_mesh(&cloth, &mesh);
    WeftModelDef def = weft_default_model_def();
    def.cloths = &cloth, def.cloth_count = 1;
    CHECK(!weft_create_model(&def, &stage.model, NULL));
    CHECK(!weft_create_state(stage.model, &stage.state, NULL));
    CHECK(!weft_create_frames(stage.model, NULL, &stage.frames, NULL));
    weft_push_frame(stage.frames, stage.state);
    weft_draw_frame(stage.frames, 1, NULL);
    WeftBinding* binding = NULL;
    CHECK(!weft_bind_cloth(stage.model, 0, &mesh, NULL, &binding, NULL));
    CHECK(weft_binding_vertex_count(binding) == 8);
    CHECK(memcmp(weft_binding_triangles(binding), flat, sizeof flat) == 0);
    Vertex* v = write_stage(&stage, binding);
    const int of[8] = {0, 1, 2, 3, 2, 1, 4, 5};
    for (int i = 0; i < 8; i++) {
        const double x[3] = {1, 0, 0};
        CHECK(distance_to(v[i].position, positions + 3 * (long)of[i]) == 0);
        CHECK_BELOW(distance_to(v[i].tangent, x), 1e-7);
    }
    free(v);
    weft_destroy_binding(binding);
    weft_destroy_frames(stage.frames);
    weft_destroy_state(stage.state);
    weft_destroy_model(stage.model);
}

// Odd strides and offsets, and nothing but what was asked for.
static void layouts(void) {
    Stage stage = open_stage(6, roll, (WeftJobs){0});
    Shown shown = make_shown(9, 1, 0, 1, roll, no_height);
    WeftBindingDef def = shown_def(&stage, &shown);
    WeftBinding* binding = bind(&def);
    Vertex* v = write_stage(&stage, binding);
    enum { STRIDE = 37 };
    size_t size = (size_t)shown.count * STRIDE;
    unsigned char* buffer = malloc(size);
    for (int format = 1; format < 3; format++) {
        memset(buffer, 0xa5, size);
        WeftVertexLayout layout = {buffer, STRIDE, 1, 15, 25, -1, (WeftVertexFormat)format};
        weft_write_vertices(binding, stage.frames, &layout);
        for (int i = 0; i < shown.count; i++) {
            const unsigned char* at = buffer + (size_t)i * STRIDE;
            int16_t shorts[2][4];
            int8_t bytes[2][4];
            CHECK(at[0] == 0xa5 && at[13] == 0xa5 && at[14] == 0xa5 && at[36] == 0xa5);
            CHECK(memcmp(at + 1, v[i].position, 12) == 0);
            memcpy(shorts[0], at + 15, 8), memcpy(shorts[1], at + 25, 8);
            memcpy(bytes[0], at + 15, 4), memcpy(bytes[1], at + 25, 4);
            for (int k = 0; k < 4; k++) {
                double n = k < 3 ? (double)v[i].normal[k] : 0, t = (double)v[i].tangent[k];
                bool wide = format == WEFT_VERTEX_SHORTS;
                double unit = wide ? 32767 : 127;
                CHECK_NEAR((wide ? shorts[0][k] : bytes[0][k]) / unit, n, 0.51 / unit);
                CHECK_NEAR((wide ? shorts[1][k] : bytes[1][k]) / unit, t, 0.51 / unit);
            }
        }
    }
    free(buffer), free(v);
    weft_destroy_binding(binding);
    free_shown(&shown);
    close_stage(&stage);
}

static void shift_sheet(double u, double v, double height, double* place) {
    place[0] = u + 0.5, place[1] = height, place[2] = -v;
}
static void far_away(double u, double v, double height, double* place) {
    place[0] = u + 5e5, place[1] = height - 3e5, place[2] = -v;
}

// Between two steps; motion vectors; jumps; far from zero.
static void frames_between_steps(void) {
    Stage stage = open_stage(6, lie_flat, (WeftJobs){0});
    WeftBinding* binding = NULL;
    CHECK(!weft_bind_cloth(stage.model, 0, &stage.mesh, NULL, &binding, NULL));
    set_bend(&stage, shift_sheet);
    weft_push_frame(stage.frames, stage.state);
    const double alphas[] = {0, 0.25, 1, 2, (double)NAN};
    const double at[] = {0, 0.125, 0.5, 0.5, 0.5};
    for (int i = 0; i < 5; i++) {
        weft_draw_frame(stage.frames, alphas[i], NULL);
        Vertex* v = write_stage(&stage, binding);
        CHECK_NEAR(v[3].position[0], 0.5 + at[i], 1e-6);
        CHECK_NEAR(v[3].previous[0], 0.5 + (i ? at[i - 1] : 0), 1e-6);
        free(v);
    }
    // a jump to another place, seen from there
    set_bend(&stage, far_away);
    weft_restart_frames(stage.frames, stage.state);
    const double origin[3] = {5e5, -3e5, 0};
    weft_draw_frame(stage.frames, 0.3, origin);
    Vertex* v = write_stage(&stage, binding);
    for (int i = 0; i < stage.mesh.vertex_count; i++) {
        const double place[3] = {stage.mesh.material[2 * i], 0, -stage.mesh.material[2 * i + 1]};
        CHECK_BELOW(distance_to(v[i].position, place), 1e-7);
        CHECK(memcmp(v[i].position, v[i].previous, sizeof v[i].position) == 0);
    }
    free(v);
    weft_destroy_binding(binding);
    close_stage(&stage);
}

// Half of one mesh's cloth, half of another's.
static void blends(void) {
    Stage stages[2] = {open_stage(5, lie_flat, (WeftJobs){0}),
                       open_stage(9, lie_flat, (WeftJobs){0})};
    Shown shown = make_shown(12, 1, 0, 1, lie_flat, no_height);
    WeftBinding* bindings[2];
    Vertex* v[3];
    for (int k = 0; k < 2; k++) {
        WeftBindingDef def = shown_def(&stages[k], &shown);
        bindings[k] = bind(&def);
        draw_bend(&stages[k], k ? shift_sheet : roll);
        v[k] = write_stage(&stages[k], bindings[k]);
    }
    v[2] = malloc((size_t)shown.count * sizeof *v[2]);
    WeftVertexLayout layout = vertex_layout(v[2]);
    WeftDrawn drawn[2] = {{bindings[0], stages[0].frames}, {bindings[1], stages[1].frames}};
    const double parts[] = {0, 0.3, 1, (double)NAN};
    for (int p = 0; p < 4; p++) {
        double part = parts[p] >= 0 ? parts[p] : 0;
        weft_write_blend(drawn, parts[p], &layout);
        for (int i = 0; i < shown.count; i++) {
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(
                    v[2][i].position[k],
                    (1 - part) * (double)v[0][i].position[k] + part * (double)v[1][i].position[k],
                    1e-6);
                CHECK_NEAR(
                    v[2][i].previous[k],
                    (1 - part) * (double)v[0][i].previous[k] + part * (double)v[1][i].previous[k],
                    1e-6);
            }
            CHECK_NEAR(dot_floats(v[2][i].normal, v[2][i].normal), 1, 1e-5);
            CHECK_NEAR(dot_floats(v[2][i].normal, v[2][i].tangent), 0, 1e-5);
        }
    }
    for (int k = 0; k < 3; k++) free(v[k]);
    for (int k = 0; k < 2; k++) weft_destroy_binding(bindings[k]), close_stage(&stages[k]);
    free_shown(&shown);
}

// Blocks in any order give the same bits.
static void any_threads(void) {
    Vertex* v[2];
    int runs = 0, count = 0;
    WeftJobs jobs[2] = {{.thread_count = 1}, {.run = run_backwards, .user = &runs}};
    for (int k = 0; k < 2; k++) {
        Stage stage = open_stage(40, lie_flat, jobs[k]);
        Shown shown = make_shown(60, 2, 0, 1, lie_flat, bumps);
        WeftBindingDef def = shown_def(&stage, &shown);
        WeftBinding* binding = bind(&def);
        draw_bend(&stage, roll);
        weft_draw_frame(stage.frames, 0.4, NULL);
        v[k] = write_stage(&stage, binding);
        count = shown.count;
        weft_destroy_binding(binding);
        free_shown(&shown);
        close_stage(&stage);
    }
    CHECK(runs > 0 && memcmp(v[0], v[1], (size_t)count * sizeof *v[0]) == 0);
    free(v[0]), free(v[1]);
}

static void point(double u, double v, double height, double* place) {
    (void)u, (void)v;
    place[0] = 1, place[1] = height, place[2] = 2;
}

// Rolled up on itself: layers 5 mm apart, all facing alike, and coarse edges of 42 mm that cut as
// far into the next one.
static void roll_up(double u, double v, double height, double* place) {
    double angle = 0, pitch = 0.005 / (2 * 3.14159265358979), r = 0.04;
    for (int i = 0; i < 40; i++) angle = u / (r + pitch * angle / 2);
    r += pitch * angle + height;
    place[0] = r * sin(angle), place[1] = r * cos(angle), place[2] = -v;
}

// What is bound in a roll lies where it belongs when that is unrolled: a wrong layer is off by the
// girth of the roll.
static void layers_in_a_roll(void) {
    Stage stage = open_stage(28, roll_up, (WeftJobs){0});
    Shown shown = make_shown(96, 1, 0, 1, roll_up, no_height);
    WeftBindingDef def = shown_def(&stage, &shown);
    WeftBinding* binding = bind(&def);
    draw_bend(&stage, lie_flat);
    Vertex* v = write_stage(&stage, binding);
    double worst = 0;
    for (int i = 0; i < shown.count; i++) {
        const double flat[3] = {shown.flat[3 * i], 0, -shown.flat[3 * i + 1]};
        worst = fmax(worst, distance_to(v[i].position, flat));
    }
    CHECK_BELOW(worst, 0.03);
    free(v);
    weft_destroy_binding(binding);
    free_shown(&shown);
    close_stage(&stage);
}

// Cloth that is pressed to a point still has directions, all of them numbers of length 1.
static void no_area(void) {
    Stage stage = open_stage(6, lie_flat, (WeftJobs){0});
    Shown shown = make_shown(7, 1, 0, 1, lie_flat, bumps);
    WeftBindingDef def = shown_def(&stage, &shown);
    WeftBinding* binding = bind(&def);
    draw_bend(&stage, point);
    Vertex* v = write_stage(&stage, binding);
    for (int i = 0; i < shown.count; i++) {
        CHECK_NEAR(dot_floats(v[i].normal, v[i].normal), 1, 1e-6);
        CHECK_NEAR(dot_floats(v[i].tangent, v[i].tangent), 1, 1e-6);
        CHECK_NEAR(dot_floats(v[i].tangent, v[i].normal), 0, 1e-6);
        CHECK(isfinite(v[i].position[0]));
    }
    free(v);
    weft_destroy_binding(binding);
    free_shown(&shown);
    close_stage(&stage);
}

static void refusals(void) {
    Stage stage = open_stage(4, lie_flat, (WeftJobs){0});
    Shown shown = make_shown(4, 1, 0, 1, lie_flat, no_height);
    WeftBindingDef good = shown_def(&stage, &shown), def = good;
    WeftBinding* none = NULL;
    WeftError error;
    def.cloth = 1;
    CHECK(weft_create_binding(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "no cloth 1");
    def = good;
    shown.positions[4] = NAN;
    CHECK(weft_create_binding(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "render vertex 1: its position has nan");
    shown.positions[4] = 0;
    shown.triangles[5] = shown.count;
    CHECK(weft_create_binding(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    CHECK_TEXT(error.message, "render triangle 1");
    shown.triangles[5] = 0;
    def.vertex_count = 0;
    CHECK(weft_create_binding(&def, &none, &error) == WEFT_ERROR_INPUT && !none);
    free_shown(&shown);
    close_stage(&stage);
}

// Bytes come back as they were; of other meshes, cut off or damaged they are refused.
static void as_bytes(void) {
    Stage stage = open_stage(6, roll, (WeftJobs){0}), other = open_stage(7, roll, (WeftJobs){0});
    Shown shown = make_shown(9, 2, 0, 1, roll, shell);
    int* rigid = malloc((size_t)shown.count * sizeof *rigid);
    for (int i = 0; i < shown.count; i++) rigid[i] = i < 5 ? 0 : -1;
    WeftBindingDef def = shown_def(&stage, &shown);
    def.rigid = rigid;
    WeftBinding *binding = bind(&def), *again = NULL;
    size_t size = weft_save_binding(binding, NULL, 0);
    unsigned char* bytes = malloc(size);
    CHECK(weft_save_binding(binding, bytes, size) == size);
    WeftError error;
    CHECK(!weft_load_binding(&def, bytes, size, &again, &error));
    draw_bend(&stage, shear);
    Vertex *v = write_stage(&stage, binding), *w = write_stage(&stage, again);
    CHECK(memcmp(v, w, (size_t)shown.count * sizeof *v) == 0);
    CHECK(weft_binding_reach(again) == weft_binding_reach(binding));
    weft_destroy_binding(again);
    again = NULL;
    for (size_t cut = 0; cut < size; cut += 1 + size / 97)
        CHECK(weft_load_binding(&def, bytes, cut, &again, NULL) == WEFT_ERROR_INPUT && !again);
    for (size_t at = 0; at < size; at += 1 + size / 211) {
        bytes[at] ^= 0x10;
        CHECK(weft_load_binding(&def, bytes, size, &again, NULL) == WEFT_ERROR_INPUT && !again);
        bytes[at] ^= 0x10;
    }
    def.model = other.model;
    CHECK(weft_load_binding(&def, bytes, size, &again, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "cloth of other triangles");
    def.model = stage.model;
    shown.positions[7] += 1;
    CHECK(weft_load_binding(&def, bytes, size, &again, &error) == WEFT_ERROR_INPUT);
    CHECK_TEXT(error.message, "another render mesh");
    free(v), free(w), free(bytes), free(rigid);
    weft_destroy_binding(binding);
    free_shown(&shown);
    close_stage(&stage), close_stage(&other);
}

static Stage* stage_of_memory;

static WeftResult make_all(const WeftAllocator* allocator, WeftMesh* mesh, WeftError* error) {
    *mesh = (WeftMesh){0};
    Shown shown = make_shown(6, 1, 0, 1, lie_flat, bumps);
    WeftBindingDef def = shown_def(stage_of_memory, &shown);
    WeftBinding *binding = NULL, *own = NULL;
    WeftFrames* frames = NULL;
    def.allocator = *allocator;
    WeftResult result = weft_create_binding(&def, &binding, error);
    if (!result)
        result = weft_bind_cloth(stage_of_memory->model, 0, &stage_of_memory->mesh, allocator, &own,
                                 error);
    if (!result) result = weft_create_frames(stage_of_memory->model, allocator, &frames, error);
    weft_destroy_binding(binding);
    weft_destroy_binding(own);
    weft_destroy_frames(frames);
    free_shown(&shown);
    return result;
}

static void without_memory(void) {
    Stage stage = open_stage(5, lie_flat, (WeftJobs){0});
    stage_of_memory = &stage;
    check_every_allocation(make_all);
    close_stage(&stage);
}

TEST_MAIN(CASE(back_in_place), CASE(affine_motion), CASE(shells_and_seams),
          CASE(same_surface_as_detail), CASE(rigid_parts), CASE(own_mesh), CASE(own_seams),
          CASE(layouts), CASE(frames_between_steps), CASE(blends), CASE(any_threads),
          CASE(layers_in_a_roll), CASE(no_area), CASE(refusals), CASE(as_bytes),
          CASE(without_memory))
