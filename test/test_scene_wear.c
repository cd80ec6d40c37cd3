// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards io/scene_wear.c: garments of scenes are sewn, put on once, held by bodies that move; what
// is wrong with them is told with its place in the scene.

#include "figure_test.h"

#include "dress_test.h"

static WeftError last;

// A skirt by the measures of its body, held at the waist.
static const char skirt[] =
    "{\"weft_pattern\": 1, \"name\": \"skirt\", \"fabric\": \"denim\",\n"
    " \"measures\": {\"hips\": 1, \"waist_height\": 1.05, \"half\": \"hips / 2 + 0.08\"},\n"
    " \"panels\": [\n"
    "  {\"name\": \"front\", \"sides\": [[\"half / 2\", 0], [\"half / 2\", 0.35],\n"
    "    {\"to\": [\"-half / 2\", 0.35], \"label\": \"waist\"}, [\"-half / 2\", 0]],\n"
    "   \"place\": {\"move\": [0, \"waist_height - 0.35\", 0.2]}},\n"
    "  {\"name\": \"back\", \"sides\": [[\"half / 2\", 0], [\"half / 2\", 0.35],\n"
    "    {\"to\": [\"-half / 2\", 0.35], \"label\": \"waist\"}, [\"-half / 2\", 0]],\n"
    "   \"place\": {\"move\": [0, \"waist_height - 0.35\", -0.2],\n"
    "    \"turn\": {\"axis\": [0, 1, 0], \"degrees\": 180}}}],\n"
    " \"seams\": [{\"a\": \"front.1\", \"b\": \"back.3\"}, {\"a\": \"front.3\", \"b\": "
    "\"back.1\"}],\n"
    " \"holds\": [{\"label\": \"waist\", \"kind\": \"always\"}]}";

#define SCENE(bodies, cloths)                                              \
    "{\"weft\":1,\"duration\":0.3,\"contact\":\"all\",\"bodies\":[" bodies \
    "],\"cloths\":[\n" cloths "]}"
#define MANNEQUIN "{\"kind\":\"mannequin\",\"name\":\"ada\",\"edge\":0.04,\"gap\":0}"
#define BOX "{\"kind\":\"mesh\",\"name\":\"ada\",\"file\":\"box.obj\"}"
#define SKIRT(more) \
    "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"skirt.json\",\"edge\":0.06" more "}}"

static WeftResult try_parse(const char* text, const WeftAllocator* allocator, WeftScene** scene) {
    *scene = NULL;
    last = (WeftError){0};
    save_file(test_path("skirt.json"), skirt, strlen(skirt));
    save_box_obj(test_path("box.obj"), 1.7, false, 0);
    WeftResult result =
        weft_parse_scene(text, strlen(text), "t.json", test_folder, NULL, allocator, scene, &last);
    remove(test_path("skirt.json"));
    remove(test_path("box.obj"));
    return result;
}

static WeftScene* parse(const char* text) {
    WeftScene* scene;
    if (!CHECK(try_parse(text, NULL, &scene) == WEFT_OK)) printf("%s\n", last.message);
    return scene;
}

static void refuse(const char* text, const char* message) {
    WeftScene* scene;
    WeftResult result = try_parse(text, NULL, &scene);
    CHECK(result == WEFT_ERROR_INPUT || result == WEFT_ERROR_FILE);
    CHECK_TEXT(last.message, message);
    CHECK(scene == NULL);
    weft_destroy_scene(scene);
}

// The skirt, whose back says that it is made of something else.
static void save_mixed(const char* fabric) {
    static const char before[] = "{\"name\": \"back\",";
    const char* back = strstr(skirt, before) + strlen(before);
    char text[sizeof skirt + 100];
    int length = snprintf(text, sizeof text, "%.*s \"fabric\": \"%s\",%s", (int)(back - skirt),
                          skirt, fabric, back);
    save_file(test_path("mixed.json"), text, (size_t)length);
}
#define MIXED(more) \
    "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"mixed.json\",\"edge\":0.06}" more "}"

static bool put_on(WeftScene* scene) {
    WeftResult result = weft_dress_scene(scene, NULL, NULL, NULL, &last);
    if (result) printf("%s\n", last.message);
    return CHECK(result == WEFT_OK);
}

// ---------------------------------------------------------------------------------------------
// Reading

static void keys(void) {
    WeftScene* scene = parse(SCENE(MANNEQUIN, SKIRT("")));
    if (!scene) return;
    const WeftSceneWear* wear = &scene->wears[0];
    CHECK(scene->wear_count == 1 && wear->cloth == 0 && wear->body == 0 && wear->edge == 0.06);
    CHECK(!scene->dressed && wear->hold_count == 0);
    CHECK(wear->pattern.panel_count == 2 && wear->garment.seam_count == 2);
    CHECK(scene->model.cloths[0].stretch == WEFT_STRETCH_TRIANGLES);
    CHECK(scene->model.cloths[0].vertex_count == scene->meshes[0].vertex_count);
    CHECK(scene->meshes[0].vertex_count > 100);
    // by the measures of the mannequin
    double width = 2 * wear->pattern.panels[0].sides[0].curve.end[0];
    WeftMeasures m;
    CHECK(weft_measure_body(scene->bodies[0].figure.positions, scene->bodies[0].figure.vertex_count,
                            scene->bodies[0].figure.triangles,
                            scene->bodies[0].figure.triangle_count, NULL, &m, &last) == WEFT_OK);
    CHECK_NEAR(width, m.hips / 2 + 0.08, 1e-12);
    weft_destroy_scene(scene);
}

// Garments lie around their body until they are put on, wherever it stands: so does the mirror.
static void mirrors_of_wearers(void) {
    static const char* const places[][2] = {
        {"\"move\":[0.5,0,0]", "\"point\":[0.5,0,0]"},
        {"\"turn\":{\"axis\":[0,1,0],\"degrees\":90}", "\"normal\":[0,0,-1]"},
        {"\"move\":[0,0,1]", "\"normal\":[-1,0,0]"},
        {"\"move\":[0.5,0,0]", "\"point\":[0.4,0,0]"},
    };
    for (int k = 0; k < 4; k++) {
        char text[600];
        WeftSceneSymmetry symmetry = {0};
        snprintf(
            text, sizeof text,
            SCENE("{\"kind\":\"mannequin\",\"edge\":0.04,\"gap\":0,\"place\":{%s}}", SKIRT("")) "",
            places[k][0]);
        char* end = strrchr(text, '}');
        snprintf(end, sizeof text - (size_t)(end - text), ",\"mirror\":{%s}}", places[k][1]);
        WeftScene* scene = parse(text);
        if (!scene) continue;
        CHECK((scene->model.mirror.kind == WEFT_MIRROR_EXACT) == (k < 3));
        CHECK(scene->findings.count == (k < 3 ? 0 : 1));
        if (k < 3) {  // buttons are seen from where the wearer looks
            CHECK_NEAR(scene->model.mirror.front[k == 1 ? 0 : 2], 1, 1e-12);
        }
        if (k < 3 && (k == 1 || test_slow()) && put_on(scene)) {
            CHECK(!weft_measure_scene(scene, &scene->model.mirror.plane, &symmetry, &last));
            CHECK(symmetry.cloth == 0 && symmetry.unpaired == 0 && symmetry.bodies == 0);
            WeftModel* model = NULL;
            CHECK(!weft_create_model(&scene->model, &model, &last));
            if (model) CHECK(weft_simulated_count(model) < 0.6 * weft_vertex_count(model));
            weft_destroy_model(model);
        }
        weft_destroy_scene(scene);
    }
}

// Layers come in the order of the list; garments go to the body that is named.
static void wearers(void) {
    WeftScene* scene = parse(
        SCENE("{\"kind\":\"plane\",\"name\":\"floor\"}," MANNEQUIN
              ",{\"kind\":\"mannequin\",\"name\":\"bob\",\"type\":\"child\",\"edge\":0.04}",
              "{\"mesh\":{\"kind\":\"grid\",\"columns\":2,\"rows\":2},\"place\":{\"move\":[3,3,3]}}"
              "," SKIRT("") "," SKIRT(",\"wearer\":\"bob\"") "," SKIRT(",\"wearer\":\"ada\"")));
    if (!scene) return;
    static const int bodies[3] = {1, 2, 1};
    CHECK(scene->wear_count == 3);
    for (int i = 0; i < scene->wear_count; i++)
        CHECK(scene->wears[i].cloth == i + 1 && scene->wears[i].body == bodies[i]);
    CHECK(scene->meshes[2].vertex_count < scene->meshes[1].vertex_count);  // a child's
    weft_destroy_scene(scene);
}

// Panels go where `place` says, and so does the cloth until it is put on.
static void place(void) {
    WeftScene* scene = parse(SCENE(MANNEQUIN, SKIRT("")));
    WeftScene* moved = parse(
        SCENE(MANNEQUIN,
              "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"skirt.json\",\"edge\":0.06},\"place\":"
              "{\"move\":[0.1,0.02,0.3],\"turn\":{\"axis\":[0,1,0],\"degrees\":90}}}"));
    if (scene && moved) {
        for (int p = 0; p < 2; p++) {
            WfVec x = wf_panel_place(&scene->wears[0].pattern.panels[p].place, 0.1, 0.2);
            WfVec y = wf_panel_place(&moved->wears[0].pattern.panels[p].place, 0.1, 0.2);
            CHECK_BELOW(wf_length(wf_sub(y, (WfVec){x.z + 0.1, x.y + 0.02, -x.x + 0.3})), 1e-12);
        }
        for (int v = 0; v < scene->meshes[0].vertex_count; v++) {
            WfVec x = wf_load(scene->meshes[0].positions, v);
            WfVec y = wf_load(moved->meshes[0].positions, v);
            CHECK_BELOW(wf_length(wf_sub(y, (WfVec){x.z + 0.1, x.y + 0.02, -x.x + 0.3})), 1e-12);
        }
    }
    weft_destroy_scene(scene);
    weft_destroy_scene(moved);
}

static WeftFabric named(const char* name) {
    WeftFabricFile file = {0};
    CHECK(weft_find_fabric(name, NULL, NULL, &file, &last) == WEFT_OK);
    return file.fabric;
}

static bool is_fabric(const WeftFabric* fabric, const char* name) {
    WeftFabric other = named(name);
    return memcmp(fabric, &other, sizeof other) == 0;
}

// A panel that names its fabric is made of it, whatever the cloth says; the others are of what the
// cloth says, or else the pattern.
static void panel_fabrics(void) {
    save_mixed("silk_charmeuse");
    for (int given = 0; given < 2; given++) {
        WeftScene* scene = parse(given ? SCENE(MANNEQUIN, MIXED(",\"fabric\":\"canvas\""))
                                       : SCENE(MANNEQUIN, MIXED("")));
        if (!scene) continue;
        const WeftClothDef* cloth = &scene->model.cloths[0];
        const char* general = given ? "canvas" : "denim";
        CHECK(is_fabric(&cloth->fabric, general));
        CHECK(cloth->fabric_count == 2 && cloth->fabrics == scene->wears[0].fabrics);
        for (int t = 0; t < cloth->triangle_count; t++) {
            int p = scene->wears[0].garment.panels[t];
            CHECK(cloth->triangle_fabric[t] == p);
            CHECK(is_fabric(&cloth->fabrics[p], p == 0 ? general : "silk_charmeuse"));
        }
        int* looks = calloc((size_t)cloth->triangle_count, sizeof *looks);
        weft_scene_triangle_looks(scene, looks);
        CHECK(scene->look_count == 2 && strcmp(scene->looks[0].fabric, general) == 0);
        CHECK(scene->looks[1].cloth == 0 && strcmp(scene->looks[1].fabric, "silk_charmeuse") == 0);
        for (int t = 0; t < cloth->triangle_count; t++)
            CHECK(looks[t] == scene->wears[0].garment.panels[t]);
        free(looks);
        WeftModel* model = NULL;
        CHECK(weft_create_model(&scene->model, &model, &last) == WEFT_OK);
        double mass = 0, area = scene->wears[0].pattern.panels[0].sides[0].curve.end[0] * 2 * 0.35;
        for (int i = 0; i < cloth->vertex_count; i++) mass += weft_masses(model)[i];
        CHECK_NEAR(mass, area * (named(general).density + named("silk_charmeuse").density),
                   1e-9 * mass);
        weft_destroy_model(model);
        weft_destroy_scene(scene);
    }
    save_mixed("silkk_charmeuse");
    refuse(SCENE(BOX, MIXED("")),
           "panel \"back\": there is no fabric \"silkk_charmeuse\"; did you mean");
    remove(test_path("mixed.json"));
    WeftScene* scene = parse(SCENE(MANNEQUIN, SKIRT("")));
    if (scene) CHECK(!scene->model.cloths[0].triangle_fabric && !scene->wears[0].fabrics);
    weft_destroy_scene(scene);
}

static void mistakes(void) {
    refuse(SCENE("", SKIRT("")),
           "t.json:2:9: there is no body to wear this: a mannequin or a mesh");
    refuse(SCENE("{\"kind\":\"plane\"}", SKIRT("")), "t.json:2:9: there is no body to wear this");
    refuse(SCENE(BOX, SKIRT(",\"wearer\":\"eve\"")),
           "t.json:2:9: there is no body \"eve\" of triangles to wear this");
    refuse(SCENE(BOX, "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"no.json\"}}"), "no.json");
    CHECK_TEXT(last.message, "t.json:2:9: ");
    refuse(SCENE(BOX, "{\"mesh\":{\"kind\":\"pattern\"}}"), "t.json:2:9: \"file\" is missing");
    refuse(SCENE(BOX, SKIRT(",\"weearer\":\"ada\"")), "\"wearer\"");
    refuse(SCENE(BOX, "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"skirt.json\",\"edge\":1e-7}}"),
           "t.json:2:9: panel \"front\": ");
    refuse(
        SCENE(BOX,
              "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"skirt.json\"},\"place\":{\"scale\":2}}"),
        "t.json:2:56: a garment is as large as its pattern");
    // what is wrong inside of the pattern has its place there
    static const char bad[] =
        "{\"weft_pattern\":1,\n\"panels\":[{\"name\":\"p\",\"sides\":[[1,1],[1,0],[0,1],[0,0]]}]}";
    save_file(test_path("bad.json"), bad, strlen(bad));
    refuse(SCENE(BOX, "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"bad.json\"}}"),
           "bad.json: panel \"p\": side 0 and side 2 cross");
    remove(test_path("bad.json"));
}

// ---------------------------------------------------------------------------------------------
// Putting on

static int count_crossed(const WeftScene* scene, const double* body) {
    const WeftMesh *mesh = &scene->meshes[0], *of = &scene->bodies[0].mesh;
    WeftSurface surfaces[2] = {
        {of->vertex_count, body ? body : of->positions, of->triangle_count, of->triangles, true},
        cloth_surface(mesh, mesh->positions)};
    return judge(surfaces, 2);
}

// The second time nothing is done; and nothing where nobody wears anything.
static void once(void) {
    WeftScene* scene = parse(SCENE(MANNEQUIN, SKIRT("")));
    if (!scene || !put_on(scene)) return;
    CHECK(scene->dressed && count_crossed(scene, NULL) == 0);
    const WeftSceneWear* wear = &scene->wears[0];
    CHECK(wear->hold_count > 10 && wear->stretch > 0.9 && wear->stretch < 1.2);
    CHECK(scene->model.cloths[0].pin_count == wear->hold_count);
    size_t bytes = 3 * sizeof(double) * (size_t)scene->meshes[0].vertex_count;
    double* before = malloc(bytes);
    memcpy(before, scene->meshes[0].positions, bytes);
    CHECK(put_on(scene));
    CHECK(memcmp(before, scene->meshes[0].positions, bytes) == 0);
    CHECK(scene->model.cloths[0].pin_count == wear->hold_count);
    free(before);
    weft_destroy_scene(scene);
    scene = parse(
        SCENE("{\"kind\":\"plane\"}", "{\"mesh\":{\"kind\":\"grid\",\"columns\":2,\"rows\":2}}"));
    if (scene) CHECK(put_on(scene) && scene->dressed);
    weft_destroy_scene(scene);
}

// A skirt longer than its wearer lies on the floor of the scene, where both are moved.
static void on_the_floor(void) {
    char text[sizeof skirt];
    strcpy(text, skirt);
    for (char* at = text; (at = strstr(at, "0.35"));) memcpy(at, "1.15", 4);
    save_file(test_path("long.json"), text, strlen(text));
    WeftScene* scene =
        parse(SCENE("{\"kind\":\"mannequin\",\"edge\":0.04,\"gap\":0,\"place\":{\"move\":[1,0.4,0],"
                    "\"turn\":{\"axis\":[0,1,0],\"degrees\":90}}},"
                    "{\"kind\":\"plane\",\"place\":{\"move\":[0,0.4,0]}}",
                    "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"long.json\",\"edge\":0.06}}"));
    if (scene && put_on(scene)) {
        double span[2];
        span_of(&scene->meshes[0], 1, span);
        CHECK(span[0] > 0.4 && span[0] < 0.41);
    }
    weft_destroy_scene(scene);
    remove(test_path("long.json"));
}

// The skirt with its panels so far apart that its seams could be closed either way.
static void save_far(void) {
    char text[sizeof skirt];
    strcpy(text, skirt);
    for (char* at = text; (at = strstr(at, "0.2]"));) memcpy(at, "0.6]", 4);
    save_file(test_path("far.json"), text, strlen(text));
}
#define FAR "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"far.json\",\"edge\":0.06}}"

// What is odd about a pattern is told once: not again for a second garment of that file, nor when
// it is put on, where it is sewn again.
static void findings_are_told_once(void) {
    save_far();
    WeftScene* scene = parse(SCENE(MANNEQUIN, FAR "," FAR));
    if (scene && CHECK(scene->findings.count == 1))
        CHECK_TEXT(scene->findings.lines[0],
                   "far.json: the seam of side 1 of panel \"front\" and side 3 of panel \"back\" "
                   "closes as well either way round");
    weft_destroy_scene(scene);
    scene = parse(SCENE(MANNEQUIN, FAR));
    if (scene) {
        WeftFindings found = {0};
        CHECK(scene->findings.count == 1);
        CHECK(weft_dress_scene(scene, NULL, NULL, &found, &last) == WEFT_OK);
        CHECK(found.count == 0);
        weft_destroy_findings(&found);
    }
    weft_destroy_scene(scene);
    remove(test_path("far.json"));
}

// Silk and canvas are put on together, and both are worn as garments are.
static void wears_two_fabrics(void) {
    save_mixed("canvas");
    WeftScene* scene = parse(SCENE(MANNEQUIN, MIXED(",\"fabric\":\"silk_chiffon\"")));
    if (scene && put_on(scene)) {
        CHECK(count_crossed(scene, NULL) == 0);
        const WeftFabric* fabrics = scene->wears[0].fabrics;
        for (int p = 0; p < 2; p++) {
            WeftFabric worn = named(p == 0 ? "silk_chiffon" : "canvas");
            worn = weft_garment_fabric(&worn, scene->wears[0].edge);
            CHECK(memcmp(&fabrics[p], &worn, sizeof worn) == 0);
        }
    }
    weft_destroy_scene(scene);
    remove(test_path("mixed.json"));
}

static bool stop_later(void* user, double part, const char* stage) {
    (void)part, (void)stage;
    return --*(int*)user > 0;
}

// Stopped at the second body, dressing goes on there: the first one kept its pins twice, and the
// list of what it holds was lost.
static void goes_on(void) {
    WeftScene* scene =
        parse(SCENE(MANNEQUIN ",{\"kind\":\"mannequin\",\"name\":\"bob\",\"edge\":0.04,"
                              "\"place\":{\"move\":[2,0,0]}}",
                    SKIRT("") "," SKIRT(",\"wearer\":\"bob\"")));
    if (!scene) return;
    int steps = 100000, taken;
    CHECK(weft_dress_scene(scene, stop_later, &steps, NULL, &last) == WEFT_OK);
    taken = 100000 - steps;
    weft_destroy_scene(scene);
    scene = parse(SCENE(MANNEQUIN ",{\"kind\":\"mannequin\",\"name\":\"bob\",\"edge\":0.04,"
                                  "\"place\":{\"move\":[2,0,0]}}",
                        SKIRT("") "," SKIRT(",\"wearer\":\"bob\"")));
    steps = taken - 5;
    CHECK(weft_dress_scene(scene, stop_later, &steps, NULL, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "dressing was stopped");
    CHECK(!scene->dressed && scene->wears[0].hold_count > 0 && scene->wears[1].hold_count == 0);
    steps = taken;
    CHECK(weft_dress_scene(scene, stop_later, &steps, NULL, &last) == WEFT_OK);
    CHECK(steps > 10);
    for (int i = 0; i < 2; i++) {
        CHECK(scene->model.cloths[i].pin_count == scene->wears[i].hold_count);
        double span[2];
        span_of(&scene->meshes[i], 0, span);
        CHECK_NEAR((span[0] + span[1]) / 2, 2 * i, 0.1);  // each on its own body
    }
    weft_destroy_scene(scene);
}

static int lowest(const WeftScene* scene) {
    const WeftMesh* mesh = &scene->meshes[0];
    int found = 0;
    for (int i = 1; i < mesh->vertex_count; i++)
        if (mesh->positions[3 * i + 1] < mesh->positions[3 * found + 1]) found = i;
    return found;
}

// Where it is, and twice is as well as once; what nobody wears or has is refused.
static void hold_by_hand(WeftScene* scene, int vertex) {
    double place[3];
    const double* x = scene->meshes[0].positions + 3 * (size_t)vertex;
    CHECK(weft_is_worn(scene, vertex) && !weft_is_worn(scene, -1));
    CHECK(!weft_release_worn(scene, vertex) && !weft_worn_place(scene, vertex, place));
    for (int i = 0; i < 2; i++) CHECK(weft_hold_worn(scene, vertex, x, 0, &last) == WEFT_OK);
    CHECK(weft_worn_place(scene, vertex, place));
    for (int k = 0; k < 3; k++) CHECK_NEAR(place[k], x[k], 1e-6);

    int count = scene->wears[0].hold_count;
    CHECK(weft_hold_worn(scene, 1 << 20, x, 0, &last) == WEFT_ERROR_INPUT);
    WeftBodyPoint wrong = {.vertex = vertex, .triangle = 1 << 20};
    CHECK(weft_set_worn_holds(scene, 0, &wrong, 1, &last) == WEFT_ERROR_INPUT);
    wrong = (WeftBodyPoint){.vertex = -1};
    CHECK(weft_set_worn_holds(scene, 0, &wrong, 1, &last) == WEFT_ERROR_INPUT);
    CHECK(weft_set_worn_holds(scene, 1, NULL, 0, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "there is no wear 1");
    CHECK(scene->wears[0].hold_count == count);
}

// Held for good at the waist of a body that walks: every held vertex is where the body has it, and
// no cloth falls.
static void holds_follow(void) {
    WeftScene* scene =
        parse(SCENE("{\"kind\":\"mannequin\",\"edge\":0.04,\"clip\":\"walk\","
                    "\"clip_start\":0.2}",
                    SKIRT("")));
    WeftModel* model = NULL;
    WeftState* state = NULL;
    if (!scene || !put_on(scene)) return;
    CHECK(count_crossed(scene, NULL) == 0);
    CHECK(weft_create_model(&scene->model, &model, &last) == WEFT_OK);
    CHECK(weft_create_state(model, &state, &last) == WEFT_OK);
    const WeftSceneWear* wear = &scene->wears[0];
    int garment = wear->hold_count;
    hold_by_hand(scene, lowest(scene));
    CHECK(wear->hold_count == garment + 1);
    weft_pin(state, wear->holds[garment].vertex);
    double off = 0, start = weft_positions(state)[3 * wear->holds[0].vertex + 2];
    for (int i = 0; i < weft_scene_frames(scene); i++) {
        WeftStepDef step = scene->model.step;
        weft_direct_scene(scene, state, &step);
        CHECK(weft_step(state, &step) == WEFT_OK);
        for (int h = 0; h < wear->hold_count; h++) {
            double wanted[3];
            weft_follow_body(&wear->holds[h], scene->bodies[0].shape_now,
                             scene->bodies[0].mesh.triangles, wanted);
            WfVec is = wf_load(weft_positions(state), wear->holds[h].vertex);
            off = fmax(off, wf_length(wf_sub(is, wf_load(wanted, 0))));
        }
    }
    CHECK_BELOW(off, 1e-9);
    CHECK(fabs(weft_positions(state)[3 * wear->holds[0].vertex + 2] - start) > 0.05);  // it walked
    weft_destroy_state(state);
    weft_destroy_model(model);
    weft_destroy_scene(scene);
}

// ---------------------------------------------------------------------------------------------
// Starts

#define START(bodies, cloths)                                                                   \
    "{\"weft\":1,\"duration\":0.3,\"contact\":\"all\",\"start\":\"s.json\",\"bodies\":[" bodies \
    "],\"cloths\":[\n" cloths "]}"
#define WALKER(more) \
    "{\"kind\":\"mannequin\",\"edge\":0.04,\"clip\":\"walk\",\"clip_start\":0.2" more "}"

static void save_start(const WeftScene* scene) {
    CHECK(weft_save_start(test_path("s.json"), scene, &last) == WEFT_OK);
}

static uint64_t hash_after_steps(const WeftScene* scene) {
    WeftModel* model = NULL;
    WeftState* state = NULL;
    CHECK(weft_create_model(&scene->model, &model, &last) == WEFT_OK);
    CHECK(weft_create_state(model, &state, &last) == WEFT_OK);
    for (int i = 0; i < 5; i++) {
        WeftStepDef step = scene->model.step;
        weft_direct_scene(scene, state, &step);
        CHECK(weft_step(state, &step) == WEFT_OK);
    }
    uint64_t hash = weft_hash_state(state);
    weft_destroy_state(state);
    weft_destroy_model(model);
    return hash;
}

// Dressed offline and loaded: the same bits as when it is dressed, there and in motion.
static void start_round_trip(void) {
    WeftScene* scene = parse(SCENE(WALKER(""), SKIRT("")));
    if (!scene) return;
    CHECK(weft_save_start(test_path("s.json"), scene, &last) == WEFT_ERROR_INPUT);
    CHECK_TEXT(last.message, "not dressed yet");
    if (!put_on(scene)) return;
    save_start(scene);
    WeftScene* again = parse(START(WALKER(""), SKIRT("")));
    if (again) {
        const WeftSceneWear *a = &scene->wears[0], *b = &again->wears[0];
        size_t bytes = 3 * sizeof(double) * (size_t)scene->meshes[0].vertex_count;
        CHECK(again->dressed && put_on(again));
        CHECK(memcmp(scene->meshes[0].positions, again->meshes[0].positions, bytes) == 0);
        CHECK(a->hold_count == b->hold_count && a->hold_count > 10);
        for (int i = 0; i < a->hold_count && a->hold_count == b->hold_count; i++)
            CHECK(memcmp(&a->holds[i], &b->holds[i], sizeof a->holds[i]) == 0);
        CHECK(a->stretch == b->stretch && a->open == b->open && a->open_seam == b->open_seam);
        CHECK(scene->model.cloths[0].fabric.compression ==
              again->model.cloths[0].fabric.compression);
        CHECK(hash_after_steps(scene) == hash_after_steps(again));
    }
    weft_destroy_scene(again);
    weft_destroy_scene(scene);
    remove(test_path("s.json"));
}

// What was put on another garment, body or pose is told, with its name.
static void start_of_another(void) {
    WeftScene* scene = parse(SCENE(WALKER(""), SKIRT("")));
    if (!scene || !put_on(scene)) return;
    save_start(scene);
    weft_destroy_scene(scene);
    refuse(START(WALKER(""),
                 "{\"mesh\":{\"kind\":\"pattern\",\"file\":\"skirt.json\",\"edge\":0.05}}"),
           "s.json:2:12: this is the start of another mesh than that of \"skirt\"");
    CHECK_TEXT(last.message, "t.json:1:");
    CHECK_TEXT(last.message, "its wearer or its \"mirror\" are others");
    refuse(START("{\"kind\":\"mannequin\",\"edge\":0.04,\"clip\":\"walk\",\"clip_start\":0.5}",
                 SKIRT("")),
           "\"skirt\" was put on another body, or in another pose: dress it again");
    refuse(START(WALKER(""), SKIRT("") "," SKIRT("")),
           "this is a start of 1 garments, the scene has 2");
    refuse(START("", "{\"mesh\":{\"kind\":\"grid\"}}"), "there is no garment in this scene");
    remove(test_path("s.json"));
    refuse(START(WALKER(""), SKIRT("")), "s.json: ");
}

// Positions that dressing did not leave so were taken as they were.
static void changed_starts(void) {
    WeftScene* scene = parse(SCENE(WALKER(""), SKIRT("")));
    if (!scene || !put_on(scene)) return;
    WeftMesh* mesh = &scene->meshes[0];
    double* x = mesh->positions;
    int n = 3 * mesh->vertex_count;
    x[12] += 5;
    save_start(scene);
    refuse(START(WALKER(""), SKIRT("")), "s.json:2:3: \"skirt\" is torn: an edge at vertex ");
    x[12] -= 5;
    scene->wears[0].holds[0].triangle +=
        500;  // as of a mannequin whose triangles are numbered anew
    save_start(scene);
    refuse(START(WALKER(""), SKIRT("")), "\"skirt\" is held by another body: vertex ");
    scene->wears[0].holds[0].triangle -= 500;
    for (int i = 0; i < n; i++) x[i] *= 1.05;
    save_start(scene);
    refuse(START(WALKER(""), SKIRT("")),
           "\"skirt\" was changed since it was put on: its stretch is ");
    for (int i = 0; i < n; i++) x[i] = x[i] / 1.05 + (i % 3 == 2 ? 2 : 0);
    save_start(scene);
    refuse(START(WALKER(""), SKIRT("")), "\"skirt\" is not on its body: its middle is at (");
    weft_destroy_scene(scene);
    remove(test_path("s.json"));
}

// Cut off or scribbled over anywhere: refused or read, never worse.
static void broken_starts(void) {
    WeftScene* scene = parse(SCENE(BOX, SKIRT("")));
    if (!scene) return;
    scene->dressed = true;  // as it lies
    scene->wears[0].stretch = 1;
    size_t size = weft_print_start(scene, NULL, 0) + 1;
    char* text = malloc(size);
    CHECK(weft_print_start(scene, text, size) == size - 1);
    weft_destroy_scene(scene);
    for (size_t at = 0; at + 3 < size; at += 1 + size / (test_slow() ? 300 : 30)) {
        save_file(test_path("s.json"), text, at);
        refuse(START(BOX, SKIRT("")), "s.json");
        char kept = text[at];
        text[at] = '"';
        save_file(test_path("s.json"), text, size - 1);
        text[at] = kept;
        try_parse(START(BOX, SKIRT("")), NULL, &scene);
        weft_destroy_scene(scene);
    }
    free(text);
    static const char far_off[] = "{\"weft_start\": 2, \"garments\": []}";
    save_file(test_path("s.json"), far_off, sizeof far_off - 1);
    refuse(START(BOX, SKIRT("")), "s.json:1:16: \"weft_start\" must be 1");
    remove(test_path("s.json"));
}

// The scene says what single panels are made of, whatever cloth and pattern say.
static void panels_of_the_scene(void) {
    save_mixed("silk_charmeuse");
    WeftScene* scene = parse(SCENE(
        MANNEQUIN,
        MIXED(
            ",\"fabric\":\"canvas\",\"panels\":{\"back\":{\"base\":\"denim\","
            "\"look\":{\"colour\":\"#102030\"}}}") "," MIXED(",\"panels\":{\"front\":\"linen\"}")));
    if (!scene) return;
    const WeftSceneWear* wear = scene->wears;
    CHECK(is_fabric(&wear[0].fabrics[0], "canvas") && is_fabric(&wear[0].fabrics[1], "denim"));
    CHECK(wear[0].looks[0] == 0 && scene->looks[wear[0].looks[1]].look.colour == 0x102030);
    CHECK(is_fabric(&wear[1].fabrics[0], "linen"));
    CHECK(is_fabric(&wear[1].fabrics[1], "silk_charmeuse"));
    CHECK_TEXT(scene->looks[wear[1].looks[0]].fabric, "linen");
    weft_destroy_scene(scene);
    refuse(SCENE(MANNEQUIN, MIXED(",\"panels\":{\"sleeve\":\"linen\"}")),
           "the pattern has no panel \"sleeve\"; it has \"front\"");
    refuse(SCENE(MANNEQUIN, MIXED(",\"panels\":{\"back\":\"linnen\"}")),
           "there is no fabric \"linnen\"");
    refuse(SCENE(MANNEQUIN, MIXED(",\"panels\":7")), "an object");
    refuse(SCENE(MANNEQUIN, "{\"mesh\":{\"kind\":\"grid\"},\"panels\":{}}"),
           "only garments have panels");
    remove(test_path("mixed.json"));
}

// Every one of the first allocations of reading, then some.
static void nth_allocation_fails(void) {
    static const char text[] = SCENE(BOX, SKIRT(""));
    WeftResult result = WEFT_ERROR_MEMORY;
    long total = 0;
    for (long n = 1; result && n < 100000; n += 1 + n / (test_slow() ? 20 : 4)) {
        Counting counting = {.fail_at = n};
        WeftAllocator allocator = counting_allocator(&counting);
        WeftScene* scene;
        result = try_parse(text, &allocator, &scene);
        total = counting.calls;
        if (result) CHECK(result == WEFT_ERROR_MEMORY && scene == NULL);
        weft_destroy_scene(scene);
        CHECK(counting.live == 0);
    }
    CHECK(total > 100);
}

TEST_MAIN(CASE(keys), LONG_CASE(mirrors_of_wearers), CASE(wearers), CASE(place),
          CASE(panel_fabrics), SLOW_CASE(panels_of_the_scene), CASE(mistakes), SLOW_CASE(once),
          SLOW_CASE(on_the_floor), SLOW_CASE(wears_two_fabrics), SLOW_CASE(findings_are_told_once),
          LONG_CASE(goes_on), SLOW_CASE(holds_follow), SLOW_CASE(start_round_trip),
          SLOW_CASE(start_of_another), SLOW_CASE(changed_starts), CASE(broken_starts),
          CASE(nth_allocation_fails))
