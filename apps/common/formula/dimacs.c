/* dimacs.c - reads and writes formulas in the DIMACS format
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dimacs.h"

#include <string.h>

#include "../file.h"
#include "../output.h"
#include "../words.h"

/* A text that is being read. @literals: (owned by the caller): of gint32: the clauses so far */
typedef struct
{
  AppWords words;
  gint64 n_variables;
  gint64 n_clauses;
  GArray *literals;
} Reader;

static gboolean
read_header (Reader *self, GError **error)
{
  AppWords *words = &self->words;

  return app_words_expect (words, "p", error) && app_words_expect (words, "cnf", error)
         && app_words_integer (words, "number of variables", 0, FORMULA_MAX_VARIABLES,
                               &self->n_variables, error)
         && app_words_integer (words, "number of clauses", 0, FORMULA_MAX_LITERALS,
                               &self->n_clauses, error);
}

static gboolean
read_clause (Reader *self, GError **error)
{
  gint64 number;

  do
    {
      if (!app_words_integer (&self->words, "literal, or 0 to end the clause", -self->n_variables,
                              self->n_variables, &number, error))
        return FALSE;
      if (self->literals->len == FORMULA_MAX_LITERALS)
        return app_words_fail (&self->words, SATIN_ERROR_LIMIT,
                               "more than " G_STRINGIFY (FORMULA_MAX_LITERALS) " literals", error);
      const gint32 literal = (gint32)number;
      g_array_append_val (self->literals, literal);
    }
  while (number != 0);
  return TRUE;
}

/* Checks that the text ends here. In some collections a '%' and any text follow the last clause. */
static gboolean
read_end (Reader *self, GError **error)
{
  AppWords ahead = self->words;

  if (app_words_next (&ahead) && strcmp (ahead.word, "%") == 0)
    return TRUE;
  return app_words_end (&self->words, "as many clauses as the header says", error);
}

gboolean
dimacs_read (const char *file, const char *text, gsize n_text, Formula *ret_formula, GError **error)
{
  g_autoptr (GArray) literals = g_array_new (FALSE, FALSE, sizeof (gint32));
  Reader reader = { .literals = literals };

  if (n_text > DIMACS_MAX_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s: larger than %d MiB", file,
                   DIMACS_MAX_BYTES >> 20);
      return FALSE;
    }
  app_words_init_with_comment (&reader.words, file, text, n_text, 'c');
  if (!read_header (&reader, error))
    return FALSE;
  for (gint64 i = 0; i < reader.n_clauses; i++)
    if (!read_clause (&reader, error))
      return FALSE;
  if (!read_end (&reader, error))
    return FALSE;
  gsize n;
  const gint32 *taken = g_array_steal (literals, &n);
  *ret_formula = (Formula){ (gint32)reader.n_variables, taken, n };
  return TRUE;
}

gboolean
dimacs_load (const char *path, Formula *ret_formula, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;

  return app_file_read ("formula", path, DIMACS_MAX_BYTES, &text, &n_text, error)
         && dimacs_read (path, text, n_text, ret_formula, error);
}

char *
dimacs_to_text (const Formula *formula)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "p cnf %d %u\n", formula->n_variables, formula_count_clauses (formula));
  for (gsize i = 0; i < formula->n_literals; i++)
    g_string_append_printf (text, "%d%c", formula->literals[i],
                            formula->literals[i] != 0 ? ' ' : '\n');
  return g_string_free (text, FALSE);
}

gboolean
dimacs_save (const Formula *formula, const char *path, GError **error)
{
  g_autoptr (AppOutput) output = app_output_open ("formula", path, error);
  g_autofree char *text = dimacs_to_text (formula);

  FILE *file = output != NULL ? app_output_begin (output, error) : NULL;
  if (file == NULL)
    return FALSE;
  fputs (text, file);
  return app_output_end (output, error);
}
