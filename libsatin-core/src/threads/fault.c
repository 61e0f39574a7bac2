/* fault.c - the signal handler of a worker's thread that crashes
 *
 * The handler runs on the thread that crashed, which may hold any lock. So it calls only functions
 * that are safe in a handler. The loop's thread, which still works, does the rest.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault.h"
#include "tasks/crash.h"

#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* How often a crashed thread looks whether the loop has reported, and how long it sleeps each
 * time. */
#define WAIT_STEPS   200
#define WAIT_STEP_NS 5000000

static const int numbers[] = { SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP };

static __thread const Worker *worker_here;

static int watch_fd = -1; /* -1 until fault_watch() sets it, before it installs handlers */
static int is_taken;      /* atomic: there was a fault */
static int may_end;       /* atomic: the fault was reported, or cannot be reported */
static int is_noted;      /* atomic: the fault can be read */
static Fault fault;

static gboolean
is_overflow (const Worker *self, int number, const siginfo_t *info)
{
  const char *address = info->si_addr;
  return self != NULL && number == SIGSEGV && info->si_code > 0 && address < self->stack_low
         && address >= self->stack_low - FAULT_GUARD_BYTES;
}

/* Appends a number: a signal handler may not call printf(). */
static char *
append_number (char *to, gsize number)
{
  char digits[24];
  guint n_digits = 0;
  do
    digits[n_digits++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (n_digits > 0)
    *to++ = digits[--n_digits];
  return to;
}

static char *
append (char *to, const char *text)
{
  while (*text != '\0')
    *to++ = *text++;
  return to;
}

static void G_GNUC_NORETURN
end_by_overflow (const Worker *self)
{
  char text[256];
  char *to = append (text, "satin: stack overflow in worker ");
  to = append_number (to, self->index);
  to = append (to, ": the recursion is deeper than its stack of ");
  to = append_number (to, self->stack_bytes >> 20);
  to = append (to, " MiB; set SATIN_STACK higher, as in SATIN_STACK=1G\n");
  if (write (STDERR_FILENO, text, (gsize)(to - text)) < 0)
    _exit (SATIN_ERROR_LIMIT + 10);
  _exit (SATIN_ERROR_LIMIT + 10); /* as satin_error_exit_status() says */
}

/* Whether the process itself caused the signal: by a wrong access, or by abort(). */
static gboolean
is_own (const siginfo_t *info)
{
  return info->si_code > 0 || info->si_pid == getpid ();
}

/* Passes the fault to the loop. Returns: FALSE when there was a fault before, or when the loop
 * cannot be told */
static gboolean
hand_over (const Worker *worker, int number)
{
  guint64 one = 1;
  if (SATIN_EXCHANGE (&is_taken, 1))
    return FALSE;
  fault = (Fault){ worker, number };
  SATIN_STORE (&is_noted, 1);
  return write (watch_fd, &one, sizeof one) == sizeof one;
}

static void
wait_until_told (void)
{
  const struct timespec step = { 0, WAIT_STEP_NS };
  for (int i = 0; i < WAIT_STEPS && !SATIN_LOAD (&may_end); i++)
    nanosleep (&step, NULL);
}

static void
on_fault (int number, siginfo_t *info, void *context)
{
  const Worker *self = worker_here;
  if (is_overflow (self, number, info))
    end_by_overflow (self);
  if (watch_fd >= 0 && !is_own (info) && hand_over (NULL, number))
    return;
  if (watch_fd >= 0 && is_own (info) && self != NULL)
    {
      hand_over (self, number);
      wait_until_told ();
    }
  /* Without a handler the faulting instruction faults again and ends the process. A signal that was
   * sent must be raised again. */
  signal (number, SIG_DFL);
  if (info->si_code <= 0)
    raise (number);
}

/* Installs the handler, unless the program or a sanitizer has one. */
static void catch (int number)
{
  struct sigaction now;
  if (sigaction (number, NULL, &now) != 0 || now.sa_handler != SIG_DFL)
    return;
  struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
  sigaction (number, &action, NULL);
}

void
fault_catch_overflow (void)
{
  catch (SIGSEGV);
}

const Worker *
worker_of_this_thread (void)
{
  return worker_here;
}

void
fault_enter (const Worker *worker)
{
  worker_here = worker;
}

void
fault_unmask (sigset_t *mask)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sigdelset (mask, numbers[i]);
}

int
fault_watch (void)
{
  if (watch_fd < 0)
    watch_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  for (guint i = 0; i < G_N_ELEMENTS (numbers) && watch_fd >= 0; i++)
    catch (numbers[i]);
  return watch_fd;
}

Fault
fault_get (void)
{
  /* It was noted before the descriptor became readable. */
  return SATIN_LOAD (&is_noted) ? fault : (Fault){ 0 };
}

void
fault_let_go (void)
{
  SATIN_STORE (&may_end, 1);
  if (fault.worker != NULL)
    return;
  signal (fault.signal_number, SIG_DFL);
  raise (fault.signal_number);
}
