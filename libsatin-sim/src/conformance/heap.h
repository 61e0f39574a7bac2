/* heap.h - checks that a plugin that opens and closes many times leaves no memory allocated
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "private.h"

/* Calls @live again and again. If a call leaves more than a few bytes allocated, on average, that
 * breaks the rule of @c. The case is skipped if the allocator of this process does not count its
 * bytes, like the allocators of sanitizers. */
void heap_check (Case *c, void (*live) (gpointer user_data), gpointer user_data);
