/* jobs.c - what becomes of a job: granted, told, ended
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"
#include "slurm.h"

#include <sys/wait.h>

/* How often a job is made to end that does not. */
#define AGAIN_US ((gint64)3000000)

Job *
job_new (Slurm *self, const char *id, guint64 ticket, JobState state)
{
  Job *job = g_new0 (Job, 1);
  job->slurm = self;
  job->id = g_strdup (id);
  job->node = g_strdup ("");
  job->cluster = g_strdup ("");
  job->ticket = ticket;
  job->state = state;
  g_ptr_array_add (self->jobs, job);
  g_hash_table_insert (self->by_id, job->id, job);
  return job;
}

void
job_free (Job *self)
{
  satin_loop_timer_cancel (self->slurm->loop, &self->deadline);
  g_free (self->id);
  g_free (self->name);
  g_free (self->node);
  g_free (self->cluster);
  g_free (self->files);
  g_free (self);
}

/* ---- what it is told ---- */

static void
tell_to_end (Job *self)
{
  if (self->is_told)
    return;
  self->is_told = TRUE;
  slurm_signal (self->slurm, self->id, SIGNAL_TERM);
}

/* Makes it end: its command is killed, and the rest goes with it. Once more after a while, as a
 * signal may be lost, and then by Slurm's own way, which begins with a SIGTERM. */
static void
make_end (Job *self, JobSignal signal)
{
  gint64 now_us = satin_loop_now_us (self->slurm->loop);
  if (self->signalled_us != 0 && now_us < self->signalled_us + AGAIN_US)
    return;
  slurm_signal (self->slurm, self->id, signal);
  if (self->signalled_us != 0 && signal == SIGNAL_KILL)
    slurm_signal (self->slurm, self->id, SIGNAL_CANCEL);
  self->signalled_us = now_us;
}

static void
on_deadline (gpointer user_data)
{
  Job *self = user_data;
  self->deadline = 0;
  if (!self->is_over)
    make_end (self, SIGNAL_KILL);
}

/* A Satin node takes a second SIGTERM for an order to end at once, so there is only one. */
void
job_withdraw (Job *self, gint64 deadline_us)
{
  SatinLoop *loop = self->slurm->loop;
  gint64 until_us = satin_loop_now_us (loop) + deadline_us;
  if (self->is_over || (self->until_us != 0 && until_us >= self->until_us))
    return;
  self->until_us = until_us;
  tell_to_end (self);
  satin_loop_timer_cancel (loop, &self->deadline);
  self->deadline = satin_loop_timer_add (loop, deadline_us, on_deadline, self);
}

void
job_drop (Job *self)
{
  self->state = JOB_UNWANTED;
  if (!self->is_over)
    slurm_signal (self->slurm, self->id, SIGNAL_CANCEL);
}

/* ---- what the host is told ---- */

static void
grant (Job *self, const SlurmJob *row)
{
  Slurm *slurm = self->slurm;
  g_free (self->node);
  g_free (self->cluster);
  self->node = g_strdup (row->node);
  self->cluster = g_strdup (row->partition);
  self->name = script_machine_name (self->id, self->node);
  self->state = JOB_GRANTED;
  const SatinMachine machine = { .name = self->name,
                                 .cluster = self->cluster,
                                 .ticket = self->ticket };
  slurm->host.granted (&machine, slurm->user_data);
}

static void
refuse (Job *self, const char *why)
{
  Slurm *slurm = self->slurm;
  g_autoptr (GError) error = g_error_new (SATIN_ERROR, SATIN_ERROR_INVALID,
                                          "Slurm does not run job %s: %s", self->id, why);
  slurm->host.refused (self->ticket, 1, error, slurm->user_data);
  job_drop (self);
}

/* Before it is ended by Slurm or taken away: at the latest when a quarter of its time is left. */
static void
look_at_time (Job *self, const SlurmJob *row)
{
  Slurm *slurm = self->slurm;
  gint64 left_us = row->end_s * G_USEC_PER_SEC - g_get_real_time ();
  gint64 whole_us = (row->end_s - row->start_s) * G_USEC_PER_SEC;
  gboolean is_taken =
      row->end_s != 0
      && (row->is_preempted || left_us < MIN (slurm->settings.warning_us, whole_us / 4));
  gboolean is_draining = g_hash_table_contains (slurm->draining, self->node);
  if (self->until_us != 0 || self->is_told || !(is_taken || (is_draining && !self->is_noticed)))
    return;
  self->is_noticed = TRUE;
  if (is_taken)
    tell_to_end (self);
  slurm->host.notice (self->name, row->end_s != 0 ? MAX (left_us, 0) : G_MAXINT64,
                      slurm->user_data);
}

/* ---- why it has ended ---- */

static GError *
command_reason (const Job *self, int status)
{
  if (WIFSIGNALED (status))
    return g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "%s: its command was killed by signal %d",
                        self->name, WTERMSIG (status));
  return g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "%s: its command ended with status %d",
                      self->name, WEXITSTATUS (status));
}

static const struct
{
  const char *state;
  SatinErrorCode code;
  const char *reason;
} reasons[] = {
  { "CANCELLED", SATIN_ERROR_CANCELLED, "somebody cancelled it" },
  { "TIMEOUT", SATIN_ERROR_TIMEOUT, "its time was over: give more with time=" },
  { "DEADLINE", SATIN_ERROR_TIMEOUT, "its deadline has passed" },
  { "NODE_FAIL", SATIN_ERROR_CLOSED, "its node has failed or was set down" },
  { "BOOT_FAIL", SATIN_ERROR_CLOSED, "its node did not start" },
  { "PREEMPTED", SATIN_ERROR_CLOSED, "it was preempted" },
  { "OUT_OF_MEMORY", SATIN_ERROR_LIMIT, "it needed more memory: give more with memory=" },
};

/* Returns: (transfer full) (nullable): %NULL for an end as it should be */
static GError *
reason_of_end (const Job *self, const SlurmJob *row)
{
  if (self->until_us != 0 || (row != NULL && g_str_equal (row->state, "COMPLETED")))
    return NULL;
  if (row == NULL)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                        "%s: Slurm has forgotten it: make poll shorter than its MinJobAge",
                        self->name);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_str_equal (row->state, reasons[i].state))
      return g_error_new (SATIN_ERROR, reasons[i].code, "%s: %s", self->name, reasons[i].reason);
  if (row->wait_status != 0)
    return command_reason (self, row->wait_status);
  return g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "%s: Slurm says %s, %s", self->name,
                      row->state, row->reason);
}

/* Nothing of it is left in Slurm. @row: (nullable): %NULL when it is not listed any more */
static void
part (Job *self, const SlurmJob *row)
{
  Slurm *slurm = self->slurm;
  self->is_over = TRUE;
  if (self->state == JOB_ASKED && row != NULL && *row->node != '\0' && row->start_s != 0)
    grant (self, row);
  else if (self->state == JOB_ASKED)
    refuse (self, row != NULL ? row->state : "it is not known any more");
  satin_loop_timer_cancel (slurm->loop, &self->deadline);
  g_hash_table_remove (slurm->by_id, self->id);
  tasks_farewell (slurm, self, self->state == JOB_GRANTED ? reason_of_end (self, row) : NULL);
}

/* ---- one after another ---- */

static void
follow_running (Job *self, const SlurmJob *row)
{
  if (self->state == JOB_ASKED)
    grant (self, row);
  if (self->state == JOB_UNWANTED)
    make_end (self, SIGNAL_KILL);
  else if (self->until_us != 0 && self->deadline == 0)
    make_end (self, SIGNAL_KILL);
  else
    look_at_time (self, row);
}

static void
follow (const SlurmJob *row, gpointer user_data)
{
  Slurm *slurm = user_data;
  Job *self = g_hash_table_lookup (slurm->by_id, row->id);
  /* One that nobody knows is what is left of an sbatch whose answer was lost. */
  if (self == NULL && row->phase != PHASE_OVER && row->phase != PHASE_ENDING)
    self = job_new (slurm, row->id, 0, JOB_UNWANTED);
  if (self == NULL)
    return;
  self->is_listed = TRUE;
  switch (row->phase)
    {
    case PHASE_WAITING:
      if (self->state == JOB_ASKED && answers_is_hopeless (row->reason))
        refuse (self, row->reason);
      else if (self->state == JOB_UNWANTED)
        make_end (self, SIGNAL_CANCEL);
      break;
    case PHASE_RUNNING:
      follow_running (self, row);
      break;
    case PHASE_OVER:
      part (self, row);
      break;
    case PHASE_ENDING:
    case PHASE_UNKNOWN:
      break;
    }
}

gboolean
jobs_follow (Slurm *self, const char *text, GError **error)
{
  for (guint i = 0; i < self->jobs->len; i++)
    ((Job *)self->jobs->pdata[i])->is_listed = FALSE;
  guint n_known = self->jobs->len;
  if (!answers_read_jobs (text, follow, self, error))
    return FALSE;
  for (guint i = 0; i < n_known; i++)
    {
      Job *job = self->jobs->pdata[i];
      if (!job->is_listed && !job->is_over)
        part (job, NULL);
    }
  return TRUE;
}
