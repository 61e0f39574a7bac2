/* network-world.h - hosts with a transport each, and a trace of the events on their links
 *
 * Each side of a link has a letter. Each event on that side becomes a word of the trace: "a:up@20 "
 * is the event up at 20 us, "b:5@40 " means that five bytes were received at 40 us.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/sim/world.h>

#define MAX_HOSTS 6

typedef struct _Net Net;

/* One end of a link. */
typedef struct
{
  Net *net;
  char letter;
  gpointer link; /* %NULL once it is down */
  GByteArray *received;
  gint64 first_us; /* when the first bytes were received */
  gint64 last_us;  /* when the last bytes were received */
  guint n_drained;
} Side;

struct _Net
{
  SatinSim *sim;
  guint n_hosts;
  SatinSimHost *hosts[MAX_HOSTS];
  gpointer transports[MAX_HOSTS];
  gpointer listener;
  GString *trace;
  GPtrArray *sides; /* (owned) of (owned) Side */
  char next_letter;
  void (*on_received) (Side *side); /* (nullable) called when a side has received something */
};

/* Latency is 10 us in a cluster and 100 us between clusters, without jitter. Bandwidth is
 * unlimited. */
extern const SatinSimOptions net_plain;

/* Makes a world with a host for each digit in @clusters: "0011" means two clusters of two hosts. */
Net *net_new (const SatinSimOptions *options, const char *clusters);
void net_free (Net *self);
/* Runs the world until nothing is left to happen, or until @until_us. */
void net_run (Net *self);
void net_run_until (Net *self, gint64 until_us);
gint64 net_now_us (const Net *self);
SatinSimFigures net_figures (const Net *self);

/* Accepts links to @uri on @host; each accepted side gets the next letter. Returns: the address
 * that other hosts connect to, interned */
const char *net_listen (Net *self, guint host, const char *uri);
Side *net_connect (Net *self, guint host, const char *uri);
/* Makes a link from host @from to host @to, waits until it is up on both sides, and clears the
 * trace. */
void net_link (Net *self, guint from, guint to, Side **ret_from, Side **ret_to);
/* Closes the transport of @host. The trace gets "closed@T " when that is done. */
void net_close (Net *self, guint host);

void side_send (Side *self, gsize n_bytes);
/* Sends eight bytes with the value @number. */
void side_send_number (Side *self, guint8 number);
void side_pause (Side *self, gboolean is_paused);
void side_shut (Side *self);
void side_drop (Side *self);
gsize side_queued_bytes (Side *self);

#define assert_trace(net, expected) g_assert_cmpstr ((net)->trace->str, ==, expected)
