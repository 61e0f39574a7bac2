/* provision-slurm.c - machines from Slurm: a job for each, that runs the command
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm.h"

#include <errno.h>
#include <unistd.h>

static const SatinParam params[] = {
  { "partition", SATIN_PARAM_STRING, "",
    "where from, several with \\, between; else Slurm's default" },
  { "account", SATIN_PARAM_STRING, "", "who is charged" },
  { "qos", SATIN_PARAM_STRING, "", "quality of service" },
  { "time", SATIN_PARAM_DURATION, "0", "how long a machine is had, 0 for what the partition says" },
  { "cpus", SATIN_PARAM_INT, "0", "processors of a machine, 0 for whole nodes" },
  { "memory", SATIN_PARAM_SIZE, "0", "of a machine, 0 for what the partition says" },
  { "reservation", SATIN_PARAM_STRING, "", "that the jobs use" },
  { "constraint", SATIN_PARAM_STRING, "", "features that nodes must have" },
  { "options", SATIN_PARAM_STRING, "", "more options of sbatch, as in a shell" },
  { "folder", SATIN_PARAM_STRING, "",
    "where files are for the jobs, seen by all nodes; else the home folder" },
  { "output", SATIN_PARAM_STRING, "",
    "file for what commands print, as sbatch --output; else nowhere" },
  { "warning", SATIN_PARAM_DURATION, "60s", "how long before its time is over a machine is told" },
  { "poll", SATIN_PARAM_DURATION, "5s", "pause between looks at Slurm when nothing happens" },
  { "patience", SATIN_PARAM_DURATION, "30s", "how long Slurm may take to answer, or to end jobs" },
  { "max", SATIN_PARAM_INT, "4096", "most machines at a time" },
  { "array", SATIN_PARAM_INT, "1000",
    "most machines of one job array, below Slurm's MaxArraySize" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* ---- what can be known at once ---- */

static gboolean
check_commands (GError **error)
{
  static const char *const commands[] = { "sbatch", "squeue", "sinfo", "scancel" };
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *path = g_find_program_in_path (commands[i]);
      if (path != NULL)
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "%s is not in PATH: install Slurm's client commands (slurm-client in Debian)",
                   commands[i]);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_file (const char *path, GError **error)
{
  if (path == NULL || access (path, R_OK) == 0)
    return TRUE;
  int saved_errno = errno;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "cannot read %s: %s", path,
               g_strerror (saved_errno));
  return FALSE;
}

static gboolean
check_start (const SatinStart *start, GError **error)
{
  for (const char *const *file = start->files; file != NULL && *file != NULL; file++)
    if (!check_file (*file, error))
      return FALSE;
  return check_file (start->program, error);
}

/* ---- opening ---- */

static void
copy_start (SlurmStart *self, const SatinStart *start)
{
  self->arguments = g_strdupv ((char **)start->arguments);
  self->variables = g_strdupv ((char **)start->variables);
  self->program = g_strdup (start->program);
  self->files = g_strdupv ((char **)start->files);
  self->secret = start->secret != NULL ? g_bytes_ref (start->secret) : NULL;
  self->view = (SatinStart){
    .arguments = (const char *const *)self->arguments,
    .variables = (const char *const *)self->variables,
    .program = self->program,
    .files = (const char *const *)self->files,
    .secret = self->secret,
  };
}

static void
free_job (gpointer data)
{
  job_free (data);
}

static void
free_offer (gpointer data)
{
  Offer *self = data;
  g_free (self->cluster);
  g_free (self);
}

static Slurm *
slurm_new (SatinLoop *loop, const SatinStart *start, const SatinProvisionHost *host,
           gpointer user_data)
{
  Slurm *self = g_new0 (Slurm, 1);
  self->loop = loop;
  self->host = *host;
  self->user_data = user_data;
  copy_start (&self->start, start);
  /* No other handle anywhere may have it, whatever the seed of its loop. */
  g_autofree char *unique = g_uuid_string_random ();
  self->job_name = g_strconcat ("satin-", unique, NULL);
  self->jobs = g_ptr_array_new_with_free_func (free_job);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->offers = g_ptr_array_new_with_free_func (free_offer);
  self->draining = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->trouble = g_strdup ("");
  for (guint i = 0; i < N_SIGNALS; i++)
    self->told[i] = g_ptr_array_new_with_free_func (g_free);
  g_queue_init (&self->requests);
  g_queue_init (&self->submitting);
  return self;
}

static gboolean
prepare (Slurm *self, const SatinParams *given, GError **error)
{
  if (!settings_read (&self->settings, given, error))
    return FALSE;
  self->clerk = clerk_new (self->loop, self->settings.patience_us, error);
  if (self->clerk != NULL)
    self->staging = staging_new (satin_params_get_string (given, "folder"), error);
  return self->staging != NULL;
}

static gpointer
open_slurm (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
            const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  /* Slurm's time is the real one. */
  if (satin_loop_get_context (loop) == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "Slurm needs a loop with a GMainContext");
      return NULL;
    }
  if (!check_commands (error) || !check_start (start, error))
    return NULL;
  Slurm *self = slurm_new (loop, start, host, user_data);
  if (prepare (self, given, error))
    {
      slurm_look_soon (self);
      return self;
    }
  slurm_free (self);
  return NULL;
}

/* ---- the rest ---- */

static void
request (gpointer provision, guint64 ticket, guint n, const char *cluster)
{
  slurm_request (provision, ticket, n, cluster);
}

static void
cancel (gpointer provision, guint64 ticket)
{
  slurm_cancel (provision, FALSE, ticket);
}

static void
withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  slurm_withdraw (provision, name, deadline_us);
}

static void
list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  Slurm *self = provision;
  for (guint i = 0; i < self->jobs->len; i++)
    {
      const Job *job = self->jobs->pdata[i];
      const SatinMachine machine = { .name = job->name,
                                     .cluster = job->cluster,
                                     .ticket = job->ticket };
      if (job->state == JOB_GRANTED)
        func (&machine, user_data);
    }
}

static void
offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  Slurm *self = provision;
  for (guint i = 0; i < self->offers->len; i++)
    {
      const Offer *each = self->offers->pdata[i];
      const SatinOffer offer = { .cluster = each->cluster,
                                 .n_machines = MIN (each->n_free, self->settings.max) };
      func (&offer, user_data);
    }
}

static void
close_slurm (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  closing_begin (provision, done, user_data);
}

static const SatinProvisionOps ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .open = open_slurm,
  .request = request,
  .cancel = cancel,
  .withdraw = withdraw,
  .list = list,
  .offers = offers,
  .close = close_slurm,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PROVISION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "slurm",
  .version = "0.1.0",
  .summary = "jobs of a Slurm cluster",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
