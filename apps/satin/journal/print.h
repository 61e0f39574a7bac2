/* print.h - prints the events of a journal
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>

G_BEGIN_DECLS

/* How events are printed. */
typedef enum
{
  JOURNAL_TEXT, /* a line for people */
  JOURNAL_JSON, /* one JSON object on each line */
  JOURNAL_CSV,  /* one line for each value, and for each event without values */
} JournalForm;

/* Appends an event to @out, as one line or several. */
void journal_print (const SatinJournalEvent *event, JournalForm form, GString *out);

/* Returns: (nullable): (static): the line with the names of the columns; %NULL if @form has none */
const char *journal_print_head (JournalForm form);

G_END_DECLS
