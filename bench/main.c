// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// weft-bench: measures weft against itself and against well-known libraries. `weft bench` runs it.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "weft/weft_io.h"

static const Bench* const benches[] = {
    &swing_bench,     &large_bench,    &thesis_bench,   &solve_bench,       &grab_bench,
    &budget_bench,    &scalable_bench, &quality_bench,  &matrix_free_bench, &contact_bench,
    &web_bench,       &membrane_bench, &fabrics_bench,  &stress_bench,      &shock_bench,
    &collapse_bench,  &threads_bench,  &garments_bench, &mirror_bench,      &detail_bench,
    &character_bench, &cut_bench,      &render_bench,   &rival_bench,       &realtime_bench};
enum { BENCH_COUNT = sizeof benches / sizeof *benches };

typedef struct Arguments {
    bool json, help, list;
    const char *name, *out;
    BenchOptions options;
} Arguments;

static void print_list(void) {
    for (int i = 0; i < BENCH_COUNT; i++)
        printf("  %-12s %s\n", benches[i]->name, benches[i]->text);
    printf("  %-12s %s\n", "all", "one after the other");
}

static void print_help(const char* name) {
    printf("weft bench %s [options]\n\n", name ? name : "NAME");
    for (int i = 0; i < BENCH_COUNT; i++)
        if (name && strcmp(name, benches[i]->name) == 0)
            printf("%s\n\n%s\n\n", benches[i]->text, benches[i]->details);
    if (!name || strcmp(name, "all") == 0) {
        puts("Benches");
        print_list();
        putchar('\n');
    }
    puts(
        "Options\n"
        "  --json       data instead of a table; of all benches, a list\n"
        "  --out FILE   the data into a file, too\n"
        "  --quick      seconds: small sizes, few steps, no repeats\n"
        "  --full       also what takes long\n"
        "  --part NAME  only this part of a bench that has parts\n"
        "  --plot FILE  a picture, too (.png or .svg), of a bench that has one\n"
        "  --fresh      make anew what is kept between runs\n"
        "  --runs N     this many runs, of stress; variations of the batch, of garments; motions "
        "to\n"
        "               learn from, of detail\n"
        "  --seed S     the first of them, of stress\n"
        "  --only S     this run, told step by step, of stress; this garment, of garments; this\n"
        "               motion, of quality; this method beside XPBD, of realtime\n"
        "  --bodies B   female, male, child or all, of garments\n"
        "  --garments DIR, --patterns DIR, --batch, --phases, --mesh: see garments --help\n"
        "  --list       the benches, a line each\n"
        "  --help       this text");
}

static bool is_picture(const char* path) {
    const char* end = strrchr(path, '.');
    return end && (strcmp(end, ".png") == 0 || strcmp(end, ".svg") == 0);
}

// Where the number of an option goes; NULL: it has none.
static uint64_t* number_option(const char* name, BenchOptions* options, bool** is_set) {
    *is_set = strcmp(name, "--runs") == 0   ? &options->has_runs
              : strcmp(name, "--seed") == 0 ? &options->has_seed
                                            : NULL;
    if (!*is_set) return NULL;
    return *is_set == &options->has_runs ? &options->runs : &options->seed;
}

// Where the text of an option goes; NULL: it has none.
static const char** text_option(const char* name, Arguments* arguments) {
    BenchOptions* options = &arguments->options;
    const struct {
        const char* name;
        const char** target;
    } rows[] = {{"--out", &arguments->out},         {"--part", &options->part},
                {"--plot", &options->plot},         {"--only", &options->only},
                {"--bodies", &options->bodies},     {"--garments", &options->garments},
                {"--patterns", &options->patterns}, {NULL, NULL}};
    for (int i = 0; rows[i].name; i++)
        if (strcmp(rows[i].name, name) == 0) return rows[i].target;
    return NULL;
}

// Parts that have an option of their own.
static bool is_part_option(const char* name) {
    return strcmp(name, "--batch") == 0 || strcmp(name, "--phases") == 0 ||
           strcmp(name, "--mesh") == 0;
}

static int parse(int argc, char** argv, Arguments* arguments) {
    struct {
        const char* name;
        bool* target;
    } flags[] = {{"--json", &arguments->json},
                 {"--help", &arguments->help},
                 {"-h", &arguments->help},
                 {"--list", &arguments->list},
                 {"--quick", &arguments->options.quick},
                 {"--full", &arguments->options.full},
                 {"--fresh", &arguments->options.fresh}};
    enum { FLAG_COUNT = sizeof flags / sizeof *flags };
    for (int i = 1; i < argc; i++) {
        const char** named = text_option(argv[i], arguments);
        bool* is_set = NULL;
        uint64_t* number = number_option(argv[i], &arguments->options, &is_set);
        int f = 0;
        while (f < FLAG_COUNT && strcmp(argv[i], flags[f].name) != 0) f++;
        if (f < FLAG_COUNT)
            *flags[f].target = true;
        else if (is_part_option(argv[i]))
            arguments->options.part = argv[i] + 2;
        else if (named && i + 1 < argc)
            *named = argv[++i];
        else if (number && i + 1 < argc && read_whole(argv[i + 1], number))
            i++, *is_set = true;
        else if (number)
            return complain(EXIT_USAGE, "%s needs a whole number after it", argv[i]);
        else if (named)
            return complain(EXIT_USAGE, "%s needs a name after it", argv[i]);
        else if (argv[i][0] == '-')
            return complain(EXIT_USAGE, "there is no option %s; --help lists them", argv[i]);
        else if (arguments->name)
            return complain(EXIT_USAGE, "one bench at a time: %s or %s; or all", arguments->name,
                            argv[i]);
        else
            arguments->name = argv[i];
    }
    if (arguments->options.quick && arguments->options.full)
        return complain(EXIT_USAGE, "--quick and --full exclude each other");
    if (arguments->options.plot && !is_picture(arguments->options.plot))
        return complain(EXIT_USAGE, "%s is no .png and no .svg", arguments->options.plot);
    return EXIT_GOOD;
}

static bool is_asked(const Arguments* arguments, int i) {
    return strcmp(arguments->name, benches[i]->name) == 0 || strcmp(arguments->name, "all") == 0;
}

// Prints what a bench found; a list of several where all are asked.
static void print_report(const Arguments* arguments, int index, const Report* report, FILE* out) {
    bool all = strcmp(arguments->name, "all") == 0;
    const char* before = !all ? "" : index == 0 ? "[" : ",";
    const char* after = all && index + 1 == BENCH_COUNT ? "]\n" : "";
    if (arguments->json) {
        fputs(before, stdout);
        write_json(report, stdout);
        fputs(after, stdout);
    } else {
        if (index > 0 && all) putchar('\n');
        print_table(report, stdout);
    }
    fflush(stdout);
    if (!out) return;
    fputs(before, out);
    write_json(report, out);
    fputs(after, out);
}

static int run_asked(const Arguments* arguments, FILE* out) {
    int code = EXIT_GOOD;
    for (int i = 0; i < BENCH_COUNT && code == EXIT_GOOD; i++) {
        if (!is_asked(arguments, i)) continue;
        Report report = {.bench = benches[i]->name};
        code = benches[i]->run(&arguments->options, &report);
        end_progress();
        if (code == EXIT_GOOD) print_report(arguments, i, &report, out);
        if (code == EXIT_GOOD && arguments->options.plot)
            code = benches[i]->plot(&report, arguments->options.plot);
        destroy_report(&report);
    }
    return code;
}

int main(int argc, char** argv) {
    Arguments arguments = {0};
    int code = parse(argc, argv, &arguments);
    if (code) return code;
    if (arguments.help) print_help(arguments.name);
    if (arguments.list || (!arguments.name && !arguments.help)) print_list();
    if (arguments.help || arguments.list || !arguments.name) return EXIT_GOOD;
    bool known = strcmp(arguments.name, "all") == 0;
    for (int i = 0; i < BENCH_COUNT; i++) known = known || is_asked(&arguments, i);
    if (!known)
        return complain(EXIT_USAGE, "there is no bench \"%s\"; --list names them", arguments.name);
    for (int i = 0; i < BENCH_COUNT; i++)
        if (is_asked(&arguments, i) && arguments.options.part && !benches[i]->has_parts)
            return complain(EXIT_USAGE, "%s has no parts", benches[i]->name);
    for (int i = 0; i < BENCH_COUNT; i++)
        if (is_asked(&arguments, i) && arguments.options.plot && !benches[i]->plot)
            return complain(EXIT_USAGE, "%s has no plot", benches[i]->name);
    FILE* out = arguments.out ? fopen(arguments.out, "w") : NULL;
    if (arguments.out && !out)
        return complain(EXIT_FAILED, "%s: %s", arguments.out, strerror(errno));
    code = run_asked(&arguments, out);
    if (out && fclose(out)) code = complain(EXIT_FAILED, "%s: %s", arguments.out, strerror(errno));
    return code;
}
