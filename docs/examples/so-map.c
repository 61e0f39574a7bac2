/* so-map.c - a map of words with a replica on each of some nodes, all in one process
 *
 *   so-map 3        three nodes; commands come on standard input:
 *     1 colour red      node 1 stores red under the key colour
 *     2 colour          prints the value that node 2 has under the key colour
 *     send              each node sends its new updates to all others: each twice, the newest first
 *     join              adds a node, which begins with the state of node 1
 *
 * Two nodes may store different values under one key before they hear of each other. The later
 * value stays. Each value has a clock that tells which value is later: the highest clock that its
 * node had seen, plus one. If two clocks are equal, the value of the node with the higher number
 * stays. So all replicas agree, in whatever order the updates arrive. There is no network here:
 * updates and states are passed as bytes, in the form in which messages would carry them.
 *
 * Needs libsatin-so alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/so.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES 16

/* ---- the type ---- */

SATIN_RECORD (Entry, (string, key), (string, value), (long, clock), (int, node))
SATIN_OBJECT_TYPE_DECLARE (map, (array_record, entries, Entry))

static Entry *
find (const map_state *map, const char *key)
{
  for (gsize i = 0; i < map->n_entries; i++)
    if (g_str_equal (map->entries[i].key, key))
      return (Entry *)&map->entries[i];
  return NULL;
}

static gboolean
is_later (const Entry *entry, const Entry *than)
{
  return entry->clock != than->clock ? entry->clock > than->clock : entry->node > than->node;
}

static void
put (map_state *map, const Entry *fresh)
{
  Entry *entry = find (map, fresh->key);
  if (entry == NULL)
    {
      Entry *entries = g_renew (Entry, (gpointer)map->entries, map->n_entries + 1);
      entry = &entries[map->n_entries++];
      *entry = (Entry){ .key = g_strdup (fresh->key) };
      map->entries = entries;
    }
  else if (!is_later (fresh, entry))
    return;
  g_free ((gpointer)entry->value);
  entry->value = g_strdup (fresh->value);
  entry->clock = fresh->clock;
  entry->node = fresh->node;
}

/* Merges a replica that arrives from another node: puts each of its entries, as if it were new. */
static void
map_merge (gpointer state, gconstpointer data)
{
  const map_state *other = data;
  for (gsize i = 0; i < other->n_entries; i++)
    put (state, &other->entries[i]);
}

SATIN_OBJECT_TYPE_DEFINE (map, .merge = map_merge)

SATIN_METHOD (map, put, (record, entry, Entry)) { put (state, &entry); }

/* ---- nodes ---- */

typedef struct
{
  SatinObjects *objects; /* (owned) */
  SatinReader *reader;   /* (owned) */
} Node;

typedef struct
{
  SatinObject words;
  guint n_nodes;
  Node nodes[MAX_NODES];
} World;

/* Is called when a node has new updates. A real node would arrange that they are sent soon. Here
 * the command "send" sends them. */
static void
changed (gpointer host)
{
}

static const SatinObjectsHost host_ops = { .struct_size = sizeof host_ops, .changed = changed };

static Node *
world_add (World *self)
{
  Node *node = &self->nodes[self->n_nodes++];
  node->objects = satin_objects_new ();
  node->reader = satin_reader_new (node->objects);
  satin_objects_set_host (node->objects, &host_ops, NULL, self->n_nodes);
  return node;
}

static const map_state *
node_read (World *world, Node *node)
{
  satin_reader_refresh (node->reader);
  return satin_reader_read (node->reader, world->words, &map_type);
}

static void
node_put (World *world, Node *node, const char *key, const char *value)
{
  const map_state *map = node_read (world, node);
  map_put_args args = { { .key = key, .value = value, .node = (gint32)(node - world->nodes) } };
  for (gsize i = 0; i < map->n_entries; i++)
    args.entry.clock = MAX (args.entry.clock, map->entries[i].clock);
  args.entry.clock++;
  satin_objects_update (node->objects, world->words, &map_put_method, &args);
}

static void
apply (World *world, Node *to, const SatinUpdate *update)
{
  g_autoptr (GError) error = NULL;
  if (!satin_objects_apply (to->objects, world->words, update->method->name, update->args, &error))
    fprintf (stderr, "so-map: %s\n", error->message);
}

static void
node_send (World *world, Node *from)
{
  g_autoptr (GArray) updates = satin_objects_take_updates (from->objects);
  for (guint to = 0; to < world->n_nodes; to++)
    for (guint i = 2 * updates->len; &world->nodes[to] != from && i > 0; i--)
      apply (world, &world->nodes[to], &g_array_index (updates, SatinUpdate, (i - 1) / 2));
}

static void
world_join (World *self)
{
  g_autoptr (GBytes) packed = satin_objects_pack (self->nodes[0].objects, self->words, NULL, NULL);
  Node *node = world_add (self);
  satin_objects_install (node->objects, self->words, map_type.name, packed, NULL);
}

/* ---- commands ---- */

static void
run_command (World *world, char **words)
{
  guint n = g_strv_length (words);
  guint number = n > 0 ? (guint)strtoul (words[0], NULL, 10) : 0;
  Node *node = number >= 1 && number <= world->n_nodes ? &world->nodes[number - 1] : NULL;
  if (n == 1 && g_str_equal (words[0], "send"))
    for (guint i = 0; i < world->n_nodes; i++)
      node_send (world, &world->nodes[i]);
  else if (n == 1 && g_str_equal (words[0], "join") && world->n_nodes < MAX_NODES)
    world_join (world);
  else if (n == 3 && node != NULL)
    node_put (world, node, words[1], words[2]);
  else if (n == 2 && node != NULL)
    {
      const Entry *entry = find (node_read (world, node), words[1]);
      printf ("%s\n", entry != NULL ? entry->value : "(nothing)");
    }
  else if (n > 0)
    fprintf (stderr, "so-map: NODE KEY VALUE, NODE KEY, send or join\n");
}

int
main (int argc, char **argv)
{
  World world = { 0 };
  guint n_nodes = argc == 2 ? (guint)strtoul (argv[1], NULL, 10) : 2;
  for (guint i = 0; i < CLAMP (n_nodes, 1, MAX_NODES); i++)
    world.words = satin_objects_create (world_add (&world)->objects, &map_type, "words",
                                        &(map_packed){ NULL, 0 }, NULL);
  char line[1024];
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      g_auto (GStrv) words = g_strsplit (g_strstrip (line), " ", 3);
      run_command (&world, words);
    }
  for (guint i = 0; i < world.n_nodes; i++)
    {
      satin_reader_free (world.nodes[i].reader);
      satin_objects_free (world.nodes[i].objects);
    }
  return 0;
}
