/* network-world.h - hosts with a transport each, and a trace of what their links hear
 *
 * Each side of a link has a letter. What it hears becomes a word of the trace: "a:up@20 "
 * for an event at 20 us, "b:5@40 " for five bytes received.
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
  gint64 first_us; /* when the first bytes came */
  gint64 last_us;  /* and the last */
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
};

/* LAN 10 us, WAN 100 us, no jitter, no limit of bandwidth. */
extern const SatinSimOptions net_plain;

/* A host for each digit of @clusters: "0011" are two in each of two clusters. */
Net *net_new (const SatinSimOptions *options, const char *clusters);
void net_free (Net *self);
/* Lets time pass until nothing is left to happen, or until then. */
void net_run (Net *self);
void net_run_until (Net *self, gint64 until_us);
gint64 net_now_us (const Net *self);
SatinSimFigures net_figures (const Net *self);

/* Accepts links at @uri on @host; the sides get the next letters. Returns: the address, freed with
 * the net */
const char *net_listen (Net *self, guint host, const char *uri);
Side *net_connect (Net *self, guint host, const char *uri);
/* A link from @from to @to that is up on both sides; then the trace is empty. */
void net_link (Net *self, guint from, guint to, Side **ret_from, Side **ret_to);
/* Closes the transport of @host; "closed@T " in the trace when it is. */
void net_close (Net *self, guint host);

void side_send (Side *self, gsize n_bytes);
/* Bytes that tell which they are: @number, 8 times. */
void side_send_number (Side *self, guint8 number);
void side_pause (Side *self, gboolean is_paused);
void side_shut (Side *self);
void side_drop (Side *self);
gsize side_queued_bytes (Side *self);

#define assert_trace(net, expected) g_assert_cmpstr ((net)->trace->str, ==, expected)
