/* paint.c - draws who has made which tile
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "paint.h"

#include <satin/base/file.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../common/picture.h"

#define SECOND_US ((gint64)1000000)
/* Drawing takes at most one part in this number of a worker's time. */
#define PARTS_OF_TIME 20
/* How much of a pixel's colour comes from its node. */
#define TINT 0.38

/* The colour of the background, where nobody has made a tile yet, and of the grid in it. */
static const guint8 dark[] = { 22, 24, 29 }, grid[] = { 38, 41, 48 };

/**
 * Painting:
 * @path: (owned) (nullable): the file; %NULL: this process does not draw
 * @shown: (owned): for each tile the owner that @rgb shows, so that only new tiles are drawn
 * @rgb: (owned): what the file shows
 * @due_us: when it may be drawn again
 */
typedef struct
{
  char *path;
  gint width;
  gint height;
  gint tile;
  gint32 *shown;
  guint8 *rgb;
  gint64 due_us;
} Painting;

static pthread_mutex_t painting_lock = PTHREAD_MUTEX_INITIALIZER;
/* (guarded by painting_lock) The process of the master draws. */
static Painting painting;

/* ---- colours ---- */

/* The colour of a node: its hue goes on by the golden section, so that nodes with near numbers have
 * hues that differ. @ret_colour: (out caller-allocates): red, green and blue, 0 to 1 */
static void
colour_of (gint32 node, double *ret_colour)
{
  double turn = 0.57 + 0.6180339887 * node, hue = 6 * (turn - floor (turn));
  for (guint i = 0; i < 3; i++)
    {
      double distance = fabs (fmod (hue - 2 * i + 9, 6) - 3);
      ret_colour[i] = 0.12 + 0.88 * CLAMP (2 - distance, 0, 1);
    }
}

/* Mixes a pixel with the same brightness in the colour of a node. */
static void
tint (const guint8 *pixel, const double *colour, guint8 *ret_pixel)
{
  double light = 0.3 * pixel[0] + 0.6 * pixel[1] + 0.1 * pixel[2];
  /* A dark pixel shows its node's colour, too. */
  double shade = 36 + light * 219 / 255;
  for (guint i = 0; i < 3; i++)
    ret_pixel[i] =
        (guint8)CLAMP ((1 - TINT) * pixel[i] + TINT * shade * (0.25 + 1.25 * colour[i]), 0, 255);
}

/* ---- tiles ---- */

/* Returns: the pixels of a tile */
static Area
place_of (const Painting *self, gsize tile)
{
  gsize n_columns = (gsize)area_n_tiles (self->width, self->tile);
  Area area = { (gint)(tile % n_columns) * self->tile, (gint)(tile / n_columns) * self->tile,
                self->tile, self->tile };
  area.width = MIN (area.width, self->width - area.x);
  area.height = MIN (area.height, self->height - area.y);
  return area;
}

static gsize
count_tiles (const Painting *self)
{
  return (gsize)area_n_tiles (self->width, self->tile)
         * (gsize)area_n_tiles (self->height, self->tile);
}

static guint8 *
pixel_at (const Painting *self, gint x, gint y)
{
  return self->rgb + ((gsize)y * (gsize)self->width + (gsize)x) * BYTES_PER_PIXEL;
}

/* One colour of a thumbnail between its pixels. @x, @y: 0 to 1 from the upper left corner */
static double
blend (const guint8 *thumb, double x, double y, guint colour)
{
  double left = CLAMP (x * THUMB_SIDE - 0.5, 0, THUMB_SIDE - 1);
  double top = CLAMP (y * THUMB_SIDE - 0.5, 0, THUMB_SIDE - 1);
  gint column = MIN ((gint)left, THUMB_SIDE - 2), row = MIN ((gint)top, THUMB_SIDE - 2);
  const guint8 *at = thumb + (row * THUMB_SIDE + column) * BYTES_PER_PIXEL + colour;
  const gint line = THUMB_SIDE * BYTES_PER_PIXEL;
  double across = left - column, down = top - row;
  double upper = at[0] * (1 - across) + at[BYTES_PER_PIXEL] * across;
  double lower = at[line] * (1 - across) + at[line + BYTES_PER_PIXEL] * across;
  return upper * (1 - down) + lower * down;
}

static void
draw_thumb (Painting *self, gsize tile, gint32 node, const guint8 *thumb)
{
  double colour[3];
  Area area = place_of (self, tile);
  colour_of (node, colour);
  for (gint y = 0; y < area.height; y++)
    for (gint x = 0; x < area.width; x++)
      {
        guint8 pixel[BYTES_PER_PIXEL];
        for (guint i = 0; i < BYTES_PER_PIXEL; i++)
          pixel[i] =
              (guint8)(blend (thumb, (x + 0.5) / area.width, (y + 0.5) / area.height, i) + 0.5);
        tint (pixel, colour, pixel_at (self, area.x + x, area.y + y));
      }
}

static void
draw_pixels (Painting *self, gsize tile, gint32 node, const guint8 *rgb)
{
  double colour[3];
  Area area = place_of (self, tile);
  colour_of (node, colour);
  for (gint y = area.y; y < area.y + area.height; y++)
    for (gint x = area.x; x < area.x + area.width; x++)
      {
        guint8 *to = pixel_at (self, x, y);
        tint (rgb + (to - self->rgb), colour, to);
      }
}

static void
draw_nothing (Painting *self, gsize tile)
{
  Area area = place_of (self, tile);
  for (gint y = area.y; y < area.y + area.height; y++)
    for (gint x = area.x; x < area.x + area.width; x++)
      memcpy (pixel_at (self, x, y), x == area.x || y == area.y ? grid : dark, BYTES_PER_PIXEL);
}

/* Draws the tiles whose owners are new. */
static void
draw_new (Painting *self, const owners_state *state)
{
  gsize n_tiles = count_tiles (self);
  for (gsize i = 0; i < n_tiles; i++)
    {
      gint32 node = owners_get (state, i);
      if (node == OWNERS_NOBODY || node == self->shown[i])
        continue;
      draw_thumb (self, i, node, state->thumbs + i * THUMB_BYTES);
      self->shown[i] = node;
    }
}

/* ---- the file ---- */

static gboolean
write_picture (const Painting *self, const char *path, GError **error)
{
  g_autoptr (AppOutput) file = app_output_open ("picture", path, error);
  return file != NULL
         && picture_write (file, (guint)self->width, (guint)self->height, self->rgb, error);
}

/* Replaces the file as a whole, because somebody may look at it at any time. */
static gboolean
write_file (const Painting *self, GError **error)
{
  if (!satin_output_file_is_replaceable (self->path))
    return write_picture (self, self->path, error);
  g_autofree char *other = g_strconcat (self->path, ".satin-part", NULL);
  if (!write_picture (self, other, error))
    return FALSE;
  if (rename (other, self->path) == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write picture %s: %s", self->path,
               g_strerror (errno));
  unlink (other);
  return FALSE;
}

static void
clear (void)
{
  g_free (painting.path);
  g_free (painting.shown);
  g_free (painting.rgb);
  painting = (Painting){ 0 };
}

gboolean
paint_begin (const char *path, gint width, gint height, gint tile, const owners_state *state,
             GError **error)
{
  pthread_mutex_lock (&painting_lock);
  /* A master in the same process may have begun before: in a simulated run. */
  clear ();
  painting = (Painting){ .path = g_strdup (path), .width = width, .height = height, .tile = tile };
  gsize n_tiles = count_tiles (&painting);
  painting.rgb = g_malloc ((gsize)width * (gsize)height * BYTES_PER_PIXEL);
  painting.shown = g_new (gint32, n_tiles);
  for (gsize i = 0; i < n_tiles; i++)
    {
      painting.shown[i] = OWNERS_NOBODY;
      draw_nothing (&painting, i);
    }
  draw_new (&painting, state);
  gboolean is_written = write_file (&painting, error);
  pthread_mutex_unlock (&painting_lock);
  return is_written;
}

/* Returns: the processor time of this thread, which other programs on the machine do not change */
static gint64
used_us (void)
{
  struct timespec used = { 0 };
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * SECOND_US + used.tv_nsec / 1000;
}

void
paint_now_and_then (const owners_state *state, gint64 now_us)
{
  /* If another worker draws, this one goes on with its job. */
  if (pthread_mutex_trylock (&painting_lock) != 0)
    return;
  if (painting.path != NULL && now_us >= painting.due_us)
    {
      gint64 began_us = used_us ();
      draw_new (&painting, state);
      gboolean is_written = write_file (&painting, NULL);
      gint64 took_us = used_us () - began_us;
      painting.due_us = is_written ? now_us + MAX (SECOND_US, PARTS_OF_TIME * took_us) : G_MAXINT64;
    }
  pthread_mutex_unlock (&painting_lock);
}

gboolean
paint_end (const guint8 *rgb, const gint32 *nodes, gsize n_nodes, GError **error)
{
  gboolean is_written = TRUE;
  pthread_mutex_lock (&painting_lock);
  if (painting.path != NULL && rgb != NULL)
    {
      gsize n_tiles = count_tiles (&painting);
      for (gsize i = 0; i < n_tiles && i < n_nodes; i++)
        draw_pixels (&painting, i, nodes[i], rgb);
      is_written = write_file (&painting, error);
    }
  clear ();
  pthread_mutex_unlock (&painting_lock);
  return is_written;
}
