/* terminal.h - a line of progress below what the nodes print
 *
 * When standard error is a terminal, the nodes write to a pseudo-terminal that
 * the command copies from, so that the line of progress and their output never
 * mix. Else there is no line, and they write straight to where the command does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef struct _RunTerminal RunTerminal;

/* Returns: (transfer full): free with run_terminal_free() */
RunTerminal *run_terminal_new (gboolean is_quiet);

/* Whether there is a line of progress. */
gboolean run_terminal_has_line (const RunTerminal *self);

/* Where a node's standard output and error go; -1 for the command's own. */
int run_terminal_get_output_fd (const RunTerminal *self);
int run_terminal_get_error_fd (const RunTerminal *self);

/* Shows @text, without end of line, in place of the line before it. */
void run_terminal_show (RunTerminal *self, const char *text);

/* Prints "satin: " and these words on standard error, above the line of progress. */
void run_terminal_say (RunTerminal *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* @func hears each text that run_terminal_say() prints, without "satin: ". */
void run_terminal_set_listener (RunTerminal *self, void (*func) (const char *text, gpointer),
                                gpointer user_data);

/* Copies what is left, when no node writes any more, and takes the line away. */
void run_terminal_finish (RunTerminal *self);
void run_terminal_free (RunTerminal *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunTerminal, run_terminal_free)

G_END_DECLS
