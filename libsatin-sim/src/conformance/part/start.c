/* start.c - rules: starting, stopping, and what must not be left
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "part.h"

#include "conformance/heap.h"
#include "conformance/values.h"

void
part_starts_again (Case *c)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Scene) scene = scene_begin (c);
      if (scene == NULL)
        return;
      scene_pass (scene);
    }
}

/* Starts the part with parsed parameters. @must_start: whether a refusal breaks the rule */
static void
try_params (Case *c, const char *given, const SatinParams *params, gboolean must_start)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Scene) scene = scene_new (c);
  if (scene_start (scene, params, &error))
    scene_pass (scene);
  else if (must_start || error == NULL || error->domain != SATIN_ERROR)
    case_break (c, "with %s it does not start, %s", given,
                error == NULL                  ? "without an error"
                : error->domain != SATIN_ERROR ? "with an error that is not of SATIN_ERROR"
                                               : error->message);
}

static void
try_default (Case *c, const char *given, const SatinParams *params)
{
  try_params (c, given, params, TRUE);
}

void
part_starts_with_defaults (Case *c)
{
  values_each_default (c, try_default);
}

static void
try_extreme (Case *c, const char *given, const SatinParams *params)
{
  try_params (c, given, params, FALSE);
}

void
part_takes_or_refuses_parameters (Case *c)
{
  values_each_extreme (c, try_extreme);
}

void
part_serves_two_nodes (Case *c)
{
  g_autoptr (Scene) one = scene_begin (c);
  g_autoptr (Scene) other = one != NULL ? scene_begin (c) : NULL;
  if (other == NULL)
    return;
  scene_stop (one);
  scene_pass (other);
}

/* ---- what must not be left ---- */

/* One life of the part: it starts and stops. */
static void
live (gpointer user_data)
{
  g_autoptr (Scene) scene = scene_begin (user_data);
}

/* Returns: the number of entries of a folder of /proc */
static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;
  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

#define N_LIVES 8

/* Checks that the number of entries of @path does not grow by one in each life. Libraries keep some
 * descriptors and threads after their first use, so two lives come before the first count. */
static void
check_entries (Case *c, const char *path, const char *what)
{
  for (guint i = 0; i < 2; i++)
    live (c);
  guint before = count_entries (path);
  for (guint i = 0; i < N_LIVES; i++)
    live (c);
  gint64 end_us = g_get_monotonic_time () + c->patience_us;
  while (count_entries (path) >= before + N_LIVES && g_get_monotonic_time () < end_us)
    g_usleep (1000); /* a thread that was joined stays in /proc for a moment */
  guint after = count_entries (path);
  CASE_EXPECT (c, after < before + N_LIVES, "%d lives leave %u %s", N_LIVES, after - before, what);
}

void
part_closes_descriptors (Case *c)
{
  check_entries (c, "/proc/self/fd", "open descriptors");
}

void
part_ends_threads (Case *c)
{
  check_entries (c, "/proc/self/task", "threads");
}

void
part_frees_all (Case *c)
{
  heap_check (c, live, c);
}
