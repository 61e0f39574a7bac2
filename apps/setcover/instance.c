/* instance.c - reads and generates instances
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "instance.h"

#include <satin/base/random.h>

#include "../common/arguments.h"
#include "../common/words.h"

/* An instance under construction. */
typedef struct
{
  GArray *costs;   /* (owned) gint32 */
  GArray *starts;  /* (owned) gint32 */
  GArray *entries; /* (owned) gint32 */
} Builder;

static void
builder_clear (Builder *self)
{
  g_clear_pointer (&self->costs, g_array_unref);
  g_clear_pointer (&self->starts, g_array_unref);
  g_clear_pointer (&self->entries, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Builder, builder_clear)

static Builder
builder_new (void)
{
  return (Builder){ g_array_new (FALSE, FALSE, sizeof (gint32)),
                    g_array_new (FALSE, FALSE, sizeof (gint32)),
                    g_array_new (FALSE, FALSE, sizeof (gint32)) };
}

static void
end_row (Builder *self)
{
  gint32 end = (gint32)self->entries->len;
  g_array_append_val (self->starts, end);
}

static const gint32 *
take_numbers (GArray **array, gsize *ret_n)
{
  *ret_n = (*array)->len;
  return (const gint32 *)(gpointer)g_array_free (g_steal_pointer (array), FALSE);
}

static void
build (Builder *self, SetCover *ret_cover)
{
  ret_cover->costs = take_numbers (&self->costs, &ret_cover->n_costs);
  ret_cover->starts = take_numbers (&self->starts, &ret_cover->n_starts);
  ret_cover->entries = take_numbers (&self->entries, &ret_cover->n_entries);
}

/* ---- files ---- */

static gboolean
read_costs (AppWords *words, gint64 n_columns, Builder *builder, GError **error)
{
  for (gint64 i = 0; i < n_columns; i++)
    {
      gint64 number;
      if (!app_words_integer (words, "cost of a column", 1, SETCOVER_MAX_COST, &number, error))
        return FALSE;
      gint32 cost = (gint32)number;
      g_array_append_val (builder->costs, cost);
    }
  return TRUE;
}

/* Reads the columns of one row. @last_row: (array): for each column the last row so far that it
 * covers, counted from 1; 0: none */
static gboolean
read_row (AppWords *words, gint64 n_columns, gint32 row, gint32 *last_row, Builder *builder,
          GError **error)
{
  gint64 n, number;
  if (!app_words_integer (words, "number of columns of a row", 1, n_columns, &n, error))
    return FALSE;
  if (builder->entries->len + n > SETCOVER_MAX_ENTRIES)
    return app_words_fail (words, SATIN_ERROR_LIMIT,
                           "more than " G_STRINGIFY (SETCOVER_MAX_ENTRIES) " columns of rows",
                           error);
  for (gint64 i = 0; i < n; i++)
    {
      if (!app_words_integer (words, "column of a row", 1, n_columns, &number, error))
        return FALSE;
      gint32 column = (gint32)number - 1;
      if (last_row[column] == row)
        return app_words_fail (words, SATIN_ERROR_FORMAT, "a column stands twice in a row", error);
      last_row[column] = row;
      g_array_append_val (builder->entries, column);
    }
  end_row (builder);
  return TRUE;
}

gboolean
setcover_read (const char *file, const char *text, gsize n_text, SetCover *ret_cover,
               GError **error)
{
  g_auto (Builder) builder = builder_new ();
  AppWords words;
  gint64 n_rows, n_columns;
  app_words_init (&words, file, text, n_text);
  if (!app_words_integer (&words, "number of rows", 1, SETCOVER_MAX_ROWS, &n_rows, error)
      || !app_words_integer (&words, "number of columns", 1, SETCOVER_MAX_COLUMNS, &n_columns,
                             error)
      || !read_costs (&words, n_columns, &builder, error))
    return FALSE;
  g_autofree gint32 *last_row = g_new0 (gint32, (gsize)n_columns);
  end_row (&builder);
  for (gint32 row = 1; row <= n_rows; row++)
    if (!read_row (&words, n_columns, row, last_row, &builder, error))
      return FALSE;
  if (!app_words_end (&words, "the last row", error))
    return FALSE;
  build (&builder, ret_cover);
  return TRUE;
}

/* ---- checks ---- */

static gboolean
are_in_range (const gint32 *numbers, gsize n, gint32 min, gint32 max)
{
  for (gsize i = 0; i < n; i++)
    if (numbers[i] < min || numbers[i] > max)
      return FALSE;
  return TRUE;
}

/* Whether the rows follow each other, and have all entries. There is at least one row. */
static gboolean
are_starts (const SetCover *self)
{
  for (gsize i = 0; i + 1 < self->n_starts; i++)
    if (self->starts[i] > self->starts[i + 1])
      return FALSE;
  return self->starts[0] == 0 && self->starts[self->n_starts - 1] == (gint32)self->n_entries;
}

gboolean
setcover_check (const SetCover *self, GError **error)
{
  if (!app_argument_check ("number of columns", (gint64)self->n_costs, 1, SETCOVER_MAX_COLUMNS,
                           error)
      || !app_argument_check ("number of rows", (gint64)self->n_starts - 1, 1, SETCOVER_MAX_ROWS,
                              error)
      || !app_argument_check ("number of entries", (gint64)self->n_entries, 0, SETCOVER_MAX_ENTRIES,
                              error))
    return FALSE;
  if (!are_in_range (self->costs, self->n_costs, 1, SETCOVER_MAX_COST))
    return app_argument_refuse ("a column has a wrong cost", error);
  if (!are_starts (self))
    return app_argument_refuse ("the rows do not follow each other", error);
  if (!are_in_range (self->entries, self->n_entries, 0, (gint32)self->n_costs - 1))
    return app_argument_refuse ("a row has a wrong column", error);
  return TRUE;
}

/* ---- generated instances ---- */

/* Returns: a random number below @n */
static guint64
draw (guint64 *number, guint64 n)
{
  return satin_random_mix ((*number)++) % n;
}

/* Adds one more random column to @row. */
static void
add_entry (gboolean *has, gsize n_columns, gsize row, guint64 *number)
{
  gsize column;
  do
    column = draw (number, n_columns);
  while (has[row * n_columns + column]);
  has[row * n_columns + column] = TRUE;
}

/* Fills the matrix @has, rows by columns, which says whether the column covers the row. Every row
 * gets at least two columns, if there are two, and every column at least one row. */
static void
draw_entries (gboolean *has, gsize n_rows, gsize n_columns, int density, guint64 *number)
{
  for (gsize row = 0; row < n_rows; row++)
    {
      gsize n = 0;
      for (gsize column = 0; column < n_columns; column++)
        n += has[row * n_columns + column] = draw (number, 100) < (guint64)density;
      for (; n < MIN (2, n_columns); n++)
        add_entry (has, n_columns, row, number);
    }
  for (gsize column = 0; column < n_columns; column++)
    {
      gsize n = 0;
      for (gsize row = 0; row < n_rows; row++)
        n += has[row * n_columns + column];
      if (n == 0)
        has[draw (number, n_rows) * n_columns + column] = TRUE;
    }
}

void
setcover_generate (int n_rows, int n_columns, int density, int max_cost, int seed,
                   SetCover *ret_cover)
{
  g_auto (Builder) builder = builder_new ();
  gsize n = (gsize)n_columns;
  guint64 number = satin_random_mix ((guint64)(gint64)seed);
  g_autofree gboolean *has = g_new0 (gboolean, (gsize)n_rows * n);
  draw_entries (has, (gsize)n_rows, n, density, &number);
  for (int i = 0; i < n_columns; i++)
    {
      gint32 cost = 1 + (gint32)draw (&number, (guint64)max_cost);
      g_array_append_val (builder.costs, cost);
    }
  end_row (&builder);
  for (gsize row = 0; row < (gsize)n_rows; row++)
    {
      for (gint32 column = 0; column < n_columns; column++)
        if (has[row * n + (gsize)column])
          g_array_append_val (builder.entries, column);
      end_row (&builder);
    }
  build (&builder, ret_cover);
}
