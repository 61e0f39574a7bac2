/* failure.h - turns failures of the Globus library into errors of Satin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

#include <globus_common.h>

G_BEGIN_DECLS

/* Sets @error from @failure. @where: the folder's URI. @what: the action that failed */
void failure_take (globus_object_t *failure, const char *where, const char *what, GError **error);

/* Returns: the error code for a message of the library or of a server */
SatinErrorCode failure_code (const char *text);

/* Whether @text is the library's message that it refused an exchange because the exchange before
 * has not quite ended. The server has not heard of the refused exchange. */
gboolean failure_is_unready (const char *text);

G_END_DECLS
