/* fuzz-recovery.c - fuzzes the messages of recovery between nodes
 *
 * Three nodes know of orphans, results and a lost job. Node 4 is hostile, and some messages come in
 * the names of other nodes. In the end all hints and timers must be freed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/ft/ft-world.h"
#include "messages.h"

#define N_NODES  4
#define HOSTILE  4
#define MAX_SAID 12
#define STEP_US  ((gint64)500)

static void
say (guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  FtWorld *world = user_data;
  g_autoptr (GBytes) payload = g_bytes_new (bytes, n_bytes);
  SatinNodeId speaker = from < 192 ? HOSTILE : 1 + from % (N_NODES - 1);
  SatinNodeId listener = 1 + to % (N_NODES - 1);

  if (speaker != listener)
    fake_net_inject_on (world->net, SATIN_CHANNEL_RECOVERY, speaker, listener, payload);
  ft_world_advance (world, STEP_US);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  static const WorldOrphan orphan = { .path = "\1", .n_bytes = 4 };
  SatinFtStrategy strategy = n_bytes > 0 ? bytes[0] % (SATIN_FT_RESULT_TABLE + 1) : 0;

  fuzz_take_warnings ();
  FtWorld *world = ft_world_new (N_NODES, strategy, 1 << 20);
  ft_world_export (world, 1, 1, 1);
  ft_world_orphan (world, 2, 1, &orphan);
  if (strategy == SATIN_FT_RESULT_TABLE)
    ft_world_end (world, 3, 2, 1);
  fuzz_messages_say (bytes, n_bytes, MAX_SAID, say, world);
  gpointer hints = ft_world_lose (world, 1, 1, 1, NULL);
  if (hints != NULL)
    ft_world_unref (world, 1, hints);
  ft_world_advance (world, 1000 * STEP_US);
  ft_world_free (world);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const FuzzMessage messages[] = {
    { FT_ANNOUNCE, &FtAnnounce_record }, { FT_UNWANTED, &FtNames_record },
    { FT_ELSEWHERE, &FtNames_record },   { FT_RESULTS, &FtResults_record },
    { FT_ASK, &FtAsk_record },
  };
  fuzz_messages_example (out, messages, G_N_ELEMENTS (messages));
}
