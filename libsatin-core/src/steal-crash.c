/* steal-crash.c - jobs that crash whoever runs them
 *
 * A job that is lost with its thief runs again, and when it was the job that crashed the thief, it
 * crashes the next one, until nobody is left. So each job counts the thieves that crashed while
 * they had it, and fails with the third. One that had waited there beside the culprit is
 * counted as well, as nobody can tell the two apart.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "crash.h"
#include "steal-private.h"

#include <signal.h>

const char *
crash_name (int signal_number)
{
  switch (signal_number)
    {
    case SIGSEGV:
      return "segmentation fault";
    case SIGABRT:
      return "aborted";
    case SIGBUS:
      return "bus error";
    case SIGILL:
      return "illegal instruction";
    case SIGFPE:
      return "arithmetic error";
    default:
      return NULL;
    }
}

static void
fail_job (Steal *self, Lent *lent, int signal_number)
{
  g_autofree char *job = self->jobs_ops->describe (self->jobs, lent->handle);
  g_autofree char *message = g_strdup_printf (
      "%s crashed %d nodes that ran it, the last by signal %d (%s): the program has an error; run "
      "it on one node in a debugger",
      job, MAX_CRASHES, signal_number, crash_name (signal_number));
  StealOutcome outcome = { .status = STEAL_FAILED, .code = SATIN_ERROR_JOB, .message = message };
  self->jobs_ops->finish (self->jobs, lent->handle, &outcome);
}

/**
 * steal_give_up:
 * @lent: whose thief is lost; it is in no list any more
 * @signal_number: that ended the thief, 0: none, or it is not known
 *
 * Returns: %TRUE when the job failed, as it crashed too many; then @lent's job and hints are gone
 */
gboolean
steal_give_up (Steal *self, Lent *lent, int signal_number)
{
  if (crash_name (signal_number) == NULL
      || self->jobs_ops->note_crash (self->jobs, lent->handle) < MAX_CRASHES)
    return FALSE;
  satin_loop_probe (self->loop, "steal.job-crashes");
  if (lent->hints != NULL)
    self->recovery->ops->unref (lent->hints);
  fail_job (self, lent, signal_number);
  return TRUE;
}
