/* fuzz-numbers.c - fuzzes the parser of numbers to factorize
 *
 * Accepted numbers must be 1 or more.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "primefactors/input.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  static int fd = -1; /* one file serves for all inputs */
  g_autoptr (GError) error = NULL;
  PrimeInput taken = { 0 };

  if (fd < 0)
    fd = memfd_create ("numbers", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  g_assert_cmpint (pwrite (fd, bytes, n_bytes, 0), ==, (gssize)n_bytes);
  gboolean is_good = prime_input_parse (path, &taken, &error);
  g_assert_true (is_good == (error == NULL));
  if (!is_good)
    return 0;
  g_assert_cmpuint (taken.numbers->len, <=, PRIMEFACTORS_MAX_NUMBERS);
  for (guint i = 0; i < taken.numbers->len; i++)
    g_assert_cmpint (g_array_index (taken.numbers, gint64, i), >=, 1);
  prime_input_clear (&taken);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = { "1 2 3\n# c\n9223372036854775807\n", "4711" };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
