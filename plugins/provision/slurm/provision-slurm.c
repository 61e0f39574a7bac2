/* provision-slurm.c - the provision plugin "slurm": each machine is a job of a Slurm cluster
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

static const SatinParam params[] = {
  { "partition", SATIN_PARAM_STRING, "",
    "partitions of the machines, with \\, between; else Slurm's default" },
  { "account", SATIN_PARAM_STRING, "", "account that is charged" },
  { "qos", SATIN_PARAM_STRING, "", "quality of service" },
  { "time", SATIN_PARAM_DURATION, "0", "time limit of a machine, 0 for that of the partition" },
  { "cpus", SATIN_PARAM_INT, "0", "processors of a machine, 0 for whole nodes" },
  { "memory", SATIN_PARAM_SIZE, "0", "memory of a machine, 0 for that of the partition" },
  { "reservation", SATIN_PARAM_STRING, "", "reservation that the jobs use" },
  { "constraint", SATIN_PARAM_STRING, "", "features that nodes must have" },
  { "options", SATIN_PARAM_STRING, "", "more options of sbatch, as in a shell" },
  { "folder", SATIN_PARAM_STRING, "",
    "folder for files of the jobs, which all nodes can read; else the home folder" },
  { "output", SATIN_PARAM_STRING, "",
    "file for what commands print, as sbatch --output; else nowhere" },
  { "warning", SATIN_PARAM_DURATION, "60s",
    "how long before its time limit a machine gets notice" },
  { "poll", SATIN_PARAM_DURATION, "5s", "pause between two queries to Slurm when nothing happens" },
  { "patience", SATIN_PARAM_DURATION, "30s", "how long Slurm may take to answer, or to end jobs" },
  { "max", SATIN_PARAM_INT, "4096", "most machines at a time" },
  { "array", SATIN_PARAM_INT, "1000",
    "most machines of one job array, below Slurm's MaxArraySize" },
  SATIN_WRAP_PARAMS,
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* ---- checks ---- */

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

/* ---- opening ---- */

static char *
choose_parent (const char *folder)
{
  if (*folder != '\0')
    return g_canonicalize_filename (folder, NULL);
  const char *home = g_get_home_dir ();
  return g_strdup (home != NULL && access (home, W_OK) == 0 ? home : g_get_tmp_dir ());
}

/* Makes a private folder, which Slurm's nodes must see as well, with a folder for files in it. */
static gboolean
make_folder (Slurm *self, const char *given, GError **error)
{
  g_autofree char *parent = choose_parent (given);
  g_autofree char *folder = g_build_filename (parent, ".satin-slurm-XXXXXX", NULL);
  gboolean is_made = g_mkdtemp_full (folder, 0700) != NULL;
  g_autofree char *files = g_build_filename (folder, "files", NULL);
  if (is_made && g_mkdir (files, 0700) == 0)
    {
      self->folder = g_steal_pointer (&folder);
      return TRUE;
    }
  int saved_errno = errno;
  if (is_made)
    g_rmdir (folder);
  g_set_error (error, SATIN_ERROR, saved_errno == ENOENT ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_IO,
               "cannot make a folder in %s: %s", parent, g_strerror (saved_errno));
  return FALSE;
}

static void
start_lease (SatinLease *lease, gpointer user_data)
{
  Slurm *self = user_data;
  const char *const *partitions = (const char *const *)self->settings.partitions;
  const char *cluster = satin_lease_get_cluster (lease);
  if (partitions == NULL || *cluster == '\0' || g_strv_contains (partitions, cluster))
    {
      job_new (self, lease);
      slurm_post (self);
      return;
    }
  g_autofree char *known = g_strjoinv (", ", self->settings.partitions);
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "%s is none of the partitions that were given: %s", cluster, known);
  satin_lease_ended (lease, error);
}

/* Does nothing for a job that is over: its last error line is still being read. */
static void
stop_lease (SatinLease *lease, gint64 deadline_us, gpointer user_data)
{
  Job *job = satin_lease_get_data (lease);
  if (job->state == JOB_RUNNING)
    job_withdraw (job, deadline_us);
  else if (job->state != JOB_OVER)
    job_refuse (job, NULL);
}

static const SatinLeaseOps lease_ops = {
  .struct_size = sizeof (SatinLeaseOps),
  .start = start_lease,
  .stop = stop_lease,
};

static gpointer
open_slurm (SatinLoop *loop, const SatinParams *given, const SatinStart *start,
            const SatinProvisionHost *host, gpointer user_data, GError **error)
{
  /* Slurm works in real time, so a simulated loop is refused. */
  if (satin_loop_get_context (loop) == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "Slurm needs a loop with a GMainContext");
      return NULL;
    }
  Slurm *self = slurm_new (loop);
  if (!check_commands (error) || (self->start = satin_start_copy (start, error)) == NULL
      || !satin_start_set_wrap (self->start, given, error)
      || !settings_read (&self->settings, given, error)
      || !make_folder (self, satin_params_get_string (given, "folder"), error))
    {
      slurm_free (self);
      return NULL;
    }
  const SatinLeaseLimits limits = {
    .prefix = "slurm",
    .n_machines = self->settings.max,
    .n_starting = self->settings.max,
  };
  self->leases = satin_leases_new (loop, &limits, host, user_data, &lease_ops, self);
  look_soon (self);
  return self;
}

/* ---- operations ---- */

static void
request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  satin_leases_request (((Slurm *)provision)->leases, request_id, n, cluster);
}

static void
cancel (gpointer provision, guint64 request_id)
{
  satin_leases_cancel (((Slurm *)provision)->leases, request_id);
}

static void
withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  satin_leases_withdraw (((Slurm *)provision)->leases, name, deadline_us);
}

static void
list (gpointer provision, SatinMachineFunc func, gpointer user_data)
{
  satin_leases_list (((Slurm *)provision)->leases, func, user_data);
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
  slurm_close (provision, done, user_data);
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
