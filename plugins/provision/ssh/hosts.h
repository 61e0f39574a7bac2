/* hosts.h - parses the file of hosts
 *
 * It has a line for each host: "[user@]host[:port] [cluster=NAME] [slots=N] [speed=X]". A word that
 * begins with '#' begins a comment.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-address.h"

/* The most bytes of a file of hosts. */
#define HOSTS_FILE_MAX ((gsize)1 << 20)

/* The most bytes of a host's name. A machine's name adds a number to it. */
#define HOSTS_NAME_MAX 170

typedef struct
{
  SshAddress *address; /* (owned) */
  char *name;          /* (owned): host and port as written, for people; unique */
  char *cluster;       /* (owned): "" for none */
  guint n_slots;       /* machines at a time, 1 or more */
  gdouble speed;       /* 0 when unknown */
  guint line;
} HostEntry;

/**
 * hosts_parse:
 * @path: for messages
 * @text: the contents of the file
 * @error: %SATIN_ERROR_INVALID; the message names file and line
 *
 * Returns: (transfer full) (nullable) (element-type HostEntry): one or more hosts, in the file's
 *   order
 */
GPtrArray *hosts_parse (const char *path, const char *text, gsize n_bytes, GError **error);

/* Like hosts_parse(), but reads the file. @error: also %SATIN_ERROR_NOT_FOUND when it does not
 * exist or is no plain file, %SATIN_ERROR_LIMIT when it is too large, %SATIN_ERROR_IO. */
GPtrArray *hosts_read (const char *path, GError **error);
