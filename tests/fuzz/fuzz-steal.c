/* fuzz-steal.c - fuzzes the messages of stealing between nodes
 *
 * Three nodes steal from each other. Node 4 is hostile, and sends most messages of an input. After
 * the last message some time passes. No node may break.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/core/steal-world.h"
#include "messages.h"

#define N_NODES  4
#define HOSTILE  4
#define MAX_SAID 12
#define STEP_US  ((gint64)100)
#define AFTER_US ((gint64)5000)

/* One message of four comes in the name of another node, so that it may name jobs of that node. */
static void
say (guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  StealWorld *world = user_data;
  SatinNodeId speaker = from < 192 ? HOSTILE : 1 + from % (N_NODES - 1);
  SatinNodeId listener = 1 + to % (N_NODES - 1);

  g_autoptr (GBytes) payload = g_bytes_new (bytes, n_bytes);

  if (speaker != listener)
    fake_net_inject (world->net, speaker, listener, payload);
  steal_world_advance (world, STEP_US);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  fuzz_take_warnings ();
  StealWorld *world = steal_world_new (N_NODES);
  world->has_liars = TRUE; /* a message in the name of a thief may have any result */
  for (guint i = 1; i < N_NODES; i++)
    steal_world_node (world, (SatinNodeId)i)->max_taken = 2;
  steal_world_node (world, HOSTILE)->n_workers = 0;
  steal_world_add_jobs (world, 1, 4);
  steal_world_start (world);
  steal_world_advance (world, STEP_US);
  fuzz_messages_say (bytes, n_bytes, MAX_SAID, say, world);
  steal_world_advance (world, AFTER_US);
  steal_world_free (world);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const FuzzMessage messages[] = {
    { STEAL_REQUEST, &StealRequest_record },   { STEAL_JOBS, &StealJobsMessage_record },
    { STEAL_NOTHING, &StealAnswer_record },    { STEAL_RESULTS, &StealResults_record },
    { STEAL_ACK, &StealNames_record },         { STEAL_QUERY, &StealName_record },
    { STEAL_RUNNING, &StealRunning_record },   { STEAL_UNKNOWN, &StealName_record },
    { STEAL_OFFER, &StealAnswer_record },      { STEAL_LOAD, &StealLoad_record },
    { STEAL_ADOPT, &StealAdopt_record },       { STEAL_LINEAGE, &StealLineage_record },
    { STEAL_KEEP, &StealKeep_record },         { STEAL_KEPT, &StealNumber_record },
    { STEAL_RETURNED, &StealReturned_record }, { STEAL_ABORT, &StealName_record },
    { STEAL_ORPHANED, &StealNames_record },
  };
  fuzz_messages_example (out, messages, G_N_ELEMENTS (messages));
}
