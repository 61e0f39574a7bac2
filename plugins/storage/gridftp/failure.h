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

/* Whether the library refused an exchange by itself, because the exchange before it has not quite
 * ended. The server has not heard of the new exchange then. */
gboolean failure_is_unready (const char *text);

G_END_DECLS
