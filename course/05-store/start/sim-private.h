/* sim-private.h - the inside of the simulated disk
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sim.h"

#define FILES_MAX 32u

/* A change of a folder that is not on its plates. */
typedef struct
{
  char *name; /* (owned) */
  char *from; /* (owned) (nullable): the name that was renamed */
  guint node; /* which has the name now; 0: none */
} Change;

/* A file or a folder. Tables of names have (owned) names and numbers of nodes. */
typedef struct
{
  gboolean is_folder;
  GByteArray *bytes;   /* (owned): of a file, in memory */
  GByteArray *safe;    /* (owned): on the plates */
  GHashTable *names;   /* (owned): of a folder, in memory */
  GHashTable *on_disk; /* (owned): on the plates */
  GArray *changes;     /* (owned) of Change: from on_disk to names */
} Node;

typedef struct
{
  guint owner; /* 0: the descriptor is free */
  guint node;
  int flags;
} OpenFile;

struct _Sim
{
  GPtrArray *nodes; /* (owned) of (owned) Node; number 0 is not used, number 1 is the root */
  OpenFile files[4 * FILES_MAX];
  guint64 capacity;
  gboolean is_off;
  guint n_cuts;
  SimHook hook;
  gpointer hook_data;
};

/* Makes a change in a table of names. */
void sim_apply (GHashTable *names, const Change *change);
void sim_clear_change (gpointer change);
