/* counts.c - how often each event of the reports happened in the seeds of a sweep
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "counts.h"

#include <stdlib.h>
#include <string.h>

struct _SweepCounts
{
  GHashTable *counts; /* (owned) name of an event in the reports to (owned) Count */
  guint64 n_faults;   /* faults that took place */
};

/* In how many seeds an event happened, and how often in all seeds together. */
typedef struct
{
  guint64 n_seeds;
  guint64 n;
} Count;

SweepCounts *
sweep_counts_new (void)
{
  SweepCounts *self = g_new0 (SweepCounts, 1);
  self->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

static void
count (SweepCounts *self, const char *name, guint64 n)
{
  Count *count = g_hash_table_lookup (self->counts, name);
  if (count == NULL)
    {
      count = g_new0 (Count, 1);
      g_hash_table_insert (self->counts, g_strdup (name), count);
    }
  count->n_seeds++;
  count->n += n;
  if (g_str_has_prefix (name, "fault.") && !g_str_equal (name, "fault.early"))
    self->n_faults += n;
}

void
sweep_counts_add (SweepCounts *self, const char *path)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      char *space = strchr (*line, ' ');
      if (space == NULL || g_str_has_prefix (*line, "hash ")
          || g_str_has_prefix (*line, REPORT_WORK_LINE))
        continue;
      *space = '\0';
      count (self, *line, g_ascii_strtoull (space + 1, NULL, 10));
    }
}

guint64
sweep_counts_get_faults (const SweepCounts *self)
{
  return self->n_faults;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

void
sweep_counts_print (const SweepCounts *self)
{
  guint n;
  g_autofree gpointer *names = g_hash_table_get_keys_as_array (self->counts, &n);
  qsort (names, n, sizeof *names, compare_names);
  for (guint i = 0; i < n; i++)
    {
      const Count *count = g_hash_table_lookup (self->counts, names[i]);
      g_print ("  %-28s %8" G_GUINT64_FORMAT " in %" G_GUINT64_FORMAT " seeds\n",
               (const char *)names[i], count->n, count->n_seeds);
    }
}

gboolean
sweep_counts_has_all (const SweepCounts *self, const char *list)
{
  gboolean is_all = TRUE;
  g_auto (GStrv) wanted = g_strsplit (list, ",", -1);
  for (char **name = wanted; *name != NULL; name++)
    if (!g_hash_table_contains (self->counts, *name))
      {
        g_print ("  %s never happened\n", *name);
        is_all = FALSE;
      }
  return is_all;
}

void
sweep_counts_free (SweepCounts *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->counts);
  g_free (self);
}
