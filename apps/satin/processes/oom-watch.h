/* oom-watch.h - whether the kernel killed a process for lack of memory
 *
 * The kernel counts such deaths for each control group, and for the whole machine. A counter that
 * has grown is evidence; a SIGKILL alone is not, as a person may have sent it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _OomWatch OomWatch;

/* @root: "/", or for tests a folder that stands for it. Returns: (transfer full) */
OomWatch *oom_watch_new (const char *root);
/* Whether it has struck once more than this was answered with TRUE. */
gboolean oom_watch_has_struck (OomWatch *self);
void oom_watch_free (OomWatch *self);

G_END_DECLS
