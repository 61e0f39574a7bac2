/* slurm.c - the handle: made, working, closed
 *
 * Signals, removals of files and submissions are collected, and done together in a later call,
 * on_turn(). Closing ends all leases. Then the handle looks at Slurm until all its jobs have ended,
 * but gives up `patience` after the time that leases may take to close (SATIN_PROVISION_CLOSE_US).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm.h"

static void
free_offer (gpointer data)
{
  Offer *self = data;
  g_free (self->cluster);
  g_free (self);
}

void
slurm_free (Slurm *self)
{
  for (guint i = 0; i < N_SIGNALS; i++)
    g_ptr_array_unref (self->told[i]);
  g_ptr_array_unref (self->rubbish);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->draining);
  g_ptr_array_unref (self->jobs);
  g_ptr_array_unref (self->offers);
  satin_start_free (self->start);
  settings_clear (&self->settings);
  g_strfreev (self->environment);
  g_clear_error (&self->left);
  g_free (self->job_name);
  g_free (self->folder);
  g_free (self->trouble);
  g_free (self);
}

Slurm *
slurm_new (SatinLoop *loop)
{
  Slurm *self = g_new0 (Slurm, 1);
  self->loop = loop;
  /* The name must be unique everywhere, so it does not come from the loop's random numbers, which
   * depend on a seed. */
  g_autofree char *unique = g_uuid_string_random ();
  self->job_name = g_strconcat ("satin-", unique, NULL);
  self->jobs = g_ptr_array_new_with_free_func (job_free);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->offers = g_ptr_array_new_with_free_func (free_offer);
  self->draining = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->rubbish = g_ptr_array_new_with_free_func (g_free);
  self->trouble = g_strdup ("");
  self->environment = calls_environment ();
  for (guint i = 0; i < N_SIGNALS; i++)
    self->told[i] = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/* ---- the turn ---- */

static void
tell (Slurm *self, JobSignal signal, const char *option)
{
  GPtrArray *ids = self->told[signal];
  /* Errors are ignored: scancel also fails for jobs that have ended, and jobs that must end and do
   * not are signalled again. */
  const Call call = { .arguments = call_arguments ("scancel", NULL) };
  if (option != NULL)
    {
      call_add_argument (call.arguments, "--batch");
      call_add_argument (call.arguments, option);
    }
  g_ptr_array_extend_and_steal (call.arguments, ids);
  self->told[signal] = g_ptr_array_new_with_free_func (g_free);
  call_add (self, &call);
}

/* Sends all collected signals. SIGKILL is sent before jobs are cancelled, because Slurm gives a
 * cancelled job time to end (KillWait). */
static void
tell_all (Slurm *self)
{
  static const char *const options[N_SIGNALS] = { "--signal=TERM", "--signal=KILL", NULL };
  for (guint i = 0; i < N_SIGNALS; i++)
    if (self->told[i]->len > 0)
      {
        tell (self, i, options[i]);
        look_soon (self);
      }
}

/* Removes files that are no longer needed. While closing, does nothing: the whole folder is removed
 * at the end. */
static void
remove_rubbish (Slurm *self)
{
  if (self->rubbish->len == 0 || self->closed != NULL)
    return;
  const Call call = { .arguments = call_arguments ("rm", "-f", "--", NULL), .is_long = TRUE };
  g_ptr_array_extend_and_steal (call.arguments, self->rubbish);
  self->rubbish = g_ptr_array_new_with_free_func (g_free);
  call_add (self, &call);
}

static void
on_turn (gpointer user_data)
{
  Slurm *self = user_data;
  self->is_posted = FALSE;
  if (self->is_finishing)
    return;
  tell_all (self);
  remove_rubbish (self);
  submit_next (self);
}

void
slurm_post (Slurm *self)
{
  if (!self->is_posted)
    satin_loop_post (self->loop, on_turn, self);
  self->is_posted = TRUE;
}

/* ---- closing ---- */

static void
on_finished (gpointer user_data)
{
  Slurm *self = user_data;
  SatinDoneFunc closed = self->closed;
  gpointer closed_data = self->closed_data;
  g_autoptr (GError) left = g_steal_pointer (&self->left);
  slurm_free (self);
  closed (left, closed_data);
}

static void
on_removed (Slurm *self, const char *output, const GError *error, gpointer data)
{
  if (error != NULL && self->left == NULL)
    self->left = g_error_copy (error);
  satin_loop_post (self->loop, on_finished, self);
}

static void
finish (Slurm *self)
{
  const Call call = {
    .arguments = call_arguments ("rm", "-rf", "--", self->folder, NULL),
    .is_long = TRUE,
    .done = on_removed,
  };
  self->is_finishing = TRUE;
  calls_interrupt (self);
  satin_loop_timer_cancel (self->loop, &self->look_timer);
  satin_loop_timer_cancel (self->loop, &self->close_timer);
  call_add (self, &call);
}

void
slurm_try_finish (Slurm *self)
{
  if (self->closed != NULL && self->leases == NULL && self->jobs->len == 0 && !self->is_finishing)
    finish (self);
}

static void
on_patience_over (gpointer user_data)
{
  Slurm *self = user_data;
  self->close_timer = 0;
  self->is_finishing = TRUE;
  calls_interrupt (self);
  self->left = jobs_give_up (self);
  if (self->leases == NULL)
    finish (self);
}

static void
on_leases_closed (const GError *error, gpointer user_data)
{
  Slurm *self = user_data;
  self->leases = NULL;
  /* Without any submission, Slurm has no jobs of this handle. */
  if (self->serial == 0 || self->is_finishing)
    finish (self);
  else
    look_soon (self);
}

void
slurm_close (Slurm *self, SatinDoneFunc done, gpointer user_data)
{
  self->closed = done;
  self->closed_data = user_data;
  self->close_timer = satin_loop_timer_add (
      self->loop, SATIN_PROVISION_CLOSE_US + self->settings.patience_us, on_patience_over, self);
  satin_leases_close (self->leases, on_leases_closed, self);
}
