/* net.h - two transports of the plugin under test, and what happens on their links
 *
 * The transports run on a stage: a real loop, or a simulated world of two hosts for the scheme
 * "sim". A case turns the stage until an event has happened, or the case's patience ends. Callbacks
 * record what an end hears, and keep a note when they see that a rule that always holds is broken.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"
#include "conformance/stage.h"

#include <satin/net/transport.h>

#define RULE_INSIDE "transport/always/no-callback-comes-inside-an-operation"
#define RULE_THREAD "transport/always/callbacks-come-on-the-thread-of-the-loop"
#define RULE_UP     "transport/always/up-comes-first-and-once"
#define RULE_DOWN   "transport/always/down-comes-last-and-once"
#define RULE_BYTES  "transport/always/what-is-received-has-bytes"
#define RULE_LINK   "transport/always/events-name-their-link"
#define RULE_ERROR  "transport/always/errors-are-those-of-the-contract"
#define RULE_CLOSED "transport/always/close-is-done-once-and-after-every-down"

/* More than any transport buffers, so that a part has to wait in the queue. */
#define MUCH_BYTES ((gsize)32 << 20)

typedef struct _Net Net;

typedef enum
{
  SERVER,
  CLIENT,
  N_SIDES,
} SideName;

/* One open transport. */
typedef struct
{
  Net *net;           /* (borrowed) */
  gpointer transport; /* (owned): %NULL after close was called */
  gboolean is_open;   /* open has succeeded, and close is not done yet */
  guint n_closed;
} Side;

/* One end of a link, and what the end has heard. */
typedef struct
{
  Side *side;           /* (borrowed) */
  gpointer link;        /* (borrowed from the plugin): %NULL after down */
  GByteArray *received; /* (owned) */
  guint n_up;           /* how often up or accepted came */
  guint n_drained;
  guint n_down;
  GError *error;        /* (owned) (nullable): the error of down */
  gboolean is_pausing;  /* pause the end when it receives something */
  gboolean is_dropping; /* drop the end when it receives something */
} End;

struct _Net
{
  Case *c;         /* (borrowed) */
  Stage *stage;    /* (owned): @sides[i] runs on host i of the stage */
  GThread *thread; /* (borrowed): the thread that turns @stage */
  SatinTransportOps ops;
  SatinSecret *secret; /* (owned): a cluster secret, which net_new() gives to both sides */
  Side sides[N_SIDES];
  gpointer listener;   /* (borrowed from the plugin): the listener of the server */
  char *folder;        /* (owned): for sockets */
  char *uri;           /* (owned): the address of the server */
  GPtrArray *accepted; /* (owned) of (owned) End */
  GPtrArray *dialed;   /* (owned) of (owned) End */
  gboolean is_inside;  /* an operation is running, so no callback may come */
};

extern const SatinLinkEvents net_link_events;
extern const SatinListenEvents net_listen_events;

/* Opens two transports with the same secret. %NULL when that fails; the case is then broken. */
Net *net_new (Case *c);
/* Like net_new(), but opens nothing. */
Net *net_new_empty (Case *c);
/* Closes both transports, waits until the close is done, and keeps a note if it is not done in
 * time. */
void net_free (Net *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Net, net_free)

/* Opens a transport. @secret: (nullable). Returns: %FALSE with the plugin's @error */
gboolean net_open (Net *self, SideName name, const SatinParams *params, const SatinSecret *secret,
                   gboolean is_insecure, GError **error);
/* Begins to close the transport. */
void net_close (Net *self, SideName name);

/* Lets the server listen, and sets @self->uri to its address. */
gboolean net_listen (Net *self);
void net_unlisten (Net *self);
/* Connects the client to @uri. %NULL when connect refuses; the case is then broken. */
End *net_connect (Net *self, const char *uri);
/* Makes a link and waits until both ends are up; listens first if necessary. Returns %FALSE when
 * that fails; the case is then broken. */
gboolean net_link (Net *self, End **ret_client, End **ret_server);

/* Turns the stage until @question returns %TRUE. Breaks the case with "@what did not happen" when
 * the case's patience ends before. */
gboolean net_wait (Net *self, StageQuestion question, gpointer data, const char *what);
/* Turns the stage for a moment, so that a forbidden event could happen. */
void net_linger (Net *self);
/* Waits until @end has received at least @n_bytes. Returns: %FALSE when that does not happen; the
 * case is then broken */
gboolean net_wait_received (End *end, gsize n_bytes);
/* Waits until @end is down. Breaks the case when that does not happen, or the code of the end's
 * error is not @code; -1 stands for no error, -2 for anything. */
gboolean net_wait_down (End *end, int code);

/* Makes a record of an end of @side, and adds it to @ends. */
End *end_new (Side *side, GPtrArray *ends);
void end_free (gpointer self);

/* The operations of a link. They do nothing when the link is gone. */
void end_send (End *self, GBytes *bytes);
void end_send_text (End *self, const char *text);
void end_pause (End *self, gboolean is_paused);
void end_shut (End *self);
void end_drop (End *self);
gsize end_queued_bytes (End *self);

/* Returns: (transfer full): @n_bytes of a sequence without short repetitions, different for each
 * @seed */
GBytes *net_pattern (gsize n_bytes, guint32 seed);
/* Breaks the case unless @end has received exactly @expected. */
gboolean net_expect_received (End *end, GBytes *expected);
