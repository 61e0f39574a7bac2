/* fault.h - a job's crash, between the thread that crashes and the loop
 *
 *   worker's thread                         loop's thread
 *     signal: notes itself, wakes loop ---->  tells the run which job it was
 *     waits, 1 s at most                      50 ms later: fault_let_go ()
 *     the process ends by that signal <-----
 *
 * One fault counts: the first. A signal that somebody sent is no job's fault; the process goes on
 * until fault_let_go(), which ends it by that signal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "workers/pool.h"

#include <signal.h>

typedef struct
{
  const Worker *worker; /* (borrowed) (nullable) whose thread crashes; %NULL: somebody sent it */
  int signal_number;
} Fault;

/* The stack of this size below a thread's own belongs to nobody. */
#define FAULT_GUARD_BYTES ((gsize)64 << 10)

/* Stack overflows end the process with a message from now on, unless the program, or a sanitizer,
 * has SIGSEGV already. */
void fault_catch_overflow (void);
/* The calling thread is that of @worker. */
void fault_enter (const Worker *worker);
/* Takes the signals of crashes out of @mask. */
void fault_unmask (sigset_t *mask);
/* From now on a crash is told before the process ends. Returns: a descriptor that can be read when
 * there is one, -1 when there is none to be had */
int fault_watch (void);
/* The fault that made the descriptor readable. */
Fault fault_get (void);
/* All that is to be told was: the process ends. */
void fault_let_go (void);
