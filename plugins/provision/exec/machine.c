/* machine.c - one machine: started, watched and stopped by the script
 *
 *   starting --> running --> stopping --> (gone)
 *         |                    ^
 *         +--------------------+   failed, cancelled
 *
 * The last call for a machine is "stop", even if the machine failed to start or has ended, so that
 * the script can clean up. Only if the script cannot be executed for "start", there is no "stop".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision-exec.h"

#include <signal.h>
#include <string.h>

/* How many times "stop" is called if it fails each time. */
#define N_STOPS 3

/* How long a script that is starting a cancelled machine has to clean up after SIGTERM. */
#define CANCEL_US ((gint64)1000000)

static void stop_now (Machine *self);

static void
on_overdue (gpointer user_data)
{
  Machine *self = user_data;
  self->timer = 0;
  self->is_overdue = TRUE;
  satin_command_signal (self->call, SIGKILL);
}

static void
watch_call (Machine *self, gint64 timeout_us)
{
  self->is_overdue = FALSE;
  self->timer = satin_loop_timer_add (self->exec->loop, timeout_us, on_overdue, self);
}

/* Returns: (transfer full) (nullable): why the call failed */
static GError *
end_call (Machine *self, const char *verb, int wait_status, GBytes *output)
{
  satin_loop_timer_cancel (self->exec->loop, &self->timer);
  g_clear_pointer (&self->call, satin_command_free);
  return call_failure (self->exec, verb, wait_status, output, self->is_overdue);
}

/* ---- stopping ---- */

static void
machine_gone (Machine *self)
{
  satin_lease_ended (self->lease, self->reason);
  g_ptr_array_remove (self->exec->machines, self);
}

static void
stop_failed (Machine *self, const GError *error)
{
  if (++self->n_stops < N_STOPS)
    {
      stop_now (self);
      return;
    }
  g_autofree char *what =
      g_strdup_printf ("%s (%s)", satin_lease_get_name (self->lease), error->message);
  satin_leases_leave_behind (self->exec->leases, what);
  machine_gone (self);
}

static void
on_stopped (SatinCommand *command, int wait_status, GBytes *output, gpointer user_data)
{
  Machine *self = user_data;
  g_autoptr (GError) error = end_call (self, "stop", wait_status, output);
  gboolean is_restarted = self->is_restarted;
  self->is_restarted = FALSE;
  if (error == NULL)
    machine_gone (self);
  else if (is_restarted)
    stop_now (self);
  else
    stop_failed (self, error);
}

static void
stop_now (Machine *self)
{
  Exec *exec = self->exec;
  g_autoptr (GError) error = NULL;
  gint64 left_us = self->is_unwanted ? self->stop_at_us - satin_loop_now_us (exec->loop) : 0;
  g_autofree char *left_ms = g_strdup_printf ("%" G_GINT64_FORMAT, (MAX (left_us, 0) + 999) / 1000);
  const char *const words[] = { "stop", satin_lease_get_name (self->lease), left_ms, NULL };
  self->state = MACHINE_STOPPING;
  self->call = call_script (exec, words, NULL, on_stopped, self, &error);
  if (self->call != NULL)
    watch_call (self, MAX (left_us, 0) + exec->timeout_us);
  else
    stop_failed (self, error);
}

void
machine_stop (SatinLease *lease, gint64 deadline_us, gpointer user_data)
{
  Machine *self = satin_lease_get_data (lease);
  self->is_unwanted = TRUE;
  self->stop_at_us = satin_loop_now_us (self->exec->loop) + deadline_us;
  switch (self->state)
    {
    case MACHINE_STARTING:
      satin_command_stop (self->call, CANCEL_US);
      break;
    case MACHINE_RUNNING:
      stop_now (self);
      break;
    case MACHINE_STOPPING:
      self->is_restarted = TRUE;
      satin_command_signal (self->call, SIGKILL);
      break;
    }
}

void
machine_end (Machine *self, GError *reason)
{
  self->reason = reason;
  stop_now (self);
}

void
machine_take_line (Machine *self, const char *word, gint64 number)
{
  self->is_seen = FALSE;
  if (word == NULL || self->state != MACHINE_RUNNING)
    return;
  if (strcmp (word, "leaves") == 0)
    satin_lease_notice (self->lease, number * G_USEC_PER_SEC);
  else
    machine_end (self, number == 0 ? NULL
                                   : g_error_new (SATIN_ERROR, SATIN_ERROR_JOB,
                                                  "%s ended with exit status %" G_GINT64_FORMAT,
                                                  satin_lease_get_name (self->lease), number));
}

/* ---- starting ---- */

static void
on_started (SatinCommand *command, int wait_status, GBytes *output, gpointer user_data)
{
  Machine *self = user_data;
  GError *error = end_call (self, "start", wait_status, output);
  if (error != NULL || self->is_unwanted)
    {
      machine_end (self, error);
      return;
    }
  self->state = MACHINE_RUNNING;
  satin_lease_started (self->lease);
  poll_soon (self->exec);
}

/* Returns: (transfer full): the command, with "env" and the variables in front if there are any */
static GStrv
make_command (const Exec *exec, const SatinLease *lease)
{
  g_autoptr (GStrvBuilder) line = g_strv_builder_new ();
  g_auto (GStrv) arguments = satin_start_arguments (exec->start, lease, exec->program);
  if (exec->start->variables[0] != NULL)
    g_strv_builder_add (line, "env");
  g_strv_builder_addv (line, (const char **)exec->start->variables);
  g_strv_builder_addv (line, (const char **)arguments);
  return g_strv_builder_end (line);
}

void
machine_start (SatinLease *lease, gpointer user_data)
{
  Exec *exec = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) command = make_command (exec, lease);
  const char *const words[] = { "start", satin_lease_get_name (lease), NULL };
  Machine *self = g_new0 (Machine, 1);
  self->exec = exec;
  self->lease = lease;
  satin_lease_set_data (lease, self);
  g_ptr_array_add (exec->machines, self);
  self->call = call_script (exec, words, (const char *const *)command, on_started, self, &error);
  if (self->call != NULL)
    {
      watch_call (self, exec->start_timeout_us);
      return;
    }
  /* The script itself could not be started, so there is nothing to clean up. */
  self->reason = g_steal_pointer (&error);
  machine_gone (self);
}
