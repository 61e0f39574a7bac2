/* imports.h - the table of jobs of other nodes, and the results that their owners are to have
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/core/membership.h>

#include "messages.h"

/* What an imported job came with. */
typedef struct
{
  const guint8 *args; /* encoded */
  gsize n_args;
  const guint8 *lineage; /* (nullable) SatinLineage, of its own; NULL: that of no known job */
  gsize n_lineage;
  const guint8 *path; /* (nullable) from there to it */
  gsize n_path;
  gboolean is_placed; /* the path is known */
} Baggage;

/* A job of another node that runs or ran here. */
typedef struct _Import Import;
struct _Import
{
  guint64 import_id;
  GList link;         /* in the list of all, if it is in that; data: itself */
  Import *next_named; /* (nullable) of the same owner and name */
  StealName name;
  SatinNodeId owner;
  int task;
  guint n_far;           /* how often it, or a job that it descends from, has changed clusters */
  guint is_orphan : 1;   /* the owner is gone */
  guint is_unwanted : 1; /* and nobody wants it */
  guint is_over : 1;
  guint is_placed : 1; /* as in its baggage */
  guint is_stored : 1; /* its result is being fetched: no worker has it */
  guint n_sent;        /* how often its result was, since a link broke */
  guint32 n_args, n_lineage, n_path;
  guint8 *baggage;        /* (owned) these, one after the other */
  gint64 came_us;         /* when it could have begun */
  gint64 ran_us;          /* how long, once it is over */
  gint64 over_us;         /* when it was over, or adopted after that */
  gint64 send_us;         /* when its result is to be sent (again), once it is over */
  GSequenceIter *to_send; /* (nullable) in the outbox */
  GSequenceIter
      *unacked; /* (nullable) among those whose results their owner has not acknowledged */
  /* the outcome, as it is sent until it is acknowledged */
  StealStatus status;
  GQuark domain;
  int code;
  char *message;  /* (owned) (nullable) bounded */
  GBytes *result; /* (owned) (nullable) */
};

/* outbox.c */
typedef struct
{
  /* what is over, and whose owners have not acknowledged the results */
  GSequence *to_send; /* (owned) of (borrowed) Import, the first due first */
  GSequence *unacked; /* (owned) of (borrowed) Import whose results were sent, by owner, and the
                         first that ended first */
} StealOutbox;

/* import-table.c */
typedef struct
{
  GQueue all;          /* of (owned) Import, in order of import id: each has its link itself */
  GHashTable *by_id;   /* (owned) guint64 import id in the Import to (borrowed) Import */
  GHashTable *by_name; /* (owned) set of (borrowed) Import, by owner and name: the oldest of each */
  guint64 last_id;
  GBytes *rootless; /* (owned) */
  StealOutbox outbox;
} StealImports;

/* imported-job.c */

/* Returns: (transfer full): without baggage yet, and in no table */
Import *steal_import_new (SatinNodeId owner, const StealName *name);
void steal_import_set_baggage (const StealImports *self, Import *import, const Baggage *baggage);
Baggage steal_import_get_baggage (const Import *self);
void steal_import_free (gpointer import);

/* import-table.c */

/* @rootless: (borrowed): the lineage of those that came with none */
void steal_imports_init (StealImports *self, GBytes *rootless);
void steal_imports_free (StealImports *self);
/* @import: (transfer full) */
void steal_imports_add (StealImports *self, Import *import);
/* Returns: without baggage yet */
Import *steal_imports_add_new (StealImports *self, SatinNodeId owner, const StealName *name);
/* It is not there any more, and is freed. */
void steal_imports_remove (StealImports *self, Import *import);
/* It is exported by somebody else now. */
void steal_imports_rename (StealImports *self, Import *import, SatinNodeId owner,
                           const StealName *name);

/* Returns: (nullable): the job with that import id */
Import *steal_imports_find (const StealImports *self, guint64 import_id);
/* Returns: (nullable): what @owner, who has not been lost, exported under that name */
Import *steal_imports_find_of (const StealImports *self, SatinNodeId owner, const StealName *name);
/* Returns: (nullable): what @owner, who is lost, had exported under that name, and somebody may
 * want */
Import *steal_imports_find_orphan (const StealImports *self, SatinNodeId owner,
                                   const StealName *name);
/* Those that @owner, who has not been lost, exported, the newest first. Returns: (transfer full):
 * of guint64, their import ids */
GArray *steal_imports_list_of (const StealImports *self, SatinNodeId owner);

/* outbox.c */

void steal_outbox_init (StealOutbox *self);
void steal_outbox_free (StealOutbox *self);
/* After any change of what decides where it is in there: is_over, is_orphan, send_us, n_sent. */
void steal_outbox_update (StealOutbox *self, Import *import);
void steal_outbox_remove (Import *import);
/* Those whose time has come, out of the outbox. Returns: (transfer full): by owner and import id */
GPtrArray *steal_outbox_take_due (StealOutbox *self, gint64 now_us);
/* When the next is due, or G_MAXINT64. */
gint64 steal_outbox_next_us (const StealOutbox *self);
typedef void (*StealUnackedFunc) (const Import *import, gpointer user_data);
/* Calls @func for each owner with the result, of those that it has not acknowledged, that ended
 * first. */
void steal_outbox_foreach_owner (StealOutbox *self, StealUnackedFunc func, gpointer user_data);
