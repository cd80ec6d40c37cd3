// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "weft/weft_study.h"

enum { VERSION = 1 };

void print_hash(const Session* session, char hash[HASH_SIZE]) {
    snprintf(hash, HASH_SIZE, "%016" PRIx64, weft_hash_state(session->state));
}

static int fail(int code, const char* path, const char* format, ...) PRINTF_LIKE(3, 4);
static int fail(int code, const char* path, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", path);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return code;
}

// ---------------------------------------------------------------------------------------------
// Writing: a line per step, as the run goes on

static const char* part_path(const char* path) {
    static char part[PATH_SIZE];
    snprintf(part, sizeof part, "%s.part", path);
    return part;
}

static void write_json(FILE* file, json_t* value) {
    json_dumpf(value, file, JSON_ENCODE_ANY);
    json_decref(value);
}

int open_record(Recorder* recorder, const char* path, const Session* session) {
    *recorder = (Recorder){.path = path};
    if (!path) return GO_ON;
    if (strlen(path) + sizeof ".part" > PATH_SIZE)
        return fail(EXIT_FAILED, path, "the name is too long");
    recorder->file = fopen(part_path(path), "w");
    if (!recorder->file) return fail(EXIT_FAILED, path, "%s", strerror(errno));
    fprintf(recorder->file, "{\"weft_record\": %d,\n \"scene\": ", VERSION);
    write_json(recorder->file, json_string(session->scene->name));
    fprintf(recorder->file, ",\n \"vertices\": %d,\n \"dt\": ", weft_vertex_count(session->model));
    write_json(recorder->file, json_real(session->scene->model.step.dt));
    fputs(",\n \"steps\": [", recorder->file);
    return GO_ON;
}

static json_t* numbers_json(const int* numbers, int count) {
    json_t* list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, json_integer(numbers[i]));
    return list;
}

static json_t* step_json(const WeftStepReport* report, bool limited) {
    int newton_count = 0, limit_count = 0;
    while (newton_count < WEFT_MAX_NEWTON && report->iterations[newton_count]) newton_count++;
    if (limited)
        limit_count = report->substeps < WEFT_MAX_LIMITS ? report->substeps : WEFT_MAX_LIMITS;
    return json_pack("{s:s,s:i,s:i,s:s,s:o,s:o}", "method",
                     choice_name("method", (int)report->method), "order", report->order, "substeps",
                     report->substeps, "scheme", choice_name("scheme", (int)report->scheme),
                     "iterations", numbers_json(report->iterations, newton_count), "limits",
                     numbers_json(report->limits, limit_count));
}

int record_step(Recorder* recorder, const Session* session, const WeftStepDef* step) {
    if (!recorder->file) return GO_ON;
    // where no clock had a say, the plan is all there is
    bool limited = step->budget_ms > 0 || step->limits[0] > 0;
    json_t* line = step_json(weft_report(session->state), limited);
    if (!line) return complain(EXIT_FAILED, "out of memory");
    fputs(recorder->steps++ > 0 ? ",\n  " : "\n  ", recorder->file);
    write_json(recorder->file, line);
    return GO_ON;
}

int close_record(Recorder* recorder, const Session* session) {
    FILE* file = recorder->file;
    if (!file) return GO_ON;
    char hash[HASH_SIZE];
    print_hash(session, hash);
    recorder->file = NULL;
    fprintf(file, "],\n \"hash\": \"%s\"}\n", hash);
    bool good = !ferror(file);
    good = fclose(file) == 0 && good;
    good = good && rename(part_path(recorder->path), recorder->path) == 0;
    if (good) return GO_ON;
    int code = fail(EXIT_FAILED, recorder->path, "cannot be written: %s", strerror(errno));
    remove(part_path(recorder->path));
    return code;
}

// ---------------------------------------------------------------------------------------------
// Reading. Values that are wrong are told with the step they belong to.

typedef struct Reader {
    const char* path;
    int step;  // from 1; 0: the top of the file
} Reader;

// Fails with "file: step 3: ...".
static int refuse(const Reader* reader, const char* format, ...) PRINTF_LIKE(2, 3);
static int refuse(const Reader* reader, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (reader->step > 0) return fail(EXIT_USAGE, reader->path, "step %d: %s", reader->step, text);
    return fail(EXIT_USAGE, reader->path, "%s", text);
}

static int check_number(const Reader* reader, const json_t* value, const char* key, int low,
                        int high, int* number) {
    json_int_t found = json_integer_value(value);
    if (!json_is_integer(value) || found < low || found > high)
        return refuse(reader, "\"%s\" must be a whole number from %d to %d", key, low, high);
    *number = (int)found;
    return GO_ON;
}

static int read_number(const Reader* reader, const json_t* object, const char* key, int low,
                       int high, int* number) {
    return check_number(reader, json_object_get(object, key), key, low, high, number);
}

static int read_numbers(const Reader* reader, const json_t* object, const char* key, int low,
                        int count, int* numbers) {
    enum { MOST = 1000000 };
    const json_t* list = json_object_get(object, key);
    int code = GO_ON;
    if (!json_is_array(list) || json_array_size(list) > (size_t)count)
        return refuse(reader, "\"%s\" must be a list of at most %d numbers", key, count);
    for (size_t i = 0; i < json_array_size(list) && code == GO_ON; i++)
        code = check_number(reader, json_array_get(list, i), key, low, MOST, &numbers[i]);
    return code;
}

static int read_choice(const Reader* reader, const json_t* object, const char* key, int* index) {
    const char* word = json_string_value(json_object_get(object, key));
    const char* names[CHOICE_LIMIT];
    int count = choices(key, names);
    for (*index = 0; word && *index < count; ++*index)
        if (strcmp(word, names[*index]) == 0) return GO_ON;
    if (!word) return refuse(reader, "\"%s\" must be a text", key);
    return refuse(reader, "there is no %s \"%.40s\"%s", key, word, guess(word, "", names, count));
}

static int read_step(const Reader* reader, const json_t* object, RecordedStep* step) {
    int method = 0, scheme = 0;
    *step = (RecordedStep){0};
    if (!json_is_object(object)) return refuse(reader, "is no object");
    int code = read_choice(reader, object, "method", &method);
    if (code == GO_ON) code = read_number(reader, object, "order", 1, 2, &step->order);
    if (code == GO_ON) code = read_number(reader, object, "substeps", 1, 10000, &step->substeps);
    if (code == GO_ON) code = read_choice(reader, object, "scheme", &scheme);
    if (code == GO_ON)
        code = read_numbers(reader, object, "iterations", 1, WEFT_MAX_NEWTON, step->iterations);
    if (code == GO_ON)
        code = read_numbers(reader, object, "limits", 0, WEFT_MAX_LIMITS, step->limits);
    step->method = (WeftMethod)method;
    step->scheme = (WeftScheme)scheme;
    return code;
}

static int read_steps(Replay* replay, const json_t* list) {
    Reader reader = {replay->path, 0};
    if (!json_is_array(list)) return refuse(&reader, "\"steps\" must be a list");
    size_t count = json_array_size(list);
    if (count == 0 || count > 1000000000) return refuse(&reader, "there are no steps to replay");
    replay->steps = calloc(count, sizeof *replay->steps);
    if (!replay->steps) return complain(EXIT_FAILED, "out of memory");
    replay->step_count = (int)count;
    int code = GO_ON;
    for (size_t i = 0; i < count && code == GO_ON; i++) {
        reader.step = (int)i + 1;
        code = read_step(&reader, json_array_get(list, i), &replay->steps[i]);
    }
    return code;
}

// Is it a record, and one of this scene?
static int read_head(Replay* replay, const json_t* root, const Session* session) {
    Reader reader = {replay->path, 0};
    if (json_integer_value(json_object_get(root, "weft_record")) != VERSION)
        return refuse(&reader, "is no record of steps: \"weft_record\" must be %d", VERSION);
    const json_t* dt_value = json_object_get(root, "dt");
    const char* hash = json_string_value(json_object_get(root, "hash"));
    double dt = json_number_value(dt_value), own_dt = session->scene->model.step.dt;
    int vertices = 0, own_vertices = weft_vertex_count(session->model);
    int code = read_number(&reader, root, "vertices", 1, INT32_MAX, &vertices);
    if (code != GO_ON) return code;
    if (vertices != own_vertices)
        return refuse(&reader, "was recorded with %d vertices, and %s has %d", vertices,
                      session->scene->name, own_vertices);
    if (!json_is_number(dt_value)) return refuse(&reader, "\"dt\" must be a number");
    if (dt != own_dt)
        return refuse(&reader, "was recorded with steps of %.9g s, and these take %.9g", dt,
                      own_dt);
    if (!hash || strlen(hash) != HASH_SIZE - 1 || strspn(hash, "0123456789abcdef") != strlen(hash))
        return refuse(&reader, "\"hash\" must be 16 digits");
    memcpy(replay->hash, hash, HASH_SIZE);
    return GO_ON;
}

static bool same_plan(const RecordedStep* a, const RecordedStep* b) {
    return a->method == b->method && a->order == b->order && a->substeps == b->substeps &&
           a->scheme == b->scheme &&
           memcmp(a->iterations, b->iterations, sizeof a->iterations) == 0;
}

// The factors that the steps need; and whether they make sense at all.
static int prepare(const Replay* replay, const Session* session) {
    for (int i = 0; i < replay->step_count; i++) {
        if (i > 0 && same_plan(&replay->steps[i - 1], &replay->steps[i])) continue;
        WeftStepDef step = session->scene->model.step;
        WeftError error;
        use_recorded_step(replay, i, &step);
        if (weft_prepare_model(session->model, &step, &error))
            return refuse(&(Reader){replay->path, i + 1}, "%s", error.message);
    }
    return GO_ON;
}

int open_replay(Replay* replay, const char* path, Session* session) {
    *replay = (Replay){.path = path};
    if (!path) return GO_ON;
    FILE* file = fopen(path, "r");
    if (!file) return fail(EXIT_USAGE, path, "%s", strerror(errno));
    json_error_t syntax;
    json_t* root = json_loadf(file, JSON_REJECT_DUPLICATES, &syntax);
    bool unread = ferror(file);
    fclose(file);
    if (!root && unread) return fail(EXIT_USAGE, path, "cannot be read");
    if (!root) {
        fprintf(stderr, "%s:%d:%d: %s\n", path, syntax.line > 0 ? syntax.line : 1,
                syntax.column > 0 ? syntax.column : 1, syntax.text);
        return EXIT_USAGE;
    }
    int code = read_head(replay, root, session);
    if (code == GO_ON) code = read_steps(replay, json_object_get(root, "steps"));
    json_decref(root);
    if (code == GO_ON) code = prepare(replay, session);
    return code;
}

void free_replay(Replay* replay) { free(replay->steps); }

void use_recorded_step(const Replay* replay, int index, WeftStepDef* step) {
    const RecordedStep* recorded = &replay->steps[index];
    step->budget_ms = 0;
    step->method = recorded->method;
    step->order = recorded->order;
    step->substeps = recorded->substeps;
    step->scheme = recorded->scheme;
    memcpy(step->iterations, recorded->iterations, sizeof step->iterations);
    memcpy(step->limits, recorded->limits, sizeof step->limits);
}

ReplayResult compare_replay(const Replay* replay, const Session* session, int steps) {
    char hash[HASH_SIZE];
    print_hash(session, hash);
    if (!replay->path) return REPLAY_NONE;
    if (steps < replay->step_count) return REPLAY_PART;
    return strcmp(hash, replay->hash) == 0 ? REPLAY_SAME : REPLAY_OTHER;
}

int fail_replay(const Replay* replay, const Session* session) {
    char hash[HASH_SIZE];
    print_hash(session, hash);
    return fail(EXIT_FAILED, replay->path,
                "replayed %d steps: not the same bits: the hash is %s, and %s was recorded; the "
                "scene, the options and the kind of machine must be the same",
                replay->step_count, hash, replay->hash);
}
