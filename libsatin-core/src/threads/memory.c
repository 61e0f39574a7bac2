/* memory.c - the memory of this process, and how much its control group may have
 *
 * The kernel kills a process when its control group, or a group above that, is at its limit. Pages
 * of files that nobody has used lately do not count: the kernel drops them first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "memory.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* malloc() maps larger blocks one by one; glibc allows at most this. */
#define MAPPED_BYTES (32 << 20)
#define KEPT_BYTES   (64 << 20)

static char *
read_file (const char *root, const char *path, const char *name)
{
  char *text = NULL;
  g_autofree char *file = g_build_filename (root, path, name, NULL);
  return g_file_get_contents (file, &text, NULL, NULL) ? text : NULL;
}

/* Reads a file with one number. Returns: @missing when there is none, as in "max" */
static gint64
read_number (const char *root, const char *path, const char *name, gint64 missing)
{
  g_autofree char *text = read_file (root, path, name);
  gint64 number;
  return text != NULL
                 && g_ascii_string_to_signed (g_strstrip (text), 10, 0, G_MAXINT64, &number, NULL)
             ? number
             : missing;
}

/* The files of a control group, in the two versions of control groups. */
typedef struct
{
  const char *line; /* how its line in /proc/self/cgroup goes on behind the first ":" */
  const char *top;  /* where its groups are */
  const char *limit, *current;
  const char *inactive; /* the key in memory.stat of files that the kernel can drop */
} Version;

static const Version versions[] = {
  { ":/", "sys/fs/cgroup", "memory.max", "memory.current", "\ninactive_file " },
  { "memory:/", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
    "\ntotal_inactive_file " },
};

/* Version 1 writes a number as large as this when there is no limit. */
#define NO_LIMIT_BYTES ((gint64)1 << 60)

static gint64
read_droppable (const Version *version, const char *root, const char *group)
{
  g_autofree char *text = read_file (root, group, "memory.stat");
  const char *line = text != NULL ? strstr (text, version->inactive) : NULL;
  return line != NULL ? g_ascii_strtoll (line + strlen (version->inactive), NULL, 10) : 0;
}

static void
take_group (MemoryUse *self, const Version *version, const char *root, const char *group)
{
  gint64 limit_bytes = read_number (root, group, version->limit, 0);
  gint64 bytes =
      read_number (root, group, version->current, 0) - read_droppable (version, root, group);
  gboolean is_limit = limit_bytes > 0 && limit_bytes < NO_LIMIT_BYTES;
  gboolean is_first = self->limit_bytes == 0;
  if (is_limit && (is_first || limit_bytes - bytes < self->limit_bytes - self->group_bytes))
    {
      self->limit_bytes = limit_bytes;
      self->group_bytes = MAX (bytes, 0);
    }
}

/* Looks at the group of this process, which @line names, and at all groups above it. */
static void
take_groups (MemoryUse *self, const Version *version, const char *root, const char *line)
{
  const char *colon = strchr (line, ':');
  if (colon == NULL || !g_str_has_prefix (colon + 1, version->line))
    return;
  g_autofree char *group = g_build_filename (version->top, strchr (colon + 1, ':') + 1, NULL);
  while (strlen (group) >= strlen (version->top))
    {
      take_group (self, version, root, group);
      *strrchr (group, '/') = '\0';
    }
}

gint64
memory_read_process_bytes (const char *root)
{
  long n_pages = 0;
  g_autofree char *text = read_file (root, "proc/self", "statm");
  gboolean is_known = text != NULL && sscanf (text, "%*s %ld", &n_pages) == 1;
  return is_known ? (gint64)n_pages * sysconf (_SC_PAGESIZE) : 0;
}

MemoryUse
memory_read (const char *root)
{
  MemoryUse self = { .process_bytes = memory_read_process_bytes (root) };
  g_autofree char *groups = read_file (root, "proc/self", "cgroup");
  g_auto (GStrv) lines = g_strsplit (groups != NULL ? groups : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    for (guint k = 0; k < G_N_ELEMENTS (versions); k++)
      take_groups (&self, &versions[k], root, lines[i]);
  return self;
}

void
memory_keep_freed (void)
{
  const char *tunables = g_getenv ("GLIBC_TUNABLES");
  if ((tunables != NULL && strstr (tunables, "glibc.malloc.") != NULL)
      || g_getenv ("MALLOC_TRIM_THRESHOLD_") != NULL || g_getenv ("MALLOC_MMAP_THRESHOLD_") != NULL)
    return;
  mallopt (M_MMAP_THRESHOLD, MAPPED_BYTES);
  mallopt (M_TRIM_THRESHOLD, KEPT_BYTES);
}

void
memory_give_back (void)
{
  malloc_trim (0);
}
