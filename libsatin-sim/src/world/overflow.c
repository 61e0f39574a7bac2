/* overflow.c - ends the process when a fiber's stack overflows
 *
 * With guards, an overflow touches the guard below the stack, and the handler of SIGSEGV, which has
 * a stack of its own, ends the process. Without guards, each fiber checks its stack pointer when it
 * gives up its turn. By then the fiber may have damaged the stack of another fiber, so here too the
 * process has to end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define SIGNAL_STACK_BYTES ((gsize)64 << 10)

/* Ends the process with the exit status that satin_error_exit_status() gives for
 * %SATIN_ERROR_LIMIT. */
static void G_GNUC_NORETURN
end_process (const Fiber *fiber)
{
  char text[256], *low;
  gsize n_bytes;
  context_get_stack (fiber->context, &low, &n_bytes);
  int n = snprintf (text, sizeof text,
                    "satin: stack overflow in a simulated worker: the recursion is deeper than "
                    "its stack of %zu KiB; set --stack higher, as in --stack %zuK\n",
                    n_bytes >> 10, n_bytes >> 9);
  if (write (STDERR_FILENO, text, (gsize)n) < 0)
    _exit (SATIN_ERROR_LIMIT + 10);
  _exit (SATIN_ERROR_LIMIT + 10);
}

static void
on_segmentation_fault (int number, siginfo_t *info, void *context)
{
  const Fiber *fiber = sim_running != NULL ? sim_running->fiber : NULL;
  if (fiber != NULL && context_is_guard (fiber->context, info->si_addr))
    end_process (fiber);
  /* The signal is not a stack overflow, so the default action must follow. A fault happens again
   * when the handler returns. A signal that a process has sent does not, so it is raised here. */
  signal (number, SIG_DFL);
  if (info->si_code <= 0)
    raise (number);
}

void
overflow_check (const Fiber *fiber)
{
  char *low;
  gsize n_bytes;
  context_get_stack (fiber->context, &low, &n_bytes);
  if ((char *)__builtin_frame_address (0) < low)
    end_process (fiber);
}

void
overflow_watch (SatinSim *sim)
{
  struct sigaction now;
  struct sigaction action = { .sa_sigaction = on_segmentation_fault,
                              .sa_flags = SA_SIGINFO | SA_ONSTACK };
  stack_t stack = { .ss_size = SIGNAL_STACK_BYTES };
  /* Leave the signal alone if the program or a sanitizer already handles it. */
  sim->is_watched = sim->options.is_guarded && sigaction (SIGSEGV, NULL, &now) == 0
                    && (now.sa_handler == SIG_DFL || now.sa_sigaction == on_segmentation_fault);
  if (!sim->is_watched)
    return;
  if (sim->signal_stack == NULL)
    sim->signal_stack = g_malloc (SIGNAL_STACK_BYTES);
  stack.ss_sp = sim->signal_stack;
  sigaltstack (&stack, &sim->outer_stack);
  sigaction (SIGSEGV, &action, NULL);
}

void
overflow_unwatch (SatinSim *sim)
{
  if (sim->is_watched)
    sigaltstack (&sim->outer_stack, NULL);
  sim->is_watched = FALSE;
}
