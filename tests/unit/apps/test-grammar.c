/* test-grammar.c - tests samples, their files, automata and the search for the smallest automaton
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "search.h"

#define FILE_NAME "strings.txt"

static void
sample_clear (Sample *sample)
{
  satin_record_clear (&Sample_record, sample);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sample, sample_clear)

static void
tree_clear (Tree *tree)
{
  satin_record_clear (&Tree_record, tree);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tree, tree_clear)

/* ---- files ---- */

static void
test_file_has_its_strings (void)
{
  static const char text[] = "# three strings\n3 4\n1 3 0 3 1\n0 0\n1 1 2 # the last\n";
  static const guint8 symbols[] = { 0, 3, 1, 2 };
  static const gint32 lengths[] = { 3, 0, 1 };
  g_auto (Sample) sample = { 0 };
  g_assert_true (sample_read (FILE_NAME, text, strlen (text), &sample, NULL));
  g_assert_cmpint (sample.n_letters, ==, 4);
  g_assert_cmpuint (sample_count_accepted (&sample), ==, 2);
  g_assert_cmpmem (sample.symbols, sample.n_symbols, symbols, sizeof symbols);
  g_assert_cmpmem (sample.lengths, sample.n_lengths * sizeof (gint32), lengths, sizeof lengths);
  g_assert_cmpmem (sample.is_accepted, sample.n_is_accepted, "\1\0\1", 3);
}

typedef struct
{
  const char *claim;
  const char *text;
  const char *message;
} Wrong;

static const Wrong wrongs[] = {
  { "nothing-at-all", "",
    "line 1: expected number of strings, a whole number from 1 to 100000, found the end" },
  { "no-string", "0 2\n",
    "line 1: expected number of strings, a whole number from 1 to 100000, found '0'" },
  { "too-many-strings", "100001 2\n",
    "line 1: expected number of strings, a whole number from 1 to 100000, found '100001'" },
  { "too-many-letters", "1 65\n",
    "line 1: expected number of different symbols, a whole number from 1 to 64, found '65'" },
  { "unknown-label", "1 2\n-1 0\n",
    "line 2: expected 1 for an accepted string or 0 for a rejected one, a whole number from 0 to 1,"
    " found '-1'" },
  { "too-long", "1 2\n1 10001\n",
    "line 2: expected number of symbols, a whole number from 0 to 10000, found '10001'" },
  { "unknown-symbol", "1 2\n1 2 0 2\n",
    "line 2: expected symbol, a whole number from 0 to 1, found '2'" },
  { "string-cut-short", "1 2\n1 2 0",
    "line 2: expected symbol, a whole number from 0 to 1, found the end" },
  { "too-few-strings", "2 2\n1 1 0\n",
    "line 3: expected 1 for an accepted string or 0 for a rejected one, a whole number from 0 to 1,"
    " found the end" },
  { "too-many", "1 2\n1 1 0\n0 1 1\n",
    "line 3: expected the end after the last string, found '0'" },
};

static void
test_refused (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strconcat (FILE_NAME ": ", wrong->message, NULL);
  Sample sample;
  g_assert_false (sample_read (FILE_NAME, wrong->text, strlen (wrong->text), &sample, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, message);
}

/* A file with as many strings of the longest kind as there may be, and one more. */
static void
test_too_many_symbols_are_refused (void)
{
  const int n = SAMPLE_MAX_SYMBOLS / SAMPLE_MAX_LENGTH + 1;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  Sample sample;
  g_string_append_printf (text, "%d 1\n", n);
  for (int i = 0; i < n; i++)
    {
      g_string_append_printf (text, "1 %d", SAMPLE_MAX_LENGTH);
      for (int j = 0; j < SAMPLE_MAX_LENGTH; j++)
        g_string_append (text, " 0");
      g_string_append_c (text, '\n');
    }
  g_assert_false (sample_read (FILE_NAME, text->str, text->len, &sample, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

static void
test_contradiction_is_refused (void)
{
  static const char text[] = "3 2\n1 2 0 1\n0 1 0\n0 2 0 1\n";
  g_auto (Sample) sample = { 0 };
  g_autoptr (GError) error = NULL;
  Tree tree;
  g_assert_true (sample_read (FILE_NAME, text, strlen (text), &sample, NULL));
  g_assert_false (tree_build (&sample, &tree, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "string 3 "));
}

static void
test_wrong_numbers_are_refused (void)
{
  static const char *const texts[] = { "",       "1,2",   "1,2,3,4", "x,2,3",     "1,0,3",
                                       "1,65,3", "1,2,0", "-1,2,3",  "1,2,100001" };
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      Sample sample;
      g_assert_false (sample_generate (texts[i], &sample, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

/* ---- searches ---- */

/* Returns: number of states of a smallest automaton. Also checks the automaton. */
static int
search_all (const Sample *sample)
{
  g_auto (Tree) tree = { 0 };
  g_assert_true (tree_build (sample, &tree, NULL));
  g_assert_true (tree_check (&tree, NULL));
  for (int limit = 1;; limit++)
    {
      g_autoptr (Search) search = search_new (&tree, limit, NULL, NULL);
      gsize n;
      g_assert_true (search_run (search, G_MAXINT64));
      const guint8 *rows = search_get_automaton (search, &n);
      if (rows == NULL)
        continue;
      g_assert_cmpint (automaton_check (rows, n, sample->n_letters), ==, limit);
      g_assert_true (automaton_fits (rows, sample));
      g_autofree guint8 *sorted = g_memdup2 (rows, n);
      automaton_sort (sorted, limit, sample->n_letters);
      g_assert_cmpint (automaton_check (sorted, n, sample->n_letters), ==, limit);
      g_assert_true (automaton_fits (sorted, sample));
      return limit;
    }
}

/* Returns: the sample of all strings of up to @longest symbols 0 and 1. @is_in: whether a string
 * with n symbols must be accepted */
static Sample
make_sample (gboolean (*is_in) (const guint8 *symbols, int n), int longest)
{
  g_autoptr (GByteArray) accepted = g_byte_array_new (), symbols = g_byte_array_new ();
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gint32));
  Sample sample = { .n_letters = 2 };
  for (gint32 n = 0; n <= longest; n++)
    for (int number = 0; number < 1 << n; number++)
      {
        guint8 string[16];
        for (int i = 0; i < n; i++)
          string[i] = number >> (n - 1 - i) & 1;
        guint8 is_accepted = is_in (string, n) ? 1 : 0;
        g_byte_array_append (accepted, &is_accepted, 1);
        g_byte_array_append (symbols, string, (guint)n);
        g_array_append_val (lengths, n);
      }
  sample.is_accepted = g_byte_array_steal (accepted, &sample.n_is_accepted);
  sample.lengths = g_array_steal (lengths, &sample.n_lengths);
  sample.symbols = g_byte_array_steal (symbols, &sample.n_symbols);
  return sample;
}

static int
count (const guint8 *symbols, int n, guint8 symbol)
{
  int n_found = 0;
  for (int i = 0; i < n; i++)
    n_found += symbols[i] == symbol;
  return n_found;
}

static gboolean
is_tomita_1 (const guint8 *symbols, int n)
{
  return count (symbols, n, 0) == 0;
}

static gboolean
is_tomita_2 (const guint8 *symbols, int n)
{
  for (int i = 0; i < n; i++)
    if (symbols[i] == i % 2)
      return FALSE;
  return n % 2 == 0;
}

/* Returns: number of equal symbols from @at on */
static int
measure_run (const guint8 *symbols, int n, int at)
{
  int end = at;
  while (end < n && symbols[end] == symbols[at])
    end++;
  return end - at;
}

static gboolean
is_tomita_3 (const guint8 *symbols, int n)
{
  gboolean is_after_odd = FALSE;
  for (int at = 0, length; at < n; at += length)
    {
      length = measure_run (symbols, n, at);
      if (symbols[at] == 0 && is_after_odd && length % 2 == 1)
        return FALSE;
      is_after_odd = symbols[at] == 1 && length % 2 == 1;
    }
  return TRUE;
}

static gboolean
is_tomita_4 (const guint8 *symbols, int n)
{
  for (int at = 0; at < n; at++)
    if (symbols[at] == 0 && measure_run (symbols, n, at) >= 3)
      return FALSE;
  return TRUE;
}

static gboolean
is_tomita_5 (const guint8 *symbols, int n)
{
  return count (symbols, n, 0) % 2 == 0 && count (symbols, n, 1) % 2 == 0;
}

static gboolean
is_tomita_6 (const guint8 *symbols, int n)
{
  return (count (symbols, n, 1) - count (symbols, n, 0)) % 3 == 0;
}

static gboolean
is_tomita_7 (const guint8 *symbols, int n)
{
  int n_falls = 0;
  for (int i = 0; i + 1 < n; i++)
    n_falls += symbols[i] == 1 && symbols[i + 1] == 0;
  return n_falls < 2;
}

/* Tomita's languages, and the published numbers of states of their smallest automata. */
static void
test_tomita_languages_have_their_sizes (void)
{
  static const struct
  {
    gboolean (*is_in) (const guint8 *symbols, int n);
    int n_states;
  } languages[] = { { is_tomita_1, 2 }, { is_tomita_2, 3 }, { is_tomita_3, 5 }, { is_tomita_4, 4 },
                    { is_tomita_5, 4 }, { is_tomita_6, 3 }, { is_tomita_7, 5 } };
  for (gsize i = 0; i < G_N_ELEMENTS (languages); i++)
    for (int longest = 5; longest <= 9; longest += 2)
      {
        g_auto (Sample) sample = make_sample (languages[i].is_in, longest);
        g_assert_cmpint (search_all (&sample), ==, languages[i].n_states);
      }
}

/* Whether an automaton with @n_states states and two letters fits. Tries them all. */
static gboolean
fits_by_trying (const Sample *sample, int n_states)
{
  guint8 rows[3 * 3];
  gint64 n_automata = 1;
  for (int i = 0; i < n_states; i++)
    n_automata *= 2 * n_states * n_states;
  for (gint64 number = 0; number < n_automata; number++)
    {
      gint64 rest = number;
      for (int i = 0; i < 3 * n_states; i++)
        {
          int base = i % 3 == 0 ? 2 : n_states;
          rows[i] = (guint8)(rest % base);
          rest /= base;
        }
      if (automaton_fits (rows, sample))
        return TRUE;
    }
  return FALSE;
}

static void
test_search_finds_the_smallest_automaton (void)
{
  int n_of_size[5] = { 0 };
  for (int seed = 1; seed <= 150; seed++)
    {
      g_autofree char *text = g_strdup_printf ("%d,%d,%d", seed, 2 + seed % 5, 5 + seed % 12);
      g_auto (Sample) sample = { 0 };
      g_assert_true (sample_generate (text, &sample, NULL));
      int n_states = search_all (&sample);
      for (int n = 1; n <= MIN (n_states, 3); n++)
        g_assert_true (fits_by_trying (&sample, n) == (n == n_states));
      n_of_size[MIN (n_states, 4)]++;
    }
  for (int n = 1; n <= 3; n++)
    g_assert_cmpint (n_of_size[n], >=, 5);
}

/* Searches a place with searches that divide after @n_nodes nodes. Returns: whether there is an
 * automaton. @n_all: counts the nodes */
static gboolean
search_in_parts (const Tree *tree, int limit, const Place *place, gint64 n_nodes, gint64 *n_all)
{
  g_autoptr (Search) search = search_new (tree, limit, place, NULL);
  gsize n;
  gboolean is_over = search_run (search, n_nodes);
  *n_all += search_get_n_nodes (search);
  gboolean is_found = search_get_automaton (search, &n) != NULL;
  if (is_over)
    return is_found;
  Place *places = search_list_places (search, &n);
  for (gsize i = 0; i < n; i++)
    is_found |= search_in_parts (tree, limit, &places[i], n_nodes, n_all);
  search_free_places (places, n);
  return is_found;
}

static void
test_parts_have_nothing_in_common_and_nothing_is_left (void)
{
  for (int seed = 1; seed <= 12; seed++)
    {
      g_autofree char *text = g_strdup_printf ("%d,7,60", seed);
      g_auto (Sample) sample = { 0 };
      g_auto (Tree) tree = { 0 };
      g_assert_true (sample_generate (text, &sample, NULL));
      g_assert_true (tree_build (&sample, &tree, NULL));
      int n_states = search_all (&sample);
      for (int limit = 1; limit < n_states; limit++)
        {
          g_autoptr (Search) search = search_new (&tree, limit, NULL, NULL);
          gint64 n_all = 0;
          g_assert_true (search_run (search, G_MAXINT64));
          g_assert_false (search_in_parts (&tree, limit, NULL, 3, &n_all));
          g_assert_cmpint (n_all, ==, search_get_n_nodes (search));
        }
      gint64 n_all = 0;
      g_assert_true (search_in_parts (&tree, n_states, NULL, 3, &n_all));
    }
}

/* ---- automata ---- */

static void
test_wrong_automata_are_refused (void)
{
  static const guint8 rows[] = { 0, 1, 0, 1, AUTOMATON_NOWHERE, 1 };
  g_assert_cmpint (automaton_check (rows, sizeof rows, 2), ==, 2);
  g_assert_cmpint (automaton_check (rows, sizeof rows, 1), ==, 0);
  g_assert_cmpint (automaton_check (rows, sizeof rows, 3), ==, 0);
  g_assert_cmpint (automaton_check (rows, 0, 2), ==, 0);
  for (gsize i = 0; i < sizeof rows; i++)
    {
      guint8 wrong[sizeof rows];
      memcpy (wrong, rows, sizeof rows);
      wrong[i] = 2;
      g_assert_cmpint (automaton_check (wrong, sizeof wrong, 2), ==, 0);
    }
  g_autofree guint8 *large = g_new0 (guint8, 65 * 2);
  g_assert_cmpint (automaton_check (large, 64 * 2, 1), ==, 64);
  g_assert_cmpint (automaton_check (large, 65 * 2, 1), ==, 0);
}

static void
test_automaton_that_does_not_fit_is_noticed (void)
{
  static const guint8 even[] = { 1, 1, 0, 0 }, odd[] = { 0, 1, 1, 0 },
                      short_one[] = { 1, 1, 0, AUTOMATON_NOWHERE };
  static const char text[] = "3 1\n1 0\n0 1 0\n1 2 0 0\n";
  g_auto (Sample) sample = { 0 };
  g_assert_true (sample_read (FILE_NAME, text, strlen (text), &sample, NULL));
  g_assert_true (automaton_fits (even, &sample));
  g_assert_false (automaton_fits (odd, &sample));
  g_assert_false (automaton_fits (short_one, &sample));
}

static void
test_automaton_is_printed_breadth_first (void)
{
  guint8 rows[] = { 0, 2, 0, 1, 1, AUTOMATON_NOWHERE, 0, 2, 1 };
  automaton_sort (rows, 3, 2);
  g_autofree char *text = automaton_to_text (rows, 3, 2);
  g_assert_cmpstr (text, ==, "state 0 rejects: 1 0\nstate 1 rejects: 1 2\nstate 2 accepts: 2 -\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-grammar/" path, function)
  CASE ("file-has-its-strings", test_file_has_its_strings);
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strconcat ("/app-grammar/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_refused);
    }
  CASE ("refused/too-many-symbols", test_too_many_symbols_are_refused);
  CASE ("refused/contradiction", test_contradiction_is_refused);
  CASE ("refused/numbers-of-generate", test_wrong_numbers_are_refused);
  CASE ("tomita-languages-have-their-sizes", test_tomita_languages_have_their_sizes);
  CASE ("search-finds-the-smallest-automaton", test_search_finds_the_smallest_automaton);
  CASE ("parts-have-nothing-in-common", test_parts_have_nothing_in_common_and_nothing_is_left);
  CASE ("wrong-automata-are-refused", test_wrong_automata_are_refused);
  CASE ("automaton-that-does-not-fit-is-noticed", test_automaton_that_does_not_fit_is_noticed);
  CASE ("automaton-is-printed-breadth-first", test_automaton_is_printed_breadth_first);
  return g_test_run ();
}
