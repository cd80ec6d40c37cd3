// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "machine.h"

enum { MAX_COLUMNS = 48, TEXT_SIZE = 64 };

// ---------------------------------------------------------------------------------------------
// Filling

static void add_cell(Report* report, Cell cell) {
    if (report->cell_count == report->cell_room) {
        report->cell_room = 2 * report->cell_room + 64;
        Cell* cells = need((size_t)report->cell_room, sizeof *cells);
        if (report->cells) memcpy(cells, report->cells, (size_t)report->cell_count * sizeof *cells);
        free(report->cells);
        report->cells = cells;
    }
    report->cells[report->cell_count++] = cell;
}

void start_table(Report* report, const char* title) {
    if (report->table_count == (int)(sizeof report->tables / sizeof *report->tables)) return;
    report->tables[report->table_count].first_row = report->row_count;
    report->tables[report->table_count++].title = title;
}

void start_row(Report* report) { report->row_count++; }

void add_text(Report* report, const char* name, const char* text) {
    Cell cell = {.row = report->row_count - 1, .name = name};
    snprintf(cell.text, sizeof cell.text, "%s", text);
    add_cell(report, cell);
}

void add_number(Report* report, const char* name, double number) {
    add_cell(report, (Cell){.row = report->row_count - 1, .name = name, .number = number});
}

void add_ratio(Report* report, const char* name, double number) {
    add_cell(report, (Cell){.row = -1, .name = name, .number = number});
}

void add_note(Report* report, const char* note) {
    if (report->note_count < (int)(sizeof report->notes / sizeof *report->notes))
        report->notes[report->note_count++] = note;
}

void destroy_report(Report* report) {
    free(report->cells);
    *report = (Report){0};
}

const Cell* find_cell(const Report* report, int row, const char* name) {
    for (int i = 0; i < report->cell_count; i++)
        if (report->cells[i].row == row && strcmp(report->cells[i].name, name) == 0)
            return &report->cells[i];
    return NULL;
}

double find_number(const Report* report, int vertices, const char* method, const char* name) {
    for (int row = 0; row < report->row_count; row++) {
        const Cell* size = find_cell(report, row, "vertices");
        const Cell* what = find_cell(report, row, "method");
        if (!size || !what || size->number != vertices || strcmp(what->text, method) != 0) continue;
        const Cell* cell = find_cell(report, row, name);
        return cell ? cell->number : (double)NAN;
    }
    return (double)NAN;
}

// ---------------------------------------------------------------------------------------------
// As a table

static const char* cell_text(const Cell* cell, char text[TEXT_SIZE]) {
    if (!cell) return "";
    if (*cell->text) return cell->text;
    if (!isfinite(cell->number)) return "-";
    bool whole = cell->number == floor(cell->number) && fabs(cell->number) < 1e9;
    snprintf(text, TEXT_SIZE,
             whole                       ? "%.0f"
             : fabs(cell->number) < 1000 ? "%.4g"
                                         : "%.0f",
             cell->number);
    return text;
}

void tell_row(const Report* report, FILE* file) {
    char text[TEXT_SIZE];
    const char* comma = "";
    for (int i = 0; i < report->cell_count; i++) {
        if (report->cells[i].row != report->row_count - 1) continue;
        fprintf(file, "%s%s %s", comma, report->cells[i].name, cell_text(&report->cells[i], text));
        comma = ", ";
    }
    fputc('\n', file);
}

static int add_column(const char* names[MAX_COLUMNS], int count, const char* name) {
    for (int c = 0; c < count; c++)
        if (strcmp(names[c], name) == 0) return count;
    if (count < MAX_COLUMNS) names[count++] = name;
    return count;
}

static int find_columns(const Report* report, int first, int end, const char* names[MAX_COLUMNS]) {
    int count = 0;
    for (int c = 0; report->columns && report->columns[c]; c++)
        count = add_column(names, count, report->columns[c]);
    for (int i = 0; i < report->cell_count; i++)
        if (report->cells[i].row >= first && report->cells[i].row < end)
            count = add_column(names, count, report->cells[i].name);
    return count;
}

// Whether all rows have the same to say; of one row nobody can tell.
static bool is_constant(const Report* report, int first, int end, const char* name) {
    const Cell* cell = find_cell(report, first, name);
    for (int row = first + 1; row < end; row++) {
        const Cell* other = find_cell(report, row, name);
        if (!cell || !other || strcmp(cell->text, other->text) != 0) return false;
        if (cell->number != other->number) return false;
    }
    return end - first > 1;
}

// What a table's rows have in common: after its title, instead of in columns.
static int lift_columns(const Report* report, int first, int end, const char* names[MAX_COLUMNS],
                        int count, FILE* file) {
    char text[TEXT_SIZE];
    int kept = 0;
    for (int c = 0; c < count; c++)
        if (is_constant(report, first, end, names[c]))
            fprintf(file, "; %s %s", names[c], cell_text(find_cell(report, first, names[c]), text));
        else
            names[kept++] = names[c];
    fputc('\n', file);
    return kept;
}

static void print_field(FILE* file, int column, bool left, int width, const char* text) {
    fprintf(file, left ? "%s%-*s" : "%s%*s", column > 0 ? "  " : "", width, text);
}

static void print_rows(const Report* report, const char* title, int first, int end, FILE* file) {
    const char* names[MAX_COLUMNS];
    int width[MAX_COLUMNS], count = find_columns(report, first, end, names);
    bool left[MAX_COLUMNS] = {0};
    char text[TEXT_SIZE];
    if (title) {
        fputs(title, file);
        count = lift_columns(report, first, end, names, count, file);
    }
    for (int c = 0; c < count; c++) {
        width[c] = (int)strlen(names[c]);
        for (int row = first; row < end; row++) {
            const Cell* cell = find_cell(report, row, names[c]);
            int length = (int)strlen(cell_text(cell, text));
            if (length > width[c]) width[c] = length;
            if (cell && *cell->text) left[c] = true;
        }
        print_field(file, c, left[c], width[c], names[c]);
    }
    fputc('\n', file);
    for (int row = first; row < end; row++) {
        for (int c = 0; c < count; c++)
            print_field(file, c, left[c], width[c],
                        cell_text(find_cell(report, row, names[c]), text));
        fputc('\n', file);
    }
}

static void print_tables(const Report* report, FILE* file) {
    if (report->table_count == 0) print_rows(report, NULL, 0, report->row_count, file);
    for (int t = 0; t < report->table_count; t++) {
        bool last = t + 1 == report->table_count;
        if (t > 0) fputc('\n', file);
        print_rows(report, report->tables[t].title, report->tables[t].first_row,
                   last ? report->row_count : report->tables[t + 1].first_row, file);
    }
}

void print_table(const Report* report, FILE* file) {
    Machine machine = this_machine();
    char text[TEXT_SIZE];
    fprintf(file, "%s: %s, %d cores, %s, load %.1f\n\n", report->bench, machine.arch, machine.cores,
            machine.compiler, machine.load);
    print_tables(report, file);
    fputc('\n', file);
    for (int i = 0; i < report->cell_count; i++)
        if (report->cells[i].row < 0)
            fprintf(file, "%s  %s\n", report->cells[i].name, cell_text(&report->cells[i], text));
    for (int i = 0; i < report->note_count; i++) fprintf(file, "%s\n", report->notes[i]);
}

// ---------------------------------------------------------------------------------------------
// As JSON

static void write_text(const char* text, FILE* file) {
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', file);
        if ((unsigned char)*text < ' ')
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, file);
    }
    fputc('"', file);
}

static void write_cell(const Cell* cell, FILE* file) {
    write_text(cell->name, file);
    fputs(": ", file);
    if (*cell->text)
        write_text(cell->text, file);
    else if (isfinite(cell->number))
        fprintf(file, "%.9g", cell->number);
    else
        fputs("null", file);
}

// the cells of a row, or the ratios
static void write_cells(const Report* report, int row, FILE* file) {
    const char* comma = "";
    fputc('{', file);
    for (int i = 0; i < report->cell_count; i++) {
        if (report->cells[i].row != row) continue;
        fputs(comma, file);
        write_cell(&report->cells[i], file);
        comma = ", ";
    }
    fputc('}', file);
}

void write_json(const Report* report, FILE* file) {
    Machine machine = this_machine();
    fputs("{\"bench\": ", file);
    write_text(report->bench, file);
    fprintf(file, ",\n \"machine\": {\"cores\": %d, \"load\": %.2f, \"arch\": ", machine.cores,
            machine.load);
    write_text(machine.arch, file);
    fputs(", \"compiler\": ", file);
    write_text(machine.compiler, file);
    fputs("},\n \"notes\": [", file);
    for (int i = 0; i < report->note_count; i++) {
        if (i > 0) fputs(", ", file);
        write_text(report->notes[i], file);
    }
    fputs("],\n \"rows\": [", file);
    for (int row = 0; row < report->row_count; row++) {
        fputs(row > 0 ? ",\n  " : "\n  ", file);
        write_cells(report, row, file);
    }
    fputs("],\n \"ratios\": ", file);
    write_cells(report, -1, file);
    fputs("}\n", file);
}
