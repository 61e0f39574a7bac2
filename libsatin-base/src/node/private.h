/* private.h - the inside of a node
 *
 * node.c makes the node, and starts and stops its parts. In meeting.c the parts meet: interfaces,
 * failure, figures. dump.c describes what the node has and waits for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/node.h>

/* An interface that is provided. */
typedef struct
{
  GRefString *name;   /* (owned) interned */
  gpointer interface; /* (borrowed from its provider) */
} SatinProvided;

/* A caller that waits for an interface. */
typedef struct
{
  guint64 number; /* number of waits made before it */
  char *name;     /* (owned) */
  SatinInterfaceFunc func;
  gpointer user_data;
} SatinAwait;

typedef struct
{
  SatinFiguresFunc func;
  gpointer user_data;
} SatinFigureSource;

/* A plugin of kind "part" that was started. */
typedef struct
{
  char *name; /* (owned) */
  SatinPartOps ops;
  SatinParams *params; /* (owned) */
  gpointer handle;     /* (owned) valid until its stop is done */
} SatinPart;

struct _SatinNode
{
  SatinLoop *loop; /* (borrowed) */
  SatinProgram program;
  char *program_name;      /* (owned) */
  char *program_arguments; /* (owned) (nullable) */

  GArray *provided;            /* (owned) of SatinProvided */
  GPtrArray *awaits;           /* (owned) to (owned) SatinAwait*, by number */
  guint64 n_awaits;            /* number of waits ever made */
  GArray *figure_sources;      /* (owned) of SatinFigureSource */
  const SatinInsight *insight; /* (borrowed) (nullable) */
  gpointer insight_data;

  GError *failure;            /* (owned) (nullable) the first failure */
  SatinTimerId failure_timer; /* runs until the failure is reported */
  gboolean is_failure_told;
  void (*fail_func) (const GError *, gpointer);
  gpointer fail_data;

  GPtrArray *parts;        /* (owned) to (owned) SatinPart*, in the order of their start */
  SatinDoneFunc stop_func; /* (nullable) set when the node begins to stop */
  gpointer stop_data;
  SatinTimerId stop_timer; /* runs until the next part is stopped */
  SatinPart *stopping;     /* (owned) (nullable) the part that is being stopped */
  GError *stop_error;      /* (owned) (nullable) the first error of a stop */
};

void satin_await_free (gpointer await);

/* Frees the waits whose number is @n_awaits or more. */
void satin_node_forget_awaits (SatinNode *self, guint64 n_awaits);
