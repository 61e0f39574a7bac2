/* ssh-server.h - the parameters of a login on an SSH server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "ssh-address.h"

#include <netdb.h>
#include <satin/base/plugin.h>

/* Parameters of every plugin that logs in by ssh; ssh_server_init() reads them. A plugin that
 * accepts passwords has SSH_PARAMS, any other has SSH_KEY_PARAMS. */
/* clang-format off */
#define SSH_PARAMS                                                                                 \
  SSH_KEY_PARAMS,                                                                                  \
  { "password-file", SATIN_PARAM_STRING, "",                                                       \
    "file with the password, which only its owner may read" }
#define SSH_KEY_PARAMS                                                                             \
  { "key", SATIN_PARAM_STRING, "",                                                                 \
    "file of the private key; else those of ssh-agent, ~/.ssh/id_ed25519 and ~/.ssh/id_ecdsa" },   \
  { "known-hosts", SATIN_PARAM_STRING, "",                                                         \
    "file of the servers' keys; else ~/.ssh/known_hosts. An unknown server is refused" },          \
  { "timeout", SATIN_PARAM_DURATION, "30s", "how long the server may be silent" }
/* clang-format on */

typedef struct
{
  const char *service;        /* (static): the service that is used ("SFTP"), for messages */
  SshAddress *address;        /* (owned) */
  struct addrinfo *addresses; /* (owned) (nullable): %NULL before they are looked up */
  char *known_hosts;          /* (owned): path */
  char *key;                  /* (owned): path, "" to try the agent's keys and the usual files */
  char *password_file;        /* (owned): path, "" for none */
  gint64 timeout_us;
} SshServer;

/* @address: (transfer full) */
void ssh_server_init (SshServer *self, SshAddress *address, const SatinParams *params,
                      const char *service);
void ssh_server_clear (SshServer *self);
