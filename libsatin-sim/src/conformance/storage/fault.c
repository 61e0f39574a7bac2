/* fault.c - rules: what a storage keeps after a call that failed
 *
 * The plugin's parameter "fail-call", if there is one, makes the call with that number fail once.
 * Otherwise the suite puts the filter "fault" before the plugin, which does the same. The same
 * script (a list of steps) runs with a failure of its first call, then of its second, and so on
 * until no call fails any more. After each run, another handle must see everything that was
 * promised before the failure.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#define LOG    STORAGE_PREFIX "log"
#define NEW    STORAGE_PREFIX "new"
#define TARGET STORAGE_PREFIX "target"
#define SPARE  STORAGE_PREFIX "spare"

#define LOG_SEED    1
#define NEW_SEED    2
#define TARGET_SEED 3

#define PART_BYTES   1000
#define NEW_BYTES    500
#define TARGET_BYTES 350

#define MAX_CALLS 1000

/* The filter "fault" makes a call fail in one way for odd seeds, and in another for even seeds. */
#define N_SEEDS 2

#define CAPACITY_BYTES 65536

typedef enum
{
  STEP_APPEND_FIRST,
  STEP_SYNC_FIRST,
  STEP_APPEND_SECOND,
  STEP_SYNC_SECOND,
  STEP_APPEND_NEW,
  STEP_SYNC_NEW,
  STEP_REPLACE,
  STEP_READ,
  STEP_LIST,
  STEP_REMOVE,
  N_STEPS,
} Step;

/* clang-format off */
static const char *const step_names[N_STEPS] = {
  [STEP_APPEND_FIRST] = "append", [STEP_SYNC_FIRST] = "sync",
  [STEP_APPEND_SECOND] = "append", [STEP_SYNC_SECOND] = "sync",
  [STEP_APPEND_NEW] = "append", [STEP_SYNC_NEW] = "sync",
  [STEP_REPLACE] = "replace", [STEP_READ] = "read", [STEP_LIST] = "list", [STEP_REMOVE] = "remove",
};
/* clang-format on */

static gboolean
is_for (const Storage *self, Step step)
{
  if (step == STEP_APPEND_SECOND || step == STEP_SYNC_SECOND)
    return (self->can & SATIN_STORAGE_CAN_APPEND) != 0;
  return step != STEP_REPLACE || (self->can & SATIN_STORAGE_CAN_REPLACE) != 0;
}

/* Appends the rest of the pattern up to @end to a file that is @length bytes long. */
static gboolean
append_up_to (Storage *self, const char *name, guint seed, guint64 length, guint64 end,
              GError **error)
{
  if (length >= end)
    return TRUE;
  g_autofree guint8 *bytes = storage_pattern (seed, length, end - length);
  return self->ops.append (self->handle, name, length, bytes, end - length, error);
}

static void
ignore_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
}

/* Does one step. @log_length, @new_length: the current lengths of the files LOG and NEW. */
static gboolean
do_step (Storage *self, Step step, guint64 log_length, guint64 new_length, GError **error)
{
  const SatinStorageOps *ops = &self->ops;
  guint8 buffer[PART_BYTES];
  gsize n_read;
  switch (step)
    {
    case STEP_APPEND_FIRST:
      return append_up_to (self, LOG, LOG_SEED, log_length, PART_BYTES, error);
    case STEP_APPEND_SECOND:
      return append_up_to (self, LOG, LOG_SEED, log_length, 2 * PART_BYTES, error);
    case STEP_APPEND_NEW:
      return append_up_to (self, NEW, NEW_SEED, new_length, NEW_BYTES, error);
    case STEP_SYNC_FIRST:
    case STEP_SYNC_SECOND:
      return ops->sync (self->handle, LOG, error);
    case STEP_SYNC_NEW:
      return ops->sync (self->handle, NEW, error);
    case STEP_REPLACE:
      return ops->replace (self->handle, NEW, TARGET, error);
    case STEP_READ:
      return ops->read (self->handle, LOG, 0, buffer, sizeof buffer, &n_read, error);
    case STEP_LIST:
      return ops->list (self->handle, ignore_entry, NULL, error);
    case STEP_REMOVE:
      return ops->remove (self->handle, SPARE, error);
    case N_STEPS:
      break;
    }
  g_return_val_if_reached (FALSE);
}

/* Does a step for the first time. All steps before it are done, so the lengths of the files are
 * known. */
static gboolean
do_first (Storage *self, Step step, GError **error)
{
  return do_step (self, step, step < STEP_APPEND_SECOND ? 0 : PART_BYTES, 0, error);
}

/* Does a step again after it failed. Only list knows the lengths of the files then, and a failed
 * replace may have taken effect. If the storage cannot append to an existing file, a file that may
 * have been written in part is removed first. */
static gboolean
do_again (Storage *self, Step step, GError **error)
{
  gint64 log_length = storage_length (self, LOG), new_length = storage_length (self, NEW);
  if (step == STEP_REPLACE && new_length < 0)
    return TRUE;
  if ((self->can & SATIN_STORAGE_CAN_APPEND) == 0
      && (step == STEP_APPEND_FIRST || step == STEP_APPEND_NEW))
    return self->ops.remove (self->handle, step == STEP_APPEND_NEW ? NEW : LOG, error)
           && do_step (self, step, 0, 0, error);
  return do_step (self, step, (guint64)MAX (log_length, 0), (guint64)MAX (new_length, 0), error);
}

/* Runs all steps. After a failure, ends, or with @is_repeated does the failed step again and
 * continues. Returns: the step that failed, N_STEPS when none did */
static Step
run_script (Storage *self, gboolean is_repeated)
{
  Step failed = N_STEPS;
  for (Step step = 0; step < N_STEPS; step++)
    {
      g_autoptr (GError) error = NULL;
      if (!is_for (self, step) || do_first (self, step, &error))
        continue;
      storage_expect_error (self->c, error, step_names[step]);
      if (!is_repeated)
        return step;
      if (!CASE_EXPECT (self->c, failed == N_STEPS, "%s failed, then %s, too",
                        step_names[failed % N_STEPS], step_names[step]))
        return step;
      failed = step;
      GError *again = NULL;
      gboolean is_done = do_again (self, step, &again);
      if (!storage_expect_done (self->c, is_done, &again, "the same call once more"))
        return step;
    }
  return failed;
}

/* Expects that the log has the bytes that were promised when the script ended at the step
 * @reached. */
static void
expect_log (Storage *self, Step reached)
{
  gint64 least = reached <= STEP_SYNC_FIRST                                      ? 0
                 : reached > STEP_SYNC_SECOND && is_for (self, STEP_SYNC_SECOND) ? 2 * PART_BYTES
                                                                                 : PART_BYTES;
  gint64 length = MAX (storage_length (self, LOG), 0);
  if (CASE_EXPECT (self->c, length >= least && length <= 2 * PART_BYTES,
                   "the log is %" G_GINT64_FORMAT " bytes long, synced were %" G_GINT64_FORMAT,
                   length, least))
    storage_expect_bytes (self, LOG, LOG_SEED, (guint64)length);
}

/* Expects the old file when the script ended before the replace or the storage cannot replace, the
 * new file when the script ended after the replace, and either file when the replace failed. */
static void
expect_target (Storage *self, Step reached)
{
  gint64 length = storage_length (self, TARGET);
  gboolean may_be_new = reached >= STEP_REPLACE && is_for (self, STEP_REPLACE);
  gboolean may_be_old = reached <= STEP_REPLACE || !may_be_new;
  if (may_be_new && length == NEW_BYTES)
    storage_expect_bytes (self, TARGET, NEW_SEED, NEW_BYTES);
  else if (CASE_EXPECT (self->c, may_be_old && length == TARGET_BYTES,
                        "the file to be replaced is %" G_GINT64_FORMAT " bytes long", length))
    storage_expect_bytes (self, TARGET, TARGET_SEED, TARGET_BYTES);
}

/* Runs the script with a failure of call number @n, and checks the files. Returns: the step that
 * failed, N_STEPS when none did */
static Step
run_with_fault (Case *c, guint n, guint seed, gboolean is_repeated)
{
  Storage clean, faulty;
  Step failed = N_STEPS;
  if (!storage_begin (&clean, c))
    return failed;
  if (storage_write (&clean, TARGET, TARGET_SEED, TARGET_BYTES)
      && storage_write (&clean, SPARE, TARGET_SEED, TARGET_BYTES)
      && storage_open_faulty (&faulty, c, "fail-call", n, seed))
    {
      failed = run_script (&faulty, is_repeated);
      storage_close (&faulty);
      Step reached = is_repeated ? N_STEPS : failed;
      if (c->result == SATIN_CONFORMANCE_KEPT)
        expect_log (&clean, reached);
      if (c->result == SATIN_CONFORMANCE_KEPT)
        expect_target (&clean, reached);
      CASE_EXPECT (c, c->result == SATIN_CONFORMANCE_KEPT,
                   "that was when call %u failed, with seed %u, %s", n, seed,
                   failed < N_STEPS ? step_names[failed] : "which none was");
    }
  storage_end (&clean);
  return failed;
}

static void
run_with_faults (Case *c, gboolean is_repeated)
{
  for (guint seed = 1; seed <= N_SEEDS && c->result == SATIN_CONFORMANCE_KEPT; seed++)
    {
      guint n = 1;
      while (n < MAX_CALLS && run_with_fault (c, n, seed, is_repeated) != N_STEPS
             && c->result == SATIN_CONFORMANCE_KEPT)
        n++;
      CASE_EXPECT (c, n > 1 || c->result != SATIN_CONFORMANCE_KEPT,
                   "with fail-call=1 no call fails");
      CASE_EXPECT (c, n < MAX_CALLS, "with fail-call=%u a call still fails", n);
    }
}

void
storage_rule_fault_each_call (Case *c)
{
  run_with_faults (c, FALSE);
}

void
storage_rule_fault_again (Case *c)
{
  run_with_faults (c, TRUE);
}

/* Appends more bytes than the capacity. That must fail, and must not harm the file that is
 * there. */
static void
fill (Storage *self)
{
  g_autofree guint8 *bytes = storage_pattern (1, 0, CAPACITY_BYTES + 1);
  GError *error = NULL;
  if (!storage_write (self, TARGET, TARGET_SEED, TARGET_BYTES))
    return;
  gboolean is_done = self->ops.append (self->handle, LOG, 0, bytes, CAPACITY_BYTES + 1, &error);
  storage_expect_refused (
      self->c, is_done, &error, SATIN_ERROR_LIMIT,
      "with capacity=" G_STRINGIFY (
          CAPACITY_BYTES) " (bytes that the files "
                          "have together, no names or metadata), append of more than there is "
                          "room for");
  storage_expect_file (self, TARGET, TARGET_SEED, TARGET_BYTES);
  self->ops.remove (self->handle, LOG, NULL);
  if (storage_remove (self, TARGET) && storage_write (self, NEW, NEW_SEED, NEW_BYTES))
    storage_expect_file (self, NEW, NEW_SEED, NEW_BYTES);
}

void
storage_rule_fault_no_room (Case *c)
{
  g_autofree char *assignment = g_strdup_printf ("capacity=%u", CAPACITY_BYTES);
  Storage clean, bounded;
  if (!storage_has_param (c, "capacity"))
    {
      case_skip (c, "has no parameter capacity");
      return;
    }
  if (!storage_begin (&clean, c))
    return;
  if (storage_open (&bounded, c, assignment))
    {
      fill (&bounded);
      storage_close (&bounded);
    }
  storage_end (&clean);
}
