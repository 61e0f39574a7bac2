/* names.h - the names of figures as small numbers, and events as JSON
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>

G_BEGIN_DECLS

/* A table of names: of figures, of kinds of events, and of their values. */
typedef struct _PageNames PageNames;

PageNames *page_names_new (void);

/* Returns: the number of the name, from 0 on; a new one if the name is not in the table yet */
guint page_names_find (PageNames *self, const char *name);

guint page_names_count (const PageNames *self);

const char *page_names_get (const PageNames *self, guint number);

/* Appends all names as a JSON array, in the order of their numbers. */
void page_names_write (const PageNames *self, GString *out);

/* Appends a text as a JSON string. */
void page_names_write_string (const char *text, GString *out);

/* Appends numbers with commas between them. */
void page_names_write_numbers (const gint64 *numbers, gsize n, GString *out);

/* Appends an event as JSON: [TIME_US, NODE, KIND, TEXT, [NAME, VALUE, ...]], in which KIND and NAME
 * are numbers of names. */
void page_names_write_event (PageNames *self, const SatinJournalEvent *event, GString *out);

/* @self: (nullable) */
void page_names_free (PageNames *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PageNames, page_names_free)

G_END_DECLS
