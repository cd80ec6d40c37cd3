// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// What a run did, as text for people and as data.

#ifndef WEFT_CLI_SUMMARY_H
#define WEFT_CLI_SUMMARY_H

#include "closing.h"
#include "outputs.h"
#include "record.h"
#include "stretch.h"

// Steps of one kind; a budget chooses among several.
typedef struct Choice {
    WeftStepReport report;  // of the last of them
    int steps;
    long long substeps, iterations;  // of all of them together, as far as reports tell
} Choice;

enum { CHOICE_KINDS = 16 };

typedef struct Summary {
    int steps;
    WeftTimes times;          // seconds, all steps together
    double fastest, slowest;  // seconds of a step
    Stretch stretch;
    int guarded, unconverged;           // iterates the guard refused; steps that did not converge
    int hurried;                        // steps that were cut because cloth moved fast
    int over_limit_steps;               // steps that left edges over the stretch limit,
    int over_limit, over_limit_vertex;  // the most of one, and a vertex of its worst
    bool stopped;                       // by the user
    int kept;                           // steps within the budget, or a tenth above it
    // contact
    long long body_contacts, self_contacts;  // of all steps together
    long long impacts, zones, unstopped;
    int late;                   // steps that needed more than the budget
    int jumps, slowed, thrown;  // steps of which the report says so
    double penetration;         // m, the most of any step
    int tangled, tangles;  // steps that began with something crossed or inside; the most of one
    int asleep;            // steps that it has slept by now
    Closing closing;
    ReplayResult replay;
    int choice_count;  // what was chosen
    Choice choices[CHOICE_KINDS];
} Summary;

// Before the first step. Returns GO_ON, or an exit code after telling what is wrong.
int begin_summary(Summary* summary, const Session* session);
// Take the last step into account.
int add_step(Summary* summary, const Session* session, const WeftStepDef* step);
void print_summary(const Summary* summary, const Session* session, const Outputs* outputs);
int print_summary_json(const Summary* summary, const Session* session, const Outputs* outputs);
void free_summary(Summary* summary);

#endif
