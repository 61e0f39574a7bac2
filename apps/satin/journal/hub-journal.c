/* hub-journal.c - writes the journal of a run whose hub runs in this command
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub-journal.h"
#include "folders.h"
#include "output.h"
#include "runs/figures.h"

#include <satin/journal.h>

/* How long nodes may take to report their figures. */
#define ASK_US ((gint64)200000)

struct _HubJournal
{
  SatinLoop *loop;                /* (borrowed) */
  SatinHub *hub;                  /* (borrowed) */
  SatinJournalRecorder *recorder; /* (owned) */
  JournalOutput *output;          /* (owned) */
  gint64 began_us;
  char *path; /* (owned) */
  SatinTimerId timer;
  gboolean is_over;
};

static void ask (gpointer user_data);

static gint64
get_time_us (const HubJournal *self)
{
  return satin_loop_now_us (self->loop) - self->began_us;
}

static void
on_members (const SatinRunStatus *status, gpointer user_data)
{
  HubJournal *self = user_data;
  if (self->is_over)
    return;
  satin_journal_recorder_members (self->recorder, get_time_us (self), status);
  journal_output_members (self->output, get_time_us (self), status);
}

static void
ask_later (HubJournal *self, guint n_nodes)
{
  self->timer =
      satin_loop_timer_add (self->loop, satin_journal_recorder_get_period_us (n_nodes), ask, self);
}

static void
on_status (const SatinRunStatus *status, gpointer user_data)
{
  HubJournal *self = user_data;
  if (self->is_over)
    return;
  satin_journal_recorder_status (self->recorder, get_time_us (self), status);
  journal_output_members (self->output, get_time_us (self), status);
  ask_later (self, figure_count_members (status));
}

static void
ask (gpointer user_data)
{
  HubJournal *self = user_data;
  self->timer = 0;
  satin_hub_ask_status (self->hub, ASK_US, on_status, self);
}

static SatinJournalRecorder *
make_recorder (const HubJournalPlace *place, char **ret_path, GError **error)
{
  g_autofree char *folder = journal_folder_new (place->option, place->name, error);
  if (folder == NULL)
    return NULL;
  g_autofree char *path = g_build_filename (folder, JOURNAL_FILE, NULL);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "there is a journal in %s already: name another folder", folder);
      return NULL;
    }
  SatinJournalRecorder *recorder =
      satin_journal_recorder_new (path, place->line, g_get_real_time (), error);
  *ret_path = recorder != NULL ? g_steal_pointer (&path) : NULL;
  return recorder;
}

gboolean
hub_journal_open (const HubJournalPlace *place, SatinLoop *loop, SatinHub *hub,
                  HubJournal **ret_journal, char **ret_warning, GError **error)
{
  g_autoptr (GError) refused = NULL;
  *ret_journal = NULL;
  *ret_warning = NULL;
  if (g_strcmp0 (place->option, "none") == 0)
    return TRUE;
  char *path = NULL;
  SatinJournalRecorder *recorder = make_recorder (place, &path, &refused);
  if (recorder == NULL && place->option != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&refused));
      return FALSE;
    }
  if (recorder == NULL)
    {
      *ret_warning = g_strdup_printf ("this run has no journal: %s; --journal FOLDER names another "
                                      "place, --journal none goes without",
                                      refused->message);
      return TRUE;
    }
  HubJournal *self = g_new0 (HubJournal, 1);
  self->loop = loop;
  self->hub = hub;
  self->recorder = recorder;
  self->output = journal_output_new (recorder);
  self->path = path;
  self->began_us = satin_loop_now_us (loop);
  ask_later (self, 0);
  *ret_journal = self;
  return TRUE;
}

const char *
hub_journal_get_path (const HubJournal *self)
{
  return self != NULL ? self->path : NULL;
}

void
hub_journal_changed (HubJournal *self)
{
  if (self != NULL && !self->is_over)
    satin_hub_ask_status (self->hub, 0, on_members, self);
}

void
hub_journal_gone (HubJournal *self, SatinNodeId node)
{
  if (self == NULL || self->is_over)
    return;
  const char *how = satin_hub_get_death (self->hub, node);
  if (how != NULL)
    satin_journal_recorder_loss (self->recorder, get_time_us (self), node, how);
  hub_journal_changed (self);
}

void
hub_journal_note (HubJournal *self, const char *text, gboolean is_warning)
{
  if (self == NULL || self->is_over)
    return;
  if (is_warning)
    satin_journal_recorder_warning (self->recorder, get_time_us (self), 0, text);
  else
    satin_journal_recorder_note (self->recorder, get_time_us (self), 0, text);
}

void
hub_journal_machines (HubJournal *self, const char *what, guint n, const char *text)
{
  if (self != NULL && !self->is_over)
    satin_journal_recorder_machines (self->recorder, get_time_us (self), what, n, text);
}

void
hub_journal_event (HubJournal *self, SatinNodeId node, GBytes *payload)
{
  if (self != NULL && !self->is_over)
    satin_journal_recorder_event (self->recorder, get_time_us (self), node, payload);
}

void
hub_journal_output (HubJournal *self, gint64 pid, const char *line)
{
  if (self != NULL && !self->is_over)
    journal_output_line (self->output, get_time_us (self), pid, line);
}

void
hub_journal_machine_output (HubJournal *self, const char *machine, const char *line)
{
  if (self != NULL && !self->is_over)
    journal_output_machine (self->output, get_time_us (self), machine, line);
}

void
hub_journal_end (HubJournal *self, const SatinRunStatus *status, int exit_status)
{
  if (self == NULL || self->is_over)
    return;
  satin_loop_timer_cancel (self->loop, &self->timer);
  if (status != NULL)
    {
      satin_journal_recorder_status (self->recorder, get_time_us (self), status);
      journal_output_members (self->output, get_time_us (self), status);
    }
  journal_output_end (self->output, get_time_us (self));
  self->is_over = TRUE;
  satin_journal_recorder_end (self->recorder, get_time_us (self), exit_status, NULL);
}

void
hub_journal_free (HubJournal *self)
{
  if (self == NULL)
    return;
  satin_loop_timer_cancel (self->loop, &self->timer);
  journal_output_free (self->output);
  satin_journal_recorder_free (self->recorder);
  g_free (self->path);
  g_free (self);
}
