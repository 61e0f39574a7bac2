/* target.h - parses an ssh:// URI: the gateway, and the host and port behind it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"
#include "ssh-address.h"

typedef struct
{
  SshAddress *gateway; /* (owned) */
  char *login; /* (owned): "user@host" or "user@[host]:port"; there is one session for each */
  char *host;  /* (owned): the name that the gateway looks up */
  guint16 port;
} Target;

/* Parses "ssh://[user@]gateway[:port]/host:port". Returns: (transfer full) (nullable): %NULL with
 * %SATIN_ERROR_INVALID */
Target *target_parse (const char *uri, GError **error);
/* Returns: (transfer full): @uri with its host and port replaced by those of @reach_uri, which is
 * "tcp://host:port" */
char *target_join (const char *uri, const char *reach_uri);
void target_free (Target *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Target, target_free)
