/* watch.h - the GSource that reports events of sockets to their watches
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream-private.h"

gboolean watch_source_open (Stream *stream, GError **error);
void watch_source_close (Stream *stream);
