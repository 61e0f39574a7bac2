/* peer.h - the channels of a link that links.c measures
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>
#include <time.h>

G_BEGIN_DECLS

/* The peer treats a message according to its channel. */
enum
{
  BENCH_CHANNEL_ECHO = 1, /* the peer sends it back */
  BENCH_CHANNEL_SINK,     /* the peer drops it */
  BENCH_CHANNEL_USAGE, /* the peer answers with bench_processor_ns(), 8 bytes in its byte order */
};

/* Returns: the processor time of this process so far, of user and system, in nanoseconds */
static inline gint64
bench_processor_ns (void)
{
  struct timespec time = { 0 };
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (gint64)time.tv_sec * 1000000000 + time.tv_nsec;
}

G_END_DECLS
