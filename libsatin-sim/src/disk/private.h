/* private.h - the inside of a disk
 *
 * A disk has two folders: what is read, and what is on the plates. They share their files, of
 * which the first bytes are on the plates and the rest is in a cache. A sync or a replace
 * brings the whole folder to the plates, and the bytes of its file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/sim/disk.h>

typedef struct
{
  GByteArray *bytes; /* (owned) */
  guint n_synced;    /* so many of them are on the plates */
} DiskFile;

struct _SatinSimDisk
{
  char *name; /* (owned) */
  guint n_users;
  guint n_crashes;
  guint n_opens;
  GHashTable *files; /* (owned) (owned) name to (owned) DiskFile*: what is read */
  GHashTable *safe;  /* (owned) likewise: what is on the plates */
};

/* A folder of (owned) names and (owned) references to files. */
GHashTable *disk_folder_new (void);
/* Puts one more reference to @file into it, in place of what has the name. */
void disk_folder_put (GHashTable *folder, const char *name, DiskFile *file);
/* All that is read is on the plates, but for the bytes of files. */
void disk_save_folder (SatinSimDisk *self);

/* crash.c: what satin_sim_disk_crash() does under the lock. */
void disk_lose_power (SatinSimDisk *self, guint64 seed, SatinSimCrash kind);
