/* journal.c - the journal of a simulated run
 *
 * The registry's host asks the nodes for their figures, as `satin run` does. These messages take
 * part in the simulation, so a run with a journal may differ a little from a run without a journal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <glib/gstdio.h>

/* How long nodes may take for their figures. */
#define ASK_US ((gint64)200000)

static void ask (gpointer user_data);

static void
on_members (const SatinRunStatus *status, gpointer user_data)
{
  World *self = user_data;
  if (self->journal != NULL)
    satin_journal_recorder_members (self->journal, self->passed_us + satin_sim_now_us (self->sim),
                                    status);
}

static void
on_status (const SatinRunStatus *status, gpointer user_data)
{
  World *self = user_data;
  if (self->journal == NULL)
    return;
  satin_journal_recorder_status (self->journal, self->passed_us + satin_sim_now_us (self->sim),
                                 status);
  if (self->hub != NULL)
    satin_loop_timer_add (satin_sim_host_get_loop (self->hub_host),
                          satin_journal_recorder_get_period_us ((guint)status->n_nodes), ask, self);
}

static void
ask (gpointer user_data)
{
  World *self = user_data;
  if (self->hub != NULL && !self->is_hub_over)
    satin_hub_ask_status (self->hub, ASK_US, on_status, self);
}

/* Returns: (transfer full): the program and its arguments */
static char *
describe_program (const SatinEntry *entry)
{
  GString *line = g_string_new (entry->name);
  for (int i = 1; i < entry->argc; i++)
    g_string_append_printf (line, " %s", entry->argv[i]);
  return g_string_free (line, FALSE);
}

/* Begins the journal: replaces an older file, or takes over the journal of the earlier world.
 * Returns: %FALSE with @error when the file cannot be made */
gboolean
world_journal_begin (World *self, GError **error)
{
  const char *path = self->options.journal_path;
  if (path == NULL)
    return TRUE;
  if (self->earlier != NULL)
    {
      self->journal = g_steal_pointer (&self->earlier->journal);
      return TRUE;
    }
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    g_unlink (path);
  g_autofree char *line = describe_program (self->entry);
  self->journal = satin_journal_recorder_new (path, line, 0, error);
  return self->journal != NULL;
}

/* Called when the registry has started, for the first time or again. */
void
world_journal_follow (World *self)
{
  if (self->journal != NULL)
    satin_loop_timer_add (satin_sim_host_get_loop (self->hub_host),
                          satin_journal_recorder_get_period_us (0), ask, self);
}

/* Called when a node has joined, begins to leave, is gone, or was elected master. */
void
world_journal_changed (World *self)
{
  if (self->journal != NULL && self->hub != NULL)
    satin_hub_ask_status (self->hub, 0, on_members, self);
}

/* Called when the registry has declared a node dead. */
void
world_journal_loss (World *self, SatinNodeId node)
{
  const char *how = self->hub != NULL ? satin_hub_get_death (self->hub, node) : NULL;
  if (self->journal != NULL && how != NULL)
    satin_journal_recorder_loss (self->journal, self->passed_us + satin_sim_now_us (self->sim),
                                 node, how);
}

/* Called when machines of the pool were asked for, came, were refused or are gone. */
void
world_journal_machines (World *self, const char *what, guint n, const char *text)
{
  if (self->journal != NULL)
    satin_journal_recorder_machines (self->journal, self->passed_us + satin_sim_now_us (self->sim),
                                     what, n, text);
}

/* Called when a node has sent an event for the journal. */
void
world_journal_event (World *self, SatinNodeId node, GBytes *payload)
{
  if (self->journal != NULL)
    satin_journal_recorder_event (self->journal, self->passed_us + satin_sim_now_us (self->sim),
                                  node, payload);
}

/* Ends the journal, unless another world continues the run. */
void
world_journal_end (World *self, gboolean is_last)
{
  if (self->journal == NULL || !is_last)
    return;
  satin_journal_recorder_end (self->journal, self->passed_us + satin_sim_now_us (self->sim),
                              self->exit_status, NULL);
  g_clear_pointer (&self->journal, satin_journal_recorder_free);
}
