/* private.h - the state of transports and links, and the functions that their sources share
 *
 *   transport.c  a loaded transport and its listeners
 *   link.c       the states of a link, from its start to its down
 *   read.c       received bytes and frames, and what each frame does to the link
 *   send.c       outgoing frames
 *   frame.c      converts frames to bytes and bytes to frames
 *   hello.c      the hello that begins a link
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/link.h>

#include "frame.h"

G_BEGIN_DECLS

/* A closing link that makes no progress for this time is dropped. */
#define SATIN_LINK_CLOSE_TIMEOUT_US ((gint64)2000000)

struct _SatinTransport
{
  SatinTransportOps ops;
  SatinLoop *loop;      /* (borrowed from the context) */
  SatinParams *params;  /* (owned) */
  gpointer handle;      /* (owned) the plugin's handle */
  GPtrArray *listeners; /* (owned) (element-type SatinListener) */
  guint n_greeting;     /* incoming links in the state GREETING */
  GBytes *goodbye;      /* (owned) (nullable) the frame that closes a link in good order */
  SatinDoneFunc done;   /* set when the transport is closing */
  gpointer done_data;
};

typedef enum
{
  LINK_GREETING, /* not accepted by both sides yet; the transport may still be connecting */
  LINK_OPEN,     /* accepted by both sides; frames travel both ways */
  LINK_CLOSING,  /* this side sent its goodbye and waits for the other side's goodbye or end */
  LINK_DOWN,     /* the link has ended; only the down callback is still to come */
  LINK_N_STATES,
} LinkState;

struct _SatinLink
{
  SatinTransport *transport;     /* (borrowed) */
  gpointer handle;               /* (owned by the transport until it reports down) */
  const SatinIdentity *identity; /* (borrowed) */
  const SatinLinkFuncs *funcs;   /* (borrowed) */
  gpointer user_data;
  GRefString *name; /* (owned) interned: the other side's name in messages */
  LinkState state;
  guint n_users;          /* the transport and running calls; at 0, a gone link is freed */
  guint is_gone : 1;      /* the transport has reported down */
  guint has_dialed : 1;   /* this side connected */
  guint is_up : 1;        /* the transport carries bytes */
  guint has_greeted : 1;  /* this side's hello is sent */
  guint has_hello : 1;    /* the other side's hello has arrived and is valid */
  guint is_undecided : 1; /* funcs->check deferred its decision */
  guint is_leaving : 1;   /* close the link as soon as it is open and its queue is sent */
  guint is_shut : 1;      /* the transport was told to shut: nothing more is sent or received */
  guint is_deaf : 1;      /* received bytes are thrown away */
  guint is_answering : 1; /* the other side said goodbye first */
  guint is_paused : 1;
  guint has_pinged : 1;    /* a ping is sent and its pong has not arrived */
  guint is_full : 1;       /* the queue limit was reached, so drained must be called later */
  SatinHello *hello;       /* (owned) (nullable) the other side's hello */
  SatinFrameReader reader; /* (owned) */
  GByteArray *held;        /* (owned) (nullable) bytes that arrived while paused */
  GQueue early;            /* (owned SatinFrame) messages that arrived while undecided */
  gsize early_bytes;
  GQueue waiting; /* (owned GBytes) frames that wait for the link to open */
  gsize waiting_bytes;
  SatinTimerId deadline;     /* for both hellos; then for closing */
  SatinTimerId resume_timer; /* reads the held bytes after a pause */
  gsize closing_bytes;       /* bytes that waited when the closing deadline was set */
  GError *reason;            /* (owned) (nullable) why the link goes down */
  guint64 ping_number;       /* number of the last ping */
  gint64 ping_sent_us;
  gint64 round_trip_us;
  gint64 last_heard_us;
  guint64 bytes_sent;
  guint64 bytes_received;
};

/* Whether a link may change from @from to @to. */
gboolean satin_link_state_may (LinkState from, LinkState to);
const char *satin_link_state_name (LinkState state);

extern const SatinLinkEvents satin_link_events;

/* Makes a link in the state GREETING. The caller sets @handle. */
SatinLink *satin_link_new (SatinTransport *transport, const SatinIdentity *identity,
                           const char *name, gboolean has_dialed);
/* Frees a link that the transport does not know, because connect failed. */
void satin_link_discard (SatinLink *self);

LinkState satin_link_get_state (SatinLink *self);
/* Whether this side's hello is sent. From then on the other side may consider the link open. */
gboolean satin_link_has_greeted (SatinLink *self);
/* Frees the other side's hello. The owner must not ask for it afterwards. */
void satin_link_drop_hello (SatinLink *self);
/* Whether the other side closed or refused the link. */
gboolean satin_link_was_told_goodbye (SatinLink *self);

/* link.c */
void satin_link_enter (SatinLink *self, LinkState to);
/* Takes the link down because of @error (transfer full). Sends @error to the other side, unless the
 * transport is not up or the link is closing already. */
void satin_link_fail (SatinLink *self, GError *error);
/* Sends what is queued and then ends the transport's stream. Called when both sides have said
 * goodbye, or when the link fails while it is closing. */
void satin_link_shut (SatinLink *self);
/* Ends a use that began with n_users++. May free the link. */
void satin_link_unuse (SatinLink *self);

/* read.c */
void satin_link_consume (SatinLink *self, const guint8 *bytes, gsize n_bytes);
/* Throws away the early messages that arrived before the link was accepted. */
void satin_link_drop_early (SatinLink *self);

/* send.c */
void satin_link_write (SatinLink *self, GBytes *bytes);
void satin_link_write_hello (SatinLink *self);
void satin_link_write_goodbye (SatinLink *self, const GError *reason);
void satin_link_flush (SatinLink *self);

G_END_DECLS
