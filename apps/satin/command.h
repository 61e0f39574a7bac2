/* command.h - the functions of all subcommands of `satin`, and their option parser
 *
 * Each subcommand is one function in a file of its own; main.c has the table of all subcommands.
 * main.c prints the error that the function returns, and derives the exit status from it.
 *
 * Threads: the main thread calls all functions here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* What follows the name of a file that a command writes, until the file is complete. No other
 * program gives a file such a name, so a command may replace the file. */
#define COMMAND_PART_SUFFIX ".satin-part"

/**
 * CommandFunc:
 * @argc: the number of arguments; the first one is the name of the subcommand
 * @ret_status: (out): the exit status when the command succeeds
 *
 * Returns: %FALSE with @error set when the command could not do its work
 */
typedef gboolean (*CommandFunc) (int argc, char **argv, int *ret_status, GError **error);

gboolean command_run (int argc, char **argv, int *ret_status, GError **error);
gboolean command_node (int argc, char **argv, int *ret_status, GError **error);
gboolean command_hub (int argc, char **argv, int *ret_status, GError **error);
gboolean command_sim (int argc, char **argv, int *ret_status, GError **error);
gboolean command_status (int argc, char **argv, int *ret_status, GError **error);
gboolean command_nodes (int argc, char **argv, int *ret_status, GError **error);
gboolean command_leave (int argc, char **argv, int *ret_status, GError **error);
gboolean command_stop (int argc, char **argv, int *ret_status, GError **error);
gboolean command_migrate (int argc, char **argv, int *ret_status, GError **error);
gboolean command_inspect (int argc, char **argv, int *ret_status, GError **error);
gboolean command_apps (int argc, char **argv, int *ret_status, GError **error);
gboolean command_conformance (int argc, char **argv, int *ret_status, GError **error);
gboolean command_checkpoint (int argc, char **argv, int *ret_status, GError **error);
gboolean command_copy (int argc, char **argv, int *ret_status, GError **error);
gboolean command_new_plugin (int argc, char **argv, int *ret_status, GError **error);
gboolean command_journal (int argc, char **argv, int *ret_status, GError **error);
gboolean command_trace (int argc, char **argv, int *ret_status, GError **error);
gboolean command_page (int argc, char **argv, int *ret_status, GError **error);
gboolean command_report (int argc, char **argv, int *ret_status, GError **error);
gboolean command_dump (int argc, char **argv, int *ret_status, GError **error);
gboolean command_stacks (int argc, char **argv, int *ret_status, GError **error);
gboolean command_why (int argc, char **argv, int *ret_status, GError **error);
gboolean command_top (int argc, char **argv, int *ret_status, GError **error);
gboolean command_course (int argc, char **argv, int *ret_status, GError **error);
gboolean command_bench (int argc, char **argv, int *ret_status, GError **error);

/**
 * CommandSyntax:
 * @name: the subcommand
 * @usage: the words after the options, "PROGRAM [ARGUMENT...]"; %NULL for none
 * @summary: the purpose of the command, one line
 * @details: the rest of the help, with examples
 * @options: (array zero-terminated=1): as for g_option_context_add_main_entries(); a value that may
 *   have a path in it, such as a URI, is a G_OPTION_ARG_FILENAME, because GOption converts other
 *   texts from the locale's charset
 * @n_words_min: the smallest number of words that may follow the options
 * @n_words_max: the largest number of words that may follow the options
 * @is_strict: options do not follow words; for a command whose words may have options of their own
 * @bare: (nullable) (array zero-terminated=1): texts "--NAME=VALUE", each of which replaces the
 *   option --NAME without a value; the parsed @argv points to these texts
 *
 * The syntax of a subcommand, for the parser and for `--help`.
 */
typedef struct
{
  const char *name;
  const char *usage;
  const char *summary;
  const char *details;
  const GOptionEntry *options;
  int n_words_min;
  int n_words_max;
  gboolean is_strict;
  char **bare;
} CommandSyntax;

/**
 * command_parse:
 * @argc: (inout): on return, the length of @argv
 * @argv: (inout): on return, the name of the command and the words after the options
 * @error: %SATIN_ERROR_INVALID; the message says what is wrong and refers to the help
 *
 * Parses the options of @syntax. The word "--" ends the options. If @is_strict of @syntax is set,
 * so does the first word that is no option. `--help` prints the help and ends the process.
 *
 * Returns: %TRUE when the command line is valid
 */
gboolean command_parse (const CommandSyntax *syntax, int *argc, char ***argv, GError **error);

/* Sets %SATIN_ERROR_INVALID with this message and a reference to the help of @command. Returns:
 * %FALSE */
gboolean command_refuse (GError **error, const char *command, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_END_DECLS
