/* test-align.c - tests proteins, their pairs, and the scores of alignments
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pairs.h"

#include <string.h>

#define FILE_NAME "proteins.fasta"

/* ---- files ---- */

static void
test_file_has_its_proteins (void)
{
  static const char text[] = ">first of all\nARN\n d\n\n>second\r\n*\r\n";
  static const guint8 residues[] = { 0, 1, 2, 3, 23 };
  g_auto (Fasta) fasta = { 0 };
  int length;
  g_assert_true (fasta_read (FILE_NAME, text, strlen (text), &fasta, NULL));
  g_assert_cmpmem (fasta.sequences.residues, fasta.sequences.n_residues, residues, 5);
  g_assert_cmpuint (fasta.sequences.n_ends, ==, 2);
  g_assert_cmpstr (fasta.names->pdata[0], ==, "first");
  g_assert_cmpstr (fasta.names->pdata[1], ==, "second");
  g_assert_true (sequences_get (&fasta.sequences, 1, &length) == fasta.sequences.residues + 4);
  g_assert_cmpint (length, ==, 1);
}

typedef struct
{
  const char *claim;
  const char *text;
  const char *message;
} Wrong;

static const Wrong wrongs[] = {
  { "nothing-at-all", "", "line 1: expected a sequence, found the end" },
  { "no-name", "> x\nA\n", "line 1: expected a name after >" },
  { "no-begin", "\nARN\n", "line 2: expected > and a name" },
  { "no-residue", ">a\nA1\n", "line 2: expected residues, letters of " FASTA_LETTERS },
  { "empty-protein", ">a\n>b\nA\n", "line 2: the sequence before this line is empty" },
  { "empty-end", ">a\nA\n>b\n", "line 4: expected a sequence, found the end" },
};

static void
test_refused (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strconcat (FILE_NAME ": ", wrong->message, NULL);
  Fasta fasta;
  g_assert_false (fasta_read (FILE_NAME, wrong->text, strlen (wrong->text), &fasta, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_too_much_is_refused (void)
{
  g_autoptr (GString) many = g_string_new (NULL), longer = g_string_new (">a\n");
  g_autoptr (GError) error = NULL;
  Fasta fasta;
  for (int i = 0; i <= FASTA_MAX_SEQUENCES; i++)
    g_string_append (many, ">a\nA\n");
  for (int i = 0; i <= FASTA_MAX_LENGTH; i++)
    g_string_append_c (longer, 'A');
  g_assert_false (fasta_read (FILE_NAME, many->str, many->len, &fasta, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_false (fasta_read (FILE_NAME, longer->str, longer->len, &fasta, NULL));
  g_string_truncate (longer, longer->len - 1);
  g_auto (Fasta) most = { 0 };
  g_assert_true (fasta_read (FILE_NAME, longer->str, longer->len, &most, NULL));
}

static void
test_generated_proteins_are_right (void)
{
  for (int n = 1; n <= 9; n++)
    {
      g_auto (Fasta) fasta = { 0 };
      g_autoptr (GError) error = NULL;
      fasta_generate (n, 3 * n - 2, (guint64)n, &fasta);
      sequences_check (&fasta.sequences, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (fasta.names->len, ==, n);
      g_assert_cmpuint (fasta.sequences.n_ends, ==, n);
    }
}

/* ---- scores ---- */

static void
test_table_is_symmetric_and_known (void)
{
  /* The scores of each residue with itself, as published. */
  static const int same[] = { 4, 5, 6, 6, 9, 5,  5, 6, 8, 4, 4,  5,
                              5, 6, 7, 4, 5, 11, 7, 4, 4, 4, -1, 1 };
  for (int a = 0; a < FASTA_N_LETTERS; a++)
    {
      g_assert_cmpint (gotoh_blosum62[a][a], ==, same[a]);
      for (int b = 0; b < a; b++)
        g_assert_cmpint (gotoh_blosum62[a][b], ==, gotoh_blosum62[b][a]);
    }
}

/* The last step of an alignment that is tried. */
typedef enum
{
  PAIRED,
  GAP_IN_A,
  GAP_IN_B,
} Last;

/* Returns: the best score of all alignments of @a and @b, found by trying each. A local alignment
 * may end at any place. */
static int
try_all (const Costs *costs, const guint8 *a, int n_a, const guint8 *b, int n_b, Last last)
{
  int best = -1000000;
  if ((n_a == 0 && n_b == 0) || !costs->is_global)
    best = 0;
  if (n_a > 0 && n_b > 0)
    best = MAX (best, gotoh_blosum62[a[0]][b[0]]
                          + try_all (costs, a + 1, n_a - 1, b + 1, n_b - 1, PAIRED));
  if (n_a > 0)
    best = MAX (best, try_all (costs, a + 1, n_a - 1, b, n_b, GAP_IN_B) - costs->extend
                          - (last == GAP_IN_B ? 0 : costs->open));
  if (n_b > 0)
    best = MAX (best, try_all (costs, a, n_a, b + 1, n_b - 1, GAP_IN_A) - costs->extend
                          - (last == GAP_IN_A ? 0 : costs->open));
  return best;
}

static int
score_by_trying (const Costs *costs, const guint8 *a, int n_a, const guint8 *b, int n_b)
{
  if (costs->is_global)
    return try_all (costs, a, n_a, b, n_b, PAIRED);
  int best = 0;
  for (int i = 0; i < n_a; i++)
    for (int j = 0; j < n_b; j++)
      best = MAX (best, try_all (costs, a + i, n_a - i, b + j, n_b - j, PAIRED));
  return best;
}

static void
test_scores_are_those_of_all_alignments (void)
{
  static const Costs all_costs[] = { { 11, 1, FALSE }, { 11, 1, TRUE }, { 0, 3, FALSE },
                                     { 0, 3, TRUE },   { 2, 0, FALSE }, { 2, 0, TRUE },
                                     { 1, 1, TRUE } };
  for (int round = 0; round < 60; round++)
    {
      guint8 a[6], b[6];
      int n_a = g_test_rand_int_range (1, 7), n_b = g_test_rand_int_range (1, 7);
      for (int i = 0; i < n_a; i++)
        a[i] = (guint8)g_test_rand_int_range (0, FASTA_N_LETTERS);
      /* Much of the second protein is in the first one, so that gaps are worth their costs. */
      for (int i = 0; i < n_b; i++)
        b[i] = g_test_rand_bit () ? a[i % n_a] : (guint8)g_test_rand_int_range (0, FASTA_N_LETTERS);
      for (gsize k = 0; k < G_N_ELEMENTS (all_costs); k++)
        {
          int expected = score_by_trying (&all_costs[k], a, n_a, b, n_b);
          g_assert_cmpint (gotoh_score (&all_costs[k], a, n_a, b, n_b), ==, expected);
          g_assert_cmpint (gotoh_score (&all_costs[k], b, n_b, a, n_a), ==, expected);
        }
    }
}

/* These alignments can be scored by hand. */
static void
test_scores_are_known (void)
{
  static const char text[] = ">a\nWWCHW\n>b\nWWHW\n>c\nA\n";
  const Costs global = { 11, 1, TRUE }, local = { 11, 1, FALSE };
  g_auto (Fasta) fasta = { 0 };
  gint32 scores[3];
  g_assert_true (fasta_read (FILE_NAME, text, strlen (text), &fasta, NULL));
  /* WWCHW with WW-HW: 11 + 11 - 12 + 8 + 11. W with A: -3. */
  pairs_score (&(Pairs){ 0, 3 }, &global, &fasta.sequences, scores);
  g_assert_cmpint (scores[0], ==, 29);
  g_assert_cmpint (scores[1], ==, -3 - 11 - 4);
  g_assert_cmpint (scores[2], ==, -3 - 11 - 3);
  pairs_score (&(Pairs){ 0, 3 }, &local, &fasta.sequences, scores);
  g_assert_cmpint (scores[0], ==, 29);
  g_assert_cmpint (scores[1], ==, 0);
  g_assert_cmpint (scores[2], ==, 0);
}

/* ---- pairs ---- */

static void
test_pairs_come_in_their_order (void)
{
  gint64 pair = 0;
  for (int i = 1; i < 300; i++)
    for (int j = 0; j < i; j++, pair++)
      {
        int greater, less;
        pairs_find (pair, &greater, &less);
        g_assert_cmpint (greater, ==, i);
        g_assert_cmpint (less, ==, j);
      }
}

static void
test_parts_have_the_scores_of_the_whole (void)
{
  const Costs costs = { 11, 1, FALSE };
  g_auto (Fasta) fasta = { 0 };
  gint32 whole[45], parts[45];
  fasta_generate (10, 30, 4, &fasta);
  g_assert_cmpint (sequences_n_pairs (&fasta.sequences), ==, 45);
  pairs_score (&(Pairs){ 0, 45 }, &costs, &fasta.sequences, whole);
  gint64 n_cells = 0;
  for (gint64 first = 0; first < 45; first += 7)
    {
      const Pairs part = { first, MIN (first + 7, 45) };
      pairs_score (&part, &costs, &fasta.sequences, parts + first);
      n_cells += pairs_n_cells (&part, &fasta.sequences);
    }
  g_assert_cmpmem (parts, sizeof parts, whole, sizeof whole);
  g_assert_cmpint (n_cells, ==, pairs_n_cells (&(Pairs){ 0, 45 }, &fasta.sequences));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-align/" path, function)
  CASE ("file-has-its-proteins", test_file_has_its_proteins);
  CASE ("too-much-is-refused", test_too_much_is_refused);
  CASE ("generated-proteins-are-right", test_generated_proteins_are_right);
  CASE ("table-is-symmetric-and-known", test_table_is_symmetric_and_known);
  CASE ("scores-are-those-of-all-alignments", test_scores_are_those_of_all_alignments);
  CASE ("scores-are-known", test_scores_are_known);
  CASE ("pairs-come-in-their-order", test_pairs_come_in_their_order);
  CASE ("parts-have-the-scores-of-the-whole", test_parts_have_the_scores_of_the_whole);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strconcat ("/app-align/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_refused);
    }
  return g_test_run ();
}
