/* wrap.c - the options --wrap and --before
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap.h"
#include "command.h"
#include "programs.h"

static SatinWrap
get (const WrapOptions *self)
{
  return (SatinWrap){ self->wrap, self->before };
}

gboolean
wrap_options_check (const WrapOptions *self, const char *command, GError **error)
{
  const SatinWrap wrap = get (self);
  g_autoptr (GError) local = NULL;
  return satin_wrap_check (&wrap, &local)
         || command_refuse (error, command, "--%s", local->message);
}

gboolean
wrap_options_are_set (const WrapOptions *self)
{
  const SatinWrap wrap = get (self);
  return satin_wrap_is_set (&wrap);
}

char *
wrap_options_find_program (const WrapOptions *self, const char *name, GError **error)
{
  if (!wrap_options_are_set (self))
    return program_find (name, error);
  if (self->wrap != NULL && g_path_is_absolute (name) && !g_file_test (name, G_FILE_TEST_EXISTS))
    return g_strdup (name);
  g_autofree char *program = program_find (name, error);
  return program != NULL ? g_canonicalize_filename (program, NULL) : NULL;
}

char **
wrap_options_make (const WrapOptions *self, const char *cluster, guint64 number,
                   const char *const *command)
{
  const SatinWrap wrap = get (self);
  g_autofree char *number_text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);
  g_auto (GStrv) first = satin_wrap_words (&wrap, cluster, number_text, NULL);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_strv_builder_addv (words, (const char **)first);
  g_strv_builder_addv (words, (const char **)command);
  return g_strv_builder_end (words);
}

void
wrap_options_clear (WrapOptions *self)
{
  g_clear_pointer (&self->wrap, g_free);
  g_clear_pointer (&self->before, g_free);
}
