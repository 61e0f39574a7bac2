/* test-restart-nonsense.c - tests messages about lost jobs that are too large or make no sense
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "restart-world.h"

#include <string.h>

static void
test_packed_bytes (void)
{
  char path[201];
  begin ();
  gpointer hints = lose (NULL);
  memset (path, 1, 200);
  path[200] = 0;
  for (gint32 i = 0; i < 3000; i++)
    {
      path[0] = (char)(1 + i % 100);
      path[1] = (char)(1 + i / 100);
      ft_world_orphan (world, 2, i, &(WorldOrphan){ .lineage = &lineage, .path = path });
    }
  ft_world_advance (world, 1000);
  SatinRecovery *recovery = ft_world_node (world, 1)->recovery;
  g_autoptr (GBytes) packed = recovery->ops->pack (recovery, hints, 3, &(SatinJobRef){ 1, 20, 21 });
  g_assert_cmpuint (g_bytes_get_size (packed), <=, 256 << 10);
  g_assert_cmpuint (g_bytes_get_size (packed), >, 200 << 10);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_unpack_nonsense (void)
{
  begin ();
  SatinRecovery *recovery = ft_world_node (world, 3)->recovery;
  SatinJobRef ref = { 1, 20, 21 };
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "node 1: hints of a job dropped*");
  g_assert_null (recovery->ops->unpack (recovery, (const guint8 *)"\xff\xff", 2, &ref));
  g_test_assert_expected_messages ();
  end ();
}

static void
send_entry (const FtEntry *entry)
{
  const FtAnnounce message = { .entries = entry, .n_entries = 1 };
  ft_send (ft_world_node (world, 2)->ft, 1, FT_ANNOUNCE, &FtAnnounce_record, &message);
  ft_world_advance (world, 1000);
}

static FtEntry
make_entry (void)
{
  return (FtEntry){ .owner = 1,
                    .index = 10,
                    .generation = 11,
                    .path = (const guint8 *)"\2",
                    .n_path = 1,
                    .key = (const guint8 *)"0123456789abcdef",
                    .n_key = KEY_BYTES,
                    .holder = 2 };
}

/* The figure "ft.hints" of node 1: how many hints it has added so far. */
static gint64 n_hints;

static void
note_hints (const char *name, gint64 value, gpointer user_data)
{
  if (g_str_equal (name, "ft.hints"))
    n_hints = value;
}

static gint64
count_hints (void)
{
  satin_ft_figures (ft_world_node (world, 1)->ft, note_hints, NULL);
  return n_hints;
}

static void
test_short_key (void)
{
  begin ();
  FtEntry entry = make_entry ();
  entry.n_key = KEY_BYTES - 1;
  send_entry (&entry);
  g_assert_cmpint (count_hints (), ==, 0);
  end ();
}

static void
test_no_holder (void)
{
  begin ();
  FtEntry entry = make_entry ();
  entry.holder = 0;
  send_entry (&entry);
  entry.holder = -2;
  send_entry (&entry);
  g_assert_cmpint (count_hints (), ==, 0);
  end ();
}

static void
test_bad_path (void)
{
  begin ();
  FtEntry entry = make_entry ();
  entry.path = (const guint8 *)"\x80";
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "node 2: an orphan's path*");
  send_entry (&entry);
  g_test_assert_expected_messages ();
  g_assert_cmpint (count_hints (), ==, 0);
  end ();
}

static void
test_unknown_kind (void)
{
  begin ();
  g_autoptr (GBytes) message = g_bytes_new_static ("\7", 1);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "node 2: *unknown kind 7*");
  fake_net_inject_on (world->net, SATIN_CHANNEL_RECOVERY, 2, 1, message);
  g_test_assert_expected_messages ();
  end ();
}

static void
test_empty_message (void)
{
  begin ();
  g_autoptr (GBytes) message = g_bytes_new_static ("", 0);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "node 2: *unknown kind 0*");
  fake_net_inject_on (world->net, SATIN_CHANNEL_RECOVERY, 2, 1, message);
  g_test_assert_expected_messages ();
  end ();
}

static GLogLevelFlags usual;
static guint handler;

static void
ignore (const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer user_data)
{
}

/* Ignores warnings: the node warns of each message that it cannot read. */
static void
be_deaf (void)
{
  usual = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  handler = g_log_set_handler ("satin-ft", G_LOG_LEVEL_WARNING, ignore, NULL);
}

static void
hear_again (void)
{
  g_log_remove_handler ("satin-ft", handler);
  g_log_set_always_fatal (usual);
}

static void
inject_random (guint8 *bytes, gsize n_bytes)
{
  g_autoptr (GBytes) message = g_bytes_new (bytes, n_bytes);
  fake_net_inject_on (world->net, SATIN_CHANNEL_RECOVERY, 2, 1, message);
}

/* Nothing breaks, and after 2 * EARLY_US the node has no entry of such messages any more. */
static void
test_random_bytes (void)
{
  be_deaf ();
  begin ();
  for (guint i = 0; i < 5000; i++)
    {
      guint8 bytes[40];
      gsize n_bytes = (gsize)g_test_rand_int_range (1, sizeof bytes);
      for (gsize j = 0; j < n_bytes; j++)
        bytes[j] = (guint8)g_test_rand_int ();
      bytes[0] = (guint8)(1 + i % 2);
      inject_random (bytes, n_bytes);
    }
  ft_world_advance (world, 2 * EARLY_US);
  g_assert_cmpuint (ft_world_node (world, 1)->ft->known->len, ==, 0);
  hear_again ();
  end ();
}

/* Each message was valid before some of its bytes were changed. */
static void
test_changed_bytes (void)
{
  be_deaf ();
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2\3\4");
  gsize n_bytes;
  g_autoptr (GBytes) right = g_bytes_ref (world->last);
  const guint8 *bytes = g_bytes_get_data (right, &n_bytes);
  for (guint i = 0; i < 5000; i++)
    {
      g_autofree guint8 *changed = g_memdup2 (bytes, n_bytes);
      for (guint j = 0; j < 1 + i % 3; j++)
        changed[g_test_rand_int_range (1, (gint32)n_bytes)] = (guint8)g_test_rand_int ();
      inject_random (changed, n_bytes - (gsize)(i % 7 == 0));
    }
  ft_world_unref (world, 1, hints);
  ft_world_advance (world, 2 * EARLY_US);
  g_assert_cmpuint (ft_world_node (world, 1)->ft->known->len, ==, 0);
  hear_again ();
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/restart-nonsense/limit/packed-bytes", test_packed_bytes);
  g_test_add_func ("/ft/restart-nonsense/packed-hints", test_unpack_nonsense);
  g_test_add_func ("/ft/restart-nonsense/a-short-key", test_short_key);
  g_test_add_func ("/ft/restart-nonsense/no-holder", test_no_holder);
  g_test_add_func ("/ft/restart-nonsense/a-bad-path", test_bad_path);
  g_test_add_func ("/ft/restart-nonsense/an-unknown-kind", test_unknown_kind);
  g_test_add_func ("/ft/restart-nonsense/an-empty-message", test_empty_message);
  g_test_add_func ("/ft/restart-nonsense/random-bytes", test_random_bytes);
  g_test_add_func ("/ft/restart-nonsense/changed-bytes", test_changed_bytes);
  return g_test_run ();
}
