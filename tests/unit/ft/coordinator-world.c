/* coordinator-world.c - one real node, which is the coordinator of a checkpoint
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator-world.h"

CheckpointWorld *world;

void
be (void)
{
  fake_net_set_master (world->net, MASTER);
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_BE, 1);
  checkpoint_world_settle (world);
  checkpoint_world_settle (world);
}

void
set_up_with (const char *storage_params, guint64 max_bytes)
{
  world = checkpoint_world_new (4, storage_params, max_bytes);
  be ();
}

void
set_up (void)
{
  set_up_with (NULL, 0);
}

void
tear_down (void)
{
  checkpoint_world_free (world);
}

void
begin_another_run (void)
{
  checkpoint_world_free (world);
  world = checkpoint_world_new_again (4, NULL, 0);
  be ();
}

void
say_store (gint32 n)
{
  checkpoint_world_say_store (world, SENDER, n, n, 1, 0);
}

int
store (gint32 n)
{
  say_store (n);
  checkpoint_world_settle (world);
  return checkpoint_world_hear_verdict (world, SENDER, n);
}
