/* link-state.h - the states of a link, and which changes between them are legal
 *
 *   DIALING --> SHAKING --> UP --> SHUTTING --> CLOSING
 *      |           |         |        |            |
 *      +-----------+---------+--------+------------+--> BROKEN
 *
 * A link without a coder (stream.h) passes through SHAKING in its first turn on the loop. BROKEN is
 * the last state: at the end of the current turn, or in the next one, the link sends the event
 * `down` and is freed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

typedef enum
{
  LINK_DIALING,  /* no socket yet; the plugin connects one */
  LINK_SHAKING,  /* connected; the handshake is not over */
  LINK_UP,       /* the user reads and writes */
  LINK_SHUTTING, /* the user has shut the link: the queue is sent, and input is thrown away */
  LINK_CLOSING,  /* all bytes and the end of the stream are sent; waits for the peer's end */
  LINK_BROKEN,   /* the socket is closed; only the event `down` is left to send */
  LINK_N_STATES,
} LinkState;

const char *link_state_name (LinkState state);
gboolean link_state_may (LinkState from, LinkState to);
