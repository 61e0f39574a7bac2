/* positions.c - the transposition table as a shared object
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "positions.h"

#include <string.h>

/* The most findings that are combined into one call. */
#define COMBINED_MAX 4096

SATIN_METHOD_BODY (positions, learn, (array_record, findings, Finding))
{
  for (gsize i = 0; i < n_findings; i++)
    table_learn (state->table, &findings[i]);
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

/* Is never called, because methods change this state in place, and such states are not copied. But
 * a type with an unpack function must have a copy function, too. */
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

/* Does nothing, because a table that arrives from another node is always empty. */
static void
positions_merge (gpointer data G_GNUC_UNUSED, gconstpointer other G_GNUC_UNUSED)
{
}

/* Appends the findings of @later to those of @args. */
static gboolean
positions_combine (const SatinMethod *method G_GNUC_UNUSED, gpointer args, gconstpointer later)
{
  positions_learn_args *all = args;
  const positions_learn_args *more = later;
  gsize n = all->n_findings + more->n_findings;
  if (n > COMBINED_MAX)
    return FALSE;
  Finding *findings = g_new (Finding, n);
  memcpy (findings, all->findings, all->n_findings * sizeof *findings);
  memcpy (findings + all->n_findings, more->findings, more->n_findings * sizeof *findings);
  g_free ((gpointer)all->findings);
  all->findings = findings;
  all->n_findings = n;
  return TRUE;
}

SATIN_OBJECT_TYPE_DEFINE (positions, .is_in_place = TRUE, .unpack = positions_unpack,
                          .pack = positions_pack, .copy = positions_copy, .clear = positions_clear,
                          .merge = positions_merge, .combine = positions_combine)
