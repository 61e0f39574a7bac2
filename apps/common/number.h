/* number.h - numbers that look like chance and are the same each time
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* splitmix64 */
static inline guint64
number_mix (guint64 z)
{
  z += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Returns: in [0, 1) */
static inline double
number_to_share (guint64 number)
{
  return (double)(number >> 11) / (double)((guint64)1 << 53);
}

G_END_DECLS
