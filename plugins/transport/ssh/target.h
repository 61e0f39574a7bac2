/* target.h - what an ssh:// URI says: a gateway, and whom to reach behind it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"
#include "ssh-address.h"

typedef struct
{
  SshAddress *gateway; /* (owned) */
  char *login;         /* (owned): "user@host:port", one session for each */
  char *host;          /* (owned): as the gateway knows it */
  guint16 port;
} Target;

/* "ssh://[user@]gateway[:port]/host:port". Returns: (transfer full) (nullable): %NULL with
 * %SATIN_ERROR_INVALID */
Target *target_parse (const char *uri, GError **error);
/* Returns: (transfer full): @uri with the host and port of @reach_uri, "tcp://host:port", behind
 * its gateway */
char *target_join (const char *uri, const char *reach_uri);
void target_free (Target *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Target, target_free)
