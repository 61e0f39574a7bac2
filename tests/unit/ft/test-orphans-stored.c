/* test-orphans-stored.c - tests when a coordinator announces the stored results of a checkpoint
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ft-world.h"

#define MASTER      1
#define OTHER       2
#define COORDINATOR 4
/* Longer than it takes until orphans are announced again. */
#define LONG_US ((gint64)15000000)

static FtWorld *world;

static void
tell_stored (SatinFtStrategy strategy)
{
  const guint8 key[KEY_BYTES] = { 5 }, step = 2;
  g_autoptr (GBytes) path = g_bytes_new (&step, 1);
  world = ft_world_new (5, strategy, G_MAXSIZE);
  fake_net_set_master (world->net, MASTER);
  ft_stored_orphan (ft_world_node (world, COORDINATOR)->ft, 1, key, NULL, path);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, MASTER), ==, 1);
}

static void
test_stored_once (void)
{
  tell_stored (SATIN_FT_ANCESTORS);
  fake_net_break_link (world->net, COORDINATOR, OTHER);
  ft_world_advance (world, LONG_US);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, MASTER), ==, 1);
  ft_world_free (world);
}

static void
test_stored_after_a_broken_link (void)
{
  tell_stored (SATIN_FT_ANCESTORS);
  fake_net_break_link (world->net, COORDINATOR, MASTER);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, MASTER), ==, 2);
  ft_world_free (world);
}

static void
test_stored_in_tables_after_a_broken_link (void)
{
  tell_stored (SATIN_FT_ORPHAN_TABLE);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, OTHER), ==, 1);
  fake_net_break_link (world->net, COORDINATOR, OTHER);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, OTHER), ==, 2);
  ft_world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/orphans-stored/are-told-once", test_stored_once);
  g_test_add_func ("/ft/orphans-stored/are-told-again-when-the-link-breaks",
                   test_stored_after_a_broken_link);
  g_test_add_func ("/ft/orphans-stored/in-tables-are-told-again-when-any-link-breaks",
                   test_stored_in_tables_after_a_broken_link);
  return g_test_run ();
}
