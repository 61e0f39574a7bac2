/* disk.c - the files of a disk, and the table of disks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/atomic.h>
#include <string.h>

/* Guards all disks; held for short times only. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by @lock. */
static GHashTable *disks; /* (owned) (nullable): from name to (owned) SatinSimDisk* */

/* ---- folders ---- */

static void
file_clear (gpointer file)
{
  g_byte_array_unref (((DiskFile *)file)->bytes);
}

static void
file_unref (gpointer file)
{
  g_rc_box_release_full (file, file_clear);
}

GHashTable *
disk_folder_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, file_unref);
}

void
disk_folder_put (GHashTable *folder, const char *name, DiskFile *file)
{
  g_hash_table_insert (folder, g_strdup (name), g_rc_box_acquire (file));
}

void
disk_save_folder (SatinSimDisk *self)
{
  GHashTableIter iter;
  gpointer name, file;
  g_hash_table_remove_all (self->safe);
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &name, &file))
    disk_folder_put (self->safe, name, file);
}

/* ---- the table of disks ---- */

static void
disk_free (gpointer disk)
{
  SatinSimDisk *self = disk;
  g_hash_table_unref (self->files);
  g_hash_table_unref (self->safe);
  g_free (self->name);
  g_free (self);
}

SatinSimDisk *
satin_sim_disk_open (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);
  pthread_mutex_lock (&lock);
  if (disks == NULL)
    disks = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, disk_free);
  SatinSimDisk *self = g_hash_table_lookup (disks, name);
  if (self == NULL)
    {
      self = g_new0 (SatinSimDisk, 1);
      self->name = g_strdup (name);
      self->files = disk_folder_new ();
      self->safe = disk_folder_new ();
      g_hash_table_insert (disks, self->name, self);
    }
  self->n_users++;
  self->n_opens++;
  pthread_mutex_unlock (&lock);
  return self;
}

void
satin_sim_disk_close (SatinSimDisk *self)
{
  pthread_mutex_lock (&lock);
  if (--self->n_users == 0 && g_hash_table_size (self->files) == 0)
    {
      g_hash_table_remove (disks, self->name);
      if (g_hash_table_size (disks) == 0)
        g_clear_pointer (&disks, g_hash_table_unref);
    }
  pthread_mutex_unlock (&lock);
}

void
satin_sim_disk_crash (SatinSimDisk *self, guint64 seed, SatinSimCrash kind)
{
  pthread_mutex_lock (&lock);
  disk_lose_power (self, seed, kind);
  pthread_mutex_unlock (&lock);
}

void
satin_sim_disk_crash_all (guint64 seed, SatinSimCrash kind)
{
  GHashTableIter iter;
  gpointer disk;
  pthread_mutex_lock (&lock);
  if (disks != NULL)
    g_hash_table_iter_init (&iter, disks);
  while (disks != NULL && g_hash_table_iter_next (&iter, NULL, &disk))
    disk_lose_power (disk, seed, kind);
  pthread_mutex_unlock (&lock);
}

guint
satin_sim_disk_count_crashes (SatinSimDisk *self)
{
  pthread_mutex_lock (&lock);
  guint n_crashes = self->n_crashes;
  pthread_mutex_unlock (&lock);
  return n_crashes;
}

guint
satin_sim_disk_count_opens (SatinSimDisk *self)
{
  pthread_mutex_lock (&lock);
  guint n_opens = self->n_opens;
  pthread_mutex_unlock (&lock);
  return n_opens;
}

/* ---- operations ---- */

/* Finds a file. The lock is held. Returns: (nullable): %NULL with @error when there is no such
 * file */
static DiskFile *
find_file (SatinSimDisk *self, const char *name, GError **error)
{
  DiskFile *file = g_hash_table_lookup (self->files, name);
  if (file == NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "the disk %s has no file %s",
                 self->name, name);
  return file;
}

static guint64
sum_bytes (const SatinSimDisk *self)
{
  guint64 sum = 0;
  GHashTableIter iter;
  gpointer file;
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, NULL, &file))
    sum += ((DiskFile *)file)->bytes->len;
  return sum;
}

/* The lock is held. */
static gboolean
check_append (SatinSimDisk *self, const char *name, guint64 offset, gsize n_bytes,
              guint64 capacity_bytes, GError **error)
{
  const DiskFile *file = g_hash_table_lookup (self->files, name);
  guint length = file != NULL ? file->bytes->len : 0;
  if (length != offset)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "%s on the disk %s is %u bytes long, not %" G_GUINT64_FORMAT, name, self->name,
                 length, offset);
  else if (n_bytes > G_MAXUINT - length
           || (capacity_bytes != 0 && sum_bytes (self) + n_bytes > capacity_bytes))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                 "the disk %s has no room for %" G_GSIZE_FORMAT " more bytes in %s; remove files",
                 self->name, n_bytes, name);
  else
    return TRUE;
  return FALSE;
}

/* The lock is held. */
static DiskFile *
make_file (SatinSimDisk *self, const char *name)
{
  DiskFile *file = g_rc_box_new0 (DiskFile);
  file->bytes = g_byte_array_new ();
  g_hash_table_insert (self->files, g_strdup (name), file);
  return file;
}

gboolean
satin_sim_disk_append (SatinSimDisk *self, const char *name, guint64 offset, const guint8 *bytes,
                       gsize n_bytes, guint64 capacity_bytes, GError **error)
{
  pthread_mutex_lock (&lock);
  gboolean is_done = check_append (self, name, offset, n_bytes, capacity_bytes, error);
  if (is_done)
    {
      DiskFile *file = g_hash_table_lookup (self->files, name);
      if (file == NULL)
        file = make_file (self, name);
      g_byte_array_append (file->bytes, bytes, (guint)n_bytes);
    }
  pthread_mutex_unlock (&lock);
  return is_done;
}

gboolean
satin_sim_disk_sync (SatinSimDisk *self, const char *name, GError **error)
{
  pthread_mutex_lock (&lock);
  DiskFile *file = find_file (self, name, error);
  if (file != NULL)
    {
      file->n_synced = file->bytes->len;
      disk_save_folder (self);
    }
  pthread_mutex_unlock (&lock);
  return file != NULL;
}

gboolean
satin_sim_disk_read (SatinSimDisk *self, const char *name, guint64 offset, guint8 *buffer,
                     gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  pthread_mutex_lock (&lock);
  const DiskFile *file = find_file (self, name, error);
  if (file != NULL)
    {
      guint length = file->bytes->len;
      gsize n = offset < length ? MIN (n_bytes, length - offset) : 0;
      if (n > 0)
        memcpy (buffer, file->bytes->data + offset, n);
      *ret_n_bytes = n;
    }
  pthread_mutex_unlock (&lock);
  return file != NULL;
}

/* Copies the list first, and calls @func without the lock, because @func may call other
 * operations. */
void
satin_sim_disk_list (SatinSimDisk *self, SatinStorageEntryFunc func, gpointer user_data)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint64));
  GHashTableIter iter;
  gpointer name, file;
  pthread_mutex_lock (&lock);
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &name, &file))
    {
      guint64 size_bytes = ((DiskFile *)file)->bytes->len;
      g_ptr_array_add (names, g_strdup (name));
      g_array_append_val (sizes, size_bytes);
    }
  pthread_mutex_unlock (&lock);
  for (guint i = 0; i < names->len; i++)
    func (g_ptr_array_index (names, i), g_array_index (sizes, guint64, i), user_data);
}

gboolean
satin_sim_disk_replace (SatinSimDisk *self, const char *from, const char *to, GError **error)
{
  pthread_mutex_lock (&lock);
  DiskFile *file = find_file (self, from, error);
  if (file != NULL)
    {
      file->n_synced = file->bytes->len;
      disk_folder_put (self->files, to, file);
      if (strcmp (from, to) != 0)
        g_hash_table_remove (self->files, from);
      disk_save_folder (self);
    }
  pthread_mutex_unlock (&lock);
  return file != NULL;
}

void
satin_sim_disk_remove (SatinSimDisk *self, const char *name)
{
  pthread_mutex_lock (&lock);
  g_hash_table_remove (self->files, name);
  pthread_mutex_unlock (&lock);
}
