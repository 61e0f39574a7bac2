/* peer.h - the other side of a link that is measured
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the peer does with a message on this channel. */
enum
{
  BENCH_CHANNEL_ECHO = 1, /* sends it back */
  BENCH_CHANNEL_SINK,     /* drops it */
};

G_END_DECLS
