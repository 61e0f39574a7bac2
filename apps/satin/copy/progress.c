/* progress.c - formats the progress of a copy, and its summary
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "progress.h"
#include "runs/figures.h"

#include <satin/base/atomic.h>
#include <string.h>

/* A rate that was measured over a shorter time means nothing. */
#define SHORT_US (G_USEC_PER_SEC / 10)

static double
bytes_per_second (guint64 n_bytes, gint64 elapsed_us)
{
  return (double)n_bytes * G_USEC_PER_SEC / (double)MAX (elapsed_us, SHORT_US);
}

char *
copy_progress_format (const Copy *copy, gint64 elapsed_us)
{
  guint64 n_all = SATIN_LOAD_RELAXED (&copy->n_bytes);
  guint64 n_done = SATIN_LOAD_RELAXED (&copy->n_done);
  guint n_files = SATIN_LOAD_RELAXED (&copy->n_files);
  guint n_file = MIN (SATIN_LOAD_RELAXED (&copy->n_files_done) + 1, n_files);
  double rate = bytes_per_second (SATIN_LOAD_RELAXED (&copy->n_moved), elapsed_us);
  g_autofree char *all = figure_format_bytes ((double)n_all);
  g_autofree char *done = figure_format_bytes ((double)n_done);
  g_autofree char *speed = figure_format_bytes (rate);
  g_autoptr (GString) line = g_string_new ("satin: ");
  if (n_all == 0)
    return g_strdup ("satin: looking");
  g_string_append_printf (line, "%u %%  %s of %s",
                          (guint)(100.0 * (double)MIN (n_done, n_all) / (double)n_all), done, all);
  if (n_files > 1)
    g_string_append_printf (line, "  file %u of %u", n_file, n_files);
  g_string_append_printf (line, "  %s/s", speed);
  if (rate > 0 && elapsed_us >= SHORT_US)
    {
      guint64 left_s = (guint64)((double)(n_all - MIN (n_done, n_all)) / rate);
      g_string_append_printf (line, "  %" G_GUINT64_FORMAT ":%02u left", left_s / 60,
                              (guint)(left_s % 60));
    }
  return g_string_free (g_steal_pointer (&line), FALSE);
}

static const char *
plural (guint n)
{
  return n == 1 ? "" : "s";
}

char *
copy_progress_summary (const Copy *copy, gint64 elapsed_us)
{
  guint n_copied = copy->n_files_done - copy->n_files_same;
  g_autofree char *moved = figure_format_bytes ((double)copy->n_moved);
  g_autofree char *speed = figure_format_bytes (bytes_per_second (copy->n_moved, elapsed_us));
  g_autoptr (GString) line = g_string_new (NULL);
  g_string_printf (line, "%u file%s copied", n_copied, plural (n_copied));
  if (copy->n_files_same > 0)
    g_string_append_printf (line, ", %u there already", copy->n_files_same);
  if (copy->n_files_empty > 0)
    g_string_append_printf (line, ", %u empty file%s left out", copy->n_files_empty,
                            plural (copy->n_files_empty));
  g_string_append_printf (line, ": %s in %.1f s, %s/s", moved, (double)elapsed_us / G_USEC_PER_SEC,
                          speed);
  return g_string_free (g_steal_pointer (&line), FALSE);
}
