/* fake-peers.h - a network of n nodes in memory, for protocol code under test
 *
 * Every node has a SatinPeers of its own; all run on one loop. A message arrives after the latency,
 * unless the test decides its fate otherwise. Nodes are numbered from 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

typedef struct _FakeNet FakeNet;

/* How the network treats a message. */
typedef enum
{
  FAKE_ARRIVES,
  FAKE_IS_LOST,
  FAKE_ARRIVES_TWICE,
} FakeFate;

typedef FakeFate (*FakeFateFunc) (SatinNodeId from, SatinNodeId to, GBytes *payload,
                                  gpointer user_data);

/* Makes nodes that are all in the cluster "here", with a latency of 100 us. */
FakeNet *fake_net_new (SatinLoop *loop, guint n_nodes);
void fake_net_free (FakeNet *self);

SatinPeers *fake_net_get_peers (FakeNet *self, SatinNodeId id);

/* @cluster: static */
void fake_net_set_cluster (FakeNet *self, SatinNodeId id, const char *cluster);
/* Sets the time that a message takes one way, for messages that are sent from now on. */
void fake_net_set_latency (FakeNet *self, gint64 latency_us);
/* Whether the views show the latency; otherwise it is 0 in them. */
void fake_net_show_latency (FakeNet *self, gboolean is_shown);
void fake_net_set_fate_func (FakeNet *self, FakeFateFunc func, gpointer user_data);
/* @is_clogged: from now on, sends to @to fail, as if too many bytes waited; %FALSE: they work again
 */
void fake_net_clog (FakeNet *self, SatinNodeId to, gboolean is_clogged);
/* From now on every node says that @n_bytes wait to be sent to @to. */
void fake_net_set_queued (FakeNet *self, SatinNodeId to, gsize n_bytes);

/* Marks @id as leaving in all views, and tells all nodes. */
void fake_net_say_leaving (FakeNet *self, SatinNodeId id);

/* Sets the term of the master, which is 2 at first. */
void fake_net_set_term (FakeNet *self, guint term);
/* Makes @id the master, and tells all nodes. When node @id is gone, there is no master. */
void fake_net_set_master (FakeNet *self, SatinNodeId id);
/* Removes @id from all views and tells the other nodes @change. No message to @id or from @id
 * arrives any more. */
void fake_net_remove (FakeNet *self, SatinNodeId id, SatinPeerChange change);
/* Like fake_net_remove() with SATIN_PEER_DIED; a signal killed the node. */
void fake_net_kill (FakeNet *self, SatinNodeId id, int signal_number);
/* Makes the view of @id partial: @other is missing in it until fake_net_introduce(). */
void fake_net_hide (FakeNet *self, SatinNodeId id, SatinNodeId other);
/* Returns: how often @id has asked for the node that is hidden from it */
guint fake_net_count_asked (FakeNet *self, SatinNodeId id);
/* Answers @id: the hidden node @other has joined, or is unknown if it is gone. */
void fake_net_introduce (FakeNet *self, SatinNodeId id, SatinNodeId other);
/* Loses the messages that travel between the two nodes, and tells both that the link broke. */
void fake_net_break_link (FakeNet *self, SatinNodeId a, SatinNodeId b);
/* Delivers a message at once, as if @from had sent it; on the channel of stealing, or on @channel.
 */
void fake_net_inject (FakeNet *self, SatinNodeId from, SatinNodeId to, GBytes *payload);
void fake_net_inject_on (FakeNet *self, SatinChannel channel, SatinNodeId from, SatinNodeId to,
                         GBytes *payload);

/* The number of messages that were sent, and the size of the largest. */
guint fake_net_count_sent (const FakeNet *self);
gsize fake_net_largest_bytes (const FakeNet *self);
