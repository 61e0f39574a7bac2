/* etcd-world.h - nodes with the plugin registry-etcd, a store in memory, a clock that tests move
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
  const SatinSecret *secret; /* (borrowed) (nullable): for the next open_node() or join() */
  const char *build;         /* (borrowed) (nullable): for the next open_node() or join() */
} World;

World *world_new (void);
void world_free (World *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (World, world_free)

/* Returns: a node whose registry is open; the loop has not run since it was opened */
RegistryNotes *open_node (World *self, const char *program);
/* Returns: a node that is a member; the notes of all nodes are empty */
RegistryNotes *join (World *self);
/* Returns: the events that @node got since the last call */
const char *heard (World *self, RegistryNotes *node);
#define assert_told(world, node, text) g_assert_cmpstr (heard (world, node), ==, text)
void advance (World *self, gint64 duration_us);
