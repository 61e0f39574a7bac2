/* test-registry-hub-chaos.c - tests nodes and a hub while links break, and hubs and nodes vanish
 *
 * All events are random (`--seed` repeats them). At each step the promises of the registry must
 * hold. When it is calm again, all nodes must agree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "client.h"
#include "hub-world.h"

#define SECOND   WORLD_SECOND_US
#define MAX_LIVE 8
#define N_STEPS  120
#define N_RUNS   40

const SatinPluginDesc *satin_plugin_desc (void);

/* All nodes, and the facts that they have seen. */
typedef struct
{
  World *world;
  const SatinRegistryOps *ops;
  GPtrArray *nodes;  /* (owned) (element-type Node) */
  GHashTable *facts; /* (owned) fact, as "view 7 of RUN", to (owned) text; a fact never changes */
  gboolean is_hub_up;
} Chaos;

/* A plugin, and the view of which it was told. */
typedef struct
{
  Chaos *chaos;
  SatinTransport *transport; /* (owned) */
  gpointer registry;         /* %NULL after it is over */
  guint64 view_number;
  guint32 run; /* the first bytes of the run's id */
  SatinNodeId self;
  SatinNodeId master;
  guint64 term;
  GArray *members;  /* (owned): numbers of all members and of this node, rising */
  GHashTable *gone; /* (owned): numbers of members of which it was told that they are gone */
} Node;

/* ---- what a node is told ---- */

/* Stores @text as the fact @what @number of this run. If a node has seen that fact before, the text
 * must be the same.
 * Returns: %TRUE for the first node that sees the fact */
static gboolean
note_fact (Node *self, const char *what, guint64 number, const char *text)
{
  g_autofree char *key =
      g_strdup_printf ("%s %" G_GUINT64_FORMAT " of %08x", what, number, self->run);
  const char *known = g_hash_table_lookup (self->chaos->facts, key);

  if (known != NULL)
    {
      g_assert_cmpstr (text, ==, known);
      return FALSE;
    }
  g_hash_table_insert (self->chaos->facts, g_steal_pointer (&key), g_strdup (text));
  return TRUE;
}

static void
note_term (Node *self, SatinNodeId master, guint64 term)
{
  g_autofree char *text = g_strdup_printf ("master %u", master);

  note_fact (self, "term", term, text);
  self->master = master;
  self->term = term;
}

static void
on_registered (const guint8 run[16], guint64 view_number, SatinNodeId id, guint n_members,
               const SatinMember *members, SatinNodeId master, guint64 term, gpointer user_data)
{
  Node *self = user_data;

  g_assert_cmpuint (self->self, ==, 0);
  memcpy (&self->run, run, sizeof self->run);
  g_assert_true (note_fact (self, "number", id, "given"));
  self->self = id;
  self->view_number = view_number;
  for (guint i = 0; i < n_members; i++)
    g_array_append_val (self->members, members[i].id);
  g_array_append_val (self->members, id);
  self->term = term;
  if (master != 0)
    note_term (self, master, term);
}

static void
on_joined (guint64 view_number, const SatinMember *member, gpointer user_data)
{
  Node *self = user_data;

  g_assert_cmpuint (view_number, >=, self->view_number);
  g_assert_false (g_hash_table_contains (self->gone, GUINT_TO_POINTER (member->id)));
  g_assert_cmpuint (member->id, >,
                    g_array_index (self->members, SatinNodeId, self->members->len - 1));
  self->view_number = view_number;
  g_array_append_val (self->members, member->id);
}

static void
on_gone (guint64 view_number, SatinNodeId id, gpointer user_data)
{
  Node *self = user_data;

  g_assert_cmpuint (view_number, >=, self->view_number);
  self->view_number = view_number;
  g_assert_true (g_hash_table_add (self->gone, GUINT_TO_POINTER (id)));
  for (guint i = 0; i < self->members->len; i++)
    if (g_array_index (self->members, SatinNodeId, i) == id)
      g_array_remove_index (self->members, i--);
  if (self->master == id)
    self->master = 0;
}

static void
on_elected (guint64 view_number, SatinNodeId id, guint64 term, gpointer user_data)
{
  Node *self = user_data;

  g_assert_cmpuint (view_number, >=, self->view_number);
  g_assert_cmpuint (term, >, self->term);
  self->view_number = view_number;
  note_term (self, id, term);
}

static void
on_asked (gsize dump_bytes, gpointer user_data)
{
}

static void
on_nothing (gpointer user_data)
{
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
}

static void
on_unsure (gint64 since_us, const GError *error, gpointer user_data)
{
}

static void
on_over (const GError *error, gpointer user_data)
{
  Node *self = user_data;
  self->registry = NULL;
}

static void
on_unknown (SatinNodeId id, gpointer user_data)
{
}

static const SatinRegistryEvents events = {
  .struct_size = sizeof (SatinRegistryEvents),
  .registered = on_registered,
  .joined = on_joined,
  .left = on_gone,
  .died = on_gone,
  .elected = on_elected,
  .complete = on_nothing,
  .signal = on_signal,
  .asked = on_asked,
  .unsure = on_unsure,
  .over = on_over,
  .partial = on_nothing,
  .unknown = on_unknown,
};

/* ---- nodes ---- */

static void
add_node (Chaos *self)
{
  const SatinProgram program = { .name = "fib" };
  SatinTransportContext transport_context = { .struct_size = sizeof transport_context,
                                              .loop = self->world->loop };
  g_autoptr (SatinParams) params =
      satin_params_parse_text (satin_plugin_desc ()->params, NULL, NULL);
  g_autofree char *address = g_strdup_printf ("pipe:%u", self->nodes->len);
  Node *node = g_new0 (Node, 1);
  const SatinRegistryContext context = {
    .struct_size = sizeof context,
    .loop = self->world->loop,
    .transport = node->transport =
        satin_transport_new_with_ops (&pipe_transport_ops, &transport_context, NULL),
    .uri = "pipe:hub",
    .program = &program,
    .cluster = "",
    .address = address,
    .host = "",
    .pid = self->nodes->len,
  };

  node->chaos = self;
  node->members = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  node->gone = g_hash_table_new (NULL, NULL);
  node->registry = self->ops->open (&context, params, &events, node, NULL);
  g_ptr_array_add (self->nodes, node);
}

static void
node_free (gpointer data)
{
  Node *self = data;

  if (self->registry != NULL)
    self->chaos->ops->abandon (self->registry);
  satin_transport_close (self->transport, NULL, NULL);
  g_array_unref (self->members);
  g_hash_table_unref (self->gone);
  g_free (self);
}

static guint
count_live (Chaos *self)
{
  guint n_live = 0;
  for (guint i = 0; i < self->nodes->len; i++)
    n_live += ((Node *)g_ptr_array_index (self->nodes, i))->registry != NULL;
  return n_live;
}

/* Returns: (nullable): a random node that lives */
static Node *
draw_node (Chaos *self)
{
  guint n_live = count_live (self);
  guint place = n_live > 0 ? (guint)g_test_rand_int_range (0, (gint32)n_live) : 0;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      Node *node = g_ptr_array_index (self->nodes, i);
      if (node->registry != NULL && place-- == 0)
        return node;
    }
  return NULL;
}

/* ---- what happens ---- */

/* Loses the hub only if a live node is a member, so that a restarted hub finds a node that knows
 * the run. */
static void
lose_hub (Chaos *self)
{
  Node *node = draw_node (self);

  if (!self->is_hub_up || node == NULL || node->self == 0)
    return;
  world_lose_hub (self->world);
  self->is_hub_up = FALSE;
}

static void
start_hub (Chaos *self)
{
  if (self->is_hub_up)
    return;
  world_start_hub (self->world, TRUE);
  self->is_hub_up = TRUE;
}

static void
do_something (Chaos *self)
{
  Node *node = draw_node (self);

  switch (g_test_rand_int_range (0, 9))
    {
    case 0:
    case 1:
      if (count_live (self) < MAX_LIVE)
        add_node (self);
      break;
    case 2:
      if (node != NULL && count_live (self) > 2)
        self->ops->leave (node->registry);
      break;
    case 3:
      if (node != NULL && count_live (self) > 2)
        self->ops->abandon (g_steal_pointer (&node->registry));
      break;
    case 4:
      pipe_network_break (self->world->network, NULL, "hub");
      break;
    case 5:
      if (node != NULL && node->self != 0)
        self->ops->elect (node->registry);
      break;
    case 6:
      lose_hub (self);
      break;
    case 7:
      start_hub (self);
      break;
    case 8:
      world_freeze (self->world, SECOND * g_test_rand_int_range (1, 10));
      break;
    }
}

/* ---- what must hold ---- */

static char *
describe (const Node *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "master %u:", self->master);
  for (guint i = 0; i < self->members->len; i++)
    g_string_append_printf (text, " %u", g_array_index (self->members, SatinNodeId, i));
  return g_string_free (text, FALSE);
}

/* Views with equal numbers have equal members and the same master, at all nodes at all times. */
static void
check_views (Chaos *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      Node *node = g_ptr_array_index (self->nodes, i);
      g_autofree char *text = describe (node);

      if (node->self != 0)
        note_fact (node, "view", node->view_number, text);
    }
}

static void
check_agreement (Chaos *self)
{
  g_autofree char *first = NULL;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      Node *node = g_ptr_array_index (self->nodes, i);
      g_autofree char *text = describe (node);

      if (node->registry == NULL)
        continue;
      g_assert_cmpuint (node->members->len, ==, count_live (self));
      if (first == NULL)
        first = g_steal_pointer (&text);
      else
        g_assert_cmpstr (text, ==, first);
    }
}

static void
run_once (void)
{
  static const SatinHubOptions options = { .heartbeat_us = SECOND / 2, .death_us = 2 * SECOND };
  Chaos self = { .world = world_new (&options),
                 .ops = satin_plugin_desc ()->ops,
                 .is_hub_up = TRUE };

  self.nodes = g_ptr_array_new_with_free_func (node_free);
  self.facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  pipe_network_set_delay (self.world->network, 1000);
  add_node (&self);
  for (guint step = 0; step < N_STEPS; step++)
    {
      do_something (&self);
      world_advance (self.world, g_test_rand_int_range (1, (gint32)SECOND));
      check_views (&self);
    }
  start_hub (&self);
  world_advance (self.world, 20 * SECOND);
  check_views (&self);
  check_agreement (&self);
  g_ptr_array_unref (self.nodes);
  world_free (self.world);
  g_hash_table_unref (self.facts);
}

static void
test_promises_hold (void)
{
  for (guint i = 0; i < N_RUNS; i++)
    run_once ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/registry-hub/chaos/promises-hold-and-all-agree-in-the-end",
                   test_promises_hold);
  return g_test_run ();
}
