/* pathtracer.c - draws a picture of a scene: jobs cut it into quarters until the parts are tiles
 *
 * The arguments of a job are a part of the picture, and the scene: a shared object, which nobody
 * changes. So a process fetches the scene once, and not with each job. The result of the job is the
 * pixels of that part. No job needs the pixels of another job, and the random numbers of a pixel
 * depend on its place only. So the picture has the same bytes however it is cut and wherever its
 * parts are drawn.
 *
 * With --owners a second shared object has what all nodes have drawn so far (owners.h), and the
 * master's process shows that in a file. The numbers of the nodes are in the results, too, because
 * updates of an object may be lost with a node, and results are not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#include <string.h>

#include "../common/arguments.h"
#include "../common/picture.h"
#include "light/path.h"
#include "load/import.h"
#include "owners.h"
#include "paint.h"
#include "settings.h"

#define DIGEST_SHOWN    16
#define DEFAULT_DEGREES 40

/**
 * Part:
 * @rgb: red, green and blue of each pixel of an area, line by line from the top
 * @nodes: for each tile of the area the number of the node that has drawn it, line by line; empty
 *   without --owners
 *
 * The result of a job.
 */
SATIN_RECORD (Part, (bytes, rgb), (array_int, nodes))

/* The scene of the run. */
SATIN_OBJECT_TYPE (stage, (record, data, SceneData))

/* ---- areas ---- */

static Area
all_of (const Shot *shot)
{
  return (Area){ 0, 0, shot->width, shot->height };
}

/* The number of a tile in the picture. @area: begins with that tile */
static gint
tile_number (const Shot *shot, const Area *area, gint tile)
{
  return area->y / tile * area_n_tiles (shot->width, tile) + area->x / tile;
}

static gsize
count_tiles (const Area *area, gint tile)
{
  return (gsize)area_n_tiles (area->width, tile) * (gsize)area_n_tiles (area->height, tile);
}

static gboolean
check_shot (const Shot *shot, GError **error)
{
  return app_argument_check ("width", shot->width, 1, SCENE_MAX_PIXELS, error)
         && app_argument_check ("height", shot->height, 1, SCENE_MAX_PIXELS, error)
         && app_argument_check ("number of samples", shot->n_samples, 1, RENDER_MAX_SAMPLES, error)
         && app_argument_check ("number of bounces", shot->n_bounces, 0, PATH_MAX_BOUNCES, error);
}

static gboolean
check_area (const Shot *shot, const Area *area, gint tile, GError **error)
{
  return app_argument_check ("width of the area", area->width, 1, shot->width, error)
         && app_argument_check ("height of the area", area->height, 1, shot->height, error)
         && app_argument_check ("left edge", area->x, 0, shot->width - area->width, error)
         && app_argument_check ("upper edge", area->y, 0, shot->height - area->height, error)
         && app_argument_check ("tile", tile, 1, SCENE_MAX_TILE, error)
         && app_argument_check ("left edge in its tile", area->x % tile, 0, 0, error)
         && app_argument_check ("upper edge in its tile", area->y % tile, 0, 0, error);
}

/* Checks the result for @area, which may come from another node. */
static gboolean
check_part (const Area *area, gint tile, gboolean has_owners, const Part *part, GError **error)
{
  if (part->n_rgb == area_bytes (area)
      && part->n_nodes == (has_owners ? count_tiles (area, tile) : 0))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
               "an area of %dx%d has %" G_GSIZE_FORMAT " bytes of pixels and %" G_GSIZE_FORMAT
               " owners",
               area->width, area->height, part->n_rgb, part->n_nodes);
  return FALSE;
}

/* Copies the owners of the tiles of @part to their places in those of @whole. */
static void
paste_nodes (const Area *whole, gint32 *nodes, const Area *part, const gint32 *part_nodes,
             gint tile)
{
  gint n_columns = area_n_tiles (whole->width, tile), n = area_n_tiles (part->width, tile);
  gint left = (part->x - whole->x) / tile, top = (part->y - whole->y) / tile;
  for (gint row = 0; row < area_n_tiles (part->height, tile); row++)
    memcpy (nodes + (gsize)(top + row) * (gsize)n_columns + left,
            part_nodes + (gsize)row * (gsize)n, (gsize)n * sizeof *nodes);
}

/* Puts the results of the @n parts of @area together. */
static gboolean
join (const Area *area, gint tile, gboolean has_owners, const Area *areas, const Part *parts,
      guint n, Part *ret_whole, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!check_part (&areas[i], tile, has_owners, &parts[i], error))
      return FALSE;
  gsize n_nodes = has_owners ? count_tiles (area, tile) : 0;
  guint8 *rgb = g_malloc (area_bytes (area));
  gint32 *nodes = has_owners ? g_new (gint32, n_nodes) : NULL;
  for (guint i = 0; i < n; i++)
    {
      area_paste (area, rgb, &areas[i], parts[i].rgb);
      if (has_owners)
        paste_nodes (area, nodes, &areas[i], parts[i].nodes, tile);
    }
  *ret_whole = (Part){ rgb, area_bytes (area), nodes, n_nodes };
  return TRUE;
}

static guint8 *
draw (const Scene *scene, const Shot *shot, const Area *area)
{
  guint8 *rgb = g_malloc (area_bytes (area));
  render_area (scene, shot, area, rgb);
  return rgb;
}

/* ---- jobs ---- */

/* Reports the tiles of @area, whose pixels are @rgb, to all nodes: those that the shared object
 * @owners does not have yet. @nodes: (nullable): who has drawn them; %NULL: this node */
SATIN_TASK (report, (void), (object, shared), (record, shot, Shot), (record, area, Area),
            (int, tile), (bytes, rgb), (array_int, nodes))
{
  gint n_columns = area_n_tiles (area.width, tile);
  gsize n_tiles = count_tiles (&area, tile);
  for (gsize i = 0; i < n_tiles; i++)
    {
      guint8 thumb[THUMB_BYTES];
      gint column = (gint)(i % (gsize)n_columns), row = (gint)(i / (gsize)n_columns);
      Area part = { area.x + column * tile, area.y + row * tile, 0, 0 };
      gint number = tile_number (&shot, &part, tile);
      part.width = MIN (tile, area.x + area.width - part.x);
      part.height = MIN (tile, area.y + area.height - part.y);
      if (owners_get (SATIN_READ (owners, shared), (gsize)number) != OWNERS_NOBODY)
        continue;
      owners_shrink (&area, rgb, &part, thumb);
      SATIN_UPDATE (shared, owners, add, number, n_nodes > 0 ? nodes[i] : OWNERS_NOBODY, thumb,
                    sizeof thumb);
    }
  satin_poll ();
  paint_now_and_then (SATIN_READ (owners, shared), satin_now_us ());
}

/* Draws @area, which is one tile. @stage: the object with the scene; @shared: the object with the
 * owners, or 0 */
SATIN_TASK (draw_tile, (record, Part), (record, shot, Shot), (record, area, Area), (int, tile),
            (int, pixel_us), (object, stage), (object, shared))
{
  GError *error = NULL;
  const stage_state *state = SATIN_READ (stage, stage);
  const Scene *scene = scene_keep (stage, state != NULL ? &state->data : NULL, &error);
  if (scene == NULL)
    {
      satin_fail (error);
      return (Part){ 0 };
    }
  satin_charge ((gint64)area.width * area.height * pixel_us * 1000);
  Part part = { .rgb = draw (scene, &shot, &area), .n_rgb = area_bytes (&area) };
  if (shared == 0)
    return part;
  SATIN_CALL (report, shared, shot, area, tile, part.rgb, part.n_rgb, NULL, 0);
  gint32 *node = g_new (gint32, 1);
  *node = owners_get (SATIN_READ (owners, shared), (gsize)tile_number (&shot, &area, tile));
  part.nodes = node;
  part.n_nodes = 1;
  return part;
}

SATIN_TASK (draw_area, (record, Part), (record, shot, Shot), (record, area, Area), (int, tile),
            (int, pixel_us), (object, stage), (object, shared))
{
  Part parts[AREA_MAX_PARTS] = { 0 }, whole = { 0 };
  Area areas[AREA_MAX_PARTS];
  GError *error = NULL;
  if (shared != 0 && SATIN_READ (owners, shared) == NULL)
    app_argument_refuse ("the object with the owners is not here", &error);
  if (error != NULL || !check_shot (&shot, &error) || !check_area (&shot, &area, tile, &error)
      || !app_argument_check ("time of a pixel", pixel_us, 0, 1000000, &error))
    {
      satin_fail (error);
      return whole;
    }
  guint n = area_cut (&area, tile, areas);
  if (n == 1)
    return SATIN_CALL (draw_tile, shot, area, tile, pixel_us, stage, shared);

  for (guint i = 0; i < n; i++)
    SATIN_SPAWN (&parts[i], draw_area, shot, areas[i], tile, pixel_us, stage, shared);
  if (SATIN_SYNC ())
    {
      if (!join (&area, tile, shared != 0, areas, parts, n, &whole, &error))
        satin_fail (error);
      else if (shared != 0)
        SATIN_CALL (report, shared, shot, area, tile, whole.rgb, whole.n_rgb, whole.nodes,
                    whole.n_nodes);
    }
  for (guint i = 0; i < n; i++)
    satin_record_clear (&Part_record, &parts[i]);
  return whole;
}

/* ---- the root ---- */

/**
 * Work:
 * @file: (owned) (nullable): for the picture
 * @data: (owned): the scene as it travels
 * @scene: (borrowed): the scene of @data
 *
 * What the root task has read.
 */
typedef struct
{
  AppOutput *file;
  SceneData data;
  const Scene *scene;
} Work;

static void
work_clear (Work *self)
{
  app_output_free (self->file);
  satin_record_clear (&SceneData_record, &self->data);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* Chooses what the options leave open: the camera of the file, or one that sees the whole scene;
 * and a sky for a scene without lamps. */
static void
complete_shot (const Scene *scene, gboolean has_camera, Shot *shot)
{
  const Camera *camera = scene_get_camera (scene);
  if (shot->degrees == 0)
    shot->degrees = camera->is_given && !has_camera ? camera->degrees : DEFAULT_DEGREES;
  if (shot->sky.x < 0)
    {
      double light = scene_has_light (scene) ? 0 : 1;
      shot->sky = vector (light, light, light);
    }
  if (has_camera)
    return;
  if (!camera->is_given)
    {
      render_see_all (scene, shot);
      return;
    }
  shot->eye = camera->eye;
  shot->at = camera->at;
  shot->up = camera->up;
}

/* Returns: (transfer full): a name that only this scene has */
static char *
name_of (const SceneData *data)
{
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&SceneData_record, data);
  return g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
}

/* Reads all files, so that errors are found before work starts. */
static gboolean
prepare (Settings *settings, Work *work, GError **error)
{
  g_autoptr (GPtrArray) notes = NULL;
  if (!import_scene (settings->scene, &work->data, &notes, error))
    return FALSE;
  for (guint i = 0; i < notes->len; i++)
    g_printerr ("pathtracer: %s: %s\n", settings->scene, (char *)notes->pdata[i]);
  g_autofree char *name = name_of (&work->data);
  work->scene = scene_keep (satin_object_id (stage_type.name, name), &work->data, error);
  if (work->scene == NULL)
    return FALSE;
  complete_shot (work->scene, settings->has_camera, &settings->shot);
  if (settings->output != NULL)
    work->file = app_output_open ("picture", settings->output, error);
  return settings->output == NULL || work->file != NULL;
}

/* Draws the picture in plain C, as if node 0 had drawn it. */
static Part
draw_all (const Work *work, const Settings *settings)
{
  Area all = all_of (&settings->shot);
  Part whole = { .rgb = draw (work->scene, &settings->shot, &all), .n_rgb = area_bytes (&all) };
  if (settings->owners != NULL)
    {
      whole.n_nodes = count_tiles (&all, settings->tile);
      whole.nodes = g_new0 (gint32, whole.n_nodes);
    }
  return whole;
}

static gboolean
finish (Work *work, const Settings *settings, const Part *whole, GError **error)
{
  const Shot *shot = &settings->shot;
  Area all = all_of (shot);
  if (!check_part (&all, settings->tile, settings->owners != NULL, whole, error)
      || !paint_end (whole->rgb, whole->nodes, whole->n_nodes, error)
      || (work->file != NULL
          && !picture_write (work->file, (guint)shot->width, (guint)shot->height, whole->rgb,
                             error)))
    return FALSE;
  g_autofree char *digest =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, whole->rgb, whole->n_rgb);
  g_print ("pathtracer: %dx%d, %" G_GSIZE_FORMAT " triangles, %d samples, digest %.*s\n",
           shot->width, shot->height, scene_get_n_triangles (work->scene), shot->n_samples,
           DIGEST_SHOWN, digest);
  return TRUE;
}

/* Makes the object with the owners, and the file that shows it. Returns: the object; 0 without
 * --owners, and on failure */
SATIN_TASK (begin_owners, (long), (string, path), (record, shot, Shot), (int, tile))
{
  GError *error = NULL;
  Area all = all_of (&shot);
  owners_packed none = owners_make (count_tiles (&all, tile));
  SatinObject shared =
      SATIN_NEW (owners, "owners", none.nodes, none.n_nodes, none.thumbs, none.n_thumbs);
  satin_record_clear (&owners_record, &none);
  if (!paint_begin (path, shot.width, shot.height, tile, SATIN_READ (owners, shared), &error))
    satin_fail (error);
  return shared;
}

SATIN_TASK (pathtracer_main, (int), (array_string, argv))
{
  g_auto (Settings) settings = { 0 };
  g_auto (Work) work = { 0 };
  GError *error = NULL;
  gboolean is_ready = settings_read (argv, n_argv, &settings, &error);
  if (is_ready && settings.common.is_help)
    return 0;
  if (!is_ready || !prepare (&settings, &work, &error))
    {
      satin_fail (error);
      return 0;
    }

  Part whole = { 0 };
  SatinObject shared = 0;
  if (settings.owners != NULL)
    shared = SATIN_CALL (begin_owners, settings.owners, settings.shot, settings.tile);
  SATIN_SYNC_OR_RETURN (0);
  gint64 started_us = g_get_monotonic_time ();
  if (settings.common.is_sequential)
    whole = draw_all (&work, &settings);
  else
    {
      g_autofree char *name = name_of (&work.data);
      SatinObject stage = SATIN_NEW (stage, name, work.data);
      /* A whole picture may be too large for the result of a job. */
      whole = SATIN_CALL (draw_area, settings.shot, all_of (&settings.shot), settings.tile,
                          settings.pixel_us, stage, shared);
    }
  SATIN_SYNC_OR_RETURN (0);

  if (settings.common.is_timed)
    app_print_time ("pathtracer", g_get_monotonic_time () - started_us, 0, 0);
  if (!finish (&work, &settings, &whole, &error))
    satin_fail (error);
  satin_record_clear (&Part_record, &whole);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--output=");
  satin_argument_is_free ("-o=");
  return satin_main (argc, argv, pathtracer_main);
}
