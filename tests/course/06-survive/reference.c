/* reference.c - a solution of assignment 6 that gets all points
 *
 * A node that has run a job of another node sends the result to all nodes, several results in one
 * message. Each node keeps results in a table. Before a job that runs again spawns a child, the
 * node looks the child up in the table. A node that joins asks another node for its table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "survive.h"

#include <string.h>

/* How long a result waits, so that it and later results travel in one message. This is shorter than
 * the grace period. */
#define WINDOW_US ((gint64)10000)

/* Until the table of another node has come, a timer runs after ANSWER_US or earlier. Each time that
 * ANSWER_TIMERS timers have run, the next node is asked. */
#define ANSWER_US     ((gint64)100000)
#define ANSWER_TIMERS 10

/* For jobs of a smaller depth the answer is ANSWER_INSIDE even if no deeper result is known yet:
 * results of orphans may come while these jobs run. */
#define LEAST_DEPTH 6

/* How many bytes an entry takes beside its result, and how many the table may take. */
#define ENTRY_BYTES 200
#define TABLE_BYTES ((gsize)8 << 20)

/* The first byte of a message. */
typedef enum
{
  RESULTS,
  LAST_RESULTS, /* the end of an answer to ASK */
  ASK,
} Kind;

typedef struct
{
  Job job;
  guint32 n_bytes;
  guint8 result[];
} Entry;

struct _Survive
{
  Host *host;
  guint32 *nodes;
  guint n_nodes;
  GHashTable *table; /* key to (owned) Entry */
  GQueue order;      /* of Entry, the oldest first */
  gsize n_bytes;
  gint32 deepest;
  GByteArray *fresh; /* the next message: results that other nodes do not have yet */
  gboolean has_table;
  guint n_asked, n_timers;
};

static guint
hash_key (gconstpointer key)
{
  guint hash;
  memcpy (&hash, key, sizeof hash);
  return hash;
}

static gboolean
is_same_key (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, KEY_BYTES) == 0;
}

static gboolean
is_same_name (const Name *a, const Name *b)
{
  return a->owner == b->owner && a->index == b->index && a->generation == b->generation;
}

/* ---- the table ---- */

static void
remove_entry (Survive *self, Entry *entry)
{
  self->n_bytes -= entry->n_bytes + ENTRY_BYTES;
  g_hash_table_remove (self->table, entry->job.key);
}

/* Removes the results of the jobs whose nearest stolen job above them is @name. Nobody asks for
 * these results, because the result of @name is known. */
static void
remove_below (Survive *self, const Name *name)
{
  for (GList *at = self->order.head; at != NULL && name->owner != 0;)
    {
      GList *next = at->next;
      Entry *entry = at->data;
      if (is_same_name (&entry->job.above, name))
        {
          g_queue_delete_link (&self->order, at);
          remove_entry (self, entry);
        }
      at = next;
    }
}

/* Returns: whether the result is new */
static gboolean
add (Survive *self, const Job *job, const guint8 *result, gsize n_bytes)
{
  remove_below (self, &job->name);
  if (g_hash_table_contains (self->table, job->key))
    return FALSE;
  Entry *entry = g_malloc (sizeof *entry + n_bytes);
  entry->job = *job;
  entry->n_bytes = (guint32)n_bytes;
  memcpy (entry->result, result, n_bytes);
  g_hash_table_insert (self->table, entry->job.key, entry);
  g_queue_push_tail (&self->order, entry);
  self->n_bytes += n_bytes + ENTRY_BYTES;
  self->deepest = MAX (self->deepest, job->depth);
  while (self->n_bytes > TABLE_BYTES)
    remove_entry (self, g_queue_pop_head (&self->order));
  return TRUE;
}

/* ---- messages ---- */

static void
begin_message (GByteArray *message, Kind kind)
{
  guint8 head = (guint8)kind;
  g_byte_array_set_size (message, 0);
  g_byte_array_append (message, &head, 1);
}

static void
append (GByteArray *message, const Job *job, const guint8 *result, guint32 n_bytes)
{
  g_byte_array_append (message, (const guint8 *)job, sizeof *job);
  g_byte_array_append (message, (const guint8 *)&n_bytes, sizeof n_bytes);
  g_byte_array_append (message, result, n_bytes);
}

static gboolean
is_full (const GByteArray *message, gsize n_more)
{
  return message->len + sizeof (Job) + sizeof (guint32) + n_more > MOST_MESSAGE;
}

/* Sends the new results to all nodes. */
static void
send_fresh (Survive *self)
{
  for (guint i = 0; i < self->n_nodes && self->fresh->len > 1; i++)
    if (self->nodes[i] != host_number (self->host))
      host_send (self->host, self->nodes[i], self->fresh->data, self->fresh->len);
  begin_message (self->fresh, RESULTS);
}

static void
read_results (Survive *self, const guint8 *bytes, gsize n_bytes)
{
  Job job;
  guint32 n_result;
  while (n_bytes >= sizeof job + sizeof n_result)
    {
      memcpy (&job, bytes, sizeof job);
      memcpy (&n_result, bytes + sizeof job, sizeof n_result);
      bytes += sizeof job + sizeof n_result;
      n_bytes -= sizeof job + sizeof n_result;
      if (n_result > n_bytes)
        return;
      add (self, &job, bytes, n_result);
      bytes += n_result;
      n_bytes -= n_result;
    }
}

static void
send_table (Survive *self, guint32 to)
{
  GByteArray *message = g_byte_array_new ();
  begin_message (message, RESULTS);
  for (const GList *at = self->order.head; at != NULL; at = at->next)
    {
      const Entry *entry = at->data;
      if (is_full (message, entry->n_bytes))
        {
          host_send (self->host, to, message->data, message->len);
          begin_message (message, RESULTS);
        }
      append (message, &entry->job, entry->result, entry->n_bytes);
    }
  message->data[0] = LAST_RESULTS;
  host_send (self->host, to, message->data, message->len);
  g_byte_array_unref (message);
}

/* Asks a node for its table; each call asks the next node. */
static void
ask_for_table (Survive *self)
{
  const guint8 message = ASK;
  if (self->n_nodes < 2)
    return;
  guint32 to = self->nodes[self->n_asked++ % self->n_nodes];
  if (to == host_number (self->host))
    to = self->nodes[self->n_asked++ % self->n_nodes];
  host_send (self->host, to, &message, 1);
}

/* ---- calls ---- */

Survive *
survive_new (Host *host)
{
  Survive *self = g_new0 (Survive, 1);
  self->host = host;
  self->table = g_hash_table_new_full (hash_key, is_same_key, NULL, g_free);
  self->fresh = g_byte_array_new ();
  begin_message (self->fresh, RESULTS);
  return self;
}

void
survive_free (Survive *self)
{
  g_queue_clear (&self->order);
  g_hash_table_unref (self->table);
  g_byte_array_unref (self->fresh);
  g_free (self->nodes);
  g_free (self);
}

void
survive_members (Survive *self, const guint32 *nodes, guint n_nodes)
{
  g_free (self->nodes);
  self->nodes = g_memdup2 (nodes, n_nodes * sizeof *nodes);
  self->n_nodes = n_nodes;
  if (self->has_table || self->n_asked > 0 || n_nodes < 2)
    return;
  ask_for_table (self);
  host_wake (self->host, ANSWER_US);
}

void
survive_message (Survive *self, guint32 from, const guint8 *bytes, gsize n_bytes)
{
  if (n_bytes == 0)
    return;
  if (bytes[0] == ASK)
    send_table (self, from);
  else
    read_results (self, bytes + 1, n_bytes - 1);
  if (bytes[0] == LAST_RESULTS)
    self->has_table = TRUE;
}

void
survive_timer (Survive *self)
{
  send_fresh (self);
  if (self->has_table)
    return;
  if (++self->n_timers % ANSWER_TIMERS == 0)
    ask_for_table (self);
  host_wake (self->host, ANSWER_US);
}

void
survive_finished (Survive *self, const Job *job, const guint8 *result, gsize n_bytes)
{
  if (!add (self, job, result, n_bytes))
    return;
  if (is_full (self->fresh, n_bytes))
    send_fresh (self);
  if (self->fresh->len == 1)
    host_wake (self->host, WINDOW_US);
  append (self->fresh, job, result, (guint32)n_bytes);
}

Orphan
survive_orphan (Survive *self, const Job *job)
{
  return ORPHAN_SAVE;
}

Answer
survive_ask (Survive *self, const Job *job, const guint8 **ret_result, gsize *ret_n_bytes)
{
  const Entry *entry = g_hash_table_lookup (self->table, job->key);
  if (entry == NULL || job->depth == 0)
    return job->depth < MAX (self->deepest, LEAST_DEPTH) ? ANSWER_INSIDE : ANSWER_NOTHING;
  *ret_result = entry->result;
  *ret_n_bytes = entry->n_bytes;
  return ANSWER_RESULT;
}
