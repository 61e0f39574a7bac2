/* log.c - names and lists of logs; frames and heads of records
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "crc32c.h"

#include <string.h>

#define NAME_BEGIN  "satin-"
#define NAME_DIGITS 10
#define NAME_END    ".log"
#define NAME_BYTES  (sizeof NAME_BEGIN - 1 + 2 * NAME_DIGITS + 1 + sizeof NAME_END - 1)

/* The offset of the sum in a frame. The sum covers the bytes before this offset, and the head
 * behind the frame. */
#define SUM_OFFSET 16u

/* ---- logs ---- */

void
checkpoint_log_clear (SatinCheckpointLog *self)
{
  g_clear_pointer (&self->name, g_free);
}

void
checkpoint_log_free (SatinCheckpointLog *self)
{
  checkpoint_log_clear (self);
  g_free (self);
}

SatinCheckpointLog *
checkpoint_log_new (guint64 number, SatinNodeId node)
{
  SatinCheckpointLog *self = g_new0 (SatinCheckpointLog, 1);
  self->name = g_strdup_printf (NAME_BEGIN "%0*" G_GUINT64_FORMAT "-%0*u" NAME_END, NAME_DIGITS,
                                number, NAME_DIGITS, node);
  self->number = number;
  self->node = node;
  return self;
}

SatinCheckpointLog *
checkpoint_log_copy (const SatinCheckpointLog *self)
{
  SatinCheckpointLog *copy = g_memdup2 (self, sizeof *self);
  copy->name = g_strdup (self->name);
  return copy;
}

void
checkpoint_log_set_seed (SatinCheckpointLog *self, const SatinCheckpointHead *head)
{
  guint32 seed = crc32c (0, head->run, head->n_run);
  seed = crc32c (seed, head->program, head->n_program);
  seed = crc32c (seed, head->root, head->n_root);
  self->seed = crc32c (seed, (const guint8 *)self->name, strlen (self->name));
}

/* Parses a number. Returns: FALSE when @text does not begin with NAME_DIGITS digits */
static gboolean
parse_digits (const char *text, guint64 *ret_number)
{
  *ret_number = 0;
  for (guint i = 0; i < NAME_DIGITS; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return FALSE;
      *ret_number = *ret_number * 10 + (guint64)(text[i] - '0');
    }
  return TRUE;
}

/* Takes the name of a log apart. Returns: FALSE when @name is not the name of a log */
static gboolean
parse_name (const char *name, guint64 *ret_number, guint64 *ret_node)
{
  const char *numbers = name + strlen (NAME_BEGIN);
  return strlen (name) == NAME_BYTES && g_str_has_prefix (name, NAME_BEGIN)
         && g_str_has_suffix (name, NAME_END) && numbers[NAME_DIGITS] == '-'
         && parse_digits (numbers, ret_number) && parse_digits (numbers + NAME_DIGITS + 1, ret_node)
         && *ret_number <= CHECKPOINT_NUMBER_MAX && *ret_node <= G_MAXUINT32;
}

gboolean
satin_checkpoint_log_name_is_valid (const char *name)
{
  guint64 number, node;
  g_return_val_if_fail (name != NULL, FALSE);
  return parse_name (name, &number, &node);
}

static void
add_log (const char *name, guint64 size_bytes, gpointer user_data)
{
  guint64 number, node;
  if (!parse_name (name, &number, &node))
    return;
  SatinCheckpointLog *log = checkpoint_log_new (number, (SatinNodeId)node);
  log->size_bytes = size_bytes;
  g_ptr_array_add (user_data, log);
}

static int
compare_names (gconstpointer left, gconstpointer right)
{
  return strcmp ((*(SatinCheckpointLog *const *)left)->name,
                 (*(SatinCheckpointLog *const *)right)->name);
}

GPtrArray *
satin_checkpoint_list (SatinStorage *storage, GError **error)
{
  g_return_val_if_fail (storage != NULL, NULL);
  g_autoptr (GPtrArray) logs = g_ptr_array_new_with_free_func ((GDestroyNotify)checkpoint_log_free);
  if (!storage->ops.list (storage->handle, add_log, logs, error))
    return NULL;
  g_ptr_array_sort (logs, compare_names);
  return g_steal_pointer (&logs);
}

/* ---- frames ---- */

static void
put_u32 (guint8 *bytes, guint32 value)
{
  guint32 little = GUINT32_TO_LE (value);
  memcpy (bytes, &little, sizeof little);
}

static void
put_u64 (guint8 *bytes, guint64 value)
{
  guint64 little = GUINT64_TO_LE (value);
  memcpy (bytes, &little, sizeof little);
}

static guint32
get_u32 (const guint8 *bytes)
{
  guint32 little;
  memcpy (&little, bytes, sizeof little);
  return GUINT32_FROM_LE (little);
}

static guint64
get_u64 (const guint8 *bytes)
{
  guint64 little;
  memcpy (&little, bytes, sizeof little);
  return GUINT64_FROM_LE (little);
}

static guint32
sum_top (const guint8 *top, gsize n_head, guint32 seed)
{
  return crc32c (crc32c (seed, top, SUM_OFFSET), top + CHECKPOINT_FRAME_BYTES, n_head);
}

guint32
checkpoint_frame_append (GByteArray *out, CheckpointKind kind, const SatinRecord *record,
                         gconstpointer data, guint64 n_body, guint32 seed)
{
  guint begin = out->len;
  g_byte_array_set_size (out, begin + CHECKPOINT_FRAME_BYTES);
  satin_record_encode (record, data, out);
  guint8 *top = out->data + begin;
  gsize n_head = out->len - begin - CHECKPOINT_FRAME_BYTES;
  memcpy (top, (const guint8[]){ 'S', 'a', 't', (guint8)kind }, 4);
  put_u32 (top + 4, (guint32)n_head);
  put_u64 (top + 8, n_body);
  guint32 sum = sum_top (top, n_head, seed);
  put_u32 (top + SUM_OFFSET, sum);
  return sum;
}

void
checkpoint_sum_append (GByteArray *out, guint32 sum)
{
  guint8 bytes[CHECKPOINT_SUM_BYTES];
  put_u32 (bytes, sum);
  g_byte_array_append (out, bytes, sizeof bytes);
}

guint32
checkpoint_sum_read (const guint8 *bytes)
{
  return get_u32 (bytes);
}

gboolean
checkpoint_frame_parse (const guint8 *bytes, CheckpointFrame *ret_frame)
{
  CheckpointFrame frame = { .kind = bytes[3],
                            .n_head = get_u32 (bytes + 4),
                            .n_body = get_u64 (bytes + 8),
                            .sum = get_u32 (bytes + SUM_OFFSET) };
  gboolean has_body = frame.kind == CHECKPOINT_RESULT || frame.kind == CHECKPOINT_OBJECT;
  if (memcmp (bytes, "Sat", 3) != 0
      || !(has_body || frame.kind == CHECKPOINT_HEAD || frame.kind == CHECKPOINT_TASKS
           || frame.kind == CHECKPOINT_COVERS)
      || frame.n_head > SATIN_CHECKPOINT_HEAD_MAX_BYTES
      || frame.n_body > (has_body ? SATIN_CHECKPOINT_RESULT_MAX_BYTES : 0))
    return FALSE;
  *ret_frame = frame;
  return TRUE;
}

gboolean
checkpoint_frame_is_right (const CheckpointFrame *self, const guint8 *top, guint32 seed)
{
  return sum_top (top, self->n_head, seed) == self->sum;
}

guint64
checkpoint_frame_bytes (guint64 n_head, guint64 n_body)
{
  return CHECKPOINT_FRAME_BYTES + n_head + n_body + (n_body > 0 ? CHECKPOINT_SUM_BYTES : 0);
}

guint64
checkpoint_place_bytes (const SatinCheckpointPlace *place)
{
  return checkpoint_frame_bytes (place->n_head, place->n_result);
}

gboolean
checkpoint_version_is_known (gint32 version)
{
  return version >= SATIN_CHECKPOINT_OLDEST_VERSION && version <= SATIN_CHECKPOINT_VERSION;
}

/* Decodes a HEAD of another version, of which only the first field, the version, is known. The
 * version is an Avro int: encoded like a number of a path, but with the sign in the lowest bit.
 * Returns: FALSE when the version is one that this library reads, or cannot be read */
static gboolean
decode_version (const guint8 *bytes, gsize n_bytes, SatinCheckpointHead *ret_head)
{
  gsize at = 0;
  guint32 number;
  if (!satin_path_next (bytes, n_bytes, &at, &number))
    return FALSE;
  gint32 version = (gint32)(number >> 1) ^ -(gint32)(number & 1);
  if (checkpoint_version_is_known (version))
    return FALSE;
  *ret_head = (SatinCheckpointHead){ .version = version };
  return TRUE;
}

gboolean
checkpoint_decode_head (const guint8 *bytes, gsize n_bytes, SatinCheckpointHead *ret_head)
{
  SatinCheckpointHead head;
  if (decode_version (bytes, n_bytes, ret_head))
    return TRUE;
  if (!satin_record_decode (&SatinCheckpointHead_record, bytes, n_bytes, &head, NULL))
    return FALSE;
  if (head.n_run == SATIN_CHECKPOINT_ID_BYTES && head.n_program == SATIN_CHECKPOINT_ID_BYTES
      && head.n_root == SATIN_CHECKPOINT_ID_BYTES)
    {
      *ret_head = head;
      return TRUE;
    }
  satin_record_clear (&SatinCheckpointHead_record, &head);
  return FALSE;
}

/* In version 3 the head is a SatinCheckpointResult, without the fields behind it in version 4. A
 * decoder refuses a head with missing or extra bytes, so no head is valid in both forms. */
gboolean
checkpoint_decode_result (const guint8 *bytes, gsize n_bytes, SatinCheckpointStored *ret_stored)
{
  SatinCheckpointStored stored = { 0 };
  if (!satin_record_decode (&SatinCheckpointStored_record, bytes, n_bytes, &stored, NULL)
      && !satin_record_decode (&SatinCheckpointResult_record, bytes, n_bytes, &stored.result, NULL))
    return FALSE;
  if (stored.result.n_key == SATIN_CHECKPOINT_ID_BYTES)
    {
      *ret_stored = stored;
      return TRUE;
    }
  satin_record_clear (&SatinCheckpointStored_record, &stored);
  return FALSE;
}
