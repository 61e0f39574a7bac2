/* start.c - copies a SatinStart, and puts a machine's names into its arguments
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/leases.h>

#include <string.h>

static gboolean
check_file (const char *path, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "there is no file %s", path);
  return FALSE;
}

SatinStart *
satin_start_copy (const SatinStart *start, GError **error)
{
  if (start->program != NULL && !check_file (start->program, error))
    return NULL;
  for (guint i = 0; start->files != NULL && start->files[i] != NULL; i++)
    if (!check_file (start->files[i], error))
      return NULL;
  SatinStart *self = g_new0 (SatinStart, 1);
  self->struct_size = sizeof *self;
  self->arguments = (const char *const *)g_strdupv ((GStrv)start->arguments);
  self->variables = (const char *const *)g_strdupv ((GStrv)start->variables);
  self->program = g_strdup (start->program);
  self->files = (const char *const *)g_strdupv ((GStrv)start->files);
  self->secret = start->secret != NULL ? g_bytes_ref (start->secret) : NULL;
  self->wrap = SATIN_HAS (start, wrap) ? g_strdup (start->wrap) : NULL;
  self->before = SATIN_HAS (start, before) ? g_strdup (start->before) : NULL;
  return self;
}

static void
replace (const char **field, const char *value)
{
  if (*value == '\0')
    return;
  g_free ((char *)*field);
  *field = g_strdup (value);
}

gboolean
satin_start_set_wrap (SatinStart *self, const SatinParams *params, GError **error)
{
  replace (&self->wrap, satin_params_get_string (params, "wrap"));
  replace (&self->before, satin_params_get_string (params, "before"));
  return satin_wrap_check (&(SatinWrap){ self->wrap, self->before }, error);
}

void
satin_start_free (SatinStart *self)
{
  if (self == NULL)
    return;
  g_strfreev ((GStrv)self->arguments);
  g_strfreev ((GStrv)self->variables);
  g_free ((char *)self->program);
  g_strfreev ((GStrv)self->files);
  g_clear_pointer (&self->secret, g_bytes_unref);
  g_free ((char *)self->wrap);
  g_free ((char *)self->before);
  g_free (self);
}

/* Replaces each of the names in @text by its value. Names inside a value are not replaced. */
static char *
put_in (const char *text, const char *const *names, const char *const *values)
{
  GString *result = g_string_new (NULL);
  while (*text != '\0')
    {
      guint i = 0;
      while (names[i] != NULL && !g_str_has_prefix (text, names[i]))
        i++;
      if (names[i] == NULL)
        g_string_append_c (result, *text++);
      else
        {
          g_string_append (result, values[i]);
          text += strlen (names[i]);
        }
    }
  return g_string_free (result, FALSE);
}

/* Makes the words in front of the command. @cluster, @number: (nullable) */
static GStrv
make_first_words (const SatinStart *start, const char *cluster, const char *number)
{
  const SatinWrap wrap = { SATIN_HAS (start, wrap) ? start->wrap : NULL,
                           SATIN_HAS (start, before) ? start->before : NULL };
  return satin_wrap_words (&wrap, cluster, number, start->variables);
}

GStrv
satin_start_template (const SatinStart *start, guint *ret_n_first)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) first = make_first_words (start, NULL, NULL);
  *ret_n_first = g_strv_length (first);
  g_strv_builder_addv (words, (const char **)first);
  g_strv_builder_addv (words, (const char **)start->arguments);
  return g_strv_builder_end (words);
}

GStrv
satin_start_arguments (const SatinStart *start, const SatinLease *lease, const char *program)
{
  const char *const names[] = { "{machine}", "{cluster}", program != NULL ? "{program}" : NULL,
                                NULL };
  const char *const values[] = { satin_lease_get_name (lease), satin_lease_get_cluster (lease),
                                 program, NULL };
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, satin_lease_get_number (lease));
  g_auto (GStrv) first = make_first_words (start, satin_lease_get_cluster (lease), number);
  guint n_first = g_strv_length (first), n = g_strv_length ((GStrv)start->arguments);
  GStrv arguments = g_renew (char *, g_steal_pointer (&first), n_first + n + 1);
  for (guint i = 0; i < n; i++)
    arguments[n_first + i] = put_in (start->arguments[i], names, values);
  arguments[n_first + n] = NULL;
  return arguments;
}

GStrv
satin_start_environment (const SatinStart *start)
{
  char **environment = g_get_environ ();
  for (guint i = 0; start->variables[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (start->variables[i], "=", 2);
      if (words[0] != NULL && words[1] != NULL)
        environment = g_environ_setenv (environment, words[0], words[1], TRUE);
    }
  return environment;
}
