/* disk.h - a disk that can lose power
 *
 * A disk is a folder of files in memory, as a storage plugin needs it (satin/ft/storage.h). A
 * reader gets what was written. After a loss of power, some of the bytes that were appended and not
 * synced may be lost, a new file may be absent, and a removed file may be back. Files that were
 * synced or replaced stay. A seed decides what is lost.
 *
 * Disks have names: all users in a process that open the same name use the same disk. When its last
 * user closes a disk without files, the disk is freed.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/* A disk; all its users share this structure. */
typedef struct _SatinSimDisk SatinSimDisk;

/**
 * SatinSimCrash:
 * @SATIN_SIM_CRASH_CUTS: a file ends before its first lost byte, as storages promise
 * @SATIN_SIM_CRASH_LEAVES_HOLES: a block may be lost while a later block is kept; readers find
 *   zeros in place of the lost block. Some file systems do this. Use this kind to test readers of
 *   files
 *
 * What a loss of power does to bytes that were not synced.
 */
typedef enum
{
  SATIN_SIM_CRASH_CUTS,
  SATIN_SIM_CRASH_LEAVES_HOLES,
} SatinSimCrash;

/**
 * satin_sim_disk_open:
 * @name: the name of the disk
 *
 * Opens a disk, and makes it if it does not exist.
 *
 * Returns: (transfer full): close it with satin_sim_disk_close()
 */
SATIN_API SatinSimDisk *satin_sim_disk_open (const char *name);
/* Ends one use of the disk. */
SATIN_API void satin_sim_disk_close (SatinSimDisk *self);

/**
 * satin_sim_disk_crash:
 * @seed: decides what is lost; the same files, seed and kind always give the same result
 *
 * Lets the power of the disk fail and come back. Everything that was not synced or replaced may be
 * lost.
 *
 * Cost: O(files + bytes that were not synced).
 */
SATIN_API void satin_sim_disk_crash (SatinSimDisk *self, guint64 seed, SatinSimCrash kind);
/* Like satin_sim_disk_crash(), for all disks at once. */
SATIN_API void satin_sim_disk_crash_all (guint64 seed, SatinSimCrash kind);
/* How often the power of this disk failed. */
SATIN_API guint satin_sim_disk_count_crashes (SatinSimDisk *self);
/* How often the disk was opened. */
SATIN_API guint satin_sim_disk_count_opens (SatinSimDisk *self);

/**
 * satin_sim_disk_append:
 * @capacity_bytes: the capacity of the disk; 0 for no bound
 * @error: %SATIN_ERROR_INVALID when the file is not @offset bytes long, %SATIN_ERROR_LIMIT when
 *   there is no room, or the file would reach 4 GiB
 *
 * Does what append of #SatinStorageOps does. Neither this operation nor those below check the names
 * of files.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_sim_disk_append (SatinSimDisk *self, const char *name, guint64 offset,
                                          const guint8 *bytes, gsize n_bytes,
                                          guint64 capacity_bytes, GError **error);
/* Does what sync of #SatinStorageOps does. */
SATIN_API gboolean satin_sim_disk_sync (SatinSimDisk *self, const char *name, GError **error);
/* Does what read of #SatinStorageOps does. */
SATIN_API gboolean satin_sim_disk_read (SatinSimDisk *self, const char *name, guint64 offset,
                                        guint8 *buffer, gsize n_bytes, gsize *ret_n_bytes,
                                        GError **error);
/* Does what list of #SatinStorageOps does. Cannot fail. */
SATIN_API void satin_sim_disk_list (SatinSimDisk *self, SatinStorageEntryFunc func,
                                    gpointer user_data);
/* Does what replace of #SatinStorageOps does. */
SATIN_API gboolean satin_sim_disk_replace (SatinSimDisk *self, const char *from, const char *to,
                                           GError **error);
/* Does what remove of #SatinStorageOps does. Cannot fail. */
SATIN_API void satin_sim_disk_remove (SatinSimDisk *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinSimDisk, satin_sim_disk_close)

G_END_DECLS
