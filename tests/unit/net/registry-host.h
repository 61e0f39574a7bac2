/* registry-host.h - a host of the plugin registry-hub, which notes the events that it gets
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
  const SatinRegistryEvents *events; /* (borrowed): the callbacks that it gives to the plugin */
} Host;

/* Returns: a host that has opened its registry at "pipe:hub"; the loop has not run since then */
Host *host_new (World *world);
Host *host_new_for (World *world, const char *program);
/* Like host_new(), for a host that knows only the first @size_bytes of the table of events, as if
 * it was built before the later ones were added. */
Host *host_new_older (World *world, gsize size_bytes);
/* Returns: a host that is a member; its log is empty */
Host *host_join (World *world);
void host_free (Host *self);

/* Calls the plugin's open. */
gpointer host_open (Host *self, const char *uri, const char *program, GError **error);
/* Runs what is due now. Returns: the events since the last call, joined by "; "; valid until the
 * next call */
const char *host_heard (Host *self);

#define assert_told(host, text) g_assert_cmpstr (host_heard (host), ==, text)
