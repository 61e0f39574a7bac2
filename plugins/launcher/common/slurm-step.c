/* slurm-step.c - what Slurm's variables say about the step in which this process runs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "slurm-step.h"

#include <string.h>

#define MAX_PROCESSORS 65536

gboolean
step_read_number (const char *name, guint max, guint *ret_number)
{
  guint64 number;
  const char *text = g_getenv (name);
  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, max, &number, NULL))
    return FALSE;
  *ret_number = (guint)number;
  return TRUE;
}

/* SLURM_TOPOLOGY_ADDR is "top.leaf.host" if SLURM_TOPOLOGY_ADDR_PATTERN is "switch.switch.node",
 * and "host" if the pattern is "node". */
char *
step_find_cluster (void)
{
  const char *address = g_getenv ("SLURM_TOPOLOGY_ADDR");
  const char *pattern = g_getenv ("SLURM_TOPOLOGY_ADDR_PATTERN");
  if (address == NULL || pattern == NULL || !g_str_has_suffix (pattern, "node"))
    return g_strdup (g_get_host_name ());
  g_auto (GStrv) names = g_strsplit (address, ".", -1);
  g_auto (GStrv) kinds = g_strsplit (pattern, ".", -1);
  guint n_kinds = g_strv_length (kinds);
  if (n_kinds == 1)
    return g_strdup (address);
  /* The name of a host may have dots, so the names are counted from the top. */
  return g_strdup (n_kinds <= g_strv_length (names) ? names[n_kinds - 2] : g_get_host_name ());
}

guint
step_divide (guint n, guint local_rank, guint n_local)
{
  return MAX (n / n_local + (local_rank < n % n_local ? 1 : 0), 1);
}

guint
step_count_processors (gboolean is_own, guint local_rank, guint n_local)
{
  guint n;
  if (is_own && step_read_number ("SLURM_CPUS_PER_TASK", MAX_PROCESSORS, &n) && n > 0)
    return n;
  if (step_read_number ("SLURM_CPUS_ON_NODE", MAX_PROCESSORS, &n) && n > 0)
    return step_divide (n, local_rank, n_local);
  return 0;
}
