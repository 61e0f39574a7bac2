/* failure.h - what the Globus library reports, as an error of Satin's
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

#include <globus_common.h>

G_BEGIN_DECLS

/* Sets @error to what @failure tells. @where: the folder's URI; @what: what was tried */
void failure_take (globus_object_t *failure, const char *where, const char *what, GError **error);

/* Returns: the code for a message of the library or of a server */
SatinErrorCode failure_code (const char *text);

/* Whether the library has refused an exchange by itself, because the one before still ends: the
 * server has not heard of it. */
gboolean failure_is_unready (const char *text);

G_END_DECLS
