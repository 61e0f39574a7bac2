/* net-world.h - a few nodes in one process, for tests of membership and of links between them
 *
 * Node i (1 to 9) listens at "pipe:nI". Its number is i, unless the test sets another one at the
 * fake registry. Each node notes its events as text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fake-registry.h"
#include "pipe-transport.h"

#define NET_WORLD_MAX_NODES 9

typedef struct
{
  SatinNet *net; /* %NULL after it was freed */
  SatinPeers *peers;
  guint n_joined;
  guint n_complete;
  guint n_asked;
  guint n_over;
  guint n_left;       /* how often the callback of satin_net_leave() ran */
  GError *error;      /* (owned): the error of the event "over" */
  GString *got;       /* (owned): "FROM:TEXT," on channel 1, "FROM/CHANNEL:TEXT," on others */
  char *gone_cluster; /* (owned) (nullable): gone_cluster of the view at the last change */
  GString *changes;   /* (owned) "joined 2,left 3,died 4 by 9,broken 2,master 1," */
  GString *words;     /* (owned): signals, as "WORD," */
} NetNode;

typedef struct
{
  SatinLoop *loop;
  PipeNetwork *network;
  FakeRegistry *registry;
  SatinProgram program;
  const char *gateways; /* (borrowed) (nullable) */
  guint max_links;
  gsize max_queue_bytes;
  const SatinRegistryOps *registry_ops;   /* (borrowed): &fake_registry_ops */
  NetNode nodes[NET_WORLD_MAX_NODES + 1]; /* [0] is not used */
} NetWorld;

void net_world_open (NetWorld *self, gconstpointer unused);
void net_world_close (NetWorld *self, gconstpointer unused);

/* Starts node @i. @cluster: (nullable): the label of its cluster */
void net_world_start (NetWorld *self, guint i, const char *cluster);
/* Starts nodes 1 to @n and lets them join. */
void net_world_join (NetWorld *self, guint n);
void net_world_run (NetWorld *self, gint64 duration_us);
gboolean net_world_send (NetWorld *self, guint from, SatinNodeId to, const char *text);
gboolean net_world_send_size (NetWorld *self, guint from, SatinNodeId to, gsize n_bytes);
void net_world_leave (NetWorld *self, guint i);
/* Frees node @i, which vanishes without leaving. */
void net_world_free_node (NetWorld *self, guint i);
/* Returns: (transfer full): "SELF of OTHER OTHER ... master M term T" */
char *net_world_view (NetWorld *self, guint i);
