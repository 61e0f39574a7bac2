/* test-owners.c - replicas of the owners agree, and refuse what does not fit
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "owners.h"

#include <string.h>

#define N_TILES 3

/* Returns: (transfer full) */
static SatinObjects *
make_store (gint64 node, SatinObject *ret_owners)
{
  static const SatinObjectsHost host = { .struct_size = sizeof host };
  SatinObjects *objects = satin_objects_new ();
  owners_packed none = owners_make (N_TILES);
  satin_objects_set_host (objects, &host, NULL, node);
  /* The host would be asked to take updates. */
  satin_objects_set_host (objects, NULL, NULL, node);
  *ret_owners = satin_objects_create (objects, &owners_type, "owners", &none, NULL);
  satin_record_clear (&owners_record, &none);
  return objects;
}

static void
add (SatinObjects *objects, SatinObject owners, gint32 tile, gint32 node, gsize n_thumb)
{
  guint8 thumb[THUMB_BYTES];
  memset (thumb, node + 10, sizeof thumb);
  const owners_add_args args = { tile, node, thumb, n_thumb };
  g_assert_true (satin_objects_update (objects, owners, &owners_add_method, &args));
}

/* Checks the owners of all tiles, and that a tile has the thumbnail of its owner. */
static void
assert_owners (SatinObjects *objects, SatinObject owners, const gint32 *nodes, gint32 self)
{
  SatinReader *reader = satin_reader_new (objects);
  const owners_state *state = satin_reader_read (reader, owners, &owners_type);
  for (gsize i = 0; i < N_TILES; i++)
    {
      g_assert_cmpint (owners_get (state, i), ==, nodes[i]);
      gint32 added_as = nodes[i] == self ? OWNERS_NOBODY : nodes[i];
      if (nodes[i] >= 0)
        g_assert_cmpint (state->thumbs[(i + 1) * THUMB_BYTES - 1], ==, added_as + 10);
    }
  g_assert_cmpint (owners_get (state, N_TILES), ==, OWNERS_NOBODY);
  satin_reader_free (reader);
}

static void
test_a_tile_has_the_node_that_made_it (void)
{
  SatinObject owners;
  g_autoptr (SatinObjects) objects = make_store (5, &owners);
  add (objects, owners, 1, OWNERS_NOBODY, THUMB_BYTES);
  add (objects, owners, 2, 3, THUMB_BYTES);
  assert_owners (objects, owners, (gint32[]){ -1, 5, 3 }, 5);
}

static void
test_of_two_nodes_the_lower_stays (void)
{
  SatinObject owners;
  g_autoptr (SatinObjects) objects = make_store (5, &owners);
  add (objects, owners, 0, 3, THUMB_BYTES);
  add (objects, owners, 0, 2, THUMB_BYTES);
  add (objects, owners, 1, 2, THUMB_BYTES);
  add (objects, owners, 1, 3, THUMB_BYTES);
  assert_owners (objects, owners, (gint32[]){ 2, 2, -1 }, 5);
}

static void
test_what_does_not_fit_changes_nothing (void)
{
  SatinObject owners;
  g_autoptr (SatinObjects) objects = make_store (5, &owners);
  add (objects, owners, N_TILES, 1, THUMB_BYTES);
  add (objects, owners, -1, 1, THUMB_BYTES);
  add (objects, owners, G_MAXINT32, 1, THUMB_BYTES);
  add (objects, owners, 0, -7, THUMB_BYTES);
  add (objects, owners, 0, 1, THUMB_BYTES - 1);
  add (objects, owners, 0, 1, 0);
  assert_owners (objects, owners, (gint32[]){ -1, -1, -1 }, 5);
}

static void
test_replicas_are_merged (void)
{
  SatinObject owners;
  g_autoptr (SatinObjects) one = make_store (1, &owners), two = make_store (2, &owners);
  add (one, owners, 0, 1, THUMB_BYTES);
  add (one, owners, 1, 4, THUMB_BYTES);
  add (two, owners, 1, 3, THUMB_BYTES);
  g_autoptr (GBytes) packed = satin_objects_pack (one, owners, NULL, NULL);
  g_autoptr (GBytes) back = NULL;
  g_assert_true (satin_objects_install (two, owners, "owners", packed, NULL));
  back = satin_objects_pack (two, owners, NULL, NULL);
  g_assert_true (satin_objects_install (one, owners, "owners", back, NULL));
  assert_owners (one, owners, (gint32[]){ 1, 3, -1 }, 99);
  assert_owners (two, owners, (gint32[]){ 1, 3, -1 }, 99);
}

/* Another node may send a replica with fewer thumbnails than tiles. */
static void
test_a_damaged_replica_changes_nothing (void)
{
  SatinObject owners;
  gint32 nodes[] = { 1, 1, 1 };
  guint8 thumbs[10] = { 0 };
  const owners_packed damaged = { nodes, N_TILES, thumbs, sizeof thumbs };
  g_autoptr (SatinObjects) objects = make_store (5, &owners);
  g_autoptr (GBytes) packed = satin_record_to_bytes (&owners_record, &damaged);
  g_assert_true (satin_objects_install (objects, owners, "owners", packed, NULL));
  assert_owners (objects, owners, (gint32[]){ -1, -1, -1 }, 5);
}

static void
test_thumbnail_has_the_means (void)
{
  guint8 rgb[32 * 32 * BYTES_PER_PIXEL], thumb[THUMB_BYTES];
  const Area area = { 64, 32, 32, 32 };
  for (gint y = 0; y < 32; y++)
    for (gint x = 0; x < 32; x++)
      for (gint i = 0; i < BYTES_PER_PIXEL; i++)
        rgb[(y * 32 + x) * BYTES_PER_PIXEL + i] = (guint8)(x / 2 * 10 + i + (x + y) % 2);
  owners_shrink (&area, rgb, &area, thumb);
  for (gint x = 0; x < THUMB_SIDE; x++)
    /* Half of the pixels are 1 brighter, and a half is rounded up. */
    g_assert_cmpint (thumb[(5 * THUMB_SIDE + x) * BYTES_PER_PIXEL + 2], ==, x * 10 + 2 + 1);
}

static void
test_small_tile_has_a_thumbnail (void)
{
  static const guint8 rgb[] = { 7, 8, 9, 17, 18, 19 };
  guint8 thumb[THUMB_BYTES];
  const Area area = { 0, 0, 2, 1 }, tile = { 1, 0, 1, 1 };
  owners_shrink (&area, rgb, &tile, thumb);
  for (gsize i = 0; i < THUMB_BYTES; i++)
    g_assert_cmpuint (thumb[i], ==, 17 + i % 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-pathtracer-owners/" path, function)
  CASE ("a-tile-has-the-node-that-made-it", test_a_tile_has_the_node_that_made_it);
  CASE ("of-two-nodes-the-lower-stays", test_of_two_nodes_the_lower_stays);
  CASE ("what-does-not-fit-changes-nothing", test_what_does_not_fit_changes_nothing);
  CASE ("replicas-are-merged", test_replicas_are_merged);
  CASE ("a-damaged-replica-changes-nothing", test_a_damaged_replica_changes_nothing);
  CASE ("thumbnail-has-the-means", test_thumbnail_has_the_means);
  CASE ("small-tile-has-a-thumbnail", test_small_tile_has_a_thumbnail);
  return g_test_run ();
}
