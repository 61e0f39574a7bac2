/* body.c - reads and writes bodies, and makes a digest of them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "body.h"

#include <string.h>

#include "../common/file.h"
#include "../common/words.h"

#define DIGEST_SHOWN 16
#define N_NUMBERS    7

/* Fills in the seven numbers of a body, in the order of a line. */
static void
body_get (const Body *body, double *ret_numbers)
{
  ret_numbers[0] = body->mass;
  for (guint axis = 0; axis < 3; axis++)
    {
      ret_numbers[1 + axis] = vector_get (body->at, axis);
      ret_numbers[4 + axis] = vector_get (body->velocity, axis);
    }
}

static gboolean
read_number (AppWords *words, const char *what, double low, gboolean is_first, double *ret_number,
             GError **error)
{
  if (!is_first && !app_words_has_more_in_line (words))
    {
      g_autofree char *message = g_strdup_printf ("no %s: a line is mass x y z vx vy vz", what);
      return app_words_fail (words, SATIN_ERROR_FORMAT, message, error);
    }
  return app_words_number (words, what, low, BODY_MAX_VALUE, ret_number, error);
}

/* Reads one body. Its numbers must all be in the line of the first word. */
static gboolean
read_body (AppWords *words, Body *ret_body, GError **error)
{
  static const char *const names[N_NUMBERS] = { "mass", "x", "y", "z", "vx", "vy", "vz" };
  double numbers[N_NUMBERS];

  for (guint i = 0; i < N_NUMBERS; i++)
    if (!read_number (words, names[i], i == 0 ? 0 : -BODY_MAX_VALUE, i == 0, &numbers[i], error))
      return FALSE;
  if (app_words_has_more_in_line (words))
    {
      app_words_next (words);
      return app_words_refuse (words, "the end of the line after vz", error);
    }
  *ret_body = (Body){ numbers[0],
                      { numbers[1], numbers[2], numbers[3] },
                      { numbers[4], numbers[5], numbers[6] } };
  return TRUE;
}

GArray *
bodies_parse (const char *file, const char *text, gsize n_text, GError **error)
{
  g_autoptr (GArray) bodies = g_array_new (FALSE, FALSE, sizeof (Body));
  AppWords words;

  app_words_init (&words, file, text, n_text);
  while (app_words_has_more (&words))
    {
      Body body;
      if (bodies->len == BODY_MAX_NUMBER)
        {
          app_words_next (&words);
          app_words_fail (&words, SATIN_ERROR_LIMIT,
                          "more than " G_STRINGIFY (BODY_MAX_NUMBER) " bodies", error);
          return NULL;
        }
      if (!read_body (&words, &body, error))
        return NULL;
      g_array_append_val (bodies, body);
    }
  if (bodies->len == 0)
    {
      app_words_next (&words);
      app_words_refuse (&words, "a body", error);
      return NULL;
    }
  return g_steal_pointer (&bodies);
}

GArray *
bodies_read (const char *path, GError **error)
{
  g_autofree char *text = NULL, *name = g_filename_display_name (path);
  gsize n_text;

  if (!app_file_read ("body file", path, BODY_MAX_BYTES, &text, &n_text, error))
    return NULL;
  return bodies_parse (name, text, n_text, error);
}

gboolean
bodies_write (const GArray *bodies, AppOutput *file, GError **error)
{
  FILE *stream = app_output_begin (file, error);

  if (stream == NULL)
    return FALSE;
  fputs ("# mass x y z vx vy vz\n", stream);
  for (guint i = 0; i < bodies->len; i++)
    {
      double numbers[N_NUMBERS];
      char digits[G_ASCII_DTOSTR_BUF_SIZE];
      body_get (&g_array_index (bodies, Body, i), numbers);
      for (guint k = 0; k < N_NUMBERS; k++)
        {
          fputs (g_ascii_dtostr (digits, sizeof digits, numbers[k]), stream);
          fputc (k < N_NUMBERS - 1 ? ' ' : '\n', stream);
        }
    }
  return app_output_end (file, error);
}

char *
bodies_digest (const GArray *bodies)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < bodies->len; i++)
    {
      double numbers[N_NUMBERS];
      guint64 words[N_NUMBERS];
      body_get (&g_array_index (bodies, Body, i), numbers);
      memcpy (words, numbers, sizeof words);
      for (guint k = 0; k < N_NUMBERS; k++)
        words[k] = GUINT64_TO_LE (words[k]);
      g_checksum_update (sum, (const guchar *)words, sizeof words);
    }
  return g_strndup (g_checksum_get_string (sum), DIGEST_SHOWN);
}
