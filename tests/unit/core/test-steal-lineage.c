/* test-steal-lineage.c - tests which exported jobs a lineage has, and how much of it is kept
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "losses/private.h"

/* The limits that libsatin-core/src/losses/lineage.c keeps. */
#define MAX_HOPS  64
#define MAX_BYTES 4096

static SatinLineage lineage;

static void
read_lineage (GBytes *bytes)
{
  g_assert_true (satin_record_decode (&SatinLineage_record, g_bytes_get_data (bytes, NULL),
                                      g_bytes_get_size (bytes), &lineage, NULL));
}

static void
clear (void)
{
  satin_record_clear (&SatinLineage_record, &lineage);
}

/* Returns: (transfer full): a lineage of @n hops below the root, of owners 1 to @n, with paths of
 * @n_path zeros */
static GBytes *
make (guint n, gsize n_path)
{
  g_autofree guint8 *zeros = g_malloc0 (n_path + 1);
  g_autoptr (GBytes) path = g_bytes_new (zeros, n_path);
  GBytes *bytes = steal_lineage_new (TRUE);
  for (guint i = 1; i <= n; i++)
    {
      StealName name = { .index = (gint32)i * 10, .generation = i * 100 };
      g_autoptr (GBytes) above = bytes;
      bytes = steal_lineage_add (above, i, &name, path);
    }
  return bytes;
}

static void
test_empty (void)
{
  g_autoptr (GBytes) bytes = steal_lineage_new (TRUE);
  read_lineage (bytes);
  g_assert_true (lineage.is_rooted);
  g_assert_cmpuint (lineage.n_hops, ==, 0);
  clear ();
}

static void
test_added (void)
{
  g_autoptr (GBytes) bytes = make (2, 3);
  read_lineage (bytes);
  g_assert_true (lineage.is_rooted);
  g_assert_cmpuint (lineage.n_hops, ==, 2);
  g_assert_cmpint (lineage.hops[1].owner, ==, 2);
  g_assert_cmpint (lineage.hops[1].index, ==, 20);
  g_assert_cmpint (lineage.hops[1].generation, ==, 200);
  g_assert_cmpuint (lineage.hops[1].n_path, ==, 3);
  clear ();
}

static void
test_path_unknown (void)
{
  static const StealName name = { 7, 8 };
  g_autoptr (GBytes) above = make (3, 1);
  g_autoptr (GBytes) bytes = steal_lineage_add (above, 5, &name, NULL);
  read_lineage (bytes);
  g_assert_false (lineage.is_rooted);
  g_assert_cmpuint (lineage.n_hops, ==, 1);
  g_assert_cmpint (lineage.hops[0].owner, ==, 5);
  clear ();
}

static void
test_above_unreadable (void)
{
  static const StealName name = { 7, 8 };
  g_autoptr (GBytes) above = g_bytes_new_static ("\1\xff\xff", 3);
  g_autoptr (GBytes) path = g_bytes_new_static ("\1", 1);
  g_autoptr (GBytes) bytes = steal_lineage_add (above, 5, &name, path);
  read_lineage (bytes);
  g_assert_false (lineage.is_rooted);
  g_assert_cmpuint (lineage.n_hops, ==, 1);
  clear ();
}

static void
test_longest (void)
{
  g_autoptr (GBytes) bytes = make (MAX_HOPS, 1);
  read_lineage (bytes);
  g_assert_true (lineage.is_rooted);
  g_assert_cmpuint (lineage.n_hops, ==, MAX_HOPS);
  clear ();
}

static void
test_too_many (void)
{
  g_autoptr (GBytes) bytes = make (MAX_HOPS + 1, 1);
  read_lineage (bytes);
  g_assert_false (lineage.is_rooted);
  g_assert_cmpuint (lineage.n_hops, ==, MAX_HOPS / 2);
  g_assert_cmpint (lineage.hops[lineage.n_hops - 1].owner, ==, MAX_HOPS + 1);
  clear ();
}

static void
test_too_large (void)
{
  g_autoptr (GBytes) bytes = make (20, 300);
  g_assert_cmpuint (g_bytes_get_size (bytes), <=, MAX_BYTES);
  read_lineage (bytes);
  g_assert_false (lineage.is_rooted);
  g_assert_cmpint (lineage.hops[lineage.n_hops - 1].owner, ==, 20);
  clear ();
}

/* The path of one hop is never cut, because a part of it would lead to another job. */
static void
test_one_large (void)
{
  g_autoptr (GBytes) bytes = make (2, MAX_BYTES);
  read_lineage (bytes);
  g_assert_cmpuint (lineage.n_hops, ==, 1);
  g_assert_cmpuint (lineage.hops[0].n_path, ==, MAX_BYTES);
  clear ();
}

static void
test_path_bound (void)
{
  g_autofree guint8 *zeros = g_malloc0 (MAX_BYTES + 1);
  g_autoptr (GBytes) rootless = steal_lineage_new (FALSE);
  const StealImports imports = { .rootless = rootless };
  Import *import = g_new0 (Import, 1);
  Baggage baggage = { .path = zeros, .n_path = MAX_BYTES, .is_placed = TRUE };
  steal_import_set_baggage (&imports, import, &baggage);
  g_assert_true (import->is_placed);
  baggage.n_path++;
  steal_import_set_baggage (&imports, import, &baggage);
  g_assert_false (import->is_placed);
  steal_import_free (import);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/steal-lineage/of-a-root-job-is-empty", test_empty);
  g_test_add_func ("/core/steal-lineage/ends-with-the-newest", test_added);
  g_test_add_func ("/core/steal-lineage/begins-anew-where-the-path-is-unknown", test_path_unknown);
  g_test_add_func ("/core/steal-lineage/begins-anew-below-nonsense", test_above_unreadable);
  g_test_add_func ("/core/steal-lineage/64-hops-are-kept", test_longest);
  g_test_add_func ("/core/steal-lineage/of-more-the-newer-half", test_too_many);
  g_test_add_func ("/core/steal-lineage/has-4096-bytes-at-most", test_too_large);
  g_test_add_func ("/core/steal-lineage/one-hop-is-kept-whole", test_one_large);
  g_test_add_func ("/core/steal-lineage/a-path-has-4096-bytes-at-most", test_path_bound);
  return g_test_run ();
}
