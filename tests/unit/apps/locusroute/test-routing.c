/* test-routing.c - tests the shared ways of all wires: replicas with the same calls are equal
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "locusroute/routing.h"

/* A store with one object: the ways of a circuit. No way is laid yet. */
typedef struct
{
  SatinObjects *objects; /* (owned) */
  SatinReader *reader;   /* (owned) */
  SatinObject id;
} Replica;

static void
replica_init (Replica *self, const Circuit *circuit)
{
  gsize n = circuit->segments->len;
  g_autofree gint32 *rounds = g_new0 (gint32, n);
  const routing_packed packed = { circuit->n_channels,
                                  circuit->n_columns,
                                  (const Segment *)(gpointer)circuit->segments->data,
                                  n,
                                  rounds,
                                  n };
  self->objects = satin_objects_new ();
  self->reader = satin_reader_new (self->objects);
  self->id = satin_objects_create (self->objects, &routing_type, "ways", &packed, NULL);
  g_assert_cmpint (self->id, !=, 0);
}

static void
replica_clear (Replica *self)
{
  satin_reader_free (self->reader);
  satin_objects_free (self->objects);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Replica, replica_clear)

static const routing_state *
look (Replica *self)
{
  satin_reader_refresh (self->reader);
  return satin_reader_read (self->reader, self->id, &routing_type);
}

static void
lay (Replica *self, gint32 first, gint32 round, const gint32 *bends, gsize n_bends)
{
  const routing_lay_args args = { first, round, bends, n_bends };
  g_assert_true (satin_objects_update (self->objects, self->id, &routing_lay_method, &args));
}

static Circuit
make_circuit (void)
{
  Circuit circuit;
  g_assert_true (circuit_generate ("20x4x9", 3, &circuit, NULL));
  return circuit;
}

/* Checks that the costs are those of the ways that are laid. */
static void
assert_costs_are_of_the_ways (const routing_state *state)
{
  gint32 counts[36] = { 0 };
  Costs costs = { 4, 9, counts };
  for (gsize i = 0; i < state->n_segments; i++)
    costs_lay (&costs, &state->segments[i], 1);
  g_assert_cmpmem (counts, sizeof counts, state->costs.counts, sizeof counts);
}

/* Returns: a way of @segment that a job might find */
static gint32
any_bend (const Segment *segment)
{
  return g_test_rand_int_range (segment->first_column, segment->last_column + 1);
}

static void
test_ways_are_laid (void)
{
  g_auto (Circuit) circuit = make_circuit ();
  g_auto (Replica) replica = { 0 };
  replica_init (&replica, &circuit);
  const Segment *segments = (const Segment *)(gpointer)circuit.segments->data;
  const gint32 bends[] = { segments[5].first_column, segments[6].last_column };
  lay (&replica, 5, 1, bends, 2);
  const routing_state *state = look (&replica);
  g_assert_cmpint (state->segments[4].bend, ==, BEND_NONE);
  g_assert_cmpint (state->segments[5].bend, ==, bends[0]);
  g_assert_cmpint (state->segments[6].bend, ==, bends[1]);
  g_assert_cmpint (state->rounds[6], ==, 1);
  assert_costs_are_of_the_ways (state);
}

/* Both replicas get the same calls. The second one gets them in another order, and some of them
 * twice. */
static void
test_order_and_doubles_do_not_matter (void)
{
  g_auto (Circuit) circuit = make_circuit ();
  g_auto (Replica) one = { 0 }, two = { 0 };
  const Segment *segments = (const Segment *)(gpointer)circuit.segments->data;
  gint32 at[100], rounds[100], bends[100];
  replica_init (&one, &circuit);
  replica_init (&two, &circuit);
  for (guint i = 0; i < 100; i++)
    {
      at[i] = g_test_rand_int_range (0, (gint32)circuit.segments->len);
      rounds[i] = g_test_rand_int_range (1, 4);
      bends[i] = any_bend (&segments[at[i]]);
      lay (&one, at[i], rounds[i], &bends[i], 1);
    }
  for (guint i = 0; i < 150; i++)
    {
      guint k = (i * 37 + 11) % 100;
      lay (&two, at[k], rounds[k], &bends[k], 1);
    }
  const routing_state *a = look (&one), *b = look (&two);
  g_assert_cmpmem (a->segments, a->n_segments * sizeof (Segment), b->segments,
                   b->n_segments * sizeof (Segment));
  assert_costs_are_of_the_ways (a);
  assert_costs_are_of_the_ways (b);
}

static void
test_a_replica_that_comes_is_merged (void)
{
  g_auto (Circuit) circuit = make_circuit ();
  g_auto (Replica) one = { 0 }, two = { 0 };
  const Segment *segments = (const Segment *)(gpointer)circuit.segments->data;
  const gint32 early = segments[0].first_column, late = segments[0].last_column;
  const gint32 other = segments[1].first_column;
  replica_init (&one, &circuit);
  replica_init (&two, &circuit);
  lay (&one, 0, 1, &early, 1);
  lay (&one, 1, 1, &other, 1);
  lay (&two, 0, 2, &late, 1);
  g_autoptr (GBytes) packed = satin_objects_pack (one.objects, one.id, NULL, NULL);
  g_assert_true (satin_objects_install (two.objects, two.id, "routing", packed, NULL));
  const routing_state *state = look (&two);
  g_assert_cmpint (state->segments[0].bend, ==, late);
  g_assert_cmpint (state->segments[1].bend, ==, other);
  assert_costs_are_of_the_ways (state);
}

/* A call of another node that makes no sense changes nothing. */
static void
test_impossible_ways_are_left_out (void)
{
  g_auto (Circuit) circuit = make_circuit ();
  g_auto (Replica) replica = { 0 };
  const gint32 n = (gint32)circuit.segments->len;
  const gint32 bends[] = { -1, 99, G_MAXINT32, G_MININT32 };
  replica_init (&replica, &circuit);
  lay (&replica, 0, 1, bends, 4);
  lay (&replica, n - 1, 1, bends, 4);
  lay (&replica, -1, 1, bends, 4);
  lay (&replica, G_MAXINT32, 1, bends, 4);
  const routing_state *state = look (&replica);
  for (gint32 i = 0; i < n; i++)
    g_assert_cmpint (state->segments[i].bend, ==, BEND_NONE);
}

static void
assert_refused (gint32 n_channels, gint32 n_columns, Segment segment, gsize n_rounds)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (GError) error = NULL;
  const gint32 rounds[2] = { 0 };
  const routing_packed packed = { n_channels, n_columns, &segment, 1, rounds, n_rounds };
  g_assert_cmpint (satin_objects_create (objects, &routing_type, "ways", &packed, &error), ==, 0);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
}

static void
test_impossible_replicas_are_refused (void)
{
  assert_refused (0, 9, (Segment){ 0, 0, 0, 0, 0, BEND_NONE }, 1);
  assert_refused (100000, 100000, (Segment){ 0, 0, 0, 0, 0, BEND_NONE }, 1);
  assert_refused (4, 9, (Segment){ 0, 4, 0, 0, 0, BEND_NONE }, 1);
  assert_refused (4, 9, (Segment){ 0, 0, 0, 0, 9, BEND_NONE }, 1);
  assert_refused (4, 9, (Segment){ 0, 0, 3, 0, 2, BEND_NONE }, 1);
  assert_refused (4, 9, (Segment){ 0, 0, 0, 0, 2, 3 }, 1);
  assert_refused (4, 9, (Segment){ 0, 0, 0, 0, 2, BEND_NONE }, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-locusroute/routing/" path, function)
  CASE ("ways-are-laid", test_ways_are_laid);
  CASE ("order-and-doubles-do-not-matter", test_order_and_doubles_do_not_matter);
  CASE ("a-replica-that-comes-is-merged", test_a_replica_that_comes_is_merged);
  CASE ("impossible-ways-are-left-out", test_impossible_ways_are_left_out);
  CASE ("impossible-replicas-are-refused", test_impossible_replicas_are_refused);
  return g_test_run ();
}
