/* launcher-slurm.c - the launcher "slurm": the ranks that one srun has started meet at a file
 *
 * srun says in the environment of each rank which number it has. A file in a shared folder carries
 * the bytes of rank 0, so neither PMIx nor a library of Slurm is needed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "meeting.h"
#include "slurm-step.h"

#include <satin/net/launcher.h>

#include <unistd.h>

#define MAX_RANKS 1000000

static const SatinParam params[] = {
  { "folder", SATIN_PARAM_STRING, "",
    "folder that all hosts share; if empty, the one in which the job was submitted" },
  { "patience", SATIN_PARAM_DURATION, "60s", "how long to wait for rank 0" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  gboolean is_first; /* this is rank 0 */
  char *path;        /* (owned): the file of the meeting */
  char *cluster;     /* (owned) */
  gint64 patience_us;
} Slurm;

static void
slurm_close (gpointer launcher)
{
  Slurm *self = launcher;
  if (self->is_first)
    unlink (self->path);
  g_free (self->path);
  g_free (self->cluster);
  g_free (self);
}

/* The number of ranks of this step on this host: SLURM_GTIDS lists them, "0,1,5". */
static guint
count_local (void)
{
  const char *list = g_getenv ("SLURM_GTIDS");
  guint n = 1;
  for (; list != NULL && *list != '\0'; list++)
    n += *list == ',';
  return n;
}

static gboolean
read_place (SatinLauncherPlace *place, GError **error)
{
  place->n_local = count_local ();
  if (!step_read_number ("SLURM_PROCID", MAX_RANKS, &place->rank)
      || !step_read_number ("SLURM_STEP_NUM_TASKS", MAX_RANKS, &place->n_ranks)
      || !step_read_number ("SLURM_LOCALID", MAX_RANKS, &place->local_rank)
      || place->rank >= place->n_ranks || place->local_rank >= place->n_local)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "no srun has started this process: SLURM_PROCID, SLURM_STEP_NUM_TASKS, "
                           "SLURM_LOCALID and SLURM_GTIDS do not fit together");
      return FALSE;
    }
  place->n_processors = step_count_processors (TRUE, place->local_rank, place->n_local);
  return TRUE;
}

static char *
find_folder (const SatinParams *given)
{
  const char *folder = satin_params_get_string (given, "folder");
  const char *submit = g_getenv ("SLURM_SUBMIT_DIR");
  return g_canonicalize_filename (*folder != '\0' ? folder : submit != NULL ? submit : ".", NULL);
}

static gpointer
slurm_open (const SatinParams *given, SatinLauncherPlace *ret_place, GError **error)
{
  SatinLauncherPlace place = { .struct_size = ret_place->struct_size };
  g_autofree char *name = meeting_name (error);
  if (name == NULL || !read_place (&place, error))
    return NULL;
  g_autofree char *folder = find_folder (given);
  Slurm *self = g_new0 (Slurm, 1);
  self->is_first = place.rank == 0;
  self->path = g_build_filename (folder, name, NULL);
  self->patience_us = satin_params_get_duration_us (given, "patience");
  self->cluster = step_find_cluster ();
  place.cluster = self->cluster;
  *ret_place = place;
  return self;
}

static GBytes *
slurm_exchange (gpointer launcher, GBytes *own, GError **error)
{
  Slurm *self = launcher;
  if (self->is_first)
    return meeting_give (self->path, own, error) ? g_bytes_ref (own) : NULL;
  return meeting_take (self->path, self->patience_us, SATIN_LAUNCHER_MAX_BYTES, error);
}

static const SatinLauncherOps ops = {
  .struct_size = sizeof (SatinLauncherOps),
  .open = slurm_open,
  .exchange = slurm_exchange,
  .close = slurm_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_LAUNCHER,
  .thread_model = SATIN_THREAD_ONE,
  .name = "slurm",
  .version = "0.1.0",
  .summary = "tasks of one srun meet at a file in a shared folder",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
