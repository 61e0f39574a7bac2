/* wrap.c - the words that start a node in a wrapper, and after a command
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/wrap.h>

#include <string.h>

/* The beginning of the script for /bin/sh. Its arguments: the command before the node, the number
 * of words of the wrapper, these words, the node's command. The command before the node gets no
 * argument, input or secret of the node. Its output goes to standard error, because it is no output
 * of the program. Descriptors 3 and 4 are always open, because a container may be told to pass them
 * on. */
static const char script_head[] =
    "satin_before=$1 satin_left=$2; shift 2\n"
    "satin_prepare() { eval \"$satin_before\"; }\n"
    "satin_refuse() {\n"
    "  satin_status=$?; trap - EXIT\n"
    "  printf 'satin: \"%s\", which runs before the node, ended with status %d\\n'"
    " \"$satin_before\" \"$satin_status\" >&2\n"
    "  [ \"$satin_status\" -ne 0 ] || satin_status=1\n"
    "  exit \"$satin_status\"\n"
    "}\n"
    "if [ -n \"$satin_before\" ]; then\n"
    "  trap satin_refuse EXIT\n"
    "  satin_prepare </dev/null >&2 3</dev/null 4</dev/null\n"
    "  satin_status=$?\n"
    "  set +aeu\n"
    "  [ \"$satin_status\" -eq 0 ] || exit \"$satin_status\"\n"
    "  trap - EXIT\n"
    "fi\n"
    "true 2>/dev/null <&3 || exec 3</dev/null\n"
    "true 2>/dev/null >&4 || exec 4</dev/null\n"
    "case ${SATIN_PARTS-} in\n"
    "  net:*) SATIN_PARTS=\"net:pid=$$,${SATIN_PARTS#net:}\" ;;\n"
    "esac\n";

/* Moves each word to the end of the list once. When the words of the wrapper have been moved, adds
 * "env" and the variables. */
static const char script_loop[] = "for satin_word; do\n"
                                  "  if [ \"$satin_left\" -eq 0 ]; then set -- \"$@\" env";
static const char script_tail[] = "; fi\n"
                                  "  satin_left=$((satin_left - 1))\n"
                                  "  set -- \"$@\" \"$satin_word\"; shift\n"
                                  "done\n";

/* The variables of Satin that a node reads, and the mark by which provision-ssh finds processes. */
static const char *const own_variables[] = {
  "SATIN_PARTS",       "SATIN_WORKERS", "SATIN_POLICY",      "SATIN_DEQUE",       "SATIN_END_FD",
  "SATIN_HUB_IS_HERE", "SATIN_WORLD",   "SATIN_PLUGIN_PATH", "SATIN_SSH_MACHINE",
};

typedef struct
{
  const char *name;
  const char *value; /* (nullable): the place is left as it is */
} Place;

/* ---- words in braces ---- */

/* Returns: the length of the word in braces at @text, with the braces; 0 when there is none */
static gsize
measure_place (const char *text)
{
  if (*text != '{')
    return 0;
  gsize n_letters = 0;
  while (g_ascii_islower (text[1 + n_letters]))
    n_letters++;
  return n_letters > 0 && text[1 + n_letters] == '}' ? n_letters + 2 : 0;
}

static gboolean
is_known (const char *place)
{
  return g_str_has_prefix (place, "{cluster}") || g_str_has_prefix (place, "{number}");
}

static gboolean
check_places (const char *what, const char *text, GError **error)
{
  for (const char *at = text; *at != '\0'; at++)
    {
      gsize n = measure_place (at);
      gboolean is_after_dollar = at > text && at[-1] == '$';
      if (n == 0 || is_after_dollar != is_known (at))
        continue;
      if (is_after_dollar)
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s: write %.*s without the $", what,
                     (int)n, at);
      else
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                     "%s: %.*s is not known: there are {cluster} and {number}", what, (int)n, at);
      return FALSE;
    }
  return TRUE;
}

/* Puts the values in. @text: accepted by check_places() */
static char *
fill (const char *text, const Place *places)
{
  GString *result = g_string_new (NULL);
  while (*text != '\0')
    {
      guint i = 0;
      while (places[i].name != NULL
             && (places[i].value == NULL || !g_str_has_prefix (text, places[i].name)))
        i++;
      if (places[i].name == NULL)
        g_string_append_c (result, *text++);
      else
        {
          g_string_append (result, places[i].value);
          text += strlen (places[i].name);
        }
    }
  return g_string_free (result, FALSE);
}

/* Returns: (transfer full) (nullable): @value for a place in a shell command: quoted if the shell
 * would not take it as it is */
static char *
quote (const char *value)
{
  static const char plain[] = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._:@%+=/-";
  if (value == NULL || value[strspn (value, plain)] == '\0')
    return g_strdup (value);
  return g_shell_quote (value);
}

/* ---- the words ---- */

static gboolean
is_given (const char *text)
{
  return text != NULL && *text != '\0';
}

/* Splits the wrapper. Returns: (transfer full): no word when there is no wrapper */
static GStrv
split (const char *wrap, GError **error)
{
  g_autoptr (GError) local = NULL;
  GStrv words = NULL;
  if (!is_given (wrap) || g_shell_parse_argv (wrap, NULL, &words, &local))
    return words != NULL ? words : g_new0 (char *, 1);
  if (g_error_matches (local, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    return g_new0 (char *, 1);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "wrap: %s", local->message);
  return NULL;
}

gboolean
satin_wrap_is_set (const SatinWrap *self)
{
  return is_given (self->wrap) || is_given (self->before);
}

gboolean
satin_wrap_check (const SatinWrap *self, GError **error)
{
  g_auto (GStrv) words = split (self->wrap, error);
  if (words == NULL)
    return FALSE;
  for (char **word = words; *word != NULL; word++)
    if (!check_places ("wrap", *word, error))
      return FALSE;
  return self->before == NULL || check_places ("before", self->before, error);
}

/* Adds ${NAME+"NAME=$NAME"}, a word only if the variable is set. */
static void
add_variable (GString *script, const char *variable)
{
  static const char first[] = G_CSET_a_2_z G_CSET_A_2_Z "_";
  gsize n = strspn (variable, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_");
  g_autofree char *name = g_strndup (variable, n);
  if (n > 0 && strchr (first, name[0]) != NULL && strchr ("=", variable[n]) != NULL
      && !g_str_equal (name, "LD_LIBRARY_PATH"))
    g_string_append_printf (script, " ${%s+\"%s=$%s\"}", name, name, name);
}

static char *
make_script (gboolean has_wrapper, const char *const *variables)
{
  GString *script = g_string_new (script_head);
  if (has_wrapper)
    {
      g_string_append (script, script_loop);
      for (gsize i = 0; i < G_N_ELEMENTS (own_variables); i++)
        add_variable (script, own_variables[i]);
      for (; variables != NULL && *variables != NULL; variables++)
        add_variable (script, *variables);
      g_string_append (script, script_tail);
    }
  g_string_append (script, "exec \"$@\"\n");
  return g_string_free (script, FALSE);
}

GStrv
satin_wrap_words (const SatinWrap *self, const char *cluster, const char *number,
                  const char *const *variables)
{
  if (!satin_wrap_is_set (self))
    return g_new0 (char *, 1);
  const Place places[] = { { "{cluster}", cluster }, { "{number}", number }, { NULL, NULL } };
  g_autofree char *quoted = quote (cluster);
  const Place shell_places[] = { { "{cluster}", quoted }, { "{number}", number }, { NULL, NULL } };
  g_auto (GStrv) wrapper = split (self->wrap, NULL);
  g_return_val_if_fail (wrapper != NULL, NULL);
  g_autofree char *script = make_script (wrapper[0] != NULL, variables);
  g_autofree char *before = fill (self->before != NULL ? self->before : "", shell_places);
  g_autofree char *n_words = g_strdup_printf ("%u", g_strv_length (wrapper));
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_strv_builder_add_many (words, "/bin/sh", "-c", script, "satin-wrap", before, n_words, NULL);
  for (char **word = wrapper; *word != NULL; word++)
    {
      g_autofree char *filled = fill (*word, places);
      g_strv_builder_add (words, filled);
    }
  return g_strv_builder_end (words);
}
