/* agree.c - tests that replicas of a type become equal, whatever happens to the messages
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "agree.h"

#define N_NODES 4
#define N_CALLS 200

typedef struct
{
  const Agree *agree;
  SatinObjects *nodes[N_NODES];
  SatinObject id;
} World;

static void
ignore_changed (gpointer host)
{
}

static const SatinObjectsHost host_ops = {
  .struct_size = sizeof (SatinObjectsHost),
  .changed = ignore_changed,
};

static void
world_init (World *self, const Agree *agree)
{
  self->agree = agree;
  for (guint i = 0; i < N_NODES; i++)
    {
      g_autoptr (GError) error = NULL;
      self->nodes[i] = satin_objects_new ();
      satin_objects_set_host (self->nodes[i], &host_ops, NULL, i + 1);
      self->id =
          satin_objects_create (self->nodes[i], agree->type, "shared", agree->record, &error);
      g_assert_no_error (error);
    }
}

static void
world_done (World *self)
{
  for (guint i = 0; i < N_NODES; i++)
    satin_objects_free (self->nodes[i]);
}

static void
call_somewhere (World *self)
{
  self->agree->call (self->nodes[g_test_rand_int_range (0, N_NODES)], self->id);
}

static void
deliver (World *self, guint to, const SatinUpdate *update)
{
  g_autoptr (GError) error = NULL;
  satin_objects_apply (self->nodes[to], update->id, update->method->name, update->args, &error);
  g_assert_no_error (error);
}

static void
shuffle (GArray *updates)
{
  for (guint i = updates->len; i > 1; i--)
    {
      guint other = (guint)g_test_rand_int_range (0, (gint32)i);
      SatinUpdate kept = g_array_index (updates, SatinUpdate, i - 1);
      g_array_index (updates, SatinUpdate, i - 1) = g_array_index (updates, SatinUpdate, other);
      g_array_index (updates, SatinUpdate, other) = kept;
    }
}

/* Delivers @updates of node @from to all other nodes, in random order, many of them twice. With
 * @from N_NODES, all nodes get them. */
static void
spread (World *self, guint from, GArray *updates)
{
  for (guint to = 0; to < N_NODES; to++)
    {
      shuffle (updates);
      for (guint i = 0; to != from && i < updates->len; i++)
        for (gint32 times = g_test_rand_int_range (1, 3); times > 0; times--)
          deliver (self, to, &g_array_index (updates, SatinUpdate, i));
    }
}

/* Delivers the calls that node @from has made since the last time. */
static void
spread_from (World *self, guint from)
{
  g_autoptr (GArray) updates = satin_objects_take_updates (self->nodes[from]);
  spread (self, from, updates);
}

/* Moves the calls that node @from has made since the last time to @all. */
static void
collect (World *self, guint from, GArray *all)
{
  g_autoptr (GArray) updates = satin_objects_take_updates (self->nodes[from]);
  for (guint i = 0; i < updates->len; i++)
    {
      SatinUpdate update = g_array_index (updates, SatinUpdate, i);
      g_bytes_ref (update.args);
      g_array_append_val (all, update);
    }
}

static void
send_state (World *self, guint from, guint to)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) packed = satin_objects_pack (self->nodes[from], self->id, NULL, NULL);
  satin_objects_install (self->nodes[to], self->id, self->agree->type->name, packed, &error);
  g_assert_no_error (error);
}

/* Each node sends its state to the next one. After two rounds all nodes have all calls. */
static void
send_states (World *self)
{
  for (guint i = 0; i < 2 * N_NODES; i++)
    send_state (self, i % N_NODES, (i + 1) % N_NODES);
}

static void
check_equal (World *self)
{
  g_autoptr (GBytes) first = satin_objects_pack (self->nodes[0], self->id, NULL, NULL);
  for (guint i = 1; i < N_NODES; i++)
    {
      g_autoptr (GBytes) other = satin_objects_pack (self->nodes[i], self->id, NULL, NULL);
      g_assert_true (g_bytes_equal (first, other));
    }
}

void
agree_test_updates (gconstpointer data)
{
  World world;
  world_init (&world, data);
  g_autoptr (GArray) all = satin_updates_new ();
  for (guint i = 0; i < N_CALLS; i++)
    {
      call_somewhere (&world);
      /* Takes each call out of its store before the next call, so that no calls are combined. */
      for (guint from = 0; from < N_NODES; from++)
        collect (&world, from, all);
    }
  spread (&world, N_NODES, all);
  check_equal (&world);
  world_done (&world);
}

void
agree_test_states (gconstpointer data)
{
  World world;
  world_init (&world, data);
  for (guint i = 0; i < N_CALLS; i++)
    call_somewhere (&world);
  send_states (&world);
  check_equal (&world);
  world_done (&world);
}

void
agree_test_combined (gconstpointer data)
{
  World world;
  world_init (&world, data);
  for (guint i = 0; i < N_CALLS; i++)
    {
      call_somewhere (&world);
      if (i % 16 == 0)
        spread_from (&world, i / 16 % N_NODES);
    }
  for (guint from = 0; from < N_NODES; from++)
    spread_from (&world, from);
  check_equal (&world);
  world_done (&world);
}

void
agree_add_tests (const char *path, const Agree *agree)
{
  static const struct
  {
    const char *name;
    GTestDataFunc test;
  } tests[] = {
    { "calls-in-any-order-and-twice", agree_test_updates },
    { "states-alone", agree_test_states },
    { "combined-calls", agree_test_combined },
  };
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/agrees-by-%s", path, tests[i].name);
      g_test_add_data_func (name, agree, tests[i].test);
    }
}

gconstpointer
agree_read (SatinReader *reader, SatinObject id, const SatinObjectType *type)
{
  satin_reader_refresh (reader);
  return satin_reader_read (reader, id, type);
}
