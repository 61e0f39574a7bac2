/* machine.c - a machine: one command on a host
 *
 *   WAITS -----------------> ORDERED -----------------> RUNS -----------------> (gone)
 *         session is ready           warden started it       command has ended
 *
 * A machine that is withdrawn while it WAITS ends at once. Otherwise its command gets SIGTERM at
 * once or, if it does not run yet, as soon as it does, and SIGKILL at the deadline.
 *
 * The warden is a script that runs on the host, and starts and ends commands there (warden.sh).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision-ssh.h"

#include <satin/adapt/command.h>

typedef enum
{
  MACHINE_WAITS,   /* waits for the session to be ready */
  MACHINE_ORDERED, /* the warden was told to start it */
  MACHINE_RUNS,    /* the warden has said that it runs */
} MachineState;

typedef struct
{
  Site *site;        /* (borrowed) */
  SatinLease *lease; /* (borrowed) */
  guint64 number;    /* the machine's number for the warden */
  MachineState state;
  guint pid; /* on the host, when it runs */
  gboolean is_stopped;
  gboolean is_killed;
  gint64 kill_at_us;  /* if @is_stopped: when it gets SIGKILL */
  SatinTimerId timer; /* until it is killed, or the warden's answer is overdue */
} Machine;

static void
machine_free (gpointer data)
{
  Machine *self = data;
  satin_loop_timer_cancel (self->site->ssh->loop, &self->timer);
  g_free (self);
}

GHashTable *
machines_new (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, machine_free);
}

/* Ends the lease and frees @self. */
static void
end (Machine *self, const GError *reason)
{
  SatinLease *lease = self->lease;
  g_hash_table_remove (self->site->machines, &self->number);
  satin_lease_ended (lease, reason);
}

/* ---- deadlines ---- */

static void on_time (gpointer user_data);

static void
set_timer (Machine *self, gint64 delay_us)
{
  SatinLoop *loop = self->site->ssh->loop;
  satin_loop_timer_cancel (loop, &self->timer);
  self->timer = satin_loop_timer_add (loop, MAX (delay_us, 0), on_time, self);
}

static void
signal_command (Machine *self, const char *order)
{
  session_order (self->site->session,
                 g_strdup_printf ("%s %" G_GUINT64_FORMAT " %u\n", order, self->number, self->pid));
}

static void
on_time (gpointer user_data)
{
  Machine *self = user_data;
  Site *site = self->site;
  self->timer = 0;
  if (self->state == MACHINE_RUNS && !self->is_killed)
    {
      self->is_killed = TRUE;
      signal_command (self, "kill");
      set_timer (self, site->server.timeout_us);
      return;
    }
  site_give_up (site,
                g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                             "%s: it did not %s a command in time: is it overloaded, or does "
                             "a disk of it hang?",
                             site->entry->name, self->state == MACHINE_RUNS ? "end" : "start"));
}

/* ---- starting and stopping ---- */

static void
order_start (Machine *self)
{
  Site *site = self->site;
  const SatinStart *start = site->ssh->start;
  const char *const output[] = { site->ssh->output, NULL };
  const SatinStart output_start = { .struct_size = sizeof (SatinStart), .arguments = output };
  g_autofree char *name = start->program != NULL ? g_path_get_basename (start->program) : NULL;
  g_autofree char *program =
      name != NULL ? g_strconcat (site->folder, "/files/", name, NULL) : NULL;
  g_auto (GStrv) arguments = satin_start_arguments (start, self->lease, program);
  g_auto (GStrv) outputs = satin_start_arguments (&output_start, self->lease, NULL);
  const ScriptCommand command = {
    .number = self->number,
    .arguments = (const char *const *)arguments,
    .variables = start->variables,
    .output = outputs[0],
    .secret = start->secret,
  };
  self->state = MACHINE_ORDERED;
  session_order (site->session, script_start (&command));
  set_timer (self, site->ssh->patience_us);
}

static gboolean
is_ready (const Site *site)
{
  return site->session != NULL && site->folder != NULL && site->verdict == NULL;
}

static void
start_machine (SatinLease *lease, gpointer user_data)
{
  Site *site = user_data;
  Machine *self = g_new0 (Machine, 1);
  self->site = site;
  self->lease = lease;
  self->number = ++site->n_machines;
  satin_lease_set_data (lease, self);
  g_hash_table_insert (site->machines, &self->number, self);
  if (is_ready (site))
    order_start (self);
  else
    site_connect (site);
}

/* Sends SIGTERM if this is the first stop, and sets the timer to kill_at_us. */
static void
wind_up (Machine *self, gboolean is_first)
{
  if (is_first)
    signal_command (self, "term");
  if (!self->is_killed)
    set_timer (self, self->kill_at_us - satin_loop_now_us (self->site->ssh->loop));
}

static void
stop_machine (SatinLease *lease, gint64 deadline_us, gpointer user_data)
{
  Machine *self = satin_lease_get_data (lease);
  gboolean is_first = !self->is_stopped;
  self->is_stopped = TRUE;
  self->kill_at_us = satin_loop_now_us (self->site->ssh->loop) + deadline_us;
  if (self->state == MACHINE_WAITS)
    end (self, NULL);
  else if (self->state == MACHINE_RUNS && is_ready (self->site))
    wind_up (self, is_first);
}

const SatinLeaseOps machine_ops = {
  .struct_size = sizeof (SatinLeaseOps),
  .start = start_machine,
  .stop = stop_machine,
};

/* ---- events of the session ---- */

/* Returns: (transfer container): the site's machines. The list stays valid while the caller frees
 * machines */
static GList *
list_machines (Site *site)
{
  return g_hash_table_get_values (site->machines);
}

void
machines_begin (Site *site)
{
  g_autoptr (GList) machines = list_machines (site);
  for (GList *at = machines; at != NULL; at = at->next)
    order_start (at->data);
}

void
machines_fail (Site *site, const GError *error)
{
  g_autoptr (GList) machines = list_machines (site);
  for (GList *at = machines; at != NULL; at = at->next)
    end (at->data, error);
}

static void
on_runs (Machine *self, guint pid)
{
  self->state = MACHINE_RUNS;
  self->pid = pid;
  satin_loop_timer_cancel (self->site->ssh->loop, &self->timer);
  satin_lease_started (self->lease);
  if (self->is_stopped && is_ready (self->site))
    wind_up (self, TRUE);
}

static void
on_ended (Machine *self, const Answer *answer)
{
  g_autoptr (GError) error = NULL;
  gboolean is_good = satin_command_check (script_wait_status (answer->value), &error);
  g_autofree char *said = script_decode_said (answer->text);
  g_autofree char *complaint = satin_command_last_line (said);
  if (is_good && self->state != MACHINE_RUNS)
    g_set_error_literal (&error, SATIN_ERROR, SATIN_ERROR_JOB, "ended before it began");
  if (error != NULL)
    g_prefix_error (&error, "%s ", satin_lease_get_name (self->lease));
  if (error != NULL && *complaint != '\0')
    {
      g_autofree char *message = g_steal_pointer (&error->message);
      error->message = g_strdup_printf ("%s: %s", message, complaint);
    }
  satin_lease_said (self->lease, said);
  end (self, error);
}

static void
on_refused (Machine *self, const char *reason)
{
  Site *site = self->site;
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_IO, "%s: %s", site->entry->name, reason);
  end (self, error);
  site_rest (site, error);
}

void
machines_answer (Site *site, const Answer *answer)
{
  Machine *self = g_hash_table_lookup (site->machines, &answer->number);
  if (self == NULL || self->state == MACHINE_WAITS)
    return;
  if (answer->kind == ANSWER_ENDED)
    on_ended (self, answer);
  else if (self->state != MACHINE_ORDERED)
    return;
  else if (answer->kind == ANSWER_RUNS)
    on_runs (self, answer->value);
  else
    on_refused (self, answer->text);
}
