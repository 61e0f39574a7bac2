/* test-positions.c - tests the shared transposition table: new findings are known, old ones stay
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "othello/positions.h"

/* A store with one shared table. */
typedef struct
{
  SatinObjects *objects; /* (owned) */
  SatinReader *reader;   /* (owned) */
  SatinObject id;
} Replica;

static void
replica_init (Replica *self)
{
  const positions_packed packed = { .size_mib = 1 };
  self->objects = satin_objects_new ();
  self->reader = satin_reader_new (self->objects);
  self->id = satin_objects_create (self->objects, &positions_type, "positions", &packed, NULL);
  g_assert_cmpint (self->id, !=, 0);
}

static void
replica_clear (Replica *self)
{
  satin_reader_free (self->reader);
  satin_objects_free (self->objects);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Replica, replica_clear)

static Table *
table_of (Replica *self)
{
  satin_reader_refresh (self->reader);
  const positions_state *state = satin_reader_read (self->reader, self->id, &positions_type);
  return state->table;
}

static void
tell (Replica *self, const Finding *findings, gsize n_findings)
{
  const positions_learn_args args = { findings, n_findings };
  g_assert_true (satin_objects_update (self->objects, self->id, &positions_learn_method, &args));
}

static const Board board = { 0x0000000810000000, 0x0000001008000000 };

static void
assert_knows (Replica *self, int depth, int lower, int upper, int move)
{
  TableEntry found;
  g_assert_true (table_probe (table_of (self), &board, &found));
  g_assert_cmpint (found.depth, ==, depth);
  g_assert_cmpint (found.lower, ==, lower);
  g_assert_cmpint (found.upper, ==, upper);
  g_assert_cmpint (found.move, ==, move);
}

static void
test_what_is_told_is_known (void)
{
  g_auto (Replica) replica = { 0 };
  const TableEntry entry = { 20, -64, 64, 63 };
  const Finding finding = finding_new (&board, &entry);
  replica_init (&replica);
  tell (&replica, &finding, 1);
  assert_knows (&replica, 20, -64, 64, 63);
}

static void
test_bounds_are_put_together (void)
{
  g_auto (Replica) replica = { 0 };
  const TableEntry low = { 20, 3, 64, 19 }, high = { 20, -64, 9, 26 };
  const Finding findings[] = { finding_new (&board, &low), finding_new (&board, &high) };
  replica_init (&replica);
  tell (&replica, findings, 2);
  assert_knows (&replica, 20, 3, 9, 26);
}

static void
test_a_deeper_search_is_not_forgotten (void)
{
  g_auto (Replica) replica = { 0 };
  const TableEntry deep = { 20, 3, 64, 19 }, shallow = { 19, -64, 9, 26 };
  const Finding findings[] = { finding_new (&board, &deep), finding_new (&board, &shallow) };
  replica_init (&replica);
  tell (&replica, findings, 2);
  assert_knows (&replica, 20, 3, 64, 19);
}

static void
test_bounds_that_exclude_each_other_are_not_learned (void)
{
  g_auto (Replica) replica = { 0 };
  const TableEntry low = { 20, 3, 64, 19 }, wrong = { 20, -64, 2, 26 };
  const Finding findings[] = { finding_new (&board, &low), finding_new (&board, &wrong) };
  replica_init (&replica);
  tell (&replica, findings, 2);
  assert_knows (&replica, 20, 3, 64, 19);
}

static void
test_two_calls_become_one (void)
{
  g_auto (Replica) replica = { 0 };
  const TableEntry low = { 20, 3, 64, 19 }, high = { 20, -64, 9, 26 };
  const Finding first = finding_new (&board, &low), second = finding_new (&board, &high);
  const positions_learn_args later = { &second, 1 };
  positions_learn_args all = { g_memdup2 (&first, sizeof first), 1 };
  g_assert_true (positions_type.combine (&positions_learn_method, &all, &later));
  g_assert_cmpuint (all.n_findings, ==, 2);
  replica_init (&replica);
  tell (&replica, all.findings, all.n_findings);
  assert_knows (&replica, 20, 3, 9, 26);
  satin_record_clear (positions_learn_method.args, &all);
}

static void
test_a_replica_that_comes_takes_nothing_away (void)
{
  g_auto (Replica) one = { 0 }, two = { 0 };
  const TableEntry entry = { 20, 3, 9, 19 };
  const Finding finding = finding_new (&board, &entry);
  replica_init (&one);
  replica_init (&two);
  tell (&two, &finding, 1);
  g_autoptr (GBytes) packed = satin_objects_pack (one.objects, one.id, NULL, NULL);
  g_assert_true (satin_objects_install (two.objects, two.id, "positions", packed, NULL));
  assert_knows (&two, 20, 3, 9, 19);
}

static void
test_impossible_sizes_are_refused (void)
{
  static const gint32 sizes[] = { 0, -1, TABLE_MAX_MIB + 1 };
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      const positions_packed packed = { sizes[i] };
      g_assert_cmpint (
          satin_objects_create (objects, &positions_type, "positions", &packed, &error), ==, 0);
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-othello/positions/" path, function)
  CASE ("what-is-told-is-known", test_what_is_told_is_known);
  CASE ("bounds-are-put-together", test_bounds_are_put_together);
  CASE ("a-deeper-search-is-not-forgotten", test_a_deeper_search_is_not_forgotten);
  CASE ("bounds-that-exclude-each-other-are-not-learned",
        test_bounds_that_exclude_each_other_are_not_learned);
  CASE ("two-calls-become-one", test_two_calls_become_one);
  CASE ("a-replica-that-comes-takes-nothing-away", test_a_replica_that_comes_takes_nothing_away);
  CASE ("impossible-sizes-are-refused", test_impossible_sizes_are_refused);
  return g_test_run ();
}
