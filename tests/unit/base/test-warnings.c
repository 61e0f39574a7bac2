/* test-warnings.c - tests that a few warnings about other nodes are shown, and the rest counted
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/warnings.h>

static const char kind[] = "kind";
static const char other[] = "other";

/* Returns: how many of @n warnings at @now_us are shown */
static guint
count_shown (SatinWarnings *self, gint64 now_us, SatinNodeId peer, const char *what, guint n)
{
  guint n_hidden, n_shown = 0;
  while (n-- > 0)
    n_shown += satin_warnings_may_show (self, now_us, peer, what, &n_hidden);
  return n_shown;
}

static void
test_few_are_shown (void)
{
  g_auto (SatinWarnings) self = { 0 };
  g_assert_cmpuint (count_shown (&self, 1, 2, kind, 5700), ==, 5);
}

static void
test_next_one_counts_those_that_were_not (void)
{
  g_auto (SatinWarnings) self = { 0 };
  guint n_hidden = 0;
  count_shown (&self, 1, 2, kind, 100);
  g_assert_true (satin_warnings_may_show (&self, 10000001, 2, kind, &n_hidden));
  g_assert_cmpuint (n_hidden, ==, 95);
}

static void
test_one_that_goes_on_is_shown_once_a_period (void)
{
  g_auto (SatinWarnings) self = { 0 };
  count_shown (&self, 1, 2, kind, 100);
  g_assert_cmpuint (count_shown (&self, 10000001, 2, kind, 100), ==, 1);
}

static void
test_peers_and_kinds_are_apart (void)
{
  g_auto (SatinWarnings) self = { 0 };
  count_shown (&self, 1, 2, kind, 100);
  g_assert_cmpuint (count_shown (&self, 1, 3, kind, 1), ==, 1);
  g_assert_cmpuint (count_shown (&self, 1, 2, other, 1), ==, 1);
}

static void
test_any_number_of_peers_is_taken (void)
{
  g_auto (SatinWarnings) self = { 0 };
  for (SatinNodeId peer = 1; peer <= 10 * SATIN_WARNINGS_MAX; peer++)
    g_assert_cmpuint (count_shown (&self, peer, peer, kind, 100), ==, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/warnings/few-are-shown", test_few_are_shown);
  g_test_add_func ("/base/warnings/next-one-counts-those-that-were-not",
                   test_next_one_counts_those_that_were_not);
  g_test_add_func ("/base/warnings/one-that-goes-on-is-shown-once-a-period",
                   test_one_that_goes_on_is_shown_once_a_period);
  g_test_add_func ("/base/warnings/peers-and-kinds-are-apart", test_peers_and_kinds_are_apart);
  g_test_add_func ("/base/warnings/any-number-of-peers-is-taken",
                   test_any_number_of_peers_is_taken);
  return g_test_run ();
}
