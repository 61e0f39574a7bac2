/* names.c - the names of figures as small numbers, and events as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "names.h"

#include <json-glib/json-glib.h>

struct _PageNames
{
  GPtrArray *names;   /* (owned) (element-type utf8) (owned) */
  GHashTable *places; /* (owned) name (borrowed from @names) to its place in @names */
  GArray *followers;  /* (owned) (element-type guint): for each name, the name that was looked up
                       * after it. It is tried first the next time, because events of a kind have
                       * the same names in the same order */
  guint last;         /* the name that was looked up last */
};

PageNames *
page_names_new (void)
{
  PageNames *self = g_new0 (PageNames, 1);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->places = g_hash_table_new (g_str_hash, g_str_equal);
  self->followers = g_array_new (FALSE, TRUE, sizeof (guint));
  return self;
}

static guint
add_name (PageNames *self, const char *name)
{
  char *copy = g_strdup (name);
  g_ptr_array_add (self->names, copy);
  g_array_set_size (self->followers, self->names->len);
  g_hash_table_insert (self->places, copy, GUINT_TO_POINTER (self->names->len - 1));
  return self->names->len - 1;
}

guint
page_names_find (PageNames *self, const char *name)
{
  gpointer place;
  guint *follower =
      self->names->len > 0 ? &g_array_index (self->followers, guint, self->last) : NULL;
  if (follower != NULL && g_str_equal (page_names_get (self, *follower), name))
    return self->last = *follower;
  guint number = g_hash_table_lookup_extended (self->places, name, NULL, &place)
                     ? GPOINTER_TO_UINT (place)
                     : add_name (self, name);
  g_array_index (self->followers, guint, self->last) = number;
  return self->last = number;
}

guint
page_names_count (const PageNames *self)
{
  return self->names->len;
}

const char *
page_names_get (const PageNames *self, guint number)
{
  return g_ptr_array_index (self->names, number);
}

void
page_names_write_string (const char *text, GString *out)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text);
  g_autofree char *quoted = json_to_string (node, FALSE);
  g_string_append (out, quoted);
}

/* Appends a number, in a fraction of the time that g_string_append_printf() takes. */
static void
write_number (gint64 number, GString *out)
{
  char digits[24];
  guint at = sizeof digits;
  guint64 rest = number < 0 ? -(guint64)number : (guint64)number;
  do
    digits[--at] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (number < 0)
    digits[--at] = '-';
  g_string_append_len (out, digits + at, (gssize)(sizeof digits - at));
}

void
page_names_write_numbers (const gint64 *numbers, gsize n, GString *out)
{
  for (gsize i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      write_number (numbers[i], out);
    }
}

void
page_names_write (const PageNames *self, GString *out)
{
  g_string_append_c (out, '[');
  for (guint i = 0; i < self->names->len; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      page_names_write_string (page_names_get (self, i), out);
    }
  g_string_append_c (out, ']');
}

void
page_names_write_event (PageNames *self, const SatinJournalEvent *event, GString *out)
{
  const gint64 head[] = { event->time_us, event->node, page_names_find (self, event->kind) };
  g_string_append_c (out, '[');
  page_names_write_numbers (head, G_N_ELEMENTS (head), out);
  g_string_append_c (out, ',');
  page_names_write_string (event->text, out);
  g_string_append (out, ",[");
  for (gsize i = 0; i < event->n_values; i++)
    {
      const gint64 pair[] = { page_names_find (self, event->values[i].name),
                              event->values[i].value };
      if (i > 0)
        g_string_append_c (out, ',');
      page_names_write_numbers (pair, G_N_ELEMENTS (pair), out);
    }
  g_string_append (out, "]]");
}

void
page_names_free (PageNames *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->followers);
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->names);
  g_free (self);
}
