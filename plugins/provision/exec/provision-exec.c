/* provision-exec.c - machines that a user's script starts, stops and lists
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision-exec.h"

/* How many machines are started at a time. */
#define N_STARTING 8

static const SatinParam params[] = {
  { "script", SATIN_PARAM_STRING, NULL, "path of the script" },
  { "max", SATIN_PARAM_INT, "16", "most machines at a time" },
  { "cluster", SATIN_PARAM_STRING, "", "cluster of all of them" },
  { "program", SATIN_PARAM_STRING, "",
    "path of the program on the machines; if empty, its path here" },
  SATIN_WRAP_PARAMS,
  { "poll", SATIN_PARAM_DURATION, "2s", "time between two calls of list" },
  { "start-timeout", SATIN_PARAM_DURATION, "10m", "how long start may take" },
  { "timeout", SATIN_PARAM_DURATION, "30s", "how long list may take, and stop after its deadline" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static void
machine_free (gpointer data)
{
  Machine *self = data;
  satin_loop_timer_cancel (self->exec->loop, &self->timer);
  satin_command_free (self->call);
  g_clear_error (&self->reason);
  g_free (self);
}

static void
exec_free (Exec *self)
{
  satin_loop_timer_cancel (self->loop, &self->poll_timer);
  satin_loop_timer_cancel (self->loop, &self->list_timer);
  satin_command_free (self->list);
  g_ptr_array_unref (self->machines);
  satin_start_free (self->start);
  g_strfreev (self->environment);
  g_free (self->script);
  g_free (self->program);
  g_free (self);
}

static gboolean
check_params (SatinLoop *loop, const SatinParams *given, GError **error)
{
  const char *script = satin_params_get_string (given, "script");
  gint64 max = satin_params_get_int (given, "max");
  if (satin_loop_get_context (loop) == NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                         "processes need a loop with a GMainContext");
  else if (max < 1 || max > SATIN_PROVISION_MAX)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "max=%" G_GINT64_FORMAT ": write a number from 1 to %d", max, SATIN_PROVISION_MAX);
  else if (!g_file_test (script, G_FILE_TEST_IS_REGULAR))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "there is no script %s", script);
  else if (!g_file_test (script, G_FILE_TEST_IS_EXECUTABLE))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s may not be executed: chmod +x it",
                 script);
  else
    return TRUE;
  return FALSE;
}

/* Returns: (transfer full): this process's environment, and SATIN_... variables for the script */
static char **
make_environment (const Exec *self, const char *cluster)
{
  char **environment = g_get_environ ();
  g_autofree char *files =
      self->start->files != NULL ? g_strjoinv ("\n", (GStrv)self->start->files) : g_strdup ("");
  const char *program = self->start->program != NULL ? self->start->program : "";
  environment = g_environ_setenv (environment, "SATIN_CLUSTER", cluster, TRUE);
  environment = g_environ_setenv (environment, "SATIN_PROGRAM", program, TRUE);
  return g_environ_setenv (environment, "SATIN_FILES", files, TRUE);
}

static SatinLeases *
make_leases (Exec *self, const SatinParams *given, const SatinProvisionHost *host,
             gpointer user_data)
{
  static const SatinLeaseOps lease_ops = {
    .struct_size = sizeof (SatinLeaseOps),
    .start = machine_start,
    .stop = machine_stop,
  };
  /* Other provisioners may have machines in the same place, so the names of these machines get a
   * random prefix. */
  g_autofree char *prefix = g_strdup_printf ("satin-%08x", g_random_int ());
  const SatinLeaseLimits limits = {
    .prefix = prefix,
    .cluster = satin_params_get_string (given, "cluster"),
    .n_machines = (guint)satin_params_get_int (given, "max"),
    .n_starting = N_STARTING,
  };
  return satin_leases_new (self->loop, &limits, host, user_data, &lease_ops, self);
}

static gpointer
exec_open (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
           const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  if (!check_params (loop, given, error))
    return NULL;
  g_autoptr (SatinStart) copy = satin_start_copy (start, error);
  if (copy == NULL || !satin_start_set_wrap (copy, given, error))
    return NULL;
  const char *program = satin_params_get_string (given, "program");
  Exec *self = g_new0 (Exec, 1);
  self->loop = loop;
  self->start = g_steal_pointer (&copy);
  self->script = g_canonicalize_filename (satin_params_get_string (given, "script"), NULL);
  self->program = g_strdup (*program != '\0' ? program : self->start->program);
  self->environment = make_environment (self, satin_params_get_string (given, "cluster"));
  self->poll_us = satin_params_get_duration_us (given, "poll");
  self->start_timeout_us = satin_params_get_duration_us (given, "start-timeout");
  self->timeout_us = satin_params_get_duration_us (given, "timeout");
  self->machines = g_ptr_array_new_with_free_func (machine_free);
  self->leases = make_leases (self, given, host, user_data);
  return self;
}

static void
exec_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  satin_leases_request (((Exec *)provision)->leases, request_id, n, cluster);
}

static void
exec_cancel (gpointer provision, guint64 request_id)
{
  satin_leases_cancel (((Exec *)provision)->leases, request_id);
}

static void
exec_withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  satin_leases_withdraw (((Exec *)provision)->leases, name, deadline_us);
}

static void
exec_list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  satin_leases_list (((Exec *)provision)->leases, func, user_data);
}

static void
exec_offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  satin_leases_offer (((Exec *)provision)->leases, 0, func, user_data);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  Exec *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  exec_free (self);
  done (error, done_data);
}

static void
exec_close (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  Exec *self = provision;
  self->done = done;
  self->done_data = user_data;
  satin_leases_close (self->leases, on_closed, self);
}

static const SatinProvisionOps ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .open = exec_open,
  .request = exec_request,
  .cancel = exec_cancel,
  .withdraw = exec_withdraw,
  .list = exec_list,
  .offers = exec_offers,
  .close = exec_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PROVISION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "exec",
  .version = "0.1.0",
  .summary = "machines that a script of yours starts, stops and lists",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
