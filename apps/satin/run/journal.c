/* journal.c - writes the journal of a run whose hub this command holds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run/journal.h"
#include "journal/folders.h"
#include "runs/figures.h"

#include <satin/journal.h>

/* How long nodes may take to report their figures. */
#define ASK_US ((gint64)200000)

struct _RunJournal
{
  Session *session;               /* (borrowed) */
  RunHub *hub;                    /* (borrowed) */
  SatinJournalRecorder *recorder; /* (owned) */
  gint64 began_us;
  SatinTimerId timer;
  gboolean is_over;
};

static void ask (gpointer user_data);

static gint64
get_time_us (const RunJournal *self)
{
  return satin_loop_now_us (self->session->loop) - self->began_us;
}

static void
on_status (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  RunJournal *self = user_data;
  guint n_nodes = status != NULL ? figure_count_members (status) : 0;
  if (self->is_over)
    return;
  if (status != NULL)
    satin_journal_recorder_status (self->recorder, get_time_us (self), status);
  self->timer = satin_loop_timer_add (self->session->loop,
                                      satin_journal_recorder_get_period_us (n_nodes), ask, self);
}

static void
ask (gpointer user_data)
{
  RunJournal *self = user_data;
  self->timer = 0;
  run_hub_ask (self->hub, ASK_US, on_status, self);
}

static SatinJournalRecorder *
make_recorder (const RunOptions *options, GError **error)
{
  g_autofree char *name = g_path_get_basename (options->program);
  g_autofree char *folder = journal_folder_new (options->journal, name, error);
  if (folder == NULL)
    return NULL;
  g_autofree char *path = g_build_filename (folder, JOURNAL_FILE, NULL);
  g_autofree char *line = g_strjoinv (" ", options->arguments);
  return satin_journal_recorder_new (path, line, g_get_real_time (), error);
}

gboolean
run_journal_open (const RunOptions *options, Session *session, RunHub *hub, RunTerminal *terminal,
                  RunJournal **ret_journal, GError **error)
{
  g_autoptr (GError) refused = NULL;
  *ret_journal = NULL;
  if (options->has_no_journal || !run_hub_is_own (hub))
    return TRUE;
  SatinJournalRecorder *recorder = make_recorder (options, &refused);
  if (recorder == NULL && options->journal != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&refused));
      return FALSE;
    }
  if (recorder == NULL)
    {
      run_terminal_say (terminal,
                        "this run has no journal: %s; --journal FOLDER names another "
                        "place, --journal none goes without",
                        refused->message);
      return TRUE;
    }
  RunJournal *self = g_new0 (RunJournal, 1);
  self->session = session;
  self->hub = hub;
  self->recorder = recorder;
  self->began_us = satin_loop_now_us (session->loop);
  self->timer =
      satin_loop_timer_add (session->loop, satin_journal_recorder_get_period_us (0), ask, self);
  *ret_journal = self;
  return TRUE;
}

static void
on_members (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  RunJournal *self = user_data;
  if (!self->is_over && status != NULL)
    satin_journal_recorder_status (self->recorder, get_time_us (self), status);
}

void
run_journal_changed (RunJournal *self)
{
  if (self != NULL && !self->is_over)
    run_hub_ask (self->hub, 0, on_members, self);
}

void
run_journal_note (RunJournal *self, const char *text)
{
  if (self != NULL && !self->is_over)
    satin_journal_recorder_note (self->recorder, get_time_us (self), 0, text);
}

void
run_journal_end (RunJournal *self, const SatinRunStatus *status, int exit_status)
{
  if (self == NULL || self->is_over)
    return;
  self->is_over = TRUE;
  satin_loop_timer_cancel (self->session->loop, &self->timer);
  if (status != NULL)
    satin_journal_recorder_status (self->recorder, get_time_us (self), status);
  satin_journal_recorder_end (self->recorder, get_time_us (self), exit_status, NULL);
}

void
run_journal_free (RunJournal *self)
{
  if (self == NULL)
    return;
  satin_loop_timer_cancel (self->session->loop, &self->timer);
  satin_journal_recorder_free (self->recorder);
  g_free (self);
}
