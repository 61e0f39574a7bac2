/* test-circuit.c - tests circuits: reading, errors, generation
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "locusroute/circuit.h"

#include <string.h>

#define FILE_NAME "folder/circuit.txt"

static const Segment *
segment (const Circuit *circuit, guint i)
{
  return &g_array_index (circuit->segments, Segment, i);
}

static void
test_pins_are_read (void)
{
  static const char text[] = "3 9 # channels, columns\n2 1 1 3 9\n2\n2 5\n2 4\n";
  g_auto (Circuit) circuit = { 0 };
  g_assert_true (circuit_read (FILE_NAME, text, strlen (text), &circuit, NULL));
  g_assert_cmpstr (circuit.name, ==, "circuit.txt");
  g_assert_cmpint (circuit.n_channels, ==, 3);
  g_assert_cmpint (circuit.n_columns, ==, 9);
  g_assert_cmpint (circuit.n_wires, ==, 2);
  g_assert_cmpuint (circuit.segments->len, ==, 2);
  const Segment first = { 0, 0, 0, 2, 8, BEND_NONE }, second = { 1, 1, 3, 1, 4, BEND_NONE };
  g_assert_cmpmem (segment (&circuit, 0), sizeof first, &first, sizeof first);
  g_assert_cmpmem (segment (&circuit, 1), sizeof second, &second, sizeof second);
}

/* The pins are in one channel, so the shortest tree joins each pin with the next one. */
static void
test_a_wire_is_a_shortest_tree (void)
{
  static const char text[] = "1 20\n5  1 10  1 1  1 20  1 4  1 15\n";
  g_auto (Circuit) circuit = { 0 };
  int length = 0;
  g_assert_true (circuit_read (FILE_NAME, text, strlen (text), &circuit, NULL));
  g_assert_cmpuint (circuit.segments->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    length += segment (&circuit, i)->last_column - segment (&circuit, i)->first_column;
  g_assert_cmpint (length, ==, 19);
}

typedef struct
{
  const char *claim;
  const char *text;
  int code;
  const char *message;
} Wrong;

#define PINS "expected number of pins of a wire, a whole number from 2 to 1000, found "

static const Wrong wrongs[] = {
  { "nothing-at-all", "", SATIN_ERROR_FORMAT,
    "line 1: expected number of channels, a whole number from 1 to 1000, found the end" },
  { "garbage", "channels 3\n", SATIN_ERROR_FORMAT,
    "line 1: expected number of channels, a whole number from 1 to 1000, found 'channels'" },
  { "no-column", "3 0\n", SATIN_ERROR_FORMAT,
    "line 1: expected number of columns, a whole number from 1 to 100000, found '0'" },
  { "huge-number", "3 99999999999999999999\n", SATIN_ERROR_FORMAT,
    "line 1: expected number of columns, a whole number from 1 to 100000, found "
    "'99999999999999999999'" },
  { "too-many-places", "1000 100000\n", SATIN_ERROR_LIMIT, "line 1: more than 4000000 places" },
  { "no-wire", "3 9\n", SATIN_ERROR_FORMAT, "line 2: " PINS "the end" },
  { "wire-of-one-pin", "3 9\n1 1 1\n", SATIN_ERROR_FORMAT, "line 2: " PINS "'1'" },
  { "wire-cut-short", "3 9\n3 1 1 2 2\n", SATIN_ERROR_FORMAT,
    "line 3: expected channel of a pin, a whole number from 1 to 3, found the end" },
  { "pin-outside", "3 9\n2 1 1\n4 2\n", SATIN_ERROR_FORMAT,
    "line 3: expected channel of a pin, a whole number from 1 to 3, found '4'" },
  { "negative-column", "3 9\n2 1 1 2 -2\n", SATIN_ERROR_FORMAT,
    "line 2: expected column of a pin, a whole number from 1 to 9, found '-2'" },
};

static void
test_error_is_told_with_its_line (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autofree char *message = g_strdup_printf (FILE_NAME ": %s", wrong->message);
  g_autoptr (GError) error = NULL;
  Circuit circuit = { 0 };
  g_assert_false (circuit_read (FILE_NAME, wrong->text, strlen (wrong->text), &circuit, &error));
  g_assert_error (error, SATIN_ERROR, wrong->code);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_null (circuit.segments);
}

static void
test_published_circuits_have_their_sizes (void)
{
  static const struct
  {
    const char *kind;
    int n_wires, n_channels, n_columns;
  } sizes[] = { { "bnrE", 420, 10, 341 }, { "MDC", 575, 12, 429 }, { "7x3x40", 7, 3, 40 } };
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_auto (Circuit) circuit = { 0 };
      g_assert_true (circuit_generate (sizes[i].kind, 1, &circuit, NULL));
      g_assert_cmpint (circuit.n_wires, ==, sizes[i].n_wires);
      g_assert_cmpint (circuit.n_channels, ==, sizes[i].n_channels);
      g_assert_cmpint (circuit.n_columns, ==, sizes[i].n_columns);
    }
}

static void
test_generated_pins_are_inside (void)
{
  g_auto (Circuit) circuit = { 0 };
  g_assert_true (circuit_generate ("500x3x7", g_test_rand_int (), &circuit, NULL));
  for (guint i = 0; i < circuit.segments->len; i++)
    {
      const Segment *s = segment (&circuit, i);
      g_assert_cmpint (MIN (s->first_channel, s->last_channel), >=, 0);
      g_assert_cmpint (MAX (s->first_channel, s->last_channel), <, 3);
      g_assert_cmpint (s->first_column, >=, 0);
      g_assert_cmpint (s->first_column, <=, s->last_column);
      g_assert_cmpint (s->last_column, <, 7);
    }
}

static void
test_a_seed_makes_one_circuit (void)
{
  g_auto (Circuit) one = { 0 }, again = { 0 }, two = { 0 };
  g_assert_true (circuit_generate ("50x9x99", 1, &one, NULL));
  g_assert_true (circuit_generate ("50x9x99", 1, &again, NULL));
  g_assert_true (circuit_generate ("50x9x99", 2, &two, NULL));
  g_assert_cmpmem (one.segments->data, one.segments->len * sizeof (Segment), again.segments->data,
                   again.segments->len * sizeof (Segment));
  g_assert_cmpint (memcmp (segment (&one, 0), segment (&two, 0), sizeof (Segment)), !=, 0);
}

static void
test_unknown_kinds_are_refused (void)
{
  static const char *const kinds[] = { "",      "bnre",   "1x2",         "1x2x3x4",
                                       "0x1x1", "1x-1x1", "1x1000x4001", "99999999999x1x1" };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GError) error = NULL;
      Circuit circuit = { 0 };
      g_assert_false (circuit_generate (kinds[i], 1, &circuit, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-locusroute/circuit/" path, function)
  CASE ("pins-are-read", test_pins_are_read);
  CASE ("a-wire-is-a-shortest-tree", test_a_wire_is_a_shortest_tree);
  CASE ("published-circuits-have-their-sizes", test_published_circuits_have_their_sizes);
  CASE ("generated-pins-are-inside", test_generated_pins_are_inside);
  CASE ("a-seed-makes-one-circuit", test_a_seed_makes_one_circuit);
  CASE ("unknown-kinds-are-refused", test_unknown_kinds_are_refused);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path =
          g_strconcat ("/app-locusroute/circuit/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_error_is_told_with_its_line);
    }
  return g_test_run ();
}
