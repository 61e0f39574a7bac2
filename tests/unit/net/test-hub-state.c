/* test-hub-state.c - tests the states of the hub and of its members, and how it counts silence
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hub/private.h"

static void
test_over_is_final (void)
{
  for (guint to = 0; to < HUB_N_STATES; to++)
    g_assert_false (hub_state_may (HUB_OVER, to));
}

static void
test_a_run_ends_before_it_is_over (void)
{
  for (guint from = 0; from < HUB_N_STATES; from++)
    g_assert_cmpint (hub_state_may (from, HUB_OVER), ==, from == HUB_ENDING);
}

static void
test_only_an_empty_hub_restores (void)
{
  for (guint from = 0; from < HUB_N_STATES; from++)
    g_assert_cmpint (hub_state_may (from, HUB_RESTORING), ==, from == HUB_EMPTY);
}

static void
test_gone_is_final (void)
{
  for (guint to = 0; to < HUB_MEMBER_N_STATES; to++)
    {
      g_assert_false (hub_member_state_may (HUB_MEMBER_LEFT, to));
      g_assert_false (hub_member_state_may (HUB_MEMBER_DIED, to));
    }
}

static void
test_who_has_no_link_cannot_leave (void)
{
  g_assert_false (hub_member_state_may (HUB_MEMBER_LOST, HUB_MEMBER_LEFT));
  g_assert_true (hub_member_state_may (HUB_MEMBER_LOST, HUB_MEMBER_DIED));
}

static void
test_silence_counts_from_the_last_sign (void)
{
  HubSilence silence;

  hub_silence_start (&silence, 100);
  g_assert_true (hub_silence_update (&silence, 150, 200, 0));
  g_assert_false (hub_silence_update (&silence, 150, 300, 0));
  g_assert_cmpint (silence.since_us, ==, 150);
}

static void
test_signs_before_the_start_count_not (void)
{
  HubSilence silence;

  hub_silence_start (&silence, 100);
  g_assert_false (hub_silence_update (&silence, 99, 200, 0));
  g_assert_cmpint (silence.since_us, ==, 100);
}

/* The clock may show the same time at the start and at the answer. */
static void
test_sign_at_the_start_counts (void)
{
  HubSilence silence;

  hub_silence_start (&silence, 100);
  g_assert_true (hub_silence_update (&silence, 100, 200, 0));
}

static void
test_own_lateness_is_no_silence (void)
{
  HubSilence silence;

  hub_silence_start (&silence, 0);
  hub_silence_update (&silence, 0, 1000, 900);
  g_assert_cmpint (silence.since_us, ==, 900);
}

static void
test_silence_never_begins_in_the_future (void)
{
  HubSilence silence;

  hub_silence_start (&silence, 500);
  hub_silence_update (&silence, 0, 1000, 900);
  g_assert_cmpint (silence.since_us, ==, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/hub-state/over-is-final", test_over_is_final);
  g_test_add_func ("/net/hub-state/a-run-ends-before-it-is-over",
                   test_a_run_ends_before_it_is_over);
  g_test_add_func ("/net/hub-state/only-an-empty-hub-restores", test_only_an_empty_hub_restores);
  g_test_add_func ("/net/hub-state/member/gone-is-final", test_gone_is_final);
  g_test_add_func ("/net/hub-state/member/who-has-no-link-cannot-leave",
                   test_who_has_no_link_cannot_leave);
  g_test_add_func ("/net/hub-silence/counts-from-the-last-sign",
                   test_silence_counts_from_the_last_sign);
  g_test_add_func ("/net/hub-silence/signs-before-the-start-count-not",
                   test_signs_before_the_start_count_not);
  g_test_add_func ("/net/hub-silence/sign-at-the-start-counts", test_sign_at_the_start_counts);
  g_test_add_func ("/net/hub-silence/own-lateness-is-no-silence", test_own_lateness_is_no_silence);
  g_test_add_func ("/net/hub-silence/never-begins-in-the-future",
                   test_silence_never_begins_in_the_future);
  return g_test_run ();
}
