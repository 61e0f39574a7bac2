/* net.h - two transports of the plugin under test and what happens on their links
 *
 * The transports run on a stage, a real loop or a simulated world of two hosts for those of the
 * scheme "sim", which the case turns until what it waits for is true or its patience ends.
 * Callbacks only write down what they were told; what they see broken they note under the rule that
 * holds always.
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

/* More than any transport puts away: the rest has to wait in the queue. */
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
  gpointer transport; /* (owned): %NULL once it was told to close */
  gboolean is_open;   /* it was opened and has not said that it is closed */
  guint n_closed;
} Side;

/* One end of a link and what it heard. */
typedef struct
{
  Side *side;           /* (borrowed) */
  gpointer link;        /* (borrowed from the plugin): %NULL once it is gone */
  GByteArray *received; /* (owned) */
  guint n_up;           /* or accepted */
  guint n_drained;
  guint n_down;
  GError *error;        /* (owned) (nullable): of down */
  gboolean is_pausing;  /* pauses itself when something is received */
  gboolean is_dropping; /* drops itself when something is received */
} End;

struct _Net
{
  Case *c;         /* (borrowed) */
  Stage *stage;    /* (owned): side i is on its host i */
  GThread *thread; /* (borrowed): which turns @stage */
  SatinTransportOps ops;
  SatinSecret *secret; /* (owned): of both sides */
  Side sides[N_SIDES];
  gpointer listener;   /* (borrowed from the plugin): of the server; its user_data is the Net */
  char *folder;        /* (owned): for sockets */
  char *uri;           /* (owned): where the server is reached */
  GPtrArray *accepted; /* (owned) of (owned) End */
  GPtrArray *dialed;   /* (owned) of (owned) End */
  gboolean is_inside;  /* an operation runs: no callback may come */
};

extern const SatinLinkEvents net_link_events;
extern const SatinListenEvents net_listen_events;

/* Two transports with the same secret. %NULL when they cannot be opened; that breaks the case. */
Net *net_new (Case *c);
/* The same with nothing opened. */
Net *net_new_empty (Case *c);
/* Closes what is open, waits for its end and notes what is missing. */
void net_free (Net *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Net, net_free)

/* Opens a transport. @secret: (nullable): %NULL for none. Returns: %FALSE with the plugin's @error
 */
gboolean net_open (Net *self, SideName name, const SatinParams *params, const SatinSecret *secret,
                   gboolean is_insecure, GError **error);
/* Begins to close it. */
void net_close (Net *self, SideName name);

/* Listens with the server. @self->uri tells where. */
gboolean net_listen (Net *self);
void net_unlisten (Net *self);
/* Connects the client; %NULL when connect refuses, which breaks the case. */
End *net_connect (Net *self, const char *uri);
/* Listens if need be, connects and waits for both ends; %FALSE breaks the case. */
gboolean net_link (Net *self, End **ret_client, End **ret_server);

/* Turns the stage until @question says yes; else breaks the case: "@what did not happen". */
gboolean net_wait (Net *self, StageQuestion question, gpointer data, const char *what);
/* Turns the stage for a moment, in which what must not happen has its chance. */
void net_linger (Net *self);
/* Waits until @end received @n_bytes. */
gboolean net_wait_received (End *end, gsize n_bytes);
/* Waits until @end is down, and breaks the case when it is for another reason; @code -1 for without
 * an error, -2 for any. */
gboolean net_wait_down (End *end, int code);

/* An end of @side that has heard nothing, owned by @ends. */
End *end_new (Side *side, GPtrArray *ends);
void end_free (gpointer self);

/* The operations; nothing when the link is gone. */
void end_send (End *self, GBytes *bytes);
void end_send_text (End *self, const char *text);
void end_pause (End *self, gboolean is_paused);
void end_shut (End *self);
void end_drop (End *self);
gsize end_queued_bytes (End *self);

/* Bytes that do not repeat soon; others for another @seed. */
GBytes *net_pattern (gsize n_bytes, guint32 seed);
/* Breaks the case when @end has not received just @expected. */
gboolean net_expect_received (End *end, GBytes *expected);
