/* fake-peers.h - a network of n nodes in memory, for protocol code under test
 *
 * Every node has a SatinPeers of its own; all run on one loop. A message arrives
 * after the latency, unless the test decides its fate otherwise. Nodes are
 * numbered from 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

typedef struct _FakeNet FakeNet;

/* What becomes of a message. */
typedef enum
{
  FAKE_ARRIVES,
  FAKE_IS_LOST,
  FAKE_ARRIVES_TWICE,
} FakeFate;

typedef FakeFate (*FakeFateFunc) (SatinNodeId from, SatinNodeId to, GBytes *payload,
                                  gpointer user_data);

/* All in the cluster "here", with a latency of 100 us. */
FakeNet *fake_net_new (SatinLoop *loop, guint n_nodes);
void fake_net_free (FakeNet *self);

SatinPeers *fake_net_get_peers (FakeNet *self, SatinNodeId id);

/* @cluster: static */
void fake_net_set_cluster (FakeNet *self, SatinNodeId id, const char *cluster);
/* One way; of what is sent from now on. */
void fake_net_set_latency (FakeNet *self, gint64 latency_us);
/* Whether peers know the latency. */
void fake_net_show_latency (FakeNet *self, gboolean is_shown);
void fake_net_set_fate_func (FakeNet *self, FakeFateFunc func, gpointer user_data);
/* Sends to @to fail from now on, as if too much waited. */
void fake_net_clog (FakeNet *self, SatinNodeId to, gboolean is_clogged);
/* So much waits with every node to be sent to @to. */
void fake_net_set_queued (FakeNet *self, SatinNodeId to, gsize n_bytes);

/* Every view says that the node is leaving; all hear it. */
void fake_net_say_leaving (FakeNet *self, SatinNodeId id);

/* How many masters there have been; 2 unless a test says so. */
void fake_net_set_term (FakeNet *self, guint term);
/* It is the master from now on, all hear of it; none when it is gone. */
void fake_net_set_master (FakeNet *self, SatinNodeId id);
/* The node is gone from every view, nothing to or from it arrives; the others hear @change. */
void fake_net_remove (FakeNet *self, SatinNodeId id, SatinPeerChange change);
/* Likewise it died, by that signal. */
void fake_net_kill (FakeNet *self, SatinNodeId id, int signal_number);
/* Node @id is not told of @other until it has asked and the answer comes; its view is partial. */
void fake_net_hide (FakeNet *self, SatinNodeId id, SatinNodeId other);
/* How often it asked; the answer: @other is there, or gone. */
guint fake_net_count_asked (FakeNet *self, SatinNodeId id);
void fake_net_introduce (FakeNet *self, SatinNodeId id, SatinNodeId other);
/* What is under way between the two is lost; both hear of it. */
void fake_net_break_link (FakeNet *self, SatinNodeId a, SatinNodeId b);
/* As if @from had sent it just now and it arrived at once; on the channel of stealing, or another.
 */
void fake_net_inject (FakeNet *self, SatinNodeId from, SatinNodeId to, GBytes *payload);
void fake_net_inject_on (FakeNet *self, SatinChannel channel, SatinNodeId from, SatinNodeId to,
                         GBytes *payload);

/* Messages given to send, in all; and the size of the largest. */
guint fake_net_count_sent (const FakeNet *self);
gsize fake_net_largest_bytes (const FakeNet *self);
