/* fuzz-replicas.c - fuzzes the messages of nodes about shared objects
 *
 * Three nodes have shared objects. Node 4 is hostile, and some messages come in the names of other
 * nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/so/replicas-world.h"
#include "messages.h"

#define HOSTILE  4
#define N_GOOD   3
#define MAX_SAID 12
#define STEP_US  ((gint64)2000)

static void
say (guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  ReplicasWorld *world = user_data;
  g_autoptr (GBytes) payload = g_bytes_new (bytes, n_bytes);
  SatinNodeId speaker = from < 192 ? HOSTILE : 1 + from % N_GOOD;
  SatinNodeId listener = 1 + to % N_GOOD;

  if (speaker != listener)
    fake_net_inject_on (world->net, SATIN_CHANNEL_OBJECTS, speaker, listener, payload);
  replicas_world_advance (world, STEP_US);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  fuzz_take_warnings ();
  ReplicasWorld *world = replicas_world_new ("aabb");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_create (world, 1, &page_type, 1);
  replicas_world_want (world, 2, 1, &page_type);
  replicas_world_set (world, 1, &note_type, 7);
  fuzz_messages_say (bytes, n_bytes, MAX_SAID, say, world);
  replicas_world_advance (world, WORLD_DIGEST_US);
  replicas_world_free (world);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const FuzzMessage messages[] = {
    { REPLICAS_UPDATES, &ReplicasUpdates_record }, { REPLICAS_FETCH, &ReplicasFetch_record },
    { REPLICAS_STATE, &ReplicasState_record },     { REPLICAS_NONE, &ReplicasNone_record },
    { REPLICAS_DIGEST, &ReplicasDigest_record },
  };
  fuzz_messages_example (out, messages, G_N_ELEMENTS (messages));
}
