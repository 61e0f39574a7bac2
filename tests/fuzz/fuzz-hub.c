/* fuzz-hub.c - fuzzes the messages of nodes and tools to a hub
 *
 * A good node is a member already. Messages come from a node that has not joined, from a tool, and
 * from another member. If a message makes no sense, the hub drops its link.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../unit/net/hub-world.h"
#include "messages.h"

#define N_HOSTILE 3
#define MAX_SAID  16
#define STEP_US   ((gint64)50000)

typedef struct
{
  World *world;
  End *good;
  End *hostile[N_HOSTILE];
} Scene;

static void
say (guint8 from, guint8 to, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  Scene *self = user_data;
  End *end = self->hostile[from % N_HOSTILE];
  g_autoptr (GBytes) payload = g_bytes_new (bytes, n_bytes);

  if (end->link == NULL)
    end_connect (end);
  if (end->link != NULL)
    satin_link_send (end->link, SATIN_FRAME_HUB, 0, payload);
  if (to % 2 == 0)
    world_advance (self->world, STEP_US);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  const SatinHubOptions closed = { .n_nodes = 2 };
  Scene scene;

  fuzz_take_warnings ();
  scene.world = world_new (n_bytes > 0 && bytes[0] % 4 == 0 ? &closed : NULL);
  scene.good = world_add_node (scene.world);
  scene.hostile[0] = end_new (scene.world, SATIN_ROLE_NODE);
  scene.hostile[1] = end_new (scene.world, SATIN_ROLE_TOOL);
  scene.hostile[2] = world_add_node (scene.world);
  fuzz_messages_say (bytes, n_bytes, MAX_SAID, say, &scene);
  world_advance (scene.world, STEP_US);
  world_free (scene.world);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const FuzzMessage messages[] = {
    { HUB_MESSAGE_JOIN, &HubJoin_record },
    { HUB_MESSAGE_WELCOME, &HubWelcome_record },
    { HUB_MESSAGE_SIGNAL, &HubSignal_record },
    { HUB_MESSAGE_HEARTBEAT, NULL },
    { HUB_MESSAGE_ELECT, NULL },
    { HUB_MESSAGE_SUSPECT, &HubNumber_record },
    { HUB_MESSAGE_REPORT, &SatinReport_record },
    { HUB_MESSAGE_ASK_STATUS, &HubAskStatus_record },
    { HUB_MESSAGE_LEAVE, NULL },
    { HUB_MESSAGE_END, &SatinRunEnd_record },
    { HUB_MESSAGE_INTRODUCE, &HubNumber_record },
    { HUB_MESSAGE_SAY_LEAVING, &SatinLeave_record },
  };
  fuzz_messages_example (out, messages, G_N_ELEMENTS (messages));
}
