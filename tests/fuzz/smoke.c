/* smoke.c - runs a fuzz target over random bytes and mutated examples
 *
 * Each input lies in memory of its own and exact size, so that a sanitizer
 * or valgrind sees any read behind it. The seed is given on the command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "fuzz.h"

#define N_INPUTS  20000
#define N_MUTANTS 8

static guint
random_below (guint n)
{
  return (guint)g_test_rand_int_range (0, (gint32)n);
}

static void
run (const GByteArray *input)
{
  g_autofree guint8 *copy = g_memdup2 (input->data, input->len);
  LLVMFuzzerTestOneInput (copy, input->len);
}

/* Bytes that mean something in lengths and counts are probable. */
static guint8
random_byte (void)
{
  static const guint8 special[] = { 0, 1, 2, 3, 4, 0x7f, 0x80, 0xff };
  return random_below (2) == 0 ? special[random_below (sizeof special)]
                               : (guint8)random_below (256);
}

/* Changes, inserts, removes or repeats a part, or cuts the end off. */
static void
mutate (GByteArray *input)
{
  if (input->len == 0)
    return;
  guint at = random_below (input->len);
  guint n = 1 + random_below (MIN (input->len - at, 10));
  guint8 part[10];
  memcpy (part, input->data + at, n);
  switch (random_below (5))
    {
    case 0:
      input->data[at] = random_byte ();
      break;
    case 1:
      input->data[at] ^= (guint8)(1U << random_below (8));
      break;
    case 2:
      g_byte_array_remove_range (input, at, n);
      break;
    case 3:
      g_byte_array_append (input, part, n);
      memmove (input->data + at + n, input->data + at, input->len - at - n);
      break;
    default:
      g_byte_array_set_size (input, at);
      break;
    }
}

static void
test_random_bytes (void)
{
  for (guint i = 0; i < N_INPUTS; i++)
    {
      g_autoptr (GByteArray) input = g_byte_array_new ();
      g_byte_array_set_size (input, random_below (200));
      for (guint j = 0; j < input->len; j++)
        input->data[j] = random_byte ();
      run (input);
    }
}

static void
test_mutated_examples (void)
{
  for (guint i = 0; i < N_INPUTS; i++)
    {
      g_autoptr (GByteArray) input = g_byte_array_new ();
      fuzz_example (input);
      run (input);
      for (guint j = 0; j < N_MUTANTS; j++)
        {
          mutate (input);
          run (input);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fuzz/random-bytes-break-nothing", test_random_bytes);
  g_test_add_func ("/fuzz/mutated-examples-break-nothing", test_mutated_examples);
  return g_test_run ();
}
