/* options.h - the command line of an application, for use in a root task
 *
 * The root task runs on a worker of the master node, so no function here ends the process. A wrong
 * option is a GError with which the task fails (exit status 2). After --help the task returns 0.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/**
 * AppNumber:
 * @option: the option's name without the dashes: "grain"
 * @help: what the number means; the help text has the default behind it
 * @min: smallest value allowed
 * @max: largest value allowed
 * @initial: the number when the option is not given
 * @value: (borrowed): where the number goes
 *
 * An option whose value is a whole number in a range.
 */
typedef struct
{
  const char *option;
  const char *help;
  int min;
  int max;
  int initial;
  gint32 *value;
} AppNumber;

/* Ends a table of numbers. */
#define APP_NUMBER_NULL                                                                            \
  {                                                                                                \
    NULL                                                                                           \
  }

/**
 * AppUsage:
 * @operand: the name of the operand in the help text: "N"
 * @summary: what the program does, a sentence or two
 * @entries: (nullable): the program's own options, ending with G_OPTION_ENTRY_NULL
 * @numbers: (nullable): its options that are whole numbers, ending with APP_NUMBER_NULL; the help
 *   text has them before @entries
 */
typedef struct
{
  const char *operand;
  const char *summary;
  const GOptionEntry *entries;
  const AppNumber *numbers;
} AppUsage;

/**
 * AppOptions:
 * @is_help: --help: the help text has been printed, and nothing is left to do
 * @is_sequential: --sequential: plain C, no job is made
 * @is_timed: --time: print times on stderr
 *
 * The options that all applications have.
 */
typedef struct
{
  gboolean is_help;
  gboolean is_sequential;
  gboolean is_timed;
} AppOptions;

/**
 * app_options_parse:
 * @usage: the program's options; each value is stored where the entry of its option points
 * @argv: (array length=n_argv): as given to the root task, at least the program's name
 * @n_argv: 1 or more
 * @ret_options: (out): the options that all applications have
 * @ret_operand: (out) (transfer full) (nullable): the operand, %NULL when none was given; untouched
 *   on failure
 * @error: %SATIN_ERROR_INVALID for an unknown option, a bad value, a number out of its range or a
 *   second operand
 *
 * Reads the options. With --help it prints the help text and does not check the ranges of numbers.
 *
 * Returns: %TRUE on success
 */
gboolean app_options_parse (const AppUsage *usage, const SatinString *argv, gsize n_argv,
                            AppOptions *ret_options, char **ret_operand, GError **error);

/**
 * app_number_parse:
 * @operand: (nullable): the operand as the user wrote it; %NULL: none was given
 * @min: smallest value allowed
 * @max: largest value allowed
 * @ret_number: (out): the operand as a number; untouched on failure
 * @error: %SATIN_ERROR_INVALID when @operand is missing, not a number or out of range
 *
 * Returns: %TRUE on success
 */
gboolean app_number_parse (const char *operand, int min, int max, int *ret_number, GError **error);

/**
 * app_range_check:
 * @option: the option as the user writes it, "--grain"
 * @value: what was given
 * @min: smallest value allowed
 * @max: largest value allowed
 * @error: %SATIN_ERROR_INVALID when @value is out of range
 *
 * Returns: %TRUE when the value is in range
 */
gboolean app_range_check (const char *option, int value, int min, int max, GError **error);

/**
 * app_charge_parse:
 * @option: the option as the user writes it, "--node-time"
 * @text: (nullable): how long something takes in a simulation, "40us"; %NULL: no option was given
 * @ret_us: (out): microseconds, from 0 to 1,000,000; untouched on failure, and when @text is %NULL
 * @error: %SATIN_ERROR_INVALID when @text is not a time in that range
 *
 * Returns: %TRUE on success
 */
gboolean app_charge_parse (const char *option, const char *text, gint32 *ret_us, GError **error);

/**
 * app_print_time:
 * @name: the program's name
 * @time_us: how long the work took
 * @n_jobs: number of jobs; 0 for work in plain C
 * @sequential_us: how long the work takes in plain C; unused when @n_jobs is 0
 *
 * Prints a line on stderr:
 * "fib: 0.181203 s, 126491971 jobs, 1.43 ns a job, 1.83 times sequential (0.099017 s)". When
 * @n_jobs is 0, the line ends after the time.
 */
void app_print_time (const char *name, gint64 time_us, gint64 n_jobs, gint64 sequential_us);

/* Does the work of a program in plain C. */
typedef void (*AppWork) (gpointer user_data);

/**
 * app_report_time:
 * @options: as the user gave them
 * @name: the program's name
 * @time_us: how long the work took
 * @n_jobs: number of jobs; unused with --sequential
 * @work: (scope call): does the same work in plain C
 * @user_data: what @work gets
 *
 * Does nothing unless --time was given. Otherwise it prints the line of app_print_time(). To
 * compare with plain C it calls @work, but not with --sequential.
 */
void app_report_time (const AppOptions *options, const char *name, gint64 time_us, gint64 n_jobs,
                      AppWork work, gpointer user_data);

G_END_DECLS
