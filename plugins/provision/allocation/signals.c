/* signals.c - signals to commands, by another srun
 *
 * A signal to a step reaches all its tasks. So a small step beside it (srun --overlap) sends a
 * signal to single commands, on any number of hosts at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "allocation.h"

#include <signal.h>
#include <string.h>

/* How long the report of a killed command's end may take, before the command counts as left
 * behind. */
#define REPORT_US ((gint64)10000000)

/* Arguments: the signal, HOST=PID... A command may have ended meanwhile. */
static const char script[] = "signal=$1; shift\n"
                             "for pair; do\n"
                             "  case $pair in\n"
                             "    \"$SLURMD_NODENAME=\"*) kill -s $signal \"${pair#*=}\" ;;\n"
                             "  esac\n"
                             "done 2>/dev/null\n"
                             "exit 0\n";

static const char *const names[] = { "TERM", "KILL" };

static void
tell (Machine *self, gboolean is_kill)
{
  char *pair = g_strdup_printf ("%s=%" G_GINT64_FORMAT, self->host, self->pid);
  g_ptr_array_add (self->owner->told[is_kill ? 1 : 0], pair);
  allocation_post (self->owner);
}

static void
on_not_reported (gpointer user_data)
{
  Machine *self = user_data;
  self->deadline = 0;
  if (self->lease == NULL)
    return;
  satin_leases_leave_behind (self->owner->leases, satin_lease_get_name (self->lease));
  machine_end (self, NULL);
}

static void
on_deadline (gpointer user_data)
{
  Machine *self = user_data;
  self->is_killed = TRUE;
  self->deadline = satin_loop_timer_add (self->owner->loop, REPORT_US, on_not_reported, self);
  if (self->pid > 0)
    tell (self, TRUE);
}

void
machine_stop (SatinLease *lease, gint64 deadline_us, gpointer user_data)
{
  Machine *self = satin_lease_get_data (lease);
  Allocation *owner = self->owner;
  gint64 stop_at_us = satin_loop_now_us (owner->loop) + deadline_us;
  if (g_ptr_array_find (owner->wanted, self, NULL))
    {
      machine_end (self, NULL);
      g_ptr_array_remove (owner->wanted, self);
      return;
    }
  if (self->is_killed || (self->is_unwanted && stop_at_us >= self->stop_at_us))
    return;
  if (!self->is_unwanted && self->pid > 0)
    tell (self, FALSE);
  self->is_unwanted = TRUE;
  self->stop_at_us = stop_at_us;
  satin_loop_timer_cancel (owner->loop, &self->deadline);
  self->deadline = satin_loop_timer_add (owner->loop, deadline_us, on_deadline, self);
}

void
machine_started (Machine *self)
{
  if (self->is_unwanted)
    tell (self, self->is_killed);
}

static void
on_sent (SatinCommand *command, int wait_status, GBytes *output, gpointer user_data)
{
  g_ptr_array_remove (((Allocation *)user_data)->callers, command);
}

/* Makes the list of hosts for --nodelist. */
static char *
list_hosts (const GPtrArray *pairs)
{
  GString *list = g_string_new (NULL);
  for (guint i = 0; i < pairs->len; i++)
    {
      const char *pair = g_ptr_array_index (pairs, i);
      g_string_append_printf (list, "%s%.*s", i > 0 ? "," : "", (int)strcspn (pair, "="), pair);
    }
  return g_string_free (list, FALSE);
}

/* If the srun cannot be started, the commands are killed at their deadlines or, at last, end with
 * the allocation. */
static void
send (Allocation *self, const GPtrArray *pairs, const char *signal_name)
{
  g_autofree char *hosts = list_hosts (pairs);
  g_autofree char *nodelist = g_strconcat ("--nodelist=", hosts, NULL);
  g_autofree char *n_nodes = g_strdup_printf ("--nodes=%u", pairs->len);
  g_autofree char *n_tasks = g_strdup_printf ("--ntasks=%u", pairs->len);
  g_autoptr (GPtrArray) line = g_ptr_array_new ();
  const char *const words[] = { "srun",       "--quiet", "--overlap", "--ntasks-per-node=1",
                                "--mpi=none", nodelist,  n_nodes,     n_tasks,
                                "/bin/sh",    "-c",      script,      "sh",
                                signal_name };
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    g_ptr_array_add (line, (gpointer)words[i]);
  for (guint i = 0; i < pairs->len; i++)
    g_ptr_array_add (line, g_ptr_array_index (pairs, i));
  g_ptr_array_add (line, NULL);
  const SatinCommandOptions options = { .arguments = (const char *const *)line->pdata,
                                        .environment = (const char *const *)self->environment };
  g_autoptr (GError) error = NULL;
  SatinCommand *command =
      satin_command_start (satin_loop_get_context (self->loop), &options, on_sent, self, &error);
  if (command != NULL)
    g_ptr_array_add (self->callers, command);
  else
    g_warning ("cannot send SIG%s to %s: %s", signal_name, hosts, error->message);
}

void
signals_send (Allocation *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (self->told[i]->len > 0)
      {
        send (self, self->told[i], names[i]);
        g_ptr_array_set_size (self->told[i], 0);
      }
}
