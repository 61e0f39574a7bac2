/* command.h - what every subcommand of `satin` is made of
 *
 * A subcommand is one function in one file; main.c has the table of them. An
 * error that it returns is printed there, once, and makes the exit status.
 *
 * Threads: all of the command runs in the main thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * CommandFunc:
 * @argc: with the name of the subcommand as first argument
 * @ret_status: (out): the exit status when all went well
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
gboolean command_report (int argc, char **argv, int *ret_status, GError **error);
gboolean command_bench (int argc, char **argv, int *ret_status, GError **error);

/**
 * CommandSyntax:
 * @name: the subcommand
 * @usage: what follows its options, "PROGRAM [ARGUMENT...]"; %NULL for nothing
 * @summary: what it is for, one line
 * @details: what a user must know, with examples
 * @options: (array zero-terminated=1): as for g_option_context_add_main_entries()
 * @n_words_min: how many words must follow the options
 * @n_words_max: how many may
 * @may_mix: options may stand behind words, which no program is started with
 * @bare: (nullable): the long name of an option that may stand without a value
 * @bare_completed: (nullable): what stands for it then, "--NAME=VALUE"; outlives the command line
 *
 * How a subcommand is written, for `--help` and for the parser.
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
  gboolean may_mix;
  const char *bare;
  char *bare_completed;
} CommandSyntax;

/**
 * command_parse:
 * @argc: (inout): what is left: the name and the words after the options
 * @argv: (inout): likewise
 * @error: %SATIN_ERROR_INVALID with what is wrong and where to read on
 *
 * Parses options up to the first word that is none, unless @may_mix; what follows belongs to the
 * program that is started. `--help` prints the help and ends the process.
 *
 * Returns: %TRUE when all was understood
 */
gboolean command_parse (const CommandSyntax *syntax, int *argc, char ***argv, GError **error);

/* Sets %SATIN_ERROR_INVALID with these words and where to read on. Returns: %FALSE */
gboolean command_refuse (GError **error, const char *command, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_END_DECLS
