/* fuzz-icnf.c - fuzzes the parser of formulas with cubes
 *
 * The literals of an accepted formula and of its cubes must be of its variables, each clause and
 * each cube must have an end, and no cube may have a variable twice. The cubes must be the same
 * after they were written and read again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "icnf.h"

#include <string.h>

static void
check (const gint32 *literals, gsize n_literals, gint32 n_variables)
{
  for (gsize i = 0; i < n_literals; i++)
    g_assert_cmpint (ABS (literals[i]), <=, n_variables);
  if (n_literals > 0)
    g_assert_cmpint (literals[n_literals - 1], ==, 0);
}

static void
check_cubes (const gint32 *cubes, gsize n_cubes)
{
  Clause cube;
  for (gsize at = 0; formula_next (cubes, n_cubes, &at, &cube);)
    for (gsize i = 1; i < cube.n_literals; i++)
      g_assert_cmpint (ABS (cube.literals[i]), !=, ABS (cube.literals[i - 1]));
}

static void
check_again (const gint32 *cubes, gsize n_cubes, gint32 n_variables)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) again = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autofree char *text = icnf_cubes_to_text (cubes, n_cubes);
  icnf_read_cubes ("fuzz.cubes", text, strlen (text), n_variables, again, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (again->data, again->len * sizeof (gint32), cubes, n_cubes * sizeof (gint32));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) cubes = g_array_new (FALSE, FALSE, sizeof (gint32));
  Formula formula = { 0 };
  gboolean is_good = icnf_read ("fuzz.icnf", (const char *)bytes, n_bytes, cubes, &formula, &error);
  g_assert_true (is_good == (error == NULL));
  if (!is_good)
    return 0;
  const gint32 *literals = (const gint32 *)(gpointer)cubes->data;
  check (formula.literals, formula.n_literals, formula.n_variables);
  check (literals, cubes->len, formula.n_variables);
  check_cubes (literals, cubes->len);
  check_again (literals, cubes->len, formula.n_variables);
  satin_record_clear (&Formula_record, &formula);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  g_autoptr (GString) text = g_string_new ("p inccnf\n");
  for (gint32 i = 0; i < 10; i++)
    g_string_append_printf (text, "%d %d %d 0\n", g_test_rand_int_range (1, 10),
                            -g_test_rand_int_range (1, 10), g_test_rand_int_range (1, 10));
  for (gint32 i = 1; i < 5; i++)
    g_string_append_printf (text, "a %d %d 0\n", i, -g_test_rand_int_range (5, 10));
  g_byte_array_append (out, (const guint8 *)text->str, (guint)text->len);
}
