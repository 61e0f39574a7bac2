/* array.c - satin_array: the newest complete generation, and those being written; snapshots
 *
 * A block holds one generation. Versions of an array share blocks, so nothing has to be copied: the
 * block of a complete generation does not change any more, and no reader sees the values of an
 * incomplete one. An incomplete block has a lock, because it may be packed for another node while
 * it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/so/array.h>

#include <satin/base/atomic.h>
#include <string.h>

#define MAX_VALUES ((gint64)(SATIN_RECORD_MAX_BYTES / sizeof (double)))

/* The items of one generation of an array, and which of them were written. */
struct _SatinArrayBlock
{
  gsize n_refs; /* atomic */
  gint64 generation;
  pthread_mutex_t lock;
  /* Guarded by @lock until the generation is complete. */
  gsize n_written; /* how many items were written */
  guint8 *written; /* (owned) a bit for each item: whether it was written */
  double *values;  /* (owned) */
};

/* ---- blocks ---- */

/* Returns: (transfer full) (nullable): a block of zeros; %NULL when there is no memory for its
 * values */
static SatinArrayBlock *
block_new (const satin_array_state *state, gint64 generation)
{
  double *values = g_try_new0 (double, state->n_items * state->width);
  if (values == NULL)
    return NULL;
  SatinArrayBlock *self = g_new0 (SatinArrayBlock, 1);
  self->n_refs = 1;
  self->generation = generation;
  pthread_mutex_init (&self->lock, NULL);
  self->written = g_malloc0 ((state->n_items + 7) / 8);
  self->values = values;
  return self;
}

static SatinArrayBlock *
block_ref (SatinArrayBlock *self)
{
  if (self != NULL)
    SATIN_ADD (&self->n_refs, 1);
  return self;
}

static void
block_unref (SatinArrayBlock *self)
{
  if (self == NULL || SATIN_SUB (&self->n_refs, 1) > 1)
    return;
  pthread_mutex_destroy (&self->lock);
  g_free (self->written);
  g_free (self->values);
  g_free (self);
}

/* The lock is held. */
static gboolean
block_has (const SatinArrayBlock *self, gsize item)
{
  return self->written[item / 8] >> item % 8 & 1;
}

/* Writes an item, unless it was written before. The lock is held. */
static void
block_write (SatinArrayBlock *self, gsize item, const double *values, gsize width)
{
  if (block_has (self, item))
    return;
  memcpy (self->values + item * width, values, width * sizeof *values);
  self->written[item / 8] |= (guint8)(1 << item % 8);
  self->n_written++;
}

/* ---- arrays ---- */

static SatinArrayBlock **
find_part (satin_array_state *state, gint64 generation)
{
  return &state->parts[generation % SATIN_ARRAY_AHEAD];
}

static void
set_whole (satin_array_state *state, SatinArrayBlock *block)
{
  SatinArrayBlock *old = state->whole;
  state->whole = block;
  state->generation = block->generation;
  state->values = block->values;
  block_unref (old);
  for (guint i = 0; i < SATIN_ARRAY_AHEAD; i++)
    if (state->parts[i] != NULL && state->parts[i]->generation <= state->generation)
      block_unref (g_steal_pointer (&state->parts[i]));
}

/* Gets the block of an incomplete generation; makes it if necessary. Returns: (transfer none)
 * (nullable): %NULL when the generation is complete already or too far ahead, or there is no
 * memory */
static SatinArrayBlock *
get_part (satin_array_state *state, gint64 generation)
{
  if (generation <= state->generation || generation - state->generation > SATIN_ARRAY_AHEAD)
    return NULL;
  SatinArrayBlock **part = find_part (state, generation);
  if (*part == NULL)
    *part = block_new (state, generation);
  return *part;
}

/* If no item of @generation is missing, makes it the complete generation that readers see. The lock
 * of its block is not held. */
static void
take_if_whole (satin_array_state *state, gint64 generation, gsize n_written)
{
  if (n_written == state->n_items)
    set_whole (state, block_ref (*find_part (state, generation)));
}

static void
write_range (satin_array_state *state, gint64 generation, gint64 first, const double *values,
             gsize n_values)
{
  gsize n = n_values / state->width;
  if (n * state->width != n_values || first < 0 || (gsize)first > state->n_items
      || n > state->n_items - (gsize)first)
    return;
  SatinArrayBlock *part = get_part (state, generation);
  if (part == NULL)
    return;
  pthread_mutex_lock (&part->lock);
  for (gsize i = 0; i < n; i++)
    block_write (part, (gsize)first + i, values + i * state->width, state->width);
  gsize n_written = part->n_written;
  pthread_mutex_unlock (&part->lock);
  take_if_whole (state, generation, n_written);
}

/* ---- packing ---- */

/* Adds an incomplete generation that came from another node. Returns: %FALSE when it does not fit
 * the array */
static gboolean
write_part (satin_array_state *state, const SatinArrayPart *from)
{
  SatinArrayBlock *part = get_part (state, from->generation);
  if (part == NULL || from->n_written != (state->n_items + 7) / 8)
    return FALSE;
  gsize at = 0;
  for (gsize i = 0; i < state->n_items; i++)
    if (from->written[i / 8] >> i % 8 & 1)
      {
        if (at + state->width > from->n_values)
          return FALSE;
        block_write (part, i, from->values + at, state->width);
        at += state->width;
      }
  take_if_whole (state, from->generation, part->n_written);
  return TRUE;
}

static gboolean
check_size (const satin_array_packed *record)
{
  return record->n_items > 0 && record->width > 0 && record->n_items <= MAX_VALUES / record->width
         && record->generation >= 0 && record->generation < G_MAXINT64 - SATIN_ARRAY_AHEAD
         && (record->n_values == 0
             || record->n_values == (gsize)record->n_items * (gsize)record->width);
}

static void
array_clear (gpointer data)
{
  satin_array_state *state = data;
  block_unref (state->whole);
  for (guint i = 0; i < SATIN_ARRAY_AHEAD; i++)
    block_unref (state->parts[i]);
}

static gboolean
array_unpack (gconstpointer data, gpointer ret_state, GError **error)
{
  const satin_array_packed *record = data;
  satin_array_state *state = ret_state;
  if (!check_size (record))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "an array of %" G_GINT64_FORMAT " items of %d doubles, of which %" G_GSIZE_FORMAT
                   " doubles are there, cannot be: it has 1 to %" G_GINT64_FORMAT
                   ", and all of them or none",
                   record->n_items, record->width, record->n_values, MAX_VALUES);
      return FALSE;
    }
  state->n_items = (gsize)record->n_items;
  state->width = (gsize)record->width;
  SatinArrayBlock *whole = block_new (state, record->generation);
  if (whole == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "no memory for an array of %" G_GINT64_FORMAT " items of %d doubles",
                   record->n_items, record->width);
      return FALSE;
    }
  if (record->n_values > 0)
    memcpy (whole->values, record->values, record->n_values * sizeof *record->values);
  set_whole (state, whole);
  for (gsize i = 0; i < record->n_parts; i++)
    if (!write_part (state, &record->parts[i]))
      {
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                     "generation %" G_GINT64_FORMAT " does not fit into the array",
                     record->parts[i].generation);
        array_clear (state);
        return FALSE;
      }
  return TRUE;
}

static void
pack_part (const satin_array_state *state, SatinArrayBlock *part, SatinArrayPart *ret_part)
{
  gsize n = 0;
  pthread_mutex_lock (&part->lock);
  double *values = g_new (double, part->n_written * state->width);
  for (gsize i = 0; i < state->n_items; i++)
    if (block_has (part, i))
      memcpy (values + n++ * state->width, part->values + i * state->width,
              state->width * sizeof *values);
  ret_part->generation = part->generation;
  ret_part->n_written = (state->n_items + 7) / 8;
  ret_part->written = g_memdup2 (part->written, ret_part->n_written);
  pthread_mutex_unlock (&part->lock);
  ret_part->values = values;
  ret_part->n_values = n * state->width;
}

static void
array_pack (gconstpointer data, gpointer ret_record)
{
  const satin_array_state *state = data;
  satin_array_packed *record = ret_record;
  SatinArrayPart *parts = g_new0 (SatinArrayPart, SATIN_ARRAY_AHEAD);
  record->n_items = (gint64)state->n_items;
  record->width = (gint32)state->width;
  record->generation = state->generation;
  SATIN_SET_ARRAY (record, values, state->values, state->n_items * state->width);
  for (gint64 ahead = 1; ahead <= SATIN_ARRAY_AHEAD; ahead++)
    {
      SatinArrayBlock *part = state->parts[(state->generation + ahead) % SATIN_ARRAY_AHEAD];
      if (part != NULL)
        pack_part (state, part, &parts[record->n_parts++]);
    }
  record->parts = parts;
}

/* ---- the type ---- */

static void
array_copy (gconstpointer data, gpointer ret_state)
{
  satin_array_state *copy = ret_state;
  *copy = *(const satin_array_state *)data;
  block_ref (copy->whole);
  for (guint i = 0; i < SATIN_ARRAY_AHEAD; i++)
    block_ref (copy->parts[i]);
}

static gint64
array_get_version (gconstpointer data)
{
  return ((const satin_array_state *)data)->generation;
}

/* Adds the items of @other, which belongs to a replica that nobody else uses; so its lock is not
 * needed. */
static void
merge_part (satin_array_state *state, const SatinArrayBlock *other)
{
  SatinArrayBlock *part = get_part (state, other->generation);
  if (part == NULL)
    return;
  pthread_mutex_lock (&part->lock);
  for (gsize i = 0; i < state->n_items; i++)
    if (block_has (other, i))
      block_write (part, i, other->values + i * state->width, state->width);
  gsize n_written = part->n_written;
  pthread_mutex_unlock (&part->lock);
  take_if_whole (state, other->generation, n_written);
}

static void
array_merge (gpointer data, gconstpointer other_data)
{
  satin_array_state *state = data;
  const satin_array_state *other = other_data;
  if (state->n_items != other->n_items || state->width != other->width)
    return;
  if (other->generation > state->generation)
    set_whole (state, block_ref (other->whole));
  for (guint i = 0; i < SATIN_ARRAY_AHEAD; i++)
    if (other->parts[i] != NULL)
      merge_part (state, other->parts[i]);
}

SATIN_OBJECT_TYPE_DEFINE (satin_array, .unpack = array_unpack, .pack = array_pack,
                          .copy = array_copy, .clear = array_clear,
                          .get_version = array_get_version, .merge = array_merge)

SATIN_METHOD_BODY (satin_array, write, (long, generation), (long, first), (array_double, values))
{
  write_range (state, generation, first, values, n_values);
}

SatinObjectType satin_snapshot_type = {
  .name = "satin_snapshot",
  .record = &satin_array_record,
  .state_bytes = sizeof (satin_array_state),
  .n_kept = SATIN_SNAPSHOTS_KEPT,
  .unpack = array_unpack,
  .pack = array_pack,
  .copy = array_copy,
  .clear = array_clear,
};

__attribute__ ((constructor)) static void
register_snapshot (void)
{
  satin_object_type_register (&satin_snapshot_type);
}
