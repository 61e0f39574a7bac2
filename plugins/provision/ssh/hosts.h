/* hosts.h - the file of hosts
 *
 * A line for each: "[user@]host[:port] [cluster=NAME] [slots=N] [speed=X]"; a word that begins
 * with '#' begins a comment.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-address.h"

/* Bytes of a file. */
#define HOSTS_FILE_MAX ((gsize)1 << 20)

/* Bytes of a host's name, so that a machine's name has room for a number. */
#define HOSTS_NAME_MAX 170

typedef struct
{
  SshAddress *address; /* (owned) */
  char *name;          /* (owned): host and port as written, for people; no other one has it */
  char *cluster;       /* (owned): "" for none */
  guint n_slots;       /* machines at a time, from 1 */
  gdouble speed;       /* 0 when unknown */
  guint line;
} HostEntry;

/**
 * hosts_parse:
 * @path: for messages
 * @text: what is in the file
 * @error: %SATIN_ERROR_INVALID, naming file and line
 *
 * Returns: (transfer full) (nullable) (element-type HostEntry): one or more, in order
 */
GPtrArray *hosts_parse (const char *path, const char *text, gsize n_bytes, GError **error);

/* The same, of a file; %SATIN_ERROR_NOT_FOUND when there is none. */
GPtrArray *hosts_read (const char *path, GError **error);
