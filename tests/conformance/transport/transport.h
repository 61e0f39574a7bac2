/* transport.h - a transport inside one process, which breaks one rule when it is told to
 *
 * Bytes that are sent on a link are in the inbox of its other end until the loop delivers them.
 * Each link does one thing in a turn. A turn is a timer of the loop, so a callback may call any
 * operation of the link. The parameter "fault" names the rule that the transport breaks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

/* The faults of the transport, of which the parameter "fault" chooses one. */
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

/* The fault that was chosen, for the whole process. */
extern Fault transport_fault;

#define IS(fault) (transport_fault == fault)

/* The largest number of bytes that is delivered in a turn. */
#define CHUNK_BYTES ((gsize)64 << 10)

#define QUEUE_LIMIT_BYTES ((gsize)1 << 20)

typedef struct
{
  SatinLoop *loop;           /* (borrowed) */
  const SatinSecret *secret; /* (borrowed) (nullable) */
  gboolean is_between_hosts; /* it wants a secret */
  gint64 shut_timeout_us;
  GList *links;     /* of (owned) Link */
  GList *listeners; /* of (owned) Listener */
  gboolean is_closing;
  gboolean is_calling_early; /* with CLOSED_BEFORE_DOWN: done() is called too early */
  SatinDoneFunc done;
  gpointer done_data;
} Transport;

typedef struct
{
  Transport *transport; /* (borrowed) */
  char *uri;            /* (owned) */
  const SatinListenEvents *events;
  gpointer user_data;
  gboolean is_stopped; /* a fault keeps it after unlisten() */
} Listener;

typedef struct _Link Link;
struct _Link
{
  Transport *transport; /* (borrowed) */
  Link *peer;           /* (borrowed) (nullable): the other end, while that exists */
  char *uri;            /* (owned): the address to which it connects */
  const SatinLinkEvents *events;
  gpointer user_data;
  SatinTimerId turn;
  SatinTimerId deadline; /* the timeout of a shut */
  GQueue inbox;          /* of (owned) GBytes: bytes that the other end has sent */
  gsize inbox_bytes;
  gsize left_bytes; /* bytes in the other end's inbox at the last deadline, or %G_MAXSIZE */
  guint n_pauses;
  gboolean is_up;
  gboolean is_paused;
  gboolean is_shut;
  gboolean is_high;    /* the other end's inbox was above the limit */
  gboolean is_drained; /* the other end's inbox has room again: drained() is called next */
  gboolean is_over;    /* down() is called next, with @error */
  gboolean is_calling; /* one of its callbacks runs */
  GError *error;       /* (owned) (nullable) */
};

/* links.c */
Link *link_new (Transport *transport, const char *uri, const SatinLinkEvents *events,
                gpointer user_data);
/* Gives the link a turn soon. */
void link_wake (Link *self);
/* The link is over: down() will be called with @error (transfer full) (nullable). */
void link_end (Link *self, GError *error);
void link_send (gpointer link, GBytes *bytes);
gsize link_queued_bytes (gpointer link);
void link_pause (gpointer link, gboolean is_paused);
void link_shut (gpointer link);
void link_drop (gpointer link);
/* Returns: (transfer full): the error of a link that its other end dropped */
GError *link_closed_error (void);

/* transport.c */
/* The turn of a dialing link: finds a listener and brings both ends up, or ends the link. */
void transport_dial (Link *link);
/* Called when a link is gone. If it was the last link for which close() waits, calls done() soon.
 */
void transport_check_closed (Transport *transport);
