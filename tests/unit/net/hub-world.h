/* hub-world.h - a hub, and nodes and tools that speak its protocol by hand, in moved time
 *
 * Each of them notes what it hears as a line of words, so that a test compares
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
  SatinLoop *manual; /* (owned): moved by hand */
  SatinLoop *loop; /* (owned): what all run on; its clock can jump, and then all timers are late */
  PipeNetwork *network;
  SatinTransport *transport; /* (owned): the hub's */
  SatinHubOptions options;
  SatinHub *hub;   /* (owned) */
  GString *log;    /* what the hub's holder heard */
  GPtrArray *ends; /* (owned) (element-type End) */
} World;

/* A node or a tool. */
typedef struct
{
  World *world;
  SatinTransport *transport; /* (owned) */
  SatinIdentity identity;
  SatinProgram program;
  SatinLink *link; /* %NULL when it is down */
  GString *log;
  char *why;           /* (owned) (nullable): what its down said */
  gboolean is_beating; /* sends heartbeats while world_advance() runs */
  gboolean is_member;
  const char *cluster; /* "cluster" */
  const char *host;    /* "host" */
  const char *address; /* "pipe:x" */
  gint64 pid;
  gint64 id;
  gint64 hub;        /* that it heard last */
  gint64 first_view; /* behind the gap of a restarted hub */
  gint64 first_term;
  guint8 run[HUB_RUN_BYTES];
  SatinRunStatus *status; /* (owned): the last that came */
} End;

#define WORLD_SECOND_US ((gint64)1000000)

/* An open world with defaults; @options %NULL for none. */
World *world_new (const SatinHubOptions *options);
/* The same, where chance is always the same. */
World *world_new_seeded (const SatinHubOptions *options, guint64 seed);
void world_free (World *self);
/* Moves time; nodes that beat do so every 100 ms. */
void world_advance (World *self, gint64 duration_us);
/* Lets happen what can happen now. */
void world_settle (World *self);
/* All stands still for so long: no timer ran, nothing was read. */
void world_freeze (World *self, gint64 duration_us);
/* The hub is gone at once, and maybe another one takes its place. */
void world_lose_hub (World *self);
void world_start_hub (World *self, gboolean is_restarted);
/* What the holder heard since the last call. Returns: valid until the next */
const char *world_heard (World *self);
/* Somebody without a link. */
End *end_new (World *self, SatinRole role);

/* Opens a link and waits for it. */
void end_connect (End *self);
void end_send (End *self, HubMessageType type, gconstpointer body);
void end_send_garbage (End *self, const char *text);
/* A join as a new node with address "pipe:x". */
void end_join (End *self);
/* end_new(), end_connect(), end_join(), beating, log emptied. */
End *world_add_node (World *self);
/* A join with the number and the run that it had; @others: numbers of the members of its view. */
void end_return (End *self, gint64 view_number, gint64 highest, gint64 master, gint64 term,
                 const gint64 *others, gsize n_others);
/* The same of one that knew only some and no master; @gone: whom it saw go, 0 for nobody. */
void end_return_partial (End *self, gint64 view_number, gint64 highest, const gint64 *others,
                         gsize n_others, gint32 gone);
void end_break (End *self);
/* What it heard since the last call, lines joined by "; ". Returns: valid until the next */
const char *end_heard (End *self);

#define assert_heard(end, text)    g_assert_cmpstr (end_heard (end), ==, text)
#define assert_holder(world, text) g_assert_cmpstr (world_heard (world), ==, text)
