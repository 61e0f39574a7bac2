/* test-transport-state.c - tests the table of states of a stream link
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link-state.h"

static void
test_broken_is_final (void)
{
  for (guint to = 0; to < LINK_N_STATES; to++)
    g_assert_false (link_state_may (LINK_BROKEN, to));
}

static void
test_every_other_state_may_break (void)
{
  for (guint from = 0; from < LINK_BROKEN; from++)
    g_assert_true (link_state_may (from, LINK_BROKEN));
}

static void
test_up_is_reached_through_the_handshake_only (void)
{
  for (guint from = 0; from < LINK_N_STATES; from++)
    g_assert_cmpint (link_state_may (from, LINK_UP), ==, from == LINK_SHAKING);
}

static void
test_no_state_is_entered_twice (void)
{
  for (guint from = 0; from < LINK_N_STATES; from++)
    for (guint to = 0; to <= from; to++)
      g_assert_false (link_state_may (from, to));
}

static void
test_every_state_has_a_name (void)
{
  for (guint state = 0; state < LINK_N_STATES; state++)
    g_assert_nonnull (link_state_name (state));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/transport-state/broken-is-final", test_broken_is_final);
  g_test_add_func ("/net/transport-state/every-other-state-may-break",
                   test_every_other_state_may_break);
  g_test_add_func ("/net/transport-state/up-is-reached-through-the-handshake-only",
                   test_up_is_reached_through_the_handshake_only);
  g_test_add_func ("/net/transport-state/no-state-is-entered-twice",
                   test_no_state_is_entered_twice);
  g_test_add_func ("/net/transport-state/every-state-has-a-name", test_every_state_has_a_name);
  return g_test_run ();
}
