/* oom-watch.h - finds out whether the kernel killed a process for lack of memory
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

/* @root: "/", or in tests a folder that takes its place. Returns: (transfer full) */
OomWatch *oom_watch_new (const char *root);
/* Whether the kernel killed a process that no earlier call has reported. Each call reports one kill
 * at most. */
gboolean oom_watch_has_struck (OomWatch *self);
void oom_watch_free (OomWatch *self);

G_END_DECLS
