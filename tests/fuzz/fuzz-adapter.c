/* fuzz-adapter.c - fuzzes the messages between adapters, the coordinator and the fleet
 *
 * For each message, an input has a byte that chooses the receiver, two bytes for the length
 * (little-endian), and the message itself. At the end a period passes. The target checks that the
 * census from which the coordinator decides makes sense, and that no run asks for more machines
 * than it may have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/core/fake-peers.h"
#include "adapter/private.h"
#include "fuzz.h"
#include "memory.h"

#include <string.h>

#define N_NODES     4
#define PERIOD_US   ((gint64)1000000)
#define MAX_WORDS   8 /* how many messages of an input are read */
#define MAX_FIGURES 8 /* an example's report has figures of fewer nodes than this */

/* The receiver of a message, or what happens instead. */
typedef enum
{
  TO_COORDINATOR,
  TO_FIRST,
  TO_OTHER,
  STATE,
  LOOK,
  ASK,
  MEMORY,
  PERIOD, /* a period passes; the message is ignored */
  N_TARGETS,
} Target;

typedef struct
{
  SatinRun run; /* first field */
  SatinLoop *loop;
  FakeNet *net;
  SatinAdapter *adapters[N_NODES];
  SatinFleet *fleet;
  gboolean is_closed;
  const SatinRunEvents *events; /* of the coordinator */
  gpointer events_data;
  guint n_requested;
} World;

/* ---- the run and the nodes ---- */

static void
fake_signal (SatinRun *run, SatinNodeId to, const char *word, GBytes *payload)
{
}

static guint
fake_add_events (SatinRun *run, const SatinRunEvents *events, gpointer user_data)
{
  World *self = (World *)run;
  if (self->events == NULL) /* the first adapter, which becomes the coordinator */
    {
      self->events = events;
      self->events_data = user_data;
    }
  return 1;
}

static void
fake_remove_events (SatinRun *run, guint id)
{
}

static const SatinRunOps run_ops = {
  .struct_size = sizeof (SatinRunOps),
  .signal = fake_signal,
  .add_events = fake_add_events,
  .remove_events = fake_remove_events,
};

static void
tell_nothing (SatinFigureFunc add, gpointer add_data, gpointer user_data)
{
}

static const SatinAdapterHost host = {
  .struct_size = sizeof (SatinAdapterHost),
  .figures = tell_nothing,
};

/* ---- an adaptation, which checks the census ---- */

static void
check_census (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  g_assert_cmpuint (census->n_nodes, ==, N_NODES);
  g_assert_cmpuint (census->n_clusters, <=, N_NODES + FLEET_MAX_CLUSTERS);
  for (guint i = 0; i < census->n_nodes; i++)
    {
      const SatinCensusNode *node = &census->nodes[i];
      g_assert_cmpuint (node->id, ==, i + 1);
      g_assert_cmpuint (node->cluster, <, census->n_clusters);
      g_assert_true (node->speed >= 0 && node->speed <= 1);
      g_assert_true (node->overhead >= 0 && node->overhead <= 1);
      g_assert_true (node->far_overhead >= 0 && node->far_overhead <= node->overhead);
    }
  for (guint i = 0; i < census->n_clusters; i++)
    g_assert_true (census->clusters[i].offered_speed >= 0
                   && census->clusters[i].offered_speed < G_MAXDOUBLE);
  g_assert_cmpuint (census->n_least, >=, 1);
  g_assert_cmpuint (census->n_most, <=, G_MAXINT32);
  satin_decision_ask (decision, SATIN_ANY_CLUSTER, 1);
}

static void
close_nothing (gpointer adaptation)
{
}

static SatinAdaptation *
make_adaptation (void)
{
  SatinAdaptation *self = g_new0 (SatinAdaptation, 1);
  self->ops.struct_size = sizeof self->ops;
  self->ops.decide = check_census;
  self->ops.close = close_nothing;
  return self;
}

/* ---- a fleet ---- */

static void
note_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  ((World *)provision)->n_requested += n;
}

static void
close_provision (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  done (NULL, user_data);
}

static void
fleet_tell (SatinNodeId to, const char *word, GBytes *payload, gpointer user_data)
{
  World *self = user_data;
  self->events->signal (word, payload, self->events_data);
}

static const SatinFleetHost fleet_host = {
  .struct_size = sizeof (SatinFleetHost),
  .tell = fleet_tell,
};

static void
open_fleet (World *self)
{
  const SatinFleetOptions options = { .n_least = 1, .n_most = 9 };
  SatinProvision *provision = g_new0 (SatinProvision, 1);
  provision->ops.struct_size = sizeof provision->ops;
  provision->ops.request = note_request;
  provision->ops.close = close_provision;
  provision->handle = self;
  self->fleet = satin_fleet_new (self->loop, &options, &fleet_host, self);
  satin_fleet_set_provision (self->fleet, provision);
}

static void
note_closed (const GError *error, gpointer user_data)
{
  ((World *)user_data)->is_closed = TRUE;
}

/* ---- the world ---- */

static void
world_open (World *self)
{
  const SatinAdapterOptions options = { .period_us = PERIOD_US, .benchmark_share = 1 };
  *self = (World){ .run.ops = &run_ops, .loop = satin_loop_new_manual (1) };
  self->net = fake_net_new (self->loop, N_NODES);
  fake_net_set_cluster (self->net, N_NODES - 1, "there");
  fake_net_set_cluster (self->net, N_NODES, "there");
  for (guint i = 0; i < N_NODES; i++)
    {
      self->adapters[i] = satin_adapter_new (self->loop, NULL, &options, &host, self, NULL);
      satin_adapter_set_peers (self->adapters[i], fake_net_get_peers (self->net, i + 1));
      satin_adapter_set_run (self->adapters[i], &self->run);
    }
  fake_net_set_master (self->net, 1);
  self->adapters[0]->adaptation = make_adaptation ();
  open_fleet (self);
}

static void
world_close (World *self)
{
  for (guint i = 0; i < N_NODES; i++)
    {
      g_assert_cmpuint (self->adapters[i]->gathered->len, <=, ADAPT_MAX_NODES);
      g_assert_cmpuint (self->adapters[i]->children->len, <, N_NODES);
      satin_adapter_free (self->adapters[i]);
    }
  satin_fleet_close (self->fleet, note_closed, self);
  g_assert_true (self->is_closed);
  g_assert_cmpuint (self->n_requested, <=, 9);
  fake_net_free (self->net);
  satin_loop_free (self->loop);
}

static void
load_memory (GBytes *bytes)
{
  Learning learning = { .bar_us = 1 };
  memory_init (&learning);
  if (memory_load (&learning, bytes, NULL))
    {
      memory_begin (&learning, 1000);
      memory_bar (&learning, "a", 2000);
      memory_unbar_newest (&learning, 3000);
      g_autoptr (GBytes) saved = memory_save (&learning);
      g_assert_true (memory_load (&learning, saved, NULL));
    }
  memory_clear (&learning);
}

static void
say (World *self, Target target, GBytes *payload)
{
  switch (target)
    {
    case TO_COORDINATOR:
      fake_net_inject_on (self->net, SATIN_CHANNEL_ADAPT, 3, 1, payload);
      break;
    case TO_FIRST:
      fake_net_inject_on (self->net, SATIN_CHANNEL_ADAPT, 4, 3, payload);
      break;
    case TO_OTHER:
      fake_net_inject_on (self->net, SATIN_CHANNEL_ADAPT, 1, 2, payload);
      break;
    case STATE:
      self->events->signal (SATIN_FLEET_STATE, payload, self->events_data);
      break;
    case LOOK:
      satin_fleet_told (self->fleet, 1, SATIN_FLEET_LOOK, payload);
      break;
    case ASK:
      satin_fleet_told (self->fleet, 1, SATIN_FLEET_ASK, payload);
      break;
    case MEMORY:
      load_memory (payload);
      break;
    case PERIOD:
      satin_loop_advance (self->loop, PERIOD_US);
      break;
    case N_TARGETS:
      break;
    }
}

/* Ignores debug messages, which say what was refused. */
static void
say_nothing (const char *domain, GLogLevelFlags level, const char *text, gpointer user_data)
{
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  static guint log;
  World world;
  if (log == 0)
    log = g_log_set_handler (G_LOG_DOMAIN, G_LOG_LEVEL_DEBUG, say_nothing, NULL);
  world_open (&world);
  for (guint i = 0; i < MAX_WORDS && n_bytes >= 3; i++)
    {
      gsize n = MIN (n_bytes - 3, bytes[1] + 256 * (gsize)bytes[2]);
      g_autoptr (GBytes) payload = g_bytes_new (bytes + 3, n);
      say (&world, bytes[0] % N_TARGETS, payload);
      bytes += 3 + n;
      n_bytes -= 3 + n;
    }
  satin_loop_advance (world.loop, PERIOD_US);
  world_close (&world);
  return 0;
}

/* ---- examples ---- */

static void
append (GByteArray *out, Target target, const guint8 *kind, const SatinRecord *record,
        gconstpointer data)
{
  guint8 head[] = { (guint8)target, 0, 0 };
  guint begin = out->len;
  g_byte_array_append (out, head, sizeof head);
  if (kind != NULL)
    g_byte_array_append (out, kind, 1);
  if (record != NULL)
    satin_record_encode (record, data, out);
  guint n = out->len - begin - (guint)sizeof head;
  out->data[begin + 1] = (guint8)n;
  out->data[begin + 2] = (guint8)(n >> 8);
}

static void
append_report (GByteArray *out, Target target)
{
  const guint8 kind = ADAPT_FIGURES;
  AdaptFigures figures[MAX_FIGURES];
  guint n = (guint)g_test_rand_int_range (0, MAX_FIGURES);
  for (guint i = 0; i < n; i++)
    figures[i] = (AdaptFigures){ .node = g_test_rand_int_range (1, N_NODES + 2),
                                 .n_workers = g_test_rand_int_range (1, 5),
                                 .idle = g_test_rand_int_range (0, 1001),
                                 .overdue_far = g_test_rand_int_range (0, 1001),
                                 .load = 1000,
                                 .sample = 7,
                                 .sample_us = g_test_rand_int_range (0, 1000) };
  const AdaptReport report = { .nodes = figures,
                               .n_nodes = n,
                               .sample = (const guint8 *)"s",
                               .n_sample = (gsize)g_test_rand_int_range (0, 2),
                               .term = 1,
                               .memory = (const guint8 *)"m",
                               .n_memory = (gsize)g_test_rand_int_range (0, 2) };
  append (out, target, &kind, &AdaptReport_record, &report);
}

static void
append_plan (GByteArray *out)
{
  const guint8 kind = ADAPT_PLAN;
  const AdaptPlan plan = { .term = g_test_rand_int_range (1, 4),
                           .number = 3,
                           .next_us = g_test_rand_int_range (0, PERIOD_US + 2),
                           .sample_id = 5,
                           .sample = (const guint8 *)"s",
                           .n_sample = (gsize)g_test_rand_int_range (0, 2),
                           .wants_sample = TRUE };
  append (out, TO_OTHER, &kind, &AdaptPlan_record, &plan);
}

static void
append_word (GByteArray *out)
{
  const FleetOffer offers[] = { { "here", 3, 2 }, { "yonder", 5, 1e3 } };
  const FleetState state = { .term = 2, .n_most = 9, .offers = offers, .n_offers = 2 };
  const FleetWish wishes[] = { { "here", 2 }, { "", 3 } };
  const FleetAsk ask = { 2, g_test_rand_int_range (0, 4), wishes, 2 };
  const FleetLook look = { g_test_rand_int_range (0, 4) };
  const Bar bar = { "there", 5, 10, FALSE };
  const Memory memory = { .slow = 1, .far = 100, .bars = &bar, .n_bars = 1 };
  append (out, STATE, NULL, &FleetState_record, &state);
  append (out, ASK, NULL, &FleetAsk_record, &ask);
  append (out, LOOK, NULL, &FleetLook_record, &look);
  append (out, MEMORY, NULL, &Memory_record, &memory);
}

void
fuzz_example (GByteArray *out)
{
  append_report (out, g_test_rand_int_range (0, 2) == 0 ? TO_COORDINATOR : TO_FIRST);
  append (out, PERIOD, NULL, NULL, NULL);
  append_word (out);
  append_plan (out);
}
