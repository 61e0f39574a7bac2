/* test-fft-job.c - jobs of fft refuse signals and sizes that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "fft/fft.c"
#undef main

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  static const double x[16] = { 1 };
  Transform transform = { 0 };
  g_assert_true (satin_run (workers, &transform, fft, NULL, x, 16, 8, 1, FALSE));
  g_assert_cmpuint (transform.n_numbers, ==, 16);
  satin_record_clear (&Transform_record, &transform);

  ASSERT_REFUSED (workers, "leaf", &transform, fft, x, 16, 8, 0, FALSE);
  ASSERT_REFUSED (workers, "leaf", &transform, fft, x, 16, 8, G_MAXINT32, FALSE);
  ASSERT_REFUSED (workers, "power of two", &transform, fft, x, 12, 6, 1, FALSE);
  ASSERT_REFUSED (workers, "power of two", &transform, fft, x, 0, 0, 1, FALSE);
  ASSERT_REFUSED (workers, "that of the signal", &transform, fft, x, 15, 8, 1, FALSE);
  ASSERT_REFUSED (workers, "that of the signal", &transform, fft, x, 16, 1 << 22, 1, FALSE);
  ASSERT_REFUSED (workers, "power of two", &transform, fft, x, 16, G_MININT32, 1, FALSE);
}

/* Another node may return a transform with too few numbers. */
static void
test_transform_of_another_size_is_refused (void)
{
  static const double numbers[8];
  const Transform halves[] = { { numbers, 8, 1 }, { numbers, 6, 1 } };
  Transform transform = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_false (join (halves, 8, FALSE, &transform, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_null (transform.numbers);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-fft-job/wrong-arguments-are-refused", test_wrong_arguments_are_refused);
  g_test_add_func ("/app-fft-job/transform-of-another-size-is-refused",
                   test_transform_of_another_size_is_refused);
  return g_test_run ();
}
