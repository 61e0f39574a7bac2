/* fuzz-keeping.c - what nodes say of a checkpoint to each other, from hostile bytes
 *
 * Node 1 has finished jobs and wants them stored, or is to be the coordinator; the others are
 * hostile, the master, node 1's successor, among them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/ft/keeping-world.h"
#include "messages.h"

#define N_NODES  4
#define MAX_SAID 12

static void
say (guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  KeepingWorld *world = user_data;
  g_autoptr (GBytes) payload = g_bytes_new (bytes, n_bytes);

  fake_net_inject_on (world->net, SATIN_CHANNEL_CHECKPOINT, 2 + from % (N_NODES - 1), 1, payload);
  if (to % 4 == 0)
    keeping_world_finish (world, to / 4, 10);
  keeping_world_advance (world, to % 4 == 1 ? WORLD_EVERY_US : WORLD_SOON_US);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  fuzz_take_warnings ();
  KeepingWorld *world = keeping_world_new (N_NODES, NULL, 0);
  fake_net_set_master (world->net, n_bytes > 0 ? 1 + bytes[0] % 2 : 1);
  keeping_world_settle (world);
  if (n_bytes > 0 && bytes[0] % 4 < 2)
    keeping_world_say_who (world, 2, KEEPING_BE, 1);
  keeping_world_settle (world);
  fuzz_messages_say (bytes, n_bytes, MAX_SAID, say, world);
  keeping_world_advance (world, WORLD_EVERY_US);
  keeping_world_free (world);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const FuzzMessage messages[] = {
    { KEEPING_WHO, &KeepingNumber_record },    { KEEPING_IS, &KeepingWho_record },
    { KEEPING_TIME, &KeepingOrder_record },    { KEEPING_TIMED, &KeepingTimed_record },
    { KEEPING_BE, &KeepingBe_record },         { KEEPING_READY, &KeepingState_record },
    { KEEPING_AM, &KeepingWho_record },        { KEEPING_STORE, &KeepingStore_record },
    { KEEPING_STORED, &KeepingStored_record }, { KEEPING_REMOVE, &KeepingOrder_record },
    { KEEPING_REMOVED, &KeepingState_record }, { KEEPING_STOPPED, &KeepingNumber_record },
    { KEEPING_OBJECT, &KeepingObject_record }, { KEEPING_INPUT, &KeepingInput_record },
    { KEEPING_INPUT_IS, &KeepingTold_record },
  };
  fuzz_messages_example (out, messages, G_N_ELEMENTS (messages));
}
