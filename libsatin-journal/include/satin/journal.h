/* journal.h - all of libsatin-journal
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal/event.h>
#include <satin/journal/recorder.h>
#include <satin/journal/reader.h>
#include <satin/journal/writer.h>
