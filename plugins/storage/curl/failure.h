/* failure.h - turns failures of libcurl and of servers into errors of Satin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "request.h"

G_BEGIN_DECLS

/* Sets @error from @code, the result of a request that failed. Returns: FALSE */
gboolean failure_take (const Request *request, CURLcode code, GError **error);

/* Sets @error from an HTTP status other than success. Returns: FALSE */
gboolean failure_take_status (const Request *request, GError **error);

G_END_DECLS
