/* test-addresses.c - tests how much a worker reserves in a process that may have few addresses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/addresses.h"

#define MIB        ((gsize)1 << 20)
#define SLOT_BYTES ((gsize)64)

static const WorkerSizes wanted = { 256 * MIB, (gsize)4 << 20 };

static gsize
sum (WorkerSizes sizes)
{
  return sizes.stack_bytes + sizes.deque_slots * SLOT_BYTES;
}

static void
test_no_limit (void)
{
  WorkerSizes sizes = addresses_fit (wanted, 1024, 576, G_MAXSIZE);
  g_assert_cmpuint (sizes.stack_bytes, ==, wanted.stack_bytes);
  g_assert_cmpuint (sizes.deque_slots, ==, wanted.deque_slots);
}

static void
test_half_is_left (void)
{
  for (guint n_workers = 1; n_workers <= 64; n_workers++)
    {
      WorkerSizes sizes = addresses_fit (wanted, n_workers, SLOT_BYTES, 4096 * MIB);
      g_assert_cmpuint (sum (sizes) * n_workers, <=, 2048 * MIB);
      g_assert_cmpuint (sizes.stack_bytes, >=,
                        MIN (wanted.stack_bytes, 2048 * MIB / n_workers / 2) - 65536);
    }
}

static void
test_what_the_deque_leaves (void)
{
  const WorkerSizes small_deque = { 256 * MIB, 1024 };
  WorkerSizes sizes = addresses_fit (small_deque, 1, SLOT_BYTES, 200 * MIB);
  g_assert_cmpuint (sizes.deque_slots, ==, 1024);
  g_assert_cmpuint (sizes.stack_bytes, ==, 100 * MIB - 65536);
}

static void
test_least (void)
{
  WorkerSizes sizes = addresses_fit (wanted, 1024, 576, 0);
  g_assert_cmpuint (sizes.stack_bytes, ==, MIB);
  g_assert_cmpuint (sizes.deque_slots, ==, 1024);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/addresses/" claim, func)
  ADD ("without-a-limit-all-is-reserved", test_no_limit);
  ADD ("half-of-what-is-free-is-left-to-the-program", test_half_is_left);
  ADD ("the-stack-has-what-the-deque-does-not-need", test_what_the_deque_leaves);
  ADD ("a-worker-has-the-least-it-needs", test_least);
  return g_test_run ();
}
