/* test-grammar-job.c - jobs of grammar refuse objects, places and numbers that only a damaged node
 * sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "grammar/grammar.c"
#undef main

static SatinObject
create (SatinWorkers *workers, const char *name, const Tree *tree)
{
  const input_packed packed = { *tree };
  g_autoptr (GError) error = NULL;
  SatinObject object =
      satin_objects_create (satin_objects_of (workers), &input_type, name, &packed, &error);
  g_assert_no_error (error);
  return object;
}

static SatinObject
create_smallest (SatinWorkers *workers)
{
  const satin_minimum_packed packed = { .value = G_MAXINT64 };
  g_autoptr (GError) error = NULL;
  SatinObject object = satin_objects_create (satin_objects_of (workers), &satin_minimum_type,
                                             "automaton", &packed, &error);
  g_assert_no_error (error);
  return object;
}

/* Runs a job that begins after one decision. It must fail with an error whose message contains
 * @reason. */
static void
assert_refused (SatinWorkers *workers, const char *reason, SatinObject input, SatinObject smallest,
                int grain, int limit, Decision decision, int next)
{
  Found found = { 0 };
  ASSERT_REFUSED (workers, reason, &found, find_automaton, input, smallest, grain, limit, &decision,
                  1, next);
}

static void
test_wrong_arguments_are_refused (void)
{
  /* The empty string is accepted, 0 is rejected, 0 0 is accepted and 0 0 0 is rejected. */
  static const guint8 labels[] = { TREE_ACCEPTED, TREE_REJECTED, TREE_ACCEPTED, TREE_REJECTED };
  static const gint32 children[] = { 1, 2, 3, 0 };
  static const Decision right = { 1, SEARCH_PROMOTE };
  const Tree tree = { 1, labels, G_N_ELEMENTS (labels), children, G_N_ELEMENTS (children) };
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  SatinObject input = create (workers, "tree", &tree), smallest = create_smallest (workers);
  Found found = { 0 };
  g_assert_true (
      satin_run (workers, &found, find_automaton, NULL, input, smallest, 5, 2, &right, 1, 0));
  g_assert_cmpuint (found.n_rows, ==, 4);
  satin_record_clear (&Found_record, &found);

  assert_refused (workers, "object", 0, smallest, 5, 2, right, 0);
  assert_refused (workers, "object", input, 0, 5, 2, right, 0);
  assert_refused (workers, "grain", input, smallest, 0, 2, right, 0);
  assert_refused (workers, "limit", input, smallest, 5, 0, right, 0);
  assert_refused (workers, "limit", input, smallest, 5, AUTOMATON_MAX_STATES + 1, right, 0);
  assert_refused (workers, "impossible", input, smallest, 5, 1, right, 0);
  assert_refused (workers, "blue state", input, smallest, 5, 2, (Decision){ 0, 0 }, 0);
  assert_refused (workers, "blue state", input, smallest, 5, 2, (Decision){ 4, 0 }, 0);
  assert_refused (workers, "blue state", input, smallest, 5, 2, (Decision){ G_MININT32, 0 }, 0);
  assert_refused (workers, "red state", input, smallest, 5, 2, (Decision){ 1, 1 }, 0);
  assert_refused (workers, "red state", input, smallest, 5, 2, (Decision){ 1, -2 }, 0);
  assert_refused (workers, "impossible", input, smallest, 5, 2, (Decision){ 1, 0 }, 0);
  assert_refused (workers, "impossible", input, smallest, 5, 2, (Decision){ 2, SEARCH_PROMOTE }, 0);
  assert_refused (workers, "next choice", input, smallest, 5, 2, right, -1);
  assert_refused (workers, "next choice", input, smallest, 5, 2, right, 4);
}

static void
test_wrong_trees_are_refused (void)
{
  static const guint8 labels[] = { TREE_ACCEPTED, TREE_REJECTED }, unknown[] = { 0, 3 };
  static const gint32 children[] = { 1, 0 }, loop[] = { 0, 1 }, outside[] = { 2, 0 },
                      negative[] = { -1, 0 };
  const Tree trees[] = {
    { 0, labels, 2, children, 2 }, { 65, labels, 2, children, 2 }, { 2, labels, 2, children, 2 },
    { 1, labels, 2, children, 1 }, { 1, unknown, 2, children, 2 }, { 1, labels, 2, loop, 2 },
    { 1, labels, 2, outside, 2 },  { 1, labels, 2, negative, 2 },  { 1, labels, 0, children, 0 },
  };
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  SatinObject smallest = create_smallest (workers);
  for (gsize i = 0; i < G_N_ELEMENTS (trees); i++)
    {
      g_autofree char *name = g_strdup_printf ("tree %" G_GSIZE_FORMAT, i);
      Found found = { 0 };
      ASSERT_REFUSED (workers, "wrong arguments", &found, find_automaton,
                      create (workers, name, &trees[i]), smallest, 5, 2, NULL, 0, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-grammar-job/wrong-arguments-are-refused",
                   test_wrong_arguments_are_refused);
  g_test_add_func ("/app-grammar-job/wrong-trees-are-refused", test_wrong_trees_are_refused);
  return g_test_run ();
}
