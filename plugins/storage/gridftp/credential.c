/* credential.c - loads this side's credential from a file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "credential.h"

#include <satin/base/file.h>
#include <globus_gss_assist.h>
#include <string.h>

#define MAX_BYTES ((gsize)1 << 20)

static gboolean
refuse (const char *path, const char *why, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET, "credential %s: %s", path, why);
  return FALSE;
}

/* Returns: (transfer full) (nullable): free it with satin_private_free() */
static char *
read_file (const char *path, gsize *ret_n, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text = satin_private_file_read (path, "file", MAX_BYTES, ret_n, &local);
  if (text == NULL)
    refuse (path, local->message, error);
  return text;
}

gboolean
credential_load (const char *path, gss_cred_id_t *ret_credential, GError **error)
{
  gsize n_text = 0;
  OM_uint32 major, minor;
  gss_cred_id_t credential = GSS_C_NO_CREDENTIAL;
  char *text = read_file (path, &n_text, error);
  if (text == NULL)
    return FALSE;
  /* For a key with a passphrase the library would ask at the terminal. */
  gboolean is_locked = strstr (text, "ENCRYPTED") != NULL;
  gss_buffer_desc buffer = { .length = n_text, .value = text };
  major = is_locked ? GSS_S_FAILURE
                    : gss_import_cred (&minor, &credential, GSS_C_NO_OID, 0, &buffer, 0, NULL);
  satin_private_free (text, n_text);
  if (is_locked)
    return refuse (path, "its key has a passphrase: make a proxy, or a key without", error);
  if (major != GSS_S_COMPLETE)
    return refuse (path, "is no certificate, key and chain in PEM, in that order", error);
  *ret_credential = credential;
  return TRUE;
}
