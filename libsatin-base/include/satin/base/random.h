/* random.h - pseudorandom numbers, which are the same whenever the seed is the same
 *
 * This is the generator "splitmix64" by Steele, Lea and Flood (2014). Do not use it for keys.
 * Protocol code asks its loop for random numbers, satin_loop_random().
 *
 * Threads: any. Two threads that draw from one state need a lock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/**
 * satin_random_next:
 * @state: (inout): the place in the sequence; any value may begin a sequence
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
 * @number: any number
 *
 * Computes the first number of the sequence that begins with @number. Similar numbers have results
 * without any likeness. Cost: O(1).
 *
 * Returns: any 64 bits; no two numbers have the same result
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
 * Returns: a number in [0, 1); each of the 2^53 possible ones is equally likely
 */
static inline double
satin_random_share (guint64 number)
{
  return (double)(number >> 11) / (double)((guint64)1 << 53);
}

G_END_DECLS
