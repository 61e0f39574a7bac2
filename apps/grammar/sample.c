/* sample.c - reads samples
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample.h"

#include "../common/words.h"

/* The parts of a sample that is being read. */
typedef struct
{
  GByteArray *is_accepted; /* (owned) */
  GArray *lengths;         /* (owned) (element-type gint32) */
  GByteArray *symbols;     /* (owned) */
} Parts;

static void
parts_clear (Parts *self)
{
  g_clear_pointer (&self->is_accepted, g_byte_array_unref);
  g_clear_pointer (&self->lengths, g_array_unref);
  g_clear_pointer (&self->symbols, g_byte_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

static gboolean
read_string (AppWords *words, gint64 n_letters, Parts *parts, GError **error)
{
  gint64 is_accepted, length, symbol;
  if (!app_words_integer (words, "1 for an accepted string or 0 for a rejected one", 0, 1,
                          &is_accepted, error)
      || !app_words_integer (words, "number of symbols", 0, SAMPLE_MAX_LENGTH, &length, error))
    return FALSE;
  if (parts->symbols->len + length > SAMPLE_MAX_SYMBOLS)
    return app_words_fail (
        words, SATIN_ERROR_LIMIT,
        "the strings have more than " G_STRINGIFY (SAMPLE_MAX_SYMBOLS) " symbols", error);
  for (gint64 i = 0; i < length; i++)
    {
      if (!app_words_integer (words, "symbol", 0, n_letters - 1, &symbol, error))
        return FALSE;
      g_byte_array_append (parts->symbols, &(guint8){ (guint8)symbol }, 1);
    }
  g_byte_array_append (parts->is_accepted, &(guint8){ (guint8)is_accepted }, 1);
  g_array_append_val (parts->lengths, (gint32){ (gint32)length });
  return TRUE;
}

gboolean
sample_read (const char *file, const char *text, gsize n_text, Sample *ret_sample, GError **error)
{
  g_auto (Parts) parts = { g_byte_array_new (), g_array_new (FALSE, FALSE, sizeof (gint32)),
                           g_byte_array_new () };
  AppWords words;
  gint64 n_strings, n_letters;
  app_words_init (&words, file, text, n_text);
  if (!app_words_integer (&words, "number of strings", 1, SAMPLE_MAX_STRINGS, &n_strings, error)
      || !app_words_integer (&words, "number of different symbols", 1, SAMPLE_MAX_LETTERS,
                             &n_letters, error))
    return FALSE;
  for (gint64 i = 0; i < n_strings; i++)
    if (!read_string (&words, n_letters, &parts, error))
      return FALSE;
  if (!app_words_end (&words, "the last string", error))
    return FALSE;
  *ret_sample = (Sample){ .n_letters = (gint32)n_letters };
  ret_sample->is_accepted = g_byte_array_steal (parts.is_accepted, &ret_sample->n_is_accepted);
  ret_sample->lengths = g_array_steal (parts.lengths, &ret_sample->n_lengths);
  ret_sample->symbols = g_byte_array_steal (parts.symbols, &ret_sample->n_symbols);
  return TRUE;
}

gsize
sample_count_accepted (const Sample *self)
{
  gsize n = 0;
  for (gsize i = 0; i < self->n_is_accepted; i++)
    n += self->is_accepted[i];
  return n;
}
