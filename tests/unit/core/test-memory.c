/* test-memory.c - tests what a node reads about its memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "threads/memory.h"

#include <glib/gstdio.h>
#include <unistd.h>

static char *root;

static void
write_file (const char *path, const char *text)
{
  g_autofree char *file = g_build_filename (root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (file);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
}

static void
set_up (void)
{
  root = g_dir_make_tmp ("satin-memory-XXXXXX", NULL);
  write_file ("proc/self/statm", "100 7 3 1 0 5 0\n");
  write_file ("proc/self/cgroup", "1:name=x:/\n0::/a/b\n");
}

static void
tear_down (void)
{
  g_autofree char *quoted = g_shell_quote (root);
  g_autofree char *command = g_strdup_printf ("rm -rf %s", quoted);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_clear_pointer (&root, g_free);
}

static void
test_memory_of_the_process (void)
{
  g_assert_cmpint (memory_read (root).process_bytes, ==, 7 * sysconf (_SC_PAGESIZE));
  g_assert_cmpint (memory_read ("/").process_bytes, >, 1 << 18);
  g_assert_cmpint (memory_read_process_bytes (root), ==, 7 * sysconf (_SC_PAGESIZE));
}

static void
test_group_without_limit (void)
{
  write_file ("sys/fs/cgroup/a/b/memory.max", "max\n");
  write_file ("sys/fs/cgroup/a/b/memory.current", "5000\n");
  g_assert_cmpint (memory_read (root).limit_bytes, ==, 0);
}

static void
test_files_can_be_dropped (void)
{
  write_file ("sys/fs/cgroup/a/b/memory.max", "9000\n");
  write_file ("sys/fs/cgroup/a/b/memory.current", "5000\n");
  write_file ("sys/fs/cgroup/a/b/memory.stat", "anon 1\ninactive_file 2000\nactive_file 9\n");
  g_assert_cmpint (memory_read (root).limit_bytes, ==, 9000);
  g_assert_cmpint (memory_read (root).group_bytes, ==, 3000);
}

/* A group above has a larger limit and is nearer to it. */
static void
test_group_nearest_to_its_limit (void)
{
  write_file ("sys/fs/cgroup/a/b/memory.max", "9000\n");
  write_file ("sys/fs/cgroup/a/b/memory.current", "5000\n");
  write_file ("sys/fs/cgroup/a/memory.max", "20000\n");
  write_file ("sys/fs/cgroup/a/memory.current", "19000\n");
  g_assert_cmpint (memory_read (root).limit_bytes, ==, 20000);
  g_assert_cmpint (memory_read (root).group_bytes, ==, 19000);
}

static void
test_groups_of_version_1 (void)
{
  write_file ("proc/self/cgroup", "4:memory:/a\n0::/\n");
  write_file ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write_file ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9000\n");
  write_file ("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "5000\n");
  write_file ("sys/fs/cgroup/memory/a/memory.stat", "cache 1\ntotal_inactive_file 1000\n");
  g_assert_cmpint (memory_read (root).limit_bytes, ==, 9000);
  g_assert_cmpint (memory_read (root).group_bytes, ==, 4000);
}

static void
test_nothing_can_be_read (void)
{
  const MemoryUse use = memory_read ("/nowhere");
  g_assert_cmpint (use.process_bytes, ==, 0);
  g_assert_cmpint (use.limit_bytes, ==, 0);
  g_assert_cmpint (memory_read_process_bytes ("/nowhere"), ==, 0);
}

static void
add_case (const char *claim, GTestFunc func)
{
  g_autofree char *name = g_strdup_printf ("/core/memory/%s", claim);
  g_test_add_vtable (name, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_case ("memory-of-the-process", test_memory_of_the_process);
  add_case ("group-without-limit", test_group_without_limit);
  add_case ("files-can-be-dropped", test_files_can_be_dropped);
  add_case ("group-nearest-to-its-limit", test_group_nearest_to_its_limit);
  add_case ("groups-of-version-1", test_groups_of_version_1);
  add_case ("nothing-can-be-read", test_nothing_can_be_read);
  return g_test_run ();
}
