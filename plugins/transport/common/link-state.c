/* link-state.c - the names of a link's states, and the legal changes between them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link-state.h"

#define TO(state) (1u << (state))

static const struct
{
  const char *name;
  guint next;
} states[LINK_N_STATES] = {
  [LINK_DIALING] = { "dialing", TO (LINK_SHAKING) | TO (LINK_BROKEN) },
  [LINK_SHAKING] = { "shaking", TO (LINK_UP) | TO (LINK_BROKEN) },
  [LINK_UP] = { "up", TO (LINK_SHUTTING) | TO (LINK_BROKEN) },
  [LINK_SHUTTING] = { "shutting", TO (LINK_CLOSING) | TO (LINK_BROKEN) },
  [LINK_CLOSING] = { "closing", TO (LINK_BROKEN) },
  [LINK_BROKEN] = { "broken", 0 },
};

const char *
link_state_name (LinkState state)
{
  return states[state].name;
}

gboolean
link_state_may (LinkState from, LinkState to)
{
  return (states[from].next & TO (to)) != 0;
}
