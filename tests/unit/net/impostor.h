/* impostor.h - stands in the place of a hub, and sends what a test wants
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "registry-host.h"

typedef struct
{
  SatinListener *listener;
  SatinLink *link; /* (nullable): the last link that was accepted */
  guint n_links;
  char heard[1024]; /* messages that came, without heartbeats; a semicolon follows each */
} Impostor;

/* Replaces the world's hub by @impostor. Returns: a host that has asked to join */
Host *host_meet_impostor (World *world, Impostor *impostor);
/* Like host_meet_impostor(), and the impostor has accepted the host as member 1 in view 1. */
Host *host_join_impostor (World *world, Impostor *impostor);
void impostor_send (Impostor *self, World *world, HubMessageType type, gconstpointer body);
/* Sends the host a whole new view; @others: the other members in it. */
void impostor_welcome (Impostor *self, World *world, gint64 view_number, const HubNode *others,
                       gsize n_others, gboolean is_partial);
/* Checks which messages came since the last check. */
#define assert_sent(impostor, text)                                                                \
  do                                                                                               \
    {                                                                                              \
      g_assert_cmpstr ((impostor)->heard, ==, text);                                               \
      (impostor)->heard[0] = '\0';                                                                 \
    }                                                                                              \
  while (0)
