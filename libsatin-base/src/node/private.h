/* private.h - what a node consists of
 *
 * node.c makes it, starts and stops its parts; meeting.c is where the parts
 * meet: interfaces, failure, figures.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/node.h>

/* What a part provides to the others. */
typedef struct
{
  GRefString *name;   /* (owned) interned */
  gpointer interface; /* (borrowed from its provider) */
} SatinProvided;

/* One who waits for an interface. */
typedef struct
{
  guint64 number; /* how many waited before it, ever */
  char *name;     /* (owned) */
  SatinInterfaceFunc func;
  gpointer user_data;
} SatinAwait;

typedef struct
{
  SatinFiguresFunc func;
  gpointer user_data;
} SatinFigureSource;

/* A plugin of kind "part", started. */
typedef struct
{
  char *name; /* (owned) */
  SatinPartOps ops;
  SatinParams *params; /* (owned) */
  gpointer handle;     /* (owned), gone when its stop is done */
} SatinPart;

struct _SatinNode
{
  SatinLoop *loop; /* (borrowed from the maker) */
  SatinProgram program;
  char *program_name;      /* (owned) */
  char *program_arguments; /* (owned) (nullable) */

  GArray *provided;       /* (owned) of SatinProvided */
  GPtrArray *awaits;      /* (owned) to (owned) SatinAwait*, by number */
  guint64 n_awaits;       /* ever made */
  GArray *figure_sources; /* (owned) of SatinFigureSource */

  GError *failure;            /* (owned), the first */
  SatinTimerId failure_timer; /* will tell of it */
  gboolean is_failure_told;
  void (*fail_func) (const GError *, gpointer);
  gpointer fail_data;

  GPtrArray *parts;        /* (owned) to (owned) SatinPart*, in order of starting */
  SatinDoneFunc stop_func; /* set once stopping */
  gpointer stop_data;
  SatinTimerId stop_timer; /* will stop the next part */
  SatinPart *stopping;     /* (owned), the part that is being stopped */
  GError *stop_error;      /* (owned), the first */
};

void satin_await_free (gpointer await);

/* Forgets those who wait and were not there yet when there had been @n_awaits. */
void satin_node_forget_awaits (SatinNode *self, guint64 n_awaits);
