/* crash.c - a job that crashes its node: the node's report, and what other nodes do with it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tasks/crash.h"
#include "private.h"
#include "threads/running.h"
#include "tasks/task.h"

/* What the root job has done to masters: it crashed @n_crashes of them, the last by
 * @signal_number. @job: the job that crashed that one, in words; empty: not known */
SATIN_RECORD (RootCrashes, (int, n_crashes), (int, signal_number), (string, job))

/* Fills in the names of this node and of the job. Returns: FALSE when this node has no part in the
 * run, or the job has ended meanwhile */
static gboolean
find_names (const SatinMembership *self, guint64 import_id, SatinCrash *crash)
{
  SatinJobRef ref = { 0 };
  if (self->is_over || self->run == NULL || self->steal == NULL)
    return FALSE;
  if (import_id != 0 && !steal_find_ref (self->steal, import_id, &ref))
    return FALSE;
  crash->node = satin_peers_get_view (self->peers)->self;
  crash->owner = ref.owner;
  crash->index = ref.index;
  crash->generation = ref.generation;
  return crash->node != 0;
}

gboolean
member_tell_crash (SatinMembership *self, const MemberCrash *what, char **ret_text)
{
  g_autofree char *job = what->running != NULL ? running_describe (what->running) : g_strdup ("");
  SatinCrash crash = { .signal_number = what->signal_number,
                       .job = job,
                       .memory_bytes = what->memory_bytes };
  if (!find_names (self, what->running != NULL ? what->running->import_id : 0, &crash))
    return FALSE;
  if (what->running == NULL)
    crash.owner = SATIN_CRASH_NOBODY;
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinCrash_record, &crash);
  satin_run_signal (self->run, 0, SATIN_SIGNAL_CRASH, payload);
  satin_run_signal (self->run, SATIN_RUN_HOLDER, SATIN_SIGNAL_CRASH, payload);
  *ret_text = satin_crash_describe (&crash);
  return TRUE;
}

void
member_note_crash (SatinMembership *self, GBytes *payload)
{
  SatinCrash crash;
  if (self->steal == NULL || !satin_crash_read (payload, &crash))
    return;
  steal_note_crash (self->steal, &crash);
  satin_record_clear (&SatinCrash_record, &crash);
}

static void
count_root_crashes (SatinMembership *self, guint n_crashes, int signal_number, const char *job)
{
  self->n_crashes = n_crashes;
  self->crash_signal = signal_number;
  g_free (self->crash_job);
  self->crash_job = g_strdup (job);
}

void
member_tell_root_crashes (SatinMembership *self, SatinNodeId to)
{
  const RootCrashes crashes = { .n_crashes = (gint32)self->n_crashes,
                                .signal_number = self->crash_signal,
                                .job = self->crash_job != NULL ? self->crash_job : "" };
  if (self->n_crashes == 0 || self->run == NULL)
    return;
  g_autoptr (GBytes) payload = satin_record_to_bytes (&RootCrashes_record, &crashes);
  satin_run_signal (self->run, to, MEMBER_SIGNAL_ROOT_CRASHES, payload);
}

void
member_note_root_crashes (SatinMembership *self, GBytes *payload)
{
  RootCrashes crashes;
  gsize n_bytes = 0;
  const guint8 *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  if (!satin_record_decode (&RootCrashes_record, bytes, n_bytes, &crashes, NULL))
    return;
  if (crashes.n_crashes > 0 && (guint)crashes.n_crashes > self->n_crashes
      && satin_crash_name (crashes.signal_number) != NULL)
    count_root_crashes (self, (guint)crashes.n_crashes, crashes.signal_number,
                        *crashes.job != '\0' ? crashes.job : NULL);
  satin_record_clear (&RootCrashes_record, &crashes);
}

void
member_master_died (SatinMembership *self, SatinNodeId id, int signal_number)
{
  StealCrash crash;
  if (self->steal == NULL || !steal_find_crash_of_root (self->steal, id, signal_number, &crash))
    return;
  count_root_crashes (self, MAX (self->n_crashes + 1, crash.n_crashes), crash.signal_number,
                      crash.job);
}

gboolean
member_may_run_root (SatinMembership *self)
{
  return self->n_crashes == 0 || (self->n_crashes < MAX_CRASHES && steal_has_heir (self->steal));
}

GError *
member_refuse_root (SatinMembership *self)
{
  SatinSlot *slot = &self->root_job.slot;
  const SatinTask *task = self->entry->root;
  g_autofree char *root = task_describe (task, satin_slot_args (slot, task->args->size_bytes));
  gboolean is_part = self->crash_job != NULL && !g_str_equal (self->crash_job, root);
  g_autofree char *job =
      is_part ? g_strdup_printf ("%s, a part of the root job, %s,", self->crash_job, root)
              : g_strdup_printf ("the root job, %s,", root);
  g_autofree char *message =
      crash_explain (job, self->n_crashes, is_part ? "node" : "master", self->crash_signal);
  return g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, message);
}
