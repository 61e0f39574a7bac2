/* stream-world.h - two real transports of one kind, the links between them, and their events
 *
 * The sockets are real (loopback, or files in a temporary folder). The loop is a real GMainContext,
 * which the test turns until a condition holds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

typedef struct _World World;

/* A kind of transport: the plugin, and whether it has a secret. */
typedef struct
{
  const char *name;
  const char *plugin;
  gboolean has_secret;
} WorldKind;

extern const WorldKind world_unix;
extern const WorldKind world_plain; /* tcp, insecure */
extern const WorldKind world_tls;   /* tcp with a secret */

/* For listeners whose user_data is the World: adds each link to @accepted. */
extern const SatinListenEvents world_listen_events;

/* One end of a link, and its events. */
typedef struct
{
  World *world;
  gpointer link; /* %NULL once it is gone */
  GByteArray *received;
  guint n_up;         /* a link that was accepted is up at once */
  gsize n_sent_bytes; /* counted by the test */
  guint n_drained;
  guint n_down;
  GError *error;        /* (owned): the error with which it went down */
  gboolean is_pausing;  /* pauses itself when something is received */
  gboolean is_dropping; /* drops itself when something is received */
} Side;

struct _World
{
  const WorldKind *kind;
  SatinLoop *loop;
  GMainContext *context;
  SatinTransportOps ops;
  SatinSecret *secrets[2]; /* (owned) (nullable): of server and client */
  gpointer server;
  gpointer client;
  gpointer listener;
  char *folder;        /* (owned): for sockets and other files */
  char *uri;           /* (owned): where the server listens */
  GPtrArray *accepted; /* (owned Side) */
  GPtrArray *dialed;   /* (owned Side) */
  guint n_closed;
  gboolean is_inside; /* an operation is running, so no callback may come */
};

typedef gboolean (*WorldQuestion) (gpointer data);

/* Both sides have the same secret if the kind has one. */
World *world_new (const WorldKind *kind);
/* Like world_new(), with a secret (borrowed) (nullable) for each side; %NULL: that side is
 * insecure. */
World *world_new_with_secrets (const WorldKind *kind, const SatinSecret *server,
                               const SatinSecret *client);
/* Like world_new(), on @loop, which the world then owns. */
World *world_new_in_loop (const WorldKind *kind, SatinLoop *loop);
/* Closes what is open, waits until all is closed, and removes the folder. */
void world_free (World *self);
/* Begins to close the server's transport; world_free() waits for it. */
void world_close_server (World *self);

/* Returns: (transfer full): an address to listen at: a new socket file, or a port that the system
 * chooses */
char *world_fresh_uri (World *self);
void world_listen (World *self);
Side *world_connect (World *self, const char *uri);
/* Connects to the listener and waits until both sides are up. */
void world_link (World *self, Side **ret_client, Side **ret_server);

/* Turns the loop until @question returns %TRUE; fails the test after 20 seconds. */
void world_run_until (World *self, WorldQuestion question, gpointer data);
/* Turns the loop until @side is down, and checks the error. @code: -1 for no error */
void world_run_until_down (Side *side, int code);
/* Turns the loop until @side has received @n_bytes. */
void world_run_until_received (Side *side, gsize n_bytes);
/* Turns the loop as long as there is something to do at once. */
void world_settle (World *self);

/* These call the operations of the same name, and check that no callback runs inside them. */
void side_send (Side *self, gconstpointer bytes, gsize n_bytes);
void side_send_bytes (Side *self, GBytes *bytes);
void side_pause (Side *self, gboolean is_paused);
void side_shut (Side *self);
void side_drop (Side *self);

/* Returns: (transfer full): bytes without a short period */
GBytes *world_pattern (gsize n_bytes);
