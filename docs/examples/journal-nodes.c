/* journal-nodes.c - prints what became of each node of a run, from the run's journal
 *
 *   journal-nodes FILE
 *
 * FILE is a journal: the run.avro in the folder of a run (~/.local/state/satin/runs/latest), or
 * what satin sim --journal FILE writes. A line says in which cluster and on which host the node
 * was, when it joined, its last state and since when it had it, how long its workers worked, and
 * how many jobs they ran. Times are in seconds since the run began. A damaged journal is read up to
 * the damage.
 *
 * Needs libsatin-journal, and the libraries that it uses.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/journal.h>

/* More nodes than this are not listed. */
#define MAX_NODES 100000

typedef struct
{
  SatinNodeId id;
  char *where; /* (owned): the cluster and the host */
  char *state; /* (owned) */
  gint64 joined_us;
  gint64 state_us;
  gint64 busy_us;
  gint64 n_jobs;
} Node;

static void
node_free (gpointer node)
{
  Node *self = node;
  g_free (self->where);
  g_free (self->state);
  g_free (self);
}

/* Returns: (nullable) (transfer none): the node of an event, with a new row if it has none yet */
static Node *
find (GPtrArray *nodes, GHashTable *by_id, const SatinJournalEvent *event)
{
  gpointer id = GINT_TO_POINTER (event->node);
  Node *node = g_hash_table_lookup (by_id, id);
  if (node != NULL || event->node <= 0 || nodes->len >= MAX_NODES)
    return node;
  node = g_new (Node, 1);
  *node = (Node){
    .id = (SatinNodeId)event->node,
    .where = g_strdup ("?"),
    .state = g_strdup ("?"),
    .joined_us = event->time_us,
    .state_us = event->time_us,
  };
  g_ptr_array_add (nodes, node);
  g_hash_table_insert (by_id, id, node);
  return node;
}

/* Notes what an event says about its node. Events of other kinds are ignored: a later version may
 * have kinds that this program does not know. */
static void
note (Node *self, const SatinJournalEvent *event)
{
  if (g_str_equal (event->kind, SATIN_JOURNAL_JOINED))
    {
      g_free (self->where);
      self->where = g_strdup (event->text);
    }
  else if (g_str_equal (event->kind, SATIN_JOURNAL_STATE))
    {
      g_free (self->state);
      self->state = g_strdup (event->text);
      self->state_us = event->time_us;
    }
  else if (g_str_equal (event->kind, SATIN_JOURNAL_SUMMARY))
    {
      /* A summary has only the figures that have changed. */
      self->busy_us = satin_journal_event_get (event, "busy-us", self->busy_us);
      self->n_jobs = satin_journal_event_get (event, "jobs", self->n_jobs);
    }
}

static double
to_seconds (gint64 time_us)
{
  return (double)time_us / G_USEC_PER_SEC;
}

static void
print (gpointer node, gpointer user_data)
{
  const Node *self = node;
  g_print ("node %u  %s  joined %.2f  %s %.2f  worked %.2f  jobs %" G_GINT64_FORMAT "\n", self->id,
           self->where, to_seconds (self->joined_us), self->state, to_seconds (self->state_us),
           to_seconds (self->busy_us), self->n_jobs);
}

static void
print_nodes (SatinJournalReader *reader)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func (node_free);
  g_autoptr (GHashTable) by_id = g_hash_table_new (NULL, NULL);
  SatinJournalEvent event;
  while (satin_journal_reader_next (reader, &event))
    {
      Node *node = find (nodes, by_id, &event);
      if (node != NULL)
        note (node, &event);
    }
  g_ptr_array_foreach (nodes, print, NULL);
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    {
      g_printerr ("Usage: journal-nodes FILE\n");
      return 2;
    }
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinJournalReader) reader = satin_journal_reader_new (argv[1], &error);
  if (reader == NULL)
    {
      g_printerr ("journal-nodes: %s\n", error->message);
      return satin_error_exit_status (error);
    }
  print_nodes (reader);
  const char *damage = satin_journal_reader_get_damage (reader);
  if (damage == NULL)
    return 0;
  g_printerr ("journal-nodes: %s\n", damage);
  return 1;
}
