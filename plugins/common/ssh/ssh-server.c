/* ssh-server.c - the parameters of a login on an SSH server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ssh-server.h"

static char *
path_or_default (const SatinParams *params, const char *key, const char *below_home)
{
  const char *path = satin_params_get_string (params, key);
  return path[0] != '\0' ? g_strdup (path) : g_build_filename (g_get_home_dir (), below_home, NULL);
}

void
ssh_server_init (SshServer *self, SshAddress *address, const SatinParams *params,
                 const char *service)
{
  *self = (SshServer){
    .service = service,
    .address = address,
    .known_hosts = path_or_default (params, "known-hosts", ".ssh/known_hosts"),
    .key = g_strdup (satin_params_get_string (params, "key")),
    .password_file = g_strdup (satin_params_has (params, "password-file")
                                   ? satin_params_get_string (params, "password-file")
                                   : ""),
    .timeout_us = MAX (satin_params_get_duration_us (params, "timeout"), G_USEC_PER_SEC / 10),
  };
}

void
ssh_server_clear (SshServer *self)
{
  if (self->addresses != NULL)
    freeaddrinfo (self->addresses);
  ssh_address_free (self->address);
  g_free (self->known_hosts);
  g_free (self->key);
  g_free (self->password_file);
}
