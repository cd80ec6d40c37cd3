// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "start.h"

#include <stdio.h>
#include <stdlib.h>

#include "findings.h"
#include "outputs.h"

// Surfaces of what is there at the start.
typedef struct Scenery {
    const Session* session;
    int cloth_count, body_count;
    WeftSurface* sheets;  // every cloth, then every body
    // Its vertices one by one, ropes and all: of every cloth those that are free, then those that
    // are pinned, as triangles without area; then every body.
    WeftSurface* points;
    bool* planes;       // of points
    int* corners;       // of points
    double* positions;  // of bodies
    Findings findings;
} Scenery;

// ---------------------------------------------------------------------------------------------
// Surfaces

static bool allocate(Scenery* s) {
    const WeftModel* model = s->session->model;
    size_t surfaces = 2 * (size_t)s->cloth_count + (size_t)s->body_count, vertices = 0;
    for (int b = 0; b < s->body_count; b++) vertices += (size_t)weft_body_vertex_count(model, b);
    s->sheets = calloc(surfaces, sizeof *s->sheets);
    s->points = calloc(surfaces, sizeof *s->points);
    s->planes = calloc(surfaces, sizeof *s->planes);
    s->corners = calloc(3 * (size_t)weft_vertex_count(model), sizeof *s->corners);
    s->positions = calloc(3 * vertices + 1, sizeof *s->positions);
    return s->sheets && s->points && s->planes && s->corners && s->positions;
}

// The vertices of a cloth that are pinned, or those that are not, put down from `corners` on.
static WeftSurface make_points(const Scenery* s, int cloth, bool pinned, int* corners) {
    const Session* session = s->session;
    int end = weft_first_vertex(session->model, cloth + 1);
    WeftSurface surface = {weft_vertex_count(session->model), weft_positions(session->state), 0,
                           corners, false};
    for (int i = weft_first_vertex(session->model, cloth); i < end; i++) {
        if (weft_is_pinned(session->state, i) != pinned) continue;
        for (int k = 0; k < 3; k++) *corners++ = i;
        surface.triangle_count++;
    }
    return surface;
}

static void make_cloths(Scenery* s) {
    const Session* session = s->session;
    const int* triangles = weft_triangles(session->model);
    int* corners = s->corners;
    for (int c = 0; c < s->cloth_count; c++) {
        int count = session->scene->model.cloths[c].triangle_count;
        s->sheets[c] = (WeftSurface){weft_vertex_count(session->model),
                                     weft_positions(session->state), count, triangles, false};
        if (count > 0) triangles += 3 * (size_t)count;
        for (int pinned = 0; pinned < 2; pinned++) {
            WeftSurface* points = &s->points[2 * c + pinned];
            *points = make_points(s, c, pinned, corners);
            corners += 3 * (size_t)points->triangle_count;
        }
    }
}

static void make_bodies(Scenery* s) {
    const WeftModel* model = s->session->model;
    double* positions = s->positions;
    for (int b = 0; b < s->body_count; b++) {
        int count = weft_body_vertex_count(model, b);
        weft_copy_body(s->session->state, b, positions);
        WeftSurface surface = {count, positions, weft_body_triangle_count(model, b),
                               weft_body_triangles(model, b), true};
        s->sheets[s->cloth_count + b] = s->points[2 * s->cloth_count + b] = surface;
        s->planes[2 * s->cloth_count + b] =
            s->session->scene->model.bodies[b].kind == WEFT_BODY_PLANE;
        positions += 3 * (size_t)count;
    }
}

// ---------------------------------------------------------------------------------------------
// Troubles

// "cloth 0" or "body ball", by its number among the sheets.
static void name_sheet(const Scenery* s, int sheet, char name[WEFT_PART_NAME]) {
    if (sheet < s->cloth_count)
        snprintf(name, WEFT_PART_NAME, "cloth %d", sheet);
    else
        weft_name_body(s->session->scene, sheet - s->cloth_count, name);
}

static bool is_fixed(const Scenery* s, int sheet, int triangle) {
    const WeftSurface* surface = &s->sheets[sheet];
    const int* v = surface->triangles + 3 * (size_t)triangle;
    for (int k = 0; k < 3 && !surface->body; k++)
        if (!weft_is_pinned(s->session->state, v[k])) return false;
    return true;
}

static TroubleKind kind_of(const Scenery* s, const WeftCrossing* crossing) {
    bool body = s->sheets[crossing->surface[1]].body;  // bodies come last
    if (weft_crossing_touches(s->sheets, crossing))
        return body ? CLOTH_TOUCHES_BODY : CLOTH_TOUCHES_CLOTH;
    return body ? CLOTH_CROSSES_BODY : CLOTH_CROSSES_CLOTH;
}

static void add_crossing(const Scenery* s, const WeftCrossing* crossing, Start* start) {
    const int *sheet = crossing->surface, *triangle = crossing->triangle;
    Trouble* trouble = &start->troubles[kind_of(s, crossing)];
    char names[2][WEFT_PART_NAME];
    if (trouble->count++ == 0) {
        for (int k = 0; k < 2; k++) name_sheet(s, sheet[k], names[k]);
        snprintf(trouble->first, sizeof trouble->first, "%s triangle %d and %s triangle %d",
                 names[0], triangle[0], names[1], triangle[1]);
    }
    trouble->pinned += is_fixed(s, sheet[0], triangle[0]) && is_fixed(s, sheet[1], triangle[1]);
}

static void add_place(const Scenery* s, const WeftInside* place, Start* start) {
    int cloth = place->surface / 2, body = place->body - 2 * s->cloth_count;
    Trouble* trouble = &start->troubles[CLOTH_IS_INSIDE];
    char name[WEFT_PART_NAME];
    if (trouble->count == 0) {
        weft_name_body(s->session->scene, body, name);
        snprintf(trouble->first, sizeof trouble->first, "cloth %d vertex %d in %s", cloth,
                 place->first - weft_first_vertex(s->session->model, cloth), name);
    }
    trouble->count += place->vertex_count;
    if (place->surface % 2 == 1) trouble->pinned += place->vertex_count;
}

// Whether two of them touch at all, by their layers and masks; bodies come behind cloths.
static bool touch(const Scenery* s, int a, int b) {
    const WeftModelDef* def = &s->session->scene->model;
    int cloths = s->cloth_count;
    uint32_t layers[2], masks[2];
    for (int k = 0; k < 2; k++) {
        int sheet = k == 0 ? a : b;
        bool body = sheet >= cloths;
        layers[k] = body ? def->bodies[sheet - cloths].layer : def->cloths[sheet].layer;
        masks[k] = body ? def->bodies[sheet - cloths].mask : def->cloths[sheet].mask;
    }
    return (layers[0] & masks[1]) != 0 && (layers[1] & masks[0]) != 0;
}

static int find_troubles(Scenery* s, Start* start) {
    WeftError error;
    if (find_crossings(&s->findings, s->sheets, s->cloth_count + s->body_count, &error) ||
        find_inside(&s->findings, s->points, 2 * s->cloth_count + s->body_count, s->planes, &error))
        return fail_findings(&error);
    for (int i = 0; i < s->findings.crossing_count; i++) {
        const WeftCrossing* crossing = &s->findings.crossings[i];
        if (touch(s, crossing->surface[0], crossing->surface[1])) add_crossing(s, crossing, start);
    }
    for (int i = 0; i < s->findings.place_count; i++) {
        const WeftInside* place = &s->findings.places[i];
        if (touch(s, place->surface / 2, place->body - s->cloth_count)) add_place(s, place, start);
    }
    return GO_ON;
}

int look_at_start(const Session* session, Start* start) {
    Scenery scenery = {.session = session,
                       .cloth_count = weft_cloth_count(session->model),
                       .body_count = weft_body_count(session->model)};
    int code = GO_ON;
    *start = (Start){0};
    if (allocate(&scenery)) {
        make_cloths(&scenery);
        make_bodies(&scenery);
        code = find_troubles(&scenery, start);
    } else {
        code = complain(EXIT_FAILED, "out of memory");
    }
    free(scenery.sheets);
    free(scenery.points);
    free(scenery.planes);
    free(scenery.corners);
    free(scenery.positions);
    free_findings(&scenery.findings);
    return code;
}

// ---------------------------------------------------------------------------------------------
// In words

static const struct {
    const char *what, *one, *many, *mend;
    WeftContact least;  // of contact, that looks at it
} kinds[TROUBLE_KINDS] = {
    [CLOTH_TOUCHES_CLOTH] = {"cloth touches cloth", "pair of triangles", "pairs of triangles",
                             "the first step tells it apart", WEFT_CONTACT_ALL},
    [CLOTH_TOUCHES_BODY] = {"cloth touches a body", "pair of triangles", "pairs of triangles",
                            "the first step tells it apart", WEFT_CONTACT_BODIES},
    [CLOTH_CROSSES_CLOTH] = {"cloth crosses cloth", "pair of triangles", "pairs of triangles",
                             "the first steps bring it apart", WEFT_CONTACT_ALL},
    [CLOTH_CROSSES_BODY] = {"cloth crosses a body", "pair of triangles", "pairs of triangles",
                            "the first steps bring it apart", WEFT_CONTACT_BODIES},
    [CLOTH_IS_INSIDE] = {"cloth is inside of a body", "vertex", "vertices",
                         "the first steps bring it out", WEFT_CONTACT_BODIES},
};

static bool is_looked_at(const Session* session, int kind) {
    return session->scene->model.contact >= kinds[kind].least;
}

static bool has_pins(const Session* session) {
    const WeftModelDef* def = &session->scene->model;
    bool any = false;
    for (int c = 0; c < def->cloth_count; c++) any = any || def->cloths[c].pin_count > 0;
    return any;
}

static void print_mending(const Session* session, const Trouble* trouble, int kind) {
    WeftContact contact = session->scene->model.contact;
    if (!is_looked_at(session, kind))
        printf("it stays so: contact is %s\n", choice_name("contact", (int)contact));
    else if (trouble->pinned == trouble->count)
        printf("it stays so: all of that is pinned\n");
    else if (trouble->pinned > 0)
        printf("%s, but for %d that %s pinned\n", kinds[kind].mend, trouble->pinned,
               trouble->pinned == 1 ? "is" : "are");
    else
        printf("%s%s\n", kinds[kind].mend, has_pins(session) ? ", as far as pins let it" : "");
}

// What contact saw in the first step, where the checker found nothing: ropes, cloth just below a
// round surface, meshes with small holes.
static int unseen(const Session* session, const Start* start) {
    int tangles = weft_report(session->state)->tangles;
    for (int i = 0; i < TROUBLE_KINDS; i++)
        if (start->troubles[i].count > 0) return 0;
    return tangles > 0 ? tangles : 0;
}

void print_start(const Session* session, const Start* start, const char* indent) {
    int tangles = unseen(session, start);
    for (int i = 0; i < TROUBLE_KINDS; i++) {
        const Trouble* trouble = &start->troubles[i];
        if (trouble->count == 0) continue;
        printf("%swarning: %s at the start: %d %s, first %s; ", indent, kinds[i].what,
               trouble->count, trouble->count == 1 ? kinds[i].one : kinds[i].many, trouble->first);
        print_mending(session, trouble, i);
    }
    if (tangles > 0)
        printf("%swarning: contact finds %d crossing%s or vertices inside of a body at the start\n",
               indent, tangles, tangles == 1 ? "" : "s");
}

json_t* start_json(const Session* session, const Start* start) {
    json_t* list = json_array();
    for (int i = 0; i < TROUBLE_KINDS; i++) {
        const Trouble* trouble = &start->troubles[i];
        if (trouble->count == 0) continue;
        bool mends = is_looked_at(session, i) && trouble->pinned < trouble->count;
        json_array_append_new(
            list, json_pack("{s:s,s:i,s:i,s:s,s:b}", "what", kinds[i].what, "count", trouble->count,
                            "pinned", trouble->pinned, "first", trouble->first, "mends", mends));
    }
    return list;
}
