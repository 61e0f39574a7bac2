/* loop-private.h - what the kinds of loop share: random bits and safe sums
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>

/* The next of a sequence of random numbers; @state may start with any value.
 * This is the generator "splitmix64" by Steele, Lea and Flood (2014). */
static inline guint64
satin_random_next (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* @time_us + @delay_us, both 0 or more; the end of time when that is later. */
static inline gint64
satin_time_add (gint64 time_us, gint64 delay_us)
{
  return delay_us > G_MAXINT64 - time_us ? G_MAXINT64 : time_us + delay_us;
}
