/* provision-allocation.c - the plugin "allocation": machines are the hosts of this allocation
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "allocation.h"

/* How often close looks whether the last srun has ended, and after how many looks it stops the
 * sruns. */
#define FINISH_US    ((gint64)20000)
#define FINISH_LOOKS 50

static const SatinParam params[] = {
  { "patience", SATIN_PARAM_DURATION, "5s",
    "how long to wait for hosts that another step of the allocation uses" },
  SATIN_WRAP_PARAMS,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* Variables of a batch script that change what srun does. */
static const char *const input_variables[] = {
  "SLURM_NTASKS",        "SLURM_NPROCS",       "SLURM_NNODES",       "SLURM_NTASKS_PER_NODE",
  "SLURM_CPUS_PER_TASK", "SRUN_CPUS_PER_TASK", "SLURM_DISTRIBUTION", "SLURM_LABELIO",
  "SLURM_UNBUFFEREDIO",  "SLURM_STDINMODE",    "SLURM_STDOUTMODE",   "SLURM_STDERRMODE"
};

/* ---- machines ---- */

static void
machine_free (gpointer data)
{
  Machine *self = data;
  satin_loop_timer_cancel (self->owner->loop, &self->deadline);
  g_free (self->host);
  g_free (self);
}

void
machine_end (Machine *self, const GError *reason)
{
  satin_loop_timer_cancel (self->owner->loop, &self->deadline);
  if (self->lease != NULL)
    satin_lease_ended (g_steal_pointer (&self->lease), reason);
}

/* Starts steps for all wanted machines. A step holds its hosts until its last task has ended. So a
 * machine that takes the place of one that has ended goes to a host of the old step, in a new step
 * beside it. */
static void
begin_steps (Allocation *self)
{
  GPtrArray *others = g_ptr_array_new_with_free_func (machine_free);
  GPtrArray *machines = g_steal_pointer (&self->wanted);
  g_autoptr (GPtrArray) hosts = steps_find_free (self);
  self->wanted = g_ptr_array_new_with_free_func (machine_free);
  for (guint i = 0; i < hosts->len && machines->len > 0; i++)
    {
      Machine *machine = g_ptr_array_steal_index (machines, machines->len - 1);
      machine->host = g_strdup (g_ptr_array_index (hosts, i));
      g_ptr_array_add (others, machine);
    }
  GPtrArray *const both[] = { machines, others };
  for (gsize i = 0; i < G_N_ELEMENTS (both); i++)
    if (both[i]->len > 0)
      step_begin (self, both[i]);
    else
      g_ptr_array_unref (both[i]);
}

static void
on_turn (gpointer user_data)
{
  Allocation *self = user_data;
  self->is_posted = FALSE;
  if (self->wanted->len > 0)
    begin_steps (self);
  signals_send (self);
}

void
allocation_post (Allocation *self)
{
  if (self->is_posted)
    return;
  self->is_posted = TRUE;
  satin_loop_post (self->loop, on_turn, self);
}

static void
machine_start (SatinLease *lease, gpointer user_data)
{
  Allocation *owner = user_data;
  Machine *self = g_new0 (Machine, 1);
  self->owner = owner;
  self->lease = lease;
  satin_lease_set_data (lease, self);
  g_ptr_array_add (owner->wanted, self);
  allocation_post (owner);
}

static const SatinLeaseOps lease_ops = {
  .struct_size = sizeof (SatinLeaseOps),
  .start = machine_start,
  .stop = machine_stop,
};

/* ---- opening, operations, closing ---- */

static gboolean
count_hosts (guint *ret_n, GError **error)
{
  guint64 n;
  const char *job = g_getenv ("SLURM_JOB_ID"), *hosts = g_getenv ("SLURM_JOB_NUM_NODES");
  g_autofree char *srun = g_find_program_in_path ("srun");
  if (job == NULL || hosts == NULL
      || !g_ascii_string_to_unsigned (hosts, 10, 1, SATIN_PROVISION_MAX, &n, NULL))
    g_set_error_literal (
        error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
        "there is no allocation here (SLURM_JOB_ID and SLURM_JOB_NUM_NODES are not "
        "set): use it within salloc or sbatch");
  else if (srun == NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "there is no command srun");
  else
    {
      *ret_n = (guint)n;
      return TRUE;
    }
  return FALSE;
}

static char **
make_environment (const SatinStart *start)
{
  char **environment = satin_start_environment (start);
  for (gsize i = 0; i < G_N_ELEMENTS (input_variables); i++)
    environment = g_environ_unsetenv (environment, input_variables[i]);
  return environment;
}

static gpointer
allocation_open (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
                 const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  guint n_hosts;
  if (satin_loop_get_context (loop) == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "processes need a loop with a GMainContext");
      return NULL;
    }
  if (!count_hosts (&n_hosts, error))
    return NULL;
  g_autoptr (SatinStart) copy = satin_start_copy (start, error);
  if (copy == NULL || !satin_start_set_wrap (copy, given, error))
    return NULL;
  Allocation *self = g_new0 (Allocation, 1);
  self->loop = loop;
  self->start = g_steal_pointer (&copy);
  self->environment = make_environment (self->start);
  self->patience_us = satin_params_get_duration_us (given, "patience");
  self->steps = g_ptr_array_new_with_free_func (step_free);
  self->wanted = g_ptr_array_new_with_free_func (machine_free);
  self->callers = g_ptr_array_new_with_free_func ((GDestroyNotify)satin_command_free);
  for (gsize i = 0; i < G_N_ELEMENTS (self->told); i++)
    self->told[i] = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *prefix = g_strdup_printf ("job %s", g_getenv ("SLURM_JOB_ID"));
  const SatinLeaseLimits limits = {
    .prefix = prefix, .cluster = "", .n_machines = n_hosts, .n_starting = n_hosts
  };
  self->leases = satin_leases_new (loop, &limits, host, user_data, &lease_ops, self);
  return self;
}

static void
allocation_free (Allocation *self)
{
  g_ptr_array_unref (self->steps);
  g_ptr_array_unref (self->wanted);
  g_ptr_array_unref (self->callers);
  for (gsize i = 0; i < G_N_ELEMENTS (self->told); i++)
    g_ptr_array_unref (self->told[i]);
  satin_start_free (self->start);
  g_strfreev (self->environment);
  g_free (self);
}

static void
allocation_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  satin_leases_request (((Allocation *)provision)->leases, request_id, n, cluster);
}

static void
allocation_cancel (gpointer provision, guint64 request_id)
{
  satin_leases_cancel (((Allocation *)provision)->leases, request_id);
}

static void
allocation_withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  satin_leases_withdraw (((Allocation *)provision)->leases, name, deadline_us);
}

static void
allocation_list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  satin_leases_list (((Allocation *)provision)->leases, func, user_data);
}

static void
allocation_offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  satin_leases_offer (((Allocation *)provision)->leases, 0, func, user_data);
}

/* Waits until all sruns have ended, so that nothing of them is left. After FINISH_LOOKS looks,
 * stops those that have not ended by themselves, because their hosts are busy or lost. */
static void
finish (gpointer user_data)
{
  Allocation *self = user_data;
  if (self->n_looks++ == FINISH_LOOKS)
    for (guint i = 0; i < self->steps->len; i++)
      step_stop (g_ptr_array_index (self->steps, i));
  if (self->is_posted || self->steps->len > 0 || self->callers->len > 0)
    {
      satin_loop_timer_add (self->loop, FINISH_US, finish, self);
      return;
    }
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_autoptr (GError) error = g_steal_pointer (&self->left);
  allocation_free (self);
  done (error, done_data);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  Allocation *self = user_data;
  self->left = error != NULL ? g_error_copy (error) : NULL;
  finish (self);
}

static void
allocation_close (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  Allocation *self = provision;
  self->done = done;
  self->done_data = user_data;
  satin_leases_close (self->leases, on_closed, self);
}

static const SatinProvisionOps ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .open = allocation_open,
  .request = allocation_request,
  .cancel = allocation_cancel,
  .withdraw = allocation_withdraw,
  .list = allocation_list,
  .offers = allocation_offers,
  .close = allocation_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PROVISION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "allocation",
  .version = "0.1.0",
  .summary = "hosts of the Slurm allocation in which the command runs",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
