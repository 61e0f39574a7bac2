/* credential.h - loads this side's credential from a file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

#include <gssapi.h>

G_BEGIN_DECLS

/**
 * credential_load:
 * @path: a file in PEM with a certificate, its private key without a passphrase, and the
 *   certificates that lead to the authority, in this order (like a proxy). Only its owner may be
 *   able to read it
 * @ret_credential: (out): release it with gss_release_cred(); untouched on failure
 * @error: %SATIN_ERROR_SECRET when the file cannot be read, others can read it, or it has another
 *   form
 *
 * Returns: %TRUE on success
 */
gboolean credential_load (const char *path, gss_cred_id_t *ret_credential, GError **error);

G_END_DECLS
