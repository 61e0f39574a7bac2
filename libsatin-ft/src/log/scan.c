/* scan.c - finds the records of a log, also those behind damage
 *
 * If no record begins where one should, the scan looks at each byte from there on for the marker of
 * a record with right sums.
 *
 * Large bodies may be skipped. If such a body has lost a piece, the offset where it should end lies
 * inside the next record. So a record whose body was skipped is not reported at once. It is
 * reported when another record begins right behind it, or the log ends there. Otherwise the scan
 * reads the body after all. If the body is damaged, the scan looks for the next marker from this
 * record's second byte on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* A record that was found. */
typedef struct
{
  guint64 offset;
  CheckpointFrame frame;
  SatinCheckpointStored stored; /* (owned): of a RESULT */
  SatinTaskTable tasks;         /* (owned): of a TASKS */
  SatinCheckpointObject object; /* (owned): of an OBJECT */
  SatinCheckpointCovers covers; /* (owned): of a COVERS */
} Found;

typedef struct
{
  CheckpointWindow window;
  SatinCheckpointLog *log; /* (owned): with its seed */
  gboolean is_whole;
  const CheckpointScanFuncs *funcs;
  gpointer user_data;
  guint64 offset;      /* everything before it is handled, except @passed */
  guint64 n_good;      /* everything before it is reported, as records or as damage */
  gboolean has_passed; /* @passed is set */
  Found passed;        /* the last record, if its body was skipped and it is not reported yet */
} Scan;

static guint64
found_end (const Found *found)
{
  return found->offset + checkpoint_frame_bytes (found->frame.n_head, found->frame.n_body);
}

static void
found_clear (Found *found)
{
  if (found->frame.kind == CHECKPOINT_RESULT)
    satin_record_clear (&SatinCheckpointStored_record, &found->stored);
  if (found->frame.kind == CHECKPOINT_TASKS)
    satin_record_clear (&SatinTaskTable_record, &found->tasks);
  if (found->frame.kind == CHECKPOINT_OBJECT)
    satin_record_clear (&SatinCheckpointObject_record, &found->object);
  if (found->frame.kind == CHECKPOINT_COVERS)
    satin_record_clear (&SatinCheckpointCovers_record, &found->covers);
}

static void
tell_damage (Scan *self, guint64 end)
{
  if (end > self->n_good && self->funcs->damaged != NULL)
    self->funcs->damaged (self->n_good, end - self->n_good, self->user_data);
}

/* Reports @found, and the damage between it and the record before it. */
static void
tell (Scan *self, Found *found)
{
  SatinCheckpointPlace place = { self->log, found->offset, found->frame.n_head,
                                 found->frame.n_body };
  tell_damage (self, found->offset);
  self->n_good = found_end (found);
  if (found->frame.kind == CHECKPOINT_RESULT && self->funcs->result != NULL)
    self->funcs->result (&found->stored, &place, self->user_data);
  if (found->frame.kind == CHECKPOINT_OBJECT && self->funcs->object != NULL)
    self->funcs->object (&found->object, &place, self->user_data);
  if (found->frame.kind == CHECKPOINT_COVERS && self->funcs->covers != NULL)
    self->funcs->covers (&found->covers, self->user_data);
  found_clear (found);
}

/* Decodes the head of a record whose sum is right. */
static gboolean
decode (Found *found, const guint8 *head)
{
  gsize n_head = found->frame.n_head;
  if (found->frame.kind == CHECKPOINT_RESULT)
    return checkpoint_decode_result (head, n_head, &found->stored);
  if (found->frame.kind == CHECKPOINT_TASKS)
    return satin_record_decode (&SatinTaskTable_record, head, n_head, &found->tasks, NULL);
  if (found->frame.kind == CHECKPOINT_OBJECT)
    return satin_record_decode (&SatinCheckpointObject_record, head, n_head, &found->object, NULL);
  return satin_record_decode (&SatinCheckpointCovers_record, head, n_head, &found->covers, NULL);
}

/* Checks whether a record with a right frame and head begins at @offset. Returns: FALSE with
 * @error */
static gboolean
look_at (Scan *self, guint64 offset, Found *ret_found, gboolean *ret_is_there, GError **error)
{
  Found found = { .offset = offset };
  gsize n = 0;
  *ret_is_there = FALSE;
  const guint8 *top =
      checkpoint_window_get (&self->window, offset, CHECKPOINT_FRAME_BYTES, &n, error);
  if (top == NULL)
    return FALSE;
  if (n < CHECKPOINT_FRAME_BYTES || !checkpoint_frame_parse (top, &found.frame)
      || found.frame.kind == CHECKPOINT_HEAD || found_end (&found) > self->window.size_bytes)
    return TRUE;
  gsize n_top = CHECKPOINT_FRAME_BYTES + found.frame.n_head;
  top = checkpoint_window_get (&self->window, offset, n_top, &n, error);
  if (top == NULL)
    return FALSE;
  *ret_is_there = n >= n_top && checkpoint_frame_is_right (&found.frame, top, self->log->seed)
                  && decode (&found, top + CHECKPOINT_FRAME_BYTES);
  if (*ret_is_there)
    *ret_found = found;
  return TRUE;
}

/* Whether the body of @found is skipped for now. */
static gboolean
is_passed_over (const Scan *self, const Found *found)
{
  return !self->is_whole && found->frame.n_body > CHECKPOINT_READ_BYTES
         && (self->window.storage->can & SATIN_STORAGE_CAN_RANGE) != 0;
}

static gboolean
check_body (Scan *self, const Found *found, gboolean *ret_is_right, GError **error)
{
  guint64 offset = found->offset + CHECKPOINT_FRAME_BYTES + found->frame.n_head;
  return checkpoint_window_check_body (&self->window, offset, &found->frame, ret_is_right, error);
}

/* Moves to the next place where a record may begin: the next marker at @offset or behind it. */
static gboolean
seek_marker (Scan *self, guint64 offset, GError **error)
{
  while (offset < self->window.size_bytes)
    {
      gsize n = 0;
      const guint8 *bytes =
          checkpoint_window_get (&self->window, offset, CHECKPOINT_FRAME_BYTES, &n, error);
      if (bytes == NULL)
        return FALSE;
      if (n < CHECKPOINT_FRAME_BYTES)
        break;
      const guint8 *marker = memmem (bytes, n, "Sat", 3);
      if (marker != NULL)
        {
          self->offset = offset + (guint64)(marker - bytes);
          return TRUE;
        }
      offset += n - 2;
    }
  self->offset = self->window.size_bytes;
  return TRUE;
}

/* Called when no record begins where one should. Finds out whether @passed is damaged, and moves to
 * the next marker. */
static gboolean
salvage (Scan *self, GError **error)
{
  guint64 from = self->offset;
  if (self->has_passed)
    {
      gboolean is_right = FALSE;
      if (!check_body (self, &self->passed, &is_right, error))
        return FALSE;
      self->has_passed = FALSE;
      if (is_right)
        tell (self, &self->passed);
      else
        {
          from = self->passed.offset + 1;
          found_clear (&self->passed);
        }
      /* If @passed is right, the byte behind it was looked at already: no record begins there. */
      return seek_marker (self, is_right ? from + 1 : from, error);
    }
  return seek_marker (self, from + 1, error);
}

/* Handles a record with a right head. */
static gboolean
take (Scan *self, Found *found, GError **error)
{
  gboolean is_right = TRUE;
  gboolean is_passed = is_passed_over (self, found);
  if (!is_passed && !check_body (self, found, &is_right, error))
    {
      found_clear (found);
      return FALSE;
    }
  if (!is_right)
    {
      found_clear (found);
      return salvage (self, error);
    }
  if (self->has_passed)
    tell (self, &self->passed);
  self->has_passed = is_passed;
  self->offset = found_end (found);
  if (self->has_passed)
    self->passed = *found;
  else
    tell (self, found);
  return TRUE;
}

static gboolean
scan_records (Scan *self, GError **error)
{
  while (self->offset < self->window.size_bytes)
    {
      Found found;
      gboolean is_there = FALSE;
      if (!look_at (self, self->offset, &found, &is_there, error)
          || !(is_there ? take (self, &found, error) : salvage (self, error)))
        return FALSE;
    }
  if (self->has_passed)
    tell (self, &self->passed);
  self->has_passed = FALSE;
  tell_damage (self, self->window.size_bytes);
  return TRUE;
}

/* Reads TASKS, if that record follows HEAD, and reports both. @ret_is_wanted: whether to read the
 * rest of the log. Returns: FALSE with @error */
static gboolean
scan_tasks (Scan *self, const SatinCheckpointHead *head, gboolean *ret_is_wanted, GError **error)
{
  Found found;
  gboolean is_there = FALSE;
  if (checkpoint_version_is_known (head->version)
      && !look_at (self, self->offset, &found, &is_there, error))
    return FALSE;
  gboolean has_tasks = is_there && found.frame.kind == CHECKPOINT_TASKS;
  if (has_tasks)
    self->n_good = self->offset = found_end (&found);
  *ret_is_wanted = self->funcs->begin == NULL
                   || self->funcs->begin (head, has_tasks ? &found.tasks : NULL, self->user_data);
  if (is_there)
    found_clear (&found);
  return TRUE;
}

/* Reads the beginning of the log: HEAD and TASKS. @ret_is_wanted: whether to read the rest.
 * Returns: FALSE with @error */
static gboolean
scan_head (Scan *self, gboolean *ret_is_wanted, GError **error)
{
  CheckpointFrame frame;
  SatinCheckpointHead head;
  gsize n = 0;
  *ret_is_wanted = FALSE;
  const guint8 *top = checkpoint_window_get (&self->window, 0, CHECKPOINT_TOP_MAX_BYTES, &n, error);
  if (top == NULL)
    return FALSE;
  if (n < CHECKPOINT_FRAME_BYTES || !checkpoint_frame_parse (top, &frame)
      || frame.kind != CHECKPOINT_HEAD || n - CHECKPOINT_FRAME_BYTES < frame.n_head
      || !checkpoint_frame_is_right (&frame, top, 0)
      || !checkpoint_decode_head (top + CHECKPOINT_FRAME_BYTES, frame.n_head, &head))
    {
      tell_damage (self, self->window.size_bytes);
      return TRUE;
    }
  checkpoint_log_set_seed (self->log, &head);
  self->offset = checkpoint_frame_bytes (frame.n_head, 0);
  self->n_good = self->offset;
  gboolean is_read = scan_tasks (self, &head, ret_is_wanted, error);
  satin_record_clear (&SatinCheckpointHead_record, &head);
  return is_read;
}

gboolean
checkpoint_scan (SatinStorage *storage, const SatinCheckpointLog *log, gboolean is_whole,
                 const CheckpointScanFuncs *funcs, gpointer user_data, GError **error)
{
  Scan self = {
    .log = checkpoint_log_copy (log), .is_whole = is_whole, .funcs = funcs, .user_data = user_data
  };
  gboolean is_wanted = FALSE;
  checkpoint_window_init (&self.window, storage, log, log->size_bytes);
  gboolean is_done =
      scan_head (&self, &is_wanted, error) && (!is_wanted || scan_records (&self, error));
  if (self.has_passed)
    found_clear (&self.passed);
  checkpoint_window_clear (&self.window);
  checkpoint_log_free (self.log);
  if (!is_done)
    g_prefix_error (error, "%s: ", log->name);
  return is_done;
}

static gboolean
note_head (const SatinCheckpointHead *head, const SatinTaskTable *tasks, gpointer user_data)
{
  *(gboolean *)user_data = TRUE;
  return FALSE;
}

gboolean
checkpoint_scan_has_head (SatinStorage *storage, const SatinCheckpointLog *log,
                          gboolean *ret_is_there, GError **error)
{
  static const CheckpointScanFuncs funcs = { .begin = note_head };
  SatinCheckpointLog beginning = *log;
  *ret_is_there = FALSE;
  beginning.size_bytes = CHECKPOINT_TOP_MAX_BYTES;
  return checkpoint_scan (storage, &beginning, FALSE, &funcs, ret_is_there, error);
}

/* ---- for callers that want the records only as they were in version 3 ---- */

typedef struct
{
  const SatinCheckpointScanFuncs *funcs; /* (borrowed) */
  gpointer user_data;
} Caller;

static gboolean
caller_begin (const SatinCheckpointHead *head, const SatinTaskTable *tasks, gpointer user_data)
{
  Caller *self = user_data;
  return self->funcs->head == NULL || self->funcs->head (head, self->user_data);
}

static void
caller_result (const SatinCheckpointStored *stored, const SatinCheckpointPlace *place,
               gpointer user_data)
{
  Caller *self = user_data;
  if (self->funcs->result != NULL)
    self->funcs->result (&stored->result, place, self->user_data);
}

static void
caller_object (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
               gpointer user_data)
{
  Caller *self = user_data;
  if (self->funcs->object != NULL)
    self->funcs->object (object, place, self->user_data);
}

static void
caller_covers (const SatinCheckpointCovers *covers, gpointer user_data)
{
  Caller *self = user_data;
  if (self->funcs->covers != NULL)
    self->funcs->covers (covers, self->user_data);
}

static void
caller_damaged (guint64 offset, guint64 n_bytes, gpointer user_data)
{
  Caller *self = user_data;
  if (self->funcs->damaged != NULL)
    self->funcs->damaged (offset, n_bytes, self->user_data);
}

gboolean
satin_checkpoint_scan (SatinStorage *storage, const SatinCheckpointLog *log, gboolean is_whole,
                       const SatinCheckpointScanFuncs *funcs, gpointer user_data, GError **error)
{
  static const CheckpointScanFuncs caller_funcs = { caller_begin, caller_result, caller_object,
                                                    caller_covers, caller_damaged };
  g_return_val_if_fail (storage != NULL && log != NULL && funcs != NULL, FALSE);
  Caller caller = { funcs, user_data };
  return checkpoint_scan (storage, log, is_whole, &caller_funcs, &caller, error);
}
