/* target.h - the run that a command is about: the one that was named, or the only one
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "folder.h"
#include "session.h"

G_BEGIN_DECLS

/**
 * RunTarget:
 * @hub: (nullable): its hub; %NULL when none was named
 * @secret_file: (nullable): the cluster secret
 * @is_insecure: without secret and encryption
 */
typedef struct
{
  char *hub;         /* (owned) */
  char *secret_file; /* (owned) */
  gboolean is_insecure;
} RunTarget;

/* The options that name a run, for the table of a command. */
/* clang-format off */
#define RUN_TARGET_OPTIONS(target) \
    { "hub", 0, 0, G_OPTION_ARG_STRING, &(target)->hub, "The hub to ask", "URI" }, \
    { "secret-file", 0, 0, G_OPTION_ARG_FILENAME, &(target)->secret_file, "The cluster secret", "FILE" }, \
    { "insecure", 0, 0, G_OPTION_ARG_NONE, &(target)->is_insecure, "Ask without secret and encryption", NULL }
/* clang-format on */

/* What its info file says. */
void run_target_take (RunTarget *self, const RunInfo *info);

/* The error of somebody who looked for a run of this user on this machine. */
void run_target_set_none (GError **error);

/* When none was named: the only run of this user on this machine. */
gboolean run_target_find_one (RunTarget *self, GError **error);

/* Returns: (transfer full) (nullable): end it with session_close() */
Session *run_target_open (const RunTarget *self, GError **error);

void run_target_clear (RunTarget *self);

G_END_DECLS
