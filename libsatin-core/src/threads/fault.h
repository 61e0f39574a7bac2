/* fault.h - a job's crash, between the thread that crashes and the loop
 *
 *   worker's thread                         loop's thread
 *     signal: notes itself, wakes loop ---->  tells the run which job it was
 *     waits, 1 s at most                      50 ms later: fault_let_go ()
 *     the process ends by that signal <-----
 *
 * Only the first fault counts. A signal that was sent from outside is no job's fault: the process
 * goes on until fault_let_go() ends it by that signal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "workers/pool.h"

#include <signal.h>

typedef struct
{
  /* (borrowed) (nullable) the worker that crashes; %NULL: the signal was sent from outside */
  const Worker *worker;
  int signal_number;
} Fault;

/* The size of the guard below a thread's stack. An access there is a stack overflow. */
#define FAULT_GUARD_BYTES ((gsize)64 << 10)

/* From now on a stack overflow ends the process with a message, unless the program or a sanitizer
 * handles SIGSEGV. */
void fault_catch_overflow (void);
/* Records that the calling thread is the thread of @worker. */
void fault_enter (const Worker *worker);
/* Removes the signals of crashes from @mask. */
void fault_unmask (sigset_t *mask);
/* From now on a crash is reported before the process ends. Returns: a descriptor that becomes
 * readable at a fault; -1 if the system has none */
int fault_watch (void);
/* Returns: the fault, once the descriptor is readable */
Fault fault_get (void);
/* Lets the process end, because the fault was reported or cannot be reported. */
void fault_let_go (void);
