/* test-tone.c - intensities become bytes in sRGB
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tone.h"

/* Values of the standard, IEC 61966-2-1. */
static void
test_bytes_are_those_of_the_standard (void)
{
  g_assert_cmpfloat (tone_decode (0), ==, 0);
  g_assert_cmpfloat (tone_decode (255), ==, 1);
  g_assert_cmpfloat_with_epsilon (tone_decode (10), 10 / 255.0 / 12.92, 1e-7);
  g_assert_cmpfloat_with_epsilon (tone_decode (128), 0.2158605, 1e-6);
  g_assert_cmpuint (tone_encode (0.2158605), ==, 128);
  g_assert_cmpuint (tone_encode (0.18), ==, 118);
}

static void
test_bytes_come_back (void)
{
  /* Above 0.7 there is the shoulder. */
  for (guint i = 0; i <= 218; i++)
    g_assert_cmpuint (tone_encode (tone_decode ((guint8)i)), ==, i);
}

static void
test_shoulder_grows_and_ends_at_white (void)
{
  guint8 before = 0;
  for (double intensity = 0; intensity < 100; intensity += 0.01)
    {
      guint8 byte = tone_encode (intensity);
      g_assert_cmpuint (byte, >=, before);
      before = byte;
    }
  g_assert_cmpuint (tone_encode (1e30), ==, 255);
}

static void
test_what_is_no_intensity_is_black (void)
{
  g_assert_cmpuint (tone_encode (-1), ==, 0);
  g_assert_cmpuint (tone_encode ((double)NAN), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-pathtracer-tone/" path, function)
  CASE ("bytes-are-those-of-the-standard", test_bytes_are_those_of_the_standard);
  CASE ("bytes-come-back", test_bytes_come_back);
  CASE ("shoulder-grows-and-ends-at-white", test_shoulder_grows_and_ends_at_white);
  CASE ("what-is-no-intensity-is-black", test_what_is_no_intensity_is_black);
  return g_test_run ();
}
