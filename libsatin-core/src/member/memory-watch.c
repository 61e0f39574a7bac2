/* memory-watch.c - the figures of a node's memory, and a warning before the kernel ends the node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "threads/memory.h"
#include "private.h"

#include <unistd.h>

/* The node warns when its group is above the first share of the limit, and again only after the
 * group was at or below the second share. */
#define HIGH_PERCENT 90
#define LOW_PERCENT  80
#define CHECK_US     ((gint64)1000000)
/* How many of its jobs the warning names. */
#define MAX_JOBS 3
/* Figures are multiples of this, so that they change seldom. */
#define MIB ((gint64)1 << 20)

typedef struct
{
  SatinMembership *member; /* (borrowed) */
  gint64 limit_bytes;      /* when it was known last; 0: no limit */
  gboolean has_warned;
} MemoryWatch;

typedef struct
{
  GString *text;
  guint n;
} Naming;

static void
name_job (const SatinJobState *job, gpointer user_data)
{
  Naming *self = user_data;
  gboolean is_here = g_str_equal (job->state, SATIN_JOB_RUNNING)
                     || g_str_equal (job->state, SATIN_JOB_IMPORTED)
                     || g_str_equal (job->state, SATIN_JOB_ROOT);
  if (is_here && self->n++ < MAX_JOBS)
    g_string_append_printf (self->text, "%s%s", self->n > 1 ? "; " : "", job->job);
}

static void
warn (MemoryWatch *self, const MemoryUse *use)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Naming jobs = { text, 0 };
  member_insight.jobs (name_job, &jobs, self->member);
  g_printerr ("%s: process %d has %" G_GINT64_FORMAT
              " MiB, and its control group is at %d %% of its "
              "limit of %" G_GINT64_FORMAT " MiB: the kernel may end it soon; its jobs: %s\n",
              self->member->entry->name, (int)getpid (), use->process_bytes / MIB,
              (int)(100 * use->group_bytes / use->limit_bytes), use->limit_bytes / MIB,
              text->len > 0 ? text->str : "none");
}

static gboolean
is_high (const MemoryUse *use)
{
  return use->limit_bytes != 0 && use->group_bytes > use->limit_bytes / 100 * HIGH_PERCENT;
}

static void
check_limit (MemoryWatch *self, const MemoryUse *use)
{
  double percent = 100.0 * (double)use->group_bytes / (double)use->limit_bytes;
  if (is_high (use) && !self->has_warned)
    warn (self, use);
  self->has_warned = is_high (use) || (self->has_warned && percent > LOW_PERCENT);
}

static void
check (gpointer user_data)
{
  MemoryWatch *self = user_data;
  MemoryUse use = memory_read ("/");
  if (is_high (&use) && !self->has_warned)
    {
      memory_give_back ();
      use = memory_read ("/");
    }
  /* The limit may be unknown for a moment only: a job may have taken all descriptors. */
  if (use.limit_bytes != 0)
    {
      self->limit_bytes = use.limit_bytes;
      check_limit (self, &use);
    }
  satin_loop_timer_add (self->member->loop, CHECK_US, check, self);
}

static void
add_figures (SatinFigureFunc add, gpointer add_data, gpointer user_data)
{
  const MemoryWatch *self = user_data;
  add ("memory-bytes", memory_read_process_bytes ("/") / MIB * MIB, add_data);
  /* The limit that check() read last. It is not read again here, because the control groups have
   * many files. */
  if (self->limit_bytes != 0)
    add ("memory-limit-bytes", self->limit_bytes, add_data);
}

void
memory_watch (SatinMembership *member)
{
  MemoryWatch *self = g_new0 (MemoryWatch, 1);
  self->member = member;
  satin_node_add_figures (member->node, add_figures, self);
  check (self);
}
