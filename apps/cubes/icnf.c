/* icnf.c - reads formulas with cubes, in the iCNF format and in the DIMACS format
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "icnf.h"

#include <string.h>

#include "../common/file.h"
#include "../common/words.h"

/* The word before the literals of a cube. */
#define CUBE "a"

/* A text that is being read. @n_variables: the greatest variable that a literal may have;
 * @greatest: the greatest variable so far; @n_clauses: -1 when the header does not say it; @seen:
 * (owned): for each variable the number of the last cube that has it, from 1; 0: none */
typedef struct
{
  AppWords words;
  gint64 n_variables;
  gint64 greatest;
  gint64 n_clauses;
  GArray *literals; /* (borrowed) */
  GArray *cubes;    /* (borrowed) */
  guint32 *seen;
  guint32 n_cubes;
} Reader;

static gboolean
reader_init (Reader *self, const char *file, const char *text, gsize n_text, GError **error)
{
  if (n_text > ICNF_MAX_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s: larger than %d MiB", file,
                   ICNF_MAX_BYTES >> 20);
      return FALSE;
    }
  app_words_init_with_comment (&self->words, file, text, n_text, 'c');
  self->seen = g_new0 (guint32, FORMULA_MAX_VARIABLES + 1);
  return TRUE;
}

static gboolean
read_header (Reader *self, GError **error)
{
  AppWords *words = &self->words;

  self->n_variables = FORMULA_MAX_VARIABLES;
  self->n_clauses = -1;
  if (!app_words_expect (words, "p", error))
    return FALSE;
  AppWords ahead = *words;
  if (app_words_next (&ahead) && strcmp (ahead.word, "inccnf") == 0)
    {
      *words = ahead;
      return TRUE;
    }
  return app_words_expect (words, "cnf", error)
         && app_words_integer (words, "number of variables", 0, FORMULA_MAX_VARIABLES,
                               &self->n_variables, error)
         && app_words_integer (words, "number of clauses", 0, FORMULA_MAX_LITERALS,
                               &self->n_clauses, error);
}

/* Reads literals and a 0, and appends them to @out. */
static gboolean
read_literals (Reader *self, const char *what, GArray *out, GError **error)
{
  gint64 number;

  do
    {
      if (!app_words_integer (&self->words, what, -self->n_variables, self->n_variables, &number,
                              error))
        return FALSE;
      if (out->len == FORMULA_MAX_LITERALS)
        return app_words_fail (&self->words, SATIN_ERROR_LIMIT,
                               "more than " G_STRINGIFY (FORMULA_MAX_LITERALS) " literals", error);
      self->greatest = MAX (self->greatest, ABS (number));
      const gint32 literal = (gint32)number;
      g_array_append_val (out, literal);
    }
  while (number != 0);
  return TRUE;
}

static gboolean
read_cube (Reader *self, GError **error)
{
  guint begin = self->cubes->len;

  if (!app_words_expect (&self->words, CUBE, error)
      || !read_literals (self, "literal, or 0 to end the cube", self->cubes, error))
    return FALSE;
  if (self->n_cubes++ == ICNF_MAX_CUBES)
    return app_words_fail (&self->words, SATIN_ERROR_LIMIT,
                           "more than " G_STRINGIFY (ICNF_MAX_CUBES) " cubes", error);
  for (guint i = begin; i < self->cubes->len - 1; i++)
    {
      guint32 *seen = &self->seen[ABS (g_array_index (self->cubes, gint32, i))];
      if (*seen == self->n_cubes)
        return app_words_fail (&self->words, SATIN_ERROR_FORMAT, "a variable is in this cube twice",
                               error);
      *seen = self->n_cubes;
    }
  return TRUE;
}

static gboolean
is_cube_next (const Reader *self)
{
  AppWords ahead = self->words;

  return app_words_next (&ahead) && strcmp (ahead.word, CUBE) == 0;
}

static gboolean
read_all_cubes (Reader *self, GError **error)
{
  while (app_words_has_more (&self->words))
    if (!read_cube (self, error))
      return FALSE;
  return TRUE;
}

/* Reads the header, the clauses and the cubes. If the header does not say how many clauses there
 * are, they end before the first cube. In some collections a '%' and any text follow the last
 * clause of a DIMACS file. */
static gboolean
read_text (Reader *self, GError **error)
{
  if (!read_header (self, error))
    return FALSE;
  for (gint64 i = 0; self->n_clauses < 0 ? app_words_has_more (&self->words) && !is_cube_next (self)
                                         : i < self->n_clauses;
       i++)
    if (!read_literals (self, "literal, or 0 to end the clause", self->literals, error))
      return FALSE;
  AppWords ahead = self->words;
  return (self->n_clauses >= 0 && app_words_next (&ahead) && strcmp (ahead.word, "%") == 0)
         || read_all_cubes (self, error);
}

gboolean
icnf_read (const char *file, const char *text, gsize n_text, GArray *cubes, Formula *ret_formula,
           GError **error)
{
  g_autoptr (GArray) literals = g_array_new (FALSE, FALSE, sizeof (gint32));
  Reader reader = { .literals = literals, .cubes = cubes };

  if (!reader_init (&reader, file, text, n_text, error))
    return FALSE;
  gboolean is_good = read_text (&reader, error);
  g_free (reader.seen);
  if (!is_good)
    return FALSE;
  gsize n;
  const gint32 *taken = g_array_steal (literals, &n);
  *ret_formula =
      (Formula){ (gint32)(reader.n_clauses < 0 ? reader.greatest : reader.n_variables), taken, n };
  return TRUE;
}

gboolean
icnf_read_cubes (const char *file, const char *text, gsize n_text, gint32 n_variables,
                 GArray *cubes, GError **error)
{
  Reader reader = { .n_variables = n_variables, .cubes = cubes };

  if (!reader_init (&reader, file, text, n_text, error))
    return FALSE;
  gboolean is_good = read_all_cubes (&reader, error);
  g_free (reader.seen);
  return is_good;
}

gboolean
icnf_load (const char *path, GArray *cubes, Formula *ret_formula, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;

  return app_file_read ("formula", path, ICNF_MAX_BYTES, &text, &n_text, error)
         && icnf_read (path, text, n_text, cubes, ret_formula, error);
}

gboolean
icnf_load_cubes (const char *path, gint32 n_variables, GArray *cubes, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;

  return app_file_read ("cubes", path, ICNF_MAX_BYTES, &text, &n_text, error)
         && icnf_read_cubes (path, text, n_text, n_variables, cubes, error);
}

char *
icnf_cubes_to_text (const gint32 *cubes, gsize n_cubes)
{
  GString *text = g_string_new (NULL);
  gboolean is_begin = TRUE;

  for (gsize i = 0; i < n_cubes; i++)
    {
      if (is_begin)
        g_string_append (text, CUBE " ");
      is_begin = cubes[i] == 0;
      g_string_append_printf (text, is_begin ? "%d\n" : "%d ", cubes[i]);
    }
  return g_string_free (text, FALSE);
}
