/* test-checkpoint-client-filter.c - tests the filter that lets each finished job pass once
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "checkpoint/checkpoint.h"

SATIN_TASK (piece, (void), (int, n)) {}
SATIN_TASK (other, (void), (int, n)) {}

/* Returns: whether @filter lets a job pass: child @number of job @under, with argument @n */
static gboolean
is_new (Filter *filter, const SatinTask *task, guint64 under, guint32 number, gint32 n)
{
  const piece_args args = { .n = n };
  SatinFinishedFilter *core = filter_get (filter);
  g_autoptr (GByteArray) path = g_byte_array_new ();
  satin_path_append (path, number);
  return core->is_new (core, under, path, task, &args);
}

static gboolean
is_piece_new (Filter *filter)
{
  return is_new (filter, &piece_task, 0, 1, 7);
}

static void
test_told_once (void)
{
  Filter *filter = filter_new ();
  g_assert_true (is_piece_new (filter));
  g_assert_false (is_piece_new (filter));
  filter_unref (filter);
}

static void
test_found_each_time (void)
{
  Filter *filter = filter_new ();
  g_assert_true (is_piece_new (filter));
  for (guint i = 0; i < 5; i++)
    {
      filter_turn (filter);
      g_assert_false (is_piece_new (filter));
    }
  filter_unref (filter);
}

static void
test_forgotten (void)
{
  Filter *filter = filter_new ();
  g_assert_true (is_piece_new (filter));
  filter_turn (filter);
  filter_turn (filter);
  g_assert_true (is_piece_new (filter));
  filter_unref (filter);
}

static void
test_other_place (void)
{
  Filter *filter = filter_new ();
  g_assert_true (is_piece_new (filter));
  g_assert_true (is_new (filter, &piece_task, 0, 2, 7));
  filter_unref (filter);
}

static void
test_other_import (void)
{
  Filter *filter = filter_new ();
  g_assert_true (is_piece_new (filter));
  g_assert_true (is_new (filter, &piece_task, 5, 1, 7));
  filter_unref (filter);
}

static void
test_other_key (void)
{
  Filter *filter = filter_new ();
  g_assert_true (is_piece_new (filter));
  g_assert_true (is_new (filter, &piece_task, 0, 1, 8));
  g_assert_true (is_new (filter, &other_task, 0, 1, 7));
  filter_unref (filter);
}

static void
test_closed (void)
{
  Filter *filter = filter_new ();
  filter_close (filter, TRUE);
  g_assert_false (is_piece_new (filter));
  filter_unref (filter);
}

static void
test_found_when_open_again (void)
{
  Filter *filter = filter_new ();
  filter_close (filter, TRUE);
  g_assert_false (is_piece_new (filter));
  filter_close (filter, FALSE);
  g_assert_true (is_piece_new (filter));
  filter_unref (filter);
}

static void
test_known_while_closed (void)
{
  Filter *filter = filter_new ();
  g_assert_true (is_piece_new (filter));
  filter_close (filter, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      filter_turn (filter);
      g_assert_false (is_piece_new (filter));
    }
  filter_close (filter, FALSE);
  g_assert_false (is_piece_new (filter));
  filter_unref (filter);
}

static void
test_outlives_its_maker (void)
{
  Filter *filter = filter_new ();
  SatinFinishedFilter *core = filter_get (filter);
  core->ref (core);
  filter_unref (filter);
  g_assert_true (is_piece_new (filter));
  core->unref (core);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/checkpoint-filter/what-was-told-is-not-told-again", test_told_once);
  g_test_add_func ("/ft/checkpoint-filter/what-each-walk-finds-is-known-for-ever",
                   test_found_each_time);
  g_test_add_func ("/ft/checkpoint-filter/what-a-walk-did-not-find-is-forgotten-with-the-next",
                   test_forgotten);
  g_test_add_func ("/ft/checkpoint-filter/same-job-at-another-place-is-new", test_other_place);
  g_test_add_func ("/ft/checkpoint-filter/same-path-below-another-job-is-new", test_other_import);
  g_test_add_func ("/ft/checkpoint-filter/another-job-at-the-same-place-is-new", test_other_key);
  g_test_add_func ("/ft/checkpoint-filter/nothing-passes-a-closed-one", test_closed);
  g_test_add_func ("/ft/checkpoint-filter/what-a-closed-one-refused-is-found-later",
                   test_found_when_open_again);
  g_test_add_func ("/ft/checkpoint-filter/a-closed-one-keeps-what-it-knows",
                   test_known_while_closed);
  g_test_add_func ("/ft/checkpoint-filter/lives-until-the-last-walk-is-over",
                   test_outlives_its_maker);
  return g_test_run ();
}
