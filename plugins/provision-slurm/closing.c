/* closing.c - gives all back, and says what may be left
 *
 * All is cancelled and withdrawn; what Slurm still lists is looked at until it lists nothing, and
 * nobody waits longer than patience for that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm.h"

static void
finish (Slurm *self, GError *error)
{
  self->is_finishing = TRUE;
  satin_loop_timer_cancel (self->loop, &self->look_timer);
  satin_loop_timer_cancel (self->loop, &self->close_timer);
  tasks_finish (self, error);
}

/* The host is told that they have ended, as nobody will tell it later. Returns: (transfer full) */
static GError *
give_up (Slurm *self)
{
  g_autoptr (GString) ids = g_string_new (NULL);
  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = self->jobs->pdata[i];
      if (job->is_over)
        continue;
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? ", " : "", job->id);
      job->is_over = TRUE;
      g_autoptr (GError) error = g_error_new (
          SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s: Slurm does not say that it has ended", job->name);
      if (job->state == JOB_GRANTED)
        self->host.ended (job->name, error, self->user_data);
    }
  return g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                      "Slurm has not ended %s%s within %.3g s%s%s: look with squeue --name=%s, and "
                      "end what is left with scancel --name=%s",
                      ids->len > 0 ? "job " : "all jobs", ids->str,
                      (double)self->settings.patience_us / G_USEC_PER_SEC,
                      *self->trouble != '\0' ? ", " : "", self->trouble, self->job_name,
                      self->job_name);
}

static void
on_patience_over (gpointer user_data)
{
  Slurm *self = user_data;
  self->close_timer = 0;
  clerk_interrupt (self->clerk);
  self->is_finishing = TRUE;
  finish (self, give_up (self));
}

void
closing_looked (Slurm *self)
{
  if (self->jobs->len == 0 && self->submitting.length == 0 && !self->is_telling
      && !self->is_finishing)
    finish (self, NULL);
}

void
closing_begin (Slurm *self, SatinDoneFunc done, gpointer user_data)
{
  self->is_closing = TRUE;
  self->closed = done;
  self->closed_data = user_data;
  slurm_cancel (self, TRUE, 0);
  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = self->jobs->pdata[i];
      if (job->state == JOB_GRANTED)
        job_withdraw (job, SATIN_PROVISION_CLOSE_US);
    }
  self->close_timer = satin_loop_timer_add (
      self->loop, SATIN_PROVISION_CLOSE_US + self->settings.patience_us, on_patience_over, self);
  /* Who has asked Slurm for nothing has nothing there. */
  if (self->serial == 0)
    {
      clerk_interrupt (self->clerk);
      finish (self, NULL);
    }
  else
    slurm_look_soon (self);
}

void
slurm_free (Slurm *self)
{
  clerk_free (self->clerk);
  staging_free (self->staging);
  for (guint i = 0; i < N_SIGNALS; i++)
    g_ptr_array_unref (self->told[i]);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->draining);
  g_ptr_array_unref (self->jobs);
  g_ptr_array_unref (self->offers);
  g_strfreev (self->start.arguments);
  g_strfreev (self->start.variables);
  g_strfreev (self->start.files);
  g_free (self->start.program);
  g_clear_pointer (&self->start.secret, g_bytes_unref);
  settings_clear (&self->settings);
  g_free (self->job_name);
  g_free (self->trouble);
  g_free (self);
}

void
closing_finished (Slurm *self, const GError *error)
{
  SatinDoneFunc closed = self->closed;
  gpointer closed_data = self->closed_data;
  slurm_free (self);
  closed (error, closed_data);
}
