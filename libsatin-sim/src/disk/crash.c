/* crash.c - what a loss of power leaves of a disk
 *
 * The seed and the file's name decide what happens to a file, so that the fate of a file does not
 * depend on other files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/random.h>

#include <string.h>

#define BLOCK_BYTES 512u

/* What a loss of power leaves of the bytes of a file that were not synced. */
typedef enum
{
  FATE_KEPT,   /* all of them */
  FATE_LOST,   /* none of them */
  FATE_TORN,   /* the bytes before a random place */
  FATE_BLOCKS, /* some blocks; with %SATIN_SIM_CRASH_CUTS only those before the first lost block */
  N_FATES,
} Fate;

/* A random number in [0, @n). */
static guint
draw_below (guint64 *random, guint n)
{
  return (guint)(satin_random_next (random) % n);
}

static void
lose_blocks (DiskFile *file, SatinSimCrash kind, guint64 *random)
{
  guint begin = file->n_synced;
  while (begin < file->bytes->len)
    {
      guint end = MIN ((begin / BLOCK_BYTES + 1) * BLOCK_BYTES, file->bytes->len);
      gboolean is_lost = draw_below (random, 3) == 0;
      if (is_lost && kind == SATIN_SIM_CRASH_CUTS)
        g_byte_array_set_size (file->bytes, begin);
      else if (is_lost)
        memset (file->bytes->data + begin, 0, end - begin);
      begin = end;
    }
}

static void
lose_bytes (DiskFile *file, SatinSimCrash kind, guint64 *random)
{
  guint n_unsafe = file->bytes->len - file->n_synced;
  Fate fate = (Fate)draw_below (random, N_FATES);
  switch (fate)
    {
    case FATE_LOST:
      g_byte_array_set_size (file->bytes, file->n_synced);
      break;
    case FATE_TORN:
      g_byte_array_set_size (file->bytes, file->n_synced + draw_below (random, n_unsafe + 1));
      break;
    case FATE_BLOCKS:
      lose_blocks (file, kind, random);
      break;
    case FATE_KEPT:
    case N_FATES:
      break;
    }
  file->n_synced = file->bytes->len;
}

/* Puts the file @name into the folder @left in the state in which the loss of power leaves it, or
 * leaves the file out if it is lost. */
static void
settle (SatinSimDisk *self, const char *name, guint64 seed, SatinSimCrash kind, GHashTable *left)
{
  guint64 random = seed ^ ((guint64)g_str_hash (name) << 16);
  DiskFile *now = g_hash_table_lookup (self->files, name);
  DiskFile *safe = g_hash_table_lookup (self->safe, name);
  DiskFile *file = now != safe && draw_below (&random, 2) == 0 ? safe : now;
  if (file == NULL)
    return;
  lose_bytes (file, kind, &random);
  if (file->bytes->len > 0 || draw_below (&random, 2) == 0)
    disk_folder_put (left, name, file);
}

void
disk_lose_power (SatinSimDisk *self, guint64 seed, SatinSimCrash kind)
{
  GHashTable *left = disk_folder_new ();
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    settle (self, name, seed, kind, left);
  g_hash_table_iter_init (&iter, self->safe);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (self->files, name))
      settle (self, name, seed, kind, left);
  g_hash_table_unref (self->files);
  self->files = left;
  disk_save_folder (self);
  self->n_crashes++;
}
