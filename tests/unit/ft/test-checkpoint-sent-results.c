/* test-checkpoint-sent-results.c - tests that each finished job passes the filter once
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "checkpoint/checkpoint.h"

SATIN_TASK (piece, (void), (int, n)) {}
SATIN_TASK (other, (void), (int, n)) {}

/* Returns: whether @sent lets a job pass: child @number of job @under, with argument @n */
static gboolean
is_new (SentResults *sent, const SatinTask *task, guint64 under, guint32 number, gint32 n)
{
  const piece_args args = { .n = n };
  SatinFinishedFilter *core = sent_results_get (sent);
  g_autoptr (GByteArray) path = g_byte_array_new ();
  satin_path_append (path, number);
  return core->is_new (core, under, path, task, &args);
}

static gboolean
is_piece_new (SentResults *sent)
{
  return is_new (sent, &piece_task, 0, 1, 7);
}

static void
test_told_once (void)
{
  SentResults *sent = sent_results_new ();
  g_assert_true (is_piece_new (sent));
  g_assert_false (is_piece_new (sent));
  sent_results_unref (sent);
}

static void
test_found_each_time (void)
{
  SentResults *sent = sent_results_new ();
  g_assert_true (is_piece_new (sent));
  for (guint i = 0; i < 5; i++)
    {
      sent_results_turn (sent);
      g_assert_false (is_piece_new (sent));
    }
  sent_results_unref (sent);
}

static void
test_forgotten (void)
{
  SentResults *sent = sent_results_new ();
  g_assert_true (is_piece_new (sent));
  sent_results_turn (sent);
  sent_results_turn (sent);
  g_assert_true (is_piece_new (sent));
  sent_results_unref (sent);
}

static void
test_other_place (void)
{
  SentResults *sent = sent_results_new ();
  g_assert_true (is_piece_new (sent));
  g_assert_true (is_new (sent, &piece_task, 0, 2, 7));
  sent_results_unref (sent);
}

static void
test_other_import (void)
{
  SentResults *sent = sent_results_new ();
  g_assert_true (is_piece_new (sent));
  g_assert_true (is_new (sent, &piece_task, 5, 1, 7));
  sent_results_unref (sent);
}

static void
test_other_key (void)
{
  SentResults *sent = sent_results_new ();
  g_assert_true (is_piece_new (sent));
  g_assert_true (is_new (sent, &piece_task, 0, 1, 8));
  g_assert_true (is_new (sent, &other_task, 0, 1, 7));
  sent_results_unref (sent);
}

static void
test_closed (void)
{
  SentResults *sent = sent_results_new ();
  sent_results_close (sent, TRUE);
  g_assert_false (is_piece_new (sent));
  sent_results_unref (sent);
}

static void
test_found_when_open_again (void)
{
  SentResults *sent = sent_results_new ();
  sent_results_close (sent, TRUE);
  g_assert_false (is_piece_new (sent));
  sent_results_close (sent, FALSE);
  g_assert_true (is_piece_new (sent));
  sent_results_unref (sent);
}

static void
test_known_while_closed (void)
{
  SentResults *sent = sent_results_new ();
  g_assert_true (is_piece_new (sent));
  sent_results_close (sent, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      sent_results_turn (sent);
      g_assert_false (is_piece_new (sent));
    }
  sent_results_close (sent, FALSE);
  g_assert_false (is_piece_new (sent));
  sent_results_unref (sent);
}

static void
test_outlives_its_maker (void)
{
  SentResults *sent = sent_results_new ();
  SatinFinishedFilter *core = sent_results_get (sent);
  core->ref (core);
  sent_results_unref (sent);
  g_assert_true (is_piece_new (sent));
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
