/* crash-signal.c - a process that a job crashes tells the run which job it was
 *
 * The crashed thread waits meanwhile (fault.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "threads/fault.h"
#include "private.h"
#include "threads/running.h"

#include <glib-unix.h>
#include <stdio.h>
#include <unistd.h>

/* How long the process lives on after its report, so that other nodes read the report before they
 * hear that this node has ended. */
#define LINGER_MS 50

static gboolean
let_go (gpointer user_data)
{
  fault_let_go ();
  return G_SOURCE_REMOVE;
}

/* Returns: the memory of this process; 0 if it is not known */
static gint64
get_memory_bytes (void)
{
  long n_pages = 0;
  FILE *file = fopen ("/proc/self/statm", "re");
  if (file == NULL)
    return 0;
  if (fscanf (file, "%*s %ld", &n_pages) != 1)
    n_pages = 0;
  fclose (file);
  return (gint64)n_pages * sysconf (_SC_PAGESIZE);
}

static gboolean
on_fault (int fd, GIOCondition condition, gpointer user_data)
{
  SatinMembership *member = user_data;
  const Fault fault = fault_get ();
  Running running;
  gboolean is_known = fault.worker != NULL && worker_find_running (fault.worker, &running);
  const MemberCrash crash = { .running = is_known ? &running : NULL,
                              .signal_number = fault.signal_number,
                              .memory_bytes = get_memory_bytes () };
  g_autofree char *text = NULL;
  /* If a worker crashed in a job that is not known, there is no report: a report clears all jobs of
   * suspicion except the job that it names. */
  gboolean is_told =
      (is_known || fault.worker == NULL) && member_tell_crash (member, &crash, &text);
  if (is_told && is_known)
    g_printerr ("%s: %s\n", member->entry->name, text);
  if (is_told)
    g_timeout_add_full (G_PRIORITY_HIGH, LINGER_MS, let_go, NULL, NULL);
  else
    fault_let_go ();
  return G_SOURCE_REMOVE;
}

void
crash_watch (SatinMembership *member)
{
  int fd = fault_watch ();
  if (fd >= 0)
    g_unix_fd_add_full (G_PRIORITY_HIGH, fd, G_IO_IN, on_fault, member, NULL);
}
