/* table-recovery.c - recovery by a table of results that every node has
 *
 * A node that has run a job of another node puts the job's result into the table, under the job's
 * key, and sends the result to all nodes. A lost job runs again with hints that say how deep in the
 * tree of jobs it is. While the job or a descendant spawns, each child is looked up by its
 * key, down to the depth of the deepest result in the table. A lookup needs no other node, and no
 * job waits because of its hints. Orphans are not adopted: their results, or those of their
 * finished children, go into the table, and the orphans are dropped.
 *
 *   thief                                all other nodes
 *     | RESULTS (its new results) ----------> |  put them into their tables
 *
 *   node that joined later               owner of the first lost job that it gets
 *     | ASK (how many results it has) ------> |
 *     | <------------------ RESULTS (answer)  |  the whole table if it is larger, else none
 *
 * A result that is not in the table is computed. So a lost message costs time only.
 *
 * Source: 002 sec. 3, 003 sec. 3.3.7. Differs: only small results; no lookup deeper than the
 * deepest entry; results of descendants are removed when the result of the whole job comes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* Larger results do not go into the table. */
#define RESULT_MAX_BYTES ((gsize)64 << 10)

/* The limits of one message. */
#define MESSAGE_MAX_BYTES   ((gsize)1 << 20)
#define MESSAGE_MAX_RESULTS 1024

/* How long to wait for an answer to ASK. After that, the owner of the next lost job is asked. */
#define ANSWER_US ((gint64)2000000)

/* clang-format off */
SATIN_RECORD (Depth, (int, n_levels))
/* clang-format on */

/* The hints of a lost job that runs again, or of a descendant. */
typedef struct
{
  ResultTable *table; /* (owned) a reference */
  gint32 n_levels;
  gboolean is_described; /* @key is set */
  guint8 key[KEY_BYTES]; /* the job's key */
} Place;

static Place *
place_new (ResultTable *table, gint32 n_levels)
{
  Place *self = g_new0 (Place, 1);
  self->table = result_table_ref (table);
  self->n_levels = n_levels;
  return self;
}

static void
place_free (gpointer data)
{
  Place *self = data;
  result_table_unref (self->table);
  g_free (self);
}

/* ---- sending ---- */

typedef struct
{
  GArray *results; /* of FtResult; their bytes (borrowed from the entries) */
  gsize n_bytes;
  SatinFt *ft;
  SatinNodeId to; /* 0: all nodes */
} Batch;

static void
send_batch (Batch *self, gboolean is_answer)
{
  FtResults message = { .is_answer = is_answer,
                        .results = (const FtResult *)self->results->data,
                        .n_results = self->results->len };
  const SatinView *view = satin_peers_get_view (self->ft->peers);
  for (guint i = 0; self->to == 0 && i < view->n_peers; i++)
    ft_send (self->ft, view->peers[i].id, FT_RESULTS, &FtResults_record, &message);
  if (self->to != 0)
    ft_send (self->ft, self->to, FT_RESULTS, &FtResults_record, &message);
  g_array_set_size (self->results, 0);
  self->n_bytes = 0;
}

static void
add_to_batch (const TableEntry *entry, gpointer user_data)
{
  Batch *self = user_data;
  FtResult result = {
    .key = entry->key,
    .n_key = KEY_BYTES,
    .n_levels = entry->n_levels,
    .owner = (gint32)entry->ref.owner,
    .index = entry->ref.index,
    .generation = entry->ref.generation,
    .under_owner = (gint32)entry->under.owner,
    .under_index = entry->under.index,
    .under_generation = entry->under.generation,
  };
  result.result = g_bytes_get_data (entry->result, &result.n_result);
  if (self->results->len >= MESSAGE_MAX_RESULTS
      || self->n_bytes + result.n_result > MESSAGE_MAX_BYTES)
    send_batch (self, FALSE);
  g_array_append_val (self->results, result);
  self->n_bytes += result.n_result;
}

static Batch
batch_new (SatinFt *ft, SatinNodeId to)
{
  return (Batch){ .results = g_array_new (FALSE, FALSE, sizeof (FtResult)), .ft = ft, .to = to };
}

static void
entry_clear (gpointer data)
{
  g_bytes_unref (((TableEntry *)data)->result);
}

GArray *
ft_untold_new (void)
{
  GArray *untold = g_array_new (FALSE, FALSE, sizeof (TableEntry));
  g_array_set_clear_func (untold, entry_clear);
  return untold;
}

/* Sends the results that have gathered since the timer was set. */
static void
tell (gpointer user_data)
{
  SatinFt *self = user_data;
  self->tell_timer = 0;
  if (self->peers == NULL)
    return;
  g_autoptr (GArray) untold = g_steal_pointer (&self->untold);
  self->untold = ft_untold_new ();
  Batch batch = batch_new (self, 0);
  for (guint i = 0; i < untold->len; i++)
    add_to_batch (&g_array_index (untold, TableEntry, i), &batch);
  send_batch (&batch, FALSE);
  g_array_unref (batch.results);
}

/* Adds a result of this node, unless it is too large, or the table has it already. The other nodes
 * hear of it when the window has ended. */
static void
add_own (SatinFt *self, const TableEntry *entry)
{
  if (g_bytes_get_size (entry->result) > RESULT_MAX_BYTES)
    {
      satin_loop_probe (self->loop, "ft.result-too-large");
      return;
    }
  if (!result_table_add (self->table, entry))
    return;
  self->n_results++;
  TableEntry told = *entry;
  g_bytes_ref (told.result);
  g_array_append_val (self->untold, told);
  if (self->tell_timer == 0)
    self->tell_timer = satin_loop_timer_add (self->loop, self->options.window_us, tell, self);
}

/* ---- messages of other nodes ---- */

void
ft_on_results (SatinFt *self, const FtResults *message)
{
  if (self->table == NULL)
    return; /* this node has another strategy than the sender */
  for (gsize i = 0; i < message->n_results; i++)
    {
      const FtResult *told = &message->results[i];
      if (told->n_key != KEY_BYTES || told->n_result > RESULT_MAX_BYTES)
        continue;
      TableEntry entry = {
        .result = g_bytes_new (told->result, told->n_result),
        .n_levels = told->n_levels,
        .ref = { (SatinNodeId)told->owner, told->index, told->generation },
        .under = { (SatinNodeId)told->under_owner, told->under_index, told->under_generation },
      };
      memcpy (entry.key, told->key, KEY_BYTES);
      result_table_add (self->table, &entry);
      g_bytes_unref (entry.result);
    }
  if (!message->is_answer)
    return;
  self->has_answer = TRUE;
  satin_loop_timer_cancel (self->loop, &self->answer_timer);
}

/* Answers with the whole table, or with no results when the asking node has at least as many. */
void
ft_on_ask (SatinFt *self, SatinNodeId from, const FtAsk *ask)
{
  if (self->table == NULL)
    return;
  Batch batch = batch_new (self, from);
  if ((gint64)result_table_get_figures (self->table).n_entries > ask->n_results)
    {
      satin_loop_probe (self->loop, "ft.table-asked");
      result_table_foreach (self->table, add_to_batch, &batch);
    }
  send_batch (&batch, TRUE);
  g_array_unref (batch.results);
}

static void
answer_overdue (gpointer user_data)
{
  SatinFt *self = user_data;
  self->answer_timer = 0;
  satin_loop_probe (self->loop, "ft.answer-overdue");
}

/* Asks @from for its table, unless an answer has come or is awaited. This node may have joined
 * late, or may have missed messages. */
static void
ask (SatinFt *self, SatinNodeId from)
{
  if (self->has_answer || self->answer_timer != 0)
    return;
  FtAsk message = { .n_results = (gint32)result_table_get_figures (self->table).n_entries };
  self->answer_timer = satin_loop_timer_add (self->loop, ANSWER_US, answer_overdue, self);
  ft_send (self, from, FT_ASK, &FtAsk_record, &message);
}

/* ---- calls of the core ---- */

static void
results_finished (SatinRecovery *recovery, const SatinFinished *finished)
{
  TableEntry entry = { .result = finished->result, .ref = finished->ref };
  entry.n_levels = satin_lineage_count_levels (finished->lineage, finished->path, &entry.under);
  satin_record_digest_encoded (finished->args, finished->task->name, entry.key);
  add_own ((SatinFt *)recovery, &entry);
}

/* Drops an orphan that has ended; the core passes its result to finished(). Of an unfinished
 * orphan, the core first passes the results of finished children; the orphan is dropped after
 * that. */
static void
add_orphan (SatinFt *self, const SatinOrphan *orphan)
{
  if (orphan->is_over)
    self->host_ops->drop (self->host, orphan->import_id);
  else
    self->host_ops->save (self->host, orphan->import_id);
}

static void
results_orphan (SatinRecovery *recovery, SatinOrphanEvent what, const SatinOrphan *orphan)
{
  SatinFt *self = (SatinFt *)recovery;
  switch (what)
    {
    case SATIN_ORPHAN_NEW:
      add_orphan (self, orphan);
      break;
    case SATIN_ORPHAN_SAVED:
      self->n_dropped++;
      self->host_ops->drop (self->host, orphan->import_id);
      break;
    case SATIN_ORPHAN_OVER:
    case SATIN_ORPHAN_GONE:
      break;
    }
}

static gpointer
results_lost (SatinRecovery *recovery, const SatinLost *lost)
{
  SatinJobRef last;
  Place *place = lost->hints;
  if (place == NULL)
    place = place_new (((SatinFt *)recovery)->table, SATIN_LEVELS_UNKNOWN);
  place->n_levels = satin_lineage_count_levels (lost->lineage, lost->path, &last);
  place->is_described = TRUE;
  satin_record_digest_encoded (lost->args, lost->task->name, place->key);
  return place;
}

static gpointer
results_root (SatinRecovery *recovery)
{
  SatinFt *self = (SatinFt *)recovery;
  return ft_is_first_term (self) ? NULL : place_new (self->table, 0);
}

/* ---- hints ---- */

static GBytes *
results_pack (SatinRecovery *recovery, gpointer hints, SatinNodeId to, const SatinJobRef *ref)
{
  Depth depth = { .n_levels = ((const Place *)hints)->n_levels };
  return satin_record_to_bytes (&Depth_record, &depth);
}

static gpointer
results_unpack (SatinRecovery *recovery, const guint8 *bytes, gsize n_bytes, const SatinJobRef *ref)
{
  SatinFt *self = (SatinFt *)recovery;
  Depth depth;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (&Depth_record, bytes, n_bytes, &depth, &error))
    {
      satin_warn_of_peer (&self->warnings, self->loop, ref->owner, "hints of a job dropped: %s",
                          error->message);
      return NULL;
    }
  ask (self, ref->owner);
  return place_new (self->table, MAX (depth.n_levels, SATIN_LEVELS_UNKNOWN));
}

static gboolean
find (ResultTable *table, const guint8 *key, SatinLook *ret_look)
{
  GBytes *result = result_table_find (table, key);
  if (result != NULL)
    *ret_look = (SatinLook){ .kind = SATIN_LOOK_RESULT, .result = result };
  return result != NULL;
}

static void
look_for_child (const Place *self, const SatinChild *child, SatinLook *ret_look)
{
  guint8 key[KEY_BYTES];
  if (self->n_levels == SATIN_LEVELS_UNKNOWN || !result_table_reaches (self->table, self->n_levels))
    return;
  satin_record_digest (child->task->args, child->task->name, child->args, key);
  gint32 n_levels = self->n_levels + 1;
  if (!find (self->table, key, ret_look) && result_table_reaches (self->table, n_levels))
    *ret_look =
        (SatinLook){ .kind = SATIN_LOOK_INSIDE, .hints = place_new (self->table, n_levels) };
}

static void
results_look (gpointer hints, const SatinChild *child, SatinLook *ret_look)
{
  const Place *self = hints;
  if (child != NULL)
    look_for_child (self, child, ret_look);
  else if (self->is_described)
    find (self->table, self->key, ret_look);
}

static void
results_tell (gpointer hints, SatinAgain what, gint64 value)
{
}

const SatinRecoveryOps ft_results_ops = {
  .struct_size = sizeof (SatinRecoveryOps),
  .attach = ft_attach,
  .grace_us = ft_grace_us,
  .lost = results_lost,
  .root = results_root,
  .root_wait_us = ft_root_wait_us,
  .pack = results_pack,
  .unpack = results_unpack,
  .unref = place_free,
  .look = results_look,
  .tell = results_tell,
  .orphan = results_orphan,
  .finished = results_finished,
  .walked = ft_walked,
  .fetch = ft_fetch,
  .input = ft_input,
};

void
ft_results_free (SatinFt *self)
{
  satin_loop_timer_cancel (self->loop, &self->tell_timer);
  satin_loop_timer_cancel (self->loop, &self->answer_timer);
  g_clear_pointer (&self->untold, g_array_unref);
  g_clear_pointer (&self->table, result_table_unref);
}
