/* words.c - cuts a text into words and numbers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "words.h"

#include <string.h>

/* Messages show at most this many bytes of a wrong word. */
#define SHOWN_BYTES 24

void
app_words_init (AppWords *self, const char *file, const char *text, gsize n_text)
{
  app_words_init_with_comment (self, file, text, n_text, '\0');
}

void
app_words_init_with_comment (AppWords *self, const char *file, const char *text, gsize n_text,
                             char line_comment)
{
  *self = (AppWords){ .file = file,
                      .text = text,
                      .at = text,
                      .end = text + n_text,
                      .line_comment = line_comment,
                      .line = 1,
                      .word_line = 1 };
}

static gboolean
begins_comment (const AppWords *self)
{
  if (self->line_comment == '\0')
    return *self->at == '#';
  return *self->at == self->line_comment && (self->at == self->text || self->at[-1] == '\n');
}

static void
skip_space (AppWords *self)
{
  gboolean is_comment = FALSE;
  for (; self->at < self->end; self->at++)
    {
      if (*self->at == '\n')
        {
          self->line++;
          is_comment = FALSE;
        }
      else if (begins_comment (self))
        is_comment = TRUE;
      else if (!is_comment && !g_ascii_isspace (*self->at))
        return;
    }
}

gboolean
app_words_next (AppWords *self)
{
  gsize n = 0;
  skip_space (self);
  self->word_line = self->line;
  self->is_cut = FALSE;
  for (; self->at < self->end && !g_ascii_isspace (*self->at) && !begins_comment (self); self->at++)
    {
      self->is_cut = n == APP_WORD_BYTES - 1;
      if (!self->is_cut)
        self->word[n++] = *self->at;
    }
  self->word[n] = '\0';
  return n > 0;
}

gboolean
app_words_has_more (const AppWords *self)
{
  AppWords ahead = *self;
  return app_words_next (&ahead);
}

gboolean
app_words_has_more_in_line (const AppWords *self)
{
  AppWords ahead = *self;
  return app_words_next (&ahead) && ahead.word_line == self->word_line;
}

gboolean
app_words_fail (const AppWords *self, int code, const char *message, GError **error)
{
  g_set_error (error, SATIN_ERROR, code, "%s: line %u: %s", self->file, self->word_line, message);
  return FALSE;
}

gboolean
app_words_refuse (const AppWords *self, const char *what, GError **error)
{
  g_autofree char *shown = g_strndup (self->word, SHOWN_BYTES);
  g_autofree char *escaped = g_strescape (shown, NULL);
  g_autofree char *message = self->word[0] == '\0'
                                 ? g_strdup_printf ("expected %s, found the end", what)
                                 : g_strdup_printf ("expected %s, found '%s'", what, escaped);
  return app_words_fail (self, SATIN_ERROR_FORMAT, message, error);
}

gboolean
app_words_expect (AppWords *self, const char *what, GError **error)
{
  app_words_next (self);
  if (strcmp (self->word, what) == 0)
    return TRUE;
  return app_words_refuse (self, what, error);
}

gboolean
app_words_end (AppWords *self, const char *what, GError **error)
{
  if (!app_words_next (self))
    return TRUE;
  g_autofree char *expected = g_strdup_printf ("the end after %s", what);
  return app_words_refuse (self, expected, error);
}

gboolean
app_words_number (AppWords *self, const char *what, double low, double high, double *ret_number,
                  GError **error)
{
  char *end;
  app_words_next (self);
  double number = g_ascii_strtod (self->word, &end);
  /* NaN fails both comparisons. */
  if (self->word[0] != '\0' && *end == '\0' && !self->is_cut && number >= low && number <= high)
    {
      *ret_number = number;
      return TRUE;
    }
  g_autofree char *expected = g_strdup_printf ("%s, a number from %g to %g", what, low, high);
  return app_words_refuse (self, expected, error);
}

gboolean
app_words_integer (AppWords *self, const char *what, gint64 low, gint64 high, gint64 *ret_number,
                   GError **error)
{
  app_words_next (self);
  if (!self->is_cut && g_ascii_string_to_signed (self->word, 10, low, high, ret_number, NULL))
    return TRUE;
  g_autofree char *expected = g_strdup_printf (
      "%s, a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, what, low, high);
  return app_words_refuse (self, expected, error);
}
