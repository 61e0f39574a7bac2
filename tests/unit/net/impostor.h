/* impostor.h - what stands in the place of a hub and says what a test wants
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
  SatinLink *link; /* (nullable): the last that came */
  guint n_links;
  char heard[1024]; /* what it was sent but for heartbeats, each with a semicolon behind it */
} Impostor;

/* In place of the world's hub; a host has asked it to be let in. */
Host *host_meet_impostor (World *world, Impostor *impostor);
/* Likewise; a host is its member 1 in view 1. */
Host *host_join_impostor (World *world, Impostor *impostor);
void impostor_send (Impostor *self, World *world, HubMessageType type, gconstpointer body);
/* The view anew, on a new link: the others are as @others says. */
void impostor_welcome (Impostor *self, World *world, gint64 view_number, const HubNode *others,
                       gsize n_others, gboolean is_partial);
/* Expects that so much was heard since the last time. */
#define assert_sent(impostor, text)                                                                \
  do                                                                                               \
    {                                                                                              \
      g_assert_cmpstr ((impostor)->heard, ==, text);                                               \
      (impostor)->heard[0] = '\0';                                                                 \
    }                                                                                              \
  while (0)
