/* sim-private.h - the inside of the simulated disk
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sim.h"

#define FILES_MAX 32u

/* A change of a folder that is in memory only. */
typedef struct
{
  char *name; /* (owned) */
  char *from; /* (owned) (nullable): the old name, if this is a rename */
  guint node; /* which has the name after the change; 0: none */
} Change;

/* A file or a folder. A table of names leads from an (owned) name to the number of a node. */
typedef struct
{
  gboolean is_folder;
  GByteArray *bytes;   /* (owned): of a file, in memory */
  GByteArray *safe;    /* (owned): on the plates */
  GHashTable *names;   /* (owned): of a folder, in memory */
  GHashTable *on_disk; /* (owned): on the plates */
  GArray *changes;     /* (owned) of Change: they make names out of on_disk, in this order */
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
