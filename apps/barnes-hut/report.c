/* report.c - writes a line and a picture for each iteration
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

#include "../common/output.h"

#include <satin/base/file.h>

#define PICTURE_SIDE 512
/* The distance from the middle of a picture to its edge, as a multiple of the mean distance of the
 * bodies from the origin. */
#define PICTURE_REACH   3
#define BYTES_PER_PIXEL 3
#define DARKEST_BODY    95
#define BRIGHTER        40 /* added for each doubling of the bodies behind a pixel */

/* An output file to which each iteration adds a line. */
typedef struct
{
  AppOutput *output; /* (owned) (nullable) */
  FILE *stream;      /* (borrowed from output) (nullable): %NULL before the first line */
} Lines;

struct _Output
{
  Lines csv;
  Lines times;
  char *picture; /* (owned) (nullable) */
  double reach;  /* from the middle to the edge of a picture; 0 before the first picture */
};

/* Opens the file at @path, unless @path is %NULL. @path: (nullable) */
static gboolean
open_lines (Lines *self, const char *what, const char *path, GError **error)
{
  if (path != NULL)
    self->output = app_output_open (what, path, error);
  return path == NULL || self->output != NULL;
}

Report *
report_open (const char *csv, const char *times, const char *picture, GError **error)
{
  g_autoptr (Report) self = g_new0 (Report, 1);

  self->picture = g_strdup (picture);
  if (!open_lines (&self->csv, "energies", csv, error)
      || !open_lines (&self->times, "times", times, error))
    return NULL;
  return g_steal_pointer (&self);
}

static gboolean
begin_lines (Lines *self, const char *header, GError **error)
{
  if (self->stream != NULL)
    return TRUE;
  self->stream = app_output_begin (self->output, error);
  if (self->stream == NULL)
    return FALSE;
  fputs (header, self->stream);
  return TRUE;
}

static gboolean
write_line (Report *self, guint iteration, Energy now, double drift, GError **error)
{
  const double values[] = { now.kinetic, now.potential, energy_total (now), drift };
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!begin_lines (&self->csv, "iteration,kinetic,potential,total,drift\n", error))
    return FALSE;
  fprintf (self->csv.stream, "%u", iteration);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    fprintf (self->csv.stream, ",%s", g_ascii_formatd (digits, sizeof digits, "%.12g", values[i]));
  fputc ('\n', self->csv.stream);
  return app_output_end (self->csv.output, error);
}

gboolean
report_tell_time (Report *self, guint iteration, gint64 passed_us, GError **error)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->times.output == NULL)
    return TRUE;
  if (!begin_lines (&self->times, "iteration,seconds\n", error))
    return FALSE;
  fprintf (self->times.stream, "%u,%s\n", iteration,
           g_ascii_formatd (digits, sizeof digits, "%.6f", (double)passed_us / G_USEC_PER_SEC));
  return app_output_end (self->times.output, error);
}

static double
mean_distance (const GArray *bodies)
{
  double sum = 0;

  for (guint i = 0; i < bodies->len; i++)
    sum += vector_length (g_array_index (bodies, Body, i).at);
  return sum / bodies->len;
}

/* Returns: the pixel of @coordinate along one side of the picture; outside [0, PICTURE_SIDE) if
 * @coordinate is outside the picture */
static double
pixel_of (double coordinate, double reach)
{
  return floor ((coordinate / reach + 1) * PICTURE_SIDE / 2);
}

/* Counts the bodies behind each pixel. The view is along the third axis. */
static void
count_bodies (const GArray *bodies, double reach, guint32 *counts)
{
  for (guint i = 0; i < bodies->len; i++)
    {
      Vector at = g_array_index (bodies, Body, i).at;
      double column = pixel_of (at.x, reach), line = pixel_of (-at.y, reach);
      if (column >= 0 && column < PICTURE_SIDE && line >= 0 && line < PICTURE_SIDE)
        counts[(guint)line * PICTURE_SIDE + (guint)column]++;
    }
}

static gboolean
write_picture (Report *self, guint iteration, const GArray *bodies, GError **error)
{
  g_autofree guint32 *counts = g_new0 (guint32, PICTURE_SIDE * PICTURE_SIDE);
  g_autoptr (GString) bytes = g_string_new ("P6\n");
  g_autoptr (GString) path = g_string_new (self->picture);
  g_autofree char *number = g_strdup_printf ("%u", iteration);

  if (!(self->reach > 0))
    self->reach = MAX (mean_distance (bodies) * PICTURE_REACH, G_MINDOUBLE);
  count_bodies (bodies, self->reach, counts);
  g_string_append_printf (bytes, "%d %d\n255\n", PICTURE_SIDE, PICTURE_SIDE);
  for (guint i = 0; i < PICTURE_SIDE * PICTURE_SIDE; i++)
    {
      guint light = counts[i] > 0 ? DARKEST_BODY + BRIGHTER * (g_bit_storage (counts[i]) - 1) : 0;
      for (guint k = 0; k < BYTES_PER_PIXEL; k++)
        g_string_append_c (bytes, (char)MIN (light, 255));
    }
  g_string_replace (path, "%d", number, 1);
  return satin_output_file_write (path->str, "picture", bytes->str, bytes->len, error);
}

gboolean
report_tell (Report *self, guint iteration, const GArray *bodies, Energy now, double drift,
             GError **error)
{
  return (self->csv.output == NULL || write_line (self, iteration, now, drift, error))
         && (self->picture == NULL || write_picture (self, iteration, bodies, error));
}

void
report_free (Report *self)
{
  if (self == NULL)
    return;
  app_output_free (self->csv.output);
  app_output_free (self->times.output);
  g_free (self->picture);
  g_free (self);
}
