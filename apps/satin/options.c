/* options.c - parses the options of a subcommand, and makes its help
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

#include <string.h>

/* How many words of the command line the option @word takes: 2 if the next word is its value. */
static int
count_words (const GOptionEntry *options, const char *word)
{
  gboolean is_long = g_str_has_prefix (word, "--");
  char last = word[strlen (word) - 1];
  for (const GOptionEntry *option = options; option->long_name != NULL; option++)
    if (option->arg != G_OPTION_ARG_NONE
        && (is_long ? g_str_equal (word + 2, option->long_name) : last == option->short_name))
      return 2;
  return 1;
}

/* Returns: (nullable): the text that replaces the option @word, which may be given without a
 * value */
static char *
find_completed (const CommandSyntax *syntax, const char *word)
{
  gsize n_word = strlen (word);
  for (char **text = syntax->bare; *text != NULL; text++)
    if (strncmp (*text, word, n_word) == 0 && (*text)[n_word] == '=')
      return *text;
  return NULL;
}

/* Completes options that may be given without a value: "--adapt" becomes "--adapt=learning".
 * GOption would take the next word as the value. */
static void
complete_bare (const CommandSyntax *syntax, int argc, char **argv)
{
  if (syntax->bare == NULL)
    return;
  for (int i = 1; i < argc && argv[i][0] == '-' && !g_str_equal (argv[i], "--");)
    {
      char *completed = find_completed (syntax, argv[i]);
      if (completed != NULL)
        argv[i++] = completed;
      else
        i += count_words (syntax->options, argv[i]);
    }
}

static GOptionContext *
make_context (const CommandSyntax *syntax)
{
  GOptionContext *context = g_option_context_new (syntax->usage);

  g_option_context_add_main_entries (context, syntax->options, NULL);
  g_option_context_set_summary (context, syntax->summary);
  g_option_context_set_description (context, syntax->details);
  g_option_context_set_strict_posix (context, syntax->is_strict);
  return context;
}

/* Removes "--", which ends the options and is not a word of the command. */
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
    return command_refuse (error, syntax->name,
                           "satin %s needs more arguments: write satin %s [OPTION...] %s",
                           syntax->name, syntax->name, syntax->usage);
  if (n_words > syntax->n_words_max)
    return command_refuse (error, syntax->name, "\"%s\" is one word too many for satin %s",
                           words[syntax->n_words_max], syntax->name);
  return TRUE;
}

/* Finds the option that @word is or begins with. @ret_value: (nullable): the value in the same
 * word */
static const GOptionEntry *
find_option (const GOptionEntry *options, const char *word, const char **ret_value)
{
  for (const GOptionEntry *option = options; option->long_name != NULL; option++)
    {
      gsize n_long = strlen (option->long_name);
      gboolean is_long = strncmp (word, "--", 2) == 0
                         && strncmp (word + 2, option->long_name, n_long) == 0
                         && strchr ("=", word[2 + n_long]) != NULL;
      gboolean is_short = option->short_name != 0 && word[1] == option->short_name;
      if (!is_long && !is_short)
        continue;
      const char *value = is_long ? strchr (word, '=') : word + 1;
      *ret_value = value != NULL && value[1] != '\0' ? value + 1 : NULL;
      return option;
    }
  return NULL;
}

/* Refuses the first value that is no whole number although its option wants one. Returns: %TRUE
 * when there is no such value */
static gboolean
check_numbers (const CommandSyntax *syntax, int argc, char **argv, GError **error)
{
  for (int i = 1; i < argc && (!syntax->is_strict || argv[i][0] == '-'); i++)
    {
      const char *value = NULL;
      const GOptionEntry *option =
          argv[i][0] == '-' ? find_option (syntax->options, argv[i], &value) : NULL;
      if (option == NULL || option->arg == G_OPTION_ARG_NONE)
        continue;
      if (value == NULL && ++i < argc)
        value = argv[i];
      char *end = NULL;
      if (option->arg != G_OPTION_ARG_INT || value == NULL)
        continue;
      gint64 number = g_ascii_strtoll (value, &end, 0);
      if (*value == '\0' || *end != '\0' || number != (int)number)
        return command_refuse (error, syntax->name, "--%s wants a whole number, not %s",
                               option->long_name, value);
    }
  return TRUE;
}

gboolean
command_parse (const CommandSyntax *syntax, int *argc, char ***argv, GError **error)
{
  g_autoptr (GOptionContext) context = make_context (syntax);
  g_autofree char *program = g_strdup_printf ("satin %s", syntax->name);
  g_autoptr (GError) local = NULL;

  g_set_prgname (program);
  complete_bare (syntax, *argc, *argv);
  if (!g_option_context_parse (context, argc, argv, &local))
    return check_numbers (syntax, *argc, *argv, error)
           && command_refuse (error, syntax->name, "%s", local->message);
  drop_dashes (argc, argv);
  return check_words (syntax, *argc - 1, *argv + 1, error);
}
