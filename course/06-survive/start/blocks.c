/* blocks.c - a program with large results: jobs that make blocks of bytes
 *
 *   blocks N KIB       makes N blocks of KIB KiB; in a simulation each takes 10 ms
 *
 * Prints a digest of all blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <stdlib.h>

#define BLOCK_NS 10000000
#define MOST     5000
#define MOST_KIB 64

SATIN_RECORD (Block, (bytes, data))

SATIN_TASK (make, (record, Block), (int, number), (int, kib))
{
  gsize n = (gsize)kib << 10;
  guint8 *data = g_malloc (n);
  guint32 value = (guint32)number;
  satin_charge (BLOCK_NS);
  for (gsize i = 0; i < n; i++)
    {
      value = value * 1664525 + 1013904223;
      data[i] = (guint8)(value >> 24);
    }
  return (Block){ data, n };
}

SATIN_TASK (start, (int), (array_string, argv))
{
  int n = n_argv == 3 ? atoi (argv[1]) : 0, kib = n_argv == 3 ? atoi (argv[2]) : 0;
  if (n < 1 || n > MOST || kib < 1 || kib > MOST_KIB)
    return g_printerr ("usage: blocks N KIB, up to %d and %d\n", MOST, MOST_KIB), 2;
  Block *blocks = g_new0 (Block, n);
  for (int i = 0; i < n; i++)
    SATIN_SPAWN (&blocks[i], make, i, kib);
  if (SATIN_SYNC ())
    {
      g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
      for (int i = 0; i < n; i++)
        g_checksum_update (sum, blocks[i].data, (gssize)blocks[i].n_data);
      g_print ("%.16s\n", g_checksum_get_string (sum));
    }
  for (int i = 0; i < n; i++)
    satin_record_clear (&Block_record, &blocks[i]);
  g_free (blocks);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
