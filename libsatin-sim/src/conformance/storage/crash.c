/* crash.c - rules: which files are there after the storage has lost power, or its writer has died
 *
 * If a plugin has a parameter "crash-call", its value is the number of a call: the storage loses
 * power in that call. This call and all later ones fail, and bytes that were not synced may be lost
 * when the storage is opened again. If a plugin has no such parameter, the suite puts the filter
 * "fault" before it, with the same parameter: then the writer dies in that call, but the storage
 * continues.
 *
 * For each of many seeds, a script runs with the crash in its first call, then in its second, and
 * so on until the script ends before the crash. Each of these runs uses its own file names, because
 * a file that was removed may come back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#define MAX_CALLS 1000

#define N_APPENDS  6
#define N_REPLACES 3

/* The files that replace each other differ in size, so that check_target() can tell which of them
 * is there. */
#define OLD_BYTES  350
#define STEP_BYTES 1000

#define LOG_SEED    1
#define TARGET_SEED 5

/* One run of a script, with a crash in one of its calls. */
typedef struct
{
  Storage storage;
  GRand *random; /* (owned): for the script's choices */
  char *log;     /* (owned) */
  char *new;     /* (owned) */
  char *target;  /* (owned) */
  guint64 n_appended;
  guint64 n_synced;
  guint64 current_bytes; /* size of the target after the last replace that succeeded */
  guint64 next_bytes;    /* size of the target if a replace that failed took effect after all */
} Run;

/* What a rule does in each run. @prepare: (nullable): runs first, with a storage that does not
 * crash. @script: runs with a storage that crashes, and returns %TRUE when no call failed. @check:
 * runs after the storage was opened again */
typedef struct
{
  gboolean (*prepare) (Run *run);
  gboolean (*script) (Run *run);
  void (*check) (Run *run);
} Plan;

/* ---- calls that may fail ---- */

static gboolean
may_fail (Run *self, gboolean is_done, GError *error, const char *what)
{
  g_autoptr (GError) taken = error;
  if (!is_done)
    storage_expect_error (self->storage.c, taken, what);
  return is_done;
}

static gboolean
try_append (Run *self, const char *name, guint seed, guint64 offset, gsize n_bytes)
{
  const Storage *storage = &self->storage;
  g_autofree guint8 *bytes = storage_pattern (seed, offset, n_bytes);
  GError *error = NULL;
  gboolean is_done = storage->ops.append (storage->handle, name, offset, bytes, n_bytes, &error);
  return may_fail (self, is_done, error, "append");
}

static gboolean
try_sync (Run *self, const char *name)
{
  GError *error = NULL;
  gboolean is_done = self->storage.ops.sync (self->storage.handle, name, &error);
  return may_fail (self, is_done, error, "sync");
}

static gboolean
try_replace (Run *self, const char *from, const char *to)
{
  GError *error = NULL;
  gboolean is_done = self->storage.ops.replace (self->storage.handle, from, to, &error);
  return may_fail (self, is_done, error, "replace");
}

static void
ignore_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
}

/* Lists the files. Each script ends with this call, so that power can also be lost after all calls
 * that write. */
static gboolean
try_list (Run *self)
{
  GError *error = NULL;
  gboolean is_done = self->storage.ops.list (self->storage.handle, ignore_entry, NULL, &error);
  return may_fail (self, is_done, error, "list");
}

/* ---- runs ---- */

static gboolean
run_begin (Run *self, Case *c, guint seed, guint crash_call)
{
  *self = (Run){ .random = g_rand_new_with_seed (seed),
                 .log = g_strdup_printf (STORAGE_PREFIX "log-%u-%u", seed, crash_call),
                 .new = g_strdup_printf (STORAGE_PREFIX "new-%u-%u", seed, crash_call),
                 .target = g_strdup_printf (STORAGE_PREFIX "target-%u-%u", seed, crash_call) };
  return storage_begin (&self->storage, c);
}

static void
run_end (Run *self)
{
  storage_end (&self->storage);
  g_rand_free (self->random);
  g_free (self->log);
  g_free (self->new);
  g_free (self->target);
}

/* Runs the plan once, with a crash in call number @crash_call. Returns: whether a call of the
 * script failed */
static gboolean
run_once (Case *c, const Plan *plan, guint seed, guint crash_call)
{
  gboolean has_failed = FALSE;
  Run run;
  if (run_begin (&run, c, seed, crash_call) && (plan->prepare == NULL || plan->prepare (&run)))
    {
      storage_close (&run.storage);
      if (storage_open_faulty (&run.storage, c, "crash-call", crash_call, seed))
        {
          has_failed = !plan->script (&run);
          if (storage_reopen (&run.storage))
            plan->check (&run);
        }
    }
  run_end (&run);
  CASE_EXPECT (c, c->result == SATIN_CONFORMANCE_KEPT,
               "that was when call %u crashed, with seed %u", crash_call, seed);
  return has_failed;
}

static gboolean
can_be_run (Case *c, SatinStorageCan can)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return FALSE;
  gboolean can_do = storage_needs (&storage, can);
  storage_end (&storage);
  return can_do;
}

static void
run_all (Case *c, const Plan *plan, SatinStorageCan can)
{
  if (!can_be_run (c, can))
    return;
  for (guint seed = 1; seed <= c->n_seeds && c->result == SATIN_CONFORMANCE_KEPT; seed++)
    {
      guint n = 1;
      while (n < MAX_CALLS && run_once (c, plan, seed, n) && c->result == SATIN_CONFORMANCE_KEPT)
        n++;
      CASE_EXPECT (c, n > 1 || c->result != SATIN_CONFORMANCE_KEPT,
                   "with crash-call=1 no call fails");
      CASE_EXPECT (c, n < MAX_CALLS, "with crash-call=%u a call still fails", n);
    }
}

/* ---- a log ---- */

static gboolean
append_and_sync (Run *self)
{
  for (guint i = 0; i < N_APPENDS; i++)
    {
      gsize n_bytes = (gsize)g_rand_int_range (self->random, 1, 3 * STEP_BYTES);
      guint64 offset = self->n_appended;
      self->n_appended += n_bytes;
      if (!try_append (self, self->log, LOG_SEED, offset, n_bytes))
        return FALSE;
      if (g_rand_boolean (self->random))
        continue;
      if (!try_sync (self, self->log))
        return FALSE;
      self->n_synced = self->n_appended;
    }
  return try_list (self);
}

static void
check_synced (Run *self)
{
  gint64 length = storage_length (&self->storage, self->log);
  if (CASE_EXPECT (self->storage.c, length >= (gint64)self->n_synced || self->n_synced == 0,
                   "of %" G_GUINT64_FORMAT " bytes synced there are %" G_GINT64_FORMAT,
                   self->n_synced, length))
    storage_expect_bytes (&self->storage, self->log, LOG_SEED, self->n_synced);
}

void
storage_rule_crash_synced (Case *c)
{
  static const Plan plan = { .script = append_and_sync, .check = check_synced };
  run_all (c, &plan, SATIN_STORAGE_CAN_APPEND);
}

static void
check_end (Run *self)
{
  gint64 length = MAX (storage_length (&self->storage, self->log), 0);
  if (CASE_EXPECT (self->storage.c, length <= (gint64)self->n_appended,
                   "of %" G_GUINT64_FORMAT " bytes appended there are %" G_GINT64_FORMAT,
                   self->n_appended, length))
    storage_expect_bytes (&self->storage, self->log, LOG_SEED, (guint64)length);
}

void
storage_rule_crash_end (Case *c)
{
  static const Plan plan = { .script = append_and_sync, .check = check_end };
  run_all (c, &plan, SATIN_STORAGE_CAN_APPEND);
}

/* Checks that bytes can be appended to whatever is left of the file, and that these bytes outlive
 * the next crash. */
static void
check_goes_on (Run *self)
{
  Storage *storage = &self->storage;
  guint64 length = (guint64)MAX (storage_length (storage, self->log), 0);
  if (!storage_append (storage, self->log, LOG_SEED, length, STEP_BYTES)
      || !storage_sync (storage, self->log))
    return;
  storage_close (storage);
  if (!storage_open_faulty (storage, storage->c, "crash-call", 1, 1))
    return;
  CASE_EXPECT (storage->c, !try_list (self), "with crash-call=1 the first call does not fail");
  if (storage_reopen (storage))
    storage_expect_file (storage, self->log, LOG_SEED, length + STEP_BYTES);
}

void
storage_rule_crash_goes_on (Case *c)
{
  static const Plan plan = { .script = append_and_sync, .check = check_goes_on };
  run_all (c, &plan, SATIN_STORAGE_CAN_APPEND);
}

/* ---- a file that is replaced ---- */

static gboolean
write_old (Run *self)
{
  self->current_bytes = self->next_bytes = OLD_BYTES;
  return storage_write (&self->storage, self->target, TARGET_SEED, OLD_BYTES);
}

/* Replaces the target several times. A replace must make the new file safe; to check that, only
 * about half of the new files are synced before. */
static gboolean
replace_again (Run *self)
{
  for (guint i = 1; i <= N_REPLACES; i++)
    {
      guint64 n_bytes = i * STEP_BYTES + (guint64)g_rand_int_range (self->random, 0, OLD_BYTES);
      if (!try_append (self, self->new, TARGET_SEED + i, 0, n_bytes)
          || (g_rand_boolean (self->random) && !try_sync (self, self->new)))
        return FALSE;
      self->next_bytes = n_bytes;
      if (!try_replace (self, self->new, self->target))
        return FALSE;
      self->current_bytes = n_bytes;
    }
  return try_list (self);
}

static void
check_target (Run *self)
{
  guint64 length = (guint64)MAX (storage_length (&self->storage, self->target), 0);
  if (CASE_EXPECT (self->storage.c, length == self->current_bytes || length == self->next_bytes,
                   "a file of %" G_GUINT64_FORMAT
                   " bytes, to be replaced by one of %" G_GUINT64_FORMAT ", has %" G_GUINT64_FORMAT,
                   self->current_bytes, self->next_bytes, length))
    storage_expect_bytes (&self->storage, self->target, TARGET_SEED + (guint)(length / STEP_BYTES),
                          length);
}

void
storage_rule_crash_replace (Case *c)
{
  static const Plan plan = { .prepare = write_old, .script = replace_again, .check = check_target };
  run_all (c, &plan, SATIN_STORAGE_CAN_REPLACE);
}
