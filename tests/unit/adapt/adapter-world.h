/* adapter-world.h - the adapters of a run's nodes, over a network and a clock in memory
 *
 * Node i is in the cluster that the test names, and reports what its fields in WorldNode say. The
 * world answers in place of the fleet, and records what the adapters ask and order.
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

/* One node. The test sets @idle, @overdue_near and @overdue_far, as thousandths of the time. */
typedef struct
{
  SatinRun run; /* first field */
  AdapterWorld *world;
  SatinNodeId id;
  SatinAdapter *adapter; /* (owned) (nullable): %NULL once it was freed */
  gint32 n_workers, idle, overdue_near, overdue_far;
  const SatinRunEvents *events; /* (nullable) */
  gpointer events_data;
  char *decided; /* (owned) (nullable): the text of the last decision */
  guint n_decided;
} WorldNode;

/**
 * AdapterWorld:
 * @has_fleet: the world answers in place of the fleet
 * @state: the answer; its term is that of the coordinator that asks, and its number that of the
 * last request in this term
 * @asked: (owned): "2.1 3@b 1@;": each request, with term, number and wishes
 * @told: (owned): the last decision that was told the journal, "NODES ASKED REMOVED: TEXT"
 * @left: (owned): "4 20000000;": each order to leave, with the node and the deadline
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
  GString *told;
  GString *left;
};

/* @clusters: a letter for each node, such as "aaabb". @options: (nullable): for all adapters. There
 * is no master yet. */
AdapterWorld *adapter_world_new (const char *clusters, const SatinAdapterOptions *options);
/* Frees every adapter, and checks that no timer is left. */
void adapter_world_free (AdapterWorld *self);

WorldNode *adapter_world_node (AdapterWorld *self, SatinNodeId id);
/* Replaces the node's adapter by a new one. @options, @workers: (nullable) */
void adapter_world_start_node (AdapterWorld *self, SatinNodeId id,
                               const SatinAdapterOptions *options, SatinWorkers *workers);

/* Node @id becomes the master, in the term @term. */
void adapter_world_elect (AdapterWorld *self, SatinNodeId id, guint term);
/* The process of node @id ends, and the other nodes hear of it. */
void adapter_world_kill (AdapterWorld *self, SatinNodeId id);
void adapter_world_advance (AdapterWorld *self, gint64 duration_us);
/* Advances the clock by @n_periods periods. */
void adapter_world_pass (AdapterWorld *self, guint n_periods);

/* Returns: the adaptation of node @id, which must be the coordinator */
Scripted *adapter_world_get_scripted (AdapterWorld *self, SatinNodeId id);
/* Returns: what the last census of @coordinator says of node @id */
const SatinCensusNode *adapter_world_get_seen (AdapterWorld *self, SatinNodeId coordinator,
                                               SatinNodeId id);
gint64 adapter_world_get_figure (AdapterWorld *self, SatinNodeId id, const char *name);

/* Node @to gets a message in the name of node @from. */
void adapter_world_inject (AdapterWorld *self, SatinNodeId from, SatinNodeId to, AdaptKind kind,
                           gconstpointer message);
/* Node @to gets a state of the fleet. */
void adapter_world_say_state (AdapterWorld *self, SatinNodeId to, const FleetState *state);
