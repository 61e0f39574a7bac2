/* document.h - makes one HTML file of page, style, script and data
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* Makes the HTML file. @data: JSON; its strings may hold any text. Returns: (transfer full) */
char *document_make (const char *data);

G_END_DECLS
