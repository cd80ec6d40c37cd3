// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"
#include "weft/weft_study.h"

// ---------------------------------------------------------------------------------------------
// Text

static bool make_room(Text* text, size_t more) {
    size_t wanted = text->length + more + 1;
    if (wanted <= text->capacity) return true;
    char* larger = realloc(text->characters, 2 * wanted);
    if (!larger) {
        text->failed = true;
        return false;
    }
    text->characters = larger;
    text->capacity = 2 * wanted;
    return true;
}

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static void
add(Text* text, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !make_room(text, (size_t)length)) return;
    va_start(arguments, format);
    vsnprintf(text->characters + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

static void add_quoted(Text* text, const char* words) {
    add(text, "\"");
    for (; *words; words++) {
        if (*words == '"' || *words == '\\')
            add(text, "\\%c", *words);
        else if ((unsigned char)*words < 0x20)
            add(text, "\\u%04x", (unsigned)*words);
        else
            add(text, "%c", *words);
    }
    add(text, "\"");
}

static void add_choice(Text* text, const char* key, const char* group, int index) {
    for (int i = 0; weft_choice(i); i++)
        if (strcmp(weft_choice(i)->group, group) == 0 && index-- == 0)
            add(text, ",\"%s\":\"%s\"", key, weft_choice(i)->name);
}

static void add_point(Text* text, const char* key, const double p[3]) {
    add(text, ",\"%s\":[%.17g,%.17g,%.17g]", key, p[0], p[1], p[2]);
}

static void clear(Text* text) {
    text->length = 0;
    text->failed = false;
}

// ---------------------------------------------------------------------------------------------
// Scenes

static void add_step(Text* text, const WeftStepDef* step) {
    add(text, "\"step\":{\"dt\":%.17g,\"quality\":%d,\"order\":%d,\"substeps\":%d", step->dt,
        step->quality, step->order, step->substeps);
    add(text, ",\"iterations\":[");
    for (int i = 0; i < WEFT_MAX_NEWTON && step->iterations[i] > 0; i++)
        add(text, "%s%d", i ? "," : "", step->iterations[i]);
    add(text, "],\"budget_ms\":%.17g,\"stretch_tolerance\":%.17g,\"guard\":%s", step->budget_ms,
        step->stretch_tolerance, step->guard ? "true" : "false");
    add(text, ",\"newton_steps\":%d,\"tolerance\":%.17g,\"max_iterations\":%d", step->newton_steps,
        step->tolerance, step->max_iterations);
    add_choice(text, "method", "method", (int)step->method);
    add_choice(text, "scheme", "scheme", (int)step->scheme);
    add_choice(text, "sweep", "sweep", (int)step->sweep);
    add_choice(text, "jacobian", "jacobian", (int)step->jacobian);
    add_choice(text, "start", "start", (int)step->start);
    add(text, "}");
}

static void add_compression(Text* text, const WeftFabric* fabric) {
    if (fabric->compression_load > 0)
        add(text, ",\"compression\":{\"load\":%.17g}", fabric->compression_load);
    else if (fabric->compression > 0)
        add(text, ",\"compression\":%.17g", fabric->compression);
    else
        add(text, ",\"compression\":\"%s\"", fabric->compression < 0 ? "none" : "auto");
}

static void add_fabric(Text* text, const char* key, const WeftFabric* fabric) {
    add(text, "\"%s\":{\"density\":%.17g,\"stretch\":[%.17g,%.17g],\"shear\":%.17g", key,
        fabric->density, fabric->stretch_warp, fabric->stretch_weft, fabric->shear);
    add(text, ",\"poisson\":%.17g,\"bend\":%.17g,\"bend_spring\":%.17g,\"mass_damping\":%.17g",
        fabric->poisson, fabric->bend, fabric->bend_spring, fabric->mass_damping);
    add_compression(text, fabric);
    add(text, ",\"stretch_damping\":%.17g,\"bend_damping\":%.17g", fabric->stretch_damping,
        fabric->bend_damping);
    add(text, ",\"air_drag\":%.17g,\"air_friction\":%.17g", fabric->air_drag, fabric->air_friction);
    add(text, ",\"rope_density\":%.17g,\"rope_stretch\":%.17g,\"rope_bend\":%.17g",
        fabric->rope_density, fabric->rope_stretch, fabric->rope_bend);
    add(text, ",\"thickness\":%.17g,\"friction\":%.17g}", fabric->thickness, fabric->friction);
}

static const WeftSceneWear* find_wear(const WeftScene* scene, int cloth) {
    for (int w = 0; w < scene->wear_count; w++)
        if (scene->wears[w].cloth == cloth) return &scene->wears[w];
    return NULL;
}

// The names of the panels of a garment, in the order of its pattern.
static void add_panel_names(Text* text, const WeftSceneWear* wear) {
    add(text, ",\"panels\":[");
    for (int p = 0; wear && p < wear->pattern.panel_count; p++) {
        add(text, "%s", p > 0 ? "," : "");
        add_quoted(text, wear->pattern.panels[p].name);
    }
    add(text, "]");
}

static void add_cloth(Text* text, const WeftClothDef* cloth, const WeftSceneWear* wear, int shown) {
    add(text, "{");
    add_fabric(text, "fabric", &cloth->fabric);
    add(text, ",\"vertices\":%d,\"triangles\":%d,\"threads\":%d,\"shown\":%d", cloth->vertex_count,
        cloth->triangle_count, cloth->thread_count, shown);
    add_choice(text, "stretch", "stretch", (int)cloth->stretch);
    add_choice(text, "shear", "shear", (int)cloth->shear);
    add_choice(text, "bend", "bend", (int)cloth->bend);
    add_choice(text, "bend_by", "bend_by", (int)cloth->bend_by);
    add_choice(text, "estimator", "estimator", (int)cloth->estimator);
    add_panel_names(text, wear);
    add(text, "}");
}

static void add_look(Text* text, const WeftLook* look) {
    char json[2048];
    weft_print_look(look, json, sizeof json);
    add(text, "\"look\":%s", json);
}

// The names of the panels that have a look; returns one of them, -1: there are none.
static int add_panels(Text* text, const WeftSceneWear* wear, int look) {
    int found = -1;
    add(text, "\"panels\":[");
    for (int p = 0; wear && p < wear->pattern.panel_count; p++) {
        if (wear->looks[p] != look) continue;
        if (found >= 0) add(text, ",");
        add_quoted(text, wear->pattern.panels[p].name);
        found = p;
    }
    add(text, "],");
    return found;
}

// What it is made of, before it is for wearing.
static const WeftFabric* fabric_of(const WeftScene* scene, int look, int panel) {
    int cloth = scene->looks[look].cloth;
    const WeftSceneWear* wear = find_wear(scene, cloth);
    int number = look == cloth || panel < 0 ? 0 : 1 + panel;
    if (wear && wear->plain) return &wear->plain[number];
    return number > 0 ? &wear->fabrics[panel] : &scene->model.cloths[cloth].fabric;
}

static void add_looks(Text* text, const WeftScene* scene) {
    add(text, "\"looks\":[");
    for (int i = 0; i < scene->look_count; i++) {
        const WeftSceneLook* look = &scene->looks[i];
        add(text, "%s{\"cloth\":%d,\"fabric\":", i > 0 ? "," : "", look->cloth);
        add_quoted(text, look->fabric);
        add(text, ",");
        int panel = add_panels(text, find_wear(scene, look->cloth), i);
        add_fabric(text, "numbers", fabric_of(scene, i, panel));
        add(text, ",");
        add_look(text, &look->look);
        add(text, "}");
    }
    add(text, "]");
}

// note: one more, or empty.
static void add_findings(Text* text, const WeftFindings* findings, const char* note) {
    add(text, ",\"findings\":[");
    for (int i = 0; i < findings->count; i++) {
        add(text, "%s", i ? "," : "");
        add_quoted(text, findings->lines[i]);
    }
    if (note[0]) {
        add(text, "%s", findings->count > 0 ? "," : "");
        add_quoted(text, note);
    }
    add(text, "]");
}

bool describe_scene(const WeftScene* scene, const Shown* shown, Text* text) {
    const WeftStepDef* step = &scene->model.step;
    clear(text);
    add(text, "{\"name\":");
    add_quoted(text, scene->name);
    add(text, ",\"duration\":%.17g,\"frames\":%d,", scene->duration, weft_scene_frames(scene));
    add_step(text, step);
    add_point(text, "gravity", step->gravity);
    add_point(text, "wind", step->wind);
    add_choice(text, "contact", "contact", (int)scene->model.contact);
    add(text, ",\"bodies\":%d", scene->model.body_count);
    add_choice(text, "mirror", "mirror", (int)scene->model.mirror.kind);
    add_choice(text, "closure", "closure", (int)scene->model.mirror.closure);
    add_findings(text, &scene->findings, shown->note);
    add(text, ",\"cloths\":[");
    for (int c = 0; c < scene->model.cloth_count; c++) {
        add(text, "%s", c ? "," : "");
        int first = weft_show_first_vertex(shown->show, c);
        add_cloth(text, &scene->model.cloths[c], find_wear(scene, c),
                  weft_show_first_vertex(shown->show, c + 1) - first);
    }
    add(text, "],");
    add_looks(text, scene);
    add(text, "}");
    return !text->failed;
}

bool describe_choices(Text* text) {
    clear(text);
    add(text, "[");
    for (int i = 0; weft_choice(i); i++) {
        const WeftChoice* choice = weft_choice(i);
        add(text, "%s{\"group\":\"%s\",\"name\":\"%s\",\"text\":", i ? "," : "", choice->group,
            choice->name);
        add_quoted(text, choice->text);
        add(text, "}");
    }
    for (int i = 0; weft_fabric_preset(i); i++) {
        add(text, ",{\"group\":\"fabric\",\"name\":\"%s\",\"text\":", weft_fabric_preset(i)->name);
        add_quoted(text, weft_fabric_preset(i)->description);
        add(text, ",");
        add_fabric(text, "numbers", &weft_fabric_preset(i)->fabric);
        add(text, ",");
        WeftLook look = weft_default_look(0);
        weft_preset_look(weft_fabric_preset(i)->name, &look);
        add_look(text, &look);
        add(text, "}");
    }
    add(text, "]");
    return !text->failed;
}

// ---------------------------------------------------------------------------------------------
// Numbers

const char* play_number_names(void) {
    return "time predict force build factor solve update body self respond defend total "
           "substeps order solves cg_iterations sweeps newton_steps guards stiffness_scale "
           "converged cut factors body_contacts self_contacts penetration tangles "
           "kinetic gravity stretch bend energy max_stretch p99_stretch max_speed detail";
}

void list_numbers(double time, const WeftStepReport* report, const WeftMeasure* measure,
                  double detail, double numbers[PLAY_NUMBER_COUNT]) {
    const WeftTimes* t = &report->times;
    const double list[PLAY_NUMBER_COUNT] = {
        time,
        t->predict,
        t->force,
        t->build,
        t->factor,
        t->solve,
        t->update,
        t->body,
        t->self,
        t->respond,
        t->defend,
        t->total,
        report->substeps,
        report->order,
        report->solve_count,
        report->cg_iterations,
        report->sweep_count,
        report->newton_steps,
        report->guard_count,
        report->stiffness_scale,
        report->converged,
        report->cut,
        report->factor_count,
        report->body_contacts,
        report->self_contacts,
        report->penetration,
        report->tangles,
        measure->kinetic,
        measure->gravity,
        measure->stretch,
        measure->bend,
        measure->total,
        measure->max_stretch,
        measure->p99_stretch,
        measure->max_speed,
        detail,
    };
    memcpy(numbers, list, sizeof list);
}
