/* nff-words.c - cuts a text into words and numbers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "nff-words.h"

/* As much of a wrong word is shown. */
#define SHOWN_BYTES 24

void
nff_words_init (NffWords *self, const char *file, const char *text, gsize n_text)
{
  *self = (NffWords){ .file = file, .at = text, .end = text + n_text, .line = 1, .word_line = 1 };
}

static void
skip_space (NffWords *self)
{
  gboolean is_comment = FALSE;

  for (; self->at < self->end; self->at++)
    {
      if (*self->at == '\n')
        {
          self->line++;
          is_comment = FALSE;
        }
      else if (*self->at == '#')
        is_comment = TRUE;
      else if (!is_comment && !g_ascii_isspace (*self->at))
        return;
    }
}

gboolean
nff_words_next (NffWords *self)
{
  gsize n = 0;

  skip_space (self);
  self->word_line = self->line;
  for (; self->at < self->end && !g_ascii_isspace (*self->at) && *self->at != '#'; self->at++)
    if (n < NFF_WORD_BYTES - 1)
      self->word[n++] = *self->at;
  self->word[n] = '\0';
  return n > 0;
}

gboolean
nff_words_has_more_in_line (const NffWords *self)
{
  NffWords ahead = *self;

  return nff_words_next (&ahead) && ahead.word_line == self->word_line;
}

gboolean
nff_words_fail (const NffWords *self, int code, const char *message, GError **error)
{
  g_set_error (error, SATIN_ERROR, code, "%s: line %u: %s", self->file, self->word_line, message);
  return FALSE;
}

gboolean
nff_words_refuse (const NffWords *self, const char *what, GError **error)
{
  g_autofree char *shown = g_strndup (self->word, SHOWN_BYTES);
  g_autofree char *escaped = g_strescape (shown, NULL);
  g_autofree char *message = self->word[0] == '\0'
                                 ? g_strdup_printf ("expected %s, found the end", what)
                                 : g_strdup_printf ("expected %s, found '%s'", what, escaped);

  return nff_words_fail (self, SATIN_ERROR_FORMAT, message, error);
}

gboolean
nff_words_expect (NffWords *self, const char *what, GError **error)
{
  nff_words_next (self);
  if (strcmp (self->word, what) == 0)
    return TRUE;
  return nff_words_refuse (self, what, error);
}

gboolean
nff_words_number (NffWords *self, const char *what, double low, double high, double *ret_number,
                  GError **error)
{
  g_autofree char *expected = NULL;
  char *end;
  double number;

  nff_words_next (self);
  number = g_ascii_strtod (self->word, &end);
  /* Not a number is in no range. */
  if (self->word[0] != '\0' && *end == '\0' && number >= low && number <= high)
    {
      *ret_number = number;
      return TRUE;
    }
  expected = g_strdup_printf ("%s, a number from %g to %g", what, low, high);
  return nff_words_refuse (self, expected, error);
}

gboolean
nff_words_count (NffWords *self, const char *what, guint low, guint high, guint *ret_count,
                 GError **error)
{
  double number;

  if (!nff_words_number (self, what, low, high, &number, error))
    return FALSE;
  if (number != floor (number))
    {
      g_autofree char *expected = g_strdup_printf ("%s, a whole number", what);
      return nff_words_refuse (self, expected, error);
    }
  *ret_count = (guint)number;
  return TRUE;
}

gboolean
nff_words_vector (NffWords *self, const char *what, double low, double high, Vector *ret_vector,
                  GError **error)
{
  Vector read;

  if (!nff_words_number (self, what, low, high, &read.x, error)
      || !nff_words_number (self, what, low, high, &read.y, error)
      || !nff_words_number (self, what, low, high, &read.z, error))
    return FALSE;
  *ret_vector = read;
  return TRUE;
}
