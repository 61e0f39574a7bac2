/* test-exchange.c - tests how searches exchange clauses through a shared set
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exchange.h"

#include <string.h>

#include "formulas.h"
#include "solver-state.h"

#define MAX_LENGTH 8

/* A formula, and a shared set through which its searches exchange clauses. */
typedef struct
{
  SatinObjects *objects;
  SatinReader *reader;
  SatinObject id;
  Formula formula;
} World;

static void
world_init (World *self, const char *kind)
{
  self->objects = satin_objects_new ();
  self->reader = satin_reader_new (self->objects);
  self->id =
      satin_objects_create (self->objects, &satin_set_type, "s", &(satin_set_packed){ 0 }, NULL);
  self->formula = formulas_make (kind);
}

static void
world_clear (World *self)
{
  satin_reader_free (self->reader);
  satin_objects_free (self->objects);
  formulas_clear (&self->formula);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (World, world_clear)

static const satin_set_state *
read_set (World *self)
{
  satin_reader_refresh (self->reader);
  return satin_reader_read (self->reader, self->id, &satin_set_type);
}

static void
add (World *self, gconstpointer items, gsize n_items)
{
  satin_objects_update (self->objects, self->id, &satin_set_add_method,
                        &(satin_set_add_args){ (SatinSetItem *)items, n_items });
}

static void
add_bytes (World *self, const void *bytes, gsize n_bytes)
{
  SatinSetItem item = { (gpointer)bytes, n_bytes };
  add (self, &item, 1);
}

/* Adds to the set the clauses that @exchange exports. Returns: how many */
static guint
tell (World *self, Exchange *exchange)
{
  g_autoptr (GArray) items = exchange_tell (exchange, read_set (self));
  add (self, items->data, items->len);
  return items->len;
}

static Exchange *
attach (World *self, Solver *solver)
{
  return exchange_new (solver, self->formula.n_variables, MAX_LENGTH);
}

/* Searches for @n_conflicts conflicts, and adds the learned clauses to the set. Returns: how
 * many */
static guint
teach (World *self, gint64 n_conflicts)
{
  g_autoptr (Solver) solver = solver_new (&self->formula);
  g_autoptr (Exchange) exchange = attach (self, solver);
  solver_search (solver, NULL, 0, n_conflicts);
  return tell (self, exchange);
}

static guint
count_all (const Solver *solver)
{
  return solver->n_trail + solver_count_learned (solver);
}

/* ---- sending ---- */

static void
test_learned_is_told_once (void)
{
  g_auto (World) world;
  world_init (&world, "uniform:200,852,3,1");
  g_autoptr (Solver) solver = solver_new (&world.formula);
  g_autoptr (Exchange) exchange = attach (&world, solver);
  solver_search (solver, NULL, 0, 300);
  g_assert_cmpuint (tell (&world, exchange), >, 5);
  g_assert_cmpuint (tell (&world, exchange), ==, 0);
  solver_search (solver, NULL, 0, 300);
  g_assert_cmpuint (tell (&world, exchange), >, 0);
}

/* A clause may be learned twice between two exports. It is exported once, and its bytes stay valid
 * after the export. */
static void
test_twice_learned_is_told_once (void)
{
  static const gint32 literals[] = { 7, 90, 150 };
  const Clause clause = { literals, G_N_ELEMENTS (literals) };
  g_auto (World) world;
  world_init (&world, "uniform:200,852,3,1");
  g_autoptr (Solver) solver = solver_new (&world.formula);
  g_autoptr (Exchange) exchange = attach (&world, solver);
  solver_add_numbers (solver, &clause, TRUE);
  solver_add_numbers (solver, &clause, TRUE);
  g_autoptr (GArray) items = exchange_tell (exchange, read_set (&world));
  g_assert_cmpuint (items->len, ==, 1);
  const SatinSetItem *item = &g_array_index (items, SatinSetItem, 0);
  add_bytes (&world, item->data, item->n_data);
  g_assert_true (satin_set_contains (read_set (&world), item->data, item->n_data));
}

static void
test_told_stays_told_when_others_are_forgotten (void)
{
  g_auto (TestFormula) formula = formulas_make ("uniform:200,852,3,1");
  g_autoptr (Solver) solver = solver_new (&formula);
  solver_search (solver, NULL, 0, 300);
  g_autoptr (GArray) first = solver_export_new (solver, MAX_LENGTH);
  g_assert_cmpuint (first->len, >, 0);
  solver_go_back (solver, 0);
  solver_reduce (solver);
  g_autoptr (GArray) second = solver_export_new (solver, MAX_LENGTH);
  g_assert_cmpuint (second->len, ==, 0);
}

static void
test_what_two_learn_is_one_element (void)
{
  g_auto (World) world;
  world_init (&world, "uniform:200,852,3,1");
  guint n = teach (&world, 300);
  g_assert_cmpuint (n, >, 5);
  g_assert_cmpuint (teach (&world, 300), ==, 0);
  g_assert_cmpuint (satin_set_get_n (read_set (&world)), ==, n);
}

static void
test_long_clauses_are_not_told (void)
{
  static const gint32 told[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 0 };
  g_auto (World) world;
  world_init (&world, "pigeon:4");
  g_autoptr (Solver) solver = solver_new (&world.formula);
  g_autoptr (Exchange) exchange = attach (&world, solver);
  solver_import (solver, told, G_N_ELEMENTS (told));
  g_assert_cmpuint (tell (&world, exchange), ==, 0);
}

static void
test_known_is_not_told_in_any_order (void)
{
  static const gint32 told[] = { 1, -2, 3, 0 }, known[] = { 3, 1, -2, 0 };
  g_auto (World) world;
  world_init (&world, "pigeon:4");
  g_autoptr (Solver) solver = solver_new (&world.formula);
  g_autoptr (Exchange) exchange = attach (&world, solver);
  solver_import (solver, told, G_N_ELEMENTS (told));
  exchange_know (exchange, known, G_N_ELEMENTS (known));
  g_assert_cmpuint (tell (&world, exchange), ==, 0);
}

static void
test_full_set_is_told_nothing (void)
{
  g_auto (World) world;
  world_init (&world, "uniform:200,852,3,1");
  for (guint32 i = 0; i < EXCHANGE_MAX_CLAUSES - 3; i++)
    add_bytes (&world, &i, sizeof i);
  g_assert_cmpuint (teach (&world, 300), ==, 3);
  g_assert_cmpuint (teach (&world, 600), ==, 0);
}

/* ---- receiving ---- */

static void
test_other_hears_what_was_told (void)
{
  g_auto (World) world;
  world_init (&world, "uniform:200,852,3,1");
  guint n = teach (&world, 300);
  g_autoptr (Solver) other = solver_new (&world.formula);
  g_autoptr (Exchange) exchange = attach (&world, other);
  exchange_hear (exchange, read_set (&world));
  g_assert_cmpuint (count_all (other), ==, n);
  g_assert_cmpuint (tell (&world, exchange), ==, 0);
}

static void
test_own_clauses_do_not_come_back (void)
{
  g_auto (World) world;
  world_init (&world, "uniform:200,852,3,1");
  g_autoptr (Solver) solver = solver_new (&world.formula);
  g_autoptr (Exchange) exchange = attach (&world, solver);
  solver_search (solver, NULL, 0, 300);
  solver_go_back (solver, 0);
  guint n = count_all (solver);
  g_assert_cmpuint (tell (&world, exchange), >, 0);
  exchange_hear (exchange, read_set (&world));
  g_assert_cmpuint (count_all (solver), ==, n);
}

/* Other nodes may add any bytes. The elements are: a clause of which the second literal is missing;
 * a 0 as a literal; a variable that does not exist; the smallest number; an empty clause; a byte
 * too many. */
static void
test_what_is_no_clause_is_left_out (void)
{
  static const char *const elements[] = {
    "\x04\x02", "\x02\x00\x00",    "\x02\xfe\x7f\x00", "\x02\xff\xff\xff\xff\x0f\x00",
    "\x00",     "\x02\x02\x00\x00"
  };
  static const gsize lengths[] = { 2, 3, 4, 7, 1, 4 };
  g_auto (World) world;
  world_init (&world, "pigeon:4");
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    add_bytes (&world, elements[i], lengths[i]);
  add_bytes (&world, "\x02\x02\x00", 3);
  g_autoptr (Solver) solver = solver_new (&world.formula);
  g_autoptr (Exchange) exchange = attach (&world, solver);
  exchange_hear (exchange, read_set (&world));
  g_assert_false (solver->is_refuted);
  g_assert_cmpuint (count_all (solver), ==, 1);
  g_assert_cmpint (solver->values[literal_from_number (1)], ==, 1);
}

static void
test_answer_is_the_same_when_all_share (void)
{
  for (guint i = 0; i < 100; i++)
    {
      g_auto (World) world;
      world_init (&world, "pigeon:1");
      formulas_clear (&world.formula);
      world.formula = formulas_draw (i);
      gboolean has_model = formulas_has_model (&world.formula, NULL, 0);
      const gint32 cubes[] = { 1, -1 };
      guint n_refuted = 0;
      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (Solver) solver = solver_new (&world.formula);
          g_autoptr (Exchange) exchange = attach (&world, solver);
          exchange_hear (exchange, read_set (&world));
          n_refuted +=
              solver_search (solver, &cubes[k], 1, SOLVER_NO_LIMIT) == SOLVER_UNSATISFIABLE;
          tell (&world, exchange);
        }
      g_assert_cmpuint (n_refuted == 2, ==, !has_model);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/sat/exchange/" path, function)
  CASE ("learned-is-told-once", test_learned_is_told_once);
  CASE ("twice-learned-is-told-once", test_twice_learned_is_told_once);
  CASE ("told-stays-told-when-others-are-forgotten",
        test_told_stays_told_when_others_are_forgotten);
  CASE ("what-two-learn-is-one-element", test_what_two_learn_is_one_element);
  CASE ("long-clauses-are-not-told", test_long_clauses_are_not_told);
  CASE ("known-is-not-told-in-any-order", test_known_is_not_told_in_any_order);
  CASE ("full-set-is-told-nothing", test_full_set_is_told_nothing);
  CASE ("other-hears-what-was-told", test_other_hears_what_was_told);
  CASE ("own-clauses-do-not-come-back", test_own_clauses_do_not_come_back);
  CASE ("what-is-no-clause-is-left-out", test_what_is_no_clause_is_left_out);
  CASE ("answer-is-the-same-when-all-share", test_answer_is_the_same_when_all_share);
  return g_test_run ();
}
