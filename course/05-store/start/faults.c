/* faults.c - stories in which calls to the disk fail, or do less than they should
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "story.h"

#include <errno.h>
#include <string.h>

#define LOG   0u
#define NEW   1u
#define OLD   2u
#define SPARE 3u

static const char *
last_error (const Play *play)
{
  return play->error != NULL ? play->error->message : "no error";
}

/* Begins a play with a folder. In this play the storage may have files of its own, which are an
 * offence in the stories of cuts.c. */
static void
begin (Play *play, guint64 seed, gboolean is_shown)
{
  play_begin (play, play->ops, seed, TRUE);
  play->may_have_more = TRUE;
  play->is_shown = is_shown;
}

/* Frees all of @play but its offence. */
static void
finish (Play *play)
{
  char *offence = g_steal_pointer (&play->offence);
  play_end (play);
  play->offence = offence;
}

/* Cuts the power, opens the storage again, and checks all files. */
static gboolean
cut_and_check (Play *play, SimFate fate)
{
  sim_set_hook (sim_of_process (), NULL, NULL);
  sim_cut (sim_of_process (), fate, 1);
  if (play->is_shown)
    g_print ("======== the power fails, and is back\n");
  return (play_open (play) || play_break (play, "open fails: %s", last_error (play)))
         && play_check (play, TRUE);
}

/* ---- another reader while a file is replaced ---- */

#define N_VERSIONS 40

typedef struct
{
  Play *play;
  gpointer reader; /* a second handle */
  guint n_written;
  guint n_replaced;
} Readers;

static guint
length_of (guint version)
{
  return 20000 + 100 * version;
}

/* Reads the file through the second handle. */
static void
expect_whole (Readers *self)
{
  Play *play = self->play;
  gsize n_read = 0, most = length_of (N_VERSIONS + 1);
  g_autofree guint8 *bytes = g_malloc (most);
  g_autoptr (GError) error = NULL;
  if (!play->ops->read (self->reader, "old", 0, bytes, most, &n_read, &error))
    {
      play_break (play, "a reader's read fails during replace: %s",
                  error != NULL ? error->message : "no error");
      return;
    }
  for (guint version = 1; version <= self->n_written; version++)
    if (n_read == length_of (version))
      {
        g_autofree guint8 *wanted = model_bytes (version, 0, n_read);
        if (memcmp (bytes, wanted, n_read) == 0)
          return;
      }
  play_break (play,
              "a reader gets neither the old file nor the new one, but %" G_GSIZE_FORMAT " bytes",
              n_read);
}

static gboolean
write_version (Readers *self, const char *name)
{
  Play *play = self->play;
  guint n_bytes = length_of (++self->n_written);
  g_autofree guint8 *bytes = model_bytes (self->n_written, 0, n_bytes);
  g_clear_error (&play->error);
  return play->ops->append (play->handle, name, 0, bytes, n_bytes, &play->error)
         && play->ops->sync (play->handle, name, &play->error);
}

static gboolean
replace_once (Readers *self)
{
  Play *play = self->play;
  return (write_version (self, "new")
          && play->ops->replace (play->handle, "new", "old", &play->error))
         || play_break (play, "a replace fails: %s", last_error (play));
}

static gint64
read_between (Sim *sim, Call *call, gpointer user_data)
{
  Readers *self = user_data;
  sim_set_hook (sim, NULL, NULL);
  story_show (self->play, call);
  expect_whole (self);
  sim_set_hook (sim, read_between, self);
  return 0;
}

static gint64
replace_between (Sim *sim, Call *call, gpointer user_data)
{
  Readers *self = user_data;
  sim_set_hook (sim, NULL, NULL);
  story_show (self->play, call);
  if (self->play->offence == NULL && self->n_written < N_VERSIONS)
    replace_once (self);
  sim_set_hook (sim, replace_between, self);
  return 0;
}

void
faults_reader (Play *play, guint64 seed, guint number, gboolean is_shown)
{
  Readers readers = { .play = play };
  play_begin (play, play->ops, seed, TRUE);
  if (!play_open (play))
    play_break (play, "open fails: %s", last_error (play));
  readers.reader = play->handle;
  play->handle = NULL;
  if (readers.reader != NULL && play_open (play) && write_version (&readers, "old"))
    {
      play->is_shown = is_shown;
      sim_set_hook (sim_of_process (), read_between, &readers);
      replace_once (&readers);
      sim_set_hook (sim_of_process (), replace_between, &readers);
      expect_whole (&readers);
      sim_set_hook (sim_of_process (), NULL, NULL);
    }
  else
    play_break (play, "the first file cannot be written: %s", last_error (play));
  if (readers.reader != NULL)
    play->ops->close (readers.reader);
  finish (play);
}

/* ---- calls that do less, and signals ---- */

static gint64
be_nervous (Sim *sim, Call *call, gpointer user_data)
{
  Fault *fault = user_data;
  Play *play = fault->play;
  gboolean is_data = call->kind == CALL_READ || call->kind == CALL_WRITE;
  gboolean can_be_interrupted = is_data || call->kind == CALL_OPEN || call->kind == CALL_SYNC;
  guint chance = play_draw (play, 0, 3);
  play->n_calls++;
  story_show (play, call);
  if (can_be_interrupted && fault->has_come && chance == 0)
    return -EINTR;
  if (is_data && call->n_bytes > 1 && chance == 1)
    call->n_bytes = play_draw (play, 1, call->n_bytes - 1);
  return 0;
}

void
faults_nervous (Play *play, guint64 seed, guint number, gboolean is_shown)
{
  gboolean never = FALSE;
  Fault fault = { .play = play, .has_come = number > 4 };
  const char *what =
      number > 4 ? "with short reads and writes and EINTR" : "with short reads and writes";
  begin (play, seed, is_shown);
  sim_set_hook (sim_of_process (), be_nervous, &fault);
  if (!play_open (play) || !story_storm (play, 30, &never))
    play_break (play, "%s, %s fails: %s", what, play->now, last_error (play));
  if (play->offence == NULL && !play_check (play, FALSE))
    {
      char *offence = g_steal_pointer (&play->offence);
      play_break (play, "%s, %s", what, offence);
      g_free (offence);
    }
  finish (play);
}

/* ---- a full disk ---- */

static gint64
show (Sim *sim, Call *call, gpointer user_data)
{
  Play *play = user_data;
  play->n_calls++;
  story_show (play, call);
  return 0;
}

/* Appends and syncs until the disk is full. Returns: whether an append or a sync failed with
 * SATIN_ERROR_LIMIT */
static gboolean
fill_up (Play *play)
{
  gboolean is_done = TRUE;
  for (guint i = 0; i < 100 && is_done; i++)
    is_done = play_append (play, LOG, play_draw (play, 1, 4000)) && play_sync (play, LOG);
  if (is_done)
    return play_break (play, "the disk is full, and append and sync succeed");
  if (!g_error_matches (play->error, SATIN_ERROR, SATIN_ERROR_LIMIT))
    return play_break (play,
                       "the disk is full, and %s fails with another error than "
                       "SATIN_ERROR_LIMIT: %s",
                       play->now, last_error (play));
  return TRUE;
}

void
faults_full (Play *play, guint64 seed, guint number, gboolean is_shown)
{
  begin (play, seed, is_shown);
  sim_set_hook (sim_of_process (), show, play);
  sim_set_capacity (sim_of_process (), play_draw (play, 6000, 20000));
  if (!play_open (play) || !play_append (play, SPARE, 3000) || !play_sync (play, SPARE))
    play_break (play, "%s fails: %s", play->now, last_error (play));
  else if (fill_up (play) && play_check (play, TRUE))
    {
      if (!play_remove (play, SPARE) || !play_append (play, LOG, 500) || !play_sync (play, LOG))
        play_break (play, "there is room again, and %s fails: %s", play->now, last_error (play));
      else if (play_open (play) || play_break (play, "open fails: %s", last_error (play)))
        play_check (play, FALSE);
    }
  finish (play);
}

/* ---- errors of the disk ---- */

/* A function of disk.h that fails. */
typedef struct
{
  CallKind kind;
  const char *name;
} Failing;

typedef struct
{
  Fault fault;
  CallKind kind; /* of the call that fails */
  guint n_of_kind;
} DiskError;

static gint64
fail_once (Sim *sim, Call *call, gpointer user_data)
{
  DiskError *self = user_data;
  self->fault.play->n_calls++;
  story_show (self->fault.play, call);
  if (call->kind != self->kind || ++self->n_of_kind != self->fault.call)
    return 0;
  self->fault.has_come = TRUE;
  if (self->fault.play->is_shown)
    g_print ("======== this call fails: EIO\n");
  return -EIO;
}

/* Does operations that use each function of disk.h which faults_errors() lets fail, and then random
 * operations, until the fault has come. Returns: whether all succeeded */
static gboolean
do_everything (Play *play, const gboolean *should_end)
{
  gboolean is_done = TRUE;
  for (guint i = 0; i < 5 && is_done && !*should_end; i++)
    is_done = i == 0   ? play_append (play, NEW, 2000)
              : i == 1 ? play_append (play, OLD, 1000)
              : i == 2 ? play_sync (play, OLD)
              : i == 3 ? play_replace (play, NEW, OLD)
                       : play_read (play, OLD);
  return is_done && story_storm (play, 30, should_end);
}

/* Makes call number @call of a function fail, and ends after the operation in which that happens.
 * Returns: whether there was such a call */
static gboolean
fail_call (Play *play, guint64 seed, const Failing *failing, guint call, gboolean is_shown)
{
  DiskError disk_error = { .fault = { .play = play, .call = call }, .kind = failing->kind };
  begin (play, seed, is_shown);
  if (!play_open (play))
    play_break (play, "open fails: %s", last_error (play));
  sim_set_hook (sim_of_process (), fail_once, &disk_error);
  gboolean is_done = play->offence == NULL && do_everything (play, &disk_error.fault.has_come);
  gboolean has_come = disk_error.fault.has_come;
  g_autofree char *during = g_strdup (play->now);
  sim_set_hook (sim_of_process (), NULL, NULL);
  if (!is_done && !has_come)
    play_break (play, "%s fails: %s", play->now, last_error (play));
  /* If the operation has succeeded nevertheless, its work must be on the disk. */
  for (guint file = 0; file < N_FILES && is_done && has_come; file++)
    if (model_now (&play->model, file)->is_there && !play_sync (play, file))
      play_break (play, "then sync fails: %s", last_error (play));
  if (has_come && play->offence == NULL)
    cut_and_check (play, failing->kind == CALL_SYNC ? SIM_LOSES_ALL : SIM_KEEPS_ALL);
  if (has_come && play->offence != NULL)
    {
      char *offence = g_steal_pointer (&play->offence);
      play_break (play, "call %u of %s fails with EIO, and %s says it has %s: %s", call,
                  failing->name, during, is_done ? "succeeded" : "failed", offence);
      g_free (offence);
    }
  finish (play);
  return has_come;
}

void
faults_errors (Play *play, guint64 seed, guint number, gboolean is_shown)
{
  static const Failing all[] = { { CALL_OPEN, "disk_open" },
                                 { CALL_WRITE, "disk_pwrite" },
                                 { CALL_SYNC, "disk_fsync" },
                                 { CALL_RENAME, "disk_rename" },
                                 { CALL_READ, "disk_pread" } };
  const Failing *failing = &all[number - 1];
  guint call = 1;
  while (play->offence == NULL && fail_call (play, seed, failing, call, FALSE))
    call++;
  if (call == 1 && play->offence == NULL)
    play_break (play, "no operation calls %s", failing->name);
  if (play->offence == NULL || !is_shown)
    return;
  g_free (g_steal_pointer (&play->offence));
  fail_call (play, seed, failing, call, TRUE);
}

/* ---- cost ---- */

typedef struct
{
  guint n_syncs;
  guint64 n_written;
} Cost;

static gint64
count_cost (Sim *sim, Call *call, gpointer user_data)
{
  Cost *cost = user_data;
  cost->n_syncs += call->kind == CALL_SYNC;
  cost->n_written += call->kind == CALL_WRITE ? call->n_bytes : 0;
  return 0;
}

/* Prints "cost" and four numbers: the calls of disk_fsync() by the storage; the syncs and replaces
 * that the user has asked for; the bytes that the storage has written; the bytes that the user has
 * appended. */
void
faults_cost (guint64 seed)
{
  Play play;
  Cost cost = { 0 };
  guint n_syncs = 0, n_bytes = 0;
  play.ops = satin_plugin_desc ()->ops;
  begin (&play, seed, FALSE);
  gboolean is_done = play_open (&play);
  sim_set_hook (sim_of_process (), count_cost, &cost);
  for (guint i = 1; i <= 60 && is_done; i++)
    {
      guint n = play_draw (&play, 500, 1500);
      gboolean is_sync = i % 3 == 0, is_replace = i % 6 == 0;
      n_bytes += is_replace ? 2 * n : n;
      n_syncs += is_sync + is_replace;
      is_done = play_append (&play, LOG, n) && (!is_sync || play_sync (&play, LOG))
                && (!is_replace || (play_append (&play, NEW, n) && play_replace (&play, NEW, OLD)));
    }
  if (is_done && play_check (&play, FALSE))
    g_print ("cost %u %u %" G_GUINT64_FORMAT " %u\n", cost.n_syncs, n_syncs, cost.n_written,
             n_bytes);
  else
    g_print ("lost 1 %s: %s\n", play.now, play.offence != NULL ? play.offence : last_error (&play));
  play_end (&play);
}
