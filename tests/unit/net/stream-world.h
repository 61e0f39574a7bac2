/* stream-world.h - two real transports of one kind and what happens on their links
 *
 * Sockets are real (loopback or a temporary folder), the loop is a real
 * GMainContext that the test turns by hand until something it waits for is true.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

typedef struct _World World;

/* One kind of link: a plugin and how it is opened. */
typedef struct
{
  const char *name;
  const char *plugin;
  gboolean has_secret;
} WorldKind;

extern const WorldKind world_unix;
extern const WorldKind world_plain; /* tcp, insecure */
extern const WorldKind world_tls;   /* tcp with a secret */

/* For listeners whose user_data is the World: what they accept goes to @accepted. */
extern const SatinListenEvents world_listen_events;

/* One end of a link and what it heard. */
typedef struct
{
  World *world;
  gpointer link; /* %NULL once it is gone */
  GByteArray *received;
  guint n_up;         /* or accepted */
  gsize n_sent_bytes; /* kept by the test */
  guint n_drained;
  guint n_down;
  GError *error;        /* of down */
  gboolean is_pausing;  /* pauses itself when something is received */
  gboolean is_dropping; /* drops itself when something is received */
} Side;

struct _World
{
  const WorldKind *kind;
  SatinLoop *loop;
  GMainContext *context;
  SatinTransportOps ops;
  SatinSecret *secrets[2]; /* (nullable): of server and client */
  gpointer server;
  gpointer client;
  gpointer listener;
  char *folder;        /* for sockets and other files */
  char *uri;           /* where the server listens */
  GPtrArray *accepted; /* of (owned) Side */
  GPtrArray *dialed;   /* of (owned) Side */
  guint n_closed;
  gboolean is_inside; /* in an operation: no callback may come */
};

typedef gboolean (*WorldQuestion) (gpointer data);

/* Both sides have the same secret if the kind has one. */
World *world_new (const WorldKind *kind);
/* As world_new() with secrets (borrowed, nullable) for each side, %NULL being insecure. */
World *world_new_with_secrets (const WorldKind *kind, const SatinSecret *server,
                               const SatinSecret *client);
/* As world_new() in a given loop, which is taken over. */
World *world_new_in_loop (const WorldKind *kind, SatinLoop *loop);
/* Closes what is open, waits for its end and removes the folder. */
void world_free (World *self);
/* Begins to close the server's transport before world_free() does. */
void world_close_server (World *self);

/* An address to listen at: a fresh socket file, or a port the system picks. */
char *world_fresh_uri (World *self);
void world_listen (World *self);
Side *world_connect (World *self, const char *uri);
/* Connects to the listener and waits until both sides are up. */
void world_link (World *self, Side **ret_client, Side **ret_server);

/* Turns the loop until @question says yes; fails the test after 20 seconds. */
void world_run_until (World *self, WorldQuestion question, gpointer data);
/* Turns the loop until @side is down, and checks why; @code -1 for no error. */
void world_run_until_down (Side *side, int code);
/* Turns the loop until @side has received @n_bytes. */
void world_run_until_received (Side *side, gsize n_bytes);
/* Turns the loop as long as it has something to do at once. */
void world_settle (World *self);

/* The operations, with the check that no callback comes inside. */
void side_send (Side *self, gconstpointer bytes, gsize n_bytes);
void side_send_bytes (Side *self, GBytes *bytes);
void side_pause (Side *self, gboolean is_paused);
void side_shut (Side *self);
void side_drop (Side *self);

/* Bytes that never repeat soon. */
GBytes *world_pattern (gsize n_bytes);
