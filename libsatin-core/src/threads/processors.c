/* processors.c - how many processors this process may use
 *
 * The affinity mask says which processors the scheduler allows. The bandwidth limit of the control
 * group says how much time a container gets. The smaller number counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "processors.h"

#include <satin/core/workers.h>
#include <sched.h>
#include <stdio.h>

/* Returns: the processors for a text "QUOTA PERIOD", rounded up; 0 without a limit */
guint
processors_from_quota (const char *text)
{
  gint64 quota, period;
  if (sscanf (text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, &quota, &period) != 2 || quota <= 0
      || period <= 0)
    return 0;
  return (guint)CLAMP (quota / period + (quota % period != 0), 1, G_MAXINT32);
}

/* Returns: the smallest limit of the control group @path below @root (version 2) and of all groups
 * above it; 0 without a limit */
guint
processors_from_groups (const char *root, const char *path)
{
  guint least = 0;
  g_autofree char *group = g_strdup (path);
  for (;;)
    {
      g_autofree char *file = g_build_filename (root, group, "cpu.max", NULL);
      g_autofree char *text = NULL;
      if (g_file_get_contents (file, &text, NULL, NULL))
        {
          guint n = processors_from_quota (text);
          if (n > 0 && (least == 0 || n < least))
            least = n;
        }
      char *slash = strrchr (group, '/');
      if (slash == NULL)
        return least;
      *slash = '\0';
    }
}

/* Returns: the limit in a hierarchy of version 1 at the usual place; 0 without a limit */
static guint
processors_from_version_1 (void)
{
  g_autofree char *quota = NULL;
  g_autofree char *period = NULL;
  if (!g_file_get_contents ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", &quota, NULL, NULL)
      || !g_file_get_contents ("/sys/fs/cgroup/cpu/cpu.cfs_period_us", &period, NULL, NULL))
    return 0;
  g_autofree char *both = g_strdup_printf ("%s %s", g_strstrip (quota), g_strstrip (period));
  return processors_from_quota (both);
}

static guint
processors_in_group (void)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents ("/proc/self/cgroup", &text, NULL, NULL))
    return 0;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "0::"))
      return processors_from_groups ("/sys/fs/cgroup", lines[i] + 3);
  return 0;
}

guint
satin_count_processors (void)
{
  cpu_set_t mask;
  guint n = g_get_num_processors ();
  if (sched_getaffinity (0, sizeof mask, &mask) == 0)
    n = CPU_COUNT (&mask);
  guint limit = processors_in_group ();
  if (limit == 0)
    limit = processors_from_version_1 ();
  if (limit > 0 && limit < n)
    n = limit;
  return MAX (n, 1);
}
