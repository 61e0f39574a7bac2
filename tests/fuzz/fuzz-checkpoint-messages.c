/* fuzz-checkpoint-messages.c - fuzzes the messages of nodes about a checkpoint
 *
 * Node 1 has finished jobs and wants to store them, or it becomes the coordinator. All other nodes
 * are hostile, and so the master may be hostile too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/ft/checkpoint-world.h"
#include "messages.h"

#define N_NODES  4
#define MAX_SAID 12

static void
say (guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  CheckpointWorld *world = user_data;
  g_autoptr (GBytes) payload = g_bytes_new (bytes, n_bytes);

  fake_net_inject_on (world->net, SATIN_CHANNEL_CHECKPOINT, 2 + from % (N_NODES - 1), 1, payload);
  if (to % 4 == 0)
    checkpoint_world_finish (world, to / 4, 10);
  checkpoint_world_advance (world, to % 4 == 1 ? WORLD_EVERY_US : WORLD_SOON_US);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  fuzz_take_warnings ();
  CheckpointWorld *world = checkpoint_world_new (N_NODES, NULL, 0);
  fake_net_set_master (world->net, n_bytes > 0 ? 1 + bytes[0] % 2 : 1);
  checkpoint_world_settle (world);
  if (n_bytes > 0 && bytes[0] % 4 < 2)
    checkpoint_world_say_who (world, 2, CHECKPOINT_MESSAGE_BE, 1);
  checkpoint_world_settle (world);
  fuzz_messages_say (bytes, n_bytes, MAX_SAID, say, world);
  checkpoint_world_advance (world, WORLD_EVERY_US);
  checkpoint_world_free (world);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const FuzzMessage messages[] = {
    { CHECKPOINT_MESSAGE_WHO, &CheckpointNumberMessage_record },
    { CHECKPOINT_MESSAGE_IS, &CheckpointWhoMessage_record },
    { CHECKPOINT_MESSAGE_TIME, &CheckpointOrderMessage_record },
    { CHECKPOINT_MESSAGE_TIMED, &CheckpointTimedMessage_record },
    { CHECKPOINT_MESSAGE_BE, &CheckpointBeMessage_record },
    { CHECKPOINT_MESSAGE_READY, &CheckpointStateMessage_record },
    { CHECKPOINT_MESSAGE_AM, &CheckpointWhoMessage_record },
    { CHECKPOINT_MESSAGE_STORE, &CheckpointStoreMessage_record },
    { CHECKPOINT_MESSAGE_STORED, &CheckpointStoredMessage_record },
    { CHECKPOINT_MESSAGE_REMOVE, &CheckpointOrderMessage_record },
    { CHECKPOINT_MESSAGE_REMOVED, &CheckpointStateMessage_record },
    { CHECKPOINT_MESSAGE_STOPPED, &CheckpointNumberMessage_record },
    { CHECKPOINT_MESSAGE_OBJECT, &CheckpointObjectMessage_record },
    { CHECKPOINT_MESSAGE_INPUT, &CheckpointInputMessage_record },
    { CHECKPOINT_MESSAGE_INPUT_IS, &CheckpointToldMessage_record },
  };
  fuzz_messages_example (out, messages, G_N_ELEMENTS (messages));
}
