/* terminal.h - shows a line of progress below the output of the nodes
 *
 * There is a line if standard error is a terminal and the user did not give --quiet. Then the nodes
 * write their standard error to a pseudo-terminal, and their standard output too if it is the same
 * terminal. The command copies both to the real terminal. So the output and the line of progress
 * never mix. Otherwise there is no line, and the nodes write directly to the command's own output.
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

/* The descriptor for a node's standard output, and for its standard error; -1 for the command's
 * own. */
int run_terminal_get_output_fd (const RunTerminal *self);
int run_terminal_get_error_fd (const RunTerminal *self);

/* Shows @text, which has no newline, in place of the current line of progress. Does nothing while a
 * node has written only part of a line, or if there is no line of progress. */
void run_terminal_show (RunTerminal *self, const char *text);

/* Prints "satin: " and a message on standard error, in place of the line of progress. */
void run_terminal_say (RunTerminal *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Like run_terminal_say(), for a message that something is wrong. */
void run_terminal_warn (RunTerminal *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Receives a message, without the "satin: " before it. */
typedef void (*RunTerminalFunc) (const char *text, gboolean is_warning, gpointer user_data);

/* Sets a function that is called with each message of run_terminal_say() and run_terminal_warn().
 */
void run_terminal_set_listener (RunTerminal *self, RunTerminalFunc func, gpointer user_data);

/* Copies the rest of the nodes' output and removes the line of progress. Called when no node writes
 * any more. */
void run_terminal_finish (RunTerminal *self);
void run_terminal_free (RunTerminal *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunTerminal, run_terminal_free)

G_END_DECLS
