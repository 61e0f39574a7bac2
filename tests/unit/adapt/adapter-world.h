/* adapter-world.h - adapters of a run's nodes, over a network and a clock in memory
 *
 * Node 1 becomes the master when the world begins, and node i is in the cluster that the test
 * names. Each does, in each moment, what its fields say. The world answers for the fleet, and notes
 * all words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../core/counting-loop.h"
#include "../core/fake-peers.h"
#include "adapter/private.h"
#include "scripted.h"

#define WORLD_MAX_NODES 12
#define WORLD_PERIOD_US ((gint64)1000000)

typedef struct _AdapterWorld AdapterWorld;

/* One node; the shares, in thousandths, are the test's to set. */
typedef struct
{
  SatinRun run; /* first */
  AdapterWorld *world;
  SatinNodeId id;
  SatinAdapter *adapter; /* (owned) NULL once it was freed */
  gint32 n_workers, idle, overdue_near, overdue_far;
  const SatinRunEvents *events; /* (nullable) */
  gpointer events_data;
  char *decided; /* (owned) (nullable) the last text */
  guint n_decided;
} WorldNode;

/**
 * AdapterWorld:
 * @has_fleet: somebody answers for the fleet
 * @state: what it answers; the term is that of who asks, the number that of what was asked last in
 * it
 * @asked: (owned): "2.1 3@b 1@;": each ask, with term, number and wishes
 * @left: (owned): "4 20000000;": each word to leave
 */
struct _AdapterWorld
{
  SatinLoop *loop;
  FakeNet *net;
  guint n_nodes;
  WorldNode nodes[WORLD_MAX_NODES];
  gboolean has_fleet;
  FleetState state;
  guint n_looks;
  gint64 asked_term, asked_number;
  GString *asked;
  GString *left;
};

/* @clusters: a letter for each node, such as "aaabb"; all adapters like @options (nullable). Nobody
 * is master yet. */
AdapterWorld *adapter_world_new (const char *clusters, const SatinAdapterOptions *options);
/* Frees every adapter and checks that no timer is left. */
void adapter_world_free (AdapterWorld *self);

WorldNode *adapter_world_node (AdapterWorld *self, SatinNodeId id);
/* As they began with the world. */
void adapter_world_start_node (AdapterWorld *self, SatinNodeId id,
                               const SatinAdapterOptions *options, SatinWorkers *workers);

/* It is the master, in the term @term. */
void adapter_world_elect (AdapterWorld *self, SatinNodeId id, guint term);
/* Its process ends, and the others hear of it. */
void adapter_world_kill (AdapterWorld *self, SatinNodeId id);
void adapter_world_advance (AdapterWorld *self, gint64 duration_us);
/* So many periods. */
void adapter_world_pass (AdapterWorld *self, guint n_periods);

/* The adaptation of that node, which must be the coordinator. */
Scripted *adapter_world_get_scripted (AdapterWorld *self, SatinNodeId id);
/* What the last census says of a node. */
const SatinCensusNode *adapter_world_get_seen (AdapterWorld *self, SatinNodeId coordinator,
                                               SatinNodeId id);
gint64 adapter_world_get_figure (AdapterWorld *self, SatinNodeId id, const char *name);

/* A message from node @from to @to, as from a foreign hand. */
void adapter_world_inject (AdapterWorld *self, SatinNodeId from, SatinNodeId to, AdaptKind kind,
                           gconstpointer message);
/* A word of the fleet to node @to. */
void adapter_world_say_state (AdapterWorld *self, SatinNodeId to, const FleetState *state);
