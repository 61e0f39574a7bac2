/* options.c - the command line of an application, and the line that --time prints
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "options.h"

#include <satin/base/error.h>
#include <satin/base/params.h>
#include <satin/core/main.h>

/* Declares that --time does not change the results. So a run with --time may continue from the
 * checkpoint of a run without --time. */
__attribute__ ((constructor)) static void
free_arguments (void)
{
  satin_argument_is_free ("--time");
}

/* Makes an entry for each of @numbers, and sets each value to its default. @helps: the entries'
 * help texts, which live as long as the entries */
static GArray *
make_number_entries (const AppNumber *numbers, GPtrArray *helps)
{
  GArray *entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  for (const AppNumber *number = numbers; number->option != NULL; number++)
    {
      char *help = g_strdup_printf ("%s (%d)", number->help, number->initial);
      GOptionEntry entry = { number->option, 0, 0, G_OPTION_ARG_INT, number->value, help, "N" };
      g_ptr_array_add (helps, help);
      g_array_append_val (entries, entry);
      *number->value = number->initial;
    }
  return entries;
}

static gboolean
check_numbers (const AppNumber *numbers, GError **error)
{
  for (const AppNumber *number = numbers; number->option != NULL; number++)
    {
      g_autofree char *option = g_strconcat ("--", number->option, NULL);
      if (!app_range_check (option, *number->value, number->min, number->max, error))
        return FALSE;
    }
  return TRUE;
}

static GOptionContext *
make_context (const AppUsage *usage, const AppNumber *numbers, GPtrArray *helps,
              AppOptions *options, char ***operands)
{
  const GOptionEntry common[] = {
    { "sequential", 0, 0, G_OPTION_ARG_NONE, &options->is_sequential, "Plain C, without jobs",
      NULL },
    { "time", 0, 0, G_OPTION_ARG_NONE, &options->is_timed, "Print times on stderr", NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &options->is_help, "Print this text", NULL },
    /* GOption does not convert the bytes of a path. It refuses other texts with bytes that are not
     * of the locale's charset. */
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, operands, NULL, usage->operand },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);
  /* GOption's own --help would end the process. */
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_summary (context, usage->summary);
  g_autoptr (GArray) number_entries = make_number_entries (numbers, helps);
  g_option_context_add_main_entries (context, (const GOptionEntry *)number_entries->data, NULL);
  if (usage->entries != NULL)
    g_option_context_add_main_entries (context, usage->entries, NULL);
  g_option_context_add_main_entries (context, common, NULL);
  return context;
}

gboolean
app_options_parse (const AppUsage *usage, const SatinString *argv, gsize n_argv,
                   AppOptions *ret_options, char **ret_operand, GError **error)
{
  static const AppNumber no_numbers[] = { APP_NUMBER_NULL };
  const AppNumber *numbers = usage->numbers != NULL ? usage->numbers : no_numbers;
  *ret_options = (AppOptions){ 0 };
  g_auto (GStrv) operands = NULL;
  g_autoptr (GPtrArray) helps = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GOptionContext) context = make_context (usage, numbers, helps, ret_options, &operands);
  /* GOption removes words from the array that it parses. */
  g_auto (GStrv) words = g_new0 (char *, n_argv + 1);
  for (gsize i = 0; i < n_argv; i++)
    words[i] = g_strdup (argv[i]);

  g_autoptr (GError) local = NULL;
  if (!g_option_context_parse_strv (context, &words, &local))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s; --help lists the options",
                   local->message);
      return FALSE;
    }
  if (operands != NULL && operands[1] != NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "'%s' is one operand too many: give only %s", operands[1], usage->operand);
      return FALSE;
    }
  if (!ret_options->is_help && !check_numbers (numbers, error))
    return FALSE;
  *ret_operand = operands != NULL ? g_strdup (operands[0]) : NULL;
  if (ret_options->is_help)
    {
      g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);
      g_print ("%s", help);
    }
  return TRUE;
}

gboolean
app_number_parse (const char *operand, int min, int max, int *ret_number, GError **error)
{
  gint64 number;
  if (operand == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "no number given: give one from %d to %d", min, max);
      return FALSE;
    }
  if (!g_ascii_string_to_signed (operand, 10, min, max, &number, NULL))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "'%s' is not a number from %d to %d",
                   operand, min, max);
      return FALSE;
    }
  *ret_number = (int)number;
  return TRUE;
}

gboolean
app_range_check (const char *option, int value, int min, int max, GError **error)
{
  if (value >= min && value <= max)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is %d, but must be from %d to %d",
               option, value, min, max);
  return FALSE;
}

gboolean
app_charge_parse (const char *option, const char *text, gint32 *ret_us, GError **error)
{
  gint64 time_us;
  if (text == NULL)
    return TRUE;
  if (!satin_parse_duration (text, &time_us, error))
    {
      g_prefix_error (error, "%s: ", option);
      return FALSE;
    }
  if (time_us > G_USEC_PER_SEC)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is %s, but must be from 0us to 1s",
                   option, text);
      return FALSE;
    }
  *ret_us = (gint32)time_us;
  return TRUE;
}

void
app_print_time (const char *name, gint64 time_us, gint64 n_jobs, gint64 sequential_us)
{
  double seconds = (double)time_us / G_USEC_PER_SEC;
  if (n_jobs == 0)
    {
      g_printerr ("%s: %.6f s\n", name, seconds);
      return;
    }
  g_printerr (
      "%s: %.6f s, %" G_GINT64_FORMAT " jobs, %.2f ns a job, %.2f times sequential (%.6f s)\n",
      name, seconds, n_jobs, (double)time_us * 1000.0 / (double)n_jobs,
      (double)time_us / (double)MAX (sequential_us, 1), (double)sequential_us / G_USEC_PER_SEC);
}

void
app_report_time (const AppOptions *options, const char *name, gint64 time_us, gint64 n_jobs,
                 AppWork work, gpointer user_data)
{
  if (!options->is_timed)
    return;
  if (options->is_sequential)
    {
      app_print_time (name, time_us, 0, 0);
      return;
    }
  gint64 started_us = g_get_monotonic_time ();
  work (user_data);
  app_print_time (name, time_us, n_jobs, g_get_monotonic_time () - started_us);
}
