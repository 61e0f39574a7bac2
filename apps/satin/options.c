/* options.c - the options of a subcommand, and its help
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

static GOptionContext *
make_context (const CommandSyntax *syntax)
{
  GOptionContext *context = g_option_context_new (syntax->usage);

  g_option_context_add_main_entries (context, syntax->options, NULL);
  g_option_context_set_summary (context, syntax->summary);
  g_option_context_set_description (context, syntax->details);
  g_option_context_set_strict_posix (context, TRUE);
  return context;
}

/* "--" ends the options and is no word itself. */
static void
drop_dashes (int *argc, char ***argv)
{
  if (*argc < 2 || !g_str_equal ((*argv)[1], "--"))
    return;
  for (int i = 1; i < *argc; i++)
    (*argv)[i] = (*argv)[i + 1];
  --*argc;
}

gboolean
command_refuse (GError **error, const char *command, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s; see satin %s --help", text, command);
  return FALSE;
}

static gboolean
check_words (const CommandSyntax *syntax, int n_words, char **words, GError **error)
{
  if (n_words < syntax->n_words_min)
    return command_refuse (error, syntax->name, "something is missing: satin %s [OPTION...] %s",
                           syntax->name, syntax->usage);
  if (n_words > syntax->n_words_max)
    return command_refuse (error, syntax->name, "\"%s\" is one word too many for satin %s",
                           words[syntax->n_words_max], syntax->name);
  return TRUE;
}

gboolean
command_parse (const CommandSyntax *syntax, int *argc, char ***argv, GError **error)
{
  g_autoptr (GOptionContext) context = make_context (syntax);
  g_autofree char *program = g_strdup_printf ("satin %s", syntax->name);
  g_autoptr (GError) local = NULL;

  g_set_prgname (program);
  if (!g_option_context_parse (context, argc, argv, &local))
    return command_refuse (error, syntax->name, "%s", local->message);
  drop_dashes (argc, argv);
  return check_words (syntax, *argc - 1, *argv + 1, error);
}
