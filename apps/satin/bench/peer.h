/* peer.h - the channels of a link that links.c measures
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The peer treats a message according to its channel. */
enum
{
  BENCH_CHANNEL_ECHO = 1, /* the peer sends it back */
  BENCH_CHANNEL_SINK,     /* the peer drops it */
};

G_END_DECLS
