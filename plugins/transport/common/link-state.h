/* link-state.h - the states of a link and which may follow which
 *
 *   DIALING --> SHAKING --> UP --> SHUTTING --> CLOSING
 *      |           |         |        |            |
 *      +-----------+---------+--------+------------+--> BROKEN
 *
 * A link without coder passes through SHAKING at once. BROKEN is left by calling
 * down and freeing the link.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

typedef enum
{
  LINK_DIALING,  /* no socket yet; the plugin looks for one */
  LINK_SHAKING,  /* connected, not authenticated */
  LINK_UP,       /* its user reads and writes */
  LINK_SHUTTING, /* its user is done; what is queued goes out, what comes in is thrown away */
  LINK_CLOSING,  /* all is sent and the other side knows it is the end; waits for its end */
  LINK_BROKEN,   /* no socket any more; down is told on the loop */
  LINK_N_STATES,
} LinkState;

const char *link_state_name (LinkState state);
gboolean link_state_may (LinkState from, LinkState to);
