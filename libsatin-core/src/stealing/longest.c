/* longest.c - reports the imported jobs that ran longest
 *
 * Few jobs are reported: only those that are among the longest ones of this node so far.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* A shorter job is never reported. */
#define LONG_US ((gint64)10000)

void
steal_set_long_job_func (Steal *self, StealLongJobFunc func, gpointer user_data)
{
  self->longest.func = func;
  self->longest.user_data = user_data;
}

/* Returns: the place of the shortest of the longest jobs */
static guint
find_shortest (const StealLongest *self)
{
  guint place = 0;
  for (guint i = 1; i < G_N_ELEMENTS (self->ran_us); i++)
    if (self->ran_us[i] < self->ran_us[place])
      place = i;
  return place;
}

/* Reports an imported job, which has run for @ran_us, if it is one of the longest. */
void
steal_note_length (Steal *self, const Import *import, gint64 ran_us)
{
  StealLongest *longest = &self->longest;
  guint place = find_shortest (longest);
  if (longest->func == NULL || ran_us < LONG_US || ran_us <= longest->ran_us[place])
    return;
  longest->ran_us[place] = ran_us;
  g_autofree char *text = steal_describe_import (import);
  longest->func (text, ran_us, longest->user_data);
}
