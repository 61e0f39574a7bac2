/* registry-host.h - who uses the plugin registry-hub, and notes what it is told
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "client.h"
#include "hub-world.h"
#include "registry-notes.h"

const SatinPluginDesc *satin_plugin_desc (void);

typedef struct
{
  World *world;
  SatinTransport *transport; /* (owned) */
  RegistryNotes notes;
  const SatinRegistryEvents *events; /* (borrowed): what it hears of */
} Host;

/* Opened at "pipe:hub", but nothing happened yet. */
Host *host_new (World *world);
Host *host_new_for (World *world, const char *program);
/* The same, by a host that was built before the events from offset @size_bytes on were added. */
Host *host_new_older (World *world, gsize size_bytes);
/* A member; nothing is noted. */
Host *host_join (World *world);
void host_free (Host *self);

/* The plugin's open. */
gpointer host_open (Host *self, const char *uri, const char *program, GError **error);
/* Lets happen what can happen now. Returns: what it was told since the last call, joined by "; ",
 * valid until the next */
const char *host_heard (Host *self);

#define assert_told(host, text) g_assert_cmpstr (host_heard (host), ==, text)
