/* positions.c - the transposition table as a shared object
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "positions.h"

#include <string.h>

/* Of what is combined into one call. */
#define COMBINED_MAX 4096

SATIN_METHOD_BODY (positions, learn, (array_record, news, News))
{
  for (gsize i = 0; i < n_news; i++)
    table_learn (state->table, &news[i]);
}

static gboolean
positions_unpack (gconstpointer record, gpointer ret_state, GError **error)
{
  const positions_packed *packed = record;
  positions_state *state = ret_state;
  if (packed->size_mib < 1 || packed->size_mib > TABLE_MAX_MIB)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "a table of %d MiB makes no sense",
                   packed->size_mib);
      return FALSE;
    }
  *state = (positions_state){ packed->size_mib, table_new ((guint)packed->size_mib, error) };
  return state->table != NULL;
}

static void
positions_pack (gconstpointer data, gpointer ret_record)
{
  const positions_state *state = data;
  *(positions_packed *)ret_record = (positions_packed){ state->size_mib };
}

/* Of a state in place there are no copies, but the type is to be whole. */
static void
positions_copy (gconstpointer data, gpointer ret_state)
{
  const positions_state *state = data;
  *(positions_state *)ret_state =
      (positions_state){ state->size_mib, table_new ((guint)state->size_mib, NULL) };
}

static void
positions_clear (gpointer data)
{
  positions_state *state = data;
  table_free (state->table);
}

/* A replica that comes brings nothing but its size. */
static void
positions_merge (gpointer data G_GNUC_UNUSED, gconstpointer other G_GNUC_UNUSED)
{
}

/* The news of both calls. */
static gboolean
positions_combine (const SatinMethod *method G_GNUC_UNUSED, gpointer args, gconstpointer later)
{
  positions_learn_args *all = args;
  const positions_learn_args *more = later;
  gsize n = all->n_news + more->n_news;
  if (n > COMBINED_MAX)
    return FALSE;
  News *news = g_new (News, n);
  memcpy (news, all->news, all->n_news * sizeof *news);
  memcpy (news + all->n_news, more->news, more->n_news * sizeof *news);
  g_free ((gpointer)all->news);
  all->news = news;
  all->n_news = n;
  return TRUE;
}

SATIN_OBJECT_TYPE_DEFINE (positions, .is_in_place = TRUE, .unpack = positions_unpack,
                          .pack = positions_pack, .copy = positions_copy, .clear = positions_clear,
                          .merge = positions_merge, .combine = positions_combine)
