/* registry-host.h - who uses the plugin registry-hub, and notes what it is told
 *
 * A note is a line of words: "joined 2 id 2 at pipe:x", "over with error 13".
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "client.h"
#include "hub-world.h"

const SatinPluginDesc *satin_plugin_desc (void);

typedef struct
{
  World *world;
  SatinTransport *transport; /* (owned) */
  const SatinRegistryOps *ops;
  gpointer registry; /* %NULL when it is gone */
  GString *log;
  char *why;              /* (owned) (nullable): what over said */
  gboolean is_reporting;  /* answers at once when it is asked */
  gboolean is_abandoning; /* abandons the registry in its first event */
} Host;

/* Opened at "pipe:hub", but nothing happened yet. */
Host *host_new (World *world);
Host *host_new_for (World *world, const char *program);
/* A member; nothing is noted. */
Host *host_join (World *world);
void host_free (Host *self);

/* The plugin's open. */
gpointer host_open (Host *self, const char *uri, const char *program, GError **error);
/* One figure. */
void host_report (Host *self, gint64 value);
/* Lets happen what can happen now. Returns: what it was told since the last call, joined by "; ",
 * valid until the next */
const char *host_heard (Host *self);

#define assert_told(host, text) g_assert_cmpstr (host_heard (host), ==, text)
