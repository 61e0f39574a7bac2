/* test-steal-waits.c - tests what stealing waits for, and that each wait has a deadline
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-pair.h"

static void
write_wait (const SatinWait *wait, gpointer user_data)
{
  g_assert_cmpuint (wait->deadline, !=, 0);
  g_string_append_printf (user_data, "%s,", wait->what);
}

static void
assert_waits (const WorldNode *node, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  steal_waits (node->steal, write_wait, text);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_nothing (void)
{
  assert_waits (victim, "");
  assert_waits (thief, "");
}

static void
test_request (void)
{
  steal_hungry (thief->steal);
  assert_waits (thief, "an answer to a request,");
}

static void
test_held (void)
{
  victim->is_busy = TRUE;
  steal_hungry (thief->steal);
  steal_world_advance (world, 300);
  assert_waits (victim, "jobs for a pending request,");
}

static void
test_exported (void)
{
  steal_pair_export (1);
  assert_waits (victim, "results of exported jobs,");
  g_assert_cmpuint (steal_count_imports (thief->steal), ==, 1);
}

/* The victim collects acknowledgements before it sends them, so it waits, too. */
static void
test_result (void)
{
  steal_pair_export (1);
  thief->is_passive = TRUE;
  steal_world_advance (world, 2000);
  assert_waits (thief, "a result to be acknowledged,");
  assert_waits (victim, "a time to acknowledge results,");
  g_assert_cmpuint (steal_count_imports (thief->steal), ==, 0);
  steal_world_advance (world, 50000);
  assert_waits (thief, "");
  assert_waits (victim, "");
}

static void
take_ref (const SatinJobRef *ref, gpointer user_data)
{
  *(SatinJobRef *)user_data = *ref;
}

static void
test_owner_wants_what_it_exported (void)
{
  SatinJobRef ref = { 0 };
  steal_pair_export (1);
  steal_foreach_ref (thief->steal, take_ref, &ref);
  g_assert_cmpuint (ref.owner, ==, 1);
  g_assert_true (steal_wants (victim->steal, 2, &ref));
  g_assert_false (steal_wants (victim->steal, 3, &ref));
  ref.generation++;
  g_assert_false (steal_wants (victim->steal, 2, &ref));
  ref = (SatinJobRef){ 1, 1000, 1 };
  g_assert_false (steal_wants (victim->steal, 2, &ref));
}

static void
test_owner_wants_a_result_once (void)
{
  SatinJobRef ref = { 0 };
  steal_pair_export (1);
  steal_foreach_ref (thief->steal, take_ref, &ref);
  thief->is_passive = TRUE;
  steal_world_advance (world, 2000);
  g_assert_false (steal_wants (victim->steal, 2, &ref));
  ref.owner = 0;
  steal_foreach_ref (thief->steal, take_ref, &ref);
  g_assert_cmpuint (ref.owner, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  steal_pair_add ("steal-waits", "who-does-nothing-waits-for-nothing", test_nothing);
  steal_pair_add ("steal-waits", "a-request-is-waited-for", test_request);
  steal_pair_add ("steal-waits", "a-held-request-is-waited-for", test_held);
  steal_pair_add ("steal-waits", "an-exported-job-is-waited-for", test_exported);
  steal_pair_add ("steal-waits", "an-owner-wants-what-it-exported",
                  test_owner_wants_what_it_exported);
  steal_pair_add ("steal-waits", "an-owner-wants-a-result-once", test_owner_wants_a_result_once);
  steal_pair_add ("steal-waits", "a-result-is-waited-for-until-it-is-acknowledged", test_result);
  return g_test_run ();
}
