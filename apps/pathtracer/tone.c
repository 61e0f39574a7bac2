/* tone.c - sRGB, by tables
 *
 * The last bits of pow() depend on the mathematical library. The tables have floats, which no
 * longer have these bits, so all nodes compute the same bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tone.h"

#define SHOULDER 0.7

/* The intensity of each byte, and the least intensity that is rounded to each byte. */
static float intensities[256];
static float thresholds[256];

static float
decode (double value)
{
  return (float)(value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4));
}

__attribute__ ((constructor)) static void
fill_tables (void)
{
  for (guint i = 0; i < 256; i++)
    {
      intensities[i] = decode (i / 255.0);
      thresholds[i] = i == 0 ? 0 : decode ((i - 0.5) / 255);
    }
}

double
tone_decode (guint8 byte)
{
  return (double)intensities[byte];
}

guint8
tone_encode (double intensity)
{
  if (intensity > SHOULDER)
    {
      double above = (intensity - SHOULDER) / (1 - SHOULDER);
      intensity = SHOULDER + (1 - SHOULDER) * (above / (1 + above));
    }
  guint low = 0, high = 255;
  while (low < high)
    {
      guint middle = (low + high + 1) / 2;
      if (intensity >= (double)thresholds[middle])
        low = middle;
      else
        high = middle - 1;
    }
  return (guint8)low;
}
