/* pipe-private.h - the inside of a transport inside one process
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
  char *name;           /* (owned) (nullable): what it first listened at */
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
  ITEM_SYN,    /* for the side that connects: look for the listener now */
  ITEM_UP,     /* for the side that connected */
  ITEM_BYTES,  /* the other side sent these */
  ITEM_END,    /* the other side closed in good order */
  ITEM_BROKEN, /* it broke, or this side dropped it */
} ItemKind;

typedef struct
{
  ItemKind kind;
  gint64 due_us;
  GBytes *bytes; /* (owned) for ITEM_BYTES */
  GError *error; /* (owned) for ITEM_BROKEN; NULL for good order */
} Item;

typedef struct _PipeEnd PipeEnd;
struct _PipeEnd
{
  PipeTransport *transport; /* (borrowed) */
  PipeEnd *other;           /* (borrowed) (nullable): the other side while it lives */
  char *target;             /* (owned) the name that was connected to */
  gboolean has_connected;   /* it is the side that connected */
  const SatinLinkEvents *events;
  gpointer user_data;
  GQueue inbox; /* (owned Item) by due time */
  gsize inbox_bytes;
  SatinTimerId timer;
  SatinTimerId drained_timer;
  gboolean is_paused;
  gboolean is_shut; /* this side closed: takes nothing in any more */
  gboolean is_over; /* only ITEM_BROKEN is left to deliver */
  gboolean is_full;
  gboolean is_mute; /* something it sent was lost: nothing of it arrives any more */
};

/* pipe-network.c */
/* Returns: (nullable): the network of all transports on @loop */
PipeNetwork *pipe_network_of_loop (SatinLoop *loop);
/* Whether nothing that @from writes reaches @to. */
gboolean pipe_network_loses (PipeNetwork *self, const char *from, const char *to);

/* pipe-transport.c */
/* The end hears down after @delay_us and nothing before it. @error: (transfer full) (nullable) */
void pipe_end_finish (PipeEnd *self, gint64 delay_us, GError *error);
