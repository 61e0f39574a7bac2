/* clerk.h - a thread that asks Slurm and moves files, one task after another
 *
 * Threads: the loop's, where nothing else is said.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>

typedef struct _Clerk Clerk;
typedef struct _ClerkTask ClerkTask;

/**
 * ClerkTask:
 * @work: on the clerk's thread
 * @done: then, on the loop; frees it
 * @clerk: (borrowed): set by clerk_do()
 *
 * Embedded in what it works on.
 */
struct _ClerkTask
{
  void (*work) (ClerkTask *self);
  void (*done) (ClerkTask *self);
  Clerk *clerk;
};

/* Returns: (transfer full) (nullable): %NULL with @error */
Clerk *clerk_new (SatinLoop *loop, gint64 patience_us, GError **error);
/* Not before all tasks are done. */
void clerk_free (Clerk *self);
/* @task: (transfer full): its done is called once, in the order of these calls */
void clerk_do (Clerk *self, ClerkTask *task);
/* What runs of Slurm is killed, and what would run fails, with %SATIN_ERROR_CANCELLED. */
void clerk_interrupt (Clerk *self);

/* On the clerk's thread, as command_run(). */
gboolean clerk_run (Clerk *self, const char *const *arguments, char **ret_output, GError **error);
