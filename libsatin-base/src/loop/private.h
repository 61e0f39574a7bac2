/* private.h - computing with times, without overflow, for all kinds of loops
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <time.h>

/* Returns: @time_us + @delay_us, at most %G_MAXINT64. @time_us may be negative; @delay_us is 0 or
 * more */
static inline gint64
satin_time_add (gint64 time_us, gint64 delay_us)
{
  gint64 sum_us;
  return __builtin_add_overflow (time_us, delay_us, &sum_us) ? G_MAXINT64 : sum_us;
}

/* The longest time that the kernel is asked to wait. */
#define SATIN_WAKE_MAX_US ((gint64)86400 * G_USEC_PER_SEC)

/* How long to wait until @wake_us: at most a day, after which the loop computes the time again. The
 * result is never 0, because 0 would turn the timer off. The two times may lie so far apart that
 * their difference overflows. */
static inline struct timespec
satin_wake_delay (gint64 wake_us, gint64 now_us)
{
  gint64 delay_us;
  if (wake_us <= now_us)
    return (struct timespec){ 0, 1 };
  if (__builtin_sub_overflow (wake_us, now_us, &delay_us) || delay_us > SATIN_WAKE_MAX_US)
    delay_us = SATIN_WAKE_MAX_US;
  return (struct timespec){ delay_us / G_USEC_PER_SEC, delay_us % G_USEC_PER_SEC * 1000 };
}
