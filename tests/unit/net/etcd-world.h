/* etcd-world.h - nodes of the plugin registry-etcd, a store in memory, moved time
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "client.h"
#include "fake-store.h"
#include "registry-notes.h"

#define SECOND_US ((gint64)1000000)
#define LEASE_S   10

const SatinPluginDesc *satin_plugin_desc (void);

typedef struct
{
  SatinLoop *loop;           /* (owned) */
  FakeStore *store;          /* (owned) */
  GPtrArray *nodes;          /* (owned) (element-type RegistryNotes) */
  const SatinSecret *secret; /* (borrowed) (nullable): of nodes that are opened */
  const char *build;         /* (borrowed) (nullable): likewise */
} World;

World *world_new (void);
void world_free (World *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (World, world_free)

/* Returns: one that is opened, but nothing happened yet */
RegistryNotes *open_node (World *self, const char *program);
/* Returns: a member; nothing is noted */
RegistryNotes *join (World *self);
/* Returns: what @node was told since the last time */
const char *heard (World *self, RegistryNotes *node);
#define assert_told(world, node, text) g_assert_cmpstr (heard (world, node), ==, text)
void advance (World *self, gint64 duration_us);
