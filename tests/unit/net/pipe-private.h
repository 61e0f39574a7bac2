/* pipe-private.h - the inside of the pipe transport
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pipe-transport.h"

typedef struct
{
  char *from; /* (owned) (nullable) */
  char *to;   /* (owned) (nullable) */
} Loss;

struct _PipeNetwork
{
  SatinLoop *loop; /* (borrowed) */
  gint64 delay_us;
  gsize chunk_bytes;
  gsize queue_limit_bytes;
  gboolean is_merged;
  gboolean is_hasty;
  guint n_dialed;
  GPtrArray *transports; /* (borrowed PipeTransport) */
  GHashTable *listeners; /* (owned) name to (borrowed) PipeListener */
  GHashTable *refused;   /* set of (owned) names */
  GPtrArray *losses;     /* (owned Loss) */
};

typedef struct
{
  PipeNetwork *network; /* (borrowed) */
  char *name;           /* (owned) (nullable): the first name at which it listened */
  GPtrArray *ends;      /* (owned PipeEnd) */
  GPtrArray *listeners; /* (owned PipeListener) */
  SatinDoneFunc done;
  gpointer done_data;
} PipeTransport;

typedef struct
{
  PipeTransport *transport; /* (borrowed) */
  char *name;               /* (owned) */
  const SatinListenEvents *events;
  gpointer user_data;
} PipeListener;

typedef enum
{
  ITEM_SYN,    /* to the side that connects: find the listener now */
  ITEM_UP,     /* to the side that connects: the link is up */
  ITEM_BYTES,  /* the other side sent these bytes */
  ITEM_END,    /* the other side closed in good order */
  ITEM_BROKEN, /* this side hears "down", with the item's error */
} ItemKind;

typedef struct
{
  ItemKind kind;
  gint64 due_us;
  GBytes *bytes; /* (owned) for ITEM_BYTES */
  GError *error; /* (owned) (nullable): for ITEM_BROKEN; %NULL: the link was closed in good order */
} Item;

typedef struct _PipeEnd PipeEnd;
struct _PipeEnd
{
  PipeTransport *transport; /* (borrowed) */
  PipeEnd *other;           /* (borrowed) (nullable): the other side, while it exists */
  char *target;             /* (owned) the name that was connected to */
  gboolean has_connected;   /* this side connected; the other side accepted */
  const SatinLinkEvents *events;
  gpointer user_data;
  GQueue inbox; /* (owned Item), ordered by due time */
  gsize inbox_bytes;
  SatinTimerId timer;
  SatinTimerId drained_timer;
  gboolean is_paused;
  gboolean is_shut; /* this side has closed, and takes no more bytes */
  gboolean is_over; /* the last item of the inbox is ITEM_BROKEN; nothing follows it */
  gboolean is_full;
  gboolean is_mute; /* bytes of this side were lost, so all that follow are lost, too */
};

/* pipe-network.c */
/* Returns: (nullable): the network of all transports on @loop */
PipeNetwork *pipe_network_of_loop (SatinLoop *loop);
/* Returns: whether the network loses what @from sends to @to */
gboolean pipe_network_loses (PipeNetwork *self, const char *from, const char *to);

/* pipe-transport.c */
/* Empties the inbox; the end hears only "down", after @delay_us.
 * @error: (transfer full) (nullable) */
void pipe_end_finish (PipeEnd *self, gint64 delay_us, GError *error);
