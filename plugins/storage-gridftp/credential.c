/* credential.c - who this side is, from a file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "credential.h"

#include <satin/base/private-file.h>
#include <globus_gss_assist.h>
#include <string.h>
#include <unistd.h>

static gboolean
refuse (const char *path, const char *why, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET, "credential %s: %s", path, why);
  return FALSE;
}

static gboolean
read_file (const char *path, char **ret_text, gsize *ret_n, GError **error)
{
  g_autoptr (GError) local = NULL;
  int fd = satin_private_file_open (path, "file", &local);
  if (fd < 0)
    return refuse (path, local->message, error);
  close (fd);
  if (!g_file_get_contents (path, ret_text, ret_n, &local))
    return refuse (path, local->message, error);
  return TRUE;
}

gboolean
credential_load (const char *path, gss_cred_id_t *ret_credential, GError **error)
{
  char *text = NULL;
  gsize n_text = 0;
  OM_uint32 major, minor;
  gss_cred_id_t credential = GSS_C_NO_CREDENTIAL;
  if (!read_file (path, &text, &n_text, error))
    return FALSE;
  /* The library would ask the terminal for it. */
  gboolean is_locked = strstr (text, "ENCRYPTED") != NULL;
  gss_buffer_desc buffer = { .length = n_text, .value = text };
  major = is_locked ? GSS_S_FAILURE
                    : gss_import_cred (&minor, &credential, GSS_C_NO_OID, 0, &buffer, 0, NULL);
  explicit_bzero (text, n_text);
  g_free (text);
  if (is_locked)
    return refuse (path, "its key has a passphrase: make a proxy, or a key without", error);
  if (major != GSS_S_COMPLETE)
    return refuse (path, "is no certificate, key and chain in PEM, in that order", error);
  *ret_credential = credential;
  return TRUE;
}
