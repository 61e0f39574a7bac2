/* private.h - the inside of transports and links
 *
 *   transport.c   a loaded transport, its listeners
 *   link.c        a link's states, from its making to its down
 *   read.c   what came, and what it does
 *   send.c   frames on their way out
 *   frame.c  bytes to frames
 *   hello.c  the hello
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/link.h>

#include "frame.h"

G_BEGIN_DECLS

/* How long a link may take to close without any progress. */
#define SATIN_LINK_CLOSE_TIMEOUT_US ((gint64)2000000)

struct _SatinTransport
{
  SatinTransportOps ops;
  SatinLoop *loop;      /* (borrowed from the context) */
  SatinParams *params;  /* (owned) */
  gpointer handle;      /* (owned) the plugin's */
  GPtrArray *listeners; /* (owned) (element-type SatinListener) */
  guint n_greeting;     /* links that came in and are not open */
  SatinDoneFunc done;   /* set once closing */
  gpointer done_data;
};

typedef enum
{
  LINK_GREETING, /* not accepted by both sides yet; the transport may still connect */
  LINK_OPEN,     /* accepted by both sides, frames go both ways */
  LINK_CLOSING,  /* this side said goodbye; the other side's goodbye or end is awaited */
  LINK_DOWN,     /* over: only the down callback is left */
  LINK_N_STATES,
} LinkState;

struct _SatinLink
{
  SatinTransport *transport;     /* (borrowed) */
  gpointer handle;               /* (owned by the transport until its down) */
  const SatinIdentity *identity; /* (borrowed) */
  const SatinLinkFuncs *funcs;   /* (borrowed) */
  gpointer user_data;
  GRefString *name; /* (owned) interned: what people call the other side */
  LinkState state;
  guint n_users; /* calls that are using it; it is freed when the last one of a gone link ends */
  guint is_gone : 1;
  guint has_dialed : 1;   /* this side connected */
  guint is_up : 1;        /* the transport carries bytes */
  guint has_greeted : 1;  /* this side's hello is out */
  guint has_hello : 1;    /* the other side's is here */
  guint is_undecided : 1; /* funcs->check said: not now */
  guint is_leaving : 1;   /* close when it is open and what waits is sent */
  guint is_shut : 1;      /* nothing more to say */
  guint is_deaf : 1;      /* what still comes is thrown away */
  guint is_answering : 1; /* the other side said goodbye first */
  guint is_paused : 1;
  guint has_pinged : 1;    /* its pong is not back */
  guint is_full : 1;       /* the queue limit was reached and drained is owed */
  SatinHello *hello;       /* (owned) (nullable) the other side's */
  SatinFrameReader reader; /* (owned) */
  GByteArray *held;        /* (owned) (nullable) what came while paused */
  GQueue early;            /* (owned SatinFrame) messages that came while undecided */
  gsize early_bytes;
  GQueue waiting; /* (owned GBytes) frames for when it is open */
  gsize waiting_bytes;
  SatinTimerId deadline;     /* of the hellos, of closing */
  SatinTimerId resume_timer; /* goes on reading what was held */
  gsize closing_bytes;       /* what waited when the deadline was set */
  GError *reason;            /* (owned) (nullable) why it goes down */
  guint64 ping_number;       /* of the last ping */
  gint64 ping_sent_us;
  gint64 round_trip_us;
  gint64 last_heard_us;
  guint64 bytes_sent;
  guint64 bytes_received;
};

/* A legal change, and its name in messages. */
gboolean satin_link_state_may (LinkState from, LinkState to);
const char *satin_link_state_name (LinkState state);

extern const SatinLinkEvents satin_link_events;

/* A link in GREETING; @handle is set by the caller. */
SatinLink *satin_link_new (SatinTransport *transport, const SatinIdentity *identity,
                           const char *name, gboolean has_dialed);
/* For a link that the transport never knew. */
void satin_link_discard (SatinLink *self);

LinkState satin_link_get_state (SatinLink *self);
/* Whether this side's hello is out: from then on the other side may hold the link for open. */
gboolean satin_link_has_greeted (SatinLink *self);
/* Nobody will ask for the other side's hello any more. */
void satin_link_drop_hello (SatinLink *self);
/* Whether it was the other side that closed or refused the link. */
gboolean satin_link_was_told_goodbye (SatinLink *self);

/* link.c */
void satin_link_enter (SatinLink *self, LinkState to);
/* Goes down because of @error (transfer full), and tells the other side. */
void satin_link_fail (SatinLink *self, GError *error);
/* Both sides have said goodbye, or nobody listens any more. */
void satin_link_shut (SatinLink *self);
/* Ends a use that began with n_users++. */
void satin_link_unuse (SatinLink *self);

/* read.c */
void satin_link_consume (SatinLink *self, const guint8 *bytes, gsize n_bytes);
/* Throws away what came before it was accepted. */
void satin_link_drop_early (SatinLink *self);

/* send.c */
void satin_link_write (SatinLink *self, GBytes *bytes);
void satin_link_write_hello (SatinLink *self);
void satin_link_write_goodbye (SatinLink *self, const GError *reason);
void satin_link_flush (SatinLink *self);

G_END_DECLS
