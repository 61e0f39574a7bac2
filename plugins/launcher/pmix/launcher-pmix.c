/* launcher-pmix.c - the launcher "pmix": processes meet through the PMIx server that has started
 * them
 *
 * mpirun of OpenMPI and srun --mpi=pmix are such servers. This plugin is a client from open to the
 * end of exchange. It stores two values: the processors on which each rank may run, in open, and
 * what rank 0 gives, in exchange. A fence makes the values known to all ranks. Ranks of a host may
 * share processors, because they are not bound, or are bound to the same socket; the first values
 * show that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "share.h"
#include "slurm-step.h"

#include <pmix.h>
#include <satin/base/atomic.h>
#include <satin/net/launcher.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MASK  "satin.mask"
#define KEY_BYTES "satin.bytes"

/* How often a rank looks whether a fence is complete. */
#define LOOK_US ((gulong)1000)

static const SatinParam params[] = {
  { "patience", SATIN_PARAM_DURATION, "60s", "how long to wait for the other ranks" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  pmix_proc_t proc; /* this process */
  guint n_ranks;
  char *cluster; /* (owned) */
  gint64 patience_us;
  gboolean is_client; /* PMIx_Finalize() is still to be called */
} Pmix;

/* Sets @error unless @status means success. Returns: whether @status means success */
static gboolean
check (pmix_status_t status, const char *what, GError **error)
{
  if (status == PMIX_SUCCESS)
    return TRUE;
  g_set_error (error, SATIN_ERROR,
               status == PMIX_ERR_TIMEOUT ? SATIN_ERROR_TIMEOUT : SATIN_ERROR_UNREACHABLE,
               "PMIx cannot %s: %s", what, PMIx_Error_string (status));
  return FALSE;
}

/* ---- values ---- */

/* Stores bytes under @key. The next fence makes them known. */
static gboolean
put (const char *key, const void *bytes, gsize n_bytes, GError **error)
{
  pmix_value_t value = { .type = PMIX_BYTE_OBJECT };
  value.data.bo.bytes = (char *)bytes;
  value.data.bo.size = n_bytes;
  return check (PMIx_Put (PMIX_GLOBAL, key, &value), "store a value", error)
         && check (PMIx_Commit (), "store a value", error);
}

/* Gets a value of @rank, or of all ranks together if @rank is PMIX_RANK_WILDCARD. Returns:
 * (nullable): release it with PMIX_VALUE_RELEASE() */
static pmix_value_t *
get (const Pmix *self, pmix_rank_t rank, const char *key, pmix_data_type_t type, GError **error)
{
  pmix_value_t *value = NULL;
  pmix_proc_t proc;
  pmix_info_t limit;
  int timeout_s = (int)(self->patience_us / G_USEC_PER_SEC + 1);
  PMIX_LOAD_PROCID (&proc, self->proc.nspace, rank);
  PMIX_INFO_LOAD (&limit, PMIX_TIMEOUT, &timeout_s, PMIX_INT);
  g_autofree char *what = g_strconcat ("give the value ", key, NULL);
  if (!check (PMIx_Get (&proc, key, &limit, 1, &value), what, error))
    return NULL;
  if (value != NULL && value->type == type)
    return value;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "PMIx gives %s with another type", key);
  if (value != NULL)
    PMIX_VALUE_RELEASE (value);
  return NULL;
}

/* ---- fences ---- */

/* A fence that is not complete yet. on_fence() runs on a thread of PMIx. */
typedef struct
{
  pmix_proc_t *ranks; /* (owned) */
  int is_done;
  pmix_status_t status;
} Fence;

static void
fence_free (Fence *fence)
{
  g_free (fence->ranks);
  g_free (fence);
}

static void
on_fence (pmix_status_t status, void *data)
{
  Fence *fence = data;
  fence->status = status;
  SATIN_STORE (&fence->is_done, 1);
}

/* The fence names each rank. PMIx (4.2) sometimes takes the end of a client for its death, and then
 * expects one rank less in each later fence of "all ranks". */
static pmix_status_t
begin_fence (const Pmix *self, Fence *fence)
{
  pmix_info_t collect;
  bool is_wanted = true;
  fence->ranks = g_try_new0 (pmix_proc_t, self->n_ranks);
  if (fence->ranks == NULL)
    return PMIX_ERR_NOMEM;
  for (guint i = 0; i < self->n_ranks; i++)
    PMIX_LOAD_PROCID (&fence->ranks[i], self->proc.nspace, i);
  PMIX_INFO_LOAD (&collect, PMIX_COLLECT_DATA, &is_wanted, PMIX_BOOL);
  return PMIx_Fence_nb (fence->ranks, self->n_ranks, &collect, 1, on_fence, fence);
}

/* Waits until all ranks are here, and makes known what they have stored. */
static gboolean
meet (const Pmix *self, GError **error)
{
  Fence *fence = g_new0 (Fence, 1);
  gint64 deadline_us = g_get_monotonic_time () + self->patience_us;
  pmix_status_t status = begin_fence (self, fence);
  while (status == PMIX_SUCCESS && !SATIN_LOAD (&fence->is_done)
         && g_get_monotonic_time () < deadline_us)
    g_usleep (LOOK_US);
  if (status == PMIX_SUCCESS && !SATIN_LOAD (&fence->is_done))
    {
      /* The fence is not freed: PMIx may still complete it. */
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                   "not all of them have come within %.6g s (patience of the launcher pmix)",
                   (double)self->patience_us / G_USEC_PER_SEC);
      return FALSE;
    }
  if (status == PMIX_SUCCESS)
    status = fence->status;
  fence_free (fence);
  return check (status == PMIX_OPERATION_SUCCEEDED ? PMIX_SUCCESS : status, "let the ranks meet",
                error);
}

/* ---- the processors of this host ---- */

static gboolean
read_mask (const Pmix *self, pmix_rank_t rank, cpu_set_t *ret_mask, GError **error)
{
  pmix_value_t *value = get (self, rank, KEY_MASK, PMIX_BYTE_OBJECT, error);
  if (value == NULL)
    return FALSE;
  gboolean is_right = value->data.bo.size == sizeof *ret_mask;
  if (is_right)
    memcpy (ret_mask, value->data.bo.bytes, sizeof *ret_mask);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                 "rank %u has another kind of set of processors", rank);
  PMIX_VALUE_RELEASE (value);
  return is_right;
}

/* Reads the sets of processors of all ranks of this host. @ranks: their numbers */
static gboolean
read_masks (const Pmix *self, char **ranks, SatinLauncherPlace *place, GError **error)
{
  g_autofree cpu_set_t *masks = g_new0 (cpu_set_t, place->n_local);
  for (guint i = 0; i < place->n_local; i++)
    if (!read_mask (self, (pmix_rank_t)strtoul (ranks[i], NULL, 10), &masks[i], error))
      return FALSE;
  place->n_processors = MAX (share_count (masks, place->n_local, place->local_rank), 1);
  return TRUE;
}

static gboolean
count_processors (const Pmix *self, char **ranks, SatinLauncherPlace *place, GError **error)
{
  cpu_set_t mask;
  CPU_ZERO (&mask);
  sched_getaffinity (0, sizeof mask, &mask);
  if (!put (KEY_MASK, &mask, sizeof mask, error) || !meet (self, error)
      || !read_masks (self, ranks, place, error))
    return FALSE;
  /* In an allocation of Slurm, a rank may be allowed to run on processors that are not its own. */
  gboolean is_slurm = g_str_has_prefix (self->proc.nspace, "slurm.");
  guint n_given = step_count_processors (is_slurm, place->local_rank, place->n_local);
  if (n_given > 0)
    place->n_processors = MIN (place->n_processors, n_given);
  return TRUE;
}

/* Reads which ranks are on this host. Returns: (transfer full): their numbers; %NULL with @error */
static GStrv
read_peers (const Pmix *self, SatinLauncherPlace *place, GError **error)
{
  pmix_value_t *peers = get (self, PMIX_RANK_WILDCARD, PMIX_LOCAL_PEERS, PMIX_STRING, error);
  if (peers == NULL)
    return NULL;
  g_auto (GStrv) ranks = g_strsplit (peers->data.string, ",", -1);
  PMIX_VALUE_RELEASE (peers);
  place->n_local = g_strv_length (ranks);
  for (place->local_rank = 0; place->local_rank < place->n_local; place->local_rank++)
    if (strtoul (ranks[place->local_rank], NULL, 10) == self->proc.rank)
      return g_steal_pointer (&ranks);
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                       "PMIx does not list this rank among those of this host");
  return NULL;
}

/* ---- operations ---- */

static void
finalize (Pmix *self)
{
  if (self->is_client)
    PMIx_Finalize (NULL, 0);
  self->is_client = FALSE;
}

static void
pmix_close (gpointer launcher)
{
  Pmix *self = launcher;
  finalize (self);
  g_free (self->cluster);
  g_free (self);
}

/* A rank may be a script that runs this command twice. PMIx forgets some values of a rank when its
 * first process has ended. So the place is derived from values of all ranks together. */
static gboolean
read_place (Pmix *self, SatinLauncherPlace *place, GError **error)
{
  pmix_value_t *size = get (self, PMIX_RANK_WILDCARD, PMIX_JOB_SIZE, PMIX_UINT32, error);
  if (size == NULL)
    return FALSE;
  place->rank = self->proc.rank;
  place->n_ranks = self->n_ranks = size->data.uint32;
  PMIX_VALUE_RELEASE (size);
  g_auto (GStrv) ranks = read_peers (self, place, error);
  return ranks != NULL && (place->n_ranks == 1 || count_processors (self, ranks, place, error));
}

static gpointer
pmix_open (const SatinParams *given, SatinLauncherPlace *ret_place, GError **error)
{
  SatinLauncherPlace place = { .struct_size = ret_place->struct_size };
  Pmix *self = g_new0 (Pmix, 1);
  if (!check (PMIx_Init (&self->proc, NULL, 0), "be used: no mpirun or srun --mpi=pmix answers",
              error))
    {
      g_free (self);
      return NULL;
    }
  self->is_client = TRUE;
  self->patience_us = satin_params_get_duration_us (given, "patience");
  self->cluster = step_find_cluster ();
  if (!read_place (self, &place, error))
    {
      pmix_close (self);
      return NULL;
    }
  place.cluster = self->cluster;
  *ret_place = place;
  return self;
}

/* Returns: (transfer full): the bytes of rank 0; %NULL with @error */
static GBytes *
read_bytes (const Pmix *self, GError **error)
{
  pmix_value_t *value = get (self, 0, KEY_BYTES, PMIX_BYTE_OBJECT, error);
  if (value == NULL)
    return NULL;
  GBytes *copy = g_bytes_new (value->data.bo.bytes, value->data.bo.size);
  /* Rank 0 gives no bytes if it has no address. */
  if (value->data.bo.size > 0)
    explicit_bzero (value->data.bo.bytes, value->data.bo.size);
  PMIX_VALUE_RELEASE (value);
  return copy;
}

/* When a client ends, PMIx (4.2) stops waiting for its rank in all fences, also in a fence of a
 * later process of that rank. So the ranks meet once more when all have the bytes. Then all of them
 * end as clients immediately, long before a second command of these ranks can meet. */
static GBytes *
pmix_exchange (gpointer launcher, GBytes *own, GError **error)
{
  Pmix *self = launcher;
  gsize n = 0;
  const void *bytes = own != NULL ? g_bytes_get_data (own, &n) : NULL;
  if ((own != NULL && !put (KEY_BYTES, bytes, n, error)) || !meet (self, error))
    return NULL;
  g_autoptr (GBytes) all = own != NULL ? g_bytes_ref (own) : read_bytes (self, error);
  if (all == NULL || !meet (self, error))
    return NULL;
  finalize (self);
  return g_steal_pointer (&all);
}

static const SatinLauncherOps ops = {
  .struct_size = sizeof (SatinLauncherOps),
  .open = pmix_open,
  .exchange = pmix_exchange,
  .close = pmix_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_LAUNCHER,
  .thread_model = SATIN_THREAD_ONE,
  .name = "pmix",
  .version = "0.1.0",
  .summary = "processes that mpirun or srun --mpi=pmix has started meet through PMIx",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
