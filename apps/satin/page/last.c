/* last.c - the last value of each figure of a node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "last.h"

/* The last value of a figure, if it has one. */
typedef struct
{
  gint64 value;
  gboolean is_known;
} Figure;

struct _PageLast
{
  GArray *figures; /* (owned) (element-type Figure): by the number of the name */
};

PageLast *
page_last_new (void)
{
  PageLast *self = g_new0 (PageLast, 1);
  self->figures = g_array_new (FALSE, TRUE, sizeof (Figure));
  return self;
}

void
page_last_take (PageLast *self, PageNames *names, const SatinJournalEvent *summary)
{
  for (gsize i = 0; i < summary->n_values; i++)
    {
      guint name = page_names_find (names, summary->values[i].name);
      if (name >= self->figures->len)
        g_array_set_size (self->figures, name + 1);
      g_array_index (self->figures, Figure, name) = (Figure){ summary->values[i].value, TRUE };
    }
}

gint64
page_last_get (const PageLast *self, guint name)
{
  return name < self->figures->len ? g_array_index (self->figures, Figure, name).value : 0;
}

void
page_last_write (const PageLast *self, GString *out)
{
  gboolean has_any = FALSE;
  for (guint i = 0; i < self->figures->len; i++)
    {
      const Figure *figure = &g_array_index (self->figures, Figure, i);
      const gint64 pair[] = { i, figure->value };
      if (!figure->is_known)
        continue;
      if (has_any)
        g_string_append_c (out, ',');
      page_names_write_numbers (pair, G_N_ELEMENTS (pair), out);
      has_any = TRUE;
    }
}

void
page_last_free (PageLast *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->figures);
  g_free (self);
}
