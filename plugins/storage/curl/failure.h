/* failure.h - what libcurl and servers report, as errors of Satin's
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "request.h"

G_BEGIN_DECLS

/* Sets @error to why a request failed with @code. Returns: FALSE */
gboolean failure_take (const Request *request, CURLcode code, GError **error);

/* Sets @error to what a status of HTTP that is no success means. Returns: FALSE */
gboolean failure_take_status (const Request *request, GError **error);

G_END_DECLS
