/* stall.c - notices that no job of a run ends any more, and says what the run waits for
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stall.h"

#include "dumps.h"
#include "runs/figures.h"
#include "text.h"

/* How often within the limit the run is looked at, and the bounds for the time between two looks.
 */
#define LOOKS_IN_LIMIT 4
#define MAX_PERIOD_US  ((gint64)10000000)
#define MIN_PERIOD_US  ((gint64)100000)
/* How long nodes may take for their answer. */
#define ASK_US ((gint64)1000000)
/* The time between the two dumps: see session_ask_dumps(). */
#define APART_US ((gint64)300000)

struct _StallWatch
{
  SatinLoop *loop; /* (borrowed) */
  SatinHub *hub;   /* (borrowed) */
  StallFunc say;
  gpointer user_data;
  char *dump_path; /* (owned) (nullable) */
  gint64 first_limit_us;
  gint64 limit_us;
  gint64 n_jobs;      /* jobs that had ended when the run was last looked at */
  gint64 progress_us; /* when the watch last saw that a job had ended */
  gboolean has_dump;  /* of the two dumps, the first has come */
  gboolean is_over;
  SatinTimerId timer;
};

static void look (gpointer user_data);
static void ask_dumps (gpointer user_data);

static void
look_later (StallWatch *self)
{
  gint64 period_us = CLAMP (self->limit_us / LOOKS_IN_LIMIT, MIN_PERIOD_US, MAX_PERIOD_US);
  self->timer = satin_loop_timer_add (self->loop, period_us, look, self);
}

/* Writes the dumps of all nodes into the file. Returns: whether the file was written */
static gboolean
write_dump (const StallWatch *self, const WhyRun *run, const WhyChain *chain)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) refused = NULL;
  if (self->dump_path == NULL)
    return FALSE;
  dumps_append (out, run, chain, NULL);
  if (!g_file_set_contents_full (self->dump_path, out->str, (gssize)out->len,
                                 G_FILE_SET_CONTENTS_CONSISTENT, 0600, &refused))
    g_debug ("there is no dump: %s", refused->message);
  return refused == NULL;
}

static void
say (StallWatch *self, const SatinRunStatus *status)
{
  WhyRun run;
  WhyChain chain;
  why_run_read (&run, status);
  why_chain_find (&chain, &run);
  g_autofree char *summary = why_summarize (&chain);
  gint64 still_us = satin_loop_now_us (self->loop) - self->progress_us;
  gboolean has_dump = write_dump (self, &run, &chain);
  g_autofree char *text = g_strdup_printf (
      "no job has ended for %" G_GINT64_FORMAT " s: %s (satin why tells more%s%s)",
      still_us / G_USEC_PER_SEC, summary, has_dump ? "; the jobs of all nodes are in " : "",
      has_dump ? self->dump_path : "");
  self->say (text, self->user_data);
  why_chain_clear (&chain);
  why_run_clear (&run);
}

static void
on_dumps (const SatinRunStatus *status, gpointer user_data)
{
  StallWatch *self = user_data;
  if (self->is_over)
    return;
  if (!self->has_dump)
    {
      self->has_dump = TRUE;
      self->timer = satin_loop_timer_add (self->loop, APART_US, ask_dumps, self);
      return;
    }
  if (figure_sum (status, FIGURE_JOBS) == self->n_jobs)
    {
      say (self, status);
      self->limit_us *= 2;
    }
  look_later (self);
}

static void
ask_dumps (gpointer user_data)
{
  StallWatch *self = user_data;
  self->timer = 0;
  satin_hub_ask_dumps (self->hub, ASK_US, on_dumps, self);
}

static void
on_status (const SatinRunStatus *status, gpointer user_data)
{
  StallWatch *self = user_data;
  if (self->is_over)
    return;
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 n_jobs = figure_sum (status, FIGURE_JOBS);
  gboolean is_any = figure_count_members (status) > 0;
  if (n_jobs != self->n_jobs || !is_any)
    {
      self->n_jobs = n_jobs;
      self->progress_us = now_us;
      self->limit_us = self->first_limit_us;
    }
  if (now_us - self->progress_us < self->limit_us)
    {
      look_later (self);
      return;
    }
  self->has_dump = FALSE;
  ask_dumps (self);
}

static void
look (gpointer user_data)
{
  StallWatch *self = user_data;
  self->timer = 0;
  satin_hub_ask_status (self->hub, ASK_US, on_status, self);
}

gboolean
stall_option_read (const char *text, gint64 *ret_limit_us, GError **error)
{
  *ret_limit_us = STALL_DEFAULT_US;
  if (text == NULL || satin_parse_duration (text, ret_limit_us, error))
    return TRUE;
  g_prefix_error (error, "--stall: ");
  return FALSE;
}

StallWatch *
stall_watch_new (gint64 limit_us, SatinLoop *loop, SatinHub *hub, const char *journal,
                 StallFunc func, gpointer user_data)
{
  if (limit_us == 0)
    return NULL;
  StallWatch *self = g_new0 (StallWatch, 1);
  self->loop = loop;
  self->hub = hub;
  self->say = func;
  self->user_data = user_data;
  if (journal != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (journal);
      self->dump_path = g_build_filename (folder, "run-dump.txt", NULL);
    }
  self->first_limit_us = self->limit_us = limit_us;
  self->n_jobs = -1;
  self->progress_us = satin_loop_now_us (loop);
  look_later (self);
  return self;
}

void
stall_watch_stop (StallWatch *self)
{
  if (self == NULL || self->is_over)
    return;
  self->is_over = TRUE;
  satin_loop_timer_cancel (self->loop, &self->timer);
}

void
stall_watch_free (StallWatch *self)
{
  if (self == NULL)
    return;
  stall_watch_stop (self);
  g_free (self->dump_path);
  g_free (self);
}
