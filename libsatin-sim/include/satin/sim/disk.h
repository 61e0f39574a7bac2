/* disk.h - a disk that can lose power
 *
 * A folder of files as a storage plugin needs it (satin/ft/storage.h), in memory. What is read is
 * what was written; what a loss of power leaves is another matter: of the bytes
 * that were appended and not synced some are gone, a new file may be absent, a removed one back.
 * What was synced or replaced stays. All of it follows from a seed.
 *
 * Disks have names, and who opens the same name in a process has the same disk. It is gone when
 * its last file and its last user are.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/* One use of a disk. */
typedef struct _SatinSimDisk SatinSimDisk;

/**
 * SatinSimCrash:
 * @SATIN_SIM_CRASH_CUTS: a file ends before the first of its bytes that is lost: what storages
 *   promise
 * @SATIN_SIM_CRASH_LEAVES_HOLES: a block may be lost and a later one not, and zeros are read in its
 *   place: what some file systems do, for tests of those who read
 *
 * How a loss of power treats bytes that were not synced.
 */
typedef enum
{
  SATIN_SIM_CRASH_CUTS,
  SATIN_SIM_CRASH_LEAVES_HOLES,
} SatinSimCrash;

/**
 * satin_sim_disk_open:
 * @name: of the disk; made when there is none
 *
 * Returns: (transfer full): closed with satin_sim_disk_close()
 */
SATIN_API SatinSimDisk *satin_sim_disk_open (const char *name);
/* Gives up this use of the disk. */
SATIN_API void satin_sim_disk_close (SatinSimDisk *self);

/**
 * satin_sim_disk_crash:
 * @seed: of what is lost; the same files, seed and kind leave the same
 *
 * The power fails and comes back: all that was not made sure may be gone.
 *
 * Cost: O(bytes that were not synced).
 */
SATIN_API void satin_sim_disk_crash (SatinSimDisk *self, guint64 seed, SatinSimCrash kind);
/* Of all disks at once. */
SATIN_API void satin_sim_disk_crash_all (guint64 seed, SatinSimCrash kind);
/* How often the power failed. */
SATIN_API guint satin_sim_disk_count_crashes (SatinSimDisk *self);
/* How often it was opened. */
SATIN_API guint satin_sim_disk_count_opens (SatinSimDisk *self);

/**
 * satin_sim_disk_append:
 * @capacity_bytes: what fits on the disk; 0 for no bound
 * @error: %SATIN_ERROR_INVALID when the file is not @offset bytes long, %SATIN_ERROR_LIMIT
 *
 * The operations are those of #SatinStorageOps; names are not checked.
 */
SATIN_API gboolean satin_sim_disk_append (SatinSimDisk *self, const char *name, guint64 offset,
                                          const guint8 *bytes, gsize n_bytes,
                                          guint64 capacity_bytes, GError **error);
/* As sync of #SatinStorageOps. */
SATIN_API gboolean satin_sim_disk_sync (SatinSimDisk *self, const char *name, GError **error);
/* As read of #SatinStorageOps. */
SATIN_API gboolean satin_sim_disk_read (SatinSimDisk *self, const char *name, guint64 offset,
                                        guint8 *buffer, gsize n_bytes, gsize *ret_n_bytes,
                                        GError **error);
/* As list of #SatinStorageOps. It cannot fail. */
SATIN_API void satin_sim_disk_list (SatinSimDisk *self, SatinStorageEntryFunc func,
                                    gpointer user_data);
/* As replace of #SatinStorageOps. */
SATIN_API gboolean satin_sim_disk_replace (SatinSimDisk *self, const char *from, const char *to,
                                           GError **error);
/* As remove of #SatinStorageOps. It cannot fail. */
SATIN_API void satin_sim_disk_remove (SatinSimDisk *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinSimDisk, satin_sim_disk_close)

G_END_DECLS
