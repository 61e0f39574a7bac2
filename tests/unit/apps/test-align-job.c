/* test-align-job.c - jobs of align refuse proteins and pairs that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "align/align.c"
#undef main

static SatinObject
create (SatinWorkers *workers, const char *name, const Sequences *sequences)
{
  const input_packed packed = { *sequences };
  g_autoptr (GError) error = NULL;
  SatinObject object =
      satin_objects_create (satin_objects_of (workers), &input_type, name, &packed, &error);
  g_assert_no_error (error);
  return object;
}

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const guint8 residues[] = { 1, 2, 3 }, strange[] = { 1, 2, 24 };
  static const gint32 ends[] = { 1, 3 }, backwards[] = { 2, 1 };
  const Costs costs = { 11, 1, FALSE };
  const Sequences right = { residues, 3, ends, 2 }, no_residue = { strange, 3, ends, 2 };
  const Sequences disordered = { residues, 3, backwards, 2 }, cut = { residues, 2, ends, 2 };
  const Pairs pairs = { 0, 1 };
  Scores scores = { 0 };
  SatinObject object = create (workers, "right", &right);
  g_assert_true (satin_run (workers, &scores, score, NULL, object, costs, pairs, 1));
  g_assert_cmpuint (scores.n_scores, ==, 1);
  satin_record_clear (&Scores_record, &scores);

  ASSERT_REFUSED (workers, "not here", &scores, score, 0, costs, pairs, 1);
  ASSERT_REFUSED (workers, "grain", &scores, score, object, costs, pairs, 0);
  ASSERT_REFUSED (workers, "first pair", &scores, score, object, costs, ((Pairs){ -1, 1 }), 1);
  ASSERT_REFUSED (workers, "last pair", &scores, score, object, costs, ((Pairs){ 0, 2 }), 1);
  ASSERT_REFUSED (workers, "last pair", &scores, score, object, costs, ((Pairs){ 1, 0 }), 1);
  ASSERT_REFUSED (workers, "cost", &scores, score, object, ((Costs){ -1, 1, 0 }), pairs, 1);
  ASSERT_REFUSED (workers, "cost", &scores, score, object, ((Costs){ 1, G_MAXINT32, 0 }), pairs, 1);
  ASSERT_REFUSED (workers, "no residue", &scores, score, create (workers, "strange", &no_residue),
                  costs, pairs, 1);
  ASSERT_REFUSED (workers, "length", &scores, score, create (workers, "backwards", &disordered),
                  costs, pairs, 1);
  ASSERT_REFUSED (workers, "do not end", &scores, score, create (workers, "cut", &cut), costs,
                  pairs, 1);
}

/* Another node may return too few scores. */
static void
test_missing_scores_are_refused (void)
{
  static const gint32 some[2];
  const Scores halves[] = { { some, 2, 1 }, { some, 1, 1 } };
  const Pairs parts[] = { { 0, 2 }, { 2, 4 } };
  Scores scores = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_false (join (halves, parts, &scores, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_null (scores.scores);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-align-job/wrong-arguments-are-refused", test_wrong_arguments_are_refused);
  g_test_add_func ("/app-align-job/missing-scores-are-refused", test_missing_scores_are_refused);
  return g_test_run ();
}
