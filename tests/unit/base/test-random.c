/* test-random.c - tests random numbers that are the same each time
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/random.h>

/* The first numbers of splitmix64 from the seed 1234567, taken from its authors' program. */
static void
test_sequence_is_splitmix64 (void)
{
  static const guint64 expected[] = { G_GUINT64_CONSTANT (6457827717110365317),
                                      G_GUINT64_CONSTANT (3203168211198807973),
                                      G_GUINT64_CONSTANT (9817491932198370423),
                                      G_GUINT64_CONSTANT (4593380528125082431),
                                      G_GUINT64_CONSTANT (16408922859458223821) };
  guint64 state = 1234567;
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpuint (satin_random_next (&state), ==, expected[i]);
}

static void
test_mix_is_the_first_of_the_sequence (void)
{
  for (guint64 number = 0; number < 100; number++)
    {
      guint64 state = number;
      g_assert_cmpuint (satin_random_mix (number), ==, satin_random_next (&state));
      g_assert_cmpuint (state, !=, number);
    }
}

static void
test_share_is_from_0_to_below_1 (void)
{
  g_assert_cmpfloat (satin_random_share (0), ==, 0);
  g_assert_cmpfloat (satin_random_share ((guint64)1 << 63), ==, 0.5);
  g_assert_cmpfloat (satin_random_share (G_MAXUINT64), <, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/random/sequence-is-splitmix64", test_sequence_is_splitmix64);
  g_test_add_func ("/base/random/mix-is-the-first-of-the-sequence",
                   test_mix_is_the_first_of_the_sequence);
  g_test_add_func ("/base/random/share-is-from-0-to-below-1", test_share_is_from_0_to_below_1);
  return g_test_run ();
}
