/* test-verdict.c - tests engines, verdicts, proofs and the exchange of clauses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "proof.h"
#include "verdict.h"

static const Effort proving = { .max_proof_bytes = 1 << 20 };
static const Effort plain = { 0 };

/* The cube 1 2 has no model because of 2 alone. */
static const gint32 of_two[] = { -2, 3, 0, -2, -3, 0 };
static const gint32 cube[] = { 1, 2 };

static Verdict
search (const Effort *effort)
{
  g_autoptr (Engine) engine = engine_new (3, 0, (gsize)effort->max_proof_bytes);
  g_autoptr (GError) error = NULL;
  Verdict verdict = { 0 };
  engine_add (engine, of_two, G_N_ELEMENTS (of_two));
  EngineAnswer answer = engine_solve (engine, cube, 2, ENGINE_NO_LIMIT);
  verdict_new (engine, answer, cube, 2, 3, effort, &verdict, &error);
  g_assert_no_error (error);
  return verdict;
}

static void
test_a_core_has_only_what_was_needed (void)
{
  Verdict verdict = search (&plain);
  g_assert_cmpint (verdict.answer, ==, ENGINE_UNSATISFIABLE);
  g_assert_cmpuint (verdict.n_core, ==, 1);
  g_assert_cmpint (verdict.core[0], ==, 2);
  g_assert_cmpuint (verdict.n_proof, ==, 0);
  g_assert_true (verdict_is_enough (&verdict, 1));
  g_assert_false (verdict_is_enough (&verdict, 2));
  satin_record_clear (&Verdict_record, &verdict);
}

static char *
write_text (const guint8 *parts, gsize n_bytes, GError **error)
{
  char *text = NULL;
  size_t n_text = 0;
  FILE *file = open_memstream (&text, &n_text);
  gboolean is_good = proof_write (parts, n_bytes, file, error);
  g_assert_cmpint (fclose (file), ==, 0);
  if (is_good)
    return text;
  free (text);
  return NULL;
}

static void
test_a_proof_ends_with_the_core (void)
{
  g_autoptr (GError) error = NULL;
  Verdict verdict = search (&proving);
  char *text = write_text (verdict.proof, verdict.n_proof, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (text, "-2 0\n"));
  free (text);
  satin_record_clear (&Verdict_record, &verdict);
}

static void
test_lemmas_are_deleted_with_their_part (void)
{
  const gint32 first[] = { 1, -300 }, second[] = { 70000, -2 }, inner[] = { 3, 4 };
  g_autoptr (GByteArray) proof = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  proof_begin (proof);
  proof_add (proof, first, 2);
  proof_begin (proof);
  proof_add (proof, second, 2);
  proof_end (proof, inner, 2);
  proof_end (proof, inner, 1);
  char *text = write_text (proof->data, proof->len, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==,
                   "1 -300 0\n70000 -2 0\n-3 -4 0\nd 70000 -2 0\n-3 0\nd 1 -300 0\nd -3 -4 0\n");
  free (text);
}

static void
test_wrong_bytes_are_refused (void)
{
  const char *const wrongs[] = {
    "e", "b", "ba\x02", "a\x02", "be", "x", "ba\xff\xff\xff\xff\xff\xff"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (write_text ((const guint8 *)wrongs[i], strlen (wrongs[i]), &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
    }
}

/* Joins the verdicts about two halves. Returns: the number of literals of the core; -1 without a
 * refutation of the whole */
static gint
join (Verdict *halves, const Effort *effort)
{
  g_autoptr (GError) error = NULL;
  Verdict whole = { .n_jobs = 1 };
  g_assert_true (verdict_join (&whole, halves, 5, effort, &error));
  gint n = whole.answer == ENGINE_UNSATISFIABLE ? (gint)whole.n_core : -1;
  satin_record_clear (&Verdict_record, &whole);
  return n;
}

static void
test_cores_of_halves_are_joined_without_the_split (void)
{
  const gint32 left[] = { 1, 2, 5 }, right[] = { 2, 3, -5 }, other[] = { 2, 3 };
  Verdict halves[] = {
    { .answer = ENGINE_UNSATISFIABLE, .core = left, .n_core = 3 },
    { .answer = ENGINE_UNSATISFIABLE, .core = right, .n_core = 3 },
  };
  g_assert_cmpint (join (halves, &plain), ==, 3);
  /* The second half was refuted without the split, so the first one does not matter. */
  halves[1].core = other;
  halves[1].n_core = 2;
  g_assert_cmpint (join (halves, &plain), ==, 2);
  halves[0].answer = ENGINE_UNKNOWN;
  g_assert_cmpint (join (halves, &plain), ==, 2);
  halves[1].core = right;
  halves[1].n_core = 3;
  g_assert_cmpint (join (halves, &plain), ==, -1);
}

static void
test_a_large_proof_is_a_limit (void)
{
  const Effort small = { .max_proof_bytes = 3 };
  g_autoptr (Engine) engine = engine_new (3, 0, 3);
  g_autoptr (GError) error = NULL;
  Verdict verdict = { 0 };
  engine_add (engine, of_two, G_N_ELEMENTS (of_two));
  EngineAnswer answer = engine_solve (engine, NULL, 0, ENGINE_NO_LIMIT);
  g_assert_cmpint (answer, ==, ENGINE_SATISFIABLE);
  const gint32 more[] = { 2, 3, 0, 2, -3, 0 };
  engine_add (engine, more, G_N_ELEMENTS (more));
  answer = engine_solve (engine, NULL, 0, ENGINE_NO_LIMIT);
  g_assert_false (verdict_new (engine, answer, NULL, 0, 3, &small, &verdict, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

static void
test_an_engine_gives_up (void)
{
  g_autoptr (Engine) engine = engine_new (3, 0, 0);
  const gint32 all[] = { 1, 2, 0, 1, -2, 0, -1, 3, 0, -1, -3, 0 };
  engine_add (engine, all, G_N_ELEMENTS (all));
  g_assert_cmpint (engine_solve (engine, NULL, 0, 100), ==, ENGINE_UNSATISFIABLE);
  g_assert_cmpint (engine_count_conflicts (engine), <=, 100);
}

/* The same clause in another order is no new item. */
static void
test_clauses_are_exchanged_once (void)
{
  const gint32 literals[] = { 3, -1, 0, -1, 3, 0, 2, 0 };
  g_autoptr (GArray) clauses = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autoptr (GByteArray) bytes = NULL;
  satin_set_state none = { 0 };
  g_array_append_vals (clauses, literals, G_N_ELEMENTS (literals));
  g_autoptr (GArray) items = exchange_new_items (&none, clauses, &bytes);
  g_assert_cmpuint (items->len, ==, 3);
  const SatinSetItem *item = (const SatinSetItem *)(gpointer)items->data;
  g_assert_cmpmem (item[0].data, item[0].n_data, item[1].data, item[1].n_data);
  g_assert_cmpuint (item[2].n_data, ==, 4);
  g_autoptr (GArray) nothing = exchange_get (&none, 3);
  g_assert_cmpuint (nothing->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-cubes/verdict/" path, function)
  CASE ("a-core-has-only-what-was-needed", test_a_core_has_only_what_was_needed);
  CASE ("a-proof-ends-with-the-core", test_a_proof_ends_with_the_core);
  CASE ("lemmas-are-deleted-with-their-part", test_lemmas_are_deleted_with_their_part);
  CASE ("wrong-bytes-are-refused", test_wrong_bytes_are_refused);
  CASE ("cores-of-halves-are-joined-without-the-split",
        test_cores_of_halves_are_joined_without_the_split);
  CASE ("a-large-proof-is-a-limit", test_a_large_proof_is_a_limit);
  CASE ("an-engine-answers-within-its-conflicts", test_an_engine_gives_up);
  CASE ("clauses-are-exchanged-once", test_clauses_are_exchanged_once);
  return g_test_run ();
}
