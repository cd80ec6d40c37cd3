// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a bench found: rows of named cells, ratios, notes. Rows need not have the same cells; the
// table shows all names, those of `columns` first, others in the order in which they came.

#ifndef WEFT_BENCH_REPORT_H
#define WEFT_BENCH_REPORT_H

#include <stdio.h>

typedef struct Cell {
    int row;           // -1: a ratio
    const char* name;  // lives as long as the report
    char text[240];    // empty: a number
    double number;
} Cell;

typedef struct Report {
    const char* bench;
    const char* const* columns;  // ended by NULL; or NULL
    int row_count, cell_count, cell_room, note_count;
    Cell* cells;
    const char* notes[24];
    int table_count;
    struct {
        int first_row;
        const char* title;
    } tables[16];  // none: all rows are one table
} Report;

// Rows from here on are printed as a table of their own with its own columns, under a title that
// lives as long as the report; what all of them have in common stands beside the title. In JSON all
// rows are one list.
void start_table(Report* report, const char* title);
void start_row(Report* report);
// Cells of the row that was started last. A number that is not finite is written as null.
void add_text(Report* report, const char* name, const char* text);
void add_number(Report* report, const char* name, double number);
// Of the whole report.
void add_ratio(Report* report, const char* name, double number);
// A sentence about how to read the rows.
void add_note(Report* report, const char* note);

// NULL: the row has none of this name.
const Cell* find_cell(const Report* report, int row, const char* name);
// The number of a cell of the row whose first cells are `vertices` and `method`; NAN without one.
double find_number(const Report* report, int vertices, const char* method, const char* name);

// The row that was started last, in a line: for rows that take long to come.
void tell_row(const Report* report, FILE* file);
void print_table(const Report* report, FILE* file);
void write_json(const Report* report, FILE* file);
void destroy_report(Report* report);

#endif
