/* private.h - the inside of a disk
 *
 * A disk has two folders: the folder that readers see, and the folder on the plates, which outlives
 * a loss of power. Both refer to the same files. The first bytes of each file are on the plates,
 * the rest is in a cache. A sync or a replace of a file brings the whole folder that readers see to
 * the plates, with all bytes of that file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/sim/disk.h>

typedef struct
{
  GByteArray *bytes; /* (owned) */
  guint n_synced;    /* how many of the first bytes are on the plates */
} DiskFile;

struct _SatinSimDisk
{
  char *name; /* (owned) */
  guint n_users;
  guint n_crashes;
  guint n_opens;
  GHashTable *files; /* (owned) from (owned) name to (owned) DiskFile*: what readers see */
  GHashTable *safe;  /* (owned) from (owned) name to (owned) DiskFile*: what is on the plates */
};

/* Returns: (transfer full): an empty folder: (owned) names to (owned) references to files */
GHashTable *disk_folder_new (void);
/* Puts a reference to @file into the folder under @name, in place of any file of that name. */
void disk_folder_put (GHashTable *folder, const char *name, DiskFile *file);
/* Writes the folder that readers see to the plates, but not the bytes of its files. */
void disk_save_folder (SatinSimDisk *self);

/* crash.c: the work of satin_sim_disk_crash(), with the lock held. */
void disk_lose_power (SatinSimDisk *self, guint64 seed, SatinSimCrash kind);
