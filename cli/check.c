// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft check: read scenes, prepare them, take one step, and say what is in them; and patterns.

#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "closing.h"
#include "commands.h"
#include "pattern.h"
#include "place.h"
#include "session.h"
#include "shown.h"
#include "start.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

typedef struct Facts {
    int cloths, vertices, triangles, edges, hinges, pins;
    int welded, unwelded;  // vertices
    int thinned;           // vertices at which cloth keeps less than its thickness from cloth
    double area, mass;     // m^2, kg
    double beta;           // stiffness number of the fabric at this step, unsoftened
    double scale;          // simulated over real stiffness
    double megabytes;      // of the model
    Start start;           // what is wrong with it
    WeftSceneSymmetry symmetry;
    const Closing* closing;
} Facts;

// A corner in the flat shape, or at the start where there is none.
static void corner_place(const WeftMesh* mesh, int corner, double place[3]) {
    const int* points = mesh->triangle_material ? mesh->triangle_material : mesh->triangles;
    int width = mesh->material ? 2 : 3;
    const double* from = mesh->material ? mesh->material + 2 * (size_t)points[corner]
                                        : mesh->positions + 3 * (size_t)mesh->triangles[corner];
    for (int k = 0; k < 3; k++) place[k] = k < width ? from[k] : 0;
}

static double triangle_area(const WeftMesh* mesh, int triangle) {
    double o[3], a[3], b[3];
    corner_place(mesh, 3 * triangle, o);
    corner_place(mesh, 3 * triangle + 1, a);
    corner_place(mesh, 3 * triangle + 2, b);
    for (int k = 0; k < 3; k++) a[k] -= o[k], b[k] -= o[k];
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

static int rope_segments(const WeftModelDef* def) {
    int count = 0;
    for (int c = 0; c < def->cloth_count; c++) {
        const WeftClothDef* cloth = &def->cloths[c];
        for (int t = 0; t < cloth->thread_count; t++)
            if (cloth->threads[t].kind == WEFT_THREAD_ROPE) count += cloth->threads[t].count - 1;
    }
    return count;
}

static Facts find_facts(const Session* session, const Start* start) {
    const WeftModel* model = session->model;
    const WeftModelDef* def = &session->scene->model;
    const WeftStepReport* report = weft_report(session->state);
    Facts facts = {
        .cloths = weft_cloth_count(model),
        .vertices = weft_vertex_count(model),
        .triangles = weft_triangle_count(model),
        .edges = weft_edge_count(model),
        .beta = report->stiffness_number / report->stiffness_scale,
        .scale = report->stiffness_scale,
        .megabytes = 1e-6 * (double)weft_model_bytes(model),
        .start = *start,
    };
    // an edge has one triangle or, at a hinge, two; a segment of a rope has none
    facts.hinges = 3 * facts.triangles - facts.edges + rope_segments(def);
    for (int i = 0; i < facts.vertices; i++) facts.mass += weft_masses(model)[i];
    for (int c = 0; c < def->cloth_count; c++) {
        facts.pins += def->cloths[c].pin_count;
        facts.welded += session->scene->welds[c].vertex_count;
        facts.unwelded += weft_unwelded_count(model, c);
        facts.thinned += find_thinning(session, c).vertices;
        for (int t = 0; t < session->scene->meshes[c].triangle_count; t++)
            facts.area += triangle_area(&session->scene->meshes[c], t);
    }
    return facts;
}

// What a budget will choose is not known yet, and the stiffness goes by it.
static bool is_open(const WeftStepDef* step) {
    return step->method == WEFT_METHOD_PREFACTORED && step->budget_ms > 0;
}

static const char* step_text(const Session* session) {
    bool open = is_open(&session->scene->model.step);
    return method_text(session, open ? NULL : weft_report(session->state));
}

// ---------------------------------------------------------------------------------------------
// Bodies

static const struct {
    const char *one, *many;
} body_kinds[] = {
    [WEFT_BODY_PLANE] = {"plane", "planes"},
    [WEFT_BODY_SPHERE] = {"sphere", "spheres"},
    [WEFT_BODY_CAPSULE] = {"capsule", "capsules"},
    [WEFT_BODY_BOX] = {"box", "boxes"},
    [WEFT_BODY_MESH] = {"mesh", "meshes"},
    [WEFT_BODY_TAPERED] = {"tapered capsule", "tapered capsules"},
    [WEFT_BODY_HULL] = {"hull", "hulls"},
    [WEFT_BODY_DISTANCE] = {"distance field", "distance fields"},
};
enum { BODY_KINDS = sizeof body_kinds / sizeof *body_kinds };

static bool body_moves(const WeftScene* scene, int body) { return scene->bodies[body].motion >= 0; }

static bool body_deforms(const WeftScene* scene, int body) {
    return scene->bodies[body].shape.key_count > 0;
}

// "1 plane, 9 meshes; 1 moves"
static void print_bodies(const WeftScene* scene) {
    const WeftModelDef* def = &scene->model;
    int counts[BODY_KINDS] = {0}, moving = 0, deforming = 0;
    const char* before = "";
    for (int b = 0; b < def->body_count; b++) {
        counts[def->bodies[b].kind]++;
        moving += body_moves(scene, b);
        deforming += body_deforms(scene, b);
    }
    printf("  bodies: ");
    for (int kind = 0; kind < BODY_KINDS; kind++) {
        if (counts[kind] == 0) continue;
        printf("%s%d %s", before, counts[kind],
               counts[kind] == 1 ? body_kinds[kind].one : body_kinds[kind].many);
        before = ", ";
    }
    if (moving > 0) printf("; %d move%s", moving, moving == 1 ? "s" : "");
    if (deforming > 0) printf("; %d deform%s", deforming, deforming == 1 ? "s" : "");
    putchar('\n');
}

static void print_contact(const Session* session) {
    const WeftModelDef* def = &session->scene->model;
    if (def->body_count > 0) print_bodies(session->scene);
    if (def->body_count > 0 || def->contact != WEFT_CONTACT_BODIES)
        printf("  contact: %s\n", choice_name("contact", (int)def->contact));
}

static json_t* bodies_json(const Session* session) {
    const WeftScene* scene = session->scene;
    json_t* list = json_array();
    for (int b = 0; b < scene->model.body_count; b++) {
        const char* name = scene->bodies[b].name;
        json_array_append_new(
            list,
            json_pack("{s:s,s:o,s:b,s:b}", "kind", body_kinds[scene->model.bodies[b].kind].one,
                      "name", name ? json_string(name) : json_null(), "moves", body_moves(scene, b),
                      "deforms", body_deforms(scene, b)));
    }
    return list;
}

// ---------------------------------------------------------------------------------------------
// Symmetry: about the plane of its mirror, or x = 0

static double off_by(const WeftSceneSymmetry* s) {
    return fmax(s->cloth, fmax(s->pins, s->bodies));
}

static void print_plane(const WeftPlane* plane) {
    const double *n = plane->normal, *p = plane->point;
    if (n[1] == 0 && n[2] == 0)
        printf("x = %g", p[0]);
    else
        printf("the plane through (%g, %g, %g) square to (%g, %g, %g)", p[0], p[1], p[2], n[0],
               n[1], n[2]);
}

static void print_symmetry(const Session* session, const WeftSceneSymmetry* s) {
    const WeftMirror* mirror = &session->scene->model.mirror;
    printf("  symmetry about ");
    print_plane(&mirror->plane);
    if (off_by(s) < 1e-9 && s->across == 0 && s->unlike == 0)
        printf(": exact");
    else
        printf(": cloth off by %.3g mm, pins %.3g, bodies %.3g; %s", 1e3 * s->cloth, 1e3 * s->pins,
               1e3 * s->bodies, s->culprit);
    if (s->unpaired > 0) printf("; %d vertices have no image", s->unpaired);
    putchar('\n');
    if (mirror->kind != WEFT_MIRROR_NONE)
        printf("  mirror: %s, %d of %d vertices are simulated\n",
               choice_name("mirror", (int)mirror->kind), weft_simulated_count(session->model),
               weft_vertex_count(session->model));
}

// Infinite is no number of JSON.
static json_t* length_json(double length) {
    return isfinite(length) ? json_real(length) : json_null();
}

static json_t* symmetry_json(const Session* session, const WeftSceneSymmetry* s,
                             const Closing* closing) {
    const WeftMirror* mirror = &session->scene->model.mirror;
    return json_pack("{s:s,s:i,s:o,s:i,s:i,s:o,s:o,s:f,s:s,s:s,s:o}", "mirror",
                     choice_name("mirror", (int)mirror->kind), "simulated",
                     weft_simulated_count(session->model), "cloth", length_json(s->cloth),
                     "unpaired", s->unpaired, "unlike", s->unlike, "pins", length_json(s->pins),
                     "bodies", length_json(s->bodies), "across", s->across, "culprit", s->culprit,
                     "closure", choice_name("closure", (int)mirror->closure), "closure_gap",
                     gap_json(closing));
}

// ---------------------------------------------------------------------------------------------
// As text, as data

static void print_facts(const char* path, const Session* session, const Facts* facts) {
    WeftMatrices matrices = session->scene->model.matrices;
    printf("%s: %s\n", path, session->scene->name);
    printf("  %d cloth%s, %d vertices, %d triangles, %d edges, %d hinges\n", facts->cloths,
           facts->cloths == 1 ? "" : "s", facts->vertices, facts->triangles, facts->edges,
           facts->hinges);
    print_shown(session, NULL, "  shown: ");
    print_welds(session, "  ");
    print_thinning(session, "  ");
    printf("  %.4g m^2, %.4g kg, pinned at the start: %d\n", facts->area, facts->mass, facts->pins);
    printf("  %d steps, %s\n", weft_scene_frames(session->scene), step_text(session));
    print_contact(session);
    print_symmetry(session, &facts->symmetry);
    print_closing_at_start(session, facts->closing);
    if (matrices != WEFT_MATRICES_ALL)
        printf("  matrices: %s\n", choice_name("matrices", (int)matrices));
    printf("  beta %.4g", facts->beta);
    if (!is_open(&session->scene->model.step))
        printf(", simulated at %.4g", facts->beta * facts->scale);
    printf("; %.3g MB\n", facts->megabytes);
    print_start(session, &facts->start, "  ");
}

static json_t* facts_json(const char* path, const Session* session, const Facts* facts) {
    const WeftModelDef* def = &session->scene->model;
    json_t* scale = is_open(&def->step) ? json_null() : json_real(facts->scale);
    return json_pack(
        "{s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:f,s:f,s:f,s:o,s:i,s:s,s:f,s:s,s:s,s:o,s:o,"
        "s:i,s:o,s:o}",
        "file", path, "scene", session->scene->name, "cloths", facts->cloths, "vertices",
        facts->vertices, "triangles", facts->triangles, "edges", facts->edges, "hinges",
        facts->hinges, "pins", facts->pins, "welded", facts->welded, "unwelded", facts->unwelded,
        "thinned", facts->thinned, "area", facts->area, "mass", facts->mass, "beta", facts->beta,
        "stiffness_scale", scale, "steps", weft_scene_frames(session->scene), "method",
        step_text(session), "budget_ms", def->step.budget_ms, "matrices",
        choice_name("matrices", (int)def->matrices), "contact",
        choice_name("contact", (int)def->contact), "bodies", bodies_json(session), "start",
        start_json(session, &facts->start), "tangles", weft_report(session->state)->tangles,
        "shown", shown_json(session, NULL), "symmetry",
        symmetry_json(session, &facts->symmetry, facts->closing));
}

static int check_scene(const char* path, json_t* list) {
    Session session;
    StepOptions as_it_is = default_step_options();
    Start start;
    Closing closing = {0};
    int code = open_session(&session, path, &as_it_is);
    if (code == GO_ON) code = open_show(&session, path);
    if (code == GO_ON) code = look_at_start(&session, &start);
    if (code == GO_ON) code = open_closing(&closing, &session);
    if (code != GO_ON) goto done;
    WeftStepDef step = session.scene->model.step;
    weft_direct_scene(session.scene, session.state, &step);
    code = EXIT_GOOD;
    if (weft_step(session.state, &step)) {
        fprintf(stderr, "%s: step 1: %s\n", path, weft_state_error(session.state)->message);
        code = EXIT_USAGE;
        goto done;
    }
    Facts facts = find_facts(&session, &start);
    facts.closing = &closing;
    WeftError error;
    if (weft_measure_scene(session.scene, &session.scene->model.mirror.plane, &facts.symmetry,
                           &error)) {
        code = complain(EXIT_FAILED, "%s: %s", path, error.message);
        goto done;
    }
    if (list)
        json_array_append_new(list, facts_json(path, &session, &facts));
    else
        print_facts(path, &session, &facts);
done:
    free_closing(&closing);
    close_session(&session);
    return code;
}

static int check_file(const char* name, json_t* list) {
    char path[PATH_SIZE];
    int code = find_pattern(name, path);
    if (code != GO_ON) return code;
    return weft_is_pattern(path) ? check_pattern(path, list) : check_scene(path, list);
}

static int check(const Command* command, int argc, char** argv) {
    bool json = false;
    const Option options[] = {
        {"json", OPTION_FLAG, NULL, "print a list of data", &json, 0, 0},
    };
    TextList arguments;
    int code = parse_options(command, options, 1, argc, argv, &arguments);
    if (code == GO_ON && arguments.count == 0)
        code = complain(EXIT_USAGE, "check takes scenes or patterns; see `weft check --help`");
    if (code == GO_ON) {
        code = EXIT_GOOD;
        json_t* list = json ? json_array() : NULL;
        for (int i = 0; i < arguments.count; i++) {
            int one = check_file(arguments.texts[i], list);
            if (one > code) code = one;
        }
        if (list) json_dumpf(list, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        if (list) putchar('\n');
        json_decref(list);
    }
    free_list(&arguments);
    return code;
}

const Command check_command = {
    .name = "check",
    .arguments = "SCENE...",
    .summary = "Read scenes, take one step, and say what is in them or wrong with them.",
    .details =
        "Warns of cloth that touches, crosses or is inside of something at the start, and says "
        "whether\nsteps will mend it; and measures how symmetric the scene is, about its mirror or "
        "x = 0.\nPattern files, and names of garments that come with weft, are recognised: for "
        "them "
        "it says\nwhat is in them and what was mended. Exits 0 when all can be run, 2 when one "
        "cannot.",
    .run = check,
};
