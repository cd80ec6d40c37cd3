// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft order: what the order of elimination does to the factor of the constant matrix, as a table
// and as pictures.

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "commands.h"
#include "gallery.h"
#include "place.h"
#include "session.h"
#include "weft/weft_mesh.h"
#include "weft/weft_study.h"

enum {
    ORDER_COUNT = WEFT_ORDERING_NESTED_DISSECTION,  // all but auto
    LARGE = 20000,  // vertices from which on it tells what it is doing
};
// Multiply-adds, some five seconds, up to which a matrix is factored without being asked to.
static const double much_work = 2e10;

typedef struct OrderOptions {
    TextList orderings;
    const char* pictures;  // a folder, or NULL
    bool no_bend, json;
} OrderOptions;

// ---------------------------------------------------------------------------------------------
// Memory. A factor in a bad order may be larger than the machine; systems that promise more than
// they have would end the program, so the library is refused what would not fit.

typedef struct Budget {
    size_t used, limit;
} Budget;

typedef union Header {
    size_t bytes;
    char room[16];  // keeps what follows aligned
} Header;

static Budget find_budget(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return (Budget){0, pages > 0 && page > 0 ? (size_t)pages / 4 * 3 * (size_t)page : SIZE_MAX};
}

static void* allocate(void* user, size_t bytes) {
    Budget* budget = user;
    if (bytes > budget->limit - budget->used) return NULL;
    Header* header = malloc(bytes + sizeof *header);
    if (!header) return NULL;
    header->bytes = bytes;
    budget->used += bytes;
    return header + 1;
}

static void release(void* user, void* memory) {
    if (!memory) return;
    Header* header = (Header*)memory - 1;
    ((Budget*)user)->used -= header->bytes;
    free(header);
}

// ---------------------------------------------------------------------------------------------
// Whose matrix

typedef struct Subject {
    const char* path;
    WeftScene* scene;  // or NULL, and
    WeftMesh mesh;
    WeftClothDef cloth;
    WeftModelDef def;  // its step needs no factor
    WeftStepDef step;  // this one does
    Budget budget;
    int vertex_count;
    bool bends;
} Subject;

static int fail_subject(const Subject* subject, const WeftError* error) {
    bool placed = strncmp(error->message, subject->path, strlen(subject->path)) == 0;
    fprintf(stderr, "%s%s%s\n", placed ? "" : subject->path, placed ? "" : ": ", error->message);
    return error->result == WEFT_ERROR_MEMORY ? EXIT_FAILED : EXIT_USAGE;
}

// Which vertices are joined is all that counts: the cloth is at rest as it stands.
static int read_mesh(Subject* subject) {
    WeftError error;
    if (weft_read_obj(subject->path, 1, NULL, &subject->mesh, &error))
        return fail_subject(subject, &error);
    subject->def = weft_default_model_def();
    subject->cloth = weft_default_cloth_def();
    weft_use_mesh(&subject->cloth, &subject->mesh);
    subject->cloth.material = NULL;
    subject->cloth.material_count = 0;
    subject->cloth.triangle_material = NULL;
    subject->def.cloths = &subject->cloth;
    subject->def.cloth_count = 1;
    return GO_ON;
}

static int read_scene(Subject* subject) {
    WeftError error;
    if (weft_load_scene(subject->path, fabric_folders(), NULL, &subject->scene, &error))
        return fail_subject(subject, &error);
    subject->def = subject->scene->model;
    return GO_ON;
}

static void prepare_def(Subject* subject, bool no_bend) {
    WeftModelDef* def = &subject->def;
    WeftStepDef step = weft_default_step_def();
    for (int c = 0; c < def->cloth_count; c++) {
        WeftClothDef* cloth = (WeftClothDef*)&def->cloths[c];  // ours, or of our scene
        if (no_bend) cloth->bend = WEFT_BEND_NONE;
        subject->bends |= cloth->bend == WEFT_BEND_IMPLICIT && cloth->fabric.bend > 0;
        subject->vertex_count += cloth->vertex_count;
    }
    step.dt = def->step.dt;
    subject->step = def->step.method == WEFT_METHOD_PREFACTORED ? def->step : step;
    subject->step.budget_ms = 0;
    def->matrices = WEFT_MATRICES_ALL;
    def->step = step;
    def->step.method = WEFT_METHOD_IMPLICIT;
    def->step.scheme = WEFT_SCHEME_J;
    def->jobs.thread_count = 1;
    def->clock.now = now;
    subject->budget = find_budget();
    def->allocator = (WeftAllocator){allocate, release, &subject->budget};
}

// Returns GO_ON, or an exit code after telling what is wrong. Close it in any case.
static int open_subject(Subject* subject, const char* path, bool no_bend) {
    *subject = (Subject){.path = path};
    int code;
    if (has_ending(path, ".obj"))
        code = read_mesh(subject);
    else if (has_ending(path, ".json"))
        code = read_scene(subject);
    else
        code = complain(EXIT_USAGE, "%s: order takes a mesh (.obj) or a scene (.json)", path);
    if (code == GO_ON) prepare_def(subject, no_bend);
    return code;
}

static void close_subject(Subject* subject) {
    weft_destroy_mesh(&subject->mesh);
    weft_destroy_scene(subject->scene);
}

// ---------------------------------------------------------------------------------------------
// Measuring

typedef struct Trial {
    const char* name;
    WeftOrdering ordering;
    bool asked, named;    // on the command line
    bool factored;        // else the last two times are missing
    const char* skipped;  // why, or NULL
    WeftFactorInfo info;
    double order, analysis, factor, solve;  // seconds, the least of repeats
} Trial;

typedef struct Study {
    Subject subject;
    Trial trials[ORDER_COUNT];
    WeftOrdering automatic;  // what auto takes,
    bool automatic_asked;    // and whether it was asked for by that name
    long long matrix_count;
} Study;

// What is being measured; of small meshes nothing. On a terminal the line is written over, and an
// empty one ends it.
static void show_work(const Study* study, const char* what) {
    if (study->subject.vertex_count < LARGE) return;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\x1b[K%s", what);
    else if (*what)
        fprintf(stderr, "%s\n", what);
}

// The factor is made apart from the model, to be timed, and only if it is not too much work. NULL:
// see the error.
static WeftModel* make_model(const Study* study, Trial* trial, WeftError* error) {
    WeftModelDef def = study->subject.def;
    WeftModel* model = NULL;
    def.ordering = trial->ordering;
    if (weft_create_model(&def, &model, error)) return NULL;
    trial->info = weft_factor_info(model);
    trial->order = fmin(trial->order, trial->info.order_time);
    trial->analysis = fmin(trial->analysis, trial->info.analysis_time);
    trial->factored = trial->named || trial->info.flops <= much_work;
    double start = now(NULL);
    if (trial->factored && weft_prepare_model(model, &study->subject.step, error)) {
        weft_destroy_model(model);
        return NULL;
    }
    trial->factor = fmin(trial->factor, now(NULL) - start);
    return model;
}

static WeftResult measure_solve(const Study* study, Trial* trial, const WeftModel* model,
                                WeftError* error) {
    enum { REPEATS = 20 };
    size_t n = 3 * (size_t)weft_vertex_count(model);
    double *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x), spent = 0;
    WeftState* state = NULL;
    WeftResult result = b && x ? WEFT_OK : WEFT_ERROR_MEMORY;
    if (!result) result = weft_create_state(model, &state, error);
    for (size_t i = 0; i < n && !result; i++) b[i] = weft_masses(model)[i / 3];
    for (int i = 0; i < REPEATS && !result && (i < 3 || spent < 0.5); i++) {
        double start = now(NULL);
        result = weft_solve(state, &study->subject.step, b, x);
        trial->solve = fmin(trial->solve, now(NULL) - start);
        spent += now(NULL) - start;
        if (result) *error = *weft_state_error(state);
    }
    weft_destroy_state(state);
    free(b);
    free(x);
    return result;
}

// Model after model while that takes no time; the last one stays, for pictures of it.
static WeftResult measure(const Study* study, Trial* trial, WeftModel** model, WeftError* error) {
    enum { REPEATS = 5 };
    double start = now(NULL);
    trial->order = trial->analysis = trial->factor = trial->solve = (double)INFINITY;
    show_work(study, trial->name);
    *model = make_model(study, trial, error);
    for (int i = 1; i < REPEATS && *model && now(NULL) - start < 0.5; i++) {
        weft_destroy_model(*model);
        *model = make_model(study, trial, error);
    }
    if (!*model) return error->result;
    return trial->factored ? measure_solve(study, trial, *model, error) : WEFT_OK;
}

static int run_trial(const Study* study, Trial* trial, Gallery* gallery) {
    WeftModel* model = NULL;
    WeftError error = {WEFT_ERROR_MEMORY, "out of memory"};
    WeftResult result = measure(study, trial, &model, &error);
    int code = GO_ON;
    if (result == WEFT_ERROR_MEMORY)
        trial->skipped = "out of memory";
    else if (result)
        code = fail_subject(&study->subject, &error);
    else if (gallery)
        code = add_order(gallery, model, trial->name);
    weft_destroy_model(model);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Which orders

static int name_trials(Study* study) {
    const char* names[CHOICE_LIMIT];
    if (choices("ordering", names) != ORDER_COUNT + 1)
        return complain(EXIT_FAILED, "the tool does not fit the library");
    for (int i = 0; i < ORDER_COUNT; i++)
        study->trials[i] = (Trial){.name = names[i + 1], .ordering = (WeftOrdering)(i + 1)};
    return GO_ON;
}

static int ask_for(Study* study, const char* word) {
    const char* names[CHOICE_LIMIT];
    int count = choices("ordering", names), i = 0;
    while (i < count && strcmp(word, names[i]) != 0) i++;
    if (i == count)
        return complain(EXIT_USAGE,
                        "--ordering does not know \"%s\"%s; `weft methods` lists what there is",
                        word, guess(word, "", names, count));
    if (i == WEFT_ORDERING_AUTO)
        study->automatic_asked = true;
    else
        study->trials[i - 1].asked = study->trials[i - 1].named = true;
    return GO_ON;
}

static int choose_trials(Study* study, const TextList* words) {
    int code = GO_ON;
    for (int i = 0; i < words->count && code == GO_ON; i++) code = ask_for(study, words->texts[i]);
    for (int i = 0; i < ORDER_COUNT && words->count == 0; i++) study->trials[i].asked = true;
    return code;
}

// What auto takes; and the first pictures, of the matrix as it is.
static int look_at_auto(Study* study, Gallery* gallery, int column_count) {
    WeftModel* model = NULL;
    WeftError error;
    show_work(study, "auto");
    if (weft_create_model(&study->subject.def, &model, &error))
        return fail_subject(&study->subject, &error);
    study->automatic = weft_factor_info(model).ordering;
    study->matrix_count = weft_factor_info(model).matrix_count;
    if (study->automatic_asked) study->trials[study->automatic - 1].asked = true;
    // whether steps by the scene's settings have a constant matrix at all
    int code = GO_ON;
    const int *start, *index;
    if (weft_get_matrix(model, &study->subject.step, &start, &index, NULL, &error))
        code = fail_subject(&study->subject, &error);
    if (code == GO_ON && gallery)
        code = open_gallery(gallery, study->subject.vertex_count, column_count);
    if (code == GO_ON && gallery) code = add_matrix(gallery, model);
    weft_destroy_model(model);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Telling

static double fill(const Study* study, const Trial* trial) {
    double lower = 0.5 * (double)(study->matrix_count + study->subject.vertex_count);
    return (double)trial->info.factor_count / lower;
}

static void print_trial(const Study* study, const Trial* trial) {
    const WeftFactorInfo* info = &trial->info;
    printf("%c %-21s ", trial->ordering == study->automatic ? '*' : ' ', trial->name);
    if (trial->skipped) {
        printf(" skipped: %s\n", trial->skipped);
        return;
    }
    printf("%8lld %10lld %6.2f %10lld %8.0f %9.2f %12.2f ", info->matrix_count, info->factor_count,
           fill(study, trial), info->stored_count, 1e-6 * info->flops, 1000 * trial->order,
           1000 * trial->analysis);
    if (trial->factored)
        printf("%10.2f %9.3f\n", 1000 * trial->factor, 1000 * trial->solve);
    else
        printf("%10s %9s\n", "-", "-");
}

static void print_study(const Study* study, const Gallery* gallery) {
    bool all_factored = true;
    printf("%s: %d vertices, bending %s the matrix\n\n", study->subject.path,
           study->subject.vertex_count, study->subject.bends ? "in" : "not in");
    printf("  %-21s %8s %10s %6s %10s %8s %9s %12s %10s %9s\n", "ordering", "nnz A", "nnz L",
           "fill", "stored", "work", "order ms", "analysis ms", "factor ms", "solve ms");
    for (int i = 0; i < ORDER_COUNT; i++) {
        const Trial* trial = &study->trials[i];
        if (!trial->asked) continue;
        print_trial(study, trial);
        all_factored = all_factored && (trial->factored || trial->skipped);
    }
    printf("\n* auto takes %s; work is in million multiply-adds.\n",
           study->trials[study->automatic - 1].name);
    if (!all_factored) puts("- would take long: name it with --ordering to have it measured.");
    for (int i = 0; gallery && i < gallery->file_count; i++)
        printf("%s%s\n", i == 0 ? "\n  wrote     " : "            ", gallery->files[i]);
}

static json_t* trial_json(const Study* study, const Trial* trial) {
    json_t* row = json_pack("{s:s,s:b}", "ordering", trial->name, "auto",
                            trial->ordering == study->automatic);
    const WeftFactorInfo* info = &trial->info;
    if (trial->skipped) {
        json_object_set_new(row, "skipped", json_string(trial->skipped));
        return row;
    }
    json_object_set_new(row, "factor_count", json_integer(info->factor_count));
    json_object_set_new(row, "fill", json_real(fill(study, trial)));
    json_object_set_new(row, "stored_count", json_integer(info->stored_count));
    json_object_set_new(row, "flops", json_real(info->flops));
    json_object_set_new(row, "order_ms", json_real(1000 * trial->order));
    json_object_set_new(row, "analysis_ms", json_real(1000 * trial->analysis));
    json_object_set_new(row, "factor_ms",
                        trial->factored ? json_real(1000 * trial->factor) : json_null());
    json_object_set_new(row, "solve_ms",
                        trial->factored ? json_real(1000 * trial->solve) : json_null());
    return row;
}

static int print_json(const Study* study, const Gallery* gallery) {
    json_t *rows = json_array(), *files = json_array();
    for (int i = 0; i < ORDER_COUNT; i++)
        if (study->trials[i].asked)
            json_array_append_new(rows, trial_json(study, &study->trials[i]));
    for (int i = 0; gallery && i < gallery->file_count; i++)
        json_array_append_new(files, json_string(gallery->files[i]));
    json_t* root =
        json_pack("{s:s,s:i,s:b,s:I,s:o,s:o}", "file", study->subject.path, "vertices",
                  study->subject.vertex_count, "bending", study->subject.bends, "matrix_count",
                  (json_int_t)study->matrix_count, "orderings", rows, "pictures", files);
    if (!root) return complain(EXIT_FAILED, "the table cannot be written as data");
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
    return GO_ON;
}

// ---------------------------------------------------------------------------------------------

static int run_study(const OrderOptions* options, const char* path) {
    Study study = {0};
    Gallery drawn = {.folder = options->pictures, .subject = path, .step = &study.subject.step};
    Gallery* gallery = options->pictures ? &drawn : NULL;
    int words = options->orderings.count, measured = 0;
    int columns = words > 0 && words < ORDER_COUNT ? words : ORDER_COUNT;
    int code = open_subject(&study.subject, path, options->no_bend);
    if (code == GO_ON) code = name_trials(&study);
    if (code == GO_ON) code = choose_trials(&study, &options->orderings);
    if (code == GO_ON) code = look_at_auto(&study, gallery, columns);
    for (int i = 0; i < ORDER_COUNT && code == GO_ON; i++) {
        Trial* trial = &study.trials[i];
        if (trial->asked && !trial->skipped) code = run_trial(&study, trial, gallery);
        measured += trial->asked && !trial->skipped;
    }
    show_work(&study, "");
    if (code == GO_ON && gallery) code = add_sheet(gallery);
    if (code == GO_ON && options->json) code = print_json(&study, gallery);
    if (code == GO_ON && !options->json) print_study(&study, gallery);
    if (code == GO_ON) code = measured > 0 ? EXIT_GOOD : EXIT_FAILED;
    close_gallery(&drawn);
    close_subject(&study.subject);
    return code;
}

static int run_order(const Command* command, int argc, char** argv) {
    OrderOptions options = {0};
    const Option rows[] = {
        {"ordering", OPTION_LIST, "NAME", "this one only; may be given again", &options.orderings,
         0, 0},
        {"no-bend", OPTION_FLAG, NULL, "leave bending out of the matrix", &options.no_bend, 0, 0},
        {"pictures", OPTION_TEXT, "FOLDER", "write matrices and factors as PNG into a folder",
         &options.pictures, 0, 0},
        {"json", OPTION_FLAG, NULL, "print the table as data", &options.json, 0, 0},
    };
    TextList arguments = {0};
    int code = EXIT_FAILED;
    if (init_list(&options.orderings, argc))
        code = parse_options(command, rows, 4, argc, argv, &arguments);
    if (code == GO_ON && arguments.count != 1)
        code = complain(EXIT_USAGE,
                        "order takes one mesh (.obj) or scene (.json); see `weft order --help`");
    if (code == GO_ON) code = run_study(&options, arguments.texts[0]);
    free_list(&arguments);
    free_list(&options.orderings);
    return code;
}

const Command order_command = {
    .name = "order",
    .arguments = "MESH",
    .summary = "Compare orders of elimination of a mesh's matrix: fill, time, pictures.",
    .details =
        "MESH is an .obj or a scene. Orderings: natural, cuthill_mckee, reverse_cuthill_mckee,\n"
        "minimum_degree, nested_dissection, or auto for the one that weft takes by itself.\n"
        "nnz A, L: non-zeros of the constant matrix and of its factor; fill: those of L over\n"
        "those in the lower half of A; stored: numbers kept, with zeros that fill up blocks;\n"
        "work: million multiply-adds of a factorisation.\n"
        "Times are the least of a few repeats on one thread; a solve has three right-hand\n"
        "sides. docs/order.md tells more.",
    .run = run_order,
};
