/* print.h - a journal as text
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
  JOURNAL_JSON, /* an object a line */
  JOURNAL_CSV,  /* a line a value */
} JournalForm;

/* Appends an event to @out, with its ends of lines. */
void journal_print (const SatinJournalEvent *event, JournalForm form, GString *out);

/* The line with the names of columns. Returns: (nullable): static */
const char *journal_print_head (JournalForm form);

G_END_DECLS
