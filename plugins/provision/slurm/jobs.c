/* jobs.c - the life of a job: granted, signalled, ended
 *
 *   asked --> submitting --> waiting --> running --> over
 *     |           |            |                     ^
 *     +-----------+--> (gone)  +---------------------+
 *      not wanted, or refused
 *
 * A job is wanted as long as it has a lease (satin/adapt/leases.h). A job without a lease is ended,
 * and is kept until Slurm no longer has it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "script.h"
#include "slurm.h"

#include <sys/wait.h>

/* The pause before a job that does not end is signalled again. */
#define AGAIN_US ((gint64)3000000)

/* How many bytes at the end of a command's standard error are read. */
#define COMPLAINT_BYTES G_STRINGIFY (SATIN_LEASE_MAX_SAID_BYTES)

Job *
job_new (Slurm *self, SatinLease *lease)
{
  Job *job = g_new0 (Job, 1);
  job->slurm = self;
  job->lease = lease;
  if (lease != NULL)
    satin_lease_set_data (lease, job);
  g_ptr_array_add (self->jobs, job);
  return job;
}

void
job_free (gpointer data)
{
  Job *self = data;
  satin_loop_timer_cancel (self->slurm->loop, &self->deadline);
  g_clear_error (&self->reason);
  g_free (self->id);
  g_free (self->node);
  g_free (self->files);
  g_free (self);
}

void
job_set_id (Job *self, const char *id)
{
  self->id = g_strdup (id);
  self->state = JOB_WAITING;
  g_hash_table_insert (self->slurm->by_id, self->id, self);
}

void
job_remove (Job *self)
{
  Slurm *slurm = self->slurm;
  if (self->id != NULL)
    g_hash_table_remove (slurm->by_id, self->id);
  g_ptr_array_remove (slurm->jobs, self);
}

void
job_drop_files (Job *self)
{
  static const char *const kinds[] = { "secret-", "complaint-" };
  for (guint i = 0; self->files != NULL && i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat (kinds[i], self->files, NULL);
      g_ptr_array_add (self->slurm->rubbish, g_build_filename (self->slurm->folder, name, NULL));
    }
}

static void
end_lease (Job *self, const GError *reason)
{
  if (self->lease != NULL)
    satin_lease_ended (self->lease, reason);
  self->lease = NULL;
}

/* ---- signals ---- */

void
job_signal (Job *self, JobSignal signal)
{
  g_ptr_array_add (self->slurm->told[signal], g_strdup (self->id));
  slurm_post (self->slurm);
}

static void
tell_to_end (Job *self)
{
  if (!self->is_told)
    job_signal (self, SIGNAL_TERM);
  self->is_told = TRUE;
}

/* Ends a job. If it runs, its command is killed, and Slurm ends the rest; else it is cancelled. A
 * running job that does not end (a signal may be lost) is killed again after a pause, and also
 * cancelled. Cancelling is not the first step, because Slurm then sends SIGTERM and waits. */
static void
make_end (Job *self)
{
  gint64 now_us = satin_loop_now_us (self->slurm->loop);
  gboolean is_running = self->state == JOB_RUNNING;
  if (self->signalled_us != 0 && now_us < self->signalled_us + AGAIN_US)
    return;
  if (is_running)
    job_signal (self, SIGNAL_KILL);
  if (!is_running || self->signalled_us != 0)
    job_signal (self, SIGNAL_CANCEL);
  self->signalled_us = now_us;
}

static void
on_deadline (gpointer user_data)
{
  Job *self = user_data;
  self->deadline = 0;
  make_end (self);
}

/* Sends SIGTERM only once: a Satin node takes a second SIGTERM as an order to end at once. */
void
job_withdraw (Job *self, gint64 deadline_us)
{
  SatinLoop *loop = self->slurm->loop;
  self->until_us = satin_loop_now_us (loop) + deadline_us;
  tell_to_end (self);
  satin_loop_timer_cancel (loop, &self->deadline);
  self->deadline = satin_loop_timer_add (loop, deadline_us, on_deadline, self);
}

void
job_refuse (Job *self, const GError *reason)
{
  end_lease (self, reason);
  if (self->state == JOB_WAITING || self->state == JOB_RUNNING)
    make_end (self);
  else if (self->state == JOB_ASKED)
    job_remove (self);
}

/* ---- changes that Slurm reports ---- */

static const char *
name_of (const Job *self)
{
  return satin_lease_get_name (self->lease);
}

static void
grant (Job *self, const SlurmJob *row)
{
  g_autofree char *name = script_machine_name (self->id, row->node);
  self->node = g_strdup (row->node);
  satin_lease_set_machine (self->lease, name, row->partition);
  satin_lease_started (self->lease);
}

static void
refuse_as_hopeless (Job *self, const char *why)
{
  g_autoptr (GError) error = g_error_new (SATIN_ERROR, SATIN_ERROR_INVALID,
                                          "Slurm does not run job %s: %s", self->id, why);
  job_refuse (self, error);
}

/* Tells the command to end, and gives the caller notice, before Slurm takes the job away: when it
 * is preempted, and at the time `warning` before the end of the job's time, or when a quarter of
 * its time is left if that is later. When the node drains, only gives notice. */
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
  satin_lease_notice (self->lease, row->end_s != 0 ? left_us : G_MAXINT64);
}

/* ---- why it has ended ---- */

static GError *
command_reason (const Job *self, int status)
{
  if (WIFSIGNALED (status))
    return g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "%s: its command was killed by signal %d",
                        name_of (self), WTERMSIG (status));
  return g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "%s: its command ended with status %d",
                      name_of (self), WEXITSTATUS (status));
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
};

/* Returns: (transfer full) (nullable): %NULL for a normal end */
static GError *
reason_of_end (const Job *self, const SlurmJob *row)
{
  if (self->until_us != 0 || (row != NULL && g_str_equal (row->state, "COMPLETED")))
    return NULL;
  if (row == NULL)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                        "%s: Slurm has forgotten it: make poll shorter than its MinJobAge",
                        name_of (self));
  if (answers_is_out_of_memory (row))
    return g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                        "%s: it needed more memory: give more with memory=", name_of (self));
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_str_equal (row->state, reasons[i].state))
      return g_error_new (SATIN_ERROR, reasons[i].code, "%s: %s", name_of (self),
                          reasons[i].reason);
  if (row->wait_status != 0)
    return command_reason (self, row->wait_status);
  return g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "%s: Slurm says %s, %s", name_of (self),
                      row->state, row->reason);
}

/* ---- its end ---- */

static void
finish (Job *self)
{
  job_drop_files (self);
  end_lease (self, self->reason);
  job_remove (self);
}

static void
on_complaint (Slurm *slurm, const char *output, const GError *error, gpointer data)
{
  Job *self = data;
  const char *text = output != NULL ? output : "";
  g_autofree char *line = satin_command_last_line (text);
  if (self->lease != NULL)
    satin_lease_said (self->lease, text);
  if (*line != '\0')
    {
      g_autoptr (GError) reason = g_steal_pointer (&self->reason);
      self->reason = g_error_new (SATIN_ERROR, reason->code, "%s: %s", reason->message, line);
    }
  finish (self);
}

static void
read_complaint (Job *self)
{
  g_autofree char *name = g_strconcat ("complaint-", self->files, NULL);
  g_autofree char *path = g_build_filename (self->slurm->folder, name, NULL);
  const Call call = {
    .arguments = call_arguments ("tail", "-c", COMPLAINT_BYTES, "--", path, NULL),
    .is_long = TRUE,
    .done = on_complaint,
    .data = self,
  };
  call_add (self->slurm, &call);
}

/* Ends a job that Slurm no longer has. @row: (nullable): %NULL when squeue does not list it any
 * more */
static void
part (Job *self, const SlurmJob *row)
{
  gboolean has_run = self->state == JOB_RUNNING;
  if (!has_run && self->lease != NULL && row != NULL && *row->node != '\0' && row->start_s != 0)
    {
      grant (self, row);
      has_run = TRUE;
    }
  self->state = JOB_OVER;
  satin_loop_timer_cancel (self->slurm->loop, &self->deadline);
  if (!has_run)
    refuse_as_hopeless (self, row != NULL ? row->state : "it is not known any more");
  else if (self->lease != NULL)
    self->reason = reason_of_end (self, row);
  if (self->reason != NULL && self->slurm->settings.has_complaint)
    read_complaint (self);
  else
    finish (self);
}

/* ---- the output of squeue ---- */

static void
follow_running (Job *self, const SlurmJob *row)
{
  if (self->state != JOB_RUNNING && self->lease != NULL)
    grant (self, row);
  self->state = JOB_RUNNING;
  if (self->lease == NULL || (self->until_us != 0 && self->deadline == 0))
    make_end (self);
  else
    look_at_time (self, row);
}

static void
follow_waiting (Job *self, const SlurmJob *row)
{
  if (self->lease == NULL)
    make_end (self);
  else if (answers_is_hopeless (row->reason))
    refuse_as_hopeless (self, row->reason);
}

static void
follow (const SlurmJob *row, gpointer user_data)
{
  Slurm *slurm = user_data;
  Job *self = g_hash_table_lookup (slurm->by_id, row->id);
  /* An unknown job was submitted by an sbatch whose answer was lost. */
  if (self == NULL && row->phase != PHASE_OVER && row->phase != PHASE_ENDING)
    {
      self = job_new (slurm, NULL);
      job_set_id (self, row->id);
    }
  if (self == NULL)
    return;
  self->is_listed = TRUE;
  if (self->state == JOB_OVER)
    return;
  switch (row->phase)
    {
    case PHASE_WAITING:
      follow_waiting (self, row);
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
  if (!answers_read_jobs (text, follow, self, error))
    return FALSE;
  /* Backwards, because part() may remove the job. */
  for (guint i = self->jobs->len; i > 0; i--)
    {
      Job *job = self->jobs->pdata[i - 1];
      if (!job->is_listed && (job->state == JOB_WAITING || job->state == JOB_RUNNING))
        part (job, NULL);
    }
  return TRUE;
}

GError *
jobs_give_up (Slurm *self)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = self->jobs->pdata[i];
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? ", " : "", job->id);
      end_lease (job, NULL);
    }
  g_ptr_array_set_size (self->jobs, 0);
  return g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                      "Slurm has not ended %s%s within %.3g s%s%s: look with squeue --name=%s, and "
                      "end what is left with scancel --name=%s",
                      ids->len > 0 ? "job " : "all jobs", ids->str,
                      (double)self->settings.patience_us / G_USEC_PER_SEC,
                      *self->trouble != '\0' ? ", " : "", self->trouble, self->job_name,
                      self->job_name);
}
