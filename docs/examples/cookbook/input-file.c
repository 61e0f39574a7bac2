/* input-file.c - a file as input: a run with another file cannot use the same checkpoint
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#define GRAIN 65536

/* Counts the words that begin in @text. @is_inside: the byte before @text belongs to a word */
SATIN_TASK (count_words, (long), (bytes, text), (boolean, is_inside))
{
  gint64 left, right, n = 0;
  if (n_text > GRAIN)
    {
      gsize middle = n_text / 2;
      SATIN_SPAWN (&left, count_words, text, middle, is_inside);
      SATIN_SPAWN (&right, count_words, text + middle, n_text - middle,
                   !g_ascii_isspace (text[middle - 1]));
      SATIN_SYNC_OR_RETURN (0);
      return left + right;
    }
  for (gsize i = 0; i < n_text; i++)
    {
      n += !is_inside && !g_ascii_isspace (text[i]);
      is_inside = !g_ascii_isspace (text[i]);
    }
  return n;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  if (n_argv != 2)
    return g_printerr ("usage: input-file FILE\n"), 2;
  /* Only the root task reads files. The call also fails if a checkpoint was made with another
   * file. */
  GError *error = NULL;
  g_autoptr (GBytes) file = satin_input_read (argv[1], &error);
  if (file == NULL)
    {
      satin_fail (error);
      return 1;
    }
  gsize n_text;
  const guint8 *text = g_bytes_get_data (file, &n_text);
  gint64 n_words;
  SATIN_SPAWN (&n_words, count_words, text, n_text, FALSE);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT " words\n", n_words);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
