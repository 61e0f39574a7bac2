/* hub-world.h - a hub, and nodes and tools that speak its protocol, on a clock that tests move
 *
 * Each node, each tool and the hub's holder notes what it hears in words, so that a test compares
 * one text: "welcome 2 self 2 members 1", "joined 3 id 3", "down FENCED".
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "hub/private.h"
#include "pipe-transport.h"

typedef struct
{
  SatinLoop *manual; /* (owned): the clock that the test moves */
  SatinLoop *loop;   /* (owned): runs everything; world_freeze() sets only its clock forward */
  PipeNetwork *network;
  SatinTransport *transport; /* (owned): the hub's */
  SatinHubOptions options;
  SatinHub *hub;   /* (owned) */
  GString *log;    /* (owned): what the hub's holder heard */
  GPtrArray *ends; /* (owned) (element-type End) */
} World;

/* A node or a tool, played by the test. */
typedef struct
{
  World *world;
  SatinTransport *transport; /* (owned) */
  SatinIdentity identity;
  SatinProgram program;
  SatinLink *link; /* %NULL when it is down */
  GString *log;
  char *why;           /* (owned) (nullable): message of the error that ended the link */
  gboolean is_beating; /* sends heartbeats while world_advance() runs */
  gboolean is_member;
  const char *cluster; /* "cluster" at first */
  const char *host;    /* "host" at first */
  const char *address; /* "pipe:x" at first */
  gint64 pid;
  gint64 id;
  gint64 hub;        /* the hub's number in the last welcome */
  gint64 first_view; /* the first view number above HUB_RESTORE_GAP; notes count from it */
  gint64 first_term; /* the same for terms */
  guint8 run[HUB_RUN_BYTES];
  SatinRunStatus *status; /* (owned): the last status that came */
} End;

#define WORLD_SECOND_US ((gint64)1000000)

/* Makes a world with a hub. @options: (nullable): %NULL for the defaults */
World *world_new (const SatinHubOptions *options);
/* Like world_new(), with a fixed seed. */
World *world_new_seeded (const SatinHubOptions *options, guint64 seed);
void world_free (World *self);
/* Moves the clock; nodes whose @is_beating is set send a heartbeat every 100 ms. */
void world_advance (World *self, gint64 duration_us);
/* Runs all that is due now; the clock stands still. */
void world_settle (World *self);
/* Sets the clock forward without running a timer or reading a byte, as if the process had stood
 * still for so long. */
void world_freeze (World *self, gint64 duration_us);
/* The hub vanishes; world_start_hub() puts a new one in its place. */
void world_lose_hub (World *self);
void world_start_hub (World *self, gboolean is_restarted);
/* Returns: what the hub's holder heard since the last call; valid until the next call */
const char *world_heard (World *self);
/* Returns: a node or a tool that has no link yet */
End *end_new (World *self, SatinRole role);

/* Opens a link to the hub and waits until nothing more happens. */
void end_connect (End *self);
void end_send (End *self, HubMessageType type, gconstpointer body);
void end_send_garbage (End *self, const char *text);
/* Asks to join as a new node. */
void end_join (End *self);
/* Returns: a new member that sends heartbeats; its log is empty */
End *world_add_node (World *self);
/* Asks to join again with its old number and run, as a node does at a restarted hub. @highest: the
 * highest member number that it has heard of. @others: the numbers of the members in its view */
void end_return (End *self, gint64 view_number, gint64 highest, gint64 master, gint64 term,
                 const gint64 *others, gsize n_others);
/* Like end_return(), for a node with a partial view and no master. @gone: a member that it saw
 * leave or die, or 0 */
void end_return_partial (End *self, gint64 view_number, gint64 highest, const gint64 *others,
                         gsize n_others, gint32 gone);
void end_break (End *self);
/* Returns: what @self heard since the last call, joined by "; "; valid until the next call */
const char *end_heard (End *self);

#define assert_heard(end, text)    g_assert_cmpstr (end_heard (end), ==, text)
#define assert_holder(world, text) g_assert_cmpstr (world_heard (world), ==, text)
