/* random.h - numbers that look like chance and are the same each time
 *
 * This is the generator "splitmix64" by Steele, Lea and Flood (2014). It is not for keys. Protocol
 * code asks its loop for chance, satin_loop_random().
 *
 * Threads: any; two that draw from one state need a lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/**
 * satin_random_next:
 * @state: (inout): where the sequence is; it may start with any value
 *
 * Draws the next number of the sequence. Cost: O(1).
 *
 * Returns: any 64 bits
 */
static inline guint64
satin_random_next (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/**
 * satin_random_mix:
 * @number: any
 *
 * The first number of the sequence that starts with @number: similar numbers get results without
 * any likeness. Cost: O(1).
 *
 * Returns: any 64 bits, other ones for each @number
 */
static inline guint64
satin_random_mix (guint64 number)
{
  return satin_random_next (&number);
}

/**
 * satin_random_share:
 * @number: a random number, of which the upper 53 bits count
 *
 * Cost: O(1).
 *
 * Returns: a number in [0, 1), each of 2^53 as likely as the others
 */
static inline double
satin_random_share (guint64 number)
{
  return (double)(number >> 11) / (double)((guint64)1 << 53);
}

G_END_DECLS
