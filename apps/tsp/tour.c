/* tour.c - checks, normalises and draws a tour
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tour.h"

/* ---- check ---- */

gboolean
tour_check (const Distances *distances, const gint32 *tour, gint32 length, GError **error)
{
  gboolean is_on_tour[INSTANCE_MAX_CITIES] = { FALSE };
  for (gint32 i = 0; i < distances->n_cities; i++)
    {
      if (tour[i] < 0 || tour[i] >= distances->n_cities || is_on_tour[tour[i]])
        {
          g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB,
                               "the tour that was found does not pass each city once");
          return FALSE;
        }
      is_on_tour[tour[i]] = TRUE;
    }
  gint32 real_length = distances_get_length (distances, tour);
  if (real_length == length)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
               "the tour that was found has not the length %d but %d", length, real_length);
  return FALSE;
}

void
tour_turn (gint32 *tour, gint32 n_cities)
{
  gint32 turned[INSTANCE_MAX_CITIES], first = 0;
  while (tour[first] != 0)
    first++;
  gint32 after = tour[(first + 1) % n_cities], before = tour[(first + n_cities - 1) % n_cities];
  gint32 direction = after < before ? 1 : n_cities - 1;
  for (gint32 i = 0; i < n_cities; i++)
    turned[i] = tour[(first + i * direction) % n_cities];
  for (gint32 i = 0; i < n_cities; i++)
    tour[i] = turned[i];
}

/* ---- picture ---- */

/* In pixels: the longer side of the picture without its margin, and the margin. */
#define PICTURE_SIZE   1000
#define PICTURE_MARGIN 20

/* Maps points to pixels. In pixels, y grows downwards. */
typedef struct
{
  double left;
  double top;
  double scale;
  gint32 width;
  gint32 height;
} Frame;

static Frame
make_frame (const Instance *instance)
{
  const Point *points = instance->points;
  Point low = points[0], high = points[0];
  for (gint32 i = 1; i < instance->distances.n_cities; i++)
    {
      low.x = MIN (low.x, points[i].x);
      low.y = MIN (low.y, points[i].y);
      high.x = MAX (high.x, points[i].x);
      high.y = MAX (high.y, points[i].y);
    }
  double size = MAX (high.x - low.x, high.y - low.y);
  Frame frame = { .left = low.x, .top = high.y, .scale = size > 0 ? PICTURE_SIZE / size : 1 };
  frame.width = (gint32)((high.x - low.x) * frame.scale) + 2 * PICTURE_MARGIN;
  frame.height = (gint32)((high.y - low.y) * frame.scale) + 2 * PICTURE_MARGIN;
  return frame;
}

static gint32
pixel_x (const Frame *frame, const Point *point)
{
  return (gint32)((point->x - frame->left) * frame->scale) + PICTURE_MARGIN;
}

static gint32
pixel_y (const Frame *frame, const Point *point)
{
  return (gint32)((frame->top - point->y) * frame->scale) + PICTURE_MARGIN;
}

gboolean
tour_draw (const Instance *instance, const gint32 *tour, AppOutput *output, GError **error)
{
  gint32 n = instance->distances.n_cities;
  Frame frame = make_frame (instance);
  g_autofree char *title = g_markup_printf_escaped (
      "%s, a tour of length %d", instance->name, distances_get_length (&instance->distances, tour));
  FILE *stream = app_output_begin (output, error);
  if (stream == NULL)
    return FALSE;
  fprintf (stream, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n",
           frame.width, frame.height);
  fprintf (stream, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
           title);
  fputs ("<polygon fill=\"none\" stroke=\"steelblue\" stroke-width=\"3\" points=\"", stream);
  for (gint32 i = 0; i < n; i++)
    {
      const Point *point = &instance->points[tour[i]];
      fprintf (stream, "%s%d,%d", i > 0 ? " " : "", pixel_x (&frame, point),
               pixel_y (&frame, point));
    }
  fputs ("\"/>\n", stream);
  for (gint32 city = 0; city < n; city++)
    fprintf (stream, "<circle cx=\"%d\" cy=\"%d\" r=\"5\"><title>%d</title></circle>\n",
             pixel_x (&frame, &instance->points[city]), pixel_y (&frame, &instance->points[city]),
             city + 1);
  fputs ("</svg>\n", stream);
  return app_output_end (output, error);
}
