/* transport.h - a transport inside one process, and the rules that it breaks when it is told to
 *
 * What is sent on a link lies in the inbox of its other end until the loop delivers it. Each link
 * does one thing at a turn, in a timer of the loop, so a callback may do with it what it likes.
 * Its parameter "fault" is the one rule that it breaks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

/* The rules that it can break, one at a time: by what they are about, in the order of the suite. */
/* clang-format off */
#define FAULTS(X) \
  X (NONE) X (OPENS_NOT_AGAIN) X (CONNECTS_TO_ANYTHING) X (LISTENS_AT_ANYTHING) \
  X (CLOSES_FOR_ALL) X (CLOSES_NOT_IN_ANY_LOOP) X (SHARES_ADDRESSES) X (KEEPS_ITS_ADDRESS) \
  X (UNLISTEN_ENDS_LINKS) X (ACCEPTS_AFTER_UNLISTEN) X (ACCEPTS_TWICE) \
  X (FINDS_NOBODY_TOO_SLOWLY) X (BREAKS_AT_NOTHING) X (LOSES_A_BYTE_ALONE) X (CUTS_64_KIB) \
  X (SPOILS_4_MIB) X (SWAPS_PIECES) X (SPOILS_BOTH_WAYS) X (KEEPS_NO_REFERENCE) X (MIXES_LINKS) \
  X (IGNORES_PAUSE) X (LOSES_AT_PAUSES) X (TELLS_NO_QUEUE) X (TELLS_NO_DRAINED) \
  X (TELLS_DRAINED_TWICE) X (TELLS_DRAINED_OF_LITTLE) X (SHUT_LOSES_THE_QUEUE) \
  X (SHUT_RECEIVES) X (SHUT_TWICE_FAILS) X (SHUT_BEFORE_UP_IS_GOOD) X (SHUT_WAITS_FOR_EVER) \
  X (DROP_IS_GOOD_HERE) X (DROP_IS_NOT_TOLD) X (DROP_IS_GOOD_THERE) X (DROP_COMES_UP) \
  X (DROP_WAITS_FOR_THE_CALLBACK) X (DROP_IS_NOT_HEARD_IN_A_PAUSE) X (CLOSE_IS_GOOD_ORDER) \
  X (CLOSE_FORGETS_DIALING) X (OPENS_NOT_FOR_ANOTHER_REASON) X (OPENS_NEVER_INSECURELY) \
  X (TAKES_ANY_SECRET) X (TAKES_WHO_HAS_NONE) X (GOES_TO_WHO_HAS_NONE) \
  X (TAKES_THE_FIRST_KEY_ONLY) X (UP_INSIDE_CONNECT) X (DOWN_INSIDE_DROP) X (UP_TWICE) \
  X (SPEAKS_ON_ANOTHER_THREAD) \
  X (RECEIVES_BEFORE_UP) X (DOWN_TWICE) X (RECEIVES_AFTER_DOWN) X (LOSES_DOWN) \
  X (RECEIVES_EMPTINESS) X (NAMES_NO_LINK) X (FAILS_IN_ITS_OWN_WORDS) X (CLOSED_TWICE) \
  X (NEVER_CLOSED) X (CLOSED_BEFORE_DOWN)
/* clang-format on */

#define VALUE_OF(fault) fault,
typedef enum
{
  FAULTS (VALUE_OF) N_FAULTS
} Fault;

/* The one that was asked for, for the whole process. */
extern Fault transport_fault;

#define IS(fault) (transport_fault == fault)

/* The most that is delivered at a turn. */
#define CHUNK_BYTES ((gsize)64 << 10)

#define QUEUE_LIMIT_BYTES ((gsize)1 << 20)

typedef struct
{
  SatinLoop *loop;           /* (borrowed) */
  const SatinSecret *secret; /* (borrowed) (nullable) */
  gboolean is_between_hosts; /* wants a secret */
  gint64 shut_timeout_us;
  GList *links;     /* of (owned) Link */
  GList *listeners; /* of (owned) Listener */
  gboolean is_closing;
  gboolean is_calling_early; /* a fault tells that it is closed */
  SatinDoneFunc done;
  gpointer done_data;
} Transport;

typedef struct
{
  Transport *transport; /* (borrowed) */
  char *uri;            /* (owned) */
  const SatinListenEvents *events;
  gpointer user_data;
  gboolean is_stopped; /* a fault has kept it */
} Listener;

typedef struct _Link Link;
struct _Link
{
  Transport *transport; /* (borrowed) */
  Link *peer;           /* (borrowed) (nullable): the other end while it lives */
  char *uri;            /* (owned) where it connects to */
  const SatinLinkEvents *events;
  gpointer user_data;
  SatinTimerId turn;
  SatinTimerId deadline; /* of a shut */
  GQueue inbox;          /* of (owned) GBytes: sent by the other end */
  gsize inbox_bytes;
  gsize left_bytes; /* in the other end's inbox when the deadline was set */
  guint n_pauses;
  gboolean is_up;
  gboolean is_paused;
  gboolean is_shut;
  gboolean is_high;    /* its queue was above the limit */
  gboolean is_drained; /* and has to be told that it is not any more */
  gboolean is_over;    /* down is to be told, with @error */
  gboolean is_calling; /* a callback of it runs */
  GError *error;       /* (owned) (nullable) */
};

/* links.c */
Link *link_new (Transport *transport, const char *uri, const SatinLinkEvents *events,
                gpointer user_data);
/* Has its turn come. */
void link_wake (Link *self);
/* The link is over: down comes with @error (transfer full) (nullable). */
void link_end (Link *self, GError *error);
void link_send (gpointer link, GBytes *bytes);
gsize link_queued_bytes (gpointer link);
void link_pause (gpointer link, gboolean is_paused);
void link_shut (gpointer link);
void link_drop (gpointer link);
/* What an end hears when the other one breaks. */
GError *link_closed_error (void);

/* transport.c */
/* A dialing link's turn: finds who listens, both ends come up. */
void transport_dial (Link *link);
/* A link is gone: perhaps it was the last that close waits for. */
void transport_check_closed (Transport *transport);
