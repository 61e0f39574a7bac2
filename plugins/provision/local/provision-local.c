/* provision-local.c - the provision plugin "local": machines are processes of this machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/command.h>
#include <satin/adapt/leases.h>

#include <string.h>
#include <unistd.h>

#define HOST_NAME_BYTES 65

static const SatinParam params[] = {
  { "max", SATIN_PARAM_INT, "0", "most machines at a time, 0 for the number of processors" },
  { "cluster", SATIN_PARAM_STRING, "", "cluster of all of them" },
  SATIN_WRAP_PARAMS,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  GMainContext *context; /* (borrowed from the loop) */
  SatinStart *start;     /* (owned) */
  SatinLeases *leases;   /* (owned) */
  char **environment;    /* (owned): of each command */
  SatinDoneFunc done;
  gpointer done_data;
} Local;

/* ---- one machine ---- */

static void
on_command_ended (SatinCommand *command, int wait_status, GBytes *output, gpointer user_data)
{
  SatinLease *lease = user_data;
  g_autoptr (GError) error = NULL;
  if (!satin_command_check (wait_status, &error))
    g_prefix_error (&error, "%s ", satin_lease_get_name (lease));
  satin_lease_ended (lease, error);
  satin_command_free (command);
}

static void
local_start (SatinLease *lease, gpointer user_data)
{
  Local *self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) arguments = satin_start_arguments (self->start, lease, self->start->program);
  const SatinCommandOptions options = {
    .arguments = (const char *const *)arguments,
    .environment = (const char *const *)self->environment,
    .secret = self->start->secret,
  };
  SatinCommand *command =
      satin_command_start (self->context, &options, on_command_ended, lease, &error);
  satin_lease_set_data (lease, command);
  if (command != NULL)
    satin_lease_started (lease);
  else
    satin_lease_ended (lease, error);
}

static void
local_stop (SatinLease *lease, gint64 deadline_us, gpointer user_data)
{
  satin_command_stop (satin_lease_get_data (lease), deadline_us);
}

static const SatinLeaseOps lease_ops = {
  .struct_size = sizeof (SatinLeaseOps),
  .start = local_start,
  .stop = local_stop,
};

/* ---- opening, operations, closing ---- */

static void
local_free (Local *self)
{
  satin_start_free (self->start);
  g_strfreev (self->environment);
  g_free (self);
}

/* Checks that the command exists, unless its name has a placeholder. */
static gboolean
check_command (const SatinStart *start, GError **error)
{
  const char *name = start->arguments[0];
  g_autofree char *path = strchr (name, '{') == NULL ? g_find_program_in_path (name) : NULL;
  if (path != NULL || strchr (name, '{') != NULL)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "there is no command %s", name);
  return FALSE;
}

static gboolean
read_max (const SatinParams *given, guint *ret_max, GError **error)
{
  gint64 max = satin_params_get_int (given, "max");
  if (max < 0 || max > SATIN_PROVISION_MAX)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "max=%" G_GINT64_FORMAT ": write a number from 0 to %d", max,
                   SATIN_PROVISION_MAX);
      return FALSE;
    }
  *ret_max = max > 0 ? (guint)max : g_get_num_processors ();
  return TRUE;
}

static gpointer
local_open (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
            const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  char host_name[HOST_NAME_BYTES] = "";
  guint max;
  if (satin_loop_get_context (loop) == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "processes need a loop with a GMainContext");
      return NULL;
    }
  if (!read_max (given, &max, error) || !check_command (start, error))
    return NULL;
  g_autoptr (SatinStart) copy = satin_start_copy (start, error);
  if (copy == NULL || !satin_start_set_wrap (copy, given, error))
    return NULL;
  Local *self = g_new0 (Local, 1);
  gethostname (host_name, sizeof host_name - 1);
  self->context = satin_loop_get_context (loop);
  self->start = g_steal_pointer (&copy);
  self->environment = satin_start_environment (self->start);
  const SatinLeaseLimits limits = {
    .prefix = host_name,
    .cluster = satin_params_get_string (given, "cluster"),
    .n_machines = max,
    .n_starting = max,
  };
  self->leases = satin_leases_new (loop, &limits, host, user_data, &lease_ops, self);
  return self;
}

static void
local_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  satin_leases_request (((Local *)provision)->leases, request_id, n, cluster);
}

static void
local_cancel (gpointer provision, guint64 request_id)
{
  satin_leases_cancel (((Local *)provision)->leases, request_id);
}

static void
local_withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  satin_leases_withdraw (((Local *)provision)->leases, name, deadline_us);
}

static void
local_list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  satin_leases_list (((Local *)provision)->leases, func, user_data);
}

static void
local_offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  satin_leases_offer (((Local *)provision)->leases, 0, func, user_data);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  Local *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  local_free (self);
  done (error, done_data);
}

static void
local_close (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  Local *self = provision;
  self->done = done;
  self->done_data = user_data;
  satin_leases_close (self->leases, on_closed, self);
}

static const SatinProvisionOps ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .open = local_open,
  .request = local_request,
  .cancel = local_cancel,
  .withdraw = local_withdraw,
  .list = local_list,
  .offers = local_offers,
  .close = local_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PROVISION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "local",
  .version = "0.1.0",
  .summary = "processes of this machine",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
