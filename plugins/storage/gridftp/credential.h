/* credential.h - who this side is, from a file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

#include <gssapi.h>

G_BEGIN_DECLS

/**
 * credential_load:
 * @path: a file in PEM: a certificate, its private key without a passphrase, the certificates that
 *   lead to the authority, in that order, as a proxy has them; for nobody's eyes but its owner's
 * @ret_credential: (out): to be released; untouched on failure
 * @error: %SATIN_ERROR_SECRET when it is no such file
 *
 * Returns: %TRUE on success
 */
gboolean credential_load (const char *path, gss_cred_id_t *ret_credential, GError **error);

G_END_DECLS
