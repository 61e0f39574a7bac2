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
  return self;
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

GStrv
satin_start_arguments (const SatinStart *start, const SatinLease *lease, const char *program)
{
  const char *const names[] = { "{machine}", "{cluster}", program != NULL ? "{program}" : NULL,
                                NULL };
  const char *const values[] = { satin_lease_get_name (lease), satin_lease_get_cluster (lease),
                                 program, NULL };
  guint n = g_strv_length ((GStrv)start->arguments);
  GStrv arguments = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    arguments[i] = put_in (start->arguments[i], names, values);
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
