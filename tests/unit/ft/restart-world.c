/* restart-world.c - a node that lost a job, and a node with orphans below that job
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "restart-world.h"

FtWorld *world;

void
begin (void)
{
  world = ft_world_new (4, SATIN_FT_ANCESTORS, G_MAXSIZE);
  ft_world_export (world, 1, 10, 11);
}

void
end (void)
{
  ft_world_free (world);
}

static const SatinHop hop = { .owner = 1, .index = 10, .generation = 11 };
const SatinLineage lineage = { .is_rooted = FALSE, .hops = &hop, .n_hops = 1 };

void
tell (gint32 n, const char *path)
{
  ft_world_orphan (world, 2, n, &(WorldOrphan){ .lineage = &lineage, .path = path });
  ft_world_advance (world, 1000);
}

gpointer
lose (gpointer hints)
{
  return ft_world_lose (world, 1, 10, 11, hints);
}
