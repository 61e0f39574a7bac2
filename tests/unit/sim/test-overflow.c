/* test-overflow.c - tests the overflow of a fiber's stack, in a process of its own
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/sim/world.h>

#define STACK_BYTES ((gsize)64 << 10)
#define PAGE_BYTES  ((gsize)4096)
#define N_FIBERS    64

static const SatinThreadOps *ops;
static char *lows[N_FIBERS]; /* the lower ends of all stacks */
static guint n_lows;

static gboolean
is_low (const char *address)
{
  for (guint i = 0; i < n_lows; i++)
    if (lows[i] == address)
      return TRUE;
  return FALSE;
}

/* Calls itself @n times, with frames of about 300 bytes. The deepest call lets other fibers run. */
static guint G_GNUC_NO_INLINE
descend (guint n)
{
  volatile char frame[256];
  frame[n % sizeof frame] = 1;
  if (n == 0)
    ops->charge (1000);
  return n == 0 ? 0 : descend (n - 1) + frame[n % sizeof frame];
}

static void
overflow_far (gpointer unused)
{
  descend (1000000);
}

/* Overflows into the stack of another fiber, if that stack lies directly below the stack of this
 * fiber. With N_FIBERS fibers, most have such a neighbour. */
static void
overflow_into_another (gpointer unused)
{
  char *low;
  gsize n_bytes;
  ops->get_stack (&low, &n_bytes);
  lows[n_lows++] = low;
  ops->charge (1000);
  if (!is_low (low - n_bytes))
    return;
  char *here = __builtin_frame_address (0);
  while (here > low - PAGE_BYTES)
    {
      here = __builtin_alloca (PAGE_BYTES);
      *(volatile char *)here = 1;
    }
  ops->charge (1000);
}

static void
fault (gpointer unused)
{
  *(volatile int *)PAGE_BYTES = 0;
}

static void
start (gpointer func)
{
  g_autoptr (GError) error = NULL;
  g_assert_nonnull (ops->start ((void (*) (gpointer))func, NULL, STACK_BYTES, &error));
}

static void
run_fibers (void (*func) (gpointer data), guint n_fibers, gboolean is_guarded)
{
  SatinSimOptions options = { .seed = 1, .is_guarded = is_guarded };
  g_autoptr (SatinSim) sim = satin_sim_new (&options);
  SatinSimHost *host = satin_sim_add_host (sim, 0, 1);
  ops = satin_sim_thread_ops (sim, 0);
  for (guint i = 0; i < n_fibers; i++)
    satin_sim_host_call (host, start, (gpointer)func);
  satin_sim_run (sim, G_MAXINT64, NULL, NULL);
}

/* Runs the case again in a process of its own. There, sanitizers must leave the signal to the
 * program. */
static void
run_apart (void)
{
  const char *variables[] = { "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS" };
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_setenv (variables[i], "handle_segv=0", TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
}

static void
test_says_what_to_do (void)
{
  if (g_test_subprocess ())
    {
      run_fibers (overflow_far, 1, TRUE);
      return;
    }
  run_apart ();
  g_test_trap_assert_stderr ("*stack overflow*64 KiB*--stack 128K*");
}

static void
test_is_found_without_a_guard (void)
{
  if (g_test_subprocess ())
    {
      run_fibers (overflow_into_another, N_FIBERS, FALSE);
      return;
    }
  run_apart ();
  g_test_trap_assert_stderr ("*stack overflow*64 KiB*--stack 128K*");
}

static void
test_other_fault_is_none (void)
{
  if (g_test_subprocess ())
    {
      run_fibers (fault, 1, TRUE);
      return;
    }
  run_apart ();
  g_test_trap_assert_stderr_unmatched ("*stack overflow*");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/overflow/says-what-to-do", test_says_what_to_do);
  g_test_add_func ("/sim/overflow/is-found-without-a-guard", test_is_found_without_a_guard);
  g_test_add_func ("/sim/overflow/other-fault-is-none", test_other_fault_is_none);
  return g_test_run ();
}
