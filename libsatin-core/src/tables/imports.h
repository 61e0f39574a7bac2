/* imports.h - the table of jobs of other nodes, and the results to be sent to their owners
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/core/membership.h>

#include "messages.h"

/* The data that an imported job came with. */
typedef struct
{
  const guint8 *args; /* encoded */
  gsize n_args;
  const guint8 *lineage; /* (nullable) encoded SatinLineage; NULL: not known */
  gsize n_lineage;
  const guint8 *path; /* (nullable) from the last hop of the lineage to the job */
  gsize n_path;
  gboolean is_placed; /* the path is known */
} Baggage;

/* An imported job: it waits, runs or has ended here. */
typedef struct _Import Import;
struct _Import
{
  guint64 import_id;
  GList link;         /* its place in the list of all; data: this Import */
  Import *next_named; /* (nullable) next Import with the same owner and name */
  StealName name;
  SatinNodeId owner;
  int task;
  guint n_far;           /* how often the job or its ancestors changed clusters */
  guint is_orphan : 1;   /* the owner is gone */
  guint is_unwanted : 1; /* nobody needs the result; is_orphan is set too */
  guint is_over : 1;
  guint is_placed : 1; /* the path in its baggage is known */
  guint is_stored : 1; /* its stored result is being fetched: no worker has the job */
  gint32 told;         /* how much of it is done, in millionths, as its owner knows */
  guint n_sent;        /* how often its result was sent since the link to the owner last broke */
  guint32 n_args, n_lineage, n_path;
  guint8 *baggage;        /* (owned) arguments, lineage and path, one after the other */
  gint64 came_us;         /* when a worker could have begun it */
  gint64 ran_us;          /* how long it ran; set at its end */
  gint64 over_us;         /* when it ended, or was adopted after its end */
  gint64 send_us;         /* when its result must be sent (again); set at its end */
  GSequenceIter *to_send; /* (nullable) place in the outbox */
  /* (nullable) place among the results that were sent and not acknowledged */
  GSequenceIter *unacked;
  /* The outcome. It is kept and sent again until the owner acknowledges it. */
  StealStatus status;
  GQuark domain;
  int code;
  char *message;  /* (owned) (nullable) of bounded length */
  GBytes *result; /* (owned) (nullable) */
};

/* outbox.c */
typedef struct
{
  /* Ended jobs whose owners have not acknowledged the results. */
  GSequence *to_send; /* (owned) of (borrowed) Import, the first due first */
  /* (owned) of (borrowed) Import whose results were sent, sorted by owner, and by the time when the
   * jobs ended */
  GSequence *unacked;
} StealOutbox;

/* import-table.c */
typedef struct
{
  GQueue all; /* of (owned) Import, by import id; the links are in the Imports */
  /* (owned) import id, which lies in the Import, to that (borrowed) Import */
  GHashTable *by_id;
  /* (owned) set of (borrowed) Import: the oldest Import of each owner and name */
  GHashTable *by_name;
  guint64 last_id;
  GBytes *rootless; /* (owned) lineage of jobs that came with none */
  StealOutbox outbox;
} StealImports;

/* imported-job.c */

/* Returns: (transfer full): a job without baggage, in no table */
Import *steal_import_new (SatinNodeId owner, const StealName *name);
void steal_import_set_baggage (const StealImports *self, Import *import, const Baggage *baggage);
Baggage steal_import_get_baggage (const Import *self);
void steal_import_free (gpointer import);

/* import-table.c */

/* @rootless: (borrowed): the lineage of jobs that came with none */
void steal_imports_init (StealImports *self, GBytes *rootless);
void steal_imports_free (StealImports *self);
/* @import: (transfer full) */
void steal_imports_add (StealImports *self, Import *import);
/* Returns: a job without baggage */
Import *steal_imports_add_new (StealImports *self, SatinNodeId owner, const StealName *name);
/* Removes the job from all tables and frees it. */
void steal_imports_remove (StealImports *self, Import *import);
/* Gives the job a new owner: from now on @owner exports it, under @name. */
void steal_imports_rename (StealImports *self, Import *import, SatinNodeId owner,
                           const StealName *name);

/* Returns: (nullable): the job with that import id */
Import *steal_imports_find (const StealImports *self, guint64 import_id);
/* Returns: (nullable): the job that @owner, who is not lost, exported under @name */
Import *steal_imports_find_of (const StealImports *self, SatinNodeId owner, const StealName *name);
/* Returns: (nullable): the job that @owner, who is lost, had exported under @name, unless nobody
 * needs it any more */
Import *steal_imports_find_orphan (const StealImports *self, SatinNodeId owner,
                                   const StealName *name);
/* Lists the jobs that @owner, who is not lost, exported, the newest first. Returns: (transfer
 * full): of guint64, their import ids */
GArray *steal_imports_list_of (const StealImports *self, SatinNodeId owner);

/* outbox.c */

void steal_outbox_init (StealOutbox *self);
void steal_outbox_free (StealOutbox *self);
/* Puts the job where it belongs in the outbox. Call it after each change of is_over, is_orphan,
 * send_us or n_sent. */
void steal_outbox_update (StealOutbox *self, Import *import);
void steal_outbox_remove (Import *import);
/* Takes the jobs whose results are due out of to_send. Returns: (transfer full): these jobs, sorted
 * by owner and import id */
GPtrArray *steal_outbox_take_due (StealOutbox *self, gint64 now_us);
/* Returns: when the next result is due, or G_MAXINT64 */
gint64 steal_outbox_next_us (const StealOutbox *self);
typedef void (*StealUnackedFunc) (const Import *import, gpointer user_data);
/* Calls @func for each owner that has not acknowledged all results sent to it, with the job whose
 * result has waited longest. */
void steal_outbox_foreach_owner (StealOutbox *self, StealUnackedFunc func, gpointer user_data);
