/* compaction.c - copies the records that count into new logs, and removes the old logs
 *
 *   MOVING -----> CHECKING -----> COVERING -----> REMOVING -----> OVER
 *      |              |               |                             ^
 *      +--------------+---------------+---- error: the new logs are removed
 *
 * Before the COVERS record is safe, nothing depends on the new logs. After that, nothing depends on
 * the old logs. So COVERS is written last, after all copies were read back. In a storage that
 * cannot append, COVERS is in a log of its own. After an error, this log is removed first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "crc32c.h"

#include <string.h>

#define STEP_BYTES ((guint64)4 << 20)
/* The most names in one COVERS record. A name takes 32 bytes. */
#define COVERS_NAMES 1000u

typedef enum
{
  PHASE_MOVING,   /* records are being copied to the new logs */
  PHASE_CHECKING, /* all copies are written and synced, and are being read back */
  PHASE_COVERING, /* all copies were read back and are right; COVERS comes next */
  PHASE_REMOVING, /* COVERS is safe, and the index knows the new places */
  PHASE_OVER,
} Phase;

/* A result or an object to move. */
typedef struct
{
  guint64 number;          /* the entry's number in the index; 0: nothing is left to do */
  SatinCheckpointPlace at; /* the old place until it is moved, then the new place */
} Item;

struct _SatinCheckpointCompaction
{
  SatinStorage *storage;         /* (borrowed) */
  SatinCheckpointIndex *index;   /* (borrowed) */
  SatinCheckpointWriter *writer; /* (owned) */
  GPtrArray *names;              /* (owned) (element-type utf8): names of the old logs */
  GArray *items;                 /* (owned) (element-type Item): in the order of the old logs */
  guint64 end_number;
  guint64 n_bytes;
  guint64 n_total_bytes;
  guint n_damaged;

  Phase phase;
  guint next_item;
  guint next_name; /* while REMOVING: the next old log to remove */

  /* the record that is being read: that of @next_item, if @is_begun */
  CheckpointWindow window;
  const SatinCheckpointLog *log; /* (nullable) (borrowed): the window's log */
  gboolean is_begun;
  guint64 offset; /* of the rest of the body */
  guint64 n_left; /* bytes of that rest */
  guint32 sum;
  SatinCheckpointPlace new_place;
};

/* ---- collecting the items ---- */

typedef struct
{
  GHashTable *names; /* (borrowed): set of names of the old logs */
  GArray *items;     /* (borrowed) */
  guint64 n_bytes;
} Collecting;

static void
collect_item (const SatinCheckpointEntry *entry, gpointer user_data)
{
  Collecting *self = user_data;
  Item item = { entry->number, entry->at };
  if (!g_hash_table_contains (self->names, entry->at.log->name))
    return;
  g_array_append_val (self->items, item);
  self->n_bytes += checkpoint_place_bytes (&entry->at);
}

static int
compare_items (gconstpointer left, gconstpointer right)
{
  const SatinCheckpointPlace *a = &((const Item *)left)->at, *b = &((const Item *)right)->at;
  int order = a->log != b->log ? strcmp (a->log->name, b->log->name) : 0;
  return order != 0 ? order : a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void
collect (SatinCheckpointCompaction *self, const GPtrArray *logs)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  Collecting collecting = { names, self->items, 0 };
  for (guint i = 0; i < logs->len; i++)
    {
      char *name = g_strdup (((const SatinCheckpointLog *)g_ptr_array_index (logs, i))->name);
      g_ptr_array_add (self->names, name);
      g_hash_table_add (names, name);
    }
  satin_checkpoint_index_foreach (self->index, collect_item, &collecting);
  g_array_sort (self->items, compare_items);
  self->n_total_bytes = collecting.n_bytes;
}

SatinCheckpointCompaction *
satin_checkpoint_compaction_new (SatinStorage *storage, SatinCheckpointIndex *index,
                                 const SatinCheckpointHead *head, guint64 number,
                                 const GPtrArray *logs)
{
  g_return_val_if_fail (storage != NULL && index != NULL, NULL);
  g_return_val_if_fail (head != NULL && logs != NULL, NULL);
  SatinCheckpointCompaction *self = g_new0 (SatinCheckpointCompaction, 1);
  self->storage = storage;
  self->index = index;
  self->writer = satin_checkpoint_writer_new (storage, head, number);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->items = g_array_new (FALSE, FALSE, sizeof (Item));
  collect (self, logs);
  /* Reserves numbers for the new logs. A storage that cannot append needs many logs. Any two
   * successive logs together have more bytes than one log may have, which limits the number of
   * logs. */
  self->end_number = number + 2;
  if (!(storage->can & SATIN_STORAGE_CAN_APPEND))
    self->end_number += 8 + self->n_total_bytes / SATIN_STORAGE_BLOCK_MAX * 4;
  if (self->names->len == 0)
    self->phase = PHASE_OVER;
  return self;
}

void
satin_checkpoint_compaction_set_tasks (SatinCheckpointCompaction *self, const SatinTaskTable *tasks)
{
  g_return_if_fail (self != NULL && tasks != NULL);
  satin_checkpoint_writer_set_tasks (self->writer, tasks);
}

static void
close_window (SatinCheckpointCompaction *self)
{
  checkpoint_window_clear (&self->window);
  self->log = NULL;
}

void
satin_checkpoint_compaction_free (SatinCheckpointCompaction *self)
{
  if (self == NULL)
    return;
  close_window (self);
  satin_checkpoint_writer_free (self->writer);
  g_ptr_array_unref (self->names);
  g_array_unref (self->items);
  g_free (self);
}

/* ---- reading records, in pieces ---- */

static gboolean
refuse (const SatinCheckpointLog *log, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s is not read as it was written: the storage damages files", log->name);
  return FALSE;
}

/* Checks that the HEAD of a new log can be read. Returns: FALSE with @error */
static gboolean
check_head (SatinCheckpointCompaction *self, const SatinCheckpointLog *log, GError **error)
{
  gboolean is_there = FALSE;
  return checkpoint_scan_has_head (self->storage, log, &is_there, error)
         && (is_there || refuse (log, error));
}

/* Finds the end of the last item in @log that must still be read. */
static guint64
find_end (const SatinCheckpointCompaction *self, const SatinCheckpointLog *log)
{
  guint64 end = 0;
  for (guint i = self->next_item; i < self->items->len; i++)
    {
      const Item *item = &g_array_index (self->items, Item, i);
      if (item->at.log == log)
        end = item->at.offset + checkpoint_place_bytes (&item->at);
      else if (item->number != 0)
        break;
    }
  return end;
}

static gboolean
open_window (SatinCheckpointCompaction *self, const SatinCheckpointLog *log, GError **error)
{
  if (self->log == log)
    return TRUE;
  close_window (self);
  if (self->phase == PHASE_CHECKING && !check_head (self, log, error))
    return FALSE;
  checkpoint_window_init (&self->window, self->storage, log, find_end (self, log));
  self->log = log;
  return TRUE;
}

/* Reads the frame and the head of a record. @ret_stored: (nullable): set for a result if both are
 * right. @ret_is_right: FALSE when they are damaged, or when the log is gone */
static gboolean
begin_reading (SatinCheckpointCompaction *self, const Item *item, const SatinCheckpointEntry *entry,
               SatinCheckpointStored *ret_stored, gboolean *ret_is_right, GError **error)
{
  g_autoptr (GError) cause = NULL;
  *ret_is_right = FALSE;
  if (!open_window (self, item->at.log, error))
    return FALSE;
  self->offset = item->at.offset + CHECKPOINT_FRAME_BYTES + item->at.n_head;
  self->n_left = item->at.n_result;
  if (checkpoint_window_check_top (&self->window, &item->at, entry, &self->sum, ret_stored,
                                   ret_is_right, &cause)
      || g_error_matches (cause, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

/* Reads the next piece of the body. @ret_n_bytes: 0 when the log ends there. Returns: (nullable):
 * %NULL with @error */
static const guint8 *
read_piece (SatinCheckpointCompaction *self, gsize *ret_n_bytes, GError **error)
{
  gsize n = 0;
  const guint8 *bytes = checkpoint_window_get (&self->window, self->offset, 1, &n, error);
  if (bytes == NULL)
    return NULL;
  n = (gsize)MIN (n, self->n_left);
  self->sum = crc32c (self->sum, bytes, n);
  self->offset += n;
  self->n_left -= n;
  *ret_n_bytes = n;
  return bytes;
}

/* Ends the reading of a record, at the end of its body. @ret_is_right: whether the body is whole
 * and its sum is right */
static gboolean
end_reading (SatinCheckpointCompaction *self, const Item *item, gboolean *ret_is_right,
             GError **error)
{
  gsize n = 0;
  *ret_is_right = TRUE;
  if (item->at.n_result == 0)
    return TRUE;
  const guint8 *bytes =
      checkpoint_window_get (&self->window, self->offset, CHECKPOINT_SUM_BYTES, &n, error);
  *ret_is_right = bytes != NULL && self->n_left == 0 && n >= CHECKPOINT_SUM_BYTES
                  && checkpoint_sum_read (bytes) == self->sum;
  return bytes != NULL;
}

/* ---- moving ---- */

/* Removes a record from the index, because it is damaged in the old log. */
static void
drop_damaged (SatinCheckpointCompaction *self, Item *item)
{
  satin_checkpoint_index_remove (self->index, item->number);
  self->n_damaged++;
  item->number = 0;
}

static gboolean
begin_writing (SatinCheckpointCompaction *self, const Item *item, CheckpointKind kind,
               gconstpointer head, GError **error)
{
  self->is_begun = checkpoint_writer_begin (self->writer, kind, head, item->at.n_result,
                                            &self->new_place, error);
  return self->is_begun;
}

/* @stored: from the old log */
static gboolean
begin_writing_result (SatinCheckpointCompaction *self, const Item *item,
                      const SatinCheckpointEntry *entry, const SatinCheckpointStored *stored,
                      GError **error)
{
  SatinCheckpointStored copy = *stored;
  copy.result = (SatinCheckpointResult){
    .key = entry->key, .n_key = sizeof entry->key, .task = entry->task, .node = (gint32)entry->node
  };
  copy.result.path = g_bytes_get_data (entry->path, &copy.result.n_path);
  if (entry->lineage != NULL)
    copy.result.lineage = g_bytes_get_data (entry->lineage, &copy.result.n_lineage);
  return begin_writing (self, item, CHECKPOINT_RESULT, &copy, error);
}

static gboolean
begin_moving (SatinCheckpointCompaction *self, Item *item, const SatinCheckpointEntry *entry,
              GError **error)
{
  SatinCheckpointStored stored = { 0 };
  gboolean is_right;
  if (!begin_reading (self, item, entry, &stored, &is_right, error))
    return FALSE;
  if (!is_right)
    {
      drop_damaged (self, item);
      return TRUE;
    }
  if (entry->object != NULL)
    return begin_writing (self, item, CHECKPOINT_OBJECT, entry->object, error);
  gboolean is_begun = begin_writing_result (self, item, entry, &stored, error);
  satin_record_clear (&SatinCheckpointStored_record, &stored);
  return is_begun;
}

static gboolean
end_moving (SatinCheckpointCompaction *self, Item *item, GError **error)
{
  gboolean is_right;
  self->is_begun = FALSE;
  if (!end_reading (self, item, &is_right, error)
      || !checkpoint_writer_end (self->writer, is_right, error))
    return FALSE;
  self->n_bytes += checkpoint_place_bytes (&item->at);
  item->at = self->new_place;
  if (!is_right)
    drop_damaged (self, item);
  return TRUE;
}

/* ---- items ---- */

static gboolean
begin_item (SatinCheckpointCompaction *self, Item *item, GError **error)
{
  const SatinCheckpointEntry *entry =
      item->number != 0 ? satin_checkpoint_index_find (self->index, item->number) : NULL;
  gboolean is_right;
  if (entry == NULL)
    {
      item->number = 0;
      return TRUE;
    }
  if (self->phase == PHASE_MOVING)
    return begin_moving (self, item, entry, error);
  if (!begin_reading (self, item, entry, NULL, &is_right, error)
      || (!is_right && !refuse (item->at.log, error)))
    return FALSE;
  self->is_begun = TRUE;
  return TRUE;
}

static gboolean
end_item (SatinCheckpointCompaction *self, Item *item, GError **error)
{
  gboolean is_right;
  if (self->phase == PHASE_MOVING)
    return end_moving (self, item, error);
  self->is_begun = FALSE;
  return end_reading (self, item, &is_right, error) && (is_right || refuse (item->at.log, error));
}

/* Works on an item until it is done, or until this step is long enough. */
static gboolean
work_on_item (SatinCheckpointCompaction *self, Item *item, guint64 *n_done, GError **error)
{
  gsize n = 0;
  if (!self->is_begun && !begin_item (self, item, error))
    return FALSE;
  *n_done += CHECKPOINT_FRAME_BYTES + item->at.n_head;
  while (self->is_begun && self->n_left > 0 && *n_done < STEP_BYTES)
    {
      const guint8 *bytes = read_piece (self, &n, error);
      if (bytes == NULL
          || (self->phase == PHASE_MOVING
              && !checkpoint_writer_add_piece (self->writer, bytes, n, error)))
        return FALSE;
      *n_done += n;
      if (n == 0)
        break;
    }
  gboolean is_ending = self->is_begun && (self->n_left == 0 || n == 0);
  if (is_ending && !end_item (self, item, error))
    return FALSE;
  self->next_item += self->is_begun ? 0 : 1;
  return TRUE;
}

/* Moves or checks some items. */
static gboolean
work_on_items (SatinCheckpointCompaction *self, GError **error)
{
  guint64 n_done = 0;
  while (self->next_item < self->items->len && n_done < STEP_BYTES)
    if (!work_on_item (self, &g_array_index (self->items, Item, self->next_item), &n_done, error))
      return FALSE;
  if (self->next_item < self->items->len)
    return TRUE;
  if (self->phase == PHASE_MOVING && !satin_checkpoint_writer_sync (self->writer, error))
    return FALSE;
  close_window (self);
  self->next_item = 0;
  self->phase = self->phase == PHASE_MOVING ? PHASE_CHECKING : PHASE_COVERING;
  return TRUE;
}

/* ---- the end ---- */

static gboolean
cover (SatinCheckpointCompaction *self, GError **error)
{
  for (guint i = 0; i < self->names->len; i += COVERS_NAMES)
    {
      SatinCheckpointCovers covers = { (const SatinString *)self->names->pdata + i,
                                       MIN (self->names->len - i, COVERS_NAMES) };
      if (!checkpoint_writer_add_covers (self->writer, &covers, error))
        return FALSE;
    }
  if (!satin_checkpoint_writer_sync (self->writer, error))
    return FALSE;
  for (guint i = 0; i < self->items->len; i++)
    {
      const Item *item = &g_array_index (self->items, Item, i);
      checkpoint_index_relocate (self->index, item->number, &item->at);
    }
  self->phase = PHASE_REMOVING;
  return TRUE;
}

/* Removes the next old log. If that fails, the log stays, but is covered. A later compaction may
 * remove it. */
static void
remove_next (SatinCheckpointCompaction *self)
{
  const char *name = g_ptr_array_index (self->names, self->next_name++);
  self->storage->ops.remove (self->storage->handle, name, NULL);
  if (self->next_name == self->names->len)
    self->phase = PHASE_OVER;
}

static gboolean
work (SatinCheckpointCompaction *self, GError **error)
{
  switch (self->phase)
    {
    case PHASE_MOVING:
    case PHASE_CHECKING:
      return work_on_items (self, error);
    case PHASE_COVERING:
      return cover (self, error);
    case PHASE_REMOVING:
      remove_next (self);
      return TRUE;
    case PHASE_OVER:
      return TRUE;
    }
  return TRUE;
}

gboolean
satin_checkpoint_compaction_step (SatinCheckpointCompaction *self, gboolean *ret_is_over,
                                  GError **error)
{
  g_return_val_if_fail (self != NULL && ret_is_over != NULL, FALSE);
  if (!work (self, error))
    {
      checkpoint_writer_remove_logs (self->writer);
      self->phase = PHASE_OVER;
      return FALSE;
    }
  *ret_is_over = self->phase == PHASE_OVER;
  return TRUE;
}

guint64
satin_checkpoint_compaction_get_end (const SatinCheckpointCompaction *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->end_number;
}

guint
satin_checkpoint_compaction_get_n_damaged (const SatinCheckpointCompaction *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_damaged;
}

void
satin_checkpoint_compaction_get_progress (const SatinCheckpointCompaction *self,
                                          guint64 *ret_n_bytes, guint64 *ret_n_total_bytes)
{
  g_return_if_fail (self != NULL && ret_n_bytes != NULL && ret_n_total_bytes != NULL);
  *ret_n_bytes = self->n_bytes;
  *ret_n_total_bytes = self->n_total_bytes;
}
