/* storage-sim.c - the storage plugin "sim": files on a disk that can lose power and fail
 *
 * The disk belongs to libsatin-sim (satin/sim/disk.h), so a simulation can cut its power. This file
 * has the handles, and makes calls fail, hang, take time or cut the power as the parameters say. A
 * call from a fiber of a world takes the world's time; any other call takes real time.
 *
 * Threads: one for a handle, but interrupt from any; the lock is for interrupt.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/atomic.h>
#include <satin/sim/disk.h>
#include <satin/sim/world.h>

#include <string.h>
#include <time.h>
#include <unistd.h>

#define SCHEME "sim:"

/* 30 years of a world's time, in microseconds. */
#define FOR_EVER_US ((gint64)1000000000000000)

static const SatinParam params[] = {
  { "capacity", SATIN_PARAM_SIZE, "0", "bytes that fit on the disk; 0 for no bound" },
  { "seed", SATIN_PARAM_INT, "1", "seed of all random choices" },
  { "error-rate", SATIN_PARAM_DOUBLE, "0", "the share of calls that fail, 0 to 1" },
  { "fail-call", SATIN_PARAM_INT, "0", "which call of this handle fails, once; 0 for none" },
  { "crash-call", SATIN_PARAM_INT, "0",
    "in which call of this handle the disk loses power, before or after the work is done; it and "
    "all later calls of the handles there are fail; 0 for none" },
  { "holes", SATIN_PARAM_BOOLEAN, "no",
    "a loss of power may leave zeros where a block was lost, which no storage may do" },
  { "hang-call", SATIN_PARAM_INT, "0",
    "which call of this handle hangs until it is interrupted; 0 for none" },
  { "hang-open", SATIN_PARAM_INT, "0",
    "every so-many-th open of the disk hangs for ever; 0 for none" },
  { "delay", SATIN_PARAM_DURATION, "0s", "how long each call takes" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* The fate of a call whose work is done. */
typedef enum
{
  CALL_SUCCEEDS,
  CALL_FAILS,   /* it reports failure, though its work is done in whole or in part */
  CALL_CRASHES, /* the disk loses power after the work */
} Fate;

typedef struct
{
  SatinSimDisk *disk; /* (owned) */
  guint n_crashes;    /* how often the disk had lost power when this handle was opened */
  guint64 capacity_bytes;
  double error_rate;
  gint64 fail_call;
  gint64 crash_call;
  gint64 hang_call;
  gint64 delay_us;
  SatinSimCrash crash;
  GRand *random; /* (owned) */
  gint64 n_calls;
  Fate fate; /* of the running call */

  pthread_mutex_t lock;
  pthread_cond_t interrupted;
  /* Guarded by the lock. */
  int is_interrupted; /* the running call fails, or else the next one */
} Sim;

/* Hangs if this opening of @disk must hang: for ever, or for FOR_EVER_US of a world's time. No
 * interrupt ends that, because there is no handle yet. Returns: FALSE when it need not hang */
static gboolean
hang_in_open (SatinSimDisk *disk, gint64 every)
{
  int never = 0;
  if (every <= 0 || satin_sim_disk_count_opens (disk) % every != 0)
    return FALSE;
  if (!satin_sim_fiber_wait (&never, FOR_EVER_US))
    while (TRUE)
      pause ();
  return TRUE;
}

static gpointer
sim_open (const char *uri, const SatinParams *given, GError **error)
{
  double error_rate = satin_params_get_double (given, "error-rate");
  if (!g_str_has_prefix (uri, SCHEME) || uri[strlen (SCHEME)] == '\0')
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "\"%s\" is no simulated disk: write sim:NAME", uri);
  else if (!(error_rate >= 0 && error_rate <= 1))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "error-rate is %g: give 0 to 1",
                 error_rate);
  else
    {
      SatinSimDisk *disk = satin_sim_disk_open (uri + strlen (SCHEME));
      if (hang_in_open (disk, satin_params_get_int (given, "hang-open")))
        {
          satin_sim_disk_close (disk);
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s does not answer", uri);
          return NULL;
        }
      Sim *self = g_new0 (Sim, 1);
      pthread_condattr_t attributes;
      self->disk = disk;
      self->n_crashes = satin_sim_disk_count_crashes (self->disk);
      self->capacity_bytes = satin_params_get_size_bytes (given, "capacity");
      self->error_rate = error_rate;
      self->fail_call = satin_params_get_int (given, "fail-call");
      self->crash_call = satin_params_get_int (given, "crash-call");
      self->hang_call = satin_params_get_int (given, "hang-call");
      self->delay_us = satin_params_get_duration_us (given, "delay");
      self->crash = satin_params_get_boolean (given, "holes") ? SATIN_SIM_CRASH_LEAVES_HOLES
                                                              : SATIN_SIM_CRASH_CUTS;
      self->random = g_rand_new_with_seed ((guint32)satin_params_get_int (given, "seed"));
      pthread_mutex_init (&self->lock, NULL);
      pthread_condattr_init (&attributes);
      pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
      pthread_cond_init (&self->interrupted, &attributes);
      pthread_condattr_destroy (&attributes);
      return self;
    }
  return NULL;
}

static void
sim_close (gpointer storage)
{
  Sim *self = storage;
  satin_sim_disk_close (self->disk);
  g_rand_free (self->random);
  pthread_cond_destroy (&self->interrupted);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

static guint
sim_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

static gboolean
check_name (const char *name, GError **error)
{
  if (satin_storage_name_is_valid (name))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "\"%s\" cannot name a file", name);
  return FALSE;
}

/* Waits for the call's delay, or for ever if the call hangs. An interrupt ends the wait. */
static void
wait_really (Sim *self, gboolean is_hanging)
{
  struct timespec until;
  clock_gettime (CLOCK_MONOTONIC, &until);
  gint64 end_ns = until.tv_nsec + self->delay_us % 1000000 * 1000;
  until.tv_sec += self->delay_us / 1000000 + end_ns / 1000000000;
  until.tv_nsec = end_ns % 1000000000;
  int status = self->delay_us > 0 ? 0 : -1;
  pthread_mutex_lock (&self->lock);
  while (!self->is_interrupted && is_hanging)
    pthread_cond_wait (&self->interrupted, &self->lock);
  while (!self->is_interrupted && status == 0)
    status = pthread_cond_timedwait (&self->interrupted, &self->lock, &until);
  pthread_mutex_unlock (&self->lock);
}

/* Waits as long as the call must take. Returns: FALSE when it was interrupted */
static gboolean
spend_time (Sim *self)
{
  gboolean is_hanging = self->n_calls == self->hang_call;
  /* In a world, fibers wait without the lock: a world has one thread, and no lock may be held while
   * other fibers run. */
  gint64 duration_us = is_hanging ? FOR_EVER_US : self->delay_us;
  if (duration_us > 0 && !satin_sim_fiber_wait (&self->is_interrupted, duration_us))
    wait_really (self, is_hanging);
  pthread_mutex_lock (&self->lock);
  gboolean is_interrupted = self->is_interrupted != 0;
  self->is_interrupted = 0;
  pthread_mutex_unlock (&self->lock);
  return !is_interrupted;
}

static gboolean
lose_power (Sim *self)
{
  satin_sim_disk_crash (self->disk, g_rand_int (self->random), self->crash);
  return TRUE;
}

/* Counts a call and draws its fate. Returns: FALSE with @error when its work must not be done */
static gboolean
begin_call (Sim *self, const char *what, GError **error)
{
  self->n_calls++;
  self->fate = CALL_SUCCEEDS;
  gboolean is_early = g_rand_boolean (self->random);
  gboolean is_failing =
      self->n_calls == self->fail_call || g_rand_double (self->random) < self->error_rate;
  if (!spend_time (self))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s was interrupted", what);
      return FALSE;
    }
  if (satin_sim_disk_count_crashes (self->disk) != self->n_crashes
      || (self->n_calls == self->crash_call && is_early && lose_power (self)))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
                   "%s: the disk has lost its power; open it again", what);
      return FALSE;
    }
  if (is_failing && is_early)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s fails, being call %" G_GINT64_FORMAT,
                   what, self->n_calls);
      return FALSE;
    }
  self->fate = self->n_calls == self->crash_call ? CALL_CRASHES
               : is_failing                      ? CALL_FAILS
                                                 : CALL_SUCCEEDS;
  return TRUE;
}

/* Ends a call. @is_done: whether the work succeeded. Returns: whether the call succeeds */
static gboolean
end_call (Sim *self, gboolean is_done, const char *what, GError **error)
{
  if (self->fate == CALL_CRASHES)
    lose_power (self);
  if (!is_done || self->fate == CALL_SUCCEEDS)
    return is_done;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: the disk %s", what,
               self->fate == CALL_CRASHES ? "has lost its power; open it again"
                                          : "does not answer");
  return FALSE;
}

static gboolean
sim_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
            GError **error)
{
  Sim *self = storage;
  if (!check_name (name, error) || !begin_call (self, "append", error))
    return FALSE;
  gsize n_written = n_bytes;
  if (self->fate == CALL_FAILS)
    n_written = (gsize)g_rand_int_range (self->random, 0, (gint32)n_bytes) + 1;
  gboolean is_done = satin_sim_disk_append (self->disk, name, offset, bytes, n_written,
                                            self->capacity_bytes, error);
  return end_call (self, is_done, "append", error);
}

static gboolean
sim_sync (gpointer storage, const char *name, GError **error)
{
  Sim *self = storage;
  return check_name (name, error) && begin_call (self, "sync", error)
         && end_call (self, satin_sim_disk_sync (self->disk, name, error), "sync", error);
}

static gboolean
sim_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
          gsize *ret_n_bytes, GError **error)
{
  Sim *self = storage;
  gsize n_read = 0;
  if (!check_name (name, error) || !begin_call (self, "read", error)
      || !end_call (self,
                    satin_sim_disk_read (self->disk, name, offset, buffer, n_bytes, &n_read, error),
                    "read", error))
    return FALSE;
  *ret_n_bytes = n_read;
  return TRUE;
}

static gboolean
sim_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Sim *self = storage;
  if (!begin_call (self, "list", error) || !end_call (self, TRUE, "list", error))
    return FALSE;
  satin_sim_disk_list (self->disk, func, user_data);
  return TRUE;
}

static gboolean
sim_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Sim *self = storage;
  return check_name (from, error) && check_name (to, error) && begin_call (self, "replace", error)
         && end_call (self, satin_sim_disk_replace (self->disk, from, to, error), "replace", error);
}

static gboolean
sim_remove (gpointer storage, const char *name, GError **error)
{
  Sim *self = storage;
  if (!check_name (name, error) || !begin_call (self, "remove", error))
    return FALSE;
  satin_sim_disk_remove (self->disk, name);
  return end_call (self, TRUE, "remove", error);
}

static void
sim_interrupt (gpointer storage)
{
  Sim *self = storage;
  pthread_mutex_lock (&self->lock);
  satin_sim_fiber_wake (&self->is_interrupted);
  pthread_cond_signal (&self->interrupted);
  pthread_mutex_unlock (&self->lock);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = sim_open,
  .close = sim_close,
  .can = sim_can,
  .append = sim_append,
  .sync = sim_sync,
  .read = sim_read,
  .list = sim_list,
  .replace = sim_replace,
  .remove = sim_remove,
  .interrupt = sim_interrupt,
};

static const char *const schemes[] = { "sim", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "sim",
  .version = "0.1.0",
  .summary = "files on a simulated disk, which can lose power and fail",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
