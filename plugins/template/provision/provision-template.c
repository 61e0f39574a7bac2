/* provision-template.c - a provisioner whose machines are only processes on this computer
 *
 * SatinLeases (satin/adapt/leases.h) does what all provisioners need: it handles requests, limits
 * and the states of machines. This file only starts and stops the process of each machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/command.h>
#include <satin/adapt/leases.h>

static const SatinParam params[] = {
  { "max", SATIN_PARAM_INT, "4", "most at a time" },
  SATIN_WRAP_PARAMS,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  SatinLoop *loop;     /* (borrowed) */
  SatinStart *start;   /* (owned) */
  SatinLeases *leases; /* (owned): satin_leases_close() frees it */
  SatinDoneFunc done;
  gpointer done_data;
} TemplateProvision;

/* ---- one machine ---- */

static void
on_command_ended (SatinCommand *command, int wait_status, GBytes *output, gpointer user_data)
{
  SatinLease *lease = user_data;
  g_autoptr (GError) error = NULL;
  satin_command_check (wait_status, &error);
  satin_lease_ended (lease, error);
  satin_command_free (command);
}

static void
template_start (SatinLease *lease, gpointer user_data)
{
  TemplateProvision *self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) arguments = satin_start_arguments (self->start, lease, self->start->program);
  g_auto (GStrv) environment = satin_start_environment (self->start);
  const SatinCommandOptions options = {
    .arguments = (const char *const *)arguments,
    .environment = (const char *const *)environment,
    .secret = self->start->secret,
  };
  SatinCommand *command = satin_command_start (satin_loop_get_context (self->loop), &options,
                                               on_command_ended, lease, &error);
  satin_lease_set_data (lease, command);
  if (command != NULL)
    satin_lease_started (lease);
  else
    satin_lease_ended (lease, error);
}

static void
template_stop (SatinLease *lease, gint64 deadline_us, gpointer user_data)
{
  satin_command_stop (satin_lease_get_data (lease), deadline_us);
}

static const SatinLeaseOps lease_ops = {
  .struct_size = sizeof (SatinLeaseOps),
  .start = template_start,
  .stop = template_stop,
};

/* ---- all machines ---- */

static gpointer
template_open (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
               const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  gint64 max = satin_params_get_int (given, "max");
  if (satin_loop_get_context (loop) == NULL || max < 1 || max > SATIN_PROVISION_MAX)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "it needs a loop with a GMainContext, and max from 1 to %d",
                   SATIN_PROVISION_MAX);
      return NULL;
    }
  g_autoptr (SatinStart) copy = satin_start_copy (start, error);
  if (copy == NULL || !satin_start_set_wrap (copy, given, error))
    return NULL;
  TemplateProvision *self = g_new0 (TemplateProvision, 1);
  const SatinLeaseLimits limits = {
    .prefix = "template",
    .cluster = "",
    .n_machines = (guint)max,
    .n_starting = (guint)max,
  };
  self->loop = loop;
  self->start = g_steal_pointer (&copy);
  self->leases = satin_leases_new (loop, &limits, host, user_data, &lease_ops, self);
  return self;
}

static void
template_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  satin_leases_request (((TemplateProvision *)provision)->leases, request_id, n, cluster);
}

static void
template_cancel (gpointer provision, guint64 request_id)
{
  satin_leases_cancel (((TemplateProvision *)provision)->leases, request_id);
}

static void
template_withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  satin_leases_withdraw (((TemplateProvision *)provision)->leases, name, deadline_us);
}

static void
template_list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  satin_leases_list (((TemplateProvision *)provision)->leases, func, user_data);
}

static void
template_offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  satin_leases_offer (((TemplateProvision *)provision)->leases, 0, func, user_data);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  g_autofree TemplateProvision *self = user_data;
  satin_start_free (self->start);
  self->done (error, self->done_data);
}

static void
template_close (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  TemplateProvision *self = provision;
  self->done = done;
  self->done_data = user_data;
  satin_leases_close (self->leases, on_closed, self);
}

static const SatinProvisionOps ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .open = template_open,
  .request = template_request,
  .cancel = template_cancel,
  .withdraw = template_withdraw,
  .list = template_list,
  .offers = template_offers,
  .close = template_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PROVISION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "template",
  .version = "0.1.0",
  .summary = "processes of this machine",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
