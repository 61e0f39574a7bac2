/* router.c - routes a circuit: batch after batch, iteration after iteration
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "router.h"

#include <satin/base/error.h>

void
router_init (Router *self, Circuit *circuit, int batch, int n_iterations)
{
  gint32 *counts = g_new0 (gint32, (gsize)circuit->n_channels * (gsize)circuit->n_columns);
  *self = (Router){ .circuit = circuit,
                    .costs = { circuit->n_channels, circuit->n_columns, counts },
                    .counts = counts,
                    .batch = batch,
                    .n_iterations = n_iterations,
                    .report = g_string_new (NULL) };
}

void
router_clear (Router *self)
{
  g_clear_pointer (&self->counts, g_free);
  if (self->report != NULL)
    g_string_free (self->report, TRUE);
  self->report = NULL;
}

static Segment *
segments_of (const Router *self)
{
  return (Segment *)(gpointer)self->circuit->segments->data;
}

gboolean
router_next (Router *self, const Segment **ret_segments, gsize *ret_n)
{
  gsize n_left = self->circuit->segments->len - self->n_done;
  if (self->iteration == self->n_iterations)
    return FALSE;
  *ret_segments = segments_of (self) + self->n_done;
  *ret_n = self->n_next = route_batch (*ret_segments, n_left, self->batch);
  return TRUE;
}

static void
end_iteration (Router *self)
{
  self->iteration++;
  self->n_done = 0;
  g_string_append_printf (
      self->report, "iteration %d: height %" G_GINT64_FORMAT ", crowding %" G_GINT64_FORMAT "\n",
      self->iteration, costs_height (&self->costs), costs_crowding (&self->costs));
}

gboolean
router_take (Router *self, const gint32 *bends, gsize n, GError **error)
{
  Segment *segments = segments_of (self) + self->n_done;
  gboolean is_right = n == self->n_next;
  for (gsize i = 0; i < n && is_right; i++)
    is_right = route_may_bend (&self->costs, &segments[i], bends[i]);
  if (!is_right)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB,
                           "the ways that were found are not those of the wires");
      return FALSE;
    }
  for (gsize i = 0; i < self->n_next; i++)
    costs_relay (&self->costs, &segments[i], bends[i]);
  self->n_done += self->n_next;
  if (self->n_done == self->circuit->segments->len)
    end_iteration (self);
  return TRUE;
}
