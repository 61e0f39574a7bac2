/* target.h - finds the run that a command works on: the run that the user named, or the only one
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
 * @hub: (nullable): the URI of the run's hub; %NULL when the user named none
 * @secret_file: (nullable): the file with the cluster secret
 * @is_insecure: the link to the hub has neither secret nor encryption
 */
typedef struct
{
  char *hub;         /* (owned) */
  char *secret_file; /* (owned) */
  gboolean is_insecure;
} RunTarget;

/* The options that name a run, for a command's table of options. */
/* clang-format off */
#define RUN_TARGET_OPTIONS(target) \
    { "hub", 0, 0, G_OPTION_ARG_FILENAME, &(target)->hub, "The hub to ask", "URI" }, \
    { "secret-file", 0, 0, G_OPTION_ARG_FILENAME, &(target)->secret_file, "The cluster secret", "FILE" }, \
    { "insecure", 0, 0, G_OPTION_ARG_NONE, &(target)->is_insecure, "Ask without secret and encryption", NULL }
/* clang-format on */

/* Takes the run from the contents of its info file. */
void run_target_take (RunTarget *self, const RunInfo *info);

/* Sets the error that this user has no run on this machine. */
void run_target_set_none (GError **error);

/* If the user named no hub, takes the only run of this user on this machine. Fails when there is
 * none or more than one. */
gboolean run_target_find_one (RunTarget *self, GError **error);

/* Opens a session with the run's hub, after finding the secret. Returns: (transfer full)
 * (nullable): end it with session_close() */
Session *run_target_open (const RunTarget *self, GError **error);

void run_target_clear (RunTarget *self);

G_END_DECLS
